"""The value of an expression in DuckDB, the rows of a query, or the sentence of an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The prefix that DuckDB puts in front of the sentence of an error, by way in.
PREFIX = {
    "static": "Invalid Input Error: ",
    "load": "Invalid Input Error: ",
    "udf": "Invalid Input Error: Python exception occurred while executing the UDF: ValueError: ",
}
#: Before 2.0, DuckDB shows where in Python the error arose.
_STACK = "\n\nAt:\n"


def value(con: duckdb.DuckDBPyConnection, expression: str, parameters: list[Any] | None = None) -> Any:
    """The value of an expression."""
    ((found,),) = con.execute(f"SELECT {expression}", parameters or []).fetchall()
    return found


def rows(con: duckdb.DuckDBPyConnection, query: str, parameters: Any = ()) -> list[Any]:
    """The rows of a query; bare values instead of tuples if there is one column."""
    found = con.execute(query, parameters).fetchall()
    return [row[0] for row in found] if found and len(found[0]) == 1 else found


def insert(con: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows in their order by one statement: `executemany` runs one for each row, and takes long.

    Numbers are passed as texts, which hold every bit: before 2.0, the client turns the number NaN into NULL.
    """
    columns = [[None if each is None else str(each) for each in column] for column in zip(*rows, strict=True)]
    values = ", ".join(f"unnest(${number}::VARCHAR[])" for number in range(1, len(columns) + 1))
    con.execute(f"INSERT INTO {table} SELECT {values}", columns)


def sentence(con: duckdb.DuckDBPyConnection, way: str, expression: str) -> str:
    """The sentence of the error that an expression ends with, without DuckDB's prefix."""
    with pytest.raises(duckdb.InvalidInputException) as caught:
        con.execute(f"SELECT {expression}").fetchall()
    text = str(caught.value)
    assert text.startswith(PREFIX[way])
    return text.removeprefix(PREFIX[way]).split(_STACK)[0]
