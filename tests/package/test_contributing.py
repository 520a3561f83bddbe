"""The recipes that CONTRIBUTING.md lists: their counts, and a metric that is added by the letter."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from support.paths import ROOT
from support.process import PACKAGE
from support.skipping import skip_unless_ci

import rankdcg_sql
from rankdcg_sql import _static

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
#: The files of a checkout that are no sources.
IGNORED = ("target", "__pycache__", ".*", "*.duckdb_extension", "*.new", "mutants.out*", "dist", "build")
#: The directory of cargo. `cargo test` has compiled the crates of others there, if without debug information.
TARGET = ROOT / "native" / "target"
#: The copy, which stays between runs.
COPY = TARGET / "recipe"
#: The first bytes of what the build appends to the library.
FOOTER = b"\x00\x93\x04\x10duckdb_signature"

NAME = "fowlkes_mallows"
METRIC = """\
//! Fowlkes-Mallows: the geometric mean of precision and recall.

use super::metric::{Metric, Outcome};
use crate::needs::Needs;
use crate::options::Options;
use crate::ranking::as_f64;
use crate::ranking::view::RankingAtK;

pub static METRIC: Metric = Metric {
    name: "fowlkes_mallows",
    paper_name: "First",
    summary: "geometric mean of precision and recall",
    formula: "hits / sqrt(min(k, retrieved) * relevant)",
    latex: r"\\frac{1}{\\sqrt{\\min(k, n) \\, R}} \\sum_{i=1}^{k} h_i",
    source: "Fowlkes and Mallows, A Method for Comparing Two Hierarchical Clusterings, JASA 1983",
    needs: Needs::Hits,
    options: &["min_rel", "no_relevant", "empty_rec", "duplicates"],
    kernel,
    ..Metric::USUAL
};

fn kernel(ranking: &RankingAtK, _: &Options) -> Outcome {
    let product = as_f64(ranking.depth()) * as_f64(ranking.relevant());
    Outcome::Value(ranking.hit_count() / product.sqrt())
}
"""
FORMULA = """\
def _fowlkes_mallows(top: _Top) -> float:
    return sum(top.hits) / math.sqrt(len(top.hits) * top.relevant)


