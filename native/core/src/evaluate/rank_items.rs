//! Measures of recommended items by name, from the rankings of all users and the properties of the items.

use std::ops::Range;

use crate::catalogue::measures::NamedItemMeasure;
use crate::column::matching::{Matching, matching};
use crate::column::nested::{encoded, items};
use crate::column::{Column, ItemColumn, Items};
use crate::error::{Error, bail};
use crate::evaluate::argument::Argument;
use crate::evaluate::call::Call;
use crate::evaluate::item_measure::is_vector;
use crate::evaluate::item_numbers::ItemNumbers;
use crate::evaluate::layout::{ITEM_NAMES, mismatch, named};
use crate::item_measures::item_measure::{Allowed, ItemMeasure, Kernel, mean};
use crate::item_measures::labels::Labels;
use crate::item_measures::rankings::{Ranking, Rankings, shares};
use crate::item_measures::vectors::Vectors;
use crate::memory::{Grow, collected};
use crate::results::{Nullable, Values};
use crate::statistics::jackknife::jackknife_values;
use crate::types::{Field, Type};

/// A measure as a call names it.
struct Asked {
    measure: &'static ItemMeasure,
    /// The field of `items` with the property that it reads, from 0; `None` if it reads none.
    property: Option<usize>,
    /// The cutoff; `None` for whole rankings.
    k: Option<usize>,
}

/// The lists of one row, with items as numbers: those of the catalogue come first.
#[derive(Default)]
struct Lists {
    /// The index of each item of the catalogue in the column of `items`.
    catalogue: Vec<usize>,
    /// The items of all lists, one list after the other.
    numbers: Vec<u32>,
    /// The ranking of each user in `numbers`; `None` for a NULL.
    rankings: Vec<Option<Range<usize>>>,
    /// The truth of each user in `numbers`, ascending; none if the call has no truth.
    truths: Vec<Range<usize>>,
    /// How many distinct items there are.
    items: usize,
}

impl Lists {
    /// The rankings that are not NULL, cut at k.
    fn cut(&self, k: Option<usize>) -> impl Iterator<Item = Ranking<'_>> {
        self.rankings.iter().enumerate().filter_map(move |(user, span)| {
            let all = &self.numbers[span.clone()?];
            Some(Ranking {
                items: &all[..all.len().min(k.unwrap_or(usize::MAX))],
                catalogue: self.catalogue.len(),
                truth: self.truths.get(user).map(|span| &self.numbers[span.clone()]),
            })
        })
    }
}

impl<C: Column> Call<'_, C> {
    /// Evaluates the measures of each row.
    #[inline(never)]
    pub(super) fn rank_items(
        &self,
        [rec, truth, catalogue]: [&C; 3],
        rows: usize,
        put: &mut dyn FnMut(usize, Option<Values>),
    ) -> Result<(), Error> {
        let users = [elements("rec", rec)?, elements("truth", truth)?];
        let ranked = elements("rec", &users[0])?;
        let relevant = elements("truth", &users[1])?;
        let structs = elements("items", catalogue)?;
        let (fields, place) = fields_of_items(&structs)?;
        let ids = match place {
            Some(place) => structs.field(place)?,
            None => elements("items", catalogue)?,
        };
        let matching = common_matching([ids.kind(), ranked.kind(), relevant.kind()])?;
        let columns = [items(&ids, matching)?, items(&ranked, matching)?, items(&relevant, matching)?];
        let (rec, truth, catalogue) = (Argument::new(rec), Argument::new(truth), Argument::new(catalogue));
        let mut values = Vec::new();
        for row in 0..rows {
            let (Some(of_rec), Some(named), Some(of_items)) =
                (rec.span(row), self.item_measures(row)?, catalogue.span(row))
            else {
                put(row, None);
                continue;
            };
            let asked = named.iter().map(|each| asked(each, fields)).collect::<Result<Vec<_>, _>>()?;
            let of_truth = truth.span(row);
            if let Some(each) = asked.iter().find(|each| each.measure.needs_truth && of_truth.is_none()) {
                bail!("truth" => "truth must be a list with the items of each user for {}, got NULL", each.measure.name);
            }
            let lists = read([of_rec, of_truth.unwrap_or_default(), of_items], &users, &columns)?;
            values.clear();
            values.try_resize(lists.rankings.len().saturating_mul(asked.len()), Nullable::NULL)?;
            let mut exposures = Exposures::default();
            for (place, each) in asked.iter().enumerate() {
                let mut of_users =
                    values.iter_mut().skip(place).step_by(asked.len().max(1)).zip(&lists.rankings);
                let mut put = |value: Option<f64>| {
                    if let Some((free, _)) = of_users.find(|(_, ranking)| ranking.is_some()) {
                        *free = value.into();
                    }
                };
                let property = each.property.map(|place| structs.field(place)).transpose()?;
                evaluate(each, property.as_ref(), &lists, &mut exposures, &mut put)?;
            }
            put(row, Some(Values { ks: &[], values: &values }));
        }
        Ok(())
    }
}

