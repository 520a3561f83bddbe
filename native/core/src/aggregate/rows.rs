//! Groups whose rows are recommendations or judgements, which meet on their items.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

use foldhash::fast::FixedState;
use smallvec::SmallVec;

use super::{Agreed, Group, Groups, Ranking, Scratch, Terms, rels, room, scores};
use crate::catalogue::Function;
use crate::column::{Column, ItemColumn, Items, Numbers, Validity, hash};
use crate::error::bail;
use crate::forms::{Matching, matching};
use crate::judge::{Columns, Spans};
use crate::nested::items;
use crate::options::{Duplicates, Ties};
use crate::ranking::Row;
use crate::scored::{check_score, number, ordered};
use crate::source::Settings;
use crate::types::{Integer, Type};
use crate::{Error, Values};

/// Text and other byte strings; short ones are kept in place.
pub type Bytes = SmallVec<[u8; 16]>;

/// An item that can be compared.
pub trait Item: Clone + Eq + Hash + Ord {
    const EXACT: bool;

    fn tag(&self) -> i64;

    fn bytes(&self) -> &[u8];
}

impl Item for i64 {
    const EXACT: bool = true;

    fn tag(&self) -> i64 {
        *self
    }

    fn bytes(&self) -> &[u8] {
        &[]
    }
}

impl Item for Bytes {
    const EXACT: bool = false;

    fn tag(&self) -> i64 {
        hash(self)
    }

    fn bytes(&self) -> &[u8] {
        self
    }
}

/// Items that a group can have.
trait Kept: Item {
    /// The items of a group, if they are of this kind, or all are NULL so far.
    fn of(items: &mut ItemsOf) -> Option<&mut Ranked<Self>>;
}

macro_rules! kept {
    ($item:ty, $variant:ident) => {
        impl Kept for $item {
            fn of(items: &mut ItemsOf) -> Option<&mut Ranked<Self>> {
                if !matches!(items, ItemsOf::$variant(_))
                    && let Some(ranked) = items.unnamed()
                {
                    *items = ItemsOf::$variant(ranked);
                }
                if let ItemsOf::$variant(ranked) = items { Some(ranked) } else { None }
            }
        }
    };
}
kept!(i64, Fixed);
kept!(Bytes, Bytes);

/// A retrieved item behind its score, the less the better.
pub type Entry<I> = (u64, I);

/// The retrieved items that a cut can show, and the judged ones.
#[derive(Clone)]
struct Ranked<I> {
    /// Retrieved items: all of them where there is no cut, else the best and some more; some may be repeated.
    entries: Vec<Entry<I>>,
    /// Items with a score beyond this one are beyond the cut.
    last: u64,
    /// The scores of retrieved items that are NULL.
    nameless: Vec<u64>,
    truth: Vec<I>,
    /// The relevances beside the judged items, unless all are 1.
    rels: Vec<f64>,
    is_judged: bool,
}

impl<I> Default for Ranked<I> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            last: u64::MAX,
            nameless: Vec::new(),
            truth: Vec::new(),
            rels: Vec::new(),
            is_judged: false,
        }
    }
}

impl<I: Item> Ranked<I> {
    /// Reads a row.
    #[inline]
    fn push(
        &mut self,
        settings: &Settings,
        item: impl FnOnce() -> Option<I>,
        score: Option<f64>,
        rel: Option<f64>,
    ) -> Result<(), Error> {
        let score = match score {
            Some(score) => Some(!ordered(check_score("score", score)?)).filter(|score| *score <= self.last),
            None => None,
        };
        if score.is_none() && rel.is_none() {
            return Ok(());
        }
        let item = item();
        if let Some(rel) = rel {
            settings.check_rel("rel", rel)?;
            self.is_judged = true;
            if let Some(item) = &item {
                self.judge(item.clone(), rel);
            }
        }
        if let Some(score) = score {
            match item {
                Some(item) => self.retrieve(settings.deepest, score, item),
                None => self.nameless.push(score),
            }
        }
        Ok(())
    }

    /// The same as a ranking of items of another kind, if all items are NULL.
    fn unnamed<J>(&self) -> Option<Ranked<J>> {
        let Self { nameless, last, is_judged, .. } = self;
        let ranked =
            || Ranked { nameless: nameless.clone(), last: *last, is_judged: *is_judged, ..Ranked::default() };
        (self.entries.is_empty() && self.truth.is_empty()).then(ranked)
    }

