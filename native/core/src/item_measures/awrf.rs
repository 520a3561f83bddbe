//! AWRF: whether groups of items get the attention that they have in the catalogue.

use super::item_measure::{ItemMeasure, Kernel, LabelledItems, Ranking};
use super::rankings::{add, divergence, divide};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "awrf",
    paper_name: "AWRF",
    synonyms: &["attention_weighted_rank_fairness"],
    property: "group",
    summary: "attention-weighted rank fairness (AWRF): 1 if the groups of items have the shares of attention that they have \
              of the catalogue, less if not. The attention of a rank is 1 / log2(rank + 1)",
    formula: "1 - Jensen-Shannon divergence, in bits, of the groups' shares of attention and their shares of the catalogue",
    needs: "an item with a group in the ranking",
    source: "Sapiezynski et al., Quantifying the Impact of User Attention on Fair Group Representation in Ranked Lists, WWW \
             2019; TREC Fair Ranking Track 2022",
    kernel: Kernel::RankingOfLabels(compute),
    ..ItemMeasure::USUAL
};

fn compute(
    ranking: &Ranking,
    LabelledItems { labels, shares, discounts }: &LabelledItems,
    [attention, _]: [&mut [f64]; 2],
) -> Option<f64> {
    let mut total = 0.0;
    for (place, item) in ranking.known() {
        let (set, weight) = (labels.of(item), discounts.at(place));
        total += if set.is_empty() { 0.0 } else { weight };
        add(set, weight, attention);
    }
    if total == 0.0 {
        return None;
    }
    divide(attention, total);
    let middle = || attention.iter().zip(shares).map(|(one, other)| (one + other) / 2.0);
    let one = divergence(attention.iter().copied(), middle());
    let other = divergence(shares.iter().copied(), middle());
    Some((1.0 - f64::midpoint(one, other) / std::f64::consts::LN_2).max(0.0))
}
