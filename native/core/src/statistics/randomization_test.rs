//! Fisher's randomization test of the mean difference of pairs.

use super::distributions::normal_above;
use super::exact_sum::sum;
use super::random::Random;
use super::statistic::{Compute, Error, Grow, Options, Sample, Statistic, TEST, p_value};

pub static STATISTIC: Statistic = Statistic {
    name: "randomization_test",
    arguments: TEST.0,
    fields: TEST.1,
    summary: "Fisher's randomization test of a mean difference of 0 between pairs. p_value is the share of ways to \
              swap a and b within pairs in which the mean difference is as extreme as the observed one. statistic is \
              the mean difference. Let m be the number of pairs that differ. Up to m = 30, all 2^m ways are counted. \
              Up to m = 1600, `resamples` ways are drawn, at most 200000 and at most 16000000 / m, and the observed \
              pairs count as one more. Above, all signs of the 10 largest differences are counted, and the sum of the \
              other differences is taken as normal: `resamples` and `seed` have no effect. Up to 10 differences that are \
              not multiples of the common unit of \
              the frequent differences count as largest ones. If the square of one of the others is more than 1/200 of \
              the sum of their squares, signs of the 1600 largest differences are drawn instead, at most 10000 \
              times, and the observed pairs count as one more",
    formula: "share of ways whose mean difference is at least (less: at most) the observed one; two_sided: twice the \
              smaller share, at most 1",
    latex: r"\min(1, 2 \min(G, L)), \quad G = \frac{1}{2^n} \left| \left\{ \sigma \in \{-1, 1\}^n : \frac{1}{n} \sum_{i=1}^{n} \sigma_i d_i \ge \bar{d} \right\} \right|, \quad d_i = a_i - b_i",
    range: "p_value 0 to 1",
    source: "Fisher, The Design of Experiments, 1935; Smucker, Allan and Carterette, CIKM 2007; \
             scipy.stats.permutation_test(permutation_type='samples')",
    options: &["alternative", "resamples", "seed", "tolerance"],
    compute: Compute::Sorted(compute),
};

/// The number of differences up to which every choice of signs is counted.
const EXACT: usize = 30;
/// The number of differences up to which choices of signs are drawn.
const DRAWN: usize = 1600;
/// The largest number of resamples that are drawn.
const RESAMPLES: usize = 200_000;
/// The largest number of signs that are drawn, in all resamples together. An engine may compute many groups in one
/// call, which cannot be interrupted: with 2048 groups, as many as DuckDB passes in one call, that takes about two
/// seconds.
const SIGNS: usize = 16_000_000;
/// With more differences than [`DRAWN`], the number of the largest ones whose choices of signs are all counted.
const MAX_COUNTED: usize = 10;
/// The sum of the other differences counts as normal if no square of one of them has a larger share in the sum of their
/// squares. Probabilities of 0.001 are then off by a fiftieth of themselves at most.
const MAX_SHARE: f64 = 1.0 / 200.0;

