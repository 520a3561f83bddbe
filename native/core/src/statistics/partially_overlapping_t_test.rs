//! The t test of two means whose samples have some users in common.

use super::distributions::{t_above, t_exceeded};
use super::exact_sum::sum;
use super::statistic::{
    Compute, Error, Fields, Grow, Options, Sample, Statistic, TEST, counts, difference, mean_of, p_value,
};
use super::{paired_comparison, paired_t_test};

pub static STATISTIC: Statistic = Statistic {
    name: "partially_overlapping_t_test",
    arguments: TEST.0,
    fields: &[
        "mean_a",
        "mean_b",
        "mean_difference",
        "low",
        "high",
        "statistic",
        "p_value",
        "n_a",
        "n_b",
        "n_both",
    ],
    summary: "t test of the difference of two means, and its confidence interval, if the samples have some users in \
              common. A user with one value and a NULL counts in the mean of that value; n_a and n_b are the numbers of \
              values, and n_both that of users who have both. If all users have both, it is paired_comparison, and if none \
              has, Welch's test",
    formula: "mean_difference: mean(a) - mean(b); statistic: mean_difference / e, e = sqrt(s_a^2 / n_a + s_b^2 / n_b - 2 * \
              r * s_a * s_b * n_both / (n_a * n_b)), r the correlation of the pairs, 0 where it is not defined; low and \
              high: mean_difference -+ t * e, t the quantile of Student's t. The degrees of freedom are n_both - 1 + (g - \
              n_both + 1) * u / (n_a + n_b), g those of Welch, and u = n_a + n_b - 2 * n_both. A margin is that of \
              paired_t_test, and lower_bound and upper_bound those of paired_comparison",
    latex: "",
    range: "p_value 0 to 1; counts 0 to n. low, high, statistic and p_value are NULL where a or b has fewer than two values, \
            or where neither has a spread; if all users have both values, where they are NULL in paired_comparison",
    source: "Derrick, Russ, Toher and White, Test Statistics for the Comparison of Means for Two Samples That Include \
             Both Paired and Independent Observations, Journal of Modern Applied Statistical Methods 2017, T_new2; Welch, \
             The Generalization of Student's Problem When Several Different Population Variances Are Involved, Biometrika \
             1947; scipy.stats.ttest_ind with equal_var=False",
    options: &["alternative", "margin", "confidence", "lower_bound", "upper_bound", "tolerance"],
    compute: Compute::Overlapping(compute),
};

/// The number of fields before the counts.
const VALUES: usize = 7;

/// The fields in the order above, from the values of each row, of which NaN stands for NULL. Values of `a` that tie with
/// those of their pairs are overwritten.
fn compute(a: &mut [f64], b: &[f64], options: &Options) -> Result<Fields, Error> {
    let raw = [present(a)?, present(b)?];
    let both = a.iter().zip(b).filter(|(a, b)| !a.is_nan() && !b.is_nan()).count();
    let counted = counts([raw[0].len(), raw[1].len(), both]);
    if both == a.len() {
        let compared = paired_comparison::compute(a, b, options)?;
        return Ok(compared.into_iter().take(VALUES).chain(counted).collect());
    }
    let mut means = [None; 2];
    for (mean, values) in means.iter_mut().zip(&raw).filter(|(_, values)| !values.is_empty()) {
        *mean = Some(mean_of(values)?);
    }
    // A pair that ties counts as a difference of 0.
    for (a, b) in a.iter_mut().zip(b) {
        if difference(*a, *b, options.tolerance) == 0.0 {
            *a = *b;
        }
    }
    let [_, values_b] = &raw;
    let values_a = present(a)?;
    let tested = if means.contains(&None) {
        [None; 5]
    } else {
        let samples = [Sample::new(&values_a)?, Sample::new(values_b)?];
        let mean = difference(samples[0].mean, samples[1].mean, options.tolerance);
        let [low, high, statistic, p_value] = test(mean, &samples, a, b, options)?;
        [Some(mean), low, high, statistic, p_value]
    };
    Ok(means.into_iter().chain(tested).chain(counted).collect())
}

/// The values that are not NaN.
pub(super) fn present(values: &[f64]) -> Result<Vec<f64>, Error> {
    where_both(values, values)
}

/// The values of rows in which neither the value nor the other one is NaN.
pub(super) fn where_both(values: &[f64], others: &[f64]) -> Result<Vec<f64>, Error> {
    let mut found = Vec::new();
    found.make_exact_room(values.len())?;
    let are_both = |(value, other): &(&f64, &f64)| !value.is_nan() && !other.is_nan();
    found.extend(values.iter().zip(others).filter(are_both).map(|(value, _)| *value));
    Ok(found)
}

/// The interval of the difference of the means, t, and its p-value.
fn test(
    mean: f64,
    [sample_a, sample_b]: &[Sample; 2],
    a: &[f64],
    b: &[f64],
    options: &Options,
) -> Result<[Option<f64>; 4], Error> {
    let Some((error_a, error_b)) = sample_a.standard_error().zip(sample_b.standard_error()) else {
        return Ok([None; 4]);
    };
    let [pairs_a, pairs_b] = [where_both(a, b)?, where_both(b, a)?];
    let (n_a, n_b, n_both) = (sample_a.n(), sample_b.n(), pairs_a.len() as f64);
    let [squared_a, squared_b] = [error_a * error_a, error_b * error_b];
    let common = correlation(&pairs_a, &pairs_b)? * error_a * error_b * n_both / (n_a * n_b).sqrt();
    let error = (squared_a + squared_b - 2.0 * common).max(0.0).sqrt();
    if error == 0.0 {
        return Ok([None; 4]);
    }
    let share = squared_a / (squared_a + squared_b);
    let of_welch = 1.0 / (share * share / (n_a - 1.0) + (1.0 - share) * (1.0 - share) / (n_b - 1.0));
    let unpaired = n_a + n_b - 2.0 * n_both;
    let freedom = n_both - 1.0 + (of_welch - n_both + 1.0) * unpaired / (n_a + n_b);

    let half_width = t_exceeded((1.0 - options.confidence) / 2.0, freedom) * error;
    // A difference beyond a bound moves the bound.
    let low = (mean - half_width).max(options.lower_bound.min(mean));
    let high = (mean + half_width).min(options.upper_bound.max(mean));
    let (t, [greater, less]) = paired_t_test::student(mean, error, options);
    let p = p_value(options.alternative, t_above(-less, freedom), t_above(greater, freedom));
    Ok([low, high, t, p].map(Some))
}

/// Pearson's correlation of pairs; 0 if one of the two has no spread.
fn correlation(a: &[f64], b: &[f64]) -> Result<f64, Error> {
    if a.is_empty() {
        return Ok(0.0);
    }
    let (sample_a, sample_b) = (Sample::new(a)?, Sample::new(b)?);
    let products = sum(a.iter().zip(b).map(|(a, b)| (a - sample_a.mean) * (b - sample_b.mean)));
    let spread = sample_a.squares.sqrt() * sample_b.squares.sqrt();
    Ok(if spread == 0.0 { 0.0 } else { (products / spread).clamp(-1.0, 1.0) })
}
