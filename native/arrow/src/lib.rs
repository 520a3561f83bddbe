//! Arrow arrays as the core's columns: arrays in, one array of results out.
#![forbid(unsafe_code)]

mod column;
mod groups;
mod kind;
mod output;

use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use rankdcg_core::aggregate::evaluate_lists;
use rankdcg_core::{Column, Error, Function, evaluate, lookup};

use crate::column::ArrowColumn;
pub use crate::groups::k_of_groups;
pub use crate::kind::{INT128, UINT128};
use crate::output::Results;

/// Evaluates the function called `name` on its arguments, arrays of `rows` values each or of one that stands for all rows.
pub fn call(name: &str, arguments: &[ArrayRef], rows: usize) -> Result<ArrayRef, Error> {
    let function = find(name)?;
    if let Some(other) = arguments.iter().map(Array::len).find(|length| *length != rows && *length != 1) {
        let sentence = format!("arguments must be of equal length, got {rows} and {other}");
        return Err(Error::new(sentence).of(name));
    }
    let columns: Result<Vec<_>, Error> = arguments.iter().map(ArrowColumn::new).collect();
    let columns = columns.map_err(|error| error.of(name))?;
    let mut results = Results::new(function, rows).map_err(|error| error.of(name))?;
    evaluate(function, name, &columns, rows, |_, values| results.push(values.as_ref()))?;
    Ok(results.finish())
}

/// Evaluates the aggregate called `name` on lists, which have a struct of its arguments for each row of a group.
pub fn call_lists(name: &str, lists: &ArrayRef) -> Result<ArrayRef, Error> {
    let function = find(name)?;
    let lists = ArrowColumn::new(lists).map_err(|error| error.of(name))?;
    let mut results = Results::new(function, lists.len()).map_err(|error| error.of(name))?;
    evaluate_lists(function, name, &lists, |_, values| results.push(values.as_ref()))?;
    Ok(results.finish())
}

/// The type of a function's results.
pub fn output(function: &str) -> Result<DataType, Error> {
    find(function).map(output::data_type)
}

fn find(function: &str) -> Result<&'static Function, Error> {
    lookup(function).ok_or_else(|| Error::new(format!("there is no function {function}")))
}
