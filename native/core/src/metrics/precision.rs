use super::metric::{Aligned, Metric, Range, Score, ratio};
use crate::needs::Needs;
use crate::options::choices::PrecisionDenominator;
use crate::options::Options;
use crate::ranking::view::Ranking;

pub static METRIC: Metric = Metric {
    name: "precision_at",
    aliases: &["precision"],
    summary: "relevant share of the retrieved top k",
    formula: "hits / min(k, retrieved)",
    range: Range::UNIT,
    source: "Hivemall, Ranking Problems: Precision-At-k",
    needs: Needs::Hits,
    takes_k: true,
    aligned: Aligned::No,
    negative_rels: false,
    options: &["precision_denominator", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    defaults: &[],
    denominator: Some("precision_denominator"),
    kernel,
};

#[inline]
pub(super) fn kernel(ranking: &Ranking, options: &Options) -> Score {
    Score::Value(ratio(ranking.hit_count(), denominator(ranking, options)))
}

#[inline(always)]
pub(super) fn denominator(ranking: &Ranking, options: &Options) -> usize {
    match options.precision_denominator {
        PrecisionDenominator::Retrieved => ranking.depth(),
        PrecisionDenominator::K => ranking.places(),
    }
}
