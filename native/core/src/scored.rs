//! Rankings made from scores.

use crate::Error;
use crate::error::bail;
use crate::options::Ties;
use crate::order::{FEW, Greater};
use crate::ranking::{Block, Row};

/// The items of one ranking with their scores and relevances, in no order. Kept over rankings for its buffers.
#[derive(Default)]
pub struct Scored {
    scores: Vec<f64>,
    /// The relevances beside the scores.
    rels: Vec<f64>,
    keys: Vec<Key>,
}

/// A retrieved item as one number, by which items are sorted: the score, best first, then the relevance, or the place
/// in the list.
pub type Key = u128;

/// The relevance of an item without a judgement, next to the relevance 0 that it stands for.
const UNJUDGED: f64 = -0.0;

/// Maps numbers other than NaN to integers in the same order.
pub fn ordered(number: f64) -> u64 {
    let bits = number.to_bits();
    if number.is_sign_negative() { !bits } else { bits | 1 << 63 }
}

pub fn number(ordered: u64) -> f64 {
    f64::from_bits(if ordered >> 63 == 1 { ordered & !(1 << 63) } else { !ordered })
}

/// The key of an item; without a relevance, it is not judged.
#[inline]
pub fn key(score: f64, rel: Option<f64>, ties: Ties) -> Key {
    let rel = ordered(rel.map_or(UNJUDGED, |rel| rel + 0.0));
    let rel = if ties == Ties::Optimistic { !rel } else { rel };
    Key::from(!ordered(score)) << 64 | Key::from(rel)
}

/// The score in a key, the less the better.
#[inline]
pub fn score_of(key: Key) -> u64 {
    (key >> 64) as u64
}

/// The relevance in a key that was made for these ties.
#[allow(clippy::cast_possible_truncation)]
pub fn rel_of(key: Key, ties: Ties) -> f64 {
    number(if ties == Ties::Optimistic { !(key as u64) } else { key as u64 })
}

/// Which order a ranking is wanted in, and how much of it.
#[derive(Clone, Copy)]
pub struct Order {
    pub ties: Ties,
    /// The deepest cut.
    pub deepest: Option<usize>,
    /// Whether blocks of tied items matter also where the items of each are equally relevant.
    pub every_block: bool,
    /// Whether it matters where the items of each score end, whatever the order of tied items.
    pub levels: bool,
}

/// Whether this stands for no relevance at all.
pub fn is_unjudged(rel: f64) -> bool {
    rel.to_bits() == UNJUDGED.to_bits()
}

/// A score that can be compared.
#[inline]
pub fn check_score(argument: &str, score: f64) -> Result<f64, Error> {
    if score.is_nan() {
        bail!("{argument} must not be NaN, got NaN");
    }
    // Adding 0 makes 0 of -0, which equals it and must not come below it.
    Ok(score + 0.0)
}

impl Scored {
    /// Forgets the items of the last ranking.
    pub fn clear(&mut self) {
        self.scores.clear();
        self.rels.clear();
    }

    /// Adds a retrieved item; without a relevance, it is not judged.
    #[inline]
    pub fn push(&mut self, score: f64, rel: Option<f64>) {
        self.scores.push(score);
        self.rels.push(rel.map_or(UNJUDGED, |rel| rel + 0.0));
    }

    /// Adds retrieved items by their keys, which were made for these ties.
    pub fn extend(&mut self, keys: impl Iterator<Item = Key>, ties: Ties) {
        for key in keys {
            self.scores.push(number(!score_of(key)));
            self.rels.push(rel_of(key, ties));
        }
    }

    /// Sorts the items and writes the ranking down to the deepest cut to the row.
    ///
    /// The result does not depend on the order in which items were added, unless `ties` asks for it. Blocks of tied items are written where
    /// `ties` asks for expected values and their order matters.
    pub fn rank(&mut self, row: &mut Row, order: Order) {
        row.retrieved = self.scores.len();
        if !self.rank_few(row, order.deepest) {
            self.rank_many(row, order);
        }
    }

    /// Ranks a few items whose scores all differ; `false` where that is not so.
    fn rank_few(&self, row: &mut Row, deepest: Option<usize>) -> bool {
        let Some(better) = Greater::than(&self.scores).filter(Greater::are_different) else {
            return false;
        };
        let mut numbers = [0; FEW];
        for (number, above) in better.counts().enumerate() {
            numbers[above] = number;
        }
        let depth = deepest.map_or(self.scores.len(), |deepest| deepest.min(self.scores.len()));
        for (above, number) in numbers[..depth].iter().enumerate() {
            let rel = self.rels[*number];
            if !is_unjudged(rel) {
                row.push(above, rel);
            }
        }
        true
    }

