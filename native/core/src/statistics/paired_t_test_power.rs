//! The differences that a paired t test can find, and the pairs that it needs.

use super::bounded_values::{common_value, greatest_share};
use super::distributions::{equivalence_power, noncentral_t_above, normal_exceeded, t_exceeded};
use super::root::root;
use super::statistic::{Compute, Error, Options, Sample, Statistic, TEST};
use crate::options::choices::{Alternative, Skewness};

pub static STATISTIC: Statistic = Statistic {
    name: "paired_t_test_power",
    arguments: TEST.0,
    fields: &["mean_difference", "min_detectable_effect", "users_needed"],
    summary: "what a paired t test can find, judged by the standard deviation s of these differences. \
              min_detectable_effect is the mean difference that a test of n pairs finds significant at alpha with \
              probability `power`. users_needed is the least number of pairs with which a test finds a mean difference \
              of the size `difference`. With a margin, users_needed is for the test of paired_t_test with that margin, \
              if the true mean difference is `difference`, and min_detectable_effect is the least mean difference in \
              the direction of the alternative with which a system is found not inferior, NULL for equivalence",
    formula: "the mean difference d, or the least n, with P(|T| > t) >= power, T noncentral t with n - 1 degrees of \
              freedom and noncentrality d * sqrt(n) / s, and t the critical value at alpha; one-sided: P(T > t). With a margin, d is greater: difference + margin; less: margin - difference; \
              equivalence: the probability that both one-sided tests are significant. skewness=gaffke: d is less by (d + l) / \
              (n + 1), l the distance from the denied difference to the limit beyond it",
    latex: "",
    range: "above 0; users_needed a whole number from 2. NULL for one pair, or where all differences are equal, \
            unless lower_bound and upper_bound are given; users_needed also where the difference is 0 or, with a margin, not within it. With a margin, \
            min_detectable_effect may be negative",
    source: "Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988; TTestPower.solve_power of statsmodels; \
             Phillips, Power of the Two One-Sided Tests Procedure in Bioequivalence, Journal of Pharmacokinetics and \
             Biopharmaceutics 1990; power.TOST of PowerTOST",
    options: &[
        "alternative",
        "margin",
        "alpha",
        "power",
        "difference",
        "tolerance",
        "skewness",
        "lower_bound",
        "upper_bound",
    ],
    compute: Compute::Moments(compute),
};

/// Above these degrees of freedom, t is normal but for a share of about 1e-9.
const NORMAL: f64 = 1e9;

/// The least difference that a test of as many pairs finds, and the number of pairs that `difference` needs.
fn compute(sample: &Sample, options: &Options) -> Result<[Option<f64>; 2], Error> {
    let Some(error) = sample.standard_error() else { return Ok([None; 2]) };
    // Equal differences whose limits are known: the limits tell the pairs needed, and no detectable effect.
    if let Some(value) = common_value(sample, options) {
        return Ok([None, equal_users_needed(value, options)]);
    }
    if error == 0.0 {
        return Ok([None; 2]);
    }
    let deviation = error * sample.n().sqrt();
    let difference = match options.difference {
        // Without a margin, `difference` is a size.
        Some(size) if options.margin == 0.0 && options.alternative == Alternative::Less => -size,
        given => given.unwrap_or(sample.mean),
    };
    // Gaffke's test takes the limit beyond a bound as one more value, at this distance from the difference; else 0.
    let [lower, upper] = [difference - options.lower_bound, options.upper_bound - difference].map(|reach| {
        if options.skewness == Skewness::Gaffke && reach.is_finite() { reach.max(0.0) } else { 0.0 }
    });
    // Beyond the bound that the test must deny, and beyond the other one.
    let [near_reach, far_reach] = if is_less(difference, options) { [upper, lower] } else { [lower, upper] };
    // The distance to the bound that the test must deny, and to the other one.
    let [near, far] = match options.alternative {
        _ if options.margin == 0.0 => [difference.abs(); 2],
        Alternative::Less => [options.margin - difference; 2],
        Alternative::Equivalence => [options.margin - difference.abs(), options.margin + difference.abs()],
        _ => [options.margin + difference; 2],
    };
    let scaled = |distances: [f64; 2]| distances.map(|distance| distance / deviation);
    let users = users_needed(scaled([near, far]), scaled([near_reach, far_reach]), options);
    let detectable = (options.alternative != Alternative::Equivalence).then(|| {
        // The limit is `near_reach - near` from the bound, whatever the difference is. As one more value, it divides
        // the difference by `factor`, after `beyond` was taken off.
        let beyond = if near_reach > 0.0 { (near_reach - near) / sample.n() } else { 0.0 };
        let factor = if near_reach > 0.0 { 1.0 + 1.0 / sample.n() } else { 1.0 };
        detectable_shift(sample.n(), options) * error * factor + beyond - options.margin
    });
    Ok([detectable, users])
}

