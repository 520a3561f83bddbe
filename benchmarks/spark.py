"""Seconds of an evaluation on Spark and in DuckDB, on the same Parquet files.

Each user has 50 recommendations and 20 relevant items. Spark runs on this machine. The bare shuffle divides
the rows of both tables by user and drops them: no evaluation on Spark can take less. ``spark.evaluate``
computes the metrics of users and drops them, and ``evaluate`` collects them for means and intervals. The
values of both engines must be equal to the last bit. Memory is the peak of one Python process that Spark
starts.

With ``--peers``, Spark's own means are computed as well: by built-in SQL, which collects the rows of a user
into arrays, and by mllib's RankingMetrics, which computes one metric at a time. Means of metrics that are
defined like ours must be ours to nine digits.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from pyspark.ml.evaluation import RankingEvaluator
from pyspark.sql import DataFrame, SparkSession, functions
from rich.console import Console
from rich.table import Table

import rankdcg_sql
import rankdcg_sql.spark

#: Each user starts at another item of the catalogue, and takes every 7th as rec and every 21st as truth. The
#: rows of truth are in no order of users.
_ITEM = "((hash({}) + {}) % 100_000)::BIGINT AS itemid"
_TABLES = {
    "rec": f"SELECT i // 50 AS userid, {_ITEM.format('i // 50', 'i % 50 * 7')}, "
    "hash(i * 13) / 2.0**64 AS score FROM range({users} * 50) AS rows(i)",
    "truth": f"SELECT i % {{users}} AS userid, {_ITEM.format('i % {users}', 'i // {users} * 21')}, "
    "(1 + hash(i * 11) % 3)::BIGINT AS rel FROM range({users} * 20) AS rows(i)",
}
_ARGUMENTS: dict[str, Any] = {
    "rel": "rel",
    "k": 10,
    "metrics": ["precision", "recall", "mrr", "average_precision", "ndcg"],
}
#: The same metrics in Spark's SQL: the best items of a user and the gains of all judged items are arrays.
_BUILT_IN = """
WITH users AS (
    SELECT
        slice(array_sort(collect_list(CASE WHEN score IS NOT NULL THEN struct(-score, itemid) END)), 1, 10)
            .itemid AS items,
        map_from_entries(collect_list(CASE WHEN rel IS NOT NULL THEN struct(itemid, rel) END)) AS rels
    FROM rows GROUP BY userid
), found AS (
    SELECT rels, transform(items, item -> coalesce(rels[item], 0)) AS found FROM users
), ranked AS (
    SELECT
        cardinality(rels) AS judged, transform(found, rel -> CAST(rel > 0 AS INT)) AS hits, found,
        slice(sort_array(map_values(rels), false), 1, 10) AS ideal
    FROM found
)
SELECT
    avg(aggregate(hits, 0, (sum, hit) -> sum + hit) / 10) AS precision,
    avg(aggregate(hits, 0, (sum, hit) -> sum + hit) / judged) AS recall,
    avg(coalesce(1 / nullif(array_position(hits, 1), 0), 0)) AS mrr,
    avg(aggregate(
        hits, struct(0 AS n, 0 AS rank, 0D AS sum),
        (a, hit) -> struct(
            a.n + hit AS n, a.rank + 1 AS rank, a.sum + hit * (a.n + 1) / (a.rank + 1) AS sum
        ),
        a -> a.sum
    ) / judged) AS average_precision,
    avg(
        aggregate(transform(found, (rel, i) -> (power(2, rel) - 1) / log2(i + 2)), 0D, (a, b) -> a + b)
        / aggregate(transform(ideal, (rel, i) -> (power(2, rel) - 1) / log2(i + 2)), 0D, (a, b) -> a + b)
    ) AS ndcg
FROM ranked
"""
#: The metrics of mllib, and ours that are defined alike: mllib's average precision divides by k if fewer than
#: all relevant items can be found, and its NDCG knows no grades.
_MLLIB = {
    "precisionAtK": "precision",
    "recallAtK": "recall",
    "meanAveragePrecisionAtK": None,
    "ndcgAtK": None,
}


def _by_built_in_sql(rows: DataFrame) -> dict[str, float]:
    """Compute the means of all metrics by Spark's SQL."""
    return rows.sparkSession.sql(_BUILT_IN.replace("FROM rows", "FROM {rows}"), rows=rows).first().asDict()


