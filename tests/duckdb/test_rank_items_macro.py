"""The table macro of measures of items, which says what `evaluate` says of the same tables."""

from __future__ import annotations

import random

import duckdb
import pytest
from conftest import needs_duckdb_2
from support import reference

import rankdcg_sql

MEASURES = [f"{name}@{k}" for name in reference.PROPERTIES for k in (1, 3)]

TABLES = """
CREATE TABLE truth AS SELECT DISTINCT
    {user} AS userid, (hash(i, 1) % 20)::{kind} AS itemid, hash(i, 1, i % 30) % 3 AS rel
FROM range(90) AS r(i) QUALIFY row_number() OVER (PARTITION BY i % 30, hash(i, 1) % 20) = 1;
CREATE TABLE rec AS SELECT
    {user} AS userid, (hash(i, 2) % 22)::{kind} AS itemid, hash(i, 3) % 5 AS score
FROM range(200) AS r(i) QUALIFY row_number() OVER (PARTITION BY i % 30, hash(i, 2) % 22) = 1;
CREATE TABLE items AS SELECT
    i::{kind} AS itemid, hash(i) % 4 AS popularity, if(i % 5 = 0, NULL, 1 / (2 + i)) AS share,
    i % 2 = 0 AS long_tail, [i % 3, i % 4] AS categories, i % 3 AS "group"
FROM range(20) AS r(i);
"""


pytestmark = needs_duckdb_2


@pytest.mark.parametrize(
    ("user", "kind", "item"),
    [
        ("i % 30", "BIGINT", "itemid"),
        ("(i % 30)::VARCHAR", "VARCHAR", "itemid"),
        ("i % 30", "INT", "DATE '2020-01-01' + itemid"),
    ],
)
def test_values_are_those_of_evaluate(user: str, kind: str, item: str) -> None:
    with rankdcg_sql.connect() as con:
        con.execute(TABLES.format(user=user, kind=kind))
        for table in ("truth", "rec", "items"):
            con.execute(
                f"CREATE OR REPLACE TABLE {table} AS SELECT * REPLACE ({item} AS itemid) FROM {table}"
            )
        names = random.Random(kind).sample(MEASURES, len(MEASURES))
        rows = con.execute(
            "FROM rank_items(truth, rec, items, measures := $1, rel := 'rel') ORDER BY ALL", [names]
        ).fetchall()
        found = rankdcg_sql.evaluate("truth", "rec", metrics=names, rel="rel", items="items", con=con)
        values = found.per_user.project("userid, metric || '@' || k, value").fetchall()
        assert rows == sorted(values, key=lambda row: row[:2])


@pytest.mark.parametrize(
    ("call", "measures"),
    [
        ("rank_items(truth, rec, items, measures := $1)", ["coverage@2", "novelty@3", "long_tail_share@2"]),
        ("rank_measures(truth, rec, measures := $1)", ["ndcg@2", "P(min_rel=1)@3", "mrr"]),
    ],
)
def test_a_measure_named_again_has_no_more_rows(call: str, measures: list[str]) -> None:
    """More rows would make the users more than they are, and intervals of means too narrow."""
    with rankdcg_sql.connect() as con:
        con.execute(TABLES.format(user="i % 30", kind="BIGINT"))
        once = con.execute(f"FROM {call} ORDER BY ALL", [measures]).fetchall()
        assert len(once) == 30 * len(measures)
        assert {name for _, name, _ in once} == {*measures}
        first, *others = measures
        for again in ([first, *others, first], f"{first}, {others[0]},{first},{others[1]}, {others[0]}"):
            assert con.execute(f"FROM {call} ORDER BY ALL", [again]).fetchall() == once


WRONG = [
    ("measures := 'ndcg@3'", "it is no measure of items, and rank_measures computes it"),
    ("measures := 'vision@3'", "there is no metric 'vision'"),
    ("measures := 'novelty(of=price)'", "items must have the field price for novelty"),
    ("item := 'thing'", "rank_items: rec has no column thing"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_errors(arguments: str, message: str) -> None:
    with rankdcg_sql.connect() as con:
        con.execute(TABLES.format(user="i % 30", kind="BIGINT"))
        with pytest.raises(duckdb.Error, match=message):
            con.execute(f"FROM rank_items(truth, rec, items, {arguments})")
