//! The values that are the same in the SQL of every macro.

use std::sync::LazyLock;

use rankdcg_core::{CONVENTIONS, Function, USUAL_NAMES_OF_REL, functions};
use serde_json::{Value, json};

use crate::quoting::quote_text;
use crate::signatures::{COLUMNS_OF_FUNCTIONS, metrics, names, similarities, texts, values_of};

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
    let of_both = CONVENTIONS.iter().filter(|each| each.users == "both").map(|each| each.name);
    let (functions, structure) = functions_and_structure();
    Values(vec![
        ("needs", NEEDS.to_owned()),
        ("metrics", names(metrics()).join(", ")),
        ("similarities", similarities().join(", ")),
        ("usual_names_of_rel", texts(USUAL_NAMES_OF_REL)),
        ("corrections", texts(values_of("correction"))),
        ("conventions_of_both", of_both.collect::<Vec<_>>().join("|")),
        ("functions", quote_text(&functions)),
        ("structure", quote_text(&structure)),
    ])
});

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
