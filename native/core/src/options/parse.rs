//! The parser of options, which are written `key=value, key=value`.

use serde::Serialize;

use crate::error::{Error, bail};
use crate::options::choices::{Alternative, Ties};
use crate::options::conventions::{self, CONVENTIONS, Convention};
use crate::options::gain::Gain;
use crate::options::table::{ABOVE_ZERO, OPTIONS, OptionSpec, Options, UNLIMITED};

/// The options that a function takes, and the rules for them.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools)] // each is a question of its own
pub(crate) struct OptionSchema {
    pub names: Vec<&'static str>,
    /// The option that the key `denominator` sets.
    pub denominator: Option<&'static str>,
    /// Defaults of the function (name, value), which precede those of any convention.
    pub defaults: &'static [(&'static str, &'static str)],
    /// The metrics of the function, by short name.
    pub metrics: Vec<&'static str>,
    /// Whether ties can be broken by item, because the function reads items.
    pub by_item: bool,
    /// Whether ties can be broken by input order, because the function reads lists.
    pub by_order: bool,
    /// Whether ties can be broken by item alone, because the function reads no relevances.
    pub only_by_item: bool,
    /// Whether no order of tied items is the worst or the best, because they are relevant to several aspects.
    pub of_aspects: bool,
    /// Whether metrics read gains alone, so that `min_rel` needs `gain=binary`.
    pub only_gains: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    Default,
    Convention,
    /// The default of the function, which may be that of its metric.
    Metric,
    Given,
}

/// The value that an option has in a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OptionValue {
    pub name: &'static str,
    /// The value as text, in lower case.
    pub value: String,
    pub origin: Origin,
}

/// The options of a text, each with its value.
struct Given<'a>(Vec<(&'static OptionSpec, &'a str)>);

impl<'a> Given<'a> {
    /// The value of an option; `None` if it is not given.
    fn value(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(option, _)| option.name == name).map(|(_, value)| *value)
    }

    /// The convention; the default one if none is given.
    fn convention(&self) -> &'static Convention {
        self.value("convention").and_then(conventions::find).unwrap_or(&CONVENTIONS[0])
    }
}

impl OptionSchema {
    /// Parses options. Case and blanks do not matter.
    pub fn parse(&self, text: &str) -> Result<Options, Error> {
        let text = text.to_lowercase();
        let given = self.given(&text)?;
        let convention = given.convention();
        let options_for = |metric: Option<&str>| {
            let mut options = Options::default();
            for (name, value, _) in self.values(&given, metric) {
                set(&mut options, name, value);
            }
            options
        };
        let mut options = options_for(None);
        let own = self.metrics.iter().filter(|metric| convention.overrides(metric));
        options.per_metric = own.map(|metric| (*metric, options_for(Some(metric)))).collect();

        // The errors if the function refuses these `ties`: about the option, and about a convention that sets it.
        let refused = match options.ties {
            ties if ties.are_by_item() && !self.by_item => Some((
                "needs items: use rank_metrics_rows",
                "breaks ties by item: use rank_metrics_rows or evaluate",
            )),
            Ties::InputOrder if !self.by_order => Some((
                "needs lists, rows of a group have no order: use the scored form",
                "leaves ties in the order of the list, which rows do not have: give ties=average",
            )),
            Ties::Pessimistic | Ties::Optimistic if self.of_aspects => {
                let why = "is not defined: an order may be good for one aspect and bad for another";
                Some((why, why))
            }
            ties if !ties.are_by_item() && self.only_by_item => {
                Some(("needs relevances: use item_asc or item_desc", "orders tied items by relevance"))
            }
            _ => None,
        };
        if let Some((about_option, about_convention)) = refused {
            match given.value("ties") {
                Some(ties) => bail!("ties" => "ties={ties} {about_option}"),
                None => bail!("convention" => "convention={} {about_convention}", convention.name),
            }
        }
        if self.names.contains(&"max_rel") && options.max_rel == UNLIMITED {
            bail!("max_rel" => "max_rel must be given, the highest possible grade, such as max_rel=4");
        }
        if self.only_gains && options.min_rel != ABOVE_ZERO && options.gain != Gain::Binary {
            bail!("min_rel" => "min_rel needs gain=binary here: with other gains every relevance counts");
        }
        if options.lower_bound > options.upper_bound {
            let (lower, upper) = (options.lower_bound, options.upper_bound);
            bail!("lower_bound" => "lower_bound must not be above upper_bound, {upper}, got {lower}");
        }
        self.check_alternative(&options)?;
        if self.names.contains(&"power") && options.power <= options.alpha {
            bail!("power" => "power must be above alpha, {}, got {}", options.alpha, options.power);
        }
        Ok(options)
    }

