//! The table of options: the name, the values, the default and the description of each.

use serde::Serialize;

use crate::options::choices::{
    Alternative, ApDenominator, ApSteps, AucPairs, Correction, Discount, Duplicates, EmptyRec, Ideal,
    Invalid, NoRelevant, NullScores, OneClass, PrecisionDenominator, RbpGain, RecallDenominator, ScoreType,
    Skewness, Ties, Unjudged, finite,
};
use crate::options::gain::Gain;
use crate::options::{ABOVE_ZERO, Options, UNLIMITED, conventions};

/// The largest `max_rel`. Two to this power does not overflow, and no scale of grades in use is as long.
const HIGHEST_GRADE: f64 = 100.0;

/// The type of the values of an option that have no names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueType {
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// A list of numbers, written with colons between them.
    Numbers,
}

/// An option as the catalogue shows it.
#[derive(Serialize)]
pub struct OptionSpec {
    /// The name of the option.
    pub name: &'static str,
    /// The values it takes, as far as they have names.
    pub values: &'static [&'static str],
    /// The other values it takes, in words; empty if there are none.
    pub other: &'static str,
    /// The type of these other values; `None` if there are none.
    pub other_type: Option<ValueType>,
    /// The default value.
    pub default: &'static str,
    /// A description in words.
    pub doc: &'static str,
    /// Sets the option to a value, given as text; an error if it does not take the value.
    #[serde(skip)]
    pub(super) set: fn(&mut Options, &str) -> Result<(), Invalid>,
}

impl OptionSpec {
    /// The values it takes, as errors list them: `a, b or c`.
    pub(super) fn allowed(&self) -> String {
        let other = Some(self.other).filter(|other| !other.is_empty());
        let choices: Vec<&str> = self.values.iter().copied().chain(other).collect();
        match choices.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
            _ => choices.concat(),
        }
    }
}

/// A row of the table for an option whose values all have names.
macro_rules! choice {
    ($name:literal, $field:ident: $choice:ident, $default:literal, $doc:literal) => {
        OptionSpec {
            name: $name,
            values: $choice::NAMES,
            other: "",
            other_type: None,
            default: $default,
            doc: $doc,
            set: |options, value| $choice::parse(value).map(|value| options.$field = value),
        }
    };
}

