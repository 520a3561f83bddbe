//! The metrics of one ranking at each cutoff.

use crate::catalogue::{Function, Output};
use crate::error::{Error, bail};
use crate::memory::Grow;
use crate::metrics::{evaluate_rank_metrics, value};
use crate::ranking::list::RankedList;
use crate::ranking::ties::MAX_STEPS;
use crate::ranking::view::RankingAtK;
use crate::results::{Nullable, Values};
use crate::settings::Settings;

/// The number of cutoffs up to which a ranking of any length is evaluated.
const ANY_LENGTH: usize = 100;

/// The values of a function's metrics for one ranking, one k after the other; `values` is the buffer for them.
#[inline(always)]
pub fn evaluate_at_cutoffs<'a>(
    list: &mut RankedList,
    function: &Function,
    settings: &'a Settings,
    values: &'a mut Vec<Nullable>,
) -> Result<Values<'a>, Error> {
    list.prepare(settings)?; // computes the values that metrics share at all cutoffs
    check_steps(list, &settings.ks)?;
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
        // Each chunk is an array, with a value of each metric.
        for (k, results) in settings.ks.iter().zip(values.as_chunks_mut().0) {
            evaluate_rank_metrics(results, &RankingAtK::new(list, *k), options)?;
        }
    }
    Ok(Values { ks: &settings.ks, values })
}

/// An error if too many cutoffs show too many items. Metrics read tied items, and the items of each score, anew for
/// each cutoff, and an engine cannot interrupt a call.
#[inline(always)]
fn check_steps(list: &RankedList, ks: &[Option<usize>]) -> Result<(), Error> {
    if ks.len() <= ANY_LENGTH || list.blocks.is_empty() && list.score_group_ends.is_empty() {
        return Ok(());
    }
    let items_shown = ks.iter().map(|k| k.map_or(list.retrieved, |k| k.min(list.retrieved)));
    if items_shown.fold(0, usize::saturating_add) > MAX_STEPS {
        bail!(
            "ks" => "ks must have at most {ANY_LENGTH} cutoffs, or cutoffs that show at most {MAX_STEPS} items in \
             all, if items are tied, got {} cutoffs: give fewer, or ties=pessimistic or ties=optimistic", ks.len()
        );
    }
    Ok(())
}
