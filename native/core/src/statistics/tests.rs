//! Every statistic by the formula; `tests/statistics` asks SciPy.

use proptest::prelude::*;
use smallvec::SmallVec;

use super::*;
use crate::options::Options;
use crate::statistics::statistic::{Observed, Summary};

fn statistic(name: &str) -> &'static Statistic {
    STATISTICS.iter().copied().find(|statistic| statistic.name == name).expect("it exists")
}

fn summary(name: &str, options: &str, sample: Vec<f64>) -> Summary {
    let statistic = statistic(name);
    let options = statistic.option_schema().parse(options).unwrap();
    let [second, weights] = [0.0, 1.0].map(|value| vec![value; sample.len()]);
    statistic.summarise(&mut Observed { first: sample, second, weights }, &options).unwrap()
}

fn bits(summary: &Summary) -> SmallVec<[Option<u64>; 4]> {
    summary.fields.iter().map(|field| field.map(f64::to_bits)).collect()
}

#[test]
fn what_is_not_defined_is_null() {
    let infinite = f64::INFINITY;
    for (name, options, sample, expected) in [
        ("mean_ci", "", vec![0.1], &[Some(0.1), None, None][..]),
        ("bootstrap_ci", "", vec![0.1], &[Some(0.1), None, None]),
        ("paired_t_test_power", "", vec![0.1], &[Some(0.1), None, None]),
        ("paired_t_test_power", "", vec![0.1; 3], &[Some(0.1), None, None]),
        ("mean_ci", "", vec![0.1; 3], &[Some(0.1); 3]),
        ("bootstrap_ci", "", vec![0.1; 3], &[Some(0.1); 3]),
        // The square of the difference is less than the least number.
        ("bootstrap_ci", "", vec![0.0, 1e-170], &[Some(5e-171); 3]),
        ("paired_t_test", "", vec![0.1], &[Some(0.1), None, None, None]),
        ("paired_t_test", "", vec![0.0; 3], &[Some(0.0), None, None, None]),
        ("paired_t_test", "", vec![0.25; 3], &[Some(0.25), Some(infinite), Some(0.0), Some(infinite)]),
        ("paired_t_test", "", vec![-0.25; 3], &[Some(-0.25), Some(-infinite), Some(0.0), Some(-infinite)]),
        ("randomization_test", "", vec![0.1], &[Some(0.1), Some(0.1), Some(1.0), None]),
        ("randomization_test", "", vec![0.0; 3], &[Some(0.0), Some(0.0), Some(1.0), None]),
        ("wilcoxon_signed_rank", "", vec![0.0; 13], &[Some(0.0), Some(0.0), Some(1.0), None]),
        ("wilcoxon_signed_rank", "", vec![0.0; 14], &[Some(0.0), Some(0.0), None, None]),
        // Systems whose differences are equal are within the margin, or beyond it, or just at its end.
        (
            "paired_t_test",
            "alternative=equivalence, margin=0.5",
            vec![0.25; 3],
            &[Some(0.25), Some(-infinite), Some(0.0), Some(infinite)],
        ),
        (
            "paired_t_test",
            "alternative=equivalence, margin=0.125",
            vec![-0.25; 3],
            &[Some(-0.25), Some(-infinite), Some(1.0), Some(-infinite)],
        ),
        (
            "paired_t_test",
            "alternative=greater, margin=0.25",
            vec![-0.25; 3],
            &[Some(-0.25), None, None, Some(-infinite)],
        ),
    ] {
        assert_eq!(
            &summary(name, options, sample.clone()).fields[..],
            expected,
            "{name} {sample:?} {options}"
        );
    }
}

