//! One call of a function over many rows: the loop that every engine shares.

use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::catalogue::{Function, Shape};
use crate::column::{Column, ItemColumn, Items, Nulls, Numbers, float_bits};
use crate::error::bail;
use crate::forms::{self, Form};
use crate::judge::Judge;
use crate::metrics::{Metric, Score, Workspace};
use crate::nested::items;
use crate::options::{NoRelevant, Options};
use crate::ranking::{Ranking, UNJUDGED};
use crate::{Error, Integer, Type};

/// Evaluates `function` on rows 0 to `rows` of its argument columns and hands each result to `put`.
///
/// The error is the first one met, a sentence that begins with `name`, under which the function was called.
pub fn evaluate<C: Column>(
    function: &Function,
    name: &str,
    columns: &[C],
    rows: usize,
    put: impl FnMut(usize, Option<f64>),
) -> Result<(), Error> {
    Call::new(function, columns)
        .and_then(|call| call.evaluate(columns, rows, put))
        .map_err(|error| error.of(name))
}

/// A call whose arguments after the lists are in order.
struct Call<'a, C> {
    function: &'a Function,
    k: Option<&'a C>,
    options: Option<&'a C>,
}

impl<'a, C: Column> Call<'a, C> {
    fn new(function: &'a Function, columns: &'a [C]) -> Result<Self, Error> {
        let lists = function.lists();
        let most = function.arguments().len();
        if columns.len() < lists || columns.len() > lists + 2 {
            bail!("takes {lists} to {most} arguments ({}), got {}", function.signature(), columns.len());
        }
        let mut call = Self { function, k: None, options: None };
        for (index, column) in columns[lists..].iter().enumerate() {
            match column.kind() {
                Type::Null => {}
                Type::Text if call.options.is_none() => call.options = Some(column),
                Type::Integer(Integer::Narrow) if index == 0 => call.k = Some(column),
                Type::Integer(_) | Type::Decimal { scale: 0, .. } if index == 0 => {
                    bail!("k must be cast to BIGINT, got a wider integer")
                }
                kind if index == 0 => bail!("k must be an integer, got {kind}"),
                kind => bail!("options must be one text after k, got {kind}"),
            }
        }
        Ok(call)
    }

    fn evaluate(&self, columns: &[C], rows: usize, put: impl FnMut(usize, Option<f64>)) -> Result<(), Error> {
        let rec = &columns[0];
        if self.function.shape == Shape::Rels {
            if !rec.kind().element().is_some_and(Type::is_relevance) {
                bail!("rels must be a list of numbers, got {}", rec.kind());
            }
            let elements = rec.elements()?;
            let rels = elements.numbers()?;
            return self.run(&Ranked { rec, rels }, rows, put);
        }
        let truth = &columns[1];
        let form = forms::resolve(rec.kind(), truth.kind(), self.function.metric.aligned)?;
        let (ranked, wanted) = (rec.elements()?, truth.elements()?);
        match form {
            Form::Aligned => {
                let (scores, rels) = (ranked.numbers()?, wanted.numbers()?);
                self.run(&Aligned { rec, truth, scores, rels }, rows, put)
            }
            Form::Relevances { rel } => {
                let field = ranked.field(rel)?;
                let (ranked, wanted) = (field.numbers()?, wanted.numbers()?);
                self.run(&Relevances { rec, truth, ranked, wanted }, rows, put)
            }
            Form::Binary { matching } => {
                let (ranked, wanted) = (items(&ranked, matching)?, items(&wanted, matching)?);
                self.matched(rec, truth, ranked, wanted, None, rows, put)
            }
            Form::Judged { matching, item, rel } => {
                let (judged, rels) = (wanted.field(item)?, wanted.field(rel)?);
                let (ranked, wanted) = (items(&ranked, matching)?, items(&judged, matching)?);
                self.matched(rec, truth, ranked, wanted, Some(rels.numbers()?), rows, put)
            }
        }
    }

    /// Picks the loop for the forms in which the two sides' items came.
    #[allow(clippy::too_many_arguments)]
    fn matched<B: Items>(
        &self,
        rec: &C,
        truth: &C,
        ranked: ItemColumn<B>,
        wanted: ItemColumn<B>,
        rels: Option<Numbers>,
        rows: usize,
        put: impl FnMut(usize, Option<f64>),
    ) -> Result<(), Error> {
        macro_rules! run {
            ($ranked:expr, $wanted:expr) => {
                self.run(&Matched { rec, truth, ranked: $ranked, wanted: $wanted, rels }, rows, put)
            };
        }
        use ItemColumn::{Bytes, Encoded, Fixed};
        match (ranked, wanted) {
            (Fixed(ranked), Fixed(wanted)) => run!(ranked, wanted),
            (Bytes(ranked), Bytes(wanted)) => run!(ranked, wanted),
            (Encoded(ranked), Encoded(wanted)) => run!(ranked, wanted),
            (Bytes(ranked), Encoded(wanted)) => run!(ranked, wanted),
            (Encoded(ranked), Bytes(wanted)) => run!(ranked, wanted),
            (ItemColumn::Nulls, Fixed(wanted)) => run!(Nulls, wanted),
            (ItemColumn::Nulls, Bytes(wanted)) => run!(Nulls, wanted),
            (ItemColumn::Nulls, Encoded(wanted)) => run!(Nulls, wanted),
            (_, ItemColumn::Nulls) => run!(Nulls, Nulls),
            (Fixed(_), _) | (_, Fixed(_)) => {
                bail!("internal error: items of rec and truth came in two forms")
            }
        }
    }

