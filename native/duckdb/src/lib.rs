//! The metrics as functions of DuckDB.
//!
//! One binary serves every DuckDB from 1.5 on. It uses only the stable part of the C API, version 1.2.0. It finds the
//! functions of the C API in the struct that `LOAD` passes, or by name in a DuckDB library of this process.
#[cfg(target_endian = "big")]
compile_error!("validity masks are read as bytes, least significant bit first");

mod aggregate;
mod api;
mod chunk;
mod entry;
mod explanations;
mod extra_info;
mod group_pointer;
mod handle;
mod item_results;
mod layout;
mod output;
mod register;
mod scalar;
mod text;
mod vector;
