use super::{Metric, Score, Workspace};
use crate::Error;
use crate::gain::Gain;
use crate::options::Options;
use crate::ranking::Ranking;

pub static METRIC: Metric = Metric {
    name: "cg",
    aliases: &[],
    rels_name: Some("cg_rels"),
    summary: "cumulative gain: the relevances of the top k, summed",
    formula: "sum of rel",
    range: "0 or more",
    source: "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 2002",
    takes_k: true,
    aligned: false,
    negative_rels: false,
    options: &["no_relevant", "duplicates"],
    denominator: None,
    kernel,
};

fn kernel(ranking: &Ranking, _: &Options, workspace: &mut Workspace) -> Result<Score, Error> {
    let linear = Options { gain: Gain::Linear, ..Options::default() };
    if !workspace.judge(ranking, &linear)? {
        return Ok(Score::NoRelevant);
    }
    linear.gains(ranking.rels, &mut workspace.gains)?;
    Ok(Score::Value(workspace.gains.iter().sum()))
}
