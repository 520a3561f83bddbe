//! The confidence interval of a mean by the bootstrap, bias-corrected and accelerated (BCa).

use std::array::from_fn;

use super::bounded_values::interval_of_equal;
use super::distributions::{normal_above, normal_exceeded};
use super::exact_sum::sum;
use super::random::Random;
use super::resampled_means::ResampledMeans;
use super::statistic::{Compute, Error, Grow, INTERVAL, Options, Sample, Statistic};

pub static STATISTIC: Statistic = Statistic {
    name: "bootstrap_ci",
    arguments: INTERVAL.0,
    fields: INTERVAL.1,
    summary: "confidence interval of the mean by the bootstrap, bias-corrected and accelerated (BCa). A resample is \
              as many values as there are, drawn with replacement. If (n + 40) * resamples is at most 1000000, resamples are \
              drawn. Otherwise their limit distribution is computed, and `resamples` and `seed` have no effect. For \
              that, more than 512 distinct values are put into at most 512 groups of close values, which keep mean and variance. \
              With lower_bound and upper_bound, values that are all equal have the interval of mean_ci",
    formula: "quantiles of the resamples' means at Phi(z0 + (z0 + z) / (1 - a (z0 + z)))",
    latex: r"Q\left(\Phi\left(z_0 + \frac{z_0 + z}{1 - a (z_0 + z)}\right)\right)",
    range: "from the least to the largest value; low and high are NULL for one value. Beyond equal values, and beyond one, \
            with lower_bound and upper_bound",
    source: "Efron, Better Bootstrap Confidence Intervals, JASA 1987; \
             scipy.stats.bootstrap(method='BCa')",
    options: &["confidence", "resamples", "seed", "lower_bound", "upper_bound"],
    compute: Compute::Sorted(compute),
};

/// The number of values, in all resamples together, up to which resamples are drawn. An engine may compute many groups
/// in one call, which cannot be interrupted: with 2048 groups, as many as DuckDB passes in one call, that takes about
/// two seconds.
const DRAWN: usize = 1_000_000;
/// The cost of sorting the mean of one resample, in drawn values.
const SORTED: usize = 40;
/// The largest number of resamples that the options allow.
const MAX_RESAMPLES: f64 = 1_000_000.0;
/// The number of distinct values above which values are grouped, and the largest number of groups.
const GROUPS: usize = 512;

/// The ends of the interval; `None` for a single value, unless the options say both of its limits.
fn compute(sample: &Sample, options: &Options) -> Result<[Option<f64>; 2], Error> {
    // Equal values whose limits are known have an interval without resamples.
    if let Some(ends) = interval_of_equal(sample, options) {
        return Ok(ends.map(Some));
    }
    if sample.values.len() == 1 {
        return Ok([None; 2]);
    }
    // Squares of differences below 1e-154 are 0 after rounding, and the width of the interval is 0 then.
    if sample.least == sample.most || sample.squares < f64::MIN_POSITIVE {
        return Ok([Some(sample.mean); 2]);
    }
    let resamples = options.resamples as usize;
    let means = if (sample.values.len() + SORTED).saturating_mul(resamples) <= DRAWN {
        Means::Drawn(drawn(sample, options)?)
    } else {
        Means::Limit(limit(sample))
    };
    // Shares of 0 and 1 are off the normal scale; they become those of half a resample on the other side. The limit
    // stands for the most resamples that may be asked for.
    let least_share = match &means {
        Means::Drawn(means) => 0.5 / means.len() as f64,
        Means::Limit(_) => 0.5 / MAX_RESAMPLES,
    };
    let clamp_share = |share: f64| share.clamp(least_share, 1.0 - least_share);
    // z0: the distance of the sample's mean from the median of the resamples' means, on the normal scale.
    let bias = -normal_exceeded(clamp_share(means.below_mean(sample)));
    let acceleration = acceleration(sample);
    let z = normal_exceeded((1.0 - options.confidence) / 2.0);
    let end = |z: f64| {
        let shifted = bias + z;
        // If the divisor is not positive, the end is beyond all means.
        let corrected = bias + shifted / (1.0 - acceleration * shifted).max(f64::MIN_POSITIVE);
        let share = normal_above(-corrected);
        let deviation = match &means {
            Means::Drawn(means) => quantile(means, share),
            Means::Limit(limit) => limit.quantile(clamp_share(share)),
        };
        Some((sample.mean + deviation).clamp(sample.least, sample.most))
    };
    Ok([end(-z), end(z)])
}

