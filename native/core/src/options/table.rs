//! The table of options: the name, the type, the default, the values and the description of each.

use serde::Serialize;

use crate::options::choices::{
    Alternative, ApDenominator, ApSteps, AucPairs, Correction, Discount, Duplicates, EmptyRec, Ideal,
    Invalid, NoRelevant, NullScores, OneClass, PrecisionDenominator, RbpGain, RecallDenominator, ScoreType,
    Skewness, Ties, Unjudged, finite,
};
use crate::options::conventions;
use crate::options::gain::Gain;

/// The least positive number: `rel >= ABOVE_ZERO` means `rel > 0`.
pub(super) const ABOVE_ZERO: f64 = f64::from_bits(1);

/// The value of `max_rel` if it is unset: no relevance is above it.
pub(super) const UNLIMITED: f64 = f64::INFINITY;

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

/// The name of an option: that of its field, unless the row has another one.
macro_rules! name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $name:literal) => {
        $name
    };
}

/// The row of an option as the catalogue shows it. A description alone is enough if all values have names.
macro_rules! spec {
    ($field:ident, $name:expr, $kind:ty, $default:expr, ($doc:literal)) => {
        OptionSpec {
            name: $name,
            values: <$kind>::NAMES,
            other: "",
            other_type: None,
            default: $default.name(),
            doc: $doc,
            set: |options, value| <$kind>::parse(value).map(|value| options.$field = value),
        }
    };
    ($field:ident, $name:expr, $kind:ty, $default:expr, { $($rest:tt)+ }) => {
        OptionSpec { name: $name, $($rest)+ }
    };
}

