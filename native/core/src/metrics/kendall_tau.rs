//! Kendall's tau-b: how well two orders of the same items agree.

use super::metric::{AlignedForm, Metric, Needs, Options, Outcome, RankingAtK, ValueRange};
use crate::error::Error;
use crate::memory::Grow;

pub static METRIC: Metric = Metric {
    name: "kendall_tau",
    paper_name: "Kendall's tau",
    summary: "Kendall's tau-b: how well two orders of the same items agree, where items may tie in both",
    formula: "(concordant - discordant) / sqrt(pairs untied in scores * pairs untied in rels)",
    latex: r"\frac{C - D}{\sqrt{(P - T_s) (P - T_r)}}",
    range: ValueRange::SIGNED,
    source: "Kendall, The treatment of ties in ranking problems, Biometrika 1945",
    needs: Needs::Levels,
    takes_k: false,
    aligned: AlignedForm::Only,
    negative_rels: true,
    options: &[],
    kernel,
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, _: &Options) -> Outcome {
    tau(ranking).unwrap_or_else(Outcome::Failed)
}

/// Kendall's tau-b by Knight's method: sorting by relevance counts discordant pairs, and ties are counted apart.
fn tau(ranking: &RankingAtK) -> Result<Outcome, Error> {
    let (mut rels, mut sorted) = (Vec::new(), Vec::new());
    rels.make_room(ranking.judged())?;
    // Relevances ascend within a block. Reversed, they descend, and no pair of the block counts as discordant.
    rels.extend(ranking.blocks().flat_map(|block| block.rels.iter().rev()));
    sorted.make_room(rels.len())?;
    let all = pairs(rels.len());
    let tied_scores: u64 = ranking.blocks().map(|block| pairs(block.rels.len())).sum();
    let tied_both: u64 = ranking.blocks().map(|block| equal_pairs(block.rels)).sum();
    let discordant = sort_and_count(&mut rels, &mut sorted);
    let tied_rels = equal_pairs(&rels);
    let (by_score, by_rel) = (all - tied_scores, all - tied_rels);
    if by_score == 0 || by_rel == 0 {
        return Ok(Outcome::Null);
    }
    // Pairs that are tied in both are in both counts of ties, but must be subtracted once.
    let concordant = by_score + tied_both - tied_rels - discordant;
    let tau = (concordant as f64 - discordant as f64) / (by_score as f64 * by_rel as f64).sqrt();
    Ok(Outcome::Value(tau))
}

/// How many pairs `items` items make.
fn pairs(items: usize) -> u64 {
    let items = items as u64;
    items * items.saturating_sub(1) / 2
}

/// How many pairs of equal numbers there are in a sorted list.
fn equal_pairs(sorted: &[f64]) -> u64 {
    sorted.chunk_by(|one, other| one == other).map(|level| pairs(level.len())).sum()
}

/// Sorts numbers, descending, by merging in `sorted`, which has room; returns how many pairs were in ascending order.
fn sort_and_count(numbers: &mut [f64], sorted: &mut Vec<f64>) -> u64 {
    if numbers.len() < 2 {
        return 0;
    }
    let (left, right) = numbers.split_at_mut(numbers.len() / 2);
    let mut count = sort_and_count(left, sorted) + sort_and_count(right, sorted);
    sorted.clear();
    let mut rest = &*left;
    for number in &*right {
        let before = rest.partition_point(|other| other >= number);
        sorted.extend_from_slice(&rest[..before]);
        rest = &rest[before..];
        count += rest.len() as u64;
        sorted.push(*number);
    }
    sorted.extend_from_slice(rest);
    numbers.copy_from_slice(sorted);
    count
}
