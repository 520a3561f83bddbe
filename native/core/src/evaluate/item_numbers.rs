//! The items of several columns as numbers: equal items, and only these, have equal numbers.

use std::ops::Range;

use crate::column::{ItemColumn, Items};
use crate::error::{Error, bail};
use crate::item_measures::rankings::NO_ITEM;
use crate::memory::Grow;
use crate::ranking::lookup::mix;

/// The number of an item in the hash table.
#[derive(Clone, Copy)]
struct Slot {
    /// The tag of the item.
    tag: i64,
    /// Its number; [`NO_ITEM`] in a free slot.
    number: u32,
}

const FREE: Slot = Slot { tag: 0, number: NO_ITEM };

/// How many items are looked up together.
const BLOCK: usize = 16;
/// How many integers have a place in [`ItemNumbers::near`] for each item that is expected, at most.
const SPARSEST: usize = 16;

/// Numbers for the items of these columns, from 0 in the order in which items are met.
pub struct ItemNumbers<'a, B> {
    columns: &'a [ItemColumn<'a, B>],
    /// Whether items with equal tags are equal, because no column has byte strings.
    exact: bool,
    /// The numbers of the items whose tags are `least` and the integers after it, [`NO_ITEM`] for those that were not met.
    near: Vec<u32>,
    least: i64,
    /// The other items: a hash table with open addressing. The number of slots is 0 or a power of two, and at most half of
    /// them are taken.
    slots: Vec<Slot>,
    /// How many slots are taken.
    taken: usize,
    /// For each number, a column and an index at which its item is.
    met: Vec<(usize, usize)>,
}

/// The items of the list that is read. Each thread has its own.
#[derive(Default)]
pub struct SeenItems {
    /// For each number, the last list in which its item was met, from 1; 0 for none.
    last_lists: Vec<u16>,
    /// The number of the list. The numbers start anew after the largest one, so that few bytes are kept for an item.
    list: u16,
}

impl SeenItems {
    /// Begins a list of items whose numbers are below `items`.
    fn begin(&mut self, items: usize) -> Result<(), Error> {
        self.list = self.list.wrapping_add(1);
        if self.list == 0 {
            self.last_lists.fill(0);
            self.list = 1;
        }
        if self.last_lists.len() < items { self.last_lists.try_resize(items, 0) } else { Ok(()) }
    }

    /// Adds the item with this number to the list. Returns whether it is the first one.
    #[inline]
    fn add(&mut self, number: u32) -> bool {
        let last_list = &mut self.last_lists[number as usize];
        std::mem::replace(last_list, self.list) != self.list
    }

    /// Whether the list has the item with this number.
    #[inline]
    pub fn has(&self, number: u32) -> bool {
        self.last_lists.get(number as usize) == Some(&self.list)
    }
}

