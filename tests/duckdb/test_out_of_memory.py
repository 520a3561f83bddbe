"""Too little memory: the query or the call over Arrow arrays ends with an error, and the process goes on."""

from __future__ import annotations

import sys

import duckdb
import pytest
from conftest import needs_duckdb_2
from support import process

pytestmark = [
    needs_duckdb_2,
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, a process has no limit of addresses"),
]

#: Calls one of its functions, which prints the outcomes of a query under limits of memory.
SCRIPT = """
    import json, resource, sys, threading
    from contextlib import contextmanager
    import duckdb, pyarrow as pa, rankdcg_sql
    from rankdcg_sql import _native

    @contextmanager
    def limited(megabytes):
        # The limit is in MiB beyond the memory that the process has.
        with open("/proc/self/statm") as file:
            pages = int(file.read().split()[0])
        limit = pages * resource.getpagesize() + megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def outcome(con, query):
        try:
            con.execute(query).fetchmany(1)
            return "a result"
        except duckdb.Error as error:
            return f"{type(error).__name__}: {error}"

    def in_groups(call, groups, megabytes):
        con = rankdcg_sql.connect(config={"threads": 2})
        con.execute("SET enable_progress_bar = false")
        rows = '''
            SELECT i, i::VARCHAR || repeat('-', 20) AS t, 1e19 / (1 + hash(i)) AS s, (i % 2)::DOUBLE AS r
            FROM range({}) AS x(i)
        '''
        query = f"SELECT {call} AS v FROM ({rows}) GROUP BY {groups}"
        con.execute(query.format(10_000)).fetchmany(1)
        # DuckDB does not destroy the states of a query that failed, so none may be left for another one.
        with limited(int(megabytes)):
            found = [outcome(con, query.format(6_000_000)) for _ in range(2)]
        print(json.dumps([*found, con.execute("SELECT mrr_agg(1, 1)").fetchall()]))

    def of_one_ranking(path, call, source):
        # DuckDB's own allocator crashes where a thread of its own finds no memory when it goes idle.
        con = rankdcg_sql.connect(path, read_only=True, config={"threads": 1, "async_threads": 0})
        con.execute("SET enable_progress_bar = false")
        found = []
        for megabytes in range(0, 1024, 24):
            with limited(megabytes):
                found.append(outcome(con, f"SELECT {call} AS v FROM {source}"))
            if found[-1] == "a result":
                break
        print(json.dumps(found))

    def of_lists(name, lists):
        ks, found = list(range(1, 30_001)), []
        given = eval(lists)
        call = _native.call if isinstance(given, list) else _native.call_lists
        for megabytes in range(16, 1024, 48):
            try:
                with limited(megabytes):
                    result = call(name, given)
                break
            except ValueError as error:
                found.append(str(error))
        print(json.dumps([*found, len(result.values)]))

    # The stack of the first thread grows as it is used, which the limit would end with a signal.
    thread = threading.Thread(target=globals()[sys.argv[1]], args=sys.argv[2:])
    thread.start()
    thread.join()
"""


#: One group, or groups whose number stops growing early. DuckDB's table of groups then needs no more memory:
#: with millions of groups, DuckDB 2.0 itself can crash where it destroys a table that found no memory.
GROUPS = ("i % 1", "i % 20_000")
STATES = [
    *("ndcg_agg(s, r)", "ndcg_rows(i, s, r)", "ndcg_rows(t, s, r)"),
    *("ranked_list(i, s)", "ranked_list(t, s)", "mean_ci(s).mean"),
    *(f"len(rank_{name}_by_user(i // 3, t, s, r, 2))" for name in ("metrics", "explain")),
]


@pytest.mark.parametrize(
    ("call", "groups"),
    [
        *((call, GROUPS[0]) for call in STATES),
        *((call, GROUPS[1]) for call in STATES if "(i, " not in call and "explain" not in call),
    ],
)
def test_states_that_do_not_fit_are_an_error_of_the_query(call: str, groups: str):
    name = call.removeprefix("len(").partition("(")[0]
    *found, then = process.python(SCRIPT, "in_groups", call, groups, "16")
    assert then == [[1]]
    for sentence in found:
        assert f"{name}: out of memory: " in sentence, sentence


