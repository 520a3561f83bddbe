"""How connections and other programs get the table macros, and what the macros say that lack aggregates."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner
from conftest import needs_duckdb_2
from support import process
from support.sql import rows
from support.two_tables import NDCG, STATEMENTS

import rankdcg_sql
from rankdcg_sql import _static, connect, evaluate, register
from rankdcg_sql.catalogue import table_macros
from rankdcg_sql.cli import main


@pytest.fixture
def con(empty: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Give a database with the tables truth and rec."""
    return empty.execute(STATEMENTS)


# Macros of users, connections and transactions


#: Two runs of the tables truth and rec, which differ in each of them.
RUNS = "truth, rec, truth_after, rec_after"
MAKE_RUNS = """
    CREATE TABLE truth_after AS FROM truth WHERE itemid <> 'b';
    CREATE TABLE rec_after AS SELECT userid, itemid, -score AS score FROM rec;
    CREATE TABLE items AS SELECT DISTINCT itemid FROM truth;
"""
#: Spans and chunks, of which each chunk has less than the span.
MAKE_SPANS = """;
    CREATE TABLE spans AS SELECT *, 0 AS "start", 9 AS "end" FROM truth;
    CREATE TABLE chunks AS SELECT *, 2 AS "start", 9 AS "end" FROM rec;
"""
#: The names of all functions that a table macro may call. DuckDB calls `unpivot_list` by this name alone for
#: UNPIVOT.
SYSTEM_NAMES = """
    SELECT DISTINCT function_name FROM duckdb_functions()
    WHERE internal AND function_type IN ('scalar', 'aggregate', 'macro', 'window')
        AND function_name <> 'unpivot_list'
"""


@needs_duckdb_2
def test_macros_of_users_are_not_called(con: duckdb.DuckDBPyConnection) -> None:
    queries = [
        "FROM rank_evaluate(truth, rec) ORDER BY ALL",
        "FROM rank_summary(truth, rec, ks := system.main.list_value(2, NULL), interval := 'bootstrap')",
        "FROM rank_compare(truth, rec, rec)",
        "FROM rank_compare(truth, rec, rec, test := 'randomization', correction := NULL)",
        "FROM rank_explain(truth, rec, metrics := system.main.list_value('ndcg', 'rbp')) ORDER BY ALL",
        "FROM rank_measures(truth, rec, measures := system.main.list_value('ndcg@2', 'rbp')) ORDER BY ALL",
        "FROM rank_items(truth, rec, items, measures := 'coverage@2, unknown_items') ORDER BY ALL",
        f"FROM rank_change({RUNS}, 2, attribution := 'shapley')",
        *(f"FROM rank_change_by_{rows_of}({RUNS}) ORDER BY ALL" for rows_of in ("user", "item", "move")),
        f"FROM rank_change_ids({RUNS})",
        "FROM rank_check(truth, rec)",
        "FROM rank_spans(spans, chunks, overlap := '0.5') ORDER BY ALL",
        "FROM rank_evaluate_spans(spans, chunks, ks := 2, overlap := 'best') ORDER BY ALL",
    ]
    con.execute(MAKE_RUNS + MAKE_SPANS)
    expected = [rows(con, query) for query in queries]
    names = rows(con, SYSTEM_NAMES)
    assert len(names) > 1000
    with duckdb.connect() as hostile:
        hostile.execute(STATEMENTS + ";" + MAKE_RUNS + MAKE_SPANS)
        overloads = ", ".join(f"({', '.join('abcdefgh'[:arity])}) AS 42" for arity in range(7))
        for name in names:
            quoted = name.replace('"', '""')
            hostile.execute(f'CREATE MACRO "{quoted}" {overloads}')
        for name in ("unnest", "query_table"):
            hostile.execute(f"CREATE MACRO {name}(a) AS TABLE SELECT 42 AS userid")
        assert rows(hostile, "SELECT count(1), min(1)") == [(42, 42)]
        register(hostile)
        assert [rows(hostile, query) for query in queries] == expected


@pytest.mark.parametrize("kind", ["TEMP ", ""])
def test_a_macro_of_a_user_stays(kind: str, tmp_path: Any) -> None:
    path = str(tmp_path / "shop.db")
    with connect(path) as con:
        con.execute(f"CREATE OR REPLACE {kind}MACRO rank_check(a, b) AS TABLE SELECT 42 AS mine")
        if kind:
            register(con)
            assert rows(con, "FROM rank_check(1, 2)") == [42]
    if not kind:
        with connect(path) as con:
            register(con)
            assert rows(con, "FROM rank_check(1, 2)") == [42]


def macros_of(con: duckdb.DuckDBPyConnection) -> set[str]:
    names = [macro.name for macro in table_macros()]
    query = "SELECT function_name FROM duckdb_functions() WHERE function_type = 'table_macro'"
    return {*rows(con, f"{query} AND function_name IN ({', '.join(map(repr, names))})")}


