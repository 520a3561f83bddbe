//! An example of each function in SQL and in Polars. Both read the same data and give the same values.

use serde::Serialize;

use super::{Form, Function, Output};

/// The examples of one function.
#[derive(Serialize)]
pub struct Examples {
    /// A statement in SQL.
    pub sql: String,
    /// Two lines of Python: a statement that makes the data frame `frame`, and an expression of its metrics, which is a
    /// data frame, too. `polars` is imported as `pl`, and `rankdcg_sql.polars` as `rk`. `None` if Polars has no such
    /// function.
    pub polars: Option<String>,
}

/// The rows of one group, as columns of a table in SQL or of a data frame.
struct Data {
    /// The name of each column, and its values as SQL writes them.
    columns: &'static [(&'static str, &'static [&'static str])],
}

const LISTS: Data = Data {
    columns: &[
        ("rec", &["['a', 'c', 'b']"]),
        ("truth", &["[{'item': 'a', 'rel': 3}, {'item': 'b', 'rel': 1}, {'item': 'd', 'rel': 2}]"]),
    ],
};
const RELS: Data = Data { columns: &[("rels", &["[3, 0, 1, 2]"])] };
const ALIGNED: Data =
    Data { columns: &[("scores", &["[0.9, 0.5, 0.4, NULL]"]), ("rels", &["[3, 0, 1, 2]"])] };
const PAIRS: Data = Data {
    columns: &[
        ("userid", &["1", "1", "1", "1"]),
        ("score", &["0.9", "0.5", "0.4", "NULL"]),
        ("rel", &["3", "0", "1", "2"]),
    ],
};
const ROWS: Data = Data {
    columns: &[
        ("userid", &["1", "1", "1", "1", "1"]),
        ("item", &["'a'", "'c'", "'b'", "'a'", "'b'"]),
        ("score", &["0.9", "0.5", "0.4", "NULL", "NULL"]),
        ("rel", &["NULL", "NULL", "NULL", "3", "1"]),
    ],
};
const REC: Data = Data {
    columns: &[
        ("userid", &["1", "1", "1", "1"]),
        ("item", &["'a'", "'d'", "'c'", "'b'"]),
        ("score", &["0.4", "0.5", "0.5", "0.9"]),
    ],
};
const SAMPLES: Data = Data {
    columns: &[
        ("x", &["0.5", "0.75", "0.25", "0.9"]),
        ("a", &["0.5", "0.75", "0.25", "0.9"]),
        ("b", &["0.4", "0.5", "0.3", "0.7"]),
    ],
};
const P_VALUES: Data = Data { columns: &[("p_values", &["[0.01, 0.04, 0.03, NULL]"])] };

const BLOCKS: Data = Data {
    columns: &[("blocks", &["[[0.5, 0.4, 0.8], [0.75, 0.5, 0.9], [0.25, 0.3, 0.6], [0.9, 0.7, 0.95]]"])],
};

impl Data {
    /// The example data for functions of a form.
    fn of(form: Form) -> &'static Self {
        match form {
            Form::Lists => &LISTS,
            Form::Rels => &RELS,
            Form::Scored => &ALIGNED,
            Form::Agg => &PAIRS,
            Form::Rows | Form::ByUser => &ROWS,
            Form::Rec => &REC,
            Form::Sample => &SAMPLES,
            Form::PValues => &P_VALUES,
            Form::Blocks => &BLOCKS,
        }
    }

    /// The values of a column; none if the data has no such column.
    fn values(&self, name: &str) -> &'static [&'static str] {
        self.columns.iter().find(|(known, _)| *known == name).map_or(&[], |(_, values)| values)
    }

    /// These columns as a table in SQL.
    fn table(&self, names: &[&str]) -> String {
        let rows = self.values(names[0]).len();
        let row = |row| {
            let cells: Vec<&str> = names.iter().map(|name| self.values(name)[row]).collect();
            format!("({})", cells.join(", "))
        };
        let rows: Vec<String> = (0..rows).map(row).collect();
        format!("(VALUES {}) AS t({})", rows.join(", "), names.join(", "))
    }

    /// These columns as a data frame.
    fn frame(&self, names: &[&str]) -> String {
        let column = |name: &&str| {
            let values = self.values(name).join(", ").replace('\'', "\"").replace("NULL", "None");
            format!("\"{name}\": [{values}]")
        };
        let columns: Vec<String> = names.iter().map(column).collect();
        format!("pl.DataFrame({{{}}})", columns.join(", "))
    }
}

/// The examples of `function`.
pub fn examples(function: &Function) -> Examples {
    let inputs = function.inputs();
    let data = Data::of(function.form);
    let grouped: Vec<&str> = std::iter::once("userid").chain(inputs.iter().copied()).collect();
    let k = match function.output {
        Output::MetricsAt => Some(("ks", "[1, 2]")),
        _ => function.takes_k().then_some(("k", "2")),
    };
    let option = function.options().contains(&"max_rel").then_some(("max_rel", "3"));
    let call = |inputs: &[&str]| {
        let mut arguments: Vec<String> = inputs.iter().map(|input| (*input).to_owned()).collect();
        arguments.extend(k.map(|(_, k)| k.to_owned()));
        arguments.extend(option.map(|(name, value)| format!("'{name}={value}'")));
        format!("{}({})", function.name(), arguments.join(", "))
    };
    let sql = match function.form {
        Form::Lists | Form::Rels | Form::Scored | Form::PValues | Form::Blocks => {
            let values: Vec<&str> = inputs.iter().flat_map(|name| data.values(name)).copied().collect();
            format!("SELECT {}", call(&values))
        }
        Form::Agg | Form::Rows | Form::Rec => {
            format!("SELECT userid, {} FROM {} GROUP BY userid", call(inputs), data.table(&grouped))
        }
        Form::ByUser => {
            format!("SELECT unnest({}, recursive := true) FROM {}", call(inputs), data.table(inputs))
        }
        Form::Sample => format!("SELECT {} FROM {}", call(inputs), data.table(inputs)),
    };
    let polars = function.expression().map(|expression| {
        let mut arguments: Vec<String> = inputs.iter().map(|name| format!("\"{name}\"")).collect();
        arguments.extend(k.into_iter().chain(option).map(|(name, value)| format!("{name}={value}")));
        let call = format!("rk.{expression}({})", arguments.join(", "));
        let (columns, call) = match function.form {
            Form::Agg => (&grouped[..], format!("group_by(\"userid\").agg({call})")),
            Form::ByUser => (inputs, format!("select({call}.struct.unnest())")),
            _ => (inputs, format!("select({call})")),
        };
        format!("frame = {}\nframe.{call}", data.frame(columns))
    });
    Examples { sql, polars }
}
