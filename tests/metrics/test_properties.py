"""Rules for every function, by examples, and on random rankings whose changes must not change a value.

`test_differential.py` compares random rankings with the reference on every engine.
"""

from __future__ import annotations

import math
import random
import re
from dataclasses import replace
from itertools import chain, permutations, product
from statistics import fmean
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from differential import near
from support import rankings, reference
from support.closed_forms import all_tied
from support.engines import GRADED, KINDS, Core, Engine, Row, agreed, by_reference, full, holding, lists

if TYPE_CHECKING:
    from collections.abc import Callable

#: The functions over lists that return one number.
FUNCTIONS = {name: each for name, each in rankings.FUNCTIONS.items() if each.output == "value"}
SCORED = ["aligned", "scored"]
CORE = Core()

every_kind = pytest.mark.parametrize("kind", KINDS)


def evaluated(name: str, kind: str, rows: list[Row]) -> list[float | None]:
    return CORE.many(name, kind, rows) if rows else []


def suited(name: str, row: Row) -> Row:
    """The row, with the options that the function takes."""
    known = rankings.FUNCTIONS[name].options
    return replace(row, options={option: value for option, value in row.options.items() if option in known})


def test_the_reference_knows_every_function_and_option():
    """A function or option that the reference does not know would not be tested here."""
    known = {name: set(names) for name, names in reference.OPTIONS.items()}
    assert {name: set(function.options) for name, function in FUNCTIONS.items()} == known
    options = {name: rankings.OPTIONS[name] for names in known.values() for name in names}
    choices = {name: (set(option.values), option.default) for name, option in options.items()}
    for name, number in reference.NUMBERS.items():
        unset = (set(), str(number.default)) if number.default is not None else ({"unset"}, "unset")
        assert choices.pop(name) == unset
    for name, default in reference.LISTS.items():
        assert choices.pop(name) == (set(), ":".join(f"{number:g}" for number in default))
    assert choices == {name: (set(values), values[0]) for name, values in reference.CHOICES.items()}
    of_numbers = {"gain", *reference.LISTS, *reference.NUMBERS}
    assert {name for name, option in options.items() if option.other} == of_numbers


# Random rankings


def assert_same(
    kind: str, change: Callable[[Row], Row], without: tuple[str, ...] = (), other: str = ""
) -> None:
    """Assert that no bit of a value changes if each row is changed, or given as another kind of lists."""
    for name, rows in rankings.valid_rows(kind, FUNCTIONS):
        if name not in without and (other or kind) in rankings.kinds(name):
            values = evaluated(name, kind, rows)
            assert evaluated(name, other or kind, list(map(change, rows))) == values, name


def with_truth(row: Row, truth: Any) -> Row:
    return replace(row, args=(*row.args[:-1], truth))


@every_kind
def test_every_result_is_in_its_range(kind: str):
    ranges: dict[str, Callable[[float], bool]] = {
        "0 to 1": lambda value: 0 <= value <= 1,
        "0 or 1": lambda value: value in (0, 1),
        "0 or more": lambda value: 0 <= value < math.inf,
        "-1 to 1": lambda value: -1 <= value <= 1,
        "any number": math.isfinite,
    }
    for name, rows in rankings.valid_rows(kind, FUNCTIONS):
        for row, value in zip(rows, evaluated(name, kind, rows), strict=True):
            # A value may exceed 1 if repeats count, if hits gain their relevance, or if the ideal is k
            # gains of 1.
            options = reference.with_convention(row.options)
            passing = {"duplicates": "count", "idcg": "k", "rbp_gain": "linear"}
            passes = any(options.get(option) == value for option, value in passing.items())
            assert passes or value is None or ranges[FUNCTIONS[name].range](value), (name, row, value)


@pytest.mark.parametrize("kind", ["ids", *GRADED, "lists"])
def test_the_order_of_truth_does_not_matter(kind: str):
    chance = random.Random(kind)

    def shuffled(row: Row) -> Row:
        truth = row.args[1]
        if truth is None:
            return row
        entries = list(truth.items() if isinstance(truth, dict) else truth)
        chance.shuffle(entries)
        return with_truth(row, dict(entries) if isinstance(truth, dict) else entries)

    assert_same(kind, shuffled)


@pytest.mark.parametrize("family", ["texts", "floats"])
@pytest.mark.parametrize("kind", ["ids", *GRADED])
def test_the_names_of_items_do_not_matter(kind: str, family: str):
    (item, *_) = rankings.FAMILIES[family][0]
    named = rankings.Types(family, item, item)
    known = len(rankings.pool(named))

    def is_named(row: Row) -> bool:
        rec, truth = row.args
        items = [
            *(rec or []),
            *([entry and entry[0] for entry in truth or []] if kind == "structs" else truth or []),
        ]
        return all(each is None or each < known for each in items)

    for name, rows in rankings.valid_rows(kind, FUNCTIONS):
        batch = rankings.Batch(name, kind, named, [row for row in rows if is_named(row)])
        assert CORE.over(name, rankings.columns(batch)) == evaluated(name, kind, batch.rows), name


