//! Novelty: the mean information of the items, which is large for those that few users had.

use super::item_measure::{Allowed, ItemMeasure, Kernel, Type, ValueRange};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "novelty",
    paper_name: "Novelty",
    synonyms: &["miuf", "mean_inv_user_freq", "self_information"],
    property: "share",
    summary: "mean information of the items in the top k, in bits (mean inverse user frequency, self-information): an item \
              that half of the users had has 1 bit, and one that all had has 0",
    formula: "mean of -log2(share)",
    range: ValueRange::POSITIVE,
    source: "Zhou et al., Solving the apparent diversity-accuracy dilemma of recommender systems, PNAS 2010; RecTools, \
             MeanInvUserFreq",
    type_of_values: "DOUBLE[]",
    about_values: "The share of users who had each item, or of all interactions, best item first: a number above 0 and at \
                   most 1",
    example: &[("values", &["[0.5, 0.125, 0.25]"])],
    kernel: Kernel::MeanOf(
        Allowed {
            in_words: "shares above 0 and at most 1",
            allows_type: Type::is_number,
            allows: |share| share > 0.0 && share <= 1.0,
        },
        // Subtraction keeps the value of shares of 1 from being -0.
        |share| 0.0 - share.log2(),
    ),
    ..ItemMeasure::USUAL
};
