"""The plugin for dbt-duckdb and the dbt package, by the project of `examples/dbt` and one with many tests.

`make test-dbt` runs this file with the newest DuckDB and with DuckDB 1.5.0.
"""

from __future__ import annotations

import doctest
import importlib
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from conftest import needs_duckdb_2
from support.paths import ROOT
from support.process import PACKAGE
from support.skipping import skip_unless_ci

import rankdcg_sql
from rankdcg_sql import _static

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    #: Runs dbt with these arguments in a folder, and returns its exit code and its output.
    Dbt = Callable[..., tuple[int, str]]

EXAMPLE = ROOT / "examples" / "dbt"
BAD = ["--vars", "candidate: bad"]


@pytest.fixture(scope="module")
def dbt() -> Dbt:
    """Runs dbt in this process, which imports it once. `test_good_data_...` runs its command, too."""
    try:
        module = importlib.import_module("rankdcg_sql.dbt")
    except ImportError as error:
        skip_unless_ci(f"dbt-duckdb is not installed: {error}")
    runner = importlib.import_module("dbt.cli.main").dbtRunner()
    connections = importlib.import_module("dbt.adapters.duckdb.connections").DuckDBConnectionManager

    def run(folder: Path, *arguments: str) -> tuple[int, str]:
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as output:
            patch.chdir(folder)
            patch.setenv("RANKDCG_SQL_DBT", module.package_path())
            done = runner.invoke(["--no-use-colors", *arguments])
        connections.close_all_connections()
        return 0 if done.success else 1, output.getvalue()

    return run


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, dbt: Dbt) -> Path:
    """A copy of the example, without what dbt wrote there, and with the dbt package, which dbt has read."""
    folder = tmp_path_factory.mktemp("dbt") / "project"
    written = [line.strip("/") for line in (EXAMPLE / ".gitignore").read_text().splitlines()]
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(*written))
    for command in ("deps", "parse"):
        code, output = dbt(folder, command)
        assert code == 0, output
    return folder


@pytest.fixture
def project(tmp_path: Path, installed: Path) -> Path:
    return shutil.copytree(installed, tmp_path / "project", symlinks=True)


def rows(folder: Path, query: str) -> list[Any]:
    """The rows of a query on the database that dbt wrote."""
    with duckdb.connect(str(folder / "songs.duckdb"), read_only=True) as con:
        return con.execute(query).fetchall()


def write(folder: Path, tables: Mapping[str, str], tests: Mapping[str, list[Any]]) -> None:
    """Replace the models of a project by tests of tables, which the queries make."""
    for path in (*folder.glob("models/*"), *folder.glob("snapshots/*")):
        path.unlink()
    with duckdb.connect(str(folder / "songs.duckdb")) as con:
        for name, query in tables.items():
            con.execute(f'CREATE TABLE "{name}" AS {query}')
    listed = [{"name": name, "data_tests": tests.get(name, [])} for name in tables]
    sources = {"sources": [{"name": "main", "tables": listed}]}
    written = json.dumps(sources).replace(" NaN", " .nan").replace(" Infinity", " .inf")
    (folder / "models" / "sources.yml").write_text(written)  # which is YAML


def test_examples_of_the_module_run(dbt: Dbt) -> None:
    failed, attempted = doctest.testmod(importlib.import_module("rankdcg_sql.dbt"))
    assert (failed, attempted > 0) == (0, True)


