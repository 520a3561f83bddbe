//! Hit rate: whether the top k has a relevant item.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK};
use crate::ranking::ties::TiedBlock;

pub static METRIC: Metric = Metric {
    name: "hit_rate",
    aliases: &["hitrate"],
    synonyms: &["success", "hit", "hr", "hit_ratio"],
    paper_name: "HR",
    summary: "1 if the top k holds a relevant item, else 0",
    formula: "1 if hits > 0 else 0",
    latex: r"\max_{i \le k} h_i",
    source: "Deshpande and Karypis, Item-based top-N recommendation algorithms, TOIS 2004",
    needs: Needs::Hits,
    by_default: true,
    options: &["min_rel", "no_relevant", "empty_rec", "duplicates"],
    kernel,
    ..Metric::USUAL
};

#[inline]
pub(super) fn kernel(ranking: &RankingAtK, _: &Options) -> Outcome {
    let Some(ties) = ranking.ties() else {
        return Outcome::Value(f64::from(!ranking.hits().is_empty()));
    };
    // Only the last block can be cut: a relevant item of another one is a hit for sure.
    Outcome::Value(ties.map(|block| 1.0 - missed(&block)).fold(0.0, f64::max))
}

/// The probability that no relevant item of a block is above the cutoff.
fn missed(block: &TiedBlock) -> f64 {
    let misses = block.size - block.hits;
    let chance = |place| misses.saturating_sub(place) as f64 / (block.size - place) as f64;
    (0..block.shown).map(chance).product()
}
