//! Aggregates over all users, for engines that pass the rows of all users as arrays.

use std::iter::once;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::{Array, ArrayRef, LargeListArray, NullArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, FieldRef, Fields};
use rankdcg_core::aggregate::{
    ExplainedRow, Explanations, Group, Groups, PartitionCursor, Results, RowCounts, User, Users,
};
use rankdcg_core::{Error, FieldType, Function, Grow, Nullable, Output, Type, Values, check_memory, share};

use crate::column::{ArrowColumn, checked, copied, refused};
use crate::find_function::find;
use crate::ids::{Dictionary, IdColumn, Storage, read_ids, read_items};
use crate::kind::kind;
use crate::output::{FieldColumns, columns_of_fields, floats};

/// How many rows are read at a time. Their columns fit the processor's cache.
const BLOCK: usize = 8192;

/// How many rows a thread takes at a time. Fewer rows are read on one thread.
const SPAN: usize = 16 * BLOCK;

/// How many partitions of users a thread takes at a time, if there are many rows. Their results are a chunk of the
/// results. Few rows have one chunk.
const PARTITIONS: usize = 8;

/// The argument of the users.
const USER: &str = "userid";

/// The arguments of some rows, and the number of these rows.
pub type Segment = (Vec<ArrayRef>, usize);

/// The rows of all users, as far as they were read. Any number of threads may read at the same time.
#[derive(Default)]
pub struct AllUsers {
    /// States with rows. A thread takes one out while it reads.
    states: Mutex<Vec<Users>>,
    /// How many rows were read.
    rows: AtomicUsize,
}

/// The one group to which all rows of a block belong.
pub struct Single<'a, G>(pub &'a mut G);

impl<G> Groups<G> for Single<'_, G> {
    fn of(&mut self, _: usize) -> Result<&mut G, Error> {
        Ok(self.0)
    }

    fn id(&self, _: usize) -> usize {
        0
    }
}

impl AllUsers {
    /// Reads rows on at most `threads` threads. Each segment has the arguments of some rows, and the number of these:
    /// users, items, scores and relevances, then k and options. An argument has a value for each row, or one for all.
    pub fn read(&self, name: &str, segments: &[Segment], threads: usize) -> Result<(), Error> {
        let function = find(name)?;
        let input_count = function.inputs().len(); // users, items, scores and relevances
        let ids = ids(function);
        // Arguments may claim any number of rows, because arrays of untyped NULLs need no memory. To read more rows
        // than memory has bytes would take hours.
        let rows = segments.iter().fold(0_usize, |rows, (_, more)| rows.saturating_add(*more));
        Vec::<u8>::new().make_exact_room(rows)?;
        let segments: Vec<Segment> = segments
            .iter()
            .map(|(arguments, rows)| Ok((inputs_of_rows(arguments, input_count, *rows)?, *rows)))
            .collect::<Result<_, Error>>()?;
        self.rows.fetch_add(segments.iter().map(|(_, rows)| rows).sum(), Ordering::Relaxed);
        // A segment without rows is a task, too: the types of its arguments are checked.
        let spans = |segment: &Segment| (0..segment.1.max(1)).step_by(SPAN);
        let tasks = segments.iter().flat_map(|segment| spans(segment).map(move |first| (segment, first)));
        let tasks: Vec<(&Segment, usize)> = tasks.collect();
        let work = |users: &mut Users, task: usize| {
            let ((arguments, rows), first) = tasks[task];
            // A segment without rows has a block without rows.
            let end = (*rows).min(first + SPAN).max(first + 1);
            for start in (first..end).step_by(BLOCK) {
                let length = BLOCK.min(rows - start);
                let slice = |(place, argument): (usize, &ArrayRef)| match argument.len() {
                    values if values == *rows => argument.slice(start, length),
                    // Inputs of one value are repeated as often as a block has rows; k and options are not.
                    _ if place < input_count => argument.slice(0, length),
                    _ => argument.clone(),
                };
                checked(name, || {
                    check_memory()?;
                    let arguments = arguments.iter().enumerate().map(slice);
                    let columns = arguments.enumerate().map(|(place, argument)| match ids.get(place) {
                        Some(name) if place == 0 => read_ids(name, &argument),
                        Some(name) => read_items(name, &argument),
                        None => ArrowColumn::new(&argument),
                    });
                    let columns = columns.collect::<Result<Vec<_>, _>>()?;
                    Users::update(function, &columns, &mut Single(users))
                })?;
            }
            Ok(())
        };
        let begin = || self.states().pop().unwrap_or_default();
        share(tasks.len(), threads, begin, work, |users| self.states().push(users)).map(|_| ())
    }

