//! Names of metrics as callers write them: any name of a metric, with options of its own and a cutoff, such as
//! `P(rel=2)@5`. Errors about names that no metric has say which one was meant, or who computes it.

use std::collections::BTreeMap;

use super::elsewhere::{SPELLINGS, elsewhere};
use super::form::Form;
use super::function::Function;
use super::result::Output;
use super::{GEOMETRIC_MEAN_FUNCTIONS, ITEM_FUNCTIONS, SPAN_FUNCTIONS, functions, lookup};
use crate::error::Error;
use crate::options::parse::excerpt;

/// A metric as a name gives it.
pub(super) struct Named {
    /// The function of the metric: an aggregate of rows, for a measure of aspects a function of lists, a geometric mean of a
    /// metric, or a measure of items or of spans.
    pub function: &'static Function,
    /// Options of its own and their values, in the order of their names.
    pub own: BTreeMap<String, String>,
    /// The cutoff, which is digits or [`ALL`]; `None` if there is none.
    pub cutoff: Option<String>,
}

/// The cutoff that is none, the whole list.
pub(super) const ALL: &str = "all";

/// More digits than the largest cutoff has.
const MAX_DIGITS: usize = 20;

/// Options and their values in the names of ir_measures, and those that mean the same here.
const OF_IR_MEASURES: &[(&str, (&str, &str))] = &[
    ("dcg=log2", ("gain", "linear")),
    ("dcg=exp-log2", ("gain", "exp2")),
    ("judged_only=true", ("unjudged", "skip")),
    ("judged_only=false", ("unjudged", "zero")),
];

/// Those that metrics without the option `gain` mean anyway, each with an option that these metrics have.
const IMPLIED: &[(&str, &str)] = &[("min_rel=0", "max_rel"), ("dcg=log2", "discount")];

/// The metric without a cutoff after whose name ir_measures writes an option, as in `IPrec@0.1`, and the option.
const OPTION_AFTER_AT: (&str, &str) = ("iprec", "recall");

impl Named {
    /// The name of the metric in results, with its own options in brackets: `ndcg` or `ndcg(gain=linear)`.
    pub fn metric(&self) -> String {
        self.with_options(&self.function.base)
    }

    /// The name of a metric with these options in brackets.
    fn with_options(&self, base: &str) -> String {
        if self.own.is_empty() { base.to_owned() } else { format!("{base}({})", self.own_options(",")) }
    }

    /// How SQL computes it, if it is a geometric mean over users; `None` for other metrics. `k` is the cutoff of a call, which
    /// holds unless it has its own.
    pub fn mean_in_sql(&self, k: Option<i64>) -> Option<String> {
        let of = self.with_options(self.function.geometric_mean?.metric);
        let of_call = || k.map_or_else(|| ALL.to_owned(), |k| k.to_string());
        let cutoff = self.cutoff.clone().or_else(|| self.function.takes_k().then(of_call));
        let cutoff = cutoff.map(|cutoff| format!("@{cutoff}")).unwrap_or_default();
        Some(format!(
            "it is a mean over users, which evaluate in Python has; in SQL: SELECT \
             list_avg(geometric_mean_values(list(value))) FROM rank_measures(truth, rec, measures := ['{of}{cutoff}'])"
        ))
    }

    /// Its own options as they are written in SQL.
    pub fn own_options(&self, separator: &str) -> String {
        let pairs: Vec<String> = self.own.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join(separator)
    }
}

/// The functions that compute one metric of the users of two tables.
fn of_one_metric() -> impl Iterator<Item = &'static Function> {
    let of_users = functions()
        .iter()
        .filter(|each| matches!(each.form, Form::Rows | Form::Aspects) && each.output == Output::Value);
    of_users.chain(GEOMETRIC_MEAN_FUNCTIONS.iter()).chain(ITEM_FUNCTIONS.iter()).chain(SPAN_FUNCTIONS.iter())
}

/// Every name of the metric of a function, in small letters.
fn names_of(function: &'static Function) -> Vec<&'static str> {
    let mut names = vec![&function.base[..]];
    if let Some(metric) = function.metric() {
        names.push(metric.name);
        names.extend(metric.aliases.iter().chain(metric.synonyms));
    }
    names.extend(function.aspect_measure.iter().flat_map(|measure| measure.synonyms));
    names.extend(function.geometric_mean.iter().flat_map(|mean| mean.synonyms));
    names.extend(function.item_measure.iter().flat_map(|measure| measure.synonyms));
    names.extend(function.span_measure.iter().flat_map(|measure| measure.synonyms));
    names
}

/// The names of all metrics in results.
pub(super) fn bases() -> Vec<&'static str> {
    of_one_metric().map(|function| &function.base[..]).collect()
}

