//! The catalogue as it is serialised for other languages.

use std::collections::BTreeMap;

use serde::Serialize;

use super::examples::{Examples, examples};
use super::form::{FORMS, Form, FormSpec};
use super::function::{Function, ROW_COUNTS};
use super::parameters::Parameter;
use super::result::Output;
use crate::about::About;
use crate::options::conventions::{CONVENTIONS, Convention};
use crate::options::table::{OptionSpec, options};

/// A function as it is serialised for other languages.
#[derive(Serialize)]
struct FunctionEntry {
    name: &'static str,
    aliases: &'static [String],
    synonyms: &'static [&'static str],
    paper_name: &'static str,
    by_default: bool,
    form: Form,
    is_aggregate: bool,
    /// Whether it is missing where aggregates are macros: its result has the type of an argument.
    is_native_only: bool,
    output: Output,
    base: &'static str,
    expression: Option<String>,
    fields: Vec<&'static str>,
    parameters: Vec<Parameter>,
    signature: String,
    result: String,
    examples: Examples,
    options: &'static [&'static str],
    defaults: BTreeMap<&'static str, &'static str>,
    denominator: Option<&'static str>,
    summary: &'static str,
    formula: &'static str,
    latex: &'static str,
    range: &'static str,
    least: Option<f64>,
    most: Option<f64>,
    truth_needs: Option<&'static str>,
    source: &'static str,
}

/// All functions, options and conventions, to be serialised.
#[derive(Serialize)]
pub struct Catalogue {
    version: &'static str,
    forms: &'static [FormSpec],
    functions: Vec<FunctionEntry>,
    options: &'static [OptionSpec],
    conventions: &'static [Convention],
}

impl From<&'static Function> for FunctionEntry {
    fn from(function: &'static Function) -> Self {
        let About { summary, formula, latex, range, source } = function.about;
        let metric = function.metric();
        Self {
            name: function.name(),
            aliases: &function.names()[1..],
            synonyms: metric.map_or(&[], |metric| metric.synonyms),
            paper_name: metric.map_or("", |metric| metric.paper_name),
            by_default: metric.is_some_and(|metric| metric.by_default),
            form: function.form,
            is_aggregate: function.form.spec().is_aggregate,
            is_native_only: function.result().has_argument_type(),
            output: function.output,
            base: &function.base,
            expression: function.expression(),
            fields: if function.count_rows {
                [&ROW_COUNTS, &function.fields()[..]].concat()
            } else {
                function.fields()
            },
            parameters: function.parameters(),
            signature: function.signature(),
            result: function.result().to_string(),
            examples: examples(function),
            options: function.options(),
            defaults: function.defaults(),
            denominator: function.option_schema.denominator,
            summary,
            formula,
            latex,
            range: range.text,
            least: range.least,
            most: range.most,
            truth_needs: function.truth_needs(),
            source,
        }
    }
}

impl Catalogue {
    pub(super) fn new(version: &'static str, functions: &'static [Function]) -> Self {
        Self {
            version,
            forms: FORMS,
            functions: functions.iter().map(FunctionEntry::from).collect(),
            options: options(),
            conventions: CONVENTIONS,
        }
    }
}
