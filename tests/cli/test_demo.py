"""The command `demo`: its tables, its numbers against the reference, and the published values."""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import duckdb
import pytest
from support import reference
from support.commands import results, run, tables
from support.hivemall_page import BINARY, GRADED

from rankdcg_sql import _static
from rankdcg_sql.cli import _demo

QUERIES = _demo.queries()
PAPER = [1, 0.975, 0.65, 0.325, 0.325, 0]  # the rankDCG column of the paper's Table 1


def demo(*args: str, users: int = 60, directory: str = "data", code: int = 0) -> str:
    """The output of the demonstration."""
    return run("demo", "--users", str(users), "--directory", directory, *args, code=code).output


def test_demo_tells_which_system_is_better_and_for_whom(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = demo(users=400)
    files, better, by_listener = tables(text)
    monkeypatch.chdir("data")
    ranked = "list(itemid ORDER BY score DESC)"
    lists = {"truth": "map(list(itemid), list(rel))", "popularity": ranked, "personalised": ranked}
    by_user = {
        name: dict(duckdb.sql(f"SELECT userid, {lists_of} FROM '{name}.parquet' GROUP BY 1").fetchall())
        for name, lists_of in lists.items()
    }
    counted = [(f"{name}.parquet", len(users)) for name, users in by_user.items()]
    assert [(name, int(count)) for name, _, count in files[1:]] == counted
    truth = by_user["truth"]
    listeners = dict(duckdb.sql("SELECT DISTINCT userid, listener FROM 'truth.parquet'").fetchall())

    @cache
    def value(system: str, function: str, user: int) -> float | None:
        return reference.evaluate(function, by_user[system].get(user), truth[user], 10)

    def mean(system: str, function: str, kind: str = "") -> Any:
        values = (value(system, function, user) for user in listeners if kind in ("", listeners[user]))
        return pytest.approx(fmean(value for value in values if value is not None), rel=0, abs=6e-5)

    assert better[0] == ["metric", "popularity", "personalised", "better by", "low", "high", "p"]
    assert [row[0] for row in better[1:]] == ["ndcg", "recall", "mrr"]
    for metric, *numbers, p_value in better[1:]:
        popularity, personalised, difference, low, high = map(float, numbers)
        function = "recall_at" if metric == "recall" else metric
        assert [popularity, personalised] == [mean("popularity", function), mean("personalised", function)]
        assert difference == pytest.approx(personalised - popularity, rel=0, abs=1.1e-4)
        assert 0 < low < difference < high
        assert p_value == "<0.0001"
    for kind, _, popularity, personalised in by_listener[1:]:
        expected = [mean("popularity", "ndcg", kind), mean("personalised", "ndcg", kind)]
        assert [float(popularity), float(personalised)] == expected
    assert {kind: int(count) for kind, count, *_ in by_listener[1:]} == Counter(listeners.values())
    assert {*listeners.values()} == {"new", "casual", "regular"}
    new = {user for user, kind in listeners.items() if kind == "new"}
    assert new == truth.keys() - by_user["personalised"].keys()

    assert "The tables are in data." in text
    assert f"Open this report in a browser: {Path('data') / 'report.html'}" in text
    page = Path("report.html").read_text(encoding="utf-8")
    assert "Which recommender is better?" in page
    # The table above has the same finding.
    assert "But it is worse at all 3 measures for listener=new (" in page
    assert "20 of 20 published values reproduced (from Hivemall's page and the rankDCG paper; " in text


def test_demo_fits_on_a_screen(here: Path, undrawn: None) -> None:
    lines = demo().splitlines()
    assert len(lines) < 60
    assert max(len(line) for line in lines if line.startswith("│")) <= 80


def test_demo_without_matplotlib_writes_no_report(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("matplotlib.figure", "rankdcg_sql.plots", "rankdcg_sql.report"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    text = demo()
    assert "its plots need Matplotlib: pip install 'rankdcg_sql[plots]'" in text
    assert "report.html" not in text
    assert {path.name for path in Path("data").iterdir()} == set(_demo.FILES) - {"report.html"}
    assert "20 of 20 published values reproduced" in text


def test_demo_leaves_its_files_among_the_temporary_ones(
    here: Path, undrawn: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = here / "temporary"
    there.mkdir()
    monkeypatch.setattr(_demo, "mkdtemp", lambda prefix: str(there))
    text = run("demo", "--users", "60").output
    assert str(there / "report.html") in text
    assert {path.name for path in there.iterdir()} == set(_demo.FILES)
    assert list(here.iterdir()) == [there]
    assert Path.cwd() == here


@pytest.mark.skipif(not _static.installed(), reason="the table macros need native aggregates")
@pytest.mark.parametrize("directory", ["data", "it's [mine]"])
def test_sql_of_the_demo_gives_the_numbers_of_the_demo(here: Path, undrawn: None, directory: str) -> None:
    text = demo(users=400, directory=directory)
    _, better, by_listener = tables(text)
    # The printed SQL runs in the folder in which the command ran.
    printed_sql = text.partition("The same in SQL:")[2].partition("The tables are in")[0]
    compared, by_kind = results("-c", printed_sql)
    assert better[1:] == [
        [row["metric"], *(f"{row[name]:.4f}" for name in ("baseline", "mean", "difference", "low", "high")),
         "<0.0001"]
        for row in compared
    ]  # fmt: skip
    assert by_listener[1:] == [
        [row["listener"], str(row["users"]), f"{row['popularity']:.4f}", f"{row['personalised']:.4f}"]
        for row in by_kind
    ]


def test_demo_shows_published_values(here: Path, undrawn: None) -> None:
    *_, published = tables(demo("--verbose"))
    assert published[0] == ["source", "value of", "computed", "published", ""]
    for _, _, value, expected, mark in published[1:]:
        assert mark == "✓"
        assert float(value) == pytest.approx(float(expected), rel=0, abs=1e-9)
    binary, graded, paper = (
        [(name, float(expected)) for source, name, _, expected, _ in published if source.startswith(start)]
        for start in ("Hivemall's page, binary", "Hivemall's page, graded", "rankDCG paper")
    )
    assert dict(binary) == BINARY
    assert [expected for _, expected in graded] == GRADED
    assert [expected for _, expected in paper] == PAPER


def test_demo_overwrites_nothing(here: Path, undrawn: None) -> None:
    for name in _demo.FILES:
        (here / name).write_text("mine")
        assert f"{name} is there already" in demo(directory=".", code=1)
        assert [(path.name, path.read_text()) for path in here.iterdir()] == [(name, "mine")]
        (here / name).unlink()


def test_demo_fails_where_a_value_differs(here: Path, undrawn: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_demo._BINARY, "mrr", 1 + 2e-9)
    text = demo("--verbose", code=1)
    assert [row[1] for table in tables(text) for row in table if row[-1] == "✗"] == ["mrr"]
    assert "19 of 20 published values reproduced" in text
    assert "A computed value differs from the published one." in text


def test_demo_data_depend_on_the_seed_alone(here: Path, undrawn: None) -> None:
    script = (QUERIES / "demo" / "generate.sql").read_text(encoding="utf-8")
    made = {}
    for name, seed, threads in (("a", 1, 1), ("b", 1, 4), ("c", 2, 1)):
        run("sql", "--set", f"seed={seed}", "--set", "users=700", "-c", f"SET threads = {threads}; {script}")
        con = duckdb.connect()
        made[name] = [con.execute(f"FROM '{file}'").fetchall() for file in _demo.FILES[:3]]
    assert made["a"] == made["b"]
    assert made["a"] != made["c"]
    _demo._invent(700, 2)
    assert made["c"] == [con.execute(f"FROM '{file}'").fetchall() for file in _demo.FILES[:3]]


def test_demo_data_are_skewed_and_of_a_realistic_size(here: Path, undrawn: None) -> None:
    run("sql", QUERIES / "demo" / "generate.sql")
    ((users, items, size), (share,)) = (
        duckdb.connect().execute(query).fetchall()[0]
        for query in (
            "SELECT count(DISTINCT userid), count(DISTINCT itemid), count(*) FROM 'truth.parquet'",
            """
            SELECT sum(n) FILTER (place <= 200) / sum(n)
            FROM (
                SELECT count(*) AS n, row_number() OVER (ORDER BY count(*) DESC) AS place
                FROM 'truth.parquet' GROUP BY itemid
            )
            """,
        )
    )
    assert users > 4500
    assert items > 1500
    assert size > 30_000
    assert share > 1 / 3  # a tenth of the items
