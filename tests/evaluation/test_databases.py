"""Evaluations on the caller's database, with its macros, settings and names, and in several processes."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from support import process
from support.two_tables import NDCG, REC, TRUTH, approx, of_users, written

import rankdcg_sql
from rankdcg_sql import DataWarning, _static, evaluate
from rankdcg_sql.evaluation._computing import user_metrics as _user_metrics

# Macros, settings and names in users' databases


#: Overloads of a macro, with 0 to 8 parameters.
OVERLOADS = ", ".join(f"({', '.join('abcdefghijkl'[:count])}) AS 42" for count in range(9))


def shadowed(con: duckdb.DuckDBPyConnection, own: list[str]) -> int:
    """Make a macro with the name of each function of the system, and return the number of macros."""
    found = con.execute(
        "SELECT DISTINCT function_name, function_type LIKE 'table%' FROM duckdb_functions() "
        "WHERE database_name = 'system' ORDER BY ALL"
    ).fetchall()
    number = 0
    for name, is_table in [*found, *((name, False) for name in own)]:
        quoted = '"' + name.replace('"', '""') + '"'
        body = OVERLOADS.replace("AS 42", "AS TABLE SELECT 42 AS answer") if is_table else OVERLOADS
        try:
            con.execute(f"CREATE OR REPLACE MACRO {quoted} {body}")
            number += 1
        except duckdb.Error:  # some names cannot be names of macros, such as those of types
            assert not name.startswith(("rank", "count"))
    return number


def database_of(**tables: dict[str, list[Any]]) -> duckdb.DuckDBPyConnection:
    """Open a database with these tables."""
    con = rankdcg_sql.connect()
    for name, table in tables.items():
        con.register("given", pa.table(table))
        con.execute(f"CREATE TABLE {name} AS FROM given")
    con.unregister("given")
    return con


@pytest.fixture(scope="module")
def hostile() -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database with the two tables, and with a macro for the name of every function."""
    with database_of(truth=TRUTH, rec=REC) as con:
        con.execute(
            "CREATE MACRO mine(x) AS x; "
            "CREATE VIEW truth_view AS SELECT mine(userid) AS userid, itemid FROM truth"
        )
        own = [name for function in rankdcg_sql.functions() for name in function.names]
        assert shadowed(con, own) > 700
        called = con.execute("SELECT count_if(true), 1 + 1, rank_metrics_at_by_user(1, 2, 3, 4, 5)")
        assert called.fetchall() == [(42, 42, 42)]
        yield con


@pytest.mark.parametrize("truth", ["table", "view", "query", "csv", "TREC", "dict", "stream"])
def test_macros_of_users_change_nothing(truth: str, hostile: duckdb.DuckDBPyConnection, tmp_path: Path):
    (tmp_path / "qrels").write_text("".join(f"{u} 0 {i} 1\n" for u, i in zip(*TRUTH.values(), strict=True)))
    lines = (f"{u} Q0 {i} 1 {s} x\n" for u, i, s in zip(*REC.values(), strict=True))
    (tmp_path / "run").write_text("".join(lines))
    given = {
        "table": "truth",
        "view": "truth_view",
        "query": "SELECT mine(userid) AS userid, itemid FROM truth",
        "csv": written(tmp_path, "truth.csv", TRUTH, "FORMAT csv"),
        "TREC": str(tmp_path / "qrels"),
        "dict": TRUTH,
        "stream": pa.table(TRUTH),
    }[truth]
    rec, key = (tmp_path / "run", str) if truth == "TREC" else ("rec", int)
    # One is computed over all users at once, the other group by group.
    for metrics in (["ndcg"], ["ndcg", "rankdcg"]):
        table = given.to_reader() if truth == "stream" else given
        found = evaluate(table, rec, k=[2, None], metrics=metrics, con=hostile)
        assert {user: row[0] for user, *row in found.wide.fetchall()} == approx(
            {key(user): value for user, value in NDCG.items()}
        )
        assert found.counts == evaluate(TRUTH, REC, k=2, metrics=metrics).counts
        if truth != "stream" and _static.installed():
            assert found.explain(key(1), "ndcg@2").value == approx(NDCG[1])


