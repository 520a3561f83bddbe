//! Inference on the mean of a sample whose values are all equal.
//!
//! Such a sample has no spread, so that Student's t takes its mean as certain. If the least and the largest possible
//! value are known, the probability of the sample itself can be bounded instead.

use super::statistic::Sample;
use crate::options::Options;

/// The common value of the sample, with which the bounds of the options decide. `None` if values differ by more than
/// rounding, or if the options have no bounds.
pub fn common_value(sample: &Sample, options: &Options) -> Option<f64> {
    let spread = sample.most - sample.least;
    let is_bounded = options.lower_bound.is_finite() && options.upper_bound.is_finite();
    let is_equal = spread <= options.tolerance * sample.mean.abs().max(1.0);
    (is_bounded && sample.values.len() > 1 && is_equal).then_some(sample.mean)
}

/// The largest probability that a value is `value`, if the mean of all is at most `mean` and none is below `least`.
///
/// All others are then `least`: a share q of `value` has the mean q * value + (1 - q) * least.
pub fn greatest_share(value: f64, mean: f64, least: f64) -> f64 {
    if value <= mean { 1.0 } else { ((mean - least) / (value - least)).max(0.0) }
}
