//! Writes results to DuckDB's vectors.
//!
//! DuckDB may throw when it allocates memory for a vector. So memory is reserved before a computation, which writes
//! no more than fits. NULLs are marked after it.

use std::ffi::{CString, c_void};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rankdcg_core::aggregate::{PartitionCursor, RowCounts, User};
use rankdcg_core::{
    Error, FieldType, Function, Grow, ItemResults, Nullable, Output, ROW_COUNTS, ResultType, Values,
};

use crate::api::{api, throwing, to_usize};
use crate::handle::Vector;
use crate::layout::{Layout, LogicalType, Storage, id};
use crate::text::Text;
use crate::vector::ListEntry;

/// The type of a function's results. `arguments` are the types of the arguments whose values results contain, users or
/// items, or both. Without one, lists of items are lists of untyped NULLs.
pub fn logical_type(function: &Function, arguments: &[u32]) -> LogicalType {
    let ResultType { fields, is_list, is_items } = function.result();
    if is_items {
        return LogicalType::list_of(&LogicalType::of(arguments.first().copied().unwrap_or(id::NULL)));
    }
    let field = |(name, field): (&str, FieldType)| {
        let kind = match field {
            FieldType::User => arguments.first().copied().unwrap_or(id::BIGINT),
            FieldType::Item | FieldType::Items => arguments.last().copied().unwrap_or(id::BIGINT),
            FieldType::Count => id::BIGINT,
            FieldType::Number | FieldType::Numbers => id::DOUBLE,
        };
        let (kind, is_list) = (LogicalType::of(kind), matches!(field, FieldType::Numbers | FieldType::Items));
        let kind = if is_list { LogicalType::list_of(&kind) } else { kind };
        (CString::new(name).unwrap_or_default(), kind)
    };
    let result = if fields.is_empty() {
        LogicalType::of(id::DOUBLE)
    } else {
        LogicalType::struct_of(&fields.into_iter().map(field).collect::<Vec<_>>())
    };
    if is_list { LogicalType::list_of(&result) } else { result }
}

/// The vector of a call's results. Lists are written only as far as their elements fit the reserved memory.
pub struct Results {
    output: Output,
    /// How many of the last values are counts, which DuckDB's vectors hold as integers.
    trailing_counts: usize,
    vector: Vector,
    /// The list entry of each row; NULL if results are no lists.
    entries: *mut ListEntry,
    columns: Columns,
    /// The rows whose result is NULL as a whole.
    nulls: Vec<usize>,
}

