//! The boundary to C, shared by all engines: panics become errors, and errors become C strings.

use std::any::Any;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `run`, and turns a panic, which is always a fault of this library, into an error.
///
/// Exceptions of other languages cannot be caught: functions that may throw one must be called outside of `run`.
pub fn catch_panics<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, CString> {
    let outcome = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Err(sentence(&*panic)));
    outcome.map_err(|message| c_message(&message))
}

/// A message as a C string; NUL characters in it are written `\0`.
pub fn c_message(message: &str) -> CString {
    CString::new(message.replace('\0', "\\0")).unwrap_or_default()
}

/// The sentence for a panic.
fn sentence(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("rankdcg: internal error: {}", text.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_panics_become_messages() {
        assert_eq!(catch_panics(|| Ok(1)), Ok(1));
        assert_eq!(catch_panics::<()>(|| Err("a\0b".into())), Err(c"a\\0b".into()));
        assert_eq!(catch_panics::<()>(|| panic!("row {}", 7)), Err(c"rankdcg: internal error: row 7".into()));
    }
}
