"""Which of several systems is better, by how much, and whether that may be chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from inspect import signature
from typing import Any, get_args

import duckdb

from rankdcg_sql import _native
from rankdcg_sql.catalogue import options_text
from rankdcg_sql.evaluation._checks import check_choice
from rankdcg_sql.evaluation._comparison import Comparison
from rankdcg_sql.evaluation._plan import DEFAULT_KS, K
from rankdcg_sql.evaluation._request import Request
from rankdcg_sql.evaluation._session import Columns, Session
from rankdcg_sql.evaluation._statistics import (
    CORRECTED_P_VALUES,
    TESTS,
    Alternative,
    Correction,
    Interval,
    Test,
    Users,
    check_draws,
    check_statistic,
)


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
    check_choice("compare", "baseline", baseline, recs)
    check_choice("compare", "test", test, get_args(Test))
    check_choice("compare", "correction", correction, CORRECTED_P_VALUES)
    draws = {"resamples": resamples, "seed": seed}
    drawn = draws if test == "randomization" else {}
    check_draws("compare", draws, interval == "bootstrap" or bool(drawn))
    testing = options_text({"alternative": alternative, **drawn})
    check_statistic("compare", TESTS[test][0], testing)
    columns = Columns(user, item, score, rel, ())
    request = Request.check(
        "compare",
        k,
        metrics,
        columns,
        users,
        interval,
        confidence,
        resamples,
        seed,
        options,
        signature(compare).parameters,
    )
    with Session("compare", truth, columns, con, progress) as session:
        evaluations = {name: request.evaluation(session, rec, name) for name, rec in recs.items()}
    compared = Comparison(evaluations, baseline, test, alternative, correction, testing)
    compared.warn_of_lengths()
    return compared
