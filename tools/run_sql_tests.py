"""Run the files of `tests/sql` by DuckDB's own program for them, with the extension in `build/release`.

The program calls a method of relations that DuckDB 2.0 no longer has.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqllogic import test_sqllogic


def fetchone(self: duckdb.DuckDBPyRelation) -> Any:
    """Return the first row; None if there is none."""
    rows = self.limit(1).fetchall()
    return rows[0] if rows else None


duckdb.DuckDBPyRelation.fetchone = fetchone
FOLDER = Path(__file__).parents[1] / "tests" / "sql"
# Neither the settings nor the fixtures of this repository are for these tests.
options = ["-c", os.devnull, "-p", "no:cacheprovider", f"--duckdb-root-dir={FOLDER}", f"--test-dir={FOLDER}"]
sys.exit(pytest.main([test_sqllogic.__file__, *options, "--build-dir=build/release"]))
