//! Rankings made from scores.

use std::fmt::Debug;
use std::hash::Hash;

use crate::column::Integers;
use crate::error::Error;
use crate::memory::Grow;
use crate::options::choices::{ScoreType, Ties};
use crate::ranking::list::{BlockEnd, RankedList};
use crate::ranking::small_sort::{SMALL_LIST, SmallRanks};
use crate::settings::Order;

/// The items of one ranking with their scores and relevances, in no order. Kept over rankings for its buffers.
#[derive(Default)]
pub struct ScoredItems {
    /// The score of each item.
    scores: Vec<f64>,
    /// The relevances beside the scores.
    rels: Vec<f64>,
    /// The items as keys, while they are sorted.
    keys: Vec<Key>,
}

/// A retrieved item as one number, by which items are sorted: the score, best first, then the relevance, or the place
/// in the list.
type Key = u128;

/// A score as an integer, the less the better. It is made of an integer or of a
/// floating point number; which of the two holds for all scores of a ranking, `Settings::exact` says.
///
/// States of aggregates hold millions of them. Those of 64 bits are enough for most types of numbers; only scores of
/// a type of 128 bits take as much.
pub trait ScoreCode: Copy + Ord + Default + Hash + Debug {
    /// A score and a relevance, by which items are sorted.
    type Key: Copy + Ord;

    type Integer: Copy + 'static;

    /// No score is worse.
    const WORST: Self;

    fn of_float(score: f64) -> Self;

    /// The score of which this was made.
    fn float(self) -> f64;

    /// An exact score, as columns hand them out.
    fn of_integer(score: Self::Integer) -> Self;

    /// The scores of a column, if they are of so many bits.
    fn column<'a>(integers: &'a Integers) -> Option<&'a [Self::Integer]>;

    /// How much better than `other`, which is no better, in integers.
    fn lead(self, other: Self) -> Option<u64>;

    fn key(self, rel: u64) -> Self::Key;

    fn parts(key: Self::Key) -> (Self, u64);

    /// Hands over the scores of a ranking in 64 bits, those with items and those without, so that code that is large
    /// is there but once.
    fn narrowed<I: Clone, R>(
        scored: &[(Self, I)],
        others: &[Self],
        exact: bool,
        read: impl FnOnce(&[(u64, I)], &[u64]) -> Result<R, Error>,
    ) -> Result<R, Error>;
}

impl ScoreCode for u64 {
    type Key = u128;
    type Integer = i64;

    const WORST: Self = Self::MAX;

    #[inline]
    fn of_float(score: f64) -> Self {
        // Adding 0 makes 0 of -0, which equals it and must not come below it.
        !to_ordered(score + 0.0)
    }

    #[inline]
    fn float(self) -> f64 {
        from_ordered(!self)
    }

    #[inline]
    fn of_integer(score: i64) -> Self {
        !(score.cast_unsigned() ^ 1 << 63)
    }

    #[inline]
    fn column<'a>(integers: &'a Integers) -> Option<&'a [i64]> {
        if let Integers::Narrow(scores) = integers { Some(scores) } else { None }
    }

    fn lead(self, other: Self) -> Option<u64> {
        Some(other - self)
    }

    #[inline]
    fn key(self, rel: u64) -> u128 {
        u128::from(self) << 64 | u128::from(rel)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn parts(key: u128) -> (Self, u64) {
        ((key >> 64) as u64, key as u64)
    }

    #[inline]
    fn narrowed<I: Clone, R>(
        scored: &[(Self, I)],
        others: &[Self],
        _: bool,
        read: impl FnOnce(&[(u64, I)], &[u64]) -> Result<R, Error>,
    ) -> Result<R, Error> {
        read(scored, others)
    }
}

impl ScoreCode for u128 {
    type Key = (Self, u64);
    type Integer = i128;

    const WORST: Self = Self::MAX;

    fn of_float(score: f64) -> Self {
        u64::of_float(score).into()
    }

    #[allow(clippy::cast_possible_truncation)]
    fn float(self) -> f64 {
        (self as u64).float()
    }