/// The mean difference and its p-value: all choices of signs are counted, some are drawn, or the sum of most
/// differences is taken as normal.
fn compute(sample: &Sample, options: &Options) -> Result<[Option<f64>; 2], Error> {
    // A difference of 0 is the same with either sign, so it changes no share and is left out.
    let mut sizes = Vec::new();
    sizes.make_exact_room(sample.values.len())?;
    sizes.extend(sample.values.iter().map(|value| value.abs()).filter(|size| *size > 0.0));
    let observed = sample.mean * sample.n();
    // Sums that differ by rounding alone, because terms are added in another order, count as equal.
    let slack = 100.0 * f64::EPSILON * sizes.iter().sum::<f64>();
    let (at_most, at_least) = if sizes.len() <= EXACT {
        // A sum of all sizes is a sum of the first half and one of the second.
        let (first, second) = sizes.split_at(sizes.len() / 2);
        let (first, second) = (signed_sums(first), signed_sums(second));
        let ways = first.len() as f64 * second.len() as f64;
        // Sums are symmetric around 0: as many are at most `observed` as are at least `-observed`.
        let counts = pairs_above(&first, &second, [-observed - slack, observed - slack]);
        let [at_most, at_least] = counts.map(|count| count as f64 / ways);
        (at_most, at_least)
    } else if sizes.len() > DRAWN {
        let odd = put_odd_last(&mut sizes, sample.values);
        let counted = Split::of(&mut sizes, MAX_COUNTED, odd, signed_sums);
        if counted.largest_share <= MAX_SHARE {
            (counted.share_above(-observed), counted.share_above(observed))
        } else {
            let resamples = (options.resamples as usize).min(SIGNS / DRAWN);
            let split = Split::of(&mut sizes, DRAWN, odd, |largest| {
                let mut drawn = Vec::with_capacity(resamples);
                draw_sums(largest, resamples, options.seed, |sums| drawn.extend_from_slice(sums));
                drawn
            });
            // The observed signs count as one more resample.
            let resamples = resamples as f64;
            let share = |bound| (split.share_above(bound) * resamples + 1.0) / (resamples + 1.0);
            (share(-observed), share(observed))
        }
    } else {
        let resamples = (options.resamples as usize).min(RESAMPLES).min(SIGNS / sizes.len());
        // The observed signs count as one more resample.
        let (mut at_most, mut at_least) = (1, 1);
        draw_sums(&sizes, resamples, options.seed, |sums| {
            at_most += sums.iter().filter(|sum| **sum <= observed + slack).count();
            at_least += sums.iter().filter(|sum| **sum >= observed - slack).count();
        });
        let share = |count: usize| count as f64 / (resamples + 1) as f64;
        (share(at_most), share(at_least))
    };
    Ok([Some(sample.mean), Some(p_value(options.alternative, at_most, at_least))])
}

/// The sums of a few sizes for every choice of signs, ascending.
fn signed_sums(sizes: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; 1 << sizes.len()];
    for (number, size) in sizes.iter().enumerate() {
        let half = 1 << number;
        let (low, high) = sums[..2 * half].split_at_mut(half);
        high.copy_from_slice(low);
        let before = &*high;
        // Merges the sums less the size and the sums plus the size, without branches, which would be mispredicted.
        let mut less = 0;
        for (place, sum) in low.iter_mut().enumerate() {
            let (one, other) = (before[less] - size, before[place - less] + size);
            *sum = one.min(other);
            less += usize::from(one <= other);
        }
        // The upper half is the lower one with opposite signs.
        for (sum, opposite) in high.iter_mut().zip(low.iter().rev()) {
            *sum = -opposite;
        }
    }
    sums
}

/// For each bound, how many pairs of one of `few` and one of `others`, both ascending, sum to at least the bound.
fn pairs_above(few: &[f64], others: &[f64], bounds: [f64; 2]) -> [usize; 2] {
    // For each bound: how many numbers of `few` are done, an upper limit of how many of `others` are too small for the
    // next one, and how many pairs were counted.
    let mut walks = [(0, others.len(), 0); 2];
    // Each step finishes a number of `few` or lowers the limit by one, without branches, which would be mispredicted.
    for _ in 0..few.len() + others.len() {
        for ((paired, below, count), bound) in walks.iter_mut().zip(bounds) {
            let (Some(one), Some(other)) = (few.get(*paired), others.get(below.wrapping_sub(1))) else {
                continue;
            };
            let passes = usize::from(one + other >= bound);
            *below -= passes;
            *paired += 1 - passes;
            *count += (others.len() - *below) * (1 - passes);
        }
    }
    // The limit is 0 for the numbers of `few` that are left: each pairs with all of `others`.
    walks.map(|(paired, _, count)| count + (few.len() - paired) * others.len())
}

