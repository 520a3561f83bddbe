"""`rank_explain` over lists, rows and all users: the items that a value is made of."""

from __future__ import annotations

import random
from dataclasses import replace
from math import fsum, log2
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest
from conftest import needs_duckdb_2
from support import rankings, reference
from support.engines import Core
from support.rankings import EXPLAINED, Types
from support.sql import rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.rankings import Batch

#: The options of an explanation: those of its metric, and the metric.
OPTIONS = "concat_ws(',', 'metric={}', nullif(options, ''))"


def batches(name: str, kind: str, types: Types | None = None) -> Iterator[Batch]:
    """Random rankings that are no error. Those of rows have one k and one text of options."""
    chance, core = random.Random(f"{name} {kind} {types}"), Core()
    for _ in range(3):
        batch = rankings.draw(chance, name, kind, types)
        k, options = batch.rows[0].k, batch.rows[0].options
        valid = []
        for row in batch.rows[:60]:
            try:
                if kind == "rows":
                    row = replace(row, k=k, options=options)
                    rankings.expected(batch, row)
                else:
                    core.one(name, kind, row.args, row.k, **row.options)
            except ValueError:
                continue
            valid.append(row)
        if valid:
            yield replace(batch, rows=valid)


def check_sum(value: float | None, items: list[dict[str, Any]]) -> None:
    """The contributions add up to the value, unless a rule for empty rankings gives it."""
    assert {item["value"] for item in items} <= {value}
    added = [item["contribution"] for item in items]
    if None in added or not added:
        assert {*added} <= {None}
        assert value in (None, 0, 1)
    else:
        assert value is not None
        assert abs(fsum(added) - value) <= 1e-12 * max(1, abs(value))
    ranks = [item["rank"] for item in items]
    retrieved = [rank for rank in ranks if rank is not None]
    assert ranks == sorted(retrieved) + [None] * (len(ranks) - len(retrieved))
    assert all(item["rank"] is None or item["rank"] <= item["last_rank"] for item in items)
    assert all(item["if_found"] is None or item["rel"] > 0 for item in items)


def check_places(kind: str, rec: list[Any], truth: Any, items: list[dict[str, Any]]) -> None:
    """Each item is where it says to be in the two lists, and has the relevance that is there."""
    if kind == "ids":
        truth = [(item, 1.0) for item in truth]
    judged = [*truth.items()] if isinstance(truth, dict) else truth
    places = [item["rec_place"] for item in items if item["rec_place"]]
    assert len(places) == len({*places})
    for item in items:
        place, judgement = item["rec_place"], item["truth_place"]
        if kind == "lists":  # relevances alone; a 0 that is not in truth is no judgement
            there = judged[judgement - 1] if place is None else rec[place - 1]
            assert (item["rel"] or 0) == (there or 0)
            continue
        assert (judgement is None) == (item["rel"] is None)
        if judgement:
            named, rel = judged[judgement - 1]
            assert item["rel"] == rel
            assert named == rec[place - 1] if place else named not in rec


@pytest.mark.parametrize("metric", EXPLAINED)
def test_contributions_in_lists_add_up_to_the_value(native: duckdb.DuckDBPyConnection, metric: str) -> None:
    name, seen = EXPLAINED[metric], 0
    for kind in ("ids", "map", "structs", "lists") if metric != "rankdcg" else ("map", "structs", "lists"):
        for batch in batches(name, kind):
            columns = rankings.columns(batch)
            names = ["rec", "truth", "k", "options"] if len(columns) == 4 else ["rec", "truth", "options"]
            native.register("batch", pa.table(dict(zip(names, columns, strict=True))))
            k = ", k" if "k" in names else ""
            query = f"""
                SELECT {name}(rec, truth{k}, options), rank_explain(rec, truth{k}, {OPTIONS.format(metric)})
                FROM batch
            """
            for row, (value, items) in zip(batch.rows, rows(native, query), strict=True):
                rec, truth = row.args
                if items is None:
                    assert truth is None
                    continue
                check_sum(value, items)
                check_places(kind, rec or [], truth, items)
                seen += len(items)
    assert seen > 500


