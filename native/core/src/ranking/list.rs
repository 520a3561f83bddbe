//! The buffer of one ranking: the ranks and relevances that were read, and the values that several metrics use.

use std::ops::{Deref, DerefMut};

use crate::error::{Error, bail};
use crate::memory::{Grow, lengthen};
use crate::needs::AllNeeds;
use crate::options::Options;
use crate::options::choices::{Ideal, Unjudged};
use crate::ranking::as_f64;
use crate::ranking::discount::Discounts;
use crate::ranking::small_sort::{SMALL_LIST, sort_descending};
use crate::ranking::ties::TiedBlock;
use crate::settings::Settings;

/// The largest k with `idcg=k`, which sums the discounts of all ranks down to k.
const MAX_IDEAL: usize = 1_000_000;

/// One ranking as read from a row, and the values that its metrics share. Reused for the next row for its buffers.
#[derive(Default)]
pub struct RankedList {
    /// The rank of each judged item in the ranking, from 0 and ascending; values from `match_count` on are spare.
    pub ranks: Vec<usize>,
    /// How many judged items are in the ranking.
    pub match_count: usize,
    /// The relevance of each of these items; may be empty if all are 1.
    pub rels: Vec<f64>,
    /// How many items were retrieved, judged or not, before any cutoff.
    pub retrieved: usize,
    /// The end of each block of equal scores, single items included; empty unless the order of tied items matters.
    pub blocks: Vec<BlockEnd>,
    /// How many items are above the first of these blocks whose items differ in relevance; 0 if every block matters.
    pub items_above_first_mixed_block: usize,
    /// How many items there are down to the last one of each score, ascending. Written for `ap_steps=threshold` only. A
    /// reader may leave it empty if all scores differ.
    pub score_group_ends: Vec<usize>,
    /// The relevances of all judged items.
    pub truth: Truth,
    /// The rank of each relevant item, from 0 and ascending; empty if `every_match_is_a_hit`: `ranks` are the same.
    pub(super) hits: PerRow<Vec<usize>>,
    /// Whether every judged item in the ranking is known to be relevant, because all have relevance 1.
    pub(super) every_match_is_a_hit: bool,
    /// How many judged items are relevant, retrieved or not.
    pub(super) relevant: usize,
    /// At index n, sums over the first n hits; written if metrics need them.
    pub(super) hit_sums: PerRow<Vec<HitPrefixSums>>,
    /// The gain of each judged item in the ranking; not written if all have the same gain and no items are tied.
    pub(super) gains: PerRow<Vec<f64>>,
    /// The gain of each judged item, if all have relevance 1; 0 if there are none.
    pub(super) gain_of_one: f64,
    /// The gain of an item that is not judged.
    pub(super) unjudged_gain: f64,
    /// The greatest gains of judged items, descending, to the deepest cutoff; not written if all have relevance 1.
    pub ideal: PerRow<Vec<f64>>,
    /// The blocks of equal scores with their totals; written if there are `blocks`.
    pub(super) tied: PerRow<Vec<TiedBlock>>,
    /// The discounts of the first ranks, kept from row to row.
    pub(super) discounts: Discounts,
    /// The needs for which there is room.
    needs: AllNeeds,
    /// How many retrieved or judged items there is room for.
    room: usize,
    /// How many judged items there is room for in the buffers that [`RankedList::prepare`] writes.
    room_shared: usize,
    /// At index n, the discounted gain of the first n judged items in the ranking, beyond the gain that each would have
    /// unjudged. If all judged items have relevance 1, the sum of their discounts alone.
    pub(super) discounted: PerRow<Vec<f64>>,
    /// At index n, the discounted gain of the first n of the `ideal` gains; written like these.
    pub(super) ideal_discounted: PerRow<Vec<f64>>,
}

/// A buffer that is reused from row to row for its allocation.
///
/// It must be written for the current row before it is read, because a value of an earlier row would be a wrong result.
/// Debug builds panic otherwise.
#[derive(Default)]
pub struct PerRow<T> {
    value: T,
    /// Whether it was written for the current row.
    #[cfg(debug_assertions)]
    is_written: bool,
}

impl<T> PerRow<T> {
    /// The buffer, to be written for the current row. It may hold values of an earlier one.
    #[inline(always)]
    pub fn rewrite(&mut self) -> &mut T {
        #[cfg(debug_assertions)]
        {
            self.is_written = true;
        }
        &mut self.value
    }

    /// The buffer, to make room in. It must not be read.
    fn spare(&mut self) -> &mut T {
        &mut self.value
    }

