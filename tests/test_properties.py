"""Random input: the engines against the slow reference, and against each other where input is changed.

Every test evaluates a batch of rows at once, each row with its own k and options.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
import reference
from engines import GRADED, Engine, Row, by_reference, full, lists
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rankdcg_sql

if TYPE_CHECKING:
    from collections.abc import Callable

FUNCTIONS = {function.name: function for function in rankdcg_sql.functions()}
OPTIONS = {option.name: option for option in rankdcg_sql.options()}
ITEMS = {
    "integers": [0, 1, 2, 3, -1, 2**40, 2**63 - 1, -(2**63)],
    "texts": ["", "a", "A", "a ", "日本語", "a" * 12, "a" * 13, "a" * 12 + "b", "b" * 300],
    "floats": [0.0, -0.0, 1.0, -1.5, math.nan, math.inf, -math.inf, 0.3, 0.1 + 0.2],
}
KINDS = ["ids", *GRADED, "lists", "aligned", "rels"]
INPUTS = [(kind, items) for kind in KINDS for items in (ITEMS if kind in ("ids", *GRADED) else ["integers"])]
#: Values of options that no list of names holds.
OTHER_VALUES = {
    "gain": st.lists(st.sampled_from([0.0, 1.0, 2.5, 7.0]), min_size=3, max_size=6),
    "min_rel": st.sampled_from([0.5, 1.0, 2.0, 3.5]),
}
BATCH = 20

quick = settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
every_input = pytest.mark.parametrize(("kind", "items"), INPUTS)
every_kind = pytest.mark.parametrize("kind", KINDS)


# Random rows


def option_values(option: rankdcg_sql.Option, names_only: bool = False) -> st.SearchStrategy[Any]:
    """Values of an option as `reference` has them."""
    names = st.sampled_from([None if name == "unset" else name for name in option.values])
    return names | OTHER_VALUES[option.name] if option.other and not names_only else names


def seldom(strategy: st.SearchStrategy[Any], otherwise: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """One time in ten the first strategy, else the other."""
    return st.integers(0, 9).flatmap(lambda number: strategy if number == 9 else otherwise)


def some(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any] | None]:
    """A list, now and then empty or NULL."""
    return seldom(st.sampled_from([None, []]), st.lists(values, min_size=2, max_size=9))


def judgements(items: list[Any], rel: st.SearchStrategy[float | None]) -> st.SearchStrategy[dict[Any, Any]]:
    return st.dictionaries(st.sampled_from(items), rel, min_size=2, max_size=9)


@st.composite
def rows(draw: st.DrawFn, kind: str, items: str, valid: bool = False) -> Row:
    """Arguments of every function for lists of this kind; `valid` ones are an error for none."""
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
    elif kind == "aligned":
        score = st.sampled_from([3.0, 2.0, 1.0, 0.0, -0.0, -1.5, math.inf, -math.inf, None])
        pairs = draw(some(st.tuples(score, rel | signed)))
        scores, rels = (pairs and [pair[side] for pair in pairs] for side in (0, 1))
        args = draw(seldom(st.sampled_from([None, []]), st.just(scores))), rels
    else:
        assert kind == "rels"
        args = (draw(some(rel)),)
    options = draw(
        st.fixed_dictionaries({}, optional={name: option_values(OPTIONS[name], valid) for name in OPTIONS})
    )
    if valid and options.get("no_relevant") == "error":
        options["no_relevant"] = "zero"
    return Row(args, draw(st.none() | st.integers(1, 10)), options)


def batches(kind: str, items: str, valid: bool = False) -> st.SearchStrategy[list[Row]]:
    return st.lists(rows(kind, items, valid), min_size=BATCH, max_size=BATCH)


def functions(kind: str) -> list[rankdcg_sql.Function]:
    """The functions that take lists of this kind."""
    return [function for function in FUNCTIONS.values() if kind in kinds(function)]


def kinds(function: rankdcg_sql.Function) -> tuple[str, ...]:
    if function.arguments[0] == "rels":
        return ("rels",)
    assert function.arguments[:2] == ("rec", "truth")
    return ("aligned", "lists", *GRADED) if function.name == "rankdcg" else ("ids", "lists", *GRADED)


def suited(function: rankdcg_sql.Function, row: Row) -> Row:
    """The row with those of its arguments that the function takes."""
    options = {name: value for name, value in row.options.items() if name in function.options}
    if "gain" in function.options and options.get("min_rel") is not None:
        options["gain"] = "binary"  # nothing else goes with it
    return replace(row, k=row.k if "k" in function.arguments else None, options=options)


def near(value: float | None, expected: float | None) -> bool:
    if value is None or expected is None:
        return value is expected
    return math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-12)


# Against the reference


def test_the_reference_knows_every_function_and_option():
    """What is not known there is not tested here."""
    known = {name: set(names) for name, names in reference.OPTIONS.items()}
    known |= {f"{name}_rels": known[name] - {"duplicates"} for name in ("cg", "dcg", "idcg", "ndcg")}
    assert {name: set(function.options) for name, function in FUNCTIONS.items()} == known
    choices = {name: (set(option.values), option.default) for name, option in OPTIONS.items()}
    assert choices.pop("min_rel") == ({"unset"}, "unset")
    assert choices == {name: (set(values), values[0]) for name, values in reference.CHOICES.items()}
    assert {name for name, option in OPTIONS.items() if option.other} == OTHER_VALUES.keys()


@every_input
@settings(quick, max_examples=12)
@given(data=st.data())
def test_every_engine_agrees_with_the_reference(
    engines: dict[str, Engine], kind: str, items: str, data: st.DataObject
):
    batch = data.draw(batches(kind, items))
    for function in functions(kind):
        right, expected, wrong = [], [], []
        for row in (suited(function, row) for row in batch):
            try:
                expected.append(by_reference(function.name, kind, row))
                right.append(row)
            except ValueError:
                wrong.append(row)
        results = [engine.many(function.name, kind, right) for engine in engines.values() if right]
        assert all(values == results[0] for values in results), f"{function.name}: engines differ"
        for row, value, wanted in zip(right, results[0] if results else [], expected, strict=True):
            assert near(value, wanted), f"{function.name} of {row}: {value}, expected {wanted}"
        for row in wrong[:1]:
            for engine in engines.values():
                with pytest.raises(engine.error, match=f"{function.name}: "):
                    engine.one(function.name, kind, row.args, row.k, **row.options)


@every_kind
def test_long_lists_in_many_rows(engines: dict[str, Engine], kind: str):
    """Lists past the length where lookup changes, rows past a DuckDB vector's 2048, and slices of arrays."""
    chance = random.Random(kind)
    distinct = [long_row(chance, kind) for _ in range(25)]
    places = [chance.randrange(len(distinct)) for _ in range(2049)]
    for function in functions(kind):
        cases = [suited(function, row) for row in distinct]
        expected = [by_reference(function.name, kind, row) for row in cases]
        columns = full(function.name, kind, [cases[place] for place in places])
        for name, engine in engines.items():
            for start, length in [(0, 0), (0, 2047), (0, 2048), (0, 2049), (1, 2048), (1000, 7)]:
                values = engine.over(function.name, [column.slice(start, length) for column in columns])
                wanted = [expected[place] for place in places[start : start + length]]
                assert len(values) == length
                assert all(map(near, values, wanted)), (function.name, name, start, length)


