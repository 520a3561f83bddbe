//! Calibration: whether the categories of a ranking have the shares that they have among the items of the user.

use super::item_measure::{ItemMeasure, Kernel, LabelledItems, Ranking, ValueRange};
use super::labels::Labels;
use super::rankings::{add, divergence, divide};

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
    kernel: Kernel::RankingOfLabels(compute),
    ..ItemMeasure::USUAL
};

fn compute(
    ranking: &Ranking,
    LabelledItems { labels, .. }: &LabelledItems,
    [p, q]: [&mut [f64]; 2],
) -> Option<f64> {
    let truth = ranking.truth?.iter().map(|item| *item as usize);
    distribute(truth.filter(|item| *item < ranking.catalogue), labels, p)?;
    distribute(ranking.known().map(|(_, item)| item), labels, q)?;
    let smooth = p.iter().zip(q).map(|(p, q)| (1.0 - SMOOTHING) * *q + SMOOTHING * p);
    Some(divergence(p.iter().copied(), smooth))
}

/// Puts the share of each label among some items in a list of zeros; `None` if none has a label.
fn distribute(items: impl Iterator<Item = usize>, labels: &Labels, parts: &mut [f64]) -> Option<()> {
    let mut count = 0.0;
    for set in items.map(|item| labels.of(item)).filter(|set| !set.is_empty()) {
        count += 1.0;
        add(set, 1.0, parts);
    }
    divide(parts, count);
    (count > 0.0).then_some(())
}
