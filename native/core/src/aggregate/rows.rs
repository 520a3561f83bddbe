//! States of groups whose rows are an item, its score, its relevance, or both. Retrieved and judged items are joined by
//! item when the group is evaluated.

use crate::aggregate::columns::{ItemScoreRelColumns, encoded_in_order};
use crate::aggregate::explained::{Explanations, explain};
use crate::aggregate::group::{Evaluated, Group, GroupEvaluator, Groups, Scratch, by_group, capacity_for};
use crate::aggregate::join::{
    Item, ItemBytes, ItemJoin, JudgedItems, Judgement, ScoredItem, cloned, copied, keep_best,
};
use crate::aggregate::settings::{GroupSettings, SettingsCache};
use crate::catalogue::Function;
use crate::column::nested::items;
use crate::column::{Column, ItemColumn, Items};
use crate::error::{Error, bail};
use crate::memory::{Grow, boxed};
use crate::ranking::scored::ScoreCode;
use crate::settings::Settings;

/// The function whose value is explained, and the receiver of its items; `None` if nothing is.
type Receiver<'a, 'e> = Option<(&'a Function, &'e mut dyn Explanations)>;

/// The rows of a group: score codes of type `S` (less is better) and items of type `I`.
#[derive(Default)]
enum GroupRows<S, I> {
    #[default]
    None,
    /// A single row, kept without buffers: there may be as many groups as rows.
    One(GroupRow<S, I>),
    Many(GroupItems<S, I>),
}

/// A retrieved or a judged item. An input row that has a score and a relevance gives one of each.
enum GroupRow<S, I> {
    Retrieved(S, I),
    Judged(f64, I),
    /// A retrieved NULL item: it takes a rank and matches no judged item.
    RetrievedNull(S),
    /// A judgement of a NULL item: it matches no retrieved item, and a group with such a judgement has a result.
    JudgedNull,
}

impl<S: ScoreCode, I: Item> GroupRow<S, I> {
    fn try_clone(&self) -> Result<Self, Error> {
        Ok(match self {
            Self::Retrieved(score, item) => Self::Retrieved(*score, item.try_clone()?),
            Self::Judged(rel, item) => Self::Judged(*rel, item.try_clone()?),
            Self::RetrievedNull(score) => Self::RetrievedNull(*score),
            Self::JudgedNull => Self::JudgedNull,
        })
    }
}

/// The retrieved items that can be above the deepest cutoff, and all judged items.
struct GroupItems<S, I> {
    /// Retrieved items, in no order and with repeats. With a cutoff, a full buffer first drops the items below it.
    entries: Vec<ScoredItem<S, I>>,
    /// Judged items with their relevances, in no order; an item may occur more than once.
    truth: Vec<Judgement<I>>,
    /// The worst score code that can still be above the deepest cutoff; items with greater codes are not added.
    limit: S,
    /// The rows whose item is NULL; `None` while there are none.
    nulls: Option<Box<[NullItems<S>; 1]>>,
}

/// The rows of a group whose item is NULL. Few groups have any, so they are boxed apart.
#[derive(Default)]
struct NullItems<S> {
    /// The score codes of the retrieved NULL items.
    scores: Vec<S>,
    are_judged: bool,
}

impl<S: ScoreCode, I> Default for GroupItems<S, I> {
    fn default() -> Self {
        Self { entries: Vec::new(), truth: Vec::new(), limit: S::WORST, nulls: None }
    }
}

impl<S: ScoreCode, I: Item> GroupRows<S, I> {
    /// Adds an input row. `item` may copy bytes. It is not called for a row that is neither judged nor possibly above
    /// the deepest cutoff. The relevance of a NULL item is not checked; NaN counts as none.
    #[inline]
    fn push(
        &mut self,
        settings: &Settings,
        item: impl FnOnce() -> Result<Option<I>, Error>,
        score: Option<S>,
        rel: Option<f64>,
    ) -> Result<(), Error> {
        let score = score.filter(|score| self.can_show(*score));
        if score.is_none() && rel.is_none() {
            return Ok(());
        }
        let mut item = item()?;
        if let Some(rel) = rel {
            // The item of a row with both is copied, because it is added once more below.
            match if score.is_some() { cloned(item.as_ref())? } else { item.take() } {
                Some(item) => self.add(settings, GroupRow::Judged(settings.check_rel("rel", rel)?, item))?,
                None if rel.is_nan() => {}
                None => self.add(settings, GroupRow::JudgedNull)?,
            }
        }
        match (score, item) {
            (Some(score), Some(item)) => self.add(settings, GroupRow::Retrieved(score, item)),
            (Some(score), None) => self.add(settings, GroupRow::RetrievedNull(score)),
            (None, _) => Ok(()),
        }
    }

