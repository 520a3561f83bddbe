"""Interrupts of long queries, child processes, and memory over many calls."""

from __future__ import annotations

import json
import sys
import textwrap
import threading
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from support import process
from support.paths import TESTS

import rankdcg_sql
from rankdcg_sql import _static

if TYPE_CHECKING:
    from collections.abc import Iterable

NUMBER = 0.6131471927654584  # ndcg([1, 3, 2, 6], [1, 2, 4], 2), of the page
CALL = "ndcg([1, 3, 2, 6], [1, 2, 4], 2)"

# Interrupts

#: Queries that would run far longer than the tests let them, by the way in which they read rows.
LONG = {
    "lists": "SELECT sum(ndcg(range(i % 7, 300), range(100, 400))) FROM range(100_000_000) AS t(i)",
    "lists of metrics": """
        SELECT sum(rank_metrics_at(range(i % 7, 200), range(50, 250), range(1, 100))[1].ndcg)
        FROM range(100_000_000) AS t(i)
    """,
    "aggregate of many groups": """
        SELECT sum(x)
        FROM (SELECT ndcg_agg(i % 11, i % 3) AS x FROM range(400_000_000) AS t(i) GROUP BY i // 20)
    """,
    "aggregate of one group": "SELECT ndcg_agg(i % 1000, i % 3, 10) FROM range(4_000_000_000) AS t(i)",
    "rows": """
        SELECT sum(x) FROM (
            SELECT mrr_rows(i % 13, i % 11, i % 3, 5) AS x FROM range(400_000_000) AS t(i) GROUP BY i // 20
        )
    """,
    "by user": """
        SELECT rank_metrics_by_user(i // 20, i % 20, i % 11, i % 3, 5) FROM range(400_000_000) AS t(i)
    """,
    "statistics": """
        SELECT sum(x.high) FROM (
            SELECT bootstrap_ci(i % 7, 'resamples=1000') AS x FROM range(40_000_000) AS t(i) GROUP BY i // 50
        )
    """,
}
#: Calls of the largest statistics, the number of groups, that of the rows of each, and how many seconds may
#: pass after an interrupt. DuckDB looks for one only between calls of a function, with 2048 groups at most.
STATISTICS = [
    ("bootstrap_ci(a, 'resamples=1000000')", 1, 4096, 1),
    ("bootstrap_ci(a)", 2048, 60, 8),
    ("bootstrap_ci(a, 'resamples=1000000')", 2048, 600, 8),
    ("randomization_test(a, b)", 2048, 30, 8),
    ("randomization_test(a, b, 'resamples=1000000')", 2048, 80, 8),
    ("randomization_test(a, b, 'resamples=1000000')", 200, 1600, 1),
    ("wilcoxon_signed_rank(a, b)", 2048, 50, 8),
    ("paired_t_test_power(a, b)", 2048, 3, 8),
]


def available(names: Iterable[str]) -> list[str]:
    """The calls without the aggregate over all users before DuckDB 2.0, which has none."""
    return [name for name in names if name != "by user" or _static.installed()]


def seconds_after_an_interrupt(con: duckdb.DuckDBPyConnection, query: str, ended: Any) -> float:
    """The processor time, which depends little on other work on the machine, from an interrupt to the end."""
    interrupted: list[float] = []

    def interrupt() -> None:
        interrupted.append(time.process_time())
        con.interrupt()

    timer = threading.Timer(0.3, interrupt)
    timer.start()
    with ended:
        con.execute(query).fetchall()
    after = time.process_time()
    timer.join()
    return after - interrupted[0]


@pytest.mark.parametrize("name", available(LONG))
def test_a_long_query_ends_soon_after_an_interrupt(name: str):
    with rankdcg_sql.connect(config={"threads": "1", "memory_limit": "1GB"}) as con:
        started = time.monotonic()
        seconds_after_an_interrupt(con, LONG[name], pytest.raises(duckdb.InterruptException))
        assert time.monotonic() - started < 5
        assert con.execute(f"SELECT {CALL}").fetchall() == [(pytest.approx(NUMBER),)]


@pytest.mark.parametrize(("call", "groups", "size", "limit"), STATISTICS)
def test_an_interrupt_ends_the_largest_statistics_soon(call: str, groups: int, size: int, limit: float):
    with rankdcg_sql.connect(config={"threads": "1"}) as con:
        columns = f"i % {groups} AS g, random() AS a, random() AS b"
        con.execute(f"CREATE TABLE x AS SELECT {columns} FROM range({groups} * {size}) AS t(i)")
        query = f"SELECT count(s) FROM (SELECT g, {call} AS s FROM x GROUP BY g)"
        assert seconds_after_an_interrupt(con, query, suppress(duckdb.InterruptException)) < limit


