//! Serendipity: relevant items that are not expected, because they are not popular.

use super::item_measure::{Allowed, ItemMeasure, Kernel, Nullable, Ranking, as_f64};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "serendipity",
    paper_name: "Serendipity",
    property: "popularity",
    summary: "how much more likely the relevant items in the top k are for the user than for anybody, by their place in the \
              ranking and by their popularity",
    formula: "mean over the items in the top k of: max(r - p, 0) for a relevant item, 0 for another one; r = (n + 1 - rank) / n, \
              p = (n + 1 - rank by popularity) / n, n the items of the catalogue. Equally popular items have one rank, and the \
              next less popular ones the rank after it. p is 0 for an item without a popularity",
    needs: "an item in the ranking",
    source: "RecTools, Serendipity",
    needs_truth: true,
    kernel: Kernel::RankingOfNumbers(Allowed::FINITE, popularity_ranks, compute),
    ..ItemMeasure::USUAL
};

/// For each item, its rank by popularity over the size of the catalogue, as a probability. Equal items have one rank, and the
/// next ones the rank after it.
fn popularity_ranks(popularities: &[Nullable]) -> Vec<f64> {
    let mut distinct: Vec<f64> = popularities.iter().filter_map(|popularity| popularity.get()).collect();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    let n = as_f64(popularities.len());
    let probability = |popularity: f64| {
        let above = distinct.len() - distinct.partition_point(|other| *other <= popularity);
        (n - as_f64(above)) / n
    };
    popularities.iter().map(|popularity| popularity.get().map_or(0.0, probability)).collect()
}

fn compute(ranking: &Ranking, probabilities: &[f64]) -> Option<f64> {
    let n = as_f64(ranking.catalogue);
    let gains = ranking.hits().map(|(place, item)| ((n - as_f64(place)) / n - probabilities[item]).max(0.0));
    let items = ranking.items.len();
    // An empty sum of floating point is -0.
    (items > 0).then(|| gains.fold(0.0, |sum, gain| sum + gain) / as_f64(items))
}