    fn rank_many(&mut self, row: &mut Row, Order { ties, deepest, every_block, levels }: Order) {
        let Self { scores, rels, keys } = self;
        let key = |(place, score): (usize, &f64)| {
            let next = match ties {
                Ties::InputOrder => place as u64,
                Ties::Optimistic => !ordered(rels[place]),
                _ => ordered(rels[place]),
            };
            Key::from(!ordered(*score)) << 64 | Key::from(next)
        };
        #[allow(clippy::cast_possible_truncation)]
        let rel = |key: Key| match ties {
            Ties::InputOrder => rels[key as usize],
            Ties::Optimistic => number(!(key as u64)),
            _ => number(key as u64),
        };
        keys.clear();
        keys.extend(scores.iter().enumerate().map(key));
        let retrieved = keys;
        let depth = deepest.map_or(retrieved.len(), |deepest| deepest.min(retrieved.len()));
        let mut sorted = retrieved.len();
        // Sorting a short list whole costs less than selecting from it.
        if 0 < depth && depth < retrieved.len() / 2 {
            let (_, last, below) = retrieved.select_nth_unstable(depth - 1);
            let last = score_of(*last);
            sorted = depth;
            if ties == Ties::Average {
                // The block through which the cut goes is needed whole.
                sorted += partition(below, |key| score_of(key) == last);
            }
        }
        let ranked = &mut retrieved[..sorted];
        ranked.sort_unstable();
        // No item below the cut may decide how the ranking is evaluated: which of them are still here depends on the
        // order in which rows came.
        let shown = match depth.checked_sub(1).map(|last| score_of(ranked[last])) {
            Some(last) if ties == Ties::Average => ranked.partition_point(|key| score_of(*key) <= last),
            _ => depth,
        };
        let ranked = &ranked[..shown];

        for (above, key) in ranked.iter().enumerate() {
            let rel = rel(*key);
            if !is_unjudged(rel) {
                row.push(above, rel);
            }
        }
        let blocks = || ranked.chunk_by(|one, other| score_of(*one) == score_of(*other));
        if levels {
            row.levels.extend(blocks().scan(0, |end, block| {
                *end += block.len();
                Some(*end)
            }));
        }
        let mixed = |block: &[Key]| rel(block[0]) != rel(block[block.len() - 1]);
        if ties == Ties::Average && (every_block || blocks().any(mixed)) {
            let (mut end, mut judged) = (0, 0);
            for block in blocks() {
                end += block.len();
                judged += block.iter().filter(|key| !is_unjudged(rel(**key))).count();
                row.blocks.push(Block { end, judged });
            }
        }
    }
}

/// Moves the items that are `wanted` to the front and returns how many there are.
fn partition(items: &mut [Key], wanted: impl Fn(Key) -> bool) -> usize {
    let mut count = 0;
    for index in 0..items.len() {
        if wanted(items[index]) {
            items.swap(count, index);
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(items: &[(f64, Option<f64>)], ties: Ties, deepest: Option<usize>) -> Row {
        let (mut scored, mut row) = (Scored::default(), Row::default());
        for (score, rel) in items {
            scored.push(check_score("scores", *score).unwrap(), *rel);
        }
        scored.rank(&mut row, Order { ties, deepest, every_block: false, levels: false });
        row
    }

    #[test]
    fn numbers_keep_their_order() {
        let numbers = [f64::NEG_INFINITY, -2.5, -1e-300, 0.0, 1e-300, 1.0, f64::INFINITY];
        assert!(numbers.is_sorted_by_key(|number| ordered(*number)));
        assert!(numbers.iter().all(|one| number(ordered(*one)) == *one));
    }

    #[test]
    fn scores_order_the_items_and_ties_order_equal_scores() {
        let items = [(1.0, Some(2.0)), (3.0, None), (0.0, Some(5.0)), (-0.0, Some(4.0)), (3.0, Some(1.0))];
        let row = rank(&items, Ties::Pessimistic, None);
        assert_eq!((row.above(), &row.rels[..]), (&[1, 2, 3, 4][..], &[1.0, 2.0, 4.0, 5.0][..]));
        let row = rank(&items, Ties::Optimistic, None);
        assert_eq!((row.above(), &row.rels[..]), (&[0, 2, 3, 4][..], &[1.0, 2.0, 5.0, 4.0][..]));
        assert_eq!((row.retrieved, row.blocks.len()), (5, 0));
        let row = rank(&items, Ties::InputOrder, None);
        assert_eq!((row.above(), &row.rels[..]), (&[1, 2, 3, 4][..], &[1.0, 2.0, 5.0, 4.0][..]));
    }

    #[test]
    fn the_block_at_the_cut_is_whole() {
        let mut items = vec![(9.0, Some(1.0))];
        items.extend([(5.0, Some(0.0)), (5.0, Some(3.0)), (5.0, None)]);
        items.extend((0..20).map(|index| (-f64::from(index), Some(1.0))));
        for _ in 0..items.len() {
            items.rotate_left(1);
            let row = rank(&items, Ties::Average, Some(2));
            assert_eq!(row.blocks, [Block { end: 1, judged: 1 }, Block { end: 4, judged: 3 }]);
            assert_eq!((&row.rels[..], row.retrieved), (&[1.0, 0.0, 3.0][..], 24));
        }
    }

    #[test]
    fn scores_that_differ_in_their_last_bits_only_are_no_ties() {
        let next = f64::from_bits(1_f64.to_bits() + 1);
        let row = rank(&[(1.0, Some(2.0)), (next, Some(3.0)), (0.5, None)], Ties::Average, None);
        assert_eq!((row.above(), &row.rels[..], row.blocks.len()), (&[0, 1][..], &[3.0, 2.0][..], 0));
    }

    #[test]
    fn ties_of_equal_relevance_need_no_blocks() {
        let items = [(1.0, Some(0.0)), (1.0, None), (2.0, Some(4.0)), (2.0, Some(4.0))];
        assert!(rank(&items, Ties::Average, None).blocks.is_empty());
    }
}
