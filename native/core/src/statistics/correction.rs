//! Corrections of p-values for the number of tests.

use crate::about::{About, ValueRange};
use crate::error::{Error, bail};
use crate::memory::Grow;
use crate::options::choices::Correction;
use crate::values::Nullable;

/// The documentation of `corrected_p_values`.
pub(crate) const ABOUT: About = About {
    summary: "p-values corrected for the number of tests, in the order of the tests. A NULL is no test, and stays NULL",
    formula: "with m tests, by Holm's steps; by Bonferroni min(1, p * m); or by Benjamini and Hochberg's steps",
    latex: r"p'_{(i)} = \min\left(1, \max_{j \le i} (m - j + 1) \, p_{(j)}\right)",
    range: ValueRange::UNIT,
    source: "Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 1979; \
             Benjamini and Hochberg, Controlling the False Discovery Rate, Journal of the Royal Statistical Society B \
             1995; multipletests of statsmodels, whose fdr_bh is benjamini_hochberg",
};

/// The p-value itself; an error, which names `argument`, unless it is from 0 to 1.
pub fn check_p_value(argument: &str, p: f64) -> Result<f64, Error> {
    if !(0.0..=1.0).contains(&p) {
        bail!(argument => "{argument} must hold numbers from 0 to 1, got {p:?}");
    }
    Ok(p)
}

/// Replaces each p-value by the corrected one. NULL is no test: it does not count, and stays NULL.
pub fn correct(p_values: &mut [Nullable], correction: Correction) -> Result<(), Error> {
    let mut tests = Vec::new();
    tests.make_exact_room(p_values.len())?;
    tests.extend(p_values.iter_mut().filter_map(|value| value.get().map(|p| (p, value))));
    tests.sort_unstable_by(|(p, _), (other, _)| p.total_cmp(other));
    let m = tests.len();
    let factor = |place: usize| match correction {
        Correction::Holm => (m - place) as f64,
        Correction::Bonferroni => m as f64,
        Correction::BenjaminiHochberg => m as f64 / (place + 1) as f64,
    };
    // Adding 0 turns -0 into 0.
    let tests =
        tests.into_iter().enumerate().map(|(place, (p, value))| ((p * factor(place)).min(1.0) + 0.0, value));
    // A corrected p-value is not below that of a smaller p-value.
    if correction == Correction::BenjaminiHochberg {
        put(tests.rev(), f64::min, 1.0);
    } else {
        put(tests, f64::max, 0.0);
    }
    Ok(())
}

/// Sets each value to the extreme, the least or the largest, of the p-values up to its own.
fn put<'a>(
    tests: impl Iterator<Item = (f64, &'a mut Nullable)>,
    extreme: fn(f64, f64) -> f64,
    mut so_far: f64,
) {
    for (p, value) in tests {
        so_far = extreme(so_far, p);
        *value = Nullable::from(Some(so_far));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [Correction; 3] = [Correction::Holm, Correction::Bonferroni, Correction::BenjaminiHochberg];

    fn corrected(p_values: &[Option<f64>], correction: Correction) -> Vec<Option<f64>> {
        let mut values: Vec<Nullable> = p_values.iter().copied().map(Nullable::from).collect();
        correct(&mut values, correction).unwrap();
        values.into_iter().map(Nullable::get).collect()
    }

    #[test]
    fn holm_steps_down() {
        // In sixteenths, which are exact: 1 * 4, 2 * 3, 3 * 2, and then no less than the step before.
        let p_values = [Some(0.25), Some(0.0625), None, Some(0.1875), Some(0.125)];
        let holm = [Some(0.375), Some(0.25), None, Some(0.375), Some(0.375)];
        assert_eq!(corrected(&p_values, Correction::Holm), holm);
        let bonferroni = [Some(1.0), Some(0.25), None, Some(0.75), Some(0.5)];
        assert_eq!(corrected(&p_values, Correction::Bonferroni), bonferroni);
    }

    #[test]
    fn benjamini_and_hochberg_step_up() {
        // In 64ths: 33 * 4 / 4, then 27 * 4 / 3, which is no more than the step before; 8 * 4 / 2 and 6 * 4 / 1.
        let in_64ths = |p_values: [Option<u8>; 5]| p_values.map(|p| p.map(|p| f64::from(p) / 64.0));
        let p_values = in_64ths([Some(27), Some(6), None, Some(33), Some(8)]);
        let expected = in_64ths([Some(33), Some(16), None, Some(33), Some(16)]);
        assert_eq!(corrected(&p_values, Correction::BenjaminiHochberg), expected);
    }

    #[test]
    fn without_tests_there_is_nothing_to_correct() {
        for correction in ALL {
            assert_eq!(corrected(&[], correction), []);
            assert_eq!(corrected(&[None], correction), [None]);
            assert_eq!(corrected(&[None, Some(0.3)], correction), [None, Some(0.3)]);
            let bits = corrected(&[Some(-0.0)], correction)[0].map(f64::to_bits);
            assert_eq!(bits, Some(0.0_f64.to_bits()));
        }
    }

    #[test]
    fn p_values_are_from_0_to_1() {
        for p in [f64::NAN, -1e-300, 1.5, f64::INFINITY] {
            let sentence = format!("p_values must hold numbers from 0 to 1, got {p:?}");
            assert_eq!(check_p_value("p_values", p).unwrap_err().to_string(), sentence);
        }
        assert_eq!([0.0, 1.0].map(|p| check_p_value("p_values", p).unwrap()), [0.0, 1.0]);
    }

    proptest! {
        #[test]
        fn the_order_of_tests_changes_no_corrected_p_value(
            (tests, shuffled) in prop::collection::vec(prop_oneof![0.0..=1.0, Just(0.0), Just(0.5)], 0..20)
                .prop_flat_map(|tests: Vec<f64>| (Just(tests.clone()), Just(tests).prop_shuffle()))
        ) {
            for correction in ALL {
                let by_p = |tests: &[f64]| {
                    let p_values: Vec<Option<f64>> = tests.iter().copied().map(Some).collect();
                    let mut pairs: Vec<_> = p_values.iter().copied().zip(corrected(&p_values, correction)).collect();
                    pairs.sort_by(|one, other| one.partial_cmp(other).unwrap());
                    pairs
                };
                let pairs = by_p(&tests);
                prop_assert!(pairs.iter().all(|(p, corrected)| p <= corrected && *corrected <= Some(1.0)));
                prop_assert_eq!(pairs, by_p(&shuffled));
            }
        }
    }
}
