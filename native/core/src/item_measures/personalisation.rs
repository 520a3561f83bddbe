//! Personalisation: how far the rankings of two users differ.

use super::item_measure::{ItemMeasure, Kernel, Nullable, Ranking, Rankings, as_f64};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "personalisation",
    paper_name: "Personalisation",
    synonyms: &["personalization", "inter_list_diversity"],
    summary: "share of the top k of a user that another user does not have, a mean over all pairs of users \
              (personalization, inter-list diversity)",
    formula: "1 - sum of x * (x - 1) / ((sum of x) * (users - 1)), x how many users have an item in their top k, and users those \
              who have any",
    needs: "two users with an item",
    source: "Zhou et al., Solving the apparent diversity-accuracy dilemma of recommender systems, PNAS 2010; recmetrics, \
             personalization",
    kernel: Kernel::Rankings(compute),
    ..ItemMeasure::USUAL
};

fn compute(rankings: &Rankings, without: &mut Vec<Nullable>) -> Option<f64> {
    let exposures = rankings.exposures;
    let all = || exposures.iter().map(|times| *times as usize);
    let users = rankings.each().filter(Ranking::has_item).count();
    let total = all().sum();
    let pairs: usize = all().map(|times| times * times.saturating_sub(1)).sum();
    let value = |pairs: usize, total: usize, users: usize| {
        (total > 0 && users > 1).then(|| 1.0 - as_f64(pairs) / (as_f64(total) * as_f64(users - 1)))
    };
    rankings.leave_out_each(without, |ranking| {
        let times = ranking
            .items
            .iter()
            .filter_map(|item| exposures.get(*item as usize))
            .map(|times| *times as usize);
        let (mut common, mut items) = (0, 0);
        for times in times {
            common += 2 * (times - 1);
            items += 1;
        }
        value(pairs - common, total - items, users - usize::from(ranking.has_item()))
    });
    value(pairs, total, users)
}
