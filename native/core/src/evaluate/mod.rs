//! One call of a function over lists, with a ranking in each row: the loop that every engine shares.

mod argument;
mod aspects;
pub mod call;
pub mod cutoffs;
mod item_lists;
mod item_measure;
mod item_numbers;
mod layout;
pub mod rank_items;
mod readers;
mod similarity;
mod statistics;
mod value_cache;

use hashbrown::HashMap;

use crate::catalogue::{Form, Function, Output};
use crate::column::nested::items;
use crate::column::{Column, Fixed as Items64, ItemColumn, Items, Numbers, Plain, Validity};
use crate::error::{Error, bail};
use crate::evaluate::argument::Argument;
use crate::evaluate::call::Call;
use crate::evaluate::cutoffs::evaluate_at_cutoffs;
use crate::evaluate::layout::{ArgumentLayout, argument_layout};
use crate::evaluate::rank_items::{ByRanking, ItemResults};
use crate::evaluate::readers::{
    LookupReader, RankedRelsReader, RankingReader, RelsAndTruthReader, ScoreElements, ScoredReader,
};
use crate::evaluate::value_cache::ValueCache;
use crate::explain::{ExplainedItem, Explainer};
use crate::ranking::item_order::ItemOrder;
use crate::ranking::list::{RankedList, Truth};
use crate::ranking::lookup::{LookupColumns, RelevanceLookup};
use crate::ranking::scored::ScoredItems;
use crate::results::Values;
use crate::types::Type;

/// Evaluates `function` on rows 0 to `rows` (exclusive) of its argument columns; a column of length 1 stands for every
/// row. `put` is called with each row, ascending, and its values; `None` for a NULL result, as for a NULL truth or ks.
/// Evaluation ends at the first error, whose sentence begins with `name`, the name that was called.
pub fn evaluate<C: Column>(
    function: &Function,
    name: &str,
    columns: &[C],
    rows: usize,
    put: impl FnMut(usize, Option<Values>),
) -> Result<(), Error> {
    Call::new(function, columns)
        .and_then(|call| call.evaluate(columns, rows, put))
        .map_err(|error| error.of(name))
}

/// Evaluates measures of items on rows as [`evaluate`] does.
pub fn evaluate_items<C: Column>(
    function: &Function,
    name: &str,
    columns: &[C],
    rows: usize,
    results: &mut dyn ItemResults,
) -> Result<(), Error> {
    Call::new(function, columns)
        .and_then(|call| {
            let [rec, truth, items, ..] = columns else { bail!(internal: "an argument is missing") };
            call.rank_items([rec, truth, items], rows, results)
        })
        .map_err(|error| error.of(name))
}

/// Explains a value on rows as [`evaluate`] evaluates: `function` has explanations, of lists. `put` is called with each row
/// and its items, whose places are those in the row's two lists; `None` for a NULL result, as for a NULL truth.
pub fn explain<C: Column>(
    function: &Function,
    name: &str,
    columns: &[C],
    rows: usize,
    put: impl FnMut(usize, Option<&[ExplainedItem]>) -> Result<(), Error>,
) -> Result<(), Error> {
    Call::new(function, columns)
        .and_then(|call| {
            let layout = call.layout(&columns[0], &columns[1])?;
            read_items(columns, &layout, Explain { call: &call, rows, put })
        })
        .map_err(|error| error.of(name))
}

/// A task that reads the rankings of a call's rows.
trait Task {
    /// Whether items of every type are encoded, so that its code is compiled once, and not for each form of items.
    const ENCODES_ITEMS: bool;

    fn run(self, reader: impl RankingReader) -> Result<(), Error>;
}

/// Reads and evaluates each row. If settings stay the same, values of several metrics are cached by ranking.
struct Evaluate<'a, C, P> {
    call: &'a Call<'a, C>,
    rows: usize,
    put: P,
}

impl<C: Column, P: FnMut(usize, Option<Values>)> Task for Evaluate<'_, C, P> {
    const ENCODES_ITEMS: bool = false;

    fn run(self, mut reader: impl RankingReader) -> Result<(), Error> {
        let Self { call, rows, mut put } = self;
        let mut settings = call.function.settings();
        let mut list = RankedList::default();
        let mut cache = ValueCache::default();
        let may_repeat = call.function.output != Output::Value && call.has_constant_settings();
        for index in 0..rows {
            call.resolve(index, &mut settings)?;
            list.clear();
            if settings.no_ks || !reader.read(index, &settings, &mut list)? {
                put(index, None);
                continue;
            }
            let (is_known, values) = cache.values(if may_repeat { list.value_key() } else { None });
            if !is_known {
                evaluate_at_cutoffs(&mut list, call.function, &settings, values)?;
            }
            put(index, Some(Values { ks: &settings.ks, values }));
        }
        Ok(())
    }
}

