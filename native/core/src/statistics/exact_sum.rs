//! The exact sum of floating-point numbers, rounded once at the end, so that it does not depend on their order.
//!
//! Sources: Neal, Fast Exact Summation Using Small and Large Superaccumulators, 2015, arXiv:1505.05571; here with limbs
//! of 128 bits. Rump, Ogita and Oishi, Accurate Floating-Point Summation Part I, SIAM Journal on Scientific Computing
//! 2008, for the leading bits of many terms at once.

use std::array::from_fn;

/// The number of bits by which one limb is more significant than the one before it.
const LIMB_BITS: usize = 64;
/// The number of limbs. Together they hold all bits of doubles, from 2^-1074 to 2^1023, and the carries of as many
/// terms as there can be.
const LIMBS: usize = 34;
/// The number of terms after which carries are passed on. A term adds less than 2^116 to a limb, which holds 2^127.
const BLOCK: usize = 1 << 9;
/// How often leading bits are split from a block. After two splits, terms of similar size have no bits left.
const SPLITS: usize = 3;
/// The number of sums that are added up side by side, so that the processor adds several at once.
const LANES: usize = 8;
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
pub(crate) fn sum(mut terms: impl Iterator<Item = f64>) -> f64 {
    let mut sum = ExactSum { limbs: [0; LIMBS], not_finite: 0.0 };
    let mut block = [0.0; BLOCK];
    loop {
        let mut length = 0_usize;
        for (place, term) in block.iter_mut().zip(terms.by_ref()) {
            *place = term;
            length += 1;
        }
        let padded = length.next_multiple_of(LANES);
        block[length..padded].fill(0.0);
        sum.add_block(&mut block[..padded]);
        if length < BLOCK {
            return sum.rounded();
        }
    }
}

/// Splits the leading bits from every term, and returns their sum, which is exact. The terms keep the other bits. There
/// are at most [`BLOCK`] terms, in whole lanes. `None` if all terms are 0 or one is too large; they then stay as they
/// are.
fn split(terms: &mut [f64]) -> Option<f64> {
    /// The largest exponent of the largest term, as it is stored, with which the anchor is finite.
    const MAX_EXPONENT: u64 = 0x7fe - (BLOCK.ilog2() + 1) as u64;
    let mut largest = [0.0; LANES];
    for lanes in terms.as_chunks::<LANES>().0 {
        largest = from_fn(|lane| {
            let size = lanes[lane].abs();
            if size > largest[lane] { size } else { largest[lane] }
        });
    }
    let largest = largest.into_iter().fold(0.0, f64::max);
    let exponent = largest.to_bits() >> STORED_BITS;
    if largest == 0.0 || exponent > MAX_EXPONENT {
        return None;
    }
    // One and a half times a power of two that all terms together do not exceed. Added to a term, it leaves no bits but
    // multiples of its own last place, of which any sum of terms is exact.
    let anchor =
        f64::from_bits((exponent + 1 + u64::from(BLOCK.ilog2())) << STORED_BITS | 1 << (STORED_BITS - 1));
    let mut sums = [0.0; LANES];
    for lanes in terms.as_chunks_mut::<LANES>().0 {
        let leading: [f64; LANES] = lanes.map(|term| (anchor + term) - anchor);
        sums = from_fn(|lane| sums[lane] + leading[lane]);
        *lanes = from_fn(|lane| lanes[lane] - leading[lane]);
    }
    Some(sums.iter().sum())
}

impl ExactSum {
    /// Adds the terms of a block, in whole lanes, and passes on carries. The terms are overwritten.
    fn add_block(&mut self, terms: &mut [f64]) {
        for _ in 0..SPLITS {
            let Some(leading) = split(terms) else { break };
            self.add(leading);
        }
        for term in terms.iter().filter(|term| **term != 0.0) {
            self.add(*term);
        }
        self.carry();
    }

    /// Adds a term. Carries must be passed on after [`BLOCK`] of them.
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
        for terms in [&[][..], &[-0.0], &[0.5, -0.5], &[-0.0; 3 * BLOCK]] {
            assert_eq!(of(terms).to_bits(), 0, "{terms:?}");
        }
    }

    #[test]
    fn carries_are_passed_on_before_limbs_overflow() {
        // Such terms are too large to be split, and 2^14 of one sign are more than a limb holds.
        const SAME: i32 = 1 << 14;
        for first in [f64::MAX, -f64::MAX] {
            assert_eq!(sum((0..2 * SAME).map(|i| if i < SAME { first } else { -first })), 0.0);
        }
        // The largest significand at the largest shift within a limb: the place is 63 above a multiple of 64.
        let term = (2.0 - f64::EPSILON) * power_of_two(16) * 2_f64.powi(63 + 52);
        for sign in [1.0, -1.0] {
            assert_eq!(sum((0..1 << 16).map(|_| sign * term)), sign * term * f64::from(1 << 16));
        }
    }

    /// The sum of the terms, each of which goes into the limbs as it is.
    fn unsplit(terms: &[f64]) -> f64 {
        let mut sum = ExactSum { limbs: [0; LIMBS], not_finite: 0.0 };
        for term in terms {
            sum.add(*term);
            sum.carry();
        }
        sum.rounded()
    }

    #[test]
    fn splitting_changes_no_bit_at_the_ends_of_the_range_of_exponents() {
        let ends =
            [f64::from_bits(1), f64::MIN_POSITIVE, 1e-300, 1.0, 1e300, f64::MAX / 1024.0, f64::MAX / 4.0];
        for one in ends {
            for other in ends {
                let terms: Vec<f64> = (1..BLOCK + 9)
                    .map(|i| if i % 3 == 0 { -one / i as f64 } else { other / i as f64 })
                    .collect();
                assert_eq!(of(&terms).to_bits(), unsplit(&terms).to_bits(), "{one:e} {other:e}");
            }
        }
    }

    proptest! {
        #[test]
        fn splitting_changes_no_bit(
            terms in prop::collection::vec(
                prop_oneof![-1.0..1.0, 0.0..1e-9, Just(1.0), prop::num::f64::NORMAL, prop::num::f64::SUBNORMAL],
                0..3 * BLOCK,
            ),
            largest in -300..300_i32,
        ) {
            let largest = 10_f64.powi(largest);
            let terms: Vec<f64> = terms.into_iter().filter(|term: &f64| term.abs() <= largest).collect();
            prop_assert_eq!(of(&terms).to_bits(), unsplit(&terms).to_bits());
        }

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
        fn two_terms_are_added_as_the_processor_adds(one in prop::num::f64::ANY, other in prop::num::f64::ANY) {
            let expected = one + other;
            let got = of(&[one, other]);
            prop_assert!(got == expected || got.is_nan() && expected.is_nan(), "{one:e} {other:e}: {got:e}");
        }
    }
}
