"""Queries under a memory limit, run by test_memory_limit.py in processes of their own.

Each user has m items, numbered from 0, best first. The relevant item of user u is item u % m. So the
reciprocal ranks add up to the sum of 1 / (1 + u % m) over the users, for every function and limit.
"""

from __future__ import annotations

import json
import resource
import sys
import threading
from itertools import product
from math import isclose
from typing import Any, NamedTuple

import duckdb

import rankdcg_sql


class Shape(NamedTuple):
    """The size of a query."""

    users: int
    items: int
    ks: int

    @property
    def expected(self) -> float:
        """The sum of the reciprocal ranks."""
        return sum(1 / (1 + user % self.items) for user in range(self.users))


SHAPES = {
    "one group": Shape(1, 40_000, 3),
    "groups of few rows": Shape(30_000, 2, 5),
    "groups of many rows": Shape(20, 2_000, 10),
    "many k": Shape(4_096, 3, 150),
}
LIMITS = ["4MB", "9MB", "24MB"]
THREADS = [1, 2]

_ROWS = """(SELECT u, item, repeat('x', 200) || item AS text, -item AS score, (item = u % {items})::INT AS rel
    FROM (SELECT i // {items} AS u, i % {items} AS item FROM range({users} * {items}) t(i)))"""
_LISTS = "(SELECT range({items}) AS rec, [u % {items}] AS truth FROM range({users}) t(u))"
#: Calls over a row of lists, by the function: a value, a struct, and a struct for each k.
LISTS = {
    "mrr": "sum(mrr(rec, truth))",
    "rank_metrics": "sum(struct_extract(rank_metrics(rec, truth, {last}), 'mrr'))",
    "rank_metrics_at": "sum(struct_extract(rank_metrics_at(rec, truth, {ks})[-1], 'mrr'))",
}
#: Calls over the rows of a group.
GROUPS = {
    "mrr_agg": "mrr_agg(score, rel)",
    "rank_metrics_agg": "struct_extract(rank_metrics_agg(score, rel, {last}), 'mrr')",
    "rank_metrics_at_agg": "struct_extract(rank_metrics_at_agg(score, rel, {ks})[-1], 'mrr')",
    "mrr_rows": "mrr_rows(item, score, rel)",
    "rank_metrics_at_rows": "struct_extract(rank_metrics_at_rows(item, score, rel, {ks})[-1], 'mrr')",
    "rank_metrics_at_rows of texts": "(rank_metrics_at_rows(text, score, rel, {ks})[-1]).mrr",
}
#: Calls over the rows of all users: a struct for each user, or for each user and k.
USERS = {
    "rank_metrics_by_user": "rank_metrics_by_user(u, item, score, rel, {last})",
    "rank_metrics_by_user of texts": "rank_metrics_by_user(repeat('y', 200) || u, text, score, rel, {last})",
    "rank_metrics_at_by_user": "rank_metrics_at_by_user(u, item, score, rel, {ks})",
}

#: Lists of items by score, of the rows of a group.
RANKED_LISTS = {
    "ranked_list": ("ranked_list(item, score)", "u % {items}"),
    "ranked_list of k": ("ranked_list(item, score, {last})", "u % {items}"),
    "ranked_list of texts": ("ranked_list(text, score)", "repeat('x', 200) || (u % {items})"),
}


def queries(*, by_user: bool) -> dict[str, str]:
    """List the queries by the functions that they call. Each gives the sum of the reciprocal ranks."""
    found = {name: f"SELECT {call} FROM {_LISTS}" for name, call in LISTS.items()}
    for name, call in GROUPS.items():
        found[name] = f"SELECT sum(v) FROM (SELECT {call} AS v FROM {_ROWS} GROUP BY u)"
    for name, call in USERS.items() if by_user else ():
        found[name] = f"SELECT sum(m.mrr) FROM (SELECT unnest({call}) AS m FROM {_ROWS}) WHERE m.k = {{last}}"
    for name, (call, relevant) in RANKED_LISTS.items() if by_user else ():
        lists = f"SELECT u, {call} AS items FROM {_ROWS} GROUP BY u"
        found[name] = f"SELECT sum(1 / list_position(items, {relevant})) FROM ({lists})"
    return found


