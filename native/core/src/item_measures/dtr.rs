//! DTR: whether groups of items get attention in proportion to their relevance.

use super::group_sums::attention_for_relevance;
use super::item_measure::{ItemMeasure, Kernel, Nullable, Rankings};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "dtr",
    paper_name: "DTR",
    synonyms: &["disparate_treatment", "disparate_treatment_ratio", "exposed_utility_ratio", "expu"],
    property: "group",
    summary: "disparate treatment ratio (DTR): the attention to a group for each relevant item of it, that of the group with the \
              least over that of the group with the most; 1 if groups get attention in proportion to their relevant items. The \
              attention of a rank is 1 / log2(rank + 1)",
    formula: "min over max of the groups' ratios; that of a group is the sum of 1 / log2(rank + 1) of its items in all top k, \
              over the number of its relevant items, those of all users. Groups without any are left out",
    needs: "two groups with relevant items, one of which is in a ranking",
    needs_truth: true,
    source: "Singh and Joachims, Fairness of Exposure in Rankings, KDD 2018; FairRankTune, EXPU with MinMaxRatio",
    kernel: Kernel::Rankings(compute),
    ..ItemMeasure::USUAL
};

fn compute(rankings: &Rankings, without: &mut Vec<Nullable>) -> Option<f64> {
    attention_for_relevance(rankings, without, |ranking, amounts| amounts.add_attention(ranking.known()))
}
