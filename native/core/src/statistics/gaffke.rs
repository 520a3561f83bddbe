//! Gaffke's test of the mean of values that are not below a known limit.
//!
//! The values of a sample, and the limit beside them as one more value, get random weights that are uniformly distributed
//! and sum to 1. The p-value is the probability that the weighted mean is at most the mean that the test denies. The limit
//! stands for the values that no row of the sample has, so rare large losses do not pass unseen. For values that are all
//! at the limit or at one other value, the p-value is that of the exact binomial test. N. Gaffke, Three Test Statistics for
//! a Nonparametric One-Sided Hypothesis on the Mean of a Nonnegative Variable, Mathematical Methods of Statistics 2005.
//!
//! The weighted mean is a ratio of sums of exponential variates. Its distribution function is the saddlepoint
//! approximation of R. Lugannani and S. Rice, Advances in Applied Probability 1980. For hits and misses, probabilities near
//! 0.05 are within 3% of themselves, and others within 7%.

use std::f64::consts::TAU;

use super::distributions::normal_above;
use super::root::root;
use super::statistic::Sample;
use crate::error::Error;
use crate::memory::Grow;
use crate::options::Options;
use crate::options::choices::Skewness;

/// The test of a sample and its least possible value.
pub struct Gaffke {
    /// The distinct values and their counts, ascending. Values are shares of the way from the least possible value to
    /// the largest of the sample, which is 1.
    values: Vec<(f64, f64)>,
    n: f64,
    least: f64,
    /// The largest value of the sample less the least possible one.
    width: f64,
}

/// Random weights under an exponential tilt.
struct Tilted {
    /// The tilt: the expected weights are proportional to 1 / (y + tilt * (1 - y)), y a value.
    tilt: f64,
    /// The sum of 1 / (y + tilt * (1 - y)) over all values and the limit, which is y = 0.
    total: f64,
    /// The mean that is denied: the mean of the values with these weights.
    mean: f64,
}

impl Gaffke {
    /// The tests that the expected value is above, and below, a mean; `None` without skewness=gaffke, or the limit.
    pub fn sides(sample: &Sample, options: &Options) -> Result<[Option<Self>; 2], Error> {
        let is_known = |limit: f64| options.skewness == Skewness::Gaffke && limit.is_finite();
        let above = is_known(options.lower_bound).then(|| Self::new(sample, options.lower_bound));
        let below = is_known(options.upper_bound).then(|| Self::mirrored(sample, options.upper_bound));
        Ok([above.transpose()?, below.transpose()?])
    }

    /// The test of a sample with a least possible value, which a value below it moves.
    fn new(sample: &Sample, least: f64) -> Result<Self, Error> {
        let least = least.min(sample.least);
        Self::of(sample, least, sample.most - least, |value| value - least)
    }

    /// The test of the sample with all signs changed, so that the least possible value is -`most`, or less.
    fn mirrored(sample: &Sample, most: f64) -> Result<Self, Error> {
        let most = most.max(sample.most);
        Self::of(sample, -most, most - sample.least, |value| most - value)
    }

    /// The test of the values at these distances from the least possible one; none is larger than `width`.
    fn of(sample: &Sample, least: f64, width: f64, distance: impl Fn(f64) -> f64) -> Result<Self, Error> {
        /// The difference of shares that are taken as equal.
        const ROUNDING: f64 = 1e-12;
        let mut shares = Vec::new();
        shares.make_exact_room(sample.values.len())?;
        let share = |value: &f64| if width > 0.0 { distance(*value) / width } else { 1.0 };
        shares.extend(sample.values.iter().map(share));
        // Sums over sorted values do not depend on the order of rows.
        shares.sort_unstable_by(f64::total_cmp);
        let equal = || shares.chunk_by(|a, b| b - a <= ROUNDING);
        let mut values = Vec::new();
        values.make_exact_room(equal().count())?;
        values.extend(equal().map(|values| (values[0], values.len() as f64)));
        Ok(Self { values, n: sample.n(), least, width })
    }

