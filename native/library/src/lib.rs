//! The shared library: the C symbols of every engine crate, and the allocator.
//!
//! No symbol needs Python, so any program can open the library.
mod allocator;

pub use rankdcg_duckdb as duckdb;
pub use rankdcg_polars as polars;
pub use rankdcg_python as python;
