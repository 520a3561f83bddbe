# Written by `make docs` from the catalogue: do not edit. The writer is tools/generate_functions.py.
# ruff: noqa: F403, F405
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

    from rankdcg_sql._option_types import *
    from rankdcg_sql.spark._udf import ColumnOrName, K, Ks


__all__ = [
    "alpha_dcg", "alpha_ndcg", "auc", "auc_scored", "average_popularity", "average_precision",
    "average_precision_ia", "average_precision_scored", "bpm", "bpm_rels", "bpm_scored", "bpref",
    "bpref_scored", "categorical_diversity", "cg", "cg_rels", "cg_scored", "corrected_p_values", "dcg",
    "dcg_rels", "dcg_scored", "eleven_point_average", "eleven_point_average_scored", "err", "err_ia",
    "err_rels", "err_scored", "f1", "f1_scored", "geometric_mean_values", "hit_rate", "hit_rate_scored",
    "idcg", "idcg_rels", "idcg_scored", "inf_ap", "inf_ap_scored", "insq", "insq_rels", "insq_scored",
    "inst", "inst_rels", "inst_scored", "intra_list_diversity", "iprec", "iprec_scored", "jaccard_index",
    "judged_share", "judged_share_scored", "kendall_tau", "long_tail_share", "mrr", "mrr_scored", "ndcg",
    "ndcg_rels", "ndcg_scored", "nearly_err", "nearly_err_rels", "nearly_err_scored", "nerr", "nerr_ia",
    "nerr_rels", "nerr_scored", "nnrbp", "novelty", "nrbp", "overlap", "precision", "precision_ia",
    "precision_scored", "q_measure", "q_measure_rels", "q_measure_scored", "r_precision",
    "r_precision_scored", "rank_explain", "rank_items", "rank_metrics", "rank_metrics_at",
    "rank_metrics_at_scored", "rank_metrics_scored", "rank_similarity", "rankdcg", "rbo", "rbp",
    "rbp_residual", "rbp_residual_scored", "rbp_scored", "recall", "recall_scored", "relative_precision",
    "relative_precision_scored", "roc_auc", "sdcg", "sdcg_rels", "sdcg_scored", "spearman_rho",
    "subtopic_recall", "tau_ap", "tukey_hsd", "utility", "utility_scored", "weighted_tau",
]  # fmt: skip


def precision(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[PrecisionOptions]
) -> Column:
    """Share of the retrieved top k that is relevant.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.precision`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.precision("rec", "truth", k=2)).first()[0]
    0.5
    """
    return column("precision", [rec, truth], k, options)


def recall(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[RecallOptions]) -> Column:
    """Share of the relevant items found in the top k.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.recall`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.recall("rec", "truth", k=2)).first()[0]
    0.3333333333333333
    """
    return column("recall", [rec, truth], k, options)


def f1(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[F1Options]) -> Column:
    """Harmonic mean of precision and recall in the top k, in which recall has the weight beta^2.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.f1`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
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
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.hit_rate`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.hit_rate("rec", "truth", k=2)).first()[0]
    1.0
    """
    return column("hit_rate", [rec, truth], k, options)


def mrr(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[MrrOptions]) -> Column:
    """1 / rank of the first relevant item in the top k, 0 if there is none; its mean is MRR.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.mrr`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
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
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.average_precision`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.average_precision("rec", "truth", k=2)).first()[0]
    0.3333333333333333
    """
    return column("average_precision", [rec, truth], k, options)


def ndcg(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[NdcgOptions]) -> Column:
    """Normalised discounted cumulative gain: DCG over ideal DCG in the top k.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.ndcg`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.ndcg("rec", "truth", k=2)).first()[0]
    0.7871546029909718
    """
    return column("ndcg", [rec, truth], k, options)


def cg(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[CgOptions]) -> Column:
    """Cumulative gain: the relevances of the top k, summed.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.cg`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.cg("rec", "truth", k=2)).first()[0]
    3.0
    """
    return column("cg", [rec, truth], k, options)


def dcg(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[DcgOptions]) -> Column:
    """Discounted cumulative gain of the top k.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.dcg`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.dcg("rec", "truth", k=2)).first()[0]
    7.0
    """
    return column("dcg", [rec, truth], k, options)


def idcg(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[IdcgOptions]) -> Column:
    """Ideal DCG: the DCG of the best order of all judged items, cut at k.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.idcg`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.idcg("rec", "truth", k=2)).first()[0]
    8.892789260714373
    """
    return column("idcg", [rec, truth], k, options)


def auc(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[AucOptions]) -> Column:
    """Share of the (hit, miss) pairs in the top k that are in the right order.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.auc`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.auc("rec", "truth", k=2)).first()[0]
    1.0
    """
    return column("auc", [rec, truth], k, options)


def r_precision(rec: ColumnOrName, truth: ColumnOrName, **options: Unpack[RPrecisionOptions]) -> Column:
    """Precision at R, the number of relevant items.

    Parameters
    ----------
    rec, truth, **options : str or Column
        As in `rankdcg_sql.r_precision`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.r_precision("rec", "truth")).first()[0]
    0.6666666666666666
    """
    return column("r_precision", [rec, truth], None, options)


def rbp(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[RbpOptions]) -> Column:
    """Rank-biased precision: the expected share of hits among the items that a user sees.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.rbp`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.rbp("rec", "truth", k=2)).first()[0]
    0.19999999999999996
    """
    return column("rbp", [rec, truth], k, options)


def rbp_residual(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[RbpResidualOptions]
) -> Column:
    """Residual of rank-biased precision: the largest RBP that is possible, less RBP.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.rbp_residual`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a judged item; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.rbp_residual("rec", "truth", k=2)).first()[0]
    0.8
    """
    return column("rbp_residual", [rec, truth], k, options)