impl Results {
    /// Prepares the vector for the results of these rows. `capacity` is the number of elements for which memory is
    /// reserved, if results are lists.
    ///
    /// # Safety
    /// `vector` is flat, of the type that [`logical_type`] returns, has room for the rows, and outlives the results.
    /// DuckDB may throw.
    pub unsafe fn new(function: &Function, vector: Vector, rows: Range<usize>, capacity: usize) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            const K_FIELD: u64 = 0; // no user and no counts come before k
            let fields = function.fields().len();
            let mut entries = std::ptr::null_mut();
            if function.output.is_list() {
                entries = (api().vector_get_data)(vector).cast();
            }
            let columns = match function.output {
                // Lists of items never come here: `ItemResults` and `ExplanationResults` write them.
                Output::Value | Output::Items | Output::Explanation => Columns::value(vector, rows),
                Output::Metrics => Columns::structs(vector, K_FIELD, fields, rows),
                Output::MetricsAt | Output::Values | Output::Measures => {
                    Columns::elements(vector, K_FIELD, fields, capacity)
                }
            };
            let trailing_counts = function.trailing_counts();
            let (output, nulls) = (function.output, Vec::new());
            Self { output, trailing_counts, vector, entries, columns, nulls }
        }
    }

    /// Writes the result of a row, NULL without values, if it fits, and returns whether it does.
    #[inline]
    pub fn put(&mut self, row: usize, values: Option<&Values>) -> bool {
        if self.output == Output::Value {
            self.columns.put_value(values.and_then(|values| values.values[0].get()))
        } else {
            self.put_structs(row, values)
        }
    }

    /// As [`Self::put`], for a result that is a struct or a list.
    // Measured: inlined, it slows down the loop over rows of functions that yield values.
    #[inline(never)]
    fn put_structs(&mut self, row: usize, values: Option<&Values>) -> bool {
        let first = self.columns.next;
        let is_list = self.output.is_list();
        // A NULL list has no elements; the fields of a NULL struct are written.
        if (values.is_some() || !is_list) && !self.columns.put(values) {
            return false;
        }
        match (values, is_list) {
            (None, _) => self.nulls.push(row),
            (Some(_), true) => {
                // SAFETY: the vector is one of lists, and has room for the row.
                unsafe { self.entries.add(row).write(entry(first, self.columns.next)) };
            }
            _ => {}
        }
        true
    }

    /// How many elements all lists have together, whether they were written or not.
    pub fn element_count(&self) -> usize {
        self.columns.next - self.columns.first + self.columns.overflow
    }

    /// How many elements of lists did not fit.
    pub fn overflow(&self) -> usize {
        self.columns.overflow
    }

    /// Marks NULLs, turns counts into integers, and sets the size of DuckDB's child vector of lists.
    ///
    /// # Safety
    /// DuckDB may throw.
    pub unsafe fn finish(self) {
        // SAFETY: the vectors are those that `new` was given, and outlive the results.
        unsafe {
            mark_nulls(self.vector, self.nulls);
            self.columns.mark();
            self.columns.make_integers(self.trailing_counts);
            if self.output.is_list() {
                (throwing().list_vector_set_size)(self.vector, self.columns.next as u64);
            }
        }
    }
}

/// The vector of values of measures of items: each row has a list for each measure, of its values for all rankings.
pub struct ItemValues {
    vector: Vector,
    /// The list entry of each row.
    entries: *mut ListEntry,
    /// The vector of the lists of measures, and its data.
    measures: Vector,
    entries_of_measures: *mut ListEntry,
    /// The lists of measures to be written, after those of the row that was begun.
    lists: Range<usize>,
    /// The vector of values, and its data.
    values: Vector,
    data: *mut f64,
    /// The first value of these results, and the values to be written, after those of the row that was begun.
    first: usize,
    left: Range<usize>,
    /// The lists of the row that was begun, its values, and how many rankings it has.
    begun: Option<(Range<usize>, Range<usize>, usize)>,
    has_nulls: AtomicBool,
    /// The rows whose result is NULL as a whole.
    nulls: Vec<usize>,
}

// SAFETY: threads share it while a row is begun, to call `put`, which calls no function of DuckDB, and writes to values that no
// other thread writes to.
unsafe impl Sync for ItemValues {}

impl ItemValues {
    /// Prepares the vector for rows with these numbers of measures, at most, and of rankings.
    ///
    /// # Safety
    /// `vector` is flat, of lists of lists of DOUBLE, has room for the rows, and outlives the results. DuckDB may throw.
    pub unsafe fn new(vector: Vector, rows: &[[usize; 2]]) -> Self {
        // SAFETY: the caller's promise. To reserve memory may move data, so it is asked for after that.
        unsafe {
            let lists = reserve_elements(vector, rows.iter().map(|[measures, _]| measures).sum());
            let measures = (api().list_vector_get_child)(vector);
            let left = reserve_elements(measures, item_count(rows));
            let values = (api().list_vector_get_child)(measures);
            Self {
                vector,
                entries: (api().vector_get_data)(vector).cast(),
                measures,
                entries_of_measures: (api().vector_get_data)(measures).cast(),
                lists,
                values,
                data: (api().vector_get_data)(values).cast(),
                first: left.start,
                left,
                begun: None,
                has_nulls: AtomicBool::new(false),
                nulls: Vec::new(),
            }
        }
    }

