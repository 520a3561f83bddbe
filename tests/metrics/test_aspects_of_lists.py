"""The measures of aspects: values of others, values of the reference on every engine, and rules."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from support import golden, reference
from support.engines import Core, Engine, Sql, options_text
from support.sql import value

import rankdcg_sql
from rankdcg_sql import catalogue

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

NAMES = [*reference.ASPECT_MEASURES]
#: Those that are divided by the greedy order, which need not be the best one.
GREEDY = ("alpha_ndcg", "nerr_ia", "nnrbp")
every = pytest.mark.parametrize("name", NAMES)


def judgements(text: str) -> list[dict[str, Any]]:
    """Judgements written as items with their aspects, such as ``a12 b2``."""
    return [{"item": word[0], "aspect": int(aspect)} for word in text.split() for aspect in word[1:]]


def scores(text: str) -> list[dict[str, Any]]:
    """Items with scores written as groups of tied items, best first, such as ``a bc``."""
    groups = text.split()
    return [{"item": item, "score": -rank} for rank, group in enumerate(groups) for item in group]


AB_C = judgements("a1 b12 c3")
#: Item a is relevant to aspect 1, or is not.
A_FOR_1, IRRELEVANT = {"item": "a", "aspect": 1, "rel": 2}, [{"item": "a", "aspect": 1, "rel": 0}]
NULLS = [{"item": None, "aspect": 1}, {"item": "a", "aspect": None}]
TIED = {"ties": "item_desc"}
#: A function, two lists, k, options, and the value by hand.
BY_HAND: list[tuple[str, Any, Any, int | None, dict[str, Any], float | None]] = [
    ("subtopic_recall", [*"axb"], AB_C, 2, {}, 1 / 3),
    ("subtopic_recall", [*"axb"], AB_C, None, {}, 2 / 3),
    ("precision_ia", [*"axb"], AB_C, 4, {}, 3 / (4 * 3)),
    ("precision_ia", [*"axb"], AB_C, None, {}, 3 / (3 * 3)),
    ("average_precision_ia", [*"axb"], AB_C, None, {}, ((1 + 2 / 3) / 2 + (1 / 3) / 1 + 0) / 3),
    ("err_ia", [*"axb"], AB_C, None, {}, (1 + (0.5 + 1) / 3) / (3 * (1 + 0.5 / 2 + 0.25 / 3))),
    ("err_ia", ["a"], AB_C, 1, {}, 1 / 3),
    ("alpha_dcg", ["a"], AB_C, 1, {}, 1 / 3),
    # The greedy order is b, c, a: the last of equal gains comes first.
    ("nerr_ia", [*"ab"], AB_C, 2, {}, (1 + 1.5 / 2) / (2 + 1 / 2)),
    ("alpha_ndcg", ["a"], AB_C, 1, {}, 1 / 2),
    ("alpha_ndcg", [*"bca"], AB_C, None, {"redundancy_intolerance": 1.0}, 1.0),
    ("nrbp", [*"axb"], AB_C, None, {}, (1 + 0.25 * 1.5) * (1 - 0.5 * 0.5) / 3),
    ("nrbp", [*"axb"], AB_C, None, {"redundancy_intolerance": 0.0, "p": 0.8}, (1 + 0.64 * 2) * 0.2 / 3),
    ("nnrbp", [*"axb"], AB_C, None, {}, (1 + 0.25 * 1.5) / (2 + 0.5 + 0.25 * 0.5)),
    # One of the two orders of a and x has an aspect at rank 1.
    ("subtopic_recall", scores("ax b"), AB_C, 1, {}, 1 / 6),
    ("subtopic_recall", scores("ax b"), AB_C, 1, TIED, 0.0),
    ("precision_ia", scores("axb"), AB_C, 2, {}, 2 / 3 * 3 / (2 * 3)),
    ("err_ia", scores("ab"), judgements("a1 b1"), None, {}, (1 + 0.5 / 2) / (1 + 0.5 / 2)),
    # An item has its largest score, and one without a score was not retrieved.
    ("precision_ia", [*scores("ax a"), {"item": "b", "score": None}], AB_C, 2, {}, 1 / (2 * 3)),
    # A repeat counts as irrelevant, a NULL matches nothing, and so does a judgement with a NULL.
    ("precision_ia", [*"aa"], AB_C, 2, {}, 1 / (2 * 3)),
    ("precision_ia", [None, "a"], NULLS, None, {}, None),
    ("subtopic_recall", ["a"], [A_FOR_1, {"item": "b", "aspect": 2, "rel": None}], None, {}, 1.0),
    ("subtopic_recall", ["a"], [A_FOR_1, {"item": "b", "aspect": 2, "rel": -2}], None, {}, 1.0),
    ("subtopic_recall", ["b"], [A_FOR_1, {"item": "b", "aspect": 1, "rel": 1}], None, {"min_rel": 2.0}, 0.0),
    *((name, ["x"], AB_C, 3, {}, 0.0) for name in NAMES),
    *((name, [], AB_C, None, {}, 0.0) for name in NAMES),
    *((name, None, AB_C, None, {"empty_rec": "null"}, None) for name in NAMES),
    *((name, ["x"], None, None, {"no_relevant": "zero"}, None) for name in NAMES),
    *((name, ["x"], IRRELEVANT, None, {}, None) for name in NAMES),
    *((name, ["x"], IRRELEVANT, None, {"no_relevant": "zero"}, 0.0) for name in NAMES),
]  # fmt: skip


def list_type(rows: Sequence[Any], of_items: pa.DataType, names: Sequence[str]) -> pa.DataType:
    """The type of lists of items, or of structs with as many of the named fields as the rows have."""
    fields = {name: pa.float64() for name in names} | {"item": of_items, "aspect": pa.int64()}
    structs = [row for each in rows if each for row in each if isinstance(row, dict)]
    return pa.list_(pa.struct([(name, fields[name]) for name in structs[-1]]) if structs else of_items)


def over(engine: Engine, name: str, calls: Sequence[Any], of_items: pa.DataType) -> list[Any]:
    """The values of calls, whose lists have elements of one form."""
    rec, truth, ks, options = zip(*calls, strict=True)
    columns = [
        pa.array(rec, list_type(rec, of_items, ["score"])),
        pa.array(truth, list_type([AB_C, *truth], of_items, ["rel"]) if truth != (None,) else ASPECTS),
        pa.array(ks, pa.int64()),
        pa.array([options_text(each) for each in options], pa.string()),
    ]
    return engine.over(name, columns)


ASPECTS = pa.list_(pa.struct([("item", pa.string()), ("aspect", pa.int64())]))


@pytest.mark.parametrize(("name", "rec", "truth", "k", "options", "expected"), BY_HAND)
def test_values_by_hand(
    engine: Engine,
    name: str,
    rec: Any,
    truth: Any,
    k: int | None,
    options: dict[str, Any],
    expected: float | None,
) -> None:
    near = None if expected is None else pytest.approx(expected, abs=1e-12)
    if truth:
        has_rel = any("rel" in row for row in truth)
        truth = [{"rel": 1, **row} if has_rel else row for row in truth]
    assert one(engine, name, rec, truth, k, options) == near
    assert reference.aspect_measure(name, rec, truth, k, **options) == near


def one(engine: Engine, name: str, rec: Any, truth: Any, k: int | None, options: dict[str, Any]) -> Any:
    columns = [
        pa.array([rec], list_type([rec], pa.string(), ["score"])),
        pa.array([truth], list_type([truth] if truth else [AB_C], pa.string(), ["rel"])),
        pa.array([k], pa.int64()),
        pa.array([options_text(options)], pa.string()),
    ]
    return engine.over(name, columns)[0]


CASES = {case.id: case for case in golden.ASPECTS}


@pytest.mark.parametrize("case", CASES.values(), ids=[*CASES])
def test_golden_cases(engine: Engine, case: golden.Case) -> None:
    _, rec, truth = case.args
    rec = [{"item": item, "score": score} for item, score in rec.items()] if isinstance(rec, dict) else rec
    truth = [dict(zip(("item", "aspect", "rel"), row, strict=True)) for row in truth]
    near = pytest.approx(case.expected, abs=1e-9)
    assert one(engine, case.function, rec, truth, case.k, case.options) == near
    assert reference.aspect_measure(case.function, rec, truth, case.k, **case.options) == near


def test_every_measure_has_a_golden_case() -> None:
    assert {case.function for case in golden.ASPECTS} == {*NAMES}


# Random rankings


def drawn_call(chance: random.Random, name: str, items: Sequence[Any], is_scored: bool, has_rel: bool) -> Any:
    """Two lists, k and options. Few items tie, because the reference puts them in every order."""
    options: dict[str, Any] = {}
    own = reference.ASPECT_MEASURES[name][1]
    drawn = {
        "redundancy_intolerance": [0.0, 0.25, 0.5, 1.0],
        "p": [0.5, 0.9],
        "min_rel": [2.0],
        "no_relevant": ["zero", "one", "one_if_rec_empty"],
        "empty_rec": ["null"],
        "ties": ["average", "item_asc", "item_desc", "input_order"],
    }
    for option, values in drawn.items():
        if (option in own or option not in ("p", "redundancy_intolerance")) and chance.random() < 0.3:
            options[option] = chance.choice(values)
    judged = [
        {"item": item, "aspect": aspect} | ({"rel": chance.choice([-2.0, 0.0, 1.0, 2.0])} if has_rel else {})
        for item in items
        for aspect in [None, *range(5)]
        if chance.random() < 0.25
    ]
    chance.shuffle(judged)
    judged += [chance.choice(judged)] if judged else []
    if is_scored:
        rec: list[Any] = []
        left = chance.sample([None, *items], chance.randrange(len(items)))
        while left:
            score = chance.random()
            tied, left = left[: chance.choice([1, 1, 2, 3, 4])], left[4:]
            rec += [{"item": item, "score": score} for item in tied]
        chance.shuffle(rec)
        if rec and chance.random() < 0.3:
            rec += [{"item": chance.choice(rec)["item"] or items[0], "score": chance.choice([-1.0, None])}]
    else:
        rec = chance.choices([None, *items], k=chance.randrange(9))
    k = chance.choice([None, 1, 2, 3, 5, 500])
    return (
        None if chance.random() < 0.03 else rec,
        None if chance.random() < 0.03 else judged,
        k,
        options,
    )


@every
@pytest.mark.parametrize("items", [[*range(-3, 6)], [*"bdfhäjlnp"]], ids=["integers", "texts"])
@pytest.mark.parametrize(("is_scored", "has_rel"), [(False, False), (True, True)], ids=["ranked", "scored"])
def test_random_rankings(engine: Engine, name: str, items: list[Any], is_scored: bool, has_rel: bool) -> None:
    chance = random.Random(f"{name} {is_scored}")
    kind = pa.int64() if isinstance(items[0], int) else pa.string()
    calls = [drawn_call(chance, name, items, is_scored, has_rel) for _ in range(40)]
    found = over(engine, name, calls, kind)
    for (rec, truth, k, options), result in zip(calls, found, strict=True):
        near = reference.aspect_measure(name, rec, truth, k, **options)
        call = rec, truth, k, options
        assert result == (None if near is None else pytest.approx(near, abs=1e-9)), call
    assert len({*found}) > 10


@every
@pytest.mark.parametrize("count", [0, 2049])
def test_counts_of_rows(engine: Engine, name: str, count: int) -> None:
    """A vector of DuckDB has 2048 values."""
    chance = random.Random(count)
    few = [drawn_call(chance, name, range(9), False, False) for _ in range(9)]
    calls = [chance.choice(few) for _ in range(count)]
    if not calls:
        assert engine.over(name, [pa.array([], pa.list_(pa.string())), pa.array([], ASPECTS)]) == []
        return
    found = over(engine, name, calls, pa.int64())
    assert len({(str(call), result) for call, result in zip(calls, found, strict=True)}) <= len(few)


def computed(name: str, calls: Sequence[Any]) -> list[Any]:
    return over(Core(), name, calls, pa.int64())


@pytest.mark.parametrize("tied", [1, 7, 40, 300])
def test_many_tied_items(tied: int) -> None:
    """The chance to see one of m relevant items among k of n tied ones, and other expected values."""
    size, k = 300, 100
    rec = [{"item": item, "score": 1.0} for item in range(size)]
    truth = [{"item": item, "aspect": 1} for item in range(tied)]

    def expected(name: str, **options: Any) -> float:
        return computed(name, [(rec, truth, k, options)])[0]

    unseen = math.comb(size - tied, k) / math.comb(size, k)
    assert expected("subtopic_recall") == pytest.approx(1 - unseen, abs=1e-12)
    assert expected("precision_ia") == pytest.approx(tied / size, abs=1e-12)
    # The number of hits above rank i is i * tied / size on average, so without redundancy gains are the same.
    discounts = [1 / math.log2(rank + 1) for rank in range(1, k + 1)]
    assert expected("alpha_dcg", redundancy_intolerance=0.0) == pytest.approx(tied / size, abs=1e-12)
    ideal = math.fsum(discounts[:tied])
    ndcg = expected("alpha_ndcg", redundancy_intolerance=0.0)
    assert ndcg == pytest.approx(tied / size * math.fsum(discounts) / ideal, abs=1e-12)
    # Average precision is that of one aspect.
    binary = rankdcg_sql.average_precision_scored([1.0] * size, [int(item < tied) for item in range(size)], k)
    assert expected("average_precision_ia") == pytest.approx(binary, abs=1e-12)


@every
def test_rules_of_every_measure(name: str) -> None:
    chance = random.Random(name)
    calls = [drawn_call(chance, name, range(9), True, True) for _ in range(60)]
    values = computed(name, calls)
    assert all(each is None or 0 <= each <= (2 if name in GREEDY else 1) for each in values)
    # The order of rows does not matter, not even to the last bit, unless it breaks ties.
    shuffled = [
        (rec and chance.sample(rec, len(rec)), truth and chance.sample(truth, len(truth)), k, options)
        for rec, truth, k, options in calls
    ]
    again = computed(name, shuffled)
    by_order = [options.get("ties") == "input_order" for *_, options in calls]
    assert [each for each, skip in zip(again, by_order, strict=True) if not skip] == [
        each for each, skip in zip(values, by_order, strict=True) if not skip
    ]
    # Scores without ties rank as their list does.
    plain = [
        ([*range(5)], truth, k, {key: options[key] for key in options if key != "ties"})
        for _, truth, k, options in calls
    ]
    scored = [([{"item": i, "score": -i} for i in range(5)], *others) for _, *others in plain]
    assert computed(name, scored) == computed(name, plain)


def test_one_aspect_is_the_metric_of_binary_truth() -> None:
    chance = random.Random(1)
    for _ in range(50):
        rec, relevant = chance.sample(range(9), 6), chance.sample(range(9), 3)
        truth = [{"item": item, "aspect": 1} for item in relevant]
        k = chance.choice([1, 3, 9])
        ndcg = rankdcg_sql.alpha_ndcg(rec, truth, k, redundancy_intolerance=0)
        assert ndcg == pytest.approx(rankdcg_sql.ndcg(rec, relevant, k), abs=1e-12)
        mean = rankdcg_sql.average_precision_ia(rec, truth, k)
        assert mean == pytest.approx(rankdcg_sql.average_precision(rec, relevant, k), abs=1e-12)
        rbp = rankdcg_sql.nrbp(rec, truth, k, redundancy_intolerance=0, p=0.8)
        assert rbp == pytest.approx(rankdcg_sql.rbp(rec, relevant, k), abs=1e-12)


def test_reason_of_null() -> None:
    reason = catalogue.null_reason(catalogue.by_name()["nrbp"], {"empty_rec": "null"})
    assert reason == "without a relevant item, or with nothing retrieved"


#: Wrong calls, and their sentences.
TRUTH = "[{'item': 1, 'aspect': 1, 'rel': 1}]"
WRONG = {
    f"nrbp(1, {TRUTH})": "nrbp: rec must be a list, got integer",
    "nrbp([1], [1])": (
        "nrbp: truth must be a list of structs of item, aspect and optionally rel, got list of integer"
    ),
    "nrbp([1], [{'item': 1, 'rel': 1}])": (
        "nrbp: truth needs one item and one aspect, got the fields (item integer, rel integer)"
    ),
    "nrbp([1], [{'item': 1, 'aspect': 1, 'gain': 1}])": (
        "nrbp: truth may have one relevance beside item and aspect, got the fields (item integer, "
        "aspect integer, gain integer)"
    ),
    "nrbp([1], [{'item': 1, 'aspect': 1, 'rel': 'a'}])": (
        "nrbp: the relevances in truth must be numbers, got the fields (item integer, aspect integer, "
        "rel text)"
    ),
    f"nrbp([{{'item': 1, 'score': 'a'}}], {TRUTH})": (
        "nrbp: the scores in rec must be numbers, got the fields (item integer, score text)"
    ),
    f"nrbp(['a'], {TRUTH})": "nrbp: the items of rec and truth must be of one type, got text and integer",
    f"nrbp([{{'item': 1, 'score': 'nan'::DOUBLE}}], {TRUTH})": "nrbp: rec must not be NaN, got NaN",
    "nrbp([1], [{'item': 1, 'aspect': 1, 'rel': 'inf'::DOUBLE}])": (
        "nrbp: relevance in truth must be finite, got inf"
    ),
    "nrbp([1], [{'item': 1, 'aspect': 1, 'rel': 2}, {'item': 1, 'aspect': 1, 'rel': 1}])": (
        "nrbp: truth judges an item twice, with relevance 1 and 2"
    ),
    f"nrbp([1], {TRUTH}, 0)": "nrbp: k must be at least 1, got 0",
    f"nrbp([1], {TRUTH}, 'redundancy_intolerance=1.5')": (
        "nrbp: redundancy_intolerance must be a number from 0 to 1, got '1.5'"
    ),
    f"nrbp([1], {TRUTH}, 'ties=pessimistic')": (
        "nrbp: ties=pessimistic is not defined: an order may be good for one aspect and bad for another"
    ),
    "nrbp([1], [{'item': 1, 'aspect': 1, 'rel': 0}], 'no_relevant=error')": (
        "nrbp: truth has no relevant item, and no_relevant=error"
    ),
}


@pytest.mark.parametrize("call", WRONG)
def test_wrong_calls(con: duckdb.DuckDBPyConnection, call: str) -> None:
    with pytest.raises(Sql.error) as raised:
        value(con, call)
    assert WRONG[call] in str(raised.value)


def test_empty_and_null_literals(con: duckdb.DuckDBPyConnection) -> None:
    calls = [
        f"nrbp([], {TRUTH})",
        f"nrbp(NULL, {TRUTH})",
        "nrbp([1], [])",
        "nrbp([1], NULL)",
        "nrbp(NULL, NULL)",
    ]
    assert [value(con, call) for call in calls] == [0.0, 0.0, None, None, None]
