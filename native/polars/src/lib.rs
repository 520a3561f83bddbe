//! An expression plugin for Polars, without any crate of Polars.
//!
//! Polars calls a plugin through a few C symbols, and passes columns by the Arrow C data interface. Both have been the
//! same since Polars 1.0, so one library serves every version. A plugin that uses the crates of Polars would need the
//! same version of them as Polars itself.

mod abi;
mod chunks;
mod format;
mod pickle;
mod plugin;
mod sessions;

pub use plugin::*;
