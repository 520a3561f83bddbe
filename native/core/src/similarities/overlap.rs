//! Overlap: how many items the top k of two rankings have in common.

use super::similarity::{Error, Options, Similarity, TwoRankings, as_f64};
use crate::options::choices::OverlapDenominator;

pub static SIMILARITY: Similarity = Similarity {
    name: "overlap",
    summary: "overlap: the share of the top k that both rankings have",
    formula: "common items / min(k, items of the longer list)",
    latex: r"\frac{|A_k \cap B_k|}{\max(|A_k|, |B_k|)}",
    source: "Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS 2010, section 3.1: the agreement \
             at depth k; with the shorter list, the coefficient of Szymkiewicz and Simpson",
    options: &["overlap_denominator"],
    denominator: Some("overlap_denominator"),
    kernel,
    ..Similarity::USUAL
};

fn kernel(rankings: &TwoRankings, options: &Options) -> Result<Option<f64>, Error> {
    let [one, other] = rankings.lengths;
    let longer = one.max(other);
    let denominator = match options.overlap_denominator {
        OverlapDenominator::Longer => longer,
        OverlapDenominator::Shorter => one.min(other),
        OverlapDenominator::K => rankings.k.unwrap_or(longer),
    };
    Ok((denominator > 0).then(|| as_f64(rankings.common.len()) / as_f64(denominator)))
}
