"""`ranked_list`, the items of a group by score, beside DuckDB's `list(item ORDER BY score DESC, item)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from conftest import needs_duckdb_2

import rankdcg_sql

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = needs_duckdb_2

#: For each type of items, an expression over numbers x from 0 on; different x may give one item.
ITEMS = {
    "TINYINT": "x % 200 - 100",
    "SMALLINT": "x * 7 % 60000 - 30000",
    "INTEGER": "x * 48271 % 2147483647 - 1000000000",
    "BIGINT": "(x * 48271 % 2147483647 - 1000000000) * 4000000000",
    "UTINYINT": "x % 256",
    "USMALLINT": "x % 65536",
    "UINTEGER": "x * 48271 % 4294967296",
    "UBIGINT": "(x % 5)::UBIGINT * 3689348814741910323",
    "HUGEINT": "(x % 50 - 25)::HUGEINT * 4000000000000000000000000000000000000",
    "UHUGEINT": "(x % 50)::UHUGEINT * 6000000000000000000000000000000000000",
    "FLOAT": "CASE x % 4 WHEN 0 THEN 'inf' WHEN 1 THEN '-inf' ELSE (0.1 * (x % 50 - 25))::VARCHAR END",
    "DOUBLE": "CASE x % 4 WHEN 0 THEN 'nan' WHEN 1 THEN '-1e300' ELSE (0.1 * (x % 50 - 25))::VARCHAR END",
    "VARCHAR": "if(x % 7 = 0, '', repeat(chr((97 + x % 3)::INT), (x % 40)::INT) || 'ä' || x % 9)",
    "BLOB": r"encode(repeat('b', (x % 30)::INT)) || '\xFF\x00'::BLOB",
    "BOOLEAN": "x % 2 = 0",
    "UUID": "md5((x % 300)::VARCHAR)",
    "DATE": "CASE x % 9 WHEN 0 THEN 'infinity' ELSE (DATE '1960-01-01' + (x % 9000)::INT)::VARCHAR END",
    "TIME": "TIME '00:00:00' + to_seconds(x % 80000)",
    "TIMESTAMP": "if(x % 9 = 0, '-infinity', (TIMESTAMP '1960-01-01' + to_hours(x))::VARCHAR)",
    "TIMESTAMP_S": "TIMESTAMP '1960-01-01' + to_hours(x)",
    "TIMESTAMP_MS": "TIMESTAMP '1960-01-01' + to_milliseconds(x)",
    "TIMESTAMP_NS": "TIMESTAMP '1960-01-01' + to_milliseconds(x)",
    "TIMESTAMPTZ": "TIMESTAMP '1960-01-01' + to_hours(x)",
}
#: For each type of scores, an expression over x that gives many equal scores.
SCORES = {
    "DOUBLE": "CASE x % 11 WHEN 0 THEN 'inf' WHEN 1 THEN '-inf' WHEN 2 THEN '-0' ELSE (x % 17 - 8)::TEXT END",
    "FLOAT": "(x % 17 - 8) / 3",
    "BIGINT": "9007199254740992 + x % 3",
    "UBIGINT": "18446744073709551615 - x % 3",
    "TINYINT": "x % 5 - 2",
    "HUGEINT": "170141183460469231731687303715884105727 - x % 3",
    "UHUGEINT": "(x % 3)::UHUGEINT",
    "DECIMAL(9, 2)": "x % 13 / 4",
    "DECIMAL(38, 10)": "1e20::DECIMAL(38, 10) + (x % 3)::DECIMAL(38, 10) / 10000000000",
}


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with rankdcg_sql.connect(config={"threads": 2}) as con:
        con.execute("SET enable_progress_bar = false")
        yield con


def fill(
    con: duckdb.DuckDBPyConnection, rows: int, groups: int, item: str, score: str, seed: int = 0
) -> None:
    """Make a table t of random rows with ties; some items and some scores are NULL."""
    x = "(hash(i * 2 + {}) % 1000003)::BIGINT AS x"
    con.execute(f"""
        CREATE OR REPLACE TEMP TABLE t AS
        SELECT i, g, item, CASE WHEN x % 19 > 0 THEN ({SCORES[score]})::{score} END AS score
        FROM (
            SELECT i, i % {groups} AS g, CASE WHEN x % 23 > 0 THEN ({ITEMS[item]})::{item} END AS item,
                {x.format(seed + 1)}
            FROM (SELECT i, {x.format(seed)} FROM range({rows}) AS r(i))
        )
    """)


def differing(con: duckdb.DuckDBPyConnection, call: str, own: str) -> list[Any]:
    """The groups in which two expressions over the rows of t differ, with both values."""
    query = f"SELECT g, {call} AS found, {own} AS expected FROM t GROUP BY g"
    return con.execute(f"SELECT * FROM ({query}) WHERE found IS DISTINCT FROM expected LIMIT 3").fetchall()


def own(k: int | None = None, ties: str = "item_asc", nulls: str = "last") -> str:
    """DuckDB's expression for the list."""
    direction = {"item_asc": "ASC", "item_desc": "DESC"}[ties]
    kept = " FILTER (score IS NOT NULL)" if nulls == "skip" else ""
    order = f"score DESC NULLS LAST, item {direction} NULLS LAST"
    return f"list(item ORDER BY {order}){kept}" + (f"[1:{k}]" if k else "")


