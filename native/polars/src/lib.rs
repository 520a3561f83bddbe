//! An expression plugin for Polars, without any crate of Polars.
//!
//! Polars calls plugins through a few C symbols and hands them columns by the Arrow C data interface. Both have
//! stayed the same since Polars 1.0, so that one library serves every version; a plugin built with Polars' own
//! crates would be tied to theirs.

mod abi;
mod format;
mod pickle;
mod plugin;
mod segments;

pub use plugin::{
    _polars_plugin_evaluate, _polars_plugin_field_evaluate, _polars_plugin_get_last_error_message,
    _polars_plugin_get_version, rankdcg_polars_calls,
};
