//! Partitions: rows are divided by the hash of their user when they are read.

use std::iter::once;
use std::sync::Arc;

use crate::aggregate::columns::ItemScoreRelColumns;
use crate::aggregate::group::capacity_for;
use crate::aggregate::users::buffer::{BorrowedBytes, RowBuffer, UserItem};
use crate::aggregate::users::group::Grouped;
use crate::aggregate::users::prune::{RetrievedRows, TopOfRun, pruned};
use crate::aggregate::users::repeats::Dropped;
use crate::column::{Items, Validity};
use crate::error::Error;
use crate::memory::{Grow, boxed};
use crate::ranking::lookup::mix;
use crate::ranking::scored::ScoreCode;
use crate::settings::Settings;

/// How many partitions there are for users that are not NULL; their indexes start at 0.
pub const PARTITIONS: usize = 128;
/// The index of one more partition, which has the rows of the NULL user.
pub const NULL_PARTITION: usize = PARTITIONS;

/// The number of rows above which a thread first drops items that are below the deepest cutoff.
const PRUNE_ABOVE: usize = 1 << 24;

/// The number of rows of one user from which they are written at once. Fewer rows are first collected with those of
/// other users of their partition.
const LONG_RUN: usize = 8;

/// The partitions filled by each thread, by the width of score codes.
#[derive(Default)]
pub enum AnyPartitions {
    #[default]
    None,
    Narrow(Vec<Arc<UserPartitions<u64>>>),
    Wide(Vec<Arc<UserPartitions<u128>>>),
}

/// A score code that partitions can have.
pub trait PartitionScore: ScoreCode {
    /// The partitions, if their score codes are of this width or there are no rows yet; else `None`.
    fn of(any: &mut AnyPartitions) -> Option<&mut Vec<Arc<UserPartitions<Self>>>>;
}

macro_rules! partition_score {
    ($score:ty, $variant:ident) => {
        impl PartitionScore for $score {
            fn of(any: &mut AnyPartitions) -> Option<&mut Vec<Arc<UserPartitions<Self>>>> {
                if let AnyPartitions::None = any {
                    *any = AnyPartitions::$variant(Vec::new());
                }
                if let AnyPartitions::$variant(partitions) = any { Some(partitions) } else { None }
            }
        }
    };
}
partition_score!(u64, Narrow);
partition_score!(u128, Wide);

/// The rows read by one thread, in partitions by user.
pub struct UserPartitions<S> {
    /// The partitions by index; `None` for one without rows.
    pub partitions: Vec<Option<Box<[Partition<S>; 1]>>>,
    /// How many rows there are in all partitions; after pruning, without those of NULL items.
    pub rows: usize,
    /// The number of rows above which the partitions are pruned next.
    pub prune_above: usize,
    /// Lower bound of `prune_above`.
    pub prune_floor: usize,
}

impl<S: ScoreCode> UserPartitions<S> {
    pub fn new() -> Result<Self, Error> {
        let mut partitions = Vec::new();
        partitions.make_exact_room(PARTITIONS + 1)?;
        partitions.resize_with(PARTITIONS + 1, || None);
        Ok(Self { partitions, rows: 0, prune_above: PRUNE_ABOVE, prune_floor: PRUNE_ABOVE })
    }
}

/// The rows of one partition. An input row with a score and a relevance is a row of two of the buffers.
pub struct Partition<S> {
    /// The retrieved items.
    pub retrieved: RetrievedRows<S>,
    /// The judged items: tag and, in the blocks, relevance.
    pub judged: RowBuffer<i64>,
    /// The score codes of retrieved NULL items.
    pub null_item_scores: RowBuffer<S>,
    /// The judgements of NULL items, which match nothing.
    pub null_item_judgements: RowBuffer<()>,
    /// A row each time that retrieved items of a user were dropped, if repeats are counted.
    pub drops: RowBuffer<Dropped>,
}

