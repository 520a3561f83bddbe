//! The trait by which an engine describes its columns, and the flat forms in which values are read from them.

pub mod matching;
pub mod nested;

use std::borrow::Cow;
use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use crate::column::matching::Matching;
use crate::error::Error;
use crate::memory::{Grow, collected};
use crate::types::Type;

/// An argument column of a call, or the elements of a list column, as an engine has it. Rows and fields start at 0.
#[allow(clippy::len_without_is_empty)]
pub trait Column: Sized {
    /// Items that the engine stores as byte strings (text, blobs), read in place.
    type Bytes<'a>: Items + Sync
    where
        Self: 'a;

    /// The type of the values.
    fn kind(&self) -> &Type;

    /// How many values there are.
    fn len(&self) -> usize;

    /// Whether the value in `row` is not NULL.
    fn is_valid(&self, row: usize) -> bool;

    /// The range of the elements of the list in `row` within [`Column::elements`]; `None` for a NULL list.
    fn span(&self, row: usize) -> Option<Range<usize>>;

    /// The elements of all lists of a column; the entries of a map column are elements too, structs of key and value.
    fn elements(&self) -> Result<Self, Error>;

    /// A field of a struct column, NULL in rows in which the struct is NULL.
    fn field(&self, index: usize) -> Result<Self, Error>;

    /// Numbers or booleans as floating point.
    fn numbers(&self) -> Result<Numbers<'_>, Error>;

    /// The numbers as integers in the same order, if floating point may not tell all values of their type apart.
    fn integers(&self) -> Result<Option<Integers<'_>>, Error>;

    /// Items of a type that is not nested, in the form in which `matching` compares them. An engine that lists items
    /// by score returns tags and bytes in the order of the items.
    fn items(&self, matching: Matching) -> Result<ItemColumn<'_, Self::Bytes<'_>>, Error>;

    /// The integer in `row` of a column of k; `None` for NULL, and the largest `i64` for a larger one.
    fn integer(&self, row: usize) -> Result<Option<i64>, Error>;

    /// The text in `row` of a [`Type::Text`] column; `None` for NULL.
    fn text(&self, row: usize) -> Result<Option<&str>, Error>;
}

/// Items that can be compared by tag: a number that stands for the item. Equal items have equal tags; if tags are
/// exact, items with equal tags are equal, else their bytes decide.
pub trait Items {
    /// Whether tags are exact: the tag is the item, and not a hash of its bytes.
    const EXACT: bool;

    /// The tag of the item; `None` for NULL. Engines give byte strings their [`hash`].
    fn tag(&self, index: usize) -> Option<i64>;

    /// The tags of the items of a list that are not NULL, each with its index in the list. If no item is NULL, the
    /// indexes are 0, 1, 2 and so on, and `None` is returned in their place.
    fn tags<'a>(&'a self, span: Range<usize>, buffer: &'a mut Tags) -> Result<PlacedTags<'a>, Error> {
        let Tags { tags, places } = buffer;
        tags.clear();
        tags.try_resize(span.len(), 0)?;
        let mut valid = 0;
        for (tag, index) in tags.iter_mut().zip(span.clone()) {
            let Some(known) = self.tag(index) else { break };
            *tag = known;
            valid += 1;
        }
        if valid == span.len() {
            return Ok((tags, None));
        }
        // Only lists with a NULL need indexes.
        tags.truncate(valid);
        places.clear();
        places.make_room(span.len())?;
        places.extend(0..valid);
        for (place, index) in span.enumerate().skip(valid) {
            if let Some(tag) = self.tag(index) {
                tags.push(tag);
                places.push(place);
            }
        }
        Ok((tags, Some(places)))
    }

    /// Whether the item is not NULL.
    #[inline]
    fn is_valid(&self, index: usize) -> bool {
        self.tag(index).is_some()
    }

