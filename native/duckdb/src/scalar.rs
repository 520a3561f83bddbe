//! The scalar functions: the kernel behind all of them.

use std::ffi::CString;

use rankdcg_core::aggregate::evaluate_lists;
use rankdcg_core::{Column, Error, Function, Output, Type, VERSION, Values, evaluate, guarded};

use crate::api::{api, throwing};
use crate::extra_info::{BoundFunction, Route};
use crate::handle::{self, DataChunk, FunctionInfo};
use crate::output::{Results, write_texts};
use crate::vector::Vector;

pub unsafe extern "C-unwind" fn metric_kernel(info: FunctionInfo, input: DataChunk, output: handle::Vector) {
    // SAFETY: DuckDB passes the information of the call, a chunk of flat vectors, and a flat vector of the function's
    // results with room for as many rows.
    unsafe {
        let bound = bound_function(info);
        let evaluated = bound.chunk(input).and_then(|chunk| {
            let function = bound.function;
            let (columns, room) = bound.catch_panics(|| {
                let columns = chunk.columns(function)?;
                let room = room(function, &columns, chunk.rows);
                Ok((columns, room))
            })?;
            let mut results = Results::new(function, output, 0, chunk.rows, room);
            guarded(|| {
                let put = |row: usize, values: Option<Values>| {
                    results.put(row, values.as_ref());
                };
                evaluate(function, bound.name, &columns, chunk.rows, put).map_err(|error| error.to_string())
            })?;
            bound.catch_panics(|| {
                if results.lacking() == 0 { Ok(()) } else { Err(Error::new("internal error: no room")) }
            })?;
            results.finish();
            Ok(())
        });
        report(info, evaluated);
    }
}

/// How many results there will be.
fn room(function: &Function, columns: &[Vector], rows: usize) -> usize {
    let ks = columns.get(function.inputs().len()).filter(|_| function.output == Output::MetricsAt);
    match ks {
        Some(ks) if ks.len() == 1 => ks.span(0).unwrap_or_default().len().saturating_mul(rows),
        Some(ks) => (0..rows).filter_map(|row| ks.span(row)).map(|span| span.len()).sum(),
        None => rows,
    }
}

/// How many results there will be of lists of rows if all have the k of the first row.
fn room_of_lists(function: &Function, columns: &[Vector]) -> Result<usize, Error> {
    let (Output::MetricsAt, Some(lists)) = (function.output, columns.first()) else { return Ok(0) };
    let (rows, ks) = (lists.elements()?, function.inputs().len());
    match rows.kind() {
        Type::Struct(fields) if ks < fields.len() && rows.len() > 0 => {
            Ok(rows.field(ks)?.span(0).unwrap_or_default().len().saturating_mul(lists.len()))
        }
        _ => Ok(0),
    }
}

/// For aggregates over lists of their rows.
pub unsafe extern "C-unwind" fn list_kernel(info: FunctionInfo, input: DataChunk, output: handle::Vector) {
    // SAFETY: as in `metric_kernel`.
    unsafe {
        let bound = bound_function(info);
        let evaluated = bound.chunk(input).and_then(|chunk| {
            let mut room =
                bound.catch_panics(|| room_of_lists(bound.function, &chunk.columns(bound.function)?))?;
            loop {
                let mut results = Results::new(bound.function, output, 0, chunk.rows, room);
                guarded(|| {
                    let columns = chunk.columns(bound.function);
                    let columns = columns.map_err(|error| error.of(bound.name).to_string())?;
                    let Some(lists) = columns.first() else { return Err("rankdcg: no lists".to_owned()) };
                    let put = |row: usize, values: Option<Values>| {
                        results.put(row, values.as_ref());
                    };
                    evaluate_lists(bound.function, bound.name, lists, put).map_err(|error| error.to_string())
                })?;
                if results.lacking() == 0 {
                    results.finish();
                    return Ok(());
                }
                room = results.needed();
            }
        });
        report(info, evaluated);
    }
}

pub unsafe extern "C-unwind" fn version_kernel(info: FunctionInfo, input: DataChunk, output: handle::Vector) {
    // SAFETY: as in `metric_kernel`; the extra information is a route, and the vector is of texts.
    unsafe {
        let route = &*(api().scalar_function_get_extra_info)(info).cast::<Route>();
        write_texts(output, (api().data_chunk_get_size)(input), &format!("{VERSION}+{}", route.name));
    }
}

/// # Safety
/// `info` is that of a call of a function with a [`BoundFunction`].
unsafe fn bound_function(info: FunctionInfo) -> &'static BoundFunction {
    // SAFETY: the extra information was set at registration, and lives for ever.
    unsafe { &*(api().scalar_function_get_extra_info)(info).cast::<BoundFunction>() }
}

/// Tells DuckDB what went wrong, if anything.
///
/// # Safety
/// `info` is that of the call under way; DuckDB may throw.
unsafe fn report(info: FunctionInfo, outcome: Result<(), CString>) {
    if let Err(message) = outcome {
        // SAFETY: the caller's promise; DuckDB copies the message.
        unsafe { (throwing().scalar_function_set_error)(info, message.as_ptr()) };
    }
}