    /// Begins a new row, for which the buffer is not written yet.
    #[inline(always)]
    fn forget(&mut self) {
        #[cfg(debug_assertions)]
        {
            self.is_written = false;
        }
    }
}

impl<T> Deref for PerRow<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        #[cfg(debug_assertions)]
        assert!(self.is_written, "a buffer is read that was not written for this row");
        &self.value
    }
}

impl<T> DerefMut for PerRow<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        #[cfg(debug_assertions)]
        assert!(self.is_written, "a buffer is changed that was not written for this row");
        &mut self.value
    }
}

/// Sums over the first hits of a ranking, computed once for all cutoffs.
#[derive(Clone, Copy, Debug, Default)]
pub struct HitPrefixSums {
    /// The sum of the precisions at the ranks of the hits.
    pub precision_sum: f64,
    /// The sum of the ranks of the hits, counted from 0.
    pub rank_sum: usize,
}

/// The end of a block of tied items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockEnd {
    /// How many items there are from the top of the ranking to the end of the block.
    pub end: usize,
    /// How many of these items are judged.
    pub judged: usize,
}

/// A cache key for rankings that are binary, which means that all judged items have relevance 1, and that have at most
/// one judged item in them. With the same settings, rankings with equal keys have equal values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ValueKey {
    retrieved: usize,
    judged: usize,
    /// The rank of the judged item in the ranking, counted from 0; `None` if there is none.
    rank: Option<usize>,
}

impl ValueKey {
    /// A hash that spreads keys of nearby ranks and similar numbers of judged items. `retrieved` takes no part.
    #[inline]
    pub fn hash(&self) -> usize {
        self.rank.map_or(0, |rank| rank + 1).wrapping_add(self.judged.wrapping_mul(37))
    }
}

/// The relevances of all judged items, retrieved or not.
#[derive(Debug)]
pub enum Truth {
    /// The number of judged items, all of relevance 1.
    Ones(usize),
    /// The relevance of each judged item, in no order.
    Rels(Vec<f64>),
    /// The numbers of judged and of relevant items; the reader writes their greatest gains to `RankedList::ideal`.
    Counted { judged: usize, relevant: usize },
}

impl Default for Truth {
    fn default() -> Self {
        Self::Ones(0)
    }
}

impl Truth {
    /// Becomes an empty list of relevances, and returns it to be filled.
    pub fn clear(&mut self) -> &mut Vec<f64> {
        if !matches!(self, Self::Rels(_)) {
            *self = Self::Rels(Vec::new());
        }
        let Self::Rels(rels) = self else { unreachable!("made above") };
        rels.clear();
        rels
    }

    /// Adds a judged item, for which there must be room; relevance 1 if items are only counted.
    #[inline]
    pub fn push(&mut self, rel: f64) {
        match self {
            Self::Ones(count) => *count += 1,
            Self::Rels(rels) => rels.push(rel),
            Self::Counted { .. } => unreachable!("nothing is added to a count"),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Ones(count) => *count,
            Self::Rels(rels) => rels.len(),
            Self::Counted { judged, .. } => *judged,
        }
    }

    pub fn is_judged(&self) -> bool {
        self.len() > 0
    }
}

impl RankedList {
    /// Removes the ranking of the last row; `truth` is left for the reader to overwrite.
    pub fn clear(&mut self) {
        self.match_count = 0;
        self.rels.clear();
        self.blocks.clear();
        self.score_group_ends.clear();
        self.retrieved = 0;
        let Self { hits, hit_sums, gains, ideal, tied, discounted, ideal_discounted, .. } = self;
        hits.forget();
        hit_sums.forget();
        tied.forget();
        gains.forget();
        ideal.forget();
        discounted.forget();
        ideal_discounted.forget();
    }

    /// Appends a judged item at `rank`, counted from 0 and greater than the rank before. There must be room for it.
    pub fn push(&mut self, rank: usize, rel: f64) {
        if self.ranks.len() == self.match_count {
            self.ranks.push(0);
        }
        self.ranks[self.match_count] = rank;
        self.match_count += 1;
        self.rels.push(rel);
    }

