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
    "RankEval", "auc", "auc_agg", "auc_scored", "average_precision", "average_precision_agg",
    "average_precision_scored", "bootstrap_ci", "cg", "cg_agg", "cg_rels", "cg_scored",
    "corrected_p_values", "dcg", "dcg_agg", "dcg_rels", "dcg_scored", "err", "err_agg", "err_rels",
    "err_scored", "f1", "f1_agg", "f1_scored", "hit_rate", "hit_rate_agg", "hit_rate_scored", "idcg",
    "idcg_agg", "idcg_rels", "idcg_scored", "jaccard_index", "kendall_tau", "kendall_tau_agg", "mean_ci",
    "mrr", "mrr_agg", "mrr_scored", "ndcg", "ndcg_agg", "ndcg_rels", "ndcg_scored", "overlap",
    "paired_comparison", "paired_t_test", "paired_t_test_power", "partially_overlapping_t_test",
    "precision", "precision_agg", "precision_scored", "r_precision", "r_precision_agg",
    "r_precision_scored", "randomization_test", "rank_evaluation_by_user", "rank_explain",
    "rank_explain_by_user", "rank_metrics", "rank_metrics_agg", "rank_metrics_at", "rank_metrics_at_agg",
    "rank_metrics_at_by_user", "rank_metrics_at_scored", "rank_metrics_by_user", "rank_metrics_scored",
    "rank_similarity", "rankdcg", "rankdcg_agg", "rbo", "rbp", "rbp_agg", "rbp_scored", "recall",
    "recall_agg", "recall_scored", "roc_auc", "roc_auc_agg", "spearman_rho", "tau_ap", "tukey_hsd",
    "weighted_mean_ci", "weighted_paired_comparison", "weighted_tau", "wilcoxon_signed_rank", "win_tie_loss",
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
    """Harmonic mean of precision and recall in the top k.

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
        Struct of n, mean, low, high, named ``mean_ci``. `n` is the number of users that count; of too few,
        the others are NULL.

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
        Struct of n, mean, low, high, named ``bootstrap_ci``. `n` is the number of users that count; of too
        few, the others are NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"x": [0.5, 0.75, 0.25, 0.9]})
    >>> frame.select(rk.bootstrap_ci("x")).row(0)[0]
    {'n': 4, 'mean': 0.6, 'low': 0.375, 'high': 0.825}
    """
    return _plugin.aggregate("bootstrap_ci", [x], None, options)


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
        number of users that count; of too few, the others are NULL.

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
        is the number of users that count; of too few, the others are NULL.

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
        the number of users that count; of too few, the others are NULL.

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
        the number of users that count; of too few, the others are NULL.

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
        Struct of n, wins, ties, losses, named ``win_tie_loss``. `n` is the number of users that count.

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
        losses, named ``paired_comparison``. `n` is the number of users that count; of too few, the others are
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
        ``partially_overlapping_t_test``. `n` is the number of users that count; of too few, the others are
        NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7]})
    >>> frame.select(rk.partially_overlapping_t_test("a", "b")).row(0)[0]["p_value"]
    0.15518171532879504
    """
    return _plugin.aggregate("partially_overlapping_t_test", [a, b], None, options)


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
        number of users that count; of too few, the others are NULL.

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
        number of users that count; of too few, the others are NULL.

    Examples
    --------
    >>> import polars as pl, rankdcg_sql.polars as rk
    >>> frame = pl.DataFrame({"a": [0.5, 0.75, 0.25, 0.9], "b": [0.4, 0.5, 0.3, 0.7], "weight": [3, 1, 2, 4]})
    >>> frame.select(rk.weighted_paired_comparison("a", "b", "weight")).row(0)[0]["p_value"]
    0.11105884981528215
    """
    return _plugin.aggregate("weighted_paired_comparison", [a, b, weight], None, options)


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
    err = _plugin.method(err)
    rankdcg = _plugin.method(rankdcg)
    rank_metrics = _plugin.method(rank_metrics)
    rank_metrics_at = _plugin.method(rank_metrics_at)
    rank_explain = _plugin.method(rank_explain)
    ndcg_rels = _plugin.method(ndcg_rels)
    cg_rels = _plugin.method(cg_rels)
    dcg_rels = _plugin.method(dcg_rels)
    idcg_rels = _plugin.method(idcg_rels)
    err_rels = _plugin.method(err_rels)
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
    err_scored = _plugin.method(err_scored)
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
    err_agg = _plugin.method(err_agg)
    roc_auc_agg = _plugin.method(roc_auc_agg)
    kendall_tau_agg = _plugin.method(kendall_tau_agg)
    rankdcg_agg = _plugin.method(rankdcg_agg)
    rank_metrics_agg = _plugin.method(rank_metrics_agg)
    rank_metrics_at_agg = _plugin.method(rank_metrics_at_agg)
    rank_metrics_by_user = _plugin.method(rank_metrics_by_user)
    rank_metrics_at_by_user = _plugin.method(rank_metrics_at_by_user)
    rank_evaluation_by_user = _plugin.method(rank_evaluation_by_user)
    rank_explain_by_user = _plugin.method(rank_explain_by_user)
    rbo = _plugin.method(rbo)
    jaccard_index = _plugin.method(jaccard_index)
    overlap = _plugin.method(overlap)
    spearman_rho = _plugin.method(spearman_rho)
    tau_ap = _plugin.method(tau_ap)
    weighted_tau = _plugin.method(weighted_tau)
    rank_similarity = _plugin.method(rank_similarity)
    mean_ci = _plugin.method(mean_ci)
    bootstrap_ci = _plugin.method(bootstrap_ci)
    paired_t_test = _plugin.method(paired_t_test)
    paired_t_test_power = _plugin.method(paired_t_test_power)
    wilcoxon_signed_rank = _plugin.method(wilcoxon_signed_rank)
    randomization_test = _plugin.method(randomization_test)
    win_tie_loss = _plugin.method(win_tie_loss)
    paired_comparison = _plugin.method(paired_comparison)
    partially_overlapping_t_test = _plugin.method(partially_overlapping_t_test)
    weighted_mean_ci = _plugin.method(weighted_mean_ci)
    weighted_paired_comparison = _plugin.method(weighted_paired_comparison)
    tukey_hsd = _plugin.method(tukey_hsd)
    corrected_p_values = _plugin.method(corrected_p_values)
