//! All users at once.
//!
//! Grouping here and not in the engine is what makes it fast. Rows are put aside by parts of the hash of their user, and
//! what is put aside is sorted by user in the end, part by part, each of which is small enough for the processor's cache.

use std::iter::once;
use std::ops::Range;
use std::sync::Arc;

use crate::aggregate::rows::{Entry, Inputs, Item, Judged, Met, keep_best, repeats};
use crate::aggregate::{Agreed, Group, Groups, Scratch, Terms, room, written};
use crate::catalogue::Function;
use crate::column::matching::Matching;
use crate::column::nested::items;
use crate::column::{Column, Fixed, ItemColumn, Items, Nulls, Plain, Validity};
use crate::error::{Error, bail};
use crate::memory::{Grow, boxed};
use crate::ranking::lookup::mix;
use crate::ranking::scored::Score;
use crate::settings::Settings;
use crate::types::{Integer, Type};
use crate::values::{Nullable, Values};

/// Into how many parts users are divided; that which is NULL is a part of its own.
const PARTS: usize = 128;
const NULL_PART: usize = PARTS;

/// With so many rows, items that no cut can show are dropped.
const MANY: usize = 1 << 24;

/// The rankings of many users.
#[derive(Default)]
pub struct Users {
    agreed: Agreed,
    heaps: Heaps,
}

/// The rows read on each thread, by the width of scores.
#[derive(Default)]
enum Heaps {
    #[default]
    None,
    Narrow(Vec<Arc<Heap<u64>>>),
    Wide(Vec<Arc<Heap<u128>>>),
}

/// Scores that heaps can have.
trait Kept: Score {
    /// The heaps, if their scores are of this width.
    fn of(heaps: &mut Heaps) -> Option<&mut Vec<Arc<Heap<Self>>>>;
}

macro_rules! kept {
    ($score:ty, $variant:ident) => {
        impl Kept for $score {
            fn of(heaps: &mut Heaps) -> Option<&mut Vec<Arc<Heap<Self>>>> {
                if let Heaps::None = heaps {
                    *heaps = Heaps::$variant(Vec::new());
                }
                if let Heaps::$variant(heaps) = heaps { Some(heaps) } else { None }
            }
        }
    };
}
kept!(u64, Narrow);
kept!(u128, Wide);

/// A user as a query sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum User<'a> {
    Integer(i64),
    Text(&'a [u8]),
    Null,
}

/// Rows by parts of their users.
struct Heap<S> {
    parts: Vec<Option<Box<[Part<S>; 1]>>>,
    rows: usize,
    /// With so many rows there is something to be dropped.
    many: usize,
    /// Fewer rows are never too many.
    least: usize,
}

impl<S: Score> Heap<S> {
    fn new() -> Result<Self, Error> {
        let mut parts = Vec::new();
        parts.make_exact_room(PARTS + 1)?;
        parts.resize_with(PARTS + 1, || None);
        Ok(Self { parts, rows: 0, many: MANY, least: MANY })
    }
}

/// The rows of some users.
struct Part<S> {
    retrieved: Rows<Entry<S, i64>>,
    judged: Rows<i64>,
    /// The scores of retrieved items that are NULL.
    nameless: Rows<S>,
    /// Judgements of items that are NULL.
    unnamed: Rows<()>,
}

impl<S> Default for Part<S> {
    fn default() -> Self {
        Self {
            retrieved: Rows::default(),
            judged: Rows::default(),
            nameless: Rows::default(),
            unnamed: Rows::default(),
        }
    }
}

/// Values and the user of each, in blocks that need not move when more come.
struct Rows<V> {
    blocks: Vec<Block<V>>,
}

/// Of users and items that are byte strings there are the tags, and the bytes beside.
struct Block<V> {
    /// The first row of each user, as often as the user changes from one row to the next.
    starts: Vec<u16>,
    users: Vec<i64>,
    user_bytes: Bytes,
    values: Vec<V>,
    item_bytes: Bytes,
    /// The relevances of judged items, unless all are 1.
    rels: Vec<f64>,
}

/// Byte strings one after the other; none where tags are all that there is.
#[derive(Default)]
struct Bytes {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Bytes {
    /// Makes as much room as others took.
    fn make_room_like(&mut self, others: &Self) -> Result<(), Error> {
        self.bytes.make_exact_room(others.bytes.len())?;
        self.ends.make_exact_room(others.ends.len())
    }

    fn has_room(&self, bytes: Option<&[u8]>) -> bool {
        bytes.is_none_or(|bytes| u32::try_from(self.bytes.len() + bytes.len()).is_ok())
    }

    /// Adds bytes for which there is room.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn push(&mut self, bytes: Option<&[u8]>) -> Result<(), Error> {
        if let Some(bytes) = bytes {
            self.bytes.make_room(bytes.len())?;
            self.bytes.extend_from_slice(bytes);
            self.ends.try_push(self.bytes.len() as u32)?;
        }
        Ok(())
    }

    #[inline]
    fn get(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[start as usize..end as usize])
    }
}

impl<V> Default for Rows<V> {
    fn default() -> Self {
        Self { blocks: Vec::new() }
    }
}

/// The tag of a user or item, and its bytes where the tag is not all.
type Name<'a> = (i64, Option<&'a [u8]>);

impl<V> Block<V> {
    const ROWS: usize = 1024;

