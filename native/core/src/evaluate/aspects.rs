//! Measures of aspects: a list of ranked items beside judgements of items for aspects.

use std::ops::Range;

use crate::aspects::measure::AspectMeasure;
use crate::column::matching::own_matching;
use crate::column::{Column, Encoded, Numbers};
use crate::error::Error;
use crate::evaluate::argument::Argument;
use crate::evaluate::call::Call;
use crate::evaluate::layout::aspect_layout;
use crate::evaluate::readers::ScoreElements;
use crate::evaluate::similarity::encoded;
use crate::metrics::apply_empty_rules;
use crate::metrics::metric::Outcome;
use crate::ranking::aspects::AspectRanking;
use crate::ranking::scored::check_score;
use crate::results::{Nullable, Values};
use crate::settings::Settings;

impl<C: Column> Call<'_, C> {
    /// Evaluates a measure of aspects on the two lists of each row.
    #[inline(never)]
    pub(super) fn measure_aspects(
        &self,
        measure: &AspectMeasure,
        [rec, truth]: [&C; 2],
        rows: usize,
        put: &mut dyn FnMut(usize, Option<Values>),
    ) -> Result<(), Error> {
        let layout = aspect_layout(rec.kind(), truth.kind())?;
        let (retrieved, judged) = (rec.elements()?, truth.elements()?);
        let field = |column: &C, index: Option<usize>| index.map(|index| column.field(index)).transpose();
        let (rec_item, score) = (field(&retrieved, layout.rec_item)?, field(&retrieved, layout.score)?);
        let (item, aspect) = (field(&judged, layout.item)?, field(&judged, layout.aspect)?);
        let rel = field(&judged, layout.rel)?;
        let aspect = aspect.as_ref().unwrap_or(&judged);
        let lists = Lists {
            rec: encoded(rec_item.as_ref().unwrap_or(&retrieved), layout.matching)?,
            scores: score.as_ref().map(ScoreElements::new).transpose()?,
            items: encoded(item.as_ref().unwrap_or(&judged), layout.matching)?,
            aspects: encoded(aspect, own_matching(aspect.kind()))?,
            rels: rel.as_ref().map(Column::numbers).transpose()?,
        };
        let (rec, truth) = (Argument::new(rec), Argument::new(truth));
        let (mut settings, mut ranking) = (self.function.settings(), AspectRanking::default());
        for index in 0..rows {
            self.resolve(index, &mut settings)?;
            let value = match truth.span(index) {
                None => None,
                Some(truth) => {
                    let rec = rec.span(index).unwrap_or_default();
                    let value = lists.value(measure, &mut ranking, rec, truth, &settings)?;
                    Some([Nullable::from(value)])
                }
            };
            put(index, value.as_ref().map(|values| Values { ks: &settings.ks, values }));
        }
        Ok(())
    }
}

/// The elements of the lists of all rows.
struct Lists<'a> {
    rec: Encoded,
    /// The scores of the items of `rec`; `None` if these are in ranked order.
    scores: Option<ScoreElements<'a>>,
    items: Encoded,
    aspects: Encoded,
    /// The relevance of each item to its aspect; `None` if all are 1.
    rels: Option<Numbers<'a>>,
}

impl Lists<'_> {
    /// The measure of a row, whose lists have these elements; `None` for NULL.
    #[inline(never)]
    fn value<'a>(
        &'a self,
        measure: &AspectMeasure,
        ranking: &mut AspectRanking<'a>,
        rec: Range<usize>,
        truth: Range<usize>,
        settings: &Settings,
    ) -> Result<Option<f64>, Error> {
        let options = &settings.options;
        let rel = |element: usize| {
            let rel = self.rels.as_ref().map_or(Some(1.0), |rels| rels.get(element));
            rel.map(|rel| settings.check_rel("truth", rel)).transpose()
        };
        ranking.read_truth([&self.items, &self.aspects], truth, &rel, options.min_rel)?;
        let score = |scores: &ScoreElements, element: usize| {
            scores.get(element, options.score_type).map(|score| check_score("rec", score)).transpose()
        };
        let score = self.scores.as_ref().map(|scores| move |element: usize| score(scores, element));
        let score = score.as_ref().map(|score| score as &dyn Fn(usize) -> Result<Option<f64>, Error>);
        ranking.read_rec(&self.rec, rec, score, options.ties, settings.ks[0])?;
        let is_empty = ranking.retrieved() == 0;
        let outcome = match ranking.aspects() {
            0 => Outcome::NoRelevant,
            _ if is_empty => Outcome::Value(0.0),
            _ => Outcome::Value(measure.value(ranking, options)?),
        };
        apply_empty_rules(outcome, options, is_empty)
    }
}
