//! The arguments of the Polars plugin as bytes: they are read, or refused with a sentence.
#![no_main]

use std::ffi::CStr;
use std::ptr::null;

use arrow_array::ffi::FFI_ArrowSchema;
use libfuzzer_sys::fuzz_target;
use rankdcg_polars::{_polars_plugin_field_evaluate, _polars_plugin_get_last_error_message};

fuzz_target!(|data: &[u8]| {
    let mut result = FFI_ArrowSchema::empty();
    // SAFETY: there are no fields, the pickle has the length that is passed, and the result is empty.
    let message = unsafe {
        _polars_plugin_field_evaluate(null(), 0, &raw mut result, data.as_ptr(), data.len());
        CStr::from_ptr(_polars_plugin_get_last_error_message())
    };
    assert!(!message.to_string_lossy().contains("internal error"), "{message:?}");
});
