//! All users at once.
//!
//! Grouping here and not in the engine is what makes it fast. Rows are put aside by parts of the hash of their user, and
//! what is put aside is sorted by user in the end, part by part, each of which is small enough for the processor's cache.

use std::sync::Arc;

use super::rows::{Entry, Inputs, Item, Met, keep_best};
use super::{Agreed, Group, Groups, Scratch, Terms, room};
use crate::catalogue::Function;
use crate::column::{Column, ItemColumn, Items, Nulls};
use crate::error::bail;
use crate::forms::Matching;
use crate::judge::mix;
use crate::nested::items;
use crate::scored::{check_score, ordered};
use crate::source::Settings;
use crate::types::{Integer, Type};
use crate::{Error, Values};

/// Into how many parts users are divided; that which is NULL is a part of its own.
const PARTS: usize = 128;
const NULL_PART: usize = PARTS;

/// With so many rows, items that no cut can show are dropped.
const MANY: usize = 1 << 24;

/// The rankings of many users.
#[derive(Clone, Default)]
pub struct Users {
    agreed: Agreed,
    /// What was read on each thread.
    heaps: Vec<Arc<Heap>>,
}

/// A user as a query sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum User<'a> {
    Integer(i64),
    Text(&'a [u8]),
    Null,
}

/// Rows by parts of their users.
#[derive(Clone)]
struct Heap {
    parts: Vec<Option<Box<Part>>>,
    rows: usize,
    /// With so many rows there is something to be dropped.
    many: usize,
    /// Fewer rows are never too many.
    least: usize,
}

impl Default for Heap {
    fn default() -> Self {
        Self { parts: vec![None; PARTS + 1], rows: 0, many: MANY, least: MANY }
    }
}

/// The rows of some users.
#[derive(Clone, Default)]
struct Part {
    retrieved: Rows<Entry<i64>>,
    /// Items and their relevances.
    judged: Rows<(i64, f64)>,
    /// Whether any relevance is not 1.
    is_graded: bool,
    /// The scores of retrieved items that are NULL.
    nameless: Rows<u64>,
    /// Judgements of items that are NULL.
    unnamed: Rows<()>,
}

/// Values and the user of each, in blocks that need not move when more come.
#[derive(Clone)]
struct Rows<V> {
    blocks: Vec<Block<V>>,
}

/// Of users and items that are byte strings there are the tags, and the bytes beside.
#[derive(Clone)]
struct Block<V> {
    /// The first row of each user, as often as the user changes from one row to the next.
    starts: Vec<u16>,
    users: Vec<i64>,
    user_bytes: Bytes,
    values: Vec<V>,
    item_bytes: Bytes,
}

/// Byte strings one after the other; none where tags are all that there is.
#[derive(Clone, Default)]
struct Bytes {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Bytes {
    /// As much room as others took.
    fn like(others: &Self) -> Self {
        Self { bytes: Vec::with_capacity(others.bytes.len()), ends: Vec::with_capacity(others.ends.len()) }
    }

    fn has_room(&self, bytes: Option<&[u8]>) -> bool {
        bytes.is_none_or(|bytes| u32::try_from(self.bytes.len() + bytes.len()).is_ok())
    }

    /// Adds bytes for which there is room.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn push(&mut self, bytes: Option<&[u8]>) {
        if let Some(bytes) = bytes {
            self.bytes.extend_from_slice(bytes);
            self.ends.push(self.bytes.len() as u32);
        }
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
    fn after(before: Option<&Self>) -> Self {
        let Some(before) = before else {
            return Self {
                starts: Vec::new(),
                users: Vec::new(),
                user_bytes: Bytes::default(),
                values: Vec::new(),
                item_bytes: Bytes::default(),
            };
        };
        Self {
            starts: Vec::with_capacity(before.starts.len()),
            users: Vec::with_capacity(before.users.len()),
            user_bytes: Bytes::like(&before.user_bytes),
            values: Vec::with_capacity(Self::ROWS),
            item_bytes: Bytes::like(&before.item_bytes),
        }
    }

    fn has_room(&self, user_bytes: Option<&[u8]>, item_bytes: Option<&[u8]>) -> bool {
        self.values.len() < Self::ROWS
            && self.user_bytes.has_room(user_bytes)
            && self.item_bytes.has_room(item_bytes)
    }

