"""The contenders of ``two_tables.py``: ways to compute metrics of every user from two Parquet tables.

``python two_tables_contenders.py FOLDER THREADS KIND NAME`` runs one contender, and prints its cost and the
means of its metrics. KIND is ``top`` (five metrics at 10), ``whole`` (also AUC of the whole list), or
``cost``.

The queries written by hand are those that are the fastest of their engine for some layout of the data.
docs/performance.md says of how many others. They encode the hits in the top 10 as ten bits, and look up the
metrics of these bits in a table of 1024 rows. Ranks start at 1; they come from a window or from positions
in a list. The queries assume that no item repeats and no scores tie, which holds for the data.
"""

from __future__ import annotations

import importlib
import json
import math
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

K = 10
METRICS = ["recall", "precision", "ndcg", "average_precision", "mrr"]
_OPTIONS = "'precision_denominator=k'"

# --- DuckDB, by hand ---

IDEAL = [sum(1 / math.log2(rank + 1) for rank in range(1, count + 1)) for count in range(1, K + 1)]
_BY_HITS = f"""
CREATE TEMP TABLE by_hits AS
SELECT
    bits,
    len(ranks) AS hits,
    coalesce(list_sum([1 / log2(rank + 1) FOR rank IN ranks]), 0) AS dcg,
    coalesce(list_sum([nth / rank FOR rank, nth IN ranks]), 0) AS precisions,
    coalesce(1 / ranks[1], 0) AS mrr
FROM (
    SELECT bits, [rank FOR rank IN range(1, {K + 1}) IF bits >> (rank - 1) & 1 = 1] AS ranks
    FROM range({2**K}) AS numbers(bits)
);
"""
_TOP_LISTS = f"SELECT userid, max_by(itemid, score, {K}) AS items FROM rec GROUP BY userid"
_TOP = f"SELECT userid, unnest(items) AS itemid, generate_subscripts(items, 1) AS rank FROM ({_TOP_LISTS})"
_TRUTH_LISTS = "SELECT userid, list(itemid) AS relevant FROM truth GROUP BY userid"
_TRUTHS = "SELECT userid, count(*) AS truths FROM truth GROUP BY userid"
# Hits are found before the sort, so that the sort need not carry the items.
_MARKED = """
SELECT rec.userid, score, truth.itemid IS NOT NULL AS is_hit FROM rec LEFT JOIN truth USING (userid, itemid)
"""
_RANKED = f"""
SELECT userid, is_hit, row_number() OVER (PARTITION BY userid ORDER BY score DESC) AS rank FROM ({_MARKED})
"""
_BITS = f"coalesce(sum(CASE WHEN rank <= {K} THEN 1 << (rank - 1) END), 0)::BIGINT AS bits"
_LIST_BITS = f"coalesce(list_sum([1 << (rank - 1) FOR rank IN ranks IF rank BETWEEN 1 AND {K}]), 0) AS bits"
_RANK_SUMS = "count(rank) AS hits_of_all, coalesce(sum(rank), 0) AS ranks"
_LIST_RANK_SUMS = "coalesce(len(ranks), 0) AS hits_of_all, coalesce(list_sum(ranks), 0) AS ranks"
_VALUES = f"""
    userid,
    hits / truths AS recall,
    hits / {K} AS "precision",
    dcg / {IDEAL}[least(truths, {K})] AS ndcg,
    precisions / truths AS average_precision,
    mrr
"""
_AUC = """
    CASE
        WHEN hits_of_all = 0 OR hits_of_all = retrieved THEN 0.5
        ELSE (hits_of_all * retrieved - ranks - hits_of_all * (hits_of_all - 1) / 2)
            / (hits_of_all * (retrieved - hits_of_all))
    END AS whole_auc
"""

_SQL = {
    "DuckDB: max_by, join, lookup": f"""
SELECT {_VALUES}
FROM (
    SELECT truth.userid, count(*) AS truths, {_BITS}
    FROM truth LEFT JOIN ({_TOP}) USING (userid, itemid)
    GROUP BY truth.userid
) JOIN by_hits USING (bits)
""",
    "DuckDB: max_by, inner join, lookup": f"""
WITH
    top AS ({_TOP}),
    hits AS (SELECT userid, {_BITS} FROM top JOIN truth USING (userid, itemid) GROUP BY userid)
SELECT {_VALUES}
FROM (SELECT userid, truths, coalesce(bits, 0) AS bits FROM ({_TRUTHS}) LEFT JOIN hits USING (userid))
JOIN by_hits USING (bits)
""",
}
_SQL_WHOLE = {
    "DuckDB: join, row_number, lookup": f"""
SELECT {_VALUES}, {_AUC}
FROM (
    SELECT userid, count(*) AS retrieved, {_RANK_SUMS}, {_BITS}
    FROM (SELECT userid, CASE WHEN is_hit THEN rank END AS rank FROM ({_RANKED}))
    GROUP BY userid
) JOIN ({_TRUTHS}) USING (userid) JOIN by_hits USING (bits)
""",
    "DuckDB: join, sorted scores, lookup": f"""
SELECT {_VALUES}, {_AUC}
FROM (
    SELECT userid, retrieved, {_LIST_RANK_SUMS}, {_LIST_BITS}
    FROM (
        SELECT userid, len(scores) AS retrieved, [list_position(scores, score) FOR score IN hits] AS ranks
        FROM (
            SELECT userid, list_reverse_sort(list(score)) AS scores, list(score) FILTER (is_hit) AS hits
            FROM ({_MARKED})
            GROUP BY userid
        )
    )
) JOIN ({_TRUTHS}) USING (userid) JOIN by_hits USING (bits)
""",
}

