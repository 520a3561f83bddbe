//! Statistics over the values of a metric, one file for each. To add one, write its file, and add its name to the
//! modules and to the list below.
//!
//! A statistic summarises a sample of finite numbers: the values of one argument, or the differences of two. Sums are
//! exact or taken in the order of size, so the result does not depend on the order of the values, to the last bit.

pub mod anytime_mean_ci;
pub mod bootstrap_ci;
mod bounded_values;
pub mod concentration;
pub mod correction;
mod distributions;
mod exact_sum;
mod gaffke;
pub mod geometric_mean;
pub(crate) mod jackknife;
pub mod judge_corrected_mean;
pub mod looks;
pub mod mean_ci;
pub mod paired_comparison;
pub mod paired_t_test;
pub mod paired_t_test_power;
pub mod partially_overlapping_t_test;
mod random;
pub mod randomization_test;
mod resampled_means;
mod root;
mod skewness;
pub mod statistic;
pub mod tukey_hsd;
pub mod weighted_judge_corrected_mean;
pub mod weighted_mean_ci;
pub mod weighted_paired_comparison;
mod weighted_sample;
pub mod wilcoxon_signed_rank;
pub mod win_tie_loss;

use crate::statistics::statistic::Statistic;

/// Every statistic, in the order of the documentation.
pub static STATISTICS: &[&Statistic] = &[
    &mean_ci::STATISTIC,
    &bootstrap_ci::STATISTIC,
    &anytime_mean_ci::STATISTIC,
    &paired_t_test::STATISTIC,
    &paired_t_test_power::STATISTIC,
    &wilcoxon_signed_rank::STATISTIC,
    &randomization_test::STATISTIC,
    &win_tie_loss::STATISTIC,
    &paired_comparison::STATISTIC,
    &partially_overlapping_t_test::STATISTIC,
    &judge_corrected_mean::STATISTIC,
    &concentration::STATISTIC,
    &weighted_mean_ci::STATISTIC,
    &weighted_paired_comparison::STATISTIC,
    &weighted_judge_corrected_mean::STATISTIC,
];

#[cfg(test)]
mod tests;