@pytest.mark.parametrize("item", ITEMS)
def test_items_of_every_type(con: duckdb.DuckDBPyConnection, item: str):
    fill(con, 3_000, 40, item, "DOUBLE")
    ((kind, expected),) = con.execute(
        "SELECT typeof(ranked_list(item, score)), typeof(list(item)) FROM t"
    ).fetchall()
    assert kind == expected
    for k in (None, 1, 7, 40, 100):
        for ties in ("item_asc", "item_desc"):
            cut = "NULL" if k is None else k
            call = f"ranked_list(item, score, {cut}, 'ties={ties}')"
            assert differing(con, call, own(k, ties)) == []
    # Ties are frequent, so that the order of items matters.
    assert con.execute("SELECT count(*) > 3 * count(DISTINCT (g, score)) FROM t").fetchone() == (True,)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("item", ["BIGINT", "VARCHAR"])
def test_scores_of_every_type_are_compared_exactly(con: duckdb.DuckDBPyConnection, item: str, score: str):
    fill(con, 3_000, 30, item, score)
    for k in (None, 3, 20):
        call = f"ranked_list(item, score, {'NULL' if k is None else k}"
        assert differing(con, f"{call})", own(k)) == []
        assert differing(con, f"{call}, 'null_scores=skip')", own(k, nulls="skip")) == []
        rounded = own(k).replace("score DESC", "score::FLOAT DESC")
        assert differing(con, f"{call}, 'score_type=float32')", rounded) == []


@pytest.mark.parametrize("rows", [1, 2, 2047, 2048, 2049, 30_000])
@pytest.mark.parametrize("groups", [1, 3, 700])
@pytest.mark.parametrize("item", ["INTEGER", "VARCHAR", "UUID"])
def test_any_number_of_rows_and_groups_in_any_order_on_any_thread(
    con: duckdb.DuckDBPyConnection, item: str, rows: int, groups: int
):
    fill(con, rows, groups, item, "FLOAT", seed=rows)
    ks = (None, 1, 10, 31, 2048)
    expected = ", ".join("every" if k is None else f"every[1:{k}]" for k in ks)
    found = ", ".join(f"ranked_list(item, score, {'NULL' if k is None else k})" for k in ks)
    con.execute(f"""
        CREATE OR REPLACE TEMP TABLE lists AS
        SELECT g, [{expected}] AS expected FROM (SELECT g, {own()} AS every FROM t GROUP BY g)
    """)
    differ = f"""
        FROM (SELECT g, [{found}] AS found FROM t GROUP BY g) FULL JOIN lists USING (g)
        WHERE found IS DISTINCT FROM expected LIMIT 3
    """
    for order, threads in (("i", 1), ("g, i", 2), ("hash(i)", 2), ("score, i", 1), ("score DESC, i", 2)):
        con.execute(f"CREATE OR REPLACE TEMP TABLE t AS FROM t ORDER BY {order}")
        con.execute(f"SET threads = {threads}")
        con.execute("PRAGMA verify_parallelism" if threads == 2 else "PRAGMA disable_verify_parallelism")
        assert con.execute(differ).fetchall() == []
    con.execute("PRAGMA disable_verify_parallelism")


