//! Cumulative gain: the sum of the relevances of the top k.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, Terms, ValueRange};

pub static METRIC: Metric = Metric {
    name: "cg",
    paper_name: "CG",
    summary: "cumulative gain: the relevances of the top k, summed",
    formula: "sum of rel",
    latex: r"\sum_{i=1}^{k} r_i",
    range: ValueRange::POSITIVE,
    source: "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 2002",
    needs: Needs::Gains,
    options: &["no_relevant", "empty_rec", "duplicates"],
    defaults: &[("gain", "linear")],
    kernel,
    terms: Some(terms),
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, _: &Options) -> Outcome {
    Outcome::Value(ranking.gain())
}

fn terms(ranking: &RankingAtK, _: &Options, terms: &mut Terms) -> Result<(), Outcome> {
    ranking.each_gain(|block, rank, gain| terms.add(rank, gain * block.shown_share()));
    Ok(())
}
