//! Ranking metrics over plain slices.
//!
//! This crate knows no engine. An engine describes its argument columns by implementing [`Column`], and
//! [`evaluate`] does the rest: it decides from the types what `rec` and `truth` are, looks up the items of one among
//! those of the other ([`ranking`]), and hands the resulting [`RankingAtK`] to the metric's kernel ([`metrics`]).
#![forbid(unsafe_code)]

pub mod aggregate;
mod catalogue;
mod column;
mod error;
mod evaluate;
mod ffi;
mod memory;
pub mod metrics;
mod needs;
mod options;
mod ranking;
mod settings;
pub mod statistics;
mod types;
mod values;

pub use catalogue::{
    Catalogue, FieldType, Form, Function, Output, ResultType, VERSION, catalogue, functions, lookup,
};
pub use column::matching::Matching;
pub use column::{Column, Encoded, Fixed, Integers, ItemColumn, Items, Numbers, Validity, float_bits, hash};
pub use error::Error;
pub use evaluate::evaluate;
pub use ffi::{c_message, catch_panics};
pub use memory::{Grow, boxed, check_memory, collected};
pub use options::Options;
pub use options::table::options;
pub use ranking::view::RankingAtK;
pub use types::{Field, Integer, Type};
pub use values::{Nullable, Values};
