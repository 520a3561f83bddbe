//! Table macros of DuckDB over the aggregates. Their SQL is in the files of this folder.
//!
//! `${name}` in a file stands for a value of that name, or else for the text of the file `name.sql`. In
//! `${name table}`, the file finds the word `table` as its value `${table}`.
//!
//! A file begins with `rank_` if it creates the macro of its name. The SQL of macros follows four rules:
//!
//! - A name in it that is a parameter stands for the argument. So no column has the name of a parameter, or it is
//!   always written behind that of its table, as in `tests.k`.
//! - The tables of the caller are named in common table expressions whose names they cannot have, or in the first one.
//!   Otherwise it would hide a table of the same name.
//! - Directions and places of NULL are given wherever rows are sorted, and ids are compared as bytes, because settings
//!   of the caller change the defaults.
//! - Functions have their full names in the system, and operators that are functions, such as `||`, do not occur. So no
//!   macro of the caller is called.
//!
//! The helpers are macros, too, because DuckDB chooses a macro by the types of its arguments. They call no function of
//! the extension, because DuckDB looks for functions when it creates a macro.
#![forbid(unsafe_code)]

mod measures;
mod quoting;
mod signatures;
mod values;

use rankdcg_core::{Function, VERSION, functions};

use crate::quoting::quote_name;
use crate::values::VALUES;

pub use measures::{ANSWERS, Answer};
pub use quoting::quote_text;
pub use signatures::{MacroParameter, TableMacro, table_macros};

/// The files of this folder: the name and the text of each.
macro_rules! files {
    ($($name:literal)+) => {
        &[$(($name, include_str!(concat!($name, ".sql")))),+]
    };
}

const FILES: &[(&str, &str)] = files! {
    "attribution" "both_tables" "columns_of_recommendations" "columns_of_spans" "columns_of_truth" "counted_users"
    "cutoffs_of_change" "evaluated" "evaluated_spans" "explained_metrics" "found_spans" "helpers" "helpers_of_change"
    "helpers_of_check" "helpers_of_spans" "introduction" "items_of_change" "measures_of_call" "measures_of_change"
    "names_of_measures" "parts_of_change" "rank_change" "rank_change_by_item" "rank_change_by_move"
    "rank_change_by_user" "rank_change_ids" "rank_check" "rank_compare" "rank_evaluate" "rank_evaluate_spans" "rank_explain"
    "rank_functions" "rank_items" "rank_measures" "rank_similarity" "rank_spans" "rank_summary" "ranked_chunks" "rows_of_items" "rows_of_ranking"
    "rows_of_recommendations" "rows_of_spans" "rows_of_truth" "rows_of_users" "storage_version" "sum_over_mean" "tables_of_change" "tables_of_spans"
    "tests_of_change" "unavailable" "users_of_change" "values_of_change"
};

/// The prefix of the names of helpers, and of the functions of lists of rows that the macros of aggregates call.
pub const PREFIX: &str = "rankdcg_sql_";

/// The words that create a TEMP macro unless the connection has one of the same name.
const CREATE_TEMP: &str = "CREATE TEMP MACRO IF NOT EXISTS";

