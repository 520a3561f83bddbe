//! Intent-aware average precision: the mean of the average precisions of aspects.

use super::measure::{AspectMeasure, AspectRanking, Error, Options, as_f64};

pub static MEASURE: AspectMeasure = AspectMeasure {
    name: "average_precision_ia",
    synonyms: &["ap_ia", "map_ia"],
    paper_name: "MAP-IA",
    summary: "intent-aware average precision: the mean over aspects of the average precision of the items with the \
              aspect",
    formula: "mean over aspects of (sum over items with the aspect of (items with it down to there / rank) / items \
              with it in truth)",
    latex: r"\frac{1}{A} \sum_{i=1}^{A} p_i",
    source: "Agrawal et al., Diversifying search results, WSDM 2009; ndeval",
    options: &[],
    kernel,
    ..AspectMeasure::USUAL
};

fn kernel(ranking: &AspectRanking, _: &Options) -> Result<f64, Error> {
    Ok(ranking.average_precisions() / as_f64(ranking.aspects()))
}
