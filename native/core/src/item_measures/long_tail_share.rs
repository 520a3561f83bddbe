//! The share of long-tail items.

use super::item_measure::{Allowed, ItemMeasure, Kernel, Type};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "long_tail_share",
    paper_name: "APLT",
    synonyms: &["aplt", "tail_percentage"],
    property: "long_tail",
    summary: "share of the items in the top k that are in the long tail (average percentage of long tail items, APLT), or \
              that have another property",
    formula: "items with true / items with true or false",
    source: "Abdollahpouri et al., Managing Popularity Bias in Recommender Systems with Personalized Re-ranking, FLAIRS \
             2019; Elliot, APLT",
    type_of_values: "BOOLEAN[] or DOUBLE[]",
    about_values: "Whether each item is in the long tail, best item first: a boolean, 0 or 1",
    example: &[("values", &["[1, 0, 1]"])],
    kernel: Kernel::MeanOf(
        Allowed {
            in_words: "booleans, or zeros and ones",
            allows_type: Type::is_relevance,
            allows: |flag| flag == 0.0 || flag == 1.0,
        },
        |flag| flag,
    ),
    ..ItemMeasure::USUAL
};
