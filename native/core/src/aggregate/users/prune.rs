//! Pruning: dropping retrieved items that are below the deepest cutoff.

use crate::aggregate::columns::ItemScoreRelColumns;
use crate::aggregate::merge::{ScoredItem, keep_best, repeats};
use crate::aggregate::users::buffer::{RowBuffer, UserItem};
use crate::aggregate::users::group::{Grouped, RunIndex, UserIndex, scored_item};
use crate::column::Items;
use crate::error::Error;
use crate::memory::Grow;
use crate::ranking::scored::ScoreCode;
use crate::settings::Settings;

/// Selects those rows of a run that the deepest cutoff can show; all rows of a run have the same user. Reused for its
/// buffers.
#[derive(Default)]
pub struct TopOfRun<S, T> {
    /// The score code of each row; the worst code for NULL.
    scores: Vec<S>,
    /// A copy of the codes, in which the k-th best is selected.
    selected: Vec<S>,
    /// The rows at or above the k-th best score.
    rows: Vec<usize>,
    /// The items of these rows, to be searched for repeats.
    items: Vec<ScoredItem<(), T>>,
}

impl<'a, S: ScoreCode, T: UserItem<'a>> TopOfRun<S, T> {
    /// The rows with the best k scores and those that tie with the k-th. All rows if an item is NULL or repeated among
    /// these: the k best items may then reach further down. There must be at least k rows.
    pub fn of<'r>(
        &'r mut self,
        settings: &Settings,
        inputs: &ItemScoreRelColumns,
        items: &'a impl Items,
        rows: &'r [usize],
        k: usize,
    ) -> Result<&'r [usize], Error> {
        let Self { scores, selected, rows: kept, items: different } = self;
        scores.clear();
        let codes = inputs.score.codes::<S>(settings);
        scores.make_room(rows.len())?;
        for row in rows {
            scores.push(codes.get(*row)?.unwrap_or(S::WORST));
        }
        selected.clear();
        selected.try_extend(scores.iter().copied())?;
        let (_, last, _) = selected.select_nth_unstable(k - 1);
        kept.try_resize(rows.len(), 0)?;
        let mut count = 0;
        for (row, score) in rows.iter().zip(&*scores) {
            // Written in any case, which saves a branch: the next row overwrites a row that is not among the best.
            kept[count] = *row;
            count += usize::from(*score <= *last);
        }
        kept.truncate(count);
        different.clear();
        different.make_room(count)?;
        different.extend(kept.iter().map_while(|row| Some(((), T::read(items, *row, items.tag(*row)?)))));
        Ok(if different.len() < count || repeats(different)? { rows } else { kept })
    }
}

/// The retrieved items of each user that cutoff k can show, grouped by user.
pub fn pruned<'a, S: ScoreCode, I: UserItem<'a>>(
    rows: &'a RowBuffer<ScoredItem<S, i64>>,
    k: usize,
) -> Result<RowBuffer<ScoredItem<S, i64>>, Error> {
    let mut index = UserIndex::default();
    let runs = RunIndex { rows, ids: index.assign_ids(rows)? };
    let mut sorted = Grouped::default();
    sorted.by_user(index.users.len(), &[runs], scored_item::<S, I>)?;
    let mut kept = RowBuffer::default();
    for (number, user) in index.users.into_iter().enumerate() {
        let entries = sorted.of(number);
        let (count, _) = keep_best(entries, k)?;
        for (score, item) in &entries[..count] {
            kept.push(user, (*score, item.tag()), item.bytes_to_keep())?;
        }
    }
    Ok(kept)
}
