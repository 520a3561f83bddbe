"""From two tables to the metrics of each user and their means."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import signature
from typing import Any

import duckdb

from rankdcg_sql.evaluation._checks import as_names
from rankdcg_sql.evaluation._plan import DEFAULT_KS, K
from rankdcg_sql.evaluation._request import Request
from rankdcg_sql.evaluation._results import Evaluation
from rankdcg_sql.evaluation._session import Columns, Session
from rankdcg_sql.evaluation._statistics import Interval, Users, check_draws


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
        four_digits to 32 bits, and the larger document is first where they are equal.
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
    columns = Columns(user, item, score, rel, as_names("evaluate", "by", by))
    check_draws("evaluate", {"resamples": resamples, "seed": seed}, interval == "bootstrap")
    request = Request.check(
        "evaluate",
        k,
        metrics,
        columns,
        users,
        interval,
        confidence,
        resamples,
        seed,
        options,
        signature(evaluate).parameters,
    )
    with Session("evaluate", truth, columns, con, progress) as session:
        return request.evaluation(session, rec, "rec")
