//! The confidence interval of a mean that holds at every size of a growing sample together.

use super::bounded_values::interval_of_equal;
use super::statistic::{Compute, Error, INTERVAL, Options, Sample, Statistic};

pub static STATISTIC: Statistic = Statistic {
    name: "anytime_mean_ci",
    arguments: INTERVAL.0,
    fields: INTERVAL.1,
    summary: "confidence interval of the mean of a sample that grows: the intervals of all its sizes hold together with \
              the confidence, so that one may look at any time, and stop when one likes. Values come in random order, \
              each independent of the others. It is exact for normal values, and for others as their number grows",
    formula: "mean -+ t * s / sqrt(n), t^2 = (n - 1) * (R - 1) / (1 - R / K), K = 1 + n * r, R = (K / alpha^2)^(1 / n), \
              r = (ln(1 - 2 * ln(alpha)) - 2 * ln(alpha)) / narrowest_at, alpha = 1 - confidence. Equal values between \
              lower_bound and upper_bound have the interval of mean_ci",
    latex: "",
    range: "around the mean; low and high are NULL, or lower_bound and upper_bound, if R is K or more: up to 10 values by \
            default",
    source: "Lindon, Ham, Tingley and Bojinov, Anytime-Valid Linear Models and Regression Adjusted Causal Inference in \
             Randomized Experiments, 2022; Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Time-Uniform Central Limit \
             Theory and Asymptotic Confidence Sequences, Annals of Statistics 2024, whose interval it is for many values; \
             Wang and Ramdas, Anytime-Valid t-Tests and Confidence Sequences for Gaussian Means with Unknown Variance, 2023",
    options: &["confidence", "narrowest_at", "lower_bound", "upper_bound"],
    compute: Compute::Moments(compute),
};

/// The ends of the interval; `None` for one of which nothing is known.
///
/// The interval holds each mean against which the Bayes factor is below 1 / alpha. Its alternative is a normal prior of
/// the effect size, with the variance `prior`. The Bayes factor is a martingale if the mean is true, so that it ever
/// exceeds 1 / alpha with a probability of alpha at most (Ville's inequality).
fn compute(sample: &Sample, options: &Options) -> Result<[Option<f64>; 2], Error> {
    // If the mean is below the lower end for n equal values, n such values are less probable than half of alpha. They
    // are the start of all longer samples of such values, so that these add nothing.
    if let Some(ends) = interval_of_equal(sample, options) {
        return Ok(ends.map(Some));
    }
    let n = sample.n();
    let log_alpha = (-options.confidence).ln_1p();
    let prior = ((1.0 - 2.0 * log_alpha).ln() - 2.0 * log_alpha) / f64::from(options.narrowest_at);
    let shrinkage = 1.0 + n * prior;
    let log_ratio = (shrinkage.ln() - 2.0 * log_alpha) / n;
    let room = -(log_ratio - shrinkage.ln()).exp_m1();
    let reach = match sample.standard_error() {
        Some(error) if room > 0.0 => ((n - 1.0) * log_ratio.exp_m1() / room).sqrt() * error,
        _ => f64::INFINITY,
    };
    let low = (sample.mean - reach).max(options.lower_bound.min(sample.least));
    let high = (sample.mean + reach).min(options.upper_bound.max(sample.most));
    Ok([low, high].map(|end| Some(end).filter(|end| end.is_finite())))
}
