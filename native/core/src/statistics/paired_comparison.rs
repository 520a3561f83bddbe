//! All about the differences of two systems, in one pass.

use super::statistic::{
    Compute, Error, Fields, Options, Sample, Statistic, TEST, counts, difference, mean_of,
};
use super::{mean_ci, paired_t_test, win_tie_loss};

pub static STATISTIC: Statistic = Statistic {
    name: "paired_comparison",
    arguments: TEST.0,
    fields: &[
        "mean_a",
        "mean_b",
        "mean_difference",
        "low",
        "high",
        "statistic",
        "p_value",
        "effect_size",
        "wins",
        "ties",
        "losses",
    ],
    summary: "all about the differences of two systems, in one pass: the means of both, the mean difference with its \
              confidence interval by mean_ci, Student's t and its p-value by paired_t_test, Cohen's d_z, and the numbers \
              of pairs in which a is larger, equal and smaller by win_tie_loss. With lower_bound and upper_bound, differences \
              that are all equal have the interval and the p-value that the bounds allow",
    formula: "mean_a and mean_b: the means of the pairs without NULL; low and high: mean_ci(a - b); statistic, p_value and \
              effect_size: paired_t_test(a, b); wins, ties and losses: win_tie_loss(a, b)",
    latex: "",
    range: "p_value 0 to 1, and NULL where statistic is; counts 0 to n. All but the counts are NULL for no pairs. NULL \
            for one pair: statistic, p_value and effect_size, and without the bounds low and high",
    source: "the sources of mean_ci, paired_t_test and win_tie_loss",
    options: &["alternative", "margin", "confidence", "lower_bound", "upper_bound", "tolerance"],
    compute: Compute::Pairs(compute),
};

/// The fields in the order above, from the two values of each pair. `a` is overwritten with the differences.
pub(super) fn compute(a: &mut [f64], b: &[f64], options: &Options) -> Result<Fields, Error> {
    let [mean_a, mean_b] = [mean_of(a)?, mean_of(b)?];
    a.iter_mut().zip(b).for_each(|(a, b)| *a = difference(*a, *b, options.tolerance));
    let sample = Sample::new(a)?;
    let means = [mean_a, mean_b, sample.mean].map(Some);
    let tested = test(&sample, options)?.into_iter().chain([sample.effect_size()]);
    Ok(means.into_iter().chain(tested).chain(counts(win_tie_loss::count(a))).collect())
}

/// The ends of the interval of the mean difference, Student's t, and its p-value.
pub(super) fn test(differences: &Sample, options: &Options) -> Result<[Option<f64>; 4], Error> {
    let [low, high] = mean_ci::compute(differences, options)?;
    let [statistic, p_value] = paired_t_test::compute(differences, options)?;
    // Pairs that do not differ are no test: a correction for the number of tests does not count them.
    Ok([low, high, statistic, p_value.filter(|_| statistic.is_some())])
}
