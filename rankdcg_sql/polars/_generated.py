# Written by `make docs` from the catalogue: do not edit. The writer is tools/generate_functions.py.
# ruff: noqa: F403, F405
"""The functions of `rankdcg_sql.polars`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from rankdcg_sql import _option_types
from rankdcg_sql._option_types import *
from rankdcg_sql.polars import _plugin
from rankdcg_sql.polars._plugin import Column, K, Ks

if TYPE_CHECKING:
    from typing_extensions import Unpack


__all__ = [
    "RankEval", "alpha_dcg", "alpha_ndcg", "anytime_mean_ci", "auc", "auc_agg", "auc_scored",
    "average_popularity", "average_precision", "average_precision_agg", "average_precision_ia",
    "average_precision_scored", "bootstrap_ci", "bpm", "bpm_agg", "bpm_rels", "bpm_scored", "bpref",
    "bpref_agg", "bpref_scored", "categorical_diversity", "cg", "cg_agg", "cg_rels", "cg_scored",
    "concentration", "corrected_p_values", "dcg", "dcg_agg", "dcg_rels", "dcg_scored",
    "eleven_point_average", "eleven_point_average_agg", "eleven_point_average_scored", "err", "err_agg",
    "err_ia", "err_rels", "err_scored", "f1", "f1_agg", "f1_scored", "geometric_mean_values", "hit_rate",
    "hit_rate_agg", "hit_rate_scored", "idcg", "idcg_agg", "idcg_rels", "idcg_scored", "inf_ap",
    "inf_ap_agg", "inf_ap_scored", "insq", "insq_agg", "insq_rels", "insq_scored", "inst", "inst_agg",
    "inst_rels", "inst_scored", "intra_list_diversity", "iprec", "iprec_agg", "iprec_scored",
    "jaccard_index", "judge_corrected_mean", "judged_share", "judged_share_agg", "judged_share_scored",
    "kendall_tau", "kendall_tau_agg", "long_tail_share", "mean_ci", "mrr", "mrr_agg", "mrr_scored", "ndcg",
    "ndcg_agg", "ndcg_rels", "ndcg_scored", "nearly_err", "nearly_err_agg", "nearly_err_rels",
    "nearly_err_scored", "nerr", "nerr_agg", "nerr_ia", "nerr_rels", "nerr_scored", "nnrbp", "novelty",
    "nrbp", "overlap", "paired_comparison", "paired_t_test", "paired_t_test_power",
    "partially_overlapping_t_test", "precision", "precision_agg", "precision_ia", "precision_scored",
    "q_measure", "q_measure_agg", "q_measure_rels", "q_measure_scored", "r_precision", "r_precision_agg",
    "r_precision_scored", "randomization_test", "rank_evaluation_by_user", "rank_explain",
    "rank_explain_by_user", "rank_items", "rank_measures_by_user", "rank_metrics", "rank_metrics_agg",
    "rank_metrics_at", "rank_metrics_at_agg", "rank_metrics_at_by_user", "rank_metrics_at_scored",
    "rank_metrics_by_user", "rank_metrics_scored", "rank_similarity", "rankdcg", "rankdcg_agg", "rbo",
    "rbp", "rbp_agg", "rbp_residual", "rbp_residual_agg", "rbp_residual_scored", "rbp_scored", "recall",
    "recall_agg", "recall_scored", "relative_precision", "relative_precision_agg",
    "relative_precision_scored", "roc_auc", "roc_auc_agg", "sdcg", "sdcg_agg", "sdcg_rels", "sdcg_scored",
    "spearman_rho", "subtopic_recall", "tau_ap", "tukey_hsd", "utility", "utility_agg", "utility_scored",
    "weighted_judge_corrected_mean", "weighted_mean_ci", "weighted_paired_comparison", "weighted_tau",
    "wilcoxon_signed_rank", "win_tie_loss",
]  # fmt: skip
__all__ += _option_types.__all__


def precision(rec: Column, truth: Column, k: K = None, **options: Unpack[PrecisionOptions]) -> pl.Expr:
    """Share of the retrieved top k that is relevant.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.precision`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``precision@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.precision("rec", "truth", k=2)).item()
    0.5
    """
    return _plugin.evaluate("precision", [rec, truth], k, options)


def recall(rec: Column, truth: Column, k: K = None, **options: Unpack[RecallOptions]) -> pl.Expr:
    """Share of the relevant items found in the top k.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.recall`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``recall@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.recall("rec", "truth", k=2)).item()
    0.3333333333333333
    """
    return _plugin.evaluate("recall", [rec, truth], k, options)


def f1(rec: Column, truth: Column, k: K = None, **options: Unpack[F1Options]) -> pl.Expr:
    """Harmonic mean of precision and recall in the top k, in which recall has the weight beta^2.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.f1`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``f1@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.f1("rec", "truth", k=2)).item()
    0.4
    """
    return _plugin.evaluate("f1", [rec, truth], k, options)


def hit_rate(rec: Column, truth: Column, k: K = None, **options: Unpack[HitRateOptions]) -> pl.Expr:
    """1 if the top k holds a relevant item, else 0.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.hit_rate`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``hit_rate@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.hit_rate("rec", "truth", k=2)).item()
    1.0
    """
    return _plugin.evaluate("hit_rate", [rec, truth], k, options)


def mrr(rec: Column, truth: Column, k: K = None, **options: Unpack[MrrOptions]) -> pl.Expr:
    """1 / rank of the first relevant item in the top k, 0 if there is none; its mean is MRR.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.mrr`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``mrr@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.mrr("rec", "truth", k=2)).item()
    1.0
    """
    return _plugin.evaluate("mrr", [rec, truth], k, options)


def average_precision(
    rec: Column, truth: Column, k: K = None, **options: Unpack[AveragePrecisionOptions]
) -> pl.Expr:
    """Sum of the precision at each hit in the top k, divided by the number of relevant items; its mean is
    MAP.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.average_precision`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``average_precision@k``. NULL where `truth` is. NULL without a relevant item,
        unless `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.average_precision("rec", "truth", k=2)).item()
    0.3333333333333333
    """
    return _plugin.evaluate("average_precision", [rec, truth], k, options)


def ndcg(rec: Column, truth: Column, k: K = None, **options: Unpack[NdcgOptions]) -> pl.Expr:
    """Normalised discounted cumulative gain: DCG over ideal DCG in the top k.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.ndcg`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``ndcg@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.ndcg("rec", "truth", k=2)).item()
    0.7871546029909718
    """
    return _plugin.evaluate("ndcg", [rec, truth], k, options)


def cg(rec: Column, truth: Column, k: K = None, **options: Unpack[CgOptions]) -> pl.Expr:
    """Cumulative gain: the relevances of the top k, summed.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.cg`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 or more, named ``cg@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.cg("rec", "truth", k=2)).item()
    3.0
    """
    return _plugin.evaluate("cg", [rec, truth], k, options)


def dcg(rec: Column, truth: Column, k: K = None, **options: Unpack[DcgOptions]) -> pl.Expr:
    """Discounted cumulative gain of the top k.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.dcg`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 or more, named ``dcg@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.dcg("rec", "truth", k=2)).item()
    7.0
    """
    return _plugin.evaluate("dcg", [rec, truth], k, options)


def idcg(rec: Column, truth: Column, k: K = None, **options: Unpack[IdcgOptions]) -> pl.Expr:
    """Ideal DCG: the DCG of the best order of all judged items, cut at k.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.idcg`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 or more, named ``idcg@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.idcg("rec", "truth", k=2)).item()
    8.892789260714373
    """
    return _plugin.evaluate("idcg", [rec, truth], k, options)


def auc(rec: Column, truth: Column, k: K = None, **options: Unpack[AucOptions]) -> pl.Expr:
    """Share of the (hit, miss) pairs in the top k that are in the right order.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.auc`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``auc@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.auc("rec", "truth", k=2)).item()
    1.0
    """
    return _plugin.evaluate("auc", [rec, truth], k, options)


def r_precision(rec: Column, truth: Column, **options: Unpack[RPrecisionOptions]) -> pl.Expr:
    """Precision at R, the number of relevant items.

    Parameters
    ----------
    rec, truth, **options : str, Expr, Series or list
        As in `rankdcg_sql.r_precision`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``r_precision``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.r_precision("rec", "truth")).item()
    0.6666666666666666
    """
    return _plugin.evaluate("r_precision", [rec, truth], None, options)


def rbp(rec: Column, truth: Column, k: K = None, **options: Unpack[RbpOptions]) -> pl.Expr:
    """Rank-biased precision: the expected share of hits among the items that a user sees.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.rbp`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``rbp@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.rbp("rec", "truth", k=2)).item()
    0.19999999999999996
    """
    return _plugin.evaluate("rbp", [rec, truth], k, options)


def rbp_residual(rec: Column, truth: Column, k: K = None, **options: Unpack[RbpResidualOptions]) -> pl.Expr:
    """Residual of rank-biased precision: the largest RBP that is possible, less RBP.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.rbp_residual`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``rbp_residual@k``. NULL where `truth` is. NULL without a judged item; 0 where
        nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.rbp_residual("rec", "truth", k=2)).item()
    0.8
    """
    return _plugin.evaluate("rbp_residual", [rec, truth], k, options)


def err(rec: Column, truth: Column, k: K = None, **options: Unpack[ErrOptions]) -> pl.Expr:
    """Expected reciprocal rank: the expected 1 / rank of the item at which a user stops, where a user stops
    at an item the more probably, the more relevant it is.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.err`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``err@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.err("rec", "truth", k=2, max_rel=3)).item()
    0.875
    """
    return _plugin.evaluate("err", [rec, truth], k, options)


def nerr(rec: Column, truth: Column, k: K = None, **options: Unpack[NerrOptions]) -> pl.Expr:
    """Normalised expected reciprocal rank: ERR over that of the ideal ranking in the top k, which has all
    judged items, the most relevant first.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.nerr`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``nerr@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.nerr("rec", "truth", k=2, max_rel=3)).item()
    0.9739130434782609
    """
    return _plugin.evaluate("nerr", [rec, truth], k, options)


def nearly_err(rec: Column, truth: Column, k: K = None, **options: Unpack[NearlyErrOptions]) -> pl.Expr:
    """Nearly expected reciprocal rank: the mean gain of the items that a user examines, who stops at an item
    the more probably, the more relevant it is, and who else goes on with the probability that patience
    names.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.nearly_err`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``nearly_err@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.nearly_err("rec", "truth", k=2, max_rel=3)).item()
    1.0
    """
    return _plugin.evaluate("nearly_err", [rec, truth], k, options)


def q_measure(rec: Column, truth: Column, k: K = None, **options: Unpack[QMeasureOptions]) -> pl.Expr:
    """Q-measure: the mean over relevant items of their blended ratio, which is a precision that counts gains
    beside hits, weighted by q_beta.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.q_measure`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``q_measure@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.q_measure("rec", "truth", k=2)).item()
    0.5
    """
    return _plugin.evaluate("q_measure", [rec, truth], k, options)


def sdcg(rec: Column, truth: Column, k: K = None, **options: Unpack[SdcgOptions]) -> pl.Expr:
    """Scaled discounted cumulative gain: DCG over that of k items of relevance max_rel, whatever the truth
    has.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.sdcg`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``sdcg@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.sdcg("rec", "truth", k=2, max_rel=3)).item()
    0.6131471927654584
    """
    return _plugin.evaluate("sdcg", [rec, truth], k, options)


def bpm(rec: Column, truth: Column, k: K = None, **options: Unpack[BpmOptions]) -> pl.Expr:
    """Static Bejeweled Player Model: the mean gain of the items that a user examines, who stops at the item
    with which the gain so far is t or more, or after k items.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.bpm`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``bpm@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.bpm("rec", "truth", k=2, max_rel=3)).item()
    1.0
    """
    return _plugin.evaluate("bpm", [rec, truth], k, options)


def insq(rec: Column, truth: Column, k: K = None, **options: Unpack[InsqOptions]) -> pl.Expr:
    """INSQ: the mean gain of the items that a user examines, who goes on the more probably, the more items
    were examined.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.insq`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``insq@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.insq("rec", "truth", k=2, max_rel=3)).item()
    0.6923076923076923
    """
    return _plugin.evaluate("insq", [rec, truth], k, options)


def inst(rec: Column, truth: Column, k: K = None, **options: Unpack[InstOptions]) -> pl.Expr:
    """INST: the mean gain of the items that a user examines, who goes on the more probably, the more items
    were examined, and the less probably, the nearer the gain so far is to t.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.inst`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``inst@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.inst("rec", "truth", k=2, max_rel=3)).item()
    0.8
    """
    return _plugin.evaluate("inst", [rec, truth], k, options)


def bpref(rec: Column, truth: Column, **options: Unpack[BprefOptions]) -> pl.Expr:
    """Binary preference: how many judged irrelevant items, of at most as many as are relevant, are below a
    relevant item.

    Parameters
    ----------
    rec, truth, **options : str, Expr, Series or list
        As in `rankdcg_sql.bpref`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``bpref``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.bpref("rec", "truth")).item()
    0.6666666666666666
    """
    return _plugin.evaluate("bpref", [rec, truth], None, options)


def inf_ap(rec: Column, truth: Column, **options: Unpack[InfApOptions]) -> pl.Expr:
    """Inferred average precision: the precision at a hit is estimated from the judged items above it.

    Parameters
    ----------
    rec, truth, **options : str, Expr, Series or list
        As in `rankdcg_sql.inf_ap`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``inf_ap``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.inf_ap("rec", "truth")).item()
    0.5555544444666662
    """
    return _plugin.evaluate("inf_ap", [rec, truth], None, options)


def iprec(rec: Column, truth: Column, **options: Unpack[IprecOptions]) -> pl.Expr:
    """Interpolated precision: the largest precision at a rank whose recall is at least that of the option
    recall, 0 if there is none.

    Parameters
    ----------
    rec, truth, **options : str, Expr, Series or list
        As in `rankdcg_sql.iprec`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``iprec``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.iprec("rec", "truth")).item()
    1.0
    """
    return _plugin.evaluate("iprec", [rec, truth], None, options)


def eleven_point_average(rec: Column, truth: Column, **options: Unpack[ElevenPointAverageOptions]) -> pl.Expr:
    """Interpolated precision, averaged over the recalls 0, 0.1, 0.2 to 1.

    Parameters
    ----------
    rec, truth, **options : str, Expr, Series or list
        As in `rankdcg_sql.eleven_point_average`. A wrong argument is a ValueError, in a column a
        ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``eleven_point_average``. NULL where `truth` is. NULL without a relevant item,
        unless `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.eleven_point_average("rec", "truth")).item()
    0.5454545454545455
    """
    return _plugin.evaluate("eleven_point_average", [rec, truth], None, options)


def relative_precision(
    rec: Column, truth: Column, k: K = None, **options: Unpack[RelativePrecisionOptions]
) -> pl.Expr:
    """Relative precision: precision over the largest precision that is possible at k or, without k, for as
    many items as were retrieved.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.relative_precision`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``relative_precision@k``. NULL where `truth` is. NULL without a relevant item,
        unless `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.relative_precision("rec", "truth", k=2)).item()
    0.5
    """
    return _plugin.evaluate("relative_precision", [rec, truth], k, options)


def utility(rec: Column, truth: Column, k: K = None, **options: Unpack[UtilityOptions]) -> pl.Expr:
    """Linear utility: the worth of the items in the top k together, with that of the relevant items that are
    not there.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.utility`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, any number, named ``utility@k``. NULL where `truth` is. NULL without a judged item; 0 where
        nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.utility("rec", "truth", k=2)).item()
    0.0
    """
    return _plugin.evaluate("utility", [rec, truth], k, options)


def judged_share(rec: Column, truth: Column, k: K = None, **options: Unpack[JudgedShareOptions]) -> pl.Expr:
    """Share of the retrieved top k that is judged, relevant or not.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.judged_share`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``judged_share@k``. NULL where `truth` is. NULL without a judged item; 0 where
        nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.judged_share("rec", "truth", k=2)).item()
    0.5
    """
    return _plugin.evaluate("judged_share", [rec, truth], k, options)


def rankdcg(rec: Column, truth: Column, **options: Unpack[RankdcgOptions]) -> pl.Expr:
    """RankDCG: how well the whole order is kept, 1 for the perfect one and 0 for the worst.

    Parameters
    ----------
    rec, truth, **options : str, Expr, Series or list
        As in `rankdcg_sql.rankdcg`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``rankdcg``. NULL where `truth` is. NULL without two distinct relevances among
        what was judged and retrieved; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.rankdcg("rec", "truth")).item()
    0.7931034482758621
    """
    return _plugin.evaluate("rankdcg", [rec, truth], None, options)


def rank_metrics(rec: Column, truth: Column, k: K = None, **options: Unpack[RankMetricsOptions]) -> pl.Expr:
    """Several metrics in one pass, in a struct with k: precision, recall, f1, hit_rate, mrr,
    average_precision, ndcg, auc.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.rank_metrics`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Struct of k, precision, recall, f1, hit_rate, mrr, average_precision, ndcg, auc, named
        ``rank_metrics@k``. NULL where `truth` is. Each metric by itself: NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.rank_metrics("rec", "truth", k=2)).row(0)[0]["ndcg"]
    0.7871546029909718
    """
    return _plugin.evaluate("rank_metrics", [rec, truth], k, options)


def rank_metrics_at(rec: Column, truth: Column, ks: Ks, **options: Unpack[RankMetricsAtOptions]) -> pl.Expr:
    """The metrics of rank_metrics for each of several k, in one pass.

    Parameters
    ----------
    rec, truth, ks, **options : str, Expr, Series or list; ks: list of int, or Expr
        As in `rankdcg_sql.rank_metrics_at`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        List, one struct for each k, of k, precision, recall, f1, hit_rate, mrr, average_precision, ndcg, auc,
        named ``rank_metrics_at``. NULL where `truth` is. Each metric by itself: NULL without a relevant item,
        unless `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.rank_metrics_at("rec", "truth", ks=[1, 2])).row(0)[0][1]["ndcg"]
    0.7871546029909718
    """
    return _plugin.evaluate("rank_metrics_at", [rec, truth], ks, options)


def rank_explain(rec: Column, truth: Column, k: K = None, **options: Unpack[RankExplainOptions]) -> pl.Expr:
    """The items that a metric's value is made of, best first, and relevant ones that were missed.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.rank_explain`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        List, one struct for each item, of rec_place, truth_place, rank, last_rank, rel, gain, discount,
        contribution, if_found, value, named ``rank_explain@k``. NULL where `truth` is. The best rank comes
        first, and missed items that were not retrieved last. `rec_place` and `truth_place` are the places of
        the item in the lists, from 1. `rank` to `last_rank` are the ranks that it can have among tied items.
        An item whose `rel` is NULL is not judged. `contribution` is NULL if a rule for empty rankings gives
        `value`.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "rel": 3},
    ...     {"item": "b", "rel": 1}, {"item": "d", "rel": 2}]]})
    >>> frame.select(rk.rank_explain("rec", "truth", k=2)).row(0)[0][0]["contribution"]
    0.7871546029909718
    """
    return _plugin.evaluate("rank_explain", [rec, truth], k, options)


def ndcg_rels(rels: Column, k: K = None, **options: Unpack[NdcgRelsOptions]) -> pl.Expr:
    """Evaluate `ndcg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.ndcg_rels`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.ndcg_rels("rels", k=2)).item()
    0.7871546029909718
    """
    return _plugin.evaluate("ndcg_rels", [rels], k, options)


def cg_rels(rels: Column, k: K = None, **options: Unpack[CgRelsOptions]) -> pl.Expr:
    """Evaluate `cg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.cg_rels`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.cg_rels("rels", k=2)).item()
    3.0
    """
    return _plugin.evaluate("cg_rels", [rels], k, options)


def dcg_rels(rels: Column, k: K = None, **options: Unpack[DcgRelsOptions]) -> pl.Expr:
    """Evaluate `dcg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.dcg_rels`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.dcg_rels("rels", k=2)).item()
    7.0
    """
    return _plugin.evaluate("dcg_rels", [rels], k, options)


def idcg_rels(rels: Column, k: K = None, **options: Unpack[IdcgRelsOptions]) -> pl.Expr:
    """Evaluate `idcg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.idcg_rels`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.idcg_rels("rels", k=2)).item()
    8.892789260714373
    """
    return _plugin.evaluate("idcg_rels", [rels], k, options)


def err_rels(rels: Column, k: K = None, **options: Unpack[ErrRelsOptions]) -> pl.Expr:
    """Evaluate `err` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.err_rels`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.err_rels("rels", k=2, max_rel=3)).item()
    0.875
    """
    return _plugin.evaluate("err_rels", [rels], k, options)


def nerr_rels(rels: Column, k: K = None, **options: Unpack[NerrRelsOptions]) -> pl.Expr:
    """Evaluate `nerr` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.nerr_rels`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.nerr_rels("rels", k=2, max_rel=3)).item()
    0.9739130434782609
    """
    return _plugin.evaluate("nerr_rels", [rels], k, options)


def nearly_err_rels(rels: Column, k: K = None, **options: Unpack[NearlyErrRelsOptions]) -> pl.Expr:
    """Evaluate `nearly_err` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.nearly_err_rels`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.nearly_err_rels("rels", k=2, max_rel=3)).item()
    1.0
    """
    return _plugin.evaluate("nearly_err_rels", [rels], k, options)


def q_measure_rels(rels: Column, k: K = None, **options: Unpack[QMeasureRelsOptions]) -> pl.Expr:
    """Evaluate `q_measure` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.q_measure_rels`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.q_measure_rels("rels", k=2)).item()
    0.5
    """
    return _plugin.evaluate("q_measure_rels", [rels], k, options)


def sdcg_rels(rels: Column, k: K = None, **options: Unpack[SdcgRelsOptions]) -> pl.Expr:
    """Evaluate `sdcg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.sdcg_rels`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.sdcg_rels("rels", k=2, max_rel=3)).item()
    0.6131471927654584
    """
    return _plugin.evaluate("sdcg_rels", [rels], k, options)


def bpm_rels(rels: Column, k: K = None, **options: Unpack[BpmRelsOptions]) -> pl.Expr:
    """Evaluate `bpm` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.bpm_rels`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.bpm_rels("rels", k=2, max_rel=3)).item()
    1.0
    """
    return _plugin.evaluate("bpm_rels", [rels], k, options)


def insq_rels(rels: Column, k: K = None, **options: Unpack[InsqRelsOptions]) -> pl.Expr:
    """Evaluate `insq` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.insq_rels`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.insq_rels("rels", k=2, max_rel=3)).item()
    0.6923076923076923
    """
    return _plugin.evaluate("insq_rels", [rels], k, options)


def inst_rels(rels: Column, k: K = None, **options: Unpack[InstRelsOptions]) -> pl.Expr:
    """Evaluate `inst` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.inst_rels`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.inst_rels("rels", k=2, max_rel=3)).item()
    0.8
    """
    return _plugin.evaluate("inst_rels", [rels], k, options)


def precision_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[PrecisionScoredOptions]
) -> pl.Expr:
    """Evaluate `precision` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.precision_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.precision_scored("scores", "rels", k=2)).item()
    0.5
    """
    return _plugin.evaluate("precision_scored", [scores, rels], k, options)


def recall_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[RecallScoredOptions]
) -> pl.Expr:
    """Evaluate `recall` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.recall_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.recall_scored("scores", "rels", k=2)).item()
    0.3333333333333333
    """
    return _plugin.evaluate("recall_scored", [scores, rels], k, options)


def f1_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[F1ScoredOptions]) -> pl.Expr:
    """Evaluate `f1` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.f1_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.f1_scored("scores", "rels", k=2)).item()
    0.4
    """
    return _plugin.evaluate("f1_scored", [scores, rels], k, options)


def hit_rate_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[HitRateScoredOptions]
) -> pl.Expr:
    """Evaluate `hit_rate` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.hit_rate_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.hit_rate_scored("scores", "rels", k=2)).item()
    1.0
    """
    return _plugin.evaluate("hit_rate_scored", [scores, rels], k, options)


def mrr_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[MrrScoredOptions]) -> pl.Expr:
    """Evaluate `mrr` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.mrr_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.mrr_scored("scores", "rels", k=2)).item()
    1.0
    """
    return _plugin.evaluate("mrr_scored", [scores, rels], k, options)


def average_precision_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[AveragePrecisionScoredOptions]
) -> pl.Expr:
    """Evaluate `average_precision` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.average_precision_scored`. A wrong argument is a ValueError, in a column a
        ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.average_precision_scored("scores", "rels", k=2)).item()
    0.3333333333333333
    """
    return _plugin.evaluate("average_precision_scored", [scores, rels], k, options)


def ndcg_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[NdcgScoredOptions]) -> pl.Expr:
    """Evaluate `ndcg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.ndcg_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.ndcg_scored("scores", "rels", k=2)).item()
    0.7871546029909718
    """
    return _plugin.evaluate("ndcg_scored", [scores, rels], k, options)


def cg_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[CgScoredOptions]) -> pl.Expr:
    """Evaluate `cg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.cg_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.cg_scored("scores", "rels", k=2)).item()
    3.0
    """
    return _plugin.evaluate("cg_scored", [scores, rels], k, options)


def dcg_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[DcgScoredOptions]) -> pl.Expr:
    """Evaluate `dcg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.dcg_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.dcg_scored("scores", "rels", k=2)).item()
    7.0
    """
    return _plugin.evaluate("dcg_scored", [scores, rels], k, options)


def idcg_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[IdcgScoredOptions]) -> pl.Expr:
    """Evaluate `idcg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.idcg_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.idcg_scored("scores", "rels", k=2)).item()
    8.892789260714373
    """
    return _plugin.evaluate("idcg_scored", [scores, rels], k, options)


def auc_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[AucScoredOptions]) -> pl.Expr:
    """Evaluate `auc` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.auc_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.auc_scored("scores", "rels", k=2)).item()
    1.0
    """
    return _plugin.evaluate("auc_scored", [scores, rels], k, options)


def r_precision_scored(scores: Column, rels: Column, **options: Unpack[RPrecisionScoredOptions]) -> pl.Expr:
    """Evaluate `r_precision` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, **options : str, Expr, Series or list
        As in `rankdcg_sql.r_precision_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.r_precision_scored("scores", "rels")).item()
    0.6666666666666666
    """
    return _plugin.evaluate("r_precision_scored", [scores, rels], None, options)


def rbp_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[RbpScoredOptions]) -> pl.Expr:
    """Evaluate `rbp` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.rbp_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.rbp_scored("scores", "rels", k=2)).item()
    0.19999999999999996
    """
    return _plugin.evaluate("rbp_scored", [scores, rels], k, options)


def rbp_residual_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[RbpResidualScoredOptions]
) -> pl.Expr:
    """Evaluate `rbp_residual` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.rbp_residual_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.rbp_residual_scored("scores", "rels", k=2)).item()
    0.6400000000000001
    """
    return _plugin.evaluate("rbp_residual_scored", [scores, rels], k, options)


def err_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[ErrScoredOptions]) -> pl.Expr:
    """Evaluate `err` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.err_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.err_scored("scores", "rels", k=2, max_rel=3)).item()
    0.875
    """
    return _plugin.evaluate("err_scored", [scores, rels], k, options)


def nerr_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[NerrScoredOptions]) -> pl.Expr:
    """Evaluate `nerr` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.nerr_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.nerr_scored("scores", "rels", k=2, max_rel=3)).item()
    0.9739130434782609
    """
    return _plugin.evaluate("nerr_scored", [scores, rels], k, options)


def nearly_err_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[NearlyErrScoredOptions]
) -> pl.Expr:
    """Evaluate `nearly_err` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.nearly_err_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.nearly_err_scored("scores", "rels", k=2, max_rel=3)).item()
    1.0
    """
    return _plugin.evaluate("nearly_err_scored", [scores, rels], k, options)


def q_measure_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[QMeasureScoredOptions]
) -> pl.Expr:
    """Evaluate `q_measure` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.q_measure_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.q_measure_scored("scores", "rels", k=2)).item()
    0.5
    """
    return _plugin.evaluate("q_measure_scored", [scores, rels], k, options)


def sdcg_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[SdcgScoredOptions]) -> pl.Expr:
    """Evaluate `sdcg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.sdcg_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.sdcg_scored("scores", "rels", k=2, max_rel=3)).item()
    0.6131471927654584
    """
    return _plugin.evaluate("sdcg_scored", [scores, rels], k, options)


def bpm_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[BpmScoredOptions]) -> pl.Expr:
    """Evaluate `bpm` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.bpm_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.bpm_scored("scores", "rels", k=2, max_rel=3)).item()
    1.0
    """
    return _plugin.evaluate("bpm_scored", [scores, rels], k, options)


def insq_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[InsqScoredOptions]) -> pl.Expr:
    """Evaluate `insq` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.insq_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.insq_scored("scores", "rels", k=2, max_rel=3)).item()
    0.6923076923076923
    """
    return _plugin.evaluate("insq_scored", [scores, rels], k, options)


def inst_scored(scores: Column, rels: Column, k: K = None, **options: Unpack[InstScoredOptions]) -> pl.Expr:
    """Evaluate `inst` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.inst_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.inst_scored("scores", "rels", k=2, max_rel=3)).item()
    0.8
    """
    return _plugin.evaluate("inst_scored", [scores, rels], k, options)


def bpref_scored(scores: Column, rels: Column, **options: Unpack[BprefScoredOptions]) -> pl.Expr:
    """Evaluate `bpref` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, **options : str, Expr, Series or list
        As in `rankdcg_sql.bpref_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.bpref_scored("scores", "rels")).item()
    0.3333333333333333
    """
    return _plugin.evaluate("bpref_scored", [scores, rels], None, options)


def inf_ap_scored(scores: Column, rels: Column, **options: Unpack[InfApScoredOptions]) -> pl.Expr:
    """Evaluate `inf_ap` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, **options : str, Expr, Series or list
        As in `rankdcg_sql.inf_ap_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.inf_ap_scored("scores", "rels")).item()
    0.5555555555555555
    """
    return _plugin.evaluate("inf_ap_scored", [scores, rels], None, options)


def iprec_scored(scores: Column, rels: Column, **options: Unpack[IprecScoredOptions]) -> pl.Expr:
    """Evaluate `iprec` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, **options : str, Expr, Series or list
        As in `rankdcg_sql.iprec_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.iprec_scored("scores", "rels")).item()
    1.0
    """
    return _plugin.evaluate("iprec_scored", [scores, rels], None, options)


def eleven_point_average_scored(
    scores: Column, rels: Column, **options: Unpack[ElevenPointAverageScoredOptions]
) -> pl.Expr:
    """Evaluate `eleven_point_average` on lists of scores and relevances of the same items, with its formula
    and rules.

    Parameters
    ----------
    scores, rels, **options : str, Expr, Series or list
        As in `rankdcg_sql.eleven_point_average_scored`. A wrong argument is a ValueError, in a column a
        ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.eleven_point_average_scored("scores", "rels")).item()
    0.5454545454545455
    """
    return _plugin.evaluate("eleven_point_average_scored", [scores, rels], None, options)


def relative_precision_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[RelativePrecisionScoredOptions]
) -> pl.Expr:
    """Evaluate `relative_precision` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.relative_precision_scored`. A wrong argument is a ValueError, in a column a
        ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.relative_precision_scored("scores", "rels", k=2)).item()
    0.5
    """
    return _plugin.evaluate("relative_precision_scored", [scores, rels], k, options)


def utility_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[UtilityScoredOptions]
) -> pl.Expr:
    """Evaluate `utility` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.utility_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.utility_scored("scores", "rels", k=2)).item()
    0.0
    """
    return _plugin.evaluate("utility_scored", [scores, rels], k, options)


def judged_share_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[JudgedShareScoredOptions]
) -> pl.Expr:
    """Evaluate `judged_share` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.judged_share_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.judged_share_scored("scores", "rels", k=2)).item()
    1.0
    """
    return _plugin.evaluate("judged_share_scored", [scores, rels], k, options)


def roc_auc(scores: Column, rels: Column, **options: Unpack[RocAucOptions]) -> pl.Expr:
    """Area under the ROC curve: share of the (relevant, irrelevant) pairs of items in the right order.

    Parameters
    ----------
    scores, rels, **options : str, Expr, Series or list
        As in `rankdcg_sql.roc_auc`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``roc_auc``. NULL where there is no relevance. NULL without a relevant and an
        irrelevant item.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.roc_auc("scores", "rels")).item()
    0.5
    """
    return _plugin.evaluate("roc_auc", [scores, rels], None, options)


def kendall_tau(scores: Column, rels: Column, **options: Unpack[KendallTauOptions]) -> pl.Expr:
    """Kendall's tau-b: how well two orders of the same items agree, where items may tie in both.

    Parameters
    ----------
    scores, rels, **options : str, Expr, Series or list
        As in `rankdcg_sql.kendall_tau`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, -1 to 1, named ``kendall_tau``. NULL where there is no relevance. NULL without two distinct
        scores and two distinct relevances.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.kendall_tau("scores", "rels")).item()
    0.3333333333333333
    """
    return _plugin.evaluate("kendall_tau", [scores, rels], None, options)


def rank_metrics_scored(
    scores: Column, rels: Column, k: K = None, **options: Unpack[RankMetricsScoredOptions]
) -> pl.Expr:
    """Evaluate `rank_metrics` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.rank_metrics_scored`. A wrong argument is a ValueError, in a column a ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.rank_metrics_scored("scores", "rels", k=2)).row(0)[0]["ndcg"]
    0.7871546029909718
    """
    return _plugin.evaluate("rank_metrics_scored", [scores, rels], k, options)


def rank_metrics_at_scored(
    scores: Column, rels: Column, ks: Ks, **options: Unpack[RankMetricsAtScoredOptions]
) -> pl.Expr:
    """Evaluate `rank_metrics_at` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels, ks, **options : str, Expr, Series or list; ks: list of int, or Expr
        As in `rankdcg_sql.rank_metrics_at_scored`. A wrong argument is a ValueError, in a column a
        ComputeError.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"scores": [[0.9, 0.5, 0.4, None]], "rels": [[3, 0, 1, 2]]})
    >>> frame.select(rk.rank_metrics_at_scored("scores", "rels", ks=[1, 2])).row(0)[0][1]["ndcg"]
    0.7871546029909718
    """
    return _plugin.evaluate("rank_metrics_at_scored", [scores, rels], ks, options)


def precision_agg(score: Column, rel: Column, k: K = None, **options: Unpack[PrecisionAggOptions]) -> pl.Expr:
    """Evaluate `precision` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.precision`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.precision_agg("score", "rel", k=2)).rows()
    [(1, 0.5)]
    """
    return _plugin.aggregate("precision_agg", [score, rel], k, options)


def recall_agg(score: Column, rel: Column, k: K = None, **options: Unpack[RecallAggOptions]) -> pl.Expr:
    """Evaluate `recall` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.recall`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.recall_agg("score", "rel", k=2)).rows()
    [(1, 0.3333333333333333)]
    """
    return _plugin.aggregate("recall_agg", [score, rel], k, options)


def f1_agg(score: Column, rel: Column, k: K = None, **options: Unpack[F1AggOptions]) -> pl.Expr:
    """Evaluate `f1` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.f1`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.f1_agg("score", "rel", k=2)).rows()
    [(1, 0.4)]
    """
    return _plugin.aggregate("f1_agg", [score, rel], k, options)


def hit_rate_agg(score: Column, rel: Column, k: K = None, **options: Unpack[HitRateAggOptions]) -> pl.Expr:
    """Evaluate `hit_rate` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.hit_rate`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.hit_rate_agg("score", "rel", k=2)).rows()
    [(1, 1.0)]
    """
    return _plugin.aggregate("hit_rate_agg", [score, rel], k, options)


def mrr_agg(score: Column, rel: Column, k: K = None, **options: Unpack[MrrAggOptions]) -> pl.Expr:
    """Evaluate `mrr` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.mrr`, without `duplicates`, with one k for each group.

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
    """Evaluate `average_precision` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ap_steps : {"rank", "threshold"}, default "rank"
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.average_precision`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.average_precision_agg("score", "rel", k=2)).rows()
    [(1, 0.3333333333333333)]
    """
    return _plugin.aggregate("average_precision_agg", [score, rel], k, options)


