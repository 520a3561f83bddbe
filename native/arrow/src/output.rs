//! Builds the Arrow array of results.

use std::sync::Arc;

use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{ArrayRef, ArrowPrimitiveType, LargeListArray, PrimitiveArray, StructArray};
use arrow_buffer::{NullBufferBuilder, OffsetBufferBuilder};
use arrow_schema::{DataType, Field, FieldRef, Fields};
use rankdcg_core::{Error, FieldType, Function, Grow, Output, Values};

/// The type of a function's results.
pub fn data_type(function: &Function) -> DataType {
    match function.output {
        // No function over Arrow's arrays yields items.
        Output::Value | Output::Items => DataType::Float64,
        Output::Metrics => DataType::Struct(fields(function)),
        Output::MetricsAt | Output::Values => DataType::LargeList(item(function)),
    }
}

/// The fields of a function with several results: k, and the metrics.
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

/// The field of the elements of a list of such structs, or of numbers.
fn item(function: &Function) -> FieldRef {
    let element = match function.output {
        Output::Values => DataType::Float64,
        _ => DataType::Struct(fields(function)),
    };
    Arc::new(Field::new("item", element, true))
}

/// An array of numbers under construction.
pub struct Numbers<T: ArrowPrimitiveType> {
    /// The numbers so far; 0 for NULL.
    values: Vec<T::Native>,
    /// Which of them are not NULL.
    valid: NullBufferBuilder,
}

impl<T: ArrowPrimitiveType> Numbers<T> {
    /// No numbers yet, and memory for those of `rows` rows.
    ///
    /// It is an error if there is not enough memory. Arguments may claim any number of rows, because arrays of untyped
    /// NULLs need no memory.
    pub fn new(rows: usize) -> Result<Self, Error> {
        let mut values = Vec::new();
        let reserved = values.try_reserve_exact(rows);
        reserved
            .map_err(|_| Error::memory(format_args!("there is no room for the results of {rows} rows")))?;
        Ok(Self { values, valid: NullBufferBuilder::new(rows) })
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Makes room for `more` numbers.
    pub fn make_room(&mut self, more: usize) -> Result<(), Error> {
        self.values.make_room(more)
    }

    /// Appends a number.
    #[inline(always)]
    pub fn push(&mut self, value: Option<T::Native>) {
        self.values.push(value.unwrap_or_default());
        self.valid.append(value.is_some());
    }

    /// The array. Afterwards, no numbers are left.
    pub fn finish(&mut self) -> PrimitiveArray<T> {
        let values = std::mem::take(&mut self.values);
        PrimitiveArray::new(values.into(), self.valid.finish())
    }
}

/// Numbers that are counts, as integers.
fn integers(counts: &PrimitiveArray<Float64Type>) -> PrimitiveArray<Int64Type> {
    #[allow(clippy::cast_possible_truncation)] // a count is whole, and below 2^53
    counts.unary(|count| count as i64)
}

/// The results of a function, under construction.
pub struct Results<'a>(Builder<'a>);

/// The arrays of results, under construction.
enum Builder<'a> {
    /// A value for each row.
    Values(Numbers<Float64Type>),
    /// A struct for each row, or a list of structs.
    Structs(Structs<'a>),
    /// A list of numbers for each row.
    Lists(Lists<'a>),
}

impl<'a> Results<'a> {
    /// No results yet, and memory for those of `rows` rows.
    pub fn new(function: &'a Function, rows: usize) -> Result<Self, Error> {
        Ok(Self(match function.output {
            Output::Value | Output::Items => Builder::Values(Numbers::new(rows)?),
            Output::Metrics | Output::MetricsAt => Builder::Structs(Structs::new(function, rows)?),
            Output::Values => Builder::Lists(Lists::new(function, rows)?),
        }))
    }

    /// Appends the result of a row.
    #[inline(always)]
    pub fn push(&mut self, values: Option<&Values>) {
        match &mut self.0 {
            Builder::Values(results) => results.push(values.and_then(|values| values.values[0].get())),
            Builder::Structs(results) => results.push(values),
            Builder::Lists(results) => results.push(values),
        }
    }

    /// The array of results.
    pub fn finish(self) -> ArrayRef {
        match self.0 {
            Builder::Values(mut results) => Arc::new(results.finish()),
            Builder::Structs(results) => results.finish(),
            Builder::Lists(results) => results.finish(),
        }
    }
}

/// Structs, or lists of structs, under construction.
struct Structs<'a> {
    /// The function, which determines the fields.
    function: &'a Function,
    /// The k of each struct.
    ks: Numbers<Int64Type>,
    /// The values of each metric.
    metrics: Vec<Numbers<Float64Type>>,
    /// Which rows are not NULL.
    valid: NullBufferBuilder,
    /// The lengths of the lists; unused for structs.
    lengths: OffsetBufferBuilder<i64>,
}

