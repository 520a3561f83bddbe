use super::metric::{Aligned, Metric, Range, Score};
use crate::needs::Needs;
use crate::options::Options;
use crate::ranking::view::Ranking;

pub static METRIC: Metric = Metric {
    name: "cg",
    aliases: &[],
    summary: "cumulative gain: the relevances of the top k, summed",
    formula: "sum of rel",
    range: Range::POSITIVE,
    source: "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 2002",
    needs: Needs::Gains,
    takes_k: true,
    aligned: Aligned::No,
    negative_rels: false,
    options: &["no_relevant", "empty_rec", "duplicates"],
    defaults: &[("gain", "linear")],
    denominator: None,
    kernel,
};

fn kernel(ranking: &Ranking, _: &Options) -> Score {
    Score::Value(ranking.gain())
}