def err(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[ErrOptions]) -> Column:
    """Expected reciprocal rank: the expected 1 / rank of the item at which a user stops, where a user stops
    at an item the more probably, the more relevant it is.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.err`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.err("rec", "truth", k=2, max_rel=3)).first()[0]
    0.875
    """
    return column("err", [rec, truth], k, options)


def nerr(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[NerrOptions]) -> Column:
    """Normalised expected reciprocal rank: ERR over that of the ideal ranking in the top k, which has all
    judged items, the most relevant first.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.nerr`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.nerr("rec", "truth", k=2, max_rel=3)).first()[0]
    0.9739130434782609
    """
    return column("nerr", [rec, truth], k, options)


def nearly_err(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[NearlyErrOptions]
) -> Column:
    """Nearly expected reciprocal rank: the mean gain of the items that a user examines, who stops at an item
    the more probably, the more relevant it is, and who else goes on with the probability that patience
    names.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.nearly_err`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.nearly_err("rec", "truth", k=2, max_rel=3)).first()[0]
    1.0
    """
    return column("nearly_err", [rec, truth], k, options)


def q_measure(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[QMeasureOptions]
) -> Column:
    """Q-measure: the mean over relevant items of their blended ratio, which is a precision that counts gains
    beside hits, weighted by q_beta.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.q_measure`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.q_measure("rec", "truth", k=2)).first()[0]
    0.5
    """
    return column("q_measure", [rec, truth], k, options)


def sdcg(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[SdcgOptions]) -> Column:
    """Scaled discounted cumulative gain: DCG over that of k items of relevance max_rel, whatever the truth
    has.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.sdcg`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.sdcg("rec", "truth", k=2, max_rel=3)).first()[0]
    0.6131471927654584
    """
    return column("sdcg", [rec, truth], k, options)


def bpm(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[BpmOptions]) -> Column:
    """Static Bejeweled Player Model: the mean gain of the items that a user examines, who stops at the item
    with which the gain so far is t or more, or after k items.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.bpm`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.bpm("rec", "truth", k=2, max_rel=3)).first()[0]
    1.0
    """
    return column("bpm", [rec, truth], k, options)


def insq(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[InsqOptions]) -> Column:
    """INSQ: the mean gain of the items that a user examines, who goes on the more probably, the more items
    were examined.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.insq`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.insq("rec", "truth", k=2, max_rel=3)).first()[0]
    0.6923076923076923
    """
    return column("insq", [rec, truth], k, options)


def inst(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[InstOptions]) -> Column:
    """INST: the mean gain of the items that a user examines, who goes on the more probably, the more items
    were examined, and the less probably, the nearer the gain so far is to t.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.inst`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.inst("rec", "truth", k=2, max_rel=3)).first()[0]
    0.8
    """
    return column("inst", [rec, truth], k, options)


def bpref(rec: ColumnOrName, truth: ColumnOrName, **options: Unpack[BprefOptions]) -> Column:
    """Binary preference: how many judged irrelevant items, of at most as many as are relevant, are below a
    relevant item.

    Parameters
    ----------
    rec, truth, **options : str or Column
        As in `rankdcg_sql.bpref`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.bpref("rec", "truth")).first()[0]
    0.6666666666666666
    """
    return column("bpref", [rec, truth], None, options)


def inf_ap(rec: ColumnOrName, truth: ColumnOrName, **options: Unpack[InfApOptions]) -> Column:
    """Inferred average precision: the precision at a hit is estimated from the judged items above it.

    Parameters
    ----------
    rec, truth, **options : str or Column
        As in `rankdcg_sql.inf_ap`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.inf_ap("rec", "truth")).first()[0]
    0.5555544444666662
    """
    return column("inf_ap", [rec, truth], None, options)


def iprec(rec: ColumnOrName, truth: ColumnOrName, **options: Unpack[IprecOptions]) -> Column:
    """Interpolated precision: the largest precision at a rank whose recall is at least that of the option
    recall, 0 if there is none.

    Parameters
    ----------
    rec, truth, **options : str or Column
        As in `rankdcg_sql.iprec`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.iprec("rec", "truth")).first()[0]
    1.0
    """
    return column("iprec", [rec, truth], None, options)


def eleven_point_average(
    rec: ColumnOrName, truth: ColumnOrName, **options: Unpack[ElevenPointAverageOptions]
) -> Column:
    """Interpolated precision, averaged over the recalls 0, 0.1, 0.2 to 1.

    Parameters
    ----------
    rec, truth, **options : str or Column
        As in `rankdcg_sql.eleven_point_average`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.eleven_point_average("rec", "truth")).first()[0]
    0.5454545454545455
    """
    return column("eleven_point_average", [rec, truth], None, options)


def relative_precision(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[RelativePrecisionOptions]
) -> Column:
    """Relative precision: precision over the largest precision that is possible at k or, without k, for as
    many items as were retrieved.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.relative_precision`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.relative_precision("rec", "truth", k=2)).first()[0]
    0.5
    """
    return column("relative_precision", [rec, truth], k, options)


def utility(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[UtilityOptions]) -> Column:
    """Linear utility: the worth of the items in the top k together, with that of the relevant items that are
    not there.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.utility`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, any number. NULL where `truth` is. NULL without a judged item; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.utility("rec", "truth", k=2)).first()[0]
    0.0
    """
    return column("utility", [rec, truth], k, options)


