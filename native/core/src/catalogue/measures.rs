//! Measures by name, such as metrics, each with options of its own and a cutoff, such as `ndcg@10, P(rel=2)@5`.

use std::sync::Arc;

use super::function::Function;
use crate::error::{Error, bail};
use crate::metrics::METRICS;
use crate::metrics::metric::Metric;
use crate::options::parse::excerpt;
use crate::settings::{Measures, Part, Settings, largest};

/// A metric as a text names it.
struct Named {
    metric: &'static Metric,
    /// Its own options, as they are written in SQL.
    options: String,
    /// The cutoff; `None` for the whole list.
    k: Option<usize>,
}

/// Options as ir_measures writes them, and the same ones here.
const SPELLED: &[(&str, &str)] = &[
    ("dcg=log2", "gain=linear"),
    ("dcg=exp-log2", "gain=exp2"),
    ("judged_only=true", "unjudged=skip"),
    ("judged_only=false", "unjudged=zero"),
    ("rel=", "min_rel="),
];

/// The largest number of measures in a call, which an engine cannot interrupt.
const MOST: usize = 1000;

/// The cutoff that is none, the whole list.
const ALL: &str = "all";

/// A measure as a text writes it, in lower case: `precision(min_rel=2)@5`.
pub struct Name {
    text: String,
    pub word: String,
    /// What stands in brackets.
    own: String,
    /// The cutoff, as it is written.
    cutoff: String,
}

/// The measures that a text names, separated by commas.
pub fn names(text: &str) -> Result<Vec<Name>, Error> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let mut depth = 0;
    let texts = text.split(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        letter == ',' && depth == 0
    });
    let names: Vec<Name> =
        texts.take(MOST + 1).map(|text| Name::read(text.trim())).collect::<Result<_, _>>()?;
    if names.len() > MOST {
        bail!("measures" => "measures must be at most {MOST}");
    }
    Ok(names)
}

impl Name {
    fn read(text: &str) -> Result<Self, Error> {
        let text = text.to_lowercase();
        let (head, cutoff) = text.rsplit_once('@').filter(|(_, k)| !k.contains(')')).unwrap_or((&text, ALL));
        let (word, own) = head.split_once('(').unwrap_or((head, ")"));
        let closed = own.trim().strip_suffix(')');
        let name = Self {
            word: word.trim().to_owned(),
            own: closed.unwrap_or_default().to_owned(),
            cutoff: cutoff.trim().to_owned(),
            text: text.clone(),
        };
        if closed.is_none() {
            return Err(name.refused(": its options stand in brackets, before the cutoff"));
        }
        Ok(name)
    }

    /// The error about the name, with a reason.
    pub fn refused(&self, reason: &str) -> Error {
        let text = format!(
            "measures must be names of measures, such as 'ndcg@10, precision(min_rel=2)@5', got '{}'{reason}",
            excerpt(&self.text)
        );
        Error::new(text).about("measures")
    }

    /// The cutoff; `None` for the whole list.
    pub fn k(&self) -> Result<Option<usize>, Error> {
        match &self.cutoff[..] {
            ALL => Ok(None),
            digits => match digits.parse() {
                Ok(k) if k > 0 => Ok(Some(k)),
                _ => Err(self.refused(": a cutoff is a whole number from 1, or all")),
            },
        }
    }

    /// Its options and their values.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.own.split(',').filter(|pair| !pair.trim().is_empty());
        pairs.map(|pair| {
            let (option, value) = pair.split_once('=').unwrap_or((pair, ""));
            (option.trim(), value.trim().trim_matches(['\'', '"']))
        })
    }
}

/// The metric that a name stands for.
fn metric(name: &Name) -> Result<Named, Error> {
    let word = &name.word[..];
    let is_named = |metric: &&&Metric| {
        let names = [metric.short_name(), metric.name].into_iter();
        names.chain(metric.aliases.iter().chain(metric.synonyms).copied()).any(|known| known == word)
    };
    let Some(metric) = METRICS.iter().find(is_named).copied() else {
        return Err(name.refused(&format!(": there is no metric '{}'", excerpt(word))));
    };
    if name.cutoff != ALL && !metric.takes_k {
        return Err(name.refused(": it ranks the whole list and takes no cutoff"));
    }
    let pairs =
        name.own.split(',').map(|pair| pair.split_whitespace().collect::<String>().replace(['\'', '"'], ""));
    let spelled = pairs.filter(|pair| !pair.is_empty()).map(|pair| {
        let known = SPELLED.iter().find(|(theirs, _)| pair.starts_with(theirs));
        known.map_or(pair.clone(), |(theirs, ours)| pair.replacen(theirs, ours, 1))
    });
    Ok(Named { metric, options: spelled.collect::<Vec<_>>().join(", "), k: name.k()? })
}

