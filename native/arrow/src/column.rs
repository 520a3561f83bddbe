//! An Arrow array as a column.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{ByteArrayType, Float64Type, IntervalMonthDayNanoType};
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, GenericByteArray, OffsetSizeTrait, StringViewArray, make_array,
    new_null_array,
};
use arrow_buffer::{ArrowNativeType, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_data::transform::MutableArrayData;
use arrow_data::{ByteView, MAX_INLINE_VIEW_LEN};
use arrow_schema::{ArrowError, DataType, IntervalUnit};
use half::f16;
use rankdcg_core::{
    Column, Encoded, Error, Fixed, Integer, Integers, ItemColumn, Items, Matching, Numbers, Type, Validity,
    collected, float_bits, hash,
};

use crate::kind::{UINT128, kind};

/// An array. A dictionary is replaced by the values of its keys.
pub struct ArrowColumn {
    array: ArrayRef,
    /// Its type as the core has it.
    kind: Type,
    /// Its NULLs and those of the structs around it.
    nulls: Option<NullBuffer>,
    /// The ranges of its lists.
    spans: Spans,
    /// The part of the child array that its lists refer to. It can be small: an array may be a slice of a large one.
    covered: Range<usize>,
    /// Its values as signed integers of 64 bits, once they are needed.
    fixed: OnceCell<ScalarBuffer<i64>>,
    /// Its values as byte strings, once they are needed.
    bytes: OnceCell<BinaryViewArray>,
}

/// The ranges of a column's lists among its elements.
enum Spans {
    /// The column has no lists.
    None,
    /// Offsets of 32 bits.
    Small(OffsetBuffer<i32>),
    /// Offsets of 64 bits.
    Large(OffsetBuffer<i64>),
    /// The start and the length of each list, 32 bits each.
    SmallView(ScalarBuffer<i32>, ScalarBuffer<i32>),
    /// The start and the length of each list, 64 bits each.
    LargeView(ScalarBuffer<i64>, ScalarBuffer<i64>),
    /// The length of every list.
    Fixed(usize),
}

impl Spans {
    /// The range of the list in `row` in the child array.
    #[inline(always)]
    fn get(&self, row: usize) -> Range<usize> {
        let sized = |from: usize, size: usize| from..from + size;
        match self {
            Self::None => 0..0,
            Self::Small(offsets) => offsets[row].as_usize()..offsets[row + 1].as_usize(),
            Self::Large(offsets) => offsets[row].as_usize()..offsets[row + 1].as_usize(),
            Self::SmallView(from, size) => sized(from[row].as_usize(), size[row].as_usize()),
            Self::LargeView(from, size) => sized(from[row].as_usize(), size[row].as_usize()),
            Self::Fixed(size) => sized(row * size, *size),
        }
    }

    /// Whether the lists of `rows` rows are within `elements` elements, and in order unless they are views.
    ///
    /// Valid arrays fulfil this. All code that reads lists relies on it.
    fn lie_within(&self, rows: usize, elements: usize) -> bool {
        match self {
            Self::None => true,
            Self::Small(offsets) => are_offsets(offsets, elements),
            Self::Large(offsets) => are_offsets(offsets, elements),
            Self::SmallView(from, size) => are_views(from, size, elements),
            Self::LargeView(from, size) => are_views(from, size, elements),
            Self::Fixed(size) => rows * size <= elements,
        }
    }

    /// The part of the child array that the lists of `rows` rows refer to.
    fn covered(&self, rows: usize) -> Range<usize> {
        let lists = (0..rows).map(|row| self.get(row)).filter(|list| !list.is_empty());
        match self {
            // Views may be in any order, and an empty one may begin anywhere.
            Self::SmallView(..) | Self::LargeView(..) => lists
                .reduce(|one, other| one.start.min(other.start)..one.end.max(other.end))
                .unwrap_or_default(),
            _ if rows == 0 => 0..0,
            _ => self.get(0).start..self.get(rows - 1).end,
        }
    }
}

/// Whether offsets never decrease, and are within `elements` elements.
fn are_offsets<T: OffsetSizeTrait>(offsets: &[T], elements: usize) -> bool {
    let [first, .., last] = offsets else { return true }; // there is no list
    *first >= T::zero() && last.as_usize() <= elements && offsets.is_sorted()
}

/// Whether each list, which begins at `from` and has `size` elements, is within `elements` elements.
fn are_views<T: OffsetSizeTrait>(from: &[T], size: &[T], elements: usize) -> bool {
    let mut lists = from.iter().zip(size);
    lists.all(|(from, size)| {
        *from >= T::zero()
            && *size >= T::zero()
            && from.as_usize().saturating_add(size.as_usize()) <= elements
    })
}

/// The elements of an array of lists, or the entries of an array of maps; `None` for other arrays.
fn elements(array: &ArrayRef) -> Option<ArrayRef> {
    let values = match array.data_type() {
        DataType::List(_) => array.as_list::<i32>().values(),
        DataType::LargeList(_) => array.as_list::<i64>().values(),
        DataType::ListView(_) => array.as_list_view::<i32>().values(),
        DataType::LargeListView(_) => array.as_list_view::<i64>().values(),
        DataType::FixedSizeList(..) => array.as_fixed_size_list().values(),
        DataType::Map(..) => return Some(Arc::new(array.as_map().entries().clone())),
        _ => return None,
    };
    Some(values.clone())
}

/// Refuses byte strings with offsets outside of the buffer, which arrow-rs would read unchecked. [`view`] checks views.
fn check_offsets(array: &ArrayRef) -> Result<(), Error> {
    let are_inside = match array.data_type() {
        DataType::Utf8 => offsets_are_inside(array.as_string::<i32>()),
        DataType::LargeUtf8 => offsets_are_inside(array.as_string::<i64>()),
        DataType::Binary => offsets_are_inside(array.as_binary::<i32>()),
        DataType::LargeBinary => offsets_are_inside(array.as_binary::<i64>()),
        _ => true,
    };
    are_inside.then_some(()).ok_or_else(outside)
}

/// The error for a byte string outside of its buffers.
fn outside() -> Error {
    Error::new("an Arrow array has texts that lie outside its buffers")
}

thread_local! {
    /// Whether a byte string outside of the buffers was read on this thread.
    static IS_OUTSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Calls `run`, which reads columns. A byte string that it read outside of the buffers is an error of `function`.
///
/// Byte strings are checked when they are read. Measured: a check of all before takes a quarter of a metric's time.
pub fn checked<T>(function: &str, run: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    IS_OUTSIDE.set(false);
    let outcome = run();
    if IS_OUTSIDE.get() { Err(outside().of(function)) } else { outcome }
}

/// The byte string of a view. One outside of the buffers reads as empty, and becomes an error in [`checked`].
#[inline]
fn view(array: &BinaryViewArray, index: usize) -> &[u8] {
    let view = ByteView::from(array.views()[index]);
    if view.length <= MAX_INLINE_VIEW_LEN {
        return array.value(index);
    }
    let buffer = array.data_buffers().get(view.buffer_index as usize);
    let start = view.offset as usize;
    buffer.and_then(|buffer| buffer.get(start..start + view.length as usize)).unwrap_or_else(|| {
        IS_OUTSIDE.set(true);
        &[]
    })
}

/// The values in these rows of `array`, in their order; NULL for `None`. An error if the array has no such row.
pub fn copied(
    array: &ArrayRef,
    rows: impl ExactSizeIterator<Item = Result<Option<usize>, Error>>,
) -> Result<ArrayRef, Error> {
    let data = array.to_data();
    let (source, use_nulls) = (0, true);
    let mut copied = MutableArrayData::new(vec![&data], use_nulls, rows.len());
    for row in rows {
        match row? {
            None => copied.try_extend_nulls(1),
            Some(row) => copied.try_extend(source, row, row.saturating_add(1)),
        }
        .map_err(|error| refused(&error))?;
    }
    Ok(make_array(copied.freeze()))
}

/// Refuses values of a dictionary that [`copied`] could not copy safely.
fn check_dictionary(values: &ArrayRef) -> Result<(), Error> {
    match values.data_type() {
        // Views are copied without the strings, which are checked when they are read.
        DataType::Utf8View | DataType::BinaryView => Ok(()),
        DataType::RunEndEncoded(..) => Err(Error::new("values of a dictionary must not be run-end encoded")),
        nested if nested.is_nested() => values.to_data().validate_full().map_err(|error| refused(&error)),
        _ => check_offsets(values),
    }
}

/// Whether the offsets of byte strings are within their buffer.
fn offsets_are_inside<T: ByteArrayType>(array: &GenericByteArray<T>) -> bool {
    are_offsets(array.offsets(), array.values().len())
}

impl ArrowColumn {
    /// The column of an array, or an error if the array is not valid.
    pub fn new(array: &ArrayRef) -> Result<Self, Error> {
        Self::within(array, None)
    }

    /// The column of an array inside of a struct: its values are also NULL where `outer` is.
    fn within(array: &ArrayRef, outer: Option<&NullBuffer>) -> Result<Self, Error> {
        let array = match array.as_any_dictionary_opt() {
            Some(dictionary) => {
                check_dictionary(dictionary.values())?;
                let keys = Self::new(&make_array(dictionary.keys().to_data()))?;
                // A negative key is out of range, like a large one, and `copied` refuses it.
                let key = |row| {
                    keys.integer(row).map(|key| key.map(|key| usize::try_from(key).unwrap_or(usize::MAX)))
                };
                copied(dictionary.values(), (0..keys.len()).map(key))?
            }
            None => array.clone(),
        };
        let spans = match array.data_type() {
            DataType::List(_) => Spans::Small(array.as_list::<i32>().offsets().clone()),
            DataType::LargeList(_) => Spans::Large(array.as_list::<i64>().offsets().clone()),
            DataType::Map(..) => Spans::Small(array.as_map().offsets().clone()),
            DataType::ListView(_) => {
                let lists = array.as_list_view::<i32>();
                Spans::SmallView(lists.offsets().clone(), lists.sizes().clone())
            }
            DataType::LargeListView(_) => {
                let lists = array.as_list_view::<i64>();
                Spans::LargeView(lists.offsets().clone(), lists.sizes().clone())
            }
            DataType::FixedSizeList(_, size) => Spans::Fixed(size.as_usize()),
            _ => Spans::None,
        };
        if !spans.lie_within(array.len(), elements(&array).map_or(0, |child| child.len())) {
            return Err(Error::new("an Arrow array has lists that lie outside its elements"));
        }
        Ok(Self {
            kind: kind(array.data_type()),
            nulls: NullBuffer::union(array.nulls(), outer),
            covered: spans.covered(array.len()),
            array,
            spans,
            fixed: OnceCell::new(),
            bytes: OnceCell::new(),
        })
    }

    /// The same column, read as `kind`. Its values must be stored as those of `kind` are, such as dates as integers.
    pub fn read_as(mut self, kind: Type) -> Self {
        self.kind = kind;
        self
    }

    /// Which values are not NULL: none in a column of untyped NULLs.
    fn validity(&self) -> Validity<'_> {
        match &self.nulls {
            _ if self.kind == Type::Null => Validity::None,
            None => Validity::All,
            Some(nulls) => Validity::Bits { bits: nulls.inner().values(), offset: nulls.offset() },
        }
    }

    /// The values of an array of a primitive type, stored as `T`.
    fn primitive<T: ArrowNativeType>(&self) -> ScalarBuffer<T> {
        let data = self.array.to_data();
        ScalarBuffer::new(data.buffers()[0].clone(), data.offset(), data.len())
    }

    /// Values of up to 64 bits as integers of 64 bits, unsigned ones by their bits; `None` for other types. Made once.
    fn fixed(&self) -> Result<Option<&[i64]>, Error> {
        if let Some(values) = self.fixed.get() {
            return Ok(Some(values));
        }
        let values = match self.array.data_type() {
            DataType::Boolean => collected(self.array.as_boolean().values().iter().map(i64::from))?.into(),
            DataType::Int8 => self.widened::<i8>()?,
            DataType::Int16 => self.widened::<i16>()?,
            DataType::UInt8 => self.widened::<u8>()?,
            DataType::UInt16 => self.widened::<u16>()?,
            DataType::UInt32 => self.widened::<u32>()?,
            DataType::Int32 | DataType::Date32 | DataType::Time32(_) | DataType::Decimal32(..) => {
                self.widened::<i32>()?
            }
            DataType::Int64
            | DataType::UInt64
            | DataType::Date64
            | DataType::Time64(_)
            | DataType::Timestamp(..)
            | DataType::Duration(_)
            | DataType::Decimal64(..) => self.primitive::<i64>(),
            _ => return Ok(None),
        };
        Ok(Some(self.fixed.get_or_init(|| values)))
    }

    /// The values of an array of a primitive type, stored as `T`, as signed integers of 64 bits.
    fn widened<T: ArrowNativeType + Into<i64>>(&self) -> Result<ScalarBuffer<i64>, Error> {
        Ok(collected(self.primitive::<T>().iter().map(|value| (*value).into()))?.into())
    }

    /// The values of an array of a primitive type, stored as `T`, as floating point.
    fn floats<T: ArrowNativeType>(&self, convert: impl Fn(T) -> f64) -> Result<Cow<'_, [f64]>, Error> {
        Ok(collected(self.primitive::<T>().iter().map(|value| convert(*value)))?.into())
    }

    /// The values of a column of texts or other byte strings as views, made once; the column has no other type. It is an
    /// error if offsets lie outside of the buffer. Views are checked when [`view`] reads them.
    fn bytes(&self) -> Result<&BinaryViewArray, Error> {
        if let Some(bytes) = self.bytes.get() {
            return Ok(bytes);
        }
        check_offsets(&self.array)?;
        Ok(self.bytes.get_or_init(|| match self.array.data_type() {
            DataType::Utf8 => StringViewArray::from(self.array.as_string::<i32>()).to_binary_view(),
            DataType::LargeUtf8 => StringViewArray::from(self.array.as_string::<i64>()).to_binary_view(),
            DataType::Utf8View => self.array.as_string_view().clone().to_binary_view(),
            DataType::Binary => self.array.as_binary::<i32>().into(),
            DataType::LargeBinary => self.array.as_binary::<i64>().into(),
            _ => self.array.as_binary_view().clone(),
        }))
    }

    /// Integers and decimals of any width, encoded by value. Each is passed on as (is it negative, magnitude).
    fn decimals(&self) -> Result<Encoded, Error> {
        let scale = if let Type::Decimal { scale, .. } = self.kind { scale } else { 0 };
        let signed = |value: i128| (value < 0, value.unsigned_abs());
        let or_null = |(row, number)| self.is_valid(row).then_some(number);
        let wide = || self.primitive::<i128>();
        match self.array.data_type() {
            &UINT128 => {
                let numbers = wide();
                let numbers = numbers.iter().map(|value| (false, value.cast_unsigned()));
                Encoded::of_numbers(numbers.enumerate().map(or_null), scale)
            }
            DataType::Decimal128(..) => {
                Encoded::of_numbers(wide().iter().map(|value| signed(*value)).enumerate().map(or_null), scale)
            }
            _ => {
                let unsigned = self.kind == Type::Integer(Integer::Unsigned64);
                let numbers = self.fixed()?.unwrap_or_default().iter().map(|value| {
                    signed(if unsigned { value.cast_unsigned().into() } else { (*value).into() })
                });
                Encoded::of_numbers(numbers.enumerate().map(or_null), scale)
            }
        }
    }

    /// Items of the remaining types, encoded as bytes.
    fn other_items(&self) -> Result<Encoded, Error> {
        match self.array.data_type() {
            // SQL compares intervals by their length: a month has 30 days, a day 24 hours.
            DataType::Interval(IntervalUnit::MonthDayNano) => {
                let intervals = self.array.as_primitive::<IntervalMonthDayNanoType>().values();
                Encoded::of(intervals.iter().enumerate().map(|(row, interval)| {
                    let days = i128::from(interval.months) * 30 + i128::from(interval.days);
                    let length = days * 86_400_000_000_000 + i128::from(interval.nanoseconds);
                    self.is_valid(row).then_some(length.to_le_bytes())
                }))
            }
            DataType::FixedSizeBinary(_) => {
                let array = self.array.as_fixed_size_binary();
                Encoded::of((0..array.len()).map(|row| self.is_valid(row).then(|| array.value(row))))
            }
            _ => Err(Error::new(format!("items of type {} cannot be compared", self.kind))),
        }
    }
}

