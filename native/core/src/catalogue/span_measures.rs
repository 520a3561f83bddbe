//! The measures of spans of documents. SQL computes them, in `native/table_macros`, and front ends read their names and
//! descriptions here.

use crate::documentation::ValueRange;

/// A measure of spans: its names and description, as documented.
pub struct SpanMeasure {
    pub name: &'static str,
    /// Its name in papers.
    pub paper_name: &'static str,
    /// Usual names of it elsewhere.
    pub synonyms: &'static [&'static str],
    pub summary: &'static str,
    pub formula: &'static str,
    pub range: ValueRange,
    /// The condition of a value, in words.
    pub needs: &'static str,
    pub source: &'static str,
}

impl SpanMeasure {
    /// The fields that all measures share.
    const USUAL: Self = Self {
        name: "",
        paper_name: "",
        synonyms: &[],
        summary: "",
        formula: "",
        range: ValueRange::UNIT,
        needs: "a relevant span",
        source: "",
    };
}

/// Every measure of spans, in the order of the documentation.
pub static SPAN_MEASURES: &[SpanMeasure] = &[
    SpanMeasure {
        name: "span_recall",
        paper_name: "Span recall",
        summary: "the share of the relevant spans that a chunk of the top k finds",
        formula: "relevant spans that a chunk of the top k finds / relevant spans",
        source: "Zhai, Cohen and Lafferty, Beyond independent relevance, SIGIR 2003: subtopic recall, with spans as subtopics",
        ..SpanMeasure::USUAL
    },
    SpanMeasure {
        name: "character_recall",
        paper_name: "Character recall",
        synonyms: &["char_recall"],
        summary: "the share of the characters of relevant spans that chunks of the top k have",
        formula: "characters of relevant spans in chunks of the top k / characters of relevant spans",
        source: "Kamps, Pehcevski, Kazai, Lalmas and Robertson, INEX 2007 evaluation measures, INEX 2007",
        ..SpanMeasure::USUAL
    },
    SpanMeasure {
        name: "character_precision",
        paper_name: "Character precision",
        synonyms: &["char_precision"],
        summary: "the share of the characters of the top k that are in relevant spans",
        formula: "characters of relevant spans in chunks of the top k / sum of the lengths of the chunks of the top k",
        source: "Smith and Troynikov, Evaluating chunking strategies for retrieval, Chroma 2024",
        ..SpanMeasure::USUAL
    },
];
