//! The exposure ratio: whether items of all groups get the same attention.

use super::group_sums::{least_over_greatest, of_sums};
use super::item_measure::{ItemMeasure, Kernel, Nullable, Rankings};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "exposure_ratio",
    paper_name: "exposure ratio",
    synonyms: &["exposure_parity", "group_exposure", "group_exposure_ratio", "exp"],
    property: "group",
    summary: "exposure ratio: the mean attention to an item of the group with the least, over that of the group with the most; 1 if \
              all groups get the same (demographic parity of exposure). The attention of a rank is 1 / log2(rank + 1)",
    formula: "min over max of the groups' ratios; that of a group is the sum of 1 / log2(rank + 1) of its items in all top k, \
              over the number of its items in the catalogue",
    needs: "two groups of items, one of which is in a ranking",
    source: "Singh and Joachims, Fairness of Exposure in Rankings, KDD 2018; FairRankTune, EXP with MinMaxRatio",
    kernel: Kernel::Rankings(compute),
    ..ItemMeasure::USUAL
};

fn compute(rankings: &Rankings, without: &mut Vec<Nullable>) -> Option<f64> {
    let shares = &rankings.labelled?.shares;
    of_sums(
        rankings,
        without,
        0.0,
        |ranking, amounts| amounts.add_attention(ranking.known()),
        |sums, _| {
            least_over_greatest(sums.iter().zip(shares).map(|([attention, _], share)| (*attention, *share)))
        },
    )
}
