//! The struct in which Polars passes a column, and the rules by which its parts are freed.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr::{null_mut, read};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{ArrayRef, new_empty_array};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field};
use rankdcg_arrow_import::{checked_array, import};

use crate::format;

/// `SeriesExport` of the crate polars-ffi, version 0: a column as a field and any number of arrays, its chunks.
///
/// The receiver moves the arrays out of it, and then releases it. To release it frees the field and the structs of the
/// arrays, but not the data that the arrays own.
#[repr(C)]
pub struct SeriesExport {
    /// The name and the type of the column.
    field: *mut FFI_ArrowSchema,
    arrays: *mut *mut FFI_ArrowArray,
    len: usize,
    /// The producer's function that releases the struct; `None` once it is released.
    release: Option<unsafe extern "C" fn(*mut SeriesExport)>,
    /// The producer's own. Polars takes a series in which it is NULL for a failed call.
    private_data: *mut c_void,
}

impl Drop for SeriesExport {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: this is the producer's function for this struct. It is called once, because the struct is
            // dropped.
            unsafe { release(self) }
        }
    }
}

impl SeriesExport {
    /// A column of results, from its chunks.
    pub fn new(field: &Field, chunks: &[ArrayRef]) -> Result<Self, ArrowError> {
        let schema = format::schema(field)?;
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

/// Frees all that [`SeriesExport::new`] allocated, except the arrays, which the receiver has moved out.
///
/// # Safety
/// [`SeriesExport::new`] has filled `export`, and it is released once.
unsafe extern "C" fn release(export: *mut SeriesExport) {
    // SAFETY: the caller's promise.
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

/// A column that this library has taken over.
pub struct Series {
    /// Polars' struct, which owns the field.
    export: SeriesExport,
    /// The chunks, moved out of it.
    arrays: Vec<FFI_ArrowArray>,
}

impl Series {
    /// Takes over the columns of a call.
    ///
    /// # Safety
    /// `inputs` is NULL, or holds `count` columns that nobody else uses any more. Their pointers are NULL or valid.
    pub unsafe fn take(inputs: *const SeriesExport, count: usize) -> Result<Vec<Self>, String> {
        if inputs.is_null() && count > 0 {
            return Err("rankdcg: the columns are NULL".into());
        }
        let chunk = |chunk: *mut FFI_ArrowArray| {
            // A missing chunk becomes an empty one, which is an error as soon as it is read.
            let empty = FFI_ArrowArray::empty();
            // SAFETY: the caller's promise. Each struct is moved out once.
            if chunk.is_null() { empty } else { unsafe { read(chunk) } }
        };
        let take = |index| {
            // SAFETY: the caller's promise. Each struct is moved out once.
            let export = unsafe { read(inputs.add(index)) };
            let chunk_count = if export.arrays.is_null() { 0 } else { export.len };
            // SAFETY: the caller's promise.
            let arrays = (0..chunk_count).map(|index| chunk(unsafe { *export.arrays.add(index) })).collect();
            Self { export, arrays }
        };
        Ok((0..count).map(take).collect())
    }

    /// The column's field and its chunks. A column without chunks gets an empty one.
    pub fn read(mut self) -> Result<(Field, Vec<ArrayRef>), String> {
        // SAFETY: the field lives as long as the struct that owns it.
        let field = unsafe { field(self.export.field)? };
        let data_type = field.data_type().clone();
        let arrays = std::mem::take(&mut self.arrays);
        if arrays.len() != self.export.len {
            return Err("the chunks of a column of Polars are NULL".into());
        }
        if arrays.is_empty() {
            return Ok((field, vec![new_empty_array(&data_type)]));
        }
        let read = |array| {
            // SAFETY: Polars' arrays are of the type that the field describes.
            let data = unsafe { import(array, data_type.clone()) };
            data.and_then(|data| checked_array(without_repeated_offsets(data)))
                .map_err(|error| format!("a column of Polars could not be read: {error}"))
        };
        Ok((field, arrays.into_iter().map(read).collect::<Result<_, _>>()?))
    }
}

/// A column's name and type, and the metadata by which Polars tells some of its own types.
///
/// # Safety
/// `field` is NULL, or its pointers are NULL or valid in the words of the Arrow C data interface.
pub unsafe fn field(field: *const FFI_ArrowSchema) -> Result<Field, String> {
    // SAFETY: the caller's promise.
    let data_type = unsafe { rankdcg_arrow_import::data_type(field, format::data_type)? };
    // SAFETY: the field is not NULL, for its type was read.
    let field = unsafe { &*field };
    let metadata =
        field.metadata().map_err(|error| format!("a field of Polars could not be read: {error}"))?;
    Ok(Field::new(field.name().unwrap_or_default(), data_type, true).with_metadata(metadata))
}

/// The array, without its offset if its children are sliced already; the same holds for each array inside it. Children
/// are sliced if one of them is shorter than the offset and the length require.
///
/// Polars up to 1.42 passes slices of structs, and of fixed-size lists with NULLs, in both forms at once: with an
/// offset, and with children that are slices. The offset would slice the children once more.
fn without_repeated_offsets(data: ArrayData) -> ArrayData {
    if data.child_data().is_empty() {
        return data;
    }
    let children: Vec<_> = data.child_data().iter().cloned().map(without_repeated_offsets).collect();
    let width = match data.data_type() {
        DataType::Struct(_) => 1,
        DataType::FixedSizeList(_, width) => usize::try_from(*width).unwrap_or(0),
        _ => 0, // the offset does not count elements of a child
    };
    let end = (data.offset() + data.len()) * width;
    let are_sliced = children.iter().any(|child| child.len() < end);
    let offset = if are_sliced { 0 } else { data.offset() };
    // SAFETY: the array is valid except for the offset. The mask of NULLs has an offset of its own.
    unsafe { data.into_builder().offset(offset).child_data(children).build_unchecked() }
}

/// The bytes of a buffer; none if its pointer is NULL. If it is empty, its pointer may be invalid.
///
/// # Safety
/// `pointer` is NULL, or points to `count` bytes that outlive their use.
pub unsafe fn bytes<'a>(pointer: *const u8, count: usize) -> &'a [u8] {
    // SAFETY: the caller's promise.
    unsafe { if pointer.is_null() || count == 0 { &[] } else { std::slice::from_raw_parts(pointer, count) } }
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

    /// The column that arrives when one is handed over.
    fn passed(data_type: DataType, chunks: &[ArrayRef]) -> (String, Vec<ArrayRef>) {
        let export = ManuallyDrop::new(SeriesExport::new(&Field::new("x", data_type, true), chunks).unwrap());
        // SAFETY: the struct is not used again.
        let series = unsafe { Series::take(&raw const *export, 1) }.unwrap().pop().unwrap();
        let (field, chunks) = series.read().unwrap();
        (field.name().clone(), chunks)
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
    fn an_offset_is_dropped_if_the_children_are_slices_already() {
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
            // SAFETY: it is not read before its offset is dropped.
            let wrong = unsafe { builder.add_child_data(child.to_data()).build_unchecked() };
            assert_eq!(&make_array(without_repeated_offsets(wrong.clone())), &expected);
            let field = Arc::new(Field::new("item", data.data_type().clone(), true));
            let list =
                |values| ListArray::new(field.clone(), OffsetBuffer::from_lengths([1, 2]), values, None);
            let lists = list(expected.clone()).to_data();
            // SAFETY: as above.
            let wrong = unsafe { lists.clone().into_builder().child_data(vec![wrong]).build_unchecked() };
            assert_eq!(without_repeated_offsets(wrong), lists);
            assert_eq!(without_repeated_offsets(lists.clone()), lists);
        }
    }
}