    /// Marks NULLs, and sets the sizes of DuckDB's child vectors of lists.
    ///
    /// # Safety
    /// All values of the rows were written. DuckDB may throw.
    pub unsafe fn finish(self) {
        // SAFETY: the vectors are those that `new` was given, and outlive the results.
        unsafe {
            mark_nulls(self.vector, self.nulls);
            if self.has_nulls.into_inner() {
                let is_null = |row: &usize| self.data.add(*row).read().is_nan();
                mark_nulls(self.values, (self.first..self.left.start).filter(is_null));
            }
            (throwing().list_vector_set_size)(self.measures, self.left.start as u64);
            (throwing().list_vector_set_size)(self.vector, self.lists.start as u64);
        }
    }
}

impl ItemResults for ItemValues {
    fn begin_row(&mut self, measures: usize, rankings: usize) -> Result<(), Error> {
        let values = measures.saturating_mul(rankings);
        if self.lists.len() < measures || self.left.len() < values {
            return Err(Error::internal("the results do not fit"));
        }
        let (list, value) = (self.lists.start, self.left.start);
        for measure in 0..measures {
            let start = value + measure * rankings;
            // SAFETY: there is memory for the list.
            unsafe { self.entries_of_measures.add(list + measure).write(entry(start, start + rankings)) };
        }
        (self.lists.start, self.left.start) = (list + measures, value + values);
        self.begun = Some((list..self.lists.start, value..self.left.start, rankings));
        Ok(())
    }

    fn put(&self, measure: usize, first: usize, values: &[Nullable]) {
        let Some((_, of_row, rankings)) = &self.begun else { return };
        let start = of_row.start + measure * rankings + first;
        assert!(start + values.len() <= of_row.end, "the values do not fit");
        let mut has_nulls = false;
        for (place, value) in (start..).zip(values) {
            has_nulls |= value.get().is_none();
            // SAFETY: the place is one of the row's, for which there is memory.
            unsafe { self.data.add(place).write(value.or_nan()) };
        }
        if has_nulls {
            self.has_nulls.store(true, Ordering::Relaxed);
        }
    }

    fn end_row(&mut self, row: usize) -> Result<(), Error> {
        let lists = if let Some((lists, ..)) = self.begun.take() {
            lists
        } else {
            self.nulls.try_push(row)?;
            0..0
        };
        // SAFETY: the vector has room for the row.
        unsafe { self.entries.add(row).write(entry(lists.start, lists.end)) };
        Ok(())
    }
}

/// The results of some users of a group: elements of the group's list.
pub struct UserResults {
    /// The elements of the list that were written.
    written: Range<usize>,
    /// The end of the elements for which there is memory.
    end: usize,
    /// The numbers of the elements, or those of the lists in them.
    columns: Columns,
    /// The data of the vector of the lists of values that elements have; `None` if they have none.
    lists: Option<*mut ListEntry>,
    users: IdColumn,
    /// The lists of items of each user that the function returns.
    item_lists: Vec<ItemLists>,
    /// The counts of rows of each user; empty if the function does not return them.
    counts: Vec<Column<i64>>,
    /// An error if there was not enough memory for the texts of users.
    outcome: Result<(), Error>,
}

// SAFETY: the vectors outlive the results, and no others write to the rows of these. A thread that writes them calls no function
// of DuckDB.
unsafe impl Send for UserResults {}

/// A column of lists of items, one list for each user.
struct ItemLists {
    vector: Vector,
    /// The data of the vector.
    entries: *mut ListEntry,
    items: IdColumn,
    /// The item to be written next.
    next: usize,
    /// The end of the items for which there is memory.
    end: usize,
    /// The rows of users without a list.
    nulls: Vec<usize>,
}