/// The means of resamples, less that of the sample.
enum Means {
    /// The means of drawn resamples, ascending.
    Drawn(Vec<f64>),
    /// The distribution that the means of drawn resamples tend to.
    Limit(ResampledMeans),
}

impl Means {
    /// The share of means below the sample's mean, plus half the share of those equal to it.
    fn below_mean(&self, sample: &Sample) -> f64 {
        match self {
            Self::Drawn(means) => {
                // Means that differ from the sample's by rounding alone count as equal to it.
                let slack = 100.0 * f64::EPSILON * sample.least.abs().max(sample.most.abs());
                let below = means.partition_point(|mean| *mean < -slack);
                let not_above = means.partition_point(|mean| *mean <= slack);
                (below + not_above) as f64 / 2.0 / means.len() as f64
            }
            Self::Limit(limit) => limit.share_below(0.0),
        }
    }
}

/// The means of random resamples, less that of the sample, ascending.
fn drawn(sample: &Sample, options: &Options) -> Result<Vec<f64>, Error> {
    /// The number of resamples drawn at once. Measured: independent sums, which do not wait for each other, take half
    /// the time.
    const LANES: usize = 4;
    let deviations: Vec<f64> = sample.values.iter().map(|value| value - sample.mean).collect();
    let n = deviations.len();
    let resamples = options.resamples as usize;
    let mut means = Vec::new();
    means.make_exact_room(resamples + LANES)?;
    while means.len() < resamples {
        // Each resample continues after the random numbers of those before it.
        let mut streams: [Random; LANES] =
            from_fn(|lane| Random::new(options.seed, (means.len() + lane) * n));
        let mut totals = [0.0; LANES];
        for _ in 0..n {
            for (total, random) in totals.iter_mut().zip(&mut streams) {
                *total += deviations[random.below(n)];
            }
        }
        means.extend(totals.map(|total| total / n as f64));
    }
    means.truncate(resamples);
    means.sort_unstable_by(f64::total_cmp);
    Ok(means)
}

/// The distribution of the means of all possible resamples, less the mean of the sample.
fn limit(sample: &Sample) -> ResampledMeans {
    /// The width of the range of means to either side, in standard errors. The share of means beyond is below rounding.
    const REACH: f64 = 12.0;
    let reach = REACH * sample.squares.sqrt() / sample.n();
    let lowest = (sample.least - sample.mean).max(-reach);
    let highest = (sample.most - sample.mean).min(reach);
    ResampledMeans::new(&groups(sample), lowest, highest)
}

/// The distinct values or, if they are too many, groups of close ones: the deviation of each from the sample's mean,
/// and its number of values. Grouped deviations are scaled to keep the variance.
fn groups(sample: &Sample) -> Vec<(f64, f64)> {
    let equal = || sample.values.chunk_by(|a, b| a == b);
    let deviation =
        |values: &[f64]| sum(values.iter().map(|value| value - sample.mean)) / values.len() as f64;
    let group = |values: &[f64]| (deviation(values), values.len() as f64);
    if equal().nth(GROUPS).is_none() {
        return equal().map(group).collect();
    }
    // A cell is a range of the mean of relative rank and relative value. With cells of value alone, an outlier would
    // leave one group for all other values; with cells of rank alone, it would share a group.
    let cell = |place: usize| {
        let by_rank = place as f64 / sample.n();
        let by_value = (sample.values[place] - sample.least) / (sample.most - sample.least);
        (f64::midpoint(by_rank, by_value) * GROUPS as f64).floor()
    };
    let mut groups = Vec::with_capacity(GROUPS);
    let mut start = 0;
    for place in 1..=sample.values.len() {
        if place == sample.values.len() || cell(place) != cell(start) {
            groups.push(group(&sample.values[start..place]));
            start = place;
        }
    }
    let squares = sum(groups.iter().map(|(deviation, count)| count * deviation * deviation));
    let scale = (sample.squares / squares).sqrt();
    groups.iter().map(|(deviation, count)| (deviation * scale, *count)).collect()
}

