//! States of groups whose rows are an item and its score. The result is the list of the items, best first.

use crate::aggregate::best_items::{BestItems, ListItem};
use crate::aggregate::columns::ScoreColumn;
use crate::aggregate::group::{ByWidth, Group, GroupScore, Groups, PerWidth};
use crate::aggregate::settings::{GroupSettings, SettingsCache};
use crate::catalogue::Function;
use crate::column::matching::{Matching, own_matching};
use crate::column::{Column, Fixed, ItemColumn, Items};
use crate::error::{Error, bail};
use crate::memory::Grow;
use crate::ranking::scored::ScoreCode;

/// The state of one group: its settings and items.
#[derive(Default)]
pub struct RankedItems {
    group_settings: GroupSettings,
    items: ByWidth<ItemsOf>,
}

/// The items of a group, with score codes of either width.
struct ItemsOf;

impl PerWidth for ItemsOf {
    type Of<S: ScoreCode> = BestItems<S>;

    fn is_empty(narrow: &BestItems<u64>) -> bool {
        narrow.is_empty()
    }
}

impl Group for RankedItems {
    fn update<C: Column>(
        function: &'static Function,
        columns: &[C],
        groups: &mut impl Groups<Self>,
    ) -> Result<(), Error> {
        let [item, score, ..] = columns else { bail!(internal: "an argument is missing") };
        if item.len() == 0 {
            // No rows are no error, even with items of a type that is refused otherwise: a filter may leave none.
            return Ok(());
        }
        let matching = own_matching(item.kind());
        let score_name = function.inputs()[1];
        let score = ScoreColumn::new(score_name, score)?;
        let mut cache = SettingsCache::new(function, columns, score.are_exact())?;
        if score.are_wide() {
            read_items::<u128, C>(item, matching, &score, &mut cache, groups)
        } else {
            read_items::<u64, C>(item, matching, &score, &mut cache, groups)
        }
    }

    fn combine(&mut self, other: &Self) -> Result<(), Error> {
        let Some(settings) = &other.group_settings.0 else { return Ok(()) };
        self.group_settings.agree(settings)?;
        match &other.items {
            ByWidth::Narrow(none) if none.is_empty() => Ok(()),
            ByWidth::Narrow(other) => u64::state_of_width(&mut self.items)?.combine(other, settings),
            ByWidth::Wide(other) => u128::state_of_width(&mut self.items)?.combine(&other[0], settings),
        }
    }
}

/// Adds each row to its group, whatever the form of the items.
fn read_items<S: GroupScore, C: Column>(
    item: &C,
    matching: Matching,
    score: &ScoreColumn,
    cache: &mut SettingsCache<C>,
    groups: &mut impl Groups<RankedItems>,
) -> Result<(), Error> {
    match &item.items(matching)? {
        ItemColumn::Fixed(items) => read::<S, C, _>(items, score, cache, groups),
        ItemColumn::Bytes(items) => read::<S, C, _>(items, score, cache, groups),
        ItemColumn::Encoded(items) => read::<S, C, _>(items, score, cache, groups),
        ItemColumn::Nulls => read::<S, C, _>(&Fixed::NULLS, score, cache, groups),
    }
}

/// Adds each row to its group.
///
/// In each block of rows, those that no cutoff can show are left out first. Their groups are read one after the other
/// without a branch that depends on them, so that the processor fetches them from memory at once. Consecutive rows of
/// one group are then added together.
fn read<S: GroupScore, C: Column, I: Items>(
    items: &I,
    score: &ScoreColumn,
    cache: &mut SettingsCache<C>,
    groups: &mut impl Groups<RankedItems>,
) -> Result<(), Error> {
    const BLOCK: usize = 128;
    let mut shown = [(0, None); BLOCK];
    let mut selected = Vec::new();
    cache.runs(|settings, mut run| {
        let scores = score.codes::<S>(settings);
        while !run.is_empty() {
            let (mut count, mut id_before, mut limit) = (0, None, S::WORST);
            for row in run.by_ref().take(BLOCK) {
                let id = groups.id(row);
                if id_before != Some(id) {
                    let group = groups.of(row)?;
                    group.group_settings.agree(settings)?;
                    limit = S::state_of_width(&mut group.items)?.limit;
                    id_before = Some(id);
                }
                let score = scores.get(row)?;
                shown[count] = (row, score);
                count += usize::from(score.is_none_or(|score| score <= limit));
            }
            let mut rest = &shown[..count];
            while let Some((first, _)) = rest.first() {
                let id = groups.id(*first);
                let run_length = rest.iter().take_while(|(row, _)| groups.id(*row) == id).count();
                let candidates = S::state_of_width(&mut groups.of(*first)?.items)?;
                let (now, later) = rest.split_at(run_length);
                let worst = worst_shown(now, settings.deepest, &mut selected)?;
                for (row, score) in now {
                    if score.unwrap_or(S::WORST) <= worst {
                        candidates.push(settings, items, *row, *score)?;
                    }
                }
                rest = later;
            }
        }
        Ok(())
    })
}

/// The worst score code that cutoff `deepest` shows of some rows of one group, a NULL being the worst. `selected` is a
/// buffer.
fn worst_shown<S: ScoreCode>(
    rows: &[(usize, Option<S>)],
    deepest: Option<usize>,
    selected: &mut Vec<S>,
) -> Result<S, Error> {
    let Some(k) = deepest.filter(|k| *k < rows.len()) else { return Ok(S::WORST) };
    selected.clear();
    selected.try_extend(rows.iter().map(|(_, score)| score.unwrap_or(S::WORST)))?;
    Ok(*selected.select_nth_unstable(k - 1).1)
}

impl RankedItems {
    /// Brings the items into their order. Returns how many the list has.
    pub fn sort(&mut self) -> usize {
        let Some(settings) = &self.group_settings.0 else { return 0 };
        match &mut self.items {
            ByWidth::Narrow(items) => items.sort(settings),
            ByWidth::Wide(items) => items[0].sort(settings),
        }
    }

    /// Passes the items to `put`, best first; `None` for NULL. [`Self::sort`] must have been called since the last row.
    #[inline]
    pub fn for_each(&self, put: impl FnMut(Option<ListItem>)) {
        let Some(settings) = &self.group_settings.0 else { return };
        match &self.items {
            ByWidth::Narrow(items) => items.for_each(settings, put),
            ByWidth::Wide(items) => items[0].for_each(settings, put),
        }
    }
}

#[cfg(test)]
mod tests;
