//! MaxSkew: how much too often the group is shown that has the greatest advantage.

use super::item_measure::{ItemMeasure, Kernel, LabelBuffers, LabelledItems, Ranking, ValueRange};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "max_skew",
    paper_name: "MaxSkew",
    synonyms: &["skew", "maxskew"],
    property: "group",
    summary: "the greatest skew of any group (MaxSkew): the logarithm of its share of the top k over its share of the catalogue; 0 \
              if all groups have the shares of the catalogue. The logarithm is the natural one",
    formula: "max over groups of ln(p / q); p and q: the shares of the group in the top k and in the catalogue, where an item with \
              n groups counts 1 / n in each",
    range: ValueRange::POSITIVE,
    needs: "an item with a group in the ranking",
    less_is_better: true,
    source: "Geyik, Ambler and Kenthapadi, Fairness-Aware Ranking in Search & Recommendation Systems with Application to \
             LinkedIn Talent Search, KDD 2019",
    kernel: Kernel::RankingOfLabels(compute),
    ..ItemMeasure::USUAL
};

fn compute(ranking: &Ranking, labelled: &LabelledItems, [counts, _]: &mut LabelBuffers) -> Option<f64> {
    let total = labelled.add(ranking.known().map(|(_, item)| (item, 1.0)), counts);
    let greatest = counts.each().map(|(group, count)| count / labelled.shares[group]).fold(0.0, f64::max);
    // The greatest ratio is at least 1, up to rounding: shares have the sum 1.
    (total > 0.0).then(|| (greatest / total).ln().max(0.0))
}
