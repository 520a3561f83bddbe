//! The metrics of one ranking at each cut.

use crate::catalogue::{Function, Output};
use crate::error::Error;
use crate::memory::Grow;
use crate::metrics::{together, value};
use crate::ranking::list::Row;
use crate::ranking::view::Ranking;
use crate::settings::Settings;
use crate::values::{Nullable, Values};

/// The values of a function's metrics for one ranking, at each k.
#[inline(always)]
pub fn evaluate_at_cuts<'a>(
    row: &mut Row,
    function: &Function,
    settings: &'a Settings,
    values: &'a mut Vec<Nullable>,
) -> Result<Values<'a>, Error> {
    row.prepare(settings)?;
    let options = &settings.options;
    // All are written anew.
    let length = settings.ks.len() * function.metrics.len();
    if values.len() != length {
        values.try_resize(length, Nullable::NULL)?;
    }
    if function.output == Output::Value {
        for (k, result) in settings.ks.iter().zip(values.iter_mut()) {
            *result = value(function.metrics[0], &Ranking::new(row, *k), options)?.into();
        }
    } else {
        for (k, results) in settings.ks.iter().zip(values.as_chunks_mut().0) {
            together(results, &Ranking::new(row, *k), options)?;
        }
    }
    Ok(Values { ks: &settings.ks, values })
}
