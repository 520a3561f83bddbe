//! RSP: whether items of all groups are equally likely to be shown.

use super::item_measure::{ItemMeasure, Kernel, Nullable, Rankings, ValueRange, as_f64};
use super::rankings::deviation;

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "rsp",
    paper_name: "RSP",
    synonyms: &["ranking_based_statistical_parity"],
    property: "group",
    summary: "ranking-based statistical parity (RSP): how far the probabilities differ that an item of a group is in the top \
              k of a user; 0 if they are equal for all groups",
    formula: "population standard deviation over mean of the groups' probabilities; that of a group is the number of its \
              items in all top k, over users * items of the group",
    range: ValueRange::POSITIVE,
    needs: "an item with a group in a ranking",
    source: "Zhu, Wang and Caverlee, Measuring and Mitigating Item Under-Recommendation Bias in Personalized Ranking \
             Systems, SIGIR 2020; Elliot, RSP",
    less_is_better: true,
    kernel: Kernel::Rankings(compute),
    ..ItemMeasure::USUAL
};

fn compute(rankings: &Rankings, without: &mut Vec<Nullable>) -> Option<f64> {
    let labels = &rankings.labelled?.labels;
    let (mut sizes, mut shown) = (vec![0_usize; labels.distinct], vec![0_usize; labels.distinct]);
    for item in 0..rankings.catalogue() {
        for label in labels.of(item) {
            sizes[*label as usize] += 1;
            shown[*label as usize] += rankings.times(item);
        }
    }
    // The number of users divides all probabilities alike.
    let value = |shown: &[usize]| {
        deviation(shown.iter().zip(&sizes).map(|(shown, size)| as_f64(*shown) / as_f64(*size)))
    };
    let all = shown.clone();
    rankings.leave_out_each(without, |ranking| {
        shown.clone_from(&all);
        ranking.known().flat_map(|(_, item)| labels.of(item)).for_each(|label| shown[*label as usize] -= 1);
        value(&shown)
    });
    value(&all)
}