/// Reads and explains each row.
struct Explain<'a, C, P> {
    call: &'a Call<'a, C>,
    rows: usize,
    put: P,
}

impl<C: Column, P: FnMut(usize, Option<&[ExplainedItem]>) -> Result<(), Error>> Task for Explain<'_, C, P> {
    const ENCODES_ITEMS: bool = true;

    fn run(self, mut reader: impl RankingReader) -> Result<(), Error> {
        let Self { call, rows, mut put } = self;
        let mut settings = call.function.settings();
        let (mut list, mut order, mut explainer) =
            (RankedList::default(), ItemOrder::default(), Explainer::default());
        for index in 0..rows {
            call.resolve(index, &mut settings)?;
            list.clear();
            order.clear();
            if !reader.read(index, &settings, &mut list)? {
                put(index, None)?;
                continue;
            }
            if settings.needs.levels && matches!(list.truth, Truth::Ones(_)) {
                bail!("truth" => "needs graded truth: a map or structs of item and relevance");
            }
            reader.write_items(index, &settings, &mut order)?;
            order.sort_unretrieved(&|one, other| one.cmp(&other));
            let metric = call.function.explained_metric(&settings.options)?;
            put(index, Some(explainer.explain(&mut list, &mut order, metric, &settings)?))?;
        }
        Ok(())
    }
}

impl<C: Column> Call<'_, C> {
    /// Evaluates each row.
    fn evaluate(
        &self,
        columns: &[C],
        rows: usize,
        mut put: impl FnMut(usize, Option<Values>),
    ) -> Result<(), Error> {
        let first = &columns[0];
        let names = self.function.inputs();
        if let Some(statistic) = self.function.statistic {
            return self.summarise(statistic, &columns[..names.len()], rows, put);
        }
        if let ([name], Form::PValues | Form::Users) = (names, self.function.form) {
            return self.replace(name, first, rows, put);
        }
        if let ([name], Form::Blocks) = (names, self.function.form) {
            return self.test_blocks(name, first, rows, put);
        }
        if let ([one, other, ..], Form::Rankings) = (columns, self.function.form) {
            return self.compare([one, other], rows, &mut put);
        }
        if let ([name], Some(measure)) = (names, self.function.item_measure) {
            return self.measure_items(name, measure, first, rows, &mut put);
        }
        if let ([rec, truth, items, ..], Form::Items) = (columns, self.function.form) {
            let mut results = ByRanking::default();
            self.rank_items([rec, truth, items], rows, &mut results)?;
            for (row, values) in results.rows.iter().enumerate() {
                put(row, values.as_ref().map(|values| Values { ks: &[], values }));
            }
            return Ok(());
        }
        if let ([rec, truth, ..], Some(measure)) = (columns, self.function.aspect_measure) {
            return self.measure_aspects(measure, [rec, truth], rows, &mut put);
        }
        self.read_rankings(columns, Evaluate { call: self, rows, put })
    }

    /// Chooses how rankings are read from the types of the arguments, and passes their reader to `task`.
    fn read_rankings(&self, columns: &[C], task: impl Task) -> Result<(), Error> {
        let first = &columns[0];
        let names = self.function.inputs();
        let form = self.function.form.spec();
        if form.is_aggregate && !form.is_aligned {
            bail!("reads the rows of a group, not lists");
        }
        if let ([name], Form::Rels) = (names, self.function.form) {
            self.check_lists(name, first.kind(), Type::is_relevance)?;
            let elements = first.elements()?;
            let reader = RankedRelsReader { lists: Argument::new(first), rels: elements.numbers()? };
            return task.run(reader);
        }
        let (rec, truth) = (first, &columns[1]);
        if form.is_aligned {
            let names = [names[0], names[1]];
            self.check_lists(names[0], rec.kind(), Type::is_number)?;
            self.check_lists(names[1], truth.kind(), Type::is_relevance)?;
            let [score, rel] = [rec.elements()?, truth.elements()?];
            return self.aligned(names, [rec, truth], &score, &rel, task);
        }
        let layout = self.layout(rec, truth)?;
        if layout == ArgumentLayout::Scored {
            return self.aligned(
                ["scores", "rels"],
                [rec, truth],
                &rec.elements()?,
                &truth.elements()?,
                task,
            );
        }
        read_items(columns, &layout, task)
    }

    /// The layout of the lists `rec` and `truth`.
    fn layout(&self, rec: &C, truth: &C) -> Result<ArgumentLayout, Error> {
        if self.function.form == Form::Lists && rec.kind().element().is_none() && rec.kind().is_number() {
            let (kind, by_row) = (rec.kind(), self.function.by_row());
            bail!("rec" => "rec must be a list, got {kind}; for a row per item, use {by_row}");
        }
        argument_layout(rec.kind(), truth.kind(), self.function.is_aligned())
    }

    /// Evaluates lists of scores beside lists of relevances; `score` and `rel` are the elements of all lists.
    fn aligned(
        &self,
        names: [&'static str; 2],
        [scores, rels]: [&C; 2],
        score: &C,
        rel: &C,
        task: impl Task,
    ) -> Result<(), Error> {
        let reader = ScoredReader {
            names,
            scores: Argument::new(scores),
            rels: Argument::new(rels),
            score: ScoreElements::new(score)?,
            rel: rel.numbers()?,
            judged_only: self.function.form == Form::Lists, // whatever the option `unjudged` says
            scored: ScoredItems::default(),
        };
        task.run(reader)
    }
}