    /// Checks that the alternative, the margin and the difference to be found go together.
    fn check_alternative(&self, options: &Options) -> Result<(), Error> {
        let is_equivalence = options.alternative == Alternative::Equivalence;
        if is_equivalence && !self.names.contains(&"margin") {
            bail!("alternative" => "alternative=equivalence needs a margin: use paired_t_test");
        }
        if is_equivalence && options.margin == 0.0 {
            bail!("margin" => "margin must be above 0 with alternative=equivalence, got 0");
        }
        if options.alternative == Alternative::TwoSided && options.margin > 0.0 {
            let margin = options.margin;
            bail!("margin" => "margin needs alternative=less, greater or equivalence, got margin={margin}");
        }
        if let Some(size) = options.difference.filter(|size| *size <= 0.0 && options.margin == 0.0) {
            bail!("difference" => "difference must be unset or a number, above 0 without a margin, got '{size}'");
        }
        Ok(())
    }

    /// The value of each option that the function takes, for the options in a text. For a function of several metrics,
    /// presets that the convention limits to some metrics are left out. Whether values go together is not checked.
    pub fn resolve(&self, text: &str) -> Result<Vec<OptionValue>, Error> {
        let text = text.to_lowercase();
        let given = self.given(&text)?;
        let metric = match self.metrics[..] {
            [metric] => Some(metric),
            _ => None,
        };
        let resolved = |option: &OptionSpec| {
            let values = self.values(&given, metric).filter(|(name, ..)| *name == option.name);
            let (name, value, origin) =
                values.last().unwrap_or((option.name, option.default, Origin::Default));
            OptionValue { name, value: value.to_owned(), origin }
        };
        let option = |name: &&str| OPTIONS.iter().find(|option| option.name == *name);
        Ok(self.names.iter().filter_map(option).map(resolved).collect())
    }

    /// The options of a text, each with its value in lower case, as [`Self::parse`] reads them.
    pub fn pairs(&self, text: &str) -> Result<Vec<(&'static str, String)>, Error> {
        let text = text.to_lowercase();
        let given = self.given(&text)?;
        Ok(given.0.iter().map(|(option, value)| (option.name, (*value).to_owned())).collect())
    }

    /// The options of a text in lower case; an error for one that the function does not take, for a value that its
    /// option does not take, and for repeats.
    fn given<'a>(&self, text: &'a str) -> Result<Given<'a>, Error> {
        let mut given = Given(Vec::new());
        // A blank text has no pairs.
        for pair in text.split(',').filter(|_| !text.trim().is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                let written = excerpt(pair.trim());
                bail!("options" => "options are written key=value, separated by commas, got '{written}'");
            };
            let (key, value) = (key.trim(), value.trim());
            let name = self.denominator.filter(|_| key == "denominator").unwrap_or(key);
            let known = |option: &&OptionSpec| option.name == name && self.names.contains(&option.name);
            let Some(option) = OPTIONS.iter().find(known) else {
                let short = self.denominator.map(|_| "denominator");
                let none = Some("none").filter(|_| self.names.is_empty());
                let names: Vec<&str> =
                    short.into_iter().chain(self.names.iter().copied()).chain(none).collect();
                let (written, names) = (excerpt(key), names.join(", "));
                bail!("options" => "unknown option '{written}', the options here are {names}");
            };
            if given.value(option.name).is_some() {
                bail!(option.name => "option '{}' is given twice", option.name);
            }
            // Tried on other options, so that the value can be set later without an error.
            if (option.set)(&mut Options::default(), value).is_err() {
                bail!(name => "{name} must be {}, got '{}'", option.allowed(), excerpt(value));
            }
            given.0.push((option, value));
        }
        Ok(given)
    }

    /// Every value in the place of a default, the last one wins: presets of the convention, defaults of the function,
    /// given values. Presets that are limited to some metrics apply if `metric` is one of them.
    fn values<'a>(
        &'a self,
        given: &'a Given,
        metric: Option<&'a str>,
    ) -> impl Iterator<Item = (&'static str, &'a str, Origin)> {
        let presets = given.convention().options.iter();
        let presets =
            presets.filter(move |preset| preset.holds_for(metric) && self.names.contains(&preset.option));
        let presets = presets.map(|preset| (preset.option, preset.value, Origin::Convention));
        let defaults = self.defaults.iter().map(|(name, value)| (*name, *value, Origin::Metric));
        let given = given.0.iter().map(|(option, value)| (option.name, *value, Origin::Given));
        presets.chain(defaults).chain(given)
    }
}

/// Sets an option, which must exist, to a value that it takes.
fn set(options: &mut Options, name: &str, value: &str) {
    let option = OPTIONS.iter().find(|option| option.name == name).expect("the option exists");
    (option.set)(options, value).expect("the option takes the value");
}

/// A text for errors: at most its first 60 characters, and an ellipsis for the others.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
