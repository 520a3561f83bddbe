//! States of groups whose rows are an item and its score. The result is the list of the items, best first.

use std::cmp::Ordering;

use smallvec::SmallVec;

use crate::aggregate::columns::ScoreColumn;
use crate::aggregate::group::{Group, Groups, capacity_for};
use crate::aggregate::settings::{GroupSettings, SettingsCache};
use crate::catalogue::Function;
use crate::column::matching::{Matching, matching};
use crate::column::{Column, Fixed, ItemColumn, Items};
use crate::error::{Error, bail};
use crate::memory::{Grow, boxed, make_room_for};
use crate::options::choices::{NullScores, Ties};
use crate::ranking::scored::ScoreCode;
use crate::settings::Settings;

/// The state of one group: its settings and items.
#[derive(Default)]
pub struct RankedItems {
    /// The settings of the group.
    group_settings: GroupSettings,
    /// The items of the group.
    items: AnyItems,
}

/// An item of a list, in the form in which [`Items`] has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListItem<'a> {
    /// An item that is its tag.
    Tag(i64),
    /// An item that is a byte string.
    Bytes(&'a [u8]),
}

impl<'a> ListItem<'a> {
    /// The item of a row of a column, which is not NULL.
    #[inline(always)]
    fn of<I: Items>(items: &'a I, row: usize) -> Self {
        if I::EXACT { Self::Tag(items.tag(row).unwrap_or_default()) } else { Self::Bytes(items.bytes(row)) }
    }
}

/// The items of a group, by the width of their score codes.
#[allow(clippy::large_enum_variant)] // the larger one is what nearly all groups have
enum AnyItems {
    Narrow(Candidates<u64>),
    Wide(Box<[Candidates<u128>; 1]>),
}

impl Default for AnyItems {
    fn default() -> Self {
        Self::Narrow(Candidates::default())
    }
}

/// A score code that a group can have.
trait ItemScore: ScoreCode {
    /// The items of a group with score codes of this width; an error if they have the other width.
    fn of(items: &mut AnyItems) -> Result<&mut Candidates<Self>, Error>;
}

impl ItemScore for u64 {
    #[inline]
    fn of(items: &mut AnyItems) -> Result<&mut Candidates<Self>, Error> {
        if let AnyItems::Narrow(items) = items { Ok(items) } else { Err(two_forms()) }
    }
}

impl ItemScore for u128 {
    fn of(items: &mut AnyItems) -> Result<&mut Candidates<Self>, Error> {
        if let AnyItems::Narrow(none) = items
            && none.is_empty()
        {
            *items = AnyItems::Wide(boxed(Candidates::default())?);
        }
        if let AnyItems::Wide(items) = items { Ok(&mut items[0]) } else { Err(two_forms()) }
    }
}

#[cold]
fn two_forms() -> Error {
    Error::internal("scores came in two forms")
}

/// The items of a group that its list may show: all of them, or the best ones, as many as the cutoff shows.
///
/// An item is kept as a code of 64 bits. An item that is its tag has a code in the order in which ties are broken. An
/// item that is a byte string has its place in `bytes`.
struct Candidates<S: ScoreCode> {
    /// The score code and the item code of each row that has a score and an item, in no order before they are sorted. Once
    /// there are as many as the cutoff shows and another comes, they are a heap with the worst one first.
    keys: Keys<S>,
    /// The items that are byte strings, each after its length; empty if items are tags.
    bytes: Vec<u8>,
    /// Whether the keys are such a heap.
    is_heap: bool,
    /// The worst score code that the cutoff can still show; items with greater codes are not added.
    last: S,
    /// The rows without an item or without a score; `None` while there are none.
    nulls: Option<Box<[NullRows<S>; 1]>>,
}

/// The number of keys up to which they are stored in the group itself. A list of the best ten is what most cutoffs ask for,
/// and a group of it is then one place in memory, which is fetched at once.
const INLINE: usize = 10;