    fn run(
        &self,
        source: &impl Source,
        rows: usize,
        mut put: impl FnMut(usize, Option<f64>),
    ) -> Result<(), Error> {
        let metric = self.function.metric;
        let taken = self.function.options();
        let mut buffers = Buffers::default();
        let mut workspace = Workspace::default();
        let mut parsed = (String::new(), Options::default());
        for row in 0..rows {
            if let Some(column) = self.options {
                let text = column.text(row)?.unwrap_or_default();
                if text != parsed.0 {
                    parsed = (text.to_owned(), Options::parse(text, &taken, metric.denominator)?);
                }
            }
            let settings = Settings { metric, options: &parsed.1, k: self.k(row)? };
            let value = match source.read(row, &settings, &mut buffers)? {
                None => None,
                Some(retrieved) => settings.score(&buffers.ranking(retrieved, settings.k), &mut workspace)?,
            };
            put(row, value);
        }
        Ok(())
    }

    fn k(&self, row: usize) -> Result<Option<usize>, Error> {
        let k = match self.k {
            Some(column) => column.integer(row)?,
            None => None,
        };
        let Some(k) = k else { return Ok(None) };
        if !self.function.metric.takes_k {
            bail!("takes no k, the whole list counts, got {k}");
        }
        match usize::try_from(k) {
            Ok(k) if k > 0 => Ok(Some(k)),
            _ => bail!("k must be at least 1, got {k}"),
        }
    }
}

/// What holds for one row besides its lists.
struct Settings<'a> {
    metric: &'static Metric,
    options: &'a Options,
    k: Option<usize>,
}

impl Settings<'_> {
    /// The metric's value by the order of rules: no relevant item first, then nothing retrieved.
    fn score(&self, ranking: &Ranking, workspace: &mut Workspace) -> Result<Option<f64>, Error> {
        let empty = ranking.retrieved == 0;
        Ok(match (self.metric.kernel)(ranking, self.options, workspace)? {
            Score::NoRelevant => match self.options.no_relevant {
                NoRelevant::Null => None,
                NoRelevant::Zero => Some(0.0),
                NoRelevant::One => Some(1.0),
                NoRelevant::OneIfRecEmpty => Some(f64::from(empty)),
                NoRelevant::Error => bail!("truth has no relevant item, and no_relevant=error"),
            },
            Score::Ideal(value) => Some(value),
            _ if empty => Some(0.0),
            Score::Null => None,
            Score::Value(value) => Some(value),
        })
    }

    fn check_rel(&self, argument: &str, rel: f64) -> Result<f64, Error> {
        if !rel.is_finite() {
            bail!("relevance in {argument} must be finite, got {rel}");
        }
        if rel < 0.0 && !self.metric.negative_rels {
            bail!("relevance in {argument} must not be negative, got {rel}");
        }
        Ok(rel)
    }
}

/// Buffers kept over the rows of a call.
#[derive(Default)]
struct Buffers {
    judge: Judge,
    scored: Vec<(Option<f64>, f64)>,
    /// How often each relevance of the truth is still to be met in `rec`.
    left: HashMap<i64, usize, FixedState>,
    /// Ends of tied blocks; empty where there were no scores.
    blocks: Vec<usize>,
}

impl Buffers {
    fn ranking(&self, retrieved: usize, k: Option<usize>) -> Ranking<'_> {
        Ranking {
            rels: &self.judge.rels,
            blocks: Some(&self.blocks[..]).filter(|blocks| !blocks.is_empty()),
            truth: &self.judge.truth,
            retrieved,
            k,
        }
    }
}

/// Where rankings come from: one implementation for each way to write `rec` and `truth`.
trait Source {
    /// Reads the ranking in `row` into the buffers and returns how many items were retrieved, or `None` where
    /// the truth is NULL. A NULL `rec` is an empty one.
    fn read(&self, row: usize, settings: &Settings, buffers: &mut Buffers) -> Result<Option<usize>, Error>;
}

/// The first k places of a list.
fn top(span: &Range<usize>, k: Option<usize>) -> Range<usize> {
    span.start..span.start + k.map_or(span.len(), |k| k.min(span.len()))
}

