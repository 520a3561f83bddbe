//! Settings (k and options) of each row, and the check that they are the same in all rows of a group.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::catalogue::Function;
use crate::column::Column;
use crate::error::Error;
use crate::evaluate::call::Call;
use crate::options::choices::ScoreType;
use crate::settings::Settings;
use crate::types::Type;

/// The settings of a group, the same in all of its rows; `None` before its first row.
#[derive(Clone, Default)]
pub struct GroupSettings(pub Option<Arc<Settings>>);

impl GroupSettings {
    /// Takes over the settings of the first row or state; an error if later ones differ. They are interned, so that
    /// comparing two pointers nearly always suffices.
    #[inline(always)]
    pub fn agree(&mut self, settings: &Arc<Settings>) -> Result<(), Error> {
        match &self.0 {
            Some(known) if Arc::ptr_eq(known, settings) => Ok(()),
            _ => self.begin(settings),
        }
    }

    /// The settings; `None` without rows, and if the list of k is NULL, so that there is no result.
    pub fn with_ks(&self) -> Option<&Arc<Settings>> {
        self.0.as_ref().filter(|settings| !settings.no_ks)
    }

    /// [`Self::agree`] for the first row, and for settings behind another pointer. Out of line, because rarely called.
    #[inline(never)]
    fn begin(&mut self, settings: &Arc<Settings>) -> Result<(), Error> {
        match &self.0 {
            Some(known) if are_same(known, settings) => Ok(()),
            Some(known) => Err(difference(known, settings)),
            None => {
                self.0 = Some(Arc::clone(settings));
                Ok(())
            }
        }
    }
}

/// Whether two settings of one function give the same results. The fields that are not compared follow from the others
/// and from the function, or serve error texts.
fn are_same(one: &Settings, other: &Settings) -> bool {
    (&one.options, &one.ks, one.no_ks, one.exact, &one.exact_type, &one.measures.written)
        == (&other.options, &other.ks, other.no_ks, other.exact, &other.exact_type, &other.measures.written)
        && (one.measures.written.is_none() || one.written == other.written)
}

/// The error for two rows of one group whose settings differ.
#[cold]
fn difference(known: &Settings, settings: &Settings) -> Error {
    if known.options != settings.options
        || known.measures.written.is_some() && known.written != settings.written
    {
        let [one, other] = [known, settings].map(|settings| settings.written.as_deref().unwrap_or_default());
        let text = format!("options must be the same in all rows of a group, got '{one}' and '{other}'");
        return Error::new(text).about("options");
    }
    if known.measures.written != settings.measures.written {
        let [one, other] =
            [known, settings].map(|settings| settings.measures.written.as_deref().unwrap_or("NULL"));
        let text = format!("measures must be the same in all rows of a group, got '{one}' and '{other}'");
        return Error::new(text).about("measures");
    }
    // `exact` and the type do not differ alone, because the scores of a group have one type.
    let [one, other] = [known, settings].map(|settings| {
        let ks: Vec<String> =
            settings.ks.iter().map(|k| k.map_or("NULL".into(), |k| k.to_string())).collect();
        match ks.is_empty() {
            _ if settings.no_ks => "NULL".into(),
            true => "[]".into(),
            false => ks.join(", "),
        }
    });
    Error::new(format!("k must be the same in all rows of a group, got {one} and {other}")).about("k")
}

/// The settings of each row of a call. Equal settings share one `Arc` with each other and with those of recent calls.
pub struct SettingsCache<'a, C> {
    function: &'static Function,
    /// The type of the score column if it offers its values as integers, besides floating point; else `None`.
    integers: Option<Type>,
    rows: usize,
    /// The arguments after the inputs: k and options.
    call: Call<'a, C>,
    /// The settings of the row that was resolved last. Row 0 is resolved when the cache is created.
    last: Arc<Settings>,
    /// The index of the row asked for last; `None` before the first and if all rows share their settings.
    row: Option<usize>,
    /// The settings for each k met so far; empty unless k is the only argument that varies.
    by_k: HashMap<Option<i64>, Arc<Settings>, FixedState>,
    /// Whether all rows have the same settings.
    pub is_constant: bool,
}

