//! Terms beside a reference that goes through all orders of tied items, and computes each term as its formula says.

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::metrics::METRICS;
use crate::needs::AllNeeds;
use crate::options::choices::{
    ApDenominator, ApSteps, Discount, EmptyRec, Ideal, NoRelevant, PrecisionDenominator, RbpGain,
    RecallDenominator,
};
use crate::options::gain::Gain;
use crate::ranking::list::Truth;
use crate::ranking::scored::ScoredItems;

/// An item: its score, greater is better, and its relevance; `None` if it was not retrieved, or is not judged.
type Item = (Option<u8>, Option<i8>);

fn rel((_, rel): Item) -> f64 {
    f64::from(rel.unwrap_or_default())
}

/// The settings of a call at `k` for a ranking that is read whole.
fn settings(options: Options, k: Option<usize>, needs: AllNeeds) -> Settings {
    let mut settings =
        Settings { needs, ks: vec![k], negative_rels: true, reads_whole: true, ..Settings::default() };
    settings.set_options("", options);
    settings
}

const EVERYTHING: AllNeeds =
    AllNeeds { hits: true, judgements: false, hit_sums: true, gains: true, levels: true };

/// The ranking of items as a reader of scores writes it, and its order.
fn scored(items: &[Item], settings: &Settings) -> (RankedList, ItemOrder) {
    let (mut list, mut scored, mut order) =
        (RankedList::default(), ScoredItems::default(), ItemOrder::default());
    list.make_room_for(items.len(), settings).unwrap();
    scored.make_room(items.len()).unwrap();
    for (index, item) in items.iter().enumerate() {
        let judged = item.1.map(|_| rel(*item));
        list.truth = match std::mem::take(&mut list.truth) {
            Truth::Rels(mut rels) => {
                rels.extend(judged);
                Truth::Rels(rels)
            }
            _ => Truth::Rels(judged.into_iter().collect()),
        };
        match item.0 {
            Some(score) => scored.push(score.into(), judged),
            None => order.unretrieved.extend(judged.map(|rel| (index, rel))),
        }
    }
    scored.rank_and_write(&mut list, settings.order(), &mut order, &|one, other| one.cmp(&other)).unwrap();
    let retrieved: Vec<usize> = (0..items.len()).filter(|index| items[*index].0.is_some()).collect();
    order.retrieved.iter_mut().for_each(|index| *index = retrieved[*index]);
    (list, order)
}

/// The ranking of items in the order in which they come, of which all judged ones have relevance 1, as a lookup writes it.
fn looked_up(items: &[Item]) -> (RankedList, ItemOrder) {
    let (mut list, mut order) = (RankedList::default(), ItemOrder::default());
    list.truth = Truth::Ones(items.iter().filter(|item| item.1.is_some()).count());
    for (index, item) in items.iter().enumerate() {
        match (item.0, item.1) {
            (None, Some(_)) => order.unretrieved.push((index, 1.0)),
            (None, None) => {}
            (Some(_), judged) => {
                if judged.is_some() {
                    list.ranks.push(list.retrieved);
                    list.match_count += 1;
                }
                order.retrieved.push(index);
                list.retrieved += 1;
            }
        }
    }
    (list, order)
}

/// The order in which a rule ranks tied items: less comes first, and equal items in any order.
fn tie_key(ties: Ties, index: usize, item: Item) -> (i64, bool) {
    let (rel, judged) = (i64::from(item.1.unwrap_or_default()), item.1.is_some());
    match ties {
        Ties::Average => (0, false),
        Ties::Pessimistic => (rel, judged),
        Ties::Optimistic => (-rel, !judged),
        _ => (i64::try_from(index).unwrap(), false),
    }
}