    /// Whether two items are equal, or both are NULL.
    #[inline]
    fn are_equal(&self, one: usize, other: usize) -> bool {
        let tag = self.tag(one);
        tag == self.tag(other) && (Self::EXACT || tag.is_none() || self.bytes(one) == self.bytes(other))
    }

    /// The bytes of the item; none if tags are exact.
    #[inline]
    fn bytes(&self, _index: usize) -> &[u8] {
        &[]
    }
}

/// Tags, and the index of each in its list; `None` if these are 0, 1, 2 and so on.
pub type PlacedTags<'a> = (&'a [i64], Option<&'a [usize]>);

/// Buffers for the tags of one list.
#[derive(Default)]
pub struct Tags {
    /// The tags of items that are not NULL.
    tags: Vec<i64>,
    /// The index of each of these items in the list, from 0.
    places: Vec<usize>,
}

/// The items of a column, in one of the forms in which they are compared.
pub enum ItemColumn<'a, Bytes> {
    /// Items of 64 bits.
    Fixed(Fixed<'a>),
    /// Byte strings of the engine.
    Bytes(Bytes),
    /// Byte strings written by this crate.
    Encoded(Encoded),
    /// Every item is NULL.
    Nulls,
}

impl<B: Items> ItemColumn<'_, B> {
    /// The tag of an item; `None` for NULL.
    #[inline(always)]
    pub(crate) fn tag(&self, index: usize) -> Option<i64> {
        match self {
            Self::Fixed(items) => items.tag(index),
            Self::Bytes(items) => items.tag(index),
            Self::Encoded(items) => items.tag(index),
            Self::Nulls => None,
        }
    }

    /// The bytes of an item that is not NULL; none if tags are exact.
    #[inline(always)]
    pub(crate) fn bytes(&self, index: usize) -> &[u8] {
        match self {
            Self::Fixed(_) | Self::Nulls => &[],
            Self::Bytes(items) => items.bytes(index),
            Self::Encoded(items) => items.bytes(index),
        }
    }

    /// The items of `rows` rows as byte strings; `bytes` returns those of an item of 64 bits.
    pub(crate) fn encoded(self, rows: usize, bytes: fn(i64) -> [u8; 8]) -> Result<Encoded, Error> {
        match self {
            Self::Encoded(items) => Ok(items),
            Self::Nulls => Encoded::of((0..rows).map(|_| None::<[u8; 0]>)),
            Self::Fixed(items) => Encoded::of((0..rows).map(|row| items.tag(row).map(bytes))),
            Self::Bytes(items) => {
                Encoded::of((0..rows).map(|row| items.is_valid(row).then(|| items.bytes(row))))
            }
        }
    }
}

/// Tells the values of a column that are not NULL.
#[derive(Clone, Copy, Debug)]
pub enum Validity<'a> {
    All,
    None,
    /// One bit for each value, 1 if it is not NULL. The first bit is bit `offset` of `bits`; in each byte, the least
    /// significant bit comes first, as in Arrow and DuckDB.
    Bits {
        bits: &'a [u8],
        offset: usize,
    },
}

impl Validity<'_> {
    /// Whether the value at `index` is not NULL.
    #[inline]
    pub fn is_valid(&self, index: usize) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Bits { bits, offset } => {
                let bit = offset + index;
                bits[bit / 8] >> (bit % 8) & 1 == 1
            }
        }
    }
}

/// Integers that are compared in place of the numbers of a column, in the same order: signed integers as they are,
/// decimals without their decimal point, unsigned integers less half of their range.
#[derive(Clone, Debug)]
pub enum Integers<'a> {
    Narrow(Cow<'a, [i64]>),
    Wide(Cow<'a, [i128]>),
}

impl Integers<'_> {
    /// Unsigned integers as signed ones in the same order.
    pub fn of_unsigned(values: &[u64]) -> Result<Self, Error> {
        collected(values.iter().map(|value| (value ^ 1 << 63).cast_signed()))
            .map(|values| Self::Narrow(values.into()))
    }

    pub fn of_wide_unsigned(values: impl ExactSizeIterator<Item = u128>) -> Result<Self, Error> {
        collected(values.map(|value| (value ^ 1 << 127).cast_signed()))
            .map(|values| Self::Wide(values.into()))
    }
}

