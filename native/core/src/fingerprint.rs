//! The fingerprint of a table: a number of 128 bits that depends on its rows, and not on their order.

use itoa::Buffer;
use twox_hash::XxHash3_128;

use crate::column::matching::{Matching, own_matching};
use crate::column::{Column, Encoded, ItemColumn, Items, Numbers};
use crate::error::{Error, bail};
use crate::memory::Grow;
use crate::types::Type;

/// The cells of one column, in the form in which they are hashed.
enum Cells<'a, B> {
    Numbers(Numbers<'a>),
    Items(ItemColumn<'a, B>),
}

/// The sum of the hashes of all rows, modulo 2^128. The sums of the parts of a table add up to that of the table.
///
/// The columns have texts, integers of 64 bits or floating point. A whole number is hashed as its decimal digits, so that the
/// same ids have one fingerprint if a file has them as integers, another one as floating point, and a third one as texts.
pub fn fingerprint<C: Column>(columns: &[C], rows: usize) -> Result<u128, Error> {
    let cells = columns.iter().map(cells).collect::<Result<Vec<_>, _>>()?;
    let (mut bytes, mut sum) = (Vec::new(), 0_u128);
    for row in 0..rows {
        bytes.clear();
        for column in &cells {
            column.append(row, &mut bytes)?;
        }
        sum = sum.wrapping_add(XxHash3_128::oneshot(&bytes));
    }
    Ok(sum)
}

fn cells<C: Column>(column: &C) -> Result<Cells<'_, C::Bytes<'_>>, Error> {
    match (column.kind(), own_matching(column.kind())) {
        (Type::Null, _) => Ok(Cells::Items(ItemColumn::Nulls)),
        (_, Matching::Float) => Ok(Cells::Numbers(column.numbers()?)),
        (_, matching @ (Matching::Integer | Matching::Text)) => Ok(Cells::Items(column.items(matching)?)),
        (kind, _) => bail!("a fingerprint is of texts, integers and floating point, got {kind}"),
    }
}

impl<B: Items> Cells<'_, B> {
    /// Appends the cell of a row to `bytes`: its length as eight bytes, then its bytes. NULL has the largest length.
    fn append(&self, row: usize, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let mut digits = Buffer::new();
        let (whole, bits) = match self {
            Self::Numbers(numbers) => (numbers.get(row).and_then(whole), numbers.get(row).map(bits_of)),
            Self::Items(ItemColumn::Fixed(items)) => (items.tag(row), None),
            Self::Items(_) => (None, None),
        };
        let cell = match self {
            _ if whole.is_some() => whole.map(|whole| digits.format(whole).as_bytes()),
            Self::Numbers(_) => bits.as_ref().map(|bits| &bits[..]),
            Self::Items(ItemColumn::Fixed(_) | ItemColumn::Nulls) => None,
            Self::Items(ItemColumn::Bytes(items)) => items.is_valid(row).then(|| items.bytes(row)),
            Self::Items(ItemColumn::Encoded(items)) => {
                items.is_valid(row).then(|| Encoded::bytes(items, row))
            }
        };
        bytes.try_extend_from_slice(&cell.map_or(u64::MAX, |cell| cell.len() as u64).to_le_bytes())?;
        bytes.try_extend_from_slice(cell.unwrap_or_default())
    }
}

/// The number as an integer of 64 bits; `None` if it is none.
#[allow(clippy::cast_possible_truncation)]
fn whole(number: f64) -> Option<i64> {
    let whole = number as i64; // the nearest one
    (whole as f64 == number && whole != i64::MAX).then_some(whole)
}

/// The bits of a number that is no whole one, after a byte that begins no text. All NaN have the same.
fn bits_of(number: f64) -> [u8; 9] {
    let mut bytes = [0xFF; 9];
    let number = if number.is_nan() { f64::NAN } else { number };
    bytes[1..].copy_from_slice(&number.to_bits().to_le_bytes());
    bytes
}
