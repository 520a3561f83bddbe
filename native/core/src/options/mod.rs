//! The options: what each is called, what it may be, and the grammar they are written in.

pub mod choices;
pub mod conventions;
pub mod gain;

use serde::Serialize;

use crate::error::{Error, bail};
use crate::memory::Grow;
pub use crate::options::choices::*;
use crate::options::conventions::CONVENTIONS;
use crate::options::gain::Gain;

/// The least number above 0: `rel >= ABOVE_ZERO` is `rel > 0`.
const ABOVE_ZERO: f64 = f64::from_bits(1);

/// No relevance is above it.
const UNLIMITED: f64 = f64::INFINITY;

/// Two to this power is far from overflowing, and from anybody's grades.
const HIGHEST_GRADE: f64 = 100.0;

/// Every option with its value. [`Options::default`] is the default convention.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub precision_denominator: PrecisionDenominator,
    pub recall_denominator: RecallDenominator,
    pub ap_denominator: ApDenominator,
    pub ap_steps: ApSteps,
    pub gain: Gain,
    pub discount: Discount,
    pub ideal: Ideal,
    /// The least relevance of a relevant item in binary metrics.
    pub min_rel: f64,
    pub no_relevant: NoRelevant,
    pub empty_rec: EmptyRec,
    pub one_class: OneClass,
    pub auc_pairs: AucPairs,
    pub duplicates: Duplicates,
    pub unjudged: Unjudged,
    pub ties: Ties,
    pub score_type: ScoreType,
    /// The probability that a user goes on to the next item.
    pub p: f64,
    pub rbp_gain: RbpGain,
    /// The highest grade that there can be.
    pub max_rel: f64,
    /// The options of metrics for which a convention has others.
    pub own: Vec<(&'static str, Options)>,
    /// How often an interval should hold the mean.
    pub confidence: f64,
    pub resamples: u32,
    pub seed: u64,
    pub alternative: Alternative,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            precision_denominator: PrecisionDenominator::Retrieved,
            recall_denominator: RecallDenominator::Truth,
            ap_denominator: ApDenominator::Truth,
            ap_steps: ApSteps::Rank,
            gain: Gain::Exp2,
            discount: Discount::Log2,
            ideal: Ideal::Truth,
            min_rel: ABOVE_ZERO,
            no_relevant: NoRelevant::Null,
            empty_rec: EmptyRec::Zero,
            one_class: OneClass::Half,
            auc_pairs: AucPairs::Retrieved,
            duplicates: Duplicates::First,
            unjudged: Unjudged::Zero,
            ties: Ties::Average,
            score_type: ScoreType::Exact,
            p: 0.8,
            rbp_gain: RbpGain::Binary,
            max_rel: UNLIMITED,
            own: Vec::new(),
            confidence: 0.95,
            resamples: 10_000,
            seed: 0,
            alternative: Alternative::TwoSided,
        }
    }
}

impl Options {
    /// Whether binary metrics take an item of this relevance for relevant.
    #[must_use]
    #[inline]
    pub fn is_relevant(&self, rel: f64) -> bool {
        rel >= self.min_rel
    }

    /// The gain of a relevance.
    #[inline]
    pub(crate) fn gain(&self, rel: f64) -> Result<f64, Error> {
        self.gain.of(rel, self.min_rel)
    }

    /// Writes the gain of each relevance to `gains`.
    pub(crate) fn gains(&self, rels: &[f64], gains: &mut Vec<f64>) -> Result<(), Error> {
        gains.clear();
        gains.make_room(rels.len())?;
        for rel in rels {
            gains.push(self.gain(*rel)?);
        }
        Ok(())
    }

    /// Sets an option that exists to a value that it takes.
    fn set(&mut self, name: &str, value: &str) {
        let option = OPTIONS.iter().find(|option| option.name == name).expect("the option exists");
        (option.set)(self, value).expect("the option takes the value");
    }
}

/// Which options a function takes.
#[derive(Default)]
pub(crate) struct Taken {
    pub names: Vec<&'static str>,
    /// The option that the key `denominator` is short for.
    pub denominator: Option<&'static str>,
    /// What holds, whatever the convention, where an option is not given.
    pub defaults: &'static [(&'static str, &'static str)],
    /// The metrics whose options these are.
    pub metrics: Vec<&'static str>,
    /// Whether there are items by which ties can be broken.
    pub by_item: bool,
    /// Whether items come in an order by which ties can be broken.
    pub by_order: bool,
    /// Whether gains are all that the function is made of.
    pub only_gains: bool,
}

