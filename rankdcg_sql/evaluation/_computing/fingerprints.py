"""Fingerprints of tables: texts that depend on the rows that are read, and not on their order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rankdcg_sql import _native
from rankdcg_sql._sql import quote_name
from rankdcg_sql.evaluation._computing.item_values import find_item_columns
from rankdcg_sql.evaluation._tables.types import BIGINT_OR_SMALLER, base_type
from rankdcg_sql.evaluation._tables.workspace import as_stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import duckdb

    from rankdcg_sql.evaluation._computing.spans import Spans
    from rankdcg_sql.evaluation._computing.user_metrics import Inputs
    from rankdcg_sql.evaluation._tables.columns import Columns, Source

#: The most digits of a decimal that floating point keeps.
_EXACT_DIGITS = 15
#: The forms in which values are hashed whose texts depend on the time zone or the engine, or differ for equal
#: numbers, keyed by the type: SQL of DuckDB.
_FORMS = {
    "BLOB": "hex({0})",
    "DECIMAL": "rtrim(rtrim(CAST({0} AS STRING), '0'), '.')",
    "TIMESTAMP WITH TIME ZONE": "coalesce(CAST(epoch_us({0}) AS STRING), CAST({0} AS STRING))",
    "TIMESTAMPTZ_NS": "coalesce(CAST(epoch_ns({0}) AS STRING), CAST({0} AS STRING))",
}


def columns_read(
    inputs: Inputs, names: Columns, items: Source | None, spans: Spans | None
) -> dict[str, tuple[Source, list[str]]]:
    """List the tables of an evaluation by their roles, each with the columns that are read from it.

    Segments and weights are a table of their own, also if truth or rec has their columns.
    """
    tables, columns = inputs.tables, inputs.columns
    of_truth = [columns.user, columns.item, columns.rel, columns.aspect]
    read = {
        "truth": (tables.truth, [column for column in of_truth if column is not None]),
        "rec": (tables.rec, [columns.rec_user, columns.rec_item, columns.score]),
    }
    if spans:  # the items of rec depend on truth
        for role, given in (("truth", spans.given.truth), ("rec", spans.given.rec)):
            offsets = [given.column("spans", name) for name in names.spans or ()]
            read[role] = (given, [*read[role][1], *offsets])
    if columns.of_users:
        read["segments"] = (columns.by_source, [columns.by_user, *columns.of_users])
    if items:
        item, properties = find_item_columns(tables.caller, items, names)
        read["items"] = (items, [item, *properties.values()])
    return read


def fingerprint(con: duckdb.DuckDBPyConnection, source: Source, columns: Iterable[str]) -> str:
    """Return the fingerprint of the rows of some columns of a table: 32 hexadecimal digits."""
    cells = ", ".join(
        f"{hashed_cell(quote_name(column), source.types[column])} AS cell_{place}"
        for place, column in enumerate(columns)
    )
    rows, _ = as_stream(con.sql(f"SELECT {cells} FROM {source.view}"))
    return in_hex(sum(map(_native.fingerprint, rows)))


def hashed_cell(column: str, kind: str, forms: Mapping[str, str] = _FORMS) -> str:
    """Write SQL for the values of a column of type `kind` as they are hashed: BIGINT, DOUBLE or text."""
    name = base_type(kind)
    if name in BIGINT_OR_SMALLER | {"BOOLEAN"}:
        return f"CAST({column} AS BIGINT)"
    digits, of_fraction = map(int, re.findall(r"\d+", kind)) if name == "DECIMAL" else (0, 0)
    if name in ("FLOAT", "DOUBLE") or 0 < digits <= _EXACT_DIGITS:
        return f"CAST({column} AS DOUBLE)"
    form = None if digits and not of_fraction else forms.get(name)
    return form.format(column) if form else f"CAST({column} AS STRING)"


def in_hex(total: int) -> str:
    """Write the sum of the hashes of rows as a fingerprint."""
    return f"{total % 2**128:032x}"
