//! Rank-biased overlap: the agreement of two rankings at a depth, averaged over the depths at which a user may stop.

use super::similarity::{Error, Options, Similarity, TwoRankings, as_f64};
use crate::memory::Grow;
use crate::options::choices::RboUnseen;

pub static SIMILARITY: Similarity = Similarity {
    name: "rbo",
    summary: "rank-biased overlap: the share of common items down to a depth, averaged over the depths at which a user may \
              stop. Items below the lists are extrapolated",
    formula: "(1 - p) * sum over depths of p^(depth - 1) * common items / depth, where the common items below the end of a \
              list are extrapolated: its share of common items stays the same, and so does the agreement below both lists",
    latex: r"\frac{1 - p}{p} \left( \sum_{i=1}^{l} \frac{X_i}{i} p^i + \sum_{i=s+1}^{l} \frac{X_s (i - s)}{s i} p^i \right) + \left( \frac{X_l - X_s}{l} + \frac{X_s}{s} \right) p^l",
    source: "Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS 2010, equation 32",
    options: &["p", "rbo_unseen"],
    defaults: &[("p", "0.9")],
    kernel,
    ..Similarity::USUAL
};

fn kernel(rankings: &TwoRankings, options: &Options) -> Result<Option<f64>, Error> {
    let p = options.p;
    let [one, other] = rankings.lengths;
    let (shorter, longer) = (one.min(other), one.max(other));
    // How many common items each depth adds, and then how many there are down to it.
    let mut common = Vec::new();
    common.try_resize(longer + 1, 0)?;
    rankings.common.iter().for_each(|[one, other]| common[one.max(other) + 1] += 1);
    (1..=longer).for_each(|depth| common[depth] += common[depth - 1]);
    let (of_shorter, of_both) = (common[shorter], common[longer]);
    Ok(Some(match options.rbo_unseen {
        RboUnseen::Extrapolate => {
            let share = as_f64(of_shorter) / as_f64(shorter.max(1));
            let agreement = |depth: usize| {
                let unseen = as_f64(depth.saturating_sub(shorter));
                (as_f64(common[depth]) + share * unseen) / as_f64(depth)
            };
            discounted(p, longer, agreement(longer), &agreement)
        }
        // No item below a list is one of the other.
        RboUnseen::Min => {
            let seen = discounted(p, longer, 0.0, &|depth| as_f64(common[depth]) / as_f64(depth));
            seen + as_f64(of_both) * below(p, longer)
        }
        // Every item below a list is one of the other, as long as that has items which are not common.
        RboUnseen::Max => {
            let all_common = one + other - of_both;
            let agreement = |depth: usize| {
                let unseen = depth.saturating_sub(shorter) + depth.saturating_sub(longer);
                as_f64((common[depth.min(longer)] + unseen).min(depth)) / as_f64(depth)
            };
            discounted(p, all_common, 1.0, &agreement)
        }
    }))
}

/// The mean of the agreements at all depths from 1, with the weights (1 - p) p^(depth - 1). `below` is the mean of those
/// below `deepest`. By Horner's rule it stays between them.
fn discounted(p: f64, deepest: usize, below: f64, agreement: &dyn Fn(usize) -> f64) -> f64 {
    (1..=deepest).rev().map(agreement).fold(below, |below, here| here + p * (below - here))
}

/// The sum of 1 / depth with these weights, over the depths below `deepest`.
fn below(p: f64, deepest: usize) -> f64 {
    // The difference of two numbers near each other would be rounding alone.
    if p.powf(as_f64(deepest)) < f64::EPSILON / 2.0 {
        return 0.0;
    }
    let all = (1.0 - p) * -(-p).ln_1p() / p;
    all - discounted(p, deepest, 0.0, &|depth| 1.0 / as_f64(depth))
}
