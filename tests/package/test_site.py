"""The documentation site: it builds without a warning, and needs no other site."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support import browser
from support.paths import ROOT

import rankdcg_sql

fcntl = pytest.importorskip("fcntl", reason="Windows has no such lock")
pytest.importorskip(
    "zensical", reason="the tools of the site are installed with the tests of one environment"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, which takes longer to build than to test: the first process of a run does it for all."""
    is_alone = "PYTEST_XDIST_WORKER" not in os.environ
    folder = tmp_path_factory.mktemp("site") if is_alone else tmp_path_factory.getbasetemp().parent / "site"
    folder.mkdir(exist_ok=True)
    built, outcome = folder / "built", folder / "outcome"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not outcome.exists():
            command = [sys.executable, str(ROOT / "tools" / "build_site.py"), str(built)]
            done = subprocess.run(command, capture_output=True, text=True)
            outcome.write_text("" if done.returncode == 0 else f"{done.stdout}{done.stderr}\nnot built")
    assert outcome.read_text() == ""
    return built / "html"


class Loaded(HTMLParser):
    """The addresses of what a page loads by itself: scripts, style sheets, fonts and pictures."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.addresses.append(given.get("src" if tag != "link" else "href") or "")


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    for page in pages:
        for address in Loaded(page.read_text(encoding="utf-8")).addresses:
            file = address.partition("?")[0].partition("#")[0]
            assert "//" not in file, (page.name, address)
            assert not file or page.name == "404.html" or (page.parent / file).exists(), (page.name, address)
    assert len(pages) > 60


def test_style_sheets_load_nothing_from_elsewhere(site: Path) -> None:
    sheets = [path.read_text(encoding="utf-8") for path in site.rglob("*.css")]
    assert len(sheets) > 1
    assert re.findall(r"url\(['\"]?(?!data:)[a-z]*:?//[^)]*", "".join(sheets)) == []


def test_the_search_knows_the_page_of_every_function_and_how_to_install(site: Path) -> None:
    index = json.loads((site / "search.json").read_text(encoding="utf-8"))
    texts: dict[str, str] = {}
    for item in index["items"]:
        page = item["location"].partition("#")[0]
        texts[page] = f"{texts.get(page, '')} {item['title']} {item['text']}"
    for function in rankdcg_sql.functions():
        page = f"functions/{function.base}.html"
        assert (site / page).exists()
        assert all(name in texts[page] for name in function.names)
    (found,) = [item for item in index["items"] if item["location"] == "index.html#installation"]
    assert found["title"] == "Installation"
    assert "pip install" in found["text"]


def test_language_models_are_told_every_page_and_function(site: Path) -> None:
    text = (site / "llms.txt").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(([^)]*\.html)\)", text)
    assert {f"functions/{function.base}.html" for function in rankdcg_sql.functions()} <= {*linked}
    assert "tutorial.html" in linked
    assert [page for page in linked if not (site / page).exists()] == []


def test_code_that_is_copied_runs(site: Path) -> None:
    """Prompts and outputs are in no block with a button that copies it."""
    copied = 0
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for kinds, block in re.findall(r'<div class="([^"]*highlight[^"]*)">(.*?)</div>', text, re.DOTALL):
            code = unescape(re.sub("<[^>]*>", "", block))
            assert not re.search("^(>>> |│ )", code, re.MULTILINE) or "no-copy" in kinds, (page.name, code)
            if "language-python" in kinds and page.parent.name != "examples":
                compile(code, page.name, "exec")
                copied += 1
    written = sum(page.read_text("utf-8").count("\n```python\n") for page in (ROOT / "docs").rglob("*.md"))
    assert copied >= written > 0


def test_the_sidebar_tells_metrics_from_tests(site: Path) -> None:
    settings = (site.parent / "zensical.toml").read_text(encoding="utf-8")
    sections = dict(re.findall(r'\{ "([^"]*)" = (\[.*\]) \}', settings))
    tests = json.loads(sections["Intervals and tests"])
    assert {"functions/mean_ci.md", "functions/tukey_hsd.md", "functions/corrected_p_values.md"} <= {*tests}
    metrics = json.loads(sections["Metrics and rankings"])
    assert {"functions/ndcg.md", "functions/rankdcg.md"} <= {*metrics}
    assert not {*tests} & {*metrics}


SHOWN = """{
    note: page.querySelector(".from-file").textContent,
    cut: [...page.querySelectorAll("table")]
        .filter((of) => box(of).right > box(of.closest(".md-content")).right).length,
    pictures: [...page.querySelectorAll(".md-typeset img")].filter((of) => box(of).width).map((of) => of.src),
    below_bars: [...page.querySelectorAll("mfrac > *, msqrt > *")]
        .map((of) => parseFloat(getComputedStyle(of).paddingTop)),
    formulas: [...page.querySelectorAll(".formula math")].map((of) => of.clientWidth - of.scrollWidth),
}"""


def test_a_page_in_a_browser(site: Path, tmp_path: Path) -> None:
    """The table of functions is whole, pictures fit the theme, and the page says how to search."""
    names = ("functions.html", "index.html", "functions/mean_ci.html")
    functions, light, mean_ci = browser.ask_each([site / name for name in names], SHOWN, tmp_path, 1400)
    dark = browser.ask(site / "index.html", SHOWN, tmp_path, 1400, dark=True)
    assert functions["cut"] == 0
    assert "python -m http.server" in functions["note"]
    for index, end in ((light, "comparison.svg"), (dark, "comparison-dark.svg")):
        (picture,) = index["pictures"]
        assert picture.endswith(end)
    assert "#ffffff" not in (site / "images" / "comparison-dark.svg").read_text(encoding="utf-8")
    assert len(mean_ci["below_bars"]) == 3
    assert min(mean_ci["below_bars"]) > 2
    parts = browser.ask(site / "functions" / "f1.html", SHOWN, tmp_path, 390)["formulas"]
    assert len(parts) == 3
    assert min(parts) >= 0


def test_a_page_of_a_function_begins_with_examples_and_has_formulas_in_mathml(site: Path) -> None:
    for function in rankdcg_sql.functions():
        text = (site / "functions" / f"{function.base}.html").read_text(encoding="utf-8")
        assert re.findall('<h2 id="([^"]*)"', text)[:2] == ["examples", "forms"], function.base
        assert ("<math" in text) == bool(function.latex), function.base
        assert "$$" not in text


def test_pages_have_a_dark_side_and_fit_phones(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    assert 'data-md-color-scheme="slate"' in text
    assert 'name="viewport" content="width=device-width' in text


def test_every_notebook_and_query_is_in_the_site(site: Path) -> None:
    for notebook in (ROOT / "examples").glob("*.ipynb"):
        assert (site / "examples" / f"{notebook.stem}.html").exists()
    text = (site / "queries.html").read_text(encoding="utf-8")
    for output in (ROOT / "queries").glob("*.txt"):
        assert f'id="{output.stem}"' in text
