//! Interpolated precision: the largest precision at a rank of a recall or deeper.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK};
use crate::memory::Grow;
use crate::ranking::as_f64;
use crate::ranking::ties::{MAX_STEPS, TiedBlock};

pub static METRIC: Metric = Metric {
    name: "iprec",
    paper_name: "IPrec",
    summary: "interpolated precision: the largest precision at a rank whose recall is at least that of the option recall, 0 \
              if there is none. It takes no k",
    formula: "max over ranks of precision, where recall >= the option recall",
    latex: r"\max_{i \,:\, \sum_{j=1}^{i} h_j \ge 0.1 R} \; \frac{1}{i} \sum_{j=1}^{i} h_j",
    source: "Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.4; trec_eval",
    needs: Needs::Hits,
    takes_k: false,
    options: &["recall", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    kernel,
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    match at_recall(ranking, options.recall, &mut { MAX_STEPS }) {
        Ok(value) => Outcome::Value(value),
        Err(outcome) => outcome,
    }
}

/// The largest precision where recall is at least `level`; if ties matter, its expected value, whose steps are taken from
/// `steps_left`.
pub(super) fn at_recall(ranking: &RankingAtK, level: f64, steps_left: &mut usize) -> Result<f64, Outcome> {
    let relevant = ranking.relevant();
    // A quotient of integers is rounded as the level that was written is, so that equal numbers are equal.
    let reaches = |hits: usize| as_f64(hits) / as_f64(relevant) >= level;
    // Precision is largest at a hit.
    let first = (1..=relevant).find(|hits| reaches(*hits)).unwrap_or(relevant);
    let Some(ties) = ranking.ties() else {
        let hits = (1..).zip(ranking.hits()).filter(|(hits, _)| *hits >= first);
        return Ok(hits.map(|(hits, above)| as_f64(hits) / as_f64(above + 1)).fold(0.0, f64::max));
    };
    let mut blocks = Vec::new();
    for block in ties.filter(|block| block.hits > 0 && block.hits_above + block.hits >= first) {
        blocks.try_push(block)?;
    }
    expected(&blocks, first, steps_left)
}

/// The expected largest precision from the hit of number `first` on, counted from 1, over all orders of these blocks, whose
/// numbers of hits reach it.
fn expected(blocks: &[TiedBlock], first: usize, steps_left: &mut usize) -> Result<f64, Outcome> {
    // The precision at the last rank of a block is the same for all orders, and the least that the largest can be.
    let at_end = |block: &TiedBlock| precision(block.hits_above + block.hits, block.above + block.size);
    let least = blocks.iter().map(at_end).fold(0.0, f64::max);
    let steps = blocks.iter().map(|block| {
        let states = block.hits.min(block.size - block.hits) + 1;
        block.size.saturating_mul(states)
    });
    let steps = steps.fold(0, usize::saturating_add);
    let mut take_steps = |steps: usize| -> Result<(), Outcome> {
        *steps_left = steps_left.checked_sub(steps).ok_or(Outcome::TooManyTied)?;
        Ok(())
    };
    take_steps(steps)?;
    let mut values = Vec::new();
    values.try_push(least)?;
    for block in blocks {
        for hit in first.saturating_sub(block.hits_above).max(1)..=block.hits {
            // The hits of its block before it and after it need places, too.
            for place in hit..=block.size - (block.hits - hit) {
                values.try_push(precision(block.hits_above + hit, block.above + place))?;
            }
        }
    }
    values.retain(|value| *value >= least);
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    take_steps(steps.saturating_mul(values.len()))?;
    // The expected value is the integral of the probability that the largest precision is above a number.
    let mut sum = least;
    let mut probabilities = Vec::new();
    for pair in values.windows(2) {
        let mut none_above = 1.0;
        for block in blocks {
            none_above *= stays_at_most(pair[0], block, first, &mut probabilities)?;
        }
        sum += (pair[1] - pair[0]) * (1.0 - none_above);
    }
    Ok(sum)
}

fn precision(hits: usize, rank: usize) -> f64 {
    as_f64(hits) / as_f64(rank)
}

/// The probability that no precision from the hit of number `first` on is above `most` at a hit of a block. A dynamic
/// programme over its ranks keeps the probability of each number of hits so far in `probabilities`.
fn stays_at_most(
    most: f64,
    block: &TiedBlock,
    first: usize,
    probabilities: &mut Vec<f64>,
) -> Result<f64, Outcome> {
    probabilities.clear();
    probabilities.try_resize(block.hits + 1, 0.0)?;
    probabilities[0] = 1.0;
    for place in 0..block.size {
        let left = as_f64(block.size - place);
        // There are no more misses than those of the block.
        let fewest = (place + 1 + block.hits).saturating_sub(block.size);
        for hits in (fewest..=block.hits.min(place + 1)).rev() {
            let number = block.hits_above + hits;
            let is_above = number >= first && precision(number, block.above + place + 1) > most;
            let by_hit = match hits.checked_sub(1) {
                Some(before) if !is_above => probabilities[before] * as_f64(block.hits - before) / left,
                _ => 0.0,
            };
            let misses_left = (block.size - place + hits).saturating_sub(block.hits);
            probabilities[hits] = probabilities[hits] * as_f64(misses_left) / left + by_hit;
        }
    }
    Ok(probabilities[block.hits])
}
