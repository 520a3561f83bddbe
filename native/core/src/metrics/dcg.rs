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
    if !workspace.judge(ranking, options)? {
        return Ok(Score::NoRelevant);
    }
    dcg(ranking, options, workspace).map(Score::Value)
}

pub(super) fn dcg(ranking: &Ranking, options: &Options, workspace: &mut Workspace) -> Result<f64, Error> {
    let Workspace { discounts, gains, .. } = workspace;
    options.gains(ranking.rels, gains)?;
    Ok(discounts.sum(options.discount, gains))
}
