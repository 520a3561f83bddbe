//! Writes lists of items to DuckDB's vectors.

use std::ffi::c_void;
use std::ops::Range;

use rankdcg_core::aggregate::{ListItem, RankedItems};
use rankdcg_core::{Error, Grow, float_of_bits};

use crate::api::{api, throwing};
use crate::handle::Vector;
use crate::layout::{Layout, Storage};
use crate::output::{LongTexts, entry, mark_nulls, reserve_elements};
use crate::text::Text;
use crate::vector::{ListEntry, SIGN_OF_64_BITS, SIGN_OF_128_BITS, Wide};

/// The lists of items of some groups.
pub struct ItemResults {
    /// DuckDB's vector of lists.
    list: Vector,
    /// The child vector of items.
    child: Vector,
    storage: Storage,
    /// The list entry of each row.
    entries: *mut ListEntry,
    /// The values of the child vector.
    values: *mut c_void,
    /// The item to be written next.
    next: usize,
    /// The end of the items for which there is memory.
    end: usize,
    /// The tags of the items of the current list: numbers that stand for items, unless these are byte strings.
    tags: Vec<i64>,
    /// The items of the current list that are not stored in place.
    texts: LongTexts,
    /// The indexes of items that are NULL.
    nulls: Vec<usize>,
    /// The rows of groups without items, whose list is NULL.
    empty: Vec<usize>,
}

impl ItemResults {
    /// Reserves memory for `count` items.
    ///
    /// # Safety
    /// `list` is flat, of lists of one of the types in [`crate::layout::ITEMS`] or of untyped NULLs, and outlives the
    /// results. DuckDB may throw.
    pub unsafe fn new(list: Vector, count: usize) -> Self {
        // SAFETY: the caller's promise. To reserve memory may move the child's values, so they are asked for after that.
        unsafe {
            let Range { start: next, end } = reserve_elements(list, count);
            let child = (api().list_vector_get_child)(list);
            Self {
                list,
                child,
                storage: Layout::of_vector(child).storage,
                entries: (api().vector_get_data)(list).cast(),
                values: (api().vector_get_data)(child),
                next,
                end,
                tags: Vec::new(),
                texts: LongTexts::default(),
                nulls: Vec::new(),
                empty: Vec::new(),
            }
        }
    }

