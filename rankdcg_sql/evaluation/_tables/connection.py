"""The connections on which evaluations and results work."""

from __future__ import annotations

import ctypes
import os
from contextlib import ExitStack, suppress
from functools import cache
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Any

import duckdb

from rankdcg_sql import _static
from rankdcg_sql._temporary_folder import temporary_folder
from rankdcg_sql.duckdb import open_without_table_macros, register_without_table_macros

if TYPE_CHECKING:
    import pyarrow as pa


def connect_in_memory() -> duckdb.DuckDBPyConnection:
    """Open a connection to the database in memory that all evaluations and results of this process share.

    Its temporary tables and registered objects are its own.
    """
    con = _database().cursor()
    if not _static.installed():  # then the aggregates are macros, which each connection has for itself
        register_without_table_macros(con)
    return con


def connect_on_executor(memory: int, parent: str | None) -> duckdb.DuckDBPyConnection:
    """Open a connection to the database of a worker process, which shares its machine with other workers.

    It uses one thread, `memory` bytes, and files in a folder of the process within `parent`. Spark ends a
    worker without its exit functions, so the folder stays until another worker or Spark removes it.
    """
    con = _database_of_worker(memory, _folder(os.getpid(), parent)).cursor()
    if not _static.installed():
        register_without_table_macros(con)
    return con


def results_connection(tables: dict[str, pa.Table]) -> duckdb.DuckDBPyConnection:
    """Open a connection with the tables of a result, for relations that outlive the result object."""
    con = connect_in_memory()
    for name, table in tables.items():
        con.register(name, table)
    return con


def open_connection(con: duckdb.DuckDBPyConnection | None, closing: ExitStack) -> duckdb.DuckDBPyConnection:
    """Open a connection whose temporary tables no other connection sees; `closing` closes it.

    It is another connection to the database of `con`, or to the one in memory if `con` is None.
    """
    if con is None:
        return closing.enter_context(connect_in_memory())
    working = closing.enter_context(con.cursor())
    register_without_table_macros(working)
    # A locked configuration refuses these settings.
    with suppress(duckdb.InvalidInputException):
        # Otherwise DuckDB could take the name of a table for a Python variable of this package.
        working.execute("SET SESSION python_enable_replacements = false")
        # Users are equal only if their texts are the same byte by byte.
        working.execute("SET SESSION default_collation = ''")
    return working


@cache
def _database() -> duckdb.DuckDBPyConnection:
    """Open the database in memory. To open a database takes longer than to evaluate a thousand users."""
    return open_without_table_macros(
        {"temp_directory": _folder(os.getpid()), "python_enable_replacements": False}
    )


@cache
def _database_of_worker(memory: int, folder: str) -> duckdb.DuckDBPyConnection:
    """Open the database in memory of a worker process."""
    limits: dict[str, Any] = {"threads": 1, "memory_limit": f"{memory}B"}
    if _static.installed():  # DuckDB 2.0: its eight threads for files reserve 64 MiB of addresses each
        limits["async_threads"] = 0
    return open_without_table_macros(
        {"temp_directory": folder, "python_enable_replacements": False, **limits}
    )


@cache
def _folder(process: int, parent: str | None = None) -> str:
    """Make the folder for temporary files of a process, which others cannot read."""
    closing = ExitStack()
    folder = closing.enter_context(temporary_folder(parent))
    # The children of multiprocessing run this, too, and not what `atexit` would run.
    Finalize(None, closing.close, exitpriority=0)
    return folder


def _leave_to_parent() -> None:
    """Let a child of a fork open another database, and never close that of its parent.

    To close it would wait for its threads, which no child has. Results that the child inherits hold
    connections to it, and the last of them that ends would close it.
    """
    if _database.cache_info().currsize:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(_database()))
    _database.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)
