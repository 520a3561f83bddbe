//! EEL: how far the exposure of groups is from that of ideal rankings.

use super::group_sums::of_sums;
use super::item_measure::{ItemMeasure, Kernel, Nullable, Rankings, ValueRange, as_f64};
use crate::options::choices::Discount;
use crate::ranking::discount::discount;

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "eel",
    paper_name: "EEL",
    synonyms: &["expected_exposure_loss", "ee_l"],
    property: "group",
    summary: "expected exposure loss (EEL): how far the exposure of groups in all rankings is from that in ideal rankings; 0 if they \
              are equal. An ideal ranking has the relevant items first, in random order, and then the others of the catalogue, in \
              random order. The exposure of a rank is 1 / log2(rank + 1)",
    formula: "sum over groups of (e - t)^2; e: the mean over users of the sum of 1 / log2(rank + 1) of the group's items in the top \
              k; t: the same mean for the top k of ideal rankings, as expected over their random orders. Without k, an ideal \
              ranking is as long as that of the user",
    range: ValueRange::POSITIVE,
    needs: "a ranking and an item with a group",
    needs_truth: true,
    less_is_better: true,
    source: "Diaz et al., Evaluating Stochastic Rankings with Expected Exposure, CIKM 2020; for recommendations, Raj and \
             Ekstrand, Measuring Fairness in Ranked Results, SIGIR 2022",
    kernel: Kernel::Rankings(compute),
    ..ItemMeasure::USUAL
};

fn compute(rankings: &Rankings, without: &mut Vec<Nullable>) -> Option<f64> {
    let labelled = rankings.labelled?;
    let (items, shares) = (rankings.catalogue(), &labelled.shares);
    // The exposure of so many places together, which may be more than any ranking has.
    let exposure_of = |places: usize| {
        let known = places.min(labelled.logs.len());
        let others = (known + 1..=places).map(|rank| discount(Discount::Log2, as_f64(rank)));
        labelled.discounts.sum_to(known) + others.sum::<f64>()
    };
    let of_first_k = rankings.k.map(|k| exposure_of(k.min(items)));
    of_sums(
        rankings,
        without,
        of_first_k.unwrap_or(0.0),
        |ranking, amounts| {
            amounts.add_attention(ranking.known());
            let wanted = ranking.wanted();
            let places = rankings.k.unwrap_or(ranking.items.len()).min(items);
            let of_wanted = exposure_of(places.min(wanted));
            let of_all = of_first_k.unwrap_or_else(|| exposure_of(places));
            // The expected exposure of a relevant item, and of another one.
            let of_each = of_wanted / as_f64(wanted.max(1));
            let of_other = (of_all - of_wanted).max(0.0) / as_f64((items - wanted).max(1));
            amounts.add_to_each(1, shares.iter().map(|share| share * labelled.with_label * of_other));
            amounts.share(1, ranking.relevant().map(|item| (item, of_each - of_other)));
        },
        |sums, n| {
            let loss = |[found, ideal]: &[f64; 2]| ((found - ideal) / n).powi(2);
            (n > 0.0 && !sums.is_empty()).then(|| sums.iter().map(loss).sum())
        },
    )
}
