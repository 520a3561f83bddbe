//! AUC at k: the share of pairs of a hit and a miss that are in the right order.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK};
use crate::error::Error;
use crate::options::choices::{AucPairs, OneClass};
use crate::ranking::as_f64;
use crate::ranking::ties::TiedBlock;

pub static METRIC: Metric = Metric {
    name: "auc",
    paper_name: "AUC",
    summary: "share of the (hit, miss) pairs in the top k that are in the right order. It measures the ranks of the \
              hits, and not their number",
    formula: "pairs with the hit above the miss / (hits * misses)",
    latex: r"\frac{1}{H M} \sum_{i=1}^{k} h_i \sum_{j=i+1}^{k} (1 - h_j)",
    source: "Hivemall, Ranking Problems: Area Under the ROC Curve",
    needs: Needs::HitSums,
    // AUC within the top k compares the hits with the misses there: with more hits, it may be smaller.
    options: &["one_class", "auc_pairs", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    kernel,
    ..Metric::USUAL
};

#[inline(always)]
pub(super) fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    let misses = |hits| match options.auc_pairs {
        AucPairs::Retrieved => ranking.depth() - hits,
        AucPairs::K => ranking.places() - hits,
    };
    // The AUC if `right` pairs are in the right order; `None` is NULL.
    let value = |right: f64, hits: usize| {
        let misses = misses(hits);
        if hits > 0 && misses > 0 {
            return Some(right / (as_f64(hits) * as_f64(misses)));
        }
        match options.one_class {
            OneClass::Half => Some(0.5),
            OneClass::Null => None,
            OneClass::Zero => Some(0.0),
            OneClass::ByClass => Some(f64::from(hits > 0)),
        }
    };
    let value = match ranking.ties() {
        None => value(right_pairs(ranking), ranking.hits().len()),
        Some(ties) => match expected(ties, value) {
            Ok(value) => value,
            Err(error) => return Outcome::Failed(error),
        },
    };
    value.map_or(Outcome::Null, Outcome::Value)
}

/// How many pairs of a hit and a miss among the retrieved top k have the hit above the miss.
#[inline(always)]
fn right_pairs(ranking: &RankingAtK) -> f64 {
    let hits = ranking.hits().len();
    // The misses below a hit: all items above the cutoff, less those above the hit, the hit and later hits.
    let below = hits * ranking.depth() - ranking.hit_sums().rank_sum;
    as_f64(below - hits * (hits + 1) / 2)
}

/// The expected value over those orders of tied items for which `value` has one. Only the last block can be cut.
#[inline(never)] // code is large, and kernels are in many places
fn expected(
    ties: impl Iterator<Item = TiedBlock>,
    value: impl Fn(f64, usize) -> Option<f64>,
) -> Result<Option<f64>, Error> {
    // In a block, half of the pairs of a hit and a miss are in the right order, in expectation.
    let pairs = |block: &TiedBlock, shown: usize, hits: usize| {
        (block.hits_above as f64 + hits as f64 / 2.0) * (shown - hits) as f64
    };
    let mut right = 0.0;
    let mut hits = 0;
    for block in ties {
        if block.is_cut() {
            let (mut sum, mut probabilities) = (0.0, 0.0);
            for (shown_hits, probability) in block.shown_hits()? {
                let right = right + pairs(&block, block.shown, shown_hits);
                if let Some(value) = value(right, block.hits_above + shown_hits) {
                    sum += probability * value;
                    probabilities += probability;
                }
            }
            return Ok((probabilities > 0.0).then(|| sum / probabilities));
        }
        right += pairs(&block, block.size, block.hits);
        hits = block.hits_above + block.hits;
    }
    Ok(value(right, hits))
}
