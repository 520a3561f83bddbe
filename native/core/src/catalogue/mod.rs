//! The catalogue: the one list of functions, from which engines register them and the documentation is generated.

mod entry;
pub mod error_text;
mod examples;
mod form;
mod function;
mod parameters;
mod result;

use std::sync::LazyLock;

use self::form::FORMS;
use crate::metrics::METRICS;
use crate::statistics::STATISTICS;

pub use entry::Catalogue;
pub use form::{Form, FormSpec};
pub use function::{Function, ROW_COUNTS, Resolved};
pub use result::{FieldType, Output, ResultType};

/// The version of the library, which every engine reports.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let mut functions = Vec::new();
    for FormSpec { form, has_metric, has_bundles, is_of_users, .. } in FORMS {
        let metrics = METRICS.iter().filter(|metric| has_metric(metric));
        functions.extend(metrics.map(|metric| Function::of(metric, *form)));
        if *has_bundles {
            functions.push(Function::bundle("rank_metrics", *form, Output::Metrics));
            functions.push(Function::bundle("rank_metrics_at", *form, Output::MetricsAt));
        }
        if *is_of_users {
            functions.push(Function::evaluation(*form));
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

/// The catalogue of this library.
#[must_use]
pub fn catalogue() -> Catalogue {
    Catalogue::new(VERSION, functions())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::options::Options;
    use crate::options::choices::{
        ApDenominator, Duplicates, NoRelevant, OneClass, PrecisionDenominator, ScoreType, Ties,
    };
    use crate::options::conventions::{CONVENTIONS, Preset};
    use crate::options::parse::{OptionValue, Origin};
    use crate::options::table::options;

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
