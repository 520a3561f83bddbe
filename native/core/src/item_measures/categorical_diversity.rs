//! Categorical diversity: how many categories the items have.

use super::item_measure::{ItemMeasure, Kernel, ValueRange, as_f64};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "categorical_diversity",
    paper_name: "Categorical diversity",
    property: "categories",
    summary: "number of distinct categories of the items in the top k, over k",
    formula: "distinct labels / k; without k, over the number of items in the list",
    range: ValueRange::POSITIVE,
    source: "RePlay, CategoricalDiversity",
    type_of_values: "ANY[] or ANY[][]",
    about_values: "The category of each item, best item first: a label of any type, or a list of several labels",
    example: &[("values", &["['drama', 'drama', 'comedy']"])],
    kernel: Kernel::DistinctLabels(|distinct, places| as_f64(distinct) / as_f64(places)),
    ..ItemMeasure::USUAL
};
