//! Conventions: sets of options that reproduce the numbers of other packages.

use serde::Serialize;

#[derive(Serialize)]
pub struct Convention {
    pub name: &'static str,
    /// The functions or formulas that it reproduces.
    pub of: &'static str,
    /// The users over whom its means are taken: those of `truth`, or those of `both` tables.
    pub users: &'static str,
    /// The options. If several presets of one option match a metric, the last one wins.
    pub options: &'static [Preset],
    /// The cases in which the package gives another number, and no option reproduces it. `tests/metrics/test_peers.py`
    /// has a test of each.
    pub differs: &'static [&'static str],
}

#[derive(Serialize)]
pub struct Preset {
    pub option: &'static str,
    pub value: &'static str,
    /// The metrics that it is limited to; empty if it applies to all.
    pub metrics: &'static [&'static str],
}

impl Preset {
    /// Whether it applies to a metric; for `None`, whether it applies to all metrics.
    pub fn holds_for(&self, metric: Option<&str>) -> bool {
        self.metrics.is_empty() || metric.is_some_and(|metric| self.metrics.contains(&metric))
    }
}

impl Convention {
    /// Whether it has presets that are limited to this metric, alone or with others.
    pub fn overrides(&self, metric: &str) -> bool {
        self.options.iter().any(|preset| preset.metrics.contains(&metric))
    }
}

pub fn find(name: &str) -> Option<&'static Convention> {
    CONVENTIONS.iter().find(|convention| convention.name == name)
}

macro_rules! conventions {
    ($(
        $name:literal, $of:literal, users of $users:ident: {
            $($option:ident = $value:literal $([$($metric:literal),+])?,)*
        }
        $(differs [$($where:literal,)+])?
    )+) => {
        pub const NAMES: &[&str] = &[$($name,)+];

        /// Every convention, the default one first.
        pub static CONVENTIONS: &[Convention] = &[$(Convention {
            name: $name,
            of: $of,
            users: stringify!($users),
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
    "hivemall_page", "the formulas of Hivemall's page Ranking Problems", users of truth: {}
    "hivemall_java", "the measures in Hivemall's BinaryResponsesMeasures and GradedResponsesMeasures", users of truth: {
        ap_denominator = "hits",
        idcg = "retrieved",
        auc_pairs = "k",
        duplicates = "count",
        no_relevant = "zero",
        no_relevant = "one_if_rec_empty" ["precision", "recall", "average_precision"],
    }
    "trec_eval", "the measures of trec_eval", users of both: {
        precision_denominator = "k",
        gain = "linear",
        no_relevant = "zero",
        ties = "item_desc",
        score_type = "float32",
    }
    differs [
        "items that are numbers: their ties go by text there, by value here",
        "iprec and eleven_point_average: of 3 relevant items, 2 reach a recall of 0.7 there, and 3 here",
        "inf_ap: a negative relevance stands for an item of the pool that was not judged there, for one judged with 0 here",
    ]
    "sklearn", "ndcg_score, dcg_score, roc_auc_score and average_precision_score of scikit-learn", users of truth: {
        gain = "linear",
        ap_denominator = "hits",
        ap_steps = "threshold",
        one_class = "null",
        no_relevant = "zero",
        no_relevant = "null" ["auc"],
    }
    "spark", "RankingMetrics of Spark's MLlib", users of truth: {
        precision_denominator = "k",
        ap_denominator = "min_truth_k",
        duplicates = "count",
        no_relevant = "zero",
    }
    differs [
        "an item judged with 0: relevant there, irrelevant here",
        "ndcg of graded truth: called from PySpark, every label has gain 1, as gain=binary here",
    ]
    "ranx", "evaluate of ranx", users of truth: {
        precision_denominator = "k",
        gain = "linear",
        rbp_gain = "linear",
        no_relevant = "zero",
        ties = "input_order",
    }
    differs [
        "ties among more than 15 items: their order is undefined there, that of the list here",
    ]
    "replay", "the metrics of RePlay", users of truth: {
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
    "rectools", "the metrics of RecTools", users of truth: {
        precision_denominator = "k",
        gain = "binary",
        idcg = "k",
        duplicates = "count",
    }
    differs [
        "recall, f1 and average_precision of repeats: there, a repeated hit adds a relevant item",
    ]
    "recommenders", "precision_at_k, recall_at_k, map and ndcg_at_k of Recommenders' python_evaluation", users of both: {
        precision_denominator = "k",
        gain = "binary",
        duplicates = "count",
        empty_rec = "null" ["precision", "recall", "average_precision"],
    }
    differs [
        "an item judged with 0: relevant there, irrelevant here",
        "ndcg of repeats: there each hit counts as many times as rec holds the item",
    ]
    "lenskit", "the ranking metrics of LensKit, with the ratings as gain", users of truth: {
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
        "an item judged with 0: relevant there except to dcg and ndcg, irrelevant here",
    ]
    "torchmetrics", "the retrieval metrics of TorchMetrics", users of truth: {
        precision_denominator = "k",
        ap_denominator = "hits",
        gain = "linear",
        one_class = "zero",
        no_relevant = "zero",
        score_type = "float32",
    }
    differs [
        "scores of 0 and below: irrelevant to precision, recall, mrr and average_precision there",
        "equal scores: one order there, the mean over all orders here, except for ndcg and for auc without k",
        "auc of scores above 1: there the sigmoid of each score in 32 bits, so that large scores tie",
    ]
}
