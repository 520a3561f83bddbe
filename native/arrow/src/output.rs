//! Builds the Arrow array of results.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, LargeListArray, StructArray};
use arrow_buffer::{BooleanBuffer, NullBuffer, NullBufferBuilder, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef, Fields};
use rankdcg_core::{Error, ExplainedItem, FieldType, Function, Grow, Nullable, Output, Values, collected};

/// The type of a function's results.
pub fn data_type(function: &Function) -> DataType {
    match function.output {
        // No function over Arrow's arrays yields items.
        Output::Value | Output::Items => DataType::Float64,
        Output::Metrics => DataType::Struct(fields(function)),
        Output::MetricsAt | Output::Values | Output::Explanation | Output::Measures => {
            DataType::LargeList(item(function))
        }
    }
}

/// The fields of a function with several results: k, and the metrics. For a statistic: the size of the sample, and its
/// values.
fn fields(function: &Function) -> Fields {
    let field = |(name, kind): (&str, FieldType)| {
        let kind = match kind {
            // No function over Arrow's arrays of lists yields lists in structs.
            FieldType::Number | FieldType::Numbers => DataType::Float64,
            // No function over Arrow's arrays yields users or items.
            FieldType::Count | FieldType::User | FieldType::Item | FieldType::Items => DataType::Int64,
        };
        Field::new(name, kind, true)
    };
    function.result().fields.into_iter().map(field).collect()
}

/// The number of integers and that of numbers among the fields of a function. The last numbers may be counts; ids are
/// neither.
pub fn columns_of_fields(function: &Function) -> (usize, usize) {
    let fields = function.result().fields;
    let of = |kind: FieldType| fields.iter().filter(|(_, other)| *other == kind).count();
    let trailing = function.trailing_counts();
    (of(FieldType::Count) - trailing, of(FieldType::Number) + trailing)
}

/// The field of a list's elements: structs of [`fields`], or numbers.
fn item(function: &Function) -> FieldRef {
    let element = match function.output {
        Output::Values | Output::Measures => DataType::Float64,
        _ => DataType::Struct(fields(function)),
    };
    Arc::new(Field::new("item", element, true))
}

/// An empty vector with room for `length` values, which belong to the results of `rows` rows.
///
/// It is an error if there is not enough memory. Arguments may claim any number of rows, because arrays of untyped
/// NULLs need no memory.
fn with_room<T>(length: usize, rows: usize) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    let room = values.make_exact_room(length);
    room.map_err(|_| Error::memory(format_args!("there is no room for the results of {rows} rows")))?;
    Ok(values)
}

/// The array of `numbers`, of which NaN is NULL; the array has 0 there. The bits of validity are made here, which costs
/// less than to append a bit with each number. Memory for them is not checked: they take a 64th of that for the numbers.
pub fn floats(mut numbers: Vec<f64>) -> Float64Array {
    let nulls = numbers.iter().any(|number| number.is_nan()).then(|| {
        let valid = BooleanBuffer::collect_bool(numbers.len(), |index| !numbers[index].is_nan());
        numbers.iter_mut().filter(|number| number.is_nan()).for_each(|number| *number = 0.0);
        NullBuffer::new(valid)
    });
    Float64Array::new(numbers.into(), nulls)
}

/// An array of integers under construction.
pub struct Integers {
    /// The integers so far; 0 for NULL.
    values: Vec<i64>,
    /// A bit per integer: set if it is not NULL.
    valid: NullBufferBuilder,
}

impl Integers {
    /// No integers yet, and memory for one in each of `rows` rows.
    pub fn new(rows: usize) -> Result<Self, Error> {
        Ok(Self { values: with_room(rows, rows)?, valid: NullBufferBuilder::new(rows) })
    }

    /// Makes room for `more` integers. [`Self::push`] needs it for those beyond one in each row, because it has no error
    /// to return if memory runs out.
    pub fn make_room(&mut self, more: usize) -> Result<(), Error> {
        self.values.make_room(more)
    }

    /// Appends an integer.
    #[inline(always)]
    pub fn push(&mut self, value: Option<i64>) {
        self.values.push(value.unwrap_or_default());
        self.valid.append(value.is_some());
    }

    /// The array. Afterwards, no integers are left.
    pub fn finish(&mut self) -> Int64Array {
        Int64Array::new(std::mem::take(&mut self.values).into(), self.valid.finish())
    }
}

/// The fields of structs under construction: integers, and then numbers.
pub struct FieldColumns {
    integers: Vec<Integers>,
    /// NaN for NULL.
    numbers: Vec<Vec<f64>>,
}