impl<'a, C: Column> SettingsCache<'a, C> {
    /// Resolves row 0. `integers` says whether the score column offers its values as integers.
    pub fn new(function: &'static Function, columns: &'a [C], integers: bool) -> Result<Self, Error> {
        let call = Call::new(function, columns)?;
        let mut settings = function.settings();
        let is_constant = call.has_constant_settings();
        let rows = columns[0].len();
        if rows > 0 {
            call.resolve(0, &mut settings)?;
        }
        let score = function.inputs().iter().position(|name| *name == "score").unwrap_or_default();
        let integers = integers.then(|| columns[score].kind().clone());
        set_exact(&mut settings, integers.as_ref());
        let last = intern(function, settings);
        Ok(Self { function, integers, rows, call, last, row: None, by_k: HashMap::default(), is_constant })
    }

    /// The settings of row `index`, counted from 0.
    #[inline]
    pub fn at(&mut self, index: usize) -> Result<&Arc<Settings>, Error> {
        if !self.is_constant {
            self.move_to(index)?;
        }
        Ok(&self.last)
    }

    /// Calls `read` on ranges that cover all rows, each with the settings that its rows share: one range if settings are
    /// constant, else one row at a time.
    #[inline]
    pub fn runs(
        &mut self,
        mut read: impl FnMut(&Arc<Settings>, Range<usize>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let rows = self.rows;
        let length = if self.is_constant { rows.max(1) } else { 1 }; // a step is at least 1
        (0..rows).step_by(length).try_for_each(|first| read(self.at(first)?, first..first + length))
    }

    /// Brings `last` to the settings of row `index`. Options are not parsed again if the row directly follows the last
    /// one and has the same k and options, or if only k varies and this k was met before.
    fn move_to(&mut self, index: usize) -> Result<(), Error> {
        let follows = self.row.is_some_and(|row| row + 1 == index);
        self.row = Some(index);
        if follows && !self.call.changes(index)? {
            return Ok(());
        }
        let only_k_varies = self.call.varies_by_k();
        let k = self.call.k(index)?;
        if let Some(known) = self.by_k.get(&k).filter(|_| only_k_varies) {
            self.last = Arc::clone(known);
            return Ok(());
        }
        let mut settings = Settings::clone(&self.last);
        self.call.resolve(index, &mut settings)?;
        set_exact(&mut settings, self.integers.as_ref());
        self.last = intern(self.function, settings);
        if only_k_varies {
            self.by_k.insert(k, Arc::clone(&self.last));
        }
        Ok(())
    }
}

/// Sets whether scores are compared as integers: if their column has `integers` of this type, and options do not round them.
fn set_exact(settings: &mut Settings, integers: Option<&Type>) {
    let exact_type = integers.filter(|_| settings.options.score_type == ScoreType::Exact);
    settings.exact = exact_type.is_some();
    settings.exact_type = exact_type.cloned().unwrap_or(Type::Null);
    for part in &mut settings.measures.parts {
        set_exact(Arc::make_mut(&mut part.settings), integers);
    }
}

/// The shared `Arc` of these settings: one of the 32 stored last if it is equal, else a new one, which is stored.
/// Chunks and threads then hold the same `Arc`, and comparing settings is comparing two pointers.
fn intern(function: &'static Function, settings: Settings) -> Arc<Settings> {
    const KEPT: usize = 32;
    static RECENT: Mutex<VecDeque<(&'static str, Arc<Settings>)>> = Mutex::new(VecDeque::new());
    let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    let name = function.name();
    // Errors quote options as written, so settings that are equal but were written differently stay apart.
    let is_equal = |(other, known): &&(&str, Arc<Settings>)| {
        *other == name && known.written == settings.written && are_same(known, &settings)
    };
    if let Some((_, known)) = recent.iter().find(is_equal) {
        return Arc::clone(known);
    }
    recent.truncate(KEPT - 1);
    let settings = Arc::new(settings);
    recent.push_front((name, Arc::clone(&settings)));
    settings
}
