//! Measures that other packages compute and this one does not, and other spellings of those that it does.
//!
//! The tables of `docs/measures_elsewhere.md` are the only place of the former: errors about names read them there. A
//! measure that is added to the catalogue loses its row. The other spellings are below.

use std::sync::LazyLock;

use serde::Serialize;

/// The page with the tables.
const PAGE: &str = include_str!("../../../../docs/measures_elsewhere.md");

/// A measure, or a family of measures, that other packages compute.
#[derive(Serialize)]
pub struct Elsewhere {
    /// Its usual names in plain letters.
    pub names: Vec<&'static str>,
    /// Who computes it: the name of a package, with that of the measure there in brackets.
    packages: Vec<String>,
    /// A phrase that says what it measures, that it is not computed here, by whom it is, and what comes near it here.
    pub advice: String,
}

/// Names of other packages, in plain letters, for metrics with certain arguments, and what to write here.
pub const SPELLINGS: &[(&str, &str)] = &[
    ("set_p", "precision of the whole list"),
    ("set_recall", "recall of the whole list"),
    ("setr", "recall of the whole list"),
    ("set_f", "f1 of the whole list, with the square root of its beta"),
    ("set_relative_p", "relative_precision of the whole list"),
    ("setrelp", "relative_precision of the whole list"),
    ("iprec_at_recall", "iprec with the option recall"),
    ("interpolated_precision", "iprec with the option recall"),
    ("interpolated_precision_at_recall", "iprec with the option recall"),
    ("f_beta", "f1 with the option beta"),
    ("f1beta", "f1 with the option beta"),
    ("f2", "f1 with the option beta=2"),
    ("ndcg_burges", "ndcg with the option gain=exp2"),
    ("dcg_burges", "dcg with the option gain=exp2"),
    ("nerr9", "nearly_err with the option patience=reciprocal"),
    ("nerr10", "nearly_err with the options patience=geometric, p=0.9"),
    ("nerr11", "nearly_err with the option patience=insq"),
    ("hits", "hit_rate, or cg of a truth without relevances"),
    ("arhr", "mrr, if each user has one relevant item"),
    (
        "gauc",
        "auc of the whole list with the option one_class=null, and evaluate's weight, such as impressions",
    ),
    (
        "group_auc",
        "auc of the whole list with the option one_class=null, and evaluate's weight, such as impressions",
    ),
    ("rank_biased_overlap", "rbo, a function of two rankings"),
    ("spearman", "spearman_rho, a function of two rankings"),
    ("spearmanr", "spearman_rho, a function of two rankings"),
    ("spearmans_rho", "spearman_rho, a function of two rankings"),
    ("weightedtau", "weighted_tau, a function of two rankings"),
    ("popularity", "average_popularity"),
    ("avg_popularity", "average_popularity"),
    ("popularity_bias", "average_popularity"),
    ("surprisal", "novelty, divided by log2 of the number of users"),
    ("aclt", "k * long_tail_share"),
    ("diversity", "intra_list_diversity"),
    ("ils", "1 - intra_list_diversity"),
    ("intra_list_similarity", "1 - intra_list_diversity"),
    ("pop_bias", "average_popularity"),
    ("mean_pop_rank", "average_popularity of ranks by popularity"),
    ("demographic_parity", "exposure_ratio, which is 1 at parity, or rsp, which is 0"),
    ("demographic_parity_ratio", "exposure_ratio"),
    ("demographic_parity_difference", "rsp, which is 0 at parity, or exposure_ratio, which is 1"),
    ("exposure_fairness", "exposure_ratio, which is 1 at parity, or eel, which is 0"),
    ("exposure_gini", "gini, or of exposures with weights of ranks the function concentration"),
    ("dpr", "exposure_ratio"),
    ("statistical_parity", "rsp, which is 0 at parity, or exposure_ratio, which is 1"),
    ("logdp", "exposure_ratio, which is near exp(-abs(logDP)) for two groups of equal size"),
    ("logeur", "dtr, which is near exp(-abs(logEUR)) for two groups of equal size"),
    ("logrur", "dir, which is near exp(-abs(logRUR)) for two groups of equal size"),
    ("expected_exposure", "eel, the expected exposure loss"),
    ("pop_reo", "reo of a column of items that says which are popular, as in reo(of=popular)"),
    ("pop_rsp", "rsp of a column of items that says which are popular, as in rsp(of=popular)"),
    ("gap", "average_popularity, with by= for groups of users"),
    ("group_average_popularity", "average_popularity, with by= for groups of users"),
];

/// Regular expressions that bring a name in small letters to plain ones, for Python and for DuckDB, each with the text
/// in place of a match: arguments, blanks and the like, and a cutoff, such as `@10`, `_at_k` or `_0.10`.
pub const TO_PLAIN_LETTERS: &[(&str, &str)] =
    &[(r"\(.*?\)", ""), ("[-. ]+", "_"), (r"(_at)?[_\x40]+([0-9][0-9,_]*|k|n|all)$", "")];

/// Usual names of a column of relevances, in small letters.
pub const USUAL_NAMES_OF_REL: &[&str] =
    &["rel", "relevance", "relscore", "grade", "label", "rating", "stars", "judgement", "judgment"];

static ELSEWHERE: LazyLock<Vec<Elsewhere>> = LazyLock::new(|| PAGE.lines().filter_map(measure).collect());

/// The measures that are not here, in the order of the page about them.
pub fn elsewhere() -> &'static [Elsewhere] {
    &ELSEWHERE
}

/// The measure in a row of a table; `None` if the line is none.
fn measure(line: &'static str) -> Option<Elsewhere> {
    let cells: Vec<&str> = line.strip_prefix("| `")?.strip_suffix(" |")?.split(" | ").collect();
    let [names, about, packages, here] = cells[..] else { return None };
    let names = names.split('`').step_by(2).filter(|name| !name.is_empty()).collect();
    // A comma within brackets separates measures of one package.
    let mut packages: Vec<String> = packages.split("), ").map(|package| format!("{package})")).collect();
    let last = packages.last_mut()?;
    last.pop();
    let computed = match packages.split_last()? {
        (last, []) => format!("{last} {}", if last.contains(" and ") { "do" } else { "does" }),
        (last, others) => format!("{} and {last} do", others.join(", ")),
    };
    let separator = if here.is_empty() { "" } else { "; " };
    let advice = format!("rankdcg_sql does not compute {about}, but {computed}{separator}{here}");
    Some(Elsewhere { names, packages, advice })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_a_table_is_a_measure() {
        let row = "| `a`, `b_c` | an average | X (a, of b), Y | cg comes near |";
        let found = measure(row).unwrap();
        assert_eq!(found.names, ["a", "b_c"]);
        assert_eq!(found.packages, ["X (a, of b)", "Y"]);
        let advice = "rankdcg_sql does not compute an average, but X (a, of b) and Y do; cg comes near";
        assert_eq!(found.advice, advice);
        let found = measure("| `a` | an average | X (a) |  |").unwrap();
        assert_eq!(found.advice, "rankdcg_sql does not compute an average, but X (a) does");
        for line in ["", "| names | measure | computed by | here |", "| `ndcg` | `nDCG` |"] {
            assert!(measure(line).is_none(), "{line}");
        }
    }

    #[test]
    fn every_row_of_the_page_is_read() {
        let rows = PAGE.lines().filter(|line| line.starts_with("| `") && line.matches('|').count() == 5);
        assert_eq!(elsewhere().len(), rows.count());
        assert!(elsewhere().len() > 20);
    }
}
