"""The similarities of two rankings: values of others, values of the reference on every engine, and rules."""

from __future__ import annotations

import math
import random
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats
from support import golden, reference
from support.engines import K_TYPES, Core, Engine, Sql, arrays, options_text
from support.rankings import FAMILIES, Types, pool
from support.sql import value

import rankdcg_sql
from rankdcg_sql import catalogue

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

NAMES = [*reference.SIMILARITIES]
#: Those of the order of common items.
OF_ORDER = ("spearman_rho", "tau_ap", "weighted_tau")
every = pytest.mark.parametrize("name", NAMES)

ABCD, CABE, AB, BA = [*"abcd"], [*"cabe"], [*"ab"], [*"ba"]
HALF, SHORTER, OF_K = {"p": 0.5}, {"overlap_denominator": "shorter"}, {"overlap_denominator": "k"}
#: A function, two lists, k, options, and the value by hand.
BY_HAND: list[tuple[str, Any, Any, int | None, dict[str, Any], float | None]] = [
    # The lists have 0, 1, 3 and 3 items in common down to ranks 1 to 4.
    ("rbo", ABCD, CABE, None, HALF, 1 / 2 / 4 + 3 / 3 / 8 + 3 / 4 / 16 + 3 / 4 / 16),
    ("rbo", ABCD, CABE, 2, HALF, 1 / 2 / 4 + 1 / 2 / 4),
    ("rbo", ABCD, CABE, None, HALF | {"rbo_unseen": "min"}, 3 * math.log(2) - 3 / 2 - 2 / 2 / 4),
    ("rbo", ABCD, CABE, None, HALF | {"rbo_unseen": "max"}, 1 / 2 / 4 + 3 / 3 / 8 + 3 / 4 / 16 + 5 / 5 / 16),
    ("rbo", ["a"], AB, None, HALF, 1.0),
    ("rbo", ["a"], BA, None, HALF, 1 / 2 / 4 + 1 / 2 / 4),
    ("rbo", [], AB, None, {}, 0.0),
    ("rbo", [], AB, None, {"rbo_unseen": "max"}, 1.0),
    ("jaccard_index", ABCD, CABE, None, {}, 3 / 5),
    ("jaccard_index", ABCD, CABE, 2, {}, 1 / 3),
    ("jaccard_index", AB, [], None, {}, 0.0),
    ("overlap", ABCD, CABE, 9, {}, 3 / 4),
    ("overlap", ABCD, CABE, 2, {}, 1 / 2),
    ("overlap", ABCD, AB, None, {}, 2 / 4),
    ("overlap", ABCD, AB, None, SHORTER, 1.0),
    ("overlap", ABCD, AB, 8, OF_K, 2 / 8),
    ("overlap", ABCD, AB, None, OF_K, 2 / 4),
    ("overlap", ABCD, [], None, {}, 0.0),
    ("overlap", ABCD, [], None, SHORTER, None),
    # The common items a, b and c have ranks 1, 2, 3 and 2, 3, 1 among one another.
    ("spearman_rho", ABCD, CABE, None, {}, 1 - 6 * (1 + 1 + 4) / 24),
    ("tau_ap", ABCD, CABE, None, {}, 2 / 2 * (1 / 1 + 0 / 2) - 1),
    ("tau_ap", CABE, ABCD, None, {}, 2 / 2 * (0 / 1 + 1 / 2) - 1),
    # c is in another order with a and with b. Pairs ab, ac, bc have weights 3/2, 4/3, 5/6 and 5/6, 3/2, 4/3.
    ("weighted_tau", ABCD, CABE, None, {}, ((9 - 8 - 5) / 22 + (5 - 9 - 8) / 22) / 2),
    *((name, ABCD, CABE, 2, {}, None) for name in OF_ORDER),
    # A repeat takes no place, and a NULL takes one.
    ("overlap", [*"aab"], AB, 2, {}, 1.0),
    ("jaccard_index", [None, "a"], [None, "a"], None, {}, 1 / 3),
    ("rbo", [None, "a"], [None, "a"], None, HALF, 1 / 2 / 4 + 1 / 2 / 4),
    *((name, *lists, None, {}, None) for name in NAMES for lists in ([[], []], [None, AB], [AB, None])),
]  # fmt: skip


