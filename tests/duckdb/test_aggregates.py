"""The aggregate functions give over rows what the list functions give over lists, in any order of rows."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest
from conftest import needs_duckdb_2
from support import forms, reference
from support.engines import METRICS, options_text
from support.sql import rows, value

import rankdcg_sql

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = needs_duckdb_2

AGG = [function for function in rankdcg_sql.functions() if function.form == "agg"]
#: The aggregates of one value. States keep for other metrics what they keep for one of these.
VALUES = [
    function for function in AGG if function.output == "value" and function.base not in forms.KEPT_AS_OTHERS
]
NUMBERS = ["TINYINT", "INTEGER", "UBIGINT", "HUGEINT", "DECIMAL(9,2)", "DECIMAL(30,4)", "FLOAT", "DOUBLE"]


@pytest.fixture
def con(aggregating: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Open a connection by each way that has native aggregates. `native` is for tables of many rows."""
    return aggregating


def refused(con: duckdb.DuckDBPyConnection, query: str, parameters: Any = ()) -> str:
    """The sentence of a query's error. The connection must still work afterwards."""
    with pytest.raises(duckdb.InvalidInputException) as caught:
        con.execute(query, parameters).fetchall()
    assert value(con, "mrr_agg(1, 1)") == 1
    return str(caught.value).removeprefix("Invalid Input Error: ")


def near(expected: Any) -> Any:
    return None if expected is None else pytest.approx(expected, rel=1e-9, abs=1e-12)


def calls(over: str, ks: Sequence[int | None], ties: str) -> list[str]:
    """Calls of every function that returns a number, at every k: over rows s and r, or over their lists."""
    found = []
    for function in VALUES:
        name = function.name.removesuffix("_agg")
        if over == "lists":
            name += "" if name in ("rankdcg", "roc_auc", "kendall_tau") else "_scored"
        else:
            name = function.name
        # The expected values of these take too long if thousands of items tie.
        options = {
            "ties": "pessimistic" if name.startswith(reference.BY_ORDERS) and ties == "average" else ties
        }
        options |= {"max_rel": 4}
        # Aligned lists leave out unjudged items; in rows, an option can give them relevance 0.
        options |= {"unjudged": "skip"} if name.startswith("rankdcg") else {}
        known = {key: value for key, value in options.items() if key in function.options}
        cuts = [f"{'NULL' if k is None else k}, " for k in ks] if "k" in function.arguments else [""]
        found += [f"{name}(s, r, {cut}{sql_text(options_text(known) or '')})" for cut in cuts]
    return found


def sql_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def fill(con: duckdb.DuckDBPyConnection, count: int, groups: int, levels: int) -> None:
    """Make a table t of random scores with ties, and of grades. Some scores and some grades are NULL."""
    con.execute(f"""
        CREATE OR REPLACE TEMP TABLE t AS
        SELECT i, i % {groups} AS g,
            CASE WHEN hash(i * 3) % 11 > 0 THEN (hash(i * 3 + 1) % {levels}) / 7.0 END AS s,
            CASE WHEN hash(i * 5) % 7 > 0 THEN ((hash(i * 3 + 2) % 5) // 2)::DOUBLE END AS r
        FROM range({count}) AS x(i)
    """)


# The same as lists, bit by bit


@pytest.mark.parametrize(
    ("count", "groups", "levels", "ties"),
    [
        *(
            (*size, ties)
            for size in ((1, 1, 1), (2047, 1, 3), (2048, 3, 40), (2049, 1, 5000), (20_000, 3, 6))
            for ties in ("average", "pessimistic", "optimistic")
        ),
        # So many rows are read by several threads.
        *((125_000, 30_000, 2, "average"), (130_000, 1, 5, "average"), (130_000, 1, 5, "pessimistic")),
        (130_000, 3, 10**6, "optimistic"),
    ],
)
def test_aggregates_equal_list_functions(
    native: duckdb.DuckDBPyConnection, count: int, groups: int, levels: int, ties: str
):
    """At several k, most of which make the state drop rows, for any order of rows and number of threads."""
    fill(native, count, groups, levels)
    ks = [None, 1, 2, 10, 31, 33, 100] if count < 100_000 else [2] if groups > 10 else [None, 1, 33]
    lists = "SELECT g, list(s) AS s, list(r) AS r FROM t GROUP BY g"
    expected = rows(native, f"SELECT g, {', '.join(calls('lists', ks, ties))} FROM ({lists}) ORDER BY g")
    by_rows = (
        f"SELECT g, {', '.join(calls('rows', ks, ties))} FROM (FROM t ORDER BY {{}}) GROUP BY g ORDER BY g"
    )
    for threads, order in [(1, "i"), (2, "i DESC"), (4, "hash(i)")]:
        native.execute(f"SET threads = {threads}")
        found = rows(native, by_rows.format(order))
        assert found == expected, (threads, order)
    assert len(found) == min(count, groups)
    assert count == 1 or any(0 < value < 1 for value in found[0][1:] if value is not None)


@pytest.mark.parametrize("ties", ["average", "pessimistic", "optimistic"])
@pytest.mark.parametrize("rel", ["(hash(i + 7) % 5)::DOUBLE - 1", "1.0"], ids=["graded", "ones"])
def test_no_bit_of_a_small_group_depends_on_threads_nor_on_the_order_of_rows(
    native: duckdb.DuckDBPyConnection, rel: str, ties: str
):
    """Every function at several k, where ties at and below the cut may or may not have been dropped.

    These are 122 calls, in 3 orders, with 3 rules for ties and 2 kinds of truth.
    """
    native.execute(f"""
        CREATE OR REPLACE TEMP TABLE t AS
        SELECT i, i % 100 AS g, i // 100 AS item,
            CASE WHEN hash(i) % 9 > 0 THEN (hash(i + 3) % 5) / 10 - (40 * (item // 14))::DOUBLE END AS s,
            CASE WHEN hash(i + 5) % 3 > 0 AND {rel} >= 0 THEN {rel} END AS r
        FROM range(100 * 60) AS x(i)
    """)
    names = [name for name in METRICS if name not in ("precision", "recall", "f1")]
    names += ["precision_at", "recall_at", "rbp", "err", "dcg", "cg", "idcg"]
    calls = [f"rankdcg_{form}, 'ties={ties}')" for form in ("agg(s, r", "rows(item, s, r")]
    calls += [
        f"{name}_{form}, {k}, '{'max_rel=5, ' if name == 'err' else ''}ties={ties}')"
        for name, k in product(names, (1, 2, 5, 20, 33))
        for form in ("agg(s, r", "rows(item, s, r")
    ]
    found = set()
    for threads, order in ((1, "i"), (2, "i DESC"), (2, "hash(i)")):
        native.execute(f"SET threads = {threads}")
        values = f"SELECT g, [{', '.join(calls)}] AS v FROM (FROM t ORDER BY {order}) GROUP BY g"
        # The text of a DOUBLE shows every bit.
        found.add(value(native, f"bit_xor(hash(g, v::VARCHAR)) FROM ({values})"))
    assert len(found) == 1


