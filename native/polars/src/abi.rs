//! The struct in which Polars passes a column, and who frees what of it.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr::{null_mut, read};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{ArrayRef, new_empty_array};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field};
use rankdcg_ffi::{fitted, import};

use crate::format;

/// `SeriesExport` of the crate polars-ffi, version 0: a column as a field and any number of arrays.
///
/// Whoever receives one moves the arrays out of it and then releases it, which frees the field and the memory in
/// which the arrays lay, not what the arrays own.
#[repr(C)]
pub struct SeriesExport {
    field: *mut FFI_ArrowSchema,
    arrays: *mut *mut FFI_ArrowArray,
    len: usize,
    release: Option<unsafe extern "C" fn(*mut SeriesExport)>,
    /// Polars takes a series without it for a failed call.
    private_data: *mut c_void,
}

impl Drop for SeriesExport {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the producer's callback on the producer's struct, once: it is dropped now.
            unsafe { release(self) }
        }
    }
}

impl SeriesExport {
    /// Chunks of a column of results.
    pub fn new(field: &Field, chunks: &[ArrayRef]) -> Result<Self, ArrowError> {
        let schema = FFI_ArrowSchema::try_from(field)?;
        let array = |chunk: &ArrayRef| Box::into_raw(Box::new(FFI_ArrowArray::new(&chunk.to_data())));
        let arrays: Vec<_> = chunks.iter().map(array).collect();
        let len = arrays.len();
        let arrays = Box::into_raw(Box::new(arrays));
        Ok(Self {
            field: Box::into_raw(Box::new(schema)),
            // SAFETY: the vector was boxed just now.
            arrays: unsafe { (*arrays).as_mut_ptr() },
            len,
            release: Some(release),
            private_data: arrays.cast(),
        })
    }
}

/// Frees what [`SeriesExport::new`] allocated, but for the arrays that were moved out.
unsafe extern "C" fn release(export: *mut SeriesExport) {
    // SAFETY: called once, on a struct that `SeriesExport::new` filled.
    unsafe {
        let export = &mut *export;
        drop(Box::from_raw(export.field));
        let arrays = Box::from_raw(export.private_data.cast::<Vec<*mut FFI_ArrowArray>>());
        for array in *arrays {
            drop(Box::from_raw(array.cast::<ManuallyDrop<FFI_ArrowArray>>()));
        }
        export.private_data = null_mut();
        export.release = None;
    }
}

/// A column that this library now owns.
pub struct Series {
    /// Owns the field.
    export: SeriesExport,
    arrays: Vec<FFI_ArrowArray>,
}

impl Series {
    /// Takes over the columns of a call.
    ///
    /// # Safety
    /// `inputs` is NULL, or holds `count` columns that are nobody else's any more, whose pointers are NULL or point to
    /// what they say.
    pub unsafe fn take(inputs: *const SeriesExport, count: usize) -> Result<Vec<Self>, String> {
        if inputs.is_null() && count > 0 {
            return Err("rankdcg: the columns are NULL".into());
        }
        let chunk = |chunk: *mut FFI_ArrowArray| {
            // One that is not there is refused where it is read.
            let empty = FFI_ArrowArray::empty();
            // SAFETY: the caller's promise; each struct is moved out of its place once.
            if chunk.is_null() { empty } else { unsafe { read(chunk) } }
        };
        let take = |index| {
            // SAFETY: the caller's promise; each struct is moved out of its place once.
            let export = unsafe { read(inputs.add(index)) };
            let count = if export.arrays.is_null() { 0 } else { export.len };
            // SAFETY: the caller's promise.
            let arrays = (0..count).map(|index| chunk(unsafe { *export.arrays.add(index) })).collect();
            Self { export, arrays }
        };
        Ok((0..count).map(take).collect())
    }

    /// The column's name and its chunks, of which there is at least one.
    pub fn read(mut self) -> Result<(String, Vec<ArrayRef>), String> {
        // SAFETY: the field lives as long as the struct that owns it.
        let (name, data_type) = unsafe { field(self.export.field)? };
        let arrays = std::mem::take(&mut self.arrays);
        if arrays.len() != self.export.len {
            return Err("the chunks of a column of Polars are NULL".into());
        }
        if arrays.is_empty() {
            return Ok((name, vec![new_empty_array(&data_type)]));
        }
        let read = |array| {
            // SAFETY: Polars' arrays are of the types that their fields tell.
            let data = unsafe { import(array, data_type.clone()) };
            data.and_then(|data| fitted(mended(data)))
                .map_err(|error| format!("a column of Polars could not be read: {error}"))
        };
        Ok((name, arrays.into_iter().map(read).collect::<Result<_, _>>()?))
    }
}

/// A column's name and type.
///
/// # Safety
/// `field` is NULL, or its pointers are NULL or point to what the Arrow C data interface says.
pub unsafe fn field(field: *const FFI_ArrowSchema) -> Result<(String, DataType), String> {
    // SAFETY: the caller's promise.
    let data_type = unsafe { rankdcg_ffi::data_type(field, format::data_type)? };
    // SAFETY: it was read just now.
    let name = unsafe { &*field }.name();
    Ok((name.unwrap_or_default().to_owned(), data_type))
}

