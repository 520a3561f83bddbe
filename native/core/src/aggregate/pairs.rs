//! States of groups whose rows each have the score and the relevance of one item.

use crate::aggregate::columns::{ScoreColumn, rel_column};
use crate::aggregate::group::{
    ByWidth, Evaluated, Group, GroupEvaluator, GroupScore, Groups, PerWidth, Scratch, by_group, capacity_for,
};
use crate::aggregate::settings::{GroupSettings, SettingsCache};
use crate::catalogue::Function;
use crate::column::{Column, Numbers};
use crate::error::{Error, bail};
use crate::memory::{Grow, boxed, collected};
use crate::options::choices::Ties;
use crate::ranking::list::Truth;
use crate::ranking::scored::{ScoreCode, code_of_rel, is_unjudged, rel_of_code};
use crate::settings::Settings;

/// The state of one group: its settings and items.
///
/// There may be as many groups as rows, so a state is small and a single item is kept within it.
#[derive(Default)]
pub struct Pairs {
    group_settings: GroupSettings,
    items: ByWidth<PairsOf>,
}

/// The items of a group, with score codes of either width.
struct PairsOf;

impl PerWidth for PairsOf {
    type Of<S: ScoreCode> = GroupPairs<S>;

    fn is_empty(narrow: &GroupPairs<u64>) -> bool {
        matches!(narrow, GroupPairs::None)
    }
}

/// The items of a group: all while they are few or there is no cutoff, else those that the deepest cutoff can show.
#[derive(Default)]
enum GroupPairs<S: ScoreCode> {
    #[default]
    None,
    One(Pair<S>),
    All(Vec<Pair<S>>),
    Top(Box<[TopPairs<S>; 1]>),
}

/// The score and the relevance of an item, both as codes. An item without a score keeps its relevance, encoded like a
/// score, in the first place, and [`Pair::NOT_RETRIEVED`] in the second. Relevance codes are those of [`Ties::Average`]
/// for any option `ties`, because pairs are not sorted by them.
#[derive(Clone, Copy)]
struct Pair<S>(S, u64);

impl<S: ScoreCode> Pair<S> {
    /// Stands in place of a relevance code; no relevance has this code.
    const NOT_RETRIEVED: u64 = u64::MAX;

    /// The pair of an item; `None` if it has neither a score nor a relevance.
    #[inline]
    fn new(score: Option<S>, rel: Option<f64>) -> Option<Self> {
        match (score, rel) {
            (Some(score), rel) => Some(Self(score, code_of_rel(rel, Ties::Average))),
            (None, Some(rel)) => Some(Self(S::of_float(rel), Self::NOT_RETRIEVED)),
            (None, None) => None,
        }
    }

    /// The score code; `None` if the item has no score.
    #[inline]
    fn score(self) -> Option<S> {
        (self.1 != Self::NOT_RETRIEVED).then_some(self.0)
    }

    /// The relevance; [`is_unjudged`] tells whether there is one.
    #[inline]
    fn rel(self) -> f64 {
        match self.1 {
            Self::NOT_RETRIEVED => self.0.float(),
            code => rel_of_code(code, Ties::Average),
        }
    }

    /// The relevance; `None` if the item is not judged.
    fn judged_rel(self) -> Option<f64> {
        Some(self.rel()).filter(|rel| !is_unjudged(*rel))
    }
}

/// The items that the deepest cutoff can show, and totals over all items of the group.
struct TopPairs<S: ScoreCode> {
    /// How many items were retrieved, dropped ones included.
    retrieved: usize,
    /// The keys of the best retrieved items, in no order. A smaller key is better. Up to `capacity_for(k)` are kept.
    keys: Vec<S::Key>,
    /// With expected values over ties: the block of equal scores at the deepest cutoff, as keys in ascending order,
    /// each with its number of items. Empty before the first selection and for other `ties`.
    tied: Vec<(S::Key, usize)>,
    /// The greatest key that the deepest cutoff can still show; greater ones are not added. `None` before the first
    /// selection.
    limit: Option<S::Key>,
    judged: usize,
    relevant: usize,
    /// The greatest gains of judged items, in no order, up to `capacity_for(k)` of them; none unless metrics need
    /// gains.
    ideal: Vec<f64>,
}

