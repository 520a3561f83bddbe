//! IAA: how far the attention to groups of items is from their relevance.

use super::group_sums::{Sums, of_sums};
use super::item_measure::{ItemMeasure, Kernel, Nullable, Rankings, ValueRange, as_f64};

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
              shares of the relevant items of all users; 0 if they are equal. Each user counts the same. The attention of a rank is \
              1 / log2(rank + 1)",
    formula: "sum over groups of abs(a - r); a: the group's share of the attention to all groups, in which an item of a user's \
              top k has 1 / log2(rank + 1), divided by the sum of these over that top k; r: the group's share of the relevant \
              items of all groups, in which each of the m relevant items of a user counts 1 / m",
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
    let discounts = &rankings.labelled?.discounts;
    of_sums(
        rankings,
        without,
        0.0,
        |ranking, amounts| {
            let all = discounts.sum_to(ranking.items.len());
            amounts.share(0, ranking.known().map(|(place, item)| (item, discounts.at(place) / all)));
            let part = 1.0 / as_f64(ranking.wanted());
            amounts.share(1, ranking.relevant().map(|item| (item, part)));
        },
        |sums, _| {
            let total = |place: usize| sums.iter().map(|sums| sums[place]).sum::<f64>();
            let (attention, relevance) = (total(0), total(1));
            let gap = |of_group: &Sums| (of_group[0] / attention - of_group[1] / relevance).abs();
            (attention > 0.0 && relevance > 0.0).then(|| sums.iter().map(gap).sum())
        },
    )
}
