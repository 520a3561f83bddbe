//! DuckDB's logical types as the core's, and the memory layout of their values.
//!
//! DuckDB may throw when it is asked about types. So a [`Layout`] is made, and its texts are fetched, outside of
//! [`rankdcg_core::catch_panics`].

use std::cell::OnceCell;
use std::ffi::{CStr, CString, c_char};

use rankdcg_core::{Field, Integer, Type};

use crate::api::{api, throwing, to_usize};
use crate::handle;

/// An owned logical type: dropping it destroys DuckDB's.
pub struct LogicalType(handle::LogicalType);

impl LogicalType {
    /// A type without parts, by its number in [`id`].
    pub fn of(id: u32) -> Self {
        // SAFETY: any number is allowed. DuckDB makes an invalid type of an unknown one.
        Self(unsafe { (throwing().create_logical_type)(id) })
    }

    /// A LIST of elements of this type.
    pub fn list_of(element: &Self) -> Self {
        // SAFETY: the element type is live, and DuckDB copies it.
        Self(unsafe { (throwing().create_list_type)(element.0) })
    }

    /// A STRUCT of fields with these names and types.
    pub fn struct_of(fields: &[(CString, Self)]) -> Self {
        let mut types: Vec<handle::LogicalType> = fields.iter().map(|(_, kind)| kind.0).collect();
        let mut names: Vec<*const c_char> = fields.iter().map(|(name, _)| name.as_ptr()).collect();
        // SAFETY: there are as many live types as names, and DuckDB copies both.
        Self(unsafe {
            (throwing().create_struct_type)(types.as_mut_ptr(), names.as_mut_ptr(), fields.len() as u64)
        })
    }

    /// The handle, valid as long as this owner lives.
    pub fn handle(&self) -> handle::LogicalType {
        self.0
    }

    /// The `duckdb_type` number.
    fn id(&self) -> u32 {
        self.ask(throwing().get_type_id)
    }

    /// Asks a function of the C API about this type.
    fn ask<T>(&self, function: unsafe extern "C-unwind" fn(handle::LogicalType) -> T) -> T {
        // SAFETY: the handle is a live logical type. About a type of another kind, these functions answer 0 or NULL.
        unsafe { function(self.0) }
    }

    /// The type of a part of this one, such as its elements.
    fn part(
        &self,
        function: unsafe extern "C-unwind" fn(handle::LogicalType) -> handle::LogicalType,
    ) -> Self {
        Self(self.ask(function))
    }

    /// The name and the layout of a field of a STRUCT.
    fn struct_field(&self, index: u64) -> (String, Layout) {
        // SAFETY: the handle is a live STRUCT type with this field. DuckDB hands over the name and the type.
        unsafe {
            let name = take_string((throwing().struct_type_child_name)(self.0, index));
            (name, Layout::new(Self((throwing().struct_type_child_type)(self.0, index))))
        }
    }
}

impl Drop for LogicalType {
    fn drop(&mut self) {
        // SAFETY: this is the owner of the handle, which is not used again.
        unsafe { (api().destroy_logical_type)(&raw mut self.0) };
    }
}

/// Copies a text that DuckDB hands over, and frees it. NULL is an empty text.
///
/// # Safety
/// `text` is NULL, or a string that DuckDB allocated and hands over.
unsafe fn take_string(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise. The string is copied before it is freed.
    unsafe {
        let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
        (api().free)(text.cast());
        copy
    }
}

/// The form in which the values of a column are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Untyped NULLs: no values are stored.
    Null,
    U8,
    I8,
    I16,
    I32,
    I64,
    U16,
    U32,
    U64,
    I128,
    U128,
    F32,
    F64,
    /// Months, days and microseconds.
    Interval,
    /// Texts and other byte strings.
    Bytes,
    /// A list entry for each row; the elements are in a child vector.
    List,
    /// As many elements as this for each row, all in a child vector.
    Array(usize),
    /// A child vector for each field.
    Struct,
    /// A type whose values the C API does not show.
    Opaque,
}

impl Storage {
    /// The size of a value in bytes; 0 if the vector itself stores no values.
    pub fn width(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
            Self::I128 | Self::U128 | Self::Interval | Self::Bytes | Self::List => 16,
            Self::Null | Self::Array(_) | Self::Struct | Self::Opaque => 0,
        }
    }
}

