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
from rankdcg_sql import Function, _static
from rankdcg_sql.cli import main

README = Path(__file__).parents[1] / "README.md"
#: What the names of a function's forms end with.
SUFFIXES = {
    "rels": "_rels",
    "scored": "_scored",
    "agg": "_agg",
    "rows": "_rows",
    "by_user": "_by_user",
}


def tables() -> dict[str, str]:
    """Print the tables from the catalogue."""
    output = CliRunner().invoke(main, ["functions", "--output", "markdown"], catch_exceptions=False).output
    _, options = output.strip().split("\n\n")
    return {
        "functions": metrics(),
        "structs": structs(),
        "options": options,
        "conventions": conventions(),
    }


def table(columns: list[str], rows: list[list[str]]) -> str:
    """Print a table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [columns, ["---"] * len(columns), *rows])


def families() -> list[tuple[Function, list[str]]]:
    """List the functions, those that differ in their arguments alone once, with what the others end with."""
    found: dict[str, tuple[Function, list[str]]] = {}
    for function in rankdcg_sql.functions():
        suffix = SUFFIXES.get(function.shape, "")
        stem = function.name.removesuffix(suffix)
        if function.name == stem or stem not in found:
            found[function.name] = (function, [])
        else:
            found[stem][1].append(suffix)
    return list(found.values())


def metrics() -> str:
    """Print the table of functions that give a number."""
    rows = [
        [
            f"{each.name}({each.signature})",
            ", ".join(each.aliases),
            ", ".join(forms),
            each.formula,
            each.range,
            ", ".join(each.options),
            each.source,
        ]
        for each, forms in families()
        if each.output == "value"
    ]
    return table(["function", "aliases", "other forms", "formula", "range", "options", "source"], rows)


def structs() -> str:
    """Print the table of functions that give several numbers."""
    rows = [
        [
            f"{each.name}({each.signature})",
            ", ".join(forms),
            ", ".join(each.fields),
            each.summary if each.shape == "sample" else each.summary.partition(":")[0],
            ", ".join(each.options),
            each.source,
        ]
        for each, forms in families()
        if each.output != "value"
    ]
    return table(["function", "other forms", "fields", "what it is", "options", "source"], rows)


def conventions() -> str:
    """Print the table of conventions."""
    rows = []
    for convention in rankdcg_sql.conventions():
        options = [
            f"{each.option}={each.value}" + (f" ({', '.join(each.metrics)})" if each.metrics else "")
            for each in convention.options
        ]
        differs = "; ".join(convention.differs)
        rows.append([convention.name, convention.of, ", ".join(options) or "the defaults", differs])
    return table(["convention", "what it reproduces", "options", "differs where"], rows)


def with_tables(text: str) -> str:
    """Put the tables between their markers."""
    for name, text_of_table in tables().items():
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n{text_of_table}\n\n{end}{after}"
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


def test_promises_name_tests_that_there_are() -> None:
    root = README.parent
    text = (root / "docs" / "promises.md").read_text(encoding="utf-8")
    file, named = "", 0
    for path, test in re.findall(r"`(?:tests/)?(test_\w+\.py)?(?:::(test_\w+\*?))?`", text):
        file = path or file
        source = (root / "tests" / file).read_text(encoding="utf-8")
        assert not test or f"def {test.removesuffix('*')}" in source, (file, test)
        named += 1
    assert named > 30


def test_the_error_that_is_quoted() -> None:
    quoted = "ndcg: k must be at least 1, got 0"
    assert quoted in README.read_text()
    with pytest.raises(duckdb.InvalidInputException, match=quoted):
        rankdcg_sql.connect().execute("SELECT ndcg([1], [1], 0)")


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text()))
