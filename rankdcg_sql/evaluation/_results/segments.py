"""The segments of users as SQL: their columns, rows grouped by them, and their names for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankdcg_sql._sql import quote_name, quote_text
from rankdcg_sql.evaluation._terms.statistics import are_equal_in_sql

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb


@dataclass(frozen=True)
class Segments:
    """The segments by the columns of a table of values."""

    #: The names of the columns; none without segments.
    by: tuple[str, ...]
    #: The name of the segment of all users in tables for people.
    all_of_them: str

    @property
    def columns(self) -> list[str]:
        """The columns of `group` that tell segments apart, all users last; empty without segments."""
        return ["all_users", *(f"by_{place}" for place, _ in enumerate(self.by))] if self.by else []

    @property
    def named_columns(self) -> str:
        """SQL for these columns under the caller's names, with a comma at the end; empty without segments."""
        named = [f"by_{place} AS {quote_name(name)}, " for place, name in enumerate(self.by)]
        return "".join([*named, "all_users, "]) if named else ""

    @property
    def cells(self) -> list[str]:
        """SQL for the segments as texts for people, from the columns under the caller's names."""
        return [
            f"if(all_users, {quote_text('' if place else self.all_of_them)}, {quote_name(name)}::VARCHAR)"
            for place, name in enumerate(self.by)
        ]

    def group(self, aggregates: str, table: str) -> str:
        """Write a SELECT of aggregates for each segment and for all users, with `columns`."""
        columns = list(map(quote_name, self.by))
        segments = [f"{column} AS by_{place}" for place, column in enumerate(columns)]
        all_users = f"grouping({columns[0]}) = 1" if columns else "true"
        sets = f"GROUP BY GROUPING SETS ((), ({', '.join(columns)}))" if columns else ""
        return f"SELECT {', '.join([*segments, f'{all_users} AS all_users', aggregates])} FROM {table} {sets}"

    def find_equal(
        self, con: duckdb.DuckDBPyConnection, table: str, values: Sequence[str]
    ) -> list[tuple[int, str]]:
        """Find which of some values, in SQL over `table`, are equal for all users, or for those of a segment.

        Returns
        -------
        list of tuple
            The place of these in `values`, and the segment in words, which is empty for all users.
        """
        equal = []
        are_equal = f"[{', '.join(map(are_equal_in_sql, values))}] AS are_equal"
        for *segment, is_all, equalities in con.execute(self.group(are_equal, table)).fetchall():
            pairs = (
                f"{name}={'NULL' if value is None else value}"
                for name, value in zip(self.by, segment, strict=True)
            )
            words = "" if is_all else f" in {', '.join(pairs)}"
            equal += [(place, words) for place, is_equal in enumerate(equalities) if is_equal]
        return sorted(equal)
