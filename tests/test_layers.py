"""The modules of the Python package have layers, and a module imports only from lower layers.

Every import statement counts, also inside a function. So does every module name in a string, in files that
use `import_module`. The implicit import of a package's ``__init__`` before its modules does not count.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import rankdcg_sql

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAME = "rankdcg_sql"
#: The name of the package's ``__init__`` in `LAYERS`.
FRONT = "(package)"
#: The layers, lowest first. No module imports another one of its own layer, so that there is no circle.
LAYERS = (
    ("_elsewhere", "_temporary", "_text"),
    ("_cached", "_errors", "_option_types", "_output", "_sql", "evaluation._progress"),
    (
        "_arguments",
        "_native",
        "evaluation._checks",
        "evaluation._counts",
        "evaluation._files",
        "evaluation._types",
    ),
    ("catalogue", "evaluation._statistics", "evaluation._tables"),
    (
        "_batches",
        "_lists",
        "_static",
        "_table_macros",
        "hivemall",
        "evaluation._metrics",
        "evaluation._truth_and_rec",
        "polars._plugin",
        "spark._executors",
        "spark._versions",
    ),
    (
        "duckdb",
        "evaluation._columns",
        "evaluation._parts",
        "evaluation._plan",
        "evaluation._requirement_grammar",
        "lists",
        "plots",
        "polars._generated",
    ),
    ("evaluation._requirements", "polars._frames"),
    ("evaluation._connection", "evaluation._views", "polars", "report"),
    ("evaluation._history_file", "evaluation._row_counts", "evaluation._user_metrics"),
    ("_history_plot", "evaluation._hints"),
    ("evaluation._partition", "evaluation._session"),
    ("spark._session",),
    ("evaluation._open_session", "spark._udf"),
    ("evaluation._results", "evaluation._systems_table", "spark.functions"),
    ("evaluation._comparison", "evaluation._history", "evaluation._request"),
    ("evaluation._compare", "evaluation._evaluate", "spark._tables"),
    ("evaluation", "spark"),
    (FRONT,),
    ("cli._common", "cli._demo", "cli._spark"),
    ("cli._gates", "cli._options"),
    ("cli._evaluation",),
    ("cli._history",),
    ("cli._main",),
    ("cli",),
    ("__main__",),
)
#: Modules that may import classes of a higher layer for annotations alone. The results call the modules that
#: draw and report, whose signatures name the classes of the results.
ONLY_TYPES = {
    ("_history_plot", "evaluation._history"),
    ("evaluation._history_file", "evaluation._results"),
    ("evaluation._systems_table", "evaluation._comparison"),
    ("plots", "evaluation._comparison"),
    ("plots", "evaluation._results"),
    ("report", "evaluation._comparison"),
    ("report", "evaluation._results"),
}
#: The modules for DuckDB. They may import neither the modules for Polars nor Polars itself.
FOR_DUCKDB = ("_static", "_table_macros", "duckdb", "hivemall")
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
    #: Whether only type checkers run the statement.
    is_type: bool
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
        for_types = {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
            for statement in node.body
            for inner in ast.walk(statement)
        }
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
                yield Import(module, *resolved(name), id(node) in for_types, node.lineno)


def faults(root: Path, layers: Sequence[Sequence[str]], only_types: set[tuple[str, str]]) -> list[str]:
    """Name imports that run upwards or between DuckDB and Polars, and errors in the table of layers."""
    heights = {module: height for height, layer in enumerate(layers) for module in layer}
    there = modules(root)
    found = [f"{module} is in no layer" for module in there if module not in heights]
    found += [f"{module} is in a layer, and is not there" for module in heights if module not in there]
    used = set()
    for each in imports(root):
        pair = (each.module, each.imported)
        # A module without a layer is in `found` already.
        runs_up = (
            each.is_own
            and {*pair} <= {*heights}
            and heights[each.imported] >= heights[each.module]
            and each.module != each.imported
        )
        if runs_up and pair in only_types:
            used.add(pair)
            runs_up = not each.is_type
        if runs_up:
            found.append(f"{each}, which is not below it")
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
    return found + [f"{module} names no class of {other}" for module, other in sorted(only_types - used)]


def test_no_import_runs_upwards() -> None:
    assert faults(Path(rankdcg_sql.__file__).parent, LAYERS, ONLY_TYPES) == []


#: A small package without a fault: the source of each module.
SOUND = {
    "__init__": "from importlib import import_module\nimport_module('rankdcg_sql.duckdb')",
    "_native": "import ctypes",
    "catalogue": "from rankdcg_sql import _native",
    "duckdb": "import duckdb\nfrom rankdcg_sql.catalogue import functions",
    "plots": "import typing\nif typing.TYPE_CHECKING:\n    from rankdcg_sql.results import Result",
    "polars/__init__": "from rankdcg_sql.polars._plugin import evaluate",
    "polars/_plugin": "import polars as pl\nfrom rankdcg_sql import _native, catalogue",
    "results": "class Result:\n    def plot(self):\n        from rankdcg_sql import plots",
}
LAYERS_OF_SOUND = (
    ("_native",),
    ("catalogue",),
    ("duckdb", "plots", "polars._plugin"),
    ("polars", "results"),
    (FRONT,),
)


@pytest.mark.parametrize(
    ("module", "source", "expected"),
    [
        ("results", SOUND["results"], []),
        (
            "_native",
            "def version():\n    from rankdcg_sql.catalogue import version\n    return version()",
            ["_native:2 imports catalogue, which is not below it"],
        ),
        (
            "catalogue",
            "def front():\n    import rankdcg_sql",
            ["catalogue:2 imports (package), which is not below it"],
        ),
        (
            "catalogue",
            "from importlib import import_module\nimport_module('rankdcg_sql.results')",
            ["catalogue:2 imports results, which is not below it"],
        ),
        (
            "catalogue",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from rankdcg_sql.duckdb import connect",
            ["catalogue:3 imports duckdb, which is not below it"],
        ),
        ("duckdb", "from rankdcg_sql import plots", ["duckdb:1 imports plots, which is not below it"]),
        (
            "plots",
            "from rankdcg_sql.results import Result",
            ["plots:1 imports results, which is not below it"],
        ),
        ("plots", "", ["plots names no class of results"]),
        ("polars/_plugin", "import duckdb", ["polars._plugin:1 imports duckdb, and is for Polars"]),
        (
            "polars/__init__",
            "from rankdcg_sql import duckdb",
            ["polars:1 imports duckdb, and is for Polars"],
        ),
        ("duckdb", "def frame():\n    import polars", ["duckdb:2 imports polars, and is not for Polars"]),
        (
            "results",
            "from rankdcg_sql.polars import _plugin",
            ["results:1 imports polars._plugin, and is not for Polars"],
        ),
        ("new", "", ["new is in no layer"]),
        ("results", None, ["results is in a layer, and is not there"]),
    ],
)
def test_imports_that_run_upwards_are_found(
    tmp_path: Path, module: str, source: str | None, expected: list[str]
) -> None:
    for name, text in (SOUND | {module: source}).items():
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        if text is not None:
            path.write_text(text, encoding="utf-8")
    found = faults(tmp_path, LAYERS_OF_SOUND, {("plots", "results")})
    if source is None:  # imports of a missing module are not the point here
        found = [each for each in found if "imports" not in each and "names" not in each]
    assert found == expected
