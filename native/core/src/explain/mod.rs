//! A value, divided among the items of its ranking: what each adds, and what each missed item would have added.

use crate::error::{Error, bail};
use crate::memory::Grow;
use crate::metrics::metric::{Metric, Terms};
use crate::metrics::{value, write_terms};
use crate::needs::Needs;
use crate::options::Options;
use crate::options::choices::{RbpGain, Ties, Unjudged};
use crate::ranking::item_order::ItemOrder;
use crate::ranking::list::RankedList;
use crate::ranking::ties::MAX_STEPS;
use crate::ranking::view::RankingAtK;
use crate::results::Nullable;
use crate::settings::Settings;

/// An item of a ranking that may be above the cutoff, or one that was missed.
#[derive(Clone, Copy)]
pub struct ExplainedItem {
    /// Its place among the retrieved items, counted from 0; `None` if it was not retrieved.
    pub retrieved: Option<usize>,
    /// Its place among the judged items; `None` if it is not judged. In groups, only items that were not retrieved have it.
    pub judged: Option<usize>,
    /// The first and the last rank, counted from 1, that it can have among tied items; `None` if it was not retrieved.
    pub ranks: Option<(usize, usize)>,
    /// NULL if it is not judged.
    pub rel: Nullable,
    /// NULL unless the metric reads gains.
    pub gain: Nullable,
    /// The mean discount over its ranks, where ranks below the cutoff have 0. NULL unless the metric discounts gains.
    pub discount: Nullable,
    /// Its share in the value. All contributions of a ranking add up to the value. NULL if the value is no sum over
    /// items, because a rule for empty rankings gives it.
    pub contribution: Nullable,
    /// The gain in value if a missed item had had the best place that was free: the first rank above
    /// the cutoff whose item is irrelevant, or the rank after all retrieved items. NULL for an item that is irrelevant or
    /// not missed, or if no place was free.
    pub if_found: Nullable,
    /// The value of the whole ranking, the same for all of its items.
    pub value: Nullable,
}

impl ExplainedItem {
    /// Its places in the two lists and its ranks, counted from 1, as engines return them, in the order of the fields of
    /// results.
    pub fn counts(&self) -> [Option<i64>; 4] {
        let Self { retrieved, judged, ranks, .. } = *self;
        let (first, last) = ranks.unzip();
        let from_1 = |place: Option<usize>| place.map(|place| place + 1);
        [from_1(retrieved), from_1(judged), first, last].map(|count| i64::try_from(count?).ok())
    }

    /// Its numbers, in the order of the fields of results.
    pub fn numbers(&self) -> [Nullable; 6] {
        let Self { rel, gain, discount, contribution, if_found, value, .. } = *self;
        [rel, gain, discount, contribution, if_found, value]
    }
}

/// Explains one ranking after the other. Kept for its buffers.
#[derive(Default)]
pub struct Explainer {
    items: Vec<ExplainedItem>,
    terms: Terms,
    /// The relevance of the item at each rank.
    rels: Vec<Option<f64>>,
    /// The term of the item at each rank, for the items that may be above the cutoff.
    by_rank: Vec<f64>,
    /// The ranking with a missed item in it.
    changed: RankedList,
    /// Relevances of missed items, and what an item of each would have added.
    found: Vec<(f64, Nullable)>,
}