/// The elements of a column of lists.
fn elements<C: Column>(name: &'static str, column: &C) -> Result<C, Error> {
    if column.kind().element().is_none() {
        let wanted = if name == "items" { "structs of an item and its properties" } else { "lists of items" };
        bail!(name => "{name} must be a list of {wanted}, got {}", column.kind());
    }
    column.elements()
}

/// The fields of the structs of items, and the place of the item among them; none for an untyped NULL.
fn fields_of_items<C: Column>(structs: &C) -> Result<(&[Field], Option<usize>), Error> {
    match structs.kind() {
        Type::Null => Ok((&[], None)),
        Type::Struct(fields) => match (&named(fields, &["item"])[..], &named(fields, ITEM_NAMES)[..]) {
            ([place, ..], _) | ([], [place]) => Ok((fields, Some(*place))),
            _ => bail!("items" => "items needs one field named item, got {}", structs.kind()),
        },
        kind => {
            bail!("items" => "items must be a list of structs of an item and its properties, got a list of {kind}")
        }
    }
}

/// How the items of several columns are compared.
fn common_matching([items, rec, truth]: [&Type; 3]) -> Result<Matching, Error> {
    let pair =
        |names, [one, other]: [&Type; 2]| matching(one, other).ok_or_else(|| mismatch(names, [one, other]));
    let pairs = [
        pair(["rec", "items"], [rec, items])?,
        pair(["truth", "items"], [truth, items])?,
        pair(["rec", "truth"], [rec, truth])?,
    ];
    let of_typed = if *items == Type::Null { pairs[2] } else { pairs[0] };
    Ok(if pairs.contains(&Matching::Number) { Matching::Number } else { of_typed })
}

/// A measure with the field of `items` that it reads.
fn asked(named: &NamedItemMeasure, fields: &[Field]) -> Result<Asked, Error> {
    let NamedItemMeasure { measure, property, k } = named;
    let place = fields.iter().position(|field| field.name.eq_ignore_ascii_case(property));
    if place.is_none() && !property.is_empty() {
        let fields: Vec<_> = fields.iter().map(|field| &field.name[..]).collect();
        bail!(
            "items" => "items must have the field {property} for {name}, got the fields {}; another one is named as in \
                        {name}(of={property})", fields.join(", "), name = measure.name
        );
    }
    Ok(Asked { measure, property: place.filter(|_| !property.is_empty()), k: *k })
}

/// Reads the lists of one row: these ranges of the elements of rec, truth and items.
fn read<C: Column, B: Items>(
    [of_rec, of_truth, of_items]: [Range<usize>; 3],
    [rankings, truths]: &[C; 2],
    columns: &[ItemColumn<B>; 3],
) -> Result<Lists, Error> {
    let mut known = ItemNumbers::new(columns, of_items.clone())?;
    let mut lists = Lists::default();
    for (place, index) in (1..).zip(of_items) {
        match known.add(0, index)? {
            Some(true) => lists.catalogue.try_push(index)?,
            Some(false) => {
                bail!("items" => "items must have each item once, and place {place} has the item of another one");
            }
            None => {} // a NULL is no item
        }
    }
    let users = of_rec.len();
    if !of_truth.is_empty() && of_truth.len() != users {
        bail!("truth" => "truth must have a list for each of rec, got {} and {users}", of_truth.len());
    }
    lists.rankings.make_room(users)?;
    for user in of_rec {
        let start = lists.numbers.len();
        let span = rankings.span(user);
        if let Some(span) = span.clone() {
            known.read(1, span, &mut lists.numbers)?;
        }
        lists.rankings.push(span.map(|_| start..lists.numbers.len()));
    }
    lists.truths.make_room(of_truth.len())?;
    for user in of_truth {
        let start = lists.numbers.len();
        known.read(2, truths.span(user).unwrap_or_default(), &mut lists.numbers)?;
        lists.numbers[start..].sort_unstable();
        lists.truths.push(start..lists.numbers.len());
    }
    lists.items = known.len();
    Ok(lists)
}

/// How many rankings have each item, for the cutoffs of the measures so far.
#[derive(Default)]
struct Exposures(Vec<(Option<usize>, Vec<u32>)>);

impl Exposures {
    /// The exposures if rankings are cut at k. They are counted once for each k.
    fn at(&mut self, k: Option<usize>, lists: &Lists) -> Result<&[u32], Error> {
        let Self(known) = self;
        let place = known.iter().position(|(cutoff, _)| *cutoff == k).unwrap_or(known.len());
        if place == known.len() {
            let mut times = Vec::new();
            times.try_resize(lists.items, 0)?;
            for item in lists.cut(k).flat_map(|ranking| ranking.items) {
                if let Some(times) = times.get_mut(*item as usize) {
                    *times += 1;
                }
            }
            known.try_push((k, times))?;
        }
        Ok(&known[place].1)
    }
}

