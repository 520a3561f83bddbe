"""From two tables to the metrics of each user and their means."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import duckdb

import rankdcg_sql
from rankdcg_sql import _native
from rankdcg_sql._output import Output, Result, fetch, render
from rankdcg_sql.catalogue import options_text
from rankdcg_sql.duckdb import connect
from rankdcg_sql.evaluation._plan import DEFAULT_KS, K, Measure, Plan, known, lacking, plan
from rankdcg_sql.evaluation._session import Columns, Counts, Measured, Session, Users, counting
from rankdcg_sql.evaluation._tables import TEXT, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from matplotlib.figure import Figure


Interval = Literal["t", "bootstrap"]

INTERVALS = {"t": "mean_ci", "bootstrap": "bootstrap_ci"}
#: The names of columns that results have of their own.
_RESERVED = {"system", "metric", "k", "value", "n", "mean", "low", "high", "recommendations", "without_value"}
#: How DuckDB writes files, by the ends of their names.
WRITERS = {
    ".parquet": "FORMAT parquet",
    ".csv": "FORMAT csv, HEADER",
    ".tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
    ".json": "FORMAT json, ARRAY",
    ".jsonl": "FORMAT json",
}


#: Before DuckDB 2.0 a relation does not keep its connection open. The latest ones are enough.
_KEPT: deque[duckdb.DuckDBPyConnection] = deque(maxlen=64)


class Tabular:
    """What has values of each user, and a summary of them."""

    @property
    def per_user(self) -> duckdb.DuckDBPyRelation:
        """The values of each user."""
        raise NotImplementedError

    @property
    def wide(self) -> duckdb.DuckDBPyRelation:
        """The values of each user, in a column for each metric and k."""
        raise NotImplementedError

    @property
    def _summary(self) -> duckdb.DuckDBPyRelation:
        raise NotImplementedError

    def _headline(self) -> str:
        raise NotImplementedError

    def _notes(self) -> list[str]:
        raise NotImplementedError

    def _result(self) -> Result:
        raise NotImplementedError

    def to_polars(self, wide: bool = False) -> pl.DataFrame:
        """Return the values of each user as a Polars data frame, with a column for each metric if `wide`."""
        frame: pl.DataFrame = (self.wide if wide else self.per_user).pl()
        return frame

    def to_pandas(self, wide: bool = False) -> pd.DataFrame:
        """Return the values of each user as a pandas data frame, with a column for each metric if `wide`."""
        frame: pd.DataFrame = (self.wide if wide else self.per_user).df()
        return frame

    def to_arrow(self, wide: bool = False) -> pa.Table:
        """Return the values of each user as an Arrow table, with a column for each metric if `wide`."""
        return (self.wide if wide else self.per_user).to_arrow_table()

    def write(self, path: str | Path, wide: bool = False) -> None:
        """Write the values of each user to a file.

        Parameters
        ----------
        path : str or pathlib.Path
            A file whose name ends with ``.parquet``, ``.csv``, ``.tsv``, ``.json`` or ``.jsonl``.
        wide : bool
            One row a user, with a column for each metric and k.

        Raises
        ------
        ValueError
            If the name ends otherwise.
        OSError
            If the file cannot be written.
        """
        _native.check_text("write", "path", str(path))
        form = WRITERS.get(Path(path).suffix.lower())
        if form is None:
            raise ValueError(f"write: {str(path)!r} must end with {', '.join(WRITERS)}")
        relation = self.wide if wide else self.per_user
        try:
            relation.query("values_of_users", f"COPY values_of_users TO {quoted(str(path), TEXT)} ({form})")
        except duckdb.IOException as error:
            raise OSError(f"write: {error}") from error

    def to_markdown(self) -> str:
        """Return the summary as a table in Markdown."""
        return self.render("markdown")

    def to_latex(self) -> str:
        """Return the summary as a table in LaTeX, for its package booktabs."""
        return self.render("latex")

    def to_html(self) -> str:
        """Return the summary as a table in HTML."""
        return self.render("html")

    def render(self, output: Output) -> str:
        """Return the summary as a table in any format of the command line."""
        choose("render", "output", output, get_args(Output))
        return render(self.shown(output), output)

    def shown(self, output: Output) -> Result:
        """Return the summary as cells: all digits for programs, a few for people."""
        return fetch(self._summary, output) if output in ("csv", "json") else self._result()

    def report(self, path: str | Path | None = None, title: str | None = None) -> str:
        """Return a page of HTML with tables and plots, and write it, see `rankdcg_sql.report.report`."""
        from rankdcg_sql.report import report

        return report(self, path, title)  # type: ignore[arg-type]

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the connection, which cannot be copied and is opened again where it is needed."""
        return {name: value for name, value in vars(self).items() if name != "_con"}

    def __repr__(self) -> str:
        return "\n".join([self._headline(), *(f"- {note}" for note in self._notes()), self.render("table")])

    def _repr_html_(self) -> str:
        notes = "".join(f"<li>{escape(note)}</li>" for note in self._notes())
        return f"<p>{escape(self._headline())}</p><ul>{notes}</ul>{self.to_html()}"


