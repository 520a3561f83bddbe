"""The reference itself, against the golden cases and brute force."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, permutations, product
from statistics import fmean
from typing import Any

import pytest
from support import golden, reference
from support.closed_forms import all_tied


def by_reference(case: golden.Case) -> float | None:
    form, first, second = case.args
    if form in ("aligned", "scored"):
        name = case.function.removesuffix("_scored")
        return reference.evaluate_scored(name, first, second, case.k, **case.options)
    if form == "run":
        return reference.evaluate_run(case.function, first, second, case.k, **case.options)
    return reference.evaluate(case.function, first, second, case.k, **case.options)


def test_every_golden_case_has_its_place():
    """The counts are fixed here, so that no case can get lost."""
    kinds = (golden.DATASET, golden.PAIRED, golden.CORRECTIONS, golden.TABLES)
    apart = [case.id for cases in kinds for case in cases]
    assert sorted([*golden.CASES, *apart]) == sorted(golden.IDS)
    assert len(golden.IDS) == 175
    assert len(golden.CASES) == 153
    assert [len(cases) for cases in kinds] == [3, 4, 6, 9]
    assert golden.EXTRA_OPTIONS.keys() <= golden.CASES.keys()


@pytest.mark.parametrize("case_id", sorted(golden.CASES))
def test_golden_case(case_id: str):
    case = golden.CASES[case_id]
    if case.expected == "error":
        with pytest.raises(ValueError, match=r"."):
            by_reference(case)
    elif case.expected is None:
        assert by_reference(case) is None
    else:
        assert by_reference(case) == pytest.approx(case.expected, rel=0, abs=1e-9)


def test_golden_cases_hold_expected_values():
    """Golden cases with tied items, for which scikit-learn and others compute the mean in closed form."""
    cases = [case for case in golden.CASES.values() if case.options.get("ties") == "average"]
    assert sorted(case.id for case in cases) == [
        "ndcg@2/sk_ndcg_doc/ties=average",
        "ndcg@3/ties3/ties=average",
        "ndcg@None/ties1/ties=average",
        "ndcg@None/ties2/ties=average",
        "rank_dcg/partial_tie/average",
    ]
    tied = [case for case in cases if len(set(case.args[1])) < len(case.args[1])]
    assert len(tied) == 4
    for case in tied:  # no single order has the expected value
        worst, best = (
            by_reference(replace(case, options=case.options | {"ties": ties}))
            for ties in ("pessimistic", "optimistic")
        )
        assert worst < case.expected - 0.01
        assert case.expected + 0.01 < best


@pytest.mark.parametrize("items", range(1, 8))
def test_mean_over_all_tied_items_has_the_closed_form(items: int):
    for relevant, k in product(range(1, items + 1), repeat=2):
        rels = [1.0] * relevant + [0.0] * (items - relevant)
        for name, options, expected in all_tied(items, relevant, k):
            value = reference.evaluate_scored(name, [2.5] * items, rels, **options)
            assert value == pytest.approx(expected, rel=0, abs=1e-12), (name, relevant, options)


@pytest.mark.parametrize("scores", [[1, 1, 1, 1], [2, 2, 1, 1], [1, 3, 3, 3], [2, None, 2, None]])
def test_ties_are_the_least_the_largest_and_the_mean_over_all_orders(scores: list[float | None]):
    def orders(rels: list[float]) -> list[list[float]]:
        """Every order, also if its relevances are those of another one. Items without a score come last."""
        tied = [[rels[i] for i in range(4) if scores[i] == level] for level in [3, 2, 1]]
        tail = sorted(rels[i] for i in range(4) if scores[i] is None)
        every = product(*(permutations(block) for block in tied))
        return [[*chain(*order), *tail] for order in every]

    shown = sum(score is not None for score in scores)
    rels = [7.0, 2.0, 2.0, 1.0]
    assert len(orders(rels)) in (2, 4, 6, 24)
    for name, options in [("ndcg", {"k": 2}), ("cg", {"k": 3}), ("mrr", {"min_rel": 2}), ("dcg", {})]:
        values = [reference.graded_lists(name, order[:shown], rels, **options) for order in orders(rels)]
        assert_ties(name, scores, rels, values, **options)
    # In rankDCG, each order is scored against its own relevances, which are the same numbers.
    rels = [7.0, 2.0, 2.0, -1.0]
    values = [reference.evaluate_scored("rankdcg", [4, 3, 2, 1], order) for order in orders(rels)]
    assert_ties("rankdcg", scores, rels, values)
    assert reference.evaluate_scored("rankdcg", scores, rels) == pytest.approx(min(values))


def assert_ties(name: str, scores: Any, rels: list[float], values: list[Any], **options: Any):
    assert None not in values
    for ties, expected in [("pessimistic", min), ("optimistic", max), ("average", fmean)]:
        value = reference.evaluate_scored(name, scores, rels, ties=ties, **options)
        assert value == pytest.approx(expected(values)), (name, ties)


@pytest.mark.parametrize(
    ("name", "scores", "rels", "k", "options", "expected"),
    [
        # The hit is at rank 1, 2 or 3: precision 1, precision 1/2, or below the cut.
        ("average_precision", [1, 1, 1], [1, 0, None], 2, {"ap_denominator": "hits"}, (1 + 1 / 2) / 3),
        # Ties are broken by relevance, also if gains do not rise with it.
        ("cg", [1, 1], [1, 2], 1, {}, 1.5),
        ("ndcg", [], [0, 0], None, {"no_relevant": "one"}, 1.0),
        ("idcg", [None, None], [1, 0], None, {}, 1.0),
        # A user stops at rank 1 with probability 3/4, else at rank 2 with probability 1/4.
        ("err", [2, 1], [2, 1], None, {"max_rel": 2}, 3 / 4 + 1 / 4 * 1 / 4 / 2),
        ("err", [1, 1], [2, 0], None, {"max_rel": 2}, (3 / 4 + 3 / 8) / 2),
        ("rbp", [2, 1, 0], [1, 0, 1], None, {"p": 0.5}, 1 / 2 + 1 / 8),
        ("r_precision", [3, 2, 1], [0, 1, 1], None, {}, 1 / 2),
        ("r_precision", [1, None, None], [1, 1, 1], None, {}, 1 / 3),
        # Three of four pairs are right and one is tied. The item without a score is left out.
        ("roc_auc", [3, 2, 1, 2, None], [1, 0, 0, 1, 1], None, {}, 3.5 / 4),
        ("roc_auc", [1, 1], [0, 1], None, {"ties": "pessimistic"}, 0.0),
        ("roc_auc", [1, 1], [0, 1], None, {"ties": "input_order"}, 0.0),
        ("roc_auc", [1, 1], [1, 0], None, {"ties": "input_order"}, 1.0),
        ("roc_auc", [1, 2, None], [1, 1, 0], None, {}, None),
        ("roc_auc", [1, 2], [0, 0], None, {}, None),
        ("roc_auc", None, [0, 1], None, {}, None),
        # Five of six pairs are untied in each list. Four are untied in both, and all four are right.
        ("kendall_tau", [1, 1, 2, 3], [-1, 0, 2, 2], None, {}, 4 / 5),
        ("kendall_tau", [1, 2, None, 4], [1, -2, 5, None], None, {}, -1.0),
        ("kendall_tau", [1, 2], [3, 3], None, {}, None),
        ("kendall_tau", [], [1, 2], None, {}, None),
        # Who retrieves nothing gets nothing, also if one level leaves nothing to order.
        ("rankdcg", [None, None], [2, None], None, {}, 0.0),
        ("rankdcg", [1, None], [2, 2], None, {}, None),
        # The item without a relevance is left out. Items without a score follow in the worst order.
        ("rankdcg", [5, None, None], [None, 2, 1], None, {"ties": "average"}, 0.0),
    ],
)
def test_scored(
    name: str,
    scores: list[float | None] | None,
    rels: list[float | None],
    k: int | None,
    options: dict[str, Any],
    expected: float | None,
):
    value = reference.evaluate_scored(name, scores, rels, k, **options)
    assert value == (None if expected is None else pytest.approx(expected))


def test_rankdcg_of_ranked_items():
    judged = {"a": 9, "b": 3, "c": 1}
    assert reference.evaluate("rankdcg", ["c", "a", "b"], judged) == 0.125
    # x and NULL have relevance 0, and the repeat of c does not count. DCG' is 55/12, between 47/12 and 80/12.
    assert reference.evaluate("rankdcg", ["c", "x", "c", None], judged) == pytest.approx(8 / 33)
    assert reference.evaluate("rankdcg", ["c", "x", "c", None], judged, unjudged="skip") == 0.0
    for ties in ("pessimistic", "average", "optimistic"):
        assert reference.evaluate("rankdcg", ["a"], judged, ties=ties) == 0.875
    assert reference.graded_lists("rankdcg", [1, 9, 3], [9, 3, 1]) == 0.125
