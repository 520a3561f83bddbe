//! Arrow arrays as the core's columns. A call takes arrays, and returns an array of results.
#![forbid(unsafe_code)]

mod column;
mod find_function;
mod ids;
mod k_of_groups;
mod kind;
mod output;
mod users;

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, UInt64Array};
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

/// The fingerprint of the rows of these columns, of equal length: its lower 64 bits, then its upper ones.
pub fn fingerprint(columns: &[ArrayRef]) -> Result<ArrayRef, Error> {
    let name = "fingerprint";
    let find = || {
        let read = columns.iter().map(ArrowColumn::new).collect::<Result<Vec<_>, _>>()?;
        let rows = columns.first().map_or(0, Array::len);
        if let Some(other) = columns.iter().map(Array::len).find(|length| *length != rows) {
            return Err(Error::new(format!("columns must be of equal length, got {rows} and {other}")));
        }
        let sum = checked(name, || rankdcg_core::fingerprint(&read, rows))?;
        let bytes = sum.to_le_bytes();
        let (halves, _) = bytes.as_chunks();
        let array: ArrayRef =
            Arc::new(UInt64Array::from_iter_values(halves.iter().map(|half| u64::from_le_bytes(*half))));
        Ok(array)
    };
    find().map_err(|error: Error| error.of(name))
}

/// The type of a function's results.
pub fn output(function: &str) -> Result<DataType, Error> {
    find(function).map(output::data_type)
}

#[cfg(test)]
mod tests;
