//! Measures by name: metrics, each with options of its own and a cutoff, such as `ndcg@10, P(rel=2)@5`.

use std::sync::Arc;

use super::form::Form;
use super::function::Function;
use super::names::{self, ALL};
use crate::error::{Error, bail};
use crate::item_measures::item_measure::ItemMeasure;
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

/// The largest number of measures in a call, which an engine cannot interrupt.
const MOST: usize = 1000;

/// A measure of items as a text names it.
pub struct NamedItemMeasure {
    pub measure: &'static ItemMeasure,
    /// The property of items that it reads; empty if it reads none.
    pub property: String,
    /// The cutoff; `None` for whole rankings.
    pub k: Option<usize>,
}

/// The names that a text has, separated by commas.
fn separated(text: &str) -> Result<Vec<&str>, Error> {
    let mut depth = 0;
    let texts = text.split(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        letter == ',' && depth == 0
    });
    let texts: Vec<&str> = texts.take(MOST + 1).map(str::trim).collect();
    if texts.len() > MOST {
        bail!("measures" => "measures must be at most {MOST}");
    }
    Ok(texts)
}

/// The error about a name, with a reason.
fn refused(name: &str, examples: &str, reason: &str) -> Error {
    let got = excerpt(&name.to_lowercase());
    Error::new(format!("measures must be names of metrics, such as '{examples}', got '{got}': {reason}"))
        .about("measures")
}

/// The cutoff of a named metric; `None` for the whole list. The error is a reason.
fn cutoff(named: &names::Named) -> Result<Option<usize>, &'static str> {
    match named.cutoff.as_deref().filter(|cutoff| *cutoff != ALL) {
        None => Ok(None),
        Some(_) if !named.function.takes_k() => Err("it ranks the whole list and takes no cutoff"),
        Some(digits) => match digits.parse() {
            Ok(k) if k > 0 => Ok(Some(k)),
            _ => Err("a cutoff is a whole number from 1, or all"),
        },
    }
}

/// The measure that a name stands for.
fn measure(name: &str) -> Result<Named, Error> {
    let refused = |reason: &str| refused(name, "ndcg@10, precision(min_rel=2)@5", reason);
    let named = names::read(name).map_err(|reason| refused(&names::with_advice(name, reason)))?;
    let Some(metric) = named.function.metric() else {
        if let Some(how) = named.mean_in_sql(None) {
            return Err(refused(&how));
        }
        return Err(refused(match named.function.form {
            Form::Items => "it reads a table of items, as rank_items does",
            Form::Spans => "it reads spans, as rank_evaluate_spans does",
            _ => "it reads aspects, which rows do not have",
        }));
    };
    Ok(Named { metric, options: named.own_options(", "), k: cutoff(&named).map_err(refused)? })
}

/// The measures of items that a text names, separated by commas.
pub fn item_measures(text: &str) -> Result<Vec<NamedItemMeasure>, Error> {
    let measure = |name: &str| {
        let refused = |reason: &str| refused(name, "novelty@10, intra_list_diversity(of=genres)@5", reason);
        let named = names::read(name).map_err(|reason| refused(&names::with_advice(name, reason)))?;
        let Some(measure) = named.function.item_measure else {
            let how = named.mean_in_sql(None);
            let computes = "it is no measure of items, and rank_measures computes it";
            return Err(refused(how.as_deref().unwrap_or(computes)));
        };
        let mut property = measure.property.to_owned();
        for (option, value) in &named.own {
            if option != "of" || property.is_empty() {
                return Err(refused(if property.is_empty() {
                    "it takes no option"
                } else {
                    "it takes no option but of=, the name of a field of items"
                }));
            }
            property.clone_from(value);
        }
        Ok(NamedItemMeasure { measure, property, k: cutoff(&named).map_err(refused)? })
    };
    separated(text)?.into_iter().map(measure).collect()
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
        let named: Vec<Named> =
            text.map_or(Ok(Vec::new()), |text| separated(text)?.into_iter().map(measure).collect())?;
        let last_k = named.last().and_then(|last| last.k);
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
        let last_part = values.last().map(|(place, _)| &parts[*place].2);
        let last_min_rel = last_part.map_or(f64::INFINITY, |last| last.options.min_rel);
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
            last_k,
            last_min_rel,
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
