//! The conventions of other packages, each as the options with which functions here give the same numbers.

use serde::Serialize;

/// Options under one name.
#[derive(Serialize)]
pub struct Convention {
    pub name: &'static str,
    /// What it reproduces.
    pub of: &'static str,
    /// Of several for one option that hold for a metric, the last one does.
    pub options: &'static [Preset],
    /// The cases in which the package gives another number that no option expresses. tests/test_peers.py tests each.
    pub differs: &'static [&'static str],
}

/// An option of a convention.
#[derive(Serialize)]
pub struct Preset {
    pub option: &'static str,
    pub value: &'static str,
    /// The metrics that it is limited to; none: all.
    pub metrics: &'static [&'static str],
}

impl Preset {
    /// Whether it holds for a metric, or where no metric is named for all.
    pub fn holds_for(&self, metric: Option<&str>) -> bool {
        self.metrics.is_empty() || metric.is_some_and(|metric| self.metrics.contains(&metric))
    }
}

impl Convention {
    /// Whether it has options for this metric that do not hold for all.
    pub fn is_own(&self, metric: &str) -> bool {
        self.options.iter().any(|preset| preset.metrics.contains(&metric))
    }
}

/// The convention of this name.
pub fn find(name: &str) -> Option<&'static Convention> {
    CONVENTIONS.iter().find(|convention| convention.name == name)
}

macro_rules! conventions {
    ($(
        $name:literal, $of:literal: { $($option:ident = $value:literal $([$($metric:literal),+])?,)* }
        $(differs [$($where:literal,)+])?
    )+) => {
        pub const NAMES: &[&str] = &[$($name,)+];

        /// Every convention, the default one first.
        pub static CONVENTIONS: &[Convention] = &[$(Convention {
            name: $name,
            of: $of,
            options: &[$(Preset {
                option: stringify!($option),
                value: $value,
                metrics: &[$($($metric,)+)?],
            },)*],
            differs: &[$($($where,)+)?],
        },)+];
    };
}

conventions! {
    "hivemall_page", "the formulas of Hivemall's page Ranking Problems": {}
    "hivemall_java", "the measures in Hivemall's BinaryResponsesMeasures and GradedResponsesMeasures": {
        ap_denominator = "hits",
        idcg = "retrieved",
        auc_pairs = "k",
        duplicates = "count",
        no_relevant = "zero",
        no_relevant = "one_if_rec_empty" ["precision", "recall", "average_precision"],
    }
    "trec_eval", "the measures of trec_eval": {
        precision_denominator = "k",
        gain = "linear",
        no_relevant = "zero",
        ties = "item_desc",
        score_type = "float32",
    }
    differs [
        "items that are numbers: their ties go by text there, by value here",
        "a query without a line in the run: left out there unless asked for by -c, 0 here",
    ]
    "sklearn", "ndcg_score, dcg_score, roc_auc_score and average_precision_score of scikit-learn": {
        gain = "linear",
        ap_denominator = "hits",
        ap_steps = "threshold",
        one_class = "null",
        no_relevant = "zero",
        no_relevant = "null" ["auc"],
    }
    "spark", "RankingMetrics of Spark's MLlib": {
        precision_denominator = "k",
        ap_denominator = "min_truth_k",
        duplicates = "count",
        no_relevant = "zero",
    }
    differs [
        "an item judged with 0: relevant there, irrelevant here",
        "ndcg of graded truth: by way of PySpark every label gains 1, which is gain=binary here",
    ]
    "ranx", "evaluate of ranx": {
        precision_denominator = "k",
        gain = "linear",
        rbp_gain = "linear",
        no_relevant = "zero",
        ties = "input_order",
    }
    differs [
        "ties among more than 15 items: their order is open there, that of the list here",
    ]
    "replay", "the metrics of RePlay": {
        precision_denominator = "k",
        ap_denominator = "min_truth_k",
        gain = "binary",
        one_class = "by_class",
        duplicates = "count",
        no_relevant = "zero",
    }
    differs [
        "precision and recall of repeats: an item counts once there, which is duplicates=first here",
    ]
    "rectools", "the metrics of RecTools": {
        precision_denominator = "k",
        gain = "binary",
        idcg = "k",
        duplicates = "count",
    }
    differs [
        "recall, f1 and average_precision of repeats: a hit again is one more relevant item there",
    ]
    "recommenders", "precision_at_k, recall_at_k, map and ndcg_at_k of Recommenders' python_evaluation": {
        precision_denominator = "k",
        gain = "binary",
        duplicates = "count",
        empty_rec = "null" ["precision", "recall", "average_precision"],
    }
    differs [
        "an item judged with 0: relevant there, irrelevant here",
        "ndcg of repeats: there each hit counts as many times as rec holds the item",
    ]
    "lenskit", "the ranking metrics of LensKit, with the ratings as gain": {
        recall_denominator = "min_truth_k",
        ap_denominator = "min_truth_retrieved",
        gain = "linear",
        discount = "log2_clip",
        p = "0.85",
        duplicates = "count",
        no_relevant = "zero" ["precision", "dcg"],
        empty_rec = "null" ["precision", "average_precision"],
    }
    differs [
        "an item judged with 0: relevant there but to dcg and ndcg, irrelevant here",
    ]
    "torchmetrics", "the retrieval metrics of TorchMetrics": {
        precision_denominator = "k",
        ap_denominator = "hits",
        gain = "linear",
        one_class = "zero",
        no_relevant = "zero",
        score_type = "float32",
    }
    differs [
        "scores of 0 and below: irrelevant to precision, recall, mrr and average_precision there",
        "equal scores: there in one order, here in all, but for ndcg and for auc without k",
        "auc of scores above 1: there the sigmoid of each in 32 bits, by which large ones tie",
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{functions, lookup};
    use crate::metrics::METRICS;
    use crate::options::{
        ApDenominator, Duplicates, NoRelevant, OneClass, Options, PrecisionDenominator, ScoreType, Ties,
        options,
    };

    /// What is read from a row before there is a metric.
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
    fn what_a_metric_has_by_itself_is_no_convention() {
        assert_eq!(parse("rankdcg", "convention=ranx").unwrap().ties, Ties::Pessimistic);
        assert_eq!(parse("rankdcg", "convention=trec_eval").unwrap().ties, Ties::Pessimistic);
        assert_eq!(parse("cg", "convention=replay").unwrap().gain, parse("cg", "").unwrap().gain);
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
