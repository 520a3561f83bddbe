"""Time of this package's Polars plugins and of other ways to compute ranking metrics in Polars.

Metrics are computed over list columns and over groups. Every figure is the smallest of several runs in one
process, in which the contenders take turns. Each contender runs on the in-memory and on the streaming engine,
and the faster engine counts. Only ratios carry over to other machines. Polars has one thread, unless
POLARS_MAX_THREADS says otherwise. polarbearings and polars-ds take part if they are installed.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from functools import cache

os.environ.setdefault("POLARS_MAX_THREADS", "1")  # Polars reads the variable once, when it is imported.

import click
import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

from rankdcg_sql import polars as rk

try:
    import polarbearings
except ImportError:
    polarbearings = None
try:
    import polars_ds
except ImportError:
    polars_ds = None

Contender = Callable[[pl.LazyFrame], pl.LazyFrame]

K = 10
_ENGINES = ("in-memory", "streaming")
_METRICS = {
    "recall": rk.recall("rec", "truth", k=K),
    "ndcg": rk.ndcg("rec", "truth", k=K),
    "ap": rk.average_precision("rec", "truth", k=K, denominator="min_truth_k"),
}
_QUERIES = {"ndcg@10": ["ndcg"], "recall@10": ["recall"], "three metrics@10": ["recall", "ndcg", "ap"]}


def lists(users: int, recs: int, truths: int, texts: bool) -> pl.DataFrame:
    """Make rows of recommendations and relevant items; a third of the relevant items is recommended."""
    prime = 5003
    rng = np.random.default_rng(0)
    hits = min(truths // 3, recs)
    # Equal steps around a circle of prime length meet no item twice.
    steps = rng.integers(1, prime, (users, 1)) * np.arange(recs + truths - hits)
    items = (rng.integers(0, prime, (users, 1)) + steps) % prime
    rec = items[:, :recs]
    truth = np.hstack([rng.permuted(rec, axis=1)[:, :hits], items[:, recs:]])
    frame = pl.DataFrame({"rec": rec, "truth": rng.permuted(truth, axis=1)}).select(pl.all().arr.to_list())
    text = pl.format("item_{}", pl.element().cast(pl.String).str.zfill(8))
    return frame.with_columns(pl.all().list.eval(text)) if texts else frame


def groups(count: int, rows: int, shuffled: bool) -> pl.DataFrame:
    """Make a long table of groups without tied scores."""
    rng = np.random.default_rng(0)
    size = count * rows
    frame = pl.DataFrame(
        {
            "g": np.repeat(np.arange(count), rows),
            "score": rng.permutation(size) / size,
            "rel": rng.integers(0, 5, size).astype(np.float64),
        }
    )
    return frame.sample(fraction=1, shuffle=True, seed=1) if shuffled else frame


def _grouped(value: pl.Expr) -> Contender:
    return lambda frame: frame.group_by("g").agg(value=value)


def _sorted_lists(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Compute NDCG from lists that are sorted within groups, as a sum over the positions of the lists."""

    def dcg(column: str) -> pl.Expr:
        gain = pl.col(column).list
        return pl.sum_horizontal(gain.get(i, null_on_oob=True) / math.log2(i + 2) for i in range(K))

    ranked = pl.col("rel").sort_by("score", descending=True).head(K)
    lists = (
        frame.group_by("g")
        .agg(ranked=ranked, ideal="rel")
        .with_columns(pl.col("ideal").list.sort(descending=True))
    )
    return lists.select("g", value=dcg("ranked") / dcg("ideal"))