def test_tied_gains_are_those_of_the_group_at_hand(con: duckdb.DuckDBPyConnection):
    """The judgements of group 2 are all 1, those of group 1 are not. A relevance of 1 stops with 2^-5."""
    con.execute("SET threads = 1")
    con.execute("""
        CREATE OR REPLACE TEMP TABLE t AS FROM (VALUES
            (1, 'x', 1.0, NULL), (1, 'y', 1.0, NULL), (1, 'x', NULL, 3.0),
            (2, 'a', 1.0, NULL), (2, 'b', 1.0, NULL), (2, 'b', NULL, 1.0)
        ) AS t(u, item, s, r)
    """)
    query = "SELECT u, err_rows(item, s, r, 'max_rel=5') FROM t GROUP BY u ORDER BY u"
    expected = [(1, near((7 / 32 + 7 / 64) / 2)), (2, near((1 / 32 + 1 / 64) / 2))]
    assert rows(con, query) == expected
    assert rows(con, query.replace("FROM t", "FROM t WHERE u = 2")) == expected[1:]


@pytest.mark.parametrize(
    ("kind", "score"),
    [
        ("BIGINT", "4611686018427387904 + {}"),
        ("UBIGINT", "18446744073709540000::UBIGINT + {}"),
        ("HUGEINT", "170141183460469231731687303715884000000 + {}"),
        ("DECIMAL(38,2)", "-10000000000000000000000000000000000.00::DECIMAL(38,2) + {} * 0.01"),
        ("HUGEINT", "(5000 - {})::HUGEINT * -34028236692093846346337460743176821"),  # far from each other
    ],
)
@pytest.mark.parametrize(("count", "groups"), [(130_000, 2), (20_000, 3_000)])
def test_exact_scores_are_ranked_as_small_ones_in_their_order(
    native: duckdb.DuckDBPyConnection, kind: str, score: str, count: int, groups: int
):
    native.execute(f"""
        CREATE OR REPLACE TEMP TABLE t AS
        SELECT i, i % {groups} AS g, CASE WHEN hash(i) % 9 > 0 THEN hash(i + 1) % 5000 END::BIGINT AS level,
            ({score.format("level")})::{kind} AS s, CASE WHEN hash(i) % 7 > 0 THEN hash(i + 2) % 3 END AS r
        FROM range({count}) AS x(i)
    """)
    columns = [
        *(f"ndcg_rows(i // 2, {{0}}, r, 40, 'ties={ties}')" for ties in ("average", "item_desc")),
        *("rank_metrics_at_agg({0}, r, [1, 40, NULL])", "kendall_tau_agg({0}, r)", "rankdcg_agg({0}, r)"),
    ]
    by_user = "SELECT unnest(rank_metrics_by_user(g, i, {0}, r, 5), recursive := true) FROM t"
    for query in (f"SELECT g, {', '.join(columns)} FROM t GROUP BY g", by_user):
        expected = sorted(rows(native, query.format("level")))
        for threads in (1, 4):
            native.execute(f"SET threads = {threads}")
            found = rows(native, query.format("s"))
            assert len(found) == groups
            assert sorted(found) == expected, threads


def test_scores_that_are_rounded_tie(con: duckdb.DuckDBPyConnection):
    # Floating point of 32 bits holds only even numbers from 2^24 on, and rounds odd ones to a multiple of 4.
    for scores, equal in [
        ("16777217::{}", "16777216"),
        ("16777219::{}", "16777220"),
        ("9007199254740993::{}", "9007199254740992"),
        ("25.1234567::DOUBLE", "25.1234566"),
        ("1e39::DOUBLE", "'inf'"),
        ("1e-60::DOUBLE", "-1e-60"),
    ]:
        for kind in ("BIGINT", "UBIGINT", "HUGEINT", "DECIMAL(38,2)", "DOUBLE") if "{}" in scores else [""]:
            one_score = scores.format(kind)
            same = f"{equal}::{one_score.partition('::')[2]}"
            rows_of_two = f"(VALUES ('a', {one_score}, 1), ('b', {same}, 0)) AS t(i, s, r)"
            for call in (
                "mrr_agg(s, r, 'score_type=float32')",
                "mrr_rows(i, s, r, 'score_type=float32')",
                "rank_metrics_by_user(1, i, s, r, 'score_type=float32')[1].mrr",
                "mrr_scored(list(s), list(r), 'score_type=float32')",
            ):
                assert value(con, f"{call} FROM {rows_of_two}") == 0.75, (call, one_score)
            assert value(con, f"roc_auc_agg(s, r, 'score_type=float32') FROM {rows_of_two}") == 0.5


def test_groups_of_one_query_may_round_scores_or_not(con: duckdb.DuckDBPyConnection):
    table = "(VALUES (1, 9007199254740993, 1), (1, 9007199254740992, 0)) AS t(i, s, r)"
    query = f"""
        SELECT mrr_agg(s, r, if(g = 1, 'score_type=float32', '')) FROM {table}, (VALUES (0), (1), (2)) AS x(g)
        GROUP BY g ORDER BY g
    """
    assert rows(con, query) == [1, 0.75, 1]


@pytest.mark.parametrize(("users", "items"), [(1, 90_000), (3, 50_000), (30_000, 4), (7, 17_000)])
def test_by_user_equals_group_by(native: duckdb.DuckDBPyConnection, users: int, items: int):
    native.execute(f"""
        CREATE OR REPLACE TEMP TABLE t AS
        SELECT i, i % {users} AS u, (hash(i) % {items})::BIGINT AS item,
            CASE WHEN hash(i + 1) % 4 > 0 THEN (hash(i + 2) % 9)::DOUBLE END AS s,
            CASE WHEN s IS NULL THEN (item % 3)::DOUBLE END AS r
        FROM range({users * items}) AS x(i)
    """)
    for k, options, of in [
        *((3, "", "BIGINT"), (40, "ties=item_desc", "VARCHAR"), (None, "ties=optimistic", "BIGINT"))
    ]:
        cut = "NULL" if k is None else k
        arguments = f"item::{of}, s, r, {cut}, '{options}'"
        grouped = f"SELECT u, rank_metrics_rows({arguments}) FROM t GROUP BY u ORDER BY u"
        nothing = {"k": k} | dict.fromkeys(METRICS)  # a user without truth has no struct
        expected = [(user, *(value or nothing).values()) for user, value in rows(native, grouped)]
        for threads, order in [(1, "i"), (2, "hash(i)"), (4, "u, i")]:
            native.execute(f"SET threads = {threads}")
            table = f"(SELECT * FROM t ORDER BY {order})"
            query = f"SELECT unnest(rank_metrics_by_user(u, {arguments}), recursive := true) FROM {table}"
            assert sorted(rows(native, query)) == expected, (k, threads, order)
        native.execute("SET threads = 2")
        several = (
            f"SELECT unnest(rank_metrics_at_by_user(u, item::{of}, s, r, [{cut}, 2], '{options}')) FROM t"
        )
        found = [(row["userid"], *[row[name] for name in ("k", *METRICS)]) for row in rows(native, several)]
        assert sorted(row for row in found if row[1] == k) == expected
        assert len(found) == 2 * len(expected)