impl<S> Default for Partition<S> {
    fn default() -> Self {
        Self {
            retrieved: RowBuffer::default(),
            judged: RowBuffer::default(),
            null_item_scores: RowBuffer::default(),
            null_item_judgements: RowBuffer::default(),
            drops: RowBuffer::default(),
        }
    }
}

/// The partitions that new rows are added to: the last ones, or new ones if another state shares the last ones.
pub fn writable<S: ScoreCode>(
    partitions: &mut Vec<Arc<UserPartitions<S>>>,
) -> Result<&mut UserPartitions<S>, Error> {
    if partitions.last_mut().is_none_or(|last| Arc::get_mut(last).is_none()) {
        partitions.try_push(Arc::new(UserPartitions::new()?))?;
    }
    let last = partitions.last_mut().and_then(Arc::get_mut);
    last.ok_or_else(|| Error::internal("the rows that were read are shared"))
}

/// The rows of a chunk that go to one of the four buffers of their partition, as (index of the partition, index of the
/// row).
type PartitionedRows = Vec<(usize, usize)>;

/// Calls `put` with the rows chosen for each partition, or with one row at a time if they are few. Creates partitions
/// that get their first rows.
fn write_by_partition<S>(
    partitions: &mut [Option<Box<[Partition<S>; 1]>>],
    chosen: &PartitionedRows,
    put: impl Fn(&mut Partition<S>, &[usize]) -> Result<(), Error>,
) -> Result<(), Error> {
    // Measured: writing many rows one by one takes longer, because there are too many partitions to stay in the cache.
    // If there are many groups, each has few rows of a chunk, and these are written one by one.
    if chosen.len() < partitions.len() {
        return chosen
            .iter()
            .try_for_each(|(partition, row)| put(partition_or_new(&mut partitions[*partition])?, &[*row]));
    }
    let mut rows = Grouped::default();
    rows.fill(partitions.len(), || chosen.iter().map(|(partition, row)| (*partition, once(*row))))?;
    for (number, partition) in partitions.iter_mut().enumerate() {
        let rows = rows.of(number);
        if !rows.is_empty() {
            put(partition_or_new(partition)?, rows)?;
        }
    }
    Ok(())
}

/// The partition, created if there is none.
fn partition_or_new<S>(partition: &mut Option<Box<[Partition<S>; 1]>>) -> Result<&mut Partition<S>, Error> {
    let partition = match partition {
        Some(partition) => partition,
        None => partition.insert(boxed(Partition::default())?),
    };
    Ok(&mut partition[0])
}

