//! Tests of lists of items.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::aggregate::best_items::LENGTH;
use crate::aggregate::group::capacity_for;
use crate::aggregate::test_parts::{bits, merged, settings};
use crate::catalogue::lookup;
use crate::column::{Encoded, Validity};
use crate::options::choices::{NullScores, Ties};
use crate::ranking::scored::levels::{NARROW, WIDE};
use crate::settings::Settings;

/// The number of an item and the level of its score (greater is better).
type Row = (Option<i8>, Option<u8>);

/// A text of a number, such that texts are in the order of the numbers.
fn text(number: i8) -> String {
    let level = i16::from(number) + 128;
    format!("{level:03}{}", "-".repeat(usize::try_from(level % 40).unwrap()))
}

/// The state of a group of rows. Scores are codes that `score` makes of levels.
fn group<S: GroupScore>(
    settings: &Arc<Settings>,
    rows: &[Row],
    as_text: bool,
    score: impl Fn(u8) -> S,
) -> RankedItems {
    let mut group = RankedItems::default();
    group.group_settings.agree(settings).unwrap();
    let values: Vec<i64> = rows.iter().map(|(item, _)| item.unwrap_or_default().into()).collect();
    let bits = bits(rows, |(item, _)| item.is_some());
    let fixed = Fixed { values: values.into(), validity: Validity::Bits { bits: &bits, offset: 0 } };
    let texts = Encoded::of(rows.iter().map(|(item, _)| item.map(text))).unwrap();
    let candidates = S::state_of_width(&mut group.items).unwrap();
    for (row, (_, level)) in rows.iter().enumerate() {
        let score = level.map(&score);
        if as_text {
            candidates.push(settings, &texts, row, score).unwrap();
        } else {
            candidates.push(settings, &fixed, row, score).unwrap();
        }
        if let Some(k) = settings.deepest {
            let most = k + capacity_for(k);
            assert!(candidates.keys.len() <= k);
            // A text has 3 digits and at most 39 dashes. There are as many texts without a score, and as many bytes
            // of texts that were dropped; the first room is for more than a text.
            assert!(candidates.bytes.len() <= 2 * 2 * most * (LENGTH + 42) + 128);
        }
    }
    group
}

/// The list of a group whose rows are divided at `cuts` into states, which are then merged.
fn in_parts<S: GroupScore>(
    settings: &Arc<Settings>,
    rows: &[Row],
    cuts: &[(Index, Index)],
    as_text: bool,
    score: impl Fn(u8) -> S,
) -> Vec<Option<String>> {
    let mut group = merged(rows, cuts, |rows| group(settings, rows, as_text, &score));
    let count = group.sort();
    let mut found = Vec::new();
    group.for_each(|item| {
        found.push(item.map(|item| match item {
            ListItem::Tag(tag) => text(tag.try_into().unwrap()),
            ListItem::Bytes(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
        }));
    });
    assert_eq!(found.len(), count);
    found
}

/// The list by sorting whole rows.
fn sorted(rows: &[Row], k: Option<usize>, ties: Ties, nulls: NullScores) -> Vec<Option<String>> {
    let mut rows = rows.to_vec();
    rows.retain(|(_, level)| level.is_some() || nulls == NullScores::Last);
    rows.sort_by(|(item, level), (other, other_level)| {
        let by_item = match (item, other) {
            (Some(item), Some(other)) if ties == Ties::ItemDesc => other.cmp(item),
            _ => item.is_none().cmp(&other.is_none()).then(item.cmp(other)),
        };
        other_level.cmp(level).then(by_item)
    });
    rows.truncate(k.unwrap_or(usize::MAX));
    rows.into_iter().map(|(item, _)| item.map(text)).collect()
}

proptest! {
    #[test]
    fn lists_are_those_of_sorted_rows(
        rows in prop::collection::vec(
            (prop::option::weighted(0.9, any::<i8>()), prop::option::weighted(0.9, 0..20_u8)), 1..400
        ),
        levels in 1..20_u8,
        k in prop::option::weighted(0.8, prop_oneof![1..4_usize, 15..18_usize, 30..70_usize]),
        ties in prop::sample::select(vec![Ties::ItemAsc, Ties::ItemDesc]),
        nulls in prop::sample::select(vec![NullScores::Last, NullScores::Skip]),
        cuts in prop::collection::vec((any::<Index>(), any::<Index>()), 0..9),
    ) {
        let rows: Vec<Row> =
            rows.into_iter().map(|(item, score)| (item, score.map(|score| score % levels))).collect();
        let name = |is_first, [first, second]: [&'static str; 2]| if is_first { first } else { second };
        let options = format!(
            "ties={}, null_scores={}",
            name(ties == Ties::ItemAsc, ["item_asc", "item_desc"]),
            name(nulls == NullScores::Last, ["last", "skip"]),
        );
        let expected = sorted(&rows, k, ties, nulls);
        let settings = settings(lookup("ranked_list").unwrap(), &options, &[k]);
        for as_text in [false, true] {
            let float = |level: u8| u64::of_float(level.into());
            prop_assert_eq!(&in_parts(&settings, &rows, &cuts, as_text, float), &expected);
            for integer_of in NARROW {
                let score = |level| u64::of_integer(integer_of(level));
                prop_assert_eq!(&in_parts(&settings, &rows, &cuts, as_text, score), &expected);
            }
            for integer_of in WIDE {
                let score = |level| u128::of_integer(integer_of(level));
                prop_assert_eq!(&in_parts(&settings, &rows, &cuts, as_text, score), &expected);
            }
        }
    }
}