    fn of_integer(score: i128) -> Self {
        !(score.cast_unsigned() ^ 1 << 127)
    }

    fn column<'a>(integers: &'a Integers) -> Option<&'a [i128]> {
        if let Integers::Wide(scores) = integers { Some(scores) } else { None }
    }

    fn lead(self, other: Self) -> Option<u64> {
        u64::try_from(other - self).ok()
    }

    fn key(self, rel: u64) -> (Self, u64) {
        (self, rel)
    }

    fn parts(key: (Self, u64)) -> (Self, u64) {
        key
    }

    #[allow(clippy::cast_possible_truncation)]
    fn narrowed<I: Clone, R>(
        scored: &[(Self, I)],
        others: &[Self],
        exact: bool,
        read: impl FnOnce(&[(u64, I)], &[u64]) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let mut levels = Vec::new();
        if exact {
            levels.make_exact_room(scored.len() + others.len())?;
            levels.extend(scored.iter().map(|(score, _)| score).chain(others).copied());
        }
        levels.sort_unstable();
        levels.dedup();
        let level = |score| {
            if exact { levels.partition_point(|better| *better < score) as u64 } else { score as u64 }
        };
        let (mut narrow, mut narrow_others) = (Vec::new(), Vec::new());
        narrow.try_extend(scored.iter().map(|(score, item)| (level(*score), item.clone())))?;
        narrow_others.try_extend(others.iter().map(|score| level(*score)))?;
        read(&narrow, &narrow_others)
    }
}

/// Floating point tells all integers up to this one apart.
const LARGEST_APART: u64 = 1 << f64::MANTISSA_DIGITS;

/// Writes floating point numbers in the place of exact scores: equal ones for equal scores, a greater one for a better
/// score. Their differences mean nothing.
pub fn write_exact<S: ScoreCode>(
    scores: impl Iterator<Item = S> + Clone,
    numbers: &mut Vec<f64>,
) -> Result<(), Error> {
    numbers.make_room(scores.clone().count())?;
    let (best, worst) = scores
        .clone()
        .fold((S::WORST, None), |(best, worst), score| (score.min(best), worst.max(Some(score))));
    if worst.is_none_or(|worst| best.lead(worst).is_some_and(|lead| lead <= LARGEST_APART)) {
        let worst = worst.unwrap_or(best);
        numbers.extend(scores.map(|score| score.lead(worst).unwrap_or_default() as f64));
        return Ok(());
    }
    let mut levels: Vec<S> = Vec::new();
    levels.make_exact_room(scores.clone().count())?;
    levels.extend(scores.clone());
    levels.sort_unstable_by(|one, other| other.cmp(one));
    levels.dedup();
    let level = |score: S| levels.partition_point(|worse| *worse > score) as f64;
    numbers.extend(scores.map(level));
    Ok(())
}

/// The relevance of an item without a judgement, next to the relevance 0 that it stands for.
pub const UNJUDGED: f64 = -0.0;

/// Maps numbers other than NaN to integers in the same order.
pub fn to_ordered(number: f64) -> u64 {
    let bits = number.to_bits();
    if number.is_sign_negative() { !bits } else { bits | 1 << 63 }
}

pub fn from_ordered(ordered: u64) -> f64 {
    f64::from_bits(if ordered >> 63 == 1 { ordered & !(1 << 63) } else { !ordered })
}

/// The relevance of a retrieved item, of which every zero but [`UNJUDGED`] is positive.
#[inline]
pub fn rel_or_unjudged(rel: Option<f64>) -> f64 {
    rel.map_or(UNJUDGED, |rel| rel + 0.0)
}

/// The relevance of an item in the order that `ties` asks for; without one, it is not judged.
#[inline]
pub fn code_of_rel(rel: Option<f64>, ties: Ties) -> u64 {
    let rel = to_ordered(rel_or_unjudged(rel));
    if ties == Ties::Optimistic { !rel } else { rel }
}

/// The relevance of which a code was made for these ties.
pub fn rel_of_code(code: u64, ties: Ties) -> f64 {
    from_ordered(if ties == Ties::Optimistic { !code } else { code })
}