def judged_share(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[JudgedShareOptions]
) -> Column:
    """Share of the retrieved top k that is judged, relevant or not.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.judged_share`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a judged item; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.judged_share("rec", "truth", k=2)).first()[0]
    0.5
    """
    return column("judged_share", [rec, truth], k, options)


def rankdcg(rec: ColumnOrName, truth: ColumnOrName, **options: Unpack[RankdcgOptions]) -> Column:
    """RankDCG: how well the whole order is kept, 1 for the perfect one and 0 for the worst.

    Parameters
    ----------
    rec, truth, **options : str or Column
        As in `rankdcg_sql.rankdcg`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without two distinct relevances among what was judged and
        retrieved; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.rankdcg("rec", "truth")).first()[0]
    0.7931034482758621
    """
    return column("rankdcg", [rec, truth], None, options)


def rank_metrics(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[RankMetricsOptions]
) -> Column:
    """Several metrics in one pass, in a struct with k: precision, recall, f1, hit_rate, mrr,
    average_precision, ndcg, auc.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.rank_metrics`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Struct of k, precision, recall, f1, hit_rate, mrr, average_precision, ndcg, auc. NULL where `truth`
        is. Each metric by itself: NULL without a relevant item, unless `no_relevant` says otherwise; 0 where
        nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.rank_metrics("rec", "truth", k=2)).first()[0]["ndcg"]
    0.7871546029909718
    """
    return column("rank_metrics", [rec, truth], k, options)


def rank_metrics_at(
    rec: ColumnOrName, truth: ColumnOrName, ks: Ks, **options: Unpack[RankMetricsAtOptions]
) -> Column:
    """The metrics of rank_metrics for each of several k, in one pass.

    Parameters
    ----------
    rec, truth, ks, **options : str or Column; ks: list of int, or Column
        As in `rankdcg_sql.rank_metrics_at`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Array, one struct for each k, of k, precision, recall, f1, hit_rate, mrr, average_precision, ndcg,
        auc. NULL where `truth` is. Each metric by itself: NULL without a relevant item, unless `no_relevant`
        says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.rank_metrics_at("rec", "truth", ks=[1, 2])).first()[0][1]["ndcg"]
    0.7871546029909718
    """
    return column("rank_metrics_at", [rec, truth], ks, options)


def rank_explain(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[RankExplainOptions]
) -> Column:
    """The items that a metric's value is made of, best first, and relevant ones that were missed.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.rank_explain`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Array, one struct for each item, of rec_place, truth_place, rank, last_rank, rel, gain, discount,
        contribution, if_found, value. NULL where `truth` is. The best rank comes first, and missed items that
        were not retrieved last. `rec_place` and `truth_place` are the places of the item in the lists, from
        1. `rank` to `last_rank` are the ranks that it can have among tied items. An item whose `rel` is NULL
        is not judged. `contribution` is NULL if a rule for empty rankings gives `value`.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "rel": 3}, {"item": "b", "rel": 1},
    ...     {"item": "d", "rel": 2}])], "rec array<string>, truth array<struct<item: string, rel: bigint>>")
    >>> frame.select(F.rank_explain("rec", "truth", k=2)).first()[0][0]["contribution"]
    0.7871546029909718
    """
    return column("rank_explain", [rec, truth], k, options)


def ndcg_rels(rels: ColumnOrName, k: K = None, **options: Unpack[NdcgRelsOptions]) -> Column:
    """Evaluate `ndcg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.ndcg_rels`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.ndcg_rels("rels", k=2)).first()[0]
    0.7871546029909718
    """
    return column("ndcg_rels", [rels], k, options)


def cg_rels(rels: ColumnOrName, k: K = None, **options: Unpack[CgRelsOptions]) -> Column:
    """Evaluate `cg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.cg_rels`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.cg_rels("rels", k=2)).first()[0]
    3.0
    """
    return column("cg_rels", [rels], k, options)


def dcg_rels(rels: ColumnOrName, k: K = None, **options: Unpack[DcgRelsOptions]) -> Column:
    """Evaluate `dcg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.dcg_rels`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.dcg_rels("rels", k=2)).first()[0]
    7.0
    """
    return column("dcg_rels", [rels], k, options)


def idcg_rels(rels: ColumnOrName, k: K = None, **options: Unpack[IdcgRelsOptions]) -> Column:
    """Evaluate `idcg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.idcg_rels`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.idcg_rels("rels", k=2)).first()[0]
    8.892789260714373
    """
    return column("idcg_rels", [rels], k, options)


def err_rels(rels: ColumnOrName, k: K = None, **options: Unpack[ErrRelsOptions]) -> Column:
    """Evaluate `err` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.err_rels`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.err_rels("rels", k=2, max_rel=3)).first()[0]
    0.875
    """
    return column("err_rels", [rels], k, options)


def nerr_rels(rels: ColumnOrName, k: K = None, **options: Unpack[NerrRelsOptions]) -> Column:
    """Evaluate `nerr` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.nerr_rels`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.nerr_rels("rels", k=2, max_rel=3)).first()[0]
    0.9739130434782609
    """
    return column("nerr_rels", [rels], k, options)


def nearly_err_rels(rels: ColumnOrName, k: K = None, **options: Unpack[NearlyErrRelsOptions]) -> Column:
    """Evaluate `nearly_err` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.nearly_err_rels`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.nearly_err_rels("rels", k=2, max_rel=3)).first()[0]
    1.0
    """
    return column("nearly_err_rels", [rels], k, options)


def q_measure_rels(rels: ColumnOrName, k: K = None, **options: Unpack[QMeasureRelsOptions]) -> Column:
    """Evaluate `q_measure` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.q_measure_rels`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.q_measure_rels("rels", k=2)).first()[0]
    0.5
    """
    return column("q_measure_rels", [rels], k, options)