/// Texts that are written later, because DuckDB may throw then.
#[derive(Default)]
pub struct LongTexts {
    /// The row of each text, and its end in `bytes`.
    rows: Vec<(usize, usize)>,
    /// The texts, one after the other.
    bytes: Vec<u8>,
}

impl LongTexts {
    /// Adds the text of a row.
    pub fn push(&mut self, row: usize, text: &[u8]) -> Result<(), Error> {
        self.bytes.try_extend_from_slice(text)?;
        self.rows.try_push((row, self.bytes.len()))
    }

    /// Writes the texts, and removes them.
    ///
    /// # Safety
    /// As for [`write_text`], in each of the rows.
    pub unsafe fn write(&mut self, vector: Vector) {
        let mut start = 0;
        for (row, end) in self.rows.drain(..) {
            // SAFETY: the caller's promise.
            unsafe { write_text(vector, row, &self.bytes[start..end]) };
            start = end;
        }
        self.bytes.clear();
    }
}

/// A vector of users or items, integers or texts as the function was registered for.
pub struct IdColumn {
    vector: Vector,
    data: *mut c_void,
    storage: Storage,
    texts: LongTexts,
    nulls: Vec<usize>,
}

impl IdColumn {
    /// The values of a vector.
    ///
    /// # Safety
    /// The vector is flat, of BIGINT or of texts, outlives the column and does not move. DuckDB may throw.
    pub unsafe fn of(vector: Vector) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let (data, storage) = ((api().vector_get_data)(vector), Layout::of_vector(vector).storage);
            Self { vector, data, storage, texts: LongTexts::default(), nulls: Vec::new() }
        }
    }

    /// Writes an id, or keeps it: DuckDB may throw as it copies a long text.
    ///
    /// # Safety
    /// The vector has room for the row.
    #[inline]
    pub unsafe fn put(&mut self, row: usize, id: Option<User>) -> Result<(), Error> {
        // SAFETY: the caller's promise. The storage is that of the type.
        unsafe {
            match id {
                None => return self.nulls.try_push(row),
                Some(id) if self.storage == Storage::I64 => {
                    self.data.cast::<i64>().add(row).write(id.integer());
                }
                Some(User::Text(text)) => match Text::inlined(text) {
                    Some(text) => self.data.cast::<Text>().add(row).write(text),
                    None => return self.texts.push(row, text),
                },
                Some(User::Integer(_)) => return Err(Error::internal("ids came in two forms")),
            }
        }
        Ok(())
    }

    /// Writes these rows, which no list has: DuckDB reads them, too.
    ///
    /// # Safety
    /// The vector has room for the rows.
    unsafe fn clear(&self, rows: Range<usize>) {
        // SAFETY: the caller's promise. Texts without a byte that is not 0 are empty.
        unsafe {
            match self.storage {
                Storage::I64 => self.data.cast::<i64>().add(rows.start).write_bytes(0, rows.len()),
                _ => self.data.cast::<Text>().add(rows.start).write_bytes(0, rows.len()),
            }
        }
    }

    /// Writes long texts, and marks NULLs.
    ///
    /// # Safety
    /// DuckDB may throw.
    pub unsafe fn finish(mut self) {
        // SAFETY: the rows fit, and only a vector of texts has any.
        unsafe {
            self.texts.write(self.vector);
            mark_nulls(self.vector, self.nulls);
        }
    }
}

impl UserResults {
    /// The sizes of the results of the current partition of users: how many elements the list has, how many numbers the lists in
    /// these have together, if there are any, and how many items the lists of each kind have, at most.
    pub fn sizes(function: &Function, partition: &PartitionCursor, elements: usize) -> Vec<usize> {
        let numbers = function.output == Output::Measures;
        let numbers = numbers.then(|| elements.saturating_mul(partition.measures()));
        let items = function.lists_of_users.iter().map(|list| partition.listed_items(*list));
        std::iter::once(elements).chain(numbers).chain(items).collect()
    }