    /// Whether an item with this score can be above the deepest cutoff, as far as is known.
    #[inline]
    fn can_show(&self, score: S) -> bool {
        if let Self::Many(ranked) = self { ranked.can_show(score) } else { true }
    }

    /// Adds a retrieved or a judged item.
    #[inline(always)]
    fn add(&mut self, settings: &Settings, row: GroupRow<S, I>) -> Result<(), Error> {
        if let Self::Many(ranked) = self { ranked.add(settings, row) } else { self.add_early(settings, row) }
    }

    /// Adds the first or the second row. Out of line, because only these two rows of a group come here.
    #[inline(never)]
    fn add_early(&mut self, settings: &Settings, row: GroupRow<S, I>) -> Result<(), Error> {
        if let Self::None = self {
            *self = Self::One(row);
            return Ok(());
        }
        self.upgrade(settings)?.add(settings, row)
    }

    /// The rows as [`GroupItems`], converted if there are fewer than two.
    fn upgrade(&mut self, settings: &Settings) -> Result<&mut GroupItems<S, I>, Error> {
        if !matches!(self, Self::Many(_))
            && let Self::One(first) = std::mem::replace(self, Self::Many(GroupItems::default()))
        {
            self.add(settings, first)?;
        }
        match self {
            Self::Many(ranked) => Ok(ranked),
            _ => bail!(internal: "a group of many rows is none"),
        }
    }

    /// The same rows with another item type; `None` unless every item is NULL.
    fn without_items<J: Item>(&self, settings: &Settings) -> Result<Option<GroupRows<S, J>>, Error> {
        let mut group_rows = GroupRows::None;
        match self {
            Self::None => {}
            Self::One(GroupRow::RetrievedNull(score)) => {
                group_rows.add(settings, GroupRow::RetrievedNull(*score))?;
            }
            Self::One(GroupRow::JudgedNull) => group_rows.add(settings, GroupRow::JudgedNull)?,
            Self::Many(GroupItems { entries, truth, nulls, .. })
                if entries.is_empty() && truth.is_empty() =>
            {
                group_rows.upgrade(settings)?.take_nulls(nulls.as_deref())?;
            }
            _ => return Ok(None),
        }
        Ok(Some(group_rows))
    }

    fn combine(&mut self, other: &Self, settings: &Settings) -> Result<(), Error> {
        match other {
            Self::None => Ok(()),
            Self::One(row) => self.add(settings, row.try_clone()?),
            Self::Many(other) => self.upgrade(settings)?.combine(other, settings),
        }
    }

    /// Writes the ranking to `scratch`, and if there is a receiver, explains its value; returns `false` if the group has no
    /// judgement.
    fn rank(
        &mut self,
        settings: &Settings,
        scratch: &mut Scratch,
        receiver: &mut Receiver,
    ) -> Result<bool, Error> {
        match self {
            Self::None => Ok(false),
            // A copy is converted and ranked: the states of many groups would otherwise keep a buffer each.
            Self::One(row) => {
                let mut ranked = GroupItems::default();
                ranked.add(settings, row.try_clone()?)?;
                ranked.rank(settings, scratch, receiver)
            }
            Self::Many(ranked) => ranked.rank(settings, scratch, receiver),
        }
    }

    /// How many retrieved and judged items there are, repeats included.
    fn row_count(&self) -> usize {
        match self {
            Self::None => 0,
            Self::One(_) => 1,
            Self::Many(GroupItems { entries, truth, nulls, .. }) => {
                entries.len() + truth.len() + nulls.as_deref().map_or(0, |[nulls]| nulls.scores.len())
            }
        }
    }
}

impl<S: ScoreCode, I: Item> GroupItems<S, I> {
    #[inline]
    fn can_show(&self, score: S) -> bool {
        score <= self.limit
    }

    #[inline(always)]
    fn add(&mut self, settings: &Settings, row: GroupRow<S, I>) -> Result<(), Error> {
        match row {
            GroupRow::Retrieved(score, item) => self.retrieve(settings.deepest, score, item),
            GroupRow::Judged(rel, item) => self.truth.try_push((item, rel)),
            GroupRow::RetrievedNull(score) => self.nulls()?.scores.try_push(score),
            GroupRow::JudgedNull => {
                self.nulls()?.are_judged = true;
                Ok(())
            }
        }
    }

