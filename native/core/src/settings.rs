//! What holds for the rows of a call besides their items: k, the options, and what follows from them.

use crate::error::{Error, bail};
use crate::needs::AllNeeds;
use crate::options::Options;
use crate::options::choices::{ApSteps, Ties};

/// What holds for rows besides their items, until it changes.
#[derive(Clone)]
#[allow(clippy::struct_excessive_bools)] // each is a question of its own
pub struct Settings {
    /// The options.
    pub options: Options,
    /// The options as they were written, once they were read.
    pub written: Option<String>,
    /// Which parts of the judgements the metrics need.
    pub needs: AllNeeds,
    /// The gain of an item without a judgement.
    pub unjudged_gain: f64,
    /// The gain of an item of relevance 1.
    pub gain_of_one: Result<f64, Error>,
    /// The cuts at which metrics are wanted; `None` where that is the whole list.
    pub ks: Vec<Option<usize>>,
    /// The list of cuts is NULL, and so is the result.
    pub no_ks: bool,
    /// The deepest cut.
    pub deepest: Option<usize>,
    /// Whether relevances may be negative.
    pub negative_rels: bool,
    /// Whether an item needs a score and a relevance to be one.
    pub pairs: bool,
    /// Whether scores are compared as integers, and not as floating point, in the rows of a group.
    pub exact: bool,
}

impl Default for Settings {
    fn default() -> Self {
        let options = Options::default();
        let (unjudged_gain, gain_of_one) = gains(&options);
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
            pairs: false,
            exact: false,
        }
    }
}

impl Settings {
    /// Which order rankings are wanted in.
    pub fn order(&self) -> Order {
        Order {
            ties: self.options.ties,
            deepest: self.deepest,
            every_block: self.pairs,
            levels: self.options.ap_steps == ApSteps::Threshold,
        }
    }

    pub fn set_options(&mut self, written: &str, options: Options) {
        self.written = Some(written.to_owned());
        (self.unjudged_gain, self.gain_of_one) = gains(&options);
        self.options = options;
    }

    pub fn set_ks(&mut self, ks: impl Iterator<Item = Result<Option<usize>, Error>>) -> Result<(), Error> {
        self.ks.clear();
        for k in ks {
            self.ks.push(k?);
        }
        self.deepest = self.ks.iter().copied().reduce(|one, other| Some(one?.max(other?))).flatten();
        Ok(())
    }

    #[inline]
    pub fn check_rel(&self, argument: &str, rel: f64) -> Result<f64, Error> {
        if !rel.is_finite() {
            bail!("relevance in {argument} must be finite, got {rel}");
        }
        if rel < 0.0 && !self.negative_rels {
            bail!("relevance in {argument} must not be negative, got {rel}");
        }
        if rel > self.options.max_rel {
            bail!("relevance in {argument} must be at most max_rel={}, got {rel}", self.options.max_rel);
        }
        Ok(rel)
    }

    /// Whether a rank, counted from 0, is below the deepest cut.
    pub fn is_below(&self, rank: usize) -> bool {
        self.deepest.is_some_and(|deepest| rank >= deepest)
    }
}

fn gains(options: &Options) -> (f64, Result<f64, Error>) {
    (options.gain(0.0).unwrap_or_default(), options.gain(1.0))
}

/// Which order a ranking is wanted in, and how much of it.
#[derive(Clone, Copy)]
pub struct Order {
    /// Which order tied items are in.
    pub ties: Ties,
    /// The deepest cut.
    pub deepest: Option<usize>,
    /// Whether blocks of tied items matter also where the items of each are equally relevant.
    pub every_block: bool,
    /// Whether it matters where the items of each score end, whatever the order of tied items.
    pub levels: bool,
}
