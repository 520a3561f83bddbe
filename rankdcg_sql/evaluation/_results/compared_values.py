"""The values of several systems on one connection: a table of each, and views of the users they share."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from rankdcg_sql._cached import cached_property
from rankdcg_sql._sql import quote_name, quote_text
from rankdcg_sql.evaluation._tables.connection import results_connection
from rankdcg_sql.evaluation._terms.metrics import metric_range

if TYPE_CHECKING:
    import duckdb

    from rankdcg_sql.evaluation._results.evaluation import Evaluation


@dataclass(frozen=True, repr=False, eq=False)
class ComparedValues:
    """The values of the systems of a comparison.

    Attributes
    ----------
    evaluations : dict of str to Evaluation
        The evaluation of each system, keyed by the system's name.
    baseline : str or None
        The name of the system with which the others are compared; None if all pairs are compared.
    """

    evaluations: dict[str, Evaluation]
    baseline: str | None

    @property
    def first(self) -> Evaluation:
        """The evaluation of the baseline, or of the first system if there is none."""
        return self.evaluations[self.baseline or next(iter(self.evaluations))]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of systems, as `Comparison.pairs` has them."""
        if self.baseline is None:
            return [(system, against) for against, system in combinations(self.evaluations, 2)]
        return [(name, self.baseline) for name in self.evaluations if name != self.baseline]

    @property
    def tables(self) -> dict[str, str]:
        """For each system, the name of the table of its values on the connection."""
        return {name: f"user_metrics_{place}" for place, name in enumerate(self.evaluations)}

    @cached_property
    def con(self) -> duckdb.DuckDBPyConnection:
        """A connection with a table of the values of each system."""
        return results_connection(
            {table: self.evaluations[name].table for name, table in self.tables.items()}
        )

    @cached_property
    def pair_views(self) -> list[str]:
        """For each of `pairs`, the name of a view on the connection.

        Its rows are the users of both, in no order, on which no statistic depends. ``a_0``, ``a_1`` and so on
        are the values of the system, ``b_0`` and so on those of the other one.
        """
        measures = enumerate(quote_name(measure.column) for measure in self.first.measures)
        values = ", ".join(
            [
                *(f"b.{quote_name(name)}" for name in self.first.by),
                *(f"a.{column} AS a_{place}, b.{column} AS b_{place}" for place, column in measures),
            ]
        )
        views = [f"pairs_{place}" for place, _ in enumerate(self.pairs)]
        for view, (system, against) in zip(views, self.pairs, strict=True):
            self.con.execute(
                f"CREATE TEMP VIEW {view} AS SELECT {values} FROM {self.tables[system]} AS a "
                f"JOIN {self.tables[against]} AS b USING ({quote_name(self.first.user)})"
            )
        return views

    @cached_property
    def blocks(self) -> str:
        """The name of a view on the connection, whose rows are the users of all systems.

        ``v_0``, ``v_1`` and so on are lists with the values of all systems, one list for each measure.
        """
        first_table, *other_tables = tables = list(self.tables.values())
        columns = [f"{first_table}.{quote_name(name)}" for name in self.first.by]
        columns += [
            f"[{', '.join(f'{table}.{quote_name(measure.column)}' for table in tables)}] AS v_{place}"
            for place, measure in enumerate(self.first.measures)
        ]
        joins = "".join(f" JOIN {table} USING ({quote_name(self.first.user)})" for table in other_tables)
        self.con.execute(f"CREATE TEMP VIEW blocks AS SELECT {', '.join(columns)} FROM {first_table}{joins}")
        return "blocks"

    @cached_property
    def _ordered_tables(self) -> dict[str, str]:
        """For each system, the name of a table on the connection: its values in ascending order of users."""
        tables = {name: f"ordered_user_metrics_{place}" for place, name in enumerate(self.evaluations)}
        for name, table in tables.items():
            self.con.register(table, self.evaluations[name].ordered)
        return tables

    def select_from_each(self, columns: str) -> duckdb.DuckDBPyRelation:
        """Select `columns` from the values of each system, after a column ``system`` with its name.

        The columns are SQL. Systems follow one another in the order of `evaluations`.
        """
        return self.con.sql(
            " UNION ALL ".join(
                f"SELECT {quote_text(name)} AS system, {columns} FROM {table}"
                for name, table in self._ordered_tables.items()
            )
        )

    def range_of_difference(self, metric: str) -> tuple[float | None, float | None]:
        """Return the least and the largest difference of two values of a metric; None is no bound."""
        least, most = metric_range(metric, self.first.options)
        reach = None if least is None or most is None else most - least
        return None if reach is None else -reach, reach