/// The acceleration a: a sixth of the skewness of the mean.
fn acceleration(sample: &Sample) -> f64 {
    let spread = sample.squares.sqrt();
    let scaled = sample.values.iter().map(|value| (value - sample.mean) / spread);
    sum(scaled.map(|deviation| deviation * deviation * deviation)) / 6.0
}

/// A quantile of sorted numbers, by linear interpolation between the two nearest ranks.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len() - 1;
    let place = share * last as f64;
    let before = (place as usize).min(last);
    let after = (before + 1).min(last);
    sorted[before] + (place - before as f64) * (sorted[after] - sorted[before])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::statistic::Observed;

    /// Random numbers from 0 to 1 with an expected value of 1/5, most of them small.
    fn skewed(n: usize, random: &mut Random) -> Vec<f64> {
        (0..n).map(|_| (random.below(1 << 30) as f64 / f64::from(1 << 30)).powi(4)).collect()
    }

    #[test]
    fn groups_keep_count_mean_variance_and_skewness() {
        let mut random = Random::new(3, 0);
        let mut outlier = skewed(10_000, &mut random);
        outlier.push(1e4);
        for mut values in [
            skewed(10_000, &mut random),
            outlier,
            (0..10_000).map(|i| f64::from(i % 11) / 10.0).collect(),
            (0..10_000).map(|i| f64::from(i % 2) + f64::from(i) * 1e-6).collect(),
        ] {
            let sample = Sample::sorted(&mut values).unwrap();
            let groups = groups(&sample);
            assert!((2..=GROUPS).contains(&groups.len()));
            let moment = |power| sum(groups.iter().map(|(deviation, count)| count * deviation.powi(power)));
            let spread = sample.squares.sqrt();
            assert_eq!(moment(0), sample.n());
            assert!(moment(1).abs() < 1e-9 * spread);
            assert!((moment(2) / sample.squares - 1.0).abs() < 1e-12);
            let skewness = moment(3) / spread.powi(3) / 6.0;
            assert!((skewness - acceleration(&sample)).abs() < 1e-3 * acceleration(&sample).abs().max(0.01));
        }
    }

    /// The ends of the interval.
    fn ends(values: Vec<f64>, options: &Options) -> [f64; 2] {
        let mut observed = Observed { first: values, ..Observed::default() };
        let fields = STATISTIC.summarise(&mut observed, options).unwrap().fields;
        [fields[1].unwrap(), fields[2].unwrap()]
    }

    /// Samples of several kinds, by name.
    fn kinds() -> [(&'static str, Vec<f64>); 7] {
        let mut random = Random::new(5, 0);
        let mut outlier = skewed(700, &mut random);
        outlier.push(20.0);
        [
            ("two", vec![0.0, 1.0]),
            ("few", vec![0.0, 0.1, 0.3, 0.7, 1.0]),
            ("rare hits", (0..400).map(|i| f64::from(u8::from(i % 100 == 0))).collect()),
            ("fifths", (0..200).map(|i| f64::from(i * i % 17 % 6) / 5.0).collect()),
            ("skewed", skewed(120, &mut random)),
            ("grouped", skewed(700, &mut random)),
            ("grouped, with an outlier", outlier),
        ]
    }

    #[test]
    fn drawn_resamples_tend_to_the_limit() {
        let options = Options { resamples: 10_000, ..Options::default() };
        for (kind, mut values) in kinds() {
            let sample = Sample::sorted(&mut values).unwrap();
            let error = sample.standard_error().unwrap();
            let drawn = Means::Drawn(drawn(&sample, &options).unwrap());
            let limit = limit(&sample);
            let centre = drawn.below_mean(&sample) - limit.share_below(0.0);
            // The standard deviation is 0.005.
            assert!(centre.abs() < 0.02, "{kind}: {centre}");
            let Means::Drawn(means) = drawn else { unreachable!() };
            for share in [0.005, 0.025, 0.16, 0.5, 0.84, 0.975, 0.995] {
                // The limits are quantiles of the drawn means, four standard deviations of the share away. They are far
                // apart if the share falls between two possible means.
                let uncertain = 4.0 * f64::sqrt(share * (1.0 - share) / means.len() as f64);
                let [low, high] = [share - uncertain, share + uncertain].map(|share| quantile(&means, share));
                let got = limit.quantile(share);
                let blur = 0.02 * error;
                assert!((low - blur..=high + blur).contains(&got), "{kind} {share}: {low} {got} {high}");
            }
        }
    }

    #[test]
    fn the_limit_of_hits_and_misses_is_binomial() {
        // scipy.stats.binom.cdf(hits - 1, 200, 0.05) + scipy.stats.binom.pmf(hits, 200, 0.05) / 2
        let mut values = [0.0; 200];
        values[190..].fill(1.0);
        let limit = limit(&Sample::sorted(&mut values).unwrap());
        for (hits, expected) in [
            (3, 0.005_692_335_293),
            (8, 0.270_164_583_099),
            (10, 0.518_888_495_381),
            (11, 0.641_411_442_718),
            (20, 0.998_087_756_100),
        ] {
            let got = limit.share_below(f64::from(hits) / 200.0 - 0.05);
            assert!((got - expected).abs() < 1e-6, "{hits}: {got}, not {expected}");
        }
    }

    #[test]
    fn more_values_than_are_drawn_have_no_seed() {
        let of = |n: usize, seed| {
            let options = Options { seed, resamples: 1000, ..Options::default() };
            ends(skewed(n, &mut Random::new(3, 0)), &options)
        };
        assert_ne!(of(DRAWN / 1000 - SORTED, 1), of(DRAWN / 1000 - SORTED, 2));
        assert_eq!(of(DRAWN / 1000 - SORTED + 1, 1), of(DRAWN / 1000 - SORTED + 1, 2));
    }

    #[test]
    fn ends_of_the_limit_lie_no_further_out_than_a_million_resamples_reach() {
        // One hit in 2000 values: the number of times that a resample has it is nearly a Poisson variate of mean 1,
        // which is 9 or more with probability 1e-6 and 10 or more with 1e-7. One value below all others is the mirror
        // image. No number of resamples matters, because none is drawn.
        for (resamples, sign, hits) in [
            (1_000, 1.0, [0.0, 9.0]),
            (1_000_000, 1.0, [0.0, 9.0]),
            (1_000, -1.0, [-9.0, 0.0]),
            (1_000_000, -1.0, [-9.0, 0.0]),
        ] {
            let mut values = vec![0.0; 2000];
            values[0] = sign;
            let options = Options { resamples, confidence: 0.999_999_999, ..Options::default() };
            for (got, hits) in ends(values, &options).into_iter().zip(hits) {
                assert!((got - hits / 2000.0).abs() < 1e-5, "{resamples} {sign}: {got}, not {hits} / 2000");
            }
        }
    }

    #[test]
    fn ends_that_resamples_of_one_value_reach_are_that_value() {
        // A resample has 400 equal values with a probability of (1 - 1/400)^400, or 0.37.
        for (most, other, end) in [(0.0, 1.0, 0), (0.0, -1.0, 1), (0.3, 0.7, 0)] {
            let mut values = vec![most; 399];
            values.push(other);
            assert_eq!(ends(values, &Options::default())[end], most, "{other}");
        }
    }

    #[test]
    fn rounding_moves_no_resample_past_the_mean() {
        let options = STATISTIC.option_schema().parse("").unwrap();
        let below_mean = |mut values: [f64; 3]| {
            let sample = Sample::sorted(&mut values).unwrap();
            Means::Drawn(drawn(&sample, &options).unwrap()).below_mean(&sample)
        };
        assert_eq!(below_mean([0.1, 0.2, 0.3]), below_mean([1.0, 2.0, 3.0]));
    }

    #[test]
    fn quantiles_lie_between_numbers() {
        // numpy.quantile
        for (share, expected) in [(0.0, 1.0), (0.25, 1.75), (0.5, 3.0), (0.99, 7.88), (1.0, 8.0)] {
            assert!((quantile(&[1.0, 2.0, 4.0, 8.0], share) - expected).abs() < 1e-12, "{share}");
        }
    }
}
