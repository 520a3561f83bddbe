//! The exposure ratio: whether items of all groups get the same attention.

use super::group_sums::{least_over_greatest, of_sums};
use super::item_measure::{ItemMeasure, Kernel, Nullable, Rankings};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "exposure_ratio",
    paper_name: "exposure ratio",
    synonyms: &["demographic_parity", "exposure_parity", "group_exposure_ratio", "min_max_ratio", "exp"],
    property: "group",
    summary: "the attention that an item of the group with the least gets on average, over that of the group with the most: 1 if \
              all groups get the same (demographic parity of exposure). The attention of a rank is 1 / log2(rank + 1)",
    formula: "min over max of the groups' ratios; that of a group is the sum of 1 / log2(rank + 1) of its items in all top k, \
              over the number of its items in the catalogue",
    needs: "an item with a group in a ranking",
    source: "Singh and Joachims, Fairness of Exposure in Rankings, KDD 2018; FairRankTune, EXP with MinMaxRatio",
    kernel: Kernel::Rankings(compute),
    ..ItemMeasure::USUAL
};

fn compute(rankings: &Rankings, without: &mut Vec<Nullable>) -> Option<f64> {
    let shares = &rankings.labelled?.shares;
    of_sums(
        rankings,
        without,
        |ranking, amounts| amounts.add_attention(ranking.known()),
        |sums, _| {
            least_over_greatest(sums.iter().zip(shares).map(|([attention, _], share)| (*attention, *share)))
        },
    )
}
