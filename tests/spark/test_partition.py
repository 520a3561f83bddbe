"""A worker of Spark evaluates a partition. Tests of limits and of imports run processes of their own."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest
from conftest import needs_duckdb_2
from support.partitions import reported, rows, task, task_of_rows
from support.paths import TESTS
from support.process import PACKAGE, python

from rankdcg_sql import CallError
from rankdcg_sql._errors import CallValueError
from rankdcg_sql.spark import _partition
from rankdcg_sql.spark._partition import Task, evaluate_partition

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The beginning of the script of a worker.
FRONT = """
import json, os
from support.partitions import evaluate_partition, reported, rows, task_of_rows
"""


def worker(script: str) -> Any:
    """Run a script after `FRONT`, and return the JSON that it prints."""
    return python(FRONT + textwrap.dedent(script), path=[str(TESTS)])


def no_memory(rows: str, mebibytes: str) -> dict[str, str]:
    """The error that a worker reports of a partition that does not fit."""
    text = (
        f"a partition of {rows} does not fit into the memory of a Python worker, of which DuckDB may use "
        f"{mebibytes} MiB: give more partitions, or more memory with spark.executor.pyspark.memory"
    )
    return {"argument": "partitions", "kind": "memory", "text": text}


def test_a_partition_that_exceeds_the_memory_is_evaluated_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = """
        one, report = reported(rows(5000, 20), task_of_rows())
        os.environ["PYSPARK_EXECUTOR_MEMORY_MB"] = "60"
        other, other_report = reported(rows(5000, 20), task_of_rows())
        same = one.sort_by("userid").equals(other.sort_by("userid"))
        folders = os.listdir(os.environ["SPARK_LOCAL_DIRS"].split(",")[0])
        print(json.dumps([folders, same, len(one), report, other_report]))
    """
    monkeypatch.setenv("SPARK_LOCAL_DIRS", f"{tmp_path},/nowhere")
    folders, same, users, report, other = worker(script)
    assert [name.startswith("rankdcg_sql.tmp.") for name in folders] == [True]
    assert same
    assert users == 5000
    assert report == other
    assert report["counts"]["rec_rows"] == 100_000


def test_a_worker_removes_the_folders_of_killed_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PACKAGE.parent), str(TESTS)]))
    evaluated = "reported(rows(3, 2), task_of_rows())[0]"
    script = f"{FRONT}{evaluated}\nprint(flush=True)\ninput()\n"

    def folders_with(worker: subprocess.Popen[bytes]) -> set[Path]:
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"\n"
        return {*tmp_path.iterdir()}

    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as killed:
        left = folders_with(killed)
        killed.kill()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as living:
        folders = folders_with(living)
        assert [len(left), len(folders)] == [1, 2]
        for folder in folders:
            os.utime(folder, (0, 0))
        assert worker(f"print({evaluated}.num_rows)") == 3
        assert {*tmp_path.iterdir()} == folders - left
        living.communicate(b"\n")
    assert [*tmp_path.iterdir()] == []


def test_a_user_who_exceeds_the_memory_is_an_error_that_says_what_helps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = """
        from rankdcg_sql import CallError

        metrics = ["rankdcg", "rbp"]
        _, report = reported(rows(1, 300_000), task_of_rows(True, metrics))
        try:
            next(evaluate_partition(rows(1, 300_000), task_of_rows(False, metrics)))
        except CallError as error:
            print(json.dumps([report["error"], str(error), error.argument, error.kind]))
    """
    monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", "4")
    reported, text, argument, kind = worker(script)
    assert reported == no_memory("600,000 rows", "2")
    assert reported == {"argument": argument, "kind": kind, "text": text.removeprefix("evaluate: ")}


def test_rows_that_exceed_the_limit_of_the_system_are_that_error(monkeypatch: pytest.MonkeyPatch) -> None:
    script = """
        import itertools, resource
        resource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29))
        endless = itertools.chain.from_iterable(itertools.repeat(rows(100, 100)))
        print(json.dumps(reported(endless, task_of_rows())[1]["error"]))
    """
    monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", "512")
    error = worker(script)
    (number,) = re.findall(r"^a partition of ([\d,]+ rows or more) does", error["text"])
    assert error == no_memory(number, "256")


def test_many_users_are_reported_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, _ = reported(rows(5, 3), task_of_rows())
    monkeypatch.setattr(_partition, "_REPORTED_BYTES", whole.nbytes // 2)
    reports = list(evaluate_partition(rows(5, 3), task_of_rows()))
    tables = [pa.ipc.open_stream(each.column(0)[0].as_buffer()).read_all() for each in reports]
    assert [len(table) for table in tables] == [2, 2, 1, 0]
    parts, _ = reported(rows(5, 3), task_of_rows())
    assert parts.sort_by("userid").equals(whole.sort_by("userid"))


def test_a_worker_needs_no_pyspark_and_imports_no_pandas() -> None:
    script = """
    import duckdb, sys
    sys.modules["pyspark"] = None
    judged = "SELECT 1 AS userid, 2 AS itemid, 1.0::DOUBLE AS rel, NULL::DOUBLE AS score, true AS is_truth"
    retrieved = "SELECT 1, 2, NULL, 0.5, false"
    batches = duckdb.sql(f"{judged} UNION ALL {retrieved}").to_arrow_table().to_batches()
    print(json.dumps([len(list(evaluate_partition(batches, task_of_rows()))), "pandas" in sys.modules]))
    """
    assert worker(script) == [2, False]


def test_the_package_is_imported_without_pyspark() -> None:
    script = """
    import json, sys
    sys.modules["pyspark"] = None
    import rankdcg_sql
    table = {"userid": [1], "itemid": [1], "score": [1]}
    evaluation = rankdcg_sql.evaluate(table, table)
    try:
        import rankdcg_sql.spark
    except ImportError as error:
        print(json.dumps(str(error)))
    """
    assert python(script) == (
        "rankdcg_sql.spark needs PySpark 3.5 or later, and there is none: pip install 'rankdcg_sql[spark]'"
    )


#: The rows of a partition, of truth and then of rec. User 3 has no number, user 4 no row in truth.
ROWS = pa.table(
    {
        "userid": pa.array([1, 1, 2, 3, None, 1, 1, 2, 4, 4, None]),
        "itemid": pa.array(["a", "b", "c", "a", "a", "b", "c", "a", "a", None, "a"]),
        "is_truth": pa.array([True] * 5 + [False] * 6),
        "rel": pa.array([1.0, 3.0, 1.0, None, 1.0, *[None] * 6]),
        "score": pa.array([*[None] * 5, 0.5, 0.25, 0.5, math.nan, 1.0, 1.0]),
        "by_0": pa.array(["x", "x", None, None, "x", *[None] * 6]),
        "by_1": pa.array([7, 7, 8, None, 7, *[None] * 6], pa.int32()),
    }
)


def batches(**others: list[Any]) -> list[pa.RecordBatch]:
    columns = dict(zip(ROWS.column_names, ROWS.columns, strict=True))
    return pa.table(columns | others, ROWS.schema).to_batches(max_chunksize=4)


def test_a_task_is_the_same_after_it_was_written() -> None:
    for given in (task(), task(False), task(False, explains=True)):
        assert Task.from_json(given.to_json()) == given


def test_a_partition_has_segments_values_and_numbers_of_rows() -> None:
    table, report = reported(batches(), task().to_json())
    names = ["userid", "by_0", "by_1", "retrieved", "judged", "graded", "recall@1", "recall"]
    assert table.column_names == names
    assert sorted(map(tuple, (row.values() for row in table.to_pylist()))) == [
        (1, "x", 7, 2, 2, None, 0.5, 0.5),
        (2, None, 8, 1, 1, None, 0.0, 0.0),
        (4, None, None, 1, 0, None, None, None),
    ]
    counts = {name: number for name, number in report["counts"].items() if number}
    assert counts == {
        "truth_rows": 5,
        "truth_null_users": 1,
        "truth_null_rels": 1,
        "rec_rows": 6,
        "rec_null_users": 1,
        "rec_null_items": 1,
        "rec_nan_scores": 1,
    }
    lazy = pa.Table.from_batches(evaluate_partition(batches(), task(reports=False).to_json()))
    assert lazy.sort_by("userid").equals(table.sort_by("userid"))
    graded, _ = reported(batches(), task(metrics=["recall", "rankdcg"]).to_json())
    assert {row["userid"]: row["graded"] for row in graded.to_pylist()} == {1: True, 2: False, 4: False}


def test_a_partition_has_the_lists_that_measures_of_items_read() -> None:
    table, _ = reported(batches(), task(metrics=["coverage", "serendipity", "recall"], ks=[1]).to_json())
    assert table.column_names[-3:] == ["recall@1", "ranking", "relevant"]
    # User 4 has no judgement, and no measure reads the list.
    lists = {
        row["userid"]: (row["ranking"], row["relevant"] and sorted(row["relevant"]))
        for row in table.to_pylist()
    }
    assert lists == {1: (["b"], ["a", "b"]), 2: (["a"], ["c"]), 4: (None, None)}
    whole, _ = reported(batches(), task(metrics=["coverage"], ks=[None], by=()).to_json())
    assert whole.schema.field("ranking").type == pa.list_(pa.string())
    assert {row["userid"]: row["ranking"] for row in whole.to_pylist()} == {1: ["b", "c"], 2: ["a"], 4: None}


@needs_duckdb_2
def test_a_partition_lists_the_items_of_which_values_are_made() -> None:
    asked = task(False, ["recall"], [1], explains=True).to_json()
    found = pa.Table.from_batches(evaluate_partition(batches(), asked))
    names = ["userid", "itemid", "rank", "score", "rel", "contribution", "if_found", "value"]
    assert sorted(map(repr, zip(*found.select(names).to_pydict().values(), strict=True))) == [
        "(1, 'a', None, None, 1.0, 0.0, None, 0.5)",  # the only rank has a relevant item
        "(1, 'b', 1, 0.5, 3.0, 0.5, None, 0.5)",
        "(2, 'a', 1, 0.5, None, 0.0, None, 0.0)",
        "(2, 'c', None, None, 1.0, 0.0, 1.0, 0.0)",
    ]
    conflict = batches(itemid=["a", "a", *ROWS["itemid"].to_pylist()[2:]])
    with pytest.raises(CallError, match=r"^evaluate: truth judges an item twice, with relevance 1 and 3$"):
        list(evaluate_partition(conflict, asked))


@pytest.mark.parametrize("role", ["truth", "rec"])
def test_a_partition_may_have_rows_of_one_table_alone(role: str) -> None:
    alone = batches(is_truth=[role == "truth"] * 11)
    other = "rec" if role == "truth" else "truth"
    _, report = reported(alone, task().to_json())
    assert report["counts"][f"{role}_rows"] == 11
    assert {number for name, number in report["counts"].items() if name.startswith(other)} == {0}


def test_a_partition_without_a_row_has_no_report() -> None:
    for reports in (True, False):
        assert list(evaluate_partition(iter(()), task(reports).to_json())) == []


def test_an_error_of_a_partition_is_reported_or_raised() -> None:
    conflict = batches(itemid=["a", "a", *ROWS["itemid"].to_pylist()[2:]])
    table, report = reported(conflict, task().to_json())
    assert len(table) == 0
    said = "truth judges an item twice, with relevance 1 and 3 (user 1, item 'a' of judged)"
    assert (report["error"]["text"], report["error"]["kind"]) == (said, "argument")
    with pytest.raises(CallError) as caught:
        list(evaluate_partition(conflict, task(reports=False).to_json()))
    assert str(caught.value) == f"evaluate: {said}"
    assert caught.value.argument == report["error"]["argument"]


@pytest.mark.parametrize("error", [MemoryError, duckdb.OutOfMemoryException])
def test_a_worker_without_memory_for_its_database_says_what_helps(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def connect(memory: int, parent: str | None) -> duckdb.DuckDBPyConnection:
        assert (memory, parent) == (2**30, None)
        raise error

    monkeypatch.delenv("PYSPARK_EXECUTOR_MEMORY_MB", raising=False)
    monkeypatch.delenv("SPARK_LOCAL_DIRS", raising=False)
    monkeypatch.setattr(_partition, "connect_on_executor", connect)
    _, report = reported(batches(), task().to_json())
    assert report["error"] == no_memory("any size", "1,024")


def test_rows_for_which_there_is_no_memory_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_many() -> Iterator[pa.RecordBatch]:
        yield from batches() * 200
        raise MemoryError

    monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", "1000")
    _, report = reported(too_many(), task().to_json())
    assert report["error"] == no_memory("2,200 rows or more", "500")


@pytest.mark.parametrize(
    "error",
    [MemoryError(), duckdb.OutOfMemoryException("full"), CallValueError(None, None, "full", kind="memory")],
)
def test_metrics_for_which_there_is_no_memory_are_that_error(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def compute(*_: object) -> None:
        raise error

    monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", "3000")
    monkeypatch.setattr(_partition, "_compute", compute)
    _, report = reported(batches(), task().to_json())
    assert report["error"] == no_memory("11 rows", "1,500")
