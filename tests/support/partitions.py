"""Tasks and rows of a worker of Spark, and the metrics and reports of its partitions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from rankdcg_sql.evaluation._tables.columns import Columns
from rankdcg_sql.evaluation._terms.plan import make_plan
from rankdcg_sql.spark._partition import Task, evaluate_partition

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def task(
    reports: bool = True,
    metrics: Sequence[str] = ("recall",),
    ks: Sequence[int | None] = (1, None),
    by: tuple[str, ...] = ("plan", "age"),
    explains: bool = False,
) -> Task:
    columns = Columns(user="uid", item="song", rec_user="customer", rec_item="uid", score="s", rel="r", by=by)
    plan = make_plan("evaluate", ks, metrics, {"min_rel": 1}, ["user"])
    return Task("evaluate", ("judged", "retrieved"), columns, plan, reports, explains)


def rows(users: int, items: int) -> list[pa.RecordBatch]:
    """The rows of a partition without segments. Texts of users are long, so that rows take memory."""
    number = users * items
    user = [f"{place % users:0100d}" for place in range(number)]
    item = [place // users for place in range(number)]
    batch = {"userid": user, "itemid": item, "rel": [1.0] * number, "is_truth": [True] * number}
    judged = pa.table(batch | {"score": pa.nulls(number, pa.float64())})
    batch |= {"score": [place * 7.0 % 13 for place in range(number)], "is_truth": [False] * number}
    retrieved = pa.table(batch | {"rel": pa.nulls(number, pa.float64())}).select(judged.column_names)
    return pa.concat_tables([judged, retrieved]).to_batches(max_chunksize=10_000)


def task_of_rows(reports: bool = True, metrics: Sequence[str] = ("ndcg",)) -> str:
    """The text of a task for `rows`."""
    return task(reports, metrics, [3], ()).to_json()


def reported(batches: Iterable[pa.RecordBatch], text: str) -> tuple[pa.Table, dict[str, Any]]:
    """The metrics and the report of a partition."""
    found = evaluate_partition(batches, text)
    *tables, last = (pa.ipc.open_stream(each.column(0)[0].as_buffer()).read_all() for each in found)
    table = pa.concat_tables([*tables, last.replace_schema_metadata()])
    return table, json.loads(last.schema.metadata[b"report"])