#[test]
fn equal_values_have_the_interval_that_their_limits_allow() {
    let ends = |name: &str, options: &str, sample: &[f64]| {
        let fields = summary(name, options.trim_start_matches(", "), sample.to_vec()).fields;
        [fields[1].unwrap(), fields[2].unwrap()]
    };
    let near = |found: [f64; 2], expected: [f64; 2]| {
        let is_near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12);
        assert!(is_near, "{found:?}, not {expected:?}");
    };
    for (name, options) in [("mean_ci", ""), ("mean_ci", "skewness=hall"), ("bootstrap_ci", "")] {
        let ends = |bounds: &str, sample: &[f64]| ends(name, &format!("{options}, {bounds}"), sample);
        // scipy.stats.binomtest(hits, users).proportion_ci(confidence, "exact")
        let unit = "lower_bound=0, upper_bound=1";
        near(ends(unit, &[1.0; 12]), [0.735_351_530_602_948_8, 1.0]);
        near(ends(&format!("{unit}, confidence=0.9"), &[0.0; 5]), [0.0, 0.450_719_728_346_940_9]);
        near(ends(unit, &[1.0]), [0.025, 1.0]);
        // Markov: a mean below 0.0125 makes a value of 0.5 no more likely than 1/40.
        near(ends(unit, &[0.5]), [0.0125, 0.9875]);
        // (1/8)^(1/3) is 1/2.
        let values = [0.1 + 0.2, 0.3, 0.3];
        near(ends(&format!("{unit}, confidence=0.75"), &values), [0.15, 0.65]);
        near(ends("lower_bound=-1, upper_bound=2, confidence=0.75", &[0.5; 3]), [-0.25, 1.25]);
        // A value beyond a limit moves it.
        near(ends(&format!("{unit}, confidence=0.75"), &[1.5; 3]), [0.75, 1.5]);
        assert_eq!(ends("lower_bound=0", &[0.5; 3]), [0.5, 0.5]);
        assert_eq!(ends("upper_bound=1", &[0.5; 3]), [0.5, 0.5]);
    }
}

#[test]
fn a_value_beyond_a_limit_moves_it() {
    let values = [1.4, 0.9, 0.9, 0.2];
    let fields = |limit: f64| {
        summary("mean_ci", &format!("skewness=hall, lower_bound=0, upper_bound={limit}"), values.to_vec())
            .fields
    };
    assert_eq!(fields(1.0), fields(1.4));
    assert!(fields(1.0)[2] > Some(1.0), "{:?}", fields(1.0));
    let below = values.map(|value| -value).to_vec();
    let options = "skewness=hall, lower_bound=-1, upper_bound=0";
    assert!(summary("mean_ci", options, below).fields[1] < Some(-1.0));
}

