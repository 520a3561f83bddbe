"""The pages in docs/migration give the results that they show, here and in the packages that they are about.

Blocks that a paragraph "You wrote ..." announces call the other package, and run if it is installed. With
RANKDCG_PEERS=1 the packages that `make test-wheel` installs may not be missing. The other blocks always run.
"""

from __future__ import annotations

import doctest
import os
import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import needs_duckdb_2
from support.paths import MIGRATION

#: The modules that a page calls here. TorchMetrics and LensKit need torch, and their calls have no prompts.
MODULES = {
    "lenskit": (),
    "ranx": ("ranx",),
    "rectools": ("rectools",),
    "replay": ("replay",),
    "sklearn": ("sklearn",),
    "spark": (),  # tests/spark runs it
    "torchmetrics": (),
    "trec_eval": ("pytrec_eval", "ir_measures"),
}
PEERS = ("pytrec_eval", "ranx", "ir_measures", "sklearn", "rectools")
THEIRS = re.compile(r"^(You wrote\b[^\n]*:\n\n)```python\n.*?^```$", re.DOTALL | re.MULTILINE)

pytestmark = needs_duckdb_2
pages = pytest.mark.parametrize("page", MIGRATION, ids=lambda page: page.stem)


def run(text: str, name: str) -> doctest.TestResults:
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, name, name, 0)
    return doctest.DocTestRunner().run(test)


def test_every_page_is_known() -> None:
    assert {page.stem for page in MIGRATION} == {*MODULES}


@pages
def test_our_calls(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ours, left_out = THEIRS.subn(r"\1", page.read_text("utf-8"))
    assert left_out > 0
    result = run(ours, page.name)
    assert (result.failed, result.attempted > 3) == (0, True)


@pytest.mark.parametrize(
    "page", [page for page in MIGRATION if MODULES[page.stem]], ids=lambda page: page.stem
)
@pytest.mark.filterwarnings("ignore")
def test_beside_the_package(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = MODULES[page.stem]
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        if os.environ.get("RANKDCG_PEERS") == "1" and set(missing) & set(PEERS):
            pytest.fail(f"{', '.join(missing)} must be installed")
        pytest.skip(f"{', '.join(missing)} is not installed")
    monkeypatch.chdir(tmp_path)
    assert run(page.read_text("utf-8"), page.name).failed == 0
