"""Which module of the native crates may import which, checked against their source.

The core has layers. A module imports from lower layers and from its own folder, and from nothing else. No two
files import each other, directly or through others. An engine imports no other engine, and the core imports
no engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

NATIVE = next(folder / "native" for folder in Path(__file__).parents if (folder / "native").is_dir())

# The folders and files directly in the core, lowest layer first. Those on one line do not import each other.
LAYERS = [
    ("documentation", "error", "needs", "results"),
    ("types", "memory", "ffi"),
    ("threads",),
    ("column",),
    ("options", "fingerprint"),
    ("settings",),
    ("ranking",),
    ("metrics", "similarities", "item_measures", "aspects", "statistics"),
    ("explain",),
    ("catalogue",),
    ("evaluate",),
    ("aggregate",),
    ("lib",),
]

# The crates that each crate may import. DuckDB, Polars and Python are engines, which import no engine.
CRATES = {
    "core": set(),
    "arrow": {"core"},
    "arrow_import": set(),
    "table_macros": {"core"},
    "duckdb": {"core", "table_macros"},
    "polars": {"core", "arrow", "arrow_import"},
    "python": {"core", "arrow", "arrow_import", "table_macros"},
    "library": {"core", "duckdb", "polars", "python"},
}
# Words that would show an engine, or Arrow, in the manifest of the core.
FOREIGN = re.compile(r"arrow|duckdb|polars|pyo3|rankdcg-(?!core)")

MODULE = re.compile(r"\bmod (\w+) \{")
USE = re.compile(r"\buse ([^;]+);")
PATH = re.compile(r"\b(?:crate|super)(?:::\w+)+")


def code(text: str) -> str:
    """The source without comments, strings and characters, so that braces in the rest are balanced."""
    hidden = r"//[^\n]*|/\*.*?\*/|r#\".*?\"#|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'"
    return re.sub(hidden, "", text, flags=re.DOTALL)


def paths_in(tree: str) -> Iterator[str]:
    """Each path of a `use` tree: `a::{b, c::{self, d}}` has `a::b`, `a::c` and `a::c::d`."""
    tree = re.sub(r"\s+as \w+|\s+", "", tree)
    if not tree.endswith("}"):
        yield tree.removesuffix("::self")
        return
    stem, _, inside = tree.partition("{")
    depth, start = 0, 0
    inside = inside[:-1] + ","
    for place, letter in enumerate(inside):
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            if part := inside[start:place]:
                yield from paths_in(stem + part)
            start = place + 1


def imported(text: str) -> Iterator[str]:
    """Each path that a file imports or names, as it would be written at the top level of the file."""
    text = code(text)
    inner: list[tuple[int, int]] = []
    for match in MODULE.finditer(text):
        depth, end = 1, match.end()
        while depth:
            depth += (text[end] == "{") - (text[end] == "}")
            end += 1
        inner.append((match.end(), end))
    for pattern in (USE, PATH):
        for match in pattern.finditer(text):
            levels = sum(start <= match.start() < end for start, end in inner)
            for path in paths_in(match.group(1)) if pattern is USE else [match.group()]:
                parts = path.split("::")
                for _ in range(levels):
                    if parts[0] == "super":
                        parts = parts[1:]
                yield "::".join(parts)


def modules(source: Path) -> dict[str, Path]:
    """The files of a crate by the path of their module; the file `lib.rs` is the module ''."""
    found = {}
    for file in sorted(source.rglob("*.rs")):
        parts = file.relative_to(source).with_suffix("").parts
        parts = parts[:-1] if parts[-1] in ("mod", "lib") else parts
        found["::".join(parts)] = file
    return found


def arrows(source: Path) -> Iterator[tuple[str, str]]:
    """Each pair of modules of a crate in which the first imports from the second."""
    known = modules(source)
    for module, file in known.items():
        here = module.split("::") if module else []
        for path in imported(file.read_text(encoding="utf-8")):
            parts = path.split("::")
            if parts[0] == "crate":
                parts = parts[1:]
            elif parts[0] == "super":
                above = here
                while parts and parts[0] == "super":
                    above, parts = above[:-1], parts[1:]
                parts = above + parts
            elif "::".join([*here, parts[0]]) in known and parts[0]:
                parts = here + parts
            else:
                continue
            while "::".join(parts) not in known:
                parts = parts[:-1]
            if (target := "::".join(parts)) != module:
                yield module, target


def upwards(source: Path) -> list[str]:
    """The wrong imports of the core, each as a sentence."""
    height = {room: number for number, rooms in enumerate(LAYERS) for room in rooms}
    wrong = []
    for one, other in arrows(source):
        room, below = (module.partition("::")[0] or "lib" for module in (one, other))
        for name in (room, below):
            if name not in height:
                wrong.append(f"{name} has no layer")
        if room != below and height.get(room, 0) <= height.get(below, 0):
            wrong.append(f"{one or 'lib'} imports from {other or 'lib'}, which is not below it")
    return sorted(set(wrong))


def circle(source: Path) -> list[str]:
    """The modules of a circle of imports, the first again at the end; empty if there is no circle."""
    imports: dict[str, set[str]] = {}
    for one, other in arrows(source):
        imports.setdefault(one, set()).add(other)
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def foreign(native: Path) -> list[str]:
    """Each import of a crate that the importing crate may not import, as a sentence."""
    wrong = []
    for crate, allowed in CRATES.items():
        for file in sorted((native / crate / "src").rglob("*.rs")):
            named = (
                set(re.findall(r"\brankdcg_(\w+)", code(file.read_text(encoding="utf-8")))) & CRATES.keys()
            )
            for other in sorted(named - allowed):
                wrong.append(f"{crate} imports {other} in {file.name}")
    return wrong


def test_imports_in_the_core_run_downwards():
    assert upwards(NATIVE / "core" / "src") == []


def test_every_layer_of_the_core_is_there():
    rooms = {module.partition("::")[0] or "lib" for module in modules(NATIVE / "core" / "src")}
    assert rooms == {room for rooms in LAYERS for room in rooms}


@pytest.mark.parametrize("crate", CRATES)
def test_no_files_import_each_other(crate: str):
    assert circle(NATIVE / crate / "src") == []


def test_no_crate_imports_a_forbidden_one():
    assert foreign(NATIVE) == []
    manifest = (NATIVE / "core" / "Cargo.toml").read_text(encoding="utf-8")
    assert not FOREIGN.search(manifest.partition("[dependencies]")[2])


def test_every_crate_has_its_line():
    members = re.search(r"members = \[([^\]]*)\]", (NATIVE / "Cargo.toml").read_text(encoding="utf-8"))
    assert members is not None
    assert set(re.findall(r'"(\w+)"', members.group(1))) == CRATES.keys()


# Deliberate violations in a small tree of sources


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A core in which every import runs downwards, and two engines."""
    files = {
        "core/src/lib.rs": "mod metrics;\nmod ranking;\npub use metrics::mean;",
        "core/src/error.rs": "pub struct Error;",
        "core/src/ranking/mod.rs": "pub mod list;\npub mod view;",
        "core/src/ranking/list.rs": "use crate::error::Error;\n// use crate::metrics::mean;",
        "core/src/ranking/view.rs": "use super::list::List;\nmod tests {\n    use super::List;\n}",
        "core/src/metrics/mod.rs": "use crate::{error::Error, ranking::{list::List, view}};",
        "duckdb/src/lib.rs": "use rankdcg_core::mean;",
        "polars/src/lib.rs": "use rankdcg_core::mean;",
    }
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path


