//! Randomised Tukey HSD: tests of the mean differences of all pairs of systems, corrected for their number.

use super::distributions::{normal_exceeded, range_above};
use super::exact_sum::sum;
use super::random::Random;
use super::randomization_test::{self, common_divisor};
use super::statistic::{Observed, difference};
use crate::documentation::{About, ValueRange};
use crate::error::{Error, bail};
use crate::memory::{Grow, collected};
use crate::options::Options;
use crate::results::Nullable;

pub(crate) const ABOUT: About = About {
    summary: "randomised Tukey HSD: a p-value for each pair of systems, in the order (1, 2), (1, 3), ..., (2, 3) and so \
              on, that is corrected for the number of pairs. It is the share of ways to permute the values within \
              blocks in which the largest mean of a system less the smallest one is at least as large as the observed \
              difference of the two means. A block is the values of one user, one for each system. Blocks with a NULL \
              are left out. With two systems, it is the two-sided randomization_test. Let m be the number of blocks \
              whose values are not all equal. With three or more systems, up to 50000 ways are all counted. Up to m = \
              400, `resamples` ways are drawn, at most 200000 and at most 16000000 by the number of values, and the \
              observed values count as one more. Above, the means are taken as normal, and their range has the \
              distribution of the studentized range with infinite degrees of freedom: `resamples` and `seed` have no \
              effect. If the variance of a block is \
              more than 1/200 of the sum of the variances, permutations of the 400 blocks of largest variance are \
              drawn instead, the others are taken as normal, and the observed values count as one more",
    formula: "share of ways whose range of means is at least abs(mean_i - mean_j)",
    latex: "",
    range: ValueRange::UNIT,
    source: "Carterette, Multiple Testing in Statistical Analysis of Systems-Based Information Retrieval Experiments, ACM \
             TOIS 2012; Sakai, Statistical Reform in Information Retrieval?, SIGIR Forum 2014; \
             scipy.stats.studentized_range",
};

/// The largest number of systems. They have 44,850 pairs, which take a second or two.
const MAX_SYSTEMS: usize = 300;
/// The largest number of ways to permute values that are all counted.
const WAYS: f64 = 50_000.0;
/// The number of blocks up to which permutations are drawn.
const DRAWN: usize = 400;
/// The largest number of resamples that are drawn.
const RESAMPLES: usize = 200_000;
/// The largest number of values that are permuted, in all resamples together, which takes about a 20th of a second.
const VALUES: usize = 16_000_000;
/// The sums of more than [`DRAWN`] blocks count as normal if no block has more of the variance; see
/// [`randomization_test`].
const MAX_SHARE: f64 = 1.0 / 200.0;

/// The number of pairs of systems; an error, about the argument `name`, if there are too many systems.
pub fn pair_count(name: &str, systems: usize) -> Result<usize, Error> {
    if systems > MAX_SYSTEMS {
        bail!(
            name => "{name} must hold a list for each user, with a value for each of at most {MAX_SYSTEMS} systems, \
             got lists of {systems} values"
        );
    }
    Ok(systems * systems.saturating_sub(1) / 2)
}

/// Appends the p-value of each pair of systems to `p_values`, which has room for them, in the order (0, 1), (0, 2) and
/// so on; NULL without blocks. `values` has one block after the other, a finite value of each of two or more systems.
pub fn tukey_hsd(
    values: &mut [f64],
    systems: usize,
    options: &Options,
    p_values: &mut Vec<Nullable>,
) -> Result<(), Error> {
    // Two systems are a single pair, which `randomization_test` tests.
    if let ([_, ..], 2) = (&*values, systems) {
        let mut differences: Vec<f64> = Vec::new();
        differences.make_exact_room(values.len() / 2)?;
        differences.extend(values.chunks(2).map(|pair| difference(pair[0], pair[1], options.tolerance)));
        let mut observed = Observed { first: differences, ..Observed::default() };
        let summary = randomization_test::STATISTIC.summarise(&mut observed, options)?;
        // The fields of that test are the mean difference, the statistic, the p-value and the effect size.
        p_values.push(summary.fields[2].into());
        return Ok(());
    }
    settle_ties(values, systems, options.tolerance);
    let total = |system| sum(values.iter().skip(system).step_by(systems).copied());
    let totals: Vec<f64> = (0..systems).map(total).collect();
    let pairs = (0..systems).flat_map(|one| (one + 1..systems).map(move |other| (one, other)));
    let pairs = pairs.map(|(one, other)| (totals[one] - totals[other]).abs());
    if values.is_empty() {
        p_values.extend(pairs.map(|_| Nullable::NULL));
        return Ok(());
    }
    let ranges = Ranges::of(values, systems, options)?;
    p_values.extend(pairs.map(|observed| Nullable::from(Some(ranges.share_above(observed)))));
    Ok(())
}