/// Every order of the retrieved items that is possible: descending by score, and by the rule for ties.
fn orders(items: &[Item], ties: Ties, unjudged: Unjudged) -> Vec<Vec<usize>> {
    let key = |index: usize| {
        let item = items[index];
        (-i64::from(item.0.unwrap()), tie_key(ties, index, item))
    };
    let mut orders = vec![Vec::new()];
    let is_ranked = |(score, rel): Item| score.is_some() && (rel.is_some() || unjudged == Unjudged::Zero);
    let mut left: Vec<usize> = (0..items.len()).filter(|index| is_ranked(items[*index])).collect();
    left.sort_by_key(|index| key(*index));
    for _ in 0..left.len() {
        orders = orders
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                let rest: Vec<usize> = left.iter().copied().filter(|index| !order.contains(index)).collect();
                let best = key(rest[0]);
                let first = rest.into_iter().filter(move |index| key(*index) == best);
                first.map(|next| [&order[..], &[next]].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    orders
}

fn gain_of(rel: f64, options: &Options) -> f64 {
    match &options.gain {
        Gain::Exp2 => rel.exp2() - 1.0,
        Gain::Linear => rel,
        Gain::Binary => f64::from(rel >= options.min_rel),
        Gain::Grades(gains) => {
            (0..).zip(gains).find(|(grade, _)| f64::from(*grade) == rel).map_or(0.0, |(_, gain)| *gain)
        }
    }
}

/// The discount at a rank, counted from 1.
fn discount_at(rank: usize, options: &Options) -> f64 {
    let rank = rank as f64;
    match options.discount {
        Discount::Log2 => 1.0 / (rank + 1.0).log2(),
        Discount::Log2Clip => 1.0 / rank.max(2.0).log2(),
        Discount::Ln => 1.0 / (rank + 1.0).ln(),
    }
}

fn wanted(metric: &Metric, rel: f64, options: &Options) -> bool {
    match metric.needs {
        Needs::Hits | Needs::HitSums | Needs::Judgements => rel >= options.min_rel,
        Needs::Gains => gain_of(rel, options) > gain_of(0.0, options),
        Needs::Levels => rel > 0.0,
    }
}

fn relevant(truth: &[f64], options: &Options) -> usize {
    truth.iter().filter(|rel| **rel >= options.min_rel).count()
}

/// The cutoff of a metric; that of R-precision is R.
fn cutoff_of(metric: &Metric, truth: &[f64], k: Option<usize>, options: &Options) -> Option<usize> {
    match metric.short_name() {
        "r_precision" => Some(relevant(truth, options)),
        _ => k.filter(|_| metric.takes_k),
    }
}

/// The term of each item in one order of the retrieved ones, as the formula of the metric says. `truth` has the relevances
/// of all judged items. `None` if the metric is not defined.
fn terms_of(
    metric: &Metric,
    items: &[Item],
    order: &[usize],
    truth: &[f64],
    k: Option<usize>,
    options: &Options,
) -> Option<Vec<f64>> {
    let mut terms = vec![0.0; items.len()];
    let relevant = relevant(truth, options);
    let k = cutoff_of(metric, truth, k, options);
    let depth = k.unwrap_or(order.len()).min(order.len());
    let places = k.unwrap_or(depth);
    let top = &order[..depth];
    let is_hit = |index: &usize| rel(items[*index]) >= options.min_rel;
    let hits_to = |end: usize| top[..end].iter().filter(|index| is_hit(index)).count() as f64;
    let findable = relevant.min(k.unwrap_or(relevant));
    let of_precision =
        if options.precision_denominator == PrecisionDenominator::K { places } else { depth } as f64;
    let of_recall =
        if options.recall_denominator == RecallDenominator::Truth { relevant } else { findable } as f64;
    let mut ideal: Vec<f64> = truth.iter().map(|rel| gain_of(*rel, options)).collect();
    ideal.sort_by(|one, other| other.total_cmp(one));
    let is_defined = match metric.needs {
        Needs::Hits | Needs::HitSums => relevant > 0,
        Needs::Judgements => !truth.is_empty(),
        Needs::Gains => ideal.first().is_some_and(|gain| *gain > 0.0),
        Needs::Levels => true,
    };
    if !is_defined {
        return None;
    }
    ideal.truncate(match options.ideal {
        Ideal::Truth => k.unwrap_or(truth.len()),
        _ => depth,
    });
    if options.ideal == Ideal::K {
        ideal = vec![1.0; places];
    }
    let ideal: f64 = (1..).zip(&ideal).map(|(rank, gain)| gain * discount_at(rank, options)).sum();
    let mut looking = 1.0;
    for (above, index) in top.iter().enumerate() {
        let (rank, hit, rel) = (above + 1, f64::from(u8::from(is_hit(index))), rel(items[*index]));
        let gain = gain_of(rel, options);
        terms[*index] = match metric.short_name() {
            "precision" => hit / of_precision,
            "recall" => hit / of_recall,
            "f1" => {
                let weight = options.beta.powi(2);
                (1.0 + weight) * hit / (of_precision + weight * of_recall)
            }
            "r_precision" => hit / relevant as f64,
            "relative_precision" => hit / places.min(relevant) as f64,
            "mrr" if hits_to(above) == 0.0 => hit / rank as f64,
            "average_precision" => {
                let mut measured = rank;
                while options.ap_steps == ApSteps::Threshold
                    && measured < depth
                    && items[order[measured]].0 == items[*index].0
                {
                    measured += 1;
                }
                let denominator = match options.ap_denominator {
                    ApDenominator::Truth => relevant as f64,
                    ApDenominator::MinTruthK => findable as f64,
                    ApDenominator::Hits => hits_to(depth),
                    ApDenominator::K => places as f64,
                    ApDenominator::MinTruthRetrieved => relevant.min(depth) as f64,
                };
                if hit == 0.0 { 0.0 } else { hits_to(measured) / measured as f64 / denominator }
            }
            "dcg" => gain * discount_at(rank, options),
            "ndcg" => gain * discount_at(rank, options) / ideal,
            "sdcg" => gain / options.max_rel * discount_at(rank, options) / ideal,
            "cg" => gain,
            "rbp" => {
                let hit = if options.rbp_gain == RbpGain::Linear { hit * rel } else { hit };
                (1.0 - options.p) * hit * options.p.powi(i32::try_from(above).unwrap())
            }
            "err" => {
                let stops = gain / options.max_rel.exp2();
                let term = looking * stops / rank as f64;
                looking *= 1.0 - stops;
                term
            }
            _ => 0.0,
        };
    }
    if metric.short_name() == "rankdcg" {
        write_rankdcg_terms(items, order, truth, &mut terms)?;
    }
    Some(terms)
}

/// The terms of rankDCG: what each item has at its rank beyond the item that the worst order has there.
fn write_rankdcg_terms(items: &[Item], order: &[usize], truth: &[f64], terms: &mut [f64]) -> Option<()> {
    let mut all = order.to_vec();
    let mut rels: Vec<f64> = all.iter().map(|index| rel(items[*index])).collect();
    // Judged items that were not retrieved come last, in the worst order.
    let mut rest = truth.to_vec();
    for index in all.iter().filter(|index| items[**index].1.is_some()) {
        let known = rest.iter().position(|rest| *rest == rel(items[*index])).unwrap();
        rest.remove(known);
    }
    rest.sort_by(f64::total_cmp);
    rels.extend(&rest);
    let mut perfect = rels.clone();
    perfect.sort_by(|one, other| other.total_cmp(one));
    let mut levels = perfect.clone();
    levels.dedup();
    if levels.len() < 2 {
        return None;
    }
    let level = |rel: f64| levels.iter().position(|level| *level == rel).unwrap();
    let relative = |rel: f64| (levels.len() - level(rel)) as f64;
    let divisor = |place: usize| (level(perfect[place]) + 1) as f64;
    let sum = |rels: &[f64]| -> f64 {
        rels.iter().enumerate().map(|(place, rel)| relative(*rel) / divisor(place)).sum()
    };
    let worst: Vec<f64> = perfect.iter().rev().copied().collect();
    let range = sum(&perfect) - sum(&worst);
    let term = |place: usize| (relative(rels[place]) - relative(worst[place])) / divisor(place) / range;
    let retrieved = all.len();
    for place in 0..retrieved {
        terms[all[place]] = term(place);
    }
    // Items that were not retrieved share the ranks of their relevance evenly.
    all.clear();
    for index in (0..items.len()).filter(|index| items[*index].0.is_none() && items[*index].1.is_some()) {
        let places = (retrieved..rels.len()).filter(|place| rels[*place] == rel(items[index]));
        terms[index] = places.clone().map(term).sum::<f64>() / places.count() as f64;
    }
    Some(())
}

/// The expected term of each item, over all orders of tied items.
fn expected_terms(
    metric: &Metric,
    items: &[Item],
    truth: &[f64],
    k: Option<usize>,
    options: &Options,
) -> Option<Vec<f64>> {
    mean_over(&orders(items, options.ties, options.unjudged), |order| {
        terms_of(metric, items, order, truth, k, options)
    })
}

fn mean_over(orders: &[Vec<usize>], terms: impl Fn(&[usize]) -> Option<Vec<f64>>) -> Option<Vec<f64>> {
    let each: Vec<Vec<f64>> = orders.iter().map(|order| terms(order)).collect::<Option<_>>()?;
    let mean = |index: usize| each.iter().map(|terms| terms[index]).sum::<f64>() / each.len() as f64;
    Some((0..each[0].len()).map(mean).collect())
}

/// The value if the missed item `found` had had the best place that was free; `None` if there was none.
fn value_if_found(
    metric: &Metric,
    items: &[Item],
    truth: &[f64],
    found: usize,
    k: Option<usize>,
    options: &Options,
) -> Option<f64> {
    let k_of_metric = cutoff_of(metric, truth, k, options);
    let every_order = orders(items, options.ties, options.unjudged);
    let depth = k_of_metric.unwrap_or(usize::MAX).min(every_order[0].len());
    let sum = |terms: Vec<f64>| terms.iter().sum::<f64>();
    // The item leaves the place that it had, among those not retrieved or below the cutoff.
    let mut changed = items.to_vec();
    let found_rel = changed[found].1.take();
    let is_free = |index: &&usize| !wanted(metric, rel(items[**index]), options);
    // With expected values, an irrelevant item gives its score away, the worst of the best score that has any; else, its
    // place.
    let ties = if options.ties == Ties::Average { Ties::Pessimistic } else { options.ties };
    let listed = orders(items, ties, options.unjudged);
    let places: Vec<Option<usize>> =
        listed.iter().map(|order| order[..depth].iter().position(|index| is_free(&index))).collect();
    assert!(places.iter().all(|place| *place == places[0]));
    let Some(place) = places[0] else {
        if k_of_metric.is_some_and(|k| k <= depth) {
            return None;
        }
        // It comes after all others, whose order stays the same.
        for (score, _) in &mut changed {
            *score = score.map(|score| score + 1);
        }
        changed.push((Some(0), found_rel));
        let terms = mean_over(&every_order, |order| {
            let order = [order, &[items.len()]].concat();
            terms_of(metric, &changed, &order, truth, k, options)
        });
        return terms.map(sum);
    };
    if options.ties == Ties::Average {
        changed[listed[0][place]].1 = found_rel;
        let gone = (None, items[listed[0][place]].1);
        changed.push(gone);
        return expected_terms(metric, &changed, truth, k, options).map(sum);
    }
    let terms = mean_over(&listed, |order| {
        let mut changed = changed.clone();
        changed[order[place]].1 = found_rel;
        changed.push((None, items[order[place]].1));
        terms_of(metric, &changed, order, truth, k, options)
    });
    terms.map(sum)
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-12 * one.abs().max(1.0)
}

/// The index of an parts item among all items.
fn index_of(item: &ExplainedItem) -> usize {
    item.retrieved.or(item.judged).unwrap()
}

/// Compares the explanation of the value of each metric of one ranking with the reference.
fn check(
    metrics: &[&'static Metric],
    items: &[Item],
    ranking: impl Fn() -> (RankedList, ItemOrder),
    settings: &Settings,
) {
    let (options, k) = (&settings.options, settings.ks[0]);
    let truth: Vec<f64> = items.iter().filter(|item| item.1.is_some()).map(|item| rel(*item)).collect();
    let mut explainer = Explainer::default();
    let every_order = orders(items, options.ties, options.unjudged);
    for metric in metrics {
        let name = metric.name;
        let (mut list, mut order) = ranking();
        let parts = explainer.explain(&mut list, &mut order, metric, settings).unwrap();
        let terms = parts.iter().map(|item| item.contribution.get());
        let value = parts.first().and_then(|item| item.value.get());
        let Some(expected) = expected_terms(metric, items, &truth, k, options) else {
            assert!(terms.clone().all(|term| term.is_none_or(|term| term == 0.0)), "{name}");
            continue;
        };
        let sum: f64 = terms.clone().map(|term| term.unwrap()).sum();
        assert!(close(sum, value.unwrap_or_default()), "{name}: {sum} {value:?}");
        let mut shown = vec![0.0; items.len()];
        parts.iter().zip(terms).for_each(|(item, term)| shown[index_of(item)] = term.unwrap());
        for (shown, expected) in shown.iter().zip(&expected) {
            assert!(close(*shown, *expected), "{name}: {shown:?} {expected:?} {items:?} {k:?} {options:?}");
        }
        let depth = cutoff_of(metric, &truth, k, options).unwrap_or(usize::MAX);
        for item in parts {
            let index = index_of(item);
            let may_show = every_order.iter().any(|order| order.iter().take(depth).any(|at| *at == index));
            let is_missed = !may_show && item.rel.get().is_some_and(|rel| wanted(metric, rel, options));
            let after =
                if is_missed { value_if_found(metric, items, &truth, index, k, options) } else { None };
            let added = after.map(|after| after - value.unwrap());
            let if_found = item.if_found.get();
            let is_same = match (added, if_found) {
                (Some(one), Some(other)) => close(one, other),
                (one, other) => one == other,
            };
            assert!(is_same, "{name}: {added:?} {if_found:?} {items:?} {k:?} {options:?}");
            assert_eq!(item.value.get(), value);
            assert_eq!(item.rel.get(), items[index].1.map(f64::from));
            let ranks = every_order.iter().filter_map(|order| order.iter().position(|at| *at == index));
            let (first, end) = (ranks.clone().min(), ranks.clone().max().map(|last| last + 1));
            assert_eq!(item.ranks, first.zip(end).map(|(first, end)| (first + 1, end)));
            let [gain, discount] = [item.gain.get(), item.discount.get()];
            let expected = (metric.needs == Needs::Gains).then(|| gain_of(rel(items[index]), options));
            assert!(
                gain.is_some() == expected.is_some()
                    && gain.zip(expected).is_none_or(|(one, other)| close(one, other))
            );
            if !["ndcg", "dcg", "sdcg"].contains(&name) {
                assert_eq!(discount, None);
                continue;
            }
            let in_top = ranks.clone().filter(|at| k.is_none_or(|k| *at < k));
            let sum: f64 = in_top.map(|at| discount_at(at + 1, options)).sum();
            assert!(close(discount.unwrap(), sum / ranks.count().max(1) as f64));
        }
    }
}

/// The metrics whose values are sums. ERR takes no option `gain`, and SDCG neither that nor `idcg`.
fn sums(options: &Options) -> Vec<&'static Metric> {
    let has_own = |metric: &&Metric| match metric.name {
        "err" => options.gain == Gain::Exp2,
        "sdcg" => options.gain == Gain::Linear && options.ideal == Ideal::K,
        _ => true,
    };
    METRICS.iter().copied().filter(|metric| metric.terms.is_some()).filter(has_own).collect()
}

fn any_options() -> impl Strategy<Value = Options> {
    let binary = (
        select(vec![PrecisionDenominator::Retrieved, PrecisionDenominator::K]),
        select(vec![RecallDenominator::Truth, RecallDenominator::MinTruthK]),
        select(vec![
            ApDenominator::Truth,
            ApDenominator::MinTruthK,
            ApDenominator::Hits,
            ApDenominator::K,
            ApDenominator::MinTruthRetrieved,
        ]),
        select(vec![ApSteps::Rank, ApSteps::Threshold]),
        select(vec![Options::default().min_rel, 2.0]),
        select(vec![RbpGain::Binary, RbpGain::Linear]),
        (0.1..0.9, select(vec![1.0, 0.5, 3.0])),
    );
    let graded = (
        select(vec![Gain::Exp2, Gain::Linear, Gain::Binary, Gain::Grades(vec![1.0, 3.0, 7.0, 8.0])]),
        select(vec![Discount::Log2, Discount::Log2Clip, Discount::Ln]),
        select(vec![Ideal::Truth, Ideal::Retrieved, Ideal::K]),
        select(vec![Unjudged::Zero, Unjudged::Skip]),
        select(vec![Ties::Average, Ties::Average, Ties::Pessimistic, Ties::Optimistic, Ties::InputOrder]),
    );
    (binary, graded).prop_map(|(binary, (gain, discount, ideal, unjudged, ties))| {
        let (
            precision_denominator,
            recall_denominator,
            ap_denominator,
            ap_steps,
            min_rel,
            rbp_gain,
            (p, beta),
        ) = binary;
        Options {
            precision_denominator,
            recall_denominator,
            ap_denominator,
            ap_steps,
            min_rel,
            rbp_gain,
            p,
            beta,
            gain,
            discount,
            ideal,
            unjudged,
            ties,
            max_rel: 4.0,
            ..Options::default()
        }
    })
}

/// At most six retrieved items, and at most three others.
fn any_items(rels: std::ops::Range<i8>) -> impl Strategy<Value = Vec<Item>> {
    let score = (0..4_u8).prop_map(Some);
    let rel = prop::option::weighted(0.7, rels);
    let retrieved = prop::collection::vec((score, rel.clone()), 0..7);
    (retrieved, prop::collection::vec((Just(None), rel), 0..4))
        .prop_map(|(retrieved, others)| [retrieved, others].concat())
        .prop_shuffle()
}

proptest! {
    #[test]
    fn terms_are_those_of_the_formulas(
        items in any_items(0..4),
        options in any_options(),
        k in prop::option::of(1..8_usize),
    ) {
        let settings = settings(options, k, EVERYTHING);
        check(&sums(&settings.options), &items, || scored(&items, &settings), &settings);
    }

    #[test]
    fn items_in_the_order_of_a_list_have_no_ties(
        items in any_items(1..2),
        options in any_options(),
        k in prop::option::of(1..8_usize),
    ) {
        // Scores by which the order of the list is that of the ranking.
        let items: Vec<Item> = (0..9_u8).rev().zip(items)
            .map(|(score, (retrieved, rel))| (retrieved.map(|_| score), rel)).collect();
        let settings = settings(Options { ap_steps: ApSteps::Rank, ..options }, k, EVERYTHING);
        // rankDCG refuses truth without relevances.
        let metrics = sums(&settings.options);
        let metrics: Vec<_> = metrics.into_iter().filter(|metric| metric.needs != Needs::Levels).collect();
        check(&metrics, &items, || looked_up(&items), &settings);
    }

    #[test]
    fn terms_of_long_rankings_add_up_to_the_value(
        items in prop::collection::vec((prop::option::weighted(0.9, 0..40_u8), prop::option::weighted(0.4, 0..4_i8)), 0..300),
        options in any_options(),
        k in prop::option::of(1..200_usize),
    ) {
        let settings = settings(options, k, EVERYTHING);
        let metrics = sums(&settings.options);
        let mut explainer = Explainer::default();
        for metric in metrics {
            let (mut list, mut order) = scored(&items, &settings);
            let parts = explainer.explain(&mut list, &mut order, metric, &settings).unwrap();
            let sum: Option<f64> = parts.iter().map(|item| item.contribution.get()).sum();
            let value = parts.first().and_then(|item| item.value.get());
            if let (Some(sum), Some(value)) = (sum, value) {
                prop_assert!(close(sum, value), "{}: {sum} {value}", metric.name);
            }
        }
    }

    #[test]
    fn relevances_below_0_have_terms_in_rankdcg(items in any_items(-2..3), options in any_options()) {
        let settings = settings(options, None, AllNeeds { levels: true, ..AllNeeds::default() });
        check(&[&crate::metrics::rankdcg::METRIC], &items, || scored(&items, &settings), &settings);
    }
}

/// The terms of a metric with default options, in the order of the items.
fn added(metric: &'static Metric, items: &[Item], k: Option<usize>) -> Vec<f64> {
    let settings = settings(Options::default(), k, EVERYTHING);
    let (mut list, mut order) = scored(items, &settings);
    let mut explainer = Explainer::default();
    let parts = explainer.explain(&mut list, &mut order, metric, &settings).unwrap();
    let mut added = vec![0.0; items.len()];
    for item in parts {
        added[index_of(item)] = item.contribution.get().unwrap();
    }
    added
}

#[test]
fn a_cut_through_equal_items_is_shared_beside_a_block_below_it() {
    // R is 3, so the cut goes through the two hits of score 2: the one is in the top 3 as often as the other.
    let items = [(3, None), (3, None), (2, Some(3)), (2, Some(3)), (1, None), (1, Some(2))];
    let items = items.map(|(score, rel)| (Some(score), rel));
    let added = added(&crate::metrics::r_precision::METRIC, &items, None);
    let expected = [0.0, 0.0, 1.0 / 6.0, 1.0 / 6.0, 0.0, 0.0];
    assert!(added.iter().zip(expected).all(|(one, other)| close(*one, other)), "{added:?}");
}

#[test]
fn the_perfect_order_of_rankdcg_gains_at_the_top_what_the_worst_order_has_below() {
    // Levels 3, 2, 1 over 1, 2, 3 against 1, 2, 3: the range is (3 - 1) / 1 + 0 + (1 - 3) / 3 = 4 / 3.
    let items = [(Some(9), Some(7)), (Some(8), Some(5)), (Some(7), Some(1))];
    let added = added(&crate::metrics::rankdcg::METRIC, &items, None);
    assert!(added.iter().zip([1.5, 0.0, -0.5]).all(|(one, other)| close(*one, other)), "{added:?}");
}

#[test]
fn values_that_rules_give_have_no_terms() {
    let one = Options { no_relevant: NoRelevant::One, ..Options::default() };
    let null = Options { empty_rec: EmptyRec::Null, ..Options::default() };
    for (options, items, value) in
        [(one, [(Some(1), None); 2], Some(1.0)), (null, [(None, Some(1)); 2], None)]
    {
        let settings = settings(options, None, EVERYTHING);
        for metric in [&crate::metrics::recall::METRIC, &crate::metrics::ndcg::METRIC] {
            let (mut list, mut order) = scored(&items, &settings);
            let mut explainer = Explainer::default();
            let parts = explainer.explain(&mut list, &mut order, metric, &settings).unwrap();
            assert_eq!(parts.len(), 2);
            assert!(parts.iter().all(|item| item.value.get() == value));
            assert!(parts.iter().all(|item| item.contribution.get().is_none()));
        }
    }
}

#[test]
fn missed_items_of_many_relevances_are_refused() {
    let parts = |rel: fn(u32) -> f64, metric| {
        let settings = settings(Options::default(), Some(1), EVERYTHING);
        let mut list = RankedList::default();
        list.retrieved = 1;
        list.truth = Truth::Rels((0..20_000).map(rel).collect());
        let unretrieved = (0..20_000).map(|number| (number as usize, rel(number))).collect();
        let mut order = ItemOrder { retrieved: vec![0], unretrieved, ..ItemOrder::default() };
        Explainer::default().explain(&mut list, &mut order, metric, &settings).map(<[_]>::len)
    };
    let distinct = |number| 1.0 + f64::from(number) / 1e5;
    let error = parts(distinct, &crate::metrics::ndcg::METRIC).unwrap_err().to_string();
    assert!(error.starts_with("too many missed items differ in relevance"), "{error}");
    assert_eq!(parts(distinct, &crate::metrics::mrr::METRIC), Ok(20_001));
    assert_eq!(parts(|number| f64::from(number % 4 + 1), &crate::metrics::ndcg::METRIC), Ok(20_001));
}
