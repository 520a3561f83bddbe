//! The C functions that Python calls: they take Arrow arrays, and return an Arrow array.

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char};
use std::ptr::null_mut;
use std::sync::LazyLock;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use rankdcg_ffi::{checked_array, data_type, import};

/// The catalogue of functions as JSON. The text lives as long as the process.
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
/// Takes over the arrays, even if it fails. Returns NULL and fills `result` and `result_schema`; or returns an error,
/// to be freed with [`rankdcg_free`].
///
/// # Safety
/// `name` ends with NUL. `arrays` and `schemas` hold `count` structs of the Arrow C data interface each. `result` and
/// `result_schema` point to empty structs of that interface.
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
        answer(name, count, arrays, schemas, result, result_schema, |name, arguments| {
            let rows = arguments.iter().map(Array::len).find(|length| *length != 1).unwrap_or(1);
            rankdcg_arrow::call(name, arguments, rows)
        })
    }
}

/// Evaluates the aggregate called `name` on an array of lists. A list is a group, and holds a struct of the arguments
/// for each of its rows.
///
/// Takes over the array, and returns its outcome, as [`rankdcg_call`] does.
///
/// # Safety
/// `name` ends with NUL. `lists` and `schema` are the structs of one array. `result` and `result_schema` point to empty
/// structs of the Arrow C data interface.
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
        answer(name, 1, lists, schema, result, result_schema, |name, arguments| {
            rankdcg_arrow::call_lists(name, &arguments[0])
        })
    }
}

/// Takes over arrays, and fills `result` and `result_schema` with the array that `evaluate` returns for them.
///
/// # Safety
/// `name` is NULL or ends with NUL. Every other pointer may be NULL. Otherwise `arrays` and `schemas` hold `count`
/// structs of the Arrow C data interface each, and `result` and `result_schema` point to empty ones.
unsafe fn answer(
    name: *const c_char,
    count: usize,
    arrays: *mut FFI_ArrowArray,
    schemas: *mut FFI_ArrowSchema,
    result: *mut FFI_ArrowArray,
    result_schema: *mut FFI_ArrowSchema,
    evaluate: impl FnOnce(&str, &[ArrayRef]) -> Result<ArrayRef, rankdcg_core::Error>,
) -> *mut c_char {
    let call = || {
        if count > 0 && (arrays.is_null() || schemas.is_null()) {
            return Err("rankdcg: the arguments are NULL".to_owned());
        }
        let take = |index| {
            // SAFETY: the caller's promise. Each struct is taken over once.
            unsafe {
                (FFI_ArrowArray::from_raw(arrays.add(index)), FFI_ArrowSchema::from_raw(schemas.add(index)))
            }
        };
        // Takes over all arrays before the first error can occur.
        let taken: Vec<_> = (0..count).map(take).collect();
        // SAFETY: the caller's promise.
        let name = unsafe { text(name)? };
        if result.is_null() || result_schema.is_null() {
            return Err(format!("{name}: the pointer to the result is NULL"));
        }
        let read = |(index, (array, schema)): (usize, (FFI_ArrowArray, FFI_ArrowSchema))| {
            // SAFETY: the two structs are those of one array.
            let array = unsafe { read(array, &schema) };
            array.map_err(|error| format!("{name}: argument {} is no valid Arrow array: {error}", index + 1))
        };
        let arguments = taken.into_iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
        let values = evaluate(&name, &arguments).map_err(|error| error.to_string())?;
        let (array, schema) = to_ffi(&values.to_data()).map_err(|error| error.to_string())?;
        // SAFETY: the caller's promise: the structs are empty, so overwriting them loses nothing.
        unsafe {
            result.write(array);
            result_schema.write(schema);
        }
        Ok(())
    };
    rankdcg_core::catch_panics(call).map_or_else(CString::into_raw, |()| null_mut())
}

/// Reads an array that was taken over.
///
/// # Safety
/// The structs are those of one array, and as [`import`] requires.
unsafe fn read(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> Result<ArrayRef, String> {
    let find = |schema: &FFI_ArrowSchema| DataType::try_from(schema).map_err(|error| error.to_string());
    // SAFETY: the caller's promise.
    checked_array(unsafe { import(array, data_type(schema, find)?)? })
}

/// A text argument.
///
/// # Safety
/// `pointer` is NULL, or points to a text that ends with NUL.
unsafe fn text<'a>(pointer: *const c_char) -> Result<Cow<'a, str>, String> {
    if pointer.is_null() {
        return Err("rankdcg: a text is NULL".to_owned());
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { CStr::from_ptr(pointer) }.to_string_lossy())
}

/// Checks the k and the options of a call of the function called `name`. There are `count` k.
///
/// Returns NULL, or an error to be freed with [`rankdcg_free`].
///
/// # Safety
/// `name` and `options` end with NUL. `ks` holds `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rankdcg_check(
    name: *const c_char,
    count: usize,
    ks: *const i64,
    options: *const c_char,
) -> *mut c_char {
    let check = || {
        // SAFETY: the caller's promise.
        let (name, options) = unsafe { (text(name)?, text(options)?) };
        let function = rankdcg_core::lookup(&name).ok_or_else(|| format!("there is no function {name}"))?;
        if count > 0 && ks.is_null() {
            return Err(format!("{name}: the k are NULL"));
        }
        // SAFETY: the caller's promise.
        let ks: Vec<i64> = (0..count).map(|index| unsafe { *ks.add(index) }).collect();
        function.check(&ks, &options).map_err(|error| error.of(&name).to_string())
    };
    rankdcg_core::catch_panics(check).map_or_else(CString::into_raw, |()| null_mut())
}

/// Resolves the options of a call of the function called `name`: the value of each and its origin, and the reason why
/// results are NULL.
///
/// Returns NULL, and sets `result` to a JSON object; or returns an error. Both are to be freed with [`rankdcg_free`].
///
/// # Safety
/// `name` and `options` end with NUL. `result` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rankdcg_resolve(
    name: *const c_char,
    options: *const c_char,
    result: *mut *mut c_char,
) -> *mut c_char {
    let resolve = || {
        // SAFETY: the caller's promise.
        let (name, options) = unsafe { (text(name)?, text(options)?) };
        let function = rankdcg_core::lookup(&name).ok_or_else(|| format!("there is no function {name}"))?;
        if result.is_null() {
            return Err(format!("{name}: the pointer to the result is NULL"));
        }
        let resolved = function.resolve(&options).map_err(|error| error.of(&name).to_string())?;
        let json = serde_json::to_string(&resolved).map_err(|error| error.to_string())?;
        // SAFETY: the caller's promise. JSON escapes NUL.
        unsafe { result.write(rankdcg_core::c_message(&json).into_raw()) };
        Ok(())
    };
    rankdcg_core::catch_panics(resolve).map_or_else(CString::into_raw, |()| null_mut())
}

/// Frees a text that a function of this library returned.
///
/// # Safety
/// `text` is NULL, or such a text that has not been freed. It is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rankdcg_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller's promise.
        drop(unsafe { CString::from_raw(text) });
    }
}
