"""Build the documentation site: ``python tools/build_site.py [FOLDER]``. Its pages are in ``FOLDER/html``.

The pages are those of ``docs``, the README, the changelog, the queries with their outputs and the notebooks
of ``examples``. ``llms.txt`` lists them, and all functions, for language models. Formulas become MathML, so
that the site needs no script for them. A warning of Zensical is an error.
"""

from __future__ import annotations

import doctest
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
from generate_docs import families
from latex2mathml.converter import convert
from nbconvert import MarkdownExporter

import rankdcg_sql
from rankdcg_sql.catalogue import forms
from rankdcg_sql.plots import dark_svg

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = Path(__file__).parent / "site"
#: The sections of the site with their pages. A folder stands for its other pages in the order of their names.
SECTIONS: dict[str, list[str]] = {
    "Start": ["index.md", "tutorial.md", "concepts.md", "faq.md"],
    "Guides": [
        "evaluate.md",
        "why.md",
        "judges.md",
        "receipts.md",
        "history.md",
        "sql.md",
        "lists.md",
        "similarity.md",
        "items.md",
        "aspects.md",
        "spans.md",
        "aggregates.md",
        "statistics.md",
        "polars.md",
    ],
    "Guides in depth": [
        "command_line.md",
        "connections.md",
        "dbt.md",
        "ibis.md",
        "spark.md",
        "spark_lists.md",
        "queries.md",
        "performance.md",
    ],
    "Notebooks": ["examples/"],
    "Functions": ["measures.md", "functions.md", "options.md", "rankdcg.md", "measures_elsewhere.md"],
    "Metrics and rankings": ["functions/"],
    # The pages of functions of values, which `navigation` takes out of the section before.
    "Intervals and tests": [],
    "Migration": ["hivemall.md", "migration/index.md", "migration/"],
    "Project": ["promises.md", "changelog.md", "contributing.md"],
}
#: The end of the name of a picture for dark pages.
DARK = "-dark.svg"
#: Files that are pages of the site under another name.
RENAMED = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
#: The first line of a block without a button that copies it.
NO_COPY = "```{ .text .no-copy }\n"
#: The line below the names of seven columns or more.
WIDE_TABLE = re.compile(r"^\|(?: --- \|){7,}$", re.MULTILINE)
#: Blocks of code, and all code. A link may have code in its label.
BLOCKS = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)


def outside(code: re.Pattern[str], change: Callable[[str], str], text: str) -> str:
    """Change a text of Markdown, but not what `code` finds in it."""
    return "".join(part if place % 2 else change(part) for place, part in enumerate(code.split(text)))


def with_mathml(text: str) -> str:
    """Replace LaTeX between dollars by MathML, and a formula on lines of its own by its parts."""

    def displayed(found: re.Match[str]) -> str:
        parts = (convert(part, display="block") for part in found[1].strip().split(r"\quad"))
        return f'<div class="formula">{"".join(parts)}</div>'

    def inline(found: re.Match[str]) -> str:
        return convert(found[1])

    return re.sub(
        r"\$([^$\n]+)\$", inline, re.sub(r"^\$\$\n(.*?)\n\$\$$", displayed, text, flags=re.M | re.S)
    )


def with_runnable_code(text: str) -> str:
    """Divide sessions of Python into code that runs as it is copied, and outputs, which are not copied."""
    text = re.sub(r"^```text\n(?!rankdcg-sql )", NO_COPY, text, flags=re.MULTILINE)
    return re.sub(r"^```python\n(?=>>> )(.*?)^```$", _divided, text, flags=re.MULTILINE | re.DOTALL)


def _divided(session: re.Match[str]) -> str:
    blocks: list[str] = []
    code: list[str] = []
    for example in doctest.DocTestParser().get_examples(session[1]):
        code.append(example.source)
        if example.want:
            blocks += [f"```python\n{''.join(code)}```", printed(example.want.replace("<BLANKLINE>", ""))]
            code = []
    if code:
        blocks.append(f"```python\n{''.join(code)}```")
    return "\n\n".join(blocks)


