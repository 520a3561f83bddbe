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
    columns: Columns,
}

/// What is below the vector.
enum Columns {
    None,
    Structs(Structs),
    Lists(Lists),
}

impl Results {
    /// # Safety
    /// `vector` is one of the function's results, with room for every row that is put, for as long as this lives.
    pub unsafe fn new(function: &Function, vector: Handle, rows: usize) -> Self {
        // SAFETY: the caller's promise: the vector is of the type that `logical_type` says.
        unsafe {
            let fields = function.fields().len();
            let columns = match function.output {
                Output::Value => Columns::None,
                Output::Metrics => Columns::Structs(Structs::new(vector, 0, fields)),
                Output::MetricsAt => Columns::Lists(Lists::new(vector, 0, fields, rows)),
            };
            Self { vector: Writer::new(vector), columns }
        }
    }

    #[inline]
    pub fn put(&mut self, row: usize, values: Option<&Values>) {
        // SAFETY: the vectors are of the types that `logical_type` says, and have room for the row.
        unsafe {
            match &mut self.columns {
                Columns::None => self.vector.put(row, values.and_then(|values| values.values[0].get())),
                Columns::Structs(structs) => match values {
                    Some(values) => structs.put(row, values),
                    None => structs.put_null(row),
                },
                Columns::Lists(lists) => {
                    let entry = values.map(|values| lists.put(values, |_| ()));
                    self.vector.put(row, entry);
                }
            }
        }
    }

    /// Says how long the lists are.
    pub fn finish(self) {
        if let Columns::Lists(lists) = self.columns {
            lists.finish();
        }
    }
}

/// The structs of lists, which move when there come to be more than there is room for.
struct Lists {
    vector: Handle,
    /// The number of the field that is k, and how many fields there are from there on.
    first: u64,
    fields: usize,
    structs: Option<Structs>,
    next: usize,
    room: usize,
    /// How many lists there will be, as far as that is known.
    expected: usize,
}

impl Lists {
    /// # Safety
    /// `vector` is of lists of structs, whose fields from `first` on are k and metrics, for as long as this lives.
    unsafe fn new(vector: Handle, first: u64, fields: usize, expected: usize) -> Self {
        // SAFETY: the caller's promise.
        let next = unsafe { (api().list_vector_get_size)(vector) };
        let next = usize::try_from(next).expect("a vector fits memory");
        Self { vector, first, fields, structs: None, next, room: next, expected }
    }

    /// Adds a list, of which `more` writes what comes before k, and returns where it is.
    fn put(&mut self, values: &Values, more: impl Fn(usize)) -> ListEntry {
        let count = values.ks.len();
        if self.room - self.next < count {
            self.make_room(count.max(count * self.expected).max(self.next));
        }
        let entry = ListEntry { offset: self.next as u64, length: count as u64 };
        if let Some(structs) = &self.structs {
            (self.next..self.next + count).for_each(more);
            // SAFETY: room was made.
            unsafe { structs.put(self.next, values) };
            self.next += count;
        }
        entry
    }

    fn make_room(&mut self, more: usize) {
        self.room = self.next + more;
        // SAFETY: the vector is of lists of structs; its child is asked for anew.
        unsafe {
            (api().list_vector_reserve)(self.vector, self.room as u64);
            self.structs = Some(Structs::new(self.child(), self.first, self.fields));
        }
    }

    fn child(&self) -> Handle {
        // SAFETY: the vector is of lists.
        unsafe { (api().list_vector_get_child)(self.vector) }
    }

    fn finish(self) {
        // SAFETY: the vector is of lists, with room for as many structs.
        unsafe { (api().list_vector_set_size)(self.vector, self.next as u64) };
    }
}

/// The results of users: a list of structs for all users of a group.
pub struct UserResults {
    lists: Lists,
    users: Option<Writer>,
    from: usize,
}

impl UserResults {
    /// # Safety
    /// `vector` is one of the function's results, for as long as this lives.
    pub unsafe fn new(function: &Function, vector: Handle) -> Self {
        // SAFETY: the caller's promise: a vector of lists of structs, which begin with the user.
        let lists = unsafe { Lists::new(vector, 1, function.fields().len(), 0) };
        Self { from: lists.next, lists, users: None }
    }

    /// Writes the list to a row.
    ///
    /// # Safety
    /// The vector has room for the row.
    pub unsafe fn finish(self, row: usize) {
        let entry = ListEntry { offset: self.from as u64, length: (self.lists.next - self.from) as u64 };
        // SAFETY: the caller's promise.
        unsafe { Writer::new(self.lists.vector).put(row, Some(entry)) };
        self.lists.finish();
    }
}

impl rankdcg_core::aggregate::Results for UserResults {
    fn make_room(&mut self, results: usize) {
        self.lists.make_room(results);
        // SAFETY: the structs begin with the user.
        self.users = Some(unsafe { Writer::new((api().struct_vector_get_child)(self.lists.child(), 0)) });
    }

    fn put(&mut self, user: User, values: &Values) {
        let Some(users) = &self.users else { return };
        self.lists.put(values, |row| {
            // SAFETY: the user is of the type with which the function was registered, and room was made.
            unsafe {
                match user {
                    User::Integer(user) => users.put(row, Some(user)),
                    User::Text(user) => users.put_text(row, user),
                    User::Null => users.put_null(row),
                }
            }
        });
    }
}

/// The columns of a vector of structs: k, and each metric.
struct Structs {
    vector: Writer,
    ks: Writer,
    metrics: Vec<Writer>,
}

impl Structs {
    /// # Safety
    /// `vector` is of structs with as many fields from `first` on, k and metrics, and stays where it is.
    unsafe fn new(vector: Handle, first: u64, fields: usize) -> Self {
        // SAFETY: the caller's promise.
        let field = |index| unsafe { Writer::new((api().struct_vector_get_child)(vector, first + index)) };
        Self {
            // SAFETY: the caller's promise.
            vector: unsafe { Writer::new(vector) },
            ks: field(0),
            metrics: (1..fields as u64).map(field).collect(),
        }
    }

    /// Writes a struct for each k, from `row` on.
    ///
    /// # Safety
    /// The vector has room for the rows.
    #[inline]
    unsafe fn put(&self, row: usize, Values { ks, values }: &Values) {
        // SAFETY: the caller's promise; k is of BIGINT, metrics are of DOUBLE.
        unsafe {
            for (row, k) in (row..).zip(*ks) {
                self.ks.put(row, k.and_then(|k| i64::try_from(k).ok()));
            }
            for (index, metric) in self.metrics.iter().enumerate() {
                let values = values.iter().skip(index).step_by(self.metrics.len());
                for (row, value) in (row..).zip(values) {
                    metric.put(row, value.get());
                }
            }
        }
    }

    /// Where the struct is NULL its fields have to be, for queries read them past the struct.
    ///
    /// # Safety
    /// The vector has room for the row.
    unsafe fn put_null(&self, row: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            self.vector.put_null(row);
            self.ks.put_null(row);
            self.metrics.iter().for_each(|metric| metric.put_null(row));
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
