//! The argument columns of aggregates.

use crate::column::matching::{Matching, own_matching};
use crate::column::{Column, Encoded, Integers, ItemColumn, Items, Numbers, Validity, ordered_bytes};
use crate::error::{Error, bail};
use crate::memory::Grow;
use crate::options::choices::ScoreType;
use crate::ranking::scored::{ScoreCode, check_score, rounded};
use crate::settings::Settings;
use crate::types::{Integer, Type};

/// The item, score and rel columns of a call.
pub struct ItemScoreRelColumns<'a> {
    /// The form in which items are compared, and in which they are read elsewhere.
    pub matching: Matching,
    /// The scores; NULL for an item that was not retrieved.
    pub score: ScoreColumn<'a>,
    /// The relevances; NULL for an item that is not judged.
    pub rel: Numbers<'a>,
    /// The type of the items if it has no order by which ties could be broken; else `None`.
    pub unordered: Option<Type>,
}

impl<'a> ItemScoreRelColumns<'a> {
    /// Reads scores and relevances, and of items the type alone; an error if a type does not fit.
    pub fn new<C: Column>(item: &'a C, score: &'a C, rel: &'a C) -> Result<Self, Error> {
        let kind = item.kind();
        let is_ordered =
            matches!(kind, Type::Null | Type::Integer(Integer::Narrow) | Type::Float | Type::Text);
        Ok(Self {
            matching: own_matching(kind),
            score: ScoreColumn::new("score", score)?,
            rel: rel_column("rel", rel)?,
            unordered: (!is_ordered).then(|| kind.clone()),
        })
    }

    /// An error if ties are to be broken by item and the type of the items has no order.
    #[inline]
    pub fn check_ties_by_item(&self, settings: &Settings) -> Result<(), Error> {
        match &self.unordered {
            Some(kind) if settings.options.ties.are_by_item() => {
                bail!("item" => "ties by item need items that are integers that fit 64 bits with a sign, floating \
                     point or text, got {kind}")
            }
            _ => Ok(()),
        }
    }
}

pub struct ScoreColumn<'a> {
    /// The name of the argument, for errors.
    pub(super) name: &'static str,
    pub(super) numbers: Numbers<'a>,
    /// The scores as integers, if floating point may not tell all values of their type apart.
    pub(super) integers: Option<Integers<'a>>,
}

impl<'a> ScoreColumn<'a> {
    /// Reads the column; an error, which names the argument, unless its type is a number.
    pub fn new<C: Column>(name: &'static str, column: &'a C) -> Result<Self, Error> {
        Ok(Self { name, numbers: number_column(name, column)?, integers: column.integers()? })
    }

    /// Whether the scores are also there as integers.
    pub fn are_exact(&self) -> bool {
        self.integers.is_some()
    }

    /// Whether the scores are also there as integers of 128 bits.
    pub fn are_wide(&self) -> bool {
        matches!(self.integers, Some(Integers::Wide(_)))
    }

    /// The scores as codes of type `S`, made of integers or of floating point, rounded or not, as `settings` say.
    #[inline(always)]
    pub fn codes<S: ScoreCode>(&self, settings: &Settings) -> ScoreCodes<'_, S> {
        ScoreCodes {
            name: self.name,
            validity: self.numbers.validity,
            numbers: &self.numbers.values,
            source: match self.integers.as_ref().filter(|_| settings.exact).and_then(S::integers_in) {
                Some(integers) => CodeSource::Integers(integers),
                None if settings.options.score_type == ScoreType::Exact => CodeSource::Float,
                None => CodeSource::Rounded,
            },
        }
    }
}

/// A column of scores, each read as a code: an integer, less for a better score.
#[derive(Clone, Copy)]
pub struct ScoreCodes<'a, S: ScoreCode> {
    /// The name of the argument, for errors.
    name: &'static str,
    validity: Validity<'a>,
    numbers: &'a [f64],
    source: CodeSource<'a, S>,
}

/// The numbers from which score codes are made.
#[derive(Clone, Copy)]
enum CodeSource<'a, S: ScoreCode> {
    Integers(&'a [S::Integer]),
    Float,
    /// Floating point, rounded to 32 bits.
    Rounded,
}

impl<S: ScoreCode> ScoreCodes<'_, S> {
    /// Returns `false` if the column says that every score is NULL.
    pub fn may_have_scores(&self) -> bool {
        !matches!(self.validity, Validity::None)
    }

    /// Writes the codes of the scores in `rows`, which ascend, over those in `codes`: the worst one for NULL. An error
    /// for NaN.
    pub fn write(&self, rows: &[usize], codes: &mut Vec<S>) -> Result<(), Error> {
        codes.clear();
        codes.make_room(rows.len())?;
        if let (CodeSource::Float, Validity::All, [first, .., last]) = (self.source, self.validity, rows)
            && last - first < rows.len()
        {
            // All rows from the first to the last: a loop without a branch, which tells at the end whether there is NaN.
            let scores = &self.numbers[*first..=*last];
            codes.extend(scores.iter().map(|score| S::of_float(*score)));
            if !scores.iter().fold(false, |has_nan, score| has_nan | score.is_nan()) {
                return Ok(());
            }
            codes.clear(); // the loop below returns the error
        }
        for row in rows {
            codes.push(self.get(*row)?.unwrap_or(S::WORST));
        }
        Ok(())
    }

    /// The code of the score in `row`; `None` for NULL, an error for NaN.
    #[inline(always)]
    pub fn get(&self, row: usize) -> Result<Option<S>, Error> {
        if !self.validity.is_valid(row) {
            return Ok(None);
        }
        if !matches!(self.source, CodeSource::Integers(_)) {
            check_score(self.name, self.numbers[row])?;
        }
        Ok(Some(self.known(row)))
    }

    /// The code of the score in `row`, for which [`Self::get`] returned one before.
    #[inline(always)]
    pub fn known(&self, row: usize) -> S {
        match self.source {
            CodeSource::Integers(integers) => S::of_integer(integers[row]),
            CodeSource::Float => S::of_float(self.numbers[row]),
            CodeSource::Rounded => S::of_float(rounded(self.numbers[row], ScoreType::Float32)),
        }
    }
}

/// The values of a column of numbers; an error for any other type.
pub fn number_column<'a, C: Column>(name: &str, column: &'a C) -> Result<Numbers<'a>, Error> {
    if !column.kind().is_number() {
        bail!(name => "{name} must be a number, got {}", column.kind());
    }
    column.numbers()
}

/// The values of a column of numbers or booleans; an error for any other type.
pub fn rel_column<'a, C: Column>(name: &str, column: &'a C) -> Result<Numbers<'a>, Error> {
    if !column.kind().is_relevance() {
        bail!(name => "{name} must be a number or a boolean, got {}", column.kind());
    }
    column.numbers()
}

/// Items as byte strings in the order of the items: code for the rare scores of 128 bits is compiled for these alone.
pub fn encoded_in_order<B: Items>(items: ItemColumn<B>, rows: usize) -> Result<Encoded, Error> {
    items.encoded(rows, ordered_bytes)
}