@pytest.mark.parametrize("order", ["i", "hash(i)", "u, i"])
def test_users_that_are_texts_are_told_apart(con: duckdb.DuckDBPyConnection, order: str):
    """Many users in each partition. Their texts have many lengths, and share beginnings and ends."""
    texts = "'', u::VARCHAR, repeat('x', u % 30), 'a user of many letters ' || u, u || ' and a user'"
    con.execute(f"""
        CREATE OR REPLACE TEMP TABLE x AS
        SELECT i, i // 8 AS u, [{texts}][u % 5 + 1] AS name, i % 8 AS place,
            if(place < 7, place, u % 7) AS item, if(place < 7, -place, NULL) AS s, if(place < 7, NULL, 1) AS r
        FROM range(8 * 3000) AS t(i)
    """)
    # A user whose text is unique has one relevant item, at a rank that follows from u.
    call = "rank_metrics_by_user(name, item, s, r)"
    users = f"SELECT unnest({call}, recursive := true) FROM (FROM x ORDER BY {order})"
    found = dict(rows(con, f"SELECT userid, mrr FROM ({users})"))
    names = rows(con, "SELECT DISTINCT u, name FROM x")
    assert found.keys() == {name for _, name in names}
    alone = {name: 1 / (u % 7 + 1) for u, name in names if u % 5 in (1, 3, 4)}
    assert len(alone) == 1800
    assert {name: found[name] for name in alone} == pytest.approx(alone)
    # Other users share a text. If users of all ranks share it, the best item is a hit.
    assert found[""] == found["xx"] == 1


@pytest.mark.parametrize("user", ["'u'", "7"])
@pytest.mark.parametrize("item", ["{}", "'item ' || {}"])
def test_repeated_items_take_one_rank_beside_a_null_item(
    con: duckdb.DuckDBPyConnection, user: str, item: str
):
    """The best item is unknown, forty rows have the second one, and the third one is relevant."""
    items = item.format("CASE WHEN i = 0 THEN NULL WHEN i < 41 THEN 1 ELSE 2 END")
    con.execute(f"""
        CREATE OR REPLACE TEMP TABLE x AS
        SELECT {user} AS u, {items} AS item, -i AS s, NULL::DOUBLE AS r FROM range(42) AS t(i)
        UNION ALL SELECT {user}, {item.format("2")}, NULL, 1
    """)
    by_user = "unnest(rank_metrics_by_user(u, item, s, r, 3), recursive := true)"
    assert rows(con, f"SELECT mrr FROM (SELECT {by_user} FROM x)") == [near(1 / 3)]
    assert rows(con, "SELECT mrr_rows(item, s, r, 3) FROM x") == [near(1 / 3)]


def test_by_user_keeps_groups_apart(con: duckdb.DuckDBPyConnection):
    """In group g, only user g has a hit at rank 1, and only user g + 1 has one at rank 2."""
    found = rows(
        con,
        """
        SELECT g, rank_metrics_by_user(u, item, s, r)
        FROM (
            SELECT g, g + i // 3 AS u, i % 3 AS item, -(i % 3) AS s, if(i % 3 = i // 3, 1, 0) AS r
            FROM range(300) AS t(g), range(6) AS x(i)
        )
        GROUP BY g ORDER BY g
        """,
    )
    assert [(g, sorted((user["userid"], user["mrr"]) for user in users)) for g, users in found] == [
        (g, [(g, 1.0), (g + 1, 0.5)]) for g in range(300)
    ]


# In SQL


@pytest.fixture
def pairs(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Two systems' rankings, a and b, of the same items: the reciprocal ranks are 1/2 and 1."""
    con.execute("""
        CREATE OR REPLACE TEMP TABLE p AS FROM (VALUES
            ('a', 1, 0.9, 0), ('a', 2, 0.8, 1), ('a', 3, 0.7, 0), ('b', 2, 0.5, 1), ('b', 3, 0.4, 1)
        ) AS t(u, item, s, r)
    """)
    return con


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("u, mrr_agg(s, r) FROM p GROUP BY u ORDER BY u", [("a", 0.5), ("b", 1.0)]),
        ("avg(m) FROM (SELECT mrr_agg(s, r) AS m FROM p GROUP BY u)", [0.75]),
        ("mrr_agg(s, r) FILTER (item > 1) FROM p WHERE u = 'a'", [1.0]),
        ("mrr_agg(s, r) FILTER (item > 9) FROM p", [None]),
        ("precision_at_agg(DISTINCT s, r) FROM (FROM p UNION ALL FROM p) WHERE u = 'a'", [1 / 3]),
        ("precision_at_agg(s, r, 4) FROM (FROM p UNION ALL FROM p) WHERE u = 'a'", [0.5]),
        ("mrr_agg(s, r ORDER BY item DESC) FROM p WHERE u = 'a'", [0.5]),
        ("u, mrr_agg(s, r) AS m FROM p GROUP BY u HAVING mrr_agg(s, r) > 0.6", [("b", 1.0)]),
        ("mrr_agg(s, r) OVER (PARTITION BY u) FROM p ORDER BY u, item", [0.5, 0.5, 0.5, 1.0, 1.0]),
        (
            "mrr_agg(s, r) OVER (PARTITION BY u ORDER BY item"
            " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM p ORDER BY u, item",
            [None, 0.5, 1.0, 1.0, 1.0],
        ),
        (
            "mrr_agg(s, r) OVER (ORDER BY u, item ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING"
            " EXCLUDE CURRENT ROW) FROM p ORDER BY u, item",
            [1.0, 1 / 2, 1.0, 1.0, None],
        ),
        (
            "u, mrr_agg(s, r) FROM p GROUP BY GROUPING SETS ((u), ()) ORDER BY ALL NULLS LAST",
            [("a", 0.5), ("b", 1.0), (None, 0.5)],
        ),
        ("mrr_agg(s, r) FROM p GROUP BY ROLLUP (u) ORDER BY u NULLS FIRST", [0.5, 0.5, 1.0]),
        ("count(*), max(m) FROM (SELECT mrr_agg(s, r) AS m FROM p GROUP BY CUBE (u, item))", [(11, 1.0)]),
        (
            "u, (SELECT mrr_agg(s, r) FROM p WHERE p.u = q.u)"
            " FROM (VALUES ('b'), ('a'), ('c')) AS q(u) ORDER BY u",
            [("a", 0.5), ("b", 1.0), ("c", None)],
        ),
        ("m.ndcg FROM (SELECT rank_metrics_agg(s, r) AS m FROM p WHERE u = 'b')", [1.0]),
        ("len(rank_metrics_at_agg(s, r, [1, 2])) FROM p", [2]),
        ("mrr_agg(s, r) FROM p WHERE false", [None]),
        ("mrr_agg(s, r) FROM p WHERE false GROUP BY u", []),
        ("mrr_agg(DISTINCT s, r ORDER BY s) FROM p WHERE u = 'a'", [0.5]),
        ("u, list(mrr_agg(s, r)) OVER () FROM p WHERE u = 'a' GROUP BY u", [("a", [0.5])]),
    ],
)
def test_queries(pairs: duckdb.DuckDBPyConnection, query: str, expected: list[Any]):
    assert rows(pairs, f"SELECT {query}") == expected