@pytest.mark.parametrize("kind", ["ids", *GRADED, "lists", "scored", "rels"])
def test_k_past_the_end_is_no_k(kind: str):
    # By these values of options, k itself enters the value.
    by_k = {"k", *(name for name, options in reference.CONVENTIONS.items() if "k" in options.values())}
    for name, rows in rankings.valid_rows(kind, FUNCTIONS):
        # A user who examines k items does so beyond the list. Without k, relative precision is that of as
        # many items as were retrieved.
        of_k_items = re.fullmatch("(sdcg|bpm|nearly_err|insq|inst|relative_precision)(_rels|_scored)?", name)
        if "k" in FUNCTIONS[name].arguments and not of_k_items:
            whole = [replace(row, k=None) for row in rows if by_k.isdisjoint(map(str, row.options.values()))]
            values = evaluated(name, kind, whole)
            for k in (200, 2**62):
                assert evaluated(name, kind, [replace(row, k=k) for row in whole]) == values, name


@pytest.mark.parametrize("kind", [*GRADED, "lists", "scored"])
def test_an_extra_irrelevant_judgement_changes_nothing(kind: str):
    def longer(row: Row) -> Row:
        truth = row.args[1]
        # Among relevances without items, a retrieved 0 may become a judged one.
        if truth is None or (kind == "lists" and row.options.get("unjudged") == "skip"):
            return row
        if kind == "lists":
            return with_truth(row, [*truth, 0.0])
        if kind == "scored":  # without any judgement there is no truth
            return with_element(row, None, 0.0) if is_judged(row) else row
        return with_truth(row, truth | {1000: 0.0} if kind == "map" else [*truth, (1000, 0.0)])

    # In these, every judged item counts, or one is needed.
    without = ("rankdcg", "rbp_residual", "bpref", "bpref_scored", "utility", "judged_share", "inf_ap")
    assert_same(kind, longer, without)


@pytest.mark.parametrize("kind", ["ids", *GRADED, "lists"])
def test_items_below_k_change_nothing(kind: str):
    below = [None] if kind == "lists" else [1000, None]
    for name, rows in rankings.valid_rows(kind, FUNCTIONS):
        if "k" in FUNCTIONS[name].arguments:
            filled, longer = (
                [
                    replace(row, k=min(row.k or 3, 10), args=([*(row.args[0] or []), *more], row.args[1]))
                    for row in rows
                ]
                for more in (below * 10, below * 11)
            )
            assert evaluated(name, kind, longer) == evaluated(name, kind, filled), name


def test_unjudged_items_leave_the_ranking_with_an_option():
    """And so do repeats that count for nothing."""

    def judged_alone(row: Row) -> Row:
        rec, truth = row.args
        repeats = counts or reference.with_convention(row.options).get("duplicates") == "count"
        items = [
            item
            for place, item in enumerate(rec or [])
            if (truth or {}).get(item) is not None and (repeats or item not in rec[:place])
        ]
        return replace(row, args=(items, truth), options={**row.options, "unjudged": "zero"})

    for name, rows in rankings.valid_rows("map", FUNCTIONS):
        counts = name == "rbp_residual"  # a repeat is judged, too
        skipped = [replace(row, options={**row.options, "unjudged": "skip"}) for row in rows]
        assert evaluated(name, "map", skipped) == evaluated(name, "map", list(map(judged_alone, rows))), name


@pytest.mark.parametrize("kind", GRADED)
def test_relevant_items_are_judgements_of_one(kind: str):
    def judged(row: Row) -> Row:
        truth = row.args[1]
        return with_truth(row, truth if truth is None else {item: 1 for item in truth if item is not None})

    assert_same("ids", judged, other=kind)


def test_rels_equal_lists_with_themselves_as_truth():
    for name, rows in rankings.valid_rows("rels", FUNCTIONS):
        both = [replace(row, args=row.args * 2) for row in rows]
        assert evaluated(name.removesuffix("_rels"), "lists", both) == evaluated(name, "rels", rows), name


@pytest.mark.parametrize("kind", GRADED)
def test_the_ideal_order_scores_one(kind: str):
    chance = random.Random(1)
    truths = [
        {item: chance.choice([0, 1, 2, 3.5]) for item in range(chance.randint(2, 9))} for _ in range(200)
    ]
    best = [Row((sorted(truth, key=truth.__getitem__, reverse=True), truth)) for truth in truths]
    for name in ("recall_at", "hit_rate", "mrr", "average_precision", "ndcg"):
        expected = [1.0 if any(truth.values()) else None for truth in truths]
        assert evaluated(name, kind, best) == expected, name
    worst = [replace(row, args=(row.args[0][::-1], row.args[1])) for row in best]
    for rows, score in ((best, 1.0), (worst, 0.0)):
        expected = [score if len(set(truth.values())) > 1 else None for truth in truths]
        assert evaluated("rankdcg", kind, rows) == expected


# Scores


def with_element(row: Row, score: float | None, rel: float | None) -> Row:
    """The row with one more item. If the scores are NULL or empty, they stay so."""
    scores, rels = row.args
    return replace(row, args=(scores and [*scores, score], rels if rels is None else [*rels, rel]))


def is_judged(row: Row) -> bool:
    return any(rel is not None for rel in row.args[1] or [])


def shuffled(row: Row, chance: random.Random) -> Row:
    """The row with its items in another order."""
    scores, rels = row.args
    places = chance.sample(range(len(rels or [])), len(rels or []))
    return replace(row, args=tuple(each and [each[place] for place in places] for each in (scores, rels)))


