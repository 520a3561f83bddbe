//! Readers of rankings, one for each layout of the arguments.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::column::{Column, Integers, Items, Numbers, float_bits};
use crate::error::{Error, bail};
use crate::evaluate::argument::Argument;
use crate::memory::{Grow, make_room_for};
use crate::options::choices::ScoreType;
use crate::ranking::item_order::ItemOrder;
use crate::ranking::list::RankedList;
use crate::ranking::lookup::{LookupColumns, LookupSpans, RelevanceLookup};
use crate::ranking::scored::{ScoreCode, ScoredItems, check_score, rounded, write_exact};
use crate::settings::Settings;

/// Reads the ranking of each row from argument columns.
pub trait RankingReader {
    /// Writes the ranking of row `index` to `list`, down to the deepest cutoff. Returns `false`, for a NULL result, if
    /// the truth is NULL or, beside scores, judges nothing. A NULL `rec` counts as an empty one.
    fn read(&mut self, index: usize, settings: &Settings, list: &mut RankedList) -> Result<bool, Error>;

    /// Writes the items of row `index`, which was read last, and whole, to `order`, as indexes in the row's two lists. Only
    /// readers of lists `rec` and `truth` do.
    fn write_items(&mut self, _: usize, _: &Settings, _: &mut ItemOrder) -> Result<(), Error> {
        bail!(internal: "these lists have no items")
    }
}

/// Reads lists of items, which are looked up among lists of judged items.
pub struct LookupReader<'a, C, R, T> {
    pub rec: Argument<'a, C>,
    pub truth: Argument<'a, C>,
    /// The elements of these lists.
    pub columns: LookupColumns<'a, R, T>,
    pub lookup: RelevanceLookup,
}

impl<C: Column, R: Items, T: Items> RankingReader for LookupReader<'_, C, R, T> {
    #[inline(always)]
    fn read(&mut self, index: usize, settings: &Settings, list: &mut RankedList) -> Result<bool, Error> {
        let Some(truth) = self.truth.span(index) else {
            return Ok(false);
        };
        let mut rec = self.rec.span(index).unwrap_or_default();
        list.retrieved = rec.len();
        rec.end = settings.deepest.map_or(rec.end, |deepest| rec.end.min(rec.start.saturating_add(deepest)));
        let check = |rel| settings.check_rel("truth", rel);
        let duplicates = settings.options.duplicates;
        let spans = LookupSpans { rec, truth };
        self.lookup.read(list, &spans, &self.columns, duplicates, check)?;
        if settings.needs.levels {
            // Metrics that read the order of relevances count an item once.
            self.lookup.leave_out_repeats(list, spans.rec, &self.columns.rec)?;
        }
        Ok(true)
    }

    fn write_items(&mut self, index: usize, settings: &Settings, order: &mut ItemOrder) -> Result<(), Error> {
        let rec = self.rec.span(index).unwrap_or_default();
        let truth = self.truth.span(index).unwrap_or_default();
        let spans = LookupSpans { rec, truth };
        self.lookup.write_items(order, &spans, &self.columns, settings.needs.levels)
    }
}

/// Reads lists of relevances in ranked order beside lists of all relevances, without items.
pub struct RelsAndTruthReader<'a, C> {
    /// The lists of relevances in ranked order.
    pub rec: Argument<'a, C>,
    pub truth: Argument<'a, C>,
    pub rec_rels: Numbers<'a>,
    pub truth_rels: Numbers<'a>,
    /// How often each relevance of the truth, as [`float_bits`], is still to be found in `rec`.
    pub left: HashMap<i64, usize, FixedState>,
}

impl<C: Column> RankingReader for RelsAndTruthReader<'_, C> {
    fn read(&mut self, index: usize, settings: &Settings, list: &mut RankedList) -> Result<bool, Error> {
        let Some(truth) = self.truth.span(index) else {
            return Ok(false);
        };
        let rec = self.rec.span(index).unwrap_or_default();
        list.retrieved = rec.len();
        // No relevance is found in `rec` more often than it is in the truth.
        list.make_room(rec.len().min(truth.len()))?;
        let judged_rels = list.truth.clear();
        judged_rels.make_room(truth.len())?;
        self.left.clear();
        for rel in truth.filter_map(|element| self.truth_rels.get(element)) {
            judged_rels.push(settings.check_rel("truth", rel)?);
            if let Some(left) = self.left.get_mut(&float_bits(rel)) {
                *left += 1;
                continue;
            }
            make_room_for::<(i64, usize), _>(1, || self.left.try_reserve(1))?;
            self.left.insert(float_bits(rel), 1);
        }
        for (rank, element) in rec.enumerate() {
            let Some(rel) = self.rec_rels.get(element) else { continue };
            settings.check_rel("rec", rel)?;
            // Without this check, a ranking could gain more than the ideal one.
            match self.left.get_mut(&float_bits(rel)) {
                Some(left) if *left > 0 => *left -= 1,
                _ if rel == 0.0 => continue,
                _ => bail!("rec" => "rec holds relevance {rel} more often than truth"),
            }
            if !settings.is_below(rank) {
                list.push(rank, rel);
            }
        }
        Ok(true)
    }

    fn write_items(&mut self, index: usize, _: &Settings, order: &mut ItemOrder) -> Result<(), Error> {
        order.write_in_order(self.rec.span(index).unwrap_or_default().len())?;
        // Without items, any that have a relevance stand for those that were found.
        for (place, element) in self.truth.span(index).unwrap_or_default().enumerate() {
            let Some(rel) = self.truth_rels.get(element) else { continue };
            if let Some(left) = self.left.get_mut(&float_bits(rel)).filter(|left| **left > 0) {
                *left -= 1;
                order.unretrieved.try_push((place, rel))?;
            }
        }
        Ok(())
    }
}

