//! The evaluation of all users, partition by partition.

use std::sync::Arc;

use crate::aggregate::group::Scratch;
use crate::aggregate::merge::{Entry, Judged, Met};
use crate::aggregate::users::buffer::{Block, Name, Rows, Sorted, Text};
use crate::aggregate::users::group::{Grouped, Index, Source, entry};
use crate::aggregate::users::partition::{Heap, Heaps, NULL_PART, PARTS, Part};
use crate::catalogue::Function;
use crate::error::Error;
use crate::memory::Grow;
use crate::ranking::scored::Score;
use crate::settings::Settings;
use crate::values::{Nullable, Values};

/// A user as a query sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum User<'a> {
    Integer(i64),
    Text(&'a [u8]),
    Null,
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

impl<'a> Parts<'a> {
    /// Those of rows that have these settings.
    pub fn new(settings: Option<&'a Arc<Settings>>, heaps: &'a Heaps) -> Self {
        let rankings = match heaps {
            Heaps::None => Rankings::None,
            Heaps::Narrow(heaps) if has_texts(heaps) => Rankings::NarrowTexts(heaps, ByUser::default()),
            Heaps::Narrow(heaps) => Rankings::NarrowNumbers(heaps, ByUser::default()),
            // Items of wide scores were written out.
            Heaps::Wide(heaps) => Rankings::Wide(heaps, ByUser::default()),
        };
        Self { settings, rankings, next: 0, scratch: Scratch::default() }
    }

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
