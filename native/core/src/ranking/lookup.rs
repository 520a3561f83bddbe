//! Lookup of retrieved items among the judged ones.

use std::ops::Range;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::column::{Items, Numbers, Tags};
use crate::error::{Error, bail};
use crate::memory::{Grow, lengthen, make_room_for};
use crate::options::choices::Duplicates;
use crate::ranking::item_order::ItemOrder;
use crate::ranking::list::{RankedList, Truth};

/// The number of judged items up to which a row uses the table of fixed size, with one bit of a word for each item.
const SMALL_TRUTH: usize = 64;

/// Looks up each retrieved item among the judged ones. Reused for the rows of a call for its buffers.
#[derive(Default)]
pub struct RelevanceLookup {
    /// The table for at most [`SMALL_TRUTH`] judged items.
    small_table: SmallTable,
    /// The table for any number of judged items.
    large_table: HashTable<TableEntry>,
    /// The tag and the index of each distinct retrieved item, for metrics to which a repeat is no item.
    distinct: HashTable<(i64, usize)>,
    rec_tags: Tags,
    truth_tags: Tags,
    /// For each match, the index of its judged item among those of the row that are not NULL.
    numbers: Vec<u32>,
}

/// The index ranges of the two lists of one row within the columns of elements.
pub struct LookupSpans {
    /// The retrieved items down to the deepest cutoff.
    pub rec: Range<usize>,
    pub truth: Range<usize>,
}

pub struct LookupColumns<'a, R, T> {
    pub rec: R,
    pub truth: T,
    /// The relevances of the judged items; `None` if all are 1.
    pub rels: Option<Numbers<'a>>,
}

impl RelevanceLookup {
    /// Writes the ranking of one row to `list`: the ranks of its matches, their relevances, and the truth.
    ///
    /// NULL items match nothing, and an item whose relevance is NULL is not judged. A repeated judged item counts once,
    /// and its relevances must be equal. `duplicates` says whether a repeated retrieved item matches again. `check` is
    /// called on every relevance.
    #[inline(always)]
    pub fn read<R: Items, T: Items>(
        &mut self,
        list: &mut RankedList,
        spans: &LookupSpans,
        columns: &LookupColumns<R, T>,
        duplicates: Duplicates,
        check: impl Fn(f64) -> Result<f64, Error>,
    ) -> Result<(), Error> {
        let first_only = duplicates == Duplicates::First;
        if spans.truth.len() <= SMALL_TRUTH && self.read_small(list, spans, columns, first_only, &check)? {
            return Ok(());
        }
        self.read_large(list, spans, columns, first_only, check)
    }

    /// Leaves repeated items out of the ranking in `list`, which was read from the elements `retrieved` of `rec` with
    /// [`Duplicates::First`]. NULL items are distinct.
    pub fn leave_out_repeats<R: Items>(
        &mut self,
        list: &mut RankedList,
        retrieved: Range<usize>,
        rec: &R,
    ) -> Result<(), Error> {
        let distinct = &mut self.distinct;
        distinct.clear();
        let items = retrieved.len();
        make_room_for::<(i64, usize), _>(items, || distinct.try_reserve(items, |(tag, _)| mix(*tag)))?;
        let mut matches = list.ranks[..list.match_count].iter_mut().peekable();
        let mut repeats = 0;
        for (place, index) in retrieved.enumerate() {
            if let Some(tag) = rec.tag(index) {
                let same = |other: usize| R::EXACT || rec.bytes(other) == rec.bytes(index);
                let equal = |(other_tag, other): &(i64, usize)| *other_tag == tag && same(*other);
                match distinct.entry(mix(tag), equal, |(tag, _)| mix(*tag)) {
                    Entry::Occupied(_) => repeats += 1,
                    Entry::Vacant(free) => {
                        free.insert((tag, index));
                    }
                }
            }
            if let Some(rank) = matches.next_if(|rank| **rank == place) {
                *rank -= repeats;
            }
        }
        list.retrieved -= repeats;
        Ok(())
    }