def ndcg_agg(score: Column, rel: Column, k: K = None, **options: Unpack[NdcgAggOptions]) -> pl.Expr:
    """Evaluate `ndcg` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.ndcg`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.ndcg_agg("score", "rel", k=2)).rows()
    [(1, 0.7871546029909718)]
    """
    return _plugin.aggregate("ndcg_agg", [score, rel], k, options)


def cg_agg(score: Column, rel: Column, k: K = None, **options: Unpack[CgAggOptions]) -> pl.Expr:
    """Evaluate `cg` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.cg`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.cg_agg("score", "rel", k=2)).rows()
    [(1, 3.0)]
    """
    return _plugin.aggregate("cg_agg", [score, rel], k, options)


def dcg_agg(score: Column, rel: Column, k: K = None, **options: Unpack[DcgAggOptions]) -> pl.Expr:
    """Evaluate `dcg` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.dcg`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.dcg_agg("score", "rel", k=2)).rows()
    [(1, 7.0)]
    """
    return _plugin.aggregate("dcg_agg", [score, rel], k, options)


def idcg_agg(score: Column, rel: Column, k: K = None, **options: Unpack[IdcgAggOptions]) -> pl.Expr:
    """Evaluate `idcg` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.idcg`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.idcg_agg("score", "rel", k=2)).rows()
    [(1, 8.892789260714373)]
    """
    return _plugin.aggregate("idcg_agg", [score, rel], k, options)


