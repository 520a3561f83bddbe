//! The catalogue: the one list of functions, from which engines register them and the documentation is generated.

pub mod error_text;
mod examples;
mod parameters;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::Serialize;

use self::examples::{Examples, examples};
use self::parameters::{Parameter, Rules, parameter};
use crate::error::{Error, bail};
use crate::metrics::metric::{AlignedForm, Metric, ValueRange};
use crate::metrics::{METRICS, RANK_METRICS};
use crate::needs::{AllNeeds, Needs};
use crate::options::Options;
use crate::options::conventions::{CONVENTIONS, Convention};
use crate::options::parse::{OptionSchema, OptionValue};
use crate::options::table::{NULL_REASONS, OptionSpec, WITHOUT_LARGEST, options};
use crate::settings::Settings;
use crate::statistics::STATISTICS;
use crate::statistics::statistic::Statistic;

/// The version of the library, which every engine reports.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The layout of a function's inputs, which are its first arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Lists `rec` and `truth`.
    Lists,
    /// One list, `rels`: relevances in ranked order.
    Rels,
    /// Lists `scores` and `rels`, element by element of the same items.
    Scored,
    /// An aggregate: each row of a group has `score` and `rel` of one item. Called with lists, it is the same as
    /// `Scored`.
    Agg,
    /// An aggregate: each row of a group has an `item` with its `score`, its `rel`, or both.
    Rows,
    /// An aggregate over all users: rows as in `Rows`, with `userid` first.
    ByUser,
    /// An aggregate: each row of a group has an `item` with its `score`.
    Rec,
    /// An aggregate: each row of a group has a value of one metric, or of two.
    Sample,
    /// One list, `p_values`: the p-values of tests.
    PValues,
    /// One list of lists, `blocks`: for each user, a value of one metric by each of several systems.
    Blocks,
}

impl Form {
    const OF_METRICS: [Self; 6] =
        [Self::Lists, Self::Rels, Self::Scored, Self::Agg, Self::Rows, Self::ByUser];

    /// The names of the inputs; empty for statistics, which name their own.
    fn inputs(self) -> &'static [&'static str] {
        match self {
            Self::Lists => &["rec", "truth"],
            Self::Rels => &["rels"],
            Self::Scored => &["scores", "rels"],
            Self::Agg => &["score", "rel"],
            Self::Rows => &["item", "score", "rel"],
            Self::ByUser => &["userid", "item", "score", "rel"],
            Self::Rec => &["item", "score"],
            Self::Sample => &[],
            Self::PValues => &["p_values"],
            Self::Blocks => &["blocks"],
        }
    }

    /// The suffix of the names of functions of this form.
    fn suffix(self) -> &'static str {
        match self {
            Self::Lists | Self::Rec | Self::Sample | Self::PValues | Self::Blocks => "",
            Self::Rels => "_rels",
            Self::Scored => "_scored",
            Self::Agg => "_agg",
            Self::Rows => "_rows",
            Self::ByUser => "_by_user",
        }
    }

    /// Whether the function is an aggregate: it reads the rows of a group, and not lists.
    #[must_use]
    pub fn is_aggregate(self) -> bool {
        matches!(self, Self::Agg | Self::Rows | Self::ByUser | Self::Rec | Self::Sample)
    }
}

/// The result of a function for a row or group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Output {
    /// One number: the value of its metric.
    Value,
    /// A struct: k and the values of all its metrics. For a statistic: the size of the sample and its values.
    Metrics,
    /// A list of such structs, one for each k.
    MetricsAt,
    /// A list of items.
    Items,
    /// A list of numbers.
    Values,
}

impl Output {
    /// Whether the result is a list of structs or numbers. A list of items is not meant; [`ResultType::is_items`] tells
    /// that.
    #[must_use]
    pub fn is_list(self) -> bool {
        matches!(self, Self::MetricsAt | Self::Values)
    }
}

/// The type of a function's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultType {
    /// The fields of a struct; empty for a number.
    pub fields: Vec<(&'static str, FieldType)>,
    /// Whether the result is a list of such structs or numbers.
    pub is_list: bool,
    /// Whether the result is a list of items instead, which have the type of the argument `item` in the call.
    pub is_items: bool,
}

/// The type of a field of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// The type of the argument `userid` in the call.
    User,
    /// A signed 64-bit integer.
    Count,
    /// 64-bit floating point.
    Number,
}

