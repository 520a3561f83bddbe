"""Measures of items and of aspects of tables on Spark: the results, errors and warnings of DuckDB."""

from __future__ import annotations

import random
import warnings
from typing import TYPE_CHECKING, Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support import reference

import rankdcg_sql
from rankdcg_sql.spark import evaluate

from .test_tables import IDS, REC, TRUTH, assert_refused, assert_same, on_spark, outcome, tables

if TYPE_CHECKING:
    from pathlib import Path

OF_ITEMS = [*reference.PROPERTIES]
OF_ASPECTS = [*reference.ASPECT_MEASURES]
ITEMS = {"itemid": [*"abcde"], "popularity": [9, 4, 1, 1, 0], "group": [*"xyxyx"]}


def catalogue(kind: str = "text") -> pa.Table:
    """The items of `tables`, but for two of them, with properties of which some are NULL."""
    chance = random.Random(kind)
    _, item_type, item = IDS[kind]
    ids = pa.array([item(n) for n in range(2 if kind == "boolean" else 10)], item_type)
    count = len(ids)
    categories = [chance.sample("pqrs", chance.randrange(3)) for _ in range(count)]
    return pa.table(
        {
            "itemid": ids,
            "popularity": [chance.choice([None, 1.5, 2.0, 7.0]) for _ in range(count)],
            "share": [chance.choice([None, 0.5, 0.25]) for _ in range(count)],
            "long_tail": [chance.choice([None, True, False]) for _ in range(count)],
            "categories": pa.array(categories, pa.list_(pa.string())),
            "group": [chance.choice("xyz") for _ in range(count)],
            "other": pa.nulls(count, pa.int32()),
        }
    )


def assert_same_with_items(
    spark: Any, truth: Any, rec: Any, items: Any, partitions: int | None = None, **arguments: Any
) -> tuple[Any, ...]:
    """Evaluate tables on Spark and in DuckDB, with items in both; return what both say."""
    frames = on_spark(spark, truth, rec, items)
    found = outcome(
        lambda: rankdcg_sql.evaluate(*frames[:2], items=frames[2], partitions=partitions, **arguments)
    )
    assert found == outcome(lambda: rankdcg_sql.evaluate(truth, rec, items=items, **arguments))
    return found


@pytest.mark.parametrize(
    "asked",
    [
        {"metrics": [*OF_ITEMS, "ndcg"], "k": [1, 3], "partitions": 40},  # more than users
        {"metrics": ["coverage", "reo", "ndcg@2"], "k": None, "users": "both", "min_rel": 2},
        {"metrics": ["novelty@2", "rankdcg", "serendipity@3"], "by": "segment", "ties": "item_desc"},
        {"metrics": [*OF_ITEMS, "recall"], "k": 2, "convention": "trec_eval"},
        {"metrics": ["calibration", "gini", "ndcg(ties=item_asc)"], "k": 2, "partitions": 1},
        {"metrics": "coverage@1"},
    ],
    ids=lambda asked: f"{len(asked['metrics'])} {asked['metrics'][0]}",
)
def test_measures_of_items_are_those_of_duckdb(spark: Any, asked: dict[str, Any]) -> None:
    truth, rec = tables(len(asked["metrics"]))
    values, _, (counts,), *_ = assert_same_with_items(spark, truth, rec, catalogue(), rel="rel", **asked)
    assert len(values[0]) > 1000
    assert counts.rec_repeats > 0
    assert counts.rec_null_items > 0


@pytest.mark.parametrize("kind", IDS)
def test_items_of_every_type(spark: Any, kind: str) -> None:
    truth, rec = tables(len(kind), "int", kind, graded=False)
    values, *_ = assert_same_with_items(
        spark, truth, rec, catalogue(kind), k=3, metrics=[*OF_ITEMS, "recall"]
    )
    assert len(values[0]) > 1000


@pytest.mark.parametrize("kind", ["text", "int", "decimal"])
def test_items_that_the_catalogue_lacks_are_counted(spark: Any, kind: str) -> None:
    truth, rec = tables(9, "int", kind)
    items = catalogue(kind).slice(3).select(["itemid"])
    for asked in ({"metrics": "ndcg@2"}, {"metrics": ["recall@all", "coverage@3"], "users": "both"}):
        _, _, (counts,), *_ = assert_same_with_items(spark, truth, rec, items, rel="rel", **asked)
        assert min(counts.rec_unknown_items, counts.truth_unknown_items) > 1
        assert {*counts.unknown_items} == {"rec", "truth"}


