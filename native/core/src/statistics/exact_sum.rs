//! The exact sum of floating-point numbers, rounded once at the end, so that it does not depend on their order.
//!
//! Source: Neal, Fast Exact Summation Using Small and Large Superaccumulators, 2015, arXiv:1505.05571; here with limbs
//! of 128 bits.

/// The number of bits by which one limb is more significant than the one before it.
const LIMB_BITS: usize = 64;
/// The number of limbs. Together they hold all bits of doubles, from 2^-1074 to 2^1023, and the carries of as many
/// terms as there can be.
const LIMBS: usize = 34;
/// The number of terms after which carries are passed on. A term adds less than 2^116 to a limb, which holds 2^127.
const TERMS: usize = 1 << 10;
/// The exponent of two of the least significant bit.
const LEAST_EXPONENT: i32 = -1074;
/// The number of bits of a double's significand that are stored.
const STORED_BITS: u32 = f64::MANTISSA_DIGITS - 1;

/// A sum under construction, as an integer in units of 2^-1074.
struct ExactSum {
    /// The limbs, the least significant one first: the limb at index i counts 2^(64 i) units. Limbs may overlap until
    /// carries are passed on.
    limbs: [i128; LIMBS],
    /// The sum of the terms that are not finite; 0 if there are none.
    not_finite: f64,
}

/// The sum of all terms, rounded once. If there are infinite terms or NaN, it is the sum of these.
pub(super) fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    let mut sum = ExactSum { limbs: [0; LIMBS], not_finite: 0.0 };
    for (term, number) in terms.zip(1_usize..) {
        sum.add(term);
        if number % TERMS == 0 {
            sum.carry();
        }
    }
    sum.rounded()
}

impl ExactSum {
    /// Adds a term. Carries must be passed on after [`TERMS`] of them.
    #[inline(always)]
    fn add(&mut self, term: f64) {
        let bits = term.to_bits();
        let stored = bits & ((1 << STORED_BITS) - 1);
        let exponent = (bits >> STORED_BITS & 0x7ff) as usize;
        if exponent == 0x7ff {
            self.not_finite += term;
            return;
        }
        // Subnormal numbers have no implicit leading bit, and the exponent of the least normal ones.
        let is_normal = u64::from(exponent > 0);
        let significand = i128::from(stored | is_normal << STORED_BITS);
        let place = exponent.saturating_sub(1);
        let shifted = significand << (place % LIMB_BITS);
        self.limbs[place / LIMB_BITS] += if term.is_sign_negative() { -shifted } else { shifted };
    }

    /// Passes carries on: every limb but the last is then from 0 to 2^64 (exclusive).
    fn carry(&mut self) {
        let mut carry = 0;
        let (last, others) = self.limbs.split_last_mut().expect("there are limbs");
        for limb in others {
            let value = *limb + carry;
            carry = value >> LIMB_BITS;
            *limb = value & i128::from(u64::MAX);
        }
        *last += carry;
    }

    /// The sum, rounded to the nearest double, ties to even.
    fn rounded(mut self) -> f64 {
        if self.not_finite != 0.0 {
            return self.not_finite;
        }
        self.carry();
        let is_negative = self.limbs[LIMBS - 1] < 0;
        if is_negative {
            self.limbs.iter_mut().for_each(|limb| *limb = -*limb);
            self.carry();
        }
        let Some(highest) = self.limbs.iter().rposition(|limb| *limb != 0) else { return 0.0 };
        let before = highest.saturating_sub(1);
        let limb = |index: usize| self.limbs[index].cast_unsigned();
        let leading = if highest == 0 { limb(0) } else { limb(highest) << LIMB_BITS | limb(before) };
        // More than 64 bits are leading if any follow, so one bit for all that follow decides ties as they do.
        let follows = self.limbs[..before].iter().any(|limb| *limb != 0);
        let size = (leading | u128::from(follows)) as f64 * power_of_two(before);
        if is_negative { -size } else { size }
    }
}