#: The types of items that the aggregates return, and those of scores.
ROW_TYPES = [
    Types("numbers", "int64", "int64", "float64", "float64"),
    Types("numbers", "uint8", "uint8", "int64", "decimal"),
    Types("texts", "string", "string", "float32", "int32"),
    Types("texts", "enum", "enum", "uint64", "bool"),
    Types("numbers", "int32", "int32", "decimal", "uint8"),
]


@needs_duckdb_2
@pytest.mark.parametrize("metric", EXPLAINED)
def test_contributions_of_rows_add_up_to_the_value(native: duckdb.DuckDBPyConnection, metric: str) -> None:
    """Each group has the score of each item, and the function of all users has the same items."""
    name, seen = EXPLAINED[metric], 0
    chance = random.Random(metric)
    for batch in (batch for types in ROW_TYPES for batch in batches(name, "rows", types)):
        lists, *others = rankings.columns(batch)
        table = {"userid": pa.array(range(len(lists))), "rows": lists, "options": others[-1]}
        if len(others) == 2:
            table["k"] = others[0]
        native.register("batch", pa.table(table))
        user = chance.choice(["userid", "userid::VARCHAR || ' is a user'"])
        arguments = f"item, score, rel{', k' if 'k' in table else ''}"
        explained = OPTIONS.format(metric)
        native.execute(f"""
            CREATE OR REPLACE TEMP TABLE t AS
            SELECT {user} AS userid, unnest(rows, recursive := true), * EXCLUDE (userid, rows) FROM batch
        """)
        found = rows(
            native,
            f"""
            SELECT userid, {name}_rows({arguments}, options),
                rank_explain_rows({arguments}, {explained})
            FROM t GROUP BY userid ORDER BY ALL
            """,
        )
        of_all = rows(native, f"SELECT unnest(rank_explain_by_user(userid, {arguments}, {explained})) FROM t")
        by_user: dict[Any, list[dict[str, Any]]] = {}
        for each in of_all:
            by_user.setdefault(each.pop("userid"), []).append(each)
        precision = reference.score_type(dict(batch.rows[0].options))
        pool = rankings.pool(batch.types)
        users = {str(place): row for place, row in enumerate(batch.rows)}
        for userid, value, items in found:
            assert by_user.get(userid, []) == (items or [])
            if items is None:
                assert value is None
                continue
            check_sum(value, items)
            seen += len(items)
            best: dict[Any, float] = {}
            for item, score, _ in users[str(userid).partition(" ")[0]].args[0]:
                if item is not None and score is not None:
                    score = reference.compared(score, precision)
                    best[pool[item]] = max(score, best.get(pool[item], score))
            for item in items:
                if item["item"] is not None:
                    assert item["score"] == best.get(item["item"])
    assert seen > 500


#: Two items of one score, one of which is cut off: c is in the top 2 as often as b.
REC = "SELECT 1 AS userid, unnest(['a', 'b', 'c', 'd']) AS item, unnest([0.9, 0.5, 0.5, 0.1]) AS score"
TRUTH = "SELECT 1, unnest(['a', 'c', 'e', 'd']), unnest([3, 1, 2, 1])"
#: The ideal discounted gain of the top 2: gains 7 and 3.
IDEAL = 7 + 3 / log2(3)
#: For each metric at 2, what a and c add, and what d and e would have added in the place of b.
#: A hit besides c is above the cutoff for sure; one of two hits is at rank 2.
BY_HAND = {
    "ndcg": [7 / IDEAL, 0.5 / log2(3) / IDEAL, 0.5 / log2(3) / IDEAL, 1.5 / log2(3) / IDEAL],
    "precision": [0.5, 0.25, 0.25, 0.25],
    "recall": [0.25, 0.125, 0.125, 0.125],
    "average_precision": [0.25, 0.125, 0.125, 0.125],
    "mrr": [1, 0, 0, 0],
}