    /// DuckDB's vectors of lists, in the order of sizes.
    ///
    /// # Safety
    /// As for [`Self::new`].
    unsafe fn vectors(function: &Function, list: Vector) -> Vec<Vector> {
        // They are the last fields of the structs.
        let lists = usize::from(function.output == Output::Measures) + function.lists_of_users.len();
        let first = 1 + Self::count_fields(function);
        // SAFETY: the caller's promise. The elements are structs of so many fields.
        unsafe {
            let structs = (api().list_vector_get_child)(list);
            let fields =
                (first..first + lists as u64).map(|field| (api().struct_vector_get_child)(structs, field));
            std::iter::once(list).chain(fields).collect()
        }
    }

    /// How many counts of rows structs have, behind the user.
    fn count_fields(function: &Function) -> u64 {
        if function.count_rows { ROW_COUNTS.len() as u64 } else { 0 }
    }

    /// Reserves memory for results of these sizes together, so that those that are made next do not move others.
    ///
    /// # Safety
    /// As for [`Self::new`].
    pub unsafe fn reserve(function: &Function, list: Vector, sizes: &[usize]) {
        // SAFETY: the caller's promise.
        unsafe {
            for (vector, size) in Self::vectors(function, list).into_iter().zip(sizes) {
                reserve_elements(vector, *size);
            }
        }
    }

    /// Takes memory for results of these sizes. More results can be made before these are written, if memory was reserved for all.
    ///
    /// # Safety
    /// `list` is flat, of the type that [`logical_type`] returns, and outlives the results. DuckDB may throw.
    pub unsafe fn new(function: &Function, list: Vector, sizes: &[usize]) -> Self {
        // SAFETY: the caller's promise. The user is the first field of the structs, and counts follow.
        unsafe {
            let vectors = Self::vectors(function, list);
            let places: Vec<_> =
                vectors.iter().zip(sizes).map(|(vector, size)| take_elements(*vector, *size)).collect();
            let counts = Self::count_fields(function);
            let structs = (api().list_vector_get_child)(list);
            let child = |field| (api().struct_vector_get_child)(structs, field);
            let elements = places[0].clone();
            let mut lists = None;
            let columns = if function.output == Output::Measures {
                lists = Some((api().vector_get_data)(vectors[1]).cast());
                Columns::value((api().list_vector_get_child)(vectors[1]), places[1].clone())
            } else {
                Columns::structs(structs, 1 + counts, function.fields().len(), elements.clone())
            };
            let first = places.len() - function.lists_of_users.len();
            let items = vectors.iter().zip(places).skip(first).map(|(vector, Range { start: next, end })| {
                ItemLists {
                    vector: *vector,
                    entries: (api().vector_get_data)(*vector).cast(),
                    items: IdColumn::of((api().list_vector_get_child)(*vector)),
                    next,
                    end,
                    nulls: Vec::new(),
                }
            });
            Self {
                written: elements.start..elements.start,
                end: elements.end,
                columns,
                lists,
                users: IdColumn::of(child(0)),
                item_lists: items.collect(),
                counts: (1..=counts).map(|field| Column::of(child(field))).collect(),
                outcome: Ok(()),
            }
        }
    }

    /// An error if there was not enough memory for the texts of users, of which some are then missing.
    pub fn check_room(&self) -> Result<(), Error> {
        self.outcome.clone().map_err(|_| Error::memory("there is no room for the users"))?;
        if self.written.end != self.end {
            return Err(Error::internal("there are fewer results than were expected"));
        }
        Ok(())
    }

    /// Writes long texts, and marks NULLs.
    ///
    /// # Safety
    /// DuckDB may throw.
    pub unsafe fn finish(self) {
        // SAFETY: the vectors are those that `new` was given.
        unsafe {
            self.users.finish();
            self.columns.mark();
            self.counts
                .iter()
                .for_each(|column| column.mark(self.written.clone(), |count| count == NO_COUNT));
            for ItemLists { vector, items, next, end, nulls, .. } in self.item_lists {
                mark_nulls(vector, nulls);
                // Memory that no list needs goes to the next results, unless these were made already.
                if to_usize((api().list_vector_get_size)(vector)) == end {
                    (throwing().list_vector_set_size)(vector, next as u64);
                } else {
                    items.clear(next..end);
                }
                items.finish();
            }
        }
    }
}

