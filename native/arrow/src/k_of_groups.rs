//! Reduces arguments of groups, which are lists with an element for each row, to one value for each group.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, Int64Array, ListArray};
use rankdcg_core::{Column, Error, Type};

use crate::column::ArrowColumn;

/// The k of each group; where rows have several k each, the list of them. NULL for a group without rows.
///
/// `argument` has a list for each group, with the k of each row. All rows of a group must have the same. An argument
/// that is no list has one k for each group already. Errors begin with `name`, the function called.
pub fn k_of_groups(name: &str, argument: &ArrayRef) -> Result<ArrayRef, Error> {
    let groups = ArrowColumn::new(argument)?;
    if !matches!(groups.kind(), Type::List(_)) {
        return Ok(argument.clone());
    }
    let rows = groups.elements()?;
    let several = matches!(rows.kind(), Type::List(_));
    let elements = if several { Some(rows.elements()?) } else { None };
    let numbers = elements.as_ref().unwrap_or(&rows);
    numbers.kind().check_k().map_err(|error| error.of(name))?;
    // The range of a row's k among the numbers; `None` if their list is NULL.
    let range_of = |row: usize| if several { rows.span(row) } else { Some(row..row + 1) };
    // The k of a row, of which there is one unless there are `several`.
    let read = |range: Option<Range<usize>>| {
        range.map(|ks| ks.map(|k| numbers.integer(k)).collect::<Result<Vec<_>, _>>()).transpose()
    };
    let are_equal = |one: &Option<Range<usize>>, other: &Option<Range<usize>>| match (one, other) {
        (Some(one), Some(other)) => {
            one.clone().map(|k| numbers.integer(k)).eq(other.clone().map(|k| numbers.integer(k)))
        }
        _ => one == other,
    };
    let k_of = |group: usize| {
        let mut ranges = groups.span(group).unwrap_or_default().map(range_of);
        let Some(first) = ranges.next() else { return Ok(None) };
        if let Some(other) = ranges.find(|other| !are_equal(&first, other)) {
            let (one, other) =
                (text(read(first)?.as_deref(), several), text(read(other)?.as_deref(), several));
            let text = format!("k must be the same in all rows of a group, got {one} and {other}");
            return Err(Error::new(text).about("k").of(name));
        }
        read(first)
    };
    let ks: Vec<Option<Vec<Option<i64>>>> = (0..groups.len()).map(k_of).collect::<Result<_, Error>>()?;
    if several {
        return Ok(Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(ks)));
    }
    Ok(Arc::new(ks.into_iter().map(|ks| ks.and_then(|ks| ks[0])).collect::<Int64Array>()))
}

/// The k of a row as an error shows them; a list if rows have `several`.
fn text(ks: Option<&[Option<i64>]>, several: bool) -> String {
    let text = |k: &Option<i64>| k.map_or("NULL".to_owned(), |k| k.to_string());
    let Some(ks) = ks else { return text(&None) };
    let ks = ks.iter().map(text).collect::<Vec<_>>().join(", ");
    if several { format!("[{ks}]") } else { ks }
}
