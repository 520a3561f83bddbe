"""Which of several systems is better, by how much, and whether that may be chance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal

from rankdcg_sql._output import Result
from rankdcg_sql._sql import fetch_one, quote_name, quote_text
from rankdcg_sql.catalogue import effective_options
from rankdcg_sql.evaluation._counts import pluralize, warn
from rankdcg_sql.evaluation._metrics import metric_functions, metric_range
from rankdcg_sql.evaluation._results import (
    K_TEXT,
    MEANS,
    Evaluation,
    ResultBase,
    four_digits,
    results_connection,
)
from rankdcg_sql.evaluation._statistics import (
    CORRECTED_P_VALUES,
    CORRECTIONS,
    INTERVALS,
    TESTS,
    Alternative,
    Correction,
    Test,
    clipped_interval,
    range_columns,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb
    from matplotlib.figure import Figure


#: How a metric depends on the length of lists.
_BY_DIVISOR = "what some metrics divide by depends on that"
_BY_UNJUDGED = "each retrieved item without a judgement has a place in the order"


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(ResultBase):
    """The metrics of several systems, and how they differ from those of one of them.

    Attributes
    ----------
    evaluations : dict of str to Evaluation
        The evaluation of each system, by its name.
    baseline : str
        The system with which the others are compared.
    test : {"t", "wilcoxon", "randomization"}
        The test of paired values of users.
    alternative : {"two_sided", "less", "greater"}
        Whether it looks for a system that differs from the baseline, or is worse, or is better.
    correction : {"holm", "bonferroni"} or None
        How p-values are corrected for the number of tests, of which there is one a system, metric and k.
    """

    #: Which of the results this is.
    kind: ClassVar[Literal["comparison"]] = "comparison"

    evaluations: dict[str, Evaluation]
    baseline: str
    test: Test
    alternative: Alternative
    correction: Correction | None
    #: The options of the test, as SQL has them.
    test_options: str

    @property
    def _first(self) -> Evaluation:
        return self.evaluations[self.baseline]

    @property
    def confidence(self) -> float:
        """How often an interval holds the true mean, or the true mean difference."""
        return self._first.confidence

    @cached_property
    def _con(self) -> duckdb.DuckDBPyConnection:
        """A connection with a table of each system, and one of pairs for each but the baseline."""
        places = {name: place for place, name in enumerate(self.evaluations)}
        con = results_connection(
            {f"user_metrics_{place}": self.evaluations[name].table for name, place in places.items()}
        )
        # Expected values over ties that are equal may differ in the last digit, which is no difference.
        same = "abs(a.{0} - b.{0}) <= 1e-12 * greatest(1, abs(b.{0}))"
        values = ", ".join(
            f"if({same.format(column)}, b.{column}, a.{column}) AS a_{place}, b.{column} AS b_{place}"
            for place, column in enumerate(quote_name(each.column) for each in self._first.measures)
        )
        for name, place in places.items():
            if name != self.baseline:
                con.execute(
                    f"CREATE TABLE pairs_{place} AS "
                    f"SELECT a.recommendations AS a_rec, b.recommendations AS b_rec, {values} "
                    f"FROM user_metrics_{place} AS a JOIN user_metrics_{places[self.baseline]} AS b "
                    f"USING ({quote_name(self._first.user)})"
                )
        return con

    def _of_all(self, columns: str) -> duckdb.DuckDBPyRelation:
        """Select from the values of users of all systems, in their order."""
        return self._con.sql(
            " UNION ALL ".join(
                f"SELECT {quote_text(name)} AS system, {columns} FROM user_metrics_{place}"
                for place, name in enumerate(self.evaluations)
            )
        )

    @property
    def wide(self) -> duckdb.DuckDBPyRelation:
        """One row a system and user, with a column for each metric and k, such as ``ndcg@10``."""
        return self._of_all("* EXCLUDE (recommendations)")

    @property
    def per_user(self) -> duckdb.DuckDBPyRelation:
        """One row a system, user, metric and k, with the ``value``: NULL where it is not defined."""
        return self._of_all(self._first.columns_of_values())

    @property
    def summary(self) -> duckdb.DuckDBPyRelation:
        """One row a system, metric and k, with the columns of `Evaluation.summary`."""
        parts = " UNION ALL ".join(
            f"SELECT {quote_text(name)} AS system, {place} AS nth, * "
            f"FROM ({evaluation.select_means(f'user_metrics_{place}')})"
            for place, (name, evaluation) in enumerate(self.evaluations.items())
        )
        return self._con.sql(f"SELECT system, {MEANS} FROM ({parts}) ORDER BY nth, place")

    @property
    def differences(self) -> duckdb.DuckDBPyRelation:
        """One row a system but the baseline, metric and k, over the ``n`` users for whom both have a value.

        ``mean`` is that of the system, ``baseline`` that of the baseline, ``difference`` the one less the
        other, with its interval from ``low`` to ``high``. ``p_value`` is that of the test, ``p_corrected``
        the corrected one. ``wins``, ``ties`` and ``losses`` are users, ``without_value`` those for whom one
        of the two has no value.
        """
        first_of = self._first
        interval = INTERVALS[first_of.interval]
        tests = " UNION ALL ".join(
            f"""
            SELECT {quote_text(name)} AS system, {nth} AS nth, {place} AS place,
                '{each.metric}' AS metric, {each.sql_k} AS k,
                avg(a_{place}) FILTER (b_{place} IS NOT NULL) AS of_system,
                avg(b_{place}) FILTER (a_{place} IS NOT NULL) AS baseline,
                {interval}(a_{place} - b_{place}, '{first_of.interval_options}') AS found,
                {_range_of_difference(each.metric, place)},
                {TESTS[self.test][0]}(a_{place}, b_{place}, '{self.test_options}').p_value AS p_value,
                count(*) FILTER (a_{place} > b_{place}) AS wins,
                count(*) FILTER (a_{place} = b_{place}) AS ties,
                count(*) FILTER (a_{place} < b_{place}) AS losses,
                count(*) - count(a_{place} - b_{place}) AS without_value
            FROM pairs_{nth}
            """
            for nth, name in enumerate(self.evaluations)
            if name != self.baseline
            for place, each in enumerate(first_of.measures)
        )
        return self._con.sql(
            f"""
            SELECT system, metric, k, found.n AS n, of_system AS mean, baseline, found.mean AS difference,
                low, high, p_value,
                if(p_value IS NULL, NULL, {CORRECTED_P_VALUES[self.correction]}) AS p_corrected,
                wins, ties, losses, without_value
            FROM (
                SELECT *, {clipped_interval("found")}, count(p_value) OVER () + 1
                    - row_number() OVER by_p AS left_over
                FROM ({tests})
                WINDOW by_p AS (ORDER BY p_value, nth, place)
            )
            ORDER BY nth, place
            """
        )

    @property
    def _summary(self) -> duckdb.DuckDBPyRelation:
        return self.differences

    def _headline(self) -> str:
        return (
            f"Comparison with {self.baseline}: {TESTS[self.test][1]}, {CORRECTIONS[self.correction]}"
            + self._first.options_suffix()
        )

    def _notes(self) -> list[str]:
        return [f"{name}: {note}" for name, each in self.evaluations.items() for note in each._notes()]

    def _result(self) -> Result:
        numbers = ", ".join(map(four_digits, ("mean", "baseline", "difference", "low", "high")))
        p_values = ", ".join(map(p_value_text, ("p_value", "p_corrected")))
        rows = self.differences.project(
            f"system, metric, {K_TEXT}, n::VARCHAR, {numbers}, {p_values}, "
            "wins::VARCHAR, ties::VARCHAR, losses::VARCHAR"
        ).fetchall()
        columns = ["system", "metric", "k", "n", "mean", "baseline", "difference", "low", "high"]
        columns += ["p", "p corrected", "wins", "ties", "losses"]
        return Result(columns, [False] * 2 + [True] * 12, rows)

    def warn_of_lengths(self) -> None:
        """Warn where metrics depend on how long lists are, and those of the systems are not alike."""
        for consequence, metrics in self._dependent().items():
            cuts = dict.fromkeys(each.k for each in self._first.measures if each.metric in metrics)
            differs = " OR ".join(
                "a_rec <> b_rec" if k is None else f"least(a_rec, {k}) <> least(b_rec, {k})" for k in cuts
            )
            for place, name in enumerate(self.evaluations):
                if name == self.baseline:
                    continue
                found = fetch_one(
                    self._con.execute(
                        f"SELECT count(*) FROM pairs_{place} WHERE a_rec > 0 AND b_rec > 0 AND ({differs})"
                    )
                )
                if found and found[0]:
                    warn(
                        f"compare: {name} and {self.baseline} have lists of different length for "
                        f"{pluralize(found[0], 'user')}, and {consequence}: {', '.join(metrics.values())}"
                    )

    def _dependent(self) -> dict[str, dict[str, str]]:
        """The metrics that depend on how many items are retrieved: how they do, and by which option."""
        found: dict[str, dict[str, str]] = {}
        for metric in self._first.metrics:
            effective = effective_options(metric_functions()[metric], metric, self._first.options)
            for option, value in effective.items():
                consequence = _BY_UNJUDGED if (option, value) == ("unjudged", "zero") else _BY_DIVISOR
                if "retrieved" in value or consequence == _BY_UNJUDGED:
                    found.setdefault(consequence, {})[metric] = f"{metric} ({option}={value})"
        return found

    def plot(self, metrics: str | Sequence[str] | None = None) -> Figure:
        """Draw the means and their intervals at each k, see `rankdcg_sql.plots.metric_at_k`."""
        from rankdcg_sql import plots

        return plots.metric_at_k(self, metrics)

    def plot_distribution(self, metric: str, k: int | None = None) -> Figure:
        """Draw how the values of users are distributed, see `rankdcg_sql.plots.distribution`."""
        from rankdcg_sql import plots

        return plots.distribution(self, metric, k)

    def plot_wins(self, metric: str | None = None, k: int | None = None) -> Figure:
        """Draw how many users a system is better for, see `rankdcg_sql.plots.wins`."""
        from rankdcg_sql import plots

        return plots.wins(self, metric, k)


def _range_of_difference(metric: str, place: int) -> str:
    """How far two values of a metric can be apart, as `range_columns` has it."""
    least, most = metric_range(metric)
    reach = None if least is None or most is None else most - least
    return range_columns(f"a_{place} - b_{place}", None if reach is None else -reach, reach)


def p_value_text(column: str) -> str:
    """Write a p-value with four digits, and the least ones as what they are below."""
    return f"if({column} < 0.0001, '<0.0001', {four_digits(column)})"
