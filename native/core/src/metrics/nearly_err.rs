//! Nearly expected reciprocal rank: the gain per item of a user who may stop at any item, as in ERR.

use super::examined::{Place, mean_gain};
use super::metric::{Metric, Needs, Options, Outcome, RankingAtK};
use crate::options::choices::Patience;

pub static METRIC: Metric = Metric {
    name: "nearly_err",
    synonyms: &["nerr8"],
    paper_name: "NERR",
    summary: "nearly expected reciprocal rank: the mean gain of the items that a user examines, who stops at an item the \
              more probably, the more relevant it is, and who else goes on with the probability that patience names. The \
              user examines k items at most, or 1000 without k; the ranks below the list have gain 0",
    formula: "sum of gain * seen / sum of seen over the ranks to k, where gain is rel / max_rel, and seen is the product \
              over earlier ranks of patience * (1 - gain)",
    source: "Azzopardi, Mackenzie and Moffat, ERR is not C/W/L, ICTIR 2021, equations 8 to 11",
    needs: Needs::Gains,
    options: &["patience", "p", "t", "max_rel", "no_relevant", "empty_rec", "duplicates"],
    defaults: &[("gain", "linear")],
    kernel,
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    mean_gain(ranking, options, |Place { rank, gain, .. }| {
        let patience = match options.patience {
            Patience::None => 1.0,
            Patience::Reciprocal => rank / (rank + 1.0),
            Patience::Geometric => options.p,
            Patience::Insq => (1.0 - 1.0 / (rank + 2.0 * options.t)).powi(2),
        };
        patience * (1.0 - gain)
    })
}
