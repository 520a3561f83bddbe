//! Which item is at which rank, beside a plain search.

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::options::Options;

proptest! {
    #[test]
    fn each_rank_has_an_item_of_its_score_and_relevance(
        retrieved in prop::collection::vec((0..4_u8, 0..30_i64), 0..40),
        nulls in prop::collection::vec(0..4_u8, 0..4),
        judged in prop::collection::vec((0..30_i64, 0..3_u8), 0..90),
        ties in select(vec![Ties::Average, Ties::Pessimistic, Ties::Optimistic, Ties::ItemAsc, Ties::ItemDesc]),
        wide in any::<bool>(),
    ) {
        let mut settings = Settings::default();
        settings.set_options("", Options { ties, ..Options::default() });
        // Repeated judgements agree.
        let rel = |item: i64| f64::from(judged.iter().find(|(known, _)| *known == item).unwrap().1);
        let truth: Vec<i64> = judged.iter().map(|(item, _)| *item).collect();
        let rels: Vec<f64> = truth.iter().map(|item| rel(*item)).collect();
        let (mut scratch, mut order) = (Scratch::default(), ItemOrder::default());
        macro_rules! rank {
            ($score:ty) => {{
                let code = |level: u8| <$score>::of_float(level.into());
                let mut entries: Vec<_> = retrieved.iter().map(|(level, item)| (code(*level), *item)).collect();
                let null_item_scores: Vec<_> = nulls.iter().map(|level| code(*level)).collect();
                let join = ItemJoin {
                    entries: &mut entries,
                    are_different: false,
                    null_item_scores: &null_item_scores,
                    truth: JudgedItems(&truth[..]),
                    rels: &rels,
                };
                join.rank_and_order(&settings, &mut scratch, Some(&mut order)).unwrap();
                let mut all: Vec<_> = entries.iter().map(|(score, item)| (score.float(), Some(*item))).collect();
                // Repeats stand behind the others, and count no more.
                all.truncate(order.retrieved.len() - nulls.len());
                all.extend(nulls.iter().map(|level| (f64::from(*level), None)));
                all
            }};
        }
        let items = if wide { rank!(u128) } else { rank!(u64) };
        let at_rank: Vec<(f64, Option<i64>)> = order.retrieved.iter().map(|index| items[*index]).collect();
        // The items are those that were retrieved, each with its best score, in descending order of scores.
        let mut distinct: Vec<i64> = retrieved.iter().map(|(_, item)| *item).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let mut listed: Vec<i64> = at_rank.iter().filter_map(|(_, item)| *item).collect();
        listed.sort_unstable();
        prop_assert_eq!(&listed, &distinct);
        for (score, item) in &at_rank {
            let scores = retrieved.iter().filter(|(_, known)| Some(*known) == *item).map(|(level, _)| *level);
            prop_assert!(item.is_none() || scores.max().map(f64::from) == Some(*score));
        }
        prop_assert!(at_rank.is_sorted_by(|one, other| one.0 >= other.0));
        if ties == Ties::ItemDesc {
            prop_assert!(at_rank.is_sorted_by(|one, other| one.0 > other.0 || one.1 > other.1 || one.1 == other.1));
        }
        // The relevances of the ranking are those of its items.
        let is_judged = |item: &Option<i64>| item.is_some_and(|item| truth.contains(&item));
        let ranks: Vec<usize> = (0..at_rank.len()).filter(|rank| is_judged(&at_rank[*rank].1)).collect();
        prop_assert_eq!(scratch.list.ranks(), &ranks[..]);
        let rels_at: Vec<f64> = ranks.iter().map(|rank| rel(at_rank[*rank].1.unwrap())).collect();
        prop_assert_eq!(&scratch.list.rels[..ranks.len()], &rels_at[..]);
        // Each judged item that is missing is listed once.
        let mut missing: Vec<(i64, f64)> =
            order.unretrieved.iter().map(|(index, rel)| (truth[*index], *rel)).collect();
        missing.sort_by_key(|(item, _)| *item);
        let mut expected: Vec<i64> = truth.iter().copied().filter(|item| !distinct.contains(item)).collect();
        expected.sort_unstable();
        expected.dedup();
        prop_assert_eq!(missing, expected.into_iter().map(|item| (item, rel(item))).collect::<Vec<_>>());
    }
}