    /// The states that no thread reads into.
    fn states(&self) -> MutexGuard<'_, Vec<Users>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Evaluates the users on at most `threads` threads, and forgets their rows. Returns chunks of structs of the type
    /// that [`users_type`] says for `inputs`, the fields of the first columns. The order of users depends on nothing but the
    /// users. A user has a struct for each k, where it is in the list of k; or for each item. `columns` are the columns of
    /// `inputs`, which have the values of their dictionaries, if ids are texts in dictionaries.
    pub fn evaluate(
        &self,
        name: &str,
        inputs: &[Field],
        columns: &[Vec<ArrayRef>],
        threads: usize,
    ) -> Result<Vec<ArrayRef>, Error> {
        let function = find(name)?;
        let fields = fields(function, inputs)?;
        let dictionaries = columns.iter().take(ids(function).len()).map(|column| Dictionary::new(column));
        let dictionaries = dictionaries.collect::<Result<Vec<_>, _>>()?;
        let states = std::mem::take(&mut *self.states());
        let mut users = Users::default();
        states.iter().try_for_each(|state| users.combine(state))?;
        drop(states);
        let rows = self.rows.swap(0, Ordering::Relaxed);
        let per_task = if rows > SPAN { PARTITIONS } else { PartitionCursor::COUNT };
        let work = |cursor: &mut PartitionCursor, task: usize| {
            let mut results = UserResults::new(function, inputs, cursor.measures())?;
            // The partitions of this task; those without rows have no count of results.
            for place in task * per_task..PartitionCursor::COUNT.min((task + 1) * per_task) {
                if let Some(count) = cursor.move_to(place)? {
                    if function.output == Output::Explanation {
                        cursor.explain(function, &mut results)?;
                        continue;
                    }
                    results.make_room(count)?;
                    cursor.evaluate(function, &mut results)?;
                    results.outcome.clone()?;
                }
            }
            results.finish(&fields, &dictionaries)
        };
        let tasks = PartitionCursor::COUNT.div_ceil(per_task);
        let mut chunks = share(tasks, threads, || users.partitions(), work, drop)?;
        // Without results there is one chunk, which is empty.
        if chunks.iter().any(|chunk| !chunk.is_empty()) {
            chunks.retain(|chunk| !chunk.is_empty());
        } else {
            chunks.truncate(1);
        }
        Ok(chunks)
    }
}

/// The type of the results of an aggregate over all users: a struct that begins with ids, whose names and types are those
/// of the first of `inputs`, the fields of the first columns.
pub fn users_type(name: &str, inputs: &[Field]) -> Result<DataType, Error> {
    Ok(DataType::Struct(fields(find(name)?, inputs)?))
}

/// The names of the arguments whose types results have, which are the first ones: users, and maybe items.
fn ids(function: &Function) -> &'static [&'static str] {
    let fields = function.result().fields;
    let is_id = |kind: &FieldType| matches!(kind, FieldType::User | FieldType::Item);
    let count = fields.iter().filter(|(_, kind)| is_id(kind)).count();
    &function.inputs()[..count]
}

/// The fields of the results.
fn fields(function: &Function, inputs: &[Field]) -> Result<Fields, Error> {
    let (arguments, mut fields) = (ids(function), Vec::<FieldRef>::new());
    if inputs.len() < arguments.len() {
        return Err(Error::internal("a column of ids is missing"));
    }
    let values = &function.result().fields[arguments.len()..];
    for (argument, input) in arguments.iter().zip(inputs) {
        let is_taken = |taken: &str| taken == input.name();
        if values.iter().any(|(name, _)| is_taken(name)) || fields.iter().any(|field| is_taken(field.name()))
        {
            let what = if *argument == USER { "users" } else { "items" };
            let text =
                format!("the column of {what} must not be called {}, because a result is", input.name());
            return Err(Error::new(text).about(*argument));
        }
        fields.push(Arc::new(match Storage::of(argument, input.data_type())? {
            Storage::Nulls => Field::new(input.name(), DataType::Null, true),
            _ => input.clone().with_nullable(true),
        }));
    }
    fields.extend(values.iter().map(|(name, kind)| {
        let kind = match kind {
            FieldType::Number => DataType::Float64,
            FieldType::Numbers => DataType::LargeList(number()),
            _ => DataType::Int64,
        };
        Arc::new(Field::new(*name, kind, true))
    }));
    Ok(fields.into())
}

/// The field of the numbers in lists.
fn number() -> FieldRef {
    Arc::new(Field::new("item", DataType::Float64, true))
}

/// The arguments of a segment, in which inputs of one value for all rows are repeated as often as a block has rows. The
/// first `input_count` arguments are inputs.
fn inputs_of_rows(arguments: &[ArrayRef], input_count: usize, rows: usize) -> Result<Vec<ArrayRef>, Error> {
    let repeat = |(place, argument): (usize, &ArrayRef)| match argument.len() {
        length if length == rows => Ok(argument.clone()),
        1 if place >= input_count => Ok(argument.clone()),
        1 if kind(argument.data_type()) == Type::Null => Ok(Arc::new(NullArray::new(BLOCK)) as ArrayRef),
        1 => copied(argument, (0..BLOCK).map(|_| Ok(Some(0)))),
        other => Err(Error::new(format!("arguments must be of equal length, got {rows} and {other}"))),
    };
    arguments.iter().enumerate().map(repeat).collect()
}

