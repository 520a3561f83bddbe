"""Calls of Polars' functions: what they need, and the same values by the core."""

from __future__ import annotations

import ctypes
import random
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from rankdcg_sql import Function, extension_path
from support.engines import Core

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl

_ARROW = {
    **dict.fromkeys(["rec", "truth"], pa.list_(pa.int64())),
    **dict.fromkeys(["scores", "rels"], pa.list_(pa.float64())),
    "k": pa.int64(),
    "ks": pa.list_(pa.int64()),
}


def by_core(function: str, frame: pl.DataFrame, *columns: str) -> list[Any]:
    """The value of every row by the C function for Python, which does not use Polars."""
    return Core().over(function, [pa.array(frame[name].to_list(), _ARROW[name]) for name in columns])


def calls() -> int:
    """How often Polars has called the library."""
    count = ctypes.CDLL(extension_path()).rankdcg_polars_calls
    count.restype = ctypes.c_uint64
    return int(count())


#: Measures of items that need no property.
MEASURES = "coverage@1, personalisation"


def cuts(function: Function) -> list[Any]:
    """The argument with cutoffs or measures, if the function takes one."""
    values: dict[str | None, list[Any]] = {"ks": [[1, 3]], "k": [3], "measures": [MEASURES]}
    return values.get(function.cut, [])


def needed(function: Function) -> dict[str, Any]:
    """The options that a function needs, or without which rows of groups and lists give different values."""
    given = {"max_rel": 4} | ({"unjudged": "skip"} if function.base == "rankdcg" else {})
    # An explanation takes the options of its metric alone, and NDCG needs none.
    taken = () if function.output == "explanation" else function.options
    return {name: value for name, value in given.items() if name in taken}


def shuffled(of: Iterable[Any], seed: int = 0) -> list[Any]:
    mixed = list(of)
    random.Random(seed).shuffle(mixed)
    return mixed