/// Reads lists of relevances in ranked order, which are the truth at the same time.
pub struct RankedRelsReader<'a, C> {
    pub lists: Argument<'a, C>,
    pub rels: Numbers<'a>,
}

impl<C: Column> RankingReader for RankedRelsReader<'_, C> {
    fn read(&mut self, index: usize, settings: &Settings, list: &mut RankedList) -> Result<bool, Error> {
        let Some(span) = self.lists.span(index) else {
            return Ok(false);
        };
        list.retrieved = span.len();
        list.make_room(settings.deepest.map_or(span.len(), |deepest| deepest.min(span.len())))?;
        list.truth.clear().make_room(span.len())?;
        for (rank, element) in span.enumerate() {
            let Some(rel) = self.rels.get(element) else { continue };
            let rel = settings.check_rel("rels", rel)?;
            list.truth.push(rel);
            if !settings.is_below(rank) {
                list.push(rank, rel);
            }
        }
        Ok(true)
    }
}

/// The elements of lists of scores.
pub struct ScoreElements<'a> {
    numbers: Numbers<'a>,
    /// Numbers in the same order, if floating point may not tell apart all values of the scores' type.
    exact: Option<Vec<f64>>,
}

impl<'a> ScoreElements<'a> {
    pub fn new<C: Column>(column: &'a C) -> Result<Self, Error> {
        let mut exact = None;
        match column.integers()? {
            None => {} // floating point tells all values apart
            Some(Integers::Narrow(values)) => {
                let scores = values.iter().map(|value| <u64 as ScoreCode>::of_integer(*value));
                write_exact(scores, exact.insert(Vec::new()))?;
            }
            Some(Integers::Wide(values)) => {
                let scores = values.iter().map(|value| <u128 as ScoreCode>::of_integer(*value));
                write_exact(scores, exact.insert(Vec::new()))?;
            }
        }
        Ok(Self { numbers: column.numbers()?, exact })
    }

    /// The score of an element in the precision of `score_type`; `None` for NULL.
    #[inline(always)]
    pub fn get(&self, element: usize, score_type: ScoreType) -> Option<f64> {
        match (&self.exact, score_type) {
            (Some(values), ScoreType::Exact) => {
                self.numbers.validity.is_valid(element).then(|| values[element])
            }
            _ => self.numbers.get(element).map(|score| rounded(score, score_type)),
        }
    }
}

/// Reads lists of scores beside lists of the relevances of the same items.
pub struct ScoredReader<'a, C> {
    /// The names of the two arguments, for errors.
    pub names: [&'static str; 2],
    pub scores: Argument<'a, C>,
    pub rels: Argument<'a, C>,
    pub score: ScoreElements<'a>,
    pub rel: Numbers<'a>,
    /// Whether an item without a relevance is left out, and takes no rank.
    pub judged_only: bool,
    /// Buffer for the retrieved items of the current row.
    pub scored: ScoredItems,
}

impl<C: Column> RankingReader for ScoredReader<'_, C> {
    fn read(&mut self, index: usize, settings: &Settings, list: &mut RankedList) -> Result<bool, Error> {
        let Some(rels) = self.rels.span(index) else {
            return Ok(false);
        };
        let scores = self.scores.span(index).unwrap_or_default();
        let [scores_name, rels_name] = self.names;
        if scores.len() != rels.len() && !scores.is_empty() {
            let (scores, rels) = (scores.len(), rels.len());
            bail!("{scores_name} and {rels_name} must be of equal length, got {scores} and {rels}");
        }
        self.scored.clear();
        self.scored.make_room(rels.len())?;
        list.make_room_for(rels.len(), settings)?;
        list.truth.clear().make_room(rels.len())?;
        let scored_only = settings.complete_items_only;
        let judged_only = settings.complete_items_only || self.judged_only;
        for (place, element) in rels.enumerate() {
            let rel = self.rel.get(element).map(|rel| settings.check_rel(rels_name, rel)).transpose()?;
            // A NULL or empty list of scores means that nothing was retrieved.
            let score = scores
                .clone()
                .nth(place)
                .and_then(|element| self.score.get(element, settings.options.score_type));
            let score = score.map(|score| check_score(scores_name, score)).transpose()?;
            if scored_only && score.is_none() || judged_only && rel.is_none() {
                continue;
            }
            if let Some(rel) = rel {
                list.truth.push(rel);
            }
            if let Some(score) = score {
                self.scored.push(score, rel);
            }
        }
        self.scored.rank(list, settings.order());
        Ok(list.truth.is_judged())
    }
}
