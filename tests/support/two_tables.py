"""Truth and rec of three users, by whom evaluations are tested."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from rankdcg_sql import evaluate

Table = dict[str, list[Any]]

TRUTH: Table = {"userid": [1, 1, 1, 2, 3], "itemid": ["a", "b", "d", "c", "e"]}

REC: Table = {
    "userid": [1, 1, 1, 2, 2],
    "itemid": ["a", "c", "b", "a", "c"],
    "score": [0.9, 0.8, 0.3, 0.7, 0.6],
}

#: Statements of SQL that create both tables.
STATEMENTS = "; ".join(
    f"CREATE TABLE {name} AS FROM (VALUES {', '.join(map(str, zip(*table.values(), strict=True)))}) "
    f"AS t({', '.join(table)})"
    for name, table in (("truth", TRUTH), ("rec", REC))
)

#: NDCG at 2 of users 1, 2 and 3: a hit at rank 1 and two relevant items; a hit at rank 2 and one; no hit.
NDCG = {1: 1 / (1 + 1 / math.log2(3)), 2: 1 / math.log2(3), 3: 0.0}


def approx(expected: Any) -> Any:
    return pytest.approx(expected, rel=0, abs=1e-9, nan_ok=True)


def rounded(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The rows, with numbers that compare approximately."""
    return [tuple(round(cell, 9) if isinstance(cell, float) else cell for cell in row) for row in rows]


def select(relation: duckdb.DuckDBPyRelation, columns: str) -> list[tuple[Any, ...]]:
    """Some columns of a relation."""
    return relation.project(columns).fetchall()


def of_users(truth: Any, rec: Any, **arguments: Any) -> dict[Any, float]:
    """The values of one metric at one k, by user."""
    found = evaluate(truth, rec, **arguments).per_user.fetchall()
    return {user: value for user, _, _, value in found}


def written(folder: Path, name: str, table: Table, form: str) -> str:
    """Write a table to a file."""
    path = str(folder / name)
    relation = duckdb.from_arrow(pa.table(table))
    relation.query("it", f"COPY it TO '{path}' ({form})")
    return path


OF_ALL = {"userid": [1, 2, 3], "itemid": ["a", "a", "a"], "score": [1, 1, 1]}
