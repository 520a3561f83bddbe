//! The scalar functions: the kernel behind all of them.

use rankdcg_core::aggregate::evaluate_lists;
use rankdcg_core::{Error, VERSION, c_message, evaluate, guarded};

use crate::api::{Handle, api, throwing};
use crate::chunk::Chunk;
use crate::output::{Results, write_texts};
use crate::register::Named;
use crate::vector::Vector;

/// How the functions got into a database.
pub struct Route(pub &'static str);

pub unsafe extern "C-unwind" fn metric_kernel(info: Handle, input: Handle, output: Handle) {
    let evaluate = |named: &Named, columns: &[Vector], rows: usize, results: &mut Results| {
        evaluate(named.function, named.name, columns, rows, |_, values| results.put(values.as_ref()))
    };
    // SAFETY: DuckDB passes the information of the call, a chunk and a vector of its size.
    unsafe { run(info, input, output, evaluate) };
}

/// For aggregates over lists of their rows.
pub unsafe extern "C-unwind" fn list_kernel(info: Handle, input: Handle, output: Handle) {
    let evaluate = |named: &Named, columns: &[Vector], _: usize, results: &mut Results| {
        let Some(lists) = columns.first() else { return Err(Error::new("rankdcg: no lists")) };
        evaluate_lists(named.function, named.name, lists, |_, values| results.put(values.as_ref()))
    };
    // SAFETY: as in `metric_kernel`.
    unsafe { run(info, input, output, evaluate) };
}

pub unsafe extern "C-unwind" fn version_kernel(info: Handle, input: Handle, output: Handle) {
    // SAFETY: as in `metric_kernel`; the extra information is a route, and the vector is of texts.
    unsafe {
        let Route(route) = &*(api().scalar_function_get_extra_info)(info).cast::<Route>();
        write_texts(output, (api().data_chunk_get_size)(input), &format!("{VERSION}+{route}"));
    }
}

/// Runs a kernel so that its errors and panics become errors of the query. What DuckDB may throw passes.
///
/// # Safety
/// `info` is that of a function with a [`Named`], `input` a chunk of flat vectors, `output` a flat vector of the
/// function's results with room for as many rows.
unsafe fn run(
    info: Handle,
    input: Handle,
    output: Handle,
    evaluate: impl FnOnce(&Named, &[Vector], usize, &mut Results) -> Result<(), Error>,
) {
    // SAFETY: the caller's promise; DuckDB copies the message.
    unsafe {
        let named = &*(api().scalar_function_get_extra_info)(info).cast::<Named>();
        let mut results = Results::new(named.function);
        let evaluated = Chunk::new(input).map_err(|error| c_message(&error.of(named.name).to_string()));
        let evaluated = evaluated.and_then(|chunk| {
            guarded(|| {
                evaluate(named, &chunk.columns(named.function), chunk.rows, &mut results)
                    .and_then(|()| results.check().map_err(|error| error.of(named.name)))
                    .map_err(|error| error.to_string())
            })
        });
        match evaluated {
            Ok(()) => {
                results.write(output, 0);
            }
            Err(message) => (throwing().scalar_function_set_error)(info, message.as_ptr()),
        }
    }
}