/// Keys of items, the first few stored in place.
type Keys<S> = SmallVec<[<S as ScoreCode>::Key; INLINE]>;

/// The rows of a group that lack an item, a score or both. Few groups have any, so they are boxed apart.
struct NullRows<S> {
    /// The score codes of the rows whose item is NULL.
    scores: Vec<S>,
    /// The item codes of the rows whose score is NULL.
    items: Vec<u64>,
    /// How many rows have neither.
    both: usize,
}

impl<S: ScoreCode> Default for Candidates<S> {
    fn default() -> Self {
        Self { keys: SmallVec::new(), bytes: Vec::new(), is_heap: false, last: S::WORST, nulls: None }
    }
}

/// The number of bytes in which the length of a byte string is stored.
const LENGTH: usize = size_of::<u32>();

/// The code of an item that is its tag, for keys that are sorted in ascending order.
#[inline]
fn code_of_tag(tag: i64, ties: Ties) -> u64 {
    // Flipping the sign bit puts negative tags first.
    let code = tag.cast_unsigned() ^ 1 << 63;
    if ties == Ties::ItemDesc { !code } else { code }
}

/// The tag that [`code_of_tag`] made a code of, for the same `ties`.
#[inline]
fn tag_of_code(code: u64, ties: Ties) -> i64 {
    let code = if ties == Ties::ItemDesc { !code } else { code };
    (code ^ 1 << 63).cast_signed()
}

/// The byte string at a place in `bytes`.
#[inline]
#[allow(clippy::cast_possible_truncation)]
fn bytes_at(bytes: &[u8], place: u64) -> &[u8] {
    let Some((length, rest)) = bytes[place as usize..].split_first_chunk::<LENGTH>() else { return &[] };
    &rest[..u32::from_ne_bytes(*length) as usize]
}

/// The order of two items that have the same score.
#[inline]
fn order_of_items(bytes: &[u8], ties: Ties, one: u64, other: u64) -> Ordering {
    if bytes.is_empty() {
        return one.cmp(&other);
    }
    in_order_of(ties, bytes_at(bytes, one).cmp(bytes_at(bytes, other)))
}

/// The order in which ties are broken of two items that are in the given order.
#[inline]
fn in_order_of(ties: Ties, order: Ordering) -> Ordering {
    if ties == Ties::ItemDesc { order.reverse() } else { order }
}

