//! The Bejeweled Player Model: the gain per item of a user who stops once the gain is enough, or after k items.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK};
use crate::error::Error;
use crate::memory::Grow;
use crate::ranking::ties::{MAX_STEPS, TiedBlock};

pub static METRIC: Metric = Metric {
    name: "bpm",
    synonyms: &["bejeweled_player_model"],
    paper_name: "BPM",
    summary: "static Bejeweled Player Model: the mean gain of the items that a user examines, who stops at the item with \
              which the gain so far is t or more, or after k items. Without k, that is after all retrieved items",
    formula: "gain so far / rank, at the first rank where gain so far >= t, or else at k; the gain of an item is \
              rel / max_rel",
    source: "Zhang et al., Evaluating web search with a Bejeweled Player Model, SIGIR 2017",
    needs: Needs::Gains,
    options: &["t", "max_rel", "no_relevant", "empty_rec", "duplicates"],
    defaults: &[("gain", "linear")],
    kernel,
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    // Relevances are added up and not their shares of max_rel, so that sums of grades are exact.
    let goal = options.t * options.max_rel;
    let has_ties = ranking.ties().is_some();
    let mean = if has_ties { expected(ranking, goal) } else { Ok(without_ties(ranking, goal)) };
    mean.map_or_else(|outcome| outcome, |mean| Outcome::Value(mean / options.max_rel))
}

fn without_ties(ranking: &RankingAtK, goal: f64) -> f64 {
    let mut sum = 0.0;
    for (above, gain) in ranking.match_gains() {
        sum += gain;
        if sum >= goal {
            return sum / (above + 1) as f64;
        }
    }
    sum / ranking.places() as f64
}

/// Users who did not stop, and whose gain so far is the same.
#[derive(Clone, Copy)]
struct Going {
    gain: f64,
    /// Their share of all users.
    share: f64,
    /// The share times the mean gain with which they came to the block.
    gain_above: f64,
}

/// The total gain of users who did not stop, by their share.
fn total(going: &[Going]) -> f64 {
    going.iter().map(|each| each.share * each.gain).sum()
}

/// The expected value over all orders of tied items.
fn expected(ranking: &RankingAtK, goal: f64) -> Result<f64, Outcome> {
    let mut going = vec![Going { gain: 0.0, share: 1.0, gain_above: 0.0 }];
    let (mut mean, mut steps_left) = (0.0, MAX_STEPS / 10); // each step takes longer than most, and memory
    for (block, gains) in ranking.tied_gains().into_iter().flatten() {
        for each in &mut going {
            each.gain_above = each.share * each.gain;
        }
        let mut after = still_going(&block, gains, &going, goal, &mut steps_left)?;
        for place in 0..block.shown {
            // The mean gain of the next item is that of the items of the block that are left.
            let left = (block.size - place) as f64;
            let next = |each: &Going| {
                let taken = each.share * each.gain - each.gain_above;
                (each.share * block.gain - taken) / left
            };
            let reached = total(&after[place]) + after[place].iter().map(next).sum::<f64>();
            mean += (reached - total(&after[place + 1])) / (block.above + place + 1) as f64;
        }
        going = after.swap_remove(block.shown);
    }
    Ok(mean + total(&going) / ranking.places() as f64)
}

/// The users who go on after n items of the block: at index n, from 0 to `shown`, with their shares over all orders of the
/// block. As in ERR, items are added one after the other. Takes its steps from `steps_left`.
fn still_going(
    block: &TiedBlock,
    gains: &[f64],
    going: &[Going],
    goal: f64,
    steps_left: &mut usize,
) -> Result<Vec<Vec<Going>>, Outcome> {
    let useful = gains.iter().filter(|gain| **gain > 0.0);
    let useless = block.size - useful.clone().count();
    let mut take = |steps: usize| {
        *steps_left = steps_left.checked_sub(steps).ok_or(Outcome::TooManyTied)?;
        Ok::<_, Outcome>(())
    };
    let mut after = Vec::new();
    after.make_room(block.shown + 1)?;
    for places in 0..=block.shown {
        let mut same = Vec::new();
        if places <= useless {
            take(going.len())?;
            same.try_extend_from_slice(going)?;
        }
        after.push(same);
    }
    for (items, gain) in (useless + 1..).zip(useful) {
        for places in (1..=items.min(block.shown)).rev() {
            let share_with = places as f64 / items as f64;
            let mixed = mix(&after[places], 1.0 - share_with, &after[places - 1], share_with, *gain, goal)?;
            take(mixed.len() + 1)?;
            after[places] = mixed;
        }
    }
    Ok(after)
}

/// The users of two groups together, each with its weight; those of the second gain `gain` more, and stop at the goal. Both
/// groups are in the order of their gains, and so is the result.
fn mix(
    without: &[Going],
    share_without: f64,
    with: &[Going],
    share_with: f64,
    gain: f64,
    goal: f64,
) -> Result<Vec<Going>, Error> {
    let weighted = |each: &Going, weight: f64, more: f64| Going {
        gain: each.gain + more,
        share: each.share * weight,
        gain_above: each.gain_above * weight,
    };
    let without = without.iter().filter(|_| share_without > 0.0);
    let mut without = without.map(|each| weighted(each, share_without, 0.0)).peekable();
    let with = with.iter().map(|each| weighted(each, share_with, gain));
    let mut mixed: Vec<Going> = Vec::new();
    for each in with.take_while(|each| each.gain < goal) {
        while let Some(less) = without.next_if(|other| other.gain < each.gain) {
            mixed.try_push(less)?;
        }
        let same = without.next_if(|other| other.gain == each.gain);
        let (share, above) = same.map_or((0.0, 0.0), |same| (same.share, same.gain_above));
        mixed.try_push(Going { share: each.share + share, gain_above: each.gain_above + above, ..each })?;
    }
    without.try_for_each(|rest| mixed.try_push(rest))?;
    Ok(mixed)
}
