"""The module for Polars: its text follows from the catalogue, and it has types for type checkers."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import get_args, get_type_hints

import pytest
from support.forms import assert_same_arguments
from support.paths import ROOT
from support.process import PACKAGE
from support.skipping import skip_unless_ci

import rankdcg_sql
import rankdcg_sql.polars as rk
from rankdcg_sql import _option_types, lists

#: The functions of the catalogue that have an expression, by the name of the expression.
EXPRESSIONS = {each.expression: each for each in rankdcg_sql.functions() if each.expression}
OPTIONS = {each.name: each for each in rankdcg_sql.options()}
#: The functions with docstrings. Those of lists describe their arguments in `lists` alone.
FUNCTIONS = [(module, name) for module in (rk, lists) for name in EXPRESSIONS if hasattr(module, name)]


@pytest.mark.parametrize("writer", ["docs", "functions", "option_types"])
def test_modules_and_pages_are_what_the_catalogue_says(writer: str):
    if not Path(sys.executable).with_name("ruff").exists():
        skip_unless_ci("needs ruff")
    command = [sys.executable, str(ROOT / "tools" / f"generate_{writer}.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def sections(module: ModuleType, name: str) -> dict[str, str]:
    """The text of each section of a function's docstring, by its title; the summary has an empty one."""
    parts = re.split(r"^(\w+)\n-+\n", f"{inspect.getdoc(getattr(module, name))}\n", flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def refers(module: ModuleType, name: str) -> bool:
    """Whether a docstring leaves the arguments to that of the same function of `lists`."""
    return module is rk and name in lists.__all__


def entries(module: ModuleType, name: str) -> dict[str, tuple[str, str]]:
    """The type and the description of each parameter. Names with commas between them share both."""
    heads = r"^(\S[^:\n]*?)(?: : (.+))?\n"
    parts = re.split(heads, sections(module, name)["Parameters"], flags=re.MULTILINE)
    found = zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    return {name: (kind, text.strip()) for names, kind, text in found for name in names.split(", ")}


def options_in(module: ModuleType, name: str) -> dict[str, str]:
    """The types of the options that a docstring has, or for which it refers to the base of the function."""
    arguments = inspect.signature(getattr(module, name)).parameters
    own = {each: kind for each, (kind, _) in entries(module, name).items() if each not in arguments}
    if "**options" not in own:
        return own
    del own["**options"]
    of, *without = re.findall(r"`([\w.]+)`", entries(module, name)["**options"][1])
    base = EXPRESSIONS[name].base
    assert of == (f"rankdcg_sql.{base}" if module is rk else base)
    shared = options_in(lists, base)
    assert {*without} <= shared.keys()
    return {**{each: kind for each, kind in shared.items() if each not in without}, **own}


@pytest.mark.parametrize("name", lists.__all__)
def test_the_arguments_of_a_function_of_lists_are_those_of_python(name: str):
    assert_same_arguments(rk, name)


@pytest.mark.parametrize(("module", "name"), [each for each in FUNCTIONS if not refers(*each)])
def test_every_argument_and_option_is_described(module: ModuleType, name: str):
    function, arguments = EXPRESSIONS[name], inspect.signature(getattr(module, name)).parameters
    assert re.match(r"[A-Z1`].+\.\n", sections(module, name)[""], re.DOTALL)
    described, columns = entries(module, name), [each for each in arguments if each != "options"]
    assert [each for each in described if each in arguments] == columns
    assert all(re.fullmatch(r"[A-Z].+\.", described[each][1], re.DOTALL) for each in columns)
    found = options_in(module, name)
    assert sorted(found) == sorted([*function.options, *(["denominator"] if function.denominator else [])])
    # Each has the values that type checkers allow, and the default.
    allowed = get_type_hints(getattr(_option_types, arguments["options"].annotation[len("Unpack[") : -1]))
    for option, kind in found.items():
        values = [value for part in [allowed[option], *get_args(allowed[option])] for value in get_args(part)]
        named = [f'"{value}"' for value in values if isinstance(value, str) and value != "unset"]
        assert re.findall('"\\w+"(?=[,}])', kind) == named or kind.startswith("str, ")
        of = str(function.denominator) if option == "denominator" else option
        default = function.defaults.get(of, OPTIONS[of].default)
        shown = f'"{default}"' if named else default
        assert kind.endswith(", optional" if default == "unset" else f", default {shown}")


@pytest.mark.parametrize(("module", "name"), FUNCTIONS)
def test_every_function_has_its_result_its_errors_and_an_example(module: ModuleType, name: str):
    function, found = EXPRESSIONS[name], sections(module, name)
    # A function whose base has no expression carries the whole text itself.
    if name == function.base or function.base not in EXPRESSIONS:
        result = "Expr" if module is rk else inspect.signature(getattr(module, name)).return_annotation
        result = result.replace(" | ", " or ").replace("dict[str, Any]", "dict")
        assert re.match(rf"{re.escape(result)}\n(    .+\n)+\n$", found["Returns"])
        about = " ".join(found["Parameters" if refers(module, name) else ""].split())
        assert ("a ComputeError" if module is rk else "ValueError or TypeError") in about
        # The page has what the docstring leaves out.
        assert refers(module, name) or f"docs/functions/{function.base}.md" in about
        page = (ROOT / "docs" / "functions" / f"{function.base}.md").read_text(encoding="utf-8")
        assert f"{function.summary[1:]}." in page
        assert f"In words: {function.formula}." in page
        assert f"\nSource: {function.source}.\n" in page
        assert not function.options or "(../options.md#options)" in page
        table = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
        assert all(f"`{each}=" in page for each in function.options)
        assert all(f" | {OPTIONS[each].doc} |\n" in table for each in function.options)
    else:
        assert f"Evaluate `{function.base}` on " in found[""]
        assert "with its formula and rules." in " ".join(found[""].split())
    if function.form == "agg":
        assert entries(module, name)["rel"][1].startswith("One row per user and item:")
    *_, last = doctest.DocTestParser().get_examples(found["Examples"])  # pytest runs them
    assert re.search(rf"\b(rk|rankdcg_sql)\.{name}\(", last.source)
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
    options = ["--strict", "--config-file=", f"--cache-dir={ROOT / '.mypy_cache'}", "--no-error-summary"]
    command = [sys.executable, "-m", "mypy", *options, "script.py"]
    environment = {"MYPYPATH": str(PACKAGE.parent), "PATH": ""}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
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