/// The function of the metric with this name in small letters. Many packages write names without underscores, as in GiniIndex.
fn function_of(name: &str) -> Option<&'static Function> {
    let is_same = |other: &&str| other.bytes().filter(|letter| *letter != b'_').eq(name.bytes());
    let with_name = |is_name: &dyn Fn(&&str) -> bool| {
        of_one_metric().find(|function| names_of(function).iter().any(is_name))
    };
    with_name(&|other| *other == name).or_else(|| with_name(&is_same))
}

/// Reads a name of a metric; the error is the reason why it is none.
pub(super) fn read(name: &str) -> Result<Named, String> {
    let name = name.to_lowercase();
    // A cutoff stands behind the brackets.
    let (head, cutoff) = match name.rsplit_once('@') {
        Some((head, cutoff)) if !cutoff.contains(')') => (head, Some(cutoff.trim())),
        _ => (&name[..], None),
    };
    let (word, own) = head.split_once('(').unwrap_or((head, ")"));
    let Some(own) = own.trim().strip_suffix(')').filter(|own| !own.contains(['(', ')'])) else {
        return Err("its options stand in brackets, before the cutoff".to_owned());
    };
    let word = word.trim();
    let Some(function) = function_of(word) else {
        return Err(format!("there is no metric '{}'", excerpt(word)));
    };
    let (metric_of_option, option) = OPTION_AFTER_AT;
    let (after_at, cutoff) = if function.base == metric_of_option { (cutoff, None) } else { (None, cutoff) };
    let after_at = after_at.map(|value| format!("{option}={value}"));
    let is_number = |text: &str| {
        !text.is_empty() && text.len() < MAX_DIGITS && text.bytes().all(|digit| digit.is_ascii_digit())
    };
    if !cutoff.is_none_or(|cutoff| cutoff == ALL || is_number(cutoff)) {
        return Err("a cutoff is a whole number from 1, or all".to_owned());
    }
    let pairs = own.split(',').filter(|_| !own.trim().is_empty()).chain(after_at.as_deref());
    let Some(own) = own_options(function, pairs) else {
        return Err("its options are written once each, as in (min_rel=2, no_relevant=zero)".to_owned());
    };
    Ok(Named { function, own, cutoff: cutoff.map(str::to_owned) })
}

/// The name in results of the metric with this name, and its cutoff as text. The error says which metric was meant, or
/// who computes it.
pub fn find_measure(name: &str) -> Result<(String, Option<String>), Error> {
    read(name).map(|named| (named.metric(), named.cutoff)).map_err(|_| unknown(name))
}

/// Options such as `rel=2`, by their names here; `None` if they are none, or one is given twice.
fn own_options<'a>(
    function: &Function,
    pairs: impl Iterator<Item = &'a str>,
) -> Option<BTreeMap<String, String>> {
    let takes = |name: &str| function.options().contains(&name);
    let mut own = BTreeMap::new();
    for pair in pairs {
        let (option, value) = pair.split_once('=')?;
        let [option, value] = [option, value].map(|part| part.trim_matches([' ', '\t', '\n', '\'', '"']));
        if option.is_empty() || value.is_empty() {
            return None;
        }
        let written = format!("{option}={value}");
        if !takes("gain") && IMPLIED.iter().any(|(implied, other)| written == *implied && takes(other)) {
            continue;
        }
        let known = OF_IR_MEASURES.iter().find(|(theirs, _)| *theirs == written);
        let (option, value) = known.map_or((option, value), |(_, ours)| *ours);
        let option = match option {
            "rel" => "min_rel",
            "denominator" => function.option_schema.denominator.unwrap_or(option),
            "alpha" if function.form == Form::Aspects => "redundancy_intolerance",
            "beta" if function.form == Form::Aspects => "p",
            option => option,
        };
        if own.insert(option.to_owned(), value.to_owned()).is_some() {
            return None;
        }
    }
    Some(own)
}

/// A name without arguments and cutoff, such as `@10`, `_at_k` or `_0.10`, in small letters with `_` between its words.
fn in_plain_letters(name: &str) -> String {
    let mut plain = name.to_lowercase();
    while let Some(start) = plain.find('(') {
        let Some(length) = plain[start..].find(')') else { break };
        plain.replace_range(start..=start + length, "");
    }
    let mut joined = String::with_capacity(plain.len());
    let mut separates = false;
    for letter in plain.chars() {
        let is_separator = matches!(letter, '-' | '.' | ' ');
        if !is_separator {
            joined.push(letter);
        } else if !separates {
            joined.push('_');
        }
        separates = is_separator;
    }
    without_cutoff(&joined).to_owned()
}

