//! What every engine needs where its calls come in from C.

use std::any::Any;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs what a call asks for, so that a panic, always a fault of this library, becomes an error like any other.
///
/// An exception of another language cannot be caught: what may throw one is called before or after.
pub fn catch_panics<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, CString> {
    let outcome = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Err(sentence(&*panic)));
    outcome.map_err(|message| c_message(&message))
}

/// A message as C has it.
pub fn c_message(message: &str) -> CString {
    CString::new(message.replace('\0', "\\0")).unwrap_or_default()
}

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
