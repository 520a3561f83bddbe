"""Random input: the engines against the slow reference, and against themselves on changed input.

Every test evaluates a batch of rows at once, each row with its own k and options.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import reference
from support.closed_forms import all_tied
from support.drawing import quick
from support.engines import GRADED, KINDS, Engine, Row, agreed, by_reference, full, holding, lists

import rankdcg_sql
from rankdcg_sql import polars as rk

if TYPE_CHECKING:
    from collections.abc import Callable

#: The functions over lists that return one number. Engines over rows have them under these names, too.
FUNCTIONS = {
    function.name: function
    for function in rankdcg_sql.functions()
    if function.output == "value" and function.form in ("lists", "rels", "scored")
}
OPTIONS = {
    option.name: option
    for option in rankdcg_sql.options()
    if any(option.name in function.options for function in FUNCTIONS.values())
}
ITEMS = {
    "integers": [0, 1, 2, 3, -1, 2**40, 2**63 - 1, -(2**63)],
    "texts": ["", "a", "A", "a ", "日本語", "a" * 12, "a" * 13, "a" * 12 + "b", "b" * 300],
    "floats": [0.0, -0.0, 1.0, -1.5, math.nan, math.inf, -math.inf, 0.3, 0.1 + 0.2],
}
INPUTS = [(kind, items) for kind in KINDS for items in (ITEMS if kind in ("ids", *GRADED) else ["integers"])]
SCORED = ["aligned", "scored"]
#: Some of these scores tie if they are rounded to 32 bits.
SCORES = st.sampled_from(
    [3.0, 3.0 + 2**-30, 2.0, 1.0, 0.0, -0.0, -(2.0**-160), -1.5, 1e39, math.inf, -math.inf, None]
)
#: Values of options that are no names.
OTHER_VALUES = {
    "gain": st.lists(st.sampled_from([0.0, 1.0, 2.5, 7.0]), min_size=3, max_size=6),
    **{name: st.sampled_from(number.drawn) for name, number in reference.NUMBERS.items()},
}
#: Values of options that are right for every function, with all values of the other options.
VALID_VALUES = {
    "gain": st.sampled_from(["exp2", "linear", "binary"]),
    **{name: st.sampled_from(number.valid) for name, number in reference.NUMBERS.items()},
    "ties": st.sampled_from(["average", "pessimistic", "optimistic", "input_order"]),
}
BATCH = 20

every_input = pytest.mark.parametrize(("kind", "items"), INPUTS)
every_kind = pytest.mark.parametrize("kind", KINDS)


# Random rows


def option_values(option: rankdcg_sql.Option, valid: bool = False) -> st.SearchStrategy[Any]:
    """Values of an option, in the form that `reference` takes."""
    if valid and option.name in VALID_VALUES:
        return VALID_VALUES[option.name]
    names = [None if name == "unset" else name for name in option.values]
    others = [OTHER_VALUES[option.name]] if option.other else []
    return st.one_of([*([st.sampled_from(names)] if names else []), *others])


def seldom(strategy: st.SearchStrategy[Any], otherwise: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """The first strategy one time in ten, else the other."""
    return st.integers(0, 9).flatmap(lambda number: strategy if number == 9 else otherwise)


def some(values: st.SearchStrategy[Any], most: int = 9) -> st.SearchStrategy[list[Any] | None]:
    """A list, now and then empty or NULL."""
    return seldom(st.sampled_from([None, []]), st.lists(values, min_size=2, max_size=most))


def judgements(items: list[Any], rel: st.SearchStrategy[float | None]) -> st.SearchStrategy[dict[Any, Any]]:
    return st.dictionaries(st.sampled_from(items), rel, min_size=2, max_size=9)


@st.composite
def rows(draw: st.DrawFn, kind: str, items: str, valid: bool = False) -> Row:
    """Arguments for lists of this kind. If `valid`, they are an error for no function."""
    grades = st.sampled_from([0.0, 1.0, 2.0, 3.0, None])
    fractions = st.sampled_from([0.0, 1.0, 2.0, 0.5, 4.25, -0.0, 10.0, None])
    signed = st.sampled_from([0.0, 1.0, 0.5, -2.0, None])
    rel = draw(st.sampled_from([grades, fractions] * 2 + [signed] * (not valid)))
    item = st.sampled_from([*ITEMS[items], None])
    args: tuple[Any, ...]
    if kind == "ids":
        args = draw(some(item)), draw(some(item))
    elif kind == "map":
        args = draw(some(item)), draw(seldom(st.sampled_from([None, {}]), judgements(ITEMS[items], rel)))
    elif kind == "structs":
        entries = [*draw(judgements(ITEMS[items], rel)).items(), None, (None, 1.0)]
        args = draw(some(item)), draw(some(st.sampled_from(entries)))
    elif kind == "lists":
        truth = draw(some(rel))
        ranked = st.permutations([*(truth or []), None]).map(lambda order: order[:6])
        args = draw(ranked if valid else seldom(some(rel), ranked)), truth
    elif kind in SCORED:
        # Few scores, so that many items tie; few items, so that the reference can try all orders.
        score = st.sampled_from(draw(st.lists(SCORES, min_size=2, max_size=4)))
        pair = st.tuples(score, rel | signed if kind == "aligned" else rel)
        pairs = draw(some(pair, most=6 if kind == "scored" else 9))
        scores, rels = (pairs and [pair[side] for pair in pairs] for side in (0, 1))
        unusual = [None, [], [None] * len(rels or []), *([] if valid else [[*(scores or []), 1.0]])]
        args = draw(seldom(st.sampled_from(unusual), st.just(scores))), rels
    else:
        assert kind == "rels"
        args = (draw(some(rel)),)
    options = draw(
        st.fixed_dictionaries({}, optional={name: option_values(OPTIONS[name], valid) for name in OPTIONS})
    )
    if valid and options.get("no_relevant") == "error":
        options["no_relevant"] = "zero"
    if valid and options.get("convention") == "trec_eval":
        options.setdefault("ties", "average")
    return Row(args, draw(st.none() | st.integers(1, 10)), options)


def batches(kind: str, items: str, valid: bool = False) -> st.SearchStrategy[list[Row]]:
    return st.lists(rows(kind, items, valid), min_size=BATCH, max_size=BATCH)


def functions(kind: str) -> list[rankdcg_sql.Function]:
    """The functions that take lists of this kind."""
    return [function for function in FUNCTIONS.values() if kind in kinds(function)]


def kinds(function: rankdcg_sql.Function) -> tuple[str, ...]:
    if function.arguments[0] == "rels":
        return ("rels",)
    if function.arguments[:2] == ("scores", "rels"):
        return ("scored",)
    assert function.arguments[:2] == ("rec", "truth")
    return ("aligned", "lists", *GRADED) if function.name == "rankdcg" else ("ids", "lists", *GRADED)


def suited(function: rankdcg_sql.Function, row: Row) -> Row:
    """The row, reduced to the arguments that the function takes."""
    options = {name: value for name, value in row.options.items() if name in function.options}
    if "gain" in function.options and options.get("min_rel") is not None:
        options["gain"] = "binary"  # min_rel needs it
    if "max_rel" in function.options:
        options.setdefault("max_rel", 10.0)
    return replace(row, k=row.k if "k" in function.arguments else None, options=options)


def near(value: float | None, expected: float | None) -> bool:
    if value is None or expected is None:
        return value is expected
    return math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-12)


# Against the reference


def test_the_reference_knows_every_function_and_option():
    """A function or option that the reference does not know would not be tested here."""
    known = {name: set(names) for name, names in reference.OPTIONS.items()}
    assert {name: set(function.options) for name, function in FUNCTIONS.items()} == known
    choices = {name: (set(option.values), option.default) for name, option in OPTIONS.items()}
    for name, number in reference.NUMBERS.items():
        unset = (set(), str(number.default)) if number.default is not None else ({"unset"}, "unset")
        assert choices.pop(name) == unset
    assert choices == {name: (set(values), values[0]) for name, values in reference.CHOICES.items()}
    assert {name for name, option in OPTIONS.items() if option.other} == OTHER_VALUES.keys()


@every_input
@settings(quick, max_examples=12)
@given(data=st.data())
def test_every_engine_agrees_with_the_reference(
    engines: dict[str, Engine], grouping: dict[str, Engine], kind: str, items: str, data: st.DataObject
):
    batch = data.draw(batches(kind, items))
    name = data.draw(st.sampled_from(sorted(grouping)))
    one_more = {name: grouping[name]}
    for function in functions(kind):
        right, expected, wrong = [], [], []
        for row in (suited(function, row) for row in batch):
            try:
                expected.append(by_reference(function.name, kind, row))
                right.append(row)
            except ValueError:
                wrong.append(row)
        results = [engine.many(function.name, kind, right) for engine in holding(engines, kind) if right]
        assert all(values == results[0] for values in results), f"{function.name}: engines differ"
        for row, value, wanted in zip(right, results[0] if results else [], expected, strict=True):
            assert near(value, wanted), f"{function.name} of {row}: {value}, expected {wanted}"
        for engine in holding(one_more, kind):
            places = [place for place, row in enumerate(right) if engine.supports(function.name, kind, row)]
            values = engine.many(function.name, kind, [right[place] for place in places]) if places else []
            wanted = [results[0][place] for place in places]
            assert values == wanted, (function.name, engine, [right[place] for place in places])
        for row in wrong[:1]:
            for engine in holding(engines | one_more, kind):
                if engine.supports(function.name, kind, row):
                    with pytest.raises(engine.error, match=f"{engine.function_name(function.name)}: "):
                        engine.one(function.name, kind, row.args, row.k, **row.options)


@every_kind
def test_long_lists_in_many_rows(engines: dict[str, Engine], grouping: dict[str, Engine], kind: str):
    """Lists longer than the small lookup table, more rows than a DuckDB vector has (2048), and slices."""
    chance = random.Random(kind)
    distinct = [long_row(chance, kind) for _ in range(25)]
    places = [chance.randrange(len(distinct)) for _ in range(2049)]
    for function in functions(kind):
        cases = [suited(function, row) for row in distinct]
        expected = [by_reference(function.name, kind, row) for row in cases]
        columns = full(function.name, kind, [cases[place] for place in places])
        for engine in holding(engines, kind):
            for start, length in [(0, 0), (0, 2047), (0, 2048), (0, 2049), (1, 2048), (1000, 7)]:
                values = engine.over(function.name, [column.slice(start, length) for column in columns])
                wanted = [expected[place] for place in places[start : start + length]]
                assert len(values) == length
                assert all(map(near, values, wanted)), (function.name, engine, start, length)
        for engine in holding(grouping, kind):
            taken = [place for place in places[:200] if engine.supports(function.name, kind, cases[place])]
            if taken:
                values = engine.many(function.name, kind, [cases[place] for place in taken])
                wanted = [expected[place] for place in taken]
                assert all(map(near, values, wanted)), (function.name, engine)


def long_row(chance: random.Random, kind: str) -> Row:
    def drawn(values: list[Any]) -> list[Any] | None:
        count = chance.choice([0, 1, 31, 32, 33, 63, 64, 65, 150])
        return chance.choices(values, k=count) if chance.random() < 0.95 else None

    options = {
        "duplicates": chance.choice(["first", "count"]),
        "ties": chance.choice(["average", "pessimistic", "optimistic"]),
        "ap_steps": chance.choice(["rank", "threshold"]),
        "rbp_gain": chance.choice(["binary", "linear"]),
        "empty_rec": chance.choice(["zero", "null"]),
    }
    args: tuple[Any, ...]
    if kind == "scored":
        rels = drawn([0.0, 0.0, 0.0, 1.0, 2.0, None]) or []
        scores: list[float | None] = chance.choices([*range(20), None], k=len(rels))
        if options["ties"] == "average":  # one relevant item among others that tie: not many orders differ
            scores = [*chance.sample(range(len(rels)), len(rels))]
            tied = [place for place, rel in enumerate(rels) if not rel][: chance.choice([0, 1, 40])]
            tied += [place for place, rel in enumerate(rels) if rel][:1]
            for place in tied:
                scores[place] = len(rels) / 3 + 0.5
        args = (scores, rels)
    elif kind in ("lists", "aligned", "rels"):
        rels = drawn([0.0, 0.0, 0.0, 1.0, 2.0, None]) or []
        other = chance.sample(rels, len(rels))
        args = {"lists": (other, rels), "aligned": (other, rels), "rels": (rels,)}[kind]
    else:
        rec, truth = drawn([None, *range(200)]), drawn([None, *range(200)])
        graded = truth and {item: item % 4 / 2 for item in truth if item is not None}
        args = (rec, truth if kind == "ids" else graded)
    return Row(args, chance.choice([None, 1, 10, 32, 33, 500]), options)


# Against themselves


def assert_same(
    engine: Engine, kind: str, batch: list[Row], change: Callable[[Row], Row], other_kind: str | None = None
):
    """Assert that no bit of a result changes if each row is changed, or given as another kind of lists."""
    other_kind = other_kind or kind
    for function in functions(kind):
        if other_kind not in kinds(function):
            continue
        before = [suited(function, row) for row in batch]
        after = [change(row) for row in before]
        values = engine.many(function.name, kind, before)
        assert engine.many(function.name, other_kind, after) == values, function.name


def with_truth(row: Row, truth: Any) -> Row:
    return replace(row, args=(*row.args[:-1], truth))


@every_kind
@quick
@given(data=st.data())
def test_every_result_is_in_its_range(engines: dict[str, Engine], kind: str, data: st.DataObject):
    ranges: dict[str, Callable[[float], bool]] = {
        "0 to 1": lambda value: 0 <= value <= 1,
        "0 or 1": lambda value: value in (0, 1),
        "0 or more": lambda value: 0 <= value < math.inf,
        "-1 to 1": lambda value: -1 <= value <= 1,
    }
    batch = data.draw(batches(kind, "integers", valid=True))
    for function in functions(kind):
        cases = [suited(function, row) for row in batch]
        for row, value in zip(cases, engines["core"].many(function.name, kind, cases), strict=True):
            # A value may exceed 1 if repeats count, if hits gain their relevance, or if the ideal is k
            # gains of 1.
            options = reference.CONVENTIONS[row.options.get("convention", "hivemall_page")] | row.options
            passing = {"duplicates": "count", "idcg": "k", "rbp_gain": "linear"}
            passes = any(options.get(name) == value for name, value in passing.items())
            assert passes or value is None or ranges[function.range](value), (function.name, row, value)


@pytest.mark.parametrize("kind", ["ids", *GRADED, "lists"])
@quick
@given(data=st.data())
def test_the_order_of_truth_does_not_matter(engines: dict[str, Engine], kind: str, data: st.DataObject):
    chance = data.draw(st.randoms(use_true_random=False))

    def shuffled(row: Row) -> Row:
        truth = row.args[1]
        if truth is None:
            return row
        entries = list(truth.items() if isinstance(truth, dict) else truth)
        chance.shuffle(entries)
        return with_truth(row, dict(entries) if isinstance(truth, dict) else entries)

    assert_same(engines["core"], kind, data.draw(batches(kind, "integers", valid=True)), shuffled)


@pytest.mark.parametrize("kind", ["ids", *GRADED])
@quick
@given(data=st.data())
def test_the_names_of_items_do_not_matter(engines: dict[str, Engine], kind: str, data: st.DataObject):
    def name(item: int | None) -> str | None:
        return None if item is None else f"item {item}"

    def renamed(row: Row) -> Row:
        rec, truth = row.args
        if isinstance(truth, dict):
            truth = {name(item): rel for item, rel in truth.items()}
        elif kind == "structs":
            truth = truth and [entry and (name(entry[0]), entry[1]) for entry in truth]
        else:
            truth = truth and [name(item) for item in truth]
        return replace(row, args=(rec and [name(item) for item in rec], truth))

    assert_same(engines["core"], kind, data.draw(batches(kind, "integers", valid=True)), renamed)


@pytest.mark.parametrize("kind", ["ids", *GRADED, "lists", "scored", "rels"])
@quick
@given(data=st.data())
def test_k_past_the_end_is_no_k(engines: dict[str, Engine], kind: str, data: st.DataObject):
    def without(row: Row, k: int | None) -> Row:
        """The row without options by which k itself enters the value."""
        by_k = {"k", *(name for name, options in reference.CONVENTIONS.items() if "k" in options.values())}
        options = {name: value for name, value in row.options.items() if value not in by_k}
        return replace(row, k=k, options=options)

    batch = [without(row, None) for row in data.draw(batches(kind, "integers", valid=True))]
    for function in functions(kind):
        if "k" in function.arguments:
            values = engines["core"].many(function.name, kind, [suited(function, row) for row in batch])
            for k in (10, 2**62):
                cut = [suited(function, without(row, k)) for row in batch]
                assert engines["core"].many(function.name, kind, cut) == values, function.name


@pytest.mark.parametrize("kind", ["map", "structs", "lists", "scored"])
@quick
@given(data=st.data())
def test_an_extra_irrelevant_judgement_changes_nothing(
    engines: dict[str, Engine], kind: str, data: st.DataObject
):
    def longer(row: Row) -> Row:
        truth = row.args[1]
        if truth is None:
            return row
        if kind == "lists":
            return with_truth(row, [*truth, 0.0])
        if kind == "scored":  # without any judgement there is no truth
            return with_element(row, None, 0.0) if is_judged(row) else row
        return with_truth(row, truth | {1000: 0.0} if kind == "map" else [*truth, (1000, 0.0)])

    batch = data.draw(batches(kind, "integers", valid=True))
    for function in functions(kind):
        if function.name != "rankdcg":  # in rankdcg, every judged item counts
            before = [suited(function, row) for row in batch]
            values = engines["core"].many(function.name, kind, before)
            assert engines["core"].many(function.name, kind, list(map(longer, before))) == values, (
                function.name
            )


@pytest.mark.parametrize("kind", ["ids", *GRADED, "lists"])
@quick
@given(data=st.data())
def test_items_below_k_change_nothing(engines: dict[str, Engine], kind: str, data: st.DataObject):
    below = [None] if kind == "lists" else [1000, None]

    def filled(row: Row) -> Row:
        rec = [*(row.args[0] or []), *below * 10]
        return replace(row, k=row.k or 3, args=(rec, *row.args[1:]))

    batch = [filled(row) for row in data.draw(batches(kind, "integers", valid=True))]
    assert_same(
        engines["core"], kind, batch, lambda row: replace(row, args=([*row.args[0], *below], *row.args[1:]))
    )


@pytest.mark.parametrize("items", ITEMS)
@pytest.mark.parametrize("kind", GRADED)
@quick
@given(data=st.data())
def test_relevant_items_are_judgements_of_one(
    engines: dict[str, Engine], kind: str, items: str, data: st.DataObject
):
    def judged(row: Row) -> Row:
        truth = row.args[1]
        return with_truth(row, truth if truth is None else {item: 1 for item in truth if item is not None})

    assert_same(engines["core"], "ids", data.draw(batches("ids", items, valid=True)), judged, kind)


@quick
@given(data=st.data())
def test_rels_equal_lists_with_themselves_as_truth(engines: dict[str, Engine], data: st.DataObject):
    batch = data.draw(batches("rels", "integers", valid=True))
    for function in functions("rels"):
        cases = [suited(function, row) for row in batch]
        both = [replace(row, args=row.args * 2) for row in cases]
        values = engines["core"].many(function.name, "rels", cases)
        assert engines["core"].many(function.name.removesuffix("_rels"), "lists", both) == values


@pytest.mark.parametrize("kind", ["map", "structs"])
@quick
@given(truths=st.lists(judgements(ITEMS["integers"], st.sampled_from([0, 1, 2, 3.5])), min_size=1))
def test_the_ideal_order_scores_one(engines: dict[str, Engine], kind: str, truths: list[dict[int, float]]):
    best = [Row((sorted(truth, key=truth.__getitem__, reverse=True), truth)) for truth in truths]
    for name in ("recall_at", "hit_rate", "mrr", "average_precision", "ndcg"):
        expected = [1.0 if any(truth.values()) else None for truth in truths]
        assert engines["core"].many(name, kind, best) == expected, name
    worst = [replace(row, args=(row.args[0][::-1], row.args[1])) for row in best]
    for batch, score in ((best, 1.0), (worst, 0.0)):
        expected = [score if len(set(truth.values())) > 1 else None for truth in truths]
        assert engines["core"].many("rankdcg", kind, batch) == expected


# Scores


def with_element(row: Row, score: float | None, rel: float | None) -> Row:
    """The row with one more item. If the scores are NULL or empty, they stay so."""
    scores, rels = row.args
    return replace(row, args=(scores and [*scores, score], rels if rels is None else [*rels, rel]))


def without_order(row: Row) -> Row:
    """The row without options that leave tied items in the order of the list."""
    options = dict(row.options)
    if options.get("ties") == "input_order":
        options["ties"] = "average"
    if options.get("convention") == "ranx":
        options.setdefault("ties", "average")
    return replace(row, options=options)


def is_judged(row: Row) -> bool:
    return any(rel is not None for rel in row.args[1] or [])


def shuffled(row: Row, chance: random.Random) -> Row:
    """The row with its items in another order."""
    scores, rels = row.args
    places = chance.sample(range(len(rels or [])), len(rels or []))
    return replace(row, args=tuple(each and [each[place] for place in places] for each in (scores, rels)))


@pytest.mark.parametrize("kind", SCORED)
@quick
@given(data=st.data())
def test_the_order_of_scored_items_does_not_matter(
    engines: dict[str, Engine], kind: str, data: st.DataObject
):
    chance = data.draw(st.randoms(use_true_random=False))
    batch = [without_order(row) for row in data.draw(batches(kind, "integers", valid=True))]
    assert_same(engines["core"], kind, batch, lambda row: shuffled(row, chance))


@pytest.mark.parametrize("kind", SCORED)
def test_no_bit_depends_on_the_order_of_scored_items(
    engines: dict[str, Engine], grouping: dict[str, Engine], kind: str
):
    """The sums of these numbers round, and depend on the order of the terms."""
    chance = random.Random(kind)
    seen = set()
    for number in range(60):
        size = chance.choice([3, 20, 120])
        rels = [chance.random() * 3 if chance.random() < 0.9 else None for _ in range(size)]
        levels = [chance.random() for _ in range(chance.choice([1, 3, 12]))]
        scores = chance.choices([*levels, None], k=size)
        drawn = {name: chance.choice(option.values) for name, option in OPTIONS.items() if not option.other}
        options = drawn | {
            "gain": chance.choice(["exp2", "linear"]),
            "ties": chance.choice(["average", "pessimistic", "optimistic"]),
        }
        one = Row((scores, [*rels[1:], 1.1]), chance.choice([None, 1, size // 3, size]), options)
        orders = [one, *(shuffled(one, chance) for _ in range(5))]
        for function in functions(kind):
            cases = [suited(function, row) for row in orders]
            for engine in holding(engines if number % 5 else engines | grouping, kind):
                values = engine.many(function.name, kind, cases)
                assert set(values) == {values[0]}, (function.name, one)
                seen.add(values[0])
    assert len(seen) > 10 * len(functions(kind))


@pytest.mark.parametrize("kind", SCORED)
@quick
@given(data=st.data())
def test_an_item_without_score_and_relevance_does_not_matter(
    engines: dict[str, Engine], kind: str, data: st.DataObject
):
    batch = data.draw(batches(kind, "integers", valid=True))
    assert_same(engines["core"], kind, batch, lambda row: with_element(row, None, None))


@pytest.mark.parametrize("kind", SCORED)
@quick
@given(data=st.data())
def test_scores_without_ties_equal_ranked_lists(engines: dict[str, Engine], kind: str, data: st.DataObject):
    chance = data.draw(st.randoms(use_true_random=False))
    before, after = [], []
    for row in data.draw(batches(kind, "integers", valid=True)):
        scores, rels = row.args[0] or [], row.args[1] or []
        # Aligned lists leave out unjudged items.
        retrieved = [
            place
            for place, (score, rel) in enumerate(zip(scores, rels, strict=False))
            if score is not None and (kind == "scored" or rel is not None)
        ]
        chance.shuffle(retrieved)  # the order of the retrieved items
        distinct = {place: -index / 3 for index, place in enumerate(retrieved)}
        judged = {place: rel for place, rel in enumerate(rels) if rel is not None}
        before.append(replace(row, args=([distinct.get(place) for place in range(len(rels))], rels)))
        after.append(replace(row, args=(retrieved, judged or None)))
    for function in functions(kind):
        lists_name = function.name.removesuffix("_scored")
        if kind == "scored" and lists_name == function.name:  # functions that read scores alone
            continue
        values = engines["core"].many(function.name, kind, [suited(function, row) for row in before])
        ranked = [suited(FUNCTIONS[lists_name], row) for row in after]
        assert engines["core"].many(lists_name, "map", ranked) == values, function.name


def rises_with_every_swap(function: rankdcg_sql.Function, row: Row) -> bool:
    """Whether a value cannot fall if the more relevant of two tied items comes first.

    It can fall if the divisor is the number of hits or misses above the cut.
    """
    by_shown_hits = function.name == "auc_scored" and row.k is not None
    convention = reference.CONVENTIONS[row.options.get("convention", "hivemall_page")]
    return not by_shown_hits and (convention | row.options).get("ap_denominator") != "hits"


@pytest.mark.parametrize("kind", SCORED)
@quick
@given(data=st.data())
def test_the_expected_value_lies_between_the_worst_and_the_best(
    engines: dict[str, Engine], kind: str, data: st.DataObject
):
    batch = data.draw(batches(kind, "integers", valid=True))
    for function in functions(kind):
        cases = [suited(function, row) for row in batch]
        cases = [row for row in cases if rises_with_every_swap(function, row)]
        if not cases or "ties" not in function.options:
            continue
        worst, mean, best = (
            engines["core"].many(
                function.name, kind, [replace(row, options=row.options | {"ties": ties}) for row in cases]
            )
            for ties in ("pessimistic", "average", "optimistic")
        )
        for row, low, value, high in zip(cases, worst, mean, best, strict=True):
            if value is None:
                assert low is high is None
            else:
                assert low - 1e-12 <= value <= high + 1e-12, (function.name, row)


@pytest.mark.parametrize(
    ("items", "relevant", "k"),
    [(1000, 30, 10), (1000, 990, 25), (3000, 300, 299), (3000, 2, 3000), (2000, 1, 1), (40, 40, 7)],
)
def test_large_blocks_of_tied_items(any_engine: Engine, items: int, relevant: int, k: int):
    engine, rels = any_engine, [1.0] * relevant + [0.0] * (items - relevant)
    for name, options, expected in all_tied(items, relevant, k) if engine.forms("scored") else []:
        value = engine.one(f"{name}_scored", "scored", ([0.25] * items, rels), **options)
        assert near(value, expected), (name, options, value, expected)


@quick
@given(data=st.data())
def test_aggregates_in_polars_are_the_scored_form(engines: dict[str, Engine], data: st.DataObject):
    polars = engines["polars"]
    drawn = data.draw(batches("scored", "integers", valid=True))
    batch = [row for row in drawn if row.args[1]]  # a group has at least one row
    items = [
        (place, score, rel)
        for place, (scores, rels) in enumerate(row.args for row in batch)
        for score, rel in zip(scores or [None] * len(rels), rels, strict=True)
    ]
    data.draw(st.randoms(use_true_random=False)).shuffle(items)
    schema = {"place": pl.Int64, "score": pl.Float64, "rel": pl.Float64}
    frame = pl.DataFrame(items, schema, orient="row")
    for function in [*functions("scored"), FUNCTIONS["rankdcg"]] if batch else []:
        common = suited(function, without_order(batch[0]))  # k and options are constants
        if function.name == "rankdcg":  # aligned lists leave out unjudged items
            common = replace(common, options=common.options | {"unjudged": "skip", "empty_rec": "zero"})
        cases = [replace(common, args=row.args) for row in batch]
        call = getattr(rk, polars.function_name(function.name).removesuffix("_scored") + "_agg")
        cut = [common.k] if "k" in function.arguments else []
        value = call("score", "rel", *cut, **common.options).alias("value")
        values = frame.group_by("place").agg(value).sort("place")["value"].to_list()
        kind = "aligned" if function.name == "rankdcg" else "scored"
        assert values == polars.many(function.name, kind, cases), function.name


# The same by other types, names and words


@pytest.mark.parametrize("kind", ["ids", "structs", "lists", *SCORED, "rels"])
@quick
@given(data=st.data(), length=st.integers(1, 5))
def test_arrays_are_lists(engines: dict[str, Engine], kind: str, data: st.DataObject, length: int):
    def fits(row: Row) -> bool:
        return all(arg is None or len(arg) >= length for arg in row.args)

    batch = [
        replace(row, args=tuple(arg and arg[:length] for arg in row.args))
        for row in data.draw(batches(kind, "integers", valid=True))
        if fits(row)
    ]
    if kind == "lists":  # the unchanged truth, which must hold the retrieved relevances
        batch = [with_truth(row, row.args[0]) for row in batch]
    for function in functions(kind) if batch else []:
        cases = [suited(function, row) for row in batch]
        columns = full(function.name, kind, cases)
        count = len(lists(kind, [batch[0].args]))
        arrays = [
            pa.array(column.to_pylist(), pa.list_(column.type.value_type, length))
            for column in columns[:count]
        ]
        for engine in holding(engines, kind):
            values = engine.over(function.name, columns)
            assert engine.over(function.name, [*arrays, *columns[count:]]) == values, function.name


@every_kind
@settings(quick, max_examples=4)
@given(data=st.data())
def test_one_call_is_a_row_of_many(engines: dict[str, Engine], kind: str, data: st.DataObject):
    items = "texts" if kind in GRADED else "integers"
    batch = data.draw(st.lists(rows(kind, items, valid=True), min_size=5, max_size=5))
    for function in functions(kind):
        cases = [suited(function, row) for row in batch]
        for engine in holding(engines, kind):
            values = engine.many(function.name, kind, cases)
            single = [engine.one(function.name, kind, row.args, row.k, **row.options) for row in cases]
            assert single == values, function.name


@quick
@given(data=st.data())
def test_other_names_are_the_same_function(engines: dict[str, Engine], data: st.DataObject):
    drawn = {kind: data.draw(batches(kind, "integers", valid=True)) for kind in ("structs", "scored")}
    named = [(function, alias) for function in FUNCTIONS.values() for alias in function.aliases]
    assert {alias for _, alias in named} >= {"precision", "recall", "f1", "hitrate", "precision_scored"}
    for function, alias in named:
        (kind,) = drawn.keys() & set(kinds(function))
        cases = [suited(function, row) for row in drawn[kind]]
        for engine in engines.values():
            assert engine.many(alias, kind, cases) == engine.many(function.name, kind, cases), alias


@quick
@given(data=st.data())
def test_denominator_is_the_short_form_of_one_option(engines: dict[str, Engine], data: st.DataObject):
    batch = data.draw(batches("ids", "integers", valid=True))
    short = [function for function in functions("ids") if function.denominator]
    assert {function.name for function in short} == {"precision_at", "recall_at", "average_precision"}
    with_scores = {function.name: function.denominator for function in functions("scored")}
    assert [with_scores[f"{each.name}_scored"] for each in short] == [each.denominator for each in short]
    for function in short:
        long = [suited(function, row) for row in batch]
        words = {function.denominator: "denominator"}
        same = [
            replace(row, options={words.get(name, name): value for name, value in row.options.items()})
            for row in long
        ]
        values = engines["core"].many(function.name, "ids", long)
        assert engines["core"].many(function.name, "ids", same) == values
        assert [by_reference(function.name, "ids", row) for row in same] == [
            by_reference(function.name, "ids", row) for row in long
        ]


@quick
@given(data=st.data())
def test_blanks_case_and_order_of_options_do_not_matter(engines: dict[str, Engine], data: st.DataObject):
    batch = data.draw(batches("map", "integers", valid=True))
    chance = data.draw(st.randoms(use_true_random=False))

    def written(text: str | None) -> str | None:
        pairs = text.split(",") if text else []
        chance.shuffle(pairs)
        words = ",".join(chance.choice([" {} ", "{}"]).format(pair.replace("=", " = ")) for pair in pairs)
        return chance.choice([words, words.upper()])

    for function in functions("map"):
        *columns, texts = full(function.name, "map", [suited(function, row) for row in batch])
        others = pa.array([written(text) for text in texts.to_pylist()])
        for engine in holding(engines, "map"):  # Polars does not take options as a text
            values = engine.over(function.name, [*columns, texts])
            assert engine.over(function.name, [*columns, others]) == values, function.name


# The rules, one by one


@pytest.mark.parametrize(
    ("function", "kind", "args", "k", "options", "expected"),
    [
        # The ideal does not depend on the retrieved items, so sum(dcg) / sum(idcg) counts every user.
        ("idcg", "ids", ([], [1, 2, 3]), 1, {}, 1.0),
        ("idcg", "ids", (None, [1, 2, 3]), 1, {}, 1.0),
        ("idcg", "ids", ([1], [1, 2, 3]), None, {"discount": "log2_clip"}, 1 + 1 + 1 / math.log2(3)),
        ("idcg", "graded", ([], {1: 3, 2: 0}), None, {}, 7.0),
        ("idcg", "lists", ([], [0, 3]), 5, {"gain": "linear"}, 3.0),
        ("idcg", "graded", ([], {1: 3}), None, {"idcg": "retrieved"}, 0.0),
        ("dcg", "graded", ([], {1: 3}), None, {}, 0.0),
        ("ndcg", "graded", (None, {1: 3}), None, {}, 0.0),
        (
            "ndcg",
            "graded",
            ([1], {1: 1, 2: 1, 3: 1}),
            None,
            {"discount": "log2_clip"},
            1 / (2 + 1 / math.log2(3)),
        ),
        # With empty_rec=null, a user without recommendations has no value, for every truth.
        ("ndcg", "graded", ([], {1: 3}), None, {"empty_rec": "null"}, None),
        ("idcg", "graded", (None, {1: 3}), None, {"empty_rec": "null"}, None),
        ("mrr", "ids", ([], []), None, {"empty_rec": "null", "no_relevant": "error"}, None),
        ("auc_scored", "scored", ([None, None], [1, 0]), None, {"empty_rec": "null"}, None),
        ("rankdcg", "aligned", ([None, None], [1, 2]), None, {"empty_rec": "null"}, None),
        ("recall_at", "ids", ([2], [1]), None, {"empty_rec": "null"}, 0.0),
        # The precision after all items of a score: 1 of 5 items, and 1 of 2 in either order.
        (
            "average_precision_scored",
            "scored",
            ([3.5, 1, 0.5, 0.25, 0.25, 0], [0, 0, 0, 0, 1, 0]),
            None,
            {"ap_steps": "threshold"},
            0.2,
        ),
        (
            "average_precision_scored",
            "scored",
            ([3, 2, 2], [0, 1, 1]),
            None,
            {"ap_steps": "threshold"},
            2 / 3,
        ),
        (
            "average_precision_scored",
            "scored",
            ([2, 2, 2], [0, 0, 1]),
            2,
            {"ap_steps": "threshold", "ties": "optimistic"},
            0.5,
        ),
        # Each tied item is in the top 1 in half of the orders, and is then the last of its score there.
        ("average_precision_scored", "scored", ([1, 1], [0, 1]), 1, {"ap_steps": "threshold"}, 0.5),
        # The cut leaves one rank, however many items were retrieved.
        (
            "average_precision",
            "ids",
            ([1, 2, 3], [1, 2, 3]),
            1,
            {"ap_denominator": "min_truth_retrieved"},
            1.0,
        ),
        # Each hit gains its relevance; tied items gain their mean relevance.
        ("rbp", "graded", ([1, 2, 3], {1: 3, 3: 1}), None, {"rbp_gain": "linear", "p": 0.5}, 1.625),
        (
            "rbp",
            "graded",
            ([1, 2, 3], {1: 3, 3: 1}),
            None,
            {"rbp_gain": "linear", "p": 0.5, "min_rel": 2},
            1.5,
        ),
        ("rbp_scored", "scored", ([1, 1], [4, 0]), None, {"rbp_gain": "linear", "p": 0.5}, 1.5),
        (
            "rbp_scored",
            "scored",
            ([1, 1], [4, 1]),
            None,
            {"rbp_gain": "linear", "p": 0.5, "min_rel": 2},
            1.5,
        ),
        # The first rule that applies wins: NULL truth, nothing relevant, nothing retrieved.
        ("auc", "ids", ([], [1]), None, {"one_class": "null"}, 0.0),
        ("auc", "ids", ([1], [1]), None, {"one_class": "null"}, None),
        ("auc", "ids", ([], []), None, {"no_relevant": "one"}, 1.0),
        ("auc", "ids", ([], None), None, {"no_relevant": "error"}, None),
        ("rankdcg", "aligned", ([], [1, 2]), None, {}, 0.0),
        # Nothing retrieved never counts for more than a wrong item.
        ("rankdcg", "aligned", ([], [2, 2]), None, {}, 0.0),
        ("rankdcg", "aligned", ([None], [1]), None, {"empty_rec": "null"}, None),
        ("rankdcg", "aligned", ([None, None], [0, 0]), None, {}, None),
        ("rankdcg", "aligned", ([2, 1], [1, 1]), None, {}, None),
        ("rankdcg", "graded", ([], {1: 1, 2: 1}), None, {}, 0.0),
        ("rankdcg", "graded", (None, {1: 1}), None, {}, 0.0),
        ("rankdcg", "graded", ([3], {1: 1, 2: 1}), None, {}, 0.0),
        ("rankdcg", "graded", ([1], {1: 1, 2: 1}), None, {}, None),
        ("rankdcg", "graded", ([], {1: -1}), None, {}, 0.0),
        ("rankdcg", "graded", ([], {1: 0}), None, {}, None),
        ("rankdcg", "graded", ([], {}), None, {}, None),
        ("rankdcg", "graded", ([3], {1: 1}), None, {"unjudged": "skip"}, 0.0),
        ("rankdcg", "lists", ([], [1, 1]), None, {}, 0.0),
        ("rankdcg", "lists", ([1], [1, 1]), None, {}, None),
        # Three rankings without a retrieved item. Without a judgement, NULL comes before every other rule.
        ("rankdcg", "aligned", ([None, None], [1, 2]), None, {"ties": "optimistic"}, 0.0),
        ("rankdcg", "aligned", ([3, None, None], [None, 1, 2]), None, {"ties": "average"}, 0.0),
        # Relevances 3, 1, 1 and five items that nobody judged. rel' is 3, 2, 2, 1 ..., the discounts are
        # 1, 2, 2, 3 ... DCG' is 1/1 + 2 * 1/2 + 2 * 1/3 + 3/3 + 2 * 2/3 = 5, and that of the reversed order
        # 1/1 + 2 * 1/2 + 2 * 1/3 + 2/3 + 2/3 + 3/3 = 5: nothing is worse.
        ("rankdcg", "graded", ([6, 5, 4, 3, 2, 1], {1: 3, 7: 1, 8: 1}), None, {}, 0.0),
        ("rankdcg", "graded", ([6, 5, 4, 3, 2, 1], {1: 3, 7: 1, 8: 1}), None, {"unjudged": "skip"}, 1.0),
        # rel' is 2, 1 and the discounts are 1, 2: DCG' is 2/1 + 1/2, the other way round 1/1 + 2/2.
        ("rankdcg", "graded", ([1, 2], {1: 1}), None, {}, 1.0),
        ("rankdcg", "graded", ([2, 1], {1: 1}), None, {}, 0.0),
        ("rankdcg", "graded", ([2, 1], {1: 1}), None, {"unjudged": "skip"}, None),
        # Relevance 0 is one level, for judged and unjudged items. Negative relevances are levels below it.
        ("rankdcg", "graded", ([1, 2, 3], {1: 1, 2: 0}), None, {}, 1.0),
        ("rankdcg", "graded", ([1, 3, 2], {1: 1, 2: -1}), None, {}, 1.0),
        # Each NULL item is an unjudged item, and the repeat of an item is none.
        ("rankdcg", "graded", ([1, 1, 2], {1: 2, 2: 1}), None, {"unjudged": "skip"}, 1.0),
        ("rankdcg", "graded", ([1, None, 2], {1: 2, 2: 1}), None, {"unjudged": "skip"}, 1.0),
        ("rankdcg", "graded", ([1, 1, 2], {1: 2, 2: 1}), None, {}, 1.0),
        ("rankdcg", "graded", ([2, 2, 1], {1: 2, 2: 1}), None, {}, 0.0),
        ("rankdcg", "graded", ([2, 2, 1], {1: 2, 2: 1}), None, {"convention": "spark"}, 0.0),
        # 3 levels, discounts 1, 2, 3: 3/1 + 1/2 + 2/3 from 1/1 + 2/2 + 3/3, to 3/1 + 2/2 + 1/3.
        ("rankdcg", "graded", ([1, None, 2], {1: 2, 2: 1}), None, {}, 0.875),
        ("rankdcg", "graded", ([1, 9, 9], {1: 2, 2: 1}), None, {}, 0.875),
        # Discounts 1, 2, 3, 3: 3/1 + 1/2 + 1/3 + 2/3 from 1/1 + 1/2 + 2/3 + 3/3, to 3/1 + 2/2 + 1/3 + 1/3.
        ("rankdcg", "graded", ([1, None, None], {1: 2, 2: 1}), None, {}, 8 / 9),
        # Items that were not retrieved follow in the worst order, for every value of ties.
        ("rankdcg", "graded", ([1], {1: 1, 2: 2, 3: 3}), None, {"ties": "optimistic"}, 0.0),
        ("rankdcg", "aligned", ([5, None, None], [1, 2, 3]), None, {"ties": "optimistic"}, 0.0),
        ("rankdcg", "aligned", ([5, None, None], [1, 2, 3]), None, {"ties": "average"}, 0.0),
        # Aligned lists leave out an item without a relevance.
        ("rankdcg", "aligned", ([3, 2, 1], [None, 5, 4]), None, {}, 1.0),
        ("rankdcg", "aligned", ([3, 2, 1], [None, 5, 4]), None, {"unjudged": "zero"}, 1.0),
        ("ndcg_scored", "scored", ([None, None], [1, 2]), None, {}, 0.0),
        ("ndcg_scored", "scored", ([], [1, 2]), None, {}, 0.0),
        ("ndcg_scored", "scored", (None, [1, 2]), None, {}, 0.0),
        ("idcg_scored", "scored", (None, [1]), None, {}, 1.0),
        ("ndcg_scored", "scored", (None, [0]), None, {"no_relevant": "one"}, 1.0),
        ("ndcg_scored", "scored", ([2, 1], [None, None]), None, {"no_relevant": "one"}, None),
        ("ndcg_scored", "scored", ([], []), None, {"no_relevant": "error"}, None),
        ("ndcg_scored", "scored", ([2, 1], None), None, {"no_relevant": "error"}, None),
        # An item that is judged only, one that is retrieved only, and one that is neither.
        ("recall_at_scored", "scored", ([None, 1, 2, None], [1, 1, None, None]), None, {}, 0.5),
        ("precision_at_scored", "scored", ([None, 1, 2, None], [1, 1, None, None]), None, {}, 0.5),
        # The top 2 holds both hits, or one hit in either order. Without a miss there, the value is NULL.
        ("auc_scored", "scored", ([1, 1, 1], [1, 1, 0]), 2, {"one_class": "null"}, 0.5),
        ("auc_scored", "scored", ([1, 1, 1], [1, 1, 0]), 2, {"one_class": "by_class"}, 2 / 3),
        ("auc_scored", "scored", ([2, 1, 1], [1, 1, 1]), 2, {"one_class": "null"}, None),
        # Ties are broken by relevance, also if gains do not rise with relevance.
        ("dcg_scored", "scored", ([1, 1], [1, 2]), 1, {"gain": [0, 3, 1], "ties": "pessimistic"}, 3.0),
        ("dcg_scored", "scored", ([1, 1], [1, 2]), 1, {"gain": [0, 3, 1], "ties": "optimistic"}, 1.0),
        ("dcg_scored", "scored", ([1, 1], [1, 2]), 1, {"gain": [0, 3, 1]}, 2.0),
        # -0 equals 0, and infinity is the greatest score.
        ("mrr_scored", "scored", ([0.0, -0.0], [0, 1]), None, {}, 0.75),
        ("mrr_scored", "scored", ([math.inf, math.inf, -math.inf], [0, 1, 1]), None, {}, 0.75),
        # A retrieved relevance of 0 that truth does not hold belongs to an unjudged item.
        ("cg", "lists", ([0, 3, 0], [3, 0]), None, {}, 3.0),
        ("rankdcg", "lists", ([3, 0, 0], [3, 0]), None, {}, 1.0),
        ("rankdcg", "lists", ([3, None, 1], [3, 1]), None, {}, 0.875),
        ("rankdcg", "lists", ([3, None, 1], [3, 1]), None, {"unjudged": "skip"}, 1.0),
    ],
)
def test_rule(
    any_engine: Engine,
    function: str,
    kind: str,
    args: tuple[Any, ...],
    k: int | None,
    options: dict[str, Any],
    expected: float | None,
):
    if any_engine.forms(kind) and any_engine.supports(function, kind, Row(args, k, options)):
        assert near(agreed(any_engine, function, kind, args, k, **options), expected)
    assert near(by_reference(function, kind, Row(args, k, options)), expected)


@settings(quick, max_examples=20)
@given(batch=batches("aligned", "integers", valid=True))
def test_rankdcg_of_a_group_counts_unjudged_items(
    engines: dict[str, Engine], grouping: dict[str, Engine], batch: list[Row]
):
    """Unjudged items have relevance 0 in the rows of a group, and are left out of aligned lists."""
    batch = [suited(FUNCTIONS["rankdcg"], row) for row in batch]
    batch = [row for row in batch if grouping["agg"].supports("rankdcg", "scored", row)]
    expected = [
        reference.evaluate_scored("rankdcg", *row.args, aligned=False, **row.options) for row in batch
    ]
    if not batch:
        return
    found = [
        engines["core"].over("rankdcg_agg", full("rankdcg", "aligned", batch)),
        grouping["agg"].many("rankdcg", "aligned", batch),
        [
            pl.DataFrame(
                {"score": row.args[0] or [None] * len(row.args[1]), "rel": row.args[1]},
                schema={"score": pl.Float64, "rel": pl.Float64},
            )
            .select(rk.rankdcg_agg("score", "rel", **row.options))
            .item()
            for row in batch
        ],
    ]
    for values in found:
        for row, value, wanted in zip(batch, values, expected, strict=True):
            assert near(value, wanted), (row, value, wanted)


def test_rankdcg_takes_no_k(engines: dict[str, Engine]):
    for engine in holding(engines, "map"):  # in Polars, rankdcg has no argument k
        with pytest.raises(engine.error, match="rankdcg: takes no k"):
            engine.one("rankdcg", "map", ([1, 2], {1: 2, 2: 1}), 3)


def test_the_worst_order_is_exactly_zero(engine: Engine):
    # The least relevant items are retrieved; the others follow in the worst order.
    assert engine.one("rankdcg", "lists", ([0, 0], [1, 0, 0, 0, 0]), ties="average") == 0
    assert agreed(engine, "rankdcg", "graded", ([1, 2], {1: 0, 2: 0, 3: 1, 4: 0, 5: 0}), ties="average") == 0


@pytest.mark.parametrize(
    ("function", "kind", "args", "k", "options", "message"),
    [
        ("ndcg", "ids", ([1], [1]), 0, {}, "k must be at least 1, got 0"),
        ("mrr", "ids", ([1], []), None, {"no_relevant": "error"}, ".*no relevant item"),
        (
            "ndcg",
            "graded",
            ([1], {1: 2000}),
            None,
            {},
            "relevance 2000 is too large: its gain must be at most 1e300",
        ),
        (
            "dcg_rels",
            "rels",
            ([997],),
            None,
            {},
            "relevance 997 is too large: its gain must be at most 1e300",
        ),
        (
            "dcg",
            "graded",
            ([1], {1: 1e301}),
            None,
            {"gain": "linear"},
            "relevance .* is too large: its gain must be at most 1e300",
        ),
        (
            "cg",
            "graded",
            ([1], {1: 1e301}),
            None,
            {},
            "relevance .* is too large: its gain must be at most 1e300",
        ),
        ("idcg", "graded", ([1], {1: 2, 2: 3}), None, {"gain": [0, 1, 2]}, "relevance .* got 3"),
        ("ndcg", "graded", ([1], {1: 0.5}), None, {"gain": [0, 1, 2]}, "relevance .* got 0.5"),
        ("ndcg", "graded", ([1], {1: 2}), None, {"min_rel": 2}, "min_rel needs gain=binary"),
        (
            "dcg",
            "graded",
            ([1], {1: 2}),
            None,
            {"min_rel": 2, "gain": "linear"},
            "min_rel needs gain=binary",
        ),
        (
            "idcg",
            "graded",
            ([1], {1: 2}),
            None,
            {"min_rel": 2, "gain": [0, 1]},
            "min_rel needs gain=binary",
        ),
        ("rankdcg", "lists", ([3, 4], [1, 2, 3]), None, {}, "rec holds relevance 4 more often"),
        ("rankdcg", "lists", ([3, 3], [1, 2, 3]), None, {}, "rec holds relevance 3 more often"),
        ("ndcg", "lists", ([1, 3], [1, 2]), 1, {}, "rec holds relevance 3 more often"),
        ("recall_at", "structs", ([1], [(1, 1), (1, 2)]), None, {}, "truth judges an item twice"),
        ("mrr", "graded", ([1], {1: -1}), None, {}, "relevance in truth must not be negative, got -1"),
        ("mrr", "lists", ([-1], [1]), None, {}, "relevance in rec must not be negative, got -1"),
        ("mrr", "graded", ([1], {1: math.inf}), None, {}, "relevance in truth must be finite, got inf"),
        (
            "rankdcg",
            "aligned",
            ([1, 2], [math.nan, 1]),
            None,
            {},
            "relevance in rels must be finite",
        ),
        ("rankdcg", "aligned", ([1, math.nan], [1, 2]), None, {}, "scores must not be NaN"),
        ("rankdcg", "aligned", ([1], [1, 2]), None, {}, ".*equal length, got 1 and 2"),
        ("rankdcg", "aligned", ([1, math.nan], [1, None]), None, {}, "scores must not be NaN"),
        ("ndcg_scored", "scored", ([math.nan, 1], [None, 1]), None, {}, "scores must not be NaN"),
        (
            "ndcg_scored",
            "scored",
            ([1], [1, 2]),
            None,
            {},
            "scores and rels must be of equal length, got 1 and 2",
        ),
        (
            "ndcg_scored",
            "scored",
            ([1], []),
            None,
            {},
            "scores and rels must be of equal length, got 1 and 0",
        ),
        (
            "mrr_scored",
            "scored",
            ([None, 1], [-1, 1]),
            None,
            {},
            "relevance in rels must not be negative, got -1",
        ),
        (
            "mrr_scored",
            "scored",
            ([1, 2], [math.inf, 1]),
            None,
            {},
            "relevance in rels must be finite, got inf",
        ),
        ("recall_at_scored", "scored", ([1, 2], [1, 1]), 0, {}, "k must be at least 1, got 0"),
        (
            "dcg_scored",
            "scored",
            ([1], [1]),
            None,
            {"gain": "linear", "min_rel": 1},
            "min_rel needs gain=binary",
        ),
        (
            "cg_scored",
            "scored",
            ([1, 1], [1, 1e301]),
            1,
            {},
            "relevance .* is too large: its gain must be at most 1e300",
        ),
        ("auc_scored", "scored", (None, [0]), None, {"no_relevant": "error"}, ".*no relevant item"),
        ("rankdcg", "ids", (["a"], ["a"]), None, {}, "needs graded truth"),
    ],
)
def test_wrong_arguments(
    any_engine: Engine,
    function: str,
    kind: str,
    args: tuple[Any, ...],
    k: int | None,
    options: dict[str, Any],
    message: str,
):
    engine = any_engine
    for form in engine.forms(kind):
        if engine.supports(function, kind, Row(args, k, options)):
            with pytest.raises(
                engine.error, match=f"{engine.function_name(function)}: {engine.expected_message(message)}"
            ):
                engine.one(function, form, args, k, **options)
    with pytest.raises(ValueError):  # noqa: PT011
        by_reference(function, kind, Row(args, k, options))


# Inputs that random rows hardly meet


def test_items_without_a_judgement_have_the_gain_of_grade_0(engine: Engine):
    found = agreed(engine, "dcg", "graded", ([9, 1, 8], {1: 1, 2: 2}), 3, gain=[1, 2, 3])
    assert found == pytest.approx(1 + 2 / math.log2(3) + 1 / 2)


@pytest.mark.parametrize("k", [1, 5, 30, 60, None])
def test_the_ideal_has_the_greatest_of_many_grades_in_order(engine: Engine, k: int | None):
    judged = {item: item * 7 % 11 for item in range(200)}
    best = sorted(judged.values(), reverse=True)[:k]
    expected = sum((2**grade - 1) / math.log2(place + 2) for place, grade in enumerate(best))
    assert agreed(engine, "idcg", "graded", ([0], judged), k) == pytest.approx(expected)