EVERY = {macro.name for macro in table_macros()}


def test_connections_that_have_the_macros(tmp_path: Any) -> None:
    with connect() as con:
        assert macros_of(con) == EVERY
        with con.cursor() as cursor:
            assert macros_of(cursor) == set()
            register(cursor)
            register(cursor)
            assert macros_of(cursor) == EVERY
    path = str(tmp_path / "shop.db")
    connect(path).close()
    with connect(path, read_only=True) as con:
        assert macros_of(con) == EVERY
    with duckdb.connect(path) as con:
        assert macros_of(con) == set()


@pytest.mark.parametrize(
    "call",
    [
        "SELECT userid, ndcg FROM rank_evaluate(truth, 'rec.parquet', ks := 3, rel := 'rel')",
        "SELECT mean FROM rank_summary(truth, rec, 5, metrics := 'ndcg', users := 'both')",
        "FROM rank_compare(truth, rec, rec, correction := NULL)",
        "SELECT itemid FROM rank_explain(truth, rec, 5, metrics := 'rbp')",
    ],
)
def test_macros_say_what_they_lack(call: str) -> None:
    """They lack aggregates before DuckDB 2.0, and where the functions are Python functions."""
    program = """
        import json, sys
        import duckdb
        con = duckdb.connect()
        import rankdcg_sql
        assert rankdcg_sql.register(con).route == "udf"
        try:
            con.execute(sys.argv[1]).fetchall()
        except duckdb.Error as error:
            print(json.dumps(str(error)))
    """
    name = call.partition("FROM ")[2].partition("(")[0]
    expected = (
        f"Invalid Input Error: {name}: needs DuckDB 2.0 or later, and its functions as an extension: "
        "evaluate() and compare() in Python need neither"
    )
    assert process.python(program, call) == expected
    if not _static.installed():
        with connect() as con, pytest.raises(duckdb.Error, match=re.escape(expected)):
            con.execute(call).fetchall()


def test_registration_within_a_transaction() -> None:
    for end, there in (("COMMIT", EVERY), ("ROLLBACK", set())):
        with duckdb.connect() as con:
            if not _static.installed():
                register(con)
                for name in EVERY:
                    con.execute(f"DROP MACRO TABLE {name}")
            con.execute("CREATE TABLE t (a INTEGER)")
            con.execute("BEGIN; INSERT INTO t VALUES (1)")
            register(con)
            con.execute(end)
            assert macros_of(con) == there
            assert len(rows(con, "FROM t")) == (end == "COMMIT")


@needs_duckdb_2
def test_registration_in_a_transaction_that_has_failed() -> None:
    with duckdb.connect() as con:
        con.execute("BEGIN")
        with pytest.raises(duckdb.Error, match="on purpose"):
            con.execute("SELECT error('on purpose')").fetchall()
        with pytest.warns(
            RuntimeWarning, match="a transaction that has failed, and no table macros: roll it back"
        ) as warned:
            register(con)
        assert [each.filename for each in warned] == [__file__]
        con.execute("ROLLBACK")
        register(con)
        assert macros_of(con) == EVERY


def test_evaluations_create_no_macros(
    monkeypatch: pytest.MonkeyPatch, con: duckdb.DuckDBPyConnection
) -> None:
    """The sessions and results of `evaluate` do not pay for macros that they do not use."""
    created = []
    monkeypatch.setattr("rankdcg_sql.duckdb._create_table_macros", lambda *given: created.append(given))
    found = evaluate("truth", "rec", k=2, metrics="ndcg", con=con)
    assert found.summary.fetchall()
    rankdcg_sql.compare(con.sql("FROM truth"), {"a": con.sql("FROM rec"), "b": con.sql("FROM rec")}, k=2)
    assert created == []
    connect().close()
    assert len(created) == 1


def test_rank_functions_is_the_catalogue(empty: duckdb.DuckDBPyConnection) -> None:
    assert rows(empty, "FROM rank_functions()") == [
        (
            *(each.name, list(each.aliases), each.form, each.signature, each.result, each.summary),
            *(each.formula, each.range, list(each.options), each.examples.sql, each.source),
        )
        for each in rankdcg_sql.functions()
    ]


# Other clients


