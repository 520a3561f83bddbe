"""Thousands of rows: DuckDB's layouts of vectors, and full and nearly full vectors."""

from __future__ import annotations

import os
from functools import cache
from itertools import islice
from math import log2
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from conftest import NATIVE, taken
from support import reference
from support.random_lists import OPTIONS, Row, arrow, rows
from support.sql import value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

VECTOR = 2048  # rows of a full vector
NULLS = ("", "lists", "items", "k", "options", "all")


@pytest.fixture
def con(way: str, kept: dict[str, duckdb.DuckDBPyConnection]) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a connection that has the functions by one of the ways. No test here creates a macro."""
    yield from taken(way, kept)


def fill(con: duckdb.DuckDBPyConnection, table: pa.Table) -> None:
    """Make the table `t` of the rows."""
    con.register("incoming", table)
    con.execute("CREATE TEMP TABLE t AS FROM incoming")


def by_reference(name: str, row: Row, truth: str = "truth") -> float | None:
    """The value by the reference of a call with all arguments of a row."""
    return reference.evaluate(name, row.rec, getattr(row, truth), row.k, **OPTIONS[row.options])


@cache
def of_vector(name: str, truth: str, nulls: str) -> list[float | None]:
    """The values of one row more than a vector has."""
    return [by_reference(name, row, truth) for row in rows(VECTOR + 1, nulls)]


def differences(found: list[tuple[Any, ...]], expected: dict[Any, float | None]) -> list[tuple[Any, ...]]:
    """The ids of rows with different values, and both values."""
    values = dict(found)
    assert values.keys() == expected.keys()
    return [
        (key, value, expected[key])
        for key, value in values.items()
        if value is not expected[key]
        and (value is None or expected[key] is None or abs(value - expected[key]) > 1e-12)
    ]


@pytest.mark.parametrize("nulls", NULLS)
@pytest.mark.parametrize("count", [1, VECTOR - 1, VECTOR, VECTOR + 1])
def test_rows_around_a_full_vector(con: duckdb.DuckDBPyConnection, count: int, nulls: str):
    fill(con, arrow(VECTOR + 1, nulls)[:count])
    for name, truth in [("ndcg", "graded"), ("average_precision", "truth"), ("precision_at", "graded")]:
        found = con.execute(f"SELECT id, {name}(rec, {truth}, k, options) FROM t").fetchall()
        ids = (row.id for row in rows(VECTOR + 1, nulls))
        expected = dict(islice(zip(ids, of_vector(name, truth, nulls), strict=True), count))
        assert differences(found, expected) == [], name


# Queries of every shape

COUNT = 2 * VECTOR + 100
ARGUMENTS = "rec, truth, k, options"
PLAIN = f"ndcg({ARGUMENTS})"
#: Queries for (id, value), named by the feature of each.
SAME: dict[str, str] = {
    "table": f"SELECT id, {PLAIN} FROM t",
    "ordered by the value": f"SELECT id, {PLAIN} AS v FROM t ORDER BY v DESC, id",
    "ordered before": f"SELECT id, {PLAIN} FROM (FROM t ORDER BY hash(id))",
    "in the order": f"SELECT id, v FROM (SELECT id, {PLAIN} AS v FROM t ORDER BY {PLAIN}, id)",
    "twice in a query": f"SELECT id, if({PLAIN} IS NULL, NULL, ({PLAIN} + {PLAIN}) / 2) FROM t",
    "in a CASE": f"SELECT id, CASE WHEN part < 3 THEN {PLAIN} ELSE {PLAIN} END FROM t",
    "coalesce": "SELECT id, ndcg(coalesce(rec, []), truth, k, coalesce(options, '')) FROM t",
    "subquery": f"SELECT id, v FROM (WITH w AS (SELECT *, {PLAIN} AS v FROM t) FROM w)",
    "materialized": f"WITH w AS MATERIALIZED (SELECT id, {PLAIN} AS v FROM t) FROM w",
    "union all": f"""
        SELECT id, {PLAIN}
        FROM (FROM t WHERE part < 2 UNION ALL FROM t WHERE part = 2 UNION ALL FROM t WHERE part > 2)
    """,
    "join of two tables": f"""
        SELECT id, {PLAIN} FROM (SELECT id, rec, k FROM t) JOIN (SELECT id, truth, options FROM t) USING (id)
    """,
    "positional join": """
        SELECT a.id, ndcg(a.rec, b.truth, a.k, b.options) FROM t AS a POSITIONAL JOIN t AS b
    """,
    "left join": "SELECT a.id, ndcg(a.rec, b.truth, a.k, b.options) FROM t AS a LEFT JOIN t AS b USING (id)",
    "struct fields": """
        SELECT id, ndcg(s.lists.rec, s.lists.truth, s.k, s.options)
        FROM (SELECT id, {'lists': {'rec': rec, 'truth': truth}, 'k': k, 'options': options} AS s FROM t)
    """,
    "unnested structs": """
        SELECT s.id, ndcg(s.rec, s.truth, s.k, s.options)
        FROM (SELECT unnest(list(t)) AS s FROM t GROUP BY part)
    """,
    "window": """
        SELECT id, ndcg(first_value(rec) OVER w, last_value(truth) OVER w, max(k) OVER w, max(options) OVER w)
        FROM t WINDOW w AS (PARTITION BY id)
    """,
    "value in a window": f"SELECT id, max({PLAIN}) OVER (PARTITION BY id) FROM t",
    "of aggregates": """
        SELECT id, ndcg(any_value(rec), any_value(truth), max(k), max(options)) FROM t GROUP BY id
    """,
    "correlated": """
        SELECT id, (SELECT ndcg(t.rec, o.truth, t.k, o.options) FROM t AS o WHERE o.id = t.id) FROM t
    """,
    "correlated, all outside": f"SELECT id, (SELECT {PLAIN}) FROM t",
    "lateral": f"SELECT id, v FROM t, LATERAL (SELECT {PLAIN} AS v)",
    "slice of all": "SELECT id, ndcg(rec[:], truth[1:], k, options) FROM t",
    "filter of all": "SELECT id, ndcg(list_filter(rec, lambda x: true), truth, k, options) FROM t",
    "copied item by item": """
        SELECT id, ndcg([x FOR x IN rec], list_transform(truth, lambda x: x + 0), k, options) FROM t
    """,
    "judgements made of constants": """
        SELECT id, ndcg(rec, list_transform(truth, lambda x: {'item': x, 'rel': 1}), k, options) FROM t
    """,
    "other types": "SELECT id, ndcg(rec::HUGEINT[], truth::DECIMAL(18,2)[], k::UTINYINT, options) FROM t",
    "text": "SELECT id, ndcg(rec::VARCHAR[], truth::VARCHAR[], k, options) FROM t",
    "long text": """
        SELECT id, ndcg(['item number ' || x FOR x IN rec], ['item number ' || x FOR x IN truth], k, options)
        FROM t
    """,
}


@pytest.fixture
def filled(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """A connection with a table `t` that has NULLs in every place that may hold one."""
    fill(con, arrow(COUNT, "all"))
    return con


@cache
def plain() -> dict[int, float | None]:
    """The value of `PLAIN` for each row."""
    return {row.id: by_reference("ndcg", row) for row in rows(COUNT, "all")}


def replaced(**arguments: Any) -> Callable[[Row], float | None]:
    """The value of `PLAIN` for a row some of whose arguments are replaced."""
    return lambda row: by_reference("ndcg", row._replace(**arguments))


def check(
    con: duckdb.DuckDBPyConnection,
    query: str,
    expected: Callable[[Row], float | None] = lambda row: plain()[row.id],
    keeps: Callable[[Row], Any] = lambda row: True,
    parameters: Any = (),
) -> None:
    """Assert that a query gives the id and the expected value of each row that it keeps."""
    found = con.execute(query, parameters).fetchall()
    assert differences(found, {row.id: expected(row) for row in rows(COUNT, "all") if keeps(row)}) == []


@pytest.mark.parametrize("shape", SAME)
def test_shape_of_a_query_changes_no_value(filled: duckdb.DuckDBPyConnection, shape: str):
    check(filled, SAME[shape])


@pytest.mark.parametrize("condition", ["id % 3 = 0", "id = 4123", "k = 3", "rec IS NOT NULL", "false"])
def test_filter_before(filled: duckdb.DuckDBPyConnection, condition: str):
    ids = {id for (id,) in filled.execute(f"SELECT id FROM t WHERE {condition}").fetchall()}
    check(filled, f"SELECT id, {PLAIN} FROM t WHERE {condition}", keeps=lambda row: row.id in ids)
    part = f"SELECT id, {PLAIN} FROM (FROM t LIMIT 3000 OFFSET 7) WHERE {condition}"
    check(filled, part, keeps=lambda row: row.id in ids and 7 <= row.id < 3007)


def test_filter_by_the_value(filled: duckdb.DuckDBPyConnection):
    query = f"SELECT id, {PLAIN} FROM t WHERE {PLAIN} > 0.5"
    check(filled, query, keeps=lambda row: (plain()[row.id] or 0) > 0.5)


def test_table_made_of_the_values(filled: duckdb.DuckDBPyConnection):
    filled.execute(f"CREATE TEMP TABLE result AS SELECT id, {PLAIN} AS v FROM t")
    check(filled, "SELECT id, v FROM result")
    filled.execute(f"UPDATE result SET v = {PLAIN} + 1 FROM t WHERE t.id = result.id")
    check(filled, "SELECT id, v - 1 FROM result")


def test_parquet_and_back(filled: duckdb.DuckDBPyConnection, tmp_path: Path):
    filled.execute(f"COPY t TO '{tmp_path}/t.parquet' (ROW_GROUP_SIZE 2048)")
    check(filled, f"SELECT id, {PLAIN} FROM '{tmp_path}/t.parquet'")
    filled.execute(f"COPY (SELECT id, {PLAIN} AS v FROM t) TO '{tmp_path}/v.parquet'")
    check(filled, f"FROM '{tmp_path}/v.parquet'")


def test_unnested_and_grouped_again(filled: duckdb.DuckDBPyConnection):
    query = """
        SELECT id, ndcg(list(item ORDER BY place), any_value(truth), any_value(k), any_value(options))
        FROM (SELECT *, unnest(rec) AS item, generate_subscripts(rec, 1) AS place FROM t)
        GROUP BY id
    """
    check(filled, query, keeps=lambda row: row.rec)


#: Expressions that change the list `rec` in SQL, and the same in Python.
PARTS: dict[str, Callable[[list[Any]], list[Any]]] = {
    "rec[2:4]": lambda rec: rec[1:4],
    "rec[-3:]": lambda rec: rec[-3:],
    "list_filter(rec, lambda x: x % 2 = 0)": lambda rec: [x for x in rec if x is not None and x % 2 == 0],
    "list_sort(rec, 'ASC', 'NULLS LAST')": lambda rec: sorted(rec, key=lambda x: (x is None, x)),
    "list_reverse(rec)": lambda rec: rec[::-1],
    "list_concat(rec, [1, NULL])": lambda rec: [*rec, 1, None],
    "list_select(rec, [2, 1])": lambda rec: [*rec, None, None][1::-1],
    "list_resize(rec, 5, 3)": lambda rec: (rec + [3] * 5)[:5],
    "[rec, rec][2]": lambda rec: rec,
    "flatten([rec, rec])": lambda rec: rec + rec,
}


@pytest.mark.parametrize("part", PARTS)
def test_parts_of_lists(filled: duckdb.DuckDBPyConnection, part: str):
    check(
        filled,
        f"SELECT id, average_precision({part}, truth, k) FROM t WHERE rec IS NOT NULL",
        lambda row: reference.evaluate("average_precision", PARTS[part](row.rec or []), row.truth, row.k),
        lambda row: row.rec is not None,
    )


def test_lists_made_of_columns(filled: duckdb.DuckDBPyConnection):
    query = "SELECT id, mrr([part, NULL, id % 5, 3], array_value(id % 5, part)) FROM t"
    check(
        filled,
        query,
        lambda row: reference.evaluate("mrr", [row.part, None, row.id % 5, 3], [row.id % 5, row.part]),
    )


@pytest.mark.parametrize(
    "judgements",
    [
        "graded",
        "map_from_entries(map_entries(graded))",
        "map_entries(graded)",
        "if(graded IS NULL, NULL, list_zip(map_keys(graded), map_values(graded)))",
        "[{'rel': graded[item], 'item': item} FOR item IN map_keys(graded)]",
        "list_filter(map_entries(graded), lambda x: true)",
        "MAP(map_keys(graded), map_values(graded)::DECIMAL(9,2)[])",
    ],
)
def test_judgements(filled: duckdb.DuckDBPyConnection, judgements: str):
    query = f"SELECT id, ndcg(rec, {judgements}, k, options) FROM t"
    check(filled, query, lambda row: by_reference("ndcg", row, "graded"))
    query = f"SELECT id, rankdcg(rec, {judgements}, NULL, '') FROM t"
    check(filled, query, lambda row: reference.evaluate("rankdcg", row.rec, row.graded))


# Constant, repeated and absent arguments


@pytest.mark.parametrize(
    ("arguments", "constant"),
    [
        ("[3, NULL, 1, 3], truth, k, options", {"rec": [3, None, 1, 3]}),
        ("rec, [1, 2, NULL], k, options", {"truth": [1, 2, None]}),
        ("[NULL, NULL]::INTEGER[], truth, k, options", {"rec": [None, None]}),
        ("rec, [NULL, NULL]::INTEGER[], k, options", {"truth": [None, None]}),
        ("[3, 1], [1, 2], k, options", {"rec": [3, 1], "truth": [1, 2]}),
        (
            "[3, 1], [1, 2], 1, 'duplicates=count'",
            {"rec": [3, 1], "truth": [1, 2], "k": 1, "options": "duplicates=count"},
        ),
        ("rec, truth, 3, options", {"k": 3}),
        ("rec, truth, NULL, options", {"k": None}),
        ("rec, truth, NULL::TINYINT, options", {"k": None}),
        ("rec, truth, k, 'no_relevant=zero'", {"options": "no_relevant=zero"}),
        ("rec, truth, 'duplicates=count'", {"k": None, "options": "duplicates=count"}),
        ("rec, truth, options", {"k": None}),
        ("rec, truth, k, NULL", {"options": None}),
        ("rec, truth, k", {"options": None}),
        ("rec, truth", {"k": None, "options": None}),
        ("NULL, truth, k, options", {"rec": None}),
        ("[], truth, k, options", {"rec": []}),
        ("rec, NULL, k, options", {"truth": None}),
        ("rec, [], k, options", {"truth": []}),
    ],
)
def test_constant_and_absent_arguments(
    filled: duckdb.DuckDBPyConnection, arguments: str, constant: dict[str, Any]
):
    check(filled, f"SELECT id, ndcg({arguments}) FROM t", replaced(**constant))


def test_parameters(filled: duckdb.DuckDBPyConnection):
    for k, options in [(3, ""), (None, "duplicates=count"), (1, None)]:
        query, expected = "SELECT id, ndcg(rec, truth, ?, ?) FROM t", replaced(k=k, options=options)
        check(filled, query, expected, parameters=[k, options])
    query, expected = "SELECT id, ndcg(rec, truth, $k) FROM t WHERE id < $ids", replaced(k=2, options=None)
    check(filled, query, expected, lambda row: row.id < 99, {"k": 2, "ids": 99})
    assert value(filled, "mrr(?, ?)", [[1, 2, 3], [3]]) == pytest.approx(1 / 3)


def test_prepared_statement(filled: duckdb.DuckDBPyConnection):
    filled.execute("PREPARE top AS SELECT id, ndcg(rec, truth, ?) FROM t")
    for k in (1, 4, 1):
        check(filled, f"EXECUTE top({k})", replaced(k=k, options=None))


def test_lists_of_a_small_table_repeated_by_a_join(filled: duckdb.DuckDBPyConnection):
    """A join refers to the few lists of one side many times, in dictionary vectors."""
    few = [[1, 2], [], None, [None, 3], [4] * 3, list(range(9)), [0]]
    filled.execute("CREATE TEMP TABLE few (part INTEGER, lists INTEGER[])")
    filled.executemany("INSERT INTO few VALUES (?, ?)", list(enumerate(few)))
    query = "SELECT id, ndcg({}, k, options) FROM t JOIN few USING (part)"
    check(filled, query.format("rec, lists"), lambda row: replaced(truth=few[row.part])(row))
    check(filled, query.format("lists, truth"), lambda row: replaced(rec=few[row.part])(row))


@pytest.mark.parametrize("count", [2, 63, 64, 65, 127, VECTOR - 1])
def test_one_row_that_is_null(con: duckdb.DuckDBPyConnection, count: int):
    """Some bits in the last word of a validity mask belong to no row."""
    for place in (0, count - 1):
        calls = f"SELECT i, mrr([1], if(i = {place}, NULL, [1])) AS v FROM range({count}) AS t(i)"
        assert con.execute(f"SELECT i FROM ({calls}) WHERE v IS NULL").fetchall() == [(place,)]


@pytest.mark.parametrize("same", [1, VECTOR // 2, VECTOR - 1])
def test_arguments_that_change_within_a_vector(con: duckdb.DuckDBPyConnection, same: int):
    """All rows but the last have the same arguments. The options differ after the same beginning."""
    one, other = "'no_relevant=zero'", "'no_relevant=null'"
    found = con.execute(f"""
        SELECT precision_at([7, 8], [7], if(i < {same}, 1, 2)),
            rank_metrics_at([7, 8], [7], if(i < {same}, [1], [2]))[1].precision,
            mrr([7], []::INTEGER[], if(i < {same}, {one}, {other}))
        FROM range({VECTOR}) AS t(i) ORDER BY i
    """).fetchall()
    assert found == [(1, 1, 0)] * same + [(0.5, 0.5, None)] * (VECTOR - same)


# Long lists


@pytest.mark.parametrize(
    ("item", "count"),
    [
        *(("i", 100_000), ("i::DOUBLE", 100_000), ("'item number ' || i", 100_000)),
        ("{'a': i, 'b': 'x', 'c': [i]}", 20_000),  # DuckDB takes long to make these
    ],
)
def test_long_lists(con: duckdb.DuckDBPyConnection, item: str, count: int):
    def items(start: int, end: int, step: int = 1) -> str:
        return f"list_transform(range({start}, {end}, {step}), lambda i: {item})"

    all_items, half = items(0, count), items(count // 2, count + count // 2)
    last = items(count - 1, count)
    assert value(con, f"recall_at({all_items}, {half})") == 0.5
    assert value(con, f"precision_at({all_items}, {half}, {count // 4 * 3})") == pytest.approx(1 / 3)
    assert value(con, f"mrr({all_items}, {last})") == 1 / count
    assert value(con, f"mrr({last}, {all_items})") == 1
    assert value(con, f"ndcg({all_items}, {last})") == pytest.approx(1 / log2(count + 1))
    assert value(con, f"ndcg({all_items}, {items(count - 1, -1, -1)})") == 1
    assert value(con, f"auc({all_items}, {half})") == 0


def test_lists_of_100_000_numbers(con: duckdb.DuckDBPyConnection):
    up, down = "range(100_000)", "range(99_999, -1, -1)"
    assert value(con, f"rankdcg({up}, {up})") == 1
    assert value(con, f"rankdcg({up}, {down})") == 0
    assert value(con, f"cg_rels({up})") == 100_000 * 99_999 / 2
    assert value(con, f"ndcg_rels({down}, 'gain=linear')") == 1
    assert value(con, f"cg({down}, MAP({up}, {up}), 3)") == 99_999 + 99_998 + 99_997
    nulls = "list_transform(range(100_000), lambda i: if(i % 2 = 0, i, NULL))"
    assert value(con, f"recall_at({nulls}, {nulls}, 50_000)") == 0.5
    assert value(con, f"precision_at({nulls}, {nulls})") == 0.5


def test_long_lists_among_short_ones(con: duckdb.DuckDBPyConnection):
    found = con.execute("""
        SELECT i, recall_at(list_concat([-1], range(n)), range(n)), average_precision(range(n), range(n))
        FROM (SELECT i, if(i % 1000 = 7, 50_000, i % 40) AS n FROM range(3000) AS t(i))
    """).fetchall()
    for i, recall, precision in found:
        expected = None if i % 40 == 0 and i % 1000 != 7 else 1
        assert (recall, precision) == (expected, expected), i


# Threads

MANY = 500_000
METRICS = ["ndcg", "average_precision", "auc", "f1_at"]


@pytest.fixture
def many(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """A connection with two threads, and a table with enough rows for both."""
    con.execute("SET threads = 2")
    return con.execute(f"""
        CREATE TEMP TABLE many AS
        SELECT i AS id,
            list_transform(range(20), lambda j: hash(20 * i + j) % 60) AS rec,
            list_transform(range(10), lambda j: hash(-10 * i - j) % 60) AS truth
        FROM range({MANY}) AS t(i)
    """)


def cpu_seconds() -> dict[str, float]:
    """The processor time of each thread of this process so far, in seconds."""
    tasks = Path("/proc/self/task")
    return {task.name: int((task / "schedstat").read_text().split()[0]) / 1e9 for task in tasks.iterdir()}


def spent(con: duckdb.DuckDBPyConnection, query: str) -> list[float]:
    """The processor time of each thread for a query, in seconds, longest first."""
    before = cpu_seconds()
    con.execute(query).fetchall()
    return sorted((after - before.get(task, 0) for task, after in cpu_seconds().items()), reverse=True)


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="needs Linux: /proc/self/schedstat")
@pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2, reason="needs two cores"
)
# A Python function spends most of its time on the conversion to Arrow, not in the kernel.
@pytest.mark.parametrize("way", NATIVE, indirect=True)
def test_two_threads_work_in_the_kernel(many: duckdb.DuckDBPyConnection):
    without = spent(many, "SELECT sum(len(rec) + len(truth)) FROM many")
    calls = " + ".join(f"{name}(rec, truth, {k})" for name in METRICS for k in (5, 10, 20))
    with_calls = spent(many, f"SELECT sum({calls}) FROM many")
    # The second thread runs far longer than the whole query takes without the calls, so it runs the kernel.
    assert with_calls[1] > 5 * sum(without)


# Vectors that are not flat


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("precision_at([NULL, NULL]::INT[], [i::INT])", [0.0] * 4),
        ("precision_at([i::INT, 7], [NULL, NULL]::INT[])", [None] * 4),
        ("ndcg([i::INT], list_value(NULL, NULL)::INT[])", [None] * 4),
        ("precision_at([[NULL, NULL]]::INT[][], [[i::INT]])", [0.0] * 4),
        ("precision_at([[NULL, NULL]]::INT[][], [[NULL::INT, NULL]])", [1.0] * 4),
    ],
)
def test_lists_of_nulls_that_stand_for_every_row(
    con: duckdb.DuckDBPyConnection, call: str, expected: list[Any]
):
    # Before 2.0, DuckDB stores one NULL for all elements of such a list.
    con.execute("SET disabled_optimizers = 'expression_rewriter, statistics_propagation'")
    try:
        found = con.execute(f"SELECT {call} FROM range(4) t(i)").fetchall()
    finally:
        con.execute("RESET disabled_optimizers")
    assert [row[0] for row in found] == expected


def test_tied_scores_of_a_row_are_not_those_of_the_next(native: duckdb.DuckDBPyConnection):
    """Three tied items with two hits; then a ranking without ties, whose hits are at ranks 1 and 3."""
    found = native.execute(
        "SELECT average_precision_scored(scores, rels, 'ap_steps=threshold') "
        "FROM (VALUES (1, [1, 1, 1], [0, 1, 1]), (2, [3, 2, 1], [1, 0, 1])) AS t(i, scores, rels) ORDER BY i"
    ).fetchall()
    assert [value for (value,) in found] == pytest.approx([2 / 3, (1 / 1 + 2 / 3) / 2])


def test_null_k_ignores_the_buffer_below(native: duckdb.DuckDBPyConnection):
    """An Arrow column holds an arbitrary number where it is NULL."""
    t = pa.table({"k": pa.array(np.array([1, 1, 1]), mask=np.array([False, True, False]))})
    native.register("arrow_of_k", t)
    found = native.execute("SELECT recall_at([1, 2], [1, 2], k) FROM arrow_of_k").fetchall()
    native.unregister("arrow_of_k")
    assert found == [(0.5,), (1.0,), (0.5,)]