    fn judge(&mut self, item: I, rel: f64) {
        if rel != 1.0 && self.rels.is_empty() {
            self.rels.resize(self.truth.len(), 1.0);
            self.rels.push(rel);
        } else if !self.rels.is_empty() {
            self.rels.push(rel);
        }
        self.truth.push(item);
    }

    fn retrieve(&mut self, deepest: Option<usize>, score: u64, item: I) {
        if self.entries.len() == self.entries.capacity()
            && let Some(k) = deepest
            && self.entries.len() >= room(k)
        {
            self.keep_best(k);
            if self.entries.len() > self.entries.capacity() / 2 {
                self.entries.reserve(self.entries.capacity());
            }
        }
        self.entries.push((score, item));
    }

    fn combine(&mut self, other: &Self, settings: &Settings) {
        for (index, item) in other.truth.iter().enumerate() {
            self.judge(item.clone(), other.rels.get(index).copied().unwrap_or(1.0));
        }
        self.is_judged |= other.is_judged;
        self.nameless.extend(&other.nameless);
        self.last = self.last.min(other.last);
        for (score, item) in &other.entries {
            if *score <= self.last {
                self.retrieve(settings.deepest, *score, item.clone());
            }
        }
    }

    fn keep_best(&mut self, k: usize) {
        let (kept, last) = keep_best(&mut self.entries, k);
        self.entries.truncate(kept);
        self.last = last.unwrap_or(self.last);
    }

    /// The function's values for the ranking; `None` where nothing was judged.
    fn evaluate<'a>(
        &mut self,
        function: &Function,
        settings: &Arc<Settings>,
        scratch: &'a mut Scratch,
    ) -> Result<Option<Values<'a>>, Error> {
        if !self.is_judged || settings.no_ks {
            return Ok(None);
        }
        let Self { entries, nameless, truth, rels, .. } = self;
        let met = Met { entries, nameless: nameless.iter().copied(), truth, rels };
        met.evaluate(function, settings, scratch).map(Some)
    }
}

/// Moves the items that a cut at k can show to the front, without repeats, and returns how many they are, and the score
/// beyond which items are cut off.
pub fn keep_best<I: Item>(mut entries: &mut [Entry<I>], k: usize) -> (usize, Option<u64>) {
    if entries.len() < k {
        return (without_repeats(entries), None);
    }
    while entries.len() >= k {
        let (_, (last, _), beyond) = entries.select_nth_unstable_by_key(k - 1, |(score, _)| *score);
        let last = *last;
        // The block through which the cut goes is kept whole.
        let mut tied = 0;
        for index in 0..beyond.len() {
            if beyond[index].0 == last {
                beyond.swap(tied, index);
                tied += 1;
            }
        }
        if !repeats(&entries[..k + tied]) {
            return (k + tied, Some(last));
        }
        let different = drop_repeats(entries);
        entries = &mut entries[..different];
    }
    (entries.len(), None)
}

/// Drops repeats if there are any, and returns how many items there are.
fn without_repeats<I: Item>(entries: &mut [Entry<I>]) -> usize {
    if repeats(entries) { drop_repeats(entries) } else { entries.len() }
}

/// Keeps each item once, with its greatest score, and returns how many there are.
fn drop_repeats<I: Item>(entries: &mut [Entry<I>]) -> usize {
    entries
        .sort_unstable_by(|(score, item), (other_score, other)| item.cmp(other).then(score.cmp(other_score)));
    let mut kept = 0;
    for index in 0..entries.len() {
        if kept == 0 || entries[kept - 1].1 != entries[index].1 {
            entries.swap(kept, index);
            kept += 1;
        }
    }
    kept
}

/// Recommendations and judgements of one ranking, which are yet to meet.
pub struct Met<'a, I, N> {
    pub entries: &'a mut [Entry<I>],
    /// The scores of retrieved items that are NULL.
    pub nameless: N,
    pub truth: &'a [I],
    /// The relevances beside the judged items, unless all are 1.
    pub rels: &'a [f64],
}