/// Scores or relevances.
#[derive(Clone, Debug)]
pub struct Numbers<'a> {
    /// The numbers; a number in the place of a NULL means nothing.
    pub values: Cow<'a, [f64]>,
    pub validity: Validity<'a>,
}

impl Numbers<'_> {
    /// The number at `index`; `None` for NULL.
    #[inline]
    pub fn get(&self, index: usize) -> Option<f64> {
        self.validity.is_valid(index).then(|| self.values[index])
    }
}

/// Items of 64 bits, each its own tag, none of them NULL.
pub(crate) struct Plain<'a>(pub &'a [i64]);

impl Items for Plain<'_> {
    const EXACT: bool = true;

    #[inline]
    fn tag(&self, index: usize) -> Option<i64> {
        Some(self.0[index])
    }

    #[inline]
    fn tags<'a>(&'a self, span: Range<usize>, _: &'a mut Tags) -> Result<PlacedTags<'a>, Error> {
        Ok((&self.0[span], None))
    }
}

/// Items of 64 bits, each its own tag: integers, floating point as [`float_bits`], and other values that fit.
#[derive(Clone, Debug)]
pub struct Fixed<'a> {
    /// The items; an item in the place of a NULL means nothing.
    pub values: Cow<'a, [i64]>,
    pub validity: Validity<'a>,
}

impl Fixed<'_> {
    /// NULL items, as many as are asked for. Code for `Fixed` reads them, so that none is compiled for them alone.
    pub(crate) const NULLS: Fixed<'static> = Fixed { values: Cow::Borrowed(&[]), validity: Validity::None };
}

impl Items for Fixed<'_> {
    const EXACT: bool = true;

    #[inline]
    fn tag(&self, index: usize) -> Option<i64> {
        self.validity.is_valid(index).then(|| self.values[index])
    }
}

/// The tag of a floating point item, in the order of the numbers. All NaN have the greatest tag, 0 and -0 the same.
pub fn float_bits(value: f64) -> i64 {
    let canonical = match value {
        value if value.is_nan() => f64::NAN,
        0.0 => 0.0, // -0, too
        value => value,
    };
    let bits = canonical.to_bits().cast_signed();
    // Negative numbers are less if their bits are greater, so all bits but the sign are flipped.
    if bits < 0 { bits ^ i64::MAX } else { bits }
}

/// The number that [`float_bits`] made this tag of. The tag of -0 gives 0, and the tag of any NaN gives one NaN.
pub fn float_of_bits(tag: i64) -> f64 {
    f64::from_bits((if tag < 0 { tag ^ i64::MAX } else { tag }).cast_unsigned())
}

/// The bytes of an item of 64 bits, in the order of the items.
pub(crate) fn ordered_bytes(tag: i64) -> [u8; 8] {
    // Flipping the sign bit puts negative numbers first in the order of bytes.
    (tag.cast_unsigned() ^ 1 << 63).to_be_bytes()
}

/// The tag of an item that is a byte string: a hash with a fixed seed.
#[inline]
pub fn hash(bytes: &[u8]) -> i64 {
    let mut hasher = foldhash::fast::FixedState::with_seed(0).build_hasher();
    hasher.write(bytes);
    hasher.finish().cast_signed()
}

/// Items encoded as byte strings: equal items, and only these, have equal bytes. Types whose values have no common form
/// in memory are compared in this form.
#[derive(Clone, Debug, Default)]
pub struct Encoded {
    /// The bytes of all items, concatenated.
    bytes: Vec<u8>,
    /// For each item, the offset in `bytes` at which it ends, and its tag; `None` for NULL.
    items: Vec<(usize, Option<i64>)>,
}

