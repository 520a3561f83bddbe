"""Streams of Arrow data, which any library may give, copied into tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from rankdcg_sql.evaluation._tables.workspace import Workspace


def copy_stream(space: Workspace, given: Any, label: str, view: str) -> tuple[dict[str, str], int]:
    """Copy a stream into a table, as it can be read only once; only the columns that are read are kept.

    Return the types of all columns of the stream, and its number of rows.
    """
    import pyarrow as pa

    # A reader of pyarrow raises what its generator raised. Through the C interface, only the text would pass.
    is_reader = isinstance(given, pa.RecordBatchReader)
    reader = given if is_reader else pa.RecordBatchReader.from_stream(given)
    schema = reader.schema
    types, unreadable = _types(space, schema)
    kept = [place for place, name in enumerate(schema.names) if space.is_read(name)]
    for place in kept:
        if place in unreadable:
            column, kind = schema.names[place], schema.types[place]
            raise TypeError(
                f"{column} has the Arrow type {kind}, which DuckDB does not read: cast the column"
            )
    # Without any, one column keeps the number of rows.
    kept = kept or [place for place in range(len(schema)) if place not in unreadable][:1]
    rows = 0
    failed: list[BaseException] = []

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal rows
        try:
            for batch in reader:
                rows += batch.num_rows
                yield batch.select(kept)
        except (Exception, KeyboardInterrupt) as error:
            failed.append(error)
            raise

    name = space.own("stream")
    kept_schema = pa.schema([schema.field(place) for place in kept])
    space.con.register(name, pa.RecordBatchReader.from_batches(kept_schema, batches()))
    try:
        space.create("TABLE", view, f"FROM {name}", label)
    except duckdb.Error:
        # DuckDB's text has the name of the stream, and lines of the traceback.
        if failed:
            raise failed[0] from None
        raise
    finally:
        space.con.unregister(name)
    if not rows:
        raise ValueError("it has no rows, or had been read before")
    return types, rows


def _types(space: Workspace, schema: pa.Schema) -> tuple[dict[str, str], set[int]]:
    """Return the SQL types of columns by name, and the places of those whose types DuckDB does not read."""
    import pyarrow as pa

    name = space.own("columns")

    def of(part: pa.Schema) -> dict[str, str]:
        space.con.register(name, pa.RecordBatchReader.from_batches(part, []))
        types = space.types(name)
        space.con.unregister(name)
        return types

    try:
        return of(schema), set()
    except duckdb.NotImplementedException:
        types: dict[str, str] = {}
        unreadable = set()
        for place, field in enumerate(schema):
            try:
                types |= of(pa.schema([field]))
            except duckdb.NotImplementedException:
                types[field.name] = str(field.type)
                unreadable.add(place)
        return types, unreadable
