//! The entry points: `LOAD`, and static registration, which serves the databases that are opened after it.

use std::ffi::{CStr, OsStr, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};

use libloading::Library;
use rankdcg_core::c_message;

use crate::api::{
    API_VERSION, VECTOR_API_VERSION, check_objects, every_row_has_a_state, has_unknown_objects, throwing,
    use_library, use_table,
};
use crate::extra_info::Route;
use crate::handle::{Connection, Database, ExtensionInfo};
use crate::register::register_all;

/// `duckdb_extension_access`: the functions that DuckDB offers an extension while it loads.
#[repr(C)]
pub struct Access {
    /// Makes the loading fail with a message.
    set_error: unsafe extern "C-unwind" fn(info: ExtensionInfo, error: *const c_char),
    /// Returns a pointer to the database that loads the extension.
    get_database: unsafe extern "C-unwind" fn(info: ExtensionInfo) -> *mut Database,
    /// Returns the struct of functions of a version of the C API. NULL if the extension is linked statically.
    get_api:
        Option<unsafe extern "C-unwind" fn(info: ExtensionInfo, version: *const c_char) -> *const c_void>,
}

/// Registered by `LOAD`.
static LOADED: Route = Route { name: "load" };
/// Registered while the database was opened.
static STATIC: Route = Route { name: "static" };

/// Whether `LOAD` attaches the table macros.
static ATTACHES_MACROS: AtomicBool = AtomicBool::new(true);

/// Says whether `LOAD` attaches the table macros from now on. Python creates them on connections instead.
#[unsafe(no_mangle)]
pub extern "C" fn rankdcg_attach_macros(attaches: bool) {
    ATTACHES_MACROS.store(attaches, Ordering::Relaxed);
}

/// The entry point of `LOAD`. DuckDB derives its name from the name of the file, `rankdcg.duckdb_extension`.
///
/// # Safety
/// Called by DuckDB, which keeps to `duckdb_extension.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn rankdcg_init_c_api(info: ExtensionInfo, access: *const Access) -> bool {
    // SAFETY: as DuckDB calls it.
    match unsafe { load(info, access) } {
        Ok(()) => true,
        Err(message) => {
            // SAFETY: DuckDB copies the message.
            unsafe { ((*access).set_error)(info, c_message(message).as_ptr()) };
            false
        }
    }
}

/// Takes over DuckDB's C API, and registers the functions.
///
/// # Safety
/// As for [`rankdcg_init_c_api`].
unsafe fn load(info: ExtensionInfo, access: *const Access) -> Result<(), String> {
    // SAFETY: DuckDB returns its functions of the version asked for. Otherwise it returns NULL and sets an error.
    unsafe {
        let get_api = (*access).get_api.ok_or("rankdcg: DuckDB offers no C API")?;
        let table_of = |version: &CStr| {
            let table: *const *const c_void = get_api(info, version.as_ptr()).cast();
            if !table.is_null() {
                return Ok(table);
            }
            let version = version.to_string_lossy();
            let version = version.trim_start_matches('v');
            Err(format!("rankdcg: DuckDB does not offer version {version} of its C API"))
        };
        use_table(table_of(API_VERSION)?)?;
        if has_unknown_objects()? {
            check_objects(table_of(VECTOR_API_VERSION)?)?;
        }
        register_on(info, access, &LOADED)
    }
}

/// Registers the functions in the database that loads the extension.
///
/// # Safety
/// Called while DuckDB loads the extension, with its `info` and `access`.
unsafe fn register_on(
    info: ExtensionInfo,
    access: *const Access,
    route: &'static Route,
) -> Result<(), String> {
    // SAFETY: DuckDB passes a pointer to the database that is being opened, or NULL.
    unsafe {
        let database = ((*access).get_database)(info);
        let mut connection = Connection::NULL;
        if database.is_null() || (throwing().connect)(*database, &raw mut connection) != 0 {
            return Err("rankdcg: cannot connect to the database".to_owned());
        }
        let registered = register_all(connection, route);
        let attaches = std::ptr::eq(route, &raw const LOADED) && ATTACHES_MACROS.load(Ordering::Relaxed);
        if registered.is_ok() && attaches && every_row_has_a_state() {
            attach_macros(connection);
        }
        (throwing().disconnect)(&raw mut connection);
        registered
    }
}

