//! One Arrow array as a column.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal128Type, Float64Type, Int64Type, IntervalMonthDayNanoType, UInt64Type};
use arrow_array::{Array, ArrayRef, BinaryViewArray, Int64Array, StringViewArray, new_null_array};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_cast::cast;
use arrow_row::{RowConverter, SortField};
use arrow_schema::{ArrowError, DataType, FieldRef, IntervalUnit};
use rankdcg_core::{
    Column, Encoded, Error, Fixed, Integer, ItemColumn, Items, Matching, Numbers, Type, Validity, float_bits,
    hash,
};

use crate::kind::kind;

/// An array with its own dictionary or run ends, if it had any, unpacked.
pub struct ArrowColumn {
    array: ArrayRef,
    kind: Type,
    /// The array's NULLs and those of the structs around it.
    nulls: Option<NullBuffer>,
    spans: Spans,
    integers: OnceCell<Int64Array>,
    texts: OnceCell<StringViewArray>,
}

/// Where the lists of a column lie among its elements.
enum Spans {
    /// The column is not of lists.
    None,
    Small(OffsetBuffer<i32>),
    Large(OffsetBuffer<i64>),
    Fixed(usize),
}

impl ArrowColumn {
    pub fn new(array: &ArrayRef) -> Result<Self, Error> {
        Self::within(array, None)
    }

    /// A column whose values are also NULL where `outer` says so.
    fn within(array: &ArrayRef, outer: Option<&NullBuffer>) -> Result<Self, Error> {
        let array = unpack(array)?;
        let spans = match array.data_type() {
            DataType::List(_) => Spans::Small(array.as_list::<i32>().offsets().clone()),
            DataType::LargeList(_) => Spans::Large(array.as_list::<i64>().offsets().clone()),
            DataType::Map(..) => Spans::Small(array.as_map().offsets().clone()),
            DataType::FixedSizeList(_, size) => Spans::Fixed(usize::try_from(*size).unwrap_or_default()),
            _ => Spans::None,
        };
        Ok(Self {
            kind: kind(array.data_type()),
            nulls: NullBuffer::union(array.nulls(), outer),
            array,
            spans,
            integers: OnceCell::new(),
            texts: OnceCell::new(),
        })
    }

    fn is_null(&self, row: usize) -> bool {
        self.kind == Type::Null || self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row))
    }

    fn validity(&self) -> Validity<'_> {
        match &self.nulls {
            _ if self.kind == Type::Null => Validity::None,
            None => Validity::All,
            Some(nulls) => Validity::Bits { bits: nulls.inner().values(), offset: nulls.offset() },
        }
    }

    /// The array in another type that holds all its values; `kind` has told that there is such a cast.
    fn cast(&self, to: &DataType) -> Result<ArrayRef, Error> {
        cast(&self.array, to).map_err(|error| refused(&error))
    }

    /// Whole numbers, dates and times as 64 bits with a sign.
    fn integers(&self) -> Result<&Int64Array, Error> {
        if let Some(integers) = self.integers.get() {
            return Ok(integers);
        }
        let integers = self.cast(&DataType::Int64)?;
        Ok(self.integers.get_or_init(|| integers.as_primitive::<Int64Type>().clone()))
    }

    fn texts(&self) -> Result<&StringViewArray, Error> {
        if let Some(texts) = self.texts.get() {
            return Ok(texts);
        }
        let texts = self.cast(&DataType::Utf8View)?;
        Ok(self.texts.get_or_init(|| texts.as_string_view().clone()))
    }

    /// Whole numbers and decimals of any width, by value.
    fn decimals(&self) -> Result<Encoded, Error> {
        let (array, scale) = match &self.kind {
            Type::Integer(Integer::Unsigned64) => (self.cast(&DataType::Decimal128(20, 0))?, 0),
            Type::Decimal { scale, .. } => (self.cast(&DataType::Decimal128(38, *scale))?, *scale),
            _ => (self.cast(&DataType::Decimal128(19, 0))?, 0),
        };
        let mut items = Encoded::default();
        for (row, value) in array.as_primitive::<Decimal128Type>().values().iter().enumerate() {
            let number = (*value < 0, value.unsigned_abs(), scale);
            items.push_number((!self.is_null(row)).then_some(number));
        }
        Ok(items)
    }

    /// Intervals by length: a month is 30 days, a day 24 hours, as SQL compares them.
    fn intervals(&self) -> Encoded {
        let mut items = Encoded::default();
        for (row, interval) in
            self.array.as_primitive::<IntervalMonthDayNanoType>().values().iter().enumerate()
        {
            let days = i128::from(interval.months) * 30 + i128::from(interval.days);
            let length = days * 86_400_000_000_000 + i128::from(interval.nanoseconds);
            items.push(|bytes| {
                bytes.extend_from_slice(&length.to_le_bytes());
                (!self.is_null(row)).then_some(())
            });
        }
        items
    }

    /// Items of any other type, written out by Arrow's own row format.
    fn rows(&self) -> Result<Encoded, Error> {
        let incomparable = |_| Error::new(format!("items of type {} cannot be compared", self.kind));
        let field = SortField::new(self.array.data_type().clone());
        let converter = RowConverter::new(vec![field]).map_err(incomparable)?;
        let rows = converter.convert_columns(std::slice::from_ref(&self.array)).map_err(incomparable)?;
        let mut items = Encoded::default();
        for (row, written) in rows.iter().enumerate() {
            items.push(|bytes| {
                bytes.extend_from_slice(written.as_ref());
                (!self.is_null(row)).then_some(())
            });
        }
        Ok(items)
    }
}

