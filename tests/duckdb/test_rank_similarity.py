"""The table macro `rank_similarity`: the similarities of the recommendations of two systems, user by user."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import duckdb
import pytest
from conftest import needs_duckdb_2
from support import reference
from support.sql import rows
from test_table_macros import EQUAL, TYPES, make_dirty

pytestmark = needs_duckdb_2

NAMES = ", ".join(reference.SIMILARITIES)


def scored(con: duckdb.DuckDBPyConnection, table: str) -> dict[Any, list[dict[str, Any]]]:
    """The items of each user with their scores. Texts are compared as bytes."""
    found = defaultdict(list)
    for user, item, score in rows(con, f"SELECT userid, itemid, score FROM {table} WHERE NOT isnan(score)"):
        found[user].append({"item": item.encode() if isinstance(item, str) else item, "score": score})
    found.pop(None, None)
    return found


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind != "JSON"])
def test_the_values_are_those_of_lists(empty: duckdb.DuckDBPyConnection, kind: str) -> None:
    make_dirty(empty, 3, kind, kind)
    query = f"SELECT userid, k, {NAMES} FROM rank_similarity(rec, old, k := [1, 4, NULL], options := 'p=0.7')"
    found = {(user, k): values for user, k, *values in rows(empty, query)}
    of_rec, of_old = (scored(empty, table) for table in ("rec", "old"))
    expected = {
        (user, k): [
            reference.similarity(
                name, of_rec.get(user), of_old.get(user), k, **({"p": 0.7} if name == "rbo" else {})
            )
            for name in reference.SIMILARITIES
        ]
        for user in {*of_rec, *of_old}
        for k in (1, 4, None)
    }
    assert found.keys() == expected.keys()
    for key, values in expected.items():
        near = [None if each is None else pytest.approx(each, abs=1e-12) for each in values]
        assert found[key] == near, key
    # Users of one table only are there.
    assert len(of_rec.keys() ^ of_old.keys()) > 1
    assert str(empty.sql(query).types[0]).partition("(")[0] == kind.partition("(")[0]


def test_scores_of_each_table_keep_their_type(empty: duckdb.DuckDBPyConnection) -> None:
    """2^53 and 2^53 + 1 are one number of floating point, which the scores of the other table have."""
    empty.execute("""
        CREATE TABLE a AS FROM (VALUES (1, 'a', 9007199254740992), (1, 'b', 9007199254740993)) AS t(u, i, s);
        CREATE TABLE b AS FROM (VALUES (1, 'b', 0.5::DOUBLE), (1, 'a', 0.25)) AS t(u, i, s)
    """)
    columns = "user := 'u', item := 'I', score := 's'"
    assert rows(empty, f"SELECT tau_ap FROM rank_similarity(a, b, {columns})") == [1.0]


def test_k_and_options_are_parameters(empty: duckdb.DuckDBPyConnection) -> None:
    empty.execute("CREATE TABLE t AS FROM (VALUES (1, 'a', 2), (1, 'b', 1)) AS t(userid, itemid, score)")
    empty.execute("CREATE TABLE r AS FROM (VALUES (1, 'b', 2), (1, 'c', 1)) AS t(userid, itemid, score)")
    query = "SELECT k, overlap FROM rank_similarity(t, r, k := $1, options := $2) ORDER BY k NULLS LAST"
    assert rows(empty, query, [[2, 8, 2], "overlap_denominator=k"]) == [(2, 0.5), (8, 0.125)]
    assert rows(empty, query, [None, None]) == [(None, 0.5)]
    assert rows(empty, "SELECT DISTINCT k FROM rank_similarity(t, r)") == [10]


@pytest.mark.parametrize("name", ["both_tables", "rankings_of_users", "compared"])
def test_tables_with_the_names_that_the_macro_uses(empty: duckdb.DuckDBPyConnection, name: str) -> None:
    empty.execute(
        f"CREATE TABLE {name} AS FROM (VALUES (1, 'a', 2), (2, 'b', 1)) AS t(userid, itemid, score)"
    )
    assert rows(empty, f"SELECT rbo FROM rank_similarity({name}, {name})") == [1.0, 1.0]
    of_cte = f"WITH {name} AS (FROM {name} LIMIT 1) SELECT rbo FROM rank_similarity({name}, '{name}')"
    assert rows(empty, of_cte) == [1.0]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_equal_users_are_one_user(empty: duckdb.DuckDBPyConnection, one: str, other: str) -> None:
    empty.execute(f"CREATE TABLE a AS SELECT {one} AS userid, 1 AS itemid, 1 AS score")
    empty.execute(f"CREATE TABLE b AS SELECT {other} AS userid, 1 AS itemid, 1 AS score")
    assert rows(empty, f"SELECT userid = {one}, jaccard_index FROM rank_similarity(a, b)") == [(True, 1.0)]


def test_the_plan_reads_each_table_once(empty: duckdb.DuckDBPyConnection) -> None:
    empty.execute("CREATE TABLE a AS SELECT 1 AS userid, 1 AS itemid, 1 AS score; CREATE TABLE b AS FROM a")
    plan = "".join(row[1] for row in empty.execute("EXPLAIN FROM rank_similarity(a, b)").fetchall())
    assert plan.lower().count("seq scan") == 2
