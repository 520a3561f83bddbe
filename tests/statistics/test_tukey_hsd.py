"""The randomised Tukey HSD on every engine: all permutations, SciPy's studentized range, and wrong input."""

from __future__ import annotations

import math
import re
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from support import reference
from support.engines import Core, Engine

import rankdcg_sql

if TYPE_CHECKING:
    import duckdb

NAME = "tukey_hsd"
VALUES = st.sampled_from([0.0, 0.1, 0.2, 0.30000000000000004, 0.3, 0.5, 1.0]) | st.integers(-999, 999).map(
    lambda number: number / 1000
)


def blocks(systems: int, most: int) -> st.SearchStrategy[list[list[float]]]:
    """Up to `most` users with a value of each of so many systems."""
    return st.lists(st.lists(VALUES, min_size=systems, max_size=systems), min_size=1, max_size=most)


def ask(engine: Engine, given: Any, **options: Any) -> Any:
    return engine.one(NAME, "blocks", (given,), **options)


@settings(max_examples=60, deadline=None)
@given(blocks(2, 8) | blocks(3, 4) | blocks(4, 2))
def test_all_permutations_are_counted(given: list[list[float]]):
    expected = reference.tukey_hsd(given)
    assert ask(Core(), given, tolerance=1e-12) == pytest.approx(expected, abs=1e-12)


def test_every_engine(engine: Engine):
    given = [[0.5, 0.4, 0.8], None, [0.75, 0.5, 0.9], [0.25, None, 0.6], [0.9, 0.7, 1.0]]
    assert ask(engine, given) == pytest.approx(reference.tukey_hsd(given), abs=1e-12)
    assert ask(engine, None) is None
    assert ask(engine, [[0.5, 0.5, 0.5]] * 3) == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("users", [12, 60, 400])
def test_drawn_permutations_are_near_those_of_numpy(users: int):
    """Permutations of these are too many to count. A difference deviates by 0.007 at most."""
    chance = np.random.default_rng(users)
    given = chance.choice([0.0, 0.5, 1.0], (users, 3)) + np.array([0.0, 0.1, 0.3]) / np.sqrt(users)
    means = given.mean(axis=0)
    permuted = chance.permuted(np.broadcast_to(given, (10_000, users, 3)), axis=2).mean(axis=1)
    ranges = np.ptp(permuted, axis=1)
    expected = [(ranges >= abs(one - other) - 1e-12).mean() for one, other in combinations(means, 2)]
    assert ask(Core(), given.tolist()) == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("systems", [3, 6])
def test_many_users_have_the_studentized_range(systems: int):
    """Values without a common step, of which none outweighs the others."""
    chance = np.random.default_rng(systems)
    given = chance.random((5000, systems)) + np.linspace(0, 0.02, systems)
    sums = given.sum(axis=0)
    deviation = np.sqrt(given.var(axis=1, ddof=1).sum())
    expected = [
        stats.studentized_range.sf(abs(one - other) / deviation, systems, np.inf)
        for one, other in combinations(sums, 2)
    ]
    found = ask(Core(), given.tolist(), resamples=1)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-12)
    assert min(found) < 0.2


@pytest.mark.parametrize("ends", [(134, 133), (140, 130), (150, 125), (170, 120)])
def test_many_users_with_one_hit_each_have_the_range_of_multinomial_counts(ends: tuple[int, int]):
    """Between neighbouring ranges, the normal distribution is cut in the middle."""
    most, least = ends
    users = 401
    counts = (most, users - most - least, least)
    hits = [row for row, count in zip(np.eye(3).tolist(), counts, strict=True) for _ in range(count)]
    expected = sum(
        math.exp(
            math.lgamma(users + 1) - sum(math.lgamma(count + 1) for count in drawn) - users * math.log(3)
        )
        for one in range(users + 1)
        for two in range(users + 1 - one)
        if (drawn := (one, two, users - one - two)) and max(drawn) - min(drawn) >= most - least
    )
    assert ask(Core(), hits)[1] == pytest.approx(expected, abs=0.002)


