//! The mean of a metric by the judgements of people for some users and of a judge for all.

use super::bounded_values::are_equal;
use super::distributions::{t_above, t_exceeded};
use super::mean_ci;
use super::paired_t_test_power::Test;
use super::partially_overlapping_t_test::{present, where_both};
use super::statistic::{Compute, Error, Fields, Grow, Options, Sample, Statistic, counts, mean_of};
use super::weighted_sample::Weights;

pub static STATISTIC: Statistic = Statistic {
    name: "judge_corrected_mean",
    arguments: &["human", "judge"],
    fields: &[
        "mean",
        "low",
        "high",
        "p_value",
        "mean_human",
        "mean_judge",
        "judge_weight",
        "effective_n",
        "users_needed",
        "n_human",
        "n_judge",
        "n_both",
    ],
    summary: "mean of a metric and its confidence interval, if people judged a random sample of the users, and a judge, such as \
              a language model, all of them. The judge's mean is corrected by its errors on the sample (PPI++, which is the \
              regression estimator of double sampling). judge_weight is the weight of the judge, near 0 if it tells nothing \
              of the judgements of people. effective_n is how many users people alone would have to judge for an interval \
              as short, and users_needed how many they must judge beside this judge to find a mean of the size \
              `difference`. p_value is for differences of two systems: of no difference. If fewer than three users have \
              both values, if one of people has none of the judge, or if either has equal values but for rounding, \
              judge_weight is 0, and the interval is mean_ci of people",
    formula: "mean: mean(human) + w * (mean of judge over all users - that over users with both), w the slope of the least \
              squares of human by judge, cut at the bounds; low and high: mean -+ t * e, t the quantile of Student's t with \
              n_both - 2 degrees of freedom, e^2 = s^2 * (1 / n_both + d^2 / q) + w^2 * v / n_judge, s^2 the sum of squared \
              residuals over n_both - 2, d the difference of the means of judge in brackets above, q the sum of squares of \
              judge about its mean over users with both, v the variance of judge over all users; p_value: that of Student's \
              t of a mean of 0, mean / e; effective_n: n_human times the squared standard error of mean(human) over e^2; \
              users_needed: the least n with P(|T| > t) >= `power`, T noncentral t with n - 2 degrees of freedom and \
              noncentrality difference / f, f^2 = s^2 / n + w^2 * v / n_judge, t the critical value at alpha",
    latex: "",
    range: "between lower_bound and upper_bound; low and high are NULL for one judgement of people without these; effective_n \
            is n_human where judge_weight is 0, and NULL where e is 0; p_value is NULL where e is 0; users_needed is NULL where \
            judge_weight is 0, and where all users of the judge do not suffice",
    source: "Angelopoulos, Duchi and Zrnic, PPI++: Efficient Prediction-Powered Inference, 2023, arXiv 2311.01453; Cochran, \
             Sampling Techniques, 1977, section 12.6, double sampling for regression",
    options: &["confidence", "lower_bound", "upper_bound", "alpha", "power", "difference"],
    compute: Compute::Overlapping(compute),
};

/// The fewest users with both values of which a slope and its errors are estimated. With weights, it is the effective number
/// that counts.
const FEWEST: usize = 3;

/// The fields in the order above, from the values of each row, of which NaN stands for NULL.
fn compute(human: &mut [f64], judge: &[f64], options: &Options) -> Result<Fields, Error> {
    let mut ones = Vec::new();
    ones.make_exact_room(human.len())?;
    ones.resize(human.len(), 1.0);
    compute_weighted(human, judge, &ones, options)
}

