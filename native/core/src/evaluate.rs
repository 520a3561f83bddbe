//! One call of a function over many rows: the loop that every engine shares.

use hashbrown::HashMap;

use crate::catalogue::{Function, Output, Shape};
use crate::column::{Column, Fixed as Items64, ItemColumn, Items, Nulls, Numbers, Plain, Validity};
use crate::error::bail;
use crate::forms::{self, Form};
use crate::judge::{Columns, Judge};
use crate::metrics::{Metric, Needs, Score};
use crate::nested::items;
use crate::options::{NoRelevant, Options};
use crate::ranking::{Ranking, Row};
use crate::scored::Scored;
use crate::source::{Aligned, Argument, Matched, Ranked, Relevances, Settings, Source};
use crate::{Error, Type};

/// The results for one row: a value of each metric at each k, the metrics of the first k first.
pub struct Values<'a> {
    pub ks: &'a [Option<usize>],
    pub values: &'a [Option<f64>],
}

/// Evaluates `function` on rows 0 to `rows` of its argument columns and hands the results of each to `put`, `None`
/// where the truth is NULL. A column of length 1 stands for every row.
///
/// The error is the first one met, a sentence that begins with `name`, under which the function was called.
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

/// A call whose arguments after the lists are in order.
struct Call<'a, C> {
    function: &'a Function,
    k: Option<Argument<'a, C>>,
    /// Several k for each row.
    ks: Option<(Argument<'a, C>, C)>,
    options: Option<Argument<'a, C>>,
}

impl<'a, C: Column> Call<'a, C> {
    fn new(function: &'a Function, columns: &'a [C]) -> Result<Self, Error> {
        let lists = function.lists();
        let (least, most) = (function.required(), function.arguments().len());
        if columns.len() < least || columns.len() > lists + 2 {
            bail!("takes {least} to {most} arguments ({}), got {}", function.signature(), columns.len());
        }
        let mut call = Self { function, k: None, ks: None, options: None };
        let mut rest = &columns[lists..];
        if let (Output::MetricsAt, [ks, after @ ..]) = (function.output, rest) {
            if ks.kind().element().is_none_or(|kind| kind.check_k().is_err()) {
                bail!("ks must be a list of BIGINT, got {}", ks.kind());
            }
            call.ks = Some((Argument::new(ks), ks.elements()?));
            rest = after;
        }
        for (index, column) in rest.iter().enumerate() {
            let may_be_k = index == 0 && call.ks.is_none();
            match column.kind() {
                Type::Null => {}
                Type::Text if call.options.is_none() => call.options = Some(Argument::new(column)),
                kind if may_be_k => {
                    kind.check_k()?;
                    call.k = Some(Argument::new(column));
                }
                kind => bail!("options must be one text after k, got {kind}"),
            }
        }
        Ok(call)
    }

