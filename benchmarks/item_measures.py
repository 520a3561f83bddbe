"""Cost of measures of recommended items: `evaluate` with metrics at 10, and with measures of items too.

All calls read the same truth and 10 million recommendations. They run in one process, in random order. The
ratios are of the means, for CPU time and for wall-clock time, to the call with the same metrics alone. Run it
on an idle machine.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import fmean

import click
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.table import Table
from two_tables_data import Data

import rankdcg_sql

_SIX = ["precision", "recall", "average_precision", "mrr", "auc", "ndcg"]
_SEVEN = [*_SIX, "rankdcg"]
_USUAL = [
    "coverage", "gini", "entropy", "average_popularity", "novelty", "long_tail_share",
    "categorical_diversity", "awrf",
]  # fmt: skip
_WITHOUT_TRUTH = [*_USUAL, "personalisation", "rsp", "intra_list_diversity", "ndkl"]
_SIXTEEN = [*_WITHOUT_TRUTH, "serendipity", "calibration", "reo", "eel"]
_ALL = [*_SIXTEEN, "max_skew", "exposure_ratio", "dtr", "dir", "iaa"]
#: The metrics of each call, and its measures of items.
_CALLS = {
    "seven metrics": (_SEVEN, []),
    "seven, and eight measures of items": (_SEVEN, _USUAL),
    "seven, and twelve that need no truth": (_SEVEN, _WITHOUT_TRUTH),
    "seven, and sixteen": (_SEVEN, _SIXTEEN),
    "seven, and all twenty-one": (_SEVEN, _ALL),
    "six metrics, without rankDCG": (_SIX, []),
    "six, and eight measures of items": (_SIX, _USUAL),
    "six, and sixteen": (_SIX, _SIXTEEN),
}


def _graded(truth: pa.Table) -> pa.Table:
    """Add relevances from 1 to 3, because rankDCG needs grades."""
    grades = np.random.default_rng(3).integers(1, 4, len(truth))
    return truth.append_column("rel", pa.array(grades))


def _items(sparse: bool) -> pa.Table:
    """Make a catalogue of all items, each with two of 20 categories and one of 4 groups.

    In a sparse one, the number of one more item is far from the others.
    """
    rng = np.random.default_rng(5)
    ids = np.arange(1, 100_001)
    if sparse:
        ids = np.concatenate([ids, [2**40]])
    popularity = rng.zipf(1.6, len(ids)).clip(max=200_000)
    categories = [[f"category {each}" for each in rng.choice(20, 2, replace=False)] for _ in ids]
    return pa.table(
        {
            "itemid": ids,
            "popularity": popularity,
            "share": popularity / 200_000,
            "long_tail": popularity < 3,
            "categories": categories,
            "group": [f"group {each}" for each in rng.integers(0, 4, len(ids))],
        }
    )


def _seconds(tables: Path, metrics: list[str], of_items: list[str]) -> tuple[float, float]:
    """Return the seconds that one call takes: of the processors, and of the clock on the wall."""
    items = {"items": tables / "items.parquet"} if of_items else {}
    cpu, wall = time.process_time(), time.perf_counter()
    rankdcg_sql.evaluate(
        tables / "graded_truth.parquet",
        tables / "rec.parquet",
        10,
        [*metrics, *of_items],
        rel="rel",
        progress=False,
        **items,
    )
    return time.process_time() - cpu, time.perf_counter() - wall


@click.command(help=__doc__)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(tempfile.gettempdir()) / "rankdcg_two_tables",
    show_default=True,
    help="The folder of the tables, which are written if it has none.",
)
@click.option("--runs", default=51, show_default=True)
@click.option("--recs", default=50, show_default=True, help="How many recommendations each user has.")
@click.option("--sparse", is_flag=True, help="Have a gap in the numbers of items.")
def main(data: Path, runs: int, recs: int, sparse: bool) -> None:
    """Print seconds and ratios."""
    tables = Data(users=10_000_000 // recs, recs=recs, truths=20).write(data)
    pq.write_table(_graded(pq.read_table(tables / "truth.parquet")), tables / "graded_truth.parquet")
    pq.write_table(_items(sparse), tables / "items.parquet")
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in _CALLS}
    order = np.random.default_rng(7)
    for run in range(-1, runs):  # in the first run, files and libraries are loaded, so it does not count
        for name in order.permutation([*_CALLS]):
            seconds = _seconds(tables, *_CALLS[name])
            if run >= 0:
                taken[name].append(seconds)
    table = Table("", "CPU seconds", "ratio", "wall-clock seconds", "ratio")
    means = {name: [fmean(column) for column in zip(*rows, strict=True)] for name, rows in taken.items()}
    for name, of_call in means.items():
        alone = means[next(other for other, (metrics, _) in _CALLS.items() if metrics == _CALLS[name][0])]
        both = zip(of_call, alone, strict=True)
        table.add_row(name, *(text for one, base in both for text in (f"{one:.2f}", f"{one / base:.2f}")))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