/// The type as SQL writes it.
impl fmt::Display for ResultType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_items {
            return f.write_str("ANY[]");
        }
        let brackets = if self.is_list { "[]" } else { "" };
        if self.fields.is_empty() {
            return write!(f, "DOUBLE{brackets}");
        }
        let field = |(name, kind): &(&str, FieldType)| {
            let kind = match kind {
                FieldType::User => "ANY",
                FieldType::Count => "BIGINT",
                FieldType::Number => "DOUBLE",
            };
            format!("{name} {kind}")
        };
        let fields: Vec<String> = self.fields.iter().map(field).collect();
        write!(f, "STRUCT({}){brackets}", fields.join(", "))
    }
}

/// A function that engines register: metrics, a statistic, a correction of p-values, a test of several systems, or the
/// list of items, over inputs of one form.
pub struct Function {
    /// The name of the function, then its aliases.
    names: Vec<String>,
    /// The name without the suffix of the form, used in results and in Polars: `precision` for `precision_at_rows`.
    base: String,
    /// The layout of its inputs.
    pub form: Form,
    /// Its result for a row or group.
    pub output: Output,
    /// Its metrics, in the order of the fields of its result; empty for a function of another kind.
    pub metrics: Vec<&'static Metric>,
    /// Its statistic; `None` for a function of another kind.
    pub statistic: Option<&'static Statistic>,
    /// Whether its result has the counts of the rows of each user, [`ROW_COUNTS`].
    pub count_rows: bool,
    /// Its documentation.
    about: About,
    /// The properties of judged items that its metrics read.
    needs: AllNeeds,
    /// The options that it takes.
    option_schema: OptionSchema,
}

/// The fields that count the rows of a user, between the user and k.
pub const ROW_COUNTS: [&str; 4] = ["retrieved", "judged", "retrieved_repeats", "judged_repeats"];

/// The documentation of a function.
#[derive(Clone, Copy)]
struct About {
    /// A description in words.
    summary: &'static str,
    /// The formula in words.
    formula: &'static str,
    /// The formula with default options, in LaTeX's mathematics; empty if words say all.
    latex: &'static str,
    /// The least and the largest possible value.
    range: ValueRange,
    /// The publication or page that defines it.
    source: &'static str,
}

const RANK_METRICS_ABOUT: About = About {
    summary: "eight metrics in one pass, in a struct with k: precision, recall, f1, hit_rate, mrr, average_precision, \
              ndcg, auc",
    formula: "each as on its own",
    latex: "",
    range: ValueRange::UNIT,
    source: "those of the metrics",
};
const RANK_METRICS_AT_ABOUT: About =
    About { summary: "the same eight metrics for each of several k, in one pass", ..RANK_METRICS_ABOUT };
const RANK_EVALUATION_ABOUT: About = About {
    summary: "the same eight metrics for each of several k, and counts of each user's rows: retrieved (items, up to \
              the largest k), judged (items), and the repeats, which are rows of either kind after the first one \
              with its item. retrieved_repeats is NULL if rows were dropped before they could be compared",
    ..RANK_METRICS_ABOUT
};
const CORRECTED_P_VALUES_ABOUT: About = About {
    summary: "p-values corrected for the number of tests, in the order of the tests. A NULL is no test, and stays NULL",
    formula: "with m tests, by Holm's steps; by Bonferroni min(1, p * m); or by Benjamini and Hochberg's steps",
    latex: r"p'_{(i)} = \min\left(1, \max_{j \le i} (m - j + 1) \, p_{(j)}\right)",
    range: ValueRange::UNIT,
    source: "Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 1979; \
             Benjamini and Hochberg, Controlling the False Discovery Rate, Journal of the Royal Statistical Society B \
             1995; multipletests of statsmodels, whose fdr_bh is benjamini_hochberg",
};

