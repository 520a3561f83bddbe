//! Aggregates over all users: a state reads the rows of every user, and there is one ranking for each in the end.
//!
//! Rows are appended to partitions by the hash of their user. After the last row, one partition after the other is
//! grouped by user; each is small enough for the processor's cache. This is faster than an engine's own grouping, which
//! keeps one state for each user.

mod buffer;
mod by_user;
pub mod evaluate;
mod partition;
mod prune;
mod repeats;
mod short_text;

use crate::aggregate::columns::{ItemScoreRelColumns, encoded_in_order};
use crate::aggregate::group::{Group, Groups};
use crate::aggregate::settings::{GroupSettings, SettingsCache};
use crate::aggregate::users::buffer::{BorrowedBytes, UserItem};
use crate::aggregate::users::evaluate::PartitionCursor;
use crate::aggregate::users::partition::{AnyPartitions, PartitionScore, writable};
use crate::aggregate::users::prune::Prunable;
use crate::aggregate::users::short_text::ShortText;
use crate::catalogue::Function;
use crate::column::matching::Matching;
use crate::column::nested::items;
use crate::column::{Column, Fixed, ItemColumn, Items, Plain, Validity};
use crate::error::{Error, bail};
use crate::types::{Integer, Type};

/// The state of a group that has the rows of many users.
#[derive(Default)]
pub struct Users {
    group_settings: GroupSettings,
    rows: AnyPartitions,
}

impl Group for Users {
    fn update<C: Column>(
        function: &'static Function,
        columns: &[C],
        groups: &mut impl Groups<Self>,
    ) -> Result<(), Error> {
        let [user, item, score, rel, ..] = columns else { bail!(internal: "an argument is missing") };
        let users = match user.kind() {
            Type::Null | Type::Integer(Integer::Narrow) => user.items(Matching::Integer)?,
            Type::Text => user.items(Matching::Text)?,
            kind => bail!("userid" => "userid must be a BIGINT or a text, got {kind}"),
        };
        let inputs = ItemScoreRelColumns::new(item, score, rel)?;
        let items = items(item, inputs.matching)?;
        let mut cache = SettingsCache::new(function, columns, inputs.score.are_exact())?;
        let (cache, rows) = (&mut cache, item.len());
        // Reads rows with scores and items of these types; if none are given, with narrow scores and items as they are.
        macro_rules! read {
            ($score:ty, $item:ty, $users:expr, $items:expr) => {
                read::<$score, $item, C, _, _>(&inputs, $users, $items, rows, cache, groups)
            };
            ($users:expr) => {
                match &items {
                    ItemColumn::Fixed(items) => read!(u64, i64, $users, items),
                    ItemColumn::Bytes(items) => read!(u64, BorrowedBytes, $users, items),
                    ItemColumn::Encoded(items) => read!(u64, BorrowedBytes, $users, items),
                    ItemColumn::Nulls => read!(u64, i64, $users, &Fixed::NULLS),
                }
            };
        }
        if inputs.score.are_wide() {
            // This rare case is compiled for byte strings alone.
            let items = &encoded_in_order(items, rows)?;
            return match users {
                ItemColumn::Fixed(users) => read!(u128, BorrowedBytes, &users, items),
                users => read!(u128, BorrowedBytes, &encoded_in_order(users, rows)?, items),
            };
        }
        match &users {
            ItemColumn::Bytes(users)
                if let ItemColumn::Bytes(items) = &items
                    && are_short(users, rows)
                    && are_short(items, rows) =>
            {
                // Short texts are stored as such only if all users and all items of a chunk are short.
                read!(u64, ShortText, &Tagged::new(users, rows), items)
            }
            ItemColumn::Fixed(Fixed { values, validity: Validity::All }) => read!(&Plain(values)),
            ItemColumn::Fixed(users) => read!(users),
            ItemColumn::Bytes(users) => read!(&Tagged::new(users, rows)),
            ItemColumn::Encoded(users) => read!(&Tagged::new(users, rows)),
            ItemColumn::Nulls => read!(&Fixed::NULLS),
        }
    }

    fn combine(&mut self, other: &Self) -> Result<(), Error> {
        if let Some(settings) = &other.group_settings.0 {
            self.group_settings.agree(settings)?;
        }
        self.rows.combine(&other.rows)
    }
}

