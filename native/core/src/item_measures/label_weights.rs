//! Weights of labels, such as the shares of the categories in a ranking.

use crate::error::Error;
use crate::memory::Grow;
use crate::ranking::as_f64;

/// The weights of the labels of one list. Labels with a weight are listed, so that a list takes no longer if the catalogue has
/// many labels.
#[derive(Default)]
pub struct LabelWeights {
    /// The weight of each label of the catalogue; 0 if none was added.
    weights: Vec<f64>,
    /// Labels with a weight: the bits of a word, and the first `count` ones of a list, in the order in which they were added.
    word: u64,
    labels: Vec<u32>,
    count: usize,
}

impl LabelWeights {
    /// Removes all weights; the catalogue has this number of labels.
    pub fn clear(&mut self, labels: usize) -> Result<(), Error> {
        if self.word == 0 {
            self.labels[..self.count].iter().for_each(|label| self.weights[*label as usize] = 0.0);
        } else {
            self.weights.fill(0.0); // no more than a word has bits
        }
        (self.word, self.count) = (0, 0);
        self.weights.try_resize(labels, 0.0)?;
        self.labels.try_resize(labels + 1, 0)
    }

    /// Adds the weights of some items with their labels. A weight is above 0, and each label of its item gets an equal part.
    /// Returns the sum of the weights of items that have a label.
    #[inline]
    pub fn add<'l>(&mut self, items: impl Iterator<Item = (&'l [u32], f64)>) -> f64 {
        let (mut count, mut total) = (self.count, 0.0);
        for (labels, weight) in items {
            total += if labels.is_empty() { 0.0 } else { weight };
            let part = if labels.len() == 1 { weight } else { weight / as_f64(labels.len()) };
            for label in labels {
                let sum = &mut self.weights[*label as usize];
                // Without a branch, which would often be predicted wrongly: an entry that does not count is overwritten.
                self.labels[count] = *label;
                count += usize::from(*sum == 0.0);
                *sum += part;
            }
        }
        self.count = count;
        total
    }

    /// As [`Self::add`], for labels that are the bits of a word.
    #[inline]
    pub fn add_words(&mut self, items: impl Iterator<Item = (u64, f64)>) -> f64 {
        let mut total = 0.0;
        for (word, weight) in items {
            total += if word == 0 { 0.0 } else { weight };
            let part = weight / f64::from(word.count_ones());
            bits(word).for_each(|label| self.weights[label] += part);
            self.word |= word;
        }
        total
    }

    /// The weight of a label.
    pub fn of(&self, label: usize) -> f64 {
        self.weights[label]
    }

    /// The labels with a weight.
    pub fn each(&self) -> impl Iterator<Item = (usize, f64)> {
        let listed = self.labels[..self.count].iter().map(|label| *label as usize);
        bits(self.word).chain(listed).map(|label| (label, self.weights[label]))
    }
}

/// The numbers of the bits that are set, ascending from that of the least significant one, 0.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        let is_set = word != 0;
        word &= word.wrapping_sub(1);
        is_set.then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_the_last_list() {
        let mut weights = LabelWeights::default();
        for (labels, lists) in
            [(3, vec![vec![2], vec![0, 2]]), (3, vec![vec![1]]), (5, vec![vec![4, 2], vec![]]), (2, vec![])]
        {
            weights.clear(labels).unwrap();
            let with_label = lists.iter().filter(|set| !set.is_empty()).count();
            let total = weights.add(lists.iter().map(|set| (&set[..], 1.0)));
            assert_eq!(total, as_f64(with_label));
            let part = |label: u32| -> f64 {
                let has_label = lists.iter().filter(|set: &&Vec<u32>| set.contains(&label));
                has_label.map(|set| 1.0 / as_f64(set.len())).sum()
            };
            let expected: Vec<f64> = (0..).take(labels).map(part).collect();
            assert_eq!((0..labels).map(|label| weights.of(label)).collect::<Vec<_>>(), expected);
            let mut listed: Vec<_> = weights.each().collect();
            listed.sort_by_key(|(label, _)| *label);
            let above_zero = |(_, part): &(usize, f64)| *part > 0.0;
            assert_eq!(listed, expected.into_iter().enumerate().filter(above_zero).collect::<Vec<_>>());
        }
    }
}
