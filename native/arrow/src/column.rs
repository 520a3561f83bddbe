//! One Arrow array as a column.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, IntervalMonthDayNanoType};
use arrow_array::{Array, ArrayRef, BinaryViewArray, StringViewArray, new_null_array};
use arrow_buffer::{ArrowNativeType, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, IntervalUnit};
use arrow_select::take::take;
use half::f16;
use rankdcg_core::{
    Column, Encoded, Error, Fixed, Integer, ItemColumn, Items, Matching, Numbers, Type, Validity, float_bits,
    hash,
};

use crate::kind::kind;

/// An array; where it was a dictionary, the values that its keys stand for.
pub struct ArrowColumn {
    array: ArrayRef,
    kind: Type,
    /// The array's NULLs and those of the structs around it.
    nulls: Option<NullBuffer>,
    spans: Spans,
    fixed: OnceCell<Option<ScalarBuffer<i64>>>,
    bytes: OnceCell<BinaryViewArray>,
}

/// Where the lists of a column lie among its elements.
enum Spans {
    /// The column is not of lists.
    None,
    Small(OffsetBuffer<i32>),
    Large(OffsetBuffer<i64>),
    /// Where lists begin, and their lengths.
    SmallView(ScalarBuffer<i32>, ScalarBuffer<i32>),
    LargeView(ScalarBuffer<i64>, ScalarBuffer<i64>),
    Fixed(usize),
}

impl ArrowColumn {
    pub fn new(array: &ArrayRef) -> Result<Self, Error> {
        Self::within(array, None)
    }

    /// A column whose values are also NULL where `outer` says so.
    fn within(array: &ArrayRef, outer: Option<&NullBuffer>) -> Result<Self, Error> {
        let array = match array.as_any_dictionary_opt() {
            Some(dictionary) => {
                take(dictionary.values(), dictionary.keys(), None).map_err(|error| refused(&error))?
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
        Ok(Self {
            kind: kind(array.data_type()),
            nulls: NullBuffer::union(array.nulls(), outer),
            array,
            spans,
            fixed: OnceCell::new(),
            bytes: OnceCell::new(),
        })
    }

    fn validity(&self) -> Validity<'_> {
        match &self.nulls {
            _ if self.kind == Type::Null => Validity::None,
            None => Validity::All,
            Some(nulls) => Validity::Bits { bits: nulls.inner().values(), offset: nulls.offset() },
        }
    }

    /// The values of an array of a primitive type that is stored as `T`.
    fn primitive<T: ArrowNativeType>(&self) -> ScalarBuffer<T> {
        let data = self.array.to_data();
        ScalarBuffer::new(data.buffers()[0].clone(), data.offset(), data.len())
    }

    /// Values that fit 64 bits as numbers with a sign, dates and times among them; `None` for other types.
    fn fixed(&self) -> Option<&[i64]> {
        let widened = || {
            Some(match self.array.data_type() {
                DataType::Boolean => self.array.as_boolean().values().iter().map(i64::from).collect(),
                DataType::Int8 => self.primitive::<i8>().iter().map(|value| i64::from(*value)).collect(),
                DataType::Int16 => self.primitive::<i16>().iter().map(|value| i64::from(*value)).collect(),
                DataType::UInt8 => self.primitive::<u8>().iter().map(|value| i64::from(*value)).collect(),
                DataType::UInt16 => self.primitive::<u16>().iter().map(|value| i64::from(*value)).collect(),
                DataType::UInt32 => self.primitive::<u32>().iter().map(|value| i64::from(*value)).collect(),
                DataType::Int32 | DataType::Date32 | DataType::Time32(_) | DataType::Decimal32(..) => {
                    self.primitive::<i32>().iter().map(|value| i64::from(*value)).collect()
                }
                DataType::Int64
                | DataType::UInt64
                | DataType::Date64
                | DataType::Time64(_)
                | DataType::Timestamp(..)
                | DataType::Duration(_)
                | DataType::Decimal64(..) => self.primitive::<i64>(),
                _ => return None,
            })
        };
        self.fixed.get_or_init(widened).as_deref()
    }

    /// Text and other byte strings.
    fn bytes(&self) -> &BinaryViewArray {
        self.bytes.get_or_init(|| match self.array.data_type() {
            DataType::Utf8 => StringViewArray::from(self.array.as_string::<i32>()).to_binary_view(),
            DataType::LargeUtf8 => StringViewArray::from(self.array.as_string::<i64>()).to_binary_view(),
            DataType::Utf8View => self.array.as_string_view().clone().to_binary_view(),
            DataType::Binary => self.array.as_binary::<i32>().into(),
            DataType::LargeBinary => self.array.as_binary::<i64>().into(),
            _ => self.array.as_binary_view().clone(),
        })
    }

    /// Whole numbers and decimals of any width, by value.
    fn decimals(&self) -> Encoded {
        let scale = if let Type::Decimal { scale, .. } = self.kind { scale } else { 0 };
        let mut items = Encoded::default();
        let mut push = |row: usize, value: i128| {
            items.push_number((self.is_valid(row)).then_some((value < 0, value.unsigned_abs(), scale)));
        };
        if let DataType::Decimal128(..) = self.array.data_type() {
            self.primitive::<i128>().iter().enumerate().for_each(|(row, value)| push(row, *value));
        } else {
            let unsigned = self.kind == Type::Integer(Integer::Unsigned64);
            for (row, value) in self.fixed().unwrap_or_default().iter().enumerate() {
                push(row, if unsigned { value.cast_unsigned().into() } else { (*value).into() });
            }
        }
        items
    }

    /// Items of a type that has no simpler form.
    fn other_items(&self) -> Result<Encoded, Error> {
        let mut items = Encoded::default();
        match self.array.data_type() {
            // By length, as SQL compares intervals: a month is 30 days, a day 24 hours.
            DataType::Interval(IntervalUnit::MonthDayNano) => {
                for (row, interval) in
                    self.array.as_primitive::<IntervalMonthDayNanoType>().values().iter().enumerate()
                {
                    let days = i128::from(interval.months) * 30 + i128::from(interval.days);
                    let length = days * 86_400_000_000_000 + i128::from(interval.nanoseconds);
                    items.push(|bytes| {
                        bytes.extend_from_slice(&length.to_le_bytes());
                        self.is_valid(row).then_some(())
                    });
                }
            }
            DataType::FixedSizeBinary(_) => {
                let array = self.array.as_fixed_size_binary();
                for row in 0..array.len() {
                    items.push(|bytes| {
                        bytes.extend_from_slice(array.value(row));
                        self.is_valid(row).then_some(())
                    });
                }
            }
            _ => return Err(Error::new(format!("items of type {} cannot be compared", self.kind))),
        }
        Ok(items)
    }
}

fn refused(error: &ArrowError) -> Error {
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
        self.validity().get(row)
    }

