"""The extension in processes that load it and do not import the package, as in other clients.

The statements are in `tests/sql`. `make test_release` runs the same files by DuckDB's own program, which is
not on PyPI.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import needs_duckdb_2
from support import process
from support.paths import TESTS
from support.two_tables import NDCG, STATEMENTS

import rankdcg_sql

FUNCTIONS, MACROS = (TESTS / "sql" / f"{name}.test" for name in ("functions", "macros"))
LOAD = f"LOAD '{rankdcg_sql.extension_path()}'"


class Step(NamedTuple):
    """A statement and what it is to give: lines of values, or a part of an error."""

    kind: str
    sql: str
    expected: list[str]


def steps(file: Path) -> list[Step]:
    """Read a file of statements, each of the kind `statement ok`, `statement error` or `query`."""
    found = []
    text = file.read_text(encoding="utf-8")
    for block in text.split("\n\n"):
        kind, *lines = [line for line in block.splitlines() if not line.startswith("#")] or [""]
        if kind.startswith(("statement", "query")):
            sql, _, expected = "\n".join(lines).partition("\n----\n")
            found.append(Step(kind, sql, expected.splitlines()))
    assert len(found) == text.count("\nstatement ") + text.count("\nquery ") > 5
    return found


def check(steps: list[Step], answers: list[str]) -> None:
    """Compare the answers, lines of values or an error, with what the statements are to give."""
    for step, answer in zip(steps, answers, strict=True):
        if step.kind == "statement error":
            assert "Error" in answer, step.sql
            assert step.expected[0] in answer
        elif step.kind == "statement ok":
            assert "Error" not in answer
        else:
            assert answer.splitlines() == step.expected, step.sql


def in_python(*statements: str, database: str = ":memory:", read_only: bool = False) -> list[str]:
    """Run statements on a connection of this DuckDB. Return the lines of values, or the error, of each.

    Statements after `USE OTHER CONNECTION` run on another connection of the database. `RUN` runs the text
    that a query gives.
    """
    found: list[str] = process.python(
        """
        import json, sys
        import duckdb
        database, read_only, statements = json.loads(sys.argv[1])
        con = duckdb.connect(database, read_only=read_only, config={"allow_unsigned_extensions": "true"})
        answers = []
        for statement in statements:
            if statement == "USE OTHER CONNECTION":
                con = con.cursor()
                continue
            try:
                if statement.startswith("RUN "):
                    statement = con.execute(statement.removeprefix("RUN ")).fetchone()[0]
                rows = con.execute(statement).fetchall()
            except duckdb.Error as error:
                answers.append(f"Error: {error}")
            else:
                values = lambda row: "\\t".join("NULL" if value is None else str(value) for value in row)
                answers.append("\\n".join(map(values, rows)))
        assert "rankdcg_sql" not in sys.modules
        print(json.dumps(answers))
        """,
        json.dumps([database, read_only, statements]),
    )
    return found


def in_command_line(*statements: str, program: str | Path | None = None) -> list[str]:
    """Run statements in a session of the command line. Return the lines of values, or the error, of each."""
    end = "-- the end --"
    script = [".mode list", ".headers off", r'.separator "\t"', ".nullvalue NULL"]
    for statement in statements:
        script += [f"{statement};", f".print {end}"]
    done = subprocess.run(
        [program or process.duckdb(), "-unsigned"],
        input="\n".join(script) + "\n",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return [answer.strip("\n") for answer in done.stdout.split(end)[:-1]]


def old_command_line() -> None:
    """Skip the test if the command line is not older than DuckDB 2.0."""
    if not in_command_line("SELECT version()")[0].startswith("v1."):
        pytest.skip("the command line is not older than DuckDB 2.0")


@pytest.mark.parametrize(
    "file", [FUNCTIONS, pytest.param(MACROS, marks=needs_duckdb_2)], ids=lambda file: file.stem
)
def test_statements_of_the_files(file: Path) -> None:
    loaded, *answers = in_python(LOAD, *(step.sql for step in steps(file)))
    assert loaded == ""
    check(steps(file), answers)


def test_statements_of_the_files_in_the_command_line() -> None:
    loaded, *answers = in_command_line(LOAD, *(step.sql for step in steps(FUNCTIONS)))
    assert loaded == ""
    check(steps(FUNCTIONS), answers)


# The table macros

CALL = "SELECT userid, ndcg FROM {}rank_evaluate(truth, rec, ks := 2) ORDER BY userid"
#: The values of `CALL`.
VALUES = "\n".join(f"{user}\t{value}" for user, value in NDCG.items())


@needs_duckdb_2
def test_every_connection_and_a_database_that_is_read_only_has_the_macros(tmp_path: Path) -> None:
    database = str(tmp_path / "shop.db")
    called = CALL.format("rankdcg.")
    other = ("USE OTHER CONNECTION", called)
    *_, first, second = in_python(LOAD, STATEMENTS, called, *other, database=database)
    assert first == second
    assert [float(line.split("\t")[1]) for line in first.splitlines()] == pytest.approx([*NDCG.values()])
    assert in_python(LOAD, called, database=database, read_only=True) == ["", first]
    # Nothing of them is in the file.
    names = "SELECT count(*) FROM duckdb_functions() WHERE NOT internal"
    assert in_python(names, database=database) == ["0"]


@needs_duckdb_2
@pytest.mark.parametrize("taken", ["CREATE SCHEMA RankDCG", "ATTACH ':memory:' AS RankDCG"])
def test_a_name_that_is_taken_keeps_its_meaning(taken: str) -> None:
    create = "CREATE TABLE rankdcg.t AS SELECT 42 AS a"
    assert in_python(taken, LOAD, create, "FROM rankdcg.t", "SELECT recall_at([1], [1])")[1:] == [
        *("", "1", "42", "1.0")
    ]


@needs_duckdb_2
def test_register_attaches_no_database() -> None:
    """Python creates the macros on a connection. A later LOAD of its own attaches them again."""
    found = process.python(
        """
        import json, sys
        import duckdb
        opened = [duckdb.connect(config={"allow_unsigned_extensions": "true"}) for _ in range(2)]
        import rankdcg_sql
        route = rankdcg_sql.register(opened[0]).route
        opened[1].execute(f"LOAD '{rankdcg_sql.extension_path()}'")
        query = "SELECT database_name FROM duckdb_databases() WHERE NOT internal ORDER BY database_name"
        print(json.dumps([route, *(con.execute(query).fetchall() for con in opened)]))
        """
    )
    assert found == ["load", [["memory"]], [["memory"], ["rankdcg"]]]


@needs_duckdb_2
def test_printed_macros_are_called_by_their_names_alone() -> None:
    run = "RUN SELECT rank_macros()"
    *_, found, there = in_python(LOAD, STATEMENTS, run, CALL.format(""), CALL.format("rankdcg."))
    assert found == there != ""


def test_printed_macros_have_the_aggregates_before_duckdb_2() -> None:
    old_command_line()
    printed = in_command_line(LOAD, "SELECT rank_macros()")[1]
    rows = "(VALUES (3, 1), (2, 0), (1, 1), (NULL, 1)) AS t(score, rel)"
    call = f"SELECT round(ndcg_agg(score, rel, 2), 6) FROM {rows}"
    *_, found, refused, checked = in_command_line(
        *(LOAD, STATEMENTS, printed, call, CALL.format(""), "SELECT count(*) FROM rank_check(truth, rec)")
    )
    # 1 / (1 + 1 / log2(3)), as for the first list of tests/sql.
    assert found == "0.613147"
    assert "rank_evaluate: needs DuckDB 2.0 or later" in refused
    assert checked == "2"


# Releases of DuckDB 1


def renamed(folder: Path, version: str) -> Path:
    """Copy the command line of a DuckDB 1.5 in such a way that it calls itself another release."""
    old_command_line()
    known = in_command_line("SELECT version()")[0]
    # Beside Python is a script that starts the program.
    content = Path(str(importlib.util.find_spec("duckdb_cli").origin)).with_name("duckdb").read_bytes()
    assert len(version) == len(known)
    copy = folder / "duckdb"
    copy.write_bytes(content.replace(known.encode(), version.encode()))
    copy.chmod(0o755)
    return copy


@pytest.mark.parametrize("version", ["v1.5.9", "v1.6.0"])
def test_later_releases_of_duckdb_1_are_looked_at(version: str, tmp_path: Path) -> None:
    """A release that keeps the layout of v1.5 loads, whatever its number is."""
    program = renamed(tmp_path, version)
    if in_command_line("SELECT version()") < ["v1.5.6"]:
        pytest.skip("earlier releases offer nothing that makes a constant vector")
    # The field `b` is a constant NULL, whose kind the library reads.
    call = "SELECT sum(recall_at(x, [1])) FROM (SELECT [{'item': i, 'b': NULL}] AS x FROM range(3) AS t(i))"
    shown, loaded, *answers = in_command_line(
        "SELECT version()", LOAD, "SELECT ndcg([1], [1])", call, program=program
    )
    assert (shown, loaded) == (version, "")
    assert answers[0] == "1.0"


def test_earlier_releases_are_refused(tmp_path: Path) -> None:
    answers = in_command_line(LOAD, "SELECT ndcg([1], [1])", program=renamed(tmp_path, "v1.4.9"))
    assert "rankdcg: DuckDB v1.4.9 is not supported; releases from v1.5.0 on are" in answers[0]
    assert "does not exist" in answers[1]


def test_a_large_k_without_sign_is_a_whole_list() -> None:
    old_command_line()
    rows = "list({'score': s, 'rel': r, 'k': 9223372036854775808::UBIGINT})"
    call = f"SELECT rankdcg_sql_ndcg_agg({rows}) FROM (VALUES (2, 0), (1, 1)) AS t(s, r)"
    _, found = in_command_line(LOAD, call)
    # 1 / log2(3) of the one relevant item at rank 2.
    assert found == "0.6309297535714575"
