"""The examples run as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.paths import ROOT
from support.process import run

#: The scripts. tests/package/test_notebooks.py runs the notebooks, also that of marimo.
EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.py") if not path.stem.startswith("marimo"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example(example: Path) -> None:
    done = run("import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')", str(example))
    assert done.returncode == 0, done.stderr
    assert done.stdout
