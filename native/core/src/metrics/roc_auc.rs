//! ROC AUC: the share of pairs of a relevant and an irrelevant item that are in the right order.
//! `auc.rs` computes it, as it does AUC; this metric reads scores and relevances of the same items.

use super::auc::kernel;
use super::metric::{AlignedForm, Metric, Needs};

pub static METRIC: Metric = Metric {
    name: "roc_auc",
    paper_name: "ROC AUC",
    summary: "area under the ROC curve: share of the (relevant, irrelevant) pairs of items in the right order",
    formula: "(pairs with the relevant item above + tied pairs / 2) / (relevant * irrelevant)",
    latex: r"\frac{A + E / 2}{R \cdot I}",
    source: "Hanley and McNeil, The meaning and use of the area under a ROC curve, Radiology 1982",
    needs: Needs::HitSums,
    takes_k: false,
    aligned: AlignedForm::Only,
    options: &["min_rel", "ties"],
    defaults: &[("one_class", "null")],
    kernel,
    ..Metric::USUAL
};
