//! The type of an array, as its producer tells it.

use std::ffi::{CStr, c_char, c_void};

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_schema::DataType;

/// How deep types may nest: as deep as in pyarrow.
const DEEPEST: usize = 64;

/// How many types one type may consist of. A type whose parts share parts would have too many to visit.
const MOST_TYPES: usize = 1 << 16;

/// `ArrowSchema` as the Arrow C data interface lays it out.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *const *const Self,
    dictionary: *const Self,
    release: Option<unsafe extern "C" fn(*mut Self)>,
    private_data: *mut c_void,
}

/// The type that `schema` tells, which `read` finds out once it is known to be safe to read.
///
/// # Safety
/// Each pointer in `schema`, and in the structs that it points to, is NULL or points to what the Arrow C data
/// interface says: texts end with NUL, and there are as many children as `n_children` counts.
pub unsafe fn data_type(
    schema: *const FFI_ArrowSchema,
    read: impl FnOnce(&FFI_ArrowSchema) -> Result<DataType, String>,
) -> Result<DataType, String> {
    let mut left = MOST_TYPES;
    // SAFETY: the caller's promises. Both structs have the layout that the interface fixes.
    unsafe {
        check(schema.cast(), 1, &mut left)?;
        read(&*schema)
    }
}

/// Refuses a schema that cannot be read.
///
/// # Safety
/// As for [`data_type`].
unsafe fn check(schema: *const Schema, depth: usize, left: &mut usize) -> Result<(), String> {
    // SAFETY: the caller's promise.
    let Some(schema) = (unsafe { schema.as_ref() }) else { return Err("a schema is NULL".into()) };
    if depth > DEEPEST {
        return Err(format!("types are nested more than {DEEPEST} deep"));
    }
    *left = left.checked_sub(1).ok_or_else(|| format!("a type has more than {MOST_TYPES} parts"))?;
    // SAFETY: the caller's promise.
    let (format, _name) = unsafe { (text(schema.format)?, text(schema.name)?) };
    let Some(format) = format else { return Err("a schema has no format".into()) };
    let wanted = match format.split(':').next().unwrap_or_default() {
        "+l" | "+L" | "+vl" | "+vL" | "+w" | "+m" => Some(1),
        "+r" => Some(2),
        "+s" | "+ud" | "+us" => None,
        _ => Some(0),
    };
    let count = schema.n_children;
    if let Some(wanted) = wanted.filter(|wanted| *wanted != count) {
        return Err(format!("type {format:?} has {wanted} children, got {count}"));
    }
    let count = usize::try_from(count).map_err(|_| format!("type {format:?} has {count} children"))?;
    if count > *left {
        return Err(format!("a type has more than {MOST_TYPES} parts"));
    }
    if count > 0 && schema.children.is_null() {
        return Err(format!("the children of type {format:?} are NULL"));
    }
    for index in 0..count {
        // SAFETY: the caller's promise.
        unsafe { check(*schema.children.add(index), depth + 1, left)? }
    }
    if !schema.dictionary.is_null() {
        if !matches!(format, "c" | "C" | "s" | "S" | "i" | "I" | "l" | "L") {
            return Err(format!("the keys of a dictionary are integers, got type {format:?}"));
        }
        // SAFETY: the caller's promise.
        unsafe { check(schema.dictionary, depth + 1, left)? }
    }
    if format == "+m" {
        // SAFETY: there is one child, which was checked just now.
        let entries = unsafe { &**schema.children };
        // SAFETY: the same.
        if unsafe { text(entries.format) } != Ok(Some("+s")) || entries.n_children != 2 {
            return Err("the entries of a map are structs of two fields".into());
        }
    }
    if let Some(width) = format.strip_prefix("+w:").or(format.strip_prefix("w:"))
        && width.starts_with('-')
    {
        return Err(format!("type {format:?} has a negative width"));
    }
    Ok(())
}

/// A text of the schema; `None` where it is NULL.
///
/// # Safety
/// `pointer` is NULL, or its text ends with NUL.
unsafe fn text<'a>(pointer: *const c_char) -> Result<Option<&'a str>, String> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map(Some).map_err(|_| format!("a format or a name is not in UTF-8: {bytes:?}"))
}
