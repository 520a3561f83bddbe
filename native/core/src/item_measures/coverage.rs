//! Coverage: the share of the catalogue that anybody is shown.

use super::item_measure::{ItemMeasure, Kernel, Nullable, Rankings, as_f64};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "coverage",
    paper_name: "Coverage",
    synonyms: &["catalog_coverage", "catalogue_coverage", "item_coverage", "aggregate_diversity"],
    summary: "share of the items of the catalogue that are in the top k of any user (catalogue coverage, aggregate diversity)",
    formula: "distinct items in all top k / items of the catalogue",
    needs: "an item in the catalogue",
    source: "Ge et al., Beyond Accuracy: Evaluating Recommender Systems by Coverage and Serendipity, RecSys 2010; RecTools, \
             CatalogCoverage",
    kernel: Kernel::Rankings(compute),
    ..ItemMeasure::USUAL
};

fn compute(rankings: &Rankings, without: &mut Vec<Nullable>) -> Option<f64> {
    let shown = rankings.exposures[..rankings.catalogue()].iter().filter(|times| **times > 0).count();
    let share = |shown| (rankings.catalogue() > 0).then(|| as_f64(shown) / as_f64(rankings.catalogue()));
    rankings.leave_out_each(without, |ranking| {
        let alone = ranking.known().filter(|(_, item)| rankings.times(*item) == 1).count();
        share(shown - alone)
    });
    share(shown)
}
