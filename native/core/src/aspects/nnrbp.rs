//! Novelty- and rank-biased precision, over that of the greedy ideal order.

use super::measure::{AspectMeasure, AspectRanking, Error, Options, ValueRange, as_f64};

pub static MEASURE: AspectMeasure = AspectMeasure {
    name: "nnrbp",
    paper_name: "nNRBP",
    summary: "novelty- and rank-biased precision over that of the greedy ideal order of alpha_ndcg. A better order \
              may exist, so the value may exceed 1 by a little",
    formula: "(sum over ranks of p^(rank - 1) * sum over aspects of the item of (1 - redundancy_intolerance)^(items \
              above with the aspect)) / (the same sum in the greedy ideal order)",
    latex: r"\frac{\sum_{i=1}^{k} g_i p^{i-1}}{\sum_{i=1}^{k} g^*_i p^{i-1}}",
    range: ValueRange::POSITIVE,
    source: "Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries, ICTIR \
              2009; ndeval",
    options: &["redundancy_intolerance", "p"],
    defaults: &[("p", "0.5")],
    kernel,
    ..AspectMeasure::USUAL
};

fn kernel(ranking: &AspectRanking, options: &Options) -> Result<f64, Error> {
    let (p, kept) = (options.p, 1.0 - options.redundancy_intolerance);
    let seen = |above| p.powf(as_f64(above));
    Ok(ranking.gain(kept, &seen)? / ranking.greedy_gain(kept, &seen)?)
}
