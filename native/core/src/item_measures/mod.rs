//! The measures of recommended items, one file for each. To add one, write its file, and add its name to the
//! modules and to the list below.

pub mod average_popularity;
pub mod awrf;
pub mod calibration;
pub mod categorical_diversity;
pub mod coverage;
pub mod dir;
pub mod dtr;
pub mod eel;
pub mod entropy;
pub mod exposure_ratio;
pub mod gini;
pub mod group_sums;
pub mod iaa;
pub mod intra_list_diversity;
pub mod item_measure;
pub mod label_weights;
pub mod labels;
pub mod long_tail_share;
pub mod max_skew;
pub mod ndkl;
pub mod novelty;
pub mod personalisation;
pub mod rankings;
pub mod reo;
pub mod rsp;
pub mod serendipity;
pub mod unknown_items;
pub mod vectors;

use crate::item_measures::item_measure::ItemMeasure;

/// Every measure of items, in the order of the documentation.
pub static ITEM_MEASURES: &[&ItemMeasure] = &[
    &average_popularity::ITEM_MEASURE,
    &novelty::ITEM_MEASURE,
    &long_tail_share::ITEM_MEASURE,
    &categorical_diversity::ITEM_MEASURE,
    &intra_list_diversity::ITEM_MEASURE,
    &serendipity::ITEM_MEASURE,
    &calibration::ITEM_MEASURE,
    &awrf::ITEM_MEASURE,
    &ndkl::ITEM_MEASURE,
    &max_skew::ITEM_MEASURE,
    &coverage::ITEM_MEASURE,
    &personalisation::ITEM_MEASURE,
    &gini::ITEM_MEASURE,
    &entropy::ITEM_MEASURE,
    &rsp::ITEM_MEASURE,
    &reo::ITEM_MEASURE,
    &exposure_ratio::ITEM_MEASURE,
    &dtr::ITEM_MEASURE,
    &dir::ITEM_MEASURE,
    &eel::ITEM_MEASURE,
    &iaa::ITEM_MEASURE,
    &unknown_items::ITEM_MEASURE,
];