/// The error for an array that arrow-rs refuses.
pub fn refused(error: &ArrowError) -> Error {
    Error::new(format!("an Arrow array could not be read: {error}"))
}

impl Column for ArrowColumn {
    type Bytes<'a> = Views<'a>;

    fn kind(&self) -> &Type {
        &self.kind
    }

    fn len(&self) -> usize {
        self.array.len()
    }

    fn is_valid(&self, row: usize) -> bool {
        self.validity().is_valid(row)
    }

    #[inline(always)]
    fn span(&self, row: usize) -> Option<Range<usize>> {
        let is_null = self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        if is_null || matches!(self.spans, Spans::None) {
            return None;
        }
        // An empty list may begin outside of the part that is covered.
        let list = self.spans.get(row);
        if list.is_empty() {
            return Some(0..0);
        }
        Some(list.start - self.covered.start..list.end - self.covered.start)
    }

    /// The part of the child array that lists refer to; no elements for a column of untyped NULLs.
    fn elements(&self) -> Result<Self, Error> {
        let child = elements(&self.array).unwrap_or_else(|| new_null_array(&DataType::Null, 0));
        Self::new(&child.slice(self.covered.start, self.covered.len()))
    }

    fn field(&self, index: usize) -> Result<Self, Error> {
        Self::within(self.array.as_struct().column(index), self.nulls.as_ref())
    }

