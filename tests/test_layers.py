"""The imports of the Python package form no circle, and DuckDB and Polars do not import each other.

Every import statement counts, also inside a function or for annotations alone. So does every module name in a
string, in files that use `import_module`. The implicit import of a package's ``__init__`` before its modules
does not count.
"""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import rankdcg_sql

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "rankdcg_sql"
#: The name of the package's ``__init__``.
FRONT = "(package)"
#: The modules for DuckDB. They may import neither the modules for Polars nor Polars itself.
FOR_DUCKDB = ("_static", "duckdb", "hivemall")
#: The modules of this package that modules for Polars may import, besides each other.
BELOW_POLARS = ("_arguments", "_errors", "_native", "_option_types", "catalogue")


class Import(NamedTuple):
    """An import of a module by another one."""

    #: The importing module, without the name of the package in front.
    module: str
    #: The imported module: one of the package, without its name in front, or another library.
    imported: str
    #: Whether the imported module is one of the package.
    is_own: bool
    #: The line of the statement, counted from 1.
    line: int

    def __str__(self) -> str:
        return f"{self.module}:{self.line} imports {self.imported}"


def modules(root: Path) -> dict[str, Path]:
    """Find the modules of a package by name, without the name of the package in front."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts) or FRONT] = path
    return found


def imports(root: Path) -> Iterator[Import]:
    """Read the imports of the modules of a package."""
    there = modules(root)

    def resolved(name: str) -> tuple[str, bool]:
        """Return the module that a full name names or lies in, and whether it is one of the package."""
        package, _, rest = name.partition(".")
        if package != NAME:
            return package, False
        while rest and rest not in there:
            rest = rest.rpartition(".")[0]
        return rest or FRONT, True

    for module, path in there.items():
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        texts = "import_module" in source
        for node in ast.walk(tree):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [each.name for each in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, f"{path}:{node.lineno}: imports have full names here"
                names = [f"{node.module}.{each.name}" for each in node.names]
            elif texts and isinstance(node, ast.Constant) and str(node.value).startswith(f"{NAME}."):
                names = [str(node.value)]
            for name in names:
                yield Import(module, *resolved(name), node.lineno)


def faults(root: Path) -> list[str]:
    """Name a circle of imports, and imports between DuckDB and Polars."""
    found = []
    graph: dict[str, set[str]] = {}
    for each in imports(root):
        if each.is_own and each.module != each.imported:
            graph.setdefault(each.module, set()).add(each.imported)
        is_polars = each.module.partition(".")[0] == "polars"
        imports_polars = each.imported.partition(".")[0] == "polars"
        if is_polars and (
            each.imported not in BELOW_POLARS
            if each.is_own and not imports_polars
            else each.imported == "duckdb"
        ):
            found.append(f"{each}, and is for Polars")
        if not is_polars and imports_polars and (each.is_own or each.module in FOR_DUCKDB):
            found.append(f"{each}, and is not for Polars")
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = error.args[1]
        first = circle.index(min(circle))
        found.append(
            f"a circle of imports: {' < '.join([*circle[first:-1], *circle[:first], circle[first]])}"
        )
    return found


def test_imports_form_no_circle() -> None:
    assert faults(Path(rankdcg_sql.__file__).parent) == []


#: A small package without a fault: the source of each module.
SOUND = {
    "__init__": "from importlib import import_module\nimport_module('rankdcg_sql.duckdb')",
    "_native": "import ctypes",
    "catalogue": "from rankdcg_sql import _native",
    "duckdb": "import duckdb\nfrom rankdcg_sql.catalogue import functions",
    "plots": "import matplotlib",
    "polars/__init__": "from rankdcg_sql.polars._plugin import evaluate",
    "polars/_plugin": "import polars as pl\nfrom rankdcg_sql import _native, catalogue",
    "results": "class Result:\n    def plot(self):\n        from rankdcg_sql import plots",
}


@pytest.mark.parametrize(
    ("module", "source", "fault"),
    [
        ("results", SOUND["results"], ""),
        (
            "_native",
            "def version():\n    from rankdcg_sql.catalogue import version",
            "_native < catalogue < _native",
        ),
        (
            "_native",
            "from importlib import import_module\nimport_module('rankdcg_sql.duckdb')",
            "_native < catalogue < duckdb < _native",
        ),
        ("catalogue", "def front():\n    import rankdcg_sql", "(package) < catalogue < duckdb < (package)"),
        (
            "catalogue",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from rankdcg_sql.duckdb import connect",
            "catalogue < duckdb < catalogue",
        ),
        ("plots", "from rankdcg_sql.results import Result", "plots < results < plots"),
        (
            "plots",
            "import typing\nif typing.TYPE_CHECKING:\n    from rankdcg_sql.results import Result",
            "plots < results < plots",
        ),
        ("polars/_plugin", "import duckdb", "polars._plugin:1 imports duckdb, and is for Polars"),
        ("polars/__init__", "from rankdcg_sql import duckdb", "polars:1 imports duckdb, and is for Polars"),
        ("duckdb", "def frame():\n    import polars", "duckdb:2 imports polars, and is not for Polars"),
        (
            "results",
            "from rankdcg_sql.polars import _plugin",
            "results:1 imports polars._plugin, and is not for Polars",
        ),
    ],
)
def test_faults_are_found(tmp_path: Path, module: str, source: str, fault: str) -> None:
    for name, text in (SOUND | {module: source}).items():
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    expected = f"a circle of imports: {fault}" if "<" in fault else fault
    assert faults(tmp_path) == ([expected] if fault else [])
