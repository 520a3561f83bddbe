//! The items of a group that its list may show, as codes that are sorted, or a heap of the best ones.

use std::cmp::Ordering;

use smallvec::SmallVec;

use crate::aggregate::group::capacity_for;
use crate::column::Items;
use crate::error::{Error, bail};
use crate::memory::{Grow, boxed, make_room_for};
use crate::options::choices::{NullScores, Ties};
use crate::ranking::scored::ScoreCode;
use crate::settings::Settings;

/// An item of a list, in the form in which [`Items`] has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListItem<'a> {
    Tag(i64),
    Bytes(&'a [u8]),
}

impl<'a> ListItem<'a> {
    /// The item in `row` of a column, not NULL: its tag, if the tag is the item (`EXACT`), else its bytes.
    #[inline(always)]
    fn of<I: Items>(items: &'a I, row: usize) -> Self {
        if I::EXACT { Self::Tag(items.tag(row).unwrap_or_default()) } else { Self::Bytes(items.bytes(row)) }
    }
}

/// The items of a group that its list may show: all of them, or the best ones, as many as the cutoff shows.
///
/// An item is kept as a code of 64 bits. An item that is its tag has a code in the order in which ties are broken. An
/// item that is a byte string has its place in `bytes`.
pub struct BestItems<S: ScoreCode> {
    /// The score code and the item code of each row that has a score and an item, in no order before they are sorted. Once
    /// there are as many as the cutoff shows and another comes, they are a heap with the worst one first.
    pub(super) keys: Keys<S>,
    /// The items that are byte strings, each after its length; empty if items are tags.
    pub(super) bytes: Vec<u8>,
    is_heap: bool,
    /// The worst score code that the cutoff can still show; items with greater codes are not added.
    pub limit: S,
    /// The rows without an item or without a score; `None` while there are none.
    nulls: Option<Box<[NullRows<S>; 1]>>,
}

/// The number of keys up to which they are stored in the group itself. A list of the best ten is what most cutoffs ask for,
/// and a group of it is then one place in memory, which is fetched at once.
const INLINE: usize = 10;

/// Keys of items, the first few stored in place.
type Keys<S> = SmallVec<[<S as ScoreCode>::Key; INLINE]>;

/// The rows of a group that lack an item, a score or both. Few groups have any, so they are boxed apart.
#[derive(Default)]
struct NullRows<S> {
    /// The score codes of the rows whose item is NULL.
    scores_without_item: Vec<S>,
    /// The item codes of the rows whose score is NULL.
    items_without_score: Vec<u64>,
    rows_with_neither: usize,
}

impl<S: ScoreCode> Default for BestItems<S> {
    fn default() -> Self {
        Self { keys: SmallVec::new(), bytes: Vec::new(), is_heap: false, limit: S::WORST, nulls: None }
    }
}

/// The number of bytes in which the length of a byte string is stored.
pub(super) const LENGTH: usize = size_of::<u32>();

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

/// The byte string of the item whose code is `place`, where its length begins.
#[inline]
#[allow(clippy::cast_possible_truncation)]
fn bytes_at(bytes: &[u8], place: u64) -> &[u8] {
    let Some((length, rest)) = bytes[place as usize..].split_first_chunk::<LENGTH>() else { return &[] };
    &rest[..u32::from_ne_bytes(*length) as usize]
}

/// The order of two items of one score, given as codes. Without `bytes`, items are tags, whose codes have this order.
#[inline]
fn order_of_items(bytes: &[u8], ties: Ties, one: u64, other: u64) -> Ordering {
    if bytes.is_empty() {
        return one.cmp(&other);
    }
    in_order_of(ties, bytes_at(bytes, one).cmp(bytes_at(bytes, other)))
}

/// The order of two tied items whose ascending order is `order`: this one, or its reverse for descending items.
#[inline]
fn in_order_of(ties: Ties, order: Ordering) -> Ordering {
    if ties == Ties::ItemDesc { order.reverse() } else { order }
}

