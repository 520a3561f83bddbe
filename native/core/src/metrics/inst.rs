//! INST: the gain per item of a user who adapts to the gain so far.

use super::examined::{Place, mean_gain};
use super::metric::{Metric, Needs, Options, Outcome, RankingAtK};

pub static METRIC: Metric = Metric {
    name: "inst",
    paper_name: "INST",
    summary: "INST: the mean gain of the items that a user examines, who goes on the more probably, the more items were \
              examined, and the less probably, the nearer the gain so far is to t. The user examines k items at most, or \
              1000 without k; the ranks below the list have gain 0",
    formula: "sum of gain * seen / sum of seen over the ranks to k, where gain is rel / max_rel, seen is the product over \
              earlier ranks of ((d - 1) / d)^2, 0 if d < 1, and d is rank + 2 t - gain so far",
    source: "Bailey, Moffat, Scholer and Thomas, User variability and IR system evaluation, SIGIR 2015",
    needs: Needs::Gains,
    options: &["t", "max_rel", "no_relevant", "empty_rec", "duplicates"],
    defaults: &[("gain", "linear")],
    kernel,
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    mean_gain(ranking, options, |Place { rank, gain_so_far, .. }| {
        let left = rank - gain_so_far + 2.0 * options.t;
        // With t below 0.5, the square alone would be a probability of more than 1 after many gains.
        (1.0 - 1.0 / left).max(0.0).powi(2)
    })
}
