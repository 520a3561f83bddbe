//! Normalised expected reciprocal rank: ERR divided by that of the ideal ranking.

use super::err;
use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, share_of_ideal};

pub static METRIC: Metric = Metric {
    name: "nerr",
    paper_name: "nERR",
    summary: "normalised expected reciprocal rank: ERR over that of the ideal ranking in the top k, which has all judged \
              items, the most relevant first",
    formula: "err / (err of the judged items by descending relevance)",
    source: "Sakai and Song, Evaluating diversified search results using per-intent graded relevance, SIGIR 2011",
    needs: Needs::Gains,
    options: &["max_rel", "no_relevant", "empty_rec", "duplicates"],
    defaults: &[("gain", "exp2")],
    kernel,
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    match err::kernel(ranking, options) {
        Outcome::Value(value) => Outcome::Value(share_of_ideal(value, err::ideal(ranking, options))),
        other => other,
    }
}
