//! Results as DuckDB's vectors.
//!
//! What a computation yields is kept here and written once it is done, for writing may throw.

use std::collections::TryReserveError;
use std::ffi::CString;

use rankdcg_core::aggregate::User;
use rankdcg_core::{Error, Function, Nullable, Output, Values};

use crate::api::{Handle, api, rows, throwing};
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

/// The results of some rows.
pub struct Results {
    output: Output,
    /// How many structs each row has, `None` where it is NULL.
    counts: Vec<Option<usize>>,
    structs: Structs,
}

impl Results {
    pub fn new(function: &Function) -> Self {
        Self { output: function.output, counts: Vec::new(), structs: Structs::new(function) }
    }

    /// Adds the results of the next row.
    #[inline]
    pub fn put(&mut self, values: Option<&Values>) {
        match (values, self.output) {
            (Some(values), _) => self.structs.put(values),
            (None, Output::MetricsAt) => {}
            (None, _) => self.structs.put_nulls(),
        }
        if self.output != Output::Value {
            self.counts.push(values.map(|values| values.ks.len()));
        }
    }

    /// Whether there are so many that they should be written before there are more.
    pub fn is_full(&self) -> bool {
        const MANY: usize = 1 << 15;
        self.structs.length >= MANY
    }

    /// An error if there was not enough memory for all.
    pub fn check(&self) -> Result<(), Error> {
        self.structs.check()
    }

    /// Writes the results to the rows of a vector from `first` on, forgets them, and returns how many rows they were.
    ///
    /// # Safety
    /// `vector` is flat, of the type that [`logical_type`] says, and has room for the rows; DuckDB may throw.
    pub unsafe fn write(&mut self, vector: Handle, first: usize) -> usize {
        let count = if self.output == Output::Value { self.structs.length } else { self.counts.len() };
        // SAFETY: the caller's promise.
        unsafe {
            match self.output {
                Output::Value => write(vector, first, self.structs.values(0)),
                Output::Metrics => {
                    self.structs.write(vector, first, 0);
                    let mut nulls = Nulls::of(vector);
                    for (row, count) in (first..).zip(&self.counts) {
                        if count.is_none() {
                            nulls.set(row);
                        }
                    }
                }
                Output::MetricsAt => {
                    let mut offset = (api().list_vector_get_size)(vector);
                    let lists = self.counts.iter().map(|count| {
                        let length = (*count)? as u64;
                        offset += length;
                        Some(ListEntry { offset: offset - length, length })
                    });
                    let lists: Vec<_> = lists.collect();
                    let structs = grow_list(vector, self.structs.length);
                    self.structs.write(structs.vector, structs.first, 0);
                    write(vector, first, lists.into_iter());
                }
            }
        }
        self.counts.clear();
        self.structs.clear();
        count
    }
}

/// The results of some users of a group.
pub struct UserResults {
    users: Vec<OwnedUser>,
    texts: Vec<u8>,
    structs: Structs,
}

/// A user and, of a text, where it ends among the texts.
#[derive(Clone, Copy)]
enum OwnedUser {
    Integer(i64),
    Text(usize),
    Null,
}

impl UserResults {
    pub fn new(function: &Function) -> Self {
        Self { users: Vec::new(), texts: Vec::new(), structs: Structs::new(function) }
    }

    /// An error if there was not enough memory for all.
    pub fn check(&self) -> Result<(), Error> {
        self.structs.check()
    }

    /// Adds the results to the elements of a vector of lists, and forgets them.
    ///
    /// # Safety
    /// `vector` is flat, of the type that [`logical_type`] says; DuckDB may throw.
    pub unsafe fn append(&mut self, vector: Handle) {
        // SAFETY: the caller's promise: the structs begin with the user, of the type with which the function was
        // registered.
        unsafe {
            let structs = grow_list(vector, self.structs.length);
            let users = (api().struct_vector_get_child)(structs.vector, 0);
            let data = (api().vector_get_data)(users);
            let mut nulls = Nulls::of(users);
            let mut start = 0;
            for (row, user) in (structs.first..).zip(&self.users) {
                match *user {
                    OwnedUser::Integer(user) => data.cast::<i64>().add(row).write(user),
                    OwnedUser::Text(end) => {
                        write_text(users, row, &self.texts[start..end]);
                        start = end;
                    }
                    OwnedUser::Null => nulls.set(row),
                }
            }
            self.structs.write(structs.vector, structs.first, 1);
        }
        self.users.clear();
        self.texts.clear();
        self.structs.clear();
    }
}

impl rankdcg_core::aggregate::Results for UserResults {
    fn make_room(&mut self, results: usize) {
        let made = self.users.try_reserve(results);
        self.structs.note(made);
        self.structs.make_room(results);
    }

    fn put(&mut self, user: User, values: &Values) {
        let count = values.ks.len();
        for _ in 0..count {
            let user = match user {
                User::Integer(user) => OwnedUser::Integer(user),
                User::Text(text) => {
                    let made = self.texts.try_reserve(text.len());
                    self.structs.note(made);
                    if self.structs.failed {
                        return;
                    }
                    self.texts.extend_from_slice(text);
                    OwnedUser::Text(self.texts.len())
                }
                User::Null => OwnedUser::Null,
            };
            self.users.push(user);
        }
        self.structs.put(values);
    }
}