    /// Writes which item is at which rank of a row, without repeats if `leave_out_repeats`, the judgements of these items,
    /// and which judged items were not retrieved. `rec` is the whole list.
    pub fn write_items<R: Items, T: Items>(
        &mut self,
        order: &mut ItemOrder,
        spans: &LookupSpans,
        LookupColumns { rec, truth, rels }: &LookupColumns<R, T>,
        leave_out_repeats: bool,
    ) -> Result<(), Error> {
        let Self { distinct, large_table, .. } = self;
        let items = spans.rec.len();
        order.retrieved.make_room(items)?;
        order.judgements.try_resize(items, None)?;
        // The place of each repeat, and that of its first occurrence.
        let mut repeats = Vec::new();
        distinct.clear();
        make_room_for::<(i64, usize), _>(items, || distinct.try_reserve(items, |(tag, _)| mix(*tag)))?;
        for (place, index) in spans.rec.clone().enumerate() {
            let mut is_repeat = false;
            if let Some(tag) = rec.tag(index) {
                let same = |other: usize| R::EXACT || rec.bytes(other) == rec.bytes(index);
                let equal = |(other_tag, other): &(i64, usize)| *other_tag == tag && same(*other);
                match distinct.entry(mix(tag), equal, |(tag, _)| mix(*tag)) {
                    Entry::Occupied(first) => {
                        is_repeat = true;
                        repeats.try_push((place, first.get().1 - spans.rec.start))?;
                    }
                    Entry::Vacant(free) => {
                        free.insert((tag, index));
                    }
                }
            }
            if !(is_repeat && leave_out_repeats) {
                order.retrieved.push(place);
            }
        }
        clear_for(large_table, spans.truth.len())?;
        for (place, index) in spans.truth.clone().enumerate() {
            let Some(tag) = truth.tag(index) else { continue };
            let Some(rel) = rels.as_ref().map_or(Some(1.0), |rels| rels.get(index)) else { continue };
            let same = |other: usize| R::EXACT && T::EXACT || rec.bytes(other) == truth.bytes(index);
            let equal = |(other_tag, other): &(i64, usize)| *other_tag == tag && same(*other);
            if let Some((_, retrieved)) = distinct.find(mix(tag), equal) {
                order.judgements[*retrieved - spans.rec.start].get_or_insert(place);
                continue;
            }
            let same = |other: usize| T::EXACT || truth.bytes(other) == truth.bytes(index);
            let equal = |other: &TableEntry| other.tag == tag && same(other.index);
            if let Entry::Vacant(free) = large_table.entry(mix(tag), equal, |judged| mix(judged.tag)) {
                free.insert(TableEntry { tag, index, rel, is_retrieved: false });
                order.unretrieved.try_push((place, rel))?;
            }
        }
        for (place, first) in repeats {
            order.judgements[place] = order.judgements[first];
        }
        Ok(())
    }