@dataclass(frozen=True, repr=False, eq=False)
class Evaluation(Tabular):
    """The metrics of each user, and their means.

    Attributes
    ----------
    counts : Counts
        What was met in the tables.
    metrics : tuple of str
        The metrics.
    ks : tuple of int or None
        The cuts; None is the whole list.
    options : dict
        The options of the metrics that were given.
    users : {"truth", "both"}
        Which users the means are over.
    interval : {"t", "bootstrap"}
        What the intervals of the means are.
    confidence : float
        How often such an interval holds the true mean.
    user : str
        What the column of users is called.
    by : tuple of str
        The columns of segments.
    """

    counts: Counts
    metrics: tuple[str, ...]
    ks: tuple[int | None, ...]
    options: dict[str, str]
    users: Users
    interval: Interval
    confidence: float
    user: str
    by: tuple[str, ...]
    #: The metrics at their cuts, in the order of columns.
    measures: tuple[Measure, ...]
    #: The options of the intervals, as SQL has them.
    interval_options: str
    #: The user, the segments, how many recommendations there are, and the value of each measure.
    table: pa.Table

    @cached_property
    def _con(self) -> duckdb.DuckDBPyConnection:
        return results_connection({"measured": self.table})

    @property
    def wide(self) -> duckdb.DuckDBPyRelation:
        """One row a user, with a column for each metric and k, such as ``ndcg@10``."""
        return self._con.sql("SELECT * EXCLUDE (recommendations) FROM measured")

    @property
    def per_user(self) -> duckdb.DuckDBPyRelation:
        """One row for each user, metric and k, with the ``value``: NULL where it is not defined."""
        return self._con.sql(f"SELECT {self.columns_of_values()} FROM measured")

    @property
    def summary(self) -> duckdb.DuckDBPyRelation:
        """One row a segment, metric and k: ``n`` users with a value, ``mean``, ``low`` and ``high``.

        ``without_value`` are the users for whom the metric is not defined, who count in no mean of it.
        """
        segments = [f"by_{place}" for place, _ in enumerate(self.by)]
        means = f"FROM ({self.select_means('measured')}) ORDER BY {', '.join([*segments, 'place'])}"
        # No name of ours is beside those of the user.
        named = [f"{one} AS {quoted(name)}" for one, name in zip(segments, self.by, strict=True)]
        return self._con.sql(f"SELECT {', '.join([*named, MEANS])} FROM ({means})")

    @property
    def _summary(self) -> duckdb.DuckDBPyRelation:
        return self.summary

    def columns_of_values(self) -> str:
        """The columns of `per_user`, in SQL over the table."""
        values = ", ".join(
            f"{{'metric': '{each.metric}', 'k': {each.sql_k}, 'value': {quoted(each.column)}}}"
            for each in self.measures
        )
        return f"{', '.join(map(quoted, (self.user, *self.by)))}, unnest([{values}], recursive := true)"

    def select_means(self, table: str) -> str:
        """The segments, the place of the measure, and `MEANS`, in SQL over the table of this name."""
        segments = "".join(f"{quoted(name)} AS by_{place}, " for place, name in enumerate(self.by))
        return " UNION ALL ".join(
            f"SELECT * EXCLUDE (found), {inside('found')} FROM ("
            f"SELECT {segments}{place} AS place, '{each.metric}' AS metric, {each.sql_k} AS k, "
            f"count(*) - count({quoted(each.column)}) AS without_value, "
            f"{INTERVALS[self.interval]}({quoted(each.column)}, '{self.interval_options}') AS found, "
            f"{bounds(quoted(each.column), known()[each.metric].least, known()[each.metric].most)} "
            f"FROM {table} {'GROUP BY ALL' if self.by else ''})"
            for place, each in enumerate(self.measures)
        )

    def _headline(self) -> str:
        return f"Evaluation of {self.told_users()}{self.told_options()}"

    def told_users(self) -> str:
        """How many users there are, and how many of them count in means."""
        users, without = self.counts.users_evaluated, self.counts.users_without_value
        counted = sorted({users - without.get(each.column, 0) for each in self.measures})
        if counted[0] == users:
            return counting(users, "user")
        least, most = counted[0], counted[-1]
        told = f"{least:,} of them" if least else "none of them"
        told = (
            f"{told} in the means"
            if least == most
            else f"{least:,} to {most:,} of them in the means, by metric"
        )
        return f"{counting(users, 'user')}, {told}"

    def told_options(self) -> str:
        """The options of metrics, as headlines have them."""
        return f", {options_text(self.options)}" if self.options else ""

    def _notes(self) -> list[str]:
        return [*self.counts.notes(), *self._about_values()]

    def _about_values(self) -> list[str]:
        """Say who has no value, a sentence for the measures that have as many such users for one reason."""
        columns: dict[tuple[int, str], list[str]] = {}
        for each in self.measures:
            if number := self.counts.users_without_value.get(each.column):
                columns.setdefault((number, lacking(each.metric, self.options)), []).append(each.column)
        return [
            f"{counting(number, 'user')} {without}: in no mean of {', '.join(names)}"
            for (number, without), names in columns.items()
        ]

    def _result(self) -> Result:
        rows = self.summary.project(
            f"{''.join(f'{quoted(name)}::VARCHAR, ' for name in self.by)} metric, {CUT}, n::VARCHAR, "
            f"{rounded('mean')}, {rounded('low')}, {rounded('high')}"
        ).fetchall()
        columns = [*self.by, "metric", "k", "n", "mean", "low", "high"]
        return Result(columns, [False] * (len(self.by) + 1) + [True] * 5, rows)

    def plot(self, metrics: str | Sequence[str] | None = None) -> Figure:
        """Draw the means and their intervals at each k, see `rankdcg_sql.plots.metric_at_k`."""
        from rankdcg_sql import plots

        return plots.metric_at_k(self, metrics)

    def plot_distribution(self, metric: str, k: int | None = None) -> Figure:
        """Draw how the values of users are distributed, see `rankdcg_sql.plots.distribution`."""
        from rankdcg_sql import plots

        return plots.distribution(self, metric, k)


