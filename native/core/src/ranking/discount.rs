//! Discounts by rank, computed once and kept.

use crate::error::Error;
use crate::memory::Grow;
use crate::options::choices::Discount;

/// The discounts of the first ranks and their sums, grown as far as a ranking has asked.
#[derive(Default)]
pub struct Discounts {
    /// The kind of the discounts; `None` where there are none yet.
    kind: Option<Discount>,
    /// The discounts from rank 1 on.
    values: Vec<f64>,
    /// The sum of the first 0, 1, 2 ... discounts.
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

    /// The discount of an item with this many items above it.
    #[inline]
    pub fn at(&self, above: usize) -> f64 {
        self.values[above]
    }

    /// The sum of the first discounts.
    #[inline]
    pub fn first(&self, ranks: usize) -> f64 {
        self.sums[ranks]
    }

    /// The sum of the discounts below the first `above`, down to rank `to`.
    pub fn between(&self, above: usize, to: usize) -> f64 {
        if to - above == 1 { self.values[above] } else { self.sums[to] - self.sums[above] }
    }
}

fn discount(kind: Discount, rank: f64) -> f64 {
    match kind {
        Discount::Log2 => 1.0 / (rank + 1.0).log2(),
        Discount::Log2Clip => 1.0 / rank.max(2.0).log2(),
        Discount::Ln => 1.0 / (rank + 1.0).ln(),
    }
}
