//! All about the weighted differences of two systems, in one pass.

use super::statistic::{Compute, Error, Fields, Observed, Options, Statistic, counts, difference};
use super::weighted_sample::Weights;
use super::{paired_comparison, win_tie_loss};

pub static STATISTIC: Statistic = Statistic {
    name: "weighted_paired_comparison",
    arguments: &["a", "b", "weight"],
    fields: &[
        "mean_a",
        "mean_b",
        "mean_difference",
        "low",
        "high",
        "statistic",
        "p_value",
        "effect_size",
        "design_effect",
        "effective_n",
        "wins",
        "ties",
        "losses",
    ],
    summary: "paired_comparison of pairs with weights: the weighted means of both systems, the weighted mean difference with \
              its confidence interval by weighted_mean_ci, Student's t and its p-value, Cohen's d_z, Kish's design effect \
              and the effective sample size, and the numbers of pairs in which a is larger, equal and smaller, which have \
              no weight. A pair of weight 0 is left out. If all weights are equal, it is paired_comparison",
    formula: "d = a - b; mean_a, mean_b and mean_difference: sum(w * a) / sum(w), and so on; low, high, design_effect and \
              effective_n: weighted_mean_ci(d, w); statistic: mean_difference / e, e = sqrt(n / (n - 1) * sum((w * (d - \
              mean_difference))^2)) / sum(w), with n - 1 degrees of freedom, and with a margin as in paired_t_test; \
              effect_size: mean_difference / sqrt(n / (n - 1) * sum(w * (d - mean_difference)^2) / sum(w)); wins, ties \
              and losses: win_tie_loss(a, b)",
    latex: "",
    range: "p_value 0 to 1, and NULL where statistic is; counts 0 to n. All but the counts are NULL for no pairs. NULL \
            for one pair: statistic, p_value and effect_size, and without the bounds low and high",
    source: "the sources of weighted_mean_ci, paired_t_test and win_tie_loss",
    options: &["alternative", "margin", "confidence", "lower_bound", "upper_bound", "tolerance"],
    compute: Compute::Weighted(compute),
};

/// The fields in the order above. The first values are overwritten with the differences.
fn compute(observed: &mut Observed, options: &Options) -> Result<Fields, Error> {
    let Observed { first: a, second: b, weights } = observed;
    let weights = Weights::new(weights)?;
    let means = [weights.mean(a)?, weights.mean(b)?];
    a.iter_mut().zip(b).for_each(|(a, b)| *a = difference(*a, *b, options.tolerance));
    let sample = weights.sample(a)?;
    let tested = paired_comparison::test(&sample, options)?;
    let known = [weights.effect_size(&sample), Some(weights.design_effect()), Some(sample.effective_n)];
    let means = means.into_iter().chain([sample.mean]).map(Some);
    Ok(means.chain(tested).chain(known).chain(counts(win_tie_loss::count(a))).collect())
}
