"""A worker of Spark evaluates a partition. Tests of limits and of imports run processes of their own."""

from __future__ import annotations

import json
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
from support.process import PACKAGE, python

from rankdcg_sql import CallError
from rankdcg_sql._errors import CallValueError
from rankdcg_sql.evaluation._tables.columns import Columns
from rankdcg_sql.evaluation._terms.plan import make_plan
from rankdcg_sql.spark import _partition
from rankdcg_sql.spark._partition import Task, evaluate_partition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Makes the rows of a partition and the task of a worker. Texts of users are long, so that rows take memory.
FRONT = """
    import json
    import os
    import pyarrow as pa
    from rankdcg_sql import CallError
    from rankdcg_sql.evaluation._tables.columns import Columns
    from rankdcg_sql.spark._partition import Task, evaluate_partition
    from rankdcg_sql.evaluation._terms.plan import make_plan

    def rows(users, items):
        number = users * items
        user = [f"{place % users:0100d}" for place in range(number)]
        item = [place // users for place in range(number)]
        batch = {"userid": user, "itemid": item, "rel": [1.0] * number, "is_truth": [True] * number}
        judged = pa.table(batch | {"score": pa.nulls(number, pa.float64())})
        batch |= {"score": [place * 7.0 % 13 for place in range(number)], "is_truth": [False] * number}
        retrieved = pa.table(batch | {"rel": pa.nulls(number, pa.float64())}).select(judged.column_names)
        return pa.concat_tables([judged, retrieved]).to_batches(max_chunksize=10_000)

    def task(reports, metrics="ndcg"):
        columns = Columns(user="userid", item="itemid", score="score", rel="rel", by=())
        plan = make_plan("evaluate", 3, metrics, {}, [])
        return Task("evaluate", ("truth", "rec"), columns, plan, reports).to_json()

    def answer(users, items, reports=True, metrics="ndcg"):
        found = evaluate_partition(rows(users, items), task(reports, metrics))
        return read_reports(found) if reports else pa.Table.from_batches(found)

    def read_reports(batches):
        columns = (batch.column("report") for batch in batches)
        tables = [pa.ipc.open_stream(each.as_buffer()).read_all() for column in columns for each in column]
        reports = [table.schema.metadata[b"report"].decode() for table in tables if table.schema.metadata]
        return pa.concat_tables(table.replace_schema_metadata() for table in tables), *reports
"""