def long_row(chance: random.Random, kind: str) -> Row:
    def drawn(values: list[Any]) -> list[Any] | None:
        count = chance.choice([0, 1, 31, 32, 33, 63, 64, 65, 150])
        return chance.choices(values, k=count) if chance.random() < 0.95 else None

    args: tuple[Any, ...]
    if kind in ("lists", "aligned", "rels"):
        rels = drawn([0.0, 0.0, 0.0, 1.0, 2.0, None]) or []
        other = chance.sample(rels, len(rels))
        args = {"lists": (other, rels), "aligned": (other, rels), "rels": (rels,)}[kind]
    else:
        rec, truth = drawn([None, *range(200)]), drawn([None, *range(200)])
        graded = truth and {item: item % 4 / 2 for item in truth if item is not None}
        args = (rec, truth if kind == "ids" else graded)
    options = {"duplicates": chance.choice(["first", "count"])}
    return Row(args, chance.choice([None, 1, 10, 32, 33, 500]), options)


# Against each other


def assert_same(
    engine: Engine, kind: str, batch: list[Row], change: Callable[[Row], Row], other_kind: str | None = None
):
    """No bit of any result changes with the rows, nor with the kind of their lists."""
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
    }
    batch = data.draw(batches(kind, "integers", valid=True))
    for function in functions(kind):
        cases = [suited(function, row) for row in batch]
        for row, value in zip(cases, engines["core"].many(function.name, kind, cases), strict=True):
            # Repeats that count, and an ideal of k ones whatever the gains, are conventions that may pass 1.
            passes = row.options.get("duplicates") == "count" or row.options.get("idcg") == "k"
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