    /// Becomes the ranking `other`, but for the item at `rank`, counted from 0 and at most the number of retrieved items: in
    /// its place, or after all others, is a judged item of relevance `rel`. `truth` is left for the caller to overwrite.
    /// `score_ends` has the number of items down to the last one of each score, if expected values are needed.
    pub fn replace_item(
        &mut self,
        other: &Self,
        (rank, rel): (usize, f64),
        score_ends: &[usize],
    ) -> Result<(), Error> {
        self.clear();
        self.retrieved = other.retrieved.max(rank + 1);
        self.make_room(other.match_count + 1)?;
        let rel_of = |index| other.rels.get(index).copied().unwrap_or(1.0);
        let mut others = (0..).zip(other.ranks()).filter(|(_, at)| **at != rank).peekable();
        while let Some((index, at)) = others.next_if(|(_, at)| **at < rank) {
            self.push(*at, rel_of(index));
        }
        self.push(rank, rel);
        others.for_each(|(index, at)| self.push(*at, rel_of(index)));
        let is_added = self.retrieved > other.retrieved;
        let added = |ends: &[usize]| (is_added && !ends.is_empty()).then_some(rank + 1);
        let level_ends = &other.score_group_ends;
        self.score_group_ends.make_room(level_ends.len() + 1)?;
        self.score_group_ends.extend(level_ends.iter().copied().chain(added(level_ends)));
        // Every block may have become one whose items differ in relevance.
        self.items_above_first_mixed_block = 0;
        let Self { ranks, match_count, blocks, .. } = self;
        let judged = |end| ranks[..*match_count].partition_point(|at| *at < end);
        let ends = score_ends.iter().copied().chain(added(score_ends));
        blocks.make_room(score_ends.len() + 1)?;
        blocks.extend(ends.map(|end| BlockEnd { end, judged: judged(end) }));
        Ok(())
    }

    /// Makes room for this many judged items in total: [`RankedList::push`] has no error to return if memory runs out.
    #[inline]
    pub fn make_room(&mut self, match_count: usize) -> Result<(), Error> {
        self.ranks.make_room(match_count.saturating_sub(self.ranks.len()))?;
        self.rels.make_room(match_count.saturating_sub(self.rels.len()))
    }

    /// Lengthens `ranks` so that this many can be written by index; they count once `match_count` says so.
    #[inline]
    pub fn lengthen_ranks(&mut self, match_count: usize) -> Result<(), Error> {
        if self.ranks.len() < match_count {
            return lengthen(&mut self.ranks, match_count);
        }
        Ok(())
    }

    /// The rank of each judged item in the ranking, counted from 0 and ascending.
    pub fn ranks(&self) -> &[usize] {
        &self.ranks[..self.match_count]
    }

    /// Makes room for reading a ranking of at most `items` retrieved and at most `items` judged items.
    pub fn make_room_for(&mut self, items: usize, settings: &Settings) -> Result<(), Error> {
        // Several measures of one call differ in their needs.
        if self.needs != settings.needs {
            (self.needs, self.room, self.room_shared) = (settings.needs, 0, 0);
        }
        // Options, on which `levels` depends, may change while `room` suffices.
        if settings.order().levels {
            make_room(&mut self.score_group_ends, items)?;
        }
        if items <= self.room {
            return Ok(());
        }
        self.make_room(items)?;
        make_room(&mut self.blocks, items)?;
        if settings.needs.gains {
            make_room(self.ideal.spare(), items)?;
        }
        self.room = items;
        Ok(())
    }

    /// Makes room for the values that metrics with these `needs` share, for `items` judged items.
    #[cold]
    #[inline(never)]
    fn make_room_to_share(&mut self, items: usize, needs: AllNeeds) -> Result<(), Error> {
        if needs.hits {
            make_room(self.hits.spare(), items)?;
        }
        if needs.hit_sums {
            make_room(self.hit_sums.spare(), items + 1)?;
        }
        if needs.gains {
            make_room(self.gains.spare(), items)?;
            make_room(self.ideal.spare(), items)?;
            make_room(self.discounted.spare(), items + 1)?;
            make_room(self.ideal_discounted.spare(), items + 1)?;
        }
        self.room_shared = items;
        Ok(())
    }

    /// The cache key of the values; `None` unless truth is binary, `match_count` is 1 at most, and no ties matter.
    #[inline(always)]
    pub fn value_key(&self) -> Option<ValueKey> {
        let (Truth::Ones(judged), true) = (&self.truth, self.match_count < 2 && self.blocks.is_empty())
        else {
            return None;
        };
        Some(ValueKey { retrieved: self.retrieved, judged: *judged, rank: self.ranks().first().copied() })
    }

