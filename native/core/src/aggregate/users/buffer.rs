//! Rows of one partition, stored in blocks.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::aggregate::merge::Item;
use crate::column::Items;
use crate::error::Error;
use crate::memory::Grow;

/// Rows, each of which has a user and a value of type `V`. They are stored in blocks, so that earlier rows are not
/// moved when later ones arrive.
pub struct RowBuffer<V> {
    /// The blocks; rows are added to the last one.
    pub blocks: Vec<RowBlock<V>>,
}

/// A block of up to 1024 rows. Consecutive rows of one user are a run, and the user is stored once for each run. Users
/// and items that are byte strings are stored as hashes, called tags, and as bytes, which tell apart those whose hashes
/// collide.
pub struct RowBlock<V> {
    /// The index of the first row of each run, from 0 and ascending.
    starts: Vec<u16>,
    /// The tag of the user of each run.
    pub users: Vec<i64>,
    /// The bytes of the user of each run; empty if users are integers or NULL.
    pub user_bytes: ByteColumn,
    /// The value of each row.
    pub values: Vec<V>,
    /// The bytes of the item of each row; empty if items are their tags, or if rows have none.
    pub item_bytes: ByteColumn,
    /// The relevance of each row of a judged item; empty while all are 1.
    pub rels: Vec<f64>,
}

/// A sequence of byte strings, concatenated; empty if tags say all.
#[derive(Default)]
pub struct ByteColumn {
    /// The concatenated byte strings.
    bytes: Vec<u8>,
    /// The offset in `bytes` at which each byte string ends.
    ends: Vec<u32>,
}

impl ByteColumn {
    /// Makes room for as many byte strings, of as many bytes in total, as `others` has.
    fn make_room_like(&mut self, others: &Self) -> Result<(), Error> {
        self.bytes.make_exact_room(others.bytes.len())?;
        self.ends.make_exact_room(others.ends.len())
    }

    /// Whether offsets of 32 bits still suffice after so many bytes.
    fn has_room(&self, bytes: usize) -> bool {
        u32::try_from(self.bytes.len() + bytes).is_ok()
    }

    /// Adds a byte string, if there is one. [`ByteColumn::has_room`] must have returned true for it.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    pub fn push(&mut self, bytes: Option<&[u8]>) -> Result<(), Error> {
        if let Some(bytes) = bytes {
            self.bytes.make_room(bytes.len())?;
            self.bytes.extend_from_slice(bytes);
            self.ends.try_push(self.bytes.len() as u32)?;
        }
        Ok(())
    }

    /// Adds byte strings of `total` bytes together. [`ByteColumn::has_room`] must have returned true for so many bytes.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn extend<'b>(
        &mut self,
        total: usize,
        strings: impl ExactSizeIterator<Item = &'b [u8]>,
    ) -> Result<(), Error> {
        self.bytes.make_room(total)?;
        self.ends.make_room(strings.len())?;
        for bytes in strings {
            self.bytes.extend_from_slice(bytes);
            self.ends.push(self.bytes.len() as u32);
        }
        Ok(())
    }

    /// The byte string at `index`; `None` if the sequence is empty.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[start as usize..end as usize])
    }
}

impl<V> Default for RowBuffer<V> {
    fn default() -> Self {
        Self { blocks: Vec::new() }
    }
}

/// The tag of a user, and its bytes; `None` if the user is an integer or NULL.
pub type UserKey<'a> = (i64, Option<&'a [u8]>);

impl<V> RowBlock<V> {
    /// How many rows a block holds at most.
    const ROWS: usize = 1024;

    /// An empty block to follow `before`, with room for as much as that one holds. The first block of a buffer starts
    /// without room: the buffer may stay small.
    fn after(before: Option<&Self>) -> Result<Self, Error> {
        let mut block = Self {
            starts: Vec::new(),
            users: Vec::new(),
            user_bytes: ByteColumn::default(),
            values: Vec::new(),
            item_bytes: ByteColumn::default(),
            rels: Vec::new(),
        };
        if let Some(before) = before {
            block.starts.make_exact_room(before.starts.len())?;
            block.users.make_exact_room(before.users.len())?;
            block.user_bytes.make_room_like(&before.user_bytes)?;
            block.values.make_exact_room(Self::ROWS)?;
            block.item_bytes.make_room_like(&before.item_bytes)?;
            block.rels.make_exact_room(before.rels.len())?;
        }
        Ok(block)
    }