impl Group for Pairs {
    fn update<C: Column>(
        function: &'static Function,
        columns: &[C],
        groups: &mut impl Groups<Self>,
    ) -> Result<(), Error> {
        let [score_name, rel_name] = [function.inputs()[0], function.inputs()[1]];
        let (score, rel) = (ScoreColumn::new(score_name, &columns[0])?, rel_column(rel_name, &columns[1])?);
        let mut cache = SettingsCache::new(function, columns, score.are_exact())?;
        if score.are_wide() {
            read::<u128, C>(&score, (rel_name, &rel), &mut cache, groups)
        } else {
            read::<u64, C>(&score, (rel_name, &rel), &mut cache, groups)
        }
    }

    fn combine(&mut self, other: &Self) -> Result<(), Error> {
        let Some(settings) = &other.group_settings.0 else { return Ok(()) };
        self.group_settings.agree(settings)?;
        match &other.items {
            ByWidth::Narrow(GroupPairs::None) => Ok(()),
            ByWidth::Narrow(other) => u64::state_of_width(&mut self.items)?.combine(other, settings),
            ByWidth::Wide(other) => u128::state_of_width(&mut self.items)?.combine(&other[0], settings),
        }
    }
}

/// Adds each row to its group. Consecutive rows of one group are added together.
fn read<S: GroupScore, C: Column>(
    score: &ScoreColumn,
    (rel_name, rel): (&str, &Numbers),
    cache: &mut SettingsCache<C>,
    groups: &mut impl Groups<Pairs>,
) -> Result<(), Error> {
    cache.runs(|settings, run| {
        let scores = score.codes::<S>(settings);
        by_group(run, groups, |group, rows| {
            group.group_settings.agree(settings)?;
            let items = S::state_of_width(&mut group.items)?;
            if rows.len() > 1 {
                items.reserve_first(settings, rows.len())?;
            }
            for row in rows {
                let rel = rel.get(row).map(|rel| settings.check_rel(rel_name, rel)).transpose()?;
                let score = scores.get(row)?;
                if settings.complete_items_only && (score.is_none() || rel.is_none()) {
                    continue;
                }
                items.push(settings, score, rel)?;
            }
            Ok(())
        })
    })
}

impl<S: ScoreCode> GroupPairs<S> {
    /// Makes room for the first `rows` rows of a group, of which several come at once: growing by a few rows at a time,
    /// and then converting them, costs more than reading them. Does nothing if there are items.
    #[inline(never)]
    fn reserve_first(&mut self, settings: &Settings, rows: usize) -> Result<(), Error> {
        if !matches!(self, Self::None) {
            return Ok(());
        }
        match settings.deepest {
            Some(k) if rows >= capacity_for(k) => {
                *self = Self::Top(boxed(TopPairs::with_room_for(rows, settings, k)?)?);
            }
            _ => {
                let mut pairs = Vec::new();
                pairs.make_exact_room(rows)?;
                *self = Self::All(pairs);
            }
        }
        Ok(())
    }

    /// Adds an item; one with neither a score nor a relevance does not count.
    #[inline(always)]
    fn push(&mut self, settings: &Settings, score: Option<S>, rel: Option<f64>) -> Result<(), Error> {
        if let Self::Top(top) = self {
            return top[0].push(settings, settings.deepest.unwrap_or(usize::MAX), score, rel);
        }
        if let Some(pair) = Pair::new(score, rel) { self.add(settings, pair) } else { Ok(()) }
    }