const TUKEY_HSD_ABOUT: About = About {
    summary: "randomised Tukey HSD: a p-value for each pair of systems, in the order (1, 2), (1, 3), ..., (2, 3) and so \
              on, that is corrected for the number of pairs. It is the share of ways to permute the values within \
              blocks in which the largest mean of a system less the smallest one is at least as large as the observed \
              difference of the two means. A block is the values of one user, one for each system. Blocks with a NULL \
              are left out. With two systems, it is the two-sided randomization_test. Let m be the number of blocks \
              whose values are not all equal. With three or more systems, up to 50000 ways are all counted. Up to m = \
              400, `resamples` ways are drawn, at most 200000 and at most 16000000 by the number of values, and the \
              observed values count as one more. Above, the means are taken as normal, and their range has the \
              distribution of the studentized range with infinite degrees of freedom: `resamples` and `seed` have no \
              effect. If the variance of a block is \
              more than 1/200 of the sum of the variances, permutations of the 400 blocks of largest variance are \
              drawn instead, the others are taken as normal, and the observed values count as one more",
    formula: "share of ways whose range of means is at least abs(mean_i - mean_j)",
    latex: "",
    range: ValueRange::UNIT,
    source: "Carterette, Multiple Testing in Statistical Analysis of Systems-Based Information Retrieval Experiments, ACM \
             TOIS 2012; Sakai, Statistical Reform in Information Retrieval?, SIGIR Forum 2014; \
             scipy.stats.studentized_range",
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
    fn new(
        base: &str,
        names: Vec<String>,
        form: Form,
        output: Output,
        metrics: Vec<&'static Metric>,
    ) -> Self {
        // Repeats need items, and ties need scores: forms without these do not take the options for them.
        let from_scores = form == Form::Scored || form.is_aggregate();
        let scored = from_scores && metrics.iter().all(|metric| metric.aligned == AlignedForm::No);
        let known = |name: &&'static str| match *name {
            "convention" => true,
            "ties" if scored => true,
            "ap_steps" if !scored => false,
            "score_type" => from_scores || metrics.iter().any(|metric| metric.aligned == AlignedForm::Also),
            "duplicates" if form != Form::Lists => false,
            "empty_rec" if form == Form::Rels => false,
            _ => metrics.iter().any(|metric| metric.options.contains(name)),
        };
        let needs = |needs| metrics.iter().any(|metric| metric.needs == needs);
        let (hit_sums, gains, levels) = (needs(Needs::HitSums), needs(Needs::Gains), needs(Needs::Levels));
        let needs = AllNeeds { hits: hit_sums || needs(Needs::Hits), hit_sums, gains, levels };
        let (about, denominator, defaults) = match (output, &metrics[..]) {
            (Output::Value, [metric]) => {
                let Metric { summary, formula, latex, range, source, .. } = metric;
                (
                    About { summary, formula, latex, range: *range, source },
                    metric.denominator,
                    metric.defaults,
                )
            }
            (Output::MetricsAt, _) => (RANK_METRICS_AT_ABOUT, None, &[][..]),
            _ => (RANK_METRICS_ABOUT, None, &[][..]),
        };
        let option_schema = OptionSchema {
            names: options().iter().map(|option| option.name).filter(known).collect(),
            denominator,
            defaults,
            metrics: metrics.iter().map(|metric| metric.short_name()).collect(),
            by_item: matches!(form, Form::Rows | Form::ByUser),
            by_order: !form.is_aggregate(),
            only_by_item: false,
            only_gains: needs.gains && !needs.hits,
        };
        let base = base.to_owned();
        let (statistic, count_rows) = (None, false);
        Self { names, base, form, output, metrics, statistic, count_rows, about, needs, option_schema }
    }

    /// The function of a statistic.
    fn of_statistic(statistic: &'static Statistic) -> Self {
        let Statistic { name, summary, formula, latex, range, source, .. } = statistic;
        Self {
            names: vec![(*name).to_owned()],
            base: (*name).to_owned(),
            form: Form::Sample,
            output: Output::Metrics,
            metrics: Vec::new(),
            statistic: Some(statistic),
            count_rows: false,
            about: About { summary, formula, latex, range: ValueRange::in_words(range), source },
            needs: AllNeeds::default(),
            option_schema: statistic.option_schema(),
        }
    }

    /// The list of the items of a group by score.
    fn ranked_list() -> Self {
        const NAME: &str = "ranked_list";
        Self {
            names: vec![NAME.to_owned()],
            base: NAME.to_owned(),
            form: Form::Rec,
            output: Output::Items,
            metrics: Vec::new(),
            statistic: None,
            count_rows: false,
            about: RANKED_LIST_ABOUT,
            needs: AllNeeds::default(),
            option_schema: OptionSchema {
                names: vec!["ties", "score_type", "null_scores"],
                defaults: &[("ties", "item_asc")],
                by_item: true,
                only_by_item: true,
                ..OptionSchema::default()
            },
        }
    }

    /// The function that corrects p-values.
    fn of_p_values() -> Self {
        Self::of_numbers("corrected_p_values", Form::PValues, CORRECTED_P_VALUES_ABOUT, vec!["correction"])
    }

    /// The test of all pairs of several systems.
    fn of_blocks() -> Self {
        Self::of_numbers("tukey_hsd", Form::Blocks, TUKEY_HSD_ABOUT, vec!["resamples", "seed", "tolerance"])
    }

    /// A function whose result is a list of numbers.
    fn of_numbers(name: &str, form: Form, about: About, options: Vec<&'static str>) -> Self {
        Self {
            names: vec![name.to_owned()],
            base: name.to_owned(),
            form,
            output: Output::Values,
            metrics: Vec::new(),
            statistic: None,
            count_rows: false,
            about,
            needs: AllNeeds::default(),
            option_schema: OptionSchema { names: options, ..OptionSchema::default() },
        }
    }

    /// The function of one metric in a form.
    fn of(metric: &'static Metric, form: Form) -> Self {
        let names = std::iter::once(&metric.name).chain(metric.aliases);
        let names = names.map(|name| format!("{name}{}", suffix(form, &[metric]))).collect();
        Self::new(metric.short_name(), names, form, Output::Value, vec![metric])
    }

    /// A function of all metrics that are computed in one pass.
    fn bundle(name: &str, form: Form, output: Output) -> Self {
        Self::new(name, vec![format!("{name}{}", form.suffix())], form, output, RANK_METRICS.to_vec())
    }

    /// The function that computes all these metrics for all users, and counts the rows of each.
    fn evaluation() -> Self {
        let bundle = Self::bundle("rank_evaluation", Form::ByUser, Output::MetricsAt);
        Self { count_rows: true, about: RANK_EVALUATION_ABOUT, ..bundle }
    }

    /// The function's name, without aliases.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.names[0]
    }

    /// The function's name, then its aliases.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The names of its inputs: the arguments before k and options.
    #[must_use]
    pub fn inputs(&self) -> &'static [&'static str] {
        self.statistic.map_or(self.form.inputs(), |statistic| statistic.arguments)
    }

    /// Whether it reads two lists of numbers as scores and relevances of the same items.
    #[must_use]
    pub fn is_aligned(&self) -> bool {
        matches!(self.form, Form::Scored | Form::Agg)
            || self.metrics.iter().any(|metric| metric.aligned == AlignedForm::Also)
    }

    /// The name of the aggregate of the same metrics whose rows have a score and a relevance each.
    pub(crate) fn by_row(&self) -> String {
        format!("{}{}", self.base, Form::Agg.suffix())
    }

    /// The settings for a call without k and options.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            needs: self.needs,
            negative_rels: self.metrics.iter().all(|metric| metric.negative_rels),
            complete_items_only: self.metrics.iter().any(|metric| metric.aligned == AlignedForm::Only),
            count_rows: self.count_rows,
            ..Settings::default()
        }
    }

    /// Whether it has a cutoff: any of its metrics takes one.
    #[must_use]
    pub fn takes_k(&self) -> bool {
        self.form == Form::Rec || self.metrics.iter().any(|metric| metric.takes_k)
    }

    /// The names of all arguments, in order.
    #[must_use]
    pub fn arguments(&self) -> Vec<&'static str> {
        let mut arguments = self.inputs().to_vec();
        match self.output {
            Output::MetricsAt => arguments.push("ks"),
            _ => arguments.extend(self.takes_k().then_some("k")),
        }
        arguments.push("options");
        arguments
    }

    /// All arguments in order, with the documentation of each.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        let of_pairs = self.metrics.iter().any(|metric| metric.aligned == AlignedForm::Only);
        let rules = match self.form {
            Form::Rec => Rules::RankedList,
            _ if of_pairs => Rules::Pairs,
            _ => Rules::Usual,
        };
        let required = self.required();
        let arguments = self.arguments().into_iter().enumerate();
        arguments.map(|(index, name)| parameter(name, index < required, rules)).collect()
    }

    /// The function's name among Polars expressions; `None` for [`Form::Rows`] and [`Form::Rec`], which Polars does not
    /// have.
    #[must_use]
    pub fn expression(&self) -> Option<String> {
        match self.form {
            Form::Rows | Form::Rec => None,
            form => Some(format!("{}{}", self.base, suffix(form, &self.metrics))),
        }
    }

    /// The number of required arguments, which are the first ones.
    #[must_use]
    pub fn required(&self) -> usize {
        self.inputs().len() + usize::from(self.output == Output::MetricsAt)
    }

    /// The names of the options that it takes.
    #[must_use]
    pub fn options(&self) -> &[&'static str] {
        &self.option_schema.names
    }

    /// The options whose default differs from that in the table of options, with their defaults.
    fn defaults(&self) -> BTreeMap<&'static str, &'static str> {
        self.option_schema
            .defaults
            .iter()
            .copied()
            .filter(|(name, _)| self.options().contains(name))
            .collect()
    }

    /// The fields of its result: k and each metric by name, or `n` and the fields of the statistic. Empty if the result
    /// is one number or a list of numbers.
    #[must_use]
    pub fn fields(&self) -> Vec<&'static str> {
        match (self.output, self.statistic) {
            (Output::Value | Output::Items | Output::Values, _) => Vec::new(),
            (_, Some(statistic)) => std::iter::once("n").chain(statistic.fields.iter().copied()).collect(),
            _ => std::iter::once("k").chain(self.metrics.iter().map(|metric| metric.short_name())).collect(),
        }
    }

    /// How many of the last fields of its result are counts.
    #[must_use]
    pub fn trailing_counts(&self) -> usize {
        self.statistic.map_or(0, Statistic::trailing_counts)
    }

    /// The type of its result.
    #[must_use]
    pub fn result(&self) -> ResultType {
        let of_users = self.form == Form::ByUser;
        let user = of_users.then(|| (self.inputs()[0], FieldType::User));
        let counts = self.count_rows.then_some(ROW_COUNTS.map(|name| (name, FieldType::Count)));
        let fields = self.fields();
        let counts_from = fields.len() - self.trailing_counts();
        let kind =
            |place| if place == 0 || place >= counts_from { FieldType::Count } else { FieldType::Number };
        let fields = fields.into_iter().enumerate().map(|(place, name)| (name, kind(place)));
        ResultType {
            fields: user.into_iter().chain(counts.into_iter().flatten()).chain(fields).collect(),
            is_list: of_users || self.output.is_list(),
            is_items: self.output == Output::Items,
        }
    }

    /// Parses options as they are written in SQL.
    pub fn parse(&self, options: &str) -> Result<Options, Error> {
        self.option_schema.parse(options)
    }

    /// The value of each option for options as they are written in SQL. For a function of several metrics, presets that
    /// the convention limits to some metrics are left out. Whether values fit together is not checked: `rank_metrics`
    /// takes values that the function of one metric refuses.
    pub fn resolve(&self, options: &str) -> Result<Resolved, Error> {
        let options = self.option_schema.resolve(options)?;
        let holds =
            |name, value| options.iter().any(|option| (option.name, &option.value[..]) == (name, value));
        let null_reason = self.metric().map(|metric| {
            let held = NULL_REASONS.iter().filter(|(name, value, _)| holds(name, value));
            let additions: String = held.map(|(.., addition)| *addition).collect();
            format!("without {}{additions}", metric.truth_needs())
        });
        let ValueRange { least, most, .. } = self.about.range;
        let is_limited = !WITHOUT_LARGEST.iter().any(|(name, value)| holds(name, value));
        Ok(Resolved { null_reason, least, most: most.filter(|_| is_limited), options })
    }

    /// Its metric, if it has exactly one.
    fn metric(&self) -> Option<&'static Metric> {
        match self.metrics[..] {
            [metric] => Some(metric),
            _ => None,
        }
    }

    /// The items that a value needs, in words; `None` unless all its metrics need the same.
    fn truth_needs(&self) -> Option<&'static str> {
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
    #[must_use]
    pub fn signature(&self) -> String {
        let arguments = self.arguments();
        let (required, optional) = arguments.split_at(self.required());
        format!("{}[, {}{}", required.join(", "), optional.join("[, "), "]".repeat(optional.len()))
    }
}