/// The value of the least significant bit of the limb at `index`, which is exact.
fn power_of_two(index: usize) -> f64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)] // there are few limbs
    let exponent = LEAST_EXPONENT + (index * LIMB_BITS) as i32;
    let least_normal = f64::MIN_EXP - 1;
    if exponent < least_normal {
        f64::from_bits(1 << (exponent - LEAST_EXPONENT))
    } else {
        f64::from_bits(u64::from((exponent - least_normal + 1).unsigned_abs()) << STORED_BITS)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(terms: &[f64]) -> f64 {
        sum(terms.iter().copied())
    }

    #[test]
    fn a_sum_keeps_what_large_terms_hide() {
        assert_eq!(of(&[1e16, 1.0, -1e16]), 1.0);
        assert_eq!(of(&[1e308, 1e308, 1e-320, -1e308, -1e308]), 1e-320);
        assert_eq!(of(&[f64::MAX, f64::MAX]), f64::INFINITY);
        assert_eq!(of(&[-f64::MAX, -f64::MAX]), f64::NEG_INFINITY);
    }

    #[test]
    fn the_sum_is_rounded_once_with_ties_to_even() {
        let half = f64::EPSILON / 2.0;
        assert_eq!(of(&[1.0, half]), 1.0);
        assert_eq!(of(&[1.0, half, f64::from_bits(1)]), 1.0 + f64::EPSILON);
        assert_eq!(of(&[1.0 + f64::EPSILON, half]), 1.0 + 2.0 * f64::EPSILON);
        assert_eq!(of(&[-1.0, -half, -f64::from_bits(1)]), -1.0 - f64::EPSILON);
        assert_eq!(of(&[f64::MIN_POSITIVE, -f64::from_bits(1)]), f64::MIN_POSITIVE - f64::from_bits(1));
    }

    #[test]
    fn a_sum_of_nothing_is_a_positive_zero() {
        for terms in [&[][..], &[-0.0], &[0.5, -0.5]] {
            assert_eq!(of(terms).to_bits(), 0, "{terms:?}");
        }
    }

    #[test]
    fn terms_that_are_not_finite_decide() {
        assert_eq!(of(&[1.0, f64::INFINITY]), f64::INFINITY);
        assert!(of(&[f64::NEG_INFINITY, 1.0, f64::INFINITY]).is_nan());
        assert!(of(&[f64::NAN, 1.0]).is_nan());
    }

    #[test]
    fn carries_are_passed_on_before_limbs_overflow() {
        // The largest significand at the largest shift within a limb: the place is 63 above a multiple of 64.
        let term = (2.0 - f64::EPSILON) * power_of_two(16) * 2_f64.powi(63 + 52);
        for sign in [1.0, -1.0] {
            assert_eq!(sum((0..1 << 16).map(|_| sign * term)), sign * term * f64::from(1 << 16));
        }
    }

    proptest! {
        #[test]
        fn integers_are_summed_as_integers(numbers in prop::collection::vec(any::<i64>(), 0..60), scale in -1100..900_i32) {
            // The numbers are multiples of a power of two, and so is their sum; rounding it twice would differ.
            let numbers: Vec<i64> = numbers.iter().map(|number| number >> 11).collect();
            let total: i128 = numbers.iter().copied().map(i128::from).sum();
            let scale = 2_f64.powi(scale / 2) * 2_f64.powi(scale - scale / 2);
            prop_assume!(scale >= f64::from_bits(1));
            let scaled = |number: i128| number as f64 * scale;
            prop_assert_eq!(of(&numbers.iter().map(|n| scaled((*n).into())).collect::<Vec<_>>()), scaled(total));
        }

        #[test]
        fn the_order_of_terms_changes_no_bit(
            (terms, shuffled) in prop::collection::vec(prop::num::f64::ANY, 0..50)
                .prop_map(|terms| terms.into_iter().filter(|term| term.is_finite()).collect::<Vec<_>>())
                .prop_flat_map(|terms| (Just(terms.clone()), Just(terms).prop_shuffle()))
        ) {
            prop_assert_eq!(of(&terms).to_bits(), of(&shuffled).to_bits());
        }

        #[test]
        fn two_terms_are_added_as_the_processor_adds(one in prop::num::f64::ANY, other in prop::num::f64::ANY) {
            let expected = one + other;
            let got = of(&[one, other]);
            prop_assert!(got == expected || got.is_nan() && expected.is_nan(), "{one:e} {other:e}: {got:e}");
        }
    }
}
