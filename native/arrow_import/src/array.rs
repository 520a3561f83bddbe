//! Reads an array, after its struct is checked.

use std::ffi::c_void;

use arrow_array::ffi::{FFI_ArrowArray, from_ffi_and_data_type};
use arrow_array::{ArrayRef, make_array};
use arrow_data::{ArrayData, BufferSpec, layout};
use arrow_schema::{DataType, Field, UnionMode};

/// The most values that an array may claim. No machine has memory for so many, and sums of such counts cannot overflow.
const MAX_VALUES: usize = 1 << 40;

/// The most bytes that a buffer may claim. No machine has so many.
const MAX_BYTES: usize = 1 << 47;

/// The most buffers that an array may claim: views number them by signed integers of 32 bits.
const MAX_BUFFERS: usize = 1 << 31;

/// `ArrowArray` of the Arrow C data interface. arrow-rs has the same struct, but does not show all of its fields.
#[repr(C)]
pub struct Array {
    pub length: i64,
    /// The number of NULLs; -1 if nobody has counted them.
    pub null_count: i64,
    /// The number of values in the buffers before the first one of the array.
    pub offset: i64,
    pub n_buffers: i64,
    pub n_children: i64,
    /// The buffers; which there are depends on the type.
    pub buffers: *const *const c_void,
    /// The arrays of elements or fields.
    pub children: *const *const Self,
    /// The values of a dictionary; NULL for other types.
    pub dictionary: *const Self,
    /// The producer's function that frees the array; `None` once it is freed.
    pub release: Option<unsafe extern "C" fn(*mut Self)>,
    pub private_data: *mut c_void,
}

/// The data of an array, or an error if its struct is not valid. [`data_type`](crate::data_type) has checked its type.
///
/// # Safety
/// Each pointer in `array`, and in the structs that it points to, is NULL or valid in the words of the Arrow C data
/// interface: there are as many children and buffers as are counted, and buffers are as long as the lengths and offsets
/// require.
pub unsafe fn import(array: FFI_ArrowArray, data_type: DataType) -> Result<ArrayData, String> {
    if array.is_released() {
        return Err("the array was released before".into());
    }
    // SAFETY: the caller's promises. The interface fixes the layout of the struct.
    unsafe {
        check((&raw const array).cast(), &data_type)?;
        from_ffi_and_data_type(array, data_type).map_err(|error| error.to_string())
    }
}

/// Refuses an array whose struct does not fit its type.
///
/// # Safety
/// As for [`import`].
unsafe fn check(array: *const Array, data_type: &DataType) -> Result<(), String> {
    // SAFETY: the caller's promise.
    let Some(array) = (unsafe { array.as_ref() }) else {
        return Err(format!("an array of {data_type} is NULL"));
    };
    let rows = array.rows()?;
    // SAFETY: the caller's promise.
    unsafe { array.check_buffers(data_type, rows)? }

    let children = children(data_type);
    if usize::try_from(array.n_children) != Ok(children.len()) {
        let (wanted, got) = (children.len(), array.n_children);
        return Err(format!("an array of {data_type} has {wanted} children, got {got}"));
    }
    if !children.is_empty() && array.children.is_null() {
        return Err(format!("the children of an array of {data_type} are NULL"));
    }
    for (index, child) in children.into_iter().enumerate() {
        // SAFETY: the caller's promise.
        unsafe { check(*array.children.add(index), child)? }
    }
    match data_type {
        // SAFETY: the caller's promise.
        DataType::Dictionary(_, values) => unsafe { check(array.dictionary, values) },
        _ if array.dictionary.is_null() => Ok(()),
        _ => Err(format!("an array of {data_type} has no dictionary, got one")),
    }
}

impl Array {
    /// The number of values that the buffers must hold: the array's length, and the values before it. It is an error if
    /// the length, the offset or the number of NULLs is impossible, so that sizes computed from them cannot overflow.
    fn rows(&self) -> Result<usize, String> {
        let count = |name: &str, count: i64| {
            let fits = usize::try_from(count).ok().filter(|count| *count <= MAX_VALUES);
            fits.ok_or_else(|| format!("the {name} of an array must be 0 to {MAX_VALUES}, got {count}"))
        };
        if !(-1..=self.length).contains(&self.null_count) {
            let (nulls, length) = (self.null_count, self.length);
            return Err(format!("an array of length {length} cannot have {nulls} NULLs"));
        }
        Ok(count("length", self.length)? + count("offset", self.offset)?)
    }

