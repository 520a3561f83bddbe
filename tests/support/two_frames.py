"""Rows of recommendations and judgements as frames of Polars."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

#: The columns of the rows, and how the functions of two frames find them.
SCHEMA = {"user": pl.Int64, "item": pl.Int64, "score": pl.Float64, "rel": pl.Float64}
KEYS: dict[str, Any] = {"user": "user", "item": "item", "rel": "rel"}


def dirty(rows: int, users: int | None = None) -> pl.DataFrame:
    """Rows with ties, repeats and NULLs in all columns. An item has one relevance for each user."""
    rng = np.random.default_rng(0)
    columns = {
        "user": rng.integers(0, users or max(1, rows // 30), rows),
        "item": rng.integers(0, 60, rows),
        "score": rng.integers(0, 40, rows) / 7,
    }
    frame = pl.DataFrame(columns, schema={name: SCHEMA[name] for name in columns})
    is_judged, nothing = (pl.Series(rng.random(rows) < share) for share in (0.3, 0.02))
    rel = (pl.col("item") % 4).cast(pl.Float64)
    return frame.with_columns(
        pl.when(pl.Series(rng.random(rows) > 0.02)).then("user"),
        score=pl.when(~is_judged & ~nothing).then("score"),
        rel=pl.when(is_judged & ~nothing).then(rel),
    ).with_columns(pl.when(pl.Series(rng.random(rows) > 0.02)).then("item"))


def apart(rows: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The judgements and the recommendations among rows."""
    is_rec = rows["rel"].is_null()
    return rows.filter(~is_rec).drop("score"), rows.filter(is_rec).drop("rel")


def cut(frame: pl.DataFrame, lengths: list[int]) -> pl.DataFrame:
    """The frame in chunks of these lengths, again and again."""
    parts, first = [], 0
    while first < frame.height:
        length = lengths[len(parts) % len(lengths)]
        parts.append(frame[first : first + length])
        first += length
    return pl.concat([frame[:0], *parts], rechunk=False)


def together(truth: pl.DataFrame, rec: pl.DataFrame) -> pl.DataFrame:
    """The rows of both frames, one after the other."""
    return pl.concat([rec, truth], how="diagonal")
