//! Aggregation: rankings whose rows come one by one, in any order and on any thread.
//!
//! A group holds what its rankings need and no more, and what it yields does not depend on the order of its rows.

mod lists;
mod pairs;
mod rows;
mod samples;
mod users;

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::FixedState;
use hashbrown::HashMap;

pub use lists::evaluate_lists;
pub use pairs::Pairs;
pub use rows::Rows;
pub use samples::Samples;
pub use users::{Parts, Results, User, Users};

use crate::catalogue::Function;
use crate::column::{Column, Encoded, Integers, ItemColumn, Items, Numbers, Validity};
use crate::error::{Error, bail};
use crate::evaluate::call::Call;
use crate::options::ScoreType;
use crate::ranking::list::Row;
use crate::ranking::lookup::Judge;
use crate::ranking::scored::{Score, Scored, check_score, rounded};
use crate::settings::Settings;
use crate::values::{Nullable, Values};

/// What an aggregate knows of a group while its rows come in.
pub trait Group: Default {
    /// Reads rows 0 to `rows` of the argument columns, each into its group.
    fn update<C: Column>(
        function: &'static Function,
        columns: &[C],
        rows: usize,
        groups: &mut impl Groups<Self>,
    ) -> Result<(), Error>;

    /// Takes in what another group of the same rows knows.
    fn combine(&mut self, other: &Self) -> Result<(), Error>;
}

/// The groups that rows belong to.
pub trait Groups<G> {
    fn of(&mut self, row: usize) -> Result<&mut G, Error>;

    /// What tells the group of a row from others.
    fn id(&self, row: usize) -> usize;
}

/// A group that is one ranking.
pub trait Ranking: Group {
    /// The function's values for it; `None` where nothing was judged.
    fn evaluate<'a>(
        &mut self,
        function: &Function,
        scratch: &'a mut Scratch,
    ) -> Result<Option<Values<'a>>, Error>;
}

/// Room for the evaluation of one group after the other.
#[derive(Default)]
pub struct Scratch {
    row: Row,
    scored: Scored,
    judge: Judge,
    rels: Vec<Option<f64>>,
    /// The relevances of the judged items.
    truth_rels: Vec<f64>,
    values: Vec<Nullable>,
    /// How many values a statistic is of.
    count: [Option<usize>; 1],
    /// Of the group at hand, for the values that are handed out to refer to.
    settings: Option<Arc<Settings>>,
}

impl Scratch {
    /// Makes room for the evaluation of rankings of so many items, retrieved or judged.
    fn make_room(&mut self, items: usize, settings: &Settings) -> Result<(), Error> {
        self.row.make_room_for(items, settings)
    }

    /// The values for the ranking in `row`.
    fn evaluate(&mut self, function: &Function, settings: &Arc<Settings>) -> Result<Values<'_>, Error> {
        let Self { row, values, settings: kept, .. } = self;
        row.evaluate(function, kept.insert(Arc::clone(settings)), values)
    }
}

/// The settings of a group, the same in all of its rows.
#[derive(Clone, Default)]
struct Agreed(Option<Arc<Settings>>);

impl Agreed {
    #[inline]
    fn agree(&mut self, settings: &Arc<Settings>) -> Result<(), Error> {
        match &self.0 {
            Some(known) if Arc::ptr_eq(known, settings) => Ok(()),
            Some(known) if are_same(known, settings) => Ok(()),
            Some(known) => Err(difference(known, settings)),
            None => {
                self.0 = Some(Arc::clone(settings));
                Ok(())
            }
        }
    }
}

fn are_same(one: &Settings, other: &Settings) -> bool {
    (&one.options, &one.ks, one.no_ks, one.exact) == (&other.options, &other.ks, other.no_ks, other.exact)
}

