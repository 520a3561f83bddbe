use super::distributions::normal_above;
use super::random::Random;
use super::statistic::{Sample, Statistic, TEST, p_value, sum};
use crate::error::Error;
use crate::memory::Grow;
use crate::options::Options;

pub static STATISTIC: Statistic = Statistic {
    name: "randomization_test",
    arguments: TEST.0,
    fields: TEST.1,
    summary: "Fisher's randomization test: how often the mean difference is as extreme as it is where a and b are \
              swapped in any of the pairs. All 2^m ways to swap m pairs that differ are counted up to m = 30. Up to \
              m = 1600, `resamples` swaps are drawn, at most 200000 and at most 16000000 / m; the pairs as they are \
              count as one more. For more pairs the signs of the 10 largest differences are counted in full, and the \
              sum of the others is taken as normal; up to 10 differences that are no multiples of what the frequent \
              ones are multiples of count among the largest. Where one of these others weighs much, the signs of the 1600 \
              largest differences are drawn instead, at most 10000 times. statistic is the mean difference",
    formula: "share of ways whose mean difference is at least, or at most, that of the pairs as they are; \
              two_sided: twice the smaller share, at most 1",
    range: "p_value 0 to 1",
    source: "Fisher, The Design of Experiments, 1935; Smucker, Allan and Carterette, CIKM 2007; \
             scipy.stats.permutation_test(permutation_type='samples')",
    options: &["alternative", "resamples", "seed"],
    compute,
};

/// Up to so many differences every choice of signs is counted.
const EXACT: usize = 30;
/// Up to so many differences choices of signs are drawn.
const DRAWN: usize = 1600;
/// So many resamples, and so many signs in all of them together, are drawn at most. Many groups may be computed in one
/// call of an engine, which cannot be interrupted: 2048 of them, as many as DuckDB has in one, then take about two
/// seconds.
const RESAMPLES: usize = 200_000;
const SIGNS: usize = 16_000_000;
/// Of more differences, so many of the largest ones have each choice of signs counted.
const LARGEST: usize = 10;
/// The sum of the others is close to normal where none of their squares is a greater share of the sum of them all. Then
/// probabilities of 0.001 are off by a fiftieth of themselves at most.
const LARGEST_SHARE: f64 = 1.0 / 200.0;

