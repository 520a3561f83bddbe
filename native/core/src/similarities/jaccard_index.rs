//! Jaccard's index: the share of the items of two rankings that both have.

use super::similarity::{Error, Options, Similarity, TwoRankings, as_f64};

pub static SIMILARITY: Similarity = Similarity {
    name: "jaccard_index",
    summary: "Jaccard's index: the share of the items in the top k of either ranking that is in both",
    formula: "common items / items of either",
    latex: r"\frac{|A_k \cap B_k|}{|A_k \cup B_k|}",
    source: "Jaccard, The distribution of the flora in the alpine zone, New Phytologist 1912",
    kernel,
    ..Similarity::USUAL
};

fn kernel(rankings: &TwoRankings, _: &Options) -> Result<Option<f64>, Error> {
    let [one, other] = rankings.lengths;
    let common = rankings.common.len();
    Ok(Some(as_f64(common) / as_f64(one + other - common)))
}