"""
#: The files that the recipe edits, with each text to replace and its replacement.
EDITS: dict[str, list[tuple[str, str]]] = {
    "native/core/src/metrics/mod.rs": [
        ("pub mod hit_rate;\n", f"pub mod {NAME};\npub mod hit_rate;\n"),
        ("    &precision::METRIC,\n", f"    &{NAME}::METRIC,\n    &precision::METRIC,\n"),
    ],
    "tests/support/reference.py": [
        ("FORMULAS: dict[", FORMULA + "FORMULAS: dict["),
        ('    "rbp": _rbp,\n', f'    "{NAME}": _{NAME},\n    "rbp": _rbp,\n'),
        ('    "mrr": _BINARY,\n', f'    "{NAME}": _BINARY,\n    "mrr": _BINARY,\n'),
    ],
}

#: A test of the metric for the copy. 1 of 4 relevant items is retrieved, at rank 1 of 4: 1 / sqrt(1 * 4) at
#: k=1, and 1 / sqrt(4 * 4) at k=4. One of two tied items is relevant, so k=1 shows it in half of the orders.
TEST = "tests/test_new_metric.py"
TEST_TEXT = f'''\
from pathlib import Path

import polars as pl
import pytest
from support.engines import Row
from support.reference import evaluate

import rankdcg_sql

NAME, SCORED = "{NAME}", "{NAME}_scored"
LISTS, TIED = ([2, 1, 3, 4], [2, 7, 8, 9]), ([2, 2, 1, 0, None, None, None], [0, 1, 0, 0, 1, 1, 1])

@pytest.mark.parametrize(
    ("function", "kind", "lists", "k", "expected"),
    [(NAME, "ids", LISTS, 1, 0.5), (NAME, "ids", LISTS, 4, 0.25), (SCORED, "scored", TIED, 1, 0.25)],
)
def test_every_engine(any_engine, function, kind, lists, k, expected):
    if any_engine.forms(kind) and any_engine.supports(function, kind, Row(lists, k)):
        assert any_engine.one(function, kind, lists, k) == expected

def test_other_ways():
    assert Path(rankdcg_sql.__file__).parents[1] == Path(__file__).parents[1]
    frame = pl.DataFrame(dict(zip(("rec", "truth"), [[each] for each in LISTS])))
    method = getattr(pl.col("rec").rank_eval, NAME)
    assert frame.select(method("truth", 4)).item() == evaluate(NAME, *LISTS, 4) == 0.25
'''


def recipes() -> dict[str, str]:
    """The text of each recipe by its heading, and the table of all under an empty heading.

    The table links to the files of the recipes; that of a metric stands below it.
    """
    text = CONTRIBUTING.read_text(encoding="utf-8").partition("\n## Recipes\n")[2].partition("\n## ")[0]
    table, *parts = re.split(r"^### (.+)\n", text, flags=re.MULTILINE)
    for file in dict.fromkeys(re.findall(r"\]\(([^)#]+)\)", table)):
        parts += re.split(r"^## (.+)\n", (ROOT / file).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {"": table, **dict(zip(parts[::2], parts[1::2], strict=True))}


def test_recipes_have_as_many_places_as_they_say():
    all_stated = []
    for heading, text in recipes().items():
        numbers = [int(number) for number in re.findall(r"^(\d+)\. ", text, re.MULTILINE)]
        last = [here for here, after in pairwise([*numbers, 1]) if after == 1]
        stated = [int(number) for number in re.findall(r"\b(\d+) places\b", text)]
        assert stated == last, heading
        assert not heading or stated, heading
        all_stated += stated
    rows = re.findall(r"^\| \[an? .+\| (.+) \|$", recipes()[""], re.MULTILINE)
    assert [int(number) for row in rows for number in re.findall(r"\d+", row)] == all_stated
    assert len(rows) == len(recipes()) - 1


def places_of_a_metric() -> list[str]:
    """The files in the steps of the recipe for a metric. Each step is a place, and names one file."""
    steps = re.findall(r"^\d+\. (?:.+\n)(?: +.+\n)*", recipes()["A new metric"], re.MULTILINE)
    named = [re.findall(r"`([^`]+/[^`]+)`", step) for step in steps]
    return [path.replace("<name>", NAME) for (path,) in named]


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of each source file, by its path in the folder."""
    ignored = shutil.ignore_patterns(*IGNORED)
    found = {}
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(set(folders) - ignored(place, folders))
        for file in sorted(set(files) - ignored(place, files)):
            path = Path(place, file)
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


def add_metric(sources: Path) -> None:
    """Follow the steps of the recipe in these sources."""
    (sources / f"native/core/src/metrics/{NAME}.rs").write_text(METRIC, encoding="utf-8")
    (sources / TEST).write_text(TEST_TEXT, encoding="utf-8")
    for file, replacements in EDITS.items():
        text = (sources / file).read_text(encoding="utf-8")
        for old, new in replacements:
            assert text.count(old) == 1, (file, old)
            text = text.replace(old, new)
        (sources / file).write_text(text, encoding="utf-8")


