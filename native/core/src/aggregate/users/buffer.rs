//! Rows of one partition, stored in blocks.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::aggregate::join::Item;
use crate::aggregate::users::short_text::ShortText;
use crate::column::{Items, hash};
use crate::error::Error;
use crate::memory::Grow;

/// Rows, each of which has a user of type `K` and a value of type `V`. They are stored in blocks, so that earlier rows
/// are not moved when later ones arrive.
#[derive(Default)]
pub struct RowBuffer<K, V> {
    /// The blocks; rows are added to the last one.
    pub blocks: Vec<RowBlock<K, V>>,
}

/// A block of up to 1024 rows. Consecutive rows of one user are a run, and the user is stored once for each run.
#[derive(Default)]
pub struct RowBlock<K, V> {
    /// The index of the first row of each run, from 0 and ascending.
    starts: Vec<u16>,
    /// The user of each run.
    pub users: Vec<K>,
    /// The bytes of the user of each run; empty if `users` say all.
    pub user_bytes: ByteColumn,
    pub values: Vec<V>,
    /// The bytes of the item of each row; empty if the values say all, or if rows have no items.
    pub item_bytes: ByteColumn,
    /// The relevance of each row of a judged item; empty while all are 1.
    pub rels: Vec<f64>,
}

/// A user or an item as rows store it.
///
/// An integer is stored as it is. A byte string is stored as a hash, called tag, and beside it as bytes, which tell apart
/// those whose hashes collide. If all users and all items are short texts, they are stored as such.
pub trait StoredId: Copy + Default + Eq {
    /// Whether bytes are stored beside it, if it stands for a byte string.
    const HAS_BYTES: bool;

    /// The id in a row of a column; the default for NULL.
    fn read(column: &impl Items, row: usize) -> Self;

    /// A number that is equal for equal ids.
    fn tag(self) -> i64;

    /// The bytes of the byte string that it stands for: `beside`, which are stored beside it, or its own. `None` for an
    /// integer.
    fn bytes_with<'b>(&'b self, beside: Option<&'b [u8]>) -> Option<&'b [u8]>;
}

impl StoredId for i64 {
    const HAS_BYTES: bool = true;

    #[inline]
    fn read(column: &impl Items, row: usize) -> Self {
        column.tag(row).unwrap_or_default()
    }

    #[inline]
    fn tag(self) -> i64 {
        self
    }

    fn bytes_with<'b>(&'b self, beside: Option<&'b [u8]>) -> Option<&'b [u8]> {
        beside
    }
}

impl StoredId for ShortText {
    const HAS_BYTES: bool = false;

    #[inline]
    fn read(column: &impl Items, row: usize) -> Self {
        if column.is_valid(row) { Self::new(column.bytes(row)) } else { Self::default() }
    }

    #[inline]
    fn tag(self) -> i64 {
        Item::tag(&self)
    }

    fn bytes_with<'b>(&'b self, _: Option<&'b [u8]>) -> Option<&'b [u8]> {
        Some(Item::bytes(self))
    }
}

/// The bytes to store beside the id in a row of a column; `None` for NULL, if ids of this form have none beside them
/// (`HAS_BYTES`), and if the tags of the column are its values and no hashes of them (`EXACT`).
#[inline]
pub fn bytes_beside<K: StoredId, I: Items>(column: &I, row: usize) -> Option<&[u8]> {
    (K::HAS_BYTES && !I::EXACT && column.is_valid(row)).then(|| column.bytes(row))
}

/// A sequence of byte strings, concatenated; empty if none are stored.
#[derive(Default)]
pub struct ByteColumn {
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

/// A user, and the bytes that are stored beside it.
pub type UserKey<'a, K> = (K, Option<&'a [u8]>);

impl<K: StoredId, V: Default> RowBlock<K, V> {
    const ROWS: usize = 1024;

