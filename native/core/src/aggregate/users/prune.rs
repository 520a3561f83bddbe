//! Pruning: dropping retrieved items that are below the deepest cutoff.

use crate::aggregate::columns::ItemScoreRelColumns;
use crate::aggregate::join::{ScoredItem, has_repeats, keep_best};
use crate::aggregate::users::buffer::{BorrowedBytes, RowBuffer, UserItem};
use crate::aggregate::users::by_user::{Grouped, RunIndex, UserIndex, scored_item};
use crate::aggregate::users::repeats::{Dropped, RepeatCounter, are_known};
use crate::aggregate::users::short_text::ShortText;
use crate::column::Items;
use crate::error::Error;
use crate::memory::Grow;
use crate::ranking::scored::ScoreCode;
use crate::settings::Settings;

/// The k-th best score codes of the last runs. The worst of them bounds the search in the next run, because users mostly
/// have scores of one kind.
pub struct LastCutoffs<S> {
    /// The codes, in no order; at first none can be worse.
    codes: [S; 8],
    next: usize,
}

impl<S: ScoreCode> Default for LastCutoffs<S> {
    fn default() -> Self {
        Self { codes: [S::WORST; 8], next: 0 }
    }
}

impl<S: ScoreCode> LastCutoffs<S> {
    /// The k-th best of `scores`, of which there are at least k; `buffer` is overwritten.
    fn kth(&mut self, scores: &[S], k: usize, buffer: &mut Vec<S>) -> Result<S, Error> {
        let bound = self.codes.into_iter().fold(self.codes[0], S::max);
        if buffer.len() < scores.len() {
            buffer.try_resize(scores.len(), S::WORST)?;
        }
        let buffer = &mut buffer[..scores.len()];
        let mut count = 0;
        for score in scores {
            // Written in any case, which saves a branch: the next code overwrites one beyond the bound.
            buffer[count] = *score;
            count += usize::from(*score <= bound);
        }
        if count < k {
            // The bound was too strict for these scores.
            buffer.copy_from_slice(scores);
            count = scores.len();
        }
        let kth = *buffer[..count].select_nth_unstable(k - 1).1;
        self.codes[self.next] = kth;
        self.next = (self.next + 1) % self.codes.len();
        Ok(kth)
    }
}

/// Selects the rows of a run, all of one user, that the deepest cutoff can show. Reused for its buffers.
#[derive(Default)]
pub struct TopOfRun<S, T> {
    /// The score code of each row; the worst code for NULL.
    scores: Vec<S>,
    /// Codes among which the k-th best is selected.
    selected: Vec<S>,
    /// The rows at or above the k-th best score.
    rows: Vec<usize>,
    /// The items that are searched for repeats: those of these rows or, if repeats are counted, of all rows of the run.
    items: Vec<ScoredItem<(), T>>,
    /// Counts the repeats among all rows of the run.
    counter: RepeatCounter,
}

impl<'a, S: ScoreCode, T: UserItem<'a>> TopOfRun<S, T> {
    /// The rows with the best k scores and those that tie with the k-th. All rows if an item is NULL or repeated among
    /// these: the k best items may then reach further down. If repeats are counted, all rows also if an item is NULL or
    /// repeated anywhere in the run. There must be at least k rows.
    pub fn select<'r>(
        &'r mut self,
        settings: &Settings,
        inputs: &ItemScoreRelColumns,
        items: &'a impl Items,
        rows: &'r [usize],
        k: usize,
        cutoffs: &mut LastCutoffs<S>,
    ) -> Result<&'r [usize], Error> {
        let Self { scores, selected, rows: kept, items: searched_items, counter } = self;
        inputs.score.codes::<S>(settings).write(rows, scores)?;
        let kth_score = cutoffs.kth(scores, k, selected)?;
        kept.try_resize(rows.len(), 0)?;
        let mut count = 0;
        for (row, score) in rows.iter().zip(&*scores) {
            // Written in any case, which saves a branch: the next row overwrites a row that is not among the best.
            kept[count] = *row;
            count += usize::from(*score <= kth_score);
        }
        kept.truncate(count);
        let searched = if settings.count_rows { rows } else { &kept[..] };
        searched_items.clear();
        searched_items.make_room(searched.len())?;
        // Ends at a NULL item, so that there are fewer items than rows.
        searched_items.extend(searched.iter().map_while(|row| Some(((), T::read(items, *row)?))));
        let are_distinct = searched_items.len() == searched.len()
            && if settings.count_rows {
                counter.count(searched.len(), |index| searched_items[index].1)? == 0
            } else {
                !has_repeats(searched_items)?
            };
        Ok(if are_distinct { kept } else { rows })
    }
}

