//! The scalar functions: the kernel behind all of them.

use rankdcg_core::aggregate::evaluate_lists;
use rankdcg_core::{VERSION, Values, evaluate};

use crate::api::{Handle, api};
use crate::chunk::Chunk;
use crate::output::Results;
use crate::register::Named;

/// How the functions got into a database.
pub struct Route(pub &'static str);

pub unsafe extern "C" fn metric_kernel(info: Handle, input: Handle, output: Handle) {
    guarded(info, || {
        // SAFETY: DuckDB passes the extra information set at registration, a chunk and a vector of its size.
        unsafe {
            let named = &*(api().scalar_function_get_extra_info)(info).cast::<Named>();
            evaluate_chunk(named, input, output)
        }
    });
}

/// For aggregates over lists of their rows.
pub unsafe extern "C" fn list_kernel(info: Handle, input: Handle, output: Handle) {
    guarded(info, || {
        // SAFETY: as in `metric_kernel`.
        unsafe {
            let named = &*(api().scalar_function_get_extra_info)(info).cast::<Named>();
            let chunk = Chunk::new(input);
            let columns = chunk.columns(named.function);
            let Some(lists) = columns.first() else { return Err("rankdcg: no lists".to_owned()) };
            let mut results = Results::new(named.function, output, chunk.rows);
            let put = |row: usize, values: Option<Values>| results.put(row, values.as_ref());
            evaluate_lists(named.function, named.name, lists, put).map_err(|error| error.to_string())?;
            results.finish();
        }
        Ok(())
    });
}

pub unsafe extern "C" fn version_kernel(info: Handle, input: Handle, output: Handle) {
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
    // SAFETY: the caller's promise.
    unsafe {
        let chunk = Chunk::new(input);
        let mut results = Results::new(named.function, output, chunk.rows);
        let put = |row: usize, values: Option<Values>| results.put(row, values.as_ref());
        evaluate(named.function, named.name, &chunk.columns(named.function), chunk.rows, put)
            .map_err(|error| error.to_string())?;
        results.finish();
    }
    Ok(())
}