    /// Reads a row with at most [`SMALL_TRUTH`] judged items by tags alone. Returns `false`, and leaves the row to
    /// [`RelevanceLookup::read_large`], if a relevance is NULL or if different items have equal tags.
    #[inline(always)]
    fn read_small<R: Items, T: Items>(
        &mut self,
        list: &mut RankedList,
        spans: &LookupSpans,
        LookupColumns { rec, truth, rels }: &LookupColumns<R, T>,
        first_only: bool,
        check: impl Fn(f64) -> Result<f64, Error>,
    ) -> Result<bool, Error> {
        let Self { small_table, rec_tags, truth_tags, numbers, .. } = self;
        let (judged, judged_places) = truth.tags(spans.truth.clone(), truth_tags)?;
        let truth_index = |number: u32| {
            spans.truth.start + judged_places.map_or(number as usize, |places| places[number as usize])
        };
        if let Some(rels) = rels {
            list.truth.clear();
            for number in (0..).take(judged.len()) {
                let Some(rel) = rels.get(truth_index(number)) else { return Ok(false) };
                check(rel)?;
            }
        }
        // A repeated tag is a repeated item, unless the bytes differ, and must have the same relevance.
        let repeats = small_table.insert(judged);
        for number in bits(repeats) {
            let index = truth_index(number);
            let (_slot, first_number) = small_table.look_up(judged[number as usize], judged);
            let before = first_number.map_or(index, truth_index);
            if !T::EXACT && truth.bytes(index) != truth.bytes(before) {
                return Ok(false);
            }
            if let Some(Numbers { values, .. }) = rels {
                check_same_rel(values[before], values[index])?;
            }
        }
        match rels {
            None => list.truth = Truth::Ones(judged.len() - bits(repeats).count()),
            Some(rels) => {
                let distinct = (0..).take(judged.len()).filter(|number| repeats >> number & 1 == 0);
                distinct.for_each(|number| list.truth.push(rels.values[truth_index(number)]));
            }
        }

        let (retrieved, retrieved_places) = rec.tags(spans.rec.clone(), rec_tags)?;
        list.lengthen_ranks(retrieved.len())?;
        if numbers.len() < retrieved.len() {
            lengthen(numbers, retrieved.len())?;
        }
        let (mut match_count, repeated) = small_table.find(retrieved, judged, &mut list.ranks, numbers);
        if first_only && repeated {
            match_count = keep_first(&mut list.ranks[..match_count], numbers);
        }
        list.match_count = match_count;
        let numbers = &numbers[..match_count];
        // These ranks are indexes of tags, and NULL items have no tag.
        if let Some(places) = retrieved_places {
            list.ranks[..match_count].iter_mut().for_each(|rank| *rank = places[*rank]);
        }
        if !(R::EXACT && T::EXACT) {
            let same = |(rank, number): (&usize, &u32)| {
                rec.bytes(spans.rec.start + rank) == truth.bytes(truth_index(*number))
            };
            if !list.ranks().iter().zip(numbers).all(same) {
                return Ok(false);
            }
        }
        if let Some(rels) = rels {
            list.rels.make_room(match_count)?;
            list.rels.extend(numbers.iter().map(|number| rels.values[truth_index(*number)]));
        }
        Ok(true)
    }

    /// Reads a row with any number of judged items, one item at a time.
    #[cold]
    fn read_large<R: Items, T: Items>(
        &mut self,
        list: &mut RankedList,
        spans: &LookupSpans,
        LookupColumns { rec, truth, rels }: &LookupColumns<R, T>,
        first_only: bool,
        check: impl Fn(f64) -> Result<f64, Error>,
    ) -> Result<(), Error> {
        let large_table = &mut self.large_table;
        clear_for(large_table, spans.truth.len())?;
        list.match_count = 0; // `read_small` may have written some of the row
        list.rels.clear();
        // Unless repeats count, there are no more matches than judged items.
        list.make_room(if first_only { spans.rec.len().min(spans.truth.len()) } else { spans.rec.len() })?;
        if rels.is_some() {
            list.truth.clear().make_room(spans.truth.len())?;
        } else {
            list.truth = Truth::Ones(0);
        }
        for index in spans.truth.clone() {
            let Some(tag) = truth.tag(index) else { continue };
            let rel = match rels {
                None => 1.0,
                Some(rels) => match rels.get(index) {
                    None => continue,
                    Some(rel) => check(rel)?,
                },
            };
            let same = |other: usize| T::EXACT || truth.bytes(other) == truth.bytes(index);
            let equal = |other: &TableEntry| other.tag == tag && same(other.index);
            match large_table.entry(mix(tag), equal, |judged| mix(judged.tag)) {
                Entry::Occupied(judged) => check_same_rel(judged.get().rel, rel)?,
                Entry::Vacant(free) => {
                    free.insert(TableEntry { tag, index, rel, is_retrieved: false });
                    list.truth.push(rel);
                }
            }
        }
        for (place, index) in spans.rec.clone().enumerate() {
            let Some(tag) = rec.tag(index) else { continue };
            let same = |other: usize| R::EXACT && T::EXACT || rec.bytes(index) == truth.bytes(other);
            if let Some(judged) =
                large_table.find_mut(mix(tag), |other| other.tag == tag && same(other.index))
                && !(std::mem::replace(&mut judged.is_retrieved, true) && first_only)
            {
                list.push(place, judged.rel);
            }
        }
        Ok(())
    }
}

/// Removes all judged items, and makes room for `items` others.
fn clear_for(large_table: &mut HashTable<TableEntry>, items: usize) -> Result<(), Error> {
    large_table.clear();
    make_room_for::<TableEntry, _>(items, || large_table.try_reserve(items, |judged| mix(judged.tag)))
}