impl Explainer {
    /// Explains the value of a metric for the ranking in `list`, which was read whole, down to its last item. `order` has
    /// its items, of which unjudged ones leave it with the option for that. The cutoff is the only one of `settings`.
    pub fn explain(
        &mut self,
        list: &mut RankedList,
        order: &mut ItemOrder,
        metric: &Metric,
        settings: &Settings,
    ) -> Result<&[ExplainedItem], Error> {
        if settings.options.unjudged == Unjudged::Skip {
            order.keep(list.ranks());
        }
        list.prepare(settings)?;
        let k = cutoff(metric, list, settings);
        self.rels.clear();
        self.rels.try_resize(list.retrieved, None)?;
        for (index, rank) in list.ranks().iter().enumerate() {
            self.rels[*rank] = Some(list.rels.get(index).copied().unwrap_or(1.0));
        }
        let ranking = RankingAtK::new(list, k);
        let of_ranking = value(metric, &ranking, &settings.options)?;
        let is_sum = write_terms(metric, &ranking, &settings.options, &mut self.terms)?;
        self.write_expected_terms(&ranking, order)?;
        self.list_items(&ranking, order, (metric, settings), is_sum)?;
        let options = metric.options_in(&settings.options);
        let is_free =
            |rank: &usize| self.rels[*rank].is_none_or(|rel| !is_wanted(metric, rel, options, settings));
        let after_all = Some(list.retrieved).filter(|rank| k.is_none_or(|k| *rank < k));
        let free_rank = (0..ranking.depth()).find(is_free).or(after_all);
        if let (Some(free_rank), Some(before)) = (free_rank, of_ranking) {
            self.find_missed(list, order, (metric, settings), (free_rank, before))?;
        }
        self.items.iter_mut().for_each(|item| item.value = of_ranking.into());
        Ok(&self.items)
    }

    /// Writes the expected term of the item at each rank: items of a run that are equally relevant have equal ones, while
    /// the terms of one order of them may differ.
    fn write_expected_terms(&mut self, ranking: &RankingAtK, order: &ItemOrder) -> Result<(), Error> {
        let Self { by_rank, rels, terms, .. } = self;
        let may_show = ranking.depth().checked_sub(1).map_or(0, |last| order.run(last).end);
        by_rank.clear();
        by_rank.try_resize(may_show, 0.0)?;
        by_rank.iter_mut().zip(terms.by_rank()).for_each(|(expected, term)| *expected = *term);
        let rel = |rank: usize| rels[rank].unwrap_or_default();
        let mut from = 0;
        for end in order.run_ends.iter().take_while(|end| **end <= may_show) {
            let are_equal = (from..*end).all(|rank| rel(rank) == rel(*end - 1));
            if are_equal && *end - from > 1 {
                let run = &mut by_rank[from..*end];
                let mean = run.iter().sum::<f64>() / run.len() as f64;
                run.fill(mean);
            }
            from = *end;
        }
        Ok(())
    }

    /// Lists the items that may be above the cutoff, then those that were missed, and what each adds.
    fn list_items(
        &mut self,
        ranking: &RankingAtK,
        order: &ItemOrder,
        (metric, settings): (&Metric, &Settings),
        is_sum: bool,
    ) -> Result<(), Error> {
        let Self { items, terms, rels, by_rank, .. } = self;
        let options = metric.options_in(&settings.options);
        let reads_gains = metric.needs == Needs::Gains;
        let has_discount = metric.options.contains(&"discount");
        items.clear();
        let mut list = |item: ExplainedItem, discount: &dyn Fn() -> f64, term: f64| {
            let gain =
                || item.rel.get().map_or(Ok(settings.unjudged_gain), |rel| options.gain(rel)).map(Some);
            items.try_push(ExplainedItem {
                gain: if reads_gains { gain()? } else { None }.into(),
                discount: has_discount.then(discount).into(),
                contribution: is_sum.then_some(term).into(),
                ..item
            })
        };
        for (rank, rel) in rels.iter().enumerate() {
            if rank >= by_rank.len() && !rel.is_some_and(|rel| is_wanted(metric, rel, options, settings)) {
                continue;
            }
            let (run, place) = (order.run(rank), order.retrieved[rank]);
            let discount = || run.clone().map(|rank| ranking.discount(rank)).sum::<f64>() / run.len() as f64;
            let item = ExplainedItem {
                retrieved: Some(place),
                judged: rel.and_then(|_| order.judgement_of(place)),
                ranks: Some((run.start + 1, run.end)),
                rel: (*rel).into(),
                ..ExplainedItem::NONE
            };
            list(item, &discount, by_rank.get(rank).copied().unwrap_or_default())?;
        }
        // Only rankDCG has terms of items that were not retrieved.
        let all_add = metric.needs == Needs::Levels;
        for (place, rel) in &order.unretrieved {
            if all_add || is_wanted(metric, *rel, options, settings) {
                let (judged, rel_of) = (Some(*place), Some(*rel).into());
                let item = ExplainedItem { judged, rel: rel_of, ..ExplainedItem::NONE };
                list(item, &|| 0.0, terms.of_unretrieved(*rel))?;
            }
        }
        Ok(())
    }