def worker(script: str) -> Any:
    """Run a script after `FRONT`, and return the JSON that it prints."""
    return python(textwrap.dedent(FRONT) + textwrap.dedent(script))


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
        whole = answer(5000, 20)
        os.environ["PYSPARK_EXECUTOR_MEMORY_MB"] = "60"
        parts = answer(5000, 20)
        (one, *reports), (other, *others) = whole, parts
        same = one.sort_by("userid").equals(other.sort_by("userid"))
        folders = os.listdir(os.environ["SPARK_LOCAL_DIRS"].split(",")[0])
        print(json.dumps([folders, same, len(one), *reports, *others]))
    """
    monkeypatch.setenv("SPARK_LOCAL_DIRS", f"{tmp_path},/nowhere")
    folders, same, users, *reports = worker(script)
    assert [name.startswith("rankdcg_sql.tmp.") for name in folders] == [True]
    assert same
    assert users == 5000
    assert reports[0] == reports[1]
    assert '"rec_rows": 100000' in reports[0]


def test_a_worker_removes_the_folders_of_killed_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE.parent))
    script = textwrap.dedent(FRONT) + "answer(3, 2)\nprint(flush=True)\ninput()\n"

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
        assert worker("print(json.dumps(answer(3, 2, reports=False).num_rows))") == 3
        assert {*tmp_path.iterdir()} == folders - left
        living.communicate(b"\n")
    assert [*tmp_path.iterdir()] == []


def test_a_user_who_exceeds_the_memory_is_an_error_that_says_what_helps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = """
        _, text = answer(1, 300_000, metrics=["rankdcg", "rbp"])
        report = json.loads(text)
        try:
            answer(1, 300_000, reports=False, metrics=["rankdcg", "rbp"])
        except CallError as error:
            print(json.dumps([report["error"], str(error), error.argument, error.kind]))
    """
    monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", "4")
    reported, text, argument, kind = worker(script)
    assert reported == no_memory("600,000 rows", "2")
    assert reported == {"argument": argument, "kind": kind, "text": text.removeprefix("evaluate: ")}


def test_rows_that_exceed_the_limit_of_the_system_are_that_error(monkeypatch: pytest.MonkeyPatch) -> None:
    script = """
        import itertools
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29))
        endless = itertools.chain.from_iterable(itertools.repeat(rows(100, 100)))
        _, text = read_reports(evaluate_partition(endless, task(True)))
        print(json.dumps(json.loads(text)["error"]))
    """
    monkeypatch.setenv("PYSPARK_EXECUTOR_MEMORY_MB", "512")
    error = worker(script)
    (rows,) = re.findall(r"^a partition of ([\d,]+ rows or more) does", error["text"])
    assert error == no_memory(rows, "256")


def test_many_users_are_reported_a_part_at_a_time() -> None:
    script = """
        from rankdcg_sql.spark import _partition

        whole, _ = answer(5, 3)
        _partition._REPORTED_USERS = 2
        reports = list(evaluate_partition(rows(5, 3), task(True)))
        sizes = [read_reports([report])[0].num_rows for report in reports]
        parts, _ = read_reports(reports)
        print(json.dumps([sizes, parts.sort_by("userid").equals(whole.sort_by("userid"))]))
    """
    assert worker(script) == [[2, 2, 1, 0], True]


def test_a_worker_needs_no_pyspark_and_imports_no_pandas() -> None:
    script = """
    import json, sys
    import duckdb
    from rankdcg_sql.evaluation._tables.columns import Columns
    from rankdcg_sql.spark._partition import Task, evaluate_partition
    from rankdcg_sql.evaluation._terms.plan import make_plan
    sys.modules["pyspark"] = None
    judged = "SELECT 1 AS userid, 2 AS itemid, 1.0::DOUBLE AS rel, NULL::DOUBLE AS score, true AS is_truth"
    retrieved = "SELECT 1, 2, NULL, 0.5, false"
    batches = duckdb.sql(f"{judged} UNION ALL {retrieved}").to_arrow_table().to_batches()
    plan = make_plan("evaluate", [1, None], "ndcg", {}, [])
    columns = Columns(user="userid", item="itemid", score="score", rel="rel", by=())
    task = Task("evaluate", ("truth", "rec"), columns, plan, True)
    reported = sum(map(len, evaluate_partition(batches, task.to_json())))
    print(json.dumps([reported, "pandas" in sys.modules]))
    """
    assert python(script) == [2, False]


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
ROWS = {
    "userid": [1, 1, 2, 3, None, 1, 1, 2, 4, 4, None],
    "itemid": ["a", "b", "c", "a", "a", "b", "c", "a", "a", None, "a"],
    "is_truth": [True] * 5 + [False] * 6,
    "rel": [1.0, 3.0, 1.0, None, 1.0, *[None] * 6],
    "score": [*[None] * 5, 0.5, 0.25, 0.5, math.nan, 1.0, 1.0],
    "by_0": ["x", "x", None, None, "x", *[None] * 6],
    "by_1": [7, 7, 8, None, 7, *[None] * 6],
}
ROW_TYPES = {
    "userid": pa.int64(),
    "itemid": pa.string(),
    "is_truth": pa.bool_(),
    "rel": pa.float64(),
    "score": pa.float64(),
    "by_0": pa.string(),
    "by_1": pa.int32(),
}


def batches(**others: list[Any]) -> list[pa.RecordBatch]:
    return pa.table(ROWS | others, pa.schema(ROW_TYPES)).to_batches(max_chunksize=4)


def task(reports: bool = True, metrics: list[str] | None = None) -> Task:
    columns = Columns(
        user="uid", item="song", rec_user="customer", rec_item="uid", score="s", rel="r", by=("plan", "age")
    )
    plan = make_plan("evaluate", [1, None], metrics or ["recall"], {"min_rel": 1}, ["user"])
    return Task("evaluate", ("judged", "retrieved"), columns, plan, reports)


def reported(rows: Iterable[pa.RecordBatch], text: str) -> tuple[pa.Table, dict[str, Any]]:
    """The metrics and the report of a partition."""
    found = evaluate_partition(rows, text)
    *tables, last = (pa.ipc.open_stream(each.column(0)[0].as_buffer()).read_all() for each in found)
    return pa.concat_tables([*tables, last.replace_schema_metadata()]), json.loads(
        last.schema.metadata[b"report"]
    )


def test_a_task_is_the_same_after_it_was_written() -> None:
    for reports in (True, False):
        assert Task.from_json(task(reports).to_json()) == task(reports)


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
    rows = batches(itemid=["a", "a", *ROWS["itemid"][2:]])
    table, report = reported(rows, task().to_json())
    assert len(table) == 0
    said = "truth judges an item twice, with relevance 1 and 3 (user 1, item 'a' of judged)"
    assert (report["error"]["text"], report["error"]["kind"]) == (said, "argument")
    with pytest.raises(CallError) as caught:
        list(evaluate_partition(rows, task(reports=False).to_json()))
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