/// Attaches a database in memory with the table macros, which every connection finds there by their full names. Nothing
/// is written into a database of the caller. If a database or a schema has its name already, none is attached: DuckDB
/// would call the name of the schema ambiguous.
///
/// # Safety
/// The connection is open.
unsafe fn attach_macros(connection: Connection) {
    let macros = rankdcg_table_macros::in_schema("rankdcg.main");
    let free = "SELECT error('taken') FROM duckdb_schemas() WHERE lower(schema_name) = 'rankdcg'";
    for statements in [free, "ATTACH ':memory:' AS rankdcg (READ_WRITE)", &macros] {
        // SAFETY: DuckDB reads a text that ends with NUL, and needs no room for a result.
        if unsafe { (throwing().query)(connection, c_message(statements).as_ptr(), null_mut()) } != 0 {
            return;
        }
    }
}

/// `duckdb_extension_descriptor`, layout 1: describes an extension to be registered statically.
#[repr(C)]
pub struct Descriptor {
    /// The layout that [`describe`] fills.
    version: u32,
    /// DuckDB's own: reports an error of [`describe`], which has none.
    set_error: *const c_void,
    /// DuckDB's own.
    internal: *const c_void,
    name: *const c_char,
    extension_version: *const c_char,
    /// The version of the C API that the extension uses.
    api_version: *const c_char,
    /// The entry point of an extension in C++; NULL.
    entry_cpp: *const c_void,
    /// The entry point of an extension that uses version 1 of the C API.
    entry_capi_v1: Option<unsafe extern "C-unwind" fn(ExtensionInfo, *const Access) -> bool>,
    /// The entry point of an extension that uses version 2 of the C API; NULL.
    entry_capi_v2: *const c_void,
}

/// The version of this crate, as DuckDB's `duckdb_extensions()` shows it.
const EXTENSION_VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("the version holds no NUL"),
    };

/// Fills DuckDB's description of the extension. Returns 0: success.
unsafe extern "C" fn describe(descriptor: *mut Descriptor) -> i32 {
    // SAFETY: DuckDB passes a descriptor of at least layout 1. The fields that are DuckDB's own are left alone.
    unsafe {
        (*descriptor).version = 1;
        (*descriptor).name = c"rankdcg".as_ptr();
        (*descriptor).extension_version = EXTENSION_VERSION.as_ptr();
        (*descriptor).api_version = API_VERSION.as_ptr();
        (*descriptor).entry_cpp = null();
        (*descriptor).entry_capi_v1 = Some(static_entry);
        (*descriptor).entry_capi_v2 = null();
    }
    0
}

/// The entry point of static registration: DuckDB calls it for every database opened after [`rankdcg_register_static`].
///
/// It never reports a failure, because then every `connect()` of the process would fail. A database that has no version
/// function afterwards is served in another way.
unsafe extern "C-unwind" fn static_entry(info: ExtensionInfo, access: *const Access) -> bool {
    // SAFETY: DuckDB passes what `register_on` asks for.
    let _ = unsafe { register_on(info, access, &STATIC) };
    true
}

/// Registers the extension with the DuckDB library at `path`, which must be loaded in this process already.
///
/// Returns NULL, or an error to be freed with `rankdcg_free`.
///
/// # Safety
/// `path` ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn rankdcg_register_static(path: *const c_char) -> *mut c_char {
    // SAFETY: the caller's promise.
    let path = unsafe { CStr::from_ptr(path) }.to_string_lossy().into_owned();
    register_static(OsStr::new(&path)).map_or_else(|message| c_message(message).into_raw(), |()| null_mut())
}

/// `duckdb_register_static_extension`, which takes the function that describes the extension.
type Register = unsafe extern "C-unwind" fn(unsafe extern "C" fn(*mut Descriptor) -> i32) -> i32;

/// Registers the extension with the DuckDB library at `path`.
fn register_static(path: &OsStr) -> Result<(), String> {
    // SAFETY: the library is loaded already, so that none of its initialisers runs. It is never unloaded.
    let library = unsafe { Library::new(path) }.map_err(|error| error.to_string())?;
    let library: &'static Library = Box::leak(Box::new(library));
    // SAFETY: `duckdb_static_extension.h` declares the function with this signature.
    let register = unsafe { library.get::<Register>("duckdb_register_static_extension") };
    let register = register.map_err(|_| "this DuckDB registers no static extensions".to_owned())?;
    use_library(library)?;
    // SAFETY: `describe` stays in memory, because this library is never unloaded.
    match unsafe { register(describe) } {
        0 => Ok(()),
        state => Err(format!("DuckDB refused the registration ({state})")),
    }
}