def auc_agg(score: Column, rel: Column, k: K = None, **options: Unpack[AucAggOptions]) -> pl.Expr:
    """Evaluate `auc` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.auc`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.auc_agg("score", "rel", k=2)).rows()
    [(1, 1.0)]
    """
    return _plugin.aggregate("auc_agg", [score, rel], k, options)


def r_precision_agg(score: Column, rel: Column, **options: Unpack[RPrecisionAggOptions]) -> pl.Expr:
    """Evaluate `r_precision` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    **options
        As in `rankdcg_sql.r_precision`, without `duplicates`.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.r_precision_agg("score", "rel")).rows()
    [(1, 0.6666666666666666)]
    """
    return _plugin.aggregate("r_precision_agg", [score, rel], None, options)


def rbp_agg(score: Column, rel: Column, k: K = None, **options: Unpack[RbpAggOptions]) -> pl.Expr:
    """Evaluate `rbp` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.rbp`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.rbp_agg("score", "rel", k=2)).rows()
    [(1, 0.19999999999999996)]
    """
    return _plugin.aggregate("rbp_agg", [score, rel], k, options)


def rbp_residual_agg(
    score: Column, rel: Column, k: K = None, **options: Unpack[RbpResidualAggOptions]
) -> pl.Expr:
    """Evaluate `rbp_residual` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.rbp_residual`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.rbp_residual_agg("score", "rel", k=2)).rows()
    [(1, 0.6400000000000001)]
    """
    return _plugin.aggregate("rbp_residual_agg", [score, rel], k, options)