/// The type of a column, and the memory layout of its values.
pub struct Layout {
    /// The number of the type in [`id`].
    pub id: u32,
    pub kind: Type,
    pub storage: Storage,
    /// The decimal places of a DECIMAL; 0 for other types.
    pub scale: i8,
    /// The layout of the elements, or of each field.
    pub children: Vec<Layout>,
    /// The texts of an ENUM; `None` for other types.
    pub dictionary: Option<Dictionary>,
}

/// The texts of an ENUM. Only those that occur are fetched.
pub struct Dictionary {
    /// The ENUM.
    logical: LogicalType,
    /// The text of each code; `None` if it was not fetched.
    texts: OnceCell<Vec<Option<String>>>,
}

impl Dictionary {
    /// Fetches the texts of these codes from DuckDB. Only the first call fetches, so it must be given every code that
    /// is read later.
    pub fn fetch(&self, codes: impl Iterator<Item = usize>) {
        self.texts.get_or_init(|| {
            let size = self.logical.ask(throwing().enum_dictionary_size) as usize;
            let mut texts = vec![None; size];
            for code in codes {
                if let Some(text @ None) = texts.get_mut(code) {
                    let value = throwing().enum_dictionary_value;
                    // SAFETY: the code is within the dictionary, and DuckDB hands over the string.
                    *text = Some(unsafe { take_string(value(self.logical.0, code as u64)) });
                }
            }
            texts
        });
    }

    /// The text of a code, if it was fetched.
    pub fn text(&self, code: usize) -> Option<&str> {
        self.texts.get()?.get(code)?.as_deref()
    }
}

impl Layout {
    /// The layout of a vector.
    ///
    /// # Safety
    /// `vector` is a live vector.
    pub unsafe fn of_vector(vector: handle::Vector) -> Self {
        // SAFETY: the vector is live. DuckDB hands over the type.
        Self::new(LogicalType(unsafe { (throwing().vector_get_column_type)(vector) }))
    }

    /// The layout of columns of a logical type.
    fn new(logical: LogicalType) -> Self {
        let id = logical.id();
        if let Some((_, kind, storage)) = scalar(id) {
            return Self::plain(id, kind(), *storage);
        }
        match id {
            id::DECIMAL => {
                let (precision, scale) =
                    (logical.ask(throwing().decimal_width), logical.ask(throwing().decimal_scale));
                let scale = scale.cast_signed();
                let storage = storage_of(logical.ask(throwing().decimal_internal_type));
                Self { scale, ..Self::plain(id, Type::Decimal { precision, scale }, storage) }
            }
            id::ENUM => {
                let storage = storage_of(logical.ask(throwing().enum_internal_type));
                let dictionary = Some(Dictionary { logical, texts: OnceCell::new() });
                Self { dictionary, ..Self::plain(id, Type::Text, storage) }
            }
            id::LIST => Self::list(logical.part(throwing().list_type_child_type), Storage::List),
            id::ARRAY => {
                let size = to_usize(logical.ask(throwing().array_type_array_size));
                Self::list(logical.part(throwing().array_type_child_type), Storage::Array(size))
            }
            id::MAP => {
                let key = Self::new(logical.part(throwing().map_type_key_type));
                let value = Self::new(logical.part(throwing().map_type_value_type));
                let kind = Type::Map(Box::new(key.kind.clone()), Box::new(value.kind.clone()));
                let entries = Self::fields(vec![("key".into(), key), ("value".into(), value)]);
                Self { children: vec![entries], ..Self::plain(id, kind, Storage::List) }
            }
            id::STRUCT => {
                let count = logical.ask(throwing().struct_type_child_count);
                Self::fields((0..count).map(|index| logical.struct_field(index)).collect())
            }
            id => Self::plain(id, Type::Other(other_name(id)), Storage::Opaque),
        }
    }

    /// The layout of values without parts.
    pub fn plain(id: u32, kind: Type, storage: Storage) -> Self {
        Self { id, kind, storage, scale: 0, children: Vec::new(), dictionary: None }
    }

    /// Whether the column, or a part of it, is an ENUM, whose texts must be fetched.
    pub fn has_dictionaries(&self) -> bool {
        self.dictionary.is_some() || self.children.iter().any(Self::has_dictionaries)
    }

    /// The layout of lists or arrays of elements of this type.
    fn list(element: LogicalType, storage: Storage) -> Self {
        let element = Self::new(element);
        let kind = Type::List(Box::new(element.kind.clone()));
        Self { children: vec![element], ..Self::plain(id::LIST, kind, storage) }
    }

