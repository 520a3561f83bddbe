//! The functions of DuckDB's C API that are used here, and where they are found.

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;

use libloading::Library;

use crate::handle::{
    AggregateFunction, AggregateFunctionSet, AggregateState, Connection, DataChunk, Database, FunctionInfo,
    LogicalType, ScalarFunction, ScalarFunctionSet, Value, Vector,
};

/// The version of the C API that is asked for, and that the extension's footer names.
pub const API_VERSION: &CStr = c"v1.2.0";

/// The version of the C API from which on it can make constant vectors. DuckDB has it from v1.5.6 on.
pub const VECTOR_API_VERSION: &CStr = c"v1.5.6";

// The types of our functions that DuckDB calls. "C-unwind" lets exceptions pass that DuckDB throws within them.

/// The kernel of a scalar function: reads a chunk of arguments, and writes a vector of results.
pub type Kernel = unsafe extern "C-unwind" fn(info: FunctionInfo, input: DataChunk, output: Vector);

/// The size of a state in bytes.
pub type StateSize = unsafe extern "C" fn(info: FunctionInfo) -> u64;
/// Begins a group.
pub type Init = unsafe extern "C" fn(info: FunctionInfo, state: AggregateState);
/// Reads a chunk of arguments, each row into its state.
pub type Update =
    unsafe extern "C-unwind" fn(info: FunctionInfo, input: DataChunk, states: *mut AggregateState);
/// Merges each source into its target.
pub type Combine = unsafe extern "C-unwind" fn(
    info: FunctionInfo,
    sources: *mut AggregateState,
    targets: *mut AggregateState,
    count: u64,
);
/// Writes the result of each state to the vector, from row `offset` on.
pub type Finalize = unsafe extern "C-unwind" fn(
    info: FunctionInfo,
    states: *mut AggregateState,
    result: Vector,
    count: u64,
    offset: u64,
);
/// Ends groups.
pub type Destroy = unsafe extern "C" fn(states: *mut AggregateState, count: u64);

/// Frees the extra information of a function.
pub type FreeExtraInfo = unsafe extern "C" fn(extra_info: *mut c_void);

