use super::{Metric, Score, Workspace};
use crate::Error;
use crate::options::Options;
use crate::ranking::Ranking;

pub static METRIC: Metric = Metric {
    name: "dcg",
    aliases: &[],
    rels_name: Some("dcg_rels"),
    summary: "discounted cumulative gain of the top k",
    formula: "sum of gain(rel) * discount(rank)",
    range: "0 or more",
    source: "Burges et al., Learning to rank using gradient descent, ICML 2005",
    takes_k: true,
    aligned: false,
    negative_rels: false,
    options: &["gain", "discount", "min_rel", "no_relevant", "duplicates"],
    denominator: None,
    kernel,
};

fn kernel(ranking: &Ranking, options: &Options, workspace: &mut Workspace) -> Result<Score, Error> {
    if !any_gain(ranking, options)? {
        return Ok(Score::NoRelevant);
    }
    dcg(ranking, options, workspace).map(Score::Value)
}

/// Whether a judged item has a gain; every judged relevance is checked on the way.
pub(super) fn any_gain(ranking: &Ranking, options: &Options) -> Result<bool, Error> {
    ranking.truth.iter().try_fold(false, |any, rel| Ok(any | (options.gain(*rel)? > 0.0)))
}

pub(super) fn dcg(ranking: &Ranking, options: &Options, workspace: &mut Workspace) -> Result<f64, Error> {
    let divisors = workspace.discounts.first(options.discount, ranking.rels.len());
    let mut sum = 0.0;
    for (rel, divisor) in ranking.rels.iter().zip(divisors) {
        sum += options.gain(*rel)? / divisor;
    }
    Ok(sum)
}