    fn numbers(&self) -> Result<Numbers<'_>, Error> {
        let mut values: Cow<'_, [f64]> = match self.array.data_type() {
            DataType::Float64 => Cow::Borrowed(&self.array.as_primitive::<Float64Type>().values()[..]),
            DataType::Float32 => self.floats::<f32>(f64::from)?,
            DataType::Float16 => self.floats::<f16>(f64::from)?,
            DataType::UInt64 => self.floats::<u64>(|value| value as f64)?,
            &UINT128 => self.floats::<i128>(|value| value.cast_unsigned() as f64)?,
            DataType::Decimal128(..) => self.floats::<i128>(|value| value as f64)?,
            _ => collected(self.fixed()?.unwrap_or_default().iter().map(|value| *value as f64))?.into(),
        };
        if let Type::Decimal { scale, .. } = self.kind {
            let unit = 10_f64.powi(scale.into());
            values.to_mut().iter_mut().for_each(|value| *value /= unit);
        }
        Ok(Numbers { values, validity: self.validity() })
    }

    fn integers(&self) -> Result<Option<Integers<'_>>, Error> {
        if self.kind.is_short_decimal() {
            return Ok(None);
        }
        Ok(match self.array.data_type() {
            DataType::Int64 | DataType::Decimal64(..) => {
                self.fixed()?.map(|values| Integers::Narrow(Cow::Borrowed(values)))
            }
            DataType::UInt64 => Some(Integers::of_unsigned(&self.primitive::<u64>())?),
            &UINT128 => {
                let values = self.primitive::<i128>();
                Some(Integers::of_wide_unsigned(values.iter().map(|value| value.cast_unsigned()))?)
            }
            DataType::Decimal128(..) => {
                Some(Integers::Wide(collected(self.primitive::<i128>().iter().copied())?.into()))
            }
            _ => None,
        })
    }

    fn items(&self, matching: Matching) -> Result<ItemColumn<'_, Views<'_>>, Error> {
        let fixed = |values| ItemColumn::Fixed(Fixed { values, validity: self.validity() });
        Ok(match (matching, self.array.data_type()) {
            _ if self.kind == Type::Null => ItemColumn::Nulls,
            (Matching::Float, _) => {
                fixed(self.numbers()?.values.iter().map(|value| float_bits(*value)).collect())
            }
            (Matching::Number, _) | (_, DataType::Decimal128(..)) => ItemColumn::Encoded(self.decimals()?),
            (Matching::Text, _) | (_, DataType::Binary | DataType::LargeBinary | DataType::BinaryView) => {
                ItemColumn::Bytes(Views { array: self.bytes()?, validity: self.validity() })
            }
            _ => match self.fixed()? {
                Some(values) => fixed(Cow::Borrowed(values)),
                None => ItemColumn::Encoded(self.other_items()?),
            },
        })
    }

    fn integer(&self, row: usize) -> Result<Option<i64>, Error> {
        // Integers from 2^63 on have the bits of negative ones. As k they are beyond any list, like the largest `i64`.
        let is_beyond = |value: i64| value < 0 && self.kind == Type::Integer(Integer::Unsigned64);
        let value = self.fixed()?.filter(|_| self.is_valid(row)).map(|values| values[row]);
        Ok(value.map(|value| if is_beyond(value) { i64::MAX } else { value }))
    }

    fn text(&self, row: usize) -> Result<Option<&str>, Error> {
        if !self.is_valid(row) {
            return Ok(None);
        }
        // Options are the one argument that is read as text.
        let text = std::str::from_utf8(view(self.bytes()?, row));
        let refused = |error| Error::new(format!("options must be text in UTF-8: {error}")).about("options");
        text.map(Some).map_err(refused)
    }
}

/// Texts and other byte strings, read in place.
pub struct Views<'a> {
    array: &'a BinaryViewArray,
    validity: Validity<'a>,
}

impl Items for Views<'_> {
    // A tag is the hash of an item's bytes, `None` for NULL. Equal items have equal tags, but different ones may, too.
    const EXACT: bool = false;

    #[inline]
    fn tag(&self, index: usize) -> Option<i64> {
        self.validity.is_valid(index).then(|| hash(view(self.array, index)))
    }

    #[inline]
    fn bytes(&self, index: usize) -> &[u8] {
        view(self.array, index)
    }
}

#[cfg(test)]
mod tests;