    /// Adds an item. Once there are as many as a group keeps for its deepest cutoff, converts to [`GroupPairs::Top`].
    #[inline(always)]
    fn add(&mut self, settings: &Settings, pair: Pair<S>) -> Result<(), Error> {
        match self {
            Self::None => *self = Self::One(pair),
            Self::One(first) => {
                let mut pairs = Vec::new();
                pairs.try_push(*first)?;
                pairs.try_push(pair)?;
                *self = Self::All(pairs);
            }
            Self::All(pairs) => match settings.deepest {
                Some(k) if pairs.len() >= capacity_for(k) => self.top(settings)?.add(settings, k, pair)?,
                _ => pairs.try_push(pair)?,
            },
            Self::Top(top) => top[0].add(settings, settings.deepest.unwrap_or(usize::MAX), pair)?,
        }
        Ok(())
    }

    /// All items; none for [`GroupPairs::Top`], which keeps no pairs.
    fn pairs(&self) -> &[Pair<S>] {
        match self {
            Self::One(pair) => std::slice::from_ref(pair),
            Self::All(pairs) => pairs,
            Self::None | Self::Top(_) => &[],
        }
    }

    /// The items as [`TopPairs`], converted if need be: from then on, items below the deepest cutoff are dropped.
    fn top(&mut self, settings: &Settings) -> Result<&mut TopPairs<S>, Error> {
        if !matches!(self, Self::Top(_)) {
            let k = settings.deepest.unwrap_or(usize::MAX);
            let mut top = boxed(TopPairs::with_room_for(self.pairs().len(), settings, k)?)?;
            for pair in self.pairs() {
                top[0].add(settings, k, *pair)?;
            }
            *self = Self::Top(top);
        }
        match self {
            Self::Top(top) => Ok(&mut top[0]),
            _ => bail!(internal: "the top items are not there"),
        }
    }

    /// Adds the items of another state: as a whole if that is possible, which is faster, and else one by one.
    fn combine(&mut self, other: &Self, settings: &Settings) -> Result<(), Error> {
        if let (Self::None, Self::Top(other)) = (&mut *self, other) {
            *self = Self::Top(boxed(other[0].try_clone()?)?);
            return Ok(());
        }
        if let Self::Top(other) = other {
            return self.top(settings)?.combine(&other[0], settings);
        }
        if let (Self::All(pairs), None) = (&mut *self, settings.deepest) {
            return pairs.try_extend(other.pairs().iter().copied());
        }
        if let (Self::None, Self::All(pairs)) = (&mut *self, other) {
            let mut copy = Vec::new();
            copy.make_exact_room(pairs.len())?;
            copy.extend_from_slice(pairs);
            *self = Self::All(copy);
            return Ok(());
        }
        other.pairs().iter().try_for_each(|pair| self.add(settings, *pair))
    }

    /// Writes the ranking of the items by score to `scratch`; returns `false` if no item is judged.
    fn rank(&self, settings: &Settings, scratch: &mut Scratch) -> Result<bool, Error> {
        if let Self::Top(top) = self {
            return top[0].rank(settings, scratch);
        }
        let pairs = self.pairs();
        scratch.list.make_room_for(pairs.len(), settings)?;
        let Scratch { list, scored, .. } = scratch;
        list.clear();
        scored.clear();
        let truth = list.truth.clear();
        truth.make_room(pairs.len())?;
        truth.extend(pairs.iter().filter_map(|pair| pair.judged_rel()));
        if truth.is_empty() {
            return Ok(false);
        }
        let retrieved = pairs.iter().filter(|pair| pair.score().is_some());
        let rels = retrieved.clone().map(|pair| pair.rel());
        scored.extend(retrieved.map(|pair| pair.0), settings.exact, rels)?;
        scored.rank(list, settings.order());
        Ok(true)
    }
}

