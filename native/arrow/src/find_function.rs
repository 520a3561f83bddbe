//! Functions by name.

use rankdcg_core::{Error, Function, lookup};

/// The function with this name; an error if there is none.
pub fn find(function: &str) -> Result<&'static Function, Error> {
    lookup(function).ok_or_else(|| Error::new(format!("there is no function {function}")))
}
