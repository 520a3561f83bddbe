//! The C symbols that Polars looks up in a plugin.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, BooleanArray, Int64Array, ListArray, StringArray};
use arrow_buffer::{BooleanBuffer, Buffer};
use arrow_schema::{DataType, Field};
use rankdcg_arrow::{AllUsers, Segment};
use rankdcg_core::Grow;

use crate::abi::{Series, SeriesExport, bytes, field};
use crate::chunks::{rows, segments};
use crate::format;
use crate::pickle::{self, Value};
use crate::sessions;

thread_local! {
    /// The error of the last call that failed.
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// How often Polars has evaluated a function.
static CALLS: AtomicU64 = AtomicU64::new(0);

/// The arguments of a call that are no columns.
#[derive(Default)]
struct Kwargs {
    /// The name of the function.
    name: String,
    /// The name with which errors begin; `None` for that of the function.
    caller: Option<String>,
    /// The cutoff that holds for every row.
    k: Option<i64>,
    /// Whether the last column has a list of k for each group, one for each row of the group.
    grouped_k: bool,
    /// The cutoffs of a function that takes several; `None` among them stands for the whole list.
    ks: Option<Vec<Option<i64>>>,
    /// The measures of a function that takes their names.
    measures: Option<String>,
    options: Option<String>,
    /// The names of the columns of users and of items; `None` if one is known as late as the columns are. In groups, Polars
    /// passes columns without their names.
    user: Option<String>,
    item: Option<String>,
    /// The number of threads of Polars, for functions over all users.
    threads: Option<i64>,
    /// The session whose rows are read or evaluated.
    session: Option<i64>,
}

impl Kwargs {
    /// Reads the arguments from their pickle.
    fn read(pickle: &[u8]) -> Result<Self, String> {
        let unread = |error| format!("rankdcg: the arguments of the plugin could not be read: {error}");
        let mut kwargs = Self::default();
        for (key, value) in pickle::dict(pickle).map_err(unread)? {
            match (&key[..], value) {
                ("name", Value::Text(name)) => kwargs.name = name.to_string(),
                ("caller", Value::Text(caller)) => kwargs.caller = Some(caller.to_string()),
                ("k", Value::Integer(k)) => kwargs.k = Some(k),
                ("grouped_k", Value::Bool(grouped_k)) => kwargs.grouped_k = grouped_k,
                ("ks", Value::Integers(ks)) => kwargs.ks = Some(ks),
                ("measures", Value::Text(measures)) => kwargs.measures = Some(measures.to_string()),
                ("options", Value::Text(options)) => kwargs.options = Some(options.to_string()),
                ("user", Value::Text(user)) => kwargs.user = Some(user.to_string()),
                ("item", Value::Text(item)) => kwargs.item = Some(item.to_string()),
                ("threads", Value::Integer(threads)) => kwargs.threads = Some(threads),
                ("session", Value::Integer(session)) => kwargs.session = Some(session),
                ("k" | "ks" | "measures" | "options" | "user" | "item", Value::None) => {}
                (key, value) => return Err(unread(format!("{key} cannot be {value:?}"))),
            }
        }
        Ok(kwargs)
    }

    /// The name with which errors begin.
    fn caller(&self) -> &str {
        self.caller.as_deref().unwrap_or(&self.name)
    }

    /// An error that begins with [`Self::caller`].
    fn error(&self, error: impl std::fmt::Display) -> String {
        format!("{}: {error}", self.caller())
    }

    /// Reads columns: their fields, and the chunks of each.
    fn columns(&self, inputs: Vec<Series>) -> Result<(Vec<Field>, Vec<Vec<ArrayRef>>), String> {
        let columns: Result<_, String> = inputs.into_iter().map(Series::read).collect();
        columns.map_err(|error| self.error(error))
    }

    /// Evaluates the function on columns, row by row.
    fn evaluate(&self, inputs: Vec<Series>) -> Result<SeriesExport, String> {
        let (fields, mut columns) = self.columns(inputs)?;
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
        SeriesExport::new(&self.field(&fields)?, &chunks).map_err(|error| self.error(error))
    }

    /// Evaluates the function over all users on columns of all their rows.
    fn by_user(&self, inputs: Vec<Series>) -> Result<SeriesExport, String> {
        let (fields, columns) = self.columns(inputs)?;
        let users = AllUsers::default();
        self.read_into(&users, &columns)?;
        self.evaluate_users(&users, &fields, &columns)
    }

    /// Reads rows for the session, and returns false for each of them: Polars passes rows part by part only to an
    /// expression that has a value for each.
    fn read_rows(&self, inputs: Vec<Series>) -> Result<SeriesExport, String> {
        let (fields, columns) = self.columns(inputs)?;
        let rows = self.read_into(&*self.session()?, &columns)?;
        let mut bits = Vec::new();
        bits.try_resize(rows.div_ceil(8), 0_u8).map_err(|error| error.of(self.caller()))?;
        let bits = BooleanBuffer::new(Buffer::from_vec(bits), 0, rows);
        let read = Arc::new(BooleanArray::new(bits, None)) as ArrayRef;
        SeriesExport::new(&Self::field_of_rows(&fields), &[read]).map_err(|error| self.error(error))
    }

    /// Evaluates the rows that were read for the session. `inputs` are a column of users without rows and, if results have
    /// items, one of items, which tell their names, their types and the dictionaries of their texts.
    fn evaluate_session(&self, inputs: Vec<Series>) -> Result<SeriesExport, String> {
        let (fields, columns) = self.columns(inputs)?;
        self.evaluate_users(&*self.session()?, &fields, &columns)
    }

    /// Reads the rows of columns into `users`, and returns their number.
    fn read_into(&self, users: &AllUsers, columns: &[Vec<ArrayRef>]) -> Result<usize, String> {
        let rows = rows(columns).map_err(|error| self.error(error))?;
        let constants = self.constants();
        let segments: Vec<Segment> = segments(columns, rows, |arguments, rows| {
            Ok::<_, String>(([arguments, &constants[..]].concat(), rows))
        })?;
        users.read(&self.name, &segments, self.threads()).map_err(|error| error.of(self.caller()))?;
        Ok(rows)
    }

    /// The results of users whose rows were read. The first of the columns are those of ids.
    fn evaluate_users(
        &self,
        users: &AllUsers,
        fields: &[Field],
        columns: &[Vec<ArrayRef>],
    ) -> Result<SeriesExport, String> {
        let chunks = users.evaluate(&self.name, &self.named(fields), columns, self.threads());
        let chunks = chunks.map_err(|error| error.of(self.caller()))?;
        SeriesExport::new(&self.field_of_users(fields)?, &chunks).map_err(|error| self.error(error))
    }

    /// How many threads may work: as many as Polars has, and no more than a processor has cores.
    fn threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.and_then(|threads| usize::try_from(threads).ok());
        threads.map_or(cores, |threads| threads.clamp(1, cores))
    }

    /// The rows of the session; an error if it was closed.
    fn session(&self) -> Result<Arc<AllUsers>, String> {
        let session = self.session.and_then(sessions::find);
        session.ok_or_else(|| self.error("the session has ended"))
    }

    /// The arguments that hold for every row, each as a column of one row, in the order in which functions take them.
    fn constants(&self) -> Vec<ArrayRef> {
        let k = self.k.map(|k| Arc::new(Int64Array::from(vec![k])) as ArrayRef);
        let ks = self.ks.as_ref().map(|ks| {
            let ks = ListArray::from_iter_primitive::<Int64Type, _, _>([Some(ks.iter().copied())]);
            Arc::new(ks) as ArrayRef
        });
        let texts = [&self.measures, &self.options].into_iter().flatten();
        let texts = texts.map(|text| Arc::new(StringArray::from(vec![text.as_str()])) as ArrayRef);
        k.into_iter().chain(ks).chain(texts).collect()
    }

    /// The field of results of rows. Its name is that of the first column, as in all expressions of Polars.
    fn field(&self, columns: &[Field]) -> Result<Field, String> {
        let data_type = rankdcg_arrow::output(&self.name).map_err(|error| self.error(error))?;
        Ok(Field::new(name_of_first(columns), data_type, true))
    }

    /// The field of results of users.
    fn field_of_users(&self, columns: &[Field]) -> Result<Field, String> {
        let data_type = rankdcg_arrow::users_type(&self.name, &self.named(columns));
        Ok(Field::new(name_of_first(columns), data_type.map_err(|error| error.of(self.caller()))?, true))
    }

    /// The fields of users and of items with the names of their columns.
    fn named(&self, columns: &[Field]) -> Vec<Field> {
        let names = [&self.user, &self.item].into_iter().zip(columns);
        names.map(|(name, field)| field.clone().with_name(name.as_deref().unwrap_or(field.name()))).collect()
    }

    /// The field of the Booleans that stand for rows that were read.
    fn field_of_rows(columns: &[Field]) -> Field {
        Field::new(name_of_first(columns), DataType::Boolean, true)
    }
}