/// The suffix of the names of functions of these metrics. Functions over lists of scores and relevances have none if
/// their metrics read nothing else.
fn suffix(form: Form, metrics: &[&Metric]) -> &'static str {
    let is_plain = form == Form::Scored && metrics.iter().all(|metric| metric.aligned == AlignedForm::Only);
    if is_plain { "" } else { form.suffix() }
}

static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let mut functions = Vec::new();
    for form in Form::OF_METRICS {
        let has_form = |metric: &&&Metric| match form {
            Form::Lists | Form::Rows => metric.aligned != AlignedForm::Only,
            Form::Rels => metric.needs == Needs::Gains,
            Form::Scored => metric.aligned != AlignedForm::Also,
            Form::Agg => true,
            Form::ByUser | Form::Rec | Form::Sample | Form::PValues | Form::Blocks => false,
        };
        functions.extend(METRICS.iter().filter(has_form).map(|metric| Function::of(metric, form)));
        if form != Form::Rels {
            functions.push(Function::bundle("rank_metrics", form, Output::Metrics));
            functions.push(Function::bundle("rank_metrics_at", form, Output::MetricsAt));
        }
        if form == Form::ByUser {
            functions.push(Function::evaluation());
        }
    }
    functions.push(Function::ranked_list());
    functions.extend(STATISTICS.iter().map(|statistic| Function::of_statistic(statistic)));
    functions.push(Function::of_blocks());
    functions.push(Function::of_p_values());
    functions
});