    /// An empty block with as much room as the one before it took; the first one may stay small.
    fn after(before: Option<&Self>) -> Result<Self, Error> {
        let mut block = Self {
            starts: Vec::new(),
            users: Vec::new(),
            user_bytes: Bytes::default(),
            values: Vec::new(),
            item_bytes: Bytes::default(),
            rels: Vec::new(),
        };
        if let Some(before) = before {
            block.starts.make_exact_room(before.starts.len())?;
            block.users.make_exact_room(before.users.len())?;
            block.user_bytes.make_room_like(&before.user_bytes)?;
            block.values.make_exact_room(Self::ROWS)?;
            block.item_bytes.make_room_like(&before.item_bytes)?;
            block.rels.make_exact_room(before.rels.len())?;
        }
        Ok(block)
    }

    fn has_room(&self, user_bytes: Option<&[u8]>, item_bytes: Option<&[u8]>) -> bool {
        self.values.len() < Self::ROWS
            && self.user_bytes.has_room(user_bytes)
            && self.item_bytes.has_room(item_bytes)
    }

    /// The rows of a run.
    #[inline]
    fn rows(&self, run: usize) -> Range<usize> {
        let end = self.starts.get(run + 1).map_or(self.values.len(), |start| usize::from(*start));
        usize::from(self.starts[run])..end
    }
}

impl<V> Rows<V> {
    /// Adds a row; a value that is about no item has none.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn push(&mut self, user: Name, value: V, item_bytes: Option<&[u8]>) -> Result<(), Error> {
        if self.blocks.last().is_none_or(|block| !block.has_room(user.1, item_bytes)) {
            self.blocks.try_push(Block::after(self.blocks.last())?)?;
        }
        let Some(block) = self.blocks.last_mut() else { return Ok(()) };
        let differs = |last: &i64| {
            *last != user.0 || user.1.is_some() && block.user_bytes.get(block.users.len() - 1) != user.1
        };
        if block.users.last().is_none_or(differs) {
            block.starts.try_push(block.values.len() as u16)?;
            block.users.try_push(user.0)?;
            block.user_bytes.push(user.1)?;
        }
        block.values.try_push(value)?;
        block.item_bytes.push(item_bytes)
    }

    /// Adds rows of a chunk.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn extend<'r, U: Items>(
        &mut self,
        users: &U,
        mut rows: &[usize],
        value: impl Fn(usize) -> V,
        item_bytes: impl Fn(usize) -> Option<&'r [u8]>,
        rel: impl Fn(usize) -> f64,
    ) -> Result<(), Error> {
        let tag = |row| users.tag(row).unwrap_or_default();
        if !U::EXACT || rows.first().is_some_and(|row| item_bytes(*row).is_some()) {
            for row in rows {
                let user_bytes = (!U::EXACT && users.is_valid(*row)).then(|| users.bytes(*row));
                self.push((tag(*row), user_bytes), value(*row), item_bytes(*row))?;
                self.push_rels(&[*row], &rel)?;
            }
            return Ok(());
        }
        while !rows.is_empty() {
            if self.blocks.last().is_none_or(|block| !block.has_room(None, None)) {
                self.blocks.try_push(Block::after(self.blocks.last())?)?;
            }
            let Some(block) = self.blocks.last_mut() else { return Ok(()) };
            let start = block.values.len();
            let (now, later) = rows.split_at(rows.len().min(Block::<V>::ROWS - start));
            let mut before = block.users.last().copied();
            for (row, start) in now.iter().zip(start as u16..) {
                let user = tag(*row);
                if before != Some(user) {
                    block.starts.try_push(start)?;
                    block.users.try_push(user)?;
                }
                before = Some(user);
            }
            block.values.try_extend(now.iter().map(|row| value(*row)))?;
            self.push_rels(now, &rel)?;
            rows = later;
        }
        Ok(())
    }

    /// Adds the relevances of rows that were added to the last block.
    #[inline]
    fn push_rels(&mut self, rows: &[usize], rel: impl Fn(usize) -> f64) -> Result<(), Error> {
        let Some(Block { values, rels, .. }) = self.blocks.last_mut() else { return Ok(()) };
        if !rels.is_empty() || rows.iter().any(|row| rel(*row) != 1.0) {
            rels.try_resize(values.len() - rows.len(), 1.0)?;
            rels.try_extend(rows.iter().map(|row| rel(*row)))?;
        }
        Ok(())
    }

    fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.values.len()).sum()
    }

    fn are_texts(&self) -> bool {
        self.blocks.first().is_some_and(|block| !block.item_bytes.ends.is_empty())
    }
}

/// A byte string that lies elsewhere.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Text<'a> {
    tag: i64,
    bytes: &'a [u8],
}

impl Ord for Text<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.bytes.cmp(other.bytes)
    }
}

impl PartialOrd for Text<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Item for Text<'_> {
    const EXACT: bool = false;

    fn try_clone(&self) -> Result<Self, Error> {
        Ok(*self)
    }

    fn tag(&self) -> i64 {
        self.tag
    }

    fn bytes(&self) -> &[u8] {
        self.bytes
    }
}

/// Items as they are sorted by user.
trait Sorted<'a>: Item + Copy + Default {
    fn of<V>(block: &'a Block<V>, row: usize, tag: i64) -> Self;

    fn read(items: &'a impl Items, row: usize, tag: i64) -> Self;

    /// What has to be kept besides the tag.
    fn kept_bytes(&self) -> Option<&[u8]> {
        (!Self::EXACT).then(|| self.bytes())
    }
}

impl Sorted<'_> for i64 {
    fn of<V>(_: &Block<V>, _: usize, tag: i64) -> Self {
        tag
    }

    fn read(_: &impl Items, _: usize, tag: i64) -> Self {
        tag
    }
}

