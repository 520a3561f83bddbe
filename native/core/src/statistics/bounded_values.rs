//! Inference on the mean of values whose limits are known: the least and the largest possible value.
//!
//! A sample whose values are all equal has no spread, so that Student's t takes its mean as certain. One whose values
//! are nearly all at a limit has too little. The limits bound the probability of either sample.

use super::statistic::{Sample, difference};
use crate::options::Options;
use crate::options::choices::Skewness;

/// The least and the largest possible value; `None` if the options do not say both. A value beyond a limit moves it.
pub fn limits(sample: &Sample, options: &Options) -> Option<[f64; 2]> {
    let limits = [options.lower_bound, options.upper_bound];
    let are_known = limits.iter().all(|limit| limit.is_finite());
    are_known.then(|| [limits[0].min(sample.least), limits[1].max(sample.most)])
}

/// Whether values count as equal: the difference of any two is at most the tolerance, or rounding if that is more.
pub fn are_equal(sample: &Sample, options: &Options) -> bool {
    const ROUNDING: f64 = 1e-12;
    difference(sample.most, sample.least, options.tolerance.max(ROUNDING)) == 0.0
}

/// The common value of a sample whose values are equal and whose limits are known; `None` for other samples.
pub fn common_value(sample: &Sample, options: &Options) -> Option<f64> {
    (are_equal(sample, options) && limits(sample, options).is_some()).then_some(sample.mean)
}

/// The interval of the mean of values that are all equal and whose limits are known; `None` for other samples.
///
/// Each end is the mean with which [`greatest_share`] to the power of the number of values is the probability of a tail:
/// farther means make a sample of such values less likely. For values at a limit it is the interval of C. Clopper and
/// E. Pearson, Biometrika 1934, and [`Hoeffding::lowest`]. For a single value it is Markov's inequality.
pub fn interval_of_equal(sample: &Sample, options: &Options) -> Option<[f64; 2]> {
    let value = common_value(sample, options)?;
    let [least, most] = limits(sample, options)?;
    let share = ((1.0 - options.confidence) / 2.0).powf(1.0 / sample.effective_n);
    Some([least + (value - least) * share, most - (most - value) * share])
}

/// The largest probability that a value is `value`, if the mean of all is at most `mean` and none is below `least`.
///
/// All others are then `least`: a share q of `value` has the mean q * value + (1 - q) * least.
pub fn greatest_share(value: f64, mean: f64, least: f64) -> f64 {
    if value <= mean { 1.0 } else { ((mean - least) / (value - least)).max(0.0) }
}

/// A bound on the probability of a mean as large as that of the sample, for values between known limits: Theorem 1 of
/// W. Hoeffding, Probability Inequalities for Sums of Bounded Random Variables, JASA 1963.
pub struct Hoeffding {
    n: f64,
    /// The mean of the sample, as a share of the way from the least to the largest possible value.
    mean: f64,
    least: f64,
    /// The largest possible value less the least.
    width: f64,
}

impl Hoeffding {
    /// The bound for a sample; `None` unless options have skewness=hall and both limits, at a finite distance above 0.
    pub fn new(sample: &Sample, options: &Options) -> Option<Self> {
        let [least, most] = limits(sample, options).filter(|_| options.skewness == Skewness::Hall)?;
        let width = most - least;
        let mean = (sample.mean - least) / width;
        (width > 0.0 && width.is_finite()).then(|| Self { n: sample.n(), mean, least, width })
    }

    /// The same for the values with their signs changed.
    pub fn mirrored(self) -> Self {
        Self { mean: 1.0 - self.mean, least: -self.least - self.width, ..self }
    }

    /// The bound on the probability, if the expected value is `mean` at most.
    pub fn probability(&self, mean: f64) -> f64 {
        let expected = (mean - self.least) / self.width;
        if expected >= self.mean { 1.0 } else { (-self.n * self.divergence(expected)).exp() }
    }

    /// The largest expected value below the mean with which the bound is at most `probability`.
    pub fn lowest(&self, probability: f64) -> f64 {
        let enough = -probability.ln() / self.n;
        let (mut low, mut high) = (0.0, self.mean);
        loop {
            let middle = f64::midpoint(low, high);
            if middle <= low || middle >= high {
                return self.least + low * self.width;
            }
            if self.divergence(middle) >= enough { low = middle } else { high = middle }
        }
    }

    /// The divergence of Kullback and Leibler between coins that show heads with the probability of the mean and
    /// `expected`.
    fn divergence(&self, expected: f64) -> f64 {
        if expected <= 0.0 {
            return f64::INFINITY;
        }
        let term = |share: f64, of: f64| if share > 0.0 { share * (share / of).ln() } else { 0.0 };
        term(self.mean, expected) + term(1.0 - self.mean, 1.0 - expected)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hoeffding(values: &[f64]) -> Option<Hoeffding> {
        let limits = Options { lower_bound: -1.0, upper_bound: 3.0, ..Options::default() };
        let options = Options { skewness: Skewness::Hall, ..limits };
        Hoeffding::new(&Sample::new(values).unwrap(), &options)
    }

    #[test]
    fn the_bound_of_an_example_by_hand() {
        // A mean of 2 is three quarters of the way, and one of 1 is half of it: 3/4 ln 3/2 + 1/4 ln 1/2.
        let found = hoeffding(&[1.0, 3.0]).unwrap();
        let divergence = 0.75 * 1.5_f64.ln() + 0.25 * 0.5_f64.ln();
        assert!((found.probability(1.0) - (-2.0 * divergence).exp()).abs() < 1e-15);
        assert_eq!([2.0, 2.5].map(|mean| found.probability(mean)), [1.0; 2]);
        // No expected value is below -1.
        assert_eq!([-1.0, -1.5].map(|mean| found.probability(mean)), [0.0; 2]);
        // Two coins of even chance both show heads.
        assert!((hoeffding(&[3.0, 3.0]).unwrap().probability(1.0) - 0.25).abs() < 1e-15);
        let ignored = Options { lower_bound: -1.0, upper_bound: 3.0, ..Options::default() };
        let sample = [1.0, 3.0];
        assert!(Hoeffding::new(&Sample::new(&sample).unwrap(), &ignored).is_none());
    }

    proptest! {
        #[test]
        fn the_lowest_expected_value_has_the_probability(
            values in prop::collection::vec(-1.0..3.0_f64, 2..40),
            probability in 0.001..0.5_f64,
        ) {
            let found = hoeffding(&values).unwrap();
            let lowest = found.lowest(probability);
            // The value itself is rounded: beside the limit of -1, the last digit of it changes the probability.
            let around = [lowest - 1e-15, lowest + 1e-15].map(|mean| found.probability(mean));
            prop_assert!(around[0] < probability + 1e-9, "{around:?}, not {probability}");
            prop_assert!(around[1] > probability - 1e-9, "{around:?}, not {probability}");
            let mirrored = hoeffding(&values).unwrap().mirrored();
            let changed: Vec<f64> = values.iter().map(|value| -value).collect();
            let limits = Options { lower_bound: -3.0, upper_bound: 1.0, ..Options::default() };
            let options = Options { skewness: Skewness::Hall, ..limits };
            let other = Hoeffding::new(&Sample::new(&changed).unwrap(), &options).unwrap();
            prop_assert!((mirrored.probability(-2.5) - other.probability(-2.5)).abs() < 1e-9);
        }
    }
}
