//! Alpha-nDCG: alpha-DCG over that of the greedy ideal order.

use super::measure::{AspectMeasure, AspectRanking, Error, Options, ValueRange, discount};

pub static MEASURE: AspectMeasure = AspectMeasure {
    name: "alpha_ndcg",
    synonyms: &["andcg"],
    paper_name: "alpha-nDCG",
    summary: "alpha-nDCG: the gains of alpha_dcg over those of the greedy ideal order, which takes the item of the \
              largest gain at each rank, and of equal ones the last by item. A better order may exist, so the value \
              may exceed 1 by a little",
    formula: "(sum over ranks of discount(rank) * sum over aspects of the item of (1 - redundancy_intolerance)^(items \
              above with the aspect)) / (the same sum in the greedy ideal order), where discount is 1 / log2(rank + 1)",
    latex: r"\frac{\sum_{i=1}^{k} g_i / \log_2(i + 1)}{\sum_{i=1}^{k} g^*_i / \log_2(i + 1)}",
    range: ValueRange::POSITIVE,
    source: "Clarke et al., Novelty and diversity in information retrieval evaluation, SIGIR 2008; ndeval",
    kernel,
    ..AspectMeasure::USUAL
};

fn kernel(ranking: &AspectRanking, options: &Options) -> Result<f64, Error> {
    let kept = 1.0 - options.redundancy_intolerance;
    Ok(ranking.gain(kept, &discount::log2)? / ranking.greedy_gain(kept, &discount::log2)?)
}