def sdcg_rels(rels: ColumnOrName, k: K = None, **options: Unpack[SdcgRelsOptions]) -> Column:
    """Evaluate `sdcg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.sdcg_rels`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.sdcg_rels("rels", k=2, max_rel=3)).first()[0]
    0.6131471927654584
    """
    return column("sdcg_rels", [rels], k, options)


def bpm_rels(rels: ColumnOrName, k: K = None, **options: Unpack[BpmRelsOptions]) -> Column:
    """Evaluate `bpm` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.bpm_rels`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.bpm_rels("rels", k=2, max_rel=3)).first()[0]
    1.0
    """
    return column("bpm_rels", [rels], k, options)


def insq_rels(rels: ColumnOrName, k: K = None, **options: Unpack[InsqRelsOptions]) -> Column:
    """Evaluate `insq` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.insq_rels`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.insq_rels("rels", k=2, max_rel=3)).first()[0]
    0.6923076923076923
    """
    return column("insq_rels", [rels], k, options)


def inst_rels(rels: ColumnOrName, k: K = None, **options: Unpack[InstRelsOptions]) -> Column:
    """Evaluate `inst` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.inst_rels`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([3, 0, 1, 2],)], "rels array<bigint>")
    >>> frame.select(F.inst_rels("rels", k=2, max_rel=3)).first()[0]
    0.8
    """
    return column("inst_rels", [rels], k, options)


def precision_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[PrecisionScoredOptions]
) -> Column:
    """Evaluate `precision` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.precision_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.precision_scored("scores", "rels", k=2)).first()[0]
    0.5
    """
    return column("precision_scored", [scores, rels], k, options)


def recall_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[RecallScoredOptions]
) -> Column:
    """Evaluate `recall` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.recall_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.recall_scored("scores", "rels", k=2)).first()[0]
    0.3333333333333333
    """
    return column("recall_scored", [scores, rels], k, options)


def f1_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[F1ScoredOptions]
) -> Column:
    """Evaluate `f1` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.f1_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.f1_scored("scores", "rels", k=2)).first()[0]
    0.4
    """
    return column("f1_scored", [scores, rels], k, options)


def hit_rate_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[HitRateScoredOptions]
) -> Column:
    """Evaluate `hit_rate` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.hit_rate_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.hit_rate_scored("scores", "rels", k=2)).first()[0]
    1.0
    """
    return column("hit_rate_scored", [scores, rels], k, options)


def mrr_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[MrrScoredOptions]
) -> Column:
    """Evaluate `mrr` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.mrr_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.mrr_scored("scores", "rels", k=2)).first()[0]
    1.0
    """
    return column("mrr_scored", [scores, rels], k, options)


def average_precision_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[AveragePrecisionScoredOptions]
) -> Column:
    """Evaluate `average_precision` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.average_precision_scored`. A wrong one is a ValueError, in a column a
        PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.average_precision_scored("scores", "rels", k=2)).first()[0]
    0.3333333333333333
    """
    return column("average_precision_scored", [scores, rels], k, options)


def ndcg_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[NdcgScoredOptions]
) -> Column:
    """Evaluate `ndcg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.ndcg_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.ndcg_scored("scores", "rels", k=2)).first()[0]
    0.7871546029909718
    """
    return column("ndcg_scored", [scores, rels], k, options)


def cg_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[CgScoredOptions]
) -> Column:
    """Evaluate `cg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.cg_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.cg_scored("scores", "rels", k=2)).first()[0]
    3.0
    """
    return column("cg_scored", [scores, rels], k, options)


def dcg_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[DcgScoredOptions]
) -> Column:
    """Evaluate `dcg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.dcg_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.dcg_scored("scores", "rels", k=2)).first()[0]
    7.0
    """
    return column("dcg_scored", [scores, rels], k, options)


def idcg_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[IdcgScoredOptions]
) -> Column:
    """Evaluate `idcg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.idcg_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.idcg_scored("scores", "rels", k=2)).first()[0]
    8.892789260714373
    """
    return column("idcg_scored", [scores, rels], k, options)


def auc_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[AucScoredOptions]
) -> Column:
    """Evaluate `auc` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.auc_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.auc_scored("scores", "rels", k=2)).first()[0]
    1.0
    """
    return column("auc_scored", [scores, rels], k, options)


def r_precision_scored(
    scores: ColumnOrName, rels: ColumnOrName, **options: Unpack[RPrecisionScoredOptions]
) -> Column:
    """Evaluate `r_precision` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, **options : str or Column
        As in `rankdcg_sql.r_precision_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.r_precision_scored("scores", "rels")).first()[0]
    0.6666666666666666
    """
    return column("r_precision_scored", [scores, rels], None, options)


def rbp_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[RbpScoredOptions]
) -> Column:
    """Evaluate `rbp` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.rbp_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.rbp_scored("scores", "rels", k=2)).first()[0]
    0.19999999999999996
    """
    return column("rbp_scored", [scores, rels], k, options)


def rbp_residual_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[RbpResidualScoredOptions]
) -> Column:
    """Evaluate `rbp_residual` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.rbp_residual_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.rbp_residual_scored("scores", "rels", k=2)).first()[0]
    0.6400000000000001
    """
    return column("rbp_residual_scored", [scores, rels], k, options)


def err_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[ErrScoredOptions]
) -> Column:
    """Evaluate `err` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.err_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.err_scored("scores", "rels", k=2, max_rel=3)).first()[0]
    0.875
    """
    return column("err_scored", [scores, rels], k, options)