    /// The p-value of the test that the expected value is above `mean`.
    pub fn probability(&self, mean: f64) -> f64 {
        /// The share of the way below which the probability is 0 but for what floating point can hold.
        const LEAST: f64 = 1e-300;
        let share = (mean - self.least) / self.width;
        // All values are at the limit, or none is above `mean`.
        if self.width == 0.0 || share >= 1.0 {
            return if mean < self.least { 0.0 } else { 1.0 };
        }
        if share <= LEAST {
            0.0
        } else if self.are_equal() {
            share.powf(self.n)
        } else {
            // The tilt at which the mean of the weights is the one that is denied.
            self.below(&self.tilted(root(0.0, |log| self.tilted(log).mean - share)))
        }
    }

    /// The expected value whose p-value is `probability`: the low end of an interval; if mirrored, minus the high end.
    pub fn lowest(&self, probability: f64) -> f64 {
        let share = if self.are_equal() {
            probability.powf(1.0 / self.n)
        } else {
            // The tilt at which the p-value is `probability`.
            self.tilted(root(0.0, |log| self.below(&self.tilted(log)) - probability)).mean
        };
        self.least + share * self.width
    }

    /// Whether all values are equal: the weight of the limit alone then decides, which is beta distributed.
    fn are_equal(&self) -> bool {
        self.values.len() == 1
    }

    /// The weights with a tilt of e^`log`.
    fn tilted(&self, log: f64) -> Tilted {
        let tilt = log.exp();
        // The limit has the weight 1 / tilt, and adds 0 to the sum of values.
        let (mut total, mut sum) = (1.0 / tilt, 0.0);
        for (y, count) in &self.values {
            let weight = count / (y + tilt * (1.0 - y));
            total += weight;
            sum += y * weight;
        }
        Tilted { tilt, total, mean: sum / total }
    }