impl<S: ScoreCode> Candidates<S> {
    /// Whether there are no rows.
    fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.nulls.is_none()
    }

    /// Adds the item of a row of a column.
    #[inline(always)]
    fn push<I: Items>(
        &mut self,
        settings: &Settings,
        items: &I,
        row: usize,
        score: Option<S>,
    ) -> Result<(), Error> {
        match score {
            Some(score) if score > self.last => Ok(()),
            Some(score) if items.is_valid(row) => self.add(settings, score, ListItem::of(items, row)),
            score => {
                let item = items.is_valid(row).then(|| ListItem::of(items, row));
                self.add_null(settings, score, item)
            }
        }
    }

    /// Adds an item, unless the cutoff shows others only.
    #[inline(always)]
    fn add(&mut self, settings: &Settings, score: S, item: ListItem) -> Result<(), Error> {
        if settings.deepest == Some(self.keys.len()) {
            return self.replace_worst(settings, score, item);
        }
        if self.keys.len() == self.keys.capacity() {
            self.make_room(settings)?;
        }
        let code = self.code(settings, item)?;
        self.keys.push(score.key(code));
        Ok(())
    }

    /// Makes room for another key: for all that the cutoff shows or, if these are many, for twice as many as there are.
    #[cold]
    fn make_room(&mut self, settings: &Settings) -> Result<(), Error> {
        const SOME: usize = 32;
        let length = self.keys.len();
        let most = settings.deepest.map_or(usize::MAX, |k| k - length);
        let more = length.max(SOME - INLINE).min(most);
        make_room_for::<S::Key, _>(length + more, || self.keys.try_reserve_exact(more))
    }

    /// Replaces the worst item by another one, if this is better. There are as many items as the cutoff shows.
    #[inline]
    fn replace_worst(&mut self, settings: &Settings, score: S, item: ListItem) -> Result<(), Error> {
        let ties = settings.options.ties;
        if !self.is_heap {
            self.make_heap(ties);
        }
        let (worst, code) = S::split_key(self.keys[0]);
        let order = score.cmp(&worst).then_with(|| match item {
            ListItem::Tag(tag) => code_of_tag(tag, ties).cmp(&code),
            ListItem::Bytes(item) => in_order_of(ties, item.cmp(bytes_at(&self.bytes, code))),
        });
        if order.is_ge() {
            return Ok(());
        }
        let code = self.code_instead(settings, item, code)?;
        self.keys[0] = score.key(code);
        self.sift_down(0, ties);
        self.last = S::split_key(self.keys[0]).0;
        Ok(())
    }

    /// Makes a heap of the keys.
    fn make_heap(&mut self, ties: Ties) {
        for index in (0..self.keys.len().div_ceil(CHILDREN)).rev() {
            self.sift_down(index, ties);
        }
        self.is_heap = true;
        self.last = S::split_key(self.keys[0]).0;
    }

    /// Moves the key at `index` down the heap, to where no worse key is below it.
    #[inline]
    fn sift_down(&mut self, index: usize, ties: Ties) {
        let Self { keys, bytes, .. } = self;
        if are_compared_as_numbers::<S>(bytes) {
            sift_down(keys, index, |one, other| one > other);
        } else {
            sift_down(keys, index, |one, other| order::<S>(bytes, ties, *one, *other).is_gt());
        }
    }

    /// The code of an item that is added.
    #[inline]
    fn code(&mut self, settings: &Settings, item: ListItem) -> Result<u64, Error> {
        let item = match item {
            ListItem::Tag(tag) => return Ok(code_of_tag(tag, settings.options.ties)),
            ListItem::Bytes(item) => item,
        };
        let Ok(length) = u32::try_from(item.len()) else {
            bail!("item" => "items must be shorter than 4294967296 bytes, got {}", item.len());
        };
        if self.bytes.capacity() - self.bytes.len() < LENGTH + item.len() {
            self.make_room_for_bytes(settings, LENGTH + item.len())?;
        }
        let place = self.bytes.len() as u64;
        self.bytes.extend_from_slice(&length.to_ne_bytes());
        self.bytes.extend_from_slice(item);
        Ok(place)
    }

    /// The code of an item that replaces another one. Its bytes overwrite the other's if they are as many.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn code_instead(&mut self, settings: &Settings, item: ListItem, replaced: u64) -> Result<u64, Error> {
        if let ListItem::Bytes(item) = item {
            let length = bytes_at(&self.bytes, replaced).len();
            if item.len() == length {
                self.bytes[replaced as usize + LENGTH..][..length].copy_from_slice(item);
                return Ok(replaced);
            }
        }
        self.code(settings, item)
    }

    /// The item of a code.
    #[inline]
    fn item(&self, settings: &Settings, code: u64) -> ListItem<'_> {
        if self.bytes.is_empty() {
            ListItem::Tag(tag_of_code(code, settings.options.ties))
        } else {
            ListItem::Bytes(bytes_at(&self.bytes, code))
        }
    }

    /// Makes room for `more` bytes of an item: removes the bytes of dropped items if they are most of all, or else grows.
    /// There is then room for as many short items as there is for their keys.
    #[cold]
    fn make_room_for_bytes(&mut self, settings: &Settings, more: usize) -> Result<(), Error> {
        const MANY: usize = 1 << 12;
        if settings.deepest.is_some() {
            let nulls = self.nulls.iter_mut().flat_map(|nulls| nulls[0].items.iter_mut());
            let of_nulls: usize = nulls.map(|place| LENGTH + bytes_at(&self.bytes, *place).len()).sum();
            let places = self.keys.iter().map(|key| S::split_key(*key).1);
            let kept =
                of_nulls + places.map(|place| LENGTH + bytes_at(&self.bytes, place).len()).sum::<usize>();
            if kept + more <= self.bytes.capacity() / 2 {
                return self.remove_dropped_bytes();
            }
        }
        let spare = (self.keys.capacity() - self.keys.len()).min(MANY / more).max(1);
        self.bytes.make_exact_room((more * spare).max(self.bytes.len()))
    }

    /// Moves the bytes of the items that were not dropped to a buffer of the same size.
    fn remove_dropped_bytes(&mut self) -> Result<(), Error> {
        let mut kept = Vec::new();
        kept.make_exact_room(self.bytes.capacity())?;
        let mut moved = |place| {
            let start = kept.len() as u64;
            let item = bytes_at(&self.bytes, place);
            // The length was checked when the item was added.
            #[allow(clippy::cast_possible_truncation)]
            kept.extend_from_slice(&(item.len() as u32).to_ne_bytes());
            kept.extend_from_slice(item);
            start
        };
        for key in &mut self.keys {
            let (score, place) = S::split_key(*key);
            *key = score.key(moved(place));
        }
        for place in self.nulls.iter_mut().flat_map(|nulls| nulls[0].items.iter_mut()) {
            *place = moved(*place);
        }
        self.bytes = kept;
        Ok(())
    }

    /// Adds a row without an item or without a score.
    #[cold]
    fn add_null(
        &mut self,
        settings: &Settings,
        score: Option<S>,
        item: Option<ListItem>,
    ) -> Result<(), Error> {
        if score.is_none() && settings.options.null_scores == NullScores::Skip {
            return Ok(());
        }
        let item = item.map(|item| self.code(settings, item)).transpose()?;
        let nulls = self.nulls()?;
        match (score, item) {
            (Some(score), _) => nulls.scores.try_push(score)?,
            (None, Some(item)) => nulls.items.try_push(item)?,
            (None, None) => nulls.both += 1,
        }
        self.limit_nulls(settings);
        Ok(())
    }

    /// The rows without an item or without a score, created if there are none.
    fn nulls(&mut self) -> Result<&mut NullRows<S>, Error> {
        let nulls = match &mut self.nulls {
            Some(nulls) => nulls,
            none => none.insert(boxed(NullRows { scores: Vec::new(), items: Vec::new(), both: 0 })?),
        };
        Ok(&mut nulls[0])
    }

    /// Drops the rows without an item or without a score that are below the cutoff, if there are many.
    fn limit_nulls(&mut self, settings: &Settings) {
        if let (Some(k), Some([nulls])) = (settings.deepest, self.nulls.as_deref())
            && nulls.scores.len().max(nulls.items.len()) >= capacity_for(k)
        {
            self.sort_nulls(settings);
        }
    }

    /// Sorts the rows without an item or without a score, and drops those that are below the cutoff.
    fn sort_nulls(&mut self, settings: &Settings) {
        let Some([NullRows { scores, items, .. }]) = self.nulls.as_deref_mut() else { return };
        scores.sort_unstable();
        let (bytes, ties) = (&self.bytes, settings.options.ties);
        items.sort_unstable_by(|one, other| order_of_items(bytes, ties, *one, *other));
        if let Some(k) = settings.deepest {
            scores.truncate(k);
            items.truncate(k);
        }
    }

    /// Merges the items of another state of this group.
    fn combine(&mut self, other: &Self, settings: &Settings) -> Result<(), Error> {
        for (score, code) in other.keys.iter().map(|key| S::split_key(*key)) {
            self.add(settings, score, other.item(settings, code))?;
        }
        if let Some([others]) = other.nulls.as_deref() {
            for score in &others.scores {
                self.add_null(settings, Some(*score), None)?;
            }
            for code in &others.items {
                self.add_null(settings, None, Some(other.item(settings, *code)))?;
            }
            self.nulls()?.both += others.both;
        }
        Ok(())
    }

    /// Brings the items into their order, down to the cutoff. Returns how many the list has.
    fn sort(&mut self, settings: &Settings) -> usize {
        let ties = settings.options.ties;
        self.sort_nulls(settings);
        self.is_heap = false;
        let Self { keys, bytes, nulls, .. } = self;
        if are_compared_as_numbers::<S>(bytes) {
            keys.sort_unstable();
        } else {
            keys.sort_unstable_by(|one, other| order::<S>(bytes, ties, *one, *other));
        }
        let mut count = keys.len();
        if let Some([NullRows { scores, items, both }]) = nulls.as_deref() {
            count += scores.len() + items.len() + *both;
        }
        settings.deepest.map_or(count, |k| k.min(count))
    }

    /// Passes the items to `put` in their order, into which [`Self::sort`] has brought them; `None` for NULL.
    fn for_each(&self, settings: &Settings, mut put: impl FnMut(Option<ListItem>)) {
        let item = |code| Some(self.item(settings, code));
        let Some([NullRows { scores, items, both }]) = self.nulls.as_deref() else {
            return self.keys.iter().for_each(|key| put(item(S::split_key(*key).1)));
        };
        let mut left = settings.deepest.unwrap_or(usize::MAX);
        let mut put = |item| {
            if left > 0 {
                put(item);
                left -= 1;
            }
        };
        let mut without_items = scores.iter().peekable();
        for (score, code) in self.keys.iter().map(|key| S::split_key(*key)) {
            // A NULL item comes after the other items of its score.
            while without_items.next_if(|better| **better < score).is_some() {
                put(None);
            }
            put(item(code));
        }
        for _ in without_items {
            put(None);
        }
        for code in items {
            put(item(*code));
        }
        for _ in 0..*both {
            put(None);
        }
    }
}

