"""The rows of truth and rec as SQL, with fixed names of columns, and the temporary tables made from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rankdcg_sql._errors import CallValueError
from rankdcg_sql._sql import fetch_one, is_nan, quote_name, repr_in_sql
from rankdcg_sql.evaluation._tables.types import exact_column

if TYPE_CHECKING:
    import duckdb

    from rankdcg_sql.evaluation._tables.columns import FoundColumns
    from rankdcg_sql.evaluation._tables.source import TruthAndRec


@dataclass(frozen=True)
class Views:
    """Queries for the rows of truth and rec, and the names of temporary tables."""

    #: All rows of truth: userid, itemid, rel, and the segments as by_0, by_1 and so on.
    all_truth: str
    #: All rows of rec: userid, itemid and score.
    all_rec: str
    #: The name of a table of users: their segments, and whether these differ between rows.
    segments: str
    #: The name of a table of all users of both tables: the numbers of retrieved and judged items, and the
    #: value of each measure.
    user_metrics: str
    #: Rows with users and their segments.
    segment_rows: str = ""

    @classmethod
    def of(cls, tables: TruthAndRec, columns: FoundColumns, prefix: str) -> Views:
        """Write the queries; the names of tables start with `prefix`."""
        truth, rec, user_type = tables.truth, tables.rec, columns.user_type
        rel = quote_name(columns.rel) if columns.rel else "1.0"
        source = columns.by_source
        segments = "".join(
            f", {exact_column(name, source.types[name])} AS by_{place}"
            for place, name in enumerate(columns.by)
        )
        users = exact_column(columns.by_user, source.types[columns.by_user])
        views = cls(
            f"(SELECT {exact_column(columns.user, user_type)} AS userid, "
            f"{exact_column(columns.item, truth.types[columns.item])} AS itemid, "
            f"{rel}::DOUBLE AS rel{segments if source is truth else ''} FROM {truth.view})",
            f"(SELECT {exact_column(columns.rec_user, user_type)} AS userid, "
            f"{exact_column(columns.rec_item, rec.types[columns.rec_item])} AS itemid, "
            f"{quote_name(columns.score)}::{columns.score_type} AS score{segments if source is rec else ''} "
            f"FROM {rec.view})",
            f"{prefix}_segments_of_users",
            f"{prefix}_user_metrics",
        )
        usable = {"truth": views.judgements, "rec": views.recommendations}
        own = f"(FROM (SELECT {users} AS userid{segments} FROM {source.view}) WHERE userid IS NOT NULL)"
        return replace(views, segment_rows=usable.get(source.role, own))

    @property
    def judgements(self) -> str:
        """The usable rows of truth: those with a user and a relevance that is a number."""
        usable = f"userid IS NOT NULL AND rel IS NOT NULL AND NOT {is_nan('rel')}"
        return f"(FROM {self.all_truth} WHERE {usable})"

    @property
    def recommendations(self) -> str:
        """The usable rows of rec: those with a user and a score that is a number."""
        usable = f"userid IS NOT NULL AND score IS NOT NULL AND NOT {is_nan('score')}"
        return f"(FROM {self.all_rec} WHERE {usable})"

    def create_segments(self, tables: TruthAndRec, columns: FoundColumns) -> None:
        """Create the table `segments` if there are segments.

        Raises `CallValueError` if the segments of a user differ between rows.
        """
        by = [f"by_{place}" for place, _ in enumerate(columns.by)]
        if not by:
            return
        one = "min({0}) IS DISTINCT FROM max({0}) OR count({0}) NOT IN (0, count(*))"
        label = columns.by_source.label
        tables.run(
            f"users of {label}",
            f"CREATE TEMP TABLE {self.segments} AS SELECT userid, "
            f"{', '.join(f'any_value({name}) AS {name}' for name in by)}, "
            f"{' OR '.join(one.format(name) for name in by)} AS several "
            f"FROM {self.segment_rows} GROUP BY userid",
        )
        found = fetch_one(
            tables.con.execute(f"SELECT {repr_in_sql('userid')} FROM {self.segments} WHERE several LIMIT 1")
        )
        if found:
            raise CallValueError(
                tables.caller,
                "by",
                f"{', '.join(columns.by)} must be the same in all rows of a user of {label}, and is not for "
                f"{found[0]}",
            )

    def drop(self, con: duckdb.DuckDBPyConnection) -> None:
        """Drop the tables that exist."""
        con.execute(f"DROP TABLE {self.user_metrics}; DROP TABLE IF EXISTS {self.segments}")