    fn evaluate(
        &self,
        columns: &[C],
        rows: usize,
        put: impl FnMut(usize, Option<Values>),
    ) -> Result<(), Error> {
        let first = &columns[0];
        if self.function.shape == Shape::Rels {
            let elements = relevances("rels", first)?;
            return self.run(Ranked { lists: Argument::new(first), rels: elements.numbers()? }, rows, put);
        }
        let (rec, truth) = (first, &columns[1]);
        if self.function.shape == Shape::Scored {
            if !rec.kind().element().is_some_and(Type::is_number) {
                bail!("scores must be a list of numbers, got {}", rec.kind());
            }
            return self.aligned(rec, truth, &rec.elements()?, &relevances("rels", truth)?, rows, put);
        }
        let form = forms::resolve(rec.kind(), truth.kind(), self.function.is_aligned())?;
        let (ranked, wanted) = (rec.elements()?, truth.elements()?);
        match form {
            Form::Aligned => self.aligned(rec, truth, &ranked, &wanted, rows, put),
            Form::Relevances { rel } => {
                let field = ranked.field(rel)?;
                let source = Relevances {
                    rec: Argument::new(rec),
                    truth: Argument::new(truth),
                    ranked: field.numbers()?,
                    wanted: wanted.numbers()?,
                    left: HashMap::default(),
                };
                self.run(source, rows, put)
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

    fn aligned(
        &self,
        scores: &C,
        rels: &C,
        score: &C,
        rel: &C,
        rows: usize,
        put: impl FnMut(usize, Option<Values>),
    ) -> Result<(), Error> {
        let source = Aligned {
            scores: Argument::new(scores),
            rels: Argument::new(rels),
            score: score.numbers()?,
            rel: rel.numbers()?,
            scored: Scored::default(),
            pairs: self.function.takes_pairs(),
        };
        self.run(source, rows, put)
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
        put: impl FnMut(usize, Option<Values>),
    ) -> Result<(), Error> {
        use ItemColumn::{Bytes, Encoded, Fixed};
        let (rec, truth, judge) = (Argument::new(rec), Argument::new(truth), Judge::default());
        macro_rules! run {
            ($ranked:expr, $wanted:expr) => {{
                let columns = Columns { rec: $ranked, truth: $wanted, rels };
                self.run(Matched { rec, truth, columns, judge }, rows, put)
            }};
        }
        match (ranked, wanted) {
            (
                Fixed(Items64 { values: ranked, validity: Validity::All }),
                Fixed(Items64 { values: wanted, validity: Validity::All }),
            ) => run!(Plain(&ranked), Plain(&wanted)),
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
        mut source: impl Source,
        rows: usize,
        mut put: impl FnMut(usize, Option<Values>),
    ) -> Result<(), Error> {
        let function = self.function;
        let mut settings = Settings::new(Options::default(), function.negative_rels());
        let mut written: Option<String> = None;
        let mut row = Row::default();
        let mut values = Vec::new();
        let changes = |argument: &Argument<C>, index| index == 0 || !argument.is_constant();
        for index in 0..rows {
            let text = match &self.options {
                Some(options) if changes(options, index) => {
                    Some(options.column.text(index)?.unwrap_or_default())
                }
                None if index == 0 => Some(""),
                _ => None,
            };
            if let Some(text) = text
                && written.as_deref() != Some(text)
            {
                settings.set_options(function.parse(text)?);
                written = Some(text.to_owned());
            }
            if let Some(k) = &self.k
                && changes(k, index)
            {
                settings.set_ks(std::iter::once(self.cut(k.column.integer(index)?)))?;
            }
            if let Some((lists, elements)) = &self.ks {
                let Some(span) = lists.span(index) else {
                    put(index, None);
                    continue;
                };
                settings.set_ks(span.map(|element| self.cut(elements.integer(element)?)))?;
            }
            row.clear();
            if !source.read(index, &settings, &mut row)? {
                put(index, None);
                continue;
            }
            row.prepare(function.needs, &settings)?;
            values.clear();
            for k in &settings.ks {
                let ranking = row.at(*k);
                for metric in &function.metrics {
                    values.push(value(metric, &ranking, &settings.options)?);
                }
            }
            put(index, Some(Values { ks: &settings.ks, values: &values }));
        }
        Ok(())
    }

    fn cut(&self, k: Option<i64>) -> Result<Option<usize>, Error> {
        k.map(|k| self.function.cut(k)).transpose()
    }
}

fn relevances<C: Column>(argument: &str, column: &C) -> Result<C, Error> {
    if !column.kind().element().is_some_and(Type::is_relevance) {
        bail!("{argument} must be a list of numbers, got {}", column.kind());
    }
    column.elements()
}

/// The metric's value by the order of rules: no relevant item first, then nothing retrieved.
#[inline(always)]
fn value(metric: &Metric, ranking: &Ranking, options: &Options) -> Result<Option<f64>, Error> {
    let options = options.of(metric);
    let empty = ranking.retrieved() == 0;
    let something = match metric.needs {
        Needs::Hits => ranking.relevant() > 0,
        Needs::Gains => ranking.has_gains(),
        Needs::Levels => true,
    };
    let score = if something { (metric.kernel)(ranking, options) } else { Score::NoRelevant };
    Ok(match score {
        Score::NoRelevant => match options.no_relevant {
            NoRelevant::Null => None,
            NoRelevant::Zero => Some(0.0),
            NoRelevant::One => Some(1.0),
            NoRelevant::OneIfRecEmpty => Some(f64::from(empty)),
            NoRelevant::Error => bail!("truth has no relevant item, and no_relevant=error"),
        },
        Score::TooManyTied => bail!(
            "too many items of different relevance are tied for their expected value: give a smaller k, or \
             ties=pessimistic or optimistic"
        ),
        // Adding 0 makes 0 of -0, the sum of nothing.
        Score::Ideal(value) => Some(value + 0.0),
        _ if empty => Some(0.0),
        Score::Null => None,
        Score::Value(value) => Some(value + 0.0),
    })
}
