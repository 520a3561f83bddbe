//! An expression plugin for Polars, without any crate of Polars.
//!
//! Polars calls a plugin through a few C symbols, and passes columns by the Arrow C data interface. Both have been the
//! same since Polars 1.0, so one library serves every version. A plugin that uses the crates of Polars would need the
//! same version of them as Polars itself.

mod abi;
mod format;
mod pickle;
mod plugin;
mod segments;
mod sessions;

pub use plugin::{
    _polars_plugin_by_user, _polars_plugin_evaluate, _polars_plugin_evaluate_session,
    _polars_plugin_field_by_user, _polars_plugin_field_evaluate, _polars_plugin_field_evaluate_session,
    _polars_plugin_field_read_rows, _polars_plugin_get_last_error_message, _polars_plugin_get_version,
    _polars_plugin_read_rows, rankdcg_polars_calls, rankdcg_polars_close, rankdcg_polars_open,
};