/// Every function, in the order of the documentation.
#[must_use]
pub fn functions() -> &'static [Function] {
    &FUNCTIONS
}

/// The function with this name or alias.
#[must_use]
pub fn lookup(name: &str) -> Option<&'static Function> {
    functions().iter().find(|function| function.names().iter().any(|known| known == name))
}

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

/// The options of a call as they hold, and what follows from them.
#[derive(Serialize)]
pub struct Resolved {
    /// The value of each option, in the order of [`Function::options`].
    pub options: Vec<OptionValue>,
    /// The rankings whose value is NULL, in words that start with "without"; `None` unless the function has one metric.
    pub null_reason: Option<String>,
    /// The least value; `None` if there is none.
    pub least: Option<f64>,
    /// The largest value; `None` if there is none.
    pub most: Option<f64>,
}

/// All functions, options and conventions, to be serialised.
#[derive(Serialize)]
pub struct Catalogue {
    /// The version of the library.
    version: &'static str,
    /// Every function, in the order of the documentation.
    functions: Vec<FunctionEntry>,
    /// Every option.
    options: &'static [OptionSpec],
    /// Every convention, the default one first.
    conventions: &'static [Convention],
}

/// The catalogue of this library.
#[must_use]
pub fn catalogue() -> Catalogue {
    let entry = |function: &'static Function| {
        let About { summary, formula, latex, range, source } = function.about;
        let metric = function.metric();
        FunctionEntry {
            name: function.name(),
            aliases: &function.names[1..],
            synonyms: metric.map_or(&[], |metric| metric.synonyms),
            paper_name: metric.map_or("", |metric| metric.paper_name),
            by_default: metric.is_some_and(|metric| metric.by_default),
            form: function.form,
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
    };
    Catalogue {
        version: VERSION,
        functions: functions().iter().map(entry).collect(),
        options: options(),
        conventions: CONVENTIONS,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::options::choices::{
        ApDenominator, Duplicates, NoRelevant, OneClass, PrecisionDenominator, ScoreType, Ties,
    };
    use crate::options::conventions::Preset;
    use crate::options::parse::Origin;

    #[test]
    fn every_name_is_given_once_and_found() {
        let names: Vec<&String> = functions().iter().flat_map(Function::names).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        for name in names {
            assert!(lookup(name).is_some_and(|function| function.names().contains(name)));
        }
        assert!(lookup("no_such_metric").is_none());
    }

    #[test]
    fn metrics_take_options_that_exist() {
        for metric in METRICS {
            for name in metric.options.iter().chain(metric.denominator.as_ref()) {
                assert!(options().iter().any(|option| option.name == *name), "{}: {name}", metric.name);
            }
        }
    }

    #[test]
    fn signatures() {
        let signature = |name| lookup(name).unwrap().signature();
        assert_eq!(signature("ndcg"), "rec, truth[, k[, options]]");
        assert_eq!(signature("ndcg_rels"), "rels[, k[, options]]");
        assert_eq!(signature("ndcg_scored"), "scores, rels[, k[, options]]");
        assert_eq!(signature("rankdcg"), "rec, truth[, options]");
        assert_eq!(signature("r_precision_scored"), "scores, rels[, options]");
        assert_eq!(signature("roc_auc"), "scores, rels[, options]");
        assert_eq!(signature("rank_metrics_at"), "rec, truth, ks[, options]");
        assert_eq!(signature("tukey_hsd"), "blocks[, options]");
        assert_eq!(signature("corrected_p_values"), "p_values[, options]");
    }

    #[test]
    fn options_follow_from_metric_and_form() {
        let takes = |name, option| lookup(name).unwrap().options().contains(&option);
        assert!(takes("ndcg", "duplicates") && !takes("ndcg", "ties"));
        assert!(takes("ndcg_scored", "ties") && !takes("ndcg_scored", "duplicates"));
        assert!(takes("ndcg_scored", "score_type") && takes("rankdcg", "score_type"));
        assert!(!takes("ndcg", "score_type") && !takes("ndcg_rels", "score_type"));
        assert!(takes("rankdcg", "ties") && takes("rank_metrics", "one_class"));
        assert!(takes("roc_auc", "ties") && !takes("roc_auc", "one_class"));
        assert_eq!(lookup("kendall_tau").unwrap().options(), ["score_type", "convention"]);
    }

    /// The options by which a ranking is read, before any metric; they cannot differ by metric.
    const OF_ROWS: &[&str] =
        &["gain", "discount", "idcg", "min_rel", "max_rel", "duplicates", "ties", "score_type"];

    fn parse(function: &str, text: &str) -> Result<Options, String> {
        lookup(function).unwrap().parse(text).map_err(|error| error.to_string())
    }

    #[test]
    fn every_preset_can_be_written_as_an_option() {
        for convention in CONVENTIONS {
            for Preset { option, value, metrics } in convention.options {
                let is_metric = |name: &&str| METRICS.iter().any(|metric| metric.short_name() == *name);
                assert!(metrics.iter().all(is_metric), "{option}");
                assert!(metrics.is_empty() || !OF_ROWS.contains(option), "{option}");
                assert!(options().iter().any(|spec| spec.name == *option), "{option}");
                let function = functions().iter().find(|each| each.options().contains(option)).unwrap();
                let written = function.parse(&format!("{option}={value}"));
                assert!(written.is_ok() || value.starts_with("item_"), "{option}={value}");
            }
        }
    }

    #[test]
    fn explicit_options_override_wherever_they_stand() {
        for text in ["convention=spark, denominator=retrieved", "denominator = retrieved, CONVENTION = Spark"]
        {
            let options = parse("precision_at", text).unwrap();
            assert_eq!(options.precision_denominator, PrecisionDenominator::Retrieved);
            assert_eq!((options.duplicates, options.no_relevant), (Duplicates::Count, NoRelevant::Zero));
        }
        assert_eq!(parse("mrr", "convention=hivemall_page"), parse("mrr", ""));
    }

    #[test]
    fn options_of_some_metrics_are_theirs_alone() {
        let text = "convention=hivemall_java, one_class=null";
        let options = parse("rank_metrics", text).unwrap();
        assert_eq!((options.no_relevant, options.ap_denominator), (NoRelevant::Zero, ApDenominator::Hits));
        for metric in METRICS {
            let own = metric.options_in(&options);
            let expected = match metric.name {
                "precision_at" | "recall_at" | "average_precision" => NoRelevant::OneIfRecEmpty,
                _ => NoRelevant::Zero,
            };
            assert_eq!((own.no_relevant, own.one_class), (expected, OneClass::Null), "{}", metric.name);
        }
        let options = parse("rank_metrics", "no_relevant=error, convention=hivemall_java").unwrap();
        assert!(METRICS.iter().all(|metric| metric.options_in(&options).no_relevant == NoRelevant::Error));
    }

    #[test]
    fn a_metrics_own_defaults_are_no_convention() {
        assert_eq!(parse("rankdcg", "convention=ranx").unwrap().ties, Ties::Pessimistic);
        assert_eq!(parse("rankdcg", "convention=trec_eval").unwrap().ties, Ties::Pessimistic);
        assert_eq!(parse("cg", "convention=replay").unwrap().gain, parse("cg", "").unwrap().gain);
    }

    #[test]
    fn resolved_values_are_those_of_the_call() {
        let given = [
            "",
            "max_rel=4",
            " GAIN = Binary ,min_rel=2, max_rel=4",
            "no_relevant=one",
            "denominator=k",
            "ties=optimistic, duplicates=first, p=0.5",
            "confidence=0.9, seed=3",
        ];
        let mut resolved = 0;
        for function in functions() {
            for (convention, given) in CONVENTIONS.iter().flat_map(|each| given.map(|given| (each, given))) {
                let of_convention = format!("convention={}", convention.name);
                let taken = |pair: &&str| {
                    let name = pair.split('=').next().unwrap_or_default().trim().to_lowercase();
                    function.options().contains(&&name[..])
                        || name == "denominator" && function.option_schema.denominator.is_some()
                };
                let pairs = given.split(',').chain([&of_convention[..]]).filter(taken);
                let text = pairs.collect::<Vec<_>>().join(",");
                let Ok(options) = function.parse(&text) else { continue };
                let options = match function.metrics[..] {
                    [metric] => metric.options_in(&options).clone(),
                    _ => Options { per_metric: Vec::new(), ..options },
                };
                let values = function.resolve(&text).unwrap().options;
                let names: Vec<&str> = values.iter().map(|each| each.name).collect();
                assert_eq!(names, function.options());
                let spelt_out: Vec<String> = values
                    .iter()
                    .filter(|each| each.name != "convention")
                    .map(|each| format!("{}={}", each.name, each.value))
                    .collect();
                assert_eq!(function.parse(&spelt_out.join(",")), Ok(options), "{}: {text}", function.name());
                resolved += 1;
            }
        }
        assert!(resolved > 5000, "{resolved}");
    }

    #[test]
    fn every_value_has_an_origin() {
        let origins = |function, text| {
            let values = lookup(function).unwrap().resolve(text).unwrap().options;
            let shown = |each: OptionValue| (each.name, each.value, each.origin);
            values.into_iter().map(shown).collect::<Vec<_>>()
        };
        let value = |name, value: &str, origin| (name, value.to_owned(), origin);
        assert_eq!(
            origins("rankdcg_rows", "Convention = TREC_eval, unjudged=skip"),
            [
                value("empty_rec", "zero", Origin::Default),
                value("unjudged", "skip", Origin::Given),
                value("ties", "pessimistic", Origin::Metric),
                value("score_type", "float32", Origin::Convention),
                value("convention", "trec_eval", Origin::Given),
            ]
        );
        assert!(origins("recall_at", "convention=lenskit,denominator=truth").contains(&value(
            "recall_denominator",
            "truth",
            Origin::Given
        )));
        // The convention has another value for auc than for other metrics.
        for (function, expected) in [("auc", "null"), ("ndcg", "zero"), ("rank_metrics", "zero")] {
            let expected = value("no_relevant", expected, Origin::Convention);
            assert!(origins(function, "convention=sklearn").contains(&expected), "{function}");
        }
    }

    #[test]
    fn reasons_follow_from_the_metric_and_its_options() {
        for (function, options, expected) in [
            ("ndcg", "unjudged=skip", None),
            ("ndcg", "", Some("without a relevant item")),
            ("ndcg", "empty_rec=NULL", Some("without a relevant item, or with nothing retrieved")),
            (
                "rankdcg",
                "empty_rec=null",
                Some(
                    "without two distinct relevances among what was judged and retrieved, or with nothing retrieved",
                ),
            ),
            ("rankdcg", "unjudged=skip", Some("without two distinct relevances")),
            (
                "auc",
                "convention=sklearn",
                Some("without a relevant item, or with only hits or only misses in the top k"),
            ),
            ("roc_auc", "", Some("without a relevant and an irrelevant item")),
            ("rank_metrics", "", None),
            ("mean_ci", "", None),
        ] {
            let reason = lookup(function).unwrap().resolve(options).ok().and_then(|each| each.null_reason);
            assert_eq!(reason.as_deref(), expected, "{function} {options}");
        }
    }

    #[test]
    fn ranges_follow_from_the_metric_and_its_options() {
        for (function, options, expected) in [
            ("rbp", "", [Some(0.0), Some(1.0)]),
            ("rbp", "rbp_gain=linear", [Some(0.0), None]),
            ("rbp", "convention=ranx", [Some(0.0), None]),
            ("rbp", "convention=ranx, rbp_gain=binary", [Some(0.0), Some(1.0)]),
            ("ndcg", "convention=ranx", [Some(0.0), Some(1.0)]),
            ("dcg", "", [Some(0.0), None]),
            ("kendall_tau", "", [Some(-1.0), Some(1.0)]),
            ("mean_ci", "", [None, None]),
        ] {
            let found = lookup(function).unwrap().resolve(options).unwrap();
            assert_eq!([found.least, found.most], expected, "{function} {options}");
        }
    }

    #[test]
    fn ties_by_item_need_items() {
        let sentence = "convention=trec_eval breaks ties by item: use rank_metrics_rows or evaluate";
        assert_eq!(parse("mrr_scored", "convention=trec_eval").unwrap_err(), sentence);
        assert_eq!(
            parse("mrr_scored", "convention=trec_eval, ties=item_asc").unwrap_err(),
            "ties=item_asc needs items: use rank_metrics_rows"
        );
        let options = parse("mrr_scored", "ties=average, convention=trec_eval").unwrap();
        assert_eq!((options.ties, options.score_type), (Ties::Average, ScoreType::Float32));
        assert_eq!(parse("mrr_scored", "convention=ranx").unwrap().ties, Ties::InputOrder);
        assert!(parse("mrr", "convention=trec_eval").is_ok());
    }

    #[test]
    fn wrong_conventions() {
        assert_eq!(
            parse("mrr", "convention=trec").unwrap_err(),
            "convention must be hivemall_page, hivemall_java, trec_eval, sklearn, spark, ranx, replay, rectools, \
             recommenders, lenskit or torchmetrics, got 'trec'"
        );
        assert_eq!(
            parse("mrr", "convention=ranx, convention=ranx").unwrap_err(),
            "option 'convention' is given twice"
        );
    }
}