impl<'a> Sorted<'a> for Text<'a> {
    fn of<V>(block: &'a Block<V>, row: usize, tag: i64) -> Self {
        Self { tag, bytes: block.item_bytes.get(row).unwrap_or_default() }
    }

    fn read(items: &'a impl Items, row: usize, tag: i64) -> Self {
        Self { tag, bytes: items.bytes(row) }
    }
}

/// Numbers users in the order in which they come.
#[derive(Default)]
struct Index<'a> {
    users: Vec<Name<'a>>,
    /// The numbers of users from 1 on where their tags lead: a power of two of places, most of them free.
    places: Vec<u32>,
}

impl<'a> Index<'a> {
    /// The number of the user of each run.
    fn number<V>(&mut self, rows: &'a Rows<V>) -> Result<Vec<u32>, Error> {
        let mut numbers = Vec::new();
        numbers.make_exact_room(rows.blocks.iter().map(|block| block.users.len()).sum())?;
        for block in &rows.blocks {
            for (run, tag) in block.users.iter().enumerate() {
                numbers.push(self.find_or_add((*tag, block.user_bytes.get(run)))?);
            }
        }
        Ok(numbers)
    }

    #[inline]
    fn find_or_add(&mut self, user: Name<'a>) -> Result<u32, Error> {
        if self.places.len() <= self.users.len() * 4 {
            self.grow()?;
        }
        let mut place = self.place(user.0);
        loop {
            match self.places[place] {
                0 => {
                    self.users.try_push(user)?;
                    self.places[place] = u32::try_from(self.users.len()).expect("they are less than 2^32");
                    return Ok(self.places[place] - 1);
                }
                number if self.users[number as usize - 1] == user => return Ok(number - 1),
                _ => place = (place + 1) & (self.places.len() - 1),
            }
        }
    }

    /// Where a user is looked for first.
    #[allow(clippy::cast_possible_truncation)]
    fn place(&self, tag: i64) -> usize {
        mix(tag) as usize & (self.places.len() - 1)
    }

    fn clear(&mut self) {
        self.users.clear();
        self.places.fill(0);
    }

    #[cold]
    fn grow(&mut self) -> Result<(), Error> {
        const LEAST: usize = 16;
        let length = (self.places.len() * 2).max(LEAST);
        self.places.clear();
        self.places.try_resize(length, 0)?;
        for (number, (tag, _)) in (1..).zip(&self.users) {
            let mut place = self.place(*tag);
            while self.places[place] != 0 {
                place = (place + 1) & (self.places.len() - 1);
            }
            self.places[place] = number;
        }
        Ok(())
    }
}

impl Group for Users {
    fn update<C: Column>(
        function: &'static Function,
        columns: &[C],
        rows: usize,
        groups: &mut impl Groups<Self>,
    ) -> Result<(), Error> {
        let [user, item, score, rel, ..] = columns else { bail!("internal error: an argument is missing") };
        let users = match user.kind() {
            Type::Null | Type::Integer(Integer::Narrow) => user.items(Matching::Integer)?,
            Type::Text => user.items(Matching::Text)?,
            kind => bail!("userid must be a BIGINT or a text, got {kind}"),
        };
        let inputs = Inputs::new(item, score, rel)?;
        let items = items(item, inputs.matching)?;
        let mut terms = Terms::new(function, columns, inputs.score.are_exact())?;
        let terms = &mut terms;
        if inputs.score.are_wide() {
            let items = &written(items, rows);
            return match users {
                ItemColumn::Fixed(users) => {
                    read::<u128, Text, C, _, _>(&inputs, &users, items, rows, terms, groups)
                }
                users => {
                    read::<u128, Text, C, _, _>(&inputs, &written(users, rows), items, rows, terms, groups)
                }
            };
        }
        macro_rules! read {
            ($users:expr) => {
                match &items {
                    ItemColumn::Fixed(items) => {
                        read::<u64, i64, C, _, _>(&inputs, $users, items, rows, terms, groups)
                    }
                    ItemColumn::Bytes(items) => {
                        read::<u64, Text, C, _, _>(&inputs, $users, items, rows, terms, groups)
                    }
                    ItemColumn::Encoded(items) => {
                        read::<u64, Text, C, _, _>(&inputs, $users, items, rows, terms, groups)
                    }
                    ItemColumn::Nulls => {
                        read::<u64, i64, C, _, _>(&inputs, $users, &Nulls, rows, terms, groups)
                    }
                }
            };
        }
        match &users {
            ItemColumn::Fixed(Fixed { values, validity: Validity::All }) => read!(&Plain(values)),
            ItemColumn::Fixed(users) => read!(users),
            ItemColumn::Bytes(users) => read!(&Tagged::new(users, rows)),
            ItemColumn::Encoded(users) => read!(&Tagged::new(users, rows)),
            ItemColumn::Nulls => read!(&Nulls),
        }
    }

