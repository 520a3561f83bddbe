use super::metric::{Aligned, Metric, Range, Score, ratio};
use crate::needs::Needs;
use crate::options::Options;
use crate::ranking::view::Ranking;

pub static METRIC: Metric = Metric {
    name: "r_precision",
    aliases: &[],
    summary: "precision at R, the number of relevant items",
    formula: "hits in the top R / R",
    range: Range::UNIT,
    source: "Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000",
    needs: Needs::Hits,
    takes_k: false,
    aligned: Aligned::No,
    negative_rels: false,
    options: &["min_rel", "no_relevant", "empty_rec", "duplicates"],
    defaults: &[],
    denominator: None,
    kernel,
};

fn kernel(ranking: &Ranking, _: &Options) -> Score {
    let relevant = ranking.relevant();
    Score::Value(ratio(ranking.at(relevant).hit_count(), relevant))
}
