"""The table macro `rank_check`: what it finds, and that evaluations leave out the rows that it names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb
import polars as pl
import pytest
from conftest import needs_duckdb_2
from support.sql import rows
from support.two_tables import STATEMENTS

from rankdcg_sql import DataWarning, _static, evaluate

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def con(empty: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Give a database with the tables truth and rec."""
    return empty.execute(STATEMENTS)


def check(con: duckdb.DuckDBPyConnection, arguments: str) -> dict[str, list[tuple[str, int, str]]]:
    """The findings about each table, without their consequences."""
    found: dict[str, list[tuple[str, int, str]]] = {}
    for source, *finding, consequence in rows(con, f"FROM rank_check({arguments})"):
        assert consequence
        found.setdefault(source, []).append(tuple(finding))
    return found


#: Each line is a table and its findings: the problem, the number, the example and the consequence.
FAULTS: dict[str, tuple[str, list[tuple[str, int, str, str]]]] = {
    "truth": (
        """FROM (VALUES (1, 'a', 1.0), (2, 'a', 1.0)) AS t(userid, itemid, rel)
        UNION ALL SELECT 1, 'twice', 1.0 FROM range(1 + 3)
        UNION ALL SELECT i, 'b', r FROM range(1, 3) AS i(i), (VALUES (1.0), (2.0)) AS r(r)
        UNION ALL SELECT NULL, 'a', 1.0 FROM range(4)
        UNION ALL SELECT 1, NULL, 1.0 FROM range(6)
        UNION ALL SELECT 1, 'n' || i, NULL FROM range(7) AS t(i)
        UNION ALL SELECT 1, 'm' || i, 'nan' FROM range(8) AS t(i)
        UNION ALL SELECT 1, 'a' || i, if(i < 4, -1, 'inf'::DOUBLE) FROM range(9) AS t(i)
        UNION ALL SELECT 100 + i, 'a', 1.0 FROM range(10) AS t(i)""",
        [
            ("item of a user with several relevances", 2, "user 1, item b", "an error: keep one relevance"),
            ("relevance is infinite or negative", 9, "user 1, item a0", "an error"),
            ("user and item of another row", 3, "user 1, item twice", "the judgement counts once"),
            ("user is NULL", 4, "user NULL, item a", "the row is left out"),
            ("item is NULL", 6, "user 1, item NULL", "the row is left out"),
            ("relevance is NULL", 7, "user 1, item n0", "the row is left out"),
            ("relevance is NaN", 8, "user 1, item m0", "the row is left out"),
            ("user without a row in rec", 10, "100", "counts as 0"),
            ("item without a row in rec", 10, "a0", "is never retrieved"),
        ],
    ),
    "rec": (
        """FROM (VALUES (1, 'a', 1.0), (2, 'a', 1.0)) AS t(userid, itemid, score)
        UNION ALL SELECT 1, 'twice', i FROM range(1 + 11) AS t(i)
        UNION ALL SELECT NULL, 'a', 1.0 FROM range(12)
        UNION ALL SELECT 1, NULL, 1.0 FROM range(13)
        UNION ALL SELECT 1, 'n' || i, NULL FROM range(14) AS t(i)
        UNION ALL SELECT 1, 'm' || i, 'nan' FROM range(15) AS t(i)
        UNION ALL SELECT 1, 'k' || i, '-inf' FROM range(16) AS t(i)
        UNION ALL SELECT 200 + i, 'a', 1.0 FROM range(17) AS t(i)""",
        [
            ("user and item of another row", 11, "user 1, item twice", "the largest score counts"),
            ("user is NULL", 12, "user NULL, item a", "the row is left out"),
            ("item is NULL", 13, "user 1, item NULL", "the row takes a rank, and is irrelevant"),
            ("score is NULL", 14, "user 1, item n0", "the row is left out"),
            ("score is NaN", 15, "user 1, item m0", "the row is left out"),
            ("user without a row in truth", 17, "200", "is not evaluated"),
            ("item without a row in truth", 16, "k0", "is irrelevant to every user"),
        ],
    ),
}
#: The column of numbers of each table.
NUMBERS = {"truth": "rel", "rec": "score"}


