//! The shared library: the C symbols of every engine crate, and nothing else.
//!
//! No symbol needs Python, so any program can open the library.
pub use rankdcg_duckdb as duckdb;
pub use rankdcg_polars as polars;
pub use rankdcg_python as python;
