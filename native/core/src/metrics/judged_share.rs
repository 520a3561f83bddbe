//! Judged share: how much of the top k was judged.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, ratio};

pub static METRIC: Metric = Metric {
    name: "judged_share",
    synonyms: &["judged"],
    paper_name: "Judged",
    summary: "share of the retrieved top k that is judged, relevant or not",
    formula: "judged items / min(k, retrieved)",
    latex: r"\frac{1}{\min(k, n)} \sum_{i=1}^{k} q_i",
    source: "ir_measures: Judged",
    needs: Needs::Judgements,
    options: &["empty_rec", "duplicates"],
    kernel,
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    let mut judged = 0.0;
    ranking.each_judged_block(options, |block, count| judged += count as f64 * block.shown_share());
    Outcome::Value(ratio(judged, ranking.depth()))
}