def nerr_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[NerrScoredOptions]
) -> Column:
    """Evaluate `nerr` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.nerr_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.nerr_scored("scores", "rels", k=2, max_rel=3)).first()[0]
    0.9739130434782609
    """
    return column("nerr_scored", [scores, rels], k, options)


def nearly_err_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[NearlyErrScoredOptions]
) -> Column:
    """Evaluate `nearly_err` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.nearly_err_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.nearly_err_scored("scores", "rels", k=2, max_rel=3)).first()[0]
    1.0
    """
    return column("nearly_err_scored", [scores, rels], k, options)


def q_measure_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[QMeasureScoredOptions]
) -> Column:
    """Evaluate `q_measure` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.q_measure_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.q_measure_scored("scores", "rels", k=2)).first()[0]
    0.5
    """
    return column("q_measure_scored", [scores, rels], k, options)


def sdcg_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[SdcgScoredOptions]
) -> Column:
    """Evaluate `sdcg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.sdcg_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.sdcg_scored("scores", "rels", k=2, max_rel=3)).first()[0]
    0.6131471927654584
    """
    return column("sdcg_scored", [scores, rels], k, options)


def bpm_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[BpmScoredOptions]
) -> Column:
    """Evaluate `bpm` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.bpm_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.bpm_scored("scores", "rels", k=2, max_rel=3)).first()[0]
    1.0
    """
    return column("bpm_scored", [scores, rels], k, options)


def insq_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[InsqScoredOptions]
) -> Column:
    """Evaluate `insq` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.insq_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.insq_scored("scores", "rels", k=2, max_rel=3)).first()[0]
    0.6923076923076923
    """
    return column("insq_scored", [scores, rels], k, options)


def inst_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[InstScoredOptions]
) -> Column:
    """Evaluate `inst` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.inst_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.inst_scored("scores", "rels", k=2, max_rel=3)).first()[0]
    0.8
    """
    return column("inst_scored", [scores, rels], k, options)


def bpref_scored(scores: ColumnOrName, rels: ColumnOrName, **options: Unpack[BprefScoredOptions]) -> Column:
    """Evaluate `bpref` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, **options : str or Column
        As in `rankdcg_sql.bpref_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.bpref_scored("scores", "rels")).first()[0]
    0.3333333333333333
    """
    return column("bpref_scored", [scores, rels], None, options)


def inf_ap_scored(scores: ColumnOrName, rels: ColumnOrName, **options: Unpack[InfApScoredOptions]) -> Column:
    """Evaluate `inf_ap` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, **options : str or Column
        As in `rankdcg_sql.inf_ap_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.inf_ap_scored("scores", "rels")).first()[0]
    0.5555555555555555
    """
    return column("inf_ap_scored", [scores, rels], None, options)


def iprec_scored(scores: ColumnOrName, rels: ColumnOrName, **options: Unpack[IprecScoredOptions]) -> Column:
    """Evaluate `iprec` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, **options : str or Column
        As in `rankdcg_sql.iprec_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.iprec_scored("scores", "rels")).first()[0]
    1.0
    """
    return column("iprec_scored", [scores, rels], None, options)


def eleven_point_average_scored(
    scores: ColumnOrName, rels: ColumnOrName, **options: Unpack[ElevenPointAverageScoredOptions]
) -> Column:
    """Evaluate `eleven_point_average` on lists of scores and relevances of the same items, with its formula
    and rules.

    Parameters
    ----------
    scores, rels, **options : str or Column
        As in `rankdcg_sql.eleven_point_average_scored`. A wrong one is a ValueError, in a column a
        PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.eleven_point_average_scored("scores", "rels")).first()[0]
    0.5454545454545455
    """
    return column("eleven_point_average_scored", [scores, rels], None, options)


def relative_precision_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[RelativePrecisionScoredOptions]
) -> Column:
    """Evaluate `relative_precision` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.relative_precision_scored`. A wrong one is a ValueError, in a column a
        PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.relative_precision_scored("scores", "rels", k=2)).first()[0]
    0.5
    """
    return column("relative_precision_scored", [scores, rels], k, options)


def utility_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[UtilityScoredOptions]
) -> Column:
    """Evaluate `utility` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.utility_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.utility_scored("scores", "rels", k=2)).first()[0]
    0.0
    """
    return column("utility_scored", [scores, rels], k, options)


def judged_share_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[JudgedShareScoredOptions]
) -> Column:
    """Evaluate `judged_share` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.judged_share_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.judged_share_scored("scores", "rels", k=2)).first()[0]
    1.0
    """
    return column("judged_share_scored", [scores, rels], k, options)


def roc_auc(scores: ColumnOrName, rels: ColumnOrName, **options: Unpack[RocAucOptions]) -> Column:
    """Area under the ROC curve: share of the (relevant, irrelevant) pairs of items in the right order.

    Parameters
    ----------
    scores, rels, **options : str or Column
        As in `rankdcg_sql.roc_auc`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where there is no relevance. NULL without a relevant and an irrelevant item.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.roc_auc("scores", "rels")).first()[0]
    0.5
    """
    return column("roc_auc", [scores, rels], None, options)


def kendall_tau(scores: ColumnOrName, rels: ColumnOrName, **options: Unpack[KendallTauOptions]) -> Column:
    """Kendall's tau-b: how well two orders of the same items agree, where items may tie in both.

    Parameters
    ----------
    scores, rels, **options : str or Column
        As in `rankdcg_sql.kendall_tau`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, -1 to 1. NULL where there is no relevance. NULL without two distinct scores and two distinct
        relevances.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.kendall_tau("scores", "rels")).first()[0]
    0.3333333333333333
    """
    return column("kendall_tau", [scores, rels], None, options)


