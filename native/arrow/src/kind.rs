//! Arrow's types as the core's.

use arrow_schema::{DataType, Field, FieldRef, IntervalUnit, TimeUnit};
use rankdcg_core::{Field as CoreField, Integer, Type};

/// The type of signed integers of 128 bits. Arrow has none; no decimal has 40 digits, so this one is free.
pub const INT128: DataType = DataType::Decimal128(40, 0);

/// The type of unsigned integers of 128 bits, free for the same reason: decimals have at most 38 digits.
pub const UINT128: DataType = DataType::Decimal128(39, 0);

/// The core's type for one of Arrow; for a dictionary, that of its values.
pub fn kind(data_type: &DataType) -> Type {
    let element = |field: &Field| Box::new(kind(field.data_type()));
    match data_type {
        DataType::Null => Type::Null,
        DataType::Boolean => Type::Boolean,
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::UInt8
        | DataType::UInt16
        | DataType::UInt32 => Type::Integer(Integer::Narrow),
        DataType::UInt64 => Type::Integer(Integer::Unsigned64),
        &INT128 => Type::Integer(Integer::Signed128),
        &UINT128 => Type::Integer(Integer::Unsigned128),
        DataType::Float16 | DataType::Float32 | DataType::Float64 => Type::Float,
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale) => Type::Decimal { precision: *precision, scale: *scale },
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Type::Text,
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::FixedSizeList(field, _)
        | DataType::ListView(field)
        | DataType::LargeListView(field) => Type::List(element(field)),
        // Polars' columns of untyped NULLs are read as such structs.
        DataType::Struct(fields) if fields.is_empty() => Type::Null,
        DataType::Struct(fields) => {
            let field = |(index, field): (usize, &FieldRef)| CoreField {
                name: if is_unnamed(index, field) { String::new() } else { field.name().clone() },
                kind: kind(field.data_type()),
            };
            Type::Struct(fields.iter().enumerate().map(field).collect())
        }
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(fields) if fields.len() == 2 => {
                Type::Map(element(&fields[0]), element(&fields[1]))
            }
            other => Type::Other(other.to_string()),
        },
        DataType::Dictionary(_, value) => kind(value),
        other => Type::Other(name(other)),
    }
}

/// Whether a field has no name in DuckDB: Arrow requires one, so DuckDB names such fields `element1`, `element2`.
/// A field that was given this name cannot be told from them.
fn is_unnamed(index: usize, field: &Field) -> bool {
    field.name().is_empty() || *field.name() == format!("element{}", index + 1)
}

/// The name of a type in SQL, or in Arrow if SQL has no such type. Microseconds, SQL's unit, are not named.
fn name(data_type: &DataType) -> String {
    let unit = |unit: &TimeUnit| match unit {
        TimeUnit::Second => "(s)",
        TimeUnit::Millisecond => "(ms)",
        TimeUnit::Microsecond => "",
        TimeUnit::Nanosecond => "(ns)",
    };
    match data_type {
        DataType::Date32 => "date".into(),
        DataType::Time32(of) | DataType::Time64(of) => format!("time{}", unit(of)),
        DataType::Timestamp(of, None) => format!("timestamp{}", unit(of)),
        DataType::Timestamp(of, Some(_)) => format!("timestamp{} with time zone", unit(of)),
        DataType::Duration(of) => format!("duration{}", unit(of)),
        DataType::Interval(IntervalUnit::MonthDayNano) => "interval".into(),
        DataType::Union(..) => "union".into(),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => "blob".into(),
        other => other.to_string(),
    }
}
