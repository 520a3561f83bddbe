//! Functions over two rankings of one user, which need no truth.

use std::ops::Range;

use crate::catalogue::Function;
use crate::column::matching::{Matching, matching};
use crate::column::nested::items;
use crate::column::{Column, Encoded, Items, ordered_bytes};
use crate::error::{Error, bail};
use crate::evaluate::argument::Argument;
use crate::evaluate::call::Call;
use crate::evaluate::layout::{ScoredFields, mismatch, scored_items};
use crate::evaluate::readers::ScoreElements;
use crate::memory::Grow;
use crate::options::choices::ScoreType;
use crate::ranking::scored::check_score;
use crate::ranking::two_rankings::{Ranked, TwoRankings};
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
        let names = [self.function.inputs()[0], self.function.inputs()[1]];
        let (matching, fields) = layout_of_lists(names, [one.kind(), other.kind()])?;
        let elements = [one.elements()?, other.elements()?];
        // The column of items and that of scores, of the lists that have these.
        let parts = |list: usize| {
            let field = |place: usize| elements[list].field(place);
            fields[list].map(|[item, score]| Ok::<_, Error>((field(item)?, field(score)?))).transpose()
        };
        let parts = [parts(0)?, parts(1)?];
        let encoded =
            |list: usize| encoded(parts[list].as_ref().map_or(&elements[list], |(items, _)| items), matching);
        let scores =
            |list: usize| parts[list].as_ref().map(|(_, scores)| ScoreElements::new(scores)).transpose();
        let (one, other) = (Argument::new(one), Argument::new(other));
        let mut comparison = Comparison {
            function: self.function,
            names,
            items: [encoded(0)?, encoded(1)?],
            scores: [scores(0)?, scores(1)?],
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

/// How the items of lists of these types are compared, and the fields of the item and its score in those whose items have
/// scores; an error if they are no lists, or cannot be compared.
fn layout_of_lists(
    names: [&'static str; 2],
    kinds: [&Type; 2],
) -> Result<(Matching, [ScoredFields; 2]), Error> {
    for (name, kind) in names.iter().zip(kinds) {
        if kind.element().is_none() {
            bail!(*name => "{name} must be a list, got {kind}");
        }
    }
    let [Some(one), Some(other)] = kinds.map(Type::element) else { bail!(internal: "these are no lists") };
    let (one, of_one) = scored_items(names[0], one)?;
    let (other, of_other) = scored_items(names[1], other)?;
    let matching = matching(one, other).ok_or_else(|| mismatch(names, [one, other]))?;
    Ok((matching, [of_one, of_other]))
}

/// The similarities of one row after the other.
struct Comparison<'a> {
    function: &'a Function,
    /// The names of the arguments.
    names: [&'static str; 2],
    /// The items of the lists of all rows.
    items: [Encoded; 2],
    /// Their scores; `None` if they are in ranked order.
    scores: [Option<ScoreElements<'a>>; 2],
    settings: Settings,
    rankings: TwoRankings,
    values: Vec<Nullable>,
}

impl Comparison<'_> {
    /// The elements of a list in ranked order: by score, and items with equal scores by item, NULL last. One without a score
    /// is left out.
    fn ranked(&self, list: usize, span: Range<usize>) -> Result<Ranked, Error> {
        let (Some(scores), items) = (&self.scores[list], &self.items[list]) else {
            return Ok(Ranked::InOrder(span));
        };
        let mut elements = Vec::new();
        elements.make_room(span.len())?;
        for element in span {
            if let Some(score) = scores.get(element, ScoreType::Exact) {
                elements.push((element, check_score(self.names[list], score)?));
            }
        }
        let item = |element: usize| (items.tag(element).is_none(), items.bytes(element));
        elements.sort_unstable_by(|(one, of_one), (other, of_other)| {
            of_other.total_cmp(of_one).then_with(|| item(*one).cmp(&item(*other)))
        });
        Ok(Ranked::ByScore(elements))
    }

    /// The values of a row, whose lists have these items; `None` for NULL.
    #[inline(never)]
    fn values(
        &mut self,
        one: Option<Range<usize>>,
        other: Option<Range<usize>>,
    ) -> Result<Option<Values<'_>>, Error> {
        let (Some(one), Some(other)) = (one, other) else { return Ok(None) };
        let lists = [self.ranked(0, one)?, self.ranked(1, other)?];
        let Self { function, items: [of_one, of_other], settings, rankings, values, .. } = self;
        rankings.read([of_one, of_other], &lists, settings.ks[0])?;
        values.clear();
        for similarity in &function.similarities {
            values.try_push(similarity.value(rankings, &settings.options)?.into())?;
        }
        Ok(Some(Values { ks: &settings.ks, values }))
    }
}
