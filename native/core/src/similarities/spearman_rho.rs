//! Spearman's rho: the correlation of the ranks of the items that two rankings have in common.

use super::similarity::{Error, Options, Similarity, TwoRankings, ValueRange};

pub static SIMILARITY: Similarity = Similarity {
    name: "spearman_rho",
    summary: "Spearman's rho: the correlation of the ranks of the common items, which are ranked anew among one another",
    formula: "1 - 6 * (sum of squared differences of ranks) / (n^3 - n), where n is the number of common items",
    latex: r"1 - \frac{6 \sum_{i=1}^{n} (a_i - b_i)^2}{n^3 - n}",
    range: ValueRange::SIGNED,
    needs: "two common items",
    source: "Spearman, The proof and measurement of association between two things, American Journal of Psychology 1904",
    kernel,
    ..Similarity::USUAL
};

fn kernel(rankings: &TwoRankings, _: &Options) -> Result<Option<f64>, Error> {
    let ranks = rankings.relative_ranks()?;
    let squares: u128 =
        ranks.iter().enumerate().map(|(one, other)| (one.abs_diff(*other) as u128).pow(2)).sum();
    // The sum for one order and its reverse, which no sum exceeds.
    let items = ranks.len() as u128;
    let largest = (items.pow(3) - items) / 3;
    Ok((largest > 0).then(|| 1.0 - 2.0 * (squares as f64 / largest as f64)))
}
