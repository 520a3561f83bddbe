//! Joins the retrieved and the judged items of one group into a ranking.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::hash::Hash;

use foldhash::fast::FixedState;
use smallvec::SmallVec;

use crate::aggregate::group::Scratch;
use crate::column::{Items, Numbers, Validity, hash};
use crate::error::Error;
use crate::memory::{Grow, make_room_for};
use crate::options::choices::{Duplicates, Ties};
use crate::ranking::item_order::ItemOrder;
use crate::ranking::list::RankedList;
use crate::ranking::lookup::{LookupColumns, LookupSpans};
use crate::ranking::scored::{ScoreCode, rel_or_unjudged};
use crate::settings::Settings;

/// An item that is a text or another byte string; up to 16 bytes are stored inline.
pub type ItemBytes = SmallVec<[u8; 16]>;

/// An item as a group keeps it. Equal items have equal tags. `Ord` is the order in which ties are broken by item.
pub trait Item: Clone + Eq + Hash + Ord {
    /// Whether equal tags alone make two items equal.
    const EXACT: bool;

    /// A copy; an error if memory runs out.
    #[inline]
    fn try_clone(&self) -> Result<Self, Error> {
        Ok(self.clone())
    }

    /// The number that stands for the item: the item itself, or a hash of its bytes.
    fn tag(&self) -> i64;

    /// The bytes of the item; empty if the tag is the item.
    fn bytes(&self) -> &[u8] {
        &[]
    }
}

impl Item for i64 {
    const EXACT: bool = true;

    fn tag(&self) -> i64 {
        *self
    }
}

impl Item for ItemBytes {
    const EXACT: bool = false;

    fn try_clone(&self) -> Result<Self, Error> {
        copied(self)
    }

    fn tag(&self) -> i64 {
        hash(self)
    }

    fn bytes(&self) -> &[u8] {
        self
    }
}

/// The score code of a retrieved item (less is better), then the item.
pub type ScoredItem<S, I> = (S, I);

/// A judged item and its relevance.
pub type Judgement<I> = (I, f64);

/// Moves the entries that cutoff k can show to the front: the best k different items, and those that tie with the k-th.
/// Returns how many these are, and the score code of the k-th, if there are k different items. `are_different` says that no
/// item is repeated; if it does not, repeats are looked for.
pub fn keep_best<S: ScoreCode, I: Item>(
    mut entries: &mut [ScoredItem<S, I>],
    k: usize,
    are_different: bool,
) -> Result<(usize, Option<S>), Error> {
    if entries.len() < k {
        return Ok((without_repeats(entries, are_different)?, None));
    }
    while entries.len() >= k {
        let kth_score = move_best(entries, k);
        let beyond = &mut entries[k..];
        // The order of tied items is decided later, so none of them is dropped.
        let mut tied = 0;
        for index in 0..beyond.len() {
            if beyond[index].0 == kth_score {
                beyond.swap(tied, index);
                tied += 1;
            }
        }
        if are_different || !has_repeats(&entries[..k + tied])? {
            return Ok((k + tied, Some(kth_score)));
        }
        let different = drop_repeats(entries);
        entries = &mut entries[..different];
    }
    Ok((entries.len(), None))
}

/// Moves the entries that a cutoff can show to the front, as [`keep_best`] does; all different items without a cutoff. Returns how
/// many these are.
pub fn keep_shown<S: ScoreCode, I: Item>(
    entries: &mut [ScoredItem<S, I>],
    k: Option<usize>,
    are_different: bool,
) -> Result<usize, Error> {
    match k {
        Some(k) => Ok(keep_best(entries, k, are_different)?.0),
        None => without_repeats(entries, are_different),
    }
}

/// Moves the best k entries, of which there are as many at least, to the front. Returns the score code of the k-th.
fn move_best<S: ScoreCode, I>(entries: &mut [ScoredItem<S, I>], k: usize) -> S {
    let (first, beyond) = entries.split_at(k);
    let worst = first.iter().map(|(score, _)| *score).max();
    // They are there already if these entries were ranked before, down to the same cutoff.
    match worst {
        Some(worst) if beyond.iter().all(|(score, _)| *score >= worst) => worst,
        _ => entries.select_nth_unstable_by_key(k - 1, |(score, _)| *score).1.0,
    }
}

