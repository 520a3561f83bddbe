//! The metrics of a call of a table macro, as text that the macros cast to a list.

use rankdcg_core::{Error, Planned, explained, plan};

use crate::quoting::quote_text;

/// A text for metrics, cutoffs, the argument that gave the cutoffs, and options: see [`plan`].
pub type Answer = fn(&[Option<&str>], &[Option<i64>], Option<&str>, &str) -> Result<String, Error>;

/// The functions that the SQL of macros calls, each with its name. [`PREFIX`](crate::PREFIX) is that of macros alone.
pub const ANSWERS: &[(&str, Answer)] =
    &[("rank_macro_measures", measures), ("rank_macro_explained", names_of_sums)];

/// The names of metrics that are sums over items.
fn names_of_sums(
    names: &[Option<&str>],
    _: &[Option<i64>],
    _: Option<&str>,
    _: &str,
) -> Result<String, Error> {
    Ok(format!("[{}]", explained(names)?.join(", ")))
}

/// The measures of these metrics at these cutoffs, as structs.
fn measures(
    names: &[Option<&str>],
    ks: &[Option<i64>],
    asked: Option<&str>,
    options: &str,
) -> Result<String, Error> {
    let planned: Vec<String> = plan(names, ks, asked, options)?.iter().enumerate().map(in_sql).collect();
    Ok(format!("[{}]", planned.join(", ")))
}

/// A measure as a struct. Names and options have no quotes in them, so that each is the same in a text and in SQL.
fn in_sql((place, measure): (usize, &Planned)) -> String {
    fn or_null(value: Option<impl ToString>) -> String {
        value.map_or_else(|| "NULL".to_owned(), |value| value.to_string())
    }
    format!(
        "{{place: {}, measure: {}, metric: {}, k: {}, least: {}, most: {}}}",
        place + 1,
        quote_text(&measure.name()),
        quote_text(&measure.metric),
        or_null(measure.k),
        or_null(measure.least),
        or_null(measure.most),
    )
}