/// Takes off what wraps an array's values without changing them.
fn unpack(array: &ArrayRef) -> Result<ArrayRef, Error> {
    let plain = match array.data_type() {
        DataType::Dictionary(_, value) => value.as_ref().clone(),
        DataType::RunEndEncoded(_, values) => values.data_type().clone(),
        DataType::ListView(field) | DataType::LargeListView(field) => {
            DataType::LargeList(FieldRef::clone(field))
        }
        _ => return Ok(array.clone()),
    };
    cast(array, &plain).map_err(|error| refused(&error))
}

fn refused(error: &ArrowError) -> Error {
    Error::new(format!("an Arrow array could not be read: {error}"))
}

impl Column for ArrowColumn {
    type Bytes<'a> = Views;

    fn kind(&self) -> &Type {
        &self.kind
    }

    fn span(&self, row: usize) -> Option<Range<usize>> {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        match &self.spans {
            _ if self.is_null(row) => None,
            Spans::None => None,
            Spans::Small(offsets) => Some(offsets[row] as usize..offsets[row + 1] as usize),
            Spans::Large(offsets) => Some(offsets[row] as usize..offsets[row + 1] as usize),
            Spans::Fixed(size) => Some(row * size..(row + 1) * size),
        }
    }

    fn elements(&self) -> Result<Self, Error> {
        match self.array.data_type() {
            DataType::List(_) => Self::new(self.array.as_list::<i32>().values()),
            DataType::LargeList(_) => Self::new(self.array.as_list::<i64>().values()),
            DataType::FixedSizeList(..) => Self::new(self.array.as_fixed_size_list().values()),
            DataType::Map(..) => {
                let entries: ArrayRef = std::sync::Arc::new(self.array.as_map().entries().clone());
                Self::new(&entries)
            }
            // An untyped NULL: no list, so no elements either.
            _ => Self::new(&new_null_array(&DataType::Null, 0)),
        }
    }

    fn field(&self, index: usize) -> Result<Self, Error> {
        Self::within(self.array.as_struct().column(index), self.nulls.as_ref())
    }

    fn numbers(&self) -> Result<Numbers<'_>, Error> {
        let values = match self.array.data_type() {
            DataType::Null => Cow::Borrowed(&[][..]),
            DataType::Float64 => Cow::Borrowed(&self.array.as_primitive::<Float64Type>().values()[..]),
            _ => Cow::Owned(self.cast(&DataType::Float64)?.as_primitive::<Float64Type>().values().to_vec()),
        };
        Ok(Numbers { values, validity: self.validity() })
    }

    fn items(&self, matching: Matching) -> Result<ItemColumn<'_, Views>, Error> {
        let fixed = |values| ItemColumn::Fixed(Fixed { values, validity: self.validity() });
        Ok(match (matching, self.array.data_type()) {
            (_, DataType::Null) => ItemColumn::Nulls,
            (Matching::Float, _) => {
                fixed(self.numbers()?.values.iter().map(|value| float_bits(*value)).collect())
            }
            (Matching::Number, _) => ItemColumn::Encoded(self.decimals()?),
            (Matching::Text, _) => ItemColumn::Bytes(Views {
                array: self.texts()?.clone().to_binary_view(),
                nulls: self.nulls.clone(),
            }),
            (_, DataType::Binary | DataType::LargeBinary | DataType::BinaryView) => {
                let array = self.cast(&DataType::BinaryView)?.as_binary_view().clone();
                ItemColumn::Bytes(Views { array, nulls: self.nulls.clone() })
            }
            (_, DataType::UInt64) => {
                let values = self.array.as_primitive::<UInt64Type>().values();
                fixed(values.iter().map(|value| value.cast_signed()).collect())
            }
            (_, data_type)
                if data_type.is_signed_integer()
                    || data_type.is_unsigned_integer()
                    || data_type.is_temporal() && !matches!(data_type, DataType::Interval(_))
                    || *data_type == DataType::Boolean =>
            {
                fixed(Cow::Borrowed(&self.integers()?.values()[..]))
            }
            (_, DataType::Interval(IntervalUnit::MonthDayNano)) => ItemColumn::Encoded(self.intervals()),
            _ => ItemColumn::Encoded(self.rows()?),
        })
    }

    fn integer(&self, row: usize) -> Result<Option<i64>, Error> {
        Ok(if self.is_null(row) { None } else { Some(self.integers()?.value(row)) })
    }

    fn text(&self, row: usize) -> Result<Option<&str>, Error> {
        Ok(if self.is_null(row) { None } else { Some(self.texts()?.value(row)) })
    }
}

/// Text and other byte strings.
pub struct Views {
    array: BinaryViewArray,
    nulls: Option<NullBuffer>,
}

impl Items for Views {
    const EXACT: bool = false;

    #[inline]
    fn tag(&self, index: usize) -> Option<u64> {
        let null = self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(index));
        (!null).then(|| hash(self.array.value(index)))
    }

    #[inline]
    fn bytes(&self, index: usize) -> &[u8] {
        self.array.value(index)
    }
}
