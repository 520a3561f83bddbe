//! Arrays of the Arrow C data interface, checked before they are read.
//!
//! A struct of the interface is a promise of its producer, and arrow-rs takes it at its word: it reads an offset that
//! lies outside the array, and panics or overflows the stack on others. Everything that shows in the structs
//! themselves is checked here. Two things do not show: how much memory lies behind a pointer, and whether a pointer
//! is one.
//!
//! What the values of an array say about other values, such as where the lists of a column begin and end, is checked
//! where they are read.

mod array;
mod schema;

pub use array::{fitted, import};
pub use schema::data_type;
