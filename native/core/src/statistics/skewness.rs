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
    n: f64,
    /// The third central moment over the cubed standard deviation, both with the divisor n; 0 leaves t as it is.
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
    use super::*;

    #[test]
    fn a_t_that_is_infinite_or_not_defined_stays_as_it_is() {
        let found = Transformation { n: 9.0, skewness: -2.0 };
        assert_eq!(
            [f64::INFINITY, f64::NEG_INFINITY].map(|t| found.of(t)),
            [f64::INFINITY, f64::NEG_INFINITY]
        );
        assert!(found.of(f64::NAN).is_nan());
    }
}
