//! Intent-aware expected reciprocal rank, over that of the greedy ideal order.

use super::measure::{AspectMeasure, AspectRanking, Error, Options, ValueRange, discount};

pub static MEASURE: AspectMeasure = AspectMeasure {
    name: "nerr_ia",
    paper_name: "nERR-IA",
    summary: "intent-aware expected reciprocal rank over that of the greedy ideal order of alpha_ndcg. A better order \
              may exist, so the value may exceed 1 by a little",
    formula: "(sum over ranks of 1 / rank * sum over aspects of the item of (1 - redundancy_intolerance)^(items above \
              with the aspect)) / (the same sum in the greedy ideal order)",
    latex: r"\frac{\sum_{i=1}^{k} g_i / i}{\sum_{i=1}^{k} g^*_i / i}",
    range: ValueRange::POSITIVE,
    source: "Chapelle et al., Expected reciprocal rank for graded relevance, CIKM 2009, section 7; Clarke et al., A \
              comparative analysis of cascade measures for novelty and diversity, WSDM 2011; ndeval",
    kernel,
    ..AspectMeasure::USUAL
};

fn kernel(ranking: &AspectRanking, options: &Options) -> Result<f64, Error> {
    let kept = 1.0 - options.redundancy_intolerance;
    Ok(ranking.gain(kept, &discount::reciprocal)? / ranking.greedy_gain(kept, &discount::reciprocal)?)
}
