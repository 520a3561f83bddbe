//! Novelty- and rank-biased precision: the gains of items that a user sees, of whom fewer go on at each rank.

use super::measure::{AspectMeasure, AspectRanking, Error, Options, as_f64};

pub static MEASURE: AspectMeasure = AspectMeasure {
    name: "nrbp",
    paper_name: "NRBP",
    summary: "novelty- and rank-biased precision: the gains of alpha_dcg, where a user goes on to the next item with \
              probability p",
    formula: "(1 - (1 - redundancy_intolerance) * p) / aspects * sum over ranks of p^(rank - 1) * sum over aspects of \
              the item of (1 - redundancy_intolerance)^(items above with the aspect)",
    latex: r"\frac{1 - q p}{A} \sum_{i=1}^{k} g_i p^{i-1}",
    source: "Clarke, Kolla and Vechtomova, An effectiveness measure for ambiguous and underspecified queries, ICTIR \
              2009; ndeval",
    options: &["redundancy_intolerance", "p"],
    defaults: &[("p", "0.5")],
    kernel,
    ..AspectMeasure::USUAL
};

fn kernel(ranking: &AspectRanking, options: &Options) -> Result<f64, Error> {
    let (p, kept) = (options.p, 1.0 - options.redundancy_intolerance);
    let gain = ranking.gain(kept, &|above| p.powf(as_f64(above)))?;
    Ok((1.0 - kept * p) * gain / as_f64(ranking.aspects()))
}
