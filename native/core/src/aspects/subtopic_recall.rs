//! Subtopic recall: the share of aspects that an item of the top k has.

use super::measure::{AspectMeasure, AspectRanking, Error, Options, as_f64};

pub static MEASURE: AspectMeasure = AspectMeasure {
    name: "subtopic_recall",
    synonyms: &["s_recall", "st_recall", "strec", "strecall", "aspect_recall"],
    paper_name: "S-recall",
    summary: "subtopic recall: the share of the aspects that an item of the top k has",
    formula: "aspects with an item in the top k / aspects",
    latex: r"\frac{S}{A}",
    source: "Zhai, Cohen and Lafferty, Beyond independent relevance, SIGIR 2003; ndeval",
    options: &[],
    kernel,
    ..AspectMeasure::USUAL
};

fn kernel(ranking: &AspectRanking, _: &Options) -> Result<f64, Error> {
    // Only the first item of an aspect gains.
    Ok(ranking.gain(0.0, &|_| 1.0)? / as_f64(ranking.aspects()))
}