/// Subtracts the least value of each block from its values. A value counts as the least of those that it ties with.
fn settle_ties(values: &mut [f64], systems: usize, tolerance: f64) {
    let mut order: Vec<usize> = (0..systems).collect();
    for block in values.chunks_mut(systems) {
        order.sort_unstable_by(|one, other| block[*one].total_cmp(&block[*other]));
        let least = block[order[0]];
        let mut least_of_tie = least;
        for place in &order {
            if difference(block[*place], least_of_tie, tolerance) != 0.0 {
                least_of_tie = block[*place];
            }
            block[*place] = least_of_tie - least;
        }
    }
}

/// The distribution of the range of the sums of systems, if the values of each block are permuted.
enum Ranges {
    /// The ranges of all ways or of drawn ones, ascending.
    Listed {
        ranges: Vec<f64>,
        /// Whether the observed values count as one way more, because the ways are drawn.
        one_more: bool,
        /// Ranges that differ by rounding alone, because terms are added in another order, count as equal.
        slack: f64,
    },
    /// The range of normal variates.
    Normal {
        systems: usize,
        /// The standard deviation of each variate.
        deviation: f64,
        /// Half the distance between neighbouring ranges; next to 0 if the values have no common divisor.
        half_step: f64,
    },
}

impl Ranges {
    /// The distribution for blocks, of which there is at least one, with 0 as the least value of each.
    fn of(values: &[f64], systems: usize, options: &Options) -> Result<Self, Error> {
        // A block of equal values is the same in any order, so it changes no share and is left out.
        let mut blocks: Vec<Block> = Vec::new();
        blocks.make_room(values.len() / systems)?;
        for block in values.chunks(systems).filter(|block| block.iter().any(|value| *value > 0.0)) {
            blocks.push(Block::new(block)?);
        }
        let slack = 100.0 * f64::EPSILON * blocks.iter().map(Block::largest).sum::<f64>();
        let largest = blocks.iter().map(Block::largest).fold(0.0, f64::max);
        let variance = sum(blocks.iter().map(|block| block.variance));
        if !slack.is_finite() || !variance.is_finite() {
            bail!("blocks" => "the sum of squares must be finite, got values of one user that differ by {largest:?}");
        }
        let permutations: f64 = (1..=systems).map(|number| number as f64).product();
        // The order of all systems together changes no range, so the first block stays as it is.
        let ways = permutations.powf(blocks.len().saturating_sub(1) as f64);
        if ways <= WAYS {
            let one_more = false;
            return Ok(Self::listed(all_ranges(&blocks, systems), one_more, slack));
        }
        let mut rest = 0.0;
        if blocks.len() > DRAWN {
            if blocks.iter().all(|block| block.variance <= MAX_SHARE * variance) {
                // Sorted, so that the order of blocks changes no bit of the divisor.
                let mut sizes = Vec::new();
                sizes.make_exact_room(blocks.len() * systems)?;
                sizes.extend(blocks.iter().flat_map(|block| block.values.iter().copied()));
                sizes.sort_unstable_by(f64::total_cmp);
                let step = common_divisor(sizes, largest);
                return Ok(Self::Normal { systems, deviation: variance.sqrt(), half_step: step / 2.0 });
            }
            // The blocks with the largest variances are drawn, and the sum of the others is taken as normal.
            blocks.sort_unstable_by(|one, other| {
                other.variance.total_cmp(&one.variance).then_with(|| one.order(other))
            });
            rest = sum(blocks.drain(DRAWN..).map(|block| block.variance)).sqrt();
        }
        // Sorted, so that the same blocks get the same permutations.
        blocks.sort_unstable_by(Block::order);
        let resamples = options.resamples as usize;
        let resamples = resamples.min(RESAMPLES).min((VALUES / (blocks.len() * systems)).max(1));
        let (ranges, one_more) = (drawn_ranges(&blocks, systems, rest, resamples, options.seed)?, true);
        Ok(Self::listed(ranges, one_more, slack))
    }

    fn listed(mut ranges: Vec<f64>, one_more: bool, slack: f64) -> Self {
        ranges.sort_unstable_by(f64::total_cmp);
        Self::Listed { ranges, one_more, slack }
    }

