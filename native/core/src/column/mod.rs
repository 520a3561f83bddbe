//! What an engine tells of its columns, and the flat forms in which their values arrive.

pub mod matching;
pub mod nested;

use std::borrow::Cow;
use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use crate::column::matching::Matching;
use crate::error::Error;
use crate::memory::{Grow, collected};
use crate::types::Type;

/// An argument column of a call, or the elements of one. Implemented once by each engine.
#[allow(clippy::len_without_is_empty)]
pub trait Column: Sized {
    /// Items kept as the engine's own byte strings (text, blobs), read where they lie.
    type Bytes<'a>: Items
    where
        Self: 'a;

    fn kind(&self) -> &Type;

    /// How many values there are.
    fn len(&self) -> usize;

    /// Whether the value in `row` is not NULL.
    fn is_valid(&self, row: usize) -> bool;

    /// Where the elements of the list in `row` lie within [`Column::elements`]; `None` for a NULL list.
    fn span(&self, row: usize) -> Option<Range<usize>>;

    /// The elements of a list column; of a map column, its entries as a struct of key and value.
    fn elements(&self) -> Result<Self, Error>;

    /// A field of a struct column, NULL wherever the struct is.
    fn field(&self, index: usize) -> Result<Self, Error>;

    /// Numbers or booleans as floating point.
    fn numbers(&self) -> Result<Numbers<'_>, Error>;

    /// Integers in the order of the numbers, if these are of a type whose values floating point may not tell apart.
    fn integers(&self) -> Result<Option<Integers<'_>>, Error>;

    /// Items without parts, in the form in which `matching` compares them.
    fn items(&self, matching: Matching) -> Result<ItemColumn<'_, Self::Bytes<'_>>, Error>;

    /// The whole number in `row` of a column of k, see [`Type::check_k`]; the largest `i64` for one beyond it.
    fn integer(&self, row: usize) -> Result<Option<i64>, Error>;

    /// The text in `row` of a [`Type::Text`] column.
    fn text(&self, row: usize) -> Result<Option<&str>, Error>;
}

/// Items that can be compared. Equal items have equal tags; where tags are exact, the reverse holds too.
pub trait Items {
    /// Whether equal tags alone make two items equal.
    const EXACT: bool;

    /// A number that stands for the item, or `None` for NULL.
    fn tag(&self, index: usize) -> Option<i64>;

    /// The tags of those items of a list that are not NULL, with the place of each unless it is that in the list.
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
        // Only lists with a NULL need places.
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

    /// The item's bytes, asked only where tags are not exact.
    fn bytes(&self, index: usize) -> &[u8];
}

/// Tags, and the place of each unless it is that among them.
pub type PlacedTags<'a> = (&'a [i64], Option<&'a [usize]>);

/// Room for the tags of a list.
#[derive(Default)]
pub struct Tags {
    /// The tags of items that are not NULL.
    tags: Vec<i64>,
    /// The place of each of these items in the list.
    places: Vec<usize>,
}

/// The forms in which items arrive.
pub enum ItemColumn<'a, Bytes> {
    Fixed(Fixed<'a>),
    Bytes(Bytes),
    Encoded(Encoded),
    /// Every item is NULL.
    Nulls,
}

/// Which values of a column are not NULL.
#[derive(Clone, Copy, Debug)]
pub enum Validity<'a> {
    All,
    None,
    /// Bits from `offset` on, least significant first, as Arrow and DuckDB have it.
    Bits {
        bits: &'a [u8],
        offset: usize,
    },
}

impl Validity<'_> {
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> bool {
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

/// Integers that are compared in place of the numbers of a column: those themselves, without their decimal point, or
/// moved by half of their range where they have no sign.
#[derive(Clone, Debug)]
pub enum Integers<'a> {
    Narrow(Cow<'a, [i64]>),
    Wide(Cow<'a, [i128]>),
}

impl Integers<'_> {
    /// Moves numbers without a sign by half of their range.
    pub fn of_unsigned(values: &[u64]) -> Result<Self, Error> {
        collected(values.iter().map(|value| (value ^ 1 << 63).cast_signed()))
            .map(|values| Self::Narrow(values.into()))
    }

    /// The same for numbers of 128 bits.
    pub fn of_wide_unsigned(values: impl ExactSizeIterator<Item = u128>) -> Result<Self, Error> {
        collected(values.map(|value| (value ^ 1 << 127).cast_signed()))
            .map(|values| Self::Wide(values.into()))
    }
}

/// Scores or relevances.
#[derive(Clone, Debug)]
pub struct Numbers<'a> {
    /// The numbers; those of NULLs mean nothing.
    pub values: Cow<'a, [f64]>,
    /// Which numbers are not NULL.
    pub validity: Validity<'a>,
}

impl Numbers<'_> {
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> Option<f64> {
        self.validity.get(index).then(|| self.values[index])
    }
}

/// Items that fit 64 bits, none of them NULL.
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

    fn bytes(&self, _: usize) -> &[u8] {
        &[]
    }
}

/// Items that fit 64 bits: the bits are the item.
#[derive(Clone, Debug)]
pub struct Fixed<'a> {
    /// The items; those of NULLs mean nothing.
    pub values: Cow<'a, [i64]>,
    /// Which items are not NULL.
    pub validity: Validity<'a>,
}

