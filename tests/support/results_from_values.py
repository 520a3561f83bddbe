"""Results of evaluations and comparisons that are made of the values of users, without rankings."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import rankdcg_sql
from rankdcg_sql import Comparison, Counts, Evaluation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: The counts of these results, which requirements do not read.
COUNTS = Counts(**{each.name: {} if each.type.startswith("dict") else 0 for each in fields(Counts)})
MEASURE = "ndcg@10"
_TRUTH = {"userid": [1], "itemid": [1]}
_REC = {"userid": [1], "itemid": [1], "score": [1.0]}


def of_values(
    values: Sequence[float | None] | pa.Array,
    by: Mapping[str, Sequence[Any]] | None = None,
    confidence: float = 0.95,
) -> Evaluation:
    """An evaluation in which users have these values of NDCG at 10, and are in these segments."""
    return replace(
        _empty(confidence),
        counts=COUNTS,
        by=tuple(by or {}),
        table=pa.table(
            {
                "userid": pa.array(range(len(values)), pa.int64()),
                **(by or {}),
                "retrieved": pa.array([10] * len(values), pa.int64()),
                MEASURE: pa.array(values, pa.float64()),
            }
        ),
        is_ordered=True,
    )


def between(
    systems: Mapping[str, Sequence[float | None]],
    by: Mapping[str, Sequence[Any]] | None = None,
    confidence: float = 0.95,
    **arguments: Any,
) -> Comparison:
    """A comparison of systems in which users have these values; `arguments` are those of `compare`."""
    compared = rankdcg_sql.compare(
        _TRUTH, dict.fromkeys(systems, _REC), k=10, metrics="ndcg", confidence=confidence, **arguments
    )
    evaluations = {name: of_values(values, by, confidence) for name, values in systems.items()}
    return replace(compared, evaluations=evaluations)


@cache
def _empty(confidence: float) -> Evaluation:
    return rankdcg_sql.evaluate(_TRUTH, _REC, k=10, metrics="ndcg", confidence=confidence)