def _sort_by(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Compute NDCG as a sum over sorted columns within groups."""

    def dcg(gain: pl.Expr) -> pl.Expr:
        return (gain.head(K) / (pl.int_range(pl.len()) + 2).log(2).head(K)).sum()

    rel = pl.col("rel")
    return _grouped(dcg(rel.sort_by("score", descending=True)) / dcg(rel.sort(descending=True)))(frame)


def _rank_over(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Compute NDCG from ranks of window functions, as a sum within groups."""

    def gain(column: str) -> pl.Expr:
        rank = pl.col(column).rank("ordinal", descending=True).over("g")
        return pl.when(rank <= K).then(pl.col("rel") / (rank + 1).log(2)).otherwise(0.0)

    gains = frame.select("g", dcg=gain("score"), ideal=gain("rel"))
    return _grouped(pl.col("dcg").sum() / pl.col("ideal").sum())(gains)


def over_groups() -> dict[str, Contender]:
    """Return the ways to compute NDCG from a long table, keyed by name."""
    ways: dict[str, Contender] = {
        "ours": _grouped(rk.ndcg_agg("score", "rel", k=K, gain="linear")),
        "pure Polars: sort_by, list.get": _sorted_lists,
        "pure Polars: rank().over": _rank_over,
        "pure Polars: sort_by": _sort_by,
    }
    if polarbearings:
        ways["polarbearings"] = _grouped(polarbearings.ndcg_score("rel", "score", k=K))
    if polars_ds:
        # By default, it calls a function that Polars 2 removed.
        ways["polars-ds"] = _grouped(polars_ds.query_ndcg_score("rel", "score", k=K, ignore_ties=True))
    return ways


@cache
def note(console: Console, text: str) -> None:
    """Print a text the first time that it is given."""
    console.print(text, markup=False)


def usable(
    console: Console, title: str, ways: dict[str, Contender], frame: pl.DataFrame
) -> dict[str, Contender]:
    """Return the ways that run, and print which of them give other values than this package."""
    ours = _values(ways["ours"], frame)
    kept = {}
    for name, way in ways.items():
        try:
            theirs = ours if name == "ours" else _values(way, frame)
        except Exception as error:
            note(console, f"{name}: n/a: {type(error).__name__}: {error}")
            continue
        kept[name] = way
        # A value that is missing from one of the two differs, and so does NaN.
        far = [
            ~(a.eq_missing(b) | ((a - b).abs() <= 1e-9).fill_null(False))
            for a, b in zip(ours, theirs, strict=True)
        ]
        unequal = sum(int(column.sum()) for column in far)
        if unequal:
            note(console, f"{title}: {name}: {unequal} of {len(ours[0]) * len(ours)} values are not ours")
    return kept


def _values(way: Contender, frame: pl.DataFrame) -> list[pl.Series]:
    result = way(frame.lazy()).collect()
    if "g" in result.columns:
        result = result.sort("g").drop("g")
    return result.get_columns()


def seconds(ways: dict[str, Contender], frame: pl.DataFrame, runs: int) -> dict[str, tuple[float, str]]:
    """Time ways in turns; return the smallest time of each in seconds, and the engine that took it."""
    best = dict.fromkeys(ways, (math.inf, ""))
    for _ in range(runs):
        for name, way in ways.items():
            for engine in _ENGINES:
                start = time.perf_counter()
                result = way(frame.lazy()).collect(engine=engine)
                best[name] = min(best[name], (time.perf_counter() - start, engine))
                del result
    return best


def compare_lists(console: Console, frames: dict[str, pl.DataFrame], runs: int) -> Table:
    """Time metrics over list columns."""
    table = Table(title="list columns; milliseconds (engine)")
    for column in ("ids", "query", "ours"):
        table.add_column(column, justify="right" if column == "ours" else "left")
    selections = {
        query: [_METRICS[name].alias(name) for name in names] for query, names in _QUERIES.items()
    } | {"rank_metrics@10": [rk.rank_metrics("rec", "truth", k=K)]}
    for ids, frame in frames.items():
        ways = {
            query: (lambda frame, metrics=chosen: frame.select(metrics))
            for query, chosen in selections.items()
        }
        for query, (least, engine) in seconds(ways, frame, runs).items():
            table.add_row(ids, query, f"{least * 1e3:.1f} ({engine})")
    return table


def compare_groups(console: Console, counts: tuple[int, ...], rows: int, runs: int) -> Table:
    """Time NDCG over groups of a long table."""
    table = Table(title=f"group_by().agg(), {rows} rows a group; microseconds a group (times ours)")
    table.add_column("ndcg@10")
    names = ["bare group_by into lists", *over_groups()]
    cells: dict[str, list[str]] = {name: [] for name in names}
    for count in counts:
        for shuffled in (False, True):
            title = f"{count} groups, {'shuffled' if shuffled else 'in order'}"
            table.add_column(title, justify="right")
            frame = groups(count, rows, shuffled)
            ways = usable(console, title, over_groups(), frame)
            ways[names[0]] = lambda frame: frame.group_by("g").agg("score", "rel")
            best = seconds(ways, frame, runs)
            for name in names:
                least, engine = best.get(name, (0, ""))
                ratio = f"{least / best['ours'][0]:.1f}x"
                cells[name].append(f"{least * 1e6 / count:.2f} ({ratio}) {engine[0]}" if engine else "n/a")
    for name in names:
        table.add_row(name, *cells[name])
    table.caption = "i: in-memory engine, s: streaming engine"
    return table


@click.command(help=__doc__)
@click.option("--users", default=200_000, show_default=True, help="Rows of lists.")
@click.option("--recs", default=20, show_default=True, help="Recommendations a row.")
@click.option("--truths", default=10, show_default=True, help="Relevant items a row.")
@click.option(
    "--groups",
    "counts",
    default=(100_000, 20_000),
    show_default=True,
    multiple=True,
    help="Groups of a long table.",
)
@click.option("--rows", default=20, show_default=True, help="Rows a group.")
@click.option("--runs", default=5, show_default=True, help="Runs of each contender on each engine.")
def main(users: int, recs: int, truths: int, counts: tuple[int, ...], rows: int, runs: int) -> None:
    """Print the tables."""
    console = Console()
    console.print(f"Polars {pl.__version__}, {pl.thread_pool_size()} thread(s)")
    console.print(f"{users} rows of {recs} recommendations and {truths} relevant items")
    console.print("All values are ours to 1e-9, unless a line below says otherwise.")
    frames = {ids: lists(users, recs, truths, ids == "string") for ids in ("int64", "string")}
    console.print(compare_lists(console, frames, runs))
    del frames
    console.print(compare_groups(console, counts, rows, runs))


if __name__ == "__main__":
    main()