impl<S: ScoreCode> TopPairs<S> {
    /// Room for what is kept of `items` items, and for half as many gains, because most items are not judged.
    fn with_room_for(items: usize, settings: &Settings, k: usize) -> Result<Self, Error> {
        let (mut keys, mut ideal) = (Vec::new(), Vec::new());
        let kept = items.min(capacity_for(k));
        keys.make_exact_room(kept)?;
        if settings.needs.gains {
            ideal.make_exact_room(kept / 2)?;
        }
        Ok(Self { retrieved: 0, keys, tied: Vec::new(), limit: None, judged: 0, relevant: 0, ideal })
    }

    fn try_clone(&self) -> Result<Self, Error> {
        let Self { retrieved, limit, judged, relevant, .. } = *self;
        let keys = collected(self.keys.iter().copied())?;
        let tied = collected(self.tied.iter().copied())?;
        let ideal = collected(self.ideal.iter().copied())?;
        Ok(Self { retrieved, keys, tied, limit, judged, relevant, ideal })
    }

    fn add(&mut self, settings: &Settings, k: usize, pair: Pair<S>) -> Result<(), Error> {
        self.push(settings, k, pair.score(), pair.judged_rel())
    }

    /// Counts an item, and keeps its gain and its key if they can matter down to cutoff k.
    #[inline(always)]
    fn push(
        &mut self,
        settings: &Settings,
        k: usize,
        score: Option<S>,
        rel: Option<f64>,
    ) -> Result<(), Error> {
        if let Some(rel) = rel {
            self.judged += 1;
            self.relevant += usize::from(settings.options.is_relevant(rel));
            if settings.needs.gains {
                self.push_gain(settings.options.gain(rel)?, k)?;
            }
        }
        let Some(score) = score else { return Ok(()) };
        self.retrieved += 1;
        let ties = settings.options.ties;
        self.push_key(score.key(code_of_rel(rel, ties)), ties, k)
    }

    /// Keeps a key if it can be above cutoff k. A full buffer first drops those that cannot.
    #[inline(always)]
    fn push_key(&mut self, key: S::Key, ties: Ties, k: usize) -> Result<(), Error> {
        if self.limit.is_some_and(|limit| key > limit) {
            return Ok(());
        }
        if self.keys.len() >= capacity_for(k) {
            self.keep_best(ties, k)?;
        }
        self.keys.try_push(key)
    }

    /// Keeps the gain of a judged item. A full buffer first drops all but the k greatest.
    #[inline(always)]
    fn push_gain(&mut self, gain: f64, k: usize) -> Result<(), Error> {
        if self.ideal.len() >= capacity_for(k) {
            keep_greatest(&mut self.ideal, k);
        }
        self.ideal.try_push(gain)
    }

    /// Merges the items and totals of another state of this group.
    fn combine(&mut self, other: &Self, settings: &Settings) -> Result<(), Error> {
        self.retrieved += other.retrieved;
        self.judged += other.judged;
        self.relevant += other.relevant;
        self.take_tied(other)?;
        let (ties, k) = (settings.options.ties, settings.deepest.unwrap_or(usize::MAX));
        other.keys.iter().try_for_each(|key| self.push_key(*key, ties, k))?;
        other.ideal.iter().try_for_each(|gain| self.push_gain(*gain, k))
    }

    /// Drops the keys that cannot be above cutoff k, of which there are at least k. With expected values over ties, the
    /// keys of the block at the cutoff move to `tied`, which counts equal keys.
    #[cold]
    fn keep_best(&mut self, ties: Ties, k: usize) -> Result<(), Error> {
        let (_, kth, _) = self.keys.select_nth_unstable(k - 1);
        let kth = *kth;
        if ties != Ties::Average {
            self.keys.truncate(k);
            self.limit = Some(kth);
            return Ok(());
        }
        let kth_score = score_of::<S>(kth);
        if self.tied.first().is_some_and(|(tied, _)| score_of::<S>(*tied) != kth_score) {
            self.tied.clear();
        }
        // The greatest key of this score: all items of the block at the cutoff stay within the limit.
        self.limit = Some(kth_score.key(u64::MAX));
        let mut kept = 0;
        for index in 0..self.keys.len() {
            let key = self.keys[index];
            let score = score_of::<S>(key);
            if score < kth_score {
                self.keys[kept] = key;
                kept += 1;
            } else if score == kth_score {
                count(&mut self.tied, key, 1)?;
            }
        }
        self.keys.truncate(kept);
        Ok(())
    }

