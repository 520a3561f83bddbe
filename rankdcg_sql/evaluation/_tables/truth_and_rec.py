"""Truth and one table of recommendations on the working connection, and short queries about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankdcg_sql._sql import fetch_one, quote_name, repr_in_sql

if TYPE_CHECKING:
    from collections.abc import Callable

    import duckdb

    from rankdcg_sql.evaluation._tables.source import Source


@dataclass(frozen=True)
class TruthAndRec:
    """Truth and one table of recommendations, on the working connection of a call."""

    #: The called function, which errors and warnings name.
    caller: str
    #: The working connection.
    con: duckdb.DuckDBPyConnection
    #: Runs a statement on `con` that may take long. Its arguments are a label for the progress bar, and the
    #: statement.
    run: Callable[[str, str], duckdb.DuckDBPyConnection]
    #: The judgements.
    truth: Source
    #: The recommendations.
    rec: Source
    #: The segments of users, if they have a table of their own.
    segments: Source | None = None

    def common_type(self, column: str, rec_column: str) -> str:
        """Return the type to which DuckDB casts a column of truth and one of rec beside each other."""
        one, other = (
            f"{quote_name(column)} FROM {self.truth.view}",
            f"{quote_name(rec_column)} FROM {self.rec.view}",
        )
        return str(self.con.execute(f"DESCRIBE SELECT {one} UNION ALL SELECT {other}").fetchall()[0][1])

    def numbers(self, label: str, select: str) -> dict[str, int]:
        """Run a SELECT that returns one row of numbers, and return them keyed by the names of the columns."""
        cursor = self.run(label, f"SELECT {select}")
        names = [name for name, *_ in cursor.description or ()]
        return dict(zip(names, fetch_one(cursor) or (), strict=True))

    def examples(self, table: str, column: str, where: str = "true") -> str:
        """Return the three smallest values of a column, for a message."""
        known = f"SELECT DISTINCT {column} AS found FROM {table} WHERE {column} IS NOT NULL AND {where}"
        found = f"{known} ORDER BY found ASC NULLS LAST LIMIT 3"
        shown = self.con.execute(
            f"SELECT {repr_in_sql('found')} FROM ({found}) ORDER BY found ASC NULLS LAST"
        ).fetchall()
        return ", ".join(value for (value,) in shown) or "NULL"