@pytest.mark.parametrize(
    "call",
    [
        "ndcg_agg(s, r, 5)",
        "ndcg_agg(s, r)",
        "rank_metrics_rows(i, s, r, 4)",
        "rank_metrics_by_user(i % 3, i, s, r, 2)",
        "ranked_list(i, s)",
        "mean_ci(s)",
        "wilcoxon_signed_rank(s, r)",
    ],
)
@pytest.mark.parametrize("frame", [1, 16, 48, 256])
def test_window_frames_leave_each_other_alone(native: duckdb.DuckDBPyConnection, call: str, frame: int):
    """DuckDB merges the states of 16 rows into one, and those into the state of every frame that has them."""
    native.execute("SET threads = 2")
    fill(native, 2049, 1, 9)
    moving = rows(
        native,
        f"SELECT ({call} OVER (ORDER BY i ROWS BETWEEN {frame - 1} PRECEDING AND CURRENT ROW))::VARCHAR"
        " FROM t ORDER BY i",
    )
    grouped = rows(
        native,
        f"SELECT (SELECT ({call})::VARCHAR FROM t WHERE i BETWEEN last - {frame - 1} AND last)"
        " FROM (SELECT i AS last FROM t WHERE i % 64 < 3 OR i % 16 = 15) ORDER BY last",
    )
    places = [i for i in range(2049) if i % 64 < 3 or i % 16 == 15]
    assert [moving[place] for place in places] == grouped


def test_rankdcg_has_its_own_ties_in_every_convention(con: duckdb.DuckDBPyConnection):
    """By item_desc, which trec_eval's convention sets for other metrics, the tied items are in order."""
    tied = "FROM (VALUES (5, 3, 2.0), (1, 3, NULL)) AS t(item, s, r)"
    call = "rankdcg_rows(item, s, r, '{}') " + tied
    options = ("", "convention=trec_eval", "ties=pessimistic", "ties=item_desc", "ties=average")
    assert [value(con, call.format(text)) for text in options] == [0.0, 0.0, 0.0, 1.0, 0.5]
    assert value(con, f"ndcg_rows(item, s, r, NULL, 'convention=trec_eval') {tied}") == 1.0


def test_nothing_was_retrieved_if_every_item_is_skipped(con: duckdb.DuckDBPyConnection):
    """The ranking has one item, which nobody has judged. Without it, nothing was retrieved."""
    options = "'unjudged=skip,empty_rec=null'"
    rows_of_items = "FROM (VALUES ('a', NULL, 10.0), ('x', 3.0, NULL), ('b', NULL, 0.0)) AS t(item, s, r)"
    assert value(con, f"rankdcg(['x'], MAP {{'a': 10, 'b': 0}}, {options})") is None
    assert value(con, f"rankdcg_rows(item, s, r, {options}) {rows_of_items}") is None
    assert value(con, f"rankdcg_agg(s, r, {options}) {rows_of_items}") is None
    assert value(con, f"rankdcg([NULL, 3.0, NULL], [10.0, NULL, 0.0], {options})") is None


def test_prepared_statements(pairs: duckdb.DuckDBPyConnection):
    query = "SELECT mrr_agg(s, r, $1), mrr_agg(s, r, $2, $3), mrr_agg(s, r, $3) FROM p WHERE u = 'a'"
    assert rows(pairs, query, [1, 2, "no_relevant=zero"]) == [(0.0, 0.5, 0.5)]
    assert rows(pairs, query, [None, None, None]) == [(0.5, 0.5, 0.5)]
    assert value(pairs, "len(rank_metrics_at_agg(s, r, ?)) FROM p", [[1, 2, 3]]) == 3
    assert value(pairs, "mrr_agg(?::DOUBLE, ?::INTEGER)", [0.1, 1]) == 1


def test_k_and_options_of_a_group(pairs: duckdb.DuckDBPyConnection):
    """k and options are constants or the same in all rows of a group. They may differ between groups."""
    by_group = "SELECT recall_at_agg(s, r, length(u), lower('NO_RELEVANT=zero')) FROM p GROUP BY u ORDER BY u"
    assert rows(pairs, by_group) == [0.0, 0.5]
    for k in ("2", "NULL"):
        by_group = f"SELECT recall_at_agg(s, r, if(u = 'b', 1, {k})) FROM p GROUP BY u ORDER BY u"
        assert rows(pairs, by_group) == [1.0, 0.5]
    many = "FROM (SELECT 5 - i AS s, (i > 2)::INT AS r, i FROM range(5) AS x(i))"
    differ = "must be the same in all rows of a group, got"
    assert refused(pairs, f"SELECT mrr_agg(s, r, i + 1) {many}") == f"mrr_agg: k {differ} 1 and 2"
    assert refused(pairs, f"SELECT mrr_agg(s, r, nullif(i, 0)) {many}") == f"mrr_agg: k {differ} NULL and 1"
    assert refused(pairs, f"SELECT rank_metrics_at_agg(s, r, [1, i]) {many} WHERE i > 0") == (
        f"rank_metrics_at_agg: k {differ} 1, 1 and 1, 2"
    )
    for call in (
        "mrr_agg(s, r, {})",
        "rank_metrics_rows(i, s, r, {})",
        "rank_metrics_by_user(1, i, s, r, {})",
    ):
        options = "if(i < 3, 'min_rel=1', 'min_rel=2')"
        assert refused(pairs, f"SELECT {call.format(options)} {many}") == (
            f"{call.partition('(')[0]}: options {differ} 'min_rel=1' and 'min_rel=2'"
        )
        # Options are compared by their meaning.
        value(pairs, f"{call.format(options.replace('2', ' 1 '))} {many}")
    statistic = "SELECT mean_ci(s, if(i < 3, 'confidence=0.9', 'confidence=0.8'))"
    assert "mean_ci: options must be the same" in refused(pairs, f"{statistic} {many}")


def test_rows_on_several_threads_have_one_k(native: duckdb.DuckDBPyConnection):
    """A thread reads 122,880 rows at a time, here with one k. Two k meet only when states merge."""
    native.execute("SET threads = 4")
    native.execute(
        "CREATE OR REPLACE TEMP TABLE t AS SELECT i, 1 + i // 122880 AS k FROM range(245760) AS x(i)"
    )
    for call in ("mrr_agg(i, 1, k)", "rank_metrics_rows(i, i, 1, k)", "rank_metrics_by_user(1, i, i, 1, k)"):
        assert "k must be the same in all rows of a group" in refused(native, f"SELECT {call} FROM t")


@pytest.mark.parametrize("call", ["rank_metrics_at_agg(1, 1, ks)", "rank_metrics_at_rows(1, 1, 1, ks)"])
def test_null_ks_gives_null_and_empty_ks_an_empty_list(con: duckdb.DuckDBPyConnection, call: str):
    query = f"SELECT {call} FROM (SELECT unnest($1::BIGINT[][]) AS ks)"
    assert rows(con, query, [[None, None]]) == [None]
    assert rows(con, query, [[[], []]]) == [[]]
    assert "k must be the same in all rows of a group" in refused(con, query, [[[], None]])


