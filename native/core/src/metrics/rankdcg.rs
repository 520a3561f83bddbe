//! rankDCG: how well the whole order is kept, from 0 for the worst order to 1 for the perfect one.

use std::iter::repeat_n;
use std::ops::Range;

use super::metric::{AlignedForm, Metric, Needs, Options, Outcome, RankingAtK, Terms};
use crate::error::Error;
use crate::memory::Grow;
use crate::ranking::small_sort::sort_descending;

pub static METRIC: Metric = Metric {
    name: "rankdcg",
    paper_name: "rankDCG",
    summary: "rankDCG: how well the whole order is kept, 1 for the perfect one and 0 for the worst. It takes no k: judged \
              items that were not retrieved come last, in the worst order. Retrieved items without a judgement have \
              relevance 0, and a repeated item counts once, at its best place. NULL without two distinct relevances, \
              or 0 if nothing was retrieved and an item of truth has another relevance than 0",
    formula: "(DCG' - lowest) / (highest - lowest), where DCG' is the sum of level / reversed ideal level",
    latex: r"\frac{\mathrm{DCG}' - W}{B - W}, \quad \mathrm{DCG}' = \sum_{i=1}^{N} \frac{l_i}{c_i}",
    source: "Katerenchuk and Rosenberg, RankDCG: Rank-Ordering Evaluation Measure, LREC 2016, section 4",
    needs: Needs::Levels,
    takes_k: false,
    aligned: AlignedForm::Also,
    negative_rels: true,
    options: &["empty_rec", "ties"],
    defaults: &[("ties", "pessimistic")],
    kernel,
    terms: Some(terms),
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, _: &Options) -> Outcome {
    share_of_range(ranking, None).unwrap_or_else(Outcome::Failed)
}

fn terms(ranking: &RankingAtK, _: &Options, terms: &mut Terms) -> Result<(), Outcome> {
    share_of_range(ranking, Some(terms))?;
    Ok(())
}

