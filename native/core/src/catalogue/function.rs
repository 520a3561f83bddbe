//! A function of the catalogue: its names, arguments, options and result.

use std::collections::BTreeMap;

use serde::Serialize;

use super::form::Form;
use super::geometric_means::GeometricMean;
use super::parameters::{Parameter, Rules, parameter};
use super::result::{FieldType, Output, ResultType, UserList, fields_of_explained_items};
use super::span_measures::SpanMeasure;
use crate::aspects::measure::{AspectMeasure, OF_ALL};
use crate::documentation::{About, ValueRange};
use crate::error::{Error, bail};
use crate::item_measures::item_measure::ItemMeasure;
use crate::metrics::metric::{AlignedForm, Metric};
use crate::metrics::{METRICS, RANK_METRICS, RANK_METRICS_SUMMARY};
use crate::needs::{AllNeeds, Needs};
use crate::options::Options;
use crate::options::choices::Explained;
use crate::options::parse::{OptionSchema, OptionValue};
use crate::options::table::{NULL_REASONS, WITHOUT_LARGEST, options};
use crate::settings::Settings;
use crate::similarities::similarity::Similarity;
use crate::similarities::{SIMILARITIES, rbo};
use crate::statistics::statistic::Statistic;

/// A function that engines register: metrics, similarities, a measure of items or of aspects, a statistic, a correction of
/// p-values, a test of several systems, or the list of items, over inputs of one form.
pub struct Function {
    /// The name of the function, then its aliases.
    names: Vec<String>,
    /// The name without the suffix of the form, used in results and in Polars: `precision` for `precision_at_rows`.
    pub(super) base: String,
    pub form: Form,
    pub output: Output,
    /// Its metrics, in the order of the fields of its result; empty for a function of another kind.
    pub metrics: Vec<&'static Metric>,
    /// Its similarities, in the order of the fields of its result; empty for a function of another kind.
    pub(crate) similarities: Vec<&'static Similarity>,
    /// Its measure of items; `None` for a function of another kind.
    pub(crate) item_measure: Option<&'static ItemMeasure>,
    /// Its measure of aspects; `None` for a function of another kind.
    pub(crate) aspect_measure: Option<&'static AspectMeasure>,
    /// The geometric mean of its metric over users that it stands for; `None` for a function of another kind.
    pub(crate) geometric_mean: Option<&'static GeometricMean>,
    /// Its measure of spans; `None` for a function of another kind.
    pub(crate) span_measure: Option<&'static SpanMeasure>,
    /// Its statistic; `None` for a function of another kind.
    pub statistic: Option<&'static Statistic>,
    /// Whether its result has the counts of the rows of each user, [`ROW_COUNTS`].
    pub count_rows: bool,
    /// The lists of items that its result has for each user.
    pub lists_of_users: &'static [UserList],
    pub(super) about: About,
    /// The properties of judged items that its metrics read.
    needs: AllNeeds,
    pub(super) option_schema: OptionSchema,
    /// The function of each metric that this one explains, as the option `metric` names them, with this option beside
    /// those of the metric; empty for functions of other kinds.
    explained: Vec<Function>,
    /// The functions that compute the measures which a call names; empty for functions of other kinds.
    pub(crate) parts: Vec<Function>,
}

/// The fields that count the rows of a user, between the user and k.
pub const ROW_COUNTS: [&str; 4] = ["retrieved", "judged", "retrieved_repeats", "judged_repeats"];

/// The options of a call as they hold, and what follows from them.
#[derive(Serialize)]
pub struct Resolved {
    /// The value of each option, in the order of [`Function::options`].
    pub options: Vec<OptionValue>,
    /// The rankings whose value is NULL, in words that start with "without"; `None` unless the function has one metric,
    /// similarity or measure of items or of aspects.
    pub null_reason: Option<String>,
    pub least: Option<f64>,
    pub most: Option<f64>,
}

