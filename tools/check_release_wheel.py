"""Test the wheels of a folder with the newest and the oldest engines.

``python tools/check_release_wheel.py dist`` needs Python alone: it runs wherever a wheel is built. Each
environment is made anew, outside of the clone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ["tests/metrics/test_golden.py", "tests/polars/test_polars_lists.py"]
OLDEST = ["duckdb==1.5.0", "polars==1.28.1"]
TOOLS = ["hypothesis", "pandas", "pytest", "scipy"]


def test_wheel(wheel: Path, engines: list[str], variables: dict[str, str]) -> None:
    """Install a wheel with versions of engines, and run tests on it."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "Scripts" if sys.platform == "win32" else "bin", "python")
        pip = [python, "-m", "pip", "install", "-q", "--only-binary", ":all:"]
        subprocess.run([*pip, wheel, *engines, *TOOLS], check=True)
        # -P keeps the package of the clone, which has no library, out of the way.
        pytest = [python, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS]
        subprocess.run(pytest, cwd=ROOT, env=os.environ | variables, check=True)


def load_library(wheel: Path) -> None:
    """Open the library of a wheel for musl, for which there is no wheel of DuckDB to run tests with."""
    code = """
import ctypes, sys, zipfile
path = zipfile.ZipFile(sys.argv[1]).extract("rankdcg_sql/rankdcg.duckdb_extension", sys.argv[2])
ctypes.CDLL(path).rankdcg_init_c_api
"""
    container = ["docker", "run", "--rm", "-v", f"{wheel.parent}:/dist", "python:3.12-alpine"]
    command = ["python", "-c", code, f"/dist/{wheel.name}", "/tmp"]
    subprocess.run([*container, *command], check=True)


if __name__ == "__main__":
    wheels = sorted(Path(sys.argv[1]).resolve().glob("*.whl"))
    if not wheels:
        sys.exit(f"{sys.argv[1]} has no wheel")
    for path in wheels:
        if "musllinux" in path.name:
            load_library(path)
        else:
            test_wheel(path, [], {})
            test_wheel(path, OLDEST, {"RANKDCG_OLD_DUCKDB": "1"})
