"""Which of several systems is better, by how much, and whether that may be chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

from rankdcg_sql import _native
from rankdcg_sql._output import Result
from rankdcg_sql.catalogue import effective_options, options_text
from rankdcg_sql.evaluation._plan import DEFAULT_KS, K, known
from rankdcg_sql.evaluation._results import (
    CUT,
    INTERVALS,
    MEANS,
    Evaluation,
    Interval,
    Request,
    Tabular,
    bounds,
    check_draws,
    check_statistic,
    choose,
    inside,
    results_connection,
    rounded,
)
from rankdcg_sql.evaluation._session import Columns, Session, Users, counting, warn
from rankdcg_sql.evaluation._tables import TEXT, first, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import duckdb
    from matplotlib.figure import Figure

Test = Literal["t", "wilcoxon", "randomization"]
Correction = Literal["holm", "bonferroni"]
Alternative = Literal["two_sided", "less", "greater"]

TESTS = {
    "t": ("paired_t_test", "paired t test"),
    "wilcoxon": ("wilcoxon_signed_rank", "Wilcoxon's signed-rank test"),
    "randomization": ("randomization_test", "Fisher's randomization test"),
}
#: p-values of `tests` by how many tests there are and how many have a p-value that is not larger.
_CORRECTED = {
    None: "p_value",
    "bonferroni": "least(1, p_value * count(p_value) OVER ())",
    # Each p-value counts for the tests that are left, and is no less than the one before.
    "holm": "max(least(1, p_value * left_over)) OVER (ORDER BY p_value, nth, place ROWS UNBOUNDED PRECEDING)",
}
#: How a metric depends on the length of lists.
_BY_DIVISOR = "what some metrics divide by depends on that"
_BY_UNJUDGED = "each retrieved item without a judgement has a place in the order"
CORRECTIONS = {None: "not corrected", "bonferroni": "Bonferroni's correction", "holm": "Holm's correction"}


@dataclass(frozen=True, repr=False, eq=False)
class Comparison(Tabular):
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
            {f"measured_{place}": self.evaluations[name].table for name, place in places.items()}
        )
        # Expected values over ties that are equal may differ in the last digit, which is no difference.
        same = "abs(a.{0} - b.{0}) <= 1e-12 * greatest(1, abs(b.{0}))"
        values = ", ".join(
            f"if({same.format(column)}, b.{column}, a.{column}) AS a_{place}, b.{column} AS b_{place}"
            for place, column in enumerate(quoted(each.column) for each in self._first.measures)
        )
        for name, place in places.items():
            if name != self.baseline:
                con.execute(
                    f"CREATE TABLE pairs_{place} AS "
                    f"SELECT a.recommendations AS a_rec, b.recommendations AS b_rec, {values} "
                    f"FROM measured_{place} AS a JOIN measured_{places[self.baseline]} AS b "
                    f"USING ({quoted(self._first.user)})"
                )
        return con

    def _of_all(self, columns: str) -> duckdb.DuckDBPyRelation:
        """Select from the values of users of all systems, in their order."""
        return self._con.sql(
            " UNION ALL ".join(
                f"SELECT {quoted(name, TEXT)} AS system, {columns} FROM measured_{place}"
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
            f"SELECT {quoted(name, TEXT)} AS system, {place} AS nth, * "
            f"FROM ({evaluation.select_means(f'measured_{place}')})"
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
            SELECT {quoted(name, TEXT)} AS system, {nth} AS nth, {place} AS place,
                '{each.metric}' AS metric, {each.sql_k} AS k,
                avg(a_{place}) FILTER (b_{place} IS NOT NULL) AS of_system,
                avg(b_{place}) FILTER (a_{place} IS NOT NULL) AS baseline,
                {interval}(a_{place} - b_{place}, '{first_of.interval_options}') AS found,
                {_bounds_of_difference(each.metric, place)},
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
                if(p_value IS NULL, NULL, {_CORRECTED[self.correction]}) AS p_corrected, wins, ties, losses,
                without_value
            FROM (
                SELECT *, {inside("found")}, count(p_value) OVER () + 1 - row_number() OVER by_p AS left_over
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
            + self._first.told_options()
        )

    def _notes(self) -> list[str]:
        return [f"{name}: {note}" for name, each in self.evaluations.items() for note in each._notes()]

    def _result(self) -> Result:
        numbers = ", ".join(map(rounded, ("mean", "baseline", "difference", "low", "high")))
        p_values = ", ".join(map(rounded_p, ("p_value", "p_corrected")))
        rows = self.differences.project(
            f"system, metric, {CUT}, n::VARCHAR, {numbers}, {p_values}, "
            "wins::VARCHAR, ties::VARCHAR, losses::VARCHAR"
        ).fetchall()
        columns = ["system", "metric", "k", "n", "mean", "baseline", "difference", "low", "high"]
        columns += ["p", "p corrected", "wins", "ties", "losses"]
        return Result(columns, [False] * 2 + [True] * 12, rows)

    def _warn_of_lengths(self) -> None:
        """Warn where metrics depend on how long lists are, and those of the systems are not alike."""
        for consequence, metrics in self._dependent().items():
            cuts = dict.fromkeys(each.k for each in self._first.measures if each.metric in metrics)
            differs = " OR ".join(
                "a_rec <> b_rec" if k is None else f"least(a_rec, {k}) <> least(b_rec, {k})" for k in cuts
            )
            for place, name in enumerate(self.evaluations):
                if name == self.baseline:
                    continue
                found = first(
                    self._con.execute(
                        f"SELECT count(*) FROM pairs_{place} WHERE a_rec > 0 AND b_rec > 0 AND ({differs})"
                    )
                )
                if found and found[0]:
                    warn(
                        f"compare: {name} and {self.baseline} have lists of different length for "
                        f"{counting(found[0], 'user')}, and {consequence}: {', '.join(metrics.values())}"
                    )

    def _dependent(self) -> dict[str, dict[str, str]]:
        """The metrics that depend on how many items are retrieved: how they do, and by which option."""
        found: dict[str, dict[str, str]] = {}
        for metric in self._first.metrics:
            effective = effective_options(known()[metric], metric, self._first.options)
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


def _bounds_of_difference(metric: str, place: int) -> str:
    """How far two values of a metric can be apart, as `bounds` has it."""
    least, most = known()[metric].least, known()[metric].most
    reach = None if least is None or most is None else most - least
    return bounds(f"a_{place} - b_{place}", None if reach is None else -reach, reach)


def rounded_p(column: str) -> str:
    """Write a p-value with four digits, and the least ones as what they are below."""
    return f"if({column} < 0.0001, '<0.0001', {rounded(column)})"


def _check_recs(recs: Any, user: str) -> None:
    """Check that there are several systems.

    Raises
    ------
    TypeError
        If there are not.
    """
    if not isinstance(recs, Mapping):
        got = f"got {type(recs).__name__}"
    elif not all(isinstance(name, str) for name in recs):
        got = f"got names such as {next(name for name in recs if not isinstance(name, str))!r}"
    elif isinstance(user, str) and user.lower() in map(str.lower, recs):
        got = "this looks like one table"
    elif len(recs) < 2:
        got = f"got {len(recs)}"
    else:
        return
    raise TypeError(f"compare: recs must be a dict of two or more systems by their names, {got}")


def compare(
    truth: Any,
    recs: Mapping[str, Any],
    baseline: str | None = None,
    k: K = DEFAULT_KS,
    metrics: str | Iterable[str] | None = None,
    test: Test = "t",
    correction: Correction | None = "holm",
    user: str = "userid",
    item: str = "itemid",
    score: str = "score",
    rel: str | None = None,
    users: Users = "truth",
    *,
    alternative: Alternative = "two_sided",
    interval: Interval = "t",
    confidence: float = 0.95,
    resamples: int | None = None,
    seed: int | None = None,
    con: duckdb.DuckDBPyConnection | None = None,
    progress: bool = False,
    **options: Any,
) -> Comparison:
    """Compare the recommendations of several systems, user by user.

    Parameters
    ----------
    truth : table
        The judgements, as for `evaluate`.
    recs : dict of str to table
        The recommendations of each system, by its name.
    baseline : str, optional
        The system with which the others are compared; the first one if not given.
    k, metrics, user, item, score, rel, users, interval, confidence, con, progress, **options
        As for `evaluate`, but without segments. With ``users="both"`` a pair of systems is compared over the
        users of both.
    test : {"t", "wilcoxon", "randomization"}
        The test of the paired values of users: Student's t test, Wilcoxon's signed-rank test, or Fisher's
        randomization test.
    correction : {"holm", "bonferroni"} or None
        How p-values are corrected for the number of tests, of which there is one a system, metric and k.
    alternative : {"two_sided", "less", "greater"}
        Whether to look for a system that differs from the baseline, or is less, or is greater.
    resamples, seed : int, optional
        How many resamples are drawn, and where their random numbers start. An error unless
        ``interval="bootstrap"`` or ``test="randomization"``. For very few and for many users nothing is drawn
        either, and `seed` is without effect, see ``bootstrap_ci`` and ``randomization_test``.

    Returns
    -------
    Comparison
        With the means of each system, the differences from the baseline, their intervals, p-values from 0 to
        1, and the users who win and lose.

    Raises
    ------
    ValueError, TypeError, FileNotFoundError
        Where a table is not there or not what it must be, or an argument is not allowed.

    Warns
    -----
    DataWarning
        As of `evaluate`, and where lists of different length make a metric unfair.

    Notes
    -----
    A user counts where both systems have a value; values that differ by less than 1e-12 are equal. Holm's
    correction multiplies the smallest of m p-values by m, the next one by m - 1, and so on, and keeps their
    order; Bonferroni's multiplies each by m.

    References
    ----------
    Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 1979.

    Examples
    --------
    >>> import rankdcg_sql
    >>> truth = {"userid": [1, 1, 2, 3, 4], "itemid": ["a", "b", "c", "a", "d"]}
    >>> users, scores = [1, 1, 2, 2, 3, 3, 4, 4], [2, 1] * 4
    >>> popular = {"userid": users, "itemid": ["a", "c"] * 4, "score": scores}
    >>> mine = {"userid": users, "itemid": ["a", "b", "c", "a", "b", "a", "d", "a"], "score": scores}
    >>> compared = rankdcg_sql.compare(truth, {"popular": popular, "mine": mine}, k=2, metrics="ndcg")
    >>> compared.differences.project("n, round(difference, 4), round(p_value, 4), wins, losses").fetchall()
    [(4, 0.3467, 0.3038, 3, 1)]
    """
    _check_recs(recs, user)
    for name in recs:
        _native.check_text("compare", "recs", name)
    baseline = next(iter(recs)) if baseline is None else baseline
    choose("compare", "baseline", baseline, recs)
    choose("compare", "test", test, get_args(Test))
    choose("compare", "correction", correction, _CORRECTED)
    draws = {"resamples": resamples, "seed": seed}
    drawn = draws if test == "randomization" else {}
    check_draws("compare", draws, interval == "bootstrap" or bool(drawn))
    testing = options_text({"alternative": alternative, **drawn})
    check_statistic("compare", TESTS[test][0], testing)
    columns = Columns(user, item, score, rel, ())
    request = Request.check(
        "compare", k, metrics, columns, users, interval, confidence, resamples, seed, options
    )
    with Session("compare", truth, columns, con, progress) as session:
        evaluations = {name: request.evaluation(session, rec, name) for name, rec in recs.items()}
    compared = Comparison(evaluations, baseline, test, alternative, correction, testing)
    compared._warn_of_lengths()
    return compared