fn compute(sample: &Sample, options: &Options) -> Result<[Option<f64>; 2], Error> {
    // Both signs of a difference of 0 are one, so that it changes no share.
    let mut sizes = Vec::new();
    sizes.make_exact_room(sample.values.len())?;
    sizes.extend(sample.values.iter().map(|value| value.abs()).filter(|size| *size > 0.0));
    let observed = sample.mean * sample.n();
    // Sums that are equal, but for rounding in another order, count as equal.
    let slack = 100.0 * f64::EPSILON * sizes.iter().sum::<f64>();
    let (at_most, at_least) = if sizes.len() <= EXACT {
        let (few, others) = sizes.split_at(sizes.len() / 2);
        let (few, others) = (signed_sums(few), signed_sums(others));
        let ways = few.len() as f64 * others.len() as f64;
        // To every way there is the opposite one.
        let counts = pairs_above(&few, &others, [-observed - slack, observed - slack]);
        let [at_most, at_least] = counts.map(|count| count as f64 / ways);
        (at_most, at_least)
    } else if sizes.len() > DRAWN {
        let mut resamples = options.resamples as usize;
        let odd = put_odd_last(&mut sizes, sample.values);
        let mut split = Split::of(&mut sizes, LARGEST, odd, signed_sums);
        if split.largest_share > LARGEST_SHARE {
            resamples = resamples.min(SIGNS / DRAWN);
            split = Split::of(&mut sizes, DRAWN, odd, |largest| {
                let mut drawn = Vec::with_capacity(resamples);
                draw_sums(largest, resamples, options.seed, |sums| drawn.extend_from_slice(sums));
                drawn
            });
        }
        let resamples = resamples as f64;
        let share = |bound| (split.share_above(bound) * resamples + 1.0) / (resamples + 1.0);
        (share(-observed), share(observed))
    } else {
        let resamples = (options.resamples as usize).min(RESAMPLES).min(SIGNS / sizes.len());
        // The pairs as they are count, too.
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

/// The sums for every choice of signs of a few sizes, in order.
fn signed_sums(sizes: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; 1 << sizes.len()];
    for (number, size) in sizes.iter().enumerate() {
        let half = 1 << number;
        let (low, high) = sums[..2 * half].split_at_mut(half);
        high.copy_from_slice(low);
        let before = &*high;
        // Merges the sums less the size and those plus the size, without a branch: none can be foreseen.
        let mut less = 0;
        for (place, sum) in low.iter_mut().enumerate() {
            let (one, other) = (before[less] - size, before[place - less] + size);
            *sum = one.min(other);
            less += usize::from(one <= other);
        }
        // To every sum there is the opposite one.
        for (sum, opposite) in high.iter_mut().zip(low.iter().rev()) {
            *sum = -opposite;
        }
    }
    sums
}

/// How many pairs of one number from each sorted list sum to at least each bound.
fn pairs_above(few: &[f64], others: &[f64], bounds: [f64; 2]) -> [usize; 2] {
    // For each bound: how many of the few have been paired, with how many of the others the next one sums to less, as
    // far as that is known, and the pairs counted.
    let mut walks = [(0, others.len(), 0); 2];
    // Each step pairs one number or passes one, without a branch: none can be foreseen.
    for _ in 0..few.len() + others.len() {
        for ((paired, below, count), bound) in walks.iter_mut().zip(bounds) {
            let (Some(one), Some(other)) = (few.get(*paired), others.get(below.wrapping_sub(1))) else { continue };
            let passes = usize::from(one + other >= bound);
            *below -= passes;
            *paired += 1 - passes;
            *count += (others.len() - *below) * (1 - passes);
        }
    }
    // No others are left for those that were not paired: they pair with all.
    walks.map(|(paired, _, count)| count + (few.len() - paired) * others.len())
}

/// Hands out the sums for as many random choices of signs, some at a time.
fn draw_sums(sizes: &[f64], resamples: usize, seed: u64, mut take: impl FnMut(&[f64])) {
    const BYTE: usize = u8::BITS as usize;
    const WORD: usize = u64::BITS as usize;
    /// So many sums at a time stay in the processor's cache.
    const SOME: usize = 1 << 14;
    let mut sums = Vec::with_capacity(SOME.min(resamples));
    // Measured: a look-up for eight signs at once takes a tenth of the time of one addition for each.
    let mut tables = [[0.0; 1 << BYTE]; WORD / BYTE];
    for first in (0..resamples).step_by(SOME) {
        sums.clear();
        sums.resize(SOME.min(resamples - first), 0.0);
        for (block, number) in sizes.chunks(WORD).zip(0..) {
            for (table, first) in tables.iter_mut().zip((0..WORD).step_by(BYTE)) {
                let size = |place: usize| block.get(first + place).copied().unwrap_or(0.0);
                table[0] = -(0..BYTE).map(size).sum::<f64>();
                for plus in 1..table.len() {
                    let last = plus & (plus - 1);
                    table[plus] = table[last] + 2.0 * size(plus.trailing_zeros() as usize);
                }
            }
            let mut random = Random::new(seed, number * resamples + first);
            for sum in &mut sums {
                let signs = random.bits().to_le_bytes();
                *sum += tables.iter().zip(signs).map(|(table, signs)| table[usize::from(signs)]).sum::<f64>();
            }
        }
        take(&sums);
    }
}

/// The sum of many differences with random signs: that of the largest ones is counted or drawn, that of the others is
/// normal.
struct Split {
    /// The sum of the largest ones for each choice of signs that counts.
    largest: Vec<f64>,
    /// The share of the others' greatest square in the sum of their squares.
    largest_share: f64,
    /// The standard deviation of the sum of the others.
    deviation: f64,
    /// The sum of the others where all are positive.
    top: f64,
    /// The step from one sum of the others to the next one that there can be. Where they have no common divisor, it is
    /// as small as nothing.
    step: f64,
}

impl Split {
    /// Splits off `count` sizes, which are fewer than all: the last `odd` ones, which are no more, and the largest of
    /// the rest.
    fn of(sizes: &mut [f64], count: usize, odd: usize, sums: impl FnOnce(&[f64]) -> Vec<f64>) -> Self {
        let others = sizes.len() - count;
        if odd < count {
            let even = sizes.len() - odd;
            sizes[..even].select_nth_unstable_by(others, f64::total_cmp);
        }
        let (others, largest) = sizes.split_at_mut(others);
        // In one order, so that the same signs are drawn for the same differences.
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

    /// The share of choices of signs whose sum is at least a bound.
    fn share_above(&self, bound: f64) -> f64 {
        /// A sum that is less than a bound by so small a part of a step, for rounding, counts as equal.
        const ROUNDING: f64 = 1e-6;
        let share = |largest: &f64| {
            let steps = ((self.top - (bound - largest)) / self.step + ROUNDING).floor();
            // In the middle between the least sum that is not below the bound and the next one, which is.
            let bound = self.top - (steps + 0.5) * self.step;
            normal_above(bound / self.deviation)
        };
        self.largest.iter().map(share).sum::<f64>() / self.largest.len() as f64
    }
}

/// Moves the sizes that are no multiples of what the frequent ones are multiples of to the end, and returns how many
/// they are; 0 if they are more than can have each choice of signs counted. Left among the others, a single one would
/// take from them the step from one sum to the next.
fn put_odd_last(sizes: &mut [f64], differences: &[f64]) -> usize {
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    let equal = differences.chunk_by(|a, b| a == b);
    let frequent = equal.filter(|equal| equal.len() > LARGEST).map(|equal| equal[0].abs());
    let step = common_divisor(frequent, largest);
    let is_odd = |size: f64| step > 0.0 && common_divisor([step, size], largest) < 0.75 * step;
    let odd = sizes.iter().filter(|size| is_odd(**size)).count();
    if odd == 0 || odd > LARGEST {
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

/// The greatest number of which all sizes are multiples, but for rounding: Euclid's algorithm.
fn common_divisor(sizes: impl IntoIterator<Item = f64>, largest: f64) -> f64 {
    /// What is a smaller part of the largest size is rounding.
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
    use proptest::prelude::*;

    use super::*;

    fn fields(differences: &[f64], options: &str) -> [f64; 2] {
        let summary = STATISTIC.summarise(&mut differences.to_vec(), &STATISTIC.option_schema().parse(options).unwrap()).unwrap();
        [summary.fields[0].unwrap(), summary.fields[2].unwrap()]
    }

    fn drawn_sums(sizes: &[f64], resamples: usize, seed: u64) -> Vec<f64> {
        let mut drawn = Vec::new();
        draw_sums(sizes, resamples, seed, |sums| drawn.extend(sums));
        drawn
    }

    proptest! {
        #[test]
        fn every_way_to_swap_is_counted(tenths in prop::collection::vec(-9_i32..10, 1..10)) {
            // In whole numbers, where equal sums are equal.
            let observed: i32 = tenths.iter().sum();
            let ways = 1_usize << tenths.len();
            let sum_of = |way: usize| -> i32 {
                tenths.iter().enumerate().map(|(i, tenth)| if way >> i & 1 == 1 { -tenth } else { *tenth }).sum()
            };
            let share = |extreme: &dyn Fn(i32) -> bool| {
                (0..ways).filter(|way| extreme(sum_of(*way))).count() as f64 / ways as f64
            };
            let less = share(&|sum| sum <= observed);
            let greater = share(&|sum| sum >= observed);
            let differences: Vec<f64> = tenths.iter().map(|tenth| f64::from(*tenth) / 10.0).collect();
            for (alternative, expected) in
                [("less", less), ("greater", greater), ("two_sided", (2.0 * less.min(greater)).min(1.0))]
            {
                let [_, p] = fields(&differences, &format!("alternative={alternative}"));
                prop_assert_eq!(p, expected, "{} {:?}", alternative, tenths);
            }
        }
    }

    #[test]
    fn drawn_shares_are_near_the_exact_one() {
        // 30 differences are counted; a 31st that hardly weighs lets them be drawn.
        let mut differences: Vec<f64> = (0..EXACT).map(|i| ((i * 37 % 97) as f64) / 97.0 - 0.4).collect();
        for alternative in ["less", "greater", "two_sided"] {
            let options = format!("alternative={alternative},resamples=100000");
            let [_, exact] = fields(&differences, &options);
            differences.push(1e-9);
            let [_, drawn] = fields(&differences, &options);
            differences.pop();
            // The standard deviation is at most 2 * 0.5 / sqrt(100000), or 0.0032.
            assert!((exact - drawn).abs() < 0.013 && exact != drawn, "{alternative}: {exact} {drawn}");
        }
    }

    #[test]
    fn few_differences_that_outweigh_many_are_drawn() {
        // 15 of 20 large differences are positive. C(20, 16) + ... + C(20, 20) = 6196 choices of their signs have more
        // positive ones, C(20, 15) = 15504 as many: half of those count, for the sum of the rest is 0 or less as often
        // as it is 0 or more.
        let mut differences = vec![1e9; 15];
        differences.extend([-1e9; 5]);
        differences.extend((0..2000).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }));
        let [_, p] = fields(&differences, "alternative=greater,resamples=10000");
        // The standard deviation is 0.0011.
        let expected = (6196.0 + 15504.0 / 2.0) / f64::from(1 << 20);
        assert!((p - expected).abs() < 0.0045, "{p}, not {expected}");
    }

    #[test]
    fn the_pairs_as_they_are_count_as_one_draw() {
        let [_, p] = fields(&[1.0; 100], "alternative=greater,resamples=99");
        assert_eq!(p, 0.01);
    }

    /// Sizes of a kind, more than are drawn.
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
        for kind in ["equal", "tenths", "two thirds and fifths", "spread", "skewed", "a few outweigh the others"] {
            let mut sizes = many(kind);
            let mut sums = drawn_sums(&sizes, 20_000, 1);
            sums.sort_by(f64::total_cmp);
            let all = sums.len() as f64;
            let slack = 1e-9 * sums[sums.len() - 1];
            let split = Split::of(&mut sizes, LARGEST, 0, signed_sums);
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
    fn shares_of_many_equal_differences_are_binomial() {
        // scipy.stats.binom.sf(positive - 1, 2000, 0.5)
        for (positive, expected) in [
            (940, 0.996_598_693_066),
            (1000, 0.508_919_505_573),
            (1001, 0.491_080_494_427),
            (1037, 0.051_293_114_327),
            (1050, 0.013_412_073_120),
            (1090, 0.000_030_999_039),
        ] {
            let sum = 0.3 * (2.0 * f64::from(positive) - 2000.0);
            let got = Split::of(&mut [0.3; 2000], LARGEST, 0, signed_sums).share_above(sum);
            assert!((got - expected).abs() < 2e-5, "{positive}: {got}, not {expected}");
        }
    }

    #[test]
    fn a_few_odd_differences_leave_the_others_their_step() {
        // scipy.stats.binom.sf(positive - 1, 2000, 0.5): with either sign of the odd ones, as many of the equal ones have
        // to be positive.
        for (positive, expected) in
            [(1001, 0.491_080_494_427), (1037, 0.051_293_114_327), (1050, 0.013_412_073_120)]
        {
            let mut differences = vec![0.3; positive];
            differences.resize(2000, -0.3);
            for odd in 1..=LARGEST {
                differences.push(-0.02);
                let [_, p] = fields(&differences, "alternative=greater,resamples=1000000");
                assert!((p - expected).abs() < 2e-5, "{positive} {odd}: {p}, not {expected}");
            }
        }
    }

    #[test]
    fn every_way_to_swap_is_counted_up_to_30_differences() {
        // One way of 2^30, and the pairs as they are beside 10000 resamples.
        for (differences, expected) in [(EXACT, 0.5_f64.powi(30)), (EXACT + 1, 1.0 / 10_001.0)] {
            let [_, p] = fields(&vec![1.0; differences], "alternative=greater");
            assert_eq!(p, expected, "{differences}");
        }
    }

    #[test]
    fn no_resamples_need_be_drawn_to_count_the_pairs_as_they_are() {
        let [_, p] = fields(&[1.0; DRAWN + 1], "alternative=greater,resamples=99");
        assert_eq!(p, 0.01);
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
    fn every_resample_is_one_of_its_own() {
        let sizes: Vec<f64> = (0..70).map(|place| 2_f64.powi(place - 35)).collect();
        let mut sums = drawn_sums(&sizes, 40_000, 0);
        assert_eq!(sums.len(), 40_000);
        sums.sort_by(f64::total_cmp);
        sums.dedup();
        assert_eq!(sums.len(), 40_000);
    }

    #[test]
    fn every_difference_has_its_sign() {
        // Powers of two over more than one block: a sum tells every sign.
        let sizes: Vec<f64> = (0..70).map(|i| 2_f64.powi(i - 35)).collect();
        let drawn = |sizes: &[f64]| drawn_sums(sizes, 1000, 0);
        let all: f64 = sizes.iter().sum();
        let high = drawn(&sizes).iter().filter(|sum| **sum > 0.0).count();
        assert!((400..600).contains(&high), "{high}");
        assert!(drawn(&sizes).iter().all(|sum| sum.abs() <= all));
        assert_eq!(drawn(&[1.0; 70]).iter().map(|sum| sum.rem_euclid(2.0)).sum::<f64>(), 0.0);
    }
}
