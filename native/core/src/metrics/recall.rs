//! Recall: the share of the relevant items that are in the top k.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, Terms, ratio};
use crate::options::choices::RecallDenominator;

pub static METRIC: Metric = Metric {
    name: "recall_at",
    aliases: &["recall"],
    synonyms: &["r"],
    paper_name: "Recall",
    summary: "share of the relevant items found in the top k",
    formula: "hits / relevant",
    latex: r"\frac{1}{R} \sum_{i=1}^{k} h_i",
    source: "Hivemall, Ranking Problems: Recall-At-k",
    needs: Needs::Hits,
    by_default: true,
    options: &["recall_denominator", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    denominator: Some("recall_denominator"),
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
    match options.recall_denominator {
        RecallDenominator::Truth => ranking.relevant(),
        RecallDenominator::MinTruthK => ranking.findable(),
    }
}
