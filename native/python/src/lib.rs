//! The C functions that Python calls: they take Arrow arrays, and return an Arrow array.
//!
//! Errors are returned as JSON: an object with `function`, `argument`, `kind` and `text`. The first two may be null.

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_char};
use std::ptr::null_mut;
use std::sync::LazyLock;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use rankdcg_arrow::find;
use rankdcg_arrow_import::{checked_array, data_type, import};
use rankdcg_core::statistics::looks::widening;
use rankdcg_core::{Catalogue, Error, c_message, catch_panics, find_measure};
use rankdcg_table_macros::{TableMacro, aggregates, quote_text, script, statements, table_macros};
use serde::Serialize;

/// The name in errors that arise before the name of the called function is read.
const LIBRARY: &str = "rankdcg";

/// The catalogue and the table macros, as JSON.
#[derive(Serialize)]
struct Described {
    #[serde(flatten)]
    catalogue: Catalogue,
    table_macros: &'static [TableMacro],
}

/// The catalogue of functions, and the table macros, as JSON. The text lives as long as the process.
#[unsafe(no_mangle)]
pub extern "C" fn rankdcg_catalogue() -> *const c_char {
    static TEXT: LazyLock<CString> = LazyLock::new(|| {
        let described = Described { catalogue: rankdcg_core::catalogue(), table_macros: table_macros() };
        let text = serde_json::to_string(&described).expect("a catalogue is plain data");
        CString::new(text).expect("JSON escapes NUL")
    });
    TEXT.as_ptr()
}

/// Evaluates the function called `name` on `count` arrays of equal length. An array of one value stands for that value
/// in every row.
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

