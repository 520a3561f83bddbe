"""Time of metrics over list columns: native functions, a bare scan and Python functions over Arrow.

Every figure is the smallest of several runs in one process, in which the contenders take turns. Only ratios
carry over to other machines.
"""

from __future__ import annotations

import time

import click
import duckdb
from rich.console import Console
from rich.table import Table

# A connection opened before the package is imported gets Python functions over Arrow data.
_UDF = duckdb.connect()

import rankdcg_sql  # noqa: E402

_LISTS = """
CREATE TABLE lists AS
SELECT
    userid,
    [(hash(userid, 'rec', i) % 2000)::BIGINT FOR i IN range({recs})] AS rec,
    list_distinct([(hash(userid, 'truth', i) % 2000)::BIGINT FOR i IN range({truths})]) AS truth
FROM range({users}) AS users(userid);
CREATE TABLE texts AS
SELECT userid, ['item-' || lpad(x::VARCHAR, 10, '0') FOR x IN rec] AS rec,
    ['item-' || lpad(x::VARCHAR, 10, '0') FOR x IN truth] AS truth
FROM lists;
"""

_QUERIES = {
    "recall@10": ["recall(rec, truth, 10)"],
    "ndcg@10": ["ndcg(rec, truth, 10)"],
    "five metrics@10": [
        f"{metric}(rec, truth, 10)"
        for metric in ("recall", "precision_at", "ndcg", "average_precision", "mrr")
    ],
}


def seconds(con: duckdb.DuckDBPyConnection, query: str, runs: int) -> float:
    """Return the time of a query in seconds, the smallest of several runs."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        con.execute(query).fetchall()
        best = min(best, time.perf_counter() - start)
    return best


def sums(expressions: list[str], table: str) -> str:
    """Write a query that evaluates expressions on every row of a table and returns one row of sums."""
    return f"SELECT {', '.join(f'sum({expression})' for expression in expressions)} FROM {table}"


def compare(threads: int, runs: int, native: duckdb.DuckDBPyConnection) -> Table:
    """Time every query with every contender."""
    for con in (native, _UDF):
        con.execute(f"SET threads = {threads}")
    scan = seconds(native, "SELECT sum(len(rec) + len(truth)) FROM lists", runs)
    table = Table(title=f"{threads} thread(s); milliseconds (times the bare scan of {scan * 1e3:.1f} ms)")
    for column in ("query", "native", "native, text ids", "Arrow UDF"):
        table.add_column(column, justify="left" if column == "query" else "right")
    for name, expressions in _QUERIES.items():
        times = [
            seconds(native, sums(expressions, "lists"), runs),
            seconds(native, sums(expressions, "texts"), runs),
            seconds(_UDF, sums(expressions, "lists"), runs),
        ]
        table.add_row(name, *(f"{t * 1e3:.1f} ({t / scan:.1f}x)" for t in times))
    return table


def growth(native: duckdb.DuckDBPyConnection, runs: int) -> Table:
    """Time pairs of lists of two lengths; ten times the length should take about ten times as long."""
    native.execute("SET threads = 1")
    table = Table(title="one pair of lists: time(100,000 x 100,000) / time(10,000 x 10,000)")
    table.add_column("metric")
    table.add_column("ratio", justify="right")
    for length in (10_000, 100_000):
        # The pairs have a million elements in total, so that the fixed cost of a query does not matter.
        native.execute(f"""
            CREATE TABLE pairs{length} AS
            SELECT rec, truth, rec AS scores, [x % 5 FOR x IN truth] AS rels
            FROM (
                SELECT
                    [(hash(i) >> 1)::BIGINT FOR i IN range({length})] AS rec,
                    [(hash(2 * i) >> 1)::BIGINT FOR i IN range({length})] AS truth
            ), range({1_000_000 // length})
        """)
    for metric in ("recall(rec, truth)", "ndcg(rec, truth)", "auc(rec, truth)", "rankdcg(scores, rels)"):
        short, long = (
            seconds(native, sums([metric], f"pairs{length}"), runs) * length for length in (10_000, 100_000)
        )
        table.add_row(metric, f"{long / short:.1f}")
    return table


@click.command(help=__doc__)
@click.option("--users", default=200_000, show_default=True, help="Rows of lists.")
@click.option("--recs", default=20, show_default=True, help="Recommendations a row.")
@click.option("--truths", default=10, show_default=True, help="Relevant items a row.")
@click.option("--runs", default=7, show_default=True, help="Runs of each query.")
def main(users: int, recs: int, truths: int, runs: int) -> None:
    """Print the tables."""
    native = rankdcg_sql.connect()
    for con in (native, _UDF):
        rankdcg_sql.register(con)
        con.execute(_LISTS.format(users=users, recs=recs, truths=truths))
    console = Console()
    console.print(f"{users} rows of {recs} recommendations and up to {truths} relevant items")
    for threads in (1, 2):
        console.print(compare(threads, runs, native))
    console.print(growth(native, runs))


if __name__ == "__main__":
    main()