/// Passes the reader of lists `rec` and `truth` of any layout but [`ArgumentLayout::Scored`] to `task`.
fn read_items<C: Column>(columns: &[C], layout: &ArgumentLayout, task: impl Task) -> Result<(), Error> {
    let [rec, truth, ..] = columns else { bail!(internal: "an argument is missing") };
    let (rec_elements, truth_elements) = (rec.elements()?, truth.elements()?);
    match *layout {
        ArgumentLayout::Scored => bail!(internal: "these lists have no items"),
        ArgumentLayout::Relevances { rel } => {
            let field = rec_elements.field(rel)?;
            let reader = RelsAndTruthReader {
                rec: Argument::new(rec),
                truth: Argument::new(truth),
                rec_rels: field.numbers()?,
                truth_rels: truth_elements.numbers()?,
                left: HashMap::default(),
            };
            task.run(reader)
        }
        ArgumentLayout::Binary { matching } => {
            let all_ones = None;
            let (rec_items, truth_items) =
                (items(&rec_elements, matching)?, items(&truth_elements, matching)?);
            matched([rec, truth], rec_items, truth_items, all_ones, task)
        }
        ArgumentLayout::Judged { matching, item, rel } => {
            let (judged, rels) = (truth_elements.field(item)?, truth_elements.field(rel)?);
            let (rec_items, truth_items) = (items(&rec_elements, matching)?, items(&judged, matching)?);
            matched([rec, truth], rec_items, truth_items, Some(rels.numbers()?), task)
        }
    }
}

/// Passes a reader of lists of items beside judged ones to `task`, compiled for the forms of both. Without `rels`, relevances
/// are 1.
fn matched<C: Column, B: Items, T: Task>(
    [rec, truth]: [&C; 2],
    rec_items: ItemColumn<B>,
    truth_items: ItemColumn<B>,
    rels: Option<Numbers>,
    task: T,
) -> Result<(), Error> {
    use ItemColumn::{Bytes, Encoded, Fixed};
    let (rec, truth, lookup) = (Argument::new(rec), Argument::new(truth), RelevanceLookup::default());
    macro_rules! run {
        ($ranked:expr, $wanted:expr) => {{
            let columns = LookupColumns { rec: $ranked, truth: $wanted, rels };
            task.run(LookupReader { rec, truth, columns, lookup })
        }};
    }
    if T::ENCODES_ITEMS {
        let [ranked, wanted] = [(rec.column, rec_items), (truth.column, truth_items)]
            .map(|(lists, items)| items.encoded(lists.elements()?.len(), i64::to_le_bytes));
        return run!(ranked?, wanted?);
    }
    match (rec_items, truth_items) {
        (
            Fixed(Items64 { values: ranked, validity: Validity::All }),
            Fixed(Items64 { values: wanted, validity: Validity::All }),
        ) => run!(Plain(&ranked), Plain(&wanted)),
        (Fixed(ranked), Fixed(wanted)) => run!(ranked, wanted),
        (Bytes(ranked), Bytes(wanted)) => run!(ranked, wanted),
        (Encoded(ranked), Encoded(wanted)) => run!(ranked, wanted),
        (Bytes(ranked), Encoded(wanted)) => run!(ranked, wanted),
        (Encoded(ranked), Bytes(wanted)) => run!(ranked, wanted),
        (ItemColumn::Nulls, Fixed(wanted)) => run!(Items64::NULLS, wanted),
        (ItemColumn::Nulls, Bytes(wanted)) => run!(Items64::NULLS, wanted),
        (ItemColumn::Nulls, Encoded(wanted)) => run!(Items64::NULLS, wanted),
        // Nothing matches a truth of NULLs, whatever the items of rec are.
        (_, ItemColumn::Nulls) => run!(Items64::NULLS, Items64::NULLS),
        (Fixed(_), _) | (_, Fixed(_)) => {
            bail!(internal: "items of rec and truth came in two forms")
        }
    }
}
