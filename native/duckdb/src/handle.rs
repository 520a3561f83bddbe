//! The handles of DuckDB's C API, a type for each kind, so that the compiler refuses a vector where a logical type is
//! wanted.
//!
//! A handle is the pointer that DuckDB passes, and has its layout. To copy one neither shares nor ends what it stands
//! for: that is up to the owner whom the C API names.

use std::ffi::c_void;
use std::ptr::null_mut;

/// Declares types of handles.
macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident)+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy)]
            #[repr(transparent)]
            pub struct $name(*mut c_void);
        )+
    };
}

handles! {
    /// `duckdb_database`
    Database
    /// `duckdb_connection`
    Connection
    /// `duckdb_extension_info`: stands for the extension while it loads.
    ExtensionInfo
    /// `duckdb_function_info`: stands for the call of a function while it runs.
    FunctionInfo
    /// `duckdb_logical_type`
    LogicalType
    /// `duckdb_data_chunk`
    DataChunk
    /// `duckdb_vector`
    Vector
    /// `duckdb_value`
    Value
    /// `duckdb_scalar_function`
    ScalarFunction
    /// `duckdb_scalar_function_set`
    ScalarFunctionSet
    /// `duckdb_aggregate_function`
    AggregateFunction
    /// `duckdb_aggregate_function_set`
    AggregateFunctionSet
    /// `duckdb_aggregate_state`: points to the memory that DuckDB keeps for one group.
    AggregateState
}

impl Connection {
    /// No connection yet: the place that `duckdb_connect` fills.
    pub const NULL: Self = Self(null_mut());
}

impl Vector {
    /// No vector.
    #[cfg(test)]
    pub const NULL: Self = Self(null_mut());

    /// The kind of a flat vector, which has a value for each row.
    pub const FLAT: u8 = 0;
    /// The kind of a constant vector, whose one value stands for all rows.
    pub const CONSTANT: u8 = 2;

    /// The vector that is the object at an address.
    #[cfg(test)]
    pub fn at<T>(object: *mut T) -> Self {
        Self(object.cast())
    }

    /// The kind of the vector.
    ///
    /// # Safety
    /// The vector is live, and its object begins with its kind, as in every DuckDB 1 that `LOAD` accepts.
    pub unsafe fn kind(self) -> u8 {
        // SAFETY: the caller's promise.
        unsafe { self.0.cast::<u8>().read() }
    }
}

impl AggregateState {
    /// The memory of the state as that of a `T`. It need not be aligned for one.
    pub fn memory<T>(self) -> *mut T {
        self.0.cast()
    }

    /// The address of the memory, which no other state has.
    pub fn address(self) -> usize {
        self.0.addr()
    }
}