impl rankdcg_core::aggregate::Results for UserResults {
    fn put_list<'u>(
        &mut self,
        place: usize,
        list: Option<impl Iterator<Item = Option<User<'u>>>>,
    ) -> Result<(), Error> {
        let row = self.written.end - 1;
        let ItemLists { entries, items, next, nulls, .. } = &mut self.item_lists[place];
        let (first, mut end) = (*next, *next);
        if list.is_none() {
            nulls.try_push(row)?;
        }
        for item in list.into_iter().flatten() {
            // SAFETY: memory was reserved for all items of the partition.
            unsafe { items.put(end, item)? };
            end += 1;
        }
        *next = end;
        // SAFETY: the row fits: it is that of the user who was put last.
        unsafe { entries.add(row).write(entry(first, end)) };
        Ok(())
    }

    /// Writes the results of a user, one for each k. A user that is a text is kept: DuckDB may throw as it copies one.
    fn put(&mut self, user: User, counts: &RowCounts, values: &Values) {
        // Memory was reserved for all results of the partition, so they fit.
        let (first, elements) = (self.written.end, self.columns.next);
        self.columns.put(Some(values));
        self.written.end = match self.lists {
            None => self.columns.next,
            Some(entries) => {
                // SAFETY: the row fits.
                unsafe { entries.add(first).write(entry(elements, self.columns.next)) };
                first + 1
            }
        };
        let counts = counts.integers();
        for row in first..self.written.end {
            for (column, count) in self.counts.iter_mut().zip(counts) {
                // SAFETY: the row fits.
                unsafe { column.put(row, count, NO_COUNT) };
            }
            if self.outcome.is_ok() {
                // SAFETY: the row fits.
                self.outcome = unsafe { self.users.put(row, Some(user)) };
            }
        }
    }
}

/// The numbers of results: k and the values of metrics.
struct Columns {
    /// The k of each row; `None` for functions that yield a value alone.
    ks: Option<Column<i64>>,
    metrics: Vec<Column<f64>>,
    /// The first row to be written.
    first: usize,
    /// The row to be written next.
    next: usize,
    /// The end of the rows for which there is memory.
    end: usize,
    /// How many rows did not fit.
    overflow: usize,
}

/// Stands for a NULL value until it is marked.
pub const NO_VALUE: f64 = f64::NAN;
/// Stands for a NULL k or count until it is marked.
pub const NO_COUNT: i64 = i64::MIN;

impl Columns {
    /// The values of a function that yields one, or a list of them.
    ///
    /// # Safety
    /// The vector is flat, of DOUBLE, has these rows, and does not move.
    unsafe fn value(vector: Vector, Range { start: first, end }: Range<usize>) -> Self {
        // SAFETY: the caller's promise.
        let metrics = vec![unsafe { Column::of(vector) }];
        Self { ks: None, metrics, first, next: first, end, overflow: 0 }
    }

    /// The fields of structs. `fields` of them hold k and the metrics, from field number `first_field` on.
    ///
    /// # Safety
    /// The vector is flat, of such structs, has these rows, and does not move.
    unsafe fn structs(vector: Vector, first_field: u64, fields: usize, rows: Range<usize>) -> Self {
        // SAFETY: the caller's promise.
        let child =
            |index: usize| unsafe { (api().struct_vector_get_child)(vector, first_field + index as u64) };
        let Range { start: first, end } = rows;
        // SAFETY: k is a BIGINT, and metrics are of DOUBLE.
        unsafe {
            let metrics = (1..fields).map(|index| Column::of(child(index))).collect();
            Self { ks: Some(Column::of(child(0))), metrics, first, next: first, end, overflow: 0 }
        }
    }

