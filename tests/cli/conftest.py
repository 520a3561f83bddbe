"""Working directories for commands."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from support.commands import FILES


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def tables(here: Path) -> Path:
    """A working directory with tables of three users, in files and in the database `shop.db`."""
    for name, text in FILES.items():
        Path(name).write_text(text)
    with duckdb.connect("shop.db") as con:
        for table, file in {"truth": "truth", "rec": "rec", "popular": "rec", "mine": "mine"}.items():
            con.execute(f"CREATE TABLE {table} AS FROM '{file}.csv'")
        con.execute("COPY truth TO 'truth.parquet'; COPY rec TO 'rec.parquet'")
        con.execute("COPY rec TO 'popular.csv'; COPY mine TO 'mine.parquet'; COPY rec TO 'popular.parquet'")
    return here
