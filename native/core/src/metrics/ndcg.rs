use super::dcg::dcg;
use super::idcg::idcg;
use super::{Metric, Score, Workspace};
use crate::Error;
use crate::options::Options;
use crate::ranking::Ranking;

pub static METRIC: Metric = Metric {
    name: "ndcg",
    aliases: &[],
    rels_name: Some("ndcg_rels"),
    summary: "normalised discounted cumulative gain: DCG over ideal DCG in the top k",
    formula: "dcg / idcg",
    range: "0 to 1",
    source: "Hivemall, Ranking Problems: Normalized Discounted Cumulative Gain",
    takes_k: true,
    aligned: false,
    negative_rels: false,
    options: &["gain", "discount", "idcg", "min_rel", "no_relevant", "duplicates"],
    denominator: None,
    kernel,
};

fn kernel(ranking: &Ranking, options: &Options, workspace: &mut Workspace) -> Result<Score, Error> {
    if !workspace.judge(ranking, options)? {
        return Ok(Score::NoRelevant);
    }
    let ideal = idcg(ranking, options, workspace)?;
    if ideal == 0.0 {
        return Ok(Score::Value(0.0));
    }
    let ratio = dcg(ranking, options, workspace)? / ideal;
    // The best order of nearly equal gains, summed in another order, may round to more than the ideal.
    let rounded = 1.0 < ratio && ratio < 1.0 + 1e-12;
    Ok(Score::Value(if rounded { 1.0 } else { ratio }))
}
