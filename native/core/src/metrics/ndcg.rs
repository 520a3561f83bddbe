//! Normalised DCG: DCG divided by ideal DCG.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, Terms, share_of_ideal};

pub static METRIC: Metric = Metric {
    name: "ndcg",
    synonyms: &["ndcg_cut", "normalized_dcg", "normalized_discounted_cumulative_gain"],
    paper_name: "NDCG",
    summary: "normalised discounted cumulative gain: DCG over ideal DCG in the top k",
    formula: "(sum of gain(rel) * discount(rank)) / (the same sum over the k largest gains)",
    latex: r"\frac{\mathrm{DCG}@k}{\mathrm{IDCG}@k}, \quad \mathrm{DCG}@k = \sum_{i=1}^{k} \frac{2^{r_i} - 1}{\log_2(i + 1)}, \quad \mathrm{IDCG}@k = \sum_{i=1}^{k} \frac{2^{r^*_i} - 1}{\log_2(i + 1)}",
    source: "Hivemall, Ranking Problems: Normalized Discounted Cumulative Gain",
    needs: Needs::Gains,
    by_default: true,
    options: &["gain", "discount", "idcg", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    kernel,
    terms: Some(terms),
    ..Metric::USUAL
};

#[inline(always)]
pub(super) fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    let ideal = ranking.ideal_gain(options);
    // Some judged item has a gain, so 0 means that `idcg` goes by the retrieved items, and there are none.
    if ideal == 0.0 {
        return Outcome::Value(0.0);
    }
    Outcome::Value(share_of_ideal(ranking.discounted_gain(), ideal))
}

fn terms(ranking: &RankingAtK, options: &Options, terms: &mut Terms) -> Result<(), Outcome> {
    let ideal = ranking.ideal_gain(options);
    if ideal > 0.0 {
        ranking.each_gain(|block, rank, gain| terms.add(rank, gain * ranking.mean_discount(block) / ideal));
    }
    Ok(())
}
