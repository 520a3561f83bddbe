//! DIR: whether relevant items of all groups get the same attention.

use super::group_sums::attention_for_relevance;
use super::item_measure::{ItemMeasure, Kernel, Nullable, Rankings};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "dir",
    paper_name: "DIR",
    synonyms: &[
        "disparate_impact",
        "disparate_impact_ratio",
        "realized_utility_ratio",
        "realised_utility_ratio",
        "expru",
    ],
    property: "group",
    summary: "disparate impact ratio (DIR): the mean attention to a relevant item of the group with the least, over that of the \
              group with the most; 1 if relevant items of all groups get the same. The attention of a rank is 1 / log2(rank + 1)",
    formula: "min over max of the groups' ratios; that of a group is the sum of 1 / log2(rank + 1) of its relevant items in all \
              top k, over the number of its relevant items, those of all users. Groups without any are left out",
    needs: "two groups with relevant items, and one of these items in a ranking",
    needs_truth: true,
    source: "Singh and Joachims, Fairness of Exposure in Rankings, KDD 2018; FairRankTune, EXPRU with MinMaxRatio",
    kernel: Kernel::Rankings(compute),
    ..ItemMeasure::USUAL
};

fn compute(rankings: &Rankings, without: &mut Vec<Nullable>) -> Option<f64> {
    attention_for_relevance(rankings, without, |ranking, amounts| amounts.add_attention(ranking.hits()))
}
