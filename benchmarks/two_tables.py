"""Cost of metrics of every user from two Parquet tables, by this package and by queries written by hand.

The metrics are five metrics at 10, and the same with AUC of the whole list. Contenders take turns, and each
run is a process of its own. The run with the least CPU time counts. Times cover the query, from the files to
a table with a row for each user, and not the start of the interpreter. Memory is the peak of the process. All
contenders must agree on the means of the metrics to 1e-9. The row "reading alone" is no contender but a
bound: DuckDB reads both files and computes nothing. The rows "rank_change" evaluate two runs, or three. A
last table compares the cost of several metrics with that of one, from tables in memory, with results that are
discarded or stored.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click
import two_tables_contenders as contenders
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table
from two_tables_data import Data

_KINDS = {"top": "five metrics at 10", "whole": "five metrics at 10 and AUC of the whole list"}


@dataclass
class Run:
    """The cost of one run of a contender, and its means."""

    #: CPU time in seconds.
    cpu: float
    #: Elapsed time in seconds.
    wall: float
    #: The peak of resident memory in bytes.
    peak: int
    #: The mean of each metric.
    means: dict[str, float]


def best_runs(
    console: Console, threads: int, runs: int, only: tuple[str, ...], folder: Path, kind: str
) -> dict[str, Run]:
    """Run contenders in turns, each in a process of its own; return the run with the least CPU time of each.

    Only those with one of the texts `only` in their names run, or all if there is none. The console names
    those that could not run.
    """
    names = [name for name in contenders.names(kind) if not only or any(part in name for part in only)]
    environment = {**os.environ, "POLARS_MAX_THREADS": str(threads)}
    best: dict[str, Run] = {}
    for _ in range(runs):
        for name in list(names):
            command = [sys.executable, contenders.__file__, str(folder), str(threads), kind, name]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            if done.returncode:
                errors = [line for line in done.stderr.splitlines() if "Error" in line or "Exception" in line]
                reason = errors[-1] if errors else f"exit code {done.returncode}"
                console.print(f"{name}: n/a: {reason}", markup=False)
                names.remove(name)
                continue
            run = Run(**json.loads(done.stdout))
            if name not in best or run.cpu < best[name].cpu:
                best[name] = run
    return best


def disagreement(best: dict[str, Run]) -> str | None:
    """Describe the first mean that differs from the first contender's; None if all agree."""
    first, *others = [name for name, run in best.items() if run.means] or [""]
    for name in others:
        for metric, mean in best[name].means.items():
            expected = best[first].means[metric]
            if mean is None or not math.isclose(mean, expected, rel_tol=0, abs_tol=1e-9):
                return f"{metric}: {mean} by {name}, {expected} by {first}"
    return None


def _table(title: str, columns: list[str]) -> Table:
    """Make a table of numbers, in Markdown, with a row for each contender."""
    table = Table("", title=title, box=MARKDOWN)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def compared(title: str, best: dict[str, Run]) -> Table:
    """Make a table of contenders, with ratios to the best contender that is not this package's."""
    table = _table(title, ["CPU s", "wall s", "peak MB", "CPU ratio", "wall ratio", "peak ratio"])
    bounds = ("ours: ", contenders.READING)
    peers = [run for name, run in best.items() if not name.startswith(bounds)]
    for name, run in best.items():
        ratios = (
            f"{getattr(run, unit) / min(getattr(peer, unit) for peer in peers):.2f}" if peers else ""
            for unit in ("cpu", "wall", "peak")
        )
        table.add_row(name, f"{run.cpu:.2f}", f"{run.wall:.2f}", f"{run.peak / 1e6:.0f}", *ratios)
    table.caption = "ratios: to the peer that took least of it"
    return table


def costs(title: str, best: dict[str, Run]) -> Table:
    """Make a table of the cost of several metrics, with ratios to the cost of one metric."""
    table = _table(title, contenders.COSTS)
    first, *others = contenders.COSTS
    for function in dict.fromkeys(name.split(": ")[0] for name in best):
        runs = [best.get(f"{function}: {cost}") for cost in contenders.COSTS]
        cells = [f"{run.cpu:.3f}" if run else "n/a" for run in runs]
        for place, run in enumerate(runs[1:], 1):
            if run and runs[0]:
                cells[place] += f" ({run.cpu / runs[0].cpu:.2f}x)"
        table.add_row(function, *cells)
    table.caption = f"{', '.join(others)}: beside {first}"
    return table


@click.command(help=__doc__)
@click.option("--users", default=200_000, show_default=True, help="Users, of 50 recs and 20 truths.")
@click.option("--large/--no-large", help="Also a million users of 100 recs and 10 truths.")
@click.option("--threads", default=2, show_default=True, help="Threads of each contender.")
@click.option("--runs", default=3, show_default=True, help="Runs of each contender.")
@click.option("--only", multiple=True, help="Contenders whose names have this in them.")
@click.option("--setting", "settings", multiple=True, help="Settings whose descriptions have this in them.")
@click.option("--cost/--no-cost", default=True, help="What more metrics cost.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(tempfile.gettempdir()) / "rankdcg_two_tables",
    help="Where the tables are kept; by default in the folder of temporary files.",
)
def main(
    users: int,
    large: bool,
    threads: int,
    runs: int,
    only: tuple[str, ...],
    settings: tuple[str, ...],
    cost: bool,
    data: Path,
) -> None:
    """Print the tables."""
    console = Console(width=max(Console().width, 110))
    best_of = partial(best_runs, console, threads, runs, only)
    sets = [Data(users, 50, 20, shuffled, texts) for texts in (False, True) for shuffled in (False, True)]
    sets += [Data(1_000_000, 100, 10)] * large
    errors = []
    for each in sets:
        for kind, metrics in _KINDS.items():
            title = f"{each}; {metrics}"
            if settings and not any(part in title for part in settings):
                continue
            best = best_of(each.write(data), kind)
            if best:
                console.print(compared(title, best))
                error = disagreement(best)
                if error:
                    console.print(error, markup=False)
                    errors.append(f"{title}: {error}")
    if cost:
        best = best_of(sets[0].write(data), "cost")
        if best:
            console.print(costs(f"{sets[0]}, in memory; CPU seconds", best))
    if errors:
        raise click.ClickException("\n".join(errors))


if __name__ == "__main__":
    main()