    /// The rows whose item is NULL, created if there are none.
    #[cold]
    fn nulls(&mut self) -> Result<&mut NullItems<S>, Error> {
        let nulls = match &mut self.nulls {
            Some(nulls) => nulls,
            none => none.insert(boxed(NullItems::default())?),
        };
        Ok(&mut nulls[0])
    }

    /// Adds a retrieved item. A full buffer first drops items that are below cutoff `deepest`.
    #[inline]
    fn retrieve(&mut self, deepest: Option<usize>, score: S, item: I) -> Result<(), Error> {
        if self.entries.len() == self.entries.capacity()
            && let Some(k) = deepest
            && self.entries.len() >= capacity_for(k)
        {
            self.keep_best(k)?;
        }
        self.entries.try_push((score, item))
    }

    /// Drops the items that cannot be above cutoff k.
    ///
    /// If many items tie at the cutoff, the buffer stays more than half full. It then grows, so that the next selection
    /// comes after as many new items, and not after a few.
    #[cold]
    fn keep_best(&mut self, k: usize) -> Result<(), Error> {
        let (kept, kth_score) = keep_best(&mut self.entries, k, false)?;
        self.entries.truncate(kept);
        if let Some(kth_score) = kth_score {
            self.limit = kth_score;
        }
        if self.entries.len() > self.entries.capacity() / 2 {
            self.entries.make_room(self.entries.capacity())?;
        }
        Ok(())
    }

    fn combine(&mut self, other: &Self, settings: &Settings) -> Result<(), Error> {
        self.truth.make_room(other.truth.len())?;
        for (item, rel) in &other.truth {
            self.truth.push((item.try_clone()?, *rel));
        }
        self.take_nulls(other.nulls.as_deref())?;
        self.limit = self.limit.min(other.limit);
        if self.entries.is_empty() {
            self.entries.make_exact_room(other.entries.len())?;
        }
        for (score, item) in &other.entries {
            if self.can_show(*score) {
                self.retrieve(settings.deepest, *score, item.try_clone()?)?;
            }
        }
        Ok(())
    }

    /// Adds the rows of another state whose item is NULL.
    fn take_nulls(&mut self, other: Option<&[NullItems<S>; 1]>) -> Result<(), Error> {
        let Some([other]) = other else { return Ok(()) };
        let nulls = self.nulls()?;
        nulls.are_judged |= other.are_judged;
        nulls.scores.try_extend(other.scores.iter().copied())
    }

    /// The same as [`GroupRows::rank`].
    fn rank(
        &mut self,
        settings: &Settings,
        scratch: &mut Scratch,
        receiver: &mut Receiver,
    ) -> Result<bool, Error> {
        let Self { entries, truth, nulls, .. } = self;
        let nulls = nulls.as_deref().map(|[nulls]| nulls);
        if truth.is_empty() && !nulls.is_some_and(|nulls| nulls.are_judged) {
            return Ok(false);
        }
        // Taken out, because the join borrows the whole of `scratch`. Empty if all relevances are 1.
        let mut rels = std::mem::take(&mut scratch.truth_rels);
        rels.clear();
        if truth.iter().any(|(_, rel)| *rel != 1.0) {
            rels.make_room(truth.len())?;
            rels.extend(truth.iter().map(|(_, rel)| *rel));
        }
        let null_item_scores = nulls.map_or(&[][..], |nulls| &nulls.scores);
        let truth = JudgedItems(truth);
        let join = ItemJoin { entries, are_different: false, null_item_scores, truth, rels: &rels };
        let done = match receiver {
            None => join.rank(settings, scratch),
            Some((function, explanations)) => explain(join, None, function, settings, scratch, *explanations),
        };
        scratch.truth_rels = rels;
        done.map(|()| true)
    }
}

/// The rows of a group, by the type of items and the width of score codes. If all items are NULL, either type will do.
#[derive(Default)]
enum AnyRows {
    #[default]
    None,
    Fixed(GroupRows<u64, i64>),
    Bytes(GroupRows<u64, ItemBytes>),
    /// Score codes of 128 bits. Items of every type are byte strings here, so that this rare case is compiled once.
    Wide(Box<[GroupRows<u128, ItemBytes>; 1]>),
}

/// An item type that a group can have beside score codes `S`.
trait GroupItem<S>: Item {
    /// The rows if they have this item type and these score codes.
    fn get(rows: &mut AnyRows) -> Option<&mut GroupRows<S, Self>>;

