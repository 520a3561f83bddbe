//! Tests of groups of recommendations and judgements.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::aggregate::test_parts::{exactly, merged, settings, values};
use crate::catalogue::lookup;
use crate::ranking::scored::levels::{NARROW, WIDE};

/// A row: the number of its item, the level of its score (greater is better), and whether it is judged.
type Read = (Option<u8>, Option<u8>, bool);

/// The state of a group of rows, whose score codes and items `score` and `item` make of levels and numbers.
fn group<S: ScoreCode, I: GroupItem<S>>(
    settings: &Arc<Settings>,
    rows: &[Read],
    score: impl Fn(u8) -> S,
    item: impl Fn(u8) -> I,
) -> Rows {
    let mut group = Rows::default();
    for (number, level, is_judged) in rows {
        let rel = number.filter(|_| *is_judged).map(|number| f64::from(number % 3));
        group.group_settings.agree(settings).unwrap();
        let rows = I::rows_in_form(&mut group.rows, settings).unwrap();
        rows.push(settings, || Ok(number.map(&item)), level.map(&score), rel).unwrap();
    }
    group
}

proptest! {
    #[test]
    fn dropping_items_below_the_cutoff_changes_nothing(
        rows in prop::collection::vec(
            (prop::option::weighted(0.98, 0..200_u8), prop::option::of(0..20_u8), any::<bool>()), 1..500
        ),
        (levels, items) in (1..20_u8, 1..200_u8),
        k in prop_oneof![1..4_usize, 15..18_usize, 30..70_usize],
        ties in prop::sample::select(vec!["average", "pessimistic", "optimistic", "item_asc", "item_desc"]),
        steps in prop::sample::select(vec!["rank", "threshold"]),
        cuts in prop::collection::vec((any::<Index>(), any::<Index>()), 0..9),
    ) {
        let rows: Vec<Read> = rows
            .into_iter()
            .map(|(item, score, judged)| (item.map(|item| item % items), score.map(|score| score % levels), judged))
            .collect();
        let function = lookup("rank_metrics_at_rows").unwrap();
        let options = format!("ties={ties}, ap_steps={steps}");
        let all = settings(function, &options, &[Some(k), None]);
        let float = |level: u8| u64::of_float(level.into());
        let expected = values(group(&all, &rows, float, i64::from), function);
        let text = |number: u8| ItemBytes::from_vec(format!("{number:03}").repeat(1 + usize::from(number % 7)).into());

        // The values of a group whose rows are divided at `cuts` into states, which are then merged.
        macro_rules! in_parts {
            ($settings:expr, $score:expr, $item:expr) => {
                values(merged(&rows, &cuts, |rows| group($settings, rows, $score, $item)), function)
            };
        }
        let cut = settings(function, &options, &[Some(k)]);
        prop_assert_eq!(&in_parts!(&cut, float, i64::from), &expected);
        prop_assert_eq!(&in_parts!(&cut, float, text), &expected);
        let cut = exactly(&cut);
        for integer_of in NARROW {
            prop_assert_eq!(&in_parts!(&cut, |level| u64::of_integer(integer_of(level)), i64::from), &expected);
        }
        for integer_of in WIDE {
            prop_assert_eq!(&in_parts!(&cut, |level| u128::of_integer(integer_of(level)), text), &expected);
        }
    }
}