/// What is wrong with rows of one group that have different settings.
#[cold]
fn difference(known: &Settings, settings: &Settings) -> Error {
    if known.options != settings.options {
        let [one, other] = [known, settings].map(|settings| settings.written.as_deref().unwrap_or_default());
        return Error::new(format!(
            "options must be the same in all rows of a group, got '{one}' and '{other}'"
        ));
    }
    let [one, other] = [known, settings].map(|settings| {
        let ks: Vec<String> =
            settings.ks.iter().map(|k| k.map_or("NULL".into(), |k| k.to_string())).collect();
        match ks.is_empty() {
            _ if settings.no_ks => "NULL".into(),
            true => "[]".into(),
            false => ks.join(", "),
        }
    });
    Error::new(format!("k must be the same in all rows of a group, got {one} and {other}"))
}

/// The settings of each row of a call, shared with the calls before as far as they are the same.
struct Terms<'a, C> {
    function: &'static Function,
    /// Whether scores come as integers, too.
    integers: bool,
    call: Call<'a, C>,
    /// Those of the row that was asked for last.
    last: Arc<Settings>,
    row: Option<usize>,
    /// Those of each k, where k is all that varies.
    by_k: HashMap<Option<i64>, Arc<Settings>, FixedState>,
    is_constant: bool,
}

impl<'a, C: Column> Terms<'a, C> {
    /// Scores may come as `integers`.
    fn new(function: &'static Function, columns: &'a [C], integers: bool) -> Result<Self, Error> {
        let call = Call::new(function, columns)?;
        let mut settings = function.settings();
        let is_constant = call.is_constant();
        if columns[0].len() > 0 {
            call.settle(0, &mut settings)?;
        }
        settings.exact = integers && settings.options.score_type == ScoreType::Exact;
        Ok(Self {
            function,
            integers,
            last: shared(function, settings),
            row: None,
            by_k: HashMap::default(),
            call,
            is_constant,
        })
    }

    /// Those of row `index`.
    #[inline]
    fn at(&mut self, index: usize) -> Result<&Arc<Settings>, Error> {
        if !self.is_constant {
            self.find(index)?;
        }
        Ok(&self.last)
    }

    /// Hands out rows 0 to `rows` in runs that share their settings.
    #[inline]
    fn runs(
        &mut self,
        rows: usize,
        mut read: impl FnMut(&Arc<Settings>, Range<usize>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let length = if self.is_constant { rows.max(1) } else { 1 };
        (0..rows).step_by(length).try_for_each(|first| read(self.at(first)?, first..first + length))
    }

    fn find(&mut self, index: usize) -> Result<(), Error> {
        let follows = self.row.is_some_and(|row| row + 1 == index);
        self.row = Some(index);
        if follows && !self.call.changes(index)? {
            return Ok(());
        }
        let by_k = self.call.varies_by_k();
        let k = self.call.k(index)?;
        if let Some(known) = self.by_k.get(&k).filter(|_| by_k) {
            self.last = Arc::clone(known);
            return Ok(());
        }
        let mut settings = Settings::clone(&self.last);
        self.call.settle(index, &mut settings)?;
        settings.exact = self.integers && settings.options.score_type == ScoreType::Exact;
        self.last = shared(self.function, settings);
        if by_k {
            self.by_k.insert(k, Arc::clone(&self.last));
        }
        Ok(())
    }
}

/// The same settings, where they were met lately, so that comparing them is comparing two pointers.
fn shared(function: &'static Function, settings: Settings) -> Arc<Settings> {
    const KEPT: usize = 32;
    static LATELY: Mutex<VecDeque<(&'static str, Arc<Settings>)>> = Mutex::new(VecDeque::new());
    let mut lately = LATELY.lock().unwrap_or_else(PoisonError::into_inner);
    let name = function.name();
    // Errors show options as they were written, so that these are not shared with equal ones.
    let known = |(of, known): &&(&str, Arc<Settings>)| {
        *of == name && known.written == settings.written && are_same(known, &settings)
    };
    if let Some((_, known)) = lately.iter().find(known) {
        return Arc::clone(known);
    }
    lately.truncate(KEPT - 1);
    let settings = Arc::new(settings);
    lately.push_front((name, Arc::clone(&settings)));
    settings
}

/// A column of scores.
pub struct Scores<'a> {
    name: &'static str,
    numbers: Numbers<'a>,
    /// Those of a type whose values floating point may not tell apart.
    integers: Option<Integers<'a>>,
}

impl<'a> Scores<'a> {
    fn new<C: Column>(name: &'static str, column: &'a C) -> Result<Self, Error> {
        Ok(Self { name, numbers: numbers(name, column)?, integers: column.integers()? })
    }