    fn combine(&mut self, other: &Self) -> Result<(), Error> {
        if let Some(settings) = &other.agreed.0 {
            self.agreed.agree(settings)?;
        }
        match (&mut self.heaps, &other.heaps) {
            (_, Heaps::None) => {}
            (Heaps::Narrow(one), Heaps::Narrow(other)) => one.extend(other.iter().cloned()),
            (Heaps::Wide(one), Heaps::Wide(other)) => one.extend(other.iter().cloned()),
            (heaps @ Heaps::None, Heaps::Narrow(other)) => *heaps = Heaps::Narrow(other.clone()),
            (heaps @ Heaps::None, Heaps::Wide(other)) => *heaps = Heaps::Wide(other.clone()),
            _ => bail!("internal error: scores came in two forms"),
        }
        Ok(())
    }
}

/// Users whose tags are computed once, because each is asked for several times.
struct Tagged<'a, U> {
    users: &'a U,
    tags: Vec<i64>,
}

impl<'a, U: Items> Tagged<'a, U> {
    fn new(users: &'a U, rows: usize) -> Self {
        Self { users, tags: (0..rows).map(|row| users.tag(row).unwrap_or_default()).collect() }
    }
}

impl<U: Items> Items for Tagged<'_, U> {
    const EXACT: bool = U::EXACT;

    #[inline]
    fn is_valid(&self, index: usize) -> bool {
        self.users.is_valid(index)
    }

    #[inline]
    fn tag(&self, index: usize) -> Option<i64> {
        self.is_valid(index).then(|| self.tags[index])
    }

    #[inline]
    fn are_equal(&self, one: usize, other: usize) -> bool {
        self.tags[one] == self.tags[other] && self.users.are_equal(one, other)
    }

    #[inline]
    fn bytes(&self, index: usize) -> &[u8] {
        self.users.bytes(index)
    }
}

/// Reads the rows of each group.
fn read<'a, S: Kept, T: Sorted<'a>, C: Column, U: Items, I: Items>(
    inputs: &Inputs,
    users: &U,
    items: &'a I,
    rows: usize,
    terms: &mut Terms<C>,
    groups: &mut impl Groups<Users>,
) -> Result<(), Error> {
    let mut order: Vec<usize> = (0..rows).collect();
    if !order.is_sorted_by_key(|row| groups.id(*row)) {
        order.sort_by_key(|row| groups.id(*row));
    }
    let mut rest = &order[..];
    while let Some(first) = rest.first() {
        let id = groups.id(*first);
        let (chosen, others) = rest.split_at(rest.partition_point(|row| groups.id(*row) == id));
        rest = others;
        let Users { agreed, heaps } = groups.of(*first)?;
        for row in if terms.is_constant { &chosen[..1] } else { chosen } {
            agreed.agree(terms.at(*row)?)?;
        }
        let settings = terms.at(*first)?;
        inputs.check(settings)?;
        let Some(heaps) = S::of(heaps) else { bail!("internal error: scores came in two forms") };
        growing(heaps)?.read::<T, U, I>(settings, inputs, users, items, chosen)?;
    }
    Ok(())
}

/// The heap that grows with new rows: the last one, unless others share it.
fn growing<S: Score>(heaps: &mut Vec<Arc<Heap<S>>>) -> Result<&mut Heap<S>, Error> {
    if heaps.last_mut().is_none_or(|heap| Arc::get_mut(heap).is_none()) {
        heaps.try_push(Arc::new(Heap::new()?))?;
    }
    let heap = heaps.last_mut().and_then(Arc::get_mut);
    heap.ok_or_else(|| Error::new("internal error: the rows that were read are shared"))
}

/// The parts and the numbers of rows that are read alike.
type Chosen = Vec<(usize, usize)>;

/// Hands the rows of each part to `put`.
fn put<S>(
    parts: &mut [Option<Box<[Part<S>; 1]>>],
    chosen: &Chosen,
    put: impl Fn(&mut Part<S>, &[usize]) -> Result<(), Error>,
) -> Result<(), Error> {
    // Measured: writing each of many rows to its part as it comes takes longer, for the parts are too many to be kept at
    // hand. Where there are many groups, few rows of a chunk are of the same one.
    if chosen.len() < parts.len() {
        return chosen.iter().try_for_each(|(part, row)| put(grown(&mut parts[*part])?, &[*row]));
    }
    let mut rows = Grouped::default();
    rows.fill(parts.len(), || chosen.iter().map(|(part, row)| (*part, once(*row))))?;
    for (number, part) in parts.iter_mut().enumerate() {
        let rows = rows.of(number);
        if !rows.is_empty() {
            put(grown(part)?, rows)?;
        }
    }
    Ok(())
}

/// The part, a new one where there is none.
fn grown<S>(part: &mut Option<Box<[Part<S>; 1]>>) -> Result<&mut Part<S>, Error> {
    let part = match part {
        Some(part) => part,
        None => part.insert(boxed(Part::default())?),
    };
    Ok(&mut part[0])
}

/// Finds those rows of a run that a cut can show.
#[derive(Default)]
struct Best<S, T> {
    scores: Vec<S>,
    /// Room for finding the worst of the best.
    selected: Vec<S>,
    rows: Vec<usize>,
    items: Vec<Entry<(), T>>,
}

