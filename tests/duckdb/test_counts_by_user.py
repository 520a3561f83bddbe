"""The counts of rows in `rank_evaluation_by_user`, against counts by DuckDB's own aggregates."""

from __future__ import annotations

import random
from itertools import product

import duckdb
import pytest
from conftest import needs_duckdb_2
from support.sql import insert

pytestmark = needs_duckdb_2

_COUNTED = """
SELECT userid,
    count(DISTINCT item) FILTER (score IS NOT NULL)
        + count(*) FILTER (item IS NULL AND score IS NOT NULL) AS retrieved,
    count(DISTINCT item) FILTER (rel IS NOT NULL)
        + count(*) FILTER (item IS NULL AND rel IS NOT NULL) AS judged,
    count(item) FILTER (score IS NOT NULL) - count(DISTINCT item) FILTER (score IS NOT NULL),
    count(item) FILTER (rel IS NOT NULL) - count(DISTINCT item) FILTER (rel IS NOT NULL)
FROM rows WHERE userid IS NOT NULL GROUP BY userid HAVING count(score) > 0 OR count(rel) > 0
"""
_FOUND = """
SELECT DISTINCT userid, retrieved, judged, retrieved_repeats, judged_repeats
FROM (SELECT unnest(rank_evaluation_by_user(userid, item, score, rel, {ks}), recursive := true) FROM rows)
"""


def write_rows(
    empty: duckdb.DuckDBPyConnection,
    rows: list[tuple[object, ...]],
    kinds: tuple[str, str] = ("BIGINT", "BIGINT"),
) -> None:
    empty.execute("CREATE OR REPLACE TABLE given (userid BIGINT, item BIGINT, score DOUBLE, rel DOUBLE)")
    insert(empty, "given", rows)
    empty.execute(
        f"CREATE OR REPLACE TABLE rows AS SELECT userid::{kinds[0]} AS userid, item::{kinds[1]} AS item, "
        "score, rel FROM given"
    )


KINDS = [("BIGINT", "BIGINT"), ("VARCHAR", "VARCHAR"), ("BIGINT", "VARCHAR")]
KS = ["[5]", "[1, 10]", "[3, NULL]"]


@pytest.mark.parametrize(
    ("kinds", "ks", "clustered"),
    [(kinds, ks, place % 2 == 0) for place, (kinds, ks) in enumerate(product(KINDS, KS))],
    ids=str,
)
def test_counts_are_those_of_sql(
    empty: duckdb.DuckDBPyConnection, kinds: tuple[str, str], ks: str, clustered: bool
) -> None:
    draw = random.Random(f"{kinds}{ks}{clustered}")
    rows: list[tuple[object, ...]] = []
    for user in [None, *range(60)]:
        items = draw.choice([3, 50, 400])
        recs, truths = draw.choice([0, 5, 80, 200]), draw.choice([0, 1, 30])
        for _ in range(recs):
            item, score = draw.choice([None, *[draw.randrange(items)] * 50]), draw.random()
            rows.append((user, item, draw.choice([None, *[score] * 9]), None))
        rows += [(user, draw.choice([None, *[draw.randrange(items)] * 9]), None, 1.0) for _ in range(truths)]
    if not clustered:
        draw.shuffle(rows)
    write_rows(empty, rows, kinds)
    largest = None if "NULL" in ks else int(ks.strip("[]").split(", ")[-1])
    found = {row[0]: row[1:] for row in empty.execute(_FOUND.format(ks=ks)).fetchall()}
    expected = {row[0]: row[1:] for row in empty.execute(_COUNTED).fetchall()}
    assert found.keys() == expected.keys()
    for user, (retrieved, judged, repeats, judged_repeats) in expected.items():
        shown = retrieved if largest is None else min(retrieved, largest)
        assert found[user][:2] == (shown, judged), user
        assert found[user][3] == judged_repeats, user
        assert found[user][2] == repeats or (found[user][2] is None and largest is not None), user


@pytest.mark.parametrize("recs", [40, 100, 2047, 2048, 2049, 5000])
def test_distinct_items_are_known_to_be_so_if_users_are_clustered(
    empty: duckdb.DuckDBPyConnection, recs: int
) -> None:
    empty.execute(
        f"CREATE TABLE rows AS SELECT i // {recs} AS userid, i % {recs} AS item, "
        f"hash(i) % 1000 / 7 AS score, NULL::DOUBLE AS rel FROM range({recs * 30}) AS t(i)"
    )
    found = empty.execute(_FOUND.format(ks="[5]")).fetchall()
    assert sorted(found) == [(user, 5, 0, 0, 0) for user in range(30)]


@pytest.mark.parametrize("first", [0, 90])
def test_a_repeat_of_a_dropped_row_is_not_missed(empty: duckdb.DuckDBPyConnection, first: int) -> None:
    # User 1 has 100 items between rows of other users, and one of them once more at the end.
    rows: list[tuple[object, ...]] = [(0, item, 1.0, None) for item in range(300)]
    rows += [(1, item, float(item), None) for item in range(100)]
    rows += [(2, item, 1.0, None) for item in range(300)]
    rows += [(1, first, 0.5, None)]
    write_rows(empty, rows)
    found = {row[0]: row[3] for row in empty.execute(_FOUND.format(ks="[5]")).fetchall()}
    assert found[1] in (None, 1)
    assert (found[0], found[2]) == (0, 0)


def test_a_relevance_that_is_nan_judges_nothing_without_an_item(empty: duckdb.DuckDBPyConnection) -> None:
    nan = float("nan")
    write_rows(empty, [(1, None, None, nan), (1, 7, 1.0, None), (2, None, None, 1.0), (2, 7, 1.0, None)])
    found = {row[0]: row[2] for row in empty.execute(_FOUND.format(ks="[5]")).fetchall()}
    assert found == {1: 0, 2: 1}