def printed(text: str) -> str:
    """Write what a program prints as a block without a button that copies it."""
    return f"{NO_COPY}{text.rstrip()}\n```"


def with_links(page: Path, text: str) -> str:
    """Let links lead to pages of the site. A link to another file of the repository becomes its name."""

    def replaced(found: re.Match[str]) -> str:
        picture, label, link = found.groups()
        file, mark, heading = link.partition("#")
        # The pictures of a notebook are beside its page already.
        if not file or "://" in file or (picture and page.suffix == ".ipynb"):
            return found[0]
        target = (ROOT / page).parent.joinpath(file).resolve().relative_to(ROOT).as_posix()
        if target.startswith("queries"):
            shown = (ROOT / target).with_suffix(".txt").exists()
            target, mark, heading = "docs/queries.md", "#" * shown, Path(target).stem * shown
        elif target.startswith("examples/") and target.endswith(".ipynb"):
            target = f"docs/{site_page(Path(target))}"
        else:
            target = f"docs/{RENAMED[target]}" if target in RENAMED else target
        if not target.startswith("docs/"):
            return label
        depth = len(site_page(page).parts) - 1
        address = f"{'../' * depth}{target.removeprefix('docs/')}{mark}{heading}"
        if picture and address.endswith(".svg"):
            dark = address.removesuffix(".svg") + DARK
            return f"![{label}]({address}){{ .on-light }} ![{label}]({dark}){{ .on-dark }}"
        return f"{picture}[{label}]({address})"

    return re.sub(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)", replaced, text)


def site_page(page: Path) -> Path:
    """Return the path of a file of the repository within the site."""
    return Path(RENAMED.get(page.as_posix(), page.as_posix().removeprefix("docs/"))).with_suffix(".md")


def add(pages: Path, page: Path, text: str) -> None:
    """Add a page to the folder `pages`. Its source is a file of the repository."""
    target = pages / site_page(page)
    target.parent.mkdir(parents=True, exist_ok=True)
    text = with_runnable_code(text)
    text = outside(BLOCKS, lambda part: with_links(page, part), text)
    text = outside(CODE, with_mathml, text)
    if "\n## " not in text or WIDE_TABLE.search(text):
        # Tables have the room of a list of sections that a page does not need, or that would cut them.
        text = f"---\nhide:\n  - toc\n---\n\n{text}"
    target.write_text(text, encoding="utf-8")


def queries() -> str:
    """Write the page of the queries that answer a question. The question is the first line of the file."""
    parts = ["# Queries", "Each file answers a question. `rankdcg-sql sql NAME` runs it."]
    for file in sorted((ROOT / "queries").glob("*.sql")):
        output = file.with_suffix(".txt")
        if output.exists():
            sql = file.read_text(encoding="utf-8").strip()
            shown = output.read_text(encoding="utf-8").strip("\n")
            parts.append(f"## {file.stem} {{ #{file.stem} }}\n\n```sql\n{sql}\n```\n\n{printed(shown)}")
    return "\n\n".join(parts) + "\n"


def notebook(pages: Path, file: Path) -> str:
    """Write a notebook with its outputs as Markdown, and its pictures beside its page in `pages`."""
    resources: dict[str, Any] = {"unique_key": file.stem, "output_files_dir": f"{file.stem}_files"}
    exporter = MarkdownExporter()
    # A result is shown as its text, which looks the same everywhere.
    exporter.register_preprocessor(_only_text_and_pictures, enabled=True)
    text, found = exporter.from_notebook_node(nbformat.read(file, as_version=4), resources)
    for name, data in found["outputs"].items():
        picture = pages / "examples" / name
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_bytes(data)
    # Terminals have colours, and blank lines between two outputs are too many.
    return re.sub(r"\n\s*\n(?=\s*\n)", "\n", re.sub(r"\x1b\[[\d;]*m", "", text))