# --- DuckDB, ours ---


_ROWS = """
    SELECT userid, itemid, score, NULL::BOOLEAN AS rel FROM rec
    UNION ALL
    SELECT userid, itemid, NULL, true FROM truth
"""


def _by_user() -> tuple[str, str]:
    """Return two queries: metrics at 10, and the same with AUC of the whole list."""
    arguments = "userid, itemid, score, rel"
    top = f"rank_metrics_by_user({arguments}, {K}, {_OPTIONS})"
    both = f"rank_metrics_at_by_user({arguments}, [{K}, NULL], {_OPTIONS})"
    return (
        f"SELECT unnest({top}, recursive := true) FROM ({_ROWS})",
        _with_whole_auc(f"SELECT unnest({both}, recursive := true) FROM ({_ROWS})"),
    )


def _rank_evaluate() -> tuple[str, str]:
    """Return the two queries of `_by_user`, with the table macro."""
    call = "FROM rank_evaluate(truth, rec, ks := [{}], options := {})".format
    return call(K, _OPTIONS), _with_whole_auc(call(f"{K}, NULL", _OPTIONS))


def _with_whole_auc(cuts: str) -> str:
    """Put the AUC of the whole list beside the metrics at 10, from a query with a row for each of both."""
    return f"""
WITH cuts AS MATERIALIZED ({cuts})
SELECT top.*, whole_auc
FROM (FROM cuts WHERE k = {K}) AS top
JOIN (SELECT userid, auc AS whole_auc FROM cuts WHERE k IS NULL) USING (userid)
"""


def _of_groups(
    function: str, arguments: str, rows: str, grouping: str = "GROUP BY userid"
) -> tuple[str, str]:
    at = f"{function.replace('metrics', 'metrics_at')}({arguments}, [{K}, NULL], {_OPTIONS})"
    return (
        f"SELECT userid, unnest({function}({arguments}, {K}, {_OPTIONS})) FROM ({rows}) {grouping}",
        f"""
SELECT userid, unnest(cuts[1]), cuts[2].auc AS whole_auc
FROM (SELECT userid, {at} AS cuts FROM ({rows}) {grouping})
""",
    )


_JOINED = """
    SELECT userid, score, rel FROM rec FULL JOIN (SELECT *, 1 AS rel FROM truth) USING (userid, itemid)
"""


def _lists(items: str) -> str:
    return f"""
    FROM ({_TRUTH_LISTS}) LEFT JOIN (SELECT userid, {items} AS items FROM rec GROUP BY userid) USING (userid)
"""


# Contenders whose lists end at rank 10.
_OURS_OF_TOP = {"max_by, rank_metrics", "ranked_list of k, rank_metrics"}
_OURS = {
    "rank_metrics_by_user": _by_user(),
    "rank_evaluate": _rank_evaluate(),
    "rank_metrics_rows": _of_groups("rank_metrics_rows", "itemid, score, rel", _ROWS),
    "FULL JOIN, rank_metrics_agg": _of_groups("rank_metrics_agg", "score, rel", _JOINED),
    "list(ORDER BY), rank_metrics": _of_groups(
        "rank_metrics", "items, relevant", _lists("list(itemid ORDER BY score DESC)"), ""
    ),
    "max_by, rank_metrics": _of_groups(
        "rank_metrics", "items, relevant", _lists(f"max_by(itemid, score, {K})"), ""
    ),
    "ranked_list, rank_metrics": _of_groups(
        "rank_metrics", "items, relevant", _lists("ranked_list(itemid, score)"), ""
    ),
    "ranked_list of k, rank_metrics": _of_groups(
        "rank_metrics", "items, relevant", _lists(f"ranked_list(itemid, score, {K})"), ""
    ),
}

#: The functions of Python that do everything: metrics, counts of rows, means and their intervals, and for two
#: systems with the same recs their differences and tests.
_EVALUATE, _COMPARE = "evaluate, with counts and means", "compare of two, with counts and differences"

