//! Measures of recommended items by name, from the rankings of all users and the properties of the items.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

use crate::catalogue::measures::NamedItemMeasure;
use crate::column::Column;
use crate::column::matching::{Matching, matching};
use crate::column::nested::{items, own_items};
use crate::error::{Error, bail};
use crate::evaluate::argument::Argument;
use crate::evaluate::call::Call;
use crate::evaluate::item_lists::{RowItems, worth};
use crate::evaluate::item_measure::is_vector;
use crate::evaluate::layout::{ITEM_NAMES, mismatch, named};
use crate::item_measures::item_measure::{Allowed, ItemMeasure, Kernel, mean};
use crate::item_measures::labels::Labels;
use crate::item_measures::rankings::{LabelBuffers, LabelledItems, Lists, Ranking, Rankings};
use crate::item_measures::vectors::Vectors;
use crate::memory::{Grow, collected};
use crate::results::Nullable;
use crate::statistics::jackknife::jackknife_values;
use crate::threads::share;
use crate::types::{Field, Type};

/// Takes the values of measures of items, row by row.
pub trait ItemResults: Sync {
    /// Makes room for the values of so many measures for so many rankings.
    fn begin_row(&mut self, measures: usize, rankings: usize) -> Result<(), Error>;
    /// Takes the values of a measure for some rankings, of which `first` is the first one. Threads call it at once, each for
    /// values of its own; all values of the row come, and come once.
    fn put(&self, measure: usize, first: usize, values: &[Nullable]);
    /// Ends the row that was begun, or makes it NULL if there was none.
    fn end_row(&mut self, row: usize) -> Result<(), Error>;
}

/// The values of all measures for one ranking, then those for the next one.
#[derive(Default)]
pub struct ByRanking {
    /// The rows that were ended; `None` for a NULL.
    pub rows: Vec<Option<Vec<Nullable>>>,
    /// The number of measures of the row that was begun, and its values.
    begun: Option<(usize, Mutex<Vec<Nullable>>)>,
}

impl ItemResults for ByRanking {
    fn begin_row(&mut self, measures: usize, rankings: usize) -> Result<(), Error> {
        let mut values = Vec::new();
        values.try_resize(measures.saturating_mul(rankings), Nullable::NULL)?;
        self.begun = Some((measures, Mutex::new(values)));
        Ok(())
    }

    fn put(&self, measure: usize, first: usize, values: &[Nullable]) {
        let Some((measures, all)) = &self.begun else { return };
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        let places = all.iter_mut().skip(first * measures + measure).step_by(*measures);
        places.zip(values).for_each(|(place, value)| *place = *value);
    }

    fn end_row(&mut self, _row: usize) -> Result<(), Error> {
        let values = self.begun.take().map(|(_, values)| values.into_inner());
        self.rows.try_push(values.map(|values| values.unwrap_or_else(PoisonError::into_inner)))
    }
}

/// A measure as a call names it.
struct Asked<'a> {
    measure: &'static ItemMeasure,
    /// The name of the property that it reads.
    of: &'a str,
    /// The field of `items` with this property, from 0; `None` if it reads none.
    property: Option<usize>,
    /// The cutoff; `None` for whole rankings.
    k: Option<usize>,
}

