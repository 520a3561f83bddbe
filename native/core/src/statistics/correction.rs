//! Corrections of p-values for the number of tests.

use crate::documentation::{About, ValueRange};
use crate::error::{Error, bail};
use crate::memory::Grow;
use crate::options::choices::Correction;
use crate::results::Nullable;

pub(crate) const ABOUT: About = About {
    summary: "p-values corrected for the number of tests, in the order of the tests. A NULL is no test, and stays NULL",
    formula: "with m tests, by Holm's steps; by Bonferroni min(1, p * m); or by Benjamini and Hochberg's steps",
    latex: r"p'_{(i)} = \min\left(1, \max_{j \le i} (m - j + 1) \, p_{(j)}\right)",
    range: ValueRange::UNIT,
    source: "Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 1979; \
             Benjamini and Hochberg, Controlling the False Discovery Rate, Journal of the Royal Statistical Society B \
             1995; multipletests of statsmodels, whose fdr_bh is benjamini_hochberg",
};

/// The p-value itself; an error, which names `argument`, unless it is from 0 to 1.
pub fn check_p_value(argument: &str, p: f64) -> Result<f64, Error> {
    if !(0.0..=1.0).contains(&p) {
        bail!(argument => "{argument} must hold numbers from 0 to 1, got {p:?}");
    }
    Ok(p)
}

/// Replaces each p-value by the corrected one. NULL is no test: it does not count, and stays NULL.
pub fn correct(p_values: &mut [Nullable], correction: Correction) -> Result<(), Error> {
    let mut tests = Vec::new();
    tests.make_exact_room(p_values.len())?;
    tests.extend(p_values.iter_mut().filter_map(|value| value.get().map(|p| (p, value))));
    tests.sort_unstable_by(|(p, _), (other, _)| p.total_cmp(other));
    let m = tests.len();
    let factor = |place: usize| match correction {
        Correction::Holm => (m - place) as f64,
        Correction::Bonferroni => m as f64,
        Correction::BenjaminiHochberg => m as f64 / (place + 1) as f64,
    };
    // Adding 0 turns -0 into 0.
    let tests =
        tests.into_iter().enumerate().map(|(place, (p, value))| ((p * factor(place)).min(1.0) + 0.0, value));
    // A corrected p-value is not below that of a smaller p-value.
    if correction == Correction::BenjaminiHochberg {
        accumulate(tests.rev(), f64::min, 1.0);
    } else {
        accumulate(tests, f64::max, 0.0);
    }
    Ok(())
}

/// Sets each value to the extreme, the least or the largest, of the p-values up to its own.
fn accumulate<'a>(
    tests: impl Iterator<Item = (f64, &'a mut Nullable)>,
    extreme: fn(f64, f64) -> f64,
    mut so_far: f64,
) {
    for (p, value) in tests {
        so_far = extreme(so_far, p);
        *value = Nullable::from(Some(so_far));
    }
}
