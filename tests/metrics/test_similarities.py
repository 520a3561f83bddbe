"""The similarities of two rankings: values of others, values of the reference on every engine, and rules."""

from __future__ import annotations

import math
import random
import re
from functools import cache
from itertools import chain, permutations, product
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


def of_groups(text: str) -> list[dict[str, Any]]:
    """The items of a text with their scores, such as ``a (b c) d``, where b and c have equal scores."""
    groups = re.findall(r"\w+|\([\w ]+\)", text)
    return [
        {"item": item, "score": -place}
        for place, group in enumerate(groups)
        for item in group.strip("()").split()
    ]


#: Two rankings with ties, the variant of RBO, and its extrapolated, least and largest value with p=0.8, by
#: the Python code of Corsi and Urbano (julian-urbano/sigir2024-rbo, commit 0338fd9).
CORSI_AND_URBANO: list[tuple[str, str, str, float, float, float]] = [
    ("a (b c) d e", "c a (b d e)", "w", 0.724622222, 0.585486279, 0.724622222),
    ("a (b c) d e", "c a (b d e)", "a", 0.714488889, 0.575352946, 0.714488889),
    ("a (b c) d e", "c a (b d e)", "b", 0.754527437, 0.615391494, 0.754527437),
    ("(a b) c d", "b (a e) c", "w", 0.730666667, 0.585745101, 0.833066667),
    ("(a b) c d", "b (a e) c", "a", 0.689333333, 0.544411768, 0.791733333),
    ("(a b) c d", "b (a e) c", "b", 0.749318754, 0.604397189, 0.851718754),
    ("a (b c) (d e f)", "(b a)", "w", 0.804053333, 0.49283338, 0.873406061),
    ("a (b c) (d e f)", "(b a)", "a", 0.741216, 0.464718956, 0.832010667),
    ("a (b c) (d e f)", "(b a)", "b", 0.850546658, 0.532021645, 0.905406774),
    ("(a b c d)", "(a b c d)", "w", 1.0, 0.806771246, 1.0),
    ("(a b c d)", "(a b c d)", "a", 0.738, 0.544771246, 0.738),
    ("(a b c d)", "(a b c d)", "b", 1.0, 0.806771246, 1.0),
    ("a (b c) d", "e f (a g) h (b i j)", "w", 0.203924236, 0.149853646, 0.362842275),
    ("a (b c) d", "e f (a g) h (b i j)", "a", 0.182344059, 0.128956569, 0.346563925),
    ("a (b c) d", "e f (a g) h (b i j)", "b", 0.18641811, 0.132516726, 0.352602245),
]


@pytest.mark.parametrize(("a", "b", "ties", "extrapolated", "least", "most"), CORSI_AND_URBANO)
def test_rbo_of_ties_by_its_authors(
    engine: Engine, a: str, b: str, ties: str, extrapolated: float, least: float, most: float
) -> None:
    kind = pa.list_(pa.struct({"item": pa.string(), "score": pa.int32()}))
    for unseen, expected in (("extrapolate", extrapolated), ("min", least), ("max", most)):
        for pair in ((a, b), (b, a)):
            columns = [pa.array([of_groups(text)], kind) for text in pair]
            text = f"p=0.8, rbo_ties={ties}, rbo_unseen={unseen}"
            found = engine.over("rbo", [*columns, pa.array([None], pa.int64()), pa.array([text])])
            assert found == [pytest.approx(expected, abs=1e-9)]


def test_two_lists_that_tie_at_the_cutoff_do_not_agree_by_the_order_of_items() -> None:
    """Each of three tied items has a share of 1/3 of depth 1, so that 3 / 9 items are in common there."""
    tied = of_groups("(a b c)")
    for ties, expected in {"a": 1 / 3, "b": 1.0, "w": 1.0}.items():
        assert rankdcg_sql.rbo(tied, tied, 1, rbo_ties=ties) == pytest.approx(expected, abs=1e-15)
    # As many items are in common down to any depth d, and the sum of 2^-d / d is ln 2.
    assert rankdcg_sql.rbo(tied, tied, 1, p=0.5, rbo_unseen="min") == pytest.approx(math.log(2) / 3)


def test_rbo_of_ties_by_hand() -> None:
    """The shares of a, b and c are 1, 1/2 and 1/2 at depth 2, where the other list has b and a."""
    a, b = of_groups("a (b c)"), of_groups("b a c")
    of_depth_2 = {"w": 2 * 2 / (3 + 2), "a": 1.5 / 2, "b": 1.5 / math.sqrt(1.5 * 2)}
    for ties, agreement in of_depth_2.items():
        expected = pytest.approx(agreement / 4 + 1 / 8 + 1 / 8)
        assert rankdcg_sql.rbo(a, b, p=0.5, rbo_ties=ties) == expected
        assert reference.similarity("rbo", a, b, p=0.5, rbo_ties=ties) == expected