    #[inline]
    fn span(&self, row: usize) -> Option<Range<usize>> {
        if !self.is_valid(row) {
            return None;
        }
        let span = |from: usize, to: usize| Some(from..to);
        match &self.spans {
            Spans::None => None,
            Spans::Small(offsets) => span(offsets[row].as_usize(), offsets[row + 1].as_usize()),
            Spans::Large(offsets) => span(offsets[row].as_usize(), offsets[row + 1].as_usize()),
            Spans::SmallView(from, size) => span(from[row].as_usize(), (from[row] + size[row]).as_usize()),
            Spans::LargeView(from, size) => span(from[row].as_usize(), (from[row] + size[row]).as_usize()),
            Spans::Fixed(size) => span(row * size, (row + 1) * size),
        }
    }

    fn elements(&self) -> Result<Self, Error> {
        match self.array.data_type() {
            DataType::List(_) => Self::new(self.array.as_list::<i32>().values()),
            DataType::LargeList(_) => Self::new(self.array.as_list::<i64>().values()),
            DataType::ListView(_) => Self::new(self.array.as_list_view::<i32>().values()),
            DataType::LargeListView(_) => Self::new(self.array.as_list_view::<i64>().values()),
            DataType::FixedSizeList(..) => Self::new(self.array.as_fixed_size_list().values()),
            DataType::Map(..) => {
                let entries: ArrayRef = Arc::new(self.array.as_map().entries().clone());
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
        let mut values: Cow<'_, [f64]> = match self.array.data_type() {
            DataType::Float64 => Cow::Borrowed(&self.array.as_primitive::<Float64Type>().values()[..]),
            DataType::Float32 => self.primitive::<f32>().iter().map(|value| f64::from(*value)).collect(),
            DataType::Float16 => self.primitive::<f16>().iter().map(|value| f64::from(*value)).collect(),
            DataType::UInt64 => self.primitive::<u64>().iter().map(|value| *value as f64).collect(),
            DataType::Decimal128(..) => self.primitive::<i128>().iter().map(|value| *value as f64).collect(),
            _ => self.fixed().unwrap_or_default().iter().map(|value| *value as f64).collect(),
        };
        if let Type::Decimal { scale, .. } = self.kind {
            let unit = 10_f64.powi(scale.into());
            values = values.iter().map(|value| value / unit).collect();
        }
        Ok(Numbers { values, validity: self.validity() })
    }

    fn items(&self, matching: Matching) -> Result<ItemColumn<'_, Views<'_>>, Error> {
        let fixed = |values| ItemColumn::Fixed(Fixed { values, validity: self.validity() });
        Ok(match (matching, self.array.data_type()) {
            (_, DataType::Null) => ItemColumn::Nulls,
            (Matching::Float, _) => {
                fixed(self.numbers()?.values.iter().map(|value| float_bits(*value)).collect())
            }
            (Matching::Number, _) | (_, DataType::Decimal128(..)) => ItemColumn::Encoded(self.decimals()),
            (Matching::Text, _) | (_, DataType::Binary | DataType::LargeBinary | DataType::BinaryView) => {
                ItemColumn::Bytes(Views { array: self.bytes(), validity: self.validity() })
            }
            _ => match self.fixed() {
                Some(values) => fixed(Cow::Borrowed(values)),
                None => ItemColumn::Encoded(self.other_items()?),
            },
        })
    }

    fn integer(&self, row: usize) -> Result<Option<i64>, Error> {
        Ok(self.fixed().filter(|_| self.is_valid(row)).map(|values| values[row]))
    }

    fn text(&self, row: usize) -> Result<Option<&str>, Error> {
        let text = (self.is_valid(row)).then(|| std::str::from_utf8(self.bytes().value(row)));
        text.transpose().map_err(|error| Error::new(format!("options must be text in UTF-8: {error}")))
    }
}

/// Text and other byte strings, read where they lie.
pub struct Views<'a> {
    array: &'a BinaryViewArray,
    validity: Validity<'a>,
}

impl Items for Views<'_> {
    const EXACT: bool = false;

    #[inline]
    fn tag(&self, index: usize) -> Option<i64> {
        self.validity.get(index).then(|| hash(self.array.value(index)))
    }

    #[inline]
    fn bytes(&self, index: usize) -> &[u8] {
        self.array.value(index)
    }
}
