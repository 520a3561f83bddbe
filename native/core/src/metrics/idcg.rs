use super::{Metric, Score, Workspace};
use crate::Error;
use crate::error::bail;
use crate::options::{Ideal, Options};
use crate::ranking::Ranking;

pub static METRIC: Metric = Metric {
    name: "idcg",
    aliases: &[],
    rels_name: Some("idcg_rels"),
    summary: "ideal DCG: the DCG of the best order of all judged items, cut at k",
    formula: "sum over the k largest gains of gain * discount(rank)",
    range: "0 or more",
    source: "Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 2002",
    takes_k: true,
    aligned: false,
    negative_rels: false,
    options: &["gain", "discount", "idcg", "min_rel", "no_relevant", "duplicates"],
    denominator: None,
    kernel,
};

/// `idcg=k` sums this many discounts at most.
const LARGEST_K: usize = 1_000_000;

fn kernel(ranking: &Ranking, options: &Options, workspace: &mut Workspace) -> Result<Score, Error> {
    if !workspace.judge(ranking, options)? {
        return Ok(Score::NoRelevant);
    }
    idcg(ranking, options, workspace).map(Score::Ideal)
}

/// The ideal DCG of the gains that [`Workspace::judge`] has left.
pub(super) fn idcg(ranking: &Ranking, options: &Options, workspace: &mut Workspace) -> Result<f64, Error> {
    let Workspace { discounts, ideal, .. } = workspace;
    let ranks = match options.ideal {
        Ideal::Truth => ranking.cut_at_k(ideal.len()),
        Ideal::Retrieved => ideal.len().min(ranking.rels.len()),
        Ideal::K => {
            let k = ranking.cut();
            if k > LARGEST_K {
                bail!("k must be at most {LARGEST_K} with idcg=k, got {k}");
            }
            return Ok(discounts.first(options.discount, k).iter().sum());
        }
    };
    let descending = |one: &f64, other: &f64| other.total_cmp(one);
    // Sorting a short list whole costs less than selecting from it.
    if 0 < ranks && ranks < ideal.len() / 2 {
        ideal.select_nth_unstable_by(ranks - 1, descending);
        ideal.truncate(ranks);
    }
    ideal.sort_unstable_by(descending);
    Ok(discounts.sum(options.discount, &ideal[..ranks.min(ideal.len())]))
}
