"""Measures of the items of one ranking, and of the exposures of all: values of others and the reference."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from support import golden, reference
from support.engines import Core, Engine
from support.rankings import FAMILIES
from support.sql import value

import rankdcg_sql

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = [*reference.ITEM_MEASURES]
every = pytest.mark.parametrize("name", NAMES)

#: A function, values, k, and the value by hand.
BY_HAND: list[tuple[str, Any, int | None, float | None]] = [
    ("average_popularity", [40.0, 10.0, 25.0], 2, 25.0),
    ("average_popularity", [40.0, None, 25.0], 2, 40.0),
    ("average_popularity", [1e308, 1.5e308], None, 1.25e308),
    ("average_popularity", [3, 4], 9, 3.5),
    ("novelty", [0.5, 0.125, 0.25], None, (1 + 3 + 2) / 3),
    ("novelty", [1.0, 1.0], None, 0.0),
    ("novelty", [5e-324], None, 1074.0),
    ("long_tail_share", [True, None, False, True], 3, 1 / 2),
    ("long_tail_share", [1, 0, 0], None, 1 / 3),
    # Two labels at three places, of which one has no item, and one no label.
    ("categorical_diversity", ["x", "x", "y"], None, 2 / 3),
    ("categorical_diversity", ["x", "x", "y"], 5, 2 / 5),
    ("categorical_diversity", ["x", None, "y"], 2, 1 / 2),
    ("categorical_diversity", [["x", "y", None], [], ["y", "z", "z"]], None, 3 / 3),
    ("intra_list_diversity", ["x", "x", "y"], None, 2 / 3),
    ("intra_list_diversity", ["x", None, "y", "x"], 3, 1.0),
    ("intra_list_diversity", [["x", "y"], ["y"], ["z", None], []], None, (1 / 2 + 1 + 1) / 3),
    ("intra_list_diversity", [["x", "x", "y"], ["y", "x"]], None, 0.0),
    # The cosines of the angles are 0, -1 and 0.
    ("intra_list_diversity", [[0.0, 2.0], [3.0, 0.0], [0.0, -1.0]], None, (1 + 2 + 1) / 3),
    ("intra_list_diversity", [[0.0, 2.0], None, [0.0, 0.0], [1.0, 1.0]], None, 1 - math.sqrt(0.5)),
    ("intra_list_diversity", [[1e300, 0.0], [1e-300, 1e-300]], None, 1 - math.sqrt(0.5)),
    ("intra_list_diversity", [[0.1, 0.7]] * 3, None, 0.0),
    ("intra_list_diversity", [[1.0, 2.0], [0.0, 0.0]], None, None),
    ("intra_list_diversity", ["x", "y"], 1, None),
    *((name, values, None, None) for name in NAMES for values in (None, [], [None], [None, None])),
]  # fmt: skip


@pytest.mark.parametrize(("name", "values", "k", "expected"), BY_HAND)
def test_values_by_hand(
    engine: Engine, name: str, values: Any, k: int | None, expected: float | None
) -> None:
    given = [pa.array([values])] + ([pa.array([k], pa.int64())] if k else [])
    near = None if expected is None else pytest.approx(expected, abs=1e-12)
    assert engine.over(name, given) == [near]


@pytest.mark.parametrize("case", golden.ITEMS, ids=lambda case: case.id)
def test_golden_cases(engine: Engine, case: golden.Case) -> None:
    (values,) = case.args[1:]
    given = [pa.array([values])] + ([pa.array([case.k], pa.int64())] if case.k else [])
    assert engine.over(case.function, given) == [pytest.approx(case.expected, abs=1e-12)]


def test_every_measure_has_a_golden_case() -> None:
    assert {case.function for case in golden.ITEMS} == {*NAMES}
    assert {field for case in golden.EXPOSURES for field in case.expected} == {"gini", "entropy"}


# Random lists


def drawn_vectors(chance: random.Random, size: int) -> list[Any]:
    length = chance.randrange(1, 5)
    return [
        chance.choice([None, (0.0,) * length, *(tuple(chance.gauss(0, 1) for _ in range(length)),) * 9])
        for _ in range(size)
    ]


def drawn(chance: random.Random, name: str, way: str) -> list[Any] | None:
    """A list of values of one kind: numbers, labels, lists of labels, or vectors."""
    if chance.random() < 0.03:
        return None
    size = chance.randrange(9)
    if way == "vectors":
        return drawn_vectors(chance, size)
    if way == "sets":
        return [
            chance.choice([None, chance.choices([None, *range(6)], k=chance.randrange(4))])
            for _ in range(size)
        ]
    of_one: dict[str, Any] = {
        "average_popularity": lambda: chance.choice([0.0, 7.0, chance.uniform(-9, 9e9)]),
        "novelty": lambda: chance.choice([1.0, chance.uniform(1e-9, 1)]),
        "long_tail_share": lambda: chance.random() < 0.5,
    }
    one = of_one.get(name, lambda: chance.randrange(5))
    return [None if chance.random() < 0.2 else one() for _ in range(size)]


TYPES = {
    "average_popularity": pa.float64(), "novelty": pa.float64(), "long_tail_share": pa.bool_(),
    "sets": pa.list_(pa.int32()), "vectors": pa.list_(pa.float64()),
}  # fmt: skip
WAYS = [(name, "one") for name in NAMES] + [
    ("categorical_diversity", "sets"), ("intra_list_diversity", "sets"), ("intra_list_diversity", "vectors"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "way"), WAYS)
@pytest.mark.parametrize("count", [0, 1, 2049])
def test_random_lists(engine: Engine, name: str, way: str, count: int) -> None:
    """A vector of DuckDB has 2048 values."""
    chance = random.Random(f"{name} {way} {count}")
    rows = [(drawn(chance, name, way), chance.choice([None, 1, 2, 3, 5, 500])) for _ in range(count)]
    kind = TYPES.get(name if way == "one" else way, pa.int64())
    found = engine.over(
        name,
        [
            pa.array([values for values, _ in rows], pa.list_(kind)),
            pa.array([k for _, k in rows], pa.int64()),
            pa.array([None] * count, pa.string()),
        ],
    )
    for (values, k), result in zip(rows, found, strict=True):
        expected = reference.item_measure(name, values, k)
        assert result == (None if expected is None else pytest.approx(expected, rel=1e-9, abs=1e-9)), (
            values,
            k,
        )


@pytest.mark.parametrize("family", [family for family in FAMILIES if family != "lists"])
@pytest.mark.parametrize("name", ["categorical_diversity", "intra_list_diversity"])
def test_labels_of_every_type(engine: Engine, name: str, family: str) -> None:
    chance = random.Random(family)
    kinds, items = FAMILIES[family]
    for kind in kinds.values():
        # Not every type holds every item of its family.
        pool = [item for item in items if holds(kind, item)]
        rows = [drawn(chance, name, "one") for _ in range(40)]
        numbers = [row and [each if each is None else each % len(pool) for each in row] for row in rows]
        written = [row and [each if each is None else pool[each] for each in row] for row in numbers]
        found = engine.over(name, [pa.array(written, pa.list_(kind))])
        expected = [reference.item_measure(name, row) for row in numbers]
        assert found == [None if each is None else pytest.approx(each, abs=1e-9) for each in expected]


def holds(kind: pa.DataType, item: Any) -> bool:
    try:
        pa.array([item], kind)
    except (pa.ArrowException, OverflowError):
        return False
    return True


@pytest.mark.parametrize("kind", ["FLOAT[3]", "DECIMAL(4, 2)[]", "FLOAT[]"])
def test_vectors_of_duckdb(con: duckdb.DuckDBPyConnection, kind: str) -> None:
    vectors = [(0.5, 1.25, -2.0), (1.5, 0.0, 3.0), (0.25, 0.25, 0.5)]
    written = ", ".join(f"{[*vector]}::{kind}" for vector in vectors)
    expected = reference.item_measure("intra_list_diversity", vectors)
    assert value(con, f"intra_list_diversity([{written}])") == pytest.approx(expected, abs=1e-7)
    assert value(con, "intra_list_diversity([[1, 2], [2, 3]])") == pytest.approx(2 / 3)


def test_long_lists() -> None:
    """Equal sets of labels are compared once. Too many distinct ones are refused."""
    few = np.arange(300_000) % 7
    found = rankdcg_sql.intra_list_diversity(few.tolist())
    assert found == pytest.approx(
        1 - (np.bincount(few) * (np.bincount(few) - 1)).sum() / (len(few) * (len(few) - 1))
    )
    assert rankdcg_sql.intra_list_diversity(range(10_000)) == 1.0
    with pytest.raises(ValueError, match=r"k must be smaller if a list has 10001 distinct sets of labels"):
        rankdcg_sql.intra_list_diversity(range(10_001))
    vectors = np.random.default_rng(1).normal(size=(50_000, 3))
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    square, n = (units.sum(axis=0) ** 2).sum(), len(units)
    expected = 1 - (square - n) / (n * (n - 1))
    assert rankdcg_sql.intra_list_diversity(vectors.tolist()) == pytest.approx(expected, abs=1e-9)


WRONG = [
    ("average_popularity([1, 'nan'::DOUBLE])", "values must hold finite numbers, got NaN"),
    ("average_popularity([1, 'inf'::DOUBLE])", "values must hold finite numbers, got inf"),
    ("average_popularity(['a'])", "values must be a list of finite numbers, got list of text"),
    ("average_popularity(3)", "values must be a list, got integer"),
    ("novelty([0.5, 0])", "values must hold shares above 0 and at most 1, got 0"),
    ("novelty([0.5, 1.5])", "values must hold shares above 0 and at most 1, got 1.5"),
    ("novelty([-0.5])", "values must hold shares above 0 and at most 1, got -0.5"),
    ("novelty(['nan'::DOUBLE])", "values must hold shares above 0 and at most 1, got NaN"),
    ("novelty([true])", "values must be a list of shares above 0 and at most 1, got list of boolean"),
    ("long_tail_share([0, 0.5])", "values must hold booleans, or zeros and ones, got 0.5"),
    ("categorical_diversity([[0.2, 0.8]])", "values must be a list of labels, or of lists of them, got list"),
    ("long_tail_share(['x'])", "values must be a list of booleans, or zeros and ones, got list of text"),
    ("categorical_diversity('x')", "values must be a list, got text"),
    ("intra_list_diversity([[1.5], [1.5, 2]])", "values must hold vectors of equal length, got 1 and 2"),
    ("intra_list_diversity([[1.5, NULL]])", "values must hold vectors of finite numbers, got NULL"),
    ("intra_list_diversity([[1.5, 'inf'::DOUBLE]])", "values must hold vectors of finite numbers, got inf"),
    *((f"{name}([1], 0)", "k must be at least 1, got 0") for name in NAMES),
    *((f"{name}([1], 1, 'ties=average')", "unknown option 'ties'") for name in NAMES),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), WRONG)
def test_errors_name_the_function_the_argument_and_the_value(
    con: duckdb.DuckDBPyConnection, call: str, message: str
) -> None:
    with pytest.raises(duckdb.Error, match="(?s)" + call.partition("(")[0]) as error:
        value(con, call)
    assert message in str(error.value)


# The exposures of all items


def concentration(
    aggregating: duckdb.DuckDBPyConnection, exposures: Sequence[float | None]
) -> dict[str, Any]:
    query = "SELECT concentration(x) FROM (SELECT unnest($1::VARCHAR[])::DOUBLE AS x)"
    texts = [None if each is None else str(each) for each in exposures]
    ((found,),) = aggregating.execute(query, [texts]).fetchall()
    return found  # type: ignore[no-any-return]


@pytest.mark.parametrize("case", golden.EXPOSURES, ids=lambda case: case.id)
def test_golden_exposures(aggregating: duckdb.DuckDBPyConnection, case: golden.Case) -> None:
    found = concentration(aggregating, case.args[1])
    assert {field: found[field] for field in case.expected} == pytest.approx(case.expected, abs=1e-12)


@pytest.mark.parametrize("size", [1, 2, 3, 50, 700])
def test_concentration_of_random_exposures(aggregating: duckdb.DuckDBPyConnection, size: int) -> None:
    chance = random.Random(size)
    for draw in (lambda: chance.randrange(4), lambda: chance.expovariate(1), lambda: 0, lambda: 1e300):
        exposures = [draw() for _ in range(size)]
        expected = {"n": size, **reference.concentration(exposures)}
        found = concentration(aggregating, [*exposures, None])
        assert found == {
            name: None if each is None else pytest.approx(each, rel=1e-9, abs=1e-12)
            for name, each in expected.items()
        }


def test_exposures_are_not_negative(aggregating: duckdb.DuckDBPyConnection) -> None:
    assert concentration(aggregating, [None]) == {"n": 0, "mean": None, "gini": None, "entropy": None}
    for wrong, text in ((-1, "0 or more, got -1"), (math.inf, "finite, got inf")):
        with pytest.raises(duckdb.Error, match=f"concentration: x must be {text}"):
            concentration(aggregating, [2, wrong])


@every
def test_numbers_of_python(name: str) -> None:
    expected = Core().over(name, [pa.array([[1, 1]])])
    assert [getattr(rankdcg_sql, name)(values) for values in ([1, 1], np.array([1, 1]))] == expected * 2
