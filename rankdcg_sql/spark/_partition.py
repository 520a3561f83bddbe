"""The metrics of the users of one partition, or the items that they are made of, in a worker of Spark.

The module runs on executors. It imports neither pyspark nor what only a driver needs.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import duckdb
import pyarrow as pa

from rankdcg_sql import _native
from rankdcg_sql._errors import Argument, CallValueError
from rankdcg_sql._sql import column_types, quote_name, quote_text
from rankdcg_sql.catalogue import by_name, field_types, options_text
from rankdcg_sql.duckdb import register
from rankdcg_sql.evaluation._computing.counts_and_hints import count_rows, tally_users
from rankdcg_sql.evaluation._computing.item_values import users_with_lists
from rankdcg_sql.evaluation._computing.user_metrics import Inputs, create_user_metrics, graded_users
from rankdcg_sql.evaluation._tables.columns import Columns, Source, TruthAndRec, Views, find_columns
from rankdcg_sql.evaluation._tables.workspace import connect_on_executor
from rankdcg_sql.evaluation._terms.metrics import needs_grades
from rankdcg_sql.evaluation._terms.plan import Plan

#: The bytes that DuckDB may use in a worker, unless Spark limits the memory of workers. About five million
#: rows are grouped in one pass then.
_MEMORY = 2**30
#: The columns of the rows of a partition: those of every row, and those of truth or of rec alone.
IS_TRUTH, USER, ITEM, SCORE, REL, ASPECT = "is_truth", "userid", "itemid", "score", "rel", "aspect"
#: The columns of the metrics of a partition, besides the user, the segments and the measures.
RETRIEVED, JUDGED, GRADED = "retrieved", "judged", "graded"
#: The only column of a partition that reports: tables of metrics as bytes, of which the last one has no row.
#: Its schema has a text under the same name: the numbers of rows, or the error that ended the work.
REPORT = "report"
#: The bytes of one such table, about as many as those of 10,000 users with ten measures. Each way from an
#: executor to the driver can carry it.
_REPORTED_BYTES = 2**20


def segment(place: int) -> str:
    """Return the name of a column of segments, in the rows and in the metrics of a partition."""
    return f"by_{place}"


@dataclass(frozen=True)
class Task:
    """The task of a worker: everything but the rows."""

    #: The called function, which errors name.
    caller: str
    #: The names of truth and of rec in messages.
    labels: tuple[str, str]
    #: The columns as the tables write them; `user` and `item` are those of truth.
    columns: Columns
    #: The metrics, their cutoffs and their options.
    plan: Plan
    #: Whether the partition reports. If not, errors are raised, and rows are not counted.
    reports: bool
    #: Whether the items of which the values of the only measure are made are listed, in place of the values.
    explains: bool = False

    def to_json(self) -> str:
        """Write the task as a text: its classes are unknown where the package is not installed."""
        names, plan = vars(self.columns), vars(self.plan)
        fields = vars(self) | {"columns": names, "plan": plan}
        return json.dumps(fields)

    @classmethod
    def from_json(cls, text: str) -> Task:
        """Read a task that `to_json` wrote."""
        fields = json.loads(text)
        names, plan = fields["columns"], fields["plan"]
        return cls(
            fields["caller"],
            tuple(fields["labels"]),
            Columns(**names | {"by": tuple(names["by"])}),
            Plan(**plan | {"cutoffs": {metric: tuple(ks) for metric, ks in plan["cutoffs"].items()}}),
            fields["reports"],
            fields["explains"],
        )


def evaluate_partition(batches: Iterable[pa.RecordBatch], text: str) -> Iterator[pa.RecordBatch]:
    """Compute the metrics of the users of a partition, which has all rows of its users.

    Parameters
    ----------
    batches : iterable of pyarrow.RecordBatch
        The rows of truth and rec, with the columns of this module.
    text : str
        The task, as `Task.to_json` writes it.

    Yields
    ------
    pyarrow.RecordBatch
        One row per user of either table: the user, the segments, the numbers of retrieved and of judged
        items, whether relevances of the user differ (NULL if no measure depends on it), each measure of the
        user alone, and the lists that measures of items read. If the task asks for a report: one row per
        table of these, as `REPORT` describes it. If it explains: one row per user of truth and item.

    Raises
    ------
    CallValueError
        If a table has a value that a metric refuses, and the task asks for no report.
    """
    task = Task.from_json(text)
    rest = iter(batches)
    first = next(rest, None)
    if first is None:
        return
    schema = _schema(task, first.schema)
    try:
        with _connect(task) as con:
            table, counts = _evaluate(task, con, *_divide(task, chain([first], rest)), first.schema)
        metrics = table.cast(schema).to_batches(
            max_chunksize=max(1, len(table) * _REPORTED_BYTES // max(1, table.nbytes))
        )
        if not task.reports:
            yield from metrics
            return
        yield from (_reported(schema, batch) for batch in metrics)
        report: dict[str, Any] = {"counts": counts}
    except CallValueError as error:
        if not task.reports:
            raise
        report = {"error": {"argument": error.argument, "text": error.text, "kind": error.kind}}
    yield _reported(schema.with_metadata({REPORT: json.dumps(report)}))


def _reported(schema: pa.Schema, *batches: pa.RecordBatch) -> pa.RecordBatch:
    """Return a row of a report: a table as bytes."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    table = sink.getvalue()
    # `pa.array` would import pandas, for which there may be no memory.
    no_nulls, offsets = None, pa.py_buffer(struct.pack("=2i", 0, table.size))
    column = pa.Array.from_buffers(pa.binary(), 1, [no_nulls, offsets, table])
    return pa.RecordBatch.from_arrays([column], [REPORT])


