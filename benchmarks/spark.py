"""Seconds of an evaluation on Spark and in DuckDB, on the same Parquet files.

Each user has 50 recommendations and 20 relevant items, of which some rows repeat others. Spark runs on this
machine. The bare shuffle divides the rows of both tables by user and drops them: no evaluation on Spark can
take less. ``spark.evaluate`` computes the metrics of users and drops them, and ``evaluate`` collects them for
means and intervals. The values of both engines must be equal to the last bit. Memory is the peak of one
Python process that Spark starts.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from pyspark.sql import DataFrame, SparkSession
from rich.console import Console
from rich.table import Table

import rankdcg_sql
import rankdcg_sql.spark

_ITEM = "(hash({}) % 100_000)::BIGINT AS itemid"
_TABLES = {
    "rec": f"SELECT i // 50 AS userid, {_ITEM.format('i * 7')}, hash(i * 13) / 2.0**64 AS score "
    "FROM range({users} * 50) AS rows(i)",
    "truth": f"SELECT (hash(i) % {{users}})::BIGINT AS userid, {_ITEM.format('i * 11')}, "
    "1 + hash(i * 11) % 100_000 % 3 AS rel FROM range({users} * 20) AS rows(i)",
}
_ARGUMENTS: dict[str, Any] = {
    "rel": "rel",
    "k": 10,
    "metrics": ["precision", "recall", "mrr", "average_precision", "ndcg"],
}


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


def _session(folder: Path) -> SparkSession:
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    settings = {
        "spark.driver.memory": "4g",
        "spark.local.dir": str(folder / "spark"),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    session = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
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
def main(users: int, data: Path) -> None:
    """Print the table."""
    paths = _write(data, users)
    session = _session(data)
    truth, rec = map(session.read.parquet, paths)
    con = rankdcg_sql.connect(config={"threads": 2})
    workers = _Workers()
    workers.start()
    rows = truth.unionByName(rec, allowMissingColumns=True)
    table = Table(title=f"{users * 50:,} recommendations")
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
    table.caption = f"peak of a Python process: {workers.peak / 1e6:.0f} MB"
    Console().print(table)
    if not in_duckdb.to_arrow(wide=True).equals(on_spark.to_arrow(wide=True)):
        raise click.ClickException("the values differ")


if __name__ == "__main__":
    main()
