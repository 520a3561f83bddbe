//! Unknown items: how many recommended items are not in the catalogue.

use super::item_measure::{ItemMeasure, Kernel, ValueRange, as_f64};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "unknown_items",
    paper_name: "Unknown items",
    synonyms: &["out_of_catalogue", "out_of_catalog"],
    summary: "number of items in the top k that are not in the catalogue, such as removed or invented ones",
    formula: "items in the top k that the catalogue does not have; a NULL is no item",
    range: ValueRange::POSITIVE,
    needs: "a ranking",
    source: "Liao et al., Eliminating Out-of-Domain Recommendations in LLM-based Recommender Systems: A Unified View, 2025, \
             as OOD@k",
    less_is_better: true,
    kernel: Kernel::Ranking(|ranking| Some(as_f64(ranking.unknown()))),
    ..ItemMeasure::USUAL
};
