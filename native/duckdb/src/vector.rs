//! DuckDB's vectors as the core's columns.

use std::borrow::Cow;
use std::ffi::c_void;
use std::ops::Range;

use rankdcg_core::{
    Column, Encoded, Error, Fixed, Grow, Integers, ItemColumn, Matching, Numbers, Type, Validity, collected,
    float_bits,
};

use crate::api::{api, children_are_flat, to_usize};
use crate::handle;
use crate::layout::{Layout, Storage};
use crate::text::{Text, Texts};

/// A flat vector with its layout, valid during the call to which DuckDB passed it.
pub struct Vector<'a> {
    handle: handle::Vector,
    /// The type of the values, and their memory layout.
    layout: &'a Layout,
    length: usize,
    /// The values, aligned for their storage.
    data: *const c_void,
    /// A copy of the values if those of DuckDB are not aligned, as they may be where it reads Arrow's memory in place.
    copy: Option<Vec<u64>>,
    /// One bit a value, least significant first, 1 for values that are not NULL; `None` if no value is NULL.
    mask: Option<Cow<'a, [u64]>>,
    /// Whether every value is NULL. Then there is nothing to read.
    all_null: bool,
}

/// `duckdb_list_entry`: the place of a list's elements in the child vector.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct ListEntry {
    pub offset: u64,
    pub length: u64,
}

/// `duckdb_interval`
#[derive(Clone, Copy)]
#[repr(C)]
struct Interval {
    months: i32,
    days: i32,
    micros: i64,
}

impl Interval {
    /// The bits of the length in microseconds, by which DuckDB compares intervals: months of 30 days, days of 24 hours.
    fn micros(&self) -> u128 {
        let days = i128::from(self.months) * 30 + i128::from(self.days);
        (days * 86_400_000_000 + i128::from(self.micros)).cast_unsigned()
    }
}

/// An integer of 128 bits, with the alignment of its halves.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Wide {
    low: u64,
    high: u64,
}

impl Wide {
    /// The integer with these bits.
    #[allow(clippy::cast_possible_truncation)]
    pub fn of(bits: u128) -> Self {
        Self { low: bits as u64, high: (bits >> 64) as u64 }
    }

    /// The value of an integer without sign.
    fn unsigned(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    /// The value of an integer with sign.
    fn signed(self) -> i128 {
        self.unsigned().cast_signed()
    }
}

/// The sign bit of integers of 64 bits. Flipping it brings integers without sign into the order of those with sign, and
/// the other way round.
pub const SIGN_OF_64_BITS: u64 = 1 << 63;
/// The sign bit of integers of 128 bits. Flipping it has the same effect on these.
pub const SIGN_OF_128_BITS: u128 = 1 << 127;

/// How many of the first `bits` bits are set.
fn count_set(words: &[u64], bits: usize) -> usize {
    let (whole, rest) = words.split_at(bits / 64);
    let whole: u32 = whole.iter().map(|word| word.count_ones()).sum();
    let rest = rest.first().map_or(0, |word| (word & !(u64::MAX << (bits % 64))).count_ones());
    (whole + rest) as usize
}

impl<'a> Vector<'a> {
    /// The first `length` values of a flat vector.
    ///
    /// # Safety
    /// `handle` is a flat vector of at least `length` values that `layout` describes. Both live for `'a`.
    pub unsafe fn new(handle: handle::Vector, layout: &'a Layout, length: usize) -> Result<Self, Error> {
        let mut vector = Self::null(handle, layout, length);
        if layout.storage == Storage::Null || length == 0 {
            return Ok(vector);
        }
        // SAFETY: the vector is live. Its mask, if it has one, has a bit for each value.
        let mask: Option<&[u64]> = unsafe {
            let mask = (api().vector_get_validity)(handle);
            (!mask.is_null()).then(|| std::slice::from_raw_parts(mask, length.div_ceil(64)))
        };
        let valid_count = mask.map(|mask| count_set(mask, length));
        if valid_count == Some(0) {
            return Ok(vector);
        }
        vector.all_null = false;
        vector.mask = mask.filter(|_| valid_count != Some(length)).map(Cow::Borrowed);
        let width = layout.storage.width();
        if width > 0 {
            // SAFETY: the vector is flat, and holds `length` values of this width.
            unsafe { vector.set_values((api().vector_get_data)(handle), width) }?;
        }
        Ok(vector)
    }

