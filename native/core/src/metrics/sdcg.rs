//! Scaled DCG: DCG divided by that of a ranking with the highest grade at each rank.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, Terms};

pub static METRIC: Metric = Metric {
    name: "sdcg",
    paper_name: "SDCG",
    summary: "scaled discounted cumulative gain: DCG over that of k items of relevance max_rel, whatever the truth has. \
              Without k, there are as many as retrieved items",
    formula: "(sum of rel / max_rel * discount(rank)) / (sum of discount(rank) over the ranks to k)",
    source: "Moffat, Bailey, Scholer and Thomas, Incorporating user expectations and behavior into the measurement of \
             search effectiveness, TOIS 2017",
    needs: Needs::Gains,
    options: &["discount", "max_rel", "no_relevant", "empty_rec", "duplicates"],
    defaults: &[("gain", "linear"), ("idcg", "k")],
    kernel,
    terms: Some(terms),
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    // The part of each item is at most 1, which no large relevance overflows.
    Outcome::Value(ranking.discounted_gain() / options.max_rel / ranking.ideal_gain(options))
}

fn terms(ranking: &RankingAtK, options: &Options, terms: &mut Terms) -> Result<(), Outcome> {
    let ideal = options.max_rel * ranking.ideal_gain(options);
    ranking.each_gain(|block, rank, gain| terms.add(rank, gain * ranking.mean_discount(block) / ideal));
    Ok(())
}