/// Every option.
pub(super) static OPTIONS: &[OptionSpec] = &[
    choice!("precision_denominator", precision_denominator: PrecisionDenominator, "retrieved",
        "denominator of precision: min(k, retrieved), or k"),
    choice!("recall_denominator", recall_denominator: RecallDenominator, "truth",
        "denominator of recall: the number of relevant items, or min(relevant, k)"),
    choice!("ap_denominator", ap_denominator: ApDenominator, "truth",
        "denominator of average precision: the number of relevant items, min(relevant, k), the hits in the top k, k, \
         or min(relevant, k, retrieved)"),
    choice!("ap_steps", ap_steps: ApSteps, "rank",
        "rank at which average precision of items with scores measures the precision of a hit: the rank of the hit, or \
         the last rank of its score in the top k"),
    OptionSpec {
        name: "gain",
        values: Gain::NAMES,
        other: "a gain for each grade from 0, such as 0:1:3:7",
        other_type: Some(ValueType::Numbers),
        default: "exp2",
        doc: "gain of a relevance: 2^rel - 1, rel, 1 if relevant, or the number at index rel (from 0) of a list of \
              gains",
        set: |options, value| Gain::parse(value).map(|gain| options.gain = gain),
    },
    choice!("discount", discount: Discount, "log2",
        "discount at a rank, where ranks start at 1: 1/log2(rank + 1), 1/log2(max(rank, 2)), or 1/ln(rank + 1)"),
    choice!("idcg", ideal: Ideal, "truth",
        "number of ranks in the ideal order: min(relevant, k), min(relevant, k, retrieved), or k, each with gain 1"),
    OptionSpec {
        name: "min_rel",
        values: &["unset"],
        other: "a number above 0",
        other_type: Some(ValueType::Number),
        default: "unset",
        doc: "least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance above 0",
        set: |options, value| {
            options.min_rel = match value {
                "unset" => ABOVE_ZERO,
                number => finite(number).filter(|least| *least > 0.0).ok_or(Invalid)?,
            };
            Ok(())
        },
    },
    OptionSpec {
        name: "p",
        values: &[],
        other: "a number between 0 and 1",
        other_type: Some(ValueType::Number),
        default: "0.8",
        doc: "probability that a user continues to the next item",
        set: |options, value| between_0_and_1(value).map(|p| options.p = p),
    },
    choice!("rbp_gain", rbp_gain: RbpGain, "binary",
        "gain of a hit in rbp: 1, or its relevance. With relevances, rbp may exceed 1"),
    OptionSpec {
        name: "max_rel",
        values: &["unset"],
        other: "a number from 1 to 100",
        other_type: Some(ValueType::Number),
        default: "unset",
        doc: "largest possible relevance; err requires it, and a larger relevance is an error",
        set: |options, value| {
            options.max_rel = match value {
                "unset" => UNLIMITED,
                number => finite(number).filter(|rel| (1.0..=HIGHEST_GRADE).contains(rel)).ok_or(Invalid)?,
            };
            Ok(())
        },
    },
    choice!("no_relevant", no_relevant: NoRelevant, "null",
        "result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0"),
    choice!("empty_rec", empty_rec: EmptyRec, "zero",
        "result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null: NULL in \
         every case"),
    choice!("one_class", one_class: OneClass, "half",
        "AUC of a ranking with hits only or misses only: 0.5, NULL, 0, or 1 for hits and 0 for misses"),
    choice!("auc_pairs", auc_pairs: AucPairs, "retrieved",
        "number of misses that AUC pairs with the hits: the retrieved ones, or k - hits"),
    choice!("duplicates", duplicates: Duplicates, "first",
        "treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence"),
    choice!("unjudged", unjudged: Unjudged, "zero",
        "treatment of a retrieved item without a judgement in rankdcg: it has relevance 0, or it is left out. In two \
         aligned lists it is always left out"),
    choice!("ties", ties: Ties, "average",
        "order of tied items. average: the expected value over all orders; pessimistic: the least relevant item first; \
         optimistic: the most relevant item first; input_order: the order of the list; item_asc, item_desc: by item, \
         in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default pessimistic, and ranked_list \
         item_asc"),
    choice!("score_type", score_type: ScoreType, "exact",
        "precision in which scores are compared: their own, or floating point of 32 bits, in which more of them tie"),
    choice!("null_scores", null_scores: NullScores, "last",
        "treatment of items without a score in ranked_list: they come last, or they are left out"),
    OptionSpec {
        name: "convention",
        values: conventions::NAMES,
        other: "",
        other_type: None,
        default: conventions::NAMES[0],
        doc: "defaults of all other options: those of Hivemall's page, or those that reproduce another package",
        set: |_, name| conventions::find(name).map(|_| ()).ok_or(Invalid),
    },
    OptionSpec {
        name: "confidence",
        values: &[],
        other: "a number between 0 and 1",
        other_type: Some(ValueType::Number),
        default: "0.95",
        doc: "confidence level of the interval",
        set: |options, value| between_0_and_1(value).map(|level| options.confidence = level),
    },
    OptionSpec {
        name: "lower_bound",
        values: &["unset"],
        other: "a number",
        other_type: Some(ValueType::Number),
        default: "unset",
        doc: "least possible value, or difference of a pair. The interval of mean_ci does not reach below it, \
              unless a value does. Intervals and paired_t_test judge equal values by it",
        set: |options, value| bound(value, f64::NEG_INFINITY).map(|bound| options.lower_bound = bound),
    },
    OptionSpec {
        name: "upper_bound",
        values: &["unset"],
        other: "a number",
        other_type: Some(ValueType::Number),
        default: "unset",
        doc: "largest possible value, or difference of a pair. The interval of mean_ci does not reach above it, \
              unless a value does. Intervals and paired_t_test judge equal values by it",
        set: |options, value| bound(value, f64::INFINITY).map(|bound| options.upper_bound = bound),
    },
    choice!("skewness", skewness: Skewness, "ignored",
        "treatment of skewness: it is ignored, or Hall's transformation takes it out of Student's t, which keeps \
         errors near the stated level for skewed values of few users, or Gaffke's test keeps them below it for values \
         between lower_bound and upper_bound (where one of these is unset, Hall's transformation takes its place)"),
    OptionSpec {
        name: "resamples",
        values: &[],
        other: "a whole number from 1 to 1000000",
        other_type: Some(ValueType::Integer),
        default: "10000",
        doc: "number of resamples. bootstrap_ci, randomization_test and tukey_hsd draw fewer or none for some sizes of \
              the sample, which their descriptions state",
        set: |options, value| {
            let whole = value.parse().ok().filter(|number| (1..=1_000_000).contains(number));
            whole.map(|number| options.resamples = number).ok_or(Invalid)
        },
    },
    OptionSpec {
        name: "seed",
        values: &[],
        other: "a whole number from 0 to 18446744073709551615",
        other_type: Some(ValueType::Integer),
        default: "0",
        doc: "seed of the random numbers; the same seed draws the same resamples",
        set: |options, value| value.parse().map(|number| options.seed = number).map_err(|_| Invalid),
    },
    OptionSpec {
        name: "alternative",
        values: Alternative::NAMES,
        other: "",
        other_type: None,
        default: "two_sided",
        doc: "alternative hypothesis: a and b differ, a is less than b, a is greater than b, or in the functions that take \
              a margin, the two are equivalent; SciPy's two-sided is two_sided",
        set: |options, value| {
            let name = value.replace('-', "_");
            Alternative::parse(&name).map(|alternative| options.alternative = alternative)
        },
    },
    OptionSpec {
        name: "margin",
        values: &[],
        other: "a finite number that is at least 0",
        other_type: Some(ValueType::Number),
        default: "0",
        doc: "mean difference that does not matter. With it, greater is the alternative that the mean difference is \
              above -margin (a is not inferior to b), less that it is below margin, and equivalence that it is between \
              the two",
        set: |options, value| at_least_0(value).map(|margin| options.margin = margin),
    },
    OptionSpec {
        name: "alpha",
        values: &[],
        other: "a number from 0.000000001 to 0.5",
        other_type: Some(ValueType::Number),
        default: "0.05",
        doc: "significance level of the test: the probability of a significant result if there is no difference",
        set: |options, value| {
            let level = finite(value).filter(|alpha| (1e-9..=0.5).contains(alpha));
            level.map(|alpha| options.alpha = alpha).ok_or(Invalid)
        },
    },
    OptionSpec {
        name: "power",
        values: &[],
        other: "a number between 0 and 1",
        other_type: Some(ValueType::Number),
        default: "0.8",
        doc: "probability of a significant result if there is a difference; it must be above alpha",
        set: |options, value| between_0_and_1(value).map(|power| options.power = power),
    },
    OptionSpec {
        name: "difference",
        values: &["unset"],
        other: "a number, above 0 without a margin",
        other_type: Some(ValueType::Number),
        default: "unset",
        doc: "size of the true mean difference that users_needed is for; with a margin, that difference itself, which \
              may be 0 or negative; unset: the observed one",
        set: |options, value| {
            options.difference = match value {
                "unset" => None,
                number => Some(finite(number).ok_or(Invalid)?),
            };
            Ok(())
        },
    },
    OptionSpec {
        name: "tolerance",
        values: &[],
        other: "a number that is at least 0",
        other_type: Some(ValueType::Number),
        default: "0",
        doc: "largest difference of a and b that is a tie, as a share of the larger of 1 and abs(b). A tie counts as a \
              difference of 0. In wilcoxon_signed_rank, abs(a - b) of two pairs tie likewise",
        set: |options, value| at_least_0(value).map(|tolerance| options.tolerance = tolerance),
    },
    choice!("correction", correction: Correction, "holm",
        "correction of p-values for the number m of tests. holm: the smallest p-value times m, the next one times m - \
         1 and so on, each at least the one before it; bonferroni: each p-value times m; benjamini_hochberg: the i-th \
         smallest p-value times m / i, each at most the one after it, which controls the false discovery rate. Results \
         are at most 1"),
];