impl<I: Item, N: Iterator<Item = u64>> Met<'_, I, N> {
    /// The function's values for the ranking.
    pub fn evaluate<'s>(
        self,
        function: &Function,
        settings: &Arc<Settings>,
        scratch: &'s mut Scratch,
    ) -> Result<Values<'s>, Error> {
        let Self { mut entries, nameless, truth, rels: of_truth } = self;
        let kept = match settings.deepest {
            Some(k) => keep_best(entries, k).0,
            None => without_repeats(entries),
        };
        entries = &mut entries[..kept];
        let Scratch { row, scored, judge, rels, .. } = scratch;
        row.clear();
        let judged =
            (!of_truth.is_empty()).then(|| Numbers { values: of_truth.into(), validity: Validity::All });
        let spans = Spans { rec: 0..entries.len(), truth: 0..truth.len() };
        let columns = Columns { rec: Entries(entries), truth: Judged(truth), rels: judged };
        judge.read(row, &spans, &columns, Duplicates::Count, Ok)?;

        rels.clear();
        rels.resize(entries.len(), None);
        for (find, place) in row.above().iter().enumerate() {
            rels[*place] = Some(row.rels.get(find).copied().unwrap_or(1.0));
        }
        row.clear();
        if settings.options.ties.are_by_item() {
            rank_by_item(entries, nameless, rels, settings, row);
        } else {
            scored.clear();
            for ((score, _), rel) in entries.iter().zip(&*rels) {
                scored.push(number(!score), *rel);
            }
            nameless.for_each(|score| scored.push(number(!score), None));
            scored.rank(row, settings.order());
        }
        scratch.evaluate(function, settings)
    }
}

/// Writes the ranking in which equal scores are in the order of their items, those that are NULL last.
fn rank_by_item<I: Item>(
    entries: &[Entry<I>],
    nameless: impl Iterator<Item = u64>,
    rels: &[Option<f64>],
    settings: &Settings,
    row: &mut Row,
) {
    let items = entries.iter().zip(rels).map(|((score, item), rel)| (*score, Some(item), *rel));
    let mut ranked: Vec<_> = items.chain(nameless.map(|score| (score, None, None))).collect();
    ranked.sort_unstable_by(|(score, item, _), (other_score, other, _)| {
        let by_item = match (item, other) {
            (Some(item), Some(other)) if settings.options.ties == Ties::ItemDesc => other.cmp(item),
            _ => (item.is_none(), item).cmp(&(other.is_none(), other)),
        };
        score.cmp(other_score).then(by_item)
    });
    row.retrieved = ranked.len();
    let shown = settings.deepest.map_or(ranked.len(), |deepest| deepest.min(ranked.len()));
    for (above, (_, _, rel)) in ranked[..shown].iter().enumerate() {
        if let Some(rel) = rel {
            row.push(above, *rel);
        }
    }
}

/// Whether any item is there twice.
pub fn repeats<I: Item>(entries: &[Entry<I>]) -> bool {
    const FEW: usize = 32;
    if entries.len() <= FEW {
        return (1..entries.len())
            .any(|index| entries[..index].iter().any(|(_, item)| *item == entries[index].1));
    }
    let mut seen = HashSet::with_capacity_and_hasher(entries.len(), FixedState::default());
    !entries.iter().all(|(_, item)| seen.insert(item))
}

struct Entries<'a, I>(&'a [Entry<I>]);

impl<I: Item> Items for Entries<'_, I> {
    const EXACT: bool = I::EXACT;

    fn tag(&self, index: usize) -> Option<i64> {
        Some(self.0[index].1.tag())
    }

    fn bytes(&self, index: usize) -> &[u8] {
        self.0[index].1.bytes()
    }
}

struct Judged<'a, I>(&'a [I]);

impl<I: Item> Items for Judged<'_, I> {
    const EXACT: bool = I::EXACT;

    fn tag(&self, index: usize) -> Option<i64> {
        Some(self.0[index].tag())
    }

    fn bytes(&self, index: usize) -> &[u8] {
        self.0[index].bytes()
    }
}

/// The items of a group, whatever they are.
#[derive(Clone, Default)]
enum ItemsOf {
    #[default]
    None,
    Fixed(Ranked<i64>),
    Bytes(Ranked<Bytes>),
}

impl ItemsOf {
    /// The ranking as one of items of this kind, if all items are NULL.
    fn unnamed<I>(&self) -> Option<Ranked<I>> {
        match self {
            Self::None => Some(Ranked::default()),
            Self::Fixed(ranked) => ranked.unnamed(),
            Self::Bytes(ranked) => ranked.unnamed(),
        }
    }