def err_agg(score: Column, rel: Column, k: K = None, **options: Unpack[ErrAggOptions]) -> pl.Expr:
    """Evaluate `err` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.err`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.err_agg("score", "rel", k=2, max_rel=3)).rows()
    [(1, 0.875)]
    """
    return _plugin.aggregate("err_agg", [score, rel], k, options)


def nerr_agg(score: Column, rel: Column, k: K = None, **options: Unpack[NerrAggOptions]) -> pl.Expr:
    """Evaluate `nerr` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.nerr`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.nerr_agg("score", "rel", k=2, max_rel=3)).rows()
    [(1, 0.9739130434782609)]
    """
    return _plugin.aggregate("nerr_agg", [score, rel], k, options)


def nearly_err_agg(
    score: Column, rel: Column, k: K = None, **options: Unpack[NearlyErrAggOptions]
) -> pl.Expr:
    """Evaluate `nearly_err` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.nearly_err`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.nearly_err_agg("score", "rel", k=2, max_rel=3)).rows()
    [(1, 1.0)]
    """
    return _plugin.aggregate("nearly_err_agg", [score, rel], k, options)


def q_measure_agg(score: Column, rel: Column, k: K = None, **options: Unpack[QMeasureAggOptions]) -> pl.Expr:
    """Evaluate `q_measure` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.q_measure`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.q_measure_agg("score", "rel", k=2)).rows()
    [(1, 0.5)]
    """
    return _plugin.aggregate("q_measure_agg", [score, rel], k, options)


def sdcg_agg(score: Column, rel: Column, k: K = None, **options: Unpack[SdcgAggOptions]) -> pl.Expr:
    """Evaluate `sdcg` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.sdcg`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.sdcg_agg("score", "rel", k=2, max_rel=3)).rows()
    [(1, 0.6131471927654584)]
    """
    return _plugin.aggregate("sdcg_agg", [score, rel], k, options)


def bpm_agg(score: Column, rel: Column, k: K = None, **options: Unpack[BpmAggOptions]) -> pl.Expr:
    """Evaluate `bpm` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.bpm`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.bpm_agg("score", "rel", k=2, max_rel=3)).rows()
    [(1, 1.0)]
    """
    return _plugin.aggregate("bpm_agg", [score, rel], k, options)


def insq_agg(score: Column, rel: Column, k: K = None, **options: Unpack[InsqAggOptions]) -> pl.Expr:
    """Evaluate `insq` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.insq`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.insq_agg("score", "rel", k=2, max_rel=3)).rows()
    [(1, 0.6923076923076923)]
    """
    return _plugin.aggregate("insq_agg", [score, rel], k, options)


def inst_agg(score: Column, rel: Column, k: K = None, **options: Unpack[InstAggOptions]) -> pl.Expr:
    """Evaluate `inst` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.inst`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.inst_agg("score", "rel", k=2, max_rel=3)).rows()
    [(1, 0.8)]
    """
    return _plugin.aggregate("inst_agg", [score, rel], k, options)


def bpref_agg(score: Column, rel: Column, **options: Unpack[BprefAggOptions]) -> pl.Expr:
    """Evaluate `bpref` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    **options
        As in `rankdcg_sql.bpref`, without `duplicates`.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.bpref_agg("score", "rel")).rows()
    [(1, 0.3333333333333333)]
    """
    return _plugin.aggregate("bpref_agg", [score, rel], None, options)


def inf_ap_agg(score: Column, rel: Column, **options: Unpack[InfApAggOptions]) -> pl.Expr:
    """Evaluate `inf_ap` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    **options
        As in `rankdcg_sql.inf_ap`, without `duplicates`.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.inf_ap_agg("score", "rel")).rows()
    [(1, 0.5555555555555555)]
    """
    return _plugin.aggregate("inf_ap_agg", [score, rel], None, options)


def iprec_agg(score: Column, rel: Column, **options: Unpack[IprecAggOptions]) -> pl.Expr:
    """Evaluate `iprec` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    **options
        As in `rankdcg_sql.iprec`, without `duplicates`.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.iprec_agg("score", "rel")).rows()
    [(1, 1.0)]
    """
    return _plugin.aggregate("iprec_agg", [score, rel], None, options)


def eleven_point_average_agg(
    score: Column, rel: Column, **options: Unpack[ElevenPointAverageAggOptions]
) -> pl.Expr:
    """Evaluate `eleven_point_average` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    **options
        As in `rankdcg_sql.eleven_point_average`, without `duplicates`.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.eleven_point_average_agg("score", "rel")).rows()
    [(1, 0.5454545454545455)]
    """
    return _plugin.aggregate("eleven_point_average_agg", [score, rel], None, options)


def relative_precision_agg(
    score: Column, rel: Column, k: K = None, **options: Unpack[RelativePrecisionAggOptions]
) -> pl.Expr:
    """Evaluate `relative_precision` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.relative_precision`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.relative_precision_agg("score", "rel", k=2)).rows()
    [(1, 0.5)]
    """
    return _plugin.aggregate("relative_precision_agg", [score, rel], k, options)


def utility_agg(score: Column, rel: Column, k: K = None, **options: Unpack[UtilityAggOptions]) -> pl.Expr:
    """Evaluate `utility` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.utility`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.utility_agg("score", "rel", k=2)).rows()
    [(1, 0.0)]
    """
    return _plugin.aggregate("utility_agg", [score, rel], k, options)


def judged_share_agg(
    score: Column, rel: Column, k: K = None, **options: Unpack[JudgedShareAggOptions]
) -> pl.Expr:
    """Evaluate `judged_share` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.judged_share`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.judged_share_agg("score", "rel", k=2)).rows()
    [(1, 1.0)]
    """
    return _plugin.aggregate("judged_share_agg", [score, rel], k, options)


def roc_auc_agg(score: Column, rel: Column, **options: Unpack[RocAucAggOptions]) -> pl.Expr:
    """Evaluate `roc_auc` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    **options
        As in `rankdcg_sql.roc_auc`.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.roc_auc_agg("score", "rel")).rows()
    [(1, 0.5)]
    """
    return _plugin.aggregate("roc_auc_agg", [score, rel], None, options)


def kendall_tau_agg(score: Column, rel: Column, **options: Unpack[KendallTauAggOptions]) -> pl.Expr:
    """Evaluate `kendall_tau` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    **options
        As in `rankdcg_sql.kendall_tau`.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.kendall_tau_agg("score", "rel")).rows()
    [(1, 0.3333333333333333)]
    """
    return _plugin.aggregate("kendall_tau_agg", [score, rel], None, options)


def rankdcg_agg(score: Column, rel: Column, **options: Unpack[RankdcgAggOptions]) -> pl.Expr:
    """Evaluate `rankdcg` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ties : {"average", "pessimistic", "optimistic"}, default "pessimistic"
    **options
        As in `rankdcg_sql.rankdcg`.

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
    """Evaluate `rank_metrics` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ap_steps : {"rank", "threshold"}, default "rank"
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.rank_metrics`, without `duplicates`, with one k for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.rank_metrics_agg("score", "rel", k=2)).row(0)[-1]["ndcg"]
    0.7871546029909718
    """
    return _plugin.aggregate("rank_metrics_agg", [score, rel], k, options)


def rank_metrics_at_agg(
    score: Column, rel: Column, ks: Ks, **options: Unpack[RankMetricsAtAggOptions]
) -> pl.Expr:
    """Evaluate `rank_metrics_at` on the rows of a group, with its formula and rules.

    Parameters
    ----------
    score, rel : str, Expr, Series or list
        One row per user and item: a join multiplies repeated rows, so remove them before it. NULL for an item
        without a score or a relevance; the result is NULL where no row has a relevance.
    ap_steps : {"rank", "threshold"}, default "rank"
    ties : {"average", "pessimistic", "optimistic"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    ks, **options
        As in `rankdcg_sql.rank_metrics_at`, without `duplicates`, with one ks for each group.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1], "score": [0.9, 0.5, 0.4, None], "rel": [3, 0, 1, 2]})
    >>> frame.group_by("userid").agg(rk.rank_metrics_at_agg("score", "rel", ks=[1, 2])).row(0)[-1][1]["ndcg"]
    0.7871546029909718
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
    """Evaluate `rank_metrics` on the rows of all users, with its formula and rules.

    Parameters
    ----------
    userid, item, score, rel : str, Expr, Series or list
        One row for each recommendation, with a score, and for each judgement, with a relevance.
    ap_steps : {"rank", "threshold"}, default "rank"
    ties : {"average", "pessimistic", "optimistic", "item_asc", "item_desc"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rankdcg_sql.rank_metrics`, without `duplicates`.

    Returns
    -------
    Expr
        Struct of the user, k, precision, recall, f1, hit_rate, mrr, average_precision, ndcg, auc, with a row
        for each user. The user has the name and the type of `userid`. The order of users depends on nothing
        but the users. Each metric by itself: NULL for a user without judgements, and where nothing is
        relevant, unless `no_relevant` says otherwise; 0 where nothing was retrieved.

    Notes
    -----
    `pl.concat` puts the rows of two frames one after the other. `evaluate_frames` takes the two frames as
    they are, and needs less memory. Rows that repeat an item of a user count once: with the largest score,
    and with their one relevance. A row without a user is left out.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1, 1], "item": ["a", "c", "b", "a", "b"],
    ...     "score": [0.9, 0.5, 0.4, None, None], "rel": [None, None, None, 3, 1]})
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
    """Evaluate `rank_metrics_at` on the rows of all users, with its formula and rules.

    Parameters
    ----------
    userid, item, score, rel : str, Expr, Series or list
        One row for each recommendation, with a score, and for each judgement, with a relevance.
    ap_steps : {"rank", "threshold"}, default "rank"
    ties : {"average", "pessimistic", "optimistic", "item_asc", "item_desc"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    ks, **options
        As in `rankdcg_sql.rank_metrics_at`, without `duplicates`.

    Returns
    -------
    Expr
        Struct of the user, k, precision, recall, f1, hit_rate, mrr, average_precision, ndcg, auc, with a row
        for each user and k. The user has the name and the type of `userid`. The order of users depends on
        nothing but the users. Each metric by itself: NULL for a user without judgements, and where nothing is
        relevant, unless `no_relevant` says otherwise; 0 where nothing was retrieved.

    Notes
    -----
    `pl.concat` puts the rows of two frames one after the other. `evaluate_frames` takes the two frames as
    they are, and needs less memory. Rows that repeat an item of a user count once: with the largest score,
    and with their one relevance. A row without a user is left out.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1, 1], "item": ["a", "c", "b", "a", "b"],
    ...     "score": [0.9, 0.5, 0.4, None, None], "rel": [None, None, None, 3, 1]})
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
    """The metrics of rank_metrics for each of several k, and counts of each user's rows: retrieved (items, up
    to the largest k), judged (items), and the repeats, which are rows of either kind after the first one
    with its item.

    Options, formula, source and more: docs/functions/rank_evaluation.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

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
    recall_denominator : {"truth", "min_truth_k"}, default "truth"
    beta : float, default 1
    ap_denominator : {"truth", "min_truth_k", "hits", "k", "min_truth_retrieved"}, default "truth"
    ap_steps : {"rank", "threshold"}, default "rank"
    gain : {"exp2", "linear", "binary"} or list of float, default "exp2"
    discount : {"log2", "log2_clip", "ln"}, default "log2"
    idcg : {"truth", "retrieved", "k"}, default "truth"
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    one_class : {"half", "null", "zero", "by_class"}, default "half"
    auc_pairs : {"retrieved", "k"}, default "retrieved"
    unjudged : {"zero", "skip"}, default "zero"
    ties : {"average", "pessimistic", "optimistic", "item_asc", "item_desc"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    convention : str, default "hivemall_page"

    Returns
    -------
    Expr
        Struct of the user, retrieved, judged, retrieved_repeats, judged_repeats, k, precision, recall, f1,
        hit_rate, mrr, average_precision, ndcg, auc, with a row for each user and k. The user has the name and
        the type of `userid`. The order of users depends on nothing but the users. Each metric by itself: NULL
        for a user without judgements, and where nothing is relevant, unless `no_relevant` says otherwise; 0
        where nothing was retrieved.

    Notes
    -----
    `pl.concat` puts the rows of two frames one after the other. `evaluate_frames` takes the two frames as
    they are, and needs less memory. Rows that repeat an item of a user count once: with the largest score,
    and with their one relevance. A row without a user is left out.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1, 1], "item": ["a", "c", "b", "a", "b"],
    ...     "score": [0.9, 0.5, 0.4, None, None], "rel": [None, None, None, 3, 1]})
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