    /// A vector of NULLs.
    fn null(handle: handle::Vector, layout: &'a Layout, length: usize) -> Self {
        Self { handle, layout, length, data: std::ptr::null(), copy: None, mask: None, all_null: true }
    }

    /// Sets the values, copied if they are not aligned. Values of 16 bytes are aligned as their halves.
    ///
    /// # Safety
    /// `data` is NULL or points to `length` values of `width` bytes each, which live for `'a`.
    unsafe fn set_values(&mut self, data: *const c_void, width: usize) -> Result<(), Error> {
        self.data = data;
        if data.addr().is_multiple_of(width.min(align_of::<u64>())) {
            return Ok(());
        }
        let bytes = self.length * width;
        let mut copy = Vec::new();
        copy.try_resize(bytes.div_ceil(size_of::<u64>()), 0_u64)?;
        // SAFETY: the caller's promise; the copy has room for the bytes.
        unsafe { copy.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(data.cast(), bytes) };
        self.data = copy.as_ptr().cast();
        self.copy = Some(copy);
        Ok(())
    }

    /// A child vector: flat, or before DuckDB 2.0 a constant NULL, which stands for `length` NULLs; others are errors.
    ///
    /// # Safety
    /// As for [`Vector::new`], except that the vector need not be flat.
    unsafe fn child(handle: handle::Vector, layout: &'a Layout, length: usize) -> Result<Self, Error> {
        const FLAT: u8 = handle::Vector::FLAT;
        const CONSTANT: u8 = handle::Vector::CONSTANT;
        // SAFETY: `LOAD` has accepted this DuckDB 1.
        let kind = if children_are_flat() { FLAT } else { unsafe { handle.kind() } };
        // SAFETY: the caller's promise. A flat vector has `length` values, a constant one has one.
        unsafe {
            match kind {
                FLAT => Self::new(handle, layout, length),
                CONSTANT if length == 0 || !Self::new(handle, layout, 1)?.is_valid(0) => {
                    Ok(Self::null(handle, layout, length))
                }
                _ => Err(Error::new("this list cannot be read in DuckDB before version 2.0")),
            }
        }
    }

    /// Fetches the texts of ENUM values, those of children included. DuckDB may throw, so none is fetched later.
    pub fn fetch_texts(&self) -> Result<(), Error> {
        if let Some(dictionary) = &self.layout.dictionary {
            dictionary.fetch(self.codes()?.flatten());
        }
        if matches!(self.layout.storage, Storage::List | Storage::Array(_)) {
            return self.elements()?.fetch_texts();
        }
        (0..self.layout.children.len()).try_for_each(|index| self.field(index)?.fetch_texts())
    }

    /// The vector with its first value alone if all values are the same; otherwise the vector as it is. The core reads
    /// an argument of one value once, and not in each row.
    pub fn collapsed_if_constant(mut self) -> Self {
        // There is a mask only if some values are NULL and others are not.
        if self.length > 1 && self.mask.is_none() && (self.all_null || self.has_equal_bits()) {
            self.length = 1;
        }
        self
    }

    /// Whether all values have the same bits. Long texts can be equal though their bits, pointers among them, differ.
    /// Only the storage of k, of lists of k and of options is compared, because no other argument is collapsed.
    fn has_equal_bits(&self) -> bool {
        /// Whether all values are equal. Comparing the slice with itself, shifted by one, takes far less time than a
        /// loop.
        fn all_equal<T: PartialEq>(values: &[T]) -> bool {
            values.split_first().is_none_or(|(_, rest)| *rest == values[..rest.len()])
        }
        // SAFETY: each type has the size of the storage, and any bits are a value of it.
        unsafe {
            match self.layout.storage {
                Storage::I64 => all_equal(self.values::<u64>()),
                Storage::Bytes | Storage::List => all_equal(self.values::<[u64; 2]>()),
                _ => false,
            }
        }
    }

