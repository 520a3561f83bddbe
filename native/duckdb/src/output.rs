//! Results as DuckDB's vectors.

use std::ffi::{CString, c_void};

use rankdcg_core::{Function, Output, Values};

use crate::api::{Handle, api};
use crate::layout::{LogicalType, id};
use crate::vector::ListEntry;

/// The type of a function's results.
pub fn logical_type(function: &Function) -> LogicalType {
    if function.output == Output::Value {
        return LogicalType::of(id::DOUBLE);
    }
    let field = |(index, name): (usize, &str)| {
        let kind = if index == 0 { id::BIGINT } else { id::DOUBLE };
        (CString::new(name).expect("names hold no NUL"), LogicalType::of(kind))
    };
    let metrics =
        LogicalType::struct_of(&function.fields().into_iter().enumerate().map(field).collect::<Vec<_>>());
    if function.output == Output::Metrics { metrics } else { LogicalType::list_of(&metrics) }
}

/// The vector of a call's results.
pub struct Results {
    vector: Writer,
    output: Output,
    metrics: usize,
    /// The columns of k and of each metric, unless there is one metric alone.
    structs: Option<Structs>,
    /// The structs of the lists so far: a vector below a list moves while it grows.
    listed: Vec<(Option<usize>, Vec<Option<f64>>)>,
}

impl Results {
    /// # Safety
    /// `vector` is one of the function's results, with room for every row that is put, for as long as this lives.
    pub unsafe fn new(function: &Function, vector: Handle) -> Self {
        let metrics = function.metrics.len();
        // SAFETY: the caller's promise: a vector of structs.
        let structs = (function.output == Output::Metrics).then(|| unsafe { Structs::new(vector, metrics) });
        // SAFETY: the caller's promise.
        let vector = unsafe { Writer::new(vector) };
        Self { vector, output: function.output, metrics, structs, listed: Vec::new() }
    }

    pub fn put(&mut self, row: usize, values: Option<&Values>) {
        // SAFETY: the vectors are of the types that `logical_type` says, and have room for the row.
        unsafe {
            if let Some(structs) = &self.structs {
                structs.put(row, values.map(|values| (values.ks[0], values.values)));
                if values.is_none() {
                    self.vector.put_null(row);
                }
            } else if self.output == Output::MetricsAt {
                let offset = self.listed.len() as u64;
                if let Some(values) = values {
                    let metrics = values.values.chunks(self.metrics).map(<[_]>::to_vec);
                    self.listed.extend(values.ks.iter().copied().zip(metrics));
                }
                let length = self.listed.len() as u64 - offset;
                self.vector.put(row, values.map(|_| ListEntry { offset, length }));
            } else {
                self.vector.put(row, values.and_then(|values| values.values[0]));
            }
        }
    }

    /// Writes what had to wait for all rows.
    pub fn finish(self) {
        if self.output != Output::MetricsAt {
            return;
        }
        let size = self.listed.len() as u64;
        // SAFETY: the vector is of lists of structs, which get room for all that are written.
        unsafe {
            let vector = self.vector.handle;
            (api().list_vector_reserve)(vector, size);
            (api().list_vector_set_size)(vector, size);
            let structs = Structs::new((api().list_vector_get_child)(vector), self.metrics);
            for (row, (k, metrics)) in self.listed.iter().enumerate() {
                structs.put(row, Some((*k, metrics)));
            }
        }
    }
}

/// The columns of a vector of structs: k, and each metric.
struct Structs {
    ks: Writer,
    metrics: Vec<Writer>,
}

impl Structs {
    /// # Safety
    /// `vector` is of structs of k and of `metrics` metrics, and stays where it is.
    unsafe fn new(vector: Handle, metrics: usize) -> Self {
        // SAFETY: the caller's promise.
        let field = |index| unsafe { Writer::new((api().struct_vector_get_child)(vector, index)) };
        Self { ks: field(0), metrics: (1..=metrics as u64).map(field).collect() }
    }

    /// Where the struct is NULL its fields have to be, for queries read them past the struct.
    ///
    /// # Safety
    /// The vector has room for the row.
    unsafe fn put(&self, row: usize, values: Option<(Option<usize>, &[Option<f64>])>) {
        let (k, values) = values.unwrap_or_default();
        // SAFETY: the caller's promise; k is of BIGINT, metrics are of DOUBLE.
        unsafe {
            self.ks.put(row, k.and_then(|k| i64::try_from(k).ok()));
            for (index, metric) in self.metrics.iter().enumerate() {
                metric.put(row, values.get(index).copied().flatten());
            }
        }
    }
}

/// A flat vector to write to.
struct Writer {
    handle: Handle,
    data: *mut c_void,
}

impl Writer {
    /// # Safety
    /// `vector` is flat and stays where it is.
    unsafe fn new(handle: Handle) -> Self {
        // SAFETY: the caller's promise; a vector of structs has no data, and the pointer is not used.
        Self { handle, data: unsafe { (api().vector_get_data)(handle) } }
    }

    /// # Safety
    /// The vector is of values of type `T`, with room for the row.
    unsafe fn put<T>(&self, row: usize, value: Option<T>) {
        // SAFETY: the caller's promise.
        unsafe {
            match value {
                Some(value) => self.data.cast::<T>().add(row).write(value),
                None => self.put_null(row),
            }
        }
    }

    /// # Safety
    /// The vector has room for the row.
    unsafe fn put_null(&self, row: usize) {
        // SAFETY: the caller's promise; the mask is there once it is writable.
        unsafe {
            (api().vector_ensure_validity_writable)(self.handle);
            (api().validity_set_row_invalid)((api().vector_get_validity)(self.handle), row as u64);
        }
    }
}
