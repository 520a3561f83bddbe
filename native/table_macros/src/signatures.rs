//! The table macros: their names, parameters and columns, and what they are for.

use std::sync::LazyLock;

use rankdcg_core::metrics::metric::Metric;
use rankdcg_core::{ROW_COUNTS, lookup, options};
use serde::Serialize;

use crate::quoting::{quote_name, quote_text};

/// A table macro.
#[derive(Serialize)]
pub struct TableMacro {
    pub name: &'static str,
    /// A description of its rows.
    pub summary: &'static str,
    pub parameters: Vec<MacroParameter>,
    /// The columns of its result.
    pub columns: Vec<&'static str>,
    /// Whether it calls aggregates that only DuckDB 2.0 has.
    pub needs_aggregates: bool,
}

/// A parameter of a table macro.
#[derive(Clone, Serialize)]
pub struct MacroParameter {
    pub name: &'static str,
    /// Its type in SQL, to which a value is cast; `None` for a table, and for a list that may be one value.
    #[serde(rename = "type")]
    kind: Option<&'static str>,
    /// Its default as SQL; `None` if it must be given.
    default: Option<String>,
    /// A description, with the allowed values.
    pub description: String,
    /// Whether the macro sees if a value is given. The default is then a text in SQL, which is no value.
    #[serde(skip)]
    is_told: bool,
}

impl MacroParameter {
    /// The parameter in the statement that creates the macro.
    pub fn sql(&self) -> String {
        // Before DuckDB 2.0, a keyword such as interval is a name between quotes only.
        let name = quote_name(self.name);
        let Some(default) = &self.default else { return name };
        let default = if self.is_told {
            quote_text(default)
        } else {
            // A macro of the caller could stand for the brackets.
            default.replace('[', "system.main.list_value(").replace(']', ")")
        };
        match self.kind {
            Some(kind) => format!("{name} {kind} := {default}"),
            None => format!("{name} := {default}"),
        }
    }
}

/// The parameter of a table.
fn table(name: &'static str, description: impl Into<String>) -> MacroParameter {
    MacroParameter { name, kind: None, default: None, description: description.into(), is_told: false }
}

/// A parameter that may be left out, and may be a list or one value.
fn listed(name: &'static str, default: &str, description: impl Into<String>) -> MacroParameter {
    MacroParameter { default: Some(default.to_owned()), ..table(name, description) }
}

/// A parameter of a type that may be left out.
fn typed(kind: &'static str, name: &'static str, default: &str, about: impl Into<String>) -> MacroParameter {
    MacroParameter { kind: Some(kind), ..listed(name, default, about) }
}

/// A text that may be left out.
fn text(name: &'static str, default: &str, description: impl Into<String>) -> MacroParameter {
    typed("VARCHAR", name, default, description)
}

/// The values of an option that have names.
pub fn values_of(option: &str) -> &'static [&'static str] {
    options().iter().find(|each| each.name == option).expect("an option of the catalogue").values
}

/// The metrics that the aggregates of all users compute, in the order of their fields.
pub fn metrics() -> &'static [&'static Metric] {
    &lookup("rank_metrics_at_by_user").expect("a function of the catalogue").metrics
}

/// The metrics whose values are sums over items.
pub fn explained_metrics() -> &'static [&'static Metric] {
    &lookup("rank_explain").expect("a function of the catalogue").metrics
}

/// The names of metrics in results.
pub fn names(metrics: impl IntoIterator<Item = &'static &'static Metric>) -> Vec<&'static str> {
    metrics.into_iter().map(|metric| metric.short_name()).collect()
}

/// The names of the similarities of two rankings in results.
pub fn similarities() -> Vec<&'static str> {
    lookup("rank_similarity").expect("a function of the catalogue").similarity_names()
}

/// Texts in SQL.
pub fn texts(texts: &[&str]) -> String {
    texts.iter().map(|text| quote_text(text)).collect::<Vec<_>>().join(", ")
}

