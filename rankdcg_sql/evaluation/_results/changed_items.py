"""The items of two runs: what each adds to the parts of a change, and which no longer exist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb

from rankdcg_sql._cached import cached_property
from rankdcg_sql._errors import CallError, CallValueError
from rankdcg_sql._sql import fetch_one, quote_name, quote_text
from rankdcg_sql.evaluation._results.changed_values import exact_sum
from rankdcg_sql.evaluation._results.explanation import COLUMNS, ORDER
from rankdcg_sql.evaluation._tables.workspace import connect_in_memory
from rankdcg_sql.evaluation._terms.metrics import explained_measure, is_explained
from rankdcg_sql.evaluation._terms.statistics import TIE_TOLERANCE

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._request import GivenTables
    from rankdcg_sql.evaluation._results.changed_values import ChangedValues
    from rankdcg_sql.evaluation._terms.metrics import Measure

_CALLER = "explain_change"


@dataclass(frozen=True)
class MissingItems:
    """Judged items that were returned before, and are neither returned nor judged after.

    Attributes
    ----------
    judged : int
        The number of items that were judged and returned to anyone before.
    missing : int
        The number of these that are returned to nobody after, and that the truth after does not judge.
    share : float or None
        The share of `missing` in `judged`; None if nothing was judged and returned.
    """

    judged: int
    missing: int
    share: float | None


@dataclass(frozen=True, repr=False, eq=False)
class ChangedItems:
    """The items of two runs, for which the tables are read again."""

    values: ChangedValues

    @property
    def can_be_read(self) -> bool:
        """Whether the tables can be read and explained, and a measure is a sum over items."""
        given = [evaluation.given for evaluation in (self.values.before, self.values.after)]
        are_there = all(tables is not None and not tables.is_on_spark for tables in given)
        return are_there and not duckdb.__version__.startswith("1.") and bool(self.measures)

    @property
    def column(self) -> str:
        """The name of the column of items."""
        return self._runs["after"].request.columns.name("truth", "item")

    @property
    def measures(self) -> list[Measure]:
        return [measure for measure in self.values.measures if is_explained(measure.metric)]

    @cached_property
    def _runs(self) -> dict[str, GivenTables]:
        """The tables of each run, and of the rec of one run with the truth of the other, if they differ."""
        before, after = (evaluation.tables(_CALLER) for evaluation in (self.values.before, self.values.after))
        runs = {"before": before, "after": after}
        if self.values.middle is not None:
            runs["middle"] = before.with_truth_of(after, _CALLER, f"{before.label} of before")
        if self.values.other_middle is not None:
            runs["other_middle"] = after.with_truth_of(before, _CALLER, f"{after.label} of after")
        return runs

    @cached_property
    def terms(self) -> str:
        """The name of a table on the connection: a row for each user of both runs, measure and item.

        Its columns are userid, metric, k, itemid, the contributions of the item to the value before and
        after, and to the parts ``judgements`` and ``ranking``; and its ranks in the top k, ``rank_before``
        and ``rank_after``: twice the mean among tied items. Items without any contribution are left out.
        """
        if not self.measures:
            explained_measure(_CALLER, self.values.measures, None, None)  # raises the error
        con = self.values.con
        for run, tables in self._runs.items():
            tables.explain(_CALLER, self.measures, None, con, f"items_of_{run}")
            self._check(run)
        rows = " UNION ALL ".join(f"SELECT '{run}' AS run, * FROM items_of_{run}" for run in self._runs)
        found = ", ".join(
            f"coalesce(sum(CASE WHEN run = '{run}' THEN contribution END), 0) AS {run}, "
            # A missed item may have a rank below the top k.
            f"max(CASE WHEN run = '{run}' AND rank <= coalesce(k, rank) THEN rank + last_rank END) "
            f"AS rank_{run}"
            for run in self._runs
        )
        # With one truth, and for a user without a value in the middle, no judgement changes the value.
        middle, other_middle = (
            f"if(v.{name} IS NULL, r.{run}, r.{name})" if name in self._runs else f"r.{run}"
            for name, run in (("middle", "before"), ("other_middle", "after"))
        )
        before, after = (
            f"greatest({', '.join(f'r.rank_{name}' for name in names if name in self._runs)})"
            for names in (("before", "middle"), ("after", "other_middle"))
        )
        con.execute(
            "CREATE OR REPLACE TEMP TABLE change_terms AS "
            "SELECT userid, metric, k, itemid, before, after, judgements, "
            "after - before - judgements AS ranking, rank_before, rank_after FROM ("
            f"SELECT r.userid, r.metric, r.k, r.itemid, r.before, r.after, {before} AS rank_before, "
            f"{after} AS rank_after, {middle} - r.before AS by_judging_first, "
            f"r.after - {other_middle} AS by_judging_last, {_JUDGEMENTS[self.values.order]} AS judgements "
            f"FROM (SELECT userid, metric, k, itemid, {found} FROM ({rows}) GROUP BY ALL) AS r "
            f"JOIN {self.values.table} AS v ON r.userid = v.userid AND r.metric = v.metric "
            "AND r.k IS NOT DISTINCT FROM v.k WHERE v.before IS NOT NULL AND v.after IS NOT NULL) "
            "WHERE itemid IS NOT NULL AND (before <> 0 OR after <> 0 OR judgements <> 0 OR ranking <> 0)"
        )
        return "change_terms"

    def _check(self, run: str) -> None:
        """Raise an error if the tables of a run no longer give users of both runs the values they had."""
        of_users = f"SELECT userid, metric, k, any_value(value) AS value FROM items_of_{run} GROUP BY ALL"
        metrics = ", ".join(quote_text(measure.metric) for measure in self.measures)
        differ = f"coalesce(rankdcg_sql_differ(value, v.{run}), value IS DISTINCT FROM v.{run})"
        changed = (
            f"SELECT 1 FROM {self.values.table} AS v LEFT JOIN ({of_users}) AS r ON v.userid = r.userid "
            "AND v.metric = r.metric AND v.k IS NOT DISTINCT FROM r.k "
            f"WHERE v.metric IN ({metrics}) AND v.before + v.after IS NOT NULL AND {differ} LIMIT 1"
        )
        if fetch_one(self.values.con.execute(changed)):
            why = f"the tables of {run.replace('_', ' ')} have changed since they were evaluated"
            raise CallValueError(_CALLER, None, f"{why}: evaluate them again")

    @cached_property
    def by_item(self) -> str:
        """The name of a table on the connection, with the columns of `Change.by_item` and itemid."""
        self._create(
            "change_by_item",
            "itemid",
            f"{_sum('judgements')} AS judgements, {_sum('ranking')} AS ranking, "
            "count(DISTINCT userid) AS users, "
            f"count(CASE WHEN after - before > {TIE_TOLERANCE} THEN 1 END) AS won, "
            f"count(CASE WHEN before - after > {TIE_TOLERANCE} THEN 1 END) AS lost",
            "NULL, metric, k, judgements, ranking, 0, 0, 0",
        )
        return "change_by_item"

    @cached_property
    def by_move(self) -> str:
        """The name of a table on the connection, with the columns of `Change.by_move`."""
        self._create(
            "change_by_move",
            "CASE WHEN rank_before IS NULL AND rank_after IS NULL THEN 'not retrieved' "
            "WHEN rank_before IS NULL THEN 'into top k' WHEN rank_after IS NULL THEN 'out of top k' "
            "WHEN rank_after < rank_before THEN 'up' WHEN rank_after > rank_before THEN 'down' "
            "ELSE 'same rank' END AS move",
            f"count(*) AS items, count(DISTINCT userid) AS users, {_sum('ranking')} AS ranking",
            "NULL, metric, k, 0, 0, ranking",
        )
        return "change_by_move"

    def _create(self, name: str, group: str, sums: str, rest: str) -> None:
        """Create a table of sums of terms, with a row for the rest of the parts, if there is one."""
        con, values = self.values.con, self.values
        users = f"SELECT metric, k, count(before + after) AS n FROM {values.table} GROUP BY metric, k"
        alias = group.rpartition(" AS ")[2]
        con.execute(
            f"CREATE OR REPLACE TEMP TABLE {name} AS "
            f"SELECT {group}, t.metric, t.k, {sums} FROM {self.terms} AS t "
            f"JOIN ({users}) AS u ON t.metric = u.metric AND t.k IS NOT DISTINCT FROM u.k "
            f"GROUP BY {alias}, t.metric, t.k"
        )
        columns = [column for column in ("judgements", "ranking") if column in rest]
        pivoted = ", ".join(
            f"any_value(CASE WHEN part = '{column}' THEN difference END) AS {column}" for column in columns
        )
        left = ", ".join(
            f"any_value(p.{column}) - coalesce({exact_sum(f'i.{column}')}, 0) AS {column}"
            for column in columns
        )
        there = " OR ".join(f"abs({column}) > {TIE_TOLERANCE}" for column in columns)
        con.execute(
            f"INSERT INTO {name} SELECT {rest} FROM ("
            f"SELECT p.metric, p.k, {left} "
            f"FROM (SELECT metric, k, {pivoted} FROM {values.parts} GROUP BY ALL) AS p "
            f"LEFT JOIN {name} AS i ON p.metric = i.metric AND p.k IS NOT DISTINCT FROM i.k "
            f"WHERE p.metric IN ({', '.join(quote_text(measure.metric) for measure in self.measures)}) "
            f"GROUP BY p.metric, p.k) WHERE {there}"
        )

    @cached_property
    def missing(self) -> MissingItems | None:
        """The items that `Change.missing_items` counts; None if the tables cannot be read."""
        con = connect_in_memory()
        try:
            con.register("of_before", self._runs["before"].items(_CALLER, are_judged=True))
            con.register("of_after", self._runs["after"].items(_CALLER, are_judged=False))
        except CallError:
            return None
        row = fetch_one(
            con.execute(
                "SELECT count(*), count_if(a.itemid IS NULL), "
                "count_if(a.itemid IS NULL) / nullif(count(*), 0) "
                "FROM of_before AS b LEFT JOIN of_after AS a USING (itemid)"
            )
        )
        return MissingItems(*row) if row else None

    def explain(self, user: Any, metric: str | None, k: int | None) -> duckdb.DuckDBPyRelation:
        """Select the rows of `Change.explain`."""
        measure = explained_measure("explain", self.values.measures, metric, k)
        con = connect_in_memory()
        runs: list[str] = []
        for run in ("before", "after"):
            try:
                self._runs[run].explain("explain", [measure], user, con, f"items_of_{run}")
                runs.append(run)
            except CallValueError as error:  # the user may be in the other run
                if error.argument != "user" or (run == "after" and not runs):
                    raise
        names = self.values.after.user, self.column
        columns = COLUMNS.format(item=f"itemid AS {quote_name(names[1])}")
        rows = " UNION ALL ".join(f"SELECT '{run}' AS run, * FROM items_of_{run}" for run in runs)
        return con.sql(
            f"SELECT run, userid AS {quote_name(names[0])}, {columns} FROM ({rows}) "
            f"ORDER BY run DESC, {ORDER}"
        )


#: The contribution of a user's item to the part of judgements, in SQL.
_JUDGEMENTS = {"sequential": "by_judging_first", "shapley": "0.5 * (by_judging_first + by_judging_last)"}


def _sum(column: str) -> str:
    """Write the sum over users as a part of the mean's difference in SQL."""
    return f"{exact_sum(column)} / any_value(n)"