@needs_duckdb_2
def test_good_data_are_green_and_bad_data_red_with_the_users(project: Path, dbt: Dbt) -> None:
    command = [str(Path(sys.executable).with_name("dbt")), "build"]
    environment = os.environ | {"PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout
    assert "PASS=11 WARN=0 ERROR=0 SKIP=0" in done.stdout
    hits = [(userid, k, 1.0) for userid in range(200) for k in (1, 10)]
    assert rows(project, "SELECT userid, k, ndcg FROM metrics_by_user ORDER BY ALL") == hits
    # In the system in use, 160 of 200 listeners have their song in the second place.
    differences = dict(rows(project, "SELECT metric, baseline FROM differences"))
    assert differences == pytest.approx({"ndcg": 0.8 / math.log2(3), "recall": 0.8})
    # The song is one of two recommended ones, or the two systems have nothing in common.
    overlaps = rows(project, "SELECT overlap, count(*) FROM similarity GROUP BY ALL ORDER BY ALL")
    assert overlaps == [(0.0, 40), (0.5, 160)]
    history = "SELECT mean, dbt_valid_to IS NULL FROM means WHERE metric = 'recall' ORDER BY dbt_valid_from"
    assert rows(project, history) == [(1.0, True)]

    code, output = dbt(project, "build", *BAD)
    assert code == 1, output
    assert "FAIL 100 candidate_ndcg" in output
    assert "FAIL 80 candidate_recall" in output
    audit = "SELECT userid, value, baseline_value, outcome, n, mean, bound FROM main_dbt_test__audit"
    # The songs of every other listener are missing. Every fifth one had none before, either.
    odd = range(1, 200, 2)
    assert rows(project, f"{audit}.candidate_ndcg") == [
        (userid, 0.0, None, "failed", 200, 0.5, pytest.approx(0.7)) for userid in odd
    ]
    assert rows(project, f"{audit}.candidate_recall") == [
        (userid, 0.0, 1.0, "failed", 200, 0.5, pytest.approx(0.8 * 0.98)) for userid in odd if userid % 5
    ]
    assert "main.means" in re.findall(r"SKIP relation (\S+)", output)
    code, output = dbt(project, "snapshot", *BAD)
    assert code == 0, output
    assert rows(project, history) == [(1.0, False), (0.5, True)]


TRUTH = "source('main', 'truth')"
#: Tables of recommendations: the chance of a judged item at each of five places, and the share of users.
SYSTEMS = {"served": (0.3, 1), "better": (0.5, 1), "near": (0.29, 1), "worse": (0.15, 1), "few": (0.35, 0.7)}
#: Requirements, with the options of `evaluate` that differ from `OPTIONS`, and the table that must meet them.
REQUIREMENTS: list[tuple[str, str, dict[str, Any]]] = [
    *(("served", f"ndcg@3 >= {least}", {}) for least in (0, 0.1, 0.3, 0.315, 0.33, 0.35, 0.37, 0.5, 1, 1.2)),
    ("served", "recall@all >= 0.3", {}),
    ("better", "mrr@5 >= 0.45", {"confidence": 0.8}),
    ("better", "ndcg@5 >= 0.3", {"gain": "linear", "users": "both"}),
    ("few", "ndcg@5 >= 0.35", {}),
    ("few", "ndcg@5 >= 0.35", {"users": "both"}),
    ("few", "ndcg@5 >= 0.35", {"convention": "trec_eval"}),
    *(("near", f"ndcg@3 not worse by {by}", {}) for by in (0.001, 0.02, 0.05, 0.1, 0.9, "1%", "7%", "30%")),
    *(("worse", f"recall@5 not worse by {by}", {}) for by in (0.02, 0.1, 0.2, "10%", "70%")),
    ("served", "ndcg@3 >= 0.33", {"confidence": 0.9998}),
    ("better", "hit_rate@1 not worse by 1%", {"confidence": 0.99}),
    ("few", "hit_rate@1 not worse by 1%", {"users": "both"}),
    ("same", "ndcg@all not worse by 0.001", {}),
]
OPTIONS = {"rel": "rating", "item": "song", "user": "listener"}


def tables_of_chance() -> dict[str, str]:
    """Queries for truth with ratings, and for the recommendations of each system, with users as texts."""
    chance = random.Random(7)
    truth, recs = [], {name: [] for name in SYSTEMS}
    for user in range(150):
        judged = chance.sample(range(40), chance.randint(1, 6))
        truth += [(f"u{user}", song, chance.randint(1, 5)) for song in judged]
        for name, (hits, share) in SYSTEMS.items():
            songs = [chance.choice(judged) if chance.random() < hits else 40 + place for place in range(5)]
            if chance.random() < share:
                recs[name] += [(f"u{user}", song, place) for place, song in enumerate(dict.fromkeys(songs))]
    return {
        "truth": f"FROM (VALUES {str(truth)[1:-1]}) AS t(listener, song, rating)",
        **{name: f"FROM (VALUES {str(rec)[1:-1]}) AS r(listener, song, score)" for name, rec in recs.items()},
        "same": "FROM served",
    }


def as_test(name: str, requirement: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """A requirement as a generic test."""
    measure, words, number = re.fullmatch(r"(\S+) (>=|not worse by) (\S+)", requirement).groups()
    given = {"truth": TRUTH, "metric": measure, **OPTIONS}
    for option, value in options.items():
        given |= {"options": f"{option}={value}"} if option in ("gain", "convention") else {option: value}
    if words == ">=":
        test, own = "at_least", {"at_least": float(number)}
    else:
        margin = number if number.endswith("%") else float(number)
        test, own = "not_worse_than", {"baseline": "source('main', 'served')", "margin": margin}
    return {f"rankdcg_sql.rank_metric_{test}": {"name": name, "arguments": given | own}}


@needs_duckdb_2
@pytest.mark.filterwarnings("ignore::rankdcg_sql.DataWarning")
def test_verdicts_are_those_of_require(project: Path, dbt: Dbt) -> None:
    """Each requirement is a test of dbt, on eight threads, and has the outcome and p-value of Python."""
    tests: dict[str, list[Any]] = {}
    for place, (table, requirement, options) in enumerate(REQUIREMENTS):
        tests.setdefault(table, []).append(as_test(f"test_{place}", requirement, options))
    write(project, tables_of_chance(), tests)
    code, output = dbt(project, "test", "--threads", "8")
    assert code == 1
    assert "ERROR" not in re.sub(r"ERROR=\d+", "", output), output
    con = rankdcg_sql.connect(project / "songs.duckdb", read_only=True)
    outcomes = []
    for place, (table, requirement, options) in enumerate(REQUIREMENTS):
        measure = requirement.split()[0]
        given: dict[str, Any] = {"metrics": measure, "con": con, **OPTIONS, **options}
        if " not worse " in requirement:
            recs = {"served": "served", table: table}
            result: Any = rankdcg_sql.compare("truth", recs, baseline="served", **given)
            requirement = f"{table}: {requirement}"
        else:
            result = rankdcg_sql.evaluate("truth", table, **given)
        try:
            (expected,) = result.require(requirement)
        except rankdcg_sql.RequirementError as error:
            (expected,) = error.requirements
        columns = "outcome, n, mean, baseline, p_value, list(value - coalesce(baseline_value, bound))"
        found = con.execute(
            f"SELECT {columns} FROM main_dbt_test__audit.test_{place} GROUP BY ALL"
        ).fetchall()
        outcomes.append(expected.outcome)
        if expected.outcome == "passed":
            assert found == [], requirement
            continue
        ((*row, differences),) = found
        assert row == [
            expected.outcome,
            expected.n,
            *map(near, (expected.mean, expected.baseline, expected.p_value)),
        ], requirement
        # The users who count against it, the worst first.
        assert differences == sorted(differences)
        assert differences[-1] < 0
    con.close()
    assert {outcome: outcomes.count(outcome) >= 5 for outcome in outcomes} == {
        "passed": True,
        "failed": True,
        "inconclusive": True,
    }


def near(number: float | None) -> Any:
    return number if number is None else pytest.approx(number, rel=1e-9, abs=1e-12)


#: Tests with arguments that do not pass: the table, the test, its arguments, and a part of the error.
EMPTY = f"(select * from {{{{ {TRUTH} }}}} where false)"
AT_LEAST = {"truth": TRUTH, "metric": "recall@1", "at_least": 0.4}
NOT_WORSE = {"truth": TRUTH, "baseline": "source('main', 'rec')", "metric": "recall", "margin": 1}
WRONG: list[tuple[str, str, dict[str, Any], str]] = [
    ("rec", "at_least", {**AT_LEAST, "at_least": "much"}, 'at_least must be a finite number, got "much"'),
    ("rec", "at_least", {"truth": TRUTH, "metric": "recall"}, "must be a finite number, got nothing"),
    ("rec", "at_least", {**AT_LEAST, "at_least": math.nan}, "at_least must be a finite number, got NaN"),
    ("rec", "at_least", {**AT_LEAST, "at_least": True}, "at_least must be a finite number, got true"),
    ("rec", "at_least", {**AT_LEAST, "truth": None}, "truth must be a table, such as ref('truth'), got null"),
    ("rec", "at_least", {**AT_LEAST, "truth": EMPTY}, "no user has a value of recall@1"),
    ("rec", "at_least", {**AT_LEAST, "metric": "recall@ten"}, 'got "recall@ten"'),
    ("rec", "at_least", {**AT_LEAST, "metric": "recall@²"}, "metric must be a metric and its cutoff"),
    ("rec", "at_least", {**AT_LEAST, "k": 5}, "k must be part of metric, as in ndcg@10, got 5"),
    ("rec", "at_least", {**AT_LEAST, "column_name": "userid"}, 'a test of a model, got "userid"'),
    ("rec", "at_least", {**AT_LEAST, "ks": [5]}, "ks must be part of metric, as in ndcg@10, got [5]"),
    ("rec", "at_least", {**AT_LEAST, "metric": "recall@0"}, "k must be at least 1, got 0"),
    ("rec", "at_least", {**AT_LEAST, "metric": "ndgc@1"}, "there is no metric 'ndgc': did you mean ndcg"),
    ("rec", "at_least", {**AT_LEAST, "confidence": 0.5}, "must be a number above 0.5 and below 1, got 0.5"),
    ("rec", "at_least", {**AT_LEAST, "inconclusive": "warn"}, "must be 'fail' or 'pass', got \"warn\""),
    ("rec", "at_least", {**AT_LEAST, "users": "all"}, "users must be one of truth, both, got all"),
    ("rec", "at_least", {**AT_LEAST, "rel": "stars"}, "rel must name one of userid, itemid"),
    ("rec", "at_least", {**AT_LEAST, "cutoff": 5}, "does not support the supplied arguments"),
    ("others", "at_least", AT_LEAST, "no user of rec is one of truth"),
    ("rec", "not_worse_than", {**NOT_WORSE, "margin": 0}, "margin must be a finite number above 0, or"),
    *(
        ("rec", "not_worse_than", {**NOT_WORSE, "margin": margin}, f"such as '1%', got {json.dumps(margin)}")
        for margin in ("100%", "one", "0.5", math.inf, True)
    ),
    ("rec", "not_worse_than", {"truth": TRUTH, "metric": "recall", "margin": 1}, "baseline must be a table"),
    ("rec", "not_worse_than", {**NOT_WORSE, "baseline": "source('main', 'others')"}, "no user of baseline"),
]
SMALL = {
    "truth": "FROM (VALUES (1, 'a'), (2, 'b')) AS t(userid, itemid)",
    "rec": "FROM (VALUES (1, 'a', 1), (1, 'a', 2), (2, 'A', 1), (2, 'a', 1), (NULL, 'a', 1), (NULL, 'a', 1)) "
    "AS r(userid, itemid, score)",
    "others": "FROM (VALUES (3, 'a', 1)) AS r(userid, itemid, score)",
    "user": "FROM rec",
}


@needs_duckdb_2
def test_wrong_arguments_are_errors_of_the_test_that_has_them(project: Path, dbt: Dbt) -> None:
    """A test with `where`, and one of a table whose name is a value of SQL, run beside them."""
    tests: dict[str, list[Any]] = {}
    for place, (table, test, arguments, _) in enumerate(WRONG):
        given = {"name": f"wrong_{place}", "arguments": arguments}
        tests.setdefault(table, []).append({f"rankdcg_sql.rank_metric_{test}": given})
    lenient = {**AT_LEAST, "inconclusive": "pass"}
    few = {"name": "few", "arguments": lenient, "config": {"where": "userid = 1"}}
    odd = {"name": "odd", "arguments": AT_LEAST, "config": {"severity": "warn"}}
    tests["rec"].append({"rankdcg_sql.rank_metric_at_least": few})
    tests["user"] = [{"rankdcg_sql.rank_metric_at_least": odd}]
    write(project, SMALL, tests)
    code, output = dbt(project, "test")
    assert code == 1
    for place, (*_, part) in enumerate(WRONG):
        error = re.search(rf" in test wrong_{place} .*?\n\S* *\n", output, re.DOTALL)
        assert part in (error.group() if error else ""), (part, output)
    assert "PASS few" in output
    assert "WARN 1 odd" in output


def test_models_of_every_kind_have_the_functions(project: Path, dbt: Dbt) -> None:
    """Before DuckDB 2.0, too, where aggregates are macros."""
    test = {"rankdcg_sql.one_row_per_user_and_item": {"name": "repeats", "config": {"severity": "warn"}}}
    write(project, SMALL, {"rec": [test]})
    models = {
        "given.sql": "{{ config(materialized='ephemeral') }} SELECT * FROM {{ source('main', 'rec') }} "
        "WHERE score = 1",
        "findings.sql": "FROM {{ rankdcg_sql.rank_check(source('files', 'truth'), ref('given')) }}",
        "values.sql": "SELECT userid, recall_rows(itemid, score, if(itemid = 'a', 1, 0), 1) AS recall "
        "FROM {{ ref('given') }} WHERE userid IS NOT NULL GROUP BY userid",
        "lists.py": 'def model(dbt, session):\n    return session.sql("SELECT hit_rate([1], [2]) AS value")',
    }
    for name, text in models.items():
        (project / "models" / name).write_text(text)
    (project / "truth.csv").write_text("userid,itemid\n1,a\n2,b\n")
    external = {"name": "truth", "config": {"meta": {"external_location": "read_csv(['truth.csv'])"}}}
    files = {"sources": [{"name": "files", "tables": [external]}]}
    (project / "models" / "files.yml").write_text(json.dumps(files))
    code, output = dbt(project, "build")
    assert code == 0, output
    assert rows(project, "FROM main_dbt_test__audit.repeats") == [(1, "a", 2)]
    assert sorted(rows(project, "SELECT source, problem, found FROM findings")) == [
        ("rec", "item without a row in truth", 1),
        ("rec", "user is NULL", 2),
        ("truth", "item without a row in rec", 1),
    ]
    # Two items of the second user have the same score.
    assert rows(project, 'FROM "values" ORDER BY userid') == [(1, 1.0), (2, 0.5)]
    assert rows(project, "FROM lists") == [(0.0,)]


def test_an_error_says_what_tests_of_metrics_need(project: Path, dbt: Dbt) -> None:
    """They need DuckDB 2.0, and the plugin, which the profile here lacks if DuckDB is new."""
    if _static.installed():
        profile = project / "profiles.yml"
        profile.write_text(profile.read_text().partition("      plugins:")[0])
    code, output = dbt(project, "build")
    assert code == 1
    assert (
        f"rank_metric_at_least: rank_evaluate is not there. It needs DuckDB 2.0 or later, got "
        f"v{duckdb.__version__}, and the plugin rankdcg_sql.dbt in profiles.yml"
    ) in output
