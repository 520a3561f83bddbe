//! The forms of functions: one table says what each form is.

use serde::Serialize;

use crate::documentation::Columns;
use crate::metrics::metric::{AlignedForm, Metric};
use crate::needs::Needs;

/// The layout of a function's inputs, which are its first arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Lists `rec` and `truth`.
    Lists,
    /// One list, `rels`: relevances in ranked order.
    Rels,
    /// Lists `scores` and `rels`, element by element of the same items.
    Scored,
    /// An aggregate: each row of a group has `score` and `rel` of one item. With lists, it is the same as `Scored`.
    Agg,
    /// An aggregate: each row of a group has an `item` with its `score`, its `rel`, or both.
    Rows,
    /// An aggregate over all users: rows as in `Rows`, with `userid` first.
    ByUser,
    /// An aggregate: each row of a group has an `item` with its `score`.
    Rec,
    /// An aggregate: each row of a group has a value of one metric, or of two.
    Sample,
    /// One list, `p_values`: the p-values of tests.
    PValues,
    /// One list of lists, `blocks`: for each user, a value of one metric by each of several systems.
    Blocks,
    /// One list, `user_values`: a metric of each user.
    Users,
    /// Lists `a` and `b`: two rankings of one user.
    Rankings,
    /// One list, `values`: a property of the items of a ranking, best first.
    Values,
    /// Lists `rec` and `truth`, in which items have aspects.
    Aspects,
    /// Lists of lists `rec` and `truth`, of all users, and a list `items` of items and their properties.
    Items,
    /// Lists `rec` and `truth`, of chunks and of spans of documents. SQL computes the measures, and engines have none.
    Spans,
}

impl Form {
    /// The row of the table of forms.
    pub fn spec(self) -> &'static FormSpec {
        &FORMS[self as usize]
    }
}

#[derive(Serialize)]
#[allow(clippy::struct_excessive_bools)] // each is a question of its own
pub struct FormSpec {
    #[serde(rename = "name")]
    pub form: Form,
    /// The names of the inputs; empty for statistics, which name their own.
    pub inputs: &'static [&'static str],
    /// The suffix of the names of functions of this form.
    pub suffix: &'static str,
    /// The inputs in words, which follow "a function of" or "evaluates".
    pub reads: &'static str,
    /// Sentences about all inputs together; empty if the descriptions of the arguments say all.
    pub notes: &'static str,
    /// Whether functions are aggregates: they read the rows of a group, and not lists.
    pub is_aggregate: bool,
    /// Whether functions read scores and relevances, which belong together element by element or row by row.
    pub is_aligned: bool,
    /// Whether a group has the rows of all users, so that the result is a list with one struct or more for each user.
    pub is_of_users: bool,
    /// Whether functions read results of users, and not rankings.
    pub is_statistic: bool,
    /// Whether functions have a Polars expression.
    pub has_expression: bool,
    /// Whether there are functions of this form that compute several metrics in one pass.
    pub has_bundles: bool,
    /// Options of metrics that functions of this form do not take.
    #[serde(skip)]
    pub lacks: &'static [&'static str],
    #[serde(skip)]
    pub has_metric: fn(&Metric) -> bool,
    /// The data of examples; none where each function has its own.
    #[serde(skip)]
    pub example: Columns,
}

impl FormSpec {
    /// The fields that most forms share: a form states its own values, and takes the others from here.
    const USUAL: Self = Self {
        form: Form::Lists,
        inputs: &[],
        suffix: "",
        reads: "",
        notes: "",
        is_aggregate: false,
        is_aligned: false,
        is_of_users: false,
        is_statistic: false,
        has_expression: true,
        has_bundles: false,
        lacks: &[],
        has_metric: |_| false,
        example: &[],
    };

    /// Whether functions can say what the items of a ranking add to a value.
    pub fn has_explanations(&self) -> bool {
        self.has_bundles && !self.is_aligned
    }

    /// Whether functions can compute measures by their names.
    pub fn has_measures(&self) -> bool {
        self.has_explanations() && self.is_aggregate
    }

    /// Whether rows have items, by which ties can be broken.
    pub fn has_items(&self) -> bool {
        self.inputs.contains(&"item")
    }
}

/// The rows of a user: recommendations, then judgements.
const ROWS: Columns = &[
    ("userid", &["1", "1", "1", "1", "1"]),
    ("item", &["'a'", "'c'", "'b'", "'a'", "'b'"]),
    ("score", &["0.9", "0.5", "0.4", "NULL", "NULL"]),
    ("rel", &["NULL", "NULL", "NULL", "3", "1"]),
];

