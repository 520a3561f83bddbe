//! The Gini index of exposures.

use super::item_measure::{ItemMeasure, Kernel, Rankings, as_f64};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "gini",
    paper_name: "Gini",
    synonyms: &["gini_index", "list_gini"],
    summary: "Gini index of how often each item of the catalogue is in the top k of a user: 0 if all are equally often, near \
              1 if one of many is alone",
    formula: "sum of (2 * i - n - 1) * x_i over n * (sum of x), x ascending and i from 1",
    needs: "an item of the catalogue in a ranking",
    source: "Gini, Variabilita e mutabilita 1912; RecBole, GiniIndex",
    kernel: Kernel::Rankings(compute),
    ..ItemMeasure::USUAL
};

fn compute(rankings: &Rankings, without: &mut Vec<Option<f64>>) -> Option<f64> {
    let ascending = rankings.ascending();
    let (n, total) = (as_f64(ascending.len()), rankings.total());
    // Sums of whole numbers are exact in floating point, as far as anybody has so many rankings.
    let weight = |place: usize| 2.0 * as_f64(place) + 1.0 - n;
    let sum: f64 = ascending.iter().enumerate().map(|(place, times)| weight(place) * as_f64(*times)).sum();
    let index = |sum: f64, total: usize| (total > 0).then(|| sum / (n * as_f64(total)));
    let mut times = Vec::new();
    without.extend(rankings.each.iter().map(|ranking| {
        times.clear();
        times.extend(ranking.known().map(|(_, item)| rankings.exposures[item]));
        times.sort_unstable();
        // One ranking less takes 1 from each of its items. They become the first ones of those that were as frequent.
        let mut sum = sum;
        for equal in times.chunk_by(|one, other| one == other) {
            let first = ascending.partition_point(|other| *other < equal[0]);
            sum -= (first..first + equal.len()).map(weight).sum::<f64>();
        }
        index(sum, total - times.len())
    }));
    index(sum, total)
}