# NULL


@pytest.mark.parametrize(
    ("call", "values", "expected"),
    [
        # An item that is judged but not retrieved counts in the ideal.
        ("ndcg_agg(s, r)", "(1, 1), (NULL, 1)", 1 / (1 + 1 / math.log2(3))),
        # An item that is neither retrieved nor judged is no item.
        ("precision_at_agg(s, r)", "(1, 1), (NULL, NULL)", 1.0),
        # Nothing judged, nothing relevant, nothing retrieved.
        ("mrr_agg(s, r)", "(1, NULL), (2, NULL)", None),
        ("mrr_agg(s, r, 'no_relevant=error')", "(1, NULL), (2, NULL)", None),
        ("mrr_agg(s, r)", "(NULL, NULL)", None),
        ("mrr_agg(s, r)", "(1, 0)", None),
        ("mrr_agg(s, r, 'no_relevant=one')", "(1, 0)", 1.0),
        ("auc_agg(s, r)", "(NULL, 1)", 0.0),
        # k and options
        ("recall_at_agg(s, r, NULL)", "(1, 1), (2, 1)", 1.0),
        ("recall_at_agg(s, r, NULL, NULL)", "(1, 1), (2, 1)", 1.0),
        ("recall_at_agg(s, r, 1, '')", "(1, 1), (2, 1)", 0.5),
        ("rank_metrics_at_agg(s, r, NULL)", "(1, 1)", None),
        ("rank_metrics_at_agg(s, r, [])", "(1, 1)", []),
        ("rank_metrics_at_agg(s, r, [])", "(1, NULL)", None),
        ("rank_metrics_agg(s, r)", "(1, NULL)", None),
        # Pairs
        ("roc_auc_agg(s, r)", "(3, 1), (2, 0), (NULL, 1), (9, NULL)", 1.0),
        ("kendall_tau_agg(s, r)", "(3, 3), (2, -1), (NULL, 9), (9, NULL)", 1.0),
        ("roc_auc_agg(s, r)", "(3, 1), (NULL, 0)", None),
        # Without a relevance an item has relevance 0; without a score it comes last. DCG' of 0, 9, 3, 1 is
        # 1/1 + 4/2 + 3/3 + 2/4 = 54/12, between 48/12 of the reversed and 77/12 of the perfect order.
        ("rankdcg_agg(s, r)", "(3, 9), (2, 3), (NULL, 1), (9, NULL)", 6 / 29),
        ("rankdcg_agg(s, r, 'unjudged=skip')", "(3, 9), (2, 3), (NULL, 1), (9, NULL)", 1.0),
        ("rankdcg_agg(s, r)", "(7, 1), (1, 3), (NULL, 9)", 0.0),
        ("rankdcg_agg(s, r)", "(NULL, 1), (NULL, 3)", 0.0),
        ("rankdcg_agg(s, r)", "(1, 2), (3, 2)", None),
        # Truth as a boolean
        ("mrr_agg(s, r::BOOLEAN)", "(1, 1), (2, 0)", 0.5),
        ("mrr_agg(s, r = 2)", "(1, 2), (2, 1)", 0.5),
        ("recall_at_agg(s, r > 0)", "(1, 2), (NULL, 1), (3, 0)", 0.5),
    ],
)
def test_missing_scores_and_relevances(con: duckdb.DuckDBPyConnection, call: str, values: str, expected: Any):
    source = f"(SELECT s::DOUBLE AS s, r::DOUBLE AS r FROM (VALUES {values}) AS t(s, r))"
    found = value(con, f"{call} FROM {source}")
    assert found == (expected if isinstance(expected, list) else near(expected))


@pytest.mark.parametrize("k", ["", ", 4", ", 40"])
@pytest.mark.parametrize("name", ["rank_metrics_rows(", "rank_metrics_by_user('u', "])
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        # precision, recall, mrr
        ("('a', 2, NULL), ('b', 1, NULL), ('b', NULL, 1)", (0.5, 1.0, 0.5)),
        # A row may be a recommendation and a judgement, or neither.
        ("('a', 2, NULL), ('b', 1, 1), ('c', NULL, NULL)", (0.5, 1.0, 0.5)),
        # An item's score is its largest.
        ("('a', 2, NULL), ('b', 1, 1), ('b', 3, NULL), ('b', 3, NULL)", (0.5, 1.0, 1.0)),
        # The same judgement again
        ("('a', 2, NULL), ('b', 1, 1), ('b', NULL, 1)", (0.5, 1.0, 0.5)),
        # Each NULL item takes a rank, and is never judged.
        ("(NULL, 2, NULL), (NULL, 3, NULL), ('b', 1, 1), (NULL, NULL, 1)", (1 / 3, 1.0, 1 / 3)),
        ("(NULL, 2, 1), ('b', 1, 1)", (0.5, 1.0, 0.5)),
        # Judgements of NULL items alone are an empty truth.
        ("('a', 2, NULL), (NULL, NULL, 1)", (None, None, None)),
        # Judgements alone, and no judgements at all
        ("('a', NULL, 1)", (0.0, 0.0, 0.0)),
        ("('a', 1, NULL)", (None, None, None)),
        ("('a', 1, 0)", (None, None, None)),
    ],
)
def test_recommendations_and_judgements_match_by_item(
    con: duckdb.DuckDBPyConnection, name: str, k: str, values: str, expected: tuple[float | None, ...]
):
    """The values are the same without k and with a k that cuts nothing off."""
    source = f"(SELECT i, s::DOUBLE AS s, r::INTEGER AS r FROM (VALUES {values}) AS t(i, s, r))"
    found = value(con, f"{name}i, s, r{k}) FROM {source}")
    found = found[0] if isinstance(found, list) else found or {}
    assert tuple(found.get(metric) for metric in ("precision", "recall", "mrr")) == tuple(map(near, expected))


def test_users_without_recommendations_or_judgements(con: duckdb.DuckDBPyConnection):
    con.execute("""
        CREATE OR REPLACE TEMP TABLE x AS FROM (VALUES
            ('both', 1, 2.0, NULL), ('both', 2, 1.0, NULL), ('both', 1, NULL, 1),
            ('rec', 1, 2.0, NULL), ('truth', 1, NULL, 1), (NULL, 1, 1.0, 1), (NULL, 2, 2.0, NULL)
        ) AS t(u, i, s, r)
    """)
    users = "SELECT unnest(rank_metrics_by_user(u, i, s, r, 2), recursive := true) FROM x"
    found = rows(con, f"SELECT userid, k, precision, mrr, auc FROM ({users}) ORDER BY userid NULLS LAST")
    assert found == [("both", 2, 0.5, 1.0, 1.0), ("rec", 2, None, None, None), ("truth", 2, 0.0, 0.0, 0.0)]
    call = "rank_metrics_at_by_user(u, i, s, r, [2, 1])"
    several = f"SELECT unnest({call}, recursive := true) FROM x WHERE u <> 'both'"
    assert rows(con, f"SELECT userid, k, recall FROM ({several}) ORDER BY ALL") == [
        ("rec", 1, None),
        ("rec", 2, None),
        ("truth", 1, 0.0),
        ("truth", 2, 0.0),
    ]