impl<'a, S: Score, T: Sorted<'a>> Best<S, T> {
    /// The rows with the best k scores; all rows where those are of fewer items than k.
    fn of<'r>(
        &'r mut self,
        settings: &Settings,
        inputs: &Inputs,
        items: &'a impl Items,
        rows: &'r [usize],
        k: usize,
    ) -> Result<&'r [usize], Error> {
        let Self { scores, selected, rows: kept, items: different } = self;
        scores.clear();
        let codes = inputs.score.codes::<S>(settings);
        scores.make_room(rows.len())?;
        for row in rows {
            scores.push(codes.get(*row)?.unwrap_or(S::WORST));
        }
        selected.clear();
        selected.try_extend(scores.iter().copied())?;
        let (_, last, _) = selected.select_nth_unstable(k - 1);
        kept.try_resize(rows.len(), 0)?;
        let mut count = 0;
        for (row, score) in rows.iter().zip(&*scores) {
            // Written whether or not it is one of the best: the next one overwrites it.
            kept[count] = *row;
            count += usize::from(*score <= *last);
        }
        kept.truncate(count);
        different.clear();
        different.make_room(count)?;
        different.extend(kept.iter().map_while(|row| Some(((), T::read(items, *row, items.tag(*row)?)))));
        Ok(if different.len() < count || repeats(different)? { rows } else { kept })
    }
}

impl<S: Score> Heap<S> {
    fn read<'a, T: Sorted<'a>, U: Items, I: Items>(
        &mut self,
        settings: &Settings,
        inputs: &Inputs,
        users: &U,
        items: &'a I,
        rows: &[usize],
    ) -> Result<(), Error> {
        let Inputs { score, rel, .. } = inputs;
        let scores = score.codes::<S>(settings);
        let mut chosen = <[Chosen; 4]>::default();
        let [retrieved, nameless, judged, unnamed] = &mut chosen;
        retrieved.make_exact_room(rows.len())?;
        judged.make_exact_room(rows.len())?;
        let mut best = Best::<S, T>::default();
        for run in rows.chunk_by(|one, other| users.are_equal(*one, *other)) {
            let part = users.tag(run[0]).map_or(NULL_PART, part_of);
            // Where many rows of a user come one after the other, most need not be kept at all.
            let shown = match settings.deepest {
                Some(k) if run.len() > room(k) => best.of(settings, inputs, items, run, k)?,
                _ => run,
            };
            for row in shown.iter().copied() {
                if scores.get(row)?.is_some() {
                    if items.is_valid(row) { &mut *retrieved } else { &mut *nameless }
                        .try_push((part, row))?;
                }
            }
            for row in run.iter().copied() {
                if let Some(rel) = rel.get(row) {
                    settings.check_rel("rel", rel)?;
                    if items.is_valid(row) { &mut *judged } else { &mut *unnamed }.try_push((part, row))?;
                }
            }
        }
        let tag = |row| items.tag(row).unwrap_or_default();
        let bytes = |row| (!I::EXACT).then(|| items.bytes(row));
        let score = |row| scores.known(row);
        let parts = &mut self.parts;
        put(parts, retrieved, |part, rows| {
            part.retrieved.extend(users, rows, |row| (score(row), tag(row)), bytes, |_| 1.0)
        })?;
        put(parts, judged, |part, rows| part.judged.extend(users, rows, tag, bytes, |row| rel.values[row]))?;
        put(parts, nameless, |part, rows| part.nameless.extend(users, rows, &score, |_| None, |_| 1.0))?;
        put(parts, unnamed, |part, rows| part.unnamed.extend(users, rows, |_| (), |_| None, |_| 1.0))?;
        self.rows += [retrieved, nameless, judged, unnamed].map(|rows| rows.len()).iter().sum::<usize>();
        if let Some(k) = settings.deepest
            && self.rows > self.many
        {
            self.drop_beyond(k)?;
        }
        Ok(())
    }

    /// Drops the items that a cut at k cannot show.
    fn drop_beyond(&mut self, k: usize) -> Result<(), Error> {
        self.rows = 0;
        for [part] in self.parts.iter_mut().flatten().map(|part| &mut **part) {
            part.retrieved = if part.retrieved.are_texts() {
                best::<S, Text>(&part.retrieved, k)?
            } else {
                best::<S, i64>(&part.retrieved, k)?
            };
            self.rows += part.retrieved.len() + part.judged.len();
        }
        self.many = self.least.max(self.rows * 2);
        Ok(())
    }
}

/// The part of a user, by the first bits of a hash of which the last ones lead to its place in there.
#[inline]
#[allow(clippy::cast_possible_truncation)]
fn part_of(tag: i64) -> usize {
    (mix(tag) >> (64 - PARTS.ilog2())) as usize % PARTS
}

/// The items of each user that a cut at k can show.
fn best<'a, S: Score, I: Sorted<'a>>(
    rows: &'a Rows<Entry<S, i64>>,
    k: usize,
) -> Result<Rows<Entry<S, i64>>, Error> {
    let mut index = Index::default();
    let source = Source { rows, numbers: index.number(rows)? };
    let mut sorted = Grouped::default();
    sorted.by_user(index.users.len(), &[source], entry::<S, I>)?;
    let mut kept = Rows::default();
    for (number, user) in index.users.into_iter().enumerate() {
        let entries = sorted.of(number);
        let (count, _) = keep_best(entries, k)?;
        for (score, item) in &entries[..count] {
            kept.push(user, (*score, item.tag()), item.kept_bytes())?;
        }
    }
    Ok(kept)
}

fn entry<'a, S: Copy, I: Sorted<'a>>(block: &'a Block<Entry<S, i64>>, row: usize) -> Entry<S, I> {
    let (score, tag) = block.values[row];
    (score, I::of(block, row, tag))
}