/// Whether keys are sorted as numbers. Those with the rare scores of 128 bits never are, so that less code is compiled.
fn are_compared_as_numbers<S>(bytes: &[u8]) -> bool {
    size_of::<S>() == size_of::<u64>() && bytes.is_empty()
}

/// The order of two keys: by score, then by item.
#[inline]
fn order<S: ScoreCode>(bytes: &[u8], ties: Ties, one: S::Key, other: S::Key) -> Ordering {
    let ((score, item), (other_score, other_item)) = (S::split_key(one), S::split_key(other));
    score.cmp(&other_score).then_with(|| order_of_items(bytes, ties, item, other_item))
}

/// The number of children that a key has in a heap. With eight of them, the heap of a cutoff of 9 has one level.
const CHILDREN: usize = 8;

/// Moves the key at `index` down a heap, below the worse ones among its children. The worst key of a heap is its first.
#[inline]
fn sift_down<K: Copy>(keys: &mut [K], mut index: usize, is_worse: impl Fn(&K, &K) -> bool) {
    loop {
        let first = CHILDREN * index + 1;
        let mut worst = index;
        for child in first..keys.len().min(first + CHILDREN) {
            worst = if is_worse(&keys[child], &keys[worst]) { child } else { worst };
        }
        if worst == index {
            return;
        }
        keys.swap(index, worst);
        index = worst;
    }
}

