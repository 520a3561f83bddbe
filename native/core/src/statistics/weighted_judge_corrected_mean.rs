//! The mean of a metric by the judgements of people for some users, who have weights, and of a judge for all.

use super::judge_corrected_mean;
use super::statistic::{Compute, Error, Fields, Observed, Options, Statistic, WEIGHT};

pub static STATISTIC: Statistic = Statistic {
    name: "weighted_judge_corrected_mean",
    arguments: &["human", "judge", WEIGHT],
    fields: judge_corrected_mean::STATISTIC.fields,
    summary: "judge_corrected_mean, if the users whom people judged were drawn with probabilities that differ, such as more \
              of a rare segment. weight is that of a user's value by people: 1 over the probability, up to a factor. It \
              means nothing where people did not judge, and the judge's users count alike. A weight of NULL or 0 leaves out \
              the value of people, and not that of the judge. The interval is that of draws with replacement, so that it is \
              too long, rather than too short, for a sample with a fixed number of each segment. effective_n and \
              users_needed are of users drawn with the same probabilities. If all weights are equal, it is \
              judge_corrected_mean. Where judge_weight is 0, the interval is weighted_mean_ci of people",
    formula: "m_h and m_j: the weighted means of human and judge over users with both, weights u that are divided by their \
              mean; mean: m_h + w * (mean of judge over all users - m_j), w the slope of the weighted least squares of human \
              by judge, cut at the bounds; low and high: mean -+ t * e, t the quantile of Student's t with n_both - 2 \
              degrees of freedom, e^2 = s^2 * (1 / n_both + d^2 / q) + w^2 * v / n_judge, s^2 = sum((u * (human - m_h - w * \
              (judge - m_j)))^2) / (n_both - 2), d the difference of the means of judge in brackets above, q = sum(u * (judge \
              - m_j)^2), v the variance of judge over all users; all else as in judge_corrected_mean, with the standard error \
              of weighted_mean_ci for that of mean(human)",
    latex: "",
    range: "that of judge_corrected_mean",
    source: "Sarndal, Swensson and Wretman, Model Assisted Survey Sampling, 1992, sections 6.4 and 9.7, the regression \
             estimator of two-phase sampling; the sources of judge_corrected_mean and weighted_mean_ci",
    options: judge_corrected_mean::STATISTIC.options,
    compute: Compute::WeightedOverlapping(compute),
};

/// The fields in the order above.
fn compute(observed: &mut Observed, options: &Options) -> Result<Fields, Error> {
    let Observed { first: human, second: judge, weights } = observed;
    judge_corrected_mean::compute_weighted(human, judge, weights, options)
}
