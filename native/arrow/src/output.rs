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

/// The results of the rows so far, column by column.
pub struct Results<'a> {
    function: &'a Function,
    ks: Int64Builder,
    metrics: Vec<Float64Builder>,
    /// Which structs, or lists of them, are not NULL.
    valid: NullBufferBuilder,
    lengths: OffsetBufferBuilder<i64>,
}

impl<'a> Results<'a> {
    pub fn new(function: &'a Function, rows: usize) -> Self {
        let (several, lists) = (function.output != Output::Value, function.output == Output::MetricsAt);
        let builder = || Float64Builder::with_capacity(rows);
        Self {
            function,
            ks: Int64Builder::with_capacity(if several { rows } else { 0 }),
            metrics: function.metrics.iter().map(|_| builder()).collect(),
            valid: NullBufferBuilder::new(if several { rows } else { 0 }),
            lengths: OffsetBufferBuilder::new(if lists { rows } else { 0 }),
        }
    }

    pub fn push(&mut self, values: Option<&Values>) {
        match (self.function.output, values) {
            (Output::Value, values) => {
                self.metrics[0].append_option(values.and_then(|values| values.values[0]));
            }
            (Output::Metrics, Some(values)) => {
                self.valid.append_non_null();
                self.push_structs(values);
            }
            (Output::Metrics, None) => {
                self.valid.append_null();
                self.ks.append_null();
                self.metrics.iter_mut().for_each(Float64Builder::append_null);
            }
            (Output::MetricsAt, Some(values)) => {
                self.valid.append_non_null();
                self.lengths.push_length(values.ks.len());
                self.push_structs(values);
            }
            (Output::MetricsAt, None) => {
                self.valid.append_null();
                self.lengths.push_length(0);
            }
        }
    }

    fn push_structs(&mut self, values: &Values) {
        for (k, values) in values.ks.iter().zip(values.values.chunks(self.metrics.len())) {
            self.ks.append_option(k.and_then(|k| i64::try_from(k).ok()));
            for (metric, value) in self.metrics.iter_mut().zip(values) {
                metric.append_option(*value);
            }
        }
    }

    pub fn finish(mut self) -> ArrayRef {
        let mut metrics: Vec<ArrayRef> =
            self.metrics.iter_mut().map(|metric| Arc::new(metric.finish()) as ArrayRef).collect();
        let valid = self.valid.finish();
        let mut structs = |valid| {
            metrics.insert(0, Arc::new(self.ks.finish()));
            StructArray::new(fields(self.function), std::mem::take(&mut metrics), valid)
        };
        match self.function.output {
            Output::Value => metrics.remove(0),
            Output::Metrics => Arc::new(structs(valid)),
            Output::MetricsAt => {
                let structs = Arc::new(structs(None));
                Arc::new(LargeListArray::new(item(self.function), self.lengths.finish(), structs, valid))
            }
        }
    }
}
