//! The options of a function, each with its value.

pub mod choices;
pub mod conventions;
pub mod gain;
pub mod parse;
pub mod table;

use crate::error::Error;
use crate::memory::Grow;
use crate::options::choices::{
    Alternative, ApDenominator, ApSteps, AucPairs, Discount, Duplicates, EmptyRec, Ideal, NoRelevant,
    OneClass, PrecisionDenominator, RbpGain, RecallDenominator, ScoreType, Ties, Unjudged,
};
use crate::options::gain::Gain;

/// The least number above 0: `rel >= ABOVE_ZERO` is `rel > 0`.
const ABOVE_ZERO: f64 = f64::from_bits(1);

/// No relevance is above it.
const UNLIMITED: f64 = f64::INFINITY;

/// Every option with its value. [`Options::default`] is the default convention.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// What precision divides by.
    pub precision_denominator: PrecisionDenominator,
    /// What recall divides by.
    pub recall_denominator: RecallDenominator,
    /// What average precision divides by.
    pub ap_denominator: ApDenominator,
    /// The rank at which average precision measures the precision of a hit.
    pub ap_steps: ApSteps,
    /// How a relevance becomes a gain.
    pub gain: Gain,
    /// How much less a gain counts at a lower rank.
    pub discount: Discount,
    /// How many ranks the ideal order has.
    pub ideal: Ideal,
    /// The least relevance of a relevant item in binary metrics.
    pub min_rel: f64,
    /// The result where nothing is relevant.
    pub no_relevant: NoRelevant,
    /// The result where nothing was retrieved.
    pub empty_rec: EmptyRec,
    /// The AUC of only hits or only misses.
    pub one_class: OneClass,
    /// Which misses AUC pairs the hits with.
    pub auc_pairs: AucPairs,
    /// What the repeat of an item in `rec` is.
    pub duplicates: Duplicates,
    /// The relevance of a retrieved item without a judgement, for a metric of the whole order.
    pub unjudged: Unjudged,
    /// Which order tied items are in.
    pub ties: Ties,
    /// How exactly scores are compared.
    pub score_type: ScoreType,
    /// The probability that a user goes on to the next item.
    pub p: f64,
    /// What a hit gains in rank-biased precision.
    pub rbp_gain: RbpGain,
    /// The highest grade that there can be.
    pub max_rel: f64,
    /// The options of metrics for which a convention has others.
    pub per_metric: Vec<(&'static str, Options)>,
    /// How often an interval should hold the mean.
    pub confidence: f64,
    /// How many resamples are drawn.
    pub resamples: u32,
    /// Where random numbers start.
    pub seed: u64,
    /// What a test holds against no difference.
    pub alternative: Alternative,
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
            p: 0.8,
            rbp_gain: RbpGain::Binary,
            max_rel: UNLIMITED,
            per_metric: Vec::new(),
            confidence: 0.95,
            resamples: 10_000,
            seed: 0,
            alternative: Alternative::TwoSided,
        }
    }
}

impl Options {
    /// Whether binary metrics take an item of this relevance for relevant.
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
