//! Arrow arrays as the core's columns. A call takes arrays, and returns an array of results.
#![forbid(unsafe_code)]

mod column;
mod find_function;
mod ids;
mod k_of_groups;
mod kind;
mod output;
mod threads;
mod users;

use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use rankdcg_core::aggregate::evaluate_lists;
use rankdcg_core::{Column, Error, Output, evaluate, explain};

use crate::column::{ArrowColumn, checked};
pub use crate::find_function::find;
pub use crate::k_of_groups::k_of_groups;
pub use crate::kind::{INT128, UINT128};
use crate::output::Results;
pub use crate::users::{AllUsers, Segment, users_type};

/// Evaluates the function called `name` in each of `rows` rows. An argument has a value for each row, or one for all.
pub fn call(name: &str, arguments: &[ArrayRef], rows: usize) -> Result<ArrayRef, Error> {
    let function = find(name)?;
    if let Some(other) = arguments.iter().map(Array::len).find(|length| *length != rows && *length != 1) {
        let text = format!("arguments must be of equal length, got {rows} and {other}");
        return Err(Error::new(text).of(name));
    }
    let call = || {
        let columns = arguments.iter().map(ArrowColumn::new).collect::<Result<Vec<_>, _>>()?;
        let mut results = Results::new(function, rows)?;
        checked(name, || match function.output {
            Output::Explanation => {
                explain(function, name, &columns, rows, |_row, items| results.push_items(items))
            }
            _ => evaluate(function, name, &columns, rows, |_row, values| results.push(values.as_ref())),
        })?;
        results.finish()
    };
    call().map_err(|error| error.of(name))
}

/// Evaluates the aggregate called `name` on lists. A list is a group, and has a struct of the arguments for each of its
/// rows.
pub fn call_lists(name: &str, lists: &ArrayRef) -> Result<ArrayRef, Error> {
    let function = find(name)?;
    let lists = ArrowColumn::new(lists).map_err(|error| error.of(name))?;
    let mut results = Results::new(function, lists.len()).map_err(|error| error.of(name))?;
    checked(name, || evaluate_lists(function, name, &lists, |_list, values| results.push(values.as_ref())))?;
    results.finish().map_err(|error| error.of(name))
}

/// The type of a function's results.
pub fn output(function: &str) -> Result<DataType, Error> {
    find(function).map(output::data_type)
}

#[cfg(test)]
mod tests;