/// Passes the value of each ranking that is not NULL to `put`.
fn evaluate<C: Column>(
    asked: &Asked,
    property: Option<&C>,
    lists: &Lists,
    exposures: &mut Exposures,
    put: &mut dyn FnMut(Option<f64>),
) -> Result<(), Error> {
    let Asked { measure, k, .. } = asked;
    let all = || lists.cut(*k);
    match (&measure.kernel, property) {
        (Kernel::MeanOf(allowed, of_each), Some(property)) => {
            let mut numbers = read_numbers(measure.name, allowed, property, lists)?;
            for number in &mut numbers {
                *number = number.get().map(of_each).into();
            }
            let mut of_ranking = Vec::new();
            for ranking in all() {
                of_ranking.clear();
                of_ranking.make_room(ranking.items.len())?;
                of_ranking.extend(ranking.known().filter_map(|(_, item)| numbers[item].get()));
                put((!of_ranking.is_empty()).then(|| mean(&of_ranking)));
            }
        }
        (Kernel::LabelsOrVectors(_, compute), Some(property)) if is_vector(property.kind()) => {
            let parts = property.elements()?;
            let (numbers, mut vectors) = (parts.numbers()?, Vectors::default());
            for ranking in all() {
                let spans = ranking.known().filter_map(|(_, item)| property.span(lists.catalogue[item]));
                vectors.read("items", &numbers, spans)?;
                put(compute(&vectors));
            }
        }
        (Kernel::Labels(_) | Kernel::LabelsOrVectors(..), Some(property)) => {
            let (labels, mut of_ranking) = (read_labels(property, lists)?, Labels::default());
            for ranking in all() {
                let places = k.unwrap_or(ranking.items.len());
                of_ranking.copy(&labels, ranking.known().map(|(_, item)| item), places)?;
                put(match measure.kernel {
                    Kernel::Labels(compute) => compute(&of_ranking),
                    Kernel::LabelsOrVectors(compute, _) => compute(&of_ranking)?,
                    _ => None,
                });
            }
        }
        (Kernel::Ranking(compute), _) => all().for_each(|ranking| put(compute(&ranking))),
        (Kernel::RankingOfNumbers(allowed, prepare, compute), Some(property)) => {
            let prepared = prepare(&read_numbers(measure.name, allowed, property, lists)?);
            all().for_each(|ranking| put(compute(&ranking, &prepared)));
        }
        (Kernel::RankingOfLabels(compute), Some(property)) => {
            let labels = read_labels(property, lists)?;
            let shares = shares(&labels);
            all().for_each(|ranking| put(compute(&ranking, &labels, &shares)));
        }
        (Kernel::Rankings(compute), _) => {
            let labels = property.map(|property| read_labels(property, lists)).transpose()?;
            let rankings = Rankings {
                each: all().collect(),
                exposures: exposures.at(*k, lists)?,
                catalogue: lists.catalogue.len(),
                labels: labels.as_ref(),
            };
            let mut without = Vec::new();
            without.make_room(rankings.each.len())?;
            let value = compute(&rankings, &mut without);
            if let Some(value) = value {
                jackknife_values(value, &without).for_each(|value| put(Some(value)));
            }
        }
        (_, None) => bail!(internal: "a property is missing"),
    }
    Ok(())
}

/// The number of each item of the catalogue; NULL for an item without one.
fn read_numbers<C: Column>(
    name: &str,
    Allowed { in_words, allows_type, allows }: &Allowed,
    property: &C,
    lists: &Lists,
) -> Result<Vec<Nullable>, Error> {
    if !allows_type(property.kind()) {
        bail!("items" => "items must have {in_words} for {name}, got {}", property.kind());
    }
    let all = property.numbers()?;
    let given = lists.catalogue.iter().map(|index| all.get(*index));
    // A NaN, which would become NULL, is refused, too.
    if let Some(number) = given.clone().flatten().find(|number| !allows(*number)) {
        bail!("items" => "items must have {in_words} for {name}, got {number}");
    }
    collected(given.map(Nullable::from))
}

/// The labels of all items of the catalogue, of which each has one label, or a list of them.
fn read_labels<C: Column>(property: &C, lists: &Lists) -> Result<Labels, Error> {
    let mut labels = Labels::default();
    let items = lists.catalogue.iter().copied();
    if let Type::List(_) = property.kind() {
        let column = encoded(&property.elements()?)?;
        labels.read(
            &column,
            items.map(|item| property.span(item).unwrap_or_default()),
            lists.catalogue.len(),
        )?;
    } else {
        labels.read(&encoded(property)?, items.map(|item| item..item + 1), lists.catalogue.len())?;
    }
    Ok(labels)
}
