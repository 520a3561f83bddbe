//! The C symbols that Polars looks up in a plugin.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, Int64Array, ListArray, StringArray};
use arrow_schema::Field;

use crate::abi::{Series, SeriesExport, bytes, field};
use crate::pickle::{self, Value};
use crate::segments::{rows, segments};

thread_local! {
    /// The error of the last call that failed.
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// How often Polars has evaluated a function.
static CALLS: AtomicU64 = AtomicU64::new(0);

/// The arguments of a call that are no columns.
#[derive(Default)]
struct Kwargs {
    /// The name of the function, with which errors begin.
    name: String,
    /// The cutoff that holds for every row.
    k: Option<i64>,
    /// Whether the last column has a list of k for each group, one for each row of the group.
    grouped_k: bool,
    /// The cutoffs of a function that takes several; `None` among them stands for the whole list.
    ks: Option<Vec<Option<i64>>>,
    /// Options as text.
    options: Option<String>,
}

impl Kwargs {
    /// Reads the arguments from their pickle.
    fn read(pickle: &[u8]) -> Result<Self, String> {
        Self::parse(pickle)
            .map_err(|error| format!("rankdcg: the arguments of the plugin could not be read: {error}"))
    }

    /// As [`Kwargs::read`], with the bare reason of an error.
    fn parse(pickle: &[u8]) -> Result<Self, String> {
        let mut kwargs = Self::default();
        for (key, value) in pickle::dict(pickle)? {
            match (&key[..], value) {
                ("name", Value::Text(name)) => kwargs.name = name.to_string(),
                ("k", Value::Integer(k)) => kwargs.k = Some(k),
                ("grouped_k", Value::Bool(grouped_k)) => kwargs.grouped_k = grouped_k,
                ("ks", Value::Integers(ks)) => kwargs.ks = Some(ks),
                ("options", Value::Text(options)) => kwargs.options = Some(options.to_string()),
                ("k" | "ks" | "options", Value::None) => {}
                (key, value) => return Err(format!("{key} cannot be {value:?}")),
            }
        }
        Ok(kwargs)
    }

    /// An error that begins with the name of the function.
    fn error(&self, error: impl std::fmt::Display) -> String {
        format!("{}: {error}", self.name)
    }

    /// Evaluates the function on columns.
    fn evaluate(&self, inputs: Vec<Series>) -> Result<SeriesExport, String> {
        let columns: Result<(Vec<_>, Vec<_>), String> = inputs.into_iter().map(Series::read).collect();
        let (names, mut columns) = columns.map_err(|error| self.error(error))?;
        let name = names.into_iter().next().unwrap_or_default();
        if let (true, Some(ks)) = (self.grouped_k, columns.last_mut()) {
            for chunk in ks {
                *chunk = rankdcg_arrow::k_of_groups(&self.name, chunk).map_err(|error| error.to_string())?;
            }
        }
        columns.extend(self.constants().into_iter().map(|constant| vec![constant]));
        let rows = rows(&columns).map_err(|error| self.error(error))?;
        let chunks = segments(&columns, rows, |arguments, rows| {
            rankdcg_arrow::call(&self.name, arguments, rows).map_err(|error| error.to_string())
        })?;
        SeriesExport::new(&self.field(&name)?, &chunks).map_err(|error| self.error(error))
    }

    /// The arguments that hold for every row, each as a column of one row.
    fn constants(&self) -> Vec<ArrayRef> {
        let k = self.k.map(|k| Arc::new(Int64Array::from(vec![k])) as ArrayRef);
        let ks = self.ks.as_ref().map(|ks| {
            let ks = ListArray::from_iter_primitive::<Int64Type, _, _>([Some(ks.iter().copied())]);
            Arc::new(ks) as ArrayRef
        });
        let options = self.options.as_deref();
        let options = options.map(|text| Arc::new(StringArray::from(vec![text])) as ArrayRef);
        k.into_iter().chain(ks).chain(options).collect()
    }

    /// The field of the results. `name` is that of the first column, as in all expressions of Polars.
    fn field(&self, name: &str) -> Result<Field, String> {
        let data_type = rankdcg_arrow::output(&self.name).map_err(|error| self.error(error))?;
        Ok(Field::new(name, data_type, true))
    }
}

/// The version of the plugin interface, 16 bits each for major and minor: 0.1, which every Polars from 1.0 on accepts.
#[unsafe(no_mangle)]
pub extern "C" fn _polars_plugin_get_version() -> u32 {
    1
}

/// The error of the last call on this thread that failed. It is valid until the next call fails.
#[unsafe(no_mangle)]
pub extern "C" fn _polars_plugin_get_last_error_message() -> *const c_char {
    LAST_ERROR.try_with(|error| error.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Evaluates a function row by row on columns of lists.
///
/// Takes over the columns, even if it fails. Fills `result`; or leaves it empty, and keeps an error.
///
/// # Safety
/// `inputs` holds `count` columns. `kwargs` points to a pickle of `size` bytes. `result` points to an empty struct.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _polars_plugin_evaluate(
    inputs: *const SeriesExport,
    count: usize,
    kwargs: *const u8,
    size: usize,
    result: *mut SeriesExport,
    _context: *const c_void,
) {
    CALLS.fetch_add(1, Ordering::Relaxed);
    answer(|| {
        // SAFETY: the caller's promises.
        let (inputs, kwargs) = unsafe { (Series::take(inputs, count)?, bytes(kwargs, size)) };
        if result.is_null() {
            return Err("rankdcg: the pointer to the result is NULL".into());
        }
        let series = Kwargs::read(kwargs)?.evaluate(inputs)?;
        // SAFETY: the caller's promise: the struct is empty, so overwriting it loses nothing.
        unsafe { result.write(series) };
        Ok(())
    });
}

/// Fills `result` with the name and the type of the results, before there are columns; or keeps an error.
///
/// # Safety
/// `fields` holds `count` fields, which the caller keeps. `kwargs` points to a pickle of `size` bytes. `result`
/// points to an empty struct.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _polars_plugin_field_evaluate(
    fields: *const FFI_ArrowSchema,
    count: usize,
    result: *mut FFI_ArrowSchema,
    kwargs: *const u8,
    size: usize,
) {
    answer(|| {
        // SAFETY: the caller's promise.
        let kwargs = Kwargs::read(unsafe { bytes(kwargs, size) })?;
        if result.is_null() {
            return Err("rankdcg: the pointer to the result is NULL".into());
        }
        let name = match count {
            0 => String::new(),
            // SAFETY: the caller's promise.
            _ => unsafe { field(fields) }.map_err(|error| kwargs.error(error))?.0,
        };
        let schema = FFI_ArrowSchema::try_from(&kwargs.field(&name)?).map_err(|error| kwargs.error(error))?;
        // SAFETY: the caller's promise: the struct is empty, so overwriting it loses nothing.
        unsafe { result.write(schema) };
        Ok(())
    });
}

/// How often Polars has evaluated a function so far. It tells tests whether all groups are evaluated at once.
#[unsafe(no_mangle)]
pub extern "C" fn rankdcg_polars_calls() -> u64 {
    CALLS.load(Ordering::Relaxed)
}

/// Runs a call and keeps its error.
fn answer(run: impl FnOnce() -> Result<(), String>) {
    if let Err(message) = rankdcg_core::catch_panics(run).map_err(rankdcg_core::c_message) {
        // A thread that is ending cannot keep an error any more. Nobody could read it either.
        _ = LAST_ERROR.try_with(|error| error.replace(message));
    }
}
