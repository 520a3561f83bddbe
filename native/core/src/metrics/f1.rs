use super::{precision, recall};
use super::metric::{Aligned, Metric, Range, Score, ratio};
use crate::needs::Needs;
use crate::options::Options;
use crate::ranking::view::Ranking;

pub static METRIC: Metric = Metric {
    name: "f1_at",
    aliases: &["f1"],
    summary: "harmonic mean of precision and recall in the top k",
    formula: "2 * precision * recall / (precision + recall)",
    range: Range::UNIT,
    source: "van Rijsbergen, Information Retrieval, 1979",
    needs: Needs::Hits,
    takes_k: true,
    aligned: Aligned::No,
    negative_rels: false,
    options: &["precision_denominator", "recall_denominator", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    defaults: &[],
    denominator: None,
    kernel,
};

// Both parts have denominators that ties do not change, so that their expected values make that of the mean.
#[inline]
pub(super) fn kernel(ranking: &Ranking, options: &Options) -> Score {
    let denominators = precision::denominator(ranking, options) + recall::denominator(ranking, options);
    Score::Value(ratio(2.0 * ranking.hit_count(), denominators))
}