    /// The share of ways with a range of at least `bound`.
    fn share_above(&self, bound: f64) -> f64 {
        match self {
            Self::Listed { ranges, one_more, slack } => {
                let above = ranges.len() - ranges.partition_point(|range| *range < bound - slack);
                let one = usize::from(*one_more);
                (above + one) as f64 / (ranges.len() + one) as f64
            }
            // Cut in the middle between the least range that counts and the next lower one.
            Self::Normal { systems, deviation, half_step } => {
                range_above(((bound - half_step) / deviation).max(0.0), *systems)
            }
        }
    }
}

/// The values of one user by all systems.
struct Block {
    /// The values less the least of them, ascending.
    values: Vec<f64>,
    variance: f64,
}

impl Block {
    fn new(values: &[f64]) -> Result<Self, Error> {
        let mut values = collected(values.iter().copied())?;
        values.sort_unstable_by(f64::total_cmp);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        Ok(Self { variance: squares / (values.len() - 1) as f64, values })
    }

    fn largest(&self) -> f64 {
        self.values.last().copied().unwrap_or(0.0)
    }

    /// An order that depends on the values alone, and not on that of rows.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        self.values.partial_cmp(&other.values).unwrap_or(std::cmp::Ordering::Equal)
    }
}

/// The largest sum less the smallest.
fn range(sums: &[f64]) -> f64 {
    let (least, most) = sums.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), sum| {
        (if *sum < least { *sum } else { least }, if *sum > most { *sum } else { most })
    });
    most - least
}

/// The ranges for every way to permute all blocks but the first.
fn all_ranges(blocks: &[Block], systems: usize) -> Vec<f64> {
    let Some((first, others)) = blocks.split_first() else { return vec![0.0] };
    // Every order of the systems: each system is inserted at every place of every order of those before it.
    let mut permutations = vec![Vec::new()];
    if !others.is_empty() {
        for place in 0..systems {
            let insert_anywhere = |order: &Vec<usize>| {
                let order = order.clone();
                (0..=place).map(move |at| [&order[..at], &[place], &order[at..]].concat())
            };
            permutations = permutations.iter().flat_map(insert_anywhere).collect();
        }
    }
    // For each way to permute the blocks so far, the sum of each system.
    let mut sums = first.values.clone();
    for block in others {
        let add = |sums: &[f64]| -> Vec<f64> {
            let orders = permutations.iter();
            orders
                .flat_map(|order| order.iter().zip(sums).map(|(place, sum)| sum + block.values[*place]))
                .collect()
        };
        sums = sums.chunks(systems).flat_map(add).collect();
    }
    sums.chunks(systems).map(range).collect()
}

/// The ranges for random permutations of all blocks, `resamples` of them. A normal variate with the standard deviation
/// `rest` is added to each sum, for the blocks that are not given.
fn drawn_ranges(
    blocks: &[Block],
    systems: usize,
    rest: f64,
    resamples: usize,
    seed: u64,
) -> Result<Vec<f64>, Error> {
    let mut ranges = Vec::new();
    ranges.make_exact_room(resamples)?;
    let mut random = Random::new(seed, 0);
    let (mut sums, mut order) = (vec![0.0; systems], vec![0.0; systems]);
    for _ in 0..resamples {
        sums.fill(0.0);
        for block in blocks {
            order.copy_from_slice(&block.values);
            for last in (0..systems).rev() {
                // The order of the values so far is any, so that each of them is the next one as often.
                order.swap(random.below(last + 1), last);
                sums[last] += order[last];
            }
        }
        if rest > 0.0 {
            for sum in &mut sums {
                // Between 0 and 1, both excluded.
                let share = ((random.bits() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
                *sum += rest * normal_exceeded(share);
            }
        }
        ranges.push(range(&sums));
    }
    Ok(ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_tie_with_the_least_of_their_tie() {
        let settled = |mut values: Vec<f64>, tolerance| {
            settle_ties(&mut values, 4, tolerance);
            values
        };
        assert_eq!(settled(vec![0.0, 0.5 + 1e-13, 0.5, 2.0], 1e-12), [0.0, 0.5, 0.5, 2.0]);
        // 0.75 is within 0.25 of 0.5, but not of 0.375, with which 0.5 ties.
        assert_eq!(settled(vec![0.75, 0.5, 0.0, 0.375], 0.25), [0.75, 0.375, 0.0, 0.375]);
    }
}
