"""The module with the names of pytrec_eval. `tests/metrics/test_peers.py` compares the two."""

from __future__ import annotations

from fractions import Fraction
from math import inf, log2, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankdcg_sql
from rankdcg_sql import CallError
from rankdcg_sql.compat import pytrec_eval
from rankdcg_sql.compat.pytrec_eval import RelevanceEvaluator

#: The relevant documents of q1 are a, b and d; d is not retrieved. Best first, its ranking is a, c, b, e.
QRELS = {"q1": {"a": 2, "b": 1, "c": 0, "d": 1, "e": -1}, "q2": {"x": 0}, "q3": {"y": 1}, "q4": {}}
RUN = {"q9": {"a": 1.0}, "q1": {"b": 0.3, "a": 0.9, "e": 0.1, "c": 0.8}, "q2": {"x": 1.0}, "q4": {"a": 1.0}}
IDEAL = 2 + 1 / log2(3) + 1 / log2(4)
EXPECTED = {
    "map": (1 + 2 / 3) / 3,
    "Rprec": 2 / 3,
    "bpref": (1 + 0 + 0) / 3,
    "recip_rank": 1.0,
    "iprec_at_recall_0.34": 2 / 3,
    "P_3": 2 / 3,
    "P_5": 2 / 5,
    "recall_1": 1 / 3,
    "11pt_avg": (4 * 1 + 3 * 2 / 3 + 4 * 0) / 11,
    "ndcg": (2 + 1 / log2(4)) / IDEAL,
    "ndcg_cut_2": 2 / (2 + 1 / log2(3)),
    "map_cut_2": 1 / 3,
    "relative_P_2": 1 / 2,
    "success_1": 1.0,
    "set_P": 2 / 4,
    "set_relative_P": 2 / 3,
    "set_recall": 2 / 3,
    "set_F": 4 / 7,
}


def one(qrels: dict[str, Any], ranking: dict[str, Any], measure: str, **options: Any) -> float:
    (values,) = RelevanceEvaluator({"q": qrels}, {measure}, **options).evaluate({"q": ranking}).values()
    return values[measure]


@pytest.mark.parametrize("ties", ["item_desc", "average", "input_order"])
def test_values_by_hand(ties: str) -> None:
    """Without ties, their order changes nothing, also for queries without relevant documents."""
    found = RelevanceEvaluator(QRELS | {"q5": {"x": 0}}, [*EXPECTED], ties=ties).evaluate(RUN | {"q5": {}})
    # q9 and q4 have no judgements, and q3 is not in the run.
    assert found["q1"] == pytest.approx(EXPECTED, rel=0, abs=1e-12)
    assert [*found.items()][1:] == [(query, dict.fromkeys(EXPECTED, 0.0)) for query in ("q2", "q5")]
    assert [*found["q1"]] == [*EXPECTED]
    assert {type(value) for value in found["q1"].values()} == {float}


@pytest.mark.parametrize(
    ("level", "measure", "expected"),
    [(2, "map", 1.0), (2, "P_2", 0.5), (3, "recip_rank", 0.0), (3, "ndcg", EXPECTED["ndcg"])],
)
def test_relevance_level(level: int, measure: str, expected: float) -> None:
    assert one(QRELS["q1"], RUN["q1"], measure, relevance_level=level) == pytest.approx(expected)


def test_documents_without_a_judgement_can_be_left_out() -> None:
    ranking = {"u": 9.0, "n": 8.0, "z": 7.0, "a": 6.0}
    judged = {"n": -1, "z": 0, "a": 1}
    assert one(judged, ranking, "recip_rank") == 1 / 4
    assert one(judged, ranking, "recip_rank", judged_docs_only_flag=True) == 1 / 2
    assert RelevanceEvaluator({}, {"map"}, judged_docs_only_flag=True).evaluate({"q": ranking}) == {}


# The same score as 1, and the next one above it, in 32 bits.
@pytest.mark.parametrize(("score", "reciprocal"), [(1.0, 1 / 2), (1 + 1e-9, 1 / 2), (1 + 2e-7, 1.0)])
def test_scores_are_compared_in_32_bits(score: float, reciprocal: float) -> None:
    assert one({"a": 1}, {"a": score, "b": 1}, "recip_rank") == reciprocal


