//! Sums over all rankings for each group of items, and the value of a measure without each ranking.

use crate::item_measures::rankings::{LabelledItems, Ranking, Rankings};
use crate::ranking::as_f64;
use crate::results::Nullable;

/// Two sums of one group.
pub type Sums = [f64; 2];

/// Amounts to be added to the sums of groups: those of one ranking, or to be taken away again.
pub struct Amounts<'a> {
    labelled: &'a LabelledItems,
    /// The sums in small units. They are exact, so that they depend on no order, and nothing is left of amounts that are taken
    /// away.
    sums: &'a mut [[i64; 2]],
    /// How many units are 1; negative if amounts are taken away.
    one: f64,
}

impl Amounts<'_> {
    /// Adds amounts of items, each from -1 to 1, to this sum of their groups, of which each gets an equal part.
    #[inline(always)]
    pub fn share(&mut self, sum: usize, items: impl Iterator<Item = (usize, f64)>) {
        self.add(sum, items, |groups| 1.0 / as_f64(groups));
    }

    /// Adds 1 for each of some items to this sum of each of its groups.
    #[inline(always)]
    pub fn count(&mut self, sum: usize, items: impl Iterator<Item = usize>) {
        self.add(sum, items.map(|item| (item, 1.0)), |_| 1.0);
    }

    /// Adds amounts of items to this sum of their groups, of which each gets this part if there are so many.
    #[inline(always)]
    fn add(&mut self, sum: usize, items: impl Iterator<Item = (usize, f64)>, part: impl Fn(usize) -> f64) {
        let Self { labelled: LabelledItems { labels, .. }, sums, one } = self;
        if let Some(groups) = labels.single() {
            for (item, amount) in items {
                sums[groups[item] as usize][sum] += units(amount, *one);
            }
            return;
        }
        for (item, amount) in items {
            let groups = labels.of(item);
            let part = units(amount * part(groups.len()), *one);
            for group in groups {
                sums[*group as usize][sum] += part;
            }
        }
    }

    /// Adds an amount for each group to this sum: at most 1 for each item of the ranking, and those that [`of_sums`] was told.
    pub fn add_to_each(&mut self, sum: usize, amounts: impl Iterator<Item = f64>) {
        for (sums, amount) in self.sums.iter_mut().zip(amounts) {
            sums[sum] += units(amount, self.one);
        }
    }

    /// Adds the attention to items at these places to the first sum. The attention of a rank is 1 / log2(rank + 1).
    #[inline(always)]
    pub fn add_attention(&mut self, items: impl Iterator<Item = (usize, usize)>) {
        let discounts = &self.labelled.discounts;
        self.share(0, items.map(|(place, item)| (item, discounts.at(place))));
    }
}

/// An amount in units, of which so many are `one`.
#[inline(always)]
#[allow(clippy::cast_possible_truncation)]
fn units(amount: f64, one: f64) -> i64 {
    (amount * one) as i64
}

/// The value of a measure of sums over all rankings. The values without each ranking are added to `without`. `add` adds the
/// amounts of a ranking, `more` beside 1 for each ranked and each relevant item, at most; `value` is given the sums of each group,
/// and the number of rankings.
pub fn of_sums(
    rankings: &Rankings,
    without: &mut Vec<Nullable>,
    more: f64,
    add: impl Fn(&Ranking, &mut Amounts),
    value: impl Fn(&[Sums], f64) -> Option<f64>,
) -> Option<f64> {
    let labelled = rankings.labelled?;
    let (mut n, mut most) = (0, 1.0);
    for ranking in rankings.each() {
        n += 1;
        most += as_f64(ranking.items.len() + ranking.wanted()) + more;
    }
    // No sum is beyond this number of amounts of 1, which have at most 2^62 units.
    let one = 2_f64.powf(62.0 - most.log2().ceil());
    let mut all = vec![[0; 2]; labelled.labels.distinct];
    for ranking in rankings.each() {
        add(&ranking, &mut Amounts { labelled, sums: &mut all, one });
    }
    let mut numbers = vec![[0.0; 2]; all.len()];
    let unit = 1.0 / one; // exactly, because it is a power of two
    let mut value_of = |sums: &[[i64; 2]], n: usize| {
        for (numbers, sums) in numbers.iter_mut().zip(sums) {
            *numbers = sums.map(|sum| sum as f64 * unit);
        }
        value(&numbers, as_f64(n))
    };
    let mut sums = all.clone();
    rankings.leave_out_each(without, |ranking| {
        sums.clone_from(&all);
        add(ranking, &mut Amounts { labelled, sums: &mut sums, one: -one });
        value_of(&sums, n - 1)
    });
    value_of(&all, n)
}

/// The attention to a group for each of its relevant items, that of the group with the least over that of the group with the most.
/// `add_attention` adds the attention of a ranking.
pub fn attention_for_relevance(
    rankings: &Rankings,
    without: &mut Vec<Nullable>,
    add_attention: impl Fn(&Ranking, &mut Amounts),
) -> Option<f64> {
    of_sums(
        rankings,
        without,
        0.0,
        |ranking, amounts| {
            add_attention(ranking, amounts);
            amounts.share(1, ranking.relevant().map(|item| (item, 1.0)));
        },
        |sums, _| least_over_greatest(sums.iter().map(|[attention, relevance]| (*attention, *relevance))),
    )
}

/// The least ratio of a group's first sum to this number, over the greatest one. Groups whose number is 0 have no ratio. `None`
/// if no ratio is above 0, or if there is only one, which would be fair beside itself.
pub fn least_over_greatest(ratios: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let mut known = ratios.filter(|(_, of)| *of > 0.0).map(|(sum, of)| sum / of);
    let (one, other) = (known.next()?, known.next()?);
    let (least, greatest) = known.fold((one.min(other), one.max(other)), |(least, greatest), ratio| {
        (ratio.min(least), ratio.max(greatest))
    });
    (greatest > 0.0).then(|| least / greatest)
}
