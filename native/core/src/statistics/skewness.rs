//! Hall's transformation, which takes the skewness of a sample out of Student's t.
//!
//! For skewed values, the mean of a sample and its standard deviation are correlated, so that t is skewed the other way.
//! P. Hall, On the Removal of Skewness by Transformation, Journal of the Royal Statistical Society B 1992.

use super::exact_sum::sum;
use super::statistic::Sample;
use crate::options::Options;
use crate::options::choices::Skewness;

/// The transformation of t for samples of this size and this skewness.
pub struct Transformation {
    /// The number of values.
    n: f64,
    /// The third central moment as a multiple of the cubed standard deviation, both with the divisor n; 0 changes t
    /// not at all.
    skewness: f64,
}

impl Transformation {
    /// The transformation for a sample; that which changes nothing if the options ignore skewness.
    pub fn new(sample: &Sample, options: &Options) -> Self {
        let n = sample.n();
        let deviation = (sample.squares / n).sqrt();
        let cubes = || sum(sample.values.iter().map(|value| ((value - sample.mean) / deviation).powi(3)));
        let is_ignored = options.skewness == Skewness::Ignored || deviation == 0.0;
        Self { n, skewness: if is_ignored { 0.0 } else { cubes() / n } }
    }

    /// The transformed t, which rises with t.
    pub fn of(&self, t: f64) -> f64 {
        if self.skewness == 0.0 || !t.is_finite() {
            return t;
        }
        let (root, g) = (self.n.sqrt(), self.skewness);
        let w = t / root;
        root * (w + g * w * w / 3.0 + g * g * w * w * w / 27.0 + g / (6.0 * self.n))
    }

    /// The t that is transformed to this value.
    pub fn inverse(&self, transformed: f64) -> f64 {
        if self.skewness == 0.0 {
            return transformed;
        }
        let (root, g) = (self.n.sqrt(), self.skewness);
        // (1 + g * w / 3)^3 = 1 + g * z. The quotient is the difference of the cube root and 1 over g / 3, without
        // cancellation where g is small.
        let z = transformed / root - g / (6.0 * self.n);
        let cube_root = (1.0 + g * z).cbrt();
        root * 3.0 * z / (cube_root * cube_root + cube_root + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_sample_of_an_example_by_hand() {
        // The deviations -1, -1, -1, 3 have the squares 12 and the cubes 24: skewness 6 / 3^1.5.
        let sample = Sample::new(&[0.0, 0.0, 0.0, 4.0]).unwrap();
        let options = Options { skewness: Skewness::Hall, ..Options::default() };
        let found = Transformation::new(&sample, &options);
        let g = 6.0 / 27.0_f64.sqrt();
        assert!((found.skewness - g).abs() < 1e-15);
        // t = 1 gives w = 1/2.
        let expected = 2.0 * (0.5 + g / 12.0 + g * g / 216.0 + g / 24.0);
        assert!((found.of(1.0) - expected).abs() < 1e-15);
        let ignored = Transformation::new(&sample, &Options::default());
        assert_eq!((ignored.of(1.0), ignored.inverse(1.0)), (1.0, 1.0));
    }

    #[test]
    fn a_t_that_is_infinite_or_not_defined_stays_as_it_is() {
        let found = Transformation { n: 9.0, skewness: -2.0 };
        assert_eq!(
            [f64::INFINITY, f64::NEG_INFINITY].map(|t| found.of(t)),
            [f64::INFINITY, f64::NEG_INFINITY]
        );
        assert!(found.of(f64::NAN).is_nan());
    }

    proptest! {
        #[test]
        fn the_inverse_leads_back(
            n in 2_u32..10_000,
            share in prop_oneof![Just(0.0), -1.0..1.0_f64, Just(1e-12)],
            t in -30.0..30.0_f64,
        ) {
            // No skewness of n values is above sqrt(n).
            let found = Transformation { n: f64::from(n), skewness: share * f64::from(n).sqrt() };
            let there = found.of(found.inverse(t));
            prop_assert!((there - t).abs() <= 1e-9 * t.abs().max(1.0), "{there}, not {t}");
            prop_assert!(found.inverse(t + 0.01) > found.inverse(t));
        }
    }
}
