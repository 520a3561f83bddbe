//! Results as DuckDB's vectors.

use std::ffi::{CString, c_void};

use rankdcg_core::aggregate::User;
use rankdcg_core::{Function, Output, Values};

use crate::api::{Handle, api};
use crate::layout::{LogicalType, id};
use crate::vector::ListEntry;

/// The type of a function's results; `user` is that of users, where it yields one result for each.
pub fn logical_type(function: &Function, user: Option<u32>) -> LogicalType {
    if function.output == Output::Value {
        return LogicalType::of(id::DOUBLE);
    }
    let names = function.inputs()[..usize::from(user.is_some())].iter().copied().chain(function.fields());
    let kinds = user.into_iter().chain([id::BIGINT]).chain(std::iter::repeat(id::DOUBLE));
    let field =
        |(name, kind): (&str, u32)| (CString::new(name).expect("names hold no NUL"), LogicalType::of(kind));
    let metrics = LogicalType::struct_of(&names.zip(kinds).map(field).collect::<Vec<_>>());
    if function.output == Output::Metrics && user.is_none() {
        metrics
    } else {
        LogicalType::list_of(&metrics)
    }
}

/// The vector of a call's results.
pub struct Results {
    vector: Writer,
    output: Output,
    metrics: usize,
    /// The columns of k and of each metric, unless there is one metric alone.
    structs: Option<Structs>,
    listed: Listed,
}

/// The structs of lists so far: a vector below a list moves while it grows.
#[derive(Default)]
struct Listed {
    ks: Vec<Option<usize>>,
    /// The metrics of each k, one after the other.
    values: Vec<Option<f64>>,
}

impl Results {
    /// # Safety
    /// `vector` is one of the function's results, with room for every row that is put, for as long as this lives.
    pub unsafe fn new(function: &Function, vector: Handle) -> Self {
        let metrics = function.fields().len().saturating_sub(1);
        // SAFETY: the caller's promise: a vector of structs.
        let structs =
            (function.output == Output::Metrics).then(|| unsafe { Structs::new(vector, 0, metrics) });
        // SAFETY: the caller's promise.
        let vector = unsafe { Writer::new(vector) };
        Self { vector, output: function.output, metrics, structs, listed: Listed::default() }
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
                let offset = (api().list_vector_get_size)(self.vector.handle) + self.listed.ks.len() as u64;
                if let Some(values) = values {
                    self.listed.ks.extend(values.ks);
                    self.listed.values.extend(values.values);
                }
                let length = values.map_or(0, |values| values.ks.len()) as u64;
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
        // SAFETY: the vector is of lists of structs.
        unsafe {
            let (structs, from) = grow(self.vector.handle, self.listed.ks.len(), 0, self.metrics);
            for (index, k) in self.listed.ks.iter().enumerate() {
                let metrics = &self.listed.values[index * self.metrics..][..self.metrics];
                structs.put(from + index, Some((*k, metrics)));
            }
        }
    }
}

/// The results of users: a list of structs for all users of a group.
pub struct UserResults {
    vector: Handle,
    metrics: usize,
    /// The columns of users and of their metrics, once there is room for any.
    columns: Option<(Writer, Structs)>,
    from: usize,
    next: usize,
}

impl UserResults {
    /// # Safety
    /// `vector` is one of the function's results, for as long as this lives.
    pub unsafe fn new(function: &Function, vector: Handle) -> Self {
        // SAFETY: the caller's promise: a vector of lists.
        let from = row(unsafe { (api().list_vector_get_size)(vector) });
        Self { vector, metrics: function.fields().len() - 1, columns: None, from, next: from }
    }

    /// Writes the list to a row.
    ///
    /// # Safety
    /// The vector has room for the row.
    pub unsafe fn finish(self, row: usize) {
        let entry = ListEntry { offset: self.from as u64, length: (self.next - self.from) as u64 };
        // SAFETY: the caller's promise.
        unsafe { Writer::new(self.vector).put(row, Some(entry)) };
    }
}

impl rankdcg_core::aggregate::Results for UserResults {
    fn make_room(&mut self, results: usize) {
        // SAFETY: a vector of lists of structs, which begin with the user.
        unsafe {
            let (structs, _) = grow(self.vector, results, 1, self.metrics);
            let child = (api().list_vector_get_child)(self.vector);
            self.columns = Some((Writer::new((api().struct_vector_get_child)(child, 0)), structs));
        }
    }

    fn put(&mut self, user: User, values: &Values) {
        let Some((users, structs)) = &self.columns else { return };
        for (k, metrics) in values.ks.iter().zip(values.values.chunks(self.metrics)) {
            // SAFETY: the user is of the type with which the function was registered, and room was made.
            unsafe {
                match user {
                    User::Integer(user) => users.put(self.next, Some(user)),
                    User::Text(user) => users.put_text(self.next, user),
                    User::Null => users.put_null(self.next),
                }
                structs.put(self.next, Some((*k, metrics)));
            }
            self.next += 1;
        }
    }
}

/// Makes room for `more` structs in a vector of lists, and returns where the first of them is.
///
/// # Safety
/// `vector` is of lists of structs, whose fields from `first` on are k and as many metrics.
unsafe fn grow(vector: Handle, more: usize, first: u64, metrics: usize) -> (Structs, usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let from = (api().list_vector_get_size)(vector);
        (api().list_vector_reserve)(vector, from + more as u64);
        (api().list_vector_set_size)(vector, from + more as u64);
        let structs = Structs::new((api().list_vector_get_child)(vector), first, metrics);
        (structs, row(from))
    }
}

/// The columns of a vector of structs: k, and each metric.
struct Structs {
    ks: Writer,
    metrics: Vec<Writer>,
}

impl Structs {
    /// # Safety
    /// `vector` is of structs, whose fields from `first` on are k and as many metrics, and stays where it is.
    unsafe fn new(vector: Handle, first: u64, metrics: usize) -> Self {
        // SAFETY: the caller's promise.
        let field = |index| unsafe { Writer::new((api().struct_vector_get_child)(vector, first + index)) };
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
    /// The vector is of texts, with room for the row.
    unsafe fn put_text(&self, row: usize, text: &[u8]) {
        // SAFETY: the caller's promise; the text is copied.
        unsafe {
            let assign = api().vector_assign_string_element_len;
            assign(self.handle, row as u64, text.as_ptr().cast(), text.len() as u64);
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

fn row(number: u64) -> usize {
    usize::try_from(number).expect("a vector fits memory")
}
