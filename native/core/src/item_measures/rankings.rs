//! Rankings whose items are numbers, so that properties of items are read from lists.

use std::ops::Range;

use crate::item_measures::labels::Labels;
use crate::ranking::as_f64;
use crate::ranking::discount::Discounts;

/// The number of an item that is NULL: it takes a place, and is no item of the catalogue.
pub const NO_ITEM: u32 = u32::MAX;

/// The ranking of one user, cut at k. Its items are numbers, each at most once.
pub struct Ranking<'a> {
    /// The items, best first. The numbers of those of the catalogue are below `catalogue`.
    pub items: &'a [u32],
    /// How many items the catalogue has.
    pub catalogue: usize,
    /// The relevant items of the user, ascending; `None` if the call has no truth.
    pub truth: Option<&'a [u32]>,
}

impl Ranking<'_> {
    /// The items of the catalogue among these, with their places from 0.
    pub fn known(&self) -> impl Iterator<Item = (usize, usize)> + Clone {
        let known = |item: &u32| (*item as usize) < self.catalogue;
        let placed = self.items.iter().enumerate();
        placed.filter(move |(_, item)| known(item)).map(|(place, item)| (place, *item as usize))
    }

    /// How many of its items are not in the catalogue; a NULL is none.
    pub fn unknown(&self) -> usize {
        self.items.iter().filter(|item| **item != NO_ITEM && **item as usize >= self.catalogue).count()
    }

    /// Whether any of its items is not NULL.
    pub fn has_item(&self) -> bool {
        self.items.iter().any(|item| *item != NO_ITEM)
    }

    /// Whether an item is relevant.
    pub fn is_relevant(&self, item: usize) -> bool {
        let truth = self.truth.unwrap_or_default();
        u32::try_from(item).is_ok_and(|item| truth.binary_search(&item).is_ok())
    }
}

/// The rankings and the truths of all users, with items as numbers: those of the catalogue come first.
#[derive(Default)]
pub struct Lists {
    /// How many items the catalogue has.
    pub catalogue: usize,
    /// How many distinct items there are.
    pub items: usize,
    /// The items of all lists, one list after the other.
    pub numbers: Vec<u32>,
    /// The ranking of each user in `numbers`; `None` for a NULL.
    pub rankings: Vec<Option<Range<usize>>>,
    /// The truth of each user in `numbers`, ascending; none if the call has no truth.
    pub truths: Vec<Range<usize>>,
}

impl Lists {
    /// The rankings that are not NULL, cut at k.
    pub fn cut(&self, k: Option<usize>) -> impl Iterator<Item = Ranking<'_>> {
        self.rankings.iter().enumerate().filter_map(move |(user, span)| {
            let all = &self.numbers[span.clone()?];
            Some(Ranking {
                items: &all[..all.len().min(k.unwrap_or(usize::MAX))],
                catalogue: self.catalogue,
                truth: self.truths.get(user).map(|span| &self.numbers[span.clone()]),
            })
        })
    }
}

/// The rankings of all users, each cut at k.
pub struct Rankings<'a> {
    pub lists: &'a Lists,
    pub k: Option<usize>,
    /// How many rankings have each item, first those of the catalogue.
    pub exposures: &'a [u32],
    /// The labels of its items; `None` if the measure reads none.
    pub labels: Option<&'a Labels>,
}

impl Rankings<'_> {
    /// How many items the catalogue has.
    pub fn catalogue(&self) -> usize {
        self.lists.catalogue
    }

    /// The ranking of each user.
    pub fn each(&self) -> impl Iterator<Item = Ranking<'_>> {
        self.lists.cut(self.k)
    }

    /// How many rankings have an item.
    pub fn times(&self, item: usize) -> usize {
        self.exposures[item] as usize
    }

    /// For each number of rankings from 0 to the largest exposure and one more, how many items of the catalogue are in fewer.
    pub fn rarer(&self) -> Vec<usize> {
        let most = self.exposures[..self.catalogue()].iter().max();
        let mut rarer = vec![0; most.map_or(1, |most| *most as usize + 2)];
        for item in 0..self.catalogue() {
            rarer[self.times(item) + 1] += 1;
        }
        for times in 1..rarer.len() {
            rarer[times] += rarer[times - 1];
        }
        rarer
    }

    /// How many places the rankings have together, those of items of the catalogue.
    pub fn total(&self) -> usize {
        (0..self.catalogue()).map(|item| self.times(item)).sum()
    }
}

/// The labels of a catalogue, and the numbers beside them that measures of one ranking read.
pub struct LabelledItems {
    pub labels: Labels,
    /// The share of each label, as [`shares`] has it.
    pub shares: Vec<f64>,
    /// 1 / log2(rank + 1), for as many ranks as any ranking has.
    pub discounts: Discounts,
}

/// The share of each label of a catalogue: among the items that have any, of which one with several divides its part.
pub fn shares(labels: &Labels) -> Vec<f64> {
    let mut shares = vec![0.0; labels.distinct];
    let mut items = 0.0;
    for set in labels.sets() {
        items += 1.0;
        add(set, 1.0, &mut shares);
    }
    divide(&mut shares, items);
    shares
}

/// Adds the weight of an item with these labels to their parts. Each label has an equal part of it.
pub fn add(labels: &[u32], weight: f64, parts: &mut [f64]) {
    match labels {
        [label] => parts[*label as usize] += weight, // without a division: most items have one label
        _ => labels.iter().for_each(|label| parts[*label as usize] += weight / as_f64(labels.len())),
    }
}

/// Divides all parts by a total.
pub fn divide(parts: &mut [f64], total: f64) {
    for part in parts {
        *part /= total;
    }
}

/// The sum of p log(p / q) over labels, with the natural logarithm: infinite if a label of p has no part in q.
pub fn divergence(p: impl Iterator<Item = f64>, q: impl Iterator<Item = f64>) -> f64 {
    p.zip(q).filter(|(p, _)| *p > 0.0).map(|(p, q)| p * (p / q).ln()).sum::<f64>().max(0.0)
}

/// The standard deviation of some numbers over their mean; `None` if the mean is not above 0.
pub fn deviation(numbers: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let n = as_f64(numbers.clone().count());
    let mean = numbers.clone().sum::<f64>() / n;
    let squares: f64 = numbers.map(|number| (number - mean) * (number - mean)).sum();
    (mean > 0.0).then(|| (squares / n).sqrt() / mean)
}
