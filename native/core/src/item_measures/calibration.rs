//! Calibration: whether the categories of a ranking have the shares that they have among the items of the user.

use super::item_measure::{ItemMeasure, Kernel, LabelBuffers, LabelledItems, Ranking, ValueRange};

/// The part of the user's own distribution in that of the ranking, so that a category without an item is no infinity.
const SMOOTHING: f64 = 0.01;

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "calibration",
    paper_name: "Miscalibration",
    synonyms: &["miscalibration"],
    property: "categories",
    summary: "how far the categories of the top k are from those of the items of truth, such as the user's history \
              (miscalibration, KL divergence): 0 if they have the same shares. The logarithm is the natural one",
    formula: "sum of p * ln(p / (0.99 * q + 0.01 * p)); p and q: the share of each category in truth and in the top k, where an \
              item with n categories counts 1 / n in each",
    range: ValueRange::in_words("0 to ln(100), which is 4.6"),
    needs: "an item with a category in the ranking and in truth",
    source: "Steck, Calibrated Recommendations, RecSys 2018",
    needs_truth: true,
    less_is_better: true,
    kernel: Kernel::RankingOfLabels(compute),
    ..ItemMeasure::USUAL
};

fn compute(
    ranking: &Ranking,
    labelled: &LabelledItems,
    [of_truth, of_ranking]: &mut LabelBuffers,
) -> Option<f64> {
    let relevant = labelled.add(ranking.relevant().map(|item| (item, 1.0)), of_truth);
    let shown = labelled.add(ranking.known().map(|(_, item)| (item, 1.0)), of_ranking);
    if relevant == 0.0 || shown == 0.0 {
        return None;
    }
    // The formula with p = weight / relevant and q = weight in the ranking / shown, so that a term takes one division.
    let scale = (1.0 - SMOOTHING) * relevant / shown;
    let term = |(category, weight): (usize, f64)| {
        weight * (weight / (scale * of_ranking.of(category) + SMOOTHING * weight)).ln()
    };
    Some((of_truth.each().map(term).sum::<f64>() / relevant).max(0.0))
}
