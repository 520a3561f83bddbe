//! The residual of rank-biased precision: what it could still gain if every item without a judgement were relevant.

use super::metric::{Metric, Needs, Options, Outcome, RankingAtK};
use super::rbp::expected;
use crate::ranking::ties::TiedBlock;

pub static METRIC: Metric = Metric {
    name: "rbp_residual",
    paper_name: "RBP residual",
    summary: "residual of rank-biased precision: the largest RBP that is possible, less RBP. The largest one has a hit at \
              each rank whose item is not judged, and at each rank below the list or the cutoff",
    formula: "1 - (1 - p) * sum over judged items of p^(rank - 1)",
    source: "Moffat and Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 2008",
    needs: Needs::Judgements,
    options: &["p", "empty_rec"],
    // An item that is retrieved again is judged, whatever it gains.
    defaults: &[("duplicates", "count")],
    kernel,
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, options: &Options) -> Outcome {
    let p = options.p;
    let known = |block: TiedBlock, judged: usize| expected(&block, judged as f64 / block.size as f64, p);
    let known: f64 = match ranking.tied_ranks() {
        None => ranking.match_rels().map(|(above, _)| known(TiedBlock::of_one_hit(above, 0), 1)).sum(),
        Some(ties) => ties.map(|(block, judged)| known(block, judged.len())).sum(),
    };
    // The sum may round to more than 1.
    Outcome::Ideal((1.0 - known).max(0.0))
}
