//! The Q-measure: average precision whose precisions take gains into account.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK};

pub static METRIC: Metric = Metric {
    name: "q_measure",
    synonyms: &["qmeasure"],
    paper_name: "Q-measure",
    summary: "Q-measure: the mean over relevant items of their blended ratio, which is a precision that counts gains \
              beside hits, weighted by q_beta. An item is a hit if it has a gain; at most k relevant items count",
    formula: "sum over hits of (hits so far + q_beta * gain so far) / (rank + q_beta * ideal gain so far) / \
              min(relevant, k)",
    source: "Sakai, Alternatives to Bpref, SIGIR 2007",
    needs: Needs::Gains,
    options: &["gain", "q_beta", "min_rel", "no_relevant", "empty_rec", "duplicates"],
    defaults: &[("gain", "linear")],
    kernel,
    ..Metric::USUAL
};

/// The items of one block of tied items above the cutoff, or one item.
#[derive(Clone, Copy, Default)]
struct Tied {
    above: usize,
    size: usize,
    shown: usize,
    hits: f64,
    gain: f64,
}

/// The sums so far.
struct Blended<I> {
    /// The gains of the ideal ranking below.
    ideal: I,
    ideal_gain: f64,
    hits: f64,
    gain: f64,
    sum: f64,
}

impl<I: Iterator<Item = f64>> Blended<I> {
    /// Adds the expected blended ratios at the hits of a block.
    ///
    /// An item at any one place is each of the block with equal probability, and so is any other item at another place.
    fn add(&mut self, block: Tied, beta: f64) {
        let Tied { above, size, shown, hits, gain } = block;
        let share = hits / size as f64;
        // The mean number of hits, and the mean gain, of an item before a hit.
        let others = size.saturating_sub(1).max(1) as f64;
        // A hit is at each place with probability `share`. `gain / size` is its own gain times this probability.
        let (hit_before, own) = (share * (hits - 1.0) / others, gain / size as f64);
        let gain_before = (share * gain - own) / others;
        for place in 0..shown {
            let before = place as f64;
            self.ideal_gain += self.ideal.next().unwrap_or(0.0);
            let hits_so_far = share * (self.hits + 1.0) + before * hit_before;
            let gain_so_far = share * self.gain + own + before * gain_before;
            let rank = (above + place + 1) as f64;
            self.sum += (hits_so_far + beta * gain_so_far) / (rank + beta * self.ideal_gain);
        }
        self.hits += hits;
        self.gain += gain;
    }
}

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    let relevant = ranking.ideal_gains().filter(|gain| *gain > 0.0).count();
    let ideal = ranking.ideal_gains();
    let mut blended = Blended { ideal, ideal_gain: 0.0, hits: 0.0, gain: 0.0, sum: 0.0 };
    let mut tied = Tied::default();
    ranking.each_gain(|block, rank, gain| {
        if rank == block.above {
            blended.add(tied, options.q_beta);
            tied = Tied { above: block.above, size: block.size, shown: block.shown, hits: 0.0, gain: 0.0 };
        }
        tied.hits += f64::from(gain > 0.0);
        tied.gain += gain;
    });
    blended.add(tied, options.q_beta);
    Outcome::Value(blended.sum / relevant as f64)
}
