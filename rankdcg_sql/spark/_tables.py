"""Metrics of every user from two tables on Spark, and the items that they are made of."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from rankdcg_sql._arguments import integer
from rankdcg_sql._errors import CallTypeError, CallValueError, shown
from rankdcg_sql.catalogue import by_name, field_types, options_text
from rankdcg_sql.evaluation._request import Request, check_spark
from rankdcg_sql.evaluation._terms.plan import DEFAULT_KS, K, takes_k
from rankdcg_sql.evaluation._terms.statistics import check_function
from rankdcg_sql.spark._session import SessionOnSpark


def evaluate(
    truth: Any,
    rec: Any,
    k: K = DEFAULT_KS,
    metrics: str | Iterable[str] | None = None,
    *,
    user: str = "userid",
    item: str = "itemid",
    score: str = "score",
    rel: str | None = None,
    truth_user: str | None = None,
    rec_user: str | None = None,
    truth_item: str | None = None,
    rec_item: str | None = None,
    aspect: str | None = None,
    spark: Any = None,
    partitions: int | None = None,
    **options: Any,
) -> Any:
    """Compute the metrics of each user of two tables on Spark.

    All rows of a user go to one partition of Spark, and the executors evaluate the partitions. The values are
    those of `rankdcg_sql.evaluate`, which takes tables on Spark, too. It collects the metrics of the users,
    and returns their means with intervals, the numbers of rows that were left out, and warnings.

    Parameters
    ----------
    truth, rec : pyspark.sql.DataFrame or str
        The judgements and the recommendations, as `rankdcg_sql.evaluate` describes them; or names of tables,
        which are looked up in `spark`, or else in the session of `truth`.
    k : int, None or list of these
        The cutoffs, in items from 1; None is the whole list.
    metrics : str or list of str, optional
        Names of metrics; if not given, those of ``rank_metrics`` except ``auc``. Measures of items need
        `rankdcg_sql.evaluate`, because they read the rankings of all users.
    user, item, score, rel, truth_user, rec_user, truth_item, rec_item, aspect : str, optional
        The columns, as in `rankdcg_sql.evaluate`. A row whose score or relevance is NULL or NaN is left out.
        If ids of the tables have different types, they must be whole numbers and decimals, floating-point
        numbers, or texts.
    spark : pyspark.sql.SparkSession, optional
        The session, of Spark or Spark Connect, in which names of tables are looked up.
    partitions : int, optional
        The number of partitions. If not given, Spark chooses between its setting
        ``spark.sql.shuffle.partitions`` and fewer ones; large tables get more, so that one has about five
        million rows.
    **options
        Options of the metrics, such as ``gain="linear"``; see `rankdcg_sql.options`.

    Returns
    -------
    pyspark.sql.DataFrame
        A lazy data frame: one row for each user of truth and each k. Its columns are the user, under the
        name of the column of `truth`; ``k``; each metric; and ``retrieved`` and ``judged``, the numbers of
        items of the user. A metric without a cutoff has the same value at each k. A value is NULL if the
        metric is not defined for a user, or was not asked for at this k. Users of `rec` alone are left out,
        and so are rows without a user.

    Raises
    ------
    ValueError, TypeError
        If an argument has a wrong type or value, or a column is missing or has a wrong type. Each is a
        `rankdcg_sql.CallError`.
    pyspark.errors.PythonException
        While the frame is computed: if a relevance is negative or infinite, if an item of a user has two
        relevances, if a partition does not fit into memory, or if an executor lacks the package.

    Warns
    -----
    DataWarning
        If `rel` seems to be forgotten, or `min_rel` is given without it.

    Examples
    --------
    >>> from rankdcg_sql.spark import evaluate
    >>> truth = spark.table("truth")  # doctest: +SKIP
    >>> evaluate(truth, spark.table("rec"), k=10, rel="rel").groupBy("k").avg("ndcg")  # doctest: +SKIP
    DataFrame[k: bigint, avg(ndcg): double]
    """
    request = Request.check("evaluate", locals())
    argument, name = request.columns.of("truth", "user")
    _check_name("evaluate", argument, name, {*request.plan.metrics, "judged"})
    check_spark("evaluate", spark)
    opened = SessionOnSpark("evaluate", truth, request.columns, systems=1, spark=spark, partitions=partitions)
    with opened as session:
        return session.lazy(rec, request.plan)


def explain(
    truth: Any,
    rec: Any,
    k: int | None = 10,
    metric: str = "ndcg",
    *,
    user: str = "userid",
    item: str = "itemid",
    score: str = "score",
    rel: str | None = None,
    truth_user: str | None = None,
    rec_user: str | None = None,
    truth_item: str | None = None,
    rec_item: str | None = None,
    spark: Any = None,
    partitions: int | None = None,
    **options: Any,
) -> Any:
    """List the items of which the value of a metric is made, for each user of a truth table on Spark.

    It shows what each retrieved item adds to the user's value, and what each relevant item that was missed
    would have added. Executors need DuckDB 2.0 or later.

    Parameters
    ----------
    truth, rec : pyspark.sql.DataFrame or str
        The judgements and the recommendations, as in `evaluate`.
    k : int or None
        How many of the first items count, at least 1; None is the whole list.
    metric : str
        The metric, whose values are sums over items.
    user, item, score, rel, truth_user, rec_user, truth_item, rec_item : str, optional
        The columns, as in `evaluate`.
    spark, partitions
        As in `evaluate`.
    **options
        Options of the metric, such as ``gain="linear"``; see `rankdcg_sql.options`.

    Returns
    -------
    pyspark.sql.DataFrame
        A lazy data frame: one row for each user and item. Its columns are the user and the item, under the
        names of their columns in `truth`; ``rank`` and ``last_rank``, the first and the last rank that the
        item can have among tied items, NULL for one that was not retrieved; ``score``, ``rel`` and
        ``judged``; ``gain`` and ``discount``, NULL unless the metric reads them; ``contribution``, what the
        item adds to the value; ``if_found``, what a missed item would have added at the best place that was
        free; and ``value``, the value of the metric for the user. The contributions of a user add up to the
        value; they are NULL if a rule for empty rankings gives it, such as `no_relevant`.

    Raises
    ------
    ValueError, TypeError
        As `evaluate`, and for a metric whose values are no sums over items.
    pyspark.errors.PythonException
        While the frame is computed, as `evaluate`.

    Examples
    --------
    >>> from rankdcg_sql.spark import explain
    >>> items = explain(spark.table("truth"), spark.table("rec"), k=10, rel="rel")  # doctest: +SKIP
    >>> items.where("userid = 7").orderBy("rank").select("itemid", "rel", "contribution")  # doctest: +SKIP
    DataFrame[itemid: bigint, rel: double, contribution: double]
    """
    arguments = locals()
    cut = None if k is None else integer("explain", k, "None")
    if not isinstance(metric, str):
        raise CallTypeError.about("explain", "metric", f"must be the name of a metric, got {shown(metric)}")
    function = by_name()["rank_explain_by_user"]
    cuts = [] if cut is None else [cut]
    check_function("explain", function.name, options_text({"metric": metric, **options}), cuts)
    metric = metric.lower()
    request = Request.check("explain", arguments | {"metrics": metric, "k": cut if takes_k(metric) else None})
    # The first two fields are the user and the item.
    taken = [*[*field_types(function)][2:], "judged"]
    for argument, name in (request.columns.of("truth", what) for what in ("user", "item")):
        _check_name("explain", argument, name, taken)
        taken.append(name.lower())
    check_spark("explain", spark)
    opened = SessionOnSpark("explain", truth, request.columns, systems=1, spark=spark, partitions=partitions)
    with opened as session:
        return session.explained(rec, request.plan)


def _check_name(caller: str, argument: str, name: str, taken: Collection[str]) -> None:
    """Raise an error if a column of ids has the name of another column of the results."""
    if name.lower() in taken:
        raise CallValueError(caller, argument, f"the results have a column {name!r} already: rename yours")
