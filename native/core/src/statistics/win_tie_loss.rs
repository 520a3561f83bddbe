//! The numbers of pairs that one system wins, ties and loses.

use super::statistic::{Compute, Statistic, TEST};

pub static STATISTIC: Statistic = Statistic {
    name: "win_tie_loss",
    arguments: TEST.0,
    fields: &["wins", "ties", "losses"],
    summary: "numbers of pairs in which a is larger than b, equal to b, and smaller than b",
    formula: "wins: a > b; ties: a = b, or |a - b| <= tolerance * max(1, |b|); losses: a < b",
    latex: "",
    range: "0 to n",
    source: "Demsar, Statistical Comparisons of Classifiers over Multiple Data Sets, JMLR 2006, section 3.1.4; \
             win_tie_loss of ranx's compare",
    options: &["tolerance"],
    compute: Compute::Counts(count),
};

/// The numbers of positive differences, of differences of 0, and of negative differences.
pub(super) fn count(differences: &[f64]) -> [usize; 3] {
    let count = |is: fn(&f64) -> bool| differences.iter().filter(|difference| is(difference)).count();
    [
        count(|difference| *difference > 0.0),
        count(|difference| *difference == 0.0),
        count(|difference| *difference < 0.0),
    ]
}
