//! Partitions: rows are divided by the hash of their user when they are read.

use std::sync::Arc;

use crate::aggregate::columns::ItemScoreRelColumns;
use crate::aggregate::group::capacity_for;
use crate::aggregate::join::Item;
use crate::aggregate::users::buffer::{RowBuffer, StoredId, UserItem, bytes_beside};
use crate::aggregate::users::prune::{LastCutoffs, Prunable, RetrievedRows, TopOfRun};
use crate::aggregate::users::repeats::Dropped;
use crate::aggregate::users::short_text::ShortText;
use crate::column::{Items, Numbers, Validity, hash};
use crate::error::{Error, bail};
use crate::memory::{Grow, boxed};
use crate::ranking::lookup::mix;
use crate::ranking::scored::ScoreCode;
use crate::settings::Settings;

pub const PARTITIONS: usize = 128;

/// The number of rows above which a thread first drops items that are below the deepest cutoff.
const PRUNE_ABOVE: usize = 1 << 24;

/// The number of rows of one user from which they are written at once. Fewer rows are first collected with those of
/// other users of their partition.
const LONG_RUN: usize = 8;

/// The partitions filled by each thread; threads share them while states merge.
pub type OfThreads<S, K> = Vec<Arc<UserPartitions<S, K>>>;

/// The partitions filled by each thread, by the width of score codes and the form of users and items.
#[derive(Clone, Default)]
pub enum AnyPartitions {
    #[default]
    None,
    /// Users and items of any form.
    Narrow(OfThreads<u64, i64>),
    Short(OfThreads<u64, ShortText>),
    /// Score codes of 128 bits; users are integers or texts, and items are byte strings.
    Wide(OfThreads<u128, i64>),
}

impl AnyPartitions {
    /// Stores short texts with tags and bytes, as texts of any length are.
    fn lengthen(&mut self) -> Result<(), Error> {
        if let Self::Short(partitions) = self {
            *self = Self::Narrow(lengthened(partitions)?);
        }
        Ok(())
    }

    /// Adds the partitions of another state. Short texts are converted if the other side has texts of any length.
    pub fn combine(&mut self, other: &Self) -> Result<(), Error> {
        if let Self::None = self {
            *self = other.clone();
            return Ok(());
        }
        if let Self::Narrow(_) = other {
            self.lengthen()?;
        }
        match (self, other) {
            (_, Self::None) => {}
            (Self::Narrow(one), Self::Narrow(other)) => one.extend(other.iter().cloned()),
            (Self::Short(one), Self::Short(other)) => one.extend(other.iter().cloned()),
            (Self::Wide(one), Self::Wide(other)) => one.extend(other.iter().cloned()),
            (Self::Narrow(one), Self::Short(other)) => one.extend(lengthened(other)?),
            _ => bail!(internal: "scores came in two forms"),
        }
        Ok(())
    }
}

/// The same rows with users and items as tags and bytes.
fn lengthened(short: &OfThreads<u64, ShortText>) -> Result<OfThreads<u64, i64>, Error> {
    short.iter().map(|partitions| partitions.with_bytes().map(Arc::new)).collect()
}

/// A score code that partitions can have beside users and items of the form `K`.
pub trait PartitionScore<K>: ScoreCode {
    /// The partitions in this form, new ones if there are no rows. Those of short texts are converted to the form with
    /// bytes. `None` if there are rows of another form that is not converted.
    fn in_form(any: &mut AnyPartitions) -> Result<Option<&mut OfThreads<Self, K>>, Error>;
}

macro_rules! partition_score {
    ($score:ty, $id:ty, $variant:ident) => {
        impl PartitionScore<$id> for $score {
            fn in_form(any: &mut AnyPartitions) -> Result<Option<&mut OfThreads<Self, $id>>, Error> {
                if let AnyPartitions::None = any {
                    *any = AnyPartitions::$variant(Vec::new());
                }
                if <$id as StoredId>::HAS_BYTES {
                    any.lengthen()?;
                }
                Ok(if let AnyPartitions::$variant(partitions) = any { Some(partitions) } else { None })
            }
        }
    };
}
partition_score!(u64, i64, Narrow);
partition_score!(u64, ShortText, Short);
partition_score!(u128, i64, Wide);

