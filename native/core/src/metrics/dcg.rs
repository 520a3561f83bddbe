//! Discounted cumulative gain: the sum of gains, each with the discount of its rank.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, Terms, ValueRange};

pub static METRIC: Metric = Metric {
    name: "dcg",
    synonyms: &["discounted_cumulative_gain"],
    paper_name: "DCG",
    summary: "discounted cumulative gain of the top k",
    formula: "sum of gain(rel) * discount(rank)",
    latex: r"\sum_{i=1}^{k} \frac{2^{r_i} - 1}{\log_2(i + 1)}",
    range: ValueRange::POSITIVE,
    source: "Burges et al., Learning to rank using gradient descent, ICML 2005",
    needs: Needs::Gains,
    options: &["gain", "discount", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    kernel,
    terms: Some(terms),
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, _: &Options) -> Outcome {
    Outcome::Value(ranking.discounted_gain())
}

fn terms(ranking: &RankingAtK, _: &Options, terms: &mut Terms) -> Result<(), Outcome> {
    ranking.each_gain(|block, rank, gain| terms.add(rank, gain * ranking.mean_discount(block)));
    Ok(())
}
