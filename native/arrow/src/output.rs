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
        Output::MetricsAt | Output::Values | Output::Explanation => DataType::LargeList(item(function)),
    }
}

/// The fields of a function with several results: k, and the metrics. For a statistic: the size of the sample, and its
/// values.
fn fields(function: &Function) -> Fields {
    let field = |(name, kind): (&str, FieldType)| {
        let kind = match kind {
            FieldType::Number => DataType::Float64,
            // No function over Arrow's arrays yields users or items.
            FieldType::Count | FieldType::User | FieldType::Item => DataType::Int64,
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
            Output::Metrics | Output::MetricsAt | Output::Values | Output::Explanation => {
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
    /// The k of each struct; `None` for lists of numbers. For a statistic: the size of the sample.
    ks: Option<Integers>,
    /// The values of each metric; NaN for NULL. For a statistic: its values, of which the last may be counts. For lists
    /// of numbers: one column of them.
    metrics: Vec<Vec<f64>>,
    /// A bit per row: set if its result is not NULL.
    valid: NullBufferBuilder,
    /// The end of each list in the elements, after a 0; `None` if results are structs.
    offsets: Option<Vec<i64>>,
}

impl<'a> Columns<'a> {
    /// No results yet, and memory for a struct or a number in each of `rows` rows.
    fn new(function: &'a Function, rows: usize) -> Result<Self, Error> {
        let (has_structs, is_list) = (function.output != Output::Values, function.output.is_list());
        // The first field of a struct is k, or the size of the sample.
        let metrics = if has_structs { function.fields().len() - 1 } else { 1 };
        let offsets = || -> Result<Vec<i64>, Error> {
            let mut offsets = with_room(rows.saturating_add(1), rows)?;
            offsets.push(0);
            Ok(offsets)
        };
        Ok(Self {
            function,
            ks: has_structs.then(|| Integers::new(rows)).transpose()?,
            metrics: (0..metrics).map(|_| with_room(rows, rows)).collect::<Result<_, _>>()?,
            valid: NullBufferBuilder::new(rows),
            offsets: is_list.then(offsets).transpose()?,
        })
    }

    /// Appends the result of a row, `None` for NULL, whose list is empty; an error if there is no room for the list.
    fn push(&mut self, row: Option<&Values>) -> Result<(), Error> {
        if let Some(offsets) = &mut self.offsets {
            let more = row.map_or(0, |row| row.values.len() / self.metrics.len());
            self.ks.iter_mut().try_for_each(|ks| ks.make_room(more))?;
            self.metrics.iter_mut().try_for_each(|metric| metric.make_room(more))?;
            offsets.push(i64::try_from(self.metrics[0].len() + more).unwrap_or(i64::MAX));
        }
        self.valid.append(row.is_some());
        if let Some(row) = row {
            if let Some(ks) = &mut self.ks {
                row.ks.iter().for_each(|k| ks.push(k.and_then(|k| i64::try_from(k).ok())));
            }
            for values in row.values.chunks(self.metrics.len()) {
                for (metric, value) in self.metrics.iter_mut().zip(values) {
                    metric.push(value.or_nan());
                }
            }
        } else if self.offsets.is_none() {
            self.ks.iter_mut().for_each(|ks| ks.push(None));
            self.metrics.iter_mut().for_each(|metric| metric.push(f64::NAN));
        }
        Ok(())
    }

    /// The array of results.
    fn finish(mut self) -> Result<ArrayRef, Error> {
        let counts_from = self.metrics.len() - self.function.trailing_counts();
        let column = |(place, metric): (usize, Vec<f64>)| -> Result<ArrayRef, Error> {
            let values = floats(metric);
            Ok(if place >= counts_from { Arc::new(integers(&values)?) } else { Arc::new(values) })
        };
        let mut columns = self.metrics.into_iter().enumerate().map(column).collect::<Result<Vec<_>, _>>()?;
        let valid = self.valid.finish();
        let (valid_structs, valid_lists) = if self.offsets.is_some() { (None, valid) } else { (valid, None) };
        let elements = match self.ks {
            None => columns.remove(0),
            Some(mut ks) => {
                columns.insert(0, Arc::new(ks.finish()));
                Arc::new(StructArray::new(fields(self.function), columns, valid_structs))
            }
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
        for name in ["ndcg", "rank_metrics", "rank_metrics_at", "corrected_p_values", "win_tie_loss"] {
            for rows in [usize::MAX / 32, usize::MAX] {
                let error = Results::new(lookup(name).unwrap(), rows).err().unwrap().to_string();
                assert_eq!(error, format!("out of memory: there is no room for the results of {rows} rows"));
            }
        }
    }
}