impl FieldColumns {
    /// So many columns of each kind, and memory for a value in each of `rows` rows.
    pub fn new(integers: usize, numbers: usize, rows: usize) -> Result<Self, Error> {
        Ok(Self {
            integers: (0..integers).map(|_| Integers::new(rows)).collect::<Result<_, _>>()?,
            numbers: (0..numbers).map(|_| with_room(rows, rows)).collect::<Result<_, _>>()?,
        })
    }

    /// The number of columns of integers.
    pub fn integers(&self) -> usize {
        self.integers.len()
    }

    /// The number of structs, each of which has an integer at least.
    pub fn integer_count(&self) -> usize {
        self.integers[0].values.len()
    }

    /// The number of structs, each of which has a number at least.
    fn len(&self) -> usize {
        self.numbers[0].len()
    }

    /// Makes room for `more` structs, which [`Self::push`] needs beyond one in each row.
    pub fn make_room(&mut self, more: usize) -> Result<(), Error> {
        self.integers.iter_mut().try_for_each(|column| column.make_room(more))?;
        self.numbers.iter_mut().try_for_each(|column| column.make_room(more))
    }

    /// Appends a struct. Its first fields are `integers`, and the others `numbers`.
    #[inline(always)]
    pub fn push(
        &mut self,
        integers: impl IntoIterator<Item = Option<i64>>,
        numbers: impl IntoIterator<Item = Nullable>,
    ) {
        for (column, integer) in self.integers.iter_mut().zip(integers) {
            column.push(integer);
        }
        for (column, number) in self.numbers.iter_mut().zip(numbers) {
            column.push(number.or_nan());
        }
    }

    /// Appends a struct whose fields are NULL.
    fn push_nulls(&mut self) {
        self.integers.iter_mut().for_each(|column| column.push(None));
        self.numbers.iter_mut().for_each(|column| column.push(f64::NAN));
    }

    /// The arrays of the fields.
    pub fn finish(self) -> impl Iterator<Item = ArrayRef> {
        let integers = self.integers.into_iter().map(|mut column| Arc::new(column.finish()) as ArrayRef);
        integers.chain(self.numbers.into_iter().map(|column| Arc::new(floats(column)) as ArrayRef))
    }
}

/// Numbers that are counts, as integers.
fn integers(counts: &Float64Array) -> Result<Int64Array, Error> {
    #[allow(clippy::cast_possible_truncation)] // a count is whole, and below 2^53
    let integers = collected(counts.values().iter().map(|count| *count as i64))?;
    Ok(Int64Array::new(integers.into(), counts.nulls().cloned()))
}

/// The results of a function, under construction.
pub struct Results<'a> {
    builder: Builder<'a>,
    /// An error if there was no room for the list of a row. No further lists are then appended.
    outcome: Result<(), Error>,
}

/// The arrays of results, under construction.
enum Builder<'a> {
    /// A value for each row; NaN for NULL.
    Values(Vec<f64>),
    /// Several numbers for each row.
    Columns(Columns<'a>),
}

impl<'a> Results<'a> {
    /// No results yet, and memory for those of `rows` rows.
    pub fn new(function: &'a Function, rows: usize) -> Result<Self, Error> {
        let builder = match function.output {
            Output::Value | Output::Items => Builder::Values(with_room(rows, rows)?),
            Output::Metrics | Output::MetricsAt | Output::Values | Output::Explanation | Output::Measures => {
                Builder::Columns(Columns::new(function, rows)?)
            }
        };
        Ok(Self { builder, outcome: Ok(()) })
    }

    /// Appends the result of a row; `None` is NULL.
    #[inline(always)]
    pub fn push(&mut self, values: Option<&Values>) {
        match &mut self.builder {
            Builder::Values(results) => {
                results.push(values.map_or(f64::NAN, |values| values.values[0].or_nan()));
            }
            Builder::Columns(results) if self.outcome.is_ok() => self.outcome = results.push(values),
            Builder::Columns(_) => {}
        }
    }

    /// Appends the items of a row that explain a value; `None` is NULL.
    pub fn push_items(&mut self, items: Option<&[ExplainedItem]>) -> Result<(), Error> {
        match &mut self.builder {
            Builder::Columns(results) => results.push_items(items),
            Builder::Values(_) => Err(Error::internal("a value is no list of items")),
        }
    }