impl Function {
    /// Replaces the measures of settings by those that a text names, with these options as far as each takes them. For a
    /// NULL text, the result is NULL, too.
    pub(crate) fn set_measures(
        &self,
        settings: &mut Settings,
        text: Option<&str>,
        options: &str,
    ) -> Result<(), Error> {
        settings.no_ks = text.is_none();
        let written = text.unwrap_or_default();
        let named = text.map_or(Ok(Vec::new()), |text| names(text)?.iter().map(metric).collect())?;
        let given = self.option_schema.pairs(options)?;
        let mut untaken = given.clone();
        let mut parts: Vec<(usize, String, Settings)> = Vec::new();
        // The part of each measure, and the place of its value in the part.
        let mut values = Vec::new();
        for Named { metric, options: own, k } in named {
            let is_bundled = |part: &Function| part.metrics.iter().any(|each| std::ptr::eq(*each, metric));
            let function = self
                .parts
                .iter()
                .position(|part| is_bundled(part) && (own.is_empty() || part.metrics.len() == 1));
            let Some(function) = function else { bail!(internal: "a metric is of no function") };
            let of_function = &self.parts[function];
            let has_own = |name: &str| own.split(',').any(|pair| pair.trim().split('=').next() == Some(name));
            untaken.retain(|(name, _)| !of_function.options().contains(name));
            let common =
                given.iter().filter(|(name, _)| of_function.options().contains(name) && !has_own(name));
            let common = common.map(|(name, value)| format!("{name}={value}"));
            let text: Vec<String> = common.chain((!own.is_empty()).then(|| own.clone())).collect();
            let text = text.join(", ");
            let known = parts.iter().position(|(place, known, _)| (*place, known) == (function, &text));
            let place = known.unwrap_or(parts.len());
            if known.is_none() {
                let mut of_part = Settings { ks: Vec::new(), ..of_function.settings() };
                let about = |error: Error| match &own[..] {
                    "" => error,
                    own => Error::new(format!("{}({}): {error}", metric.short_name(), excerpt(own)))
                        .about("measures"),
                };
                of_function.set_options(&mut of_part, &text).map_err(about)?;
                parts.push((function, text, of_part));
            }
            let ks = &mut parts[place].2.ks;
            let row = ks.iter().position(|known| *known == k).unwrap_or_else(|| {
                ks.push(k);
                ks.len() - 1
            });
            let column = of_function.metrics.iter().position(|each| std::ptr::eq(*each, metric));
            values.push((place, row * of_function.metrics.len() + column.unwrap_or_default()));
        }
        if let Some((name, _)) = untaken.first().filter(|_| text.is_some()) {
            bail!(*name => "{name} is an option of no metric among measures, got '{}'", excerpt(written));
        }
        // The values of each part follow those of the parts before it.
        let mut starts = vec![0];
        for (function, _, of_part) in &mut parts {
            let ks = std::mem::take(&mut of_part.ks);
            of_part.set_ks(ks.into_iter().map(Ok))?;
            let last = starts.last().copied().unwrap_or_default();
            starts.push(last + of_part.ks.len() * self.parts[*function].metrics.len());
        }
        set_common(settings, &parts.iter().map(|(.., of_part)| of_part).collect::<Vec<_>>())?;
        settings.written = Some(options.to_owned());
        settings.measures = Measures {
            written: text.map(str::to_owned),
            parts: parts
                .into_iter()
                .map(|(function, _, of_part)| Part { function, settings: Arc::new(of_part) })
                .collect(),
            places: values.into_iter().map(|(part, place)| starts[part] + place).collect(),
        };
        Ok(())
    }
}

/// Sets what is decided while rows are read, before any measure ranks them: every part must be able to.
fn set_common(settings: &mut Settings, parts: &[&Settings]) -> Result<(), Error> {
    let Some(first) = parts.first() else { return Ok(()) };
    let mut options = first.options.clone();
    for part in parts {
        if part.options.score_type != options.score_type {
            bail!("measures" => "score_type is an option of all measures: give it among options");
        }
        options.max_rel = options.max_rel.min(part.options.max_rel);
        // Items must have an order if any part breaks ties by it.
        if part.options.ties.are_by_item() {
            options.ties = part.options.ties;
        }
    }
    settings.options = options;
    settings.negative_rels = parts.iter().all(|part| part.negative_rels);
    settings.ks = vec![largest(parts.iter().map(|part| part.largest_k()))];
    settings.deepest = largest(parts.iter().map(|part| part.deepest));
    Ok(())
}
