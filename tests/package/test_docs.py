"""The README: its tables are those of the catalogue, and its examples give the results that it shows."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys

import duckdb
import pytest
from support.paths import README, ROOT

import rankdcg_sql
from rankdcg_sql import _static


def test_tables_are_those_of_the_catalogue() -> None:
    command = [sys.executable, str(ROOT / "tools" / "generate_docs.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not _static.installed(), reason="the README shows DuckDB 2.0")
def test_python_examples() -> None:
    failed, attempted = doctest.testfile(str(README), module_relative=False)
    assert attempted > 0
    assert failed == 0


def statements() -> list[tuple[str, str]]:
    """List each SQL statement with the answer in the comment after it; an empty text if there is none."""
    blocks = re.findall(r"^```sql\n(.*?)^```", README.read_text(), re.DOTALL | re.MULTILINE)
    return [pair for block in blocks for pair in re.findall(r"(.+?);(?:  -- ([^\n]*))?\n", block, re.DOTALL)]


@pytest.mark.skipif(not _static.installed(), reason="aggregates are native from DuckDB 2.0 on")
def test_sql_examples() -> None:
    con = rankdcg_sql.connect()
    answers = 0
    for statement, answer in statements():
        rows = con.execute(statement).fetchall()
        if answer:
            assert [str(value) for row in rows for value in row] == [answer], statement
            answers += 1
    assert answers > 5


def test_promises_name_tests_that_exist() -> None:
    text = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
    file, named = "", 0
    for path, test in re.findall(r"`(?:tests/)?((?:\w+/)*test_\w+\.py)?(?:::(test_\w+\*?))?`", text):
        file = path or file
        source = (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert not test or f"def {test.removesuffix('*')}" in source, (file, test)
        named += 1
    assert named > 30


def test_the_error_that_is_quoted() -> None:
    quoted = "ndcg: k must be at least 1, got 0"
    assert quoted in README.read_text()
    with pytest.raises(duckdb.InvalidInputException, match=quoted):
        rankdcg_sql.connect().execute("SELECT ndcg([1], [1], 0)")