@pytest.mark.parametrize(
    ("ties", "reciprocal"),
    [
        ("item_desc", 1 / 4),
        ("item_asc", 1 / 2),
        ("average", (1 / 2 + 1 / 3 + 1 / 4) / 3),
        ("pessimistic", 1 / 4),
        ("optimistic", 1 / 2),
        ("input_order", 1 / 3),
    ],
)
def test_orders_of_ties(ties: str, reciprocal: float) -> None:
    """Texts are compared by code points, as UTF-8 is byte by byte."""
    ranking = {"é": 0.5, "z": 0.9, "B": 0.5, "\U0001d518": 0.5}
    judged = {"B": 1, "missing": 1}
    assert one(judged, ranking, "recip_rank", ties=ties) == pytest.approx(reciprocal)
    assert one(judged, ranking, "set_recall", ties=ties) == 1 / 2


def test_signed_zeros_and_infinite_scores() -> None:
    assert one({"a": 1}, {"a": 0.0, "b": -0.0}, "recip_rank") == 1 / 2
    assert one({"a": 1}, {"a": -1e-3, "b": -1e-2, "c": -inf, "d": inf}, "recip_rank") == 1 / 2
    # Infinite in 32 bits.
    assert one({"a": 1}, {"a": 10**400, "b": inf, "c": 1e300, "d": -(10**400)}, "recip_rank") == 1 / 3


def test_float_gains() -> None:
    judged, ranking = {"a": 0.5, "b": 0.25, "c": -0.5}, {"c": 3, "b": 2, "a": 1}
    ndcg = (0.25 / log2(3) + 0.5 / log2(4)) / (0.5 + 0.25 / log2(3))
    assert one(judged, ranking, "ndcg", float_gains=True) == pytest.approx(ndcg)
    assert one(judged, ranking, "recip_rank", float_gains=True) == 0.0
    assert one(judged, ranking, "recip_rank", float_gains=True, relevance_level=0.5) == 1 / 3
    assert one(judged, ranking, "recip_rank", float_gains=True, relevance_level=0.25, ties="average") == 1 / 2


def test_many_queries_keep_their_own_values() -> None:
    """Queries are evaluated some at a time, and one without documents is among them."""
    qrels = {f"q{number}": {f"d{number % 7}": 1} for number in range(1000)}
    ranking = {f"d{rank}": -rank for rank in range(7)}
    run = {query: {} if query == "q300" else ranking for query in reversed(qrels)}
    for ties in ("item_desc", "average"):
        found = RelevanceEvaluator(qrels, {"recip_rank"}, ties=ties).evaluate(run)
        expected = {f"q{number}": {"recip_rank": 1 / (number % 7 + 1)} for number in reversed(range(1000))}
        assert found == expected | {"q300": {"recip_rank": 0.0}}
        assert [*found] == [*run]


def test_numbers_of_other_types() -> None:
    ranking = {"a": True, "b": np.float32(0.5), "c": 2**70, "d": np.int64(3)}
    assert one({"a": np.int8(1)}, ranking, "recip_rank") == 1 / 3
    assert one({"a": True}, ranking, "recip_rank", relevance_level=True) == 1 / 3


def test_an_evaluator_keeps_the_judgements_that_it_was_given() -> None:
    qrels = {"q": {"a": 1}}
    evaluator = RelevanceEvaluator(qrels, {"recip_rank"}, judged_docs_only_flag=True)
    qrels["q"]["b"] = qrels.setdefault("p", {}).setdefault("a", 1)
    assert evaluator.evaluate({"p": {"a": 1}, "q": {"a": 1, "b": 2}}) == {"q": {"recip_rank": 1.0}}


def test_nothing_to_evaluate() -> None:
    assert RelevanceEvaluator(QRELS, set()).evaluate({"q1": {"a": 1}, "q3": {}}) == {"q1": {}, "q3": {}}
    for qrels, run in (({}, RUN), (QRELS, {}), (QRELS, None), (QRELS, {"q4": {}})):
        assert RelevanceEvaluator(qrels, {"map"}).evaluate(run) == {}


