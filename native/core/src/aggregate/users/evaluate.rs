//! Evaluation of all users, one partition after the other.

use std::sync::Arc;

use crate::aggregate::explained::{Explanations, User, explain, id as item_id};
use crate::aggregate::group::Scratch;
use crate::aggregate::join::{ItemJoin, JudgedItems, ScoredItem, compare_items, keep_shown};
use crate::aggregate::users::buffer::{BorrowedBytes, RowBlock, RowBuffer, StoredId, UserItem, UserKey};
use crate::aggregate::users::by_user::{Grouped, RunIndex, UserIndex, scored_item};
use crate::aggregate::users::partition::{AnyPartitions, OfThreads, PARTITIONS, Partition, UserPartitions};
use crate::aggregate::users::repeats::{Dropped, RepeatCounter, are_known};
use crate::aggregate::users::short_text::ShortText;
use crate::catalogue::{Function, UserList};
use crate::error::Error;
use crate::memory::Grow;
use crate::ranking::scored::ScoreCode;
use crate::results::{Nullable, Values};
use crate::settings::{Measures, Settings};

/// Whether items are byte strings in the rows of any thread.
fn has_texts<S: ScoreCode>(threads: &OfThreads<S, i64>) -> bool {
    let mut partitions = threads.iter().flat_map(|thread| thread.partitions.iter().flatten());
    partitions.any(|place| place[0].retrieved.items_are_texts() || place[0].judged.items_are_texts())
}

/// A cursor over partitions: results are taken before the next one is evaluated, and need memory for one only.
pub struct PartitionCursor<'a> {
    /// The settings, the same for all users; `None` if there are no rows.
    settings: Option<&'a Arc<Settings>>,
    /// The rows of all threads, and the buffers for one partition.
    rankings: AnyRankings<'a>,
    /// The index of the partition after the current one.
    next: usize,
    /// Buffers for the evaluation of one user after the other.
    scratch: Scratch,
}

