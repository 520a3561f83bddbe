//! Registers the functions under all of their names, each with its overloads.

use std::ffi::c_void;
use std::ptr::null;

use rankdcg_core::aggregate::{GroupEvaluator, RankedItems, Rows, Users, WithState, with_state};
use rankdcg_core::{Form, Output, c_message};
use rankdcg_table_macros::{ANSWERS, PREFIX};

use crate::aggregate::{
    Kernels, finalize, finalize_explanations, finalize_explanations_of_users, finalize_items, finalize_users,
    init, kernels, size,
};
use crate::api::{Kernel, api, every_row_has_a_state, throwing};
use crate::extra_info::{BOUND_FUNCTIONS, BoundFunction, Route};
use crate::handle::Connection;
use crate::layout::{ITEMS, LogicalType, id};
use crate::output;
use crate::scalar::{
    answer_kernel, explanation_kernel, items_by_measure_kernel, list_kernel, macros_kernel, metric_kernel,
    version_kernel,
};

/// The version function. Its presence tells that a database has the functions; its answer tells how they got there.
const VERSION_FUNCTION: &str = "rankdcg_sql_version";

/// The function that gives the SQL of table macros.
const MACROS_FUNCTION: &str = "rank_macros";

/// Registers every function under every name. The version function comes last: where it is, the others are.
///
/// # Safety
/// `connection` is an open connection.
pub unsafe fn register_all(connection: Connection, route: &'static Route) -> Result<(), String> {
    for bound in BOUND_FUNCTIONS.iter() {
        let extra = std::ptr::from_ref(bound).cast();
        let (function, name) = (bound.function, bound.registered_name());
        if function.form.spec().is_aggregate && !every_row_has_a_state() {
            // A function of lists of rows stands in. Its result has a fixed type, which cannot be that of an argument.
            if !function.result().has_argument_type() {
                let overload = Overload {
                    parameters: vec![LogicalType::of(id::ANY)],
                    result: output::logical_type(function, &[]),
                };
                let name = format!("{PREFIX}{name}");
                // SAFETY: the connection is open. The kernel expects a `BoundFunction`, which is static.
                unsafe { register_scalar(connection, &name, &[overload], list_kernel, extra)? };
            }
            continue;
        }
        let overloads = overloads(bound);
        // `with_state` is `None` if the function is no aggregate.
        let kernels = match (function.form, function.output) {
            (Form::ByUser, Output::Explanation) => Some(kernels::<Users>(finalize_explanations_of_users)),
            (Form::Rows, Output::Explanation) => Some(kernels::<Rows>(finalize_explanations)),
            (Form::ByUser, _) => Some(kernels::<Users>(finalize_users)),
            (Form::Rec, _) => Some(kernels::<RankedItems>(finalize_items)),
            (form, _) => with_state(form, MetricKernels),
        };
        let kernel = match function.output {
            Output::Explanation => explanation_kernel,
            Output::Measures if bound.by_measure => items_by_measure_kernel,
            _ => metric_kernel,
        };
        // SAFETY: the connection is open. The kernels expect a `BoundFunction`, which is static.
        unsafe {
            match kernels {
                Some(kernels) => register_aggregate(connection, name, &overloads, &kernels, extra)?,
                None => register_scalar(connection, name, &overloads, kernel, extra)?,
            }
        }
    }
    let extra = std::ptr::from_ref(route).cast();
    let text = || [Overload { parameters: Vec::new(), result: LogicalType::of(id::VARCHAR) }];
    let varchar = || LogicalType::of(id::VARCHAR);
    let list_of = |kind| LogicalType::list_of(&LogicalType::of(kind));
    for answer in ANSWERS {
        let parameters = vec![varchar(), list_of(id::VARCHAR), list_of(id::BIGINT), varchar(), varchar()];
        let overload = [Overload { parameters, result: varchar() }];
        // SAFETY: the connection is open. The kernel expects one of `ANSWERS`, which are static.
        unsafe {
            register_scalar(
                connection,
                answer.0,
                &overload,
                answer_kernel,
                std::ptr::from_ref(answer).cast(),
            )?;
        }
    }
    // SAFETY: the connection is open. The second kernel expects a `Route`, which is static, and the first one nothing.
    unsafe {
        register_scalar(connection, MACROS_FUNCTION, &text(), macros_kernel, null())?;
        register_scalar(connection, VERSION_FUNCTION, &text(), version_kernel, extra)
    }
}