def results_connection(tables: dict[str, pa.Table]) -> duckdb.DuckDBPyConnection:
    """Open a connection for relations over results, which outlive what they are results of."""
    con = connect(config={"python_enable_replacements": False})
    for name, table in tables.items():
        con.register(name, table)
    if duckdb.__version__.startswith("1."):
        _KEPT.append(con)
    return con


#: The columns of means, after those of the segments.
MEANS = "metric, k, n, mean, low, high, without_value"


def bounds(column: str, least: float | None, most: float | None) -> str:
    """The columns ``least`` and ``most`` in SQL: the range, and values that options lead out of it."""
    low = "NULL::DOUBLE" if least is None else f"least({least!r}, min({column}))"
    high = "NULL::DOUBLE" if most is None else f"greatest({most!r}, max({column}))"
    return f"{low} AS least, {high} AS most"


def inside(found: str) -> str:
    """The columns of an interval in SQL, no wider than from ``least`` to ``most``: no true mean is beyond."""
    return (
        f"{found}.n AS n, {found}.mean AS mean, "
        f"CASE WHEN {found}.low < least THEN least ELSE {found}.low END AS low, "
        f"CASE WHEN {found}.high > most THEN most ELSE {found}.high END AS high"
    )


#: The cut as tables show it.
CUT = "coalesce(k::VARCHAR, 'all')"


def rounded(column: str) -> str:
    """Write a number with four digits, NULL as NULL."""
    return f"format('{{:.4f}}', {column})"


