"""Spans of documents in truth and chunks in rec, as items that metrics read, and the measures of spans."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rankdcg_sql._errors import CallError, CallValueError
from rankdcg_sql._sql import is_nan, quote_name, quote_text
from rankdcg_sql.duckdb import create_helpers
from rankdcg_sql.evaluation._computing.user_metrics import added_columns
from rankdcg_sql.evaluation._tables.types import BIGINT_OR_SMALLER, exact_column

if TYPE_CHECKING:
    from rankdcg_sql.evaluation._computing.user_metrics import Inputs
    from rankdcg_sql.evaluation._tables.columns import Columns, FoundColumns, Source, TruthAndRec

#: The types of offsets. The values of the last three that BIGINT does not hold are no offsets.
_INTEGERS = {*BIGINT_OR_SMALLER, "UBIGINT", "HUGEINT", "UHUGEINT"}
_INTERVAL = "document, start_offset, end_offset"


@dataclass(frozen=True)
class Spans:
    """The spans of truth and the chunks of rec, in temporary tables of the working connection."""

    #: Truth and rec as they were given.
    given: TruthAndRec
    #: The same with an item in the column of documents.
    tables: TruthAndRec
    #: The name of the table of chunks by rank.
    chunks: str
    #: The name of the table of spans, each with the rank of the chunk that finds it.
    found: str

    def drop(self) -> None:
        """Drop all that `find_spans` created."""
        truth, rec = self.tables.truth.view, self.tables.rec.view
        tables = [self.found, self.chunks, f"{self.found}_items"]
        views = [truth, rec, f"{truth}_rows", f"{rec}_rows"]
        self.given.con.execute("".join(f"DROP VIEW {view};" for view in views))
        self.given.con.execute("".join(f"DROP TABLE {table};" for table in tables))


def find_spans(tables: TruthAndRec, columns: FoundColumns, names: Columns, prefix: str) -> Spans:
    """Find each span in the chunks, and make items of both.

    `columns` are those of the tables that were given, and the names of what is created start with `prefix`.
    """
    create_helpers(tables.con)
    document = tables.common_type(columns.item, columns.rec_item)
    truth, rec, chunks, found, chunk = (
        f"{prefix}_{name}" for name in ("truth_items", "rec_items", "chunks", "spans", "chunk")
    )
    score = f"{quote_name(columns.score)}::{columns.score_type}"
    rel = f"{quote_name(columns.rel)}::DOUBLE" if columns.rel else "1.0::DOUBLE"
    interval_of = {}
    for source, view, user, item, value, name in (
        (tables.truth, truth, columns.user, columns.item, rel, "grade"),
        (tables.rec, rec, columns.rec_user, columns.rec_item, score, "points"),
    ):
        interval_of[source.role] = (
            f"struct_pack(userid := {exact_column(user, columns.user_type)}, "
            f"{_interval(tables.caller, source, names, item, document)})"
        )
        rows = f"SELECT {value} AS {name}, unnest({interval_of[source.role]}) FROM {source.view}"
        usable = f"userid IS NOT NULL AND {name} IS NOT NULL AND NOT {is_nan(name)}"
        tables.con.execute(
            f"CREATE TEMP VIEW {view}_rows AS SELECT userid, {_INTERVAL}, {name} FROM ({rows}) WHERE {usable}"
        )
    label = f"spans in {tables.rec.label}"
    ranked = f"SELECT userid, {_INTERVAL}, place FROM rankdcg_sql_ranked_chunks({quote_text(f'{rec}_rows')})"
    tables.run(label, f"CREATE TEMP TABLE {chunks} AS {ranked}")
    arguments = ", ".join(map(quote_text, (f"{truth}_rows", chunks, str(names.overlap))))
    tables.run(label, f"CREATE TEMP TABLE {found} AS FROM rankdcg_sql_found_spans({arguments})")
    tables.run(
        label,
        f"CREATE TEMP TABLE {found}_items AS SELECT chunks.userid, chunks.document, chunks.start_offset, "
        "chunks.end_offset, rankdcg_sql_span(spans.document, spans.start_offset, spans.end_offset) AS item "
        f"FROM {found} AS spans JOIN {chunks} AS chunks USING (userid, place) WHERE is_item",
    )
    of_truth, of_rec = (interval_of[role] for role in ("truth", "rec"))
    in_truth = ", ".join(f"{of_truth}.{name}" for name in _INTERVAL.split(", "))
    tables.con.execute(
        f"CREATE TEMP VIEW {truth} AS SELECT * REPLACE (rankdcg_sql_span({in_truth}) AS "
        f"{quote_name(columns.item)}) FROM {tables.truth.view}"
    )
    in_rec = ", ".join(f"{chunk}.{name}" for name in _INTERVAL.split(", "))
    same = " AND ".join(f"items.{name} = {chunk}.{name}" for name in ("userid", *_INTERVAL.split(", ")))
    tables.con.execute(
        f"CREATE TEMP VIEW {rec} AS SELECT given.* EXCLUDE ({chunk}) REPLACE ("
        f"coalesce(items.item, rankdcg_sql_chunk({in_rec})) AS {quote_name(columns.rec_item)}) "
        f"FROM (SELECT *, {of_rec} AS {chunk} FROM {tables.rec.view}) AS given "
        f"LEFT JOIN {found}_items AS items ON {same}"
    )
    made = replace(
        tables,
        truth=_with_items(tables.truth, truth, columns.item),
        rec=_with_items(tables.rec, rec, columns.rec_item),
    )
    return Spans(tables, made, chunks, found)


def add_span_values(inputs: Inputs, spans: Spans) -> None:
    """Add the measures of spans to the table `user_metrics`."""
    measures = inputs.plan.of_spans
    cutoffs = ", ".join(dict.fromkeys(measure.sql_k for measure in measures))
    least = inputs.plan.options.get("min_rel", "NULL::DOUBLE")
    values = ", ".join(
        f"max({measure.metric}) FILTER (cut IS NOT DISTINCT FROM {measure.sql_k}) AS "
        f"{quote_name(measure.column)}"
        for measure in measures
    )
    evaluated = (
        f"rankdcg_sql_evaluated_spans({quote_text(spans.found)}, {quote_text(spans.chunks)}, "
        f"[{cutoffs}], {least})"
    )
    label = f"characters of {inputs.tables.rec.label}"
    by_user = f"SELECT userid, {values} FROM {evaluated} GROUP BY userid"
    with added_columns(inputs, label, measures, by_user):
        pass


def _interval(caller: str, source: Source, names: Columns, item: str, document: str) -> str:
    """Write the interval of a row as fields of a struct, which are NULL if the row has no span."""
    offsets = []
    for name in names.spans or ():
        try:
            column = source.column("spans", name)
        except CallError as error:
            raise CallValueError(caller, error.argument, *error.parts) from None
        if source.types[column] not in _INTEGERS:
            got = f"must be an integer, got {source.shown_type(column)}"
            raise CallValueError(caller, "spans", f"{column} of {source.label} {got}: cast it to BIGINT")
        offsets.append(f"try_cast({quote_name(column)} AS BIGINT)")
    start, end = offsets
    is_span = f"rankdcg_sql_is_span({quote_name(item)}, {start}, {end})"
    values = (f"rankdcg_sql_document({exact_column(item, document)})", start, end)
    fields = (
        f"{name} := CASE WHEN {is_span} THEN {value} END"
        for name, value in zip(_INTERVAL.split(", "), values, strict=True)
    )
    return ", ".join(fields)


def _with_items(source: Source, view: str, column: str) -> Source:
    """Return a table that has items in the column of documents, under another name."""
    return replace(source, view=view, types={**source.types, column: "VARCHAR"})
