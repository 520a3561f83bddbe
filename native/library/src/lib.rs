//! The one shared library: the C symbols of every engine crate, and nothing else.
//!
//! It has no symbol that needs Python, so that any program can open it.
pub use rankdcg_duckdb as duckdb;
pub use rankdcg_polars as polars;
pub use rankdcg_python as python;