/// The kernels of an aggregate whose groups give one result each.
struct MetricKernels;

impl WithState for MetricKernels {
    type Output = Kernels;

    /// The kernels for groups of the type `G`.
    fn run<G: GroupEvaluator>(self) -> Kernels {
        kernels::<G>(finalize::<G>)
    }
}

/// One of the signatures of a function.
struct Overload {
    parameters: Vec<LogicalType>,
    result: LogicalType,
}

/// Every signature of a function: each choice of optional arguments with each type of users or of items.
fn overloads(bound: &BoundFunction) -> Vec<Overload> {
    let function = bound.function;
    let k: fn() -> LogicalType = || LogicalType::of(id::BIGINT);
    let ks: fn() -> LogicalType = || LogicalType::list_of(&LogicalType::of(id::BIGINT));
    // Options and measures are texts.
    let options: fn() -> LogicalType = || LogicalType::of(id::VARCHAR);
    let choices = match function.output {
        Output::MetricsAt => vec![vec![ks], vec![ks, options]],
        Output::Measures => vec![vec![options], vec![options, options]],
        _ => vec![vec![], vec![k], vec![options], vec![k, options]],
    };
    // A result that contains users or items must have a fixed type, so there is an overload for each of their types. One
    // for ANY (`[]`) takes all other items of lists of items: its call is an error once it reads a row.
    let ids = [id::BIGINT, id::VARCHAR];
    let first_types: Vec<Vec<u32>> = match (function.form, function.output) {
        (Form::ByUser, _)
            if function.output == Output::Explanation || !function.lists_of_users.is_empty() =>
        {
            ids.iter().flat_map(|user| ids.map(|item| vec![*user, item])).collect()
        }
        (Form::ByUser, _) | (Form::Rows, Output::Explanation) => ids.map(|id| vec![id]).to_vec(),
        (Form::Rec, _) => ITEMS.iter().map(|(item, ..)| vec![*item]).chain([Vec::new()]).collect(),
        _ => vec![Vec::new()],
    };
    let overload = |first: &[u32], optional: &[fn() -> LogicalType]| {
        let first_inputs = first.iter().copied();
        let inputs = first_inputs.chain(std::iter::repeat(id::ANY)).take(function.inputs().len());
        let result = output::logical_type(function, first);
        Overload {
            parameters: inputs.map(LogicalType::of).chain(optional.iter().map(|make| make())).collect(),
            result: if bound.by_measure { LogicalType::list_of(&result) } else { result },
        }
    };
    first_types.iter().flat_map(|first| choices.iter().map(move |choice| overload(first, choice))).collect()
}

/// Registers a scalar function with its overloads. It is called on NULLs, too: that is the special handling.
///
/// # Safety
/// `connection` is open. `extra` points to what `kernel` expects, and lives as long as the process.
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
    check_registered(name, state)
}

/// Registers an aggregate function with its overloads. It is called on NULLs, too: that is the special handling.
///
/// # Safety
/// `connection` is open. `extra` points to what `kernels` expect, and lives as long as the process.
unsafe fn register_aggregate(
    connection: Connection,
    name: &str,
    overloads: &[Overload],
    kernels: &Kernels,
    extra: *const c_void,
) -> Result<(), String> {
    let (api, throwing) = (api(), throwing());
    let c_name = c_message(name);
    let Kernels { update, combine, finalize, destroy } = *kernels;
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
    check_registered(name, state)
}

/// An error unless `state` is that of success.
fn check_registered(name: &str, state: u32) -> Result<(), String> {
    if state == 0 { Ok(()) } else { Err(format!("rankdcg: the function {name} could not be registered")) }
}
