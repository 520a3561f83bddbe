//! The description of a measure of recommended items.

// Each file of a measure imports these beside the description.
pub(super) use crate::documentation::ValueRange;
pub(super) use crate::error::Error;
pub(super) use crate::item_measures::rankings::{LabelBuffers, LabelledItems, Ranking, Rankings};
pub(super) use crate::ranking::as_f64;
pub(super) use crate::results::Nullable;
pub(super) use crate::types::Type;

use crate::documentation::Columns;
use crate::item_measures::labels::Labels;
use crate::item_measures::vectors::Vectors;

/// A measure of items: its name and description, as documented, and the kernel that computes it.
pub struct ItemMeasure {
    /// Its name. That of its function, too, if it reads a list of values alone.
    pub name: &'static str,
    /// Its name in papers.
    pub paper_name: &'static str,
    /// Usual names of it elsewhere.
    pub synonyms: &'static [&'static str],
    /// The property of items that it reads unless a call names another one; empty if it reads none.
    pub property: &'static str,
    pub summary: &'static str,
    pub formula: &'static str,
    pub range: ValueRange,
    /// The items that there must be for a value, in words.
    pub needs: &'static str,
    /// Whether it reads the relevant items of each user.
    pub needs_truth: bool,
    /// Whether a smaller value is the better one.
    pub less_is_better: bool,
    pub source: &'static str,
    /// The type of the list in SQL; empty if it does not read a list of values alone.
    pub type_of_values: &'static str,
    /// The meaning of one value of the list, and of a NULL among them.
    pub about_values: &'static str,
    /// The list of its example, as SQL writes it.
    pub example: Columns,
    pub(crate) kernel: Kernel,
}

impl ItemMeasure {
    /// Whether its value is that of all rankings together.
    pub fn is_of_all(&self) -> bool {
        matches!(self.kernel, Kernel::Rankings(_))
    }

    /// The fields that most measures share: a measure states its own values, and takes the others from here.
    pub(super) const USUAL: Self = Self {
        name: "",
        paper_name: "",
        synonyms: &[],
        property: "",
        summary: "",
        formula: "",
        range: ValueRange::UNIT,
        needs: "an item with a value",
        needs_truth: false,
        less_is_better: false,
        source: "",
        type_of_values: "",
        about_values: "",
        example: &[],
        kernel: Kernel::Ranking(|_| None),
    };
}

/// The value of a measure, or why it is not computed. `None` if it is not defined.
pub(crate) type OfRanking = Result<Option<f64>, Error>;

/// Computes a measure. `None` if it is not defined.
pub(crate) enum Kernel {
    /// The mean of what the function makes of each number, over the items of a ranking that have one.
    MeanOf(Allowed, fn(f64) -> f64),
    /// From how many distinct labels the items of a ranking have, if any, and from the number of its places.
    DistinctLabels(fn(usize, usize) -> f64),
    /// From the items of a ranking and their labels, and from vectors.
    LabelsOrVectors(fn(&Labels, &[u32]) -> OfRanking, fn(&Vectors) -> Option<f64>),
    /// From a ranking alone.
    Ranking(fn(&Ranking) -> Option<f64>),
    /// From a ranking, the numbers of items, and those that the first function makes of them for all items of the catalogue.
    RankingOfNumbers(Allowed, fn(&[Nullable]) -> Vec<f64>, fn(&Ranking, &[f64]) -> Option<f64>),
    /// From a ranking, and the labels of all items of the catalogue, by means of buffers without weights.
    RankingOfLabels(fn(&Ranking, &LabelledItems, &mut LabelBuffers) -> Option<f64>),
    /// From all rankings together. The values without each of these are added to the list.
    Rankings(fn(&Rankings, &mut Vec<Nullable>) -> Option<f64>),
}

impl Kernel {
    /// Whether it reads numbers of items.
    pub fn reads_numbers(&self) -> bool {
        matches!(self, Self::MeanOf(..) | Self::RankingOfNumbers(..))
    }

    /// Whether it reads the values of the items of one ranking, and nothing else.
    pub fn reads_values(&self) -> bool {
        matches!(self, Self::MeanOf(..) | Self::DistinctLabels(_) | Self::LabelsOrVectors(..))
    }
}

/// The numbers of items that a measure takes.
pub(crate) struct Allowed {
    /// The values in the plural, as an error says which ones are allowed.
    pub in_words: &'static str,
    pub allows_type: fn(&Type) -> bool,
    pub allows: fn(f64) -> bool,
}

impl Allowed {
    pub(super) const FINITE: Self =
        Self { in_words: "finite numbers", allows_type: Type::is_number, allows: f64::is_finite };
}

/// The mean of some numbers; `None` of none.
pub(crate) fn mean(numbers: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let (sum, count) = numbers.clone().fold((-0.0, 0), |(sum, count), number| (sum + number, count + 1));
    let n = as_f64(count);
    // The sum of large numbers overflows, and the mean does not.
    let mean = || if f64::is_finite(sum) { sum / n } else { numbers.map(|number| number / n).sum() };
    (count > 0).then(mean)
}
