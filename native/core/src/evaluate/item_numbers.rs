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
    /// The last list in which the item was met, from 1; 0 for none.
    list: u32,
}

const FREE: Slot = Slot { tag: 0, number: NO_ITEM, list: 0 };

/// How many items are looked up together.
const BLOCK: usize = 16;

/// Numbers for the items of these columns, from 0 in the order in which items are met.
pub struct ItemNumbers<'a, B> {
    columns: &'a [ItemColumn<'a, B>],
    /// Whether items with equal tags are equal, because no column has byte strings.
    exact: bool,
    /// A hash table with open addressing. The number of slots is 0 or a power of two, and at most half of them are taken.
    slots: Vec<Slot>,
    /// For each number, a column and an index at which its item is.
    met: Vec<(usize, usize)>,
    /// How many lists were read.
    lists: u32,
}

impl<'a, B: Items> ItemNumbers<'a, B> {
    pub fn new(columns: &'a [ItemColumn<'a, B>]) -> Self {
        let exact = columns.iter().all(|column| matches!(column, ItemColumn::Fixed(_) | ItemColumn::Nulls));
        Self { columns, exact, slots: Vec::new(), met: Vec::new(), lists: 0 }
    }

    /// How many distinct items were met.
    pub fn len(&self) -> usize {
        self.met.len()
    }

    /// Adds the numbers of the items of a list, in their order, to `numbers`. A repeated item counts once, at its first
    /// place. A NULL is [`NO_ITEM`].
    pub fn read(&mut self, column: usize, list: Range<usize>, numbers: &mut Vec<u32>) -> Result<(), Error> {
        let Some(lists) = self.lists.checked_add(1) else { bail!("there are more than {} lists", u32::MAX) };
        self.lists = lists;
        numbers.make_room(list.len())?;
        for start in list.clone().step_by(BLOCK) {
            let block = start..list.end.min(start + BLOCK);
            self.make_room(BLOCK)?;
            // The slots at which searches start are read at once, so that the processor does not wait for one after the
            // other.
            let mut starts = [0; BLOCK];
            let mut taken = 0;
            for (slot, index) in starts.iter_mut().zip(block.clone()) {
                *slot = item(&self.columns[column], index).map_or(0, |(tag, _)| self.start(tag));
                taken += usize::from(self.slots[*slot].number != NO_ITEM);
            }
            std::hint::black_box(taken);
            for (slot, index) in starts.into_iter().zip(block) {
                match self.find_or_add(column, index, slot)? {
                    None => numbers.push(NO_ITEM),
                    Some(slot) if slot.list == lists => {}
                    Some(slot) => {
                        slot.list = lists;
                        numbers.push(slot.number);
                    }
                }
            }
        }
        Ok(())
    }

    /// Gives the item a number unless it has one. Returns whether it is a new item; `None` for NULL.
    pub fn add(&mut self, column: usize, index: usize) -> Result<Option<bool>, Error> {
        let before = self.len();
        self.make_room(1)?;
        let start = item(&self.columns[column], index).map_or(0, |(tag, _)| self.start(tag));
        let is_item = self.find_or_add(column, index, start)?.is_some();
        Ok(is_item.then(|| self.len() > before))
    }

    /// The slot of an item, a new one if there is none; `None` for NULL. There is room for it. The search starts at `slot`.
    #[inline]
    fn find_or_add(
        &mut self,
        column: usize,
        index: usize,
        mut slot: usize,
    ) -> Result<Option<&mut Slot>, Error> {
        let Self { columns, exact, slots, met, .. } = self;
        let Some((tag, bytes)) = item(&columns[column], index) else { return Ok(None) };
        let last = slots.len() - 1;
        loop {
            let Slot { tag: other, number, .. } = slots[slot];
            if number == NO_ITEM {
                let new = u32::try_from(met.len()).ok().filter(|number| *number != NO_ITEM);
                let Some(number) = new else { bail!("there are more than {NO_ITEM} items") };
                met.try_push((column, index))?;
                slots[slot] = Slot { tag, number, list: 0 };
                break;
            }
            let has_bytes = || {
                let (column, place) = met[number as usize];
                item(&columns[column], place).is_some_and(|(_, other)| other == bytes)
            };
            if other == tag && (*exact || has_bytes()) {
                break;
            }
            slot = (slot + 1) & last;
        }
        Ok(Some(&mut slots[slot]))
    }

    /// The slot at which the search for an item starts.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn start(&self, tag: i64) -> usize {
        mix(tag) as usize & (self.slots.len() - 1)
    }

    /// Makes room for so many more items.
    fn make_room(&mut self, more: usize) -> Result<(), Error> {
        let needed = (self.met.len() + more).saturating_mul(2);
        if needed <= self.slots.len() {
            return Ok(());
        }
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

/// The tag and the bytes of an item; no bytes if tags are exact.
fn item<'a, B: Items>(column: &'a ItemColumn<'_, B>, index: usize) -> Option<(i64, &'a [u8])> {
    match column {
        ItemColumn::Fixed(items) => items.tag(index).map(|tag| (tag, &[][..])),
        ItemColumn::Bytes(items) => items.tag(index).map(|tag| (tag, items.bytes(index))),
        ItemColumn::Encoded(items) => items.tag(index).map(|tag| (tag, items.bytes(index))),
        ItemColumn::Nulls => None,
    }
}
