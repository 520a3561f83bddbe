//! The jackknife: the influence of each value of a sample on a statistic of all of them.

use super::exact_sum::sum;
use crate::ranking::as_f64;
use crate::results::Nullable;

/// For each value of a sample, the statistic `all` of the sample with the influence of the value added. `without` has the
/// statistic without each value. The mean is `all`, and its standard error that of the jackknife.
pub fn jackknife_values(all: f64, without: &[Nullable]) -> impl Iterator<Item = f64> {
    let n = as_f64(without.len());
    // A value without which there is no statistic has no influence.
    let known = move || without.iter().map(move |each| each.get().unwrap_or(all));
    let total = sum(known());
    // The sum of large numbers overflows, and the mean does not.
    let mean = if total.is_finite() { total / n } else { sum(known().map(|without| without / n)) };
    known().map(move |without| all + (n - 1.0) * (mean - without))
}
