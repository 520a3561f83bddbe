//! The Gini index of exposures.

use super::item_measure::{ItemMeasure, Kernel, Nullable, Rankings, as_f64};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "gini",
    paper_name: "Gini",
    synonyms: &["gini_index", "list_gini"],
    summary: "Gini index of how often each item of the catalogue is in the top k of a user: 0 if all are equally often, near \
              1 if one of many is alone",
    formula: "sum of (2 * i - n - 1) * x_i over n * (sum of x), x ascending and i from 1",
    needs: "an item of the catalogue in a ranking",
    source: "Gini, Variabilita e mutabilita 1912; RecBole, GiniIndex",
    less_is_better: true,
    kernel: Kernel::Rankings(compute),
    ..ItemMeasure::USUAL
};

fn compute(rankings: &Rankings, without: &mut Vec<Nullable>) -> Option<f64> {
    let (rarer, n, total) = (rankings.rarer(), as_f64(rankings.catalogue()), rankings.total());
    // The sum of 2 * i - n - 1 over `count` items in a row, after the `before` first ones. Sums of whole numbers are exact in
    // floating point, as far as anybody has so many rankings.
    let weights = |before: usize, count: usize| as_f64(count) * (as_f64(2 * before + count) - n);
    let of_equal = |(times, ends): (usize, &[usize])| as_f64(times) * weights(ends[0], ends[1] - ends[0]);
    let sum: f64 = rarer.windows(2).enumerate().map(of_equal).sum();
    let index = |sum: f64, total: usize| (total > 0).then(|| sum / (n * as_f64(total)));
    // For each exposure, how many items of the current ranking have it.
    let mut equal = vec![0; rarer.len()];
    rankings.leave_out_each(without, |ranking| {
        // One ranking less takes 1 from each of its items. They become the first ones of those that were as frequent.
        let (mut less, mut items) = (0.0, 0);
        for times in ranking.known().map(|(_, item)| rankings.times(item)) {
            less += weights(rarer[times] + equal[times], 1);
            equal[times] += 1;
            items += 1;
        }
        ranking.known().for_each(|(_, item)| equal[rankings.times(item)] = 0);
        index(sum - less, total - items)
    });
    index(sum, total)
}