@pytest.mark.parametrize("kind", ["ids", *GRADED, "lists", "rels"])
@quick
@given(data=st.data())
def test_k_past_the_end_is_no_k(engines: dict[str, Engine], kind: str, data: st.DataObject):
    def without(row: Row, k: int | None) -> Row:
        """The row without options that make k itself count."""
        return replace(row, k=k, options={name: value for name, value in row.options.items() if value != "k"})

    batch = [without(row, None) for row in data.draw(batches(kind, "integers", valid=True))]
    for function in functions(kind):
        if "k" in function.arguments:
            values = engines["core"].many(function.name, kind, [suited(function, row) for row in batch])
            for k in (10, 2**62):
                cut = [suited(function, without(row, k)) for row in batch]
                assert engines["core"].many(function.name, kind, cut) == values, function.name


@pytest.mark.parametrize("kind", ["map", "structs", "lists"])
@quick
@given(data=st.data())
def test_an_irrelevant_item_more_in_truth_does_not_matter(
    engines: dict[str, Engine], kind: str, data: st.DataObject
):
    def longer(row: Row) -> Row:
        truth = row.args[1]
        if truth is None:
            return row
        if kind == "lists":
            return with_truth(row, [*truth, 0.0])
        return with_truth(row, truth | {1000: 0.0} if kind == "map" else [*truth, (1000, 0.0)])

    batch = data.draw(batches(kind, "integers", valid=True))
    for function in functions(kind):
        if function.name != "rankdcg":  # where every judged item has its place
            before = [suited(function, row) for row in batch]
            values = engines["core"].many(function.name, kind, before)
            assert engines["core"].many(function.name, kind, list(map(longer, before))) == values, (
                function.name
            )


@pytest.mark.parametrize("kind", ["ids", *GRADED, "lists"])
@quick
@given(data=st.data())
def test_what_is_retrieved_below_k_does_not_matter(
    engines: dict[str, Engine], kind: str, data: st.DataObject
):
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
def test_relevances_alone_are_their_own_truth(engines: dict[str, Engine], data: st.DataObject):
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


# The same by other types, names and words


@pytest.mark.parametrize("kind", ["ids", "structs", "lists", "aligned", "rels"])
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
    if kind == "lists":  # the truth as it was, so that it holds what was retrieved
        batch = [with_truth(row, row.args[0]) for row in batch]
    for function in functions(kind) if batch else []:
        cases = [suited(function, row) for row in batch]
        columns = full(function.name, kind, cases)
        count = len(lists(kind, [batch[0].args]))
        arrays = [
            pa.array(column.to_pylist(), pa.list_(column.type.value_type, length))
            for column in columns[:count]
        ]
        for engine in engines.values():
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
        for engine in engines.values():
            values = engine.many(function.name, kind, cases)
            single = [engine.one(function.name, kind, row.args, row.k, **row.options) for row in cases]
            assert single == values, function.name


