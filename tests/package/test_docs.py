"""The README and the pages in docs: their tables are those of the catalogue, and their examples give the
results that they show.
"""

from __future__ import annotations

import doctest
import re
from importlib.util import find_spec
from math import log2, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest
from click.testing import CliRunner
from conftest import needs_duckdb_2
from support.paths import MIGRATION, PAGES, README, ROOT
from support.skipping import skip_unless_ci

import rankdcg_sql
from rankdcg_sql import _static
from rankdcg_sql._output import fetch, render
from rankdcg_sql.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Functions whose results are those of other pages, lists of items, or follow from no sum.
NOT_IN_NUMBERS = {
    "anytime_mean_ci", "bootstrap_ci", "paired_t_test_power", "rank_evaluation", "rank_explain",
    "rank_measures", "rank_metrics", "rank_metrics_at", "rank_similarity",
}  # fmt: skip


@pytest.mark.parametrize(
    "function",
    {each.base: each for each in rankdcg_sql.functions()[::-1]}.values(),
    ids=lambda each: each.base,
)
def test_a_function_is_computed_in_numbers(
    native: duckdb.DuckDBPyConnection, function: rankdcg_sql.Function
) -> None:
    """The terms on a page add up to what they show, and to the result of the first example."""
    page = (ROOT / "docs" / "functions" / f"{function.base}.md").read_text("utf-8")
    terms = re.findall(r"^- `(\w+) = (.*) = ([\d.-]+)`$", page, re.MULTILINE)
    values: dict[str, float] = {}
    for name, term, shown in terms:
        values[name] = eval(term.replace("^", "**"), {"log2": log2, "sqrt": sqrt}, values)
        assert float(shown) == pytest.approx(values[name], rel=1e-5)
    if function.base in NOT_IN_NUMBERS or function.output == "items":
        assert not terms
        return
    if not _static.installed() and function.is_aggregate:
        pytest.skip("aggregates are native from DuckDB 2.0 on")
    ((found,),) = native.execute(function.examples.sql).fetchall()
    if isinstance(found, list):
        name = "value" if function.form in ("items", "users") else "p"
        found = {f"{name}_{place}": each for place, each in enumerate(found, 1) if each is not None}
        assert {*found} == {*values}
    expected = found if isinstance(found, dict) else {function.base: found}
    assert {*values} & {*expected}
    # Student's t is written with 7 digits.
    precision = 1e-12 if function.output == "value" else 1e-6
    for name in {*values} & {*expected}:
        assert values[name] == pytest.approx(expected[name], rel=precision), name


@pytest.fixture(scope="module")
def songs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables of ``rankdcg-sql demo --directory songs``, which pages begin with."""
    folder = tmp_path_factory.mktemp("pages")
    command = ["demo", "--directory", str(folder / "songs")]
    done = CliRunner().invoke(main, command, catch_exceptions=False)
    assert done.exit_code == 0
    return folder


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@needs_duckdb_2
@pytest.mark.parametrize(
    "page", [page for page in PAGES if page not in MIGRATION and ">>> " in page.read_text("utf-8")], ids=named
)
def test_python_examples(page: Path, songs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page.stem == "ibis" and find_spec("ibis") is None:
        skip_unless_ci("needs Ibis: pip install 'rankdcg_sql[test]'")
    monkeypatch.chdir(songs)
    failed, attempted = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert attempted > 0
    assert failed == 0


#: A block of SQL, or a table that follows one.
BLOCK = re.compile(r"^```(sql|text)\n(.*?)^```", re.DOTALL | re.MULTILINE)
#: A statement of SQL, and the answer in the comment after it, if there is one.
STATEMENT = re.compile(r"(.+?);(?:  -- ([^\n]*))?\n", re.DOTALL)


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database for the statements of pages, none of which is committed."""
    with rankdcg_sql.connect() as opened:
        yield opened


@pytest.fixture
def con(database: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a connection on which nothing that a page creates outlives its test."""
    database.begin()
    yield database
    database.rollback()


@needs_duckdb_2
@pytest.mark.parametrize("page", [page for page in PAGES if "```sql\n" in page.read_text("utf-8")], ids=named)
def test_sql_examples(con: duckdb.DuckDBPyConnection, page: Path) -> None:
    """The answers in comments, and the tables below blocks of SQL, are those that the SQL gives."""
    text = page.read_text("utf-8")
    answers, tables, last = 0, 0, ""
    for kind, block in BLOCK.findall(text):
        for statement, answer in STATEMENT.findall(block) if kind == "sql" else ():
            rows = con.execute(statement).fetchall()
            assert answer in ("", ", ".join(str(value) for row in rows for value in row)), statement
            answers, last = answers + bool(answer), statement
        if kind == "text" and last:
            assert block == render(fetch(con.sql(last)), "table") + "\n"
            tables, last = tables + 1, ""
    assert bool(tables) == ("```\n\n```text\n" in text)
    assert answers + tables > 0


def test_many_sql_examples_show_their_answer() -> None:
    assert sum(len(re.findall(r";  -- [^\n]*\n", page.read_text("utf-8"))) for page in PAGES) > 20


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        file, _, heading = link.partition("#")
        if file.startswith("https://"):
            continue
        target = page.parent / file if file else page
        assert target.exists(), link
        assert not heading or heading in headings(target), link


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    titles = re.findall(r"^#+ (.*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_readme_is_short() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.encode()) < 12_000
    assert text.count("\n") < 200


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
    assert quoted in (ROOT / "docs" / "connections.md").read_text(encoding="utf-8")
    with pytest.raises(duckdb.InvalidInputException, match=quoted):
        rankdcg_sql.connect().execute("SELECT ndcg([1], [1], 0)")