def test_planted_faults_are_found(empty: duckdb.DuckDBPyConnection) -> None:
    for name, (query, _) in FAULTS.items():
        number = NUMBERS[name]
        empty.execute(
            f"CREATE TABLE {name} AS SELECT * REPLACE ({number}::DOUBLE AS {number}) FROM ({query})"
        )
    found = rows(empty, "FROM rank_check(truth, rec, rel := 'rel')")
    assert found == [(name, *fault) for name, (_, faults) in FAULTS.items() for fault in faults]


def test_an_example_is_the_least_by_bytes(empty: duckdb.DuckDBPyConnection) -> None:
    """Capitals are less than small letters, also where the collation of the database has no case."""
    empty.execute("""
        SET default_collation = 'NOCASE';
        CREATE TABLE t AS SELECT u AS userid, i AS itemid
        FROM (VALUES ('a'), ('B')) AS u(u), (VALUES ('k'), ('L')) AS i(i), range(2);
        CREATE TABLE r AS SELECT u AS userid, i AS itemid, s AS score
        FROM (VALUES ('c'), ('D')) AS u(u), (VALUES ('m', 1), ('N', 1), ('o', NULL)) AS i(i, s)
    """)
    assert check(empty, "t, r") == {
        "truth": [
            ("user and item of another row", 4, "user B, item L"),
            ("user without a row in rec", 2, "B"),
            ("item without a row in rec", 2, "L"),
        ],
        "rec": [
            ("score is NULL", 2, "user D, item o"),
            ("user without a row in truth", 2, "D"),
            ("item without a row in truth", 2, "N"),
        ],
        "both": [("no item in common", 1, None), ("no user in common", 1, None)],
    }


def test_sound_tables_have_no_finding(empty: duckdb.DuckDBPyConnection) -> None:
    empty.execute("""
        CREATE TABLE truth AS SELECT 1::TINYINT AS userid, 2::DECIMAL(4, 0) AS itemid, true AS rel;
        CREATE TABLE rec AS SELECT 1 AS userid, 2::UBIGINT AS itemid, 'inf'::FLOAT AS score
    """)
    assert check(empty, "truth, rec, rel := 'rel'") == {}
    empty.execute("DELETE FROM truth; DELETE FROM rec")
    assert check(empty, "truth, rec, rel := 'rel'") == {}


def test_tables_that_do_not_fit_are_found(empty: duckdb.DuckDBPyConnection) -> None:
    empty.execute("""
        CREATE TABLE truth AS SELECT 1 AS userid, 'a' AS itemid, 'good' AS rel;
        CREATE TABLE rec AS SELECT '1' AS userid, 5 AS itemid, DATE '2020-01-02' AS score;
        CREATE TABLE twice AS SELECT 1 AS userid, 'a' AS itemid, unnest(['good', 'good']) AS rel;
        CREATE TABLE one AS SELECT 1 AS userid, 5 AS itemid, 1 AS score;
        CREATE TABLE other AS SELECT '1' AS userid, 'a' AS itemid, 1 AS score;
        CREATE TABLE others AS SELECT 7 AS userid, 'b' AS itemid, true AS score
    """)
    cast, in_a_view = "an error: cast the column to a number", "an error: cast one in a view"
    assert rows(empty, "FROM rank_check(truth, rec, rel := 'rel')") == [
        ("truth", "relevance is no number", 1, "good", cast),
        ("rec", "score is no number", 1, "2020-01-02", cast),
        ("both", "item has another type", 1, "VARCHAR in truth, INTEGER in rec", in_a_view),
        ("both", "user has another type", 1, "INTEGER in truth, VARCHAR in rec", in_a_view),
    ]
    assert rows(empty, "FROM rank_check(twice, twice, rel := 'rel', score := 'rel')")[2:] == [
        ("truth", "user and item of another row", 1, "user 1, item a", "the judgement counts once"),
        ("rec", "user and item of another row", 1, "user 1, item a", "the largest score counts"),
    ]
    # Users are compared although items are not, and items although users are not.
    for rec, problem in (("one", "item has another type"), ("other", "user has another type")):
        assert rows(empty, f"SELECT problem FROM rank_check(truth, {rec})") == [problem]
    assert rows(empty, "FROM rank_check(truth, others)") == [
        ("rec", "score is no number", 1, "true", cast),
        ("truth", "user without a row in rec", 1, "1", "counts as 0"),
        ("truth", "item without a row in rec", 1, "a", "is never retrieved"),
        ("rec", "user without a row in truth", 1, "7", "is not evaluated"),
        ("rec", "item without a row in truth", 1, "b", "is irrelevant to every user"),
        ("both", "no item in common", 1, None, "all metrics are 0"),
        ("both", "no user in common", 1, None, "all metrics are 0"),
    ]


