//! The confidence interval of a mean by Student's t, or by the limits of its values.

use super::bounded_values::{Hoeffding, are_equal, interval_of_equal};
use super::distributions::t_exceeded;
use super::gaffke::Gaffke;
use super::skewness::Transformation;
use super::statistic::{Compute, Error, INTERVAL, Options, Sample, Statistic};
use crate::options::choices::Skewness;

pub static STATISTIC: Statistic = Statistic {
    name: "mean_ci",
    arguments: INTERVAL.0,
    fields: INTERVAL.1,
    summary: "confidence interval of the mean by Student's t. Equal values have no spread, so that their interval has no \
              width. With lower_bound and upper_bound, it holds the means for which n such values are more probable \
              than (1 - confidence) / 2",
    formula: "mean -+ t * s / sqrt(n), t the quantile of Student's t with n - 1 degrees of freedom; skewness=hall and \
              skewness=gaffke: the means at which the one-sided paired_t_test has the p-value (1 - confidence) / 2. n equal \
              values x between lower_bound and upper_bound: lower_bound + (x - lower_bound) * q to upper_bound - \
              (upper_bound - x) * q, q = ((1 - confidence) / 2)^(1 / n)",
    latex: r"\bar{x} \mp t_{n-1} \cdot \frac{s}{\sqrt{n}}",
    range: "around the mean; low and high are NULL for one value without lower_bound and upper_bound, and with \
            skewness=gaffke for equal values without a limit",
    source: "Student, The Probable Error of a Mean, Biometrika 1908; \
             scipy.stats.ttest_1samp(x, 0).confidence_interval(); Clopper and Pearson, The Use of Confidence or Fiducial \
             Limits, Biometrika 1934; Hall, On the Removal of Skewness by Transformation, \
             Journal of the Royal Statistical Society B 1992; Gaffke, Three Test Statistics for a Nonparametric \
             One-Sided Hypothesis on the Mean of a Nonnegative Variable, Mathematical Methods of Statistics 2005",
    options: &["confidence", "skewness", "lower_bound", "upper_bound"],
    compute: Compute::Moments(compute),
};

/// The ends of the interval; `None` for one of which nothing is known.
pub(super) fn compute(sample: &Sample, options: &Options) -> Result<[Option<f64>; 2], Error> {
    // Equal values whose limits are known have an interval that needs no spread.
    if let Some(ends) = interval_of_equal(sample, options) {
        return Ok(ends.map(Some));
    }
    let Some(error) = sample.standard_error() else { return Ok([None; 2]) };
    let tail = (1.0 - options.confidence) / 2.0;
    let t = t_exceeded(tail, sample.n() - 1.0);
    let transformation = Transformation::new(sample, options);
    let [mut low, mut high] = [t, -t].map(|end| sample.mean - transformation.inverse(end) * error);
    if let Some(bound) = Hoeffding::new(sample, options) {
        low = low.max(bound.lowest(tail));
        high = high.min(-bound.mirrored().lowest(tail));
    }
    let mut has_ends = [true; 2];
    if options.skewness == Skewness::Gaffke {
        let sides = Gaffke::sides(sample, options)?;
        // On a side without a limit, equal values do not tell how far off others may be.
        has_ends = sides.each_ref().map(|side| side.is_some() || !are_equal(sample, options));
        let [lower, upper] = sides;
        low = lower.map_or(low, |test| test.lowest(tail));
        high = upper.map_or(high, |test| -test.lowest(tail));
    }
    // The transformation of a small t may lead to the other side of the mean. An option of a metric may lead out of the
    // metric's usual range, so a value beyond a bound moves the bound.
    let low = low.min(sample.mean).max(options.lower_bound.min(sample.least));
    let high = high.max(sample.mean).min(options.upper_bound.max(sample.most));
    Ok([has_ends[0].then_some(low), has_ends[1].then_some(high)])
}