    /// An empty block to follow `before`, with room for as much as that one holds. The first block of a buffer starts
    /// without room: the buffer may stay small.
    fn after(before: Option<&Self>) -> Result<Self, Error> {
        let mut block = Self::default();
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
    fn ends_with(&self, (user, bytes): UserKey<K>) -> bool {
        self.users.last() == Some(&user)
            && (bytes.is_none() || self.user_bytes.get(self.users.len() - 1) == bytes)
    }

    /// The indexes of the rows of a run.
    #[inline]
    pub fn rows(&self, run: usize) -> Range<usize> {
        let end = self.starts.get(run + 1).map_or(self.values.len(), |start| usize::from(*start));
        usize::from(self.starts[run])..end
    }
}

impl<K: StoredId, V: Default> RowBuffer<K, V> {
    /// Adds a row; `item_bytes` are those to store beside the value.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    pub fn push(&mut self, user_key: UserKey<K>, value: V, item_bytes: Option<&[u8]>) -> Result<(), Error> {
        let (user, user_bytes) = user_key;
        if self.blocks.last().is_none_or(|block| !block.has_room(user_bytes, item_bytes)) {
            self.blocks.try_push(RowBlock::after(self.blocks.last())?)?;
        }
        let Some(block) = self.blocks.last_mut() else { return Ok(()) };
        if !block.ends_with(user_key) {
            block.starts.try_push(block.values.len() as u16)?;
            block.users.try_push(user)?;
            block.user_bytes.push(user_bytes)?;
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
        let user_bytes = |row| bytes_beside::<K, U>(users, row);
        let length = |bytes: Option<&[u8]>| bytes.map_or(0, <[u8]>::len);
        let item_length = |row: &usize| length(item_bytes(*row));
        let user_length = |row: &usize| length(user_bytes(*row));
        let items_have_bytes = rows.first().is_some_and(|row| item_bytes(*row).is_some());
        while let Some(first) = rows.first() {
            if self.blocks.last().is_none_or(|block| !block.has_room(user_bytes(*first), item_bytes(*first)))
            {
                self.blocks.try_push(RowBlock::after(self.blocks.last())?)?;
            }
            let Some(block) = self.blocks.last_mut() else { return Ok(()) };
            let start = block.values.len();
            let mut count = rows.len().min(RowBlock::<K, V>::ROWS - start);
            let mut item_total =
                if items_have_bytes { rows[..count].iter().map(item_length).sum() } else { 0 };
            let users_have_bytes = K::HAS_BYTES && !U::EXACT;
            if !block.item_bytes.has_room(item_total)
                || users_have_bytes && !block.user_bytes.has_room(rows[..count].iter().map(user_length).sum())
            {
                // Long texts: one row at a time, because the first one is known to fit.
                (count, item_total) = (1, item_length(first));
            }
            let (now, later) = rows.split_at(count);
            let mut row_before = None;
            for (row, place) in now.iter().zip(start as u16..) {
                let is_same_user = match row_before {
                    Some(before) => users.are_equal(before, *row),
                    None => block.ends_with((K::read(users, *row), user_bytes(*row))),
                };
                if !is_same_user {
                    block.starts.try_push(place)?;
                    block.users.try_push(K::read(users, *row))?;
                    block.user_bytes.push(user_bytes(*row))?;
                }
                row_before = Some(*row);
            }
            block.values.try_extend(now.iter().map(|row| value(*row)))?;
            if items_have_bytes {
                let items = now.iter().map(|row| item_bytes(*row).unwrap_or_default());
                block.item_bytes.extend(item_total, items)?;
            }
            self.push_rels(now, &rel)?;
            rows = later;
        }
        Ok(())
    }