    /// The user of a run, and how many rows it has.
    #[inline]
    fn run(&self, run: usize) -> (Name<'_>, usize) {
        let end = self.starts.get(run + 1).map_or(self.values.len(), |start| usize::from(*start));
        ((self.users[run], self.user_bytes.get(run)), end - usize::from(self.starts[run]))
    }
}

impl<V> Rows<V> {
    /// Adds a row; a value that is about no item has none.
    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn push(&mut self, user: Name, value: V, item_bytes: Option<&[u8]>) {
        if self.blocks.last().is_none_or(|block| !block.has_room(user.1, item_bytes)) {
            self.blocks.push(Block::after(self.blocks.last()));
        }
        let Some(block) = self.blocks.last_mut() else { return };
        let differs = |last: &i64| {
            *last != user.0 || user.1.is_some() && block.user_bytes.get(block.users.len() - 1) != user.1
        };
        if block.users.last().is_none_or(differs) {
            block.starts.push(block.values.len() as u16);
            block.users.push(user.0);
            block.user_bytes.push(user.1);
        }
        block.values.push(value);
        block.item_bytes.push(item_bytes);
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
    /// The numbers of users from 1 on where their tags lead: a power of two of places, half of them free at least.
    places: Vec<u32>,
}

impl<'a> Index<'a> {
    /// The number of the user of each row.
    fn number<V>(&mut self, rows: &'a Rows<V>) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(rows.len());
        for block in &rows.blocks {
            for run in 0..block.users.len() {
                let (user, rows) = block.run(run);
                let number = self.find_or_add(user);
                // Where rows come in any order, most runs are of one row.
                numbers.push(number);
                if rows > 1 {
                    numbers.extend(std::iter::repeat_n(number, rows - 1));
                }
            }
        }
        numbers
    }

    fn find_or_add(&mut self, user: Name<'a>) -> u32 {
        if self.places.len() <= self.users.len() * 2 {
            self.grow();
        }
        let mut place = self.place(user.0);
        loop {
            match self.places[place] {
                0 => {
                    self.users.push(user);
                    self.places[place] = u32::try_from(self.users.len()).expect("they are less than 2^32");
                    return self.places[place] - 1;
                }
                number if self.users[number as usize - 1] == user => return number - 1,
                _ => place = (place + 1) & (self.places.len() - 1),
            }
        }
    }

    /// Where a user is looked for first.
    #[allow(clippy::cast_possible_truncation)]
    fn place(&self, tag: i64) -> usize {
        mix(tag) as usize & (self.places.len() - 1)
    }

    fn grow(&mut self) {
        const LEAST: usize = 16;
        self.places = vec![0; (self.places.len() * 2).max(LEAST)];
        for (number, (tag, _)) in (1..).zip(&self.users) {
            let mut place = self.place(*tag);
            while self.places[place] != 0 {
                place = (place + 1) & (self.places.len() - 1);
            }
            self.places[place] = number;
        }
    }
}

impl Group for Users {
    fn update<C: Column>(
        function: &'static Function,
        columns: &[C],
        rows: usize,
        groups: &mut impl Groups<Self>,
    ) -> Result<(), Error> {
        let mut terms = Terms::new(function, columns)?;
        let [user, item, score, rel, ..] = columns else { bail!("internal error: an argument is missing") };
        let users = match user.kind() {
            Type::Null | Type::Integer(Integer::Narrow) => user.items(Matching::Integer)?,
            Type::Text => user.items(Matching::Text)?,
            kind => bail!("userid must be a BIGINT or a text, got {kind}"),
        };
        let inputs = Inputs::new(item, score, rel)?;
        let items = items(item, inputs.matching)?;
        let mut order: Vec<usize> = (0..rows).collect();
        if !order.is_sorted_by_key(|row| groups.id(*row)) {
            order.sort_by_key(|row| groups.id(*row));
        }
        let mut rest = &order[..];
        while let Some(first) = rest.first() {
            let id = groups.id(*first);
            let (chosen, others) = rest.split_at(rest.partition_point(|row| groups.id(*row) == id));
            rest = others;
            let Self { agreed, heaps } = groups.of(*first);
            for row in if terms.is_constant { &chosen[..1] } else { chosen } {
                agreed.agree(terms.at(*row)?)?;
            }
            let settings = terms.at(*first)?;
            inputs.check(settings)?;
            let heap = growing(heaps);
            macro_rules! read {
                ($users:expr) => {
                    match &items {
                        ItemColumn::Fixed(items) => {
                            heap.read::<i64, _, _>(settings, &inputs, $users, items, chosen)?
                        }
                        ItemColumn::Bytes(items) => {
                            heap.read::<Text, _, _>(settings, &inputs, $users, items, chosen)?
                        }
                        ItemColumn::Encoded(items) => {
                            heap.read::<Text, _, _>(settings, &inputs, $users, items, chosen)?
                        }
                        ItemColumn::Nulls => {
                            heap.read::<i64, _, _>(settings, &inputs, $users, &Nulls, chosen)?
                        }
                    }
                };
            }
            match &users {
                ItemColumn::Fixed(users) => read!(users),
                ItemColumn::Bytes(users) => read!(users),
                ItemColumn::Encoded(users) => read!(users),
                ItemColumn::Nulls => read!(&Nulls),
            }
        }
        Ok(())
    }