impl Group for RankedItems {
    fn update<C: Column>(
        function: &'static Function,
        columns: &[C],
        rows: usize,
        groups: &mut impl Groups<Self>,
    ) -> Result<(), Error> {
        if rows == 0 {
            // A filter that leaves no rows may stand for types that cannot be listed.
            return Ok(());
        }
        let [item, score, ..] = columns else { bail!(internal: "an argument is missing") };
        let kind = item.kind();
        let Some(matching) = matching(kind, kind) else {
            bail!("item" => "items of type {kind} cannot be compared");
        };
        let score = ScoreColumn::new(function.inputs()[1], score)?;
        let mut cache = SettingsCache::new(function, columns, score.are_exact())?;
        if score.are_wide() {
            read_items::<u128, C>(item, matching, &score, rows, &mut cache, groups)
        } else {
            read_items::<u64, C>(item, matching, &score, rows, &mut cache, groups)
        }
    }

    fn combine(&mut self, other: &Self) -> Result<(), Error> {
        let Some(settings) = &other.group_settings.0 else { return Ok(()) };
        self.group_settings.agree(settings)?;
        match &other.items {
            AnyItems::Narrow(none) if none.is_empty() => Ok(()),
            AnyItems::Narrow(other) => u64::of(&mut self.items)?.combine(other, settings),
            AnyItems::Wide(other) => u128::of(&mut self.items)?.combine(&other[0], settings),
        }
    }
}

