use super::{Metric, Score, Workspace, ratio};
use crate::Error;
use crate::options::{Options, RecallDenominator};
use crate::ranking::Ranking;

pub static METRIC: Metric = Metric {
    name: "recall_at",
    aliases: &["recall"],
    rels_name: None,
    summary: "share of the relevant items found in the top k",
    formula: "hits / relevant",
    range: "0 to 1",
    source: "Hivemall, Ranking Problems: Recall-At-k",
    takes_k: true,
    aligned: false,
    negative_rels: false,
    options: &["recall_denominator", "min_rel", "no_relevant", "duplicates"],
    denominator: Some("recall_denominator"),
    kernel,
};

fn kernel(ranking: &Ranking, options: &Options, _: &mut Workspace) -> Result<Score, Error> {
    let relevant = ranking.relevant(options);
    if relevant == 0 {
        return Ok(Score::NoRelevant);
    }
    Ok(Score::Value(recall(ranking, relevant, options)))
}

pub(super) fn recall(ranking: &Ranking, relevant: usize, options: &Options) -> f64 {
    let denominator = match options.recall_denominator {
        RecallDenominator::Truth => relevant,
        RecallDenominator::MinTruthK => ranking.cut_at_k(relevant),
    };
    ratio(ranking.hits(options) as f64, denominator)
}
