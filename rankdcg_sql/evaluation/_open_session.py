"""The session in which the tables of a call are evaluated: on DuckDB or on Spark."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rankdcg_sql._errors import Argument, CallTypeError, CallValueError, shown
from rankdcg_sql.evaluation._computing.session import Session
from rankdcg_sql.evaluation._tables.columns import Columns
from rankdcg_sql.evaluation._tables.objects import is_on_spark


def open_session(
    caller: str,
    truth: Any,
    recs: Iterable[Any],
    columns: Columns,
    con: Any,
    progress: bool,
    spark: Any,
    partitions: int | None,
    segments: Any = None,
) -> Session:
    """Open truth for the tables of recommendations `recs`, on Spark if any table is there.

    Raises
    ------
    CallValueError, CallTypeError
        If an argument is not for tables of this kind, or if truth cannot be opened.
    """
    systems = list(recs)
    if not isinstance(progress, bool):
        wanted = f" must be True or False, got {shown(progress)}"
        raise CallTypeError(caller, "progress", Argument("progress"), wanted)
    if segments is not None and not columns.by:
        unused = " has the segments of users, and its columns must be named with "
        raise CallValueError(caller, "segments", Argument("segments"), unused, Argument("by"))
    if spark is None and not any(map(is_on_spark, [truth, *systems])):
        if partitions is not None:
            wanted = " is for tables on Spark, of which there are none, got "
            raise CallValueError(caller, "partitions", Argument("partitions"), f"{wanted}{partitions!r}")
        return Session(caller, truth, columns, len(systems), con, progress, segments)
    if con is not None:
        wanted = " is for tables of DuckDB, and tables of this call are on Spark"
        raise CallValueError(caller, "con", Argument("con"), wanted)
    if segments is not None:
        wanted = " is for tables of DuckDB: on Spark, join the segments with truth"
        raise CallValueError(caller, "segments", Argument("segments"), wanted)
    check_spark(caller, spark)
    from rankdcg_sql.spark._session import SessionOnSpark

    return SessionOnSpark(caller, truth, columns, len(systems), spark, partitions)


def check_spark(caller: str, spark: Any) -> None:
    """Check that `spark` is a session of Spark or None, without an import of PySpark."""
    if spark is not None and not callable(getattr(spark, "table", None)):
        wanted = f" must be a session of Spark, got {type(spark).__name__}"
        raise CallTypeError(caller, "spark", Argument("spark"), wanted)
