//! Which item is at which rank. Values do not depend on it; what an item adds to a value does.

use std::cmp::Ordering;
use std::ops::Range;

use crate::error::Error;
use crate::memory::Grow;
use crate::ranking::list::keep_ends;

/// Compares two items by their indexes. It is no type parameter, because each sort that is compiled takes several kilobytes.
pub type Compare<'a> = &'a dyn Fn(usize, usize) -> Ordering;

/// The retrieved items of a ranking in their order, and those of its judged items that were not retrieved.
#[derive(Default)]
pub struct ItemOrder {
    /// At each rank, counted from 0, the index of the item among the retrieved ones.
    pub retrieved: Vec<usize>,
    /// How many items there are down to the end of each run of items that the tie rule does not tell apart, ascending;
    /// empty if each item is a run of its own.
    pub run_ends: Vec<usize>,
    /// For each of the retrieved items, the index of its judgement among the judged ones; empty if it is not known.
    pub judgements: Vec<Option<usize>>,
    /// Each judged item that was not retrieved: its index among the judged ones, and its relevance.
    pub unretrieved: Vec<(usize, f64)>,
}

impl ItemOrder {
    /// Removes the items of the last ranking.
    pub fn clear(&mut self) {
        self.retrieved.clear();
        self.run_ends.clear();
        self.judgements.clear();
        self.unretrieved.clear();
    }

    /// Leaves out the items at all ranks but these, which count from 0 and ascend.
    pub fn keep(&mut self, ranks: &[usize]) {
        keep_ends(&mut self.run_ends, ranks);
        for (place, rank) in ranks.iter().enumerate() {
            self.retrieved[place] = self.retrieved[*rank];
        }
        self.retrieved.truncate(ranks.len());
    }

    /// The index of the judgement of a retrieved item among the judged ones; `None` if it is not known.
    pub fn judgement_of(&self, retrieved: usize) -> Option<usize> {
        self.judgements.get(retrieved).copied().flatten()
    }

    /// Sorts the items that were not retrieved: the most relevant first, and equally relevant ones as `compare` orders them.
    pub fn sort_unretrieved(&mut self, compare: Compare) {
        let by_rel = |(_, one): &(usize, f64), (_, other): &(usize, f64)| other.total_cmp(one);
        self.unretrieved
            .sort_unstable_by(|one, other| by_rel(one, other).then_with(|| compare(one.0, other.0)));
    }

    /// Writes the ranking of `items` retrieved items in the order in which they were read.
    pub fn write_in_order(&mut self, items: usize) -> Result<(), Error> {
        self.retrieved.clear();
        self.retrieved.make_room(items)?;
        self.retrieved.extend(0..items);
        Ok(())
    }

    /// Writes the ranking of `items` retrieved items, sorted by `compare`.
    pub fn write(&mut self, items: usize, compare: Compare) -> Result<(), Error> {
        self.write_in_order(items)?;
        self.retrieved.sort_unstable_by(|one, other| compare(*one, *other));
        Ok(())
    }

    /// Writes the runs of items that are `equal`; none if each item is one.
    pub fn write_runs(&mut self, equal: impl Fn(usize, usize) -> bool) -> Result<(), Error> {
        self.run_ends.clear();
        self.run_ends.make_room(self.retrieved.len())?;
        let runs = self.retrieved.chunk_by(|one, other| equal(*one, *other));
        self.run_ends.extend(runs.scan(0, |end, run| {
            *end += run.len();
            Some(*end)
        }));
        if self.run_ends.len() == self.retrieved.len() {
            self.run_ends.clear();
        }
        Ok(())
    }

    /// The ranks, counted from 0, of the run that has this rank.
    pub fn run(&self, rank: usize) -> Range<usize> {
        let next = self.run_ends.partition_point(|end| *end <= rank);
        let start = next.checked_sub(1).map_or(0, |before| self.run_ends[before]);
        self.run_ends.get(next).map_or(rank..rank + 1, |end| start..*end)
    }
}