/// The rows of one partition, in a box that is allocated with checks; `None` without rows.
type Place<S, K> = Option<Box<[Partition<S, K>; 1]>>;

/// The rows read by one thread, in partitions by user.
pub struct UserPartitions<S, K> {
    pub partitions: Vec<Place<S, K>>,
    /// How many rows there are in all partitions; after pruning, without those of NULL items.
    pub rows: usize,
    /// The number of rows above which the partitions are pruned next.
    pub prune_above: usize,
    /// Lower bound of `prune_above`.
    pub prune_floor: usize,
    /// The cutoffs of the last runs of which rows below the cutoff were not stored.
    pub cutoffs: LastCutoffs<S>,
}

impl<S: ScoreCode, K: StoredId> UserPartitions<S, K> {
    pub fn new() -> Result<Self, Error> {
        let mut partitions = Vec::new();
        partitions.make_exact_room(PARTITIONS)?;
        partitions.resize_with(PARTITIONS, || None);
        let (prune_above, prune_floor, cutoffs) = (PRUNE_ABOVE, PRUNE_ABOVE, LastCutoffs::default());
        Ok(Self { partitions, rows: 0, prune_above, prune_floor, cutoffs })
    }
}

/// The rows of one partition. An input row with a score and a relevance is a row of two of the buffers.
#[derive(Default)]
pub struct Partition<S, K> {
    pub retrieved: RetrievedRows<S, K>,
    /// The judged items: the item and, in the blocks, its relevance.
    pub judged: RowBuffer<K, K>,
    /// The score codes of retrieved NULL items.
    pub null_item_scores: RowBuffer<K, S>,
    /// The judgements of NULL items, which match nothing.
    pub null_item_judgements: RowBuffer<K, ()>,
    /// A row each time that retrieved items of a user were dropped, if repeats are counted.
    pub drops: RowBuffer<K, Dropped>,
}

impl<S: ScoreCode> UserPartitions<S, ShortText> {
    /// The same rows with users and items as tags and bytes.
    fn with_bytes(&self) -> Result<UserPartitions<S, i64>, Error> {
        fn tag_and_bytes(item: &ShortText) -> (i64, Option<&[u8]>) {
            (hash(item.bytes()), Some(item.bytes()))
        }
        let Self { rows, prune_above, prune_floor, .. } = *self;
        let mut all = UserPartitions::<S, i64> { rows, prune_above, prune_floor, ..UserPartitions::new()? };
        for (partition, short) in all.partitions.iter_mut().zip(&self.partitions) {
            let Some([short]) = short.as_deref() else { continue };
            // Each closure returns a value in the new form, and the bytes of its item, if it has one.
            *partition_or_new(partition)? = Partition {
                retrieved: short.retrieved.with_bytes(|(score, text)| {
                    let (tag, bytes) = tag_and_bytes(text);
                    ((*score, tag), bytes)
                })?,
                judged: short.judged.with_bytes(tag_and_bytes)?,
                null_item_scores: short.null_item_scores.with_bytes(|score| (*score, None))?,
                null_item_judgements: short.null_item_judgements.with_bytes(|()| ((), None))?,
                drops: short.drops.with_bytes(|dropped| (*dropped, None))?,
            };
        }
        Ok(all)
    }
}

/// The partitions that new rows are added to: the last ones, or new ones if another state shares the last ones.
pub fn writable<S: ScoreCode, K: StoredId>(
    partitions: &mut OfThreads<S, K>,
) -> Result<&mut UserPartitions<S, K>, Error> {
    if partitions.last_mut().is_none_or(|last| Arc::get_mut(last).is_none()) {
        partitions.try_push(Arc::new(UserPartitions::new()?))?;
    }
    let last = partitions.last_mut().and_then(Arc::get_mut);
    last.ok_or_else(|| Error::internal("the rows that were read are shared"))
}

/// The rows of a chunk that go to one of the four buffers of their partition.
#[derive(Default)]
struct PartitionedRows {
    rows: Vec<usize>,
    partitions: Vec<u8>,
}

// The index of a partition fits one byte.
const _: () = assert!(PARTITIONS <= u8::MAX as usize + 1);

