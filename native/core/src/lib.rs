//! Ranking metrics over plain slices.
//!
//! This crate knows no engine. An engine describes its argument columns by implementing [`Column`], and
//! [`evaluate`] does the rest: it decides from the types what `rec` and `truth` are ([`forms`]), meets the
//! two item by item ([`judge`]), and hands the resulting [`Ranking`] to the metric's kernel ([`metrics`]).
#![forbid(unsafe_code)]

pub mod aggregate;
mod boundary;
mod call;
mod catalogue;
mod choices;
mod column;
mod conventions;
mod discount;
mod error;
mod evaluate;
mod forms;
mod gain;
mod grow;
mod judge;
mod matching;
pub mod metrics;
mod needs;
mod nested;
mod options;
mod order;
mod ranking;
mod scored;
mod settings;
mod source;
pub mod statistics;
mod ties;
mod types;
mod values;

pub use boundary::{c_message, guarded};
pub use catalogue::{Catalogue, Function, Output, Shape, catalogue, functions, lookup};
pub use column::{Column, Encoded, Fixed, Integers, ItemColumn, Items, Numbers, Validity, float_bits, hash};
pub use error::Error;
pub use evaluate::evaluate;
pub use grow::{boxed, check_memory, collected};
pub use matching::Matching;
pub use options::{Options, options};
pub use ranking::Ranking;
pub use types::{Field, Integer, Type};
pub use values::{Nullable, Values};

/// The version of the library, which every engine reports.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