def rank_metrics_scored(
    scores: ColumnOrName, rels: ColumnOrName, k: K = None, **options: Unpack[RankMetricsScoredOptions]
) -> Column:
    """Evaluate `rank_metrics` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.rank_metrics_scored`. A wrong one is a ValueError, in a column a PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.rank_metrics_scored("scores", "rels", k=2)).first()[0]["ndcg"]
    0.7871546029909718
    """
    return column("rank_metrics_scored", [scores, rels], k, options)


def rank_metrics_at_scored(
    scores: ColumnOrName, rels: ColumnOrName, ks: Ks, **options: Unpack[RankMetricsAtScoredOptions]
) -> Column:
    """Evaluate `rank_metrics_at` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels, ks, **options : str or Column; ks: list of int, or Column
        As in `rankdcg_sql.rank_metrics_at_scored`. A wrong one is a ValueError, in a column a
        PythonException.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.9, 0.5, 0.4, None], [3, 0, 1, 2])],
    ...     "scores array<double>, rels array<bigint>")
    >>> frame.select(F.rank_metrics_at_scored("scores", "rels", ks=[1, 2])).first()[0][1]["ndcg"]
    0.7871546029909718
    """
    return column("rank_metrics_at_scored", [scores, rels], ks, options)


def rbo(a: ColumnOrName, b: ColumnOrName, k: K = None, **options: Unpack[RboOptions]) -> Column:
    """Rank-biased overlap: the share of common items down to a depth, averaged over the depths at which a
    user may stop.

    Parameters
    ----------
    a, b, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.rbo`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `a` or `b` is, and without an item in either list.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b", "d", "f"], ["c", "a", "e", "b", "g"])],
    ...     "a array<string>, b array<string>")
    >>> frame.select(F.rbo("a", "b", k=4)).first()[0]
    0.6907500000000001
    """
    return column("rbo", [a, b], k, options)


def jaccard_index(
    a: ColumnOrName, b: ColumnOrName, k: K = None, **options: Unpack[JaccardIndexOptions]
) -> Column:
    """Jaccard's index: the share of the items in the top k of either ranking that is in both.

    Parameters
    ----------
    a, b, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.jaccard_index`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `a` or `b` is, and without an item in either list.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b", "d", "f"], ["c", "a", "e", "b", "g"])],
    ...     "a array<string>, b array<string>")
    >>> frame.select(F.jaccard_index("a", "b", k=4)).first()[0]
    0.6
    """
    return column("jaccard_index", [a, b], k, options)


def overlap(a: ColumnOrName, b: ColumnOrName, k: K = None, **options: Unpack[OverlapOptions]) -> Column:
    """Overlap: the share of the top k that both rankings have.

    Parameters
    ----------
    a, b, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.overlap`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `a` or `b` is, and without an item in either list.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b", "d", "f"], ["c", "a", "e", "b", "g"])],
    ...     "a array<string>, b array<string>")
    >>> frame.select(F.overlap("a", "b", k=4)).first()[0]
    0.75
    """
    return column("overlap", [a, b], k, options)


def spearman_rho(
    a: ColumnOrName, b: ColumnOrName, k: K = None, **options: Unpack[SpearmanRhoOptions]
) -> Column:
    """Spearman's rho: the correlation of the ranks of the common items, which are ranked anew among one
    another.

    Parameters
    ----------
    a, b, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.spearman_rho`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, -1 to 1. NULL where `a` or `b` is, and without two common items.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b", "d", "f"], ["c", "a", "e", "b", "g"])],
    ...     "a array<string>, b array<string>")
    >>> frame.select(F.spearman_rho("a", "b", k=4)).first()[0]
    0.5
    """
    return column("spearman_rho", [a, b], k, options)


def tau_ap(a: ColumnOrName, b: ColumnOrName, k: K = None, **options: Unpack[TauApOptions]) -> Column:
    """AP rank correlation: Kendall's tau of the common items, in which the top of the first ranking counts
    most.

    Parameters
    ----------
    a, b, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.tau_ap`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, -1 to 1. NULL where `a` or `b` is, and without two common items.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b", "d", "f"], ["c", "a", "e", "b", "g"])],
    ...     "a array<string>, b array<string>")
    >>> frame.select(F.tau_ap("a", "b", k=4)).first()[0]
    0.0
    """
    return column("tau_ap", [a, b], k, options)


def weighted_tau(
    a: ColumnOrName, b: ColumnOrName, k: K = None, **options: Unpack[WeightedTauOptions]
) -> Column:
    """Weighted tau: Kendall's tau of the common items, in which a pair has the weight 1 / rank of each of its
    items, as the mean of the weights by either ranking.

    Parameters
    ----------
    a, b, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.weighted_tau`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, -1 to 1. NULL where `a` or `b` is, and without two common items.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b", "d", "f"], ["c", "a", "e", "b", "g"])],
    ...     "a array<string>, b array<string>")
    >>> frame.select(F.weighted_tau("a", "b", k=4)).first()[0]
    0.18181818181818177
    """
    return column("weighted_tau", [a, b], k, options)


def rank_similarity(
    a: ColumnOrName, b: ColumnOrName, k: K = None, **options: Unpack[RankSimilarityOptions]
) -> Column:
    """The similarities of two rankings in one pass, in a struct with k.

    Parameters
    ----------
    a, b, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.rank_similarity`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Struct of k, rbo, jaccard_index, overlap, spearman_rho, tau_ap, weighted_tau. NULL where `a` or `b`
        is.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b", "d", "f"], ["c", "a", "e", "b", "g"])],
    ...     "a array<string>, b array<string>")
    >>> frame.select(F.rank_similarity("a", "b", k=4)).first()[0]["rbo"]
    0.6907500000000001
    """
    return column("rank_similarity", [a, b], k, options)


