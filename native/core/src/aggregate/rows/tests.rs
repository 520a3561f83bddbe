//! Tests of groups of recommendations and judgements.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::aggregate::test_parts::{exactly, merged, settings};
use crate::catalogue::lookup;
use crate::ranking::scored::levels::{NARROW, WIDE};

/// A row: the number of its item, the level of its score (greater is better), and whether it is judged.
type Read = (Option<u8>, Option<u8>, bool);

fn ranked<S: ScoreCode, I: Item>(
    settings: &Settings,
    rows: &[Read],
    score: impl Fn(u8) -> S,
    item: impl Fn(u8) -> I,
) -> GroupRows<S, I> {
    let mut ranked = GroupRows::None;
    for (number, level, is_judged) in rows {
        let rel = number.filter(|_| *is_judged).map(|number| f64::from(number % 3));
        ranked.push(settings, || Ok(number.map(&item)), level.map(&score), rel).unwrap();
    }
    ranked
}

/// The values at the first k.
fn values<S: ScoreCode, I: Item>(
    mut ranked: GroupRows<S, I>,
    settings: &Arc<Settings>,
) -> Option<Vec<Option<f64>>> {
    let function = lookup("rank_metrics_at_rows").unwrap();
    let mut scratch = Scratch::default();
    let values = ranked.evaluate(function, settings, &mut scratch).unwrap()?;
    Some(values.values[..function.metrics.len()].iter().map(|value| value.get()).collect())
}

/// The values of a group whose rows are divided at `cuts` into states, which are then merged.
fn in_parts<S: ScoreCode, I: Item>(
    settings: &Arc<Settings>,
    rows: &[Read],
    cuts: &[(Index, Index)],
    score: impl Fn(u8) -> S,
    item: impl Fn(u8) -> I,
) -> Option<Vec<Option<f64>>> {
    let part = |rows: &[Read]| ranked(settings, rows, &score, &item);
    values(merged(rows, cuts, part, |one, other| one.combine(other, settings).unwrap()), settings)
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
        let expected = values(ranked(&all, &rows, float, i64::from), &all);
        let text = |number: u8| ItemBytes::from_vec(format!("{number:03}").repeat(1 + usize::from(number % 7)).into());

        let cut = settings(function, &options, &[Some(k)]);
        prop_assert_eq!(in_parts(&cut, &rows, &cuts, float, i64::from), expected.clone());
        prop_assert_eq!(in_parts(&cut, &rows, &cuts, float, text), expected.clone());
        let cut = exactly(&cut);
        for of in NARROW {
            let score = |level| u64::of_integer(of(level));
            prop_assert_eq!(in_parts(&cut, &rows, &cuts, score, i64::from), expected.clone());
        }
        for of in WIDE {
            let score = |level| u128::of_integer(of(level));
            prop_assert_eq!(in_parts(&cut, &rows, &cuts, score, i64::from), expected.clone());
            prop_assert_eq!(in_parts(&cut, &rows, &cuts, score, text), expected.clone());
        }
    }
}
