"""Evaluation of files that are larger than memory: passes, seconds of each pass, and the peak of memory.

DuckDB generates the files: Parquet with 100 recommendations and 10 relevant items for each user. Five of the
relevant items are recommended. The rows of a user lie together, unless ``--shuffled`` is given. ``evaluate``
then runs in a process of its own under a memory limit, and each statement is printed when it ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import click
import duckdb
from rich.console import Console

_CATALOGUE = 99_991  # a prime: equal steps around a circle of this length meet no item twice
_RECS, _TRUTHS, _HITS = 100, 10, 5
_ITEMS = f"(hash(u) % {_CATALOGUE} + (1 + hash(u, 0) % {_CATALOGUE - 1}) * i) % {_CATALOGUE}"
_TABLES = {
    "rec": f"SELECT u AS userid, ({_ITEMS})::BIGINT AS itemid, hash(u, i, 1) / 2.0**64 AS score "
    f"FROM range({{users}}) AS users(u), range({_RECS}) AS items(i)",
    "items": "SELECT i AS itemid, 1 + hash(i) % 1000 AS popularity, "
    "(1 + hash(i, 1) % 1000) / 1000 AS share, "
    f"hash(i, 2) % 2 = 0 AS long_tail FROM range({_CATALOGUE}) AS items(i)",
    "truth": f"SELECT u AS userid, ({_ITEMS})::BIGINT AS itemid "
    f"FROM range({{users}}) AS users(u), range({_RECS - _HITS}, {_RECS - _HITS + _TRUTHS}) AS items(i)",
}
#: Measures of recommended items: of each user, and of all together.
_OF_ITEMS = (
    *("average_popularity", "novelty", "long_tail_share"),
    *("coverage", "personalisation", "gini", "entropy"),
)


def _write(folder: Path, users: int, shuffled: bool) -> Path:
    """Write both tables to a subfolder, unless it exists, and return the subfolder."""
    done = folder / f"{users}{'-shuffled' * shuffled}"
    if not done.exists():
        unfinished = done.with_suffix(".unfinished")
        unfinished.mkdir(parents=True, exist_ok=True)
        with duckdb.connect(config={"temp_directory": str(unfinished / "temporary")}) as con:
            con.execute("SET preserve_insertion_order = false")
            for name, query in _TABLES.items():
                file = unfinished / f"{name}.parquet"
                order = " ORDER BY hash(userid, itemid)" * (shuffled and name != "items")
                con.execute(f"COPY ({query.format(users=users)}{order}) TO '{file}'")
        unfinished.rename(done)
    return done


def _resident() -> int:
    """Return the resident memory of this process that files do not back, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("RssAnon")).split()[1]) * 1024


def _evaluate(folder: Path, limit: str, threads: int, with_items: bool) -> None:
    """Evaluate the files, and print each statement's label, seconds and peak of memory as JSON.

    Measures of recommended items are among the metrics if `with_items`.
    """
    import rankdcg_sql
    from rankdcg_sql.catalogue import metric_functions
    from rankdcg_sql.evaluation._computing.progress import Progress

    peak = 0
    stop = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not stop.wait(0.05):
            peak = max(peak, _resident())

    def tell(label: str, seconds: float) -> None:
        print(json.dumps({"label": label, "seconds": seconds, "peak": peak}), flush=True)

    run = Progress.run

    def timed(self: Any, label: str, statement: str) -> Any:
        nonlocal peak
        start, peak = time.perf_counter(), _resident()
        found = run(self, label, statement)
        tell(label, time.perf_counter() - start)
        return found

    Progress.run = timed  # type: ignore[method-assign]
    threading.Thread(target=watch, daemon=True).start()
    temporary = tempfile.mkdtemp(dir=folder)
    config: dict[str, Any] = {"memory_limit": limit, "threads": threads, "temp_directory": temporary}
    more: dict[str, Any] = {}
    if with_items:
        usual = [name for name, function in metric_functions().items() if function.by_default]
        more = {"metrics": [*usual, *_OF_ITEMS], "items": folder / "items.parquet"}
    start, cpu = time.perf_counter(), time.process_time()
    with rankdcg_sql.connect(config=config) as con:
        found = rankdcg_sql.evaluate(folder / "truth.parquet", folder / "rec.parquet", con=con, **more)
        tell("all passes and counts", time.perf_counter() - start)
        means = found.summary.project("metric, k, mean").fetchall()
    stop.set()
    tell("with the summary", time.perf_counter() - start)
    print(json.dumps({"label": "CPU", "seconds": time.process_time() - cpu, "peak": peak, "means": means}))


@click.command(help=__doc__)
@click.option("--users", default=10_000_000, show_default=True, help="Users, of 100 recs and 10 truths.")
@click.option("--limit", default="4GB", show_default=True, help="DuckDB's memory limit.")
@click.option("--threads", default=os.cpu_count() or 1, show_default=True, help="Threads.")
@click.option("--shuffled", is_flag=True, help="Rows are in random order.")
@click.option("--items", is_flag=True, help="Measures of recommended items, too.")
@click.option("--one", is_flag=True, hidden=True, help="Evaluate in this process.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(tempfile.gettempdir()) / "rankdcg_large_files",
    help="Where the files are kept; by default in the folder of temporary files.",
)
def main(users: int, limit: str, threads: int, shuffled: bool, items: bool, one: bool, data: Path) -> None:
    """Print each statement."""
    console = Console()
    start = time.perf_counter()
    folder = _write(data, users, shuffled)
    if one:
        _evaluate(folder, limit, threads, items)
        return
    size = sum(file.stat().st_size for file in folder.glob("*.parquet")) / 1e9
    console.print(
        f"{users * _RECS:,} + {users * _TRUTHS:,} rows, {size:.1f} GB; "
        f"written in {time.perf_counter() - start:.0f} s"
    )
    command = [sys.executable, __file__, "--one", "--users", str(users), "--limit", limit]
    command += ["--threads", str(threads), "--data", str(data), *(["--shuffled"] * shuffled)]
    command += ["--items"] * items
    highest = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            done = json.loads(line)
            highest = max(highest, done["peak"])
            console.print(
                f"{done['label']:40} {done['seconds']:8.1f} s  peak {done['peak'] / 2**30:5.2f} GiB"
            )
    if process.returncode:
        raise click.ClickException(f"the evaluation ended with {process.returncode}")
    console.print(f"peak of all: {highest / 2**30:.2f} GiB")


if __name__ == "__main__":
    main()
