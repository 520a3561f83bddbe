//! AWRF: whether groups of items get the attention that they have in the catalogue.

use super::item_measure::{ItemMeasure, Kernel, LabelBuffers, LabelledItems, Ranking};

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

fn compute(ranking: &Ranking, labelled: &LabelledItems, [attention, _]: &mut LabelBuffers) -> Option<f64> {
    let LabelledItems { shares, discounts, .. } = labelled;
    let total = labelled.add(ranking.known().map(|(place, item)| (item, discounts.at(place))), attention);
    let (mut divergence, mut unseen) = (0.0, 1.0);
    for (group, weight) in attention.each() {
        let (p, q) = (weight / total, shares[group]);
        let middle = f64::midpoint(p, q);
        divergence += f64::midpoint(p * (p / middle).ln(), q * (q / middle).ln());
        unseen -= q;
    }
    // A group without attention adds half its share, in bits.
    let in_bits = divergence / std::f64::consts::LN_2 + unseen.max(0.0) / 2.0;
    (total > 0.0).then(|| (1.0 - in_bits.max(0.0)).max(0.0))
}
