//! The documentation of a function: the texts of the catalogue that the code which computes it states itself.

#[derive(Clone, Copy)]
pub struct About {
    /// A description in words.
    pub summary: &'static str,
    /// The formula in words.
    pub formula: &'static str,
    /// The formula with default options, in LaTeX's mathematics; empty if words say all.
    pub latex: &'static str,
    /// The least and the largest possible value.
    pub range: ValueRange,
    /// The publication or page that defines it.
    pub source: &'static str,
}

/// The columns of a table: the name of each, and its values as SQL writes them.
pub type Columns = &'static [(&'static str, &'static [&'static str])];

/// The least and the largest possible value with default options, in words and in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueRange {
    pub text: &'static str,
    /// The least value; `None` if there is none.
    pub least: Option<f64>,
    /// The largest value; `None` if there is none.
    pub most: Option<f64>,
}

impl ValueRange {
    pub const UNIT: Self = Self { text: "0 to 1", least: Some(0.0), most: Some(1.0) };
    pub const SIGNED: Self = Self { text: "-1 to 1", least: Some(-1.0), most: Some(1.0) };
    pub const POSITIVE: Self = Self { text: "0 or more", least: Some(0.0), most: None };

    /// A range without fixed numbers, in words alone.
    pub const fn in_words(text: &'static str) -> Self {
        Self { text, least: None, most: None }
    }
}