def test_no_rows(con: duckdb.DuckDBPyConnection):
    nothing = "FROM (SELECT 1 AS i, 1.0 AS s, 1 AS r WHERE false)"
    for function in AGG:
        ks = "[1], " if "ks" in function.arguments else ""
        options = "'max_rel=4'" if "max_rel" in function.options else "''"
        assert value(con, f"{function.name}(s, r, {ks}{options}) {nothing}") is None, function.name
    assert value(con, f"rank_metrics_rows(i, s, r) {nothing}") is None
    assert value(con, f"rank_metrics_at_rows(i, s, r, [1]) {nothing}") is None
    assert value(con, f"rank_metrics_by_user(i, i, s, r) {nothing}") in (None, [])
    assert value(con, "rank_metrics_rows(NULL, NULL, NULL)") is None
    assert value(con, "mrr_agg(NULL, NULL)") is None
    assert value(con, "rank_metrics_by_user(NULL, NULL, NULL, NULL)") in (None, [])


# Types


@pytest.mark.parametrize("score", NUMBERS)
@pytest.mark.parametrize("rel", [*NUMBERS, "BOOLEAN"])
def test_types_of_numbers(con: duckdb.DuckDBPyConnection, score: str, rel: str):
    con.execute("""
        CREATE OR REPLACE TEMP TABLE t AS
        SELECT i, i % 3 AS g, if(i % 5 = 0, NULL, i * 7 % 11) AS s, if(i % 7 = 0, NULL, i % 2) AS r
        FROM range(200) AS x(i)
    """)
    calls = "ndcg_agg({0}, {1}, 5), rankdcg_agg({0}, {1}), rank_metrics_rows(i, {0}, {1}, 5)"
    expected = rows(con, f"SELECT g, {calls.format('s', 'r')} FROM t GROUP BY g ORDER BY g")
    typed = calls.format(f"s::{score}", f"r::{rel}")
    assert rows(con, f"SELECT g, {typed} FROM t GROUP BY g ORDER BY g") == expected


ITEM_TYPES = {
    "TINYINT": "i::TINYINT",
    "UBIGINT": "18446744073709551615::UBIGINT - i::UBIGINT",
    "HUGEINT": "170141183460469231731687303715884105727::HUGEINT - i",
    "small HUGEINT": "i::HUGEINT",
    "mixed HUGEINT": "if(i < 50, i::HUGEINT, i::HUGEINT + 100000000000000000000)",
    "mixed DECIMAL": "if(i < 50, i::DECIMAL(38, 2), i + 1e20::DECIMAL(38, 2))",
    "DECIMAL(4,1)": "(i / 2)::DECIMAL(4, 1)",
    "DECIMAL(30,4)": "(i / 2)::DECIMAL(30, 4)",
    "VARCHAR": "'i' || i",
    "VARCHAR of 16 and 17": "if(i % 2 = 0, rpad('i' || i, 16, '.'), rpad('i' || i, 17, '.'))",
    "long VARCHAR": "repeat('a long text ', 3) || i",
    "ENUM": "('v' || i % 100)::letters",
    "UUID": "('00000000-0000-0000-0000-' || lpad(i::VARCHAR, 12, '0'))::UUID",
    "DATE": "DATE '2020-01-01' + i::INTEGER",
    "TIMESTAMPTZ": "TIMESTAMPTZ '2020-01-01 00:00:00+00' + to_days(i::INTEGER)",
    "INTERVAL": "to_days(i::INTEGER)",
    "BLOB": "('\\x00' || i)::BLOB",
    "STRUCT": "{'a': i, 'b': 'x' || i}",
    "LIST": "[i, NULL, i + 1]",
    "ARRAY": "[i, i + 1]::INTEGER[2]",
    "MAP": "MAP {i: 'x'}",
    "DOUBLE": "i / 3",
    "FLOAT": "(i / 4)::FLOAT",
    "BOOLEAN": "i % 2 = 0",
}


@pytest.mark.parametrize("name", ITEM_TYPES)
def test_types_of_items(con: duckdb.DuckDBPyConnection, name: str):
    """Each type has an item for each number."""
    con.execute("DROP TYPE IF EXISTS letters")
    letters = ", ".join(f"'v{number}'" for number in range(100))
    con.execute(f"CREATE TYPE letters AS ENUM ({letters})")
    items = 2 if name == "BOOLEAN" else 100
    con.execute(f"""
        CREATE OR REPLACE TEMP TABLE t AS
        SELECT n % 7 AS u, (hash(n) % {items})::BIGINT AS i,
            if(n % 3 > 0, (hash(n + 1) % 9)::INTEGER, NULL) AS s,
            if(n % 3 = 0, i % 2, NULL) AS r
        FROM range(6000) AS x(n)
    """)
    con.execute(f"CREATE OR REPLACE TEMP TABLE typed AS SELECT u, i, s, r, {ITEM_TYPES[name]} AS item FROM t")
    call = "rank_metrics_rows({}, s, r, {})"
    users = "rank_metrics_by_user(u, {}, s, r, {})"
    for k in (5, "NULL"):
        expected = rows(con, f"SELECT u, {call.format('i', k)} FROM t GROUP BY u ORDER BY u")
        assert rows(con, f"SELECT u, {call.format('item', k)} FROM typed GROUP BY u ORDER BY u") == expected
        assert value(con, f"{users.format('item', k)} FROM typed") == value(
            con, f"{users.format('i', k)} FROM t"
        )
    by_item = "rank_metrics_rows(item, s, r, 'ties=item_asc') FROM typed"
    if name in ("TINYINT", "ENUM", "FLOAT", "DOUBLE") or "VARCHAR" in name:
        assert value(con, by_item)["mrr"] > 0
    else:
        needed = "integers that fit 64 bits with a sign, floating point or text"
        assert f"ties by item need items that are {needed}, got" in refused(con, f"SELECT {by_item}")


@pytest.mark.parametrize(
    ("of", "user", "found"),
    [
        ("TINYINT", "1", 1),
        ("INTEGER", "-1", -1),
        ("BIGINT", "9223372036854775807", 2**63 - 1),
        ("UINTEGER", "4294967295", 2**32 - 1),
        ("VARCHAR", "'u'", "u"),
        ("VARCHAR", "'a name of more than sixteen letters'", "a name of more than sixteen letters"),
    ],
)
def test_types_of_users(con: duckdb.DuckDBPyConnection, of: str, user: str, found: Any):
    (struct,) = value(con, f"rank_metrics_by_user({user}::{of}, 1, 1.0, 1)")
    assert struct == {"userid": found, "k": None} | dict.fromkeys(METRICS, 1.0) | {"auc": 0.5}


