"""Elapsed time of small evaluations, by this package and by others, from tables in memory.

NDCG, average precision, reciprocal rank, precision and recall are computed at 10 for every user, and then
averaged. Each package gets its input made before the clock starts: dicts for pytrec_eval, dicts and data
frames for ranx and for this package. Conversions that a package needs of its own are part of the time. Each
contender runs in a process of its own: the import of the package and the first call are shown apart, and then
the least and the median of many calls. All contenders must agree on the mean of NDCG to 1e-6.
"""

from __future__ import annotations

import importlib
import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.table import Table

K = 10
_METRICS = ["ndcg", "average_precision", "mrr", "precision", "recall"]
_COLUMNS = ("import", "first", "least", "median")
_TRUTHS = 10

#: From truth and rec to a call that returns the mean of NDCG.
_Contender = Callable[[Any, Any], Callable[[], float]]


def _tables(users: int, recs: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return truth and rec as columns, with distinct items and distinct scores for each user."""
    rng = np.random.default_rng(users)
    catalogue = max(1000, 2 * recs)
    items = np.array([f"item-{number:05}" for number in range(catalogue)])
    names = np.array([f"user-{number:06}" for number in range(users)])
    shown = rng.permuted(np.tile(np.arange(catalogue), (users, 1)), axis=1)
    # Half of the relevant items are among the recommended ones.
    judged = shown[:, recs - _TRUTHS // 2 : recs + _TRUTHS - _TRUTHS // 2]
    recommended = rng.permuted(shown[:, :recs], axis=1)
    truth = {"userid": np.repeat(names, _TRUTHS), "itemid": items[judged.ravel()]}
    scores = np.tile(np.arange(recs, 0, -1, dtype=float), users)
    return truth, {"userid": np.repeat(names, recs), "itemid": items[recommended.ravel()], "score": scores}


def _dicts(truth: dict[str, Any], rec: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return qrels and a run as dicts of dicts."""
    qrels: dict[str, Any] = {}
    run: dict[str, Any] = {}
    for user, item in zip(truth["userid"].tolist(), truth["itemid"].tolist(), strict=True):
        qrels.setdefault(user, {})[item] = 1
    columns = (rec[name].tolist() for name in ("userid", "itemid", "score"))
    for user, item, score in zip(*columns, strict=True):
        run.setdefault(user, {})[item] = score
    return qrels, run


def _mean_of_ndcg(summary: Iterable[tuple[Any, ...]]) -> float:
    """Return the mean of NDCG from rows that begin with metric, k, n and mean."""
    return {metric: mean for metric, _, _, mean, *_ in summary}["ndcg"]


def _ours_evaluate(truth: Any, rec: Any) -> Callable[[], float]:
    import rankdcg_sql

    arguments: dict[str, Any] = {"k": K, "metrics": _METRICS}
    return lambda: _mean_of_ndcg(rankdcg_sql.evaluate(truth, rec, **arguments).summary.fetchall())


def _ours_compare(truth: Any, rec: Any) -> Callable[[], float]:
    import rankdcg_sql

    def run() -> float:
        compared = rankdcg_sql.compare(truth, {"one": rec, "other": rec}, k=K, metrics=_METRICS)
        return _mean_of_ndcg(compared.differences.project("metric, k, n, mean").fetchall())

    return run


def _in_polars(run: _Contender) -> _Contender:
    """Give a contender the tables as frames of Polars."""

    def run_in_polars(truth: Any, rec: Any) -> Callable[[], float]:
        import polars as pl

        return run(pl.DataFrame(truth), pl.DataFrame(rec))

    return run_in_polars


def _in_lists(run: _Contender) -> _Contender:
    """Give a contender the tables as dicts of lists."""
    return lambda *tables: run(
        *({name: column.tolist() for name, column in table.items()} for table in tables)
    )


def _ours_frames(truth: Any, rec: Any) -> Callable[[], float]:
    import rankdcg_sql.polars as rk

    return lambda: rk.evaluate_frames(truth, rec, k=K).select(_METRICS).mean().item(0, "ndcg")


def _ours_tables(truth: dict[str, Any], rec: dict[str, Any]) -> Any:
    """Return a connection with both tables."""
    import pyarrow as pa

    import rankdcg_sql

    con = rankdcg_sql.connect()
    for name, columns in (("truth", truth), ("rec", rec)):
        con.register(f"{name}_columns", pa.table(columns))
        con.execute(f"CREATE TABLE {name} AS FROM {name}_columns")
    return con


def _ours_macro(truth: dict[str, Any], rec: dict[str, Any]) -> Callable[[], float]:
    con = _ours_tables(truth, rec)
    query = f"SELECT metric, k, n, mean FROM rank_summary(truth, rec, ks := {K}, metrics := {_METRICS})"
    return lambda: _mean_of_ndcg(con.execute(query).fetchall())


def _ours_sql(truth: dict[str, Any], rec: dict[str, Any]) -> Callable[[], float]:
    con = _ours_tables(truth, rec)
    rows = (
        "SELECT userid, itemid, score, NULL::TINYINT AS rel FROM rec "
        "UNION ALL SELECT userid, itemid, NULL, 1 FROM truth"
    )
    found = f"SELECT unnest(rank_metrics_by_user(userid, itemid, score, rel, {K}), recursive := true)"

    def run() -> float:
        row = con.execute(f"SELECT avg(COLUMNS(* EXCLUDE userid)) FROM ({found} FROM ({rows}))")
        names = [name for name, *_ in row.description or ()]
        return dict(zip(names, row.fetchall()[0], strict=True))["ndcg"]

    return run


def _pytrec_eval(
    truth: dict[str, Any], rec: dict[str, Any], module: str = "pytrec_eval"
) -> Callable[[], float]:
    pytrec_eval = importlib.import_module(module)
    qrels, ranking = _dicts(truth, rec)
    names = [f"ndcg_cut.{K}", f"map_cut.{K}", "recip_rank", f"P.{K}", f"recall.{K}"]

    def run() -> float:
        found = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(ranking)
        columns = list(next(iter(found.values())))
        means = {name: statistics.fmean(values[name] for values in found.values()) for name in columns}
        return means[f"ndcg_cut_{K}"]

    return run


_COMPAT = "rankdcg_sql.compat.pytrec_eval"
_OF_RANX = [f"{name}@{K}" for name in ("ndcg", "map", "mrr", "precision", "recall")]


def _ranx_dicts(truth: dict[str, Any], rec: dict[str, Any]) -> Callable[[], float]:
    import ranx

    qrels, run = _dicts(truth, rec)
    return lambda: ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), _OF_RANX)[_OF_RANX[0]]


