//! The rankings and the relevant items of all users in one row, with numbers for items.

use std::ops::Range;

use crate::column::{Column, ItemColumn, Items};
use crate::error::{Error, bail};
use crate::evaluate::item_numbers::{ItemNumbers, SeenItems};
use crate::item_measures::labels::small;
use crate::item_measures::rankings::{Lists, ListsOfUsers};
use crate::memory::{Grow, collected};
use crate::ranking::small_sort::sort_distinct;
use crate::threads::share_beside;
use crate::types::{Integer, Type};

/// The ranking and the relevant items of one user, as ranges of the items of rec and of truth; `None` for a NULL.
type Spans = [Option<Range<usize>>; 2];

/// How many users the lists of one part have: so few that threads end at about the same time, and so many that the properties of
/// items, which a measure reads in any order, are seldom fetched anew.
const USERS_OF_PART: usize = 1 << 13;

/// The items of one row.
pub struct RowItems {
    /// The index of each item of the catalogue in the column of `items`.
    pub catalogue: Vec<usize>,
    pub lists: Lists,
}

impl RowItems {
    /// Reads the lists of one row on at most `threads` threads: these ranges of the elements of rec, of truth if there is any, and
    /// of items. `ids` are the items of the first of `columns` as errors show them.
    ///
    /// Meanwhile, this thread calls `read_properties` with the catalogue, and with the length of the longest ranking, repeats
    /// included.
    pub fn read<C: Column, B: Items + Sync>(
        (of_rec, of_truth, of_items): (Range<usize>, Option<Range<usize>>, Range<usize>),
        [rankings, truths]: &[C; 2],
        columns: &[ItemColumn<B>; 3],
        ids: &C,
        threads: usize,
        mut read_properties: impl FnMut(&[usize], usize) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let mut known = ItemNumbers::new(columns, of_items.clone())?;
        let catalogue = read_catalogue(&mut known, &columns[0], of_items, ids)?;
        if let Some(of_truth) = &of_truth
            && of_truth.len() != of_rec.len()
        {
            let users = of_rec.len();
            bail!("truth" => "truth must have a list for each of rec, got {} and {users}", of_truth.len());
        }
        let truth_of = |place: usize| truths.span(of_truth.as_ref()?.start + place);
        let users = of_rec.enumerate().map(|(place, user)| [rankings.span(user), truth_of(place)]);
        let users: Vec<Spans> = collected(users)?;
        let threads = worth(users.iter().flatten().flatten().map(Range::len).sum(), threads);
        let rankings = || users.iter().filter_map(|[ranking, _]| ranking.clone());
        let longest = rankings().map(|ranking| ranking.len()).max().unwrap_or(0);
        let mut beside = || read_properties(&catalogue, longest);
        let read = |known: &_, beside| {
            read_parts(known, catalogue.len(), &users, of_truth.is_some(), threads, beside)
        };
        let parts = if let Some(parts) = read(&known, &mut beside)? {
            parts
        } else {
            // Every ranked item has a number after this, in the order of users, whatever the number of threads is.
            for index in rankings().flatten() {
                known.add(1, index)?;
            }
            read(&known, &mut || Ok(()))?.unwrap_or_default()
        };
        let lists = Lists { catalogue: catalogue.len(), items: known.len(), parts };
        Ok(Self { catalogue, lists })
    }
}

/// How many of these threads are worth starting for so many steps, each of an item.
pub fn worth(steps: usize, threads: usize) -> usize {
    const STEPS_OF_EACH: usize = 1 << 16;
    threads.min(steps / STEPS_OF_EACH + 1)
}

/// Gives the items of the catalogue numbers. Returns the index of each in their column.
fn read_catalogue<C: Column, B: Items>(
    known: &mut ItemNumbers<B>,
    column: &ItemColumn<B>,
    items: Range<usize>,
    ids: &C,
) -> Result<Vec<usize>, Error> {
    let mut catalogue = Vec::new();
    // The order in which numbers are added up is that of the items, whatever that of the list is.
    let mut order: Vec<(i64, usize)> = Vec::new();
    order.make_exact_room(items.len())?;
    order.extend(items.clone().filter_map(|index| Some((column.tag(index)?, index)))); // a NULL is no item
    order.sort_unstable_by(|(tag, index), (other_tag, other)| {
        let by_bytes = || column.bytes(*index).cmp(column.bytes(*other));
        tag.cmp(other_tag).then_with(by_bytes).then(index.cmp(other))
    });
    let mut repeated = None;
    for (_, index) in order {
        if known.add(0, index)? == Some(true) {
            catalogue.try_push(index)?;
        } else {
            repeated = Some(repeated.map_or(index, |first: usize| first.min(index)));
        }
    }
    if let Some(first) = repeated {
        let place = first - items.start + 1;
        let again = match ids.kind() {
            Type::Text => ids.text(first)?.map(|text| format!("'{text}' again")),
            Type::Integer(Integer::Narrow) => ids.integer(first)?.map(|integer| format!("{integer} again")),
            _ => None,
        };
        let again = again.as_deref().unwrap_or("the item of another one");
        bail!("items" => "items must have each item once, and place {place} has {again}");
    }
    Ok(catalogue)
}

/// Reads the lists of all users on at most `threads` threads. Meanwhile, this thread does `beside`. The catalogue has so many
/// items. `None` if a ranked item has no number.
fn read_parts<B: Items + Sync>(
    known: &ItemNumbers<B>,
    catalogue: usize,
    users: &[Spans],
    has_truth: bool,
    threads: usize,
    beside: &mut dyn FnMut() -> Result<(), Error>,
) -> Result<Option<Vec<ListsOfUsers>>, Error> {
    let parts: Vec<_> = users.chunks(USERS_OF_PART).collect();
    let read = |seen: &mut SeenItems, part| read_users(known, catalogue, parts[part], has_truth, seen);
    let lists = share_beside(parts.len(), threads, SeenItems::default, read, |_| (), beside)?;
    Ok(lists.into_iter().collect())
}

/// Reads the lists of some users. The catalogue has so many items. `None` if a ranked item has no number.
fn read_users<B: Items>(
    known: &ItemNumbers<B>,
    catalogue: usize,
    users: &[Spans],
    has_truth: bool,
    seen: &mut SeenItems,
) -> Result<Option<ListsOfUsers>, Error> {
    let mut lists = ListsOfUsers::default();
    let ListsOfUsers { ranked, are_relevant, rankings, relevant, truths } = &mut lists;
    let items = |list: usize| users.iter().filter_map(|spans| spans[list].as_ref()).map(Range::len).sum();
    ranked.make_exact_room(items(0))?;
    rankings.make_exact_room(users.len())?;
    if has_truth {
        are_relevant.make_exact_room(items(0))?;
        relevant.make_exact_room(items(1))?;
        truths.make_exact_room(users.len())?;
    }
    for [ranking, truth] in users {
        let start = ranked.len();
        if let Some(ranking) = ranking.clone()
            && known.read(1, ranking, seen, usize::MAX, ranked)?
        {
            return Ok(None);
        }
        rankings.push(ranking.as_ref().map(|_| small(ranked.len() - start, "items in a list")).transpose()?);
        if has_truth {
            let of_user = relevant.len();
            known.read(2, truth.clone().unwrap_or_default(), seen, catalogue, relevant)?;
            are_relevant.extend(ranked[start..].iter().map(|item| seen.has(*item)));
            sort_distinct(&mut relevant[of_user..]);
            truths.push(small(relevant.len() - of_user, "items in a list")?);
        }
    }
    Ok(Some(lists))
}
