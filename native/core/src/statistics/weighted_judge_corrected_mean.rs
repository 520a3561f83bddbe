//! The mean of a metric by the judgements of people for some users, who have weights, and of a judge for all.

use super::judge_corrected_mean;
use super::statistic::{Compute, Error, Fields, Observed, Options, Statistic, WEIGHT};

pub static STATISTIC: Statistic = Statistic {
    name: "weighted_judge_corrected_mean",
    arguments: &["human", "judge", WEIGHT],
    fields: judge_corrected_mean::STATISTIC.fields,
    summary: "mean of a metric and its confidence interval, if people judged a sample in which some users were more likely to \
              be than others, and a judge all users. It is judge_corrected_mean with a weight for each value by people: 1 \
              over the probability of its user, up to a factor. A user whom people did not judge needs no weight: NULL and \
              all finite numbers of at least 0 are alike there, because all users of the judge count alike. A weight of NULL \
              or 0 leaves out the value of people, and not that of the judge. effective_n and users_needed are numbers of \
              users who are drawn with the same probabilities. If all weights are equal, it is judge_corrected_mean. The \
              interval is too short if few values have most of the weight: weighted_mean_ci has the effective sample size, \
              which should be 30 or more. Below 3, judge_weight is 0. The interval is then weighted_mean_ci of people, as in \
              the other cases in which judge_weight is 0",
    formula: "u: the weights of people's values over their mean; m_h and m_j: sum(u * human) / n_both and sum(u * judge) / \
              n_both, over users with both; mean: m_h + b * (mean of judge over all users - m_j), b = sum(u * (human - m_h) * \
              (judge - m_j)) / q, q = sum(u * (judge - m_j)^2), cut at the bounds; low and high: mean -+ t * e, t the \
              quantile of Student's t with n_both / D - 2 degrees of freedom, D = sum(u^2) / n_both, e^2 = s^2 * (1 / n_both + \
              d^2 / q) + b^2 * v / n_judge, s^2 = sum((u * (human - m_h - b * (judge - m_j)))^2) / (n_both - 2 * D), d the \
              difference of the means of judge in brackets above, v the variance of judge over all users; users_needed: \
              that of judge_corrected_mean with n / D - 2 degrees of freedom; effective_n: with the standard error of \
              weighted_mean_ci for that of mean(human)",
    latex: "",
    range: "that of judge_corrected_mean",
    source: "Sarndal, Swensson and Wretman, Model Assisted Survey Sampling, 1992, chapters 6 and 9, the regression \
             estimator of two-phase sampling; the sources of judge_corrected_mean and weighted_mean_ci",
    options: judge_corrected_mean::STATISTIC.options,
    compute: Compute::WeightedOverlapping(compute),
};

/// The fields in the order above.
fn compute(observed: &mut Observed, options: &Options) -> Result<Fields, Error> {
    let Observed { first: human, second: judge, weights } = observed;
    judge_corrected_mean::compute_weighted(human, judge, weights, options)
}