    /// The fields of `capacity` new elements of lists, for which it reserves memory. Fields are as for
    /// [`Columns::structs`]. Without fields, the elements are numbers.
    ///
    /// # Safety
    /// The vector is flat, of lists of such structs or of DOUBLE, and does not move. DuckDB may throw.
    unsafe fn elements(list: Vector, first_field: u64, fields: usize, capacity: usize) -> Self {
        // SAFETY: the caller's promise. To reserve memory may move the child, so it is asked for after that.
        unsafe {
            let rows = reserve_elements(list, capacity);
            let child = (api().list_vector_get_child)(list);
            if fields == 0 {
                Self::value(child, rows)
            } else {
                Self::structs(child, first_field, fields, rows)
            }
        }
    }

    /// Writes a row of the one metric if it fits, and returns whether it does.
    #[inline]
    fn put_value(&mut self, value: Option<f64>) -> bool {
        let fits = self.next < self.end;
        if fits {
            // SAFETY: the row fits.
            unsafe { self.metrics[0].put(self.next, value, NO_VALUE) };
            self.next += 1;
        } else {
            self.overflow += 1;
        }
        fits
    }

    /// Writes a row for each k, or for each number of a list, and for a NULL, one row of NULLs. Returns false, and
    /// writes nothing, if they do not fit.
    ///
    /// The fields of a NULL struct must be NULL, too: queries read fields without a look at the struct.
    #[inline]
    fn put(&mut self, values: Option<&Values>) -> bool {
        let count = match values {
            Some(values) if self.ks.is_some() => values.ks.len(),
            Some(values) => values.values.len(),
            None => 1,
        };
        if self.end - self.next < count {
            self.overflow += count;
            return false;
        }
        let first = self.next;
        // SAFETY: the rows fit.
        unsafe {
            if let Some(Values { ks, values }) = values {
                if let Some(column) = &mut self.ks {
                    // The k that stands for the whole list is NULL.
                    for (row, k) in (first..).zip(*ks) {
                        column.put(row, k.and_then(|k| i64::try_from(k).ok()), NO_COUNT);
                    }
                }
                for (row, values) in (first..first + count).zip(values.chunks(self.metrics.len())) {
                    for (metric, value) in self.metrics.iter_mut().zip(values) {
                        metric.put(row, value.get(), NO_VALUE);
                    }
                }
            } else {
                self.ks.iter_mut().for_each(|column| column.put(first, None, NO_COUNT));
                self.metrics.iter_mut().for_each(|metric| metric.put(first, None, NO_VALUE));
            }
        }
        self.next += count;
        true
    }

    /// The rows that were written.
    fn written(&self) -> Range<usize> {
        self.first..self.next
    }

    /// Turns the values of the last `counts` metrics, which are counts, into integers.
    ///
    /// # Safety
    /// The vectors of these values are of BIGINT.
    unsafe fn make_integers(&self, counts: usize) {
        for metric in self.metrics.iter().rev().take(counts) {
            for row in self.written() {
                // SAFETY: the row was written. A BIGINT takes as many bytes as floating point of 64 bits.
                unsafe {
                    let place = metric.data.add(row);
                    #[allow(clippy::cast_possible_truncation)] // a count is whole, and below 2^53
                    place.cast::<i64>().write(place.read() as i64);
                }
            }
        }
    }

    /// Marks NULLs.
    ///
    /// # Safety
    /// DuckDB may throw.
    unsafe fn mark(&self) {
        let rows = self.written();
        // SAFETY: these rows were written.
        unsafe {
            self.ks.iter().for_each(|column| column.mark(rows.clone(), |k| k == NO_COUNT));
            self.metrics.iter().for_each(|metric| metric.mark(rows.clone(), f64::is_nan));
        }
    }
}