def test_systems_are_compared_by_measures_of_items(spark: Any) -> None:
    truth, rec = tables(6)
    recs = {"old": rec, "new": tables(7)[1], "short": tables(8)[1].slice(0, 40)}
    asked: dict[str, Any] = {"rel": "rel", "k": 3, "metrics": ["ndcg", "novelty", "gini", "reo"]}
    expected = outcome(lambda: rankdcg_sql.compare(truth, recs, items=catalogue(), **asked))
    frame, items, *frames = on_spark(spark, truth, catalogue(), *recs.values())
    there = dict(zip(recs, frames, strict=True))
    assert outcome(lambda: rankdcg_sql.compare(frame, there, items=items, **asked)) == expected


def test_the_table_of_items_may_be_of_any_kind(spark: Any, tmp_path: Path) -> None:
    truth, rec, items = on_spark(spark, TRUTH, REC, ITEMS)
    path = tmp_path / "items.parquet"
    pq.write_table(pa.table(ITEMS), path)
    (tmp_path / "items.csv").write_text("song,popularity\na,9\nb,4\nc,1\nd,1\ne,0\n", encoding="utf-8")
    items.createOrReplaceTempView("catalogue")
    asked: dict[str, Any] = {"k": 2, "metrics": ["average_popularity", "coverage"], "rel": "rel"}
    expected = rankdcg_sql.evaluate(TRUTH, REC, items=ITEMS, **asked).to_arrow()
    try:
        for given in (
            ITEMS,
            pd.DataFrame(ITEMS),
            pl.LazyFrame(ITEMS),
            pa.table(ITEMS),
            duckdb.from_arrow(pa.table(ITEMS)),
            path,
            str(path),
            f"FROM '{path}'",
            "catalogue",
            items.selectExpr("ITEMID AS ItemId", "POPULARITY", "make_interval(1) AS unread"),
        ):
            assert rankdcg_sql.evaluate(truth, rec, items=given, **asked).to_arrow().equals(expected)
        named = [frame.withColumnRenamed("itemid", "song") for frame in (truth, rec)]
        found = rankdcg_sql.evaluate(*named, item="song", items=str(tmp_path / "items.csv"), **asked)
        assert found.to_arrow().equals(expected)
        # The named session comes before that of truth.
        other = spark.newSession()
        other.createDataFrame(items.toPandas()).createOrReplaceTempView("elsewhere")
        found = rankdcg_sql.evaluate(truth, rec, items="elsewhere", spark=other, **asked)
        assert found.to_arrow().equals(expected)
    finally:
        spark.catalog.dropTempView("catalogue")


#: Wrong tables of items, the metrics, and a part of the message.
WRONG: list[tuple[dict[str, Any], str, str]] = [
    (ITEMS, "arp(of=price)", "items has no column 'price', but itemid, popularity, group"),
    (
        ITEMS | {"popularity": [9, *[0.5] * 4]},
        "novelty(of=popularity)",
        "items must have shares above 0 and at most 1",
    ),
    (ITEMS | {"itemid": [1, 2, 3, 4, 5]}, "coverage", "the items of rec and items must be of one type"),
    ({"thing": ["a"]}, "coverage", "items has no column 'itemid', but thing"),
    ({"itemid": ["a", "a"]}, "coverage", "items must have each item once"),
    ({"itemid": pa.array([], pa.string())}, "coverage", "items has no rows"),
]


@pytest.mark.parametrize(("items", "metrics", "message"), WRONG, ids=lambda each: str(each)[:30])
def test_errors_about_items_are_those_of_duckdb(
    spark: Any, items: dict[str, Any], metrics: str, message: str
) -> None:
    said = assert_same_with_items(
        spark, pa.table(TRUTH), pa.table(REC), pa.table(items), metrics=metrics, rel="rel"
    )
    assert message in str(said[-1])


