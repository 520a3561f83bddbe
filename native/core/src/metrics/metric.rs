//! What a metric is, and what its kernel may find.

use crate::error::Error;
use crate::needs::Needs;
use crate::options::Options;
use crate::ranking::as_f64;
use crate::ranking::view::RankingAtK;

/// A metric: what it is called, how it is computed, and where that comes from.
pub struct Metric {
    /// The name of its function over lists of items.
    pub name: &'static str,
    /// Other names of that function.
    pub aliases: &'static [&'static str],
    /// What it measures.
    pub summary: &'static str,
    /// How it is computed.
    pub formula: &'static str,
    /// The least and the largest value that there can be.
    pub range: ValueRange,
    /// Where it comes from.
    pub source: &'static str,
    /// Which part of the judgements it is made of.
    pub needs: Needs,
    /// Whether it takes a cutoff.
    pub takes_k: bool,
    /// Whether it reads two lists of numbers as scores and relevances of the same items.
    pub aligned: AlignedForm,
    /// Whether relevances may be negative.
    pub negative_rels: bool,
    /// The options that it takes.
    pub options: &'static [&'static str],
    /// Options whose default differs for this metric; those that it does not take are settled thereby.
    pub defaults: &'static [(&'static str, &'static str)],
    /// The option that `denominator` is short for.
    pub denominator: Option<&'static str>,
    /// Computes it for one ranking.
    pub kernel: Kernel,
}

impl Metric {
    /// The name without what SQL needs to tell it from keywords.
    #[must_use]
    pub fn short_name(&self) -> &'static str {
        self.name.strip_suffix("_at").unwrap_or(self.name)
    }

    /// The options that hold for it among those of a function.
    #[inline]
    pub(crate) fn options_in<'o>(&self, options: &'o Options) -> &'o Options {
        let own = options.per_metric.iter().find(|(name, _)| *name == self.short_name());
        own.map_or(options, |(_, own)| own)
    }

    /// The truth that the metric needs to tell rankings apart.
    #[must_use]
    pub fn truth_needs(&self) -> &'static str {
        match (self.needs, self.aligned) {
            (Needs::Levels, _) => "two distinct relevances",
            (_, AlignedForm::Only) => "a relevant and an irrelevant item",
            _ => "a relevant item",
        }
    }
}

/// The least and the largest value that there can be under default options, in words and in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueRange {
    /// The range in words.
    pub text: &'static str,
    /// The least value, if there is one.
    pub least: Option<f64>,
    /// The largest value, if there is one.
    pub most: Option<f64>,
}

impl ValueRange {
    pub const UNIT: Self = Self { text: "0 to 1", least: Some(0.0), most: Some(1.0) };
    pub const SIGNED: Self = Self { text: "-1 to 1", least: Some(-1.0), most: Some(1.0) };
    pub const POSITIVE: Self = Self { text: "0 or more", least: Some(0.0), most: None };

    /// A range that words alone say.
    #[must_use]
    pub const fn in_words(text: &'static str) -> Self {
        Self { text, least: None, most: None }
    }
}

/// Whether a metric reads two lists of numbers as scores and relevances of the same items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlignedForm {
    /// In a function of its own.
    No,
    /// Beside the forms that other lists have.
    Also,
    /// In no other way, and an item without a score or without a relevance is none.
    Only,
}

/// Computes a metric for one ranking, in which something is relevant.
pub type Kernel = fn(&RankingAtK, &Options) -> Outcome;

/// What a kernel finds.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Value(f64),
    /// A value that depends on the truth alone, so that it holds where nothing was retrieved, too.
    Ideal(f64),
    /// Not defined for this ranking.
    Null,
    /// The truth cannot tell rankings apart.
    NoRelevant,
    /// The expected value over the orders of tied items would take too long.
    TooManyTied,
    /// There is too little memory to find it.
    Failed(Error),
}

impl From<Error> for Outcome {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// `part / whole`, and 0 where there is no whole, of which the part is 0, too.
#[inline(always)]
pub fn ratio(part: f64, whole: usize) -> f64 {
    part / as_f64(whole.max(1))
}