def average_popularity(
    values: ColumnOrName, k: K = None, **options: Unpack[AveragePopularityOptions]
) -> Column:
    """Mean popularity of the items in the top k (average recommendation popularity, ARP).

    Parameters
    ----------
    values, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.average_popularity`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, between the least and the largest value. NULL where `values` is, and without an item with a
        value.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([40, 10, 25],)], "values array<bigint>")
    >>> frame.select(F.average_popularity("values", k=2)).first()[0]
    25.0
    """
    return column("average_popularity", [values], k, options)


def novelty(values: ColumnOrName, k: K = None, **options: Unpack[NoveltyOptions]) -> Column:
    """Mean information of the items in the top k, in bits (mean inverse user frequency, self-information): an
    item that half of the users had has 1 bit, and one that all had has 0.

    Parameters
    ----------
    values, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.novelty`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 or more. NULL where `values` is, and without an item with a value.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.5, 0.125, 0.25],)], "values array<double>")
    >>> frame.select(F.novelty("values", k=2)).first()[0]
    2.0
    """
    return column("novelty", [values], k, options)


def long_tail_share(values: ColumnOrName, k: K = None, **options: Unpack[LongTailShareOptions]) -> Column:
    """Share of the items in the top k that are in the long tail (average percentage of long tail items,
    APLT), or that have another property.

    Parameters
    ----------
    values, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.long_tail_share`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `values` is, and without an item with a value.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([1, 0, 1],)], "values array<bigint>")
    >>> frame.select(F.long_tail_share("values", k=2)).first()[0]
    0.5
    """
    return column("long_tail_share", [values], k, options)


def categorical_diversity(
    values: ColumnOrName, k: K = None, **options: Unpack[CategoricalDiversityOptions]
) -> Column:
    """Number of distinct categories of the items in the top k, over k.

    Parameters
    ----------
    values, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.categorical_diversity`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 or more. NULL where `values` is, and without an item with a value.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["drama", "drama", "comedy"],)], "values array<string>")
    >>> frame.select(F.categorical_diversity("values", k=2)).first()[0]
    0.5
    """
    return column("categorical_diversity", [values], k, options)


def intra_list_diversity(
    values: ColumnOrName, k: K = None, **options: Unpack[IntraListDiversityOptions]
) -> Column:
    """Mean distance between two items of the top k (ILD).

    Parameters
    ----------
    values, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.intra_list_diversity`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1, or 0 to 2 for vectors. NULL where `values` is, and without two items with a value.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([["drama", "crime"], ["drama"], ["comedy"]],)],
    ...     "values array<array<string>>")
    >>> frame.select(F.intra_list_diversity("values", k=2)).first()[0]
    0.5
    """
    return column("intra_list_diversity", [values], k, options)


def rank_items(
    rec: ColumnOrName,
    truth: ColumnOrName,
    items: ColumnOrName,
    measures: str,
    **options: Unpack[RankItemsOptions],
) -> Column:
    """Measures of recommended items by their names, each of a ranking or of all of them: a list of their
    values for the first ranking, then those for the next one.

    Parameters
    ----------
    rec, truth, items, measures, **options : str or Column; measures: str
        As in `rankdcg_sql.rank_items`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Array of numbers: the values of all measures for the first ranking, then those for the next one. NULL
        for a ranking that is NULL, and where a measure is not defined. NULL where `rec`, `items` or
        `measures` is.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([["a", "c"], ["a", "b"]], [["c"], ["d"]],
    ...     [{"item": "a", "popularity": 9, "group": "x"}, {"item": "b", "popularity": 4, "group": "y"},
    ...     {"item": "c", "popularity": 1, "group": "x"}, {"item": "d", "popularity": 1, "group": "y"}])],
    ...     "rec array<array<string>>, truth array<array<string>>, "
    ...     "items array<struct<item: string, popularity: bigint, group: string>>")
    >>> frame.select(F.rank_items("rec", "truth", "items",
    ...     measures="average_popularity@2, serendipity@2, coverage@2")).first()[0]
    [5.0, 0.125, 0.75, 6.5, 0.0, 0.75]
    """
    return column("rank_items", [rec, truth, items], measures, options)


def alpha_ndcg(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[AlphaNdcgOptions]
) -> Column:
    """Alpha-nDCG: the gains of alpha_dcg over those of the greedy ideal order, which takes the item of the
    largest gain at each rank, and of equal ones the last by item.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.alpha_ndcg`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}])],
    ...     "rec array<string>, truth array<struct<item: string, aspect: bigint>>")
    >>> frame.select(F.alpha_ndcg("rec", "truth", k=2)).first()[0]
    0.38009376671593426
    """
    return column("alpha_ndcg", [rec, truth], k, options)


def alpha_dcg(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[AlphaDcgOptions]
) -> Column:
    """Alpha-DCG: discounted gain, where an item gains 1 for each of its aspects, and (1 -
    redundancy_intolerance) times as much for each item above with the same aspect.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.alpha_dcg`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}])],
    ...     "rec array<string>, truth array<struct<item: string, aspect: bigint>>")
    >>> frame.select(F.alpha_dcg("rec", "truth", k=2)).first()[0]
    0.25339584447728947
    """
    return column("alpha_dcg", [rec, truth], k, options)


def nerr_ia(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[NerrIaOptions]) -> Column:
    """Intent-aware expected reciprocal rank over that of the greedy ideal order of alpha_ndcg.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.nerr_ia`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}])],
    ...     "rec array<string>, truth array<struct<item: string, aspect: bigint>>")
    >>> frame.select(F.nerr_ia("rec", "truth", k=2)).first()[0]
    0.4
    """
    return column("nerr_ia", [rec, truth], k, options)


