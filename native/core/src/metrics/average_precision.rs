use super::{Metric, Score, Workspace, ratio};
use crate::Error;
use crate::options::{ApDenominator, Options};
use crate::ranking::Ranking;

pub static METRIC: Metric = Metric {
    name: "average_precision",
    aliases: &[],
    rels_name: None,
    summary: "precision at each hit in the top k, summed, over the relevant items; the mean over users is MAP",
    formula: "sum over hits of (hits so far / rank) / relevant",
    range: "0 to 1",
    source: "Hivemall, Ranking Problems: Mean Average Precision",
    takes_k: true,
    aligned: false,
    negative_rels: false,
    options: &["ap_denominator", "min_rel", "no_relevant", "duplicates"],
    denominator: Some("ap_denominator"),
    kernel,
};

fn kernel(ranking: &Ranking, options: &Options, _: &mut Workspace) -> Result<Score, Error> {
    let relevant = ranking.relevant(options);
    if relevant == 0 {
        return Ok(Score::NoRelevant);
    }
    let (mut hits, mut sum) = (0_usize, 0.0);
    for (above, rel) in ranking.rels.iter().enumerate() {
        if options.is_relevant(*rel) {
            hits += 1;
            sum += hits as f64 / (above + 1) as f64;
        }
    }
    let denominator = match options.ap_denominator {
        ApDenominator::Truth => relevant,
        ApDenominator::MinTruthK => ranking.cut_at_k(relevant),
        ApDenominator::Hits => hits,
        ApDenominator::K => ranking.cut(),
        ApDenominator::MinTruthRetrieved => relevant.min(ranking.rels.len()),
    };
    Ok(Score::Value(ratio(sum, denominator)))
}
