//! Wilcoxon's signed-rank test of the differences of pairs.

use super::distributions::normal_above;
use super::statistic::{Compute, Error, Grow, Options, Sample, Statistic, TEST, difference, p_value};
use crate::options::choices::Alternative;

pub static STATISTIC: Statistic = Statistic {
    name: "wilcoxon_signed_rank",
    arguments: TEST.0,
    fields: TEST.1,
    summary: "Wilcoxon's signed-rank test of differences that are symmetric around 0. Pairs without a difference \
              count in n and get no rank. p_value is exact up to 50 pairs that all differ and do not tie, and up to \
              13 pairs in any case, else by the normal approximation, corrected for ties. With a tolerance, the \
              smallest |a - b| ties with those that exceed it by no more, and so on with the smallest of the rest",
    formula: "sum of the ranks of |a - b| over the pairs with a > b; two_sided: the smaller of this sum and that over \
              the pairs with a < b",
    latex: r"\min\left(\sum_{d_i > 0} \mathrm{rank}(|d_i|), \sum_{d_i < 0} \mathrm{rank}(|d_i|)\right), \quad d_i = a_i - b_i",
    range: "p_value 0 to 1; NULL where none of more than 13 pairs differs",
    source: "Wilcoxon, Individual Comparisons by Ranking Methods, Biometrics Bulletin 1945; \
             scipy.stats.wilcoxon(a, b, correction=False) of SciPy 1.17",
    options: &["alternative", "tolerance"],
    compute: Compute::Moments(compute),
};

/// The number of pairs up to which the exact distribution is computed for ranks without ties.
const EXACT: usize = 50;
/// The number of pairs up to which the exact distribution is computed for any ranks. More pairs have more choices of
/// signs than the 9999 permutations that SciPy takes.
const EXACT_TIED: usize = 13;

/// The statistic, a sum of ranks, and its p-value.
fn compute(sample: &Sample, options: &Options) -> Result<[Option<f64>; 2], Error> {
    let pairs = sample.values.len();
    let ranks = Ranks::of(sample.values, options.tolerance)?;
    let all: usize = ranks.doubled.iter().sum();
    let statistic = match options.alternative {
        Alternative::TwoSided => ranks.positive.min(all - ranks.positive),
        _ => ranks.positive,
    };
    let distinct = ranks.ties == 0.0 && ranks.doubled.len() == pairs;
    let is_exact = pairs <= EXACT_TIED || (pairs <= EXACT && distinct);
    let (at_most, at_least) = if is_exact { ranks.exact() } else { ranks.approximate() };
    // Without ranks, the normal approximation is not defined: its deviation is 0.
    let is_defined = is_exact || !ranks.doubled.is_empty();
    let p = is_defined.then(|| p_value(options.alternative, at_most, at_least));
    Ok([Some(statistic as f64 / 2.0), p])
}

/// The differences other than 0, ascending by absolute value.
fn by_size(differences: &[f64]) -> Result<Vec<f64>, Error> {
    let mut sizes: Vec<f64> = Vec::new();
    sizes.make_exact_room(differences.len())?;
    sizes.extend(differences.iter().filter(|value| **value != 0.0));
    sizes.sort_unstable_by(|one, other| one.abs().total_cmp(&other.abs()));
    Ok(sizes)
}

/// The ranks of the differences by size, from 1. Tied ones have their mean rank, so twice a rank is an integer.
struct Ranks {
    /// Twice each rank, ascending.
    doubled: Vec<usize>,
    /// Twice the sum of the ranks of positive differences.
    positive: usize,
    /// The correction for ties: the sum of t^3 - t over all sizes, where t is the number of differences of a size.
    ties: f64,
}

impl Ranks {
    /// The ranks of differences; those of 0 get none. A size ties with the smallest size of its tie, so that many small
    /// steps do not add up to one tie.
    fn of(differences: &[f64], tolerance: f64) -> Result<Self, Error> {
        let differences = by_size(differences)?;
        let mut ranks = Self { doubled: Vec::new(), positive: 0, ties: 0.0 };
        ranks.doubled.make_exact_room(differences.len())?;
        let mut rest = &differences[..];
        while let [least, ..] = rest {
            let equals_least = |value: &f64| difference(value.abs(), least.abs(), tolerance) == 0.0;
            let (tied, larger) = rest.split_at(rest.partition_point(equals_least));
            rest = larger;
            let smaller = ranks.doubled.len();
            let doubled_rank = 2 * smaller + tied.len() + 1;
            ranks.doubled.extend(tied.iter().map(|_| doubled_rank));
            ranks.positive += doubled_rank * tied.iter().filter(|value| **value > 0.0).count();
            let t = tied.len() as f64;
            ranks.ties += t * t * t - t;
        }
        Ok(ranks)
    }

    /// The shares of all choices of signs whose sum of positive ranks is at most, and at least, the observed one.
    fn exact(&self) -> (f64, f64) {
        // At each doubled sum of positive ranks, the number of choices of signs that have it.
        let mut choices = vec![0_u64; self.doubled.iter().sum::<usize>() + 1];
        choices[0] = 1;
        for rank in &self.doubled {
            for sum in (*rank..choices.len()).rev() {
                choices[sum] += choices[sum - rank];
            }
        }
        let share =
            |choices: &[u64]| choices.iter().sum::<u64>() as f64 / (1_u64 << self.doubled.len()) as f64;
        (share(&choices[..=self.positive]), share(&choices[self.positive..]))
    }

    /// The same shares by the normal approximation, corrected for ties.
    fn approximate(&self) -> (f64, f64) {
        let n = self.doubled.len() as f64;
        let mean = n * (n + 1.0) / 4.0;
        let deviation = ((n * (n + 1.0) * (2.0 * n + 1.0) - self.ties / 2.0) / 24.0).sqrt();
        let z = (self.positive as f64 / 2.0 - mean) / deviation;
        (normal_above(-z), normal_above(z))
    }
}
