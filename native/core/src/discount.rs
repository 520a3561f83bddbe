//! Discounts by rank, computed once and kept.

use crate::options::Discount;

/// The discounts of the first ranks, grown as far as a ranking has asked.
#[derive(Default)]
pub struct Discounts {
    kind: Option<Discount>,
    values: Vec<f64>,
}

impl Discounts {
    /// The discounts of ranks 1 to `ranks`.
    pub fn first(&mut self, kind: Discount, ranks: usize) -> &[f64] {
        if self.kind != Some(kind) {
            self.kind = Some(kind);
            self.values.clear();
        }
        for rank in self.values.len() + 1..=ranks {
            self.values.push(discount(kind, rank as f64));
        }
        &self.values[..ranks]
    }

    /// The sum of `gains`, the first at rank 1, each times its discount.
    pub fn sum(&mut self, kind: Discount, gains: &[f64]) -> f64 {
        let discounts = self.first(kind, gains.len());
        gains.iter().zip(discounts).map(|(gain, discount)| gain * discount).sum()
    }
}

fn discount(kind: Discount, rank: f64) -> f64 {
    match kind {
        Discount::Log2 => 1.0 / (rank + 1.0).log2(),
        Discount::Log2Clip => 1.0 / rank.max(2.0).log2(),
        Discount::Ln => 1.0 / (rank + 1.0).ln(),
    }
}