def keys(*measures: str) -> list[str]:
    return [*RelevanceEvaluator(QRELS, measures).evaluate(RUN)["q1"]]


def test_cutoffs() -> None:
    assert keys("success", "success_1") == ["success_1"]
    assert keys("success") == ["success_1", "success_5", "success_10"]
    assert keys("P.10,2", "P_3", "map", "P.02") == ["map", "P_2", "P_3", "P_10"]
    usual = [5, 10, 15, 20, 30, 100, 200, 500, 1000]
    for measure in ("P", "recall", "map_cut", "ndcg_cut", "relative_P"):
        assert keys(measure) == [f"{measure}_{k}" for k in usual]


def test_all_measures_at_once_have_the_values_of_each_alone() -> None:
    qrels = {query: {document: abs(rel) for document, rel in QRELS[query].items()} for query in QRELS}
    every = RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(RUN)
    for measure in pytrec_eval.supported_measures:
        alone = RelevanceEvaluator(qrels, {measure}).evaluate(RUN)
        assert all(every[query][key] == value for query in alone for key, value in alone[query].items())


ELSEWHERE = "rankdcg_sql does not compute"


@pytest.mark.parametrize(
    ("measures", "said"),
    [
        ({"Rprec_mult_0.20"}, f"there is no 'Rprec_mult_0.20' here: {ELSEWHERE} precision at multiples"),
        ({"iprec_at_recall_1.1"}, "measures must have recalls from 0 to 1 as cutoffs after iprec_at_recall"),
        ({"num_ret", "num_q", "map"}, f"there is no 'num_q' or 'num_ret' here: {ELSEWHERE} numbers of"),
        ({"set_map", "G"}, f"; there is no 'set_map' here: {ELSEWHERE} the product"),
        ({"runid"}, f"there is no 'runid' here: {ELSEWHERE} "),
        ({"foo"}, "there is no 'foo' here: choose from map, gm_map, Rprec, bpref, recip_rank, "),
        ({"set"}, "there is no 'set' here: pytrec_eval computes runid, num_q, "),
        ({"P_0"}, "measures must have whole numbers from 1 on as cutoffs after P, got 'P_0'"),
        ({"P.2.5"}, "measures must have whole numbers from 1 on as cutoffs after P, got 'P.2.5'"),
        ({f"P_{2**63}"}, "measures must have whole numbers from 1 on"),
        ({"map.5"}, "measures must have no cutoff after map, got 'map.5'"),
        ({"set_F_0.5"}, "measures must have no cutoff after set_F, got 'set_F_0.5'"),
    ],
)  # fmt: skip
def test_measures_that_are_not_here(measures: set[str], said: str) -> None:
    with pytest.raises(ValueError, match=r"^RelevanceEvaluator: ") as raised:
        RelevanceEvaluator(QRELS, measures)
    assert said in str(raised.value)
    assert isinstance(raised.value, CallError)
    assert raised.value.argument == "measures"


def test_every_measure_of_a_nickname_is_here_or_known() -> None:
    for nickname, here in pytrec_eval.supported_nicknames.items():
        assert RelevanceEvaluator({"q1": {"a": 1}}, here).evaluate(RUN)["q1"]
        with pytest.raises(ValueError, match=rf"supported_nicknames\['{nickname}'\] has the others"):
            RelevanceEvaluator(QRELS, [nickname])
    official = {"map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"}
    assert pytrec_eval.supported_nicknames["official"] == official


def test_utility_counts_documents_where_none_is_relevant() -> None:
    for ties in ("item_desc", "average"):
        assert one(QRELS["q1"], RUN["q1"], "utility", ties=ties) == 2 - 2
        assert one(QRELS["q2"], {"x": 1.0, "y": 2.0}, "utility", ties=ties) == -2


