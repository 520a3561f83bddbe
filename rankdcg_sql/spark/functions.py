# Written by `make docs` from the catalogue of functions: do not edit. The writer is tools/generate_spark.py.
"""The functions of lists for the columns of Spark's DataFrames.

>>> from rankdcg_sql.spark import functions as F
>>> frame = spark.sql("SELECT array('a', 'c', 'b') AS rec, array('a', 'b', 'd') AS truth")
>>> frame.select(F.ndcg("rec", "truth", k=2)).first()[0]
0.6131471927654584
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankdcg_sql.spark._udf import column

if TYPE_CHECKING:
    from pyspark.sql import Column
    from typing_extensions import Unpack

    from rankdcg_sql._option_types import (
        AucOptions,
        AucScoredOptions,
        AveragePrecisionOptions,
        AveragePrecisionScoredOptions,
        CgOptions,
        CgRelsOptions,
        CgScoredOptions,
        CorrectedPValuesOptions,
        DcgOptions,
        DcgRelsOptions,
        DcgScoredOptions,
        ErrOptions,
        ErrRelsOptions,
        ErrScoredOptions,
        F1Options,
        F1ScoredOptions,
        HitRateOptions,
        HitRateScoredOptions,
        IdcgOptions,
        IdcgRelsOptions,
        IdcgScoredOptions,
        KendallTauOptions,
        MrrOptions,
        MrrScoredOptions,
        NdcgOptions,
        NdcgRelsOptions,
        NdcgScoredOptions,
        PrecisionOptions,
        PrecisionScoredOptions,
        RankdcgOptions,
        RankMetricsAtOptions,
        RankMetricsAtScoredOptions,
        RankMetricsOptions,
        RankMetricsScoredOptions,
        RbpOptions,
        RbpScoredOptions,
        RecallOptions,
        RecallScoredOptions,
        RocAucOptions,
        RPrecisionOptions,
        RPrecisionScoredOptions,
        TukeyHsdOptions,
    )
    from rankdcg_sql.spark._udf import ColumnOrName, K, Ks


__all__ = [
    "auc",
    "auc_scored",
    "average_precision",
    "average_precision_scored",
    "cg",
    "cg_rels",
    "cg_scored",
    "corrected_p_values",
    "dcg",
    "dcg_rels",
    "dcg_scored",
    "err",
    "err_rels",
    "err_scored",
    "f1",
    "f1_scored",
    "hit_rate",
    "hit_rate_scored",
    "idcg",
    "idcg_rels",
    "idcg_scored",
    "kendall_tau",
    "mrr",
    "mrr_scored",
    "ndcg",
    "ndcg_rels",
    "ndcg_scored",
    "precision",
    "precision_scored",
    "r_precision",
    "r_precision_scored",
    "rank_metrics",
    "rank_metrics_at",
    "rank_metrics_at_scored",
    "rank_metrics_scored",
    "rankdcg",
    "rbp",
    "rbp_scored",
    "recall",
    "recall_scored",
    "roc_auc",
    "tukey_hsd",
]


def precision(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[PrecisionOptions]
) -> Column:
    """Share of the retrieved top k that is relevant.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    precision_denominator : {"retrieved", "k"}, default "retrieved"
        Denominator of precision: min(k, retrieved), or k.
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".
    denominator : str, optional
        Short for `precision_denominator`.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: hits / min(k, retrieved). Source: Hivemall, Ranking Problems: Precision-At-k.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.precision("rec", "truth", k=2)).first()[0]
    0.5
    """
    return column("precision", [rec, truth], k, options)


def recall(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[RecallOptions]) -> Column:
    """Share of the relevant items found in the top k.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    recall_denominator : {"truth", "min_truth_k"}, default "truth"
        Denominator of recall: the number of relevant items, or min(relevant, k).
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".
    denominator : str, optional
        Short for `recall_denominator`.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: hits / relevant. Source: Hivemall, Ranking Problems: Recall-At-k.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.recall("rec", "truth", k=2)).first()[0]
    0.3333333333333333
    """
    return column("recall", [rec, truth], k, options)


def f1(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[F1Options]) -> Column:
    """Harmonic mean of precision and recall in the top k.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    precision_denominator : {"retrieved", "k"}, default "retrieved"
        Denominator of precision: min(k, retrieved), or k.
    recall_denominator : {"truth", "min_truth_k"}, default "truth"
        Denominator of recall: the number of relevant items, or min(relevant, k).
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: 2 * precision * recall / (precision + recall). Source: van Rijsbergen, Information
    Retrieval, 1979.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.f1("rec", "truth", k=2)).first()[0]
    0.4
    """
    return column("f1", [rec, truth], k, options)


def hit_rate(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[HitRateOptions]
) -> Column:
    """1 if the top k holds a relevant item, else 0.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: 1 if hits > 0 else 0. Source: Deshpande and Karypis, Item-based top-N recommendation
    algorithms, TOIS 2004.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.hit_rate("rec", "truth", k=2)).first()[0]
    1.0
    """
    return column("hit_rate", [rec, truth], k, options)


def mrr(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[MrrOptions]) -> Column:
    """1 / rank of the first relevant item in the top k, 0 if there is none; its mean is MRR.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: 1 / (rank of the first hit). Source: Hivemall, Ranking Problems: Mean Reciprocal Rank.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.mrr("rec", "truth", k=2)).first()[0]
    1.0
    """
    return column("mrr", [rec, truth], k, options)


def average_precision(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[AveragePrecisionOptions]
) -> Column:
    """Sum of the precision at each hit in the top k, divided by the number of relevant items; its mean is
    MAP.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ap_denominator : {"truth", "min_truth_k", "hits", "k", "min_truth_retrieved"}, default "truth"
        Denominator of average precision: the number of relevant items, min(relevant, k), the hits in the
        top k, k, or min(relevant, k, retrieved).
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".
    denominator : str, optional
        Short for `ap_denominator`.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: sum over hits of (hits so far / rank) / relevant. Source: Hivemall, Ranking Problems: Mean
    Average Precision.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.average_precision("rec", "truth", k=2)).first()[0]
    0.3333333333333333
    """
    return column("average_precision", [rec, truth], k, options)


def ndcg(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[NdcgOptions]) -> Column:
    """Normalised discounted cumulative gain: DCG over ideal DCG in the top k.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    gain : {"exp2", "linear", "binary"} or list of float, default "exp2"
        Gain of a relevance: 2^rel - 1, rel, 1 if relevant, or the number at index rel (from 0) of a list of
        gains.
    discount : {"log2", "log2_clip", "ln"}, default "log2"
        Discount at a rank, where ranks start at 1: 1/log2(rank + 1), 1/log2(max(rank, 2)), or 1/ln(rank +
        1).
    idcg : {"truth", "retrieved", "k"}, default "truth"
        Number of ranks in the ideal order: min(relevant, k), min(relevant, k, retrieved), or k, each with
        gain 1.
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: (sum of gain(rel) * discount(rank)) / (the same sum over the k largest gains). Source:
    Hivemall, Ranking Problems: Normalized Discounted Cumulative Gain.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.ndcg("rec", "truth", k=2)).first()[0]
    0.7871546029909718
    """
    return column("ndcg", [rec, truth], k, options)


def cg(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[CgOptions]) -> Column:
    """Cumulative gain: the relevances of the top k, summed.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Double, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: sum of rel. Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR
    techniques, TOIS 2002.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.cg("rec", "truth", k=2)).first()[0]
    3.0
    """
    return column("cg", [rec, truth], k, options)


def dcg(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[DcgOptions]) -> Column:
    """Discounted cumulative gain of the top k.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    gain : {"exp2", "linear", "binary"} or list of float, default "exp2"
        Gain of a relevance: 2^rel - 1, rel, 1 if relevant, or the number at index rel (from 0) of a list of
        gains.
    discount : {"log2", "log2_clip", "ln"}, default "log2"
        Discount at a rank, where ranks start at 1: 1/log2(rank + 1), 1/log2(max(rank, 2)), or 1/ln(rank +
        1).
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Double, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: sum of gain(rel) * discount(rank). Source: Burges et al., Learning to rank using gradient
    descent, ICML 2005.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.dcg("rec", "truth", k=2)).first()[0]
    7.0
    """
    return column("dcg", [rec, truth], k, options)


def idcg(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[IdcgOptions]) -> Column:
    """Ideal DCG: the DCG of the best order of all judged items, cut at k.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    gain : {"exp2", "linear", "binary"} or list of float, default "exp2"
        Gain of a relevance: 2^rel - 1, rel, 1 if relevant, or the number at index rel (from 0) of a list of
        gains.
    discount : {"log2", "log2_clip", "ln"}, default "log2"
        Discount at a rank, where ranks start at 1: 1/log2(rank + 1), 1/log2(max(rank, 2)), or 1/ln(rank +
        1).
    idcg : {"truth", "retrieved", "k"}, default "truth"
        Number of ranks in the ideal order: min(relevant, k), min(relevant, k, retrieved), or k, each with
        gain 1.
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Double, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: sum over the k largest gains of gain * discount(rank). Source: Järvelin and Kekäläinen,
    Cumulated gain-based evaluation of IR techniques, TOIS 2002.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.idcg("rec", "truth", k=2)).first()[0]
    8.892789260714373
    """
    return column("idcg", [rec, truth], k, options)


def auc(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[AucOptions]) -> Column:
    """Share of the (hit, miss) pairs in the top k that are in the right order. It measures the ranks of
    the hits, and not their number.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    one_class : {"half", "null", "zero", "by_class"}, default "half"
        AUC of a ranking with hits only or misses only: 0.5, NULL, 0, or 1 for hits and 0 for misses.
    auc_pairs : {"retrieved", "k"}, default "retrieved"
        Number of misses that AUC pairs with the hits: the retrieved ones, or k - hits.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: pairs with the hit above the miss / (hits * misses). Source: Hivemall, Ranking Problems:
    Area Under the ROC Curve.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.auc("rec", "truth", k=2)).first()[0]
    1.0
    """
    return column("auc", [rec, truth], k, options)


def r_precision(rec: ColumnOrName, truth: ColumnOrName, **options: Unpack[RPrecisionOptions]) -> Column:
    """Precision at R, the number of relevant items.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: hits in the top R / R. Source: Buckley and Voorhees, Evaluating evaluation measure
    stability, SIGIR 2000.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.r_precision("rec", "truth")).first()[0]
    0.6666666666666666
    """
    return column("r_precision", [rec, truth], None, options)


def rbp(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[RbpOptions]) -> Column:
    """Rank-biased precision: the expected share of hits among the items that a user sees. After each item,
    the user goes on to the next one with probability p.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    p : float, default 0.8
        Probability that a user continues to the next item. Allowed: a number between 0 and 1.
    rbp_gain : {"binary", "linear"}, default "binary"
        Gain of a hit in rbp: 1, or its relevance. With relevances, rbp may exceed 1.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: (1 - p) * sum over hits of gain * p^(rank - 1), where gain is 1 or rel. Source: Moffat and
    Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 2008.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.rbp("rec", "truth", k=2)).first()[0]
    0.19999999999999996
    """
    return column("rbp", [rec, truth], k, options)


def err(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[ErrOptions]) -> Column:
    """Expected reciprocal rank: the expected 1 / rank of the item at which a user stops, where a user
    stops at an item the more probably, the more relevant it is.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    max_rel : float, optional
        Largest possible relevance; err requires it, and a larger relevance is an error. Allowed: a number
        from 1 to 100.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: sum over ranks of R(rank) / rank * product over earlier ranks of (1 - R), where R is (2^rel
    - 1) / 2^max_rel. Source: Chapelle et al., Expected reciprocal rank for graded relevance, CIKM 2009.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.err("rec", "truth", k=2, max_rel=3)).first()[0]
    0.875
    """
    return column("err", [rec, truth], k, options)


def rankdcg(rec: ColumnOrName, truth: ColumnOrName, **options: Unpack[RankdcgOptions]) -> Column:
    """RankDCG: how well the whole order is kept, 1 for the perfect one and 0 for the worst. It takes no k:
    judged items that were not retrieved come last, in the worst order. Retrieved items without a
    judgement have relevance 0, and a repeated item counts once, at its best place. NULL without two
    distinct relevances, or 0 if nothing was retrieved and an item of truth has another relevance than
    0.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    unjudged : {"zero", "skip"}, default "zero"
        Treatment of a retrieved item without a judgement in rankdcg: it has relevance 0, or it is left out.
        In two aligned lists it is always left out.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "pessimistic"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without two distinct relevances among what was judged
        and retrieved; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: (DCG' - lowest) / (highest - lowest), where DCG' is the sum of level / reversed ideal
    level. Source: Katerenchuk and Rosenberg, RankDCG: Rank-Ordering Evaluation Measure, LREC 2016,
    section 4.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.rankdcg("rec", "truth")).first()[0]
    0.7931034482758621
    """
    return column("rankdcg", [rec, truth], None, options)


def rank_metrics(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[RankMetricsOptions]
) -> Column:
    """Eight metrics in one pass, in a struct with k: precision, recall, f1, hit_rate, mrr,
    average_precision, ndcg, auc.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    precision_denominator : {"retrieved", "k"}, default "retrieved"
        Denominator of precision: min(k, retrieved), or k.
    recall_denominator : {"truth", "min_truth_k"}, default "truth"
        Denominator of recall: the number of relevant items, or min(relevant, k).
    ap_denominator : {"truth", "min_truth_k", "hits", "k", "min_truth_retrieved"}, default "truth"
        Denominator of average precision: the number of relevant items, min(relevant, k), the hits in the
        top k, k, or min(relevant, k, retrieved).
    gain : {"exp2", "linear", "binary"} or list of float, default "exp2"
        Gain of a relevance: 2^rel - 1, rel, 1 if relevant, or the number at index rel (from 0) of a list of
        gains.
    discount : {"log2", "log2_clip", "ln"}, default "log2"
        Discount at a rank, where ranks start at 1: 1/log2(rank + 1), 1/log2(max(rank, 2)), or 1/ln(rank +
        1).
    idcg : {"truth", "retrieved", "k"}, default "truth"
        Number of ranks in the ideal order: min(relevant, k), min(relevant, k, retrieved), or k, each with
        gain 1.
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    one_class : {"half", "null", "zero", "by_class"}, default "half"
        AUC of a ranking with hits only or misses only: 0.5, NULL, 0, or 1 for hits and 0 for misses.
    auc_pairs : {"retrieved", "k"}, default "retrieved"
        Number of misses that AUC pairs with the hits: the retrieved ones, or k - hits.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Struct of k, precision, recall, f1, hit_rate, mrr, average_precision, ndcg, auc. NULL where `truth`
        is. Each metric by itself: NULL without a relevant item, unless `no_relevant` says otherwise; 0
        where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: each as on its own. Source: those of the metrics.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.rank_metrics("rec", "truth", k=2)).first()[0]["ndcg"]
    0.7871546029909718
    """
    return column("rank_metrics", [rec, truth], k, options)


def rank_metrics_at(
    rec: ColumnOrName, truth: ColumnOrName, ks: Ks, **options: Unpack[RankMetricsAtOptions]
) -> Column:
    """The same eight metrics for each of several k, in one pass.

    Parameters
    ----------
    rec : str or Column
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str or Column
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    ks : list of int, or Column
        Several k. NULL among them is the whole list.
    precision_denominator : {"retrieved", "k"}, default "retrieved"
        Denominator of precision: min(k, retrieved), or k.
    recall_denominator : {"truth", "min_truth_k"}, default "truth"
        Denominator of recall: the number of relevant items, or min(relevant, k).
    ap_denominator : {"truth", "min_truth_k", "hits", "k", "min_truth_retrieved"}, default "truth"
        Denominator of average precision: the number of relevant items, min(relevant, k), the hits in the
        top k, k, or min(relevant, k, retrieved).
    gain : {"exp2", "linear", "binary"} or list of float, default "exp2"
        Gain of a relevance: 2^rel - 1, rel, 1 if relevant, or the number at index rel (from 0) of a list of
        gains.
    discount : {"log2", "log2_clip", "ln"}, default "log2"
        Discount at a rank, where ranks start at 1: 1/log2(rank + 1), 1/log2(max(rank, 2)), or 1/ln(rank +
        1).
    idcg : {"truth", "retrieved", "k"}, default "truth"
        Number of ranks in the ideal order: min(relevant, k), min(relevant, k, retrieved), or k, each with
        gain 1.
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
        Result if nothing is relevant: NULL, 0, 1, an error, or 1 if nothing was retrieved either, else 0.
    empty_rec : {"zero", "null"}, default "zero"
        Result if nothing was retrieved. zero: 0, or the result of no_relevant if nothing is relevant; null:
        NULL in every case.
    one_class : {"half", "null", "zero", "by_class"}, default "half"
        AUC of a ranking with hits only or misses only: 0.5, NULL, 0, or 1 for hits and 0 for misses.
    auc_pairs : {"retrieved", "k"}, default "retrieved"
        Number of misses that AUC pairs with the hits: the retrieved ones, or k - hits.
    duplicates : {"first", "count"}, default "first"
        Treatment of a repeated item in rec: it counts as an irrelevant item, or like its first occurrence.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Array, one struct for each k, of k, precision, recall, f1, hit_rate, mrr, average_precision, ndcg,
        auc. NULL where `truth` is. Each metric by itself: NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: each as on its own. Source: those of the metrics.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}])],
    ...     "rec array<string>, truth array<struct<item: string, rel: bigint>>",
    ... )
    >>> frame.select(F.rank_metrics_at("rec", "truth", ks=[1, 2])).first()[0][1]["ndcg"]
    0.7871546029909718
    """
    return column("rank_metrics_at", [rec, truth], ks, options)


def ndcg_rels(rels: ColumnOrName, k: K = None, **options: Unpack[NdcgRelsOptions]) -> Column:
    """Evaluate `ndcg` on relevances in ranked order.

    Formula, NULL rules and errors are those of `ndcg`.

    Parameters
    ----------
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    **options
        gain, discount, idcg, min_rel, no_relevant, convention: as in `ndcg`.

    Returns
    -------
    Column
        As from `ndcg`. NULL where `rels` is.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.ndcg_rels("rels", k=2)).first()[0]
    0.7871546029909718
    """
    return column("ndcg_rels", [rels], k, options)


def cg_rels(rels: ColumnOrName, k: K = None, **options: Unpack[CgRelsOptions]) -> Column:
    """Evaluate `cg` on relevances in ranked order.

    Formula, NULL rules and errors are those of `cg`.

    Parameters
    ----------
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    **options
        no_relevant, convention: as in `cg`.

    Returns
    -------
    Column
        As from `cg`. NULL where `rels` is.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.cg_rels("rels", k=2)).first()[0]
    3.0
    """
    return column("cg_rels", [rels], k, options)


def dcg_rels(rels: ColumnOrName, k: K = None, **options: Unpack[DcgRelsOptions]) -> Column:
    """Evaluate `dcg` on relevances in ranked order.

    Formula, NULL rules and errors are those of `dcg`.

    Parameters
    ----------
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    **options
        gain, discount, min_rel, no_relevant, convention: as in `dcg`.

    Returns
    -------
    Column
        As from `dcg`. NULL where `rels` is.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.dcg_rels("rels", k=2)).first()[0]
    7.0
    """
    return column("dcg_rels", [rels], k, options)


def idcg_rels(rels: ColumnOrName, k: K = None, **options: Unpack[IdcgRelsOptions]) -> Column:
    """Evaluate `idcg` on relevances in ranked order.

    Formula, NULL rules and errors are those of `idcg`.

    Parameters
    ----------
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    **options
        gain, discount, idcg, min_rel, no_relevant, convention: as in `idcg`.

    Returns
    -------
    Column
        As from `idcg`. NULL where `rels` is.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.idcg_rels("rels", k=2)).first()[0]
    8.892789260714373
    """
    return column("idcg_rels", [rels], k, options)


def err_rels(rels: ColumnOrName, k: K = None, **options: Unpack[ErrRelsOptions]) -> Column:
    """Evaluate `err` on relevances in ranked order.

    Formula, NULL rules and errors are those of `err`.

    Parameters
    ----------
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    **options
        max_rel, no_relevant, convention: as in `err`.

    Returns
    -------
    Column
        As from `err`. NULL where `rels` is.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.err_rels("rels", k=2, max_rel=3)).first()[0]
    0.875
    """
    return column("err_rels", [rels], k, options)


def precision_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[PrecisionScoredOptions]
) -> Column:
    """Evaluate `precision` on items in the order of their scores.

    Formula, NULL rules and errors are those of `precision`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        precision_denominator, min_rel, no_relevant, empty_rec, convention, denominator: as in `precision`.

    Returns
    -------
    Column
        As from `precision`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.precision_scored("scores", "rels", k=2)).first()[0]
    0.5
    """
    return column("precision_scored", [scores, rels], k, options)


def recall_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[RecallScoredOptions]
) -> Column:
    """Evaluate `recall` on items in the order of their scores.

    Formula, NULL rules and errors are those of `recall`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        recall_denominator, min_rel, no_relevant, empty_rec, convention, denominator: as in `recall`.

    Returns
    -------
    Column
        As from `recall`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.recall_scored("scores", "rels", k=2)).first()[0]
    0.3333333333333333
    """
    return column("recall_scored", [scores, rels], k, options)


def f1_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[F1ScoredOptions]
) -> Column:
    """Evaluate `f1` on items in the order of their scores.

    Formula, NULL rules and errors are those of `f1`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        precision_denominator, recall_denominator, min_rel, no_relevant, empty_rec, convention: as in `f1`.

    Returns
    -------
    Column
        As from `f1`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.f1_scored("scores", "rels", k=2)).first()[0]
    0.4
    """
    return column("f1_scored", [scores, rels], k, options)


def hit_rate_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[HitRateScoredOptions]
) -> Column:
    """Evaluate `hit_rate` on items in the order of their scores.

    Formula, NULL rules and errors are those of `hit_rate`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        min_rel, no_relevant, empty_rec, convention: as in `hit_rate`.

    Returns
    -------
    Column
        As from `hit_rate`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.hit_rate_scored("scores", "rels", k=2)).first()[0]
    1.0
    """
    return column("hit_rate_scored", [scores, rels], k, options)


def mrr_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[MrrScoredOptions]
) -> Column:
    """Evaluate `mrr` on items in the order of their scores.

    Formula, NULL rules and errors are those of `mrr`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        min_rel, no_relevant, empty_rec, convention: as in `mrr`.

    Returns
    -------
    Column
        As from `mrr`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.mrr_scored("scores", "rels", k=2)).first()[0]
    1.0
    """
    return column("mrr_scored", [scores, rels], k, options)


def average_precision_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[AveragePrecisionScoredOptions]
) -> Column:
    """Evaluate `average_precision` on items in the order of their scores.

    Formula, NULL rules and errors are those of `average_precision`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ap_steps : {"rank", "threshold"}, default "rank"
        Rank at which average precision of items with scores measures the precision of a hit: the rank of
        the hit, or the last rank of its score in the top k.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        ap_denominator, min_rel, no_relevant, empty_rec, convention, denominator: as in `average_precision`.

    Returns
    -------
    Column
        As from `average_precision`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.average_precision_scored("scores", "rels", k=2)).first()[0]
    0.3333333333333333
    """
    return column("average_precision_scored", [scores, rels], k, options)


def ndcg_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[NdcgScoredOptions]
) -> Column:
    """Evaluate `ndcg` on items in the order of their scores.

    Formula, NULL rules and errors are those of `ndcg`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        gain, discount, idcg, min_rel, no_relevant, empty_rec, convention: as in `ndcg`.

    Returns
    -------
    Column
        As from `ndcg`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.ndcg_scored("scores", "rels", k=2)).first()[0]
    0.7871546029909718
    """
    return column("ndcg_scored", [scores, rels], k, options)


def cg_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[CgScoredOptions]
) -> Column:
    """Evaluate `cg` on items in the order of their scores.

    Formula, NULL rules and errors are those of `cg`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        no_relevant, empty_rec, convention: as in `cg`.

    Returns
    -------
    Column
        As from `cg`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.cg_scored("scores", "rels", k=2)).first()[0]
    3.0
    """
    return column("cg_scored", [scores, rels], k, options)


def dcg_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[DcgScoredOptions]
) -> Column:
    """Evaluate `dcg` on items in the order of their scores.

    Formula, NULL rules and errors are those of `dcg`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        gain, discount, min_rel, no_relevant, empty_rec, convention: as in `dcg`.

    Returns
    -------
    Column
        As from `dcg`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.dcg_scored("scores", "rels", k=2)).first()[0]
    7.0
    """
    return column("dcg_scored", [scores, rels], k, options)


def idcg_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[IdcgScoredOptions]
) -> Column:
    """Evaluate `idcg` on items in the order of their scores.

    Formula, NULL rules and errors are those of `idcg`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        gain, discount, idcg, min_rel, no_relevant, empty_rec, convention: as in `idcg`.

    Returns
    -------
    Column
        As from `idcg`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.idcg_scored("scores", "rels", k=2)).first()[0]
    8.892789260714373
    """
    return column("idcg_scored", [scores, rels], k, options)


def auc_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[AucScoredOptions]
) -> Column:
    """Evaluate `auc` on items in the order of their scores.

    Formula, NULL rules and errors are those of `auc`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        min_rel, no_relevant, empty_rec, one_class, auc_pairs, convention: as in `auc`.

    Returns
    -------
    Column
        As from `auc`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.auc_scored("scores", "rels", k=2)).first()[0]
    1.0
    """
    return column("auc_scored", [scores, rels], k, options)


def r_precision_scored(
    scores: ColumnOrName, rels: ColumnOrName, **options: Unpack[RPrecisionScoredOptions]
) -> Column:
    """Evaluate `r_precision` on items in the order of their scores.

    Formula, NULL rules and errors are those of `r_precision`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        min_rel, no_relevant, empty_rec, convention: as in `r_precision`.

    Returns
    -------
    Column
        As from `r_precision`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.r_precision_scored("scores", "rels")).first()[0]
    0.6666666666666666
    """
    return column("r_precision_scored", [scores, rels], None, options)


def rbp_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[RbpScoredOptions]
) -> Column:
    """Evaluate `rbp` on items in the order of their scores.

    Formula, NULL rules and errors are those of `rbp`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        min_rel, p, rbp_gain, no_relevant, empty_rec, convention: as in `rbp`.

    Returns
    -------
    Column
        As from `rbp`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.rbp_scored("scores", "rels", k=2)).first()[0]
    0.19999999999999996
    """
    return column("rbp_scored", [scores, rels], k, options)


def err_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[ErrScoredOptions]
) -> Column:
    """Evaluate `err` on items in the order of their scores.

    Formula, NULL rules and errors are those of `err`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        max_rel, no_relevant, empty_rec, convention: as in `err`.

    Returns
    -------
    Column
        As from `err`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.err_scored("scores", "rels", k=2, max_rel=3)).first()[0]
    0.875
    """
    return column("err_scored", [scores, rels], k, options)


def roc_auc(scores: ColumnOrName, rels: ColumnOrName, **options: Unpack[RocAucOptions]) -> Column:
    """Area under the ROC curve: share of the (relevant, irrelevant) pairs of items in the right order.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL leaves the item out.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL leaves the item out.
    min_rel : float, optional
        Least relevance of a relevant item in binary metrics and with gain=binary; unset: any relevance
        above 0. Allowed: a number above 0.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Double, 0 to 1. NULL where there is no relevance. NULL without a relevant and an irrelevant item.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: (pairs with the relevant item above + tied pairs / 2) / (relevant * irrelevant). Source:
    Hanley and McNeil, The meaning and use of the area under a ROC curve, Radiology 1982.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.roc_auc("scores", "rels")).first()[0]
    0.5
    """
    return column("roc_auc", [scores, rels], None, options)


def kendall_tau(scores: ColumnOrName, rels: ColumnOrName, **options: Unpack[KendallTauOptions]) -> Column:
    """Kendall's tau-b: how well two orders of the same items agree, where items may tie in both.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL leaves the item out.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL leaves the item out.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    convention : str, default "hivemall_page"
        Defaults of all other options: those of Hivemall's page, or those that reproduce another package.
        Allowed: "hivemall_page", "hivemall_java", "trec_eval", "sklearn", "spark", "ranx", "replay",
        "rectools", "recommenders", "lenskit", "torchmetrics".

    Returns
    -------
    Column
        Double, -1 to 1. NULL where there is no relevance. NULL without two distinct scores and two distinct
        relevances.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: (concordant - discordant) / sqrt(pairs untied in scores * pairs untied in rels). Source:
    Kendall, The treatment of ties in ranking problems, Biometrika 1945.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.kendall_tau("scores", "rels")).first()[0]
    0.3333333333333333
    """
    return column("kendall_tau", [scores, rels], None, options)


def rank_metrics_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[RankMetricsScoredOptions]
) -> Column:
    """Evaluate `rank_metrics` on items in the order of their scores.

    Formula, NULL rules and errors are those of `rank_metrics`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Column, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ap_steps : {"rank", "threshold"}, default "rank"
        Rank at which average precision of items with scores measures the precision of a hit: the rank of
        the hit, or the last rank of its score in the top k.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        precision_denominator, recall_denominator, ap_denominator, gain, discount, idcg, min_rel,
        no_relevant, empty_rec, one_class, auc_pairs, convention: as in `rank_metrics`.

    Returns
    -------
    Column
        As from `rank_metrics`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.rank_metrics_scored("scores", "rels", k=2)).first()[0]["ndcg"]
    0.7871546029909718
    """
    return column("rank_metrics_scored", [scores, rels], k, options)


def rank_metrics_at_scored(
    scores: ColumnOrName, rels: ColumnOrName, ks: Ks, **options: Unpack[RankMetricsAtScoredOptions]
) -> Column:
    """Evaluate `rank_metrics_at` on items in the order of their scores.

    Formula, NULL rules and errors are those of `rank_metrics_at`.

    Parameters
    ----------
    scores : str or Column
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str or Column
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    ks : list of int, or Column
        Several k. NULL among them is the whole list.
    ap_steps : {"rank", "threshold"}, default "rank"
        Rank at which average precision of items with scores measures the precision of a hit: the rank of
        the hit, or the last rank of its score in the top k.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    score_type : {"exact", "float32"}, default "exact"
        Precision in which scores are compared: their own, or floating point of 32 bits, in which more of
        them tie.
    **options
        precision_denominator, recall_denominator, ap_denominator, gain, discount, idcg, min_rel,
        no_relevant, empty_rec, one_class, auc_pairs, convention: as in `rank_metrics_at`.

    Returns
    -------
    Column
        As from `rank_metrics_at`. NULL where there is no relevance.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([0.9, 0.5, 0.4, None], [3, 0, 1, 2])], "scores array<double>, rels array<bigint>"
    ... )
    >>> frame.select(F.rank_metrics_at_scored("scores", "rels", ks=[1, 2])).first()[0][1]["ndcg"]
    0.7871546029909718
    """
    return column("rank_metrics_at_scored", [scores, rels], ks, options)


def tukey_hsd(blocks: ColumnOrName, **options: Unpack[TukeyHsdOptions]) -> Column:
    """Randomised Tukey HSD: a p-value for each pair of systems, in the order (1, 2), (1, 3), ..., (2, 3)
    and so on, that is corrected for the number of pairs. It is the share of ways to permute the values
    within blocks in which the largest mean of a system less the smallest one is at least as large as
    the observed difference of the two means. A block is the values of one user, one for each system.
    Blocks with a NULL are left out. With two systems, it is the two-sided randomization_test. Let m be
    the number of blocks whose values are not all equal. With three or more systems, up to 50000 ways
    are all counted. Up to m = 400, `resamples` ways are drawn, at most 200000 and at most 16000000 by
    the number of values, and the observed values count as one more. Above, the means are taken as
    normal, and their range has the distribution of the studentized range with infinite degrees of
    freedom: `resamples` and `seed` have no effect. If the variance of a block is more than 1/200 of the
    sum of the variances, permutations of the 400 blocks of largest variance are drawn instead, the
    others are taken as normal, and the observed values count as one more.

    Parameters
    ----------
    blocks : str or Column
        A list for each user, with a metric of the user by each of two or more systems. A list with a NULL
        leaves the user out. NULL if there is no list.
    resamples : int, default 10000
        Number of resamples. bootstrap_ci, randomization_test and tukey_hsd draw fewer or none for some
        sizes of the sample, which their descriptions state. Allowed: a whole number from 1 to 1000000.
    seed : int, default 0
        Seed of the random numbers; the same seed draws the same resamples. Allowed: a whole number from 0
        to 18446744073709551615.
    tolerance : float, default 0
        Largest difference of a and b that is a tie, as a share of the larger of 1 and abs(b). A tie counts
        as a difference of 0. In wilcoxon_signed_rank, abs(a - b) of two pairs tie likewise. Allowed: a
        number that is at least 0.

    Returns
    -------
    Column
        Array of Double, 0 to 1: a p-value for each pair of systems. NULL where no user has a value of every
        system.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not finite. The message names the argument.

    Notes
    -----
    Formula: share of ways whose range of means is at least abs(mean_i - mean_j). Source: Carterette,
    Multiple Testing in Statistical Analysis of Systems-Based Information Retrieval Experiments, ACM
    TOIS 2012; Sakai, Statistical Reform in Information Retrieval?, SIGIR Forum 2014;
    scipy.stats.studentized_range.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame(
    ...     [([[0.5, 0.4, 0.8], [0.75, 0.5, 0.9], [0.25, 0.3, 0.6], [0.9, 0.7, 0.95]],)],
    ...     "blocks array<array<double>>",
    ... )
    >>> frame.select(F.tukey_hsd("blocks")).first()[0]
    [0.7083333333333334, 0.25925925925925924, 0.013888888888888888]
    """
    return column("tukey_hsd", [blocks], None, options)


def corrected_p_values(p_values: ColumnOrName, **options: Unpack[CorrectedPValuesOptions]) -> Column:
    """P-values corrected for the number of tests, in the order of the tests. A NULL is no test, and stays
    NULL.

    Parameters
    ----------
    p_values : str or Column
        The p-values of tests, numbers from 0 to 1. A NULL is no test, and stays NULL. NULL for a list that
        is NULL.
    correction : {"holm", "bonferroni", "benjamini_hochberg"}, default "holm"
        Correction of p-values for the number m of tests. holm: the smallest p-value times m, the next one
        times m - 1 and so on, each at least the one before it; bonferroni: each p-value times m;
        benjamini_hochberg: the i-th smallest p-value times m / i, each at most the one after it, which
        controls the false discovery rate. Results are at most 1.

    Returns
    -------
    Column
        Array of Double, 0 to 1. NULL where `p_values` is.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    pyspark.errors.PythonException
        While the query runs: for types that are not allowed, and for values that are
        not from 0 to 1. The message names the argument.

    Notes
    -----
    Formula: with m tests, by Holm's steps; by Bonferroni min(1, p * m); or by Benjamini and Hochberg's
    steps. Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal
    of Statistics 1979; Benjamini and Hochberg, Controlling the False Discovery Rate, Journal of the
    Royal Statistical Society B 1995; multipletests of statsmodels, whose fdr_bh is benjamini_hochberg.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.01, 0.04, 0.03, None],)], "p_values array<double>")
    >>> frame.select(F.corrected_p_values("p_values")).first()[0]
    [0.03, 0.06, 0.06, None]
    """
    return column("corrected_p_values", [p_values], None, options)
