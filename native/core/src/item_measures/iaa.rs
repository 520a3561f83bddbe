//! IAA: how far the attention to groups of items is from their relevance.

use super::group_sums::{Sums, of_sums};
use super::item_measure::{ItemMeasure, Kernel, Nullable, Rankings, ValueRange};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "iaa",
    paper_name: "IAA",
    synonyms: &[
        "equity_of_attention",
        "inequity_of_attention",
        "inequity_of_amortised_attention",
        "inequity_of_amortized_attention",
        "amortised_attention",
        "amortized_attention",
    ],
    property: "group",
    summary: "inequity of amortised attention (IAA): how far the groups' shares of the attention in all rankings are from their \
              shares of the relevant items; 0 if they are equal. The attention of a rank is 1 / log2(rank + 1)",
    formula: "sum over groups of abs(share of the sum of 1 / log2(rank + 1) in all top k - share of the relevant items)",
    range: ValueRange::in_words("0 to 2"),
    needs: "an item with a group in a ranking and in truth",
    needs_truth: true,
    less_is_better: true,
    source: "Biega, Gummadi and Weikum, Equity of Attention, SIGIR 2018; for groups, Raj and Ekstrand, Measuring Fairness in \
             Ranked Results, SIGIR 2022",
    kernel: Kernel::Rankings(compute),
    ..ItemMeasure::USUAL
};

fn compute(rankings: &Rankings, without: &mut Vec<Nullable>) -> Option<f64> {
    of_sums(
        rankings,
        without,
        0.0,
        |ranking, amounts| {
            amounts.add_attention(ranking.known());
            amounts.add_relevance(ranking);
        },
        |sums, _| {
            let total = |place: usize| sums.iter().map(|sums| sums[place]).sum::<f64>();
            let (attention, relevance) = (total(0), total(1));
            let gap = |of_group: &Sums| (of_group[0] / attention - of_group[1] / relevance).abs();
            (attention > 0.0 && relevance > 0.0).then(|| sums.iter().map(gap).sum())
        },
    )
}
