"""The tables of ``--engine spark``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any

import click
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.types import StringType, StructField, StructType

#: The options with which Spark reads files, keyed by the formats that names of files end with.
_FORMATS: dict[str, dict[str, Any]] = {
    "csv": {"header": True, "inferSchema": True},
    "json": {},
    "orc": {},
    "parquet": {},
}


@contextmanager
def open_tables(arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Open the tables among the arguments of a call, in the session that Spark's own settings describe."""
    try:
        session = SparkSession.builder.getOrCreate()
        numeric = {name.lower() for name in (arguments["score"], arguments["rel"]) if name}
        opened: dict[str, Any] = {
            name: _open(session, arguments[name], numeric)
            for name in ("truth", "rec", "before_truth", "before_rec")
            if arguments.get(name) is not None
        }
        if "recs" in arguments:
            recs = arguments["recs"]
            opened["recs"] = {name: _open(session, table, numeric) for name, table in recs.items()}
        yield {**arguments, **opened, "spark": session}
    except (PySparkException, Py4JJavaError) as error:  # the latter for a file system that is not there
        text = str(error.java_exception) if isinstance(error, Py4JJavaError) else str(error)
        raise click.ClickException(text.partition("\n")[0]) from error


def spark_version() -> str:
    """Return the version of Spark, which Spark Connect's server has."""
    return str(SparkSession.builder.getOrCreate().version)


def _open(session: SparkSession, table: str, numeric: set[str]) -> Any:
    """Read a file or a folder; the name of a table is returned as it is.

    Columns of CSV files are texts, except those whose names in lower case are in `numeric`.
    """
    endings = [ending[1:].lower() for ending in PurePosixPath(table).suffixes]
    kind = next((ending for ending in endings if ending in _FORMATS), None)
    if kind:
        frame = session.read.load(table, kind, **_FORMATS[kind])
        if kind == "csv":
            # Spark would read ids such as 007 and 1d as numbers, and 7 and 007 would be one.
            fields = [(column.name, column.dataType) for column in frame.schema.fields]
            types = [
                (name, inferred if name.lower() in numeric else StringType()) for name, inferred in fields
            ]
            schema = StructType([StructField(*field) for field in types])
            frame = session.read.load(table, kind, schema=schema, header=True)
        return frame
    # A path without a known ending has Spark's default format.
    return session.read.load(table) if "/" in table else table
