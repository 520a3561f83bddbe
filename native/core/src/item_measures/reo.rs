//! REO: whether relevant items of all groups are equally likely to be shown.

use super::group_sums::of_sums;
use super::item_measure::{ItemMeasure, Kernel, Nullable, Rankings, ValueRange};
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
    of_sums(
        rankings,
        without,
        0.0,
        |ranking, amounts| {
            amounts.count(0, ranking.hits().map(|(_, item)| item));
            amounts.count(1, ranking.relevant());
        },
        |sums, _| {
            let each = sums.iter().filter(|[_, relevant]| *relevant > 0.0);
            deviation(each.map(|[hits, relevant]| hits / relevant))
        },
    )
}
