//! The entropy of exposures.

use super::item_measure::{ItemMeasure, Kernel, Rankings, ValueRange, as_f64};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "entropy",
    paper_name: "Entropy",
    synonyms: &["shannon_entropy", "sentropy"],
    summary: "Shannon entropy, in bits, of how often each item of the catalogue is in the top k of a user: 0 if one item is \
              alone, log2(n) if n items are equally often",
    formula: "-sum of p * log2(p), p = x / (sum of x)",
    range: ValueRange::POSITIVE,
    needs: "an item of the catalogue in a ranking",
    source: "Shannon, A Mathematical Theory of Communication, Bell System Technical Journal 1948; Elliot, SEntropy",
    kernel: Kernel::Rankings(compute),
    ..ItemMeasure::USUAL
};

fn compute(rankings: &Rankings, without: &mut Vec<Option<f64>>) -> Option<f64> {
    let total = rankings.total();
    let term = |times: usize| if times == 0 { 0.0 } else { as_f64(times) * as_f64(times).log2() };
    // The terms are added in the order of size, so that the order of the catalogue has no effect.
    let sum: f64 = rankings.ascending().into_iter().map(term).sum();
    let entropy =
        |sum: f64, total: usize| (total > 0).then(|| (as_f64(total).log2() - sum / as_f64(total)).max(0.0));
    without.extend(rankings.each.iter().map(|ranking| {
        let (mut less, mut items) = (0.0, 0);
        for (_, item) in ranking.known() {
            let times = rankings.exposures[item];
            less += term(times) - term(times - 1);
            items += 1;
        }
        entropy(sum - less, total - items)
    }));
    entropy(sum, total)
}
