//! Geometric means of metrics over users. Front ends compute them from the values of users, and read their names and
//! descriptions here.

use crate::documentation::{About, ValueRange};

/// The geometric mean of a metric over users: its names and description, as documented.
pub struct GeometricMean {
    pub name: &'static str,
    /// Its name in papers.
    pub paper_name: &'static str,
    /// Usual names of it elsewhere.
    pub synonyms: &'static [&'static str],
    /// The metric's name in results.
    pub metric: &'static str,
    pub about: About,
}

/// With its influence, the value of a user may be outside of the range.
const RANGE: ValueRange = ValueRange::in_words("0.00001 to 1");

/// Every geometric mean, in the order of the documentation.
pub static GEOMETRIC_MEANS: &[GeometricMean] = &[
    GeometricMean {
        name: "gmap",
        paper_name: "GMAP",
        synonyms: &["gm_map", "gm_average_precision", "geometric_map", "geometric_mean_average_precision"],
        metric: "average_precision",
        about: About {
            summary: "geometric mean of average precision over users, in which values below 0.00001 count as 0.00001: a value \
                      that doubles changes it alike, whether it is small or large",
            formula: "exp(mean over users of ln(max(average_precision, 0.00001)))",
            latex: "",
            range: RANGE,
            source: "Robertson, On GMAP and other transformations, CIKM 2006; trec_eval, gm_map",
        },
    },
    GeometricMean {
        name: "gm_bpref",
        paper_name: "GM-bpref",
        synonyms: &[],
        metric: "bpref",
        about: About {
            summary: "geometric mean of binary preference over users, in which values below 0.00001 count as 0.00001",
            formula: "exp(mean over users of ln(max(bpref, 0.00001)))",
            latex: "",
            range: RANGE,
            source: "trec_eval, gm_bpref",
        },
    },
];
