//! The mean gain of the items that a user examines, who goes on from each rank to the next one with a probability that may
//! depend on the gains so far: the framework C/W/L.
//!
//! Moffat, Bailey, Scholer and Thomas, Incorporating user expectations and behavior into the measurement of search
//! effectiveness, TOIS 2017.

use super::metric::{Options, Outcome, RankingAtK};
use crate::error::Error;
use crate::memory::Grow;
use crate::ranking::ties::MAX_STEPS;

/// How many ranks a user examines at most; those below the list have gain 0. It is the depth of `cwl_eval`.
const DEPTH: usize = 1000;

/// How many ranks a user examines at most: k, as far as that is.
pub fn ranks(ranking: &RankingAtK) -> usize {
    ranking.cutoff().map_or(DEPTH, |k| k.min(DEPTH))
}

/// The place of a user who may go on: the rank, counted from 1, the gain of its item, and the gain so far.
pub struct Place {
    pub rank: f64,
    pub gain: f64,
    pub gain_so_far: f64,
}

/// The sums of a user so far.
#[derive(Clone, Copy)]
struct Seen {
    /// The probability that the user examines the next item.
    reaching: f64,
    /// The sum of these probabilities, and that of each times the gain of the item.
    items: f64,
    gain: f64,
    gain_so_far: f64,
}

/// The mean gain of the items that a user examines: the sum over ranks of the probability that the user examines the item
/// there times its gain, over the sum of these probabilities. The gain of an item is its relevance over `max_rel`, and
/// `goes_on` gives the probability that the user goes on from a place.
///
/// With ties, it is the mean over their orders, which are walked one after the other: a ratio of sums has no closed form.
pub fn mean_gain(ranking: &RankingAtK, options: &Options, goes_on: impl Fn(&Place) -> f64) -> Outcome {
    let ranks = ranks(ranking);
    let ranking = ranking.at(ranks);
    let start = Seen { reaching: 1.0, items: 0.0, gain: 0.0, gain_so_far: 0.0 };
    let mut walk =
        Walk { ranks, depth: ranking.depth(), goes_on, tied: Vec::new(), steps_left: MAX_STEPS / 4 };
    if ranking.ties().is_none() {
        let mut seen = start;
        ranking.each_gain(|_, above, gain| walk.see(&mut seen, above, gain / options.max_rel));
        return Outcome::Value(walk.end(seen));
    }
    let mut result = Ok(());
    ranking.each_gain(|block, rank, gain| {
        if result.is_ok() {
            result = walk.add(rank == block.above, gain / options.max_rel);
        }
    });
    let value = result.map_err(Outcome::Failed).and_then(|()| walk.expected(start, 0, 0));
    value.map_or_else(|outcome| outcome, Outcome::Value)
}

/// A walk of a user down a ranking.
struct Walk<F> {
    /// How many ranks the user examines at most, and how many of these have items.
    ranks: usize,
    depth: usize,
    goes_on: F,
    /// For each block of tied items, how many of them there are, and of each gain.
    tied: Vec<Tied>,
    steps_left: usize,
}

struct Tied {
    items: usize,
    of_gain: Vec<(f64, usize)>,
}

impl<F: Fn(&Place) -> f64> Walk<F> {
    /// Sees the item at rank `above + 1`.
    fn see(&self, seen: &mut Seen, above: usize, gain: f64) {
        seen.items += seen.reaching;
        seen.gain += seen.reaching * gain;
        seen.gain_so_far += gain;
        let place = Place { rank: (above + 1) as f64, gain, gain_so_far: seen.gain_so_far };
        seen.reaching *= (self.goes_on)(&place);
    }

    /// The mean after the ranks below the list.
    fn end(&self, mut seen: Seen) -> f64 {
        (self.depth..self.ranks).for_each(|above| self.see(&mut seen, above, 0.0));
        seen.gain / seen.items
    }

    /// Adds an item, the first one of a block or one more.
    fn add(&mut self, is_first: bool, gain: f64) -> Result<(), Error> {
        if is_first {
            self.tied.try_push(Tied { items: 0, of_gain: Vec::new() })?;
        }
        let Some(tied) = self.tied.last_mut() else { return Ok(()) };
        tied.items += 1;
        match tied.of_gain.iter_mut().find(|(other, _)| *other == gain) {
            Some((_, count)) => *count += 1,
            None => tied.of_gain.try_push((gain, 1))?,
        }
        Ok(())
    }

    /// The mean of the values over all orders of the items from rank `above + 1` on, the next ones in the block at index
    /// `block`. The calls within one another are at most as many as the ranks.
    fn expected(&mut self, seen: Seen, above: usize, block: usize) -> Result<f64, Outcome> {
        let steps = if above < self.depth { 1 } else { self.ranks - above };
        self.steps_left = self.steps_left.checked_sub(steps).ok_or(Outcome::TooManyTied)?;
        if above == self.depth {
            return Ok(self.end(seen));
        }
        let block = block + usize::from(self.tied[block].items == 0);
        let items = self.tied[block].items;
        self.tied[block].items -= 1;
        let mut mean = 0.0;
        for index in 0..self.tied[block].of_gain.len() {
            let (gain, count) = self.tied[block].of_gain[index];
            if count > 0 {
                self.tied[block].of_gain[index].1 -= 1;
                let mut after = seen;
                self.see(&mut after, above, gain);
                mean += count as f64 / items as f64 * self.expected(after, above + 1, block)?;
                self.tied[block].of_gain[index].1 = count;
            }
        }
        self.tied[block].items = items;
        Ok(mean)
    }
}