def test_inferred_average_precision_refuses_a_pool_that_was_not_judged() -> None:
    told = "query_relevance with infAP must have no negative relevances"
    with pytest.raises(ValueError, match=told):
        RelevanceEvaluator(QRELS, {"infAP"})
    value = (1 + (1 + 2 * (1 + 1e-5) / (2 + 2e-5)) / 3) / 3
    assert one({"a": 2, "b": 1, "c": 0, "d": 1}, RUN["q1"], "infAP") == pytest.approx(value, abs=1e-12)


FINITE = "have finite numbers up to 1e300 as relevances"
INTEGERS = "have integers up to 1e300 as relevances"


@pytest.mark.parametrize(
    ("argument", "value", "float_gains", "wanted"),
    [
        ("measures", "map", False, "be a set of names, got 'map'"),
        ("measures", None, False, "be a set of names, got None"),
        ("measures", [5], False, "be names, got 5"),
        ("query_relevance", [1], False, "be a dict with a dict of documents for each query, got [1]"),
        ("query_relevance", {1: {}}, False, "have texts as queries, got 1"),
        ("query_relevance", {"q": 1}, False, "have a dict of documents for each query, got 1 for 'q'"),
        ("query_relevance", {"q": {"a": 1, 2: 1}}, False, "have texts as documents, got 2 for 'q'"),
        (
            *("query_relevance", {"q": {"a": 1.0}}, False),
            f"{INTEGERS}, got 1.0 for 'a' of 'q'; float_gains allows other numbers",
        ),
        ("query_relevance", {"q": {"a": "1"}}, True, f"{FINITE}, got '1' for 'a' of 'q'"),
        ("query_relevance", {"q": {"a": nan}}, True, f"{FINITE}, got nan for 'a' of 'q'"),
        ("query_relevance", {"q": {"a": 2e300}}, True, f"{FINITE}, got 2e+300 for 'a' of 'q'"),
        ("query_relevance", {"q": {"a": 10**301}}, True, f"{FINITE}, got a int for 'a' of 'q'"),
        ("relevance_level", 0, False, "be an integer from 1 to 1e300, got 0"),
        ("relevance_level", 1.5, False, "be an integer from 1 to 1e300, got 1.5"),
        ("relevance_level", 0.0, True, "be a number above 0, up to 1e300, got 0.0"),
        ("relevance_level", inf, True, "be a number above 0, up to 1e300, got inf"),
        ("relevance_level", Fraction(10**400), True, "be a number above 0, up to 1e300, got a Fraction"),
    ],
)  # fmt: skip
def test_wrong_arguments(argument: str, value: Any, float_gains: bool, wanted: str) -> None:
    arguments = {"query_relevance": QRELS, "measures": {"map"}, "float_gains": float_gains}
    with pytest.raises(TypeError) as raised:
        RelevanceEvaluator(**arguments | {argument: value})
    assert str(raised.value) == f"RelevanceEvaluator: {argument} must {wanted}"
    assert isinstance(raised.value, CallError)


@pytest.mark.parametrize(
    ("argument", "wanted"),
    [
        ("ties", "'average' or .* or 'item_desc'"),
        ("judged_docs_only_flag", "False or True"),
        ("float_gains", "False or True"),
    ],
)
def test_wrong_choices(argument: str, wanted: str) -> None:
    with pytest.raises(ValueError, match=rf"{argument} must be {wanted}, got 'no'"):
        RelevanceEvaluator(QRELS, {"map"}, **{argument: "no"})


@pytest.mark.parametrize(
    ("run", "kind", "wanted"),
    [
        ([1], TypeError, "be a dict with a dict of documents for each query, got [1]"),
        (np.arange(2), TypeError, "be a dict with a dict of documents for each query, got array([0, 1])"),
        ({"q1": {"a": 1, 2: 1}}, TypeError, "have texts as documents, got 2 for 'q1'"),
        ({"q1": {"a": 1, "b": None}}, TypeError, "have numbers as scores, got None for 'b' of 'q1'"),
        ({"q1": {"a": "1"}}, TypeError, "have numbers as scores, got '1' for 'a' of 'q1'"),
        ({"q1": {"a": 1, "b": nan}}, ValueError, "have numbers as scores, got nan for 'b' of 'q1'"),
    ],
)
@pytest.mark.parametrize("ties", ["item_desc", "average"])
def test_wrong_runs(run: Any, kind: type[Exception], wanted: str, ties: str) -> None:
    with pytest.raises(kind) as raised:
        RelevanceEvaluator(QRELS, {"map"}, ties=ties).evaluate(run)
    assert str(raised.value) == f"evaluate: scores must {wanted}"


