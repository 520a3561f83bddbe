//! Aggregates over list columns, for engines that have no aggregate functions of their own.

use crate::aggregate::group::{Group, GroupEvaluator, Groups, Scratch};
use crate::aggregate::states::{WithState, with_state};
use crate::catalogue::{Function, Output};
use crate::column::Column;
use crate::error::{Error, bail};
use crate::evaluate::call::Call;
use crate::memory::{Grow, collected};
use crate::results::Values;
use crate::types::Type;

/// Evaluates the aggregate `function` on a list column: a list is a group, and each of its elements is a struct with
/// the arguments of one row. A NULL list is a group without rows. `put` is called with the index of each list, from 0
/// and ascending, and its values. Evaluation ends at the first error, whose sentence begins with `name`, the name that
/// was called.
pub fn evaluate_lists<C: Column>(
    function: &'static Function,
    name: &str,
    lists: &C,
    put: impl FnMut(usize, Option<Values>),
) -> Result<(), Error> {
    // An explanation has a field of the type of the items, which lists of rows do not return.
    let is_evaluated = function.output != Output::Explanation;
    let evaluated =
        is_evaluated.then(|| with_state(function.form, ListsOfRows { function, lists, put })).flatten();
    evaluated.unwrap_or_else(|| Err(Error::new("takes no lists of rows"))).map_err(|error| error.of(name))
}

/// An aggregate on a list column, before the type of its states is known.
struct ListsOfRows<'a, C, P> {
    function: &'static Function,
    lists: &'a C,
    put: P,
}

impl<C: Column, P: FnMut(usize, Option<Values>)> WithState for ListsOfRows<'_, C, P> {
    type Output = Result<(), Error>;

    fn run<G: GroupEvaluator>(self) -> Self::Output {
        evaluate::<G, C>(self.function, self.lists, self.put)
    }
}

/// Reads the elements of each list into a group of its own, and evaluates the groups.
fn evaluate<G: GroupEvaluator, C: Column>(
    function: &'static Function,
    lists: &C,
    mut put: impl FnMut(usize, Option<Values>),
) -> Result<(), Error> {
    let rows = lists.elements()?;
    let columns: Vec<C> = match rows.kind() {
        Type::Struct(fields) => (0..fields.len()).map(|index| rows.field(index)).collect::<Result<_, _>>()?,
        kind => bail!("the rows of a group must be structs, got {kind}"),
    };
    // An error if the structs have too few fields: `Group::update` takes their number for granted.
    Call::new(function, &columns)?;
    let mut groups = Lists { groups: Vec::new(), group_of: Vec::new(), nobody: G::default() };
    groups.group_of.try_resize(rows.len(), NOBODY)?;
    groups.groups.make_exact_room(lists.len())?;
    groups.groups.resize_with(lists.len(), G::default);
    let span = |list| lists.span(list).unwrap_or_default();
    // For each list, the one whose elements are read: an earlier list if both are the same elements.
    let mut list_read = collected(0..lists.len())?;
    let mut pending = collected(0..lists.len())?;
    pending.retain(|list| !span(*list).is_empty());
    pending.sort_unstable_by_key(|list| (span(*list).start, span(*list).end, *list));
    loop {
        // Lists may share elements, which are then read once for each list. So each round reads lists without a common
        // element, and leaves the others to the next round.
        groups.group_of.fill(NOBODY);
        let (mut last_taken, mut end_of_last) = (0, 0);
        pending.retain(|list| {
            let elements = span(*list);
            if end_of_last <= elements.start {
                end_of_last = elements.end;
                last_taken = *list;
                groups.group_of[elements].fill(*list);
                return false;
            }
            let is_same = elements == span(last_taken);
            if is_same {
                list_read[*list] = last_taken;
            }
            !is_same
        });
        G::update(function, &columns, &mut groups)?;
        if pending.is_empty() {
            break;
        }
    }
    let mut scratch = Scratch::default();
    for (index, list) in list_read.into_iter().enumerate() {
        put(index, groups.groups[list].evaluate(function, &mut scratch)?);
    }
    Ok(())
}

/// In place of the index of a group: the element belongs to no list, or to none of this round.
const NOBODY: usize = usize::MAX;

/// One group for each list, and the group of each element.
struct Lists<G> {
    groups: Vec<G>,
    /// For each element, the index of its group, from 0, or [`NOBODY`].
    group_of: Vec<usize>,
    /// The group of one element that belongs to no list, new for each: two of them may have different k, which is an
    /// error within a group.
    nobody: G,
}

impl<G: Group> Groups<G> for Lists<G> {
    fn of(&mut self, row: usize) -> Result<&mut G, Error> {
        if self.group_of[row] == NOBODY {
            self.nobody = G::default();
            return Ok(&mut self.nobody);
        }
        Ok(&mut self.groups[self.group_of[row]])
    }

    fn id(&self, row: usize) -> usize {
        // Elements of no list have an id each, beyond those of the groups.
        if self.group_of[row] == NOBODY { self.groups.len() + row } else { self.group_of[row] }
    }
}
