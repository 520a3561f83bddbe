use super::{Metric, Score, Workspace, ratio};
use crate::Error;
use crate::options::{Options, PrecisionDenominator};
use crate::ranking::Ranking;

pub static METRIC: Metric = Metric {
    name: "precision_at",
    aliases: &["precision"],
    rels_name: None,
    summary: "relevant share of the retrieved top k",
    formula: "hits / min(k, retrieved)",
    range: "0 to 1",
    source: "Hivemall, Ranking Problems: Precision-At-k",
    takes_k: true,
    aligned: false,
    negative_rels: false,
    options: &["precision_denominator", "min_rel", "no_relevant", "duplicates"],
    denominator: Some("precision_denominator"),
    kernel,
};

fn kernel(ranking: &Ranking, options: &Options, _: &mut Workspace) -> Result<Score, Error> {
    if ranking.relevant(options) == 0 {
        return Ok(Score::NoRelevant);
    }
    Ok(Score::Value(precision(ranking, options)))
}

pub(super) fn precision(ranking: &Ranking, options: &Options) -> f64 {
    let denominator = match options.precision_denominator {
        PrecisionDenominator::Retrieved => ranking.rels.len(),
        PrecisionDenominator::K => ranking.cut(),
    };
    ratio(ranking.hits(options) as f64, denominator)
}