@pytest.mark.parametrize("users", [9, 100, 3000])
def test_two_systems_are_those_of_the_randomization_test(users: int):
    given = np.random.default_rng(users).random((users, 2))
    one, other = given.T.tolist()
    paired = rankdcg_sql.connect().execute(
        "SELECT randomization_test(a, b).p_value FROM (SELECT unnest($1) AS a, unnest($2) AS b)", [one, other]
    )
    assert ask(Core(), given.tolist()) == [paired.fetchall()[0][0]]


def test_one_user_who_outweighs_the_others_is_permuted():
    """The range is that of the one user, so that the p-value of the systems at its ends is 1."""
    others = np.random.default_rng(0).random((1000, 3)) * 1e-6
    found = ask(Core(), [[0.0, 0.4, 1.0], *others.tolist()])
    assert found[1] > 0.3
    assert found[0] == found[2] == 1.0


def test_values_that_tie_within_the_tolerance_are_equal():
    given = [[0.3, 0.1 + 0.2, 0.3]] * 5000
    assert ask(Core(), given, tolerance=1e-12) == [1.0] * 3
    assert min(ask(Core(), given)) < 0.01
    # A value ties with the least of those it is near to, not with its neighbour.
    near, far, farther = ask(Core(), [[0.5, 0.508, 0.516]] * 5000, tolerance=0.01)
    assert near == 1.0
    assert max(far, farther) < 0.01


def test_each_row_has_as_many_systems_as_its_blocks(aggregating: duckdb.DuckDBPyConnection):
    given = [[[0.1, 0.5, 0.2]] * 3, None, [[0.4, 0.1]] * 4, []]
    rows = aggregating.execute(f"SELECT {NAME}(unnest(?::DOUBLE[][][]))", [given]).fetchall()
    assert [row for (row,) in rows] == [ask(Core(), given[0]), None, ask(Core(), given[2]), None]


@pytest.mark.parametrize(("users", "power"), [(5, 1), (100, 1), (3000, 1), (800, 8)])
def test_order_and_threads_change_no_bit(aggregating: duckdb.DuckDBPyConnection, users: int, power: int):
    aggregating.execute(
        "CREATE OR REPLACE TEMP TABLE blocks AS "
        f"SELECT i, [random() ** {power}, random() ** {power}, random()] AS block FROM range({users}) AS t(i)"
    )
    found = {
        str(aggregating.execute(f"SELECT tukey_hsd(list(block ORDER BY {order})) FROM blocks").fetchall())
        for order in ("i", "-i", "i % 7", "block[2]")
    }
    aggregating.execute("DROP TABLE blocks")
    assert len(found) == 1


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([[0.5, 1.0], [0.5]], "blocks must hold lists of equal length, got 2 and 1"),
        ([[0.5]], "blocks must hold lists of two or more numbers, got 1"),
        ([[]], "blocks must hold lists of two or more numbers, got 0"),
        ([[0.5, float("nan")]], "blocks must hold finite numbers, got NaN"),
        ([[0.5, float("inf")]], "blocks must hold finite numbers, got inf"),
        (
            [[1e308, -1e308, 0.0]] * 3,
            "the sum of squares must be finite, got values of one user that differ by inf",
        ),
    ],
    ids=["lengths", "one", "none", "nan", "infinite", "huge"],
)
def test_wrong_blocks(engine: Engine, given: list[Any], sentence: str):
    with pytest.raises(engine.error, match=re.escape(f"{NAME}: {sentence}")):
        ask(engine, given)


@pytest.mark.parametrize(
    ("given", "kind"),
    [(1.5, "float"), ([0.5], "list of float"), ([["a", "b"]], "list of list of text")],
    ids=["number", "numbers", "texts"],
)
def test_blocks_of_another_type(given: Any, kind: str):
    with pytest.raises(ValueError, match=f"^{NAME}: blocks must be a list of lists of numbers, got {kind}$"):
        Core().over(NAME, [pa.array([given])])
