//! The values that are the same in the SQL of every macro.

use std::sync::LazyLock;

use rankdcg_core::{
    CONVENTIONS, Form, Function, Output, SPELLINGS, TO_PLAIN_LETTERS, USUAL_NAMES_OF_REL, elsewhere,
    functions,
};
use serde_json::{Value, json};

use crate::quoting::quote_text;
use crate::signatures::{
    COLUMNS_OF_FUNCTIONS, explained_metrics, metrics, names, similarities, texts, values_of,
};

/// The error of macros that need aggregates, in a database without them.
const NEEDS: &str = "needs DuckDB 2.0 or later, and its functions as an extension: evaluate() and compare() in Python \
                     need neither";

/// Values by their names in the files.
pub struct Values(Vec<(&'static str, String)>);

impl Values {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| &value[..])
    }
}

pub static VALUES: LazyLock<Values> = LazyLock::new(|| {
    let metrics = names(metrics());
    let pair =
        |metric: &&str| format!("system.main.struct_pack(a := a.{metric}, b := b.{metric}) AS {metric}");
    let pairs: Vec<String> = metrics.iter().map(pair).collect();
    let runs = |metric: &&str| {
        format!(
            "system.main.struct_pack(\"before\" := b.{metric}, middle := m.{metric}, other_middle := o.{metric}, \
             \"after\" := a.{metric}) AS {metric}"
        )
    };
    let runs: Vec<String> = metrics.iter().map(runs).collect();
    let of_both = CONVENTIONS.iter().filter(|each| each.users == "both").map(|each| each.name);
    let (functions, structure) = functions_and_structure();
    Values(vec![
        ("needs", NEEDS.to_owned()),
        ("metrics", metrics.join(", ")),
        ("metrics_as_texts", texts(&metrics)),
        ("explained_as_texts", texts(&names(explained_metrics()))),
        ("pairs_of_metrics", pairs.join(",\n        ")),
        ("values_of_runs", runs.join(",\n        ")),
        ("similarities", similarities().join(", ")),
        ("usual_names_of_rel", texts(USUAL_NAMES_OF_REL)),
        ("corrections", texts(values_of("correction"))),
        ("conventions_of_both", of_both.collect::<Vec<_>>().join("|")),
        ("advice", quote_text(&advice())),
        ("plain_name", plain_name()),
        ("functions", quote_text(&functions)),
        ("structure", quote_text(&structure)),
    ])
});

/// SQL for a name in plain letters.
fn plain_name() -> String {
    TO_PLAIN_LETTERS.iter().fold("system.main.lower(name)".to_owned(), |name, (part, instead)| {
        let (part, instead) = (quote_text(part), quote_text(instead));
        format!("system.main.regexp_replace({name}, {part}, {instead}, 'g')")
    })
}

/// Lines with advice on names that are no metric of the macros. A line begins with the names in plain letters.
fn advice() -> String {
    let macros = names(metrics());
    let mut lines: Vec<(Vec<&str>, String)> = Vec::new();
    let mut add = |name, advice: String| match lines.iter_mut().find(|(_, known)| *known == advice) {
        Some((names, _)) => names.push(name),
        None => lines.push((vec![name], advice)),
    };
    for rows in functions().iter().filter(|each| each.form == Form::Rows && each.output == Output::Value) {
        let [metric] = rows.metrics[..] else { continue };
        let name = metric.short_name();
        let advice = if macros.contains(&name) {
            format!("did you mean {name}?")
        } else {
            format!("rank_measures computes it from tables, and {} from rows", rows.name())
        };
        let of_lists =
            functions().iter().filter(|each| each.form == Form::Lists && each.output == Output::Value);
        let of_metric = of_lists.filter(|each| each.metrics[0].name == metric.name).flat_map(Function::names);
        let known = of_metric.map(|name| &name[..]).chain(metric.synonyms.iter().copied());
        known.for_each(|name| add(name, advice.clone()));
    }
    for measure in elsewhere() {
        measure.names.iter().for_each(|name| add(name, measure.advice.clone()));
    }
    for (name, here) in SPELLINGS {
        add(name, format!("did you mean {here}?"));
    }
    let line = |(names, advice): &(Vec<&str>, String)| format!("|{}|: {advice}", names.join("|"));
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The catalogue and its types as JSON. One text takes a tenth of the time of rows of SQL.
fn functions_and_structure() -> (String, String) {
    let columns = |function: &Function| {
        let function = serde_json::to_value(function).expect("a function is plain data");
        let shown = |entry| if entry == "examples" { &function[entry]["sql"] } else { &function[entry] };
        COLUMNS_OF_FUNCTIONS.iter().map(|(column, entry)| (*column, shown(*entry).clone())).collect()
    };
    let listed: Vec<Vec<(&str, Value)>> = functions().iter().map(columns).collect();
    let kind = |value: &Value| if value.is_array() { json!(["VARCHAR"]) } else { json!("VARCHAR") };
    let kinds: Vec<_> = listed[0].iter().map(|(column, value)| (*column, kind(value))).collect();
    let listed: Vec<String> = listed.iter().map(|columns| object(columns)).collect();
    (format!("[{}]", listed.join(",")), format!("[{}]", object(&kinds)))
}

/// A JSON object with its entries in their order.
fn object(entries: &[(&str, Value)]) -> String {
    let entries: Vec<String> =
        entries.iter().map(|(name, value)| format!("{}:{value}", json!(name))).collect();
    format!("{{{}}}", entries.join(","))
}
