//! Groups whose rows are scores and relevances of the same items.

use std::sync::Arc;

use super::{Agreed, Group, Groups, Ranking, Scores, Scratch, Terms, rels, room};
use crate::catalogue::Function;
use crate::column::{Column, Numbers};
use crate::error::bail;
use crate::options::Ties;
use crate::ranking::Truth;
use crate::scored::{Score, code_of_rel, is_unjudged, rel_of_code};
use crate::source::Settings;
use crate::{Error, Values};

/// The items of one ranking.
#[derive(Clone, Default)]
pub struct Pairs {
    agreed: Agreed,
    items: Items,
}

/// The items of a group, by the width of their scores.
#[derive(Clone, Default)]
enum Items {
    #[default]
    None,
    Narrow(Best<u64>),
    Wide(Best<u128>),
}

/// Scores that a group can have.
trait Kept: Score {
    /// The items of a group, if their scores are of this width.
    fn of(items: &mut Items) -> Option<&mut Best<Self>>;
}

macro_rules! kept {
    ($score:ty, $variant:ident) => {
        impl Kept for $score {
            fn of(items: &mut Items) -> Option<&mut Best<Self>> {
                if let Items::None = items {
                    *items = Items::$variant(Best::default());
                }
                if let Items::$variant(best) = items { Some(best) } else { None }
            }
        }
    };
}
kept!(u64, Narrow);
kept!(u128, Wide);

/// The items that a cut can show, and what there was to find.
#[derive(Clone)]
struct Best<S: Score> {
    /// How many items were retrieved.
    retrieved: usize,
    /// Retrieved items: all of them where there is no cut, else the best and some more.
    keys: Vec<S::Key>,
    /// The block of tied items that the deepest cut goes through, by relevance, with how many there are of each.
    tied: Vec<(S::Key, usize)>,
    /// Items that come after this one are beyond the cut.
    last: Option<S::Key>,
    /// The relevances of judged items that were not retrieved, where there is no cut.
    missed: Vec<f64>,
    judged: usize,
    relevant: usize,
    /// The greatest gains of judged items and some more, where there is a cut.
    ideal: Vec<f64>,
}

impl<S: Score> Default for Best<S> {
    fn default() -> Self {
        Self {
            retrieved: 0,
            keys: Vec::new(),
            tied: Vec::new(),
            last: None,
            missed: Vec::new(),
            judged: 0,
            relevant: 0,
            ideal: Vec::new(),
        }
    }
}

impl Group for Pairs {
    fn update<C: Column>(
        function: &'static Function,
        columns: &[C],
        rows: usize,
        groups: &mut impl Groups<Self>,
    ) -> Result<(), Error> {
        let [score_name, rel_name] = [function.inputs()[0], function.inputs()[1]];
        let (score, rel) = (Scores::new(score_name, &columns[0])?, rels(rel_name, &columns[1])?);
        let mut terms = Terms::new(function, columns, score.are_exact())?;
        if score.are_wide() {
            read::<u128, C>(&score, (rel_name, &rel), rows, &mut terms, groups)
        } else {
            read::<u64, C>(&score, (rel_name, &rel), rows, &mut terms, groups)
        }
    }

    fn combine(&mut self, other: &Self) -> Result<(), Error> {
        let Some(settings) = &other.agreed.0 else { return Ok(()) };
        if self.agreed.0.is_none() {
            self.clone_from(other);
            return Ok(());
        }
        self.agreed.agree(settings)?;
        match (&mut self.items, &other.items) {
            (_, Items::None) => {}
            (Items::Narrow(one), Items::Narrow(other)) => one.combine(other, settings),
            (Items::Wide(one), Items::Wide(other)) => one.combine(other, settings),
            (items @ Items::None, other) => items.clone_from(other),
            _ => bail!("internal error: scores came in two forms"),
        }
        Ok(())
    }
}

/// Reads each row into its group.
fn read<S: Kept, C: Column>(
    score: &Scores,
    (rel_name, rel): (&str, &Numbers),
    rows: usize,
    terms: &mut Terms<C>,
    groups: &mut impl Groups<Pairs>,
) -> Result<(), Error> {
    for row in 0..rows {
        let settings = terms.at(row)?;
        let group = groups.of(row);
        group.agreed.agree(settings)?;
        let rel = rel.get(row).map(|rel| settings.check_rel(rel_name, rel)).transpose()?;
        let score = score.get(row, settings)?;
        let Some(items) = S::of(&mut group.items) else {
            bail!("internal error: scores came in two forms");
        };
        items.push(settings, score, rel)?;
    }
    Ok(())
}