/// Whether the test that the difference is less decides: that of the alternative, or without a margin the one on the side
/// of the difference.
fn is_less(difference: f64, options: &Options) -> bool {
    match options.alternative {
        _ if options.margin == 0.0 => difference < 0.0,
        Alternative::Less => true,
        Alternative::Equivalence => difference >= 0.0,
        Alternative::Greater | Alternative::TwoSided => false,
    }
}

/// The share of wrong results that the test allows on one side.
fn tail(options: &Options) -> f64 {
    if options.alternative == Alternative::TwoSided { options.alpha / 2.0 } else { options.alpha }
}

/// The test of n pairs.
pub(super) struct Test {
    freedom: f64,
    /// The t from which on the result is significant.
    critical: f64,
    alternative: Alternative,
}

impl Test {
    pub(super) fn new(n: f64, options: &Options) -> Self {
        let freedom = (n - 1.0).min(NORMAL);
        Self { freedom, critical: t_exceeded(tail(options), freedom), alternative: options.alternative }
    }

    /// The probability of a significant result if the mean difference is `near` times its standard error from the bound
    /// that the test must deny. Equivalence must deny another one, too, which is `far` away.
    pub(super) fn power(&self, [near, far]: [f64; 2]) -> f64 {
        let above = |shift| noncentral_t_above(self.critical, self.freedom, shift);
        match self.alternative {
            Alternative::TwoSided => above(near) + above(-near),
            Alternative::Equivalence => equivalence_power(self.critical, self.freedom, near, far),
            Alternative::Less | Alternative::Greater => above(near),
        }
    }
}

/// The mean difference that a test of n pairs finds with the power wanted, as a multiple of its standard error.
fn detectable_shift(n: f64, options: &Options) -> f64 {
    let test = Test::new(n, options);
    root(0.0, |shift| test.power([shift; 2]) - options.power)
}

/// The least number of pairs with which `paired_t_test` finds a mean difference, if each of them differs by `value`.
/// `None` for equivalence, and if no number of pairs shows it.
fn equal_users_needed(value: f64, options: &Options) -> Option<f64> {
    let (value, least) = match options.alternative {
        Alternative::Equivalence => return None,
        _ if is_less(value, options) => (-value, -options.upper_bound),
        _ => (value, options.lower_bound),
    };
    let share = greatest_share(value, -options.margin, least);
    // The p-value of n such pairs is share^n.
    let needed = (tail(options).ln() / share.ln()).ceil().max(2.0);
    (share < 1.0 && needed.is_finite()).then_some(needed)
}

/// The least number of pairs with which a test finds a mean difference. It is `near` and `far` standard deviations from
/// the bounds that the test must deny, and `near_reach` and `far_reach` from the limits beyond them, each of which is
/// taken as one more value. `None` if no number that floating point can hold suffices.
fn users_needed([near, far]: [f64; 2], [near_reach, far_reach]: [f64; 2], options: &Options) -> Option<f64> {
    if near <= 0.0 {
        return None;
    }
    let test = |n| Test::new(n, options);
    let shifts = |n: f64| {
        [(near, near_reach), (far, far_reach)].map(|(bound, limit)| (bound - limit / (n + 1.0)) * n.sqrt())
    };
    let suffice = |n: f64| test(n).power(shifts(n)) >= options.power;
    // With the normal distribution in place of Student's, few pairs more or less are needed.
    let shift = test(NORMAL).critical - normal_exceeded(options.power);
    let guess = (shift / near).powi(2).floor().clamp(2.0, 1e300);
    // Steps that double enclose the number between `low` and `high`, and halving finds it.
    let (mut low, mut high, mut step) = (guess - 1.0, guess, 1.0);
    while !suffice(high) {
        (low, high, step) = (high, high + step, 2.0 * step);
        if high.is_infinite() {
            return None;
        }
    }
    while low >= 2.0 && suffice(low) {
        (low, high, step) = ((low - step).max(1.0), low, 2.0 * step);
    }
    loop {
        let middle = f64::midpoint(low, high).floor();
        if middle <= low || middle >= high {
            return Some(high);
        }
        if suffice(middle) { high = middle } else { low = middle }
    }
}