/// Declares [`Options`] and the table of options: for each option its field, the value if it is not given, and how the
/// catalogue shows it.
macro_rules! options {
    ($($(#[$doc:meta])* $field:ident $(as $name:literal)?: $kind:ty = $default:expr, $spec:tt;)+) => {
        /// A value for every option. [`Options::default`] has the values of the default convention.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Options {
            $($(#[$doc])* pub $field: $kind,)+
        }

        impl Default for Options {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        /// Every option.
        pub(super) static OPTIONS: &[OptionSpec] =
            &[$(spec!($field, name!($field $($name)?), $kind, $default, $spec),)+];
    };
}

options! {
    /// The denominator of precision.
    precision_denominator: PrecisionDenominator = PrecisionDenominator::Retrieved,
        ("denominator of precision: min(k, retrieved), or k");
    /// The denominator of recall.
    recall_denominator: RecallDenominator = RecallDenominator::Truth,
        ("denominator of recall: the number of relevant items, or min(relevant, k)");
    /// The denominator of average precision.
    ap_denominator: ApDenominator = ApDenominator::Truth,
        ("denominator of average precision: the number of relevant items, min(relevant, k), the hits in the top k, k, \
         or min(relevant, k, retrieved)");
    /// The rank at which average precision measures the precision of a hit.
    ap_steps: ApSteps = ApSteps::Rank,
        ("rank at which average precision of items with scores measures the precision of a hit: the rank of the hit, or \
         the last rank of its score in the top k");
    /// The function from relevances to gains.
    gain: Gain = Gain::Exp2, {
        values: Gain::NAMES,
        other: "a gain for each grade from 0, such as 0:1:3:7",
        other_type: Some(ValueType::Numbers),
        default: "exp2",
        doc: "gain of a relevance: 2^rel - 1, rel, 1 if relevant, or the number at index rel (from 0) of a list of \
              gains",
        set: |options, value| Gain::parse(value).map(|gain| options.gain = gain),
    };
    /// The discount of gains by rank.
    discount: Discount = Discount::Log2,
        ("discount at a rank, where ranks start at 1: 1/log2(rank + 1), 1/log2(max(rank, 2)), or 1/ln(rank + 1)");
    /// The number of ranks of the ideal ranking.
    ideal as "idcg": Ideal = Ideal::Truth,
        ("number of ranks in the ideal order: min(relevant, k), min(relevant, k, retrieved), or k, each with gain 1");
    /// The least relevance of a relevant item in binary metrics.
    min_rel: f64 = ABOVE_ZERO, {
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
    };
    /// The probability that a user goes on to the next item.
    p: f64 = 0.8, {
        values: &[],
        other: "a number between 0 and 1",
        other_type: Some(ValueType::Number),
        default: "0.8",
        doc: "probability that a user continues to the next item",
        set: |options, value| between_0_and_1(value).map(|p| options.p = p),
    };
    /// The gain of a hit in rank-biased precision.
    rbp_gain: RbpGain = RbpGain::Binary,
        ("gain of a hit in rbp: 1, or its relevance. With relevances, rbp may exceed 1");
    /// The highest relevance allowed.
    max_rel: f64 = UNLIMITED, {
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
    };
    /// The result if no item is relevant.
    no_relevant: NoRelevant = NoRelevant::Null,
        ("result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0");
    /// The result if nothing was retrieved.
    empty_rec: EmptyRec = EmptyRec::Zero,
        ("result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null: NULL in \
         every case");
    /// The AUC if the top k has only hits or only misses.
    one_class: OneClass = OneClass::Half,
        ("AUC of a ranking with hits only or misses only: 0.5, NULL, 0, or 1 for hits and 0 for misses");
    /// The misses that AUC pairs the hits with.
    auc_pairs: AucPairs = AucPairs::Retrieved,
        ("number of misses that AUC pairs with the hits: the retrieved ones, or k - hits");
    /// The treatment of repeats of an item in `rec`.
    duplicates: Duplicates = Duplicates::First,
        ("treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence");
    /// The treatment of retrieved items that are not judged, in metrics of the whole order.
    unjudged: Unjudged = Unjudged::Zero,
        ("treatment of a retrieved item without a judgement in rankdcg: it has relevance 0, or it is left out. In two \
         aligned lists it is always left out");
    /// The order of tied items.
    ties: Ties = Ties::Average,
        ("order of tied items. average: the expected value over all orders; pessimistic: the least relevant item first; \
         optimistic: the most relevant item first; input_order: the order of the list; item_asc, item_desc: by item, \
         in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default pessimistic, and ranked_list \
         item_asc");
    /// The precision in which scores are compared.
    score_type: ScoreType = ScoreType::Exact,
        ("precision in which scores are compared: their own, or floating point of 32 bits, in which more of them tie");
    /// The place of items without a score in a list by score.
    null_scores: NullScores = NullScores::Last,
        ("treatment of items without a score in ranked_list: they come last, or they are left out");
    /// Per-metric options from the convention: the short name of each metric that it overrides, and the options for it.
    per_metric as "convention": Vec<(&'static str, Options)> = Vec::new(), {
        values: conventions::NAMES,
        other: "",
        other_type: None,
        default: conventions::NAMES[0],
        doc: "defaults of all other options: those of Hivemall's page, or those that reproduce another package",
        set: |_, name| conventions::find(name).map(|_| ()).ok_or(Invalid),
    };
    /// The confidence level of intervals, between 0 and 1.
    confidence: f64 = 0.95, {
        values: &[],
        other: "a number between 0 and 1",
        other_type: Some(ValueType::Number),
        default: "0.95",
        doc: "confidence level of the interval",
        set: |options, value| between_0_and_1(value).map(|level| options.confidence = level),
    };
    /// The least possible value, or difference of a pair.
    lower_bound: f64 = f64::NEG_INFINITY, {
        values: &["unset"],
        other: "a number",
        other_type: Some(ValueType::Number),
        default: "unset",
        doc: "least possible value, or difference of a pair. The interval of mean_ci does not reach below it, \
              unless a value does. Intervals and paired_t_test judge equal values by it",
        set: |options, value| bound(value, f64::NEG_INFINITY).map(|bound| options.lower_bound = bound),
    };
    /// The largest possible value, or difference of a pair.
    upper_bound: f64 = f64::INFINITY, {
        values: &["unset"],
        other: "a number",
        other_type: Some(ValueType::Number),
        default: "unset",
        doc: "largest possible value, or difference of a pair. The interval of mean_ci does not reach above it, \
              unless a value does. Intervals and paired_t_test judge equal values by it",
        set: |options, value| bound(value, f64::INFINITY).map(|bound| options.upper_bound = bound),
    };
    /// The treatment of skewness.
    skewness: Skewness = Skewness::Ignored,
        ("treatment of skewness: it is ignored, or Hall's transformation takes it out of Student's t, which keeps \
         errors near the stated level for skewed values of few users, or Gaffke's test keeps them below it for values \
         between lower_bound and upper_bound (where one of these is unset, Hall's transformation takes its place)");
    /// How many resamples are drawn.
    resamples: u32 = 10_000, {
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
    };
    /// The seed of random numbers.
    seed: u64 = 0, {
        values: &[],
        other: "a whole number from 0 to 18446744073709551615",
        other_type: Some(ValueType::Integer),
        default: "0",
        doc: "seed of the random numbers; the same seed draws the same resamples",
        set: |options, value| value.parse().map(|number| options.seed = number).map_err(|_| Invalid),
    };
    /// The alternative hypothesis of tests.
    alternative: Alternative = Alternative::TwoSided, {
        values: Alternative::NAMES,
        other: "",
        other_type: None,
        default: Alternative::TwoSided.name(),
        doc: "alternative hypothesis: a and b differ, a is less than b, a is greater than b, or in the functions that take \
              a margin, the two are equivalent; SciPy's two-sided is two_sided",
        set: |options, value| {
            let name = value.replace('-', "_");
            Alternative::parse(&name).map(|alternative| options.alternative = alternative)
        },
    };
    /// How far a mean difference may be from 0 on the side that the alternative allows.
    margin: f64 = 0.0, {
        values: &[],
        other: "a finite number that is at least 0",
        other_type: Some(ValueType::Number),
        default: "0",
        doc: "mean difference that does not matter. With it, greater is the alternative that the mean difference is \
              above -margin (a is not inferior to b), less that it is below margin, and equivalence that it is between \
              the two",
        set: |options, value| at_least_0(value).map(|margin| options.margin = margin),
    };
    /// The significance level of a test whose power is computed.
    alpha: f64 = 0.05, {
        values: &[],
        other: "a number from 0.000000001 to 0.5",
        other_type: Some(ValueType::Number),
        default: "0.05",
        doc: "significance level of the test: the probability of a significant result if there is no difference",
        set: |options, value| {
            let level = finite(value).filter(|alpha| (1e-9..=0.5).contains(alpha));
            level.map(|alpha| options.alpha = alpha).ok_or(Invalid)
        },
    };
    /// The probability of a significant result if the difference exists.
    power: f64 = 0.8, {
        values: &[],
        other: "a number between 0 and 1",
        other_type: Some(ValueType::Number),
        default: "0.8",
        doc: "probability of a significant result if there is a difference; it must be above alpha",
        set: |options, value| between_0_and_1(value).map(|power| options.power = power),
    };
    /// The size of the mean difference that is to be found; `None` for the observed one.
    difference: Option<f64> = None, {
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
    };
    /// How far two values of a pair may differ and still tie, as a share of the second value or of 1, whichever is
    /// more.
    tolerance: f64 = 0.0, {
        values: &[],
        other: "a number that is at least 0",
        other_type: Some(ValueType::Number),
        default: "0",
        doc: "largest difference of a and b that is a tie, as a share of the larger of 1 and abs(b). A tie counts as a \
              difference of 0. In wilcoxon_signed_rank, abs(a - b) of two pairs tie likewise",
        set: |options, value| at_least_0(value).map(|tolerance| options.tolerance = tolerance),
    };
    /// The correction of p-values.
    correction: Correction = Correction::Holm,
        ("correction of p-values for the number m of tests. holm: the smallest p-value times m, the next one times m - \
         1 and so on, each at least the one before it; bonferroni: each p-value times m; benjamini_hochberg: the i-th \
         smallest p-value times m / i, each at most the one after it, which controls the false discovery rate. Results \
         are at most 1");
}

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