/// Calls `take` with the sums of `sizes` for random choices of signs, `resamples` of them in total, in batches.
fn draw_sums(sizes: &[f64], resamples: usize, seed: u64, mut take: impl FnMut(&[f64])) {
    const BYTE: usize = u8::BITS as usize;
    const WORD: usize = u64::BITS as usize;
    /// The number of sums in a batch, which fit the processor's cache.
    const BATCH: usize = 1 << 14;
    let mut sums = Vec::with_capacity(BATCH.min(resamples));
    // One table for each byte of a random word has the sums of eight sizes for all choices of their signs, where a set
    // bit is a plus. Measured: looking these up takes a tenth of the time of one addition for each sign.
    let mut tables = [[0.0; 1 << BYTE]; WORD / BYTE];
    for first in (0..resamples).step_by(BATCH) {
        sums.clear();
        sums.resize(BATCH.min(resamples - first), 0.0);
        for (block, number) in sizes.chunks(WORD).zip(0..) {
            for (table, offset) in tables.iter_mut().zip((0..WORD).step_by(BYTE)) {
                let size = |place: usize| block.get(offset + place).copied().unwrap_or(0.0);
                table[0] = -(0..BYTE).map(size).sum::<f64>();
                for plus in 1..table.len() {
                    let one_plus_less = plus & (plus - 1);
                    table[plus] = table[one_plus_less] + 2.0 * size(plus.trailing_zeros() as usize);
                }
            }
            // Each block has one random word for each resample, after those of the blocks before it.
            let mut random = Random::new(seed, number * resamples + first);
            for sum in &mut sums {
                let signs = random.bits().to_le_bytes();
                *sum += tables.iter().zip(signs).map(|(table, signs)| table[usize::from(signs)]).sum::<f64>();
            }
        }
        take(&sums);
    }
}

/// The distribution of the sum of many differences with random signs: the sum of the largest ones is counted or drawn,
/// that of the others is taken as normal.
struct Split {
    /// The sums of the largest differences, for all or for drawn choices of signs.
    largest: Vec<f64>,
    /// The largest square of the other differences, as a share of the sum of their squares.
    largest_share: f64,
    /// The standard deviation of the sum of the others.
    deviation: f64,
    /// The sum of the others if all are positive, which is the largest.
    top: f64,
    /// The distance between neighbouring sums of the others: twice their greatest common divisor, or next to 0.
    step: f64,
}

impl Split {
    /// Splits `sizes`, of which there are more than `count`: the last `odd` ones, at most `count`, and the largest of
    /// the rest are taken as the `count` largest. `sums` computes the sums of these.
    fn of(sizes: &mut [f64], count: usize, odd: usize, sums: impl FnOnce(&[f64]) -> Vec<f64>) -> Self {
        let others = sizes.len() - count;
        if odd < count {
            let even = sizes.len() - odd;
            sizes[..even].select_nth_unstable_by(others, f64::total_cmp);
        }
        let (others, largest) = sizes.split_at_mut(others);
        // Sorted, so that the same differences get the same signs.
        largest.sort_unstable_by(f64::total_cmp);
        let (others, largest) = (&*others, &*largest);
        let scale = others.iter().copied().fold(0.0, f64::max);
        let squares = sum(others.iter().map(|size| (size / scale) * (size / scale)));
        Self {
            largest: sums(largest),
            largest_share: 1.0 / squares,
            deviation: scale * squares.sqrt(),
            top: sum(others.iter().copied()),
            step: 2.0 * common_divisor(others.iter().copied(), scale),
        }
    }

    /// The share of choices of signs with a sum of at least `bound`.
    fn share_above(&self, bound: f64) -> f64 {
        /// The part of a step by which a sum may be below the bound, because of rounding, and still count as equal.
        const ROUNDING: f64 = 1e-6;
        let share = |largest: &f64| {
            let steps = ((self.top - (bound - largest)) / self.step + ROUNDING).floor();
            // The normal distribution is cut in the middle between the least sum that counts and the next lower one.
            let bound = self.top - (steps + 0.5) * self.step;
            normal_above(bound / self.deviation)
        };
        self.largest.iter().map(share).sum::<f64>() / self.largest.len() as f64
    }
}

