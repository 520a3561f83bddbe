"""The command `sql`: statements, files, variables and databases, and wrong input."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.commands import only_result, results, run, sql


def test_every_statement_that_returns_rows_is_shown() -> None:
    script = """
        -- A comment; with a semicolon.
        CREATE TABLE t AS SELECT 1 AS a;
        INSERT INTO t VALUES (2); -- after; it
        SET VARIABLE x = 'y';
        SELECT getvariable('x') AS x;
        /* in; between */
        INSERT INTO t VALUES (3) RETURNING a;
        UPDATE t SET a = a + 1;
        BEGIN; DELETE FROM t WHERE a = 2; COMMIT;
        SELECT count(*) AS "Count" FROM t; ;
        PIVOT t ON a USING count(*);
        DESCRIBE t;
        PREPARE p AS SELECT ?::INTEGER AS one; EXECUTE p(1);
        DROP TABLE t;
        SELECT ';é' AS "semi;colon" -- the end; really
    """
    found = results("-c", script)
    assert found.pop(4)[0]["column_name"] == "a"
    first = [[{"x": "y"}], [{"a": 3}], [{"Count": 2}], [{"3": 1, "4": 1}]]
    assert found == [*first, [{"one": 1}], [{"semi;colon": ";é"}]]


def test_statements_without_rows_print_nothing(here: Path) -> None:
    script = "CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1); COPY t TO 't.parquet'; SET threads = 1"
    for kind in ("table", "csv", "json", "markdown"):
        assert sql(kind, "-c", script) == ""


def test_results_are_apart() -> None:
    assert sql("csv", "-c", "SELECT 1 AS a; SELECT 2 AS b") == "a\n1\n\nb\n2\n"


def test_results_before_an_error_are_shown() -> None:
    text = sql("csv", "-c", "SELECT 1 AS a; SELECT error('boom')", code=1)
    assert text.startswith("a\n1\n")
    assert "boom" in text
    # But no statement runs where one does not parse.
    assert "a\n1" not in sql("csv", "-c", "SELECT 1 AS a; SELCT 1", code=1)


def test_files_in_order_and_standard_input(here: Path) -> None:
    (here / "first é.sql").write_text("CREATE TABLE t AS SELECT 'ü' AS a;", encoding="utf-8-sig")
    assert sql("csv", "first é.sql", "-", text="SELECT a || 'ß' AS a FROM t") == "a\nüß\n"


def test_database_is_kept(here: Path) -> None:
    sql("table", "--database", "kept.db", "-c", "CREATE TABLE t AS SELECT 5 AS a")
    found = only_result("--database", "kept.db", "-c", "SELECT a, mrr([a], [5]) AS mrr FROM t")
    assert found == [{"a": 5, "mrr": 1}]


def test_variables_are_texts() -> None:
    query = "SELECT getvariable('a b') AS a, getvariable('K') AS k, typeof(k) AS type, getvariable('e') AS e"
    found = only_result("--set", 'a b=it\'s = "it"', "--set", "K=007", "--set", "e=", "-c", query)
    assert found == [{"a": 'it\'s = "it"', "k": "007", "type": "VARCHAR", "e": ""}]


def test_names_of_python_are_no_tables() -> None:
    for name in ("statements", "scripts", "files", "con"):
        assert f"Table with name {name} does not exist" in sql("csv", "-c", f"FROM {name}", code=1)


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["sql"], 2, "Give the SQL in FILEs"),
        (["sql", "-c", "SELECT 1", "there.sql"], 2, "one of the two"),
        (["sql", "missing.sql"], 2, "'missing.sql': No such file"),
        (["sql", "."], 2, "directory"),
        (["sql", "-c", ""], 1, "no SQL statement"),
        (["sql", "-c", " ; -- nothing"], 1, "no SQL statement"),
        (["sql", "empty.sql"], 1, "no SQL statement"),
        (["sql", "latin1.sql"], 1, "latin1.sql is not text in UTF-8"),
        (["sql", "-c", "SELCT 1"], 1, "Parser Error: syntax error at or near \"SELCT\""),
        (["sql", "-c", "SELECT Precision ([1], [1])"], 1, "is a keyword of SQL: write precision_at("),
        (["sql", "-c", "SELECT nope(1)"], 1, "nope does not exist"),
        (["sql", "-c", "FROM 'missing.parquet'"], 1, "missing.parquet"),
        (["sql", "-c", "SELECT ndcg([1], [1], 0)"], 1, "ndcg: k must be at least 1, got 0"),
        (["sql", "-c", "SELECT 'a'::INTEGER"], 1, "Conversion Error"),
        (["sql", "-c", "SELECT '\udcff'"], 1, "surrogates not allowed"),
        (["sql", "--set", "a=\udcff", "-c", "SELECT 1"], 1, "surrogates not allowed"),
        (["sql", "--database", "\udcff", "-c", "SELECT 1"], 1, "surrogates not allowed"),
        (["sql", "--database", "latin1.sql", "-c", "SELECT 1"], 1, "latin1.sql"),
        (["sql", "--set", "run", "-c", "SELECT 1"], 2, "expected NAME=VALUE, got 'run'"),
        (["sql", "--set", "=run", "-c", "SELECT 1"], 2, "expected NAME=VALUE, got '=run'"),
        (["sql", "--output", "xml", "-c", "SELECT 1"], 2, "'xml' is not one of"),
        (["functions", "ndgc"], 2, "there is no function 'ndgc': did you mean ndcg"),
        (["functions", "Rank_Check"], 2, "Rank_Check is a table macro: rankdcg-sql macros prints its SQL"),
        (["functions", "statap"], 2, "no function 'statap': rankdcg_sql does not compute the sampling"),
        (["functions", "MAP"], 2, "there is no function 'MAP': did you mean average_precision?"),
        (["functions", "ndcg", "zzzzzz"], 2, "there is no function 'zzzzzz'\n"),
        (["functions", "--output", "csv"], 2, "'csv' is not one of"),
        (["demo", "--users", "0"], 2, "x>=1"),
        (["demo", "--users", "many"], 2, "not a valid integer"),
        (["demo", "--directory", "there.sql"], 2, "is a file"),
        (["demo", "--directory", "there.sql/in"], 1, "cannot be made"),
        (["nope"], 2, "No such command 'nope'"),
    ],
)  # fmt: skip
def test_wrong_input_is_named(here: Path, args: list[str], code: int, message: str) -> None:
    (here / "there.sql").write_text("SELECT 1")
    (here / "empty.sql").write_text("\n-- nothing here\n")
    (here / "latin1.sql").write_bytes(b"SELECT '\xfc'")
    text = run(*args, code=code).output
    assert message in text
    assert "Traceback" not in text
