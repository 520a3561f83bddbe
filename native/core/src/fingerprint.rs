//! The fingerprint of a table: a number of 128 bits that depends on its rows, and not on their order.

use twox_hash::XxHash3_128;

use crate::column::matching::{Matching, own_matching};
use crate::column::{Column, ItemColumn, Items, Numbers};
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
/// The columns have texts, integers of 64 bits or floating point. A number is hashed as its decimal digits, so that a table has
/// one fingerprint whether a file keeps its numbers as integers, as floating point or as texts.
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
        let start = bytes.len();
        bytes.try_extend_from_slice(&u64::MAX.to_le_bytes())?;
        let content = bytes.len();
        let is_valid = match self {
            Self::Numbers(numbers) => numbers.get(row).map(|number| write(number, bytes)),
            Self::Items(ItemColumn::Fixed(items)) => {
                let whole = items.tag(row);
                whole.map(|whole| bytes.try_extend_from_slice(itoa::Buffer::new().format(whole).as_bytes()))
            }
            Self::Items(ItemColumn::Bytes(items)) => {
                items.is_valid(row).then(|| bytes.try_extend_from_slice(items.bytes(row)))
            }
            Self::Items(ItemColumn::Encoded(items)) => {
                items.is_valid(row).then(|| bytes.try_extend_from_slice(items.bytes(row)))
            }
            Self::Items(ItemColumn::Nulls) => None,
        };
        if let Some(written) = is_valid {
            written?;
            let length = (bytes.len() - content) as u64;
            bytes[start..content].copy_from_slice(&length.to_le_bytes());
        }
        Ok(())
    }
}

/// Appends the fewest decimal digits that stand for the number, without an exponent; or ``NaN``, ``inf`` or ``-inf``.
#[allow(clippy::cast_possible_truncation)]
fn write(number: f64, bytes: &mut Vec<u8>) -> Result<(), Error> {
    let whole = number as i64; // the nearest one
    if whole as f64 == number && whole != i64::MAX {
        return bytes.try_extend_from_slice(itoa::Buffer::new().format(whole).as_bytes());
    }
    let mut buffer = zmij::Buffer::new();
    match buffer.format(number) {
        short if !short.contains('e') => bytes.try_extend_from_slice(short.as_bytes()),
        _ => bytes.try_extend_from_slice(number.to_string().as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_decimal_digits_without_an_exponent() {
        let digits = |number| {
            let mut bytes = Vec::new();
            write(number, &mut bytes).unwrap();
            String::from_utf8(bytes).unwrap()
        };
        let numbers = [-0.0, 1.0, -2.5, 0.1, 1e-7, 5e-324, 1e21, f64::NAN, f64::NEG_INFINITY];
        let small = format!("0.{}5", "0".repeat(323));
        let expected =
            ["0", "1", "-2.5", "0.1", "0.0000001", &small, "1000000000000000000000", "NaN", "-inf"];
        assert_eq!(numbers.map(digits), expected);
    }
}
