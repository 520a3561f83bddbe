"""Names and texts in SQL, and the answers of DuckDB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb


def error_text(error: Exception) -> str:
    """Return what DuckDB says, without the SQL that nobody but us has written."""
    return str(error).partition("\n\nLINE ")[0].replace("\n", " ")


def fetch_one(cursor: duckdb.DuckDBPyConnection) -> tuple[Any, ...] | None:
    """Return the first row of a result, which is read to its end: before that, its connection is in use."""
    rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows[0] if rows else None


def quote_name(name: str) -> str:
    """Quote a name, as SQL has it."""
    return _quote(name, '"')


def quote_text(text: str) -> str:
    """Quote a text, as SQL has it."""
    return _quote(text, "'")


def _quote(text: str, quote: str) -> str:
    return quote + text.replace(quote, quote * 2) + quote