def evaluate(
    truth: Any,
    rec: Any,
    k: K = DEFAULT_KS,
    metrics: str | Iterable[str] | None = None,
    user: str = "userid",
    item: str = "itemid",
    score: str = "score",
    rel: str | None = None,
    by: str | Iterable[str] | None = None,
    users: Users = "truth",
    *,
    interval: Interval = "t",
    confidence: float = 0.95,
    resamples: int | None = None,
    seed: int | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
    progress: bool = False,
    **options: Any,
) -> Evaluation:
    """Evaluate recommendations against what is relevant.

    Parameters
    ----------
    truth : table
        The judgements: a row for each user and relevant item, or with `rel` for each judged item. A table is
        a path (or a pattern of paths) of a file in Parquet, CSV or JSON or in TREC's format (qrels), plain or
        compressed; a query in SQL; a DuckDB relation; a data frame of Polars (also lazy) or pandas; an Arrow
        table or stream; a dict of columns; or with `con` the name of a table.
    rec : table
        The recommendations: a row for each user and item, with a score, the best one the largest. A run of
        TREC is ranked as trec_eval does, unless `options` or their convention say otherwise: scores are
        rounded to 32 bits, and the larger document is first where they are equal.
    k : int, None or list of these
        The cuts; None is the whole list. Not for metrics alone that have no cut, such as ``rankdcg``.
    metrics : str or list of str, optional
        Names of metrics; those of ``rank_metrics`` but ``auc`` if not given. AUC within the top k says where
        there the hits are, and not how many: a system that adds hits at lower ranks has less of it.
    user, item : str
        The columns of users and items in both tables. Upper and lower case are the same.
    score : str
        The column of scores in `rec`. For items with equal scores a metric is the expected value over their
        orders, unless the option `ties` says otherwise; for ``rankdcg`` alone the default is the worst order.
    rel : str, optional
        The column of relevances in `truth`: numbers, or booleans. All of its items are relevant if not given,
        unless it has the relevances of TREC.
    by : str or list of str, optional
        Columns of `truth` that divide the users into segments, the same in all rows of a user.
    users : {"truth", "both"}
        The users that means are over: those in `truth`, who count as zero if they are not in `rec`; or those
        who are in both. For ``rankdcg``, a user who is not in `rec` has no value if all items of the user
        have one relevance in `truth`.
    interval : {"t", "bootstrap"}
        The intervals of means: Student's, or the bootstrap's (BCa).
    confidence : float
        How often such an interval holds the true mean, between 0 and 1.
    resamples, seed : int, optional
        How many resamples the bootstrap draws, and where its random numbers start. An error with
        ``interval="t"``, which draws none. For many users nothing is drawn either, and
        both are without effect: with 10,000 resamples from 61 users on, see ``bootstrap_ci``.
    con : duckdb.DuckDBPyConnection, optional
        A connection whose tables and views the names are of, and whose database does the work, within its
        limits of memory and threads. Of tables that are named, what is not committed is not seen, and
        before DuckDB 2.0 no temporary one that hides another; nothing is left there. A view or a query runs
        once, with the macros of that connection, which no other SQL of this package calls. Variables of that
        connection (``SET VARIABLE``) are seen where a query names ``getvariable`` itself, not in a view or a
        macro that does.
    progress : bool
        Show a bar on standard error while it works.
    **options
        Options of the metrics, such as ``gain="linear"``, ``min_rel=4`` or ``convention="trec_eval"``, see
        `rankdcg_sql.options`. ``min_rel`` says what is relevant to binary metrics; NDCG has the gains of all
        relevances, unless ``gain="binary"``.

    Returns
    -------
    Evaluation
        With the values of each user, their means from 0 to 1 (but for metrics with other ranges), and
        `Evaluation.counts` of what was met.

    Raises
    ------
    ValueError, TypeError, FileNotFoundError
        Where a table is not there or not what it must be, or an argument is not allowed.

    Warns
    -----
    DataWarning
        Where rows are left out, or repeat others; where relevances seem to be forgotten; and where
        ``rankdcg`` is of a truth in which most users have a single relevance.

    Notes
    -----
    A user with no relevant item has no value (`no_relevant` says otherwise) and is in no mean, as ``n`` and
    ``without_value`` of `Evaluation.summary` and `Counts.users_without_value` say. ``rankdcg`` has a value
    where two relevances differ, that of unjudged retrieved items among them, which is 0: of a truth without
    grades the mean is over other users for each system. An interval ends where the range of its metric does.
    Means and intervals are the same to the last bit whatever the order of rows and the number of threads: the
    functions behind them, ``mean_ci`` and ``bootstrap_ci``, sort the values before they sum them. The metrics
    are those of ``rank_metrics_by_user`` and the functions whose names
    end in ``_rows``.

    Examples
    --------
    >>> import rankdcg_sql
    >>> truth = {"userid": [1, 1, 1, 2, 3], "itemid": ["a", "b", "d", "c", "e"]}
    >>> rec = {
    ...     "userid": [1, 1, 1, 2, 2],
    ...     "itemid": ["a", "c", "b", "a", "c"],
    ...     "score": [0.9, 0.8, 0.3, 0.7, 0.6],
    ... }
    >>> rankdcg_sql.evaluate(truth, rec, k=2, metrics=["recall", "ndcg"])
    Evaluation of 3 users
    - 1 user of truth without a row in rec
    ╭────────┬───┬───┬────────┬────────┬────────╮
    │ metric │ k │ n │   mean │    low │   high │
    ├────────┼───┼───┼────────┼────────┼────────┤
    │ recall │ 2 │ 3 │ 0.4444 │ 0.0000 │ 1.0000 │
    │ ndcg   │ 2 │ 3 │ 0.4147 │ 0.0000 │ 1.0000 │
    ╰────────┴───┴───┴────────┴────────┴────────╯
    """
    columns = Columns(user, item, score, rel, names("evaluate", "by", by))
    check_draws("evaluate", {"resamples": resamples, "seed": seed}, interval == "bootstrap")
    request = Request.check(
        "evaluate", k, metrics, columns, users, interval, confidence, resamples, seed, options
    )
    with Session("evaluate", truth, columns, con, progress) as session:
        return request.evaluation(session, rec, "rec")


