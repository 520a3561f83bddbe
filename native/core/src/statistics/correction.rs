//! Corrections of p-values for the number of tests.

use crate::error::{Error, bail};
use crate::memory::Grow;
use crate::options::choices::Correction;
use crate::values::Nullable;

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
    // A corrected p-value is not below that of a smaller p-value.
    let mut least = 0.0_f64;
    for (place, (p, value)) in tests.into_iter().enumerate() {
        let factor = match correction {
            Correction::Holm => m - place,
            Correction::Bonferroni => m,
        };
        // Adding 0 turns -0 into 0.
        least = least.max((p * factor as f64).min(1.0) + 0.0);
        *value = Nullable::from(Some(least));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
    fn without_tests_there_is_nothing_to_correct() {
        for correction in [Correction::Holm, Correction::Bonferroni] {
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
            for correction in [Correction::Holm, Correction::Bonferroni] {
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
