//! The parser of options, which are written `key=value, key=value`.

use crate::error::{Error, bail};
use crate::options::choices::Ties;
use crate::options::conventions::{self, CONVENTIONS};
use crate::options::gain::Gain;
use crate::options::table::{OPTIONS, OptionSpec};
use crate::options::{ABOVE_ZERO, Options, UNLIMITED};

/// The options that a function takes, and the rules for them.
#[derive(Default)]
pub(crate) struct OptionSchema {
    /// The names of the options.
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
    /// Whether metrics read gains alone, so that `min_rel` needs `gain=binary`.
    pub only_gains: bool,
}

impl OptionSchema {
    /// Parses options. Case and blanks do not matter. Each value is set by the convention, the function's defaults and
    /// the given options, of which the last one wins.
    pub fn parse(&self, text: &str) -> Result<Options, Error> {
        let text = text.to_lowercase();
        let mut given: Vec<(&OptionSpec, &str)> = Vec::new();
        for pair in text.split(',').filter(|_| !text.trim().is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                let given = excerpt(pair.trim());
                bail!("options" => "options are written key=value, separated by commas, got '{given}'");
            };
            let (key, value) = (key.trim(), value.trim());
            let name = self.denominator.filter(|_| key == "denominator").unwrap_or(key);
            let known = |option: &&OptionSpec| option.name == name && self.names.contains(&option.name);
            let Some(option) = OPTIONS.iter().find(known) else {
                let short = self.denominator.map(|_| "denominator");
                let names: Vec<&str> = short.into_iter().chain(self.names.iter().copied()).collect();
                let (given, names) = (excerpt(key), names.join(", "));
                bail!("options" => "unknown option '{given}', the options here are {names}");
            };
            if given.iter().any(|(before, _)| before.name == option.name) {
                bail!(option.name => "option '{}' is given twice", option.name);
            }
            if (option.set)(&mut Options::default(), value).is_err() {
                bail!(name => "{name} must be {}, got '{}'", option.allowed(), excerpt(value));
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
                set(&mut options, name, value);
            }
            for (option, value) in &given {
                set(&mut options, option.name, value);
            }
            options
        };
        let mut options = with(None);
        let own = self.metrics.iter().filter(|metric| convention.overrides(metric));
        options.per_metric = own.map(|metric| (*metric, with(Some(metric)))).collect();

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
                Some(ties) => bail!("ties" => "ties={ties} {needs}"),
                None => bail!("convention" => "convention={} {breaks}", convention.name),
            }
        }
        if self.names.contains(&"max_rel") && options.max_rel == UNLIMITED {
            bail!("max_rel" => "max_rel is needed, the highest grade that there can be, such as max_rel=4");
        }
        if self.only_gains && options.min_rel != ABOVE_ZERO && options.gain != Gain::Binary {
            bail!("min_rel" => "min_rel needs gain=binary here: with other gains every relevance counts");
        }
        Ok(options)
    }
}

/// Sets an option, which must exist, to a value that it takes.
fn set(options: &mut Options, name: &str, value: &str) {
    let option = OPTIONS.iter().find(|option| option.name == name).expect("the option exists");
    (option.set)(options, value).expect("the option takes the value");
}

/// The first 60 characters of a text, for errors.
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
    use crate::options::choices::PrecisionDenominator;

    fn parse(text: &str) -> Result<Options, String> {
        let schema = OptionSchema {
            names: vec!["precision_denominator", "gain", "min_rel", "ties"],
            denominator: Some("precision_denominator"),
            defaults: &[],
            metrics: Vec::new(),
            by_item: false,
            by_order: true,
            only_gains: true,
        };
        schema.parse(text).map_err(|error| error.to_string())
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