#: The beginning of the error about more than 100 cutoffs.
TOO_MANY_CUTOFFS = "ks must have at most 100 cutoffs, or cutoffs that show at most 100000000 items in all"


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("rank_metrics_at_scored(list(i % 1000), list(i % 3), range(1, 200_000))", TOO_MANY_CUTOFFS),
        pytest.param(
            "rank_metrics_at_rows(i, i % 1000, i % 3, range(1, 200_000))",
            TOO_MANY_CUTOFFS,
            marks=pytest.mark.skipif(
                not _static.installed(), reason="before DuckDB 2.0, each row holds a copy of the cutoffs"
            ),
        ),
        ("err_scored(list(i % 30), list(i % 7 % 3), 'max_rel=2')", "too many tied items"),
        (
            "tukey_hsd([list(i), list(-i), list(i % 7)])",
            "blocks must hold a list for each user, .* at most 300 systems, got lists of 300000 values",
        ),
    ],
)
def test_one_row_that_would_take_minutes_is_refused(call: str, sentence: str):
    started = time.monotonic()
    with rankdcg_sql.connect() as con, pytest.raises(duckdb.InvalidInputException, match=sentence):
        con.execute(f"SELECT {call} FROM range(300_000) AS t(i)")
    assert time.monotonic() - started < 60


@pytest.mark.parametrize(
    ("call", "count"),
    [
        # 100 million items are shown: the items of 14,141 cutoffs from 1 on are 99,990,011.
        ("rank_metrics_at_scored(list(i % 7), list(i % 3), range(1, 14_142))", 14_141),
        # If no items are tied, a cutoff takes the same time for any number of items.
        ("rank_metrics_at_scored(list(i), list(i % 3), range(1, 20_000))", 19_999),
        ("rank_metrics_at_scored(list(i % 7), list(i % 3), range(1, 20_000), 'ties=optimistic')", 19_999),
    ],
)
def test_many_cutoffs_are_taken_where_they_take_little_time(call: str, count: int):
    with rankdcg_sql.connect() as con:
        rows = con.execute(f"SELECT len({call}) FROM range(20_000) AS t(i)").fetchall()
    assert rows == [(count,)]


# Processes


def _value_in_a_child(_: int) -> list[Any]:
    import pyarrow as pa

    from rankdcg_sql import _native

    lists = pa.array([[1, 3, 2, 6]]), pa.array([[1, 2, 4]]), pa.array([2])
    with rankdcg_sql.connect() as con:
        (row,) = con.execute(f"SELECT {CALL}").fetchall()
    return [*row, *_native.call("ndcg", list(lists)).to_pylist()]


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_children_have_the_functions(method: str):
    """The parent has called the functions before, on threads that no child has."""
    found = process.python(
        """
        import json, multiprocessing, sys
        import rankdcg_sql, test_interrupts_and_forks
        con = rankdcg_sql.connect()
        con.execute(f"SELECT {test_interrupts_and_forks.CALL}").fetchall()
        with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
            values = pool.map(test_interrupts_and_forks._value_in_a_child, range(4))
        print(json.dumps([values, con.execute(f"SELECT {test_interrupts_and_forks.CALL}").fetchall()[0][0]]))
        """,
        method,
        path=[str(Path(__file__).parent), str(TESTS)],
    )
    assert found == [[[pytest.approx(NUMBER)] * 2] * 4, pytest.approx(NUMBER)]


