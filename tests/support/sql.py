"""The value of an expression in DuckDB, or the sentence of its error."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

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


def sentence(con: duckdb.DuckDBPyConnection, way: str, expression: str) -> str:
    """The sentence of the error that an expression ends with, without DuckDB's prefix."""
    with pytest.raises(duckdb.InvalidInputException) as caught:
        con.execute(f"SELECT {expression}").fetchall()
    text = str(caught.value)
    assert text.startswith(PREFIX[way])
    return text.removeprefix(PREFIX[way]).split(_STACK)[0]