@quick
@given(data=st.data())
def test_other_names_are_the_same_function(engines: dict[str, Engine], data: st.DataObject):
    batch = data.draw(batches("map", "integers", valid=True))
    named = [(function, alias) for function in FUNCTIONS.values() for alias in function.aliases]
    assert {alias for _, alias in named} >= {"precision", "recall", "f1", "hitrate", "reciprocal_rank"}
    for function, alias in named:
        cases = [suited(function, row) for row in batch]
        for engine in engines.values():
            assert engine.many(alias, "map", cases) == engine.many(function.name, "map", cases), alias


@quick
@given(data=st.data())
def test_denominator_is_the_short_form_of_one_option(engines: dict[str, Engine], data: st.DataObject):
    batch = data.draw(batches("ids", "integers", valid=True))
    short = [function for function in FUNCTIONS.values() if function.denominator]
    assert {function.name for function in short} == {"precision_at", "recall_at", "average_precision"}
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
        for engine in engines.values():
            values = engine.over(function.name, [*columns, texts])
            assert engine.over(function.name, [*columns, others]) == values, function.name


# Rules in so many words


@pytest.mark.parametrize(
    ("function", "kind", "args", "k", "options", "expected"),
    [
        # The ideal does not depend on what was retrieved, so that no user is lost from sum(dcg) / sum(idcg).
        ("idcg", "ids", ([], [1, 2, 3]), 1, {}, 1.0),
        ("idcg", "ids", (None, [1, 2, 3]), 1, {}, 1.0),
        ("idcg", "ids", ([1], [1, 2, 3]), None, {"discount": "log2_clip"}, 1 + 1 + 1 / math.log2(3)),
        ("idcg", "map", ([], {1: 3, 2: 0}), None, {}, 7.0),
        ("idcg", "lists", ([], [0, 3]), 5, {"gain": "linear"}, 3.0),
        ("idcg", "map", ([], {1: 3}), None, {"idcg": "retrieved"}, 0.0),
        ("dcg", "map", ([], {1: 3}), None, {}, 0.0),
        ("ndcg", "map", (None, {1: 3}), None, {}, 0.0),
        (
            "ndcg",
            "map",
            ([1], {1: 1, 2: 1, 3: 1}),
            None,
            {"discount": "log2_clip"},
            1 / (2 + 1 / math.log2(3)),
        ),
        # The first rule that applies wins: NULL truth, nothing relevant, nothing retrieved.
        ("auc", "ids", ([], [1]), None, {"one_class": "null"}, 0.0),
        ("auc", "ids", ([1], [1]), None, {"one_class": "null"}, None),
        ("auc", "ids", ([], []), None, {"no_relevant": "one"}, 1.0),
        ("auc", "ids", ([], None), None, {"no_relevant": "error"}, None),
        ("rankdcg", "aligned", ([], [1, 2]), None, {}, 0.0),
        ("rankdcg", "aligned", ([], [2, 2]), None, {}, None),
        # An item of relevance 0 that truth does not hold is one that was not judged.
        ("cg", "lists", ([0, 3, 0], [3, 0]), None, {}, 3.0),
        ("rankdcg", "lists", ([3, 0, 0], [3, 0]), None, {}, 1.0),
    ],
)
def test_rule(
    engine: Engine,
    function: str,
    kind: str,
    args: tuple[Any, ...],
    k: int | None,
    options: dict[str, Any],
    expected: float | None,
):
    assert near(engine.one(function, kind, args, k, **options), expected)
    assert near(by_reference(function, kind, Row(args, k, options)), expected)


def test_the_worst_order_is_exactly_zero(engine: Engine):
    # DCG' is 1/1 + 1/2 + 3 * (4/3)/2, for the tail has mean rank 4/3; the reversed order has as much.
    assert engine.one("rankdcg", "lists", ([0, 0], [1, 0, 0, 0, 0]), ties="average") == 0
    assert engine.one("rankdcg", "map", ([1, 2], {1: 0, 2: 0, 3: 1, 4: 0, 5: 0}), ties="average") == 0


