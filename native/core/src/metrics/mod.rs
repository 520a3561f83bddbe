//! The metrics, one file each. To add one, write its file and add its name to the list below.

use crate::Error;
use crate::discount::Discounts;
use crate::options::Options;
use crate::ranking::Ranking;

macro_rules! metrics {
    ($($module:ident,)+) => {
        $(pub mod $module;)+

        /// Every metric, in the order of the documents.
        pub static METRICS: &[&Metric] = &[$(&$module::METRIC,)+];
    };
}

metrics! {
    precision, recall, f1, hit_rate, mrr, average_precision, ndcg, cg, dcg, idcg, auc, rankdcg,
}

/// A metric: what it is called, how it is computed, and where that comes from.
pub struct Metric {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// The name of its form over one list of relevances in ranked order, where it has one.
    pub rels_name: Option<&'static str>,
    pub summary: &'static str,
    pub formula: &'static str,
    pub range: &'static str,
    pub source: &'static str,
    pub takes_k: bool,
    /// Whether two lists of numbers are scores and relevances of the same items.
    pub aligned: bool,
    pub negative_rels: bool,
    pub options: &'static [&'static str],
    /// The option that `denominator` is short for.
    pub denominator: Option<&'static str>,
    pub kernel: Kernel,
}

/// Computes a metric for one ranking.
pub type Kernel = fn(&Ranking, &Options, &mut Workspace) -> Result<Score, Error>;

/// What a kernel finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    Value(f64),
    /// A value that depends on the truth alone, so that it holds where nothing was retrieved, too.
    Ideal(f64),
    /// Not defined for this ranking.
    Null,
    /// No judged item is relevant (or none more than another): the truth cannot tell rankings apart.
    NoRelevant,
}

/// Buffers that kernels share over the rows of a call.
#[derive(Default)]
pub struct Workspace {
    discounts: Discounts,
    /// The gains of the retrieved items.
    gains: Vec<f64>,
    /// The gains of the judged items.
    ideal: Vec<f64>,
}

impl Workspace {
    /// Reads the gains of the judged items, and tells whether any is above 0.
    fn judge(&mut self, ranking: &Ranking, options: &Options) -> Result<bool, Error> {
        options.gains(ranking.truth, &mut self.ideal)?;
        Ok(self.ideal.iter().any(|gain| *gain > 0.0))
    }
}

impl Ranking<'_> {
    /// How many judged items are relevant.
    fn relevant(&self, options: &Options) -> usize {
        self.truth.iter().filter(|rel| options.is_relevant(**rel)).count()
    }

    /// How many retrieved items are relevant.
    fn hits(&self, options: &Options) -> usize {
        self.rels.iter().filter(|rel| options.is_relevant(**rel)).count()
    }

    /// `relevant`, but no more than k where there is a cut.
    fn cut_at_k(&self, relevant: usize) -> usize {
        self.k.map_or(relevant, |k| relevant.min(k))
    }
}

/// `part / whole`, and 0 where there is no whole.
fn ratio(part: f64, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part / whole as f64 }
}
