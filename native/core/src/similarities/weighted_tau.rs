//! The weighted tau: Kendall's tau in which a pair counts by the ranks of its items.

use super::similarity::{Error, Options, Similarity, TwoRankings, ValueRange, as_f64, concordant_above};

pub static SIMILARITY: Similarity = Similarity {
    name: "weighted_tau",
    summary: "weighted tau: Kendall's tau of the common items, in which a pair has the weight 1 / rank of each of its items, \
              as the mean of the weights by either ranking",
    formula: "mean over both rankings of (weight of concordant pairs - weight of discordant pairs) / weight of all pairs, \
              where the weight of a pair is the sum of 1 / rank of its two items, and ranks are those among common items",
    latex: r"1 - \frac{1}{(n - 1) \sum_{i=1}^{n} 1/i} \sum_{i=1}^{n} D_i \left( \frac{1}{a_i} + \frac{1}{b_i} \right)",
    range: ValueRange::SIGNED,
    needs: "two common items",
    source: "Vigna, A weighted correlation index for rankings with ties, WWW 2015; scipy.stats.weightedtau",
    kernel,
    ..Similarity::USUAL
};

fn kernel(rankings: &TwoRankings, _: &Options) -> Result<Option<f64>, Error> {
    let ranks = rankings.relative_ranks()?;
    let above = concordant_above(&ranks)?;
    // The weights of pairs by both rankings. Both sums are rounded alike, so that a reversed order has exactly -1.
    let (mut discordant, mut all) = (0.0, 0.0);
    for (one, (other, above)) in ranks.iter().zip(&above).enumerate() {
        let weight = 1.0 / as_f64(one + 1) + 1.0 / as_f64(other + 1);
        discordant += as_f64(one + other - 2 * above) * weight;
        all += as_f64(ranks.len() - 1) * weight;
    }
    Ok((ranks.len() > 1).then(|| 1.0 - 2.0 * (discordant / all)))
}