    /// Whether one more row fits.
    fn has_room(&self, user_bytes: Option<&[u8]>, item_bytes: Option<&[u8]>) -> bool {
        self.values.len() < Self::ROWS
            && self.user_bytes.has_room(user_bytes.map_or(0, <[u8]>::len))
            && self.item_bytes.has_room(item_bytes.map_or(0, <[u8]>::len))
    }

    /// Whether the last row has this user.
    #[inline]
    fn is_last(&self, (tag, bytes): UserKey) -> bool {
        self.users.last() == Some(&tag)
            && (bytes.is_none() || self.user_bytes.get(self.users.len() - 1) == bytes)
    }

    /// The indexes of the rows of a run.
    #[inline]
    pub fn rows(&self, run: usize) -> Range<usize> {
        let end = self.starts.get(run + 1).map_or(self.values.len(), |start| usize::from(*start));
        usize::from(self.starts[run])..end
    }
}

impl<V> RowBuffer<V> {
    /// Adds a row; `item_bytes` is `None` for items that are integers or NULL.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    pub fn push(&mut self, user: UserKey, value: V, item_bytes: Option<&[u8]>) -> Result<(), Error> {
        if self.blocks.last().is_none_or(|block| !block.has_room(user.1, item_bytes)) {
            self.blocks.try_push(RowBlock::after(self.blocks.last())?)?;
        }
        let Some(block) = self.blocks.last_mut() else { return Ok(()) };
        if !block.is_last(user) {
            block.starts.try_push(block.values.len() as u16)?;
            block.users.try_push(user.0)?;
            block.user_bytes.push(user.1)?;
        }
        block.values.try_push(value)?;
        block.item_bytes.push(item_bytes)
    }

    /// Adds the given rows of a chunk. `value`, `item_bytes` and `rel` are called with row indexes of the chunk.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    pub fn extend<'r, U: Items>(
        &mut self,
        users: &U,
        mut rows: &[usize],
        value: impl Fn(usize) -> V,
        item_bytes: impl Fn(usize) -> Option<&'r [u8]>,
        rel: impl Fn(usize) -> f64,
    ) -> Result<(), Error> {
        let tag = |row| users.tag(row).unwrap_or_default();
        let user_bytes = |row| (!U::EXACT && users.is_valid(row)).then(|| users.bytes(row));
        let of_item = |row: &usize| item_bytes(*row).unwrap_or_default();
        let have_bytes = rows.first().is_some_and(|row| item_bytes(*row).is_some());
        while let Some(first) = rows.first() {
            if self.blocks.last().is_none_or(|block| !block.has_room(user_bytes(*first), item_bytes(*first)))
            {
                self.blocks.try_push(RowBlock::after(self.blocks.last())?)?;
            }
            let Some(block) = self.blocks.last_mut() else { return Ok(()) };
            let start = block.values.len();
            let mut fits = rows.len().min(RowBlock::<V>::ROWS - start);
            let length = |bytes: Option<&[u8]>| bytes.map_or(0, <[u8]>::len);
            let lengths = |total: usize, row: &usize| total + length(item_bytes(*row));
            let mut total = if have_bytes { rows[..fits].iter().fold(0, lengths) } else { 0 };
            let of_users = |rows: &[usize]| rows.iter().map(|row| length(user_bytes(*row))).sum();
            if !block.item_bytes.has_room(total)
                || !U::EXACT && !block.user_bytes.has_room(of_users(&rows[..fits]))
            {
                // Long texts: one row at a time, because the first one is known to fit.
                (fits, total) = (1, length(item_bytes(*first)));
            }
            let (now, later) = rows.split_at(fits);
            // As many as there are runs if no two rows that follow one another have the same user.
            block.starts.make_room(now.len())?;
            block.users.make_room(now.len())?;
            let mut before = None;
            for (row, start) in now.iter().zip(start as u16..) {
                let is_same = match before {
                    Some(before) => users.are_equal(before, *row),
                    None => block.is_last((tag(*row), user_bytes(*row))),
                };
                if !is_same {
                    block.starts.push(start);
                    block.users.push(tag(*row));
                    block.user_bytes.push(user_bytes(*row))?;
                }
                before = Some(*row);
            }
            block.values.try_extend(now.iter().map(|row| value(*row)))?;
            if have_bytes {
                block.item_bytes.extend(total, now.iter().map(of_item))?;
            }
            self.push_rels(now, &rel)?;
            rows = later;
        }
        Ok(())
    }

    /// Adds the relevances of `rows`, which were just added to the last block. Relevances are stored once one of the
    /// block is not 1.
    #[inline]
    fn push_rels(&mut self, rows: &[usize], rel: impl Fn(usize) -> f64) -> Result<(), Error> {
        let Some(RowBlock { values, rels, .. }) = self.blocks.last_mut() else { return Ok(()) };
        if !rels.is_empty() || rows.iter().any(|row| rel(*row) != 1.0) {
            rels.try_resize(values.len() - rows.len(), 1.0)?;
            rels.try_extend(rows.iter().map(|row| rel(*row)))?;
        }
        Ok(())
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.values.len()).sum()
    }

    /// Whether items are byte strings; `false` without rows.
    pub fn are_texts(&self) -> bool {
        self.blocks.first().is_some_and(|block| !block.item_bytes.ends.is_empty())
    }
}