def err_ia(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[ErrIaOptions]) -> Column:
    """Intent-aware expected reciprocal rank: the gains of alpha_dcg with the discount 1 / rank, over the sum
    of items that had all aspects.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.err_ia`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}])],
    ...     "rec array<string>, truth array<struct<item: string, aspect: bigint>>")
    >>> frame.select(F.err_ia("rec", "truth", k=2)).first()[0]
    0.26666666666666666
    """
    return column("err_ia", [rec, truth], k, options)


def nnrbp(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[NnrbpOptions]) -> Column:
    """Novelty- and rank-biased precision over that of the greedy ideal order of alpha_ndcg.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.nnrbp`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}])],
    ...     "rec array<string>, truth array<struct<item: string, aspect: bigint>>")
    >>> frame.select(F.nnrbp("rec", "truth", k=2)).first()[0]
    0.4
    """
    return column("nnrbp", [rec, truth], k, options)


def nrbp(rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[NrbpOptions]) -> Column:
    """Novelty- and rank-biased precision: the gains of alpha_dcg, where a user goes on to the next item with
    probability p.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.nrbp`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}])],
    ...     "rec array<string>, truth array<struct<item: string, aspect: bigint>>")
    >>> frame.select(F.nrbp("rec", "truth", k=2)).first()[0]
    0.25
    """
    return column("nrbp", [rec, truth], k, options)


def subtopic_recall(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[SubtopicRecallOptions]
) -> Column:
    """Subtopic recall: the share of the aspects that an item of the top k has.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.subtopic_recall`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}])],
    ...     "rec array<string>, truth array<struct<item: string, aspect: bigint>>")
    >>> frame.select(F.subtopic_recall("rec", "truth", k=2)).first()[0]
    0.3333333333333333
    """
    return column("subtopic_recall", [rec, truth], k, options)


def precision_ia(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[PrecisionIaOptions]
) -> Column:
    """Intent-aware precision: the mean over aspects of the share of the top k that has the aspect.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.precision_ia`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}])],
    ...     "rec array<string>, truth array<struct<item: string, aspect: bigint>>")
    >>> frame.select(F.precision_ia("rec", "truth", k=2)).first()[0]
    0.16666666666666666
    """
    return column("precision_ia", [rec, truth], k, options)


def average_precision_ia(
    rec: ColumnOrName, truth: ColumnOrName, k: K = None, **options: Unpack[AveragePrecisionIaOptions]
) -> Column:
    """Intent-aware average precision: the mean over aspects of the average precision of the items with the
    aspect.

    Parameters
    ----------
    rec, truth, k, **options : str or Column; k: int or Column, optional
        As in `rankdcg_sql.average_precision_ia`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Double, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([(["a", "c", "b"], [{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}])],
    ...     "rec array<string>, truth array<struct<item: string, aspect: bigint>>")
    >>> frame.select(F.average_precision_ia("rec", "truth", k=2)).first()[0]
    0.16666666666666666
    """
    return column("average_precision_ia", [rec, truth], k, options)


def tukey_hsd(blocks: ColumnOrName, **options: Unpack[TukeyHsdOptions]) -> Column:
    """Randomised Tukey HSD: a p-value for each pair of systems, in the order (1, 2), (1, 3), ..., (2, 3) and
    so on, that is corrected for the number of pairs.

    Parameters
    ----------
    blocks, **options : str or Column
        As in `rankdcg_sql.tukey_hsd`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Array of Double, 0 to 1: a p-value for each pair of systems. NULL where no user has a value of every
        system.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([[0.5, 0.4, 0.8], [0.75, 0.5, 0.9], [0.25, 0.3, 0.6],
    ...     [0.9, 0.7, 0.95]],)], "blocks array<array<double>>")
    >>> frame.select(F.tukey_hsd("blocks")).first()[0]
    [0.7083333333333334, 0.25925925925925924, 0.013888888888888888]
    """
    return column("tukey_hsd", [blocks], None, options)


def corrected_p_values(p_values: ColumnOrName, **options: Unpack[CorrectedPValuesOptions]) -> Column:
    """P-values corrected for the number of tests, in the order of the tests.

    Parameters
    ----------
    p_values, **options : str or Column
        As in `rankdcg_sql.corrected_p_values`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Array of Double, 0 to 1. NULL where `p_values` is.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.01, 0.04, 0.03, None],)], "p_values array<double>")
    >>> frame.select(F.corrected_p_values("p_values")).first()[0]
    [0.03, 0.06, 0.06, None]
    """
    return column("corrected_p_values", [p_values], None, options)


def geometric_mean_values(user_values: ColumnOrName, **options: Unpack[GeometricMeanValuesOptions]) -> Column:
    """The geometric mean of a metric over users as a value for each user, in their order: the mean of the
    values is the geometric mean, and the interval of this mean is the jackknife's.

    Parameters
    ----------
    user_values, **options : str or Column
        As in `rankdcg_sql.geometric_mean_values`. A wrong one is a ValueError, in a column a PythonException.

    Returns
    -------
    Column
        Array of Double. NULL where `user_values` is.

    Examples
    --------
    >>> from rankdcg_sql.spark import functions as F
    >>> frame = spark.createDataFrame([([0.25, 1.0, None],)], "user_values array<double>")
    >>> frame.select(F.geometric_mean_values("user_values")).first()[0]
    [0.125, 0.875, None]
    """
    return column("geometric_mean_values", [user_values], None, options)
