"""Files of the values of users: their formats, and how they are written."""

from __future__ import annotations

from pathlib import Path

import duckdb

from rankdcg_sql import _native
from rankdcg_sql._errors import CallOSError, CallValueError
from rankdcg_sql._sql import quote_text

#: The options of DuckDB's COPY statement, keyed by the ending of the file's name.
WRITERS = {
    ".parquet": "FORMAT parquet",
    ".csv": "FORMAT csv, HEADER",
    ".tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
    ".json": "FORMAT json, ARRAY",
    ".jsonl": "FORMAT json",
}


def write_values(values: duckdb.DuckDBPyRelation, path: str | Path) -> None:
    """Write values to a file in the format of its ending.

    Raises
    ------
    CallValueError
        If the name has an ending that is not one of `WRITERS`.
    CallOSError
        If the file cannot be written.
    """
    _native.check_text("write", "path", str(path))
    form = WRITERS.get(Path(path).suffix.lower())
    if form is None:
        raise CallValueError("write", "path", f"{str(path)!r} must end with {', '.join(WRITERS)}")
    try:
        values.query("values_of_users", f"COPY values_of_users TO {quote_text(str(path))} ({form})")
    except duckdb.IOException as error:
        raise CallOSError("write", "path", str(error)) from error
