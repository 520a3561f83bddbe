"""The module for Polars: its text follows from the catalogue, and has types for type checkers."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.paths import ROOT
from support.process import PACKAGE
from support.skipping import skip_unless_ci

import rankdcg_sql
import rankdcg_sql.polars as rk

#: The functions of the catalogue that have an expression, by the name of the expression.
EXPRESSIONS = {each.expression: each for each in rankdcg_sql.functions() if each.expression}


@pytest.mark.parametrize("writer", ["lists", "option_types", "polars", "spark"])
def test_module_is_what_the_catalogue_says(writer: str):
    if not Path(sys.executable).with_name("ruff").exists():
        skip_unless_ci("needs ruff")
    command = [sys.executable, str(ROOT / "tools" / f"generate_{writer}.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def sections(name: str) -> dict[str, str]:
    """The text of each section of a function's docstring, by its title; the summary has an empty one."""
    parts = re.split(r"^(\w+)\n-+\n", f"{inspect.getdoc(getattr(rk, name))}\n", flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def entries(text: str) -> dict[str, str]:
    """The description of each entry of a section, by the name before the colon."""
    heads = re.split(r"^(\S[^:\n]*?)(?: : .+)?\n", text, flags=re.MULTILINE)
    return dict(zip(heads[1::2], map(str.strip, heads[2::2]), strict=True))


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_every_argument_and_option_is_described(name: str):
    function, found = EXPRESSIONS[name], sections(name)
    assert re.match(r"[A-Z1`].+\.\n", found[""], re.DOTALL)
    described = entries(found["Parameters"])
    arguments = [each for each in inspect.signature(getattr(rk, name)).parameters if each != "options"]
    assert list(described)[: len(arguments)] == arguments
    assert all(text.endswith(".") for text in described.values())
    shared = described.pop("**options", "")
    options = {*function.options, *(["denominator"] if function.denominator else [])}
    if shared:
        names, _, of = shared.partition(": as in ")
        assert of == f"`{function.base}`."
        listed = re.split(r",\s+", names)
        assert {*listed} <= entries(sections(function.base)["Parameters"]).keys()
    else:
        listed = []
    assert sorted([*described, *listed]) == sorted([*arguments, *options])


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_every_function_has_its_result_its_errors_and_an_example(name: str):
    function, found = EXPRESSIONS[name], sections(name)
    assert re.fullmatch(r"Expr\n(    .+\n)+\n", found["Returns"])
    # A function whose base has no expression carries the whole text itself.
    if name == function.base or function.base not in EXPRESSIONS:
        assert "ValueError\n    " in found["Raises"]
        assert f"Formula: {function.formula}. Source: {function.source}." in " ".join(found["Notes"].split())
    else:
        assert f"Formula, NULL rules and errors are those of `{function.base}`." in found[""]
    if function.form == "agg":
        assert found["Notes"].startswith("One row per user and item:")
    *_, last = doctest.DocTestParser().get_examples(found["Examples"])  # pytest runs them
    assert re.search(rf"\brk\.{name}\(", last.source)
    assert last.want.strip()


#: Calls that a type checker accepts, and calls for which it reports an error.
RIGHT = """\
rk.ndcg("rec", "truth", k=10, gain="linear", idcg="k", min_rel=None)
rk.ndcg(pl.col("rec"), pl.Series([[1]]), pl.col("k"), gain=[0, 1, 3])
rk.ndcg([1, 2], ("a", "b"), None)
rk.recall("rec", "truth", denominator="min_truth_k")
rk.recall_agg("score", "rel", 5, ties="average").over("user").alias("r")
rk.rank_metrics_at("rec", "truth", [1, 10], duplicates="count")
rk.rank_metrics_at_agg("score", "rel", ks=pl.lit([1, 10]))
rk.cg_rels("rels", k=3)
rk.RankEval(pl.col("rec")).ndcg("truth", k=10, discount="ln")
"""
WRONG = {
    'rk.ndcg("rec", "truth", gain="cubic")': "gain",
    'rk.ndcg("rec", "truth", gian="linear")': "gian",
    'rk.ndcg("rec", "truth", ties="average")': "ties",
    'rk.ndcg("rec", "truth", k="10")': '"k"|argument 3|Argument "k"',
    'rk.ndcg("rec", "truth", 2.5)': "Argument 3",
    'rk.ndcg("rec")': "truth",
    'rk.ndcg(1, "truth")': "Argument 1",
    'rk.recall("rec", "truth", denominator="hits")': "denominator",
    'rk.mrr("rec", "truth", denominator="k")': "denominator",
    'rk.rank_metrics_at("rec", "truth", 10)': "Argument 3",
    'rk.rankdcg("rec", "truth", k=10)': '"k"',
    'rk.RankEval(pl.col("rec")).ndcg("truth", discount="log")': "discount",
    'rk.no_such_function("rec", "truth")': "no_such_function",
}


def test_type_checker_finds_wrong_options_and_no_right_ones(tmp_path: Path):
    if find_spec("mypy") is None:
        skip_unless_ci("needs mypy")
    head = "import polars as pl\nimport rankdcg_sql.polars as rk\n"
    script = tmp_path / "script.py"
    script.write_text(head + RIGHT + "\n".join(WRONG) + "\n")
    cache = f"--cache-dir={ROOT / '.mypy_cache'}"
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        cache,
        "--no-error-summary",
        "script.py",
    ]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"MYPYPATH": str(PACKAGE.parent), "PATH": ""},
    )
    assert done.stderr == ""
    found = {}
    for line in done.stdout.splitlines():
        file, place, kind, message = line.split(":", 3)
        if (file, kind.strip()) == ("script.py", "error"):
            found.setdefault(int(place), message)
    first = len((head + RIGHT).splitlines()) + 1
    assert sorted(found) == [first + index for index in range(len(WRONG))], done.stdout
    for index, word in enumerate(WRONG.values()):
        assert any(part in found[first + index] for part in word.split("|")), found[first + index]