/// The columns of `rank_functions`, each with the entry of the catalogue that it shows.
pub const COLUMNS_OF_FUNCTIONS: &[(&str, &str)] = &[
    ("name", "name"),
    ("aliases", "aliases"),
    ("form", "form"),
    ("arguments", "signature"),
    ("result", "result"),
    ("description", "summary"),
    ("formula", "formula"),
    ("range", "range"),
    ("options", "options"),
    ("example", "examples"),
    ("source", "source"),
];

/// The table macros.
///
/// DuckDB leaves out columns in the middle of a result that is too wide. Those that are read first are therefore the
/// first and the last ones.
pub fn table_macros() -> &'static [TableMacro] {
    &TABLE_MACROS
}

static TABLE_MACROS: LazyLock<Vec<TableMacro>> = LazyLock::new(|| {
    let truth =
        table("truth", "the table of judgements: a name, a view, a CTE, or the path of a file in quotes");
    let rec = table("rec", "the table of recommendations, given like truth");
    let of_two_runs = [
        table(
            "truth_before",
            "the judgements of the run before: a name, a view, a CTE, or the path of a file in quotes",
        ),
        table("rec_before", "the recommendations of the run before, given like truth_before"),
        table("truth_after", "the judgements of the run after, which may be the same table"),
        table("rec_after", "the recommendations of the run after"),
    ];
    let baseline = table("baseline", "the recommendations to compare with, given like truth");
    let ks = listed("ks", "[5, 10]", "the cutoffs, or one; NULL among them is the whole list");
    let ks = MacroParameter { is_told: true, ..ks };
    let columns = [
        text("user", "'userid'", "the column of users, in each table"),
        text("item", "'itemid'", "the column of items, in each table"),
        text("score", "'score'", "the column of scores, in the recommendations"),
        text("rel", "NULL", "the column of relevances in truth; NULL: every row of truth is relevant"),
    ];
    let of_spans = [
        listed(
            "spans",
            "['start', 'end']",
            "the two columns of offsets, in each table: integers from 0, of which the second is that behind the span; \
             the column of items is then that of documents",
        ),
        text(
            "overlap",
            "'any'",
            "when a chunk finds a span: 'any' for one character, a share such as '0.5' for so much of the span or more, \
             'best' for those chunks alone that have most of it",
        ),
    ];
    let options = text("options", "''", "options of the metrics, such as 'gain=linear, min_rel=4'");
    let chosen = metrics().iter().filter(|metric| metric.by_default);
    let metrics_parameter = listed(
        "metrics",
        &format!("[{}]", texts(&names(chosen))),
        "the metrics, or one, by any of their names; each may have options and a cutoff of its own, as in \
         'P(min_rel=2)@5', in place of those of the call",
    );
    let means = [
        text(
            "users",
            "NULL",
            "the users of the means: 'truth', or 'both' for those who have recommendations, too; NULL: those of the \
             convention in options, 'truth' without one",
        ),
        text("interval", "'t'", "the kind of interval: 't' or 'bootstrap'"),
        typed("DOUBLE", "confidence", "0.95", "the confidence level of the intervals"),
    ];
    let corrections = texts(values_of("correction"));
    let tests = [
        text("test", "'t'", "the test: 't', 'wilcoxon' or 'randomization'"),
        text("alternative", "'two_sided'", format!("one of {}", texts(values_of("alternative")))),
        typed("DOUBLE", "margin", "0", "the difference that does not matter, with test := 't'"),
        text(
            "correction",
            "'holm'",
            format!(
                "how p-values are corrected for the number of rows: {corrections}, or 'none'; NULL is 'none'"
            ),
        ),
    ];
    let draws = [
        typed("BIGINT", "resamples", "10000", "how many resamples are drawn, if any are"),
        typed("BIGINT", "seed", "0", "the seed of the resamples"),
    ];
    let k = [listed("k", "'ks'", "another name of ks, for one of the two")];
    let of_change = [
        listed("k", "10", "the cutoff, or a list of them; NULL is the whole list"),
        MacroParameter { default: Some("'ndcg'".to_owned()), ..metrics_parameter.clone() },
        text(
            "attribution",
            "'sequential'",
            "the order of the steps: 'sequential' changes the judgements first and then the ranking, and 'shapley' takes \
             the mean of both orders",
        ),
    ];
    let cutoff = typed("BIGINT", "k", "10", "the cutoff; NULL: the whole list");
    let of_explained = listed(
        "metrics",
        "'ndcg'",
        format!("the metric, or several, of {}", names(explained_metrics()).join(", ")),
    );
    let of_change_of_items = [cutoff.clone(), of_explained.clone(), of_change[2].clone()];
    let of_one = [
        text("truth_user", "NULL", "the column of users in truth alone, in place of user"),
        text("truth_item", "NULL", "the column of items in truth alone, in place of item"),
        text("rec_user", "NULL", "the column of users in the recommendations alone, in place of user"),
        text("rec_item", "NULL", "the column of items in the recommendations alone, in place of item"),
    ];
    let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
    let evaluated = [&columns[..], &[options]].concat();
    let of_means = [&[metrics_parameter][..], &means].concat();
    vec![
        TableMacro {
            name: "rank_evaluate",
            summary: "The metrics of each user of truth, in a row for each k.",
            parameters: [&[truth.clone(), rec.clone(), ks.clone()], &evaluated[..], &k, &of_one].concat(),
            columns: [&["userid", "k"][..], &names(metrics()), &ROW_COUNTS].concat(),
            needs_aggregates: true,
        },
        TableMacro {
            name: "rank_measures",
            summary: "Any metrics of each user of truth, with cutoffs and options of their own, in a row for each user and \
                      measure.",
            parameters: [
                &[
                    truth.clone(),
                    rec.clone(),
                    listed(
                        "measures",
                        "'ndcg@10'",
                        "the measures, or one: each the name of a metric, with options of its own and a cutoff, such as \
                         'precision(min_rel=2)@5'; without a cutoff, the whole list",
                    ),
                ],
                &evaluated[..],
                &of_one,
            ]
            .concat(),
            columns: words("userid measure value"),
            needs_aggregates: true,
        },
        TableMacro {
            name: "rank_items",
            summary: "Measures of recommended items of each user of truth, in a row for each user and measure. Means over users \
                      are the measures of all users, too.",
            parameters: [
                &[
                    truth.clone(),
                    rec.clone(),
                    table("items", "the table of items with their properties, given like truth"),
                    listed(
                        "measures",
                        "'coverage@10'",
                        "the measures, or one: each the name of a measure of items, with the column of items that it reads, and \
                         a cutoff, such as 'novelty(of=share)@10'; without a cutoff, the whole list",
                    ),
                ],
                &columns[..],
                &of_one,
            ]
            .concat(),
            columns: words("userid measure value"),
            needs_aggregates: true,
        },
        TableMacro {
            name: "rank_summary",
            summary: "The mean of each metric over users and its confidence interval, in a row for each metric and k, \
                      with numbers of users and rows.",
            parameters: [
                &[truth.clone(), rec.clone(), ks.clone()],
                &evaluated[..],
                &of_means,
                &draws,
                &k,
                &of_one,
            ]
            .concat(),
            columns: words(
                "metric k low high users_evaluated users_without_rec users_without_truth rec_repeats truth_repeats \
                 rec_left_out truth_left_out without_value interval_by mean n",
            ),
            needs_aggregates: true,
        },
        TableMacro {
            name: "rank_compare",
            summary: "How rec differs from a baseline, user by user, in a row for each metric and k.",
            parameters: [
                &[truth.clone(), baseline, rec.clone(), ks.clone()],
                &evaluated[..],
                &of_means,
                &tests,
                &draws,
                &k,
                &of_one,
            ]
            .concat(),
            columns: words(
                "metric k mean baseline n low high effect_size p_value wins ties losses without_value interval_by \
                 difference p_corrected",
            ),
            needs_aggregates: true,
        },
        TableMacro {
            name: "rank_explain",
            summary: "The items that the metrics of each user of truth are made of, and relevant ones that were missed, in a row \
                      for each metric and item.",
            parameters: [&[truth.clone(), rec.clone(), cutoff, of_explained], &evaluated[..], &of_one]
                .concat(),
            columns: words(
                "userid metric rank last_rank itemid score rel judged gain discount contribution if_found value",
            ),
            needs_aggregates: true,
        },
        TableMacro {
            name: "rank_change",
            summary: "Why the mean of a metric moved between two runs: its parts, in a row for each metric, k and part.",
            parameters: [
                &of_two_runs[..],
                &of_change,
                &evaluated,
                &[means[0].clone(), means[2].clone()],
                &of_one,
            ]
            .concat(),
            columns: words("metric k part users before after difference low high share p_value p_corrected"),
            needs_aggregates: true,
        },
        TableMacro {
            name: "rank_change_by_user",
            summary: "The shares of each user in the parts of rank_change, in a row for each user, metric, k and part.",
            parameters: [&of_two_runs[..], &of_change, &evaluated, &means[..1], &of_one].concat(),
            columns: words("userid metric k part before after difference"),
            needs_aggregates: true,
        },
        TableMacro {
            name: "rank_change_by_item",
            summary: "The shares of each item in the parts judgements and ranking of rank_change, in a row for each metric and \
                      item; NULL is the rest, which no item adds.",
            parameters: [&of_two_runs[..], &of_change_of_items, &evaluated, &means[..1], &of_one].concat(),
            columns: words("itemid metric k judgements ranking users won lost"),
            needs_aggregates: true,
        },
        TableMacro {
            name: "rank_change_by_move",
            summary: "The shares of items in the part ranking of rank_change, by how they moved: in a row for each metric and move.",
            parameters: [&of_two_runs[..], &of_change_of_items, &evaluated, &means[..1], &of_one].concat(),
            columns: words("metric k move users items ranking"),
            needs_aggregates: true,
        },
        TableMacro {
            name: "rank_change_ids",
            summary: "How many judged items that were recommended before no longer exist: the run after neither recommends \
                      nor judges them.",
            parameters: [&of_two_runs[..], &columns[..], &of_one].concat(),
            columns: words("items gone share"),
            needs_aggregates: false,
        },
        TableMacro {
            name: "rank_similarity",
            summary: "How similar the recommendations of two systems are, in a row for each user of either table and k; the \
                      similarities are NULL for a user of one table only.",
            parameters: [
                &[
                    table(
                        "rec_a",
                        "the recommendations of one system: a name, a view, a CTE, or the path of a file in quotes",
                    ),
                    table("rec_b", "the recommendations of another system, given like rec_a"),
                    of_change[0].clone(),
                ],
                &columns[..3],
                &[text("options", "''", "options of the similarities, such as 'p=0.95'")],
            ]
            .concat(),
            columns: [&["userid", "k"][..], &similarities()].concat(),
            needs_aggregates: true,
        },
        TableMacro {
            name: "rank_spans",
            summary: "Spans of documents and the chunks that find them, as items that the other macros and functions read: in a \
                      row for each span, with the score of the chunk that has its item, and for each other chunk.",
            parameters: [&[truth.clone(), rec.clone()], &of_spans[..], &columns[..], &of_one].concat(),
            columns: words("userid itemid score rel document start_offset end_offset"),
            needs_aggregates: false,
        },
        TableMacro {
            name: "rank_evaluate_spans",
            summary: "The recall of spans and the recall and precision of characters of each user of truth, in a row for each k.",
            parameters: [
                &[truth.clone(), rec.clone(), ks],
                &of_spans[..],
                &columns[..],
                &[typed(
                    "DOUBLE",
                    "min_rel",
                    "NULL",
                    "the least relevance of a relevant span; NULL: any above 0",
                )],
                &k,
                &of_one,
            ]
            .concat(),
            columns: words("userid k span_recall character_recall character_precision"),
            needs_aggregates: false,
        },
        TableMacro {
            name: "rank_check",
            summary: "Findings about the two tables, errors first; no row if nothing seems wrong.",
            parameters: [&[truth, rec], &columns[..], &of_one].concat(),
            columns: words("source problem found example consequence"),
            needs_aggregates: false,
        },
        TableMacro {
            name: "rank_functions",
            summary: "The functions of rankdcg_sql, in the order of the documentation.",
            parameters: Vec::new(),
            columns: COLUMNS_OF_FUNCTIONS.iter().map(|(column, _)| *column).collect(),
            needs_aggregates: false,
        },
    ]
});
