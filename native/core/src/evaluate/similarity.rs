//! Functions over two rankings of one user, which need no truth.

use std::ops::Range;

use crate::catalogue::Function;
use crate::column::matching::{Matching, matching};
use crate::column::nested::items;
use crate::column::{Column, Encoded, ordered_bytes};
use crate::error::{Error, bail};
use crate::evaluate::argument::Argument;
use crate::evaluate::call::Call;
use crate::evaluate::layout::mismatch;
use crate::memory::Grow;
use crate::ranking::two_rankings::TwoRankings;
use crate::results::{Nullable, Values};
use crate::settings::Settings;
use crate::types::Type;

// Items of every type are encoded, and rows are compared out of line, so that little is compiled once for each engine.
impl<C: Column> Call<'_, C> {
    /// Evaluates the similarities of the two lists of each row.
    #[inline(never)]
    pub(super) fn compare(
        &self,
        lists: [&C; 2],
        rows: usize,
        put: &mut dyn FnMut(usize, Option<Values>),
    ) -> Result<(), Error> {
        let [one, other] = lists;
        let matching = matching_of_lists(self.function.inputs(), [one.kind(), other.kind()])?;
        let items = [encoded(&one.elements()?, matching)?, encoded(&other.elements()?, matching)?];
        let (one, other) = (Argument::new(one), Argument::new(other));
        let mut comparison = Comparison {
            function: self.function,
            items,
            settings: self.function.settings(),
            rankings: TwoRankings::default(),
            values: Vec::new(),
        };
        for index in 0..rows {
            self.resolve(index, &mut comparison.settings)?;
            put(index, comparison.values(one.span(index), other.span(index))?);
        }
        Ok(())
    }
}

/// The items of a column, whose bytes have the order of the items if they are compared in a form of their type's own.
#[inline(never)]
pub(super) fn encoded<C: Column>(column: &C, matching: Matching) -> Result<Encoded, Error> {
    items(column, matching)?.encoded(column.len(), ordered_bytes)
}

/// How the items of lists of these types are compared; an error if they are no lists, or cannot be compared.
fn matching_of_lists(names: &[&'static str], kinds: [&Type; 2]) -> Result<Matching, Error> {
    for (name, kind) in names.iter().zip(kinds) {
        if kind.element().is_none() {
            bail!(*name => "{name} must be a list, got {kind}");
        }
    }
    let [Some(one), Some(other)] = kinds.map(Type::element) else { bail!(internal: "these are no lists") };
    matching(one, other).ok_or_else(|| mismatch([names[0], names[1]], [one, other]))
}

/// The similarities of one row after the other.
struct Comparison<'a> {
    function: &'a Function,
    /// The items of the lists of all rows.
    items: [Encoded; 2],
    settings: Settings,
    rankings: TwoRankings,
    values: Vec<Nullable>,
}

impl Comparison<'_> {
    /// The values of a row, whose lists have these items; `None` for NULL.
    #[inline(never)]
    fn values(
        &mut self,
        one: Option<Range<usize>>,
        other: Option<Range<usize>>,
    ) -> Result<Option<Values<'_>>, Error> {
        let Self { function, items: [of_one, of_other], settings, rankings, values } = self;
        let (Some(one), Some(other)) = (one, other) else { return Ok(None) };
        rankings.read([of_one, of_other], &[one, other], settings.ks[0])?;
        values.clear();
        for similarity in &function.similarities {
            values.try_push(similarity.value(rankings, &settings.options)?.into())?;
        }
        Ok(Some(Values { ks: &settings.ks, values }))
    }
}