def rank_explain_by_user(
    userid: Column,
    item: Column,
    score: Column,
    rel: Column,
    k: K = None,
    **options: Unpack[RankExplainByUserOptions],
) -> pl.Expr:
    """Evaluate `rank_explain` on the rows of all users, with its formula and rules.

    Parameters
    ----------
    userid, item, score, rel : str, Expr, Series or list
        One row for each recommendation, with a score, and for each judgement, with a relevance.
    ap_steps : {"rank", "threshold"}, default "rank"
    ties : {"average", "pessimistic", "optimistic", "item_asc", "item_desc"}, default "average"
    k, **options
        As in `rankdcg_sql.rank_explain`, without `duplicates`.

    Returns
    -------
    Expr
        Struct of the user, item, rank, last_rank, score, rel, gain, discount, contribution, if_found, value,
        with a row for each user and item. The best rank comes first, and missed items that were not retrieved
        last. The user and the item have the names and the types of their columns. The order of users depends
        on nothing but the users, and one without judgements has no rows. `rank` to `last_rank` are the ranks
        that it can have among tied items. An item whose `rel` is NULL is not judged. `contribution` is NULL
        if a rule for empty rankings gives `value`.

    Notes
    -----
    `pl.concat` puts the rows of two frames one after the other. `explain_frames` takes the two frames as they
    are, and needs less memory. Rows that repeat an item of a user count once: with the largest score, and
    with their one relevance. A row without a user is left out.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1, 1], "item": ["a", "c", "b", "a", "b"],
    ...     "score": [0.9, 0.5, 0.4, None, None], "rel": [None, None, None, 3, 1]})
    >>> frame.select(rk.rank_explain_by_user("userid", "item", "score", "rel", k=2).struct.unnest())
    shape: (3, 11)
    ┌────────┬──────┬──────┬───────────┬───┬──────────┬──────────────┬──────────┬──────────┐
    │ userid ┆ item ┆ rank ┆ last_rank ┆ … ┆ discount ┆ contribution ┆ if_found ┆ value    │
    │ ---    ┆ ---  ┆ ---  ┆ ---       ┆   ┆ ---      ┆ ---          ┆ ---      ┆ ---      │
    │ i64    ┆ str  ┆ i64  ┆ i64       ┆   ┆ f64      ┆ f64          ┆ f64      ┆ f64      │
    ╞════════╪══════╪══════╪═══════════╪═══╪══════════╪══════════════╪══════════╪══════════╡
    │ 1      ┆ a    ┆ 1    ┆ 1         ┆ … ┆ 1.0      ┆ 0.917319     ┆ null     ┆ 0.917319 │
    │ 1      ┆ c    ┆ 2    ┆ 2         ┆ … ┆ 0.63093  ┆ 0.0          ┆ null     ┆ 0.917319 │
    │ 1      ┆ b    ┆ 3    ┆ 3         ┆ … ┆ 0.0      ┆ 0.0          ┆ 0.082681 ┆ 0.917319 │
    └────────┴──────┴──────┴───────────┴───┴──────────┴──────────────┴──────────┴──────────┘
    """
    return _plugin.by_user("rank_explain_by_user", [userid, item, score, rel], k, options)


def rank_measures_by_user(
    userid: Column,
    item: Column,
    score: Column,
    rel: Column,
    measures: str,
    **options: Unpack[RankMeasuresByUserOptions],
) -> pl.Expr:
    """Any metrics by their names, with cutoffs and options of their own, in one pass: a list of their values,
    in their order.

    Options, formula, source and more: docs/functions/rank_measures.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

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
    measures : str
        Names of metrics, separated by commas. A name may have options of its own in brackets, and a cutoff:
        `ndcg@10, precision(min_rel=2)@5`. Without a cutoff, the whole list counts.
    precision_denominator : {"retrieved", "k"}, default "retrieved"
    recall_denominator : {"truth", "min_truth_k"}, default "truth"
    beta : float, default 1
    ap_denominator : {"truth", "min_truth_k", "hits", "k", "min_truth_retrieved"}, default "truth"
    ap_steps : {"rank", "threshold"}, default "rank"
    gain : {"exp2", "linear", "binary"} or list of float, default "exp2"
    discount : {"log2", "log2_clip", "ln"}, default "log2"
    idcg : {"truth", "retrieved", "k"}, default "truth"
    min_rel : float, optional
    p : float, default 0.8
    rbp_gain : {"binary", "linear"}, default "binary"
    q_beta : float, default 1
    patience : {"none", "reciprocal", "geometric", "insq"}, default "none"
    t : float, default 1
    recall : float, default 0.1
    worth : list of float, default 1:-1:0
    max_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    one_class : {"half", "null", "zero", "by_class"}, default "half"
    auc_pairs : {"retrieved", "k"}, default "retrieved"
    unjudged : {"zero", "skip"}, default "zero"
    ties : {"average", "pessimistic", "optimistic", "item_asc", "item_desc"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    convention : str, default "hivemall_page"

    Returns
    -------
    Expr
        Struct of the user, retrieved, judged, retrieved_repeats, judged_repeats, results, with a row for each
        user, which has the name and the type of `userid`. The order of users depends on nothing but the
        users. `results` has the value of each measure, in their order. Each by itself: NULL for a user
        without judgements, and where nothing is relevant, unless `no_relevant` says otherwise; 0 where
        nothing was retrieved.

    Notes
    -----
    `pl.concat` puts the rows of two frames one after the other. `evaluate_frames` takes the two frames as
    they are, and needs less memory. Rows that repeat an item of a user count once: with the largest score,
    and with their one relevance. A row without a user is left out.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"userid": [1, 1, 1, 1, 1], "item": ["a", "c", "b", "a", "b"],
    ...     "score": [0.9, 0.5, 0.4, None, None], "rel": [None, None, None, 3, 1]})
    >>> frame.select(rk.rank_measures_by_user("userid", "item", "score", "rel",
    ...     measures="ndcg@2, mrr(min_rel=2)").struct.unnest())
    shape: (1, 6)
    ┌────────┬───────────┬────────┬───────────────────┬────────────────┬─────────────────┐
    │ userid ┆ retrieved ┆ judged ┆ retrieved_repeats ┆ judged_repeats ┆ results         │
    │ ---    ┆ ---       ┆ ---    ┆ ---               ┆ ---            ┆ ---             │
    │ i64    ┆ i64       ┆ i64    ┆ i64               ┆ i64            ┆ list[f64]       │
    ╞════════╪═══════════╪════════╪═══════════════════╪════════════════╪═════════════════╡
    │ 1      ┆ 3         ┆ 2      ┆ 0                 ┆ 0              ┆ [0.917319, 1.0] │
    └────────┴───────────┴────────┴───────────────────┴────────────────┴─────────────────┘
    """
    return _plugin.by_user("rank_measures_by_user", [userid, item, score, rel], measures, options)


def rbo(a: Column, b: Column, k: K = None, **options: Unpack[RboOptions]) -> pl.Expr:
    """Rank-biased overlap: the share of common items down to a depth, averaged over the depths at which a
    user may stop.

    Parameters
    ----------
    a, b, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.rbo`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``rbo@k``. NULL where `a` or `b` is, and without an item in either list.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [["a", "c", "b", "d", "f"]], "b": [["c", "a", "e", "b", "g"]]})
    >>> frame.select(rk.rbo("a", "b", k=4)).item()
    0.6907500000000001
    """
    return _plugin.evaluate("rbo", [a, b], k, options)


def jaccard_index(a: Column, b: Column, k: K = None, **options: Unpack[JaccardIndexOptions]) -> pl.Expr:
    """Jaccard's index: the share of the items in the top k of either ranking that is in both.

    Parameters
    ----------
    a, b, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.jaccard_index`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``jaccard_index@k``. NULL where `a` or `b` is, and without an item in either
        list.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [["a", "c", "b", "d", "f"]], "b": [["c", "a", "e", "b", "g"]]})
    >>> frame.select(rk.jaccard_index("a", "b", k=4)).item()
    0.6
    """
    return _plugin.evaluate("jaccard_index", [a, b], k, options)


def overlap(a: Column, b: Column, k: K = None, **options: Unpack[OverlapOptions]) -> pl.Expr:
    """Overlap: the share of the top k that both rankings have.

    Parameters
    ----------
    a, b, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.overlap`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``overlap@k``. NULL where `a` or `b` is, and without an item in either list.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [["a", "c", "b", "d", "f"]], "b": [["c", "a", "e", "b", "g"]]})
    >>> frame.select(rk.overlap("a", "b", k=4)).item()
    0.75
    """
    return _plugin.evaluate("overlap", [a, b], k, options)


def spearman_rho(a: Column, b: Column, k: K = None, **options: Unpack[SpearmanRhoOptions]) -> pl.Expr:
    """Spearman's rho: the correlation of the ranks of the common items, which are ranked anew among one
    another.

    Parameters
    ----------
    a, b, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.spearman_rho`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, -1 to 1, named ``spearman_rho@k``. NULL where `a` or `b` is, and without two common items.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [["a", "c", "b", "d", "f"]], "b": [["c", "a", "e", "b", "g"]]})
    >>> frame.select(rk.spearman_rho("a", "b", k=4)).item()
    0.5
    """
    return _plugin.evaluate("spearman_rho", [a, b], k, options)


def tau_ap(a: Column, b: Column, k: K = None, **options: Unpack[TauApOptions]) -> pl.Expr:
    """AP rank correlation: Kendall's tau of the common items, in which the top of the first ranking counts
    most.

    Parameters
    ----------
    a, b, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.tau_ap`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, -1 to 1, named ``tau_ap@k``. NULL where `a` or `b` is, and without two common items.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [["a", "c", "b", "d", "f"]], "b": [["c", "a", "e", "b", "g"]]})
    >>> frame.select(rk.tau_ap("a", "b", k=4)).item()
    0.0
    """
    return _plugin.evaluate("tau_ap", [a, b], k, options)


def weighted_tau(a: Column, b: Column, k: K = None, **options: Unpack[WeightedTauOptions]) -> pl.Expr:
    """Weighted tau: Kendall's tau of the common items, in which a pair has the weight 1 / rank of each of its
    items, as the mean of the weights by either ranking.

    Parameters
    ----------
    a, b, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.weighted_tau`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, -1 to 1, named ``weighted_tau@k``. NULL where `a` or `b` is, and without two common items.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [["a", "c", "b", "d", "f"]], "b": [["c", "a", "e", "b", "g"]]})
    >>> frame.select(rk.weighted_tau("a", "b", k=4)).item()
    0.18181818181818177
    """
    return _plugin.evaluate("weighted_tau", [a, b], k, options)


def rank_similarity(a: Column, b: Column, k: K = None, **options: Unpack[RankSimilarityOptions]) -> pl.Expr:
    """The similarities of two rankings in one pass, in a struct with k.

    Parameters
    ----------
    a, b, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.rank_similarity`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Struct of k, rbo, jaccard_index, overlap, spearman_rho, tau_ap, weighted_tau, named
        ``rank_similarity@k``. NULL where `a` or `b` is.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [["a", "c", "b", "d", "f"]], "b": [["c", "a", "e", "b", "g"]]})
    >>> frame.select(rk.rank_similarity("a", "b", k=4)).row(0)[0]["rbo"]
    0.6907500000000001
    """
    return _plugin.evaluate("rank_similarity", [a, b], k, options)


def average_popularity(values: Column, k: K = None, **options: Unpack[AveragePopularityOptions]) -> pl.Expr:
    """Mean popularity of the items in the top k (average recommendation popularity, ARP).

    Parameters
    ----------
    values, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.average_popularity`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, between the least and the largest value, named ``average_popularity@k``. NULL where `values`
        is, and without an item with a value.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"values": [[40, 10, 25]]})
    >>> frame.select(rk.average_popularity("values", k=2)).item()
    25.0
    """
    return _plugin.evaluate("average_popularity", [values], k, options)


def novelty(values: Column, k: K = None, **options: Unpack[NoveltyOptions]) -> pl.Expr:
    """Mean information of the items in the top k, in bits (mean inverse user frequency, self-information): an
    item that half of the users had has 1 bit, and one that all had has 0.

    Parameters
    ----------
    values, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.novelty`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 or more, named ``novelty@k``. NULL where `values` is, and without an item with a value.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"values": [[0.5, 0.125, 0.25]]})
    >>> frame.select(rk.novelty("values", k=2)).item()
    2.0
    """
    return _plugin.evaluate("novelty", [values], k, options)


