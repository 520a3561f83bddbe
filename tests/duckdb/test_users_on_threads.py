"""Aggregates of all users, whose results are written by several threads if there are many rows."""

from __future__ import annotations

import duckdb
import pytest
from support.sql import rows

#: A thread is worth half a million rows.
ROWS = 2_300_000
CALLS = {
    "rank_measures_by_user": "'ndcg@3, recall, rankdcg, auc'",
    "rank_metrics_at_by_user": "[2, NULL, 7]",
    "rankdcg_sql_measures_and_lists_by_user": "'mrr@2, precision(min_rel=2)@4'",
}
#: Users and items as SQL, of the numbers u and v.
IDS = {
    "integers": ("u::BIGINT", "v::BIGINT"),
    "short texts": ("u::VARCHAR", "v::VARCHAR"),
    "long texts": ("'the user with the number ' || u", "'the item with the number ' || v"),
}


@pytest.mark.parametrize("ids", IDS)
def test_threads_change_nothing(native: duckdb.DuckDBPyConnection, ids: str):
    """Not the order of users either, nor the lists beside which there is memory that no list needs."""
    user, item = IDS[ids]
    native.execute(f"""
        CREATE OR REPLACE TEMP TABLE t AS
        SELECT {user} AS u, {item} AS v, s, CASE WHEN s IS NULL THEN r END AS r
        FROM (
            SELECT hash(i) % 40_000 AS u, nullif(hash(i + 1) % 88, 0) AS v,
                CASE WHEN hash(i + 2) % 4 > 0 THEN (hash(i + 3) % 9)::DOUBLE END AS s,
                (hash(i + 1) % 4)::DOUBLE AS r
            FROM range({ROWS}) AS x(i)
        )
    """)
    for name, arguments in CALLS.items():
        query = f"SELECT unnest({name}(u, v, s, r, {arguments}), recursive := true) FROM t"
        if "lists" in name:  # relevant items have no order
            query = f"SELECT * REPLACE (list_sort(relevant) AS relevant) FROM ({query})"
        native.execute("SET threads = 1")
        native.execute(
            f"CREATE OR REPLACE TEMP TABLE alone AS SELECT row_number() OVER () AS n, * FROM ({query})"
        )
        for threads in (2, 5):
            native.execute(f"SET threads = {threads}")
            native.execute(f"CREATE OR REPLACE TEMP TABLE shared AS {query}")
            numbered = "SELECT row_number() OVER () AS n, * FROM shared"
            assert rows(native, f"({numbered}) EXCEPT (FROM alone)") == [], (name, threads)
            ((users, found),) = rows(
                native, "SELECT (SELECT count(*) FROM alone), (SELECT count(*) FROM shared)"
            )
            assert users == found > 40_000 - 100
    native.execute("SET threads = 2")