@dataclass(frozen=True)
class Request:
    """What is asked of recommendations."""

    columns: Columns
    plan: Plan
    users: Users
    interval: Interval
    confidence: float
    interval_options: str

    @classmethod
    def check(
        cls,
        caller: str,
        k: K,
        metrics: str | Iterable[str] | None,
        columns: Columns,
        users: Users,
        interval: Interval,
        confidence: float,
        resamples: int | None,
        seed: int | None,
        options: dict[str, Any],
    ) -> Request:
        """Check what can be checked without tables.

        Raises
        ------
        ValueError, TypeError
            If it is not allowed.
        """
        choose(caller, "users", users, get_args(Users))
        choose(caller, "interval", interval, get_args(Interval))
        for argument in ("user", "item", "score", "rel"):
            name = getattr(columns, argument)
            if not isinstance(name, str if argument != "rel" else str | None):
                raise TypeError(f"{caller}: {argument} must be the name of a column, got {name!r}")
            _native.check_text(caller, argument, name or "")
        for name in columns.by:
            _native.check_text(caller, "by", name)
        given = {"resamples": resamples, "seed": seed} if interval == "bootstrap" else {}
        text = options_text({"confidence": confidence, **given})
        check_statistic(caller, INTERVALS[interval], text)
        made = plan(caller, k, metrics, options, signature(getattr(rankdcg_sql, caller)).parameters)
        taken = [*_RESERVED, *(each.column for each in made.measures)]
        for name in (columns.user, *columns.by):
            if name.lower() in taken:
                raise ValueError(f"{caller}: the results have a column {name!r} already: rename yours")
            taken.append(name.lower())
        return cls(columns, made, users, interval, confidence, text)

    def evaluation(self, session: Session, rec: Any, label: str) -> Evaluation:
        """Evaluate recommendations."""
        measured: Measured = session.measure(rec, label, self.plan, self.users)
        return Evaluation(
            measured.counts,
            self.plan.metrics,
            self.plan.ks,
            measured.plan.options,
            self.users,
            self.interval,
            self.confidence,
            self.columns.user,
            self.columns.by,
            tuple(measured.plan.measures),
            self.interval_options,
            measured.table,
        )


def check_draws(caller: str, given: dict[str, int | None], are_used: bool) -> None:
    """Check that nothing is asked of random numbers where there are none.

    Raises
    ------
    ValueError
        If it is.
    """
    for name, value in given.items():
        if value is not None and not are_used:
            drawing = ["interval='bootstrap'", *(["test='randomization'"] if caller == "compare" else [])]
            raise ValueError(
                f"{caller}: {name} is for random numbers, which are drawn with {' or '.join(drawing)}, "
                f"got {value!r}"
            )


def check_statistic(caller: str, name: str, options: str) -> None:
    """Check the options of a statistic.

    Raises
    ------
    ValueError
        In the words of every engine.
    """
    try:
        _native.check(name, [], options)
    except ValueError as error:
        raise ValueError(f"{caller}: {str(error).partition(': ')[2]}") from None


def choose(caller: str, argument: str, value: Any, allowed: Iterable[Any]) -> None:
    """Check an argument that has a few values.

    Raises
    ------
    ValueError
        If it is none of them.
    """
    if value not in (choices := list(allowed)):
        raise ValueError(f"{caller}: {argument} must be {' or '.join(map(repr, choices))}, got {value!r}")


def names(caller: str, argument: str, given: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return one name or several as a tuple.

    Raises
    ------
    TypeError
        If they are no texts.
    """
    if given is None:
        return ()
    found = (given,) if isinstance(given, str) or not isinstance(given, Iterable) else tuple(given)
    if not all(isinstance(name, str) for name in found):
        raise TypeError(f"{caller}: {argument} must be names of columns, got {given!r}")
    return found
