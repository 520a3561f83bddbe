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
    /// The name of the function.
    name: &'static str,
    /// Its aliases.
    aliases: &'static [String],
    /// Usual names of its metric elsewhere, which are no names here; empty for a function of another kind.
    synonyms: &'static [&'static str],
    /// The name of its metric's mean in papers; empty for a function of another kind.
    paper_name: &'static str,
    /// Whether it is a function of one metric that an evaluation of tables computes unless metrics are named.
    by_default: bool,
    /// The layout of its inputs.
    form: Form,
    /// Whether it reads the rows of a group, and not lists.
    is_aggregate: bool,
    /// Whether it is missing where aggregates are macros: its result has the type of an argument.
    is_native_only: bool,
    /// Its result for a row or group.
    output: Output,
    base: &'static str,
    expression: Option<String>,
    fields: Vec<&'static str>,
    parameters: Vec<Parameter>,
    signature: String,
    /// The type of its result in SQL.
    result: String,
    examples: Examples,
    options: &'static [&'static str],
    /// The options whose default differs from that in the table of options, with their defaults.
    defaults: BTreeMap<&'static str, &'static str>,
    /// The option that the key `denominator` sets.
    denominator: Option<&'static str>,
    /// A description in words.
    summary: &'static str,
    /// The formula in words.
    formula: &'static str,
    /// The formula with default options, in LaTeX's mathematics; empty if words say all.
    latex: &'static str,
    /// The least and the largest possible value, in words.
    range: &'static str,
    /// The least value; `None` if there is none.
    least: Option<f64>,
    /// The largest value; `None` if there is none.
    most: Option<f64>,
    /// The items that a value needs, in words; `None` for functions without metrics, and for those whose metrics differ
    /// in it.
    truth_needs: Option<&'static str>,
    /// The publication or page that defines it.
    source: &'static str,
}

/// All functions, options and conventions, to be serialised.
#[derive(Serialize)]
pub struct Catalogue {
    /// The version of the library.
    version: &'static str,
    /// Every form of functions.
    forms: &'static [FormSpec],
    /// Every function, in the order of the documentation.
    functions: Vec<FunctionEntry>,
    /// Every option.
    options: &'static [OptionSpec],
    /// Every convention, the default one first.
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
    /// The catalogue of these functions.
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
