//! The description of a similarity of two rankings.

// Each file of a similarity imports these beside the description.
pub use crate::documentation::ValueRange;
pub(super) use crate::error::Error;
pub(super) use crate::options::Options;
pub(super) use crate::ranking::as_f64;
pub use crate::ranking::two_rankings::TwoRankings;
pub(super) use crate::ranking::two_rankings::concordant_above;

/// A similarity: its name and description, as documented, its options, and the kernel that computes it.
pub struct Similarity {
    /// The name of its function.
    pub name: &'static str,
    pub summary: &'static str,
    pub formula: &'static str,
    pub latex: &'static str,
    pub range: ValueRange,
    /// The items that two rankings must have for a value, in words.
    pub needs: &'static str,
    pub source: &'static str,
    pub options: &'static [&'static str],
    /// Options whose default differs for this similarity.
    pub defaults: &'static [(&'static str, &'static str)],
    /// The option that the key `denominator` sets.
    pub denominator: Option<&'static str>,
    /// The function that computes it for two rankings, of which one has an item; `None` if it is not defined.
    pub(super) kernel: fn(&TwoRankings, &Options) -> Result<Option<f64>, Error>,
}

impl Similarity {
    /// The fields that most similarities share: a similarity states its own values, and takes the others from here.
    pub(super) const USUAL: Self = Self {
        name: "",
        summary: "",
        formula: "",
        latex: "",
        range: ValueRange::UNIT,
        needs: "an item in either list",
        source: "",
        options: &[],
        defaults: &[],
        denominator: None,
        kernel: |_, _| Ok(None),
    };

    /// Its value for two rankings; `None` is NULL, as for two empty ones.
    pub(crate) fn value(&self, rankings: &TwoRankings, options: &Options) -> Result<Option<f64>, Error> {
        if rankings.lengths == [0; 2] { Ok(None) } else { (self.kernel)(rankings, options) }
    }
}