@pytest.mark.parametrize(
    ("function", "kind", "args", "k", "options", "message"),
    [
        ("ndcg", "ids", ([1], [1]), 0, {}, "ndcg: k must be at least 1, got 0"),
        ("rankdcg", "map", ([1], {1: 2, 2: 1}), 3, {}, "rankdcg: takes no k"),
        ("mrr", "ids", ([1], []), None, {"no_relevant": "error"}, "mrr: .*no relevant item"),
        ("ndcg", "map", ([1], {1: 2000}), None, {}, "ndcg: relevance 2000 is too large for the gain"),
        ("dcg_rels", "rels", ([997],), None, {}, "dcg_rels: relevance 997 is too large for the gain"),
        (
            "dcg",
            "map",
            ([1], {1: 1e301}),
            None,
            {"gain": "linear"},
            "dcg: relevance .* is too large for the gain",
        ),
        ("cg", "map", ([1], {1: 1e301}), None, {}, "cg: relevance .* is too large for the gain"),
        ("idcg", "map", ([1], {1: 2, 2: 3}), None, {"gain": [0, 1, 2]}, "idcg: relevance .* got 3"),
        ("ndcg", "map", ([1], {1: 0.5}), None, {"gain": [0, 1, 2]}, "ndcg: relevance .* got 0.5"),
        ("ndcg", "map", ([1], {1: 2}), None, {"min_rel": 2}, "ndcg: min_rel needs gain=binary"),
        (
            "dcg",
            "map",
            ([1], {1: 2}),
            None,
            {"min_rel": 2, "gain": "linear"},
            "dcg: min_rel needs gain=binary",
        ),
        (
            "idcg",
            "map",
            ([1], {1: 2}),
            None,
            {"min_rel": 2, "gain": [0, 1]},
            "idcg: min_rel needs gain=binary",
        ),
        ("rankdcg", "lists", ([3, 4], [1, 2, 3]), None, {}, "rankdcg: rec holds relevance 4 more often"),
        ("rankdcg", "lists", ([3, 3], [1, 2, 3]), None, {}, "rankdcg: rec holds relevance 3 more often"),
        ("ndcg", "lists", ([1, 3], [1, 2]), 1, {}, "ndcg: rec holds relevance 3 more often"),
        ("recall_at", "structs", ([1], [(1, 1), (1, 2)]), None, {}, "recall_at: truth judges an item twice"),
        ("mrr", "map", ([1], {1: -1}), None, {}, "mrr: relevance in truth must not be negative, got -1"),
        ("mrr", "lists", ([-1], [1]), None, {}, "mrr: relevance in rec must not be negative, got -1"),
        ("mrr", "map", ([1], {1: math.inf}), None, {}, "mrr: relevance in truth must be finite, got inf"),
        (
            "rankdcg",
            "aligned",
            ([1, 2], [math.nan, 1]),
            None,
            {},
            "rankdcg: relevance in rels must be finite",
        ),
        ("rankdcg", "aligned", ([1, math.nan], [1, 2]), None, {}, "rankdcg: scores must not be NaN"),
        ("rankdcg", "aligned", ([1], [1, 2]), None, {}, "rankdcg: .*equal length, got 1 and 2"),
        ("rankdcg", "ids", (["a"], ["a"]), None, {}, "rankdcg: needs graded truth"),
    ],
)
def test_wrong_arguments(
    engine: Engine,
    function: str,
    kind: str,
    args: tuple[Any, ...],
    k: int | None,
    options: dict[str, Any],
    message: str,
):
    with pytest.raises(engine.error, match=message):
        engine.one(function, kind, args, k, **options)
    with pytest.raises(ValueError):  # noqa: PT011
        by_reference(function, kind, Row(args, k, options))
