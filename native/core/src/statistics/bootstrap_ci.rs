use super::distributions::{normal_above, normal_exceeded};
use super::random::{Poisson, Random};
use super::{INTERVAL, Sample, Statistic, sum};
use crate::options::Options;

pub static STATISTIC: Statistic = Statistic {
    name: "bootstrap_ci",
    arguments: INTERVAL.0,
    fields: INTERVAL.1,
    summary: "confidence interval of the mean by the bootstrap, bias-corrected and accelerated (BCa). Up to 4096 \
              values, a resample is as many values drawn with replacement; of more values, each counts as often as a \
              Poisson variate of mean 1 says, and where more than 512 of them differ, they are put into at most 512 \
              groups of close values, which keep mean and variance",
    formula: "quantiles of the resamples' means at Phi(z0 + (z0 + z) / (1 - a (z0 + z)))",
    range: "from the least to the largest value; low and high are NULL for one value",
    source: "Efron, Better Bootstrap Confidence Intervals, JASA 1987; Hanley and MacGibbon, Creating non-parametric \
             bootstrap samples using Poisson frequencies, 2006; scipy.stats.bootstrap(method='BCa')",
    options: &["confidence", "resamples", "seed"],
    compute,
};

/// Up to so many values, resamples are drawn value by value.
const SINGLE: usize = 4096;
/// Of more values, resamples are drawn from so many groups at most.
const GROUPS: usize = 512;

fn compute(sample: &Sample, options: &Options) -> [Option<f64>; 2] {
    if sample.values.len() == 1 {
        return [None; 2];
    }
    if sample.least() == sample.most() {
        return [Some(sample.mean); 2];
    }
    let means = if sample.values.len() <= SINGLE {
        means_of_values(sample, options)
    } else {
        means_of_groups(sample, options)
    };
    let bias = bias(&means, sample);
    let acceleration = acceleration(sample);
    let tail = normal_exceeded((1.0 - options.confidence) / 2.0);
    let end = |z: f64| {
        let z = bias + z;
        let z = bias + z / (1.0 - acceleration * z).max(f64::MIN_POSITIVE);
        let end = sample.mean + quantile(&means, normal_above(-z));
        Some(end.clamp(sample.least(), sample.most()))
    };
    [end(-tail), end(tail)]
}

/// The resamples' means less that of the sample, in order, from values drawn with replacement.
fn means_of_values(sample: &Sample, options: &Options) -> Vec<f64> {
    let deviations: Vec<f64> = sample.values.iter().map(|value| value - sample.mean).collect();
    let n = deviations.len();
    resample(options, |random| (0..n).map(|_| deviations[random.below(n)]).sum::<f64>() / n as f64)
}

/// The same, where each value of the sample comes as often as a Poisson variate of mean 1 says.
fn means_of_groups(sample: &Sample, options: &Options) -> Vec<f64> {
    let groups: Vec<(f64, Poisson)> =
        groups(sample).into_iter().map(|(deviation, count)| (deviation, Poisson::new(count))).collect();
    resample(options, |random| {
        let (mut total, mut drawn) = (0.0, 0.0);
        for (deviation, poisson) in &groups {
            let count = poisson.draw(random) as f64;
            total += count * deviation;
            drawn += count;
        }
        total / drawn
    })
}

fn resample(options: &Options, mut mean: impl FnMut(&mut Random) -> f64) -> Vec<f64> {
    let mut random = Random::new(options.seed);
    let mut means: Vec<f64> = (0..options.resamples).map(|_| mean(&mut random)).collect();
    means.sort_unstable_by(f64::total_cmp);
    means
}

