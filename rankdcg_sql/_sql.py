"""Quoting of names and texts in SQL, and DuckDB's rows and errors.

DuckDB's own errors have no fields, so this module alone reads their texts.
"""

from __future__ import annotations

from typing import Any

import duckdb


def error_text(error: Exception) -> str:
    """Return the first paragraph of DuckDB's message.

    The others are an excerpt of the SQL, which this package wrote, and options of DuckDB's readers.
    """
    return str(error).partition("\n\n")[0].replace("\n", " ")


def is_interrupt(error: RuntimeError) -> bool:
    """Whether DuckDB ended a query because the user interrupted it."""
    return str(error) == "Query interrupted"


def fetch_one(cursor: duckdb.DuckDBPyConnection) -> tuple[Any, ...] | None:
    """Return the first row of a result, or None if it has no rows.

    The result is fetched to its end, because its connection is in use until then.
    """
    rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows[0] if rows else None


def column_types(con: duckdb.DuckDBPyConnection, rows: str) -> dict[str, str]:
    """Return the SQL type of each column of `rows`, which is SQL that follows FROM, keyed by its name."""
    return {name: kind for name, kind, *_ in con.execute(f"DESCRIBE FROM {rows}").fetchall()}


def call_if_known(cursor: duckdb.DuckDBPyConnection, call: str) -> tuple[Any, ...] | None:
    """Return the row of a call of a function of this package; None if the database has no such function.

    To list ``duckdb_functions()`` instead takes tens of milliseconds.
    """
    try:
        return fetch_one(cursor.execute(f"SELECT system.main.{call}"))
    except duckdb.CatalogException:
        return None


def quote_name(name: str) -> str:
    """Quote a name for SQL, in double quotes."""
    return _quote(name, '"')


def quote_text(text: str) -> str:
    """Quote a text for SQL, in single quotes."""
    return _quote(text, "'")


def repr_in_sql(column: str) -> str:
    """Write SQL that formats the value of a column for messages, with quotes around texts.

    DuckDB formats the value, because not every version can convert values of every type to Python.
    """
    text = f"{column}::VARCHAR"
    is_text = f"typeof({column}) = 'VARCHAR' OR typeof({column}) LIKE 'ENUM%'"
    return f"if({is_text}, concat(chr(39), {text}, chr(39)), {text})"


def is_nan(number: str) -> str:
    """Write the SQL condition that a number, which is given as SQL, is NaN.

    DuckDB 2.0 answers ``isnan`` of a column by the least and the largest number that a Parquet file states
    for it, and these leave NaN out. The ``if`` changes no value, and lets DuckDB read the values.
    """
    return f"isnan(if({number} IS NULL, NULL, {number}::DOUBLE))"


def _quote(text: str, quote: str) -> str:
    return quote + text.replace(quote, quote * 2) + quote
