//! The table of options: the name, the type, the default, the values and the description of each.

use serde::Serialize;

use crate::options::choices::{
    Alternative, ApDenominator, ApSteps, AucPairs, Correction, Discount, Duplicates, EmptyRec, Explained,
    Ideal, Invalid, NoRelevant, NullScores, OneClass, OverlapDenominator, Patience, PrecisionDenominator,
    RboTies, RboUnseen, RbpGain, RecallDenominator, ScoreType, Skewness, Ties, Unjudged, finite,
};
use crate::options::conventions;
use crate::options::gain::{Gain, Worth};

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
    Number,
    Integer,
    /// A list of numbers, written with colons between them.
    Numbers,
}

/// An option as the catalogue shows it.
#[derive(Serialize)]
pub struct OptionSpec {
    pub name: &'static str,
    /// The values it takes, as far as they have names.
    pub values: &'static [&'static str],
    /// The other values it takes, in words; empty if there are none.
    pub other: &'static str,
    /// The type of these other values; `None` if there are none.
    pub other_type: Option<ValueType>,
    pub default: &'static str,
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

/// The row of an option as the catalogue shows it. A description alone is enough if all values have names. A number has
/// its values in words, the default as it is shown, and a parser; an option that may be `unset` has its default then.
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
    ($field:ident, $name:expr, $kind:ty, $default:expr, { unset or $other:literal, $parse:expr, $doc:literal }) => {
        OptionSpec {
            name: $name,
            values: &["unset"],
            other: $other,
            other_type: Some(ValueType::Number),
            default: "unset",
            doc: $doc,
            set: |options, value| {
                let parse: fn(&str) -> Result<$kind, Invalid> = $parse;
                options.$field = if value == "unset" { $default } else { parse(value)? };
                Ok(())
            },
        }
    };
    (
        $field:ident, $name:expr, $kind:ty, $default:expr,
        { $type:ident: $other:literal, $shown:literal, $parse:expr, $doc:literal }
    ) => {
        OptionSpec {
            name: $name,
            values: &[],
            other: $other,
            other_type: Some(ValueType::$type),
            default: $shown,
            doc: $doc,
            set: |options, value| {
                let parse: fn(&str) -> Result<$kind, Invalid> = $parse;
                parse(value).map(|value| options.$field = value)
            },
        }
    };
    ($field:ident, $name:expr, $kind:ty, $default:expr, { $($rest:tt)+ }) => {
        OptionSpec { name: $name, $($rest)+ }
    };
}

