//! INSQ: the gain per item of a user who goes on the more probably, the more items were examined.

use super::examined::ranks;
use super::metric::{Metric, Needs, Options, Outcome, RankingAtK};
use crate::error::Error;
use crate::memory::Grow;

pub static METRIC: Metric = Metric {
    name: "insq",
    paper_name: "INSQ",
    summary: "INSQ: the mean gain of the items that a user examines, who goes on the more probably, the more items were \
              examined. The user examines k items at most, or 1000 without k; the ranks below the list have gain 0",
    formula: "sum of gain * seen / sum of seen over the ranks to k, where gain is rel / max_rel, and seen is (2 t / (2 t \
              + rank - 1))^2",
    source: "Moffat, Scholer and Thomas, Models and metrics: IR evaluation as a user process, ADCS 2012",
    needs: Needs::Gains,
    options: &["t", "max_rel", "no_relevant", "empty_rec", "duplicates"],
    defaults: &[("gain", "linear")],
    kernel,
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    let seen = match seen_to(ranks(ranking), options.t) {
        Ok(seen) => seen,
        Err(error) => return Outcome::Failed(error),
    };
    let mut sum = 0.0;
    ranking.at(ranks(ranking)).each_gain(|block, _, gain| {
        sum += gain * (seen[block.above + block.shown] - seen[block.above]) / block.size as f64;
    });
    Outcome::Value(sum / options.max_rel / seen[ranks(ranking)])
}

/// At index n, the expected number of items that a user examines among the first n ranks.
fn seen_to(ranks: usize, t: f64) -> Result<Vec<f64>, Error> {
    let mut sums = Vec::new();
    sums.make_exact_room(ranks + 1)?;
    sums.push(0.0);
    for above in 0..ranks {
        let seen = (1.0 + above as f64 / (2.0 * t)).powi(-2);
        sums.push(sums[above] + seen);
    }
    Ok(sums)
}
