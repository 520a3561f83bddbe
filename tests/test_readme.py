"""The README: its tables are those of the catalogue, its examples run and give what they say.

``python tests/test_readme.py`` prints the tables into the README anew.
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

import rankdcg_sql
from rankdcg_sql import _static
from rankdcg_sql.cli import main

README = Path(__file__).parents[1] / "README.md"
SECTIONS = ["functions", "options", "conventions"]


def tables() -> dict[str, str]:
    """Print the tables from the catalogue."""
    output = CliRunner().invoke(main, ["functions", "--output", "markdown"], catch_exceptions=False).output
    return dict(zip(SECTIONS, [*output.strip().split("\n\n"), conventions()], strict=True))


def conventions() -> str:
    """Print the table of conventions."""
    lines = ["| convention | what it reproduces | options |", "| --- | --- | --- |"]
    for convention in rankdcg_sql.conventions():
        options = [
            f"{each.option}={each.value}" + (f" ({', '.join(each.metrics)})" if each.metrics else "")
            for each in convention.options
        ]
        lines.append(f"| {convention.name} | {convention.of} | {', '.join(options) or 'the defaults'} |")
    return "\n".join(lines)


def with_tables(text: str) -> str:
    """Put the tables between their markers."""
    for name, table in tables().items():
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n{table}\n\n{end}{after}"
    return text


def test_tables_are_those_of_the_catalogue() -> None:
    text = README.read_text()
    assert text == with_tables(text), "run `make docs`"


@pytest.mark.skipif(not _static.installed(), reason="the README shows DuckDB 2.0")
def test_python_examples() -> None:
    failed, attempted = doctest.testfile(str(README), module_relative=False)
    assert attempted > 0
    assert failed == 0


def statements() -> list[tuple[str, str]]:
    """List each SQL statement with the answer in the comment behind it, or nothing."""
    blocks = re.findall(r"^```sql\n(.*?)^```", README.read_text(), re.DOTALL | re.MULTILINE)
    return [pair for block in blocks for pair in re.findall(r"(.+?);(?:  -- ([^\n]*))?\n", block, re.DOTALL)]


def test_sql_examples() -> None:
    con = rankdcg_sql.connect()
    answers = 0
    for statement, answer in statements():
        rows = con.execute(statement).fetchall()
        if answer:
            assert [str(value) for row in rows for value in row] == [answer], statement
            answers += 1
    assert answers > 5


def test_the_error_that_is_quoted() -> None:
    quoted = "ndcg: k must be at least 1, got 0"
    assert quoted in README.read_text()
    with pytest.raises(duckdb.InvalidInputException, match=quoted):
        rankdcg_sql.connect().execute("SELECT ndcg([1], [1], 0)")


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text()))
