"""`ranked_list`, the items of a group by score, beside DuckDB's `list(item ORDER BY score DESC, item)`."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from support import reference
from support.sql import insert

import rankdcg_sql
from rankdcg_sql import _static

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(not _static.installed(), reason="the function is native from DuckDB 2.0 on")

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


@pytest.fixture
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
        call = f"ranked_list(item, score, {'NULL' if k is None else k})"
        assert differing(con, call, own(k)) == []
        skipped = call[:-1] + ", 'null_scores=skip')"
        assert differing(con, skipped, own(k, nulls="skip")) == []


@pytest.mark.parametrize("rows", [1, 2, 2047, 2048, 2049, 30_000])
@pytest.mark.parametrize("groups", [1, 3, 700])
@pytest.mark.parametrize("item", ["INTEGER", "VARCHAR", "UUID"])
def test_any_number_of_rows_and_groups_in_any_order_on_any_thread(
    con: duckdb.DuckDBPyConnection, item: str, rows: int, groups: int
):
    fill(con, rows, groups, item, "FLOAT", seed=rows)
    for order in ("i", "g, i", "hash(i)", "score, i", "score DESC, i"):
        con.execute(f"CREATE OR REPLACE TEMP TABLE t AS FROM t ORDER BY {order}")
        for threads in (1, 2):
            con.execute(f"SET threads = {threads}")
            con.execute("PRAGMA verify_parallelism" if threads == 2 else "PRAGMA disable_verify_parallelism")
            for k in (None, 1, 10, 31, 2048):
                call = f"ranked_list(item, score, {'NULL' if k is None else k})"
                assert differing(con, call, own(k)) == []
    con.execute("PRAGMA disable_verify_parallelism")


def test_random_rows_agree_with_the_reference(con: duckdb.DuckDBPyConnection):
    chance = random.Random(11)
    for number in range(150):
        count = chance.choice([0, 1, 2, 5, 40, 200])
        pool: list[Any] = chance.choice(
            [[-3, 0, 4, 2**40, None], ["", "a", "ab", "b" * 20, None], [7], [None]]
        )
        scores = chance.choice([[1.5], [0.1, 0.1 + 1e-12, None], [float(n) for n in range(30)], [None]])
        rows = [(chance.choice(pool), chance.choice(scores)) for _ in range(count)]
        con.execute(
            f"CREATE OR REPLACE TEMP TABLE r "
            f"(item {'VARCHAR' if isinstance(pool[0], str) else 'BIGINT'}, score DOUBLE)"
        )
        if rows:
            insert(con, "r", rows)
        options: dict[str, Any] = {
            "ties": chance.choice(["item_asc", "item_desc"]),
            "null_scores": chance.choice(["last", "skip"]),
            "score_type": chance.choice(["exact", "float32"]),
        }
        k = chance.choice([None, 1, 3, 1000])
        text = ",".join(f"{name}={value}" for name, value in options.items())
        found = con.execute("SELECT ranked_list(item, score, ?, ?) FROM r", [k, text]).fetchall()
        assert found == [(reference.ranked_list(rows, k, **options),)], (number, rows, k, text)


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


def test_lists_have_the_metrics_of_rows(con: duckdb.DuckDBPyConnection):
    """A list by score and its metrics are those that `rank_metrics_rows` has of the rows."""
    fill(con, 20_000, 500, "VARCHAR", "DOUBLE")
    differing = con.execute("""
        WITH
            rec AS (
                SELECT g, item, max(score) AS score, CASE WHEN hash(item) % 3 = 0 THEN 1 END AS rel
                FROM t WHERE item IS NOT NULL GROUP BY ALL
            ),
            lists AS (
                SELECT
                    g,
                    ranked_list(item, score, 5, 'null_scores=skip') AS items,
                    list(item) FILTER (rel = 1) AS relevant,
                    rank_metrics_rows(item, score, rel, 5, 'ties=item_asc') AS metrics
                FROM rec GROUP BY g
            )
        SELECT count(*), count(*) FILTER (rank_metrics(items, relevant, 5) IS DISTINCT FROM metrics)
        FROM lists
    """).fetchall()
    assert differing == [(500, 0)]


def test_filter_distinct_windows_and_grouping_sets(con: duckdb.DuckDBPyConnection):
    fill(con, 2_500, 7, "INTEGER", "TINYINT")
    plain = "list(item ORDER BY score DESC NULLS LAST, item)"
    for call, expected in {
        "ranked_list(item, score) FILTER (i % 3 = 0)": f"{plain} FILTER (i % 3 = 0)",
        "ranked_list(DISTINCT item, g, 'null_scores=skip')": "list(DISTINCT item ORDER BY item)",
        "ranked_list(item, score ORDER BY i)": plain,
    }.items():
        assert differing(con, call, expected) == []
    windows = """
        SELECT g, i, ranked_list(item, score, 3) OVER w AS found,
            list(struct_pack(score := score, item := item)) OVER w AS rows
        FROM t WHERE score IS NOT NULL AND item IS NOT NULL
        WINDOW w AS (PARTITION BY g ORDER BY i ROWS BETWEEN 20 PRECEDING AND 3 FOLLOWING)
    """
    best = "list_sort([{'s': -row.score::INT, 'i': row.item} FOR row IN rows])[1:3]"
    wrong = f"SELECT g, i FROM ({windows}) WHERE found <> [row.i FOR row IN {best}]"
    assert con.execute(wrong).fetchall() == []
    sets = f"""
        SELECT g, ranked_list(item, score, 50) AS found, {plain}[1:50] AS expected FROM t GROUP BY ROLLUP (g)
    """
    assert con.execute(f"SELECT count(*), count(*) FILTER (found <> expected) FROM ({sets})").fetchall() == [
        (8, 0)
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("1, 'nan'::DOUBLE", "score must not be NaN, got NaN"),
        ("1, 'a'", "score must be a number, got text"),
        ("1, 1, 0", "k must be at least 1, got 0"),
        ("1, 1, -3", "k must be at least 1, got -3"),
        ("1, 1, i", "k must be the same in all rows of a group, got 1 and 2"),
        (
            "1, 1, if(i = 1, 'ties=item_asc', 'ties=item_desc')",
            "options must be the same in all rows of a group, got 'ties=item_asc' and 'ties=item_desc'",
        ),
        ("1, 1, 'ties=average'", "ties=average needs relevances: use item_asc or item_desc"),
        ("1, 1, 'ties=input_order'", "ties=input_order needs lists, rows of a group have no order: "),
        ("1, 1, 'null_scores=first'", "null_scores must be last or skip, got 'first'"),
        ("1, 1, 'gain=exp2'", "unknown option 'gain', the options here are ties, score_type, null_scores"),
        (
            "{'a': i}, 1",
            "items must be integers, FLOAT, DOUBLE, VARCHAR, BLOB, BOOLEAN, UUID, DATE, TIME or ",
        ),
        ("[i], 1", "items must be integers, "),
        ("1.5, 1", "items must be integers, FLOAT, DOUBLE, VARCHAR, BLOB, BOOLEAN, UUID, DATE, TIME or "),
        ("INTERVAL 1 DAY, 1", "items must be integers, "),
        ("'101'::BIT, 1", "items must be integers, "),
        (
            "'a'::ENUM('a'), 1",
            "items must be integers, FLOAT, DOUBLE, VARCHAR, BLOB, BOOLEAN, UUID, DATE, TIME or ",
        ),
    ],
)
def test_errors(con: duckdb.DuckDBPyConnection, arguments: str, sentence: str):
    with pytest.raises(duckdb.InvalidInputException) as caught:
        con.execute(f"SELECT ranked_list({arguments}) FROM range(1, 3) AS t(i)")
    assert str(caught.value).startswith(f"Invalid Input Error: ranked_list: {sentence}")
    assert con.execute("SELECT ranked_list(1, 1)").fetchall() == [([1],)]