#[test]
fn bounds_decide_if_all_differences_are_equal() {
    let found = |name, options: &str, sample: &[f64]| {
        let bounded = format!("{options}, lower_bound=-1, upper_bound=2");
        summary(name, bounded.trim_start_matches(", "), sample.to_vec()).fields
    };
    let (half, equal) = ([0.5; 4], [0.0; 4]);
    for (options, sample, p_value) in [
        // With a mean of 0 at most and -1 at least, 2 in 3 values are 0.5 at most.
        ("alternative=greater", half, (2.0_f64 / 3.0).powi(4)),
        ("alternative=less", half, 1.0),
        ("alternative=two_sided", half, 2.0 * (2.0_f64 / 3.0).powi(4)),
        ("alternative=greater, margin=0.25", half, 0.5_f64.powi(4)),
        ("alternative=less, margin=1", half, (2.0_f64 / 3.0).powi(4)),
        ("alternative=less", [-0.5; 4], 0.8_f64.powi(4)),
        ("alternative=greater", equal, 1.0),
        ("alternative=two_sided", equal, 1.0),
        ("alternative=greater, margin=0.5", equal, 0.5_f64.powi(4)),
        ("alternative=equivalence, margin=0.5", equal, 0.75_f64.powi(4)),
        // No mean is below -1.
        ("alternative=greater, margin=1.5", equal, 0.0),
        // A mean of -1 has values of -1 alone.
        ("alternative=greater, margin=1", [-1.0; 4], 1.0),
        ("alternative=greater, tolerance=1e-12", [0.5, 0.5, 0.5, 0.5 + 1e-16], (2.0_f64 / 3.0).powi(4)),
    ] {
        let p = found("paired_t_test", options, &sample)[2].unwrap();
        assert!((p - p_value).abs() < 1e-14, "{options} {sample:?}: {p}, not {p_value}");
    }
    assert_eq!(found("paired_t_test", "", &[0.5])[2], None);
    assert_eq!(summary("paired_t_test", "lower_bound=-1", half.to_vec()).fields[2], Some(0.0));
    assert_eq!(
        found("paired_t_test", "", &[0.5, 0.25]),
        summary("paired_t_test", "", vec![0.5, 0.25]).fields
    );

    // (2/3)^n is at most 0.05 from 8 values on, and at most 0.025 from 10.
    for (options, sample, users) in [
        ("alternative=greater", half, Some(8.0)),
        ("alternative=two_sided", half, Some(10.0)),
        ("alternative=less", [-0.5; 4], Some(14.0)),
        ("alternative=two_sided", [-0.5; 4], Some(17.0)),
        ("alternative=greater, alpha=0.5", half, Some(2.0)),
        // Without a margin, the size of the difference counts, as for other samples.
        ("alternative=less", half, Some(8.0)),
        ("alternative=less, margin=0.25", half, None),
        ("alternative=greater", equal, None),
        ("alternative=greater, margin=1.5", equal, Some(2.0)),
        ("alternative=equivalence, margin=0.5", equal, None),
    ] {
        assert_eq!(found("paired_t_test_power", options, &sample)[1..], [None, users], "{options}");
    }
}

#[test]
fn the_interval_without_skewness_keeps_to_its_limits() {
    // Student's interval of two values ends beyond the limits. Hoeffding's bound of the means at its ends is a tail.
    let options = "confidence=0.99, skewness=hall, lower_bound=0, upper_bound=1";
    for (sample, end) in [([0.0, 0.1], 2), ([0.9, 1.0], 1)] {
        let fields = summary("mean_ci", options, sample.to_vec()).fields;
        let share = if end == 2 { fields[2].unwrap() } else { 1.0 - fields[1].unwrap() };
        let divergence = 0.05 * (0.05 / share).ln() + 0.95 * (0.95 / (1.0 - share)).ln();
        assert!(((-2.0 * divergence).exp() - 0.005).abs() < 1e-9, "{fields:?}");
    }
    // A small confidence leaves the mean in the interval.
    let near = summary("mean_ci", "confidence=0.01, skewness=hall", vec![0.0, 0.0, 0.0, 0.0, 1.0]).fields;
    assert_eq!((near[0], near[1] <= near[0], near[2] >= near[0]), (Some(0.2), true, true));
    // Values without skewness have Student's interval.
    let [with, without] =
        ["skewness=hall", ""].map(|options| summary("mean_ci", options, vec![0.0, 0.5, 1.0]));
    assert_eq!(with, without);
}

