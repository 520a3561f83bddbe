"""The table macros of spans, against a formula that looks at every character."""

from __future__ import annotations

from collections import Counter
from typing import Any

import duckdb
import polars as pl
import pytest
from conftest import needs_duckdb_2
from support import reference
from support.spans import RULES, drawn, tables

import rankdcg_sql

MEASURES = ("span_recall", "character_recall", "character_precision")
#: Spans of one user and chunks that find some of them.
TABLES = """
CREATE TABLE truth AS FROM (VALUES
    (1, {doc}, 100, 200, 3), (1, {doc}, 180, 260, 1), (1, {doc}, 400, 500, 2)
) AS t(userid, itemid, "start", "end", rel);
CREATE TABLE rec AS FROM (VALUES
    (1, {doc}, 150, 300, 9), (1, {doc}, 50, 160, 8), (1, {doc}, 0, 100, 7), (1, {doc}, 380, 450, 6)
) AS t(userid, itemid, "start", "end", score);
"""


def connection(truth: Any, rec: Any) -> duckdb.DuckDBPyConnection:
    con = rankdcg_sql.connect()
    con.register("truth", pl.DataFrame(truth))
    con.register("rec", pl.DataFrame(rec))
    return con


@pytest.mark.parametrize("overlap", RULES)
def test_items_are_those_of_the_formula(overlap: str | float) -> None:
    data = drawn(1500, seed=7)
    with connection(*tables(data)) as con:
        rows = con.execute(
            "SELECT userid, itemid, score, rel FROM rank_spans(truth, rec, rel := 'rel', overlap := $1)",
            [str(overlap)],
        ).fetchall()
    expected = [
        (user, *row)
        for user, (spans, chunks) in data.items()
        for row in reference.items_of_spans(spans, chunks, overlap)
    ]
    assert Counter(rows) == Counter(expected)


@pytest.mark.parametrize("overlap", RULES)
@pytest.mark.parametrize("min_rel", [None, 2])
def test_measures_are_those_of_the_formula(overlap: str | float, min_rel: int | None) -> None:
    data = drawn(700, seed=11)
    ks = [1, 3, None]
    with connection(*tables(data)) as con:
        rows = con.execute(
            "FROM rank_evaluate_spans(truth, rec, ks := [1, 3, NULL], rel := 'rel', overlap := $1, "
            "min_rel := $2)",
            [str(overlap), min_rel],
        ).fetchall()
    found = {(user, k): values for user, k, *values in rows}
    assert len(found) == len(rows) == len(data) * len(ks)
    for user, (spans, chunks) in data.items():
        for k in ks:
            expected = reference.span_measures(spans, chunks, k, overlap, min_rel)
            assert found[user, k] == pytest.approx([expected[name] for name in MEASURES]), (user, k)


def test_example_by_hand() -> None:
    # The first chunk finds the first two spans and has the item of the more relevant one, the second and the
    # third find nothing new, and the fourth finds the third span.
    with rankdcg_sql.connect() as con:
        con.execute(TABLES.format(doc="'h'"))
        rows = con.sql("SELECT itemid, score, rel FROM rank_spans(truth, rec, rel := 'rel')").fetchall()
        assert sorted(rows, key=lambda row: -(row[1] or 0)) == [
            ("h[100,200)", 9, 3),
            ("h[50,160) chunk", 8, None),
            ("h[0,100) chunk", 7, None),
            ("h[400,500)", 6, 2),
            ("h[180,260)", None, 1),
        ]
        # Of 260 characters in spans, 110, 160 and 210 are in chunks of 150, 260 and 430 characters.
        values = con.sql("FROM rank_evaluate_spans(truth, rec, ks := [1, 2, 4]) ORDER BY k").fetchall()
        assert values == [
            (1, 1, pytest.approx(2 / 3), pytest.approx(110 / 260), pytest.approx(110 / 150)),
            (1, 2, pytest.approx(2 / 3), pytest.approx(160 / 260), pytest.approx(160 / 260)),
            (1, 4, 1, pytest.approx(210 / 260), pytest.approx(210 / 430)),
        ]


@needs_duckdb_2
def test_the_other_macros_and_functions_read_the_items() -> None:
    data = drawn(300, seed=5)
    truth, rec = tables(data)
    with connection(truth, rec) as con:
        con.execute("CREATE TABLE items AS FROM rank_spans(truth, rec, rel := 'rel')")
        from_rows, from_group = (
            con.sql(f"SELECT userid, {call} AS value FROM items GROUP BY userid ORDER BY userid").fetchall()
            for call in ("ndcg_rows(itemid, score, rel, 3)", "ndcg_agg(score, rel, 3)")
        )
        judged = "(FROM items WHERE rel IS NOT NULL)"
        con.execute(
            f"CREATE VIEW judged AS {judged}; CREATE VIEW ranked AS FROM items WHERE score IS NOT NULL"
        )
        macro = "SELECT userid, ndcg FROM rank_evaluate(judged, ranked, ks := 3, rel := 'rel')"
        from_macro = con.sql(f"{macro} ORDER BY userid").fetchall()
    given = rankdcg_sql.evaluate(truth, rec, k=3, metrics="ndcg", rel="rel", spans=("start", "end"))
    values = given.per_user.project("userid, value").order("userid").fetchall()
    assert [value for _, value in values if value is not None]
    assert from_rows == from_group == from_macro == values