    /// The probability that the weighted mean is at most the mean of tilted weights.
    fn below(&self, tilted: &Tilted) -> f64 {
        /// The signed root of the likelihood ratio below which the approximation is taken as its limit.
        const NEAR: f64 = 1e-4;
        let Tilted { tilt, total, mean } = *tilted;
        let slope = (1.0 - tilt) * total / (self.n + 1.0);
        let (mut ratio, mut squares, mut cubes) = (0.0, 0.0, 0.0);
        // The limit is one more value.
        for (y, count) in [(0.0, 1.0)].iter().chain(&self.values) {
            let deviation = y - mean;
            let weighted = deviation / (y + tilt * (1.0 - y));
            ratio += count * (slope * deviation).ln_1p();
            squares += count * weighted * weighted;
            cubes += count * weighted * weighted * weighted;
        }
        // The approximation is Phi(r) + phi(r) * (1 / r - 1 / u).
        let r = (2.0 * ratio.max(0.0)).sqrt().copysign(tilt - 1.0);
        let u = (tilt - 1.0) * squares.sqrt();
        let correction = if r.abs() < NEAR { cubes / squares.powf(1.5) / 3.0 } else { 1.0 / r - 1.0 / u };
        (normal_above(-r) + (-r * r / 2.0).exp() / TAU.sqrt() * correction).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use statrs::distribution::{Binomial, DiscreteCDF};

    use super::*;

    fn gaffke(values: &[f64], least: f64) -> Gaffke {
        Gaffke::new(&Sample::new(values).unwrap(), least).unwrap()
    }

    /// The probability itself: the integral of the characteristic function of the sum of (value - mean) times
    /// exponential variates, by Gil-Pelaez (Biometrika 1951).
    fn by_integral(values: &[f64], least: f64, mean: f64) -> f64 {
        let weights: Vec<f64> = values.iter().chain([&least]).map(|value| value - mean).collect();
        let integrand = |t: f64| {
            let (mut log, mut phase) = (0.0, 0.0);
            for weight in &weights {
                log -= (t * weight).hypot(1.0).ln();
                phase += (t * weight).atan();
            }
            log.exp() * phase.sin() / t
        };
        // Places grow by a factor, so that the integral over the logarithm is a sum.
        let step = 1e-3;
        let total: f64 = (-30_000..12_000)
            .map(|place| f64::from(place) * step)
            .map(|log| integrand(log.exp()) * log.exp())
            .sum();
        0.5 - total * step / std::f64::consts::PI
    }

    #[test]
    fn hits_have_the_p_value_of_the_binomial_test() {
        for (n, hits, mean) in
            [(20, 5, 0.1), (20, 15, 0.5), (50, 9, 0.1), (50, 49, 0.9), (500, 270, 0.5), (20, 20, 0.9)]
        {
            let values: Vec<f64> = (0..n).map(|user| f64::from(u8::from(user < hits))).collect();
            let exact = Binomial::new(mean, n).unwrap().sf(hits - 1);
            let found = gaffke(&values, 0.0).probability(mean);
            assert!((found / exact - 1.0).abs() < 0.02, "{hits} of {n}: {found}, not {exact}");
        }
    }

    #[test]
    fn other_values_have_the_probability_of_the_integral() {
        let skewed = [-0.5, 0.1, 0.1, 0.2, 0.0, 0.0, 0.3, 0.15, 0.05, 0.25, 0.1, -0.1];
        // The values and the limit sum to -0.35. Their mean is that of equal weights.
        for mean in [-0.2, -0.1, -0.35 / 13.0, 0.0, 0.05] {
            let (found, exact) = (gaffke(&skewed, -1.0).probability(mean), by_integral(&skewed, -1.0, mean));
            assert!((found / exact - 1.0).abs() < 0.02, "{mean}: {found}, not {exact}");
        }
    }

    #[test]
    fn a_mean_beyond_all_values_is_settled() {
        let found = gaffke(&[0.5, 1.0, 1.0], 0.0);
        assert_eq!([-1.0, 0.0].map(|mean| found.probability(mean)), [0.0; 2]);
        assert_eq!([1.0, 2.0].map(|mean| found.probability(mean)), [1.0; 2]);
        // All values are at the limit.
        let found = gaffke(&[0.5; 3], 0.5);
        assert_eq!([0.4, 0.5, 0.6].map(|mean| found.probability(mean)), [0.0, 1.0, 1.0]);
        assert_eq!(found.lowest(0.05), 0.5);
        // All are equal: the share 3/4 of the way, to the power of their number.
        let found = gaffke(&[3.0; 4], -1.0);
        assert!((found.probability(2.0) - 0.75_f64.powi(4)).abs() < 1e-15);
        assert!((found.lowest(0.75_f64.powi(4)) - 2.0).abs() < 1e-14);
        // A value below the limit moves it.
        assert_eq!(gaffke(&[-1.0, 1.0], 0.0).probability(0.0), gaffke(&[-1.0, 1.0], -1.0).probability(0.0));
        let below =
            |most| Gaffke::mirrored(&Sample::new(&[-1.0, 1.0]).unwrap(), most).unwrap().probability(0.5);
        assert_eq!(below(0.75), below(1.0));
        // Values that differ by rounding alone are equal.
        let found = gaffke(&[0.3, 0.1 + 0.2, 0.3], 0.0);
        assert!((found.probability(0.15) - 0.5_f64.powi(3)).abs() < 1e-14);
    }

    proptest! {
        #[test]
        fn the_lowest_expected_value_has_the_probability(
            values in prop::collection::vec(prop_oneof![-1.0..3.0_f64, Just(0.5), Just(-1.0)], 2..40),
            probability in 0.0001..0.4_f64,
        ) {
            let found = gaffke(&values, -1.0);
            let lowest = found.lowest(probability);
            let p = found.probability(lowest);
            prop_assert!((p - probability).abs() < 1e-6 * probability || found.width == 0.0, "{p}, not {probability}");
            prop_assert!(found.probability(lowest + 0.1) >= p);
            let changed: Vec<f64> = values.iter().map(|value| -value).collect();
            let mirrored = Gaffke::mirrored(&Sample::new(&values).unwrap(), 3.5).unwrap();
            let of_changed = gaffke(&changed, -3.5).probability(-1.0);
            prop_assert!((mirrored.probability(-1.0) - of_changed).abs() < 1e-9);
        }
    }
}