@needs_duckdb_2
@pytest.mark.parametrize("metric", BY_HAND)
def test_values_by_hand(native: duckdb.DuckDBPyConnection, metric: str) -> None:
    adds_a, adds_c, finds_d, finds_e = (pytest.approx(value, abs=1e-12) for value in BY_HAND[metric])
    found = rows(
        native,
        f"""
        SELECT item, rank, last_rank, score, rel, contribution, if_found FROM (
            SELECT unnest(
                rank_explain_by_user(userid, item, score, rel, 2, 'metric={metric}'), recursive := true
            )
            FROM ({REC}) FULL JOIN ({TRUTH}) AS t(userid, item, rel) USING (userid, item)
        )
        """,
    )
    assert found == [
        ("a", 1, 1, 0.9, 3, adds_a, None),
        ("b", 2, 3, 0.5, None, 0, None),
        ("c", 2, 3, 0.5, 1, adds_c, None),
        ("d", 4, 4, 0.1, 1, 0, finds_d),
        ("e", None, None, None, 2, 0, finds_e),
    ]


#: Types of scores, with expressions over x that use all of their digits.
SCORES = {
    "DOUBLE": "x / 7 - 1e-300",
    "FLOAT": "x / 7 - 3",
    "TINYINT": "x - 5",
    "BIGINT": "9223372036854775807 - abs(x) * 4096",
    "UBIGINT": "18446744073709551615 - abs(x) * 4096",
    "HUGEINT": "-170141183460469231731687303715884105727 + abs(x)",
    "UHUGEINT": "abs(x * 3)::UHUGEINT",
    "DECIMAL(9, 2)": "x / 4 - 2",
    "DECIMAL(18, 6)": "x / 64 - 123456.789",
    "DECIMAL(38, 10)": "x / 1024 - 1e10",
}


@needs_duckdb_2
@pytest.mark.parametrize("item", ["x", "'an item with a long name ' || x"])
@pytest.mark.parametrize("kind", SCORES)
def test_scores_are_those_of_the_column(native: duckdb.DuckDBPyConnection, kind: str, item: str) -> None:
    """Beside scores of 128 bits, integers are kept as bytes, and come back as integers."""
    table = f"""
        SELECT {item} AS item, ({SCORES[kind]})::{kind} AS score, if(x < 3, 1, NULL) AS rel
        FROM range(-40, 40) AS r(x)
    """
    expected = {*rows(native, f"SELECT item, score::DOUBLE FROM ({table})")}
    assert len(expected) == 80
    for call in ("rank_explain_by_user(1, item, score, rel)", "rank_explain_rows(item, score, rel)"):
        found = rows(native, f"SELECT unnest({call}, recursive := true) FROM ({table})")
        place = len(found[0]) - 11  # after the user, if there is one
        assert {(row[place + 1], row[place + 4]) for row in found} == expected


def make_large(con: duckdb.DuckDBPyConnection, item: str) -> None:
    """Make tables of users with as many items as blocks and vectors have rows, and a few more or less."""
    con.execute(f"""
        CREATE OR REPLACE TABLE rec AS
        SELECT u AS userid, {item} AS itemid, hash(u, x) / 1e9 AS score
        FROM (SELECT unnest([1, 31, 32, 33, 64, 65, 1023, 1024, 1025, 2047, 2048, 2049, 5000]) AS u),
            range(u) AS r(x)
        UNION ALL SELECT u, {item}, hash(u, x) / 1e9 FROM range(10000, 14000) AS u(u), range(u % 20) AS r(x)
    """)
    con.execute(f"""
        CREATE OR REPLACE TABLE truth AS
        SELECT userid, itemid, 1 + hash(itemid) % 3 AS rel FROM rec WHERE hash(userid, itemid) % 5 = 0
        UNION ALL SELECT userid, {item}, 1 FROM (SELECT DISTINCT userid FROM rec), range(9000, 9003) AS r(x)
    """)


