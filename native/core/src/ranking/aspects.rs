//! One ranking whose items have aspects, such as the subtopics of a query: how many items of each aspect are above a rank.

use std::collections::BinaryHeap;
use std::ops::Range;

use crate::column::{Encoded, Items};
use crate::error::Error;
use crate::memory::{Grow, make_room_for};
use crate::options::choices::Ties;
use crate::ranking::as_f64;
use crate::ranking::item_order::{Compare, ItemOrder};
use crate::ranking::lookup::check_same_rel;

/// A ranking cut at k, and the relevant items of each aspect. Reused for the rows of a call for its buffers.
#[derive(Default)]
pub struct AspectRanking<'a> {
    /// The cutoff; `None` for the whole list.
    k: Option<usize>,
    /// How many items were retrieved.
    retrieved: usize,
    /// An item with an aspect, and its relevance to that.
    judged: Vec<(&'a [u8], &'a [u8], f64)>,
    /// How many relevant items each aspect has, in the order of the aspects.
    relevant: Vec<usize>,
    /// The relevant items, ascending, each with the range of its aspects in `aspects_of_items`.
    items: Vec<(&'a [u8], Range<usize>)>,
    aspects_of_items: Vec<usize>,
    ranked: Vec<Retrieved<'a>>,
    blocks: Vec<Block>,
    hits: Vec<Hit>,
}

/// A retrieved item; `None` for a NULL item, which matches nothing.
#[derive(Clone, Copy)]
struct Retrieved<'a> {
    item: Option<&'a [u8]>,
    score: f64,
    place: usize,
}

/// Tied items of which any is relevant, or a single one.
struct Block {
    /// How many items are above it.
    above: usize,
    size: usize,
    /// The range of its hits.
    hits: Range<usize>,
}

/// An aspect of items of a block.
struct Hit {
    /// How many items with the aspect are above the block, and how many are in it.
    above: usize,
    tied: usize,
    /// How many relevant items the aspect has.
    relevant: usize,
}

