"""The result of `evaluate`: the metrics of each user, and their means, also by segments."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, overload

from rankdcg_sql._cached import cached_property
from rankdcg_sql._errors import CallValueError
from rankdcg_sql._output import K_TEXT, Result, four_digits
from rankdcg_sql._sql import fetch_one, quote_name, quote_text
from rankdcg_sql.catalogue import options_text
from rankdcg_sql.evaluation._requirements.decider import Decider, Subject
from rankdcg_sql.evaluation._results.explanation import Explanation, explained_rows, one_user
from rankdcg_sql.evaluation._results.result_base import ResultBase
from rankdcg_sql.evaluation._tables.workspace import connect_in_memory, results_connection
from rankdcg_sql.evaluation._terms import statistics
from rankdcg_sql.evaluation._terms.counts import Counts
from rankdcg_sql.evaluation._terms.metrics import (
    MEANS,
    WEIGHTED,
    Measure,
    explained_measure,
    metric_range,
    reason_without_value,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import duckdb
    import pyarrow as pa

    from rankdcg_sql.evaluation._request import GivenTables
    from rankdcg_sql.plots import Plot


@dataclass(frozen=True)
class Segments:
    """The segments by the columns of a table of values."""

    #: The names of the columns; none without segments.
    by: tuple[str, ...]
    #: The name of the segment of all users in tables for people.
    all_of_them: str

    @property
    def columns(self) -> list[str]:
        """The columns of `group` that tell segments apart and sort all users last; empty without segments."""
        return ["all_users", *(f"by_{place}" for place, _ in enumerate(self.by))] if self.by else []

    @property
    def named_columns(self) -> str:
        """SQL for these columns under the caller's names, with a comma at the end; empty without segments."""
        named = [f"by_{place} AS {quote_name(name)}, " for place, name in enumerate(self.by)]
        return "".join([*named, "all_users, "]) if named else ""

    @property
    def cells(self) -> list[str]:
        """SQL for each of `by` as a text for people; for all users, their name and then empty texts."""
        return [
            f"if(all_users, {quote_text('' if place else self.all_of_them)}, {quote_name(name)}::VARCHAR)"
            for place, name in enumerate(self.by)
        ]

    def group(self, aggregates: str, table: str) -> str:
        """Write a SELECT of aggregates by segment and of all users, after ``by_0``, ... and ``all_users``."""
        columns = list(map(quote_name, self.by))
        segments = [f"{column} AS by_{place}" for place, column in enumerate(columns)]
        all_users = f"grouping({columns[0]}) = 1" if columns else "true"
        sets = f"GROUP BY GROUPING SETS ((), ({', '.join(columns)}))" if columns else ""
        return f"SELECT {', '.join([*segments, f'{all_users} AS all_users', aggregates])} FROM {table} {sets}"

    def find_constant(
        self, con: duckdb.DuckDBPyConnection, table: str, values: Sequence[str]
    ) -> list[tuple[int, str]]:
        """Find which of some values, in SQL over `table`, are one number for all users, or for a segment.

        The spread of such a value gives no interval of its mean, which notes say. Returns its place in
        `values`, and its segment in words, such as `` in plan=free``, which are empty for all users.
        """
        constant = []
        are_equal = f"[{', '.join(map(statistics.are_equal_in_sql, values))}] AS are_equal"
        for *segment, is_all, equalities in con.execute(self.group(are_equal, table)).fetchall():
            pairs = (
                f"{name}={'NULL' if value is None else value}"
                for name, value in zip(self.by, segment, strict=True)
            )
            words = "" if is_all else f" in {', '.join(pairs)}"
            constant += [(place, words) for place, is_equal in enumerate(equalities) if is_equal]
        return sorted(constant)


