//! An example of each function in SQL and in Polars. Both read the same data and give the same values.

use serde::Serialize;

use super::form::Form;
use super::function::Function;
use super::result::Output;
use crate::documentation::Columns;

#[derive(Serialize)]
pub struct Examples {
    pub sql: String,
    /// Two lines of Python: one makes the data frame `frame`, the other is an expression, a data frame, too, with
    /// `polars` as `pl` and `rankdcg_sql.polars` as `rk`. `None` if Polars has no such function.
    pub polars: Option<String>,
}

/// Columns of a table in SQL or of a data frame.
struct Data(Columns);

impl Data {
    /// The values of a column; none if the data has no such column.
    fn values(&self, name: &str) -> &'static [&'static str] {
        self.0.iter().find(|(known, _)| *known == name).map_or(&[], |(_, values)| values)
    }

    /// The number of rows of a table of these columns: that of the first one. No other one is shorter.
    fn rows(&self, names: &[&str]) -> usize {
        self.values(names[0]).len()
    }

    /// Columns as a table in SQL.
    fn table(&self, names: &[&str]) -> String {
        let row = |row| {
            let cells: Vec<&str> = names.iter().map(|name| self.values(name)[row]).collect();
            format!("({})", cells.join(", "))
        };
        let rows: Vec<String> = (0..self.rows(names)).map(row).collect();
        format!("(VALUES {}) AS t({})", rows.join(", "), names.join(", "))
    }

    /// Columns as a data frame in Python.
    fn frame(&self, names: &[&str]) -> String {
        let rows = self.rows(names);
        let column = |name: &&str| {
            let values = self.values(name)[..rows].join(", ").replace('\'', "\"").replace("NULL", "None");
            format!("\"{name}\": [{values}]")
        };
        let columns: Vec<String> = names.iter().map(column).collect();
        format!("pl.DataFrame({{{}}})", columns.join(", "))
    }
}

pub fn examples(function: &Function) -> Examples {
    let inputs = function.inputs();
    let form = function.form.spec();
    let data = Data(function.item_measure.map_or(form.example, |measure| measure.example));
    let grouped: Vec<&str> = std::iter::once("userid").chain(inputs.iter().copied()).collect();
    let k = match function.output {
        Output::MetricsAt => Some(("ks", "[1, 2]")),
        _ if function.form == Form::Items => {
            Some(("measures", "'average_popularity@2, serendipity@2, coverage@2'"))
        }
        Output::Measures => Some(("measures", "'ndcg@2, mrr(min_rel=2)'")),
        _ if function.form == Form::Rankings => Some(("k", "4")),
        _ => function.takes_k().then_some(("k", "2")),
    };
    // Required if the function takes it, and not only for a metric that it explains.
    let is_of_one = !matches!(function.output, Output::Explanation | Output::Measures);
    let needs_max_rel = is_of_one && function.options().contains(&"max_rel");
    let option = needs_max_rel.then_some(("max_rel", "3"));
    let call = |inputs: &[&str]| {
        let mut arguments: Vec<String> = inputs.iter().map(|input| (*input).to_owned()).collect();
        arguments.extend(k.map(|(_, k)| k.to_owned()));
        arguments.extend(option.map(|(name, value)| format!("'{name}={value}'")));
        format!("{}({})", function.name(), arguments.join(", "))
    };
    let sql = if !form.is_aggregate {
        let values: Vec<&str> = inputs.iter().flat_map(|name| data.values(name)).copied().collect();
        format!("SELECT {}", call(&values))
    } else if form.is_of_users {
        format!("SELECT unnest({}, recursive := true) FROM {}", call(inputs), data.table(inputs))
    } else if form.is_statistic {
        format!("SELECT {} FROM {}", call(inputs), data.table(inputs))
    } else {
        format!("SELECT userid, {} FROM {} GROUP BY userid", call(inputs), data.table(&grouped))
    };
    let polars = function.expression().map(|expression| {
        let mut arguments: Vec<String> = inputs.iter().map(|name| format!("\"{name}\"")).collect();
        arguments.extend(k.into_iter().chain(option).map(|(name, value)| format!("{name}={value}")));
        let call = format!("rk.{expression}({})", arguments.join(", "));
        let (columns, call) = if form.is_of_users {
            (inputs, format!("select({call}.struct.unnest())"))
        } else if form.is_aggregate && !form.is_statistic {
            (&grouped[..], format!("group_by(\"userid\").agg({call})"))
        } else {
            (inputs, format!("select({call})"))
        };
        format!("frame = {}\nframe.{call}", data.frame(columns))
    });
    Examples { sql, polars }
}
