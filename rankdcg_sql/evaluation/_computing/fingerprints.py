"""Fingerprints of tables: texts that depend on the rows that are read, and not on their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankdcg_sql import _native
from rankdcg_sql._sql import quote_name
from rankdcg_sql.evaluation._computing.item_values import find_item_columns
from rankdcg_sql.evaluation._tables.types import BIGINT_OR_SMALLER, base_type
from rankdcg_sql.evaluation._tables.workspace import as_stream

if TYPE_CHECKING:
    from collections.abc import Iterable

    import duckdb

    from rankdcg_sql.evaluation._computing.user_metrics import Inputs
    from rankdcg_sql.evaluation._tables.columns import Columns, Source

#: The most digits of a decimal that floating point keeps.
_EXACT_DIGITS = 15
#: The forms in which values are hashed whose text depends on the engine or the time zone: hexadecimal digits,
#: and microseconds since 1970.
_AS_HASHED = {"BLOB": "hex({})", "TIMESTAMP WITH TIME ZONE": "epoch_us({})"}


def columns_read(inputs: Inputs, names: Columns, items: Source | None) -> dict[str, tuple[Source, list[str]]]:
    """List the tables of an evaluation by their roles, each with the columns that are read from it."""
    tables, columns = inputs.tables, inputs.columns
    read: dict[str, tuple[Source | None, list[str | None]]] = {
        "truth": (tables.truth, [columns.user, columns.item, columns.rel, columns.aspect]),
        "rec": (tables.rec, [columns.rec_user, columns.rec_item, columns.score]),
        "segments": (tables.segments, [columns.by_user]),
        "items": (items, []),
    }
    if items:
        item, properties = find_item_columns(tables.caller, items, names)
        read["items"][1].extend([item, *properties.values()])
    if columns.of_users:
        read[columns.by_source.role][1].extend(columns.of_users)
    return {
        role: (source, [column for column in found if column is not None])
        for role, (source, found) in read.items()
        if source is not None
    }


def hashed_type(kind: str) -> str:
    """Return the type in which a column of DuckDB is hashed: BIGINT, DOUBLE or VARCHAR.

    A table has one fingerprint, whether a file keeps its numbers as integers, decimals or floating point.
    """
    name = base_type(kind)
    if name in BIGINT_OR_SMALLER | {"BOOLEAN"}:
        return "BIGINT"
    if name == "DECIMAL":
        digits = int(kind.removeprefix("DECIMAL(").partition(",")[0])
        return "DOUBLE" if digits <= _EXACT_DIGITS else "VARCHAR"
    return "DOUBLE" if name in ("FLOAT", "DOUBLE") else "VARCHAR"


def fingerprint(con: duckdb.DuckDBPyConnection, source: Source, columns: Iterable[str]) -> str:
    """Return the fingerprint of the rows of some columns of a table: 32 hexadecimal digits."""
    cells = ", ".join(
        f"{_AS_HASHED.get((kind := source.types[column]), '{}').format(quote_name(column))}"
        f"::{hashed_type(kind)} AS cell_{place}"
        for place, column in enumerate(columns)
    )
    rows, _ = as_stream(con.sql(f"SELECT {cells} FROM {source.view}"))
    return in_hex(sum(map(_native.fingerprint, rows)))


def in_hex(total: int) -> str:
    """Write the sum of the hashes of rows as a fingerprint."""
    return f"{total % 2**128:032x}"