/// The same as [`drop_repeats`]; sorts only if there are repeats.
fn without_repeats<S: ScoreCode, I: Item>(
    entries: &mut [ScoredItem<S, I>],
    are_different: bool,
) -> Result<usize, Error> {
    Ok(if are_different || !has_repeats(entries)? { entries.len() } else { drop_repeats(entries) })
}

/// Moves one entry of each item to the front, the one with the best score, and returns how many there are.
fn drop_repeats<S: ScoreCode, I: Item>(entries: &mut [ScoredItem<S, I>]) -> usize {
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

/// The retrieved and the judged items of one ranking, to be joined by item.
pub struct ItemJoin<'a, S, I, T> {
    /// The retrieved items with their score codes, in no order. Repeated items count once, with their best score.
    pub entries: &'a mut [ScoredItem<S, I>],
    /// Whether it is known that no item of `entries` is repeated.
    pub are_different: bool,
    /// The score codes of the retrieved NULL items, each of which takes a rank.
    pub null_item_scores: &'a [S],
    /// The judged items, in no order; repeats must agree in relevance.
    pub truth: JudgedItems<'a, T>,
    /// The relevance of each judged item; empty if all are 1.
    pub rels: &'a [f64],
}

impl<S: ScoreCode, I: Item, T: JudgedItem<Item = I>> ItemJoin<'_, S, I, T> {
    /// Writes the ranking of the retrieved items, with the relevances of the judged ones, to the list of `scratch`.
    pub fn rank(self, settings: &Settings, scratch: &mut Scratch) -> Result<(), Error> {
        self.rank_and_order(settings, scratch, None)
    }

    /// The same, and writes the items to `order`, as indexes of `entries`, which are sorted, and of `truth`. NULL items
    /// come after all `entries`. Not inlined, so that it is compiled once for rankings with and without an order.
    #[inline(never)]
    pub fn rank_and_order(
        self,
        settings: &Settings,
        scratch: &mut Scratch,
        order: Option<&mut ItemOrder>,
    ) -> Result<(), Error> {
        let Self { entries, are_different, null_item_scores, truth, rels } = self;
        let kept = keep_shown(entries, settings.deepest, are_different)?;
        // Codes of 128 bits become codes of 64 bits in the same order, so that `join` is compiled for one width.
        let join_narrow = |entries: &[_], null_item_scores: &[_]| {
            join(entries, null_item_scores, (truth, rels), settings, scratch, order)
        };
        S::with_64_bit_codes(&entries[..kept], null_item_scores, settings.exact, join_narrow)
    }
}