def test_names_of_the_system_in_the_users_schema_change_nothing():
    con = database_of(truth=TRUTH)
    con.execute("CREATE TYPE userid AS ENUM ('x')")
    for name in ("duckdb_tables", "duckdb_views", "duckdb_functions", "rankdcg_truth", "rankdcg_rec"):
        con.execute(f"CREATE VIEW {name} AS SELECT 1 AS userid")
    assert of_users("truth", REC, k=2, metrics="ndcg", con=con) == approx(NDCG)


#: Settings of a database. Each changes the result of some query.
SETTINGS = {
    "default_order": "DESC",
    "default_null_order": "NULLS_FIRST",
    "default_collation": "NOCASE",
    "integer_division": "true",
    "old_implicit_casting": "true",
    "preserve_insertion_order": "false",
    "ieee_floating_point_ops": "false",
    "scalar_subquery_error_on_multiple_rows": "false",
    "order_by_non_integer_literal": "true",
    "preserve_identifier_case": "false",
    "TimeZone": "Asia/Tokyo",
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_of_a_database_change_nothing(setting: str):
    """Users, items and segments differ only in case, and scores by less than floating point can tell."""
    large = 2**60
    truth = {"UserID": ["a", "a", "A", "b"], "itemid": ["x", "Y", "y", "X"], "Seg": ["s", "s", "S", "s"]}
    rec = {
        "userid": ["a", "a", "A", "A", "b", "b"],
        "itemid": ["X", "Y", "x", "y", "X", "x"],
        "score": [large, large + 1, large + 1, large, large + 1, large],
    }
    con = rankdcg_sql.connect()
    con.execute(f"SET GLOBAL {setting} = '{SETTINGS[setting]}'")
    found = evaluate(truth, rec, k=[1, 2], metrics=["recall", "mrr", "r_precision"], by="seg", con=con)
    assert found.wide.fetchall() == [
        ("A", "S", 0.0, 1.0, 0.0, 0.5, 0.0),
        ("a", "s", 0.5, 0.5, 1.0, 1.0, 0.5),
        ("b", "s", 1.0, 1.0, 1.0, 1.0, 1.0),
    ]
    assert found.counts.notes() == []


def test_names_are_looked_for_where_the_connection_looks():
    con = database_of(given_truth=TRUTH)
    con.execute("CREATE SCHEMA s; CREATE TABLE s.truth AS FROM given_truth")
    con.execute("CREATE SCHEMA t; CREATE TABLE t.other AS FROM given_truth")
    con.execute("CREATE TABLE truth AS SELECT 'nobody' AS userid, 'z' AS itemid; USE s")
    with pytest.raises(ValueError, match=r"truth \(other\): there is no file and no table of this name"):
        evaluate("other", REC, con=con)
    for path, truths in (
        ("s", ("truth", "FROM truth", '"truth"', "SELECT * FROM truth")),
        ("s,t", ("other", "FROM other", "truth")),
    ):
        con.execute(f"SET search_path = '{path}'")
        for truth in truths:
            con.execute("FROM range(5000)")
            con.fetchone()
            assert of_users(truth, REC, k=2, metrics="ndcg", con=con) == approx(NDCG)
            assert len(con.fetchall()) == 4999


def test_a_connection_in_a_failed_transaction_is_left_as_it_is():
    con = database_of(truth=TRUTH)
    con.execute("CREATE TABLE one (i INTEGER UNIQUE); BEGIN; INSERT INTO one VALUES (1)")
    with pytest.raises(duckdb.ConstraintException):
        con.execute("INSERT INTO one VALUES (1)")
    assert of_users(TRUTH, REC, k=2, metrics="ndcg", con=con) == approx(NDCG)
    if _static.installed():
        assert of_users("truth", REC, k=2, metrics="ndcg", con=con) == approx(NDCG)
    else:  # before DuckDB 2.0, such a connection does not tell its search path
        with pytest.raises(ValueError, match=r"^evaluate: truth \(truth\): .*transaction is aborted"):
            evaluate("truth", REC, con=con)
    with pytest.raises(duckdb.TransactionException):
        con.execute("FROM truth")


@pytest.mark.parametrize(
    "name", ['"my ""truth"""', '"s ""1"""."my ""truth"""', 'memory."s ""1"""."my ""truth"""']
)
def test_names_of_tables_may_have_quotes(name: str):
    con = database_of(truth=TRUTH)
    table = name if "." not in name else '"s ""1"""."my ""truth"""'
    con.execute(f'CREATE SCHEMA "s ""1"""; CREATE TABLE {table} AS FROM truth')
    assert of_users(name, REC, k=2, metrics="ndcg", con=con) == approx(NDCG)


def test_a_query_is_run_once():
    con = rankdcg_sql.connect()
    con.execute("CREATE SEQUENCE once")
    query = "SELECT nextval('once') AS userid, 'a' AS itemid, 1.0 AS score, 7 AS more FROM range(3)"
    found = evaluate("SELECT i AS userid, 'a' AS itemid FROM range(1, 4) t(i)", query, k=1, con=con)
    assert con.execute("SELECT nextval('once')").fetchall() == [(4,)]
    assert found.counts.rec_rows == found.counts.users_evaluated == 3


def test_users_0_and_minus_0_are_one():
    rec = {"userid": [-0.0], "itemid": ["a"], "score": [1]}
    assert of_users({"userid": [0.0], "itemid": ["a"]}, rec, metrics="recall") == {0: 1}


@pytest.mark.parametrize(("metric", "of_a_hit"), [("ndcg", 1), ("rbp", 0.2)])  # users at once, and by group
def test_users_that_differ_in_case_are_different_ones(metric: str, of_a_hit: float):
    truth = {"userid": ["a", "A"], "itemid": [1, 2]}
    with database_of(truth=truth, rec={**truth, "itemid": [1, 3], "score": [1, 1]}) as con:
        con.execute("SET default_collation = 'nocase'")
        values = of_users("truth", "rec", con=con, k=1, metrics=metric)
        assert values == {"a": pytest.approx(of_a_hit), "A": 0}


def test_ids_of_files_that_differ_in_case_are_different_ones(tmp_path: Path):
    """Read as a boolean, TRUE would be true."""
    truth = {"userid": [1, 2], "itemid": ["true", "false"]}
    (tmp_path / "rec.csv").write_text("userid,itemid,score\n1,TRUE,1\n2,false,1\n")
    with duckdb.connect() as con:
        con.execute("SET default_collation = 'nocase'")
        found = of_users(truth, tmp_path / "rec.csv", con=con, k=1, metrics="recall")
    assert found == {1: 0, 2: 1}


def test_a_view_without_its_table_has_the_error_of_the_view():
    with duckdb.connect() as con:
        con.execute("CREATE TABLE judged AS SELECT 1 AS userid, 'a' AS itemid, 1 AS rel")
        con.execute("CREATE VIEW truth AS SELECT userid, itemid, rel FROM judged")
        con.execute("ALTER TABLE judged DROP rel")
        with pytest.raises(ValueError, match=r"^evaluate: truth \(truth\): (?!there is no).*\brel\b"):
            evaluate("truth", REC, con=con)


def test_ids_of_a_column_without_case_have_one():
    ids = "userid VARCHAR COLLATE nocase, itemid VARCHAR COLLATE nocase"
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE truth ({ids}); CREATE TABLE rec ({ids}, score INT)")
        con.execute("INSERT INTO truth VALUES ('a', 'x'), ('A', 'X')")
        con.execute("INSERT INTO rec VALUES ('a', 'x', 2), ('a', 'X', 1), ('A', 'x', 2)")
        found = evaluate("truth", "rec", con=con, k=2, metrics=["mrr", "r_precision"])
        assert sorted(found.wide.fetchall()) == [("A", 0, 0), ("a", 1, 1)]
        assert found.counts.rec_repeats == found.counts.truth_repeats == 0


def test_whole_ids_without_a_common_exact_type_are_refused():
    truth = "SELECT 1 AS userid, 9007199254740993::HUGEINT AS itemid"
    rec = "SELECT 1 AS userid, 9007199254740992::UHUGEINT AS itemid, 1 AS score"
    with pytest.raises(ValueError, match=r"itemid of truth is HUGEINT, itemid of rec is UHUGEINT"):
        evaluate(truth, rec, k=1)


@pytest.mark.parametrize("place", ["truth", "rec"])
def test_examples_of_items_are_items_of_the_tables(place: str):
    tables = {"truth": {"userid": [1], "itemid": [5]}, "rec": {"userid": [1], "itemid": [1], "score": [1.0]}}
    tables[place] = {name: [*of, None if name == "itemid" else of[0]] for name, of in tables[place].items()}
    with pytest.warns(DataWarning, match="no item of rec is one of truth"):
        assert of_users(**tables, k=1, metrics="ndcg") == {1: 0}


@pytest.mark.parametrize("kind", ["BIGINT", "VARCHAR", "UUID", "DATE", "DECIMAL(9, 2)", "HUGEINT", "DOUBLE"])
@pytest.mark.parametrize("clean", [True, False])
@pytest.mark.parametrize("memory", [1e9, 1e5])
def test_counts_are_those_of_plain_sql(
    monkeypatch: pytest.MonkeyPatch, kind: str, clean: bool, memory: float
) -> None:
    """With little memory, users are evaluated in several parts."""
    monkeypatch.setattr(_user_metrics, "memory_limit", lambda _: memory)
    con = rankdcg_sql.connect()
    others = {"UUID": "lpad({}::VARCHAR, 32, '0')::UUID", "DATE": "DATE '2026-01-01' + {}::INTEGER"}
    user = others.get(kind, f"{{}}::{kind}")
    number = "hash(i, 'n') % {} / 7.0"
    if not clean:
        number = f"if(hash(i, 'q') % 9 = 0, 'nan'::DOUBLE, {number})"

    def columns(users: str, value: str, expression: str) -> str:
        """The columns of a table, in which every ninth value is NULL unless it is clean."""
        items = "i" if clean else "hash(i, 'item') % 30"
        named = {"userid": user.format(users), "itemid": items, value: expression}
        maybe = "{}" if clean else "if(hash(i, '{name}') % 9 = 0, NULL, {})"
        return ", ".join(f"{maybe.format(each, name=name)} AS {name}" for name, each in named.items())

    rec = columns("(i % 150)", "score", number.format(97))
    truth = columns("(50 + i % 140)", "rel", "1.0" if clean else number.format(1))
    con.execute(f"CREATE TABLE rec AS SELECT {rec} FROM range(4000) AS t(i)")
    con.execute(f"CREATE TABLE truth AS SELECT {truth} FROM range(1000) AS t(i)")
    found = evaluate("truth", "rec", k=3, rel="rel", metrics="ndcg", con=con).counts
    usable = {
        "rec": "rec WHERE userid IS NOT NULL AND score IS NOT NULL AND NOT isnan(score)",
        "truth": "truth WHERE userid IS NOT NULL AND rel IS NOT NULL AND NOT isnan(rel)",
    }
    queries = {}
    for table, value in (("rec", "score"), ("truth", "rel")):
        for count, condition in {
            "rows": "true", "null_users": "userid IS NULL", "null_items": "itemid IS NULL",
            f"null_{value}s": f"{value} IS NULL", f"nan_{value}s": f"isnan({value})",
        }.items():  # fmt: skip
            queries[f"{table}_{count}"] = f"count(*) FROM {table} WHERE {condition}"
        distinct = "count(*) - count(DISTINCT (userid, itemid))"
        queries[f"{table}_repeats"] = f"{distinct} FROM {usable[table]} AND itemid IS NOT NULL"
    for name, one, other in (("without_rec", "truth", "rec"), ("without_truth", "rec", "truth")):
        elsewhere = f"userid NOT IN (SELECT userid FROM {usable[other]})"
        queries[f"users_{name}"] = f"count(DISTINCT userid) FROM {usable[one]} AND {elsewhere}"
    expected = {name: con.execute(f"SELECT {query}").fetchall()[0][0] for name, query in queries.items()}
    assert {name: getattr(found, name) for name in expected} == expected


def test_a_row_of_nulls_is_counted():
    rec = "FROM (VALUES (1, 'a', 1.0), (NULL, NULL, NULL)) AS t(userid, itemid, score)"
    with pytest.warns(DataWarning):
        found = evaluate(TRUTH, rec)
    counts = found.counts
    assert (counts.rec_rows, counts.truth_rows) == (2, len(TRUTH["userid"]))
    assert (counts.rec_null_users, counts.rec_null_items, counts.rec_null_scores) == (1, 1, 1)
    assert (counts.truth_null_users, counts.truth_null_items, counts.truth_null_rels) == (0, 0, 0)


@pytest.mark.parametrize("memory", [1e9, 1e5, 2e4])
@pytest.mark.parametrize("kind", ["BIGINT", "VARCHAR", "DECIMAL(38, 3)"])
def test_rows_of_truth_without_a_user_may_disagree(kind: str, memory: float, monkeypatch: Any):
    """They are left out, from tables that are read once, or once for each part of users, or copied."""
    monkeypatch.setattr(_user_metrics, "memory_limit", lambda _: memory)
    rec = f"SELECT i::{kind} AS userid, i AS itemid, 1 AS score FROM range(3000) t(i)"
    truth = f"""
        SELECT userid, itemid, 1 AS rel FROM ({rec}) WHERE itemid % 3 = 0
        UNION ALL FROM (VALUES (NULL, 0, 2), (NULL, 0, 1))
    """
    with pytest.warns(DataWarning, match="2 rows of truth without a user, left out"):
        found = evaluate(truth, rec, k=1, rel="rel", metrics="ndcg")
    assert (found.counts.truth_null_users, found.counts.truth_rows) == (2, 1002)
    assert found.counts.truth_repeats == 0
    assert found.summary.project("n, mean").fetchall() == [(1000, 1.0)]


def test_repeats_in_several_places_of_rec_are_counted():
    """Rows of user 1 below the cutoff are dropped before its last rows are read."""
    users = [0] * 300 + [1] * 100 + [2] * 300 + [1] * 50
    items = [*range(300), *range(100), *range(300), *range(25, 75)]
    rec = {"userid": users, "itemid": items, "score": [float(item) for item in items]}
    with pytest.warns(DataWarning, match="50 rows of rec with the user and item of another row"):
        found = evaluate({"userid": [1], "itemid": [99]}, rec, k=2, metrics="mrr")
    assert found.counts.rec_repeats == 50
    assert found.summary.project("mean").fetchall() == [(1.0,)]


@pytest.mark.parametrize("kind", ["BIGINT", "VARCHAR", "DATE"])
def test_users_are_in_ascending_order(kind: str):
    """Users are as many as several vectors hold, in no order in the tables."""
    user = {"DATE": "DATE '1990-01-01' + {}::INTEGER"}.get(kind, f"{{}}::{kind}").format("(hash(i) % 5000)")
    rec = f"SELECT DISTINCT {user} AS userid, i % 3 AS itemid, i % 3 AS score FROM range(12000) AS t(i)"
    found = evaluate(f"SELECT DISTINCT userid, 1 AS itemid FROM ({rec})", rec, k=[1, 2, 3], metrics="ndcg")
    for result in (found, pickle.loads(pickle.dumps(found))):
        users = [row[0] for row in result.wide.fetchall()]
        assert len(users) > 4096
        assert users == sorted(users)
        assert [row[0] for row in result.per_user.fetchall()] == [each for each in users for _ in range(3)]


# Processes


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.skipif(
    duckdb.__version__.startswith("1."),
    reason="`import duckdb` opens a connection, with which a child that opens another one cannot end",
)
def test_a_child_of_a_fork_evaluates_and_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The parent has evaluated before, on threads that the child has not. Neither leaves a file behind."""
    script = """
        import json, os, sys, warnings
        import rankdcg_sql

        warnings.simplefilter("ignore", DeprecationWarning)  # about threads beside a fork
        truth, rec = json.loads(sys.argv[1])

        def mean():
            found = rankdcg_sql.evaluate(truth, rec, k=2, metrics="ndcg")
            return found.summary.project("mean").fetchall()[0][0]

        first = mean()
        child = os.fork()
        if child == 0:
            sys.exit(0 if mean() == first else 7)
        print(json.dumps([os.waitpid(child, 0)[1], mean() == first]))
    """
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert process.python(script, json.dumps([TRUTH, REC])) == [0, True]
    assert list(tmp_path.iterdir()) == []


def test_results_of_many_threads_do_not_meet():
    """All evaluations share a database; each has tables and results of its own."""

    def mean(place: int) -> float:
        rec = {**REC, "score": [-score if place % 2 else score for score in REC["score"]]}
        return evaluate(TRUTH, rec, k=2, metrics="ndcg").summary.project("mean").fetchall()[0][0]

    alone = [mean(0), mean(1)]
    assert alone[0] != alone[1]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(mean, range(40))) == alone * 20
