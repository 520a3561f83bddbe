//! Errors that an engine passes on as text.

use crate::catalogue::lookup;
use crate::error::Error;

/// The error of a function of the catalogue whose sentence is in `text`, or of this library as a whole; `None` if there
/// is no such sentence.
///
/// An engine that passes on text alone puts words of its own before the sentence, and lines of its own below it.
pub fn error_in(text: &str) -> Option<Error> {
    const SEPARATOR: &str = ": ";
    let is_of_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.match_indices(SEPARATOR).find_map(|(end, _)| {
        let name = &text[text[..end].trim_end_matches(is_of_name).len()..end];
        let is_known = name == "rankdcg" || lookup(name).is_some();
        let sentence = text[end + SEPARATOR.len()..].lines().next().unwrap_or_default();
        is_known.then(|| Error::displayed(name, sentence))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_found_among_other_words() {
        let text = "relevance in rel must be finite, got inf";
        let error = Error::new(text).of("rank_metrics_at_rows");
        for engine in [
            "rank_metrics_at_rows: relevance in rel must be finite, got inf",
            "Invalid Input Error: rank_metrics_at_rows: relevance in rel must be finite, got inf",
            "Error: a: rank_metrics_at_rows: relevance in rel must be finite, got inf\n\nAt:\n  mrr: line 1",
        ] {
            assert_eq!(error_in(engine), Some(error.clone()), "{engine}");
        }
        let error = error.to_string().replace("rank_metrics_at_rows", "ndcg_rows");
        assert_eq!(error_in(&error).unwrap().to_string(), error);
    }
}
