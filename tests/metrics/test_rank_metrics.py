"""Several metrics in one call: each value equals that of the function of the metric alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import reference
from support.drawing import quick
from support.engines import GRADED, METRICS, Engine, Row, agreed, holding
from test_properties import BATCH, FUNCTIONS, OTHER_VALUES, batches, is_judged

import rankdcg_sql

if TYPE_CHECKING:
    import duckdb

FIELDS = ("k", *METRICS)
TOGETHER = {
    each.name: each
    for each in rankdcg_sql.functions()
    if each.output != "value" and each.form in ("lists", "scored")
}
SUFFIXES = ("", "_scored")

every_suffix = pytest.mark.parametrize("suffix", SUFFIXES)
every_kind = pytest.mark.parametrize("kind", ["ids", *GRADED, "lists", "scored"])


def suffix_of(kind: str) -> str:
    return "_scored" if kind == "scored" else ""


def alone(metric: str, suffix: str) -> rankdcg_sql.Function:
    """The function that computes one of the metrics alone."""
    (function,) = (each for each in FUNCTIONS.values() if f"{metric}{suffix}" in each.names)
    return function


def own(function: rankdcg_sql.Function, row: Row) -> Row:
    """The row, reduced to the options that the function takes."""
    options = {name: value for name, value in row.options.items() if name in function.options}
    convention = reference.CONVENTIONS[options.get("convention", "hivemall_page")]
    if (convention | options).get("gain", "exp2") != "binary" and "gain" in function.options:
        options.pop("min_rel", None)  # every relevance counts
    return replace(row, options=options)


def has_truth(kind: str, row: Row) -> bool:
    return is_judged(row) if kind == "scored" else row.args[1] is not None


def drawn(data: st.DataObject, kind: str) -> list[Row]:
    """Random rows, reduced to the options of the function."""
    known = TOGETHER[f"rank_metrics{suffix_of(kind)}"].options
    rows = data.draw(batches(kind, "integers", valid=True))
    min_rels = data.draw(
        st.lists(st.none() | OTHER_VALUES["min_rel"], min_size=len(rows), max_size=len(rows))
    )
    return [
        replace(
            row,
            options={name: value for name, value in row.options.items() if name in known}
            | ({} if min_rel is None else {"min_rel": min_rel}),
        )
        for row, min_rel in zip(rows, min_rels, strict=True)
    ]


# The catalogue


def test_the_catalogue_lists_them():
    assert set(TOGETHER) == {f"rank_metrics{at}{suffix}" for at in ("", "_at") for suffix in SUFFIXES}
    for function in TOGETHER.values():
        lists = ("scores", "rels") if function.name.endswith("_scored") else ("rec", "truth")
        several = function.output == "metrics_at"
        assert function.arguments == (*lists, "ks" if several else "k", "options")
        assert several == ("_at" in function.name)
        assert function.denominator is None


@every_suffix
def test_options_are_those_of_the_metrics(suffix: str):
    expected = {option for metric in METRICS for option in alone(metric, suffix).options}
    assert {"precision_denominator", "gain", "idcg", "min_rel", "one_class"} <= expected
    assert ("ties" in expected, "duplicates" in expected) == (bool(suffix), not suffix)
    for name in (f"rank_metrics{suffix}", f"rank_metrics_at{suffix}"):
        assert set(TOGETHER[name].options) == expected


@every_suffix
def test_type_of_the_result(con: duckdb.DuckDBPyConnection, suffix: str):
    lists = "[2.0, 1.0], [1, 0]" if suffix else "['a'], ['b']"
    (struct,) = con.execute(f"SELECT rank_metrics{suffix}({lists}) AS m").description
    (several,) = con.execute(f"SELECT rank_metrics_at{suffix}({lists}, [1]) AS m").description
    fields = [(name, str(of)) for name, of in struct[1].children]
    assert fields == [("k", "BIGINT"), *((metric, "DOUBLE") for metric in METRICS)]
    ((_, element),) = several[1].children
    assert (several[1].id, element) == ("list", struct[1])


# Each value against its own function


@every_kind
@quick
@given(data=st.data())
def test_values_are_those_of_the_functions_alone(
    engines: dict[str, Engine], grouping: dict[str, Engine], kind: str, data: st.DataObject
):
    suffix, drawn_rows = suffix_of(kind), drawn(data, kind)
    for engine in holding(engines | grouping, kind):
        batch = [row for row in drawn_rows if engine.supports(f"rank_metrics{suffix}", kind, row)]
        if not batch:
            continue
        found = engine.many(f"rank_metrics{suffix}", kind, batch)
        single: dict[str, list[Any]] = {"k": [row.k for row in batch]}
        for metric in METRICS:
            function = alone(metric, suffix)
            single[metric] = engine.many(function.name, kind, [own(function, row) for row in batch])
        for place, row in enumerate(batch):
            expected = {field: values[place] for field, values in single.items()}
            assert found[place] == (expected if has_truth(kind, row) else None), (engine, row)
            assert tuple(found[place] or FIELDS) == FIELDS


@every_kind
@quick
@given(data=st.data())
def test_values_at_several_k_are_those_at_each(
    engines: dict[str, Engine], grouping: dict[str, Engine], kind: str, data: st.DataObject
):
    suffix, batch = suffix_of(kind), drawn(data, kind)
    some_ks = st.none() | st.lists(st.none() | st.integers(1, 10), max_size=4)
    lists = data.draw(st.lists(some_ks, min_size=BATCH, max_size=BATCH))
    drawn_rows = [replace(row, k=ks) for row, ks in zip(batch, lists, strict=True)]
    for engine in holding(engines | grouping, kind):
        batch = [row for row in drawn_rows if engine.supports(f"rank_metrics_at{suffix}", kind, row)]
        if not batch:
            continue
        each = [replace(row, k=k) for row in batch for k in row.k or []]
        if not batch:
            continue
        found = engine.many(f"rank_metrics_at{suffix}", kind, batch)
        single = iter(engine.many(f"rank_metrics{suffix}", kind, each) if each else [])
        for value, row in zip(found, batch, strict=True):
            expected = [next(single) for _ in row.k or []]
            assert value == (expected if has_truth(kind, row) and row.k is not None else None), (engine, row)


@every_kind
@quick
@given(data=st.data())
def test_one_call_is_a_row_of_many(engines: dict[str, Engine], kind: str, data: st.DataObject):
    suffix, batch = suffix_of(kind), drawn(data, kind)[:5]
    ks = [[1, 3], [], None, [None, 2], [5]]
    for name, cases in [
        (f"rank_metrics{suffix}", batch),
        (f"rank_metrics_at{suffix}", [replace(row, k=k) for row, k in zip(batch, ks, strict=True)]),
    ]:
        for engine in holding(engines, kind):
            single = [engine.one(name, kind, row.args, row.k, **row.options) for row in cases]
            assert single == engine.many(name, kind, cases), (engine, name)


# Values by hand

#: Values of Hivemall's page "Ranking Problems", with F1 and the hit rate by hand.
PAGE = {
    2: [0.5, 1 / 3, 0.4, 1.0, 1.0, 1 / 3, 0.6131471927654585, 1.0],
    4: [0.5, 2 / 3, 4 / 7, 1.0, 1.0, 5 / 9, 0.7039180890341349, 0.75],
}


def at(k: int | None, values: list[float | None]) -> dict[str, Any]:
    """A result that is approximately these values."""
    near = [None if value is None else pytest.approx(value, rel=0, abs=1e-12) for value in values]
    return dict(zip(FIELDS, [k, *near], strict=True))


@pytest.mark.parametrize(
    ("suffix", "kind", "args"),
    [
        ("", "ids", ([1, 3, 2, 6], [1, 2, 4])),
        ("", "graded", ([1, 3, 2, 6], {1: 1, 2: 1, 4: 1})),
        ("", "lists", ([1, 0, 1, 0], [1, 1, 1])),
        ("_scored", "scored", ([9, 7, 8, 6, None], [1, 1, 0, None, 1])),
    ],
)
def test_hivemall_page(engine: Engine, suffix: str, kind: str, args: tuple[Any, ...]):
    name, several = f"rank_metrics{suffix}", f"rank_metrics_at{suffix}"
    assert agreed(engine, name, kind, args, 2) == at(2, PAGE[2])
    assert agreed(engine, name, kind, args) == at(None, PAGE[4])
    assert agreed(engine, several, kind, args, [4, 2]) == [at(4, PAGE[4]), at(2, PAGE[2])]
    assert agreed(engine, several, kind, args, [2, 2]) == [at(2, PAGE[2])] * 2
    assert agreed(engine, several, kind, args, [None]) == [at(None, PAGE[4])]
    assert agreed(engine, several, kind, args, []) == []
    assert agreed(engine, several, kind, args, None) is None


@pytest.mark.parametrize(
    ("suffix", "kind", "args", "expected"),
    [
        ("", "ids", ([1], None), None),
        ("", "graded", ([1], None), None),
        ("", "ids", ([1], []), [None] * 8),
        ("", "graded", ([1], {1: 0}), [None] * 8),
        ("", "ids", (None, [1]), [0.0] * 8),
        ("", "ids", ([], [1]), [0.0] * 8),
        ("_scored", "scored", ([1], None), None),
        ("_scored", "scored", ([1, None], [None, None]), None),
        ("_scored", "scored", ([], []), None),
        ("_scored", "scored", ([1], [0]), [None] * 8),
        ("_scored", "scored", (None, [1]), [0.0] * 8),
        ("_scored", "scored", ([], [1, 0]), [0.0] * 8),
        ("_scored", "scored", ([None, None], [1, 0]), [0.0] * 8),
    ],
)
def test_nothing_relevant_and_nothing_retrieved(
    engine: Engine, suffix: str, kind: str, args: tuple[Any, ...], expected: list[float | None] | None
):
    value = None if expected is None else at(3, expected)
    assert agreed(engine, f"rank_metrics{suffix}", kind, args, 3) == value
    several = agreed(engine, f"rank_metrics_at{suffix}", kind, args, [3, 3])
    assert several == (None if expected is None else [value, value])
    assert agreed(engine, f"rank_metrics_at{suffix}", kind, args, []) == (None if expected is None else [])


def test_rows_that_look_alike_have_values_of_their_own(con: duckdb.DuckDBPyConnection):
    """Rows differ in the number of retrieved items, the number of judged items, or the rank of the hit."""
    lists = "([1, 2], [1]), ([1, 2, 3], [1]), ([1, 2], [1, 4]), ([2, 1], [1]), ([1, 2], [1])"
    source = f"(VALUES {lists}) AS t(rec, truth)"
    found = con.execute(
        f"SELECT m.precision, m.recall, m.mrr FROM (SELECT rank_metrics(rec, truth, 3) AS m FROM {source})"
    )
    assert found.fetchall() == [
        (1 / 2, 1, 1),
        (1 / 3, 1, 1),
        (1 / 2, 1 / 2, 1),
        (1 / 2, 1, 1 / 2),
        (1 / 2, 1, 1),
    ]
    for cuts in ("k", "k, 'no_relevant=null'", "3, o"):
        source = "(VALUES (1, 'min_rel=1'), (2, 'min_rel=2'), (1, 'min_rel=1')) AS t(k, o)"
        query = f"SELECT rank_metrics([5, 6], MAP {{6: 1.0, 7: 2.0}}, {cuts}).mrr FROM {source}"
        expected = [1 / 2, 0, 1 / 2] if "o" in cuts.split(", ") else [0, 1 / 2, 0]
        assert [mrr for (mrr,) in con.execute(query).fetchall()] == expected


def test_min_rel_goes_with_any_gain(engine: Engine):
    """min_rel decides about hits in binary metrics; in NDCG, it counts only with gain=binary."""

    def value(**options: Any) -> dict[str, Any]:
        return agreed(engine, "rank_metrics", "graded", ([1, 2], {1: 1, 2: 2, 3: 3}), **options)

    assert value(min_rel=2)["recall"] == 0.5
    assert value()["recall"] == pytest.approx(2 / 3)
    for gain in ("exp2", "linear", [0, 1, 3, 4]):
        assert value(min_rel=2, gain=gain)["ndcg"] == value(gain=gain)["ndcg"]
    binary = agreed(engine, "ndcg", "graded", ([1, 2], {1: 1, 2: 2, 3: 3}), min_rel=2, gain="binary")
    assert value(min_rel=2, gain="binary")["ndcg"] == binary != value(gain="binary")["ndcg"]


@every_suffix
@pytest.mark.parametrize(
    ("k", "options", "message"),
    [
        (0, {}, "k must be at least 1, got 0"),
        (-3, {}, "k must be at least 1, got -3"),
        (None, {"denominator": "k"}, "unknown option 'denominator'"),
        (None, {"nonsense": "k"}, "unknown option 'nonsense'"),
        (None, {"gain": [0]}, "relevance .* got 1"),
        (
            None,
            {"precision_denominator": "truth"},
            "precision_denominator must be retrieved or k, got 'truth'",
        ),
    ],
)
def test_errors(engine: Engine, suffix: str, k: int | None, options: dict[str, Any], message: str):
    kind, args = ("scored", ([2, 1], [1, 0])) if suffix else ("lists", ([1, 0], [1, 0]))
    for name, cut in [(f"rank_metrics{suffix}", k), (f"rank_metrics_at{suffix}", [2, k])]:
        with pytest.raises(engine.error, match=f"{name}: {message}"):
            engine.one(name, kind, args, cut, **options)


@pytest.mark.parametrize(
    ("args", "options", "message"),
    [
        (([1], [1, 0]), {}, "scores and rels must be of equal length, got 1 and 2"),
        (([float("nan")], [1]), {}, "scores must not be NaN"),
        (([1], [-1]), {}, "relevance in rels must not be negative, got -1"),
        (([1], [0]), {"no_relevant": "error"}, ".*no relevant item"),
    ],
)
def test_errors_of_scores(any_engine: Engine, args: tuple[Any, ...], options: dict[str, Any], message: str):
    engine = any_engine
    for name, k in [("rank_metrics_scored", None), ("rank_metrics_at_scored", [1])]:
        if engine.forms("scored") and engine.supports(name, "scored", Row(args, k, options)):
            with pytest.raises(
                engine.error, match=f"{engine.function_name(name)}: {engine.expected_message(message)}"
            ):
                engine.one(name, "scored", args, k, **options)


def test_fields_of_a_struct_that_is_null_are_null(con: duckdb.DuckDBPyConnection):
    call = "rank_metrics([1, 2], CASE WHEN i % 2 = 0 THEN [1] END, 1)"
    counts = "count(m), count(m.k), count(m.ndcg), count(m.mrr)"
    assert con.execute(f"SELECT {counts} FROM (SELECT {call} AS m FROM range(4) t(i))").fetchall() == [
        (2, 2, 2, 2)
    ]


@pytest.mark.parametrize("count", [1, 2, 2047, 5000])
def test_several_k_that_are_the_same_in_every_row(con: duckdb.DuckDBPyConnection, count: int):
    """There are more results than rows, and more results than a DuckDB vector holds."""
    found = con.execute(
        f"SELECT rank_metrics_at([i, -1], [-1], [1, 2, NULL]) FROM range({count}) AS t(i)"
    ).fetchall()
    assert [[(each["k"], each["mrr"]) for each in results] for (results,) in found] == [
        [(1, 0), (2, 0.5), (None, 0.5)]
    ] * count
