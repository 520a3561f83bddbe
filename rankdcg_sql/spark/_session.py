"""Tables on Spark, whose users are divided into partitions that the executors evaluate."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from inspect import signature
from math import ceil
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import types as st
from pyspark.sql.pandas.types import from_arrow_type, to_arrow_type

from rankdcg_sql._errors import CallError, CallFileNotFoundError, CallTypeError, CallValueError
from rankdcg_sql._sql import column_types
from rankdcg_sql.evaluation._computing.counts_and_hints import Tally, hint_at_items, hint_at_rel, tally_users
from rankdcg_sql.evaluation._computing.fingerprints import hashed_cell, in_hex
from rankdcg_sql.evaluation._computing.session import Session
from rankdcg_sql.evaluation._computing.user_metrics import Inputs
from rankdcg_sql.evaluation._tables.columns import (
    VALUES,
    Columns,
    FoundColumns,
    Source,
    TruthAndRec,
    Views,
    argument_of,
    find_columns,
    mismatch_error,
)
from rankdcg_sql.evaluation._tables.objects import is_on_spark
from rankdcg_sql.evaluation._terms.plan import takes_k
from rankdcg_sql.spark import _partition
from rankdcg_sql.spark._import_errors import import_errors

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._terms.plan import Plan
    from rankdcg_sql.evaluation._terms.statistics import Users

#: The rows that are read to say what is wrong with a column.
_EXAMPLES = 1000
#: The bytes of tables for each partition, as Spark estimates them. Parquet files have about five million rows
#: of numbers in as many bytes.
_PARTITION_BYTES = 64 * 2**20
#: How times of UTC are asked for; PySpark 4.1 has no others.
_IN_UTC: Any = {"timezone": "UTC"} if "timezone" in signature(to_arrow_type).parameters else {}
#: The bytes from which on Spark's estimate says that it knows nothing.
_UNKNOWN = 2**60
#: The settings with which Spark joins small partitions.
_JOINING = ("spark.sql.adaptive.enabled", "spark.sql.adaptive.coalescePartitions.enabled")
#: The setting that limits what the driver collects. Spark's error names it.
_MAX_RESULTS = "spark.driver.maxResultSize"
#: The largest number of partitions that Spark can count.
_MAX_PARTITIONS = 2**31 - 1
#: The digits that Spark's decimals can have.
_MAX_DIGITS = 38
#: The digits of whole numbers, by type, from the narrowest type to the widest.
_DIGITS = {st.ByteType: 3, st.ShortType: 5, st.IntegerType: 10, st.LongType: 19}
#: The forms in which values are hashed, as those of DuckDB.
_FORMS = {
    "BLOB": "hex({0})",
    "DECIMAL": "trim(TRAILING '.' FROM trim(TRAILING '0' FROM CAST({0} AS STRING)))",
    "TIMESTAMP WITH TIME ZONE": "CAST(unix_micros({0}) AS STRING)",
}


class SessionOnSpark(Session):
    """A truth table on Spark; tables of recommendations on Spark are evaluated against it in turn.

    Methods without a description do what those of `Session` do, for tables on Spark.
    """

    def __init__(
        self,
        caller: str,
        truth: Any,
        columns: Columns,
        systems: int,
        spark: Any,
        partitions: int | None,
        items: Any = None,
        fingerprints: bool = False,
    ) -> None:
        """Open truth and items. Names of tables are looked up in `spark`, or in the session of truth."""
        if partitions is not None:
            is_number = isinstance(partitions, int) and not isinstance(partitions, bool)
            if not is_number or not 1 <= partitions <= _MAX_PARTITIONS:
                kind = CallValueError if is_number else CallTypeError
                wanted = f"must be a whole number from 1 to {_MAX_PARTITIONS}, or None"
                raise kind.about(caller, "partitions", f"{wanted}, got {partitions!r}")
        self._spark, self._partitions = spark, partitions
        self._frames: dict[str, Any] = {}
        super().__init__(
            caller, truth, columns, systems, None, progress=False, items=items, fingerprints=fingerprints
        )

    def lazy(self, rec: Any, plan: Plan) -> Any:
        """Return a lazy data frame: the metrics of each user of truth at each k, and the numbers of items.

        Raises
        ------
        CallValueError, CallTypeError
            If a table or a column is missing or has a wrong type.
        """
        inputs = self._open_inputs(rec, "rec", plan)
        hint_at_rel(inputs)
        metrics = self._results(inputs, reports=False)
        columns_of = {(measure.metric, measure.k): measure.column for measure in plan.measures}

        def value(metric: str, k: int | None) -> str:
            column = columns_of.get((metric, k if takes_k(metric) else None))
            return _quoted(column) if column else "CAST(NULL AS DOUBLE)"

        rows = ", ".join(
            f"struct({'CAST(NULL AS BIGINT)' if k is None else f'{k}L'} AS k, "
            + ", ".join(f"{value(metric, k)} AS {_quoted(metric)}" for metric in plan.metrics)
            + ")"
            for k in plan.ks
        )
        # `inline` makes a row of each struct, one for each k.
        return metrics.where(f"{_partition.JUDGED} > 0").selectExpr(
            f"{_partition.USER} AS {_quoted(self._columns.of_results)}",
            f"inline(array({rows}))",
            _partition.RETRIEVED,
            _partition.JUDGED,
        )

    def explain(self, *_: Any) -> None:
        raise self._no_items()

    def items(self, *_: Any) -> Any:
        raise self._no_items()

    def _no_items(self) -> CallValueError:
        why = "needs tables in DuckDB: rankdcg_sql.spark.explain lists the items of tables on Spark"
        return CallValueError(self._caller, None, why)

    def explained(self, rec: Any, plan: Plan) -> Any:
        """Return a lazy data frame: the items of which the values of the plan's only measure are made.

        Raises
        ------
        CallValueError, CallTypeError
            If a table or a column is missing or has a wrong type.
        """
        inputs = self._open_inputs(rec, "rec", plan)
        hint_at_rel(inputs)
        user, item = (
            f"{column} AS {_quoted(self._columns.name('truth', what))}"
            for what, column in (("user", _partition.USER), ("item", _partition.ITEM))
        )
        judged = f"{_partition.REL} IS NOT NULL AS judged"
        others = ("gain", "discount", "contribution", "if_found", "value")
        items = self._results(inputs, reports=False, explains=True)
        return items.selectExpr(
            user, "rank", "last_rank", item, _partition.SCORE, _partition.REL, judged, *others
        )

    def _open_truth(self, truth: Any, systems: int) -> Source:
        return self._open("truth", truth, "truth")

    def _open_rec(self, rec: Any, label: str) -> Source:
        return self._open("rec", rec, label)

    def _open_items(self, items: Any) -> Source:
        """Collect a table of items that is on Spark; any other one is read as in DuckDB."""
        label, is_name = "items", isinstance(items, str)
        if is_name:
            with suppress(AnalysisException):  # a path or a query is no name
                table = self._session.table(items)
                table.schema  # noqa: B018 - Spark Connect looks the table up when it is used
                label, items = f"items ({items})", table
        if is_on_spark(items):
            self._keep("items", items, label)
            self._check_columns(Source("items", label, view="", types={}, rows=0))
            items = self._collected("items", items)
        try:
            return self._reader.open("items", items, label)
        except CallFileNotFoundError:
            if not is_name:
                raise
            missing = f"items: there is no file and no table of Spark {items!r}"
            raise CallFileNotFoundError(self._caller, "items", missing) from None

    def _close_rec(self, source: Source) -> None:
        self._con.unregister(source.view)

    def _measure(self, inputs: Inputs, users: Users) -> tuple[Tally, dict[str, int]]:
        """Collect the metrics of all partitions as the table `user_metrics`, and count users and rows."""
        lazily = "ask for fewer metrics, or take rankdcg_sql.spark.evaluate, which collects nothing"
        too_large = ("the metrics of all users", f", {lazily}")
        if inputs.plan.of_items:
            too_large = ("the metrics and rankings of all users", ", or ask for a smaller k")
        reported = self._collect(self._results(inputs, reports=True), *too_large)
        rows = self._count_rows(inputs.tables, [table.schema.metadata or {} for table in reported])
        collected = f"{self._prefix}_collected"
        self._con.register(collected, pa.concat_tables(table.replace_schema_metadata() for table in reported))
        try:
            self._con.execute(f"CREATE TEMP TABLE {inputs.views.user_metrics} AS FROM {collected}")
        finally:
            self._con.unregister(collected)
        return tally_users(inputs, parts=None), rows

    def _count_rows(self, tables: TruthAndRec, metadata: list[dict[bytes, bytes]]) -> dict[str, int]:
        """Add up the reported numbers of rows, keyed by fields of `Counts`, or raise a reported error."""
        key = _partition.REPORT.encode()
        reports = [json.loads(pairs[key]) for pairs in metadata if key in pairs]
        for error in (report["error"] for report in reports if "error" in report):
            raise CallValueError(self._caller, error["argument"], error["text"], kind=error["kind"])
        counts: Counter[str] = Counter()
        for report in reports:
            counts.update(report["counts"])
        for source in (tables.truth, tables.rec):
            if not counts[f"{source.role}_rows"]:
                raise CallValueError(
                    self._caller, argument_of(self._caller, source.role), f"{source.label} has no rows"
                )
        return dict(counts)

    def _collect(self, frame: Any, what: str = "the rows of a table", advice: str = "") -> list[pa.Table]:
        """Collect tables that are the bytes in the only column of a data frame.

        `what` is what these have, and `advice` says what helps beside more memory if they are too large.
        Before version 4.0, PySpark has no public method that collects Arrow data.
        """
        try:
            rows = frame.collect()
        except Exception as error:  # Spark and Spark Connect have classes of their own
            limit = re.search(rf"{re.escape(_MAX_RESULTS)} \(([^)]+)", str(error))
            if not limit:
                raise
            raise CallValueError(
                self._caller,
                None,
                f"{what} exceed the {limit[1]} of {_MAX_RESULTS}, which the driver may collect: start the "
                f"session with more{advice}",
                kind="memory",
            ) from error
        return [pa.ipc.open_stream(table).read_all() for (table,) in rows]

    def _examples(self, frame: Any) -> pa.Table:
        """Collect all rows of a data frame that has few."""
        batches = self._collect(frame.mapInArrow(_as_bytes(), f"{_partition.REPORT} binary"))
        return pa.concat_tables(batches) if batches else _empty(frame)

    def _collected(self, role: str, frame: Any) -> pa.Table:
        """Collect the columns that are read of a data frame of a role. The others are there, and NULL."""
        read = {name.lower() for _, name in self._columns_to_read(role)}
        fields = list(_empty(frame).schema)
        # Arrow data without a column has no rows.
        needed = [field.name for field in fields if field.name.lower() in read] or [fields[0].name]
        rows = self._examples(frame.select(*map(_quoted, needed)))
        return pa.table(
            {
                field.name: rows[field.name] if field.name in needed else pa.nulls(len(rows), field.type)
                for field in fields
            }
        )

    def _fingerprint(self, source: Source, columns: list[str]) -> str:
        """Sum the hashes of rows on the executors; a table of items is on the driver."""
        if source.role == "items":
            return super()._fingerprint(source, columns)
        cells = (
            f"{hashed_cell(_quoted(column), source.types[column], _FORMS)} AS cell_{place}"
            for place, column in enumerate(columns)
        )
        rows = self._frames[source.role].selectExpr(*cells)
        sums = rows.mapInArrow(_on_executor(self._caller, "sum_of_hashes"), "sum string").collect()
        return in_hex(sum(int(total) for (total,) in sums))

    def _judged(self, inputs: Inputs, rows: dict[str, int]) -> str:
        """Count the judgements of each item on the executors, and collect the numbers."""
        counted = self._usable(inputs)["truth"].groupBy("itemid").count().withColumnRenamed("count", "rows")
        name = f"{self._prefix}_judged_items"
        self._con.register(name, self._examples(counted))
        return name

    def _usable(self, inputs: Inputs) -> dict[str, Any]:
        """Return data frames of the items of both tables, of rows with a user, an item and a number."""
        values = {"truth": "rel" if inputs.columns.rel else "1", "rec": "score"}
        return {
            role: frame.where(
                f"userid IS NOT NULL AND NOT isnan(CAST({value} AS DOUBLE)) AND {value} IS NOT NULL"
            )
            .where("itemid IS NOT NULL")
            .select("itemid")
            for frame, (role, value) in zip(self._selected(inputs), values.items(), strict=True)
        }

    def _create_segments(self, inputs: Inputs) -> None:
        """Move the segments of users, which executors return beside the metrics, to a table of their own."""
        views = inputs.views
        if not inputs.columns.of_users:
            return
        by = ", ".join(_partition.segment(place) for place, _ in enumerate(inputs.columns.of_users))
        self._con.execute(
            f"CREATE TEMP TABLE {views.segments} AS SELECT userid, {by} FROM {views.user_metrics};"
            + "".join(f"ALTER TABLE {views.user_metrics} DROP {name};" for name in by.split(", "))
        )

    def _hint_at_items(self, inputs: Inputs) -> None:
        """Warn if no item is in both tables; DuckDB writes the warning, from examples of the items."""
        usable = self._usable(inputs)
        truth, rec = usable.values()
        if rec.join(truth, "itemid", "left_semi").take(1):
            return
        # The three smallest items of each table stand for all of them.
        examples = {
            role: self._examples(frame.distinct().orderBy("itemid").limit(3))
            for role, frame in usable.items()
        }
        names = {role: f"{self._prefix}_items_of_{role}" for role in examples}
        for role, table in examples.items():
            self._con.register(names[role], table)
        views = Views(
            all_truth=f"(SELECT *, 1 AS userid, 1 AS rel FROM {names['truth']})",
            all_rec=f"(SELECT *, 1 AS userid, 1 AS score FROM {names['rec']})",
            segments="",
            user_metrics="",
            explanations="",
        )
        hint_at_items(inputs.tables, views)
        for name in names.values():
            self._con.unregister(name)

    def _open(self, role: str, given: Any, label: str) -> Source:
        """Register an empty table with the types of a data frame, which stays on Spark."""
        if isinstance(given, str) and self._session is not None:
            label = f"{label} ({given})"
            try:
                given = self._session.table(given)
                given.schema  # noqa: B018 - Spark Connect looks the table up when it is used
            except AnalysisException as error:
                missing = f"{label}: Spark has no table or view of this name"
                raise CallValueError(self._caller, argument_of(self._caller, role), missing) from error
        if not is_on_spark(given):
            got = f"{type(given).__module__.partition('.')[0]} {type(given).__name__}"
            advice = (
                f"{label} is the name of a table, so give the session in which it is: spark=..."
                if isinstance(given, str)
                else f"{label} must be a data frame of Spark or the name of a table, because a table or a "
                f"session of Spark is given, got {got}"
            )
            raise CallTypeError(self._caller, argument_of(self._caller, role), advice)
        self._keep(role, given, label)
        return self._source(role, label, _empty(given))

    def _keep(self, role: str, frame: Any, label: str) -> None:
        """Keep the data frame of a role, which must be no stream."""
        if frame.isStreaming:
            batch = f"{label} is a stream, and must be a table: evaluate its batches, in foreachBatch"
            raise CallTypeError(self._caller, argument_of(self._caller, role), batch)
        self._frames[role] = frame

    @property
    def _session(self) -> Any:
        """The session in which names of tables are looked up; None if there is none yet."""
        truth = self._frames.get("truth")
        return self._spark if truth is None or self._spark is not None else truth.sparkSession

    def _source(self, role: str, label: str, table: pa.Table) -> Source:
        """Register a table in place of the data frame of a role: with its columns, and few or no rows."""
        view = f"{self._prefix}_{role}"
        self._con.register(view, table)
        types = column_types(self._con, view)
        written = {field.name: field.dataType.simpleString() for field in self._frames[role].schema.fields}
        spark_types = {name: written[name] for name in types}
        return Source(role, label, view, types, rows=0, spark_types=spark_types)

    def _columns_to_read(self, role: str) -> list[tuple[str, str]]:
        """Return the columns that are read: the argument and the name, as the caller gave it."""
        names = self._columns
        if role == "items":
            return [
                *(("item", name) for name in names.items),
                *(("items", name) for name in names.properties),
            ]
        of_truth = [("rel", names.rel), ("aspect", names.aspect), *names.of_users]
        others = of_truth if role == "truth" else [("score", names.score)]
        ids = (names.of(role, what) for what in ("user", "item"))
        return [*ids, *((argument, name) for argument, name in others if name)]

    def _check_columns(self, source: Source) -> None:
        """Raise an error if a needed column is there twice, or is of a type that no executor can read."""
        fields = self._frames[source.role].schema.fields
        for argument, name in self._columns_to_read(source.role):
            of_name = [field for field in fields if field.name.lower() == name.lower()]
            if len(of_name) > 1:
                several = (
                    f"{source.label} has several columns {name!r}, in any case of letters: rename the others"
                )
                raise CallValueError(self._caller, argument_of(self._caller, source.role), several)
            for field in of_name:
                why = _why_unreadable(field.dataType, is_id=argument.endswith(("user", "item")))
                if why:
                    kind = field.dataType.simpleString()
                    unreadable = (
                        f"{field.name} of {source.label} must be {VALUES[argument][0]}, got {kind}"
                        if argument in VALUES
                        else f"{field.name} of {source.label} is {kind}, {why}: cast it, as by "
                        f"withColumn({field.name!r}, col({field.name!r}).cast('string'))"
                    )
                    raise CallValueError(self._caller, argument, unreadable)

    def _find_columns(self, tables: TruthAndRec) -> FoundColumns:
        for source in (tables.truth, tables.rec):
            self._check_columns(source)
        try:
            found = find_columns(tables, self._columns)
        except CallError:
            # The tables were empty. Errors about types quote values, so they are made once more with some. If
            # `find_columns` then finds nothing wrong, the first error is raised.
            sources = []
            for source in (tables.truth, tables.rec):
                frame = self._frames[source.role]
                wanted = self._columns.rel if source.role == "truth" else self._columns.score
                if wanted is not None and source.has(wanted):
                    frame = frame.where(f"{_quoted(wanted)} IS NOT NULL")
                rows = self._collected(source.role, frame.limit(_EXAMPLES))
                sources.append(self._source(source.role, source.label, rows))
            find_columns(
                TruthAndRec(self._caller, self._con, self._run, sources[0], sources[1]), self._columns
            )
            raise
        if found.by_source is not tables.truth:
            wanted = f"must be in {tables.truth.label} for tables on Spark, got {', '.join(found.of_users)}"
            raise CallValueError.about(self._caller, "by" if found.by else "weight", wanted)
        return found

    def _selected(self, inputs: Inputs) -> tuple[Any, Any]:
        """Select the columns that are needed of truth and rec, under the names of `_partition`."""
        columns = inputs.columns
        truth, rec = self._frames["truth"], self._frames["rec"]

        def ids(column: str, rec_column: str, alias: str) -> tuple[str, str]:
            """Write SQL for the ids of truth and of rec in one type, in which equal ids are equal."""
            types = truth.schema[column].dataType, rec.schema[rec_column].dataType
            common = _common_type(*types, is_user=alias == _partition.USER)
            if common is None:
                why = f"a number of both can have more than {_MAX_DIGITS} digits"
                raise mismatch_error(inputs.tables, column, rec_column, why)
            return tuple(
                f"CAST({_quoted(name)} AS {common.simpleString()}) AS {alias}"
                if kind != common
                else f"{_quoted(name)} AS {alias}"
                for name, kind in zip((column, rec_column), types, strict=True)
            )  # type: ignore[return-value]

        users = ids(columns.user, columns.rec_user, _partition.USER)
        items = ids(columns.item, columns.rec_item, _partition.ITEM)
        segments = [
            f"{_quoted(name)} AS {_partition.segment(place)}" for place, name in enumerate(columns.of_users)
        ]
        values = [
            f"{_quoted(name)} AS {alias}"
            for name, alias in ((columns.rel, _partition.REL), (columns.aspect, _partition.ASPECT))
            if name
        ]
        return (
            truth.selectExpr(users[0], items[0], *values, *segments),
            rec.selectExpr(users[1], items[1], f"{_quoted(columns.score)} AS {_partition.SCORE}"),
        )

    def _results(self, inputs: Inputs, reports: bool, explains: bool = False) -> Any:
        """Return the lazy data frame of the results of all partitions, as tables in bytes if it `reports`.

        They are metrics, or if it `explains`, the items that these are made of.
        """
        columns = inputs.columns
        labels = inputs.tables.truth.label, inputs.tables.rec.label
        truth, rec = self._selected(inputs)
        functions = _functions(truth)
        rows = truth.withColumn(_partition.IS_TRUTH, functions.lit(True)).unionByName(
            rec.withColumn(_partition.IS_TRUTH, functions.lit(False)), allowMissingColumns=True
        )
        user, item = functions.col(_partition.USER), functions.col(_partition.ITEM)
        # Rows without a user are only counted, and would all be in one partition.
        keys = user, functions.when(user.isNull(), functions.hash(item))
        count = self._partitions or _partition_count(truth, rec)
        divided = rows.repartition(*keys) if count is None else rows.repartition(count, *keys)
        # The columns as the tables write them: those of truth are `user` and `item` here.
        named = ("user", "item", "rec_user", "rec_item", "score", "rel", "aspect", "by", "weight")
        of_tables = Columns(**{name: getattr(columns, name) for name in named})
        task = _partition.Task(self._caller, labels, of_tables, inputs.plan, reports, explains)
        schema = f"{_partition.REPORT} binary" if reports else _schema(rows.schema, task)
        return divided.mapInArrow(_on_executor(self._caller, "evaluate_partition", task.to_json()), schema)


def _on_executor(
    caller: str, function: str, *arguments: str
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Make the function that executors run, one of `_partition` with these arguments.

    It is pickled with its code, to say what an executor lacks.
    """
    import_error = import_errors(caller)

    def evaluate(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            partition = import_module("rankdcg_sql.spark._partition")
        except (ImportError, MemoryError, OSError) as error:
            raise import_error(error) from error
        yield from getattr(partition, function)(batches, *arguments)

    return evaluate


def _as_bytes() -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Make the function that makes a row of bytes of each batch; an executor needs pyarrow alone for it."""
    name = _partition.REPORT

    def as_bytes(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, batch.schema) as writer:
                writer.write_batch(batch)
            yield pa.RecordBatch.from_arrays([pa.array([sink.getvalue().to_pybytes()])], [name])

    return as_bytes


def _schema(rows: Any, task: _partition.Task) -> Any:
    """Return the types of the rows that `evaluate_partition` yields for rows of these types."""
    kept = {name: rows[name].dataType for name in _partition.kept_columns(task)}
    added = {name: from_arrow_type(kind) for name, kind in _partition.added_columns(task).items()}
    return st.StructType([st.StructField(name, kind) for name, kind in (kept | added).items()])


def _empty(frame: Any) -> pa.Table:
    """Return an empty table with the columns of a data frame."""
    # DuckDB would rename all columns of one name but the first.
    named: dict[str, Any] = {}
    for field in frame.schema.fields:
        named.setdefault(field.name.lower(), field)
    # A column of a type that Arrow lacks can be there if it is not read.
    types = {field.name: _arrow_type(field.dataType) or pa.null() for field in named.values()}
    return pa.schema(types).empty_table()


def _arrow_type(kind: Any) -> pa.DataType | None:
    """Return the type of Arrow for a type of Spark; None if there is none."""
    try:
        return to_arrow_type(kind, **_IN_UTC)
    except PySparkException:
        return None


def _why_unreadable(kind: Any, is_id: bool) -> str:
    """Say why no executor can read a column of a type, or why ids cannot have it; empty if they can."""
    if _arrow_type(kind) is None:
        return "for which Arrow has no type"
    return "whose values Spark cannot compare" if is_id and not _is_comparable(kind) else ""


def _is_comparable(kind: Any) -> bool:
    """Whether Spark can compare the values of a type: there is no map and no variant within."""
    if isinstance(kind, st.StructType):
        return all(_is_comparable(field.dataType) for field in kind.fields)
    if isinstance(kind, st.ArrayType):
        return _is_comparable(kind.elementType)
    return kind.typeName() not in ("map", "variant")


def _functions(frame: Any) -> Any:
    """Return the module of the functions for a data frame: Spark Connect has its own."""
    is_remote = ".connect." in type(frame).__module__
    return import_module(f"pyspark.sql.{'connect.' if is_remote else ''}functions")


def _quoted(name: str) -> str:
    """Quote a name for Spark's SQL."""
    return "`" + name.replace("`", "``") + "`"


def _common_type(one: Any, other: Any, is_user: bool) -> Any:
    """Return the type of ids of two types that `find_columns` lets pass; None if none holds all values."""
    kinds = type(one), type(other)
    if all(issubclass(kind, st.StringType | st.CharType | st.VarcharType) for kind in kinds):
        return st.StringType()  # a text with a collation is of another type
    if all(kind in _DIGITS for kind in kinds):
        return st.LongType() if is_user else max(one, other, key=lambda kind: _DIGITS[type(kind)])
    if one == other:
        return one
    if all(issubclass(kind, st.FloatType | st.DoubleType) for kind in kinds):
        return st.DoubleType()
    # Decimals and whole numbers are left: the digits before and after the point.
    digits = [
        (kind.precision - kind.scale, kind.scale)
        if isinstance(kind, st.DecimalType)
        else (_DIGITS[type(kind)], 0)
        for kind in (one, other)
    ]
    scale = max(after for _, after in digits)
    precision = max(before for before, _ in digits) + scale
    return st.DecimalType(precision, scale) if precision <= _MAX_DIGITS else None


def _partition_count(truth: Any, rec: Any) -> int | None:
    """Return how many partitions the tables need if Spark's own number does not fit them, otherwise None.

    Spark starts with ``spark.sql.shuffle.partitions``, and joins small ones unless it is told not to. With
    Spark Connect the sizes of tables are not known.
    """
    if ".connect." in type(truth).__module__:
        return None
    size = sum(map(_bytes_of, (truth, rec)))
    if size >= _UNKNOWN:
        return None
    count = ceil(size / _PARTITION_BYTES)
    session = truth.sparkSession
    usual = session.conf.get("spark.sql.shuffle.partitions")
    if not usual.isdecimal():  # Databricks takes "auto", and chooses then
        return None
    if count > int(usual):
        return count
    if all(session.conf.get(name) == "true" for name in _JOINING):
        return None
    return min(int(usual), max(count, int(session.sparkContext.defaultParallelism)))


def _bytes_of(frame: Any) -> int:
    """Estimate the bytes of a table: Spark's estimate, but not more than all tables have that it is made of.

    For a join, Spark estimates the product.
    """
    plan = frame._jdf.queryExecution().optimizedPlan()
    leaves = plan.collectLeaves()
    read = sum(int(str(leaves.apply(place).stats().sizeInBytes())) for place in range(leaves.size()))
    return min(read, int(str(plan.stats().sizeInBytes())))
