//! Reads and writes types. Polars has some formats of its own besides those of Arrow.

use std::sync::Arc;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_schema::ffi::Flags;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields};
use rankdcg_arrow::{INT128, UINT128};

/// The type that a field of Polars describes.
pub fn data_type(schema: &FFI_ArrowSchema) -> Result<DataType, String> {
    match schema.format() {
        "_pli128" => Ok(INT128),
        "_plu128" => Ok(UINT128),
        // Polars' arrays of untyped NULLs have a validity buffer, which arrow-rs' type of NULLs must not have. A struct
        // without fields is the type of arrow-rs that has this buffer and no other.
        "n" => Ok(DataType::Struct(Fields::empty())),
        // Types within nested ones may be in Polars' own formats.
        "+L" => Ok(DataType::LargeList(field(schema.child(0))?)),
        "+s" => Ok(DataType::Struct(schema.children().map(field).collect::<Result<_, _>>()?)),
        format => match format.strip_prefix("+w:").map(str::parse) {
            Some(Ok(width)) => Ok(DataType::FixedSizeList(field(schema.child(0))?, width)),
            _ => DataType::try_from(schema)
                .map_err(|_| format!("columns of Polars' type {format:?} cannot be read")),
        },
    }
}

/// The field of a result, in Polars' own formats at its top and in structs. Results have them nowhere else.
pub fn schema(field: &Field) -> Result<FFI_ArrowSchema, ArrowError> {
    let named = |format, children: Vec<FFI_ArrowSchema>| {
        FFI_ArrowSchema::try_new(format, children, None)?.with_name(field.name())?.with_flags(Flags::NULLABLE)
    };
    match field.data_type() {
        &INT128 => named("_pli128", Vec::new()),
        &UINT128 => named("_plu128", Vec::new()),
        DataType::Struct(fields) => {
            named("+s", fields.iter().map(|field| schema(field)).collect::<Result<_, _>>()?)
        }
        _ => FFI_ArrowSchema::try_from(field),
    }
}

/// A field of a struct, or that of the elements of a list.
fn field(schema: &FFI_ArrowSchema) -> Result<FieldRef, String> {
    let name = schema.name().unwrap_or_default();
    Ok(Arc::new(Field::new(name, data_type(schema)?, schema.nullable())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(format: &str, children: Vec<FFI_ArrowSchema>) -> FFI_ArrowSchema {
        FFI_ArrowSchema::try_new(format, children, None).unwrap().with_name("item").unwrap()
    }

    fn list(item: DataType) -> DataType {
        DataType::LargeList(Arc::new(Field::new("item", item, false)))
    }

    #[test]
    fn polars_own_formats_are_found_at_any_depth() {
        assert_eq!(data_type(&schema("_pli128", vec![])), Ok(INT128));
        let wide = || schema("_plu128", vec![]);
        assert_eq!(data_type(&schema("+L", vec![wide()])), Ok(list(UINT128)));
        let array = schema("+w:3", vec![schema("+s", vec![wide()])]);
        let fields = vec![Field::new("item", UINT128, false)].into();
        let expected =
            DataType::FixedSizeList(Arc::new(Field::new("item", DataType::Struct(fields), false)), 3);
        assert_eq!(data_type(&array), Ok(expected));
    }

    #[test]
    fn an_unknown_format_is_an_error() {
        for format in ["_pl?", "+w:many"] {
            let error = format!("columns of Polars' type {format:?} cannot be read");
            assert_eq!(data_type(&schema("+L", vec![schema(format, vec![schema("l", vec![])])])), Err(error));
        }
    }
}