impl<'a> Structs<'a> {
    /// No structs yet, and memory for those of `rows` rows.
    fn new(function: &'a Function, rows: usize) -> Result<Self, Error> {
        let is_listed = function.output == Output::MetricsAt;
        let metrics = function.fields().into_iter().skip(1).map(|_| Numbers::new(rows));
        Ok(Self {
            function,
            ks: Numbers::new(rows)?,
            metrics: metrics.collect::<Result<_, _>>()?,
            valid: NullBufferBuilder::new(rows),
            lengths: OffsetBufferBuilder::new(if is_listed { rows } else { 0 }),
        })
    }

    /// Appends the result of a row.
    fn push(&mut self, values: Option<&Values>) {
        self.valid.append(values.is_some());
        let is_listed = self.function.output == Output::MetricsAt;
        if is_listed {
            self.lengths.push_length(values.map_or(0, |values| values.ks.len()));
        }
        if let Some(values) = values {
            for (k, values) in values.ks.iter().zip(values.values.chunks(self.metrics.len())) {
                self.ks.push(k.and_then(|k| i64::try_from(k).ok()));
                for (metric, value) in self.metrics.iter_mut().zip(values) {
                    metric.push(value.get());
                }
            }
        } else if !is_listed {
            self.ks.push(None);
            self.metrics.iter_mut().for_each(|metric| metric.push(None));
        }
    }

    /// The array of results.
    fn finish(mut self) -> ArrayRef {
        let has_counts = self.function.has_counts();
        let metric = |metric: &mut Numbers<Float64Type>| -> ArrayRef {
            let values = metric.finish();
            if has_counts { Arc::new(integers(&values)) } else { Arc::new(values) }
        };
        let ks = Arc::new(self.ks.finish()) as ArrayRef;
        let columns = std::iter::once(ks).chain(self.metrics.iter_mut().map(metric)).collect();
        let valid = self.valid.finish();
        if self.function.output == Output::Metrics {
            return Arc::new(StructArray::new(fields(self.function), columns, valid));
        }
        let structs = Arc::new(StructArray::new(fields(self.function), columns, None));
        Arc::new(LargeListArray::new(item(self.function), self.lengths.finish(), structs, valid))
    }
}

/// Lists of numbers, under construction.
struct Lists<'a> {
    /// The function, which determines the type.
    function: &'a Function,
    /// The numbers of all lists, one list after the other.
    numbers: Numbers<Float64Type>,
    /// The lengths of the lists.
    lengths: OffsetBufferBuilder<i64>,
    /// Which rows are not NULL.
    valid: NullBufferBuilder,
}

impl<'a> Lists<'a> {
    /// No lists yet, and memory for `rows` rows.
    fn new(function: &'a Function, rows: usize) -> Result<Self, Error> {
        let (lengths, valid) = (OffsetBufferBuilder::new(rows), NullBufferBuilder::new(rows));
        Ok(Self { function, numbers: Numbers::new(rows)?, lengths, valid })
    }

    /// Appends the result of a row.
    fn push(&mut self, values: Option<&Values>) {
        self.valid.append(values.is_some());
        let numbers = values.map_or(&[][..], |values| values.values);
        self.lengths.push_length(numbers.len());
        for number in numbers {
            self.numbers.push(number.get());
        }
    }

    /// The array of results.
    fn finish(mut self) -> ArrayRef {
        let numbers = Arc::new(self.numbers.finish());
        Arc::new(LargeListArray::new(
            item(self.function),
            self.lengths.finish(),
            numbers,
            self.valid.finish(),
        ))
    }
}
