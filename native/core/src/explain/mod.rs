//! What the values of one ranking are made of: what each item adds to them, and what each missed item would have added.

use crate::error::Error;
use crate::memory::Grow;
use crate::metrics::metric::{Metric, Terms};
use crate::metrics::{value, write_terms};
use crate::needs::Needs;
use crate::options::Options;
use crate::options::choices::{Ties, Unjudged};
use crate::ranking::item_order::ItemOrder;
use crate::ranking::list::RankedList;
use crate::ranking::view::RankingAtK;
use crate::results::Nullable;
use crate::settings::Settings;

/// An item in the columns from which a ranking was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemIndex {
    /// The index of a retrieved item among the retrieved ones.
    Retrieved(usize),
    /// The index of a judged item that was not retrieved among the judged ones.
    Judged(usize),
}

/// An item of a ranking that may be above the cutoff, or one that was missed.
#[derive(Clone, Copy)]
pub struct ExplainedItem {
    pub item: ItemIndex,
    /// The first and the last rank, counted from 1, that it can have among tied items; `None` if it was not retrieved.
    pub ranks: Option<(usize, usize)>,
    /// `None` if it is not judged.
    pub rel: Option<f64>,
    /// NULL unless a metric reads gains.
    pub gain: Nullable,
    /// The mean discount over its ranks, where ranks below the cutoff have 0. NULL unless a metric reads gains.
    pub discount: Nullable,
}

/// The values of the metrics of one ranking, its items, and what each of them adds.
#[derive(Default)]
pub struct Explanation {
    pub values: Vec<Nullable>,
    pub items: Vec<ExplainedItem>,
    /// What each item adds to the value of each metric, the metrics of the first item first. These add up to the value. NULL
    /// if the value is no sum over items, because a rule for empty rankings gives it.
    pub contributions: Vec<Nullable>,
    /// What each missed item would have added to the value of each metric, if it had had the best place that was free: the
    /// first rank above the cutoff whose item is irrelevant, or the rank after all retrieved items. NULL for an item that
    /// is irrelevant or not missed, or if no place was free.
    pub if_found: Vec<Nullable>,
}

/// Explains one ranking after the other. Kept for its buffers.
#[derive(Default)]
pub struct Explainer {
    explanation: Explanation,
    /// The terms of each metric.
    terms: Vec<MetricTerms>,
    /// The relevance of the item at each rank.
    rels: Vec<Option<f64>>,
    /// The ranking with a missed item in it.
    changed: RankedList,
    /// The relevance of a missed item, the index of a metric, and what such an item would have added to its value.
    found: Vec<(f64, usize, Nullable)>,
}

/// The terms of one metric.
#[derive(Default)]
struct MetricTerms {
    terms: Terms,
    /// The term of the item at each rank, for the items that may be above the cutoff.
    by_rank: Vec<f64>,
    /// Whether the value is the sum of its terms.
    is_sum: bool,
    /// How many items may be above the cutoff.
    may_show: usize,
    /// The best rank, counted from 0, that a missed item could have had.
    free_rank: Option<usize>,
}

impl Explainer {
    /// Explains the values of `metrics` for the ranking in `list`, which was read whole, down to its last item. `order` has
    /// its items. The cutoff is the only one of `settings`.
    pub fn explain(
        &mut self,
        list: &mut RankedList,
        order: &ItemOrder,
        metrics: &[&Metric],
        settings: &Settings,
    ) -> Result<&Explanation, Error> {
        let k = settings.ks.first().copied().flatten();
        let options = &settings.options;
        list.prepare(settings)?;
        self.read_rels(list)?;
        self.write_terms(list, order, metrics, k, options)?;
        self.list_items(list, order, metrics, k, settings)?;
        self.find_missed(list, order, metrics, k, settings)?;
        Ok(&self.explanation)
    }

