//! Average popularity: the mean popularity of the items.

use super::item_measure::{Allowed, ItemMeasure, Kernel, ValueRange};

pub static ITEM_MEASURE: ItemMeasure = ItemMeasure {
    name: "average_popularity",
    paper_name: "ARP",
    synonyms: &["arp", "avg_rec_popularity"],
    property: "popularity",
    summary: "mean popularity of the items in the top k (average recommendation popularity, ARP)",
    formula: "sum of popularities / number of items with one",
    range: ValueRange::in_words("between the least and the largest value"),
    source: "Yin et al., Challenging the Long Tail Recommendation, VLDB 2012; RecTools, AvgRecPopularity",
    // As RecBole has it: the popular items are those that everybody is shown anyway.
    less_is_better: true,
    type_of_values: "DOUBLE[]",
    about_values: "The popularity of each item, best item first: a finite number, such as how many users had the item",
    example: &[("values", &["[40, 10, 25]"])],
    kernel: Kernel::MeanOf(Allowed::FINITE, |popularity| popularity),
    ..ItemMeasure::USUAL
};
