"""A query that reaches DuckDB's memory_limit, or is interrupted, ends, and the connection goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import AGGREGATING
from support import memory_limit as memory
from support.process import python, run

SCRIPT = f"""
    import runpy, sys
    sys.path.insert(0, {str(Path(memory.__file__).parent)!r})
    runpy.run_path({memory.__file__!r}, run_name="__main__")
"""
BY_USER = bool(AGGREGATING)
ENDS = {"right", "out of memory"}


@pytest.mark.parametrize("limit", memory.LIMITS)
def test_a_query_under_a_limit_is_right_or_out_of_memory(limit: str):
    done = run(SCRIPT, "trials", json.dumps({"limit": limit, "by_user": BY_USER}))
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"ended by signal {-done.returncode} in {lines[-1][0]}: {done.stderr}"
    ended = dict(lines[:-1])
    assert {trial: how for trial, how in ended.items() if how not in ENDS} == {}
    if limit == memory.LIMITS[0]:
        assert set(ended.values()) == ENDS


def test_connections_that_reach_the_limit_at_once_go_on():
    ended = python(SCRIPT, "at_once", json.dumps({"limit": "32MB"}))
    assert len(ended) == 12
    assert set(ended) <= ENDS
    assert "out of memory" in ended


def test_memory_that_the_system_refuses_ends_the_query_alone():
    # The results have 19 columns of about a gigabyte each.
    assert set(python(SCRIPT, "refused", json.dumps({"address_space": 4 << 30}))) == {"out of memory"}


INTERRUPTED = {
    "while rows are read": ("mrr_rows", [1, 3_000_000, 1]),
    "while results are written": ("rank_metrics_at_agg", [20_000, 3, 400]),
}
if BY_USER:
    INTERRUPTED["while users are evaluated"] = ("rank_metrics_at_by_user", [60_000, 3, 20])
    INTERRUPTED["while lists are sorted"] = ("ranked_list of texts", [20_000, 60, 1])


@pytest.mark.parametrize("threads", memory.THREADS)
@pytest.mark.parametrize("place", INTERRUPTED)
def test_an_interrupted_query_leaves_the_connection_alive(place: str, threads: int):
    name, shape = INTERRUPTED[place]
    arguments = {"name": name, "shape": shape, "threads": threads, "delays": [0.01, 0.05, 0.15, 0.4]}
    ended = python(SCRIPT, "interrupted", json.dumps(arguments))
    assert set(ended) <= {"right", "InterruptException"}
    assert "InterruptException" in ended
