//! The C entry through which Python reaches the metrics: Arrow arrays in, an Arrow array out.

use std::ffi::{CStr, CString, c_char};
use std::ptr::null_mut;
use std::sync::LazyLock;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::{Array, ArrayRef, make_array};

/// Everything there is to know about the functions, as JSON. The text lives as long as the process.
#[unsafe(no_mangle)]
pub extern "C" fn rankdcg_catalogue() -> *const c_char {
    static TEXT: LazyLock<CString> = LazyLock::new(|| {
        let text = serde_json::to_string(&rankdcg_core::catalogue()).expect("a catalogue is plain data");
        CString::new(text).expect("JSON escapes NUL")
    });
    TEXT.as_ptr()
}

/// Evaluates the function called `name` on `count` arrays of equal length.
///
/// Takes the arrays over, whatever happens. Returns NULL and fills `result` and `result_schema`, or returns the
/// error to be freed with [`rankdcg_free`].
///
/// # Safety
/// `name` ends with NUL; `arrays` and `schemas` hold `count` structs of the Arrow C data interface each; `result`
/// and `result_schema` are empty ones to be filled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rankdcg_call(
    name: *const c_char,
    count: usize,
    arrays: *mut FFI_ArrowArray,
    schemas: *mut FFI_ArrowSchema,
    result: *mut FFI_ArrowArray,
    result_schema: *mut FFI_ArrowSchema,
) -> *mut c_char {
    // SAFETY: the caller's promises.
    unsafe {
        answer(count, arrays, schemas, result, result_schema, |arguments| {
            let name = CStr::from_ptr(name).to_string_lossy();
            let rows = arguments.iter().map(Array::len).find(|length| *length != 1).unwrap_or(1);
            rankdcg_arrow::call(&name, arguments, rows)
        })
    }
}

/// Evaluates the aggregate called `name` on an array of lists, which have a struct of its arguments for each row of a
/// group.
///
/// Takes the array over, and returns, as [`rankdcg_call`] does.
///
/// # Safety
/// `name` ends with NUL; `lists` and `schema` are the structs of an array; `result` and `result_schema` are empty ones
/// to be filled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rankdcg_call_lists(
    name: *const c_char,
    lists: *mut FFI_ArrowArray,
    schema: *mut FFI_ArrowSchema,
    result: *mut FFI_ArrowArray,
    result_schema: *mut FFI_ArrowSchema,
) -> *mut c_char {
    // SAFETY: the caller's promises.
    unsafe {
        answer(1, lists, schema, result, result_schema, |arguments| {
            rankdcg_arrow::call_lists(&CStr::from_ptr(name).to_string_lossy(), &arguments[0])
        })
    }
}

/// Takes arrays over, and fills `result` and `result_schema` with what `evaluate` makes of them.
///
/// # Safety
/// `arrays` and `schemas` hold `count` structs of the Arrow C data interface each; `result` and `result_schema` are
/// empty ones to be filled.
unsafe fn answer(
    count: usize,
    arrays: *mut FFI_ArrowArray,
    schemas: *mut FFI_ArrowSchema,
    result: *mut FFI_ArrowArray,
    result_schema: *mut FFI_ArrowSchema,
    evaluate: impl FnOnce(&[ArrayRef]) -> Result<ArrayRef, rankdcg_core::Error>,
) -> *mut c_char {
    let call = || {
        let take = |index| {
            // SAFETY: the caller's promise; each struct is taken over once.
            let (array, schema) = unsafe {
                (FFI_ArrowArray::from_raw(arrays.add(index)), FFI_ArrowSchema::from_raw(schemas.add(index)))
            };
            // SAFETY: the two structs are of one array.
            unsafe { from_ffi(array, &schema) }.map(make_array).map_err(|error| error.to_string())
        };
        // All of them, even where one is none.
        let arguments: Vec<Result<ArrayRef, String>> = (0..count).map(take).collect();
        let arguments: Vec<ArrayRef> = arguments.into_iter().collect::<Result<_, _>>()?;
        let values = evaluate(&arguments).map_err(|error| error.to_string())?;
        let (array, schema) = to_ffi(&values.to_data()).map_err(|error| error.to_string())?;
        // SAFETY: the caller's promise: nothing of value is overwritten.
        unsafe {
            result.write(array);
            result_schema.write(schema);
        }
        Ok(())
    };
    rankdcg_core::guarded(call).map_or_else(CString::into_raw, |()| null_mut())
}

/// Checks the arguments of the function called `name` that are not columns: `count` k, and options.
///
/// Returns NULL, or the error to be freed with [`rankdcg_free`].
///
/// # Safety
/// `name` and `options` end with NUL; `ks` holds `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rankdcg_check(
    name: *const c_char,
    count: usize,
    ks: *const i64,
    options: *const c_char,
) -> *mut c_char {
    let check = || {
        // SAFETY: the caller's promise.
        let (name, options, ks) = unsafe {
            let text = |pointer| CStr::from_ptr(pointer).to_string_lossy();
            (text(name), text(options), (0..count).map(|index| *ks.add(index)))
        };
        let function = rankdcg_core::lookup(&name).ok_or_else(|| format!("there is no function {name}"))?;
        function.check(&ks.collect::<Vec<_>>(), &options).map_err(|error| error.of(&name).to_string())
    };
    rankdcg_core::guarded(check).map_or_else(CString::into_raw, |()| null_mut())
}

/// Frees a text that a function of this library returned for that.
///
/// # Safety
/// `text` is NULL or such a text, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rankdcg_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { CString::from_raw(text) });
    }
}
