//! The measures of aspects, one file for each. To add one, write its file, and add its name to the modules and to the list
//! below.

pub mod alpha_dcg;
pub mod alpha_ndcg;
pub mod average_precision_ia;
pub mod err_ia;
pub mod measure;
pub mod nerr_ia;
pub mod nnrbp;
pub mod nrbp;
pub mod precision_ia;
pub mod subtopic_recall;

use crate::aspects::measure::AspectMeasure;

/// Every measure of aspects, in the order of the documentation.
pub static ASPECT_MEASURES: &[&AspectMeasure] = &[
    &alpha_ndcg::MEASURE,
    &alpha_dcg::MEASURE,
    &nerr_ia::MEASURE,
    &err_ia::MEASURE,
    &nnrbp::MEASURE,
    &nrbp::MEASURE,
    &subtopic_recall::MEASURE,
    &precision_ia::MEASURE,
    &average_precision_ia::MEASURE,
];
