//! Expected reciprocal rank: the expected 1 / rank of the item at which a user stops.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK, Terms};
use crate::memory::Grow;
use crate::ranking::ties::{MAX_STEPS, TiedBlock};

pub static METRIC: Metric = Metric {
    name: "err",
    synonyms: &["expected_reciprocal_rank"],
    paper_name: "ERR",
    summary: "expected reciprocal rank: the expected 1 / rank of the item at which a user stops, where a user stops at \
              an item the more probably, the more relevant it is",
    formula: "sum over ranks of R(rank) / rank * product over earlier ranks of (1 - R), where R is (2^rel - 1) / \
              2^max_rel",
    latex: r"\sum_{i=1}^{k} \frac{s_i}{i} \prod_{j=1}^{i-1} (1 - s_j), \quad s_i = \frac{2^{r_i} - 1}{2^{\mathrm{max\_rel}}}",
    source: "Chapelle et al., Expected reciprocal rank for graded relevance, CIKM 2009",
    needs: Needs::Gains,
    options: &["max_rel", "no_relevant", "empty_rec", "duplicates"],
    defaults: &[("gain", "exp2")],
    kernel,
    terms: Some(terms),
    ..Metric::USUAL
};

pub(super) fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    let unit = unit(options);
    let mut sum = 0.0;
    let Some(ties) = ranking.tied_gains() else {
        each_stop(ranking.match_gains(), unit, |_, term| sum += term);
        return Outcome::Value(sum);
    };
    // The probability that a user looks at the next item.
    let mut looking = 1.0;
    let mut steps_left = MAX_STEPS;
    for (block, gains) in ties {
        let after = match still_looking(&block, gains, unit, &mut steps_left) {
            Ok(after) => after,
            Err(outcome) => return outcome,
        };
        let stops = after.windows(2).map(|pair| pair[0] - pair[1]); // the probability of a stop at each place
        sum += looking * stops.zip(block.above + 1..).map(|(stop, rank)| stop / rank as f64).sum::<f64>();
        looking *= after[block.shown];
    }
    Outcome::Value(sum)
}

fn terms(ranking: &RankingAtK, options: &Options, terms: &mut Terms) -> Result<(), Outcome> {
    let unit = unit(options);
    let (Some(ties), Some(ranks)) = (ranking.tied_gains(), ranking.tied_ranks()) else {
        each_stop(ranking.match_gains(), unit, |rank, term| terms.add(rank, term));
        return Ok(());
    };
    let mut steps_left = MAX_STEPS;
    let mut looking = 1.0;
    for ((block, gains), (_, ranks)) in ties.zip(ranks) {
        // Judged items of a block are sorted by relevance, so that those of one gain follow one another.
        let mut first = 0;
        for equal in gains.chunk_by(|one, other| one == other) {
            let end = first + equal.len();
            if equal[0] > 0.0 {
                let without_one = [&gains[..first], &gains[first + 1..]].concat();
                let rest = TiedBlock { size: block.size - 1, shown: block.shown - 1, ..block };
                let others = still_looking(&rest, &without_one, unit, &mut steps_left)?;
                let reached = others.iter().zip(block.above + 1..).map(|(leaves, rank)| leaves / rank as f64);
                let term = looking * equal[0] / unit / block.size as f64 * reached.sum::<f64>();
                ranks[first..end].iter().for_each(|rank| terms.add(*rank, term));
            }
            first = end;
        }
        looking *= still_looking(&block, gains, unit, &mut steps_left)?[block.shown];
    }
    Ok(())
}

/// The number by which a gain is divided for the probability that a user stops at the item.
fn unit(options: &Options) -> f64 {
    options.max_rel.exp2()
}

/// The expected reciprocal rank of the ideal ranking, which has all judged items by descending gain.
pub(super) fn ideal(ranking: &RankingAtK, options: &Options) -> f64 {
    let mut sum = 0.0;
    each_stop(ranking.ideal_gains().enumerate(), unit(options), |_, term| sum += term);
    sum
}

/// Calls `visit` with the rank of each of `gains`, counted from 0, and the probability that a user stops there over that
/// rank, counted from 1. For rankings in which ties do not matter.
fn each_stop(gains: impl Iterator<Item = (usize, f64)>, unit: f64, mut visit: impl FnMut(usize, f64)) {
    let mut looking = 1.0;
    for (above, gain) in gains {
        let stops = gain / unit;
        visit(above, looking * stops / (above + 1) as f64);
        looking *= 1.0 - stops;
    }
}

/// The probability that a user who came to the block goes on after n of its items: at index n, from 0 to `shown`, the
/// mean over all orders of the block. Takes its steps from `steps_left`; an error if these or memory do not suffice.
///
/// A dynamic programme over items computes the probabilities. `after[n]` is the mean, over all subsets of n items so
/// far, of the probability that none of the subset stops the user. With one item more, `after[n]` is the mean over the
/// subsets without and with that item, weighted by their number.
fn still_looking(
    block: &TiedBlock,
    gains: &[f64],
    unit: f64,
    steps_left: &mut usize,
) -> Result<Vec<f64>, Outcome> {
    let useful = gains.iter().filter(|gain| **gain > 0.0);
    let useless = block.size - useful.clone().count();
    let steps = (block.size - useless).saturating_mul(block.shown);
    *steps_left = steps_left.checked_sub(steps).ok_or(Outcome::TooManyTied)?;
    // Items without a gain stop no user, so `after` starts with 1 for all of them at once.
    let mut after = Vec::new();
    after.try_resize(block.shown + 1, 1.0)?;
    for (items, gain) in (useless + 1..).zip(useful) {
        let leaves = 1.0 - gain / unit;
        for places in (1..=items.min(block.shown)).rev() {
            let share_with = places as f64 / items as f64;
            after[places] = (1.0 - share_with) * after[places] + share_with * leaves * after[places - 1];
        }
    }
    Ok(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(size: usize, shown: usize) -> TiedBlock {
        TiedBlock { above: 0, size, shown, hits: 0, hits_above: 0, gain: 0.0 }
    }

    #[test]
    fn many_blocks_share_the_steps() {
        let (block, gains) = (block(5_000, 5_000), vec![1.0; 5_000]);
        let mut steps_left = 2 * block.size * block.shown;
        assert!(still_looking(&block, &gains, 4.0, &mut steps_left).is_ok());
        assert!(still_looking(&block, &gains, 4.0, &mut steps_left).is_ok());
        assert_eq!(still_looking(&block, &gains, 4.0, &mut steps_left), Err(Outcome::TooManyTied));
    }

    #[test]
    fn large_blocks_are_refused_unless_the_cut_is_early() {
        for (useful, shown, is_refused) in
            [(50_000, 60_000, true), (50_000, 10, false), (1000, 60_000, false)]
        {
            let found = still_looking(&block(60_000, shown), &vec![1.0; useful], 4.0, &mut { MAX_STEPS });
            assert_eq!(found == Err(Outcome::TooManyTied), is_refused, "{useful} {shown}");
        }
    }
}
