"""Calls of functions on Spark: many of them in one job, because a job takes longer than what it computes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Call:
    """A call of a function on rows: an array for each argument."""

    function: str
    columns: Sequence[pa.Array]


def evaluate(spark: SparkSession, calls: Sequence[Call]) -> list[list[Any]]:
    """The values of each call."""
    rows = max(len(call.columns[0]) for call in calls)
    arrays, texts = [pa.array(range(rows))], []
    for call in calls:
        # The last row is repeated, so that all calls have as many rows.
        taken = [min(place, len(call.columns[0]) - 1) for place in range(rows)]
        names = [f"c{len(arrays) + place}" for place in range(len(call.columns))]
        arrays += [column.take(pa.array(taken)) for column in call.columns]
        texts.append(f"{call.function}({', '.join(names)})")
    table = pa.table(arrays, [f"c{place}" for place in range(len(arrays))])
    found = spark.createDataFrame(table).selectExpr("c0", *texts).toArrow().sort_by("c0")
    values = [column.to_pylist() for column in found.columns[1:]]
    return [each[: len(call.columns[0])] for each, call in zip(values, calls, strict=True)]


def rows(spark: SparkSession, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query, with structs as dictionaries."""
    found = spark.sql(query).toArrow()
    return list(zip(*(column.to_pylist() for column in found.columns), strict=True))


def sentence(error: Exception) -> str:
    """The last line of a Python error that Spark passes on, without the name of the class."""
    lines = [line for line in str(error).splitlines() if "Error: " in line]
    return lines[-1].partition(": ")[2]
