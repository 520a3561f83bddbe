//! The confidence interval of a weighted mean by Student's t, or by the limits of its values.

use super::mean_ci;
use super::statistic::{Compute, Error, Fields, Observed, Options, Statistic};
use super::weighted_sample::Weights;

pub static STATISTIC: Statistic = Statistic {
    name: "weighted_mean_ci",
    arguments: &["x", "weight"],
    fields: &["mean", "low", "high", "design_effect", "effective_n"],
    summary: "confidence interval of the weighted mean by Student's t, with Kish's design effect and the effective sample \
              size. A row of weight 0 is left out. If all weights are equal, it is mean_ci. With lower_bound and \
              upper_bound, equal values have the interval of mean_ci for effective_n values",
    formula: "mean: sum(w * x) / sum(w); low and high: mean -+ t * e, e = sqrt(n / (n - 1) * sum((w * (x - mean))^2)) / \
              sum(w), t the quantile of Student's t with n - 1 degrees of freedom; design_effect: n * sum(w^2) / \
              sum(w)^2; effective_n: n / design_effect",
    latex: "",
    range: "around the mean; low and high are NULL for one value without lower_bound and upper_bound; design_effect 1 to n",
    source: "Cochran, Sampling Techniques, 1977, section 6.3, the ratio estimator; svymean of R's survey; \
             statsmodels.api.WLS(x, ones, weights).fit(cov_type='HC1', use_t=True); Kish, Survey Sampling, 1965, section \
             11.7, the design effect; Lohr, Sampling: Design and Analysis",
    options: &["confidence", "lower_bound", "upper_bound"],
    compute: Compute::Weighted(compute),
};

/// The fields in the order above.
fn compute(observed: &mut Observed, options: &Options) -> Result<Fields, Error> {
    let weights = Weights::new(&observed.weights)?;
    let sample = weights.sample(&observed.first)?;
    let [low, high] = mean_ci::compute(&sample, options)?;
    let known = [weights.design_effect(), sample.effective_n].map(Some);
    Ok([Some(sample.mean), low, high].into_iter().chain(known).collect())
}