impl Taken {
    /// Reads `key=value, ...`.
    pub fn parse(&self, text: &str) -> Result<Options, Error> {
        let text = text.to_lowercase();
        let mut given: Vec<(&OptionSpec, &str)> = Vec::new();
        for pair in text.split(',').filter(|_| !text.trim().is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                bail!("options are written key=value, separated by commas, got '{}'", excerpt(pair.trim()));
            };
            let (key, value) = (key.trim(), value.trim());
            let name = self.denominator.filter(|_| key == "denominator").unwrap_or(key);
            let known = |option: &&OptionSpec| option.name == name && self.names.contains(&option.name);
            let Some(option) = OPTIONS.iter().find(known) else {
                let short = self.denominator.map(|_| "denominator");
                let names: Vec<&str> = short.into_iter().chain(self.names.iter().copied()).collect();
                bail!("unknown option '{}', the options here are {}", excerpt(key), names.join(", "));
            };
            if given.iter().any(|(before, _)| before.name == option.name) {
                bail!("option '{}' is given twice", option.name);
            }
            if (option.set)(&mut Options::default(), value).is_err() {
                bail!("{name} must be {}, got '{}'", option.allowed(), excerpt(value));
            }
            given.push((option, value));
        }
        let value =
            |name: &str| given.iter().find(|(option, _)| option.name == name).map(|(_, value)| *value);
        let convention = value("convention").and_then(conventions::find).unwrap_or(&CONVENTIONS[0]);
        let with = |metric: Option<&str>| {
            let mut options = Options::default();
            let preset = convention.options.iter().filter(|preset| preset.holds_for(metric));
            let preset = preset.map(|preset| (preset.option, preset.value));
            for (name, value) in
                preset.filter(|(name, _)| self.names.contains(name)).chain(self.defaults.iter().copied())
            {
                options.set(name, value);
            }
            for (option, value) in &given {
                options.set(option.name, value);
            }
            options
        };
        let mut options = with(None);
        let own = self.metrics.iter().filter(|metric| convention.is_own(metric));
        options.own = own.map(|metric| (*metric, with(Some(metric)))).collect();

        let broken = match options.ties {
            ties if ties.are_by_item() && !self.by_item => Some((
                "needs items: use rank_metrics_rows",
                "breaks ties by item: use rank_metrics_rows or evaluate",
            )),
            Ties::InputOrder if !self.by_order => Some((
                "needs lists, rows of a group have no order: use the scored form",
                "leaves ties in the order of the list: use the scored form",
            )),
            _ => None,
        };
        if let Some((needs, breaks)) = broken {
            match value("ties") {
                Some(ties) => bail!("ties={ties} {needs}"),
                None => bail!("convention={} {breaks}", convention.name),
            }
        }
        if self.names.contains(&"max_rel") && options.max_rel == UNLIMITED {
            bail!("max_rel is needed, the highest grade that there can be, such as max_rel=4");
        }
        if self.only_gains && options.min_rel != ABOVE_ZERO && options.gain != Gain::Binary {
            bail!("min_rel needs gain=binary here: with other gains every relevance counts");
        }
        Ok(options)
    }
}

/// An option as the catalogue shows it.
#[derive(Serialize)]
pub struct OptionSpec {
    pub name: &'static str,
    /// The names it takes.
    pub values: &'static [&'static str],
    /// What else it takes, in words.
    pub other: &'static str,
    pub default: &'static str,
    pub doc: &'static str,
    #[serde(skip)]
    set: fn(&mut Options, &str) -> Result<(), Invalid>,
}

impl OptionSpec {
    fn allowed(&self) -> String {
        let other = Some(self.other).filter(|other| !other.is_empty());
        let choices: Vec<&str> = self.values.iter().copied().chain(other).collect();
        match choices.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
            _ => choices.concat(),
        }
    }
}

/// One row of the table of options whose values are a list of names.
macro_rules! choice {
    ($name:literal, $field:ident: $choice:ident, $default:literal, $doc:literal) => {
        OptionSpec {
            name: $name,
            values: $choice::NAMES,
            other: "",
            default: $default,
            doc: $doc,
            set: |options, value| $choice::parse(value).map(|value| options.$field = value),
        }
    };
}

