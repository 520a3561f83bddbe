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

#: The options with which Spark reads files, keyed by the formats that names of files end with.
_FORMATS: dict[str, dict[str, Any]] = {
    "csv": {"header": True, "inferSchema": True},
    "json": {},
    "orc": {},
    "parquet": {},
}


@contextmanager
def open_tables(arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Open the tables among the arguments of a call, in the session that Spark's own settings describe.

    Raises
    ------
    click.ClickException
        If Spark cannot start, cannot read a table, or cannot evaluate it.
    """
    try:
        session = SparkSession.builder.getOrCreate()
        opened: dict[str, Any] = {
            name: _open(session, arguments[name]) for name in ("truth", "rec") if name in arguments
        }
        if "recs" in arguments:
            opened["recs"] = {name: _open(session, table) for name, table in arguments["recs"].items()}
        yield {**arguments, **opened, "spark": session}
    except (PySparkException, Py4JJavaError) as error:  # the latter for a file system that is not there
        text = str(error.java_exception) if isinstance(error, Py4JJavaError) else str(error)
        raise click.ClickException(text.partition("\n")[0]) from error


def _open(session: SparkSession, table: str) -> Any:
    """Read a path; the name of a table stays as it is."""
    endings = [ending[1:].lower() for ending in PurePosixPath(table).suffixes]
    kind = next((ending for ending in endings if ending in _FORMATS), None)
    if kind:
        return session.read.load(table, kind, **_FORMATS[kind])
    return session.read.load(table) if "/" in table else table