def _ranx_pandas(truth: dict[str, Any], rec: dict[str, Any]) -> Callable[[], float]:
    import pandas as pd
    import ranx

    keys = {"q_id": object, "doc_id": object}  # ranx refuses pandas' own type of texts
    qrels = pd.DataFrame({"q_id": truth["userid"], "doc_id": truth["itemid"], "score": 1}).astype(keys)
    run = pd.DataFrame({"q_id": rec["userid"], "doc_id": rec["itemid"], "score": rec["score"]}).astype(keys)
    return lambda: ranx.evaluate(ranx.Qrels.from_df(qrels), ranx.Run.from_df(run), _OF_RANX)[_OF_RANX[0]]


#: The modules that a user imports, and the function that makes the call.
_CONTENDERS: dict[str, tuple[list[str], _Contender]] = {
    "pytrec_eval, dicts": (["pytrec_eval"], _pytrec_eval),
    "ours: compat.pytrec_eval, dicts": ([_COMPAT], partial(_pytrec_eval, module=_COMPAT)),
    "ranx, dicts": (["ranx"], _ranx_dicts),
    "ranx, pandas": (["ranx", "pandas"], _ranx_pandas),
    "ours: evaluate, dicts of columns": (["rankdcg_sql.evaluation"], _in_lists(_ours_evaluate)),
    "ours: evaluate, Polars": (["polars", "rankdcg_sql.evaluation"], _in_polars(_ours_evaluate)),
    "ours: compare of two, Polars": (["polars", "rankdcg_sql.evaluation"], _in_polars(_ours_compare)),
    "ours: evaluate_frames, Polars": (["rankdcg_sql.polars"], _in_polars(_ours_frames)),
    "ours: rank_summary, tables": (["duckdb", "rankdcg_sql"], _ours_macro),
    "ours: rank_metrics_by_user, tables": (["duckdb", "rankdcg_sql"], _ours_sql),
}


def _measure(name: str, users: int, recs: int, seconds: float) -> dict[str, float]:
    """Run one contender in this process; return its times in milliseconds and its mean of NDCG."""
    tables = _tables(users, recs)
    modules, make = _CONTENDERS[name]
    start = time.perf_counter()
    for module in modules:
        importlib.import_module(module)
    imported = time.perf_counter() - start
    run = make(*tables)
    times: list[float] = []
    mean = math.nan
    while len(times) < 4 or sum(times) < seconds:
        start = time.perf_counter()
        mean = run()
        times.append(time.perf_counter() - start)
    first, *warm = (each * 1e3 for each in times)
    return {
        "import": imported * 1e3,
        "first": first,
        "least": min(warm),
        "median": statistics.median(warm),
        "mean": mean,
    }


@click.command(help=__doc__)
@click.option("--users", multiple=True, type=int, default=(100, 1_000, 10_000), show_default=True)
@click.option("--recs", default=50, show_default=True, help="Recommendations of each user.")
@click.option("--only", default="", help="The contenders with this text in their names.")
@click.option("--seconds", default=2.0, show_default=True, help="How long each contender is run again.")
@click.option("--one", hidden=True, help="Run this contender alone, and print its times as JSON.")
def main(users: tuple[int, ...], recs: int, only: str, seconds: float, one: str | None) -> None:
    """Print a table for each number of users."""
    if one:
        print(json.dumps(_measure(one, users[0], recs, seconds)))
        return
    console = Console(width=max(Console().width, 90))
    for count in users:
        table = Table(title=f"{count:,} users x {recs} recs x {_TRUTHS} truths; milliseconds")
        for header in ("", *_COLUMNS):
            table.add_column(header, justify="right" if header else "left")
        means = []
        for name in (each for each in _CONTENDERS if only in each):
            command = [sys.executable, __file__, "--one", name, "--users", str(count), "--recs", str(recs)]
            done = subprocess.run(
                [*command, "--seconds", str(seconds)], capture_output=True, text=True, check=False
            )
            if done.returncode:
                table.add_row(name, f"n/a: {done.stderr.strip().splitlines()[-1]}")
                continue
            found = json.loads(done.stdout)
            table.add_row(name, *(f"{found[column]:.1f}" for column in _COLUMNS))
            means.append(found["mean"])
        console.print(table)
        if any(not math.isclose(mean, means[0], abs_tol=1e-6) for mean in means):
            raise click.ClickException(f"the means of NDCG differ: {means}")


if __name__ == "__main__":
    main()
