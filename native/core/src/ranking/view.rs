//! The view of one ranking at a cutoff, from which a metric computes its value.

use std::iter::repeat_n;
use std::ops::Range;
use std::slice;

use crate::options::Options;
use crate::options::choices::Ideal;
use crate::ranking::as_f64;
use crate::ranking::list::{BlockEnd, HitPrefixSums, RankedList, Truth, top};
use crate::ranking::ties::TiedBlock;

/// One ranking cut at k, and its judgements.
pub struct RankingAtK<'a> {
    list: &'a RankedList,
    k: Option<usize>,
    /// How many retrieved items are above the cutoff.
    depth: usize,
    /// The rank of each judged item above the cutoff, counted from 0 and ascending.
    match_ranks: &'a [usize],
    /// The rank of each relevant item above the cutoff, counted from 0 and ascending.
    hits: &'a [usize],
}

impl<'a> RankingAtK<'a> {
    /// The ranking cut at k, which must be at most the deepest cutoff that the list was prepared for.
    #[inline(always)]
    pub fn new(list: &'a RankedList, k: Option<usize>) -> Self {
        let depth = k.map_or(list.retrieved, |k| k.min(list.retrieved));
        let match_ranks = top(list.ranks(), depth);
        let hits = if list.every_match_is_a_hit { match_ranks } else { top(&list.hits, depth) };
        Self { list, k, depth, match_ranks, hits }
    }

    /// The same ranking cut at another k.
    pub fn at(&self, k: usize) -> Self {
        Self::new(self.list, Some(k))
    }

    /// How many retrieved items are above the cutoff: k, or fewer if fewer were retrieved.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// How many items were retrieved, above the cutoff and below it.
    pub fn retrieved(&self) -> usize {
        self.list.retrieved
    }

    /// k; `None` for the whole list.
    pub fn cutoff(&self) -> Option<usize> {
        self.k
    }

    /// k, or the number of retrieved items if there is no cutoff.
    pub fn places(&self) -> usize {
        self.k.unwrap_or(self.depth)
    }

    /// How many judged items are relevant, retrieved or not.
    pub fn relevant(&self) -> usize {
        self.list.relevant
    }

    /// The largest number of relevant items that the top k could have: the relevant items, k at most.
    pub fn findable(&self) -> usize {
        self.k.map_or(self.list.relevant, |k| k.min(self.list.relevant))
    }

