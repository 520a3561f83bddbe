//! The vectors of the items of one ranking.

use std::ops::Range;

use crate::column::Numbers;
use crate::error::{Error, bail};
use crate::memory::Grow;

/// The sum of the directions of the items of one ranking, cut at k. An item without a direction is left out.
#[derive(Default)]
pub struct Vectors {
    /// The sum of the vectors, each divided by its length.
    pub sum: Vec<f64>,
    /// The sum of the squared lengths of these unit vectors, which differs from their number by rounding.
    pub squares: f64,
    /// How many items have a direction.
    pub items: usize,
    /// One vector. Kept for its memory.
    unit: Vec<f64>,
}

impl Vectors {
    /// Reads the vectors of a list: for each item, the range of its numbers. An error names the argument.
    pub fn read(
        &mut self,
        name: &'static str,
        numbers: &Numbers,
        items: impl Iterator<Item = Range<usize>>,
    ) -> Result<(), Error> {
        let Self { sum, unit, .. } = self;
        (self.squares, self.items) = (0.0, 0);
        sum.clear();
        let mut size = None;
        for item in items {
            let expected = *size.get_or_insert(item.len());
            if item.len() != expected {
                bail!(name => "{name} must hold vectors of equal length, got {expected} and {}", item.len());
            }
            unit.clear();
            unit.make_room(expected)?;
            for index in item {
                match numbers.get(index) {
                    Some(number) if number.is_finite() => unit.push(number),
                    number => {
                        let got = number.map_or("NULL".to_owned(), |number| number.to_string());
                        bail!(name => "{name} must hold vectors of finite numbers, got {got}");
                    }
                }
            }
            let largest = unit.iter().fold(0.0, |largest: f64, number| largest.max(number.abs()));
            if largest == 0.0 {
                continue;
            }
            // Squares of numbers up to 1 do not overflow.
            for number in &mut *unit {
                *number /= largest;
            }
            let length = unit.iter().map(|number| number * number).sum::<f64>().sqrt();
            sum.try_resize(expected, 0.0)?;
            for (total, number) in sum.iter_mut().zip(&*unit) {
                *total += number / length;
                self.squares += (number / length) * (number / length);
            }
            self.items += 1;
        }
        Ok(())
    }
}
