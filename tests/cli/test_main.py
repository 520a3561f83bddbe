"""The command itself: its process, help, completion and list of functions, and outputs that close."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from html import escape
from pathlib import Path

import click.testing
import pytest
from support.commands import TABLES, run
from support.paths import PAGES

import rankdcg_sql
from rankdcg_sql.cli import main

COMMAND = [sys.executable, "-c", "from rankdcg_sql.cli import main; main()"]


def test_process(command: list[str]) -> None:
    script = "SELECT 'ü' AS a, ndcg([1, 3, 2, 6], [1, 2, 4], 2) AS ndcg"
    done = subprocess.run(
        [*command, "sql", "--output", "csv", "-"], input=script.encode(), capture_output=True, check=True
    )
    name, value = done.stdout.decode("utf-8").splitlines()[1].split(",")
    assert name == "ü"
    assert float(value) == pytest.approx(0.6131471927654585, rel=0, abs=1e-9)
    assert done.stderr == b""


def test_process_reports_errors_on_stderr(command: list[str]) -> None:
    done = subprocess.run([*command, "sql", "-c", "SELECT nope(1)"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: Catalog Error: Scalar Function with name nope does not exist!")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("kind", ["table", "csv"])
def test_reader_may_leave(command: list[str], kind: str) -> None:
    query = "SELECT range, repeat('x', 1000) FROM range(2000)"
    with subprocess.Popen(
        [*command, "sql", "--output", kind, "-c", query], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_closed_output_is_no_fault(tables: Path, closed: str) -> None:
    command = shlex.join([*COMMAND, "evaluate", *TABLES, "--output", "json"])
    redirected = f"{command} {'>&-' if closed == 'stdout' else '2>&-'}"
    ended = subprocess.run(redirected, shell=True, capture_output=True, text=True, check=False)
    assert ended.returncode == 0
    assert "Traceback" not in ended.stderr
    assert bool(ended.stdout) == (closed == "stderr")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize(
    "args", [["evaluate", *TABLES], ["sql", "-c", "SELECT 1", "--output", "csv"], ["--help"]]
)
def test_output_that_cannot_be_written(tables: Path, args: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run([*COMMAND, *args], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1] == "Error: the output cannot be written: No space left on device"
    assert "Traceback" not in ended.stderr


# Help


@pytest.mark.parametrize("name", ["-h", "--help"])
@pytest.mark.parametrize(
    "args", [[], ["evaluate"], ["compare"], ["report"], ["sql"], ["functions"], ["demo"]]
)
def test_help_has_examples(args: list[str], name: str) -> None:
    text = run(*args, name).output
    assert "  Examples:\n    rankdcg-sql " in text
    assert "\b" not in text


@pytest.mark.parametrize("name", ["evaluate", "compare", "report"])
def test_examples_of_help_work(tables: Path, undrawn: None, name: str) -> None:
    lines = re.findall(r"^ +rankdcg-sql (.*)", run(name, "--help").stdout.partition("Examples:")[2], re.M)
    assert len(lines) > 1
    for line in lines:
        run(*shlex.split(line))


def test_examples_of_the_documentation_work(tables: Path, undrawn: None) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in re.findall(r"^rankdcg-sql (.*)", block, re.M)]
    names = ("demo", "evaluate", "compare", "report")
    commands = [line for line in lines if line.startswith(names)]
    assert {line.split()[0] for line in commands} == set(names)
    # Several pages begin with the same demonstration, whose tables later commands read.
    for line in dict.fromkeys(commands):
        run(*shlex.split(line))


def complete(*words: str) -> list[str]:
    """The completions that bash offers for the last word."""
    env = {
        "_RANKDCG_SQL_COMPLETE": "bash_complete",
        "COMP_WORDS": shlex.join(["rankdcg-sql", *words]) if words[-1] else f"rankdcg-sql {' '.join(words)}",
        "COMP_CWORD": str(len(words)),
    }
    return [line.partition(",")[2] for line in run(**env).stdout.splitlines()]


def test_completion() -> None:
    assert {"evaluate"} == set(complete("eval"))
    assert complete("evaluate", "--metr") == ["--metric"]
    assert complete("evaluate", "--users", "") == ["truth", "both"]
    assert complete("compare", "--test", "w") == ["wilcoxon"]
    assert complete("evaluate", "--convention", "tr") == ["trec_eval"]
    assert complete("report", "-m", "recall,ndc") == ["recall,ndcg"]
    assert complete("history", "runs.parquet", "-m", "ndc") == ["ndcg"]
    for option in ("--truth", "--rec", "--segments"):  # the shell completes names of files
        assert complete("compare", option, "tr") == ["tr"]
    assert "#compdef rankdcg-sql" in run(_RANKDCG_SQL_COMPLETE="zsh_source").stdout
    assert "_RANKDCG_SQL_COMPLETE=bash_source" in run("--help").stdout


def test_version() -> None:
    assert rankdcg_sql.__version__ in run("--version").output.split()


def test_a_bug_is_not_hidden(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**arguments: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(rankdcg_sql, "evaluate", fail)
    done = click.testing.CliRunner().invoke(main, ["evaluate", *TABLES])
    assert isinstance(done.exception, KeyError)


# functions


def test_functions_as_json_are_the_catalogue() -> None:
    listed = json.loads(run("functions", "--output", "json").output)
    assert [entry["name"] for entry in listed] == [f.name for f in rankdcg_sql.functions()]
    for entry, function in zip(listed, rankdcg_sql.functions(), strict=True):
        assert entry["aliases"] == list(function.aliases)
        assert [each["name"] for each in entry["parameters"]] == list(function.arguments)
        assert entry["options"] == list(function.options)
        assert (entry["formula"], entry["range"], entry["source"]) == (
            function.formula, function.range, function.source,
        )  # fmt: skip


@pytest.mark.parametrize("kind", ["table", "markdown"])
def test_functions_are_listed_with_their_options(kind: str) -> None:
    text = run("functions", "--output", kind, COLUMNS="1000000").output
    for function in rankdcg_sql.functions():
        assert f"{function.name}({function.signature})" in text
        formula = function.formula
        if kind == "markdown":
            formula = escape(formula, quote=False).replace("|", r"\|")
        assert all(word in text for word in (*function.aliases, formula, function.source))
        assert all(word in text for word in function.fields)
    assert text.count("aggregate") >= sum(function.is_aggregate for function in rankdcg_sql.functions())
    for option in rankdcg_sql.options():
        assert all(word in text for word in (option.name, *option.values, option.other, option.doc))


def test_a_measure_of_tables_is_described_by_any_of_its_names() -> None:
    measures = rankdcg_sql.catalogue.item_measures()
    for name, measure in measures.items():
        for given in (name, name.upper(), measure.paper_name):
            text = run("functions", given, COLUMNS="100000").output
            assert all(part in text for part in (measure.formula, measure.source, measure.summary)), given
            assert measure.name in text
    shown = run("functions", "AWRF", "ndcg", COLUMNS="100000").output
    assert "evaluate(metrics='awrf', items=...) with the column group; rank_items in SQL" in shown
    assert "ndcg(rec, truth[, k[, options]])" in shown
    shown = run("functions", "GMAP", "gm_bpref", "span_recall", COLUMNS="100000").output
    assert "evaluate(metrics='gmap'); geometric_mean_values of average_precision in SQL" in shown
    assert "evaluate(metrics='span_recall', spans=...); rank_evaluate_spans in SQL" in shown
    assert "example" not in shown
    assert "aggregate" not in shown
    (listed,) = json.loads(run("functions", "miscalibration", "--output", "json").output)
    assert listed["name"] == "calibration"


def test_functions_in_a_pipe_fit_the_terminal() -> None:
    for columns in (80, 120):
        assert max(map(len, run("functions", COLUMNS=str(columns)).output.splitlines())) == columns


def test_functions_by_name() -> None:
    names = ["Precision", "mrr", "PRECISION_AT", "reciprocal_rank"]
    listed = json.loads(run("functions", *names, "--output", "json").output)
    assert [entry["name"] for entry in listed] == ["precision_at", "mrr"]
    text = run("functions", "rankdcg").output
    assert "ties" in text
    assert "average_precision" not in text
    assert "ap_denominator" not in text
