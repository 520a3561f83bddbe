//! The options of functions, resolved to values.

pub mod choices;
pub mod conventions;
pub mod gain;
pub mod parse;
pub mod table;

use crate::error::Error;
use crate::memory::Grow;

pub use table::Options;

impl Options {
    /// Whether an item of this relevance is relevant in binary metrics.
    #[inline]
    pub fn is_relevant(&self, rel: f64) -> bool {
        rel >= self.min_rel
    }

    #[inline]
    pub(crate) fn gain(&self, rel: f64) -> Result<f64, Error> {
        self.gain.of(rel, self.min_rel)
    }

    /// Replaces `gains` by the gain of each relevance; an error if one has none.
    pub(crate) fn gains(&self, rels: &[f64], gains: &mut Vec<f64>) -> Result<(), Error> {
        gains.clear();
        gains.make_room(rels.len())?;
        for rel in rels {
            gains.push(self.gain(*rel)?);
        }
        Ok(())
    }
}