impl<S: Score> Best<S> {
    #[inline]
    fn push(&mut self, settings: &Settings, score: Option<S>, rel: Option<f64>) -> Result<(), Error> {
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
        let key = score.key(code_of_rel(rel, ties));
        if self.last.is_some_and(|last| key > last) {
            return Ok(());
        }
        if let Some(k) = settings.deepest
            && self.keys.len() >= room(k)
        {
            self.keep_best(ties, k);
        }
        self.keys.push(key);
        Ok(())
    }

    fn combine(&mut self, other: &Self, settings: &Settings) {
        self.retrieved += other.retrieved;
        self.judged += other.judged;
        self.relevant += other.relevant;
        self.missed.extend(&other.missed);
        self.ideal.extend(&other.ideal);
        self.keys.extend(&other.keys);
        if let Some(k) = settings.deepest {
            self.take_tied(other);
            self.keep_best(settings.options.ties, k);
            keep_greatest(&mut self.ideal, k);
        }
    }

    /// Drops the items that a cut at k cannot show, and counts those which are tied where it is.
    fn keep_best(&mut self, ties: Ties, k: usize) {
        if self.keys.len() >= k {
            let (_, last, _) = self.keys.select_nth_unstable(k - 1);
            let last = *last;
            if ties != Ties::Average {
                self.keys.truncate(k);
                self.last = Some(last);
                return;
            }
            if self.tied.first().is_some_and(|(tied, _)| score_of::<S>(*tied) != score_of::<S>(last)) {
                self.tied.clear();
            }
            // The last key that there can be of this score.
            self.last = Some(score_of::<S>(last).key(u64::MAX));
        }
        let Some(last) = self.last.map(score_of::<S>) else { return };
        let mut kept = 0;
        for index in 0..self.keys.len() {
            let key = self.keys[index];
            let score = score_of::<S>(key);
            if score < last {
                self.keys[kept] = key;
                kept += 1;
            } else if score == last {
                count(&mut self.tied, key, 1);
            }
        }
        self.keys.truncate(kept);
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
            self.keys.retain(|key| *key <= last);
        }
    }

    /// The function's values for the ranking; `None` where nothing was judged.
    fn evaluate<'a>(
        &self,
        function: &Function,
        settings: &Arc<Settings>,
        scratch: &'a mut Scratch,
    ) -> Result<Option<Values<'a>>, Error> {
        if self.judged == 0 || settings.no_ks {
            return Ok(None);
        }
        let ties = settings.options.ties;
        let Scratch { row, scored, .. } = scratch;
        row.clear();
        scored.clear();
        let at_cut = self.tied.iter().flat_map(|(key, items)| std::iter::repeat_n(*key, *items));
        let keys = self.keys.iter().copied().chain(at_cut).map(S::parts);
        let rels = keys.clone().map(|(_, rel)| rel_of_code(rel, ties));
        scored.extend(keys.map(|(score, _)| score), settings.exact, rels);
        scored.rank(row, settings.order());
        row.retrieved = self.retrieved;
        if settings.deepest.is_some() {
            row.truth = Truth::Counted { judged: self.judged, relevant: self.relevant };
            row.ideal.rewrite().clone_from(&self.ideal);
        } else {
            let truth = row.truth.clear();
            truth.extend(&self.missed);
            let rels = self.keys.iter().map(|key| rel_of_code(S::parts(*key).1, ties));
            truth.extend(rels.filter(|rel| !is_unjudged(*rel)));
        }
        scratch.evaluate(function, settings).map(Some)
    }
}

fn score_of<S: Score>(key: S::Key) -> S {
    S::parts(key).0
}