impl<S: ScoreCode> BestItems<S> {
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.nulls.is_none()
    }

    /// Adds the item in `row` of a column with its score, unless the cutoff cannot show it. Either may be NULL.
    #[inline(always)]
    pub fn push<I: Items>(
        &mut self,
        settings: &Settings,
        items: &I,
        row: usize,
        score: Option<S>,
    ) -> Result<(), Error> {
        match score {
            Some(score) if score > self.limit => Ok(()),
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
        /// The number of keys for which there is room once the group itself is full.
        const FIRST_ROOM: usize = 32;
        let length = self.keys.len();
        let missing = settings.deepest.map_or(usize::MAX, |k| k - length);
        let more = length.max(FIRST_ROOM - INLINE).min(missing);
        make_room_for::<S::Key, _>(length + more, || self.keys.try_reserve_exact(more))
    }

    /// Replaces the worst item by another one, if this is better. There are as many items as the cutoff shows.
    #[inline]
    fn replace_worst(&mut self, settings: &Settings, score: S, item: ListItem) -> Result<(), Error> {
        let ties = settings.options.ties;
        if !self.is_heap {
            self.make_heap(ties);
        }
        let (worst_score, worst_code) = S::split_key(self.keys[0]);
        let order_to_worst = score.cmp(&worst_score).then_with(|| match item {
            ListItem::Tag(tag) => code_of_tag(tag, ties).cmp(&worst_code),
            ListItem::Bytes(item) => in_order_of(ties, item.cmp(bytes_at(&self.bytes, worst_code))),
        });
        if order_to_worst.is_ge() {
            return Ok(());
        }
        let code = self.code_instead(settings, item, worst_code)?;
        self.keys[0] = score.key(code);
        self.sift_down(0, ties);
        self.limit = S::split_key(self.keys[0]).0;
        Ok(())
    }

    /// Makes the keys a heap, whose first key is the worst: its score is the limit from then on.
    fn make_heap(&mut self, ties: Ties) {
        for index in (0..self.keys.len().div_ceil(CHILDREN)).rev() {
            self.sift_down(index, ties);
        }
        self.is_heap = true;
        self.limit = S::split_key(self.keys[0]).0;
    }

    /// Moves the key at `index` down the heap, to where no worse key is below it.
    #[inline]
    fn sift_down(&mut self, index: usize, ties: Ties) {
        let Self { keys, bytes, .. } = self;
        if are_compared_as_numbers::<S>(bytes) {
            sift_down(keys, index, |one, other| one > other);
        } else {
            sift_down(keys, index, |one, other| order_of_keys::<S>(bytes, ties, *one, *other).is_gt());
        }
    }

    /// The code of an item that is added. A byte string is appended to `bytes`, and its code is its place there.
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

    /// The code of an item that replaces the one of code `replaced`, whose bytes it overwrites if they are as many.
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

    /// The item with this code: a tag if no bytes are stored. Even an empty byte string has some, those of its length.
    #[inline]
    fn item(&self, settings: &Settings, code: u64) -> ListItem<'_> {
        if self.bytes.is_empty() {
            ListItem::Tag(tag_of_code(code, settings.options.ties))
        } else {
            ListItem::Bytes(bytes_at(&self.bytes, code))
        }
    }

    /// Makes room for `more` bytes of an item. If the items left fill at most half of the buffer, removes the bytes of
    /// those that a cutoff dropped. Else the buffer grows, to hold as many short items as there is room for keys.
    #[cold]
    fn make_room_for_bytes(&mut self, settings: &Settings, more: usize) -> Result<(), Error> {
        /// The number of bytes up to which there is room for items to come.
        const AHEAD: usize = 1 << 12;
        if settings.deepest.is_some() {
            let unscored = self.nulls.iter().flat_map(|nulls| nulls[0].items_without_score.iter().copied());
            let places = self.keys.iter().map(|key| S::split_key(*key).1).chain(unscored);
            let kept: usize = places.map(|place| LENGTH + bytes_at(&self.bytes, place).len()).sum();
            if kept + more <= self.bytes.capacity() / 2 {
                return self.remove_dropped_bytes();
            }
        }
        let items = (self.keys.capacity() - self.keys.len()).min(AHEAD / more).max(1);
        self.bytes.make_exact_room((more * items).max(self.bytes.len()))
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
        for place in self.nulls.iter_mut().flat_map(|nulls| nulls[0].items_without_score.iter_mut()) {
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
            (Some(score), _) => nulls.scores_without_item.try_push(score)?,
            (None, Some(item)) => nulls.items_without_score.try_push(item)?,
            (None, None) => nulls.rows_with_neither += 1,
        }
        if let (Some(k), Some([nulls])) = (settings.deepest, self.nulls.as_deref())
            && nulls.scores_without_item.len().max(nulls.items_without_score.len()) >= capacity_for(k)
        {
            self.sort_and_cut_nulls(settings);
        }
        Ok(())
    }

    /// The rows without an item or without a score, created if there are none.
    fn nulls(&mut self) -> Result<&mut NullRows<S>, Error> {
        let nulls = match &mut self.nulls {
            Some(nulls) => nulls,
            none => none.insert(boxed(NullRows::default())?),
        };
        Ok(&mut nulls[0])
    }

    /// Sorts the rows without an item or without a score, and drops those that are below the cutoff.
    fn sort_and_cut_nulls(&mut self, settings: &Settings) {
        let Some([nulls]) = self.nulls.as_deref_mut() else { return };
        nulls.scores_without_item.sort_unstable();
        let (bytes, ties) = (&self.bytes, settings.options.ties);
        nulls.items_without_score.sort_unstable_by(|one, other| order_of_items(bytes, ties, *one, *other));
        if let Some(k) = settings.deepest {
            nulls.scores_without_item.truncate(k);
            nulls.items_without_score.truncate(k);
        }
    }

    pub fn combine(&mut self, other: &Self, settings: &Settings) -> Result<(), Error> {
        for (score, code) in other.keys.iter().map(|key| S::split_key(*key)) {
            self.add(settings, score, other.item(settings, code))?;
        }
        if let Some([others]) = other.nulls.as_deref() {
            for score in &others.scores_without_item {
                self.add_null(settings, Some(*score), None)?;
            }
            for code in &others.items_without_score {
                self.add_null(settings, None, Some(other.item(settings, *code)))?;
            }
            self.nulls()?.rows_with_neither += others.rows_with_neither;
        }
        Ok(())
    }

    /// Brings the items into their order, down to the cutoff. Returns how many the list has.
    pub fn sort(&mut self, settings: &Settings) -> usize {
        let ties = settings.options.ties;
        self.sort_and_cut_nulls(settings);
        self.is_heap = false;
        let Self { keys, bytes, nulls, .. } = self;
        if are_compared_as_numbers::<S>(bytes) {
            keys.sort_unstable();
        } else {
            keys.sort_unstable_by(|one, other| order_of_keys::<S>(bytes, ties, *one, *other));
        }
        let mut count = keys.len();
        if let Some([nulls]) = nulls.as_deref() {
            count +=
                nulls.scores_without_item.len() + nulls.items_without_score.len() + nulls.rows_with_neither;
        }
        settings.deepest.map_or(count, |k| k.min(count))
    }

    /// Passes the items to `put` in their order, into which [`Self::sort`] has brought them; `None` for NULL.
    pub fn for_each(&self, settings: &Settings, mut put: impl FnMut(Option<ListItem>)) {
        let item = |code| Some(self.item(settings, code));
        let Some([nulls]) = self.nulls.as_deref() else {
            return self.keys.iter().for_each(|key| put(item(S::split_key(*key).1)));
        };
        let mut places_left = settings.deepest.unwrap_or(usize::MAX);
        let mut put = |item| {
            if places_left > 0 {
                put(item);
                places_left -= 1;
            }
        };
        let mut without_items = nulls.scores_without_item.iter().peekable();
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
        for code in &nulls.items_without_score {
            put(item(*code));
        }
        for _ in 0..nulls.rows_with_neither {
            put(None);
        }
    }
}

/// Whether keys are compared as numbers: the codes of items that are byte strings have no order. Keys with the rare
/// scores of 128 bits never are, so that less code is compiled.
fn are_compared_as_numbers<S>(bytes: &[u8]) -> bool {
    size_of::<S>() == size_of::<u64>() && bytes.is_empty()
}

/// The order of two keys, the better one first.
#[inline]
fn order_of_keys<S: ScoreCode>(bytes: &[u8], ties: Ties, one: S::Key, other: S::Key) -> Ordering {
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