    /// Adds the relevances of `rows`, the last of the last block. They are stored once one of the block is not 1.
    #[inline]
    fn push_rels(&mut self, rows: &[usize], rel: impl Fn(usize) -> f64) -> Result<(), Error> {
        let Some(RowBlock { values, rels, .. }) = self.blocks.last_mut() else { return Ok(()) };
        if !rels.is_empty() || rows.iter().any(|row| rel(*row) != 1.0) {
            rels.try_resize(values.len() - rows.len(), 1.0)?;
            rels.try_extend(rows.iter().map(|row| rel(*row)))?;
        }
        Ok(())
    }

    /// The same rows with users and items as tags and bytes. `value` converts a value, and gives the bytes of its item.
    pub fn with_bytes<'a, W: Default>(
        &'a self,
        value: impl Fn(&'a V) -> (W, Option<&'a [u8]>),
    ) -> Result<RowBuffer<i64, W>, Error> {
        let mut rows = RowBuffer::default();
        for block in &self.blocks {
            for (run, user) in block.users.iter().enumerate() {
                let bytes = user.bytes_with(block.user_bytes.get(run));
                let user = (bytes.map_or(user.tag(), hash), bytes);
                for row in block.rows(run) {
                    let (value, item_bytes) = value(&block.values[row]);
                    rows.push(user, value, item_bytes)?;
                    rows.push_rels(&[row], |row| block.rels.get(row).copied().unwrap_or(1.0))?;
                }
            }
        }
        Ok(rows)
    }

    pub fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.values.len()).sum()
    }

    /// Whether items are byte strings; `false` without rows.
    pub fn items_are_texts(&self) -> bool {
        self.blocks.first().is_some_and(|block| !block.item_bytes.ends.is_empty())
    }
}

/// An item that is a byte string, borrowed from a block or a column, with its tag. The order is that of bytes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct BorrowedBytes<'a> {
    pub tag: i64,
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

    fn tag(&self) -> i64 {
        self.tag
    }

    fn bytes(&self) -> &[u8] {
        self.bytes
    }
}

/// An item in the form in which rows are grouped by user: a number, a short text, or bytes that are borrowed for `'a`.
pub trait UserItem<'a>: Item + Copy + Default {
    /// The form in which rows store it.
    type Stored: StoredId;

    /// The item of a row of a block: `stored`, and the bytes that the block has beside it.
    fn from_block<V>(block: &'a RowBlock<Self::Stored, V>, row: usize, stored: Self::Stored) -> Self;

    /// The item in a row of a column; `None` for NULL.
    fn read(items: &'a impl Items, row: usize) -> Option<Self>;

    /// The form in which rows store it, and the bytes beside it.
    fn stored(&self) -> (Self::Stored, Option<&[u8]>);
}

impl UserItem<'_> for i64 {
    type Stored = i64;

    fn from_block<V>(_: &RowBlock<i64, V>, _: usize, stored: i64) -> Self {
        stored
    }

    fn read(items: &impl Items, row: usize) -> Option<Self> {
        items.tag(row)
    }

    fn stored(&self) -> (i64, Option<&[u8]>) {
        (*self, None)
    }
}

impl UserItem<'_> for ShortText {
    type Stored = ShortText;

    fn from_block<V>(_: &RowBlock<ShortText, V>, _: usize, stored: ShortText) -> Self {
        stored
    }

    fn read(items: &impl Items, row: usize) -> Option<Self> {
        items.is_valid(row).then(|| Self::new(items.bytes(row)))
    }

    fn stored(&self) -> (ShortText, Option<&[u8]>) {
        (*self, None)
    }
}

impl<'a> UserItem<'a> for BorrowedBytes<'a> {
    type Stored = i64;

    fn from_block<V>(block: &'a RowBlock<i64, V>, row: usize, tag: i64) -> Self {
        Self { tag, bytes: block.item_bytes.get(row).unwrap_or_default() }
    }

    fn read(items: &'a impl Items, row: usize) -> Option<Self> {
        items.tag(row).map(|tag| Self { tag, bytes: items.bytes(row) })
    }

    fn stored(&self) -> (i64, Option<&[u8]>) {
        (self.tag, Some(self.bytes))
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
