//! Average precision: the mean of the precisions at the relevant items.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, ratio};
use crate::error::Error;
use crate::options::choices::{ApDenominator, ApSteps};
use crate::ranking::as_f64;
use crate::ranking::ties::TiedBlock;

pub static METRIC: Metric = Metric {
    name: "average_precision",
    synonyms: &["map", "ap", "map_cut", "mean_average_precision"],
    paper_name: "MAP",
    summary: "sum of the precision at each hit in the top k, divided by the number of relevant items; its mean is MAP",
    formula: "sum over hits of (hits so far / rank) / relevant",
    latex: r"\frac{1}{R} \sum_{i=1}^{k} h_i \cdot \frac{1}{i} \sum_{j=1}^{i} h_j",
    source: "Hivemall, Ranking Problems: Mean Average Precision",
    needs: Needs::HitSums,
    by_default: true,
    options: &["ap_denominator", "ap_steps", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    denominator: Some("ap_denominator"),
    kernel,
    ..Metric::USUAL
};

#[inline(always)]
pub(super) fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    // Without levels, all scores differ, and each hit is the last item of its score.
    let by_threshold = options.ap_steps == ApSteps::Threshold && !ranking.levels().is_empty();
    let denominator = match options.ap_denominator {
        ApDenominator::Hits if by_threshold => return outcome(over_thresholds(ranking, |hits| hits)),
        ApDenominator::Hits => return outcome(over_hits(ranking)),
        ApDenominator::Truth => ranking.relevant(),
        ApDenominator::MinTruthK => ranking.findable(),
        ApDenominator::K => ranking.places(),
        ApDenominator::MinTruthRetrieved => ranking.relevant().min(ranking.depth()),
    };
    if by_threshold {
        return outcome(over_thresholds(ranking, |_| denominator));
    }
    let sum = match ranking.ties() {
        None => ranking.hit_sums().precision_sum,
        Some(ties) => ties.map(|block| expected_precisions(&block, block.size, block.hits)).sum(),
    };
    Outcome::Value(ratio(sum, denominator))
}

/// The outcome for a value or an error.
fn outcome(value: Result<f64, Error>) -> Outcome {
    value.map_or_else(Outcome::Failed, Outcome::Value)
}

/// The expected sum of the precisions at a block's hits above the cutoff. Its `hits` are spread over its first `among`
/// ranks, with every choice of ranks equally likely.
fn expected_precisions(block: &TiedBlock, among: usize, hits: usize) -> f64 {
    let share = hits as f64 / among as f64;
    // The probability that the item at any one rank before a hit is a hit, too.
    let others = hits.saturating_sub(1) as f64 / among.saturating_sub(1).max(1) as f64;
    let precision = |place: usize| {
        (block.hits_above as f64 + 1.0 + place as f64 * others) / (block.above + place + 1) as f64
    };
    share * (0..block.shown).map(precision).sum::<f64>()
}

/// The mean of the precisions at the hits. If the cutoff goes through a block, the last one, the number of hits varies,
/// too, and the result is the expected value over that number.
#[inline(never)] // code is large, and kernels are in many places
fn over_hits(ranking: &RankingAtK) -> Result<f64, Error> {
    let Some(ties) = ranking.ties() else {
        return Ok(ratio(ranking.hit_sums().precision_sum, ranking.hits().len()));
    };
    let mut sum = 0.0;
    let mut value = 0.0;
    for block in ties {
        if block.is_cut() {
            let mean = |(hits, probability): (usize, f64)| {
                probability
                    * ratio(sum + expected_precisions(&block, block.shown, hits), block.hits_above + hits)
            };
            return Ok(block.shown_hits()?.map(mean).sum());
        }
        sum += expected_precisions(&block, block.size, block.hits);
        value = ratio(sum, block.hits_above + block.hits);
    }
    Ok(value)
}

/// The sum of the precisions at the hits in the top k, over a `denominator`, which is called with the number of hits.
/// The precision of a hit is measured after the last item of its score in the top k. With ties, the expected value.
#[inline(never)] // code is large, and kernels are in many places
fn over_thresholds(ranking: &RankingAtK, denominator: impl Fn(usize) -> usize) -> Result<f64, Error> {
    let (mut sum, mut hits) = (0.0, 0);
    // The sum after `more` hits of one score, whose last item is at `rank`, counted from 1.
    let sum_after = |sum: f64, hits: usize, more: usize, rank: usize| {
        sum + as_f64(more) * as_f64(hits + more) / as_f64(rank)
    };
    let Some(ties) = ranking.ties() else {
        for end in ranking.levels() {
            let rank = ranking.depth().min(*end);
            let more = ranking.hits_to(rank) - hits;
            sum = sum_after(sum, hits, more, rank);
            hits += more;
        }
        return Ok(ratio(sum, denominator(hits)));
    };
    for block in ties {
        let rank = block.above + block.shown;
        if block.is_cut() {
            let value = |(more, probability): (usize, f64)| {
                probability * ratio(sum_after(sum, hits, more, rank), denominator(hits + more))
            };
            return Ok(block.shown_hits()?.map(value).sum());
        }
        sum = sum_after(sum, hits, block.hits, rank);
        hits += block.hits;
    }
    Ok(ratio(sum, denominator(hits)))
}
