//! The geometric mean of a metric over users.

use super::exact_sum::sum;
use super::jackknife::jackknife_values;
use crate::documentation::{About, ValueRange};
use crate::error::{Error, bail};
use crate::memory::Grow;
use crate::ranking::as_f64;
use crate::results::Nullable;

pub(crate) const ABOUT: About = About {
    summary: "the geometric mean of a metric over users as a value for each user, in their order: the mean of the values is \
              the geometric mean, and the interval of this mean is the jackknife's. A value below 0.00001 counts as 0.00001. \
              A NULL stays NULL",
    formula: "g + (n - 1) * (m - w), g = exp(mean of ln(max(x, 0.00001))), w the same without the user, m the mean of all w",
    latex: "",
    range: ValueRange::in_words("any number"),
    source: "Robertson, On GMAP and other transformations, CIKM 2006; trec_eval, gm_map; Efron and Stein, The Jackknife \
             Estimate of Variance, Annals of Statistics 1981",
};

/// The value as which a smaller one counts, as in trec_eval: the logarithm of 0 is no number.
const LEAST: f64 = 0.00001;

/// The value itself; an error, which names `argument`, unless it is a finite number from 0.
pub fn check_value(argument: &str, x: f64) -> Result<f64, Error> {
    if !(x >= 0.0 && x.is_finite()) {
        bail!(argument => "{argument} must hold finite numbers from 0, got {x:?}");
    }
    Ok(x)
}

/// Replaces each value by the geometric mean of all with the influence of this one. NULL is no value, and stays NULL.
pub fn replace_by_geometric_mean(values: &mut [Nullable]) -> Result<(), Error> {
    let mut logarithms = Vec::new();
    logarithms.make_exact_room(values.len())?;
    logarithms.extend(values.iter().filter_map(|value| value.get()).map(|x| x.max(LEAST).ln()));
    let mut without = Vec::new();
    without.make_exact_room(logarithms.len())?;
    let (total, n) = (sum(logarithms.iter().copied()), as_f64(logarithms.len()));
    without.extend(logarithms.iter().map(|own| {
        // Without its only value there is no mean.
        Nullable::from((n > 1.0).then(|| ((total - own) / (n - 1.0)).exp()))
    }));
    let mut influenced = jackknife_values((total / n).exp(), &without);
    for value in values.iter_mut().filter(|value| value.get().is_some()) {
        *value = influenced.next().into();
    }
    Ok(())
}
