//! Scores as sortable codes, and rankings sorted by score.

use std::fmt::Debug;
use std::hash::Hash;

use crate::column::Integers;
use crate::error::Error;
use crate::memory::Grow;
use crate::options::choices::{ScoreType, Ties};
use crate::ranking::item_order::{Compare, ItemOrder};
use crate::ranking::list::{BlockEnd, RankedList};
use crate::ranking::small_sort::{SMALL_LIST, SmallRanks};
use crate::settings::Order;

/// The retrieved items of one ranking with scores and relevances, as they were added. Reused for its buffers.
#[derive(Default)]
pub struct ScoredItems {
    scores: Vec<f64>,
    /// The relevance of each item; [`UNJUDGED`] for an item that is not judged.
    rels: Vec<f64>,
    /// The key of each item; written when they are sorted.
    keys: Vec<Key>,
}

/// The sort key of a retrieved item, ascending from the best: the score code in the high 64 bits, and in the low ones
/// the relevance in the order that `ties` asks for, or the index of the item for ties by input order.
type Key = u128;

/// A score as an unsigned integer, less for a better score. All codes of a ranking are made of integers, or all of
/// floating point; `Settings::exact` says which.
///
/// States of aggregates hold millions of codes. 64 bits suffice for most types of scores; only scores of 128-bit types
/// have codes of 128 bits.
pub trait ScoreCode: Copy + Ord + Default + Hash + Debug {
    /// A score code followed by a relevance code, in the order in which items are sorted, ascending from the best.
    type Key: Copy + Ord;

    /// The integers from which codes of this width are made.
    type Integer: Copy + 'static;

    /// The greatest code; no score is worse.
    const WORST: Self;

    /// The code of a score that is floating point and not NaN.
    fn of_float(score: f64) -> Self;

    /// The inverse of [`ScoreCode::of_float`]: the score. A code that was made of an integer has none.
    fn float(self) -> f64;

    /// The code of a score that is an integer. Different integers have different codes, unlike in floating point.
    fn of_integer(score: Self::Integer) -> Self;

    /// The inverse of [`ScoreCode::of_integer`]: the integer, which the column offers as [`Integers`] says if it has no sign.
    fn integer(self, is_signed: bool) -> f64;

