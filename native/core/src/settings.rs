//! The settings of a row: k, the options, and values that follow from these.

use std::sync::Arc;

use crate::error::{Error, bail};
use crate::needs::AllNeeds;
use crate::options::Options;
use crate::options::choices::{ApSteps, Ties, Unjudged};
use crate::types::Type;

/// Resolved k and options, reused from row to row until an argument changes.
#[derive(Clone)]
#[allow(clippy::struct_excessive_bools)] // each is a question of its own
pub struct Settings {
    pub options: Options,
    /// The text that `options` were parsed from; `None` before any was.
    pub written: Option<String>,
    /// The properties of judged items that the metrics read.
    pub needs: AllNeeds,
    /// The gain of an item that is not judged.
    pub unjudged_gain: f64,
    /// The gain of an item of relevance 1; an error if the options give it none, to be returned when it is needed.
    pub gain_of_one: Result<f64, Error>,
    /// The cutoffs, in the order of the results; `None` is the whole list.
    pub ks: Vec<Option<usize>>,
    /// Whether the list of k is NULL, so that the result is NULL, too.
    pub no_ks: bool,
    /// The rank down to which rankings are read, the largest cutoff; `None` if they are read whole.
    pub deepest: Option<usize>,
    /// Whether relevances may be negative.
    pub negative_rels: bool,
    /// Whether items without a score or without a relevance are skipped.
    pub complete_items_only: bool,
    /// Whether rankings are read down to their last item, whatever the cutoffs.
    pub reads_whole: bool,
    /// In aggregates, whether scores are compared as integers, and not as floating point.
    pub exact: bool,
    /// The type of scores that are compared as integers.
    pub exact_type: Type,
    /// In aggregates over all users, whether the rows of each user are counted.
    pub count_rows: bool,
    /// The measures of a call that names them.
    pub measures: Measures,
}

/// Measures that are evaluated on one group of rows: metrics at cutoffs, each with options of its own.
#[derive(Clone, Default)]
pub struct Measures {
    /// The text that names them; `None` if the function takes no such text.
    pub written: Option<String>,
    /// The functions that compute them. Each ranks the rows by its own settings.
    pub parts: Vec<Part>,
    /// For each measure, the place of its value among the values of all parts.
    pub places: Vec<usize>,
    /// The cutoff of the last one; `None` for the whole list. Functions that return rankings return them down to it.
    pub last_k: Option<usize>,
    /// The least relevance of a relevant item in the last one. Functions that return relevant items return these.
    pub last_min_rel: f64,
}

/// A function that computes some of the measures of a call.
#[derive(Clone)]
pub struct Part {
    /// Its place among the parts of the function that is called.
    pub function: usize,
    pub settings: Arc<Settings>,
}

impl Default for Settings {
    fn default() -> Self {
        let options = Options::default();
        let (unjudged_gain, gain_of_one) = gains_of_0_and_1(&options);
        Self {
            options,
            written: None,
            needs: AllNeeds::default(),
            unjudged_gain,
            gain_of_one,
            ks: vec![None],
            no_ks: false,
            deepest: None,
            negative_rels: false,
            complete_items_only: false,
            reads_whole: false,
            exact: false,
            exact_type: Type::Null,
            count_rows: false,
            measures: Measures::default(),
        }
    }
}

impl Settings {
    /// The order in which scored items are ranked.
    pub fn order(&self) -> Order {
        Order {
            ties: self.options.ties,
            deepest: self.deepest,
            // Kendall's tau, which skips incomplete items, counts tied scores of any relevance. A judged item of relevance 0
            // differs from an unjudged one if metrics read judgements.
            every_block: self.complete_items_only || self.needs.judgements,
            levels: self.options.ap_steps == ApSteps::Threshold,
        }
    }

    /// Replaces the options by `options`, which were parsed from the text `written`.
    pub fn set_options(&mut self, written: &str, options: Options) {
        self.written = Some(written.to_owned());
        (self.unjudged_gain, self.gain_of_one) = gains_of_0_and_1(&options);
        self.options = options;
        self.set_deepest();
    }

    /// Replaces the cutoffs by `ks`, which are empty for a NULL list; the caller sets `no_ks`.
    pub fn set_ks(&mut self, ks: impl Iterator<Item = Result<Option<usize>, Error>>) -> Result<(), Error> {
        self.ks.clear();
        for k in ks {
            self.ks.push(k?);
        }
        self.set_deepest();
        Ok(())
    }

    /// The largest cutoff; `None` if any is the whole list, or if there is none.
    pub fn largest_k(&self) -> Option<usize> {
        largest(self.ks.iter().copied())
    }

    /// Writes `deepest`. An item at any rank may move above the cutoff if others leave the ranking.
    fn set_deepest(&mut self) {
        let reads_whole = self.reads_whole || self.options.unjudged == Unjudged::Skip;
        self.deepest = self.largest_k().filter(|_| !reads_whole);
    }

    /// The relevance; an error, which names `argument`, if it is not finite or not in the allowed range.
    #[inline(always)]
    pub fn check_rel(&self, argument: &str, rel: f64) -> Result<f64, Error> {
        if rel.is_finite() && (rel >= 0.0 || self.negative_rels) && rel <= self.options.max_rel {
            return Ok(rel);
        }
        self.refuse_rel(argument, rel)
    }

    /// The error for a relevance that is not allowed.
    #[cold]
    fn refuse_rel(&self, argument: &str, rel: f64) -> Result<f64, Error> {
        if !rel.is_finite() {
            bail!(argument => "relevance in {argument} must be finite, got {rel}");
        }
        if rel < 0.0 && !self.negative_rels {
            bail!(argument => "relevance in {argument} must not be negative, got {rel}");
        }
        bail!(argument => "relevance in {argument} must be at most max_rel={}, got {rel}", self.options.max_rel);
    }

    /// Whether a rank, counted from 0, is below the deepest cutoff.
    pub fn is_below(&self, rank: usize) -> bool {
        self.deepest.is_some_and(|deepest| rank >= deepest)
    }
}

/// The largest of some cutoffs; `None`, the whole list, is larger than any k. `None`, too, if there is none.
pub fn largest(cutoffs: impl Iterator<Item = Option<usize>>) -> Option<usize> {
    cutoffs.reduce(|one, other| Some(one?.max(other?))).flatten()
}

/// The gain of relevance 0, which every option `gain` has, and that of relevance 1, which a list of gains may lack.
fn gains_of_0_and_1(options: &Options) -> (f64, Result<f64, Error>) {
    (options.gain(0.0).unwrap_or_default(), options.gain(1.0))
}

/// The order in which scored items are ranked, and how far down.
#[derive(Clone, Copy)]
pub struct Order {
    /// The order of tied items, or expected values over all their orders.
    pub ties: Ties,
    /// The deepest cutoff; `None` for the whole list.
    pub deepest: Option<usize>,
    /// Whether blocks of tied items matter even if the items of each are equally relevant.
    pub every_block: bool,
    /// Whether metrics need the rank at which the items of each score end, for any `ties`.
    pub levels: bool,
}
