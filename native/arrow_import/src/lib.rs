//! Reads arrays of the Arrow C data interface, and checks them first.
//!
//! arrow-rs trusts the structs of the interface. If they are malformed, it reads outside of buffers, panics, or
//! overflows the stack. This crate checks everything that the structs themselves show. They do not show whether a
//! pointer is valid, nor how much memory it points to.
//!
//! Values that refer to other values, such as the offsets of lists, are checked by the crate that reads them.

mod array;
mod schema;

pub use array::{Array, checked_array, import};
pub use schema::{Schema, data_type};
