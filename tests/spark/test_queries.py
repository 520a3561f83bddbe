"""The queries for Spark against Hivemall's page and DuckDB, and the page of the documentation."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from support.hivemall_page import BINARY, GRADED
from support.paths import MIGRATION, ROOT

import rankdcg_sql
from rankdcg_sql.cli import _demo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

QUERIES = _demo.queries() / "spark"


def run(spark: SparkSession, name: str, capsys: pytest.CaptureFixture[str]) -> list[DataFrame]:
    """The results of a file's queries, which print the text beside the file."""
    results = []
    capsys.readouterr()
    for query in (QUERIES / f"{name}.sql").read_text(encoding="utf-8").split(";\n")[:-1]:
        result = spark.sql(query)
        if result.columns:
            result.show(truncate=False)
            results.append(result)
    assert capsys.readouterr().out == (QUERIES / f"{name}.txt").read_text(encoding="utf-8")
    return results


@pytest.fixture(autouse=True, scope="module")
def registered(spark: SparkSession) -> None:
    import_module("rankdcg_sql.spark").register(spark)


@pytest.fixture(autouse=True)
def views(spark: SparkSession) -> Iterator[None]:
    """Drop the views that a test creates."""
    yield
    for table in spark.catalog.listTables():
        spark.catalog.dropTempView(table.name)


def test_binary_response(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    metrics, _ = run(spark, "binary_response", capsys)
    found = {}
    for row in metrics.collect():
        for metric, value in row.asDict().items():
            if metric != "k":
                found[metric if row.k is None else f"{metric}_at_{row.k}"] = value
    assert found == pytest.approx(BINARY, rel=0, abs=1e-12)


def test_graded_response(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    by_lists, by_scores = run(spark, "graded_response", capsys)
    for result in (by_lists, by_scores):
        assert list(result.first() or ()) == pytest.approx(GRADED, rel=0, abs=1e-12)


def test_partitioned_parquet(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    con = rankdcg_sql.connect()
    # Two users have no recommendations, and no item has a score twice.
    con.execute("""
        CREATE TABLE truth AS
        SELECT '2026-01-0' || day AS day, userid, (7 * userid + 3 * item + day) % 11 AS itemid,
            item % 3 AS rel
        FROM range(1, 5) AS days(day), range(20) AS users(userid), range(5) AS items(item);
        CREATE TABLE rec AS
        SELECT '2026-01-0' || day AS day, userid, (5 * item + day * day * userid) % 11 AS itemid,
            item * 0.25 AS score
        FROM range(1, 5) AS days(day), range(18) AS users(userid), range(6) AS items(item)
    """)
    for name in ("truth", "rec"):
        con.execute(f"COPY {name} TO '{tmp_path / name}' (FORMAT parquet, PARTITION_BY day)")
        spark.read.parquet(str(tmp_path / name)).createOrReplaceTempView(name)
    (result,) = run(spark, "partitioned_parquet", capsys)
    expected = con.execute("""
        SELECT day, k, count(ndcg), round(avg(recall), 6), round(avg(mrr), 6), round(avg(ndcg), 6)
        FROM (
            SELECT day, unnest(
                rank_metrics_at_rows(itemid, score, rel, [1, 3], 'gain=linear'), recursive := true)
            FROM (FROM truth UNION ALL BY NAME FROM rec)
            GROUP BY day, userid
        )
        WHERE day >= '2026-01-02'
        GROUP BY day, k
        ORDER BY day, k
    """).fetchall()
    assert [(str(row.day), *row[1:]) for row in result.collect()] == expected
    assert len(expected) == 6


def test_the_page_of_the_documentation(spark: SparkSession) -> None:
    """Its blocks run one after the other; the views that they create have the metrics of DuckDB."""
    con = rankdcg_sql.connect()
    con.execute("""
        CREATE TABLE truth AS FROM (VALUES (1, 'a'), (1, 'b'), (2, 'c'), (3, 'e')) AS t(userid, itemid);
        CREATE TABLE rec AS
        FROM (VALUES (1, 'a', 0.9), (1, 'c', 0.8), (1, 'b', 0.3), (2, 'a', 0.7), (2, 'c', 0.6), (4, 'a', 0.5))
        AS r(userid, itemid, score)
    """)
    for name in ("truth", "rec"):
        spark.createDataFrame(con.table(name).to_arrow_table()).createOrReplaceTempView(name)
    page = (ROOT / "docs" / "spark_lists.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    names = {"spark": spark}
    for block in blocks:
        exec(block, names)
    assert len(blocks) == 5
    by_lists = spark.sql(
        "SELECT userid, ndcg(rec, truth, 10, 'gain=linear') AS ndcg, mrr(rec, truth) AS mrr FROM lists"
    )
    by_rows = spark.sql("SELECT * FROM users WHERE ndcg IS NOT NULL")
    expected = con.execute(
        "SELECT userid, ndcg, mrr FROM rank_evaluate(truth, rec, ks := 10) ORDER BY userid"
    ).fetchall()
    assert sorted(map(tuple, by_lists.collect())) == expected
    assert sorted(map(tuple, by_rows.collect())) == expected


def test_the_page_for_those_who_come_from_spark(spark: SparkSession) -> None:
    """The numbers of Spark's own metrics, in the session that runs already, are those of the package."""
    (page,) = (page for page in MIGRATION if page.stem == "spark")
    failed, attempted = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (failed, attempted > 10) == (0, True)
