"""Ranking metrics as Polars expressions.

A function of lists takes one row per user. A function whose name ends in ``_agg`` aggregates the rows of a
group. These rows come from a full join of recommendations and judgements. Each of the two tables must have
one row per user and item, because a join multiplies rows that repeat a user and an item.

>>> import polars as pl
>>> import rankdcg_sql.polars as rk
>>> rec = pl.DataFrame({"user": [1, 1, 1, 2], "item": ["a", "b", "c", "a"], "score": [0.9, 0.8, 0.1, 0.5]})
>>> truth = pl.DataFrame({"user": [1, 1, 2], "item": ["a", "d", "b"], "rel": [2, 1, 1]})
>>> judged = rec.join(truth, on=["user", "item"], how="full", coalesce=True)
>>> metrics = rk.ndcg_agg("score", "rel", k=3), rk.recall_agg("score", "rel", k=3)
>>> judged.group_by("user").agg(metrics).sort("user").select(pl.all().round(6)).rows()
[(1, 0.826235, 0.5), (2, 0.0, 0.0)]

The same functions are methods of expressions: ``pl.col("rec").rank_eval.ndcg("truth", k=10)``.
"""

from __future__ import annotations

from rankdcg_sql.polars import _frames, _generated
from rankdcg_sql.polars._frames import evaluate_frames, explain_frames  # noqa: F401
from rankdcg_sql.polars._generated import *  # noqa: F403

__all__: list[str] = []
__all__ += [*_frames.__all__, *_generated.__all__]
