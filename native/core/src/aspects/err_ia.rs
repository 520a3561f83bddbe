//! Intent-aware expected reciprocal rank: the mean over aspects, over its largest value.

use super::measure::{AspectMeasure, AspectRanking, Error, Options, discount};

pub static MEASURE: AspectMeasure = AspectMeasure {
    name: "err_ia",
    paper_name: "ERR-IA",
    summary: "intent-aware expected reciprocal rank: the gains of alpha_dcg with the discount 1 / rank, over the sum \
              of items that had all aspects",
    formula: "sum over ranks of 1 / rank * sum over aspects of the item of (1 - redundancy_intolerance)^(items above \
              with the aspect), over the same sum if each item down to k had all aspects",
    latex: r"\frac{\sum_{i=1}^{k} g_i / i}{\sum_{i=1}^{k} A q^{i-1} / i}",
    source: "Chapelle et al., Expected reciprocal rank for graded relevance, CIKM 2009, section 7; Clarke et al., A \
              comparative analysis of cascade measures for novelty and diversity, WSDM 2011; ndeval",
    kernel,
    ..AspectMeasure::USUAL
};

fn kernel(ranking: &AspectRanking, options: &Options) -> Result<f64, Error> {
    let kept = 1.0 - options.redundancy_intolerance;
    Ok(ranking.gain(kept, &discount::reciprocal)? / ranking.gain_of_all(kept, &discount::reciprocal))
}