/// DCG' of the ranking, as a share of the range between the worst order and the best one. Writes its `terms`, if any.
fn share_of_range(ranking: &RankingAtK, terms: Option<&mut Terms>) -> Result<Outcome, Error> {
    let unjudged = ranking.unjudged();
    let mut perfect = Vec::new();
    perfect.make_room(ranking.judged() + unjudged)?;
    ranking.judged_rels().for_each(|rel| perfect.push(rel));
    perfect.extend(repeat_n(0.0, unjudged));
    sort_descending(&mut perfect);
    let equal_rels = || perfect.chunk_by(|one, other| one == other);
    let mut levels = Vec::new();
    levels.make_room(equal_rels().count())?;
    levels.extend(equal_rels());
    if levels.len() < 2 {
        // An unjudged item alone would make a second level, and the value 0: an empty rec must not count for more.
        let is_zero = ranking.retrieved() == 0 && perfect.first().is_some_and(|rel| *rel != 0.0);
        return Ok(if is_zero { Outcome::Value(0.0) } else { Outcome::NoRelevant });
    }
    let level_of = |rel: f64| levels.partition_point(|level| level[0] > rel);
    // With n distinct relevances, rel' of the highest is n, and rel' of the lowest is 1.
    let relative = |level: usize| (levels.len() - level) as f64;
    // How many items of each level are not placed in `order` yet.
    let mut left = Vec::new();
    left.try_extend(levels.iter().map(|level| level.len()))?;
    let mut order = Vec::new();
    order.make_room(perfect.len())?;
    // Measured: a `for` loop takes twice as long, because the blocks come from chained iterators.
    ranking.blocks().for_each(|block| {
        let start = order.len();
        block.rels.iter().copied().chain(repeat_n(0.0, block.unjudged)).for_each(|rel| {
            let level = level_of(rel);
            left[level] -= 1;
            order.push(relative(level));
        });
        // DCG' is linear in rel', so its expected value is that with the mean rel' of the block for each tied item.
        // Blocks have several items with ties=average only.
        let tied = &mut order[start..];
        if tied.len() > 1 {
            let mean = tied.iter().sum::<f64>() / tied.len() as f64;
            tied.fill(mean);
        }
    });
    let retrieved = order.len();
    // Items that were not retrieved come last, in ascending order of relevance, which is the worst one.
    for (level, left) in left.iter().enumerate().rev() {
        order.resize(order.len() + left, relative(level));
    }

    let mut best = Vec::new();
    best.make_room(perfect.len())?;
    for (level, items) in levels.iter().enumerate() {
        best.resize(best.len() + items.len(), relative(level));
    }
    // A factor of both sums below, so it does not change their ratio.
    let unit = COMMON_MULTIPLES[levels.len().min(EXACT)];
    // The items at the ranks where the perfect order has its first level are divided by 1, those at the next ones by 2.
    let (mut gained, mut most, mut from) = (0.0, 0.0, 0);
    for (level, items) in levels.iter().enumerate() {
        let to = from + items.len();
        let weight = unit / (level + 1) as f64;
        let worst: f64 = best[best.len() - to..best.len() - from].iter().sum();
        gained += (order[from..to].iter().sum::<f64>() - worst) * weight;
        most += (best[from..to].iter().sum::<f64>() - worst) * weight;
        from = to;
    }
    if let Some(terms) = terms {
        let mut weights = Vec::new();
        weights.make_room(perfect.len())?;
        for (level, items) in levels.iter().enumerate() {
            weights.resize(weights.len() + items.len(), unit / (level + 1) as f64 / most);
        }
        // The mean term, over these ranks, of an item of a level: what it adds beyond the item of the worst order.
        let mean_term = |ranks: Range<usize>| {
            let count = ranks.len() as f64;
            let worst = best[best.len() - ranks.end..best.len() - ranks.start].iter().rev();
            let weights = &weights[ranks];
            let of_worst =
                weights.iter().zip(worst).map(|(weight, worst)| weight * worst).sum::<f64>() / count;
            let weight = weights.iter().sum::<f64>() / count;
            move |level: usize| relative(level) * weight - of_worst
        };
        let (mut above, mut end, mut in_block) = (0, 0, Vec::new());
        let mut finish = |in_block: &mut Vec<(usize, f64)>, terms: &mut Terms| {
            let ranks = above..above + in_block.len();
            above = ranks.end;
            let term = mean_term(ranks);
            in_block.drain(..).for_each(|(rank, rel)| terms.add(rank, term(level_of(rel))));
        };
        ranking.each_rel(|block, rank, rel| {
            if rank >= end {
                finish(&mut in_block, terms);
                end = block.above + block.size;
            }
            in_block.push((rank, rel.unwrap_or_default()));
        });
        finish(&mut in_block, terms);
        let mut from = retrieved;
        for (level, left) in left.iter().enumerate().rev().filter(|(_, left)| **left > 0) {
            terms.add_unretrieved(levels[level][0], mean_term(from..from + left)(level));
            from += left;
        }
    }
    // With means of blocks the sums are rounded, and may be out of range.
    Ok(Outcome::Value((gained / most).clamp(0.0, 1.0)))
}

/// The number of distinct relevances up to which sums are exact.
const EXACT: usize = 30;

/// At index n, the least common multiple of 1 to n. Multiplied by it, 1/1 to 1/n are integers, and sums are exact.
const COMMON_MULTIPLES: [f64; EXACT + 1] = {
    let mut multiples = [1.0; EXACT + 1];
    let mut multiple = 1_u64;
    let mut level = 1;
    while level <= EXACT {
        let (mut divisor, mut rest) = (multiple, level as u64);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        multiple = multiple / divisor * level as u64;
        multiples[level] = multiple as f64;
        level += 1;
    }
    multiples
};
