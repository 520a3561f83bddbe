use super::{Metric, Score, Workspace};
use crate::Error;
use crate::options::{AucPairs, OneClass, Options};
use crate::ranking::Ranking;

pub static METRIC: Metric = Metric {
    name: "auc",
    aliases: &[],
    rels_name: None,
    summary: "share of the (hit, miss) pairs in the top k that are in the right order",
    formula: "pairs with the hit above the miss / (hits * misses)",
    range: "0 to 1",
    source: "Hivemall, Ranking Problems: Area Under the ROC Curve",
    takes_k: true,
    aligned: false,
    negative_rels: false,
    options: &["one_class", "auc_pairs", "min_rel", "no_relevant", "duplicates"],
    denominator: None,
    kernel,
};

fn kernel(ranking: &Ranking, options: &Options, _: &mut Workspace) -> Result<Score, Error> {
    if ranking.relevant(options) == 0 {
        return Ok(Score::NoRelevant);
    }
    let (mut hits, mut right) = (0_usize, 0_usize);
    for rel in ranking.rels {
        if options.is_relevant(*rel) {
            hits += 1;
        } else {
            right += hits;
        }
    }
    let places = match options.auc_pairs {
        AucPairs::Retrieved => ranking.rels.len(),
        AucPairs::K => ranking.cut(),
    };
    let misses = places - hits;
    if hits > 0 && misses > 0 {
        return Ok(Score::Value(right as f64 / (hits as f64 * misses as f64)));
    }
    Ok(match options.one_class {
        OneClass::Half => Score::Value(0.5),
        OneClass::Null => Score::Null,
        OneClass::Zero => Score::Value(0.0),
        OneClass::ByClass => Score::Value(f64::from(hits > 0)),
    })
}
