//! Results as DuckDB's vectors.
//!
//! Writing to a vector may throw where it allocates. So room is made before a computation, which writes no more than
//! there is room for, and when it is done its NULLs are marked.

use std::ffi::{CString, c_void};
use std::ops::Range;

use rankdcg_core::aggregate::User;
use rankdcg_core::{Error, Function, Output, Values};

use crate::api::{api, rows, throwing};
use crate::handle::Vector;
use crate::layout::{LogicalType, id};
use crate::vector::ListEntry;

/// The type of a function's results; `user` is that of users, where it yields one result for each.
pub fn logical_type(function: &Function, user: Option<u32>) -> LogicalType {
    if function.output == Output::Value {
        return LogicalType::of(id::DOUBLE);
    }
    let names = function.inputs()[..usize::from(user.is_some())].iter().copied().chain(function.fields());
    let kinds = user.into_iter().chain([id::BIGINT]).chain(std::iter::repeat(id::DOUBLE));
    let field = |(name, kind): (&str, u32)| (CString::new(name).unwrap_or_default(), LogicalType::of(kind));
    let metrics = LogicalType::struct_of(&names.zip(kinds).map(field).collect::<Vec<_>>());
    if function.output == Output::Metrics && user.is_none() {
        metrics
    } else {
        LogicalType::list_of(&metrics)
    }
}

/// The vector of a call's results, or of as many of them as there is room for.
pub struct Results {
    output: Output,
    vector: Vector,
    /// Of lists.
    entries: *mut ListEntry,
    columns: Columns,
    /// The rows that are NULL themselves.
    nulls: Vec<usize>,
}

impl Results {
    /// Makes room for the results of some rows from `first` on: `room` elements where they are lists.
    ///
    /// # Safety
    /// `vector` is flat, of the type that [`logical_type`] says, has room for the rows, and outlives this; DuckDB may
    /// throw.
    pub unsafe fn new(function: &Function, vector: Vector, first: usize, count: usize, room: usize) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let fields = function.fields().len();
            let mut entries = std::ptr::null_mut();
            let columns = match function.output {
                Output::Value => Columns::value(vector, first, first + count),
                Output::Metrics => Columns::structs(vector, 0, fields, first, first + count),
                Output::MetricsAt => {
                    entries = (api().vector_get_data)(vector).cast();
                    Columns::elements(vector, 0, fields, room)
                }
            };
            Self { output: function.output, vector, entries, columns, nulls: Vec::new() }
        }
    }

    /// Writes the results of a row if there is room for them.
    #[inline]
    pub fn put(&mut self, row: usize, values: Option<&Values>) -> bool {
        if self.output == Output::Value {
            self.columns.put_value(values.and_then(|values| values.values[0].get()))
        } else {
            self.put_structs(row, values)
        }
    }

    // Measured: inlined, it slows down the loop over rows of functions that yield values.
    #[inline(never)]
    fn put_structs(&mut self, row: usize, values: Option<&Values>) -> bool {
        let first = self.columns.next;
        if (values.is_some() || self.output != Output::MetricsAt) && !self.columns.put(values) {
            return false;
        }
        match (values, self.output) {
            (None, _) => self.nulls.push(row),
            (Some(_), Output::MetricsAt) => {
                // SAFETY: the vector is of lists, and has room for the row.
                unsafe { self.entries.add(row).write(entry(first, self.columns.next)) };
            }
            _ => {}
        }
        true
    }

    /// How many elements of lists there were, with those for which there was no room.
    pub fn needed(&self) -> usize {
        self.columns.next - self.columns.first + self.columns.lacking
    }

    /// For how many elements of lists there was no room.
    pub fn lacking(&self) -> usize {
        self.columns.lacking
    }

    /// Marks what is NULL, and says how long the lists are.
    ///
    /// # Safety
    /// DuckDB may throw.
    pub unsafe fn finish(self) {
        // SAFETY: the vectors are those of `new`.
        unsafe {
            let mut nulls = Nulls::of(self.vector);
            for row in &self.nulls {
                nulls.set(*row);
            }
            self.columns.mark();
            if self.output == Output::MetricsAt {
                (throwing().list_vector_set_size)(self.vector, self.columns.next as u64);
            }
        }
    }
}

/// The results of some users of a group, which become elements of its list.
pub struct UserResults {
    list: Vector,
    columns: Columns,
    users: *mut c_void,
    /// The users that are texts, each with the row and its end among the bytes.
    texts: Vec<(usize, usize)>,
    bytes: Vec<u8>,
    /// The rows whose user is NULL.
    nulls: Vec<usize>,
    /// There was not enough memory for the texts.
    failed: bool,
}