    /// The values that are not NULL.
    fn validity(&self) -> Validity<'_> {
        match &self.mask {
            _ if self.all_null => Validity::None,
            None => Validity::All,
            Some(words) => {
                // SAFETY: the bytes are the memory of the words, and need no alignment.
                let bits = unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), words.len() * 8) };
                Validity::Bits { bits, offset: 0 }
            }
        }
    }

    /// The values as they are stored.
    ///
    /// # Safety
    /// The layout's storage is that of values of type `T`.
    unsafe fn values<T>(&self) -> &[T] {
        if self.data.is_null() {
            return &[];
        }
        // SAFETY: there are `length` values, aligned for their type, which the caller promises. Any bits are a value
        // of it.
        unsafe { std::slice::from_raw_parts(self.data.cast(), self.length) }
    }

    /// The values of some rows as they are stored; none if the vector has no data.
    ///
    /// # Safety
    /// As for [`Vector::values`].
    unsafe fn values_in<T>(&self, rows: Range<usize>) -> &[T] {
        // SAFETY: the caller's promise.
        unsafe { self.values::<T>() }.get(rows).unwrap_or_default()
    }

    /// The values, stored as `T` and converted one by one.
    ///
    /// # Safety
    /// As for [`Vector::values`].
    unsafe fn converted<T, V>(&self, convert: impl Fn(&T) -> V) -> Result<Vec<V>, Error> {
        // SAFETY: the caller's promise.
        collected(unsafe { self.values::<T>() }.iter().map(convert))
    }

    /// Values of up to 64 bits, dates and times among them, as signed integers; `None` for other storage. Unsigned ones
    /// of 64 bits become the signed ones with the same bits.
    fn fixed(&self) -> Result<Option<Cow<'_, [i64]>>, Error> {
        self.fixed_in(0..self.length)
    }

    /// The values of some rows as signed integers, as in [`Self::fixed`].
    fn fixed_in(&self, rows: Range<usize>) -> Result<Option<Cow<'_, [i64]>>, Error> {
        fn widened<T: Copy + Into<i64>>(values: &[T]) -> Result<Vec<i64>, Error> {
            collected(values.iter().map(|value| (*value).into()))
        }
        // SAFETY: each type is that of the storage in its branch.
        let converted = unsafe {
            match self.layout.storage {
                Storage::I64 => return Ok(Some(Cow::Borrowed(self.values_in::<i64>(rows)))),
                Storage::U64 => collected(self.values_in::<u64>(rows).iter().map(|bits| bits.cast_signed())),
                Storage::U8 => widened(self.values_in::<u8>(rows)),
                Storage::I8 => widened(self.values_in::<i8>(rows)),
                Storage::I16 => widened(self.values_in::<i16>(rows)),
                Storage::U16 => widened(self.values_in::<u16>(rows)),
                Storage::I32 => widened(self.values_in::<i32>(rows)),
                Storage::U32 => widened(self.values_in::<u32>(rows)),
                _ => return Ok(None),
            }
        };
        Ok(Some(converted?.into()))
    }

    /// Integers of any width: whether each is negative, and its magnitude.
    fn magnitudes(&self) -> Result<Vec<(bool, u128)>, Error> {
        let signed = |value: i128| (value < 0, value.unsigned_abs());
        // SAFETY: each type is that of the storage in its branch.
        unsafe {
            match self.layout.storage {
                Storage::U64 => self.converted(|value: &u64| (false, u128::from(*value))),
                Storage::U128 => self.converted(|value: &Wide| (false, value.unsigned())),
                Storage::I128 => self.converted(|value: &Wide| signed(value.signed())),
                _ => {
                    let values = self.fixed()?.unwrap_or_default();
                    collected(values.iter().map(|value| signed(i128::from(*value))))
                }
            }
        }
    }

    /// Numbers as floating point, not yet scaled where they are DECIMAL.
    fn floats(&self) -> Result<Cow<'_, [f64]>, Error> {
        // SAFETY: each type is that of the storage in its branch.
        let converted = unsafe {
            match self.layout.storage {
                Storage::F64 => return Ok(Cow::Borrowed(self.values::<f64>())),
                Storage::F32 => self.converted(|value: &f32| f64::from(*value)),
                Storage::I128 => self.converted(|value: &Wide| value.signed() as f64),
                Storage::U128 => self.converted(|value: &Wide| value.unsigned() as f64),
                Storage::U64 => self.converted(|value: &u64| *value as f64),
                _ => collected(self.fixed()?.unwrap_or_default().iter().map(|value| *value as f64)),
            }
        };
        Ok(converted?.into())
    }

    /// The code of each ENUM value; `None` for NULL.
    fn codes(&self) -> Result<impl Iterator<Item = Option<usize>>, Error> {
        let codes = self.fixed()?.unwrap_or_default();
        Ok((0..self.length).map(move |row| {
            let code = codes.get(row).filter(|_| self.is_valid(row))?;
            usize::try_from(*code).ok()
        }))
    }

    /// The texts of an ENUM column as items. They must have been fetched.
    fn enum_items(&self) -> Result<Encoded, Error> {
        let Some(dictionary) = self.layout.dictionary.as_ref() else { return Ok(Encoded::default()) };
        Encoded::of(self.codes()?.map(|code| dictionary.text(code?)))
    }

    /// Byte strings as items.
    fn bytes_items(&self) -> Texts<'_> {
        let mask = self.mask.as_deref();
        // SAFETY: every caller checks that the storage is that of byte strings.
        Texts { values: unsafe { self.values() }, mask }
    }

    /// Values of 128 bits as items; others are an error. Bytes are in the order of integers, in which items are listed.
    fn wide_items(&self) -> Result<Encoded, Error> {
        let bits: Vec<u128> = match self.layout.storage {
            // SAFETY: the type is that of the storage in its branch.
            Storage::I128 => unsafe { self.converted(|wide: &Wide| wide.unsigned() ^ SIGN_OF_128_BITS) }?,
            // SAFETY: the same.
            Storage::U128 => unsafe { self.converted(|wide: &Wide| wide.unsigned()) }?,
            // SAFETY: the same.
            Storage::Interval => unsafe { self.converted(Interval::micros) }?,
            _ => return Err(Error::new(format!("items of type {} cannot be compared", self.layout.kind))),
        };
        let bits = bits.into_iter().enumerate();
        Encoded::of(bits.map(|(row, bits)| self.is_valid(row).then_some(bits.to_be_bytes())))
    }
}

