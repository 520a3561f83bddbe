//! Columns of ids: read in a form that the core takes, and written in the type in which they came.

use std::collections::HashMap;
use std::iter::repeat_n;
use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, BooleanArray, Int64Array, NullArray, StringViewArray, make_array,
};
use arrow_buffer::{Buffer, NullBufferBuilder};
use arrow_data::{ArrayData, MAX_INLINE_VIEW_LEN};
use arrow_schema::DataType;
use rankdcg_core::aggregate::User;
use rankdcg_core::{Column, Error, Grow, Integer, Type, collected, float_bits, float_of_bits};

use crate::column::{ArrowColumn, refused};
use crate::kind::kind;

/// The form in which ids of a type are stored while rows are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// Every id is NULL.
    Nulls,
    /// As integers of 64 bits: integers, dates, times and booleans.
    Integers,
    /// As integers that stand for floating point, one for 0 and -0, and one for all NaN.
    Floats,
    /// As byte strings: texts and other byte strings.
    Bytes,
    /// As the 16 bytes of their value.
    Wide,
}

impl Storage {
    /// The form in which ids of a type are stored; an error, which names their argument, if they cannot be told apart.
    pub fn of(argument: &str, data_type: &DataType) -> Result<Self, Error> {
        Ok(match data_type {
            _ if kind(data_type) == Type::Null => Self::Nulls,
            DataType::Float32 | DataType::Float64 => Self::Floats,
            DataType::Utf8View | DataType::BinaryView => Self::Bytes,
            DataType::Dictionary(keys, values) if keys.is_integer() && **values == DataType::Utf8View => {
                Self::Bytes
            }
            DataType::Decimal128(..) => Self::Wide,
            DataType::Boolean => Self::Integers,
            other
                if other.primitive_width().is_some_and(|width| width <= 8) && *other != DataType::Float16 =>
            {
                Self::Integers
            }
            other => {
                let text = format!(
                    "{argument} must be a number, a text, bytes, a boolean, a date or a time, got {}",
                    kind(other)
                );
                return Err(Error::new(text).about(argument));
            }
        })
    }
}

/// A column of ids, in a form in which the core takes users: integers of 64 bits, or texts.
pub fn read_ids(argument: &str, array: &ArrayRef) -> Result<ArrowColumn, Error> {
    let integer = Type::Integer(Integer::Narrow);
    Ok(match Storage::of(argument, array.data_type())? {
        Storage::Nulls => ArrowColumn::new(array)?,
        Storage::Integers => ArrowColumn::new(array)?.read_as(integer),
        Storage::Bytes => ArrowColumn::new(array)?.read_as(Type::Text),
        Storage::Floats => {
            let column = ArrowColumn::new(array)?;
            let bits = collected(column.numbers()?.values.iter().map(|value| float_bits(*value)))?;
            ArrowColumn::new(&(Arc::new(Int64Array::new(bits.into(), array.nulls().cloned())) as ArrayRef))?
        }
        Storage::Wide => {
            let data = array.to_data();
            let values = &data.buffers()[0].as_slice()[data.offset() * 16..];
            let value = |row: usize| array.is_valid(row).then(|| &values[row * 16..][..16]);
            let bytes: BinaryViewArray = (0..array.len()).map(value).collect();
            ArrowColumn::new(&(Arc::new(bytes) as ArrayRef))?.read_as(Type::Text)
        }
    })
}

/// A column of items, in a form in which the core returns them. Its type stays, because not all types can break ties.
pub fn read_items(argument: &str, array: &ArrayRef) -> Result<ArrowColumn, Error> {
    Ok(match Storage::of(argument, array.data_type())? {
        // The core would encode decimals by their value.
        Storage::Wide => read_ids(argument, array)?.read_as(Type::Other(kind(array.data_type()).to_string())),
        _ => ArrowColumn::new(array)?,
    })
}

/// The values of dictionaries of ids, without repeats. Those of the first dictionary come first.
#[derive(Default)]
pub struct Dictionary {
    values: Vec<String>,
    /// The place of each value in `values`.
    codes: HashMap<String, usize>,
}

impl Dictionary {
    /// The values of the dictionaries of some arrays, which are views of texts. Arrays without a dictionary have none.
    pub fn new(arrays: &[ArrayRef]) -> Result<Self, Error> {
        let mut all = Self::default();
        let mut last: Option<ArrayRef> = None;
        for dictionary in arrays.iter().filter_map(|array| array.as_any_dictionary_opt()) {
            let values = dictionary.values();
            // Chunks of a column mostly share a dictionary.
            if last.as_ref().is_some_and(|last| last.to_data().ptr_eq(&values.to_data())) {
                continue;
            }
            last = Some(values.clone());
            let texts = values.to_data();
            texts.validate_full().map_err(|error| refused(&error))?;
            for text in values.as_string_view().iter().flatten() {
                if !all.codes.contains_key(text) {
                    all.codes.insert(text.to_owned(), all.values.len());
                    all.values.push(text.to_owned());
                }
            }
        }
        Ok(all)
    }
}

/// A column of ids, under construction.
pub struct IdColumn<'a> {
    data_type: &'a DataType,
    storage: Storage,
    /// A bit per id: set if it is not NULL.
    valid: NullBufferBuilder,
    /// The ids that are stored as integers.
    integers: Vec<i64>,
    /// The ids that are stored as byte strings: views of `bytes`.
    views: Vec<u128>,
    /// The byte strings that views do not hold themselves.
    bytes: Vec<u8>,
}