    fn combine(&mut self, other: &Self) -> Result<(), Error> {
        if let Some(settings) = &other.agreed.0 {
            self.agreed.agree(settings)?;
        }
        self.heaps.extend(other.heaps.iter().cloned());
        Ok(())
    }
}

/// The heap that grows with new rows: the last one, unless others share it.
fn growing(heaps: &mut Vec<Arc<Heap>>) -> &mut Heap {
    if heaps.last_mut().is_none_or(|heap| Arc::get_mut(heap).is_none()) {
        heaps.push(Arc::default());
    }
    heaps.last_mut().and_then(Arc::get_mut).expect("it is not shared")
}

impl Heap {
    fn read<'a, T: Sorted<'a>, U: Items, I: Items>(
        &mut self,
        settings: &Settings,
        Inputs { score, rel, .. }: &Inputs,
        users: &U,
        items: &'a I,
        rows: &[usize],
    ) -> Result<(), Error> {
        let name = |row: usize| {
            let tag = users.tag(row);
            (tag, if U::EXACT || tag.is_none() { None } else { Some(users.bytes(row)) })
        };
        let mut best: Vec<Entry<T>> = Vec::new();
        for run in rows.chunk_by(|one, other| name(*one) == name(*other)) {
            let (tag, bytes) = name(run[0]);
            let part = self.parts[tag.map_or(NULL_PART, part_of)].get_or_insert_default();
            let user = (tag.unwrap_or_default(), bytes);
            // Where many rows of a user come one after the other, most need not be kept at all.
            let k = settings.deepest.filter(|k| run.len() > room(*k));
            for row in run.iter().copied() {
                let item = items.tag(row).map(|tag| T::read(items, row, tag));
                if let Some(score) = score.get(row) {
                    let score = !ordered(check_score("score", score)?);
                    match item {
                        Some(item) if k.is_some() => best.push((score, item)),
                        Some(item) => part.retrieved.push(user, (score, item.tag()), item.kept_bytes()),
                        None => part.nameless.push(user, score, None),
                    }
                }
                if let Some(rel) = rel.get(row) {
                    settings.check_rel("rel", rel)?;
                    match item {
                        Some(item) => part.judged.push(user, (item.tag(), rel), item.kept_bytes()),
                        None => part.unnamed.push(user, (), None),
                    }
                    part.is_graded |= rel != 1.0;
                }
            }
            if let Some(k) = k {
                let (kept, _) = keep_best(&mut best, k);
                for (score, item) in best.drain(..).take(kept) {
                    part.retrieved.push(user, (score, item.tag()), item.kept_bytes());
                }
            }
        }
        self.rows += rows.len();
        if let Some(k) = settings.deepest
            && self.rows > self.many
        {
            self.drop_beyond(k);
        }
        Ok(())
    }

