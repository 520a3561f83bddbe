//! Rank-biased precision: the expected share of hits among the items that a user sees.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, Terms};
use crate::options::choices::RbpGain;
use crate::ranking::ties::TiedBlock;

pub static METRIC: Metric = Metric {
    name: "rbp",
    synonyms: &["rank_biased_precision"],
    paper_name: "RBP",
    summary: "rank-biased precision: the expected share of hits among the items that a user sees. After each item, the \
              user goes on to the next one with probability p",
    formula: "(1 - p) * sum over hits of gain * p^(rank - 1), where gain is 1 or rel",
    latex: r"(1 - p) \sum_{i=1}^{k} h_i \, p^{i-1}",
    source: "Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 2008",
    needs: Needs::Hits,
    options: &["p", "rbp_gain", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    kernel,
    terms: Some(terms),
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    let p = options.p;
    let seen = |above: usize| p.powf(above as f64);
    Outcome::Value(match (options.rbp_gain, ranking.ties(), ranking.tied_rels()) {
        (RbpGain::Binary, None, _) => {
            (1.0 - p) * ranking.hits().iter().map(|above| seen(*above)).sum::<f64>()
        }
        (RbpGain::Binary, Some(ties), _) => {
            ties.map(|block| expected(&block, block.hits as f64 / block.size as f64, p)).sum()
        }
        (RbpGain::Linear, _, None) => {
            let hits = ranking.match_rels().filter(|(_, rel)| options.is_relevant(*rel));
            // Each term is scaled before it is added, so that no sum of large relevances overflows.
            hits.map(|(above, rel)| (1.0 - p) * rel * seen(above)).sum::<f64>()
        }
        (RbpGain::Linear, _, Some(ties)) => {
            let mean = |block: &TiedBlock, rels: &[f64]| -> f64 {
                let hits = rels.iter().filter(|rel| options.is_relevant(**rel));
                hits.map(|rel| rel / block.size as f64).sum()
            };
            ties.map(|(block, rels)| expected(&block, mean(&block, rels), p)).sum()
        }
    })
}

fn terms(ranking: &RankingAtK, options: &Options, terms: &mut Terms) -> Result<(), Outcome> {
    ranking.each_rel(|block, rank, rel| {
        let Some(rel) = rel.filter(|rel| options.is_relevant(*rel)) else { return };
        let gain = if options.rbp_gain == RbpGain::Linear { rel } else { 1.0 };
        terms.add(rank, expected(block, gain / block.size as f64, options.p));
    });
    Ok(())
}

/// The part of a block in the sum: its mean gain, times the probability that the last item a user sees is one of its
/// items above the cutoff: `p^above * (1 - p^shown)`.
pub(super) fn expected(block: &TiedBlock, mean_gain: f64, p: f64) -> f64 {
    mean_gain * p.powf(block.above as f64) * -(block.shown as f64 * p.ln()).exp_m1()
}
