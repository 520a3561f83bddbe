use super::metric::{AlignedForm, Metric, Outcome, ValueRange, ratio};
use crate::needs::Needs;
use crate::options::Options;
use crate::options::choices::PrecisionDenominator;
use crate::ranking::view::RankingAtK;

pub static METRIC: Metric = Metric {
    name: "precision_at",
    aliases: &["precision"],
    synonyms: &["p"],
    paper_name: "Precision",
    summary: "share of the retrieved top k that is relevant",
    formula: "hits / min(k, retrieved)",
    latex: r"\frac{1}{\min(k, n)} \sum_{i=1}^{k} h_i",
    range: ValueRange::UNIT,
    source: "Hivemall, Ranking Problems: Precision-At-k",
    needs: Needs::Hits,
    takes_k: true,
    by_default: true,
    aligned: AlignedForm::No,
    negative_rels: false,
    options: &["precision_denominator", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    defaults: &[],
    denominator: Some("precision_denominator"),
    kernel,
};

#[inline]
pub(super) fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    Outcome::Value(ratio(ranking.hit_count(), denominator(ranking, options)))
}

/// The denominator that the options ask for.
#[inline(always)]
pub(super) fn denominator(ranking: &RankingAtK, options: &Options) -> usize {
    match options.precision_denominator {
        PrecisionDenominator::Retrieved => ranking.depth(),
        PrecisionDenominator::K => ranking.places(),
    }
}