/// The same, if the values of people have these weights.
pub fn compute_weighted(
    human: &[f64],
    judge: &[f64],
    weights: &[f64],
    options: &Options,
) -> Result<Fields, Error> {
    let [people, judged] = [present(human)?, present(judge)?];
    let pairs = where_both(judge, human)?;
    let counted = counts([people.len(), judged.len(), pairs.len()]);
    if people.is_empty() {
        let of_judge = mean_of(&judged)?;
        let known = [None, None, None, None, None, Some(of_judge), None, None, None];
        return Ok(known.into_iter().chain(counted).collect());
    }
    let weights = Weights::new(&where_both(weights, human)?)?;
    let sample = weights.sample(&people)?;
    let mean_judge = if judged.is_empty() { None } else { Some(mean_of(&judged)?) };
    let has_enough = sample.effective_n >= FEWEST as f64 && pairs.len() == people.len();
    let corrected = if has_enough { correct(&sample, &pairs, &weights, &judged, options)? } else { None };
    // The probability of a mean as far from 0 on either side.
    let p_value = |mean: f64, error: f64, freedom: f64| {
        (error > 0.0).then(|| (2.0 * t_above((mean / error).abs(), freedom)).min(1.0))
    };
    let p_alone = sample.standard_error().and_then(|error| p_value(sample.mean, error, sample.n() - 1.0));
    let needed = corrected.as_ref().and_then(|corrected| users_needed(corrected, judged.len(), options));
    let (mean, [low, high], p, weight, effective) = match corrected {
        Some(Corrected { mean, error, weight, .. }) => {
            let freedom = sample.effective_n - 2.0;
            let half_width = t_exceeded((1.0 - options.confidence) / 2.0, freedom) * error;
            // A line may lead beyond a bound, which no mean is.
            let bounded = |mean: f64| mean.max(options.lower_bound).min(options.upper_bound);
            let [low, high] = [mean - half_width, mean + half_width].map(bounded);
            let of_people = sample.standard_error().filter(|_| error > 0.0);
            let effective = of_people.map(|alone| sample.n() * (alone / error) * (alone / error));
            (bounded(mean), [Some(low), Some(high)], p_value(mean, error, freedom), weight, effective)
        }
        None => (sample.mean, mean_ci::compute(&sample, options)?, p_alone, 0.0, Some(sample.n())),
    };
    let known = [Some(mean), low, high, p, Some(sample.mean), mean_judge, Some(weight), effective, needed];
    Ok(known.into_iter().chain(counted).collect())
}

/// A mean that is corrected by the errors of a judge, its standard error, and the weight of the judge.
struct Corrected {
    mean: f64,
    error: f64,
    weight: f64,
    /// The variance of the values of people about the line, and the squared error of the judge's mean times the weight.
    of_residual: f64,
    of_judge: f64,
    /// How many times as many users it takes because of their weights.
    design_effect: f64,
}

/// The corrected mean from the values of people, those of the judge for the same users, and all values of the judge; `None`
/// if the judge's values for these users, or those of people, are all equal but for rounding.
fn correct(
    human: &Sample,
    judge: &[f64],
    weights: &Weights,
    judged: &[f64],
    options: &Options,
) -> Result<Option<Corrected>, Error> {
    let [of_judge, of_all] = [weights.sample(judge)?, Sample::new(judged)?];
    if are_equal(&of_judge, options) || are_equal(human, options) {
        return Ok(None);
    }
    let both = || {
        let pairs = human.values.iter().zip(judge);
        pairs.map(|(by_human, by_judge)| (by_human - human.mean, by_judge - of_judge.mean))
    };
    let products = weights.sum(both().map(|(human, judge)| human * judge));
    let spread = weights.sum(both().map(|(_, judge)| judge * judge));
    if spread == 0.0 {
        return Ok(None);
    }
    let weight = products / spread;
    let squares = weights.sum_of_squares(both().map(|(human, judge)| human - weight * judge));
    let (n, shift, design_effect) = (human.n(), of_all.mean - of_judge.mean, weights.design_effect());
    let of_residual = squares / (n - 2.0 * design_effect);
    let of_sample = weight * weight * of_all.squares / (of_all.n() - 1.0) / of_all.n();
    let leverage = 1.0 / n + shift * shift / spread;
    Ok(Some(Corrected {
        mean: human.mean + weight * shift,
        error: (of_residual * leverage + of_sample).sqrt(),
        weight,
        of_residual,
        of_judge: of_sample,
        design_effect,
    }))
}

/// The least number of users, of the `all` whom the judge judged, with whom people find a mean of the size `difference`; `None`
/// if not even all of them suffice.
fn users_needed(corrected: &Corrected, all: usize, options: &Options) -> Option<f64> {
    let size = options.difference.unwrap_or(corrected.mean).abs();
    let suffice = |users: usize| {
        let error = (corrected.of_residual / users as f64 + corrected.of_judge).sqrt();
        let effective_n = users as f64 / corrected.design_effect;
        // One degree of freedom less than that of as many pairs: the line has a slope, too.
        let test = Test::new(effective_n - 1.0, options);
        size > 0.0 && effective_n >= FEWEST as f64 && test.power([size / error; 2]) >= options.power
    };
    let (mut low, mut high) = (FEWEST - 1, all);
    if !suffice(all) {
        return None;
    }
    while low + 1 < high {
        let middle = usize::midpoint(low, high);
        if suffice(middle) { high = middle } else { low = middle }
    }
    Some(high as f64)
}
