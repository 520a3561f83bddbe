//! The partial state of a group of rows, as a trait, and what its evaluation uses.

use std::ops::Range;
use std::sync::Arc;

use crate::catalogue::Function;
use crate::column::Column;
use crate::error::Error;
use crate::evaluate::cutoffs::evaluate_at_cutoffs;
use crate::explain::Explainer;
use crate::memory::{Grow, boxed};
use crate::ranking::item_order::ItemOrder;
use crate::ranking::list::RankedList;
use crate::ranking::lookup::RelevanceLookup;
use crate::ranking::scored::{ScoreCode, ScoredItems};
use crate::results::{Nullable, Values};
use crate::settings::{Measures, Part, Settings};

/// The partial state of a group: it reads rows, merges with other states of the group, and is evaluated in the end.
/// Threads may share it while it does not change.
pub trait Group: Default + Send + Sync {
    /// Adds the rows of the argument columns, each to the group that `groups` names for it. The input columns have one
    /// length; those of k and options may have a single row that stands for all.
    fn update<C: Column>(
        function: &'static Function,
        columns: &[C],
        groups: &mut impl Groups<Self>,
    ) -> Result<(), Error>;

    /// Merges another state of the same group, which read other rows; an error if its settings differ.
    fn combine(&mut self, other: &Self) -> Result<(), Error>;
}

/// The groups to which the rows of a chunk belong; rows are counted from 0. Engines with aggregate functions implement
/// it, and so does the evaluation of lists for engines without them.
pub trait Groups<G> {
    /// The state of the group of `row`, an empty one if the group is new; an error if there is no memory for it.
    fn of(&mut self, row: usize) -> Result<&mut G, Error>;

    /// A number that is equal for two rows of this chunk exactly if they belong to the same group.
    fn id(&self, row: usize) -> usize;
}

/// Calls `read` with each run of `rows`, rows of one group that follow one another, and with the group.
#[inline(always)]
pub fn by_group<G>(
    mut rows: Range<usize>,
    groups: &mut impl Groups<G>,
    mut read: impl FnMut(&mut G, Range<usize>) -> Result<(), Error>,
) -> Result<(), Error> {
    while let Some(first) = rows.next() {
        let id = groups.id(first);
        let run = first..rows.clone().find(|row| groups.id(*row) != id).unwrap_or(rows.end);
        rows.start = run.end;
        read(groups.of(first)?, run)?;
    }
    Ok(())
}

/// A state of groups that has score codes of either width.
pub trait PerWidth {
    type Of<S: ScoreCode>: Default;

    /// Whether the state has no rows yet, and may get another width.
    fn is_empty(narrow: &Self::Of<u64>) -> bool;
}

/// The state of one group, by the width of its score codes. The wide ones are rare, and boxed apart.
pub enum ByWidth<T: PerWidth> {
    Narrow(T::Of<u64>),
    Wide(Box<[T::Of<u128>; 1]>),
}

impl<T: PerWidth> Default for ByWidth<T> {
    fn default() -> Self {
        Self::Narrow(T::Of::default())
    }
}

pub trait GroupScore: ScoreCode {
    /// The state of a group with score codes of this width; an error if they have the other width.
    fn state_of_width<T: PerWidth>(state: &mut ByWidth<T>) -> Result<&mut T::Of<Self>, Error>;
}

impl GroupScore for u64 {
    #[inline]
    fn state_of_width<T: PerWidth>(state: &mut ByWidth<T>) -> Result<&mut T::Of<Self>, Error> {
        if let ByWidth::Narrow(state) = state { Ok(state) } else { Err(two_forms()) }
    }
}

impl GroupScore for u128 {
    fn state_of_width<T: PerWidth>(state: &mut ByWidth<T>) -> Result<&mut T::Of<Self>, Error> {
        // A new state is narrow. Without rows, it becomes wide.
        if let ByWidth::Narrow(none) = state
            && T::is_empty(none)
        {
            *state = ByWidth::Wide(boxed(T::Of::default())?);
        }
        if let ByWidth::Wide(state) = state { Ok(&mut state[0]) } else { Err(two_forms()) }
    }
}

#[cold]
fn two_forms() -> Error {
    Error::internal("scores came in two forms")
}

/// The function's values for a group; `None`, a NULL in engines, if nothing was judged or the list of k is NULL.
pub type Evaluated<'a> = Result<Option<Values<'a>>, Error>;

/// A group that is evaluated as a whole: one ranking, or the values of one statistic.
pub trait GroupEvaluator: Group {
    fn evaluate<'a>(&mut self, function: &Function, scratch: &'a mut Scratch) -> Evaluated<'a>;
}

/// Buffers for the evaluation of one group after the other.
#[derive(Default)]
pub struct Scratch {
    pub list: RankedList,
    /// The retrieved items of this ranking with their scores.
    pub scored: ScoredItems,
    pub lookup: RelevanceLookup,
    /// The relevance of each retrieved item; `None` for an item that is not judged.
    pub rels: Vec<Option<f64>>,
    /// The relevances of the judged items; empty if all are 1.
    pub truth_rels: Vec<f64>,
    pub values: Vec<Nullable>,
    /// The values of the parts of measures, one part after the other.
    of_parts: Vec<Nullable>,
    /// The items of this ranking in their order, if its value is explained.
    pub order: ItemOrder,
    pub explainer: Explainer,
    /// The number of values behind a statistic, which takes the place of k in its result.
    pub count: [Option<usize>; 1],
    /// The settings of the current group, kept because the returned values borrow their list of k.
    settings: Option<Arc<Settings>>,
}

impl Scratch {
    /// The values of a group, which `rank` writes to the list of this scratch as settings say. It returns `false` if nothing
    /// was judged. If the call names measures, each part of them ranks the group anew.
    #[inline(always)]
    pub fn evaluate_group(
        &mut self,
        function: &Function,
        settings: &Arc<Settings>,
        mut rank: impl FnMut(&mut Self, &Arc<Settings>) -> Result<bool, Error>,
    ) -> Evaluated<'_> {
        let Measures { written, parts, places, .. } = &settings.measures;
        if written.is_none() {
            return if rank(self, settings)? {
                self.evaluate(function, settings).map(Some)
            } else {
                Ok(None)
            };
        }
        self.of_parts.clear();
        for Part { function: part, settings } in parts {
            if !rank(self, settings)? {
                return Ok(None);
            }
            self.evaluate(&function.parts[*part], settings)?;
            self.of_parts.try_extend(self.values.iter().copied())?;
        }
        self.values.clear();
        self.values.try_extend(places.iter().map(|place| self.of_parts[*place]))?;
        Ok(Some(Values { ks: &[], values: &self.values }))
    }

    /// The values for the ranking in `list`.
    pub fn evaluate(&mut self, function: &Function, settings: &Arc<Settings>) -> Result<Values<'_>, Error> {
        let Self { list, values, settings: kept, .. } = self;
        evaluate_at_cutoffs(list, function, kept.insert(Arc::clone(settings)), values)
    }
}

/// The least number of items that a group keeps before it drops any, however small k is.
const SPARE: usize = 32;

/// The number of items at which a group drops all but the best `k`: twice as many, so that dropping is rare.
pub fn capacity_for(k: usize) -> usize {
    k.saturating_mul(2).max(SPARE)
}
