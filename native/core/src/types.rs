//! Column types, independent of any engine.

use std::fmt;

use crate::error::{Error, bail};

/// The type of an argument or of its elements.
///
/// Engines translate their own types to these. The meaning of an argument, and the name of its type in errors, is then
/// decided in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Values without a type: the elements of `[]`, or a bare `NULL`. All of them are NULL.
    Null,
    Boolean,
    Integer(Integer),
    Decimal {
        precision: u8,
        scale: i8,
    },
    /// Binary floating point of any width.
    Float,
    /// Text in any storage, enumerations and categoricals included.
    Text,
    List(Box<Type>),
    Struct(Vec<Field>),
    Map(Box<Type>, Box<Type>),
    /// Any other type, under the engine's name for it. Its items match only items of the same type.
    Other(String),
}

/// The width of an integer type, as far as matching depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integer {
    /// Every value fits 64 bits with a sign.
    Narrow,
    Unsigned64,
    Signed128,
    Unsigned128,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name of the field; empty if it has none.
    pub name: String,
    pub kind: Type,
}

impl Type {
    /// Whether values of this type are numbers, and can be scores or relevances; an untyped NULL can be.
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Null | Self::Integer(_) | Self::Decimal { .. } | Self::Float)
    }

    /// Whether values of this type can be relevances: numbers, or booleans for "relevant or not".
    pub fn is_relevance(&self) -> bool {
        self.is_number() || *self == Self::Boolean
    }

    /// Whether this is a decimal type whose values floating point tells apart, because it has few enough digits.
    pub fn is_short_decimal(&self) -> bool {
        matches!(self, Self::Decimal { precision, .. } if u32::from(*precision) <= f64::DIGITS)
    }

    /// An error unless values of this type can be k; it says which type k must have.
    pub fn check_k(&self) -> Result<(), Error> {
        match self {
            Self::Null | Self::Integer(Integer::Narrow | Integer::Unsigned64) => Ok(()),
            Self::Integer(_) | Self::Decimal { scale: 0, .. } => {
                bail!("k" => "k must be an integer of 64 bits, got a wider one")
            }
            _ => bail!("k" => "k must be an integer, got {self}"),
        }
    }

    /// The element type of a list type. An untyped NULL counts as a list of untyped NULLs; `None` for all other types.
    pub fn element(&self) -> Option<&Self> {
        match self {
            Self::List(element) => Some(element),
            Self::Null => Some(self),
            _ => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("NULL"),
            Self::Boolean => f.write_str("boolean"),
            // Some engines have wide integers as decimals of scale 0.
            Self::Integer(_) | Self::Decimal { scale: 0, .. } => f.write_str("integer"),
            Self::Decimal { .. } => f.write_str("decimal"),
            Self::Float => f.write_str("float"),
            Self::Text => f.write_str("text"),
            Self::List(element) => write!(f, "list of {element}"),
            Self::Struct(fields) => write!(f, "struct({})", names(fields)),
            Self::Map(key, value) => write!(f, "map({key}, {value})"),
            Self::Other(name) => f.write_str(name),
        }
    }
}

/// The fields in the form in which errors show them: `item text, rel integer`.
pub(crate) fn names(fields: &[Field]) -> String {
    let field = |field: &Field| match field.name.as_str() {
        "" => field.kind.to_string(),
        name => format!("{name} {}", field.kind),
    };
    fields.iter().map(field).collect::<Vec<_>>().join(", ")
}