const RANK_METRICS_ABOUT: About = About {
    summary: RANK_METRICS_SUMMARY,
    formula: "each as on its own",
    latex: "",
    range: ValueRange::UNIT,
    source: "those of the metrics",
};
const RANK_METRICS_AT_ABOUT: About =
    About { summary: "the metrics of rank_metrics for each of several k, in one pass", ..RANK_METRICS_ABOUT };
const RANK_EVALUATION_ABOUT: About = About {
    summary: "the metrics of rank_metrics for each of several k, and counts of each user's rows: retrieved (items, up to \
              the largest k), judged (items), and the repeats, which are rows of either kind after the first one \
              with its item. retrieved_repeats is NULL if rows were dropped before they could be compared",
    ..RANK_METRICS_ABOUT
};

const RANK_EXPLAIN_ABOUT: About = About {
    summary: "the items that a metric's value is made of, best first, and relevant ones that were missed. rank to \
              last_rank are the ranks that an item can have among tied ones, NULL if it was not retrieved; of lists, \
              rec_place and truth_place are its places in them. contribution is what the item adds, a mean over the \
              orders of tied items: the contributions of a user add up to value, and are NULL if a rule for empty \
              rankings gives it. if_found is what a missed item would have added at the best place that was free",
    formula: "each term of the metric's sum",
    latex: "",
    range: ValueRange::in_words("items of the ranking"),
    source: "those of the metrics",
};

const RANK_MEASURES_ABOUT: About = About {
    summary: "any metrics by their names, with cutoffs and options of their own, in one pass: a list of their values, in \
              their order",
    range: ValueRange::in_words("in the ranges of the metrics"),
    ..RANK_METRICS_ABOUT
};

const RANK_SIMILARITY_ABOUT: About = About {
    summary: "the similarities of two rankings in one pass, in a struct with k",
    formula: "each as on its own",
    latex: "",
    range: ValueRange::SIGNED,
    source: "those of the similarities",
};

const RANK_ITEMS_ABOUT: About = About {
    summary: "measures of recommended items by their names, each of a ranking or of all of them: a list of their values for the \
              first ranking, then those for the next one. The value of a measure of all rankings is the mean of its column; \
              each ranking has that value plus its influence, so that the interval of the mean is the jackknife's",
    formula: "each as on its own; of all rankings: v + (n - 1) * (m - w), v the measure, w the measure without the ranking, m \
              the mean of all w",
    latex: "",
    range: ValueRange::in_words("in the ranges of the measures, or beyond them with its influence"),
    source: "those of the measures; Efron and Stein, The Jackknife Estimate of Variance, Annals of Statistics 1981",
};

const RANKED_LIST_ABOUT: About = About {
    summary: "the items of a group by score, best first, at most k of them. It equals list(item ORDER BY score DESC, \
              item) and takes a fraction of the time. NULL if there are no items",
    formula: "list(item ORDER BY score DESC NULLS LAST, item)[:k]",
    latex: "",
    range: ValueRange::in_words("items of the group"),
    source: "Hivemall, generic functions: to_ordered_list",
};