def test_users_and_items_may_be_lists(empty: duckdb.DuckDBPyConnection) -> None:
    empty.execute("""
        CREATE TABLE t AS SELECT ['a', 'b'] AS userid, [1] AS itemid FROM range(2);
        CREATE TABLE r AS SELECT *, 1 AS score FROM t LIMIT 1
    """)
    assert check(empty, "t, r") == {"truth": [("user and item of another row", 1, "user [a, b], item [1]")]}


def test_errors_are_the_first_findings(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE texts AS SELECT userid::VARCHAR AS userid, itemid, score FROM rec")
    first, *others = rows(con, "SELECT problem, consequence FROM rank_check(truth, texts)")
    assert first == ("user has another type", "an error: cast one in a view")
    assert others
    for problem, consequence in others:
        assert not consequence.startswith("an error")
        assert not problem.startswith("user"), "users of two types all have no row in the other table"


@pytest.mark.parametrize(
    ("column", "rel", "expected"),
    [
        ("2 AS Rating", "NULL", [("rel is not given", "column Rating", "each row counts as relevant")]),
        ("true AS label", "NULL", [("rel is not given", "column label", "each row counts as relevant")]),
        ("2 AS rating", "'rating'", []),
        ("'good' AS label", "NULL", []),
        ("2 AS price", "NULL", []),
    ],
)
def test_a_forgotten_column_of_relevances(
    con: duckdb.DuckDBPyConnection, column: str, rel: str, expected: list[tuple[str, ...]]
) -> None:
    con.execute(f"CREATE TABLE rated AS SELECT userid, itemid, {column} FROM truth")
    query = f"SELECT problem, example, consequence FROM rank_check(rated, rec, rel := {rel})"
    assert rows(con, f"{query} WHERE problem LIKE 'rel %'") == expected


def test_usual_names_of_relevances(con: duckdb.DuckDBPyConnection) -> None:
    """The first of them in the order of letters is named."""
    names = ["grade", "judgement", "judgment", "label", "rating", "rel", "relevance", "relscore", "stars"]
    con.execute(f"CREATE TABLE rated AS SELECT *, {', '.join(f'1.5 AS {name}' for name in names)} FROM truth")
    query = "SELECT example FROM rank_check(rated, rec) WHERE problem = 'rel is not given'"
    for name in names:
        assert rows(con, query) == [f"column {name}"]
        con.execute(f"ALTER TABLE rated DROP COLUMN {name}")
    assert rows(con, query) == []


def test_a_text_that_is_a_number_to_people_is_no_number(empty: duckdb.DuckDBPyConnection) -> None:
    """It is the only finding about the row: a text is neither negative, nor NaN, nor infinite."""
    empty.execute("""
        CREATE TABLE t AS
        SELECT 1 AS userid, * FROM (VALUES (1, 'nan'), (2, '-1'), (3, 'inf')) AS v(itemid, rel);
        CREATE TABLE r AS SELECT userid, itemid, 'nan' AS score FROM t
    """)
    assert check(empty, "t, r, rel := 'rel'") == {
        "truth": [("relevance is no number", 3, "-1")],
        "rec": [("score is no number", 3, "nan")],
    }


def test_families_of_types(empty: duckdb.DuckDBPyConnection) -> None:
    """Ids of one family can be equal. DuckDB compares UHUGEINT and BIGNUM with other numbers as DOUBLE."""
    integers = [f"{sign}{size}INT" for sign in ("", "U") for size in ("TINY", "SMALL", "BIG")]
    whole = [*integers, "INTEGER", "UINTEGER", "HUGEINT", "DECIMAL(4,1)", "DECIMAL(38,10)"]
    alone = ["UHUGEINT", "BIGNUM", "BOOLEAN", "DATE", "TIMESTAMP", "UUID", "BLOB", "INTEGER[]", "VARCHAR[]"]
    families = {
        **dict.fromkeys(whole, "whole number"),
        **dict.fromkeys(["VARCHAR", "ENUM('a', 'b')"], "text"),
        **dict.fromkeys(["FLOAT", "DOUBLE"], "floating point"),
        **{kind: kind for kind in alone},
    }
    numbers = {*whole, "FLOAT", "DOUBLE", "UHUGEINT", "BIGNUM"}
    query = (
        "SELECT kind, rankdcg_sql_family(kind), rankdcg_sql_is_number(kind) FROM (SELECT unnest(?) AS kind)"
    )
    found = rows(empty, query, [[*families]])
    assert found == [(kind, family, kind in numbers) for kind, family in families.items()]


@pytest.mark.parametrize(
    ("score", "least"), [("score::VARCHAR", "0.1"), ("'high ' || score", "high 0.1"), ("'nan'", "nan")]
)
def test_rows_with_a_text_as_score_are_there(con: duckdb.DuckDBPyConnection, score: str, least: str) -> None:
    """Users, items and repeats are those of the same table with scores that are numbers."""
    con.execute(f"""
        INSERT INTO rec VALUES (4, 'z', 0.1), (1, 'a', 0.2);
        CREATE TABLE texts AS SELECT * REPLACE ({score} AS score) FROM rec
    """)
    expected = check(con, "truth, rec")
    assert len(expected["rec"]) == 3
    (no_number, *found), truth = (check(con, "truth, texts")[name] for name in ("rec", "truth"))
    assert no_number == ("score is no number", 7, least)
    assert (found, truth) == (expected["rec"], expected["truth"])


@pytest.mark.parametrize("rel", ["rel", "rel::VARCHAR"])
def test_a_row_either_counts_once_or_is_an_error(con: duckdb.DuckDBPyConnection, rel: str) -> None:
    con.execute(f"""
        CREATE TABLE rated AS SELECT userid, itemid, {rel} AS rel
        FROM (VALUES (1, 'a', 1), (1, 'a', 2), (1, 'a', 2), (1, 'b', 3), (1, 'b', 3))
            AS t(userid, itemid, rel)
    """)
    query = "SELECT problem, found, example, consequence FROM rank_check(rated, rec, rel := 'rel')"
    assert rows(con, f"{query} WHERE problem SIMILAR TO '.*(another|several).*'") == [
        ("item of a user with several relevances", 1, "user 1, item a", "an error: keep one relevance"),
        ("user and item of another row", 1, "user 1, item b", "the judgement counts once"),
    ]


@pytest.mark.parametrize("kind", [pl.Float32, pl.Float64], ids=str)
def test_nan_in_files_of_polars(empty: duckdb.DuckDBPyConnection, kind: Any, tmp_path: Path) -> None:
    """Their statistics leave NaN out, and DuckDB 2.0 takes isnan for false by these statistics."""
    for name, number in NUMBERS.items():
        numbers = pl.Series([0.5, float("nan"), 0.25, 0.125], dtype=kind)
        frame = pl.DataFrame({"userid": [1, 1, 2, 2], "itemid": [1, 2, 1, 2], number: numbers})
        frame.write_parquet(tmp_path / f"{name}.parquet")
    truth, rec = (f"'{tmp_path / name}.parquet'" for name in NUMBERS)
    assert check(empty, f"{truth}, {rec}, rel := 'rel'") == {
        "truth": [("relevance is NaN", 1, "user 1, item 2")],
        "rec": [("score is NaN", 1, "user 1, item 2")],
    }
    if not _static.installed():
        return
    given = "rel := 'rel', ks := 2, metrics := 'recall'"
    summary = f"n, mean, rec_left_out, truth_left_out FROM rank_summary({truth}, {rec}, {given})"
    assert rows(empty, f"SELECT {summary}") == [(2, 1.0, 1, 1)]
    comparison = f"n, mean, baseline FROM rank_compare({truth}, {rec}, {rec}, {given})"
    assert rows(empty, f"SELECT {comparison}") == [(2, 1.0, 1.0)]
    counts = f"userid, retrieved, judged FROM rank_evaluate({truth}, {rec}, rel := 'rel', ks := 2)"
    assert sorted(rows(empty, f"SELECT {counts}")) == [(1, 1, 1), (2, 2, 2)]


@needs_duckdb_2
@pytest.mark.filterwarnings(f"ignore::{DataWarning.__module__}.{DataWarning.__name__}")
@pytest.mark.parametrize(
    ("kind", "user"), [("BIGINT", "1"), ("VARCHAR", "'u'"), ("DATE", "DATE '2000-01-31'")]
)
def test_rows_that_are_left_out_are_not_checked(
    empty: duckdb.DuckDBPyConnection, kind: str, user: str
) -> None:
    """Neither a row without a user, nor a judgement without an item: `rank_check` says so."""
    empty.execute(f"""
        CREATE TABLE t AS
        SELECT u::{kind} AS userid, i AS itemid, r::DOUBLE AS rel
        FROM (VALUES
            ({user}, 'x', 3::DOUBLE), (NULL, 'x', 1), (NULL, 'x', 2), (NULL, 'y', -1),
            (NULL, 'z', 'inf'::DOUBLE), ({user}, NULL, -1), ({user}, NULL, 'inf'::DOUBLE),
            ({user}, NULL, 'nan'::DOUBLE)
        ) AS v(u, i, r);
        CREATE TABLE r AS
        SELECT u::{kind} AS userid, i AS itemid, s::DOUBLE AS score
        FROM (VALUES ({user}, 'x', 1::DOUBLE), (NULL, 'x', 1), (NULL, 'y', 'nan'::DOUBLE)) AS v(u, i, s)
    """)
    query = "SELECT source, problem, found, consequence FROM rank_check(t, r, rel := 'rel')"
    assert rows(empty, f"{query} WHERE source <> 'both'") == [
        ("truth", "user is NULL", 4, "the row is left out"),
        ("truth", "item is NULL", 3, "the row is left out"),
        ("truth", "relevance is NaN", 1, "the row is left out"),
        ("rec", "user is NULL", 2, "the row is left out"),
        ("rec", "score is NaN", 1, "the row is left out"),
    ]
    given = "rel := 'rel', ks := 2, metrics := 'ndcg'"
    for query, expected in (
        ("count(*), min(ndcg) FROM rank_evaluate(t, r, rel := 'rel', ks := 2)", (1, 1.0)),
        (
            "n, mean, users_evaluated, truth_repeats, rec_left_out, truth_left_out "
            f"FROM rank_summary(t, r, {given})",
            (1, 1.0, 1, 0, 2, 7),
        ),
        (f"n, mean, baseline FROM rank_compare(t, r, r, {given})", (1, 1.0, 1.0)),
    ):
        assert rows(empty, f"SELECT {query}") == [expected]
    evaluated = evaluate("t", "r", rel="rel", k=2, metrics="ndcg", con=empty)
    assert evaluated.summary.project("n, mean").fetchall() == [(1, 1.0)]
    assert (evaluated.counts.truth_null_users, evaluated.counts.truth_null_items) == (4, 3)