/// Declares a struct of functions with their slots, and the two ways to find them.
macro_rules! table {
    ($(#[$doc:meta])* $table:ident $abi:literal
        $($name:ident: $slot:literal => fn($($argument:ty),*) $(-> $result:ty)?;)+
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $table {
            $(pub $name: unsafe extern $abi fn($($argument),*) $(-> $result)?,)+
        }

        impl $table {
            /// Reads the pointers from the struct that DuckDB passes to an extension.
            ///
            /// # Safety
            /// `table` is DuckDB's struct of the version that has these functions, or of a later one, which keeps the
            /// slots of earlier ones.
            unsafe fn from_table(table: *const *const c_void) -> Self {
                // SAFETY: the slot is that of this function in `duckdb_ext_api_v1`, with this signature.
                Self { $($name: unsafe { std::mem::transmute_copy(&*table.add($slot)) },)+ }
            }

            /// Each function with its slot.
            #[cfg(test)]
            const SLOTS: &[(&str, usize)] = &[$((stringify!($name), $slot)),+];

            /// Finds the functions by name in a DuckDB library.
            #[allow(dead_code)] // not for `VectorMaking`: DuckDB 2.0 needs none of it
            fn from_library(library: &Library) -> Result<Self, libloading::Error> {
                Ok(Self {
                    $($name: {
                        // SAFETY: `duckdb.h` declares the function of this name with this signature.
                        *unsafe { library.get(concat!("duckdb_", stringify!($name)))? }
                    },)+
                })
            }
        }
    };
}

// Which functions throw exceptions follows from DuckDB's sources, 1.5.0 to 2.0.0. The number beside each name is its
// slot in the struct `duckdb_ext_api_v1`; slots.txt tells where the numbers come from.

table! {
    /// Functions that throw no exception if their arguments are valid, because they only read or free.
    ///
    /// No other function of DuckDB is called within [`rankdcg_core::catch_panics`].
    Api "C"
    library_version: 7 => fn() -> *const c_char;
    free: 25 => fn(*mut c_void);
    destroy_logical_type: 184 => fn(*mut LogicalType);
    data_chunk_get_column_count: 189 => fn(DataChunk) -> u64;
    data_chunk_get_vector: 190 => fn(DataChunk, u64) -> Vector;
    data_chunk_get_size: 191 => fn(DataChunk) -> u64;
    vector_get_data: 194 => fn(Vector) -> *mut c_void;
    vector_get_validity: 195 => fn(Vector) -> *mut u64;
    list_vector_get_child: 199 => fn(Vector) -> Vector;
    list_vector_get_size: 200 => fn(Vector) -> u64;
    struct_vector_get_child: 203 => fn(Vector, u64) -> Vector;
    array_vector_get_child: 204 => fn(Vector) -> Vector;
    destroy_scalar_function: 210 => fn(*mut ScalarFunction);
    scalar_function_get_extra_info: 220 => fn(FunctionInfo) -> *const c_void;
    destroy_scalar_function_set: 223 => fn(*mut ScalarFunctionSet);
    destroy_aggregate_function: 227 => fn(*mut AggregateFunction);
    aggregate_function_get_extra_info: 236 => fn(FunctionInfo) -> *const c_void;
    destroy_aggregate_function_set: 239 => fn(*mut AggregateFunctionSet);
}

table! {
    /// Functions that may throw C++ exceptions, because they allocate memory or check their arguments.
    ///
    /// Rust cannot catch these exceptions. They unwind Rust's frames, whose values are dropped, and reach DuckDB. But
    /// the process ends if one reaches `catch_unwind`. So none of these functions is called within
    /// [`rankdcg_core::catch_panics`].
    Throwing "C-unwind"
    connect: 3 => fn(Database, *mut Connection) -> u32;
    disconnect: 6 => fn(*mut Connection);
    query: 13 => fn(Connection, *const c_char, *mut c_void) -> u32;
    destroy_value: 92 => fn(*mut Value);
    create_int64: 103 => fn(i64) -> Value;
    create_logical_type: 156 => fn(u32) -> LogicalType;
    create_list_type: 159 => fn(LogicalType) -> LogicalType;
    create_struct_type: 163 => fn(*mut LogicalType, *mut *const c_char, u64) -> LogicalType;
    get_type_id: 166 => fn(LogicalType) -> u32;
    decimal_width: 167 => fn(LogicalType) -> u8;
    decimal_scale: 168 => fn(LogicalType) -> u8;
    decimal_internal_type: 169 => fn(LogicalType) -> u32;
    enum_internal_type: 170 => fn(LogicalType) -> u32;
    enum_dictionary_size: 171 => fn(LogicalType) -> u32;
    enum_dictionary_value: 172 => fn(LogicalType, u64) -> *mut c_char;
    list_type_child_type: 173 => fn(LogicalType) -> LogicalType;
    array_type_child_type: 174 => fn(LogicalType) -> LogicalType;
    array_type_array_size: 175 => fn(LogicalType) -> u64;
    map_type_key_type: 176 => fn(LogicalType) -> LogicalType;
    map_type_value_type: 177 => fn(LogicalType) -> LogicalType;
    struct_type_child_count: 178 => fn(LogicalType) -> u64;
    struct_type_child_name: 179 => fn(LogicalType, u64) -> *mut c_char;
    struct_type_child_type: 180 => fn(LogicalType, u64) -> LogicalType;
    vector_get_column_type: 193 => fn(Vector) -> LogicalType;
    vector_ensure_validity_writable: 196 => fn(Vector);
    vector_assign_string_element_len: 198 => fn(Vector, u64, *const c_char, u64);
    list_vector_set_size: 201 => fn(Vector, u64) -> u32;
    list_vector_reserve: 202 => fn(Vector, u64) -> u32;
    create_scalar_function: 209 => fn() -> ScalarFunction;
    scalar_function_set_name: 211 => fn(ScalarFunction, *const c_char);
    scalar_function_set_special_handling: 213 => fn(ScalarFunction);
    scalar_function_add_parameter: 215 => fn(ScalarFunction, LogicalType);
    scalar_function_set_return_type: 216 => fn(ScalarFunction, LogicalType);
    scalar_function_set_extra_info: 217 => fn(ScalarFunction, *const c_void, Option<FreeExtraInfo>);
    scalar_function_set_function: 218 => fn(ScalarFunction, Kernel);
    scalar_function_set_error: 221 => fn(FunctionInfo, *const c_char);
    create_scalar_function_set: 222 => fn(*const c_char) -> ScalarFunctionSet;
    add_scalar_function_to_set: 224 => fn(ScalarFunctionSet, ScalarFunction) -> u32;
    register_scalar_function_set: 225 => fn(Connection, ScalarFunctionSet) -> u32;
    create_aggregate_function: 226 => fn() -> AggregateFunction;
    aggregate_function_set_name: 228 => fn(AggregateFunction, *const c_char);
    aggregate_function_add_parameter: 229 => fn(AggregateFunction, LogicalType);
    aggregate_function_set_return_type: 230 => fn(AggregateFunction, LogicalType);
    aggregate_function_set_functions: 231 => fn(AggregateFunction, StateSize, Init, Update, Combine, Finalize);
    aggregate_function_set_destructor: 232 => fn(AggregateFunction, Destroy);
    aggregate_function_set_special_handling: 234 => fn(AggregateFunction);
    aggregate_function_set_extra_info: 235 => fn(AggregateFunction, *const c_void, Option<FreeExtraInfo>);
    aggregate_function_set_error: 237 => fn(FunctionInfo, *const c_char);
    create_aggregate_function_set: 238 => fn(*const c_char) -> AggregateFunctionSet;
    add_aggregate_function_to_set: 240 => fn(AggregateFunctionSet, AggregateFunction) -> u32;
    register_aggregate_function_set: 241 => fn(Connection, AggregateFunctionSet) -> u32;
}

table! {
    /// Functions that make a constant vector of a flat one, or end what that needs. They may throw. Their slots are those
    /// of [`VECTOR_API_VERSION`].
    VectorMaking "C-unwind"
    create_vector: 536 => fn(LogicalType, u64) -> Vector;
    destroy_vector: 537 => fn(*mut Vector);
    vector_reference_value: 539 => fn(Vector, Value);
}

/// The functions of the DuckDB that this library serves, set by the first entry point.
static API: OnceLock<(Api, Throwing)> = OnceLock::new();

/// The functions of DuckDB that do not throw.
///
/// No code of this crate runs before an entry point has set them.
pub fn api() -> &'static Api {
    &API.get().expect("an entry point has set the API").0
}

