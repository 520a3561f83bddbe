# Written by `make docs` from the catalogue: do not edit. The writer is tools/generate_functions.py.
# ruff: noqa: F403, F405
"""The functions of lists for the lists of one ranking, which are objects of Python.

`rankdcg_sql` has each of them, too. A list is any iterable, such as a tuple or an array of NumPy. Truth may
also be a set of items, or a dict of their relevances. NULL is None. `rankdcg_sql.evaluate` is faster for
many rankings.

>>> import rankdcg_sql
>>> rankdcg_sql.ndcg(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
0.7871546029909718
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankdcg_sql import _lists

if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Unpack

    from rankdcg_sql._lists import K, Ks, Values
    from rankdcg_sql._option_types import *


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


def precision(rec: Values, truth: Values, k: K = None, **options: Unpack[PrecisionOptions]) -> float | None:
    """Share of the retrieved top k that is relevant.

    Options, formula, source and more: docs/functions/precision.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    precision_denominator, denominator : {"retrieved", "k"}, default "retrieved"
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.precision(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    0.5
    """
    return _lists.call("precision", [rec, truth], k, options)


def recall(rec: Values, truth: Values, k: K = None, **options: Unpack[RecallOptions]) -> float | None:
    """Share of the relevant items found in the top k.

    Options, formula, source and more: docs/functions/recall.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    recall_denominator, denominator : {"truth", "min_truth_k"}, default "truth"
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.recall(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    0.3333333333333333
    """
    return _lists.call("recall", [rec, truth], k, options)


def f1(rec: Values, truth: Values, k: K = None, **options: Unpack[F1Options]) -> float | None:
    """Harmonic mean of precision and recall in the top k, in which recall has the weight beta^2.

    Options, formula, source and more: docs/functions/f1.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    precision_denominator : {"retrieved", "k"}, default "retrieved"
    recall_denominator : {"truth", "min_truth_k"}, default "truth"
    beta : float, default 1
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.f1(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    0.4
    """
    return _lists.call("f1", [rec, truth], k, options)


def hit_rate(rec: Values, truth: Values, k: K = None, **options: Unpack[HitRateOptions]) -> float | None:
    """1 if the top k holds a relevant item, else 0.

    Options, formula, source and more: docs/functions/hit_rate.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.hit_rate(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    1.0
    """
    return _lists.call("hit_rate", [rec, truth], k, options)


def mrr(rec: Values, truth: Values, k: K = None, **options: Unpack[MrrOptions]) -> float | None:
    """1 / rank of the first relevant item in the top k, 0 if there is none; its mean is MRR.

    Options, formula, source and more: docs/functions/mrr.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.mrr(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    1.0
    """
    return _lists.call("mrr", [rec, truth], k, options)


def average_precision(
    rec: Values, truth: Values, k: K = None, **options: Unpack[AveragePrecisionOptions]
) -> float | None:
    """Sum of the precision at each hit in the top k, divided by the number of relevant items; its mean is
    MAP.

    Options, formula, source and more: docs/functions/average_precision.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    ap_denominator, denominator : str, default "truth"
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.average_precision(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    0.3333333333333333
    """
    return _lists.call("average_precision", [rec, truth], k, options)


def ndcg(rec: Values, truth: Values, k: K = None, **options: Unpack[NdcgOptions]) -> float | None:
    """Normalised discounted cumulative gain: DCG over ideal DCG in the top k.

    Options, formula, source and more: docs/functions/ndcg.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    gain : {"exp2", "linear", "binary"} or list of float, default "exp2"
    discount : {"log2", "log2_clip", "ln"}, default "log2"
    idcg : {"truth", "retrieved", "k"}, default "truth"
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.ndcg(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    0.7871546029909718
    """
    return _lists.call("ndcg", [rec, truth], k, options)


def cg(rec: Values, truth: Values, k: K = None, **options: Unpack[CgOptions]) -> float | None:
    """Cumulative gain: the relevances of the top k, summed.

    Options, formula, source and more: docs/functions/cg.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.cg(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    3.0
    """
    return _lists.call("cg", [rec, truth], k, options)


def dcg(rec: Values, truth: Values, k: K = None, **options: Unpack[DcgOptions]) -> float | None:
    """Discounted cumulative gain of the top k.

    Options, formula, source and more: docs/functions/dcg.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    gain : {"exp2", "linear", "binary"} or list of float, default "exp2"
    discount : {"log2", "log2_clip", "ln"}, default "log2"
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.dcg(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    7.0
    """
    return _lists.call("dcg", [rec, truth], k, options)


def idcg(rec: Values, truth: Values, k: K = None, **options: Unpack[IdcgOptions]) -> float | None:
    """Ideal DCG: the DCG of the best order of all judged items, cut at k.

    Options, formula, source and more: docs/functions/idcg.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    gain : {"exp2", "linear", "binary"} or list of float, default "exp2"
    discount : {"log2", "log2_clip", "ln"}, default "log2"
    idcg : {"truth", "retrieved", "k"}, default "truth"
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.idcg(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    8.892789260714373
    """
    return _lists.call("idcg", [rec, truth], k, options)


def auc(rec: Values, truth: Values, k: K = None, **options: Unpack[AucOptions]) -> float | None:
    """Share of the (hit, miss) pairs in the top k that are in the right order.

    Options, formula, source and more: docs/functions/auc.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    one_class : {"half", "null", "zero", "by_class"}, default "half"
    auc_pairs : {"retrieved", "k"}, default "retrieved"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.auc(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    1.0
    """
    return _lists.call("auc", [rec, truth], k, options)


def r_precision(rec: Values, truth: Values, **options: Unpack[RPrecisionOptions]) -> float | None:
    """Precision at R, the number of relevant items.

    Options, formula, source and more: docs/functions/r_precision.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.r_precision(["a", "c", "b"], {"a": 3, "b": 1, "d": 2})
    0.6666666666666666
    """
    return _lists.call("r_precision", [rec, truth], None, options)


def rbp(rec: Values, truth: Values, k: K = None, **options: Unpack[RbpOptions]) -> float | None:
    """Rank-biased precision: the expected share of hits among the items that a user sees.

    Options, formula, source and more: docs/functions/rbp.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    min_rel : float, optional
    p : float, default 0.8
    rbp_gain : {"binary", "linear"}, default "binary"
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.rbp(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    0.19999999999999996
    """
    return _lists.call("rbp", [rec, truth], k, options)


def rbp_residual(
    rec: Values, truth: Values, k: K = None, **options: Unpack[RbpResidualOptions]
) -> float | None:
    """Residual of rank-biased precision: the largest RBP that is possible, less RBP.

    Options, formula, source and more: docs/functions/rbp_residual.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    p : float, default 0.8
    empty_rec : {"zero", "null"}, default "zero"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a judged item; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.rbp_residual(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    0.8
    """
    return _lists.call("rbp_residual", [rec, truth], k, options)


def err(rec: Values, truth: Values, k: K = None, **options: Unpack[ErrOptions]) -> float | None:
    """Expected reciprocal rank: the expected 1 / rank of the item at which a user stops, where a user stops
    at an item the more probably, the more relevant it is.

    Options, formula, source and more: docs/functions/err.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    max_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.err(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2, max_rel=3)
    0.875
    """
    return _lists.call("err", [rec, truth], k, options)


def nerr(rec: Values, truth: Values, k: K = None, **options: Unpack[NerrOptions]) -> float | None:
    """Normalised expected reciprocal rank: ERR over that of the ideal ranking in the top k, which has all
    judged items, the most relevant first.

    Options, formula, source and more: docs/functions/nerr.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    max_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.nerr(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2, max_rel=3)
    0.9739130434782609
    """
    return _lists.call("nerr", [rec, truth], k, options)


def nearly_err(rec: Values, truth: Values, k: K = None, **options: Unpack[NearlyErrOptions]) -> float | None:
    """Nearly expected reciprocal rank: the mean gain of the items that a user examines, who stops at an item
    the more probably, the more relevant it is, and who else goes on with the probability that patience
    names.

    Options, formula, source and more: docs/functions/nearly_err.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    p : float, default 0.8
    patience : {"none", "reciprocal", "geometric", "insq"}, default "none"
    t : float, default 1
    max_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.nearly_err(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2, max_rel=3)
    1.0
    """
    return _lists.call("nearly_err", [rec, truth], k, options)


def q_measure(rec: Values, truth: Values, k: K = None, **options: Unpack[QMeasureOptions]) -> float | None:
    """Q-measure: the mean over relevant items of their blended ratio, which is a precision that counts gains
    beside hits, weighted by q_beta.

    Options, formula, source and more: docs/functions/q_measure.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    gain : {"exp2", "linear", "binary"} or list of float, default "linear"
    min_rel : float, optional
    q_beta : float, default 1
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.q_measure(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    0.5
    """
    return _lists.call("q_measure", [rec, truth], k, options)


def sdcg(rec: Values, truth: Values, k: K = None, **options: Unpack[SdcgOptions]) -> float | None:
    """Scaled discounted cumulative gain: DCG over that of k items of relevance max_rel, whatever the truth
    has.

    Options, formula, source and more: docs/functions/sdcg.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    discount : {"log2", "log2_clip", "ln"}, default "log2"
    max_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.sdcg(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2, max_rel=3)
    0.6131471927654584
    """
    return _lists.call("sdcg", [rec, truth], k, options)


def bpm(rec: Values, truth: Values, k: K = None, **options: Unpack[BpmOptions]) -> float | None:
    """Static Bejeweled Player Model: the mean gain of the items that a user examines, who stops at the item
    with which the gain so far is t or more, or after k items.

    Options, formula, source and more: docs/functions/bpm.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    t : float, default 1
    max_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.bpm(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2, max_rel=3)
    1.0
    """
    return _lists.call("bpm", [rec, truth], k, options)


def insq(rec: Values, truth: Values, k: K = None, **options: Unpack[InsqOptions]) -> float | None:
    """INSQ: the mean gain of the items that a user examines, who goes on the more probably, the more items
    were examined.

    Options, formula, source and more: docs/functions/insq.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    t : float, default 1
    max_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.insq(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2, max_rel=3)
    0.6923076923076923
    """
    return _lists.call("insq", [rec, truth], k, options)


def inst(rec: Values, truth: Values, k: K = None, **options: Unpack[InstOptions]) -> float | None:
    """INST: the mean gain of the items that a user examines, who goes on the more probably, the more items
    were examined, and the less probably, the nearer the gain so far is to t.

    Options, formula, source and more: docs/functions/inst.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    t : float, default 1
    max_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.inst(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2, max_rel=3)
    0.8
    """
    return _lists.call("inst", [rec, truth], k, options)


def bpref(rec: Values, truth: Values, **options: Unpack[BprefOptions]) -> float | None:
    """Binary preference: how many judged irrelevant items, of at most as many as are relevant, are below a
    relevant item.

    Options, formula, source and more: docs/functions/bpref.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.bpref(["a", "c", "b"], {"a": 3, "b": 1, "d": 2})
    0.6666666666666666
    """
    return _lists.call("bpref", [rec, truth], None, options)


def inf_ap(rec: Values, truth: Values, **options: Unpack[InfApOptions]) -> float | None:
    """Inferred average precision: the precision at a hit is estimated from the judged items above it.

    Options, formula, source and more: docs/functions/inf_ap.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.inf_ap(["a", "c", "b"], {"a": 3, "b": 1, "d": 2})
    0.5555544444666662
    """
    return _lists.call("inf_ap", [rec, truth], None, options)


def iprec(rec: Values, truth: Values, **options: Unpack[IprecOptions]) -> float | None:
    """Interpolated precision: the largest precision at a rank whose recall is at least that of the option
    recall, 0 if there is none.

    Options, formula, source and more: docs/functions/iprec.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    min_rel : float, optional
    recall : float, default 0.1
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.iprec(["a", "c", "b"], {"a": 3, "b": 1, "d": 2})
    1.0
    """
    return _lists.call("iprec", [rec, truth], None, options)


def eleven_point_average(
    rec: Values, truth: Values, **options: Unpack[ElevenPointAverageOptions]
) -> float | None:
    """Interpolated precision, averaged over the recalls 0, 0.1, 0.2 to 1.

    Options, formula, source and more: docs/functions/eleven_point_average.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.eleven_point_average(["a", "c", "b"], {"a": 3, "b": 1, "d": 2})
    0.5454545454545455
    """
    return _lists.call("eleven_point_average", [rec, truth], None, options)


def relative_precision(
    rec: Values, truth: Values, k: K = None, **options: Unpack[RelativePrecisionOptions]
) -> float | None:
    """Relative precision: precision over the largest precision that is possible at k or, without k, for as
    many items as were retrieved.

    Options, formula, source and more: docs/functions/relative_precision.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.relative_precision(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    0.5
    """
    return _lists.call("relative_precision", [rec, truth], k, options)


def utility(rec: Values, truth: Values, k: K = None, **options: Unpack[UtilityOptions]) -> float | None:
    """Linear utility: the worth of the items in the top k together, with that of the relevant items that are
    not there.

    Options, formula, source and more: docs/functions/utility.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    min_rel : float, optional
    worth : list of float, default 1:-1:0
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, any number. NULL where `truth` is. NULL without a judged item; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.utility(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    0.0
    """
    return _lists.call("utility", [rec, truth], k, options)


def judged_share(
    rec: Values, truth: Values, k: K = None, **options: Unpack[JudgedShareOptions]
) -> float | None:
    """Share of the retrieved top k that is judged, relevant or not.

    Options, formula, source and more: docs/functions/judged_share.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a judged item; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.judged_share(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
    0.5
    """
    return _lists.call("judged_share", [rec, truth], k, options)


def rankdcg(rec: Values, truth: Values, **options: Unpack[RankdcgOptions]) -> float | None:
    """RankDCG: how well the whole order is kept, 1 for the perfect one and 0 for the worst.

    Options, formula, source and more: docs/functions/rankdcg.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    empty_rec : {"zero", "null"}, default "zero"
    unjudged : {"zero", "skip"}, default "zero"
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "pessimistic"
    score_type : {"exact", "float32"}, default "exact"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without two distinct relevances among what was judged and
        retrieved; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.rankdcg(["a", "c", "b"], {"a": 3, "b": 1, "d": 2})
    0.7931034482758621
    """
    return _lists.call("rankdcg", [rec, truth], None, options)


def rank_metrics(
    rec: Values, truth: Values, k: K = None, **options: Unpack[RankMetricsOptions]
) -> dict[str, Any] | None:
    """Several metrics in one pass, in a struct with k: precision, recall, f1, hit_rate, mrr,
    average_precision, ndcg, auc.

    Options, formula, source and more: docs/functions/rank_metrics.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    precision_denominator : {"retrieved", "k"}, default "retrieved"
    recall_denominator : {"truth", "min_truth_k"}, default "truth"
    beta : float, default 1
    ap_denominator : {"truth", "min_truth_k", "hits", "k", "min_truth_retrieved"}, default "truth"
    gain : {"exp2", "linear", "binary"} or list of float, default "exp2"
    discount : {"log2", "log2_clip", "ln"}, default "log2"
    idcg : {"truth", "retrieved", "k"}, default "truth"
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    one_class : {"half", "null", "zero", "by_class"}, default "half"
    auc_pairs : {"retrieved", "k"}, default "retrieved"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    dict or None
        A dict of k, precision, recall, f1, hit_rate, mrr, average_precision, ndcg, auc. NULL where `truth`
        is. Each metric by itself: NULL without a relevant item, unless `no_relevant` says otherwise; 0 where
        nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.rank_metrics(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)["ndcg"]
    0.7871546029909718
    """
    return _lists.call("rank_metrics", [rec, truth], k, options)


def rank_metrics_at(
    rec: Values, truth: Values, ks: Ks, **options: Unpack[RankMetricsAtOptions]
) -> list[dict[str, Any]] | None:
    """The metrics of rank_metrics for each of several k, in one pass.

    Options, formula, source and more: docs/functions/rank_metrics_at.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    ks : list of int
        Several k. NULL among them is the whole list.
    precision_denominator : {"retrieved", "k"}, default "retrieved"
    recall_denominator : {"truth", "min_truth_k"}, default "truth"
    beta : float, default 1
    ap_denominator : {"truth", "min_truth_k", "hits", "k", "min_truth_retrieved"}, default "truth"
    gain : {"exp2", "linear", "binary"} or list of float, default "exp2"
    discount : {"log2", "log2_clip", "ln"}, default "log2"
    idcg : {"truth", "retrieved", "k"}, default "truth"
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    one_class : {"half", "null", "zero", "by_class"}, default "half"
    auc_pairs : {"retrieved", "k"}, default "retrieved"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    convention : str, default "hivemall_page"

    Returns
    -------
    list[dict] or None
        A list, one struct for each k, of k, precision, recall, f1, hit_rate, mrr, average_precision, ndcg,
        auc. NULL where `truth` is. Each metric by itself: NULL without a relevant item, unless `no_relevant`
        says otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.rank_metrics_at(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, ks=[1, 2])[1]["ndcg"]
    0.7871546029909718
    """
    return _lists.call("rank_metrics_at", [rec, truth], ks, options)


def rank_explain(
    rec: Values, truth: Values, k: K = None, **options: Unpack[RankExplainOptions]
) -> list[dict[str, Any]] | None:
    """The items that a metric's value is made of, best first, and relevant ones that were missed.

    Options, formula, source and more: docs/functions/rank_explain.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first. A list that is NULL is an empty one.
    truth : iterable or None
        The relevant items, or judgements: structs of an item and its relevance, or in SQL a map from items to
        relevances. Beside structs in `rec`, lists of relevances. NULL for a user without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them, as always for
        metrics without a cutoff: r_precision and rankdcg.
    metric : str, default "ndcg"
    precision_denominator : {"retrieved", "k"}, default "retrieved"
    recall_denominator : {"truth", "min_truth_k"}, default "truth"
    beta : float, default 1
    ap_denominator : {"truth", "min_truth_k", "hits", "k", "min_truth_retrieved"}, default "truth"
    gain : {"exp2", "linear", "binary"} or list of float, default "exp2"
    discount : {"log2", "log2_clip", "ln"}, default "log2"
    idcg : {"truth", "retrieved", "k"}, default "truth"
    min_rel : float, optional
    p : float, default 0.8
    rbp_gain : {"binary", "linear"}, default "binary"
    max_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    duplicates : {"first", "count"}, default "first"
    unjudged : {"zero", "skip"}, default "zero"
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    convention : str, default "hivemall_page"

    Returns
    -------
    list[dict] or None
        A list, one struct for each item, of rec_place, truth_place, rank, last_rank, rel, gain, discount,
        contribution, if_found, value. NULL where `truth` is. The best rank comes first, and missed items that
        were not retrieved last. `rec_place` and `truth_place` are the places of the item in the lists, from
        1. `rank` to `last_rank` are the ranks that it can have among tied items. An item whose `rel` is NULL
        is not judged. `contribution` is NULL if a rule for empty rankings gives `value`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.rank_explain(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)[0]["contribution"]
    0.7871546029909718
    """
    return _lists.call("rank_explain", [rec, truth], k, options)


def ndcg_rels(rels: Values, k: K = None, **options: Unpack[NdcgRelsOptions]) -> float | None:
    """Evaluate `ndcg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels : iterable or None
        Numbers or booleans, and NULL for an item without one. The result is NULL where `rels` is.
    k, **options
        As in `ndcg`, without `empty_rec` and `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.ndcg_rels([3, 0, 1, 2], k=2)
    0.7871546029909718
    """
    return _lists.call("ndcg_rels", [rels], k, options)


def cg_rels(rels: Values, k: K = None, **options: Unpack[CgRelsOptions]) -> float | None:
    """Evaluate `cg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels : iterable or None
        Numbers or booleans, and NULL for an item without one. The result is NULL where `rels` is.
    k, **options
        As in `cg`, without `empty_rec` and `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.cg_rels([3, 0, 1, 2], k=2)
    3.0
    """
    return _lists.call("cg_rels", [rels], k, options)


def dcg_rels(rels: Values, k: K = None, **options: Unpack[DcgRelsOptions]) -> float | None:
    """Evaluate `dcg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels : iterable or None
        Numbers or booleans, and NULL for an item without one. The result is NULL where `rels` is.
    k, **options
        As in `dcg`, without `empty_rec` and `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.dcg_rels([3, 0, 1, 2], k=2)
    7.0
    """
    return _lists.call("dcg_rels", [rels], k, options)


def idcg_rels(rels: Values, k: K = None, **options: Unpack[IdcgRelsOptions]) -> float | None:
    """Evaluate `idcg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels : iterable or None
        Numbers or booleans, and NULL for an item without one. The result is NULL where `rels` is.
    k, **options
        As in `idcg`, without `empty_rec` and `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.idcg_rels([3, 0, 1, 2], k=2)
    8.892789260714373
    """
    return _lists.call("idcg_rels", [rels], k, options)


def err_rels(rels: Values, k: K = None, **options: Unpack[ErrRelsOptions]) -> float | None:
    """Evaluate `err` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels : iterable or None
        Numbers or booleans, and NULL for an item without one. The result is NULL where `rels` is.
    k, **options
        As in `err`, without `empty_rec` and `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.err_rels([3, 0, 1, 2], k=2, max_rel=3)
    0.875
    """
    return _lists.call("err_rels", [rels], k, options)


def nerr_rels(rels: Values, k: K = None, **options: Unpack[NerrRelsOptions]) -> float | None:
    """Evaluate `nerr` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels : iterable or None
        Numbers or booleans, and NULL for an item without one. The result is NULL where `rels` is.
    k, **options
        As in `nerr`, without `empty_rec` and `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.nerr_rels([3, 0, 1, 2], k=2, max_rel=3)
    0.9739130434782609
    """
    return _lists.call("nerr_rels", [rels], k, options)


def nearly_err_rels(rels: Values, k: K = None, **options: Unpack[NearlyErrRelsOptions]) -> float | None:
    """Evaluate `nearly_err` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels : iterable or None
        Numbers or booleans, and NULL for an item without one. The result is NULL where `rels` is.
    k, **options
        As in `nearly_err`, without `empty_rec` and `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.nearly_err_rels([3, 0, 1, 2], k=2, max_rel=3)
    1.0
    """
    return _lists.call("nearly_err_rels", [rels], k, options)


def q_measure_rels(rels: Values, k: K = None, **options: Unpack[QMeasureRelsOptions]) -> float | None:
    """Evaluate `q_measure` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels : iterable or None
        Numbers or booleans, and NULL for an item without one. The result is NULL where `rels` is.
    k, **options
        As in `q_measure`, without `empty_rec` and `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.q_measure_rels([3, 0, 1, 2], k=2)
    0.5
    """
    return _lists.call("q_measure_rels", [rels], k, options)


def sdcg_rels(rels: Values, k: K = None, **options: Unpack[SdcgRelsOptions]) -> float | None:
    """Evaluate `sdcg` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels : iterable or None
        Numbers or booleans, and NULL for an item without one. The result is NULL where `rels` is.
    k, **options
        As in `sdcg`, without `empty_rec` and `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.sdcg_rels([3, 0, 1, 2], k=2, max_rel=3)
    0.6131471927654584
    """
    return _lists.call("sdcg_rels", [rels], k, options)


def bpm_rels(rels: Values, k: K = None, **options: Unpack[BpmRelsOptions]) -> float | None:
    """Evaluate `bpm` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels : iterable or None
        Numbers or booleans, and NULL for an item without one. The result is NULL where `rels` is.
    k, **options
        As in `bpm`, without `empty_rec` and `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.bpm_rels([3, 0, 1, 2], k=2, max_rel=3)
    1.0
    """
    return _lists.call("bpm_rels", [rels], k, options)


def insq_rels(rels: Values, k: K = None, **options: Unpack[InsqRelsOptions]) -> float | None:
    """Evaluate `insq` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels : iterable or None
        Numbers or booleans, and NULL for an item without one. The result is NULL where `rels` is.
    k, **options
        As in `insq`, without `empty_rec` and `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.insq_rels([3, 0, 1, 2], k=2, max_rel=3)
    0.6923076923076923
    """
    return _lists.call("insq_rels", [rels], k, options)


def inst_rels(rels: Values, k: K = None, **options: Unpack[InstRelsOptions]) -> float | None:
    """Evaluate `inst` on a list of relevances in ranked order, with its formula and rules.

    Parameters
    ----------
    rels : iterable or None
        Numbers or booleans, and NULL for an item without one. The result is NULL where `rels` is.
    k, **options
        As in `inst`, without `empty_rec` and `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.inst_rels([3, 0, 1, 2], k=2, max_rel=3)
    0.8
    """
    return _lists.call("inst_rels", [rels], k, options)


def precision_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[PrecisionScoredOptions]
) -> float | None:
    """Evaluate `precision` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `precision`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.precision_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    0.5
    """
    return _lists.call("precision_scored", [scores, rels], k, options)


def recall_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[RecallScoredOptions]
) -> float | None:
    """Evaluate `recall` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `recall`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.recall_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    0.3333333333333333
    """
    return _lists.call("recall_scored", [scores, rels], k, options)


def f1_scored(scores: Values, rels: Values, k: K = None, **options: Unpack[F1ScoredOptions]) -> float | None:
    """Evaluate `f1` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `f1`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.f1_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    0.4
    """
    return _lists.call("f1_scored", [scores, rels], k, options)


def hit_rate_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[HitRateScoredOptions]
) -> float | None:
    """Evaluate `hit_rate` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `hit_rate`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.hit_rate_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    1.0
    """
    return _lists.call("hit_rate_scored", [scores, rels], k, options)


def mrr_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[MrrScoredOptions]
) -> float | None:
    """Evaluate `mrr` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `mrr`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.mrr_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    1.0
    """
    return _lists.call("mrr_scored", [scores, rels], k, options)


def average_precision_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[AveragePrecisionScoredOptions]
) -> float | None:
    """Evaluate `average_precision` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ap_steps : {"rank", "threshold"}, default "rank"
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `average_precision`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.average_precision_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    0.3333333333333333
    """
    return _lists.call("average_precision_scored", [scores, rels], k, options)


def ndcg_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[NdcgScoredOptions]
) -> float | None:
    """Evaluate `ndcg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `ndcg`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.ndcg_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    0.7871546029909718
    """
    return _lists.call("ndcg_scored", [scores, rels], k, options)


def cg_scored(scores: Values, rels: Values, k: K = None, **options: Unpack[CgScoredOptions]) -> float | None:
    """Evaluate `cg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `cg`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.cg_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    3.0
    """
    return _lists.call("cg_scored", [scores, rels], k, options)


def dcg_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[DcgScoredOptions]
) -> float | None:
    """Evaluate `dcg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `dcg`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.dcg_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    7.0
    """
    return _lists.call("dcg_scored", [scores, rels], k, options)


def idcg_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[IdcgScoredOptions]
) -> float | None:
    """Evaluate `idcg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `idcg`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.idcg_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    8.892789260714373
    """
    return _lists.call("idcg_scored", [scores, rels], k, options)


def auc_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[AucScoredOptions]
) -> float | None:
    """Evaluate `auc` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `auc`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.auc_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    1.0
    """
    return _lists.call("auc_scored", [scores, rels], k, options)


def r_precision_scored(
    scores: Values, rels: Values, **options: Unpack[RPrecisionScoredOptions]
) -> float | None:
    """Evaluate `r_precision` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    **options
        As in `r_precision`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.r_precision_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2])
    0.6666666666666666
    """
    return _lists.call("r_precision_scored", [scores, rels], None, options)


def rbp_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[RbpScoredOptions]
) -> float | None:
    """Evaluate `rbp` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rbp`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.rbp_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    0.19999999999999996
    """
    return _lists.call("rbp_scored", [scores, rels], k, options)


def rbp_residual_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[RbpResidualScoredOptions]
) -> float | None:
    """Evaluate `rbp_residual` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rbp_residual`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.rbp_residual_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    0.6400000000000001
    """
    return _lists.call("rbp_residual_scored", [scores, rels], k, options)


def err_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[ErrScoredOptions]
) -> float | None:
    """Evaluate `err` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `err`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.err_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2, max_rel=3)
    0.875
    """
    return _lists.call("err_scored", [scores, rels], k, options)


def nerr_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[NerrScoredOptions]
) -> float | None:
    """Evaluate `nerr` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `nerr`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.nerr_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2, max_rel=3)
    0.9739130434782609
    """
    return _lists.call("nerr_scored", [scores, rels], k, options)


def nearly_err_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[NearlyErrScoredOptions]
) -> float | None:
    """Evaluate `nearly_err` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `nearly_err`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.nearly_err_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2, max_rel=3)
    1.0
    """
    return _lists.call("nearly_err_scored", [scores, rels], k, options)


def q_measure_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[QMeasureScoredOptions]
) -> float | None:
    """Evaluate `q_measure` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `q_measure`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.q_measure_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    0.5
    """
    return _lists.call("q_measure_scored", [scores, rels], k, options)


def sdcg_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[SdcgScoredOptions]
) -> float | None:
    """Evaluate `sdcg` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `sdcg`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.sdcg_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2, max_rel=3)
    0.6131471927654584
    """
    return _lists.call("sdcg_scored", [scores, rels], k, options)


def bpm_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[BpmScoredOptions]
) -> float | None:
    """Evaluate `bpm` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `bpm`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.bpm_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2, max_rel=3)
    1.0
    """
    return _lists.call("bpm_scored", [scores, rels], k, options)


def insq_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[InsqScoredOptions]
) -> float | None:
    """Evaluate `insq` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `insq`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.insq_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2, max_rel=3)
    0.6923076923076923
    """
    return _lists.call("insq_scored", [scores, rels], k, options)


def inst_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[InstScoredOptions]
) -> float | None:
    """Evaluate `inst` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `inst`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.inst_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2, max_rel=3)
    0.8
    """
    return _lists.call("inst_scored", [scores, rels], k, options)


def bpref_scored(scores: Values, rels: Values, **options: Unpack[BprefScoredOptions]) -> float | None:
    """Evaluate `bpref` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    **options
        As in `bpref`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.bpref_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2])
    0.3333333333333333
    """
    return _lists.call("bpref_scored", [scores, rels], None, options)


def inf_ap_scored(scores: Values, rels: Values, **options: Unpack[InfApScoredOptions]) -> float | None:
    """Evaluate `inf_ap` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    **options
        As in `inf_ap`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.inf_ap_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2])
    0.5555555555555555
    """
    return _lists.call("inf_ap_scored", [scores, rels], None, options)


def iprec_scored(scores: Values, rels: Values, **options: Unpack[IprecScoredOptions]) -> float | None:
    """Evaluate `iprec` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    **options
        As in `iprec`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.iprec_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2])
    1.0
    """
    return _lists.call("iprec_scored", [scores, rels], None, options)


def eleven_point_average_scored(
    scores: Values, rels: Values, **options: Unpack[ElevenPointAverageScoredOptions]
) -> float | None:
    """Evaluate `eleven_point_average` on lists of scores and relevances of the same items, with its formula
    and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    **options
        As in `eleven_point_average`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.eleven_point_average_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2])
    0.5454545454545455
    """
    return _lists.call("eleven_point_average_scored", [scores, rels], None, options)


def relative_precision_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[RelativePrecisionScoredOptions]
) -> float | None:
    """Evaluate `relative_precision` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `relative_precision`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.relative_precision_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    0.5
    """
    return _lists.call("relative_precision_scored", [scores, rels], k, options)


def utility_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[UtilityScoredOptions]
) -> float | None:
    """Evaluate `utility` on lists of scores and relevances of the same items, with its formula and rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `utility`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.utility_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    0.0
    """
    return _lists.call("utility_scored", [scores, rels], k, options)


def judged_share_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[JudgedShareScoredOptions]
) -> float | None:
    """Evaluate `judged_share` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `judged_share`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.judged_share_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)
    1.0
    """
    return _lists.call("judged_share_scored", [scores, rels], k, options)


def roc_auc(scores: Values, rels: Values, **options: Unpack[RocAucOptions]) -> float | None:
    """Area under the ROC curve: share of the (relevant, irrelevant) pairs of items in the right order.

    Options, formula, source and more: docs/functions/roc_auc.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    scores : iterable or None
        Scores, element by element beside `rels`. A NULL leaves the item out.
    rels : iterable or None
        Relevances, numbers or booleans, one for each item. A NULL leaves the item out.
    min_rel : float, optional
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where there is no relevance. NULL without a relevant and an irrelevant item.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.roc_auc([0.9, 0.5, 0.4, None], [3, 0, 1, 2])
    0.5
    """
    return _lists.call("roc_auc", [scores, rels], None, options)


def kendall_tau(scores: Values, rels: Values, **options: Unpack[KendallTauOptions]) -> float | None:
    """Kendall's tau-b: how well two orders of the same items agree, where items may tie in both.

    Options, formula, source and more: docs/functions/kendall_tau.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    scores : iterable or None
        Scores, element by element beside `rels`. A NULL leaves the item out.
    rels : iterable or None
        Relevances, numbers or booleans, one for each item. A NULL leaves the item out.
    score_type : {"exact", "float32"}, default "exact"
    convention : str, default "hivemall_page"

    Returns
    -------
    float or None
        A float, -1 to 1. NULL where there is no relevance. NULL without two distinct scores and two distinct
        relevances.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.kendall_tau([0.9, 0.5, 0.4, None], [3, 0, 1, 2])
    0.3333333333333333
    """
    return _lists.call("kendall_tau", [scores, rels], None, options)


def rank_metrics_scored(
    scores: Values, rels: Values, k: K = None, **options: Unpack[RankMetricsScoredOptions]
) -> dict[str, Any] | None:
    """Evaluate `rank_metrics` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ap_steps : {"rank", "threshold"}, default "rank"
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    k, **options
        As in `rank_metrics`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.rank_metrics_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], k=2)["ndcg"]
    0.7871546029909718
    """
    return _lists.call("rank_metrics_scored", [scores, rels], k, options)


def rank_metrics_at_scored(
    scores: Values, rels: Values, ks: Ks, **options: Unpack[RankMetricsAtScoredOptions]
) -> list[dict[str, Any]] | None:
    """Evaluate `rank_metrics_at` on lists of scores and relevances of the same items, with its formula and
    rules.

    Parameters
    ----------
    scores, rels : iterable or None
        Scores and relevances, item by item, NULL for none. The result is NULL without a relevance.
    ap_steps : {"rank", "threshold"}, default "rank"
    ties : {"average", "pessimistic", "optimistic", "input_order"}, default "average"
    score_type : {"exact", "float32"}, default "exact"
    ks, **options
        As in `rank_metrics_at`, without `duplicates`.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.rank_metrics_at_scored([0.9, 0.5, 0.4, None], [3, 0, 1, 2], ks=[1, 2])[1]["ndcg"]
    0.7871546029909718
    """
    return _lists.call("rank_metrics_at_scored", [scores, rels], ks, options)


def rbo(a: Values, b: Values, k: K = None, **options: Unpack[RboOptions]) -> float | None:
    """Rank-biased overlap: the share of common items down to a depth, averaged over the depths at which a
    user may stop.

    Options, formula, source and more: docs/functions/rbo.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    a : iterable or None
        The items of one ranking, best first, or structs of `item` and `score` in any order. A repeated item
        counts once, at its first place. A NULL takes a place, and is equal to no item. One without a score is
        left out.
    b : iterable or None
        The items of another ranking, like `a`.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    p : float, default 0.9
    rbo_ties : {"w", "a", "b"}, default "a"
    rbo_unseen : {"extrapolate", "min", "max"}, default "extrapolate"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `a` or `b` is, and without an item in either list.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.rbo(["a", "c", "b", "d", "f"], ["c", "a", "e", "b", "g"], k=4)
    0.6907500000000001
    """
    return _lists.call("rbo", [a, b], k, options)


def jaccard_index(a: Values, b: Values, k: K = None, **options: Unpack[JaccardIndexOptions]) -> float | None:
    """Jaccard's index: the share of the items in the top k of either ranking that is in both.

    Options, formula, source and more: docs/functions/jaccard_index.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    a : iterable or None
        The items of one ranking, best first, or structs of `item` and `score` in any order. A repeated item
        counts once, at its first place. A NULL takes a place, and is equal to no item. One without a score is
        left out.
    b : iterable or None
        The items of another ranking, like `a`.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `a` or `b` is, and without an item in either list.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.jaccard_index(["a", "c", "b", "d", "f"], ["c", "a", "e", "b", "g"], k=4)
    0.6
    """
    return _lists.call("jaccard_index", [a, b], k, options)


def overlap(a: Values, b: Values, k: K = None, **options: Unpack[OverlapOptions]) -> float | None:
    """Overlap: the share of the top k that both rankings have.

    Options, formula, source and more: docs/functions/overlap.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    a : iterable or None
        The items of one ranking, best first, or structs of `item` and `score` in any order. A repeated item
        counts once, at its first place. A NULL takes a place, and is equal to no item. One without a score is
        left out.
    b : iterable or None
        The items of another ranking, like `a`.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    overlap_denominator, denominator : {"longer", "shorter", "k"}, default "longer"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `a` or `b` is, and without an item in either list.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.overlap(["a", "c", "b", "d", "f"], ["c", "a", "e", "b", "g"], k=4)
    0.75
    """
    return _lists.call("overlap", [a, b], k, options)


def spearman_rho(a: Values, b: Values, k: K = None, **options: Unpack[SpearmanRhoOptions]) -> float | None:
    """Spearman's rho: the correlation of the ranks of the common items, which are ranked anew among one
    another.

    Options, formula, source and more: docs/functions/spearman_rho.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    a : iterable or None
        The items of one ranking, best first, or structs of `item` and `score` in any order. A repeated item
        counts once, at its first place. A NULL takes a place, and is equal to no item. One without a score is
        left out.
    b : iterable or None
        The items of another ranking, like `a`.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.

    Returns
    -------
    float or None
        A float, -1 to 1. NULL where `a` or `b` is, and without two common items.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.spearman_rho(["a", "c", "b", "d", "f"], ["c", "a", "e", "b", "g"], k=4)
    0.5
    """
    return _lists.call("spearman_rho", [a, b], k, options)


def tau_ap(a: Values, b: Values, k: K = None, **options: Unpack[TauApOptions]) -> float | None:
    """AP rank correlation: Kendall's tau of the common items, in which the top of the first ranking counts
    most.

    Options, formula, source and more: docs/functions/tau_ap.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    a : iterable or None
        The items of one ranking, best first, or structs of `item` and `score` in any order. A repeated item
        counts once, at its first place. A NULL takes a place, and is equal to no item. One without a score is
        left out.
    b : iterable or None
        The items of another ranking, like `a`.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.

    Returns
    -------
    float or None
        A float, -1 to 1. NULL where `a` or `b` is, and without two common items.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.tau_ap(["a", "c", "b", "d", "f"], ["c", "a", "e", "b", "g"], k=4)
    0.0
    """
    return _lists.call("tau_ap", [a, b], k, options)


def weighted_tau(a: Values, b: Values, k: K = None, **options: Unpack[WeightedTauOptions]) -> float | None:
    """Weighted tau: Kendall's tau of the common items, in which a pair has the weight 1 / rank of each of its
    items, as the mean of the weights by either ranking.

    Options, formula, source and more: docs/functions/weighted_tau.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    a : iterable or None
        The items of one ranking, best first, or structs of `item` and `score` in any order. A repeated item
        counts once, at its first place. A NULL takes a place, and is equal to no item. One without a score is
        left out.
    b : iterable or None
        The items of another ranking, like `a`.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.

    Returns
    -------
    float or None
        A float, -1 to 1. NULL where `a` or `b` is, and without two common items.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.weighted_tau(["a", "c", "b", "d", "f"], ["c", "a", "e", "b", "g"], k=4)
    0.18181818181818177
    """
    return _lists.call("weighted_tau", [a, b], k, options)


def rank_similarity(
    a: Values, b: Values, k: K = None, **options: Unpack[RankSimilarityOptions]
) -> dict[str, Any] | None:
    """The similarities of two rankings in one pass, in a struct with k.

    Options, formula, source and more: docs/functions/rank_similarity.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    a : iterable or None
        The items of one ranking, best first, or structs of `item` and `score` in any order. A repeated item
        counts once, at its first place. A NULL takes a place, and is equal to no item. One without a score is
        left out.
    b : iterable or None
        The items of another ranking, like `a`.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    p : float, default 0.9
    rbo_ties : {"w", "a", "b"}, default "a"
    rbo_unseen : {"extrapolate", "min", "max"}, default "extrapolate"
    overlap_denominator : {"longer", "shorter", "k"}, default "longer"

    Returns
    -------
    dict or None
        A dict of k, rbo, jaccard_index, overlap, spearman_rho, tau_ap, weighted_tau. NULL where `a` or `b`
        is.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.rank_similarity(["a", "c", "b", "d", "f"], ["c", "a", "e", "b", "g"], k=4)["rbo"]
    0.6907500000000001
    """
    return _lists.call("rank_similarity", [a, b], k, options)


def average_popularity(
    values: Values, k: K = None, **options: Unpack[AveragePopularityOptions]
) -> float | None:
    """Mean popularity of the items in the top k (average recommendation popularity, ARP).

    Options, formula, source and more: docs/functions/average_popularity.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    values : iterable or None
        The popularity of each item, best item first: a finite number, such as how many users had the item. A
        NULL is an item without one.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.

    Returns
    -------
    float or None
        A float, between the least and the largest value. NULL where `values` is, and without an item with a
        value.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.average_popularity([40, 10, 25], k=2)
    25.0
    """
    return _lists.call("average_popularity", [values], k, options)


def novelty(values: Values, k: K = None, **options: Unpack[NoveltyOptions]) -> float | None:
    """Mean information of the items in the top k, in bits (mean inverse user frequency, self-information): an
    item that half of the users had has 1 bit, and one that all had has 0.

    Options, formula, source and more: docs/functions/novelty.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    values : iterable or None
        The share of users who had each item, or of all interactions, best item first: a number above 0 and at
        most 1. A NULL is an item without one.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.

    Returns
    -------
    float or None
        A float, 0 or more. NULL where `values` is, and without an item with a value.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.novelty([0.5, 0.125, 0.25], k=2)
    2.0
    """
    return _lists.call("novelty", [values], k, options)


def long_tail_share(values: Values, k: K = None, **options: Unpack[LongTailShareOptions]) -> float | None:
    """Share of the items in the top k that are in the long tail (average percentage of long tail items,
    APLT), or that have another property.

    Options, formula, source and more: docs/functions/long_tail_share.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    values : iterable or None
        Whether each item is in the long tail, best item first: a boolean, 0 or 1. A NULL is an item without
        one.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `values` is, and without an item with a value.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.long_tail_share([1, 0, 1], k=2)
    0.5
    """
    return _lists.call("long_tail_share", [values], k, options)


def categorical_diversity(
    values: Values, k: K = None, **options: Unpack[CategoricalDiversityOptions]
) -> float | None:
    """Number of distinct categories of the items in the top k, over k.

    Options, formula, source and more: docs/functions/categorical_diversity.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    values : iterable or None
        The category of each item, best item first: a label of any type, or a list of several labels. A NULL
        is an item without one.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.

    Returns
    -------
    float or None
        A float, 0 or more. NULL where `values` is, and without an item with a value.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.categorical_diversity(["drama", "drama", "comedy"], k=2)
    0.5
    """
    return _lists.call("categorical_diversity", [values], k, options)


def intra_list_diversity(
    values: Values, k: K = None, **options: Unpack[IntraListDiversityOptions]
) -> float | None:
    """Mean distance between two items of the top k (ILD).

    Options, formula, source and more: docs/functions/intra_list_diversity.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    values : iterable or None
        A label of each item, a list of labels, or a vector: a list of floating-point numbers, of the same
        length for all items. The best item comes first. A NULL is an item without one.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.

    Returns
    -------
    float or None
        A float, 0 to 1, or 0 to 2 for vectors. NULL where `values` is, and without two items with a value.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.intra_list_diversity([["drama", "crime"], ["drama"], ["comedy"]], k=2)
    0.5
    """
    return _lists.call("intra_list_diversity", [values], k, options)


def rank_items(
    rec: Values, truth: Values, items: Values, measures: str, **options: Unpack[RankItemsOptions]
) -> list[float | None] | None:
    """Measures of recommended items by their names, each of a ranking or of all of them: a list of their
    values for the first ranking, then those for the next one.

    Options, formula, source and more: docs/functions/rank_items.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The rankings of all users, each a list of items, best first. A repeated item counts once, at its first
        place. A NULL among its items takes a place and has no property. A list that is NULL has no value, and
        counts for nothing.
    truth : iterable or None
        For each list of `rec`, the items that the user had: the relevant ones, or for `calibration` those of
        the history. NULL without measures that read them.
    items : iterable or None
        The catalogue: structs of an item and its properties, in any number of fields with any names. An item
        may be there once. A NULL is an item without the property.
    measures : str
        Names of measures of items, separated by commas, each with or without a cutoff and the field of
        `items` that it reads: `novelty@10, intra_list_diversity(of=genres)@5`.
    threads : int, default 1

    Returns
    -------
    list[float or None] or None
        A list of numbers: the values of all measures for the first ranking, then those for the next one. NULL
        for a ranking that is NULL, and where a measure is not defined. NULL where `rec`, `items` or
        `measures` is.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.rank_items([["a", "c"], ["a", "b"]], [["c"], ["d"]],
    ...     [{"item": "a", "popularity": 9, "group": "x"}, {"item": "b", "popularity": 4, "group": "y"},
    ...     {"item": "c", "popularity": 1, "group": "x"}, {"item": "d", "popularity": 1, "group": "y"}],
    ...     measures="average_popularity@2, serendipity@2, coverage@2")
    [5.0, 0.125, 0.75, 6.5, 0.0, 0.75]
    """
    return _lists.call("rank_items", [rec, truth, items], measures, options)


def alpha_ndcg(rec: Values, truth: Values, k: K = None, **options: Unpack[AlphaNdcgOptions]) -> float | None:
    """Alpha-nDCG: the gains of alpha_dcg over those of the greedy ideal order, which takes the item of the
    largest gain at each rank, and of equal ones the last by item.

    Options, formula, source and more: docs/functions/alpha_ndcg.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first, or structs of an item and its score, in any order. A list that is
        NULL is an empty one, and an item without a score was not retrieved.
    truth : iterable or None
        Judgements: structs of an item, an aspect, and the item's relevance to it. Without the field `rel`,
        every item is relevant to its aspects. A struct with a NULL counts for nothing. NULL for a user
        without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    redundancy_intolerance : float, default 0.5
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    ties : {"average", "input_order", "item_asc", "item_desc"}, default "average"
    score_type : {"exact", "float32"}, default "exact"

    Returns
    -------
    float or None
        A float, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.alpha_ndcg(["a", "c", "b"], [{"item": "a", "aspect": 1}, {"item": "b", "aspect": 1},
    ...     {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}], k=2)
    0.38009376671593426
    """
    return _lists.call("alpha_ndcg", [rec, truth], k, options)


def alpha_dcg(rec: Values, truth: Values, k: K = None, **options: Unpack[AlphaDcgOptions]) -> float | None:
    """Alpha-DCG: discounted gain, where an item gains 1 for each of its aspects, and (1 -
    redundancy_intolerance) times as much for each item above with the same aspect.

    Options, formula, source and more: docs/functions/alpha_dcg.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first, or structs of an item and its score, in any order. A list that is
        NULL is an empty one, and an item without a score was not retrieved.
    truth : iterable or None
        Judgements: structs of an item, an aspect, and the item's relevance to it. Without the field `rel`,
        every item is relevant to its aspects. A struct with a NULL counts for nothing. NULL for a user
        without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    redundancy_intolerance : float, default 0.5
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    ties : {"average", "input_order", "item_asc", "item_desc"}, default "average"
    score_type : {"exact", "float32"}, default "exact"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.alpha_dcg(["a", "c", "b"], [{"item": "a", "aspect": 1}, {"item": "b", "aspect": 1},
    ...     {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}], k=2)
    0.25339584447728947
    """
    return _lists.call("alpha_dcg", [rec, truth], k, options)


def nerr_ia(rec: Values, truth: Values, k: K = None, **options: Unpack[NerrIaOptions]) -> float | None:
    """Intent-aware expected reciprocal rank over that of the greedy ideal order of alpha_ndcg.

    Options, formula, source and more: docs/functions/nerr_ia.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first, or structs of an item and its score, in any order. A list that is
        NULL is an empty one, and an item without a score was not retrieved.
    truth : iterable or None
        Judgements: structs of an item, an aspect, and the item's relevance to it. Without the field `rel`,
        every item is relevant to its aspects. A struct with a NULL counts for nothing. NULL for a user
        without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    redundancy_intolerance : float, default 0.5
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    ties : {"average", "input_order", "item_asc", "item_desc"}, default "average"
    score_type : {"exact", "float32"}, default "exact"

    Returns
    -------
    float or None
        A float, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.nerr_ia(["a", "c", "b"], [{"item": "a", "aspect": 1}, {"item": "b", "aspect": 1},
    ...     {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}], k=2)
    0.4
    """
    return _lists.call("nerr_ia", [rec, truth], k, options)


def err_ia(rec: Values, truth: Values, k: K = None, **options: Unpack[ErrIaOptions]) -> float | None:
    """Intent-aware expected reciprocal rank: the gains of alpha_dcg with the discount 1 / rank, over the sum
    of items that had all aspects.

    Options, formula, source and more: docs/functions/err_ia.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first, or structs of an item and its score, in any order. A list that is
        NULL is an empty one, and an item without a score was not retrieved.
    truth : iterable or None
        Judgements: structs of an item, an aspect, and the item's relevance to it. Without the field `rel`,
        every item is relevant to its aspects. A struct with a NULL counts for nothing. NULL for a user
        without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    redundancy_intolerance : float, default 0.5
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    ties : {"average", "input_order", "item_asc", "item_desc"}, default "average"
    score_type : {"exact", "float32"}, default "exact"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.err_ia(["a", "c", "b"], [{"item": "a", "aspect": 1}, {"item": "b", "aspect": 1},
    ...     {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}], k=2)
    0.26666666666666666
    """
    return _lists.call("err_ia", [rec, truth], k, options)


def nnrbp(rec: Values, truth: Values, k: K = None, **options: Unpack[NnrbpOptions]) -> float | None:
    """Novelty- and rank-biased precision over that of the greedy ideal order of alpha_ndcg.

    Options, formula, source and more: docs/functions/nnrbp.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first, or structs of an item and its score, in any order. A list that is
        NULL is an empty one, and an item without a score was not retrieved.
    truth : iterable or None
        Judgements: structs of an item, an aspect, and the item's relevance to it. Without the field `rel`,
        every item is relevant to its aspects. A struct with a NULL counts for nothing. NULL for a user
        without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    redundancy_intolerance : float, default 0.5
    p : float, default 0.5
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    ties : {"average", "input_order", "item_asc", "item_desc"}, default "average"
    score_type : {"exact", "float32"}, default "exact"

    Returns
    -------
    float or None
        A float, 0 or more. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.nnrbp(["a", "c", "b"], [{"item": "a", "aspect": 1}, {"item": "b", "aspect": 1},
    ...     {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}], k=2)
    0.4
    """
    return _lists.call("nnrbp", [rec, truth], k, options)


def nrbp(rec: Values, truth: Values, k: K = None, **options: Unpack[NrbpOptions]) -> float | None:
    """Novelty- and rank-biased precision: the gains of alpha_dcg, where a user goes on to the next item with
    probability p.

    Options, formula, source and more: docs/functions/nrbp.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first, or structs of an item and its score, in any order. A list that is
        NULL is an empty one, and an item without a score was not retrieved.
    truth : iterable or None
        Judgements: structs of an item, an aspect, and the item's relevance to it. Without the field `rel`,
        every item is relevant to its aspects. A struct with a NULL counts for nothing. NULL for a user
        without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    redundancy_intolerance : float, default 0.5
    p : float, default 0.5
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    ties : {"average", "input_order", "item_asc", "item_desc"}, default "average"
    score_type : {"exact", "float32"}, default "exact"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.nrbp(["a", "c", "b"], [{"item": "a", "aspect": 1}, {"item": "b", "aspect": 1},
    ...     {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}], k=2)
    0.25
    """
    return _lists.call("nrbp", [rec, truth], k, options)


def subtopic_recall(
    rec: Values, truth: Values, k: K = None, **options: Unpack[SubtopicRecallOptions]
) -> float | None:
    """Subtopic recall: the share of the aspects that an item of the top k has.

    Options, formula, source and more: docs/functions/subtopic_recall.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first, or structs of an item and its score, in any order. A list that is
        NULL is an empty one, and an item without a score was not retrieved.
    truth : iterable or None
        Judgements: structs of an item, an aspect, and the item's relevance to it. Without the field `rel`,
        every item is relevant to its aspects. A struct with a NULL counts for nothing. NULL for a user
        without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    ties : {"average", "input_order", "item_asc", "item_desc"}, default "average"
    score_type : {"exact", "float32"}, default "exact"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.subtopic_recall(["a", "c", "b"], [{"item": "a", "aspect": 1}, {"item": "b", "aspect": 1},
    ...     {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}], k=2)
    0.3333333333333333
    """
    return _lists.call("subtopic_recall", [rec, truth], k, options)


def precision_ia(
    rec: Values, truth: Values, k: K = None, **options: Unpack[PrecisionIaOptions]
) -> float | None:
    """Intent-aware precision: the mean over aspects of the share of the top k that has the aspect.

    Options, formula, source and more: docs/functions/precision_ia.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first, or structs of an item and its score, in any order. A list that is
        NULL is an empty one, and an item without a score was not retrieved.
    truth : iterable or None
        Judgements: structs of an item, an aspect, and the item's relevance to it. Without the field `rel`,
        every item is relevant to its aspects. A struct with a NULL counts for nothing. NULL for a user
        without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    ties : {"average", "input_order", "item_asc", "item_desc"}, default "average"
    score_type : {"exact", "float32"}, default "exact"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.precision_ia(["a", "c", "b"], [{"item": "a", "aspect": 1}, {"item": "b", "aspect": 1},
    ...     {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}], k=2)
    0.16666666666666666
    """
    return _lists.call("precision_ia", [rec, truth], k, options)


def average_precision_ia(
    rec: Values, truth: Values, k: K = None, **options: Unpack[AveragePrecisionIaOptions]
) -> float | None:
    """Intent-aware average precision: the mean over aspects of the average precision of the items with the
    aspect.

    Options, formula, source and more: docs/functions/average_precision_ia.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    rec : iterable or None
        The retrieved items, best first, or structs of an item and its score, in any order. A list that is
        NULL is an empty one, and an item without a score was not retrieved.
    truth : iterable or None
        Judgements: structs of an item, an aspect, and the item's relevance to it. Without the field `rel`,
        every item is relevant to its aspects. A struct with a NULL counts for nothing. NULL for a user
        without judgements.
    k : int, optional
        How many of the first items count, at least 1. NULL, the default, is all of them.
    min_rel : float, optional
    no_relevant : {"null", "zero", "one", "error", "one_if_rec_empty"}, default "null"
    empty_rec : {"zero", "null"}, default "zero"
    ties : {"average", "input_order", "item_asc", "item_desc"}, default "average"
    score_type : {"exact", "float32"}, default "exact"

    Returns
    -------
    float or None
        A float, 0 to 1. NULL where `truth` is. NULL without a relevant item, unless `no_relevant` says
        otherwise; 0 where nothing was retrieved.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.average_precision_ia(["a", "c", "b"], [{"item": "a", "aspect": 1},
    ...     {"item": "b", "aspect": 1}, {"item": "b", "aspect": 2}, {"item": "d", "aspect": 3}], k=2)
    0.16666666666666666
    """
    return _lists.call("average_precision_ia", [rec, truth], k, options)


def tukey_hsd(blocks: Values, **options: Unpack[TukeyHsdOptions]) -> list[float | None] | None:
    """Randomised Tukey HSD: a p-value for each pair of systems, in the order (1, 2), (1, 3), ..., (2, 3) and
    so on, that is corrected for the number of pairs.

    Options, formula, source and more: docs/functions/tukey_hsd.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    blocks : iterable or None
        A list for each user, with a metric of the user by each of two or more systems. A list with a NULL
        leaves the user out. NULL if there is no list.
    resamples : int, default 10000
    seed : int, default 0
    tolerance : float, default 0

    Returns
    -------
    list[float or None] or None
        A list of A float, 0 to 1: a p-value for each pair of systems. NULL where no user has a value of every
        system.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.tukey_hsd([[0.5, 0.4, 0.8], [0.75, 0.5, 0.9], [0.25, 0.3, 0.6], [0.9, 0.7, 0.95]])
    [0.7083333333333334, 0.25925925925925924, 0.013888888888888888]
    """
    return _lists.call("tukey_hsd", [blocks], None, options)


def corrected_p_values(
    p_values: Values, **options: Unpack[CorrectedPValuesOptions]
) -> list[float | None] | None:
    """P-values corrected for the number of tests, in the order of the tests.

    Options, formula, source and more: docs/functions/corrected_p_values.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    p_values : iterable or None
        The p-values of tests, numbers from 0 to 1. A NULL is no test, and stays NULL. NULL for a list that is
        NULL.
    correction : {"holm", "bonferroni", "benjamini_hochberg"}, default "holm"

    Returns
    -------
    list[float or None] or None
        A list of A float, 0 to 1. NULL where `p_values` is.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.corrected_p_values([0.01, 0.04, 0.03, None])
    [0.03, 0.06, 0.06, None]
    """
    return _lists.call("corrected_p_values", [p_values], None, options)


def geometric_mean_values(
    user_values: Values, **options: Unpack[GeometricMeanValuesOptions]
) -> list[float | None] | None:
    """The geometric mean of a metric over users as a value for each user, in their order: the mean of the
    values is the geometric mean, and the interval of this mean is the jackknife's.

    Options, formula, source and more: docs/functions/geometric_mean_values.md, `rankdcg_sql.options()`,
    `rankdcg_sql.functions()`. A wrong argument is a ValueError or TypeError that names it.

    Parameters
    ----------
    user_values : iterable or None
        A metric of each user, finite numbers from 0. A NULL leaves the user out, and stays NULL. NULL for a
        list that is NULL.

    Returns
    -------
    list[float or None] or None
        A list of A float. NULL where `user_values` is.

    Examples
    --------
    >>> import rankdcg_sql
    >>> rankdcg_sql.geometric_mean_values([0.25, 1.0, None])
    [0.125, 0.875, None]
    """
    return _lists.call("geometric_mean_values", [user_values], None, options)
