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
    kinds = _types(space, [*schema])
    kept = [place for place, name in enumerate(schema.names) if space.is_read(name)]
    for field in (schema.field(place) for place in kept if kinds[place] is None):
        raise TypeError(
            f"{field.name} has the Arrow type {field.type}, which DuckDB does not read: cast the column"
        )
    # Without any, one column keeps the number of rows.
    kept = kept or [place for place, kind in enumerate(kinds) if kind is not None][:1]
    rows = 0
    failed: list[BaseException] = []

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal rows
        try:
            for batch in reader:
                # Nothing else compares them, and another type would be read beyond its memory.
                if (batch.schema.names, batch.schema.types) != (schema.names, schema.types):
                    raise ValueError("a batch has other columns than the schema of its stream")
                rows += batch.num_rows
                yield batch.select(kept)
        except (Exception, KeyboardInterrupt, SystemExit) as error:
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
    return {field.name: kind or str(field.type) for field, kind in zip(schema, kinds, strict=True)}, rows


def _types(space: Workspace, fields: list[pa.Field]) -> list[str | None]:
    """Return the SQL type of each column; None for one whose type DuckDB does not read."""
    import pyarrow as pa

    name = space.own("columns")
    try:
        space.con.register(name, pa.RecordBatchReader.from_batches(pa.schema(fields), []))
        return [*space.types(name).values()]
    except duckdb.NotImplementedException:
        half = len(fields) // 2
        return _types(space, fields[:half]) + _types(space, fields[half:]) if half else [None]
    finally:
        space.con.unregister(name)