@needs_duckdb_2
@pytest.mark.parametrize("item", ["x", "repeat('-', (x % 13)::INTEGER) || x"])
def test_users_of_every_size_have_the_items_of_plain_sql(empty: duckdb.DuckDBPyConnection, item: str) -> None:
    """The same to the last bit from rows in any order, on any number of threads, and of groups."""
    make_large(empty, item)
    expected = rows(
        empty,
        """
        SELECT userid, itemid, rank, score, rel,
            if(rank <= 10, (2 ** coalesce(rel, 0) - 1) / log2(rank + 1), 0)
        FROM (
            SELECT *, row_number() OVER (PARTITION BY userid ORDER BY score DESC) AS rank
            FROM rec LEFT JOIN truth USING (userid, itemid)
        )
        WHERE rank <= 10 OR rel > 0
        UNION ALL SELECT userid, itemid, NULL, NULL, rel, 0 FROM truth ANTI JOIN rec USING (userid, itemid)
        ORDER BY userid, itemid
        """,
    )
    explained = "FROM rank_explain(truth, {}, k := 10, rel := 'rel', metrics := 'dcg')"
    query = f"SELECT userid, itemid, rank, score, rel, contribution {explained} ORDER BY userid, itemid"
    found = rows(empty, query.format("rec"))
    assert len(found) == len(expected) > 30000
    assert [row[:5] for row in found] == [row[:5] for row in expected]
    assert all(abs(one[5] - other[5]) < 1e-12 for one, other in zip(found, expected, strict=True))
    empty.execute("CREATE TABLE shuffled AS FROM rec ORDER BY hash(userid, itemid, 7)")
    empty.execute("SET threads = 4")
    assert rows(empty, f"{explained.format('shuffled')} ORDER BY ALL") == rows(
        empty, f"{explained.format('rec')} ORDER BY ALL"
    )
    (differences,) = rows(
        empty,
        f"""
        SELECT count(*) FROM (
            SELECT userid, unnest(items, recursive := true) FROM (
                SELECT userid, rank_explain_rows(itemid, score, rel, 10, 'metric=dcg') AS items FROM (
                    SELECT userid, itemid, score, NULL AS rel FROM rec
                    UNION ALL SELECT userid, itemid, NULL, rel FROM truth
                ) GROUP BY userid
            )
        ) AS g FULL JOIN ({explained.format("rec")}) AS a ON g.userid = a.userid AND g.item = a.itemid
        WHERE (g.rank, g.contribution, g.if_found, g.value)
            IS DISTINCT FROM (a.rank, a.contribution, a.if_found, a.value)
        """,
    )
    assert differences == 0


#: The sentence of errors about a metric.
ONE_OF = f"metric must be {', '.join([*EXPLAINED][:-1])} or rankdcg, got"
OF_MRR = "metric, min_rel, no_relevant, empty_rec, duplicates, unjudged, convention"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("metric=auc", f"{ONE_OF} 'auc'"),
        ("gain=linear, metric=nothing", f"{ONE_OF} 'nothing'"),
        ("metric=ndcg, metric=dcg", "option 'metric' is given twice"),
        ("metric=err", "max_rel must be given, the highest possible grade, such as max_rel=4"),
        ("metric=mrr, p=0.5", f"unknown option 'p', the options here are {OF_MRR}"),
        ("metric=rankdcg", "needs graded truth: a map or structs of item and relevance"),
    ],
)
def test_options_are_those_of_the_metric(
    native: duckdb.DuckDBPyConnection, options: str, sentence: str
) -> None:
    with pytest.raises(duckdb.InvalidInputException) as caught:
        native.execute(f"SELECT rank_explain([1, 2], [1], 2, '{options}')")
    assert str(caught.value).split("\n")[0].endswith(f"rank_explain: {sentence}")


def test_metrics_vary_from_row_to_row(native: duckdb.DuckDBPyConnection) -> None:
    """A metric without a cutoff takes no notice of k."""
    found = rows(
        native,
        """
        SELECT [each.contribution FOR each IN items] FROM (
            SELECT rank_explain(['a', 'b', 'c'], MAP {'b': 2, 'c': 1}, k, 'metric=' || metric) AS items
            FROM (VALUES ('precision', 2), ('rbp, p=0.5', 2), ('r_precision', 1), ('mrr', 3)) AS t(metric, k)
        )
        """,
    )
    assert found == [[0, 0.5, 0], [0, 0.25, 0], [0, 0.5, 0], [0, 0.5, 0]]
