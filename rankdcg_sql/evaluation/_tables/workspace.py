"""The temporary tables and views of one call, on its working connection."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import duckdb

from rankdcg_sql._cached import cached_property
from rankdcg_sql._sql import column_types, quote_name, quote_text
from rankdcg_sql.evaluation._tables.types import is_changed_in_arrow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


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
        self._look_in("system.main")

    @cached_property
    def _path(self) -> tuple[str, ...]:
        """The schemas in which names of the caller are looked up."""
        return ("system.main",) if self.user_connection is None else search_path(self.user_connection)

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

    def copy(self, stream: Any, label: str, view: str) -> None:
        """Copy a stream into a table: it can be read only once, or it belongs to another connection."""
        import pyarrow as pa

        name = self.own("stream")
        casts: list[str] = []
        if isinstance(stream, duckdb.DuckDBPyRelation):
            # Types that Arrow lacks go as texts, and come back from them.
            kinds = [
                (quote_name(column), str(kind))
                for column, kind in zip(stream.columns, stream.types, strict=True)
                if is_changed_in_arrow(str(kind))
            ]
            if kinds:
                texts = ", ".join(f"{column}::VARCHAR AS {column}" for column, _ in kinds)
                stream = stream.project(f"* REPLACE ({texts})")
            casts = [f"{column}::{kind} AS {column}" for column, kind in kinds]
        self.con.register(name, pa.RecordBatchReader.from_stream(stream))
        replaced = f" REPLACE ({', '.join(casts)})" if casts else ""
        self.create("TABLE", view, f"SELECT *{replaced} FROM {name}", label)
        self.con.unregister(name)

    def drop(self, view: str) -> None:
        """Drop what was created, copied or registered under a name."""
        kind = self.kinds.pop(view, None)
        if kind is None:
            self.con.unregister(view)
        else:
            self.con.execute(f"DROP {kind} {view}")


def search_path(con: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """Return the schemas in which a connection looks up names, in the form of the setting ``search_path``.

    The setting leaves out the database if there is only one schema. The first schema is therefore taken from
    the current database and schema. The values are read from the names of a relation's columns: the relation
    is never run, so a pending result of the connection survives.
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
