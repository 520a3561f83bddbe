"""The wheel whose path is in RANKDCG_WHEEL."""

from __future__ import annotations

import os
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from support import process
from support.paths import ROOT
from support.skipping import skip_unless_ci

import rankdcg_sql

LIBRARY = Path(rankdcg_sql.extension_path())
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def wheel() -> Path:
    """The path of the wheel, from the environment."""
    path = os.environ.get("RANKDCG_WHEEL")
    if not path:
        skip_unless_ci("RANKDCG_WHEEL names no wheel")
    return Path(path).resolve()


@pytest.fixture(scope="module")
def unzipped(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the contents of the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_wheel_serves_every_python_on_one_platform(wheel: Path, unzipped: Path):
    name, version, python, abi, platform = wheel.stem.split("-")
    assert (name, python, abi) == ("rankdcg_sql", "py3", "none")
    assert platform != "any"
    (information,) = unzipped.glob("*.dist-info")
    described = Parser().parsestr((information / "WHEEL").read_text())
    assert described["Tag"] == f"py3-none-{platform}"
    assert described["Root-Is-Purelib"] == "false"
    package = Parser().parsestr((information / "METADATA").read_text())
    assert package["Version"] == version
    required = {
        line.partition(">=")[0] for line in package.get_all("Requires-Dist", []) if "extra ==" not in line
    }
    assert {"duckdb", "polars", "pyarrow"} <= required
    assert (information / "licenses" / "LICENSE").is_file()
    assert "rankdcg-sql = rankdcg_sql.cli:main" in (information / "entry_points.txt").read_text()


def test_wheel_is_small(wheel: Path):
    assert wheel.stat().st_size < 5 * MEGABYTE


def test_wheel_holds_all_files_and_one_library(unzipped: Path):
    def files(folder: Path, *patterns: str) -> set[str]:
        return {str(path.relative_to(folder)) for pattern in patterns for path in folder.rglob(pattern)}

    binaries = files(unzipped, "*.duckdb_extension", "*.so", "*.so.*", "*.dylib", "*.dll", "*.pyd")
    assert binaries == {f"rankdcg_sql/{LIBRARY.name}"}
    assert files(unzipped / "rankdcg_sql" / "queries", "*.sql") == files(ROOT / "queries", "*.sql") != set()
    dbt = Path("rankdcg_sql", "dbt")
    assert files(unzipped / dbt, "*.sql", "*.yml") == files(ROOT / dbt, "*.sql", "*.yml") != set()
    sources = files(unzipped / "rankdcg_sql", "*.py", "*.pyi")
    assert sources == files(ROOT / "rankdcg_sql", "*.py", "*.pyi")
    assert files(unzipped / "rankdcg_sql", "py.typed", "*.css") == {"py.typed", "report/report.css"}
    assert {path.name.partition("-")[0] for path in unzipped.iterdir()} == {"rankdcg_sql"}


def test_library_of_the_wheel_is_loaded(unzipped: Path):
    found = process.python(
        """
        import json
        import duckdb
        before, unsigned = duckdb.connect(), duckdb.connect(config={"allow_unsigned_extensions": "true"})
        import rankdcg_sql
        path = rankdcg_sql.extension_path()
        unsigned.execute("LOAD '{}'".format(path.replace("'", "''")))
        routes, numbers = [], []
        for con in (unsigned, before, rankdcg_sql.connect()):
            routes.append(rankdcg_sql.register(con).route)
            numbers.append(con.execute("SELECT recall_at([1, 2], [2, 3])").fetchall()[0][0])
        print(json.dumps([path, routes, numbers]))
        """,
        folder=unzipped,
    )
    last = "static" if rankdcg_sql._static.installed() else "load"
    library = unzipped / "rankdcg_sql" / LIBRARY.name
    assert found == [str(library), ["load", "udf", last], [0.5, 0.5, 0.5]]
