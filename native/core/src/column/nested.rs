//! Items that are structs, lists or maps themselves.

use crate::column::matching::{Matching, matching};
use crate::column::{Column, Encoded, ItemColumn, Items};
use crate::error::Error;
use crate::types::Type;

/// Items as `matching` compares them; nested ones, of which engines know only the parts, are written out.
pub fn items<C: Column>(column: &C, matching: Matching) -> Result<ItemColumn<'_, C::Bytes<'_>>, Error> {
    match column.kind() {
        Type::List(_) | Type::Struct(_) | Type::Map(..) => encode(column).map(ItemColumn::Encoded),
        _ => column.items(matching),
    }
}

/// Writes out values of any type so that equal ones, and only they, have equal bytes.
fn encode<C: Column>(column: &C) -> Result<Encoded, Error> {
    let parts = match column.kind() {
        Type::List(_) | Type::Map(..) => vec![encode(&column.elements()?)?],
        Type::Struct(fields) => {
            let fields = (0..fields.len()).map(|index| encode(&column.field(index)?));
            fields.collect::<Result<_, _>>()?
        }
        _ => return encode_scalars(column),
    };
    let is_struct = matches!(column.kind(), Type::Struct(_));
    let mut items = Encoded::default();
    for row in 0..column.len() {
        items.push(|bytes| {
            if is_struct {
                for field in &parts {
                    field.append(row, bytes);
                }
                return column.is_valid(row).then_some(());
            }
            let span = column.span(row)?;
            bytes.extend_from_slice(&span.len().to_le_bytes());
            span.for_each(|element| parts[0].append(element, bytes));
            Some(())
        });
    }
    Ok(items)
}

fn encode_scalars<C: Column>(column: &C) -> Result<Encoded, Error> {
    let matching = matching(column.kind(), column.kind()).unwrap_or(Matching::Same);
    let mut items = Encoded::default();
    let mut push_all = |write: &dyn Fn(usize, &mut Vec<u8>) -> Option<()>| {
        for row in 0..column.len() {
            items.push(|bytes| write(row, bytes));
        }
    };
    match column.items(matching)? {
        ItemColumn::Encoded(items) => return Ok(items),
        ItemColumn::Nulls => push_all(&|_, _| None),
        ItemColumn::Fixed(values) => {
            push_all(&|row, bytes| values.tag(row).map(|tag| bytes.extend_from_slice(&tag.to_le_bytes())));
        }
        ItemColumn::Bytes(values) => {
            push_all(&|row, bytes| values.tag(row).map(|_| bytes.extend_from_slice(values.bytes(row))));
        }
    }
    Ok(items)
}
