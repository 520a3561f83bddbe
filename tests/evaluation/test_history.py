"""Histories: rows are those of the summary, files of others stay, and significant changes are as promised."""

from __future__ import annotations

import json
import math
import os
import pickle
import shutil
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest
from scipy import stats
from support import invented_results as results
from support import process

import rankdcg_sql
from rankdcg_sql import CallError, Evaluation
from rankdcg_sql.evaluation._history import file as _history_file
from rankdcg_sql.evaluation._history.history import History

DAY = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=timezone.utc)
ENDINGS = [".parquet", ".csv"]
#: The number of experiments of each simulation.
EXPERIMENTS = 1000


def recall(hits: int, users: int = 100, **options: Any) -> Evaluation:
    """Evaluate one item for each user; `hits` users find it."""
    truth = {"userid": range(users), "itemid": ["a"] * users}
    items = ["a" if user < hits else "b" for user in range(users)]
    rec = {"userid": range(users), "itemid": items, "score": [1.0] * users}
    return rankdcg_sql.evaluate(truth, rec, **{"k": 1, "metrics": "recall"} | options)


def of_nobody() -> Evaluation:
    """Evaluate one user, who has no value."""
    truth = {"userid": [1], "itemid": ["a"], "rel": [0]}
    with pytest.warns(rankdcg_sql.DataWarning):
        return rankdcg_sql.evaluate(truth, truth | {"score": [1.0]}, rel="rel", k=1, metrics="recall")


def history_of(path: Path, *hits: int, labels: Sequence[str | None] = (), **options: Any) -> Path:
    """Append a run for each number of hits, a day apart."""
    for day, number in enumerate(hits):
        label = labels[day] if labels else f"v{day + 1}"
        recall(number, **options).append(path, label, DAY + timedelta(days=day))
    return path


def rows(relation: duckdb.DuckDBPyRelation, columns: str) -> list[tuple[Any, ...]]:
    return relation.project(columns).fetchall()


def summaries(*means: tuple[float, float, float], interval: str = "t", **columns: list[Any]) -> History:
    """A history of one measure with these means and ends of intervals, one run per hour."""
    count = len(means)
    mean, low, high = (pa.array(values, pa.float64()) for values in zip(*means, strict=True))
    table = {
        "run_at": pa.array([DAY + timedelta(hours=hour) for hour in range(count)], pa.timestamp("us", "UTC")),
        "mean": mean, "low": low, "high": high, "interval": [interval] * count,
        "metric": ["ndcg"] * count, "k": [10] * count, "confidence": [0.95] * count,
    }  # fmt: skip
    return History("previous", whole(pa.table(table | columns)))


def whole(given: pa.Table) -> pa.Table:
    """Add the columns that are missing, all NULL."""
    return duckdb.sql(f"SELECT {_history_file._as_history(given.column_names)} FROM given").to_arrow_table()


# the file


@pytest.mark.parametrize("ending", ENDINGS)
def test_rows_are_those_of_the_summary(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"history{ending}"
    result = results.evaluation(users=50, by=["third's"], interval="bootstrap", confidence=0.9, resamples=99)
    result.append(path, 'v1, "new"', DAY)
    result.append(path)
    runs = rankdcg_sql.history(path).runs
    numbers = "metric, k, n, mean, low, high, without_value"
    expected = rows(result.summary, f'CASE WHEN NOT all_users THEN "third\'s" END, {numbers}')
    segment = "json_extract_string(segment, '$.\"third''s\"')::BIGINT"
    first = runs.filter("label IS NOT NULL")
    assert rows(first, f"{segment}, {numbers}") == expected
    assert rows(runs.filter("label IS NULL"), f"{segment}, {numbers}") == expected
    constants = "label, epoch_us(run_at), users, interval, confidence, options, rankdcg_sql, duckdb, system"
    options = "convention=trec_eval,gain=exp2"
    time = (DAY - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(microseconds=1)
    versions = rankdcg_sql.__version__, duckdb.__version__
    kept = ('v1, "new"', time, "truth", "bootstrap", 0.9, options, *versions, None)
    assert set(rows(first, constants)) == {kept}
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_new_history_has_the_rights_of_any_new_file_and_no_empty_text(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"history{ending}"
    before = os.umask(0o027)
    try:
        recall(50).append(path)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640
    assert set(rows(rankdcg_sql.history(path).runs, "label, system, options")) == {(None, None, None)}


def test_the_time_of_a_run_is_in_utc_and_the_present_one_if_none_is_given(tmp_path: Path) -> None:
    path = tmp_path / "history.parquet"
    before = datetime.now(timezone.utc)
    recall(50).append(path)
    after = datetime.now(timezone.utc)
    recall(50).append(path, run_at=datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=2))))
    now, given = pq.read_table(path)["run_at"].to_pylist()
    assert before <= now <= after
    assert given == datetime(2026, 3, 1, 10, tzinfo=timezone.utc)


def test_a_comparison_has_a_row_for_each_system(tmp_path: Path) -> None:
    path = tmp_path / "history.parquet"
    compared = results.comparison(users=40)
    compared.append(path)
    numbers = "system, metric, k, n, mean, low, high, without_value"
    assert rows(rankdcg_sql.history(path).runs, numbers) == rows(compared.summary, numbers)


def test_values_without_a_mean_or_an_interval_are_kept_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "history.csv"
    for day, result in enumerate([recall(1, users=1), recall(50), of_nobody(), recall(90)]):
        result.append(path, run_at=DAY + timedelta(days=day))
    found = rankdcg_sql.history(path).changes
    assert rows(found, "n, mean, low IS NULL, difference, is_significant") == [
        (1, 1.0, False, None, None),
        (100, 0.5, False, None, None),
        (0, None, True, None, None),
        (100, 0.9, False, 0.4, True),
    ]


@pytest.mark.parametrize("against", ["previous", "first", "v"])
def test_a_run_without_an_interval_is_no_run_to_compare_with(tmp_path: Path, against: str) -> None:
    path = tmp_path / "history.parquet"
    for day, (hits, users) in enumerate([(1, 1), (50, 100), (1, 1), (90, 100), (0, 1)]):
        recall(hits, users=users).append(path, "v" if day < 3 else None, DAY + timedelta(days=day))
    found = rankdcg_sql.history(path, against)
    expected = {
        "previous": [None, None, 0.5, 0.5, 0.9],
        "first": [None, None, 0.5, 0.5, 0.5],
        "v": [0.5, None, 0.5, 0.5, 0.5],
    }
    shown = rows(found.changes, "round(mean - difference, 6), is_significant")
    assert [mean for mean, _ in shown] == expected[against]
    assert [significant for _, significant in shown] == [None, None, None, True, None]
    assert found.notes()[-1] == (
        "1 mean of the last run is not compared: there is no interval, or no other run with the same "
        "settings and an interval"
    )


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_run_of_equal_values_has_the_interval_of_the_range(tmp_path: Path, ending: str) -> None:
    """Its ends are known, so that neither is taken to be as far away as the other."""
    path = history_of(tmp_path / f"history{ending}", 12, 12, 3, users=12)
    found = rankdcg_sql.history(path)
    low = 0.025 ** (1 / 12)
    of_range = ("t", "range", round(low, 9), 1.0)
    assert rows(found.runs, "interval, interval_by, round(low, 9), high")[:2] == [of_range] * 2
    _, unchanged, changed = rows(found.changes, "difference_low, difference_high, is_significant")
    assert unchanged == (pytest.approx(low - 1), pytest.approx(1 - low), False)
    third = stats.ttest_1samp([1] * 3 + [0] * 9, 0).confidence_interval()
    below = 0.25 - max(third.low, 0)
    below = max(below, third.high - 0.25)
    assert changed == (pytest.approx(-0.75 - below), pytest.approx(-0.75 + math.hypot(below, 1 - low)), True)
    assert "2 means of equal values (#): the interval is from the range of the metric" in found.notes()
    assert [row.count("#") for row in found.render("table").splitlines()[3:-1]] == [1, 1, 0]
    assert found.plot().get_suptitle().endswith("those of equal values are from the range of the metric")


