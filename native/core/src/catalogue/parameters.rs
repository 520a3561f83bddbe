//! The arguments of functions, as documentation and front ends need them.

use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Parameter {
    pub name: &'static str,
    /// The type of the argument in SQL; `ANY` stands for any type whose values can be compared.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Whether a call must have the argument.
    pub required: bool,
    /// The content of the argument, and the meaning of NULL.
    pub description: String,
}

impl Parameter {
    /// Sets the type, and the sentence before the description.
    pub fn describe(&mut self, kind: &'static str, sentence: &str) {
        self.kind = kind;
        self.description = format!("{sentence}. {}", self.description);
    }
}

/// Names of arguments with their types and descriptions.
const TABLE: &[(&str, &str, &str)] = &[
    ("rec", "ANY[]", "The retrieved items, best first. A list that is NULL is an empty one."),
    (
        "truth",
        "ANY[] or STRUCT(item ANY, rel DOUBLE)[] or MAP(ANY, DOUBLE)",
        "The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to \
         relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.",
    ),
    (
        "rels",
        "DOUBLE[] or BOOLEAN[]",
        "Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.",
    ),
    (
        "scores",
        "DOUBLE[]",
        "Scores, element by element beside `rels`. A NULL is an item that was not retrieved.",
    ),
    ("userid", "BIGINT or VARCHAR", "The user. A row without a user is left out."),
    ("item", "ANY", "The item. NULL matches no item."),
    ("score", "DOUBLE", "The item's score, a number. NULL for an item that was not retrieved."),
    (
        "rel",
        "DOUBLE or BOOLEAN",
        "The item's relevance, a number or a boolean. NULL for an item without a judgement.",
    ),
    ("x", "DOUBLE", "A metric of each user, a number. A NULL leaves the user out."),
    ("a", "DOUBLE", "A metric of each user, by one system. A NULL leaves the user out."),
    ("b", "DOUBLE", "The same metric of the same user, by another system. A NULL leaves the user out."),
    (
        "human",
        "DOUBLE",
        "A metric of each user by the judgements of people. NULL for a user whom nobody judged.",
    ),
    (
        "judge",
        "DOUBLE",
        "The same metric of the same user by the judgements of a judge, such as a language model.",
    ),
    (
        "weight",
        "DOUBLE",
        "The weight of each user, a finite number that is at least 0. A NULL or a 0 leaves the user out.",
    ),
    (
        "blocks",
        "DOUBLE[][]",
        "A list for each user, with a metric of the user by each of two or more systems. A list with a NULL leaves the \
         user out. NULL if there is no list.",
    ),
    (
        "p_values",
        "DOUBLE[]",
        "The p-values of tests, numbers from 0 to 1. A NULL is no test, and stays NULL. NULL for a list that is NULL.",
    ),
    (
        "user_values",
        "DOUBLE[]",
        "A metric of each user, finite numbers from 0. A NULL leaves the user out, and stays NULL. NULL for a list that is \
         NULL.",
    ),
    ("values", "ANY[]", "A NULL is an item without one."),
    ("k", "BIGINT", "How many of the first items count, at least 1. NULL, the default, is all of them."),
    ("ks", "BIGINT[]", "Several k. NULL among them is the whole list."),
    (
        "measures",
        "VARCHAR",
        "Names of metrics, separated by commas. A name may have options of its own in brackets, and a cutoff: \
         `ndcg@10, precision(min_rel=2)@5`. Without a cutoff, the whole list counts.",
    ),
    ("options", "VARCHAR", "Options as `key=value`, separated by commas. NULL is none."),
];

/// The same for a function that lists items by score.
const OF_RANKED_LIST: &[(&str, &str, &str)] = &[
    (
        "item",
        "ANY",
        "The item: an integer of any width, FLOAT, DOUBLE, VARCHAR, BLOB, BOOLEAN, UUID, DATE, TIME or a timestamp. A \
         NULL takes a place in the list, the last one among items of its score.",
    ),
    ("score", "DOUBLE", "The item's score, a number of any type. An item with a NULL comes last."),
    ("k", "BIGINT", "How many items the list has at most, at least 1. NULL, the default, is all of them."),
];

/// The same for a statistic in which a user without one of the two values counts.
const OF_HALVES: &[(&str, &str, &str)] = &[
    ("a", "DOUBLE", "A metric of each user, by one system. NULL for a user who is not in its mean."),
    (
        "b",
        "DOUBLE",
        "The same metric of the same user, by another system. NULL for a user who is not in its mean.",
    ),
];

