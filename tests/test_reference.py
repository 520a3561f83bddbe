"""The reference itself, held against the golden cases and against brute force."""

from __future__ import annotations

from itertools import chain, permutations, product
from statistics import fmean

import golden
import pytest
import reference


def by_reference(case: golden.Case) -> float | None:
    form, first, second = case.args
    if form == "aligned":
        return reference.rankdcg_aligned(first, second, **case.options)
    return reference.evaluate(case.function, first, second, case.k, **case.options)


def test_every_golden_case_has_its_place():
    golden.require()
    dataset = [case.id for case in golden.DATASET]
    assert set(golden.CASES) == golden.COVERED
    assert sorted([*golden.COVERED, *golden.LATER, *golden.NOT_ASKED, *dataset]) == sorted(golden.IDS)
    assert golden.EXTRA_OPTIONS.keys() <= golden.COVERED


@pytest.mark.parametrize("case_id", sorted(golden.COVERED))
def test_golden_case(case_id: str):
    golden.require()
    case = golden.CASES[case_id]
    if case.expected == "error":
        with pytest.raises(ValueError, match=r"."):
            by_reference(case)
    elif case.expected is None:
        assert by_reference(case) is None
    else:
        assert by_reference(case) == pytest.approx(case.expected, rel=0, abs=1e-9)


def test_golden_dataset_cases():
    golden.require()
    assert len(golden.DATASET) == 2
    for case in golden.DATASET:
        assert case.how == "avg"
        values = [reference.evaluate_rels("ndcg", rels, case.k, **case.options) for rels in case.rels_by_user]
        mean = fmean(value for value in values if value is not None)
        assert mean == pytest.approx(case.expected, rel=0, abs=1e-9), case.id


@pytest.mark.parametrize(("k", "expected"), [(2, 0.8128912838590544), (3, 0.9187707805346093)])
def test_relevances_in_predicted_order_against_all_relevances(k: int, expected: float):
    value = reference.graded_lists("ndcg", [5, 2, 4, 1, 3], [5, 4, 3, 2, 1], k)
    assert value == pytest.approx(expected, rel=0, abs=1e-9)


@pytest.mark.parametrize("scores", [[1, 1, 1, 1], [2, 2, 1, 1], [1, 3, 3, 3], [2, None, 2, None]])
def test_rankdcg_ties_are_the_least_the_largest_and_the_mean_over_all_orders(scores: list[float | None]):
    rels = [7.0, 2.0, 2.0, -1.0]
    tied = [[rels[i] for i in range(4) if scores[i] == level] for level in [3, 2, 1, None]]
    orders = [list(chain(*order)) for order in product(*(permutations(block) for block in tied))]
    values = [reference.rankdcg_aligned([4, 3, 2, 1], order) for order in orders]
    assert None not in values
    # each order is scored against its own relevances, which are the same numbers
    assert reference.rankdcg_aligned(scores, rels) == pytest.approx(min(values))
    assert reference.rankdcg_aligned(scores, rels, "optimistic") == pytest.approx(max(values))
    assert reference.rankdcg_aligned(scores, rels, "average") == pytest.approx(fmean(values))


def test_rankdcg_of_ranked_items():
    judged = {"a": 9, "b": 3, "c": 1}
    assert reference.evaluate("rankdcg", ["c", "a", "b"], judged) == 0.125
    assert reference.evaluate("rankdcg", ["c", "x", "c", None], judged) == 0.0
    assert reference.evaluate("rankdcg", ["a"], judged) == 0.875
    assert reference.evaluate("rankdcg", ["a"], judged, ties="average") == 0.9375
    assert reference.graded_lists("rankdcg", [1, 9, 3], [9, 3, 1]) == 0.125
