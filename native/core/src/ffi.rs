//! The boundary to C, shared by all engines: panics become errors, and errors become C strings.

use std::any::Any;
use std::ffi::CString;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::Error;

/// Runs `run`, and turns a panic, which is always a fault of this library, into an error.
///
/// Exceptions of other languages cannot be caught: functions that may throw one must be called outside of `run`.
pub fn catch_panics<T, E: From<Error>>(run: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| Err(fault(&*panic).into()))
}

/// A message as a C string; NUL characters in it are written `\0`.
pub fn c_message(message: impl Display) -> CString {
    CString::new(message.to_string().replace('\0', "\\0")).unwrap_or_default()
}

/// The error for a panic, with its message. It is one of the library as a whole: the called function is not known here.
fn fault(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    Error::internal(text.unwrap_or_default()).of("rankdcg")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_panics_become_messages() {
        assert_eq!(catch_panics::<_, String>(|| Ok(1)), Ok(1));
        assert_eq!(
            catch_panics::<(), String>(|| Err("a\0b".into())).map_err(c_message),
            Err(c"a\\0b".into())
        );
        assert_eq!(
            catch_panics::<(), String>(|| panic!("row {}", 7)).map_err(c_message),
            Err(c"rankdcg: internal error: row 7".into())
        );
    }
}