    /// Converts `rows` to this form if it has no rows or only NULL items; otherwise leaves it unchanged. Rows with
    /// score codes of 128 bits convert from no rows only: the type of the scores fixes the width for a whole call.
    fn convert(rows: &mut AnyRows, settings: &Settings) -> Result<(), Error>;

    /// The rows in this form, after conversion by [`GroupItem::convert`]; an error if they have another form.
    #[inline]
    fn rows_in_form<'r>(
        rows: &'r mut AnyRows,
        settings: &Settings,
    ) -> Result<&'r mut GroupRows<S, Self>, Error> {
        if Self::get(rows).is_none() {
            Self::convert(rows, settings)?;
        }
        Self::get(rows).ok_or_else(two_forms)
    }
}

macro_rules! group_item {
    ($item:ty, $score:ty, $variant:ident, not $other:ident) => {
        impl GroupItem<$score> for $item {
            #[inline]
            fn get(rows: &mut AnyRows) -> Option<&mut GroupRows<$score, Self>> {
                if let AnyRows::$variant(group_rows) = rows { Some(group_rows) } else { None }
            }

            #[inline(never)]
            fn convert(rows: &mut AnyRows, settings: &Settings) -> Result<(), Error> {
                if let AnyRows::None = rows {
                    *rows = AnyRows::$variant(GroupRows::None);
                }
                if let AnyRows::$other(group_rows) = rows
                    && let Some(group_rows) = group_rows.without_items(settings)?
                {
                    *rows = AnyRows::$variant(group_rows);
                }
                Ok(())
            }
        }
    };
}
group_item!(i64, u64, Fixed, not Bytes);
group_item!(ItemBytes, u64, Bytes, not Fixed);

impl GroupItem<u128> for ItemBytes {
    fn get(rows: &mut AnyRows) -> Option<&mut GroupRows<u128, Self>> {
        if let AnyRows::Wide(group_rows) = rows { Some(&mut group_rows[0]) } else { None }
    }

    fn convert(rows: &mut AnyRows, _: &Settings) -> Result<(), Error> {
        if let AnyRows::None = rows {
            *rows = AnyRows::Wide(boxed(GroupRows::None)?);
        }
        Ok(())
    }
}

/// The error for rows that are added to a group whose rows have another form of [`AnyRows`].
#[cold]
fn two_forms() -> Error {
    Error::internal("items or scores came in two forms")
}

impl AnyRows {
    /// Merges `other`, whose items are of type `I`. If the items of this group are of the other type `J`, one side has
    /// NULL items only, and is converted to the type of the other side.
    fn combine<S: ScoreCode, I: GroupItem<S>, J: GroupItem<S>>(
        &mut self,
        other: &GroupRows<S, I>,
        settings: &Settings,
    ) -> Result<(), Error> {
        if J::get(self).is_some()
            && let Some(other) = other.without_items(settings)?
        {
            return J::rows_in_form(self, settings)?.combine(&other, settings);
        }
        I::rows_in_form(self, settings)?.combine(other, settings)
    }

    /// The same as [`GroupRows::rank`].
    fn rank(
        &mut self,
        settings: &Settings,
        scratch: &mut Scratch,
        receiver: &mut Receiver,
    ) -> Result<bool, Error> {
        match self {
            Self::None => Ok(false),
            Self::Fixed(group_rows) => group_rows.rank(settings, scratch, receiver),
            Self::Bytes(group_rows) => group_rows.rank(settings, scratch, receiver),
            Self::Wide(group_rows) => group_rows[0].rank(settings, scratch, receiver),
        }
    }

    /// Adds a row whose item is NULL, in the form that the group has.
    fn push_null(&mut self, settings: &Settings, score: Option<u64>, rel: Option<f64>) -> Result<(), Error> {
        if <ItemBytes as GroupItem<u64>>::get(self).is_some() {
            ItemBytes::rows_in_form(self, settings)?.push(settings, || Ok(None), score, rel)
        } else {
            i64::rows_in_form(self, settings)?.push(settings, || Ok(None), score, rel)
        }
    }
}

/// The state of one group: its settings and rows.
///
/// There may be as many groups as rows, so a state is small and a single row is kept within it.
#[derive(Default)]
pub struct Rows {
    group_settings: GroupSettings,
    rows: AnyRows,
}