/// Looks up the retrieved items, all of them different, among the judged ones, and writes the ranking to `scratch`.
fn join<I: Item>(
    entries: &[ScoredItem<u64, I>],
    null_item_scores: &[u64],
    (JudgedItems(truth), truth_rels): (JudgedItems<impl JudgedItem<Item = I>>, &[f64]),
    settings: &Settings,
    scratch: &mut Scratch,
    mut order: Option<&mut ItemOrder>,
) -> Result<(), Error> {
    scratch.list.make_room_for((entries.len() + null_item_scores.len()).max(truth.len()), settings)?;
    let Scratch { list, scored, lookup, rels, .. } = scratch;
    list.clear();
    let truth_rels =
        (!truth_rels.is_empty()).then(|| Numbers { values: truth_rels.into(), validity: Validity::All });
    let spans = LookupSpans { rec: 0..entries.len(), truth: 0..truth.len() };
    let columns = LookupColumns { rec: RetrievedItems(entries), truth: JudgedItems(truth), rels: truth_rels };
    // No entry is repeated, and relevances were checked when they were read.
    lookup.read(list, &spans, &columns, Duplicates::Count, Ok)?;
    if let Some(order) = &mut order {
        if list.match_count.max(truth.len()) <= FEW {
            write_unretrieved(order, list.ranks(), entries, truth, columns.rels.as_ref())?;
        } else {
            lookup.write_items(order, &spans, &columns, false)?;
        }
        // Rows have no order, so items with one relevance are listed by item.
        order.sort_unretrieved(&|one, other| truth[one].item().cmp(truth[other].item()));
        order.retrieved.clear();
    }

    // Entries have no order yet: the "ranks" of the lookup are their indexes. It writes no `rels` if all are 1.
    rels.clear();
    rels.try_resize(entries.len(), None)?;
    for (index, entry) in list.ranks().iter().enumerate() {
        rels[*entry] = Some(list.rels.get(index).copied().unwrap_or(1.0));
    }
    list.clear();
    if settings.options.ties.are_by_item() {
        if let Some(order) = order {
            let score = |index: usize| {
                entries
                    .get(index)
                    .map_or_else(|| null_item_scores[index - entries.len()], |(score, _)| *score)
            };
            let item = |index: usize| entries.get(index).map(|(_, item)| item);
            order.write(entries.len() + null_item_scores.len(), &|one, other| {
                let by_item = compare_items(item(one), item(other), settings.options.ties);
                score(one).cmp(&score(other)).then(by_item)
            })?;
        }
        return rank_by_item(entries, null_item_scores, rels, settings, list);
    }
    scored.clear();
    let scores = entries.iter().map(|(score, _)| *score);
    let rels = rels.iter().map(|rel| rel_or_unjudged(*rel));
    // Measured: chaining an empty iterator costs a twentieth of the evaluation of small groups.
    if null_item_scores.is_empty() {
        scored.extend(scores, settings.exact, rels)?;
    } else {
        let unjudged = std::iter::repeat_n(rel_or_unjudged(None), null_item_scores.len());
        scored.extend(
            scores.chain(null_item_scores.iter().copied()),
            settings.exact,
            rels.chain(unjudged),
        )?;
    }
    let Some(order) = order else {
        scored.rank(list, settings.order());
        return Ok(());
    };
    // Rows have no order, so tied items are listed by item.
    let item = |index: usize| entries.get(index).map(|(_, item)| item);
    let by_item = |one, other| compare_items(item(one), item(other), Ties::ItemAsc);
    scored.rank_and_write(list, settings.order(), order, &by_item)
}

/// The order of tied items by item; NULL items come last in any case.
pub fn compare_items<I: Item>(one: Option<&I>, other: Option<&I>, ties: Ties) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) if ties == Ties::ItemDesc => other.cmp(one),
        _ => (one.is_none(), one).cmp(&(other.is_none(), other)),
    }
}

/// Writes the ranking in which ties are broken by item, ascending or descending; NULL items come last in either case.
fn rank_by_item<I: Item>(
    entries: &[ScoredItem<u64, I>],
    null_item_scores: &[u64],
    rels: &[Option<f64>],
    settings: &Settings,
    list: &mut RankedList,
) -> Result<(), Error> {
    let items = entries.iter().zip(rels).map(|((score, item), rel)| (*score, Some(item), *rel));
    let mut ranked = Vec::new();
    ranked.make_exact_room(entries.len() + null_item_scores.len())?;
    ranked.extend(items.chain(null_item_scores.iter().map(|score| (*score, None, None))));
    ranked.sort_unstable_by(|(score, item, _), (other_score, other, _)| {
        score.cmp(other_score).then_with(|| compare_items(*item, *other, settings.options.ties))
    });
    list.retrieved = ranked.len();
    // Some metrics read where the items of each score end.
    if settings.order().levels {
        let ends = ranked.chunk_by(|(score, ..), (other, ..)| score == other);
        list.score_group_ends.extend(ends.scan(0, |end, level| {
            *end += level.len();
            Some(*end)
        }));
    }
    let shown = settings.deepest.map_or(ranked.len(), |deepest| deepest.min(ranked.len()));
    for (rank, (_, _, rel)) in ranked[..shown].iter().enumerate() {
        if let Some(rel) = rel {
            list.push(rank, *rel);
        }
    }
    Ok(())
}

/// The number of items up to which all pairs are compared, without a hash table.
const FEW: usize = 64;