def test_items_that_cannot_be_collected(spark: Any, tmp_path: Path) -> None:
    truth, rec, items = on_spark(spark, TRUTH, REC, ITEMS)
    items.write.parquet(str(tmp_path / "items"))
    stream = spark.readStream.schema(items.schema).parquet(str(tmp_path / "items"))
    no_table = "there is no file and no table of Spark"
    for given, error, argument, message in (
        ("nothing", FileNotFoundError, "items", f"items: {no_table} 'nothing'$"),
        ("no/items.parquet", FileNotFoundError, "items", f"items: {no_table} 'no/items.parquet'$"),
        (tmp_path / "none.csv", FileNotFoundError, "items", r"items \(.*none.csv\): there is no such file$"),
        (3, TypeError, "items", "items must be a path, .*, got int$"),
        (stream, TypeError, "items", "items is a stream, and must be a table"),
        (
            items.selectExpr("*", "1 AS Popularity"),
            ValueError,
            "items",
            "items has several columns 'popularity'",
        ),
        (
            items.selectExpr("map(itemid, 1) AS itemid", "popularity"),
            ValueError,
            "item",
            "itemid of items is map<string,int>, whose values Spark cannot compare: cast it, as by",
        ),
    ):
        asked: dict[str, Any] = {"metrics": "average_popularity", "rel": "rel", "items": given}
        assert_refused(error, f"^evaluate: {message}", argument, rankdcg_sql.evaluate, truth, rec, **asked)


def test_rankings_that_exceed_the_results_of_the_driver(spark: Any) -> None:
    truth, rec = on_spark(spark, TRUTH, REC)
    conf = spark.sparkContext._jsc.sc().conf()
    conf.set("spark.driver.maxResultSize", "100")
    said = (
        "^evaluate: the metrics and rankings of all users exceed the 100.0 B of spark.driver.maxResultSize, "
        "which the driver may collect: start the session with more, or ask for a smaller k$"
    )
    try:
        asked: dict[str, Any] = {"metrics": "coverage", "rel": "rel", "items": ITEMS}
        assert_refused(ValueError, said, None, rankdcg_sql.evaluate, truth, rec, **asked)
    finally:
        conf.remove("spark.driver.maxResultSize")


def test_measures_of_items_and_of_all_users_are_not_lazy(spark: Any) -> None:
    truth, rec = on_spark(spark, TRUTH, REC)
    needed = (
        "needs a table of items: give it with items= of rankdcg_sql.evaluate, which collects all rankings$"
    )
    assert_refused(
        ValueError, f"^evaluate: novelty {needed}", "metrics", evaluate, truth, rec, metrics="novelty"
    )
    elsewhere = (
        "items is for measures of items, which need the rankings of all users: call rankdcg_sql.evaluate$"
    )
    asked = {"metrics": "novelty", "items": ITEMS}
    assert_refused(ValueError, f"^evaluate: {elsewhere}", "items", evaluate, truth, rec, **asked)
    of_all = "^evaluate: gmap is a measure of all users together: rankdcg_sql.evaluate has it$"
    assert_refused(ValueError, of_all, "metrics", evaluate, truth, rec, metrics="GMAP@10")


def test_a_change_of_measures_of_items(spark: Any) -> None:
    runs = [tables(seed) for seed in (4, 5)]
    asked: dict[str, Any] = {"k": 2, "metrics": ["novelty", "coverage", "ndcg"], "rel": "rel"}
    here = [rankdcg_sql.evaluate(*run, items=catalogue(), **asked) for run in runs]
    there = [
        rankdcg_sql.evaluate(*frames[:2], items=frames[2], **asked)
        for frames in (on_spark(spark, *run, catalogue()) for run in runs)
    ]
    changes = [rankdcg_sql.explain_change(*both) for both in (here, there)]
    assert changes[0].parts.fetchall() == changes[1].parts.fetchall()


def with_aspects(seed: int, aspects: list[Any], kind: pa.DataType) -> tuple[pa.Table, pa.Table]:
    """Truth and rec of `tables`, whose judgements are of aspects or of NULL, and may be repeated."""
    truth, rec = tables(seed)
    chance = random.Random(seed)
    rows = [
        {**row, "aspect": aspect}
        for row in truth.to_pylist()
        for aspect in chance.sample([*aspects, None], 2)
    ]
    return pa.Table.from_pylist(rows, truth.schema.append(pa.field("aspect", kind))), rec


