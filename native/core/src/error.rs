//! The error type of this crate: why a call cannot be evaluated, as fields and as one sentence.

use std::fmt;

use serde::Serialize;

/// The cause of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum ErrorKind {
    /// The arguments, or values in them, are not allowed.
    Argument,
    /// Memory ran out.
    Memory,
    /// This library has a fault.
    Internal,
}

impl ErrorKind {
    /// The words with which the texts of this kind begin, and no others.
    fn beginning(self) -> &'static str {
        match self {
            Self::Argument => "",
            Self::Memory => "out of memory: ",
            Self::Internal => "internal error: ",
        }
    }
}

/// The reason why a call cannot be evaluated. Engines show it as a sentence, and Python gets its fields.
///
/// The fields are in a box, so that a result without an error is small.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Error(Box<Fields>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Fields {
    /// The called function, under the name that the caller used; `None` as long as it is not known.
    function: Option<String>,
    /// The argument or the option that is not allowed; `None` if it is not known, or if it is not one alone.
    argument: Option<String>,
    kind: ErrorKind,
    /// The sentence without the function. It says which argument has which value, and which values are allowed.
    text: String,
}

impl Error {
    /// An error about the arguments, with this text.
    #[cold]
    pub fn new(text: impl Into<String>) -> Self {
        Self(Box::new(Fields {
            function: None,
            argument: None,
            kind: ErrorKind::Argument,
            text: text.into(),
        }))
    }

    /// An error because memory ran out; `text` says for what.
    pub fn memory(text: impl fmt::Display) -> Self {
        Self::caused_by(ErrorKind::Memory, text)
    }

    /// An error because this library has a fault; `text` says which.
    pub fn internal(text: impl fmt::Display) -> Self {
        Self::caused_by(ErrorKind::Internal, text)
    }

    /// An error of a kind. Its text begins with the words of the kind.
    #[cold]
    fn caused_by(kind: ErrorKind, text: impl fmt::Display) -> Self {
        let mut error = Self::new(format!("{}{text}", kind.beginning()));
        error.0.kind = kind;
        error
    }

    /// The same error about this argument or option.
    #[cold]
    #[must_use]
    pub fn about(mut self, argument: impl Into<String>) -> Self {
        self.0.argument = Some(argument.into());
        self
    }

    /// The same error of a call of this function, whose name the sentence then begins with.
    #[cold]
    #[must_use]
    pub fn of(mut self, function: &str) -> Self {
        self.0.function = Some(function.to_owned());
        self
    }

    /// The error that is displayed as `function: text`. The beginning of `text` tells its kind; its argument is lost.
    pub(crate) fn displayed(function: &str, text: &str) -> Self {
        let kinds = [ErrorKind::Memory, ErrorKind::Internal];
        let kind = kinds.into_iter().find(|kind| text.starts_with(kind.beginning()));
        let mut error = Self::new(text).of(function);
        error.0.kind = kind.unwrap_or(ErrorKind::Argument);
        error
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.0.function {
            write!(f, "{function}: ")?;
        }
        f.write_str(&self.0.text)
    }
}

impl std::error::Error for Error {}

impl From<Error> for String {
    fn from(error: Error) -> Self {
        error.to_string()
    }
}

/// Returns early with an [`Error`] made from a format string. `"k" => "k must be ..."` is about the argument `k`, and
/// `internal: "..."` is a fault of this library.
macro_rules! bail {
    (internal: $($text:tt)*) => { return Err($crate::error::Error::internal(format_args!($($text)*))) };
    ($argument:expr => $($text:tt)*) => {
        return Err($crate::error::Error::new(format!($($text)*)).about($argument))
    };
    ($($text:tt)*) => { return Err($crate::error::Error::new(format!($($text)*))) };
}
pub(crate) use bail;
