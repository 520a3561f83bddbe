//! The settings of groups: those of each row, which must be the same in all rows of a group.

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

/// The settings of a group, the same in all of its rows.
#[derive(Clone, Default)]
pub struct GroupSettings(pub Option<Arc<Settings>>);

impl GroupSettings {
    #[inline]
    pub fn agree(&mut self, settings: &Arc<Settings>) -> Result<(), Error> {
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
pub struct SettingsCache<'a, C> {
    /// The function that is called.
    function: &'static Function,
    /// Whether scores come as integers, too.
    integers: bool,
    /// Its arguments after the inputs.
    call: Call<'a, C>,
    /// Those of the row that was asked for last.
    last: Arc<Settings>,
    /// The row that was asked for last, if any was.
    row: Option<usize>,
    /// Those of each k, where k is all that varies.
    by_k: HashMap<Option<i64>, Arc<Settings>, FixedState>,
    /// Whether all rows have the same settings.
    pub is_constant: bool,
}

impl<'a, C: Column> SettingsCache<'a, C> {
    /// Scores may come as `integers`.
    pub fn new(function: &'static Function, columns: &'a [C], integers: bool) -> Result<Self, Error> {
        let call = Call::new(function, columns)?;
        let mut settings = function.settings();
        let is_constant = call.is_constant();
        if columns[0].len() > 0 {
            call.resolve(0, &mut settings)?;
        }
        settings.exact = integers && settings.options.score_type == ScoreType::Exact;
        Ok(Self {
            function,
            integers,
            last: intern(function, settings),
            row: None,
            by_k: HashMap::default(),
            call,
            is_constant,
        })
    }

    /// Those of row `index`.
    #[inline]
    pub fn at(&mut self, index: usize) -> Result<&Arc<Settings>, Error> {
        if !self.is_constant {
            self.find(index)?;
        }
        Ok(&self.last)
    }

    /// Hands out rows 0 to `rows` in runs that share their settings.
    #[inline]
    pub fn runs(
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
        self.call.resolve(index, &mut settings)?;
        settings.exact = self.integers && settings.options.score_type == ScoreType::Exact;
        self.last = intern(self.function, settings);
        if by_k {
            self.by_k.insert(k, Arc::clone(&self.last));
        }
        Ok(())
    }
}

/// The same settings, where they were met lately, so that comparing them is comparing two pointers.
fn intern(function: &'static Function, settings: Settings) -> Arc<Settings> {
    const KEPT: usize = 32;
    static RECENT: Mutex<VecDeque<(&'static str, Arc<Settings>)>> = Mutex::new(VecDeque::new());
    let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    let name = function.name();
    // Errors show options as they were written, so that these are not shared with equal ones.
    let known = |(of, known): &&(&str, Arc<Settings>)| {
        *of == name && known.written == settings.written && are_same(known, &settings)
    };
    if let Some((_, known)) = recent.iter().find(known) {
        return Arc::clone(known);
    }
    recent.truncate(KEPT - 1);
    let settings = Arc::new(settings);
    recent.push_front((name, Arc::clone(&settings)));
    settings
}