    /// Evaluates the ranking with each missed item at `free_rank`, the best rank, counted from 0, that it could have had.
    /// `before` is the value of the ranking as it is.
    fn find_missed(
        &mut self,
        list: &mut RankedList,
        order: &ItemOrder,
        (metric, settings): (&Metric, &Settings),
        (free_rank, before): (usize, f64),
    ) -> Result<(), Error> {
        let Self { items, by_rank, changed, found, .. } = self;
        let options = metric.options_in(&settings.options);
        let k = cutoff(metric, list, settings);
        // Blocks of tied items, if expected values are needed.
        let score_ends = if options.ties == Ties::Average { &order.run_ends[..] } else { &[] };
        let hits_are_equal =
            matches!(metric.needs, Needs::Hits | Needs::HitSums) && options.rbp_gain == RbpGain::Binary;
        // Each distinct relevance takes an evaluation, and an engine cannot interrupt a call.
        let mut steps_left = MAX_STEPS;
        found.clear();
        for item in items {
            let is_missed = item.ranks.is_none_or(|(first, _)| first > by_rank.len());
            let rel = item.rel.get().filter(|rel| is_missed && is_wanted(metric, *rel, options, settings));
            let Some(rel) = rel else { continue };
            if let Some((_, added)) = found.iter().find(|(known, _)| hits_are_equal || *known == rel) {
                item.if_found = *added;
                continue;
            }
            let Some(left) = steps_left.checked_sub(list.retrieved + list.truth.len()) else {
                bail!(
                    "too many missed items differ in relevance to evaluate what each would have added: round their \
                     relevances"
                );
            };
            steps_left = left;
            changed.replace_item(list, (free_rank, rel), score_ends)?;
            // The same items are judged. The list gets its truth back before an error is returned.
            std::mem::swap(&mut changed.truth, &mut list.truth);
            let prepared = changed.prepare(settings);
            let after =
                prepared.and_then(|()| value(metric, &RankingAtK::new(changed, k), &settings.options));
            std::mem::swap(&mut changed.truth, &mut list.truth);
            item.if_found = after?.map(|after| after - before).into();
            found.try_push((rel, item.if_found))?;
        }
        Ok(())
    }
}

impl ExplainedItem {
    /// An item of which nothing is known yet.
    const NONE: Self = Self {
        retrieved: None,
        judged: None,
        ranks: None,
        rel: Nullable::NULL,
        gain: Nullable::NULL,
        discount: Nullable::NULL,
        contribution: Nullable::NULL,
        if_found: Nullable::NULL,
        value: Nullable::NULL,
    };
}

/// The rank below which no item counts; `None` if all do.
fn cutoff(metric: &Metric, list: &RankedList, settings: &Settings) -> Option<usize> {
    match metric.needs {
        _ if metric.takes_k => settings.ks.first().copied().flatten(),
        Needs::Levels => None,
        // R-precision cuts at R.
        _ => Some(RankingAtK::new(list, None).relevant()),
    }
}

/// Whether an item of this relevance adds more to a metric than an unjudged one.
fn is_wanted(metric: &Metric, rel: f64, options: &Options, settings: &Settings) -> bool {
    match metric.needs {
        Needs::Hits | Needs::HitSums | Needs::Judgements => options.is_relevant(rel),
        Needs::Gains => options.gain(rel).is_ok_and(|gain| gain > settings.unjudged_gain),
        Needs::Levels => rel > 0.0,
    }
}

#[cfg(test)]
mod tests;