def long_tail_share(values: Column, k: K = None, **options: Unpack[LongTailShareOptions]) -> pl.Expr:
    """Share of the items in the top k that are in the long tail (average percentage of long tail items,
    APLT), or that have another property.

    Parameters
    ----------
    values, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.long_tail_share`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``long_tail_share@k``. NULL where `values` is, and without an item with a
        value.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"values": [[1, 0, 1]]})
    >>> frame.select(rk.long_tail_share("values", k=2)).item()
    0.5
    """
    return _plugin.evaluate("long_tail_share", [values], k, options)


def categorical_diversity(
    values: Column, k: K = None, **options: Unpack[CategoricalDiversityOptions]
) -> pl.Expr:
    """Number of distinct categories of the items in the top k, over k.

    Parameters
    ----------
    values, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.categorical_diversity`. A wrong argument is a ValueError, in a column a
        ComputeError.

    Returns
    -------
    Expr
        Float64, 0 or more, named ``categorical_diversity@k``. NULL where `values` is, and without an item
        with a value.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"values": [["drama", "drama", "comedy"]]})
    >>> frame.select(rk.categorical_diversity("values", k=2)).item()
    0.5
    """
    return _plugin.evaluate("categorical_diversity", [values], k, options)


def intra_list_diversity(
    values: Column, k: K = None, **options: Unpack[IntraListDiversityOptions]
) -> pl.Expr:
    """Mean distance between two items of the top k (ILD).

    Parameters
    ----------
    values, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.intra_list_diversity`. A wrong argument is a ValueError, in a column a
        ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, or 0 to 2 for vectors, named ``intra_list_diversity@k``. NULL where `values` is, and
        without two items with a value.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"values": [[["drama", "crime"], ["drama"], ["comedy"]]]})
    >>> frame.select(rk.intra_list_diversity("values", k=2)).item()
    0.5
    """
    return _plugin.evaluate("intra_list_diversity", [values], k, options)


def rank_items(
    rec: Column, truth: Column, items: Column, measures: str, **options: Unpack[RankItemsOptions]
) -> pl.Expr:
    """Measures of recommended items by their names, each of a ranking or of all of them: a list of their
    values for the first ranking, then those for the next one.

    Parameters
    ----------
    rec, truth, items, measures, **options : str, Expr, Series or list; measures: str
        As in `rankdcg_sql.rank_items`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        List of numbers, named ``rank_items``: the values of all measures for the first ranking, then those
        for the next one. NULL for a ranking that is NULL, and where a measure is not defined. NULL where
        `rec`, `items` or `measures` is.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [[["a", "c"], ["a", "b"]]], "truth": [[["c"], ["d"]]],
    ...     "items": [[{"item": "a", "popularity": 9, "group": "x"},
    ...     {"item": "b", "popularity": 4, "group": "y"}, {"item": "c", "popularity": 1, "group": "x"},
    ...     {"item": "d", "popularity": 1, "group": "y"}]]})
    >>> frame.select(rk.rank_items("rec", "truth", "items",
    ...     measures="average_popularity@2, serendipity@2, coverage@2")).row(0)[0]
    [5.0, 0.125, 0.75, 6.5, 0.0, 0.75]
    """
    return _plugin.evaluate("rank_items", [rec, truth, items], measures, options)


def alpha_ndcg(rec: Column, truth: Column, k: K = None, **options: Unpack[AlphaNdcgOptions]) -> pl.Expr:
    """Alpha-nDCG: the gains of alpha_dcg over those of the greedy ideal order, which takes the item of the
    largest gain at each rank, and of equal ones the last by item.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.alpha_ndcg`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 or more, named ``alpha_ndcg@k``. NULL where `truth` is. NULL without a relevant item,
        unless `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}]]})
    >>> frame.select(rk.alpha_ndcg("rec", "truth", k=2)).item()
    0.38009376671593426
    """
    return _plugin.evaluate("alpha_ndcg", [rec, truth], k, options)


def alpha_dcg(rec: Column, truth: Column, k: K = None, **options: Unpack[AlphaDcgOptions]) -> pl.Expr:
    """Alpha-DCG: discounted gain, where an item gains 1 for each of its aspects, and (1 -
    redundancy_intolerance) times as much for each item above with the same aspect.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.alpha_dcg`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``alpha_dcg@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}]]})
    >>> frame.select(rk.alpha_dcg("rec", "truth", k=2)).item()
    0.25339584447728947
    """
    return _plugin.evaluate("alpha_dcg", [rec, truth], k, options)


def nerr_ia(rec: Column, truth: Column, k: K = None, **options: Unpack[NerrIaOptions]) -> pl.Expr:
    """Intent-aware expected reciprocal rank over that of the greedy ideal order of alpha_ndcg.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.nerr_ia`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 or more, named ``nerr_ia@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}]]})
    >>> frame.select(rk.nerr_ia("rec", "truth", k=2)).item()
    0.4
    """
    return _plugin.evaluate("nerr_ia", [rec, truth], k, options)


def err_ia(rec: Column, truth: Column, k: K = None, **options: Unpack[ErrIaOptions]) -> pl.Expr:
    """Intent-aware expected reciprocal rank: the gains of alpha_dcg with the discount 1 / rank, over the sum
    of items that had all aspects.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.err_ia`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``err_ia@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}]]})
    >>> frame.select(rk.err_ia("rec", "truth", k=2)).item()
    0.26666666666666666
    """
    return _plugin.evaluate("err_ia", [rec, truth], k, options)


def nnrbp(rec: Column, truth: Column, k: K = None, **options: Unpack[NnrbpOptions]) -> pl.Expr:
    """Novelty- and rank-biased precision over that of the greedy ideal order of alpha_ndcg.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.nnrbp`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 or more, named ``nnrbp@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}]]})
    >>> frame.select(rk.nnrbp("rec", "truth", k=2)).item()
    0.4
    """
    return _plugin.evaluate("nnrbp", [rec, truth], k, options)


def nrbp(rec: Column, truth: Column, k: K = None, **options: Unpack[NrbpOptions]) -> pl.Expr:
    """Novelty- and rank-biased precision: the gains of alpha_dcg, where a user goes on to the next item with
    probability p.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.nrbp`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``nrbp@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}]]})
    >>> frame.select(rk.nrbp("rec", "truth", k=2)).item()
    0.25
    """
    return _plugin.evaluate("nrbp", [rec, truth], k, options)


def subtopic_recall(
    rec: Column, truth: Column, k: K = None, **options: Unpack[SubtopicRecallOptions]
) -> pl.Expr:
    """Subtopic recall: the share of the aspects that an item of the top k has.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.subtopic_recall`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``subtopic_recall@k``. NULL where `truth` is. NULL without a relevant item,
        unless `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}]]})
    >>> frame.select(rk.subtopic_recall("rec", "truth", k=2)).item()
    0.3333333333333333
    """
    return _plugin.evaluate("subtopic_recall", [rec, truth], k, options)


def precision_ia(rec: Column, truth: Column, k: K = None, **options: Unpack[PrecisionIaOptions]) -> pl.Expr:
    """Intent-aware precision: the mean over aspects of the share of the top k that has the aspect.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.precision_ia`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``precision_ia@k``. NULL where `truth` is. NULL without a relevant item, unless
        `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}]]})
    >>> frame.select(rk.precision_ia("rec", "truth", k=2)).item()
    0.16666666666666666
    """
    return _plugin.evaluate("precision_ia", [rec, truth], k, options)


def average_precision_ia(
    rec: Column, truth: Column, k: K = None, **options: Unpack[AveragePrecisionIaOptions]
) -> pl.Expr:
    """Intent-aware average precision: the mean over aspects of the average precision of the items with the
    aspect.

    Parameters
    ----------
    rec, truth, k, **options : str, Expr, Series or list; k: int or Expr, optional
        As in `rankdcg_sql.average_precision_ia`. A wrong argument is a ValueError, in a column a
        ComputeError.

    Returns
    -------
    Expr
        Float64, 0 to 1, named ``average_precision_ia@k``. NULL where `truth` is. NULL without a relevant
        item, unless `no_relevant` says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"rec": [["a", "c", "b"]], "truth": [[{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}]]})
    >>> frame.select(rk.average_precision_ia("rec", "truth", k=2)).item()
    0.16666666666666666
    """
    return _plugin.evaluate("average_precision_ia", [rec, truth], k, options)


def mean_ci(x: Column, **options: Unpack[MeanCiOptions]) -> pl.Expr:
    """Confidence interval of the mean by Student's t.

    Options, formula, source and more: docs/functions/mean_ci.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

    Parameters
    ----------
    x : str, Expr, Series or list
        A metric of each user, a number. A NULL leaves the user out.
    confidence : float, default 0.95
    skewness : {"ignored", "hall", "gaffke"}, default "ignored"
    lower_bound : float, optional
    upper_bound : float, optional

    Returns
    -------
    Expr
        Struct of n, mean, low, high, named ``mean_ci``. `n` is the number of rows that count; of too few, the
        others are NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"x": [0.5, 0.75, 0.25, 0.9]})
    >>> frame.select(rk.mean_ci("x")).row(0)[0]
    {'n': 4, 'mean': 0.6, 'low': 0.1452701077312114, 'high': 1.0547298922687887}
    """
    return _plugin.aggregate("mean_ci", [x], None, options)


def bootstrap_ci(x: Column, **options: Unpack[BootstrapCiOptions]) -> pl.Expr:
    """Confidence interval of the mean by the bootstrap, bias-corrected and accelerated (BCa).

    Options, formula, source and more: docs/functions/bootstrap_ci.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

    Parameters
    ----------
    x : str, Expr, Series or list
        A metric of each user, a number. A NULL leaves the user out.
    confidence : float, default 0.95
    resamples : int, default 10000
    seed : int, default 0
    lower_bound : float, optional
    upper_bound : float, optional

    Returns
    -------
    Expr
        Struct of n, mean, low, high, named ``bootstrap_ci``. `n` is the number of rows that count; of too
        few, the others are NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"x": [0.5, 0.75, 0.25, 0.9]})
    >>> frame.select(rk.bootstrap_ci("x")).row(0)[0]
    {'n': 4, 'mean': 0.6, 'low': 0.375, 'high': 0.825}
    """
    return _plugin.aggregate("bootstrap_ci", [x], None, options)


def anytime_mean_ci(x: Column, **options: Unpack[AnytimeMeanCiOptions]) -> pl.Expr:
    """Confidence interval of the mean of a sample that grows: the intervals of all its sizes hold together
    with the confidence, so that one may look at any time, and stop when one likes.

    Options, formula, source and more: docs/functions/anytime_mean_ci.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

    Parameters
    ----------
    x : str, Expr, Series or list
        A metric of each user, a number. A NULL leaves the user out.
    confidence : float, default 0.95
    narrowest_at : int, default 100
    lower_bound : float, optional
    upper_bound : float, optional

    Returns
    -------
    Expr
        Struct of n, mean, low, high, named ``anytime_mean_ci``. `n` is the number of rows that count; of too
        few, the others are NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"x": [0.5, 0.75, 0.25, 0.9]})
    >>> frame.select(rk.anytime_mean_ci("x")).row(0)[0]
    {'n': 4, 'mean': 0.6, 'low': None, 'high': None}
    """
    return _plugin.aggregate("anytime_mean_ci", [x], None, options)


def paired_t_test(a: Column, b: Column, **options: Unpack[PairedTTestOptions]) -> pl.Expr:
    """Student's t test of a mean difference of 0 between pairs; statistic is t, and effect_size Cohen's d_z.

    Options, formula, source and more: docs/functions/paired_t_test.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

    Parameters
    ----------
    a : str, Expr, Series or list
        A metric of each user, by one system. A NULL leaves the user out.
    b : str, Expr, Series or list
        The same metric of the same user, by another system. A NULL leaves the user out.
    alternative : {"two_sided", "less", "greater", "equivalence"}, default "two_sided"
    margin : float, default 0
    tolerance : float, default 0
    skewness : {"ignored", "hall", "gaffke"}, default "ignored"
    lower_bound : float, optional
    upper_bound : float, optional

    Returns
    -------
    Expr
        Struct of n, mean_difference, statistic, p_value, effect_size, named ``paired_t_test``. `n` is the
        number of rows that count; of too few, the others are NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7]})
    >>> frame.select(rk.paired_t_test("a", "b")).row(0)[0]["p_value"]
    0.15518171532879504
    """
    return _plugin.aggregate("paired_t_test", [a, b], None, options)