impl Function {
    /// A function of metrics in a form, with the options that they have in it.
    ///
    /// The function of one metric says what the metric says of itself; one of several says what [`RANK_METRICS_ABOUT`] or
    /// [`RANK_METRICS_AT_ABOUT`] does, unless the caller replaces it.
    fn new(
        base: &str,
        names: Vec<String>,
        form: Form,
        output: Output,
        metrics: Vec<&'static Metric>,
    ) -> Self {
        let spec = form.spec();
        let from_scores = spec.is_aligned || spec.is_aggregate;
        // Metrics with an aligned form in place of a scored one rank nothing by ties, because they read scores themselves.
        let scored = from_scores && metrics.iter().all(|metric| metric.aligned == AlignedForm::No);
        // The options about scores depend on whether there are scores; all others on the form and the metrics.
        let takes = |name: &&'static str| match *name {
            "convention" => true,
            "ties" if scored => true,
            "ap_steps" if !scored => false,
            "unjudged" => metrics.iter().any(|metric| metric.aligned != AlignedForm::Only),
            "score_type" => from_scores || metrics.iter().any(|metric| metric.aligned == AlignedForm::Also),
            name if spec.lacks.contains(&name) => false,
            _ => metrics.iter().any(|metric| metric.options.contains(name)),
        };
        let needs = |needs| metrics.iter().any(|metric| metric.needs == needs);
        let (hit_sums, judgements) = (needs(Needs::HitSums), needs(Needs::Judgements));
        let (gains, levels) = (needs(Needs::Gains), needs(Needs::Levels));
        let hits = hit_sums || judgements || needs(Needs::Hits);
        let needs = AllNeeds { hits, judgements, hit_sums, gains, levels };
        let (about, denominator, defaults) = match (output, &metrics[..]) {
            (Output::Value, [metric]) => {
                let Metric { summary, formula, latex, range, source, .. } = metric;
                let about = About { summary, formula, latex, range: *range, source };
                (about, metric.denominator, metric.defaults)
            }
            (Output::MetricsAt, _) => (RANK_METRICS_AT_ABOUT, None, &[][..]),
            _ => (RANK_METRICS_ABOUT, None, &[][..]),
        };
        let option_schema = OptionSchema {
            names: options().iter().map(|option| option.name).filter(takes).collect(),
            denominator,
            defaults,
            metrics: metrics.iter().map(|metric| metric.short_name()).collect(),
            by_item: spec.has_items(),
            by_order: !spec.is_aggregate,
            only_by_item: false,
            of_aspects: false,
            only_gains: needs.gains && !needs.hits,
        };
        let plain = Self::plain(base, form, output, about, option_schema);
        Self { names, metrics, needs, ..plain }
    }

    /// A function of one name and without metrics.
    fn plain(name: &str, form: Form, output: Output, about: About, option_schema: OptionSchema) -> Self {
        Self {
            names: vec![name.to_owned()],
            base: name.to_owned(),
            form,
            output,
            metrics: Vec::new(),
            similarities: Vec::new(),
            item_measure: None,
            aspect_measure: None,
            geometric_mean: None,
            span_measure: None,
            statistic: None,
            count_rows: false,
            lists_of_users: &[],
            about,
            needs: AllNeeds::default(),
            option_schema,
            explained: Vec::new(),
            parts: Vec::new(),
        }
    }

    pub(super) fn of_statistic(statistic: &'static Statistic) -> Self {
        let Statistic { name, summary, formula, latex, range, source, .. } = statistic;
        let about = About { summary, formula, latex, range: ValueRange::in_words(range), source };
        let plain = Self::plain(name, Form::Sample, Output::Metrics, about, statistic.option_schema());
        Self { statistic: Some(statistic), ..plain }
    }

    pub(super) fn of_items(measure: &'static ItemMeasure) -> Self {
        let ItemMeasure { name, summary, formula, range, source, .. } = measure;
        // With its influence, the value of a ranking may be outside of the range.
        let range = if measure.is_of_all() { ValueRange::in_words(range.text) } else { *range };
        let about = About { summary, formula, latex: "", range, source };
        let plain = Self::plain(name, Form::Values, Output::Value, about, OptionSchema::default());
        Self { item_measure: Some(measure), ..plain }
    }

    /// The function of measures of items that a call names.
    pub(super) fn rank_items() -> Self {
        let option_schema = OptionSchema { names: vec!["threads"], ..OptionSchema::default() };
        Self::plain("rank_items", Form::Items, Output::Measures, RANK_ITEMS_ABOUT, option_schema)
    }

    /// A measure of items as calls of [`Self::rank_items`] name it, for front ends. Engines do not register it.
    pub(super) fn named_in_rank_items(measure: &'static ItemMeasure) -> Self {
        Self { form: Form::Items, ..Self::of_items(measure) }
    }

    pub(super) fn of_similarity(similarity: &'static Similarity) -> Self {
        let Similarity { summary, formula, latex, range, source, options, defaults, denominator, .. } =
            similarity;
        let about = About { summary, formula, latex, range: *range, source };
        let option_schema = OptionSchema {
            names: options.to_vec(),
            denominator: *denominator,
            defaults,
            ..OptionSchema::default()
        };
        let plain = Self::plain(similarity.name, Form::Rankings, Output::Value, about, option_schema);
        Self { similarities: vec![similarity], ..plain }
    }

    pub(super) fn of_aspect_measure(measure: &'static AspectMeasure) -> Self {
        let AspectMeasure { name, summary, formula, latex, range, source, options, defaults, .. } = measure;
        let about = About { summary, formula, latex, range: *range, source };
        let option_schema = OptionSchema {
            names: [options, OF_ALL].concat(),
            defaults,
            by_item: true,
            by_order: true,
            of_aspects: true,
            ..OptionSchema::default()
        };
        let plain = Self::plain(name, Form::Aspects, Output::Value, about, option_schema);
        Self { aspect_measure: Some(measure), ..plain }
    }

    /// A measure of spans, for front ends. Engines do not register it.
    pub(super) fn of_span_measure(measure: &'static SpanMeasure) -> Self {
        let SpanMeasure { name, summary, formula, range, source, .. } = measure;
        let about = About { summary, formula, latex: "", range: *range, source };
        let plain = Self::plain(name, Form::Spans, Output::Value, about, OptionSchema::default());
        Self { span_measure: Some(measure), ..plain }
    }

    /// The function of all similarities.
    pub(super) fn similarities() -> Self {
        let of_one = SIMILARITIES.iter().flat_map(|similarity| similarity.options);
        let takes = |name: &&str| of_one.clone().any(|taken| taken == name);
        let option_schema = OptionSchema {
            names: options().iter().map(|option| option.name).filter(takes).collect(),
            defaults: rbo::SIMILARITY.defaults, // the others have none of their own
            ..OptionSchema::default()
        };
        let about = RANK_SIMILARITY_ABOUT;
        let plain = Self::plain("rank_similarity", Form::Rankings, Output::Metrics, about, option_schema);
        Self { similarities: SIMILARITIES.to_vec(), ..plain }
    }

    /// The list of the items of a group by score.
    pub(super) fn ranked_list() -> Self {
        let option_schema = OptionSchema {
            names: vec!["ties", "score_type", "null_scores"],
            defaults: &[("ties", "item_asc")],
            by_item: true,
            only_by_item: true,
            ..OptionSchema::default()
        };
        Self::plain("ranked_list", Form::Rec, Output::Items, RANKED_LIST_ABOUT, option_schema)
    }

    /// A function whose result is a list of numbers.
    pub(super) fn of_numbers(name: &str, form: Form, about: About, options: &[&'static str]) -> Self {
        let option_schema = OptionSchema { names: options.to_vec(), ..OptionSchema::default() };
        Self::plain(name, form, Output::Values, about, option_schema)
    }

    /// The function of one metric in a form.
    pub(super) fn of(metric: &'static Metric, form: Form) -> Self {
        let names = std::iter::once(&metric.name).chain(metric.aliases);
        let names = names.map(|name| format!("{name}{}", suffix(form, &[metric]))).collect();
        Self::new(metric.short_name(), names, form, Output::Value, vec![metric])
    }

    /// The geometric mean of a metric over users, for front ends, with the options of the metric. Engines do not register it.
    pub(super) fn of_geometric_mean(mean: &'static GeometricMean) -> Option<Self> {
        let metric = METRICS.iter().find(|metric| metric.short_name() == mean.metric)?;
        let of_metric = Self::of(metric, Form::Rows);
        let name = mean.name.to_owned();
        Some(Self {
            names: vec![name.clone()],
            base: name,
            about: mean.about,
            geometric_mean: Some(mean),
            ..of_metric
        })
    }

    /// A function of all metrics that are computed in one pass.
    pub(super) fn bundle(name: &str, form: Form, output: Output) -> Self {
        Self::new(name, vec![format!("{name}{}", form.spec().suffix)], form, output, RANK_METRICS.to_vec())
    }

    /// The function that computes all these metrics for all users, and counts the rows of each.
    pub(super) fn evaluation(form: Form) -> Self {
        let bundle = Self::bundle("rank_evaluation", form, Output::MetricsAt);
        Self { count_rows: true, about: RANK_EVALUATION_ABOUT, ..bundle }
    }

    /// The function that explains the value of a metric which an option names.
    pub(super) fn explanation(form: Form) -> Self {
        let metric = |name: &&str| METRICS.iter().find(|metric| metric.short_name() == *name);
        let explained: Vec<Self> = Explained::NAMES
            .iter()
            .filter_map(metric)
            .map(|metric| {
                let mut function = Self::of(metric, form);
                function.option_schema.names.insert(0, "metric");
                function
            })
            .collect();
        let metrics = explained.iter().flat_map(|each| each.metrics.iter().copied()).collect();
        let base = "rank_explain";
        let together = Self::new(
            base,
            vec![format!("{base}{}", form.spec().suffix)],
            form,
            Output::Explanation,
            metrics,
        );
        let takes = |name: &&str| explained.iter().any(|each| each.options().contains(name));
        let option_schema = OptionSchema {
            names: options().iter().map(|option| option.name).filter(takes).collect(),
            ..together.option_schema
        };
        Self { explained, about: RANK_EXPLAIN_ABOUT, option_schema, ..together }
    }

    /// The function of measures that a call names. The first part computes several metrics in one pass, and has those
    /// without options of their own.
    pub(super) fn of_measures(form: Form) -> Self {
        let (rows, base) = (Form::Rows, "rank_measures");
        let of_metrics = METRICS.iter().filter(|metric| (rows.spec().has_metric)(metric));
        let bundle = Self::bundle("rank_metrics_at", rows, Output::MetricsAt);
        let parts: Vec<Self> =
            std::iter::once(bundle).chain(of_metrics.map(|metric| Self::of(metric, rows))).collect();
        let names = vec![format!("{base}{}", form.spec().suffix)];
        let metrics = parts[1..].iter().flat_map(|part| part.metrics.iter().copied()).collect();
        let plain = Self::new(base, names, form, Output::Measures, metrics);
        let takes = |name: &&str| parts.iter().any(|part| part.options().contains(name));
        let option_schema = OptionSchema {
            names: options().iter().map(|option| option.name).filter(takes).collect(),
            ..plain.option_schema
        };
        let count_rows = form.spec().is_of_users;
        Self { parts, count_rows, about: RANK_MEASURES_ABOUT, option_schema, ..plain }
    }

    /// The function of measures for all users that returns lists of them, too. SQL of this project calls it, not that of users.
    pub(super) fn measures_and_lists(name: &str, lists_of_users: &'static [UserList]) -> Self {
        Self { names: vec![name.to_owned()], lists_of_users, ..Self::of_measures(Form::ByUser) }
    }

    pub fn name(&self) -> &str {
        &self.names[0]
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The names of its inputs: the arguments before k and options.
    pub fn inputs(&self) -> &'static [&'static str] {
        self.statistic.map_or(self.form.spec().inputs, |statistic| statistic.arguments)
    }

    /// Whether it reads two lists of numbers as scores and relevances of the same items.
    pub fn is_aligned(&self) -> bool {
        let may_be = self.output != Output::Explanation;
        self.form.spec().is_aligned
            || may_be && self.metrics.iter().any(|metric| metric.aligned == AlignedForm::Also)
    }

    /// The name of the aggregate of the same metrics whose rows have a score and a relevance each; an item, too, if it is to
    /// be explained.
    pub(crate) fn by_row(&self) -> String {
        let form = if self.output == Output::Explanation { Form::Rows } else { Form::Agg };
        format!("{}{}", self.base, form.spec().suffix)
    }

    /// The settings for a call without k and options.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            needs: self.needs,
            negative_rels: self.metrics.iter().all(|metric| metric.negative_rels),
            complete_items_only: self.metrics.iter().any(|metric| metric.aligned == AlignedForm::Only),
            count_rows: self.count_rows,
            // A missed item below the cutoff has a rank, too.
            reads_whole: self.output == Output::Explanation,
            ..Settings::default()
        }
    }

    /// Replaces the options of settings by those of a text, and what follows from these.
    pub(crate) fn set_options(&self, settings: &mut Settings, text: &str) -> Result<(), Error> {
        settings.set_options(text, self.parse(text)?);
        if let Some(explained) = self.explained(&settings.options) {
            let Settings { needs, negative_rels, .. } = explained.settings();
            (settings.needs, settings.negative_rels) = (needs, negative_rels);
        }
        Ok(())
    }

    /// The function of the metric that a call with these options explains; `None` for functions of other kinds.
    fn explained(&self, options: &Options) -> Option<&Self> {
        self.explained.iter().find(|each| each.base == options.metric.name())
    }

    /// The metric that a call with these options explains.
    pub(crate) fn explained_metric(&self, options: &Options) -> Result<&'static Metric, Error> {
        let metric = self.explained(options).and_then(Self::metric);
        metric.ok_or_else(|| Error::internal("nothing is explained"))
    }

    /// The function whose options a text has: for `rank_explain`, that of the metric which the text names. A name of no
    /// such metric is an error when the text is parsed.
    fn named_in(&self, text: &str) -> &Self {
        let text = text.to_lowercase();
        let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
        let given = pairs.map(|(key, value)| (key.trim(), value.trim())).find(|(key, _)| *key == "metric");
        let metric = given.map_or(Options::default().metric.name(), |(_, value)| value);
        self.explained.iter().find(|each| each.base == metric).unwrap_or(self)
    }

    /// Whether it has a cutoff: any of its metrics takes one.
    pub fn takes_k(&self) -> bool {
        self.output == Output::Items
            || matches!(self.form, Form::Rankings | Form::Values | Form::Aspects | Form::Spans)
            || self.item_measure.is_some()
            || self.metrics.iter().any(|metric| metric.takes_k)
    }

    pub fn arguments(&self) -> Vec<&'static str> {
        let mut arguments = self.inputs().to_vec();
        match self.output {
            Output::MetricsAt => arguments.push("ks"),
            Output::Measures => arguments.push("measures"),
            _ => arguments.extend(self.takes_k().then_some("k")),
        }
        arguments.push("options");
        arguments
    }

    /// All arguments in order, with the documentation of each.
    pub fn parameters(&self) -> Vec<Parameter> {
        let of_pairs = self.metrics.iter().any(|metric| metric.aligned == AlignedForm::Only);
        let rules = match self.output {
            Output::Items => Rules::RankedList,
            Output::Explanation => Rules::Explanation,
            _ if self.form == Form::Rankings => Rules::Rankings,
            _ if self.form == Form::Aspects => Rules::Aspects,
            _ if self.form == Form::Items => Rules::Items,
            _ if of_pairs => Rules::Pairs,
            _ if self.statistic.is_some_and(Statistic::counts_halves) => Rules::Halves,
            _ if self.statistic.is_some_and(Statistic::is_of_items) => Rules::Exposures,
            _ => Rules::Usual,
        };
        let required = self.required();
        let arguments = self.arguments().into_iter().enumerate();
        let mut parameters: Vec<Parameter> =
            arguments.map(|(index, name)| parameter(name, index < required, rules)).collect();
        if let (Some(measure), Form::Values) = (self.item_measure, self.form) {
            parameters[0].describe(measure.type_of_values, measure.about_values);
        }
        parameters
    }

    /// The function's name among Polars expressions; `None` if Polars does not have it.
    pub fn expression(&self) -> Option<String> {
        let suffix = suffix(self.form, &self.metrics);
        self.form.spec().has_expression.then(|| format!("{}{suffix}", self.base))
    }

    /// The number of required arguments, which are the first ones.
    pub fn required(&self) -> usize {
        self.inputs().len() + usize::from(matches!(self.output, Output::MetricsAt | Output::Measures))
    }

    pub fn options(&self) -> &[&'static str] {
        &self.option_schema.names
    }

    /// The options whose default differs from that in the table of options, with their defaults.
    pub(super) fn defaults(&self) -> BTreeMap<&'static str, &'static str> {
        let defaults = self.option_schema.defaults.iter().copied();
        defaults.filter(|(name, _)| self.options().contains(name)).collect()
    }

    /// The fields of its result but the user and [`ROW_COUNTS`]: k and each metric, `n` and those of the statistic, or those
    /// of an explained item. A number, or a list of numbers or items, has none.
    pub fn fields(&self) -> Vec<&'static str> {
        match (self.output, self.statistic) {
            (Output::Value | Output::Items | Output::Values, _) => Vec::new(),
            (Output::Measures, _) => {
                if self.form.spec().is_of_users {
                    vec!["results"]
                } else {
                    Vec::new()
                }
            }
            (Output::Explanation, _) => self.explained_fields().into_iter().map(|(name, _)| name).collect(),
            (_, Some(statistic)) => std::iter::once("n").chain(statistic.fields.iter().copied()).collect(),
            _ => {
                let metrics = self.metrics.iter().map(|metric| metric.short_name());
                std::iter::once("k").chain(metrics).chain(self.similarity_names()).collect()
            }
        }
    }

    /// The names of its similarities in results.
    pub fn similarity_names(&self) -> Vec<&'static str> {
        self.similarities.iter().map(|similarity| similarity.name).collect()
    }

    /// The fields of an explained item.
    fn explained_fields(&self) -> Vec<(&'static str, FieldType)> {
        fields_of_explained_items(!self.form.spec().has_items())
    }

    /// How many of the last fields of its result are counts.
    pub fn trailing_counts(&self) -> usize {
        self.statistic.map_or(0, Statistic::trailing_counts)
    }

    /// The type of its result, whose fields are the user, [`ROW_COUNTS`] and [`Self::fields`], as far as it has them.
    pub fn result(&self) -> ResultType {
        let of_users = self.form.spec().is_of_users;
        let user = of_users.then(|| (self.inputs()[0], FieldType::User));
        let counts = self.count_rows.then_some(ROW_COUNTS.map(|name| (name, FieldType::Count)));
        let fields = self.fields();
        // The first field, k or n, is a count, too.
        let counts_from = fields.len() - self.trailing_counts();
        let type_at = |place| match place {
            _ if self.output == Output::Measures => FieldType::Numbers,
            place if place == 0 || place >= counts_from => FieldType::Count,
            _ => FieldType::Number,
        };
        let typed = fields.into_iter().enumerate().map(|(place, name)| (name, type_at(place)));
        let fields =
            if self.output == Output::Explanation { self.explained_fields() } else { typed.collect() };
        ResultType {
            fields: user
                .into_iter()
                .chain(counts.into_iter().flatten())
                .chain(fields)
                .chain(self.lists_of_users.iter().map(|list| (list.name(), FieldType::Items)))
                .collect(),
            is_list: of_users || self.output.is_list(),
            is_items: self.output == Output::Items,
        }
    }

    /// Parses options as they are written in SQL.
    pub fn parse(&self, options: &str) -> Result<Options, Error> {
        if !self.parts.is_empty() {
            // Which other rules hold depends on the measures.
            return self.option_schema.pairs(options).map(|_| Options::default());
        }
        self.named_in(options).option_schema.parse(options)
    }

    /// The value of each option for options as they are written in SQL. For a function of several metrics, presets that
    /// the convention limits to some metrics are left out; one that explains has the options of its metric alone. Whether values fit together is not checked: `rank_metrics`
    /// takes values that the function of one metric refuses.
    pub fn resolve(&self, options: &str) -> Result<Resolved, Error> {
        let named = self.named_in(options);
        let options = named.option_schema.resolve(options)?;
        let holds =
            |name, value| options.iter().any(|option| (option.name, &option.value[..]) == (name, value));
        let of_aspects = named.aspect_measure.map(|_| "a relevant item");
        let needs = named.only_metric().map(Metric::truth_needs).or(named.needs_of_lists()).or(of_aspects);
        // An unjudged item of relevance 0 makes a level beside those of the truth.
        let by_level = named.only_metric().is_some_and(|metric| metric.needs == Needs::Levels);
        let null_reason = needs.map(|needs| {
            let retrieved =
                (by_level && holds("unjudged", "zero")).then_some(" among what was judged and retrieved");
            let held = NULL_REASONS.iter().filter(|(name, value, _)| holds(name, value));
            let additions: String =
                retrieved.into_iter().chain(held.map(|(.., addition)| *addition)).collect();
            format!("without {needs}{additions}")
        });
        let ValueRange { least, most, .. } = self.about.range;
        let is_limited = !WITHOUT_LARGEST.iter().any(|(name, value)| holds(name, value));
        Ok(Resolved { null_reason, least, most: most.filter(|_| is_limited), options })
    }

    /// Its metric, if it computes exactly one, and no mean of it.
    pub(super) fn metric(&self) -> Option<&'static Metric> {
        self.only_metric().filter(|_| self.geometric_mean.is_none())
    }

    /// The metric that it computes, or of which it is a mean, if there is exactly one.
    fn only_metric(&self) -> Option<&'static Metric> {
        match self.metrics[..] {
            [metric] => Some(metric),
            _ => None,
        }
    }

    /// The items that lists without a truth must have for a value, in words; `None` unless it has exactly one similarity, or
    /// a measure of items.
    fn needs_of_lists(&self) -> Option<&'static str> {
        match self.similarities[..] {
            [similarity] => Some(similarity.needs),
            _ => self.item_measure.map(|measure| measure.needs),
        }
    }

    /// The items that a value needs, in words; `None` unless all its metrics need the same.
    pub(super) fn truth_needs(&self) -> Option<&'static str> {
        let mut needs = self.metrics.iter().map(|metric| metric.truth_needs());
        let first = needs.next()?;
        needs.all(|other| other == first).then_some(first)
    }

    /// Checks k and options before a query runs, for front ends that refuse them early. A NULL k needs no check.
    pub fn check(&self, ks: &[i64], options: &str) -> Result<(), Error> {
        self.parse(options)?;
        ks.iter().try_for_each(|k| self.cutoff(*k).map(|_| ()))
    }

    /// The cutoff for a k; an error if the function takes none, or if k is below 1.
    pub(crate) fn cutoff(&self, k: i64) -> Result<usize, Error> {
        if !self.takes_k() {
            bail!("k" => "takes no k, got {k}");
        }
        match usize::try_from(k) {
            Ok(k) if k > 0 => Ok(k),
            _ => bail!("k" => "k must be at least 1, got {k}"),
        }
    }

    /// The arguments as they are documented: `rec, truth[, k[, options]]`.
    pub fn signature(&self) -> String {
        let arguments = self.arguments();
        let (required, optional) = arguments.split_at(self.required());
        format!("{}[, {}{}", required.join(", "), optional.join("[, "), "]".repeat(optional.len()))
    }
}

/// The suffix of the names of functions of these metrics; none for lists of scores if the metrics read nothing else.
fn suffix(form: Form, metrics: &[&Metric]) -> &'static str {
    let is_plain = form == Form::Scored && metrics.iter().all(|metric| metric.aligned == AlignedForm::Only);
    if is_plain { "" } else { form.spec().suffix }
}
