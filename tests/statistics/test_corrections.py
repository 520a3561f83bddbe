"""Corrections of p-values on every engine: golden cases, the reference, and wrong input."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import golden, reference
from support.engines import Core, Engine, Row

NAME = "corrected_p_values"
CORRECTIONS = ("holm", "bonferroni", "benjamini_hochberg")
P_VALUES = st.lists(st.none() | st.sampled_from([0.0, 0.01, 0.5, 1.0]) | st.floats(0, 1), max_size=12)


def near(expected: list[float | None] | None) -> Any:
    """A list of p-values, each within rounding."""
    if expected is None:
        return None
    return [None if p is None else pytest.approx(p, rel=1e-12, abs=1e-12) for p in expected]


@pytest.mark.parametrize("case", golden.CORRECTIONS, ids=lambda case: case.id)
def test_golden_case(engine: Engine, case: golden.Case):
    found = engine.one(NAME, "rels", case.args[1:], **case.options)
    assert found == near(case.expected)


def test_every_correction_has_a_golden_case():
    assert {case.options["correction"] for case in golden.CORRECTIONS} == set(CORRECTIONS)


@settings(deadline=None)
@given(P_VALUES, st.sampled_from(CORRECTIONS))
def test_reference(p_values: list[float | None], correction: str):
    expected = reference.corrected_p_values(p_values, correction)
    assert Core().one(NAME, "rels", (p_values,), correction=correction) == near(expected)


@given(st.permutations([None, None, 0.5, 0.5, 0.01, 0.02, 0.3, 0.0]), st.sampled_from(CORRECTIONS))
def test_a_corrected_p_value_stays_with_its_test(p_values: list[float | None], correction: str):
    """Tests with equal p-values have equal corrected ones, so that a p-value tells its corrected one."""
    found = Core().one(NAME, "rels", (p_values,), correction=correction)
    in_order = sorted(p for p in p_values if p is not None)
    corrected = Core().one(NAME, "rels", (in_order,), correction=correction)
    assert found == [dict(zip(in_order, corrected, strict=True)).get(p) for p in p_values]


def test_many_lists_in_one_call(engine: Engine):
    lists: list[list[float | None] | None]
    lists = [[0.01, 0.04, 0.03], [], None, [None], [None, 0.5], [0.0] * 40, [1.0, None, 0.25] * 20] * 300
    rows = [
        Row((p_values,), options={"correction": CORRECTIONS[place % 3]})
        for place, p_values in enumerate(lists)
    ]
    expected = [
        None if row.args[0] is None else near(reference.corrected_p_values(row.args[0], **row.options))
        for row in rows[:21]
    ]
    assert engine.many(NAME, "rels", rows) == expected * 100


def test_holm_is_the_default(engine: Engine):
    assert engine.one(NAME, "rels", ([0.25, 0.0625, None, 0.125],)) == [0.25, 0.1875, None, 0.25]


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_no_corrected_p_value_is_a_negative_zero(correction: str):
    assert str(Core().one(NAME, "rels", ([-0.0, 0.5],), correction=correction)[0]) == "0.0"


@pytest.mark.parametrize("wrong", [1.5, -0.25, float("nan"), float("inf")])
def test_numbers_that_are_no_p_values(engine: Engine, wrong: float):
    sentence = f"{NAME}: p_values must hold numbers from 0 to 1, got {str(wrong).replace('nan', 'NaN')}"
    with pytest.raises(engine.error, match=re.escape(sentence)):
        engine.one(NAME, "rels", ([0.5, None, wrong],))
    with pytest.raises(ValueError, match="from 0 to 1"):
        reference.corrected_p_values([0.5, None, wrong])


def test_unknown_corrections_are_errors(engine: Engine):
    sentence = f"{NAME}: correction must be holm, bonferroni or benjamini_hochberg, got 'fdr'"
    with pytest.raises(engine.error, match=sentence):
        engine.one(NAME, "rels", ([0.5],), correction="fdr")