/// An item that is a byte string, borrowed from a block or a column, with its tag. The order is that of bytes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct BorrowedBytes<'a> {
    /// The hash of the bytes.
    pub tag: i64,
    /// The bytes of the item.
    pub bytes: &'a [u8],
}

/// Hashes the tag alone. It is a hash of the bytes already, and the same hash over both would cancel out: a hash set would
/// have all items in one place.
impl Hash for BorrowedBytes<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_i64(self.tag);
    }
}

impl Ord for BorrowedBytes<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.bytes.cmp(other.bytes)
    }
}

impl PartialOrd for BorrowedBytes<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Item for BorrowedBytes<'_> {
    const EXACT: bool = false;

    fn try_clone(&self) -> Result<Self, Error> {
        Ok(*self)
    }

    fn tag(&self) -> i64 {
        self.tag
    }

    fn bytes(&self) -> &[u8] {
        self.bytes
    }
}

/// An item in the form in which rows are grouped by user: a number, or bytes that are borrowed for `'a`.
pub trait UserItem<'a>: Item + Copy + Default {
    /// The item of a row of a block, which has this tag.
    fn of<V>(block: &'a RowBlock<V>, row: usize, tag: i64) -> Self;

    /// The item of a row of a column, which has this tag.
    fn read(items: &'a impl Items, row: usize, tag: i64) -> Self;

    /// The bytes to store beside the tag; `None` if the tag is the item.
    fn bytes_to_keep(&self) -> Option<&[u8]> {
        (!Self::EXACT).then(|| self.bytes())
    }
}

impl UserItem<'_> for i64 {
    fn of<V>(_: &RowBlock<V>, _: usize, tag: i64) -> Self {
        tag
    }

    fn read(_: &impl Items, _: usize, tag: i64) -> Self {
        tag
    }
}

impl<'a> UserItem<'a> for BorrowedBytes<'a> {
    fn of<V>(block: &'a RowBlock<V>, row: usize, tag: i64) -> Self {
        Self { tag, bytes: block.item_bytes.get(row).unwrap_or_default() }
    }

    fn read(items: &'a impl Items, row: usize, tag: i64) -> Self {
        Self { tag, bytes: items.bytes(row) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::BuildHasher;

    use foldhash::fast::FixedState;

    use super::*;
    use crate::column::hash;

    #[test]
    fn different_items_have_different_hashes() {
        let texts: Vec<String> = (0..1000).map(|number| format!("item-{number:05}")).collect();
        let items =
            texts.iter().map(|text| BorrowedBytes { tag: hash(text.as_bytes()), bytes: text.as_bytes() });
        let hashes: HashSet<u64> = items.map(|item| FixedState::default().hash_one(item)).collect();
        assert_eq!(hashes.len(), texts.len());
    }
}