def _divide(
    task: Task, batches: Iterable[pa.RecordBatch]
) -> tuple[list[pa.RecordBatch], list[pa.RecordBatch]]:
    """Divide rows into those of truth and those of rec."""
    import pyarrow.compute as pc

    truth, rec, rows = [], [], 0
    try:
        for batch in batches:
            rows += len(batch)
            is_truth = batch.column(IS_TRUTH)
            truth.append(batch.filter(is_truth))
            rec.append(batch.filter(pc.invert(is_truth)))
    except MemoryError as error:
        raise _too_large(task, f"{rows:,} rows or more") from error
    return truth, rec


def kept_columns(task: Task) -> list[str]:
    """Return the names of the first columns of the results, whose types are those of the rows."""
    if task.explains:
        return [USER, ITEM]
    return [USER, *(segment(place) for place, _ in enumerate(task.columns.of_users))]


def added_columns(task: Task) -> dict[str, pa.DataType]:
    """Return the types of the other columns of the results, keyed by their names."""
    if task.explains:
        types = {"BIGINT": pa.int64(), "DOUBLE": pa.float64()}
        fields = field_types(by_name()["rank_explain_by_user"])
        return {name: types[kind] for name, kind in fields.items() if kind in types}
    return {
        RETRIEVED: pa.int64(),
        JUDGED: pa.int64(),
        GRADED: pa.bool_(),
        **{measure.column: pa.float64() for measure in task.plan.of_rankings},
    }


def _schema(task: Task, rows: pa.Schema) -> pa.Schema:
    """Return the schema of the metrics of a partition whose rows have the schema `rows`."""
    kept = {name: rows.field(name).type for name in kept_columns(task)}
    lists = dict.fromkeys(task.plan.lists_of_users, pa.list_(rows.field(ITEM).type))
    return pa.schema(kept | added_columns(task) | lists)


def _evaluate(
    task: Task,
    con: duckdb.DuckDBPyConnection,
    truth: list[pa.RecordBatch],
    rec: list[pa.RecordBatch],
    schema: pa.Schema,
) -> tuple[pa.Table, dict[str, int]]:
    """Compute the metrics of a partition, and count its rows as `Counts` does if the task asks for that."""
    names, (truth_label, rec_label) = task.columns, task.labels
    by = {name: segment(place) for place, (_, name) in enumerate(names.of_users)}
    # A column that the caller named twice is there twice, with the same values.
    values = {name: column for name, column in ((names.rel, REL), (names.aspect, ASPECT)) if name}
    of_truth = {names.user: USER, names.item: ITEM} | values | by
    of_rec = {names.name("rec", "user"): USER, names.name("rec", "item"): ITEM, names.score: SCORE}
    try:
        if task.explains:
            return _explain(task, con, *(pa.Table.from_batches(rows, schema) for rows in (truth, rec))), {}
        return _compute(
            task,
            TruthAndRec(
                task.caller,
                con,
                lambda _label, statement: con.execute(statement),
                _source(con, "truth", truth_label, of_truth, pa.Table.from_batches(truth, schema)),
                _source(con, "rec", rec_label, of_rec, pa.Table.from_batches(rec, schema)),
            ),
        )
    except (duckdb.OutOfMemoryException, MemoryError, CallValueError) as error:
        if isinstance(error, CallValueError) and error.kind != "memory":
            raise
        raise _too_large(task, f"{sum(map(len, (*truth, *rec))):,} rows") from error


def _too_large(task: Task, rows: str) -> CallValueError:
    """Make the error of a partition for which the memory of a worker is too small."""
    return CallValueError(
        task.caller,
        "partitions",
        f"a partition of {rows} does not fit into the memory of a Python worker, of which DuckDB may use "
        f"{_memory() / 2**20:,.0f} MiB: give more ",
        Argument("partitions"),
        ", or more memory with spark.executor.pyspark.memory",
        kind="memory",
    )


