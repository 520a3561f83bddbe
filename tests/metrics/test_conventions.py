"""Conventions against the golden cases: the convention alone gives the package's numbers."""

from __future__ import annotations

from typing import Any

import pytest
from support import golden
from support.engines import Core

from rankdcg_sql import conventions, functions
from rankdcg_sql.catalogue import OptionValue, resolve_options

#: The beginnings of the sources, in a golden case, that each convention reproduces.
SOURCES = {
    "hivemall_page": ('Hivemall user guide, page "Ranking Problems"', "Hivemall c2b95783^"),
    "hivemall_java": ("Hivemall master",),
    "trec_eval": ("pytrec-eval-terrier",),
    "sklearn": ("scikit-learn",),
    "spark": ("Spark MLlib",),
    "ranx": ("ranx",),
    "replay": ("RePlay",),
    "rectools": ("RecTools",),
    "recommenders": ("recommenders",),
    "lenskit": ("LensKit",),
    "torchmetrics": ("torchmetrics",),
}

_EXP2 = ("ndcg@3/ndcg_blog/exp2", "ndcg@3/hivemall_recrel/exp2", "ndcg@5/hivemall_recrel/exp2")
_LINEAR = (
    *(f"ndcg@{k}/blog_graded/linear" for k in (2, 3, 4, 5)),
    "ndcg@3/hivemall_recrel/linear",
    "ndcg@4/unjudged/linear",
)
_CUT = (
    "average_precision@2/dummy_int/den=min_truth_k",
    "average_precision@5/longtruth/den=min_truth_k",
    "average_precision@5/hivemall_str10/den=min_truth_k",
)
_ACHIEVABLE = (
    "ndcg@4/dummy_int/idcg=truth",
    "ndcg@5/dummy_int/idcg=truth",
    "ndcg@5/short/idcg=truth",
    "ndcg@3/latehit/idcg=truth",
)


#: Cases that a package computed with another function or argument than its convention reproduces, and the
#: option of the case that stands for this difference.
OTHERWISE: dict[str, dict[str, str]] = {
    # scikit-learn was given 2^rel - 1 as relevances.
    "sklearn": dict.fromkeys((*_EXP2, "dcg@5/ndcg_blog/exp2", "ndcg@5/worst_order/exp2"), "gain"),
    "ranx": {
        **dict.fromkeys((*_EXP2, "ndcg@6/wiki/exp2", "dcg@5/ndcg_blog/exp2"), "gain"),  # *_burges
        "rbp(p=0.85)/dummy_int": "p",  # a part of the metric's name there
    },
    # trec_eval's relevance level, and its parameter of set_F, which is the square of beta.
    "trec_eval": {
        "bpref/ten/min_rel=2": "min_rel",
        "f1/ten/beta=0.5": "beta",
        "f1/five/beta=0.5": "beta",
        "iprec/ten/recall=0.5": "recall",
        "iprec/ten/recall=1.0": "recall",
        "iprec/five/recall=0.5": "recall",
        "iprec/five/recall=1.0": "recall",
    },
    "rectools": {
        **dict.fromkeys(_ACHIEVABLE, "idcg"),  # divide_by_achievable=True
        "average_precision@4/dummy_int/den=k": "ap_denominator",  # divide_by_k=True
    },
    "recommenders": {
        **dict.fromkeys(_CUT, "ap_denominator"),  # map_at_k
        **dict.fromkeys((*_LINEAR, *_EXP2, "ndcg@6/wiki/exp2"), "gain"),  # score_type="raw" and "exp"
    },
    # adaptive_k=True
    "torchmetrics": {"precision@5/dummy_int/den=retrieved": "precision_denominator"},
}


def holds(case: golden.Case, **options: Any) -> bool:
    engine = Core()
    values = []
    for kind in engine.forms(case.args[0]):
        try:
            values.append(engine.one(case.function, kind, case.args[1:], case.k, **options))
        except engine.error:
            values.append("error")
    if isinstance(case.expected, float | int):
        return values == [pytest.approx(case.expected, rel=0, abs=1e-9)] * len(values)
    return values == [case.expected] * len(values)


@pytest.mark.parametrize("convention", SOURCES)
def test_golden_cases_of_a_convention(convention: str):
    cases = {name: case for name, case in golden.CASES.items() if golden.names(name, SOURCES[convention])}
    otherwise = OTHERWISE.get(convention, {})
    assert len(cases) > len(otherwise)
    failed = {name for name, case in cases.items() if not holds(case, convention=convention)}
    assert failed == otherwise.keys()
    for name, option in otherwise.items():
        given = {option: cases[name].options[option]}
        assert holds(cases[name], convention=convention, **given), name


def test_a_metric_has_its_own_options_in_a_convention():
    """Without a relevant item, scikit-learn's roc_auc_score is not defined, and its other scores are 0."""
    engine = Core()
    for function, expected in [("auc", None), ("ndcg", 0), ("average_precision", 0)]:
        assert engine.one(function, "ids", ([1], []), convention="sklearn") == expected


@pytest.mark.parametrize(
    ("convention", "ids", "expected"),
    [
        # LensKit: nothing is relevant among items that were returned; a metric of no items is not defined.
        ("lenskit", ([1], []), {"precision_at": 0, "dcg": 0, "recall_at": None}),
        ("lenskit", ([], [1]), {"precision_at": None, "average_precision": None, "recall_at": 0}),
        # Recommenders joins both tables for these three; ndcg_at_k keeps the users of truth.
        (
            "recommenders",
            ([], [1]),
            {"precision_at": None, "recall_at": None, "average_precision": None, "ndcg": 0},
        ),
    ],
)
def test_empty_lists_in_a_convention(
    convention: str, ids: tuple[list[int], list[int]], expected: dict[str, int | None]
):
    """`tests/metrics/test_peers.py` asks the packages for the same cases."""
    found = {name: Core().one(name, "ids", ids, 5, convention=convention) for name in expected}
    assert found == expected


@pytest.mark.parametrize("convention", [each.name for each in conventions()])
def test_a_convention_leaves_rankdcg_its_own_ties(convention: str):
    """The less relevant of two tied items comes first, which is the worst order."""
    function = next(each for each in functions() if each.name == "rankdcg")
    ties = resolve_options(function, {"convention": convention})["ties"]
    assert ties == OptionValue("pessimistic", "metric")
    assert Core().one("rankdcg", "aligned", ([1.0, 1.0], [1.0, 2.0]), convention=convention) == 0
