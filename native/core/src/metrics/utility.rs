//! Utility: what the items of a set are worth together.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, ValueRange};
use crate::options::gain::Worth;
use crate::ranking::as_f64;

pub static METRIC: Metric = Metric {
    name: "utility",
    paper_name: "Utility",
    summary: "linear utility: the worth of the items in the top k together, with that of the relevant items that are not there. \
              The option worth has the three numbers",
    formula: "worth of a hit * hits + worth of another item * (min(k, retrieved) - hits) + worth of a missed item * (relevant \
              - hits)",
    latex: r"\sum_{i=1}^{k} (2 h_i - 1)",
    range: ValueRange::in_words("any number"),
    source: "trec_eval: utility",
    needs: Needs::Judgements,
    options: &["worth", "min_rel", "empty_rec", "duplicates"],
    kernel,
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    let Worth { hit, other, missed } = options.worth;
    let hits = ranking.hit_count();
    let others = as_f64(ranking.depth()) - hits;
    // Items that were missed have their worth even if nothing was retrieved.
    Outcome::Ideal(hit * hits + other * others + missed * (as_f64(ranking.relevant()) - hits))
}