@dataclass(frozen=True, repr=False, eq=False)
class Evaluation(ResultBase):
    """The metrics of each user, and their means.

    Attributes
    ----------
    counts : Counts
        The numbers of rows and users in the tables.
    metrics : tuple of str
        The names of the metrics.
    ks : tuple of int or None
        The cutoffs, in items from 1; None is the whole list.
    options : dict
        The options of the metrics that were given, and for a TREC run those that rank as trec_eval does.
    users : {"truth", "both"}
        The users over whom the means are taken.
    interval : {"t", "bootstrap", "anytime"}
        The kind of confidence interval of the means.
    confidence : float
        The confidence level of the intervals, between 0 and 1.
    user : str
        The name of the column of users.
    by : tuple of str
        The names of the columns of segments.
    unit : str
        The word for users in tables, notes, plots and reports, in the plural.
    fingerprints : dict
        A fingerprint of 32 hexadecimal digits for each table, keyed by ``"truth"``, ``"rec"``, ``"segments"``
        and ``"items"``; empty unless `evaluate` was called with ``fingerprints=True``. It depends on the
        cells of the columns that are read, and not on the order of rows, the format of files or the engine.
    """

    #: Tells an evaluation from a comparison.
    kind: ClassVar[Literal["evaluation"]] = "evaluation"

    counts: Counts
    metrics: tuple[str, ...]
    ks: tuple[int | None, ...]
    options: dict[str, str]
    users: statistics.Users
    interval: statistics.Interval
    confidence: float
    user: str
    by: tuple[str, ...]
    #: Each metric at each cutoff, in the order of the columns of `table`.
    measures: tuple[Measure, ...]
    #: The options of the intervals as SQL text, such as ``confidence=0.95``.
    interval_options: str
    unit: str
    #: One row per user: the user, the segments, the weight if there is one, the number of retrieved items up
    #: to the largest k, and the value of each measure.
    table: pa.Table
    #: Whether `table` is in ascending order of users.
    is_ordered: bool
    weight: str | None = None
    fingerprints: dict[str, str] = field(default_factory=dict)
    #: The tables from which it was computed; None for a copy, such as one from a pickle.
    given: GivenTables | None = field(default=None, compare=False)

    @property
    def systems(self) -> Iterable[tuple[str | None, Evaluation]]:
        """The evaluation itself, without a name."""
        return [(None, self)]

    @cached_property
    def _con(self) -> duckdb.DuckDBPyConnection:
        """A connection with `table` as the table ``user_metrics``, opened when it is first needed."""
        return results_connection({"user_metrics": self.table})

    @cached_property
    def ordered(self) -> pa.Table:
        """The rows of `table` in ascending order of users."""
        if self.is_ordered:
            return self.table
        return self._con.sql(f"FROM user_metrics ORDER BY {quote_name(self.user)} ASC").to_arrow_table()

    @property
    def wide(self) -> duckdb.DuckDBPyRelation:
        """One row per user, with a column for each metric and k, such as ``ndcg@10``."""
        return self._con.sql(f"SELECT * EXCLUDE (retrieved) FROM {self._ordered_name}")

    @property
    def per_user(self) -> duckdb.DuckDBPyRelation:
        """One row per user, metric and k. ``value`` is NULL if the metric is not defined."""
        return self._con.sql(f"SELECT {self.columns_of_values()} FROM {self._ordered_name}")

    @cached_property
    def _ordered_name(self) -> str:
        """The name of a table on the connection that has the rows in ascending order of users."""
        if self.is_ordered:
            return "user_metrics"
        self._con.register("ordered_user_metrics", self.ordered)
        return "ordered_user_metrics"

    @cached_property
    def means(self) -> dict[str, float | None]:
        """The mean of each measure over all users with a value; None if no user has one.

        The keys are the names of measures, such as ``ndcg@10``. ``result["ndcg@10"]`` is the same mean.
        """
        rows = self._con.execute(
            f"SELECT mean FROM ({self.select_means('user_metrics')}) WHERE all_users ORDER BY place"
        ).fetchall()
        return {measure.column: mean for measure, (mean,) in zip(self.measures, rows, strict=True)}

    @property
    def summary(self) -> duckdb.DuckDBPyRelation:
        """One row per segment, metric and k, and if there are segments, one for all users.

        If there are segments, ``all_users`` tells the rows of all users from those of the segment NULL. ``n``
        is the number of users with a value and ``mean`` the mean over them. ``low`` and ``high`` are the ends
        of the confidence interval of the mean. ``without_value`` is the number of users for whom the metric
        is not defined; they do not count in the mean. ``interval_by`` is what the interval is from:
        `interval`, or ``range`` if all values are equal. These have no spread, so that the interval is what
        the range of the metric allows: see ``mean_ci`` with ``lower_bound`` and ``upper_bound``. If the range
        has no end, there is none then.

        If users have weights, the means are weighted, and there are three more columns: ``weighted_by``, the
        column of weights; ``design_effect``, how many times as large they make the variance of the mean; and
        ``effective_n``, the number of users with equal weights that say as much: see ``weighted_mean_ci``.
        """
        return self._con.sql(self._select_summary())

    @property
    def _summary(self) -> duckdb.DuckDBPyRelation:
        return self.summary  # `ResultBase` writes this as CSV and JSON

    def _select_summary(self) -> str:
        # Writes the query of `summary`. The caller's names are introduced last, so that they clash with no
        # name in the inner queries.
        order = ", ".join([*self.segments.columns, "place"])
        means = f"FROM ({self.select_means('user_metrics')}) ORDER BY {order}"
        return f"SELECT {self.segments.named_columns}{self.columns_of_means} {means}"

    @property
    def segments(self) -> Segments:
        """The segments, as SQL over the table of values."""
        return Segments(self.by, self.words.all_of_them)

    @property
    def segment_cells(self) -> list[str]:
        """SQL for the segments as texts for people."""
        return self.segments.cells

    @property
    def columns_of_means(self) -> str:
        """SQL for the columns of `summary` after those of segments."""
        return f"{MEANS}, {WEIGHTED}" if self.weight else MEANS

    @property
    def weight_in_sql(self) -> str | None:
        """SQL for the weights of users in the table of values; None if all count alike."""
        return quote_name(self.weight) if self.weight else None

    def columns_of_values(self) -> str:
        """Write the columns of `per_user` in SQL, for a SELECT from the table of values."""
        values = ", ".join(
            f"{{'metric': '{measure.metric}', 'k': {measure.sql_k}, 'value': {quote_name(measure.column)}}}"
            for measure in self.measures
        )
        of_users = (self.user, *self.by, *filter(None, [self.weight]))
        return f"{', '.join(map(quote_name, of_users))}, unnest([{values}], recursive := true)"

    def select_means(self, table: str) -> str:
        """Write a SELECT of the segments, the place of the measure (from 0), and `columns_of_means`.

        `table` is the name of the table of values. Where ``all_users`` is true, the row is that of all users,
        and has no segment.
        """
        measures = statistics.structs(
            {
                "place": place,
                "metric": quote_text(measure.metric),
                "k": measure.sql_k,
                "users": "count(*)",
                "mean_and_interval": statistics.interval_in_sql(
                    self.interval,
                    quote_name(measure.column),
                    self.weight_in_sql,
                    self.interval_options,
                    *metric_range(measure.metric, self.options),
                ),
                "interval_by": statistics.interval_by_in_sql(
                    self.interval, quote_name(measure.column), *metric_range(measure.metric, self.options)
                ),
            }
            for place, measure in enumerate(self.measures)
        )
        grouped = self.segments.group(f"{measures} AS measures", table)
        rows = f"SELECT * EXCLUDE (measures), unnest(measures, recursive := true) FROM ({grouped})"
        # `interval_by` is NULL for equal values in a range without an end, of whose mean nothing is known.
        ends = ", ".join(f"if(interval_by IS NULL, NULL, {end}) AS {end}" for end in ("low", "high"))
        weighted_by = f", {quote_text(self.weight)} AS weighted_by" if self.weight else ""
        return (
            f"SELECT * EXCLUDE (users) REPLACE ({ends}, if(low IS NULL, NULL, interval_by) AS interval_by), "
            f"users - n AS without_value{weighted_by} FROM ({rows})"
        )

    def _decider(self) -> Decider:
        # An evaluation is of one system without a name, and has no differences to test.
        return Decider(
            Subject(self.measures, self.by, systems=(), baseline=None, confidence=self.confidence),
            con=self._con,
            tables={None: "user_metrics"},
            user=self.user,
            test="t",
            draws="",
            options=self.options,
            unit=self.unit,
            weight=self.weight,
        )

    def headline(self) -> str:
        return f"Evaluation of {self.users_phrase()}{self.weight_suffix()}{self.options_suffix()}"

    def users_phrase(self) -> str:
        """Say how many users there are, and how many of them count in means."""
        users, without = self.counts.users_evaluated, self.counts.users_without_value
        counted = sorted({users - without.get(measure.column, 0) for measure in self.measures})
        if counted[0] == users:
            return self.words.count(users)
        least, most = counted[0], counted[-1]
        part = f"{least:,} to {most:,} of them in the means, by metric"
        if least == most:
            part = f"{f'{least:,}' if least else 'none'} of them in the means"
        return f"{self.words.count(users)}, {part}"

    def options_suffix(self) -> str:
        """Return the given options of the metrics as the end of a headline; empty if there are none."""
        return f", {options_text(self.options)}" if self.options else ""

    def notes(self, about_rows: bool = True) -> list[str]:
        columns = [quote_name(measure.column) for measure in self.measures]
        ranges = [metric_range(measure.metric, self.options) for measure in self.measures]
        constant = self.segments.find_constant(self._con, "user_metrics", columns)
        named = ((self.measures[place].column + segment, ranges[place]) for place, segment in constant)
        return [*self.notes_on_users(about_rows), *statistics.notes_on_equal("values", named, self.interval)]

    def notes_on_users(self, about_rows: bool) -> list[str]:
        """Return the notes without those about intervals; those about rows are among them if `about_rows`."""
        left_out = ", in no mean (users=both)" if self.users == "both" else ""
        about_tables = self.counts.notes(about_rows, left_out, self.words.say)
        return [*about_tables, *self._about_values(), *self._about_weights()]

    def _about_weights(self) -> list[str]:
        """Say how much less the means of all users say because of their weights, if they have weights."""
        if not self.weight:
            return []
        ends = ", ".join(
            f"format('{form}', {end}({column}))"
            for column, form in {"design_effect": "{:.2f}", "effective_n": "{:,.0f}"}.items()
            for end in ("min", "max")
        )
        means = f"({self.select_means('user_metrics')}) WHERE all_users AND n > 0"
        row = fetch_one(self._con.execute(f"SELECT {ends} FROM {means}")) or ()
        if None in row:  # no user has a value
            return []
        effect, users = (" to ".join(dict.fromkeys(row[place : place + 2])) for place in (0, 2))
        return [f"weighted by {self.weight}: design effect {effect}, effective n {users}"]

    def _about_values(self) -> list[str]:
        """Say how many users have no value.

        Measures share a sentence if as many users have no value of them, for the same reason.
        """
        columns: dict[tuple[int, str], list[str]] = {}
        for measure in self.measures:
            if number := self.counts.users_without_value.get(measure.column):
                columns.setdefault((number, reason_without_value(measure.metric, self.options)), []).append(
                    measure.column
                )
        return [
            f"{self.words.count(number)} {without}: in no mean of {', '.join(names)}"
            for (number, without), names in columns.items()
        ]

    def _summary_cells(self) -> Result:
        numbers = [K_TEXT, "n::VARCHAR", *map(four_digits, ("mean", "low", "high"))]
        cells = [*self.segments.cells, "metric", *numbers]
        # One statement is planned faster than the relation `summary` and its projection.
        rows = self._con.execute(f"SELECT {', '.join(cells)} FROM ({self._select_summary()})").fetchall()
        texts = [*self.by, "metric"]
        heads = [*texts, "k"]
        columns = [*heads, "n", "mean", "low", "high"]
        return Result(columns, [False] * len(texts) + [True] * len(numbers), rows, heads=len(heads))

    def plot_segments(self, metric: str | None = None, k: int | None = None) -> Plot:
        """Plot the means of segments side by side; see `rankdcg_sql.plots.segments`."""
        return self._draw("plot_segments", "segments", metric, k)

    @overload
    def explain(
        self, user: None = None, metric: str | None = None, k: int | None = None
    ) -> duckdb.DuckDBPyRelation: ...

    @overload
    def explain(self, user: Any, metric: str | None = None, k: int | None = None) -> Explanation: ...

    def explain(
        self, user: Any = None, metric: str | None = None, k: int | None = None
    ) -> Explanation | duckdb.DuckDBPyRelation:
        """Show what each item of a ranking adds to a metric, and what missed items would have added.

        The tables are read again as `evaluate` read them.

        Parameters
        ----------
        user : any, optional
            A user, as the table has it or as text. All users if not given.
        metric : str, optional
            A metric that is a sum over items, with or without its cutoff, such as ``"ndcg@10"``. If not
            given, NDCG, or else the first metric of the result that is such a sum.
        k : int, optional
            One of the cutoffs; the largest one of the metric if not given.

        Returns
        -------
        Explanation or duckdb.DuckDBPyRelation
            For one user, an object that prints as a table and has the rows as its `relation`; for all users,
            the relation. It has a row for each item that may be above k, best rank first, and for each
            relevant item that is not: the user, ``metric``, ``k``, ``rank`` and ``last_rank`` (the ranks that
            the item can have among tied items; NULL if it is not in rec), the item, ``score``, ``rel``,
            ``judged`` (whether truth has the item), ``gain`` and ``discount`` (of metrics with gains),
            ``contribution`` (what the item adds to the value; NULL where a rule for empty rankings gives it),
            ``if_found`` (what a missed item would have added at the best rank that was free), and ``value``.

        Raises
        ------
        ValueError
            If the metric is no sum over items, if there is no such user, if the result has no tables, as one
            from a pickle, or before DuckDB 2.0.

        Notes
        -----
        The contributions of a user add up to the value. Tied items have the mean contribution over their
        orders. See `rankdcg_sql.explain_change` for two results.

        Examples
        --------
        >>> import rankdcg_sql
        >>> truth = {"userid": [1, 1, 1], "itemid": ["a", "b", "d"]}
        >>> rec = {"userid": [1, 1, 1], "itemid": ["a", "c", "b"], "score": [0.9, 0.8, 0.3]}
        >>> rankdcg_sql.evaluate(truth, rec, k=2, metrics="recall").explain(user=1)
        recall@2 of user 1: 0.3333; 2 missed items
        ╭──────┬────────┬───────┬─────┬────────┬──────────────┬────────╮
        │ rank │ itemid │ score │ rel │ judged │ contribution │    sum │
        ├──────┼────────┼───────┼─────┼────────┼──────────────┼────────┤
        │    1 │ a      │   0.9 │   1 │ ✓      │       0.3333 │ 0.3333 │
        │    2 │ c      │   0.8 │     │        │       0.0000 │ 0.3333 │
        ╰──────┴────────┴───────┴─────┴────────┴──────────────┴────────╯
        Missed items, and what each would have added at the best free rank
        ╭──────┬────────┬───────┬─────┬───────────╮
        │ rank │ itemid │ score │ rel │ would add │
        ├──────┼────────┼───────┼─────┼───────────┤
        │    3 │ b      │   0.3 │   1 │   +0.3333 │
        │      │ d      │       │   1 │   +0.3333 │
        ╰──────┴────────┴───────┴─────┴───────────╯
        """
        measure = explained_measure("explain", self.measures, metric, k)
        given, con = self.tables("explain"), connect_in_memory()
        given.explain("explain", [measure], user, con)
        names = self.user, given.request.columns.name("truth", "item")
        if user is None:
            return explained_rows(con, *names)
        shown, table, columns = one_user(con)
        return Explanation(shown, measure, names, self.unit, table, columns)

    def tables(self, caller: str) -> GivenTables:
        """Return the tables from which this was computed; the error of a copy names the function `caller`."""
        if self.given is None:
            why = "this result has no tables, as a copy from a pickle has none: evaluate them again"
            raise CallValueError(caller, None, why)
        return self.given
