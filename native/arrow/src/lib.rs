//! Arrow arrays as the core's columns: one array in, one array of DOUBLE out.
#![forbid(unsafe_code)]

mod column;
mod kind;

use arrow_array::builder::Float64Builder;
use arrow_array::{Array, ArrayRef, Float64Array};
use rankdcg_core::{Error, lookup};

use crate::column::ArrowColumn;
pub use crate::kind::{INT128, UINT128};

/// Evaluates the function called `name` on its arguments, arrays of equal length.
pub fn call(name: &str, arguments: &[ArrayRef]) -> Result<Float64Array, Error> {
    let function = lookup(name).ok_or_else(|| Error::new(format!("there is no function {name}")))?;
    let rows = arguments.first().map_or(0, Array::len);
    let columns: Result<Vec<_>, Error> = arguments.iter().map(ArrowColumn::new).collect();
    let columns = columns.map_err(|error| error.of(name))?;
    let mut values = Float64Builder::with_capacity(rows);
    rankdcg_core::evaluate(function, name, &columns, rows, |_, value| values.append_option(value))?;
    Ok(values.finish())
}