static OPTIONS: &[OptionSpec] = &[
    choice!("precision_denominator", precision_denominator: PrecisionDenominator, "retrieved",
        "what precision divides by: min(k, retrieved), or k"),
    choice!("recall_denominator", recall_denominator: RecallDenominator, "truth",
        "what recall divides by: the relevant items, or min(relevant, k)"),
    choice!("ap_denominator", ap_denominator: ApDenominator, "truth",
        "what average precision divides by: the relevant items, min(relevant, k), the hits in the top k, k, \
         or min(relevant, k, retrieved)"),
    choice!("ap_steps", ap_steps: ApSteps, "rank",
        "where average precision of items with scores measures the precision of a hit: at its rank, or after the last \
         item of its score in the top k"),
    OptionSpec {
        name: "gain",
        values: Gain::NAMES,
        other: "a gain for each grade from 0, such as 0:1:3:7",
        default: "exp2",
        doc: "gain of a relevance: 2^rel - 1, rel, 1 if relevant, or its place in a list of gains",
        set: |options, value| Gain::parse(value).map(|gain| options.gain = gain),
    },
    choice!("discount", discount: Discount, "log2",
        "discount at a rank: 1/log2(rank + 1), 1/log2(max(rank, 2)), or 1/ln(rank + 1)"),
    choice!("idcg", ideal: Ideal, "truth",
        "ranks of the ideal order: min(relevant, k), min(relevant, k, retrieved), or k ranks of gain 1"),
    OptionSpec {
        name: "min_rel",
        values: &["unset"],
        other: "a number above 0",
        default: "unset",
        doc: "least relevance of a relevant item in binary metrics and gain=binary; unset: above 0",
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
        default: "0.8",
        doc: "probability that a user goes on from an item to the next one",
        set: |options, value| {
            options.p = finite(value).filter(|p| 0.0 < *p && *p < 1.0).ok_or(Invalid)?;
            Ok(())
        },
    },
    choice!("rbp_gain", rbp_gain: RbpGain, "binary",
        "what a hit gains in rbp: 1, or its relevance, by which rbp may pass 1"),
    OptionSpec {
        name: "max_rel",
        values: &["unset"],
        other: "a number from 1 to 100",
        default: "unset",
        doc: "the highest relevance that there can be; err needs it, and a relevance above it is an error",
        set: |options, value| {
            options.max_rel = match value {
                "unset" => UNLIMITED,
                number => finite(number).filter(|rel| (1.0..=HIGHEST_GRADE).contains(rel)).ok_or(Invalid)?,
            };
            Ok(())
        },
    },
    choice!("no_relevant", no_relevant: NoRelevant, "null",
        "result where nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0"),
    choice!("empty_rec", empty_rec: EmptyRec, "zero",
        "result where nothing was retrieved: zero: 0, or what no_relevant says if nothing is relevant; null: NULL \
         in every case"),
    choice!("one_class", one_class: OneClass, "half",
        "AUC of only hits or only misses: 0.5, NULL, 0, or 1 for hits and 0 for misses"),
    choice!("auc_pairs", auc_pairs: AucPairs, "retrieved",
        "misses that AUC pairs with the hits: those retrieved, or k - hits"),
    choice!("duplicates", duplicates: Duplicates, "first",
        "the repeat of an item in rec: an irrelevant item, or counted again"),
    choice!("unjudged", unjudged: Unjudged, "zero",
        "a retrieved item without a judgement, in rankdcg: it has relevance 0, or it is left out; in two aligned lists \
         it is always left out"),
    choice!("ties", ties: Ties, "average",
        "order of tied items: average (the default but in rankdcg): the expected value over all orders; pessimistic (the \
         default in rankdcg): the least relevant item first; optimistic: the most relevant one first; input_order: \
         that of the list; item_asc, item_desc: that of the items, only in _rows and evaluate"),
    choice!("score_type", score_type: ScoreType, "exact",
        "how scores are compared: as they are, or rounded to floating point of 32 bits, in which more of them tie"),
    OptionSpec {
        name: "convention",
        values: conventions::NAMES,
        other: "",
        default: conventions::NAMES[0],
        doc: "what holds for options that are not given: what a page or another package does",
        set: |_, name| conventions::find(name).map(|_| ()).ok_or(Invalid),
    },
    OptionSpec {
        name: "confidence",
        values: &[],
        other: "a number between 0 and 1",
        default: "0.95",
        doc: "how often such an interval holds the true mean",
        set: |options, value| {
            let between = finite(value).filter(|number| 0.0 < *number && *number < 1.0);
            between.map(|number| options.confidence = number).ok_or(Invalid)
        },
    },
    OptionSpec {
        name: "resamples",
        values: &[],
        other: "a whole number from 1 to 1000000",
        default: "10000",
        doc: "how many resamples are drawn; bootstrap_ci and randomization_test draw fewer or none of large samples: see \
              there",
        set: |options, value| {
            let whole = value.parse().ok().filter(|number| (1..=1_000_000).contains(number));
            whole.map(|number| options.resamples = number).ok_or(Invalid)
        },
    },
    OptionSpec {
        name: "seed",
        values: &[],
        other: "a whole number from 0 to 18446744073709551615",
        default: "0",
        doc: "where random numbers start: the same seed draws the same resamples",
        set: |options, value| value.parse().map(|number| options.seed = number).map_err(|_| Invalid),
    },
    OptionSpec {
        name: "alternative",
        values: Alternative::NAMES,
        other: "",
        default: "two_sided",
        doc: "what the test looks for: that a and b differ, a is less than b, or a is greater than b; SciPy's \
              two-sided is two_sided",
        set: |options, value| {
            let name = value.replace('-', "_");
            Alternative::parse(&name).map(|alternative| options.alternative = alternative)
        },
    },
];

