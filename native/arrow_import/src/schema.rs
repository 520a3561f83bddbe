//! Reads the type of an array, after its schema is checked.

use std::ffi::{CStr, c_char, c_void};

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_schema::DataType;

/// The most levels of nested types, the same as in pyarrow.
const DEEPEST: usize = 64;

/// The most parts of a type. Without a limit, a few schemas that share children would take forever to visit.
const MAX_TYPES: usize = 1 << 16;

/// `ArrowSchema` of the Arrow C data interface. arrow-rs has the same struct, but does not show all of its fields.
#[repr(C)]
pub struct Schema {
    /// The type, such as `+l` for lists.
    pub format: *const c_char,
    /// The name of the column or field; may be NULL.
    pub name: *const c_char,
    /// Keys and values of the producer's; may be NULL.
    pub metadata: *const c_char,
    /// Whether values can be NULL, among others.
    pub flags: i64,
    pub n_children: i64,
    /// The types of elements or fields.
    pub children: *const *const Self,
    /// The type of the values of a dictionary; NULL for other types.
    pub dictionary: *const Self,
    /// The producer's function that frees the schema; `None` once it is freed.
    pub release: Option<unsafe extern "C" fn(*mut Self)>,
    pub private_data: *mut c_void,
}

/// The type that a schema describes. `read` reads it, after the schema is checked.
///
/// # Safety
/// Each pointer in `schema`, and in the structs that it points to, is NULL or valid in the words of the Arrow C data
/// interface: texts end with NUL, and there are as many children as `n_children` counts.
pub unsafe fn data_type(
    schema: *const FFI_ArrowSchema,
    read: impl FnOnce(&FFI_ArrowSchema) -> Result<DataType, String>,
) -> Result<DataType, String> {
    let mut left = MAX_TYPES;
    // SAFETY: the caller's promises. The interface fixes the layout of the struct.
    unsafe {
        check(schema.cast(), 1, &mut left)?;
        read(&*schema)
    }
}

/// Refuses a schema that cannot be read safely. `left` is the number of parts that the type may still have.
///
/// # Safety
/// As for [`data_type`].
unsafe fn check(schema: *const Schema, depth: usize, left: &mut usize) -> Result<(), String> {
    // SAFETY: the caller's promise.
    let Some(schema) = (unsafe { schema.as_ref() }) else { return Err("a schema is NULL".into()) };
    if depth > DEEPEST {
        return Err(format!("types are nested more than {DEEPEST} deep"));
    }
    *left = left.checked_sub(1).ok_or_else(|| format!("a type has more than {MAX_TYPES} parts"))?;
    // The name is read to refuse one that is not in UTF-8.
    // SAFETY: the caller's promise.
    let (format, _name) = unsafe { (text(schema.format)?, text(schema.name)?) };
    let Some(format) = format else { return Err("a schema has no format".into()) };
    // The number of children of lists, maps and runs; any number for structs and unions, and 0 for other types.
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
        return Err(format!("a type has more than {MAX_TYPES} parts"));
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
        // SAFETY: there is one child, and it passed the check above.
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

/// A text of the schema; `None` for NULL.
///
/// # Safety
/// `pointer` is NULL, or points to a text that ends with NUL.
unsafe fn text<'a>(pointer: *const c_char) -> Result<Option<&'a str>, String> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map(Some).map_err(|_| format!("a format or a name is not in UTF-8: {bytes:?}"))
}