    /// Takes in those of another group, if they are of one kind.
    fn join<I: Kept>(&mut self, other: &Ranked<I>, settings: &Settings) -> bool {
        I::of(self).is_some_and(|ranked| {
            ranked.combine(other, settings);
            true
        })
    }
}

/// One ranking of items.
#[derive(Clone, Default)]
pub struct Rows {
    agreed: Agreed,
    items: ItemsOf,
}

impl Group for Rows {
    fn update<C: Column>(
        function: &'static Function,
        columns: &[C],
        rows: usize,
        groups: &mut impl Groups<Self>,
    ) -> Result<(), Error> {
        let mut terms = Terms::new(function, columns)?;
        let inputs = Inputs::new(&columns[0], &columns[1], &columns[2])?;
        macro_rules! read {
            ($push:expr) => {
                read(&inputs, rows, &mut terms, groups, $push)
            };
        }
        match items(&columns[0], inputs.matching)? {
            ItemColumn::Fixed(items) => read!(inputs.push(|row| items.tag(row))),
            ItemColumn::Bytes(items) => read!(inputs.push(|row| bytes(&items, row))),
            ItemColumn::Encoded(items) => read!(inputs.push(|row| bytes(&items, row))),
            // The group's other items are of any kind, and some of these rows may be NULL altogether.
            ItemColumn::Nulls => read!(|items, settings, row| match items {
                ItemsOf::Bytes(_) => inputs.push(|_| None::<Bytes>)(items, settings, row),
                _ => inputs.push(|_| None::<i64>)(items, settings, row),
            }),
        }
    }

    fn combine(&mut self, other: &Self) -> Result<(), Error> {
        let Some(settings) = &other.agreed.0 else { return Ok(()) };
        if self.agreed.0.is_none() {
            self.clone_from(other);
            return Ok(());
        }
        self.agreed.agree(settings)?;
        let items = &mut self.items;
        let have_joined = match &other.items {
            ItemsOf::None => true,
            ItemsOf::Fixed(other) => {
                items.join(other, settings)
                    || other.unnamed::<Bytes>().is_some_and(|other| items.join(&other, settings))
            }
            ItemsOf::Bytes(other) => {
                items.join(other, settings)
                    || other.unnamed::<i64>().is_some_and(|other| items.join(&other, settings))
            }
        };
        if !have_joined {
            bail!("internal error: items came in two forms");
        }
        Ok(())
    }
}

impl Ranking for Rows {
    fn evaluate<'a>(
        &mut self,
        function: &Function,
        scratch: &'a mut Scratch,
    ) -> Result<Option<Values<'a>>, Error> {
        let Some(settings) = &self.agreed.0 else { return Ok(None) };
        match &mut self.items {
            ItemsOf::None => Ok(None),
            ItemsOf::Fixed(ranked) => ranked.evaluate(function, settings, scratch),
            ItemsOf::Bytes(ranked) => ranked.evaluate(function, settings, scratch),
        }
    }
}

/// The item, score and rel columns of a call.
pub struct Inputs<'a> {
    pub matching: Matching,
    pub score: Numbers<'a>,
    pub rel: Numbers<'a>,
    /// The type of items that have no order of their own.
    pub unordered: Option<Type>,
}

impl<'a> Inputs<'a> {
    pub fn new<C: Column>(item: &'a C, score: &'a C, rel: &'a C) -> Result<Self, Error> {
        let kind = item.kind();
        let Some(matching) = matching(kind, kind) else {
            bail!("items of type {kind} cannot be compared");
        };
        let is_ordered =
            matches!(kind, Type::Null | Type::Integer(Integer::Narrow) | Type::Float | Type::Text);
        Ok(Self {
            matching,
            score: scores("score", score)?,
            rel: rels("rel", rel)?,
            unordered: (!is_ordered).then(|| kind.clone()),
        })
    }

    /// Reads a row into a ranking of such items.
    #[inline]
    fn push<I: Kept>(
        &self,
        item: impl Fn(usize) -> Option<I>,
    ) -> impl Fn(&mut ItemsOf, &Settings, usize) -> Result<(), Error> {
        move |items, settings, row| match I::of(items) {
            Some(ranked) => ranked.push(settings, || item(row), self.score.get(row), self.rel.get(row)),
            None => bail!("internal error: items came in two forms"),
        }
    }

