use super::metric::{Aligned, Metric, Range, Score};
use crate::needs::Needs;
use crate::options::Options;
use crate::ranking::view::Ranking;

pub static METRIC: Metric = Metric {
    name: "dcg",
    aliases: &[],
    summary: "discounted cumulative gain of the top k",
    formula: "sum of gain(rel) * discount(rank)",
    range: Range::POSITIVE,
    source: "Burges et al., Learning to rank using gradient descent, ICML 2005",
    needs: Needs::Gains,
    takes_k: true,
    aligned: Aligned::No,
    negative_rels: false,
    options: &["gain", "discount", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    defaults: &[],
    denominator: None,
    kernel,
};

fn kernel(ranking: &Ranking, _: &Options) -> Score {
    Score::Value(ranking.discounted_gain())
}
