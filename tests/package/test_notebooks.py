"""The notebooks in examples run from the top, and give the outputs that are kept in them."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import needs_duckdb_2
from support.paths import ROOT

EXAMPLES = ROOT / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
#: Notebooks that tests/spark runs.
ON_SPARK = {"spark"}
#: Notebooks with a model, whose numbers may differ from one processor to the next.
WITH_MODELS = {"learning_to_rank"}

pytestmark = [
    pytest.mark.skipif(find_spec("nbclient") is None, reason="the tools of notebooks are not installed"),
    needs_duckdb_2,
]


@pytest.mark.parametrize(
    "notebook", [path for path in NOTEBOOKS if path.stem not in ON_SPARK], ids=lambda path: path.stem
)
def test_a_notebook_gives_its_outputs(notebook: Path) -> None:
    how = "--only-run" if notebook.stem in WITH_MODELS else "--check"
    command = [sys.executable, str(ROOT / "tools" / "run_notebooks.py"), how, notebook.stem]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_kept_and_small_without_logs_and_paths(notebook: Path) -> None:
    text = notebook.read_text(encoding="utf-8")
    cells = json.loads(text)["cells"]
    outputs = [output for cell in cells if cell["cell_type"] == "code" for output in cell["outputs"]]
    assert len(outputs) > 5
    assert not any(output["output_type"] == "error" for output in outputs)
    assert not any("text/html" in output.get("data", {}) for output in outputs)
    words = ('"stderr"', "WARN", "Warning", "/tmp", "/root", "/home", "site-packages")
    assert [word for word in words if word in text] == []
    assert notebook.stat().st_size < 500_000
    assert cells[0]["source"][0].startswith("# ")
