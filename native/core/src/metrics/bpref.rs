//! Bpref: the share of judged irrelevant items that are below the relevant ones.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, ratio};
use crate::ranking::as_f64;

pub static METRIC: Metric = Metric {
    name: "bpref",
    synonyms: &["binary_preference"],
    paper_name: "bpref",
    summary: "binary preference: how many judged irrelevant items, of at most as many as are relevant, are below a relevant \
              item. Unjudged items count for nothing. It takes no k",
    formula: "sum over hits of (1 - min(irrelevant above, R) / min(irrelevant, R)) / R, where R is the number of relevant \
              items, and irrelevant counts judged items alone",
    latex: r"\frac{1}{R} \sum_{i=1}^{n} h_i \left(1 - \frac{\min(V_i, R)}{\min(V, R)}\right)",
    source: "Buckley and Voorhees, Retrieval evaluation with incomplete information, SIGIR 2004; trec_eval",
    needs: Needs::Hits,
    takes_k: false,
    options: &["min_rel", "no_relevant", "empty_rec", "duplicates"],
    kernel,
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    let relevant = ranking.relevant();
    let most = relevant.min(ranking.judged() - relevant);
    let (mut sum, mut judged_above) = (0.0, 0);
    ranking.each_judged_block(options, |block, judged| {
        let irrelevant_above = judged_above - block.hits_above;
        let irrelevant = judged - block.hits;
        // A hit is equally likely to have any number of the irrelevant items of its block above it.
        let kept = |more: usize| 1.0 - ratio(as_f64(most.min(irrelevant_above + more)), most);
        sum += as_f64(block.hits) * ratio((0..=irrelevant).map(kept).sum(), irrelevant + 1);
        judged_above += judged;
    });
    Outcome::Value(ratio(sum, relevant))
}
