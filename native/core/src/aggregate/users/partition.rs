//! Rows by partitions of their users.

use std::iter::once;
use std::sync::Arc;

use crate::aggregate::columns::Inputs;
use crate::aggregate::group::room;
use crate::aggregate::merge::Entry;
use crate::aggregate::users::buffer::{Rows, Sorted, Text};
use crate::aggregate::users::group::Grouped;
use crate::aggregate::users::prune::{Best, best};
use crate::column::Items;
use crate::error::Error;
use crate::memory::{Grow, boxed};
use crate::ranking::lookup::mix;
use crate::ranking::scored::Score;
use crate::settings::Settings;

/// Into how many parts users are divided; that which is NULL is a part of its own.
pub const PARTS: usize = 128;
pub const NULL_PART: usize = PARTS;

/// With so many rows, items that no cut can show are dropped.
pub const MANY: usize = 1 << 24;

/// The rows read on each thread, by the width of scores.
#[derive(Default)]
pub enum Heaps {
    #[default]
    None,
    Narrow(Vec<Arc<Heap<u64>>>),
    Wide(Vec<Arc<Heap<u128>>>),
}

/// Scores that heaps can have.
pub trait Kept: Score {
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

/// Rows by parts of their users.
pub struct Heap<S> {
    pub parts: Vec<Option<Box<[Part<S>; 1]>>>,
    pub rows: usize,
    /// With so many rows there is something to be dropped.
    pub many: usize,
    /// Fewer rows are never too many.
    pub least: usize,
}

impl<S: Score> Heap<S> {
    pub fn new() -> Result<Self, Error> {
        let mut parts = Vec::new();
        parts.make_exact_room(PARTS + 1)?;
        parts.resize_with(PARTS + 1, || None);
        Ok(Self { parts, rows: 0, many: MANY, least: MANY })
    }
}

/// The rows of some users.
pub struct Part<S> {
    pub retrieved: Rows<Entry<S, i64>>,
    pub judged: Rows<i64>,
    /// The scores of retrieved items that are NULL.
    pub nameless: Rows<S>,
    /// Judgements of items that are NULL.
    pub unnamed: Rows<()>,
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

/// The heap that grows with new rows: the last one, unless others share it.
pub fn growing<S: Score>(heaps: &mut Vec<Arc<Heap<S>>>) -> Result<&mut Heap<S>, Error> {
    if heaps.last_mut().is_none_or(|heap| Arc::get_mut(heap).is_none()) {
        heaps.try_push(Arc::new(Heap::new()?))?;
    }
    let heap = heaps.last_mut().and_then(Arc::get_mut);
    heap.ok_or_else(|| Error::new("internal error: the rows that were read are shared"))
}

/// The parts and the numbers of rows that are read alike.
pub type Chosen = Vec<(usize, usize)>;

/// Hands the rows of each part to `put`.
pub fn put<S>(
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
pub fn grown<S>(part: &mut Option<Box<[Part<S>; 1]>>) -> Result<&mut Part<S>, Error> {
    let part = match part {
        Some(part) => part,
        None => part.insert(boxed(Part::default())?),
    };
    Ok(&mut part[0])
}

impl<S: Score> Heap<S> {
    pub fn read<'a, T: Sorted<'a>, U: Items, I: Items>(
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
    pub fn drop_beyond(&mut self, k: usize) -> Result<(), Error> {
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
pub fn part_of(tag: i64) -> usize {
    (mix(tag) >> (64 - PARTS.ilog2())) as usize % PARTS
}
