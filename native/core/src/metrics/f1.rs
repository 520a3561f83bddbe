//! F1: the harmonic mean of precision and recall.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, Terms, ratio};
use super::{precision, recall};

pub static METRIC: Metric = Metric {
    name: "f1_at",
    aliases: &["f1"],
    synonyms: &["f1_score"],
    paper_name: "F1",
    summary: "harmonic mean of precision and recall in the top k",
    formula: "2 * precision * recall / (precision + recall)",
    latex: r"\frac{2 \cdot \mathrm{precision} \cdot \mathrm{recall}}{\mathrm{precision} + \mathrm{recall}}, \quad \mathrm{precision} = \frac{1}{\min(k, n)} \sum_{i=1}^{k} h_i, \quad \mathrm{recall} = \frac{1}{R} \sum_{i=1}^{k} h_i",
    source: "van Rijsbergen, Information Retrieval, 1979",
    needs: Needs::Hits,
    by_default: true,
    options: &[
        "precision_denominator",
        "recall_denominator",
        "min_rel",
        "no_relevant",
        "empty_rec",
        "duplicates",
    ],
    kernel,
    terms: Some(terms),
    ..Metric::USUAL
};

// Ties change neither denominator, so the expected number of hits gives the expected value.
#[inline]
pub(super) fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    Outcome::Value(ratio(2.0 * ranking.hit_count(), denominators(ranking, options)))
}

fn terms(ranking: &RankingAtK, options: &Options, terms: &mut Terms) -> Result<(), Outcome> {
    let denominators = denominators(ranking, options);
    terms.add_hits(ranking, |hits| ratio(2.0 * hits, denominators));
    Ok(())
}

#[inline(always)]
fn denominators(ranking: &RankingAtK, options: &Options) -> usize {
    precision::denominator(ranking, options) + recall::denominator(ranking, options)
}
