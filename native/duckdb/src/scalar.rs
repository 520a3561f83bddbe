//! The scalar functions: the kernel behind all of them.

use std::ffi::CString;

use rankdcg_core::aggregate::evaluate_lists;
use rankdcg_core::{Column, Error, Function, Output, Type, VERSION, Values, catch_panics, evaluate};

use crate::api::{Handle, api, throwing};
use crate::output::{Results, write_texts};
use crate::register::Named;
use crate::vector::Vector;

/// How the functions got into a database.
pub struct Route(pub &'static str);

pub unsafe extern "C-unwind" fn metric_kernel(info: Handle, input: Handle, output: Handle) {
    // SAFETY: DuckDB passes the information of the call, a chunk of flat vectors, and a flat vector of the function's
    // results with room for as many rows.
    unsafe {
        let named = named(info);
        let evaluated = named.chunk(input).and_then(|chunk| {
            let function = named.function;
            let (columns, room) = named.guarded(|| {
                let columns = chunk.columns(function)?;
                let room = room(function, &columns, chunk.rows);
                Ok((columns, room))
            })?;
            let mut results = Results::new(function, output, 0, chunk.rows, room);
            catch_panics(|| {
                let put = |row: usize, values: Option<Values>| {
                    results.put(row, values.as_ref());
                };
                evaluate(function, named.name, &columns, chunk.rows, put).map_err(|error| error.to_string())
            })?;
            named.guarded(|| {
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
pub unsafe extern "C-unwind" fn list_kernel(info: Handle, input: Handle, output: Handle) {
    // SAFETY: as in `metric_kernel`.
    unsafe {
        let named = named(info);
        let evaluated = named.chunk(input).and_then(|chunk| {
            let mut room =
                named.guarded(|| room_of_lists(named.function, &chunk.columns(named.function)?))?;
            loop {
                let mut results = Results::new(named.function, output, 0, chunk.rows, room);
                catch_panics(|| {
                    let columns = chunk.columns(named.function);
                    let columns = columns.map_err(|error| error.of(named.name).to_string())?;
                    let Some(lists) = columns.first() else { return Err("rankdcg: no lists".to_owned()) };
                    let put = |row: usize, values: Option<Values>| {
                        results.put(row, values.as_ref());
                    };
                    evaluate_lists(named.function, named.name, lists, put).map_err(|error| error.to_string())
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

pub unsafe extern "C-unwind" fn version_kernel(info: Handle, input: Handle, output: Handle) {
    // SAFETY: as in `metric_kernel`; the extra information is a route, and the vector is of texts.
    unsafe {
        let Route(route) = &*(api().scalar_function_get_extra_info)(info).cast::<Route>();
        write_texts(output, (api().data_chunk_get_size)(input), &format!("{VERSION}+{route}"));
    }
}

/// # Safety
/// `info` is that of a call of a function with a [`Named`].
unsafe fn named(info: Handle) -> &'static Named {
    // SAFETY: the extra information was set at registration, and lives for ever.
    unsafe { &*(api().scalar_function_get_extra_info)(info).cast::<Named>() }
}

/// Tells DuckDB what went wrong, if anything.
///
/// # Safety
/// `info` is that of the call under way; DuckDB may throw.
unsafe fn report(info: Handle, outcome: Result<(), CString>) {
    if let Err(message) = outcome {
        // SAFETY: the caller's promise; DuckDB copies the message.
        unsafe { (throwing().scalar_function_set_error)(info, message.as_ptr()) };
    }
}