/// Rows and, for each run of them, the number of its user.
struct Source<'a, V> {
    rows: &'a Rows<V>,
    numbers: Vec<u32>,
}

impl<'a, V> Source<'a, V> {
    /// The number of the user of each run, and what `value` makes of its rows.
    fn runs<T>(
        &self,
        value: impl Fn(&'a Block<V>, usize) -> T + Copy,
    ) -> impl Iterator<Item = (usize, impl ExactSizeIterator<Item = T>)> {
        let runs =
            self.rows.blocks.iter().flat_map(|block| (0..block.users.len()).map(move |run| (block, run)));
        runs.zip(&self.numbers).map(move |((block, run), number)| {
            (*number as usize, block.rows(run).map(move |row| value(block, row)))
        })
    }
}

/// Values by the numbers of their groups. Kept for its buffers.
#[derive(Default)]
struct Grouped<T> {
    values: Vec<T>,
    /// Where the values of each group begin, and where the last ones end.
    starts: Vec<usize>,
}

impl<T: Copy + Default> Grouped<T> {
    /// Groups values that come in runs, each with the number of its group.
    fn fill<R: Iterator<Item = (usize, impl ExactSizeIterator<Item = T>)>>(
        &mut self,
        groups: usize,
        runs: impl Fn() -> R,
    ) -> Result<(), Error> {
        let Self { values, starts } = self;
        starts.clear();
        starts.try_resize(groups + 1, 0)?;
        runs().for_each(|(group, values)| starts[group] += values.len());
        let mut end = 0;
        for start in &mut *starts {
            end += std::mem::replace(start, end);
        }
        if values.len() < end {
            values.try_resize(end, T::default())?;
        }
        runs().for_each(|(group, run)| {
            let start = starts[group];
            starts[group] += run.len();
            values[start..starts[group]].iter_mut().zip(run).for_each(|(value, new)| *value = new);
        });
        // Each start has come to be the next one.
        starts.rotate_right(1);
        starts[0] = 0;
        Ok(())
    }

    /// Groups values by user.
    fn by_user<'a, V>(
        &mut self,
        users: usize,
        sources: &[Source<'a, V>],
        value: impl Fn(&'a Block<V>, usize) -> T + Copy,
    ) -> Result<(), Error> {
        self.fill(users, || sources.iter().flat_map(|source| source.runs(value)))
    }

    fn of(&mut self, group: usize) -> &mut [T] {
        &mut self.values[self.starts[group]..self.starts[group + 1]]
    }
}

impl Users {
    /// The rankings, to be evaluated part by part. The order of users does not depend on that of rows.
    pub fn parts(&self) -> Parts<'_> {
        let rankings = match &self.heaps {
            Heaps::None => Rankings::None,
            Heaps::Narrow(heaps) if has_texts(heaps) => Rankings::NarrowTexts(heaps, ByUser::default()),
            Heaps::Narrow(heaps) => Rankings::NarrowNumbers(heaps, ByUser::default()),
            // Items of wide scores were written out.
            Heaps::Wide(heaps) => Rankings::Wide(heaps, ByUser::default()),
        };
        Parts { settings: self.agreed.0.as_ref(), rankings, next: 0, scratch: Scratch::default() }
    }
}

fn has_texts<S: Score>(heaps: &[Arc<Heap<S>>]) -> bool {
    let mut parts = heaps.iter().flat_map(|heap| heap.parts.iter().flatten());
    parts.any(|part| part[0].retrieved.are_texts() || part[0].judged.are_texts())
}

/// Rankings that are evaluated in parts, so that the caller can take results away before there are more.
pub struct Parts<'a> {
    settings: Option<&'a Arc<Settings>>,
    rankings: Rankings<'a>,
    next: usize,
    scratch: Scratch,
}

/// The rows, by the width of scores and the kind of items, and the buffers in which they are evaluated.
enum Rankings<'a> {
    None,
    NarrowTexts(&'a [Arc<Heap<u64>>], ByUser<'a, u64, Text<'a>>),
    NarrowNumbers(&'a [Arc<Heap<u64>>], ByUser<'a, u64, i64>),
    Wide(&'a [Arc<Heap<u128>>], ByUser<'a, u128, Text<'a>>),
}

impl Parts<'_> {
    /// Goes on to the next part, and returns how many results it has, one for each k and user; `None` where there is
    /// none.
    pub fn advance(&mut self) -> Result<Option<usize>, Error> {
        let Self { settings, rankings, next, .. } = self;
        let Some(settings) = settings.filter(|settings| !settings.no_ks) else { return Ok(None) };
        while *next <= PARTS {
            let number = *next;
            *next += 1;
            let users = match rankings {
                Rankings::None => None,
                Rankings::NarrowTexts(heaps, by_user) => by_user.read(heaps, number)?,
                Rankings::NarrowNumbers(heaps, by_user) => by_user.read(heaps, number)?,
                Rankings::Wide(heaps, by_user) => by_user.read(heaps, number)?,
            };
            if let Some(users) = users {
                return Ok(Some(users * settings.ks.len()));
            }
        }
        Ok(None)
    }

    /// Evaluates the part, and hands over each user and its values, none where nothing was judged.
    pub fn evaluate(&mut self, function: &Function, results: &mut impl Results) -> Result<(), Error> {
        let Self { settings, rankings, next, scratch } = self;
        let Some(settings) = settings else { return Ok(()) };
        let is_null = *next > NULL_PART;
        match rankings {
            Rankings::None => Ok(()),
            Rankings::NarrowTexts(_, by_user) => {
                by_user.evaluate(is_null, function, settings, scratch, results)
            }
            Rankings::NarrowNumbers(_, by_user) => {
                by_user.evaluate(is_null, function, settings, scratch, results)
            }
            Rankings::Wide(_, by_user) => by_user.evaluate(is_null, function, settings, scratch, results),
        }
    }
}

