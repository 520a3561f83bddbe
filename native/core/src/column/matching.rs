//! How items are compared, decided from their types.

use crate::types::{Integer, Type};

/// The form in which items are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// As signed 64-bit integers.
    Integer,
    /// By value: integers and decimals of any width.
    Number,
    Float,
    Text,
    /// In a form of the type's own: items of one type that none of the above covers.
    Same,
}

/// How items of these types are compared; `None` if they cannot be.
pub fn matching(rec: &Type, truth: &Type) -> Option<Matching> {
    use Type::{Decimal, Float, Null, Text};
    match (rec, truth) {
        (Null, Null) => Some(Matching::Same),
        (Null, kind) | (kind, Null) => matching(kind, kind),
        (Type::Integer(Integer::Narrow), Type::Integer(Integer::Narrow)) => Some(Matching::Integer),
        (Float, Float) => Some(Matching::Float),
        (Text, Text) => Some(Matching::Text),
        (one, other) if one == other => Some(Matching::Same),
        (Type::Integer(_) | Decimal { .. }, Type::Integer(_) | Decimal { .. }) => Some(Matching::Number),
        _ => None,
    }
}