def _by_mllib(rows: DataFrame) -> dict[str, float]:
    """Compute the means of four metrics by mllib, and return those that are defined like ours."""
    best = "array_sort(collect_list(CASE WHEN score IS NOT NULL THEN struct(-score, itemid) END)).itemid"
    judged = "collect_list(CASE WHEN rel IS NOT NULL THEN itemid END)"
    lists = rows.groupBy("userid").agg(
        functions.expr(f"CAST({best} AS ARRAY<DOUBLE>) AS prediction"),
        functions.expr(f"CAST({judged} AS ARRAY<DOUBLE>) AS label"),
    )
    lists.persist()
    means = {name: RankingEvaluator(metricName=name, k=10).evaluate(lists) for name in _MLLIB}
    lists.unpersist()
    return {ours: means[name] for name, ours in _MLLIB.items() if ours}


def _check(found: dict[str, float], ours: rankdcg_sql.Evaluation) -> None:
    """Compare means with ours."""
    for metric, mean in found.items():
        if not math.isclose(mean, ours.means[f"{metric}@10"], rel_tol=1e-9):
            raise click.ClickException(f"{metric}: {mean}, and not {ours.means[f'{metric}@10']}")


def _write(folder: Path, users: int) -> list[str]:
    """Write both tables to a subfolder, unless it exists, and return the paths of truth and rec."""
    done = folder / str(users)
    if not done.exists():
        unfinished = done.with_suffix(".unfinished")
        unfinished.mkdir(parents=True, exist_ok=True)
        for name, query in _TABLES.items():
            path = unfinished / f"{name}.parquet"
            rankdcg_sql.connect().execute(f"COPY ({query.format(users=users)}) TO '{path}'")
        unfinished.rename(done)
    return [str(done / f"{name}.parquet") for name in ("truth", "rec")]


def _session(folder: Path, master: str) -> SparkSession:
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    settings = {
        "spark.driver.memory": "4g",
        "spark.local.dir": str(folder / "spark"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    session = SparkSession.builder.master(master).config(map=settings).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def _drop(frame: DataFrame) -> None:
    """Compute all rows of a frame and drop them."""
    frame.write.format("noop").mode("overwrite").save()


class _Workers(threading.Thread):
    """Watches the resident memory of the Python processes that Spark starts."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak = 0

    def run(self) -> None:
        while True:
            for process in Path("/proc").glob("[0-9]*"):
                try:
                    if b"pyspark.daemon" in (process / "cmdline").read_bytes():
                        pages = int((process / "statm").read_text().split()[1])
                        self.peak = max(self.peak, pages * os.sysconf("SC_PAGE_SIZE"))
                except OSError:  # the process has ended
                    continue
            time.sleep(0.1)


@click.command(help=__doc__)
@click.option("--users", default=200_000, show_default=True, help="Users, of 50 recs and 20 truths.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(tempfile.gettempdir()) / "rankdcg_spark",
    help="Where the tables are kept; by default in the folder of temporary files.",
)
@click.option(
    "--master",
    default="local[2]",
    show_default=True,
    help="Where Spark runs, such as local-cluster[2,1,2048]: two executors of one core and 2,048 MB each.",
)
@click.option("--peers", is_flag=True, help="Whether Spark computes means without the package, too.")
def main(users: int, data: Path, master: str, peers: bool) -> None:
    """Print the table."""
    paths = _write(data, users)
    session = _session(data, master)
    truth, rec = map(session.read.parquet, paths)
    con = rankdcg_sql.connect(config={"threads": 2})
    workers = _Workers()
    workers.start()
    rows = truth.unionByName(rec, allowMissingColumns=True)
    table = Table(title=f"{users * 50:,} recommendations, Spark on {master}")
    table.add_column("")
    table.add_column("seconds", justify="right")

    def timed(name: str, run: Callable[[], Any]) -> Any:
        start = time.perf_counter()
        result = run()
        table.add_row(name, f"{time.perf_counter() - start:.1f}")
        return result

    in_duckdb = timed("evaluate, DuckDB", lambda: rankdcg_sql.evaluate(*paths, con=con, **_ARGUMENTS))
    few = (frame.limit(1000) for frame in (truth, rec))
    _drop(rankdcg_sql.spark.evaluate(*few, **_ARGUMENTS))  # starts Spark's Python processes
    timed("bare shuffle, Spark", lambda: _drop(rows.repartition("userid")))
    timed("spark.evaluate", lambda: _drop(rankdcg_sql.spark.evaluate(truth, rec, **_ARGUMENTS)))
    on_spark = timed("evaluate, Spark", lambda: rankdcg_sql.evaluate(truth, rec, **_ARGUMENTS))
    if peers:
        _check(timed("built-in SQL, Spark", lambda: _by_built_in_sql(rows)), on_spark)
        _check(timed("mllib, four metrics, Spark", lambda: _by_mllib(rows)), on_spark)
    table.caption = f"peak of a Python process: {workers.peak / 1e6:.0f} MB"
    Console().print(table)
    if not in_duckdb.to_arrow(wide=True).equals(on_spark.to_arrow(wide=True)):
        raise click.ClickException("the values differ")


if __name__ == "__main__":
    main()