/// The same for a similarity of two rankings.
const OF_RANKINGS: &[(&str, &str, &str)] = &[
    (
        "a",
        "ANY[]",
        "The items of one ranking, best first, or structs of `item` and `score` in any order. A repeated item counts once, at \
         its first place. A NULL takes a place, and is equal to no item. One without a score is left out.",
    ),
    ("b", "ANY[]", "The items of another ranking, like `a`."),
];

/// The same for a statistic of the exposures of items.
const OF_EXPOSURES: &[(&str, &str, &str)] = &[(
    "x",
    "DOUBLE",
    "The exposure of each item of the catalogue, such as how often it is recommended: a number, 0 for an item that never \
     is. A NULL leaves the item out.",
)];
/// The same for a measure of aspects.
const OF_ASPECTS: &[(&str, &str, &str)] = &[
    (
        "rec",
        "ANY[] or STRUCT(item ANY, score DOUBLE)[]",
        "The retrieved items, best first, or structs of an item and its score, in any order. A list that is NULL is an \
         empty one, and an item without a score was not retrieved.",
    ),
    (
        "truth",
        "STRUCT(item ANY, aspect ANY, rel DOUBLE)[]",
        "Judgements: structs of an item, an aspect, and the item's relevance to it. Without the field `rel`, every item is \
         relevant to its aspects. A struct with a NULL counts for nothing. NULL for a user without judgements.",
    ),
];

/// The same for measures of items.
const OF_ITEMS: &[(&str, &str, &str)] = &[
    (
        "rec",
        "ANY[][]",
        "The rankings of all users, each a list of items, best first. A repeated item counts once, at its first place. A \
         NULL among its items takes a place and has no property. A list that is NULL has no value, and counts for nothing.",
    ),
    (
        "truth",
        "ANY[][]",
        "For each list of `rec`, the items that the user had: the relevant ones, or for `calibration` those of the history. \
         NULL without measures that read them.",
    ),
    (
        "items",
        "STRUCT(item ANY, property ANY)[]",
        "The catalogue: structs of an item and its properties, in any number of fields with any names. An item may be there once. A NULL is an \
         item without the property.",
    ),
    (
        "measures",
        "VARCHAR",
        "Names of measures of items, separated by commas, each with or without a cutoff and the field of `items` that it reads: \
         `novelty@10, intra_list_diversity(of=genres)@5`.",
    ),
];

/// The same for a function that explains a value.
const OF_EXPLANATION: &[(&str, &str, &str)] = &[
    ("item", "BIGINT or VARCHAR", "The item. NULL matches no item."),
    (
        "k",
        "BIGINT",
        "How many of the first items count, at least 1. NULL, the default, is all of them, as always for metrics without \
         a cutoff: r_precision and rankdcg.",
    ),
];

/// The meaning of NULL for metrics that skip items without a score or without a relevance.
const PAIRS: &str = " A NULL leaves the item out.";

/// The kinds of functions whose arguments of one name differ in their meaning.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// Metrics and statistics.
    Usual,
    /// Metrics that skip items without a score or without a relevance.
    Pairs,
    /// The list of items by score.
    RankedList,
    /// A statistic in which a user without one of the two values counts.
    Halves,
    /// The items that a value is made of.
    Explanation,
    /// Similarities of two rankings.
    Rankings,
    /// A statistic of the exposures of items.
    Exposures,
    /// Measures of aspects.
    Aspects,
    /// Measures of items.
    Items,
}

/// The description of an argument, which the table has, of a function with these rules.
pub fn parameter(name: &'static str, required: bool, rules: Rules) -> Parameter {
    let own = match rules {
        Rules::RankedList => OF_RANKED_LIST,
        Rules::Halves => OF_HALVES,
        Rules::Explanation => OF_EXPLANATION,
        Rules::Rankings => OF_RANKINGS,
        Rules::Exposures => OF_EXPOSURES,
        Rules::Aspects => OF_ASPECTS,
        Rules::Items => OF_ITEMS,
        Rules::Usual | Rules::Pairs => &[],
    };
    let known = own.iter().chain(TABLE).find(|(known, ..)| *known == name);
    let (_, kind, description) = *known.expect("the table has every argument");
    let is_pair = rules == Rules::Pairs && ["rels", "scores", "score", "rel"].contains(&name);
    // The sentences after the first one are about NULL.
    let first = description.find('.').filter(|_| is_pair).map(|end| &description[..=end]);
    let description = first.map_or(description.to_owned(), |first| format!("{first}{PAIRS}"));
    Parameter { name, kind, required, description }
}