    fn are_exact(&self) -> bool {
        self.integers.is_some()
    }

    /// Whether their integers need 128 bits.
    fn are_wide(&self) -> bool {
        matches!(self.integers, Some(Integers::Wide(_)))
    }

    /// The scores as codes of type `S`, read as `settings` say.
    #[inline(always)]
    fn codes<S: Score>(&self, settings: &Settings) -> ScoreCodes<'_, S> {
        ScoreCodes {
            name: self.name,
            validity: self.numbers.validity,
            numbers: &self.numbers.values,
            kind: match self.integers.as_ref().filter(|_| settings.exact).and_then(S::column) {
                Some(integers) => Codes::Integers(integers),
                None if settings.options.score_type == ScoreType::Exact => Codes::Float,
                None => Codes::Rounded,
            },
        }
    }
}

/// A column of scores, each read as a code: an integer that is the less the better the score.
#[derive(Clone, Copy)]
struct ScoreCodes<'a, S: Score> {
    name: &'static str,
    validity: Validity<'a>,
    numbers: &'a [f64],
    kind: Codes<'a, S>,
}

/// The numbers of which codes are made.
#[derive(Clone, Copy)]
enum Codes<'a, S: Score> {
    Integers(&'a [S::Integer]),
    Float,
    /// Floating point, rounded to 32 bits.
    Rounded,
}

impl<S: Score> ScoreCodes<'_, S> {
    /// The code of a row's score, unless that is NULL.
    #[inline(always)]
    fn get(&self, row: usize) -> Result<Option<S>, Error> {
        if !self.validity.get(row) {
            return Ok(None);
        }
        if !matches!(self.kind, Codes::Integers(_)) {
            check_score(self.name, self.numbers[row])?;
        }
        Ok(Some(self.known(row)))
    }

    /// The code of a row's score, which [`Self::get`] found not to be NULL.
    #[inline(always)]
    fn known(&self, row: usize) -> S {
        match self.kind {
            Codes::Integers(integers) => S::of_integer(integers[row]),
            Codes::Float => S::of_float(self.numbers[row]),
            Codes::Rounded => S::of_float(rounded(self.numbers[row], ScoreType::Float32)),
        }
    }
}

/// A column of numbers.
fn numbers<'a, C: Column>(name: &str, column: &'a C) -> Result<Numbers<'a>, Error> {
    if !column.kind().is_number() {
        bail!("{name} must be a number, got {}", column.kind());
    }
    column.numbers()
}

/// A column of relevances.
fn rels<'a, C: Column>(name: &str, column: &'a C) -> Result<Numbers<'a>, Error> {
    if !column.kind().is_relevance() {
        bail!("{name} must be a number or a boolean, got {}", column.kind());
    }
    column.numbers()
}

/// Items as byte strings in their order, for scores of 128 bits: few have such, and code is large.
fn written<B: Items>(items: ItemColumn<B>, rows: usize) -> Encoded {
    let mut written = Encoded::default();
    match items {
        ItemColumn::Encoded(items) => return items,
        ItemColumn::Fixed(items) => (0..rows).for_each(|row| {
            // In the order of bytes, numbers below 0 come first.
            let number = items.tag(row).map(|tag| (tag.cast_unsigned() ^ 1 << 63).to_be_bytes());
            written.push(|bytes| number.map(|number| bytes.extend_from_slice(&number)));
        }),
        ItemColumn::Bytes(items) => (0..rows).for_each(|row| {
            let item = items.is_valid(row).then(|| items.bytes(row));
            written.push(|bytes| item.map(|item| bytes.extend_from_slice(item)));
        }),
        ItemColumn::Nulls => (0..rows).for_each(|_| written.push(|_| None)),
    }
    written
}

/// How many items more than needed a group keeps before it drops the others.
const SPARE: usize = 32;

/// How many items a group keeps at most that needs the best `k`.
fn room(k: usize) -> usize {
    k.saturating_mul(2).max(SPARE)
}