impl Group for Rows {
    fn update<C: Column>(
        function: &'static Function,
        columns: &[C],
        groups: &mut impl Groups<Self>,
    ) -> Result<(), Error> {
        let [item, score, rel, ..] = columns else { bail!(internal: "an argument is missing") };
        let inputs = ItemScoreRelColumns::new(item, score, rel)?;
        let cache = &mut SettingsCache::new(function, columns, inputs.score.are_exact())?;
        let items = items(item, inputs.matching)?;
        // Reads rows whose items are of type `$item`, as `$read` gives them.
        macro_rules! read {
            ($item:ty, $score:ty, |$row:ident| $read:expr) => {
                read(&inputs, cache, groups, |group_rows, settings, $row, score: Option<$score>, rel| {
                    <$item>::rows_in_form(group_rows, settings)?.push(settings, || $read, score, rel)
                })
            };
        }
        if inputs.score.are_wide() {
            let items = encoded_in_order(items, columns[0].len())?;
            return read!(ItemBytes, u128, |row| bytes(&items, row));
        }
        match items {
            ItemColumn::Fixed(items) => read!(i64, u64, |row| Ok(items.tag(row))),
            ItemColumn::Bytes(items) => read!(ItemBytes, u64, |row| bytes(&items, row)),
            ItemColumn::Encoded(items) => read!(ItemBytes, u64, |row| bytes(&items, row)),
            ItemColumn::Nulls => {
                read(&inputs, cache, groups, |group_rows, settings, _, score: Option<u64>, rel| {
                    group_rows.push_null(settings, score, rel)
                })
            }
        }
    }

    fn combine(&mut self, other: &Self) -> Result<(), Error> {
        let Some(settings) = &other.group_settings.0 else { return Ok(()) };
        self.group_settings.agree(settings)?;
        let rows = &mut self.rows;
        match &other.rows {
            AnyRows::None => Ok(()),
            AnyRows::Fixed(other) => rows.combine::<u64, i64, ItemBytes>(other, settings),
            AnyRows::Bytes(other) => rows.combine::<u64, ItemBytes, i64>(other, settings),
            AnyRows::Wide(other) => ItemBytes::rows_in_form(rows, settings)?.combine(&other[0], settings),
        }
    }
}

impl GroupEvaluator for Rows {
    fn evaluate<'a>(&mut self, function: &Function, scratch: &'a mut Scratch) -> Evaluated<'a> {
        let Some(settings) = self.group_settings.with_ks() else { return Ok(None) };
        scratch.evaluate_group(function, settings, |scratch, settings| {
            self.rows.rank(settings, scratch, &mut None)
        })
    }
}

impl Rows {
    /// Explains the value of the group, and passes its items to `explanations`. Returns `false`, for a NULL, if nothing was
    /// judged.
    pub fn explain(
        &mut self,
        function: &Function,
        scratch: &mut Scratch,
        explanations: &mut dyn Explanations,
    ) -> Result<bool, Error> {
        let Some(settings) = self.group_settings.with_ks() else { return Ok(false) };
        self.rows.rank(settings, scratch, &mut Some((function, explanations)))
    }

    /// How many items an explanation has at most.
    pub fn row_count(&self) -> usize {
        match &self.rows {
            AnyRows::None => 0,
            AnyRows::Fixed(group_rows) => group_rows.row_count(),
            AnyRows::Bytes(group_rows) => group_rows.row_count(),
            AnyRows::Wide(group_rows) => group_rows[0].row_count(),
        }
    }
}

/// Adds rows to their groups: `push` is called with a group, the settings, the row, its score and its relevance.
fn read<S: ScoreCode, C: Column>(
    inputs: &ItemScoreRelColumns,
    cache: &mut SettingsCache<C>,
    groups: &mut impl Groups<Rows>,
    push: impl Fn(&mut AnyRows, &Settings, usize, Option<S>, Option<f64>) -> Result<(), Error>,
) -> Result<(), Error> {
    cache.runs(|settings, run| {
        inputs.check_ties_by_item(settings)?;
        let scores = inputs.score.codes::<S>(settings);
        by_group(run, groups, |group, mut rows| {
            group.group_settings.agree(settings)?;
            rows.try_for_each(|row| {
                push(&mut group.rows, settings, row, scores.get(row)?, inputs.rel.get(row))
            })
        })
    })
}

/// A copy of the byte-string item in `row`; `None` for NULL.
#[inline]
fn bytes(items: &impl Items, row: usize) -> Result<Option<ItemBytes>, Error> {
    items.tag(row).map(|_| copied(items.bytes(row))).transpose()
}

#[cfg(test)]
mod tests;
