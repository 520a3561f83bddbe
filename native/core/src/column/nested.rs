//! Items that are structs, lists or maps.

use crate::column::matching::{Matching, own_matching};
use crate::column::{Column, Encoded, ItemColumn};
use crate::error::Error;
use crate::memory::Grow;
use crate::types::Type;

/// The items of a column as `matching` compares them. Nested ones are encoded here: they match their own type alone.
pub fn items<C: Column>(column: &C, matching: Matching) -> Result<ItemColumn<'_, C::Bytes<'_>>, Error> {
    match column.kind() {
        Type::List(_) | Type::Struct(_) | Type::Map(..) => encoded(column).map(ItemColumn::Encoded),
        _ => column.items(matching),
    }
}

/// The items of a column as they are compared among themselves.
pub fn own_items<C: Column>(column: &C) -> Result<ItemColumn<'_, C::Bytes<'_>>, Error> {
    items(column, own_matching(column.kind()))
}

/// Encodes values of any type, so that equal values, and only these, have equal bytes.
pub fn encoded<C: Column>(column: &C) -> Result<Encoded, Error> {
    // The items of each field of a struct, or, for lists and maps, those of their elements alone.
    let parts = match column.kind() {
        Type::List(_) | Type::Map(..) => vec![encoded(&column.elements()?)?],
        Type::Struct(fields) => {
            let encoded = (0..fields.len()).map(|index| encoded(&column.field(index)?));
            encoded.collect::<Result<_, _>>()?
        }
        _ => return encode_scalars(column),
    };
    let is_struct = matches!(column.kind(), Type::Struct(_));
    let mut items = Encoded::default();
    for row in 0..column.len() {
        items.push(|bytes| {
            if is_struct {
                parts.iter().try_for_each(|field| field.append(row, bytes))?;
                return Ok(column.is_valid(row));
            }
            let Some(span) = column.span(row) else { return Ok(false) };
            bytes.try_extend_from_slice(&span.len().to_le_bytes())?;
            span.into_iter().try_for_each(|element| parts[0].append(element, bytes))?;
            Ok(true)
        })?;
    }
    Ok(items)
}

/// Encodes values of a type that is not nested.
fn encode_scalars<C: Column>(column: &C) -> Result<Encoded, Error> {
    column.items(own_matching(column.kind()))?.encoded(column.len(), i64::to_le_bytes)
}