    /// Refuses buffers that do not fit the type, or that claim an impossible size.
    ///
    /// # Safety
    /// As for [`import`].
    unsafe fn check_buffers(&self, data_type: &DataType, rows: usize) -> Result<(), String> {
        let layout = layout(data_type);
        // The mask of NULLs comes first, if the type has one. Variadic types have data buffers and their lengths last.
        let first = usize::from(layout.can_contain_null_mask);
        let wanted = first + layout.buffers.len() + usize::from(layout.variadic);
        // Types without values of their own, such as structs, have no buffer but the mask. Polars may pass one more.
        let may_have_one = layout.buffers.is_empty();
        let fits = |count: usize| {
            let more = layout.variadic && (wanted..=MAX_BUFFERS).contains(&count);
            count == wanted || more || (may_have_one && count <= 1)
        };
        let Some(count) = usize::try_from(self.n_buffers).ok().filter(|count| fits(*count)) else {
            let got = self.n_buffers;
            return Err(format!("an array of {data_type} has {wanted} buffers, got {got}"));
        };
        if count > 0 && self.buffers.is_null() {
            return Err(format!("the buffers of an array of {data_type} are NULL"));
        }
        // SAFETY: the caller's promise.
        let buffer = |index: usize| unsafe { *self.buffers.add(index) };
        if first == 1
            && count > 0
            && self.null_count > 0
            && buffer(0).is_null()
            && !is_empty_struct(data_type)
        {
            let nulls = self.null_count;
            return Err(format!("an array of {data_type} does not say which {nulls} values are NULL"));
        }
        let fixed = layout.buffers.iter().filter_map(|spec| match spec {
            BufferSpec::FixedWidth { byte_width, .. } => Some(*byte_width),
            _ => None,
        });
        let elements = match data_type {
            DataType::FixedSizeList(_, size) => usize::try_from(*size).ok(),
            _ => None,
        };
        for width in fixed.chain(elements) {
            if rows.checked_mul(width).is_none_or(|size| size > MAX_BYTES) {
                return Err(format!("an array of {data_type} cannot have {rows} values"));
            }
        }
        // How many bytes texts have in all. arrow-rs takes this size from the last offset, in the buffer `index`.
        let text_size = |index: usize| match data_type {
            _ if rows == 0 => Ok(0),
            DataType::Utf8 | DataType::Binary => {
                // SAFETY: the caller's promise: there is one offset more than there are values.
                unsafe { at::<i32>(buffer(index), rows) }.map(i64::from)
            }
            // SAFETY: the same.
            DataType::LargeUtf8 | DataType::LargeBinary => unsafe { at::<i64>(buffer(index), rows) },
            _ => Ok(0),
        };
        let mut sizes = vec![text_size(first)];
        if layout.variadic {
            let data = count - wanted;
            // SAFETY: the caller's promise: the last buffer holds the length of each data buffer.
            sizes.extend((0..data).map(|index| unsafe { at::<i64>(buffer(count - 1), index) }));
        }
        for size in sizes {
            let size = size.map_err(|reason| format!("an array of {data_type} has lengths that {reason}"))?;
            if usize::try_from(size).is_ok_and(|size| size <= MAX_BYTES) {
                continue;
            }
            return Err(format!("a buffer of an array of {data_type} cannot have {size} bytes"));
        }
        Ok(())
    }
}

/// Whether the type is a struct without fields, as which Polars' columns of untyped NULLs are read.
fn is_empty_struct(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Struct(fields) if fields.is_empty())
}

/// A number in a buffer; an error in words if it cannot be read.
///
/// # Safety
/// `buffer` is NULL, or holds more than `index` numbers.
unsafe fn at<T: Copy>(buffer: *const c_void, index: usize) -> Result<T, &'static str> {
    let buffer = buffer.cast::<T>();
    match () {
        () if buffer.is_null() => Err("are NULL"),
        // arrow-rs reads them in place.
        () if !buffer.is_aligned() => Err("are not aligned"),
        // SAFETY: the caller's promise.
        () => Ok(unsafe { *buffer.add(index) }),
    }
}

/// The types of an array's children.
fn children(data_type: &DataType) -> Vec<&DataType> {
    match data_type {
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _)
        | DataType::Map(field, _) => vec![field.data_type()],
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        DataType::Union(fields, _) => fields.iter().map(|(_, field)| field.data_type()).collect(),
        DataType::RunEndEncoded(ends, values) => [ends, values].map(|field| Field::data_type(field)).to_vec(),
        _ => vec![],
    }
}

/// The array of this data, or an error if a child has fewer values than its parent needs.
pub fn checked_array(data: ArrayData) -> Result<ArrayRef, String> {
    check_lengths(&data)?;
    Ok(make_array(data))
}

/// Refuses data with a child that has fewer values than its parent needs.
fn check_lengths(data: &ArrayData) -> Result<(), String> {
    let rows = data.offset() + data.len();
    if let DataType::RunEndEncoded(ends, _) = data.data_type()
        && !matches!(ends.data_type(), DataType::Int16 | DataType::Int32 | DataType::Int64)
    {
        return Err(format!("the ends of runs must be integers of 16 to 64 bits, got {}", ends.data_type()));
    }
    let least = match data.data_type() {
        DataType::Struct(_) | DataType::Union(_, UnionMode::Sparse) => rows,
        DataType::FixedSizeList(_, size) => rows * usize::try_from(*size).unwrap_or_default(),
        _ => 0,
    };
    for child in data.child_data() {
        if child.len() < least {
            let (data_type, got) = (data.data_type(), child.len());
            return Err(format!("an array of {data_type} wants {least} values of its children, got {got}"));
        }
        check_lengths(child)?;
    }
    Ok(())
}
