"""The connections on which evaluations and results work, and the temporary tables and views of one call."""

from __future__ import annotations

import ctypes
import os
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING, Any, Literal

import duckdb

from rankdcg_sql import _static
from rankdcg_sql._cached import cached_property
from rankdcg_sql._sql import column_types, quote_name, quote_text
from rankdcg_sql._temporary_folder import temporary_folder
from rankdcg_sql.duckdb import open_without_table_macros, register_without_table_macros
from rankdcg_sql.evaluation._tables.types import is_changed_in_arrow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import pyarrow as pa

#: The schemas with the functions in a database of this module. Before DuckDB 2.0, the second has aggregates.
_OWN_PATH = "system.main" if _static.installed() else "system.main,memory.main"


def connect_in_memory() -> duckdb.DuckDBPyConnection:
    """Open a connection to the database in memory that all evaluations and results of this process share.

    Its temporary tables and registered objects are its own.
    """
    return _database().cursor()


def connect_on_executor(memory: int, parent: str | None) -> duckdb.DuckDBPyConnection:
    """Open a connection to the database of a worker process, which shares its machine with other workers.

    It uses one thread, `memory` bytes, and files in a folder of the process within `parent`, by default the
    system's folder. Spark ends a worker without its exit functions, so the folder stays until another worker
    or Spark removes it.
    """
    return _database_of_worker(memory, _folder(os.getpid(), parent)).cursor()


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
    """Make the folder for temporary files of the process `process`; other users cannot read it."""
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


@dataclass(frozen=True)
class Workspace:
    """Creates and drops temporary tables and views on a working connection."""

    #: The working connection; everything that is made on it is temporary.
    con: duckdb.DuckDBPyConnection
    #: Runs a statement on `con` that may take long. Its arguments are a label for the progress bar, and the
    #: statement.
    run: Callable[[str, str], duckdb.DuckDBPyConnection]
    #: The caller's connection, in which names of tables are looked up.
    user_connection: duckdb.DuckDBPyConnection | None
    #: The names of the columns that are read, keyed by role. Those of truth and rec begin with the user, the
    #: item and the value, a relevance or a score: the names that columns of TREC files get.
    columns: dict[str, tuple[str, ...]]
    #: The start of the names of this package's tables and views. It is random, so that no name of the caller
    #: has it.
    prefix: str
    #: ``TABLE`` or ``VIEW`` for each opened table that a statement created, keyed by its name on `con`.
    #: Objects of Python, such as data frames, are registered instead.
    kinds: dict[str, str] = field(default_factory=dict)

    def own(self, name: str) -> str:
        """Return the name of a temporary table or view with the prefix."""
        return f"{self.prefix}_{name}"

    def prefer_system(self) -> None:
        """Look up names in SQL in DuckDB's own schema, as callers may have macros of the same names."""
        self._look_in(_OWN_PATH if self.user_connection is None else "system.main")

    @cached_property
    def _path(self) -> tuple[str, ...]:
        """The schemas in which names of the caller are looked up."""
        return (_OWN_PATH,) if self.user_connection is None else search_path(self.user_connection)

    @contextmanager
    def as_user(self) -> Iterator[None]:
        """Look up names in SQL as on the caller's connection."""
        # DuckDB looks up schemas without a database in the current database: that of the first schema.
        self._look_in(self._path[0])
        self._look_in(",".join(self._path))
        try:
            yield
        finally:
            self.prefer_system()

    def _look_in(self, path: str) -> None:
        """Look up names in SQL in the schemas of `path`, which commas divide."""
        self.con.execute(f"SET SESSION search_path = {quote_text(path)}")

    def is_read(self, name: str) -> bool:
        """Whether a column of this name is read from any table."""
        return name.lower() in map(str.lower, chain(*self.columns.values()))

    def select_read(self, names: Iterable[str]) -> str:
        """Write those of some columns that are read; without any, 1 keeps the number of rows."""
        return ", ".join(quote_name(name) for name in names if self.is_read(name)) or "1"

    def types(self, rows: str) -> dict[str, str]:
        """Return the SQL type of each column, keyed by its name, of what stands after FROM."""
        return column_types(self.con, rows)

    def create(self, kind: Literal["TABLE", "VIEW"], view: str, query: str, label: str) -> None:
        """Create a temporary table or view of what was given, which `drop` drops."""
        self.run(f"reading {label}", f"CREATE TEMP {kind} {view} AS {query}")
        self.kinds[view] = kind

    def copy(self, relation: duckdb.DuckDBPyRelation, label: str, view: str) -> None:
        """Copy what a relation of another connection returns into a table."""
        name = self.own("stream")
        stream, columns = as_stream(relation)
        self.con.register(name, stream)
        self.create("TABLE", view, f"SELECT {columns} FROM {name}", label)
        self.con.unregister(name)

    def drop(self, view: str) -> None:
        """Drop what was created, copied or registered under a name."""
        kind = self.kinds.pop(view, None)
        if kind is None:
            self.con.unregister(view)
        else:
            self.con.execute(f"DROP {kind} {view}")


def as_stream(relation: duckdb.DuckDBPyRelation) -> tuple[pa.RecordBatchReader, str]:
    """Return the rows of a relation as a stream, and the SQL of its columns as the relation has them.

    Types that Arrow lacks go as texts, and come back from them.
    """
    import pyarrow as pa

    kinds = [
        (quote_name(column), str(kind))
        for column, kind in zip(relation.columns, relation.types, strict=True)
        if is_changed_in_arrow(str(kind))
    ]
    columns = "*"
    if kinds:
        texts = ", ".join(f"{column}::VARCHAR AS {column}" for column, _ in kinds)
        relation = relation.project(f"* REPLACE ({texts})")
        columns = f"* REPLACE ({', '.join(f'{column}::{kind} AS {column}' for column, kind in kinds)})"
    return pa.RecordBatchReader.from_stream(relation), columns


def search_path(con: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """Return the schemas in which a connection looks up names, in the form of the setting ``search_path``.

    The setting leaves out the database if there is only one schema. The first schema is therefore taken from
    the current database and schema. The values are read from the names of a relation's columns: it is never
    run, so a pending result survives. Each name has a sign at its end, because no name may be empty.
    """
    named = ", ".join(
        f"""' AS "', system.main.replace({value}, '"', '""'), '=", 0'"""
        for value in (
            "system.main.current_database()",
            "system.main.current_schema()",
            "system.main.current_setting('search_path')",
        )
    )
    relation = con.sql(f"FROM system.main.query(system.main.concat('SELECT 0', {named}))")
    database, schema, path = (column.removesuffix("=") for column in relation.columns[:3])
    return f"{quote_name(database)}.{quote_name(schema)}", *path.split(",")[1:]