#: The parts of the change of all means between two runs with the same recs.
_CHANGE = f"FROM rank_change(truth, rec, {{}}, rec, {K}, {METRICS}, options := {_OPTIONS})"
_CHANGES = {
    "rank_change, one truth": _CHANGE.format("truth"),
    "rank_change, two truths": _CHANGE.format("truth_after"),
}

#: The bound of every query of DuckDB: it reads each column of both files, and computes nothing.
READING = "DuckDB: reading alone"
_READ = """
SELECT any_value(userid), any_value(itemid), any_value(score)
FROM (SELECT userid, itemid, score FROM rec UNION ALL SELECT userid, itemid, NULL FROM truth)
"""

# --- chdb, which is ClickHouse within a Python process, by hand ---

_CHDB = "chdb: one GROUP BY, partial sort"
_CHDB_QUERY = f"""
SELECT
    userid,
    arraySum(hits) / length(relevant) AS recall,
    arraySum(hits) / {K} AS precision,
    arraySum(arrayMap((hit, rank) -> hit / log2(rank + 1), hits, arrayEnumerate(hits)))
        / {IDEAL}[least(length(relevant), {K})] AS ndcg,
    arraySum(arrayMap((hit, nth, rank) -> hit * nth / rank, hits, arrayCumSum(hits), arrayEnumerate(hits)))
        / length(relevant) AS average_precision,
    if(has(hits, 1), 1 / indexOf(hits, 1), 0) AS mrr
FROM (
    SELECT
        userid,
        relevant,
        arraySlice(arrayPartialReverseSort((item, score) -> score, {K}, items, scores), 1, {K}) AS best,
        arrayMap(item -> has(relevant, item), best) AS hits
    FROM (
        SELECT
            userid,
            groupArrayIf(itemid, is_truth) AS relevant,
            groupArrayIf(itemid, NOT is_truth) AS items,
            groupArrayIf(score, NOT is_truth) AS scores
        FROM (
            SELECT userid, itemid, score, false AS is_truth FROM file('{{folder}}/rec.parquet')
            UNION ALL
            SELECT userid, itemid, 0.0, true FROM file('{{folder}}/truth.parquet')
        )
        GROUP BY userid
    )
)
"""

#: The contenders of ``two_tables_polars.py``: one by hand, and ours.
_POLARS = "Polars: rank().over, join, lookup"
_OURS_POLARS = [
    "Polars by_user, evaluate_frames",
    "Polars, sort_by, rank_metrics",
    "Polars, full join, rank_metrics_agg",
]

# --- The cost of several metrics ---

# For each function, the table and the arguments before k.
_COST_TABLES = {
    "rank_metrics_by_user": (_ROWS, "userid, itemid, score, rel"),
    "rank_metrics": (f"SELECT * {_lists('list(itemid ORDER BY score DESC)')}", "items, relevant"),
}
COSTS = ["ndcg", "rank_metrics", "rank_metrics at three k"]
# The use of the results: none, or a table of 1, 8 or 27 numbers per user.
_USES = ["alone", "stored"]
# The number of runs within one process, because some runs take a few hundredths of a second. The run with the
# least CPU time counts.
_COST_RUNS = 5


def _cost_query(function: str, use: str, cost: str) -> str:
    by_user = function == "rank_metrics_by_user"
    name, ks = {
        # No function computes a single metric of all users, so NDCG is taken from all metrics.
        "ndcg": (function if by_user else "ndcg", K),
        "rank_metrics": (function, K),
        "rank_metrics at three k": (function.replace("metrics", "metrics_at"), f"[5, {K}, 20]"),
    }[cost]
    _, arguments = _COST_TABLES[function]
    values = f"SELECT {'' if by_user else 'userid, '}{name}({arguments}, {ks}) AS value FROM prepared"
    if use == "alone":
        return f"SELECT count(value) FROM ({values})"
    if by_user:
        values = f"SELECT unnest(value, recursive := true) FROM ({values})"
    if by_user and cost == "ndcg":
        values = f"SELECT userid, ndcg AS value FROM ({values})"
    return f"CREATE OR REPLACE TEMP TABLE per_user AS {values}"


# --- Running a contender ---


def timed(run: Callable[[], Any]) -> tuple[dict[str, float], Any]:
    """Return the seconds that a call takes, of CPU and elapsed, and its result."""
    cpu, wall = time.process_time(), time.perf_counter()
    result = run()
    return {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}, result