    /// Computes the values that the metrics of a call share at all cutoffs, as far as `settings.needs` asks for them.
    #[inline(always)]
    pub fn prepare(&mut self, settings: &Settings) -> Result<(), Error> {
        let Settings { options, needs, .. } = settings;
        if options.unjudged == Unjudged::Skip {
            self.leave_out_unjudged();
        }
        let graded_count = match &self.truth {
            Truth::Rels(rels) => rels.len(),
            Truth::Counted { .. } => self.ideal.len(),
            Truth::Ones(_) => 0,
        };
        if self.match_count.max(graded_count) > self.room_shared {
            self.make_room_to_share(self.match_count.max(graded_count), *needs)?;
        }
        if needs.hits {
            self.collect_hits(options);
        } else {
            // A view at a cutoff reads `hits` in any case.
            (self.every_match_is_a_hit, self.relevant) = (false, 0);
            self.hits.rewrite().clear();
        }
        if needs.hit_sums {
            self.sum_hits();
        }
        if needs.gains {
            self.compute_gains(settings)?;
        }
        if !self.blocks.is_empty() {
            self.compute_ties(*needs, options)?;
        }
        Ok(())
    }

    /// Leaves out the retrieved items that are not judged, so that those below them move up. The ranking must have been read
    /// whole.
    fn leave_out_unjudged(&mut self) {
        let Self { ranks, match_count, rels, blocks, score_group_ends, .. } = self;
        let ranks = &mut ranks[..*match_count];
        keep_ends(score_group_ends, ranks);
        for block in &mut *blocks {
            block.end = block.judged;
        }
        blocks.retain(|block| block.end > 0);
        blocks.dedup_by_key(|block| block.end);
        let start_of = |index: usize| index.checked_sub(1).map_or(0, |before: usize| blocks[before].end);
        let is_mixed = |index: usize| {
            let rels = &rels[start_of(index)..blocks[index].end];
            rels.iter().any(|rel| *rel != rels[0])
        };
        match (0..blocks.len()).find(|index| is_mixed(*index)) {
            Some(first) => self.items_above_first_mixed_block = start_of(first),
            None => blocks.clear(),
        }
        (0..).zip(ranks).for_each(|(place, rank)| *rank = place);
        self.retrieved = *match_count;
    }

    /// Writes `hits` and `relevant`, for metrics that read the relevant items.
    #[inline(always)]
    fn collect_hits(&mut self, options: &Options) {
        match &self.truth {
            Truth::Ones(count) => {
                self.every_match_is_a_hit = options.is_relevant(1.0);
                self.relevant = if self.every_match_is_a_hit { *count } else { 0 };
                self.hits.rewrite().clear();
            }
            truth => {
                self.every_match_is_a_hit = false;
                self.relevant = match truth {
                    Truth::Rels(rels) => rels.iter().filter(|rel| options.is_relevant(**rel)).count(),
                    Truth::Counted { relevant, .. } => *relevant,
                    Truth::Ones(_) => unreachable!("the other arm"),
                };
                let matches = self.ranks[..self.match_count].iter().zip(&self.rels);
                let hits = self.hits.rewrite();
                hits.clear();
                hits.extend(matches.filter(|(_, rel)| options.is_relevant(**rel)).map(|(rank, _)| rank));
            }
        }
    }

    /// Writes `hit_sums`, for metrics that sum over the hits above a cutoff.
    #[inline(always)]
    fn sum_hits(&mut self) {
        let hits = if self.every_match_is_a_hit { &self.ranks[..self.match_count] } else { &self.hits[..] };
        let mut sums = HitPrefixSums::default();
        let add = |(before, rank): (usize, &usize)| {
            sums.precision_sum += as_f64(before + 1) / as_f64(rank + 1);
            sums.rank_sum += rank;
            sums
        };
        let hit_sums = self.hit_sums.rewrite();
        hit_sums.clear();
        hit_sums.push(HitPrefixSums::default());
        hit_sums.extend(hits.iter().enumerate().map(add));
    }

    /// Writes gains, ideal gains, discounts and discounted gains, down to the deepest cutoff.
    #[inline(always)]
    fn compute_gains(&mut self, settings: &Settings) -> Result<(), Error> {
        let Settings { options, ks, deepest, .. } = settings;
        self.unjudged_gain = settings.unjudged_gain;
        match &self.truth {
            Truth::Ones(count) => {
                self.gain_of_one = if *count == 0 { 0.0 } else { settings.gain_of_one.clone()? };
                if !self.blocks.is_empty() {
                    let gains = self.gains.rewrite();
                    gains.clear();
                    gains.resize(self.match_count, self.gain_of_one);
                }
            }
            truth => {
                if let Truth::Rels(rels) = truth {
                    options.gains(rels, self.ideal.rewrite())?;
                }
                options.gains(&self.rels, self.gains.rewrite())?;
                sort_best(&mut self.ideal, *deepest);
            }
        }
        let longest = self.retrieved.max(self.truth.len());
        let mut ranks = deepest.map_or(longest, |deepest| deepest.min(longest));
        if options.ideal == Ideal::K {
            ranks = ks.iter().map(|k| k.unwrap_or(self.retrieved)).fold(ranks, usize::max);
            if ranks > MAX_IDEAL {
                bail!("k" => "k must be at most {MAX_IDEAL} if the ideal order has k items, got {ranks}");
            }
        }
        self.discounts.provide(options.discount, ranks)?;
        self.sum_gains(ranks);
        Ok(())
    }

