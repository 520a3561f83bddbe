//! Inferred average precision: average precision, estimated from the judged items.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, ratio};
use crate::ranking::as_f64;
use crate::ranking::ties::{MAX_STEPS, TiedBlock};

pub static METRIC: Metric = Metric {
    name: "inf_ap",
    synonyms: &["infap", "inferred_ap", "inferred_average_precision"],
    paper_name: "infAP",
    summary: "inferred average precision: the precision at a hit is estimated from the judged items above it. An unjudged \
              item takes its rank as one outside the pool of documents to be judged, which is irrelevant. It takes no k",
    formula: "sum over hits of (1 + judged above * (hits above + e) / (judged above + 2 * e)) / rank / R, where R is the \
              number of relevant items and e is 0.00001",
    latex: r"\frac{1}{R} \sum_{i=1}^{n} \frac{h_i}{i} \left(1 + J_i \frac{H_i + e}{J_i + 2 e}\right)",
    source: "Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006; trec_eval",
    needs: Needs::Hits,
    takes_k: false,
    options: &["min_rel", "no_relevant", "empty_rec", "duplicates"],
    kernel,
    ..Metric::USUAL
};

/// The constant of trec_eval by which estimates are smoothed.
const EPSILON: f64 = 0.000_01;

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    let (mut sum, mut judged_above, mut steps_left) = (Ok(0.0), 0, MAX_STEPS);
    ranking.each_judged_block(options, |block, judged| {
        if block.hits > 0
            && let Ok(before) = sum
        {
            sum = expected(block, judged, judged_above, &mut steps_left).map(|more| before + more);
        }
        judged_above += judged;
    });
    match sum {
        Ok(sum) => Outcome::Value(ratio(sum, ranking.relevant())),
        Err(outcome) => outcome,
    }
}

/// The expected part of a block, which has hits, in the sum. Takes its steps from `steps_left`.
fn expected(
    block: &TiedBlock,
    judged: usize,
    judged_above: usize,
    steps_left: &mut usize,
) -> Result<f64, Outcome> {
    let TiedBlock { above, size, hits, hits_above, .. } = *block;
    let steps = size.saturating_mul(judged);
    *steps_left = steps_left.checked_sub(steps).ok_or(Outcome::TooManyTied)?;
    // The share of hits among the other judged items of the block.
    let hit_share = ratio(as_f64(hits - 1), judged - 1);
    let mut sum = 0.0;
    for place in 0..size {
        // A hit is equally likely at any place; the judged items above it are then any of the others.
        let others = TiedBlock { size: size - 1, shown: place, hits: judged - 1, ..*block };
        for (more, probability) in others.shown_hits()? {
            let judged = as_f64(judged_above + more);
            let hits = as_f64(hits_above) + as_f64(more) * hit_share;
            let inferred = judged * (hits + EPSILON) / (judged + 2.0 * EPSILON);
            sum += probability * (1.0 + inferred) / as_f64(above + place + 1);
        }
    }
    Ok(as_f64(hits) * sum / as_f64(size))
}
