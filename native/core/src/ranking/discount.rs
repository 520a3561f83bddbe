//! The discount of each rank, computed once and kept. Ranks start at 1 here, as in the formulas.

use crate::error::Error;
use crate::memory::Grow;
use crate::options::choices::Discount;

/// The discounts of the first ranks and their prefix sums, for as many ranks as any ranking has needed so far.
#[derive(Default)]
pub struct Discounts {
    /// The kind of the discounts; `None` before the first call of [`Discounts::provide`].
    kind: Option<Discount>,
    /// The discount of each rank, from rank 1 on.
    values: Vec<f64>,
    /// At index n, the sum of the discounts of ranks 1 to n.
    sums: Vec<f64>,
}

impl Discounts {
    /// Makes the discounts of ranks 1 to `ranks` available.
    #[inline(always)]
    pub fn provide(&mut self, kind: Discount, ranks: usize) -> Result<(), Error> {
        if self.kind != Some(kind) || self.values.len() < ranks {
            return self.compute(kind, ranks);
        }
        Ok(())
    }

    /// Extends the discounts to `ranks` ranks; starts anew for another kind.
    #[cold]
    fn compute(&mut self, kind: Discount, ranks: usize) -> Result<(), Error> {
        if self.kind != Some(kind) {
            self.kind = Some(kind);
            self.values.clear();
            self.sums.clear();
        }
        self.values.make_room(ranks.saturating_sub(self.values.len()))?;
        self.sums.make_room((ranks + 1).saturating_sub(self.sums.len()))?;
        if self.sums.is_empty() {
            self.sums.push(0.0);
        }
        for rank in self.values.len() + 1..=ranks {
            let discount = discount(kind, rank as f64);
            self.values.push(discount);
            self.sums.push(self.sums[rank - 1] + discount);
        }
        Ok(())
    }

    /// The discount of an item with `above` items above it, that is at rank `above + 1`.
    #[inline]
    pub fn at(&self, above: usize) -> f64 {
        self.values[above]
    }

    /// The sum of the discounts of ranks 1 to `ranks`.
    #[inline]
    pub fn sum_to(&self, ranks: usize) -> f64 {
        self.sums[ranks]
    }

    /// The sum of the discounts of ranks `above + 1` to `to`; for one rank its discount, as differences are rounded.
    pub fn sum_between(&self, above: usize, to: usize) -> f64 {
        if to - above == 1 { self.values[above] } else { self.sums[to] - self.sums[above] }
    }
}

/// The discount of a rank, counted from 1.
pub fn discount(kind: Discount, rank: f64) -> f64 {
    match kind {
        Discount::Log2 => 1.0 / (rank + 1.0).log2(),
        Discount::Log2Clip => 1.0 / rank.max(2.0).log2(),
        Discount::Ln => 1.0 / (rank + 1.0).ln(),
    }
}