impl UserResults {
    /// Makes room for as many results.
    ///
    /// # Safety
    /// `list` is flat, of the type that [`logical_type`] says, and outlives this; DuckDB may throw.
    pub unsafe fn new(function: &Function, list: Vector, room: usize) -> Self {
        // SAFETY: the caller's promise: the structs begin with the user.
        unsafe {
            let columns = Columns::elements(list, 1, function.fields().len(), room);
            let users = (api().struct_vector_get_child)((api().list_vector_get_child)(list), 0);
            let users = (api().vector_get_data)(users);
            Self {
                list,
                columns,
                users,
                texts: Vec::new(),
                bytes: Vec::new(),
                nulls: Vec::new(),
                failed: false,
            }
        }
    }

    /// An error if there was not enough memory.
    pub fn check(&self) -> Result<(), Error> {
        if self.failed { Err(Error::new("out of memory for the users")) } else { Ok(()) }
    }

    /// Writes the users that are texts, marks what is NULL, and says how long the list is.
    ///
    /// # Safety
    /// DuckDB may throw.
    pub unsafe fn finish(self) {
        // SAFETY: the vectors are those of `new`; users that are texts were registered so.
        unsafe {
            let users = (api().struct_vector_get_child)((api().list_vector_get_child)(self.list), 0);
            let mut start = 0;
            for (row, end) in self.texts {
                write_text(users, row, &self.bytes[start..end]);
                start = end;
            }
            let mut nulls = Nulls::of(users);
            for row in self.nulls {
                nulls.set(row);
            }
            self.columns.mark();
            (throwing().list_vector_set_size)(self.list, self.columns.next as u64);
        }
    }
}

impl rankdcg_core::aggregate::Results for UserResults {
    fn put(&mut self, user: User, values: &Values) {
        let first = self.columns.next;
        self.columns.put(Some(values));
        for row in first..self.columns.next {
            match user {
                // SAFETY: there was room for the row, and users that are integers were registered so.
                User::Integer(user) => unsafe { self.users.cast::<i64>().add(row).write(user) },
                User::Text(text) => {
                    let made = self.bytes.try_reserve(text.len()).and_then(|()| self.texts.try_reserve(1));
                    if made.is_err() {
                        self.failed = true;
                        return;
                    }
                    self.bytes.extend_from_slice(text);
                    self.texts.push((row, self.bytes.len()));
                }
                User::Null => self.nulls.push(row),
            }
        }
    }
}

/// The columns of k and metrics, from row `first` to `end`.
struct Columns {
    ks: Option<Column<i64>>,
    metrics: Vec<Column<f64>>,
    first: usize,
    /// The row that is written next.
    next: usize,
    end: usize,
    /// How many rows there was no room for.
    lacking: usize,
}

/// A NULL until it is marked.
const NO_VALUE: f64 = f64::NAN;
const NO_K: i64 = i64::MIN;

impl Columns {
    /// # Safety
    /// The vector is flat, of DOUBLE, has these rows, and stays where it is.
    unsafe fn value(vector: Vector, first: usize, end: usize) -> Self {
        // SAFETY: the caller's promise.
        let metrics = vec![unsafe { Column::of(vector) }];
        Self { ks: None, metrics, first, next: first, end, lacking: 0 }
    }

    /// Structs, of which `fields` fields from `field` on are k and metrics.
    ///
    /// # Safety
    /// The vector is flat, of such structs, has these rows, and stays where it is.
    unsafe fn structs(vector: Vector, field: u64, fields: usize, first: usize, end: usize) -> Self {
        // SAFETY: the caller's promise.
        let child = |index: usize| unsafe { (api().struct_vector_get_child)(vector, field + index as u64) };
        // SAFETY: k is of BIGINT, metrics are of DOUBLE.
        unsafe {
            let metrics = (1..fields).map(|index| Column::of(child(index))).collect();
            Self { ks: Some(Column::of(child(0))), metrics, first, next: first, end, lacking: 0 }
        }
    }

    /// New elements of lists, which are such structs.
    ///
    /// # Safety
    /// The vector is flat and of lists of such structs, which stay where they are; DuckDB may throw.
    unsafe fn elements(list: Vector, field: u64, fields: usize, room: usize) -> Self {
        // SAFETY: the caller's promise; the child is asked for anew, for it may have moved.
        unsafe {
            let first = rows((api().list_vector_get_size)(list));
            let end = first.saturating_add(room);
            (throwing().list_vector_reserve)(list, end as u64);
            Self::structs((api().list_vector_get_child)(list), field, fields, first, end)
        }
    }

    /// Writes a row of the one metric if there is room.
    #[inline]
    fn put_value(&mut self, value: Option<f64>) -> bool {
        let has_room = self.next < self.end;
        if has_room {
            // SAFETY: there is room.
            unsafe { self.metrics[0].put(self.next, value, NO_VALUE) };
            self.next += 1;
        } else {
            self.lacking += 1;
        }
        has_room
    }

