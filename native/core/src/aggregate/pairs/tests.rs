//! Tests of groups of scores and relevances.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::aggregate::test_parts::{exactly, merged, settings, values};
use crate::catalogue::lookup;
use crate::ranking::scored::levels::{NARROW, WIDE};

/// The level of an item's score (greater is better), and its relevance.
type Item = (Option<u8>, Option<u8>);

/// The state of a group of items, whose score codes `score` makes of levels.
fn group<S: GroupScore>(settings: &Arc<Settings>, items: &[Item], score: impl Fn(u8) -> S) -> Pairs {
    let mut group = Pairs::default();
    for (level, rel) in items {
        group.group_settings.agree(settings).unwrap();
        let items = S::state_of_width(&mut group.items).unwrap();
        items.push(settings, level.map(&score), rel.map(f64::from)).unwrap();
    }
    group
}

impl<S: ScoreCode> GroupPairs<S> {
    /// How many items are kept one by one.
    fn len(&self) -> usize {
        if let Self::Top(top) = self { top[0].keys.len() } else { self.pairs().len() }
    }
}

/// The values of a group whose items are divided at `cuts` into states, which are then merged.
fn in_parts<S: GroupScore>(
    settings: &Arc<Settings>,
    function: &Function,
    items: &[Item],
    cuts: &[(Index, Index)],
    score: impl Fn(u8) -> S,
) -> Option<Vec<Option<f64>>> {
    let mut group = merged(items, cuts, |items| group(settings, items, &score));
    assert!(S::state_of_width(&mut group.items).unwrap().len() <= capacity_for(settings.deepest.unwrap()));
    values(group, function)
}

proptest! {
    #[test]
    fn dropping_items_below_the_cutoff_changes_nothing(
        items in prop::collection::vec((prop::option::weighted(0.9, 0..20_u8), prop::option::of(0..3_u8)), 1..400),
        levels in 1..20_u8,
        k in prop_oneof![1..4_usize, 15..18_usize, 30..70_usize],
        ties in prop::sample::select(vec!["average", "pessimistic", "optimistic"]),
        cuts in prop::collection::vec((any::<Index>(), any::<Index>()), 0..9),
    ) {
        let items: Vec<Item> =
            items.into_iter().map(|(score, rel)| (score.map(|score| score % levels), rel)).collect();
        for (name, more) in [
            ("rank_metrics_at_agg", ""),
            ("rank_metrics_at_agg", ", ap_steps=threshold"),
            ("rbp_agg", ""),
            ("rbp_agg", ", rbp_gain=linear"),
            ("cg_agg", ""),
            ("idcg_agg", ""),
        ] {
            let function = lookup(name).unwrap();
            let options = format!("ties={ties}{more}");
            // With the whole list among the cutoffs, no item is dropped.
            let all = settings(function, &options, &[Some(k), None]);
            let expected = values(group(&all, &items, |level| u64::of_float(level.into())), function);

            let cut = settings(function, &options, &[Some(k)]);
            let float = |level: u8| u64::of_float(level.into());
            prop_assert_eq!(&in_parts(&cut, function, &items, &cuts, float), &expected);
            for integer_of in NARROW {
                let score = |level| u64::of_integer(integer_of(level));
                prop_assert_eq!(&in_parts(&exactly(&cut), function, &items, &cuts, score), &expected);
                prop_assert_eq!(&values(group(&exactly(&all), &items, score), function), &expected);
            }
            for integer_of in WIDE {
                let score = |level| u128::of_integer(integer_of(level));
                prop_assert_eq!(&in_parts(&exactly(&cut), function, &items, &cuts, score), &expected);
                prop_assert_eq!(&values(group(&exactly(&all), &items, score), function), &expected);
            }
        }
    }
}