/// A plain name without the cutoff at its end.
fn without_cutoff(plain: &str) -> &str {
    let is_cutoff = |text: &str| {
        matches!(text, "k" | "n" | ALL)
            || text.starts_with(|letter: char| letter.is_ascii_digit())
                && text.bytes().all(|letter| matches!(letter, b'0'..=b'9' | b'_' | b','))
    };
    let mut ends = plain.match_indices(['_', '@']).map(|(end, _)| end);
    match ends.find(|end| is_cutoff(plain[*end..].trim_start_matches(['_', '@']))) {
        Some(end) => plain[..end].strip_suffix("_at").unwrap_or(&plain[..end]),
        None => plain,
    }
}

/// The advice on a name that no metric has, with or without a cutoff: who computes it, or how it is called here.
fn advice(name: &str) -> Option<String> {
    // Many packages write names without underscores, as in PopREO.
    let letters = |name: &str| name.replace('_', "");
    let meant = letters(&in_plain_letters(name));
    let is_meant = |name: &&str| letters(name) == meant;
    let measure = elsewhere().iter().find(|measure| measure.names.iter().any(is_meant));
    let spelling = SPELLINGS.iter().find(|(name, _)| is_meant(name));
    let meant = spelling.map(|(_, here)| format!("did you mean {here}?"));
    meant.or_else(|| measure.map(|measure| measure.advice.clone()))
}

/// Why a text is refused, with the advice on the name in it if there is any.
pub(super) fn with_advice(name: &str, reason: String) -> String {
    match advice(name) {
        Some(advice) => format!("{reason}: {advice}"),
        None => reason,
    }
}

/// The reason why there is no metric of a name, with the one that was meant or advice.
pub(super) fn unknown(name: &str) -> Error {
    let refused = |text: String| Error::new(text).about("metrics");
    let lower = name.to_lowercase();
    let (word, cutoffs) = split_cutoffs(&lower);
    let shown = excerpt(name);
    if let Some(function) = function_of(&in_plain_letters(word)) {
        let metric = &function.base;
        if word.contains('(') {
            let form =
                format!("write its options once each, as in '{metric}(min_rel=2, no_relevant=zero)@10'");
            return refused(format!("there is no metric '{shown}': {form}"));
        }
        if cutoffs.is_some() || function_of(word).is_none() {
            let cuts = cutoffs.unwrap_or_default().split(',');
            let cuts = cuts.filter(|cut| cut.bytes().all(|digit| digit.is_ascii_digit()) && !cut.is_empty());
            let with_cuts: Vec<String> = cuts.map(|cut| format!("'{metric}@{cut}'")).collect();
            let meant = if with_cuts.is_empty() { metric.clone() } else { with_cuts.join(", ") };
            return refused(format!("there is no metric '{shown}': did you mean {meant}?"));
        }
    }
    let measures_elsewhere = || elsewhere().iter().flat_map(|measure| measure.names.iter().copied());
    let first_word = word.split([',', ' ']).next().unwrap_or_default();
    let is_several = function_of(first_word).is_some() || measures_elsewhere().any(|name| name == first_word);
    if is_several && advice(word).is_none() {
        let wanted = "give a list of names, such as ['ndcg', 'recall@5']";
        return refused(format!("there is no metric '{shown}': {wanted}"));
    }
    let mut names: Vec<&str> = of_one_metric().flat_map(names_of).collect();
    names.sort_unstable();
    names.dedup();
    // A short name is like many others.
    let (likeness, likeness_elsewhere) = if word.chars().count() < 4 { (1.0, 1.0) } else { (0.6, 0.75) };
    let mut near: Vec<&str> = Vec::new();
    for name in close_matches(word, &names, likeness) {
        let Some(function) = function_of(name) else { continue };
        if !near.contains(&&function.base[..]) {
            near.push(&function.base);
        }
    }
    let all = [&names[..], &measures_elsewhere().collect::<Vec<_>>()].concat();
    let nearest = close_matches(word, &all, likeness_elsewhere).first().copied();
    let is_function = lookup(word).is_some();
    let there = if is_function {
        format!("{word} is a function of SQL and Polars, and no metric of two tables: ")
    } else {
        format!("there is no metric '{shown}': ")
    };
    let found = advice(name).filter(|_| !is_function);
    let near_elsewhere = || {
        let nearest = nearest.filter(|nearest| !is_function && function_of(nearest).is_none())?;
        advice(nearest).map(|advice| format!("did you mean {nearest}? {advice}"))
    };
    let hint = found.or_else(near_elsewhere).unwrap_or_else(|| {
        if near.is_empty() {
            format!("there are {}", bases().join(", "))
        } else {
            format!("did you mean {}?", near.join(" or "))
        }
    });
    refused(format!("{there}{hint}"))
}

