//! The options of functions, resolved to values.

pub mod choices;
pub mod conventions;
pub mod gain;
pub mod parse;
pub mod table;

use crate::error::Error;
use crate::memory::Grow;
use crate::options::choices::{
    Alternative, ApDenominator, ApSteps, AucPairs, Correction, Discount, Duplicates, EmptyRec, Ideal,
    NoRelevant, NullScores, OneClass, PrecisionDenominator, RbpGain, RecallDenominator, ScoreType, Skewness,
    Ties, Unjudged,
};
use crate::options::gain::Gain;

/// The least positive number: `rel >= ABOVE_ZERO` means `rel > 0`.
const ABOVE_ZERO: f64 = f64::from_bits(1);

/// The value of `max_rel` if it is unset: no relevance is above it.
const UNLIMITED: f64 = f64::INFINITY;

/// A value for every option. [`Options::default`] has the values of the default convention.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The denominator of precision.
    pub precision_denominator: PrecisionDenominator,
    /// The denominator of recall.
    pub recall_denominator: RecallDenominator,
    /// The denominator of average precision.
    pub ap_denominator: ApDenominator,
    /// The rank at which average precision measures the precision of a hit.
    pub ap_steps: ApSteps,
    /// The function from relevances to gains.
    pub gain: Gain,
    /// The discount of gains by rank.
    pub discount: Discount,
    /// The number of ranks of the ideal ranking.
    pub ideal: Ideal,
    /// The least relevance of a relevant item in binary metrics.
    pub min_rel: f64,
    /// The result if no item is relevant.
    pub no_relevant: NoRelevant,
    /// The result if nothing was retrieved.
    pub empty_rec: EmptyRec,
    /// The AUC if the top k has only hits or only misses.
    pub one_class: OneClass,
    /// The misses that AUC pairs the hits with.
    pub auc_pairs: AucPairs,
    /// The treatment of repeats of an item in `rec`.
    pub duplicates: Duplicates,
    /// The treatment of retrieved items that are not judged, in metrics of the whole order.
    pub unjudged: Unjudged,
    /// The order of tied items.
    pub ties: Ties,
    /// The precision in which scores are compared.
    pub score_type: ScoreType,
    /// The place of items without a score in a list by score.
    pub null_scores: NullScores,
    /// The probability that a user goes on to the next item.
    pub p: f64,
    /// The gain of a hit in rank-biased precision.
    pub rbp_gain: RbpGain,
    /// The highest relevance allowed.
    pub max_rel: f64,
    /// Per-metric options from the convention: the short name of each metric that it overrides, and the options for it.
    pub per_metric: Vec<(&'static str, Options)>,
    /// The confidence level of intervals, between 0 and 1.
    pub confidence: f64,
    /// The least possible value, or difference of a pair.
    pub lower_bound: f64,
    /// The largest possible value, or difference of a pair.
    pub upper_bound: f64,
    /// The treatment of skewness.
    pub skewness: Skewness,
    /// How many resamples are drawn.
    pub resamples: u32,
    /// The seed of random numbers.
    pub seed: u64,
    /// The alternative hypothesis of tests.
    pub alternative: Alternative,
    /// How far a mean difference may be from 0 on the side that the alternative allows.
    pub margin: f64,
    /// The significance level of a test whose power is computed.
    pub alpha: f64,
    /// The probability of a significant result if the difference exists.
    pub power: f64,
    /// The size of the mean difference that is to be found; `None` for the observed one.
    pub difference: Option<f64>,
    /// How far two values of a pair may differ and still tie, as a share of the second value or of 1, whichever is
    /// more.
    pub tolerance: f64,
    /// The correction of p-values.
    pub correction: Correction,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            precision_denominator: PrecisionDenominator::Retrieved,
            recall_denominator: RecallDenominator::Truth,
            ap_denominator: ApDenominator::Truth,
            ap_steps: ApSteps::Rank,
            gain: Gain::Exp2,
            discount: Discount::Log2,
            ideal: Ideal::Truth,
            min_rel: ABOVE_ZERO,
            no_relevant: NoRelevant::Null,
            empty_rec: EmptyRec::Zero,
            one_class: OneClass::Half,
            auc_pairs: AucPairs::Retrieved,
            duplicates: Duplicates::First,
            unjudged: Unjudged::Zero,
            ties: Ties::Average,
            score_type: ScoreType::Exact,
            null_scores: NullScores::Last,
            p: 0.8,
            rbp_gain: RbpGain::Binary,
            max_rel: UNLIMITED,
            per_metric: Vec::new(),
            confidence: 0.95,
            lower_bound: f64::NEG_INFINITY,
            upper_bound: f64::INFINITY,
            skewness: Skewness::Ignored,
            resamples: 10_000,
            seed: 0,
            alternative: Alternative::TwoSided,
            margin: 0.0,
            alpha: 0.05,
            power: 0.8,
            difference: None,
            tolerance: 0.0,
            correction: Correction::Holm,
        }
    }
}

impl Options {
    /// Whether an item of this relevance is relevant in binary metrics.
    #[must_use]
    #[inline]
    pub fn is_relevant(&self, rel: f64) -> bool {
        rel >= self.min_rel
    }

    /// The gain of a relevance.
    #[inline]
    pub(crate) fn gain(&self, rel: f64) -> Result<f64, Error> {
        self.gain.of(rel, self.min_rel)
    }

    /// Writes the gain of each relevance to `gains`.
    pub(crate) fn gains(&self, rels: &[f64], gains: &mut Vec<f64>) -> Result<(), Error> {
        gains.clear();
        gains.make_room(rels.len())?;
        for rel in rels {
            gains.push(self.gain(*rel)?);
        }
        Ok(())
    }
}
