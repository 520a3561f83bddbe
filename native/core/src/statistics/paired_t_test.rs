//! Student's t test of the mean difference of pairs.

use super::bounded_values::{Hoeffding, are_equal, common_value, greatest_share, limits};
use super::distributions::t_above;
use super::gaffke::Gaffke;
use super::skewness::Transformation;
use super::statistic::{Compute, Error, Options, Sample, Statistic, TEST, p_value};
use crate::options::choices::{Alternative, Skewness};

pub static STATISTIC: Statistic = Statistic {
    name: "paired_t_test",
    arguments: TEST.0,
    fields: TEST.1,
    summary: "Student's t test of a mean difference of 0 between pairs; statistic is t, and effect_size Cohen's d_z. With \
              a margin, greater is the test that a is not inferior to b, and equivalence is two one-sided tests: \
              p_value is the larger of theirs, and statistic its t. With lower_bound and upper_bound, the p_value of equal \
              differences is the largest probability of such a sample, which for greater is ((bound - lower_bound) / \
              (difference - lower_bound))^n",
    formula: "mean(a - b) / (s / sqrt(n)), with n - 1 degrees of freedom; greater: (mean(a - b) + margin) / (s / sqrt(n)); \
              less: (mean(a - b) - margin) / (s / sqrt(n)); effect_size: mean(a - b) / s. skewness=hall: p_value is that of \
              sqrt(n) * (w + g * w^2 / 3 + g^2 * w^3 / 27 + g / (6 * n)), w = t / sqrt(n), g the skewness of a - b, or with \
              lower_bound and upper_bound Hoeffding's bound on it, if that is smaller: exp(-n * (m * ln(m / q) + (1 - m) * \
              ln((1 - m) / (1 - q)))), m and q the mean and the denied mean as shares of the way between the bounds; \
              skewness=gaffke: p_value for greater is the probability that the mean of the differences and lower_bound, \
              with random weights that are uniformly distributed and sum to 1, is at most -margin, by the saddlepoint \
              approximation; for less the same with all signs changed; for hits and misses the exact binomial test",
    latex: r"t = \frac{\bar{d}}{s / \sqrt{n}}, \quad d_i = a_i - b_i",
    range: "p_value 0 to 1; NULL for one pair, where no pair differs, or with a margin, where all differences are at its \
            end",
    source: "Student, The Probable Error of a Mean, Biometrika 1908; scipy.stats.ttest_rel; Schuirmann, A Comparison of \
             the Two One-Sided Tests Procedure, Journal of Pharmacokinetics and Biopharmaceutics 1987; ttost_paired of \
             statsmodels; Hall, On the Removal of Skewness by Transformation, Journal of the Royal Statistical Society B \
             1992; Hoeffding, Probability Inequalities for Sums of Bounded Random Variables, JASA 1963; Gaffke, Three Test \
             Statistics for a Nonparametric One-Sided Hypothesis on the Mean of a Nonnegative Variable, Mathematical \
             Methods of Statistics 2005; Lugannani and Rice, Saddle Point Approximation for the Distribution of the \
             Sum of Independent Random Variables, Advances in Applied Probability 1980",
    options: &["alternative", "margin", "tolerance", "skewness", "lower_bound", "upper_bound"],
    compute: Compute::Moments(compute),
};

/// Student's t, and the p-value by the method that the options and the sample call for.
pub(super) fn compute(sample: &Sample, options: &Options) -> Result<[Option<f64>; 2], Error> {
    let Some(error) = sample.standard_error() else { return Ok([None; 2]) };
    let (t, [greater, less]) = student(sample.mean, error, options);
    let above = |t| t_above(t, sample.n() - 1.0);
    let transformation = Transformation::new(sample, options);
    // The probabilities that t is at most, and at least, as large as observed; `None` if they are not defined.
    let tails = match common_value(sample, options).zip(limits(sample, options)) {
        // The largest probabilities of n equal differences. The bound of `less` is the margin. With both signs
        // changed, it is that of `greater`.
        Some((value, [lower, upper])) => Some(
            [(-value, -upper), (value, lower)]
                .map(|(value, least)| greatest_share(value, -options.margin, least).powf(sample.effective_n)),
        ),
        None if t.is_nan() && options.skewness != Skewness::Gaffke => None,
        None => {
            let [mut at_most, mut at_least] =
                [above(-transformation.of(less)), above(transformation.of(greater))];
            if options.skewness == Skewness::Gaffke {
                // Without a limit, equal values do not tell how far off others may be, and deny no mean.
                let unlimited = |p| if are_equal(sample, options) { 1.0 } else { p };
                let [lower, upper] = Gaffke::sides(sample, options)?;
                at_least =
                    lower.map_or_else(|| unlimited(at_least), |test| test.probability(-options.margin));
                at_most = upper.map_or_else(|| unlimited(at_most), |test| test.probability(-options.margin));
            }
            if let Some(bound) = Hoeffding::new(sample, options) {
                at_least = at_least.min(bound.probability(-options.margin));
                at_most = at_most.min(bound.mirrored().probability(-options.margin));
            }
            Some([at_most, at_least])
        }
    };
    let p = tails.map(|[at_most, at_least]| p_value(options.alternative, at_most, at_least));
    Ok([Some(t).filter(|t| !t.is_nan()), p])
}

/// Student's t of a mean difference with this standard error, and those that the alternatives `greater` and `less` have.
pub(super) fn student(mean: f64, error: f64, options: &Options) -> (f64, [f64; 2]) {
    // The mean difference less the bound that the alternative `greater` denies, and the same for `less`.
    let [greater, less] = [options.margin, -options.margin].map(|margin| (mean + margin) / error);
    let t = match options.alternative {
        Alternative::Less => less,
        // The t of the larger p-value: that of the bound that is nearer to the mean.
        Alternative::Equivalence if mean >= 0.0 => less,
        _ => greater,
    };
    (t, [greater, less])
}
