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

/// How items of one type are compared with one another.
pub fn own_matching(kind: &Type) -> Matching {
    match kind {
        Type::Integer(Integer::Narrow) => Matching::Integer,
        Type::Float => Matching::Float,
        Type::Text => Matching::Text,
        _ => Matching::Same,
    }
}

/// How items of these types are compared; `None` if they cannot be.
pub fn matching(rec: &Type, truth: &Type) -> Option<Matching> {
    use Type::{Decimal, Null};
    match (rec, truth) {
        (Null, kind) | (kind, Null) => Some(own_matching(kind)),
        (one, other) if one == other => Some(own_matching(one)),
        (Type::Integer(_) | Decimal { .. }, Type::Integer(_) | Decimal { .. }) => Some(Matching::Number),
        _ => None,
    }
}