/// The score in a key, the less the better.
#[inline]
fn score_of(key: Key) -> u64 {
    u64::parts(key).0
}

/// Whether this stands for no relevance at all.
pub fn is_unjudged(rel: f64) -> bool {
    rel.to_bits() == UNJUDGED.to_bits()
}

/// A score that can be compared.
#[inline]
pub fn check_score(argument: &str, score: f64) -> Result<f64, Error> {
    #[cold]
    fn no_number(argument: &str) -> Error {
        Error::new(format!("{argument} must not be NaN, got NaN"))
    }
    if score.is_nan() {
        return Err(no_number(argument));
    }
    // Adding 0 makes 0 of -0, which equals it and must not come below it.
    Ok(score + 0.0)
}

/// The score as it is compared.
#[inline]
#[allow(clippy::cast_possible_truncation)]
pub fn rounded(score: f64, score_type: ScoreType) -> f64 {
    match score_type {
        ScoreType::Exact => score,
        // To the nearest number, one with an even last bit where two are as near, as C does.
        ScoreType::Float32 => f64::from(score as f32),
    }
}

impl ScoredItems {
    /// Forgets the items of the last ranking.
    pub fn clear(&mut self) {
        self.scores.clear();
        self.rels.clear();
    }

    /// Makes room for so many items, of which there are none before.
    pub fn make_room(&mut self, items: usize) -> Result<(), Error> {
        self.scores.make_room(items)?;
        self.rels.make_room(items)?;
        self.keys.clear();
        self.keys.make_room(items)
    }

    /// Adds a retrieved item, for which there is room; without a relevance, it is not judged.
    #[inline]
    pub fn push(&mut self, score: f64, rel: Option<f64>) {
        self.scores.push(score);
        self.rels.push(rel_or_unjudged(rel));
    }

    /// Adds retrieved items; see [`UNJUDGED`] for those that are not judged. Before it, there are none.
    pub fn extend<S: ScoreCode>(
        &mut self,
        scores: impl Iterator<Item = S> + Clone,
        exact: bool,
        rels: impl Iterator<Item = f64>,
    ) -> Result<(), Error> {
        let items = scores.size_hint().1.unwrap_or_else(|| scores.clone().count());
        self.rels.make_room(items)?;
        self.keys.clear();
        self.keys.make_room(items)?;
        if exact {
            write_exact(scores, &mut self.scores)?;
        } else {
            self.scores.make_room(items)?;
            self.scores.extend(scores.map(S::float));
        }
        self.rels.extend(rels);
        Ok(())
    }

    /// Sorts the items and writes the ranking down to the deepest cut to the list, in which there is room for them.
    ///
    /// The result does not depend on the order in which items were added, unless `ties` asks for it. Blocks of tied items are written where
    /// `ties` asks for expected values and their order matters.
    pub fn rank(&mut self, list: &mut RankedList, order: Order) {
        list.retrieved = self.scores.len();
        if !self.rank_few(list, order.deepest) {
            self.rank_many(list, order);
        }
    }

    /// Ranks a few items whose scores all differ; `false` where that is not so.
    fn rank_few(&self, list: &mut RankedList, deepest: Option<usize>) -> bool {
        let Some(ranks) = SmallRanks::new(&self.scores).filter(SmallRanks::has_no_ties) else {
            return false;
        };
        let mut numbers = [0; SMALL_LIST];
        for (number, rank) in ranks.ranks().enumerate() {
            numbers[rank] = number;
        }
        let depth = deepest.map_or(self.scores.len(), |deepest| deepest.min(self.scores.len()));
        for (rank, number) in numbers[..depth].iter().enumerate() {
            let rel = self.rels[*number];
            if !is_unjudged(rel) {
                list.push(rank, rel);
            }
        }
        true
    }

