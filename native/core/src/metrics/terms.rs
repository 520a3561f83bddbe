//! The terms of a metric that is a sum over items: one for each item of a ranking.
//!
//! A metric writes its terms by the formulas of its kernel: those of a block of tied items, where an item that is tied
//! with none is a block of its own. So the terms are expected values wherever the value is one.

use crate::error::Error;
use crate::memory::Grow;
use crate::ranking::view::RankingAtK;

/// The terms of one metric, each the part of the value that an item adds: its expected value, if tied items matter.
#[derive(Default)]
pub struct Terms {
    /// The term of the item at each rank, counted from 0, in one order of the tied items.
    by_rank: Vec<f64>,
    /// Relevances, and the term of each judged item of that relevance that was not retrieved.
    unretrieved: Vec<(f64, f64)>,
}

impl Terms {
    /// Becomes terms of 0 for the first `ranks` ranks.
    pub(super) fn clear(&mut self, ranks: usize) -> Result<(), Error> {
        self.unretrieved.clear();
        self.by_rank.clear();
        self.by_rank.try_resize(ranks, 0.0)
    }

    /// The terms by rank, counted from 0: one for each item that the top k may show.
    pub fn by_rank(&self) -> &[f64] {
        &self.by_rank
    }

    /// The term of a judged item of this relevance that was not retrieved.
    pub fn of_unretrieved(&self, rel: f64) -> f64 {
        self.unretrieved.iter().find(|(known, _)| *known == rel).map_or(0.0, |(_, term)| *term)
    }

    pub(super) fn add(&mut self, rank: usize, term: f64) {
        self.by_rank[rank] += term;
    }

    pub(super) fn add_unretrieved(&mut self, rel: f64, term: f64) {
        self.unretrieved.push((rel, term));
    }

    /// Adds an even share of `sum` to each of these ranks.
    pub(super) fn share(&mut self, ranks: &[usize], sum: f64) {
        let share = sum / ranks.len() as f64;
        for rank in ranks {
            self.add(*rank, share);
        }
    }

    /// Adds to each hit the term that `term` gives for the probability that it is above the cutoff.
    pub(super) fn add_hits(&mut self, ranking: &RankingAtK, term: impl Fn(f64) -> f64) {
        ranking.each_hit_block(|block, ranks| {
            for rank in ranks {
                self.add(*rank, term(block.shown_share()));
            }
        });
    }

    /// Multiplies the terms so far.
    pub(super) fn scale(&mut self, factor: f64) {
        self.by_rank.iter_mut().for_each(|term| *term *= factor);
    }
}