impl Items for Fixed<'_> {
    const EXACT: bool = true;

    #[inline]
    fn tag(&self, index: usize) -> Option<i64> {
        self.validity.get(index).then(|| self.values[index])
    }

    fn bytes(&self, _: usize) -> &[u8] {
        &[]
    }
}

/// The bits that stand for a floating point item, in the order of numbers: one NaN, the greatest, and one zero.
#[must_use]
pub fn float_bits(value: f64) -> i64 {
    let canonical = match value {
        value if value.is_nan() => f64::NAN,
        0.0 => 0.0,
        value => value,
    };
    let bits = canonical.to_bits().cast_signed();
    // Of negative numbers, those with greater bits are less.
    if bits < 0 { bits ^ i64::MAX } else { bits }
}

/// The tag of an item that is a byte string.
#[must_use]
#[inline]
pub fn hash(bytes: &[u8]) -> i64 {
    let mut hasher = foldhash::fast::FixedState::with_seed(0).build_hasher();
    hasher.write(bytes);
    hasher.finish().cast_signed()
}

/// Items written out as byte strings, for types that have no form in common as they lie.
#[derive(Clone, Debug, Default)]
pub struct Encoded {
    /// All items, one after the other.
    bytes: Vec<u8>,
    /// The end of each item in `bytes` and, unless it is NULL, its tag.
    items: Vec<(usize, Option<i64>)>,
}

impl Encoded {
    /// Adds an item that `write` appends to the buffer; the item is NULL unless `write` returns that it is valid.
    pub fn push(&mut self, write: impl FnOnce(&mut Vec<u8>) -> Result<bool, Error>) -> Result<(), Error> {
        let start = self.bytes.len();
        let is_valid = write(&mut self.bytes)?;
        let end = self.bytes.len();
        self.items.try_push((end, is_valid.then(|| hash(&self.bytes[start..end]))))
    }

    /// Adds an item, or NULL.
    pub fn push_bytes(&mut self, item: Option<&[u8]>) -> Result<(), Error> {
        self.push(|bytes| {
            bytes.try_extend_from_slice(item.unwrap_or_default())?;
            Ok(item.is_some())
        })
    }

    /// Adds the number `±magnitude / 10^scale`, or NULL, so that equal numbers of any type have equal bytes.
    pub fn push_number(&mut self, number: Option<(bool, u128, i8)>) -> Result<(), Error> {
        let Some((negative, mut magnitude, scale)) = number else { return self.push_bytes(None) };
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
}

impl Encoded {
    /// Writes an item as a part of another one: whether it is NULL, its length, its bytes.
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
        self.items[index].1
    }

    #[inline]
    fn bytes(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |previous| self.items[previous].0);
        &self.bytes[start..self.items[index].0]
    }
}

/// Items that are all NULL, beside items of any type.
pub(crate) struct Nulls;

impl Items for Nulls {
    const EXACT: bool = true;

    fn tag(&self, _: usize) -> Option<i64> {
        None
    }

    fn bytes(&self, _: usize) -> &[u8] {
        &[]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(numbers: &[Option<(bool, u128, i8)>]) -> Encoded {
        let mut column = Encoded::default();
        for &number in numbers {
            column.push_number(number).unwrap();
        }
        column
    }

    #[test]
    fn equal_numbers_of_any_scale_have_equal_bytes() {
        let column = encoded(&[
            Some((false, 12, 0)),
            Some((false, 120, 1)),
            Some((true, 12, 0)),
            Some((false, 0, 3)),
            Some((true, 0, 0)),
            Some((false, 1200, 0)),
        ]);
        assert_eq!(column.bytes(0), column.bytes(1));
        assert_ne!(column.bytes(0), column.bytes(2));
        assert_eq!(column.bytes(3), column.bytes(4));
        assert_ne!(column.bytes(0), column.bytes(5));
    }

    #[test]
    fn nulls_have_no_tag() {
        let column = encoded(&[None, Some((false, 7, 0))]);
        assert_eq!(column.tag(0), None);
        assert_eq!(column.tag(1), Some(hash(column.bytes(1))));
    }

    #[test]
    fn floats_have_one_nan_and_one_zero() {
        assert_eq!(float_bits(-0.0), float_bits(0.0));
        assert_eq!(float_bits(-f64::NAN), float_bits(f64::NAN));
        let numbers = [f64::NEG_INFINITY, -2.0, -1e-300, 0.0, 1e-300, 1.0, f64::INFINITY, f64::NAN];
        assert!(numbers.windows(2).all(|pair| float_bits(pair[0]) < float_bits(pair[1])));
    }

    #[test]
    fn validity_counts_bits_from_the_least_significant_and_from_its_offset() {
        let validity = Validity::Bits { bits: &[0b0000_0110, 0b1], offset: 1 };
        let bits: Vec<bool> = (0..8).map(|index| validity.get(index)).collect();
        assert_eq!(bits, [true, true, false, false, false, false, false, true]);
        assert!(Validity::All.get(1_000_000) && !Validity::None.get(0));
    }
}