def _source(
    con: duckdb.DuckDBPyConnection, role: str, label: str, columns: dict[str, str], rows: pa.Table
) -> Source:
    """Make a view of `rows`; `columns` has the name of each column there, keyed by its name in the view."""
    table = pa.table({name: rows[column] for name, column in columns.items()})
    view = f"rankdcg_{role}"
    con.register(view, table)
    return Source(role, label, view, column_types(con, view), len(table))


def _explain(task: Task, con: duckdb.DuckDBPyConnection, truth: pa.Table, rec: pa.Table) -> pa.Table:
    """Return the items of which the values of the users of a partition are made."""
    register(con)  # the table macros
    con.register("rankdcg_truth", truth)
    con.register("rankdcg_rec", rec)
    (measure,) = task.plan.measures
    columns = ", ".join([*kept_columns(task), *added_columns(task)])
    rel = quote_text(REL) if task.columns.rel else "NULL"
    try:
        return con.sql(
            f"SELECT {columns} FROM rank_explain(rankdcg_truth, rankdcg_rec, k := {measure.sql_k}, "
            f"metrics := {quote_text(measure.metric)}, rel := {rel}, "
            f"options := {quote_text(options_text(task.plan.options))})"
        ).to_arrow_table()
    except duckdb.InvalidInputException as error:
        raise _native.refusal(task.caller, error) from None


def _compute(task: Task, tables: TruthAndRec) -> tuple[pa.Table, dict[str, int]]:
    """Return the metrics of users, and the numbers of rows, which are empty unless the task asks for them."""
    columns = find_columns(tables, task.columns)
    views = Views.of(tables, columns, "rankdcg")
    inputs = Inputs(tables, columns, views, task.plan)
    try:
        parts = create_user_metrics(inputs)
        counts = {}
        if task.reports:
            counts = count_rows(inputs, tally_users(inputs, parts))
            # DuckDB's count_if is NULL if a partition has no row of a table.
            counts = {name: number or 0 for name, number in counts.items()}
        views.create_segments(tables, columns)
        has_repeats = counts.get("rec_repeats", 0) > 0
        return _fetch(inputs, users_with_lists(inputs, has_repeats)), counts
    finally:
        for table in (views.user_metrics, views.segments):
            tables.con.execute(f"DROP TABLE IF EXISTS {table}")


def _fetch(inputs: Inputs, users: str) -> pa.Table:
    """Fetch the metrics and lists of `users`."""
    views, plan = inputs.views, inputs.plan
    segments = "".join(f"{segment(place)}, " for place, _ in enumerate(inputs.columns.of_users))
    needs_graded = any(map(needs_grades, plan.metrics))
    columns = [f"{'graded.userid IS NOT NULL' if needs_graded else 'NULL::BOOLEAN'} AS {GRADED}"]
    columns += [quote_name(measure.column) for measure in plan.of_rankings]
    # No measure reads the lists of a user without a judgement.
    columns += [f"if(judged > 0, {name}, NULL) AS {name}" for name in plan.lists_of_users]
    try:
        return inputs.tables.con.sql(
            f"SELECT userid, {segments}retrieved::BIGINT AS {RETRIEVED}, judged::BIGINT AS {JUDGED}, "
            f"{', '.join(columns)} FROM {users} "
            f"{f'LEFT JOIN {views.segments} USING (userid)' if segments else ''} "
            f"{f'LEFT JOIN {graded_users(inputs)} AS graded USING (userid)' if needs_graded else ''} "
            "WHERE userid IS NOT NULL"
        ).to_arrow_table()
    except duckdb.InvalidInputException as error:  # a type of items that cannot be ranked
        raise _native.refusal(inputs.tables.caller, error) from None


def _connect(task: Task) -> duckdb.DuckDBPyConnection:
    """Connect to the database of this worker.

    It is opened before rows take memory, because DuckDB crashes if there is none left to open it.
    """
    try:
        # Spark removes its own folders at its end.
        parent = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0]
        return connect_on_executor(_memory(), parent or None)
    except (duckdb.OutOfMemoryException, MemoryError) as error:
        raise _too_large(task, "any size") from error


def _memory() -> int:
    """Return the bytes that DuckDB may use."""
    # Arrow holds the rows in the other half of the memory, in MiB, that Spark lets a worker use.
    limit = os.environ.get("PYSPARK_EXECUTOR_MEMORY_MB")
    return int(limit) * 2**19 if limit else _MEMORY


def sum_of_hashes(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Sum the hashes of the rows of a partition, in digits: they add up to a fingerprint."""
    total = sum(map(_native.fingerprint, batches))
    yield pa.RecordBatch.from_arrays([pa.array([str(total)])], ["sum"])
