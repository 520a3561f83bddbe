# Written by `make docs` from the catalogue of functions: do not edit. The writer is tools/generate_polars.py.
"""The functions of `rankdcg_sql.polars`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from rankdcg_sql._option_types import (
    AucAggOptions,
    AucOptions,
    AucScoredOptions,
    AveragePrecisionAggOptions,
    AveragePrecisionOptions,
    AveragePrecisionScoredOptions,
    BootstrapCiOptions,
    CgAggOptions,
    CgOptions,
    CgRelsOptions,
    CgScoredOptions,
    CorrectedPValuesOptions,
    DcgAggOptions,
    DcgOptions,
    DcgRelsOptions,
    DcgScoredOptions,
    ErrAggOptions,
    ErrOptions,
    ErrRelsOptions,
    ErrScoredOptions,
    F1AggOptions,
    F1Options,
    F1ScoredOptions,
    HitRateAggOptions,
    HitRateOptions,
    HitRateScoredOptions,
    IdcgAggOptions,
    IdcgOptions,
    IdcgRelsOptions,
    IdcgScoredOptions,
    KendallTauAggOptions,
    KendallTauOptions,
    MeanCiOptions,
    MrrAggOptions,
    MrrOptions,
    MrrScoredOptions,
    NdcgAggOptions,
    NdcgOptions,
    NdcgRelsOptions,
    NdcgScoredOptions,
    PairedComparisonOptions,
    PairedTTestOptions,
    PairedTTestPowerOptions,
    PrecisionAggOptions,
    PrecisionOptions,
    PrecisionScoredOptions,
    RandomizationTestOptions,
    RankdcgAggOptions,
    RankdcgOptions,
    RankEvaluationByUserOptions,
    RankMetricsAggOptions,
    RankMetricsAtAggOptions,
    RankMetricsAtByUserOptions,
    RankMetricsAtOptions,
    RankMetricsAtScoredOptions,
    RankMetricsByUserOptions,
    RankMetricsOptions,
    RankMetricsScoredOptions,
    RbpAggOptions,
    RbpOptions,
    RbpScoredOptions,
    RecallAggOptions,
    RecallOptions,
    RecallScoredOptions,
    RocAucAggOptions,
    RocAucOptions,
    RPrecisionAggOptions,
    RPrecisionOptions,
    RPrecisionScoredOptions,
    TukeyHsdOptions,
    WilcoxonSignedRankOptions,
    WinTieLossOptions,
)
from rankdcg_sql.polars import _plugin
from rankdcg_sql.polars._plugin import Column, K, Ks

if TYPE_CHECKING:
    from typing_extensions import Unpack


__all__ = [
    "AucAggOptions",
    "AucOptions",
    "AucScoredOptions",
    "AveragePrecisionAggOptions",
    "AveragePrecisionOptions",
    "AveragePrecisionScoredOptions",
    "BootstrapCiOptions",
    "CgAggOptions",
    "CgOptions",
    "CgRelsOptions",
    "CgScoredOptions",
    "CorrectedPValuesOptions",
    "DcgAggOptions",
    "DcgOptions",
    "DcgRelsOptions",
    "DcgScoredOptions",
    "ErrAggOptions",
    "ErrOptions",
    "ErrRelsOptions",
    "ErrScoredOptions",
    "F1AggOptions",
    "F1Options",
    "F1ScoredOptions",
    "HitRateAggOptions",
    "HitRateOptions",
    "HitRateScoredOptions",
    "IdcgAggOptions",
    "IdcgOptions",
    "IdcgRelsOptions",
    "IdcgScoredOptions",
    "KendallTauAggOptions",
    "KendallTauOptions",
    "MeanCiOptions",
    "MrrAggOptions",
    "MrrOptions",
    "MrrScoredOptions",
    "NdcgAggOptions",
    "NdcgOptions",
    "NdcgRelsOptions",
    "NdcgScoredOptions",
    "PairedComparisonOptions",
    "PairedTTestOptions",
    "PairedTTestPowerOptions",
    "PrecisionAggOptions",
    "PrecisionOptions",
    "PrecisionScoredOptions",
    "RPrecisionAggOptions",
    "RPrecisionOptions",
    "RPrecisionScoredOptions",
    "RandomizationTestOptions",
    "RankEval",
    "RankEvaluationByUserOptions",
    "RankMetricsAggOptions",
    "RankMetricsAtAggOptions",
    "RankMetricsAtByUserOptions",
    "RankMetricsAtOptions",
    "RankMetricsAtScoredOptions",
    "RankMetricsByUserOptions",
    "RankMetricsOptions",
    "RankMetricsScoredOptions",
    "RankdcgAggOptions",
    "RankdcgOptions",
    "RbpAggOptions",
    "RbpOptions",
    "RbpScoredOptions",
    "RecallAggOptions",
    "RecallOptions",
    "RecallScoredOptions",
    "RocAucAggOptions",
    "RocAucOptions",
    "TukeyHsdOptions",
    "WilcoxonSignedRankOptions",
    "WinTieLossOptions",
    "auc",
    "auc_agg",
    "auc_scored",
    "average_precision",
    "average_precision_agg",
    "average_precision_scored",
    "bootstrap_ci",
    "cg",
    "cg_agg",
    "cg_rels",
    "cg_scored",
    "corrected_p_values",
    "dcg",
    "dcg_agg",
    "dcg_rels",
    "dcg_scored",
    "err",
    "err_agg",
    "err_rels",
    "err_scored",
    "f1",
    "f1_agg",
    "f1_scored",
    "hit_rate",
    "hit_rate_agg",
    "hit_rate_scored",
    "idcg",
    "idcg_agg",
    "idcg_rels",
    "idcg_scored",
    "kendall_tau",
    "kendall_tau_agg",
    "mean_ci",
    "mrr",
    "mrr_agg",
    "mrr_scored",
    "ndcg",
    "ndcg_agg",
    "ndcg_rels",
    "ndcg_scored",
    "paired_comparison",
    "paired_t_test",
    "paired_t_test_power",
    "precision",
    "precision_agg",
    "precision_scored",
    "r_precision",
    "r_precision_agg",
    "r_precision_scored",
    "randomization_test",
    "rank_evaluation_by_user",
    "rank_metrics",
    "rank_metrics_agg",
    "rank_metrics_at",
    "rank_metrics_at_agg",
    "rank_metrics_at_by_user",
    "rank_metrics_at_scored",
    "rank_metrics_by_user",
    "rank_metrics_scored",
    "rankdcg",
    "rankdcg_agg",
    "rbp",
    "rbp_agg",
    "rbp_scored",
    "recall",
    "recall_agg",
    "recall_scored",
    "roc_auc",
    "roc_auc_agg",
    "tukey_hsd",
    "wilcoxon_signed_rank",
    "win_tie_loss",
]


def precision(rec: Column, truth: Column, k: K = None, **options: Unpack[PrecisionOptions]) -> pl.Expr:
    """Share of the retrieved top k that is relevant.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Expr, optional
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
    Expr
        Float64, 0 to 1, named ``precision@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: hits / min(k, retrieved). Source: Hivemall, Ranking Problems: Precision-At-k.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.precision("rec", "truth", k=2))
    shape: (1, 1)
    ┌─────────────┐
    │ precision@2 │
    │ ---         │
    │ f64         │
    ╞═════════════╡
    │ 0.5         │
    └─────────────┘
    """
    return _plugin.evaluate("precision", [rec, truth], k, options)


def recall(rec: Column, truth: Column, k: K = None, **options: Unpack[RecallOptions]) -> pl.Expr:
    """Share of the relevant items found in the top k.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Expr, optional
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
    Expr
        Float64, 0 to 1, named ``recall@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: hits / relevant. Source: Hivemall, Ranking Problems: Recall-At-k.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.recall("rec", "truth", k=2))
    shape: (1, 1)
    ┌──────────┐
    │ recall@2 │
    │ ---      │
    │ f64      │
    ╞══════════╡
    │ 0.333333 │
    └──────────┘
    """
    return _plugin.evaluate("recall", [rec, truth], k, options)


def f1(rec: Column, truth: Column, k: K = None, **options: Unpack[F1Options]) -> pl.Expr:
    """Harmonic mean of precision and recall in the top k.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Expr, optional
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
    Expr
        Float64, 0 to 1, named ``f1@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: 2 * precision * recall / (precision + recall). Source: van Rijsbergen, Information
    Retrieval, 1979.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.f1("rec", "truth", k=2))
    shape: (1, 1)
    ┌──────┐
    │ f1@2 │
    │ ---  │
    │ f64  │
    ╞══════╡
    │ 0.4  │
    └──────┘
    """
    return _plugin.evaluate("f1", [rec, truth], k, options)


def hit_rate(rec: Column, truth: Column, k: K = None, **options: Unpack[HitRateOptions]) -> pl.Expr:
    """1 if the top k holds a relevant item, else 0.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Expr, optional
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
    Expr
        Float64, 0 to 1, named ``hit_rate@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: 1 if hits > 0 else 0. Source: Deshpande and Karypis, Item-based top-N recommendation
    algorithms, TOIS 2004.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.hit_rate("rec", "truth", k=2))
    shape: (1, 1)
    ┌────────────┐
    │ hit_rate@2 │
    │ ---        │
    │ f64        │
    ╞════════════╡
    │ 1.0        │
    └────────────┘
    """
    return _plugin.evaluate("hit_rate", [rec, truth], k, options)


def mrr(rec: Column, truth: Column, k: K = None, **options: Unpack[MrrOptions]) -> pl.Expr:
    """1 / rank of the first relevant item in the top k, 0 if there is none; its mean is MRR.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Expr, optional
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
    Expr
        Float64, 0 to 1, named ``mrr@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: 1 / (rank of the first hit). Source: Hivemall, Ranking Problems: Mean Reciprocal Rank.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.mrr("rec", "truth", k=2))
    shape: (1, 1)
    ┌───────┐
    │ mrr@2 │
    │ ---   │
    │ f64   │
    ╞═══════╡
    │ 1.0   │
    └───────┘
    """
    return _plugin.evaluate("mrr", [rec, truth], k, options)


def average_precision(
    rec: Column, truth: Column, k: K = None, **options: Unpack[AveragePrecisionOptions]
) -> pl.Expr:
    """Sum of the precision at each hit in the top k, divided by the number of relevant items; its mean is
    MAP.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Expr, optional
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
    Expr
        Float64, 0 to 1, named ``average_precision@k``. NULL where `truth` is. NULL without a relevant item,
        unless `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: sum over hits of (hits so far / rank) / relevant. Source: Hivemall, Ranking Problems: Mean
    Average Precision.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.average_precision("rec", "truth", k=2))
    shape: (1, 1)
    ┌─────────────────────┐
    │ average_precision@2 │
    │ ---                 │
    │ f64                 │
    ╞═════════════════════╡
    │ 0.333333            │
    └─────────────────────┘
    """
    return _plugin.evaluate("average_precision", [rec, truth], k, options)


def ndcg(rec: Column, truth: Column, k: K = None, **options: Unpack[NdcgOptions]) -> pl.Expr:
    """Normalised discounted cumulative gain: DCG over ideal DCG in the top k.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Expr, optional
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
    Expr
        Float64, 0 to 1, named ``ndcg@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: (sum of gain(rel) * discount(rank)) / (the same sum over the k largest gains). Source:
    Hivemall, Ranking Problems: Normalized Discounted Cumulative Gain.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.ndcg("rec", "truth", k=2))
    shape: (1, 1)
    ┌──────────┐
    │ ndcg@2   │
    │ ---      │
    │ f64      │
    ╞══════════╡
    │ 0.787155 │
    └──────────┘
    """
    return _plugin.evaluate("ndcg", [rec, truth], k, options)


def cg(rec: Column, truth: Column, k: K = None, **options: Unpack[CgOptions]) -> pl.Expr:
    """Cumulative gain: the relevances of the top k, summed.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Expr, optional
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
    Expr
        Float64, 0 or more, named ``cg@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: sum of rel. Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR
    techniques, TOIS 2002.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.cg("rec", "truth", k=2))
    shape: (1, 1)
    ┌──────┐
    │ cg@2 │
    │ ---  │
    │ f64  │
    ╞══════╡
    │ 3.0  │
    └──────┘
    """
    return _plugin.evaluate("cg", [rec, truth], k, options)


def dcg(rec: Column, truth: Column, k: K = None, **options: Unpack[DcgOptions]) -> pl.Expr:
    """Discounted cumulative gain of the top k.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Expr, optional
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
    Expr
        Float64, 0 or more, named ``dcg@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: sum of gain(rel) * discount(rank). Source: Burges et al., Learning to rank using gradient
    descent, ICML 2005.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.dcg("rec", "truth", k=2))
    shape: (1, 1)
    ┌───────┐
    │ dcg@2 │
    │ ---   │
    │ f64   │
    ╞═══════╡
    │ 7.0   │
    └───────┘
    """
    return _plugin.evaluate("dcg", [rec, truth], k, options)


def idcg(rec: Column, truth: Column, k: K = None, **options: Unpack[IdcgOptions]) -> pl.Expr:
    """Ideal DCG: the DCG of the best order of all judged items, cut at k.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Expr, optional
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
    Expr
        Float64, 0 or more, named ``idcg@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: sum over the k largest gains of gain * discount(rank). Source: Järvelin and Kekäläinen,
    Cumulated gain-based evaluation of IR techniques, TOIS 2002.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.idcg("rec", "truth", k=2))
    shape: (1, 1)
    ┌──────────┐
    │ idcg@2   │
    │ ---      │
    │ f64      │
    ╞══════════╡
    │ 8.892789 │
    └──────────┘
    """
    return _plugin.evaluate("idcg", [rec, truth], k, options)


def auc(rec: Column, truth: Column, k: K = None, **options: Unpack[AucOptions]) -> pl.Expr:
    """Share of the (hit, miss) pairs in the top k that are in the right order. It measures the ranks of
    the hits, and not their number.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Expr, optional
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
    Expr
        Float64, 0 to 1, named ``auc@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: pairs with the hit above the miss / (hits * misses). Source: Hivemall, Ranking Problems:
    Area Under the ROC Curve.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.auc("rec", "truth", k=2))
    shape: (1, 1)
    ┌───────┐
    │ auc@2 │
    │ ---   │
    │ f64   │
    ╞═══════╡
    │ 1.0   │
    └───────┘
    """
    return _plugin.evaluate("auc", [rec, truth], k, options)


def r_precision(rec: Column, truth: Column, **options: Unpack[RPrecisionOptions]) -> pl.Expr:
    """Precision at R, the number of relevant items.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
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
    Expr
        Float64, 0 to 1, named ``r_precision``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: hits in the top R / R. Source: Buckley and Voorhees, Evaluating evaluation measure
    stability, SIGIR 2000.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.r_precision("rec", "truth"))
    shape: (1, 1)
    ┌─────────────┐
    │ r_precision │
    │ ---         │
    │ f64         │
    ╞═════════════╡
    │ 0.666667    │
    └─────────────┘
    """
    return _plugin.evaluate("r_precision", [rec, truth], None, options)


def rbp(rec: Column, truth: Column, k: K = None, **options: Unpack[RbpOptions]) -> pl.Expr:
    """Rank-biased precision: the expected share of hits among the items that a user sees. After each item,
    the user goes on to the next one with probability p.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Expr, optional
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
    Expr
        Float64, 0 to 1, named ``rbp@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: (1 - p) * sum over hits of gain * p^(rank - 1), where gain is 1 or rel. Source: Moffat and
    Zobel, Rank-biased precision for measurement of retrieval effectiveness, TOIS 2008.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.rbp("rec", "truth", k=2))
    shape: (1, 1)
    ┌───────┐
    │ rbp@2 │
    │ ---   │
    │ f64   │
    ╞═══════╡
    │ 0.2   │
    └───────┘
    """
    return _plugin.evaluate("rbp", [rec, truth], k, options)


def err(rec: Column, truth: Column, k: K = None, **options: Unpack[ErrOptions]) -> pl.Expr:
    """Expected reciprocal rank: the expected 1 / rank of the item at which a user stops, where a user
    stops at an item the more probably, the more relevant it is.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Expr, optional
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
    Expr
        Float64, 0 to 1, named ``err@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: sum over ranks of R(rank) / rank * product over earlier ranks of (1 - R), where R is (2^rel
    - 1) / 2^max_rel. Source: Chapelle et al., Expected reciprocal rank for graded relevance, CIKM 2009.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.err("rec", "truth", k=2, max_rel=3))
    shape: (1, 1)
    ┌───────┐
    │ err@2 │
    │ ---   │
    │ f64   │
    ╞═══════╡
    │ 0.875 │
    └───────┘
    """
    return _plugin.evaluate("err", [rec, truth], k, options)


def rankdcg(rec: Column, truth: Column, **options: Unpack[RankdcgOptions]) -> pl.Expr:
    """RankDCG: how well the whole order is kept, 1 for the perfect one and 0 for the worst. It takes no k:
    judged items that were not retrieved come last, in the worst order. Retrieved items without a
    judgement have relevance 0, and a repeated item counts once, at its best place. NULL without two
    distinct relevances, or 0 if nothing was retrieved and an item of truth has another relevance than
    0.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
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
    Expr
        Float64, 0 to 1, named ``rankdcg``. NULL where `truth` is. NULL without two distinct relevances
        among what was judged and retrieved; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: (DCG' - lowest) / (highest - lowest), where DCG' is the sum of level / reversed ideal
    level. Source: Katerenchuk and Rosenberg, RankDCG: Rank-Ordering Evaluation Measure, LREC 2016,
    section 4.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.rankdcg("rec", "truth"))
    shape: (1, 1)
    ┌──────────┐
    │ rankdcg  │
    │ ---      │
    │ f64      │
    ╞══════════╡
    │ 0.793103 │
    └──────────┘
    """
    return _plugin.evaluate("rankdcg", [rec, truth], None, options)


def rank_metrics(rec: Column, truth: Column, k: K = None, **options: Unpack[RankMetricsOptions]) -> pl.Expr:
    """Eight metrics in one pass, in a struct with k: precision, recall, f1, hit_rate, mrr,
    average_precision, ndcg, auc.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int or Expr, optional
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
    Expr
        Struct of k, precision, recall, f1, hit_rate, mrr, average_precision, ndcg, auc, named
        ``rank_metrics@k``. NULL where `truth` is. Each metric by itself: NULL without a relevant item,
        unless `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: each as on its own. Source: those of the metrics.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.rank_metrics("rec", "truth", k=2))
    shape: (1, 1)
    ┌─────────────────────────────────┐
    │ rank_metrics@2                  │
    │ ---                             │
    │ struct[9]                       │
    ╞═════════════════════════════════╡
    │ {2,0.5,0.333333,0.4,1.0,1.0,0.… │
    └─────────────────────────────────┘
    """
    return _plugin.evaluate("rank_metrics", [rec, truth], k, options)


def rank_metrics_at(rec: Column, truth: Column, ks: Ks, **options: Unpack[RankMetricsAtOptions]) -> pl.Expr:
    """The same eight metrics for each of several k, in one pass.

    Parameters
    ----------
    rec : str, Expr, Series or list
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : str, Expr, Series or list
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items
        to relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    ks : list of int, or Expr
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
    Expr
        List, one struct for each k, of k, precision, recall, f1, hit_rate, mrr, average_precision, ndcg,
        auc, named ``rank_metrics_at``. NULL where `truth` is. Each metric by itself: NULL without a
        relevant item, unless `no_relevant` says otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: each as on its own. Source: those of the metrics.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "rec": [["a", "c", "b"]],
    ...         "truth": [[{"item": "a", "rel": 3}, {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]],
    ...     }
    ... )
    >>> frame.select(rk.rank_metrics_at("rec", "truth", ks=[1, 2]))
    shape: (1, 1)
    ┌─────────────────────────────────┐
    │ rank_metrics_at                 │
    │ ---                             │
    │ list[struct[9]]                 │
    ╞═════════════════════════════════╡
    │ [{1,1.0,0.333333,0.5,1.0,1.0,0… │
    └─────────────────────────────────┘
    """
    return _plugin.evaluate("rank_metrics_at", [rec, truth], ks, options)


def ndcg_rels(rels: Column, k: K = None, **options: Unpack[NdcgRelsOptions]) -> pl.Expr:
    """Evaluate `ndcg` on relevances in ranked order.

    Formula, NULL rules and errors are those of `ndcg`.

    Parameters
    ----------
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    **options
        gain, discount, idcg, min_rel, no_relevant, convention: as in `ndcg`.

    Returns
    -------
    Expr
        As from `ndcg`. NULL where `rels` is.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.ndcg_rels("rels", k=2)).rows()
    [(0.7871546029909718,)]
    """
    return _plugin.evaluate("ndcg_rels", [rels], k, options)


def cg_rels(rels: Column, k: K = None, **options: Unpack[CgRelsOptions]) -> pl.Expr:
    """Evaluate `cg` on relevances in ranked order.

    Formula, NULL rules and errors are those of `cg`.

    Parameters
    ----------
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    **options
        no_relevant, convention: as in `cg`.

    Returns
    -------
    Expr
        As from `cg`. NULL where `rels` is.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.cg_rels("rels", k=2)).rows()
    [(3.0,)]
    """
    return _plugin.evaluate("cg_rels", [rels], k, options)


def dcg_rels(rels: Column, k: K = None, **options: Unpack[DcgRelsOptions]) -> pl.Expr:
    """Evaluate `dcg` on relevances in ranked order.

    Formula, NULL rules and errors are those of `dcg`.

    Parameters
    ----------
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    **options
        gain, discount, min_rel, no_relevant, convention: as in `dcg`.

    Returns
    -------
    Expr
        As from `dcg`. NULL where `rels` is.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.dcg_rels("rels", k=2)).rows()
    [(7.0,)]
    """
    return _plugin.evaluate("dcg_rels", [rels], k, options)


def idcg_rels(rels: Column, k: K = None, **options: Unpack[IdcgRelsOptions]) -> pl.Expr:
    """Evaluate `idcg` on relevances in ranked order.

    Formula, NULL rules and errors are those of `idcg`.

    Parameters
    ----------
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    **options
        gain, discount, idcg, min_rel, no_relevant, convention: as in `idcg`.

    Returns
    -------
    Expr
        As from `idcg`. NULL where `rels` is.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.idcg_rels("rels", k=2)).rows()
    [(8.892789260714373,)]
    """
    return _plugin.evaluate("idcg_rels", [rels], k, options)


def err_rels(rels: Column, k: K = None, **options: Unpack[ErrRelsOptions]) -> pl.Expr:
    """Evaluate `err` on relevances in ranked order.

    Formula, NULL rules and errors are those of `err`.

    Parameters
    ----------
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    **options
        max_rel, no_relevant, convention: as in `err`.

    Returns
    -------
    Expr
        As from `err`. NULL where `rels` is.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.err_rels("rels", k=2, max_rel=3)).rows()
    [(0.875,)]
    """
    return _plugin.evaluate("err_rels", [rels], k, options)


def precision_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[PrecisionScoredOptions]
) -> pl.Expr:
    """Evaluate `precision` on items in the order of their scores.

    Formula, NULL rules and errors are those of `precision`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
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
    Expr
        As from `precision`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.precision_scored("scores", "rels", k=2)).rows()
    [(0.5,)]
    """
    return _plugin.evaluate("precision_scored", [scores, rels], k, options)


def recall_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[RecallScoredOptions]
) -> pl.Expr:
    """Evaluate `recall` on items in the order of their scores.

    Formula, NULL rules and errors are those of `recall`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
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
    Expr
        As from `recall`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.recall_scored("scores", "rels", k=2)).rows()
    [(0.3333333333333333,)]
    """
    return _plugin.evaluate("recall_scored", [scores, rels], k, options)


def f1_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[F1ScoredOptions]) -> pl.Expr:
    """Evaluate `f1` on items in the order of their scores.

    Formula, NULL rules and errors are those of `f1`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
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
    Expr
        As from `f1`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.f1_scored("scores", "rels", k=2)).rows()
    [(0.4,)]
    """
    return _plugin.evaluate("f1_scored", [scores, rels], k, options)


def hit_rate_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[HitRateScoredOptions]
) -> pl.Expr:
    """Evaluate `hit_rate` on items in the order of their scores.

    Formula, NULL rules and errors are those of `hit_rate`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
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
    Expr
        As from `hit_rate`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.hit_rate_scored("scores", "rels", k=2)).rows()
    [(1.0,)]
    """
    return _plugin.evaluate("hit_rate_scored", [scores, rels], k, options)


def mrr_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[MrrScoredOptions]) -> pl.Expr:
    """Evaluate `mrr` on items in the order of their scores.

    Formula, NULL rules and errors are those of `mrr`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
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
    Expr
        As from `mrr`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.mrr_scored("scores", "rels", k=2)).rows()
    [(1.0,)]
    """
    return _plugin.evaluate("mrr_scored", [scores, rels], k, options)


def average_precision_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[AveragePrecisionScoredOptions]
) -> pl.Expr:
    """Evaluate `average_precision` on items in the order of their scores.

    Formula, NULL rules and errors are those of `average_precision`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
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
    Expr
        As from `average_precision`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.average_precision_scored("scores", "rels", k=2)).rows()
    [(0.3333333333333333,)]
    """
    return _plugin.evaluate("average_precision_scored", [scores, rels], k, options)


def ndcg_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[NdcgScoredOptions]) -> pl.Expr:
    """Evaluate `ndcg` on items in the order of their scores.

    Formula, NULL rules and errors are those of `ndcg`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
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
    Expr
        As from `ndcg`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.ndcg_scored("scores", "rels", k=2)).rows()
    [(0.7871546029909718,)]
    """
    return _plugin.evaluate("ndcg_scored", [scores, rels], k, options)


def cg_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[CgScoredOptions]) -> pl.Expr:
    """Evaluate `cg` on items in the order of their scores.

    Formula, NULL rules and errors are those of `cg`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
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
    Expr
        As from `cg`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.cg_scored("scores", "rels", k=2)).rows()
    [(3.0,)]
    """
    return _plugin.evaluate("cg_scored", [scores, rels], k, options)


def dcg_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[DcgScoredOptions]) -> pl.Expr:
    """Evaluate `dcg` on items in the order of their scores.

    Formula, NULL rules and errors are those of `dcg`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
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
    Expr
        As from `dcg`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.dcg_scored("scores", "rels", k=2)).rows()
    [(7.0,)]
    """
    return _plugin.evaluate("dcg_scored", [scores, rels], k, options)


def idcg_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[IdcgScoredOptions]) -> pl.Expr:
    """Evaluate `idcg` on items in the order of their scores.

    Formula, NULL rules and errors are those of `idcg`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
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
    Expr
        As from `idcg`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.idcg_scored("scores", "rels", k=2)).rows()
    [(8.892789260714373,)]
    """
    return _plugin.evaluate("idcg_scored", [scores, rels], k, options)


def auc_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[AucScoredOptions]) -> pl.Expr:
    """Evaluate `auc` on items in the order of their scores.

    Formula, NULL rules and errors are those of `auc`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
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
    Expr
        As from `auc`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.auc_scored("scores", "rels", k=2)).rows()
    [(1.0,)]
    """
    return _plugin.evaluate("auc_scored", [scores, rels], k, options)


def r_precision_scored(scores: Column, rels: Column, **options: Unpack[RPrecisionScoredOptions]) -> pl.Expr:
    """Evaluate `r_precision` on items in the order of their scores.

    Formula, NULL rules and errors are those of `r_precision`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
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
    Expr
        As from `r_precision`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.r_precision_scored("scores", "rels")).rows()
    [(0.6666666666666666,)]
    """
    return _plugin.evaluate("r_precision_scored", [scores, rels], None, options)


def rbp_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[RbpScoredOptions]) -> pl.Expr:
    """Evaluate `rbp` on items in the order of their scores.

    Formula, NULL rules and errors are those of `rbp`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
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
    Expr
        As from `rbp`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.rbp_scored("scores", "rels", k=2)).rows()
    [(0.19999999999999996,)]
    """
    return _plugin.evaluate("rbp_scored", [scores, rels], k, options)


def err_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[ErrScoredOptions]) -> pl.Expr:
    """Evaluate `err` on items in the order of their scores.

    Formula, NULL rules and errors are those of `err`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
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
    Expr
        As from `err`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.err_scored("scores", "rels", k=2, max_rel=3)).rows()
    [(0.875,)]
    """
    return _plugin.evaluate("err_scored", [scores, rels], k, options)


def roc_auc(scores: Column, rels: Column, **options: Unpack[RocAucOptions]) -> pl.Expr:
    """Area under the ROC curve: share of the (relevant, irrelevant) pairs of items in the right order.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL leaves the item out.
    rels : str, Expr, Series or list
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
    Expr
        Float64, 0 to 1, named ``roc_auc``. NULL where there is no relevance. NULL without a relevant and an
        irrelevant item.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: (pairs with the relevant item above + tied pairs / 2) / (relevant * irrelevant). Source:
    Hanley and McNeil, The meaning and use of the area under a ROC curve, Radiology 1982.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.roc_auc("scores", "rels"))
    shape: (1, 1)
    ┌─────────┐
    │ roc_auc │
    │ ---     │
    │ f64     │
    ╞═════════╡
    │ 0.5     │
    └─────────┘
    """
    return _plugin.evaluate("roc_auc", [scores, rels], None, options)


def kendall_tau(scores: Column, rels: Column, **options: Unpack[KendallTauOptions]) -> pl.Expr:
    """Kendall's tau-b: how well two orders of the same items agree, where items may tie in both.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL leaves the item out.
    rels : str, Expr, Series or list
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
    Expr
        Float64, -1 to 1, named ``kendall_tau``. NULL where there is no relevance. NULL without two distinct
        scores and two distinct relevances.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Formula: (concordant - discordant) / sqrt(pairs untied in scores * pairs untied in rels). Source:
    Kendall, The treatment of ties in ranking problems, Biometrika 1945.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.kendall_tau("scores", "rels"))
    shape: (1, 1)
    ┌─────────────┐
    │ kendall_tau │
    │ ---         │
    │ f64         │
    ╞═════════════╡
    │ 0.333333    │
    └─────────────┘
    """
    return _plugin.evaluate("kendall_tau", [scores, rels], None, options)


def rank_metrics_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[RankMetricsScoredOptions]
) -> pl.Expr:
    """Evaluate `rank_metrics` on items in the order of their scores.

    Formula, NULL rules and errors are those of `rank_metrics`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    k : int or Expr, optional
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
    Expr
        As from `rank_metrics`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.rank_metrics_scored("scores", "rels", k=2))
    shape: (1, 1)
    ┌─────────────────────────────────┐
    │ rank_metrics@2                  │
    │ ---                             │
    │ struct[9]                       │
    ╞═════════════════════════════════╡
    │ {2,0.5,0.333333,0.4,1.0,1.0,0.… │
    └─────────────────────────────────┘
    """
    return _plugin.evaluate("rank_metrics_scored", [scores, rels], k, options)


def rank_metrics_at_scored(
    scores: Column, rels: Column, ks: Ks, **options: Unpack[RankMetricsAtScoredOptions]
) -> pl.Expr:
    """Evaluate `rank_metrics_at` on items in the order of their scores.

    Formula, NULL rules and errors are those of `rank_metrics_at`.

    Parameters
    ----------
    scores : str, Expr, Series or list
        Scores, element by element beside `rels`. A NULL is an item that was not retrieved.
    rels : str, Expr, Series or list
        Relevances, numbers or booleans, one for each item. A NULL is an item without a judgement.
    ks : list of int, or Expr
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
    Expr
        As from `rank_metrics_at`. NULL where there is no relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.rank_metrics_at_scored("scores", "rels", ks=[1, 2]))
    shape: (1, 1)
    ┌─────────────────────────────────┐
    │ rank_metrics_at                 │
    │ ---                             │
    │ list[struct[9]]                 │
    ╞═════════════════════════════════╡
    │ [{1,1.0,0.333333,0.5,1.0,1.0,0… │
    └─────────────────────────────────┘
    """
    return _plugin.evaluate("rank_metrics_at_scored", [scores, rels], ks, options)


def precision_agg(score: Column, rel: Column, k: K = None, **options: Unpack[PrecisionAggOptions]) -> pl.Expr:
    """Evaluate `precision` on the rows of a group.

    Formula, NULL rules and errors are those of `precision`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them. One number for
        each group.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `precision`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.precision_agg("score", "rel", k=2)).rows()
    [(1, 0.5)]
    """
    return _plugin.aggregate("precision_agg", [score, rel], k, options)


def recall_agg(score: Column, rel: Column, k: K = None, **options: Unpack[RecallAggOptions]) -> pl.Expr:
    """Evaluate `recall` on the rows of a group.

    Formula, NULL rules and errors are those of `recall`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them. One number for
        each group.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `recall`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.recall_agg("score", "rel", k=2)).rows()
    [(1, 0.3333333333333333)]
    """
    return _plugin.aggregate("recall_agg", [score, rel], k, options)


def f1_agg(score: Column, rel: Column, k: K = None, **options: Unpack[F1AggOptions]) -> pl.Expr:
    """Evaluate `f1` on the rows of a group.

    Formula, NULL rules and errors are those of `f1`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them. One number for
        each group.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `f1`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.f1_agg("score", "rel", k=2)).rows()
    [(1, 0.4)]
    """
    return _plugin.aggregate("f1_agg", [score, rel], k, options)


def hit_rate_agg(score: Column, rel: Column, k: K = None, **options: Unpack[HitRateAggOptions]) -> pl.Expr:
    """Evaluate `hit_rate` on the rows of a group.

    Formula, NULL rules and errors are those of `hit_rate`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them. One number for
        each group.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `hit_rate`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.hit_rate_agg("score", "rel", k=2)).rows()
    [(1, 1.0)]
    """
    return _plugin.aggregate("hit_rate_agg", [score, rel], k, options)


def mrr_agg(score: Column, rel: Column, k: K = None, **options: Unpack[MrrAggOptions]) -> pl.Expr:
    """Evaluate `mrr` on the rows of a group.

    Formula, NULL rules and errors are those of `mrr`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them. One number for
        each group.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `mrr`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.mrr_agg("score", "rel", k=2)).rows()
    [(1, 1.0)]
    """
    return _plugin.aggregate("mrr_agg", [score, rel], k, options)


def average_precision_agg(
    score: Column, rel: Column, k: K = None, **options: Unpack[AveragePrecisionAggOptions]
) -> pl.Expr:
    """Evaluate `average_precision` on the rows of a group.

    Formula, NULL rules and errors are those of `average_precision`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them. One number for
        each group.
    ap_steps : {"rank", "threshold"}, default "rank"
        Rank at which average precision of items with scores measures the precision of a hit: the rank of
        the hit, or the last rank of its score in the top k.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `average_precision`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.average_precision_agg("score", "rel", k=2)).rows()
    [(1, 0.3333333333333333)]
    """
    return _plugin.aggregate("average_precision_agg", [score, rel], k, options)


def ndcg_agg(score: Column, rel: Column, k: K = None, **options: Unpack[NdcgAggOptions]) -> pl.Expr:
    """Evaluate `ndcg` on the rows of a group.

    Formula, NULL rules and errors are those of `ndcg`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them. One number for
        each group.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `ndcg`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.ndcg_agg("score", "rel", k=2)).rows()
    [(1, 0.7871546029909718)]
    """
    return _plugin.aggregate("ndcg_agg", [score, rel], k, options)


def cg_agg(score: Column, rel: Column, k: K = None, **options: Unpack[CgAggOptions]) -> pl.Expr:
    """Evaluate `cg` on the rows of a group.

    Formula, NULL rules and errors are those of `cg`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them. One number for
        each group.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `cg`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.cg_agg("score", "rel", k=2)).rows()
    [(1, 3.0)]
    """
    return _plugin.aggregate("cg_agg", [score, rel], k, options)


def dcg_agg(score: Column, rel: Column, k: K = None, **options: Unpack[DcgAggOptions]) -> pl.Expr:
    """Evaluate `dcg` on the rows of a group.

    Formula, NULL rules and errors are those of `dcg`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them. One number for
        each group.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `dcg`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.dcg_agg("score", "rel", k=2)).rows()
    [(1, 7.0)]
    """
    return _plugin.aggregate("dcg_agg", [score, rel], k, options)


def idcg_agg(score: Column, rel: Column, k: K = None, **options: Unpack[IdcgAggOptions]) -> pl.Expr:
    """Evaluate `idcg` on the rows of a group.

    Formula, NULL rules and errors are those of `idcg`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them. One number for
        each group.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `idcg`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.idcg_agg("score", "rel", k=2)).rows()
    [(1, 8.892789260714373)]
    """
    return _plugin.aggregate("idcg_agg", [score, rel], k, options)


def auc_agg(score: Column, rel: Column, k: K = None, **options: Unpack[AucAggOptions]) -> pl.Expr:
    """Evaluate `auc` on the rows of a group.

    Formula, NULL rules and errors are those of `auc`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them. One number for
        each group.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `auc`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.auc_agg("score", "rel", k=2)).rows()
    [(1, 1.0)]
    """
    return _plugin.aggregate("auc_agg", [score, rel], k, options)


def r_precision_agg(score: Column, rel: Column, **options: Unpack[RPrecisionAggOptions]) -> pl.Expr:
    """Evaluate `r_precision` on the rows of a group.

    Formula, NULL rules and errors are those of `r_precision`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `r_precision`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.r_precision_agg("score", "rel")).rows()
    [(1, 0.6666666666666666)]
    """
    return _plugin.aggregate("r_precision_agg", [score, rel], None, options)


def rbp_agg(score: Column, rel: Column, k: K = None, **options: Unpack[RbpAggOptions]) -> pl.Expr:
    """Evaluate `rbp` on the rows of a group.

    Formula, NULL rules and errors are those of `rbp`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them. One number for
        each group.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `rbp`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.rbp_agg("score", "rel", k=2)).rows()
    [(1, 0.19999999999999996)]
    """
    return _plugin.aggregate("rbp_agg", [score, rel], k, options)


def err_agg(score: Column, rel: Column, k: K = None, **options: Unpack[ErrAggOptions]) -> pl.Expr:
    """Evaluate `err` on the rows of a group.

    Formula, NULL rules and errors are those of `err`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them. One number for
        each group.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `err`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.err_agg("score", "rel", k=2, max_rel=3)).rows()
    [(1, 0.875)]
    """
    return _plugin.aggregate("err_agg", [score, rel], k, options)


def roc_auc_agg(score: Column, rel: Column, **options: Unpack[RocAucAggOptions]) -> pl.Expr:
    """Evaluate `roc_auc` on the rows of a group.

    Formula, NULL rules and errors are those of `roc_auc`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. A NULL leaves the item out.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. A NULL leaves the item out.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    **options
        min_rel, score_type, convention: as in `roc_auc`.

    Returns
    -------
    Expr
        As from `roc_auc`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.roc_auc_agg("score", "rel")).rows()
    [(1, 0.5)]
    """
    return _plugin.aggregate("roc_auc_agg", [score, rel], None, options)


def kendall_tau_agg(score: Column, rel: Column, **options: Unpack[KendallTauAggOptions]) -> pl.Expr:
    """Evaluate `kendall_tau` on the rows of a group.

    Formula, NULL rules and errors are those of `kendall_tau`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. A NULL leaves the item out.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. A NULL leaves the item out.
    **options
        score_type, convention: as in `kendall_tau`.

    Returns
    -------
    Expr
        As from `kendall_tau`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.kendall_tau_agg("score", "rel")).rows()
    [(1, 0.3333333333333333)]
    """
    return _plugin.aggregate("kendall_tau_agg", [score, rel], None, options)


def rankdcg_agg(score: Column, rel: Column, **options: Unpack[RankdcgAggOptions]) -> pl.Expr:
    """Evaluate `rankdcg` on the rows of a group.

    Formula, NULL rules and errors are those of `rankdcg`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    ties : {"average", "pessimistic", "optimistic"}, default "pessimistic"
        Order of tied items. average: the expected value over all orders; pessimistic: the least relevant
        item first; optimistic: the most relevant item first; input_order: the order of the list; item_asc,
        item_desc: by item, in _rows, _by_user, ranked_list and evaluate only. rankdcg has the default
        pessimistic, and ranked_list item_asc.
    **options
        empty_rec, unjudged, score_type, convention: as in `rankdcg`.

    Returns
    -------
    Expr
        As from `rankdcg`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.rankdcg_agg("score", "rel")).rows()
    [(1, 0.7931034482758621)]
    """
    return _plugin.aggregate("rankdcg_agg", [score, rel], None, options)


def rank_metrics_agg(
    score: Column, rel: Column, k: K = None, **options: Unpack[RankMetricsAggOptions]
) -> pl.Expr:
    """Evaluate `rank_metrics` on the rows of a group.

    Formula, NULL rules and errors are those of `rank_metrics`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them. One number for
        each group.
    ap_steps : {"rank", "threshold"}, default "rank"
        Rank at which average precision of items with scores measures the precision of a hit: the rank of
        the hit, or the last rank of its score in the top k.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `rank_metrics`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.rank_metrics_agg("score", "rel", k=2))
    shape: (1, 2)
    ┌────────┬─────────────────────────────────┐
    │ userid ┆ rank_metrics@2                  │
    │ ---    ┆ ---                             │
    │ i64    ┆ struct[9]                       │
    ╞════════╪═════════════════════════════════╡
    │ 1      ┆ {2,0.5,0.333333,0.4,1.0,1.0,0.… │
    └────────┴─────────────────────────────────┘
    """
    return _plugin.aggregate("rank_metrics_agg", [score, rel], k, options)


def rank_metrics_at_agg(
    score: Column, rel: Column, ks: Ks, **options: Unpack[RankMetricsAtAggOptions]
) -> pl.Expr:
    """Evaluate `rank_metrics_at` on the rows of a group.

    Formula, NULL rules and errors are those of `rank_metrics_at`.

    Parameters
    ----------
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    ks : list of int, or Expr
        Several k. NULL among them is the whole list.
    ap_steps : {"rank", "threshold"}, default "rank"
        Rank at which average precision of items with scores measures the precision of a hit: the rank of
        the hit, or the last rank of its score in the top k.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
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
    Expr
        As from `rank_metrics_at`. NULL where no row has a relevance.

    Notes
    -----
    One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user
    and an item: remove repeated rows from both tables first.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.rank_metrics_at_agg("score", "rel", ks=[1, 2]))
    shape: (1, 2)
    ┌────────┬─────────────────────────────────┐
    │ userid ┆ rank_metrics_at                 │
    │ ---    ┆ ---                             │
    │ i64    ┆ list[struct[9]]                 │
    ╞════════╪═════════════════════════════════╡
    │ 1      ┆ [{1,1.0,0.333333,0.5,1.0,1.0,0… │
    └────────┴─────────────────────────────────┘
    """
    return _plugin.aggregate("rank_metrics_at_agg", [score, rel], ks, options)


def rank_metrics_by_user(
    userid: Column,
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    **options: Unpack[RankMetricsByUserOptions],
) -> pl.Expr:
    """Evaluate `rank_metrics` on the rows of all users.

    Formula, NULL rules and errors are those of `rank_metrics`.

    Parameters
    ----------
    userid : str, Expr, Series or list
        The user. A row without a user is left out.
    item : str, Expr, Series or list
        The item. NULL matches no item.
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    k : int or Expr, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ap_steps : {"rank", "threshold"}, default "rank"
        Rank at which average precision of items with scores measures the precision of a hit: the rank of
        the hit, or the last rank of its score in the top k.
    ties : {"average", "pessimistic", "optimistic", "item_asc", "item_desc"}, default "average"
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
    Expr
        Struct of the user, k, precision, recall, f1, hit_rate, mrr, average_precision, ndcg, auc, with a
        row for each user. The user has the name and the type of `userid`. The order of users depends on
        nothing but the users. Each metric by itself: NULL for a user without judgements, and where nothing
        is relevant, unless `no_relevant` says otherwise; 0 where nothing was retrieved.

    Notes
    -----
    Each row is a recommendation, with a score, or a judgement, with a relevance. `pl.concat` puts the
    rows of both frames one after the other. `evaluate_frames` takes the two frames as they are, and
    needs less memory. Rows that repeat an item of a user count once: with the largest score, and with
    their one relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "userid": [1, 1, 1, 1, 1],
    ...         "item": ["a", "c", "b", "a", "b"],
    ...         "score": [0.9, 0.5, 0.4, None, None],
    ...         "rel": [None, None, None, 3, 1],
    ...     }
    ... )
    >>> frame.select(rk.rank_metrics_by_user("userid", "item", "score", "rel", k=2).struct.unnest())
    shape: (1, 10)
    ┌────────┬─────┬───────────┬────────┬───┬─────┬───────────────────┬──────────┬─────┐
    │ userid ┆ k   ┆ precision ┆ recall ┆ … ┆ mrr ┆ average_precision ┆ ndcg     ┆ auc │
    │ ---    ┆ --- ┆ ---       ┆ ---    ┆   ┆ --- ┆ ---               ┆ ---      ┆ --- │
    │ i64    ┆ i64 ┆ f64       ┆ f64    ┆   ┆ f64 ┆ f64               ┆ f64      ┆ f64 │
    ╞════════╪═════╪═══════════╪════════╪═══╪═════╪═══════════════════╪══════════╪═════╡
    │ 1      ┆ 2   ┆ 0.5       ┆ 0.5    ┆ … ┆ 1.0 ┆ 0.5               ┆ 0.917319 ┆ 1.0 │
    └────────┴─────┴───────────┴────────┴───┴─────┴───────────────────┴──────────┴─────┘
    """
    return _plugin.by_user("rank_metrics_by_user", [userid, item, score, rel], k, options)


def rank_metrics_at_by_user(
    userid: Column,
    item: Column,
    score: Column,
    rel: Column,
    ks: Ks,
    **options: Unpack[RankMetricsAtByUserOptions],
) -> pl.Expr:
    """Evaluate `rank_metrics_at` on the rows of all users.

    Formula, NULL rules and errors are those of `rank_metrics_at`.

    Parameters
    ----------
    userid : str, Expr, Series or list
        The user. A row without a user is left out.
    item : str, Expr, Series or list
        The item. NULL matches no item.
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    ks : list of int, or Expr
        Several k. NULL among them is the whole list.
    ap_steps : {"rank", "threshold"}, default "rank"
        Rank at which average precision of items with scores measures the precision of a hit: the rank of
        the hit, or the last rank of its score in the top k.
    ties : {"average", "pessimistic", "optimistic", "item_asc", "item_desc"}, default "average"
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
    Expr
        Struct of the user, k, precision, recall, f1, hit_rate, mrr, average_precision, ndcg, auc, with a
        row for each user and k. The user has the name and the type of `userid`. The order of users depends
        on nothing but the users. Each metric by itself: NULL for a user without judgements, and where
        nothing is relevant, unless `no_relevant` says otherwise; 0 where nothing was retrieved.

    Notes
    -----
    Each row is a recommendation, with a score, or a judgement, with a relevance. `pl.concat` puts the
    rows of both frames one after the other. `evaluate_frames` takes the two frames as they are, and
    needs less memory. Rows that repeat an item of a user count once: with the largest score, and with
    their one relevance.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "userid": [1, 1, 1, 1, 1],
    ...         "item": ["a", "c", "b", "a", "b"],
    ...         "score": [0.9, 0.5, 0.4, None, None],
    ...         "rel": [None, None, None, 3, 1],
    ...     }
    ... )
    >>> frame.select(rk.rank_metrics_at_by_user("userid", "item", "score", "rel", ks=[1, 2]).struct.unnest())
    shape: (2, 10)
    ┌────────┬─────┬───────────┬────────┬───┬─────┬───────────────────┬──────────┬─────┐
    │ userid ┆ k   ┆ precision ┆ recall ┆ … ┆ mrr ┆ average_precision ┆ ndcg     ┆ auc │
    │ ---    ┆ --- ┆ ---       ┆ ---    ┆   ┆ --- ┆ ---               ┆ ---      ┆ --- │
    │ i64    ┆ i64 ┆ f64       ┆ f64    ┆   ┆ f64 ┆ f64               ┆ f64      ┆ f64 │
    ╞════════╪═════╪═══════════╪════════╪═══╪═════╪═══════════════════╪══════════╪═════╡
    │ 1      ┆ 1   ┆ 1.0       ┆ 0.5    ┆ … ┆ 1.0 ┆ 0.5               ┆ 1.0      ┆ 0.5 │
    │ 1      ┆ 2   ┆ 0.5       ┆ 0.5    ┆ … ┆ 1.0 ┆ 0.5               ┆ 0.917319 ┆ 1.0 │
    └────────┴─────┴───────────┴────────┴───┴─────┴───────────────────┴──────────┴─────┘
    """
    return _plugin.by_user("rank_metrics_at_by_user", [userid, item, score, rel], ks, options)


def rank_evaluation_by_user(
    userid: Column,
    item: Column,
    score: Column,
    rel: Column,
    ks: Ks,
    **options: Unpack[RankEvaluationByUserOptions],
) -> pl.Expr:
    """The same eight metrics for each of several k, and counts of each user's rows: retrieved (items, up
    to the largest k), judged (items), and the repeats, which are rows of either kind after the first
    one with its item. retrieved_repeats is NULL if rows were dropped before they could be compared.

    Parameters
    ----------
    userid : str, Expr, Series or list
        The user. A row without a user is left out.
    item : str, Expr, Series or list
        The item. NULL matches no item.
    score : str, Expr, Series or list
        The item's score, a number. NULL for an item that was not retrieved.
    rel : str, Expr, Series or list
        The item's relevance, a number or a boolean. NULL for an item without a judgement.
    ks : list of int, or Expr
        Several k. NULL among them is the whole list.
    precision_denominator : {"retrieved", "k"}, default "retrieved"
        Denominator of precision: min(k, retrieved), or k.
    recall_denominator : {"truth", "min_truth_k"}, default "truth"
        Denominator of recall: the number of relevant items, or min(relevant, k).
    ap_denominator : {"truth", "min_truth_k", "hits", "k", "min_truth_retrieved"}, default "truth"
        Denominator of average precision: the number of relevant items, min(relevant, k), the hits in the
        top k, k, or min(relevant, k, retrieved).
    ap_steps : {"rank", "threshold"}, default "rank"
        Rank at which average precision of items with scores measures the precision of a hit: the rank of
        the hit, or the last rank of its score in the top k.
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
    ties : {"average", "pessimistic", "optimistic", "item_asc", "item_desc"}, default "average"
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
    Expr
        Struct of the user, retrieved, judged, retrieved_repeats, judged_repeats, k, precision, recall, f1,
        hit_rate, mrr, average_precision, ndcg, auc, with a row for each user and k. The user has the name
        and the type of `userid`. The order of users depends on nothing but the users. Each metric by
        itself: NULL for a user without judgements, and where nothing is relevant, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Raises
    ------
    ValueError
        For a k below 1, an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not valid relevances or scores. The message names the argument.

    Notes
    -----
    Each row is a recommendation, with a score, or a judgement, with a relevance. `pl.concat` puts the
    rows of both frames one after the other. `evaluate_frames` takes the two frames as they are, and
    needs less memory. Rows that repeat an item of a user count once: with the largest score, and with
    their one relevance. Formula: each as on its own. Source: those of the metrics.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {
    ...         "userid": [1, 1, 1, 1, 1],
    ...         "item": ["a", "c", "b", "a", "b"],
    ...         "score": [0.9, 0.5, 0.4, None, None],
    ...         "rel": [None, None, None, 3, 1],
    ...     }
    ... )
    >>> frame.select(rk.rank_evaluation_by_user("userid", "item", "score", "rel", ks=[1, 2]).struct.unnest())
    shape: (2, 14)
    ┌────────┬───────────┬────────┬───────────────────┬───┬─────┬───────────────────┬──────────┬─────┐
    │ userid ┆ retrieved ┆ judged ┆ retrieved_repeats ┆ … ┆ mrr ┆ average_precision ┆ ndcg     ┆ auc │
    │ ---    ┆ ---       ┆ ---    ┆ ---               ┆   ┆ --- ┆ ---               ┆ ---      ┆ --- │
    │ i64    ┆ i64       ┆ i64    ┆ i64               ┆   ┆ f64 ┆ f64               ┆ f64      ┆ f64 │
    ╞════════╪═══════════╪════════╪═══════════════════╪═══╪═════╪═══════════════════╪══════════╪═════╡
    │ 1      ┆ 2         ┆ 2      ┆ 0                 ┆ … ┆ 1.0 ┆ 0.5               ┆ 1.0      ┆ 0.5 │
    │ 1      ┆ 2         ┆ 2      ┆ 0                 ┆ … ┆ 1.0 ┆ 0.5               ┆ 0.917319 ┆ 1.0 │
    └────────┴───────────┴────────┴───────────────────┴───┴─────┴───────────────────┴──────────┴─────┘
    """
    return _plugin.by_user("rank_evaluation_by_user", [userid, item, score, rel], ks, options)


def mean_ci(x: Column, **options: Unpack[MeanCiOptions]) -> pl.Expr:
    """Confidence interval of the mean by Student's t. Equal values have no spread, so that their interval
    has no width. With lower_bound and upper_bound, it holds the means for which n such values are more
    probable than (1 - confidence) / 2.

    Parameters
    ----------
    x : str, Expr, Series or list
        A metric of each user, a number. A NULL leaves the user out.
    confidence : float, default 0.95
        Confidence level of the interval. Allowed: a number between 0 and 1.
    skewness : {"ignored", "hall", "gaffke"}, default "ignored"
        Treatment of skewness: it is ignored, or Hall's transformation takes it out of Student's t, which
        keeps errors near the stated level for skewed values of few users, or Gaffke's test keeps them below
        it for values between lower_bound and upper_bound (where one of these is unset, Hall's
        transformation takes its place).
    lower_bound : float, optional
        Least possible value, or difference of a pair. The interval of mean_ci does not reach below it,
        unless a value does. Intervals and paired_t_test judge equal values by it. Allowed: a number.
    upper_bound : float, optional
        Largest possible value, or difference of a pair. The interval of mean_ci does not reach above it,
        unless a value does. Intervals and paired_t_test judge equal values by it. Allowed: a number.

    Returns
    -------
    Expr
        Struct of n, mean, low, high, named ``mean_ci``. `n` is the number of users that count; of too few,
        the others are NULL.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not finite. The message names the argument.

    Notes
    -----
    Formula: mean -+ t * s / sqrt(n), t the quantile of Student's t with n - 1 degrees of freedom;
    skewness=hall and skewness=gaffke: the means at which the one-sided paired_t_test has the p-value (1
    - confidence) / 2. n equal values x between lower_bound and upper_bound: lower_bound + (x -
    lower_bound) * q to upper_bound - (upper_bound - x) * q, q = ((1 - confidence) / 2)^(1 / n). Source:
    Student, The Probable Error of a Mean, Biometrika 1908; scipy.stats.ttest_1samp(x,
    0).confidence_interval(); Clopper and Pearson, The Use of Confidence or Fiducial Limits, Biometrika
    1934; Hall, On the Removal of Skewness by Transformation, Journal of the Royal Statistical Society B
    1992; Gaffke, Three Test Statistics for a Nonparametric One-Sided Hypothesis on the Mean of a
    Nonnegative Variable, Mathematical Methods of Statistics 2005.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"x": [0.5, 0.75, 0.25, 0.9]})
    >>> frame.select(rk.mean_ci("x"))
    shape: (1, 1)
    ┌─────────────────────────┐
    │ mean_ci                 │
    │ ---                     │
    │ struct[4]               │
    ╞═════════════════════════╡
    │ {4,0.6,0.14527,1.05473} │
    └─────────────────────────┘
    """
    return _plugin.aggregate("mean_ci", [x], None, options)


def bootstrap_ci(x: Column, **options: Unpack[BootstrapCiOptions]) -> pl.Expr:
    """Confidence interval of the mean by the bootstrap, bias-corrected and accelerated (BCa). A resample
    is as many values as there are, drawn with replacement. If (n + 40) * resamples is at most 1000000,
    resamples are drawn. Otherwise their limit distribution is computed, and `resamples` and `seed` have
    no effect. For that, more than 512 distinct values are put into at most 512 groups of close values,
    which keep mean and variance. With lower_bound and upper_bound, values that are all equal have the
    interval of mean_ci.

    Parameters
    ----------
    x : str, Expr, Series or list
        A metric of each user, a number. A NULL leaves the user out.
    confidence : float, default 0.95
        Confidence level of the interval. Allowed: a number between 0 and 1.
    resamples : int, default 10000
        Number of resamples. bootstrap_ci, randomization_test and tukey_hsd draw fewer or none for some
        sizes of the sample, which their descriptions state. Allowed: a whole number from 1 to 1000000.
    seed : int, default 0
        Seed of the random numbers; the same seed draws the same resamples. Allowed: a whole number from 0
        to 18446744073709551615.
    lower_bound : float, optional
        Least possible value, or difference of a pair. The interval of mean_ci does not reach below it,
        unless a value does. Intervals and paired_t_test judge equal values by it. Allowed: a number.
    upper_bound : float, optional
        Largest possible value, or difference of a pair. The interval of mean_ci does not reach above it,
        unless a value does. Intervals and paired_t_test judge equal values by it. Allowed: a number.

    Returns
    -------
    Expr
        Struct of n, mean, low, high, named ``bootstrap_ci``. `n` is the number of users that count; of too
        few, the others are NULL.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not finite. The message names the argument.

    Notes
    -----
    Formula: quantiles of the resamples' means at Phi(z0 + (z0 + z) / (1 - a (z0 + z))). Source: Efron,
    Better Bootstrap Confidence Intervals, JASA 1987; scipy.stats.bootstrap(method='BCa').

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"x": [0.5, 0.75, 0.25, 0.9]})
    >>> frame.select(rk.bootstrap_ci("x"))
    shape: (1, 1)
    ┌─────────────────────┐
    │ bootstrap_ci        │
    │ ---                 │
    │ struct[4]           │
    ╞═════════════════════╡
    │ {4,0.6,0.375,0.825} │
    └─────────────────────┘
    """
    return _plugin.aggregate("bootstrap_ci", [x], None, options)


def paired_t_test(a: Column, b: Column, **options: Unpack[PairedTTestOptions]) -> pl.Expr:
    """Student's t test of a mean difference of 0 between pairs; statistic is t, and effect_size Cohen's
    d_z. With a margin, greater is the test that a is not inferior to b, and equivalence is two
    one-sided tests: p_value is the larger of theirs, and statistic its t. With lower_bound and
    upper_bound, the p_value of equal differences is the largest probability of such a sample, which for
    greater is ((bound - lower_bound) / (difference - lower_bound))^n.

    Parameters
    ----------
    a : str, Expr, Series or list
        A metric of each user, by one system. A NULL leaves the user out.
    b : str, Expr, Series or list
        The same metric of the same user, by another system. A NULL leaves the user out.
    alternative : {"two_sided", "less", "greater", "equivalence"}, default "two_sided"
        Alternative hypothesis: a and b differ, a is less than b, a is greater than b, or in the functions
        that take a margin, the two are equivalent; SciPy's two-sided is two_sided.
    margin : float, default 0
        Mean difference that does not matter. With it, greater is the alternative that the mean difference
        is above -margin (a is not inferior to b), less that it is below margin, and equivalence that it is
        between the two. Allowed: a finite number that is at least 0.
    tolerance : float, default 0
        Largest difference of a and b that is a tie, as a share of the larger of 1 and abs(b). A tie counts
        as a difference of 0. In wilcoxon_signed_rank, abs(a - b) of two pairs tie likewise. Allowed: a
        number that is at least 0.
    skewness : {"ignored", "hall", "gaffke"}, default "ignored"
        Treatment of skewness: it is ignored, or Hall's transformation takes it out of Student's t, which
        keeps errors near the stated level for skewed values of few users, or Gaffke's test keeps them below
        it for values between lower_bound and upper_bound (where one of these is unset, Hall's
        transformation takes its place).
    lower_bound : float, optional
        Least possible value, or difference of a pair. The interval of mean_ci does not reach below it,
        unless a value does. Intervals and paired_t_test judge equal values by it. Allowed: a number.
    upper_bound : float, optional
        Largest possible value, or difference of a pair. The interval of mean_ci does not reach above it,
        unless a value does. Intervals and paired_t_test judge equal values by it. Allowed: a number.

    Returns
    -------
    Expr
        Struct of n, mean_difference, statistic, p_value, effect_size, named ``paired_t_test``. `n` is the
        number of users that count; of too few, the others are NULL.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not finite. The message names the argument.

    Notes
    -----
    Formula: mean(a - b) / (s / sqrt(n)), with n - 1 degrees of freedom; greater: (mean(a - b) + margin)
    / (s / sqrt(n)); less: (mean(a - b) - margin) / (s / sqrt(n)); effect_size: mean(a - b) / s.
    skewness=hall: p_value is that of sqrt(n) * (w + g * w^2 / 3 + g^2 * w^3 / 27 + g / (6 * n)), w = t
    / sqrt(n), g the skewness of a - b, or with lower_bound and upper_bound Hoeffding's bound on it, if
    that is smaller: exp(-n * (m * ln(m / q) + (1 - m) * ln((1 - m) / (1 - q)))), m and q the mean and
    the denied mean as shares of the way between the bounds; skewness=gaffke: p_value for greater is the
    probability that the mean of the differences and lower_bound, with random weights that are uniformly
    distributed and sum to 1, is at most -margin, by the saddlepoint approximation; for less the same
    with all signs changed; for hits and misses the exact binomial test. Source: Student, The Probable
    Error of a Mean, Biometrika 1908; scipy.stats.ttest_rel; Schuirmann, A Comparison of the Two
    One-Sided Tests Procedure, Journal of Pharmacokinetics and Biopharmaceutics 1987; ttost_paired of
    statsmodels; Hall, On the Removal of Skewness by Transformation, Journal of the Royal Statistical
    Society B 1992; Hoeffding, Probability Inequalities for Sums of Bounded Random Variables, JASA 1963;
    Gaffke, Three Test Statistics for a Nonparametric One-Sided Hypothesis on the Mean of a Nonnegative
    Variable, Mathematical Methods of Statistics 2005; Lugannani and Rice, Saddle Point Approximation
    for the Distribution of the Sum of Independent Random Variables, Advances in Applied Probability
    1980.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7]})
    >>> frame.select(rk.paired_t_test("a", "b"))
    shape: (1, 1)
    ┌─────────────────────────────────┐
    │ paired_t_test                   │
    │ ---                             │
    │ struct[5]                       │
    ╞═════════════════════════════════╡
    │ {4,0.125,1.889822,0.155182,0.9… │
    └─────────────────────────────────┘
    """
    return _plugin.aggregate("paired_t_test", [a, b], None, options)


def paired_t_test_power(a: Column, b: Column, **options: Unpack[PairedTTestPowerOptions]) -> pl.Expr:
    """What a paired t test can find, judged by the standard deviation s of these differences.
    min_detectable_effect is the mean difference that a test of n pairs finds significant at alpha with
    probability `power`. users_needed is the least number of pairs with which a test finds a mean
    difference of the size `difference`. With a margin, users_needed is for the test of paired_t_test
    with that margin, if the true mean difference is `difference`, and min_detectable_effect is the
    least mean difference in the direction of the alternative with which a system is found not inferior,
    NULL for equivalence.

    Parameters
    ----------
    a : str, Expr, Series or list
        A metric of each user, by one system. A NULL leaves the user out.
    b : str, Expr, Series or list
        The same metric of the same user, by another system. A NULL leaves the user out.
    alternative : {"two_sided", "less", "greater", "equivalence"}, default "two_sided"
        Alternative hypothesis: a and b differ, a is less than b, a is greater than b, or in the functions
        that take a margin, the two are equivalent; SciPy's two-sided is two_sided.
    margin : float, default 0
        Mean difference that does not matter. With it, greater is the alternative that the mean difference
        is above -margin (a is not inferior to b), less that it is below margin, and equivalence that it is
        between the two. Allowed: a finite number that is at least 0.
    alpha : float, default 0.05
        Significance level of the test: the probability of a significant result if there is no difference.
        Allowed: a number from 0.000000001 to 0.5.
    power : float, default 0.8
        Probability of a significant result if there is a difference; it must be above alpha. Allowed: a
        number between 0 and 1.
    difference : float, optional
        Size of the true mean difference that users_needed is for; with a margin, that difference itself,
        which may be 0 or negative; unset: the observed one. Allowed: a number, above 0 without a margin.
    tolerance : float, default 0
        Largest difference of a and b that is a tie, as a share of the larger of 1 and abs(b). A tie counts
        as a difference of 0. In wilcoxon_signed_rank, abs(a - b) of two pairs tie likewise. Allowed: a
        number that is at least 0.
    skewness : {"ignored", "hall", "gaffke"}, default "ignored"
        Treatment of skewness: it is ignored, or Hall's transformation takes it out of Student's t, which
        keeps errors near the stated level for skewed values of few users, or Gaffke's test keeps them below
        it for values between lower_bound and upper_bound (where one of these is unset, Hall's
        transformation takes its place).
    lower_bound : float, optional
        Least possible value, or difference of a pair. The interval of mean_ci does not reach below it,
        unless a value does. Intervals and paired_t_test judge equal values by it. Allowed: a number.
    upper_bound : float, optional
        Largest possible value, or difference of a pair. The interval of mean_ci does not reach above it,
        unless a value does. Intervals and paired_t_test judge equal values by it. Allowed: a number.

    Returns
    -------
    Expr
        Struct of n, mean_difference, min_detectable_effect, users_needed, named ``paired_t_test_power``.
        `n` is the number of users that count; of too few, the others are NULL.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not finite. The message names the argument.

    Notes
    -----
    Formula: the mean difference d, or the least n, with P(|T| > t) >= power, T noncentral t with n - 1
    degrees of freedom and noncentrality d * sqrt(n) / s, and t the critical value at alpha; one-sided:
    P(T > t). With a margin, d is greater: difference + margin; less: margin - difference; equivalence:
    the probability that both one-sided tests are significant. skewness=gaffke: d is less by (d + l) /
    (n + 1), l the distance from the denied difference to the limit beyond it. Source: Cohen,
    Statistical Power Analysis for the Behavioral Sciences, 1988; TTestPower.solve_power of statsmodels;
    Phillips, Power of the Two One-Sided Tests Procedure in Bioequivalence, Journal of Pharmacokinetics
    and Biopharmaceutics 1990; power.TOST of PowerTOST.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7]})
    >>> frame.select(rk.paired_t_test_power("a", "b"))
    shape: (1, 1)
    ┌─────────────────────────┐
    │ paired_t_test_power     │
    │ ---                     │
    │ struct[4]               │
    ╞═════════════════════════╡
    │ {4,0.125,0.281501,11.0} │
    └─────────────────────────┘
    """
    return _plugin.aggregate("paired_t_test_power", [a, b], None, options)


def wilcoxon_signed_rank(a: Column, b: Column, **options: Unpack[WilcoxonSignedRankOptions]) -> pl.Expr:
    """Wilcoxon's signed-rank test of differences that are symmetric around 0. Pairs without a difference
    count in n and get no rank. p_value is exact up to 50 pairs that all differ and do not tie, and up
    to 13 pairs in any case, else by the normal approximation, corrected for ties. With a tolerance, the
    smallest |a - b| ties with those that exceed it by no more, and so on with the smallest of the rest.

    Parameters
    ----------
    a : str, Expr, Series or list
        A metric of each user, by one system. A NULL leaves the user out.
    b : str, Expr, Series or list
        The same metric of the same user, by another system. A NULL leaves the user out.
    alternative : {"two_sided", "less", "greater", "equivalence"}, default "two_sided"
        Alternative hypothesis: a and b differ, a is less than b, a is greater than b, or in the functions
        that take a margin, the two are equivalent; SciPy's two-sided is two_sided.
    tolerance : float, default 0
        Largest difference of a and b that is a tie, as a share of the larger of 1 and abs(b). A tie counts
        as a difference of 0. In wilcoxon_signed_rank, abs(a - b) of two pairs tie likewise. Allowed: a
        number that is at least 0.

    Returns
    -------
    Expr
        Struct of n, mean_difference, statistic, p_value, effect_size, named ``wilcoxon_signed_rank``. `n`
        is the number of users that count; of too few, the others are NULL.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not finite. The message names the argument.

    Notes
    -----
    Formula: sum of the ranks of |a - b| over the pairs with a > b; two_sided: the smaller of this sum
    and that over the pairs with a < b. Source: Wilcoxon, Individual Comparisons by Ranking Methods,
    Biometrics Bulletin 1945; scipy.stats.wilcoxon(a, b, correction=False) of SciPy 1.17.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7]})
    >>> frame.select(rk.wilcoxon_signed_rank("a", "b"))
    shape: (1, 1)
    ┌─────────────────────────────┐
    │ wilcoxon_signed_rank        │
    │ ---                         │
    │ struct[5]                   │
    ╞═════════════════════════════╡
    │ {4,0.125,1.0,0.25,0.944911} │
    └─────────────────────────────┘
    """
    return _plugin.aggregate("wilcoxon_signed_rank", [a, b], None, options)


def randomization_test(a: Column, b: Column, **options: Unpack[RandomizationTestOptions]) -> pl.Expr:
    """Fisher's randomization test of a mean difference of 0 between pairs. p_value is the share of ways to
    swap a and b within pairs in which the mean difference is as extreme as the observed one. statistic
    is the mean difference. Let m be the number of pairs that differ. Up to m = 30, all 2^m ways are
    counted. Up to m = 1600, `resamples` ways are drawn, at most 200000 and at most 16000000 / m, and
    the observed pairs count as one more. Above, all signs of the 10 largest differences are counted,
    and the sum of the other differences is taken as normal: `resamples` and `seed` have no effect. Up
    to 10 differences that are not multiples of the common unit of the frequent differences count as
    largest ones. If the square of one of the others is more than 1/200 of the sum of their squares,
    signs of the 1600 largest differences are drawn instead, at most 10000 times, and the observed pairs
    count as one more.

    Parameters
    ----------
    a : str, Expr, Series or list
        A metric of each user, by one system. A NULL leaves the user out.
    b : str, Expr, Series or list
        The same metric of the same user, by another system. A NULL leaves the user out.
    alternative : {"two_sided", "less", "greater", "equivalence"}, default "two_sided"
        Alternative hypothesis: a and b differ, a is less than b, a is greater than b, or in the functions
        that take a margin, the two are equivalent; SciPy's two-sided is two_sided.
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
    Expr
        Struct of n, mean_difference, statistic, p_value, effect_size, named ``randomization_test``. `n` is
        the number of users that count; of too few, the others are NULL.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not finite. The message names the argument.

    Notes
    -----
    Formula: share of ways whose mean difference is at least (less: at most) the observed one;
    two_sided: twice the smaller share, at most 1. Source: Fisher, The Design of Experiments, 1935;
    Smucker, Allan and Carterette, CIKM 2007; scipy.stats.permutation_test(permutation_type='samples').

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7]})
    >>> frame.select(rk.randomization_test("a", "b"))
    shape: (1, 1)
    ┌───────────────────────────────┐
    │ randomization_test            │
    │ ---                           │
    │ struct[5]                     │
    ╞═══════════════════════════════╡
    │ {4,0.125,0.125,0.25,0.944911} │
    └───────────────────────────────┘
    """
    return _plugin.aggregate("randomization_test", [a, b], None, options)


def win_tie_loss(a: Column, b: Column, **options: Unpack[WinTieLossOptions]) -> pl.Expr:
    """Numbers of pairs in which a is larger than b, equal to b, and smaller than b.

    Parameters
    ----------
    a : str, Expr, Series or list
        A metric of each user, by one system. A NULL leaves the user out.
    b : str, Expr, Series or list
        The same metric of the same user, by another system. A NULL leaves the user out.
    tolerance : float, default 0
        Largest difference of a and b that is a tie, as a share of the larger of 1 and abs(b). A tie counts
        as a difference of 0. In wilcoxon_signed_rank, abs(a - b) of two pairs tie likewise. Allowed: a
        number that is at least 0.

    Returns
    -------
    Expr
        Struct of n, wins, ties, losses, named ``win_tie_loss``. `n` is the number of users that count.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not finite. The message names the argument.

    Notes
    -----
    Formula: wins: a > b; ties: a = b, or |a - b| <= tolerance * max(1, |b|); losses: a < b. Source:
    Demsar, Statistical Comparisons of Classifiers over Multiple Data Sets, JMLR 2006, section 3.1.4;
    win_tie_loss of ranx's compare.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7]})
    >>> frame.select(rk.win_tie_loss("a", "b"))
    shape: (1, 1)
    ┌──────────────┐
    │ win_tie_loss │
    │ ---          │
    │ struct[4]    │
    ╞══════════════╡
    │ {4,3,0,1}    │
    └──────────────┘
    """
    return _plugin.aggregate("win_tie_loss", [a, b], None, options)


def paired_comparison(a: Column, b: Column, **options: Unpack[PairedComparisonOptions]) -> pl.Expr:
    """All about the differences of two systems, in one pass: the means of both, the mean difference with
    its confidence interval by mean_ci, Student's t and its p-value by paired_t_test, Cohen's d_z, and
    the numbers of pairs in which a is larger, equal and smaller by win_tie_loss. With lower_bound and
    upper_bound, differences that are all equal have the interval and the p-value that the bounds allow.

    Parameters
    ----------
    a : str, Expr, Series or list
        A metric of each user, by one system. A NULL leaves the user out.
    b : str, Expr, Series or list
        The same metric of the same user, by another system. A NULL leaves the user out.
    alternative : {"two_sided", "less", "greater", "equivalence"}, default "two_sided"
        Alternative hypothesis: a and b differ, a is less than b, a is greater than b, or in the functions
        that take a margin, the two are equivalent; SciPy's two-sided is two_sided.
    margin : float, default 0
        Mean difference that does not matter. With it, greater is the alternative that the mean difference
        is above -margin (a is not inferior to b), less that it is below margin, and equivalence that it is
        between the two. Allowed: a finite number that is at least 0.
    confidence : float, default 0.95
        Confidence level of the interval. Allowed: a number between 0 and 1.
    lower_bound : float, optional
        Least possible value, or difference of a pair. The interval of mean_ci does not reach below it,
        unless a value does. Intervals and paired_t_test judge equal values by it. Allowed: a number.
    upper_bound : float, optional
        Largest possible value, or difference of a pair. The interval of mean_ci does not reach above it,
        unless a value does. Intervals and paired_t_test judge equal values by it. Allowed: a number.
    tolerance : float, default 0
        Largest difference of a and b that is a tie, as a share of the larger of 1 and abs(b). A tie counts
        as a difference of 0. In wilcoxon_signed_rank, abs(a - b) of two pairs tie likewise. Allowed: a
        number that is at least 0.

    Returns
    -------
    Expr
        Struct of n, mean_a, mean_b, mean_difference, low, high, statistic, p_value, effect_size, wins,
        ties, losses, named ``paired_comparison``. `n` is the number of users that count; of too few, the
        others are NULL.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
        While the query runs: for types that are not allowed, and for values that are
        not finite. The message names the argument.

    Notes
    -----
    Formula: mean_a and mean_b: the means of the pairs without NULL; low and high: mean_ci(a - b);
    statistic, p_value and effect_size: paired_t_test(a, b); wins, ties and losses: win_tie_loss(a, b).
    Source: the sources of mean_ci, paired_t_test and win_tie_loss.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7]})
    >>> frame.select(rk.paired_comparison("a", "b"))
    shape: (1, 1)
    ┌─────────────────────────────────┐
    │ paired_comparison               │
    │ ---                             │
    │ struct[12]                      │
    ╞═════════════════════════════════╡
    │ {4,0.6,0.475,0.125,-0.085499,0… │
    └─────────────────────────────────┘
    """
    return _plugin.aggregate("paired_comparison", [a, b], None, options)


def tukey_hsd(blocks: Column, **options: Unpack[TukeyHsdOptions]) -> pl.Expr:
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
    blocks : str, Expr, Series or list
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
    Expr
        List of Float64, 0 to 1, named ``tukey_hsd``: a p-value for each pair of systems. NULL where no user
        has a value of every system.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
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
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame(
    ...     {"blocks": [[[0.5, 0.4, 0.8], [0.75, 0.5, 0.9], [0.25, 0.3, 0.6], [0.9, 0.7, 0.95]]]}
    ... )
    >>> frame.select(rk.tukey_hsd("blocks"))
    shape: (1, 1)
    ┌────────────────────────────────┐
    │ tukey_hsd                      │
    │ ---                            │
    │ list[f64]                      │
    ╞════════════════════════════════╡
    │ [0.708333, 0.259259, 0.013889] │
    └────────────────────────────────┘
    """
    return _plugin.evaluate("tukey_hsd", [blocks], None, options)


def corrected_p_values(p_values: Column, **options: Unpack[CorrectedPValuesOptions]) -> pl.Expr:
    """P-values corrected for the number of tests, in the order of the tests. A NULL is no test, and stays
    NULL.

    Parameters
    ----------
    p_values : str, Expr, Series or list
        The p-values of tests, numbers from 0 to 1. A NULL is no test, and stays NULL. NULL for a list that
        is NULL.
    correction : {"holm", "bonferroni", "benjamini_hochberg"}, default "holm"
        Correction of p-values for the number m of tests. holm: the smallest p-value times m, the next one
        times m - 1 and so on, each at least the one before it; bonferroni: each p-value times m;
        benjamini_hochberg: the i-th smallest p-value times m / i, each at most the one after it, which
        controls the false discovery rate. Results are at most 1.

    Returns
    -------
    Expr
        List of Float64, 0 to 1, named ``corrected_p_values``. NULL where `p_values` is.

    Raises
    ------
    ValueError
        For an unknown option, or a value that an option does not take.
    polars.exceptions.ComputeError
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
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"p_values": [[0.01, 0.04, 0.03, None]]})
    >>> frame.select(rk.corrected_p_values("p_values"))
    shape: (1, 1)
    ┌──────────────────────┐
    │ corrected_p_values   │
    │ ---                  │
    │ list[f64]            │
    ╞══════════════════════╡
    │ [0.03, 0.06, … null] │
    └──────────────────────┘
    """
    return _plugin.evaluate("corrected_p_values", [p_values], None, options)


@pl.api.register_expr_namespace("rank_eval")
class RankEval:
    """The functions as methods: ``pl.col("rec").rank_eval.ndcg("truth", k=10)``.

    A type checker that does not know the namespace knows ``RankEval(pl.col("rec"))``.
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def precision(self, truth: Column, k: K = None, **options: Unpack[PrecisionOptions]) -> pl.Expr:
        """Evaluate `precision` with this expression as `rec`."""
        return precision(self._expr, truth, k, **options)

    def recall(self, truth: Column, k: K = None, **options: Unpack[RecallOptions]) -> pl.Expr:
        """Evaluate `recall` with this expression as `rec`."""
        return recall(self._expr, truth, k, **options)

    def f1(self, truth: Column, k: K = None, **options: Unpack[F1Options]) -> pl.Expr:
        """Evaluate `f1` with this expression as `rec`."""
        return f1(self._expr, truth, k, **options)

    def hit_rate(self, truth: Column, k: K = None, **options: Unpack[HitRateOptions]) -> pl.Expr:
        """Evaluate `hit_rate` with this expression as `rec`."""
        return hit_rate(self._expr, truth, k, **options)

    def mrr(self, truth: Column, k: K = None, **options: Unpack[MrrOptions]) -> pl.Expr:
        """Evaluate `mrr` with this expression as `rec`."""
        return mrr(self._expr, truth, k, **options)

    def average_precision(
        self, truth: Column, k: K = None, **options: Unpack[AveragePrecisionOptions]
    ) -> pl.Expr:
        """Evaluate `average_precision` with this expression as `rec`."""
        return average_precision(self._expr, truth, k, **options)

    def ndcg(self, truth: Column, k: K = None, **options: Unpack[NdcgOptions]) -> pl.Expr:
        """Evaluate `ndcg` with this expression as `rec`."""
        return ndcg(self._expr, truth, k, **options)

    def cg(self, truth: Column, k: K = None, **options: Unpack[CgOptions]) -> pl.Expr:
        """Evaluate `cg` with this expression as `rec`."""
        return cg(self._expr, truth, k, **options)

    def dcg(self, truth: Column, k: K = None, **options: Unpack[DcgOptions]) -> pl.Expr:
        """Evaluate `dcg` with this expression as `rec`."""
        return dcg(self._expr, truth, k, **options)

    def idcg(self, truth: Column, k: K = None, **options: Unpack[IdcgOptions]) -> pl.Expr:
        """Evaluate `idcg` with this expression as `rec`."""
        return idcg(self._expr, truth, k, **options)

    def auc(self, truth: Column, k: K = None, **options: Unpack[AucOptions]) -> pl.Expr:
        """Evaluate `auc` with this expression as `rec`."""
        return auc(self._expr, truth, k, **options)

    def r_precision(self, truth: Column, **options: Unpack[RPrecisionOptions]) -> pl.Expr:
        """Evaluate `r_precision` with this expression as `rec`."""
        return r_precision(self._expr, truth, **options)

    def rbp(self, truth: Column, k: K = None, **options: Unpack[RbpOptions]) -> pl.Expr:
        """Evaluate `rbp` with this expression as `rec`."""
        return rbp(self._expr, truth, k, **options)

    def err(self, truth: Column, k: K = None, **options: Unpack[ErrOptions]) -> pl.Expr:
        """Evaluate `err` with this expression as `rec`."""
        return err(self._expr, truth, k, **options)

    def rankdcg(self, truth: Column, **options: Unpack[RankdcgOptions]) -> pl.Expr:
        """Evaluate `rankdcg` with this expression as `rec`."""
        return rankdcg(self._expr, truth, **options)

    def rank_metrics(self, truth: Column, k: K = None, **options: Unpack[RankMetricsOptions]) -> pl.Expr:
        """Evaluate `rank_metrics` with this expression as `rec`."""
        return rank_metrics(self._expr, truth, k, **options)

    def rank_metrics_at(self, truth: Column, ks: Ks, **options: Unpack[RankMetricsAtOptions]) -> pl.Expr:
        """Evaluate `rank_metrics_at` with this expression as `rec`."""
        return rank_metrics_at(self._expr, truth, ks, **options)

    def ndcg_rels(self, k: K = None, **options: Unpack[NdcgRelsOptions]) -> pl.Expr:
        """Evaluate `ndcg_rels` with this expression as `rels`."""
        return ndcg_rels(self._expr, k, **options)

    def cg_rels(self, k: K = None, **options: Unpack[CgRelsOptions]) -> pl.Expr:
        """Evaluate `cg_rels` with this expression as `rels`."""
        return cg_rels(self._expr, k, **options)

    def dcg_rels(self, k: K = None, **options: Unpack[DcgRelsOptions]) -> pl.Expr:
        """Evaluate `dcg_rels` with this expression as `rels`."""
        return dcg_rels(self._expr, k, **options)

    def idcg_rels(self, k: K = None, **options: Unpack[IdcgRelsOptions]) -> pl.Expr:
        """Evaluate `idcg_rels` with this expression as `rels`."""
        return idcg_rels(self._expr, k, **options)

    def err_rels(self, k: K = None, **options: Unpack[ErrRelsOptions]) -> pl.Expr:
        """Evaluate `err_rels` with this expression as `rels`."""
        return err_rels(self._expr, k, **options)

    def precision_scored(
        self, rels: Column, k: K = None, **options: Unpack[PrecisionScoredOptions]
    ) -> pl.Expr:
        """Evaluate `precision_scored` with this expression as `scores`."""
        return precision_scored(self._expr, rels, k, **options)

    def recall_scored(self, rels: Column, k: K = None, **options: Unpack[RecallScoredOptions]) -> pl.Expr:
        """Evaluate `recall_scored` with this expression as `scores`."""
        return recall_scored(self._expr, rels, k, **options)

    def f1_scored(self, rels: Column, k: K = None, **options: Unpack[F1ScoredOptions]) -> pl.Expr:
        """Evaluate `f1_scored` with this expression as `scores`."""
        return f1_scored(self._expr, rels, k, **options)

    def hit_rate_scored(self, rels: Column, k: K = None, **options: Unpack[HitRateScoredOptions]) -> pl.Expr:
        """Evaluate `hit_rate_scored` with this expression as `scores`."""
        return hit_rate_scored(self._expr, rels, k, **options)

    def mrr_scored(self, rels: Column, k: K = None, **options: Unpack[MrrScoredOptions]) -> pl.Expr:
        """Evaluate `mrr_scored` with this expression as `scores`."""
        return mrr_scored(self._expr, rels, k, **options)

    def average_precision_scored(
        self, rels: Column, k: K = None, **options: Unpack[AveragePrecisionScoredOptions]
    ) -> pl.Expr:
        """Evaluate `average_precision_scored` with this expression as `scores`."""
        return average_precision_scored(self._expr, rels, k, **options)

    def ndcg_scored(self, rels: Column, k: K = None, **options: Unpack[NdcgScoredOptions]) -> pl.Expr:
        """Evaluate `ndcg_scored` with this expression as `scores`."""
        return ndcg_scored(self._expr, rels, k, **options)

    def cg_scored(self, rels: Column, k: K = None, **options: Unpack[CgScoredOptions]) -> pl.Expr:
        """Evaluate `cg_scored` with this expression as `scores`."""
        return cg_scored(self._expr, rels, k, **options)

    def dcg_scored(self, rels: Column, k: K = None, **options: Unpack[DcgScoredOptions]) -> pl.Expr:
        """Evaluate `dcg_scored` with this expression as `scores`."""
        return dcg_scored(self._expr, rels, k, **options)

    def idcg_scored(self, rels: Column, k: K = None, **options: Unpack[IdcgScoredOptions]) -> pl.Expr:
        """Evaluate `idcg_scored` with this expression as `scores`."""
        return idcg_scored(self._expr, rels, k, **options)

    def auc_scored(self, rels: Column, k: K = None, **options: Unpack[AucScoredOptions]) -> pl.Expr:
        """Evaluate `auc_scored` with this expression as `scores`."""
        return auc_scored(self._expr, rels, k, **options)

    def r_precision_scored(self, rels: Column, **options: Unpack[RPrecisionScoredOptions]) -> pl.Expr:
        """Evaluate `r_precision_scored` with this expression as `scores`."""
        return r_precision_scored(self._expr, rels, **options)

    def rbp_scored(self, rels: Column, k: K = None, **options: Unpack[RbpScoredOptions]) -> pl.Expr:
        """Evaluate `rbp_scored` with this expression as `scores`."""
        return rbp_scored(self._expr, rels, k, **options)

    def err_scored(self, rels: Column, k: K = None, **options: Unpack[ErrScoredOptions]) -> pl.Expr:
        """Evaluate `err_scored` with this expression as `scores`."""
        return err_scored(self._expr, rels, k, **options)

    def roc_auc(self, rels: Column, **options: Unpack[RocAucOptions]) -> pl.Expr:
        """Evaluate `roc_auc` with this expression as `scores`."""
        return roc_auc(self._expr, rels, **options)

    def kendall_tau(self, rels: Column, **options: Unpack[KendallTauOptions]) -> pl.Expr:
        """Evaluate `kendall_tau` with this expression as `scores`."""
        return kendall_tau(self._expr, rels, **options)

    def rank_metrics_scored(
        self, rels: Column, k: K = None, **options: Unpack[RankMetricsScoredOptions]
    ) -> pl.Expr:
        """Evaluate `rank_metrics_scored` with this expression as `scores`."""
        return rank_metrics_scored(self._expr, rels, k, **options)

    def rank_metrics_at_scored(
        self, rels: Column, ks: Ks, **options: Unpack[RankMetricsAtScoredOptions]
    ) -> pl.Expr:
        """Evaluate `rank_metrics_at_scored` with this expression as `scores`."""
        return rank_metrics_at_scored(self._expr, rels, ks, **options)

    def precision_agg(self, rel: Column, k: K = None, **options: Unpack[PrecisionAggOptions]) -> pl.Expr:
        """Evaluate `precision_agg` with this expression as `score`."""
        return precision_agg(self._expr, rel, k, **options)

    def recall_agg(self, rel: Column, k: K = None, **options: Unpack[RecallAggOptions]) -> pl.Expr:
        """Evaluate `recall_agg` with this expression as `score`."""
        return recall_agg(self._expr, rel, k, **options)

    def f1_agg(self, rel: Column, k: K = None, **options: Unpack[F1AggOptions]) -> pl.Expr:
        """Evaluate `f1_agg` with this expression as `score`."""
        return f1_agg(self._expr, rel, k, **options)

    def hit_rate_agg(self, rel: Column, k: K = None, **options: Unpack[HitRateAggOptions]) -> pl.Expr:
        """Evaluate `hit_rate_agg` with this expression as `score`."""
        return hit_rate_agg(self._expr, rel, k, **options)

    def mrr_agg(self, rel: Column, k: K = None, **options: Unpack[MrrAggOptions]) -> pl.Expr:
        """Evaluate `mrr_agg` with this expression as `score`."""
        return mrr_agg(self._expr, rel, k, **options)

    def average_precision_agg(
        self, rel: Column, k: K = None, **options: Unpack[AveragePrecisionAggOptions]
    ) -> pl.Expr:
        """Evaluate `average_precision_agg` with this expression as `score`."""
        return average_precision_agg(self._expr, rel, k, **options)

    def ndcg_agg(self, rel: Column, k: K = None, **options: Unpack[NdcgAggOptions]) -> pl.Expr:
        """Evaluate `ndcg_agg` with this expression as `score`."""
        return ndcg_agg(self._expr, rel, k, **options)

    def cg_agg(self, rel: Column, k: K = None, **options: Unpack[CgAggOptions]) -> pl.Expr:
        """Evaluate `cg_agg` with this expression as `score`."""
        return cg_agg(self._expr, rel, k, **options)

    def dcg_agg(self, rel: Column, k: K = None, **options: Unpack[DcgAggOptions]) -> pl.Expr:
        """Evaluate `dcg_agg` with this expression as `score`."""
        return dcg_agg(self._expr, rel, k, **options)

    def idcg_agg(self, rel: Column, k: K = None, **options: Unpack[IdcgAggOptions]) -> pl.Expr:
        """Evaluate `idcg_agg` with this expression as `score`."""
        return idcg_agg(self._expr, rel, k, **options)

    def auc_agg(self, rel: Column, k: K = None, **options: Unpack[AucAggOptions]) -> pl.Expr:
        """Evaluate `auc_agg` with this expression as `score`."""
        return auc_agg(self._expr, rel, k, **options)

    def r_precision_agg(self, rel: Column, **options: Unpack[RPrecisionAggOptions]) -> pl.Expr:
        """Evaluate `r_precision_agg` with this expression as `score`."""
        return r_precision_agg(self._expr, rel, **options)

    def rbp_agg(self, rel: Column, k: K = None, **options: Unpack[RbpAggOptions]) -> pl.Expr:
        """Evaluate `rbp_agg` with this expression as `score`."""
        return rbp_agg(self._expr, rel, k, **options)

    def err_agg(self, rel: Column, k: K = None, **options: Unpack[ErrAggOptions]) -> pl.Expr:
        """Evaluate `err_agg` with this expression as `score`."""
        return err_agg(self._expr, rel, k, **options)

    def roc_auc_agg(self, rel: Column, **options: Unpack[RocAucAggOptions]) -> pl.Expr:
        """Evaluate `roc_auc_agg` with this expression as `score`."""
        return roc_auc_agg(self._expr, rel, **options)

    def kendall_tau_agg(self, rel: Column, **options: Unpack[KendallTauAggOptions]) -> pl.Expr:
        """Evaluate `kendall_tau_agg` with this expression as `score`."""
        return kendall_tau_agg(self._expr, rel, **options)

    def rankdcg_agg(self, rel: Column, **options: Unpack[RankdcgAggOptions]) -> pl.Expr:
        """Evaluate `rankdcg_agg` with this expression as `score`."""
        return rankdcg_agg(self._expr, rel, **options)

    def rank_metrics_agg(self, rel: Column, k: K = None, **options: Unpack[RankMetricsAggOptions]) -> pl.Expr:
        """Evaluate `rank_metrics_agg` with this expression as `score`."""
        return rank_metrics_agg(self._expr, rel, k, **options)

    def rank_metrics_at_agg(self, rel: Column, ks: Ks, **options: Unpack[RankMetricsAtAggOptions]) -> pl.Expr:
        """Evaluate `rank_metrics_at_agg` with this expression as `score`."""
        return rank_metrics_at_agg(self._expr, rel, ks, **options)

    def rank_metrics_by_user(
        self,
        item: Column,
        score: Column,
        rel: Column,
        k: K = None,
        **options: Unpack[RankMetricsByUserOptions],
    ) -> pl.Expr:
        """Evaluate `rank_metrics_by_user` with this expression as `userid`."""
        return rank_metrics_by_user(self._expr, item, score, rel, k, **options)

    def rank_metrics_at_by_user(
        self, item: Column, score: Column, rel: Column, ks: Ks, **options: Unpack[RankMetricsAtByUserOptions]
    ) -> pl.Expr:
        """Evaluate `rank_metrics_at_by_user` with this expression as `userid`."""
        return rank_metrics_at_by_user(self._expr, item, score, rel, ks, **options)

    def rank_evaluation_by_user(
        self, item: Column, score: Column, rel: Column, ks: Ks, **options: Unpack[RankEvaluationByUserOptions]
    ) -> pl.Expr:
        """Evaluate `rank_evaluation_by_user` with this expression as `userid`."""
        return rank_evaluation_by_user(self._expr, item, score, rel, ks, **options)

    def mean_ci(self, **options: Unpack[MeanCiOptions]) -> pl.Expr:
        """Evaluate `mean_ci` with this expression as `x`."""
        return mean_ci(self._expr, **options)

    def bootstrap_ci(self, **options: Unpack[BootstrapCiOptions]) -> pl.Expr:
        """Evaluate `bootstrap_ci` with this expression as `x`."""
        return bootstrap_ci(self._expr, **options)

    def paired_t_test(self, b: Column, **options: Unpack[PairedTTestOptions]) -> pl.Expr:
        """Evaluate `paired_t_test` with this expression as `a`."""
        return paired_t_test(self._expr, b, **options)

    def paired_t_test_power(self, b: Column, **options: Unpack[PairedTTestPowerOptions]) -> pl.Expr:
        """Evaluate `paired_t_test_power` with this expression as `a`."""
        return paired_t_test_power(self._expr, b, **options)

    def wilcoxon_signed_rank(self, b: Column, **options: Unpack[WilcoxonSignedRankOptions]) -> pl.Expr:
        """Evaluate `wilcoxon_signed_rank` with this expression as `a`."""
        return wilcoxon_signed_rank(self._expr, b, **options)

    def randomization_test(self, b: Column, **options: Unpack[RandomizationTestOptions]) -> pl.Expr:
        """Evaluate `randomization_test` with this expression as `a`."""
        return randomization_test(self._expr, b, **options)

    def win_tie_loss(self, b: Column, **options: Unpack[WinTieLossOptions]) -> pl.Expr:
        """Evaluate `win_tie_loss` with this expression as `a`."""
        return win_tie_loss(self._expr, b, **options)

    def paired_comparison(self, b: Column, **options: Unpack[PairedComparisonOptions]) -> pl.Expr:
        """Evaluate `paired_comparison` with this expression as `a`."""
        return paired_comparison(self._expr, b, **options)

    def tukey_hsd(self, **options: Unpack[TukeyHsdOptions]) -> pl.Expr:
        """Evaluate `tukey_hsd` with this expression as `blocks`."""
        return tukey_hsd(self._expr, **options)

    def corrected_p_values(self, **options: Unpack[CorrectedPValuesOptions]) -> pl.Expr:
        """Evaluate `corrected_p_values` with this expression as `p_values`."""
        return corrected_p_values(self._expr, **options)