    /// Writes the relevance of the item at each rank.
    fn read_rels(&mut self, list: &RankedList) -> Result<(), Error> {
        self.rels.clear();
        self.rels.try_resize(list.retrieved, None)?;
        for (index, rank) in list.ranks().iter().enumerate() {
            self.rels[*rank] = Some(list.rels.get(index).copied().unwrap_or(1.0));
        }
        Ok(())
    }

    /// Writes the values of the metrics, and the expected term of each item.
    fn write_terms(
        &mut self,
        list: &RankedList,
        order: &ItemOrder,
        metrics: &[&Metric],
        k: Option<usize>,
        options: &Options,
    ) -> Result<(), Error> {
        let Self { explanation, terms, rels, .. } = self;
        explanation.values.clear();
        terms.resize_with(metrics.len(), MetricTerms::default);
        for (metric, of_metric) in metrics.iter().zip(terms) {
            let ranking = view(list, metric, k);
            explanation.values.try_push(value(metric, &ranking, options)?.into())?;
            let MetricTerms { terms, by_rank, is_sum, may_show, free_rank } = of_metric;
            *is_sum = write_terms(metric, &ranking, options, terms)?;
            *may_show = ranking.depth().checked_sub(1).map_or(0, |last| order.run(last).end);
            by_rank.clear();
            by_rank.try_resize(*may_show, 0.0)?;
            if *is_sum {
                by_rank[..terms.by_rank().len()].copy_from_slice(terms.by_rank());
            }
            // Items of a run that are equally relevant have equal terms on average; those of one order may differ.
            let leaves_out = metric.needs == Needs::Levels && options.unjudged == Unjudged::Skip;
            let takes_part = |rank: &usize| !leaves_out || rels[*rank].is_some();
            let rel = |rank: usize| rels[rank].unwrap_or_default();
            let mut from = 0;
            for end in order.run_ends.iter().take_while(|end| **end <= *may_show) {
                let ranks = (from..*end).filter(takes_part);
                let are_equal = ranks.clone().all(|rank| rel(rank) == rel(*end - 1));
                if are_equal && *end - from > 1 {
                    let sum: f64 = ranks.clone().map(|rank| by_rank[rank]).sum();
                    let mean = sum / ranks.clone().count() as f64;
                    ranks.for_each(|rank| by_rank[rank] = mean);
                }
                from = *end;
            }
            let is_free = |rank: &usize| !is_wanted(metric, rels[*rank].unwrap_or(0.0), options);
            let is_below = |rank: &usize| metric.takes_k && k.is_some_and(|k| *rank >= k);
            *free_rank =
                (0..ranking.depth()).find(is_free).or(Some(list.retrieved).filter(|rank| !is_below(rank)));
        }
        Ok(())
    }

    /// Lists the items that may be above the cutoff of a metric, and then those that were missed, and what each adds.
    fn list_items(
        &mut self,
        list: &RankedList,
        order: &ItemOrder,
        metrics: &[&Metric],
        k: Option<usize>,
        settings: &Settings,
    ) -> Result<(), Error> {
        let Self { explanation: Explanation { items, contributions, .. }, terms, rels, .. } = self;
        items.clear();
        contributions.clear();
        let options = &settings.options;
        let ranking = RankingAtK::new(list, k);
        let may_show = terms.iter().map(|terms| terms.may_show).max().unwrap_or_default();
        let is_missed = |rel: f64| metrics.iter().any(|metric| is_wanted(metric, rel, options));
        let gain = |rel: Option<f64>| -> Result<Nullable, Error> {
            let gain =
                settings.needs.gains.then(|| rel.map_or(Ok(settings.unjudged_gain), |rel| options.gain(rel)));
            Ok(gain.transpose()?.into())
        };
        for (rank, rel) in rels.iter().enumerate() {
            if rank >= may_show && !rel.is_some_and(is_missed) {
                continue;
            }
            let run = order.run(rank);
            let mean_discount =
                || run.clone().map(|rank| ranking.discount(rank)).sum::<f64>() / run.len() as f64;
            items.try_push(ExplainedItem {
                item: ItemIndex::Retrieved(order.retrieved[rank]),
                ranks: Some((run.start + 1, run.end)),
                rel: *rel,
                gain: gain(*rel)?,
                discount: settings.needs.gains.then(mean_discount).into(),
            })?;
            for MetricTerms { by_rank, is_sum, .. } in &*terms {
                let term = by_rank.get(rank).copied().unwrap_or_default();
                contributions.try_push(is_sum.then_some(term).into())?;
            }
        }
        let has_terms = metrics.iter().any(|metric| metric.needs == Needs::Levels);
        for (index, rel) in order.unretrieved.iter().filter(|(_, rel)| has_terms || is_missed(*rel)) {
            let (gain, discount) = (gain(Some(*rel))?, settings.needs.gains.then_some(0.0).into());
            let item = ItemIndex::Judged(*index);
            items.try_push(ExplainedItem { item, ranks: None, rel: Some(*rel), gain, discount })?;
            for MetricTerms { terms, is_sum, .. } in &*terms {
                contributions.try_push(is_sum.then(|| terms.of_unretrieved(*rel)).into())?;
            }
        }
        Ok(())
    }

