"""The connection that an evaluation works on."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack, suppress

import duckdb

from rankdcg_sql.duckdb import open_without_table_macros, register_without_table_macros


def open_connection(con: duckdb.DuckDBPyConnection | None, closing: ExitStack) -> duckdb.DuckDBPyConnection:
    """Open a connection whose temporary tables no other connection sees; `closing` closes it.

    It is another connection to the database of `con`, or to a database of its own if `con` is None.
    """
    if con is None:
        folder = closing.enter_context(tempfile.TemporaryDirectory(prefix="rankdcg_sql_"))
        working = closing.enter_context(open_without_table_macros({"temp_directory": folder}))
    else:
        working = closing.enter_context(con.cursor())
        register_without_table_macros(working)
    # A locked configuration refuses these settings.
    with suppress(duckdb.InvalidInputException):
        # Otherwise DuckDB could take the name of a table for a Python variable of this package.
        working.execute("SET SESSION python_enable_replacements = false")
        # Users are equal only if their texts are the same byte by byte.
        working.execute("SET SESSION default_collation = ''")
    return working
