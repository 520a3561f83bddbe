//! R-precision: the precision at R, the number of relevant items.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, Terms, ratio};

pub static METRIC: Metric = Metric {
    name: "r_precision",
    synonyms: &["rprec"],
    paper_name: "R-Precision",
    summary: "precision at R, the number of relevant items",
    formula: "hits in the top R / R",
    latex: r"\frac{1}{R} \sum_{i=1}^{R} h_i",
    source: "Buckley and Voorhees, Evaluating evaluation measure stability, SIGIR 2000",
    needs: Needs::Hits,
    takes_k: false,
    options: &["min_rel", "no_relevant", "empty_rec", "duplicates"],
    kernel,
    terms: Some(terms),
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, _: &Options) -> Outcome {
    let relevant = ranking.relevant();
    Outcome::Value(ratio(ranking.at(relevant).hit_count(), relevant))
}

fn terms(ranking: &RankingAtK, _: &Options, terms: &mut Terms) -> Result<(), Outcome> {
    let relevant = ranking.relevant();
    terms.add_hits(&ranking.at(relevant), |hits| ratio(hits, relevant));
    Ok(())
}