impl<C: Column> Call<'_, C> {
    /// Evaluates the measures of each row.
    #[inline(never)]
    pub(super) fn rank_items(
        &self,
        [rec, truth, catalogue]: [&C; 3],
        rows: usize,
        results: &mut dyn ItemResults,
    ) -> Result<(), Error> {
        let users = [lists_of_users("rec", rec, "ranking")?, lists_of_users("truth", truth, "relevant")?];
        let ranked = elements("rec", "a list of ", &users[0])?;
        let relevant = elements("truth", "a list of ", &users[1])?;
        let structs = elements("items", "", catalogue)?;
        let (fields, place) = fields_of_items(&structs)?;
        let ids = match place {
            Some(place) => structs.field(place)?,
            None => elements("items", "", catalogue)?,
        };
        let matching = common_matching([ids.kind(), ranked.kind(), relevant.kind()])?;
        let columns = [items(&ids, matching)?, items(&ranked, matching)?, items(&relevant, matching)?];
        let (rec, truth, catalogue) = (Argument::new(rec), Argument::new(truth), Argument::new(catalogue));
        for row in 0..rows {
            let options = self.parse_options(row)?;
            let (Some(of_rec), Some(named), Some(of_items)) =
                (rec.span(row), self.item_measures(row)?, catalogue.span(row))
            else {
                results.end_row(row)?;
                continue;
            };
            let asked = named.iter().map(|each| asked(each, fields)).collect::<Result<Vec<_>, _>>()?;
            let of_truth = truth.span(row);
            if let Some(each) = asked.iter().find(|each| each.measure.needs_truth && of_truth.is_none()) {
                bail!("truth" => "truth must be a list with the items of each user for {}, got NULL", each.measure.name);
            }
            let spans = (of_rec, of_truth, of_items);
            let (mut shared, mut ready) = (Shared::default(), Vec::new());
            let read_properties = |catalogue: &[usize], ranks: usize| {
                for each in &asked {
                    let property = each.property.map(|place| structs.field(place)).transpose()?;
                    let inputs = shared.read(each, each.property.zip(property.as_ref()), catalogue, ranks)?;
                    ready.try_push((each, inputs))?;
                }
                Ok(())
            };
            let items = RowItems::read(spans, &users, &columns, &ids, options.threads, read_properties)?;
            for (each, inputs) in &mut ready {
                if let (Some(place), Inputs::Values(values)) = (each.property, inputs) {
                    *values = values_of_vectors(each, &structs.field(place)?, &items)?;
                }
            }
            let items_of_all: usize = items.lists.parts.iter().map(|part| part.ranked.len()).sum();
            let threads = worth(ready.len().saturating_mul(items_of_all), options.threads);
            shared.count_exposures(&items.lists, threads)?;
            results.begin_row(ready.len(), items.lists.users())?;
            write_values(&ready, &items.lists, &shared, threads, results)?;
            results.end_row(row)?;
        }
        Ok(())
    }
}

/// The elements of a column of lists; `within` are the words for the lists that have these lists.
fn elements<C: Column>(name: &'static str, within: &str, column: &C) -> Result<C, Error> {
    if column.kind().element().is_none() {
        let wanted = if name == "items" { "structs of an item and its properties" } else { "lists of items" };
        bail!(name => "{name} must be a list of {wanted}, got {within}{}", column.kind());
    }
    column.elements()
}

/// The lists of items in a column of lists of them, or of lists of structs that have them in this field.
fn lists_of_users<C: Column>(name: &'static str, column: &C, field: &str) -> Result<C, Error> {
    let users = elements(name, "", column)?;
    let Type::Struct(fields) = users.kind() else { return Ok(users) };
    match named(fields, &[field])[..] {
        [place] => users.field(place),
        _ => Ok(users), // an error says that it is no list
    }
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
fn asked<'a>(named: &'a NamedItemMeasure, fields: &[Field]) -> Result<Asked<'a>, Error> {
    let NamedItemMeasure { measure, property, k } = named;
    let place = fields.iter().position(|field| field.name.eq_ignore_ascii_case(property));
    if place.is_none() && !property.is_empty() {
        let fields: Vec<_> = fields.iter().map(|field| &field.name[..]).collect();
        let got =
            if fields.is_empty() { "none".to_owned() } else { format!("the fields {}", fields.join(", ")) };
        bail!(
            "items" => "items must have the field {property} for {name}, got {got}; another one is named as in \
                        {name}(of=...)", name = measure.name
        );
    }
    Ok(Asked { measure, of: property, property: place.filter(|_| !property.is_empty()), k: *k })
}

/// The inputs that measures of one row share beside its lists.
#[derive(Default)]
struct Shared {
    /// How many rankings have each item, for each cutoff.
    exposures: Vec<(Option<usize>, Vec<u32>)>,
    /// The labels of the catalogue, for each place of a field.
    labelled: Vec<(usize, LabelledItems)>,
}

/// The inputs of one measure beside the lists of its row.
enum Inputs {
    Nothing,
    /// A number for each item of the catalogue.
    Numbers(Vec<Nullable>),
    /// The numbers that the kernel has made of these, in the same order.
    Prepared(Vec<f64>),
    /// Labels, by their place in [`Shared::labelled`].
    Labels(usize),
    /// Exposures, by their place in [`Shared::exposures`], and labels if the measure has a property.
    Exposures(usize, Option<usize>),
    /// The values of rankings: columns of vectors, which are read in place, are not shared between threads.
    Values(Vec<Nullable>),
}