impl<'a> AspectRanking<'a> {
    /// Reads the judgements of one row, which are a range of elements of columns. One without an item, an aspect or a
    /// relevance counts for nothing.
    pub fn read_truth(
        &mut self,
        [items, aspects]: [&'a Encoded; 2],
        span: Range<usize>,
        rel: &dyn Fn(usize) -> Result<Option<f64>, Error>,
        least_rel: f64,
    ) -> Result<(), Error> {
        let judged = &mut self.judged;
        judged.clear();
        judged.make_room(span.len())?;
        for index in span {
            if let (Some(_), Some(_), Some(rel)) = (items.tag(index), aspects.tag(index), rel(index)?) {
                judged.push((items.bytes(index), aspects.bytes(index), rel));
            }
        }
        let pair = |index: usize| (judged[index].0, judged[index].1);
        let order = sorted(judged.len(), &|one, other| pair(one).cmp(&pair(other)))?;
        self.items.clear();
        self.relevant.clear();
        let mut aspects = Vec::new();
        let mut before = None;
        for (item, aspect, rel) in order.into_iter().map(|index| judged[index]) {
            if let Some((.., known)) = before.filter(|(one, other, _)| (*one, *other) == (item, aspect)) {
                check_same_rel(known, rel)?;
                continue;
            }
            before = Some((item, aspect, rel));
            if rel < least_rel {
                continue;
            }
            let place = aspects.len();
            aspects.try_push(aspect)?;
            match self.items.last_mut() {
                Some((last, range)) if *last == item => range.end += 1,
                _ => self.items.try_push((item, place..place + 1))?,
            }
        }
        self.aspects_of_items.clear();
        self.aspects_of_items.try_resize(aspects.len(), 0)?;
        let mut last = None;
        for place in sorted(aspects.len(), &|one, other| aspects[one].cmp(aspects[other]))? {
            if last.replace(aspects[place]) != Some(aspects[place]) {
                self.relevant.try_push(0)?;
            }
            let number = self.relevant.len() - 1;
            self.relevant[number] += 1;
            self.aspects_of_items[place] = number;
        }
        Ok(())
    }

    /// Reads the retrieved items of a row, which are a range of elements of `rec`, after its judgements. Without scores,
    /// they are in their order, and a repeated item counts as an irrelevant one. With scores, an item has its largest one,
    /// and one without a score was not retrieved.
    pub fn read_rec(
        &mut self,
        rec: &'a Encoded,
        span: Range<usize>,
        score: Option<&dyn Fn(usize) -> Result<Option<f64>, Error>>,
        ties: Ties,
        k: Option<usize>,
    ) -> Result<(), Error> {
        let ranked = &mut self.ranked;
        ranked.clear();
        ranked.make_room(span.len())?;
        for (place, index) in span.enumerate() {
            let item = rec.tag(index).map(|_| rec.bytes(index));
            let Some(score) = score.map_or(Ok(Some(0.0)), |score| score(index))? else { continue };
            ranked.push(Retrieved { item, score, place });
        }
        if score.is_some() {
            let by_item = sorted(ranked.len(), &|one, other| {
                let [one, other] = [one, other].map(|place| &ranked[place]);
                one.item
                    .cmp(&other.item)
                    .then_with(|| other.score.total_cmp(&one.score))
                    .then(one.place.cmp(&other.place))
            })?;
            let mut distinct: Vec<Retrieved> = Vec::new();
            for retrieved in by_item.into_iter().map(|place| ranked[place]) {
                let is_repeat = |last: &Retrieved| last.item.is_some() && last.item == retrieved.item;
                if !distinct.last().is_some_and(is_repeat) {
                    distinct.try_push(retrieved)?;
                }
            }
            let by_score = sorted(distinct.len(), &|one, other| {
                let [one, other] = [one, other].map(|place| &distinct[place]);
                let last = one.item.is_none().cmp(&other.item.is_none());
                other.score.total_cmp(&one.score).then_with(|| match ties {
                    Ties::InputOrder => one.place.cmp(&other.place),
                    Ties::ItemDesc => last.then_with(|| other.item.cmp(&one.item)),
                    // The sum over tied items is the same for any order of rows.
                    _ => last.then_with(|| one.item.cmp(&other.item)),
                })
            })?;
            ranked.clear();
            ranked.extend(by_score.into_iter().map(|place| distinct[place]));
        }
        self.retrieved = ranked.len();
        self.k = k;
        self.write_blocks(score.is_some() && ties == Ties::Average)
    }

    /// Writes the blocks of tied items; if not `may_tie`, each item is one.
    fn write_blocks(&mut self, may_tie: bool) -> Result<(), Error> {
        let Self { items, aspects_of_items, blocks, hits, .. } = self;
        blocks.clear();
        hits.clear();
        let mut is_found = Vec::new();
        is_found.try_resize(items.len(), false)?;
        // For each aspect, how many of its items are above the block, and how many in it.
        let mut counts = Vec::new();
        counts.try_resize(self.relevant.len(), (0, 0))?;
        let mut above = 0;
        for tied in self.ranked.chunk_by(|one, other| may_tie && one.score == other.score) {
            if self.k.is_some_and(|k| above >= k) {
                break;
            }
            let first = hits.len();
            for item in tied.iter().filter_map(|retrieved| retrieved.item) {
                let Ok(number) = items.binary_search_by(|(known, _)| (*known).cmp(item)) else { continue };
                if std::mem::replace(&mut is_found[number], true) {
                    continue;
                }
                for aspect in &aspects_of_items[items[number].1.clone()] {
                    let (above, in_block) = &mut counts[*aspect];
                    *in_block += 1;
                    if *in_block == 1 {
                        // The aspect, until its count in the block is known.
                        hits.try_push(Hit {
                            above: *above,
                            tied: *aspect,
                            relevant: self.relevant[*aspect],
                        })?;
                    }
                }
            }
            for hit in &mut hits[first..] {
                let (above, in_block) = &mut counts[hit.tied];
                hit.tied = std::mem::take(in_block);
                *above += hit.tied;
            }
            if hits.len() > first {
                blocks.try_push(Block { above, size: tied.len(), hits: first..hits.len() })?;
            }
            above += tied.len();
        }
        Ok(())
    }

    /// How many aspects have a relevant item.
    pub fn aspects(&self) -> usize {
        self.relevant.len()
    }

    pub fn retrieved(&self) -> usize {
        self.retrieved
    }

    /// How many ranks there are: k, or without k, as many as items were retrieved.
    pub fn places(&self) -> usize {
        self.k.unwrap_or(self.retrieved)
    }

    /// How many items of a block are above the cutoff.
    fn shown(&self, block: &Block) -> usize {
        self.k.map_or(block.size, |k| block.size.min(k - block.above))
    }

    /// The sum over ranks of `discount`, of the number of items above, times the gains of the item, which has one for each of
    /// its aspects: `kept` to the power of the number of items above with the aspect. If items are tied, it is the expected value
    /// over their orders.
    pub fn gain(&self, kept: f64, discount: &dyn Fn(usize) -> f64) -> Result<f64, Error> {
        let mut sum = 0.0;
        let mut chances = Vec::new();
        for block in &self.blocks {
            let shown = self.shown(block);
            for hit in &self.hits[block.hits.clone()] {
                let gain = kept.powf(as_f64(hit.above)) * as_f64(hit.tied) / as_f64(block.size);
                // The chance of each number of other items with the aspect among those of the block above a place, which is
                // hypergeometric: items are drawn without replacement.
                chances.clear();
                chances.try_push(1.0)?;
                for place in 0..shown {
                    let expected = chances.iter().rev().fold(0.0, |more, chance| chance + kept * more);
                    sum += discount(block.above + place) * gain * expected;
                    if hit.tied == 1 || place + 1 == shown {
                        continue;
                    }
                    let left = as_f64(block.size - 1 - place);
                    if chances.len() < hit.tied {
                        chances.try_push(0.0)?;
                    }
                    for drawn in (0..chances.len()).rev() {
                        let with_aspect = as_f64(hit.tied - 1 - drawn) / left;
                        let from_fewer = match drawn.checked_sub(1) {
                            Some(fewer) => chances[fewer] * (with_aspect + 1.0 / left),
                            None => 0.0,
                        };
                        chances[drawn] = chances[drawn] * (1.0 - with_aspect) + from_fewer;
                    }
                }
            }
        }
        Ok(sum)
    }

    /// The sum over aspects of the average precision of their items. If items are tied, it is the expected value over their
    /// orders.
    pub fn average_precisions(&self) -> f64 {
        let mut sum = 0.0;
        for block in &self.blocks {
            for hit in &self.hits[block.hits.clone()] {
                // The share of other items of the block that have the aspect.
                let others = as_f64(hit.tied - 1) / as_f64((block.size - 1).max(1));
                let precision = |place| {
                    (as_f64(hit.above + 1) + as_f64(place) * others) / as_f64(block.above + place + 1)
                };
                let precisions: f64 = (0..self.shown(block)).map(precision).sum();
                sum += precisions * as_f64(hit.tied) / as_f64(block.size) / as_f64(hit.relevant);
            }
        }
        sum
    }

    /// The sum of [`Self::gain`] if the item at each rank had all aspects.
    pub fn gain_of_all(&self, kept: f64, discount: &dyn Fn(usize) -> f64) -> f64 {
        let gains = (0..self.places()).map(|above| discount(above) * kept.powf(as_f64(above)));
        as_f64(self.aspects()) * gains.sum::<f64>()
    }

    /// The sum of [`Self::gain`] for the greedy order of the relevant items: at each rank the one of the largest gain, and of
    /// equal ones the last by item. To find the best order is NP-hard.
    pub fn greedy_gain(&self, kept: f64, discount: &dyn Fn(usize) -> f64) -> Result<f64, Error> {
        let mut seen = Vec::new();
        seen.try_resize(self.relevant.len(), 0)?;
        let mut counts: Vec<usize> = Vec::new();
        // The bits of numbers that are not negative have the order of the numbers.
        let mut gain_of = |number: usize, seen: &[usize]| -> Result<u64, Error> {
            counts.clear();
            let aspects = &self.aspects_of_items[self.items[number].1.clone()];
            counts.try_extend(aspects.iter().map(|aspect| seen[*aspect]))?;
            // In one order, so that equal gains are rounded alike.
            counts.sort_unstable();
            Ok(counts.iter().map(|count| kept.powf(as_f64(*count))).sum::<f64>().to_bits())
        };
        let mut left = BinaryHeap::new();
        make_room_for::<(u64, usize), _>(self.items.len(), || left.try_reserve(self.items.len()))?;
        for number in 0..self.items.len() {
            left.push((gain_of(number, &seen)?, number));
        }
        let (mut sum, mut rank) = (0.0, 0);
        while let Some((gain, number)) = left.pop().filter(|_| self.k.is_none_or(|k| rank < k)) {
            // Gains only shrink, so the largest one that is still right is the largest of all.
            let now = gain_of(number, &seen)?;
            if now != gain {
                left.push((now, number));
                continue;
            }
            sum += discount(rank) * f64::from_bits(gain);
            rank += 1;
            for aspect in &self.aspects_of_items[self.items[number].1.clone()] {
                seen[*aspect] += 1;
            }
        }
        Ok(sum)
    }
}

/// The numbers below `count`, sorted by `compare`.
fn sorted(count: usize, compare: Compare) -> Result<Vec<usize>, Error> {
    let mut order = ItemOrder::default();
    order.write(count, compare)?;
    Ok(order.retrieved)
}