/// The functions of DuckDB that may throw. They must not be called within [`rankdcg_core::catch_panics`].
pub fn throwing() -> &'static Throwing {
    &API.get().expect("an entry point has set the API").1
}

/// Converts a count of rows or elements to `usize`. A count of values in memory fits; any other becomes `usize::MAX`.
pub fn to_usize(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// Whether the children of a flat vector are flat, too.
///
/// Before DuckDB 2.0, a child whose values are all NULL may be a constant vector, and the C API does not tell.
pub fn children_are_flat() -> bool {
    static FLAT: OnceLock<bool> = OnceLock::new();
    *FLAT.get_or_init(|| !version().starts_with("v1."))
}

/// Whether every row of an aggregate's chunk comes with its state.
///
/// Before DuckDB 2.0, a window over a whole partition passes a single state for all rows, without signalling it.
pub fn every_row_has_a_state() -> bool {
    !version().starts_with("v1.")
}

/// Whether [`check_objects`] has to look at the vectors of the DuckDB that this library serves; an error if that DuckDB
/// is too old. It has not from 2.0 on, where the children of flat vectors are flat, nor up to v1.5.5, whose sources say
/// that the object of a vector begins with its kind.
pub fn has_unknown_objects() -> Result<bool, String> {
    is_unknown(&version())
}

/// Whether this version of DuckDB is to be looked at.
fn is_unknown(version: &str) -> Result<bool, String> {
    let Some(release) = version.strip_prefix("v1.") else { return Ok(false) };
    let mut numbers = release.split(|letter: char| !letter.is_ascii_digit()).map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(..5)), _) => {
            Err(format!("rankdcg: DuckDB {version} is not supported; releases from v1.5.0 on are"))
        }
        (Some(Ok(5)), Some(Ok(..6))) => Ok(false),
        _ => Ok(true),
    }
}

/// Refuses a DuckDB 1 in which the objects of vectors do not begin with their kind.
///
/// # Safety
/// `table` is DuckDB's struct of version 1.5.6 or later.
pub unsafe fn check_objects(table: *const *const c_void) -> Result<(), String> {
    const BIGINT: u32 = 5;
    let throwing = throwing();
    // SAFETY: the caller's promise. Every handle is used between its creation and its destruction.
    let begin_with_kind = unsafe {
        let making = VectorMaking::from_table(table);
        let mut bigint = (throwing.create_logical_type)(BIGINT);
        let mut vector = (making.create_vector)(bigint, 1);
        let mut value = (throwing.create_int64)(1);
        let begins = begins_with_kind(vector, || (making.vector_reference_value)(vector, value));
        (throwing.destroy_value)(&raw mut value);
        (making.destroy_vector)(&raw mut vector);
        (api().destroy_logical_type)(&raw mut bigint);
        begins
    };
    if begin_with_kind {
        return Ok(());
    }
    Err(format!(
        "rankdcg: DuckDB {} is not supported: its vectors do not begin with their kind, as those of v1.5 do; releases \
         from v2.0.0 on are, whatever their vectors are",
        version()
    ))
}