/// The rows of all threads and the buffers for one partition, by the width of score codes and the form of items.
enum AnyRankings<'a> {
    NarrowTexts(PartitionRankings<'a, u64, BorrowedBytes<'a>>),
    NarrowShortTexts(PartitionRankings<'a, u64, ShortText>),
    NarrowNumbers(PartitionRankings<'a, u64, i64>),
    Wide(PartitionRankings<'a, u128, BorrowedBytes<'a>>),
}

/// Evaluates an expression with the rankings in any form.
macro_rules! with_rankings {
    ($any:expr, $rankings:ident => $then:expr) => {
        match $any {
            AnyRankings::NarrowTexts($rankings) => $then,
            AnyRankings::NarrowShortTexts($rankings) => $then,
            AnyRankings::NarrowNumbers($rankings) => $then,
            AnyRankings::Wide($rankings) => $then,
        }
    };
}

impl<'a> PartitionCursor<'a> {
    /// A cursor before the first partition; `settings` are those of all rows.
    pub fn new(settings: Option<&'a Arc<Settings>>, partitions: &'a AnyPartitions) -> Self {
        let rankings = match partitions {
            AnyPartitions::None => AnyRankings::NarrowNumbers(PartitionRankings::default()),
            AnyPartitions::Narrow(partitions) if has_texts(partitions) => {
                AnyRankings::NarrowTexts(PartitionRankings::new(partitions))
            }
            AnyPartitions::Narrow(partitions) => {
                AnyRankings::NarrowNumbers(PartitionRankings::new(partitions))
            }
            AnyPartitions::Short(partitions) => {
                AnyRankings::NarrowShortTexts(PartitionRankings::new(partitions))
            }
            // Items beside wide score codes were encoded as byte strings when they were read.
            AnyPartitions::Wide(partitions) => AnyRankings::Wide(PartitionRankings::new(partitions)),
        };
        Self { settings, rankings, next: 0, scratch: Scratch::default() }
    }

    /// How many partitions there are, those without rows included.
    pub const COUNT: usize = PARTITIONS;

    /// Moves to the next partition that has rows and groups it by user. Returns how many results it has, one for each
    /// user and k, or at most, one for each explained item; `None` if there are no more partitions.
    pub fn advance(&mut self) -> Result<Option<usize>, Error> {
        while self.next < Self::COUNT {
            if let Some(results) = self.move_to(self.next)? {
                return Ok(Some(results));
            }
        }
        Ok(None)
    }

    /// Moves to the partition at `place`, below [`Self::COUNT`], and groups it by user. Returns how many results it
    /// has, as [`Self::advance`] does; `None` without rows. Threads that share the rows have a cursor each.
    pub fn move_to(&mut self, place: usize) -> Result<Option<usize>, Error> {
        let Self { settings, rankings, next, .. } = self;
        *next = place + 1;
        let Some(settings) = settings.filter(|settings| !settings.no_ks) else { return Ok(None) };
        with_rankings!(rankings, rankings => {
            let users = rankings.read(place)?;
            Ok(users.map(|users| {
                if settings.reads_whole { rankings.row_count() } else { users * settings.ks.len() }
            }))
        })
    }

    /// How many measures the call names.
    pub fn measures(&self) -> usize {
        self.settings.map_or(0, |settings| settings.measures.places.len())
    }

    /// How many items these lists of users in the current partition have together, or at most.
    pub fn listed_items(&self, list: UserList) -> usize {
        let k = self.settings.and_then(|settings| settings.measures.last_k);
        with_rankings!(&self.rankings, rankings => match list {
            UserList::Ranking => {
                let shown = rankings.index.users.len().saturating_mul(k.unwrap_or(usize::MAX));
                shown.min(rankings.retrieved.count() + rankings.null_item_scores.count())
            }
            UserList::Relevant => rankings.judged.count(),
        })
    }

    /// How many partitions after the current one have rows.
    pub fn partitions_left(&self) -> usize {
        with_rankings!(&self.rankings, rankings => {
            let has_rows = |place: &usize| rankings.threads.iter().any(|thread| thread.partitions[*place].is_some());
            (self.next..Self::COUNT).filter(has_rows).count()
        })
    }

    /// How many rows the partitions after the current one have.
    pub fn rows_left(&self) -> usize {
        with_rankings!(&self.rankings, rankings => rankings.rows_from(self.next))
    }

    /// How many threads may share the evaluation, with a cursor each: as many as have read rows, and no more than the rows are
    /// worth.
    pub fn threads(&self) -> usize {
        const ROWS_OF_EACH: usize = 1 << 19;
        let readers = with_rankings!(&self.rankings, rankings => rankings.readers());
        readers.min(self.rows_left() / ROWS_OF_EACH).max(1)
    }

    /// Explains the values of the users of the current partition, in the order of [`User`], and passes their items to
    /// `explanations`. A user without judgements has none.
    pub fn explain(&mut self, function: &Function, explanations: &mut dyn Explanations) -> Result<(), Error> {
        let Self { settings, rankings, scratch, .. } = self;
        let Some(settings) = settings else { return Ok(()) };
        with_rankings!(rankings, rankings => rankings.explain(function, settings, scratch, explanations))
    }

    /// Evaluates the current partition and passes each user with its values to `results`, in the order of [`User`]. All
    /// values of a user without judgements are NULL.
    pub fn evaluate(&mut self, function: &Function, results: &mut impl Results) -> Result<(), Error> {
        let Self { settings, rankings, scratch, .. } = self;
        let Some(settings) = settings else { return Ok(()) };
        with_rankings!(rankings, rankings => rankings.evaluate(function, settings, scratch, results))
    }
}

/// The receiver of results, implemented by engines.
pub trait Results {
    /// Takes the counts of a user's rows, and the values of the user at each k.
    fn put(&mut self, user: User, counts: &RowCounts, values: &Values);

    /// Takes the items of the user that was put last, with `None` for NULL, in the list at `place` among those that the function
    /// returns; none of a user without judgements. The items of all users are as many as [`PartitionCursor::listed_items`]
    /// says, or fewer.
    fn put_list<'u>(
        &mut self,
        _place: usize,
        _items: Option<impl Iterator<Item = Option<User<'u>>>>,
    ) -> Result<(), Error> {
        Ok(())
    }
}

/// The counts of the rows of one user. All are 0 unless the function returns them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// The number of different retrieved items, up to the largest cutoff; each NULL item counts.
    pub retrieved: usize,
    /// The number of different judged items; each NULL item counts.
    pub judged: usize,
    /// The number of retrieved items that repeat another row's; `None` if rows were dropped unseen.
    pub retrieved_repeats: Option<usize>,
    /// The number of judged items that repeat another row's.
    pub judged_repeats: usize,
}

