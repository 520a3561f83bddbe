//! How items of two types are compared.

use crate::types::{Integer, Type};

/// How items are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// Whole numbers of at most 64 bits with a sign.
    Integer,
    /// Whole numbers and decimals of any width, by value.
    Number,
    Float,
    Text,
    /// Items of one and the same type that none of the above covers.
    Same,
}

/// How items of these types are compared, if they can be.
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