    /// An error where ties are to be broken by items that have no order.
    #[inline]
    pub fn check(&self, settings: &Settings) -> Result<(), Error> {
        match &self.unordered {
            Some(kind) if settings.options.ties.are_by_item() => {
                bail!(
                    "ties by item need items that are integers of 64 bits, floating point or text, got {kind}"
                )
            }
            _ => Ok(()),
        }
    }
}

/// Reads each row into its group.
fn read<C: Column>(
    inputs: &Inputs,
    rows: usize,
    terms: &mut Terms<C>,
    groups: &mut impl Groups<Rows>,
    push: impl Fn(&mut ItemsOf, &Settings, usize) -> Result<(), Error>,
) -> Result<(), Error> {
    for row in 0..rows {
        let settings = terms.at(row)?;
        inputs.check(settings)?;
        let group = groups.of(row);
        group.agreed.agree(settings)?;
        push(&mut group.items, settings, row)?;
    }
    Ok(())
}

/// An item of byte strings, to be kept.
#[inline]
pub fn bytes(items: &impl Items, row: usize) -> Option<Bytes> {
    items.tag(row).map(|_| Bytes::from_slice(items.bytes(row)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lookup;

    type Read = (Option<u8>, Option<u8>, bool);

    fn settings(function: &Function, options: &str, ks: &[Option<usize>]) -> Arc<Settings> {
        let mut settings = Settings::new(function);
        settings.set_options(options, function.parse(options).unwrap());
        settings.set_ks(ks.iter().map(|k| Ok(*k))).unwrap();
        Arc::new(settings)
    }

    fn ranked<I: Item>(settings: &Settings, rows: &[Read], item: impl Fn(u8) -> I) -> Ranked<I> {
        let mut ranked = Ranked::default();
        for (number, score, is_judged) in rows {
            let rel = number.filter(|_| *is_judged).map(|number| f64::from(number % 3));
            ranked.push(settings, || number.map(&item), score.map(f64::from), rel).unwrap();
        }
        ranked
    }

    /// The values at the first k.
    fn values<I: Item>(mut ranked: Ranked<I>, settings: &Arc<Settings>) -> Option<Vec<Option<f64>>> {
        let function = lookup("rank_metrics_at_rows").unwrap();
        let mut scratch = Scratch::default();
        let values = ranked.evaluate(function, settings, &mut scratch).unwrap()?;
        Some(values.values[..function.metrics.len()].iter().map(|value| value.get()).collect())
    }

    proptest! {
        #[test]
        fn what_a_cut_drops_changes_nothing(
            rows in prop::collection::vec(
                (prop::option::weighted(0.98, 0..200_u8), prop::option::of(0..20_u8), any::<bool>()), 1..500
            ),
            (levels, items) in (1..20_u8, 1..200_u8),
            k in prop_oneof![1..4_usize, 15..18_usize, 30..70_usize],
            ties in prop::sample::select(vec!["average", "pessimistic", "optimistic", "item_asc", "item_desc"]),
            cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..9),
        ) {
            let rows: Vec<Read> = rows
                .into_iter()
                .map(|(item, score, judged)| (item.map(|item| item % items), score.map(|score| score % levels), judged))
                .collect();
            let function = lookup("rank_metrics_at_rows").unwrap();
            let options = format!("ties={ties}");
            let all = settings(function, &options, &[Some(k), None]);
            let expected = values(ranked(&all, &rows, i64::from), &all);
            let text = |number: u8| Bytes::from_vec(format!("{number:03}").repeat(1 + usize::from(number % 7)).into());

            let settings = settings(function, &options, &[Some(k)]);
            let mut places: Vec<usize> = cuts.iter().map(|(cut, _)| cut.index(rows.len())).collect();
            places.extend([0, rows.len()]);
            places.sort_unstable();
            let parts: Vec<&[Read]> = places.windows(2).map(|ends| &rows[ends[0]..ends[1]]).collect();
            let mut numbers: Vec<_> = parts.iter().map(|part| ranked(&settings, part, i64::from)).collect();
            let mut texts: Vec<_> = parts.iter().map(|part| ranked(&settings, part, text)).collect();
            for (_, into) in &cuts {
                let (number, text) = (numbers.pop().unwrap(), texts.pop().unwrap());
                let into = into.index(numbers.len());
                numbers[into].combine(&number, &settings);
                texts[into].combine(&text, &settings);
            }
            prop_assert_eq!(values(numbers.pop().unwrap(), &settings), expected.clone());
            prop_assert_eq!(values(texts.pop().unwrap(), &settings), expected);
        }
    }
}