@pytest.mark.parametrize("k", [None, 1, 2, 3, 4, 5])
@pytest.mark.parametrize("unseen", ["extrapolate", "min", "max"])
def test_rbo_a_is_the_mean_over_the_orders_of_tied_items(unseen: str, k: int | None) -> None:
    """A cutoff comes after the order. The largest value below a tie that it divides is at least the mean."""
    chance = random.Random(unseen)

    def orders(groups: list[list[str]]) -> list[list[str]]:
        return [[*chain(*order)] for order in product(*(permutations(group) for group in groups))]

    for _ in range(40):
        sizes = [chance.choice([[1, 2, 3], [3, 3], [2, 1, 2, 1], [4, 2]]) for _ in "ab"]
        groups = []
        for of_list in sizes:
            items = iter(chance.sample("abcdefgh", 6))
            groups.append([[next(items) for _ in range(size)] for size in of_list])
        options = {"p": 0.7, "rbo_unseen": unseen}
        each = [reference.similarity("rbo", *pair, k, **options) for pair in product(*map(orders, groups))]
        a, b = (of_groups(" ".join(f"({' '.join(group)})" for group in those)) for those in groups)
        found = rankdcg_sql.rbo(a, b, k, rbo_ties="a", **options)
        if unseen == "max" and k is not None:
            assert np.mean(each) - 1e-12 <= found <= 1
        else:
            assert found == pytest.approx(np.mean(each), abs=1e-12)


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
        "rbo_ties": ["w", "a", "b"],
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


@every
def test_scores_give_the_order_and_the_ties(engine: Engine, name: str) -> None:
    chance = random.Random(name)
    kind = pa.list_(pa.struct({"item": pa.int64(), "score": pa.float64()}))
    scores = [None, -0.0, 0.0, 1.0, 2.5, math.inf, -math.inf]
    calls = [
        (
            [
                each and [{"item": item, "score": chance.choice(scores)} for item in each]
                for each in (drawn_list(chance, 8), drawn_list(chance, 8))
            ],
            chance.choice([None, 1, 2, 4]),
            drawn_options(chance, name),
        )
        for _ in range(300)
    ]
    more = [pa.array([k for _, k, _ in calls], pa.int64())]
    more.append(pa.array([options_text(options) for *_, options in calls], pa.string()))
    sides = [[pair[side] for pair, *_ in calls] for side in (0, 1)]
    plain = [pair[1] and [each["item"] for each in pair[1]] for pair, *_ in calls]
    for other, column in (
        (sides[1], pa.array(sides[1], kind)),
        (plain, pa.array(plain, pa.list_(pa.int64()))),
    ):
        found = engine.over(name, [pa.array(sides[0], kind), column, *more])
        for result, one, two, (_, k, options) in zip(found, sides[0], other, calls, strict=True):
            expected = reference.similarity(name, one, two, k, **options)
            assert result == (None if expected is None else pytest.approx(expected, abs=1e-12))


def test_scores_are_compared_exactly(con: duckdb.DuckDBPyConnection) -> None:
    """2^53 and 2^53 + 1 are one number of floating point, and not one score."""
    for kind in ("BIGINT", "HUGEINT", "UBIGINT", "DECIMAL(20, 0)"):
        pairs = (("a", 2**53), ("b", 2**53 + 1))
        two = ", ".join(f"{{'item': '{item}', 'score': {score}::{kind}}}" for item, score in pairs)
        assert value(con, f"rbo([{two}], ['b', 'a'])") == 1.0
    tied = "[{'item': 'a', 'score': 1}, {'item': 'b', 'score': 1}]"
    assert value(con, f"rbo({tied}, ['b', 'a'], 'p=0.5')") == 0.5 / 2 + 1 / 4 + 1 / 4


def test_lists_of_many_ties_take_no_longer(con: duckdb.DuckDBPyConnection) -> None:
    """Each of 100,000 tied items has a share of 100,000 depths, which are not looked at one by one."""
    both = "SELECT list({{'item': i, 'score': {}}}) FROM range(100000) AS r(i)"
    one, other = (f"({both.format(score)})" for score in ("1", "-i"))
    assert 0 < value(con, f"rbo({one}, {other}, 'p=0.9999')") < 1
    assert value(con, f"rbo({one}, {one}, 'p=0.9999, rbo_ties=b')") == pytest.approx(1, abs=1e-12)


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
    "rbo([1], [1], 'rbo_ties=c')": "rbo: rbo_ties must be w, a or b, got 'c'",
    "rbo([{'item': 1, 'score': 'x'}], [1])": "rbo: the scores in a must be numbers, got the fields (item",
    "rbo([1], [{'item': 1, 'score': 'nan'::DOUBLE}])": "rbo: b must not be NaN, got NaN",
    "rbo([1], [{'item': 'a', 'score': 1}])": (
        "rbo: the items of a and b must be of one type, got integer and text"
    ),
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
