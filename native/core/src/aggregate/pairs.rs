//! Groups whose rows are scores and relevances of the same items.

use super::{Agreed, Group, Groups, Ranking, Scratch, Terms, rels, room, scores};
use crate::catalogue::Function;
use crate::column::Column;
use crate::options::Ties;
use crate::ranking::Truth;
use crate::scored::{Key, check_score, is_unjudged, key, rel_of, score_of};
use crate::source::Settings;
use crate::{Error, Values};

/// The items of one ranking: those that a cut can show, and what there was to find.
#[derive(Clone, Default)]
pub struct Pairs {
    agreed: Agreed,
    /// How many items were retrieved.
    retrieved: usize,
    /// Retrieved items: all of them where there is no cut, else the best and some more.
    best: Vec<Key>,
    /// The block of tied items that the deepest cut goes through, by relevance, with how many there are of each.
    tied: Vec<(Key, usize)>,
    /// Items that come after this one are beyond the cut.
    last: Option<Key>,
    /// The relevances of judged items that were not retrieved, where there is no cut.
    missed: Vec<f64>,
    judged: usize,
    relevant: usize,
    /// The greatest gains of judged items and some more, where there is a cut.
    ideal: Vec<f64>,
}

impl Group for Pairs {
    fn update<C: Column>(
        function: &'static Function,
        columns: &[C],
        rows: usize,
        groups: &mut impl Groups<Self>,
    ) -> Result<(), Error> {
        let mut terms = Terms::new(function, columns)?;
        let [score_name, rel_name] = [function.inputs()[0], function.inputs()[1]];
        let (score, rel) = (scores(score_name, &columns[0])?, rels(rel_name, &columns[1])?);
        for row in 0..rows {
            let settings = terms.at(row)?;
            let group = groups.of(row);
            group.agreed.agree(settings)?;
            let rel = rel.get(row).map(|rel| settings.check_rel(rel_name, rel)).transpose()?;
            let score = score.get(row).map(|score| check_score(score_name, score)).transpose()?;
            group.push(settings, score, rel)?;
        }
        Ok(())
    }

    fn combine(&mut self, other: &Self) -> Result<(), Error> {
        let Some(settings) = &other.agreed.0 else { return Ok(()) };
        if self.agreed.0.is_none() {
            self.clone_from(other);
            return Ok(());
        }
        self.agreed.agree(settings)?;
        self.retrieved += other.retrieved;
        self.judged += other.judged;
        self.relevant += other.relevant;
        self.missed.extend(&other.missed);
        self.ideal.extend(&other.ideal);
        self.best.extend(&other.best);
        if let Some(k) = settings.deepest {
            self.take_tied(other);
            self.keep_best(settings.options.ties, k);
            keep_greatest(&mut self.ideal, k);
        }
        Ok(())
    }
}

impl Pairs {
    #[inline]
    fn push(&mut self, settings: &Settings, score: Option<f64>, rel: Option<f64>) -> Result<(), Error> {
        if settings.pairs && (score.is_none() || rel.is_none()) {
            return Ok(());
        }
        if let Some(rel) = rel {
            self.judged += 1;
            self.relevant += usize::from(settings.options.is_relevant(rel));
            match settings.deepest {
                Some(k) if settings.needs.gains => {
                    if self.ideal.len() >= room(k) {
                        keep_greatest(&mut self.ideal, k);
                    }
                    self.ideal.push(settings.options.gain(rel)?);
                }
                None if score.is_none() => self.missed.push(rel),
                _ => {}
            }
        }
        let Some(score) = score else { return Ok(()) };
        self.retrieved += 1;
        let ties = settings.options.ties;
        let key = key(score, rel, ties);
        if self.last.is_some_and(|last| key > last) {
            return Ok(());
        }
        if let Some(k) = settings.deepest
            && self.best.len() >= room(k)
        {
            self.keep_best(ties, k);
        }
        self.best.push(key);
        Ok(())
    }

    /// Drops the items that a cut at k cannot show, and counts those which are tied where it is.
    fn keep_best(&mut self, ties: Ties, k: usize) {
        if self.best.len() >= k {
            let (_, last, _) = self.best.select_nth_unstable(k - 1);
            let last = *last;
            if ties != Ties::Average {
                self.best.truncate(k);
                self.last = Some(last);
                return;
            }
            if self.tied.first().is_some_and(|(tied, _)| score_of(*tied) != score_of(last)) {
                self.tied.clear();
            }
            // The last key that there can be of this score.
            self.last = Some(last | Key::from(u64::MAX));
        }
        let Some(last) = self.last else { return };
        let mut kept = 0;
        for index in 0..self.best.len() {
            let key = self.best[index];
            if score_of(key) < score_of(last) {
                self.best[kept] = key;
                kept += 1;
            } else if score_of(key) == score_of(last) {
                count(&mut self.tied, key, 1);
            }
        }
        self.best.truncate(kept);
    }

