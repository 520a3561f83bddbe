//! Student's t distribution and the normal one, with relative errors of 1e-9 or less.

use statrs::distribution::{Continuous, ContinuousCDF, StudentsT};
use statrs::function::beta::beta_reg;
use statrs::function::erf::erfc_inv;
use statrs::function::gamma::checked_gamma_lr;
use std::f64::consts::{PI, SQRT_2};

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

/// The probability that (Z + shift) / S exceeds `t`, which is at least 0: the noncentral t distribution. Z is a standard
/// normal variate, and S the root of the mean of the squares of `freedom` others.
///
/// The trapezoidal rule computes the mean over S, or over Z where S decides more sharply between the two. Both integrands
/// are smooth and vanish at either end, so the rule is exact but for rounding (Trefethen and Weideman, The Exponentially
/// Convergent Trapezoidal Rule, SIAM Review 2014).
pub fn noncentral_t_above(t: f64, freedom: f64, shift: f64) -> f64 {
    /// The step, as a share of the standard deviation of the sharpest factor of the integrand.
    const STEP: f64 = 0.4;
    /// The shift from which on Z + shift is positive, but for a share of 1e-23.
    const POSITIVE: f64 = 10.0;
    /// The least share of a weight in the largest one.
    const LEAST: f64 = 1e-18;
    if shift <= -POSITIVE {
        return 0.0;
    }
    // The standard deviation of ln S is 1 / sharpness.
    let sharpness = (2.0 * freedom).sqrt();
    let mean = |weighted: &dyn Fn(f64) -> (f64, f64), step: f64| {
        let (mut weights, mut sum) = (0.0, 0.0);
        // From 0 upwards, and then from one step below 0 downwards, until weights are next to 0.
        for (first, step) in [(0_u32, step), (1, -step)] {
            for (weight, value) in (first..).map(|place| weighted(f64::from(place) * step)) {
                if weight < LEAST {
                    break;
                }
                weights += weight;
                sum += weight * value;
            }
        }
        sum / weights
    };
    if shift >= POSITIVE.max(sharpness) {
        let chi_below = |root: f64| {
            let half_square = freedom * root * root / 2.0;
            // The probability that S is below `root`. The function refuses a square that is 0 or infinite.
            checked_gamma_lr(freedom / 2.0, half_square).unwrap_or(if root > 1.0 { 1.0 } else { 0.0 })
        };
        return mean(&|z| ((-z * z / 2.0).exp(), chi_below((z + shift).max(0.0) / t)), STEP);
    }
    // The weight of ln S is 1 at 0. Given S, the probability falls within about 1 / shift. A step is STEP / 5 at most.
    let weight = |log: f64| (freedom * (log - (2.0 * log).exp_m1() / 2.0)).exp();
    mean(&|log| (weight(log), normal_above(t * log.exp() - shift)), STEP / sharpness.max(shift).max(5.0))
}

/// The power of two one-sided t tests at the critical value `critical`: the probability that (Z + near) / S and
/// (far - Z) / S both exceed it. Z is a standard normal variate, and S the root of the mean of the squares of `freedom`
/// others.
///
/// The mean over S is taken where both can hold. The substitution by hyperbolic tangents puts most places near the ends,
/// so that the trapezoidal rule is exact but for rounding (Takahasi and Mori, Double Exponential Formulas, 1974).
pub fn equivalence_power(critical: f64, freedom: f64, near: f64, far: f64) -> f64 {
    /// The step of the substituted variable, and the number of steps to either side, which reach both ends of S.
    const STEP: f64 = 0.01;
    const STEPS: i32 = 330;
    // Beyond these, the density of S is less than 1e-18 of its largest value.
    let (least, most) = ((1.0 - 6.5 / freedom.sqrt()).max(0.0), 1.0 + 9.2 / freedom.sqrt());
    // The integral, over S from `least` to `most`, of a value times the density of S.
    let integral = |most: f64, value: &dyn Fn(f64) -> f64| -> f64 {
        let (middle, half) = (f64::midpoint(least, most), (most - least) / 2.0);
        let at = |step| {
            let t = STEP * f64::from(step);
            let (inner, slope) = (PI / 2.0 * t.sinh(), PI / 2.0 * t.cosh());
            let root = middle + half * inner.tanh();
            // The density of S, but for a factor.
            let density = ((freedom - 1.0) * root.ln() - freedom * (root - 1.0) * (root + 1.0) / 2.0).exp();
            if root > 0.0 { density * value(root) * half * slope / inner.cosh().powi(2) } else { 0.0 }
        };
        (-STEPS..=STEPS).map(at).sum()
    };
    let end = most.min(f64::midpoint(near, far) / critical);
    if end <= least {
        return 0.0;
    }
    let both = |root: f64| 1.0 - normal_above(near - critical * root) - normal_above(far - critical * root);
    (integral(end, &both) / integral(most, &|_| 1.0)).clamp(0.0, 1.0)
}