impl Column for Vector<'_> {
    type Bytes<'b>
        = Texts<'b>
    where
        Self: 'b;

    fn kind(&self) -> &Type {
        &self.layout.kind
    }

    fn len(&self) -> usize {
        self.length
    }

    fn is_valid(&self, row: usize) -> bool {
        self.validity().is_valid(row)
    }

    /// The elements of the list in a row, as a range of [`Self::elements`]; `None` for NULL and for what is no list.
    fn span(&self, row: usize) -> Option<Range<usize>> {
        match self.layout.storage {
            _ if !self.is_valid(row) => None,
            Storage::Array(size) => Some(row * size..(row + 1) * size),
            Storage::List => {
                // SAFETY: the storage is that of list entries.
                let entry = unsafe { self.values::<ListEntry>() }[row];
                let offset = to_usize(entry.offset);
                Some(offset..offset.saturating_add(to_usize(entry.length)))
            }
            _ => None,
        }
    }

    /// The elements of all lists; none for a column of anything else.
    fn elements(&self) -> Result<Self, Error> {
        let layout = self.layout.children.first().unwrap_or(self.layout);
        if self.all_null {
            return Ok(Self::null(self.handle, layout, 0));
        }
        // SAFETY: the vector is one of arrays or of lists, according to the branch. The child has as many values as
        // it says.
        unsafe {
            match self.layout.storage {
                Storage::Array(size) => {
                    Self::child((api().array_vector_get_child)(self.handle), layout, self.length * size)
                }
                Storage::List => {
                    let size = to_usize((api().list_vector_get_size)(self.handle));
                    Self::child((api().list_vector_get_child)(self.handle), layout, size)
                }
                _ => Ok(Self::null(self.handle, layout, 0)),
            }
        }
    }

    fn field(&self, index: usize) -> Result<Self, Error> {
        let layout = &self.layout.children[index];
        if self.all_null {
            return Ok(Self::null(self.handle, layout, self.length));
        }
        // SAFETY: the vector is one of structs with this field, whose vector has as many values.
        let mut field = unsafe {
            Self::child((api().struct_vector_get_child)(self.handle, index as u64), layout, self.length)?
        };
        // A field is NULL where its struct is, whatever its own mask says.
        field.mask = match (&self.mask, field.mask) {
            (None, mask) => mask,
            (mask, None) => mask.clone(),
            (Some(outer), Some(inner)) => {
                Some(collected(outer.iter().zip(inner.iter()).map(|(outer, inner)| outer & inner))?.into())
            }
        };
        Ok(field)
    }

    /// The values as floating point. A DECIMAL is stored as an integer, in units of its last decimal place.
    fn numbers(&self) -> Result<Numbers<'_>, Error> {
        let mut values = self.floats()?;
        if self.layout.scale != 0 {
            let unit = 10_f64.powi(self.layout.scale.into());
            values = collected(values.iter().map(|value| value / unit))?.into();
        }
        Ok(Numbers { values, validity: self.validity() })
    }

    fn integers(&self) -> Result<Option<Integers<'_>>, Error> {
        if self.layout.kind.is_short_decimal() {
            return Ok(None);
        }
        // SAFETY: each type is that of the storage in its branch.
        Ok(unsafe {
            match self.layout.storage {
                Storage::I64 => Some(Integers::Narrow(Cow::Borrowed(self.values::<i64>()))),
                Storage::U64 => Some(Integers::of_unsigned(self.values::<u64>())?),
                Storage::I128 => Some(Integers::Wide(self.converted(|value: &Wide| value.signed())?.into())),
                Storage::U128 => {
                    let values = self.values::<Wide>().iter().map(|value| value.unsigned());
                    Some(Integers::of_wide_unsigned(values)?)
                }
                _ => None,
            }
        })
    }

    fn items(&self, matching: Matching) -> Result<ItemColumn<'_, Texts<'_>>, Error> {
        let fixed = |values| ItemColumn::Fixed(Fixed { values, validity: self.validity() });
        Ok(match (matching, self.layout.storage) {
            _ if self.all_null => ItemColumn::Nulls,
            (Matching::Float, _) => fixed(collected(self.floats()?.iter().copied().map(float_bits))?.into()),
            (Matching::Number, _) => {
                let numbers = self.magnitudes()?.into_iter().enumerate();
                let number = |(row, number)| self.is_valid(row).then_some(number);
                ItemColumn::Encoded(Encoded::of_numbers(numbers.map(number), self.layout.scale)?)
            }
            (_, Storage::Bytes) => ItemColumn::Bytes(self.bytes_items()),
            // A text that is not stored as bytes is the code of an ENUM.
            (Matching::Text, _) => ItemColumn::Encoded(self.enum_items()?),
            // SAFETY: the type is that of the storage.
            (_, Storage::U64) => unsafe {
                fixed(self.converted(|value: &u64| (value ^ SIGN_OF_64_BITS).cast_signed())?.into())
            },
            _ => match self.fixed()? {
                Some(values) => fixed(values),
                None => ItemColumn::Encoded(self.wide_items()?),
            },
        })
    }

    fn integer(&self, row: usize) -> Result<Option<i64>, Error> {
        // To convert all rows for the value of one would take quadratic time.
        let values = if self.is_valid(row) { self.fixed_in(row..row + 1)? } else { None };
        // Integers without sign from 2^63 on have the bits of negative ones.
        let is_beyond = |value: i64| value < 0 && self.layout.storage == Storage::U64;
        Ok(values.map(|values| if is_beyond(values[0]) { i64::MAX } else { values[0] }))
    }

    /// The text in a row; `None` for NULL, and for what is no text in UTF-8.
    fn text(&self, row: usize) -> Result<Option<&str>, Error> {
        if self.layout.storage != Storage::Bytes || !self.is_valid(row) {
            return Ok(None);
        }
        // SAFETY: the storage is that of byte strings.
        Ok(std::str::from_utf8(unsafe { self.values::<Text>() }[row].bytes()).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::id;

    #[test]
    fn integers_without_sign_are_never_negative() {
        let numbers = [1, 1 << 63, u64::MAX];
        let layout = Layout::plain(9, Type::Float, Storage::U64);
        let mut vector = Vector::null(handle::Vector::NULL, &layout, numbers.len());
        vector.all_null = false;
        // SAFETY: these are the values.
        unsafe { vector.set_values(numbers.as_ptr().cast(), layout.storage.width()).unwrap() };
        for (row, expected) in [1, i64::MAX, i64::MAX].into_iter().enumerate() {
            assert_eq!(vector.integer(row), Ok(Some(expected)));
        }
    }

    #[test]
    fn values_that_are_not_aligned_are_copied() {
        let numbers = [1.5_f64, -2.0, 1e300];
        let mut bytes = vec![0_u64; numbers.len() + 1];
        let start = bytes.as_mut_ptr().cast::<u8>();
        let layout = Layout::plain(id::DOUBLE, Type::Float, Storage::F64);
        for shift in 0..8 {
            let mut vector = Vector::null(handle::Vector::NULL, &layout, numbers.len());
            vector.all_null = false;
            // SAFETY: there is room for the numbers after each shift.
            unsafe {
                let shifted = start.add(shift);
                shifted.copy_from_nonoverlapping(numbers.as_ptr().cast(), size_of_val(&numbers));
                vector.set_values(shifted.cast(), layout.storage.width()).unwrap();
            }
            assert_eq!(vector.copy.is_some(), shift > 0);
            assert_eq!(*vector.floats().unwrap(), numbers);
        }
    }
}
