use super::auc::kernel;
use super::metric::{AlignedForm, Metric, ValueRange};
use crate::needs::Needs;

pub static METRIC: Metric = Metric {
    name: "roc_auc",
    aliases: &[],
    synonyms: &[],
    paper_name: "ROC AUC",
    summary: "area under the ROC curve: share of the (relevant, irrelevant) pairs of items in the right order",
    formula: "(pairs with the relevant item above + tied pairs / 2) / (relevant * irrelevant)",
    latex: r"\frac{A + E / 2}{R \cdot I}",
    range: ValueRange::UNIT,
    source: "Hanley and McNeil, The meaning and use of the area under a ROC curve, Radiology 1982",
    needs: Needs::HitSums,
    takes_k: false,
    by_default: false,
    aligned: AlignedForm::Only,
    negative_rels: false,
    options: &["min_rel", "ties"],
    defaults: &[("one_class", "null")],
    denominator: None,
    kernel,
};
