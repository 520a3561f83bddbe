//! The AP rank correlation: Kendall's tau with more weight at the top of the first ranking.

use super::similarity::{Error, Options, Similarity, TwoRankings, ValueRange, as_f64, concordant_above};

pub static SIMILARITY: Similarity = Similarity {
    name: "tau_ap",
    summary: "AP rank correlation: Kendall's tau of the common items, in which the top of the first ranking counts most. The \
              second ranking says which order is right, so that a and b are not interchangeable",
    formula: "2 * (mean over the common items of a but the first one, of the share of those above it that are above it in b, \
              too) - 1",
    latex: r"\frac{2}{n - 1} \sum_{i=2}^{n} \frac{C_i}{i - 1} - 1",
    range: ValueRange::SIGNED,
    needs: "two common items",
    source: "Yilmaz, Aslam and Robertson, A new rank correlation coefficient for information retrieval, SIGIR 2008",
    kernel,
    ..Similarity::USUAL
};

fn kernel(rankings: &TwoRankings, _: &Options) -> Result<Option<f64>, Error> {
    let above = concordant_above(&rankings.relative_ranks()?)?;
    let items = above.len();
    let shares = above.iter().enumerate().skip(1).map(|(rank, above)| as_f64(*above) / as_f64(rank));
    Ok((items > 1).then(|| 2.0 * (shares.sum::<f64>() / as_f64(items - 1)) - 1.0))
}
