"""A table of one role, its columns by name, and short queries about truth and a table of recommendations."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from rankdcg_sql._errors import Argument, CallValueError
from rankdcg_sql._sql import fetch_one, quote_name, repr_in_sql
from rankdcg_sql.evaluation._tables.files import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

    import duckdb


@dataclass(frozen=True)
class Source:
    """A table or view on the working connection."""

    #: Whether it has judgements (``truth``), recommendations (``rec``), or the segments of users
    #: (``segments``).
    role: str
    #: Its name in messages.
    label: str
    #: Its name on the connection.
    view: str
    #: The SQL type of each column of the table that was given, keyed by the column's name.
    types: dict[str, str]
    #: The number of its rows.
    rows: int
    #: Whether it was read from a TREC file. Its columns then have the names that the caller gave for them.
    is_trec: bool = False
    #: The column of relevances, if the format says that there is one, otherwise None.
    rel: str | None = None
    #: The types as Spark writes them, keyed by the column's name, if the table is on Spark, otherwise None.
    spark_types: dict[str, str] | None = None

    def column(self, argument: str, name: str, other: Source | None = None) -> str:
        """Return a column's name as the table writes it; `name` may differ from it in case.

        The error tells the caller to name another column with `argument`; or for users and items, which the
        `other` table has, too, with the argument for this table alone. It does not say the called function.
        """
        for column in self.types:
            if column.lower() == name.lower():
                return column
        near = get_close_matches(name.lower(), [column.lower() for column in self.types], n=1)
        misread = _how_misread([*self.types])
        own = f"{self.role}_{argument}" if other and argument in ("user", "item") else argument
        hint: tuple[str | Argument, ...]
        if misread:
            hint = (f"; {misread}",)
        elif self.role == "segments" and argument == "user":
            others = "=, and those of truth and rec with ", Argument("truth_user"), "= and "
            hint = ("; name the right one with ", Argument("user"), *others, Argument("rec_user"), "=")
        elif near:
            is_of_both = other and other.has(near[0])
            hint = ("; did you mean ", Argument(argument if is_of_both else own, near[0]), "?")
        elif own == argument or (other and other.has(name)):
            hint = ("; name the right one with ", Argument(own), "=")
        else:
            alone = f"=, or that of {self.label} alone with "
            hint = ("; name the right one with ", Argument(argument), alone, Argument(own), "=")
        missing = f"{self.label} has no column {name!r}, but {', '.join(self.types)}"
        raise CallValueError(None, argument, missing, *hint)

    def shown_type(self, column: str) -> str:
        """Return the type of a column as the engine of the table writes it."""
        return (self.spark_types or self.types)[column]

    def has(self, name: str) -> bool:
        """Whether there is a column of this name, in any case."""
        return name.lower() in map(str.lower, self.types)


def argument_of(caller: str, role: str) -> str:
    """Return the argument of the called function that has the tables of a role."""
    return "recs" if (caller, role) == ("compare", "rec") else role


def _how_misread(columns: list[str]) -> str:
    """Say what seems wrong with a file of which these names of columns were read; empty if nothing does."""
    if len(columns) == 1 and len(columns[0].split()) in {len(fields) for _, fields in FORMATS.values()}:
        return "it looks like a TREC file: let its name end with .txt"
    if all(re.fullmatch(r"column\d+", column) for column in columns):
        return "it has no line of names: add one, or if it is a TREC file, let its name end with .txt"
    if len(columns) == 1 and any(separator in columns[0] for separator in ",;\t|"):
        return "its lines could not be divided into columns: do all of them have as many as the first?"
    return ""


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

    def nothing_in_common(self, what: str, source: Source, rows: str, other: Source, other_rows: str) -> str:
        """Say that no user or item of one table is one of another, with the three smallest of each."""
        there, here = (self._examples(table, f"{what}id") for table in (other_rows, rows))
        alone = f"no {what} of {source.label} is one of {other.label}"
        return f"{alone}, where they are such as {there}, and in {source.label} {here}"

    def _examples(self, rows: str, column: str) -> str:
        distinct = f"SELECT DISTINCT {column} AS example FROM {rows} WHERE {column} IS NOT NULL"
        smallest = f"{distinct} ORDER BY example ASC NULLS LAST LIMIT 3"
        examples = self.con.execute(
            f"SELECT {repr_in_sql('example')} FROM ({smallest}) ORDER BY example ASC NULLS LAST"
        ).fetchall()
        return ", ".join(example for (example,) in examples) or "NULL"
