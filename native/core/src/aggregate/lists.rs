//! Aggregates over list columns, for engines that have no aggregate functions of their own.

use crate::aggregate::group::{Group, GroupEvaluator, Groups, Scratch};
use crate::aggregate::pairs::Pairs;
use crate::aggregate::rows::Rows;
use crate::aggregate::samples::Samples;
use crate::catalogue::{Form, Function};
use crate::column::Column;
use crate::error::{Error, bail};
use crate::evaluate::call::Call;
use crate::memory::Grow;
use crate::types::Type;
use crate::values::Values;

/// Evaluates the aggregate `function` on a list column: a list is a group, and each of its elements is a struct with
/// the arguments of one row. A NULL list is a group without rows. `put` is called with the index of each list, from 0
/// and ascending, and the values of its group.
///
/// Evaluation ends at the first error. Its sentence begins with `name`, the name under which the function was called.
pub fn evaluate_lists<C: Column>(
    function: &'static Function,
    name: &str,
    lists: &C,
    put: impl FnMut(usize, Option<Values>),
) -> Result<(), Error> {
    let evaluated = match function.form {
        Form::Agg => evaluate::<Pairs, C>(function, lists, put),
        Form::Rows => evaluate::<Rows, C>(function, lists, put),
        Form::Sample => evaluate::<Samples, C>(function, lists, put),
        _ => Err(Error::new("takes no lists of rows")),
    };
    evaluated.map_err(|error| error.of(name))
}

/// Evaluates the lists with states of type `G`.
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
    let mut groups = Lists { groups: Vec::new(), of: Vec::new() };
    groups.of.try_resize(rows.len(), 0)?;
    groups.groups.make_exact_room(lists.len())?;
    groups.groups.resize_with(lists.len(), G::default);
    for group in 0..lists.len() {
        groups.of[lists.span(group).unwrap_or_default()].fill(group);
    }
    G::update(function, &columns, rows.len(), &mut groups)?;
    let mut scratch = Scratch::default();
    for (index, group) in groups.groups.iter_mut().enumerate() {
        put(index, group.evaluate(function, &mut scratch)?);
    }
    Ok(())
}

/// One group for each list, and the group of each element.
struct Lists<G> {
    /// A group for each list.
    groups: Vec<G>,
    /// For each element, the index of its group, from 0.
    of: Vec<usize>,
}

impl<G: Group> Groups<G> for Lists<G> {
    fn of(&mut self, row: usize) -> Result<&mut G, Error> {
        Ok(&mut self.groups[self.of[row]])
    }

    fn id(&self, row: usize) -> usize {
        self.of[row]
    }
}