/// Writes the judged items that are not among the retrieved ones to `order`, each once. `matches` are the indexes of the
/// `entries` that are judged.
fn write_unretrieved<I: Item, T: JudgedItem<Item = I>>(
    order: &mut ItemOrder,
    matches: &[usize],
    entries: &[ScoredItem<u64, I>],
    truth: &[T],
    rels: Option<&Numbers>,
) -> Result<(), Error> {
    for (place, judged) in truth.iter().enumerate() {
        let Some(rel) = rels.map_or(Some(1.0), |rels| rels.get(place)) else { continue };
        let item = judged.item();
        let is_retrieved = matches.iter().any(|index| entries[*index].1 == *item);
        if !is_retrieved && !order.unretrieved.iter().any(|(other, _)| truth[*other].item() == item) {
            order.unretrieved.try_push((place, rel))?;
        }
    }
    Ok(())
}

/// Whether any two entries have the same item.
pub fn has_repeats<S, I: Item>(entries: &[ScoredItem<S, I>]) -> Result<bool, Error> {
    if entries.len() <= FEW {
        let mut tags = [0; FEW];
        tags.iter_mut().zip(entries).for_each(|(tag, (_, item))| *tag = item.tag());
        let tags = &tags[..entries.len()];
        // All pairs are counted, because a branch for each would cost more than the comparisons.
        let equal_before =
            |(index, tag): (usize, &i64)| tags[..index].iter().filter(|before| *before == tag).count();
        if tags.iter().enumerate().map(equal_before).sum::<usize>() == 0 {
            return Ok(false);
        }
        let is_repeated = |index: usize| entries[..index].iter().any(|(_, item)| *item == entries[index].1);
        return Ok(I::EXACT || (1..entries.len()).any(is_repeated));
    }
    let mut seen = HashSet::with_hasher(FixedState::default());
    make_room_for::<&I, _>(entries.len(), || seen.try_reserve(entries.len()))?;
    Ok(!entries.iter().all(|(_, item)| seen.insert(item)))
}

/// Retrieved items as a lookup reads them, without their scores.
struct RetrievedItems<'a, I>(&'a [ScoredItem<u64, I>]);

impl<I: Item> Items for RetrievedItems<'_, I> {
    const EXACT: bool = I::EXACT;

    fn tag(&self, index: usize) -> Option<i64> {
        Some(self.0[index].1.tag())
    }

    fn bytes(&self, index: usize) -> &[u8] {
        self.0[index].1.bytes()
    }
}

/// Judged items as a lookup reads them; each may carry its relevance, which is not read here.
#[derive(Clone, Copy)]
pub struct JudgedItems<'a, T>(pub &'a [T]);

/// A judged item, alone or with its relevance.
pub trait JudgedItem {
    type Item: Item;

    fn item(&self) -> &Self::Item;
}

impl<I: Item> JudgedItem for I {
    type Item = I;

    #[inline]
    fn item(&self) -> &I {
        self
    }
}

impl<I: Item> JudgedItem for Judgement<I> {
    type Item = I;

    #[inline]
    fn item(&self) -> &I {
        &self.0
    }
}

impl<T: JudgedItem> Items for JudgedItems<'_, T> {
    const EXACT: bool = T::Item::EXACT;

    fn tag(&self, index: usize) -> Option<i64> {
        Some(self.0[index].item().tag())
    }

    fn bytes(&self, index: usize) -> &[u8] {
        self.0[index].item().bytes()
    }
}

/// A copy of a byte string; an error if memory runs out.
#[inline]
pub fn copied(bytes: &[u8]) -> Result<ItemBytes, Error> {
    let mut copy = ItemBytes::new();
    if bytes.len() <= copy.inline_size() {
        return Ok(ItemBytes::from_slice(bytes));
    }
    make_room_for::<u8, _>(bytes.len(), || copy.try_reserve_exact(bytes.len()))?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

/// A copy of an item, if there is one; an error if memory runs out.
pub fn cloned<I: Item>(item: Option<&I>) -> Result<Option<I>, Error> {
    item.map(I::try_clone).transpose()
}

#[cfg(test)]
mod tests;