    /// Drops the items that a cut at k cannot show.
    fn drop_beyond(&mut self, k: usize) {
        self.rows = 0;
        for part in self.parts.iter_mut().flatten() {
            part.retrieved = if part.retrieved.are_texts() {
                best::<Text>(&part.retrieved, k)
            } else {
                best::<i64>(&part.retrieved, k)
            };
            self.rows += part.retrieved.len() + part.judged.len();
        }
        self.many = self.least.max(self.rows * 2);
    }
}

/// The part of a user, by the first bits of a hash of which the last ones lead to its place in there.
#[inline]
#[allow(clippy::cast_possible_truncation)]
fn part_of(tag: i64) -> usize {
    (mix(tag) >> (64 - PARTS.ilog2())) as usize % PARTS
}

/// The items of each user that a cut at k can show.
fn best<'a, I: Sorted<'a>>(rows: &'a Rows<Entry<i64>>, k: usize) -> Rows<Entry<i64>> {
    let mut index = Index::default();
    let numbers = index.number(rows);
    let mut sorted = ByUser::new(index.users.len(), &[(rows, numbers)], entry::<I>);
    let mut kept = Rows::default();
    for (number, user) in index.users.into_iter().enumerate() {
        let entries = sorted.of(number);
        let (count, _) = keep_best(entries, k);
        for (score, item) in &entries[..count] {
            kept.push(user, (*score, item.tag()), item.kept_bytes());
        }
    }
    kept
}

fn entry<'a, I: Sorted<'a>>(block: &'a Block<Entry<i64>>, row: usize) -> Entry<I> {
    let (score, tag) = block.values[row];
    (score, I::of(block, row, tag))
}

/// Rows and the numbers of their users.
type Source<'a, V> = (&'a Rows<V>, Vec<u32>);

/// Values sorted by user.
struct ByUser<T> {
    values: Vec<T>,
    /// Where the values of each user begin, and where the last ones end.
    starts: Vec<usize>,
}

impl<T: Copy + Default> ByUser<T> {
    fn new<'a, V>(users: usize, sources: &[Source<'a, V>], value: impl Fn(&'a Block<V>, usize) -> T) -> Self {
        let mut starts = vec![0; users + 1];
        for (_, numbers) in sources {
            for user in numbers {
                starts[*user as usize] += 1;
            }
        }
        let mut end = 0;
        for start in &mut starts {
            end += std::mem::replace(start, end);
        }
        let mut values = vec![T::default(); end];
        for (rows, numbers) in sources {
            let mut numbers = numbers.iter();
            for block in &rows.blocks {
                for (row, user) in (0..block.values.len()).zip(&mut numbers) {
                    let next = &mut starts[*user as usize];
                    values[*next] = value(block, row);
                    *next += 1;
                }
            }
        }
        // Each start has come to be the next one.
        starts.rotate_right(1);
        starts[0] = 0;
        Self { values, starts }
    }

    fn of(&mut self, user: usize) -> &mut [T] {
        &mut self.values[self.starts[user]..self.starts[user + 1]]
    }
}

impl Users {
    /// Evaluates every ranking, and hands over each user and its values, none where nothing was judged.
    ///
    /// Before those of a part it says how many results they will be, one for each k and user. The order of users does not
    /// depend on that of rows.
    pub fn evaluate(&self, function: &Function, results: &mut impl Results) -> Result<(), Error> {
        let Some(settings) = self.agreed.0.as_ref().filter(|settings| !settings.no_ks) else {
            return Ok(());
        };
        let mut scratch = Scratch::default();
        for number in 0..=PARTS {
            let parts: Vec<&Part> =
                self.heaps.iter().filter_map(|heap| heap.parts[number].as_deref()).collect();
            if parts.iter().any(|part| part.retrieved.are_texts() || part.judged.are_texts()) {
                evaluate::<Text>(&parts, number == NULL_PART, function, settings, &mut scratch, results)?;
            } else {
                evaluate::<i64>(&parts, number == NULL_PART, function, settings, &mut scratch, results)?;
            }
        }
        Ok(())
    }
}

/// Where the results of users go.
pub trait Results {
    /// Makes room for some more.
    fn make_room(&mut self, results: usize);

    fn put(&mut self, user: User, values: &Values);
}