/// Results of users, under construction.
struct UserResults<'a> {
    /// The user of each result, and its item if there is one.
    ids: Vec<IdColumn<'a>>,
    /// The counts of rows, if the function returns them, and k; then the values of each metric.
    fields: FieldColumns,
    /// The values of the measures of each user, and how many these are; NaN for NULL. `None` if results have no lists.
    lists: Option<(Vec<f64>, usize)>,
    /// An error if there was no room for the bytes of ids.
    outcome: Result<(), Error>,
}

impl<'a> UserResults<'a> {
    /// No results yet.
    fn new(function: &Function, inputs: &'a [Field], measures: usize) -> Result<Self, Error> {
        let (integers, numbers) = columns_of_fields(function);
        let ids =
            ids(function).iter().zip(inputs).map(|(name, input)| IdColumn::new(name, input.data_type()));
        Ok(Self {
            ids: ids.collect::<Result<_, _>>()?,
            fields: FieldColumns::new(integers, numbers, 0)?,
            lists: (function.output == Output::Measures).then(|| (Vec::new(), measures)),
            outcome: Ok(()),
        })
    }

    /// Makes room for `more` results.
    fn make_room(&mut self, more: usize) -> Result<(), Error> {
        self.ids.iter_mut().try_for_each(|ids| ids.make_room(more))?;
        if let Some((values, measures)) = &mut self.lists {
            values.make_room(more.saturating_mul(*measures))?;
        }
        self.fields.make_room(more)
    }

    /// The array of structs.
    fn finish(self, fields: &Fields, dictionaries: &[Dictionary]) -> Result<ArrayRef, Error> {
        let ids = self.ids.into_iter().zip(dictionaries).map(|(ids, dictionary)| ids.finish(dictionary));
        let results = self.fields.integer_count();
        let lists = self.lists.map(|(values, measures)| {
            let offsets = OffsetBuffer::from_repeated_length(measures, results);
            Ok(Arc::new(LargeListArray::new(number(), offsets, Arc::new(floats(values)), None)) as ArrayRef)
        });
        let columns = ids.chain(self.fields.finish().map(Ok)).chain(lists);
        let columns = columns.collect::<Result<_, Error>>()?;
        let structs = StructArray::try_new(fields.clone(), columns, None);
        structs.map(|structs| Arc::new(structs) as ArrayRef).map_err(|error| refused(&error))
    }
}

impl Results for UserResults<'_> {
    /// Appends a result for each k. Room for them was made before, so only the bytes of the user can lack it.
    fn put(&mut self, user: User, counts: &RowCounts, values: &Values) {
        let results = if self.lists.is_some() { 1 } else { values.ks.len() };
        if let Err(error) = self.ids[0].push(Some(user), results) {
            self.outcome = Err(error);
        }
        if let Some((lists, _)) = &mut self.lists {
            lists.extend(values.values.iter().map(|value| value.or_nan()));
            return self.fields.push(counts.integers(), []);
        }
        // The function returns all counts or none, and k is one more integer.
        let counts = &counts.integers()[..self.fields.integers() - 1];
        let Values { ks, values } = values;
        // Without any k there are no values.
        let metrics = values.len().checked_div(ks.len()).unwrap_or(1);
        for (k, values) in ks.iter().zip(values.chunks(metrics)) {
            let k = k.and_then(|k| i64::try_from(k).ok());
            self.fields.push(counts.iter().copied().chain([k]), values.iter().copied());
        }
    }
}

impl Explanations for UserResults<'_> {
    fn put(&mut self, row: &ExplainedRow) -> Result<(), Error> {
        // How many items a user has is not known before.
        self.make_room(1)?;
        for (column, id) in self.ids.iter_mut().zip([row.user, row.item]) {
            column.push(id, 1)?;
        }
        let [_, _, ranks @ ..] = row.explained.counts();
        self.fields.push(ranks, once(Nullable::from(row.score)).chain(row.explained.numbers()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::types::Int64Type;
    use arrow_array::{Int64Array, ListArray};

    use super::*;

    const NAME: &str = "rank_metrics_at_by_user";

    #[test]
    fn wrong_arguments_are_errors_with_and_without_rows() {
        let one: ArrayRef = Arc::new(Int64Array::from(vec![1]));
        let ks: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>([Some([Some(1)])]));
        let error = |users: &ArrayRef, items: &ArrayRef| {
            let segment = ([users, items, &one, &one, &ks].map(Arc::clone).to_vec(), users.len());
            AllUsers::default().read(NAME, &[segment], 2).unwrap_err().to_string()
        };
        for rows in [0, 1] {
            let text = error(&ks.slice(0, rows), &one);
            assert!(text.ends_with("a date or a time, got list of integer"), "{text}");
        }
        let users: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
        assert_eq!(error(&users, &users.slice(0, 2)), "arguments must be of equal length, got 3 and 2");
        let many: ArrayRef = Arc::new(NullArray::new(1 << 46));
        assert!(error(&many, &one).starts_with("out of memory: "));
        let same = Field::new("ndcg", DataType::Int64, true);
        let text = users_type(NAME, &[same]).unwrap_err().to_string();
        assert_eq!(text, "the column of users must not be called ndcg, because a result is");
    }
}
