//! A value, divided among the items of a ranking whose rows arrived in any order.

use crate::aggregate::group::Scratch;
use crate::aggregate::join::{Item, ItemJoin, JudgedItem, JudgedItems};
use crate::catalogue::Function;
use crate::error::Error;
use crate::explain::ExplainedItem;
use crate::ranking::scored::ScoreCode;
use crate::settings::Settings;
use crate::types::{Integer, Type};

/// A user or an item as engines return it. The order is that of results within a partition of users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum User<'a> {
    Integer(i64),
    Text(&'a [u8]),
}

impl User<'_> {
    /// The integer. Beside scores of 128 bits, an item that is one comes as its bytes, in the order of integers.
    pub fn integer(self) -> i64 {
        match self {
            Self::Integer(integer) => integer,
            Self::Text(bytes) => bytes.try_into().map_or(0, |bytes| i64::from_be_bytes(bytes) ^ i64::MIN),
        }
    }
}

/// An item of a user, and what it adds.
pub struct ExplainedRow<'a> {
    /// `None` if the rows are those of one user.
    pub user: Option<User<'a>>,
    /// `None` for NULL.
    pub item: Option<User<'a>>,
    /// `None` if it was not retrieved.
    pub score: Option<f64>,
    pub explained: &'a ExplainedItem,
}

/// The receiver of explanations, implemented by engines.
pub trait Explanations {
    /// Takes an item. Those of a user follow one another, in their order.
    fn put(&mut self, row: &ExplainedRow) -> Result<(), Error>;
}

/// Explains the value of a ranking of one user, and passes its items to `explanations`: best first, then those that were not
/// retrieved, the most relevant first. The order of rows decides on nothing.
pub fn explain<S: ScoreCode, I: Item, T: JudgedItem<Item = I>>(
    join: ItemJoin<S, I, T>,
    user: Option<User>,
    function: &Function,
    settings: &Settings,
    scratch: &mut Scratch,
    explanations: &mut dyn Explanations,
) -> Result<(), Error> {
    let ItemJoin { entries, are_different, null_item_scores, truth, rels } = join;
    let JudgedItems(judged) = truth;
    // Taken out, because the join borrows the whole of `scratch`.
    let mut order = std::mem::take(&mut scratch.order);
    order.clear();
    let join = ItemJoin { entries: &mut *entries, are_different, null_item_scores, truth, rels };
    join.rank_and_order(settings, scratch, Some(&mut order))?;
    let metric = function.explained_metric(&settings.options)?;
    // Repeats stand behind the items that were ranked, and NULL items are counted after these.
    let null_items_from = order.retrieved.len() - null_item_scores.len();
    let explained = scratch.explainer.explain(&mut scratch.list, &mut order, metric, settings)?;
    for explained in explained {
        let (item, score) = match (explained.retrieved, explained.judged) {
            (Some(place), _) if place < null_items_from => {
                let (score, item) = &entries[place];
                (Some(id(item)), Some(*score))
            }
            (Some(place), _) => (None, Some(null_item_scores[place - null_items_from])),
            (None, judgement) => (judgement.map(|place| id(judged[place].item())), None),
        };
        let score = score.map(|code| score_of(code, settings));
        explanations.put(&ExplainedRow { user, item, score, explained })?;
    }
    scratch.order = order;
    Ok(())
}

/// An item as engines return it.
pub fn id<I: Item>(item: &I) -> User<'_> {
    if I::EXACT { User::Integer(item.tag()) } else { User::Text(item.bytes()) }
}

/// The score for which a code stands: as floating point, or the integer or decimal as the nearest one.
fn score_of<S: ScoreCode>(code: S, settings: &Settings) -> f64 {
    match settings.exact_type {
        _ if !settings.exact => code.float(),
        Type::Decimal { scale, .. } => code.integer(true) / 10_f64.powi(scale.into()),
        Type::Integer(Integer::Unsigned64 | Integer::Unsigned128) => code.integer(false),
        _ => code.integer(true),
    }
}
