//! The similarities of two rankings, one file for each. To add one, write its file, and add its name to the modules and to
//! the list below.

pub mod jaccard_index;
pub mod overlap;
pub mod rbo;
pub mod similarity;
pub mod spearman_rho;
pub mod tau_ap;
pub mod weighted_tau;

use crate::similarities::similarity::Similarity;

/// Every similarity, in the order of the documentation.
pub static SIMILARITIES: &[&Similarity] = &[
    &rbo::SIMILARITY,
    &jaccard_index::SIMILARITY,
    &overlap::SIMILARITY,
    &spearman_rho::SIMILARITY,
    &tau_ap::SIMILARITY,
    &weighted_tau::SIMILARITY,
];
