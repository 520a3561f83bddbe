//! Ranking metrics over plain slices, independent of any engine.
//!
//! An engine describes its argument columns by implementing [`Column`]. [`evaluate`] then reads a ranking from each
//! row: it decides from the types how `rec` and `truth` are laid out, looks up retrieved items among judged ones or
//! sorts items by score ([`ranking`]), and passes the ranking, cut at k as a [`RankingAtK`], to the kernels of the
//! metrics ([`metrics`]). [`aggregate`] does the same for rankings whose rows arrive one by one.
#![forbid(unsafe_code)]

pub mod aggregate;
mod aspects;
mod catalogue;
mod column;
mod documentation;
mod error;
mod evaluate;
mod explain;
mod ffi;
mod fingerprint;
mod item_measures;
mod memory;
pub mod metrics;
mod needs;
mod options;
mod ranking;
mod results;
mod settings;
mod similarities;
pub mod statistics;
mod threads;
mod types;

pub use crate::explain::ExplainedItem;
pub use catalogue::elsewhere::{Elsewhere, SPELLINGS, TO_PLAIN_LETTERS, USUAL_NAMES_OF_REL, elsewhere};
pub use catalogue::error_in_text::error_in;
pub use catalogue::names::find_measure;
pub use catalogue::plan::{Planned, explained, plan};
pub use catalogue::{
    Catalogue, FieldType, Form, FormSpec, Function, Output, ROW_COUNTS, Resolved, ResultType, UserList,
    VERSION, catalogue, functions, lookup, measures_and_lists,
};
pub use column::matching::Matching;
pub use column::{
    Column, Encoded, Fixed, Integers, ItemColumn, Items, Numbers, Validity, float_bits, float_of_bits, hash,
};
pub use error::Error;
pub use evaluate::rank_items::ItemResults;
pub use evaluate::{evaluate, evaluate_items, explain};
pub use ffi::{c_message, catch_panics};
pub use fingerprint::fingerprint;
pub use memory::{Grow, boxed, check_memory, collected, release_reserve};
pub use options::Options;
pub use options::conventions::CONVENTIONS;
pub use options::parse::{OptionValue, Origin};
pub use options::table::options;
pub use ranking::view::RankingAtK;
pub use results::{Nullable, Values};
pub use threads::{share, share_each};
pub use types::{Field, Integer, Type};
