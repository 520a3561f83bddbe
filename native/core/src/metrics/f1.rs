use super::precision::precision;
use super::recall::recall;
use super::{Metric, Score, Workspace};
use crate::Error;
use crate::options::Options;
use crate::ranking::Ranking;

pub static METRIC: Metric = Metric {
    name: "f1_at",
    aliases: &["f1"],
    rels_name: None,
    summary: "harmonic mean of precision and recall in the top k",
    formula: "2 * precision * recall / (precision + recall)",
    range: "0 to 1",
    source: "van Rijsbergen, Information Retrieval, 1979",
    takes_k: true,
    aligned: false,
    negative_rels: false,
    options: &["precision_denominator", "recall_denominator", "min_rel", "no_relevant", "duplicates"],
    denominator: None,
    kernel,
};

fn kernel(ranking: &Ranking, options: &Options, _: &mut Workspace) -> Result<Score, Error> {
    let relevant = ranking.relevant(options);
    if relevant == 0 {
        return Ok(Score::NoRelevant);
    }
    let (precision, recall) = (precision(ranking, options), recall(ranking, relevant, options));
    let sum = precision + recall;
    Ok(Score::Value(if sum == 0.0 { 0.0 } else { 2.0 * precision * recall / sum }))
}
