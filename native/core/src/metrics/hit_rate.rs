use super::{Metric, Score, Workspace};
use crate::Error;
use crate::options::Options;
use crate::ranking::Ranking;

pub static METRIC: Metric = Metric {
    name: "hit_rate",
    aliases: &["hitrate"],
    rels_name: None,
    summary: "1 if the top k holds a relevant item, else 0",
    formula: "1 if hits > 0 else 0",
    range: "0 or 1",
    source: "Deshpande and Karypis, Item-based top-N recommendation algorithms, TOIS 2004",
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
    Ok(Score::Value(f64::from(ranking.hits(options) > 0)))
}