    /// The array of results; an error if there was no room for them.
    pub fn finish(self) -> Result<ArrayRef, Error> {
        self.outcome?;
        match self.builder {
            Builder::Values(results) => Ok(Arc::new(floats(results))),
            Builder::Columns(results) => results.finish(),
        }
    }
}

/// Structs, lists of structs, or lists of numbers, under construction.
struct Columns<'a> {
    /// The function, which determines the type.
    function: &'a Function,
    /// k, and the values of each metric. For a statistic: the size of the sample, and its values, of which the last may be
    /// counts. For an explanation: the places, ranks and numbers of items. For lists of numbers: one column of them.
    fields: FieldColumns,
    /// A bit per row: set if its result is not NULL.
    valid: NullBufferBuilder,
    /// The end of each list in the elements, after a 0; `None` if results are structs.
    offsets: Option<Vec<i64>>,
}

impl<'a> Columns<'a> {
    /// No results yet, and memory for a struct or a number in each of `rows` rows.
    fn new(function: &'a Function, rows: usize) -> Result<Self, Error> {
        let (integers, numbers) = match function.output {
            Output::Values | Output::Measures => (0, 1),
            _ => columns_of_fields(function),
        };
        let offsets = || -> Result<Vec<i64>, Error> {
            let mut offsets = with_room(rows.saturating_add(1), rows)?;
            offsets.push(0);
            Ok(offsets)
        };
        Ok(Self {
            function,
            fields: FieldColumns::new(integers, numbers, rows)?,
            valid: NullBufferBuilder::new(rows),
            offsets: function.output.is_list().then(offsets).transpose()?,
        })
    }

    /// Begins the result of a row: a list of `length` structs or numbers, a struct, or NULL, which has no elements. An error
    /// if there is no room for a list.
    fn begin(&mut self, length: Option<usize>) -> Result<(), Error> {
        if let Some(offsets) = &mut self.offsets {
            let more = length.unwrap_or_default();
            self.fields.make_room(more)?;
            offsets.push(i64::try_from(self.fields.len() + more).unwrap_or(i64::MAX));
        } else if length.is_none() {
            self.fields.push_nulls();
        }
        self.valid.append(length.is_some());
        Ok(())
    }

    /// Appends the items of a row, `None` for NULL.
    fn push_items(&mut self, row: Option<&[ExplainedItem]>) -> Result<(), Error> {
        self.begin(row.map(<[_]>::len))?;
        row.unwrap_or_default().iter().for_each(|item| self.fields.push(item.counts(), item.numbers()));
        Ok(())
    }

    /// Appends the result of a row, `None` for NULL.
    fn push(&mut self, row: Option<&Values>) -> Result<(), Error> {
        let columns = self.fields.numbers.len();
        self.begin(row.map(|row| row.values.len() / columns))?;
        let Some(row) = row else { return Ok(()) };
        // Lists of numbers have no k.
        let mut ks = row.ks.iter().map(|k| k.and_then(|k| i64::try_from(k).ok()));
        row.values.chunks(columns).for_each(|values| self.fields.push(ks.next(), values.iter().copied()));
        Ok(())
    }

    /// The array of results.
    fn finish(mut self) -> Result<ArrayRef, Error> {
        let mut columns: Vec<ArrayRef> = self.fields.finish().collect();
        let counts_from = columns.len() - self.function.trailing_counts();
        for counts in &mut columns[counts_from..] {
            *counts = Arc::new(integers(counts.as_primitive::<Float64Type>())?);
        }
        let valid = self.valid.finish();
        let (valid_structs, valid_lists) = if self.offsets.is_some() { (None, valid) } else { (valid, None) };
        let elements = match self.function.output {
            Output::Values | Output::Measures => columns.remove(0),
            _ => Arc::new(StructArray::new(fields(self.function), columns, valid_structs)),
        };
        Ok(match self.offsets {
            None => elements,
            Some(offsets) => {
                let offsets = OffsetBuffer::new(offsets.into());
                Arc::new(LargeListArray::new(item(self.function), offsets, elements, valid_lists))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use rankdcg_core::lookup;

    use super::*;

    #[test]
    fn more_rows_than_fit_memory_are_an_error() {
        for name in
            ["ndcg", "rank_metrics", "rank_metrics_at", "rank_explain", "corrected_p_values", "win_tie_loss"]
        {
            for rows in [usize::MAX / 32, usize::MAX] {
                let error = Results::new(lookup(name).unwrap(), rows).err().unwrap().to_string();
                assert_eq!(error, format!("out of memory: there is no room for the results of {rows} rows"));
            }
        }
    }
}