/// The statements that create the helpers and the table macros as TEMP macros: those of the helpers, then one for each
/// macro with its name. A TEMP macro of the same name stays.
///
/// `has_aggregates` is whether the database has the aggregates that only DuckDB 2.0 has. Without them, a call of a macro
/// that needs them is an error that says so.
pub fn statements(has_aggregates: bool) -> (String, Vec<(&'static str, String)>) {
    let created = |each: &TableMacro| {
        let is_refused = each.needs_aggregates && !has_aggregates;
        (each.name, created(CREATE_TEMP, each, if is_refused { "unavailable" } else { each.name }))
    };
    let helpers = format!("{}\n\n{}", helpers(CREATE_TEMP, has_aggregates), tables_of_python(has_aggregates));
    (helpers, table_macros().iter().map(created).collect())
}

/// The statements that create or replace the macros, with comments, for any client of DuckDB. They tell to load
/// `extension`, which is written in SQL.
pub fn script(is_temporary: bool, extension: &str) -> String {
    let create = if is_temporary { "CREATE OR REPLACE TEMP MACRO" } else { "CREATE OR REPLACE MACRO" };
    let given = [("version", VERSION), ("extension", extension)];
    let introduction = filled("introduction", &given);
    let storage_version = if is_temporary { None } else { Some(filled("storage_version", &[])) };
    let parts = [Some(introduction), storage_version, Some(all(create))];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n") + "\n"
}

/// The statements that create the macros in a schema, which is given by its full name. Calls from other schemas find
/// the helpers there.
pub fn in_schema(schema: &str) -> String {
    all("CREATE MACRO")
        .replace(PREFIX, &format!("{schema}.{PREFIX}"))
        .replace("CREATE MACRO rank_", &format!("CREATE MACRO {schema}.rank_"))
}

/// The statements that create the aggregates as TEMP macros over functions of lists of rows, where no aggregate is
/// native. A TEMP macro of the same name stays.
pub fn aggregates() -> String {
    let is_macro =
        |function: &&Function| function.form.spec().is_aggregate && !function.result().has_argument_type();
    let named = functions().iter().filter(is_macro).flat_map(|function| {
        let counts = function.required()..=function.arguments().len();
        function.names().iter().map(move |name| {
            let overload = |count| overload(name, &function.arguments()[..count]);
            let overloads: Vec<String> = counts.clone().map(overload).collect();
            format!("{CREATE_TEMP} {} {};\n", quote_name(name), overloads.join(", "))
        })
    });
    named.collect()
}

/// The macro of an aggregate with these arguments. It has one `list()` of all arguments: `OVER` after a call applies to a
/// single aggregate.
fn overload(name: &str, arguments: &[&str]) -> String {
    let row: Vec<String> = arguments.iter().map(|argument| format!("{argument} := {argument}")).collect();
    let rows = format!("system.main.list(system.main.struct_pack({}))", row.join(", "));
    format!("({}) AS system.main.\"{PREFIX}{name}\"({rows})", arguments.join(", "))
}

/// The statements that create all helpers and macros.
fn all(create: &str) -> String {
    let macros = table_macros().iter().map(|each| created(create, each, each.name));
    std::iter::once(helpers(create, true)).chain(macros).collect::<Vec<_>>().join("\n\n")
}

/// The statements that create the helpers: those of all macros, or of those alone that need no native aggregates.
fn helpers(create: &str, has_aggregates: bool) -> String {
    let files = ["helpers_of_check", "helpers_of_change", "helpers_of_spans", "helpers"];
    let files = if has_aggregates { &files[..] } else { &files[..3] };
    files.iter().map(|file| filled(file, &[("create", create)])).collect::<Vec<_>>().join("\n\n")
}

/// The statements that create the table macros of a change and of spans that Python calls. Statistics are macros where they are no
/// aggregates.
fn tables_of_python(has_aggregates: bool) -> String {
    let statistics = if has_aggregates { "system.main" } else { "temp.main" };
    let given = [
        ("create", CREATE_TEMP),
        ("statistics", statistics),
        ("attribution", "attribution"),
        ("macro", "evaluate"),
    ];
    let macros = ["tables_of_change", "tables_of_spans"].map(|file| filled(file, &given));
    macros.join("\n\n")
}

/// The statement of a file that creates a macro.
fn created(create: &str, of: &TableMacro, file: &str) -> String {
    let described = |each: &MacroParameter| format!("{}: {}", each.name, each.description);
    let no_column = |column: &&str| format!("NULL AS {}", quote_name(column));
    let joined = |texts: Vec<String>, separator: &str| texts.join(separator);
    let descriptions = joined(of.parameters.iter().map(described).collect(), "\n--   ");
    let parameters = joined(of.parameters.iter().map(MacroParameter::sql).collect(), ",\n    ");
    let no_columns = joined(of.columns.iter().map(no_column).collect(), ", ");
    let given = [
        ("create", create),
        ("macro", of.name),
        ("summary", of.summary),
        ("descriptions", &descriptions),
        ("parameters", &parameters),
        ("no_columns", &no_columns),
        ("statistics", "system.main"),
    ];
    filled(file, &given)
}

/// The text of a file with values and files in it. A file has the indentation of the line that names it.
fn filled(file: &str, given: &[(&str, &str)]) -> String {
    let text =
        FILES.iter().find(|(name, _)| *name == file).expect("a file of this folder").1.trim_end_matches('\n');
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let (placeholder, after) = after.split_once('}').expect("a placeholder ends");
        filled.push_str(before);
        let (name, table) = placeholder.split_once(' ').unwrap_or((placeholder, ""));
        let known = given.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        if let Some(value) = known.or_else(|| VALUES.get(name)) {
            filled.push_str(value);
        } else {
            let line = filled.rsplit('\n').next().unwrap_or_default();
            let indentation = &line[..line.len() - line.trim_start().len()];
            let given: Vec<_> = std::iter::once(("table", table))
                .filter(|(_, table)| !table.is_empty())
                .chain(given.iter().copied())
                .collect();
            let text = self::filled(name, &given).replace('\n', &format!("\n{indentation}"));
            filled.push_str(&text);
        }
        rest = after;
    }
    filled + rest
}