def test_an_interval_without_width_counts_as_none() -> None:
    """Earlier versions wrote it for equal values."""
    changes = summaries((0.5, 0.4, 0.6), (1.0, 1.0, 1.0), (0.55, 0.45, 0.65)).changes
    found = rows(changes, "round(difference, 6), is_significant")
    assert found == [(None, None), (0.5, None), (0.05, False)]


def refusal(path: Path, message: str) -> CallError:
    """The error of an append, which leaves the file as it is."""
    before = path.read_bytes()
    with pytest.raises(CallError, match=message) as caught:
        recall(60).append(path)
    assert path.read_bytes() == before
    return caught.value


def assert_refused(path: Path, message: str) -> None:
    """Neither an append nor a reader takes the file, which stays as it is."""
    error = refusal(path, "is no history of rankdcg_sql, and stays as it is: ")
    assert isinstance(error, ValueError)
    assert (error.function, error.argument) == ("append", "path")
    with pytest.raises(ValueError, match=f"is no history of rankdcg_sql.*{message}$") as read:
        rankdcg_sql.history(path)
    # Nothing is written then, so that there is nothing to say about it.
    told = str(error).replace(", and stays as it is", "").replace("append: ", "history: ", 1)
    assert told == str(read.value)


@pytest.mark.parametrize("ending", [*ENDINGS, ".CSV"])
def test_files_of_others_stay_byte_for_byte(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"mine{ending}"
    written = history_of(tmp_path / f"history{ending}", 50).read_bytes()
    own = duckdb.sql("SELECT 1 AS metric, 2 AS mean, 'mine' AS label")
    (own.write_parquet if ending == ".parquet" else own.write_csv)(str(tmp_path / f"own{ending}"))
    for content, message in (
        ((tmp_path / f"own{ending}").read_bytes(), ": it lacks the column run_at and 6 others"),
        (
            b"dear diary,\nnothing happened\n",
            f": it cannot be read as {'Parquet' if ending == '.parquet' else 'CSV'}",
        ),
        (b"", ""),
        (written[: len(written) // 2], ""),
        (written[:-2], "" if ending == ".parquet" else "its last line has no end.*"),
    ):
        path.write_bytes(content)
        assert_refused(path, message)
    assert {each.name for each in tmp_path.iterdir()} == {f"{n}{ending}" for n in ("mine", "history", "own")}


def test_paths_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = recall(50)
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(ValueError, match="it is no file"):
        result.append(tmp_path / "folder.csv")
    with pytest.raises(ValueError, match=r"must end with \.parquet or \.csv"):
        result.append(tmp_path / "history.xlsx")
    with pytest.raises(OSError, match="there is no folder"):
        result.append(tmp_path / "none" / "history.csv")
    with pytest.raises(FileNotFoundError, match="there is no file"):
        rankdcg_sql.history(tmp_path / "history.csv")
    path = history_of(tmp_path / "history.csv", 50)
    # An administrator may write everywhere, so the answers of the system are given here.
    for refused in (path, tmp_path):
        monkeypatch.setattr(os, "access", lambda asked, mode, refused=refused: Path(asked) != refused)
        assert isinstance(refusal(path, "is not writable"), OSError)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows asks for rights to make links")
def test_a_link_is_followed_and_rights_are_kept(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target = history_of(tmp_path / "far" / "history.parquet", 50)
    target.chmod(0o640)
    link = tmp_path / "link.parquet"
    link.symlink_to(target)
    history_of(link, 60)
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    assert rows(rankdcg_sql.history(target).runs, "mean") == [(0.5,), (0.6,)]
    # The ending of the link must be that of a history, and so must that of the file.
    for name, far in (("link.txt", target), ("other.csv", tmp_path / "data.txt")):
        (tmp_path / name).symlink_to(far)
        with pytest.raises(ValueError, match=r"\.txt' must end with \.parquet or \.csv$"):
            recall(50).append(tmp_path / name)
    assert not (tmp_path / "data.txt").exists()


@pytest.mark.parametrize("name", ["it's.csv", "a[1].parquet", "*?.csv", "{a,b}.parquet"])
def test_names_of_files_are_no_patterns(tmp_path: Path, name: str) -> None:
    history_of(tmp_path / "a1.parquet", 10)
    history_of(tmp_path / "other.csv", 10)
    assert len(rankdcg_sql.history(history_of(tmp_path / name, 50, 60)).runs) == 2


@pytest.mark.parametrize(
    ("function", "given", "argument", "error", "text"),
    [
        ("append", {"label": " "}, "label", ValueError, "must not be empty"),
        ("append", {"label": 42}, "label", TypeError, "^append: label must "),
        ("append", {"label": "\udc80"}, "label", ValueError, "^append: label must "),
        ("append", {"label": "previous"}, "label", ValueError, "must not be 'previous' or 'first'"),
        ("append", {"label": "first"}, "label", ValueError, "must not be 'previous' or 'first'"),
        ("append", {"label": "x" * 3_000_000}, "label", ValueError,
         "must have at most 1,000 characters, got 3,000,000$"),
        ("append", {"run_at": datetime(2026, 1, 1)}, "run_at", ValueError, "^append: run_at must "),
        ("append", {"run_at": "2026-01-01"}, "run_at", TypeError, "^append: run_at must "),
        ("append", {"path": 3}, "path", TypeError, "^append: path must "),
        ("history", {"against": "v9"}, "against", ValueError,
         "must be 'previous' or 'first' or 'v1', got 'v9'"),
        ("history", {"against": 3}, "against", TypeError, "must be a text, got 3"),
        ("history", {"against": "\udc80"}, "against", ValueError, "must be text in UTF-8, got "),
        ("history", {"metrics": "ndcg@10"}, "metrics", ValueError,
         "there is no measure 'ndcg@10', but recall@1"),
        ("history", {"metrics": "recall@5"}, "metrics", ValueError,
         "there is no measure 'recall@5', but recall@1"),
        ("history", {"path": 3}, "path", TypeError, "must be a path, got 3"),
    ],
    ids=lambda value: "" if len(str(value)) > 50 else None,
)  # fmt: skip
def test_wrong_arguments(
    tmp_path: Path, function: str, given: dict[str, Any], argument: str, error: type[Exception], text: str
) -> None:
    path = history_of(tmp_path / "history.csv", 50)
    before = path.read_bytes()
    call = recall(50).append if function == "append" else rankdcg_sql.history
    with pytest.raises(error, match=text) as caught:
        call(**{"path": path} | given)
    assert isinstance(caught.value, CallError)
    assert (caught.value.function, caught.value.argument) == (function, argument)
    assert [*tmp_path.iterdir()] == [path]
    assert path.read_bytes() == before


@pytest.mark.parametrize("ending", ENDINGS)
def test_columns_of_other_versions(tmp_path: Path, ending: str) -> None:
    """A file without the columns that are not required, and with a column of its own."""
    path = history_of(tmp_path / f"history{ending}", 50)
    older = tmp_path / f"older{ending}"
    duckdb.sql(
        f"COPY (SELECT {', '.join(_history_file.REQUIRED)}, '007' AS ticket FROM '{path}') TO '{older}'"
    )
    history_of(older, 60, labels=["new"])
    found = rows(rankdcg_sql.history(older).runs, "label, mean, users, ticket")
    assert found == [("v1", 0.5, None, "007"), ("new", 0.6, "truth", None)]


def test_columns_that_an_append_adds_are_read_by_other_programs(tmp_path: Path) -> None:
    """PyArrow writes its own schema into a file, which lacks the new columns."""
    path = history_of(tmp_path / "history.parquet", 50)
    pq.write_table(pq.read_table(path).drop_columns(["interval_by", "rec"]), path)
    history_of(path, 60)
    assert pq.read_table(path).select(["mean", "interval_by"]).to_pylist() == [
        {"mean": 0.5, "interval_by": None},
        {"mean": 0.6, "interval_by": "t"},
    ]


APPENDS = """
import sys
import rankdcg_sql
path, process = sys.argv[1:]
table = {"userid": [1, 2], "itemid": [1, 2], "score": [1, 2]}
result = rankdcg_sql.evaluate(table, table, k=1, metrics="recall")
for number in range(5):
    result.append(path, f"{process}.{number}")
"""


@pytest.mark.parametrize("ending", ENDINGS)
def test_processes_that_append_at_once_lose_no_row(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"history{ending}"
    with ThreadPoolExecutor(4) as threads:
        done = [*threads.map(lambda number: process.run(APPENDS, str(path), str(number)), range(4))]
    assert [each.returncode for each in done] == [0] * 4
    labels = [label for (label,) in rows(rankdcg_sql.history(path).runs, "label")]
    assert sorted(labels) == [f"{one}.{number}" for one in range(4) for number in range(5)]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_process_that_is_killed_leaves_the_old_file_and_no_lock(tmp_path: Path) -> None:
    path = history_of(tmp_path / "history.parquet", 50)
    before = path.read_bytes()
    script = f"import os, signal\nos.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n{APPENDS}"
    assert process.run(script, str(path), "0").returncode == -signal.SIGKILL
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 3  # the lock and the new file are left
    of_others = [tmp_path / f".{name}.parquet" for name in ("history.parquet.rankdcg_sql-mine", "history")]
    for other in of_others:
        other.touch()
    history_of(path, 60)
    assert rows(rankdcg_sql.history(path).runs, "mean") == [(0.5,), (0.6,)]
    assert {*tmp_path.iterdir()} == {path, *of_others}


def test_an_error_while_writing_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = history_of(tmp_path / "history.parquet", 50)

    def full(*_: Any) -> None:
        raise OSError("no space left on the device")

    monkeypatch.setattr(os, "replace", full)
    assert isinstance(refusal(path, "cannot be written: no space left"), OSError)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="the lock of Windows is another call")
def test_a_lock_that_stays_held_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    monkeypatch.setattr(_history_file, "_PATIENCE", 0.1)
    path, lock = history_of(tmp_path / "history.parquet", 50), tmp_path / ".history.parquet.lock"
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        error = refusal(path, "another process has held")
    assert isinstance(error, OSError)
    assert str(error) == f"append: another process has held {str(lock)!r} for 0 seconds"


@pytest.mark.parametrize("content", ["mine", ""])
def test_a_file_of_others_with_the_name_of_the_lock_stays(tmp_path: Path, content: str) -> None:
    lock = tmp_path / ".history.parquet.lock"
    lock.write_text(content)
    history_of(tmp_path / "history.parquet", 50, 60)
    assert lock.read_text() == content


# columns of others, locks and rights

OTHERS = {
    "uuid": "'550e8400-e29b-41d4-a716-446655440000'::UUID",
    "json": "'{\"a\": 1}'::JSON",
    "time with zone": "'10:00:00+00'::TIMETZ",
    "decimal": "1.10::DECIMAL(10, 2)",
    "small": "3::UTINYINT",
    "bytes": "'\\x00'::BLOB",
    "nested": "[{'a': 1::SMALLINT, 'b': MAP {'x': DATE '2026-01-01'}}]",
    "nanoseconds": "'2026-01-01 00:00:00.123456789'::TIMESTAMP_NS",
}


def test_columns_of_others_keep_their_types_and_values(tmp_path: Path) -> None:
    path, old = tmp_path / "history.parquet", history_of(tmp_path / "before.parquet", 50)
    columns = ", ".join(f'{value} AS "{name}"' for name, value in OTHERS.items())
    metadata = "KV_METADATA {owner: 'me', raw: '\\xFF'::BLOB}"
    duckdb.sql(f"COPY (SELECT *, {columns} FROM '{old}') TO '{path}' (FORMAT parquet, {metadata})")
    named = ", ".join(f'"{name}"' for name in OTHERS)

    def described() -> tuple[list[Any], ...]:
        return (
            duckdb.sql(f"DESCRIBE SELECT {named} FROM '{path}'").fetchall(),
            duckdb.sql(f"SELECT {named} FROM '{path}' WHERE label = 'v1'").fetchall(),
            duckdb.sql(f"SELECT key, value FROM parquet_kv_metadata('{path}') ORDER BY key").fetchall(),
        )

    before = described()
    history_of(path, 60, labels=["new"])
    assert described() == before
    assert rows(rankdcg_sql.history(path).runs, "label, uuid IS NULL") == [("v1", False), ("new", True)]


def test_metadata_of_pyarrow_is_kept(tmp_path: Path) -> None:
    path = history_of(tmp_path / "history.parquet", 50)
    table = pq.read_table(path).append_column("team", pa.array(["a"]).dictionary_encode())
    for kind in (pa.int64(), pa.int32(), pa.uint32()):
        table = table.append_column(str(kind), pa.array([7], kind))
    pq.write_table(table.replace_schema_metadata({"owner": "me"}), path)
    history_of(path, 60)
    found = pq.read_table(path)
    assert found.select(["int64", "int32", "uint32"]).to_pylist()[0] == {"int64": 7, "int32": 7, "uint32": 7}
    assert (found.schema.metadata[b"owner"], found.schema.field("team").type) == (
        b"me",
        pa.dictionary(pa.int32(), pa.string()),
    )
    assert found["team"].to_pylist() == ["a", None]


@pytest.mark.parametrize("ending", ENDINGS)
def test_files_that_an_append_would_change_stay(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"history{ending}"
    table = pq.read_table(history_of(tmp_path / "before.parquet", 50))
    tenth, half = (
        table.set_column(table.schema.get_field_index(name), name, pa.array([number]))
        for name, number in (("k", 10.7), ("n", 99.5))
    )
    lacking = table.drop_columns(["label"])
    for wrong, message in (
        (table.append_column("label", pa.array(["x"])), "it has 2 columns 'label'"),
        (table.append_column("Label", pa.array(["x"])), "it has 2 columns 'label'"),
        (lacking, "it lacks the column label"),
        (lacking.drop_columns(["k"]), "it lacks the column label and 1 other"),
        (pa.table({name: ["x"] for name in _history_file.REQUIRED}), ""),
        (tenth, r"k must be a whole number, got 10\.7.*"),
        (half, r"n must be a whole number, got 99\.5.*"),
    ):
        (pa_csv.write_csv if ending == ".csv" else pq.write_table)(wrong, path)
        assert_refused(path, message)


@pytest.mark.parametrize("kind", [pa.binary(3), pa.float16(), pa.timestamp("ms")], ids=str)
def test_a_type_that_would_change_is_refused(tmp_path: Path, kind: pa.DataType) -> None:
    path = history_of(tmp_path / "history.parquet", 50)
    pq.write_table(pq.read_table(path).append_column("other", pa.nulls(1, kind)), path)
    refusal(path, "the file stays as it is: it has a column with a type")


def test_threads_append_one_result(tmp_path: Path) -> None:
    path, result = tmp_path / "history.parquet", recall(50)
    with ThreadPoolExecutor(8) as threads:
        for done in [threads.submit(result.append, path, f"run {number}") for number in range(8)]:
            done.result()
    assert len(rankdcg_sql.history(path).runs) == 8


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no FIFO, and asks for rights to make links")
@pytest.mark.parametrize("kind", ["link", "dangling", "fifo", "folder"])
def test_a_lock_follows_no_link_and_stays_if_it_is_of_others(tmp_path: Path, kind: str) -> None:
    path = history_of(tmp_path / "history.parquet", 50)
    lock, far = tmp_path / ".history.parquet.lock", tmp_path / "far"
    if kind == "fifo":
        os.mkfifo(lock)
    elif kind == "folder":
        lock.mkdir()
    else:
        lock.symlink_to(far)
        if kind == "link":
            far.write_bytes(b"")
    refusal(path, r"lock' is no file, and an append needs the name")
    assert os.path.lexists(lock)
    assert far.exists() == (kind == "link")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no rights in this form")
def test_nobody_else_can_read_a_private_history_in_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file that is made beside the history has its rights, from before it has any content."""
    path = history_of(tmp_path / "history.parquet", 50)
    path.chmod(0o600)
    modes: list[int] = []
    copy = shutil.copyfileobj

    def watched(*given: Any) -> None:
        modes.extend(each.stat().st_mode & 0o777 for each in tmp_path.glob("*.parquet"))
        copy(*given)

    monkeypatch.setattr(shutil, "copyfileobj", watched)
    history_of(path, 60)
    assert modes == [0o600, 0o600]
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_a_history_keeps_its_owner(tmp_path: Path) -> None:
    path = history_of(tmp_path / "history.parquet", 50)
    os.chown(path, 12345, 12346)
    history_of(path, 60)
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 12346)


# the changes


def test_changes_are_against_the_previous_run_the_first_one_or_a_label(tmp_path: Path) -> None:
    path = history_of(tmp_path / "history.parquet", 50, 52, 80, labels=["a", "b", "b"])
    between = DAY + timedelta(days=1, hours=1)
    recall(70).append(path, "late", between)  # the order of time counts, and not that of the file
    expected = {
        "previous": [None, (0.5, "a"), (0.52, "b"), (0.7, "late")],
        "first": [None, (0.5, "a"), (0.5, "a"), (0.5, "a")],
        "a": [None, (0.5, "a"), (0.5, "a"), (0.5, "a")],
        "b": [(0.8, "b"), (0.8, "b"), (0.8, "b"), None],  # the latest of two runs
    }
    means = [0.5, 0.52, 0.7, 0.8]
    for against, others in expected.items():
        found = rows(rankdcg_sql.history(path, against).changes, "mean, difference, against_label")
        assert found == [
            (mean, *((None, None) if other is None else (pytest.approx(mean - other[0]), other[1])))
            for mean, other in zip(means, others, strict=True)
        ], against


def test_runs_at_the_same_time_are_in_the_order_of_the_file_and_apart_by_their_labels(tmp_path: Path) -> None:
    path = tmp_path / "history.csv"
    for hits in (50, 20, 90):
        recall(hits).append(path, "v1", DAY)
    found = rankdcg_sql.history(path)
    assert rows(found.changes, "mean, round(difference, 9)") == [(0.5, None), (0.2, -0.3), (0.9, 0.7)]
    recall(50).append(path, "v2", DAY)
    assert rankdcg_sql.history(path).headline() == "History of 2 runs, each against the previous run"


def graded(path: Path, metrics: Any, **options: Any) -> None:
    """Append an evaluation of three users with relevances, of whom two find their item."""
    truth = {1: {"a": 1}, 2: {"b": 2}, 3: {"c": 3}}
    rec = {1: {"a": 1}, 2: {"a": 1}, 3: {"c": 1}}
    rankdcg_sql.evaluate(truth, rec, **{"k": 1, "metrics": metrics} | options).append(path)


@pytest.mark.parametrize(
    "other", [{"min_rel": 2}, {"users": "both"}, {"confidence": 0.9}, {"interval": "bootstrap"}, {"k": 2},
              {"metrics": "precision"}]
)  # fmt: skip
def test_runs_with_other_settings_are_not_compared(tmp_path: Path, other: dict[str, Any]) -> None:
    path = tmp_path / "history.parquet"
    for options in ({}, {}, other):
        graded(path, **{"metrics": "recall"} | options)
    found = rows(rankdcg_sql.history(path).changes, "difference")
    assert sorted(found, key=str) == [(0.0,), (None,), (None,)]


def test_segments_and_systems_are_compared_with_their_own() -> None:
    free, paid = ('{"plan":"free"}', '{"plan":"paid"}')
    means = [(mean, mean - 0.1, mean + 0.1) for mean in (0.2, 0.8, 0.3, 0.7)]
    for names in ({"segment": [free, paid] * 2}, {"system": ["a", "b"] * 2}):
        found = rows(summaries(*means, **names).changes, "mean, round(difference, 6)")
        assert found == [(0.2, None), (0.3, 0.1), (0.8, None), (0.7, -0.1)]


def test_options_in_another_order_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "history.csv"
    for options in ({"min_rel": 2, "gain": "linear"}, {"gain": "linear", "min_rel": 2}):
        graded(path, ["ndcg", "recall"], **options)
    found = rankdcg_sql.history(path)
    # Each measure has its runs below each other, in the order of the file.
    assert rows(found.changes, "metric, difference") == [
        ("ndcg", None), ("ndcg", 0.0), ("recall", None), ("recall", 0.0),
    ]  # fmt: skip
    assert set(rows(found.runs, "options")) == {("gain=linear,min_rel=2",)}


@pytest.mark.parametrize("interval", ["t", "bootstrap"])
def test_the_interval_of_a_change_is_that_of_zou_and_donner(interval: str) -> None:
    chance = np.random.default_rng(3)
    means = chance.uniform(0.2, 0.8, 50)
    below, above = chance.uniform(0, 0.1, (2, 50))
    above = below if interval == "t" else above
    found = summaries(*zip(means, means - below, means + above, strict=True), interval=interval)
    columns = "difference, difference_low, difference_high, is_significant"
    for place, row in enumerate(rows(found.changes, columns)[1:], start=1):
        m1, m2 = means[place - 1 : place + 1]
        (l1, u1), (l2, u2) = ((means[i] - below[i], means[i] + above[i]) for i in (place - 1, place))
        low = m2 - m1 - np.sqrt((m2 - l2) ** 2 + (u1 - m1) ** 2)
        high = m2 - m1 + np.sqrt((u2 - m2) ** 2 + (m1 - l1) ** 2)
        assert row[:3] == pytest.approx((m2 - m1, low, high), abs=1e-12)
        assert row[3] == (low > 0 or high < 0)


def test_an_end_that_stops_at_the_limit_is_as_far_away_as_the_other() -> None:
    found = summaries((0.02, 0.0, 0.05), (0.06, 0.02, 0.1))
    (_, (low, high)) = rows(found.changes, "difference_low, difference_high")
    assert (low, high) == pytest.approx((0.04 - 0.05, 0.04 + 0.05))  # 0.03 and 0.04 at right angles are 0.05


def share_of_significant(a: np.ndarray, b: np.ndarray) -> float:
    """The share of significant changes from `a` to `b`, whose rows are the users of one experiment each."""

    def intervals(values: np.ndarray) -> np.ndarray:
        mean = values.mean(axis=1)
        users = values.shape[1]
        half = stats.t.ppf(0.975, users - 1) * values.std(axis=1, ddof=1) / np.sqrt(users)
        share = 0.025 ** (1 / users)
        of_range = mean * share, 1 - (1 - mean) * share
        ends = np.where(are_equal(values), of_range, np.clip([mean - half, mean + half], 0, 1))
        return np.array([mean, *ends])

    def are_equal(values: np.ndarray) -> np.ndarray:
        return values.min(axis=1) == values.max(axis=1)

    kinds = np.where(np.stack([are_equal(a), are_equal(b)], axis=1).ravel(), "range", "t")
    means = np.stack([intervals(a), intervals(b)], axis=2).reshape(3, -1).T
    experiments = [f"{number}" for number in range(len(a)) for _ in range(2)]
    changes = summaries(*means, system=experiments, interval_by=kinds.tolist()).changes
    found = changes.filter("is_significant IS NOT NULL")
    assert len(found) == EXPERIMENTS
    (share,) = rows(found, "avg(is_significant::INTEGER) OVER ()")[0]
    return float(share)


def ndcg(chance: np.random.Generator, users: int, hits: float) -> np.ndarray:
    """NDCG of one relevant item for each user: 0, or the discount of one of ten ranks."""
    values = np.concatenate([[0.0], 1 / np.log2(np.arange(2, 12))])
    return chance.choice(values, (EXPERIMENTS, users), p=[1 - hits, *[hits / 10] * 10])


@pytest.mark.parametrize(
    ("users", "hits", "share_of_other_users", "most"),
    [
        (50, 0.4, 1, 0.06), (500, 0.4, 1, 0.06), (5000, 0.4, 1, 0.06),
        (50, 0.05, 1, 0.06),  # few users have a hit: ends of many intervals stop at 0
        (500, 0.4, 0.3, 0.01),  # rarer for the same users
    ],
)  # fmt: skip
def test_false_alarms_are_as_rare_as_promised(
    users: int, hits: float, share_of_other_users: float, most: float
) -> None:
    """Two runs of equal quality. The standard deviation of a rate is 0.007."""
    chance = np.random.default_rng(users)
    before, after = ndcg(chance, users, hits), ndcg(chance, users, hits)
    are_others = chance.random(before.shape) < share_of_other_users
    assert share_of_significant(before, np.where(are_others, after, before)) <= most


# what people see


def test_the_text_names_runs_changes_and_chance(tmp_path: Path) -> None:
    found = rankdcg_sql.history(history_of(tmp_path / "history.csv", 50, 52, 80))
    lines = repr(found).splitlines()
    assert lines[0] == "History of 3 runs, each against the previous run"
    assert lines[1] == (
        "- 1 of 2 changes is significant (*): the 95% interval of the difference excludes 0. "
        "Chance alone marks about 0.1 of 2"
    )
    assert lines[2].startswith("- a change without a mark may be real, too: ")
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines if "│" in line]
    assert cells[0] == ["run at", "label", "measure", "mean", "change", "n", "interval of mean"]
    assert cells[1:] == [
        ["2026-03-01", "v1", "recall@1", "0.5000", "", "100", "0.4003 to 0.5997"],
        ["2026-03-02", "v2", "recall@1", "0.5200", "+0.0200", "100", "0.4204 to 0.6196"],
        ["2026-03-03", "v3", "recall@1", "0.8000", "+0.2800 *", "100", "0.7202 to 0.8798"],
    ]
    assert "+0.2800 *" in found._repr_html_()
    with (tmp_path / "history.csv").open(encoding="utf-8") as file:
        times = [line.partition(",")[0] for line in file]
    assert times == ["run_at", *(f"2026-03-0{day}T12:30:15.123456Z" for day in (1, 2, 3))]
    again = pickle.loads(pickle.dumps(found))
    assert repr(again) == repr(found)


def test_times_are_shown_if_two_runs_are_of_one_day() -> None:
    shown = runs_of(2, timedelta(hours=1), "recall").shown("table").rows
    assert [row[0] for row in shown] == ["2026-03-01 12:30", "2026-03-01 13:30"]


@pytest.mark.parametrize(
    ("label", "width", "columns"),
    [
        ("v1", 80, [["mean", "change", "n", "interval of mean"]]),
        ("of the personalised list", 80, [["mean", "change", "n"], ["interval of mean"]]),
        ("of the personalised list", 120, [["mean", "change", "n", "interval of mean"]]),
    ],
)
def test_a_narrow_table_has_means_and_changes_together(
    tmp_path: Path, label: str, width: int, columns: list[list[str]]
) -> None:
    found = rankdcg_sql.history(history_of(tmp_path / "history.csv", 50, 80, labels=[label, label]))
    lines = found.render("table", width=width).splitlines()
    assert max(map(len, lines)) <= width
    heads = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines if "run at" in line]
    assert heads == [["run at", "label", "measure", *part] for part in columns]


def test_settings_are_shown_if_they_differ(tmp_path: Path) -> None:
    path = history_of(tmp_path / "history.csv", 50, labels=[None])
    recall(50, confidence=0.9).append(path)
    shown = rankdcg_sql.history(path).shown("table").columns
    assert shown == ["run at", "confidence", "measure", "mean", "change", "n", "interval of mean"]
    assert "no two runs have the same measure" in repr(rankdcg_sql.history(path))
    replace(recall(50, interval="bootstrap", min_rel=1), users="both").append(path)
    found = rankdcg_sql.history(path).shown("table")
    assert found.columns[1:-5] == ["users", "interval", "confidence", "options"]
    assert [row[1:5] for row in found.rows] == [
        ("truth", "t", "0.95", ""), ("truth", "t", "0.9", ""), ("both", "bootstrap", "0.95", "min_rel=1"),
    ]  # fmt: skip
    numbers = [name for name, is_number in zip(found.columns, found.numeric, strict=True) if is_number]
    assert (numbers, found.heads) == (["confidence", "mean", "change", "n"], 6)


def test_notes_count_changes_of_several_levels_and_means_that_are_not_compared() -> None:
    times = pa.array([DAY, *[DAY + timedelta(days=1)] * 3], pa.timestamp("us", "UTC"))
    of_two_runs = summaries(*[(0.5, 0.4, 0.6)] * 4, run_at=times, system=["a", "a", "b", "c"])
    assert of_two_runs.notes()[-1].startswith("2 means of the last run are not compared: there is no interv")
    means = [(mean, mean - 0.01, mean + 0.01) for mean in (0.2, 0.4, 0.6, 0.2, 0.2, 0.4)]
    found = summaries(*means, confidence=[0.9] * 3 + [0.95] * 3)
    assert found.notes()[0] == (
        "3 of 4 changes are significant (*): the interval of the difference excludes 0. "
        "Chance alone marks about 0.3 of 4"
    )
    many = summaries(*means[:2] * 1000, confidence=[0.95] * 2000)
    assert many.notes()[0].endswith("Chance alone marks about 100 of 1,999")
    one_level = summaries(*means[:3], confidence=[0.9] * 3)
    assert one_level.notes()[0] == (
        "2 of 2 changes are significant (*): the 90% interval of the difference excludes 0. "
        "Chance alone marks about 0.2 of 2"
    )
    now = pa.array([DAY] * 2, pa.timestamp("us", "UTC"))
    assert summaries(*means[:2], run_at=now, system=["a", "b"]).headline() == (
        "History of 1 run, each against the previous run"
    )


@pytest.mark.parametrize(
    ("segment", "words"),
    [
        (None, "all users"),
        ('{"plan":"free"}', "plan=free"),
        ('{"plan":null,"a \\"b":1}', 'plan=NULL, a "b=1'),
        ("France", "France"),
        ('["France"]', '["France"]'),
    ],
)
def test_segments_are_in_words(segment: str | None, words: str) -> None:
    assert _history_file.segment_in_words(segment) == words


def test_segments_of_several_columns_stay_apart_and_are_named(tmp_path: Path) -> None:
    path = tmp_path / "history.parquet"
    plans = {"userid": range(100), "plan": ["free", None] * 50, "country": ["FR"] * 50 + ["DE"] * 50}
    recall(50, segments=plans, by=["plan", "country"]).append(path)
    found = rankdcg_sql.history(path)
    segments = [json.loads(each) for (each,) in rows(found.runs, "segment") if each]
    expected = [{"plan": plan, "country": country} for plan in ("free", None) for country in ("DE", "FR")]
    assert sorted(segments, key=str) == sorted(expected, key=str)
    shown = found.shown("table")
    at = shown.columns.index("segment")
    named = {f"plan={plan}, country={country}" for plan in ("free", "NULL") for country in ("DE", "FR")}
    assert {row[at] for row in shown.rows} == {*named, "all users"}


def test_frames_are_the_changes(tmp_path: Path) -> None:
    found = rankdcg_sql.history(history_of(tmp_path / "history.parquet", 50, 80))
    expected = rows(found.changes, "mean, difference, is_significant")
    assert found.to_polars().select("mean", "difference", "is_significant").rows() == expected
    assert found.to_arrow().select(["mean", "difference", "is_significant"]).to_pylist() == [
        dict(zip(("mean", "difference", "is_significant"), row, strict=True)) for row in expected
    ]
    assert found.to_pandas()["mean"].tolist() == [0.5, 0.8]
    assert [row["mean"] for row in json.loads(found.render("json"))] == [0.5, 0.8]
    with pytest.raises(ValueError, match=r"^render: output must be 'table' or 'csv' or .*, got 'xml'$"):
        found.render("xml")  # type: ignore[arg-type]


def test_measures_are_chosen_by_any_of_their_names(tmp_path: Path) -> None:
    path = tmp_path / "history.parquet"
    results.evaluation(users=50, k=[5, 10, None]).append(path)
    for asked, expected in {
        "ndcg@10": {("ndcg", 10)},
        "ndcg": {("ndcg", 5), ("ndcg", 10), ("ndcg", None)},
        "P@all": {("precision", None)},
        "rankdcg": {("rankdcg", None)},
    }.items():
        assert set(rows(rankdcg_sql.history(path, metrics=asked).runs, "metric, k")) == expected
    several = rankdcg_sql.history(path, metrics=["ndcg@5", "rankdcg"]).runs
    assert set(rows(several, "metric, k")) == {("ndcg", 5), ("rankdcg", None)}


def test_an_error_about_a_label_names_few(tmp_path: Path) -> None:
    path = history_of(tmp_path / "history.csv", *[50] * 9)
    with pytest.raises(ValueError, match="against must be ") as caught:
        rankdcg_sql.history(path, "v0")
    latest = " or ".join(f"'v{day}'" for day in range(9, 3, -1))
    told = f"against must be 'previous' or 'first' or {latest} or one of 3 others, got 'v0'"
    assert str(caught.value) == f"history: {told}"


def test_drops_are_those_of_the_last_run(tmp_path: Path) -> None:
    path = history_of(tmp_path / "history.parquet", 80, 50, 48)
    # The second run fell, not the last.
    assert rows(rankdcg_sql.history(path).drops, "label") == rankdcg_sql.history(path).drops_in_words() == []
    fallen = rankdcg_sql.history(path, "v1")
    drop = ("v3", "v1", -0.32, True)
    assert rows(fallen.drops, "label, against_label, round(difference, 2), is_significant") == [drop]
    assert fallen.drops_in_words() == [
        "recall@1: 0.4800 in run v3 is significantly below 0.8000 in run v1 "
        "(95% interval of the difference -0.4476 to -0.1924)"
    ]
    history_of(tmp_path / "rise.parquet", 50, 80)
    assert rows(rankdcg_sql.history(tmp_path / "rise.parquet").drops, "label") == []
    # Drops name systems, segments and runs without a label, too.
    means = ((0.8, 0.7, 0.9), (0.2, 0.1, 0.3))
    found = summaries(*means, system=["new"] * 2, segment=['{"plan":"free"}'] * 2, confidence=[0.9] * 2)
    assert found.drops_in_words() == [
        "new: ndcg@10 in plan=free: 0.2000 in the run of 2026-03-01 13:30 is significantly below 0.8000 in "
        "the run of 2026-03-01 12:30 (90% interval of the difference -0.7414 to -0.4586)"
    ]


def test_a_last_run_without_a_mean_is_told(tmp_path: Path) -> None:
    path = history_of(tmp_path / "history.parquet", 50)
    assert rankdcg_sql.history(path).unknown_in_words() == []
    of_nobody().append(path, "v2", DAY + timedelta(days=1))
    found = rankdcg_sql.history(path)
    assert found.drops.fetchall() == []
    assert found.unknown_in_words() == ["recall@1: no user has a value in run v2, so a drop is not excluded"]
    plan, now = ['{"plan":"free"}', None], pa.array([DAY] * 2, pa.timestamp("us", "UTC"))
    nothing: Any = (None, None, None)
    of_segments = summaries(nothing, nothing, run_at=now, segment=plan, system=["new"] * 2)
    assert of_segments.unknown_in_words() == [
        f"new: ndcg@10{where}: no user has a value in the run of 2026-03-01 12:30, so a drop is not excluded"
        for where in (" in plan=free", "")
    ]
    assert of_segments.notes() == ["no two runs have the same measure and settings, with intervals"]
    history_of(path, 50, labels=["v3"])  # an older run
    assert found.unknown_in_words() == rankdcg_sql.history(path).unknown_in_words()


def test_a_label_may_have_any_characters_and_a_thousand(tmp_path: Path) -> None:
    path = history_of(tmp_path / "history.csv", 50, 80, labels=["it's <b>", None])
    found = rankdcg_sql.history(path, "it's <b>")
    assert rows(found.changes, "against_label, round(difference, 6)") == [(None, None), ("it's <b>", 0.3)]
    assert found.headline() == 'History of 2 runs, each against run "it\'s <b>"'
    assert "<b>" not in found._repr_html_()
    assert "it&#x27;s &lt;b&gt;" in found._repr_html_()
    # A run without a label is none to choose from.
    with pytest.raises(ValueError, match=r"must be 'previous' or 'first' or \"it's <b>\", got 'v9'$"):
        rankdcg_sql.history(path, "v9")
    recall(50).append(path, "x" * 1000)
    assert rankdcg_sql.history(path, "x" * 1000).headline().endswith(f"against run '{'x' * 1000}'")


def drawn(found: History, *measures: str) -> Any:
    """The figure of a history, with the places of its texts."""
    pytest.importorskip("matplotlib")
    figure: Any = found.plot(*measures)
    figure.draw_without_rendering()
    return figure


def labels_below(axes: Any) -> list[str]:
    return [label.get_text() for label in axes.get_xticklabels()]


def runs_of(
    count: int, step: timedelta, *metrics: str, start: datetime = DAY, **columns: list[Any]
) -> History:
    """A history of runs with equal means, a step apart."""
    times = [start + number * step for number in range(count)] * len(metrics)
    columns = {name: values * len(metrics) for name, values in columns.items()}
    names = [metric for metric in metrics for _ in range(count)]
    at = pa.array(times, pa.timestamp("us", "UTC"))
    return summaries(*[(0.5, 0.4, 0.6)] * len(times), metric=names, run_at=at, **columns)


@pytest.mark.parametrize("metrics", [["recall"], ["recall", "precision", "ndcg", "mrr"]])
@pytest.mark.parametrize("step", [timedelta(minutes=9), timedelta(hours=7), timedelta(days=1), timedelta(30)])
def test_labels_of_times_are_apart(metrics: list[str], step: timedelta) -> None:
    for axes in drawn(runs_of(30, step, *metrics)).axes:
        low, high = axes.get_xlim()
        labels = [
            tick.label1.get_window_extent()
            for tick in axes.xaxis.get_major_ticks()
            if low <= tick.get_loc() <= high
        ]
        assert len(labels) >= 2
        assert all(one.x1 + 4 < other.x0 for one, other in pairwise(labels))


@pytest.mark.parametrize(
    ("labels", "step", "shown"),
    [
        (["v1", "v2", "v3"], timedelta(milliseconds=8), ["v1", "v2", "v3"]),
        ([None, None, None], timedelta(seconds=2), ["00:00:00", "00:00:02", "00:00:04"]),
        ([None, "with $a$", None], timedelta(days=1), ["29 Mar 00:00", r"with \$a\$", "31 Mar 00:00"]),
    ],
)
def test_runs_have_their_labels_below_the_plot(
    labels: list[str | None], step: timedelta, shown: list[str]
) -> None:
    """An axis of time would have numbers such as 33.70 for runs within a second."""
    start = datetime(2026, 3, 29, tzinfo=timezone.utc)
    figure = drawn(runs_of(3, step, "recall", "precision", "ndcg", "mrr", start=start, label=labels))
    assert len(figure.axes) == 4
    for axes in figure.axes:
        assert labels_below(axes) == shown
        assert axes.xaxis.get_offset_text().get_text() == ""
        assert axes.lines[0].get_xdata().tolist() == [0, 1, 2]


def test_many_labels_of_runs_are_apart() -> None:
    labels = [f"release {number}" for number in range(30)]
    (axes,) = drawn(runs_of(30, timedelta(days=1), "recall", label=labels)).axes
    assert 6 <= len(labels_below(axes)) <= 12
    assert labels_below(axes)[-1] == "release 29"


def test_systems_with_names_that_begin_alike_are_both_in_the_legend() -> None:
    names = [f"the personalised list of the spring, {number}" for number in (1, 2)]
    figure = drawn(summaries(*[(0.5, 0.4, 0.6)] * 2, system=names))
    assert len(figure.legends[0].get_texts()) == 2


def test_days_of_a_plot_have_their_month() -> None:
    (axes,) = drawn(runs_of(30, timedelta(days=1), "recall", start=DAY + timedelta(days=10))).axes
    assert {label.split()[1] for label in labels_below(axes)} == {"Mar", "Apr"}
    assert axes.xaxis.get_offset_text().get_text() == "2026"


def test_the_plot_shows_means_and_marks_significant_changes(tmp_path: Path) -> None:
    path = history_of(tmp_path / "history.csv", 50, 52, 80)
    history_of(path, 10, metrics="precision")
    found = rankdcg_sql.history(path)
    figure = drawn(found)
    axes = {each.get_title(loc="left"): each for each in figure.axes}
    assert set(axes) == {"recall@1", "precision@1"}
    line, ring = axes["recall@1"].lines
    assert line.get_ydata().tolist() == [0.5, 0.52, 0.8]
    assert ring.get_ydata().tolist() == [0.8]
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["differs significantly from the previous run"]
    (single,) = drawn(found, "precision").axes
    assert single.lines[0].get_ydata().tolist() == [0.1]
    with pytest.raises(ValueError, match="there is no measure 'ndcg', but precision@1, recall@1"):
        found.plot("ndcg")


# intervals at all looks


def test_intervals_at_all_looks_are_those_of_the_levels_that_are_left() -> None:
    n = [100, 40, 7, 250]
    chance = np.random.default_rng(8)
    means, reach = chance.uniform(0.4, 0.6, 4), chance.uniform(0.01, 0.05, 4)
    found = summaries(*zip(means, means - reach, means + reach, strict=True), n=n, confidence=[0.9] * 4)
    columns = "look, anytime_low, anytime_high, difference, anytime_difference_low, anytime_difference_high"
    for place, row in enumerate(rows(replace(found, anytime=True).changes, columns)):
        tail = 0.1 / (place + 1) / (place + 2) / 2

        def widened(at: int, tail: float = tail) -> float:
            quantile = stats.t(n[at] - 1).isf
            return float(reach[at] * quantile(tail) / quantile(0.05))

        assert row[0] == place + 1
        ends = max(0, means[place] - widened(place)), min(1, means[place] + widened(place))
        assert row[1:3] == pytest.approx(ends, abs=1e-9)
        if place:
            difference, half = means[place] - means[place - 1], np.hypot(widened(place), widened(place - 1))
            assert row[3:] == pytest.approx((difference, difference - half, difference + half), abs=1e-9)


def test_an_interval_at_all_looks_is_as_wide_without_a_limit_and_none_without_a_usual_one() -> None:
    ends, none = (0.5, 0.4, 0.6), (0.5, None, None)
    runs: Any = [ends, none, ends]
    n, metrics = [50] * 3, [["ndcg"] * 3, ["dcg"] * 3, ["of_others"] * 3]
    of_ndcg, *of_others = (
        rows(replace(summaries(*runs, n=n, metric=metric), anytime=True).changes, "anytime_low, anytime_high")
        for metric in metrics
    )
    assert of_ndcg[1] == (None, None)
    assert of_others == [of_ndcg, of_ndcg]
    assert of_ndcg[0][1] > 0.61


def test_equal_values_have_an_interval_at_all_looks(tmp_path: Path) -> None:
    found = rankdcg_sql.history(history_of(tmp_path / "history.parquet", 100, 100, 0), anytime=True)
    # At look t, all of 100 users have the value 1 with a probability of 0.05 / t / (t + 1) / 2, or more.
    ends = [(0.0125 ** (1 / 100), 1.0), ((0.05 / 12) ** (1 / 100), 1.0), (0.0, 1 - (0.05 / 24) ** (1 / 100))]
    for row, expected in zip(rows(found.changes, "anytime_low, anytime_high"), ends, strict=True):
        assert row == pytest.approx(expected, abs=1e-12)
    assert rows(found.changes, "anytime_is_significant") == [(None,), (False,), (True,)]


#: Runs of one measure, and the number of histories of them.
LOOKS, HISTORIES = 1000, 200


def errors_in_any_run(values: np.ndarray, n: np.ndarray) -> dict[str, float]:
    """The shares of histories in which any interval misses what it is of, keyed by the name of its ends.

    `values` has the mean and the standard deviation of each run, and `n` the number of its users. The true
    mean is 0.5 in each run.
    """
    mean, deviation = values
    half = stats.t(n - 1).isf(0.025) * deviation / np.sqrt(n)
    runs = np.stack([mean, mean - half, mean + half]).reshape(3, -1).T
    number = len(mean)
    table = summaries(
        *map(tuple, runs), system=[f"{each}" for each in range(number) for _ in range(LOOKS)],
        n=np.broadcast_to(n, mean.shape).ravel().tolist(),
    ).table  # fmt: skip
    changes = History("first", table, anytime=True).changes
    wrong = {f"{start}": f"NOT (0.5 BETWEEN {start}low AND {start}high)" for start in ("", "anytime_")}
    wrong |= {f"{start}difference": f"{start}is_significant" for start in ("", "anytime_")}
    counted = ", ".join(f"bool_or({condition})::INTEGER" for condition in wrong.values())
    found = np.array(changes.aggregate(f"system, {counted}").fetchall())[:, 1:].astype(int)
    assert len(found) == number
    return dict(zip(wrong, found.mean(axis=0), strict=True))


@pytest.mark.parametrize("users", ["others in each run", "the same in each run", "more in each run"])
def test_intervals_at_all_looks_hold_over_a_thousand_looks(users: str) -> None:
    """Values are 0 or 1. The standard deviation of a rate of 5% is 1.5%."""
    chance, n = np.random.default_rng(5), np.full(LOOKS, 400)
    if users == "others in each run":
        hits = chance.binomial(n, 0.5, (HISTORIES, LOOKS))
    elif users == "the same in each run":  # a third of 400 users have another value in each run
        hits = chance.binomial(267, 0.5, (HISTORIES, 1)) + chance.binomial(133, 0.5, (HISTORIES, LOOKS))
    else:
        n = 30 + 20 * np.arange(LOOKS)
        steps = chance.binomial(np.diff(n, prepend=0), 0.5, (HISTORIES, LOOKS))
        hits = steps.cumsum(axis=1)
    mean = hits / n
    deviation = np.sqrt(mean * (1 - mean) * n / (n - 1))
    found = errors_in_any_run(np.stack([mean, deviation]), n)
    assert found["anytime_"] <= 0.05 + 2.6 * 0.015 >= found["anytime_difference"]
    # The usual intervals are for a single look. Those of differences are too wide for the same users.
    assert found[""] > 0.3
    assert found["difference"] > 0.3 or users != "others in each run"


def test_a_change_may_be_significant_for_a_single_look_alone(tmp_path: Path) -> None:
    path = history_of(tmp_path / "history.parquet", 62, 60, 46)
    usual, anytime = (rankdcg_sql.history(path, anytime=each) for each in (False, True))
    assert (
        rows(usual.changes, "is_significant")[-1]
        == (True,)
        != rows(anytime.changes, "anytime_is_significant")[-1]
    )
    assert usual.drops_in_words()[0].startswith("recall@1: 0.4600 in run v3 is significantly below 0.6000")
    assert anytime.drops_in_words() == rows(anytime.drops, "label") == []
    assert rows(anytime.changes, "is_significant") == rows(usual.changes, "is_significant")
    assert "+" not in repr(anytime)
    assert anytime.notes()[0] == (
        "0 of 2 changes are significant (*): the 95% anytime interval of the difference excludes 0. Chance "
        "alone marks any change of a measure with a probability of at most 5%, however many runs there are"
    )
    history_of(path, 20, labels=["v4"])  # as old as v1
    fallen = rankdcg_sql.history(history_of(tmp_path / "other.parquet", 62, 20), anytime=True)
    assert "(95% anytime interval of the difference -0.5" in fallen.drops_in_words()[0]
    assert fallen.of("of", "recall").drops_in_words() == fallen.drops_in_words()
    assert pickle.loads(pickle.dumps(fallen)).notes() == fallen.notes()


def test_rows_of_others_have_no_interval_at_all_looks() -> None:
    row = (0.5, 0.4, 0.6)
    odd = {"n": [None, 0, 1, 50, 50, 50], "confidence": [0.95, 0.95, 0.95, 0.0, 1.0, math.nan]}
    found = replace(summaries(*[row] * 6, metric=["of_others"] * 6, **odd), anytime=True)
    assert rows(found.changes, "anytime_low, anytime_is_significant") == [(None, None)] * 6
    # A gate does not open because a number of users is missing.
    fallen = replace(summaries((0.9, 0.8, 0.95), (0.1, 0.05, 0.2), n=[50, None]), anytime=True)
    assert rows(fallen.drops, "mean") == [(0.1,)]
    assert "is significantly below 0.9000" in fallen.drops_in_words()[0]
