//! Blocks of tied items, and expected values over all orders of their items, in closed form.
//!
//! McSherry and Najork, Computing information retrieval performance measures efficiently in the presence of tied
//! scores, ECIR 2008.

use crate::error::Error;
use crate::memory::Grow;

/// The largest number of steps, a second's work, where steps for one ranking grow with the product of two counts.
pub const MAX_STEPS: usize = 100_000_000;

/// A block of tied items; a cutoff may go through it.
#[derive(Clone, Copy, Debug)]
pub struct TiedBlock {
    /// How many items are above the block.
    pub above: usize,
    /// How many items the block has.
    pub size: usize,
    /// How many of its items are above the cutoff.
    pub shown: usize,
    /// How many of its items are relevant, above the cutoff or not.
    pub hits: usize,
    /// How many items above the block are relevant.
    pub hits_above: usize,
    /// The sum of the gains of all its items, unjudged ones included.
    pub gain: f64,
}

impl TiedBlock {
    /// A block of one item above the cutoff, for which every closed form is the term of the formula. Its `hits` and its
    /// `gain` are those of a hit.
    pub fn of_one_hit(above: usize, hits_above: usize) -> Self {
        Self { above, size: 1, shown: 1, hits: 1, hits_above, gain: 1.0 }
    }

    /// The probability that any one of its items is above the cutoff.
    pub fn shown_share(&self) -> f64 {
        if self.is_cut() { self.shown as f64 / self.size as f64 } else { 1.0 }
    }

    /// Whether the cutoff goes through the block.
    pub fn is_cut(&self) -> bool {
        self.shown < self.size
    }

    /// The expected number of relevant items of the block above the cutoff.
    pub fn expected_hits(&self) -> f64 {
        if self.is_cut() { self.hits as f64 * self.shown as f64 / self.size as f64 } else { self.hits as f64 }
    }

    /// The mean gain of its items, which is the expected gain at each of its ranks.
    pub fn mean_gain(&self) -> f64 {
        self.gain / self.size as f64
    }

    /// Each possible number of relevant items above the cutoff, ascending, and its hypergeometric probability.
    #[inline(never)]
    pub fn shown_hits(&self) -> Result<impl Iterator<Item = (usize, f64)> + use<>, Error> {
        let Self { size, shown, hits, .. } = *self;
        let (least, most) = ((hits + shown).saturating_sub(size), hits.min(shown));
        // Weights are relative to that of the likeliest number, so none overflows and not all of them become 0.
        let likeliest = (hits as u64 + 1) * (shown as u64 + 1) / (size as u64 + 2);
        let likeliest = usize::try_from(likeliest).unwrap_or(most).clamp(least, most);
        // The weight of one hit more than `number`, as a multiple of the weight of `number`.
        let growth = |number: usize| {
            let up = (hits - number) as f64 * (shown - number) as f64;
            up / ((number + 1) as f64 * (size + number + 1 - hits - shown) as f64)
        };
        let mut weights = Vec::new();
        weights.try_resize(most - least + 1, 1.0)?;
        for number in likeliest..most {
            weights[number + 1 - least] = weights[number - least] * growth(number);
        }
        for number in (least..likeliest).rev() {
            weights[number - least] = weights[number + 1 - least] / growth(number);
        }
        let total: f64 = weights.iter().sum();
        Ok((least..=most).zip(weights.into_iter().map(move |weight| weight / total)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(from: usize, number: usize) -> f64 {
        (0..number).map(|index| (from - index) as f64 / (index + 1) as f64).product()
    }

    #[test]
    fn shown_hits_are_hypergeometric() {
        for (size, hits, shown) in [(5, 2, 3), (7, 7, 2), (4, 0, 1), (6, 3, 6), (40, 11, 17), (1, 1, 1)] {
            let block = TiedBlock { above: 0, size, shown, hits, hits_above: 0, gain: 0.0 };
            let distribution: Vec<(usize, f64)> = block.shown_hits().unwrap().collect();
            for (number, probability) in &distribution {
                let ways = choose(hits, *number) * choose(size - hits, shown - number);
                assert!((probability - ways / choose(size, shown)).abs() < 1e-12, "{size} {hits} {shown}");
            }
            let mean: f64 = distribution.iter().map(|(number, p)| *number as f64 * p).sum();
            assert!((mean - block.expected_hits()).abs() < 1e-12);
        }
    }

    #[test]
    fn large_blocks_do_not_overflow() {
        let block =
            TiedBlock { above: 0, size: 200_000, shown: 100_000, hits: 50_000, hits_above: 0, gain: 0.0 };
        let total: f64 = block.shown_hits().unwrap().map(|(_, probability)| probability).sum();
        assert!((total - 1.0).abs() < 1e-9);
    }
}