VALUES = "(VALUES (1, 0.5), (2, 0.9), (3, NULL), (NULL, 0.9), (4, 0.9), (NULL, NULL)) AS t(item, score)"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", [2, 4, None, 1, 3, None]),
        (", NULL", [2, 4, None, 1, 3, None]),
        (", 2", [2, 4]),
        (", 5::UTINYINT", [2, 4, None, 1, 3]),
        (", 9223372036854775807", [2, 4, None, 1, 3, None]),
        (", 'ties=item_desc'", [4, 2, None, 1, 3, None]),
        (", 'null_scores=skip'", [2, 4, None, 1]),
        (", 3, 'Ties = item_desc, null_scores = SKIP'", [4, 2, None]),
        (", NULL, NULL", [2, 4, None, 1, 3, None]),
    ],
)
def test_arguments_and_nulls(con: duckdb.DuckDBPyConnection, arguments: str, expected: list[int | None]):
    query = f"SELECT ranked_list(item, score{arguments}) FROM {VALUES}"
    assert con.execute(query).fetchall() == [(expected,)]


def test_no_items_are_null_as_for_list(con: duckdb.DuckDBPyConnection):
    assert con.execute(
        f"SELECT ranked_list(item, score), list(item) FROM {VALUES} WHERE item > 9"
    ).fetchall() == [(None, None)]
    skipping = "ranked_list(item, NULL::DOUBLE, 'null_scores=skip')"
    assert con.execute(f"SELECT {skipping} FROM {VALUES}").fetchall() == [(None,)]
    assert con.execute(f"SELECT ndcg({skipping}, [1]) FROM {VALUES}").fetchall() == [(0.0,)]


def test_types_do_not_matter_without_rows(con: duckdb.DuckDBPyConnection):
    for arguments in ("[i], i", "i, 'a'"):
        query = f"SELECT ranked_list({arguments}) FILTER (i > 9), count(*) FROM range(3) AS t(i)"
        assert con.execute(query).fetchall() == [(None, 3)]


def test_untyped_nulls_and_constants(con: duckdb.DuckDBPyConnection):
    query = (
        "SELECT ranked_list(i, NULL), ranked_list('a', i, 1), ranked_list(NULL::INT, i) FROM range(2) AS t(i)"
    )
    assert con.execute(query).fetchall() == [([0, 1], ["a"], [None, None])]


UNSORTED = "items must be integers, FLOAT, DOUBLE, VARCHAR, BLOB, BOOLEAN, UUID, DATE, TIME or "
DIFFER = "options must be the same in all rows of a group, got 'ties=item_asc' and 'ties=item_desc'"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("1, 'nan'::DOUBLE", "score must not be NaN, got NaN"),
        ("1, 'a'", "score must be a number, got text"),
        ("1, 1, 0", "k must be at least 1, got 0"),
        ("1, 1, -3", "k must be at least 1, got -3"),
        ("1, 1, i", "k must be the same in all rows of a group, got 1 and 2"),
        ("1, 1, if(i = 1, 'ties=item_asc', 'ties=item_desc')", DIFFER),
        ("1, 1, 'ties=average'", "ties=average needs relevances: use item_asc or item_desc"),
        ("1, 1, 'ties=input_order'", "ties=input_order needs lists, rows of a group have no order: "),
        ("1, 1, 'null_scores=first'", "null_scores must be last or skip, got 'first'"),
        ("1, 1, 'gain=exp2'", "unknown option 'gain', the options here are ties, score_type, null_scores"),
        *(
            (f"{item}, 1", UNSORTED)
            for item in ("{'a': i}", "[i]", "1.5", "INTERVAL 1 DAY", "'101'::BIT", "'a'::ENUM('a')")
        ),
    ],
)
def test_errors(con: duckdb.DuckDBPyConnection, arguments: str, sentence: str):
    with pytest.raises(duckdb.InvalidInputException) as caught:
        con.execute(f"SELECT ranked_list({arguments}) FROM range(1, 3) AS t(i)")
    assert str(caught.value).startswith(f"Invalid Input Error: ranked_list: {sentence}")
    assert con.execute("SELECT ranked_list(1, 1)").fetchall() == [([1],)]