#[test]
fn a_comparison_has_the_fields_of_the_statistics_that_it_unites() {
    let tied = (0..60).map(|i| [f64::from(7 * i % 11) / 10.0, f64::from(5 * i % 13) / 10.0]);
    for pairs in [tied.collect(), vec![[0.5, 0.25]], vec![[0.5, 0.25]; 3], vec![[0.5; 2]; 3]] {
        for options in ["", "alternative=greater, margin=0.1, tolerance=0.05"] {
            let parts = |name: &str, values: Vec<f64>, options: &str| summary(name, options, values).fields;
            let differ = statistic("paired_comparison").option_schema().parse(options).unwrap();
            let differences: Vec<f64> =
                pairs.iter().map(|[a, b]| statistic::difference(*a, *b, differ.tolerance)).collect();
            let of = |side: usize| pairs.iter().map(|pair| pair[side]).collect::<Vec<f64>>();
            let [mean_a, mean_b] = [0, 1].map(|side| parts("mean_ci", of(side), "")[0]);
            let interval = parts("mean_ci", differences.clone(), "lower_bound=-1, upper_bound=1");
            let bounded = format!("{options}, lower_bound=-1, upper_bound=1");
            let bounded = bounded.trim_start_matches(", ");
            let mut tested = parts("paired_t_test", differences.clone(), bounded);
            tested[2] = tested[2].filter(|_| tested[1].is_some());
            let counted = parts("win_tie_loss", differences, "");
            let options = statistic("paired_comparison").option_schema().parse(bounded).unwrap();
            let observed = Observed { first: of(0), second: of(1), weights: vec![3.0; pairs.len()] };
            let found = statistic("paired_comparison").summarise(&mut observed.clone(), &options).unwrap();
            let expected: Vec<Option<f64>> = [mean_a, mean_b]
                .into_iter()
                .chain(interval)
                .chain(tested[1..].iter().copied())
                .chain(counted)
                .collect();
            assert_eq!(found.n, pairs.len());
            assert_eq!(found.fields[..], expected, "{pairs:?}");
            // With equal weights it is the same to the last bit.
            let mut weighted =
                statistic("weighted_paired_comparison").summarise(&mut observed.clone(), &options).unwrap();
            let n = pairs.len() as f64;
            assert_eq!(weighted.fields.drain(8..10).collect::<Vec<_>>(), [Some(1.0), Some(n)]);
            assert_eq!(weighted, found);
        }
    }
}

/// A value that the statistic takes: exposures are not negative.
fn taken(statistic: &Statistic, value: f64) -> f64 {
    if statistic.is_of_items() && value < 0.0 { -value } else { value }
}

#[test]
fn the_sign_of_zero_changes_no_bit() {
    for statistic in STATISTICS {
        for rest in [vec![], vec![0.5, -0.25], vec![0.1; 40]] {
            let [plus, minus] = [0.0, -0.0].map(|zero| {
                let sample = [&[zero, zero][..], &rest].concat();
                let sample = sample.into_iter().map(|value| taken(statistic, value)).collect();
                bits(&summary(statistic.name, "", sample))
            });
            assert_eq!(plus, minus, "{} {rest:?}", statistic.name);
        }
    }
}

/// A value of a row; 0.5 stands for NULL.
fn row_value() -> impl Strategy<Value = f64> {
    prop_oneof![-1.0..1.0, Just(0.0), Just(-0.0), Just(0.25), Just(0.5)]
}

proptest! {
    #[test]
    fn the_order_of_rows_changes_no_bit(
        (rows, shuffled) in prop::collection::vec([row_value(), row_value(), row_value()], 1..50)
            .prop_flat_map(|rows: Vec<[f64; 3]>| (Just(rows.clone()), Just(rows).prop_shuffle()))
    ) {
        for statistic in STATISTICS {
            let options = statistic.option_schema().parse("").unwrap();
            let options = Options { resamples: 50, ..options };
            let bits = |rows: &[[f64; 3]]| {
                let mut observed = Observed::default();
                statistic.make_room(rows.len(), &mut observed).unwrap();
                for row in rows {
                    let mut row = row.map(|value| (value != 0.5).then(|| taken(statistic, value)));
                    let row = &mut row[..statistic.arguments.len()];
                    if statistic.is_weighted() {
                        row.iter_mut().last().into_iter().flatten().for_each(|weight| *weight = weight.abs());
                    }
                    statistic.observe(row, &options, &mut observed).unwrap();
                }
                super::tests::bits(&statistic.summarise(&mut observed, &options).unwrap())
            };
            prop_assert_eq!(bits(&rows), bits(&shuffled));
        }
    }
}