@pytest.mark.parametrize(
    ("aspects", "kind", "asked"),
    [
        ([*"xyz"], pa.string(), {"metrics": OF_ASPECTS, "k": [1, 3]}),
        ([1, 2, 3], pa.int32(), {"metrics": ["alpha_ndcg", "ndcg", "rankdcg"], "k": None, "by": "segment"}),
        ([True, False], pa.bool_(), {"metrics": ["err_ia", "recall"], "partitions": 40, "users": "both"}),
        ([1.5, 2.5], pa.float64(), {"metrics": ["P_IA(rel=2)@2", "NRBP(beta=0.8)@all"], "ties": "item_desc"}),
        ([*"xy"], pa.string(), {"metrics": ["ndcg", "recall"], "k": 2}),  # the largest relevance of an item
    ],
    ids=lambda each: str(each)[:30],
)
def test_measures_of_aspects_are_those_of_duckdb(
    spark: Any, aspects: list[Any], kind: pa.DataType, asked: dict[str, Any]
) -> None:
    truth, rec = with_aspects(len(aspects), aspects, kind)
    partitions = {name: asked[name] for name in asked if name == "partitions"}
    asked = {name: value for name, value in asked.items() if name not in partitions}
    frames = on_spark(spark, truth, rec)
    given: dict[str, Any] = {"rel": "rel", "aspect": "ASPECT", **asked}
    found = outcome(lambda: rankdcg_sql.evaluate(*frames, **given, **partitions))
    assert found == outcome(lambda: rankdcg_sql.evaluate(truth, rec, **given))
    assert len(found[0][0]) > 1000
    assert found[2][0].truth_repeats > 0


def test_systems_are_compared_by_measures_of_aspects_and_of_items(spark: Any) -> None:
    truth, rec = with_aspects(3, [*"xyz"], pa.string())
    recs = {"old": rec, "new": tables(7)[1]}
    asked: dict[str, Any] = {
        "rel": "rel",
        "k": 3,
        "metrics": ["alpha_ndcg", "serendipity"],
        "aspect": "aspect",
    }
    expected = outcome(lambda: rankdcg_sql.compare(truth, recs, items=catalogue(), **asked))
    frame, items, *frames = on_spark(spark, truth, catalogue(), *recs.values())
    there = dict(zip(recs, frames, strict=True))
    assert outcome(lambda: rankdcg_sql.compare(frame, there, items=items, **asked)) == expected


def test_a_lazy_frame_has_measures_of_aspects(spark: Any) -> None:
    truth, rec = with_aspects(3, [*"xyz"], pa.string())
    asked: dict[str, Any] = {"rel": "rel", "k": 2, "metrics": ["alpha_ndcg", "ndcg"], "aspect": "aspect"}
    rows = evaluate(*on_spark(spark, truth, rec), **asked).collect()
    wide = rankdcg_sql.evaluate(truth, rec, **asked).wide.project('userid, "alpha_ndcg@2", "ndcg@2"')
    expected = {user: values for user, *values in wide.fetchall()}
    assert {row.userid: [row.alpha_ndcg, row.ndcg] for row in rows} == expected


def test_errors_about_aspects(spark: Any) -> None:
    truth, rec = pa.table(TRUTH | {"aspect": [*"xyxxy"]}), pa.table(REC)
    conflict = pa.concat_tables([truth, truth.set_column(2, "rel", pa.array([5.0] * 5))])
    for table, asked, message in (
        (truth, {}, "err_ia needs the aspects of items: name their column in truth with aspect="),
        (truth, {"aspect": "topic"}, "truth has no column 'topic', but userid, itemid, rel, aspect"),
        (truth, {"aspect": "aspect", "ties": "optimistic"}, "ties=optimistic is not defined"),
        (conflict, {"aspect": "aspect"}, "truth judges an item twice, with relevance"),
    ):
        assert message in str(assert_same(spark, table, rec, metrics="err_ia", rel="rel", **asked)[-1])
    frames = on_spark(spark, TRUTH, REC)
    interval = frames[0].selectExpr("*", "make_interval(1) AS aspect")
    unreadable = "^evaluate: aspect of truth is interval, for which Arrow has no type: cast it, as by"
    asked = {"metrics": "err_ia", "rel": "rel", "aspect": "aspect"}
    assert_refused(ValueError, unreadable, "aspect", rankdcg_sql.evaluate, interval, frames[1], **asked)


@pytest.mark.parametrize("kind", IDS)
def test_fingerprints_are_those_of_duckdb(spark: Any, kind: str) -> None:
    truth, rec = tables(3, items=kind, graded=kind != "boolean")
    arguments: dict[str, Any] = {"metrics": ["ndcg", "coverage"], "k": 2, "fingerprints": True}
    arguments["rel"] = "rel" if "rel" in truth.column_names else None
    frames = on_spark(spark, truth, rec, catalogue(kind))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = rankdcg_sql.evaluate(*frames[:2], items=frames[2], partitions=7, **arguments)
        in_duckdb = rankdcg_sql.evaluate(truth, rec, items=catalogue(kind), **arguments)
    assert found.fingerprints == in_duckdb.fingerprints
    assert {*found.fingerprints} == {"truth", "rec", "items"}
