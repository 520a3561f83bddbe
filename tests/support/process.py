"""Python scripts and the DuckDB command line in processes of their own.

Tests need them to choose the order of imports, or to import a second copy of the package.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rankdcg_sql
from support.skipping import skip_unless_ci

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGE = Path(rankdcg_sql.__file__).parent


def run(
    script: str, *arguments: str, folder: Path = PACKAGE.parent, path: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a script that can import the package from `folder` and modules from `path`. Warnings are errors.

    A script that has not ended after five minutes fails the test.
    """
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(script), *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *path])},
        timeout=300,
    )


def python(script: str, *arguments: str, folder: Path = PACKAGE.parent, path: Sequence[str] = ()) -> Any:
    """Run a script that must succeed, and return the JSON in the last line that it prints.

    On a busy machine, DuckDB draws progress bars above it.
    """
    done = run(script, *arguments, folder=folder, path=path)
    assert done.returncode == 0, done.stderr or f"ended by signal {-done.returncode}"
    return json.loads(done.stdout.rstrip().rpartition("\n")[2])


def unread(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command ``rankdcg-sql`` with a pipe as its standard output that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run(
            [sys.executable, "-P", "-m", "rankdcg_sql", *arguments],
            stdout=writer,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(PACKAGE.parent)},
            timeout=300,
        )
    finally:
        os.close(writer)


def duckdb() -> str:
    """Return the path of the DuckDB command line beside this Python."""
    found = shutil.which("duckdb", path=Path(sys.executable).parent)
    if found is None:
        skip_unless_ci("duckdb-cli is not installed")
    return found