@pytest.fixture(scope="module")
def one_ranking(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with the items of one ranking, as rows and as lists."""
    path = str(tmp_path_factory.mktemp("one_ranking") / "one_ranking.duckdb")
    with duckdb.connect(path) as con:
        con.execute("""
            CREATE TABLE pairs AS
            SELECT i, 1e19 / (1 + hash(i)) AS s, (i % 2)::DOUBLE AS r, (i % 7) / 7 - 0.4 AS d
            FROM range(1_000_000) AS x(i)
        """)
        con.execute("""
            CREATE TABLE lists AS
            SELECT list(s) AS s, list(r) AS r, list(0::DOUBLE) AS tied, list(i) AS ids,
                list(r::TINYINT) AS grades, list(i::UHUGEINT) AS wide,
                list(i::VARCHAR || repeat('-', 20)) AS texts, list({'item': i, 'rel': r}) AS judged,
                list(i::DECIMAL(38, 3)) AS decimals, list(md5(i::VARCHAR)::UUID) AS uuids,
                list([i, -i]) AS nested,
                list(CASE i % 2 WHEN 0 THEN 'even' ELSE 'odd' END::ENUM('even', 'odd')) AS enums
            FROM pairs
        """)
    return path


@pytest.mark.parametrize(
    ("call", "source"),
    [
        *(
            (call, "lists")
            for call in (
                *("rankdcg(s, r)", "rankdcg(ids, judged)", "kendall_tau(s, r)", "kendall_tau(wide, r)"),
                *("ndcg_scored(s, r)", "average_precision_scored(s, r, 'ap_steps=threshold')"),
                *("auc_scored(tied, r, 500_000)", "err_scored(tied, r, 50, 'max_rel=1')"),
                *("ndcg(ids, judged)", "ndcg(judged, r)", "ndcg_rels(r)", "ndcg_rels(grades)"),
                "rank_explain(ids, judged[:9], 9)",
                *("recall_at(ids, ids)", "recall_at(texts, ids[:9]::VARCHAR[])"),
                *(f"recall_at({kind}, {kind}[:9])" for kind in ("decimals", "uuids", "nested", "enums")),
            )
        ),
        *((f"{name}_agg(s, r)", "pairs") for name in ("rankdcg", "kendall_tau")),
        *((f"{name}(d, 0)", "pairs") for name in ("wilcoxon_signed_rank", "randomization_test")),
        ("bootstrap_ci(d)", "pairs"),
    ],
)
def test_a_ranking_that_does_not_fit_is_an_error_of_the_query(one_ranking: str, call: str, source: str):
    *found, last = process.python(SCRIPT, "of_one_ranking", one_ranking, call, source)
    assert found, "it always fits"
    assert last == "a result"
    for sentence in found:
        assert "out of memory" in sentence.lower(), sentence


@pytest.mark.parametrize(
    ("name", "lists", "values"),
    [
        ("rank_metrics_at", "[*[pa.array([[7, 8, 9]] * 64)] * 2, pa.array([ks])]", 64 * 30_000),
        ("rank_metrics_at_agg", "pa.array([[{'score': 0.5, 'rel': 1.0, 'ks': ks}]] * 32)", 32 * 30_000),
        ("corrected_p_values", "[pa.array([[0.01 * p for p in range(100)] * 1_000] * 100)]", 100 * 100_000),
        ("corrected_p_values", "[pa.nulls(5_000_000)]", 0),  # no memory is needed to claim these
    ],
)
def test_lists_of_results_that_do_not_fit_are_an_error(name: str, lists: str, values: int):
    *found, last = process.python(SCRIPT, "of_lists", name, lists)
    assert found, "they always fit"
    assert last == values
    for sentence in found:
        assert sentence.startswith(f"{name}: out of memory: "), sentence
