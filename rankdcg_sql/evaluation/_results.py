"""From two tables to the metrics of each user and their means."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import duckdb

from rankdcg_sql import _native
from rankdcg_sql._output import Output, Result, fetch, render
from rankdcg_sql._sql import quote_name, quote_text
from rankdcg_sql.catalogue import options_text
from rankdcg_sql.duckdb import connect
from rankdcg_sql.evaluation._checks import check_choice
from rankdcg_sql.evaluation._counts import Counts, pluralize
from rankdcg_sql.evaluation._metrics import Measure, metric_range, reason_without_value
from rankdcg_sql.evaluation._statistics import INTERVALS, Interval, Users, clipped_interval, range_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from matplotlib.figure import Figure


#: How DuckDB writes files, by the ends of their names.
WRITERS = {
    ".parquet": "FORMAT parquet",
    ".csv": "FORMAT csv, HEADER",
    ".tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
    ".json": "FORMAT json, ARRAY",
    ".jsonl": "FORMAT json",
}


#: Before DuckDB 2.0 a relation does not keep its connection open. The latest ones are enough.
_OPEN_CONNECTIONS: deque[duckdb.DuckDBPyConnection] = deque(maxlen=64)


class ResultBase:
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
            relation.query("values_of_users", f"COPY values_of_users TO {quote_text(str(path))} ({form})")
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
        check_choice("render", "output", output, get_args(Output))
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
class Evaluation(ResultBase):
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

    #: Which of the results this is.
    kind: ClassVar[Literal["evaluation"]] = "evaluation"

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
        return results_connection({"user_metrics": self.table})

    @property
    def wide(self) -> duckdb.DuckDBPyRelation:
        """One row a user, with a column for each metric and k, such as ``ndcg@10``."""
        return self._con.sql("SELECT * EXCLUDE (recommendations) FROM user_metrics")

    @property
    def per_user(self) -> duckdb.DuckDBPyRelation:
        """One row for each user, metric and k, with the ``value``: NULL where it is not defined."""
        return self._con.sql(f"SELECT {self.columns_of_values()} FROM user_metrics")

    @property
    def summary(self) -> duckdb.DuckDBPyRelation:
        """One row a segment, metric and k: ``n`` users with a value, ``mean``, ``low`` and ``high``.

        ``without_value`` are the users for whom the metric is not defined, who count in no mean of it.
        """
        segments = [f"by_{place}" for place, _ in enumerate(self.by)]
        means = f"FROM ({self.select_means('user_metrics')}) ORDER BY {', '.join([*segments, 'place'])}"
        # No name of ours is beside those of the user.
        named = [f"{one} AS {quote_name(name)}" for one, name in zip(segments, self.by, strict=True)]
        return self._con.sql(f"SELECT {', '.join([*named, MEANS])} FROM ({means})")

    @property
    def _summary(self) -> duckdb.DuckDBPyRelation:
        return self.summary

    def columns_of_values(self) -> str:
        """The columns of `per_user`, in SQL over the table."""
        values = ", ".join(
            f"{{'metric': '{each.metric}', 'k': {each.sql_k}, 'value': {quote_name(each.column)}}}"
            for each in self.measures
        )
        return f"{', '.join(map(quote_name, (self.user, *self.by)))}, unnest([{values}], recursive := true)"

    def select_means(self, table: str) -> str:
        """The segments, the place of the measure, and `MEANS`, in SQL over the table of this name."""
        segments = "".join(f"{quote_name(name)} AS by_{place}, " for place, name in enumerate(self.by))
        return " UNION ALL ".join(
            f"SELECT * EXCLUDE (found), {clipped_interval('found')} FROM ("
            f"SELECT {segments}{place} AS place, '{each.metric}' AS metric, {each.sql_k} AS k, "
            f"count(*) - count({quote_name(each.column)}) AS without_value, "
            f"{INTERVALS[self.interval]}({quote_name(each.column)}, '{self.interval_options}') AS found, "
            f"{range_columns(quote_name(each.column), *metric_range(each.metric))} "
            f"FROM {table} {'GROUP BY ALL' if self.by else ''})"
            for place, each in enumerate(self.measures)
        )

    def _headline(self) -> str:
        return f"Evaluation of {self.users_phrase()}{self.options_suffix()}"

    def users_phrase(self) -> str:
        """How many users there are, and how many of them count in means."""
        users, without = self.counts.users_evaluated, self.counts.users_without_value
        counted = sorted({users - without.get(each.column, 0) for each in self.measures})
        if counted[0] == users:
            return pluralize(users, "user")
        least, most = counted[0], counted[-1]
        told = f"{least:,} of them" if least else "none of them"
        told = (
            f"{told} in the means"
            if least == most
            else f"{least:,} to {most:,} of them in the means, by metric"
        )
        return f"{pluralize(users, 'user')}, {told}"

    def options_suffix(self) -> str:
        """The options of metrics, as headlines have them."""
        return f", {options_text(self.options)}" if self.options else ""

    def _notes(self) -> list[str]:
        return [*self.counts.notes(), *self._about_values()]

    def _about_values(self) -> list[str]:
        """Say who has no value, a sentence for the measures that have as many such users for one reason."""
        columns: dict[tuple[int, str], list[str]] = {}
        for each in self.measures:
            if number := self.counts.users_without_value.get(each.column):
                columns.setdefault((number, reason_without_value(each.metric, self.options)), []).append(
                    each.column
                )
        return [
            f"{pluralize(number, 'user')} {without}: in no mean of {', '.join(names)}"
            for (number, without), names in columns.items()
        ]

    def _result(self) -> Result:
        rows = self.summary.project(
            f"{''.join(f'{quote_name(name)}::VARCHAR, ' for name in self.by)} metric, {K_TEXT}, n::VARCHAR, "
            f"{four_digits('mean')}, {four_digits('low')}, {four_digits('high')}"
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
        _OPEN_CONNECTIONS.append(con)
    return con


#: The columns of means, after those of the segments.
MEANS = "metric, k, n, mean, low, high, without_value"


#: The cut as tables show it.
K_TEXT = "coalesce(k::VARCHAR, 'all')"


def four_digits(column: str) -> str:
    """Write a number with four digits, NULL as NULL."""
    return f"format('{{:.4f}}', {column})"
