"""Evaluate one table of recommendations: the function `evaluate`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import duckdb

from rankdcg_sql.evaluation._request import Request
from rankdcg_sql.evaluation._results.evaluation import Evaluation
from rankdcg_sql.evaluation._terms.plan import DEFAULT_KS, K
from rankdcg_sql.evaluation._terms.statistics import Interval, Users


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
    users: Users | None = None,
    *,
    truth_user: str | None = None,
    rec_user: str | None = None,
    truth_item: str | None = None,
    rec_item: str | None = None,
    segments: Any = None,
    interval: Interval = "t",
    confidence: float = 0.95,
    resamples: int | None = None,
    seed: int | None = None,
    unit: str = "users",
    con: duckdb.DuckDBPyConnection | None = None,
    progress: bool = False,
    spark: Any = None,
    partitions: int | None = None,
    **options: Any,
) -> Evaluation:
    """Evaluate recommendations against judgements.

    Parameters
    ----------
    truth : table
        The judgements: one row per user and relevant item, or with `rel` one row per user and judged item. A
        table is given as a path (or a pattern of paths) of a file in Parquet, CSV, JSON or TREC's qrels
        format, plain or compressed; a query in SQL; a DuckDB relation; a data frame of Polars (also lazy) or
        pandas; an Arrow table or stream; a dict of columns; a list of paths; a dict of dicts,
        ``{user: {item: relevance}}``; or with `con` the name of a table. Tables on Spark are data frames of
        Spark or Spark Connect, or with `spark` names of tables.
    rec : table
        The recommendations: one row per user and item, with a score. The largest score is ranked first. A
        TREC run is ranked as trec_eval ranks it: scores are rounded to floating point of 32 bits, and of
        documents with equal scores the one whose id is larger comes first. `options` or a convention may say
        otherwise.
    k : int, None, "all" or list of these
        The cutoffs, in items from 1; None or "all" is the whole list. Giving a cutoff is an error if no
        metric takes one, such as ``rankdcg`` alone.
    metrics : str or list of str, optional
        Names of metrics, each with or without a cutoff of its own, such as ``ndcg@10``, ``recall@all`` or
        ``MAP``. If not given, those of ``rank_metrics`` except ``auc``. AUC within the top k
        measures where the hits rank in the top k, and not how many hits there are: a system that adds hits
        near the end of the top k has a smaller AUC.
    user, item : str
        The columns of users and of items, in both tables. Case is ignored in names of columns.
    truth_user, rec_user, truth_item, rec_item : str, optional
        The columns of users and of items in `truth` alone and in `rec` alone, if they have another name than
        `user` and `item`. Results have the name of users in `truth`.
    score : str
        The column of scores in `rec`. If scores tie, a metric is the expected value over the orders of the
        tied items, unless the option `ties` says otherwise. The default for ``rankdcg`` is the worst order.
    rel : str, optional
        The column of relevances in `truth`, numbers or booleans. If not given, every item of `truth` is
        relevant, except that TREC qrels and dicts of dicts have relevances of their own, where a negative one
        counts as 0.
    by : str or list of str, optional
        Columns that divide the users into segments: of `segments` if that is given, or of `truth`, or else
        of `rec`. Each must be the same in all rows of a user. Users without a row there are in the segment
        NULL.
    users : {"truth", "both"}, optional
        The users over whom means are taken: those of `truth`, who count as zero if they are not in `rec`; or
        those of both tables. If not given, those of the convention, such as ``"both"`` with
        ``convention="trec_eval"``, and those of `truth` without one.
    segments : table, optional
        A table of users with the columns of `by`. Its users are in the column `user`, or else in that of
        `truth_user` or `rec_user`.
    interval : {"t", "bootstrap"}
        The kind of confidence interval of a mean: Student's t, or the bootstrap (BCa).
    confidence : float
        The confidence level of the intervals, between 0 and 1.
    resamples, seed : int, optional
        The number of resamples that the bootstrap draws, and the seed of its random numbers. Giving either
        with ``interval="t"`` is an error, because nothing is drawn. For many users the bootstrap draws
        nothing either, and `seed` has no effect: with 10,000 resamples from 61 users on; see
        ``bootstrap_ci``.
    unit : str
        The word for users in tables, notes, LaTeX, plots and reports, in the plural: ``"queries"``. Names of
        columns and of arguments stay as they are.
    con : duckdb.DuckDBPyConnection, optional
        A connection in which names of tables and views are looked up. Its database does the work, within its
        limits of memory and threads, and nothing is left there. Uncommitted changes to named tables are
        invisible. Before DuckDB 2.0, so is a temporary table that hides another table. A view or a query runs
        once, with the macros of that connection; no other SQL of this package calls these macros. Variables
        of that connection (``SET VARIABLE``) are visible to a query that names ``getvariable`` itself, but
        not within a view or a macro that does.
    progress : bool
        Whether to show a progress bar on standard error. For tables on Spark, Spark shows its own.
    spark : pyspark.sql.SparkSession, optional
        A session in which names of tables are looked up; see `rankdcg_sql.spark`. If one table is on Spark,
        both must be.
    partitions : int, optional
        The number of partitions of users on Spark, if Spark shall not choose it.
    **options
        Options of the metrics, such as ``gain="linear"``, ``min_rel=4`` or ``convention="trec_eval"``; see
        `rankdcg_sql.options`. ``min_rel`` is the least relevance of a relevant item in binary metrics. NDCG
        takes the gains of all relevances, unless ``gain="binary"``.

    Returns
    -------
    Evaluation
        The values of each user, their means (0 to 1, except for metrics with other ranges), and
        `Evaluation.counts`, the numbers of rows and users in the tables.

    Raises
    ------
    ValueError, TypeError, FileNotFoundError
        If a table is missing or cannot be used, or if an argument has a wrong type or value. Each is a
        `CallError` as well, which says the argument.

    Warns
    -----
    DataWarning
        If rows are left out or repeat others, if `rel` seems to be forgotten, if no metric has a value, if
        the tables have no item in common, or if most users have a single relevance and ``rankdcg`` is
        computed.

    Notes
    -----
    A user without a relevant item has no value, unless `no_relevant` says otherwise, and counts in no mean.
    In `Evaluation.summary`, ``n`` is the number of users with a value and ``without_value`` the number of the
    others, as is `Counts.users_without_value`. ``rankdcg`` has a value if two relevances of the user differ;
    a retrieved item without a judgement has relevance 0, and a user who is not in `rec` counts as 0. If
    judgements are not graded, the mean of ``rankdcg`` is therefore taken over different users for each
    system. An interval is clipped to the range
    of its metric. Means and intervals are bitwise the same for every order of rows and every number of
    threads, because ``mean_ci`` and ``bootstrap_ci`` sum values exactly, or in the order of size. The
    metrics are those of ``rank_metrics_by_user`` and of the functions whose names end in ``_rows``.

    Tables may be larger than memory. Users are then divided into parts, each of which fits into half of
    DuckDB's ``memory_limit``, and one part is evaluated after the other. If there are more than eight parts,
    the columns that are read are first copied to temporary files, one for each part, in DuckDB's
    ``temp_directory``.

    Tables on Spark are evaluated by its executors, a partition of users at a time. The metrics of the users
    are then collected. Values, counts, errors and warnings are the same as for other tables.

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
    request = Request.check("evaluate", locals())
    with request.open_session([rec]) as session:
        return request.evaluation(session, rec, "rec")