    /// Writes a row for each k, or one of NULLs, if there is room.
    ///
    /// Where a struct is NULL its fields have to be, for queries read them past the struct.
    #[inline]
    fn put(&mut self, values: Option<&Values>) -> bool {
        let count = values.map_or(1, |values| values.ks.len());
        if self.end - self.next < count {
            self.lacking += count;
            return false;
        }
        let (first, step) = (self.next, self.metrics.len());
        // SAFETY: there is room.
        unsafe {
            if let Some(Values { ks, values }) = values {
                if let Some(column) = &mut self.ks {
                    for (row, k) in (first..).zip(*ks) {
                        column.put(row, k.and_then(|k| i64::try_from(k).ok()), NO_K);
                    }
                }
                for (row, values) in (first..first + count).zip(values.chunks(step)) {
                    for (metric, value) in self.metrics.iter_mut().zip(values) {
                        metric.put(row, value.get(), NO_VALUE);
                    }
                }
            } else {
                self.ks.iter_mut().for_each(|column| column.put(first, None, NO_K));
                self.metrics.iter_mut().for_each(|metric| metric.put(first, None, NO_VALUE));
            }
        }
        self.next += count;
        true
    }

    /// Marks what is NULL.
    ///
    /// # Safety
    /// DuckDB may throw.
    unsafe fn mark(&self) {
        let rows = self.first..self.next;
        // SAFETY: these rows were written.
        unsafe {
            self.ks.iter().for_each(|column| column.mark(rows.clone(), |k| k == NO_K));
            self.metrics.iter().for_each(|metric| metric.mark(rows.clone(), f64::is_nan));
        }
    }
}

/// A vector whose NULLs are marked later.
struct Column<T> {
    vector: Vector,
    data: *mut T,
    has_nulls: bool,
}

impl<T: Copy> Column<T> {
    /// # Safety
    /// The vector is flat, of values of type `T`, and stays where it is.
    unsafe fn of(vector: Vector) -> Self {
        // SAFETY: the caller's promise.
        Self { vector, data: unsafe { (api().vector_get_data)(vector) }.cast(), has_nulls: false }
    }

    /// # Safety
    /// There is room for the row.
    #[inline]
    unsafe fn put(&mut self, row: usize, value: Option<T>, null: T) {
        self.has_nulls |= value.is_none();
        // SAFETY: the caller's promise.
        unsafe { self.data.add(row).write(value.unwrap_or(null)) };
    }

    /// Marks the NULLs among these rows.
    ///
    /// # Safety
    /// The rows were written; DuckDB may throw.
    unsafe fn mark(&self, rows: Range<usize>, is_null: impl Fn(T) -> bool) {
        if !self.has_nulls {
            return;
        }
        let mut nulls = Nulls::of(self.vector);
        for row in rows {
            // SAFETY: the caller's promise.
            unsafe {
                if is_null(self.data.add(row).read()) {
                    nulls.set(row);
                }
            }
        }
    }
}

/// The elements of a list that lie between two rows.
pub fn entry(first: usize, end: usize) -> ListEntry {
    ListEntry { offset: first as u64, length: (end - first) as u64 }
}

/// # Safety
/// The vector is flat, of texts, and has room for the row; DuckDB may throw.
unsafe fn write_text(vector: Vector, row: usize, text: &[u8]) {
    let assign = throwing().vector_assign_string_element_len;
    // SAFETY: the caller's promise; the text is copied.
    unsafe { assign(vector, row as u64, text.as_ptr().cast(), text.len() as u64) };
}

/// The rows of a vector that are NULL: a mask, once there is one.
struct Nulls {
    vector: Vector,
    mask: *mut u64,
}

impl Nulls {
    fn of(vector: Vector) -> Self {
        Self { vector, mask: std::ptr::null_mut() }
    }

    /// # Safety
    /// The vector is flat, and has room for the row; DuckDB may throw.
    unsafe fn set(&mut self, row: usize) {
        // SAFETY: the caller's promise; the mask is there once it is writable.
        unsafe {
            if self.mask.is_null() {
                (throwing().vector_ensure_validity_writable)(self.vector);
                self.mask = (api().vector_get_validity)(self.vector);
            }
            (api().validity_set_row_invalid)(self.mask, row as u64);
        }
    }
}

/// Writes one text to each of the first rows.
///
/// # Safety
/// As for [`Results::write`], with a vector of texts.
pub unsafe fn write_texts(vector: Vector, count: u64, text: &str) {
    for row in 0..rows(count) {
        // SAFETY: the caller's promise.
        unsafe { write_text(vector, row, text.as_bytes()) };
    }
}
