"""The means of runs over time, and which of their changes are significant."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, get_args

from rankdcg_sql import _native
from rankdcg_sql._arguments import as_names, check_choice
from rankdcg_sql._cached import cached_property
from rankdcg_sql._errors import CallTypeError, CallValueError, shown
from rankdcg_sql._output import Output, Result, fetch, render
from rankdcg_sql._printable import printable
from rankdcg_sql._sql import fetch_one, quote_name, quote_text
from rankdcg_sql.evaluation._history.file import COLUMNS, WORDS_FOR_RUNS, read_history, segment_in_words
from rankdcg_sql.evaluation._tables.workspace import results_connection
from rankdcg_sql.evaluation._terms.counts import pluralize
from rankdcg_sql.evaluation._terms.metrics import (
    ALL,
    Measure,
    find_measure,
    less_is_better_in_sql,
    metric_range,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from rankdcg_sql.plots import Plot

#: The columns that are equal in runs that can be compared.
SETTINGS = (
    *("system", "segment", "metric", "k"),
    *("users", "interval", "confidence", "options", "weighted_by", "corrected_by"),
)
#: How `history` finds the run with which each run is compared, keyed by the word for it: in SQL, the row that
#: is chosen from a window that ends before the run.
_AGAINST = dict(zip(WORDS_FOR_RUNS, ("last_value", "first_value"), strict=True))
#: The mark of an interval that is from the range of the metric, in SQL.
_OF_RANGE = "if(interval_by = 'range', ' #', '')"
#: A time in UTC, and its day, as SQL for people.
_TIME = "strftime(make_timestamp(epoch_us(run_at)), '%Y-%m-%d %H:%M')"
_DAY = "strftime(make_timestamp(epoch_us(run_at)), '%Y-%m-%d')"
#: The measure of a row, as SQL.
_MEASURE = "concat(metric, '@' || k)"
#: Whether a row is of the last run, as SQL.
_IS_LAST = "run_at = (SELECT max(run_at) FROM history)"


@dataclass(frozen=True, repr=False, eq=False)
class History:
    """The means of runs over time, and the change of each run from another one.

    Attributes
    ----------
    against : str
        The run with which each run is compared: ``"previous"``, ``"first"``, or a label.
    anytime : bool
        Whether a change counts as significant only by the interval that holds at all looks together.
    """

    against: str
    #: The rows of the file in their order.
    table: pa.Table
    anytime: bool = False

    @cached_property
    def _con(self) -> duckdb.DuckDBPyConnection:
        con = results_connection({"history": self.table})
        con.execute("SET TimeZone = 'UTC'")
        if self.anytime:
            self._add_tables_for_all_looks(con)
        return con

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the connection, which cannot be copied and is opened again when it is needed."""
        return {name: value for name, value in vars(self).items() if name != "_con"}

    @property
    def runs(self) -> duckdb.DuckDBPyRelation:
        """The rows of the file in the order of time: one per run, system, segment, metric and k.

        ``run_at`` is the time, and ``label`` the name that the run was given. ``system`` is NULL for a run of
        `evaluate`. ``segment`` is the segment as a JSON object, NULL for all users. ``n``, ``mean``, ``low``,
        ``high``, ``without_value`` and ``interval_by`` are those of `Evaluation.summary`. ``users``,
        ``interval``, ``confidence``, ``options`` and ``weighted_by``, the column of weights, are settings,
        and so is ``corrected_by``: ``people`` for means of `judge_corrected`, and NULL for others.
        ``truth`` and ``rec`` are the tables that the command line read, and ``truth_fingerprint``,
        ``rec_fingerprint`` and ``items_fingerprint`` those of `Evaluation.fingerprints`. ``rankdcg_sql`` and
        ``duckdb`` are versions.
        """
        return self._con.sql("FROM history ORDER BY run_at")

    @property
    def changes(self) -> duckdb.DuckDBPyRelation:
        r"""The rows of `runs`, each with its change from the run with which it is compared.

        ``against_run_at`` and ``against_label`` name that run: it has the same system, segment, metric, k,
        and settings. ``difference`` is the mean less that of the other run, and ``difference_low`` and
        ``difference_high`` are the ends of its interval. ``is_significant`` is whether this interval excludes
        0. ``has_same_truth`` is whether both runs have the same fingerprint of truth, NULL if one has none.
        These are NULL if there is no such run, or if the run has no mean, no interval, or a single user.
        No run is compared with such a one: it is passed over.

        Notes
        -----
        A change that is not significant may be real. The users of two runs are taken for independent samples;
        `compare` tests the values of the same users in pairs, and finds smaller changes. With
        :math:`d = m_2 - m_1`, the interval is from
        :math:`d - \sqrt{(m_2 - l_2)^2 + (u_1 - m_1)^2}` to
        :math:`d + \sqrt{(u_2 - m_2)^2 + (m_1 - l_1)^2}` (Zou and Donner, Statistics in Medicine 27, 2008).
        An end of an interval by Student's t that stops at the limit of the metric's range is taken to be as
        far from the mean as the other end. An interval without width, which earlier versions wrote for values
        that are all equal, counts as none.

        With `anytime`, ``look`` counts the runs with an interval so far. ``anytime_low`` and ``anytime_high``
        are the ends of an interval of the mean at the level :math:`1 - \alpha / (t (t + 1))` for look
        :math:`t`, where :math:`1 - \alpha` is the confidence. ``anytime_difference_low``,
        ``anytime_difference_high`` and ``anytime_is_significant`` are made of such intervals. The levels are
        so that the intervals of all looks hold together with the confidence, whatever the looks have in
        common. Each is as many times wider than the usual interval as the quantile of Student's t with
        :math:`n - 1` degrees of freedom is larger; that of equal values is computed for its level.
        """
        return self._con.sql(self._select_changes())

    def _pairs(self) -> str:
        # Writes the start of the query of `changes`: each row with the run with which it is compared.
        settings = ", ".join(map(quote_name, SETTINGS))
        known = ", ".join(map(quote_name, COLUMNS))
        is_word = self.against in _AGAINST
        window_function = _AGAINST.get(self.against, "last_value")  # of several runs with a label, the last
        window_end = "1 PRECEDING" if is_word else "UNBOUNDED FOLLOWING"
        of_label = "" if is_word else f" AND label = {quote_text(self.against)}"
        # How far the interval of a mean reaches below it and above it; by Student's t, as far to both sides.
        sides = {"below": ("mean - low", "high - mean"), "above": ("high - mean", "mean - low")}
        is_of_t = "coalesce(interval_by, \"interval\") = 't'"
        reaches = ", ".join(
            "if(n IS DISTINCT FROM 1 AND low < high, "
            f"if({is_of_t}, greatest({own}, {other}), {own}), NULL) AS {name}"
            for name, (own, other) in sides.items()
        )
        kept = "run_at", "label", "mean", "below", "above", "place", "truth_fingerprint", "n", "is_of_range"
        run = f"{{{', '.join(f'{name!r}: {name}' for name in kept)}}}"
        has_interval = "below IS NOT NULL"
        return f"""
            WITH placed AS (
                SELECT {known}, row_number() OVER () AS place, {reaches},
                    coalesce(interval_by = 'range', false) AS is_of_range
                FROM history
            ), ordered AS (
                SELECT *, min(place) OVER (PARTITION BY {settings}) AS nth,
                    count(below) OVER (PARTITION BY {settings} ORDER BY run_at, place) AS look,
                    {window_function}(CASE WHEN {has_interval}{of_label} THEN {run} END IGNORE NULLS) OVER (
                        PARTITION BY {settings} ORDER BY run_at, place
                        ROWS BETWEEN UNBOUNDED PRECEDING AND {window_end}
                    ) AS other
                FROM placed
            ), paired AS (
                SELECT * REPLACE (if(other.place = place, NULL, other) AS other) FROM ordered
            )
        """

    def _add_tables_for_all_looks(self, con: duckdb.DuckDBPyConnection) -> None:
        # Adds how far intervals reach at each look, and the limits of metrics, as the tables that are joined.
        import pyarrow as pa

        intervals = con.sql(
            f"{self._pairs()} SELECT look, n, confidence, is_of_range FROM paired WHERE below IS NOT NULL "
            "UNION SELECT look, other.n, confidence, other.is_of_range FROM paired "
            "WHERE below IS NOT NULL AND other IS NOT NULL"
        ).to_arrow_table()
        factors = [_native.widening(*row.values()) for row in intervals.to_pylist()]
        con.register("widenings", intervals.append_column("factor", pa.array(factors, pa.float64())))
        metrics = con.sql("SELECT DISTINCT metric, options FROM history").to_arrow_table()
        ends = zip(*map(_limits, *metrics.to_pydict().values()), strict=True)
        for name, end in zip(("lowest", "highest"), ends, strict=False):
            metrics = metrics.append_column(name, pa.array(end, pa.float64()))
        con.register("limits", metrics)

    def _select_changes(self) -> str:
        # Writes the query of `changes`, measures in the order of the file, and each in the order of time.
        def ends(prefix: str, own: str, others: str) -> str:
            # `own` and `others` are how many times as far as usual the two intervals reach.
            below, above = (
                f"sqrt(({own} * {one}) ** 2 + ({others} * other.{other}) ** 2)"
                for one, other in (("below", "above"), ("above", "below"))
            )
            low, high = f"{prefix}difference_low", f"{prefix}difference_high"
            return (
                f"difference - {below} AS {low}, difference + {above} AS {high}, "
                f"{low} > 0 OR {high} < 0 AS {prefix}is_significant"
            )

        def at_all_looks(end: str) -> str:
            return f"CASE WHEN own.factor > 0 AND below IS NOT NULL THEN {end} END"

        found, joins = "", ""
        if self.anytime:
            found = f"""
                paired.look,
                {at_all_looks("greatest(mean - own.factor * below, least(lowest, low))")} AS anytime_low,
                {at_all_looks("least(mean + own.factor * above, greatest(highest, high))")} AS anytime_high,
                {ends("anytime_", "own.factor", "others.factor")},
            """
            joins = " ".join(
                f"LEFT JOIN widenings AS {name} ON {name}.look = paired.look AND {name}.n = {run}.n "
                f"AND {name}.confidence = paired.confidence AND {name}.is_of_range = {run}.is_of_range"
                for name, run in (("own", "paired"), ("others", "paired.other"))
            ) + (
                " LEFT JOIN limits ON limits.metric = paired.metric "
                "AND limits.options IS NOT DISTINCT FROM paired.options"
            )
        return f"""
            {self._pairs()}
            SELECT {", ".join(f"paired.{quote_name(name)}" for name in COLUMNS)},
                other.run_at AS against_run_at, other.label AS against_label, mean - other.mean AS difference,
                {ends("", "1", "1")}, {found} truth_fingerprint = other.truth_fingerprint AS has_same_truth
            FROM paired {joins} ORDER BY nth, run_at, place
        """

    @property
    def _prefix(self) -> str:
        """The start of the names of the columns that tell which changes are significant."""
        return "anytime_" if self.anytime else ""

    @property
    def _mark(self) -> str:
        """The column that tells which changes are significant."""
        return f"{self._prefix}is_significant"

    @property
    def _ends(self) -> list[str]:
        """The ends of the intervals that tell which differences are significant, as SQL."""
        # The usual interval decides if that of all looks is not known, for lack of a number of users.
        return [f"coalesce({self._prefix}difference_{end}, difference_{end})" for end in ("low", "high")]

    @property
    def drops(self) -> duckdb.DuckDBPyRelation:
        """The rows of `changes` whose mean in the last run is significantly worse than that of the other run.

        It is below the other one, or above it if smaller values of the measure are better, as of ``gini``.
        A nightly job fails if there is one, as ``rankdcg-sql history --fail-on-drop`` does. Each row of the
        last run is a test, and no correction is made for their number. With `anytime`, none is needed for the
        number of runs.
        """
        low, high = self._ends
        dropped = f"if({less_is_better_in_sql()}, {low} > 0, {high} < 0)"
        return self._con.sql(f"FROM ({self._select_changes()}) WHERE {dropped} AND {_IS_LAST}")

    @property
    def _interval_in_words(self) -> str:
        """The name of the intervals that tell which changes are significant."""
        return "anytime interval" if self.anytime else "interval"

    def drops_in_words(self) -> list[str]:
        """Write each of `drops` as a sentence."""
        side = f"if({less_is_better_in_sql()}, 'above', 'below')"
        rows = self.drops.project(
            f"""concat(system || ': ', {_MEASURE}), segment,
            concat(format('{{:.4f}}', mean), ' ', {_run_in_words("label", "run_at")},
                ' is significantly ', {side}, ' ', format('{{:.4f}}', mean - difference), ' ',
                {_run_in_words("against_label", "against_run_at")},
                format(' ({{:.6g}}% {self._interval_in_words} of the difference {{:.4f}} to {{:.4f}})',
                    100 * confidence, {", ".join(self._ends)}))"""
        ).fetchall()
        return [f"{_measure_in_words(measure, segment)}: {change}" for measure, segment, change in rows]

    def other_truths_in_words(self) -> list[str]:
        """Write a sentence for each run with which the last run is compared and whose truth is another one.

        A change may then be one of judgements, so ``rankdcg-sql history --fail-on-drop`` fails unless it is
        told to allow it.
        """
        rows = self._con.sql(f"FROM ({self._select_changes()}) WHERE NOT has_same_truth AND {_IS_LAST}")
        of_run, of_other = _run_in_words("label", "run_at"), _run_in_words("against_label", "against_run_at")
        return [
            f"truth as it was read {run} is not that {other}, so a change may be one of judgements, which "
            "rankdcg-sql explain tells apart"
            for run, other in rows.project(f"{of_run}, {of_other}").distinct().order("ALL").fetchall()
        ]

    def unknown_in_words(self) -> list[str]:
        """Write a sentence for each mean that the last run lacks, because no user has a value.

        Whether such a mean dropped is not known, so ``rankdcg-sql history --fail-on-drop`` fails.
        """
        rows = self._con.sql(f"FROM history WHERE mean IS NULL AND {_IS_LAST}").project(
            f"concat(system || ': ', {_MEASURE}), segment, {_run_in_words('label', 'run_at')}"
        )
        return [
            f"{_measure_in_words(measure, segment)}: no user has a value {run}, so a drop is not excluded"
            for measure, segment, run in rows.fetchall()
        ]

    def to_polars(self) -> pl.DataFrame:
        """Return `changes` as a Polars data frame."""
        frame: pl.DataFrame = self.changes.pl()
        return frame

    def to_pandas(self) -> pd.DataFrame:
        """Return `changes` as a pandas data frame."""
        frame: pd.DataFrame = self.changes.df()
        return frame

    def to_arrow(self) -> pa.Table:
        """Return `changes` as an Arrow table."""
        return self.changes.to_arrow_table()

    def render(self, output: Output, *, width: int | None = None) -> str:
        """Return the changes in one of the output formats of the command line, as `Evaluation.render`."""
        check_choice("render", "output", output, get_args(Output))
        return render(self.shown(output), output, width)

    def shown(self, output: Output) -> Result:
        """Return `changes` as cells for CSV and JSON, and a table for people for other formats."""
        return fetch(self.changes, output) if output in ("csv", "json") else self._result()

    def plot(self, metrics: str | Sequence[str] | None = None) -> Plot:
        """Plot the means of runs and their intervals over time, and mark significant changes.

        Parameters
        ----------
        metrics : str or sequence of str, optional
            The measures to plot, such as ``"ndcg@10"``, or ``"ndcg"`` for all its cutoffs. Each has a panel
            of its own. All measures of the history if not given.

        Returns
        -------
        Plot
            A figure of Matplotlib. A ring is around the mean of a run whose change is significant. If a run
            has a label, or all runs are within a minute, runs are at equal distances above their labels or
            times, and otherwise on an axis of time.

        Raises
        ------
        ValueError
            If the history has no such measure.
        """
        from rankdcg_sql.plots import means_over_time

        drawn = self if metrics is None else self.of("plot", metrics)
        changes = drawn.changes
        if self.anytime:
            columns = "low", "high", "is_significant"
            replaced = ", ".join(f"anytime_{name} AS {name}" for name in columns)
            changes = changes.project(f"* REPLACE ({replaced})")
        return means_over_time(changes, drawn.runs, drawn.other_run)

    def of(self, caller: str, metrics: str | Sequence[str]) -> History:
        """Return the history of some measures alone; an error names `caller`."""
        measures = [
            Measure(metric, k)
            for metric, k in self._con.execute(
                "SELECT metric, k FROM history GROUP BY ALL ORDER BY metric, k NULLS LAST"
            ).fetchall()
        ]
        chosen: list[Measure] = []
        for name in as_names(caller, "metrics", metrics):
            metric, cutoff = find_measure(name)
            named = [
                measure
                for measure in measures
                if measure.metric == metric and cutoff in (None, ALL if measure.k is None else str(measure.k))
            ]
            if not named:
                listed = ", ".join(measure.column for measure in measures)
                raise CallValueError(caller, "metrics", f"there is no measure {shown(name)}, but {listed}")
            chosen += named
        names = ", ".join(quote_text(measure.column) for measure in chosen)
        rows = self._con.sql(f"FROM history WHERE {_MEASURE} IN ({names or 'NULL'})")
        return History(self.against, rows.to_arrow_table(), self.anytime)

    def headline(self) -> str:
        """Return one line that says how many runs there are, and with which run each is compared."""
        (runs,) = fetch_one(self._con.execute("SELECT count(DISTINCT (run_at, label)) FROM history")) or (0,)
        return f"History of {pluralize(runs, 'run')}, each against {self.other_run}"

    @property
    def other_run(self) -> str:
        """The run with which each run is compared, in words."""
        return f"the {self.against} run" if self.against in _AGAINST else f"run {self.against!r}"

    def notes(self) -> list[str]:
        """Return sentences that say when a change is significant, and how many are so by chance."""
        sql = f"""
            SELECT count({self._mark}) AS tested, count(*) FILTER ({self._mark}) AS significant,
                count(*) FILTER ({self._mark} IS NULL AND is_last) AS untested,
                count(DISTINCT confidence) FILTER ({self._mark} IS NOT NULL) AS levels,
                format('{{:.6g}}%', 100 * min(confidence) FILTER ({self._mark} IS NOT NULL)) AS level,
                sum(1 - confidence) FILTER ({self._mark} IS NOT NULL) AS expected,
                format('{{:.6g}}%', 100 - 100 * min(confidence) FILTER ({self._mark} IS NOT NULL)) AS error,
                count(*) FILTER (interval_by = 'range') AS of_range
            FROM (SELECT *, run_at = max(run_at) OVER () AS is_last FROM ({self._select_changes()}))
        """
        row = fetch_one(self._con.execute(sql)) or (0, 0, 0, 0, None, None, None, 0)
        tested, significant, untested, levels, level, expected, error, of_range = row
        about_range = []
        if of_range:
            means = pluralize(of_range, "mean")
            about_range = [f"{means} of equal values (#): the interval is from the range of the metric"]
        if not tested:
            return ["no two runs have the same measure and settings, with intervals", *about_range]
        interval = f"{level} {self._interval_in_words}" if levels == 1 else self._interval_in_words
        are = "is" if 1 in (tested, significant) else "are"
        by_chance = f"Chance alone marks about {expected:{'.2g' if expected < 10 else ',.0f'}} of {tested:,}"
        if self.anytime:
            by_chance = (
                f"Chance alone marks any change of a measure with a probability of at most {error}, however "
                "many runs there are"
            )
        notes = [
            f"{significant:,} of {pluralize(tested, 'change')} {are} significant (*): the {interval} of the "
            f"difference excludes 0. {by_chance}",
            "a change without a mark may be real, too: the users of two runs count as independent samples. "
            "If they are the same users, compare is the sharper test",
            *about_range,
        ]
        if untested:
            notes.append(
                f"{pluralize(untested, 'mean')} of the last run {'is' if untested == 1 else 'are'} not "
                "compared: there is no interval, or no other run with the same settings and an interval"
            )
        return notes

    def _result(self) -> Result:
        # Returns one row for each run and measure as cells for people. Settings are shown if they differ. A
        # terminal of 80 columns has room for most histories, or else for all but the last columns.
        days = f"SELECT count(DISTINCT run_at) > count(DISTINCT {_DAY}) FROM history"
        (share_days,) = fetch_one(self._con.execute(days)) or (False,)
        cells = {
            "run at": _TIME if share_days else _DAY,
            "label": "coalesce(label, '')",
            "system": "coalesce(system, '')",
            "segment": "segment",
            "users": "users",
            "interval": quote_name("interval"),
            "confidence": "confidence::VARCHAR",
            "options": "coalesce(options, '')",
            "weighted by": "coalesce(weighted_by, '')",
            "corrected by": "coalesce(corrected_by, '')",
            "measure": _MEASURE,
            "mean": "format('{:.4f}', mean)",
            "change": f"coalesce(format('{{:+.4f}}', difference) || if({self._mark}, ' *', '  '), '')",
            "n": "n::VARCHAR",
            "interval of mean": f"format('{{:.4f}} to {{:.4f}}{{}}', low, high, {_OF_RANGE})",
        }
        if self.anytime:
            cells["anytime interval"] = "format('{:.4f} to {:.4f}', anytime_low, anytime_high)"
        optional = {name: f"count({name}) > 0" for name in ("label", "system", "segment")}
        for name in ("users", "interval", "confidence", "options", "weighted by", "corrected by"):
            column = quote_name(name.replace(" ", "_"))
            optional[name] = f"count(DISTINCT coalesce({column}::VARCHAR, '')) > 1"
        are_shown = fetch_one(self._con.execute(f"SELECT {', '.join(optional.values())} FROM history")) or ()
        left_out = {name for name, is_shown in zip(optional, are_shown, strict=True) if not is_shown}
        columns = [name for name in cells if name not in left_out]
        rows = self._con.execute(
            f"SELECT {', '.join(cells[name] for name in columns)} FROM ({self._select_changes()})"
        ).fetchall()
        if "segment" in columns:
            at = columns.index("segment")
            rows = [(*row[:at], segment_in_words(row[at]), *row[at + 1 :]) for row in rows]
        numeric = [name in ("n", "mean", "change", "confidence") for name in columns]
        return Result(columns, numeric, rows, heads=columns.index("mean"))

    def __repr__(self) -> str:
        notes = (f"- {note}" for note in self.notes())
        return printable("\n".join([self.headline(), *notes, self.render("table")]))

    def _repr_html_(self) -> str:
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.notes())
        return f"<p>{escape(self.headline())}</p><ul>{notes}</ul>{self.render('html')}"