def script(*arguments: str) -> str:
    done = CliRunner().invoke(main, ["macros", *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


@needs_duckdb_2
@pytest.mark.parametrize("arguments", [[], ["--persistent"]], ids=str)
def test_printed_macros_run_without_the_package(arguments: list[str], tmp_path: Any) -> None:
    """A process without this package loads the extension and runs what is printed, twice."""
    path = tmp_path / "macros.sql"
    path.write_text(script(*arguments), encoding="utf-8")
    found = process.python(
        """
        import json, sys
        import duckdb
        con = duckdb.connect(sys.argv[2], config={"allow_unsigned_extensions": "true"})
        text = open(sys.argv[1], encoding="utf-8").read()
        load = next(line.removeprefix("-- ") for line in text.splitlines() if line.startswith("-- LOAD "))
        con.execute(load)
        for _ in range(2):
            con.execute(text)
        con.execute(sys.argv[3])
        query = "SELECT userid, ndcg FROM rank_evaluate(truth, rec, ks := [2]) ORDER BY userid"
        found = con.execute(query).fetchall()
        rows = [len(con.execute(f"FROM {call}").fetchall()) for call in (
            "rank_summary(truth, rec)", "rank_compare(truth, rec, rec)", "rank_check(truth, rec)",
            "rank_explain(truth, rec)"
        )]
        assert "rankdcg_sql" not in sys.modules
        con.close()
        again = duckdb.connect(sys.argv[2], config={"allow_unsigned_extensions": "true"})
        again.execute(load)
        kept = again.execute(
            "SELECT count(*) FROM duckdb_functions() "
            "WHERE function_type = 'table_macro' AND starts_with(function_name, 'rank_') "
            "AND database_name <> 'rankdcg'"
        ).fetchone()[0]
        print(json.dumps([found, rows, kept]))
        """,
        str(path),
        str(tmp_path / "shop.db"),
        STATEMENTS,
    )
    expected = [[user, pytest.approx(value)] for user, value in NDCG.items()]
    assert found == [expected, [14, 14, 2, 7], len(table_macros()) if arguments else 0]


@pytest.mark.parametrize("arguments", [[], ["--persistent"]], ids=str)
def test_printed_macros_load_in_every_duckdb(arguments: list[str], tmp_path: Any) -> None:
    """The macros that need no extension work after all of them were created, also before DuckDB 2.0."""
    newest = {"storage_compatibility_version": "latest"}
    with duckdb.connect(str(tmp_path / "shop.db"), config=newest) as con:
        con.execute(script(*arguments))
        con.execute(STATEMENTS)
        assert len(rows(con, "FROM rank_check(truth, rec)")) == 2
        assert len(rows(con, "FROM rank_functions()")) == len(rankdcg_sql.functions())
        if duckdb.__version__.startswith("1."):
            with pytest.raises(duckdb.BinderException, match="rank_summary: needs DuckDB"):
                con.execute("FROM rank_summary(truth, rec)")


@pytest.mark.parametrize("is_loaded", [False, True], ids=["without the extension", "with the extension"])
def test_printed_macros_say_what_they_lack_in_an_earlier_command_line(is_loaded: bool, tmp_path: Any) -> None:
    """The command line of PyPI is older than DuckDB 2.0."""
    path = tmp_path / "macros.sql"
    path.write_text(script(), encoding="utf-8")
    load = f"LOAD '{rankdcg_sql.extension_path()}';" if is_loaded else ""

    def ask(query: str) -> subprocess.CompletedProcess[str]:
        options = ["-unsigned", "-json", "-init", str(path)]
        command = [process.duckdb(), *options, "-c", f"{load}{STATEMENTS};{query}"]
        return subprocess.run(command, capture_output=True, text=True)

    (found,) = json.loads(ask("SELECT version() AS version").stdout)
    if not found["version"].startswith("v1."):
        pytest.skip("the command line is not older than DuckDB 2.0")
    for call in (
        "rank_evaluate(truth, rec)",
        "rank_summary(truth, rec, 5, metrics := 'bpref', user := 'uid')",
        "rank_compare(truth, rec, rec, rel := 'rel', options := 'gian=linear')",
        "rank_explain(truth, rec, 5, metrics := 'bpref')",
    ):
        done = ask(f"FROM {call}")
        assert f'"{call.partition("(")[0]}: needs DuckDB 2.0 or later, and its functions as' in done.stderr
        assert "does not exist" not in done.stderr
        assert done.returncode != 0
    assert len(json.loads(ask("FROM rank_check(truth, rec)").stdout)) == 2


def test_printed_macros_explain_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankdcg_sql._native.extension_path", lambda: "/it's/here")
    text = script()
    assert text.startswith(f"-- Table macros of rankdcg_sql {rankdcg_sql.__version__}.\n")
    assert "\n-- LOAD '/it''s/here';\n" in text
    for macro in table_macros():
        assert f"-- {macro.summary}\n" in text
        assert f"CREATE OR REPLACE TEMP MACRO {macro.name}(" in text
        for parameter in macro.parameters:
            assert f"--   {parameter.name}: {parameter.description}\n" in text
        assert (f"{macro.summary}\n-- It needs DuckDB 2.0 or later.\n" in text) == macro.needs_aggregates
    assert "TEMP" not in script("--persistent")
    assert "v1.4.0" not in text
    assert "v1.4.0" in script("--persistent")
