//! Rankings whose items are numbers, so that properties of items are read from lists.

use crate::error::Error;
use crate::item_measures::label_weights::LabelWeights;
use crate::item_measures::labels::Labels;
use crate::memory::{Grow, collected};
use crate::options::choices::Discount;
use crate::ranking::as_f64;
use crate::ranking::discount::Discounts;
use crate::results::Nullable;

/// The number of an item that is NULL: it takes a place, and is no item of the catalogue.
pub const NO_ITEM: u32 = u32::MAX;

/// The lists of all users, with items as numbers: those of the catalogue come first.
pub struct Lists {
    /// How many items the catalogue has.
    pub catalogue: usize,
    /// How many distinct items the catalogue and the rankings have.
    pub items: usize,
    /// The lists of all users, in their order.
    pub parts: Vec<ListsOfUsers>,
}

/// The lists of some users.
#[derive(Default)]
pub struct ListsOfUsers {
    /// The items of all rankings, one ranking after the other.
    pub ranked: Vec<u32>,
    /// For each of these items, whether it is relevant to its user; none if the call has no truth.
    pub are_relevant: Vec<bool>,
    /// How many of these items the ranking of each user has; `None` for a NULL.
    pub rankings: Vec<Option<u32>>,
    /// The relevant items that the catalogue has, one user after the other, those of each ascending.
    pub relevant: Vec<u32>,
    /// How many of these each user has; none if the call has no truth.
    pub truths: Vec<u32>,
}

impl Lists {
    /// How many users there are.
    pub fn users(&self) -> usize {
        self.parts.iter().map(|part| part.rankings.len()).sum()
    }

    /// The rankings that are not NULL, cut at k.
    pub fn cut(&self, k: Option<usize>) -> impl Iterator<Item = Ranking<'_>> {
        self.parts.iter().flat_map(move |part| part.cut(k, self.catalogue))
    }
}

impl ListsOfUsers {
    /// The rankings that are not NULL, cut at k; the catalogue has so many items.
    pub fn cut(&self, k: Option<usize>, catalogue: usize) -> impl Iterator<Item = Ranking<'_>> {
        let (mut ranked, mut are_relevant, mut relevant) =
            (&self.ranked[..], &self.are_relevant[..], &self.relevant[..]);
        self.rankings.iter().enumerate().filter_map(move |(user, length)| {
            let places = ..length.unwrap_or(0) as usize;
            let items = ranked.split_off(places).unwrap_or_default();
            let are_relevant = are_relevant.split_off(places).unwrap_or_default();
            let truth = self.truths.get(user).copied().unwrap_or(0);
            let relevant = relevant.split_off(..truth as usize).unwrap_or_default();
            let items = &items[..k.unwrap_or(usize::MAX).min(items.len())];
            length.map(|_| Ranking { items, are_relevant, relevant, catalogue, user })
        })
    }
}

/// The ranking of one user, cut at k. Its items are numbers, each at most once.
pub struct Ranking<'a> {
    /// The items, best first. The numbers of those of the catalogue are below `catalogue`.
    pub items: &'a [u32],
    /// For each item, whether it is relevant to the user; none if the call has no truth.
    are_relevant: &'a [bool],
    /// The relevant items that the catalogue has, ascending; none if the call has no truth.
    relevant: &'a [u32],
    /// How many items the catalogue has.
    pub catalogue: usize,
    /// The place of the user among those of the part.
    pub user: usize,
}

impl<'a> Ranking<'a> {
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

    /// The relevant items that the catalogue has, ascending.
    pub fn relevant(&self) -> impl ExactSizeIterator<Item = usize> + use<'a> {
        self.relevant.iter().map(|item| *item as usize)
    }

    /// How many relevant items the catalogue has.
    pub fn wanted(&self) -> usize {
        self.relevant.len()
    }

    /// The relevant items among those of [`Self::known`].
    pub fn hits(&self) -> impl Iterator<Item = (usize, usize)> {
        self.known().filter(|(place, _)| self.are_relevant.get(*place) == Some(&true))
    }
}