/// Every form, in the order of [`Form`].
pub static FORMS: &[FormSpec] = &[
    FormSpec {
        form: Form::Lists,
        inputs: &["rec", "truth"],
        reads: "lists of items",
        has_bundles: true,
        has_metric: |metric| metric.aligned != AlignedForm::Only,
        example: &[
            ("rec", &["['a', 'c', 'b']"]),
            ("truth", &["[{'item': 'a', 'rel': 3}, {'item': 'b', 'rel': 1}, {'item': 'd', 'rel': 2}]"]),
        ],
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::Rels,
        inputs: &["rels"],
        suffix: "_rels",
        reads: "a list of relevances in ranked order",
        notes: "Numbers or booleans, and NULL for an item without one. The result is NULL where `rels` is.",
        lacks: &["duplicates", "empty_rec"],
        has_metric: |metric| metric.needs == Needs::Gains,
        example: &[("rels", &["[3, 0, 1, 2]"])],
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::Scored,
        inputs: &["scores", "rels"],
        suffix: "_scored",
        reads: "lists of scores and relevances of the same items",
        notes: "Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.",
        is_aligned: true,
        has_bundles: true,
        lacks: &["duplicates"],
        has_metric: |metric| metric.aligned != AlignedForm::Also,
        example: &[("scores", &["[0.9, 0.5, 0.4, NULL]"]), ("rels", &["[3, 0, 1, 2]"])],
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::Agg,
        inputs: &["score", "rel"],
        suffix: "_agg",
        reads: "the rows of a group, each an item with its score and relevance",
        notes: "One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item \
                without a score or a relevance; the result is NULL where no row has a relevance.",
        is_aggregate: true,
        is_aligned: true,
        has_bundles: true,
        lacks: &["duplicates"],
        has_metric: |_| true,
        example: &[
            ("userid", &["1", "1", "1", "1"]),
            ("score", &["0.9", "0.5", "0.4", "NULL"]),
            ("rel", &["3", "0", "1", "2"]),
        ],
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::Rows,
        inputs: &["item", "score", "rel"],
        suffix: "_rows",
        reads: "the rows of a user, each a recommendation or a judgement",
        is_aggregate: true,
        has_expression: false,
        has_bundles: true,
        lacks: &["duplicates"],
        has_metric: |metric| metric.aligned != AlignedForm::Only,
        example: ROWS,
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::ByUser,
        inputs: &["userid", "item", "score", "rel"],
        suffix: "_by_user",
        reads: "the rows of all users, each a recommendation or a judgement",
        notes: "One row for each recommendation, with a score, and for each judgement, with a relevance.",
        is_aggregate: true,
        is_of_users: true,
        has_bundles: true,
        lacks: &["duplicates"],
        example: ROWS,
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::Rec,
        inputs: &["item", "score"],
        reads: "the rows of a group, each an item with its score",
        is_aggregate: true,
        has_expression: false,
        example: &[
            ("userid", &["1", "1", "1", "1"]),
            ("item", &["'a'", "'d'", "'c'", "'b'"]),
            ("score", &["0.4", "0.5", "0.5", "0.9"]),
        ],
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::Sample,
        reads: "the rows of a group, each a value of a user or of an item",
        is_aggregate: true,
        is_statistic: true,
        example: &[
            ("x", &["0.5", "0.75", "0.25", "0.9"]),
            ("a", &["0.5", "0.75", "0.25", "0.9"]),
            ("b", &["0.4", "0.5", "0.3", "0.7"]),
            ("human", &["0.5", "0.75", "0.25", "0.9", "NULL"]),
            ("judge", &["0.4", "0.6", "0.35", "0.7", "0.9"]),
            ("weight", &["3", "1", "2", "4", "1"]),
        ],
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::PValues,
        inputs: &["p_values"],
        reads: "a list of p-values",
        is_statistic: true,
        example: &[("p_values", &["[0.01, 0.04, 0.03, NULL]"])],
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::Blocks,
        inputs: &["blocks"],
        reads: "a list of lists: the values of one user by several systems",
        is_statistic: true,
        example: &[("blocks", &["[[0.5, 0.4, 0.8], [0.75, 0.5, 0.9], [0.25, 0.3, 0.6], [0.9, 0.7, 0.95]]"])],
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::Users,
        inputs: &["user_values"],
        reads: "a list of the values of users",
        is_statistic: true,
        example: &[("user_values", &["[0.25, 1.0, NULL]"])],
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::Rankings,
        inputs: &["a", "b"],
        reads: "two lists of items, best first",
        example: &[("a", &["['a', 'c', 'b', 'd', 'f']"]), ("b", &["['c', 'a', 'e', 'b', 'g']"])],
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::Values,
        inputs: &["values"],
        reads: "a list of a property of items, best first",
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::Aspects,
        inputs: &["rec", "truth"],
        reads: "lists of items and of their aspects",
        example: &[
            ("rec", &["['a', 'c', 'b']"]),
            (
                "truth",
                &["[{'item': 'a', 'aspect': 1}, {'item': 'b', 'aspect': 1}, {'item': 'b', 'aspect': 2}, \
                   {'item': 'd', 'aspect': 3}]"],
            ),
        ],
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::Items,
        inputs: &["rec", "truth", "items"],
        reads: "the lists of all users, and of items with their properties",
        example: &[
            ("rec", &["[['a', 'c'], ['a', 'b']]"]),
            ("truth", &["[['c'], ['d']]"]),
            (
                "items",
                &[
                    "[{'item': 'a', 'popularity': 9, 'group': 'x'}, {'item': 'b', 'popularity': 4, 'group': 'y'}, \
                   {'item': 'c', 'popularity': 1, 'group': 'x'}, {'item': 'd', 'popularity': 1, 'group': 'y'}]",
                ],
            ),
        ],
        ..FormSpec::USUAL
    },
    FormSpec {
        form: Form::Spans,
        inputs: &["rec", "truth"],
        reads: "chunks and spans of documents",
        has_expression: false,
        example: &[
            ("rec", &["[{'item': 'a', 'start': 0, 'end': 9}]"]),
            ("truth", &["[{'item': 'a', 'start': 5, 'end': 7}]"]),
        ],
        ..FormSpec::USUAL
    },
];
