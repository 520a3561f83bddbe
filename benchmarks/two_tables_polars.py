"""The contenders of ``two_tables.py`` in Polars: a query by hand, and the functions of this package."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import polars as pl
from two_tables_contenders import IDEAL, METRICS, K, timed

_CUTS = pl.lit([K, None], dtype=pl.List(pl.Int64))


class _Frames:
    """Both tables, and the common parts of the queries."""

    def __init__(self, folder: Path) -> None:
        self.truth = pl.scan_parquet(folder / "truth.parquet")
        self.rec = pl.scan_parquet(folder / "rec.parquet")
        self.keys = ["userid", "itemid"]

    def values(self, bits: pl.LazyFrame, **more: pl.Expr) -> pl.LazyFrame:
        """Look up the metrics of the bits of each user; users without a hit may be absent from `bits`."""
        rows = []
        for number in range(2**K):
            ranks = [rank for rank in range(1, K + 1) if number >> (rank - 1) & 1]
            dcg = sum(1 / math.log2(rank + 1) for rank in ranks)
            precisions = sum(nth / rank for nth, rank in enumerate(ranks, 1))
            rows.append((number, len(ranks), float(dcg), float(precisions), 1 / ranks[0] if ranks else 0.0))
        by_hits = pl.LazyFrame(rows, ["bits", "hits", "dcg", "precisions", "mrr"], orient="row")
        ideal = pl.LazyFrame({"counted": range(1, K + 1), "ideal": IDEAL})
        truths = self.truth.group_by("userid").agg(truths=pl.len())
        return (
            truths.join(bits, on="userid", how="left")
            .with_columns(pl.col("bits").fill_null(0), counted=pl.min_horizontal("truths", K).cast(pl.Int64))
            .join(by_hits, on="bits")
            .join(ideal, on="counted")
            .select(
                "userid",
                "mrr",
                recall=pl.col("hits") / pl.col("truths"),
                precision=pl.col("hits") / K,
                ndcg=pl.col("dcg") / pl.col("ideal"),
                average_precision=pl.col("precisions") / pl.col("truths"),
                **more,
            )
        )


def _rank_over(frames: _Frames, whole: bool) -> pl.LazyFrame:
    rank = pl.col("rank")
    bits = pl.when(rank <= K).then(pl.lit(2, dtype=pl.Int64).pow(rank.cast(pl.Int64) - 1)).otherwise(0).sum()
    by_score = pl.col("score").rank("ordinal", descending=True).over("userid")
    ranked = frames.rec.select("userid", "itemid", rank=by_score)
    if not whole:
        hits = ranked.filter(rank <= K).join(frames.truth, on=frames.keys)
        return frames.values(hits.group_by("userid").agg(bits=bits))
    sums = (
        ranked.join(frames.truth, on=frames.keys)
        .group_by("userid")
        .agg(bits=bits, hits_of_all=pl.len(), ranks=rank.cast(pl.Int64).sum())
        .join(frames.rec.group_by("userid").agg(retrieved=pl.len()), on="userid")
    )
    hits, retrieved, ranks = (pl.col(name).cast(pl.Int64) for name in ("hits_of_all", "retrieved", "ranks"))
    one_class = hits.is_null() | (hits == 0) | (hits == retrieved)
    auc = (hits * retrieved - ranks - hits * (hits - 1) / 2) / (hits * (retrieved - hits))
    return frames.values(sums, whole_auc=pl.when(one_class).then(0.5).otherwise(auc))


def _by_user_frames(frames: _Frames, whole: bool) -> pl.LazyFrame:
    from rankdcg_sql import polars as rk

    columns = {"user": "userid", "item": "itemid"}
    ks = [K, None] if whole else K
    found = rk.evaluate_frames(frames.truth, frames.rec, ks, **columns, precision_denominator="k")
    if not whole:
        return found
    # The rows of a user follow one another, in the order of k.
    return found.with_columns(whole_auc=pl.col("auc").shift(-1)).filter(pl.col("k") == K)


def _rank_metrics(frames: _Frames, whole: bool) -> pl.LazyFrame:
    from rankdcg_sql import polars as rk

    items = pl.col("itemid").sort_by("score", descending=True)
    rec = frames.rec.group_by("userid").agg(items=items if whole else items.head(K))
    lists = frames.truth.group_by("userid").agg(relevant="itemid").join(rec, on="userid", how="left")
    if not whole:
        at = rk.rank_metrics("items", "relevant", k=K, precision_denominator="k")
        return lists.select("userid", at=at).unnest("at")
    at = rk.rank_metrics_at("items", "relevant", _CUTS, precision_denominator="k")
    return _unnest_whole(lists.select("userid", at=at))


def _rank_metrics_agg(frames: _Frames, whole: bool) -> pl.LazyFrame:
    from rankdcg_sql import polars as rk

    truth = frames.truth.with_columns(rel=pl.lit(1))
    groups = frames.rec.join(truth, on=frames.keys, how="full", coalesce=True).group_by("userid")
    if not whole:
        at = rk.rank_metrics_agg("score", "rel", k=K, precision_denominator="k")
        return groups.agg(at=at).unnest("at")
    return _unnest_whole(
        groups.agg(at=rk.rank_metrics_at_agg("score", "rel", _CUTS, precision_denominator="k"))
    )


def _unnest_whole(both: pl.LazyFrame) -> pl.LazyFrame:
    at = pl.col("at").list
    return both.select("userid", at=at.get(0), whole_auc=at.get(1).struct.field("auc")).unnest("at")


_WAYS: dict[str, Callable[[_Frames, bool], pl.LazyFrame]] = {
    "Polars: rank().over, join, lookup": _rank_over,
    "ours: Polars by_user, evaluate_frames": _by_user_frames,
    "ours: Polars, sort_by, rank_metrics": _rank_metrics,
    "ours: Polars, full join, rank_metrics_agg": _rank_metrics_agg,
}


def run(folder: Path, whole: bool, name: str) -> tuple[dict[str, float], dict[str, float]]:
    """Run a contender; return its cost, and the means of its metrics."""
    frames = _Frames(folder)
    if name.startswith("ours: "):
        import rankdcg_sql.polars  # noqa: F401
    cost, per_user = timed(lambda: _WAYS[name](frames, whole).collect(engine="streaming"))
    metrics = [*METRICS, "whole_auc"] if whole else METRICS
    return cost, {"users": len(per_user), **per_user.select(metrics).mean().row(0, named=True)}