/// The rankings of all users, each cut at k.
pub struct Rankings<'a> {
    pub lists: &'a Lists,
    pub k: Option<usize>,
    /// How many rankings have each item, first those of the catalogue.
    pub exposures: &'a [u32],
    /// The labels of the catalogue; `None` if the measure reads none.
    pub labelled: Option<&'a LabelledItems>,
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

    /// Adds the value of a measure without each ranking to `without`.
    pub fn leave_out_each(
        &self,
        without: &mut Vec<Nullable>,
        mut value: impl FnMut(&Ranking) -> Option<f64>,
    ) {
        for part in &self.lists.parts {
            without.extend(part.cut(self.k, self.catalogue()).map(|ranking| Nullable::from(value(&ranking))));
        }
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
    /// How many items have a label.
    pub with_label: f64,
    /// The share of each label: among the items that have any, of which one with several divides its part.
    pub shares: Vec<f64>,
    /// 1 / log2(rank + 1), for as many ranks as any ranking has.
    pub discounts: Discounts,
    /// The natural logarithm of each of these ranks.
    pub logs: Vec<f64>,
    /// For each label, [`Self::term`] of the weights from 0 to as many; none if these are many, or if items have several labels.
    terms: Vec<f64>,
}

impl LabelledItems {
    /// The labels for rankings of at most so many ranks.
    pub fn new(labels: Labels, ranks: usize) -> Result<Self, Error> {
        /// How many logarithms are computed once, at most.
        const MOST: usize = 1 << 16;
        let mut weights = LabelWeights::default();
        weights.clear(labels.distinct)?;
        let with_label = weights.add(labels.items().map(|item| (labels.of(item), 1.0)));
        let shares = collected((0..labels.distinct).map(|label| weights.of(label) / with_label))?;
        let mut discounts = Discounts::default();
        discounts.provide(Discount::Log2, ranks)?;
        let logs = collected((0..ranks).map(|above| as_f64(above + 1).ln()))?;
        let mut terms = Vec::new();
        if labels.are_single && labels.distinct.saturating_mul(ranks + 1) <= MOST {
            for share in &shares {
                terms.make_room(ranks + 1)?;
                terms.extend((0..=ranks).map(|n| term(as_f64(n), *share)));
            }
        }
        Ok(Self { labels, with_label, shares, discounts, logs, terms })
    }

    /// Adds the weights of items to those of their labels, as [`LabelWeights::add`] does.
    #[inline]
    pub fn add(&self, items: impl Iterator<Item = (usize, f64)>, weights: &mut LabelWeights) -> f64 {
        match self.labels.words() {
            Some(words) if !self.labels.are_single => {
                weights.add_words(items.map(|(item, weight)| (words[item], weight)))
            }
            _ => weights.add(items.map(|(item, weight)| (self.labels.of(item), weight))),
        }
    }

    /// w * ln(w / share) for a weight w of a label, the sum of parts of items; 0 if it is 0.
    #[inline]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn term(&self, label: usize, weight: f64) -> f64 {
        // The weights of single labels are numbers of items.
        let place = label * (self.logs.len() + 1) + weight as usize;
        self.terms.get(place).copied().unwrap_or_else(|| term(weight, self.shares[label]))
    }
}

/// w * ln(w / share); 0 if w is 0.
fn term(weight: f64, share: f64) -> f64 {
    if weight > 0.0 { weight * (weight / share).ln() } else { 0.0 }
}

/// The weights of labels among two lists of items, kept for their memory; none at first.
pub type LabelBuffers = [LabelWeights; 2];

/// The standard deviation of some numbers over their mean; `None` if the mean is not above 0.
pub fn deviation(numbers: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let n = as_f64(numbers.clone().count());
    let mean = numbers.clone().sum::<f64>() / n;
    let squares: f64 = numbers.map(|number| (number - mean) * (number - mean)).sum();
    (mean > 0.0).then(|| (squares / n).sqrt() / mean)
}