def connect(limit: str, threads: int) -> duckdb.DuckDBPyConnection:
    """Open a database with a memory limit, and without a directory to spill to."""
    con = duckdb.connect(
        config={"allow_unsigned_extensions": "true", "threads": threads, "temp_directory": ""}
    )
    rankdcg_sql.register(con)
    con.execute(f"SET memory_limit = '{limit}'")
    return con


def answers(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether a connection still answers queries."""
    return con.execute("SELECT 42").fetchone() == (42,)


def text(query: str, shape: Shape) -> str:
    """Fill in a query. The last k is greater than the number of items."""
    last = shape.items + shape.ks
    ks = f"list_append(range(1, {shape.ks}), {last})"
    return query.format(users=shape.users, items=shape.items, last=last, ks=ks)


def outcome(con: duckdb.DuckDBPyConnection, query: str, expected: float) -> str:
    """Run a query, and say how it ended: out of memory, with another error, right or wrong."""
    try:
        (found,) = con.execute(query).fetchall()
    except duckdb.OutOfMemoryException:
        return "out of memory"
    except duckdb.Error as error:
        return f"{type(error).__name__}: {error}"
    return "right" if isclose(found[0], expected, rel_tol=1e-9) else f"wrong: {found[0]}, not {expected}"


def trials(limit: str, *, by_user: bool) -> None:
    """Run every query on every shape, and print a line before and after each query."""
    for threads in THREADS:
        con = connect(limit, threads)
        for (name, query), (label, shape) in product(queries(by_user=by_user).items(), SHAPES.items()):
            trial = f"{name}, {label}, {limit}, threads={threads}"
            print(json.dumps([trial, "begun"]), flush=True)
            ended = outcome(con, text(query, shape), shape.expected)
            print(
                json.dumps([trial, ended if answers(con) else "a connection that does not answer"]),
                flush=True,
            )


def at_once(limit: str) -> list[str]:
    """Run a query that exceeds the limit on four connections to one database at once."""
    con = connect(limit, 2)
    shape = Shape(2_048, 3, 300)
    query = text(queries(by_user=False)["rank_metrics_at_agg"], shape)
    ended: list[str] = []
    cursors = [con.cursor() for _ in range(4)]
    for cursor in cursors:
        # Registration beside the queries could itself find no memory left.
        rankdcg_sql.register(cursor)

    def run(cursor: duckdb.DuckDBPyConnection) -> None:
        ended.extend(outcome(cursor, query, shape.expected) for _ in range(3))

    threads = [threading.Thread(target=run, args=[cursor]) for cursor in cursors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(answers(each) for each in [*cursors, con])
    return ended


def interrupted(name: str, shape: list[int], threads: int, delays: list[float]) -> list[str]:
    """Interrupt a query after each of these delays, in seconds, and say how the query ended."""
    con = connect("4GB", threads)
    query, expected = text(queries(by_user=True)[name], Shape(*shape)), Shape(*shape).expected
    ended = []
    for delay in delays:
        timer = threading.Timer(delay, con.interrupt)
        timer.start()
        ended.append(outcome(con, query, expected).partition(":")[0])
        timer.join()
        assert answers(con)
    return ended


def refused(address_space: int) -> list[str]:
    """Ask for more bytes than the address space has, over lists and groups, and say how each query ended."""
    con = connect("100GB", 1)
    resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    ended = []
    for name in ("rank_metrics_at", "rank_metrics_at_agg"):
        shape = Shape(2_048, 3, 60_000)
        ended.append(outcome(con, text(queries(by_user=False)[name], shape), shape.expected))
        assert answers(con)
    return ended


if __name__ == "__main__":
    arguments: dict[str, Any] = json.loads(sys.argv[2])
    result = {"trials": trials, "at_once": at_once, "interrupted": interrupted, "refused": refused}[
        sys.argv[1]
    ](**arguments)
    print(json.dumps(result), flush=True)
