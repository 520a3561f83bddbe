//! The labels of items.

use std::ops::Range;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::column::{ItemColumn, Items};
use crate::error::{Error, bail};
use crate::memory::{Grow, make_room_for};
use crate::ranking::lookup::mix;

/// The sets of labels of the items of one list, or of a catalogue. Numbers have 32 bits, so that those of a catalogue stay in the
/// processor's cache.
#[derive(Default)]
pub struct Labels {
    /// How many distinct labels the items have.
    pub distinct: usize,
    /// The labels of one item after the other, as numbers: ascending, and without repeats within an item.
    numbers: Vec<u32>,
    /// The start of the labels of each item in `numbers`, and the end of the last one's; empty before the first list.
    starts: Vec<u32>,
    /// Whether every item has one label, so that its place in `numbers` is that of the item.
    pub are_single: bool,
    /// The labels of each item as bits of a word, if they are few.
    words: Vec<u64>,
    /// For each distinct label, its tag, its index in the column, and its number. Kept for its memory.
    known: HashTable<(i64, usize, u32)>,
}

impl Labels {
    /// Reads the labels of a list: for each item, the range of its labels in their column. A NULL is no label.
    pub fn read(
        &mut self,
        column: &ItemColumn<impl Items>,
        items: impl Iterator<Item = Range<usize>>,
    ) -> Result<(), Error> {
        let Self { distinct, numbers, starts, are_single, words, known } = self;
        let hash = |label: &(i64, usize, u32)| mix(label.0);
        *distinct = 0;
        numbers.clear();
        starts.clear();
        starts.try_push(0)?;
        known.clear();
        for item in items {
            let start = numbers.len();
            numbers.make_room(item.len())?;
            make_room_for::<(i64, usize, u32), _>(item.len(), || known.try_reserve(item.len(), hash))?;
            for index in item {
                let Some(tag) = column.tag(index) else { continue };
                let equal = |(other, place, _): &(i64, usize, u32)| {
                    *other == tag && column.bytes(*place) == column.bytes(index)
                };
                let number = match known.entry(mix(tag), equal, hash) {
                    Entry::Occupied(label) => label.get().2,
                    Entry::Vacant(free) => {
                        let number = small(*distinct, "labels")?;
                        free.insert((tag, index, number));
                        *distinct += 1;
                        number
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
            starts.try_push(small(unique, "labels")?)?;
        }
        *are_single = (0..).zip(&*starts).all(|(item, start)| item == *start);
        words.clear();
        if *distinct <= u64::BITS as usize {
            words.make_room(starts.len() - 1)?;
            let sets = starts.windows(2).map(|ends| &numbers[ends[0] as usize..ends[1] as usize]);
            words.extend(sets.map(|set| set.iter().fold(0, |word, label| word | 1 << label)));
        }
        Ok(())
    }

    /// The items, which are numbers from 0.
    pub fn items(&self) -> Range<usize> {
        0..self.starts.len() - 1
    }

    /// The labels of each item as bits of a word: label 0 is the least significant one. `None` if they do not fit.
    pub fn words(&self) -> Option<&[u64]> {
        (self.words.len() == self.items().len()).then_some(&self.words[..])
    }

    /// The label of each item; `None` unless each has one.
    pub fn single(&self) -> Option<&[u32]> {
        self.are_single.then_some(&self.numbers[..])
    }

    /// The labels of an item, ascending.
    #[inline]
    pub fn of(&self, item: usize) -> &[u32] {
        if self.are_single {
            return &self.numbers[item..=item];
        }
        &self.numbers[self.starts[item] as usize..self.starts[item + 1] as usize]
    }
}

/// A number of these things in 32 bits.
pub fn small(count: usize, things: &str) -> Result<u32, Error> {
    match u32::try_from(count) {
        Ok(count) => Ok(count),
        Err(_) => bail!("there are more than {} {things}", u32::MAX),
    }
}