    /// Writes `discounted` and `ideal_discounted`, sums over the first `ranks` ranks, for metrics that sum gains.
    #[inline(always)]
    fn sum_gains(&mut self, ranks: usize) {
        let Self { discounts, unjudged_gain, gains, .. } = self;
        let discounted = self.discounted.rewrite();
        let match_ranks = top(&self.ranks[..self.match_count], ranks);
        let mut sum = 0.0;
        let mut add = |discounted: f64| {
            sum += discounted;
            sum
        };
        discounted.clear();
        discounted.push(0.0);
        if let Truth::Ones(_) = self.truth {
            discounted.extend(match_ranks.iter().map(|rank| add(discounts.at(*rank))));
        } else {
            let beyond_unjudged =
                |(rank, gain): (&usize, &f64)| add((gain - *unjudged_gain) * discounts.at(*rank));
            discounted.extend(match_ranks.iter().zip(gains.iter()).map(beyond_unjudged));
            let mut ideal_sum = 0.0;
            let ideal = self.ideal.iter().take(ranks).enumerate().map(|(above, gain)| {
                ideal_sum += gain * discounts.at(above);
                ideal_sum
            });
            let ideal_discounted = self.ideal_discounted.rewrite();
            ideal_discounted.clear();
            ideal_discounted.push(0.0);
            ideal_discounted.extend(ideal);
        }
    }

    /// Writes `tied` from `blocks`, for expected values over the orders of tied items.
    #[inline(never)]
    fn compute_ties(&mut self, needs: AllNeeds, options: &Options) -> Result<(), Error> {
        let tied = self.tied.rewrite();
        tied.clear();
        tied.make_room(self.blocks.len())?;
        let (mut above, mut judged, mut hits_above) = (0, 0, 0);
        for block in &self.blocks {
            let matches = judged..block.judged;
            let size = block.end - above;
            let hits = self.rels[matches.clone()].iter().filter(|rel| options.is_relevant(**rel)).count();
            let mut gain = 0.0;
            if needs.gains {
                let match_gain: f64 = self.gains[matches.clone()].iter().sum();
                gain = match_gain + (size - matches.len()) as f64 * self.unjudged_gain;
            }
            tied.push(TiedBlock { above, size, shown: size, hits, hits_above, gain });
            (above, judged, hits_above) = (block.end, block.judged, hits_above + hits);
        }
        Ok(())
    }
}

/// Changes `ends`, each a number of items from the top of a ranking, to those of the ranking that has the items at `ranks`
/// alone, which count from 0 and ascend. Each end is kept once.
pub(super) fn keep_ends(ends: &mut Vec<usize>, ranks: &[usize]) {
    for end in &mut *ends {
        *end = ranks.partition_point(|rank| *rank < *end);
    }
    ends.dedup();
    if ends.first() == Some(&0) {
        ends.remove(0);
    }
}

/// Makes room for `length` values in total.
fn make_room<T>(values: &mut Vec<T>, length: usize) -> Result<(), Error> {
    values.make_room(length.saturating_sub(values.len()))
}

/// Sorts the greatest gains to the front, descending, as many as cutoff `deepest` can show.
fn sort_best(gains: &mut [f64], deepest: Option<usize>) {
    let shown = deepest.map_or(gains.len(), |deepest| deepest.min(gains.len()));
    // Sorting a short list whole costs less than selecting from it.
    if shown < gains.len() / 2 && gains.len() > SMALL_LIST {
        gains.select_nth_unstable_by(shown, |one, other| other.total_cmp(one));
        sort_descending(&mut gains[..shown]);
    } else {
        sort_descending(gains);
    }
}

/// The ranks above cutoff `depth`: a prefix of `ranks`, which count from 0 and ascend.
pub(super) fn top(ranks: &[usize], depth: usize) -> &[usize] {
    match ranks.last() {
        Some(last) if *last >= depth => &ranks[..ranks.partition_point(|rank| *rank < depth)],
        _ => ranks,
    }
}