impl Encoded {
    /// The items with these bytes; NULL for `None`.
    pub fn of<B: AsRef<[u8]>>(items: impl Iterator<Item = Option<B>>) -> Result<Self, Error> {
        let mut encoded = Self::default();
        encoded.items.make_room(items.size_hint().0)?;
        for item in items {
            encoded.push_bytes(item.as_ref().map(B::as_ref))?;
        }
        Ok(encoded)
    }

    /// Adds an item, whose bytes `write` appends to the buffer. `write` returns `false` for NULL.
    pub(crate) fn push(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let start = self.bytes.len();
        let is_valid = write(&mut self.bytes)?;
        let end = self.bytes.len();
        self.items.try_push((end, is_valid.then(|| hash(&self.bytes[start..end]))))
    }

    /// Adds an item with these bytes; NULL for `None`.
    fn push_bytes(&mut self, item: Option<&[u8]>) -> Result<(), Error> {
        self.push(|bytes| {
            bytes.try_extend_from_slice(item.unwrap_or_default())?;
            Ok(item.is_some())
        })
    }

    /// The numbers `±magnitude / 10^scale`, each given as (is negative, magnitude); NULL for `None`. Equal numbers of any
    /// type and scale have equal bytes.
    pub fn of_numbers(numbers: impl Iterator<Item = Option<(bool, u128)>>, scale: i8) -> Result<Self, Error> {
        let mut encoded = Self::default();
        for number in numbers {
            encoded.push_number(number, scale)?;
        }
        Ok(encoded)
    }

    /// Adds a number without the trailing zeros of its magnitude: the scale is then the same for equal numbers.
    fn push_number(&mut self, number: Option<(bool, u128)>, scale: i8) -> Result<(), Error> {
        let Some((negative, mut magnitude)) = number else { return self.push_bytes(None) };
        let mut scale = i16::from(scale);
        while magnitude != 0 && magnitude % 10 == 0 {
            magnitude /= 10;
            scale -= 1;
        }
        let zero = magnitude == 0;
        self.push(|bytes| {
            bytes.try_extend_from_slice(&[u8::from(negative && !zero)])?;
            bytes.try_extend_from_slice(&if zero { 0 } else { scale }.to_le_bytes())?;
            bytes.try_extend_from_slice(&magnitude.to_le_bytes())?;
            Ok(true)
        })
    }

    /// Appends an item as a part of a nested one: a byte 1, its length and its bytes; or a byte 0 for NULL.
    pub(crate) fn append(&self, index: usize, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let is_valid = self.tag(index).is_some();
        bytes.try_extend_from_slice(&[u8::from(is_valid)])?;
        if is_valid {
            let item = self.bytes(index);
            bytes.try_extend_from_slice(&item.len().to_le_bytes())?;
            bytes.try_extend_from_slice(item)?;
        }
        Ok(())
    }
}

impl Items for Encoded {
    const EXACT: bool = false;

    #[inline]
    fn tag(&self, index: usize) -> Option<i64> {
        let (_end, tag) = self.items[index];
        tag
    }

    #[inline]
    fn bytes(&self, index: usize) -> &[u8] {
        let end_of = |item: usize| self.items[item].0;
        &self.bytes[index.checked_sub(1).map_or(0, end_of)..end_of(index)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_have_one_nan_and_one_zero() {
        assert_eq!(float_bits(-0.0), float_bits(0.0));
        assert_eq!(float_bits(-f64::NAN), float_bits(f64::NAN));
        let numbers = [f64::NEG_INFINITY, -2.0, -1e-300, 0.0, 1e-300, 1.0, f64::INFINITY, f64::NAN];
        assert!(
            numbers.iter().all(|number| float_of_bits(float_bits(*number)).to_bits() == number.to_bits())
        );
        assert!(numbers.windows(2).all(|pair| float_bits(pair[0]) < float_bits(pair[1])));
    }
}
