//! The catalogue: the one list of functions, from which engines register them and the documentation is generated.

pub mod elsewhere;
pub mod error_in_text;
mod examples;
mod form;
mod function;
mod geometric_means;
pub(crate) mod measures;
pub mod names;
mod parameters;
pub mod plan;
mod result;
mod serialised;
mod span_measures;

use std::sync::LazyLock;

use self::form::FORMS;
use self::geometric_means::GEOMETRIC_MEANS;
use self::span_measures::SPAN_MEASURES;
use crate::aspects::ASPECT_MEASURES;
use crate::item_measures::ITEM_MEASURES;
use crate::metrics::METRICS;
use crate::similarities::SIMILARITIES;
use crate::statistics::{STATISTICS, correction, geometric_mean, tukey_hsd};

pub use form::{Form, FormSpec};
pub use function::{Function, ROW_COUNTS, Resolved};
pub use result::{FieldType, Output, ResultType, UserList};
pub use serialised::Catalogue;

/// The version of the library, which every engine reports.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let mut functions = Vec::new();
    for spec in FORMS {
        let FormSpec { form, has_metric, has_bundles, is_of_users, .. } = spec;
        let metrics = METRICS.iter().filter(|metric| has_metric(metric));
        functions.extend(metrics.map(|metric| Function::of(metric, *form)));
        if *has_bundles {
            functions.push(Function::bundle("rank_metrics", *form, Output::Metrics));
            functions.push(Function::bundle("rank_metrics_at", *form, Output::MetricsAt));
        }
        if *is_of_users {
            functions.push(Function::evaluation(*form));
        }
        if spec.has_explanations() {
            functions.push(Function::explanation(*form));
        }
        if spec.has_measures() {
            functions.push(Function::of_measures(*form));
        }
    }
    functions.push(Function::ranked_list());
    functions.extend(SIMILARITIES.iter().map(|similarity| Function::of_similarity(similarity)));
    functions.push(Function::similarities());
    let of_values = ITEM_MEASURES.iter().filter(|measure| measure.kernel.reads_values());
    functions.extend(of_values.map(|measure| Function::of_items(measure)));
    functions.push(Function::rank_items());
    functions.extend(ASPECT_MEASURES.iter().map(|measure| Function::of_aspect_measure(measure)));
    functions.extend(STATISTICS.iter().map(|statistic| Function::of_statistic(statistic)));
    let tukey_options = ["resamples", "seed", "tolerance"];
    functions.push(Function::of_numbers("tukey_hsd", Form::Blocks, tukey_hsd::ABOUT, &tukey_options));
    let correction = ["correction"];
    functions.push(Function::of_numbers("corrected_p_values", Form::PValues, correction::ABOUT, &correction));
    functions.push(Function::of_numbers("geometric_mean_values", Form::Users, geometric_mean::ABOUT, &[]));
    functions
});

/// The functions that SQL of this project calls for measures with lists of users, in place of a second pass over the rows.
static MEASURES_AND_LISTS: LazyLock<[Function; 2]> = LazyLock::new(|| {
    [
        ("rankdcg_sql_measures_and_ranking_by_user", &[UserList::Ranking][..]),
        ("rankdcg_sql_measures_and_lists_by_user", &[UserList::Ranking, UserList::Relevant]),
    ]
    .map(|(name, lists)| Function::measures_and_lists(name, lists))
});

/// The measures of items that calls of `rank_items` name.
static ITEM_FUNCTIONS: LazyLock<Vec<Function>> =
    LazyLock::new(|| ITEM_MEASURES.iter().map(|measure| Function::named_in_rank_items(measure)).collect());

/// The measures of spans, which SQL computes.
static SPAN_FUNCTIONS: LazyLock<Vec<Function>> =
    LazyLock::new(|| SPAN_MEASURES.iter().map(Function::of_span_measure).collect());

/// The geometric means of metrics, which front ends compute from values of users.
static GEOMETRIC_MEAN_FUNCTIONS: LazyLock<Vec<Function>> =
    LazyLock::new(|| GEOMETRIC_MEANS.iter().filter_map(Function::of_geometric_mean).collect());

/// Every function, in the order of the documentation.
pub fn functions() -> &'static [Function] {
    &FUNCTIONS
}

/// The functions of measures for all users that return lists of them, too. They are no part of the documentation.
pub fn measures_and_lists() -> &'static [Function] {
    &*MEASURES_AND_LISTS
}

/// The function with this name or alias.
pub fn lookup(name: &str) -> Option<&'static Function> {
    let mut known = functions().iter().chain(measures_and_lists()).chain(GEOMETRIC_MEAN_FUNCTIONS.iter());
    known.find(|function| function.names().iter().any(|known| known == name))
}

pub fn catalogue() -> Catalogue {
    Catalogue::new(VERSION, functions(), &GEOMETRIC_MEAN_FUNCTIONS, &ITEM_FUNCTIONS, &SPAN_FUNCTIONS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use crate::options::conventions::{CONVENTIONS, Preset};

    /// The options by which a ranking is read, before any metric; they cannot differ by metric.
    const OF_ROWS: &[&str] =
        &["gain", "discount", "idcg", "min_rel", "max_rel", "duplicates", "unjudged", "ties", "score_type"];

    #[test]
    fn every_preset_can_be_written_as_an_option() {
        for convention in CONVENTIONS {
            for Preset { option, value, metrics } in convention.options {
                let is_metric = |name: &&str| METRICS.iter().any(|metric| metric.short_name() == *name);
                assert!(metrics.iter().all(is_metric), "{option}");
                assert!(metrics.is_empty() || !OF_ROWS.contains(option), "{option}");
                let function = functions().iter().find(|each| each.options().contains(option)).unwrap();
                let written = function.parse(&format!("{option}={value}"));
                assert!(written.is_ok() || value.starts_with("item_"), "{option}={value}");
            }
        }
    }

    #[test]
    fn metrics_with_terms_are_explained() {
        let explained = lookup("rank_explain").unwrap().metrics.iter().map(|metric| metric.short_name());
        let with_terms = METRICS.iter().filter(|metric| metric.terms.is_some());
        let sorted = |mut names: Vec<&'static str>| {
            names.sort_unstable();
            names
        };
        let with_terms = with_terms.map(|metric| metric.short_name()).collect();
        assert_eq!(sorted(explained.collect()), sorted(with_terms));
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
            "metric=average_precision, denominator=k",
            "metric=err, max_rel=4",
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
                let metric = function.explained_metric(&options).ok().or(function.metric());
                let options = match metric {
                    Some(metric) => metric.options_in(&options).clone(),
                    None => Options { per_metric: Vec::new(), ..options },
                };
                let values = function.resolve(&text).unwrap().options;
                let names: Vec<&str> = values.iter().map(|each| each.name).collect();
                // A metric that is explained has options of its own.
                let own = function.options().iter().filter(|name| names.contains(name));
                assert!(own.eq(&names) && (names == function.options() || names[0] == "metric"));
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
}