/// Evaluates the rankings of a part of the users.
fn evaluate<'a, I: Sorted<'a>>(
    parts: &[&'a Part],
    is_null: bool,
    function: &Function,
    settings: &Arc<Settings>,
    scratch: &mut Scratch,
    results: &mut impl Results,
) -> Result<(), Error> {
    let mut index = Index::default();
    let retrieved = number(&mut index, parts, |part| &part.retrieved);
    let judged = number(&mut index, parts, |part| &part.judged);
    let nameless = number(&mut index, parts, |part| &part.nameless);
    let unnamed = number(&mut index, parts, |part| &part.unnamed);
    let users = index.users.len();
    if users == 0 {
        return Ok(());
    }
    let mut entries = ByUser::new(users, &retrieved, entry::<I>);
    let mut truth = ByUser::new(users, &judged, |block, row| I::of(block, row, block.values[row].0));
    let is_graded = parts.iter().any(|part| part.is_graded);
    let mut rels =
        is_graded.then(|| ByUser::new(users, &judged, |block: &Block<(i64, f64)>, row| block.values[row].1));
    let mut nameless = ByUser::new(users, &nameless, |block, row| block.values[row]);
    let mut unnamed = ByUser::new(users, &unnamed, |_, _| ());

    let user = |(number, (tag, bytes)): (usize, &Name<'a>)| {
        let user = if is_null { User::Null } else { bytes.map_or(User::Integer(*tag), User::Text) };
        (user, number)
    };
    let mut order: Vec<(User, usize)> = index.users.iter().enumerate().map(user).collect();
    order.sort_unstable();
    results.make_room(users * settings.ks.len());
    let nothing = vec![None; settings.ks.len() * function.metrics.len()];
    for (user, number) in order {
        let judged = truth.of(number);
        if judged.is_empty() && unnamed.of(number).is_empty() {
            results.put(user, &Values { ks: &settings.ks, values: &nothing });
            continue;
        }
        let met = Met {
            entries: entries.of(number),
            nameless: nameless.of(number).iter().copied(),
            truth: judged,
            rels: rels.as_mut().map_or(&[], |rels| rels.of(number)),
        };
        results.put(user, &met.evaluate(function, settings, scratch)?);
    }
    Ok(())
}

/// The numbers of the users of rows.
fn number<'a, V>(
    index: &mut Index<'a>,
    parts: &[&'a Part],
    rows: impl Fn(&'a Part) -> &'a Rows<V>,
) -> Vec<Source<'a, V>> {
    parts.iter().map(|part| (rows(part), index.number(rows(part)))).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;
    use crate::column::{Encoded, Fixed, Numbers, Validity};
    use crate::lookup;

    /// A user, an item, and whether that is judged or, with this score, retrieved.
    type Read = (u8, u8, Option<u8>);

    #[derive(Default, Debug, PartialEq)]
    struct Found(Vec<(i64, Vec<Option<f64>>)>);

    impl Results for Found {
        fn make_room(&mut self, _: usize) {}

        fn put(&mut self, user: User, values: &Values) {
            let User::Integer(user) = user else { panic!("{user:?}") };
            self.0.push((user, values.values.to_vec()));
        }
    }

    fn bits(rows: &[Read], bit: impl Fn(&Read) -> bool) -> Vec<u8> {
        let byte = |rows: &[Read]| (0..).zip(rows).map(|(place, row)| u8::from(bit(row)) << place).sum();
        rows.chunks(8).map(byte).collect()
    }

    /// Reads rows in chunks into heaps that drop something when they have more than `many` rows.
    fn found(
        k: usize,
        ties: &str,
        rows: &[Read],
        chunk: usize,
        many: usize,
        as_text: bool,
    ) -> (Found, usize) {
        let function = lookup("rank_metrics_by_user").unwrap();
        let mut settings = Settings::new(function);
        let options = format!("ties={ties}");
        settings.set_options(&options, function.parse(&options).unwrap());
        settings.set_ks(std::iter::once(Ok(Some(k)))).unwrap();
        let settings = Arc::new(settings);
        let mut heaps = [many; 2].map(|many| Heap { many, least: many, ..Heap::default() });
        for (number, rows) in rows.chunks(chunk).enumerate() {
            let (retrieved, judged) = (bits(rows, |row| row.2.is_some()), bits(rows, |row| row.2.is_none()));
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.2.unwrap_or_default())).collect();
            let rels: Vec<f64> = rows.iter().map(|row| f64::from(row.1 % 3)).collect();
            let inputs = Inputs {
                matching: Matching::Integer,
                score: Numbers {
                    values: scores.into(),
                    validity: Validity::Bits { bits: &retrieved, offset: 0 },
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
        let kept =
            heaps.iter().flat_map(|heap| heap.parts.iter().flatten()).map(|part| part.retrieved.len()).sum();
        let users = Users { agreed: Agreed(Some(settings)), heaps: heaps.map(Arc::new).into() };
        let mut found = Found::default();
        users.evaluate(function, &mut found).unwrap();
        (found, kept)
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
            let (expected, _) = found(k, ties, &rows, 1, usize::MAX, false);
            prop_assert_eq!(&found(k, ties, &rows, chunk, many, false).0, &expected);
            prop_assert_eq!(&found(k, ties, &rows, chunk, many, true).0, &expected);
        }
    }

    #[test]
    fn much_is_dropped() {
        let rows: Vec<Read> = (0..20)
            .flat_map(|_| 0..200_u8)
            .map(|item| (item % 3, item, Some(item.wrapping_mul(7))))
            .collect();
        assert!(found(5, "average", &rows, 40, 500, false).1 < 1200);
        assert_eq!(found(5, "average", &rows, 1, usize::MAX, true).1, 4000);
    }
}