/// Moves the odd sizes to the end, and returns how many there are: those that are no multiples of the common divisor of
/// the frequent sizes. Among the other differences, a single odd one would make the distance between neighbouring sums
/// next to 0. Moves none and returns 0 if there are more than [`MAX_COUNTED`].
fn put_odd_last(sizes: &mut [f64], differences: &[f64]) -> usize {
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    let equal = differences.chunk_by(|a, b| a == b);
    let frequent = equal.filter(|equal| equal.len() > MAX_COUNTED).map(|equal| equal[0].abs());
    let step = common_divisor(frequent, largest);
    // A common divisor is the step, but for rounding, or half of it at most.
    let is_odd = |size: f64| step > 0.0 && common_divisor([step, size], largest) < 0.75 * step;
    let odd = sizes.iter().filter(|size| is_odd(**size)).count();
    if odd == 0 || odd > MAX_COUNTED {
        return 0;
    }
    let mut end = sizes.len();
    for place in (0..sizes.len()).rev() {
        if is_odd(sizes[place]) {
            end -= 1;
            sizes.swap(place, end);
        }
    }
    odd
}

/// The greatest common divisor of sizes up to `largest` that are multiples of it but for rounding, by Euclid.
pub(super) fn common_divisor(sizes: impl IntoIterator<Item = f64>, largest: f64) -> f64 {
    /// The part of the largest size below which a remainder counts as rounding.
    const ROUNDING: f64 = 1e-9;
    sizes.into_iter().fold(0.0, |divisor, size| {
        let (mut divisor, mut rest) = (size, divisor);
        while rest > ROUNDING * largest {
            (divisor, rest) = (rest, (divisor - rest * (divisor / rest).round()).abs());
        }
        divisor
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::statistic::Observed;

    fn fields(differences: &[f64], options: &str) -> [f64; 2] {
        let mut observed = Observed { first: differences.to_vec(), ..Observed::default() };
        let options = STATISTIC.option_schema().parse(options).unwrap();
        let summary = STATISTIC.summarise(&mut observed, &options).unwrap();
        [summary.fields[0].unwrap(), summary.fields[2].unwrap()]
    }

    fn drawn_sums(sizes: &[f64], resamples: usize, seed: u64) -> Vec<f64> {
        let mut drawn = Vec::new();
        draw_sums(sizes, resamples, seed, |sums| drawn.extend(sums));
        drawn
    }

    #[test]
    fn few_differences_that_outweigh_many_are_drawn() {
        // 15 of 20 large differences are positive. C(20, 16) + ... + C(20, 20) = 6196 choices of their signs have more
        // positive ones, and C(20, 15) = 15504 have as many. Half of the latter count, because the sum of the rest is 0
        // or less as often as it is 0 or more.
        let mut differences = vec![1e9; 15];
        differences.extend([-1e9; 5]);
        differences.extend((0..2000).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }));
        let [_, p] = fields(&differences, "alternative=greater,resamples=10000");
        // The standard deviation is 0.0011.
        let expected = (6196.0 + 15504.0 / 2.0) / f64::from(1 << 20);
        assert!((p - expected).abs() < 0.0045, "{p}, not {expected}");
    }

    /// Sizes of one kind, more of them than [`DRAWN`].
    fn many(kind: &str) -> Vec<f64> {
        let mut random = Random::new(11, 0);
        let mut unit = || random.below(1 << 30) as f64 / f64::from(1 << 30);
        (0..DRAWN + 100)
            .map(|place| match kind {
                "equal" => 0.3,
                "tenths" => (1.0 + (10.0 * unit()).floor()) / 10.0,
                "two thirds and fifths" => [2.0 / 3.0, 0.2][place % 2],
                "spread" => unit() + 1e-9,
                "skewed" => unit().powi(8) + 1e-9,
                "a few outweigh the others" if place < 4 => 100.0 + unit(),
                _ => 1.0,
            })
            .collect()
    }

    #[test]
    fn shares_of_many_differences_are_near_drawn_ones() {
        for kind in
            ["equal", "tenths", "two thirds and fifths", "spread", "skewed", "a few outweigh the others"]
        {
            let mut sizes = many(kind);
            let mut sums = drawn_sums(&sizes, 20_000, 1);
            sums.sort_by(f64::total_cmp);
            let all = sums.len() as f64;
            let slack = 1e-9 * sums[sums.len() - 1];
            let split = Split::of(&mut sizes, MAX_COUNTED, 0, signed_sums);
            for place in [100, 500, 4000, 10_000, 16_000, 19_500, 19_900] {
                let bound = sums[place];
                let drawn = sums.iter().filter(|sum| **sum >= bound - slack).count() as f64 / all;
                let got = split.share_above(bound);
                let deviation = (drawn * (1.0 - drawn) / all).sqrt();
                assert!((got - drawn).abs() < 4.0 * deviation, "{kind}: {got}, not {drawn} +- {deviation}");
            }
        }
    }

    #[test]
    fn a_few_odd_differences_leave_the_others_their_step() {
        // scipy.stats.binom.sf(positive - 1, 2000, 0.5): the number of equal differences that must be positive is the
        // same with either sign of the odd ones.
        for (positive, expected) in
            [(1001, 0.491_080_494_427), (1037, 0.051_293_114_327), (1050, 0.013_412_073_120)]
        {
            let mut differences = vec![0.3; positive];
            differences.resize(2000, -0.3);
            for odd in 1..=MAX_COUNTED {
                differences.push(-0.02);
                let [_, p] = fields(&differences, "alternative=greater,resamples=1000000");
                assert!((p - expected).abs() < 2e-5, "{positive} {odd}: {p}, not {expected}");
            }
        }
    }

    #[test]
    fn every_way_to_swap_is_counted_up_to_30_differences() {
        // One choice of signs in 2^30; and the observed signs beside 10000 resamples.
        for (differences, expected) in [(EXACT, 0.5_f64.powi(30)), (EXACT + 1, 1.0 / 10_001.0)] {
            let [_, p] = fields(&vec![1.0; differences], "alternative=greater");
            assert_eq!(p, expected, "{differences}");
        }
    }

    #[test]
    fn where_nothing_is_drawn_the_p_value_is_that_of_the_limit() {
        // scipy.stats.binom.sf(positive - 1, 2000, 0.5), and how far the normal distribution is from it.
        for (positive, expected, error) in [
            (1050, 0.013_412_073_120, 0.002),
            (1100, 4.228_544_768e-6, 0.02),
            (1200, 1.752_503_103e-19, 0.35),
        ] {
            let mut differences = vec![0.3; positive];
            differences.resize(2000, -0.3);
            let [[_, one], [_, many]] = ["resamples=1", "resamples=1000000"]
                .map(|options| fields(&differences, &format!("alternative=greater, {options}")));
            assert_eq!(one, many);
            assert!((one / expected - 1.0).abs() < error, "{positive}: {one}, not {expected}");
        }
        let [_, p] = fields(&[1.0; DRAWN + 1], "alternative=greater, resamples=1");
        assert!(p < 1e-300, "{p}");
    }

    #[test]
    fn a_divisor_is_the_greatest_but_for_rounding() {
        for (sizes, expected) in [
            (vec![0.3, 0.1, 0.1 + 0.2], 0.1),
            (vec![2.0 / 3.0, 0.4, 1.0], 1.0 / 15.0),
            (vec![6.0, 10.0, 15.0], 1.0),
            (vec![0.7], 0.7),
        ] {
            let got = common_divisor(sizes.iter().copied(), 10.0);
            assert!((got / expected - 1.0).abs() < 1e-9, "{sizes:?}: {got}");
        }
        assert!(common_divisor([1.0, 2_f64.sqrt()], 1.5) < 1e-7);
    }

    #[test]
    fn every_resample_has_a_choice_of_signs_of_its_own() {
        // Powers of two in more than one block of 64, so that a sum determines every sign.
        let sizes: Vec<f64> = (0..70).map(|place| 2_f64.powi(place - 35)).collect();
        let mut sums = drawn_sums(&sizes, 40_000, 0);
        let high = sums[..1000].iter().filter(|sum| **sum > 0.0).count();
        assert!((400..600).contains(&high), "{high}");
        let all: f64 = sizes.iter().sum();
        assert!(sums.iter().all(|sum| sum.abs() <= all));
        sums.sort_by(f64::total_cmp);
        sums.dedup();
        assert_eq!(sums.len(), 40_000);
        let of_ones = drawn_sums(&[1.0; 70], 1000, 0);
        assert_eq!(of_ones.iter().map(|sum| sum.rem_euclid(2.0)).sum::<f64>(), 0.0);
    }
}