@pytest.mark.parametrize(("name", "a", "b", "k", "options", "expected"), BY_HAND)
def test_values_by_hand(
    engine: Engine, name: str, a: Any, b: Any, k: int | None, options: dict[str, Any], expected: float | None
) -> None:
    near = None if expected is None else pytest.approx(expected, abs=1e-12)
    assert engine.one(name, "ids", (a, b), k, **options) == near
    assert reference.similarity(name, a, b, k, **options) == near


#: Scores, and others of the same items, from the tests of the R package ircor, with the values of tauAP.
#: The second scores rank the items, and the first ones say which order is right.
IRCOR: list[tuple[list[int], list[int], float]] = [
    (
        [897, 372, 908, 898, 661, 62, 177, 384, 498, 992],
        [820, 406, 817, 953, 673, 73, 364, 547, 589, 988],
        0.8519,
    ),
    (
        [266, 573, 202, 945, 629, 206, 687, 770, 718, 380],
        [263, 843, 728, 928, 80, 114, 467, 641, 973, 644],
        0.2504,
    ),
    (
        [185, 573, 944, 129, 468, 553, 761, 405, 976, 445],
        [845, 272, 275, 924, 605, 334, 162, 872, 18, 250],
        -0.6971,
    ),
]


@pytest.mark.parametrize(("scores", "others", "expected"), IRCOR)
def test_tau_ap_of_ircor(scores: list[int], others: list[int], expected: float) -> None:
    truth, ranked = (sorted(range(10), key=lambda item: -of[item]) for of in (scores, others))
    assert rankdcg_sql.tau_ap(ranked, truth) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("size", [2, 3, 10, 100, 2049])
def test_scipy(size: int) -> None:
    """SciPy reads the ranks of the same items. The first item has the largest number there."""
    chance = np.random.default_rng(size)
    for _ in range(20):
        ranks = chance.permutation(size)
        a, b = range(size), np.argsort(ranks)
        weighted = stats.weightedtau(-np.arange(size), -ranks).statistic
        assert rankdcg_sql.weighted_tau(a, b) == pytest.approx(weighted, abs=1e-12)
        rho = stats.spearmanr(np.arange(size), ranks).statistic
        assert rankdcg_sql.spearman_rho(a, b) == pytest.approx(rho, abs=1e-12)


def test_similarities_of_values_have_a_golden_case() -> None:
    assert {case.function for case in golden.CASES.values()} >= {*NAMES} - {"overlap"}


# Random rankings


def drawn_options(chance: random.Random, name: str) -> dict[str, Any]:
    """Options of a similarity."""
    values = {
        "p": [0.5, 0.9, 0.01],
        "rbo_unseen": ["extrapolate", "min", "max"],
        "overlap_denominator": ["longer", "shorter", "k"],
    }
    own = reference.SIMILARITIES[name][1]
    return {option: chance.choice(values[option]) for option in own if chance.random() < 0.7}


def drawn_list(chance: random.Random, items: int, longest: int = 9) -> list[int | None] | None:
    """A list of numbers of items, with repeats and NULLs, or a NULL list."""
    if chance.random() < 0.03:
        return None
    size = chance.randrange(longest)
    if chance.random() < 0.6 and size <= items:
        return list(chance.sample(range(items), size))
    return [chance.choice([None, *range(items)]) for _ in range(size)]


#: Two lists, k and options.
Call = tuple[tuple[Any, Any], "int | None", dict[str, Any]]


def drawn_calls(chance: random.Random, name: str, items: int, count: int) -> list[Call]:
    return [
        (
            (drawn_list(chance, items), drawn_list(chance, items)),
            chance.choice([None, 1, 2, 3, 5, 500]),
            drawn_options(chance, name),
        )
        for _ in range(count)
    ]


def check(engine: Engine, name: str, types: Types, calls: Sequence[Call]) -> None:
    """The values of rows with these arguments are those of the reference. Calls may repeat."""
    items = pool(types)
    written = [
        [each and [item if item is None else items[item] for item in each] for each in pair]
        for pair, *_ in calls
    ]
    kinds = FAMILIES[types.family][0]
    columns = arrays("ids", written, kinds[types.rec], kinds[types.truth], pa.float64(), pa.float64())
    ks = pa.array([k for _, k, _ in calls], K_TYPES["k"])
    texts = pa.array([options_text(options) for *_, options in calls], pa.string())
    found = engine.over(name, [*columns, ks, texts])
    distinct = {id(call): call for call in calls}
    expected = {
        place: reference.similarity(name, *pair, k, **options)
        for place, (pair, k, options) in distinct.items()
    }
    for call, result in zip(calls, found, strict=True):
        near = expected[id(call)]
        assert result == (None if near is None else pytest.approx(near, abs=1e-9)), call