/// Declares [`Options`] and the table of options: the field of each, its default, and how the catalogue shows it.
macro_rules! options {
    ($($field:ident $(as $name:literal)?: $kind:ty = $default:expr, $spec:tt;)+) => {
        /// A value for every option, which its row describes. [`Options::default`] has those of the default convention.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Options {
            $(pub $field: $kind,)+
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
    metric: Explained = Explained::Ndcg,
        ("metric that rank_explain explains; the other options are those of this metric");
    precision_denominator: PrecisionDenominator = PrecisionDenominator::Retrieved,
        ("denominator of precision: min(k, retrieved), or k");
    recall_denominator: RecallDenominator = RecallDenominator::Truth,
        ("denominator of recall: the number of relevant items, or min(relevant, k)");
    beta: f64 = 1.0, {
        Number: "a number above 0, up to 1000", "1", |value| number(value, |beta| 0.0 < beta && beta <= 1000.0),
        "weight of recall in f1, as a multiple of that of precision: F is (1 + beta^2) * precision * recall / \
         (beta^2 * precision + recall)"
    };
    ap_denominator: ApDenominator = ApDenominator::Truth,
        ("denominator of average precision: the number of relevant items, min(relevant, k), the hits in the top k, k, \
         or min(relevant, k, retrieved)");
    ap_steps: ApSteps = ApSteps::Rank,
        ("rank at which average precision of items with scores measures the precision of a hit: the rank of the hit, or \
         the last rank of its score in the top k");
    gain: Gain = Gain::Exp2, {
        values: Gain::NAMES,
        other: "a gain for each grade from 0, such as 0:1:3:7",
        other_type: Some(ValueType::Numbers),
        default: "exp2",
        doc: "gain of a relevance: 2^rel - 1, rel, 1 if relevant, or the number at index rel (from 0) of a list of \
              gains. q_measure has the default linear",
        set: |options, value| Gain::parse(value).map(|gain| options.gain = gain),
    };
    discount: Discount = Discount::Log2,
        ("discount at a rank, where ranks start at 1: 1/log2(rank + 1), 1/log2(max(rank, 2)), or 1/ln(rank + 1)");
    ideal as "idcg": Ideal = Ideal::Truth,
        ("number of ranks in the ideal order: min(relevant, k), min(relevant, k, retrieved), or k, each with gain 1");
    min_rel: f64 = ABOVE_ZERO, {
        unset or "a number above 0", |value| number(value, |least| least > 0.0),
        "least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance above 0"
    };
    p: f64 = 0.8, {
        Number: "a number between 0 and 1", "0.8", between_0_and_1,
        "probability that a user continues to the next item. rbo has the default 0.9, nrbp and nnrbp 0.5"
    };
    redundancy_intolerance: f64 = 0.5, {
        Number: "a number from 0 to 1", "0.5", |value| number(value, |share| (0.0..=1.0).contains(&share)),
        "alpha of alpha-nDCG and of measures like it: the share that an item's gain for an aspect loses with each item \
         above that has the aspect, too"
    };
    rbp_gain: RbpGain = RbpGain::Binary,
        ("gain of a hit in rbp: 1, or its relevance. With relevances, rbp may exceed 1");
    rbo_ties: RboTies = RboTies::Average,
        ("treatment of items with equal scores in rbo, as Corsi and Urbano name it: they share the first of their ranks (w), the \
         value is the mean over their orders (a), or is also corrected for the ties of each list, so that equal lists have 1 (b)");
    rbo_unseen: RboUnseen = RboUnseen::Extrapolate,
        ("treatment of ranks below the two lists in rbo: the agreement is extrapolated, or the items there give the least or \
         the largest possible value");
    overlap_denominator: OverlapDenominator = OverlapDenominator::Longer,
        ("denominator of overlap, after the lists are cut at k: the number of items in the longer or in the shorter list, or \
         k; without k, that is the longer list");
    q_beta: f64 = 1.0, {
        Number: "a finite number that is at least 0", "1", at_least_0,
        "weight of gains beside hits in q_measure; 0 leaves gains out"
    };
    patience: Patience = Patience::None,
        ("probability in nearly_err that a user who did not stop at the item of a rank goes on to the next rank: 1, \
          rank / (rank + 1), p, or ((rank + 2 t - 1) / (rank + 2 t))^2");
    t: f64 = 1.0, {
        Number: "a number above 0", "1", |value| number(value, |goal| goal > 0.0),
        "total gain that a user wants, where a relevance of max_rel has gain 1"
    };
    recall: f64 = 0.1, {
        Number: "a number from 0 to 1", "0.1", |value| number(value, |level| (0.0..=1.0).contains(&level)),
        "least recall at the ranks of which iprec is the largest precision"
    };
    worth: Worth = Worth::USUAL, {
        Numbers: "three numbers from -1000000 to 1000000, such as 1:-1:0", "1:-1:0", Worth::parse,
        "worth in utility of a relevant item in the top k, of another item there, and of a relevant item that is not there"
    };
    max_rel: f64 = UNLIMITED, {
        unset or "a number from 1 to 100", |value| number(value, |rel| (1.0..=HIGHEST_GRADE).contains(&rel)),
        "largest possible relevance; the metrics that take it require it, and a larger relevance is an error"
    };
    no_relevant: NoRelevant = NoRelevant::Null,
        ("result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0");
    empty_rec: EmptyRec = EmptyRec::Zero,
        ("result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null: NULL in \
         every case");
    one_class: OneClass = OneClass::Half,
        ("AUC of a ranking with hits only or misses only: 0.5, NULL, 0, or 1 for hits and 0 for misses");
    auc_pairs: AucPairs = AucPairs::Retrieved,
        ("number of misses that AUC pairs with the hits: the retrieved ones, or k - hits");
    duplicates: Duplicates = Duplicates::First,
        ("treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence");
    unjudged: Unjudged = Unjudged::Zero,
        ("treatment of a retrieved item without a judgement: it has relevance 0, or it leaves the ranking before this is \
         cut at k, and so does a repeat that counts as an irrelevant item. rankdcg of two aligned lists always leaves it \
         out");
    ties: Ties = Ties::Average,
        ("order of tied items. average: the expected value over all orders; pessimistic: the least relevant item first; \
         optimistic: the most relevant item first; input_order: the order of the list; item_asc, item_desc: by item, \
         in _rows, _by_user, ranked_list, measures of aspects and evaluate only. rankdcg has the default pessimistic, and ranked_list \
         item_asc");
    score_type: ScoreType = ScoreType::Exact,
        ("precision in which scores are compared: their own, or floating point of 32 bits, in which more of them tie");
    null_scores: NullScores = NullScores::Last,
        ("treatment of items without a score in ranked_list: they come last, or they are left out");
    // The short name of each metric for which the convention has other options, and these.
    per_metric as "convention": Vec<(&'static str, Options)> = Vec::new(), {
        values: conventions::NAMES,
        other: "",
        other_type: None,
        default: conventions::NAMES[0],
        doc: "defaults of all other options: those of Hivemall's page, or those that reproduce another package",
        set: |_, name| conventions::find(name).map(|_| ()).ok_or(Invalid),
    };
    confidence: f64 = 0.95, {
        Number: "a number between 0 and 1", "0.95", between_0_and_1,
        "confidence level of the interval"
    };
    lower_bound: f64 = f64::NEG_INFINITY, {
        unset or "a number", any_number,
        "least possible value, or difference of a pair. The interval of mean_ci does not reach below it, \
         unless a value does. Intervals and paired_t_test judge equal values by it"
    };
    upper_bound: f64 = f64::INFINITY, {
        unset or "a number", any_number,
        "largest possible value, or difference of a pair. The interval of mean_ci does not reach above it, \
         unless a value does. Intervals and paired_t_test judge equal values by it"
    };
    skewness: Skewness = Skewness::Ignored,
        ("treatment of skewness: it is ignored, or Hall's transformation takes it out of Student's t, which keeps \
         errors near the stated level for skewed values of few users, or Gaffke's test keeps them below it for values \
         between lower_bound and upper_bound (where one of these is unset, Hall's transformation takes its place)");
    resamples: u32 = 10_000, {
        Integer: "a whole number from 1 to 1000000", "10000",
        |value| value.parse().ok().filter(|count| (1..=1_000_000).contains(count)).ok_or(Invalid),
        "number of resamples. bootstrap_ci, randomization_test and tukey_hsd draw fewer or none for some sizes of \
         the sample, which their descriptions state"
    };
    narrowest_at: u32 = 100, {
        Integer: "a whole number from 1 to 1000000000", "100",
        |value| value.parse().ok().filter(|count| (1..=1_000_000_000).contains(count)).ok_or(Invalid),
        "number of values for which the interval of anytime_mean_ci is about as narrow as it can be. It must be chosen \
         before the values are seen"
    };
    seed: u64 = 0, {
        Integer: "a whole number from 0 to 18446744073709551615", "0",
        |value| value.parse().map_err(|_| Invalid),
        "seed of the random numbers; the same seed draws the same resamples"
    };
    threads: usize = 1, {
        Integer: "a whole number that is at least 1", "1",
        |value| value.parse().ok().filter(|count| *count > 0).ok_or(Invalid),
        "number of threads that read the lists and compute the measures of a call of rank_items, at most. It changes no \
         value"
    };
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
    margin: f64 = 0.0, {
        Number: "a finite number that is at least 0", "0", at_least_0,
        "mean difference that does not matter. With it, greater is the alternative that the mean difference is \
         above -margin (a is not inferior to b), less that it is below margin, and equivalence that it is between \
         the two"
    };
    alpha: f64 = 0.05, {
        Number: "a number from 0.000000001 to 0.5", "0.05",
        |value| number(value, |alpha| (1e-9..=0.5).contains(&alpha)),
        "significance level of the test: the probability of a significant result if there is no difference"
    };
    power: f64 = 0.8, {
        Number: "a number between 0 and 1", "0.8", between_0_and_1,
        "probability of a significant result if there is a difference; it must be above alpha"
    };
    difference: Option<f64> = None, {
        unset or "a number, above 0 without a margin", |value| any_number(value).map(Some),
        "size of the true mean difference that users_needed is for; with a margin, that difference itself, which \
         may be 0 or negative; unset: the observed one"
    };
    tolerance: f64 = 0.0, {
        Number: "a number that is at least 0", "0", at_least_0,
        "largest difference of a and b that is a tie, as a share of the larger of 1 and abs(b). A tie counts as a \
         difference of 0. In wilcoxon_signed_rank, abs(a - b) of two pairs tie likewise"
    };
    correction: Correction = Correction::Holm,
        ("correction of p-values for the number m of tests. holm: the smallest p-value times m, the next one times m - \
         1 and so on, each at least the one before it; bonferroni: each p-value times m; benjamini_hochberg: the i-th \
         smallest p-value times m / i, each at most the one after it, which controls the false discovery rate. Results \
         are at most 1");
}

fn number(value: &str, is_allowed: fn(f64) -> bool) -> Result<f64, Invalid> {
    finite(value).filter(|number| is_allowed(*number)).ok_or(Invalid)
}

fn any_number(value: &str) -> Result<f64, Invalid> {
    number(value, |_| true)
}

/// A number between 0 and 1, both excluded.
fn between_0_and_1(value: &str) -> Result<f64, Invalid> {
    number(value, |number| 0.0 < number && number < 1.0)
}

fn at_least_0(value: &str) -> Result<f64, Invalid> {
    number(value, |number| number >= 0.0)
}

/// Values of options with which more results are NULL: the option, its value, and an addition to the reason. Additions
/// follow the needs of the metric, as in "without a relevant item, or with nothing retrieved", in this order.
pub(crate) static NULL_REASONS: &[(&str, &str, &str)] = &[
    ("empty_rec", "null", ", or with nothing retrieved"),
    ("one_class", "null", ", or with only hits or only misses in the top k"),
    ("overlap_denominator", "shorter", ", or with an empty list"),
];

/// Values of options with which a metric has no largest value: the option and its value.
pub(crate) static WITHOUT_LARGEST: &[(&str, &str)] = &[("rbp_gain", "linear")];

pub fn options() -> &'static [OptionSpec] {
    OPTIONS
}