/// A number between 0 and 1, both excluded.
fn between_0_and_1(value: &str) -> Result<f64, Invalid> {
    finite(value).filter(|number| 0.0 < *number && *number < 1.0).ok_or(Invalid)
}

/// A number that is not negative.
fn at_least_0(value: &str) -> Result<f64, Invalid> {
    finite(value).filter(|number| *number >= 0.0).ok_or(Invalid)
}

/// A bound of an interval: a number, or `unset`, which bounds nothing.
fn bound(value: &str, unset: f64) -> Result<f64, Invalid> {
    if value == "unset" { Ok(unset) } else { finite(value).ok_or(Invalid) }
}

/// Values of options with which more results are NULL: the option, its value, and an addition to the reason. Additions
/// follow the needs of the metric, as in "without a relevant item, or with nothing retrieved", in this order.
pub(crate) static NULL_REASONS: &[(&str, &str, &str)] = &[
    ("unjudged", "zero", " among what was judged and retrieved"),
    ("empty_rec", "null", ", or with nothing retrieved"),
    ("one_class", "null", ", or with only hits or only misses in the top k"),
];

/// Values of options with which a metric has no largest value: the option and its value.
pub(crate) static WITHOUT_LARGEST: &[(&str, &str)] = &[("rbp_gain", "linear")];

/// All options.
#[must_use]
pub fn options() -> &'static [OptionSpec] {
    OPTIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stated_default_of_every_option_is_the_default() {
        for option in OPTIONS {
            let mut options = Options::default();
            (option.set)(&mut options, option.default).expect("a default is a legal value");
            assert_eq!(options, Options::default(), "{}", option.name);
        }
    }

    #[test]
    fn other_values_have_a_type() {
        for option in OPTIONS {
            assert_eq!(option.other_type.is_some(), !option.other.is_empty(), "{}", option.name);
        }
    }

    #[test]
    fn reasons_are_those_of_existing_values() {
        let reasons = NULL_REASONS.iter().map(|(name, value, _)| (name, value));
        for (name, value) in reasons.chain(WITHOUT_LARGEST.iter().map(|(name, value)| (name, value))) {
            let option = OPTIONS.iter().find(|option| option.name == *name).expect("the option exists");
            assert!(option.values.contains(value), "{name}={value}");
        }
    }
}
