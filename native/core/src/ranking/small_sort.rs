//! Ordering a few numbers by counting, which takes no branch that cannot be foreseen.

/// Up to this many numbers are few.
pub const FEW: usize = 64;

/// For each of a few numbers, none of them NaN, how many of them are greater.
pub struct Greater {
    counts: [u64; FEW],
    length: usize,
}

impl Greater {
    /// `None` where the numbers are not few.
    #[inline]
    pub fn than(numbers: &[f64]) -> Option<Self> {
        let length = numbers.len();
        if length > FEW {
            return None;
        }
        let mut counts = [0; FEW];
        for (count, number) in counts.iter_mut().zip(numbers) {
            *count = numbers.iter().map(|other| u64::from(other > number)).sum();
        }
        Some(Self { counts, length })
    }

    /// The counts, one for each number.
    #[allow(clippy::cast_possible_truncation)]
    pub fn counts(&self) -> impl Iterator<Item = usize> {
        self.counts[..self.length].iter().map(|count| *count as usize % FEW)
    }

    /// Whether no two numbers are equal.
    #[inline]
    pub fn are_different(&self) -> bool {
        let seen = self.counts().fold(0_u64, |seen, count| seen | 1 << count);
        seen == u64::MAX.checked_shr(u32::try_from(FEW - self.length).unwrap_or(0)).unwrap_or(0)
    }
}

/// Sorts numbers, none of them NaN, the greatest first.
pub fn sort_descending(numbers: &mut [f64]) {
    let Some(greater) = Greater::than(numbers) else {
        numbers.sort_unstable_by(|one, other| other.total_cmp(one));
        return;
    };
    let mut sorted = [0.0; FEW];
    let mut equal = [0; FEW];
    for (number, place) in numbers.iter().zip(greater.counts()) {
        sorted[(place + equal[place]) % FEW] = *number;
        equal[place] += 1;
    }
    numbers.copy_from_slice(&sorted[..numbers.len()]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn counting_sorts_as_sorting_does(numbers in prop::collection::vec(0_u8..40, 0..100)) {
            let mut numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
            let mut expected = numbers.clone();
            expected.sort_unstable_by(|one, other| other.total_cmp(one));
            let distinct = expected.windows(2).all(|pair| pair[0] != pair[1]);
            if let Some(greater) = Greater::than(&numbers) {
                prop_assert_eq!(greater.are_different(), distinct);
            }
            sort_descending(&mut numbers);
            prop_assert_eq!(numbers, expected);
        }
    }

    #[test]
    fn none_and_the_most() {
        assert!(Greater::than(&[]).unwrap().are_different());
        let numbers: Vec<f64> = (0..FEW).map(|number| number as f64).collect();
        assert!(Greater::than(&numbers).unwrap().are_different());
    }
}
