"""The numbers that are printed in the documents that the package follows, on every engine.

The documents: Apache Hivemall's page "Ranking Problems"; Katerenchuk and Rosenberg's paper on rankDCG; a page
on NDCG and its implementations; a page on ranking metrics; Wikipedia's article on discounted cumulative gain.
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, Any

import pytest
from support.engines import Engine, Row, agreed, options_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

GRADED_FORMS = ("lists", "graded")


def close(value: float) -> Any:
    return pytest.approx(value, rel=0, abs=1e-12)


def printed(text: str, units: float = 0.5) -> Any:
    """The number that a document prints as `text`. Its last digit may be off by `units`."""
    digits = len(text.partition(".")[2])
    return pytest.approx(float(text), rel=0, abs=units * 10**-digits + 1e-12) if digits else float(text)


def binary(
    engine: Engine,
    kind: str,
    function: str,
    rec: Sequence[Any],
    truth: Sequence[Any],
    k: int | None = None,
    **options: Any,
) -> float | None:
    """The value for binary relevance, also given as judgements in which relevant items have relevance 1."""
    judged = truth if kind == "ids" else dict.fromkeys(truth, 1)
    return agreed(engine, function, kind, (rec, judged), k, **options)


def graded(
    engine: Engine,
    form: str,
    function: str,
    rels: Sequence[float],
    k: int | None = None,
    missed: Sequence[float] = (),
    **options: Any,
) -> float | None:
    """The value for relevances in ranked order, and the relevances of items that were not retrieved."""
    if form == "rels":
        assert not missed
        return engine.one(f"{function}_rels", "rels", (rels,), k, **options)
    if form == "lists":
        return engine.one(function, "lists", (rels, sorted([*rels, *missed])), k, **options)
    judged = {f"d{place}": rel for place, rel in enumerate([*missed, *rels])}
    return agreed(engine, function, form, (list(judged)[len(missed) :], judged), k, **options)


# Hivemall's page


@pytest.mark.parametrize("kind", ["ids", "graded"])
@pytest.mark.parametrize(
    ("function", "at_4", "at_2"),
    [
        ("recall", 0.6666666666666666, 0.3333333333333333),
        ("precision", 0.5, 0.5),
        ("average_precision", 0.5555555555555555, 0.3333333333333333),
        ("auc", 0.75, 1.0),
        ("mrr", 1.0, 1.0),
        ("ndcg", 0.7039180890341349, 0.6131471927654585),
    ],
)
def test_hivemall_binary_table(engine: Engine, kind: str, function: str, at_4: float, at_2: float):
    rec, truth = [1, 3, 2, 6], [1, 2, 4]
    assert binary(engine, kind, function, rec, truth, 4) == close(at_4)
    assert binary(engine, kind, function, rec, truth, 2) == close(at_2)


def test_hivemall_binary_text(engine: Engine):
    truth = [1, 2, 4]
    assert binary(engine, "ids", "average_precision", [1, 3, 2, 6, 4, 5], truth) == printed("0.756")
    assert binary(engine, "ids", "average_precision", [1, 3, 2, 4, 6, 5], truth) == printed("0.806")
    assert binary(engine, "ids", "idcg", [1, 3], truth, 2) == printed("1.631")
    assert binary(engine, "ids", "dcg", [1, 3], truth, 2) == 1.0
    assert binary(engine, "ids", "ndcg", [1, 3], truth, 2) == printed("0.613")


@pytest.mark.parametrize("form", ["rels", *GRADED_FORMS])
def test_hivemall_graded_query(engine: Engine, form: str):
    assert graded(engine, form, "ndcg", [5, 2, 4, 1, 3], 2) == close(0.8128912838590544)
    assert graded(engine, form, "ndcg", [5, 2, 4, 1, 3], 3) == close(0.9187707805346093)


# The paper on rankDCG


PAPER_TABLE_1 = [  # the hypothesis list, its rankDCG, its nDCG (cut off)
    ([9, 4, 4, 2, 2, 2, 1, 1, 1, 1], 1.0, "1.000"),
    ([9, 4, 4, 2, 2, 1, 2, 1, 1, 1], 0.975, "0.998"),
    ([4, 4, 2, 9, 2, 2, 1, 1, 1, 1], 0.65, "0.825"),
    ([1, 4, 4, 2, 2, 2, 9, 1, 1, 1], 0.325, "0.688"),
    ([1, 4, 4, 2, 2, 2, 1, 1, 1, 9], 0.325, "0.667"),
    ([1, 1, 1, 1, 2, 2, 2, 4, 4, 9], 0.0, "0.571"),
]


@pytest.mark.parametrize(("hypothesis", "rankdcg", "_"), PAPER_TABLE_1)
def test_rankdcg_paper_table_1(engine: Engine, hypothesis: list[float], rankdcg: float, _: str):
    assert engine.one("rankdcg", "aligned", (hypothesis, [9, 4, 4, 2, 2, 2, 1, 1, 1, 1])) == rankdcg


@pytest.mark.parametrize("form", ["rels", *GRADED_FORMS])
@pytest.mark.parametrize(("hypothesis", "_", "ndcg"), PAPER_TABLE_1)
def test_rankdcg_paper_table_1_ndcg(engine: Engine, form: str, hypothesis: list[float], _: float, ndcg: str):
    assert graded(engine, form, "ndcg", hypothesis, gain="linear") == printed(ndcg, units=1)


@pytest.mark.parametrize("form", GRADED_FORMS)
def test_rankdcg_authors_example(engine: Engine, form: str):
    assert engine.one("rankdcg", "aligned", ([5, 1, 7], [9, 3, 1])) == 0.125
    # The scores rank relevance 1 first, 9 second and 3 last.
    assert graded(engine, form, "rankdcg", [1, 9, 3]) == 0.125


# The page on NDCG


@pytest.mark.parametrize("form", ["rels", *GRADED_FORMS])
@pytest.mark.parametrize("options", [{}, {"gain": [0, 1, 3, 7, 15], "discount": "ln"}])
@pytest.mark.parametrize(
    ("rels", "expected"),
    [
        ([3, 1, 2, 0, 2], 0.950849602851865),
        ([0, 1, 2, 2, 3], 0.5664478625498256),
        ([3, 2, 2, 1, 0], 1.0),
    ],
)
def test_ndcg_page(engine: Engine, form: str, options: dict[str, Any], rels: list[float], expected: float):
    assert graded(engine, form, "ndcg", rels, 5, **options) == close(expected)


RELS_BY_USER = [[3, 1, 2, 0, 2], [0, 1, 2], [0, 0]]
#: The first form on the page: the sum of DCG over the sum of ideal DCG.
POOLED = ((7 + 1 / log2(3) + 3 / 2 + 3 / log2(6)) + (1 / log2(3) + 3 / 2)) / (
    (7 + 3 / log2(3) + 3 / 2 + 1 / log2(5)) + (3 + 1 / log2(3))
)
#: The second form on the page, as in its code: the mean over the users who have a relevant item.
PER_USER = 0.7688661371437924


@pytest.mark.parametrize("no_relevant", ["null", "zero"])
def test_ndcg_page_dataset_in_sql(con: duckdb.DuckDBPyConnection, no_relevant: str):
    query = """
        SELECT sum(dcg_rels(rels, 5, $options)) / sum(idcg_rels(rels, 5, $options)),
               avg(ndcg_rels(rels, 5, $options))
        FROM (SELECT unnest($users::DOUBLE[][]) AS rels)
    """
    options = options_text({"no_relevant": no_relevant})
    ((pooled, per_user),) = con.execute(query, {"users": RELS_BY_USER, "options": options}).fetchall()
    assert pooled == close(POOLED)
    assert per_user == close(PER_USER if no_relevant == "null" else PER_USER * 2 / 3)


def test_ndcg_page_dataset(engine: Engine):
    rows = [Row((rels,), 5) for rels in RELS_BY_USER]
    by_name = {name: engine.many(name, "rels", rows) for name in ("dcg_rels", "idcg_rels", "ndcg_rels")}
    assert [values.pop() for values in by_name.values()] == [None, None, None]
    dcg, idcg, ndcg = map(sum, by_name.values())
    assert dcg / idcg == close(POOLED)
    assert ndcg / 2 == close(PER_USER)


# The page on ranking metrics


@pytest.mark.parametrize("kind", ["ids", "graded"])
@pytest.mark.parametrize(
    ("function", "exact", "texts"),
    [
        ("precision", [1, 1 / 2, 2 / 3, 2 / 4, 3 / 5], ["1", "0.5", "0.67", "0.5", "0.6"]),
        ("recall", [1 / 3, 1 / 3, 2 / 3, 2 / 3, 1], ["0.33", "0.33", "0.67", "0.67", "1"]),
        ("f1", [1 / 2, 2 / 5, 2 / 3, 4 / 7, 3 / 4], ["0.5", "0.4", "0.666", "0.571", "0.749"]),
    ],
)
def test_metrics_page_binary_tables(
    engine: Engine, kind: str, function: str, exact: list[float], texts: list[str]
):
    values = [binary(engine, kind, function, [1, 2, 3, 4, 5], [1, 3, 5], k) for k in range(1, 6)]
    assert values == [close(value) for value in exact]
    # The page cuts off digits in some numbers.
    assert values == [printed(text, units=1) for text in texts]


@pytest.mark.parametrize("kind", ["ids", "graded"])
def test_metrics_page_order_aware(engine: Engine, kind: str):
    rec = [1, 2, 3, 4, 5]
    assert binary(engine, kind, "mrr", rec, [1, 3, 5]) == 1.0
    assert binary(engine, kind, "mrr", rec, [5]) == 0.2
    assert binary(engine, kind, "mrr", rec, [6]) == 0.0
    assert binary(engine, kind, "average_precision", rec, [1, 3, 5]) == close((1 + 2 / 3 + 3 / 5) / 3)
    assert binary(engine, kind, "average_precision", rec, [1, 3, 5]) == printed("0.7555", units=1)
    assert binary(engine, kind, "average_precision", rec, [1, 2, 3]) == 1.0
    # The models A and B of the page differ only in the order.
    assert binary(engine, kind, "precision", rec, [1, 2, 3], 5) == 0.6
    assert binary(engine, kind, "precision", rec, [3, 4, 5], 5) == 0.6


@pytest.mark.parametrize("form", ["rels", *GRADED_FORMS])
@pytest.mark.parametrize(
    ("function", "texts"),
    [
        ("cg", ["3", "5", "8", "8", "9"]),
        ("dcg", ["3", "4.2618", "5.7618", "5.7618", "6.1486"]),
        ("idcg", ["3", "4.8927", "5.8927", "6.3233", "6.3233"]),
        ("ndcg", ["1", "0.8710", "0.9777", "0.9112", "0.9723"]),
    ],
)
def test_metrics_page_graded_tables(engine: Engine, form: str, function: str, texts: list[str]):
    options = {} if function == "cg" else {"gain": "linear"}
    values = [graded(engine, form, function, [3, 2, 3, 0, 1], k, **options) for k in range(1, 6)]
    # The page cuts off terms after the fourth digit, and then adds them.
    assert values == [printed(text, units=2) for text in texts]


# Wikipedia's example


@pytest.mark.parametrize("form", GRADED_FORMS)
@pytest.mark.parametrize(
    ("function", "text"), [("cg", "11"), ("dcg", "6.861"), ("idcg", "8.740"), ("ndcg", "0.785")]
)
def test_wikipedia_example(engine: Engine, form: str, function: str, text: str):
    options = {} if function == "cg" else {"gain": "linear"}
    value = graded(engine, form, function, [3, 2, 3, 0, 1, 2], 6, missed=[3, 2], **options)
    assert value == printed(text)
