//! The entropy of exposures.

use super::item_measure::{ItemMeasure, Kernel, Nullable, Rankings, ValueRange, as_f64};

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

fn compute(rankings: &Rankings, without: &mut Vec<Nullable>) -> Option<f64> {
    let (rarer, total) = (rankings.rarer(), rankings.total());
    let term = |times: usize| if times == 0 { 0.0 } else { as_f64(times) * as_f64(times).log2() };
    let terms: Vec<f64> = (0..rarer.len()).map(term).collect();
    let of_equal = |(ends, term): (&[usize], &f64)| as_f64(ends[1] - ends[0]) * term;
    let sum: f64 = rarer.windows(2).zip(&terms).map(of_equal).sum();
    let entropy =
        |sum: f64, total: usize| (total > 0).then(|| (as_f64(total).log2() - sum / as_f64(total)).max(0.0));
    rankings.leave_out_each(without, |ranking| {
        let (mut less, mut items) = (0.0, 0);
        for (_, item) in ranking.known() {
            let times = rankings.times(item);
            less += terms[times] - terms[times - 1];
            items += 1;
        }
        entropy(sum - less, total - items)
    });
    entropy(sum, total)
}
