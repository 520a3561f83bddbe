//! Eleven-point average: the mean of interpolated precisions at eleven recalls.

use super::iprec;
use super::metric::{Metric, Needs, Options, Outcome, RankingAtK};
use crate::ranking::ties::MAX_STEPS;

pub static METRIC: Metric = Metric {
    name: "eleven_point_average",
    synonyms: &["11pt_avg", "11pt"],
    paper_name: "11-pt avg",
    summary: "interpolated precision, averaged over the recalls 0, 0.1, 0.2 to 1. It takes no k",
    formula: "mean of iprec over the recalls 0, 0.1, 0.2 to 1",
    source: "Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.4; trec_eval",
    needs: Needs::Hits,
    takes_k: false,
    options: &["min_rel", "no_relevant", "empty_rec", "duplicates"],
    kernel,
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, _: &Options) -> Outcome {
    let mut steps_left = MAX_STEPS;
    let sum: Result<f64, Outcome> =
        (0..=10).map(|tenths| iprec::at_recall(ranking, f64::from(tenths) / 10.0, &mut steps_left)).sum();
    match sum {
        Ok(sum) => Outcome::Value(sum / 11.0),
        Err(outcome) => outcome,
    }
}