@pytest.mark.parametrize("kind", SCORED)
def test_the_order_of_scored_items_does_not_matter(kind: str):
    chance = random.Random(kind)
    for name, rows in rankings.valid_rows(kind, FUNCTIONS):
        cases = [row for row in rows if not reference.is_by_order(name, row.options)]
        changed = [shuffled(row, chance) for row in cases]
        assert evaluated(name, kind, changed) == evaluated(name, kind, cases), name


@pytest.mark.parametrize("kind", SCORED)
def test_no_bit_depends_on_the_order_of_scored_items(
    engines: dict[str, Engine], grouping: dict[str, Engine], kind: str
):
    """The sums of these numbers round, and depend on the order of the terms."""
    chance, seen = random.Random(kind), set()
    names = [name for name in FUNCTIONS if kind in rankings.kinds(name)]
    for number, name in enumerate(names * 20):
        tried = name.removesuffix("_scored") in reference.BY_ORDERS  # one order after the other
        size = 3 if tried else chance.choice([3, 20, 120])
        rels = [chance.random() * 3 if chance.random() < 0.9 else None for _ in range(size - 1)]
        levels = [chance.random() for _ in range(chance.choice([1, 3, 12]))]
        scores = chance.choices([*levels, None], k=size)
        k = chance.choice([None, 1, size // 3, size]) if "k" in FUNCTIONS[name].arguments else None
        settled = {"max_rel": 10.0, "min_rel": None, "gain": chance.choice(["exp2", "linear"])}
        settled["ties"] = chance.choice(["average", "pessimistic", "optimistic"])
        options = rankings.options(chance, name, kind) | settled
        one = suited(name, Row((scores, [*rels, 1.1]), k, options))
        orders = [one, *(shuffled(one, chance) for _ in range(5))]
        for engine in holding(engines if number % 5 else engines | grouping, kind):
            values = engine.many(name, kind, orders)
            assert set(values) == {values[0]}, (name, one)
            seen.add(values[0])
    assert len(seen) > 4 * len(names)


@pytest.mark.parametrize("kind", SCORED)
def test_an_item_without_score_and_relevance_does_not_matter(kind: str):
    assert_same(kind, lambda row: with_element(row, None, None))


@pytest.mark.parametrize("kind", SCORED)
def test_scores_without_ties_equal_ranked_lists(kind: str):
    chance = random.Random(kind)
    for name, rows in rankings.valid_rows(kind, FUNCTIONS):
        of_lists = name.removesuffix("_scored")
        if kind == "scored" and of_lists == name:  # functions that read scores alone
            continue
        before, after = [], []
        for row in rows:
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
            after.append(suited(of_lists, replace(row, args=(retrieved, judged or None))))
        assert evaluated(of_lists, "map", after) == evaluated(name, kind, before), name


def rises_with_every_swap(name: str, row: Row) -> bool:
    """Whether a value cannot fall if the more relevant of two tied items comes first.

    It can fall if the divisor is the number of hits or misses above the cut, or that of examined items.
    """
    by_shown_hits = name == "auc_scored" and row.k is not None
    # A user of a model may stop earlier then, after fewer relevant items.
    by_model = name in ("rbp_residual_scored", "bpm_scored", "nearly_err_scored", "inst_scored")
    if row.options.get("worth", reference.LISTS["worth"]) != reference.LISTS["worth"]:
        return False  # a hit may be worth less than another item
    return (
        not by_shown_hits
        and not by_model
        and reference.with_convention(row.options).get("ap_denominator") != "hits"
    )


@pytest.mark.parametrize("kind", SCORED)
def test_the_expected_value_lies_between_the_worst_and_the_best(kind: str):
    for name, rows in rankings.valid_rows(kind, FUNCTIONS):
        cases = [row for row in rows if rises_with_every_swap(name, row)]
        if "ties" not in FUNCTIONS[name].options:
            continue
        worst, mean, best = (
            evaluated(name, kind, [replace(row, options={**row.options, "ties": ties}) for row in cases])
            for ties in ("pessimistic", "average", "optimistic")
        )
        for row, low, value, high in zip(cases, worst, mean, best, strict=True):
            if value is None:
                assert low is high is None
            else:
                assert low - 1e-12 <= value <= high + 1e-12, (name, row)


@pytest.mark.parametrize("scores", [[1, 1, 1, 1], [2, 2, 1, 1], [1, 3, 3, 3], [2, None, 2, None]])
def test_ties_are_the_least_the_largest_and_the_mean_over_all_orders(
    engine: Engine, scores: list[float | None]
):
    def orders(rels: list[float]) -> list[list[float]]:
        """Every order, also if its relevances are those of another one. Items without a score come last."""
        tied = [[rels[i] for i in range(4) if scores[i] == level] for level in [3, 2, 1]]
        tail = sorted(rels[i] for i in range(4) if scores[i] is None)
        every = product(*(permutations(block) for block in tied))
        return [[*chain(*order), *tail] for order in every]

    def assert_ties(name: str, kind: str, rels: list[float], values: list[Any], **options: Any) -> None:
        assert None not in values
        for ties, expected in [("pessimistic", min), ("optimistic", max), ("average", fmean)]:
            value = engine.one(name, kind, (scores, rels), ties=ties, **options)
            assert near(value, expected(values)), (name, ties)

    shown = sum(score is not None for score in scores)
    rels = [7.0, 2.0, 2.0, 1.0]
    assert len(orders(rels)) in (2, 4, 6, 24)
    for name, options in [("ndcg", {"k": 2}), ("cg", {"k": 3}), ("mrr", {"min_rel": 2}), ("dcg", {})]:
        values = [reference.graded_lists(name, order[:shown], rels, **options) for order in orders(rels)]
        assert_ties(f"{name}_scored", "scored", rels, values, **options)
    # In rankDCG, each order is scored against its own relevances, which are the same numbers.
    rels = [7.0, 2.0, 2.0, -1.0]
    values = [reference.evaluate_scored("rankdcg", [4, 3, 2, 1], order) for order in orders(rels)]
    assert_ties("rankdcg", "aligned", rels, values)
    assert near(engine.one("rankdcg", "aligned", (scores, rels)), min(values))


@pytest.mark.parametrize(
    ("items", "relevant", "k"),
    [
        *((1000, 30, 10), (1000, 990, 25), (3000, 300, 299), (3000, 2, 3000), (2000, 1, 1), (40, 40, 7)),
        *((1, 1, 1), (2, 1, 2), (7, 3, 5)),
    ],
)
def test_blocks_of_tied_items(any_engine: Engine, items: int, relevant: int, k: int):
    engine, rels = any_engine, [1.0] * relevant + [0.0] * (items - relevant)
    for name, options, expected in all_tied(items, relevant, k) if engine.forms("scored") else []:
        value = engine.one(f"{name}_scored", "scored", ([0.25] * items, rels), **options)
        assert near(value, expected), (name, options, value, expected)


# The same by other types, names and words


@pytest.mark.parametrize("length", [1, 2, 5])
@pytest.mark.parametrize("kind", ["ids", "structs", "lists", *SCORED, "rels"])
def test_arrays_are_lists(engines: dict[str, Engine], kind: str, length: int):
    for name, rows in dict(rankings.valid_rows(kind, FUNCTIONS)).items():
        cut = [
            # Without its last items, a truth may have nothing relevant.
            replace(
                row,
                args=tuple(arg and arg[:length] for arg in row.args),
                options={name: text for name, text in row.options.items() if name != "no_relevant"},
            )
            for row in rows
            if all(arg is None or len(arg) >= length for arg in row.args)
        ]
        if kind == "lists":  # the retrieved relevances are all the judgements
            cut = [with_truth(row, row.args[1] and row.args[0]) for row in cut]
        columns = full(name, kind, cut)
        count = len(lists(kind, [row.args for row in cut[:1]])) if cut else 0
        arrays = [
            pa.array(column.to_pylist(), pa.list_(column.type.value_type, length))
            for column in columns[:count]
        ]
        for engine in holding(engines, kind) if cut else []:
            values = engine.over(name, columns)
            assert engine.over(name, [*arrays, *columns[count:]]) == values, name


@every_kind
def test_one_call_is_a_row_of_many(engines: dict[str, Engine], kind: str):
    for name, rows in dict(rankings.valid_rows(kind, rankings.FUNCTIONS)).items():
        for engine in holding(engines, kind):
            single = [engine.one(name, kind, row.args, row.k, **row.options) for row in rows[:2]]
            assert single == engine.many(name, kind, rows[:2]), (engine, name)


def test_other_names_are_the_same_function(engines: dict[str, Engine]):
    named = [(name, alias) for name, function in FUNCTIONS.items() for alias in function.aliases]
    assert {alias for _, alias in named} >= {"precision", "recall", "f1", "hitrate", "precision_scored"}
    rows = {kind: dict(rankings.valid_rows(kind, FUNCTIONS)) for kind in ("structs", "scored")}
    for name, alias in named:
        (kind,) = rows.keys() & set(rankings.kinds(name))
        for engine in engines.values():
            assert engine.many(alias, kind, rows[kind][name]) == engine.many(name, kind, rows[kind][name]), (
                alias
            )


def test_denominator_is_the_short_form_of_one_option():
    short = {name: function.denominator for name, function in FUNCTIONS.items() if function.denominator}
    of_lists = {name: option for name, option in short.items() if "_scored" not in name}
    assert of_lists.keys() == {"precision_at", "recall_at", "average_precision"}
    assert short == of_lists | {f"{name}_scored": option for name, option in of_lists.items()}
    for name, rows in rankings.valid_rows("ids", FUNCTIONS):
        if name in short:
            words = {short[name]: "denominator"}
            same = [
                replace(
                    row, options={words.get(option, option): value for option, value in row.options.items()}
                )
                for row in rows
            ]
            assert evaluated(name, "ids", same) == evaluated(name, "ids", rows)
            expected = [by_reference(name, "ids", row) for row in rows]
            assert [by_reference(name, "ids", row) for row in same] == expected


def test_blanks_case_and_order_of_options_do_not_matter(engines: dict[str, Engine]):
    chance = random.Random(1)

    def written(text: str | None) -> str | None:
        pairs = text.split(",") if text else []
        chance.shuffle(pairs)
        words = ",".join(chance.choice([" {} ", "{}"]).format(pair.replace("=", " = ")) for pair in pairs)
        return chance.choice([words, words.upper()])

    for name, rows in rankings.valid_rows("map", FUNCTIONS):
        *columns, texts = full(name, "map", rows)
        others = pa.array([written(text) for text in texts.to_pylist()], pa.string())
        for engine in holding(engines, "map"):  # Polars does not take options as a text
            assert engine.over(name, [*columns, others]) == engine.over(name, [*columns, texts]), name


# The rules, one by one

#: Grades of many items.
GRADES = {item: item * 7 % 11 for item in range(200)}


def ideal_of_grades(k: int | None) -> float:
    best = sorted(GRADES.values(), reverse=True)[:k]
    return sum((2**grade - 1) / math.log2(place + 2) for place, grade in enumerate(best))


def case(
    function: str, kind: str, args: tuple[Any, ...], expected: Any, k: int | None = None, **options: Any
) -> tuple[str, str, Row, Any]:
    """A call, and its value or the text of its error."""
    return function, kind, Row(args, k, options), expected


@pytest.mark.parametrize(
    ("function", "kind", "row", "expected"),
    [
        # The ideal does not depend on the retrieved items, so sum(dcg) / sum(idcg) counts every user.
        case("idcg", "ids", ([], [1, 2, 3]), 1.0, k=1),
        case("idcg", "ids", (None, [1, 2, 3]), 1.0, k=1),
        case("idcg", "ids", ([1], [1, 2, 3]), 1 + 1 + 1 / math.log2(3), discount="log2_clip"),
        case("idcg", "graded", ([], {1: 3, 2: 0}), 7.0),
        case("idcg", "lists", ([], [0, 3]), 3.0, k=5, gain="linear"),
        case("idcg", "graded", ([], {1: 3}), 0.0, idcg="retrieved"),
        case("dcg", "graded", ([], {1: 3}), 0.0),
        case("ndcg", "graded", (None, {1: 3}), 0.0),
        case("ndcg", "graded", ([1], {1: 1, 2: 1, 3: 1}), 1 / (2 + 1 / math.log2(3)), discount="log2_clip"),
        # With empty_rec=null, a user without recommendations has no value, for every truth.
        case("ndcg", "graded", ([], {1: 3}), None, empty_rec="null"),
        case("idcg", "graded", (None, {1: 3}), None, empty_rec="null"),
        case("mrr", "ids", ([], []), None, empty_rec="null", no_relevant="error"),
        case("auc_scored", "scored", ([None, None], [1, 0]), None, empty_rec="null"),
        case("rankdcg", "aligned", ([None, None], [1, 2]), None, empty_rec="null"),
        case("recall_at", "ids", ([2], [1]), 0.0, empty_rec="null"),
        # The precision after all items of a score: 1 of 5 items, and 1 of 2 in either order.
        case(
            "average_precision_scored",
            "scored",
            ([3.5, 1, 0.5, 0.25, 0.25, 0], [0, 0, 0, 0, 1, 0]),
            0.2,
            ap_steps="threshold",
        ),
        case("average_precision_scored", "scored", ([3, 2, 2], [0, 1, 1]), 2 / 3, ap_steps="threshold"),
        case(
            "average_precision_scored",
            "scored",
            ([2, 2, 2], [0, 0, 1]),
            0.5,
            k=2,
            ap_steps="threshold",
            ties="optimistic",
        ),
        # Each tied item is in the top 1 in half of the orders, and is then the last of its score there.
        case("average_precision_scored", "scored", ([1, 1], [0, 1]), 0.5, k=1, ap_steps="threshold"),
        # The cut leaves one rank, however many items were retrieved.
        case(
            "average_precision", "ids", ([1, 2, 3], [1, 2, 3]), 1.0, k=1, ap_denominator="min_truth_retrieved"
        ),
        # Each hit gains its relevance; tied items gain their mean relevance.
        case("rbp", "graded", ([1, 2, 3], {1: 3, 3: 1}), 1.625, rbp_gain="linear", p=0.5),
        case("rbp", "graded", ([1, 2, 3], {1: 3, 3: 1}), 1.5, rbp_gain="linear", p=0.5, min_rel=2),
        case("rbp_scored", "scored", ([1, 1], [4, 0]), 1.5, rbp_gain="linear", p=0.5),
        case("rbp_scored", "scored", ([1, 1], [4, 1]), 1.5, rbp_gain="linear", p=0.5, min_rel=2),
        # The first rule that applies wins: NULL truth, nothing relevant, nothing retrieved.
        case("auc", "ids", ([], [1]), 0.0, one_class="null"),
        case("auc", "ids", ([1], [1]), None, one_class="null"),
        case("auc", "ids", ([], []), 1.0, no_relevant="one"),
        case("auc", "ids", ([], None), None, no_relevant="error"),
        case("rankdcg", "aligned", ([], [1, 2]), 0.0),
        # Nothing retrieved never counts for more than a wrong item.
        case("rankdcg", "aligned", ([], [2, 2]), 0.0),
        case("rankdcg", "aligned", ([None], [1]), None, empty_rec="null"),
        case("rankdcg", "aligned", ([None, None], [0, 0]), None),
        case("rankdcg", "aligned", ([2, 1], [1, 1]), None),
        case("rankdcg", "graded", ([], {1: 1, 2: 1}), 0.0),
        case("rankdcg", "graded", (None, {1: 1}), 0.0),
        case("rankdcg", "graded", ([3], {1: 1, 2: 1}), 0.0),
        case("rankdcg", "graded", ([1], {1: 1, 2: 1}), None),
        case("rankdcg", "graded", ([], {1: -1}), 0.0),
        case("rankdcg", "graded", ([], {1: 0}), None),
        case("rankdcg", "graded", ([], {}), None),
        case("rankdcg", "graded", ([3], {1: 1}), 0.0, unjudged="skip"),
        case("rankdcg", "lists", ([], [1, 1]), 0.0),
        case("rankdcg", "lists", ([1], [1, 1]), None),
        # Three rankings without a retrieved item. Without a judgement, NULL comes before every other rule.
        case("rankdcg", "aligned", ([None, None], [1, 2]), 0.0, ties="optimistic"),
        case("rankdcg", "aligned", ([3, None, None], [None, 1, 2]), 0.0, ties="average"),
        # Relevances 3, 1, 1 and five items that nobody judged. rel' is 3, 2, 2, 1 ..., the discounts are
        # 1, 2, 2, 3 ... DCG' is 1/1 + 2 * 1/2 + 2 * 1/3 + 3/3 + 2 * 2/3 = 5, and that of the reversed order
        # 1/1 + 2 * 1/2 + 2 * 1/3 + 2/3 + 2/3 + 3/3 = 5: nothing is worse.
        case("rankdcg", "graded", ([6, 5, 4, 3, 2, 1], {1: 3, 7: 1, 8: 1}), 0.0),
        case("rankdcg", "graded", ([6, 5, 4, 3, 2, 1], {1: 3, 7: 1, 8: 1}), 1.0, unjudged="skip"),
        # rel' is 2, 1 and the discounts are 1, 2: DCG' is 2/1 + 1/2, the other way round 1/1 + 2/2.
        case("rankdcg", "graded", ([1, 2], {1: 1}), 1.0),
        case("rankdcg", "graded", ([2, 1], {1: 1}), 0.0),
        case("rankdcg", "graded", ([2, 1], {1: 1}), None, unjudged="skip"),
        # Relevance 0 is one level, for judged and unjudged items. Negative relevances are levels below it.
        case("rankdcg", "graded", ([1, 2, 3], {1: 1, 2: 0}), 1.0),
        case("rankdcg", "graded", ([1, 3, 2], {1: 1, 2: -1}), 1.0),
        # Each NULL item is an unjudged item, and the repeat of an item is none.
        case("rankdcg", "graded", ([1, 1, 2], {1: 2, 2: 1}), 1.0, unjudged="skip"),
        case("rankdcg", "graded", ([1, None, 2], {1: 2, 2: 1}), 1.0, unjudged="skip"),
        case("rankdcg", "graded", ([1, 1, 2], {1: 2, 2: 1}), 1.0),
        case("rankdcg", "graded", ([2, 2, 1], {1: 2, 2: 1}), 0.0),
        case("rankdcg", "graded", ([2, 2, 1], {1: 2, 2: 1}), 0.0, convention="spark"),
        # 3 levels, discounts 1, 2, 3: 3/1 + 1/2 + 2/3 from 1/1 + 2/2 + 3/3, to 3/1 + 2/2 + 1/3.
        case("rankdcg", "graded", ([1, None, 2], {1: 2, 2: 1}), 0.875),
        case("rankdcg", "graded", ([1, 9, 9], {1: 2, 2: 1}), 0.875),
        # Discounts 1, 2, 3, 3: 3/1 + 1/2 + 1/3 + 2/3 from 1/1 + 1/2 + 2/3 + 3/3, to 3/1 + 2/2 + 1/3 + 1/3.
        case("rankdcg", "graded", ([1, None, None], {1: 2, 2: 1}), 8 / 9),
        # Items that were not retrieved follow in the worst order, for every value of ties.
        case("rankdcg", "graded", ([1], {1: 1, 2: 2, 3: 3}), 0.0, ties="optimistic"),
        case("rankdcg", "aligned", ([5, None, None], [1, 2, 3]), 0.0, ties="optimistic"),
        case("rankdcg", "aligned", ([5, None, None], [1, 2, 3]), 0.0, ties="average"),
        # Aligned lists leave out an item without a relevance.
        case("rankdcg", "aligned", ([3, 2, 1], [None, 5, 4]), 1.0),
        case("rankdcg", "aligned", ([3, 2, 1], [None, 5, 4]), 1.0, unjudged="zero"),
        case("ndcg_scored", "scored", ([None, None], [1, 2]), 0.0),
        case("ndcg_scored", "scored", ([], [1, 2]), 0.0),
        case("ndcg_scored", "scored", (None, [1, 2]), 0.0),
        case("idcg_scored", "scored", (None, [1]), 1.0),
        case("ndcg_scored", "scored", (None, [0]), 1.0, no_relevant="one"),
        case("ndcg_scored", "scored", ([2, 1], [None, None]), None, no_relevant="one"),
        case("ndcg_scored", "scored", ([], []), None, no_relevant="error"),
        case("ndcg_scored", "scored", ([2, 1], None), None, no_relevant="error"),
        # An item that is judged only, one that is retrieved only, and one that is neither.
        case("recall_at_scored", "scored", ([None, 1, 2, None], [1, 1, None, None]), 0.5),
        case("precision_at_scored", "scored", ([None, 1, 2, None], [1, 1, None, None]), 0.5),
        # The top 2 holds both hits, or one hit in either order. Without a miss there, the value is NULL.
        case("auc_scored", "scored", ([1, 1, 1], [1, 1, 0]), 0.5, k=2, one_class="null"),
        case("auc_scored", "scored", ([1, 1, 1], [1, 1, 0]), 2 / 3, k=2, one_class="by_class"),
        case("auc_scored", "scored", ([2, 1, 1], [1, 1, 1]), None, k=2, one_class="null"),
        # Ties are broken by relevance, also if gains do not rise with relevance.
        case("dcg_scored", "scored", ([1, 1], [1, 2]), 3.0, k=1, gain=[0, 3, 1], ties="pessimistic"),
        case("dcg_scored", "scored", ([1, 1], [1, 2]), 1.0, k=1, gain=[0, 3, 1], ties="optimistic"),
        case("dcg_scored", "scored", ([1, 1], [1, 2]), 2.0, k=1, gain=[0, 3, 1]),
        # -0 equals 0, and infinity is the greatest score.
        case("mrr_scored", "scored", ([0.0, -0.0], [0, 1]), 0.75),
        case("mrr_scored", "scored", ([math.inf, math.inf, -math.inf], [0, 1, 1]), 0.75),
        # Each order of three tied items has the hit at rank 1, at rank 2, or below the cut.
        case(
            "average_precision_scored", "scored", ([1, 1, 1], [1, 0, None]), 1 / 2, k=2, ap_denominator="hits"
        ),
        # Ties are broken by relevance, also if gains do not rise with it.
        case("cg_scored", "scored", ([1, 1], [1, 2]), 1.5, k=1),
        case("ndcg_scored", "scored", ([], [0, 0]), 1.0, no_relevant="one"),
        case("idcg_scored", "scored", ([None, None], [1, 0]), 1.0),
        # A user stops at rank 1 with probability 3/4, else at rank 2 with probability 1/4.
        case("err_scored", "scored", ([2, 1], [2, 1]), 3 / 4 + 1 / 4 * 1 / 4 / 2, max_rel=2),
        case("err_scored", "scored", ([1, 1], [2, 0]), (3 / 4 + 3 / 8) / 2, max_rel=2),
        case("rbp_scored", "scored", ([2, 1, 0], [1, 0, 1]), 1 / 2 + 1 / 8, p=0.5),
        case("r_precision_scored", "scored", ([3, 2, 1], [0, 1, 1]), 1 / 2),
        case("r_precision_scored", "scored", ([1, None, None], [1, 1, 1]), 1 / 3),
        # Three of four pairs are right and one is tied. The item without a score is left out.
        case("roc_auc", "scored", ([3, 2, 1, 2, None], [1, 0, 0, 1, 1]), 3.5 / 4),
        case("roc_auc", "scored", ([1, 1], [0, 1]), 0.0, ties="pessimistic"),
        case("roc_auc", "scored", ([1, 1], [0, 1]), 0.0, ties="input_order"),
        case("roc_auc", "scored", ([1, 1], [1, 0]), 1.0, ties="input_order"),
        case("roc_auc", "scored", ([1, 2, None], [1, 1, 0]), None),
        case("roc_auc", "scored", ([1, 2], [0, 0]), None),
        case("roc_auc", "scored", (None, [0, 1]), None),
        # Five of six pairs are untied in each list. Four are untied in both, and all four are right.
        case("kendall_tau", "scored", ([1, 1, 2, 3], [-1, 0, 2, 2]), 4 / 5),
        case("kendall_tau", "scored", ([1, 2, None, 4], [1, -2, 5, None]), -1.0),
        case("kendall_tau", "scored", ([1, 2], [3, 3]), None),
        case("kendall_tau", "scored", ([], [1, 2]), None),
        # Who retrieves nothing gets nothing, also if one level leaves nothing to order.
        case("rankdcg", "aligned", ([None, None], [2, None]), 0.0),
        case("rankdcg", "aligned", ([1, None], [2, 2]), None),
        # The item without a relevance is left out. Items without a score follow in the worst order.
        case("rankdcg", "aligned", ([5, None, None], [None, 2, 1]), 0.0, ties="average"),
        # Item 8 and NULL have relevance 0. DCG' is 55/12, between 47/12 and 80/12.
        case("rankdcg", "graded", ([3, 1, 2], {1: 9, 2: 3, 3: 1}), 0.125),
        case("rankdcg", "graded", ([3, 8, 3, None], {1: 9, 2: 3, 3: 1}), 8 / 33),
        case("rankdcg", "graded", ([3, 8, 3, None], {1: 9, 2: 3, 3: 1}), 0.0, unjudged="skip"),
        *(
            case("rankdcg", "graded", ([1], {1: 9, 2: 3, 3: 1}), 0.875, ties=ties)
            for ties in ("pessimistic", "average", "optimistic")
        ),
        case("rankdcg", "lists", ([1, 9, 3], [9, 3, 1]), 0.125),
        # A retrieved relevance of 0 that truth does not hold belongs to an unjudged item.
        case("cg", "lists", ([0, 3, 0], [3, 0]), 3.0),
        case("rankdcg", "lists", ([3, 0, 0], [3, 0]), 1.0),
        case("rankdcg", "lists", ([3, None, 1], [3, 1]), 0.875),
        case("rankdcg", "lists", ([3, None, 1], [3, 1]), 1.0, unjudged="skip"),
        # Items without a judgement have the gain of grade 0.
        case("dcg", "graded", ([9, 1, 8], {1: 1, 2: 2}), 1 + 2 / math.log2(3) + 1 / 2, k=3, gain=[1, 2, 3]),
        # The ideal has the greatest of many grades, in order.
        *(case("idcg", "graded", ([0], GRADES), ideal_of_grades(k), k=k) for k in (1, 5, 30, 60, None)),
    ],
)
def test_rule(any_engine: Engine, function: str, kind: str, row: Row, expected: float | None):
    if any_engine.forms(kind) and any_engine.supports(function, kind, row):
        assert near(agreed(any_engine, function, kind, row.args, row.k, **row.options), expected)
    assert near(by_reference(function, kind, row), expected)


def test_rankdcg_takes_no_k(engines: dict[str, Engine]):
    for engine in holding(engines, "map"):  # in Polars, rankdcg has no argument k
        with pytest.raises(engine.error, match="rankdcg: takes no k"):
            engine.one("rankdcg", "map", ([1, 2], {1: 2, 2: 1}), 3)


def test_the_worst_order_is_exactly_zero(engine: Engine):
    # The least relevant items are retrieved; the others follow in the worst order.
    assert engine.one("rankdcg", "lists", ([0, 0], [1, 0, 0, 0, 0]), ties="average") == 0
    assert agreed(engine, "rankdcg", "graded", ([1, 2], {1: 0, 2: 0, 3: 1, 4: 0, 5: 0}), ties="average") == 0


@pytest.mark.parametrize(
    ("function", "kind", "row", "message"),
    [
        case("ndcg", "ids", ([1], [1]), "k must be at least 1, got 0", k=0),
        case("mrr", "ids", ([1], []), ".*no relevant item", no_relevant="error"),
        case(
            "ndcg", "graded", ([1], {1: 2000}), "relevance 2000 is too large: its gain must be at most 1e300"
        ),
        case("dcg_rels", "rels", ([997],), "relevance 997 is too large: its gain must be at most 1e300"),
        case(
            "dcg",
            "graded",
            ([1], {1: 1e301}),
            "relevance .* is too large: its gain must be at most 1e300",
            gain="linear",
        ),
        case("cg", "graded", ([1], {1: 1e301}), "relevance .* is too large: its gain must be at most 1e300"),
        case("idcg", "graded", ([1], {1: 2, 2: 3}), "relevance .* got 3", gain=[0, 1, 2]),
        case("ndcg", "graded", ([1], {1: 0.5}), "relevance .* got 0.5", gain=[0, 1, 2]),
        case("ndcg", "graded", ([1], {1: 2}), "min_rel needs gain=binary", min_rel=2),
        case("dcg", "graded", ([1], {1: 2}), "min_rel needs gain=binary", min_rel=2, gain="linear"),
        case("idcg", "graded", ([1], {1: 2}), "min_rel needs gain=binary", min_rel=2, gain=[0, 1]),
        case("rankdcg", "lists", ([3, 4], [1, 2, 3]), "rec holds relevance 4 more often"),
        case("rankdcg", "lists", ([3, 3], [1, 2, 3]), "rec holds relevance 3 more often"),
        case("ndcg", "lists", ([1, 3], [1, 2]), "rec holds relevance 3 more often", k=1),
        case("recall_at", "structs", ([1], [(1, 1), (1, 2)]), "truth judges an item twice"),
        case("mrr", "graded", ([1], {1: -1}), "relevance in truth must not be negative, got -1"),
        case("mrr", "lists", ([-1], [1]), "relevance in rec must not be negative, got -1"),
        case("mrr", "graded", ([1], {1: math.inf}), "relevance in truth must be finite, got inf"),
        case("rankdcg", "aligned", ([1, 2], [math.nan, 1]), "relevance in rels must be finite"),
        case("rankdcg", "aligned", ([1, math.nan], [1, 2]), "scores must not be NaN"),
        case("rankdcg", "aligned", ([1], [1, 2]), ".*equal length, got 1 and 2"),
        case("rankdcg", "aligned", ([1, math.nan], [1, None]), "scores must not be NaN"),
        case("ndcg_scored", "scored", ([math.nan, 1], [None, 1]), "scores must not be NaN"),
        case("ndcg_scored", "scored", ([1], [1, 2]), "scores and rels must be of equal length, got 1 and 2"),
        case("ndcg_scored", "scored", ([1], []), "scores and rels must be of equal length, got 1 and 0"),
        case("mrr_scored", "scored", ([None, 1], [-1, 1]), "relevance in rels must not be negative, got -1"),
        case("mrr_scored", "scored", ([1, 2], [math.inf, 1]), "relevance in rels must be finite, got inf"),
        case("recall_at_scored", "scored", ([1, 2], [1, 1]), "k must be at least 1, got 0", k=0),
        case("dcg_scored", "scored", ([1], [1]), "min_rel needs gain=binary", gain="linear", min_rel=1),
        case(
            "cg_scored",
            "scored",
            ([1, 1], [1, 1e301]),
            "relevance .* is too large: its gain must be at most 1e300",
            k=1,
        ),
        case("auc_scored", "scored", (None, [0]), ".*no relevant item", no_relevant="error"),
        case("rankdcg", "ids", (["a"], ["a"]), "needs graded truth"),
    ],
)
def test_wrong_arguments(any_engine: Engine, function: str, kind: str, row: Row, message: str):
    engine = any_engine
    for form in engine.forms(kind):
        if engine.supports(function, kind, row):
            expected = f"{engine.function_name(function)}: {engine.expected_message(message)}"
            with pytest.raises(engine.error, match=expected):
                engine.one(function, form, row.args, row.k, **row.options)
    with pytest.raises(ValueError):  # noqa: PT011
        by_reference(function, kind, row)