/// A name and its cutoffs as other packages write them: `P_10`, `map_cut_5,10`, or `map_at_k` for any cutoff.
fn split_cutoffs(name: &str) -> (&str, Option<&str>) {
    let is_cut = |letter: char| letter.is_ascii_digit() || letter == ',';
    let head = name.strip_suffix('k').unwrap_or_else(|| name.trim_end_matches(is_cut));
    let bare = head.trim_end_matches(['_', '@', ' ']);
    if head.len() == name.len() || bare.len() == head.len() {
        return (name, None);
    }
    (bare.strip_suffix("_at").unwrap_or(bare), Some(&name[head.len()..]))
}

/// At most three of `names` that are like a word, the best first. Their likeness is at least `cutoff`: twice the letters
/// of the blocks that both share, the longest first, over the letters of both.
fn close_matches<'n>(word: &str, names: &[&'n str], cutoff: f64) -> Vec<&'n str> {
    let mut found: Vec<(f64, &str)> = names
        .iter()
        .map(|name| {
            let (one, other) = (name.chars().collect::<Vec<_>>(), word.chars().collect::<Vec<_>>());
            (2.0 * shared(&one, &other) as f64 / (one.len() + other.len()).max(1) as f64, *name)
        })
        .filter(|(likeness, _)| *likeness >= cutoff)
        .collect();
    found.sort_by(|(one, name), (other, other_name)| other.total_cmp(one).then(other_name.cmp(name)));
    found.into_iter().map(|(_, name)| name).take(3).collect()
}

/// How many letters two texts share in blocks: the longest block that both have, and those on either side of it.
fn shared(one: &[char], other: &[char]) -> usize {
    let (mut start, mut other_start, mut longest) = (0, 0, 0);
    for place in 0..one.len() {
        for other_place in 0..other.len() {
            let pairs = one[place..].iter().zip(&other[other_place..]);
            let length = pairs.take_while(|(a, b)| a == b).count();
            if length > longest {
                (start, other_start, longest) = (place, other_place, length);
            }
        }
    }
    if longest == 0 {
        return 0;
    }
    longest
        + shared(&one[..start], &other[..other_start])
        + shared(&one[start + longest..], &other[other_start + longest..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_plain_letters_have_no_cutoff() {
        for name in ["stat_ap", "Stat-AP", "stat . ap", "stat_ap_at_k", "stat-AP(rel=2)@all", "stat_ap_0.10"]
        {
            assert_eq!(in_plain_letters(name), "stat_ap");
        }
        for (name, plain) in
            [("nerr11_0.10", "nerr11"), ("map_at_5,10", "map"), ("risk", "risk"), ("f1", "f1"), ("a_5_", "a")]
        {
            assert_eq!(in_plain_letters(name), plain);
        }
    }

    #[test]
    fn a_name_is_read() {
        for (name, metric, cutoff) in [
            (" nDCG ", "ndcg", None),
            ("ndcg_cut@0010", "ndcg", Some("0010")),
            ("P(rel=2)@5", "precision(min_rel=2)", Some("5")),
            ("AP(denominator=k)@all", "average_precision(ap_denominator=k)", Some("all")),
            ("IPrec(rel=1)@0.1", "iprec(min_rel=1,recall=0.1)", None),
            ("alpha_nDCG(alpha=0.3)@3", "alpha_ndcg(redundancy_intolerance=0.3)", Some("3")),
            ("SDCG(dcg='log2', min_rel=0, max_rel=4)@2", "sdcg(max_rel=4)", Some("2")),
        ] {
            assert_eq!(find_measure(name), Ok((metric.to_owned(), cutoff.map(str::to_owned))), "{name}");
        }
        for name in
            ["", "foo", "ndcg@", "ndcg@x", "ndcg@-1", "P(rel)", "P(rel=1,min_rel=2)", "P(rel=2", "P((rel=2))"]
        {
            assert!(find_measure(name).is_err(), "{name}");
        }
    }

    #[test]
    fn names_that_are_close() {
        // The order of Python's difflib.
        let names = ["ndcg", "idcg", "nerr", "recall", "alpha_ndcg"];
        assert_eq!(close_matches("ndgc", &names, 0.6), ["ndcg"]);
        assert_eq!(close_matches("dcg", &names, 0.6), ["ndcg", "idcg"]);
        assert_eq!(close_matches("ndcgs", &names, 0.6), ["ndcg", "idcg"]);
    }
}
