"""Memory that does not suffice: the query ends with an error, and the connection answers afterwards."""

from __future__ import annotations

import sys

import process
import pytest

from rankdcg_sql import _static

pytestmark = [
    pytest.mark.skipif(not _static.installed(), reason="aggregates are native from DuckDB 2.0 on"),
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, a process has no limit of addresses"),
]

#: Errors of a query that may take so many MiB beyond those that the process has already, then a plain query.
QUERY = """
    import json, resource, sys, threading
    import duckdb, rankdcg_sql

    def run():
        con = rankdcg_sql.connect(config={"threads": 2})
        con.execute("SET enable_progress_bar = false")
        rows = '''
            SELECT i, i::VARCHAR || repeat('-', 20) AS t, 1e19 / (1 + hash(i)) AS s, (i % 2)::DOUBLE AS r
            FROM range({}) AS x(i)
        '''
        query = f"SELECT {sys.argv[1]} AS v FROM ({rows}) GROUP BY {sys.argv[2]}"
        con.execute(query.format(10_000)).fetchmany(1)
        with open("/proc/self/statm") as file:
            pages = int(file.read().split()[0])
        limit = pages * resource.getpagesize() + int(sys.argv[3]) * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
        found = []
        for _ in range(2):
            try:
                con.execute(query.format(6_000_000)).fetchmany(1)
                found.append("a result")
            except duckdb.Error as error:
                found.append(f"{type(error).__name__}: {error}")
        # DuckDB does not destroy the states of a query that failed, so none may be left for another one.
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(json.dumps([*found, con.execute("SELECT mrr_agg(1, 1)").fetchall()]))

    # The stack of the first thread grows as it is used, which the limit would end with a signal.
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
"""


@pytest.mark.parametrize(
    ("call", "groups"),
    [
        *(
            (call, groups)
            for call in ("ndcg_agg(s, r)", "ndcg_rows(i, s, r)", "ndcg_rows(t, s, r)")
            for groups in ("i % 1", "i // 3")
        ),
        ("mean_ci(s).mean", "i // 3"),
        ("len(rank_metrics_by_user(i // 3, t, s, r, 2))", "i % 1"),
    ],
)
@pytest.mark.parametrize("limit", ["48", "96"])
def test_states_that_do_not_fit_are_an_error_of_the_query(call: str, groups: str, limit: str):
    *found, then = process.python(QUERY, call, groups, limit)
    assert then == [[1]]
    for sentence in found:
        assert "out of memory" in sentence.lower(), sentence