impl<'a> IdColumn<'a> {
    /// No ids yet; they came in this type. An error names their argument.
    pub fn new(argument: &str, data_type: &'a DataType) -> Result<Self, Error> {
        Ok(Self {
            data_type,
            storage: Storage::of(argument, data_type)?,
            valid: NullBufferBuilder::new(0),
            integers: Vec::new(),
            views: Vec::new(),
            bytes: Vec::new(),
        })
    }

    /// Makes room for `more` ids, which [`Self::push`] needs.
    pub fn make_room(&mut self, more: usize) -> Result<(), Error> {
        match self.storage {
            Storage::Nulls => Ok(()),
            Storage::Integers | Storage::Floats => self.integers.make_room(more),
            Storage::Bytes | Storage::Wide => self.views.make_room(more),
        }
    }

    /// Appends an id, `None` for NULL, `count` times. Room for it was made before, so only its bytes can lack it.
    pub fn push(&mut self, id: Option<User>, count: usize) -> Result<(), Error> {
        match self.storage {
            Storage::Nulls => {}
            Storage::Integers | Storage::Floats => {
                self.integers.extend(repeat_n(id.map_or(0, User::integer), count));
            }
            Storage::Bytes | Storage::Wide => {
                let view = if let Some(User::Text(bytes)) = id { self.view(bytes)? } else { 0 };
                self.views.extend(repeat_n(view, count));
            }
        }
        if id.is_some() {
            self.valid.append_n_non_nulls(count);
        } else {
            self.valid.append_n_nulls(count);
        }
        Ok(())
    }

    /// The view of a byte string. One that is too long for the view itself is appended to `bytes`, the views' buffer 0,
    /// unless these end with it: the items of a user follow one another.
    fn view(&mut self, bytes: &[u8]) -> Result<u128, Error> {
        let is_again = self.bytes.ends_with(bytes);
        let start = self.bytes.len() - if is_again { bytes.len() } else { 0 };
        let start = u32::try_from(start);
        let start = start.map_err(|_| Error::memory("the ids of a chunk have more than 4 GiB of text"))?;
        if bytes.len() > MAX_INLINE_VIEW_LEN as usize && !is_again {
            self.bytes.try_extend_from_slice(bytes)?;
        }
        Ok(make_view(bytes, 0, start))
    }

    /// The array of the ids, of the type in which they came.
    pub fn finish(mut self, dictionary: &Dictionary) -> Result<ArrayRef, Error> {
        let (length, nulls) = (self.valid.len(), self.valid.finish());
        let mut data = ArrayData::builder(self.data_type.clone()).len(length).nulls(nulls.clone());
        match self.storage {
            Storage::Nulls => return Ok(Arc::new(NullArray::new(length))),
            Storage::Integers if *self.data_type == DataType::Boolean => {
                let values = self.integers.iter().map(|value| *value != 0);
                return Ok(Arc::new(BooleanArray::new(values.collect(), nulls)));
            }
            Storage::Integers => data = data.add_buffer(integers(self.data_type, &self.integers)?),
            Storage::Floats if *self.data_type == DataType::Float32 => {
                #[allow(clippy::cast_possible_truncation)] // they came from 32 bits
                let values = collected(self.integers.iter().map(|bits| float_of_bits(*bits) as f32))?;
                data = data.add_buffer(Buffer::from_vec(values));
            }
            Storage::Floats => {
                let values = collected(self.integers.iter().map(|bits| float_of_bits(*bits)))?;
                data = data.add_buffer(Buffer::from_vec(values));
            }
            Storage::Bytes | Storage::Wide => {
                let buffers = vec![Buffer::from_vec(self.bytes)];
                let bytes = BinaryViewArray::try_new(self.views.into(), buffers, nulls);
                let bytes = bytes.map_err(|error| refused(&error))?;
                match self.data_type {
                    DataType::BinaryView => return Ok(Arc::new(bytes)),
                    DataType::Decimal128(..) => {
                        let value = |bytes: &[u8]| i128::from_le_bytes(bytes.try_into().unwrap_or_default());
                        let values: Vec<i128> = bytes.iter().map(|bytes| bytes.map_or(0, value)).collect();
                        data = data.add_buffer(Buffer::from_vec(values));
                    }
                    DataType::Dictionary(keys, _) => {
                        let code = |text: &[u8]| -> Result<i64, Error> {
                            let code =
                                std::str::from_utf8(text).ok().and_then(|text| dictionary.codes.get(text));
                            let code = code.and_then(|code| i64::try_from(*code).ok());
                            code.ok_or_else(|| Error::internal("an id is not in the dictionary"))
                        };
                        let codes: Vec<i64> =
                            bytes.iter().map(|text| text.map_or(Ok(0), code)).collect::<Result<_, _>>()?;
                        let values = StringViewArray::from_iter_values(&dictionary.values);
                        data = data.add_buffer(integers(keys, &codes)?).add_child_data(values.into_data());
                    }
                    _ => {
                        let texts = bytes.to_string_view().map_err(|error| refused(&error))?;
                        return Ok(Arc::new(texts));
                    }
                }
            }
        }
        data.build().map(make_array).map_err(|error| refused(&error))
    }
}

/// The buffer of an array of a primitive type of at most 64 bits, with these values.
#[allow(clippy::cast_possible_truncation)] // they came from values of this width, or are codes of such values
fn integers(data_type: &DataType, values: &[i64]) -> Result<Buffer, Error> {
    let values = values.iter();
    Ok(match data_type.primitive_width() {
        Some(1) => Buffer::from_vec(collected(values.map(|value| *value as i8))?),
        Some(2) => Buffer::from_vec(collected(values.map(|value| *value as i16))?),
        Some(4) => Buffer::from_vec(collected(values.map(|value| *value as i32))?),
        _ => Buffer::from_vec(collected(values.copied())?),
    })
}