struct TableEntry {
    tag: i64,
    /// The index of the item in the column of judged items.
    index: usize,
    rel: f64,
    /// Whether a retrieved item matched it already.
    is_retrieved: bool,
}

/// An error unless two judgements of one item have the same relevance.
pub fn check_same_rel(before: f64, rel: f64) -> Result<(), Error> {
    if before != rel {
        // Sorted, so that the sentence is the same for any order of rows.
        let (less, more) = (before.min(rel), before.max(rel));
        bail!("truth judges an item twice, with relevance {less} and {more}");
    }
    Ok(())
}

/// The indexes of the bits that are set, from 0 for the least significant, ascending.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros());
        word &= word.wrapping_sub(1);
        bit
    })
}

/// A hash table with open addressing, from at most [`SMALL_TRUTH`] tags to their indexes in the list of judged items.
/// The table is far larger than its content, so that tags rarely collide: most of the cost of a lookup is in
/// mispredicted branches.
struct SmallTable {
    /// The slots; if the slot of a tag is taken by another tag, the next one is tried.
    slots: Box<[Slot; SLOTS]>,
    /// The stamp of the current row. Slots with another stamp are free, so nothing is cleared between rows.
    stamp: u32,
}

/// The number of slots of the small table, a power of two.
const SLOTS: usize = 1024;

#[derive(Clone, Copy, Default)]
struct Slot {
    /// The stamp of the row that took the slot; 0 if none did.
    stamp: u32,
    /// The index of the tag among those that were inserted.
    number: u32,
}

impl Default for SmallTable {
    fn default() -> Self {
        Self { slots: Box::new([Slot::default(); SLOTS]), stamp: 0 }
    }
}

impl SmallTable {
    /// The index of the slot at which the search for a tag starts.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn first_slot(tag: i64) -> usize {
        // The topmost bits of the product depend on every bit of the tag.
        (tag.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS.ilog2())) as usize % SLOTS
    }

    /// Begins a row, and inserts the tags of its judged items, at most [`SMALL_TRUTH`]. Bit i of the result is set if
    /// tag i repeats an earlier one; a repeat is not inserted.
    #[inline(always)]
    fn insert(&mut self, tags: &[i64]) -> u64 {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            *self = Self { stamp: 1, ..Self::default() }; // slots of rows long ago may have any stamp
        }
        let mut repeats = 0_u64;
        for (number, tag) in (0..).zip(tags) {
            let (index, before) = self.look_up(*tag, tags);
            if before.is_some() {
                repeats |= 1 << number;
            } else {
                self.slots[index] = Slot { stamp: self.stamp, number };
            }
        }
        repeats
    }

    /// The index of the slot in which a tag is or would be, and its index among `inserted` if it is there.
    #[inline(always)]
    fn look_up(&self, tag: i64, inserted: &[i64]) -> (usize, Option<u32>) {
        let mut index = Self::first_slot(tag);
        while self.slots[index].stamp == self.stamp {
            let number = self.slots[index].number;
            if inserted[number as usize] == tag {
                return (index, Some(number));
            }
            index = (index + 1) % SLOTS;
        }
        (index, None)
    }

    /// Finds the tags that are among `inserted`. For each, writes the index of the tag to `places` and the index of the
    /// equal inserted tag to `numbers`. Returns how many there are, and whether any inserted tag was found twice.
    #[inline(always)]
    fn find(
        &self,
        tags: &[i64],
        inserted: &[i64],
        places: &mut [usize],
        numbers: &mut [u32],
    ) -> (usize, bool) {
        let (places, numbers) = (&mut places[..tags.len()], &mut numbers[..tags.len()]);
        let mut candidates = 0;
        for (place, tag) in tags.iter().enumerate() {
            // A tag whose first slot is free is not in the table. Written in any case, which saves a branch: the next
            // place overwrites one that is no candidate.
            places[candidates] = place;
            candidates += usize::from(self.slots[Self::first_slot(*tag)].stamp == self.stamp);
        }
        let (mut match_count, mut seen, mut repeats) = (0, 0_u64, 0);
        for candidate in 0..candidates {
            let place = places[candidate];
            if let (_, Some(number)) = self.look_up(tags[place], inserted) {
                (places[match_count], numbers[match_count]) = (place, number);
                match_count += 1;
                repeats |= seen & 1 << number;
                seen |= 1 << number;
            }
        }
        (match_count, repeats != 0)
    }
}

