"""Results of evaluations and comparisons that are made of the values of users, without rankings."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import rankdcg_sql
from rankdcg_sql import Comparison, Counts, Evaluation
from rankdcg_sql.evaluation._results.judge_corrected import JudgeCorrected

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


def corrected(
    systems: tuple[str, ...] = ("old", "new"), by: str | None = None, **arguments: Any
) -> JudgeCorrected:
    """Means by a judge of 200 users who prefers the last system, corrected by people for 50 of them."""
    chance = random.Random(9)
    people = {name: [chance.random() for _ in range(200)] for name in systems}
    judge = {
        name: [(value + chance.random() + (name == systems[-1])) / 3 for value in values]
        for name, values in people.items()
    }
    results: list[Any] = []
    for values, users in ((people, 50), (judge, 200)):
        first = {name: of_system[:users] for name, of_system in values.items()}
        segments = {by: ["a", "b"] * (users // 2)} if by else None
        alone = of_values(first[systems[0]], segments)
        results.append(alone if len(systems) == 1 else between(first, segments, **arguments))
    return rankdcg_sql.judge_corrected(*results)


@cache
def _empty(confidence: float) -> Evaluation:
    return rankdcg_sql.evaluate(_TRUTH, _REC, k=10, metrics="ndcg", confidence=confidence)
