use super::{Aligned, Metric, Needs, Range, Score};
use crate::options::Options;
use crate::ranking::Ranking;
use crate::ties::Tied;

pub static METRIC: Metric = Metric {
    name: "rbp",
    aliases: &[],
    summary: "rank-biased precision: the share of hits among the items that a user sees who goes on to the next one \
              with probability p",
    formula: "(1 - p) * sum over hits of p^(rank - 1)",
    range: Range::UNIT,
    source: "Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 2008",
    needs: Needs::Hits,
    takes_k: true,
    aligned: Aligned::No,
    negative_rels: false,
    options: &["p", "min_rel", "no_relevant", "duplicates"],
    defaults: &[],
    denominator: None,
    kernel,
};

fn kernel(ranking: &Ranking, options: &Options) -> Score {
    let p = options.p;
    Score::Value(match ranking.ties() {
        None => (1.0 - p) * ranking.hits().iter().map(|above| p.powf(*above as f64)).sum::<f64>(),
        Some(ties) => ties.map(|block| expected(&block, p)).sum(),
    })
}

/// What a block adds: the share of its places that hits take, times the probability that a user sees one of them last.
fn expected(block: &Tied, p: f64) -> f64 {
    let share = block.hits as f64 / block.size as f64;
    share * p.powf(block.above as f64) * -(block.shown as f64 * p.ln()).exp_m1()
}
