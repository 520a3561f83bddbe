//! Discounts by rank, computed once and kept.

use crate::options::Discount;

/// What gains at the first ranks are divided by, grown as far as a ranking has asked.
#[derive(Default)]
pub struct Discounts {
    kind: Option<Discount>,
    divisors: Vec<f64>,
}

impl Discounts {
    /// The divisors of ranks 1 to `ranks`.
    pub fn first(&mut self, kind: Discount, ranks: usize) -> &[f64] {
        if self.kind != Some(kind) {
            self.kind = Some(kind);
            self.divisors.clear();
        }
        for rank in self.divisors.len() + 1..=ranks {
            self.divisors.push(divisor(kind, rank as f64));
        }
        &self.divisors[..ranks]
    }
}

fn divisor(kind: Discount, rank: f64) -> f64 {
    match kind {
        Discount::Log2 => (rank + 1.0).log2(),
        Discount::Log2Clip => rank.max(2.0).log2(),
        Discount::Ln => (rank + 1.0).ln(),
    }
}
