//! The catalogue as it is serialised for other languages.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::elsewhere::{Elsewhere, SPELLINGS, TO_PLAIN_LETTERS, USUAL_NAMES_OF_REL, elsewhere};
use super::examples::examples;
use super::form::{FORMS, Form, FormSpec};
use super::function::{Function, ROW_COUNTS};
use crate::documentation::About;
use crate::item_measures::item_measure::ItemMeasure;
use crate::options::conventions::{CONVENTIONS, Convention};
use crate::options::table::{OptionSpec, options};

/// A function as other languages read it.
impl Serialize for Function {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let About { summary, formula, latex, range, source } = self.about;
        let (metric, form, result) = (self.metric(), self.form.spec(), self.result());
        let counts = if self.count_rows { &ROW_COUNTS[..] } else { &[] };
        let mut entry = serializer.serialize_map(None)?;
        entry.serialize_entry("name", self.name())?;
        entry.serialize_entry("aliases", &self.names()[1..])?;
        let of_metric = metric.map(|metric| (metric.synonyms, metric.paper_name));
        let of_aspects = self.aspect_measure.map(|measure| (measure.synonyms, measure.paper_name));
        let of_items = self.item_measure.filter(|_| self.form == Form::Items);
        let named = of_items.map(|measure| (measure.synonyms, measure.paper_name));
        let of_spans = self.span_measure.map(|measure| (measure.synonyms, measure.paper_name));
        let of_mean = self.geometric_mean.map(|mean| (mean.synonyms, mean.paper_name));
        let named = of_metric.or(of_aspects).or(named).or(of_spans).or(of_mean);
        let (synonyms, paper_name) = named.unwrap_or_default();
        entry.serialize_entry("synonyms", synonyms)?;
        entry.serialize_entry("paper_name", paper_name)?;
        entry.serialize_entry("by_default", &metric.is_some_and(|metric| metric.by_default))?;
        entry.serialize_entry("form", &self.form)?;
        entry.serialize_entry("is_aggregate", &(form.is_aggregate && self.geometric_mean.is_none()))?;
        // Whether it is missing where aggregates are macros: its result has the type of an argument.
        entry.serialize_entry("is_native_only", &result.has_argument_type())?;
        entry.serialize_entry("output", &self.output)?;
        entry.serialize_entry("base", &self.base)?;
        entry.serialize_entry("expression", &self.expression())?;
        entry.serialize_entry("fields", &[counts, &self.fields()].concat())?;
        entry.serialize_entry("parameters", &self.parameters())?;
        entry.serialize_entry("signature", &self.signature())?;
        entry.serialize_entry("result", &result.to_string())?;
        entry.serialize_entry("examples", &examples(self))?;
        entry.serialize_entry("options", self.options())?;
        entry.serialize_entry("defaults", &self.defaults())?;
        entry.serialize_entry("denominator", &self.option_schema.denominator)?;
        entry.serialize_entry("summary", summary)?;
        entry.serialize_entry("formula", formula)?;
        entry.serialize_entry("latex", latex)?;
        entry.serialize_entry("range", range.text)?;
        entry.serialize_entry("least", &range.least)?;
        entry.serialize_entry("most", &range.most)?;
        entry.serialize_entry("truth_needs", &self.truth_needs())?;
        entry.serialize_entry("item_property", &of_items.map(|measure| measure.property))?;
        let reads_numbers = of_items.is_some_and(|measure| measure.kernel.reads_numbers());
        entry.serialize_entry("reads_numbers", &reads_numbers)?;
        let needs = of_items.map(|measure| measure.needs).or(self.span_measure.map(|measure| measure.needs));
        entry.serialize_entry("item_needs", &needs)?;
        entry.serialize_entry("needs_truth", &of_items.is_some_and(|measure| measure.needs_truth))?;
        entry.serialize_entry("less_is_better", &of_items.is_some_and(|measure| measure.less_is_better))?;
        entry.serialize_entry("mean_of", &self.geometric_mean.map(|mean| mean.metric))?;
        let is_of_all = self.geometric_mean.is_some() || of_items.is_some_and(ItemMeasure::is_of_all);
        entry.serialize_entry("is_of_all_users", &is_of_all)?;
        entry.serialize_entry("source", source)?;
        entry.end()
    }
}

/// All functions, options and conventions, and names that others use, to be serialised.
#[derive(Serialize)]
pub struct Catalogue {
    version: &'static str,
    forms: &'static [FormSpec],
    functions: &'static [Function],
    geometric_means: &'static [Function],
    /// The measures that calls of `rank_items` name.
    item_measures: &'static [Function],
    span_measures: &'static [Function],
    options: &'static [OptionSpec],
    conventions: &'static [Convention],
    elsewhere: &'static [Elsewhere],
    spellings: &'static [(&'static str, &'static str)],
    to_plain_letters: &'static [(&'static str, &'static str)],
    usual_names_of_rel: &'static [&'static str],
}

impl Catalogue {
    pub(super) fn new(
        version: &'static str,
        functions: &'static [Function],
        geometric_means: &'static [Function],
        item_measures: &'static [Function],
        span_measures: &'static [Function],
    ) -> Self {
        Self {
            version,
            forms: FORMS,
            functions,
            geometric_means,
            item_measures,
            span_measures,
            options: options(),
            conventions: CONVENTIONS,
            elsewhere: elsewhere(),
            spellings: SPELLINGS,
            to_plain_letters: TO_PLAIN_LETTERS,
            usual_names_of_rel: USUAL_NAMES_OF_REL,
        }
    }
}
