//! Rank-biased overlap: the agreement of two rankings at a depth, averaged over the depths at which a user may stop.

use std::ops::Range;

use super::similarity::{Error, Options, Similarity, TwoRankings, as_f64};
use crate::memory::Grow;
use crate::options::choices::{RboTies, RboUnseen};

pub static SIMILARITY: Similarity = Similarity {
    name: "rbo",
    summary: "rank-biased overlap: the share of common items down to a depth, averaged over the depths at which a user may \
              stop. Items below the lists are extrapolated",
    formula: "(1 - p) * sum over depths of p^(depth - 1) * common items / depth, where the common items below the end of a \
              list are extrapolated: its share of common items stays the same, and so does the agreement below both lists",
    latex: r"\frac{1 - p}{p} \left( \sum_{i=1}^{l} \frac{X_i}{i} p^i + \sum_{i=s+1}^{l} \frac{X_s (i - s)}{s i} p^i \right) + \left( \frac{X_l - X_s}{l} + \frac{X_s}{s} \right) p^l",
    source: "Webber, Moffat and Zobel, A similarity measure for indefinite rankings, TOIS 2010, equation 32; Corsi and Urbano, \
             The Treatment of Ties in Rank-Biased Overlap, SIGIR 2024",
    options: &["p", "rbo_ties", "rbo_unseen"],
    defaults: &[("p", "0.9")],
    kernel,
    ..Similarity::USUAL
};

fn kernel(rankings: &TwoRankings, options: &Options) -> Result<Option<f64>, Error> {
    let p = options.p;
    let seen = Seen::of(rankings, options.rbo_ties)?;
    let [shorter, longer] = seen.lengths;
    // As many items are common where the lists end. A tie that a cutoff divides has a share of its items there.
    let of_both = seen.overlap(longer) * (as_f64(longer) / seen.norm(longer));
    Ok(Some(match options.rbo_unseen {
        RboUnseen::Extrapolate => {
            let share = if shorter == 0 { 0.0 } else { seen.overlap(shorter) / seen.norm(shorter) };
            let agreement = |depth: usize| {
                let unseen =
                    if depth > shorter { as_f64(depth - shorter) * seen.mean_weight(depth) } else { 0.0 };
                (seen.overlap(depth) + share * unseen) / seen.norm(depth)
            };
            discounted(p, longer, agreement(longer), &agreement)
        }
        // No item below a list is one of the other.
        RboUnseen::Min => {
            let agreements = discounted(p, longer, 0.0, &|depth| seen.overlap(depth) / seen.norm(depth));
            agreements + of_both * below(p, longer)
        }
        // Every item below a list is one of the other, as long as that has items which are not common.
        RboUnseen::Max => {
            let agreement = |depth: usize| {
                if depth > longer {
                    let common = of_both + as_f64(2 * depth - shorter - longer);
                    return (common / as_f64(depth)).min(1.0);
                }
                let unseen = depth.saturating_sub(shorter);
                (seen.overlap(depth) + seen.best_weights(depth, unseen)) / seen.norm(depth)
            };
            discounted(p, shorter + longer, 1.0, &agreement)
        }
    }))
}

/// The overlap of two rankings at each depth down to the end of the longer one, where a depth within tied items has a share of
/// each of them.
struct Seen<'a> {
    rankings: &'a TwoRankings,
    ties: RboTies,
    /// The shorter ranking and the longer one: 0 or 1.
    lists: [usize; 2],
    lengths: [usize; 2],
    /// For each depth, how many common items are whole in both rankings, have a share in the shorter one alone, in the longer
    /// one alone, and in both.
    common: Vec<[isize; 4]>,
    /// For each depth, how many items of the longer ranking are common, down to that rank.
    of_longer: Vec<usize>,
}

