//! Relative precision: the hits, as a share of the most that there could be.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, Terms, ratio};

pub static METRIC: Metric = Metric {
    name: "relative_precision",
    synonyms: &["relative_p"],
    paper_name: "Relative precision",
    summary: "relative precision: precision over the largest precision that is possible at k or, without k, for as many items \
              as were retrieved",
    formula: "hits / min(k, relevant)",
    latex: r"\frac{1}{\min(k, R)} \sum_{i=1}^{k} h_i",
    source: "trec_eval: relative_P and set_relative_P",
    needs: Needs::Hits,
    options: &["min_rel", "no_relevant", "empty_rec", "duplicates"],
    kernel,
    terms: Some(terms),
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, _: &Options) -> Outcome {
    Outcome::Value(ratio(ranking.hit_count(), denominator(ranking)))
}

fn terms(ranking: &RankingAtK, _: &Options, terms: &mut Terms) -> Result<(), Outcome> {
    let denominator = denominator(ranking);
    terms.add_hits(ranking, |hits| ratio(hits, denominator));
    Ok(())
}

fn denominator(ranking: &RankingAtK) -> usize {
    ranking.places().min(ranking.relevant())
}
