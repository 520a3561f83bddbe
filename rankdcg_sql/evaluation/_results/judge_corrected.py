"""The result of `judge_corrected`: means by a judge, corrected by the judgements of people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from rankdcg_sql._cached import cached_property
from rankdcg_sql._errors import CallValueError
from rankdcg_sql._output import K_TEXT, Result, four_digits, p_value_text
from rankdcg_sql._sql import fetch_one, quote_name, quote_text, repr_in_sql
from rankdcg_sql.catalogue import options_text
from rankdcg_sql.evaluation._requirements.corrected import CorrectedDecider
from rankdcg_sql.evaluation._requirements.decider import Subject
from rankdcg_sql.evaluation._results.evaluation import Segments
from rankdcg_sql.evaluation._results.required_result import RequiredResult
from rankdcg_sql.evaluation._results.result_base import write_rows
from rankdcg_sql.evaluation._tables.workspace import results_connection
from rankdcg_sql.evaluation._terms.metrics import difference_range, metric_range, reach_of
from rankdcg_sql.evaluation._terms.statistics import (
    CORRECTIONS,
    WEIGHTED_COMPARISON,
    check_function,
    interval_by_in_sql,
    interval_in_sql,
    judge_corrected_in_sql,
    structs,
    with_bounds,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from rankdcg_sql.evaluation._results.evaluation import Evaluation
    from rankdcg_sql.evaluation._terms.counts import Unit
    from rankdcg_sql.evaluation._terms.metrics import Limits, Measure
    from rankdcg_sql.evaluation._terms.statistics import Correction
    from rankdcg_sql.plots import Plot

#: The columns of `JudgeCorrected.summary` after k, each with its SQL.
_OF_MEANS = {
    **{name: f"found.{name}" for name in ("n_judge", "n_human", "mean")},
    **{end: f"if(interval_by IS NULL, NULL, found.{end})" for end in ("low", "high")},
    **{name: f"found.{name}" for name in ("mean_human", "mean_judge")},
    "bias": "bias.mean",
    **{f"bias_{end}": f"if(bias_by IS NULL, NULL, bias.{end})" for end in ("low", "high")},
    **{name: f"found.{name}" for name in ("judge_weight", "effective_n")},
    "interval_by": "interval_by",
}
#: The columns of `JudgeCorrected.differences` after k, likewise.
_OF_DIFFERENCES = {
    **{"n_judge": "found.n_judge", "n_human": "found.n_human", "difference": "found.mean"},
    **{end: _OF_MEANS[end] for end in ("low", "high")},
    **{"p_value": "found.p_value", "p_corrected": "NULL"},
    **{"difference_human": "found.mean_human", "p_human": "of_human.p_value"},
    **{"difference_judge": "found.mean_judge", "p_judge": "of_judge.p_value"},
    **{name: _OF_MEANS[name] for name in ("bias", "bias_low", "bias_high", "judge_weight", "effective_n")},
}
#: The fewest users of people for which the coverage of intervals was simulated.
_FEW = 30
#: The p-value, after Bonferroni's correction, below which people's users differ visibly from the others.
_VISIBLE = 0.001


@dataclass(frozen=True, repr=False, eq=False)
class JudgeCorrected(RequiredResult):
    """Means by a judge of all users, corrected by the judgements of people for a random sample of them.

    Attributes
    ----------
    human : dict of str or None to Evaluation
        The evaluation by people of each system, keyed by the system's name; None for one without a name.
    judge : dict of str or None to Evaluation
        The evaluation by the judge, likewise.
    pairs : list of tuple of str
        The pairs of a system and the one with which it is compared; empty without several systems.
    baseline : str or None
        The system with which the others are compared; None if all pairs are, and without several systems.
    correction : {"holm", "bonferroni", "benjamini_hochberg"} or None
        How the p-values of differences are corrected for the number of tests.
    """

    #: Tells this result from evaluations, comparisons and changes.
    kind: ClassVar[str] = "judge_corrected"

    human: Mapping[str | None, Evaluation]
    judge: Mapping[str | None, Evaluation]
    pairs: list[tuple[str, str]]
    baseline: str | None
    correction: Correction | None

    @property
    def _first(self) -> Evaluation:
        return next(iter(self.judge.values()))

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The metrics at their cutoffs."""
        return self._first.measures

    @property
    def by(self) -> tuple[str, ...]:
        """The names of the columns of segments."""
        return self._first.by

    @property
    def words(self) -> Unit:
        """The word for users, and texts with it."""
        return self._first.words

    @property
    def confidence(self) -> float:
        """The confidence level of the intervals."""
        return self._first.confidence

    @property
    def correction_in_words(self) -> str:
        """How the p-values of differences are corrected."""
        return CORRECTIONS[self.correction]

    @property
    def weight(self) -> str | None:
        """The column of weights of the users whom people judged; None if all count alike."""
        return next(iter(self.human.values())).weight

    @property
    def _in_tables(self) -> Segments:
        # The segments under the names that they have in the tables, which no name of the caller can be.
        return Segments(tuple(f"segment_{place}" for place, _ in enumerate(self.by)), "")

    @cached_property
    def _con(self) -> duckdb.DuckDBPyConnection:
        """A connection with a table of each system, ``both_0`` and so on, in which users are joined.

        The segments are those of the judge. ``human_0`` and so on are the values by people, NULL for users
        whom they did not judge (``by_people`` tells them), and ``judge_0`` and so on those by the judge.
        ``weight`` is the weight of a user whom people judged, if these have weights.
        """
        tables: dict[str, pa.Table] = {}
        for place, (system, of_judge) in enumerate(self.judge.items()):
            tables |= {f"of_human_{place}": self.human[system].table, f"of_judge_{place}": of_judge.table}
        con = results_connection(tables)
        sides = {"human": "h", "judge": "j"}
        columns = {
            "segment_": [("j", name) for name in self.by],
            "human_segment_": [("h", name) for name in self.by],
            **{f"{side}_": [(of, each.column) for each in self.measures] for side, of in sides.items()},
        }
        named = ", ".join(
            f"{of}.{quote_name(name)} AS {prefix}{place}"
            for prefix, each in columns.items()
            for place, (of, name) in enumerate(each)
        )
        if self.weight:
            named += f", h.{quote_name(self.weight)} AS weight"
        for place, (system, of_judge) in enumerate(self.judge.items()):
            users = [quote_name(each.user) for each in (self.human[system], of_judge)]
            con.execute(
                f"CREATE TEMP TABLE both_{place} AS SELECT j.{users[1]} AS userid, "
                f"h.{users[0]} IS NOT NULL AS by_people, h.retrieved AS human_retrieved, "
                f"j.retrieved AS judge_retrieved, {named} "
                f"FROM of_judge_{place} AS j LEFT JOIN of_human_{place} AS h ON h.{users[0]} = j.{users[1]}"
            )
        return con

    @property
    def summary(self) -> duckdb.DuckDBPyRelation:
        """One row per system, segment, metric and k: the mean by people, by the judge, and corrected.

        ``mean`` is the corrected mean, and ``low`` and ``high`` are the ends of its interval; see
        ``judge_corrected_mean``. ``mean_human`` is the mean over the ``n_human`` users whom people judged,
        and ``mean_judge`` that by the judge over the ``n_judge`` users whom it judged. ``bias`` is the mean
        difference of judge and people for the same users, between ``bias_low`` and ``bias_high``.
        ``judge_weight`` is the weight of the judge, and ``effective_n`` how many users people alone would
        have to judge for an interval as short. ``interval_by`` is that of `Evaluation.summary`: ``range`` if
        people gave all users one value.
        """
        return self._con.sql(self._select_summary())

    @property
    def differences(self) -> duckdb.DuckDBPyRelation:
        """One row per pair of systems, segment, metric and k: does the judge prefer one?

        ``difference`` is the corrected mean difference of ``system`` and ``against``, ``low`` and ``high``
        are the ends of its interval, and ``p_value`` is that of no difference. ``p_corrected`` is the same
        after correction for the number of tests. ``difference_human`` and ``difference_judge`` are the mean
        differences by people and by the judge, each over all users whom it judged, with the p-values
        ``p_human`` and ``p_judge`` of a paired t test, which are not corrected. ``bias`` is how far the judge
        prefers ``system``: the mean of its differences less those of people, for the same users, between
        ``bias_low`` and ``bias_high``. ``judge_weight`` and ``effective_n`` are as in `summary`. It is an
        error to read this of one system.
        """
        self._check_pairs("differences")
        return self._con.sql(self._select_differences())

    def users_needed(
        self, difference: float, power: float = 0.8, alpha: float = 0.05
    ) -> duckdb.DuckDBPyRelation:
        """Say how many users people must judge to find a difference of two systems beside this judge.

        Parameters
        ----------
        difference : float
            The size of the mean difference to be found, above 0.
        power : float
            The probability with which a test finds it, between 0 and 1.
        alpha : float
            The significance level of the test, between 0 and 1.

        Returns
        -------
        duckdb.DuckDBPyRelation
            One row per pair of systems, segment, metric and k. ``users_needed`` is the number of users, as
            far as those judged so far tell the errors of the judge; NULL if not even all users of the judge
            suffice, or if the judge is not heard.

        Raises
        ------
        ValueError
            If an argument is out of its range, or if there is one system.
        """
        self._check_pairs("users_needed")
        options = options_text({"difference": difference, "power": power, "alpha": alpha})
        check_function("users_needed", "judge_corrected_mean", options)
        first = self._first
        columns = f"system, against, {''.join(f'{quote_name(name)}, ' for name in first.by)}"
        columns += "all_users, " * bool(first.by)
        query = self._select_differences(options)
        return self._con.sql(
            f"SELECT {columns}metric, k, n_human, users_needed::BIGINT AS users_needed FROM ({query})"
        )

    def plot(self, metric: str | None = None, k: int | None = None) -> Plot:
        """Plot the means by the judge, by people, and corrected; see `rankdcg_sql.plots.judgements`."""
        return self._draw("plot", "judgements", metric, k)

    def append(self, path: str | Path, label: str | None = None, run_at: datetime | None = None) -> None:
        """Append the corrected means to a history; see `Evaluation.append`.

        ``corrected_by`` is ``people`` in their rows, so that `rankdcg_sql.history` compares them with no
        other means. ``n`` is the number of users whom people judged, and ``truth_fingerprint`` has that of
        people and that of the judge.
        """
        from rankdcg_sql.evaluation._history.file import append_means

        corrected = {}
        for system, judge in self.judge.items():
            human = self.human[system]
            summary = replace(self, human={None: human}, judge={None: judge}, pairs=[]).summary
            truths = [each.fingerprints.get("truth", "") for each in (human, judge)]
            both = " ".join(truths) if all(truths) else None
            corrected[system] = (
                summary.project("*, n_human AS n, 0 AS without_value"),
                {"corrected_by": "people", "weighted_by": self.weight, "truth_fingerprint": both},
            )
        append_means(self.judge.items(), path, label, run_at, corrected=corrected)

    def _check_pairs(self, caller: str) -> None:
        if not self.pairs:
            why = "one system has no difference: give judge_corrected two results of compare"
            raise CallValueError(caller, None, why)

    @property
    def _summary(self) -> duckdb.DuckDBPyRelation:
        return self.differences if self.pairs else self.summary

    def to_polars(self) -> pl.DataFrame:
        """Return `differences`, or of one system `summary`, as a Polars data frame."""
        frame: pl.DataFrame = self._summary.pl()
        return frame

    def to_pandas(self) -> pd.DataFrame:
        """Return `differences`, or of one system `summary`, as a pandas data frame."""
        frame: pd.DataFrame = self._summary.df()
        return frame

    def to_arrow(self) -> pa.Table:
        """Return `differences`, or of one system `summary`, as an Arrow table."""
        return self._summary.to_arrow_table()

    def write(self, path: str | Path) -> None:
        """Write `differences`, or of one system `summary`, to a file.

        Parameters
        ----------
        path : str or pathlib.Path
            A file whose name ends with ``.parquet``, ``.csv``, ``.tsv``, ``.json`` or ``.jsonl``.

        Raises
        ------
        ValueError
            If the name has another ending.
        OSError
            If the file cannot be written.
        """
        write_rows(self._summary, path)

    def _options(self, limits: Limits) -> str:
        # The options of an interval of a mean between these limits, as SQL text.
        return with_bounds(f"confidence={self.confidence!r}", *limits)

    def _fields(
        self, place: int, human: str, judge: str, weight: str, limits: Limits, planned: str = ""
    ) -> dict[str, str]:
        """Write the fields of the struct of one mean in SQL, keyed by their names.

        `human` and `judge` are SQL for the values, between `limits`, and `weight` for the weight, if users
        have weights. `planned` are options of a plan.
        """
        options = self._options(limits)
        given = weight if self.weight else None
        measure = self.measures[place]
        return {
            "place": str(place),
            "metric": quote_text(measure.metric),
            "k": measure.sql_k,
            "found": judge_corrected_in_sql(human, judge, given, ", ".join(filter(None, [options, planned]))),
            # Equal values in a range without an end say nothing of their mean.
            "interval_by": interval_by_in_sql("t", human, *limits),
            "bias": interval_in_sql(
                "t", f"{judge} - ({human})", given, f"confidence={self.confidence!r}", *reach_of(limits)
            ),
            "bias_by": interval_by_in_sql("t", f"{judge} - ({human})", *reach_of(limits)),
        }

    def _select_summary(self) -> str:
        first = self._first
        measures = structs(
            self._fields(
                place,
                f"human_{place}",
                f"judge_{place}",
                "weight",
                metric_range(measure.metric, first.options),
            )
            for place, measure in enumerate(self.measures)
        )
        aggregates = f"{measures} AS measures"
        rows = " UNION ALL ".join(
            f"SELECT {quote_text(system or '')} AS system, {nth} AS nth, * EXCLUDE (measures), "
            f"unnest(measures, max_depth := 2) FROM ({self._in_tables.group(aggregates, f'both_{nth}')})"
            for nth, system in enumerate(self.judge)
        )
        named = "system, " if self.pairs else ""
        order = ", ".join(["nth", *first.segments.columns, "place"])
        columns = ", ".join(f"{sql} AS {name}" for name, sql in _OF_MEANS.items())
        return (
            f"SELECT {named}{first.segments.named_columns}metric, k, {columns} FROM ({rows}) ORDER BY {order}"
        )

    def _select_differences(self, planned: str = "") -> str:
        # `planned` are options of a plan; with these, there is a column for it.
        first, places = self._first, {system: place for place, system in enumerate(self.judge)}

        def fields(place: int, measure: Measure) -> dict[str, str]:
            human, judge = (f"a.{side}_{place} - b.{side}_{place}" for side in ("human", "judge"))
            limits = difference_range(measure.metric, first.options)
            of_pairs = {side: f"a.{side}_{place}, b.{side}_{place}" for side in ("human", "judge")}
            tests = {f"of_{side}": f"paired_t_test({pairs})" for side, pairs in of_pairs.items()}
            if self.weight:
                tests["of_human"] = f"{WEIGHTED_COMPARISON}({of_pairs['human']}, a.weight)"
            return self._fields(place, human, judge, "a.weight", limits, planned) | tests

        measures = structs(fields(place, measure) for place, measure in enumerate(self.measures))
        by = "".join(f"a.{name}, " for name in self._in_tables.by)
        rows = " UNION ALL ".join(
            f"SELECT {quote_text(system)} AS system, {quote_text(against)} AS against, {nth} AS nth, "
            "* EXCLUDE (measures), unnest(measures, max_depth := 2) FROM ("
            + self._in_tables.group(
                f"{measures} AS measures",
                f"(SELECT {by}a, b FROM both_{places[system]} AS a JOIN both_{places[against]} AS b "
                "ON a.userid = b.userid)",
            )
            + ")"
            for nth, (system, against) in enumerate(self.pairs)
        )
        order = ", ".join(["nth", *first.segments.columns, "place"])
        every = f"(ORDER BY {order} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)"
        corrected = (
            f"corrected_p_values(list(found.p_value) OVER {every}, 'correction={self.correction}')"
            f"[row_number() OVER (ORDER BY {order})]"
        )
        of_all = _OF_DIFFERENCES | {"p_corrected": corrected if self.correction else "found.p_value"}
        of_all |= {"users_needed": "found.users_needed"} if planned else {}
        columns = ", ".join(f"{sql} AS {name}" for name, sql in of_all.items())
        return (
            f"SELECT system, against, {first.segments.named_columns}metric, k, {columns} "
            f"FROM ({rows}) ORDER BY {order}"
        )

    def _decider(self) -> CorrectedDecider:
        first = self._first
        systems = [*filter(None, self.judge)]
        return CorrectedDecider(
            Subject(self.measures, self.by, systems, self.baseline, self.confidence),
            con=self._con,
            tables={system: f"both_{place}" for place, system in enumerate(self.judge)},
            user="userid",
            test="t",
            draws="",
            options=first.options,
            unit=first.unit,
            weight=self.weight,
        )

    def headline(self) -> str:
        of_people, of_judge = (
            next(iter(each.values())).counts.users_evaluated for each in (self.human, self.judge)
        )
        tests = f"; {self.correction_in_words}" if self.pairs else ""
        weighted = f", weighted by {self.weight}" if self.weight else ""
        return (
            f"Judgements of a judge for {self.words.count(of_judge)}, "
            f"corrected by those of people for {of_people:,} of them{weighted}{tests}"
        )

    def notes(self, about_rows: bool = True) -> list[str]:
        few = next(iter(self.human.values())).counts.users_evaluated
        judged = f"people judged {self.words.count(few)}"
        if self.weight:
            effective = "SELECT weighted_mean_ci(1, weight).effective_n FROM both_0"
            (few,) = fetch_one(self._con.execute(effective)) or (0,)
            judged += f", who say as much as {few:,.0f} without weights"
        about_few = f"{judged}: below {_FEW}, intervals may be too short"
        return [*self.notes_on_sample(), *([about_few] if few < _FEW else [])]

    def notes_on_sample(self) -> list[str]:
        """Return a sentence for each mean that is visibly another one for users that people judged.

        The judge gives them values that a test tells from those of the others, as a random sample has them
        once in a thousand times.
        """
        notes = []
        weighted, others = (" with their weights", "all") if self.weight else ("", "the others")
        for nth, system in enumerate(self.judge):
            columns = (f"judge_{place}" for place, _ in enumerate(self.measures))
            tests = ", ".join(self._test_of_sample(column, f"both_{nth}") for column in columns)
            (found,) = fetch_one(self._con.execute(f"SELECT [{tests}] FROM both_{nth}")) or ([],)
            for measure, tested in zip(self.measures, found, strict=True):
                if tested["p_value"] is not None and tested["p_value"] < _VISIBLE / len(found):
                    of_system = f"{system}: " if system is not None else ""
                    notes.append(
                        f"{of_system}{measure.column} by the judge is {tested['mean_a']:.4f} for the "
                        f"{self.words.plural} that people judged{weighted}, and {tested['mean_b']:.4f} for "
                        f"{others}: they seem to be no random sample, and the corrected mean may be wrong"
                    )
        return notes

    def _test_of_sample(self, column: str, table: str) -> str:
        """Write the test of a judge's values for the users whom people judged beside those of the others.

        With weights it is beside those of all, whose mean the weighted one estimates.
        """
        if self.weight:
            return f"{WEIGHTED_COMPARISON}({column}, (SELECT avg({column}) FROM {table}), weight)"
        judged, others = (f"CASE WHEN {which} THEN {column} END" for which in ("by_people", "NOT by_people"))
        return f"partially_overlapping_t_test({judged}, {others})"

    def check(self, caller: str) -> None:
        """Raise an error unless people judged some of the users of the judge, and all users have values."""
        for place, (system, of_judge) in enumerate(self.judge.items()):
            users = quote_name(self.human[system].user), quote_name(of_judge.user)
            of_system = "" if system is None else f" of {system}"
            missing = (
                f"SELECT {repr_in_sql(users[0])} FROM of_human_{place} AS h ANTI JOIN of_judge_{place} AS j "
                f"ON h.{users[0]} = j.{users[1]} ORDER BY 1 LIMIT 1"
            )
            if row := fetch_one(self._con.execute(missing)):
                why = (
                    f"lacks {of_judge.user} {row[0]}{of_system}, which human has: the judge must judge "
                    "all of them (are human and judge swapped?)"
                )
                raise CallValueError.about(caller, "judge", why)
            for argument, condition, why in self._refusals():
                shown = f"SELECT {repr_in_sql('userid')}, count(*) FROM both_{place} WHERE {condition}"
                row = fetch_one(self._con.execute(f"{shown} GROUP BY 1 ORDER BY 1 LIMIT 1"))
                if row:
                    user = f"{of_judge.user} {row[0]}{of_system}"
                    raise CallValueError.about(caller, argument, why.replace("{user}", user))

    def _refusals(self) -> list[tuple[str, str, str]]:
        """List what is refused: the argument, a condition over a table in SQL, and why, with a ``{user}``."""
        cuts = [measure.k for measure in self.measures]
        deepest = "" if None in cuts else f", {max(k for k in cuts if k is not None)}"
        retrieved = (f"least({side}_retrieved{deepest})" for side in ("human", "judge"))
        another = "has another rec than human: other numbers of items for {user}"
        refusals = [("judge", f"by_people AND {' <> '.join(retrieved)}", another)]
        for place, name in enumerate(self.by):
            differs = f"by_people AND segment_{place} IS DISTINCT FROM human_segment_{place}"
            refusals.append(("judge", differs, f"has another {name} than human for {{user}}"))
        for place, measure in enumerate(self.measures):
            none = f"has no value of {measure.column} for {{user}}, so that its mean is over other users: "
            none += 'evaluate both with another option, such as no_relevant="zero", or without such users'
            refusals.append(("human", f"by_people AND human_{place} IS NULL", none))
            refusals.append(("judge", f"judge_{place} IS NULL", none))
        return refusals

    def _summary_cells(self) -> Result:
        numbers = {
            "people": "mean_human",
            "judge": "mean_judge",
            "corrected": "mean",
            "low": "low",
            "high": "high",
        }
        p_values, systems = {}, []
        if self.pairs:
            systems = ["system", "against"]
            numbers |= {"people": "difference_human", "judge": "difference_judge", "corrected": "difference"}
            p_values = {"p people": "p_human", "p judge": "p_judge", "p": "p_corrected"}
        cells = [
            *systems,
            *self._first.segments.cells,
            "metric",
            K_TEXT,
            "n_human::VARCHAR",
            *map(four_digits, numbers.values()),
            *map(p_value_text, p_values.values()),
            four_digits("bias"),
            "format('{:.2f}', judge_weight)",
            "coalesce(format('{:,.0f}', effective_n), '')",
        ]
        query = self._select_differences() if self.pairs else self._select_summary()
        rows = self._con.execute(f"SELECT {', '.join(cells)} FROM ({query})").fetchall()
        texts = [*systems, *self.by, "metric"]
        heads = [*texts, "k"]
        columns = [*heads, "n", *numbers, *p_values, "bias", "weight", "effective n"]
        numeric = [name not in texts for name in columns]
        return Result(columns, numeric, rows, heads=len(heads))


def columns_of_results() -> set[str]:
    """Return the names that no column of segments may have."""
    return {"system", "against", "metric", "k", *_OF_MEANS, *_OF_DIFFERENCES, "users_needed"}
