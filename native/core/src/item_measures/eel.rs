//! EEL: how far the exposure of groups is from that of ideal rankings.

use super::group_sums::of_sums;
use super::item_measure::{ItemMeasure, Kernel, Nullable, Rankings, ValueRange, as_f64};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "eel",
    paper_name: "EEL",
    synonyms: &["expected_exposure", "expected_exposure_loss", "ee_l"],
    property: "group",
    summary: "expected exposure loss (EEL): how far the mean exposure of groups is from that in ideal rankings, which have the \
              relevant items first, all orders of them being equally likely, then the others likewise; 0 if they are equal. The \
              exposure of a rank is 1 / log2(rank + 1)",
    formula: "sum over groups of (e - t)^2; e and t: the mean over users of the sum of 1 / log2(rank + 1) of the group's items, \
              in the top k and expected in an ideal ranking of the catalogue, cut to the number of items in the top k",
    range: ValueRange::POSITIVE,
    needs: "a ranking, and an item with a group",
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
    let with_group =
        as_f64(labelled.labels.items().filter(|item| !labelled.labels.of(*item).is_empty()).count());
    // The exposure of the first places together, for each number of them.
    let mut exposure_of = vec![0.0];
    exposure_of.extend((0..labelled.logs.len()).scan(0.0, |sum, place| {
        *sum += labelled.discounts.at(place);
        Some(*sum)
    }));
    of_sums(
        rankings,
        without,
        |ranking, amounts| {
            amounts.add_attention(ranking.known());
            let relevant = || ranking.relevant().into_iter().flatten();
            let (places, wanted) = (ranking.items.len(), relevant().count());
            let of_wanted = exposure_of[places.min(wanted)];
            // The expected exposure of a relevant item, and of another one.
            let of_each = if wanted == 0 { 0.0 } else { of_wanted / as_f64(wanted) };
            let of_other = (exposure_of[places] - of_wanted) / as_f64(items.saturating_sub(wanted).max(1));
            amounts.add_to_each(1, shares.iter().map(|share| share * with_group * of_other));
            relevant().for_each(|item| amounts.share(1, item, of_each - of_other));
        },
        |sums, n| {
            let loss = |[found, ideal]: &[f64; 2]| ((found - ideal) / n).powi(2);
            (n > 0.0 && !sums.is_empty()).then(|| sums.iter().map(loss).sum())
        },
    )
}
