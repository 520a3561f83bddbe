//! The items of several columns as numbers: equal items, and only these, have equal numbers.

use std::ops::Range;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::column::{ItemColumn, Items};
use crate::error::{Error, bail};
use crate::item_measures::rankings::NO_ITEM;
use crate::memory::{Grow, make_room_for};
use crate::ranking::lookup::mix;

/// Numbers for the items of these columns, from 0 in the order in which items are met.
pub struct ItemNumbers<'a, B> {
    columns: &'a [ItemColumn<'a, B>],
    /// Whether items with equal tags are equal, because no column has byte strings.
    exact: bool,
    /// The tag of each distinct item, and its number. Small entries make lookups faster.
    known: HashTable<(i64, u32)>,
    /// For each number, a column and an index at which its item is, and the last list in which it was met.
    met: Vec<(usize, usize, usize)>,
    /// How many lists were read.
    lists: usize,
}

impl<'a, B: Items> ItemNumbers<'a, B> {
    pub fn new(columns: &'a [ItemColumn<'a, B>]) -> Self {
        let exact = columns.iter().all(|column| matches!(column, ItemColumn::Fixed(_) | ItemColumn::Nulls));
        Self { columns, exact, known: HashTable::new(), met: Vec::new(), lists: 0 }
    }

    /// How many distinct items were met.
    pub fn len(&self) -> usize {
        self.met.len()
    }

    /// Adds the numbers of the items of a list, in their order, to `numbers`. A repeated item counts once, at its first
    /// place. A NULL is [`NO_ITEM`].
    pub fn read(&mut self, column: usize, list: Range<usize>, numbers: &mut Vec<u32>) -> Result<(), Error> {
        self.lists += 1;
        numbers.make_room(list.len())?;
        let hash = |entry: &(i64, u32)| mix(entry.0);
        make_room_for::<(i64, u32), _>(list.len(), || self.known.try_reserve(list.len(), hash))?;
        for index in list {
            let Some(number) = self.number(column, index)? else {
                numbers.push(NO_ITEM);
                continue;
            };
            let (.., list_before) = &mut self.met[number as usize];
            if *list_before != self.lists {
                *list_before = self.lists;
                numbers.push(number);
            }
        }
        Ok(())
    }

    /// The number of an item, for which there is room; `None` for NULL.
    #[inline]
    fn number(&mut self, column: usize, index: usize) -> Result<Option<u32>, Error> {
        let Self { columns, exact, known, met, .. } = self;
        let Some((tag, bytes)) = item(&columns[column], index) else { return Ok(None) };
        let equal = |(other, number): &(i64, u32)| {
            *other == tag
                && (*exact || {
                    let (column, place, _) = met[*number as usize];
                    item(&columns[column], place).is_some_and(|(_, other)| other == bytes)
                })
        };
        match known.entry(mix(tag), equal, |entry| mix(entry.0)) {
            Entry::Occupied(entry) => Ok(Some(entry.get().1)),
            Entry::Vacant(free) => {
                let number = u32::try_from(met.len()).ok().filter(|number| *number != NO_ITEM);
                let Some(number) = number else { bail!("there are more than {NO_ITEM} items") };
                free.insert((tag, number));
                met.try_push((column, index, 0))?;
                Ok(Some(number))
            }
        }
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
