//! The metrics of one ranking at each cutoff.

use crate::catalogue::{Function, Output};
use crate::error::Error;
use crate::memory::Grow;
use crate::metrics::{evaluate_rank_metrics, value};
use crate::ranking::list::RankedList;
use crate::ranking::view::RankingAtK;
use crate::settings::Settings;
use crate::values::{Nullable, Values};

/// The values of a function's metrics for one ranking: those at the first k, then those at the next one. `values` is
/// the buffer for them.
#[inline(always)]
pub fn evaluate_at_cutoffs<'a>(
    list: &mut RankedList,
    function: &Function,
    settings: &'a Settings,
    values: &'a mut Vec<Nullable>,
) -> Result<Values<'a>, Error> {
    list.prepare(settings)?;
    let options = &settings.options;
    // The loops below overwrite every value, so values of an earlier row may stay in the buffer until then.
    let length = settings.ks.len() * function.metrics.len();
    if values.len() != length {
        values.try_resize(length, Nullable::NULL)?;
    }
    if function.output == Output::Value {
        for (k, result) in settings.ks.iter().zip(values.iter_mut()) {
            *result = value(function.metrics[0], &RankingAtK::new(list, *k), options)?.into();
        }
    } else {
        for (k, results) in settings.ks.iter().zip(values.as_chunks_mut().0) {
            evaluate_rank_metrics(results, &RankingAtK::new(list, *k), options)?;
        }
    }
    Ok(Values { ks: &settings.ks, values })
}
