//! Builds the Arrow array of results.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, LargeListArray, StructArray};
use arrow_buffer::{BooleanBuffer, NullBuffer, NullBufferBuilder, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef, Fields};
use rankdcg_core::{Error, FieldType, Function, Grow, Output, Values, collected};

/// The type of a function's results.
pub fn data_type(function: &Function) -> DataType {
    match function.output {
        // No function over Arrow's arrays yields items.
        Output::Value | Output::Items => DataType::Float64,
        Output::Metrics => DataType::Struct(fields(function)),
        Output::MetricsAt | Output::Values => DataType::LargeList(item(function)),
    }
}

/// The fields of a function with several results: k, and the metrics. For a statistic: the size of the sample, and its
/// values.
fn fields(function: &Function) -> Fields {
    let field = |(name, kind): (&str, FieldType)| {
        let kind = match kind {
            FieldType::Number => DataType::Float64,
            // No function over Arrow's arrays yields users.
            FieldType::Count | FieldType::User => DataType::Int64,
        };
        Field::new(name, kind, true)
    };
    function.result().fields.into_iter().map(field).collect()
}

/// The field of a list's elements: structs of [`fields`], or numbers.
fn item(function: &Function) -> FieldRef {
    let element = match function.output {
        Output::Values => DataType::Float64,
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
    let made = values.make_exact_room(length);
    made.map_err(|_| Error::memory(format_args!("there is no room for the results of {rows} rows")))?;
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

    /// How many integers there are.
    pub fn len(&self) -> usize {
        self.values.len()
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

/// Numbers that are counts, as integers.
fn integers(counts: &Float64Array) -> Result<Int64Array, Error> {
    #[allow(clippy::cast_possible_truncation)] // a count is whole, and below 2^53
    let integers = collected(counts.values().iter().map(|count| *count as i64))?;
    Ok(Int64Array::new(integers.into(), counts.nulls().cloned()))
}

/// The places of lists in their elements, under construction.
struct Offsets(Vec<i64>);

impl Offsets {
    /// No lists yet, and memory for `rows` of them.
    fn new(rows: usize) -> Result<Self, Error> {
        let mut ends = with_room(rows.saturating_add(1), rows)?;
        ends.push(0);
        Ok(Self(ends))
    }

    /// Appends a list that ends before the element `end`.
    fn push(&mut self, end: usize) {
        self.0.push(end.try_into().unwrap_or(i64::MAX));
    }

    /// The places of all lists.
    fn finish(self) -> OffsetBuffer<i64> {
        OffsetBuffer::new(self.0.into())
    }
}

/// The results of a function, under construction.
pub struct Results<'a> {
    /// The arrays of results.
    builder: Builder<'a>,
    /// An error if there was no room for the list of a row. No further lists are then appended.
    outcome: Result<(), Error>,
}

/// The arrays of results, under construction.
enum Builder<'a> {
    /// A value for each row; NaN for NULL.
    Values(Vec<f64>),
    /// A struct for each row, or a list of structs.
    Structs(Structs<'a>),
    /// A list of numbers for each row.
    Lists(Lists<'a>),
}

impl<'a> Results<'a> {
    /// No results yet, and memory for those of `rows` rows.
    pub fn new(function: &'a Function, rows: usize) -> Result<Self, Error> {
        let builder = match function.output {
            Output::Value | Output::Items => Builder::Values(with_room(rows, rows)?),
            Output::Metrics | Output::MetricsAt => Builder::Structs(Structs::new(function, rows)?),
            Output::Values => Builder::Lists(Lists::new(function, rows)?),
        };
        Ok(Self { builder, outcome: Ok(()) })
    }

    /// Appends the result of a row.
    #[inline(always)]
    pub fn push(&mut self, values: Option<&Values>) {
        let outcome = match &mut self.builder {
            Builder::Values(results) => {
                results.push(values.map_or(f64::NAN, |values| values.values[0].or_nan()));
                return;
            }
            _ if self.outcome.is_err() => return,
            Builder::Structs(results) => results.push(values),
            Builder::Lists(results) => results.push(values),
        };
        if outcome.is_err() {
            self.outcome = outcome;
        }
    }

    /// The array of results; an error if there was no room for them.
    pub fn finish(self) -> Result<ArrayRef, Error> {
        self.outcome?;
        match self.builder {
            Builder::Values(results) => Ok(Arc::new(floats(results))),
            Builder::Structs(results) => results.finish(),
            Builder::Lists(results) => Ok(results.finish()),
        }
    }
}

/// Structs, or lists of structs, under construction.
struct Structs<'a> {
    /// The function, which determines the fields.
    function: &'a Function,
    /// The k of each struct. For a statistic: the size of the sample.
    ks: Integers,
    /// The values of each metric; NaN for NULL. For a statistic: its values.
    metrics: Vec<Vec<f64>>,
    /// A bit per row: set if its result is not NULL.
    valid: NullBufferBuilder,
    /// The places of the lists; `None` if results are structs.
    offsets: Option<Offsets>,
}

impl<'a> Structs<'a> {
    /// No structs yet, and memory for one in each of `rows` rows.
    fn new(function: &'a Function, rows: usize) -> Result<Self, Error> {
        let is_listed = function.output == Output::MetricsAt;
        let metrics = function.fields().into_iter().skip(1).map(|_| with_room(rows, rows));
        Ok(Self {
            function,
            ks: Integers::new(rows)?,
            metrics: metrics.collect::<Result<_, _>>()?,
            valid: NullBufferBuilder::new(rows),
            offsets: is_listed.then(|| Offsets::new(rows)).transpose()?,
        })
    }

    /// Appends the result of a row; an error if there is no room for its list.
    fn push(&mut self, row: Option<&Values>) -> Result<(), Error> {
        if let Some(offsets) = &mut self.offsets {
            let more = row.map_or(0, |row| row.ks.len());
            self.ks.make_room(more)?;
            self.metrics.iter_mut().try_for_each(|metric| metric.make_room(more))?;
            offsets.push(self.ks.len() + more);
        }
        self.valid.append(row.is_some());
        if let Some(row) = row {
            for (k, at_k) in row.ks.iter().zip(row.values.chunks(self.metrics.len())) {
                self.ks.push(k.and_then(|k| i64::try_from(k).ok()));
                for (metric, value) in self.metrics.iter_mut().zip(at_k) {
                    metric.push(value.or_nan());
                }
            }
        } else if self.offsets.is_none() {
            self.ks.push(None);
            self.metrics.iter_mut().for_each(|metric| metric.push(f64::NAN));
        }
        Ok(())
    }

    /// The array of results.
    fn finish(mut self) -> Result<ArrayRef, Error> {
        let counts_from = self.metrics.len() - self.function.trailing_counts();
        let metric = |(place, metric): (usize, Vec<f64>)| -> Result<ArrayRef, Error> {
            let values = floats(metric);
            Ok(if place >= counts_from { Arc::new(integers(&values)?) } else { Arc::new(values) })
        };
        let ks = Arc::new(self.ks.finish()) as ArrayRef;
        let columns = std::iter::once(Ok(ks)).chain(self.metrics.into_iter().enumerate().map(metric));
        let columns = columns.collect::<Result<_, _>>()?;
        let (fields, valid) = (fields(self.function), self.valid.finish());
        Ok(match self.offsets {
            None => Arc::new(StructArray::new(fields, columns, valid)),
            Some(offsets) => {
                let structs = Arc::new(StructArray::new(fields, columns, None));
                Arc::new(LargeListArray::new(item(self.function), offsets.finish(), structs, valid))
            }
        })
    }
}

/// Lists of numbers, under construction.
struct Lists<'a> {
    /// The function, which determines the type.
    function: &'a Function,
    /// The numbers of all lists, one list after the other; NaN for NULL.
    numbers: Vec<f64>,
    /// The places of the lists.
    offsets: Offsets,
    /// A bit per row: set if its list is not NULL.
    valid: NullBufferBuilder,
}

impl<'a> Lists<'a> {
    /// No lists yet, and memory for one number in each of `rows` rows.
    fn new(function: &'a Function, rows: usize) -> Result<Self, Error> {
        let (offsets, valid) = (Offsets::new(rows)?, NullBufferBuilder::new(rows));
        Ok(Self { function, numbers: with_room(rows, rows)?, offsets, valid })
    }

    /// Appends the result of a row; an error if there is no room for its list.
    fn push(&mut self, row: Option<&Values>) -> Result<(), Error> {
        let numbers = row.map_or(&[][..], |row| row.values);
        self.numbers.make_room(numbers.len())?;
        self.offsets.push(self.numbers.len() + numbers.len());
        self.valid.append(row.is_some());
        for number in numbers {
            self.numbers.push(number.or_nan());
        }
        Ok(())
    }

    /// The array of results.
    fn finish(mut self) -> ArrayRef {
        let numbers = Arc::new(floats(self.numbers));
        Arc::new(LargeListArray::new(
            item(self.function),
            self.offsets.finish(),
            numbers,
            self.valid.finish(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use rankdcg_core::lookup;

    use super::*;

    #[test]
    fn more_rows_than_fit_memory_are_an_error() {
        for name in ["ndcg", "rank_metrics", "rank_metrics_at", "corrected_p_values", "win_tie_loss"] {
            for rows in [usize::MAX / 32, usize::MAX] {
                let error = Results::new(lookup(name).unwrap(), rows).err().unwrap().to_string();
                assert_eq!(error, format!("out of memory: there is no room for the results of {rows} rows"));
            }
        }
    }
}
