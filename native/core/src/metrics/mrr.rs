//! Reciprocal rank: 1 / rank of the first relevant item.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, Terms};
use crate::ranking::as_f64;
use crate::ranking::ties::TiedBlock;

pub static METRIC: Metric = Metric {
    name: "mrr",
    aliases: &["reciprocal_rank"],
    synonyms: &["rr", "recip_rank", "mean_reciprocal_rank"],
    paper_name: "MRR",
    summary: "1 / rank of the first relevant item in the top k, 0 if there is none; its mean is MRR",
    formula: "1 / (rank of the first hit)",
    latex: r"\max_{i \le k} \frac{h_i}{i}",
    source: "Hivemall, Ranking Problems: Mean Reciprocal Rank",
    needs: Needs::Hits,
    by_default: true,
    options: &["min_rel", "no_relevant", "empty_rec", "duplicates"],
    kernel,
    terms: Some(terms),
    ..Metric::USUAL
};

#[inline]
pub(super) fn kernel(ranking: &RankingAtK, _: &Options) -> Outcome {
    Outcome::Value(match ranking.ties() {
        None => ranking.hits().first().map_or(0.0, |above| 1.0 / as_f64(above + 1)),
        Some(mut ties) => ties.find(|block| block.hits > 0).map_or(0.0, |block| expected(&block)),
    })
}

fn terms(ranking: &RankingAtK, _: &Options, terms: &mut Terms) -> Result<(), Outcome> {
    let mut found = false;
    ranking.each_hit_block(|block, ranks| {
        if !std::mem::replace(&mut found, true) {
            terms.share(ranks, expected(block));
        }
    });
    Ok(())
}

/// The expected reciprocal rank of the first relevant item of a block; 0 for orders with it below the cutoff.
fn expected(block: &TiedBlock) -> f64 {
    let TiedBlock { above, size, shown, hits, .. } = *block;
    let misses = size - hits; // no more items than these come before the first hit
    let mut no_hit_yet = 1.0; // the probability
    let mut sum = 0.0;
    for place in 0..shown.min(misses + 1) {
        let left = (size - place) as f64;
        sum += no_hit_yet * hits as f64 / left / (above + place + 1) as f64;
        no_hit_yet *= (misses - place) as f64 / left;
    }
    sum
}