/// All options.
#[must_use]
pub fn options() -> &'static [OptionSpec] {
    OPTIONS
}

/// The beginning of a text, enough to find it by.
fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Options, String> {
        let taken = Taken {
            names: vec!["precision_denominator", "gain", "min_rel", "ties"],
            denominator: Some("precision_denominator"),
            defaults: &[],
            metrics: Vec::new(),
            by_item: false,
            by_order: true,
            only_gains: true,
        };
        taken.parse(text).map_err(|error| error.to_string())
    }

    #[test]
    fn the_stated_default_of_every_option_is_the_default() {
        for option in OPTIONS {
            let mut options = Options::default();
            (option.set)(&mut options, option.default).expect("a default is a legal value");
            assert_eq!(options, Options::default(), "{}", option.name);
        }
    }

    #[test]
    fn blanks_and_case_are_ignored() {
        let options = parse(" GAIN = Binary ,min_rel= 2").unwrap();
        assert_eq!((options.gain, options.min_rel), (Gain::Binary, 2.0));
        assert_eq!(parse(" "), Ok(Options::default()));
    }

    #[test]
    fn the_short_form_of_the_denominator_is_its_option() {
        assert_eq!(parse("denominator=k").unwrap().precision_denominator, PrecisionDenominator::K);
        assert_eq!(
            parse("denominator=k,precision_denominator=k").unwrap_err(),
            "option 'precision_denominator' is given twice"
        );
    }

    #[test]
    fn errors_name_the_value_and_what_is_allowed() {
        for (text, sentence) in [
            ("gain", "options are written key=value, separated by commas, got 'gain'"),
            ("gain=linear,", "options are written key=value, separated by commas, got ''"),
            (
                "gian=exp2",
                "unknown option 'gian', the options here are denominator, precision_denominator, gain, min_rel, ties",
            ),
            (
                "discount=ln",
                "unknown option 'discount', the options here are denominator, precision_denominator, gain, min_rel, ties",
            ),
            (
                "ties=worst",
                "ties must be average, pessimistic, optimistic, input_order, item_asc or item_desc, got 'worst'",
            ),
            ("ties=item_asc", "ties=item_asc needs items: use rank_metrics_rows"),
            ("min_rel=0", "min_rel must be unset or a number above 0, got '0'"),
            ("min_rel=nan", "min_rel must be unset or a number above 0, got 'nan'"),
            (
                "gain=0:-1",
                "gain must be exp2, linear, binary or a gain for each grade from 0, such as 0:1:3:7, got '0:-1'",
            ),
            (
                "gain=linear,min_rel=2",
                "min_rel needs gain=binary here: with other gains every relevance counts",
            ),
        ] {
            assert_eq!(parse(text).unwrap_err(), sentence);
        }
    }
}
