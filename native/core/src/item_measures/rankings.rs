//! Rankings whose items are numbers, so that properties of items are read from lists.

use std::ops::Range;

use crate::error::Error;
use crate::item_measures::label_weights::LabelWeights;
use crate::item_measures::labels::Labels;
use crate::memory::collected;
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
    /// Whether each of `items` is relevant; none if the call has no truth.
    are_relevant: &'a [bool],
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

    /// The relevant items among those of [`Self::known`].
    pub fn hits(&self) -> impl Iterator<Item = (usize, usize)> {
        self.known().filter(|(place, _)| self.are_relevant.get(*place) == Some(&true))
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
    /// For each item of a ranking, which are the first ones of `numbers`, whether it is relevant; none if the call has no truth.
    pub are_relevant: Vec<bool>,
}

impl Lists {
    /// The rankings that are not NULL, cut at k.
    pub fn cut(&self, k: Option<usize>) -> impl Iterator<Item = Ranking<'_>> {
        self.rankings.iter().enumerate().filter_map(move |(user, span)| {
            let all = span.clone()?;
            let shown = all.start..all.end.min(all.start.saturating_add(k.unwrap_or(usize::MAX)));
            Some(Ranking {
                items: &self.numbers[shown.clone()],
                catalogue: self.catalogue,
                truth: self.truths.get(user).map(|span| &self.numbers[span.clone()]),
                are_relevant: self.are_relevant.get(shown).unwrap_or_default(),
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
    /// The natural logarithm of each of these ranks.
    pub logs: Vec<f64>,
}

/// Buffers for measures of labels, kept for their memory.
#[derive(Default)]
pub struct LabelBuffers {
    /// The weights of labels among two lists of items; none at first.
    pub weights: [LabelWeights; 2],
    /// A number for each label, left over from earlier use.
    pub numbers: Vec<f64>,
}

/// The share of each label of a catalogue: among the items that have any, of which one with several divides its part.
pub fn shares(labels: &Labels) -> Result<Vec<f64>, Error> {
    let mut weights = LabelWeights::default();
    weights.clear(labels.distinct)?;
    let mut items = 0.0;
    for set in labels.sets() {
        items += 1.0;
        weights.add(set, 1.0);
    }
    collected((0..labels.distinct).map(|label| weights.of(label) / items))
}

/// The standard deviation of some numbers over their mean; `None` if the mean is not above 0.
pub fn deviation(numbers: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let n = as_f64(numbers.clone().count());
    let mean = numbers.clone().sum::<f64>() / n;
    let squares: f64 = numbers.map(|number| (number - mean) * (number - mean)).sum();
    (mean > 0.0).then(|| (squares / n).sqrt() / mean)
}