@pytest.mark.parametrize("size", [2047, 2048, 2049, 122_880, 122_881])
def test_sizes_at_the_ends_of_blocks(size: int) -> None:
    # Chunk i of ten characters is at rank i + 1, and every other one has a span of three characters.
    query = f"""
        WITH chunks AS (
            SELECT 1 AS userid, 'd' AS itemid, i * 10 AS "start", i * 10 + 10 AS "end", -i AS score
            FROM range({size}) AS r(i)
        ),
        spans AS (
            SELECT 1 AS userid, 'd' AS itemid, "start" + 2 AS "start", "start" + 5 AS "end"
            FROM chunks WHERE score % 2 = 0
        )
        SELECT k, span_recall, character_recall, character_precision
        FROM rank_evaluate_spans(spans, chunks, ks := [7, NULL]) ORDER BY k NULLS LAST
    """
    spans = (size + 1) // 2
    with rankdcg_sql.connect() as con:
        assert con.sql(query).fetchall() == [
            (7, pytest.approx(4 / spans), pytest.approx(4 / spans), pytest.approx(4 * 3 / 70)),
            (None, 1, 1, pytest.approx(spans * 3 / (size * 10))),
        ]


def test_a_document_with_many_spans_and_chunks_stays_in_memory() -> None:
    # Each of 4,000 chunks has each of 4,000 spans: sixteen million pairs, of which no row is kept.
    with rankdcg_sql.connect(config={"memory_limit": "60MB", "temp_directory": "", "threads": 2}) as con:
        con.execute("""
            CREATE TABLE truth AS
                SELECT 1 AS userid, 'd' AS itemid, i AS "start", 100000 + i AS "end" FROM range(4000) AS r(i);
            CREATE TABLE rec AS SELECT *, -"start" AS score FROM truth;
        """)
        (row,) = con.sql("FROM rank_evaluate_spans(truth, rec, ks := 1)").fetchall()
        assert row == (1, 1, 1, pytest.approx(100_000 / 103_999), 1)


@pytest.mark.parametrize(
    "doc",
    [
        "7",
        "'x'",
        "'550e8400-e29b-41d4-a716-446655440000'::UUID",
        "'x'::BLOB",
        "1.5::DOUBLE",
        "7::DECIMAL(9, 2)",
    ],
)
@pytest.mark.parametrize("offset", ["UBIGINT", "HUGEINT", "SMALLINT"])
def test_types_of_ids_and_offsets(doc: str, offset: str) -> None:
    with rankdcg_sql.connect() as con:
        con.execute(TABLES.format(doc=doc))
        for table in ("truth", "rec"):
            con.execute(
                f'ALTER TABLE {table} ALTER "start" TYPE {offset}; ALTER TABLE {table} ALTER userid TYPE TEXT'
            )
        found = con.sql("SELECT userid, span_recall FROM rank_evaluate_spans(truth, rec, ks := 2)").fetchall()
        assert found == [("1", pytest.approx(2 / 3))]


def test_documents_are_compared_byte_by_byte() -> None:
    with rankdcg_sql.connect() as con:
        con.execute("SET default_collation = 'nocase'")
        con.execute(TABLES.format(doc="'h'"))
        con.execute("UPDATE rec SET itemid = 'H'")
        assert con.sql("SELECT count(score), count(rel) FROM rank_spans(truth, rec)").fetchall() == [(4, 3)]
        assert con.sql("SELECT span_recall FROM rank_evaluate_spans(truth, rec, ks := 4)").fetchall() == [
            (0,)
        ]


#: Changes after which a row of rec has no interval.
NO_INTERVAL = (
    "itemid = NULL", '"start" = NULL', '"end" = NULL', '"end" = "start"', '"end" = "start" - 1',
    '"start" = -1', '"end" = 100000000000000000000',
)  # fmt: skip


@pytest.mark.parametrize("change", NO_INTERVAL)
def test_a_chunk_without_an_interval_takes_a_rank(change: str) -> None:
    with rankdcg_sql.connect() as con:
        con.execute(TABLES.format(doc="'h'"))
        con.execute('ALTER TABLE rec ALTER "end" TYPE HUGEINT; ALTER TABLE rec ALTER "start" TYPE HUGEINT')
        con.execute(f"UPDATE rec SET {change} WHERE score = 9")
        rows = con.sql(
            "SELECT itemid, rel FROM rank_spans(truth, rec) ORDER BY score DESC NULLS LAST"
        ).fetchall()
        assert rows[:2] == [(None, None), ("h[100,200)", 1)]
        assert con.sql("SELECT span_recall FROM rank_evaluate_spans(truth, rec, ks := 1)").fetchall() == [
            (0,)
        ]
        con.execute("UPDATE truth SET itemid = NULL")
        assert con.sql("SELECT count(rel) FROM rank_spans(truth, rec)").fetchall() == [(0,)]
        assert con.sql("SELECT span_recall FROM rank_evaluate_spans(truth, rec)").fetchall() == [
            (None,),
            (None,),
        ]


WRONG = [
    ("overlap := 'all'", "overlap must be any, best or a share above 0 and at most 1, got all"),
    ("overlap := '0'", "overlap must be any, best or a share above 0 and at most 1, got 0"),
    ("overlap := 'nan'", "overlap must be any, best or a share"),
    ("overlap := NULL", "overlap must be any, best or a share above 0 and at most 1, got NULL"),
    ("spans := ['begin', 'end']", "rec has no column begin, and spans must name one of"),
    ("spans := ['start']", "rec has no column NULL, and spans must name one of"),
    ("spans := ['itemid', 'end']", "spans must name columns of integers, got VARCHAR"),
    ("item := 'doc'", "rec has no column doc"),
    ("ks := 0", "k must be at least 1, got 0"),
    ("truth_item := 'userid'", "users or items of the tables have types that cannot be compared"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_errors(arguments: str, message: str) -> None:
    with rankdcg_sql.connect() as con:
        con.execute(TABLES.format(doc="'h'"))
        with pytest.raises(duckdb.Error, match=message):
            con.execute(f"FROM rank_evaluate_spans(truth, rec, {arguments})").fetchall()
