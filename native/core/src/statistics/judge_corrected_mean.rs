//! The mean of a metric by the judgements of people for some users and of a judge for all.

use super::distributions::t_exceeded;
use super::exact_sum::sum;
use super::mean_ci;
use super::partially_overlapping_t_test::{present, where_both};
use super::statistic::{Compute, Error, Fields, Options, Sample, Statistic, counts, mean_of};

pub static STATISTIC: Statistic = Statistic {
    name: "judge_corrected_mean",
    arguments: &["human", "judge"],
    fields: &[
        "mean",
        "low",
        "high",
        "mean_human",
        "mean_judge",
        "power",
        "effective_n",
        "n_human",
        "n_judge",
        "n_both",
    ],
    summary: "mean of a metric and its confidence interval, if people judged a random sample of the users, and a judge, such as \
              a language model, all of them. The judge's mean is corrected by its errors on the sample (prediction-powered \
              inference, PPI++ with power tuning). power is the weight of the judge: 0 if it says nothing of the judgements \
              of people. effective_n is how many users people alone had to judge for an interval as short. If no user has \
              both values, or too few or equal ones, power is 0 and the interval is mean_ci of people",
    formula: "mean: mean(human) + power * (mean of judge over all users - that over users with both), power the slope of the \
              least squares of human by judge; low and high: mean -+ t * e, t the quantile of Student's t with n_both - 2 \
              degrees of freedom, e^2 = r^2 * (1 / n_both + d^2 / s) + power^2 * v / n_judge, r^2 the sum of squared \
              residuals over n_both - 2, d the difference of the means of judge in brackets above, s the sum of squares of \
              judge about its mean over users with both, v the variance of judge over all users; effective_n: n_human times \
              the squared standard error of mean(human) over e^2",
    latex: "",
    range: "mean around those of people; low and high are NULL for one judgement of people without lower_bound and \
            upper_bound; effective_n is NULL where e is 0 or people have fewer than two values",
    source: "Angelopoulos, Duchi and Zrnic, PPI++: Efficient Prediction-Powered Inference, 2023, arXiv 2311.01453; Cochran, \
             Sampling Techniques, 1977, section 12.6, double sampling for regression",
    options: &["confidence", "lower_bound", "upper_bound"],
    compute: Compute::Overlapping(compute),
};

/// The fewest users with both values of which a slope and its errors are estimated.
const FEWEST: usize = 3;

/// The fields in the order above, from the values of each row, of which NaN stands for NULL.
fn compute(human: &mut [f64], judge: &[f64], options: &Options) -> Result<Fields, Error> {
    let [people, judged] = [present(human)?, present(judge)?];
    let [pairs_human, pairs_judge] = [where_both(human, judge)?, where_both(judge, human)?];
    let counted = counts([people.len(), judged.len(), pairs_human.len()]);
    if people.is_empty() {
        let of_judge = mean_of(&judged)?;
        let known = [None, None, None, None, Some(of_judge), None, None];
        return Ok(known.into_iter().chain(counted).collect());
    }
    let sample = Sample::new(&people)?;
    let mean_judge = if judged.is_empty() { None } else { Some(mean_of(&judged)?) };
    let corrected = if pairs_human.len() < FEWEST || pairs_human.len() < people.len() {
        None
    } else {
        correct(&pairs_human, &pairs_judge, &judged)?
    };
    let (mean, [low, high], power, effective) = match corrected {
        Some(Corrected { mean, error, power }) => {
            let half_width =
                t_exceeded((1.0 - options.confidence) / 2.0, pairs_human.len() as f64 - 2.0) * error;
            // A mean beyond a bound moves the bound.
            let low = (mean - half_width).max(options.lower_bound.min(mean));
            let high = (mean + half_width).min(options.upper_bound.max(mean));
            let of_people = sample.standard_error().filter(|_| error > 0.0);
            let effective = of_people.map(|alone| sample.n() * (alone / error) * (alone / error));
            (mean, [Some(low), Some(high)], power, effective)
        }
        None => (sample.mean, mean_ci::compute(&sample, options)?, 0.0, Some(sample.n())),
    };
    let known = [Some(mean), low, high, Some(sample.mean), mean_judge, Some(power), effective];
    Ok(known.into_iter().chain(counted).collect())
}

/// A mean that is corrected by the errors of a judge, its standard error, and the weight of the judge.
struct Corrected {
    mean: f64,
    error: f64,
    power: f64,
}

/// The corrected mean from the pairs of values and all values of the judge; `None` if the judge's values in pairs, or
/// those of people, are all equal.
fn correct(human: &[f64], judge: &[f64], judged: &[f64]) -> Result<Option<Corrected>, Error> {
    let [of_people, of_judge, of_all] = [Sample::new(human)?, Sample::new(judge)?, Sample::new(judged)?];
    if of_judge.squares == 0.0 || of_people.squares == 0.0 {
        return Ok(None);
    }
    let both = || human.iter().zip(judge);
    let products = sum(both().map(|(human, judge)| (human - of_people.mean) * (judge - of_judge.mean)));
    let power = products / of_judge.squares;
    let residual = |(human, judge): (&f64, &f64)| human - of_people.mean - power * (judge - of_judge.mean);
    let squares = sum(both().map(|pair| residual(pair) * residual(pair)));
    let (n, shift) = (of_people.n(), of_all.mean - of_judge.mean);
    let of_residuals = squares / (n - 2.0) * (1.0 / n + shift * shift / of_judge.squares);
    let of_sample = power * power * of_all.squares / (of_all.n() - 1.0) / of_all.n();
    Ok(Some(Corrected {
        mean: of_people.mean + power * shift,
        error: (of_residuals + of_sample).sqrt(),
        power,
    }))
}
