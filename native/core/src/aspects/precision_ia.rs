//! Intent-aware precision: the mean of the precisions of aspects.

use super::measure::{AspectMeasure, AspectRanking, Error, Options, as_f64};

pub static MEASURE: AspectMeasure = AspectMeasure {
    name: "precision_ia",
    synonyms: &["p_ia"],
    paper_name: "P-IA",
    summary: "intent-aware precision: the mean over aspects of the share of the top k that has the aspect",
    formula: "sum over the top k of aspects of the item / (k * aspects); without k, that is the number of retrieved \
              items",
    latex: r"\frac{1}{k A} \sum_{i=1}^{k} n_i",
    source: "Agrawal et al., Diversifying search results, WSDM 2009; ndeval",
    options: &[],
    kernel,
    ..AspectMeasure::USUAL
};

fn kernel(ranking: &AspectRanking, _: &Options) -> Result<f64, Error> {
    Ok(ranking.gain(1.0, &|_| 1.0)? / as_f64(ranking.places() * ranking.aspects()))
}
