//! The measures of the items of one ranking, one file for each. To add one, write its file, and add its name to the
//! modules and to the list below.

pub mod average_popularity;
pub mod categorical_diversity;
pub mod intra_list_diversity;
pub mod item_measure;
pub mod labels;
pub mod long_tail_share;
pub mod novelty;
pub mod vectors;

use crate::item_measures::item_measure::ItemMeasure;

/// Every measure of items, in the order of the documentation.
pub static ITEM_MEASURES: &[&ItemMeasure] = &[
    &average_popularity::ITEM_MEASURE,
    &novelty::ITEM_MEASURE,
    &long_tail_share::ITEM_MEASURE,
    &categorical_diversity::ITEM_MEASURE,
    &intra_list_diversity::ITEM_MEASURE,
];
