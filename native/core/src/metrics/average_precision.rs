//! Average precision: the mean of the precisions at the relevant items.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, Terms, ratio};
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
    terms: Some(terms),
    ..Metric::USUAL
};

#[inline(always)]
pub(super) fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    let by_threshold = is_by_threshold(ranking, options);
    let Some(denominator) = denominator(ranking, options) else {
        return outcome(if by_threshold {
            over_thresholds(ranking, |hits| hits)
        } else {
            over_hits(ranking)
        });
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

fn terms(ranking: &RankingAtK, options: &Options, terms: &mut Terms) -> Result<(), Outcome> {
    let fixed = denominator(ranking, options);
    let denominator = |hits| fixed.unwrap_or(hits);
    match (is_by_threshold(ranking, options), fixed) {
        (true, _) => scaled_terms(ranking, precisions_at_end, denominator, terms),
        (false, None) => {
            let precisions = |block: &TiedBlock, hits| expected_precisions(block, block.shown, hits);
            scaled_terms(ranking, precisions, denominator, terms)
        }
        (false, Some(denominator)) => {
            ranking.each_hit_block(|block, ranks| {
                let sum = expected_precisions(block, block.size, block.hits);
                terms.share(ranks, ratio(sum, denominator));
            });
            Ok(())
        }
    }
}

/// Writes terms if the sum of the precisions at the hits above the cutoff, and what it is divided by, depend on how many
/// hits of a block these are. `precisions` has the expected sum over that many hits.
fn scaled_terms(
    ranking: &RankingAtK,
    precisions: impl Fn(&TiedBlock, usize) -> f64,
    denominator: impl Fn(usize) -> usize,
    terms: &mut Terms,
) -> Result<(), Outcome> {
    let (mut hits, mut cut) = (0, None);
    let visit = |block: &TiedBlock, ranks: &[usize]| {
        // Only the last block can be cut.
        if block.is_cut() {
            cut = Some((*block, ranks.to_vec()));
            return;
        }
        terms.share(ranks, precisions(block, block.hits));
        hits = block.hits_above + block.hits;
    };
    if ranking.ties().is_some() || ranking.levels().is_empty() {
        ranking.each_hit_block(visit);
    } else {
        ranking.each_level(visit);
    }
    let Some((block, ranks)) = cut else {
        terms.scale(ratio(1.0, denominator(hits)));
        return Ok(());
    };
    // The means of 1 / denominator, by which the terms of other blocks are multiplied, and of the block's own part.
    let (mut scale, mut own) = (0.0, 0.0);
    for (hits, probability) in block.shown_hits()? {
        let weight = ratio(probability, denominator(block.hits_above + hits));
        scale += weight;
        own += weight * precisions(&block, hits);
    }
    terms.scale(scale);
    terms.share(&ranks, own);
    Ok(())
}

/// Whether the precision of a hit is measured after the last item of its score. Without levels, all scores differ, and
/// each hit is the last item of its score.
#[inline(always)]
fn is_by_threshold(ranking: &RankingAtK, options: &Options) -> bool {
    options.ap_steps == ApSteps::Threshold && !ranking.levels().is_empty()
}

/// The denominator; `None` if it is the number of hits in the top k.
#[inline(always)]
fn denominator(ranking: &RankingAtK, options: &Options) -> Option<usize> {
    Some(match options.ap_denominator {
        ApDenominator::Hits => return None,
        ApDenominator::Truth => ranking.relevant(),
        ApDenominator::MinTruthK => ranking.findable(),
        ApDenominator::K => ranking.places(),
        ApDenominator::MinTruthRetrieved => ranking.relevant().min(ranking.depth()),
    })
}

/// The sum of the precisions of this many hits of a block, each measured after its last item above the cutoff.
fn precisions_at_end(block: &TiedBlock, hits: usize) -> f64 {
    as_f64(hits) * as_f64(block.hits_above + hits) / as_f64(block.above + block.shown)
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
    let Some(ties) = ranking.ties() else {
        ranking.each_level(|level, ranks| {
            sum += precisions_at_end(level, ranks.len());
            hits += ranks.len();
        });
        return Ok(ratio(sum, denominator(hits)));
    };
    for block in ties {
        if block.is_cut() {
            let value = |(more, probability): (usize, f64)| {
                probability * ratio(sum + precisions_at_end(&block, more), denominator(hits + more))
            };
            return Ok(block.shown_hits()?.map(value).sum());
        }
        sum += precisions_at_end(&block, block.hits);
        hits += block.hits;
    }
    Ok(ratio(sum, denominator(hits)))
}