def _measure_in_words(measure: str, segment: str | None) -> str:
    """Write a measure and its segment, which is a JSON object or None."""
    return measure if segment is None else f"{measure} in {segment_in_words(segment)}"


def _limits(metric: str | None, options: str | None) -> tuple[float, float]:
    """Return the least and the largest value of a metric; they are infinite for an unknown one."""
    try:
        least, most = metric_range(
            metric or "", dict(pair.split("=", 1) for pair in (options or "").split(",") if pair)
        )
    except (KeyError, ValueError):  # of another version, or a file that people changed
        least, most = None, None
    return -math.inf if least is None else least, math.inf if most is None else most


def _run_in_words(label: str, run_at: str) -> str:
    """Write SQL for a run in words: by its label, or else by its time."""
    return f"coalesce('in run ' || {label}, 'in the run of ' || {_TIME.replace('run_at', run_at)})"


def history(
    path: str | Path,
    against: str = "previous",
    metrics: str | Sequence[str] | None = None,
    anytime: bool = False,
) -> History:
    """Read the means of runs over time, and find which of their changes are significant.

    Parameters
    ----------
    path : str or pathlib.Path
        A file in Parquet or CSV, written by `Evaluation.append` or ``rankdcg-sql evaluate --append``.
    against : str
        The run with which each run is compared: ``"previous"``, the run before it; ``"first"``, the first
        run, which shows a slow drift; or the label of a run. If several runs have the label, the latest one.
        ``"previous"`` and ``"first"`` are never labels here.
        Only runs of the same system, segment, metric, k, options, users, weights, correction, and kind and
        level of interval are compared.
    metrics : str or sequence of str, optional
        The measures to read, such as ``"ndcg@10"``, or ``"ndcg"`` for all its cutoffs; all if not given.
    anytime : bool
        Whether a change counts as significant only by an interval that holds at all looks together: whoever
        looks at each run of a measure, and acts on the first change that is significant, is wrong with a
        probability of at most 1 - confidence. `History.changes` then has these intervals beside the usual
        ones.

    Returns
    -------
    History
        The rows of the file, `History.runs`, and the change of each, `History.changes`.

    Raises
    ------
    ValueError, TypeError, FileNotFoundError
        If the file is missing or is no history, or if it has no such label or measure. Each is a `CallError`
        as well, which says the argument.

    Notes
    -----
    A run is kept as means and intervals, without users. A change is therefore tested as if the users of the
    two runs were independent samples; see `History.changes`. If nothing has changed, at most about 5 % of
    changes are significant at a confidence of 0.95, and fewer if the users are the same. A change that is not
    significant may be real: `compare` tests the values of the same users, and finds smaller changes. No
    correction is made for the number of changes, but with `anytime` for the number of runs.

    Examples
    --------
    >>> import os, tempfile
    >>> from datetime import datetime, timezone
    >>> import rankdcg_sql
    >>> path = os.path.join(tempfile.mkdtemp(), "history.parquet")
    >>> truth = {"userid": range(100), "itemid": ["a"] * 100}
    >>> for month, share in enumerate([0.5, 0.52, 0.8], start=1):
    ...     items = ["a" if user < 100 * share else "b" for user in range(100)]
    ...     rec = {"userid": range(100), "itemid": items, "score": [1] * 100}
    ...     result = rankdcg_sql.evaluate(truth, rec, k=1, metrics="recall")
    ...     result.append(path, label=f"v{month}", run_at=datetime(2026, month, 1, tzinfo=timezone.utc))
    >>> changes = rankdcg_sql.history(path).changes
    >>> changes.project("label, mean, round(difference, 2), is_significant").fetchall()
    [('v1', 0.5, None, None), ('v2', 0.52, 0.02, False), ('v3', 0.8, 0.28, True)]
    """
    if not isinstance(against, str):
        raise CallTypeError.about("history", "against", f"must be a text, got {shown(against)}")
    _native.check_text("history", "against", against)
    if not isinstance(anytime, bool):
        raise CallTypeError.about("history", "anytime", f"must be True or False, got {shown(anytime)}")
    runs = History(against, read_history("history", path), anytime)
    if against not in _AGAINST:
        labels = runs._con.execute(
            "SELECT label FROM history WHERE label IS NOT NULL "
            "GROUP BY label ORDER BY max(run_at) DESC, label"
        )
        check_choice("history", "against", against, [*_AGAINST, *(label for (label,) in labels.fetchall())])
    return runs if metrics is None else runs.of("history", metrics)