/// The array with children that fit it.
///
/// Up to 1.42, Polars hands slices of structs and of arrays with NULLs over with an offset, though their children are
/// slices already.
fn mended(data: ArrayData) -> ArrayData {
    if data.child_data().is_empty() {
        return data;
    }
    let children: Vec<_> = data.child_data().iter().cloned().map(mended).collect();
    let width = match data.data_type() {
        DataType::Struct(_) => 1,
        DataType::FixedSizeList(_, width) => usize::try_from(*width).unwrap_or(0),
        _ => 0,
    };
    let end = (data.offset() + data.len()) * width;
    let are_sliced = children.iter().any(|child| child.len() < end);
    let offset = if are_sliced { 0 } else { data.offset() };
    // SAFETY: a valid array but for the offset; the NULLs know their own.
    unsafe { data.into_builder().offset(offset).child_data(children).build_unchecked() }
}

/// The bytes of a buffer, whose pointer means nothing where it is empty.
///
/// # Safety
/// `pointer` is NULL, or points to `count` bytes that outlive their use.
pub unsafe fn bytes<'a>(pointer: *const u8, count: usize) -> &'a [u8] {
    match count {
        _ if pointer.is_null() => &[],
        0 => &[],
        // SAFETY: the caller's promise.
        _ => unsafe { std::slice::from_raw_parts(pointer, count) },
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{
        Array, FixedSizeListArray, Float64Array, Int64Array, ListArray, StringViewArray, StructArray,
        make_array,
    };
    use arrow_buffer::{NullBuffer, OffsetBuffer};

    use super::*;

    /// What comes back of a column that is handed over and taken.
    fn passed(data_type: DataType, chunks: &[ArrayRef]) -> (String, Vec<ArrayRef>) {
        let export = ManuallyDrop::new(SeriesExport::new(&Field::new("x", data_type, true), chunks).unwrap());
        // SAFETY: the struct is not used again.
        let series = unsafe { Series::take(&raw const *export, 1) }.unwrap().pop().unwrap();
        series.read().unwrap()
    }

    #[test]
    fn a_column_is_passed_chunk_by_chunk_and_lives_as_long_as_its_arrays() {
        let chunks: [ArrayRef; 3] = [
            Arc::new(StringViewArray::from(vec![Some("a text that is not short"), None])),
            Arc::new(StringViewArray::from(Vec::<&str>::new())),
            Arc::new(StringViewArray::from(vec!["a", "b", "c"]).slice(1, 2)),
        ];
        let (name, passed) = passed(DataType::Utf8View, &chunks);
        assert_eq!((&name[..], &passed[..]), ("x", &chunks[..]));
    }

    #[test]
    fn a_column_without_chunks_is_empty() {
        let (_, chunks) = passed(DataType::Float64, &[]);
        assert_eq!(chunks, [Arc::new(Float64Array::from(Vec::<f64>::new())) as ArrayRef]);
    }

    #[test]
    fn a_column_that_nobody_reads_frees_its_arrays() {
        let chunk: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
        let export =
            SeriesExport::new(&Field::new("x", DataType::Int64, true), std::slice::from_ref(&chunk)).unwrap();
        let export = ManuallyDrop::new(export);
        // SAFETY: the struct is not used again.
        drop(unsafe { Series::take(&raw const *export, 1) });
        let buffer = chunk.to_data().buffers()[0].clone();
        drop(chunk);
        assert_eq!(buffer.strong_count(), 1);
    }

    #[test]
    fn slices_whose_children_are_slices_already_are_mended() {
        let item = Arc::new(Field::new("item", DataType::Int64, true));
        let nulls = || Some(NullBuffer::from(vec![true, true, false, true]));
        let numbers = |range: std::ops::Range<i64>| Arc::new(Int64Array::from_iter_values(range));
        let structs = StructArray::new(vec![item.clone()].into(), vec![numbers(0..4)], nulls());
        let arrays = FixedSizeListArray::new(item, 2, numbers(0..8), nulls());
        let wanted: [(ArrayRef, ArrayRef); 2] =
            [(Arc::new(structs.slice(1, 3)), numbers(1..4)), (Arc::new(arrays.slice(1, 3)), numbers(2..8))];
        for (expected, child) in wanted {
            let data = expected.to_data();
            let nulls = data.nulls().map(|nulls| nulls.buffer().clone());
            let builder =
                ArrayData::builder(data.data_type().clone()).len(3).offset(1).null_bit_buffer(nulls);
            // SAFETY: it is not read before it is mended.
            let wrong = unsafe { builder.add_child_data(child.to_data()).build_unchecked() };
            assert_eq!(&make_array(mended(wrong.clone())), &expected);
            let field = Arc::new(Field::new("item", data.data_type().clone(), true));
            let list =
                |values| ListArray::new(field.clone(), OffsetBuffer::from_lengths([1, 2]), values, None);
            let lists = list(expected.clone()).to_data();
            // SAFETY: as above.
            let wrong = unsafe { lists.clone().into_builder().child_data(vec![wrong]).build_unchecked() };
            assert_eq!(mended(wrong), lists);
            assert_eq!(mended(lists.clone()), lists);
        }
    }
}