def _only_text_and_pictures(book: Any, resources: Any) -> tuple[Any, Any]:
    for cell in book.cells:
        cell.outputs = [_shown(each) for each in cell.get("outputs", [])]
    return book, resources


def _shown(found: Any) -> Any:
    """Return an output of a notebook as a picture, or as text that is not copied."""
    data = found.get("data", {})
    if "image/png" in data:
        found.data = {"image/png": data["image/png"]}
        return found
    text = found.get("text", data.get("text/plain", ""))
    return nbformat.v4.new_output("display_data", {"text/markdown": printed(text)})


def overview() -> str:
    """Write what language models should read first: the pages, and all functions with their forms."""
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    title, about, rest = index.split("\n\n", 2)
    pages = re.findall(r"^\| \[(.*?)\]\((.*?)\.md\) \| (.*?) \|$", rest, re.MULTILINE)
    endings = [
        f"`{form.suffix}({', '.join(form.inputs)})`: {form.reads}" for form in forms().values() if form.suffix
    ]
    functions = [
        f"- [{each.name}({each.signature})](functions/{each.base}.html)"
        + "".join(f", `{ending}`" for ending in others)
        + f": {each.summary}"
        for each, others in families()
    ]
    parts = [
        title,
        f"> {' '.join(about.split())}",
        "## Pages",
        "\n".join(f"- [{name}]({page}.html): {text}" for name, page, text in pages),
        "## Functions",
        f"Endings of names say what a form reads, followed by k and options. {'; '.join(endings)}.",
        "\n".join(functions),
    ]
    return "\n\n".join(parts) + "\n"


def navigation(pages: Path) -> list[tuple[str, list[str]]]:
    """List the sections with their pages in the folder `pages`. A page that is in no section is an error."""
    listed = {section: list(names) for section, names in SECTIONS.items()}
    functions = rankdcg_sql.functions()
    statistics = {f"functions/{each.base}.md" for each in functions if forms()[each.form].is_statistic}
    listed["Intervals and tests"] += sorted(statistics)
    named = {name for names in listed.values() for name in names}
    every = sorted(page.relative_to(pages).as_posix() for page in pages.rglob("*.md"))
    for names in listed.values():
        for folder in [name for name in names if name.endswith("/")]:
            names.remove(folder)
            names += [page for page in every if page.startswith(folder) and page not in named]
    missing = set(every).symmetric_difference(page for names in listed.values() for page in names)
    if missing:
        sys.exit(f"pages without a section, or sections without their page: {', '.join(sorted(missing))}")
    return list(listed.items())


def build(folder: Path) -> None:
    """Build the site in a folder, whose earlier contents are removed."""
    pages = folder / "pages"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", pages, ignore=shutil.ignore_patterns("*.md"))
    for name in ("extra.css", "extra.js"):
        shutil.copy(SETTINGS / name, pages)
    for picture in list(pages.rglob("*.svg")):
        dark = picture.with_name(picture.stem + DARK)
        dark.write_text(dark_svg(picture.read_text(encoding="utf-8")), encoding="utf-8")
    sources = [path.relative_to(ROOT) for path in sorted((ROOT / "docs").rglob("*.md"))]
    for page in [*sources, *map(Path, RENAMED)]:
        # The README is the first page of the site.
        if page != Path("docs/index.md"):
            add(pages, page, (ROOT / page).read_text(encoding="utf-8"))
    add(pages, Path("docs/queries.md"), queries())
    (pages / "llms.txt").write_text(overview(), encoding="utf-8")
    for file in sorted((ROOT / "examples").glob("*.ipynb")):
        add(pages, file.relative_to(ROOT), notebook(pages, file))
    entries = "".join(
        f"    {{ {json.dumps(name)} = {json.dumps(listed)} }},\n" for name, listed in navigation(pages)
    )
    settings = (SETTINGS / "zensical.toml").read_text(encoding="utf-8")
    (folder / "zensical.toml").write_text(
        settings.replace("nav = []", f"nav = [\n{entries}]"), encoding="utf-8"
    )
    subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=folder, check=True)


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site")