impl Shared {
    /// Reads the inputs of a measure, those that its lists are not needed for. `property` is its property with the place of the
    /// field. No ranking has more items than there are `ranks`.
    fn read<C: Column>(
        &mut self,
        asked: &Asked,
        property: Option<(usize, &C)>,
        catalogue: &[usize],
        ranks: usize,
    ) -> Result<Inputs, Error> {
        let Asked { measure, k, .. } = asked;
        Ok(match (&measure.kernel, property) {
            (Kernel::Ranking(_), _) => Inputs::Nothing,
            (Kernel::Rankings(_), property) => {
                let labels =
                    property.map(|(field, property)| self.labels(asked, field, property, catalogue, ranks));
                let place = place_of(&mut self.exposures, *k, || Ok(Vec::new()))?;
                Inputs::Exposures(place, labels.transpose()?)
            }
            (Kernel::MeanOf(allowed, of_each), Some((_, property))) => {
                let mut numbers = read_numbers(asked, allowed, property, catalogue)?;
                for number in &mut numbers {
                    *number = number.get().map(of_each).into();
                }
                Inputs::Numbers(numbers)
            }
            (Kernel::RankingOfNumbers(allowed, prepare, _), Some((_, property))) => {
                Inputs::Prepared(prepare(&read_numbers(asked, allowed, property, catalogue)?))
            }
            (Kernel::LabelsOrVectors(..), Some((_, property))) if is_vector(property.kind()) => {
                Inputs::Values(Vec::new())
            }
            (_, Some((field, property))) => {
                Inputs::Labels(self.labels(asked, field, property, catalogue, ranks)?)
            }
            (_, None) => bail!(internal: "a property is missing"),
        })
    }

    /// The place of the labels in a field, which are read once.
    fn labels<C: Column>(
        &mut self,
        Asked { measure, of, .. }: &Asked,
        field: usize,
        property: &C,
        catalogue: &[usize],
        ranks: usize,
    ) -> Result<usize, Error> {
        let kind = property.kind();
        if is_vector(kind) {
            let wanted = format!("items must have labels in the field {of} for {}", measure.name);
            bail!("items" => "{wanted}, got {kind}, which is a vector");
        }
        place_of(&mut self.labelled, field, || LabelledItems::new(read_labels(property, catalogue)?, ranks))
    }

    /// Counts how many rankings have each item, for each cutoff that a measure needs, on at most so many threads.
    fn count_exposures(&mut self, lists: &Lists, threads: usize) -> Result<(), Error> {
        for (k, exposures) in &mut self.exposures {
            exposures.try_resize(lists.items, 0)?;
            let all = Mutex::new(exposures);
            let count = |own: &mut Vec<u32>, part: usize| {
                own.try_resize(lists.items, 0)?;
                for item in lists.parts[part].cut(*k, lists.catalogue).flat_map(|ranking| ranking.items) {
                    if let Some(times) = own.get_mut(*item as usize) {
                        *times += 1;
                    }
                }
                Ok(())
            };
            let add = |own: Vec<u32>| {
                let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                all.iter_mut().zip(own).for_each(|(times, more)| *times += more);
            };
            share(lists.parts.len(), threads, Vec::new, count, add)?;
        }
        Ok(())
    }
}

/// The place of the value with this key, which is made if there is none.
fn place_of<K: PartialEq, V>(
    known: &mut Vec<(K, V)>,
    key: K,
    make: impl FnOnce() -> Result<V, Error>,
) -> Result<usize, Error> {
    let place = known.iter().position(|(other, _)| *other == key).unwrap_or(known.len());
    if place == known.len() {
        let value = make()?;
        known.try_push((key, value))?;
    }
    Ok(place)
}

/// The values of a measure of vectors, for each ranking that is not NULL.
fn values_of_vectors<C: Column>(
    Asked { measure, k, .. }: &Asked,
    property: &C,
    RowItems { catalogue, lists }: &RowItems,
) -> Result<Vec<Nullable>, Error> {
    let Kernel::LabelsOrVectors(_, compute) = &measure.kernel else {
        bail!(internal: "a measure reads no vectors")
    };
    let parts = property.elements()?;
    let (numbers, mut vectors, mut values) = (parts.numbers()?, Vectors::default(), Vec::new());
    values.make_room(lists.users())?;
    for ranking in lists.cut(*k) {
        let spans = ranking.known().filter_map(|(_, item)| property.span(catalogue[item]));
        vectors.read("items", &numbers, spans)?;
        values.push(compute(&vectors).into());
    }
    Ok(values)
}

