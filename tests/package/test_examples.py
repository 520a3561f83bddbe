"""The jobs of `examples` run as they are. `test_notebooks.py` runs the notebooks."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.paths import ROOT
from support.process import PACKAGE

NIGHTLY = ROOT / "examples" / "nightly.sh"
#: The results of an earlier night.
LAST_NIGHT = '{"kind": "comparison", "rows": []}'
WORKFLOW = ROOT / "examples" / "github_actions.yml"
#: The share of 400 users whose only item each table recommends.
SHARES = {"good": 0.8, "better": 0.9, "worse": 0.5, "near": 0.79}


@pytest.fixture
def sh(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """A shell in `tmp_path`, with the command, and tables of many users there."""
    if shutil.which("sh") is None:
        pytest.skip("needs a shell")
    users = range(400)
    texts = {"truth": [f"{user},1" for user in users]}
    for name, share in SHARES.items():
        # Whether a user is served is independent of the other systems.
        place = len(texts)
        served = [(user * (7 + 4 * place) + 13 * place) % 400 < share * 400 for user in users]
        texts[name] = [f"{user},{1 if hit else 2},1" for user, hit in zip(users, served, strict=True)]
    texts["repeated"] = texts["better"] + texts["better"][:3]
    for name, rows in texts.items():
        head = "userid,itemid" + ",score" * (name != "truth")
        (tmp_path / f"{name}.csv").write_text("\n".join([head, *rows, ""]))
    command = tmp_path / "bin" / "rankdcg-sql"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m rankdcg_sql "$@"\n')
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(PACKAGE.parent)}

    def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", *arguments],
            cwd=tmp_path,
            env=environment | variables,
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run


@pytest.mark.parametrize(
    ("new", "variables", "code", "message"),
    [
        ("better", {}, 0, ""),
        ("worse", {}, 3, "failed: new: ndcg@10 not worse by 1% "),
        ("better", {"LEAST": "0.97"}, 3, "failed: new: ndcg@10 >= 0.97 "),
        ("repeated", {}, 5, "failed: --strict allows no warning about the data:\n- new: 3 rows of rec with"),
        ("near", {}, 4, "inconclusive: new: ndcg@10 not worse by 1% "),
        ("nowhere", {}, 1, "Error: new (nowhere.csv): there is no such file"),
        ("better", {"MEASURE": "recall@1"}, 0, ""),
        ("better", {"MARGIN": "much"}, 2, "not worse by much"),
    ],
)
def test_nightly_job(
    tmp_path: Path, sh: Any, new: str, variables: dict[str, str], code: int, message: str
) -> None:
    results = tmp_path / "results.json"
    results.write_text(LAST_NIGHT)
    done = sh(str(NIGHTLY), "truth.csv", "good.csv", f"{new}.csv", "results.json", **variables)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert (done.stdout, bool(done.stderr)) == ("", code != 0)
    assert not results.exists() or results.read_text(encoding="utf-8") != LAST_NIGHT
    assert results.exists() == (code in (0, 3, 4, 5))
    assert not (tmp_path / "results.json.part").exists()
    if results.exists():
        found = json.loads(results.read_text(encoding="utf-8"))
        outcomes = {each["outcome"] for each in found["requirements"]}
        assert found["inputs"]["recs"] == {"old": "good.csv", "new": f"{new}.csv"}
        if not found["warnings"]:
            assert ("failed" in outcomes, "inconclusive" in outcomes) == (code == 3, code == 4)
    assert ("Keep the old system" in done.stderr) == (code in (3, 4))


def test_a_nightly_job_replaces_no_file_but_results(tmp_path: Path, sh: Any) -> None:
    """A second new system stands at the place of the results."""
    before = (tmp_path / "worse.csv").read_text()
    done = sh(str(NIGHTLY), "truth.csv", "good.csv", "better.csv", "worse.csv")
    assert done.returncode == 2
    assert done.stderr == "worse.csv has no results of an earlier night, and stays as it is.\n"
    assert (tmp_path / "worse.csv").read_text() == before


def test_a_nightly_job_that_is_killed_leaves_no_earlier_results(tmp_path: Path, sh: Any) -> None:
    (tmp_path / "results.json").write_text(LAST_NIGHT)
    (tmp_path / "bin" / "rankdcg-sql").write_text("#!/bin/sh\nkill -9 $PPID\n")
    done = sh(str(NIGHTLY), "truth.csv", "good.csv", "better.csv", "results.json")
    assert done.returncode == -signal.SIGKILL
    assert not (tmp_path / "results.json").exists()


def steps(text: str) -> dict[str, str]:
    """The scripts of a workflow, keyed by the names of the steps that run them."""
    lines = re.findall(r"^      - name: (.*)\n        run: ((?!\|).*)$", text, re.MULTILINE)
    blocks = re.findall(r"^      - name: (.*)\n        run: \|\n((?:          .*\n|\n)*)", text, re.MULTILINE)
    return {**dict(lines), **{name: textwrap.dedent(block) for name, block in blocks}}


@pytest.mark.parametrize(
    ("new", "code", "message"),
    [
        ("better", 0, "passed: branch: ndcg@10 not worse by 1% "),
        ("worse", 3, "failed: branch: ndcg@10 not worse by 1% "),
        ("near", 0, "::warning::The users are too few"),
        ("nowhere", 1, "Error: branch (nowhere.csv): there is no such file"),
    ],
)
def test_workflow(tmp_path: Path, sh: Any, new: str, code: int, message: str) -> None:
    script = steps(WORKFLOW.read_text(encoding="utf-8"))["Evaluate"]
    tables = {"TRUTH": "truth.csv", "OLD": "good.csv", "NEW": f"{new}.csv"}
    # GitHub ends a step at the first command that fails.
    done = sh("-e", "-c", script, **tables, GITHUB_STEP_SUMMARY="summary.md")
    assert done.returncode == code, done.stderr
    assert message in done.stdout
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert ("| measure | main | branch |" in summary) == (code != 1)


def test_workflow_is_yaml() -> None:
    yaml = pytest.importorskip("yaml")
    text = WORKFLOW.read_text(encoding="utf-8")
    (job,) = yaml.safe_load(text)["jobs"].values()
    assert {each["name"]: each["run"] for each in job["steps"] if "run" in each} == steps(text)
    assert {*job["env"]} == {"TRUTH", "OLD", "NEW"}