def test_lines_of_files() -> None:
    run = pytrec_eval.parse_run(["q1 Q0 a 1 0.5 mine\n", "q2\tQ0  b 1 -1e-2 mine"])
    assert run == {"q1": {"a": 0.5}, "q2": {"b": -0.01}}
    assert pytrec_eval.parse_qrel(iter(["q1 0 a 2", "q1 0 b -1"])) == {"q1": {"a": 2, "b": -1}}


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ("run.txt", "be lines, such as an open file, got 'run.txt'"),
        (None, "be lines, such as an open file, got None"),
        (["q Q0 a 1 1 x", "q Q0 a 1"], "have texts of 6 columns as lines, got 'q Q0 a 1' in line 2"),
        ([["q"]], "have texts of 6 columns as lines, got ['q'] in line 1"),
        (["q Q0 a 1 high x"], "have numbers as scores, got 'high' in line 1"),
        (["q Q0 a 1 1 x"] * 2, "have each document of a query once, got 'a' of 'q' again in line 2"),
    ],
)
def test_wrong_lines(lines: Any, wanted: str) -> None:
    with pytest.raises((TypeError, ValueError)) as raised:
        pytrec_eval.parse_run(lines)
    assert str(raised.value) == f"parse_run: f_run must {wanted}"


def test_relevances_of_files_are_integers() -> None:
    with pytest.raises(ValueError, match=r"f_qrel must have integers as relevances, got '1.5' in line 1"):
        pytrec_eval.parse_qrel(["q 0 a 1.5"])


def test_means_of_measures() -> None:
    mean = pytrec_eval.compute_aggregated_measure
    assert mean("num_q", [1.0, 1.0, 1.0]) == 3.0
    assert mean("gm_map", [np.log(0.1), np.log(0.4)]) == pytest.approx(0.2)


def test_values_of_geometric_means_are_logarithms() -> None:
    """A query without a relevant document in its run counts as 0.00001."""
    run = {"q1": {"a": 3.0, "c": 2.0, "b": 1.0}, "q2": {"x": 1.0}}
    found = RelevanceEvaluator(
        {"q1": {"a": 1, "b": 1, "c": 0}, "q2": {"y": 1}}, {"map", "gm_map", "gm_bpref"}
    ).evaluate(run)
    assert found["q1"] == pytest.approx({"map": 5 / 6, "gm_map": np.log(5 / 6), "gm_bpref": np.log(0.5)})
    assert found["q2"] == pytest.approx({"map": 0.0, "gm_map": np.log(1e-5), "gm_bpref": np.log(1e-5)})
    mean = pytrec_eval.compute_aggregated_measure("gm_map", [found[query]["gm_map"] for query in run])
    assert mean == pytest.approx((5 / 6 * 1e-5) ** 0.5)


def test_the_numbers_of_trec_eval(third_party: Path) -> None:
    """The means of trec_eval's own test, to the four digits that it prints.

    Its version reads recalls in another way than that of pytrec_eval.
    """
    folder = third_party / "data/trec_eval"
    with (folder / "qrels.test").open() as judged, (folder / "results.test").open() as retrieved:
        qrels, run = pytrec_eval.parse_qrel(judged), pytrec_eval.parse_run(retrieved)
    lines = (line.split() for line in (folder / "out.test.a").read_text().splitlines())
    theirs = {measure: value for measure, query, value in lines if query == "all"}
    found = RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
    compared = 0
    for key in found[min(found)]:
        if key in theirs and not key.startswith(("iprec", "11pt")):
            mean = pytrec_eval.compute_aggregated_measure(key, [values[key] for values in found.values()])
            assert f"{mean:.4f}" == theirs[key], key
            compared += 1
    assert compared > 40


def test_the_version_is_that_of_the_package() -> None:
    assert pytrec_eval.__version__ == rankdcg_sql.__version__