#: Runs a function in a child process, which has a minute, and returns how the child ended.
FORK = """
import faulthandler, json, os, sys
import rankdcg_sql

def outcome_of_a_child(run):
    child = os.fork()
    if child == 0:
        faulthandler.dump_traceback_later(60, exit=True)
        run()
        os._exit(0)
    return os.waitpid(child, 0)[1]
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.skipif(
    duckdb.__version__ == "1.5.0",
    reason="each of its databases reserves most of the memory as addresses, and Linux may refuse such a fork",
)
def test_children_evaluate_whatever_other_threads_did_at_the_fork():
    found = process.python(
        FORK
        + textwrap.dedent("""
        import threading

        truth, rec = {"ann": {"a": 1}, "bob": {"b": 1}}, {"ann": {"a": 1, "b": 2}, "bob": {"b": 1}}

        def evaluate():
            rankdcg_sql.connect().close()
            rankdcg_sql.evaluate(truth, rec, k=1).means
            rankdcg_sql.compare(truth, {"one": rec, "two": rec}, k=1).differences

        def repeat():
            while not done.is_set():
                evaluate()

        evaluate()
        done = threading.Event()
        threads = [threading.Thread(target=repeat) for _ in range(2)]
        for thread in threads:
            thread.start()
        outcomes = [outcome_of_a_child(evaluate) for _ in range(10)]
        done.set()
        for thread in threads:
            thread.join()
        print(json.dumps(outcomes))
        """)
    )
    assert found == [0] * 10


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_children_drop_results_of_their_parent():
    """The results hold connections to a database whose threads no child has."""
    found = process.python(
        FORK
        + textwrap.dedent("""
        import duckdb

        truth, rec = {"ann": {"a": 1}}, {"ann": {"a": 1, "b": 2}}
        results = [rankdcg_sql.evaluate(truth, rec, k=2) for _ in range(2)]
        means = [result.means for result in results]

        def drop():
            results.pop()
            assert rankdcg_sql.evaluate(truth, rec, k=2).means == means[0]
            results.clear()

        def exit():
            # A child that ends in this way is aborted by DuckDB before 2.0, whatever it did.
            if not duckdb.__version__.startswith("1."):
                rankdcg_sql.evaluate(truth, rec, k=2).means
                sys.exit()

        outcomes = [outcome_of_a_child(each) for each in (drop, drop, exit)]
        kept = [result.per_user.fetchall() for result in results]
        print(json.dumps([outcomes, kept[0] == kept[1], len(kept[0])]))
        """)
    )
    assert found == [[0] * 3, True, 7]


# Memory

#: Calls that are repeated: of every entry point, calls that succeed and calls that fail.
CALLS = {
    "core": "native.call('ndcg', lists)",
    "core, an error": "refused(lambda: native.call('ndcg', [*lists, pa.array([0])]))",
    "core, malformed": "refused(lambda: native.call('ndcg', [bad, bad]))",
    "core, groups": "native.call_lists('ndcg_agg', groups)",
    "core, groups, an error": "refused(lambda: native.call_lists('ndcg_agg', lists[0]))",
    "check": "native.check('ndcg', [1], 'gain=linear')",
    "check, an error": "refused(lambda: native.check('ndcg', [1], 'gain=x'))",
    "lists": f"con.execute('SELECT {CALL}').fetchall()",
    "lists, an error": "refused(lambda: con.execute('SELECT ndcg([1], [1], 0)').fetchall())",
    "aggregate": "con.execute('SELECT ndcg_agg(i, i % 2) FROM range(99) AS t(i) GROUP BY i // 9').fetchall()",
    "aggregate, an error": "refused(lambda: con.execute('SELECT ndcg_agg(i, -i) FROM range(9) t(i)'))",
    "by user": "con.execute('SELECT rank_metrics_by_user(i // 9, i, i, 1) FROM range(99) t(i)').fetchall()",
    "statistics": "con.execute('SELECT bootstrap_ci(i) FROM range(9) AS t(i)').fetchall()",
    "polars": "frame.select(rk.ndcg('rec', 'truth', 2))",
    "polars, an error": "refused(lambda: frame.select(rk.ndcg('rec', 'rec', pl.lit(0))))",
}


@cache
def grown() -> dict[str, float]:
    """How many bytes of memory a call adds, for each of the calls: one after the other in one process."""
    found: dict[str, float] = process.python(
        """
        import json, os, sys
        import polars as pl, pyarrow as pa
        import rankdcg_sql
        from rankdcg_sql import _native as native, polars as rk

        con = rankdcg_sql.connect(config={"threads": "1"})
        # So large that a leak of them shows.
        lists = [pa.array([list(range(1000))] * 20), pa.array([list(range(500, 1500))] * 20)]
        rows = [{"score": float(i), "rel": i % 2} for i in range(1000)]
        groups = pa.array([rows] * 10)
        offsets = pa.array([0, 900, 500, 1000], pa.int32()).buffers()[1]
        elements = pa.array(range(1000))
        bad = pa.Array.from_buffers(pa.list_(pa.int64()), 3, [None, offsets], children=[elements])
        frame = pl.DataFrame({"rec": lists[0].to_pylist(), "truth": lists[1].to_pylist()})

        def refused(call):
            try:
                call()
            except Exception:
                return
            raise AssertionError("it went well")

        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        grown = {}
        for name, text in json.loads(sys.argv[1]).items():
            code = compile(text, "call", "eval")
            rounds = 300 if "aggregate" in name or "user" in name or "statistics" in name else 1000
            for _ in range(rounds):
                eval(code)
            before = resident()
            for _ in range(rounds * 2):
                eval(code)
            grown[name] = (resident() - before) / rounds / 2
        print(json.dumps(grown))
        """,
        json.dumps({name: CALLS[name] for name in available(CALLS)}),
    )
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux: /proc/self/statm")
@pytest.mark.parametrize("name", available(CALLS))
def test_memory_stays_as_it_is_over_thousands_of_calls(name: str):
    assert grown()[name] < 1000  # bytes; the smallest argument that could leak has 8,000