impl<'a> Seen<'a> {
    fn of(rankings: &'a TwoRankings, ties: RboTies) -> Result<Self, Error> {
        let [one, other] = rankings.lengths;
        let lists = if one <= other { [0, 1] } else { [1, 0] };
        let lengths = lists.map(|list| rankings.lengths[list]);
        let mut seen = Self { rankings, ties, lists, lengths, common: Vec::new(), of_longer: Vec::new() };
        let (mut common, mut of_longer) = (Vec::new(), Vec::new());
        let end = |list: usize| {
            rankings.lengths[list].checked_sub(1).map_or(0, |last| rankings.tie(list, last).end)
        };
        let deepest = end(0).max(end(1));
        common.try_resize(deepest + 1, [0; 4])?;
        of_longer.try_resize(deepest + 1, 0)?;
        for ranks in rankings.common.iter().chain(&rankings.common_of_tie) {
            let [short, long] = [0, 1].map(|list| seen.tie(list, ranks[lists[list]]));
            of_longer[ranks[lists[1]] + 1] += 1;
            common[short.end.max(long.end)][0] += 1;
            // The depths at which an item has a share in the first of two rankings, and in the second one alone or not.
            let mut add = |kind: usize, first: usize, end: usize| {
                if first < end {
                    common[first][kind] += 1;
                    common[end][kind] -= 1;
                }
            };
            add(1, long.end.max(short.start + 1), short.end);
            add(2, short.end.max(long.start + 1), long.end);
            add(3, short.start.max(long.start) + 1, short.end.min(long.end));
        }
        for depth in 1..=deepest {
            of_longer[depth] += of_longer[depth - 1];
            let above = common[depth - 1];
            common[depth].iter_mut().zip(above).for_each(|(count, above)| *count += above);
        }
        (seen.common, seen.of_longer) = (common, of_longer);
        Ok(seen)
    }

    /// The ranks over which an item of the shorter (0) or the longer ranking (1) becomes whole. Items that share the first of
    /// their ranks are whole there.
    fn tie(&self, list: usize, rank: usize) -> Range<usize> {
        let tie = self.rankings.tie(self.lists[list], rank);
        if self.ties == RboTies::First { tie.start..tie.start + 1 } else { tie }
    }

    /// The share that a depth has of each item that is tied there; 1 below the end of a ranking.
    fn weight(&self, list: usize, depth: usize) -> f64 {
        if depth > self.lengths[list] {
            return 1.0;
        }
        let tie = self.tie(list, depth - 1);
        (as_f64(depth - tie.start) / as_f64(tie.len())).min(1.0)
    }

    /// The sum of the products of shares of common items.
    fn overlap(&self, depth: usize) -> f64 {
        let [whole, shorter, longer, both] = self.common[depth].map(|count| as_f64(count.unsigned_abs()));
        let [short, long] = [0, 1].map(|list| self.weight(list, depth));
        whole + shorter * short + longer * long + both * (short * long)
    }

    /// The overlap of equal rankings, by which the agreement is a share.
    fn norm(&self, depth: usize) -> f64 {
        let of = |list: usize| {
            if depth > self.lengths[list] {
                return as_f64(depth);
            }
            let tie = self.rankings.tie(self.lists[list], depth - 1);
            let weight = self.weight(list, depth);
            match self.ties {
                RboTies::First => as_f64(tie.end),
                _ => as_f64(tie.start) + as_f64(tie.len()) * (weight * weight),
            }
        };
        match self.ties {
            RboTies::Average => as_f64(depth),
            RboTies::First => f64::midpoint(of(0), of(1)),
            RboTies::Corrected => (of(0) * of(1)).sqrt(),
        }
    }

    /// How many items of the longer ranking the other one lacks: whole ones, and those of which the depth has a share.
    fn alone(&self, depth: usize) -> [f64; 2] {
        let tie = self.rankings.tie(self.lists[1], depth - 1);
        let alone = |rank: usize| rank - self.of_longer[rank];
        [as_f64(alone(tie.start)), as_f64(alone(tie.end) - alone(tie.start))]
    }

    /// The mean share of the items of the longer ranking that the other one lacks.
    fn mean_weight(&self, depth: usize) -> f64 {
        let [whole, tied] = self.alone(depth);
        let weight = self.weight(1, depth);
        if weight < 1.0 { (whole + weight * tied) / (whole + tied) } else { 1.0 }
    }

    /// The sum of the shares of so many of these items, the best ones.
    fn best_weights(&self, depth: usize, items: usize) -> f64 {
        let (items, whole) = (as_f64(items), self.alone(depth)[0]);
        items.min(whole) + self.weight(1, depth) * (items - whole).max(0.0)
    }
}

/// The mean of the agreements at all depths from 1, with the weights (1 - p) p^(depth - 1). `below` is the mean of those
/// below `deepest`. By Horner's rule it stays between them.
fn discounted(p: f64, deepest: usize, below: f64, agreement: &dyn Fn(usize) -> f64) -> f64 {
    (1..=deepest).rev().map(agreement).fold(below, |below, here| here + p * (below - here))
}

/// The sum of 1 / depth with these weights, over the depths below `deepest`.
fn below(p: f64, deepest: usize) -> f64 {
    // The difference of two numbers near each other would be rounding alone.
    if p.powf(as_f64(deepest)) < f64::EPSILON / 2.0 {
        return 0.0;
    }
    let all = (1.0 - p) * -(-p).ln_1p() / p;
    all - discounted(p, deepest, 0.0, &|depth| 1.0 / as_f64(depth))
}
