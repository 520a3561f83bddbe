//! The result of a function: its kind and its type.

use std::fmt;

use serde::Serialize;

/// The result of a function for a row or group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// One number: the value of its metric.
    Value,
    /// A struct: k and the values of all its metrics. For a statistic: the size of the sample and its values.
    Metrics,
    /// A list of such structs, one for each k.
    MetricsAt,
    /// A list of the items of the group.
    Items,
    /// A list of numbers.
    Values,
    /// A list of structs, one for each item that a value is made of.
    Explanation,
    /// A list of numbers, one for each measure that the call names.
    Measures,
}

impl Output {
    /// Whether the result is a list of structs or numbers; [`ResultType::is_items`] tells of a list of items.
    pub fn is_list(self) -> bool {
        matches!(self, Self::MetricsAt | Self::Values | Self::Explanation | Self::Measures)
    }
}

/// A list of the items of each user, which an aggregate of all users returns as its last measure reads them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum UserList {
    /// The ranking, best item first, down to the cutoff.
    Ranking,
    /// The relevant items, in no order, and without NULL.
    Relevant,
}

impl UserList {
    /// The name of its field.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ranking => "ranking",
            Self::Relevant => "relevant",
        }
    }
}

/// The type of a function's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultType {
    /// The fields of a struct; empty for a number.
    pub fields: Vec<(&'static str, FieldType)>,
    /// Whether the result is a list of such structs or numbers.
    pub is_list: bool,
    /// Whether the result is a list of items instead, which have the type of the argument `item` in the call.
    pub is_items: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// The type of the argument `userid` in the call.
    User,
    /// The type of the argument `item` in the call.
    Item,
    /// A list of items.
    Items,
    Count,
    Number,
    /// A list of numbers.
    Numbers,
}

/// The fields of an explained item of two lists, or else of rows. Those of all items together are in the order of
/// [`ExplainedItem::counts`](crate::ExplainedItem::counts) and [`ExplainedItem::numbers`](crate::ExplainedItem::numbers).
pub fn fields_of_explained_items(has_places: bool) -> Vec<(&'static str, FieldType)> {
    use FieldType::{Count, Item, Number};
    let ranks = [("rank", Count), ("last_rank", Count)];
    let numbers = ["rel", "gain", "discount", "contribution", "if_found", "value"].map(|name| (name, Number));
    if has_places {
        [&[("rec_place", Count), ("truth_place", Count)][..], &ranks, &numbers].concat()
    } else {
        [&[("item", Item)][..], &ranks, &[("score", Number)], &numbers].concat()
    }
}

impl ResultType {
    /// Whether it has the type of an argument, which functions over lists of rows do not have.
    pub fn has_argument_type(&self) -> bool {
        self.is_items
            || self
                .fields
                .iter()
                .any(|(_, kind)| matches!(kind, FieldType::User | FieldType::Item | FieldType::Items))
    }
}

/// The type as SQL writes it.
impl fmt::Display for ResultType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_items {
            return f.write_str("ANY[]");
        }
        let brackets = if self.is_list { "[]" } else { "" };
        if self.fields.is_empty() {
            return write!(f, "DOUBLE{brackets}");
        }
        let field = |(name, kind): &(&str, FieldType)| {
            let kind = match kind {
                FieldType::User | FieldType::Item => "ANY",
                FieldType::Items => "ANY[]",
                FieldType::Count => "BIGINT",
                FieldType::Number => "DOUBLE",
                FieldType::Numbers => "DOUBLE[]",
            };
            format!("{name} {kind}")
        };
        let fields: Vec<String> = self.fields.iter().map(field).collect();
        write!(f, "STRUCT({}){brackets}", fields.join(", "))
    }
}