fn count<K: Copy + Ord>(tied: &mut Vec<(K, usize)>, key: K, items: usize) {
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
        let Some(settings) = &self.agreed.0 else { return Ok(None) };
        match &self.items {
            Items::None => Ok(None),
            Items::Narrow(best) => best.evaluate(function, settings, scratch),
            Items::Wide(best) => best.evaluate(function, settings, scratch),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;
    use crate::lookup;
    use crate::scored::levels::{NARROW, WIDE};

    type Item = (Option<u8>, Option<u8>);

    fn settings(function: &Function, options: &str, ks: &[Option<usize>]) -> Arc<Settings> {
        let mut settings = Settings::new(function);
        settings.set_options(options, function.parse(options).unwrap());
        settings.set_ks(ks.iter().map(|k| Ok(*k))).unwrap();
        Arc::new(settings)
    }

    /// A group of items whose scores are integers if the settings say so, else floating point.
    fn group<S: Kept>(settings: &Arc<Settings>, items: &[Item], score: impl Fn(u8) -> S) -> Pairs {
        let mut group = Pairs::default();
        for (level, rel) in items {
            group.agreed.agree(settings).unwrap();
            let items = S::of(&mut group.items).unwrap();
            items.push(settings, level.map(&score), rel.map(f64::from)).unwrap();
        }
        group
    }

    impl Items {
        /// How many retrieved items are kept.
        fn len(&self) -> usize {
            match self {
                Self::None => 0,
                Self::Narrow(items) => items.keys.len(),
                Self::Wide(items) => items.keys.len(),
            }
        }
    }

    /// The values at the first k.
    fn values(mut group: Pairs, function: &Function) -> Option<Vec<Option<f64>>> {
        let mut scratch = Scratch::default();
        let values = group.evaluate(function, &mut scratch).unwrap()?;
        Some(values.values[..function.metrics.len()].iter().map(|value| value.get()).collect())
    }

    /// The values of a group that comes in parts.
    fn in_parts<S: Kept>(
        settings: &Arc<Settings>,
        function: &Function,
        items: &[Item],
        cuts: &[(Index, Index)],
        score: impl Fn(u8) -> S,
    ) -> Option<Vec<Option<f64>>> {
        let mut places: Vec<usize> = cuts.iter().map(|(cut, _)| cut.index(items.len())).collect();
        places.extend([0, items.len()]);
        places.sort_unstable();
        let parts = places.windows(2).map(|ends| group(settings, &items[ends[0]..ends[1]], &score));
        let mut groups: Vec<Pairs> = parts.collect();
        for (_, into) in cuts {
            let group = groups.pop().unwrap();
            let into = into.index(groups.len());
            groups[into].combine(&group).unwrap();
        }
        let group = groups.pop().unwrap();
        assert!(groups.is_empty());
        assert!(group.items.len() <= room(settings.deepest.unwrap()));
        values(group, function)
    }

    /// The same settings for scores that are integers.
    fn exactly(settings: &Settings) -> Arc<Settings> {
        let mut settings = Settings::clone(settings);
        settings.exact = true;
        Arc::new(settings)
    }

    proptest! {
        #[test]
        fn what_a_cut_drops_changes_nothing(
            items in prop::collection::vec((prop::option::weighted(0.9, 0..20_u8), prop::option::of(0..3_u8)), 1..400),
            levels in 1..20_u8,
            k in prop_oneof![1..4_usize, 15..18_usize, 30..70_usize],
            ties in prop::sample::select(vec!["average", "pessimistic", "optimistic"]),
            cuts in prop::collection::vec((any::<Index>(), any::<Index>()), 0..9),
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
                let expected = values(group(&all, &items, |level| u64::of_float(level.into())), function);

                let cut = settings(function, &options, &[Some(k)]);
                let float = |level: u8| u64::of_float(level.into());
                prop_assert_eq!(&in_parts(&cut, function, &items, &cuts, float), &expected);
                for of in NARROW {
                    let score = |level| u64::of_integer(of(level));
                    prop_assert_eq!(&in_parts(&exactly(&cut), function, &items, &cuts, score), &expected);
                    prop_assert_eq!(&values(group(&exactly(&all), &items, score), function), &expected);
                }
                for of in WIDE {
                    let score = |level| u128::of_integer(of(level));
                    prop_assert_eq!(&in_parts(&exactly(&cut), function, &items, &cuts, score), &expected);
                    prop_assert_eq!(&values(group(&exactly(&all), &items, score), function), &expected);
                }
            }
        }
    }
}