@pytest.mark.parametrize(
    "user", ["1::UBIGINT", "1::HUGEINT", "uuid()", "DATE '2020-01-31'", "[1]", "1.5::DOUBLE"]
)
def test_users_that_need_a_cast(con: duckdb.DuckDBPyConnection, user: str):
    """The type of users is a part of the result's type, which must be fixed."""
    with pytest.raises(duckdb.BinderException, match=r"rank_metrics_by_user.*explicit type casts"):
        con.execute(f"SELECT rank_metrics_by_user({user}, 1, 1.0, 1)")
    (found,) = value(con, f"rank_metrics_by_user(({user})::VARCHAR, 1, 1.0, 1)")
    assert isinstance(found["userid"], str)


# Errors


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("mrr_agg('nan'::DOUBLE, 1)", "score must not be NaN, got NaN"),
        ("mrr_agg('nan'::FLOAT, NULL::INT)", "score must not be NaN, got NaN"),
        ("mrr_agg(1, 'inf'::DOUBLE)", "relevance in rel must be finite, got inf"),
        ("mrr_agg(1, 'nan'::DOUBLE)", "relevance in rel must be finite, got NaN"),
        ("mrr_agg(NULL::INT, -1)", "relevance in rel must not be negative, got -1"),
        ("roc_auc_agg(1, -1)", "relevance in rel must not be negative, got -1"),
        ("precision_agg(1, -0.5)", "relevance in rel must not be negative, got -0.5"),
        ("err_agg(1, 5, 'max_rel=4')", "relevance in rel must be at most max_rel=4, got 5"),
        ("err_agg(1, 1)", "max_rel must be given, the highest possible grade, such as max_rel=4"),
        (
            "err_agg(0, 1 + i % 2, 'max_rel=4') FROM range(60000) AS x(i)",
            "too many tied items differ in relevance to compute the expected value over their orders: give "
            "ties=pessimistic or ties=optimistic, or a smaller k to a metric that takes one",
        ),
        ("ndcg_agg(1, 2000)", "relevance 2000 is too large: its gain must be at most 1e300"),
        ("ndcg_agg(1, 2000, 3)", "relevance 2000 is too large: its gain must be at most 1e300"),
        ("ndcg_agg(1, 1, 0)", "k must be at least 1, got 0"),
        ("rankdcg_agg(1, 1, 3)", "takes no k, got 3"),
        ("mrr_agg(1, 0, 'no_relevant=error')", "truth has no relevant item, and no_relevant=error"),
        ("mrr_agg(1, 1, 'ties=item_asc')", "ties=item_asc needs items: use rank_metrics_rows"),
        (
            "ndcg_agg(1, 1, 'convention=trec_eval')",
            "convention=trec_eval breaks ties by item: use rank_metrics_rows or evaluate",
        ),
        ("mrr_agg('a', 1)", "score must be a number, got text"),
        ("mrr_agg([1], 1)", "score must be a number, got list of integer"),
        ("mrr_agg(1, {'a': 1})", "rel must be a number or a boolean, got struct(a integer)"),
        ("mrr_agg(true, 1)", "score must be a number, got boolean"),
        ("mrr_agg(DATE '2020-01-01', 1)", "score must be a number, got date"),
        ("mrr_agg(1, 'a')", "rel must be a number or a boolean, got text"),
        ("rank_metrics_rows(1, 'nan'::DOUBLE, NULL)", "score must not be NaN, got NaN"),
        ("rank_metrics_rows(1, 1, -1)", "relevance in rel must not be negative, got -1"),
        ("rank_metrics_rows(1, [1], NULL)", "score must be a number, got list of integer"),
        ("rank_metrics_by_user(1, 1, 'nan'::DOUBLE, 1)", "score must not be NaN, got NaN"),
        ("rank_metrics_by_user('a', 1, 1, 'inf'::DOUBLE)", "relevance in rel must be finite, got inf"),
        ("rank_metrics_by_user('a', 1, 1, 1, 0)", "k must be at least 1, got 0"),
        ("rank_metrics_at_agg(1, 1, [1, 0])", "k must be at least 1, got 0"),
        *(
            (
                f"{name}'a', 1, {rel}) FROM range(1, 3) AS x(i)",
                "truth judges an item twice, with relevance 1 and 2",
            )
            for name in ("rank_metrics_rows(", "rank_metrics_by_user(7, ")
            for rel in ("i", "3 - i")
        ),
    ],
)
def test_sentences(con: duckdb.DuckDBPyConnection, call: str, sentence: str):
    assert refused(con, f"SELECT {call}") == f"{call.partition('(')[0]}: {sentence}"


def test_wrong_numbers_of_arguments(con: duckdb.DuckDBPyConnection):
    for call in (
        "mrr_agg(1)",
        "mrr_agg(1, 1, 1, 'a', 1)",
        "rank_metrics_at_agg(1, 1)",
        "rank_metrics_rows(1, 1)",
    ):
        with pytest.raises(duckdb.BinderException, match=call.partition("(")[0]):
            con.execute(f"SELECT {call}")


def test_an_error_on_one_thread_among_many(native: duckdb.DuckDBPyConnection):
    """Errors on one thread among many, and the calls after them."""
    chance = random.Random(1)
    native.execute("SET threads = 4")
    native.execute("CREATE OR REPLACE TEMP TABLE t AS SELECT i, i % 1000 AS g FROM range(300000) AS x(i)")
    for _ in range(5):
        bad = chance.randrange(300_000)
        broken = f"if(i = {bad}, 'nan'::DOUBLE, i)"
        for call in ("mrr_agg({}, 1, 3)", "rank_metrics_rows(i, {}, 1)", "rank_metrics_by_user(g, i, {}, 1)"):
            group = "" if "user" in call else "GROUP BY g"
            assert "score must not be NaN" in refused(native, f"SELECT {call.format(broken)} FROM t {group}")


@pytest.mark.parametrize("ties", ["item_asc", "item_desc"])
def test_ties_by_item_have_unknown_items_last(con: duckdb.DuckDBPyConnection, ties: str):
    """A NULL item is never relevant, so the value shows the rank of the other item."""
    for values in ("(1, 1.0, NULL), (NULL, 1.0, NULL)", "(NULL, 1.0, NULL), (1, 1.0, NULL)"):
        source = f"(VALUES {values}, (1, NULL, 1.0)) AS t(item, s, r)"
        assert value(con, f"mrr_rows(item, s, r, 'ties={ties}') FROM {source}") == 1


def test_integers_that_floating_point_holds_in_part_do_not_tie(con: duckdb.DuckDBPyConnection):
    """Between the least score and the greatest are 2^53 + 1, more than floating point tells apart."""
    source = "(VALUES (0, 0), (9007199254740992, 0), (9007199254740993, 1)) AS t(s, r)"
    assert value(con, f"ndcg_agg(s, r, 1) FROM {source}") == 1


def test_unknown_items_are_among_those_retrieved(con: duckdb.DuckDBPyConnection):
    """The first of two items is relevant, and the other one is NULL: precision without k is 1/2."""
    source = "(VALUES (1, 2.0, NULL), (NULL, 1.0, NULL), (1, NULL, 1)) AS t(i, s, r)"
    for ties in ("item_asc", "item_desc", "average"):
        found = value(con, f"rank_metrics_rows(i, s, r, NULL, 'ties={ties}') FROM {source}")
        assert found["precision"] == 1 / 2, ties


