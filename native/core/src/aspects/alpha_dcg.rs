//! Alpha-DCG: discounted gains, which shrink with each item of the same aspect above.

use super::measure::{AspectMeasure, AspectRanking, Error, Options, discount};

pub static MEASURE: AspectMeasure = AspectMeasure {
    name: "alpha_dcg",
    synonyms: &["adcg"],
    paper_name: "alpha-DCG",
    summary: "alpha-DCG: discounted gain, where an item gains 1 for each of its aspects, and (1 - \
              redundancy_intolerance) times as much for each item above with the same aspect. It is divided by the \
              sum of items that had all aspects",
    formula: "sum over ranks of discount(rank) * sum over aspects of the item of (1 - redundancy_intolerance)^(items \
              above with the aspect), where discount is 1 / log2(rank + 1), over the same sum if each item down to k \
              had all aspects",
    latex: r"\frac{\sum_{i=1}^{k} g_i / \log_2(i + 1)}{\sum_{i=1}^{k} A q^{i-1} / \log_2(i + 1)}",
    source: "Clarke et al., Novelty and diversity in information retrieval evaluation, SIGIR 2008; ndeval",
    kernel,
    ..AspectMeasure::USUAL
};

fn kernel(ranking: &AspectRanking, options: &Options) -> Result<f64, Error> {
    let kept = 1.0 - options.redundancy_intolerance;
    Ok(ranking.gain(kept, &discount::log2)? / ranking.gain_of_all(kept, &discount::log2))
}
