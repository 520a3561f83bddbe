use super::metric::{Aligned, Metric, Range, Score};
use crate::needs::Needs;
use crate::options::Options;
use crate::ranking::view::Ranking;

pub static METRIC: Metric = Metric {
    name: "ndcg",
    aliases: &[],
    summary: "normalised discounted cumulative gain: DCG over ideal DCG in the top k",
    formula: "dcg / idcg",
    range: Range::UNIT,
    source: "Hivemall, Ranking Problems: Normalized Discounted Cumulative Gain",
    needs: Needs::Gains,
    takes_k: true,
    aligned: Aligned::No,
    negative_rels: false,
    options: &["gain", "discount", "idcg", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    defaults: &[],
    denominator: None,
    kernel,
};

#[inline(always)]
pub(super) fn kernel(ranking: &Ranking, options: &Options) -> Score {
    let ideal = ranking.ideal_gain(options);
    if ideal == 0.0 {
        return Score::Value(0.0);
    }
    let ratio = ranking.discounted_gain() / ideal;
    // The best order of nearly equal gains, summed in another order, may round to more than the ideal.
    let rounded = 1.0 < ratio && ratio < 1.0 + 1e-12;
    Score::Value(if rounded { 1.0 } else { ratio })
}
