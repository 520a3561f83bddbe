//! The scalar functions: their overloads, and the kernel behind all of them.

use std::ffi::{CString, c_void};
use std::sync::LazyLock;

use rankdcg_core::{Function, Output, VERSION, Values, evaluate, functions};

use crate::api::{Handle, Kernel, api};
use crate::layout::{Layout, LogicalType, id};
use crate::output::{self, Results};
use crate::vector::Vector;

/// The function whose presence, and whose answer, tells how the functions got into a database.
const VERSION_FUNCTION: &str = "rankdcg_sql_version";

/// A function under one of its names, as the kernel finds it again.
struct Named {
    name: &'static str,
    function: &'static Function,
}

static NAMED: LazyLock<Vec<Named>> = LazyLock::new(|| {
    let named =
        |function: &'static Function| function.names().iter().map(move |name| Named { name, function });
    functions().iter().flat_map(named).collect()
});

/// Registers every function under every name, and last, so that it vouches for the rest, the version function.
///
/// # Safety
/// `connection` is an open connection.
pub unsafe fn register_all(connection: Handle, route: &'static Route) -> Result<(), String> {
    for named in NAMED.iter() {
        let extra = std::ptr::from_ref(named).cast();
        let overloads = overloads(named.function);
        let result = output::logical_type(named.function);
        // SAFETY: the connection is open, and `Named` is what the kernel expects and lives for ever.
        unsafe { register(connection, named.name, &overloads, &result, metric_kernel, extra)? };
    }
    let extra = std::ptr::from_ref(route).cast();
    // SAFETY: the connection is open, and a `Route` is what the kernel expects and lives for ever.
    unsafe {
        register(
            connection,
            VERSION_FUNCTION,
            &[vec![]],
            &LogicalType::of(id::VARCHAR),
            version_kernel,
            extra,
        )
    }
}

/// The types of arguments under which a function is registered.
fn overloads(function: &Function) -> Vec<Vec<LogicalType>> {
    let optional: &[&[Optional]] = match function.output {
        Output::MetricsAt => &[&[Optional::Ks], &[Optional::Ks, Optional::Options]],
        _ => &[&[], &[Optional::K], &[Optional::Options], &[Optional::K, Optional::Options]],
    };
    let lists = || (0..function.lists()).map(|_| LogicalType::of(id::ANY));
    optional
        .iter()
        .map(|optional| lists().chain(optional.iter().map(Optional::logical_type)).collect())
        .collect()
}

/// An argument after the lists.
enum Optional {
    K,
    Ks,
    Options,
}

impl Optional {
    fn logical_type(&self) -> LogicalType {
        match self {
            Self::K => LogicalType::of(id::BIGINT),
            Self::Ks => LogicalType::list_of(&LogicalType::of(id::BIGINT)),
            Self::Options => LogicalType::of(id::VARCHAR),
        }
    }
}

/// # Safety
/// `connection` is open, and `extra` is what `kernel` expects for as long as the process runs.
unsafe fn register(
    connection: Handle,
    name: &str,
    overloads: &[Vec<LogicalType>],
    result: &LogicalType,
    kernel: Kernel,
    extra: *const c_void,
) -> Result<(), String> {
    let api = api();
    let c_name = CString::new(name).expect("names hold no NUL");
    // SAFETY: every handle is used between its creation and its destruction, and DuckDB copies what it is given.
    let state = unsafe {
        let mut set = (api.create_scalar_function_set)(c_name.as_ptr());
        for overload in overloads {
            let mut function = (api.create_scalar_function)();
            (api.scalar_function_set_name)(function, c_name.as_ptr());
            for parameter in overload {
                (api.scalar_function_add_parameter)(function, parameter.handle());
            }
            (api.scalar_function_set_return_type)(function, result.handle());
            (api.scalar_function_set_special_handling)(function);
            (api.scalar_function_set_extra_info)(function, extra, None);
            (api.scalar_function_set_function)(function, kernel);
            (api.add_scalar_function_to_set)(set, function);
            (api.destroy_scalar_function)(&raw mut function);
        }
        let state = (api.register_scalar_function_set)(connection, set);
        (api.destroy_scalar_function_set)(&raw mut set);
        state
    };
    if state == 0 { Ok(()) } else { Err(format!("rankdcg: the function {name} could not be registered")) }
}

/// How the functions got into a database.
pub struct Route(pub &'static str);

unsafe extern "C" fn metric_kernel(info: Handle, input: Handle, output: Handle) {
    guarded(info, || {
        // SAFETY: DuckDB passes the extra information set at registration, a chunk and a vector of its size.
        unsafe {
            let named = &*(api().scalar_function_get_extra_info)(info).cast::<Named>();
            evaluate_chunk(named, input, output)
        }
    });
}

unsafe extern "C" fn version_kernel(info: Handle, input: Handle, output: Handle) {
    guarded(info, || {
        // SAFETY: as in `metric_kernel`; the text is copied.
        unsafe {
            let Route(route) = &*(api().scalar_function_get_extra_info)(info).cast::<Route>();
            let text = format!("{VERSION}+{route}");
            for row in 0..(api().data_chunk_get_size)(input) {
                (api().vector_assign_string_element_len)(
                    output,
                    row,
                    text.as_ptr().cast(),
                    text.len() as u64,
                );
            }
        }
        Ok(())
    });
}

/// Runs a kernel so that its errors and panics become errors of the query.
fn guarded(info: Handle, kernel: impl FnOnce() -> Result<(), String>) {
    if let Err(message) = rankdcg_core::guarded(kernel) {
        // SAFETY: the information is that of the call under way; DuckDB copies the message.
        unsafe { (api().scalar_function_set_error)(info, message.as_ptr()) };
    }
}

/// # Safety
/// `input` is a chunk of flat vectors, `output` a vector of the function's results with room for as many rows.
unsafe fn evaluate_chunk(named: &Named, input: Handle, output: Handle) -> Result<(), String> {
    let api = api();
    // SAFETY: the chunk and its vectors live as long as the call, and so do the layouts.
    unsafe {
        let rows = usize::try_from((api.data_chunk_get_size)(input)).expect("a chunk fits memory");
        let vector = |column| (api.data_chunk_get_vector)(input, column);
        let columns = 0..(api.data_chunk_get_column_count)(input);
        let layouts: Vec<Layout> = columns.clone().map(|column| Layout::of_vector(vector(column))).collect();
        let columns: Vec<Vector> =
            columns.zip(&layouts).map(|(column, layout)| Vector::new(vector(column), layout, rows)).collect();
        let mut results = Results::new(named.function, output);
        let put = |row: usize, values: Option<Values>| results.put(row, values.as_ref());
        evaluate(named.function, named.name, &columns, rows, put).map_err(|error| error.to_string())?;
        results.finish();
    }
    Ok(())
}
