//! The labels of the items of one ranking.

use std::ops::Range;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::column::{Encoded, Items};
use crate::error::Error;
use crate::memory::{Grow, make_room_for};
use crate::ranking::lookup::mix;

/// The sets of labels of the items of one ranking, cut at k, or of a catalogue.
#[derive(Default)]
pub struct Labels {
    /// How many places the ranking has: k, or else the number of its items, with a label or without.
    pub places: usize,
    /// How many distinct labels the items have.
    pub distinct: usize,
    /// The labels of one item after the other, as numbers: ascending, and without repeats within an item.
    numbers: Vec<usize>,
    /// The ends of the labels of each item in `numbers`.
    ends: Vec<usize>,
    /// For each distinct label, its tag, its index in the column, and its number. Kept for its memory.
    known: HashTable<(i64, usize, usize)>,
    /// For each label of a catalogue, the last time that its items were copied when an item had it.
    seen: Vec<u64>,
    /// How often items of a catalogue were copied.
    reads: u64,
}

impl Labels {
    /// Reads the labels of a list: for each item, the range of its labels in their column. A NULL is no label.
    pub fn read(
        &mut self,
        column: &Encoded,
        items: impl Iterator<Item = Range<usize>>,
        places: usize,
    ) -> Result<(), Error> {
        let Self { distinct, numbers, ends, known, .. } = self;
        let hash = |label: &(i64, usize, usize)| mix(label.0);
        (self.places, *distinct) = (places, 0);
        numbers.clear();
        ends.clear();
        known.clear();
        for item in items {
            let start = numbers.len();
            numbers.make_room(item.len())?;
            make_room_for::<(i64, usize, usize), _>(item.len(), || known.try_reserve(item.len(), hash))?;
            for index in item {
                let Some(tag) = column.tag(index) else { continue };
                let equal = |(other, place, _): &(i64, usize, usize)| {
                    *other == tag && column.bytes(*place) == column.bytes(index)
                };
                let number = match known.entry(mix(tag), equal, hash) {
                    Entry::Occupied(label) => label.get().2,
                    Entry::Vacant(free) => {
                        free.insert((tag, index, *distinct));
                        *distinct += 1;
                        *distinct - 1
                    }
                };
                numbers.push(number);
            }
            numbers[start..].sort_unstable();
            let mut unique = start;
            for place in start..numbers.len() {
                if place == start || numbers[place] != numbers[unique - 1] {
                    numbers[unique] = numbers[place];
                    unique += 1;
                }
            }
            numbers.truncate(unique);
            ends.try_push(unique)?;
        }
        Ok(())
    }

    /// Takes the labels of some items from those of a catalogue, in which an item has an index.
    pub fn copy(
        &mut self,
        catalogue: &Self,
        items: impl Iterator<Item = usize>,
        places: usize,
    ) -> Result<(), Error> {
        let Self { distinct, numbers, ends, seen, reads, .. } = self;
        (self.places, *distinct) = (places, 0);
        numbers.clear();
        ends.clear();
        *reads += 1;
        seen.try_resize(catalogue.distinct, 0)?;
        for item in items {
            let labels = catalogue.of(item);
            numbers.try_extend_from_slice(labels)?;
            ends.try_push(numbers.len())?;
            for label in labels {
                *distinct += usize::from(seen[*label] != *reads);
                seen[*label] = *reads;
            }
        }
        Ok(())
    }

    /// The labels of each item that has any, ascending.
    pub fn sets(&self) -> impl Iterator<Item = &[usize]> {
        (0..self.ends.len()).map(|item| self.of(item)).filter(|labels| !labels.is_empty())
    }

    /// The labels of an item, ascending.
    pub fn of(&self, item: usize) -> &[usize] {
        &self.numbers[item.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[item]]
    }
}
