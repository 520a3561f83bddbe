"""Tables on Spark give the results that the same tables give in DuckDB, and the same errors and warnings."""

from __future__ import annotations

import decimal
import math
import os
import random
import warnings
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from conftest import needs_duckdb_2
from support import golden

import rankdcg_sql
from rankdcg_sql.spark import _session, evaluate, explain, register

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from rankdcg_sql import Comparison, Evaluation

TRUTH = {"userid": [1, 1, 1, 2, 3], "itemid": ["a", "b", "d", "c", "e"], "rel": [1.0, 2.0, 3.0, 1.0, 1.0]}
REC = {
    "userid": [1, 1, 1, 2, 2, 9],
    "itemid": ["a", "c", "b", "a", "c", "a"],
    "score": [0.9, 0.8, 0.3, 0.7, 0.6, 0.1],
}
#: For each kind of ids, the types in truth and in rec, and the value of a number.
IDS: dict[str, tuple[pa.DataType, pa.DataType, Callable[[int], Any]]] = {
    "int": (pa.int64(), pa.int64(), lambda n: n * 2**40 - 3),
    "widths": (pa.int32(), pa.int64(), lambda n: n - 3),
    "narrow": (pa.int16(), pa.int8(), lambda n: n - 3),
    "text": (pa.string(), pa.string(), lambda n: ["", "ä", "A", "a ", "b" * 300][n % 5] + str(n // 5)),
    "float": (pa.float32(), pa.float64(), lambda n: [-0.0, math.nan, math.inf][n] if n < 3 else n / 4),
    "decimal": (pa.decimal128(9, 2), pa.int32(), lambda n: decimal.Decimal(n)),
    "date": (pa.date32(), pa.date32(), lambda n: n),
    "time": (pa.timestamp("us", "UTC"), pa.timestamp("us", "UTC"), lambda n: n * 10**9),
    "bytes": (pa.binary(), pa.binary(), lambda n: bytes([n])),
    "boolean": (pa.bool_(), pa.bool_(), lambda n: n % 2 == 0),
}
#: The metrics and options of random evaluations.
ASKED: list[dict[str, Any]] = [
    {},
    {"metrics": ["ndcg", "rankdcg", "r_precision"], "k": [1, None], "gain": "linear"},
    {"metrics": ["err", "rbp", "auc", "mrr"], "k": 3, "max_rel": 4, "ties": "pessimistic"},
    {"metrics": ["ndcg", "average_precision"], "k": [2, 4], "convention": "trec_eval", "users": "both"},
    {"metrics": ["cg", "dcg", "idcg", "f1"], "k": 2, "no_relevant": "zero"},
    {"metrics": "rankdcg", "unjudged": "skip"},
    {"metrics": ["ndcg@3", "MAP", "recall@all", "rankdcg", "P(rel=2)", "ndcg(gain=linear,idcg=k)@3"], "k": 2},
]


def tables(
    seed: int, users: str = "int", items: str = "text", graded: bool = True
) -> tuple[pa.Table, pa.Table]:
    """Make truth and rec at random, with NULL, NaN, repeats, ties, and users of one table alone."""
    chance = random.Random(seed)
    user_types, item_types = IDS[users], IDS[items]
    relevances = {}

    def pair(place: int) -> tuple[Any, Any]:
        user = None if chance.random() < 0.05 else chance.randrange(3 * place, 25 + 3 * place)
        item = None if chance.random() < 0.05 else chance.randrange(12)
        return user, item

    judged: list[tuple[Any, ...]] = []
    for _ in range(120):
        key = pair(0)
        # A user has one segment, and an item of a user one relevance.
        rel = relevances.setdefault(key, chance.choice([0.0, 1.0, 1.0, 2.0, 4.0, 0.5]))
        judged.append((*key, chance.choice([rel] * 9 + [None, math.nan]), (key[0] or 0) % 3))
    retrieved = [
        (*pair(1), chance.choice([None, math.nan, math.inf, -1.0, 0.0, 0.1, 0.25, 0.5, 0.7]))
        for _ in range(200)
    ]

    def ids(rows: Sequence[tuple[Any, ...]], column: int, place: int, kind: tuple[Any, ...]) -> pa.Array:
        return pa.array([None if row[column] is None else kind[2](row[column]) for row in rows], kind[place])

    truth = {"userid": ids(judged, 0, 0, user_types), "itemid": ids(judged, 1, 0, item_types)}
    rec = {"userid": ids(retrieved, 0, 1, user_types), "itemid": ids(retrieved, 1, 1, item_types)}
    if graded:
        truth["rel"] = pa.array([row[2] for row in judged], pa.float64())
    truth["segment"] = pa.array([row[3] for row in judged], pa.int32())
    return pa.table(truth), pa.table(rec | {"score": pa.array([row[2] for row in retrieved], pa.float64())})


def on_spark(spark: Any, *given: Any) -> list[Any]:
    made = [each if isinstance(each, pa.Table) else pa.table(each) for each in given]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return [spark.createDataFrame(each) for each in made]


def outcome(call: Callable[[], Evaluation | Comparison]) -> tuple[Any, ...]:
    """Everything that a call says: its values, counts and warnings, or its error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", rankdcg_sql.DataWarning)
        try:
            result = call()
        except rankdcg_sql.CallError as error:
            return type(error), error.function, error.argument, error.kind, str(error)
    evaluations = [result] if result.kind == "evaluation" else result.evaluations.values()
    return (
        # NaN is a user, and not equal to itself.
        [repr(each.ordered.to_pylist()) for each in evaluations],
        [each.ordered.schema for each in evaluations],
        [each.counts for each in evaluations],
        [str(each.message) for each in caught],
        {each.filename for each in caught} <= {__file__},
        repr(result),
    )


def assert_same(spark: Any, truth: Any, rec: Any, **arguments: Any) -> tuple[Any, ...]:
    """Evaluate tables on Spark and in DuckDB; return what both say."""
    found = outcome(lambda: rankdcg_sql.evaluate(*on_spark(spark, truth, rec), **arguments))
    expected = outcome(lambda: rankdcg_sql.evaluate(truth, rec, **arguments))
    assert found == expected
    return found


def assert_refused(
    error: type[Exception],
    pattern: str,
    argument: str | None,
    call: Callable[..., Any],
    *given: Any,
    **named: Any,
) -> None:
    """A call raises an error that says what is wrong, and of which argument."""
    with pytest.raises(error, match=pattern) as caught:
        call(*given, **named)
    assert isinstance(caught.value, rankdcg_sql.CallError)
    assert caught.value.argument == argument


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: str(asked.get("metrics", "default")))
def test_metrics_and_options_are_those_of_duckdb(spark: Any, asked: dict[str, Any]) -> None:
    truth, rec = tables(ASKED.index(asked))
    values, *_ = assert_same(spark, truth, rec, **{"rel": "rel", "by": "segment"} | asked)
    assert "nan" not in values[0]
    assert len(values[0]) > 1000


@pytest.mark.parametrize("kind", IDS)
def test_ids_of_every_type(spark: Any, kind: str) -> None:
    other = "text" if kind == "boolean" else kind
    # Users of two values would have items with several relevances.
    truth, rec = tables(len(kind), kind, other, graded=kind not in ("date", "boolean"))
    rel = "rel" if "rel" in truth.column_names else None
    found = assert_same(spark, truth, rec, rel=rel, metrics=["ndcg", "recall", "rankdcg"], k=[2, None])
    counts = found[2][0]
    assert counts.truth_null_users > 0
    assert counts.rec_nan_scores > 0
    assert counts.rec_repeats > 0


@pytest.mark.parametrize("kind", ["int64", "decimal", "float32", "bool"])
def test_scores_and_relevances_of_every_type(spark: Any, kind: str) -> None:
    chance = random.Random(kind)
    large = [2**53, 2**53 + 1, 2**53 + 2]
    values, score, rel = {
        "int64": (large, pa.int64(), pa.int8()),
        "decimal": ([decimal.Decimal(n) / 1000 for n in large], pa.decimal128(20, 3), pa.decimal128(3, 1)),
        "float32": ([0.1, 0.2, 0.3], pa.float32(), pa.float32()),
        "bool": ([1.5, 2.5, 3.5], pa.float64(), pa.bool_()),
    }[kind]
    users = [user for user in range(20) for _ in range(3)]
    items = [item for _ in range(20) for item in "abc"]
    truth = {
        "userid": users,
        "itemid": items,
        "rel": pa.array([chance.randrange(2) for _ in users]).cast(pa.float64()).cast(rel),
    }
    rec = {
        "userid": users,
        "itemid": items,
        "score": pa.array([value for _ in range(20) for value in chance.sample(values, 3)], score),
    }
    assert_same(spark, pa.table(truth), pa.table(rec), rel="rel", k=[1, 2], metrics=["ndcg", "mrr"])


def test_one_partition_and_more_partitions_than_users_are_the_same(spark: Any) -> None:
    truth, rec = tables(5)
    frames = on_spark(spark, truth, rec)
    expected = outcome(lambda: rankdcg_sql.evaluate(truth, rec, rel="rel"))
    for partitions in (1, 40):
        found = outcome(lambda n=partitions: rankdcg_sql.evaluate(*frames, rel="rel", partitions=n))
        assert found == expected


@pytest.mark.parametrize("by", [None, ["plan", "segment"]])
def test_compare(spark: Any, by: list[str] | None) -> None:
    """There are two columns of segments, and users of one segment have NULL in the other column."""
    truth, rec = tables(6)
    plans = [[None, "free", "paid"][segment] for segment in truth["segment"].to_pylist()]
    truth = truth.append_column("plan", pa.array(plans))
    others = {"old": rec, "new": tables(7)[1], "short": tables(8)[1].slice(0, 40)}
    arguments: dict[str, Any] = {"rel": "rel", "k": 3, "metrics": ["ndcg", "precision", "rankdcg"], "by": by}
    expected = outcome(lambda: rankdcg_sql.compare(truth, others, **arguments))
    frame, *frames = on_spark(spark, truth, *others.values())
    on_executors = dict(zip(others, frames, strict=True))
    assert outcome(lambda: rankdcg_sql.compare(frame, on_executors, **arguments)) == expected
    assert "lists of different length" in str(expected)


@pytest.mark.parametrize("by", [None, "segment"])
def test_weights_of_users(spark: Any, by: str | None) -> None:
    """The weights are a column of truth beside that of segments."""
    truth, rec = tables(6)
    weights = pa.array([0.5 + len(str(user)) for user in truth["userid"].to_pylist()])
    truth = truth.append_column("shown", weights)
    arguments: dict[str, Any] = {
        "rel": "rel",
        "k": 3,
        "metrics": ["ndcg", "rbp"],
        "by": by,
        "weight": "shown",
    }
    expected = outcome(lambda: rankdcg_sql.evaluate(truth, rec, **arguments))
    assert outcome(lambda: rankdcg_sql.evaluate(*on_spark(spark, truth, rec), **arguments)) == expected
    assert "weighted by shown" in str(expected)


def test_a_change(spark: Any) -> None:
    runs = [tables(seed) for seed in (4, 5)]
    settings = {"k": 2, "metrics": "ndcg", "rel": "rel"}
    here = [rankdcg_sql.evaluate(*run, **settings) for run in runs]
    there = [rankdcg_sql.evaluate(*on_spark(spark, *run), **settings) for run in runs]
    changes = [rankdcg_sql.explain_change(*both, order="shapley") for both in (here, there)]
    assert changes[0].parts.fetchall() == changes[1].parts.fetchall()
    assert (changes[1].has_items, changes[1].missing_items) == (False, None)
    with pytest.raises(ValueError, match=r"^explain: needs tables in DuckDB: rankdcg_sql.spark.explain"):
        there[0].explain(1)


def test_columns_of_different_names(spark: Any) -> None:
    """A column of rec may have the name of another column of truth."""
    tables_of_one_name = tables(6)
    arguments: dict[str, Any] = {"rel": "rel", "k": 3, "metrics": ["ndcg", "recall"], "by": "segment"}
    expected = rankdcg_sql.evaluate(*tables_of_one_name, **arguments)
    names = {"truth_user": "uid", "truth_item": "a `song`", "rec_user": "customer", "rec_item": "uid"}
    names |= {"rel": "rel.x", "score": "a `score`"}
    truth, rec = tables_of_one_name
    truth = truth.rename_columns(
        {"userid": "uid", "itemid": "a `song`", "rel": "rel.x", "segment": "a `b`.c"}
    )
    rec = rec.rename_columns({"userid": "customer", "itemid": "uid", "score": "a `score`"})
    frames = on_spark(spark, truth, rec)
    arguments |= names | {"by": "a `b`.c"}
    found = rankdcg_sql.evaluate(*frames, **arguments)
    assert found.per_user.columns[:2] == ["uid", "a `b`.c"]
    assert found.per_user.order("ALL").fetchall() == expected.per_user.order("ALL").fetchall()
    del arguments["by"]
    lazy = evaluate(*frames, **arguments)
    assert lazy.columns[0] == "uid"
    rows = {row["uid"]: [row["ndcg"], row["recall"]] for row in lazy.collect()}
    columns = (expected.table[name].to_pylist() for name in ("userid", "ndcg@3", "recall@3"))
    assert rows == {user: values for user, *values in map(list, zip(*columns, strict=True))}


def test_segments_on_spark_are_columns_of_truth(spark: Any) -> None:
    truth, rec = on_spark(spark, TRUTH, REC | {"device": ["x"] * 6, "os": ["y"] * 6})
    for by, got in (("device", "device"), (["os", "device"], "os, device")):
        pattern = f"^evaluate: by must be in truth .* on Spark, got {got}$"
        assert_refused(ValueError, pattern, "by", rankdcg_sql.evaluate, truth, rec, by=by, rel="rel")
    with pytest.raises(ValueError, match="evaluate: segments is for tables of DuckDB: on Spark, join"):
        rankdcg_sql.evaluate(truth, rec, by="plan", rel="rel", segments={"userid": [1], "plan": ["x"]})


@pytest.mark.parametrize("case", golden.TABLES, ids=lambda case: case.id)
def test_golden_tables(spark: Any, case: golden.Case) -> None:
    tables = on_spark(spark, *case.args[1:])
    found = rankdcg_sql.evaluate(*tables, k=case.k, metrics=case.function, **case.options)
    ((mean,),) = found.summary.project("mean").fetchall()
    assert mean == pytest.approx(case.expected, rel=0, abs=1e-9)


def test_the_lazy_frame_has_the_values_of_evaluate(spark: Any) -> None:
    truth, rec = (table.rename_columns({"userid": "a `user`.x"}) for table in tables(9))
    metrics = ["ndcg", "rankdcg", "recall", "ndcg(gain=binary,min_rel=2)"]
    arguments: dict[str, Any] = {"rel": "rel", "user": "a `user`.x", "k": [2, None], "gain": "linear"}
    found = evaluate(*on_spark(spark, truth, rec), metrics=metrics, **arguments)
    assert found.columns == ["a `user`.x", "k", *metrics, "retrieved", "judged"]
    rows = {(row[0], row["k"]): row for row in found.collect()}
    expected = rankdcg_sql.evaluate(truth, rec, metrics=metrics, **arguments)
    values = expected.per_user.fetchall()
    assert len(rows) == 2 * expected.counts.users_evaluated
    for user, metric, k, value in values:
        for row in [rows[user, k]] if metric != "rankdcg" else [rows[user, 2], rows[user, None]]:
            assert row[metric] == value
    retrieved = dict(expected.table.select(["a `user`.x", "retrieved"]).to_pandas().to_numpy().tolist())
    assert {row[0]: row["retrieved"] for row in rows.values()} == retrieved
    alone = evaluate(*on_spark(spark, truth, rec), metrics="rankdcg", rel="rel", user="a `user`.x")
    assert alone.count() == expected.counts.users_evaluated


#: Metrics, the kinds of users and of items, and options.
EXPLAINED: list[tuple[str, str, str, dict[str, Any]]] = [
    ("ndcg", "int", "text", {"convention": "trec_eval"}),
    ("rankdcg", "text", "date", {"unjudged": "skip"}),
    ("err", "decimal", "widths", {"max_rel": 4, "ties": "pessimistic"}),
]


@needs_duckdb_2
@pytest.mark.parametrize(("metric", "users", "items", "options"), EXPLAINED)
def test_items_of_which_values_are_made_are_those_of_duckdb(
    spark: Any, metric: str, users: str, items: str, options: dict[str, Any]
) -> None:
    truth, rec = (table.rename_columns({"itemid": "an item"}) for table in tables(10, users, items))
    arguments: dict[str, Any] = {"rel": "rel", "item": "an item"}
    found = explain(*on_spark(spark, truth, rec), 2, metric, **arguments, **options)
    con = rankdcg_sql.connect()
    con.register("truth", truth)
    con.register("rec", rec)
    k = 2 if metric != "rankdcg" else None
    text = ", ".join(f"{name}={value}" for name, value in options.items())
    expected = con.sql(
        """
        SELECT * EXCLUDE (metric) RENAME (itemid AS "an item") FROM rank_explain(
            truth, rec, k := $k, metrics := $metric, options := $text, rel := 'rel', item := 'an item'
        )
        """,
        params={"k": k, "metric": metric, "text": text},
    )
    assert found.columns == expected.columns
    # Rows of a user are in order, and users are not.
    rows = sorted(map(tuple, found.collect()), key=lambda row: row[0])
    assert rows == sorted(expected.fetchall(), key=lambda row: row[0])
    assert len(rows) > 60


def test_metrics_of_a_lazy_frame_may_have_cutoffs_of_their_own(spark: Any) -> None:
    truth, rec = on_spark(spark, TRUTH, REC)
    found = evaluate(truth, rec, metrics=["ndcg@2", "mrr", "recall@all"], k="all", rel="rel")
    collected = found.collect()
    rows = {(row["userid"], row["k"]): tuple(row)[2:5] for row in collected}
    assert len(rows) == 6
    assert [value is None for value in rows[1, 2]] == [False, True, True]
    assert rows[1, None] == (None, 1, 2 / 3)
    # The numbers of items of users 1, 2 and 3, the last of whom has none in rec.
    assert {row["userid"]: (row["retrieved"], row["judged"]) for row in collected} == {
        1: (3, 3),
        2: (2, 1),
        3: (0, 1),
    }
    types = ["bigint", "bigint", "double", "double", "double", "bigint", "bigint"]
    assert [kind for _, kind in found.dtypes] == types
    for k in (None, 2):
        one = evaluate(truth, rec, metrics=["recall"], k=k, rel="rel")
        assert one.dtypes[1:3] == [("k", "bigint"), ("recall", "double")]


def test_names_of_tables(spark: Any) -> None:
    truth, rec = on_spark(spark, TRUTH, REC)
    truth.createOrReplaceTempView("judgements")
    rec.createOrReplaceTempView("recommendations")
    try:
        expected = rankdcg_sql.evaluate(TRUTH, REC, rel="rel").to_arrow()
        for call in (
            lambda: rankdcg_sql.evaluate("judgements", "recommendations", rel="rel", spark=spark),
            lambda: rankdcg_sql.evaluate(truth, "recommendations", rel="rel"),
        ):
            assert call().to_arrow().equals(expected)
        assert evaluate("judgements", rec, rel="rel", spark=spark).count() == 6
        # The named session comes before that of truth.
        other = spark.newSession()
        other.createDataFrame(rec.toPandas()).createOrReplaceTempView("elsewhere")
        assert rankdcg_sql.evaluate(truth, "elsewhere", rel="rel", spark=other).to_arrow().equals(expected)
        missing = r"\(nothing\): Spark has no table or view of this name$"
        systems = {"a": rec, "b": "nothing"}
        assert_refused(
            ValueError, f"^evaluate: rec {missing}", "rec", rankdcg_sql.evaluate, truth, "nothing", rel="rel"
        )
        assert_refused(
            ValueError, f"^compare: b {missing}", "recs", rankdcg_sql.compare, truth, systems, rel="rel"
        )
    finally:
        spark.catalog.dropTempView("judgements")
        spark.catalog.dropTempView("recommendations")


NOTHING = pa.table({"userid": pa.array([], pa.int64()), "itemid": pa.array([], pa.string())})
#: Calls that raise an error or warn: truth, rec, arguments, and a part of the message.
FAULTS: dict[str, tuple[Any, Any, dict[str, Any], str]] = {
    "conflict": (
        {"userid": [1, 2, 2], "itemid": ["a", "b", "b"], "rel": [1, 1, 3]},
        REC,
        {"rel": "rel"},
        "(user 2, item 'b' of truth)",
    ),
    "negative": (TRUTH | {"rel": [1.0, 2.0, -3.0, 1.0, 1.0]}, REC, {"rel": "rel"}, "(user 1, item 'd'"),
    "infinite": (TRUTH | {"rel": [1.0, math.inf, 1, 1, 1]}, REC, {"rel": "rel"}, "(user 1, item 'b'"),
    "segments": (
        TRUTH | {"country": ["de", "de", "fr", "de", "de"]},
        REC,
        {"by": "country"},
        "and is not for 1",
    ),
    "no rows of truth": (NOTHING, REC, {}, "truth has no rows"),
    "no rows of rec": (
        TRUTH,
        NOTHING.append_column("score", pa.array([], pa.float64())),
        {},
        "rec has no rows",
    ),
    "no user in common": (TRUTH, REC | {"userid": [7, 7, 8, 8, 8, 9]}, {}, "where they are such as 1, 2, 3"),
    "no usable row": (TRUTH | {"rel": [math.nan] * 5}, REC, {"rel": "rel"}, "no row of truth has a user"),
    "no item in common": (TRUTH | {"itemid": list("vwxyz")}, REC, {}, "such as 'v', 'w', 'x'"),
    "no item in common but in rows that are left out": (
        {
            "userid": [1, 2, 3, 1, None, 2],
            "itemid": ["v", "w", "x", "a", "c", None],
            "rel": [1, 1, 1, None, 1, 1],
        },
        {
            "userid": [1, 2, 3, 1, None, 2, 1],
            "itemid": ["a", "c", "b", "v", "w", None, "x"],
            "score": [1, 1, 1, math.nan, 1, 1, None],
        },
        {"rel": "rel"},
        "such as 'v', 'w', 'x', and in rec 'a', 'b', 'c'",
    ),
    # A list has no item that its user judged, but an item that another one judged.
    "an item in common of two users": (
        {"userid": [1, 2, 2, 2], "itemid": list("zvwx")},
        {"userid": [1, 1, 1, 2], "itemid": list("abcz"), "score": [3, 2, 1, 1]},
        {"metrics": "recall"},
        ")], [], True, ",
    ),
    "no value": (TRUTH | {"rel": [0] * 5}, REC, {"rel": "rel"}, "no metric has a value"),
    "no grades": (TRUTH | {"rel": [1] * 5}, REC, {"rel": "rel", "metrics": "rankdcg"}, "needs graded truth"),
    "rel forgotten": (TRUTH, REC, {}, "but no rel='rel' is given"),
    "min_rel without rel": (TRUTH, REC, {"min_rel": 2}, "is about relevances"),
    "missing column": (TRUTH, REC, {"user": "user_id"}, "truth has no column 'user_id'"),
    "swapped": (REC, TRUTH, {}, "are the two swapped?"),
    "text as score": (TRUTH, REC | {"score": list("123456")}, {}, "texts that are numbers"),
    "words as score": (TRUTH, REC | {"score": list("1234x5")}, {}, "texts such as 'x'"),
    "words after many NULL": (
        TRUTH,
        {"userid": [1] * 3001, "itemid": ["a"] * 3001, "score": [None] * 3000 + ["x"]},
        {},
        "texts such as 'x'",
    ),
    "nothing as score": (TRUTH, REC | {"score": pa.nulls(6, pa.string())}, {}, "has no value but NULL"),
    "options": (TRUTH, REC, {"gain": "log"}, "gain"),
    "reserved": (TRUTH, REC, {"user": "mean"}, "a column 'mean' already"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_errors_and_warnings_are_those_of_duckdb(spark: Any, name: str) -> None:
    truth, rec, arguments, message = FAULTS[name]
    truth, rec = (each if isinstance(each, pa.Table) else pa.table(each) for each in (truth, rec))
    assert message in str(assert_same(spark, truth, rec, **arguments)).replace("\\'", "'").replace("'\"", "'")


def advice(column: str, kind: str) -> str:
    return f"as by withColumn('{column}', col('{column}').cast('{kind}'))"


@pytest.mark.parametrize(
    ("selected", "argument", "message"),
    [
        (
            {"rec": "userid, 1L AS itemid, score"},
            None,
            "itemid of truth is string, itemid of rec is bigint, and they cannot be compared: cast itemid of "
            f"rec to string, {advice('itemid', 'string')}",
        ),
        (
            {"truth": "1D AS userid, itemid, rel"},
            None,
            "userid of truth is double, userid of rec is bigint, and they cannot be compared: cast userid of "
            f"truth to bigint, {advice('userid', 'bigint')}",
        ),
        (
            {"rec": "userid, array(itemid) AS itemid, array(score) AS score"},
            "item",
            "itemid of rec is array<string>, and must be one item: a row for each, in a data frame by "
            "explode",
        ),
        (
            {"rec": "userid AS user_id, itemid, score"},
            "user",
            "rec has no column 'userid', but user_id, itemid, score, other; did you mean rec_user='user_id'?",
        ),
        (
            {"rec": "userid, named_struct('m', map(itemid, 1)) AS itemid, score"},
            "item",
            "itemid of rec is struct<m:map<string,int>>, whose values Spark cannot compare: cast it, "
            + advice("itemid", "string"),
        ),
        (
            {"rec": "userid, parse_json('1') AS itemid, score"},
            "item",
            "itemid of rec is variant, whose values Spark cannot compare: cast it, "
            + advice("itemid", "string"),
        ),
        (
            {"truth": "CAST(userid AS DECIMAL(38, 0)) AS userid, itemid, rel"}
            | {"rec": "CAST(userid AS DECIMAL(38, 10)) AS userid, itemid, score"},
            None,
            "userid of truth is decimal(38,0), userid of rec is decimal(38,10), and a number of both can "
            "have more than 38 digits: cast userid of rec to decimal(38,0), "
            + advice("userid", "decimal(38,0)"),
        ),
        (
            {"rec": "userid, make_interval(1) AS itemid, score"},
            "item",
            f"itemid of rec is interval, for which Arrow has no type: cast it, {advice('itemid', 'string')}",
        ),
        (
            {"rec": "userid, itemid, make_interval(1) AS score"},
            "score",
            "score of rec must be a number, got interval",
        ),
        (
            {"truth": "userid, itemid, make_interval(1) AS rel"},
            "rel",
            "rel of truth must be a number or a boolean, got interval",
        ),
        (
            {"rec": "userid, itemid, date '2026-01-01' AS score"},
            "score",
            "score of rec must be a number, got date",
        ),
    ],
)
def test_errors_about_types_advise_what_spark_has(
    spark: Any, selected: dict[str, str], argument: str | None, message: str
) -> None:
    # A column that is not read may have any type.
    truth, rec = (
        spark.sql(f"SELECT {selected.get(name, '*')}, make_interval(1) AS other FROM {{frame}}", frame=frame)
        for name, frame in zip(("truth", "rec"), on_spark(spark, TRUTH, REC), strict=True)
    )
    with pytest.raises(rankdcg_sql.CallError) as caught:
        rankdcg_sql.evaluate(truth, rec, rel="rel")
    assert (str(caught.value), caught.value.argument) == (f"evaluate: {message}", argument)


def test_a_partition_that_does_not_fit_is_an_error_of_memory(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_executor = _session._on_executor

    def with_little_memory(caller: str, *task: str) -> Any:
        evaluate = on_executor(caller, *task)

        def evaluate_with_little_memory(batches: Any) -> Any:
            os.environ["PYSPARK_EXECUTOR_MEMORY_MB"] = "4"
            try:
                yield from evaluate(batches)
            finally:
                del os.environ["PYSPARK_EXECUTOR_MEMORY_MB"]

        return evaluate_with_little_memory

    monkeypatch.setattr(_session, "_on_executor", with_little_memory)
    truth = spark.range(300_000).selectExpr("1 AS userid", "id AS itemid", "1 AS aspect")
    rec = spark.range(300_000).selectExpr("1 AS userid", "id AS itemid", "id AS score")
    with pytest.raises(
        rankdcg_sql.CallError, match="does not fit into the memory of a Python worker"
    ) as caught:
        # Measures of aspects read lists of the items of a user, which are in DuckDB's memory.
        rankdcg_sql.evaluate(truth, rec, metrics="alpha_ndcg", aspect="aspect", k=10)
    assert (caught.value.argument, caught.value.kind) == ("partitions", "memory")


def test_maps_are_segments_and_not_ids(spark: Any) -> None:
    truth, rec = on_spark(spark, TRUTH, REC)
    found = rankdcg_sql.evaluate(truth.selectExpr("*", "map('a', 1) AS m"), rec, rel="rel", by="m", k=2)
    assert found.to_arrow(wide=True).num_rows == 3
    for argument, table, frames in (
        ("truth_item", "truth", (truth.selectExpr("*", "map('a', 1) AS m"), rec)),
        ("rec_item", "rec", (truth, rec.selectExpr("*", "array(map('a', 1)) AS m"))),
    ):
        pattern = f"^evaluate: m of {table} is .*, whose values Spark"
        assert_refused(
            ValueError, pattern, argument, rankdcg_sql.evaluate, *frames, rel="rel", **{argument: "m"}
        )


def test_ids_may_have_fields_with_the_names_of_types(spark: Any) -> None:
    struct = "named_struct('variant', itemid, 'map', 1) AS itemid"
    truth, rec = on_spark(spark, TRUTH, REC)
    frames = truth.selectExpr("userid", struct, "rel"), rec.selectExpr("userid", struct, "score")
    found, expected = (rankdcg_sql.evaluate(*each, rel="rel", k=2) for each in (frames, (TRUTH, REC)))
    assert found.to_arrow().equals(expected.to_arrow())


@pytest.mark.parametrize("call", ["evaluate", "compare"])
def test_metrics_that_exceed_the_results_of_the_driver(spark: Any, call: str) -> None:
    truth, rec = on_spark(spark, TRUTH, REC)
    conf = spark.sparkContext._jsc.sc().conf()
    conf.set("spark.driver.maxResultSize", "100")
    try:
        with pytest.raises(rankdcg_sql.CallError) as caught:
            getattr(rankdcg_sql, call)(truth, rec if call == "evaluate" else {"a": rec, "b": rec}, rel="rel")
    finally:
        conf.remove("spark.driver.maxResultSize")
    assert (caught.value.argument, caught.value.kind) == (None, "memory")
    assert str(caught.value) == (
        f"{call}: the metrics of all users exceed the 100.0 B of spark.driver.maxResultSize, which the "
        "driver may collect: start the session with more, ask for fewer metrics, or take "
        "rankdcg_sql.spark.evaluate, which collects nothing"
    )


def test_a_lazy_frame_raises_our_sentence_when_it_is_computed(spark: Any) -> None:
    from pyspark.errors import PythonException

    truth, rec, *_ = FAULTS["conflict"]
    found = evaluate(*on_spark(spark, truth, rec), rel="rel")
    sentence = r"evaluate: truth judges an item twice, with relevance 1 and 3 \(user 2, item 'b' of truth\)"
    with pytest.raises(PythonException, match=sentence):
        found.collect()


def test_arguments_of_a_lazy_frame_are_checked_at_once(spark: Any) -> None:
    truth, rec = on_spark(spark, TRUTH, REC)
    for arguments, message in (
        ({"k": 0}, "evaluate: k must be at least 1, got 0"),
        ({"metrics": "nothing"}, "evaluate: there is no metric 'nothing'"),
        ({"item": "song"}, "evaluate: truth has no column 'song', but userid, itemid, rel"),
        ({"by": "rel"}, "there is no option 'by'"),
        ({"spark": "local"}, "evaluate: spark must be a session of Spark, got str"),
    ):
        with pytest.raises(rankdcg_sql.CallError) as caught:
            evaluate(truth, rec, **{"rel": "rel"} | arguments)
        assert message in str(caught.value)
    wanted = "^evaluate: partitions must be a whole number from 1 to 2147483647, or None, got"
    for count, error in ((0, ValueError), (2**31, ValueError), ("2", TypeError), (True, TypeError)):
        pattern = f"{wanted} {count!r}$"
        assert_refused(error, pattern, "partitions", evaluate, truth, rec, rel="rel", partitions=count)
    assert evaluate(truth, rec, rel="rel", partitions=2**31 - 1).columns[0] == "userid"
    for name in ("judged", "NDCG"):
        renamed = [frame.withColumnRenamed("userid", name) for frame in (truth, rec)]
        taken = f"evaluate: the results have a column '{name}' already"
        assert_refused(ValueError, taken, "user", evaluate, *renamed, user=name, rel="rel")
        assert_refused(ValueError, taken, "truth_user", evaluate, renamed[0], rec, truth_user=name, rel="rel")
        assert evaluate(truth, renamed[1], rec_user=name, rel="rel").columns[0] == "userid"
    with pytest.warns(rankdcg_sql.DataWarning, match="but no rel='rel' is given") as warned:
        evaluate(truth, rec)
    ours = [each for each in warned if each.category is rankdcg_sql.DataWarning]
    assert [each.filename for each in ours] == [__file__]
    usual = rankdcg_sql.evaluate(TRUTH, REC, rel="rel").metrics
    assert evaluate(truth, rec, rel="rel").columns == ["userid", "k", *usual, "retrieved", "judged"]
    with pytest.warns(rankdcg_sql.DataWarning, match="min_rel=2 is about relevances, but no rel= names"):
        evaluate(truth.drop("rel"), rec, min_rel=2)


def test_arguments_of_an_explanation_are_checked_at_once(spark: Any) -> None:
    truth, rec = on_spark(spark, TRUTH, REC)
    wanted: list[tuple[dict[str, Any], type[Exception], str, str]] = [
        ({"k": 0}, ValueError, "k", "k must be at least 1, got 0"),
        ({"k": [5]}, TypeError, "k", r"k must be an integer or None, got \[5\]"),
        ({"metric": "auc"}, ValueError, "metric", "metric must be ndcg, precision, .*, got 'auc'"),
        ({"metric": ["ndcg"]}, TypeError, "metric", r"metric must be the name of a metric, got \['ndcg'\]"),
        (
            {"metric": "rbp", "gain": "exp2"},
            ValueError,
            "options",
            "unknown option 'gain', the options here are metric, ",
        ),
        ({"item": "song"}, ValueError, "item", "truth has no column 'song', but userid, itemid, rel"),
        ({"spark": "local"}, TypeError, "spark", "spark must be a session of Spark, got str"),
        ({"item": "rel"}, ValueError, "item", "the results have a column 'rel' already"),
        ({"truth_item": "userid"}, ValueError, "truth_item", "the results have a column 'userid' already"),
    ]
    for arguments, error, argument, text in wanted:
        assert_refused(
            error, f"^explain: {text}", argument, explain, truth, rec, **{"rel": "rel"} | arguments
        )


def test_a_stream_is_no_table(spark: Any, tmp_path: Path) -> None:
    truth, rec = on_spark(spark, TRUTH, REC)
    rec.write.parquet(str(tmp_path / "rec"))
    stream = spark.readStream.schema(rec.schema).parquet(str(tmp_path / "rec"))
    wanted = "^evaluate: rec is a stream, and must be a table: evaluate its batches, in foreachBatch$"
    for count in (None, 2):
        assert_refused(TypeError, wanted, "rec", evaluate, truth, stream, rel="rel", partitions=count)


@pytest.mark.parametrize("is_exact", [False, True])
def test_columns_of_one_name_are_refused(spark: Any, is_exact: bool) -> None:
    truth, rec = on_spark(spark, TRUTH, REC)
    several = rec.selectExpr("1D AS SCORE" if not is_exact else "1D AS score", "*")
    spark.conf.set("spark.sql.caseSensitive", str(not is_exact).lower())
    try:
        said = "^evaluate: rec has several columns 'score', in any case of letters: rename the others$"
        assert_refused(ValueError, said, "rec", rankdcg_sql.evaluate, truth, several, rel="rel")
        # A column that is not needed may be there twice.
        other = rec.selectExpr("*", "1 AS other", "2 AS OTHER")
        assert rankdcg_sql.evaluate(truth, other, rel="rel", k=2).counts.rec_rows == rec.count()
        for name in ("userid", "itemid", "rel"):
            twice = truth.selectExpr(f"1 AS {name if is_exact else name.upper()}", "*")
            said = f"^evaluate: truth has several columns '{name}', in any case"
            assert_refused(ValueError, said, "truth", rankdcg_sql.evaluate, twice, rec, rel="rel")
        segments = truth.selectExpr("*", "1 AS plan", "2 AS PLAN")
        said = "^evaluate: truth has several columns 'plan', in any case"
        assert_refused(ValueError, said, "truth", rankdcg_sql.evaluate, segments, rec, rel="rel", by="plan")
    finally:
        spark.conf.unset("spark.sql.caseSensitive")
    with pytest.raises(ValueError, match=r"^evaluate: rec has no column 'score_1'"):
        rankdcg_sql.evaluate(truth, several, rel="rel", score="score_1")


def test_tables_that_cannot_be_evaluated_together(spark: Any) -> None:
    truth, rec, empty = on_spark(spark, TRUTH, REC, FAULTS["no rows of rec"][1])
    evaluate, compare = rankdcg_sql.evaluate, rankdcg_sql.compare
    no_frame = "must be a data frame of Spark or the name of a table, .*, got builtins dict"
    of_duckdb = "con is for tables of DuckDB, and tables of this call are"
    of_spark = "partitions is for tables on Spark, of which there are none"
    for call, tables, named, error, argument, message in (
        (compare, (truth, {"old": rec, "mine": empty}), {}, ValueError, "recs", "mine has no rows"),
        (compare, (truth.limit(0), {"old": rec, "mine": rec}), {}, ValueError, "truth", "truth has no rows"),
        (
            evaluate,
            ("judged", rec),
            {},
            TypeError,
            "truth",
            "truth is the name of a table, so give the session .*spark=",
        ),
        (evaluate, (truth, REC), {}, TypeError, "rec", f"rec {no_frame}"),
        (compare, (TRUTH, {"a": rec, "b": rec}), {}, TypeError, "truth", f"truth {no_frame}"),
        (compare, (truth, {"a": rec, "b": REC}), {}, TypeError, "recs", f"b {no_frame}"),
        (evaluate, (truth, rec), {"con": rankdcg_sql.connect()}, ValueError, "con", of_duckdb),
        (evaluate, (TRUTH, REC), {"partitions": 2}, ValueError, "partitions", of_spark),
    ):
        assert_refused(error, f"^{call.__name__}: {message}", argument, call, *tables, rel="rel", **named)


def test_nothing_is_left_in_the_session(spark: Any) -> None:
    before = spark.catalog.listTables()
    rankdcg_sql.evaluate(*on_spark(spark, TRUTH, REC), rel="rel")
    assert spark.catalog.listTables() == before


def test_a_lazy_frame_is_a_view_for_sql(spark: Any) -> None:
    """The page of the documentation shows this in place of a function of SQL."""
    truth, rec = on_spark(spark, TRUTH, REC)
    register(spark)
    evaluate(truth, rec, k=2, metrics=["ndcg", "auc"], rel="rel").createOrReplaceTempView("metrics")
    truth.createOrReplaceTempView("truth")
    rec.createOrReplaceTempView("rec")
    try:
        found = spark.sql("SELECT userid, ndcg, auc FROM metrics").collect()
        by_rows = spark.sql("""
            SELECT userid, m.ndcg, m.auc
            FROM (
                SELECT userid, rank_metrics_rows(array_agg(struct(itemid, score, rel, 2))) AS m
                FROM (SELECT userid, itemid, score, NULL AS rel FROM rec
                      UNION ALL SELECT userid, itemid, NULL, rel FROM truth)
                GROUP BY userid
            )
        """).collect()
    finally:
        for name in ("metrics", "truth", "rec"):
            spark.catalog.dropTempView(name)
    values = {row.userid: tuple(row) for row in by_rows}
    assert {row.userid: tuple(row) for row in found} == {user: values[user] for user in (1, 2, 3)}


def in_files(spark: Any, folder: Path) -> list[Any]:
    """Truth and rec in one Parquet file each, whose sizes Spark knows."""
    for name, frame in zip(("truth", "rec"), on_spark(spark, TRUTH, REC), strict=True):
        frame.coalesce(1).write.parquet(str(folder / name))
    return [spark.read.parquet(str(folder / name)) for name in ("truth", "rec")]


def test_large_tables_get_more_partitions_than_spark_would_give(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _session._partition_count(*on_spark(spark, TRUTH, REC)) is None
    truth, rec = in_files(spark, tmp_path)
    sizes = [path.stat().st_size for name in ("truth", "rec") for path in tmp_path.glob(f"{name}/*.parquet")]
    assert _session._partition_count(truth, rec) is None
    # A partition has 64 MiB, and both tables together have 400 MiB.
    with monkeypatch.context() as patch:
        patch.setattr(_session, "_bytes_of", lambda frame: 200 * 2**20)
        assert _session._partition_count(truth, rec) == 7
    monkeypatch.setattr(_session, "_PARTITION_BYTES", 100)
    assert _session._partition_count(truth, rec) == math.ceil(sum(sizes) / 100)
    # Spark estimates a join by the product of the sizes.
    joined = rec.crossJoin(truth.select("rel"))
    assert _session._partition_count(truth, joined) == math.ceil((2 * sizes[0] + sizes[1]) / 100)
    assert _session._bytes_of(rec.limit(1)) < _session._bytes_of(rec) == sizes[1]


def test_partitions_are_as_many_as_asked_for_and_share_the_rows_without_a_user(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_executor = _session._on_executor
    folder = str(tmp_path)

    def on_noting_executor(caller: str, *task: str) -> Callable[[Iterator[pa.RecordBatch]], Any]:
        evaluate = on_executor(caller, *task)

        def evaluate_and_note(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            from pathlib import Path
            from uuid import uuid4

            rows = list(batches)
            without_user = sum(batch.column("userid").null_count for batch in rows)
            Path(folder, str(uuid4())).write_text(str(without_user))
            return evaluate(iter(rows))

        return evaluate_and_note

    monkeypatch.setattr(_session, "_on_executor", on_noting_executor)
    without_user = {"userid": pa.nulls(40, pa.int64()), "itemid": [str(item) for item in range(40)]}
    truth = pa.concat_tables([pa.table(TRUTH), pa.table(without_user | {"rel": [1.0] * 40})])
    found = rankdcg_sql.evaluate(*on_spark(spark, truth, REC), rel="rel", k=2, partitions=5)
    assert found.counts.truth_null_users == 40
    noted = [int(path.read_text()) for path in tmp_path.iterdir()]
    assert [len(noted), sum(noted)] == [5, 40]
    assert max(noted) < 30


@pytest.mark.parametrize("collation", ["UTF8_LCASE", "UNICODE_CI"])
def test_ids_with_a_collation_are_compared_byte_by_byte(spark: Any, collation: str) -> None:
    truth, rec = ({name: [*values] for name, values in table.items()} for table in (TRUTH, REC))
    truth["itemid"][0], rec["itemid"][1] = "A", "C"
    expected = rankdcg_sql.evaluate(truth, rec, rel="rel").to_arrow()
    frames = on_spark(spark, truth, rec)
    collated = [
        frame.withColumn("itemid", frame.itemid.cast(f"string collate {collation}")) for frame in frames
    ]
    for pair in ((collated[0], frames[1]), (frames[0], collated[1]), collated):
        assert rankdcg_sql.evaluate(*pair, rel="rel").to_arrow().equals(expected)


def test_the_common_type_of_ids_holds_every_value_of_both() -> None:
    from pyspark.sql import types as st

    decimal = st.DecimalType
    for one, other, common in (
        (st.ByteType(), st.ShortType(), st.ShortType()),
        (st.IntegerType(), decimal(9, 2), decimal(12, 2)),
        (st.ByteType(), decimal(2, 0), decimal(3, 0)),
        (st.ShortType(), decimal(2, 0), decimal(5, 0)),
        (st.LongType(), decimal(5, 0), decimal(19, 0)),
        (decimal(9, 2), decimal(9, 4), decimal(11, 4)),
        (decimal(38, 0), decimal(10, 0), decimal(38, 0)),
        (decimal(38, 0), decimal(38, 1), None),
        (st.LongType(), decimal(38, 20), None),
        (st.FloatType(), st.DoubleType(), st.DoubleType()),
        (st.VarcharType(3), st.StringType(), st.StringType()),
        (st.CharType(3), st.VarcharType(3), st.StringType()),
        (st.CharType(3), st.CharType(3), st.StringType()),
        (st.FloatType(), st.FloatType(), st.FloatType()),
        (st.IntegerType(), st.LongType(), st.LongType()),
        (st.DateType(), st.DateType(), st.DateType()),
    ):
        assert _session._common_type(one, other, is_user=False) == common
        assert _session._common_type(other, one, is_user=False) == common
    assert _session._common_type(st.ByteType(), st.ShortType(), is_user=True) == st.LongType()


@pytest.mark.parametrize("name", ["adaptive.enabled", "adaptive.coalescePartitions.enabled"])
def test_small_tables_get_few_partitions_if_spark_joins_none(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    truth, rec = in_files(spark, tmp_path)
    before = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set(f"spark.sql.{name}", "false")
    try:
        spark.conf.set("spark.sql.shuffle.partitions", "200")
        assert _session._partition_count(truth, rec) == spark.sparkContext.defaultParallelism == 2
        # Nobody knows the size of rows that Python makes.
        unknown = spark.sparkContext.parallelize([(1, "a", 0.5)]).toDF(rec.schema)
        assert _session._partition_count(truth, unknown) is None
        spark.conf.set("spark.sql.shuffle.partitions", "1")
        assert _session._partition_count(truth, rec) == 1
        monkeypatch.setattr(_session, "_PARTITION_BYTES", 500)
        spark.conf.set("spark.sql.shuffle.partitions", "200")
        assert 2 < _session._partition_count(truth, rec) < 20
        monkeypatch.setattr(type(spark.conf), "get", lambda self, key, *default: "auto")
        assert _session._partition_count(truth, rec) is None
    finally:
        monkeypatch.undo()
        spark.conf.set("spark.sql.shuffle.partitions", before)
        spark.conf.unset(f"spark.sql.{name}")