    /// Evaluates the ranking with each missed item in the best place that was free.
    fn find_missed(
        &mut self,
        list: &mut RankedList,
        order: &ItemOrder,
        metrics: &[&Metric],
        k: Option<usize>,
        settings: &Settings,
    ) -> Result<(), Error> {
        let Self { explanation: Explanation { values, items, if_found, .. }, terms, changed, found, .. } =
            self;
        let options = &settings.options;
        // Blocks of tied items, if expected values are needed.
        let score_ends = if options.ties == Ties::Average { &order.run_ends[..] } else { &[] };
        if_found.clear();
        if_found.make_room(items.len() * metrics.len())?;
        found.clear();
        // The place and the relevance of the missed item in `changed`, which most metrics have in common.
        let mut made = None;
        for ExplainedItem { ranks, rel, .. } in items {
            for (index, metric) in metrics.iter().enumerate() {
                let is_missed = ranks.is_none_or(|(first, _)| first > terms[index].may_show);
                let Some(rel) = rel.filter(|rel| is_missed && is_wanted(metric, *rel, options)) else {
                    if_found.push(Nullable::NULL);
                    continue;
                };
                let known = found.iter().find(|(known, of, _)| (*known, *of) == (rel, index));
                if let Some((.., added)) = known {
                    if_found.push(*added);
                    continue;
                }
                let mut added = None;
                if let (Some(rank), Some(before)) = (terms[index].free_rank, values[index].get()) {
                    let is_new = made != Some((rank, rel));
                    if is_new {
                        changed.replace_item(list, (rank, rel), score_ends)?;
                        made = Some((rank, rel));
                    }
                    // The same items are judged. The list gets its truth back before an error is returned.
                    std::mem::swap(&mut changed.truth, &mut list.truth);
                    let prepared = if is_new { changed.prepare(settings) } else { Ok(()) };
                    let after = prepared.and_then(|()| value(metric, &view(changed, metric, k), options));
                    std::mem::swap(&mut changed.truth, &mut list.truth);
                    added = after?.map(|after| after - before);
                }
                found.try_push((rel, index, added.into()))?;
                if_found.push(added.into());
            }
        }
        Ok(())
    }
}

/// The ranking as a metric reads it.
fn view<'a>(list: &'a RankedList, metric: &Metric, k: Option<usize>) -> RankingAtK<'a> {
    RankingAtK::new(list, k.filter(|_| metric.takes_k))
}

/// Whether an item of this relevance adds more to a metric than an unjudged one.
fn is_wanted(metric: &Metric, rel: f64, options: &Options) -> bool {
    match metric.needs {
        Needs::Hits | Needs::HitSums => options.is_relevant(rel),
        Needs::Gains => options.gain(rel).ok() > options.gain(0.0).ok(),
        Needs::Levels => rel > 0.0,
    }
}

#[cfg(test)]
mod tests;
