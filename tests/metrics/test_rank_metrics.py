"""Several metrics in one call: each value equals that of the function of the metric alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from support import rankings
from support.engines import GRADED, METRICS, Engine, Row, agreed, holding

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


def has_truth(kind: str, row: Row) -> bool:
    truth = row.args[1]
    return truth is not None and (kind != "scored" or any(rel is not None for rel in truth))


# The catalogue


@every_suffix
def test_options_are_those_of_the_metrics(suffix: str):
    alone = [each for each in rankings.FUNCTIONS.values() if each.output == "value"]
    of_metrics = {f"{metric}{suffix}" for metric in METRICS}
    expected = {option for each in alone if of_metrics & {*each.names} for option in each.options}
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
def test_values_are_those_of_the_functions_alone(
    engines: dict[str, Engine], grouping: dict[str, Engine], kind: str
):
    together = TOGETHER[f"rank_metrics{suffix_of(kind)}"]
    for name, rows in rankings.valid_rows(kind, [together.name]):
        for engine in holding(engines | grouping, kind):
            batch = [row for row in rows if engine.supports(name, kind, row)]
            single: dict[str, list[Any]] = {"k": [row.k for row in batch]}
            for metric in METRICS if batch else ():
                ((alone, *_), of_metric) = zip(
                    *(rankings.of_metric(metric, together, row) for row in batch), strict=True
                )
                single[metric] = engine.many(alone, kind, of_metric)
            found = engine.many(name, kind, batch) if batch else []
            for place, row in enumerate(batch):
                expected = {field: values[place] for field, values in single.items()}
                assert found[place] == (expected if has_truth(kind, row) else None), (engine, row)
                assert tuple(found[place] or FIELDS) == FIELDS


@every_kind
def test_values_at_several_k_are_those_at_each(
    engines: dict[str, Engine], grouping: dict[str, Engine], kind: str
):
    suffix = suffix_of(kind)
    for name, rows in rankings.valid_rows(kind, [f"rank_metrics_at{suffix}"]):
        for engine in holding(engines | grouping, kind):
            batch = [row for row in rows if engine.supports(name, kind, row)]
            each = [replace(row, k=k) for row in batch for k in row.k or []]
            single = iter(engine.many(f"rank_metrics{suffix}", kind, each) if each else [])
            found = engine.many(name, kind, batch) if batch else []
            for value, row in zip(found, batch, strict=True):
                expected = [next(single) for _ in row.k or []]
                known = has_truth(kind, row) and row.k is not None
                assert value == (expected if known else None), (engine, row)


# Values by hand


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
    value = None if expected is None else dict(zip(FIELDS, [3, *expected], strict=True))
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


@pytest.mark.parametrize(
    ("kind", "args", "k", "options", "message"),
    [
        *(
            (kind, args, *wrong)
            for kind, args in (("lists", ([1, 0], [1, 0])), ("scored", ([2, 1], [1, 0])))
            for wrong in (
                (0, {}, "k must be at least 1, got 0"),
                (-3, {}, "k must be at least 1, got -3"),
                (None, {"denominator": "k"}, "unknown option 'denominator'"),
                (None, {"nonsense": "k"}, "unknown option 'nonsense'"),
                (None, {"gain": [0]}, "relevance .* got 1"),
                (
                    None,
                    {"precision_denominator": "truth"},
                    "precision_denominator must be retrieved or k, got",
                ),
            )
        ),
        ("scored", ([1], [1, 0]), None, {}, "scores and rels must be of equal length, got 1 and 2"),
        ("scored", ([float("nan")], [1]), None, {}, "scores must not be NaN"),
        ("scored", ([1], [-1]), None, {}, "relevance in rels must not be negative, got -1"),
        ("scored", ([1], [0]), None, {"no_relevant": "error"}, ".*no relevant item"),
    ],
)
def test_errors(
    any_engine: Engine, kind: str, args: Any, k: int | None, options: dict[str, Any], message: str
):
    engine = any_engine
    for name, cut in [("rank_metrics", k), ("rank_metrics_at", [2, k])]:
        function = f"{name}{suffix_of(kind)}"
        if engine.forms(kind) and engine.supports(function, kind, Row(args, cut, options)):
            expected = f"{engine.function_name(function)}: {engine.expected_message(message)}"
            with pytest.raises(engine.error, match=expected):
                engine.one(function, kind, args, cut, **options)


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
