use super::{Metric, Score, Workspace};
use crate::Error;
use crate::options::Options;
use crate::ranking::Ranking;

pub static METRIC: Metric = Metric {
    name: "mrr",
    aliases: &["reciprocal_rank"],
    rels_name: None,
    summary: "1 / rank of the first relevant item in the top k, else 0; the mean over users is MRR",
    formula: "1 / (rank of the first hit)",
    range: "0 to 1",
    source: "Hivemall, Ranking Problems: Mean Reciprocal Rank",
    takes_k: true,
    aligned: false,
    negative_rels: false,
    options: &["min_rel", "no_relevant", "duplicates"],
    denominator: None,
    kernel,
};

fn kernel(ranking: &Ranking, options: &Options, _: &mut Workspace) -> Result<Score, Error> {
    if ranking.relevant(options) == 0 {
        return Ok(Score::NoRelevant);
    }
    let first = ranking.rels.iter().position(|rel| options.is_relevant(*rel));
    Ok(Score::Value(first.map_or(0.0, |above| 1.0 / (above + 1) as f64)))
}
