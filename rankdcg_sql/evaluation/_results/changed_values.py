"""The values of two runs on one connection, and of one run's rec by the other's truth, as SQL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rankdcg_sql._cached import cached_property
from rankdcg_sql._sql import fetch_one, quote_name, quote_text
from rankdcg_sql.duckdb import create_helpers
from rankdcg_sql.evaluation._requirements.grammar import PARTS
from rankdcg_sql.evaluation._tables.workspace import results_connection
from rankdcg_sql.evaluation._terms.metrics import difference_range
from rankdcg_sql.evaluation._terms.statistics import TIE_TOLERANCE, with_bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb
    import pyarrow as pa

    from rankdcg_sql.evaluation._results.evaluation import Evaluation
    from rankdcg_sql.evaluation._terms.metrics import Measure

#: The parts of a difference in their order, and the difference itself.
NAMES_OF_PARTS = ("users_left", "users_came", "judgements", "ranking", "total")
#: The number of users without whom `Change.jackknife` has the difference.
MOST_DECIDING = 10
#: The order in which judgements and ranking change.
Order = Literal["sequential", "shapley"]


@dataclass(frozen=True, repr=False, eq=False)
class ChangedValues:
    """The values of the users of two runs."""

    before: Evaluation
    after: Evaluation
    #: The measures that are explained, which both have.
    measures: tuple[Measure, ...]
    order: Order
    #: The values of the rec before by the truth after; None if the truths are one.
    middle: pa.Table | None
    #: The values of the rec after by the truth before; None likewise, and unless `order` needs them.
    other_middle: pa.Table | None

    @cached_property
    def con(self) -> duckdb.DuckDBPyConnection:
        """A connection with a table of the values of each run."""
        tables = {"of_before": self.before.table, "of_after": self.after.table}
        middles = {"of_middle": self.middle, "of_other_middle": self.other_middle}
        con = results_connection(
            tables | {name: table for name, table in middles.items() if table is not None}
        )
        create_helpers(con)
        return con

    @property
    def _joined(self) -> str:
        # Both runs in SQL; a user is in one of them or in both.
        user, before_user = quote_name(self.after.user), quote_name(self.before.user)
        return f"of_after AS a FULL JOIN of_before AS b ON a.{user} = b.{before_user}"

    @property
    def has_users_of_both(self) -> bool:
        """Whether a user is in both runs."""
        user = quote_name(self.after.user)
        both = f"SELECT 1 FROM {self._joined} WHERE a.{user} = b.{quote_name(self.before.user)} LIMIT 1"
        return fetch_one(self.con.execute(both)) is not None

    @property
    def judges_alike(self) -> bool:
        """Whether the truths of both runs give each user's list before the same values."""
        other = f"SELECT 1 FROM {self.table} WHERE before IS DISTINCT FROM middle LIMIT 1"
        return fetch_one(self.con.execute(other)) is None

    @cached_property
    def table(self) -> str:
        """The name of a table of values on the connection: a row for each user and measure.

        Its columns are userid, the segments as by_0, by_1 and so on (those after, and of users who left those
        before), metric, k, before, middle, other_middle, after and test_options. A value is NULL if the user
        has none.
        """
        user, before_user = quote_name(self.after.user), quote_name(self.before.user)
        by = "".join(
            f", if(a.{user} IS NULL, b.{name}, a.{name}) AS by_{place}"
            for place, name in enumerate(map(quote_name, self.after.by))
        )
        # With one truth, the rec of a run has the values of that run by the truth of the other run, too.
        sources = {"before": "b", "middle": "b", "other_middle": "a", "after": "a"}
        joins = ""
        if self.middle is not None:
            middles = {"middle": (self.middle, user), "other_middle": (self.other_middle, before_user)}
            for name, (table, owner) in middles.items():
                sources[name] = name
                # The other middle is NULL unless it is asked for.
                on = "false" if table is None else f"{name}.{owner} = coalesce(a.{user}, b.{before_user})"
                joins += f" LEFT JOIN {'of_after' if table is None else f'of_{name}'} AS {name} ON {on}"
        measures = ", ".join(
            f"{{'metric': {quote_text(measure.metric)}, 'k': {measure.sql_k}, "
            + ", ".join(
                f"'{name}': {source}.{quote_name(measure.column)}" for name, source in sources.items()
            )
            + f", 'test_options': {quote_text(self._test_options(measure))}}}"
            for measure in self.measures
        )
        self.con.execute(
            "CREATE OR REPLACE TEMP TABLE change_values AS "
            f"SELECT coalesce(a.{user}, b.{before_user}) AS userid{by}, "
            f"unnest([{measures}], recursive := true) FROM {self._joined}{joins}"
        )
        return "change_values"

    @property
    def order_of_measures(self) -> str:
        """SQL for the place of a measure, from ``metric`` and ``k``."""
        names = ", ".join(quote_text(measure.column) for measure in self.measures)
        return f"list_position([{names}], concat(metric, '@' || k))"

    @property
    def order_of_parts(self) -> str:
        """SQL for the places of a measure and of a part."""
        names = ", ".join(map(quote_text, NAMES_OF_PARTS))
        return f"{self.order_of_measures}, list_position([{names}], part)"

    @cached_property
    def parts(self) -> str:
        """The name of a table on the connection, with the columns of `Change.parts`."""
        self._create("change_parts", f"FROM rankdcg_sql_parts_of_change({self._given})")
        return "change_parts"

    @cached_property
    def by_user(self) -> str:
        """The name of a table on the connection, with the columns of `Change.by_user` and userid."""
        self._create("change_by_user", f"FROM rankdcg_sql_users_of_change({self._given})")
        self.con.execute(
            "INSERT INTO change_by_user "
            "SELECT userid, metric, values.k, 'total', values.before, values.after, sum(parts.difference) "
            f"FROM change_by_user AS parts JOIN {self.table} AS values USING (userid, metric) "
            "WHERE parts.k IS NOT DISTINCT FROM values.k GROUP BY ALL"
        )
        return "change_by_user"

    @property
    def _given(self) -> str:
        # The arguments of the helpers.
        return f"{quote_text(self.table)}, {quote_text(self.order)}"

    def _create(self, name: str, query: str) -> None:
        self.con.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}")

    def _test_options(self, measure: Measure) -> str:
        """Return the options of a test of differences, as SQL text."""
        options = f"confidence={self.after.confidence}, tolerance={TIE_TOLERANCE}"
        return with_bounds(options, *difference_range(measure.metric, self.after.options))

    def select_by_segment(self) -> str:
        """Write a SELECT of ``by_0``, ``by_1`` and so on, metric, k, part, users and difference."""
        by = "".join(f"by_{place}, " for place, _ in enumerate(self.after.by))
        return (
            f"SELECT {by}metric, parts.k AS k, part, count(*) AS users, "
            f"{exact_sum('difference')} AS difference "
            f"FROM {self.by_user} AS parts JOIN {self.table} AS values USING (userid, metric) "
            f"WHERE parts.k IS NOT DISTINCT FROM values.k GROUP BY {by}metric, parts.k, part"
        )

    def deciding(self, rows: str, names: Sequence[str], others: str) -> duckdb.DuckDBPyRelation:
        """Order users, segments or items by their share of the difference.

        `rows` is a query of ``e_0``, ``e_1`` and so on, which are called `names`, metric,
        k, `others` and difference.
        """
        entities = [f"e_{place}" for place, _ in enumerate(names)]
        named = "".join(
            f"{entity} AS {quote_name(name)}, " for entity, name in zip(entities, names, strict=True)
        )
        order = f"{self.order_of_measures}, place"
        return self.con.sql(
            f"SELECT {named}metric, k, place, n, {others}difference, cumulative, share "
            f"FROM ({self.select_deciding(rows, entities)}) ORDER BY {order}"
        )

    def select_deciding(self, rows: str, entities: Sequence[str]) -> str:
        """Write a SELECT of the columns of `Change.deciding_users`, with the columns `entities` of `rows`."""
        of_measure = "PARTITION BY metric, k"
        order = ", ".join(
            ["difference * if(total < 0, -1, 1) DESC", *(f"{entity} ASC NULLS LAST" for entity in entities)]
        )
        totals = f"SELECT metric, k, difference AS total FROM {self.parts} WHERE part = 'total'"
        return (
            f"SELECT *, rankdcg_sql_ratio(cumulative, total) AS share FROM ("
            "SELECT *, row_number() OVER in_order AS place, count(*) OVER of_measure AS n, "
            "sum(difference) OVER (in_order ROWS UNBOUNDED PRECEDING) AS cumulative "
            f"FROM (SELECT r.*, total FROM ({rows}) AS r JOIN ({totals}) AS t "
            "ON r.metric = t.metric AND r.k IS NOT DISTINCT FROM t.k) "
            f"WINDOW of_measure AS ({of_measure}), in_order AS ({of_measure} ORDER BY {order}))"
        )

    def select_jackknife(self, user: str) -> str:
        """Write the query of `Change.jackknife`; `user` names the column of users."""
        users = f"SELECT userid, metric, k, difference FROM {self.by_user} WHERE part = 'total'"
        most = f"SELECT * FROM ({self.select_deciding(users, ['userid'])}) WHERE place <= {MOST_DECIDING}"
        # A set of users that are left out: none, each of those who decide most alone, and all of them.
        sets = (
            f"SELECT metric, k, [] AS users, NULL AS userid FROM {self.parts} WHERE part = 'total' "
            "UNION ALL BY NAME SELECT metric, k, [userid] AS users, userid FROM most "
            "UNION ALL BY NAME SELECT metric, k, list(userid) AS users FROM most GROUP BY metric, k"
        )
        tested = "partially_overlapping_t_test(after, before, test_options)"
        return (
            f"WITH most AS ({most}), sets AS ({sets}) "
            f"SELECT metric, k, len(users) AS users_left_out, userid AS {quote_name(user)}, "
            "tested.n AS users, tested.mean_difference AS difference, tested.low AS low, "
            "tested.high AS high, tested.p_value AS p_value FROM ("
            f"SELECT sets.metric, sets.k, sets.users, sets.userid, {tested} AS tested "
            f"FROM sets JOIN {self.table} AS v ON sets.metric = v.metric AND sets.k IS NOT DISTINCT FROM v.k "
            "WHERE NOT list_contains(sets.users, v.userid) GROUP BY ALL) "
            f"ORDER BY {self.order_of_measures}, users_left_out, abs(difference), userid ASC NULLS LAST"
        )

    @cached_property
    def tables_of_parts(self) -> dict[str | None, str]:
        """The name of a table of values for each part that can be required, and for ``before``.

        The table of a part has the values before plus this part, of users of both runs: as if nothing else
        had changed.
        """
        both = ", ".join(
            f"any_value(CASE WHEN part = '{part}' THEN parts.after - parts.before END) AS {part}"
            for part in PARTS
        )
        columns = ", ".join(
            [
                f"userid AS {quote_name(self.after.user)}",
                *(f"any_value(by_{place}) AS {quote_name(name)}" for place, name in enumerate(self.after.by)),
            ]
        )
        self.con.execute(
            "CREATE OR REPLACE TEMP TABLE change_of_both AS "
            f"SELECT values.*, {both} FROM {self.by_user} AS parts "
            f"JOIN {self.table} AS values USING (userid, metric) "
            "WHERE parts.k IS NOT DISTINCT FROM values.k AND part IN ('judgements', 'ranking') GROUP BY ALL"
        )
        tables: dict[str | None, str] = {}
        for name in ("before", *PARTS):
            value = "before" if name == "before" else f"before + {name}"
            values = ", ".join(
                f"any_value(CASE WHEN metric = {quote_text(measure.metric)} AND k IS NOT DISTINCT FROM "
                f"{measure.sql_k} THEN {value} END) AS {quote_name(measure.column)}"
                for measure in self.measures
            )
            tables[name] = f"change_with_{name}"
            self.con.execute(
                f"CREATE OR REPLACE TEMP VIEW {tables[name]} AS "
                f"SELECT {columns}, {values} FROM change_of_both GROUP BY userid"
            )
        return tables


def exact_sum(column: str) -> str:
    """Write the sum of a column in SQL, which no order of rows changes."""
    return f"mean_ci({column}).mean * count({column})"
