//! NDKL: whether each prefix of a ranking has the groups of the catalogue.

use super::item_measure::{ItemMeasure, Kernel, LabelBuffers, LabelledItems, Ranking, ValueRange, as_f64};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "ndkl",
    paper_name: "NDKL",
    synonyms: &["normalised_discounted_kl_divergence", "normalized_discounted_kl_divergence"],
    property: "group",
    summary: "normalised discounted KL divergence (NDKL) of the groups in each prefix of the top k from their shares of the \
              catalogue: 0 if all are the same. The logarithm of the divergence is the natural one",
    formula: "sum of d(i) / log2(i + 1) over sum of 1 / log2(i + 1), i from 1 to the items in the top k; d(i) = sum of p * ln(p \
              / q), p the shares of groups in the first i items, q those in the catalogue",
    range: ValueRange::POSITIVE,
    needs: "an item with a group in the ranking",
    source: "Geyik, Ambler and Kenthapadi, Fairness-Aware Ranking in Search & Recommendation Systems with Application to \
             LinkedIn Talent Search, KDD 2019",
    less_is_better: true,
    kernel: Kernel::RankingOfLabels(compute),
    ..ItemMeasure::USUAL
};

fn compute(ranking: &Ranking, labelled: &LabelledItems, [counts, _]: &mut LabelBuffers) -> Option<f64> {
    let LabelledItems { labels, discounts, logs, .. } = labelled;
    let (mut items, mut of_groups, mut sum, mut weights) = (0, 0.0, 0.0, 0.0);
    for set in ranking.known().map(|(_, item)| labels.of(item)).filter(|set| !set.is_empty()) {
        // The sum of p * ln(p / q) with p = count / items is that of count * ln(count / q), which an item changes for its own groups
        // alone, over items, less ln(items).
        let part = 1.0 / as_f64(set.len());
        for group in set.iter().map(|group| *group as usize) {
            let before = counts.of(group);
            of_groups += labelled.term(group, before + part) - labelled.term(group, before);
        }
        counts.add(std::iter::once((set, 1.0)));
        let (weight, log) = (discounts.at(items), logs[items]);
        items += 1;
        sum += weight * (of_groups / as_f64(items) - log).max(0.0);
        weights += weight;
    }
    // One group has the same share everywhere, and sums of logarithms are not exactly 0.
    let divergence = if labels.distinct == 1 { 0.0 } else { sum / weights };
    (items > 0).then_some(divergence)
}
