"""The functions `evaluate` and `compare`: one table of recommendations, or several systems user by user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any, Literal, get_args

import duckdb

from rankdcg_sql import _native
from rankdcg_sql._arguments import check_choice
from rankdcg_sql._errors import Argument, CallTypeError, CallValueError, shown
from rankdcg_sql.catalogue import options_text
from rankdcg_sql.evaluation._computing.session import Session
from rankdcg_sql.evaluation._request import GivenTables, Request
from rankdcg_sql.evaluation._results.comparison import Comparison
from rankdcg_sql.evaluation._results.evaluation import Evaluation
from rankdcg_sql.evaluation._terms.plan import DEFAULT_KS, K
from rankdcg_sql.evaluation._terms.statistics import (
    RANDOM_TESTS,
    TESTS,
    Alternative,
    Correction,
    Interval,
    Test,
    Users,
    check_function,
)


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
    items: Any = None,
    aspect: str | None = None,
    spans: Iterable[str] | None = None,
    overlap: str | float = "any",
    weight: str | None = None,
    interval: Interval = "t",
    confidence: float = 0.95,
    resamples: int | None = None,
    seed: int | None = None,
    unit: str = "users",
    fingerprints: bool = False,
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
        pandas; an Arrow table, or any object with ``__arrow_c_stream__``, such as a table of Ibis; a frame of
        narwhals, or any object with ``__narwhals_dataframe__``; a dict of columns; a list of paths; a dict of
        dicts, ``{user: {item: relevance}}``; or with `con` the name of a table. Tables on Spark are data
        frames of Spark or Spark Connect, or with `spark` names of tables.
    rec : table
        The recommendations: one row per user and item, with a score. The largest score is ranked first. A
        TREC run is ranked as trec_eval ranks it: scores are rounded to floating point of 32 bits, and of
        documents with equal scores the one whose id is larger comes first. `options` or a convention may say
        otherwise.
    k : int, None, "all" or list of these
        The cutoffs, in items from 1; None or "all" is the whole list. Giving a cutoff is an error if no
        metric takes one, such as ``rankdcg`` alone.
    metrics : str or list of str, optional
        Names of metrics, each with or without a cutoff and options of its own, such as ``ndcg@10``, ``MAP``,
        ``recall@all`` or ``P(min_rel=2)@5``. If not given, those of ``rank_metrics`` except ``auc``. AUC
        within the top k measures where the hits rank in the top k, and not how many hits there are: a system
        that adds hits near the end of the top k has a smaller AUC.
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
        A table of users with the columns of `by` and `weight`. Its users are in the column `user`, or else in
        that of `truth_user` or `rec_user`.
    items : table, optional
        The catalogue or corpus: one row per item, in the column `item`. `Counts` and a warning say which
        recommended and judged items it does not have. Measures of items (``novelty``, ``coverage``) read
        properties in other columns, such as ``popularity``, ``share``, ``long_tail``, ``categories`` and
        ``group``. A measure may read another one: ``novelty(of=share_of_buyers)@10``. For measures of all
        users together, such as ``coverage``, the value of a user is that of all with the user's influence, so
        that their mean is the measure and the interval is the jackknife's. The rankings of evaluated users
        count. Tied items are in the order of `ties`, or else ascending. If the other tables are on Spark,
        this one may be, too, and is collected.
    aspect : str, optional
        The column of aspects in `truth`, such as subtopics, which measures of aspects need (``alpha_ndcg``).
        An item may then have a row for each of its aspects, and its relevance for other metrics is its
        largest one. In TREC's qrels, the column is ``"iteration"``.
    spans : two names of columns, optional
        The columns of offsets in both tables, such as ``("start", "end")``: integers from 0, of which the
        second is that behind the last character. The items are then documents, the rows of `truth` spans of
        them, and those of `rec` chunks. A span is an item, and the first chunk that finds it has that item.
        Measures of spans (``span_recall``, ``character_recall``, ``character_precision``) need it, and rank
        chunks of equal scores by document and offsets. A row without a document, or whose offsets are not
        an interval, counts as a row without an item. It is not for tables on Spark.
    overlap : "any", "best" or float
        With `spans`, when a chunk finds a span: if it has one character of it; if it has this share of the
        span or more, above 0 and at most 1; or with ``"best"`` if no other chunk of `rec` has more of it.
    weight : str, optional
        A column with the weight of each user, such as ``"impressions"``, in the table of the columns of `by`:
        finite numbers that are at least 0. Means, intervals, tests and requirements are then weighted. It
        must be the same in all rows of a user, and each evaluated user must have one. A user of weight 0 is
        not evaluated. It needs ``interval="t"``; see ``weighted_mean_ci``.
    interval : {"t", "bootstrap", "anytime"}
        The kind of confidence interval of a mean: Student's t, the bootstrap (BCa), or one that holds at all
        sizes of a growing sample of users together, so that one may look whenever users were added; see
        ``anytime_mean_ci``.
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
    fingerprints : bool
        Whether to find `Evaluation.fingerprints`, by which one sees later whether a table has changed. Each
        table is then read once more.
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
        If rows are left out or repeat others, if `items` lacks an item, if `rel` seems to be forgotten, if no
        metric has a value, if the tables have no item in common, or if most users have a single relevance and
        ``rankdcg`` is computed.

    Notes
    -----
    A user without a relevant item has no value, unless `no_relevant` says otherwise, and counts in no mean.
    In `Evaluation.summary`, ``n`` is the number of users with a value and ``without_value`` the number of the
    others, as is `Counts.users_without_value`. ``rankdcg`` has a value if two relevances of the user differ;
    a retrieved item without a judgement has relevance 0, and a user who is not in `rec` counts as 0. If
    judgements are not graded, the mean of ``rankdcg`` is therefore taken over different users for each
    system. An interval is clipped to the range of its metric. Means and intervals are bitwise the same for
    every order of rows and every number of threads, because ``mean_ci`` and ``bootstrap_ci`` sum values
    exactly, or in the order of size. The metrics are those of ``rank_metrics_by_user`` and of the functions
    whose names end in ``_rows``.

    The result keeps the tables, for `Evaluation.explain` and `explain_change`, which read them again. Data
    frames stay in memory as long as it. A copy from a pickle has no tables.

    Tables may be larger than memory. Users are then divided into parts, each of which fits into half of
    DuckDB's ``memory_limit``, and one part is evaluated after the other. If there are more than eight parts,
    the columns that are read are first copied to temporary files, one for each part, in DuckDB's
    ``temp_directory``.

    Tables on Spark are evaluated by its executors, a partition of users at a time. The metrics of the users
    are then collected, and for measures of items their rankings, too. Values, counts, errors and warnings are
    the same as for other tables.

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
        return _evaluation(request, session, rec, "rec")


def _evaluation(request: Request, session: Session, rec: Any, label: str) -> Evaluation:
    """Evaluate one table of recommendations, which messages call `label`."""
    computed = session.compute_metrics(rec, label, request.plan, request.users)
    overlap = {"overlap": str(request.columns.overlap)} if request.columns.spans else {}
    return Evaluation(
        counts=computed.counts,
        metrics=request.plan.metrics,
        ks=request.plan.ks,
        options=computed.plan.options | overlap,
        users=request.users,
        interval=request.arguments["interval"],
        confidence=request.arguments["confidence"],
        user=request.columns.of_results,
        by=request.columns.by,
        weight=request.columns.weight,
        measures=tuple(computed.plan.measures),
        interval_options=request.interval_options,
        unit=request.arguments["unit"],
        table=computed.table,
        is_ordered=computed.is_ordered,
        fingerprints=computed.fingerprints,
        given=GivenTables(request, rec, label),
    )


def _check_recs(recs: Any, user: str) -> None:
    """Raise an error unless `recs` is a dict of two or more systems by name, none of which is `user`."""
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
    wanted = 'must be a dict of two or more systems by their names, such as {"old": rec, "new": other}'
    raise CallTypeError.about("compare", "recs", f"{wanted}, {got}")


def _check_tukey_hsd(every_pair: bool, baseline: str, alternative: str, correction: str | None) -> None:
    """Raise an error if pairs are left out, or if the alternative or the correction is not for this test."""
    test = Argument("test", "tukey_hsd")
    if not every_pair:
        got = f", got {'the system ' if baseline == 'all' else ''}{baseline!r}"
        raise CallValueError("compare", "baseline", test, " needs ", Argument("baseline", "all"), got)
    if alternative != "two_sided":
        two_sided = Argument("alternative", "two_sided")
        raise CallValueError("compare", "alternative", test, " needs ", two_sided, f", got {alternative!r}")
    if correction == "benjamini_hochberg":
        wanted = " bounds the probability of any false discovery, and needs "
        choices = Argument("correction", "bonferroni"), " or ", Argument("correction", "none")
        raise CallValueError("compare", "correction", test, wanted, *choices, f", got {correction!r}")


def compare(
    truth: Any,
    recs: Mapping[str, Any],
    baseline: str | None = None,
    k: K = DEFAULT_KS,
    metrics: str | Iterable[str] | None = None,
    test: Test = "t",
    correction: Correction | Literal["none"] | None = "holm",
    user: str = "userid",
    item: str = "itemid",
    score: str = "score",
    rel: str | None = None,
    users: Users | None = None,
    *,
    truth_user: str | None = None,
    rec_user: str | None = None,
    truth_item: str | None = None,
    rec_item: str | None = None,
    by: str | Iterable[str] | None = None,
    segments: Any = None,
    items: Any = None,
    aspect: str | None = None,
    spans: Iterable[str] | None = None,
    overlap: str | float = "any",
    weight: str | None = None,
    alternative: Alternative = "two_sided",
    margin: float = 0,
    interval: Interval = "t",
    confidence: float = 0.95,
    resamples: int | None = None,
    seed: int | None = None,
    unit: str = "users",
    fingerprints: bool = False,
    con: duckdb.DuckDBPyConnection | None = None,
    progress: bool = False,
    spark: Any = None,
    partitions: int | None = None,
    **options: Any,
) -> Comparison:
    """Compare the recommendations of several systems, user by user.

    Parameters
    ----------
    truth : table
        The judgements, as for `evaluate`.
    recs : dict of str to table
        The recommendations of each system, keyed by the system's name.
    baseline : str, optional
        The name of the system with which the others are compared; the first one of `recs` if not given.
        With ``"all"``, all pairs of systems are compared, each with those before it in the order of `recs`,
        unless a system has that name.
    k, metrics, user, item, score, rel, users, segments, items, interval, confidence, unit
        As for `evaluate`. With ``users="both"``, a system is compared with the baseline over the judged users
        who have recommendations from both.
    weight : str, optional
        As for `evaluate`, in `segments` or `truth`. It needs ``test="t"``; see
        ``weighted_paired_comparison``.
    truth_user, rec_user, truth_item, rec_item, aspect, spans, overlap, fingerprints, con, progress
        As for `evaluate`.
    spark, partitions, **options
        As for `evaluate`. `rec_user` and `rec_item` are columns of each table of `recs`.
    test : {"t", "wilcoxon", "randomization", "tukey_hsd"}
        The test of the paired values of users: Student's paired t test, Wilcoxon's signed-rank test, or
        Fisher's randomization test. With ``baseline="all"``, ``"tukey_hsd"`` is the randomised Tukey HSD. Its
        p-values are corrected for the number of pairs, and over the users with a value from every system. It
        has no other alternative than ``"two_sided"``. The intervals are those of each pair, not corrected.
    correction : {"holm", "bonferroni", "benjamini_hochberg", "none"} or None
        How p-values are corrected for the number of tests. There is one test for each metric, each k and each
        system other than the baseline, or each pair of systems; with `by`, as many again for each segment.
        With ``test="tukey_hsd"``, p-values are corrected for the pairs already. For the number of metrics, k
        and segments, Bonferroni's correction is then taken in place of Holm's, whose steps would not bound
        the probability of a false discovery, and ``"benjamini_hochberg"`` is an error. Holm's and
        Bonferroni's corrections bound the probability of any false discovery, and Benjamini and Hochberg's
        bounds the expected share of false discoveries among all.
    by : str or list of str, optional
        Columns that divide the users into segments: of `segments` if that is given, or else of `truth`. Each
        must be the same in all rows of a user. The differences are then those of each segment, and those of
        all users.
    alternative : {"two_sided", "less", "greater", "equivalence"}
        The alternative hypothesis: the values of the system differ from those of the baseline, are less, are
        greater, or with a `margin`, are equivalent. All pairs of systems (``baseline="all"``) take
        ``"two_sided"`` and ``"equivalence"``, because the systems of a pair have no order.
    margin : float
        The difference that does not matter, at least 0, with ``test="t"``. With it, ``"greater"`` is the
        alternative that the mean difference is above ``-margin``: the system is not inferior. ``"less"`` is
        the alternative that it is below ``margin``, and ``"equivalence"`` that both hold. The interval with
        confidence 1 - 2 * alpha lies within the margins if the test of equivalence is significant at alpha.
    resamples, seed : int, optional
        The number of resamples to draw, and the seed of their random numbers. Giving either is an error
        unless ``interval="bootstrap"``, ``test="randomization"`` or ``test="tukey_hsd"``. For very few users
        and for many users nothing is drawn, and `seed` has no effect: see ``bootstrap_ci``,
        ``randomization_test`` and ``tukey_hsd``.

    Returns
    -------
    Comparison
        The means of each system, the differences from the baseline or of all pairs with their intervals, the
        p-values (0 to 1), and the numbers of users for whom a system wins, ties and loses.

    Raises
    ------
    ValueError, TypeError, FileNotFoundError
        If a table is missing or cannot be used, or if an argument has a wrong type or value. Each is a
        `CallError` as well, which says the argument.

    Warns
    -----
    DataWarning
        In the cases of `evaluate`. Also if a metric depends on the length of lists, and a system and the
        baseline have lists of different length.

    Notes
    -----
    A user counts if both systems have a value. Two values tie if they differ by at most 1e-12, or by 1e-12
    times the baseline's value if that is above 1. Holm's correction multiplies the smallest of m p-values by
    m, the next one by m - 1, and so on; each result is at least the result before it. Bonferroni's correction
    multiplies each p-value by m. Benjamini and Hochberg's multiplies the i-th smallest p-value by m / i; each
    result is at most the result after it. Corrected p-values are at most 1.

    References
    ----------
    Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 1979.

    Schuirmann, A comparison of the two one-sided tests procedure and the power approach for assessing the
    equivalence of average bioavailability, Journal of Pharmacokinetics and Biopharmaceutics 1987.

    Carterette, Multiple testing in statistical analysis of systems-based information retrieval experiments,
    ACM Transactions on Information Systems 2012.

    Benjamini and Hochberg, Controlling the false discovery rate, Journal of the Royal Statistical Society B
    1995.

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
    arguments = locals().copy()
    _check_recs(recs, user if rec_user is None else rec_user)
    for name in recs:
        _native.check_text("compare", "recs", name)
    baseline = next(iter(recs)) if baseline is None else baseline
    check_choice("compare", "baseline", baseline, dict.fromkeys([*recs, "all"]))
    check_choice("compare", "test", test, get_args(Test))
    check_choice("compare", "correction", correction, [*get_args(Correction), "none", None])
    check_choice("compare", "alternative", alternative, get_args(Alternative))
    if isinstance(margin, bool) or not isinstance(margin, Real):
        raise CallTypeError.about(
            "compare", "margin", f"must be a number that is at least 0, got {shown(margin)}"
        )
    correction = None if correction == "none" else correction
    every_pair = baseline == "all" and "all" not in recs
    if test == "tukey_hsd":
        _check_tukey_hsd(every_pair, baseline, alternative, correction)
    elif every_pair and alternative in ("less", "greater"):
        # A test in one direction would be about the order of the dict.
        two_sided, equivalence = (Argument("alternative", name) for name in ("two_sided", "equivalence"))
        wanted = " needs ", two_sided, " or ", equivalence, f", got {alternative!r}"
        raise CallValueError("compare", "alternative", Argument("baseline", "all"), *wanted)
    if test != "t" and (margin or alternative == "equivalence"):
        needed = "and the alternative of equivalence need "
        raise CallValueError.about("compare", "margin", needed, Argument("test", "t"), f", got {test!r}")
    if test == "tukey_hsd" and correction == "holm":
        correction = "bonferroni"
    drawn = {"resamples": resamples, "seed": seed} if test in RANDOM_TESTS else {}
    margins = {"margin": margin} if margin else {}
    alternatives = {} if test == "tukey_hsd" else {"alternative": alternative}
    test_options = options_text({**alternatives, **margins, **drawn})
    check_function("compare", TESTS[test][0], test_options)
    request = Request.check("compare", arguments)
    with request.open_session(recs.values()) as session:
        evaluations = {name: _evaluation(request, session, rec, name) for name, rec in recs.items()}
    only_baseline = None if every_pair else baseline
    compared = Comparison(evaluations, only_baseline, test, alternative, margin, correction, test_options)
    compared.check_users(request.users)
    compared.warn_of_lengths()
    return compared