def append(file: Path, text: str) -> None:
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{text}\n", encoding="utf-8")


def test_a_tree_without_violations_passes(tree: Path):
    source = tree / "core" / "src"
    assert set(arrows(source)) == {
        ("", "metrics"),
        ("ranking::list", "error"),
        ("ranking::view", "ranking::list"),
        ("metrics", "error"),
        ("metrics", "ranking::list"),
        ("metrics", "ranking::view"),
    }
    assert (upwards(source), circle(source), foreign(tree)) == ([], [], [])


@pytest.mark.parametrize(
    ("text", "room"),
    [
        ("use crate::metrics::mean;", "metrics"),
        ("use crate::{\n    error::Error,\n    metrics::{self, mean},\n};", "metrics"),
        ("use super::super::metrics::mean as average;", "metrics"),
        ("fn two() { crate::metrics::mean() }", "metrics"),
        ("mod tests {\n    use super::super::super::metrics::mean;\n}", "metrics"),
        ("use crate::mean;", "lib"),
    ],
)
def test_an_import_that_runs_upwards_is_found(tree: Path, text: str, room: str):
    append(tree / "core/src/ranking/view.rs", text)
    assert upwards(tree / "core" / "src") == [f"ranking::view imports from {room}, which is not below it"]


def test_a_neighbour_on_the_same_layer_is_not_below(tree: Path):
    (tree / "core/src/statistics.rs").write_text("use crate::metrics::mean;", encoding="utf-8")
    assert upwards(tree / "core" / "src") == ["statistics imports from metrics, which is not below it"]


def test_a_room_without_a_layer_is_found(tree: Path):
    (tree / "core/src/attic.rs").write_text("use crate::error::Error;", encoding="utf-8")
    assert "attic has no layer" in upwards(tree / "core" / "src")


def test_a_circle_is_found(tree: Path):
    append(tree / "core/src/ranking/list.rs", "use crate::ranking::view;")
    source = tree / "core" / "src"
    assert set(circle(source)) == {"ranking::list", "ranking::view"}
    assert upwards(source) == []


def test_an_engine_that_imports_an_engine_is_found(tree: Path):
    append(tree / "polars/src/lib.rs", "fn types() { rankdcg_duckdb::types() }")
    append(tree / "core/src/error.rs", "use rankdcg_arrow::Kind;")
    assert foreign(tree) == ["core imports arrow in error.rs", "polars imports duckdb in lib.rs"]
