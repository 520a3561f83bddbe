//! Results as Arrow arrays.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int64Builder};
use arrow_array::{ArrayRef, LargeListArray, StructArray};
use arrow_buffer::{NullBufferBuilder, OffsetBufferBuilder};
use arrow_schema::{DataType, Field, FieldRef, Fields};
use rankdcg_core::{Function, Output, Values};

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

/// The results so far of a function.
pub enum Results<'a> {
    Values(Float64Builder),
    Structs(Structs<'a>),
}

impl<'a> Results<'a> {
    pub fn new(function: &'a Function, rows: usize) -> Self {
        match function.output {
            Output::Value => Self::Values(Float64Builder::with_capacity(rows)),
            Output::Metrics | Output::MetricsAt => Self::Structs(Structs::new(function, rows)),
        }
    }

    #[inline]
    pub fn push(&mut self, values: Option<&Values>) {
        match self {
            Self::Values(results) => results.append_option(values.and_then(|values| values.values[0].get())),
            Self::Structs(results) => results.push(values),
        }
    }

    pub fn finish(self) -> ArrayRef {
        match self {
            Self::Values(mut results) => Arc::new(results.finish()),
            Self::Structs(results) => results.finish(),
        }
    }
}

/// The results so far of a function with several, column by column.
pub struct Structs<'a> {
    function: &'a Function,
    ks: Int64Builder,
    metrics: Vec<Float64Builder>,
    /// Which structs, or lists of them, are not NULL.
    valid: NullBufferBuilder,
    lengths: OffsetBufferBuilder<i64>,
}

impl<'a> Structs<'a> {
    fn new(function: &'a Function, rows: usize) -> Self {
        let is_listed = function.output == Output::MetricsAt;
        Self {
            function,
            ks: Int64Builder::with_capacity(rows),
            metrics: function.fields().iter().skip(1).map(|_| Float64Builder::with_capacity(rows)).collect(),
            valid: NullBufferBuilder::new(rows),
            lengths: OffsetBufferBuilder::new(if is_listed { rows } else { 0 }),
        }
    }

    fn push(&mut self, values: Option<&Values>) {
        self.valid.append(values.is_some());
        let is_listed = self.function.output == Output::MetricsAt;
        if is_listed {
            self.lengths.push_length(values.map_or(0, |values| values.ks.len()));
        }
        if let Some(values) = values {
            for (k, values) in values.ks.iter().zip(values.values.chunks(self.metrics.len())) {
                self.ks.append_option(k.and_then(|k| i64::try_from(k).ok()));
                for (metric, value) in self.metrics.iter_mut().zip(values) {
                    metric.append_option(value.get());
                }
            }
        } else if !is_listed {
            self.ks.append_null();
            self.metrics.iter_mut().for_each(Float64Builder::append_null);
        }
    }

    fn finish(mut self) -> ArrayRef {
        let metrics = self.metrics.iter_mut().map(|metric| Arc::new(metric.finish()) as ArrayRef);
        let columns = std::iter::once(Arc::new(self.ks.finish()) as ArrayRef).chain(metrics).collect();
        let valid = self.valid.finish();
        if self.function.output == Output::Metrics {
            return Arc::new(StructArray::new(fields(self.function), columns, valid));
        }
        let structs = Arc::new(StructArray::new(fields(self.function), columns, None));
        Arc::new(LargeListArray::new(item(self.function), self.lengths.finish(), structs, valid))
    }
}
