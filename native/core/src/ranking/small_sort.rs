//! Sorting of short lists by counting greater numbers, which has no branches to mispredict.

/// The length up to which lists are sorted by counting.
pub const SMALL_LIST: usize = 64;

/// The rank of each number of a short list, from 0: how many of them are greater. No number may be NaN.
pub struct SmallRanks {
    /// For each number, how many numbers are greater.
    counts: [u64; SMALL_LIST],
    length: usize,
}

impl SmallRanks {
    /// The ranks of `numbers`; `None` if there are more than [`SMALL_LIST`].
    #[inline]
    pub fn new(numbers: &[f64]) -> Option<Self> {
        let length = numbers.len();
        if length > SMALL_LIST {
            return None;
        }
        let mut counts = [0; SMALL_LIST];
        for (count, number) in counts.iter_mut().zip(numbers) {
            *count = numbers.iter().map(|other| u64::from(other > number)).sum();
        }
        Some(Self { counts, length })
    }

    /// The rank of each number, in the order of the list; equal numbers have equal ranks. `%` spares checks of bounds.
    #[allow(clippy::cast_possible_truncation)]
    pub fn ranks(&self) -> impl Iterator<Item = usize> {
        self.counts[..self.length].iter().map(|count| *count as usize % SMALL_LIST)
    }

    /// Whether all numbers differ: then every rank from 0 to the last one occurs.
    #[inline]
    pub fn has_no_ties(&self) -> bool {
        let seen = self.ranks().fold(0_u64, |seen, rank| seen | 1 << rank);
        // One bit for each rank of a list of this length; none if it is empty, because no word is shifted by 64 bits.
        seen == u64::MAX.checked_shr(u32::try_from(SMALL_LIST - self.length).unwrap_or(0)).unwrap_or(0)
    }
}

/// Sorts numbers in descending order. None of them may be NaN.
pub fn sort_descending(numbers: &mut [f64]) {
    let Some(ranks) = SmallRanks::new(numbers) else {
        numbers.sort_unstable_by(|one, other| other.total_cmp(one));
        return;
    };
    let mut sorted = [0.0; SMALL_LIST];
    let mut placed = [0; SMALL_LIST];
    for (number, rank) in numbers.iter().zip(ranks.ranks()) {
        sorted[(rank + placed[rank]) % SMALL_LIST] = *number;
        placed[rank] += 1;
    }
    numbers.copy_from_slice(&sorted[..numbers.len()]);
}

/// Sorts numbers that all differ in ascending order.
pub fn sort_distinct(numbers: &mut [u32]) {
    /// How many numbers are compared with one at once.
    const LANES: usize = 8;
    if numbers.len() > SMALL_LIST {
        return numbers.sort_unstable();
    }
    // Signed integers in the same order, which processors of every age compare at once. The rest is above all of them.
    let mut signed = [i32::MAX; SMALL_LIST];
    for (signed, number) in signed.iter_mut().zip(&*numbers) {
        *signed = (number ^ 1 << 31).cast_signed();
    }
    let (compared, _) = signed[..numbers.len().next_multiple_of(LANES)].as_chunks::<LANES>();
    let mut sorted = [0; SMALL_LIST];
    for (signed, number) in signed.iter().zip(&*numbers) {
        let mut less = [0; LANES];
        for lanes in compared {
            less.iter_mut().zip(lanes).for_each(|(less, other)| *less += u32::from(other < signed));
        }
        sorted[less.iter().sum::<u32>() as usize % SMALL_LIST] = *number;
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
            if let Some(ranks) = SmallRanks::new(&numbers) {
                prop_assert_eq!(ranks.has_no_ties(), distinct);
            }
            sort_descending(&mut numbers);
            prop_assert_eq!(numbers, expected);
        }

        #[test]
        fn distinct_numbers_are_sorted(numbers in prop::collection::hash_set(any::<u32>(), 0..100)) {
            let mut numbers: Vec<u32> = numbers.into_iter().collect();
            let mut expected = numbers.clone();
            expected.sort_unstable();
            sort_distinct(&mut numbers);
            prop_assert_eq!(numbers, expected);
        }
    }

    #[test]
    fn none_and_the_most() {
        assert!(SmallRanks::new(&[]).unwrap().has_no_ties());
        let numbers: Vec<f64> = (0..SMALL_LIST).map(|number| number as f64).collect();
        assert!(SmallRanks::new(&numbers).unwrap().has_no_ties());
    }
}