/// Groups of equal values or, where these are too many, of close ones: each as its deviation from the sample's mean
/// and how many values it has.
fn groups(sample: &Sample) -> Vec<(f64, f64)> {
    let equal: Vec<&[f64]> = sample.values.chunk_by(|a, b| a == b).collect();
    let deviation = |values: &[f64]| sum(values.iter().map(|value| value - sample.mean)) / values.len() as f64;
    let group = |values: &[f64]| (deviation(values), values.len() as f64);
    if equal.len() <= GROUPS {
        return equal.into_iter().map(group).collect();
    }
    // By value alone one outlier would put all others into one group; by rank alone it would share a group.
    let cell = |place: usize| {
        let by_rank = place as f64 / sample.n();
        let by_value = (sample.values[place] - sample.least()) / (sample.most() - sample.least());
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
    let lost = (sample.squares / squares).sqrt();
    groups.iter().map(|(deviation, count)| (deviation * lost, *count)).collect()
}

/// By how much the sample's mean is off the median of the resamples' means, on the normal scale.
fn bias(means: &[f64], sample: &Sample) -> f64 {
    let slack = 100.0 * f64::EPSILON * sample.least().abs().max(sample.most().abs());
    let below = means.partition_point(|mean| *mean < -slack);
    let not_above = means.partition_point(|mean| *mean <= slack);
    let share = (below + not_above) as f64 / 2.0 / means.len() as f64;
    // As if half a resample lay on the other side, where all of them lie on one.
    let least = 0.5 / means.len() as f64;
    -normal_exceeded(share.clamp(least, 1.0 - least))
}

/// How fast the spread of the mean changes with it: a sixth of the skewness of the mean.
fn acceleration(sample: &Sample) -> f64 {
    let spread = sample.squares.sqrt();
    let scaled = sample.values.iter().map(|value| (value - sample.mean) / spread);
    sum(scaled.map(|deviation| deviation * deviation * deviation)) / 6.0
}

/// A quantile of sorted numbers, on the line between the two next to it.
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

    /// Numbers of mean 1/5, most of them small.
    fn skewed(n: usize, random: &mut Random) -> Vec<f64> {
        (0..n).map(|_| (random.below(1 << 30) as f64 / f64::from(1 << 30)).powi(4)).collect()
    }

    #[test]
    fn intervals_hold_the_mean_as_often_as_they_should() {
        let mut random = Random::new(7);
        let options = STATISTIC.parse("resamples=400").unwrap();
        let samples = 400;
        let mut held = 0;
        for _ in 0..samples {
            let summary = STATISTIC.summarise(&mut skewed(100, &mut random), &options).unwrap();
            let [_, low, high] = summary.fields.map(Option::unwrap);
            held += i32::from(low < 0.2 && 0.2 < high);
        }
        // 380, with a standard deviation of 4.4 and a little less coverage for so few values.
        assert!((362..394).contains(&held), "{held} of {samples}");
    }

    #[test]
    fn groups_keep_count_mean_variance_and_skewness() {
        let mut random = Random::new(3);
        let mut outlier = skewed(10_000, &mut random);
        outlier.push(1e4);
        for mut values in [
            skewed(10_000, &mut random),
            outlier,
            (0..10_000).map(|i| f64::from(i % 11) / 10.0).collect(),
            (0..10_000).map(|i| f64::from(i % 2) + f64::from(i) * 1e-6).collect(),
        ] {
            let sample = Sample::new(&mut values).unwrap();
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

    #[test]
    fn both_ways_to_resample_agree() {
        let mut random = Random::new(5);
        let mut outlier = skewed(5000, &mut random);
        outlier.push(20.0);
        let options = STATISTIC.parse("resamples=2000").unwrap();
        for mut values in [skewed(5000, &mut random), outlier] {
            let sample = Sample::new(&mut values).unwrap();
            let error = sample.standard_error().unwrap();
            let (single, grouped) = (means_of_values(&sample, &options), means_of_groups(&sample, &options));
            for share in [0.025, 0.16, 0.5, 0.84, 0.975] {
                let (one, other) = (quantile(&single, share), quantile(&grouped, share));
                // The standard deviation of the difference is 0.085 at the outer shares.
                assert!((one - other).abs() < 0.3 * error, "{share}: {} {}", one / error, other / error);
            }
        }
    }

    #[test]
    fn rounding_moves_no_resample_past_the_mean() {
        let options = STATISTIC.parse("").unwrap();
        let bias = |mut values: [f64; 3]| {
            let sample = Sample::new(&mut values).unwrap();
            bias(&means_of_values(&sample, &options), &sample)
        };
        assert_eq!(bias([0.1, 0.2, 0.3]), bias([1.0, 2.0, 3.0]));
    }

    #[test]
    fn quantiles_lie_between_numbers() {
        // numpy.quantile
        for (share, expected) in [(0.0, 1.0), (0.25, 1.75), (0.5, 3.0), (0.99, 7.88), (1.0, 8.0)] {
            assert!((quantile(&[1.0, 2.0, 4.0, 8.0], share) - expected).abs() < 1e-12, "{share}");
        }
    }
}