    fn rank_many(&mut self, list: &mut RankedList, Order { ties, deepest, every_block, levels }: Order) {
        let Self { scores, rels, keys } = self;
        let key = |(place, score): (usize, &f64)| {
            let next = match ties {
                Ties::InputOrder => place as u64,
                Ties::Optimistic => !to_ordered(rels[place]),
                _ => to_ordered(rels[place]),
            };
            Key::from(!to_ordered(*score)) << 64 | Key::from(next)
        };
        #[allow(clippy::cast_possible_truncation)]
        let rel = |key: Key| match ties {
            Ties::InputOrder => rels[key as usize],
            Ties::Optimistic => from_ordered(!(key as u64)),
            _ => from_ordered(key as u64),
        };
        keys.clear();
        keys.extend(scores.iter().enumerate().map(key));
        let retrieved = keys;
        let depth = deepest.map_or(retrieved.len(), |deepest| deepest.min(retrieved.len()));
        let mut sorted = retrieved.len();
        // Sorting a short list whole costs less than selecting from it.
        if 0 < depth && depth < retrieved.len() / 2 {
            let (_, cutoff_key, below) = retrieved.select_nth_unstable(depth - 1);
            let cutoff_score = score_of(*cutoff_key);
            sorted = depth;
            if ties == Ties::Average {
                // The block through which the cut goes is needed whole.
                sorted += partition(below, |key| score_of(key) == cutoff_score);
            }
        }
        let ranked = &mut retrieved[..sorted];
        ranked.sort_unstable();

        for (rank, key) in ranked.iter().enumerate() {
            let rel = rel(*key);
            if !is_unjudged(rel) {
                list.push(rank, rel);
            }
        }
        let blocks = || ranked.chunk_by(|one, other| score_of(*one) == score_of(*other));
        if levels {
            list.levels.extend(blocks().scan(0, |end, block| {
                *end += block.len();
                Some(*end)
            }));
        }
        let mixed = |block: &[Key]| rel(block[0]) != rel(block[block.len() - 1]);
        let untied = if every_block {
            Some(0)
        } else {
            let first = blocks().position(mixed);
            first.map(|first| blocks().take(first).map(<[Key]>::len).sum())
        };
        if let (Ties::Average, Some(untied)) = (ties, untied) {
            list.untied = untied;
            let (mut end, mut judged) = (0, 0);
            for block in blocks() {
                end += block.len();
                judged += block.iter().filter(|key| !is_unjudged(rel(**key))).count();
                list.blocks.push(BlockEnd { end, judged });
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

/// Integers by level, a greater one for a higher level, which floating point does not tell apart or that lie as far from
/// each other as their type lets them.
#[cfg(test)]
pub mod levels {
    pub const NARROW: [fn(u8) -> i64; 4] = [
        |level| i64::MAX - 255 + i64::from(level),
        |level| i64::MIN + i64::from(level),
        |level| (i64::from(level) << 56) + (i64::MIN | 1),
        |level| i64::from(level) - 128,
    ];
    pub const WIDE: [fn(u8) -> i128; 4] = [
        |level| i128::MAX - 255 + i128::from(level),
        |level| i128::MIN + i128::from(level),
        |level| (i128::from(level) << 120) + (i128::MIN | 1),
        |level| (1 << 70) + i128::from(level),
    ];
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exact<S: ScoreCode>(scores: &[S::Integer]) -> Vec<f64> {
        let mut numbers = Vec::new();
        write_exact(scores.iter().map(|score| S::of_integer(*score)), &mut numbers).unwrap();
        numbers
    }

    fn has_order_of<T: Ord>(numbers: &[f64], scores: &[T]) -> bool {
        numbers.len() == scores.len()
            && numbers.iter().zip(scores).all(|(one, score)| {
                let mut others = numbers.iter().zip(scores);
                others.all(|(other, than)| one.partial_cmp(other) == Some(score.cmp(than)))
            })
    }

    proptest! {
        #[test]
        fn numbers_in_the_place_of_exact_scores_are_in_their_order(
            near in prop::collection::vec(i64::MAX - 3..=i64::MAX, 0..9),
            far in prop::collection::vec(any::<i64>(), 0..9),
            wide in prop::collection::vec(any::<i128>(), 0..9),
            shift in 0..127_u32,
        ) {
            let narrow = [near, far].concat();
            prop_assert!(has_order_of(&exact::<u64>(&narrow), &narrow));
            let wide: Vec<i128> =
                wide.into_iter().map(|score| score >> shift).chain(narrow.into_iter().map(i128::from)).collect();
            prop_assert!(has_order_of(&exact::<u128>(&wide), &wide));
        }
    }

    #[test]
    fn scores_of_floating_point_keep_their_order_in_any_width() {
        let numbers = [f64::NEG_INFINITY, -2.5, -1e-300, 0.0, 1e-300, 1.0, f64::INFINITY];
        assert!(numbers.is_sorted_by(|one, other| u64::of_float(*one) > u64::of_float(*other)));
        assert!(numbers.is_sorted_by(|one, other| u128::of_float(*one) > u128::of_float(*other)));
        assert!(numbers.iter().all(|one| u64::of_float(*one).float() == *one));
        assert!(numbers.iter().all(|one| u128::of_float(*one).float() == *one));
        assert_eq!(u64::of_float(-0.0), u64::of_float(0.0));
    }

    fn rank(items: &[(f64, Option<f64>)], ties: Ties, deepest: Option<usize>) -> RankedList {
        let (mut scored, mut list) = (ScoredItems::default(), RankedList::default());
        for (score, rel) in items {
            scored.push(check_score("scores", *score).unwrap(), *rel);
        }
        scored.rank(&mut list, Order { ties, deepest, every_block: false, levels: false });
        list
    }

    #[test]
    fn numbers_keep_their_order() {
        let numbers = [f64::NEG_INFINITY, -2.5, -1e-300, 0.0, 1e-300, 1.0, f64::INFINITY];
        assert!(numbers.is_sorted_by_key(|number| to_ordered(*number)));
        assert!(numbers.iter().all(|one| from_ordered(to_ordered(*one)) == *one));
    }

    #[test]
    fn scores_order_the_items_and_ties_order_equal_scores() {
        let items = [(1.0, Some(2.0)), (3.0, None), (0.0, Some(5.0)), (-0.0, Some(4.0)), (3.0, Some(1.0))];
        let list = rank(&items, Ties::Pessimistic, None);
        assert_eq!((list.ranks(), &list.rels[..]), (&[1, 2, 3, 4][..], &[1.0, 2.0, 4.0, 5.0][..]));
        let list = rank(&items, Ties::Optimistic, None);
        assert_eq!((list.ranks(), &list.rels[..]), (&[0, 2, 3, 4][..], &[1.0, 2.0, 5.0, 4.0][..]));
        assert_eq!((list.retrieved, list.blocks.len()), (5, 0));
        let list = rank(&items, Ties::InputOrder, None);
        assert_eq!((list.ranks(), &list.rels[..]), (&[1, 2, 3, 4][..], &[1.0, 2.0, 5.0, 4.0][..]));
    }

    #[test]
    fn the_block_at_the_cut_is_whole() {
        let mut items = vec![(9.0, Some(1.0))];
        items.extend([(5.0, Some(0.0)), (5.0, Some(3.0)), (5.0, None)]);
        items.extend((0..20).map(|index| (-f64::from(index), Some(1.0))));
        for _ in 0..items.len() {
            items.rotate_left(1);
            let list = rank(&items, Ties::Average, Some(2));
            assert_eq!(list.blocks, [BlockEnd { end: 1, judged: 1 }, BlockEnd { end: 4, judged: 3 }]);
            assert_eq!((&list.rels[..], list.retrieved), (&[1.0, 0.0, 3.0][..], 24));
        }
    }

    #[test]
    fn scores_that_differ_in_their_last_bits_only_are_no_ties() {
        let next = f64::from_bits(1_f64.to_bits() + 1);
        let list = rank(&[(1.0, Some(2.0)), (next, Some(3.0)), (0.5, None)], Ties::Average, None);
        assert_eq!((list.ranks(), &list.rels[..], list.blocks.len()), (&[0, 1][..], &[3.0, 2.0][..], 0));
    }

    #[test]
    fn ties_of_equal_relevance_need_no_blocks() {
        let items = [(1.0, Some(0.0)), (1.0, None), (2.0, Some(4.0)), (2.0, Some(4.0))];
        assert!(rank(&items, Ties::Average, None).blocks.is_empty());
    }
}