    /// The integers of a column, if they are of this width.
    fn integers_in<'a>(integers: &'a Integers) -> Option<&'a [Self::Integer]>;

    /// The difference to `other`, which must not be better; `None` if it does not fit 64 bits. Differences to
    /// one score have the order of the scores.
    fn distance_to(self, other: Self) -> Option<u64>;

    /// The key of an item with this score code and the relevance code `rel`.
    fn key(self, rel: u64) -> Self::Key;

    /// The score code and the relevance code in a key.
    fn split_key(key: Self::Key) -> (Self, u64);

    /// Calls `rank` with the score codes of a ranking as codes of 64 bits in the same order, so that code that ranks
    /// items is compiled for one width only. `scored` has the codes of items, `null_items` those of NULL items. Codes
    /// of 128 bits that were made of integers (`exact`) become ranks among the distinct codes.
    fn with_64_bit_codes<I: Clone, R>(
        scored: &[(Self, I)],
        null_items: &[Self],
        exact: bool,
        rank: impl FnOnce(&[(u64, I)], &[u64]) -> Result<R, Error>,
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

    fn integer(self, is_signed: bool) -> f64 {
        if is_signed { (!self ^ 1 << 63).cast_signed() as f64 } else { !self as f64 }
    }

    #[inline]
    fn integers_in<'a>(integers: &'a Integers) -> Option<&'a [i64]> {
        if let Integers::Narrow(scores) = integers { Some(scores) } else { None }
    }

    fn distance_to(self, other: Self) -> Option<u64> {
        Some(other - self)
    }

    #[inline]
    fn key(self, rel: u64) -> u128 {
        u128::from(self) << 64 | u128::from(rel)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn split_key(key: u128) -> (Self, u64) {
        ((key >> 64) as u64, key as u64)
    }

    #[inline]
    fn with_64_bit_codes<I: Clone, R>(
        scored: &[(Self, I)],
        null_items: &[Self],
        _: bool,
        rank: impl FnOnce(&[(u64, I)], &[u64]) -> Result<R, Error>,
    ) -> Result<R, Error> {
        rank(scored, null_items)
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

    fn integer(self, is_signed: bool) -> f64 {
        if is_signed { (!self ^ 1 << 127).cast_signed() as f64 } else { !self as f64 }
    }

    fn integers_in<'a>(integers: &'a Integers) -> Option<&'a [i128]> {
        if let Integers::Wide(scores) = integers { Some(scores) } else { None }
    }

    fn distance_to(self, other: Self) -> Option<u64> {
        u64::try_from(other - self).ok()
    }

    fn key(self, rel: u64) -> (Self, u64) {
        (self, rel)
    }

    fn split_key(key: (Self, u64)) -> (Self, u64) {
        key
    }

    #[allow(clippy::cast_possible_truncation)]
    fn with_64_bit_codes<I: Clone, R>(
        scored: &[(Self, I)],
        null_items: &[Self],
        exact: bool,
        rank: impl FnOnce(&[(u64, I)], &[u64]) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let mut levels = Vec::new();
        if exact {
            levels.make_exact_room(scored.len() + null_items.len())?;
            levels.extend(scored.iter().map(|(score, _)| score).chain(null_items).copied());
        }
        levels.sort_unstable();
        levels.dedup();
        // A code of floating point has no more than 64 bits.
        let level = |score| {
            if exact { levels.partition_point(|better| *better < score) as u64 } else { score as u64 }
        };
        let (mut narrow, mut narrow_null_items) = (Vec::new(), Vec::new());
        narrow.try_extend(scored.iter().map(|(score, item)| (level(*score), item.clone())))?;
        narrow_null_items.try_extend(null_items.iter().map(|score| level(*score)))?;
        rank(&narrow, &narrow_null_items)
    }
}

/// The integer up to which floating point represents every integer.
const MAX_APART: u64 = 1 << f64::MANTISSA_DIGITS;