def paired_t_test_power(a: Column, b: Column, **options: Unpack[PairedTTestPowerOptions]) -> pl.Expr:
    """What a paired t test can find, judged by the standard deviation s of these differences.

    Options, formula, source and more: docs/functions/paired_t_test_power.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

    Parameters
    ----------
    a : str, Expr, Series or list
        A metric of each user, by one system. A NULL leaves the user out.
    b : str, Expr, Series or list
        The same metric of the same user, by another system. A NULL leaves the user out.
    alternative : {"two_sided", "less", "greater", "equivalence"}, default "two_sided"
    margin : float, default 0
    alpha : float, default 0.05
    power : float, default 0.8
    difference : float, optional
    tolerance : float, default 0
    skewness : {"ignored", "hall", "gaffke"}, default "ignored"
    lower_bound : float, optional
    upper_bound : float, optional

    Returns
    -------
    Expr
        Struct of n, mean_difference, min_detectable_effect, users_needed, named ``paired_t_test_power``. `n`
        is the number of rows that count; of too few, the others are NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7]})
    >>> frame.select(rk.paired_t_test_power("a", "b")).row(0)[0]
    {'n': 4, 'mean_difference': 0.125, 'min_detectable_effect': 0.28150123824016815, 'users_needed': 11.0}
    """
    return _plugin.aggregate("paired_t_test_power", [a, b], None, options)


def wilcoxon_signed_rank(a: Column, b: Column, **options: Unpack[WilcoxonSignedRankOptions]) -> pl.Expr:
    """Wilcoxon's signed-rank test of differences that are symmetric around 0.

    Options, formula, source and more: docs/functions/wilcoxon_signed_rank.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

    Parameters
    ----------
    a : str, Expr, Series or list
        A metric of each user, by one system. A NULL leaves the user out.
    b : str, Expr, Series or list
        The same metric of the same user, by another system. A NULL leaves the user out.
    alternative : {"two_sided", "less", "greater", "equivalence"}, default "two_sided"
    tolerance : float, default 0

    Returns
    -------
    Expr
        Struct of n, mean_difference, statistic, p_value, effect_size, named ``wilcoxon_signed_rank``. `n` is
        the number of rows that count; of too few, the others are NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7]})
    >>> frame.select(rk.wilcoxon_signed_rank("a", "b")).row(0)[0]
    {'n': 4, 'mean_difference': 0.125, 'statistic': 1.0, 'p_value': 0.25, 'effect_size': 0.9449111825230679}
    """
    return _plugin.aggregate("wilcoxon_signed_rank", [a, b], None, options)


def randomization_test(a: Column, b: Column, **options: Unpack[RandomizationTestOptions]) -> pl.Expr:
    """Fisher's randomization test of a mean difference of 0 between pairs.

    Options, formula, source and more: docs/functions/randomization_test.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

    Parameters
    ----------
    a : str, Expr, Series or list
        A metric of each user, by one system. A NULL leaves the user out.
    b : str, Expr, Series or list
        The same metric of the same user, by another system. A NULL leaves the user out.
    alternative : {"two_sided", "less", "greater", "equivalence"}, default "two_sided"
    resamples : int, default 10000
    seed : int, default 0
    tolerance : float, default 0

    Returns
    -------
    Expr
        Struct of n, mean_difference, statistic, p_value, effect_size, named ``randomization_test``. `n` is
        the number of rows that count; of too few, the others are NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7]})
    >>> frame.select(rk.randomization_test("a", "b")).row(0)[0]
    {'n': 4, 'mean_difference': 0.125, 'statistic': 0.125, 'p_value': 0.25, 'effect_size': 0.9449111825230679}
    """
    return _plugin.aggregate("randomization_test", [a, b], None, options)


def win_tie_loss(a: Column, b: Column, **options: Unpack[WinTieLossOptions]) -> pl.Expr:
    """Numbers of pairs in which a is larger than b, equal to b, and smaller than b.

    Options, formula, source and more: docs/functions/win_tie_loss.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

    Parameters
    ----------
    a : str, Expr, Series or list
        A metric of each user, by one system. A NULL leaves the user out.
    b : str, Expr, Series or list
        The same metric of the same user, by another system. A NULL leaves the user out.
    tolerance : float, default 0

    Returns
    -------
    Expr
        Struct of n, wins, ties, losses, named ``win_tie_loss``. `n` is the number of rows that count.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7]})
    >>> frame.select(rk.win_tie_loss("a", "b")).row(0)[0]
    {'n': 4, 'wins': 3, 'ties': 0, 'losses': 1}
    """
    return _plugin.aggregate("win_tie_loss", [a, b], None, options)


def paired_comparison(a: Column, b: Column, **options: Unpack[PairedComparisonOptions]) -> pl.Expr:
    """All about the differences of two systems, in one pass: the means of both, the mean difference with its
    confidence interval by mean_ci, Student's t and its p-value by paired_t_test, Cohen's d_z, and the
    numbers of pairs in which a is larger, equal and smaller by win_tie_loss.

    Options, formula, source and more: docs/functions/paired_comparison.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

    Parameters
    ----------
    a : str, Expr, Series or list
        A metric of each user, by one system. A NULL leaves the user out.
    b : str, Expr, Series or list
        The same metric of the same user, by another system. A NULL leaves the user out.
    alternative : {"two_sided", "less", "greater", "equivalence"}, default "two_sided"
    margin : float, default 0
    confidence : float, default 0.95
    lower_bound : float, optional
    upper_bound : float, optional
    tolerance : float, default 0

    Returns
    -------
    Expr
        Struct of n, mean_a, mean_b, mean_difference, low, high, statistic, p_value, effect_size, wins, ties,
        losses, named ``paired_comparison``. `n` is the number of rows that count; of too few, the others are
        NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7]})
    >>> frame.select(rk.paired_comparison("a", "b")).row(0)[0]["p_value"]
    0.15518171532879504
    """
    return _plugin.aggregate("paired_comparison", [a, b], None, options)


def partially_overlapping_t_test(
    a: Column, b: Column, **options: Unpack[PartiallyOverlappingTTestOptions]
) -> pl.Expr:
    """T test of the difference of two means, and its confidence interval, if the samples have some users in
    common.

    Options, formula, source and more: docs/functions/partially_overlapping_t_test.md,
    `rankdcg_sql.options()`, `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a
    ComputeError.

    Parameters
    ----------
    a : str, Expr, Series or list
        A metric of each user, by one system. NULL for a user who is not in its mean.
    b : str, Expr, Series or list
        The same metric of the same user, by another system. NULL for a user who is not in its mean.
    alternative : {"two_sided", "less", "greater", "equivalence"}, default "two_sided"
    margin : float, default 0
    confidence : float, default 0.95
    lower_bound : float, optional
    upper_bound : float, optional
    tolerance : float, default 0

    Returns
    -------
    Expr
        Struct of n, mean_a, mean_b, mean_difference, low, high, statistic, p_value, n_a, n_b, n_both, named
        ``partially_overlapping_t_test``. `n` is the number of rows that count; of too few, the others are
        NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7]})
    >>> frame.select(rk.partially_overlapping_t_test("a", "b")).row(0)[0]["p_value"]
    0.15518171532879504
    """
    return _plugin.aggregate("partially_overlapping_t_test", [a, b], None, options)


def judge_corrected_mean(
    human: Column, judge: Column, **options: Unpack[JudgeCorrectedMeanOptions]
) -> pl.Expr:
    """Mean of a metric and its confidence interval, if people judged a random sample of the users, and a
    judge, such as a language model, all of them.

    Options, formula, source and more: docs/functions/judge_corrected_mean.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

    Parameters
    ----------
    human : str, Expr, Series or list
        A metric of each user by the judgements of people. NULL for a user whom nobody judged.
    judge : str, Expr, Series or list
        The same metric of the same user by the judgements of a judge, such as a language model.
    confidence : float, default 0.95
    lower_bound : float, optional
    upper_bound : float, optional
    alpha : float, default 0.05
    power : float, default 0.8
    difference : float, optional

    Returns
    -------
    Expr
        Struct of n, mean, low, high, p_value, mean_human, mean_judge, judge_weight, effective_n,
        users_needed, n_human, n_judge, n_both, named ``judge_corrected_mean``. `n` is the number of rows that
        count; of too few, the others are NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"human": [0.5, 0.75, 0.25, 0.9, None], "judge": [0.4, 0.6, 0.35, 0.7, 0.9]})
    >>> frame.select(rk.judge_corrected_mean("human", "judge")).row(0)[0]["p_value"]
    0.05314462916111239
    """
    return _plugin.aggregate("judge_corrected_mean", [human, judge], None, options)


def concentration(x: Column, **options: Unpack[ConcentrationOptions]) -> pl.Expr:
    """How far the recommendations of a system concentrate on few items: Gini index and Shannon entropy, in
    bits, of the exposures of all items of the catalogue.

    Options, formula, source and more: docs/functions/concentration.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

    Parameters
    ----------
    x : str, Expr, Series or list
        The exposure of each item of the catalogue, such as how often it is recommended: a number, 0 for an
        item that never is. A NULL leaves the item out.

    Returns
    -------
    Expr
        Struct of n, mean, gini, entropy, named ``concentration``. `n` is the number of rows that count; of
        too few, the others are NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"x": [0.5, 0.75, 0.25, 0.9]})
    >>> frame.select(rk.concentration("x")).row(0)[0]
    {'n': 4, 'mean': 0.6, 'gini': 0.22916666666666669, 'entropy': 1.8664014510669928}
    """
    return _plugin.aggregate("concentration", [x], None, options)


def weighted_mean_ci(x: Column, weight: Column, **options: Unpack[WeightedMeanCiOptions]) -> pl.Expr:
    """Confidence interval of the weighted mean by Student's t, with Kish's design effect and the effective
    sample size.

    Options, formula, source and more: docs/functions/weighted_mean_ci.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

    Parameters
    ----------
    x : str, Expr, Series or list
        A metric of each user, a number. A NULL leaves the user out.
    weight : str, Expr, Series or list
        The weight of each user, a finite number that is at least 0. A NULL or a 0 leaves the user out.
    confidence : float, default 0.95
    lower_bound : float, optional
    upper_bound : float, optional

    Returns
    -------
    Expr
        Struct of n, mean, low, high, design_effect, effective_n, named ``weighted_mean_ci``. `n` is the
        number of rows that count; of too few, the others are NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"x": [0.5, 0.75, 0.25, 0.9], "weight": [3, 1, 2, 4]})
    >>> frame.select(rk.weighted_mean_ci("x", "weight")).row(0)[0]["mean"]
    0.635
    """
    return _plugin.aggregate("weighted_mean_ci", [x, weight], None, options)


def weighted_paired_comparison(
    a: Column, b: Column, weight: Column, **options: Unpack[WeightedPairedComparisonOptions]
) -> pl.Expr:
    """Paired_comparison of pairs with weights: the weighted means of both systems, the weighted mean
    difference with its confidence interval by weighted_mean_ci, Student's t and its p-value, Cohen's d_z,
    Kish's design effect and the effective sample size, and the numbers of pairs in which a is larger,
    equal and smaller, which have no weight.

    Options, formula, source and more: docs/functions/weighted_paired_comparison.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a ComputeError.

    Parameters
    ----------
    a : str, Expr, Series or list
        A metric of each user, by one system. A NULL leaves the user out.
    b : str, Expr, Series or list
        The same metric of the same user, by another system. A NULL leaves the user out.
    weight : str, Expr, Series or list
        The weight of each user, a finite number that is at least 0. A NULL or a 0 leaves the user out.
    alternative : {"two_sided", "less", "greater", "equivalence"}, default "two_sided"
    margin : float, default 0
    confidence : float, default 0.95
    lower_bound : float, optional
    upper_bound : float, optional
    tolerance : float, default 0

    Returns
    -------
    Expr
        Struct of n, mean_a, mean_b, mean_difference, low, high, statistic, p_value, effect_size,
        design_effect, effective_n, wins, ties, losses, named ``weighted_paired_comparison``. `n` is the
        number of rows that count; of too few, the others are NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7], "weight": [3, 1, 2, 4]})
    >>> frame.select(rk.weighted_paired_comparison("a", "b", "weight")).row(0)[0]["p_value"]
    0.11105884981528215
    """
    return _plugin.aggregate("weighted_paired_comparison", [a, b, weight], None, options)


