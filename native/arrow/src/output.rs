//! Results as Arrow arrays.

use std::sync::Arc;

use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{ArrayRef, ArrowPrimitiveType, LargeListArray, PrimitiveArray, StructArray};
use arrow_buffer::{NullBufferBuilder, OffsetBufferBuilder};
use arrow_schema::{DataType, Field, FieldRef, Fields};
use rankdcg_core::{Error, Function, Output, Values};

/// The type of a function's results.
pub fn data_type(function: &Function) -> DataType {
    match function.output {
        Output::Value => DataType::Float64,
        Output::Metrics => DataType::Struct(fields(function)),
        Output::MetricsAt => DataType::LargeList(item(function)),
    }
}

fn fields(function: &Function) -> Fields {
    let kind = |index| if index == 0 { DataType::Int64 } else { DataType::Float64 };
    function
        .fields()
        .into_iter()
        .enumerate()
        .map(|(index, name)| Field::new(name, kind(index), true))
        .collect()
}

fn item(function: &Function) -> FieldRef {
    Arc::new(Field::new("item", DataType::Struct(fields(function)), true))
}

/// Numbers so far, some of them NULL.
struct Numbers<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    valid: NullBufferBuilder,
}

impl<T: ArrowPrimitiveType> Numbers<T> {
    /// No numbers yet, and room for those of `rows` rows.
    ///
    /// Arrays of nothing but NULL take no room, so that there may be more rows of them than there is memory.
    fn new(rows: usize) -> Result<Self, Error> {
        let mut values = Vec::new();
        let reserved = values.try_reserve_exact(rows);
        reserved.map_err(|_| Error::new(format!("there is no memory for the results of {rows} rows")))?;
        Ok(Self { values, valid: NullBufferBuilder::new(rows) })
    }

    #[inline(always)]
    fn push(&mut self, value: Option<T::Native>) {
        self.values.push(value.unwrap_or_default());
        self.valid.append(value.is_some());
    }

    fn finish(&mut self) -> ArrayRef {
        let values = std::mem::take(&mut self.values);
        Arc::new(PrimitiveArray::<T>::new(values.into(), self.valid.finish()))
    }
}

/// The results so far of a function.
pub struct Results<'a>(Kind<'a>);

enum Kind<'a> {
    Values(Numbers<Float64Type>),
    Structs(Structs<'a>),
}

impl<'a> Results<'a> {
    pub fn new(function: &'a Function, rows: usize) -> Result<Self, Error> {
        Ok(Self(match function.output {
            Output::Value => Kind::Values(Numbers::new(rows)?),
            Output::Metrics | Output::MetricsAt => Kind::Structs(Structs::new(function, rows)?),
        }))
    }

    #[inline(always)]
    pub fn push(&mut self, values: Option<&Values>) {
        match &mut self.0 {
            Kind::Values(results) => results.push(values.and_then(|values| values.values[0].get())),
            Kind::Structs(results) => results.push(values),
        }
    }

    pub fn finish(self) -> ArrayRef {
        match self.0 {
            Kind::Values(mut results) => results.finish(),
            Kind::Structs(results) => results.finish(),
        }
    }
}

/// The results so far of a function with several, column by column.
struct Structs<'a> {
    function: &'a Function,
    ks: Numbers<Int64Type>,
    metrics: Vec<Numbers<Float64Type>>,
    /// Which structs, or lists of them, are not NULL.
    valid: NullBufferBuilder,
    lengths: OffsetBufferBuilder<i64>,
}

impl<'a> Structs<'a> {
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

    fn finish(mut self) -> ArrayRef {
        let metrics = self.metrics.iter_mut().map(Numbers::finish);
        let columns = std::iter::once(self.ks.finish()).chain(metrics).collect();
        let valid = self.valid.finish();
        if self.function.output == Output::Metrics {
            return Arc::new(StructArray::new(fields(self.function), columns, valid));
        }
        let structs = Arc::new(StructArray::new(fields(self.function), columns, None));
        Arc::new(LargeListArray::new(item(self.function), self.lengths.finish(), structs, valid))
    }
}