#: Rows that no metric may check: of no user, or judgements without an item. The former disagree, too.
LEFT_OUT = """
    (NULL, {0}, NULL, -1.0), (NULL, {0}, NULL, 'inf'::DOUBLE), (NULL, {0}, NULL, 2),
    (NULL, {0}, 'nan'::DOUBLE, 3), ({1}, NULL, NULL, -1), ({1}, NULL, NULL, 'inf'::DOUBLE),
    ({1}, NULL, NULL, 'nan'::DOUBLE), ({1}, NULL, NULL, 99)
"""


@pytest.mark.parametrize(("user", "item"), [("1", "7"), ("'u'", "'a'"), ("'a long name of a user'", "'a'")])
def test_rows_that_are_left_out_are_not_checked(con: duckdb.DuckDBPyConnection, user: str, item: str):
    con.execute(f"""
        CREATE OR REPLACE TEMP TABLE kept AS FROM (VALUES
            ({user}, {item}, 0.5::DOUBLE, NULL), ({user}, NULL, 0.7, NULL),
            ({user}, {item}, NULL, 3.0::DOUBLE)
        ) AS t(u, i, s, r);
        CREATE OR REPLACE TEMP TABLE dirty AS
        FROM kept UNION ALL FROM (VALUES {LEFT_OUT.format(item, user)}) AS t(u, i, s, r)
    """)
    calls = (
        "rank_metrics_by_user(u, i, s, r, 5)",
        "rank_metrics_at_by_user(u, i, s, r, [1, NULL])",
        "[each.ndcg for each in rank_evaluation_by_user(u, i, s, r, [5])]",
        "rank_metrics_rows(i, s, r, 5) FILTER (u IS NOT NULL)",
        "err_rows(i, s, r, 'max_rel=4') FILTER (u IS NOT NULL)",
    )
    for call in calls:
        found, expected = (value(con, f"{call} FROM {table}") for table in ("dirty", "kept"))
        assert found is not None
        assert repr(found) == repr(expected), call
    judged = "list({'item': i, 'rel': r}) FILTER (u IS NOT NULL AND r IS NOT NULL)"
    assert value(con, f"ndcg([{item}], {judged}, 5) FROM dirty") == 1


@pytest.mark.parametrize("kind", ["BIGINT", "HUGEINT", "DOUBLE"])
def test_ties_by_item_are_in_the_order_of_numbers_below_0(con: duckdb.DuckDBPyConnection, kind: str):
    """Item -1 comes before the relevant item 1, or after it, for every type of scores."""
    source = f"(VALUES (-1, 5::{kind}, NULL), (1, 5, 1.0)) AS t(item, s, r)"
    for ties, expected in (("item_asc", 0.5), ("item_desc", 1.0)):
        assert value(con, f"mrr_rows(item, s, r, 'ties={ties}') FROM {source}") == expected


@pytest.mark.parametrize("item", ["'a'", "7", "2.5", "DATE '2000-01-01'", "1.5::DOUBLE"])
@pytest.mark.parametrize("is_first", [True, False])
def test_rows_without_an_item_may_come_by_themselves(
    con: duckdb.DuckDBPyConnection, item: str, is_first: bool
):
    """A NULL item takes a rank, also if all rows of a call have NULL items."""
    rankdcg_sql.register(con)
    kind = value(con, f"typeof({item})")
    parts = [f"SELECT {item} AS item, 2.0 AS s, 1 AS r", f"SELECT NULL::{kind}, 3.0, NULL"]
    table = f"({' UNION ALL '.join(parts[::-1] if is_first else parts)}) AS t(item, s, r)"
    assert rows(con, f"SELECT mrr_rows(item, s, r), recall_at_rows(item, s, r, 1) FROM {table}") == [(0.5, 0)]


# Results of groups


#: Calls, with room for an ORDER BY of the rows.
ORDERED = [
    "mrr_agg(s, r{})",
    "rank_metrics_agg(s, r, 3{})",
    "rank_metrics_at_agg(s, r, [1, 3]{})",
    "mrr_rows(i, s, r::INT{})",
    "rank_metrics_by_user(i % 2, i, s, r::INT{})",
]


@pytest.mark.parametrize("call", ORDERED)
def test_ordered_rows_change_no_value_of_any_group(con: duckdb.DuckDBPyConnection, call: str):
    # DuckDB finalizes groups of ordered rows one by one, each at another row of the result vector.
    table = "(SELECT i, i % 3000 AS g, hash(i) AS s, hash(i) % 5 = 0 AS r FROM range(30000) t(i))"
    both = f"SELECT {call.format('')} AS one, {call.format(' ORDER BY i')} AS other FROM {table} GROUP BY g"
    assert value(con, f"count(*) = 3000 AND count(DISTINCT one) > 5 FROM ({both})")
    assert rows(con, f"FROM ({both}) WHERE one IS DISTINCT FROM other") == []


def test_lists_of_groups_with_few_k_and_many(con: duckdb.DuckDBPyConnection):
    # The first groups leave too little room for the lists of those after them.
    table = "(SELECT i // 2 AS g, i % 2 AS s, 1 AS r FROM range(8000) t(i))"
    query = f"SELECT g, rank_metrics_at_agg(s, r, range(1, 2 + g % 7)) AS m FROM {table} GROUP BY g"
    found = rows(
        con, f"SELECT g % 7 + 1, list_transform(m, lambda x: x.k), m[-1].mrr, m[1].recall FROM ({query})"
    )
    assert len(found) == 4000
    assert all(ks == [*range(1, length + 1)] for length, ks, _, _ in found)
    assert {(mrr, recall) for _, _, mrr, recall in found} == {(1.0, 0.5)}


def test_values_that_are_not_aligned(con: duckdb.DuckDBPyConnection):
    # Arrow's buffers need no alignment, and DuckDB reads them in place.
    def shifted(values: list[Any], kind: pa.DataType) -> pa.Array:
        _, data = pa.array(values, kind).buffers()
        moved = pa.py_buffer(b"x" + data.to_pybytes()).slice(1)
        assert moved.address % 8
        return pa.Array.from_buffers(kind, len(values), [None, moved])

    # The second of each user's three items is relevant.
    columns = {
        "u": shifted([index // 3 for index in range(3000)], pa.int64()),
        "s": shifted([float(-index) for index in range(3000)], pa.float64()),
        "r": shifted([int(index % 3 == 1) for index in range(3000)], pa.int64()),
    }
    con.register("incoming", pa.table(columns))
    assert rows(con, "SELECT DISTINCT v FROM (SELECT mrr_agg(s, r) AS v FROM incoming GROUP BY u)") == [0.5]
    users = "SELECT unnest(rank_metrics_by_user(u, s, s, r)) AS m FROM incoming"
    assert value(con, f"count(*) FROM ({users}) WHERE m.mrr = 0.5") == 1000
    con.unregister("incoming")