/// Writes a floating point number for each code made of an integer: equal numbers for equal codes, greater ones for
/// better scores. Differences between the numbers mean nothing.
pub fn write_exact<S: ScoreCode>(
    scores: impl Iterator<Item = S> + Clone,
    numbers: &mut Vec<f64>,
) -> Result<(), Error> {
    numbers.make_room(scores.clone().count())?;
    let (best, worst) = scores
        .clone()
        .fold((S::WORST, None), |(best, worst), score| (score.min(best), worst.max(Some(score))));
    // Distances to the worst score, which need no sorting, are exact up to a limit.
    if worst.is_none_or(|worst| best.distance_to(worst).is_some_and(|distance| distance <= MAX_APART)) {
        let worst = worst.unwrap_or(best);
        numbers.extend(scores.map(|score| score.distance_to(worst).unwrap_or_default() as f64));
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

/// The relevance of an item that is not judged: it equals 0, is sorted right below it, and has another sign bit.
pub const UNJUDGED: f64 = -0.0;

/// Maps numbers other than NaN to integers in the same order, with -0 right below 0.
pub fn to_ordered(number: f64) -> u64 {
    let bits = number.to_bits();
    if number.is_sign_negative() { !bits } else { bits | 1 << 63 }
}

/// The number that [`to_ordered`] mapped to this integer.
pub fn from_ordered(ordered: u64) -> f64 {
    f64::from_bits(if ordered >> 63 == 1 { ordered & !(1 << 63) } else { !ordered })
}

/// The relevance of a retrieved item; [`UNJUDGED`], which is -0, if it is not judged, and 0 for -0.
#[inline]
pub fn rel_or_unjudged(rel: Option<f64>) -> f64 {
    rel.map_or(UNJUDGED, |rel| rel + 0.0)
}

/// The relevance of an item, or [`UNJUDGED`], as a code in the order in which `ties` sorts tied items.
#[inline]
pub fn code_of_rel(rel: Option<f64>, ties: Ties) -> u64 {
    let rel = to_ordered(rel_or_unjudged(rel));
    if ties == Ties::Optimistic { !rel } else { rel }
}

/// The relevance that [`code_of_rel`] made a code of, for the same `ties`.
pub fn rel_of_code(code: u64, ties: Ties) -> f64 {
    from_ordered(if ties == Ties::Optimistic { !code } else { code })
}

#[inline]
fn score_code(key: Key) -> u64 {
    u64::split_key(key).0
}

pub fn is_unjudged(rel: f64) -> bool {
    rel.to_bits() == UNJUDGED.to_bits()
}

/// The score, with -0 as 0; an error for NaN, which has no place in an order.
#[inline]
pub fn check_score(argument: &str, score: f64) -> Result<f64, Error> {
    #[cold]
    fn no_number(argument: &str) -> Error {
        Error::new(format!("{argument} must not be NaN, got NaN")).about(argument)
    }
    if score.is_nan() {
        return Err(no_number(argument));
    }
    // Adding 0 makes 0 of -0, which equals it and must not come below it.
    Ok(score + 0.0)
}

/// The score in the precision in which scores are compared: exact, or rounded to 32 bits.
#[inline]
#[allow(clippy::cast_possible_truncation)]
pub fn rounded(score: f64, score_type: ScoreType) -> f64 {
    match score_type {
        ScoreType::Exact => score,
        // Rounds to the nearest number and halfway cases to an even last bit, as C does.
        ScoreType::Float32 => f64::from(score as f32),
    }
}

impl ScoredItems {
    /// Removes the items of the last ranking.
    pub fn clear(&mut self) {
        self.scores.clear();
        self.rels.clear();
    }

    /// Makes room for `items` items; there must be none yet.
    pub fn make_room(&mut self, items: usize) -> Result<(), Error> {
        self.scores.make_room(items)?;
        self.rels.make_room(items)?;
        self.keys.clear();
        self.keys.make_room(items)
    }

    /// Adds a retrieved item, which is not judged if `rel` is `None`. There must be room for it.
    #[inline]
    pub fn push(&mut self, score: f64, rel: Option<f64>) {
        self.scores.push(score);
        self.rels.push(rel_or_unjudged(rel));
    }

    /// Adds retrieved items by their score codes and relevances, [`UNJUDGED`] for those that are not judged. There must
    /// be no items yet. `exact` says that codes were made of integers.
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

    /// Sorts the items by score and writes the ranking, down to the deepest cutoff, to `list`, which has room for it.
    /// The order in which items were added matters for `ties=input_order` only. Blocks of tied items are written if
    /// `ties` asks for expected values and tied items differ in relevance, or every block matters.
    pub fn rank(&mut self, list: &mut RankedList, order: Order) {
        list.retrieved = self.scores.len();
        if self.rank_few(list, order.deepest).is_none() {
            self.rank_many(list, order);
        }
    }

    /// Does the same, and writes the items in their order to `items`, which has none yet. They are indexes in the order in
    /// which they were added. Items with equal keys follow one another as `compare` orders them.
    pub fn rank_and_write(
        &mut self,
        list: &mut RankedList,
        order: Order,
        items: &mut ItemOrder,
        compare: Compare,
    ) -> Result<(), Error> {
        list.retrieved = self.scores.len();
        if let Some(by_rank) = self.rank_few(list, order.deepest) {
            return items.retrieved.try_extend_from_slice(&by_rank[..list.retrieved]);
        }
        self.rank_many(list, order);
        let (Self { scores, rels, .. }, Order { ties, .. }) = (self, order);
        let mut codes = Vec::new();
        codes.try_extend(scores.iter().enumerate().map(|(place, score)| (!to_ordered(*score), place)))?;
        let tie_code = |place: usize| tie_code(rels[place], place, ties);
        codes.sort_unstable_by(|(one, place), (other, other_place)| {
            let by_tie = || tie_code(*place).cmp(&tie_code(*other_place));
            one.cmp(other).then_with(by_tie).then_with(|| compare(*place, *other_place))
        });
        items.retrieved.try_extend(codes.iter().map(|(_, place)| *place))?;
        items.write_runs(|one, other| {
            // With expected values, every order of items of one score is as likely as any other.
            let is_same_tie = ties == Ties::Average || tie_code(one) == tie_code(other);
            scores[one] == scores[other] && is_same_tie
        })
    }

    /// Ranks at most [`SMALL_LIST`] items whose scores all differ, and returns the item at each rank; `None`, and writes
    /// nothing, otherwise. Without ties, `list` needs neither blocks nor the ends of score groups.
    #[inline(always)]
    fn rank_few(&self, list: &mut RankedList, deepest: Option<usize>) -> Option<[usize; SMALL_LIST]> {
        let ranks = SmallRanks::new(&self.scores).filter(SmallRanks::has_no_ties)?;
        let mut by_rank = [0; SMALL_LIST];
        for (place, rank) in ranks.ranks().enumerate() {
            by_rank[rank] = place;
        }
        let depth = deepest.map_or(self.scores.len(), |deepest| deepest.min(self.scores.len()));
        for (rank, place) in by_rank[..depth].iter().enumerate() {
            let rel = self.rels[*place];
            if !is_unjudged(rel) {
                list.push(rank, rel);
            }
        }
        Some(by_rank)
    }

    /// Ranks any number of items by sorting their keys.
    fn rank_many(&mut self, list: &mut RankedList, Order { ties, deepest, every_block, levels }: Order) {
        let Self { scores, rels, keys } = self;
        let key = |(place, score): (usize, &f64)| {
            Key::from(!to_ordered(*score)) << 64 | Key::from(tie_code(rels[place], place, ties))
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
            let cutoff_score = score_code(*cutoff_key);
            sorted = depth;
            if ties == Ties::Average {
                // All items that tie with the last one above the cutoff are needed.
                sorted += partition(below, |key| score_code(key) == cutoff_score);
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
        let blocks = || ranked.chunk_by(|one, other| score_code(*one) == score_code(*other));
        if levels {
            list.score_group_ends.extend(blocks().scan(0, |end, block| {
                *end += block.len();
                Some(*end)
            }));
        }
        // With `ties=average`, for which blocks are written, the keys of a block are sorted by relevance.
        let is_mixed = |block: &[Key]| rel(block[0]) != rel(block[block.len() - 1]);
        let items_above = if every_block {
            Some(0)
        } else {
            let first = blocks().position(is_mixed);
            first.map(|first| blocks().take(first).map(<[Key]>::len).sum())
        };
        if let (Ties::Average, Some(items_above)) = (ties, items_above) {
            list.items_above_first_mixed_block = items_above;
            let (mut end, mut judged) = (0, 0);
            for block in blocks() {
                end += block.len();
                judged += block.iter().filter(|key| !is_unjudged(rel(**key))).count();
                list.blocks.push(BlockEnd { end, judged });
            }
        }
    }
}

/// The code by which tied items are sorted, in the low bits of the key of the item that was added at index `place`.
#[inline(always)]
fn tie_code(rel: f64, place: usize, ties: Ties) -> u64 {
    match ties {
        Ties::InputOrder => place as u64,
        Ties::Optimistic => !to_ordered(rel),
        _ => to_ordered(rel),
    }
}

/// Moves the keys that are `wanted` to the front, and returns how many there are.
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

/// Functions from levels to integers, greater for a higher level. The integers are such that floating point does not
/// tell them apart, lie as far from each other as their type allows, or lie on both sides of 0.
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
    use crate::settings::Settings;

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

    #[test]
    fn ties_of_equal_relevance_need_no_blocks() {
        let (mut scored, mut list) = (ScoredItems::default(), RankedList::default());
        for (score, rel) in [(1.0, Some(0.0)), (1.0, None), (2.0, Some(4.0)), (2.0, Some(4.0))] {
            scored.push(score, rel);
        }
        scored.rank(&mut list, Settings::default().order());
        assert!(list.blocks.is_empty());
    }
}