/// Items that are looked up among the judged ones.
struct Matched<'a, C, R, T> {
    rec: &'a C,
    truth: &'a C,
    ranked: R,
    wanted: T,
    rels: Option<Numbers<'a>>,
}

impl<C: Column, R: Items, T: Items> Source for Matched<'_, C, R, T> {
    fn read(&self, row: usize, settings: &Settings, buffers: &mut Buffers) -> Result<Option<usize>, Error> {
        let Some(truth) = self.truth.span(row) else {
            return Ok(None);
        };
        let check = |rel| settings.check_rel("truth", rel);
        buffers.judge.read_truth(&self.wanted, truth, self.rels.as_ref(), check)?;
        let rec = self.rec.span(row).unwrap_or_default();
        buffers.judge.rank(&self.ranked, top(&rec, settings.k), &self.wanted, settings.options.duplicates);
        Ok(Some(rec.len()))
    }
}

/// Relevances in ranked order beside all relevances.
struct Relevances<'a, C> {
    rec: &'a C,
    truth: &'a C,
    ranked: Numbers<'a>,
    wanted: Numbers<'a>,
}

impl<C: Column> Source for Relevances<'_, C> {
    fn read(&self, row: usize, settings: &Settings, buffers: &mut Buffers) -> Result<Option<usize>, Error> {
        let Some(truth) = self.truth.span(row) else {
            return Ok(None);
        };
        let rec = self.rec.span(row).unwrap_or_default();
        let Buffers { judge: Judge { truth: wanted, rels, .. }, left, .. } = buffers;
        wanted.clear();
        left.clear();
        for rel in truth.filter_map(|index| self.wanted.get(index)) {
            wanted.push(settings.check_rel("truth", rel)?);
            *left.entry(float_bits(rel)).or_default() += 1;
        }
        rels.clear();
        for rel in rec.clone().map(|index| self.ranked.get(index)) {
            let Some(rel) = rel else {
                rels.push(UNJUDGED);
                continue;
            };
            settings.check_rel("rec", rel)?;
            // Without this, a ranking could score more than all that there was to find.
            match left.get_mut(&float_bits(rel)) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    rels.push(rel);
                }
                _ if rel == 0.0 => rels.push(UNJUDGED),
                _ => bail!("rec holds relevance {rel} more often than truth"),
            }
        }
        rels.truncate(settings.k.unwrap_or(usize::MAX));
        Ok(Some(rec.len()))
    }
}

/// One list of relevances in ranked order, which are all that there is.
struct Ranked<'a, C> {
    rec: &'a C,
    rels: Numbers<'a>,
}

impl<C: Column> Source for Ranked<'_, C> {
    fn read(&self, row: usize, settings: &Settings, buffers: &mut Buffers) -> Result<Option<usize>, Error> {
        let Some(rec) = self.rec.span(row) else {
            return Ok(None);
        };
        let Judge { truth, rels, .. } = &mut buffers.judge;
        truth.clear();
        rels.clear();
        for rel in rec.clone().map(|index| self.rels.get(index)) {
            if let Some(rel) = rel {
                truth.push(settings.check_rel("rels", rel)?);
            }
            rels.push(rel.unwrap_or(UNJUDGED));
        }
        rels.truncate(settings.k.unwrap_or(usize::MAX));
        Ok(Some(rec.len()))
    }
}

/// Scores beside the relevances of the same items.
struct Aligned<'a, C> {
    rec: &'a C,
    truth: &'a C,
    scores: Numbers<'a>,
    rels: Numbers<'a>,
}

impl<C: Column> Source for Aligned<'_, C> {
    fn read(&self, row: usize, settings: &Settings, buffers: &mut Buffers) -> Result<Option<usize>, Error> {
        let Some(truth) = self.truth.span(row) else {
            return Ok(None);
        };
        let rec = self.rec.span(row).unwrap_or_default();
        if rec.len() != truth.len() && !rec.is_empty() {
            bail!("scores and rels must be of equal length, got {} and {}", rec.len(), truth.len());
        }
        let Buffers { judge, scored, blocks, .. } = buffers;
        scored.clear();
        for (place, index) in truth.enumerate() {
            let score = rec.clone().nth(place).and_then(|index| self.scores.get(index));
            if score.is_some_and(f64::is_nan) {
                bail!("scores must not be NaN, got NaN");
            }
            if let Some(rel) = self.rels.get(index) {
                scored.push((score, settings.check_rel("rels", rel)?));
            }
        }
        // No score is NaN, so the order is total; an item without a score comes last.
        scored.sort_unstable_by(|(one, _), (other, _)| other.partial_cmp(one).expect("no NaN"));
        judge.rels.clear();
        judge.rels.extend(scored.iter().map(|(_, rel)| rel));
        judge.truth.clone_from(&judge.rels);
        blocks.clear();
        for block in scored.chunk_by(|(one, _), (other, _)| one == other) {
            blocks.push(blocks.last().unwrap_or(&0) + block.len());
        }
        Ok(Some(rec.len()))
    }
}
