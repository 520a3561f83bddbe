//! Precision: the share of the retrieved top k that is relevant.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, Terms, ratio};
use crate::options::choices::PrecisionDenominator;

pub static METRIC: Metric = Metric {
    name: "precision_at",
    aliases: &["precision"],
    synonyms: &["p"],
    paper_name: "Precision",
    summary: "share of the retrieved top k that is relevant",
    formula: "hits / min(k, retrieved)",
    latex: r"\frac{1}{\min(k, n)} \sum_{i=1}^{k} h_i",
    source: "Hivemall, Ranking Problems: Precision-At-k",
    needs: Needs::Hits,
    by_default: true,
    options: &["precision_denominator", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    denominator: Some("precision_denominator"),
    kernel,
    terms: Some(terms),
    ..Metric::USUAL
};

#[inline]
pub(super) fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    Outcome::Value(ratio(ranking.hit_count(), denominator(ranking, options)))
}

fn terms(ranking: &RankingAtK, options: &Options, terms: &mut Terms) -> Result<(), Outcome> {
    let denominator = denominator(ranking, options);
    terms.add_hits(ranking, |hits| ratio(hits, denominator));
    Ok(())
}

#[inline(always)]
pub(super) fn denominator(ranking: &RankingAtK, options: &Options) -> usize {
    match options.precision_denominator {
        PrecisionDenominator::Retrieved => ranking.depth(),
        PrecisionDenominator::K => ranking.places(),
    }
}
