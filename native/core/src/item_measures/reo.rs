//! REO: whether relevant items of all groups are equally likely to be shown.

use super::item_measure::{ItemMeasure, Kernel, Nullable, Ranking, Rankings, ValueRange, as_f64};
use super::labels::Labels;
use super::rankings::deviation;

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "reo",
    paper_name: "REO",
    synonyms: &["equal_opportunity", "ranking_based_equal_opportunity"],
    property: "group",
    summary: "ranking-based equal opportunity (REO): how far the probabilities differ that a relevant item of a group is in \
              the top k; 0 if they are equal for all groups",
    formula: "population standard deviation over mean of the groups' probabilities; that of a group is the number of its \
              relevant items in all top k, over the number of its relevant items",
    range: ValueRange::POSITIVE,
    needs: "a relevant item with a group in a ranking",
    source: "Zhu, Wang and Caverlee, Measuring and Mitigating Item Under-Recommendation Bias in Personalized Ranking \
             Systems, SIGIR 2020; Elliot, REO",
    needs_truth: true,
    less_is_better: true,
    kernel: Kernel::Rankings(compute),
    ..ItemMeasure::USUAL
};

fn compute(rankings: &Rankings, without: &mut Vec<Nullable>) -> Option<f64> {
    let labels = rankings.labels?;
    // How many relevant items of each group there are, and how many of these are in a ranking.
    let mut counts = vec![[0_usize; 2]; labels.distinct];
    for ranking in rankings.each() {
        each_label(&ranking, labels, |label, is_hit| counts[label][usize::from(is_hit)] += 1);
    }
    let value = |counts: &[[usize; 2]]| {
        let each = counts.iter().filter(|[relevant, _]| *relevant > 0);
        deviation(each.map(|[relevant, hits]| as_f64(*hits) / as_f64(*relevant)))
    };
    let all = counts.clone();
    without.extend(rankings.each().map(|ranking| {
        counts.clone_from(&all);
        each_label(&ranking, labels, |label, is_hit| counts[label][usize::from(is_hit)] -= 1);
        Nullable::from(value(&counts))
    }));
    value(&all)
}

/// Passes each label of the relevant items to `add`, and once more, as that of a hit, if the item is in the ranking.
fn each_label(ranking: &Ranking, labels: &Labels, mut add: impl FnMut(usize, bool)) {
    for item in ranking.relevant().into_iter().flatten() {
        labels.of(item).iter().for_each(|label| add(*label as usize, false));
    }
    for (_, item) in ranking.hits() {
        labels.of(item).iter().for_each(|label| add(*label as usize, true));
    }
}