/// The name of the first column; an empty one if there is none.
fn name_of_first(columns: &[Field]) -> &str {
    columns.first().map_or("", |field| field.name())
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

/// Declares the two symbols of each expression: the one that evaluates it, and the one that tells the field of its result.
macro_rules! expressions {
    ($($(#[$doc:meta])* $evaluate:ident => $run:expr, $field:ident => $find:expr;)+) => {
        $(
            $(#[$doc])*
            ///
            /// Takes over the columns, even if it fails. Fills `result`; or leaves it empty, and keeps an error.
            ///
            /// # Safety
            /// `inputs` holds `count` columns. `kwargs` points to a pickle of `size` bytes. `result` points to an empty
            /// struct.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $evaluate(
                inputs: *const SeriesExport,
                count: usize,
                kwargs: *const u8,
                size: usize,
                result: *mut SeriesExport,
                _context: *const c_void,
            ) {
                // SAFETY: the caller's promises.
                unsafe { expression(inputs, count, kwargs, size, result, $run) }
            }

            /// Fills `result` with the name and the type of the results, before there are columns; or keeps an error.
            ///
            /// # Safety
            /// `fields` holds `count` fields, which the caller keeps. `kwargs` points to a pickle of `size` bytes.
            /// `result` points to an empty struct.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $field(
                fields: *const FFI_ArrowSchema,
                count: usize,
                result: *mut FFI_ArrowSchema,
                kwargs: *const u8,
                size: usize,
            ) {
                // SAFETY: the caller's promises.
                unsafe { field_of_result(fields, count, result, kwargs, size, $find) }
            }
        )+
    };
}

expressions! {
    /// Evaluates a function row by row on columns of lists.
    _polars_plugin_evaluate => Kwargs::evaluate, _polars_plugin_field_evaluate => Kwargs::field;

    /// Evaluates a function over all users on columns of all their rows. The result has a row for each user and k.
    _polars_plugin_by_user => Kwargs::by_user, _polars_plugin_field_by_user => Kwargs::field_of_users;

    /// Reads rows of columns for a session. The result says nothing, and has as many rows. Polars may call this from
    /// several threads at the same time.
    _polars_plugin_read_rows => Kwargs::read_rows,
    _polars_plugin_field_read_rows => |_, columns| Ok(Kwargs::field_of_rows(columns));

    /// Evaluates the rows that were read for a session. The result has a row for each user and k.
    _polars_plugin_evaluate_session => Kwargs::evaluate_session,
    _polars_plugin_field_evaluate_session => Kwargs::field_of_users;
}

/// Runs an expression: `run` gets its arguments and its columns.
///
/// # Safety
/// As for [`_polars_plugin_evaluate`].
unsafe fn expression(
    inputs: *const SeriesExport,
    count: usize,
    kwargs: *const u8,
    size: usize,
    result: *mut SeriesExport,
    run: impl FnOnce(&Kwargs, Vec<Series>) -> Result<SeriesExport, String>,
) {
    CALLS.fetch_add(1, Ordering::Relaxed);
    answer(|| {
        // Columns are taken first, so that they are freed whatever fails. SAFETY: the caller's promises.
        let (inputs, kwargs) = unsafe { (Series::take(inputs, count)?, bytes(kwargs, size)) };
        if result.is_null() {
            return Err("rankdcg: the pointer to the result is NULL".into());
        }
        let series = run(&Kwargs::read(kwargs)?, inputs)?;
        // SAFETY: the caller's promise: the struct is empty, so overwriting it loses nothing.
        unsafe { result.write(series) };
        Ok(())
    });
}

/// Finds the field of an expression: `run` gets its arguments and the fields of its columns.
///
/// # Safety
/// As for [`_polars_plugin_field_evaluate`].
unsafe fn field_of_result(
    fields: *const FFI_ArrowSchema,
    count: usize,
    result: *mut FFI_ArrowSchema,
    kwargs: *const u8,
    size: usize,
    run: impl FnOnce(&Kwargs, &[Field]) -> Result<Field, String>,
) {
    answer(|| {
        // SAFETY: the caller's promise.
        let kwargs = Kwargs::read(unsafe { bytes(kwargs, size) })?;
        if result.is_null() {
            return Err("rankdcg: the pointer to the result is NULL".into());
        }
        // SAFETY: the caller's promise.
        let columns = (0..count).map(|index| unsafe { field(fields.add(index)) });
        let columns = columns.collect::<Result<Vec<_>, _>>().map_err(|error| kwargs.error(error))?;
        let schema = format::schema(&run(&kwargs, &columns)?).map_err(|error| kwargs.error(error))?;
        // SAFETY: the caller's promise: the struct is empty, so overwriting it loses nothing.
        unsafe { result.write(schema) };
        Ok(())
    });
}

/// Opens a session, which rows can be read for, and returns its number.
#[unsafe(no_mangle)]
pub extern "C" fn rankdcg_polars_open() -> i64 {
    sessions::open()
}

/// Closes a session and frees its rows, once no expression uses them any more.
#[unsafe(no_mangle)]
pub extern "C" fn rankdcg_polars_close(session: i64) {
    sessions::close(session);
}

/// How often Polars has evaluated a function so far. It tells tests whether all groups are evaluated at once.
#[unsafe(no_mangle)]
pub extern "C" fn rankdcg_polars_calls() -> u64 {
    CALLS.load(Ordering::Relaxed)
}

/// Runs a call, and keeps the message of its error or panic for [`_polars_plugin_get_last_error_message`].
fn answer(run: impl FnOnce() -> Result<(), String>) {
    if let Err(message) = rankdcg_core::catch_panics(run).map_err(rankdcg_core::c_message) {
        // A thread that is ending cannot keep an error any more. Nobody could read it either.
        _ = LAST_ERROR.try_with(|error| error.replace(message));
    }
}