impl Users {
    /// The rankings, to be evaluated one partition after the other. The order of users does not depend on that of rows.
    pub fn partitions(&self) -> PartitionCursor<'_> {
        PartitionCursor::new(self.group_settings.0.as_ref(), &self.rows)
    }
}

/// Whether all items of a column are short texts or NULL.
fn are_short(items: &impl Items, rows: usize) -> bool {
    (0..rows).all(|row| !items.is_valid(row) || items.bytes(row).len() <= ShortText::MAX_BYTES)
}

/// Users with their tags computed in advance: each tag is read several times, and may be the hash of a long text. The
/// hash is computed once for consecutive rows of one user.
struct Tagged<'a, U> {
    users: &'a U,
    /// The tag of each user; 0 for NULL.
    tags: Vec<i64>,
    /// Whether the user of each row is also that of the row before.
    are_same: Vec<bool>,
}

impl<'a, U: Items> Tagged<'a, U> {
    fn new(users: &'a U, rows: usize) -> Self {
        let (mut tags, mut are_same) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
        let mut tag = 0;
        for row in 0..rows {
            let is_same = row > 0 && users.are_equal(row - 1, row);
            if !is_same {
                tag = users.tag(row).unwrap_or_default();
            }
            tags.push(tag);
            are_same.push(is_same);
        }
        Self { users, tags, are_same }
    }
}

impl<U: Items> Items for Tagged<'_, U> {
    const EXACT: bool = U::EXACT;

    #[inline]
    fn is_valid(&self, index: usize) -> bool {
        self.users.is_valid(index)
    }

    #[inline]
    fn tag(&self, index: usize) -> Option<i64> {
        self.is_valid(index).then(|| self.tags[index])
    }

    #[inline]
    fn are_equal(&self, one: usize, other: usize) -> bool {
        if one + 1 == other {
            return self.are_same[other];
        }
        self.tags[one] == self.tags[other] && self.users.are_equal(one, other)
    }

    #[inline]
    fn bytes(&self, index: usize) -> &[u8] {
        self.users.bytes(index)
    }
}