@every
@pytest.mark.parametrize("family", FAMILIES)
def test_items_of_every_type(engine: Engine, name: str, family: str) -> None:
    chance = random.Random(f"{name} {family}")
    kinds = FAMILIES[family][0]
    for rec, truth in chance.sample([*product(kinds, kinds)], min(3, len(kinds) ** 2)):
        types = Types(family, rec, truth)
        check(engine, name, types, drawn_calls(chance, name, len(pool(types)), 60))


@every
@pytest.mark.parametrize("count", [0, 1, 2047, 2048, 2049])
def test_counts_of_rows_and_of_items(engine: Engine, name: str, count: int) -> None:
    """A vector of DuckDB has 2048 values."""
    chance = random.Random(count)
    few = drawn_calls(chance, name, 8, 40)
    check(engine, name, Types(), [chance.choice(few) for _ in range(count)])
    columns = [pa.array([each], pa.list_(pa.int64())) for each in long_lists(count)]
    expected = of_long_lists(name, count)
    near = None if expected is None else pytest.approx(expected, abs=1e-9)
    assert engine.over(name, columns) == [near]


def long_lists(count: int) -> list[list[int]]:
    chance = random.Random(count)
    return [chance.sample(range(count + 5), count) for _ in "ab"]


@cache
def of_long_lists(name: str, count: int) -> float | None:
    """The value of these lists by the reference, or in its place where it is too slow."""
    a, b = long_lists(count)
    places = {item: place for place, item in enumerate(b)}
    ranks = np.array([places[item] for item in a if item in places])
    if len(ranks) > 1 and name == "weighted_tau":
        return float(stats.weightedtau(-np.arange(len(ranks)), -ranks).statistic)
    if len(ranks) > 1 and name == "tau_ap":
        return float(2 * np.mean([np.mean(ranks[:i] < ranks[i]) for i in range(1, len(ranks))]) - 1)
    return reference.similarity(name, a, b)


@pytest.mark.parametrize(
    "types", ["UUID", "DECIMAL(20, 2)", "HUGEINT", "STRUCT(i INTEGER, t VARCHAR)", "INTEGER[][]"]
)
def test_types_of_duckdb(con: duckdb.DuckDBPyConnection, types: str) -> None:
    """Texts of these items are other items than the items, and their similarities are the same."""
    written = {
        "UUID": "('00000000-0000-0000-0000-00000000000' || i)::UUID",
        "STRUCT(i INTEGER, t VARCHAR)": "{'i': i, 't': 'x'}",
        "INTEGER[][]": "[[i], [NULL, i]]",
    }.get(types, f"(i * 1000000)::{types}")
    for name in NAMES:
        lists = [
            f"list_transform([{numbers}], lambda i: {written})" for numbers in ("1, 2, 3, 4", "3, 1, 2, 5")
        ]
        expected = reference.similarity(name, [1, 2, 3, 4], [3, 1, 2, 5])
        assert value(con, f"{name}({', '.join(lists)})") == pytest.approx(expected, abs=1e-12)
    assert value(con, f"jaccard_index([]::{types}[], [NULL])") == 0.0


def test_items_that_match_by_value(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        "CREATE OR REPLACE TEMP TABLE t AS SELECT [1, 2]::UTINYINT[] AS a, [1.00, 2.5]::DECIMAL(5, 2)[] AS b"
    )
    assert value(con, "(SELECT jaccard_index(a, b) FROM t)") == 1 / 3
    assert value(con, "jaccard_index(['x', 'y'], ['x']::ENUM('x')[])") == 1 / 2
    assert value(con, "jaccard_index([0.0::DOUBLE, 'nan'], ['-0.0'::FLOAT, 'nan'])") == 1.0


def random_pairs(count: int) -> list[list[list[int]]]:
    chance = random.Random(count)
    return [[chance.sample(range(12), chance.randrange(1, 13)) for _ in "ab"] for _ in range(count)]


def computed(name: str, pairs: Sequence[Sequence[Any]], k: int | None = None, text: str = "") -> list[Any]:
    columns = [pa.array([pair[side] for pair in pairs], pa.list_(pa.int64())) for side in (0, 1)]
    return Core().over(name, [*columns, pa.array([k], pa.int64()), pa.array([text])])


PAIRS = random_pairs(300)