/// A vector of numbers whose NULLs are marked at the end.
pub struct Column<T> {
    vector: Vector,
    data: *mut T,
    has_nulls: bool,
}

impl<T: Copy> Column<T> {
    /// The values of a vector.
    ///
    /// # Safety
    /// The vector is flat, of values of type `T`, and does not move.
    pub unsafe fn of(vector: Vector) -> Self {
        // SAFETY: the caller's promise.
        Self { vector, data: unsafe { (api().vector_get_data)(vector) }.cast(), has_nulls: false }
    }

    /// Writes a value, or `null` if there is none.
    ///
    /// # Safety
    /// The vector has room for the row.
    #[inline]
    pub unsafe fn put(&mut self, row: usize, value: Option<T>, null: T) {
        self.has_nulls |= value.is_none();
        // SAFETY: the caller's promise.
        unsafe { self.data.add(row).write(value.unwrap_or(null)) };
    }

    /// Marks the NULLs among these rows.
    ///
    /// # Safety
    /// The rows were written. DuckDB may throw.
    pub unsafe fn mark(&self, rows: Range<usize>, is_null: impl Fn(T) -> bool) {
        if !self.has_nulls {
            return;
        }
        // SAFETY: the caller's promise.
        unsafe { mark_nulls(self.vector, rows.filter(|row| is_null(self.data.add(*row).read()))) };
    }
}

/// How many values measures of items have in rows with these numbers of measures and of rankings.
pub fn item_count(rows: &[[usize; 2]]) -> usize {
    let values = rows.iter().map(|[measures, rankings]| measures.saturating_mul(*rankings));
    values.fold(0, usize::saturating_add)
}

/// Reserves memory for `more` elements of lists, and returns their indexes in the child vector.
///
/// # Safety
/// The vector is flat, and of lists. DuckDB may throw.
pub unsafe fn reserve_elements(list: Vector, more: usize) -> Range<usize> {
    // SAFETY: the caller's promise.
    unsafe {
        let first = to_usize((api().list_vector_get_size)(list));
        let end = first.saturating_add(more);
        (throwing().list_vector_reserve)(list, end as u64);
        first..end
    }
}

/// Takes `count` new elements of lists, for which it reserves memory, and returns their indexes in the child vector.
///
/// # Safety
/// As for [`reserve_elements`].
unsafe fn take_elements(list: Vector, count: usize) -> Range<usize> {
    // SAFETY: the caller's promise.
    unsafe {
        let taken = reserve_elements(list, count);
        (throwing().list_vector_set_size)(list, taken.end as u64);
        taken
    }
}

/// The list entry for the elements `first..end`.
pub fn entry(first: usize, end: usize) -> ListEntry {
    ListEntry { offset: first as u64, length: (end - first) as u64 }
}

/// Writes a text.
///
/// # Safety
/// The vector is flat, of texts, and has room for the row. DuckDB may throw.
pub unsafe fn write_text(vector: Vector, row: usize, text: &[u8]) {
    let assign = throwing().vector_assign_string_element_len;
    // SAFETY: the caller's promise. DuckDB copies the text.
    unsafe { assign(vector, row as u64, text.as_ptr().cast(), text.len() as u64) };
}

/// Marks rows of a vector as NULL.
///
/// # Safety
/// The vector is flat, and has room for the rows. DuckDB may throw.
pub unsafe fn mark_nulls(vector: Vector, rows: impl IntoIterator<Item = usize>) {
    let mut mask: *mut u64 = std::ptr::null_mut();
    for row in rows {
        // SAFETY: the caller's promise. A vector has a mask as soon as its validity is writable.
        unsafe {
            if mask.is_null() {
                (throwing().vector_ensure_validity_writable)(vector);
                mask = (api().vector_get_validity)(vector);
            }
            *mask.add(row / 64) &= !(1 << (row % 64));
        }
    }
}