def weighted_judge_corrected_mean(
    human: Column, judge: Column, weight: Column, **options: Unpack[WeightedJudgeCorrectedMeanOptions]
) -> pl.Expr:
    """Mean of a metric and its confidence interval, if people judged a sample in which some users were more
    likely to be than others, and a judge all users.

    Options, formula, source and more: docs/functions/weighted_judge_corrected_mean.md,
    `rankdcg_sql.options()`, `rankdcg_sql.functions()`. A wrong argument is a ValueError, in a column a
    ComputeError.

    Parameters
    ----------
    human : str, Expr, Series or list
        A metric of each user by the judgements of people. NULL for a user whom nobody judged.
    judge : str, Expr, Series or list
        The same metric of the same user by the judgements of a judge, such as a language model.
    weight : str, Expr, Series or list
        The weight of each user, a finite number that is at least 0. A NULL or a 0 leaves the user out.
    confidence : float, default 0.95
    lower_bound : float, optional
    upper_bound : float, optional
    alpha : float, default 0.05
    power : float, default 0.8
    difference : float, optional

    Returns
    -------
    Expr
        Struct of n, mean, low, high, p_value, mean_human, mean_judge, judge_weight, effective_n,
        users_needed, n_human, n_judge, n_both, named ``weighted_judge_corrected_mean``. `n` is the number of
        rows that count; of too few, the others are NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"human": [0.5, 0.75, 0.25, 0.9, None], "judge": [0.4, 0.6, 0.35, 0.7, 0.9],
    ...     "weight": [3, 1, 2, 4, 1]})
    >>> frame.select(rk.weighted_judge_corrected_mean("human", "judge", "weight")).row(0)[0]["p_value"]
    0.09655170917096349
    """
    return _plugin.aggregate("weighted_judge_corrected_mean", [human, judge, weight], None, options)


def tukey_hsd(blocks: Column, **options: Unpack[TukeyHsdOptions]) -> pl.Expr:
    """Randomised Tukey HSD: a p-value for each pair of systems, in the order (1, 2), (1, 3), ..., (2, 3) and
    so on, that is corrected for the number of pairs.

    Parameters
    ----------
    blocks, **options : str, Expr, Series or list
        As in `rankdcg_sql.tukey_hsd`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        List of Float64, 0 to 1, named ``tukey_hsd``: a p-value for each pair of systems. NULL where no user
        has a value of every system.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"blocks": [[[0.5, 0.4, 0.8], [0.75, 0.5, 0.9], [0.25, 0.3, 0.6],
    ...     [0.9, 0.7, 0.95]]]})
    >>> frame.select(rk.tukey_hsd("blocks")).row(0)[0]
    [0.7083333333333334, 0.25925925925925924, 0.013888888888888888]
    """
    return _plugin.evaluate("tukey_hsd", [blocks], None, options)


def corrected_p_values(p_values: Column, **options: Unpack[CorrectedPValuesOptions]) -> pl.Expr:
    """P-values corrected for the number of tests, in the order of the tests.

    Parameters
    ----------
    p_values, **options : str, Expr, Series or list
        As in `rankdcg_sql.corrected_p_values`. A wrong argument is a ValueError, in a column a ComputeError.

    Returns
    -------
    Expr
        List of Float64, 0 to 1, named ``corrected_p_values``. NULL where `p_values` is.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"p_values": [[0.01, 0.04, 0.03, None]]})
    >>> frame.select(rk.corrected_p_values("p_values")).row(0)[0]
    [0.03, 0.06, 0.06, None]
    """
    return _plugin.evaluate("corrected_p_values", [p_values], None, options)


def geometric_mean_values(user_values: Column, **options: Unpack[GeometricMeanValuesOptions]) -> pl.Expr:
    """The geometric mean of a metric over users as a value for each user, in their order: the mean of the
    values is the geometric mean, and the interval of this mean is the jackknife's.

    Parameters
    ----------
    user_values, **options : str, Expr, Series or list
        As in `rankdcg_sql.geometric_mean_values`. A wrong argument is a ValueError, in a column a
        ComputeError.

    Returns
    -------
    Expr
        List of Float64, named ``geometric_mean_values``. NULL where `user_values` is.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"user_values": [[0.25, 1.0, None]]})
    >>> frame.select(rk.geometric_mean_values("user_values")).row(0)[0]
    [0.125, 0.875, None]
    """
    return _plugin.evaluate("geometric_mean_values", [user_values], None, options)


@pl.api.register_expr_namespace("rank_eval")
class RankEval:
    """The functions as methods: ``pl.col("rec").rank_eval.ndcg("truth", k=10)``.

    A type checker that does not know the namespace knows ``RankEval(pl.col("rec"))``.
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    precision = _plugin.method(precision)
    recall = _plugin.method(recall)
    f1 = _plugin.method(f1)
    hit_rate = _plugin.method(hit_rate)
    mrr = _plugin.method(mrr)
    average_precision = _plugin.method(average_precision)
    ndcg = _plugin.method(ndcg)
    cg = _plugin.method(cg)
    dcg = _plugin.method(dcg)
    idcg = _plugin.method(idcg)
    auc = _plugin.method(auc)
    r_precision = _plugin.method(r_precision)
    rbp = _plugin.method(rbp)
    rbp_residual = _plugin.method(rbp_residual)
    err = _plugin.method(err)
    nerr = _plugin.method(nerr)
    nearly_err = _plugin.method(nearly_err)
    q_measure = _plugin.method(q_measure)
    sdcg = _plugin.method(sdcg)
    bpm = _plugin.method(bpm)
    insq = _plugin.method(insq)
    inst = _plugin.method(inst)
    bpref = _plugin.method(bpref)
    inf_ap = _plugin.method(inf_ap)
    iprec = _plugin.method(iprec)
    eleven_point_average = _plugin.method(eleven_point_average)
    relative_precision = _plugin.method(relative_precision)
    utility = _plugin.method(utility)
    judged_share = _plugin.method(judged_share)
    rankdcg = _plugin.method(rankdcg)
    rank_metrics = _plugin.method(rank_metrics)
    rank_metrics_at = _plugin.method(rank_metrics_at)
    rank_explain = _plugin.method(rank_explain)
    ndcg_rels = _plugin.method(ndcg_rels)
    cg_rels = _plugin.method(cg_rels)
    dcg_rels = _plugin.method(dcg_rels)
    idcg_rels = _plugin.method(idcg_rels)
    err_rels = _plugin.method(err_rels)
    nerr_rels = _plugin.method(nerr_rels)
    nearly_err_rels = _plugin.method(nearly_err_rels)
    q_measure_rels = _plugin.method(q_measure_rels)
    sdcg_rels = _plugin.method(sdcg_rels)
    bpm_rels = _plugin.method(bpm_rels)
    insq_rels = _plugin.method(insq_rels)
    inst_rels = _plugin.method(inst_rels)
    precision_scored = _plugin.method(precision_scored)
    recall_scored = _plugin.method(recall_scored)
    f1_scored = _plugin.method(f1_scored)
    hit_rate_scored = _plugin.method(hit_rate_scored)
    mrr_scored = _plugin.method(mrr_scored)
    average_precision_scored = _plugin.method(average_precision_scored)
    ndcg_scored = _plugin.method(ndcg_scored)
    cg_scored = _plugin.method(cg_scored)
    dcg_scored = _plugin.method(dcg_scored)
    idcg_scored = _plugin.method(idcg_scored)
    auc_scored = _plugin.method(auc_scored)
    r_precision_scored = _plugin.method(r_precision_scored)
    rbp_scored = _plugin.method(rbp_scored)
    rbp_residual_scored = _plugin.method(rbp_residual_scored)
    err_scored = _plugin.method(err_scored)
    nerr_scored = _plugin.method(nerr_scored)
    nearly_err_scored = _plugin.method(nearly_err_scored)
    q_measure_scored = _plugin.method(q_measure_scored)
    sdcg_scored = _plugin.method(sdcg_scored)
    bpm_scored = _plugin.method(bpm_scored)
    insq_scored = _plugin.method(insq_scored)
    inst_scored = _plugin.method(inst_scored)
    bpref_scored = _plugin.method(bpref_scored)
    inf_ap_scored = _plugin.method(inf_ap_scored)
    iprec_scored = _plugin.method(iprec_scored)
    eleven_point_average_scored = _plugin.method(eleven_point_average_scored)
    relative_precision_scored = _plugin.method(relative_precision_scored)
    utility_scored = _plugin.method(utility_scored)
    judged_share_scored = _plugin.method(judged_share_scored)
    roc_auc = _plugin.method(roc_auc)
    kendall_tau = _plugin.method(kendall_tau)
    rank_metrics_scored = _plugin.method(rank_metrics_scored)
    rank_metrics_at_scored = _plugin.method(rank_metrics_at_scored)
    precision_agg = _plugin.method(precision_agg)
    recall_agg = _plugin.method(recall_agg)
    f1_agg = _plugin.method(f1_agg)
    hit_rate_agg = _plugin.method(hit_rate_agg)
    mrr_agg = _plugin.method(mrr_agg)
    average_precision_agg = _plugin.method(average_precision_agg)
    ndcg_agg = _plugin.method(ndcg_agg)
    cg_agg = _plugin.method(cg_agg)
    dcg_agg = _plugin.method(dcg_agg)
    idcg_agg = _plugin.method(idcg_agg)
    auc_agg = _plugin.method(auc_agg)
    r_precision_agg = _plugin.method(r_precision_agg)
    rbp_agg = _plugin.method(rbp_agg)
    rbp_residual_agg = _plugin.method(rbp_residual_agg)
    err_agg = _plugin.method(err_agg)
    nerr_agg = _plugin.method(nerr_agg)
    nearly_err_agg = _plugin.method(nearly_err_agg)
    q_measure_agg = _plugin.method(q_measure_agg)
    sdcg_agg = _plugin.method(sdcg_agg)
    bpm_agg = _plugin.method(bpm_agg)
    insq_agg = _plugin.method(insq_agg)
    inst_agg = _plugin.method(inst_agg)
    bpref_agg = _plugin.method(bpref_agg)
    inf_ap_agg = _plugin.method(inf_ap_agg)
    iprec_agg = _plugin.method(iprec_agg)
    eleven_point_average_agg = _plugin.method(eleven_point_average_agg)
    relative_precision_agg = _plugin.method(relative_precision_agg)
    utility_agg = _plugin.method(utility_agg)
    judged_share_agg = _plugin.method(judged_share_agg)
    roc_auc_agg = _plugin.method(roc_auc_agg)
    kendall_tau_agg = _plugin.method(kendall_tau_agg)
    rankdcg_agg = _plugin.method(rankdcg_agg)
    rank_metrics_agg = _plugin.method(rank_metrics_agg)
    rank_metrics_at_agg = _plugin.method(rank_metrics_at_agg)
    rank_metrics_by_user = _plugin.method(rank_metrics_by_user)
    rank_metrics_at_by_user = _plugin.method(rank_metrics_at_by_user)
    rank_evaluation_by_user = _plugin.method(rank_evaluation_by_user)
    rank_explain_by_user = _plugin.method(rank_explain_by_user)
    rank_measures_by_user = _plugin.method(rank_measures_by_user)
    rbo = _plugin.method(rbo)
    jaccard_index = _plugin.method(jaccard_index)
    overlap = _plugin.method(overlap)
    spearman_rho = _plugin.method(spearman_rho)
    tau_ap = _plugin.method(tau_ap)
    weighted_tau = _plugin.method(weighted_tau)
    rank_similarity = _plugin.method(rank_similarity)
    average_popularity = _plugin.method(average_popularity)
    novelty = _plugin.method(novelty)
    long_tail_share = _plugin.method(long_tail_share)
    categorical_diversity = _plugin.method(categorical_diversity)
    intra_list_diversity = _plugin.method(intra_list_diversity)
    rank_items = _plugin.method(rank_items)
    alpha_ndcg = _plugin.method(alpha_ndcg)
    alpha_dcg = _plugin.method(alpha_dcg)
    nerr_ia = _plugin.method(nerr_ia)
    err_ia = _plugin.method(err_ia)
    nnrbp = _plugin.method(nnrbp)
    nrbp = _plugin.method(nrbp)
    subtopic_recall = _plugin.method(subtopic_recall)
    precision_ia = _plugin.method(precision_ia)
    average_precision_ia = _plugin.method(average_precision_ia)
    mean_ci = _plugin.method(mean_ci)
    bootstrap_ci = _plugin.method(bootstrap_ci)
    anytime_mean_ci = _plugin.method(anytime_mean_ci)
    paired_t_test = _plugin.method(paired_t_test)
    paired_t_test_power = _plugin.method(paired_t_test_power)
    wilcoxon_signed_rank = _plugin.method(wilcoxon_signed_rank)
    randomization_test = _plugin.method(randomization_test)
    win_tie_loss = _plugin.method(win_tie_loss)
    paired_comparison = _plugin.method(paired_comparison)
    partially_overlapping_t_test = _plugin.method(partially_overlapping_t_test)
    judge_corrected_mean = _plugin.method(judge_corrected_mean)
    concentration = _plugin.method(concentration)
    weighted_mean_ci = _plugin.method(weighted_mean_ci)
    weighted_paired_comparison = _plugin.method(weighted_paired_comparison)
    weighted_judge_corrected_mean = _plugin.method(weighted_judge_corrected_mean)
    tukey_hsd = _plugin.method(tukey_hsd)
    corrected_p_values = _plugin.method(corrected_p_values)
    geometric_mean_values = _plugin.method(geometric_mean_values)
