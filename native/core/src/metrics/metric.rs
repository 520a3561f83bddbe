//! The description of a metric, and the outcome of its kernel.

use crate::error::Error;
use crate::ranking::as_f64;

// Each file of a metric imports these beside the description.
pub use crate::documentation::ValueRange;
pub use crate::needs::Needs;
pub use crate::options::Options;
pub use crate::ranking::view::RankingAtK;

pub use super::terms::Terms;

/// A metric: its name and description, as documented, its options, and the kernel that computes it.
pub struct Metric {
    /// The name of its function over lists of items.
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// Usual names elsewhere, which are no names here; errors suggest the name that this package has.
    pub synonyms: &'static [&'static str],
    /// The name of its mean over users in papers.
    pub paper_name: &'static str,
    pub summary: &'static str,
    pub formula: &'static str,
    pub latex: &'static str,
    pub range: ValueRange,
    pub source: &'static str,
    /// The property of judged items that it reads.
    pub needs: Needs,
    /// Whether it takes a cutoff.
    pub takes_k: bool,
    /// Whether an evaluation of tables computes it unless metrics are named.
    pub by_default: bool,
    /// Whether it reads two lists of numbers as scores and relevances of the same items.
    pub aligned: AlignedForm,
    /// Whether relevances may be negative.
    pub negative_rels: bool,
    pub options: &'static [&'static str],
    /// Options whose default differs for this metric. One of these that is not in `options` has this value always.
    pub defaults: &'static [(&'static str, &'static str)],
    /// The option that the key `denominator` sets.
    pub denominator: Option<&'static str>,
    /// The function that computes it for one ranking.
    pub kernel: Kernel,
    /// The function that divides its value among the items; `None` if the value is no sum over items.
    pub terms: Option<TermsOfRanking>,
}

impl Metric {
    /// The fields that most metrics share: a metric states its own values, and takes the others from here. Each metric
    /// must state its name, description, needs, options and kernel.
    pub(super) const USUAL: Self = Self {
        name: "",
        aliases: &[],
        synonyms: &[],
        paper_name: "",
        summary: "",
        formula: "",
        latex: "",
        range: ValueRange::UNIT,
        source: "",
        needs: Needs::Hits,
        takes_k: true,
        by_default: false,
        aligned: AlignedForm::No,
        negative_rels: false,
        options: &[],
        defaults: &[],
        denominator: None,
        kernel: |_, _| Outcome::Null,
        terms: None,
    };

    /// The name without the suffix `_at`, which some names have in SQL.
    pub fn short_name(&self) -> &'static str {
        self.name.strip_suffix("_at").unwrap_or(self.name)
    }

    /// The options of a function as they apply to this metric: its own if the convention overrides any for it.
    #[inline]
    pub(crate) fn options_in<'o>(&self, options: &'o Options) -> &'o Options {
        let own = options.per_metric.iter().find(|(name, _)| *name == self.short_name());
        own.map_or(options, |(_, own)| own)
    }

    /// The items, in words, without which the metric cannot tell rankings apart: among those that are judged, or for a
    /// metric of aligned lists only, among those that have a score and a relevance.
    pub fn truth_needs(&self) -> &'static str {
        match (self.needs, self.aligned) {
            (Needs::Levels, AlignedForm::Only) => "two distinct scores and two distinct relevances",
            (Needs::Levels, _) => "two distinct relevances",
            (_, AlignedForm::Only) => "a relevant and an irrelevant item",
            (Needs::Judgements, _) => "a judged item",
            _ => "a relevant item",
        }
    }
}

/// Whether a metric reads two lists of numbers as scores and relevances of the same items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlignedForm {
    /// Only in a function of its own, with suffix `_scored`.
    No,
    /// In the function over `rec` and `truth` too, beside the layouts of other metrics.
    Also,
    /// Aligned lists only; items without a score or without a relevance are skipped.
    Only,
}

/// Computes a metric for one ranking, which has a relevant item, or a positive gain, if the metric needs it.
pub type Kernel = fn(&RankingAtK, &Options) -> Outcome;

/// Writes the terms of a metric for one ranking of which the kernel gives a value, so that they add up to that value; an
/// outcome that is no value if that is not possible.
pub type TermsOfRanking = fn(&RankingAtK, &Options, &mut Terms) -> Result<(), Outcome>;

/// The outcome of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Value(f64),
    /// A value that is the result even if nothing was retrieved, such as one that depends on the truth alone.
    Ideal(f64),
    /// The metric is not defined for this ranking; the result is NULL.
    Null,
    /// The truth cannot tell rankings apart; option `no_relevant` decides on the result.
    NoRelevant,
    /// The expected value over all orders of tied items would take too long to compute.
    TooManyTied,
    /// An error on the way, such as too little memory.
    Failed(Error),
}

impl From<Error> for Outcome {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// A value over its ideal. If gains are nearly equal, the sum over the best order may round to more than the ideal one.
#[inline(always)]
pub fn share_of_ideal(value: f64, ideal: f64) -> f64 {
    let share = value / ideal;
    let rounded = 1.0 < share && share < 1.0 + 1e-12;
    if rounded { 1.0 } else { share }
}

/// `part / whole`; if `whole` is 0, `part` must be 0 too, and so is the ratio.
#[inline(always)]
pub fn ratio(part: f64, whole: usize) -> f64 {
    part / as_f64(whole.max(1))
}
