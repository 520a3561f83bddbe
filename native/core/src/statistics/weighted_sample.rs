//! Samples of values with weights.
//!
//! The estimators are those of sampling with replacement, with probabilities that weights make up for: W. Cochran, Sampling
//! Techniques, 3rd edition 1977, section 6.3 and S. Lohr, Sampling: Design and Analysis. A weighted mean is a ratio of
//! two means, sum(w * x) / sum(w), and its variance is that of the residuals w * (x - mean), which is linear in them.

use super::exact_sum::sum;
use super::statistic::{Error, Grow, Sample, extremes};
use crate::error::bail;

/// The weights of a sample of at least one value, divided by their mean.
pub struct Weights(Vec<f64>);

impl Weights {
    /// The weights, each above 0 and finite.
    pub fn new(weights: &[f64]) -> Result<Self, Error> {
        let (_, most) = extremes(weights);
        let mut shares = Vec::new();
        shares.make_exact_room(weights.len())?;
        // No sum of weights up to 1 overflows.
        shares.extend(weights.iter().map(|weight| weight / most));
        let mean = sum(shares.iter().copied()) / shares.len() as f64;
        for share in &mut shares {
            *share /= mean;
        }
        Ok(Self(shares))
    }

    /// Kish's design effect: how many times as large the variance of a mean is as with equal weights.
    pub fn design_effect(&self) -> f64 {
        sum(self.0.iter().map(|share| share * share)) / self.0.len() as f64
    }

    /// The number of values with equal weights that say as much of the mean.
    pub fn effective_n(&self) -> f64 {
        self.0.len() as f64 / self.design_effect()
    }

    /// The sum of as many values, each times its share.
    pub fn sum(&self, values: impl Iterator<Item = f64>) -> f64 {
        sum(self.0.iter().zip(values).map(|(share, value)| share * value))
    }

    /// The sum of the squares of as many values, each times its share.
    pub fn sum_of_squares(&self, values: impl Iterator<Item = f64>) -> f64 {
        sum(self.0.iter().zip(values).map(|(share, value)| share * value * (share * value)))
    }

    /// The weighted mean of as many values; an error if their sum overflows.
    pub fn mean(&self, values: &[f64]) -> Result<f64, Error> {
        let (least, most) = extremes(values);
        let total = self.sum(values.iter().copied());
        if !total.is_finite() {
            bail!("the sum must be finite, got numbers from {least:?} to {most:?}");
        }
        Ok((total / values.len() as f64).clamp(least, most))
    }

    /// The sample of as many values, whose standard error is that of the weighted mean; an error if a sum overflows.
    pub fn sample<'a>(&self, values: &'a [f64]) -> Result<Sample<'a>, Error> {
        let (least, most) = extremes(values);
        let mean = self.mean(values)?;
        let squares = self.sum_of_squares(values.iter().map(|value| value - mean));
        if !squares.is_finite() {
            bail!("the sum of squares must be finite, got numbers from {least:?} to {most:?}");
        }
        Ok(Sample { values, mean, squares, least, most, effective_n: self.effective_n() })
    }

    /// Cohen's d_z: the weighted mean over the weighted standard deviation; `None` for a single value, and if all are 0.
    pub fn effect_size(&self, sample: &Sample) -> Option<f64> {
        let deviations = sample.values.iter().map(|value| value - sample.mean);
        let squares = self.sum(deviations.map(|deviation| deviation * deviation));
        Sample { squares, ..*sample }.effect_size()
    }
}
