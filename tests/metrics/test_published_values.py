"""Numbers that are printed in the documents that the package follows, on every engine.

The documents: Apache Hivemall's page "Ranking Problems"; Katerenchuk and Rosenberg's paper on rankDCG; a page
on NDCG and its implementations; a page on ranking metrics; Wikipedia's article on discounted cumulative gain.
More of their numbers are golden cases.
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, Any

import pytest
from support.engines import Engine, Row, agreed

if TYPE_CHECKING:
    from collections.abc import Sequence


FIVE = [1, 2, 3, 4, 5]
#: A function, the ranked and the relevant items, and the values at each k: numbers, or as they are printed.
BINARY: list[tuple[str, list[int], list[int], dict[int | None, float | str]]] = [
    # Hivemall's page
    ("average_precision", [1, 3, 2, 6, 4, 5], [1, 2, 4], {None: "0.756"}),
    ("average_precision", [1, 3, 2, 4, 6, 5], [1, 2, 4], {None: "0.806"}),
    ("idcg", [1, 3], [1, 2, 4], {2: "1.631"}),
    ("dcg", [1, 3], [1, 2, 4], {2: 1.0}),
    # The page on ranking metrics
    ("precision", FIVE, [1, 3, 5], {1: 1, 2: 1 / 2, 3: 2 / 3, 4: 2 / 4, 5: 3 / 5}),
    ("recall", FIVE, [1, 3, 5], {1: 1 / 3, 2: 1 / 3, 3: 2 / 3, 4: 2 / 3, 5: 1}),
    ("f1", FIVE, [1, 3, 5], {1: 1 / 2, 2: 2 / 5, 3: 2 / 3, 4: 4 / 7, 5: 3 / 4}),
    ("mrr", FIVE, [1, 3, 5], {None: 1.0}),
    ("mrr", FIVE, [5], {None: 0.2}),
    ("mrr", FIVE, [6], {None: 0.0}),
    ("average_precision", FIVE, [1, 3, 5], {None: (1 + 2 / 3 + 3 / 5) / 3}),
    # The models A and B of the page differ only in the order.
    ("average_precision", FIVE, [1, 2, 3], {None: 1.0}),
    ("precision", FIVE, [1, 2, 3], {5: 0.6}),
    ("precision", FIVE, [3, 4, 5], {5: 0.6}),
]
LINEAR = {"gain": "linear"}
#: A function, its options, relevances in ranked order, and the values at each k.
GRADED: list[tuple[str, dict[str, Any], list[int], dict[int | None, float | str]]] = [
    # Hivemall's page
    ("ndcg", {}, [5, 2, 4, 1, 3], {2: 0.8128912838590544, 3: 0.9187707805346093}),
    # Table 1 of the paper on rankDCG, which cuts digits off
    ("ndcg", LINEAR, [9, 4, 4, 2, 2, 2, 1, 1, 1, 1], {None: "1.000"}),
    ("ndcg", LINEAR, [9, 4, 4, 2, 2, 1, 2, 1, 1, 1], {None: "0.998"}),
    ("ndcg", LINEAR, [4, 4, 2, 9, 2, 2, 1, 1, 1, 1], {None: "0.825"}),
    ("ndcg", LINEAR, [1, 4, 4, 2, 2, 2, 9, 1, 1, 1], {None: "0.688"}),
    ("ndcg", LINEAR, [1, 4, 4, 2, 2, 2, 1, 1, 1, 9], {None: "0.667"}),
    ("ndcg", LINEAR, [1, 1, 1, 1, 2, 2, 2, 4, 4, 9], {None: "0.571"}),
    # The page on NDCG, whose logarithm may have any base
    *(
        ("ndcg", options, rels, {5: value})
        for options in ({}, {"gain": [0, 1, 3, 7, 15], "discount": "ln"})
        for rels, value in (
            ([3, 1, 2, 0, 2], 0.950849602851865),
            ([0, 1, 2, 2, 3], 0.5664478625498256),
            ([3, 2, 2, 1, 0], 1.0),
        )
    ),
    # The page on ranking metrics, which cuts terms off after the fourth digit, and then adds them
    ("cg", {}, [3, 2, 3, 0, 1], {1: 3, 2: 5, 3: 8, 4: 8, 5: 9}),
    ("dcg", LINEAR, [3, 2, 3, 0, 1], {1: 3, 2: "4.2618", 3: "5.7618", 4: "5.7618", 5: "6.1486"}),
    ("idcg", LINEAR, [3, 2, 3, 0, 1], {1: 3, 2: "4.8927", 3: "5.8927", 4: "6.3233", 5: "6.3233"}),
    ("ndcg", LINEAR, [3, 2, 3, 0, 1], {1: 1, 2: "0.8710", 3: "0.9777", 4: "0.9112", 5: "0.9723"}),
]


def close(value: float | str, units: float = 0.5) -> Any:
    """A value within rounding. The last digit of a printed fraction may be off by `units`."""
    digits = len(value.partition(".")[2]) if isinstance(value, str) else 0
    return pytest.approx(float(value), rel=0, abs=(units * 10**-digits if digits else 0) + 1e-12)


@pytest.mark.parametrize(("function", "rec", "truth", "values"), BINARY)
def test_binary(engine: Engine, function: str, rec: list[int], truth: list[int], values: dict[Any, Any]):
    judged = dict.fromkeys(truth, 1)
    for k, value in values.items():
        assert agreed(engine, function, "ids", (rec, truth), k) == close(value)
        assert agreed(engine, function, "graded", (rec, judged), k) == close(value)


def graded(
    engine: Engine,
    form: str,
    function: str,
    rels: Sequence[int],
    k: int | None,
    missed: Sequence[int] = (),
    **options: Any,
) -> float | None:
    """The value for relevances in ranked order, and the relevances of items that were not retrieved."""
    if form == "rels":
        return engine.one(f"{function}_rels", "rels", (rels,), k, **options)
    if form == "lists":
        return engine.one(function, "lists", (rels, sorted([*rels, *missed])), k, **options)
    judged = {f"d{place}": rel for place, rel in enumerate([*missed, *rels])}
    return agreed(engine, function, form, (list(judged)[len(missed) :], judged), k, **options)


@pytest.mark.parametrize("form", ["rels", "lists", "graded"])
@pytest.mark.parametrize(("function", "options", "rels", "values"), GRADED)
def test_graded(
    engine: Engine, form: str, function: str, options: dict[str, Any], rels: list[int], values: dict[Any, Any]
):
    units = 1 if None in values else 2
    for k, value in values.items():
        assert graded(engine, form, function, rels, k, **options) == close(value, units)


@pytest.mark.parametrize("form", ["lists", "graded"])
@pytest.mark.parametrize(
    ("function", "text"), [("cg", "11"), ("dcg", "6.861"), ("idcg", "8.740"), ("ndcg", "0.785")]
)
def test_wikipedia_example(engine: Engine, form: str, function: str, text: str):
    options = {} if function == "cg" else LINEAR
    value = graded(engine, form, function, [3, 2, 3, 0, 1, 2], 6, missed=[3, 2], **options)
    assert value == close(text)


RELS_BY_USER = [[3, 1, 2, 0, 2], [0, 1, 2], [0, 0]]
#: The first form on the page on NDCG: the sum of DCG over the sum of ideal DCG.
POOLED = ((7 + 1 / log2(3) + 3 / 2 + 3 / log2(6)) + (1 / log2(3) + 3 / 2)) / (
    (7 + 3 / log2(3) + 3 / 2 + 1 / log2(5)) + (3 + 1 / log2(3))
)
#: The second form on the page, as in its code: the mean over the users who have a relevant item.
PER_USER = 0.7688661371437924


def test_ndcg_page_dataset(engine: Engine):
    rows = [Row((rels,), 5) for rels in RELS_BY_USER]
    by_name = {name: engine.many(name, "rels", rows) for name in ("dcg_rels", "idcg_rels", "ndcg_rels")}
    assert [values.pop() for values in by_name.values()] == [None, None, None]
    dcg, idcg, ndcg = map(sum, by_name.values())
    assert dcg / idcg == close(POOLED)
    assert ndcg / 2 == close(PER_USER)
