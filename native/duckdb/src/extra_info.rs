//! The extra information of functions: what registration gives DuckDB with a function, and what its kernels get back.

use std::ffi::CString;
use std::sync::LazyLock;

use rankdcg_core::{Error, Form, Function, c_message, catch_panics, functions, measures_and_lists};

use crate::chunk::Chunk;
use crate::handle::DataChunk;

/// A function bound to one of its names: the extra information of every function but the version function.
pub struct BoundFunction {
    /// The name with which its errors begin.
    pub name: &'static str,
    /// The function itself, as the catalogue describes it.
    pub function: &'static Function,
    /// Whether it returns the values of each measure of items in a list of their own, as SQL of this project reads them.
    pub by_measure: bool,
}

impl BoundFunction {
    /// The name under which it is registered.
    pub fn registered_name(&self) -> &'static str {
        if self.by_measure { "rankdcg_sql_items_by_measure" } else { self.name }
    }

    /// The arguments of a call; or the message of an error, which begins with the function's name.
    ///
    /// # Safety
    /// `input` is a live chunk of flat vectors; DuckDB may throw.
    pub unsafe fn chunk(&self, input: DataChunk) -> Result<Chunk, CString> {
        // SAFETY: the caller's promise.
        unsafe { Chunk::new(input) }.map_err(|error| c_message(error.of(self.name)))
    }

    /// Runs `run`, and makes a message of its error, which begins with the function's name, or of its panic. Within
    /// `run`, DuckDB must not throw: its exception would end the process.
    pub fn catch_panics<T>(&self, run: impl FnOnce() -> Result<T, Error>) -> Result<T, CString> {
        catch_panics(|| run().map_err(|error| error.of(self.name))).map_err(c_message)
    }
}

/// Every function of the catalogue, once for each of its names, and those that only SQL of this project calls.
pub static BOUND_FUNCTIONS: LazyLock<Vec<BoundFunction>> = LazyLock::new(|| {
    let bind = |by_measure| {
        move |function: &'static Function| {
            function.names().iter().map(move |name| BoundFunction { name, function, by_measure })
        }
    };
    let of_items = functions().iter().filter(|function| function.form == Form::Items);
    let all = functions().iter().chain(measures_and_lists()).flat_map(bind(false));
    all.chain(of_items.flat_map(bind(true))).collect()
});

/// The way by which the functions got into a database: the extra information of the version function.
pub struct Route {
    /// The word for it in the answer of the version function.
    pub name: &'static str,
}