/// Adds the rows of each group to its partitions, one group after the other. Settings must agree within a group.
fn read<'a, S, T: UserItem<'a>, C: Column, U: Items, I: Items>(
    inputs: &ItemScoreRelColumns,
    users: &U,
    items: &'a I,
    rows: usize,
    cache: &mut SettingsCache<C>,
    groups: &mut impl Groups<Users>,
) -> Result<(), Error>
where
    S: PartitionScore<T::Stored> + PartitionScore<i64>,
    T::Stored: Prunable,
{
    let mut order: Vec<usize> = (0..rows).collect();
    if !order.is_sorted_by_key(|row| groups.id(*row)) {
        order.sort_by_key(|row| groups.id(*row));
    }
    let mut rest = &order[..];
    while let Some(first) = rest.first() {
        let id = groups.id(*first);
        let (group_rows, others) = rest.split_at(rest.partition_point(|row| groups.id(*row) == id));
        rest = others;
        let Users { group_settings, rows: partitions } = groups.of(*first)?;
        for row in if cache.is_constant { &group_rows[..1] } else { group_rows } {
            group_settings.agree(cache.at(*row)?)?;
        }
        let settings = cache.at(*first)?;
        inputs.check_ties_by_item(settings)?;
        // Partitions of short texts are converted if these rows are not such; `None` for those of another form.
        if let Some(in_form) = <S as PartitionScore<T::Stored>>::in_form(partitions)? {
            writable(in_form)?.read::<T, U, I>(settings, inputs, users, items, group_rows)?;
        } else if let Some(with_bytes) = <S as PartitionScore<i64>>::in_form(partitions)? {
            // These rows have short texts, and rows before them longer ones, which are stored with their bytes.
            writable(with_bytes)?.read::<BorrowedBytes, U, I>(settings, inputs, users, items, group_rows)?;
        } else {
            bail!(internal: "scores came in two forms");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::aggregate::columns::ScoreColumn;
    use crate::aggregate::explained::User;
    use crate::aggregate::test_parts::{bits, exactly, settings};
    use crate::aggregate::users::evaluate::{Results, RowCounts};
    use crate::aggregate::users::partition::UserPartitions;
    use crate::catalogue::lookup;
    use crate::column::{Encoded, Integers, Numbers};
    use crate::ranking::scored::levels::{NARROW, WIDE};
    use crate::results::Values;

    /// Whether users and items are texts, or else integers, in a call of [`evaluated`].
    const TEXT_IDS: bool = true;
    const INTEGER_IDS: bool = false;

    /// A user, an item, and the level of the item's score (greater is better); `None` if the row judges the item.
    type Read = (u8, u8, Option<u8>);

    /// The results of a user.
    #[derive(Clone, Debug, PartialEq)]
    struct UserResults {
        user: i64,
        /// The values of all metrics.
        values: Vec<Option<f64>>,
        /// The number of retrieved and of judged items, and of repeats of both; `None` where it is not known.
        counts: [Option<i64>; 4],
    }

    impl Results for Vec<UserResults> {
        fn put(&mut self, user: User, counts: &RowCounts, values: &Values) {
            let user = match user {
                User::Integer(user) => user,
                User::Text(text) => String::from_utf8_lossy(text).parse().unwrap(),
            };
            let values = values.values.iter().map(|value| value.get()).collect();
            self.push(UserResults { user, values, counts: counts.integers() });
        }
    }

    /// Byte strings whose tags are all the same, so that only their bytes tell them apart.
    struct Colliding<'a>(&'a Encoded);

    impl Items for Colliding<'_> {
        const EXACT: bool = false;

        fn tag(&self, _: usize) -> Option<i64> {
            Some(7)
        }

        fn bytes(&self, index: usize) -> &[u8] {
            self.0.bytes(index)
        }
    }

    /// The counts and values of each user, by user, and the number of retrieved items that were kept. Rows are read in
    /// chunks, by turns into the partitions of two threads, which prune once they have more than `prune_above` rows.
    /// With `TEXT_IDS`, all users have one tag. `integers` makes scores of levels; `None` if scores are floating point.
    fn evaluated<S: PartitionScore<i64>>(
        k: usize,
        ties: &str,
        rows: &[Read],
        (chunk, prune_above): (usize, usize),
        have_text_ids: bool,
        integers: impl Fn(&[u8]) -> Option<Integers<'static>>,
    ) -> (Vec<UserResults>, usize) {
        let function = lookup("rank_evaluation_by_user").unwrap();
        let settings = settings(function, &format!("ties={ties}"), &[Some(k)]);
        let settings = if integers(&[]).is_some() { exactly(&settings) } else { settings };
        let mut partitions = [prune_above; 2].map(|prune_above| UserPartitions::<S, i64> {
            prune_above,
            prune_floor: prune_above,
            ..UserPartitions::new().unwrap()
        });
        for (number, rows) in rows.chunks(chunk).enumerate() {
            let (retrieved, judged) = (bits(rows, |row| row.2.is_some()), bits(rows, |row| row.2.is_none()));
            let levels: Vec<u8> = rows.iter().map(|row| row.2.unwrap_or_default()).collect();
            let rels: Vec<f64> = rows.iter().map(|row| f64::from(row.1 % 3)).collect();
            let inputs = ItemScoreRelColumns {
                matching: Matching::Integer,
                score: ScoreColumn {
                    name: "score",
                    numbers: Numbers {
                        values: levels.iter().map(|level| f64::from(*level)).collect(),
                        validity: Validity::Bits { bits: &retrieved, offset: 0 },
                    },
                    integers: integers(&levels),
                },
                rel: Numbers { values: rels.into(), validity: Validity::Bits { bits: &judged, offset: 0 } },
                unordered: None,
            };
            let [users, items] = [|row: &Read| row.0, |row: &Read| row.1].map(|of| Fixed {
                values: rows.iter().map(|row| of(row).into()).collect(),
                validity: Validity::All,
            });
            let chosen: Vec<usize> = (0..rows.len()).collect();
            let partitions = &mut partitions[number % 2];
            if have_text_ids {
                let text = |id: &i64| format!("{id:03}");
                let [users, items] = [users, items]
                    .map(|ids| Encoded::of(ids.values.iter().map(|id| Some(text(id)))).unwrap());
                let users = &Colliding(&users);
                let users = &Tagged::new(users, rows.len());
                partitions.read::<BorrowedBytes, _, _>(&settings, &inputs, users, &items, &chosen).unwrap();
            } else {
                partitions.read::<i64, _, _>(&settings, &inputs, &users, &items, &chosen).unwrap();
            }
        }
        let kept = partitions.iter().flat_map(|partitions| partitions.partitions.iter().flatten());
        let kept = kept.map(|partition| partition[0].retrieved.len()).sum();
        let mut users = Users { group_settings: GroupSettings(Some(settings)), rows: AnyPartitions::None };
        S::in_form(&mut users.rows).unwrap().unwrap().extend(partitions.map(Arc::new));

        let mut results = Vec::new();
        let mut cursor = users.partitions();
        while cursor.advance().unwrap().is_some() {
            cursor.evaluate(function, &mut results).unwrap();
        }
        results.sort_by_key(|of_user: &UserResults| of_user.user);
        (results, kept)
    }

    #[test]
    fn as_many_threads_evaluate_as_have_read_the_larger_table() {
        const CHUNK: usize = 4096; // 128 chunks are worth a thread
        let settings = settings(lookup("rank_evaluation_by_user").unwrap(), "", &[None]);
        // Each thread reads so many chunks of retrieved items, or of judged ones.
        let threads = |of_rec: &[usize], of_truth: &[usize]| {
            let numbers = |validity| Numbers { values: vec![1.0; CHUNK].into(), validity };
            let ids = Fixed { values: (0..).take(CHUNK).collect(), validity: Validity::All };
            let chosen: Vec<usize> = (0..CHUNK).collect();
            let validities = [(Validity::All, Validity::None), (Validity::None, Validity::All)];
            let mut all = Vec::new();
            for (chunks, (of_score, of_rel)) in [of_rec, of_truth].into_iter().zip(validities) {
                let inputs = ItemScoreRelColumns {
                    matching: Matching::Integer,
                    score: ScoreColumn { name: "score", numbers: numbers(of_score), integers: None },
                    rel: numbers(of_rel),
                    unordered: None,
                };
                for chunks in chunks {
                    let mut partitions = UserPartitions::<u64, i64>::new().unwrap();
                    for _ in 0..*chunks {
                        partitions.read::<i64, _, _>(&settings, &inputs, &ids, &ids, &chosen).unwrap();
                    }
                    all.push(Arc::new(partitions));
                }
            }
            let rows = AnyPartitions::Narrow(all);
            Users { group_settings: GroupSettings(Some(settings.clone())), rows }.partitions().threads()
        };
        assert_eq!(threads(&[128, 128], &[]), 2);
        assert_eq!(threads(&[128, 127], &[]), 1);
        assert_eq!(threads(&[300], &[1, 100]), 2);
        assert_eq!(threads(&[90, 1], &[1, 200, 1, 1]), 2);
        assert_eq!(threads(&[400], &[]), 1);
        assert_eq!(threads(&[], &[]), 1);
    }

    /// The counts of each user as [`UserResults`] has them, and whether repeats may be unknown: only if some retrieved
    /// rows cannot be shown. By the definition.
    fn counted(rows: &[Read], k: usize) -> Vec<([Option<i64>; 4], bool)> {
        let users: BTreeSet<u8> = rows.iter().map(|row| row.0).collect();
        let of_user = |user: u8| {
            let items = |is_retrieved: bool| {
                let rows = rows.iter().filter(move |row| row.0 == user && row.2.is_some() == is_retrieved);
                let items: Vec<u8> = rows.map(|row| row.1).collect();
                (items.iter().collect::<BTreeSet<_>>().len(), items.len())
            };
            let ((retrieved, all_retrieved), (judged, all_judged)) = (items(true), items(false));
            let shown = retrieved.min(k);
            let counts = [shown, judged, all_retrieved - retrieved, all_judged - judged];
            (counts.map(|count| i64::try_from(count).ok()), all_retrieved > shown)
        };
        users.into_iter().map(of_user).collect()
    }

    /// Makes no integers of levels, so that scores are floating point.
    fn floats(_: &[u8]) -> Option<Integers<'static>> {
        None
    }

    proptest! {
        #[test]
        fn what_is_dropped_changes_nothing(
            rows in prop::collection::vec((0..255_u8, 0..200_u8, prop::option::weighted(0.8, 0..20_u8)), 1..500),
            (users, items, levels) in (1..5_u8, 1..200_u8, 1..20_u8),
            (k, chunk, prune_above) in (1..40_usize, prop_oneof![Just(1000_usize), 1..90_usize], 1..200_usize),
            ties in prop::sample::select(vec!["average", "pessimistic", "item_asc", "item_desc"]),
        ) {
            let rows: Vec<Read> = rows
                .into_iter()
                .map(|(user, item, score)| (user % users, item % items, score.map(|score| score % levels)))
                .collect();
            // A run of one row has nothing to drop, and the limit is never reached: every row is kept.
            let (expected, _) = evaluated::<u64>(k, ties, &rows, (1, usize::MAX), INTEGER_IDS, floats);
            let counted = counted(&rows, k);
            prop_assert!(counted.iter().map(|of_user| of_user.0).eq(expected.iter().map(|of_user| of_user.counts)));
            // The same with the repeats that may be unknown, and are, in place of `None`.
            let known = |(mut results, _): (Vec<UserResults>, usize)| {
                for (of_user, (expected, may_be_unknown)) in results.iter_mut().zip(&counted) {
                    if *may_be_unknown {
                        of_user.counts[2] = of_user.counts[2].or(expected[2]);
                    }
                }
                results
            };
            let sizes = (chunk, prune_above);
            prop_assert_eq!(&known(evaluated::<u64>(k, ties, &rows, sizes, INTEGER_IDS, floats)), &expected);
            prop_assert_eq!(&known(evaluated::<u64>(k, ties, &rows, sizes, TEXT_IDS, floats)), &expected);
            for integer_of in NARROW {
                let integers = |levels: &[u8]| {
                    Some(Integers::Narrow(levels.iter().map(|level| integer_of(*level)).collect()))
                };
                prop_assert_eq!(&known(evaluated::<u64>(k, ties, &rows, sizes, INTEGER_IDS, integers)), &expected);
            }
            for integer_of in WIDE {
                let integers = |levels: &[u8]| {
                    Some(Integers::Wide(levels.iter().map(|level| integer_of(*level)).collect()))
                };
                prop_assert_eq!(&known(evaluated::<u128>(k, ties, &rows, sizes, TEXT_IDS, integers)), &expected);
            }
        }
    }

    #[test]
    fn rows_without_repeats_are_known_as_such_after_drops() {
        let rows: Vec<Read> = (0..60)
            .flat_map(|user| (0..100_u8).map(move |item| (user, item, Some(item.wrapping_mul(7)))))
            .collect();
        // Rows are dropped when they are read, if a user is wholly within a chunk, or by pruning.
        for sizes in [(250, usize::MAX), (100, 500)] {
            let (pruned, kept) = evaluated::<u64>(5, "average", &rows, sizes, INTEGER_IDS, floats);
            assert!(kept < 5500, "{kept}");
            assert!(pruned.iter().all(|of_user| of_user.counts[2] == Some(0)), "{sizes:?} {pruned:?}");
        }
    }

    #[test]
    fn repeats_of_dropped_rows_are_unknown() {
        // A chunk is 100 rows of one user, and chunks go to two threads by turns. Item 0 is the best one.
        let rows = |user: u8, items: [u8; 100]| items.map(|item| (user, item, Some(200 - item))).to_vec();
        let first = std::array::from_fn(|place| u8::try_from(place).unwrap());
        // One item is new, and item 0, which is kept, is not among the others.
        let others = first.map(|item| item + 1);
        let cases = [
            // The rows of the user are dropped twice by one thread, and some come again in between.
            vec![rows(0, first), rows(1, first), rows(0, others)],
            // A prune that drops no row of the user comes between its drop and the item that comes again.
            vec![rows(0, first), rows(1, first), rows(2, first), rows(3, first), vec![(0, 50, Some(150))]],
            // Both threads drop rows of the user.
            vec![rows(0, first), rows(0, others), rows(1, first)],
        ];
        for (place, chunks) in cases.iter().enumerate() {
            let (pruned, kept) =
                evaluated::<u64>(1, "average", &chunks.concat(), (100, 1), INTEGER_IDS, floats);
            assert!(kept < 10, "{kept}");
            assert_eq!((pruned[0].user, pruned[0].counts[2]), (0, None), "case {place}");
        }
    }
}