@every
def test_rules_of_every_similarity(name: str) -> None:
    least = -1 if name in OF_ORDER else 0
    values = computed(name, PAIRS)
    assert len({*values}) > 20
    assert all(each is None or least <= each <= 1 for each in values)
    # The same ranking has similarity 1, the reverse order the least one.
    same, reverse = ([(a, a[::way]) for a, _ in PAIRS if len(a) > 1] for way in (1, -1))
    assert {*computed(name, same)} == {1.0}
    if name in OF_ORDER:
        assert {*computed(name, reverse)} == {-1.0}
    # Items have no values, and what is below k does not count.
    renamed = [[[7 * item - 30 for item in items] for items in pair] for pair in PAIRS]
    assert computed(name, renamed) == values
    for k in (1, 4):
        cut = [[items[:k] for items in pair] for pair in PAIRS]
        assert computed(name, cut) == computed(name, PAIRS, k)
    # Rankings can be exchanged, but those of tau_ap.
    exchanged = computed(name, [(b, a) for a, b in PAIRS])
    pairs = [(one, other) for one, other in zip(exchanged, values, strict=True) if one is not None]
    assert all(math.isclose(*pair, abs_tol=1e-12) for pair in pairs) == (name != "tau_ap")


@pytest.mark.parametrize("p", [1e-300, 1e-6, 0.5, 0.9, 0.999999, 1 - 2**-53])
def test_the_value_of_rbo_is_between_its_bounds(p: float) -> None:
    long = [[*range(5000)], [*range(0, 10_000, 2)]]
    bounds = [
        computed("rbo", [*PAIRS, long], None, f"p={p!r}, rbo_unseen={each}")
        for each in ("min", "extrapolate", "max")
    ]
    for least, here, most in zip(*bounds, strict=True):
        assert 0 <= least <= here + 1e-12
        assert here <= most + 1e-12 <= 1 + 1e-12


def test_all_together_are_those_of_each(engine: Engine) -> None:
    columns = [pa.array([pair[side] for pair in PAIRS], pa.list_(pa.int64())) for side in (0, 1)]
    columns.append(pa.array([6] * len(PAIRS), pa.int64()))
    text = "p=0.7, rbo_unseen=min, overlap_denominator=k"
    found = engine.over("rank_similarity", [*columns, pa.array([text] * len(PAIRS))])
    expected = {"k": [6] * len(PAIRS)}
    for name in NAMES:
        own = ", ".join(
            each for each in text.split(", ") if each.split("=")[0] in reference.SIMILARITIES[name][1]
        )
        expected[name] = engine.over(name, [*columns, pa.array([own] * len(PAIRS))])
    assert found == [dict(zip(expected, row, strict=True)) for row in zip(*expected.values(), strict=True)]
    nulls = [pa.array([None, [1]], pa.list_(pa.int64())), pa.array([[1], None], pa.list_(pa.int64()))]
    assert engine.over("rank_similarity", nulls) == [None, None]


def test_reasons_of_null() -> None:
    found = {name: catalogue.null_reason(catalogue.by_name()[name], {}) for name in NAMES}
    assert found == {
        name: f"without {'two common items' if name in OF_ORDER else 'an item in either list'}"
        for name in NAMES
    }
    of_shorter = catalogue.null_reason(catalogue.by_name()["overlap"], SHORTER)
    assert of_shorter == "without an item in either list, or with an empty list"


#: Wrong calls, and their sentences.
WRONG = {
    "rbo(1, [1])": "rbo: a must be a list, got integer",
    "rbo([1], MAP {1: 1})": "rbo: b must be a list, got map(integer, integer)",
    "rbo([1], ['a'])": "rbo: the items of a and b must be of one type, got integer and text",
    "rbo([1], [1], 0)": "rbo: k must be at least 1, got 0",
    "rbo([1], [1], 'p=1')": "rbo: p must be a number between 0 and 1, got '1'",
    "rbo([1], [1], 'rbo_unseen=ext')": "rbo: rbo_unseen must be extrapolate, min or max, got 'ext'",
    "overlap([1], [1], 'denominator=truth')": (
        "overlap: overlap_denominator must be longer, shorter or k, got 'truth'"
    ),
    "tau_ap([1], [1], 'p=0.5')": "tau_ap: unknown option 'p', the options here are none",
}


@pytest.mark.parametrize("call", WRONG)
def test_wrong_calls(con: duckdb.DuckDBPyConnection, call: str) -> None:
    with pytest.raises(Sql.error) as raised:
        value(con, call)
    assert WRONG[call] in str(raised.value)