/// Computes the values of measures for each ranking, NULL for one that is NULL.
fn write_values(
    ready: &[(&Asked, Inputs)],
    lists: &Lists,
    shared: &Shared,
    threads: usize,
    results: &dyn ItemResults,
) -> Result<(), Error> {
    // A task is a measure of all rankings, or of the rankings of a part, all other measures. The longest tasks come first.
    let is_of_all = |inputs: &Inputs| matches!(inputs, Inputs::Exposures(..) | Inputs::Values(_));
    let placed = ready.iter().enumerate();
    let (of_all, of_parts): (Vec<_>, Vec<_>) = placed.partition(|(_, (_, inputs))| is_of_all(inputs));
    let firsts = lists.parts.iter().scan(0, |next, part| {
        let first = *next;
        *next += part.rankings.len();
        Some((first, part))
    });
    let parts: Vec<_> = firsts.collect();
    let work = |buffers: &mut Buffers, task: usize| {
        if let Some((place, (asked, inputs))) = of_all.get(task) {
            evaluate_all(asked, inputs, lists, shared, buffers)?;
            results.put(*place, 0, &buffers.values);
            return Ok(());
        }
        let (first, part) = parts[task - of_all.len()];
        for (place, (asked, inputs)) in &of_parts {
            let all = || part.cut(asked.k, lists.catalogue);
            buffers.clear_values(part.rankings.len())?;
            evaluate(asked, inputs, all, &shared.labelled, buffers)?;
            results.put(*place, first, &buffers.values);
        }
        Ok(())
    };
    share(of_all.len() + parts.len(), threads, Buffers::default, work, |_| ()).map(|_| ())
}

/// Buffers that a thread keeps from one task to the next one.
#[derive(Default)]
struct Buffers {
    /// The value for each ranking.
    values: Vec<Nullable>,
    /// The values of a measure of all rankings without each of them.
    without: Vec<Nullable>,
    /// The items of one ranking.
    items: Vec<u32>,
    of_labels: LabelBuffers,
}

impl Buffers {
    /// Makes all values NULL, for so many rankings.
    fn clear_values(&mut self, rankings: usize) -> Result<(), Error> {
        self.values.clear();
        self.values.try_resize(rankings, Nullable::NULL)
    }
}

/// Writes the value of a measure of all rankings for each of them, or those that were computed before.
fn evaluate_all(
    Asked { measure, k, .. }: &Asked,
    inputs: &Inputs,
    lists: &Lists,
    Shared { exposures, labelled }: &Shared,
    buffers: &mut Buffers,
) -> Result<(), Error> {
    buffers.clear_values(lists.users())?;
    let Buffers { values, without, .. } = buffers;
    let rankings = lists.parts.iter().flat_map(|part| &part.rankings);
    // The values of the rankings that are not NULL.
    let known =
        values.iter_mut().zip(rankings).filter(|(_, ranking)| ranking.is_some()).map(|(value, _)| value);
    match (&measure.kernel, inputs) {
        (Kernel::Rankings(compute), Inputs::Exposures(place, labels)) => {
            let (exposures, labelled) = (&exposures[*place].1, labels.map(|place| &labelled[place].1));
            without.clear();
            without.make_room(lists.users())?;
            if let Some(value) = compute(&Rankings { lists, k: *k, exposures, labelled }, without) {
                let all = jackknife_values(value, without).map(|value| Nullable::from(Some(value)));
                known.zip(all).for_each(|(value, computed)| *value = computed);
            }
        }
        (_, Inputs::Values(all)) => known.zip(all).for_each(|(value, computed)| *value = *computed),
        _ => bail!(internal: "a measure reads something else"),
    }
    Ok(())
}