/// Where the results of users go.
pub trait Results {
    fn put(&mut self, user: User, values: &Values);
}

/// The rankings of the users of a part. Kept over parts for its buffers.
#[derive(Default)]
struct ByUser<'a, S, I> {
    index: Index<'a>,
    retrieved: Grouped<Entry<S, I>>,
    judged: Grouped<I>,
    is_graded: bool,
    rels: Grouped<f64>,
    nameless: Grouped<S>,
    unnamed: Grouped<()>,
}

impl<'a, S: Score, I: Sorted<'a>> ByUser<'a, S, I> {
    /// Reads the rows of a part, and returns how many users it has; `None` where there are no rows.
    fn read(&mut self, heaps: &'a [Arc<Heap<S>>], place: usize) -> Result<Option<usize>, Error> {
        let parts = heaps.iter().filter_map(|heap| heap.parts[place].as_deref());
        let parts: Vec<&Part<S>> = parts.map(|[part]| part).collect();
        if parts.is_empty() {
            return Ok(None);
        }
        let parts = &parts[..];
        let index = &mut self.index;
        index.clear();
        let retrieved = number(index, parts, |part| &part.retrieved)?;
        let judged = number(index, parts, |part| &part.judged)?;
        let nameless = number(index, parts, |part| &part.nameless)?;
        let unnamed = number(index, parts, |part| &part.unnamed)?;
        let users = index.users.len();
        self.retrieved.by_user(users, &retrieved, entry::<S, I>)?;
        self.judged.by_user(users, &judged, |block, row| I::of(block, row, block.values[row]))?;
        self.is_graded =
            parts.iter().any(|part| part.judged.blocks.iter().any(|block| !block.rels.is_empty()));
        if self.is_graded {
            let rel = |block: &Block<i64>, row| block.rels.get(row).copied().unwrap_or(1.0);
            self.rels.by_user(users, &judged, rel)?;
        }
        self.nameless.by_user(users, &nameless, |block, row| block.values[row])?;
        self.unnamed.by_user(users, &unnamed, |_, _| ())?;
        Ok(Some(users))
    }

    fn evaluate(
        &mut self,
        is_null: bool,
        function: &Function,
        settings: &Arc<Settings>,
        scratch: &mut Scratch,
        results: &mut impl Results,
    ) -> Result<(), Error> {
        let user = |(number, (tag, bytes)): (usize, &Name<'a>)| {
            let user = if is_null { User::Null } else { bytes.map_or(User::Integer(*tag), User::Text) };
            (user, number)
        };
        let mut order: Vec<(User, usize)> = Vec::new();
        order.make_exact_room(self.index.users.len())?;
        order.extend(self.index.users.iter().enumerate().map(user));
        order.sort_unstable();
        let mut nothing = Vec::new();
        nothing.try_resize(settings.ks.len() * function.metrics.len(), Nullable::NULL)?;
        for (user, number) in order {
            let judged = self.judged.of(number);
            if judged.is_empty() && self.unnamed.of(number).is_empty() {
                results.put(user, &Values { ks: &settings.ks, values: &nothing });
                continue;
            }
            let met = Met {
                entries: self.retrieved.of(number),
                nameless: self.nameless.of(number),
                truth: Judged(judged),
                rels: if self.is_graded { self.rels.of(number) } else { &[] },
            };
            met.rank(settings, scratch)?;
            results.put(user, &scratch.evaluate(function, settings)?);
        }
        Ok(())
    }
}