impl PartitionedRows {
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // see above
    fn try_push(&mut self, partition: usize, row: usize) -> Result<(), Error> {
        self.rows.try_push(row)?;
        self.partitions.try_push(partition as u8)
    }

    /// Calls `put` with the rows of each partition, or with one at a time if they are few. Creates missing partitions.
    fn write<S: Default, K: Default>(
        &self,
        partitions: &mut [Place<S, K>],
        put: impl Fn(&mut Partition<S, K>, &[usize]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let indexes = || self.partitions.iter().map(|partition| usize::from(*partition));
        // Measured: writing many rows one by one takes longer, because there are too many partitions to stay in the
        // cache. If there are many groups, each has few rows of a chunk, and these are written one by one.
        if self.rows.len() < partitions.len() {
            return indexes().zip(&self.rows).try_for_each(|(partition, row)| {
                put(partition_or_new(&mut partitions[partition])?, &[*row])
            });
        }
        let mut ends = [0; PARTITIONS];
        indexes().for_each(|partition| ends[partition] += 1);
        // Each count becomes the start of its partition, and then moves to its end.
        let mut end = 0;
        for count in &mut ends {
            end += std::mem::replace(count, end);
        }
        let mut sorted = Vec::new();
        sorted.try_resize(self.rows.len(), 0)?;
        for (partition, row) in indexes().zip(&self.rows) {
            sorted[ends[partition]] = *row;
            ends[partition] += 1;
        }
        let mut start = 0;
        for (partition, end) in partitions.iter_mut().zip(ends) {
            if start < end {
                put(partition_or_new(partition)?, &sorted[start..end])?;
            }
            start = end;
        }
        Ok(())
    }
}

fn partition_or_new<S: Default, K: Default>(
    partition: &mut Place<S, K>,
) -> Result<&mut Partition<S, K>, Error> {
    let partition = match partition {
        Some(partition) => partition,
        None => partition.insert(boxed(Partition::default())?),
    };
    Ok(&mut partition[0])
}

impl<S: ScoreCode, K: StoredId + Prunable> UserPartitions<S, K> {
    /// Adds the given rows of a chunk, except those without a user, and prunes if there are too many rows afterwards.
    /// Does not look at a column of scores or of relevances that is known to be all NULL.
    pub fn read<'a, T: UserItem<'a, Stored = K>, U: Items, I: Items>(
        &mut self,
        settings: &Settings,
        inputs: &ItemScoreRelColumns,
        users: &U,
        items: &'a I,
        rows: &[usize],
    ) -> Result<(), Error> {
        if inputs.score.codes::<S>(settings).may_have_scores() {
            self.read_retrieved::<T, U, I>(settings, inputs, users, items, rows)?;
        }
        if !matches!(inputs.rel.validity, Validity::None) {
            self.read_judged(settings, &inputs.rel, users, items, rows)?;
        }
        if let Some(k) = settings.deepest
            && self.rows > self.prune_above
        {
            self.prune(k, settings.count_rows)?;
        }
        Ok(())
    }