def names(kind: str) -> list[str]:
    """Return the names of the contenders; this package's start with ``ours: ``, and `READING` is a bound."""
    if kind == "cost":
        return [f"{function}, {use}: {cost}" for function in _COST_TABLES for use in _USES for cost in COSTS]
    peers = [*_SQL, _POLARS, _CHDB] if kind == "top" else [*_SQL_WHOLE, _POLARS]
    # AUC of the whole list needs more than the top 10.
    ours = (
        [*_OURS, _EVALUATE, _COMPARE, *_CHANGES]
        if kind == "top"
        else [name for name in _OURS if name not in _OURS_OF_TOP]
    )
    return [*peers, READING, *(f"ours: {name}" for name in [*ours, *_OURS_POLARS])]


def _means(con: Any, metrics: list[str]) -> dict[str, float]:
    columns = ", ".join(f'avg("{metric}")' for metric in metrics)
    row = con.execute(f"SELECT count(*), {columns} FROM per_user").fetchone()
    return dict(zip(["users", *metrics], row, strict=True))


def _run_duckdb(
    folder: Path, threads: int, kind: str, name: str
) -> tuple[dict[str, float], dict[str, float]]:
    is_ours = name.startswith("ours: ") or kind == "cost"
    connect = importlib.import_module("rankdcg_sql" if is_ours else "duckdb").connect
    con = connect(config={"threads": threads})
    for view, table in (("truth", "truth"), ("rec", "rec"), ("truth_after", "truth")):
        con.execute(f"CREATE VIEW {view} AS FROM '{folder / table}.parquet'")
    if kind == "cost":
        way, cost = name.split(": ")
        function, use = way.split(", ")
        con.execute(f"CREATE TABLE prepared AS {_COST_TABLES[function][0]}")
        query = _cost_query(function, use, cost)
        runs = [timed(lambda: con.execute(query).fetchall())[0] for _ in range(_COST_RUNS)]
        return min(runs, key=lambda run: run["cpu"]), {}
    if name in (f"ours: {_EVALUATE}", f"ours: {_COMPARE}"):
        return _run_python(folder, con, name)
    if name == READING:
        return timed(lambda: con.execute(_READ).fetchall())[0], {}
    if query := _CHANGES.get(name.removeprefix("ours: ")):
        return timed(lambda: con.execute(query).fetchall())[0], {}
    if is_ours:
        query = _OURS[name.removeprefix("ours: ")][kind == "whole"]
    else:
        query = (_SQL if kind == "top" else _SQL_WHOLE)[name]
    before = "" if is_ours else _BY_HITS
    taken, _ = timed(lambda: con.execute(f"{before}CREATE TEMP TABLE per_user AS {query}"))
    return taken, _means(con, METRICS if kind == "top" else [*METRICS, "whole_auc"])


def _run_python(folder: Path, con: Any, name: str) -> tuple[dict[str, float], dict[str, float]]:
    import rankdcg_sql

    def means(truth: Any, rec: Any) -> dict[str, float]:
        options: dict[str, Any] = {"con": con, "precision_denominator": "k"}
        if name == f"ours: {_EVALUATE}":
            found = rankdcg_sql.evaluate(truth, rec, K, METRICS, **options)
            users, of_metrics = found.counts.users_evaluated, found.summary
        else:
            compared = rankdcg_sql.compare(truth, {"one": rec, "other": rec}, k=K, metrics=METRICS, **options)
            users, of_metrics = compared.counts["other"].users_evaluated, compared.differences
        return {"users": users, **dict(of_metrics.project("metric, mean").fetchall())}

    one = {"userid": [1], "itemid": [1], "score": [1.0]}
    means(one, one)  # imports modules, which is no part of the query; `latency.py` times it
    return timed(lambda: means(folder / "truth.parquet", folder / "rec.parquet"))


def _run_chdb(folder: Path, threads: int) -> tuple[dict[str, float], dict[str, float]]:
    from chdb.session import Session

    session = Session()
    session.query(f"SET max_threads = {threads}")
    query = _CHDB_QUERY.format(folder=folder)
    taken, _ = timed(lambda: session.query(f"CREATE TABLE per_user ENGINE = Memory AS {query}"))
    columns = ", ".join(f"avg({metric})" for metric in METRICS)
    means = str(session.query(f"SELECT count(), {columns} FROM per_user")).strip().split(",")
    return taken, dict(zip(["users", *METRICS], map(float, means), strict=True))


def _peak() -> int:
    """Return the peak of resident memory of this process, without its parent's, in bytes."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _main() -> None:
    folder, threads, kind, name = sys.argv[1:]
    if "Polars" in name:
        # Only these contenders have Polars in their memory.
        cost, means = importlib.import_module("two_tables_polars").run(Path(folder), kind == "whole", name)
    elif name == _CHDB:
        cost, means = _run_chdb(Path(folder), int(threads))
    else:
        cost, means = _run_duckdb(Path(folder), int(threads), kind, name)
    print(json.dumps({**cost, "peak": _peak(), "means": means}))


if __name__ == "__main__":
    _main()
