//! The description of a measure of the items of one ranking.

// Each file of a measure imports these beside the description.
pub(super) use crate::documentation::ValueRange;
pub(super) use crate::error::Error;
pub(super) use crate::item_measures::labels::Labels;
pub(super) use crate::ranking::as_f64;
pub(super) use crate::types::Type;

use crate::documentation::Columns;
use crate::item_measures::vectors::Vectors;

/// A measure of items: its name and description, as documented, and the kernel that computes it.
pub struct ItemMeasure {
    /// The name of its function.
    pub name: &'static str,
    pub summary: &'static str,
    pub formula: &'static str,
    pub range: ValueRange,
    /// The items that a list must have for a value, in words.
    pub needs: &'static str,
    pub source: &'static str,
    /// The type of the list in SQL.
    pub type_of_values: &'static str,
    /// The meaning of one value of the list, and of a NULL among them.
    pub about_values: &'static str,
    /// The list of its example, as SQL writes it.
    pub example: Columns,
    pub(crate) kernel: Kernel,
}

impl ItemMeasure {
    /// The fields that most measures share: a measure states its own values, and takes the others from here.
    pub(super) const USUAL: Self = Self {
        name: "",
        summary: "",
        formula: "",
        range: ValueRange::UNIT,
        needs: "an item with a value",
        source: "",
        type_of_values: "",
        about_values: "",
        example: &[],
        kernel: Kernel::Labels(|_| None),
    };
}

/// Computes a measure from the values of the items that have one. `None` if it is not defined.
pub(crate) enum Kernel {
    Numbers(OfNumbers),
    Labels(fn(&Labels) -> Option<f64>),
    /// From labels, and from vectors.
    LabelsOrVectors(fn(&Labels) -> Result<Option<f64>, Error>, fn(&Vectors) -> Option<f64>),
}

/// A measure of one number of each item.
pub(crate) struct OfNumbers {
    /// The values in the plural, as an error says which ones are allowed.
    pub allowed: &'static str,
    pub allows_type: fn(&Type) -> bool,
    pub allows: fn(f64) -> bool,
    /// Computes it from one number or more, which are allowed.
    pub compute: fn(&[f64]) -> f64,
}

/// The mean of one number or more.
pub(super) fn mean(numbers: &[f64]) -> f64 {
    let n = as_f64(numbers.len());
    let sum: f64 = numbers.iter().sum();
    // The sum of large numbers overflows, and the mean does not.
    if sum.is_finite() { sum / n } else { numbers.iter().map(|number| number / n).sum() }
}