/// Adds each row to its group, whatever the form of the items.
fn read_items<S: ItemScore, C: Column>(
    item: &C,
    matching: Matching,
    score: &ScoreColumn,
    rows: usize,
    cache: &mut SettingsCache<C>,
    groups: &mut impl Groups<RankedItems>,
) -> Result<(), Error> {
    match &item.items(matching)? {
        ItemColumn::Fixed(items) => read::<S, C, _>(items, score, rows, cache, groups),
        ItemColumn::Bytes(items) => read::<S, C, _>(items, score, rows, cache, groups),
        ItemColumn::Encoded(items) => read::<S, C, _>(items, score, rows, cache, groups),
        ItemColumn::Nulls => read::<S, C, _>(&Fixed::NULLS, score, rows, cache, groups),
    }
}

/// Adds each row to its group.
///
/// In each block of rows, those that no cutoff can show are left out first. Their groups are read one after the other
/// without a branch that depends on them, so that the processor fetches them from memory at once. Consecutive rows of
/// one group are then added together.
fn read<S: ItemScore, C: Column, I: Items>(
    items: &I,
    score: &ScoreColumn,
    rows: usize,
    cache: &mut SettingsCache<C>,
    groups: &mut impl Groups<RankedItems>,
) -> Result<(), Error> {
    const BLOCK: usize = 128;
    let mut shown = [(0, None); BLOCK];
    let mut selected = Vec::new();
    cache.runs(rows, |settings, mut run| {
        let scores = score.codes::<S>(settings);
        while !run.is_empty() {
            let (mut count, mut before, mut last) = (0, None, S::WORST);
            for row in run.by_ref().take(BLOCK) {
                let id = groups.id(row);
                if before != Some(id) {
                    let group = groups.of(row)?;
                    group.group_settings.agree(settings)?;
                    last = S::of(&mut group.items)?.last;
                    before = Some(id);
                }
                let score = scores.get(row)?;
                shown[count] = (row, score);
                count += usize::from(score.is_none_or(|score| score <= last));
            }
            let mut rest = &shown[..count];
            while let Some((first, _)) = rest.first() {
                let id = groups.id(*first);
                let of_group = rest.iter().take_while(|(row, _)| groups.id(*row) == id).count();
                let candidates = S::of(&mut groups.of(*first)?.items)?;
                let (now, later) = rest.split_at(of_group);
                let worst = worst_shown(now, settings.deepest, &mut selected)?;
                for (row, score) in now {
                    if score.unwrap_or(S::WORST) <= worst {
                        candidates.push(settings, items, *row, *score)?;
                    }
                }
                rest = later;
            }
        }
        Ok(())
    })
}