/// Writes the value of a measure of single rankings for each of `all`, at the place of its user.
fn evaluate<'a, R: Iterator<Item = Ranking<'a>>>(
    Asked { measure, k, .. }: &Asked,
    inputs: &Inputs,
    all: impl Fn() -> R,
    labelled: &[(usize, LabelledItems)],
    Buffers { values, items, of_labels, .. }: &mut Buffers,
) -> Result<(), Error> {
    let mut put = |ranking: &Ranking, value: Option<f64>| values[ranking.user] = value.into();
    match (&measure.kernel, inputs) {
        (Kernel::Ranking(compute), _) => all().for_each(|ranking| put(&ranking, compute(&ranking))),
        (Kernel::MeanOf(..), Inputs::Numbers(numbers)) => all().for_each(|ranking| {
            // The catalogue has a number, or a NULL, for each item.
            let of_items = ranking.items.iter().filter_map(|item| numbers.get(*item as usize)?.get());
            put(&ranking, mean(of_items));
        }),
        (Kernel::RankingOfNumbers(_, _, compute), Inputs::Prepared(prepared)) => {
            all().for_each(|ranking| put(&ranking, compute(&ranking, prepared)));
        }
        (Kernel::DistinctLabels(compute), Inputs::Labels(place)) => {
            let labels = &labelled[*place].1.labels;
            let mut put_distinct = |ranking: &Ranking, distinct: usize| {
                put(ranking, (distinct > 0).then(|| compute(distinct, k.unwrap_or(ranking.items.len()))));
            };
            if let Some(words) = labels.words() {
                for ranking in all() {
                    let word = ranking.known().fold(0, |word, (_, item)| word | words[item]);
                    put_distinct(&ranking, word.count_ones() as usize);
                }
                return Ok(());
            }
            // For each label, the last ranking that had it, from 1.
            let mut last_ranking = Vec::new();
            last_ranking.try_resize(labels.distinct, 0)?;
            for (number, ranking) in (1_u32..).zip(all()) {
                let mut distinct = 0;
                for label in ranking.known().flat_map(|(_, item)| labels.of(item)) {
                    distinct += usize::from(last_ranking[*label as usize] != number);
                    last_ranking[*label as usize] = number;
                }
                put_distinct(&ranking, distinct);
            }
        }
        (Kernel::LabelsOrVectors(compute, _), Inputs::Labels(place)) => {
            for ranking in all() {
                items.clear();
                items.make_room(ranking.items.len())?;
                items.extend(ranking.items.iter().filter(|item| (**item as usize) < ranking.catalogue));
                put(&ranking, compute(&labelled[*place].1.labels, items)?);
            }
        }
        (Kernel::RankingOfLabels(compute), Inputs::Labels(place)) => {
            let labelled = &labelled[*place].1;
            let distinct = labelled.labels.distinct;
            for ranking in all() {
                of_labels.iter_mut().try_for_each(|weights| weights.clear(distinct))?;
                put(&ranking, compute(&ranking, labelled, of_labels));
            }
        }
        _ => bail!(internal: "a measure reads something else"),
    }
    Ok(())
}

/// The number of each item of the catalogue; NULL for an item without one.
fn read_numbers<C: Column>(
    Asked { measure, of, .. }: &Asked,
    Allowed { in_words, allows_type, allows }: &Allowed,
    property: &C,
    catalogue: &[usize],
) -> Result<Vec<Nullable>, Error> {
    let refused = |got: &dyn Display| {
        let text = format!("items must have {in_words} in the field {of} for {}, got {got}", measure.name);
        Error::new(text).about("items")
    };
    if !allows_type(property.kind()) {
        return Err(refused(property.kind()));
    }
    let all = property.numbers()?;
    let given = catalogue.iter().map(|index| all.get(*index));
    // A NaN, which would become NULL, is refused, too.
    if let Some(number) = given.clone().flatten().find(|number| !allows(*number)) {
        return Err(refused(&number));
    }
    collected(given.map(Nullable::from))
}

/// The labels of all items of the catalogue, of which each has one label, or a list of them.
fn read_labels<C: Column>(property: &C, catalogue: &[usize]) -> Result<Labels, Error> {
    let mut labels = Labels::default();
    let items = catalogue.iter().copied();
    if let Type::List(_) = property.kind() {
        let elements = property.elements()?;
        labels.read(&own_items(&elements)?, items.map(|item| property.span(item).unwrap_or_default()))?;
    } else {
        labels.read(&own_items(property)?, items.map(|item| item..item + 1))?;
    }
    Ok(labels)
}