/// The numbers of the users of rows.
fn number<'a, S, V>(
    index: &mut Index<'a>,
    parts: &[&'a Part<S>],
    rows: impl Fn(&'a Part<S>) -> &'a Rows<V>,
) -> Result<Vec<Source<'a, V>>, Error> {
    let rows = parts.iter().map(|part| rows(part));
    rows.map(|rows| Ok(Source { rows, numbers: index.number(rows)? })).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;
    use crate::aggregate::Scores;
    use crate::catalogue::lookup;
    use crate::column::{Encoded, Integers, Numbers};
    use crate::ranking::scored::levels::{NARROW, WIDE};

    /// A user, an item, and whether that is judged or, with this score, retrieved.
    type Read = (u8, u8, Option<u8>);

    #[derive(Default, Debug, PartialEq)]
    struct Found(Vec<(i64, Vec<Option<f64>>)>);

    impl Results for Found {
        fn put(&mut self, user: User, values: &Values) {
            let User::Integer(user) = user else { panic!("{user:?}") };
            self.0.push((user, values.values.iter().map(|value| value.get()).collect()));
        }
    }

    fn bits(rows: &[Read], bit: impl Fn(&Read) -> bool) -> Vec<u8> {
        let byte = |rows: &[Read]| (0..).zip(rows).map(|(place, row)| u8::from(bit(row)) << place).sum();
        rows.chunks(8).map(byte).collect()
    }

    /// Reads rows in chunks into heaps that drop something when they have more than `many` rows.
    fn found<S: Kept>(
        k: usize,
        ties: &str,
        rows: &[Read],
        (chunk, many): (usize, usize),
        as_text: bool,
        integers: impl Fn(&[u8]) -> Option<Integers<'static>>,
    ) -> (Found, usize) {
        let function = lookup("rank_metrics_by_user").unwrap();
        let mut settings = function.settings();
        let options = format!("ties={ties}");
        settings.set_options(&options, function.parse(&options).unwrap());
        settings.set_ks(std::iter::once(Ok(Some(k)))).unwrap();
        settings.exact = integers(&[]).is_some();
        let settings = Arc::new(settings);
        let mut heaps = [many; 2].map(|many| Heap::<S> { many, least: many, ..Heap::new().unwrap() });
        for (number, rows) in rows.chunks(chunk).enumerate() {
            let (retrieved, judged) = (bits(rows, |row| row.2.is_some()), bits(rows, |row| row.2.is_none()));
            let levels: Vec<u8> = rows.iter().map(|row| row.2.unwrap_or_default()).collect();
            let rels: Vec<f64> = rows.iter().map(|row| f64::from(row.1 % 3)).collect();
            let inputs = Inputs {
                matching: Matching::Integer,
                score: Scores {
                    name: "score",
                    numbers: Numbers {
                        values: levels.iter().map(|level| f64::from(*level)).collect(),
                        validity: Validity::Bits { bits: &retrieved, offset: 0 },
                    },
                    integers: integers(&levels),
                },
                rel: Numbers { values: rels.into(), validity: Validity::Bits { bits: &judged, offset: 0 } },
                unordered: None,
            };
            let fixed = |values: Vec<i64>| Fixed { values: values.into(), validity: Validity::All };
            let users = fixed(rows.iter().map(|row| i64::from(row.0)).collect());
            let chosen: Vec<usize> = (0..rows.len()).collect();
            let heap = &mut heaps[number % 2];
            if as_text {
                let mut items = Encoded::default();
                for row in rows {
                    items.push(|bytes| write!(bytes, "{:03}", row.1).ok());
                }
                heap.read::<Text, _, _>(&settings, &inputs, &users, &items, &chosen).unwrap();
            } else {
                let items = fixed(rows.iter().map(|row| i64::from(row.1)).collect());
                heap.read::<i64, _, _>(&settings, &inputs, &users, &items, &chosen).unwrap();
            }
        }
        let kept = heaps
            .iter()
            .flat_map(|heap| heap.parts.iter().flatten())
            .map(|part| part[0].retrieved.len())
            .sum();
        let mut users = Users { agreed: Agreed(Some(settings)), heaps: Heaps::None };
        S::of(&mut users.heaps).unwrap().extend(heaps.map(Arc::new));

        let mut found = Found::default();
        let mut parts = users.parts();
        while parts.advance().unwrap().is_some() {
            parts.evaluate(function, &mut found).unwrap();
        }
        (found, kept)
    }

    fn floats(_: &[u8]) -> Option<Integers<'static>> {
        None
    }

    proptest! {
        #[test]
        fn what_is_dropped_changes_nothing(
            rows in prop::collection::vec((0..255_u8, 0..200_u8, prop::option::weighted(0.8, 0..20_u8)), 1..500),
            (users, items, levels) in (1..5_u8, 1..200_u8, 1..20_u8),
            (k, chunk, many) in (1..40_usize, prop_oneof![Just(1000_usize), 1..90_usize], 1..200_usize),
            ties in prop::sample::select(vec!["average", "pessimistic", "item_asc", "item_desc"]),
        ) {
            let rows: Vec<Read> = rows
                .into_iter()
                .map(|(user, item, score)| (user % users, item % items, score.map(|score| score % levels)))
                .collect();
            // With a row at a time, there is nothing to be dropped before there are many.
            let (expected, _) = found::<u64>(k, ties, &rows, (1, usize::MAX), false, floats);
            let sizes = (chunk, many);
            prop_assert_eq!(&found::<u64>(k, ties, &rows, sizes, false, floats).0, &expected);
            prop_assert_eq!(&found::<u64>(k, ties, &rows, sizes, true, floats).0, &expected);
            for of in NARROW {
                let integers = |levels: &[u8]| {
                    Some(Integers::Narrow(levels.iter().map(|level| of(*level)).collect()))
                };
                prop_assert_eq!(&found::<u64>(k, ties, &rows, sizes, false, integers).0, &expected);
            }
            for of in WIDE {
                let integers = |levels: &[u8]| {
                    Some(Integers::Wide(levels.iter().map(|level| of(*level)).collect()))
                };
                prop_assert_eq!(&found::<u128>(k, ties, &rows, sizes, true, integers).0, &expected);
            }
        }
    }

    #[test]
    fn users_keep_their_numbers_as_more_come() {
        let mut index = Index::default();
        for user in (0..5000).chain(0..5000) {
            assert_eq!(index.find_or_add((user, None)).unwrap(), u32::try_from(user).unwrap());
        }
    }

    #[test]
    fn much_is_dropped() {
        let rows: Vec<Read> = (0..20)
            .flat_map(|_| 0..200_u8)
            .map(|item| (item % 3, item, Some(item.wrapping_mul(7))))
            .collect();
        assert!(found::<u64>(5, "average", &rows, (40, 500), false, floats).1 < 1200);
        assert_eq!(found::<u64>(5, "average", &rows, (1, usize::MAX), true, floats).1, 4000);
    }
}