    /// The layout of structs with these fields.
    fn fields(fields: Vec<(String, Self)>) -> Self {
        let described =
            fields.iter().map(|(name, layout)| Field { name: name.clone(), kind: layout.kind.clone() });
        let kind = Type::Struct(described.collect());
        let children = fields.into_iter().map(|(_, layout)| layout).collect();
        Self { children, ..Self::plain(id::STRUCT, kind, Storage::Struct) }
    }
}

/// The `duckdb_type` numbers of types with parts, and of those with which arguments and results are declared.
pub mod id {
    pub const BIGINT: u32 = 5;
    pub const DOUBLE: u32 = 11;
    pub const VARCHAR: u32 = 17;
    pub const DECIMAL: u32 = 19;
    pub const ENUM: u32 = 23;
    pub const LIST: u32 = 24;
    pub const STRUCT: u32 = 25;
    pub const MAP: u32 = 26;
    pub const ARRAY: u32 = 33;
    pub const ANY: u32 = 34;
    /// Untyped NULLs.
    pub const NULL: u32 = 36;
}

/// A type without parts: its `duckdb_type` number, the core's type, and its storage.
type Scalar = (u32, fn() -> Type, Storage);

/// The types of the items that lists can be made of, except untyped NULLs.
pub static ITEMS: &[Scalar] = &[
    (1, || Type::Boolean, Storage::U8),
    (2, || Type::Integer(Integer::Narrow), Storage::I8),
    (3, || Type::Integer(Integer::Narrow), Storage::I16),
    (4, || Type::Integer(Integer::Narrow), Storage::I32),
    (id::BIGINT, || Type::Integer(Integer::Narrow), Storage::I64),
    (6, || Type::Integer(Integer::Narrow), Storage::U8),
    (7, || Type::Integer(Integer::Narrow), Storage::U16),
    (8, || Type::Integer(Integer::Narrow), Storage::U32),
    (9, || Type::Integer(Integer::Unsigned64), Storage::U64),
    (16, || Type::Integer(Integer::Signed128), Storage::I128),
    (32, || Type::Integer(Integer::Unsigned128), Storage::U128),
    (10, || Type::Float, Storage::F32),
    (id::DOUBLE, || Type::Float, Storage::F64),
    (id::VARCHAR, || Type::Text, Storage::Bytes),
    (18, || Type::Other("blob".into()), Storage::Bytes),
    // DuckDB stores a UUID as a signed integer, whose order is that of the texts.
    (27, || Type::Other("uuid".into()), Storage::I128),
    (13, || Type::Other("date".into()), Storage::I32),
    (14, || Type::Other("time".into()), Storage::I64),
    (12, || Type::Other("timestamp".into()), Storage::I64),
    (20, || Type::Other("timestamp(s)".into()), Storage::I64),
    (21, || Type::Other("timestamp(ms)".into()), Storage::I64),
    (22, || Type::Other("timestamp(ns)".into()), Storage::I64),
    (31, || Type::Other("timestamp with time zone".into()), Storage::I64),
];

/// The other types without parts.
static OTHERS: &[Scalar] = &[
    (15, || Type::Other("interval".into()), Storage::Interval),
    (29, || Type::Other("bit".into()), Storage::Bytes),
    (30, || Type::Other("time with time zone".into()), Storage::U64),
    (35, || Type::Other("bignum".into()), Storage::Bytes),
    (id::NULL, || Type::Null, Storage::Null),
    (39, || Type::Other("time(ns)".into()), Storage::I64),
    (40, || Type::Other("geometry".into()), Storage::Bytes),
    (42, || Type::Other("timestamp(ns) with time zone".into()), Storage::I64),
];

/// The type without parts with this number; `None` for other types.
fn scalar(id: u32) -> Option<&'static Scalar> {
    ITEMS.iter().chain(OTHERS).find(|(known, ..)| *known == id)
}

/// The storage of the type that DuckDB names as the internal one of a DECIMAL or ENUM, by its `duckdb_type` number.
fn storage_of(internal: u32) -> Storage {
    scalar(internal).map_or(Storage::Opaque, |(.., storage)| *storage)
}

/// The name of a type that is in no list here.
fn other_name(id: u32) -> String {
    match id {
        28 => "union".into(),
        41 => "variant".into(),
        id => format!("type {id}"),
    }
}