    /// Takes over the tied items of another group unless they are beyond the cut, and drops all that is beyond it.
    fn take_tied(&mut self, other: &Self) {
        if let Some(last) = other.last {
            if self.last.is_none_or(|known| last < known) {
                self.last = Some(last);
                self.tied.clear();
            }
            if self.last == Some(last) {
                other.tied.iter().for_each(|(key, items)| count(&mut self.tied, *key, *items));
            }
        }
        // Either group may have items beyond the other's cut, also one that had no need of a cut.
        if let Some(last) = self.last {
            self.best.retain(|key| *key <= last);
        }
    }
}

fn count(tied: &mut Vec<(Key, usize)>, key: Key, items: usize) {
    match tied.binary_search_by_key(&key, |(tied, _)| *tied) {
        Ok(place) => tied[place].1 += items,
        Err(place) => tied.insert(place, (key, items)),
    }
}

/// Drops all but the k greatest gains.
fn keep_greatest(gains: &mut Vec<f64>, k: usize) {
    if gains.len() > k {
        gains.select_nth_unstable_by(k - 1, |one, other| other.total_cmp(one));
        gains.truncate(k);
    }
}

impl Ranking for Pairs {
    fn evaluate<'a>(
        &mut self,
        function: &Function,
        scratch: &'a mut Scratch,
    ) -> Result<Option<Values<'a>>, Error> {
        let Some(settings) = self.agreed.0.clone() else { return Ok(None) };
        if self.judged == 0 || settings.no_ks {
            return Ok(None);
        }
        let ties = settings.options.ties;
        let Scratch { row, scored, .. } = scratch;
        row.clear();
        scored.clear();
        let at_cut = self.tied.iter().flat_map(|(key, items)| std::iter::repeat_n(*key, *items));
        scored.extend(self.best.iter().copied().chain(at_cut), ties);
        scored.rank(row, settings.order());
        row.retrieved = self.retrieved;
        if settings.deepest.is_some() {
            row.truth = Truth::Counted { judged: self.judged, relevant: self.relevant };
            row.ideal.clear();
            row.ideal.extend(&self.ideal);
        } else {
            let truth = row.truth.clear();
            truth.extend(&self.missed);
            truth.extend(self.best.iter().map(|key| rel_of(*key, ties)).filter(|rel| !is_unjudged(*rel)));
        }
        scratch.evaluate(function, &settings).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::lookup;

    type Item = (Option<u8>, Option<u8>);

    fn settings(function: &Function, options: &str, ks: &[Option<usize>]) -> Arc<Settings> {
        let mut settings = Settings::new(function);
        settings.set_options(options, function.parse(options).unwrap());
        settings.set_ks(ks.iter().map(|k| Ok(*k))).unwrap();
        Arc::new(settings)
    }

    fn group(settings: &Arc<Settings>, items: &[Item]) -> Pairs {
        let mut group = Pairs::default();
        for (score, rel) in items {
            group.agreed.agree(settings).unwrap();
            group.push(settings, score.map(f64::from), rel.map(f64::from)).unwrap();
        }
        group
    }

    /// The values at the first k.
    fn values(mut group: Pairs, function: &Function) -> Option<Vec<Option<f64>>> {
        let mut scratch = Scratch::default();
        let values = group.evaluate(function, &mut scratch).unwrap()?;
        Some(values.values[..function.metrics.len()].iter().map(|value| value.get()).collect())
    }

    proptest! {
        #[test]
        fn what_a_cut_drops_changes_nothing(
            items in prop::collection::vec((prop::option::weighted(0.9, 0..20_u8), prop::option::of(0..3_u8)), 1..400),
            levels in 1..20_u8,
            k in prop_oneof![1..4_usize, 15..18_usize, 30..70_usize],
            ties in prop::sample::select(vec!["average", "pessimistic", "optimistic"]),
            cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..9),
        ) {
            let items: Vec<Item> =
                items.into_iter().map(|(score, rel)| (score.map(|score| score % levels), rel)).collect();
            for (name, more) in [
                ("rank_metrics_at_agg", ""),
                ("rank_metrics_at_agg", ", ap_steps=threshold"),
                ("rbp_agg", ""),
                ("rbp_agg", ", rbp_gain=linear"),
                ("cg_agg", ""),
                ("idcg_agg", ""),
            ] {
                let function = lookup(name).unwrap();
                let options = format!("ties={ties}{more}");
                // Without a cut, whatever may be wanted is kept.
                let all = settings(function, &options, &[Some(k), None]);
                let expected = values(group(&all, &items), function);

                let settings = settings(function, &options, &[Some(k)]);
                let mut places: Vec<usize> = cuts.iter().map(|(cut, _)| cut.index(items.len())).collect();
                places.extend([0, items.len()]);
                places.sort_unstable();
                let mut groups: Vec<Pairs> =
                    places.windows(2).map(|ends| group(&settings, &items[ends[0]..ends[1]])).collect();
                for (_, into) in &cuts {
                    let group = groups.pop().unwrap();
                    let into = into.index(groups.len());
                    groups[into].combine(&group).unwrap();
                }
                prop_assert_eq!(groups.len(), 1);
                let group = groups.pop().unwrap();
                prop_assert!(group.best.len() <= room(k));
                prop_assert_eq!(values(group, function), expected);
            }
        }
    }
}