    /// Adds the retrieved items of the given rows; of a long run of one user, those that the deepest cutoff can show.
    fn read_retrieved<'a, T: UserItem<'a, Stored = K>, U: Items, I: Items>(
        &mut self,
        settings: &Settings,
        inputs: &ItemScoreRelColumns,
        users: &U,
        items: &'a I,
        rows: &[usize],
    ) -> Result<(), Error> {
        let scores = inputs.score.codes::<S>(settings);
        let (mut retrieved, mut null_items) = (PartitionedRows::default(), PartitionedRows::default());
        let item = |row| K::read(items, row);
        let bytes = |row| bytes_beside::<K, I>(items, row);
        let write = |partition: &mut Partition<S, K>, rows: &[usize]| {
            partition.retrieved.extend(users, rows, |row| (scores.known(row), item(row)), bytes, no_rel)
        };
        let mut top = TopOfRun::<S, T>::default();
        // The rows of a long run, which are written at once.
        let mut long_run = Vec::new();
        let mut rest = rows;
        for run in rows.chunk_by(|one, other| users.are_equal(*one, *other)) {
            let (is_first, is_last) = (rest.len() == rows.len(), rest.len() == run.len());
            rest = &rest[run.len()..];
            // The rows of a user at either end of a chunk may go on in another chunk, where an item may be repeated.
            let must_stay = settings.count_rows && (is_first || is_last);
            let Some(partition) = users.tag(run[0]).map(partition_of) else { continue };
            // If many rows of a user follow one another, most are below the cutoff and are not stored at all.
            let shown = match settings.deepest {
                Some(k) if run.len() > capacity_for(k) && !must_stay => {
                    top.select(settings, inputs, items, run, k, &mut self.cutoffs)?
                }
                _ => run,
            };
            if settings.count_rows && shown.len() < run.len() {
                let dropped = Dropped::Distinct(shown.len());
                let partition = partition_or_new(&mut self.partitions[partition])?;
                partition.drops.extend(users, &run[..1], |_| dropped, no_bytes, no_rel)?;
            }
            let is_long = shown.len() >= LONG_RUN;
            long_run.clear();
            for row in shown.iter().copied() {
                if scores.get(row)?.is_some() {
                    match items.is_valid(row) {
                        true if is_long => long_run.try_push(row)?,
                        true => retrieved.try_push(partition, row)?,
                        false => null_items.try_push(partition, row)?,
                    }
                }
            }
            if !long_run.is_empty() {
                self.rows += long_run.len();
                write(partition_or_new(&mut self.partitions[partition])?, &long_run)?;
            }
        }
        self.rows += retrieved.rows.len() + null_items.rows.len();
        retrieved.write(&mut self.partitions, write)?;
        null_items.write(&mut self.partitions, |partition, rows| {
            partition.null_item_scores.extend(users, rows, |row| scores.known(row), no_bytes, no_rel)
        })
    }

    /// Adds the judged items of the given rows. The relevance of a NULL item is not checked; NaN counts as none.
    fn read_judged<U: Items, I: Items>(
        &mut self,
        settings: &Settings,
        rels: &Numbers,
        users: &U,
        items: &I,
        rows: &[usize],
    ) -> Result<(), Error> {
        let (mut judged, mut null_items) = (PartitionedRows::default(), PartitionedRows::default());
        let item = |row| K::read(items, row);
        let bytes = |row| bytes_beside::<K, I>(items, row);
        for row in rows.iter().copied() {
            let (Some(rel), Some(user)) = (rels.get(row), users.tag(row)) else { continue };
            if items.is_valid(row) {
                settings.check_rel("rel", rel)?;
                judged.try_push(partition_of(user), row)?;
            } else if !rel.is_nan() {
                null_items.try_push(partition_of(user), row)?;
            }
        }
        self.rows += judged.rows.len() + null_items.rows.len();
        judged.write(&mut self.partitions, |partition, rows| {
            partition.judged.extend(users, rows, item, bytes, |row| rels.values[row])
        })?;
        null_items.write(&mut self.partitions, |partition, rows| {
            partition.null_item_judgements.extend(users, rows, |_| (), no_bytes, no_rel)
        })
    }

    /// Drops the retrieved items that cutoff k cannot show. Pruning is due next when the remaining rows have doubled,
    /// so that its total cost stays in proportion to the rows read.
    fn prune(&mut self, k: usize, count_rows: bool) -> Result<(), Error> {
        self.rows = 0;
        for [partition] in self.partitions.iter_mut().flatten().map(|partition| &mut **partition) {
            let Partition { retrieved, drops, .. } = partition;
            (*retrieved, *drops) = K::pruned((retrieved, count_rows.then_some(&*drops)), k)?;
            self.rows += partition.retrieved.len() + partition.judged.len();
        }
        self.prune_above = self.prune_floor.max(self.rows * 2);
        Ok(())
    }
}

/// In place of the bytes beside rows that have no items.
fn no_bytes(_: usize) -> Option<&'static [u8]> {
    None
}

/// In place of the relevances of rows that are no judgements: a relevance of 1 takes no room.
fn no_rel(_: usize) -> f64 {
    1.0
}

/// The index of the partition of a user: the topmost bits of the mixed tag. A `UserIndex` chooses slots by the lowest
/// bits, so the users of one partition still spread over all of its slots.
#[inline]
#[allow(clippy::cast_possible_truncation)]
pub fn partition_of(tag: i64) -> usize {
    (mix(tag) >> (64 - PARTITIONS.ilog2())) as usize % PARTITIONS
}
