//! The one list of functions, from which every engine registers and every document is printed.

use std::sync::LazyLock;

use serde::Serialize;

use crate::metrics::{METRICS, Metric};
use crate::options::{OptionSpec, options};

/// How a function's leading arguments are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `rec` and `truth`.
    Lists,
    /// One list of relevances in ranked order.
    Rels,
}

impl Shape {
    fn lists(self) -> &'static [&'static str] {
        match self {
            Self::Lists => &["rec", "truth"],
            Self::Rels => &["rels"],
        }
    }
}

/// A function that engines register: a metric in one of its shapes.
pub struct Function {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub shape: Shape,
    pub metric: &'static Metric,
}

impl Function {
    /// How many leading arguments are lists.
    #[must_use]
    pub fn lists(&self) -> usize {
        self.shape.lists().len()
    }

    /// The names of the arguments in order.
    #[must_use]
    pub fn arguments(&self) -> Vec<&'static str> {
        let mut arguments = self.shape.lists().to_vec();
        arguments.extend(self.metric.takes_k.then_some("k"));
        arguments.push("options");
        arguments
    }

    /// The options that it takes; where there are no items, none of them can repeat.
    #[must_use]
    pub fn options(&self) -> Vec<&'static str> {
        let has_items = self.shape == Shape::Lists;
        self.metric.options.iter().copied().filter(|name| has_items || *name != "duplicates").collect()
    }

    /// The arguments as documents write them: `rec, truth[, k[, options]]`.
    #[must_use]
    pub fn signature(&self) -> String {
        let arguments = self.arguments();
        let (lists, optional) = arguments.split_at(self.lists());
        format!("{}[, {}{}", lists.join(", "), optional.join("[, "), "]".repeat(optional.len()))
    }

    /// The function's name and its other names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let shapes = |metric: &'static Metric| {
        let lists = Function { name: metric.name, aliases: metric.aliases, shape: Shape::Lists, metric };
        let rels = metric.rels_name.map(|name| Function { name, aliases: &[], shape: Shape::Rels, metric });
        std::iter::once(lists).chain(rels)
    };
    METRICS.iter().copied().flat_map(shapes).collect()
});

/// Every function, in the order of the documents.
#[must_use]
pub fn functions() -> &'static [Function] {
    &FUNCTIONS
}

/// The function of this name or alias.
#[must_use]
pub fn lookup(name: &str) -> Option<&'static Function> {
    functions().iter().find(|function| function.names().any(|known| known == name))
}

/// A function as other languages see it.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    aliases: &'static [&'static str],
    arguments: Vec<&'static str>,
    signature: String,
    options: Vec<&'static str>,
    denominator: Option<&'static str>,
    summary: &'static str,
    formula: &'static str,
    range: &'static str,
    source: &'static str,
}

/// Everything there is to know about the functions and options, to be serialised.
#[derive(Serialize)]
pub struct Catalogue {
    version: &'static str,
    functions: Vec<Entry>,
    options: &'static [OptionSpec],
}

#[must_use]
pub fn catalogue() -> Catalogue {
    let entry = |function: &Function| Entry {
        name: function.name,
        aliases: function.aliases,
        arguments: function.arguments(),
        signature: function.signature(),
        options: function.options(),
        denominator: function.metric.denominator,
        summary: function.metric.summary,
        formula: function.metric.formula,
        range: function.metric.range,
        source: function.metric.source,
    };
    Catalogue {
        version: crate::VERSION,
        functions: functions().iter().map(entry).collect(),
        options: options(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_name_is_given_once_and_found() {
        let names: Vec<&str> = functions().iter().flat_map(Function::names).collect();
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len());
        for name in names {
            assert!(lookup(name).is_some_and(|function| function.names().any(|known| known == name)));
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
        assert_eq!(signature("rankdcg"), "rec, truth[, options]");
    }
}
