use super::random::Random;
use super::{Sample, Statistic, TEST, p_value};
use crate::options::Options;

pub static STATISTIC: Statistic = Statistic {
    name: "randomization_test",
    arguments: TEST.0,
    fields: TEST.1,
    summary: "Fisher's randomization test: how often the mean difference is as extreme as it is where a and b are \
              swapped in any of the pairs. All 2^m ways to swap m pairs that differ are counted up to m = 30; above, \
              resamples of them are drawn, and the pairs as they are count as one more. statistic is the mean \
              difference",
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

fn compute(sample: &Sample, options: &Options) -> [Option<f64>; 2] {
    // Both signs of a difference of 0 are one, so that it changes no share.
    let sizes: Vec<f64> = sample.values.iter().map(|value| value.abs()).filter(|size| *size > 0.0).collect();
    let observed = sample.mean * sample.n();
    // Sums that are equal, but for rounding in another order, count as equal.
    let slack = 100.0 * f64::EPSILON * sizes.iter().sum::<f64>();
    let (at_most, at_least) = if sizes.len() <= EXACT {
        let (few, others) = sizes.split_at(sizes.len() / 2);
        let (few, others) = (signed_sums(few), signed_sums(others));
        let ways = few.len() as f64 * others.len() as f64;
        let at_least = |bound| pairs_above(&few, &others, bound) as f64 / ways;
        // To every way there is the opposite one.
        (at_least(-observed - slack), at_least(observed - slack))
    } else {
        let sums = drawn_sums(&sizes, options);
        let share = |extreme: &dyn Fn(f64) -> bool| {
            let count = sums.iter().filter(|sum| extreme(**sum)).count();
            (count + 1) as f64 / (sums.len() + 1) as f64
        };
        (share(&|sum| sum <= observed + slack), share(&|sum| sum >= observed - slack))
    };
    [Some(sample.mean), Some(p_value(options.alternative, at_most, at_least))]
}

/// The sums for every choice of signs, in order.
fn signed_sums(sizes: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for size in sizes {
        let (less, more) = (sums.iter().map(|sum| sum - size), sums.iter().map(|sum| sum + size));
        sums = less.chain(more).collect();
        // Two sorted runs, which the stable sort merges.
        sums.sort_by(f64::total_cmp);
    }
    sums
}

/// How many pairs of one number from each sorted list sum to at least a bound.
fn pairs_above(few: &[f64], others: &[f64], bound: f64) -> usize {
    let mut from = others.len();
    few.iter()
        .map(|one| {
            while from > 0 && one + others[from - 1] >= bound {
                from -= 1;
            }
            others.len() - from
        })
        .sum()
}

/// The sums for random choices of signs, as many as resamples.
fn drawn_sums(sizes: &[f64], options: &Options) -> Vec<f64> {
    const BYTE: usize = u8::BITS as usize;
    const WORD: usize = u64::BITS as usize;
    let mut random = Random::new(options.seed);
    let mut sums = vec![0.0; options.resamples as usize];
    // Measured: a look-up for eight signs at once takes a tenth of the time of one addition for each.
    let mut tables = [[0.0; 1 << BYTE]; WORD / BYTE];
    for block in sizes.chunks(WORD) {
        for (table, first) in tables.iter_mut().zip((0..WORD).step_by(BYTE)) {
            let size = |place: usize| block.get(first + place).copied().unwrap_or(0.0);
            table[0] = -(0..BYTE).map(size).sum::<f64>();
            for plus in 1..table.len() {
                let last = plus & (plus - 1);
                table[plus] = table[last] + 2.0 * size(plus.trailing_zeros() as usize);
            }
        }
        for sum in &mut sums {
            let signs = random.bits().to_le_bytes();
            *sum += tables.iter().zip(signs).map(|(table, signs)| table[usize::from(signs)]).sum::<f64>();
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fields(differences: &[f64], options: &str) -> [f64; 2] {
        let summary = STATISTIC.summarise(&mut differences.to_vec(), &STATISTIC.parse(options).unwrap()).unwrap();
        [summary.fields[0].unwrap(), summary.fields[2].unwrap()]
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
    fn the_pairs_as_they_are_count_as_one_draw() {
        let [_, p] = fields(&[1.0; 100], "alternative=greater,resamples=99");
        assert_eq!(p, 0.01);
    }

    #[test]
    fn every_difference_has_its_sign() {
        // Powers of two over more than one block: a sum tells every sign.
        let sizes: Vec<f64> = (0..70).map(|i| 2_f64.powi(i - 35)).collect();
        let options = STATISTIC.parse("resamples=1000").unwrap();
        let all: f64 = sizes.iter().sum();
        let high = drawn_sums(&sizes, &options).iter().filter(|sum| **sum > 0.0).count();
        assert!((400..600).contains(&high), "{high}");
        assert!(drawn_sums(&sizes, &options).iter().all(|sum| sum.abs() <= all));
        assert_eq!(drawn_sums(&[1.0; 70], &options).iter().map(|sum| sum.rem_euclid(2.0)).sum::<f64>(), 0.0);
    }
}