    /// Writes the list of a group, except its long texts. The group must have been sorted.
    ///
    /// # Safety
    /// The vector has room for the row.
    pub unsafe fn put(&mut self, row: usize, group: &RankedItems) -> Result<(), Error> {
        /// The FLOAT whose tag this is: tags are made of floating point of 64 bits.
        #[allow(clippy::cast_possible_truncation)]
        fn single(tag: i64) -> f32 {
            float_of_bits(tag) as f32
        }
        let first = self.next;
        // Unsigned integers of 64 bits have a tag with the sign flipped, which gives tags the order of the items.
        // SAFETY: the caller's promises. Each type is that of the storage in its branch.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        unsafe {
            match self.storage {
                Storage::U8 => self.put_tags(group, |tag| tag as u8),
                Storage::I8 => self.put_tags(group, |tag| tag as i8),
                Storage::I16 => self.put_tags(group, |tag| tag as i16),
                Storage::U16 => self.put_tags(group, |tag| tag as u16),
                Storage::I32 => self.put_tags(group, |tag| tag as i32),
                Storage::U32 => self.put_tags(group, |tag| tag as u32),
                Storage::I64 => self.put_tags(group, |tag| tag),
                Storage::U64 => self.put_tags(group, |tag| tag.cast_unsigned() ^ SIGN_OF_64_BITS),
                Storage::F32 => self.put_tags(group, single),
                Storage::F64 => self.put_tags(group, float_of_bits),
                Storage::I128 => self.put_wide(group, SIGN_OF_128_BITS),
                Storage::U128 => self.put_wide(group, 0),
                Storage::Bytes => self.put_texts(group),
                // Untyped NULLs, for which `put_items` writes nothing.
                _ => self.put_items(group, |_, _, _| Err(other_form())),
            }?;
            if self.next == first {
                self.empty.try_push(row)?;
            }
            self.entries.add(row).write(entry(first, self.next));
        }
        Ok(())
    }

    /// Passes the items of a group one by one to `write`, with their indexes in the child vector, where there is memory
    /// for them. Keeps the indexes of NULLs instead. Passes no more items after an error, which it returns.
    fn put_items(
        &mut self,
        group: &RankedItems,
        mut write: impl FnMut(&mut Self, usize, ListItem) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut outcome = Ok(());
        group.for_each(|item| {
            let Ok(()) = outcome else { return };
            let index = self.next;
            outcome = match item {
                _ if index == self.end => Err(Error::internal("the items do not fit")),
                Some(item) => write(self, index, item),
                None => self.nulls.try_push(index),
            };
            self.next += 1;
        });
        outcome
    }

    /// Writes items that are tags: for each, the `value` for which its tag stands.
    ///
    /// # Safety
    /// The child vector is one of values of type `T`.
    unsafe fn put_tags<T>(&mut self, group: &RankedItems, value: impl Fn(i64) -> T) -> Result<(), Error> {
        // Tags are collected first, so that the loop over the items is compiled for one type only.
        self.tags.clear();
        let first = self.next;
        self.collect_tags(group)?;
        for (index, tag) in (first..).zip(&self.tags) {
            // SAFETY: the caller's promise. There is memory for the item.
            unsafe { self.values.cast::<T>().add(index).write(value(*tag)) };
        }
        Ok(())
    }

    /// Collects the tags of items, with 0 for a NULL before another item. NULLs after the last item have none.
    fn collect_tags(&mut self, group: &RankedItems) -> Result<(), Error> {
        let first = self.next;
        self.put_items(group, |results, index, item| {
            let ListItem::Tag(tag) = item else { return Err(other_form()) };
            results.tags.try_resize(index - first, 0)?;
            results.tags.try_push(tag)
        })
    }

    /// Writes items of 128 bits, which are byte strings here. The bits in `flipped` were flipped to give these the
    /// order of the items, and are flipped back.
    ///
    /// # Safety
    /// The child vector is one of values of 128 bits.
    unsafe fn put_wide(&mut self, group: &RankedItems, flipped: u128) -> Result<(), Error> {
        self.put_items(group, |results, index, item| {
            let ListItem::Bytes(bytes) = item else { return Err(other_form()) };
            let bits = bytes.try_into().map_or(0, u128::from_be_bytes); // they are always 16 bytes
            // SAFETY: the caller's promise. There is memory for the item.
            unsafe { results.values.cast::<Wide>().add(index).write(Wide::of(bits ^ flipped)) };
            Ok(())
        })
    }

    /// Writes short byte strings, and keeps long ones.
    ///
    /// # Safety
    /// The child vector is one of byte strings.
    unsafe fn put_texts(&mut self, group: &RankedItems) -> Result<(), Error> {
        self.put_items(group, |results, index, item| {
            let ListItem::Bytes(bytes) = item else { return Err(other_form()) };
            match Text::inlined(bytes) {
                // SAFETY: the caller's promise. There is memory for the item.
                Some(text) => unsafe { results.values.cast::<Text>().add(index).write(text) },
                None => return results.texts.push(index, bytes),
            }
            Ok(())
        })
    }

    /// Writes the long texts of the current list.
    ///
    /// # Safety
    /// DuckDB may throw.
    pub unsafe fn write_long_texts(&mut self) {
        // SAFETY: the child vector is one of byte strings if there are texts, and has room for each of them.
        unsafe { self.texts.write(self.child) };
    }

    /// Marks NULLs, and sets the size of DuckDB's child vector.
    ///
    /// # Safety
    /// DuckDB may throw.
    pub unsafe fn finish(self) {
        // SAFETY: the vectors are those that `new` was given, and have room for the rows.
        unsafe {
            mark_nulls(self.child, self.nulls);
            mark_nulls(self.list, self.empty);
            (throwing().list_vector_set_size)(self.list, self.next as u64);
        }
    }
}

/// The error for items in a form that does not fit the vector.
#[cold]
fn other_form() -> Error {
    Error::internal("items came in two forms")
}
