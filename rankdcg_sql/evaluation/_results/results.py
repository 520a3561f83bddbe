"""The result of `evaluate`: the metrics of each user, and their means."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import duckdb

from rankdcg_sql import _native
from rankdcg_sql._cached import cached_property
from rankdcg_sql._errors import CallError, CallKeyError, CallOSError, CallValueError
from rankdcg_sql._output import Output, Result, fetch, latex_float, render
from rankdcg_sql._sql import quote_name, quote_text
from rankdcg_sql._text import printable
from rankdcg_sql.catalogue import options_text
from rankdcg_sql.evaluation._requirements.decider import Decider, Subject
from rankdcg_sql.evaluation._requirements.grammar import parse
from rankdcg_sql.evaluation._requirements.requirements import Inconclusive, Requirements, check_given, enforce
from rankdcg_sql.evaluation._tables.connection import connect_in_memory
from rankdcg_sql.evaluation._terms.checks import check_choice
from rankdcg_sql.evaluation._terms.counts import Counts, Unit
from rankdcg_sql.evaluation._terms.metrics import (
    ALL,
    MEANS,
    Measure,
    find_measure,
    metric_range,
    reason_without_value,
)
from rankdcg_sql.evaluation._terms.statistics import (
    Interval,
    Users,
    are_equal_in_sql,
    interval_by_in_sql,
    interval_in_sql,
    notes_on_equal,
    structs,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from rankdcg_sql.plots import Plot


#: The options of DuckDB's COPY statement, keyed by the ending of the file's name.
WRITERS = {
    ".parquet": "FORMAT parquet",
    ".csv": "FORMAT csv, HEADER",
    ".tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
    ".json": "FORMAT json, ARRAY",
    ".jsonl": "FORMAT json",
}


@dataclass(frozen=True, repr=False, eq=False)
class ResultBase:
    """The base of an evaluation and a comparison: values of each user, and a summary of them."""

    @property
    def per_user(self) -> duckdb.DuckDBPyRelation:
        """The values of each user, one row per metric and k."""
        raise NotImplementedError

    @property
    def wide(self) -> duckdb.DuckDBPyRelation:
        """The values of each user, one column per metric and k."""
        raise NotImplementedError

    @property
    def _summary(self) -> duckdb.DuckDBPyRelation:
        # The summary with all digits.
        raise NotImplementedError

    @property
    def means(self) -> Mapping[str, Any]:
        """The means over all users, keyed by the names of measures, such as ``ndcg@10``."""
        raise NotImplementedError

    def __getitem__(self, name: str) -> Any:
        """Return one of `means`. The metric may have any of its names, such as ``MAP@10``.

        Raises
        ------
        KeyError
            If there is no such measure.
        """
        metric, cutoff = find_measure(name)
        column = f"{metric}" if cutoff in (None, ALL) else f"{metric}@{cutoff}"
        if column not in self.means:
            there = ", ".join(self.means)
            raise CallKeyError(type(self).__name__, None, f"there is no measure {name!r}, but {there}")
        return self.means[column]

    def __contains__(self, name: object) -> bool:
        """Whether `means` has this measure, by any of the metric's names."""
        try:
            self[name]  # type: ignore[index]
        except KeyError:
            return False
        return True

    # Otherwise Python would look for a measure named 0.
    __iter__ = None

    def require(self, *requirements: str, inconclusive: Inconclusive = "fail") -> Requirements:
        """Require that means or differences meet bounds, judged by tests over the users.

        Parameters
        ----------
        *requirements : str
            Requirements such as ``ndcg@10 >= 0.30``, and on a comparison such as ``new: ndcg@10 not worse by
            0.005``. The forms are ``>=``, ``>``, ``<=`` and ``<`` with a number, and ``not worse by``,
            ``better by`` and ``equivalent within`` with a margin, ``better``, and ``differs``. A margin is a
            number above 0, or relative to the mean of the baseline, such as ``1%``. Without a system, every
            system other than the baseline must meet it. ``in plan=free`` or ``in every segment`` at the end
            restricts it to a segment of `by`; ``measured`` in front lets the measured value decide without a
            test. Names and values with other signs than letters stand in double quotes.
        inconclusive : {"fail", "pass"}
            Whether a requirement that the users cannot decide is an error.

        Returns
        -------
        Requirements
            The outcomes, in the order of the requirements, then of systems, then of segments.

        Raises
        ------
        RequirementError
            If a requirement failed, or is inconclusive and `inconclusive` is ``"fail"``, or if no user has a
            value. It has the outcomes of all requirements in its attribute ``requirements``.
        ValueError, TypeError
            If a requirement cannot be read, or is about a measure, system or segment that is not there.

        Notes
        -----
        A requirement passes if a test at 1 less `confidence` finds it met, and fails if the opposite test
        finds it not met. A margin m or a bound c is tested by Gaffke's test, one-sided, which counts the
        limit of the metric as one value more: a mean is compared with c, and the values of a system with
        those of the baseline plus or minus m, or with these values times 1 plus or minus a relative margin,
        whose means are not estimated apart. Metrics without a limit have Student's t test. ``equivalent``
        needs two one-sided tests, and fails beyond a margin by a two-sided one. ``better`` without a margin
        and ``differs`` are tested by the comparison's own test; ``differs`` cannot fail. A system with the
        values of the baseline for every user counts as equal to it, without a test. A user counts with a
        value or, for a difference, with values of both systems.

        References
        ----------
        Gaffke, Three Test Statistics for a Nonparametric One-Sided Hypothesis on the Mean of a Nonnegative
        Variable, Mathematical Methods of Statistics 2005.

        Berger, Multiparameter hypothesis testing and acceptance sampling, Technometrics 1982: if several
        requirements must all be met, tests of each at alpha are together a test at alpha.

        Schuirmann, A comparison of the two one-sided tests procedure and the power approach, Journal of
        Pharmacokinetics and Biopharmaceutics 1987.

        Examples
        --------
        >>> import rankdcg_sql
        >>> users = [*range(40)]
        >>> truth = {"userid": users, "itemid": [1] * 40}
        >>> rec = {"userid": users, "itemid": [1, 1, 1, 2] * 10, "score": [1.0] * 40}
        >>> result = rankdcg_sql.evaluate(truth, rec, k=1, metrics="recall")
        >>> result.require("recall@1 >= 0.6")
        passed: recall@1 >= 0.6 (mean 0.7500, 90% interval 0.6129 to 0.8576, p = 0.0352, 40 users)
        >>> result.require("recall@1 >= 0.7", inconclusive="pass")[0].outcome
        'inconclusive'
        """
        check_choice("require", "inconclusive", inconclusive, get_args(Inconclusive))
        check_given(requirements)
        decider = self._decider()
        parsed = [parse(each) for each in requirements]
        decider.subject.check(parsed)
        return enforce(decider.decide(parsed), inconclusive)

    def _decider(self) -> Decider:
        # Returns what decides requirements on this result.
        raise NotImplementedError

    def _headline(self) -> str:
        # Returns one line that says what this result is about.
        raise NotImplementedError

    def _notes(self, about_rows: bool = True) -> list[str]:
        # Returns the sentences about unusual data that are shown beside the summary. Those about rows are
        # warnings of the call, too.
        raise NotImplementedError

    def _result(self) -> Result:
        # Returns the summary as cells for people, with numbers of four digits.
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
            Whether to write one row per user, with a column for each metric and k, and not one row per value.

        Raises
        ------
        ValueError
            If the name has another ending.
        OSError
            If the file cannot be written.
        """
        _native.check_text("write", "path", str(path))
        form = WRITERS.get(Path(path).suffix.lower())
        if form is None:
            raise CallValueError("write", "path", f"{str(path)!r} must end with {', '.join(WRITERS)}")
        relation = self.wide if wide else self.per_user
        try:
            relation.query("values_of_users", f"COPY values_of_users TO {quote_text(str(path))} ({form})")
        except duckdb.IOException as error:
            raise CallOSError("write", "path", str(error)) from error

    @property
    def systems(self) -> Iterable[tuple[str | None, Evaluation]]:
        """The name of each system with its evaluation; None is the name of a single evaluation."""
        raise NotImplementedError

    @property
    def words(self) -> Unit:
        """The word for users, and texts with it."""
        return Unit(next(of.unit for _, of in self.systems))

    def append(self, path: str | Path, label: str | None = None, run_at: datetime | None = None) -> None:
        """Append the means to a history, a file of the means of runs over time.

        The file has one row for each run, system, segment, metric and k. `rankdcg_sql.history` reads it. Only
        a history is appended to: any other file stays as it is. The file is replaced as a whole, so a crash
        leaves the old one. Several processes may append at the same time.

        Parameters
        ----------
        path : str or pathlib.Path
            A file whose name ends with ``.parquet`` or ``.csv``. It is made if there is none. Links are
            followed.
        label : str, optional
            A name for the run, such as a version, of at most 1,000 characters. Several runs may have the same
            one. ``"previous"`` and ``"first"`` are no names, because they mean other runs in
            `rankdcg_sql.history`.
        run_at : datetime.datetime, optional
            The time of the run, with a time zone; the present if not given.

        Raises
        ------
        ValueError, TypeError
            If the file is there and is no history, if its name has another ending, or if an argument has a
            wrong type or value. Each is a `CallError` as well, which says the argument.
        OSError
            If the file cannot be written, or another process has held its lock for a minute.
        """
        from rankdcg_sql.evaluation._history.file import append_means

        append_means(self.systems, path, label, run_at)

    def to_markdown(self) -> str:
        """Return the summary as a Markdown table."""
        return self.render("markdown")

    def to_latex(self, caption: str | None = None, label: str | None = None) -> str:
        """Return the summary as a LaTeX table, which needs the package booktabs.

        With a `caption` or a `label`, which are LaTeX, the table is in a float.
        """
        tabular = render(self.shown("latex"), "latex")
        return tabular if caption is None and label is None else latex_float(tabular, caption, label)

    def to_html(self) -> str:
        """Return the summary as an HTML table."""
        return self.render("html")

    def render(self, output: Output, *, width: int | None = None) -> str:
        """Return the summary in one of the output formats of the command line.

        If `width` is given, ``"table"`` is divided into several tables if it is wider, in characters.
        """
        check_choice("render", "output", output, get_args(Output))
        return render(self.shown(output), output, width)

    def shown(self, output: Output) -> Result:
        """Return the summary as cells: with all digits for CSV and JSON, with four for other formats.

        In LaTeX, metrics have their names in papers.
        """
        if output in ("csv", "json"):
            return fetch(self._summary, output)
        result = self._result()
        if output != "latex":
            return result
        place = result.columns.index("metric")
        rows = [
            (*row[:place], Measure(str(row[place]), None).paper_name, *row[place + 1 :])
            for row in result.rows
        ]
        return replace(result, rows=rows)

    def report(
        self,
        path: str | Path | None = None,
        title: str | None = None,
        inputs: Mapping[str, object] | None = None,
        require: str | Sequence[str] | Requirements = (),
    ) -> str:
        """Return an HTML page with tables and plots, and write it to `path` if that is given.

        See `rankdcg_sql.report.report`.
        """
        from rankdcg_sql.report import report

        return report(self, path, title, inputs, require)  # type: ignore[arg-type]

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is computed when it is read: it may need a connection, which cannot be copied."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _draw(self, method: str, function: str, *arguments: Any) -> Plot:
        # Calls a function of `plots`. Its errors name the method that was called.
        from rankdcg_sql import plots

        try:
            plot: Plot = getattr(plots, function)(self, *arguments)
        except CallError as error:
            raise CallError.of(error, method) from None
        return plot

    def _about(self) -> str:
        return "\n".join([self._headline(), *(f"- {note}" for note in self._notes())])

    def __repr__(self) -> str:
        return printable("\n".join([self._about(), self.render("table")]))

    def _repr_html_(self) -> str:
        # A notebook keeps the warnings of the call on the same page.
        notes = "".join(f"<li>{escape(note)}</li>" for note in self._notes(about_rows=False))
        return f"<p>{escape(self._headline())}</p><ul>{notes}</ul>{self.to_html()}"


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
    interval : {"t", "bootstrap"}
        The kind of confidence interval of the means.
    confidence : float
        The confidence level of the intervals, between 0 and 1.
    user : str
        The name of the column of users.
    by : tuple of str
        The names of the columns of segments.
    unit : str
        The word for users in tables, notes, plots and reports, in the plural.
    """

    #: Tells an evaluation from a comparison.
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
    #: Each metric at each cutoff, in the order of the columns of `table`.
    measures: tuple[Measure, ...]
    #: The options of the intervals as SQL text, such as ``confidence=0.95``.
    interval_options: str
    unit: str
    #: One row per user: the user, the segments, the number of retrieved items up to the largest k, and the
    #: value of each measure.
    table: pa.Table
    #: Whether `table` is in ascending order of users.
    is_ordered: bool

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
        return {each.column: mean for each, (mean,) in zip(self.measures, rows, strict=True)}

    @property
    def summary(self) -> duckdb.DuckDBPyRelation:
        """One row per segment, metric and k, and if there are segments, one for all users.

        If there are segments, ``all_users`` tells the rows of all users from those of the segment NULL. ``n``
        is the number of users with a value and ``mean`` the mean over them. ``low`` and ``high`` are the ends
        of the confidence interval of the mean. ``without_value`` is the number of users for whom the metric
        is not defined; they do not count in the mean. ``interval_by`` is what the interval is from: ``t`` or
        ``bootstrap``, as `interval`, or ``range`` if all values are equal. These have no spread, so that
        the interval is what the range of the metric allows: see ``mean_ci`` with ``lower_bound`` and
        ``upper_bound``. If the range has no end, there is none then.
        """
        return self._con.sql(self._select_summary())

    @property
    def _summary(self) -> duckdb.DuckDBPyRelation:
        return self.summary

    def _select_summary(self) -> str:
        # Writes the query of `summary`. The caller's names are introduced last, so that they clash with no
        # name in the inner queries.
        means = f"FROM ({self.select_means('user_metrics')}) ORDER BY {', '.join([*self.segments, 'place'])}"
        return f"SELECT {self.named_segments}{MEANS} {means}"

    @property
    def segments(self) -> list[str]:
        """The columns of `by_segment` that tell segments apart, all users last; empty without segments."""
        return ["all_users", *(f"by_{place}" for place, _ in enumerate(self.by))] if self.by else []

    @property
    def named_segments(self) -> str:
        """SQL for these columns under the caller's names, with a comma at the end; empty without segments."""
        named = [f"by_{place} AS {quote_name(name)}, " for place, name in enumerate(self.by)]
        return "".join([*named, "all_users, "]) if named else ""

    @property
    def segment_cells(self) -> list[str]:
        """SQL for the segments as texts for people."""
        of_all = self.words.all_of_them
        return [
            f"if(all_users, {quote_text('' if place else of_all)}, {quote_name(name)}::VARCHAR)"
            for place, name in enumerate(self.by)
        ]

    def by_segment(self, aggregates: str, table: str) -> str:
        """Write a SELECT of aggregates for each segment and for all users, with the columns `segments`."""
        columns = list(map(quote_name, self.by))
        segments = [f"{column} AS by_{place}" for place, column in enumerate(columns)]
        all_users = f"grouping({columns[0]}) = 1" if columns else "true"
        sets = f"GROUP BY GROUPING SETS ((), ({', '.join(columns)}))" if columns else ""
        return f"SELECT {', '.join([*segments, f'{all_users} AS all_users', aggregates])} FROM {table} {sets}"

    def columns_of_values(self) -> str:
        """Write the columns of `per_user` in SQL, for a SELECT from the table of values."""
        values = ", ".join(
            f"{{'metric': '{each.metric}', 'k': {each.sql_k}, 'value': {quote_name(each.column)}}}"
            for each in self.measures
        )
        return f"{', '.join(map(quote_name, (self.user, *self.by)))}, unnest([{values}], recursive := true)"

    def select_means(self, table: str) -> str:
        """Write a SELECT of the segments, the place of the measure (from 0), and `MEANS`.

        `table` is the name of the table of values. Where ``all_users`` is true, the row is that of all users,
        and has no segment.
        """
        measures = structs(
            {
                "place": place,
                "metric": quote_text(each.metric),
                "k": each.sql_k,
                "users": "count(*)",
                "found": interval_in_sql(
                    self.interval,
                    quote_name(each.column),
                    self.interval_options,
                    *metric_range(each.metric, self.options),
                ),
                "interval_by": interval_by_in_sql(
                    self.interval, quote_name(each.column), *metric_range(each.metric, self.options)
                ),
            }
            for place, each in enumerate(self.measures)
        )
        grouped = self.by_segment(f"{measures} AS measures", table)
        found = f"SELECT * EXCLUDE (measures), unnest(measures, recursive := true) FROM ({grouped})"
        ends = ", ".join(f"if(interval_by IS NULL, NULL, {end}) AS {end}" for end in ("low", "high"))
        return (
            f"SELECT * EXCLUDE (users) REPLACE ({ends}, if(low IS NULL, NULL, interval_by) AS interval_by), "
            f"users - n AS without_value FROM ({found})"
        )

    def _decider(self) -> Decider:
        subject = Subject(self.measures, self.by, (), None, self.confidence)
        return Decider(
            subject, self._con, {None: "user_metrics"}, self.user, "t", "", self.options, self.unit
        )

    def _headline(self) -> str:
        return f"Evaluation of {self.users_phrase()}{self.options_suffix()}"

    def users_phrase(self) -> str:
        """Say how many users there are, and how many of them count in means."""
        users, without = self.counts.users_evaluated, self.counts.users_without_value
        counted = sorted({users - without.get(each.column, 0) for each in self.measures})
        if counted[0] == users:
            return self.words.count(users)
        least, most = counted[0], counted[-1]
        part = f"{least:,} of them" if least else "none of them"
        part = (
            f"{part} in the means"
            if least == most
            else f"{least:,} to {most:,} of them in the means, by metric"
        )
        return f"{self.words.count(users)}, {part}"

    def options_suffix(self) -> str:
        """Return the given options of the metrics as the end of a headline; empty if there are none."""
        return f", {options_text(self.options)}" if self.options else ""

    def _notes(self, about_rows: bool = True) -> list[str]:
        return [*self._notes_on_users(about_rows), *self._about_equal_values()]

    def _notes_on_users(self, about_rows: bool) -> list[str]:
        """Return the notes without those about intervals."""
        left_out = ", in no mean (users=both)" if self.users == "both" else ""
        about_tables = map(self.words.say, self.counts.notes(about_rows, left_out))
        return [*about_tables, *self._about_values()]

    def _about_equal_values(self) -> list[str]:
        """Say which means are of values that are all equal, so that the interval is another one."""
        columns = [quote_name(each.column) for each in self.measures]
        ranges = [metric_range(each.metric, self.options) for each in self.measures]
        found = self.equal_in(self._con, "user_metrics", columns)
        named = ((self.measures[place].column + segment, ranges[place]) for place, segment in found)
        return notes_on_equal("values", named, self.interval)

    def equal_in(
        self, con: duckdb.DuckDBPyConnection, table: str, values: Sequence[str]
    ) -> list[tuple[int, str]]:
        """Find which of some values, in SQL over `table`, are equal for all users, or for those of a segment.

        Returns
        -------
        list of tuple
            The place of each in `values`, and the segment in words, which is empty for all users.
        """
        found = []
        are_equal = f"[{', '.join(map(are_equal_in_sql, values))}] AS are_equal"
        for *segment, is_all, of_values in con.execute(self.by_segment(are_equal, table)).fetchall():
            pairs = (
                f"{name}={'NULL' if of is None else of}" for name, of in zip(self.by, segment, strict=True)
            )
            words = "" if is_all else f" in {', '.join(pairs)}"
            found += [(place, words) for place, is_equal in enumerate(of_values) if is_equal]
        return sorted(found)

    def _about_values(self) -> list[str]:
        """Say how many users have no value.

        Measures share a sentence if as many users have no value of them, for the same reason.
        """
        columns: dict[tuple[int, str], list[str]] = {}
        for each in self.measures:
            if number := self.counts.users_without_value.get(each.column):
                columns.setdefault((number, reason_without_value(each.metric, self.options)), []).append(
                    each.column
                )
        return [
            f"{self.words.count(number)} {without}: in no mean of {', '.join(names)}"
            for (number, without), names in columns.items()
        ]

    def _result(self) -> Result:
        cells = [
            *self.segment_cells,
            "metric",
            K_TEXT,
            "n::VARCHAR",
            *map(four_digits, ("mean", "low", "high")),
        ]
        # One statement is planned faster than the relation `summary` and its projection.
        rows = self._con.execute(f"SELECT {', '.join(cells)} FROM ({self._select_summary()})").fetchall()
        columns = [*self.by, "metric", "k", "n", "mean", "low", "high"]
        return Result(columns, [False] * (len(self.by) + 1) + [True] * 5, rows, heads=len(self.by) + 2)

    def plot(self, metrics: str | Sequence[str] | None = None) -> Plot:
        """Plot the means and their intervals at each k; see `rankdcg_sql.plots.metric_at_k`."""
        return self._draw("plot", "metric_at_k", metrics)

    def plot_distribution(self, metric: str, k: int | None = None) -> Plot:
        """Plot the distribution of a metric over users; see `rankdcg_sql.plots.distribution`."""
        return self._draw("plot_distribution", "distribution", metric, k)

    def plot_segments(self, metric: str | None = None, k: int | None = None) -> Plot:
        """Plot the means of segments side by side; see `rankdcg_sql.plots.segments`."""
        return self._draw("plot_segments", "segments", metric, k)


def results_connection(tables: dict[str, pa.Table]) -> duckdb.DuckDBPyConnection:
    """Open a connection with the tables of a result, for relations that outlive the result object."""
    con = connect_in_memory()
    for name, table in tables.items():
        con.register(name, table)
    return con


#: The cutoff in SQL as printed tables show it: ``all`` for the whole list.
K_TEXT = "coalesce(k::VARCHAR, 'all')"


def four_digits(column: str) -> str:
    """Write SQL that formats a number with four digits; NULL stays NULL."""
    return f"format('{{:.4f}}', {column})"
