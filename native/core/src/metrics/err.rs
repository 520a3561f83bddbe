//! Expected reciprocal rank: the expected 1 / rank of the item at which a user stops.

use super::metric::{Metric, Outcome};
use crate::memory::Grow;
use crate::needs::Needs;
use crate::options::Options;
use crate::ranking::ties::{MAX_STEPS, TiedBlock};
use crate::ranking::view::RankingAtK;

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
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    let unit = options.max_rel.exp2();
    // The probability that a user looks at the next item.
    let mut looking = 1.0;
    let mut sum = 0.0;
    let Some(ties) = ranking.tied_gains() else {
        for (above, gain) in ranking.found_gains() {
            let stops = gain / unit;
            sum += looking * stops / (above + 1) as f64;
            looking *= 1.0 - stops;
        }
        return Outcome::Value(sum);
    };
    let mut steps_left = MAX_STEPS;
    for (block, gains) in ties {
        let after = match still_looking(&block, gains, unit, &mut steps_left) {
            Ok(after) => after,
            Err(score) => return score,
        };
        let places = after.windows(2).zip(block.above + 1..);
        sum += looking * places.map(|(after, rank)| (after[0] - after[1]) / rank as f64).sum::<f64>();
        looking *= after[block.shown];
    }
    Outcome::Value(sum)
}

/// The probability that a user who came to the block goes on after n of its items: at index n, from 0 to `shown`, the
/// mean over all orders of the block. Takes its steps from `steps_left`; an error if that are too few, or if memory
/// runs out.
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
            let with = places as f64 / items as f64;
            after[places] = (1.0 - with) * after[places] + with * leaves * after[places - 1];
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

    /// The result for a ranking that is one block.
    fn alone(block: &TiedBlock, gains: &[f64], unit: f64) -> Result<Vec<f64>, Outcome> {
        still_looking(block, gains, unit, &mut { MAX_STEPS })
    }

    #[test]
    fn where_all_items_are_equal_no_order_matters() {
        let after = alone(&block(5, 5), &[3.0; 5], 4.0).unwrap();
        for (places, value) in after.iter().enumerate() {
            assert!((value - 0.25_f64.powf(places as f64)).abs() < 1e-15);
        }
    }

    #[test]
    fn one_useful_item_is_at_each_place_as_likely() {
        // A user who meets it stops with probability 3/4.
        let after = alone(&block(4, 3), &[0.0, 3.0], 4.0).unwrap();
        for (places, value) in after.iter().enumerate() {
            assert!((value - (1.0 - 0.75 * places as f64 / 4.0)).abs() < 1e-15);
        }
    }

    #[test]
    fn the_mean_over_sets_of_two_of_three() {
        let after = alone(&block(3, 3), &[1.0, 3.0, 7.0], 8.0).unwrap();
        let (one, two, three) = (7.0 / 8.0, 5.0 / 8.0, 1.0 / 8.0);
        let expected = [
            1.0,
            (one + two + three) / 3.0,
            (one * two + one * three + two * three) / 3.0,
            one * two * three,
        ];
        for (value, expected) in after.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-15);
        }
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
        let gains = vec![1.0; 50_000];
        assert_eq!(alone(&block(60_000, 60_000), &gains, 4.0), Err(Outcome::TooManyTied));
        assert!(alone(&block(60_000, 10), &gains, 4.0).is_ok());
        assert!(alone(&block(60_000, 60_000), &gains[..1000], 4.0).is_ok());
    }
}