/// Rows of retrieved items: the score code and the item of each.
pub type RetrievedRows<S, K> = RowBuffer<K, ScoredItem<S, K>>;

/// Rows of retrieved items, and a row each time that some of a user were dropped.
pub type RetrievedAndDropped<S, K> = (RetrievedRows<S, K>, RowBuffer<K, Dropped>);

/// The rows that pruning leaves.
pub type Pruned<S, K> = Result<RetrievedAndDropped<S, K>, Error>;

/// The rows to be pruned: retrieved items and, if repeats are counted, a row for each earlier drop of items of a user.
pub type ToPrune<'a, S, K> = (&'a RetrievedRows<S, K>, Option<&'a RowBuffer<K, Dropped>>);

/// An item as rows store it, whose rows can be pruned.
pub trait Prunable: Sized {
    /// Calls the function [`pruned`] with the form of item that these rows have.
    fn pruned<S: ScoreCode>(rows: ToPrune<S, Self>, k: usize) -> Pruned<S, Self>;
}

impl Prunable for i64 {
    fn pruned<S: ScoreCode>(rows: ToPrune<S, Self>, k: usize) -> Pruned<S, Self> {
        let (retrieved, _) = rows;
        let have_texts = retrieved.items_are_texts();
        if have_texts { pruned::<S, BorrowedBytes>(rows, k) } else { pruned::<S, i64>(rows, k) }
    }
}

impl Prunable for ShortText {
    fn pruned<S: ScoreCode>(rows: ToPrune<S, Self>, k: usize) -> Pruned<S, Self> {
        pruned::<S, ShortText>(rows, k)
    }
}

/// The retrieved items of each user that cutoff k can show, grouped by user, and a row for each user of whom items were
/// dropped, now or before. There are no such rows if those of earlier drops are `None`.
fn pruned<'a, S: ScoreCode, I: UserItem<'a>>(
    (rows, drops): ToPrune<'a, S, I::Stored>,
    k: usize,
) -> Pruned<S, I::Stored> {
    let mut index = UserIndex::default();
    let runs = RunIndex { rows, ids: index.assign_ids(rows)? };
    let mut dropped_before = Grouped::default();
    if let Some(drops) = drops {
        let drops = RunIndex { rows: drops, ids: index.assign_ids(drops)? };
        dropped_before.by_user(index.users.len(), &[drops], |block, row| block.values[row])?;
    }
    let mut retrieved = Grouped::default();
    retrieved.by_user(index.users.len(), &[runs], scored_item::<S, I>)?;
    let (mut kept, mut dropped) = (RowBuffer::default(), RowBuffer::default());
    let mut counter = RepeatCounter::default();
    for (id, user) in index.users.into_iter().enumerate() {
        let entries = retrieved.of(id);
        let mut are_distinct = false;
        if drops.is_some() {
            are_distinct = are_known(entries.len(), dropped_before.of(id))
                && counter.count(entries.len(), |index| entries[index].1)? == 0;
        }
        let (count, _) = keep_best(entries, k, are_distinct)?;
        if drops.is_some() && (count < entries.len() || !dropped_before.of(id).is_empty()) {
            let state = if are_distinct { Dropped::Distinct(count) } else { Dropped::Unknown };
            dropped.push(user, state, None)?; // a drop has no item
        }
        for (score, item) in &entries[..count] {
            let (stored, bytes) = item.stored();
            kept.push(user, (*score, stored), bytes)?;
        }
    }
    Ok((kept, dropped))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_kth_code_is_found_whatever_the_last_runs_had(
            runs in prop::collection::vec((prop::collection::vec(0..60_u64, 1..50), 0..50_usize, 0..3_u64), 1..30),
        ) {
            let (mut cutoffs, mut buffer) = (LastCutoffs::default(), Vec::new());
            for (codes, place, scale) in runs {
                let k = place % codes.len() + 1;
                let mut codes: Vec<u64> = codes.into_iter().map(|code| code << (20 * scale)).collect();
                let found = cutoffs.kth(&codes, k, &mut buffer).unwrap();
                codes.sort_unstable();
                prop_assert_eq!(found, codes[k - 1]);
            }
        }
    }
}
