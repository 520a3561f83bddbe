"""Temporary views of truth and rec with fixed names of columns, and temporary tables made from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankdcg_sql._errors import CallValueError
from rankdcg_sql._sql import fetch_one, quote_name, repr_in_sql
from rankdcg_sql.evaluation._types import exact_column

if TYPE_CHECKING:
    import duckdb

    from rankdcg_sql.evaluation._columns import FoundColumns
    from rankdcg_sql.evaluation._truth_and_rec import TruthAndRec


@dataclass(frozen=True)
class Views:
    """The names of the temporary views and tables that are made from truth and one table of recommendations.

    The names start with `prefix`.
    """

    #: The start of all names, which no name of the caller has.
    prefix: str

    @property
    def all_truth(self) -> str:
        """A view of all rows of truth: userid, itemid, rel, and the segments as by_0, by_1 and so on."""
        return f"{self.prefix}_all_truth"

    @property
    def all_rec(self) -> str:
        """A view of all rows of rec: userid, itemid and score."""
        return f"{self.prefix}_all_rec"

    @property
    def judgements(self) -> str:
        """A view of the usable rows of truth: those with a user and a relevance that is a number."""
        return f"{self.prefix}_judgements"

    @property
    def recommendations(self) -> str:
        """A view of the usable rows of rec: those with a user and a score that is a number."""
        return f"{self.prefix}_recommendations"

    @property
    def segments(self) -> str:
        """A table of the users with judgements: their segments, and whether these differ between rows."""
        return f"{self.prefix}_segments"

    @property
    def user_metrics(self) -> str:
        """A table of all users of both tables: numbers of retrieved and judged items, and each measure."""
        return f"{self.prefix}_user_metrics"

    def create(self, tables: TruthAndRec, columns: FoundColumns) -> None:
        """Create the views."""
        user_type, types = columns.user_type, (tables.truth.types, tables.rec.types)
        segments = "".join(
            f", {exact_column(name, types[0][name])} AS by_{place}" for place, name in enumerate(columns.by)
        )
        tables.con.execute(
            f"""
            CREATE TEMP VIEW {self.all_truth} AS
            SELECT {exact_column(columns.user, user_type)} AS userid,
                {exact_column(columns.item, types[0][columns.item])} AS itemid,
                {quote_name(columns.rel) if columns.rel else "1.0"}::DOUBLE AS rel{segments}
            FROM {tables.truth.view};
            CREATE TEMP VIEW {self.all_rec} AS
            SELECT {exact_column(columns.rec_user, user_type)} AS userid,
                {exact_column(columns.rec_item, types[1][columns.rec_item])} AS itemid,
                {quote_name(columns.score)}::{columns.score_type} AS score
            FROM {tables.rec.view};
            CREATE TEMP VIEW {self.judgements} AS
            FROM {self.all_truth} WHERE userid IS NOT NULL AND rel IS NOT NULL AND NOT isnan(rel);
            CREATE TEMP VIEW {self.recommendations} AS
            FROM {self.all_rec} WHERE userid IS NOT NULL AND score IS NOT NULL AND NOT isnan(score::DOUBLE);
            """
        )

    def create_segments(self, tables: TruthAndRec, columns: FoundColumns) -> None:
        """Create the table `segments` if there are segments.

        Raises
        ------
        CallValueError
            If the segments of a user differ between rows.
        """
        by = [f"by_{place}" for place, _ in enumerate(columns.by)]
        if not by:
            return
        one = "min({0}) IS DISTINCT FROM max({0}) OR count({0}) NOT IN (0, count(*))"
        tables.run(
            f"users of {tables.truth.label}",
            f"CREATE TEMP TABLE {self.segments} AS SELECT userid, "
            f"{', '.join(f'any_value({name}) AS {name}' for name in by)}, "
            f"{' OR '.join(one.format(name) for name in by)} AS several "
            f"FROM {self.judgements} GROUP BY userid",
        )
        found = fetch_one(
            tables.con.execute(f"SELECT {repr_in_sql('userid')} FROM {self.segments} WHERE several LIMIT 1")
        )
        if found:
            raise CallValueError(
                tables.caller,
                "by",
                f"{', '.join(columns.by)} must be the same in all rows of a user of "
                f"{tables.truth.label}, and is not for {found[0]}",
            )

    def drop(self, con: duckdb.DuckDBPyConnection) -> None:
        """Drop the views and tables that exist."""
        for view in (self.recommendations, self.judgements, self.all_rec, self.all_truth):
            con.execute(f"DROP VIEW IF EXISTS {view}")
        for table in (self.segments, self.user_metrics):
            con.execute(f"DROP TABLE IF EXISTS {table}")