/// Whether the object of a flat vector begins with its kind, also after `make_constant` has made it constant.
///
/// # Safety
/// The vector is live.
unsafe fn begins_with_kind(vector: Vector, make_constant: impl FnOnce()) -> bool {
    // SAFETY: the caller's promise. An object has at least one byte, whatever it stands for.
    unsafe {
        let before = vector.kind();
        make_constant();
        (before, vector.kind()) == (Vector::FLAT, Vector::CONSTANT)
    }
}

/// The version of DuckDB, such as "v1.5.6".
fn version() -> Cow<'static, str> {
    // SAFETY: DuckDB returns a constant text.
    unsafe { CStr::from_ptr((api().library_version)()) }.to_string_lossy()
}

/// Uses the functions in the struct that `LOAD` passes. It is an error if those of another DuckDB library are in use.
///
/// # Safety
/// As for [`Api::from_table`].
pub unsafe fn use_table(table: *const *const c_void) -> Result<(), &'static str> {
    // SAFETY: the caller's promise.
    set_api(&unsafe { (Api::from_table(table), Throwing::from_table(table)) })
}

/// Uses the functions of a DuckDB library that stays loaded. It is an error if those of another one are in use.
pub fn use_library(library: &'static Library) -> Result<(), String> {
    let find = || Ok((Api::from_library(library)?, Throwing::from_library(library)?));
    let api = find().map_err(|error: libloading::Error| error.to_string())?;
    set_api(&api).map_err(ToOwned::to_owned)
}

/// Sets the functions, unless they are set. Refuses those of another DuckDB library: its `connect` has another address.
fn set_api(api: &(Api, Throwing)) -> Result<(), &'static str> {
    if std::ptr::fn_addr_eq(API.get_or_init(|| *api).1.connect, api.1.connect) {
        Ok(())
    } else {
        Err("rankdcg serves another DuckDB library in this process")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slots in DuckDB's header. The file says how to look them up again.
    const PUBLISHED: &str = include_str!("slots.txt");

    #[test]
    fn releases_before_1_5_are_refused_and_later_ones_of_1_looked_at() {
        for version in ["v2.0.0", "v2.10.3", "v2.1.0-dev12", "v1.5.0", "v1.5.5"] {
            assert_eq!(is_unknown(version), Ok(false));
        }
        for version in ["v1.5.6", "v1.5.7", "v1.5.10", "v1.5.7-dev12", "v1.6.0", "v1.10.0", "v1.x"] {
            assert_eq!(is_unknown(version), Ok(true));
        }
        for version in ["v1.4.5", "v1.0.0"] {
            let text = format!("rankdcg: DuckDB {version} is not supported; releases from v1.5.0 on are");
            assert_eq!(is_unknown(version), Err(text));
        }
    }

    #[test]
    fn a_vector_whose_kind_is_elsewhere_is_noticed() {
        let begins = |flat: [u8; 2], constant: [u8; 2]| {
            let mut object = flat;
            let start = object.as_mut_ptr();
            // SAFETY: the object is live, and has room for the bytes.
            unsafe { begins_with_kind(Vector::at(start), || start.cast::<[u8; 2]>().write(constant)) }
        };
        assert!(begins([0, 7], [2, 7]));
        assert!(!begins([7, 0], [7, 2]));
        assert!(!begins([0, 0], [0, 2]));
        assert!(!begins([2, 0], [2, 2]));
    }

    #[test]
    fn slots_are_those_in_the_header_of_the_versions_asked_for() {
        let of_version = |version: &'static CStr, slots: &[&'static [(&'static str, usize)]]| {
            let version = version.to_str().unwrap();
            slots
                .concat()
                .into_iter()
                .map(move |(function, slot)| (slot, function, version))
                .collect::<Vec<_>>()
        };
        let usual = of_version(API_VERSION, &[Api::SLOTS, Throwing::SLOTS]);
        let mut slots = [usual, of_version(VECTOR_API_VERSION, &[VectorMaking::SLOTS])].concat();
        slots.sort_unstable();
        let published: Vec<&str> = PUBLISHED.lines().filter(|line| !line.starts_with('#')).collect();
        for ((slot, function, version), published) in slots.iter().zip(&published) {
            assert_eq!(format!("{slot} {function} {version}"), *published);
        }
        assert_eq!(slots.len(), published.len());
    }
}
