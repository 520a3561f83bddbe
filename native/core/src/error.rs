//! The error type of this crate: a sentence for the person who wrote the query.

use std::fmt;

/// The reason why a call cannot be evaluated, as one sentence that names the argument, its value and the allowed
/// values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    /// An error with this sentence, which names no function yet.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    /// The same sentence with the name of the function in front, as every engine shows it.
    #[must_use]
    pub fn of(self, function: &str) -> Self {
        Self(format!("{function}: {}", self.0))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// Returns early with an [`Error`] made from a format string.
macro_rules! bail {
    ($($argument:tt)*) => { return Err($crate::error::Error::new(format!($($argument)*))) };
}
pub(crate) use bail;