    /// The rank of each relevant item in the top k, counted from 0 and ascending. If [`RankingAtK::ties`] returns
    /// blocks, these ranks are those of one order of the tied items.
    #[inline]
    pub fn hits(&self) -> &'a [usize] {
        self.hits
    }

    /// How many of [`RankingAtK::hits`] are among the first `items` items.
    pub fn hits_to(&self, items: usize) -> usize {
        self.hits.partition_point(|above| *above < items)
    }

    /// How many items there are down to the last one of each score that the top k shows; the last of these may be below
    /// the cutoff. May be empty if all scores differ.
    #[inline]
    pub fn levels(&self) -> &'a [usize] {
        let levels = &self.list.score_group_ends;
        let count = levels.partition_point(|end| *end < self.depth) + 1;
        &levels[..count.min(levels.len())]
    }

    /// Sums over these hits, for rankings in which [`RankingAtK::ties`] is `None`.
    #[inline(always)]
    pub fn hit_sums(&self) -> HitPrefixSums {
        self.list.hit_sums[self.hits.len()]
    }

    /// The number of relevant items in the top k; if ties matter, its expected value.
    #[inline(always)]
    pub fn hit_count(&self) -> f64 {
        match self.ties() {
            None => as_f64(self.hits.len()),
            Some(ties) => ties.map(|block| block.expected_hits()).sum(),
        }
    }

    /// The blocks of equal scores down to the cutoff, best first, single items included. `None` if no expected values
    /// are needed: ties are broken, or no tied items above the cutoff differ in relevance. Items below the cutoff
    /// change nothing, not even how sums are rounded.
    #[inline(always)]
    pub fn ties(&self) -> Option<impl Iterator<Item = TiedBlock> + 'a> {
        let (list, depth) = (self.list, self.depth);
        (!list.blocks.is_empty() && list.items_above_first_mixed_block < depth).then(|| {
            let blocks = list.tied.iter().take_while(move |block| block.above < depth);
            blocks.map(move |block| TiedBlock { shown: block.size.min(depth - block.above), ..*block })
        })
    }

    /// The same blocks, each with the indexes of its judged items among those of the ranking.
    fn tied_matches(&self) -> Option<impl Iterator<Item = (TiedBlock, Range<usize>)> + 'a> {
        let blocks = &self.list.blocks;
        let mut from = 0;
        self.ties().map(|ties| {
            let judged = move |block: &BlockEnd| std::mem::replace(&mut from, block.judged)..block.judged;
            ties.zip(blocks.iter().map(judged))
        })
    }

    /// The same blocks, each with the gains of its judged items.
    pub fn tied_gains(&self) -> Option<impl Iterator<Item = (TiedBlock, &'a [f64])>> {
        let gains = &self.list.gains;
        self.tied_matches().map(|ties| ties.map(|(block, judged)| (block, &gains[judged])))
    }

    /// The same blocks, each with the ranks of its judged items, in the order of their gains and relevances.
    pub fn tied_ranks(&self) -> Option<impl Iterator<Item = (TiedBlock, &'a [usize])>> {
        let ranks = self.list.ranks();
        self.tied_matches().map(|ties| ties.map(|(block, judged)| (block, &ranks[judged])))
    }

    /// The same blocks, each with the relevances of its judged items, which [`RankingAtK::blocks`] has in this order.
    pub fn tied_rels(&self) -> Option<impl Iterator<Item = (TiedBlock, &'a [f64])>> {
        self.ties().map(|ties| ties.zip(self.blocks().map(|block| block.rels)))
    }

    /// The rank of each judged item in the top k, counted from 0 and ascending, and its relevance.
    pub fn match_rels(&self) -> impl Iterator<Item = (usize, f64)> {
        let RankedList { truth, rels, .. } = self.list;
        self.match_ranks.iter().enumerate().map(move |(index, rank)| match truth {
            Truth::Ones(_) => (*rank, 1.0),
            _ => (*rank, rels[index]),
        })
    }

    /// The rank of each judged item in the top k, counted from 0 and ascending, and its gain.
    pub fn match_gains(&self) -> impl Iterator<Item = (usize, f64)> {
        let RankedList { truth, gains, gain_of_one, .. } = self.list;
        self.match_ranks.iter().enumerate().map(move |(index, rank)| match truth {
            Truth::Ones(_) => (*rank, *gain_of_one),
            _ => (*rank, gains[index]),
        })
    }

    /// Calls `visit` with each block of hits that the top k may show, best first, and with the ranks of its hits, counted
    /// from 0. A hit is a block of its own unless ties matter. The ranks in a block are those of one order of its items.
    pub fn each_hit_block(&self, mut visit: impl FnMut(&TiedBlock, &'a [usize])) {
        let list = self.list;
        let Some(ties) = self.ties() else {
            let single = |(above, rank): (usize, &'a usize)| {
                visit(&TiedBlock::of_one_hit(*rank, above), slice::from_ref(rank));
            };
            return self.hits.iter().enumerate().for_each(single);
        };
        let hits = if list.every_match_is_a_hit { list.ranks() } else { &list.hits[..] };
        ties.filter(|block| block.hits > 0)
            .for_each(|block| visit(&block, &hits[block.hits_above..][..block.hits]));
    }

    /// Calls `visit` with the items of each score that the top k shows, as a block that ends at the cutoff, and with the
    /// ranks of its hits, counted from 0. For rankings in which [`RankingAtK::ties`] is `None`.
    pub fn each_level(&self, mut visit: impl FnMut(&TiedBlock, &'a [usize])) {
        let (mut above, mut hits_above) = (0, 0);
        for end in self.levels() {
            let end = self.depth.min(*end);
            let hits = &self.hits[hits_above..self.hits_to(end)];
            let size = end - above;
            visit(&TiedBlock { above, size, shown: size, hits: hits.len(), hits_above, gain: 0.0 }, hits);
            (above, hits_above) = (end, hits_above + hits.len());
        }
    }

    /// Calls `visit` with each block of judged items that the top k may show, best first, and with the number of its judged
    /// items, above the cutoff or not. An item is a block of its own unless ties matter.
    pub fn each_judged_block(&self, options: &Options, mut visit: impl FnMut(&TiedBlock, usize)) {
        let Some(ties) = self.tied_rels() else {
            let mut hits_above = 0;
            return self.match_rels().for_each(|(above, rel)| {
                let hits = usize::from(options.is_relevant(rel));
                visit(&TiedBlock { hits, ..TiedBlock::of_one_hit(above, hits_above) }, 1);
                hits_above += hits;
            });
        };
        ties.for_each(|(block, rels)| visit(&block, rels.len()));
    }

    /// Calls `visit` with each item that the top k may show, best first: its block, which is the item alone unless ties
    /// matter, its rank in one order of the tied items, counted from 0, and its index among the judged items of the
    /// ranking.
    fn each_item(&self, mut visit: impl FnMut(&TiedBlock, usize, Option<usize>)) {
        let mut matches = self.list.ranks().iter().enumerate().peekable();
        let mut in_block = |block: TiedBlock| {
            for rank in block.above..block.above + block.size {
                visit(&block, rank, matches.next_if(|(_, at)| **at == rank).map(|(index, _)| index));
            }
        };
        match self.ties() {
            Some(ties) => ties.for_each(in_block),
            None => (0..self.depth).for_each(|rank| in_block(TiedBlock::of_one_hit(rank, 0))),
        }
    }

    /// The same with the relevance of each item; `None` if it is not judged.
    pub fn each_rel(&self, mut visit: impl FnMut(&TiedBlock, usize, Option<f64>)) {
        let RankedList { truth, rels, .. } = self.list;
        let rel = |index: usize| if let Truth::Ones(_) = truth { 1.0 } else { rels[index] };
        self.each_item(|block, rank, judged| visit(block, rank, judged.map(rel)));
    }

    /// The same with the gain of each item.
    pub fn each_gain(&self, mut visit: impl FnMut(&TiedBlock, usize, f64)) {
        let RankedList { truth, gains, gain_of_one, unjudged_gain, .. } = self.list;
        let gain = |index: usize| if let Truth::Ones(_) = truth { *gain_of_one } else { gains[index] };
        self.each_item(|block, rank, judged| visit(block, rank, judged.map_or(*unjudged_gain, gain)));
    }

    /// How many items the top k may show: those above the cutoff, and all that are tied with one of them if ties matter.
    pub fn may_show(&self) -> usize {
        self.ties().and_then(Iterator::last).map_or(self.depth, |block| block.above + block.size)
    }

    /// The discount of the item at `rank`, counted from 0; 0 below the cutoff.
    pub fn discount(&self, rank: usize) -> f64 {
        if rank < self.depth { self.list.discounts.at(rank) } else { 0.0 }
    }

    /// The mean discount of an item of a block, which is 0 below the cutoff.
    pub fn mean_discount(&self, block: &TiedBlock) -> f64 {
        let discount = self.list.discounts.sum_between(block.above, block.above + block.shown);
        discount / block.size as f64
    }

    /// The sum of the gains of the top k; if ties matter, its expected value.
    pub fn gain(&self) -> f64 {
        if let Some(ties) = self.ties() {
            return ties.map(|block| block.mean_gain() * block.shown as f64).sum();
        }
        let match_count = self.match_ranks.len();
        let match_gain = match &self.list.truth {
            Truth::Ones(_) => self.list.gain_of_one * match_count as f64,
            _ => self.list.gains[..match_count].iter().sum(),
        };
        match_gain + self.list.unjudged_gain * (self.depth - match_count) as f64
    }

    /// The sum over the top k of each gain times the discount of its rank (DCG); if ties matter, its expected value.
    #[inline(always)]
    pub fn discounted_gain(&self) -> f64 {
        let RankedList { truth, gain_of_one, discounts, discounted, unjudged_gain, .. } = self.list;
        if let Some(ties) = self.ties() {
            let discount = |block: TiedBlock| discounts.sum_between(block.above, block.above + block.shown);
            return ties.map(|block| block.mean_gain() * discount(block)).sum();
        }
        let sum = discounted[self.match_ranks.len()];
        let beyond_unjudged =
            if let Truth::Ones(_) = truth { (gain_of_one - unjudged_gain) * sum } else { sum };
        let unjudged_gains =
            if *unjudged_gain == 0.0 { 0.0 } else { unjudged_gain * discounts.sum_to(self.depth) };
        beyond_unjudged + unjudged_gains
    }

    /// The discounted gain of the ideal ranking, which has all judged items by descending gain. Option `idcg` says how
    /// many of its ranks count; with `idcg=k` it has gain 1 at each rank down to k.
    #[inline(always)]
    pub fn ideal_gain(&self, options: &Options) -> f64 {
        let RankedList { ideal_discounted, gain_of_one, discounts, truth, .. } = self.list;
        let judged = truth.len();
        let ranks = match options.ideal {
            Ideal::Truth => self.k.map_or(judged, |k| k.min(judged)),
            Ideal::Retrieved => judged.min(self.depth),
            Ideal::K => return discounts.sum_to(self.places()),
        };
        match truth {
            Truth::Ones(_) => gain_of_one * discounts.sum_to(ranks),
            _ => ideal_discounted[ranks],
        }
    }

    /// The gains of the ideal ranking down to the cutoff.
    pub fn ideal_gains(&self) -> impl Iterator<Item = f64> {
        let RankedList { ideal, gain_of_one, truth, .. } = self.list;
        let (gains, ones): (&[f64], usize) = match truth {
            Truth::Ones(count) => (&[], *count),
            _ => (ideal, 0),
        };
        let gains = gains.iter().copied().chain(repeat_n(*gain_of_one, ones));
        gains.take(self.k.unwrap_or(usize::MAX))
    }

    /// Whether any judged item has a gain above 0.
    #[inline(always)]
    pub fn has_gains(&self) -> bool {
        match &self.list.truth {
            Truth::Ones(_) => self.list.gain_of_one > 0.0,
            _ => self.list.ideal.first().is_some_and(|gain| *gain > 0.0),
        }
    }

    /// The whole ranking as blocks of tied items, best first. If no tied items differ in relevance, a block is one
    /// judged item, or all unjudged items between two judged ones; such a block may be empty. Metrics that read these
    /// single blocks refuse truth without relevances, so the list has the relevance of each judged item.
    pub fn blocks(&self) -> impl Iterator<Item = TiedRels<'a>> {
        let RankedList { rels, blocks, retrieved, .. } = self.list;
        let ranks = self.list.ranks();
        let singles = if blocks.is_empty() { 0..ranks.len() + 1 } else { 0..0 };
        let singles = singles.flat_map(move |index| {
            let start = index.checked_sub(1).map_or(0, |before| ranks[before] + 1);
            let end = ranks.get(index).unwrap_or(retrieved);
            let judged = rels.get(index..=index).unwrap_or_default();
            [TiedRels { rels: &[], unjudged: end - start }, TiedRels { rels: judged, unjudged: 0 }]
        });
        let mut last = BlockEnd { end: 0, judged: 0 };
        let tied = blocks.iter().map(move |block| {
            let before = std::mem::replace(&mut last, *block);
            let rels = &rels[before.judged..block.judged];
            TiedRels { rels, unjudged: block.end - before.end - rels.len() }
        });
        singles.chain(tied)
    }

    /// How many retrieved items are not judged, above the cutoff and below it.
    pub fn unjudged(&self) -> usize {
        self.list.retrieved - self.list.match_count
    }

    /// How many items are judged, retrieved or not.
    pub fn judged(&self) -> usize {
        self.list.truth.len()
    }

    /// The relevances of all judged items, in no order. For metrics without k, whose truth is never [`Truth::Counted`].
    pub fn judged_rels(&self) -> impl Iterator<Item = f64> + 'a {
        let (rels, ones): (&[f64], usize) = match &self.list.truth {
            Truth::Rels(rels) => (rels, 0),
            Truth::Ones(count) => (&[], *count),
            Truth::Counted { .. } => unreachable!("a metric of levels takes no k"),
        };
        rels.iter().copied().chain(repeat_n(1.0, ones))
    }
}

/// The items of one block of tied items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TiedRels<'a> {
    /// The relevances of its judged items.
    pub rels: &'a [f64],
    /// How many of its items are not judged.
    pub unjudged: usize,
}