/// The worst score code that cutoff `deepest` can show of some rows of one group, each with its index. A NULL score counts
/// as the worst one. `selected` is a buffer.
fn worst_shown<S: ScoreCode>(
    rows: &[(usize, Option<S>)],
    deepest: Option<usize>,
    selected: &mut Vec<S>,
) -> Result<S, Error> {
    let Some(k) = deepest.filter(|k| *k < rows.len()) else { return Ok(S::WORST) };
    selected.clear();
    selected.try_extend(rows.iter().map(|(_, score)| score.unwrap_or(S::WORST)))?;
    Ok(*selected.select_nth_unstable(k - 1).1)
}

impl RankedItems {
    /// Brings the items into their order. Returns how many the list has.
    pub fn sort(&mut self) -> usize {
        let Some(settings) = &self.group_settings.0 else { return 0 };
        match &mut self.items {
            AnyItems::Narrow(items) => items.sort(settings),
            AnyItems::Wide(items) => items[0].sort(settings),
        }
    }

    /// Passes the items to `put`, best first; `None` for a NULL item. [`Self::sort`] must have been called since the
    /// last row.
    #[inline]
    pub fn for_each(&self, put: impl FnMut(Option<ListItem>)) {
        let Some(settings) = &self.group_settings.0 else { return };
        match &self.items {
            AnyItems::Narrow(items) => items.for_each(settings, put),
            AnyItems::Wide(items) => items[0].for_each(settings, put),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;
    use crate::catalogue::lookup;
    use crate::column::{Encoded, Validity};
    use crate::ranking::scored::levels::{NARROW, WIDE};

    /// The number of an item and the level of its score (greater is better).
    type Row = (Option<i8>, Option<u8>);

    fn settings(options: &str, k: Option<usize>) -> Arc<Settings> {
        let function = lookup("ranked_list").unwrap();
        let mut settings = function.settings();
        settings.set_options(options, function.parse(options).unwrap());
        settings.set_ks(std::iter::once(Ok(k))).unwrap();
        Arc::new(settings)
    }

    /// The items of rows as numbers.
    fn numbers(rows: &[Row]) -> (Vec<i64>, Vec<u8>) {
        let bits = rows
            .chunks(8)
            .map(|rows| (0..).zip(rows).map(|(place, (item, _))| u8::from(item.is_some()) << place).sum());
        (rows.iter().map(|(item, _)| item.unwrap_or_default().into()).collect(), bits.collect())
    }

    /// A text of a number, such that texts are in the order of the numbers.
    fn text(number: i8) -> String {
        let level = i16::from(number) + 128;
        format!("{level:03}{}", "-".repeat(usize::try_from(level % 40).unwrap()))
    }

    /// The state of a group of rows. Scores are codes that `score` makes of levels.
    fn group<S: ItemScore>(
        settings: &Arc<Settings>,
        rows: &[Row],
        as_text: bool,
        score: impl Fn(u8) -> S,
    ) -> RankedItems {
        let mut group = RankedItems::default();
        group.group_settings.agree(settings).unwrap();
        let (values, bits) = numbers(rows);
        let fixed = Fixed { values: values.into(), validity: Validity::Bits { bits: &bits, offset: 0 } };
        let mut texts = Encoded::default();
        for (item, _) in rows {
            texts.push_bytes(item.map(text).as_ref().map(String::as_bytes)).unwrap();
        }
        let candidates = S::of(&mut group.items).unwrap();
        for (row, (_, level)) in rows.iter().enumerate() {
            let score = level.map(&score);
            if as_text {
                candidates.push(settings, &texts, row, score).unwrap();
            } else {
                candidates.push(settings, &fixed, row, score).unwrap();
            }
            if let Some(k) = settings.deepest {
                let most = k + capacity_for(k);
                assert!(candidates.keys.len() <= k);
                // A text has 3 digits and at most 39 dashes. There are as many texts without a score, and as many bytes
                // of texts that were dropped; the first room is for more than a text.
                assert!(candidates.bytes.len() <= 2 * 2 * most * (LENGTH + 42) + 128);
            }
        }
        group
    }

    /// The list of a group whose rows are divided at `cuts` into states, which are then merged.
    fn in_parts<S: ItemScore>(
        settings: &Arc<Settings>,
        rows: &[Row],
        cuts: &[(Index, Index)],
        as_text: bool,
        score: impl Fn(u8) -> S,
    ) -> Vec<Option<String>> {
        let mut places: Vec<usize> = cuts.iter().map(|(cut, _)| cut.index(rows.len())).collect();
        places.extend([0, rows.len()]);
        places.sort_unstable();
        let parts = places.windows(2).map(|ends| group(settings, &rows[ends[0]..ends[1]], as_text, &score));
        let mut parts: Vec<RankedItems> = parts.collect();
        for (_, into) in cuts {
            let part = parts.pop().unwrap();
            let into = into.index(parts.len());
            parts[into].combine(&part).unwrap();
        }
        let mut group = parts.pop().unwrap();
        let count = group.sort();
        let mut found = Vec::new();
        group.for_each(|item| {
            found.push(item.map(|item| match item {
                ListItem::Tag(tag) => text(tag.try_into().unwrap()),
                ListItem::Bytes(bytes) => String::from_utf8(bytes.to_vec()).unwrap(),
            }));
        });
        assert_eq!(found.len(), count);
        found
    }

    /// The list by sorting whole rows.
    fn sorted(rows: &[Row], k: Option<usize>, ties: Ties, nulls: NullScores) -> Vec<Option<String>> {
        let mut rows = rows.to_vec();
        rows.retain(|(_, level)| level.is_some() || nulls == NullScores::Last);
        rows.sort_by(|(item, level), (other, other_level)| {
            let by_item = match (item, other) {
                (Some(item), Some(other)) if ties == Ties::ItemDesc => other.cmp(item),
                _ => item.is_none().cmp(&other.is_none()).then(item.cmp(other)),
            };
            other_level.cmp(level).then(by_item)
        });
        rows.truncate(k.unwrap_or(usize::MAX));
        rows.into_iter().map(|(item, _)| item.map(text)).collect()
    }

    proptest! {
        #[test]
        fn lists_are_those_of_sorted_rows(
            rows in prop::collection::vec(
                (prop::option::weighted(0.9, any::<i8>()), prop::option::weighted(0.9, 0..20_u8)), 1..400
            ),
            levels in 1..20_u8,
            k in prop::option::weighted(0.8, prop_oneof![1..4_usize, 15..18_usize, 30..70_usize]),
            ties in prop::sample::select(vec![Ties::ItemAsc, Ties::ItemDesc]),
            nulls in prop::sample::select(vec![NullScores::Last, NullScores::Skip]),
            cuts in prop::collection::vec((any::<Index>(), any::<Index>()), 0..9),
        ) {
            let rows: Vec<Row> =
                rows.into_iter().map(|(item, score)| (item, score.map(|score| score % levels))).collect();
            let name = |is_first, [first, second]: [&'static str; 2]| if is_first { first } else { second };
            let options = format!(
                "ties={}, null_scores={}",
                name(ties == Ties::ItemAsc, ["item_asc", "item_desc"]),
                name(nulls == NullScores::Last, ["last", "skip"]),
            );
            let expected = sorted(&rows, k, ties, nulls);
            let settings = settings(&options, k);
            for as_text in [false, true] {
                let float = |level: u8| u64::of_float(level.into());
                prop_assert_eq!(&in_parts(&settings, &rows, &cuts, as_text, float), &expected);
                for of in NARROW {
                    let score = |level| u64::of_integer(of(level));
                    prop_assert_eq!(&in_parts(&settings, &rows, &cuts, as_text, score), &expected);
                }
                for of in WIDE {
                    let score = |level| u128::of_integer(of(level));
                    prop_assert_eq!(&in_parts(&settings, &rows, &cuts, as_text, score), &expected);
                }
            }
        }
    }
}