/// Structs of k and metrics, a column for each; results that are values are the one column of structs without k.
struct Structs {
    length: usize,
    has_ks: bool,
    ks: Vec<Option<usize>>,
    metrics: Vec<Vec<Nullable>>,
    /// There was not enough memory, and results are missing.
    failed: bool,
}

impl Structs {
    fn new(function: &Function) -> Self {
        let has_ks = function.output != Output::Value;
        let metrics = if has_ks { function.fields().len() - 1 } else { 1 };
        Self { length: 0, has_ks, ks: Vec::new(), metrics: vec![Vec::new(); metrics], failed: false }
    }

    /// Adds a struct for each k.
    #[inline]
    fn put(&mut self, Values { ks, values }: &Values) {
        if !self.has_room(ks.len()) {
            return;
        }
        if self.has_ks {
            self.ks.extend_from_slice(ks);
        }
        let step = self.metrics.len();
        for (index, metric) in self.metrics.iter_mut().enumerate() {
            metric.extend(values.iter().skip(index).step_by(step).copied());
        }
        self.length += ks.len();
    }

    /// Adds a struct whose fields are NULL.
    fn put_nulls(&mut self) {
        if !self.has_room(1) {
            return;
        }
        if self.has_ks {
            self.ks.push(None);
        }
        self.metrics.iter_mut().for_each(|metric| metric.push(Nullable::NULL));
        self.length += 1;
    }

    /// Whether there is room for so many more, once it was made where there was not enough.
    #[inline]
    fn has_room(&mut self, count: usize) -> bool {
        // All columns have as much.
        if self.metrics.first().is_none_or(|metric| metric.capacity() - self.length < count) {
            self.make_room(count);
        }
        !self.failed
    }

    #[cold]
    fn make_room(&mut self, count: usize) {
        let made = self.metrics.iter_mut().try_for_each(|metric| metric.try_reserve(count));
        self.note(made);
        let made = self.ks.try_reserve(count);
        self.note(made);
    }

    fn note(&mut self, made: Result<(), TryReserveError>) {
        self.failed |= made.is_err();
    }

    fn check(&self) -> Result<(), Error> {
        if self.failed { Err(Error::new("out of memory for the results")) } else { Ok(()) }
    }

    fn clear(&mut self) {
        self.length = 0;
        self.ks.clear();
        self.metrics.iter_mut().for_each(Vec::clear);
    }

    fn values(&self, metric: usize) -> impl Iterator<Item = Option<f64>> {
        self.metrics[metric].iter().map(|value| value.get())
    }

    /// Writes to a vector of structs from row `first` on, of which the fields from `field` on are k and the metrics.
    ///
    /// # Safety
    /// The vector is flat, of such structs, and has room for the rows; DuckDB may throw.
    unsafe fn write(&self, vector: Handle, first: usize, field: u64) {
        let child = |index: usize| {
            // SAFETY: the caller's promise: the structs have this field.
            unsafe { (api().struct_vector_get_child)(vector, field + index as u64) }
        };
        // SAFETY: the caller's promise; k is of BIGINT, metrics are of DOUBLE.
        unsafe {
            write(child(0), first, self.ks.iter().map(|k| k.and_then(|k| i64::try_from(k).ok())));
            for index in 0..self.metrics.len() {
                write(child(index + 1), first, self.values(index));
            }
        }
    }
}

/// New elements of lists.
struct Elements {
    vector: Handle,
    first: usize,
}

/// Adds as many elements to a vector of lists, to be written.
///
/// # Safety
/// `vector` is flat and of lists; DuckDB may throw.
unsafe fn grow_list(vector: Handle, count: usize) -> Elements {
    // SAFETY: the caller's promise; the child is asked for anew, for it may have moved.
    unsafe {
        let first = (api().list_vector_get_size)(vector);
        let size = first + count as u64;
        (throwing().list_vector_reserve)(vector, size);
        (throwing().list_vector_set_size)(vector, size);
        Elements { vector: (api().list_vector_get_child)(vector), first: rows(first) }
    }
}

/// Writes values to the rows of a vector from `first` on.
///
/// # Safety
/// The vector is flat, of values of type `T`, and has room for the rows; DuckDB may throw.
unsafe fn write<T>(vector: Handle, first: usize, values: impl Iterator<Item = Option<T>>) {
    let mut nulls = Nulls::of(vector);
    // SAFETY: the caller's promise.
    unsafe {
        let data = (api().vector_get_data)(vector).cast::<T>();
        for (row, value) in (first..).zip(values) {
            match value {
                Some(value) => data.add(row).write(value),
                None => nulls.set(row),
            }
        }
    }
}

/// # Safety
/// The vector is flat, of texts, and has room for the row; DuckDB may throw.
unsafe fn write_text(vector: Handle, row: usize, text: &[u8]) {
    let assign = throwing().vector_assign_string_element_len;
    // SAFETY: the caller's promise; the text is copied.
    unsafe { assign(vector, row as u64, text.as_ptr().cast(), text.len() as u64) };
}

/// The rows of a vector that are NULL: a mask, once there is one.
struct Nulls {
    vector: Handle,
    mask: *mut u64,
}

impl Nulls {
    fn of(vector: Handle) -> Self {
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
pub unsafe fn write_texts(vector: Handle, count: u64, text: &str) {
    for row in 0..rows(count) {
        // SAFETY: the caller's promise.
        unsafe { write_text(vector, row, text.as_bytes()) };
    }
}
