//! The description of a measure of aspects.

// Each file of a measure imports these beside the description.
pub use crate::documentation::ValueRange;
pub(super) use crate::error::Error;
pub(super) use crate::options::Options;
pub(super) use crate::ranking::as_f64;
pub use crate::ranking::aspects::AspectRanking;

/// A measure of aspects: its name and description, as documented, its options, and the kernel that computes it.
pub struct AspectMeasure {
    /// The name of its function.
    pub name: &'static str,
    /// Usual names elsewhere, which are no names here.
    pub synonyms: &'static [&'static str],
    /// The name of its mean over users in papers.
    pub paper_name: &'static str,
    pub summary: &'static str,
    pub formula: &'static str,
    pub latex: &'static str,
    pub range: ValueRange,
    pub source: &'static str,
    /// The options that it takes beside [`OF_ALL`].
    pub options: &'static [&'static str],
    /// Options whose default differs for this measure.
    pub defaults: &'static [(&'static str, &'static str)],
    /// The function that computes it for a ranking with a retrieved item, of a truth with a relevant one.
    pub(super) kernel: fn(&AspectRanking, &Options) -> Result<f64, Error>,
}

/// The options of every measure.
pub const OF_ALL: &[&str] = &["min_rel", "no_relevant", "empty_rec", "ties", "score_type"];

impl AspectMeasure {
    /// The fields that most measures share: a measure states its own values, and takes the others from here.
    pub(super) const USUAL: Self = Self {
        name: "",
        synonyms: &[],
        paper_name: "",
        summary: "",
        formula: "",
        latex: "",
        range: ValueRange::UNIT,
        source: "",
        options: &["redundancy_intolerance"],
        defaults: &[],
        kernel: |_, _| Ok(0.0),
    };

    /// Its value for a ranking with a retrieved item, of a truth with a relevant one.
    pub(crate) fn value(&self, ranking: &AspectRanking, options: &Options) -> Result<f64, Error> {
        let value = (self.kernel)(ranking, options)?;
        // An expected value may be rounded up.
        Ok(self.range.most.map_or(value, |most| value.min(most)))
    }
}

/// The discount of gains at a rank, counted from 0.
pub(super) mod discount {
    use super::as_f64;

    pub fn log2(above: usize) -> f64 {
        1.0 / (as_f64(above) + 2.0).log2()
    }

    pub fn reciprocal(above: usize) -> f64 {
        1.0 / as_f64(above + 1)
    }
}
