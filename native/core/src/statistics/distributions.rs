//! Student's t distribution and the normal one, with relative errors of 1e-9 or less.

use statrs::distribution::{Continuous, ContinuousCDF, StudentsT};
use statrs::function::beta::beta_reg;
use statrs::function::erf::erfc_inv;
use std::f64::consts::SQRT_2;

/// The probability that a standard normal variate exceeds z.
pub fn normal_above(z: f64) -> f64 {
    // The function of statrs is accurate to 1e-10 only.
    libm::erfc(z / SQRT_2) / 2.0
}

/// The z that a standard normal variate exceeds with this probability.
pub fn normal_exceeded(probability: f64) -> f64 {
    SQRT_2 * erfc_inv(2.0 * probability)
}

/// The degrees of freedom above which Hill's expansion is used, which is accurate to the last digits there. The
/// incomplete beta function of statrs stops before it has converged.
const MANY: f64 = 2000.0;
/// The size of t below which the tail is computed from t^2. The tail of statrs, a function of freedom / (freedom +
/// t^2), loses a small t to rounding.
const SMALL: f64 = 0.1;

/// The probability that Student's t with these degrees of freedom exceeds `t`.
pub fn t_above(t: f64, freedom: f64) -> f64 {
    if t.is_infinite() {
        return if t > 0.0 { 0.0 } else { 1.0 };
    }
    if freedom > MANY {
        return normal_above(normal_of_t(t, freedom));
    }
    if t.abs() < SMALL {
        let within = beta_reg(0.5, freedom / 2.0, t * t / (freedom + t * t));
        return (1.0 - within.copysign(t)) / 2.0;
    }
    student(freedom).sf(t)
}

/// The t that Student's t with these degrees of freedom exceeds with this probability. The probability must be above 0
/// and at most 1/2, so that t is not negative.
pub fn t_exceeded(probability: f64, freedom: f64) -> f64 {
    const STEPS: usize = 100;
    let mut t = normal_exceeded(probability);
    // The tail of t is heavier than the normal one and convex, so Newton's steps from the normal value go up until
    // rounding stops them.
    for _ in 0..STEPS {
        let next = t + (t_above(t, freedom) - probability) / student(freedom).pdf(t);
        if next <= t {
            break;
        }
        t = next;
    }
    t
}

/// Student's t distribution with these degrees of freedom.
fn student(freedom: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, freedom).expect("degrees of freedom are positive")
}

/// The standard normal value with the same tail probability as `t`: G. W. Hill, Algorithm 395, CACM 13 (1970).
fn normal_of_t(t: f64, freedom: f64) -> f64 {
    let a = freedom - 0.5;
    let b = 48.0 * a * a;
    let y = a * (t * t / freedom).ln_1p();
    let fine = (((-0.4 * y - 3.3) * y - 24.0) * y - 85.5) / (0.8 * y * y + 100.0 + b);
    (((fine + y + 3.0) / b + 1.0) * y.sqrt()).copysign(t)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(function: fn(f64, f64) -> f64, cases: &[(f64, f64, f64)]) {
        for (argument, freedom, expected) in cases {
            let got = function(*argument, *freedom);
            assert!((got / expected - 1.0).abs() < 1e-9, "{argument} {freedom}: {got}, not {expected}");
        }
    }

    #[test]
    fn tails_of_t_are_those_of_scipy() {
        // scipy.stats.t.sf(t, freedom)
        check(
            t_above,
            &[
                (1.0e-6, 1999.0, 0.499_999_601_107_609_2),
                (1.0e-6, 2.0, 0.499_999_646_446_609_4),
                (-0.5, 1.0, 0.647_583_617_650_433_3),
                (3.0, 1.0, 0.102_416_382_349_566_72),
                (50.0, 2.0, 0.000_199_880_079_944_040_28),
                (1.96, 7.0, 0.045_409_847_684_090_56),
                (0.01, 99.0, 0.496_020_705_607_339_8),
                (-0.01, 99.0, 0.503_979_294_392_660_2),
                (5.0, 99.0, 1.240_698_006_520_474_4e-6),
                (0.001, 1_999.0, 0.499_601_107_675_723_47),
                (1.96, 2_000.0, 0.025_067_230_597_103_85),
                (1.96, 2_001.0, 0.025_067_195_940_090_19),
                (20.0, 2_001.0, 1.424_545_811_252_516e-81),
                (-3.0, 199_999.0, 0.998_649_935_767_780_6),
                (0.5, 10_000_000.0, 0.308_537_544_227_007_4),
                (12.0, 10_000_000.0, 1.777_416_025_467_323e-33),
            ],
        );
    }

    #[test]
    fn quantiles_of_t_are_those_of_scipy() {
        // scipy.stats.t.isf(probability, freedom)
        check(
            t_exceeded,
            &[
                (0.025_000_000_000_000_022, 1.0, 12.706_204_736_174_694),
                (5.000_000_000_143_778e-7, 1.0, 636_619.772_348_751_3),
                (0.25, 3.0, 0.764_892_328_404_344_4),
                (0.005_000_000_000_000_004_4, 7.0, 3.499_483_297_350_492_4),
                (0.099_999_999_999_999_98, 99.0, 1.290_161_442_034_485_4),
                (0.025_000_000_000_000_022, 1_999.0, 1.961_151_420_170_561_3),
                (0.025_000_000_000_000_022, 2_001.0, 1.961_150_232_622_441_3),
                (0.000_500_000_000_000_000_4, 10_000_000.0, 3.290_527_704_465_221_7),
            ],
        );
    }

    #[test]
    fn no_more_is_above_infinity() {
        for freedom in [1.0, 1e6] {
            assert_eq!((t_above(f64::INFINITY, freedom), t_above(f64::NEG_INFINITY, freedom)), (0.0, 1.0));
        }
    }
}