impl RowCounts {
    /// The counts as engines return them, in the order of `ROW_COUNTS`.
    pub fn integers(&self) -> [Option<i64>; 4] {
        let Self { retrieved, judged, retrieved_repeats, judged_repeats } = *self;
        let counts = [Some(retrieved), Some(judged), retrieved_repeats, Some(judged_repeats)];
        counts.map(|count| i64::try_from(count?).ok())
    }
}

/// The rows of one partition, grouped by user. Reused for the next partition for its buffers.
#[derive(Default)]
struct PartitionRankings<'a, S, I: UserItem<'a>> {
    /// The rows of all threads, in all partitions.
    threads: &'a [Arc<UserPartitions<S, I::Stored>>],
    index: UserIndex<'a, I::Stored>,
    retrieved: Grouped<ScoredItem<S, I>>,
    judged: Grouped<I>,
    /// Whether any relevance in the partition is not 1.
    is_graded: bool,
    /// The relevances of the judged items of each user; left over from another partition unless `is_graded`.
    rels: Grouped<f64>,
    /// The score codes of the retrieved NULL items of each user.
    null_item_scores: Grouped<S>,
    null_item_judgements: Grouped<()>,
    drops: Grouped<Dropped>,
    counter: RepeatCounter,
}

impl<'a, S: ScoreCode, I: UserItem<'a>> PartitionRankings<'a, S, I> {
    fn new(threads: &'a OfThreads<S, I::Stored>) -> Self {
        Self { threads, ..Self::default() }
    }

    /// Groups the rows of all threads in the partition at `place`. Returns how many users it has; `None` without rows.
    fn read(&mut self, place: usize) -> Result<Option<usize>, Error> {
        let of_threads = self.threads.iter().filter_map(|thread| thread.partitions[place].as_deref());
        let partitions: Vec<&Partition<S, I::Stored>> = of_threads.map(|[partition]| partition).collect();
        if partitions.is_empty() {
            return Ok(None);
        }
        let index = &mut self.index;
        index.clear();
        // All users get their ids before any rows are grouped by them.
        let retrieved = assign_ids(index, &partitions, |partition| &partition.retrieved)?;
        let judged = assign_ids(index, &partitions, |partition| &partition.judged)?;
        let null_item_scores = assign_ids(index, &partitions, |partition| &partition.null_item_scores)?;
        let null_item_judgements =
            assign_ids(index, &partitions, |partition| &partition.null_item_judgements)?;
        let drops = assign_ids(index, &partitions, |partition| &partition.drops)?;
        let users = index.users.len();
        self.retrieved.by_user(users, &retrieved, scored_item::<S, I>)?;
        self.judged.by_user(users, &judged, |block, row| I::from_block(block, row, block.values[row]))?;
        let mut judged_blocks = partitions.iter().flat_map(|partition| &partition.judged.blocks);
        self.is_graded = judged_blocks.any(|block| !block.rels.is_empty());
        if self.is_graded {
            // A block stores no relevances if all are 1.
            let rel =
                |block: &RowBlock<I::Stored, I::Stored>, row| block.rels.get(row).copied().unwrap_or(1.0);
            self.rels.by_user(users, &judged, rel)?;
        }
        self.null_item_scores.by_user(users, &null_item_scores, |block, row| block.values[row])?;
        self.null_item_judgements.by_user(users, &null_item_judgements, |_, _| ())?;
        self.drops.by_user(users, &drops, |block, row| block.values[row])?;
        Ok(Some(users))
    }

    /// Ranks the items of each user, and passes the user with its values to `results`, in the order of [`User`].
    fn evaluate(
        &mut self,
        function: &Function,
        settings: &Arc<Settings>,
        scratch: &mut Scratch,
        results: &mut impl Results,
    ) -> Result<(), Error> {
        // Taken out, because the order of users borrows them.
        let users = std::mem::take(&mut self.index.users);
        let mut nulls = Vec::new();
        let (count, ks) = match &settings.measures.written {
            Some(_) => (settings.measures.places.len(), &[][..]),
            None => (settings.ks.len() * function.metrics.len(), &settings.ks[..]),
        };
        nulls.try_resize(count, Nullable::NULL)?;
        for (user, id) in in_order(&users)? {
            let counts = if settings.count_rows { self.count(id, settings)? } else { RowCounts::default() };
            let has_lists = !function.lists_of_users.is_empty() && self.is_judged(id);
            // They are sorted first, so that the evaluation meets the best ones in order.
            let shown = if has_lists { self.sort_best(id, settings)? } else { self.retrieved.of(id).len() };
            let values = scratch.evaluate_group(function, settings, |scratch, settings| {
                let Some(join) = self.join(id, shown, has_lists) else { return Ok(false) };
                join.rank(settings, scratch).map(|()| true)
            })?;
            let is_judged = values.is_some();
            results.put(user, &counts, &values.unwrap_or(Values { ks, values: &nulls }));
            for (place, list) in function.lists_of_users.iter().enumerate() {
                match list {
                    _ if !is_judged => results.put_list(place, None::<std::iter::Empty<_>>)?,
                    UserList::Ranking => self.put_ranking(id, shown, settings, place, results)?,
                    UserList::Relevant => self.put_relevant(id, settings, place, results)?,
                }
            }
        }
        self.index.users = users;
        Ok(())
    }

    /// Explains the value of each user, as [`PartitionCursor::explain`] says.
    fn explain(
        &mut self,
        function: &Function,
        settings: &Settings,
        scratch: &mut Scratch,
        explanations: &mut dyn Explanations,
    ) -> Result<(), Error> {
        let users = std::mem::take(&mut self.index.users); // as in `evaluate`
        for (user, id) in in_order(&users)? {
            let all = self.retrieved.of(id).len();
            if let Some(join) = self.join(id, all, false) {
                explain(join, Some(user), function, settings, scratch, explanations)?;
            }
        }
        self.index.users = users;
        Ok(())
    }

    /// Whether the user with this id has judgements.
    fn is_judged(&mut self, id: usize) -> bool {
        !self.judged.of(id).is_empty() || !self.null_item_judgements.of(id).is_empty()
    }

    /// The rows of the user with this id, to be joined, the first `shown` retrieved ones; `None` without judgements.
    fn join(&mut self, id: usize, shown: usize, are_different: bool) -> Option<ItemJoin<'_, S, I, I>> {
        self.is_judged(id).then(|| ItemJoin {
            entries: &mut self.retrieved.of(id)[..shown],
            are_different,
            null_item_scores: self.null_item_scores.of(id),
            truth: JudgedItems(self.judged.of(id)),
            rels: if self.is_graded { self.rels.of(id) } else { &[] },
        })
    }

    /// Moves the retrieved items of the user with this id that any cutoff can show to the front, best first as far as a list of
    /// them or any cutoff reaches. Returns how many any measure can show, all of them different. Tied ones are in ascending order
    /// of items, unless the options say descending.
    fn sort_best(&mut self, id: usize, settings: &Settings) -> Result<usize, Error> {
        let entries = self.retrieved.of(id);
        let kept = keep_shown(entries, settings.deepest, false)?;
        let order = |(score, item): &(S, I), (other_score, other): &(S, I)| {
            let by_item = || compare_items(Some(item), Some(other), settings.options.ties);
            score.cmp(other_score).then_with(by_item)
        };
        let Measures { last_k, parts, .. } = &settings.measures;
        // The evaluation moves none of them, because the best ones down to each of its cutoffs come first. Its parts break ties
        // alike, or the caller reads no list.
        let deepest = parts.iter().filter_map(|part| part.settings.deepest).max().unwrap_or(0);
        let reach = last_k.map(|k| k.max(deepest));
        let sorted = keep_shown(&mut entries[..kept], reach, true)?;
        entries[..sorted].sort_unstable_by(order);
        self.null_item_scores.of(id).sort_unstable();
        Ok(kept)
    }

    /// Passes the items of the user with this id to `results`, best first, down to the cutoff of the last measure. They are among
    /// the first `shown` retrieved ones, which are sorted down to this cutoff.
    fn put_ranking(
        &mut self,
        id: usize,
        shown: usize,
        settings: &Settings,
        place: usize,
        results: &mut impl Results,
    ) -> Result<(), Error> {
        let k = settings.measures.last_k.unwrap_or(usize::MAX);
        let (entries, null_items) = (&self.retrieved.of(id)[..shown.min(k)], &*self.null_item_scores.of(id));
        if null_items.is_empty() {
            return results.put_list(place, Some(entries.iter().map(|(_, item)| Some(item_id(item)))));
        }
        let (mut entries, mut null_items) = (entries.iter().peekable(), null_items.iter().peekable());
        let next = || {
            // NULL items come last among equal scores.
            let is_null = match (entries.peek(), null_items.peek()) {
                (Some((score, _)), Some(of_null)) => *of_null < score,
                (found, _) => found.is_none(),
            };
            if is_null {
                null_items.next().map(|_| None)
            } else {
                entries.next().map(|(_, item)| Some(item_id(item)))
            }
        };
        results.put_list(place, Some(std::iter::from_fn(next).take(k)))
    }

    /// Passes the relevant items of the user with this id to `results`, by the least relevance of the last measure.
    fn put_relevant(
        &mut self,
        id: usize,
        settings: &Settings,
        place: usize,
        results: &mut impl Results,
    ) -> Result<(), Error> {
        let rels = if self.is_graded { &*self.rels.of(id) } else { &[] };
        let judged = self.judged.of(id).iter().enumerate();
        let rel = |place: usize| rels.get(place).copied().unwrap_or(1.0);
        let relevant = judged.filter(|(place, _)| rel(*place) >= settings.measures.last_min_rel);
        results.put_list(place, Some(relevant.map(|(_, item)| Some(item_id(item)))))
    }

    /// How many retrieved and judged items the partition has, repeats included.
    fn row_count(&self) -> usize {
        self.retrieved.count() + self.null_item_scores.count() + self.judged.count()
    }

    /// How many retrieved and judged items the partitions have from the one at `place` on, those without a user's item
    /// left out.
    fn rows_from(&self, place: usize) -> usize {
        let of_threads = self.threads.iter().flat_map(|thread| thread.partitions[place..].iter());
        let partitions = of_threads.filter_map(|partition| partition.as_deref());
        partitions.map(|[partition]| partition.retrieved.len() + partition.judged.len()).sum()
    }

    /// How many threads have read retrieved items, or judged ones if these are more.
    fn readers(&self) -> usize {
        let with_rows = |has_rows: fn(&Partition<S, I::Stored>) -> bool| {
            let has_any = |thread: &&Arc<UserPartitions<S, I::Stored>>| {
                thread.partitions.iter().flatten().any(|partition| has_rows(&partition[0]))
            };
            self.threads.iter().filter(has_any).count()
        };
        let retrieved = with_rows(|partition| partition.retrieved.len() > 0);
        retrieved.max(with_rows(|partition| partition.judged.len() > 0))
    }

    /// Counts the rows of the user with this id.
    fn count(&mut self, id: usize, settings: &Settings) -> Result<RowCounts, Error> {
        let (retrieved, judged) = (&*self.retrieved.of(id), &*self.judged.of(id));
        let kept_repeats = self.counter.count(retrieved.len(), |index| retrieved[index].1)?;
        // Dropped rows are not among these: repeats are known only if no dropped item can have been repeated.
        let retrieved_repeats = are_known(retrieved.len(), self.drops.of(id)).then_some(kept_repeats);
        let judged_repeats = self.counter.count(judged.len(), |index| judged[index])?;
        // If fewer different items are kept than the deepest cutoff shows, every item is kept.
        let kept = retrieved.len() - kept_repeats + self.null_item_scores.of(id).len();
        Ok(RowCounts {
            retrieved: kept.min(settings.largest_k().unwrap_or(usize::MAX)),
            judged: judged.len() - judged_repeats + self.null_item_judgements.of(id).len(),
            retrieved_repeats,
            judged_repeats,
        })
    }
}

/// The users with their ids, in the order of results.
fn in_order<'u, K: StoredId>(users: &'u [UserKey<'_, K>]) -> Result<Vec<(User<'u>, usize)>, Error> {
    let mut order = Vec::new();
    order.make_exact_room(users.len())?;
    order.extend((0..).zip(users).map(|(id, (user, beside))| {
        let user = match user.bytes_with(*beside) {
            Some(bytes) => User::Text(bytes),
            None => User::Integer(user.tag()),
        };
        (user, id)
    }));
    order.sort_unstable();
    Ok(order)
}

/// Takes one buffer of each thread's partition, which `rows` chooses, and assigns ids to its users.
fn assign_ids<'a, S, K: StoredId, V>(
    index: &mut UserIndex<'a, K>,
    partitions: &[&'a Partition<S, K>],
    rows: impl Fn(&'a Partition<S, K>) -> &'a RowBuffer<K, V>,
) -> Result<Vec<RunIndex<'a, K, V>>, Error> {
    let rows = partitions.iter().map(|partition| rows(partition));
    rows.map(|rows| Ok(RunIndex { rows, ids: index.assign_ids(rows)? })).collect()
}
