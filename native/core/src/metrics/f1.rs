//! F1: the harmonic mean of precision and recall.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, Terms};
use super::{precision, recall};
use crate::ranking::as_f64;

pub static METRIC: Metric = Metric {
    name: "f1_at",
    aliases: &["f1"],
    synonyms: &["f1_score"],
    paper_name: "F1",
    summary: "harmonic mean of precision and recall in the top k, in which recall has the weight beta^2",
    formula: "(1 + beta^2) * precision * recall / (beta^2 * precision + recall)",
    latex: r"\frac{2 \cdot \mathrm{precision} \cdot \mathrm{recall}}{\mathrm{precision} + \mathrm{recall}}, \quad \mathrm{precision} = \frac{1}{\min(k, n)} \sum_{i=1}^{k} h_i, \quad \mathrm{recall} = \frac{1}{R} \sum_{i=1}^{k} h_i",
    source: "van Rijsbergen, Information Retrieval, 1979",
    needs: Needs::Hits,
    by_default: true,
    options: &[
        "beta",
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
    Outcome::Value(of_hits(ranking, options)(ranking.hit_count()))
}

fn terms(ranking: &RankingAtK, options: &Options, terms: &mut Terms) -> Result<(), Outcome> {
    terms.add_hits(ranking, of_hits(ranking, options));
    Ok(())
}

/// The function from a number of hits to the value.
#[inline(always)]
fn of_hits(ranking: &RankingAtK, options: &Options) -> impl Fn(f64) -> f64 {
    let weight = options.beta * options.beta;
    let of_precision = as_f64(precision::denominator(ranking, options));
    let of_recall = as_f64(recall::denominator(ranking, options));
    move |hits| (1.0 + weight) * hits / (of_precision + weight * of_recall)
}