/// The probability that the range of `count` standard normal variates, two or more, is at least `range`, which is not
/// negative: the studentized range with infinite degrees of freedom.
///
/// It is the mean, over the largest variate z, of the probability that any other is below z - range. The integrand is
/// smooth and vanishes at either end, so the trapezoidal rule is exact but for rounding.
pub fn range_above(range: f64, count: usize) -> f64 {
    const STEP: f64 = 1.0 / 16.0;
    /// The distance from the largest value of the integrand beyond which it is next to 0.
    const REACH: f64 = 10.0;
    let others = (count - 1) as f64;
    let steps = ((range / 2.0 + 2.0 * REACH) / STEP).ceil();
    let mut sum = 0.0;
    let mut z = -REACH;
    while z <= steps * STEP - REACH {
        let below = normal_above(-z);
        // The probability that any of the others is below z - range, if all are below z.
        let outside = -(others * (-normal_above(range - z) / below).ln_1p()).exp_m1();
        sum += (-z * z / 2.0).exp() * below.powf(others) * outside;
        z += STEP;
    }
    (sum * STEP * count as f64 / std::f64::consts::TAU.sqrt()).min(1.0)
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
    fn tails_of_noncentral_t_are_those_of_mpmath() {
        // mpmath 1.4: quad of npdf(z) * gammainc(freedom / 2, 0, freedom * ((z + shift) / t)**2 / 2, regularized=True)
        for (t, freedom, shift, expected) in [
            (12.7, 1.0, 3.0, 0.186_196_781_992_395_9),
            (2.0, 5.0, -1.0, 0.005_896_462_289_842_161_8),
            (4.0, 30.0, 4.5, 0.682_888_999_475_235),
            (700.0, 1.0, 900.0, 0.801_456_748_276_431_7),
            (6.3, 40.0, 15.0, 0.999_999_999_998_637_9),
            (2.0, 3.0, 0.0, 0.069_662_984_279_421_6),
        ] {
            let got = noncentral_t_above(t, freedom, shift);
            assert!((got / expected - 1.0).abs() < 1e-9, "{t} {freedom} {shift}: {got}, not {expected}");
        }
    }

    #[test]
    fn noncentral_t_has_no_step_between_the_two_integrals() {
        // The other integral takes over where the shift is 10, or where it is the root of twice the degrees of freedom.
        for (t, freedom, shift) in [(8.0, 3.0, 10.0), (12.0, 3.0, 10.0), (15.0, 128.0, 16.0)] {
            let [below, above] = [-1e-9, 1e-9].map(|more| noncentral_t_above(t, freedom, shift + more));
            assert!(above > below && above - below < 1e-8, "{t} {freedom} {shift}: {below} {above}");
        }
    }

    #[test]
    fn no_noncentral_t_is_out_of_range() {
        for t in [0.0, 1e-300, 1.0, 1e9] {
            for freedom in [1.0, 2.0, 100.0, 1e9] {
                for shift in [-1e300, -11.0, 0.0, 1.0, 1e9, 1e300] {
                    let got = noncentral_t_above(t, freedom, shift);
                    assert!((0.0..=1.0).contains(&got), "{t} {freedom} {shift}: {got}");
                }
            }
        }
    }

    #[test]
    fn tails_of_the_range_are_those_of_an_adaptive_quadrature() {
        // scipy.integrate.quad with a relative tolerance of 1e-13; scipy.stats.studentized_range.sf(range, count, inf)
        // agrees as far as it is accurate.
        for (range, count, expected) in [
            (0.0, 3, 1.0),
            (0.5, 2, 0.723_673_609_831_763_2),
            (0.5, 3, 0.933_421_945_135_287_2),
            (3.3145, 3, 0.049_999_387_596_061_456),
            (3.857_656, 5, 0.049_999_952_457_900_07),
            (8.0, 4, 9.235_490_150_444_864e-8),
            (15.0, 3, 8.329_948_152_403_9e-26),
            (6.0, 50, 0.019_406_652_535_705_702),
            (3.0, 1000, 0.999_999_999_999_991_9),
        ] {
            let got = range_above(range, count);
            assert!((got / expected - 1.0).abs() < 1e-10, "{range} {count}: {got}, not {expected}");
        }
        for range in [0.1, 1.0, 3.0, 9.0] {
            let expected = 2.0 * normal_above(range / SQRT_2);
            assert!((range_above(range, 2) / expected - 1.0).abs() < 1e-10, "{range}");
        }
    }

    #[test]
    fn power_of_two_one_sided_tests_is_that_of_an_adaptive_quadrature() {
        // scipy.integrate.quad over s of (norm.cdf(near - critical * s) - norm.cdf(critical * s - far)) times the
        // density of s, in parts
        for (critical, freedom, near, far, expected) in [
            (6.313_751_514_675, 1.0, 4.0, 9.0, 0.468_215_801_607_683_7),
            (1.832, 9.0, 2.5, 2.5, 0.500_475_783_004_053_4),
            (1.7, 29.0, 3.0, 5.0, 0.899_665_730_752_615_9),
            (1.6604, 99.0, 2.8, 9.0, 0.872_005_193_790_818_8),
            (1.645, 999.0, 3.0, 3.0, 0.824_421_413_938_286_7),
            (1.6449, 99_999.0, 2.5, 4.0, 0.794_492_487_156_306_3),
            (31.8, 1.0, 300.0, 300.0, 1.0),
            (2.0, 9.0, 1.0, 1.2, 0.002_687_394_051_952_26),
        ] {
            let got = equivalence_power(critical, freedom, near, far);
            assert!(
                (got / expected - 1.0).abs() < 1e-9,
                "{critical} {freedom} {near} {far}: {got}, not {expected}"
            );
        }
    }
}