impl<S: ScoreCode> UserPartitions<S> {
    /// Adds the given rows of a chunk, and prunes if there are too many rows afterwards.
    pub fn read<'a, T: UserItem<'a>, U: Items, I: Items>(
        &mut self,
        settings: &Settings,
        inputs: &ItemScoreRelColumns,
        users: &U,
        items: &'a I,
        rows: &[usize],
    ) -> Result<(), Error> {
        let ItemScoreRelColumns { score, rel, .. } = inputs;
        let scores = score.codes::<S>(settings);
        let mut chosen = <[PartitionedRows; 4]>::default();
        let [retrieved, null_item_scores, judged, null_item_judgements] = &mut chosen;
        retrieved.make_exact_room(rows.len())?;
        judged.make_exact_room(rows.len())?;
        let tag = |row| items.tag(row).unwrap_or_default();
        let bytes = |row| (!I::EXACT).then(|| items.bytes(row));
        let score = |row| scores.known(row);
        let write_retrieved = |partition: &mut Partition<S>, rows: &[usize]| {
            partition.retrieved.extend(users, rows, |row| (score(row), tag(row)), bytes, |_| 1.0)
        };
        let has_rels = !matches!(rel.validity, Validity::None);
        let mut top = TopOfRun::<S, T>::default();
        // The retrieved items of one run that are written at once.
        let mut of_run = Vec::new();
        let mut rest = rows;
        for run in rows.chunk_by(|one, other| users.are_equal(*one, *other)) {
            let partition = users.tag(run[0]).map_or(NULL_PARTITION, partition_of);
            // The rows of a user at either end of a chunk may go on in another chunk, where an item may be repeated.
            let may_go_on = settings.count_rows && (rest.len() == rows.len() || rest.len() == run.len());
            rest = &rest[run.len()..];
            // If many rows of a user follow one another, most are below the cutoff and are not stored at all.
            let shown = match settings.deepest {
                Some(k) if run.len() > capacity_for(k) && !may_go_on && scores.are_there() => {
                    top.of(settings, inputs, items, run, k)?
                }
                _ => run,
            };
            if settings.count_rows && shown.len() < run.len() {
                let dropped = Dropped::Distinct(shown.len());
                let partition = partition_or_new(&mut self.partitions[partition])?;
                partition.drops.extend(users, &run[..1], |_| dropped, |_| None, |_| 1.0)?;
            }
            if scores.are_there() {
                let is_long = shown.len() >= LONG_RUN;
                of_run.clear();
                for row in shown.iter().copied() {
                    if scores.get(row)?.is_some() {
                        match items.is_valid(row) {
                            true if is_long => of_run.try_push(row)?,
                            true => retrieved.try_push((partition, row))?,
                            false => null_item_scores.try_push((partition, row))?,
                        }
                    }
                }
                if !of_run.is_empty() {
                    self.rows += of_run.len();
                    write_retrieved(partition_or_new(&mut self.partitions[partition])?, &of_run)?;
                }
            }
            if has_rels {
                for row in run.iter().copied() {
                    if let Some(rel) = rel.get(row) {
                        settings.check_rel("rel", rel)?;
                        if items.is_valid(row) { &mut *judged } else { &mut *null_item_judgements }
                            .try_push((partition, row))?;
                    }
                }
            }
        }
        let partitions = &mut self.partitions;
        write_by_partition(partitions, retrieved, write_retrieved)?;
        write_by_partition(partitions, judged, |partition, rows| {
            partition.judged.extend(users, rows, tag, bytes, |row| rel.values[row])
        })?;
        write_by_partition(partitions, null_item_scores, |partition, rows| {
            partition.null_item_scores.extend(users, rows, &score, |_| None, |_| 1.0)
        })?;
        write_by_partition(partitions, null_item_judgements, |partition, rows| {
            partition.null_item_judgements.extend(users, rows, |_| (), |_| None, |_| 1.0)
        })?;
        self.rows += [retrieved, null_item_scores, judged, null_item_judgements]
            .map(|rows| rows.len())
            .iter()
            .sum::<usize>();
        if let Some(k) = settings.deepest
            && self.rows > self.prune_above
        {
            self.prune(k, settings.count_rows)?;
        }
        Ok(())
    }

    /// Drops the retrieved items that cutoff k cannot show. Pruning is due next when the remaining rows have doubled,
    /// so that its total cost stays in proportion to the rows read.
    fn prune(&mut self, k: usize, count_rows: bool) -> Result<(), Error> {
        self.rows = 0;
        for [partition] in self.partitions.iter_mut().flatten().map(|partition| &mut **partition) {
            let Partition { retrieved, drops, .. } = partition;
            (*retrieved, *drops) = if retrieved.are_texts() {
                pruned::<S, BorrowedBytes>(retrieved, k, count_rows.then_some(&*drops))?
            } else {
                pruned::<S, i64>(retrieved, k, count_rows.then_some(&*drops))?
            };
            self.rows += partition.retrieved.len() + partition.judged.len();
        }
        self.prune_above = self.prune_floor.max(self.rows * 2);
        Ok(())
    }
}

/// The index of the partition of a user: the topmost bits of the mixed tag. A `UserIndex` chooses slots by the lowest
/// bits, so the users of one partition still spread over all of its slots.
#[inline]
#[allow(clippy::cast_possible_truncation)]
pub fn partition_of(tag: i64) -> usize {
    (mix(tag) >> (64 - PARTITIONS.ilog2())) as usize % PARTITIONS
}