/// Returns the fingerprint of the rows of `count` arrays of equal length, as an array of its lower and its upper 64 bits.
///
/// Takes over the arrays, and returns its outcome, as [`rankdcg_call`] does.
///
/// # Safety
/// `arrays` and `schemas` hold `count` structs of the Arrow C data interface each. `result` and `result_schema` point to
/// empty structs of that interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rankdcg_fingerprint(
    count: usize,
    arrays: *mut FFI_ArrowArray,
    schemas: *mut FFI_ArrowSchema,
    result: *mut FFI_ArrowArray,
    result_schema: *mut FFI_ArrowSchema,
) -> *mut c_char {
    let name = c"fingerprint".as_ptr();
    // SAFETY: the caller's promises.
    unsafe {
        answer(name, count, arrays, schemas, result, result_schema, |_, columns| {
            rankdcg_arrow::fingerprint(columns)
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
    evaluate: impl FnOnce(&str, &[ArrayRef]) -> Result<ArrayRef, Error>,
) -> *mut c_char {
    let call = || {
        if count > 0 && (arrays.is_null() || schemas.is_null()) {
            return Err(Error::new("the pointer to the arguments is NULL").of(LIBRARY));
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
            return Err(Error::new("the pointer to the result is NULL").of(&name));
        }
        let read = |(index, (array, schema)): (usize, (FFI_ArrowArray, FFI_ArrowSchema))| {
            // SAFETY: the two structs are those of one array.
            let array = unsafe { read(array, &schema) };
            array.map_err(|error| {
                Error::new(format!("argument {} is no valid Arrow array: {error}", index + 1)).of(&name)
            })
        };
        let arguments = taken.into_iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
        let values = evaluate(&name, &arguments)?;
        let (array, schema) = to_ffi(&values.to_data()).map_err(|error| Error::internal(error).of(&name))?;
        // SAFETY: the caller's promise: the structs are empty, so overwriting them loses nothing.
        unsafe {
            result.write(array);
            result_schema.write(schema);
        }
        Ok(())
    };
    catch_panics(call).map_or_else(failed, |()| null_mut())
}

/// Reads an array that was taken over.
///
/// # Safety
/// The structs are those of one array, and as [`import`] requires.
unsafe fn read(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> Result<ArrayRef, String> {
    let read_type = |schema: &FFI_ArrowSchema| DataType::try_from(schema).map_err(|error| error.to_string());
    // SAFETY: the caller's promise.
    checked_array(unsafe { import(array, data_type(schema, read_type)?)? })
}

/// Plain data that was written as JSON, to be freed with [`rankdcg_free`].
fn json(text: serde_json::Result<String>) -> *mut c_char {
    c_message(text.expect("plain data can be written")).into_raw()
}

/// An error as JSON, to be freed with [`rankdcg_free`].
#[allow(clippy::needless_pass_by_value)] // as `map_or_else` passes it
fn failed(error: Error) -> *mut c_char {
    json(serde_json::to_string(&error))
}

/// A text argument.
///
/// # Safety
/// `pointer` is NULL, or points to a text that ends with NUL.
unsafe fn text<'a>(pointer: *const c_char) -> Result<Cow<'a, str>, Error> {
    if pointer.is_null() {
        return Err(Error::new("the pointer to a text is NULL").of(LIBRARY));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { CStr::from_ptr(pointer) }.to_string_lossy())
}

/// How many times as far an interval reaches at a look; see [`widening`]. NaN for numbers that no interval has.
#[unsafe(no_mangle)]
pub extern "C" fn rankdcg_widening(look: i64, n: i64, confidence: f64, is_of_range: bool) -> f64 {
    let widened = catch_panics(|| Ok::<_, Error>(widening(look, n, confidence, is_of_range)));
    widened.ok().flatten().unwrap_or(f64::NAN)
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
        let function = find(&name)?;
        if count > 0 && ks.is_null() {
            return Err(Error::new("the pointer to the cutoffs is NULL").of(&name));
        }
        // SAFETY: the caller's promise.
        let ks: Vec<i64> = (0..count).map(|index| unsafe { *ks.add(index) }).collect();
        function.check(&ks, &options).map_err(|error| error.of(&name))
    };
    catch_panics(check).map_or_else(failed, |()| null_mut())
}

/// The error of this library that is in a text of DuckDB, which passes on errors as text alone.
///
/// Returns NULL if there is none, or the error, to be freed with [`rankdcg_free`]. Its argument is null, because the
/// text does not tell it.
///
/// # Safety
/// `message` is NULL or ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rankdcg_error_in(message: *const c_char) -> *mut c_char {
    // SAFETY: the caller's promise.
    let search = || Ok(rankdcg_core::error_in(&unsafe { text(message)? }));
    // A failure of the search is returned as an error, too.
    catch_panics(search).unwrap_or_else(Some).map_or(null_mut(), failed)
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
        let function = find(&name)?;
        if result.is_null() {
            return Err(Error::new("the pointer to the result is NULL").of(&name));
        }
        let resolved = function.resolve(&options).map_err(|error| error.of(&name))?;
        // SAFETY: the caller's promise.
        unsafe { result.write(json(serde_json::to_string(&resolved))) };
        Ok(())
    };
    catch_panics(resolve).map_or_else(failed, |()| null_mut())
}

/// Reads a name of a metric, which may have options and a cutoff.
///
/// Returns NULL, and sets `result` to a JSON array: the metric's name in results, and the cutoff as text, or null; or
/// returns an error. Both are to be freed with [`rankdcg_free`].
///
/// # Safety
/// `name` ends with NUL. `result` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rankdcg_find_measure(name: *const c_char, result: *mut *mut c_char) -> *mut c_char {
    let read = || {
        // SAFETY: the caller's promise.
        let found = find_measure(&unsafe { text(name)? })?;
        if result.is_null() {
            return Err(Error::new("the pointer to the result is NULL").of(LIBRARY));
        }
        // SAFETY: the caller's promise.
        unsafe { result.write(json(serde_json::to_string(&found))) };
        Ok(())
    };
    catch_panics(read).map_or_else(failed, |()| null_mut())
}

/// The statements that create macros as TEMP macros, as JSON: the text of those of aggregates, which a database needs
/// unless it has native ones (`has_aggregates`), that of the helpers of table macros, and a list with the name and the
/// statement of each table macro.
///
/// The result is to be freed with [`rankdcg_free`].
#[unsafe(no_mangle)]
pub extern "C" fn rankdcg_macro_statements(has_aggregates: bool) -> *mut c_char {
    let (helpers, macros) = statements(has_aggregates);
    json(serde_json::to_string(&(aggregates(), helpers, macros)))
}

/// The statements that create or replace the table macros, for any client of DuckDB. `extension` is the path of this
/// library.
///
/// The result is to be freed with [`rankdcg_free`].
///
/// # Safety
/// `extension` is NULL or ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rankdcg_macro_script(is_temporary: bool, extension: *const c_char) -> *mut c_char {
    // SAFETY: the caller's promise.
    let extension = unsafe { text(extension) }.unwrap_or_default();
    c_message(script(is_temporary, &quote_text(&extension))).into_raw()
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
