//! The functions under all of their names, and the overloads of each.

use std::ffi::c_void;

use rankdcg_core::aggregate::{Pairs, Rows, Samples};
use rankdcg_core::{Function, Output, Shape, c_message};

use crate::aggregate::{Kernels, metric_kernels, user_kernels};
use crate::api::{Kernel, api, every_row_has_a_state, throwing};
use crate::extra_info::{BOUND_FUNCTIONS, Route};
use crate::handle::Connection;
use crate::layout::{LogicalType, id};
use crate::output;
use crate::scalar::{list_kernel, metric_kernel, version_kernel};

/// The function whose presence, and whose answer, tells how the functions got into a database.
const VERSION_FUNCTION: &str = "rankdcg_sql_version";

/// What the name of an aggregate begins with where it takes lists of its rows.
const OVER_LISTS: &str = "rankdcg_sql_";

/// Registers every function under every name, and last, so that it vouches for the rest, the version function.
///
/// # Safety
/// `connection` is an open connection.
pub unsafe fn register_all(connection: Connection, route: &'static Route) -> Result<(), String> {
    for bound in BOUND_FUNCTIONS.iter() {
        let extra = std::ptr::from_ref(bound).cast();
        if bound.function.shape.is_aggregate() && !every_row_has_a_state() {
            if bound.function.shape != Shape::ByUser {
                let overload = Overload {
                    parameters: vec![LogicalType::of(id::ANY)],
                    result: output::logical_type(bound.function, None),
                };
                let name = format!("{OVER_LISTS}{}", bound.name);
                // SAFETY: the connection is open, and a `BoundFunction` is what the kernel expects and lives for ever.
                unsafe { register_scalar(connection, &name, &[overload], list_kernel, extra)? };
            }
            continue;
        }
        let overloads = overloads(bound.function);
        // SAFETY: the connection is open, and a `BoundFunction` is what the kernels expect and lives for ever.
        unsafe {
            match bound.function.shape {
                Shape::Lists | Shape::Rels | Shape::Scored => {
                    register_scalar(connection, bound.name, &overloads, metric_kernel, extra)?;
                }
                Shape::Agg => {
                    register_aggregate(
                        connection,
                        bound.name,
                        &overloads,
                        &metric_kernels::<Pairs>(),
                        extra,
                    )?;
                }
                Shape::Rows => {
                    register_aggregate(connection, bound.name, &overloads, &metric_kernels::<Rows>(), extra)?;
                }
                Shape::Sample => {
                    register_aggregate(
                        connection,
                        bound.name,
                        &overloads,
                        &metric_kernels::<Samples>(),
                        extra,
                    )?;
                }
                Shape::ByUser => {
                    register_aggregate(connection, bound.name, &overloads, &user_kernels(), extra)?;
                }
            }
        }
    }
    let extra = std::ptr::from_ref(route).cast();
    let overload = Overload { parameters: Vec::new(), result: LogicalType::of(id::VARCHAR) };
    // SAFETY: the connection is open, and a `Route` is what the kernel expects and lives for ever.
    unsafe { register_scalar(connection, VERSION_FUNCTION, &[overload], version_kernel, extra) }
}

/// The types of a function's arguments and of its results.
struct Overload {
    parameters: Vec<LogicalType>,
    result: LogicalType,
}

fn overloads(function: &Function) -> Vec<Overload> {
    let optional: &[&[Optional]] = match function.output {
        Output::MetricsAt => &[&[Optional::Ks], &[Optional::Ks, Optional::Options]],
        _ => &[&[], &[Optional::K], &[Optional::Options], &[Optional::K, Optional::Options]],
    };
    // Users are part of the result, whose type has to be known.
    let users: &[Option<u32>] = match function.shape {
        Shape::ByUser => &[Some(id::BIGINT), Some(id::VARCHAR)],
        _ => &[None],
    };
    let overload = |user: Option<u32>, optional: &[Optional]| {
        let inputs = user.into_iter().chain(std::iter::repeat(id::ANY)).take(function.inputs().len());
        Overload {
            parameters: inputs
                .map(LogicalType::of)
                .chain(optional.iter().map(Optional::logical_type))
                .collect(),
            result: output::logical_type(function, user),
        }
    };
    users.iter().flat_map(|user| optional.iter().map(move |optional| overload(*user, optional))).collect()
}

/// An argument after the inputs.
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
unsafe fn register_scalar(
    connection: Connection,
    name: &str,
    overloads: &[Overload],
    kernel: Kernel,
    extra: *const c_void,
) -> Result<(), String> {
    let (api, throwing) = (api(), throwing());
    let c_name = c_message(name);
    // SAFETY: every handle is used between its creation and its destruction, and DuckDB copies what it is given.
    let state = unsafe {
        let mut set = (throwing.create_scalar_function_set)(c_name.as_ptr());
        for overload in overloads {
            let mut function = (throwing.create_scalar_function)();
            (throwing.scalar_function_set_name)(function, c_name.as_ptr());
            for parameter in &overload.parameters {
                (throwing.scalar_function_add_parameter)(function, parameter.handle());
            }
            (throwing.scalar_function_set_return_type)(function, overload.result.handle());
            (throwing.scalar_function_set_special_handling)(function);
            (throwing.scalar_function_set_extra_info)(function, extra, None);
            (throwing.scalar_function_set_function)(function, kernel);
            (throwing.add_scalar_function_to_set)(set, function);
            (api.destroy_scalar_function)(&raw mut function);
        }
        let state = (throwing.register_scalar_function_set)(connection, set);
        (api.destroy_scalar_function_set)(&raw mut set);
        state
    };
    registered(name, state)
}

/// # Safety
/// `connection` is open, and `extra` is what `kernels` expect for as long as the process runs.
unsafe fn register_aggregate(
    connection: Connection,
    name: &str,
    overloads: &[Overload],
    kernels: &Kernels,
    extra: *const c_void,
) -> Result<(), String> {
    let (api, throwing) = (api(), throwing());
    let c_name = c_message(name);
    let Kernels { size, init, update, combine, finalize, destroy } = *kernels;
    // SAFETY: every handle is used between its creation and its destruction, and DuckDB copies what it is given.
    let state = unsafe {
        let mut set = (throwing.create_aggregate_function_set)(c_name.as_ptr());
        for overload in overloads {
            let mut function = (throwing.create_aggregate_function)();
            (throwing.aggregate_function_set_name)(function, c_name.as_ptr());
            for parameter in &overload.parameters {
                (throwing.aggregate_function_add_parameter)(function, parameter.handle());
            }
            (throwing.aggregate_function_set_return_type)(function, overload.result.handle());
            (throwing.aggregate_function_set_special_handling)(function);
            (throwing.aggregate_function_set_extra_info)(function, extra, None);
            (throwing.aggregate_function_set_functions)(function, size, init, update, combine, finalize);
            (throwing.aggregate_function_set_destructor)(function, destroy);
            (throwing.add_aggregate_function_to_set)(set, function);
            (api.destroy_aggregate_function)(&raw mut function);
        }
        let state = (throwing.register_aggregate_function_set)(connection, set);
        (api.destroy_aggregate_function_set)(&raw mut set);
        state
    };
    registered(name, state)
}

fn registered(name: &str, state: u32) -> Result<(), String> {
    if state == 0 { Ok(()) } else { Err(format!("rankdcg: the function {name} could not be registered")) }
}
