"""The geometric mean of users on every engine: by hand, the reference, and wrong input."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from support import reference
from support.engines import Core, Engine, Row

NAME = "geometric_mean_values"
VALUES = st.lists(st.none() | st.sampled_from([0.0, 1e-5, 0.5, 1.0]) | st.floats(0, 1), max_size=12)


def near(expected: list[float | None] | None) -> Any:
    """A list of values, each within rounding."""
    if expected is None:
        return None
    return [None if value is None else pytest.approx(value, rel=1e-11, abs=1e-12) for value in expected]


def test_values_by_hand(engine: Engine):
    """The mean of 0.25 and 1 is 0.5. Without one of them, it is the other one."""
    assert engine.one(NAME, "rels", ([0.25, 1.0, None],)) == near([0.5 - 0.375, 0.5 + 0.375, None])
    assert engine.one(NAME, "rels", ([0.04, None],)) == near([0.04, None])
    assert engine.one(NAME, "rels", ([0.0, 0.1],)) == near(
        [0.001 + (0.050005 - 0.1), 0.001 + 0.050005 - 1e-5]
    )


def test_sums_of_large_values_do_not_overflow():
    assert Core().one(NAME, "rels", ([1e308, 1e308],)) == near([1e308, 1e308])


@settings(deadline=None)
@given(VALUES)
def test_reference(values: list[float | None]):
    assert Core().one(NAME, "rels", (values,)) == near(reference.geometric_mean_values(values))


def test_the_mean_and_its_error_are_those_of_scipy():
    values = np.random.default_rng(3).beta(1, 2, 500)
    found = np.array(Core().one(NAME, "rels", (values.tolist(),)))
    assert found.mean() == pytest.approx(stats.gmean(values), rel=1e-12)
    without = [stats.gmean(np.delete(values, place)) for place in range(len(values))]
    error = math.sqrt(
        (len(values) - 1) / len(values) * sum((each - np.mean(without)) ** 2 for each in without)
    )
    assert stats.sem(found) == pytest.approx(error, rel=1e-9)


def test_many_lists_in_one_call(engine: Engine):
    lists: list[list[float | None] | None]
    lists = [[0.01, 0.04, 0.03], [], None, [None], [None, 0.5], [0.0] * 40, [1.0, None, 0.25] * 20] * 300
    expected = [
        None if values is None else near(reference.geometric_mean_values(values)) for values in lists[:7]
    ]
    assert engine.many(NAME, "rels", [Row((values,)) for values in lists]) == expected * 300


def test_the_order_of_users_changes_no_value():
    values = np.random.default_rng(4).random(1000).tolist()
    found = Core().one(NAME, "rels", (values,))
    assert Core().one(NAME, "rels", (values[::-1],)) == found[::-1]


@pytest.mark.parametrize("wrong", [-0.25, float("nan"), float("inf")])
def test_numbers_that_have_no_geometric_mean(engine: Engine, wrong: float):
    got = str(wrong).replace("nan", "NaN")
    sentence = f"{NAME}: user_values must hold finite numbers from 0, got {got}"
    with pytest.raises(engine.error, match=re.escape(sentence)):
        engine.one(NAME, "rels", ([0.5, None, wrong],))