def run(*command: str, folder: Path, **environment: str) -> str:
    """Run a command that must succeed, with the package of the folder, and return its output."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"} | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(sources: Path) -> None:
    """Compile the library into the package, as build_native.py does it, but without optimization."""
    target = ["--target-dir", str(TARGET)]
    cargo = ["cargo", "build", "--quiet", "--locked", "--package", "rankdcg", *target]
    run(*cargo, folder=sources / "native", CARGO_PROFILE_DEV_DEBUG="0")
    (library,) = (path for path in (TARGET / "debug").iterdir() if path.suffix in (".so", ".dylib", ".dll"))
    installed = Path(rankdcg_sql.extension_path())
    _, begin, footer = installed.read_bytes().rpartition(FOOTER)
    assert begin
    (sources / "rankdcg_sql" / installed.name).write_bytes(library.read_bytes() + begin + footer)


@pytest.fixture(scope="module")
def sources() -> Path:
    """Give a copy of the sources with one metric more, built, with documents."""
    if PACKAGE.parent != ROOT:
        pytest.skip("the installed package is tested, and not the one beside its sources")
    if not _static.installed():
        skip_unless_ci("needs DuckDB 2.0, which has every route")
    for program in ("cargo", "make"):
        if shutil.which(program) is None:
            skip_unless_ci(f"needs {program}")
    if not Path(sys.executable).with_name("ruff").exists():
        skip_unless_ci("needs ruff")
    # One place for all runs: cargo compiles a crate again if its path is another. The first process of a run
    # builds, and the others wait for it.
    folder, built_by = COPY / "sources", COPY / "built_by"
    this_run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    COPY.mkdir(parents=True, exist_ok=True)
    with (COPY / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not built_by.exists() or built_by.read_text() != this_run:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*IGNORED))
            add_metric(folder)
            build(folder)
            environment = f"VENV={sys.prefix}"
            run("make", "docs", environment, "--assume-old", f"{sys.prefix}/installed", folder=folder)
            built_by.write_text(this_run)
    return folder


def test_a_metric_takes_the_places_that_the_recipe_names(sources: Path):
    before, after = contents(ROOT), contents(sources)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    pages = {"functions.md", f"functions/{NAME}.md"}
    modules = {
        *("lists.py", "polars/_generated.py", "spark/functions.py", "ibis/__init__.pyi", "_option_types.py")
    }
    registry = "community_extension/docs/function_descriptions.csv"
    written = {TEST, registry, *(f"docs/{page}" for page in pages)}
    written |= {f"rankdcg_sql/{module}" for module in modules}
    assert changed - written == set(places_of_a_metric())
    assert written <= changed


def test_a_metric_is_in_the_documents(sources: Path):
    page = (sources / "docs" / "functions.md").read_text(encoding="utf-8")
    link = f"[{NAME}](functions/{NAME}.md)"
    (line,) = (line for line in page.splitlines() if line.startswith(f"| {link}("))
    assert line.startswith(f"| {link}(rec, truth[, k[, options]]) |  | _scored, _agg, _rows | hits / sqrt(")
    assert f"`{NAME}_rows(item, score, rel" in (sources / "docs" / "functions" / f"{NAME}.md").read_text(
        "utf-8"
    )
    for module in ("lists.py", "polars/_generated.py", "spark/functions.py", "ibis/__init__.pyi"):
        text = (sources / "rankdcg_sql" / module).read_text(encoding="utf-8")
        assert re.search(rf"^def {NAME}\(", text, re.MULTILINE), module
    types = (sources / "rankdcg_sql" / "_option_types.py").read_text(encoding="utf-8")
    assert re.search(rf"^class \w+Options\(.*\n?.*`{NAME}`", types, re.MULTILINE)


def test_a_metric_is_on_the_command_line(sources: Path):
    judged = "SELECT 1 AS userid, unnest([2, 7, 8, 9]) AS itemid"
    ranked = "SELECT 1 AS userid, unnest([2, 1, 3, 4]) AS itemid, unnest([4, 3, 2, 1]) AS score"
    tables = ["--truth", judged, "--rec", ranked]
    main = "from rankdcg_sql.cli import main; main()"
    command = [sys.executable, "-c", main, "evaluate", *tables, "-k", "1,4", "-m", NAME, "--output", "json"]
    rows = json.loads(run(*command, folder=sources))["rows"]
    assert [(row["metric"], row["k"], row["mean"]) for row in rows] == [(NAME, 1, 0.5), (NAME, 4, 0.25)]


def test_the_tests_of_the_copy_pass(sources: Path):
    """They run the metric on every engine."""
    package = "tests/package/test_package.py"
    tests = [f"{package}::test_functions_are_all_there", f"{package}::test_function_is_described"]
    tests.append("tests/metrics/test_properties.py::test_the_reference_knows_every_function_and_option")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    run(*command, TEST, "-k", f"{NAME} or not described", folder=sources)