impl<'a, B: Items> ItemNumbers<'a, B> {
    /// No numbers yet. Most items are expected to be among those of `expected` in the first column.
    pub fn new(columns: &'a [ItemColumn<'a, B>], expected: Range<usize>) -> Result<Self, Error> {
        let exact = columns.iter().all(|column| matches!(column, ItemColumn::Fixed(_) | ItemColumn::Nulls));
        let (mut near, mut least) = (Vec::new(), 0);
        if exact {
            let most = expected.len().saturating_mul(SPARSEST);
            let tags = || expected.clone().filter_map(|index| columns[0].tag(index));
            least = tags().min().unwrap_or(0);
            let span = tags().max().and_then(|greatest| usize::try_from(greatest.checked_sub(least)?).ok());
            if let Some(span) = span.filter(|span| *span < most) {
                near.try_resize(span + 1, NO_ITEM)?;
            }
        }
        Ok(Self { columns, exact, near, least, slots: Vec::new(), taken: 0, met: Vec::new() })
    }

    /// How many distinct items were met.
    pub fn len(&self) -> usize {
        self.met.len()
    }

    /// Adds the numbers of the items of a list that are below `limit` to `numbers`, in their order. A repeated item counts once,
    /// at its first place. A NULL is [`NO_ITEM`]. Items without a number are left out; returns whether there are any. There is
    /// room for all numbers.
    pub fn read(
        &self,
        column: usize,
        list: Range<usize>,
        seen: &mut SeenItems,
        limit: usize,
        numbers: &mut Vec<u32>,
    ) -> Result<bool, Error> {
        seen.begin(self.len())?;
        let mut has_unknown = false;
        for start in list.clone().step_by(BLOCK) {
            let block = start..list.end.min(start + BLOCK);
            if !self.slots.is_empty() {
                self.load_slots(column, block.clone());
            }
            for index in block {
                match self.find(column, index) {
                    Some(number) if number as usize >= limit => {}
                    Some(number) if number == NO_ITEM || seen.add(number) => numbers.push(number),
                    Some(_) => {}
                    None => has_unknown = true,
                }
            }
        }
        Ok(has_unknown)
    }

    /// Reads the slots at which the searches for items start, all at once, so that the processor does not wait for one after
    /// the other.
    fn load_slots(&self, column: usize, block: Range<usize>) {
        let starts = block.filter_map(|index| self.columns[column].tag(index)).map(|tag| self.start(tag));
        std::hint::black_box(starts.filter(|slot| self.slots[*slot].number != NO_ITEM).count());
    }

    /// Gives the item a number unless it has one. Returns whether it is a new item; `None` for NULL.
    pub fn add(&mut self, column: usize, index: usize) -> Result<Option<bool>, Error> {
        let Some(tag) = self.columns[column].tag(index) else { return Ok(None) };
        let place = self.near_place(tag);
        if place < self.near.len() {
            let is_new = self.near[place] == NO_ITEM;
            if is_new {
                self.near[place] = self.new_number(column, index)?;
            }
            return Ok(Some(is_new));
        }
        self.make_room(1)?;
        let slot = self.search(tag, self.columns[column].bytes(index)).err();
        if let Some(slot) = slot {
            let number = self.new_number(column, index)?;
            self.slots[slot] = Slot { tag, number };
            self.taken += 1;
        }
        Ok(Some(slot.is_some()))
    }

    /// The place of an integer in [`Self::near`], or a number beyond all places.
    #[inline(always)]
    fn near_place(&self, tag: i64) -> usize {
        // An integer below the least one wraps around.
        usize::try_from(tag.wrapping_sub(self.least).cast_unsigned()).unwrap_or(usize::MAX)
    }

    /// The number of an item, [`NO_ITEM`] for NULL; `None` if the item has none.
    #[inline(always)]
    fn find(&self, column: usize, index: usize) -> Option<u32> {
        let Some(tag) = self.columns[column].tag(index) else { return Some(NO_ITEM) };
        match self.near.get(self.near_place(tag)) {
            Some(number) => (*number != NO_ITEM).then_some(*number),
            None => self.search(tag, self.columns[column].bytes(index)).ok(),
        }
    }

    /// The number of an item in the hash table, or the slot that is free for it.
    #[inline(never)]
    fn search(&self, tag: i64, bytes: &[u8]) -> Result<u32, usize> {
        if self.slots.is_empty() {
            return Err(0);
        }
        let mut slot = self.start(tag);
        loop {
            let Slot { tag: other, number } = self.slots[slot];
            if number == NO_ITEM {
                return Err(slot);
            }
            let has_bytes = || {
                let (column, place) = self.met[number as usize];
                self.columns[column].bytes(place) == bytes
            };
            if other == tag && (self.exact || has_bytes()) {
                return Ok(number);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// The number of the item at this index, which was not met before.
    fn new_number(&mut self, column: usize, index: usize) -> Result<u32, Error> {
        let new = u32::try_from(self.len()).ok().filter(|number| *number != NO_ITEM);
        let Some(number) = new else { bail!("there are more than {NO_ITEM} items") };
        self.met.try_push((column, index))?;
        Ok(number)
    }

    /// The slot at which the search for an item starts.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn start(&self, tag: i64) -> usize {
        mix(tag) as usize & (self.slots.len() - 1)
    }

    /// Makes room for so many more items in the hash table.
    #[inline]
    fn make_room(&mut self, more: usize) -> Result<(), Error> {
        let needed = (self.taken + more).saturating_mul(2);
        if needed <= self.slots.len() { Ok(()) } else { self.grow(needed) }
    }

    /// Makes a hash table of so many slots at least.
    #[cold]
    fn grow(&mut self, needed: usize) -> Result<(), Error> {
        let mut slots = Vec::new();
        slots.try_resize(needed.next_power_of_two(), FREE)?;
        let old = std::mem::replace(&mut self.slots, slots);
        let last = self.slots.len() - 1;
        for taken in old.into_iter().filter(|slot| slot.number != NO_ITEM) {
            let mut slot = self.start(taken.tag);
            while self.slots[slot].number != NO_ITEM {
                slot = (slot + 1) & last;
            }
            self.slots[slot] = taken;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::column::{Encoded, Fixed, Validity};

    /// Numbers of integers as a hash map gives them, in the order in which they are met; repeats within a list left out.
    fn by_map(lists: [&[i64]; 2]) -> Vec<Vec<u32>> {
        let mut numbers = HashMap::new();
        let mut of_list = |list: &[i64]| {
            let mut seen = Vec::new();
            for item in list {
                let new = u32::try_from(numbers.len()).unwrap();
                let number = *numbers.entry(*item).or_insert(new);
                if !seen.contains(&number) {
                    seen.push(number);
                }
            }
            seen
        };
        lists.map(&mut of_list).to_vec()
    }

    #[test]
    fn integers_near_each_other_and_far_apart_have_the_numbers_of_a_map() {
        let dense: Vec<i64> = (-20..30).collect();
        let sparse: Vec<i64> = (0..50).map(|item| item * 1000).collect();
        for catalogue in [&dense[..], &sparse, &[i64::MIN, 0, i64::MAX], &[7], &[]] {
            let others = [0, 1, -21, 30, 31, 7, 7, i64::MIN, i64::MAX, 1000, 0];
            let columns = [catalogue, &others].map(|items| {
                ItemColumn::<Encoded>::Fixed(Fixed { values: items.into(), validity: Validity::All })
            });
            let (mut numbers, mut seen) =
                (ItemNumbers::new(&columns, 0..catalogue.len()).unwrap(), SeenItems::default());
            let read = [(0, catalogue.len()), (1, others.len())].map(|(column, items)| {
                let mut list = Vec::new();
                let has_unknown = numbers.read(column, 0..items, &mut seen, usize::MAX, &mut list).unwrap();
                let new = (0..items).filter(|index| numbers.add(column, *index) == Ok(Some(true))).count();
                assert_eq!(has_unknown, new > 0);
                list.clear();
                assert_eq!(numbers.read(column, 0..items, &mut seen, usize::MAX, &mut list), Ok(false));
                list
            });
            assert_eq!(read.to_vec(), by_map([catalogue, &others]), "{catalogue:?}");
        }
    }
}