/// Moves the first match of each judged item to the front, in order, and returns how many there are.
fn keep_first(places: &mut [usize], numbers: &mut [u32]) -> usize {
    let (mut seen, mut kept) = (0_u64, 0);
    for place in 0..places.len() {
        let number = numbers[place];
        if seen >> number & 1 == 0 {
            (places[kept], numbers[kept]) = (places[place], number);
            kept += 1;
        }
        seen |= 1 << number;
    }
    kept
}

/// A hash of a tag whose 64 bits all depend on all of the tag, which may be an id or a multiple of a power of two.
#[inline]
pub fn mix(tag: i64) -> u64 {
    folded_product(tag.cast_unsigned(), 0)
}

/// A hash of two words, in which all 64 bits depend on all of both.
#[inline]
#[allow(clippy::cast_possible_truncation)]
pub fn folded_product(one: u64, other: u64) -> u64 {
    let product = u128::from(one ^ 0x9e37_79b9_7f4a_7c15) * u128::from(other ^ 0xbf58_476d_1ce4_e5b9);
    (product ^ (product >> 64)) as u64
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::column::{Fixed, Validity};

    fn ids(values: &[i64]) -> Fixed<'_> {
        Fixed { values: Cow::Borrowed(values), validity: Validity::All }
    }

    /// Byte strings whose tags all collide.
    struct Colliding(Vec<Vec<u8>>);

    impl Items for Colliding {
        const EXACT: bool = false;

        fn tag(&self, _: usize) -> Option<i64> {
            Some(7)
        }

        fn bytes(&self, index: usize) -> &[u8] {
            &self.0[index]
        }
    }

    /// The ranks of the matches, and the number of judged items.
    fn read<I: Items>(rec: I, truth: I, lengths: [usize; 2]) -> (Vec<usize>, usize) {
        let spans = LookupSpans { rec: 0..lengths[0], truth: 0..lengths[1] };
        let columns = LookupColumns { rec, truth, rels: None };
        let mut list = RankedList::default();
        RelevanceLookup::default().read(&mut list, &spans, &columns, Duplicates::First, Ok).unwrap();
        let Truth::Ones(judged) = list.truth else { panic!("not a plain list") };
        (list.ranks().to_vec(), judged)
    }

    #[test]
    fn equal_tags_do_not_make_equal_items() {
        let items = |bytes: &[u8]| Colliding(bytes.iter().map(|byte| vec![*byte]).collect());
        let long: Vec<u8> = (0..100).collect();
        for (rec, truth, ranks, judged) in [
            (&[5, 6, 5][..], &[5, 6][..], vec![0, 1], 2),
            (&[1, 2], &[2], vec![1], 1),
            (&[1, 1], &[2, 2], vec![], 1),
            (&long, &long, (0..100).collect(), 100),
        ] {
            assert_eq!(read(items(rec), items(truth), [rec.len(), truth.len()]), (ranks, judged));
        }
    }

    #[test]
    fn a_stamp_that_starts_anew_finds_nothing_of_before() {
        // Slots that were never used have stamp 0, and those of the first row have stamp 1.
        let mut small_table = SmallTable::default();
        for _ in 0..2 {
            small_table.stamp = u32::MAX;
            assert_eq!(small_table.insert(&[5]), 0);
        }
    }

    proptest! {
        #[test]
        fn every_item_is_looked_up_as_a_plain_search_would(
            rec in prop::collection::vec(0_i64..60, 0..90),
            truth in prop::collection::vec(0_i64..60, 0..90),
            shift in 0_u32..56,
        ) {
            let spread = |values: &[i64]| values.iter().map(|id| id << shift).collect::<Vec<_>>();
            let (rec, truth) = (spread(&rec), spread(&truth));
            let is_hit = |place: &usize| truth.contains(&rec[*place]) && !rec[..*place].contains(&rec[*place]);
            let hits: Vec<usize> = (0..rec.len()).filter(is_hit).collect();
            let judged = truth.iter().collect::<HashSet<_>>().len();
            prop_assert_eq!(read(ids(&rec), ids(&truth), [rec.len(), truth.len()]), (hits, judged));
        }

        #[test]
        fn each_rank_has_the_item_that_was_looked_up(
            rec in prop::collection::vec(prop::option::weighted(0.9, 0_i64..40), 0..90),
            truth in prop::collection::vec((prop::option::weighted(0.9, 0_i64..40), any::<bool>()), 0..90),
            without_repeats in any::<bool>(),
        ) {
            // NULL items, and NULL relevances of some judgements; all judgements of an item have one relevance.
            let mask = |are_valid: Vec<bool>| -> Vec<u8> {
                let byte = |valid: &[bool]| (0..).zip(valid).map(|(bit, valid)| u8::from(*valid) << bit).sum();
                are_valid.chunks(8).map(byte).collect()
            };
            let column = |items: &[Option<i64>]| items.iter().map(|item| item.unwrap_or(-1)).collect::<Vec<_>>();
            let judged: Vec<Option<i64>> = truth.iter().map(|(item, _)| *item).collect();
            let (rec_values, truth_values) = (column(&rec), column(&judged));
            let rec_mask = mask(rec.iter().map(Option::is_some).collect());
            let truth_mask = mask(judged.iter().map(Option::is_some).collect());
            let rel_mask = mask(truth.iter().map(|(_, has_rel)| *has_rel).collect());
            let rel = |item: i64| (item % 3) as f64;
            let rels: Vec<f64> = truth_values.iter().map(|item| rel(*item)).collect();
            let valid = |bits| Validity::Bits { bits, offset: 0 };
            let columns = LookupColumns {
                rec: Fixed { values: Cow::Borrowed(&rec_values[..]), validity: valid(&rec_mask) },
                truth: Fixed { values: Cow::Borrowed(&truth_values[..]), validity: valid(&truth_mask) },
                rels: Some(Numbers { values: Cow::Borrowed(&rels[..]), validity: valid(&rel_mask) }),
            };
            let spans = LookupSpans { rec: 0..rec.len(), truth: 0..truth.len() };
            let (mut lookup, mut list, mut order) =
                (RelevanceLookup::default(), RankedList::default(), ItemOrder::default());
            list.retrieved = rec.len();
            lookup.read(&mut list, &spans, &columns, Duplicates::First, Ok).unwrap();
            if without_repeats {
                lookup.leave_out_repeats(&mut list, 0..rec.len(), &columns.rec).unwrap();
            }
            lookup.write_items(&mut order, &spans, &columns, without_repeats).unwrap();

            prop_assert_eq!(order.retrieved.len(), list.retrieved);
            prop_assert!(order.retrieved.is_sorted());
            let wanted: Vec<i64> =
                truth.iter().filter(|(_, has_rel)| *has_rel).filter_map(|(item, _)| *item).collect();
            let is_hit = |place: &usize| rec[*place].is_some_and(|item| wanted.contains(&item))
                && !rec[..*place].contains(&rec[*place]);
            let hits: Vec<usize> = (0..rec.len()).filter(is_hit).collect();
            let found: Vec<usize> = list.ranks().iter().map(|rank| order.retrieved[*rank]).collect();
            prop_assert_eq!(&found, &hits);
            let rels_of_hits: Vec<f64> = hits.iter().map(|place| rel(rec[*place].unwrap())).collect();
            prop_assert_eq!(&list.rels, &rels_of_hits);
            for (place, item) in rec.iter().enumerate() {
                let judgement = (0..truth.len()).find(|index| truth[*index].1 && judged[*index] == *item);
                prop_assert_eq!(order.judgement_of(place), judgement.filter(|_| item.is_some()));
            }
            let is_missing = |index: &usize| truth[*index].1
                && judged[*index].is_some_and(|item| !rec.contains(&Some(item)))
                && !truth[..*index].contains(&truth[*index]);
            let missing: Vec<(usize, f64)> =
                (0..truth.len()).filter(is_missing).map(|index| (index, rels[index])).collect();
            prop_assert_eq!(&order.unretrieved, &missing);
        }
    }
}