    /// Merges the limit and the tied items at it from another state. The better of the two limits holds. The
    /// tied items at the worse one, and the keys of this state beyond the better one, are dropped.
    fn take_tied(&mut self, other: &Self) -> Result<(), Error> {
        if let Some(limit) = other.limit {
            if self.limit.is_none_or(|known| limit < known) {
                self.limit = Some(limit);
                self.tied.clear();
            }
            if self.limit == Some(limit) {
                other.tied.iter().try_for_each(|(key, items)| count(&mut self.tied, *key, *items))?;
            }
        }
        // Keys of this state may be beyond the limit of the other one, also if this state had no limit.
        if let Some(limit) = self.limit {
            self.keys.retain(|key| *key <= limit);
        }
        Ok(())
    }

    /// The same as [`GroupPairs::rank`].
    fn rank(&self, settings: &Settings, scratch: &mut Scratch) -> Result<bool, Error> {
        if self.judged == 0 {
            return Ok(false);
        }
        let ties = settings.options.ties;
        let shown = self.keys.len() + self.tied.iter().map(|(_, items)| items).sum::<usize>();
        scratch.list.make_room_for(shown.max(self.ideal.len()), settings)?;
        let Scratch { list, scored, .. } = scratch;
        list.clear();
        scored.clear();
        let keys_at_cutoff = self.tied.iter().flat_map(|(key, items)| std::iter::repeat_n(*key, *items));
        let keys = self.keys.iter().copied().chain(keys_at_cutoff).map(S::split_key);
        let rels = keys.clone().map(|(_, rel)| rel_of_code(rel, ties));
        scored.extend(keys.map(|(score, _)| score), settings.exact, rels)?;
        scored.rank(list, settings.order());
        list.retrieved = self.retrieved;
        list.truth = Truth::Counted { judged: self.judged, relevant: self.relevant };
        list.ideal.rewrite().clone_from(&self.ideal);
        Ok(true)
    }
}

fn score_of<S: ScoreCode>(key: S::Key) -> S {
    S::split_key(key).0
}

/// Adds `items` to the count of `key` in `tied`, which is in ascending order of keys.
fn count<K: Copy + Ord>(tied: &mut Vec<(K, usize)>, key: K, items: usize) -> Result<(), Error> {
    match tied.binary_search_by_key(&key, |(tied, _)| *tied) {
        Ok(place) => tied[place].1 += items,
        Err(place) => {
            tied.make_room(1)?;
            tied.insert(place, (key, items));
        }
    }
    Ok(())
}

/// Drops all but the k greatest gains, in no order.
fn keep_greatest(gains: &mut Vec<f64>, k: usize) {
    if gains.len() > k {
        gains.select_nth_unstable_by(k - 1, |one, other| other.total_cmp(one));
        gains.truncate(k);
    }
}

impl GroupEvaluator for Pairs {
    fn evaluate<'a>(&mut self, function: &Function, scratch: &'a mut Scratch) -> Evaluated<'a> {
        let Some(settings) = self.group_settings.with_ks() else { return Ok(None) };
        let is_judged = match &self.items {
            ByWidth::Narrow(items) => items.rank(settings, scratch),
            ByWidth::Wide(items) => items[0].rank(settings, scratch),
        }?;
        if is_judged { scratch.evaluate(function, settings).map(Some) } else { Ok(None) }
    }
}

#[cfg(test)]
mod tests;
