"""The functions of lists as user-defined functions of Spark over Arrow data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa
from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812 - the usual name

from rankdcg_sql import _native, catalogue
from rankdcg_sql._arguments import integer, integers
from rankdcg_sql._arguments import text as checked_text
from rankdcg_sql._errors import CallTypeError, CallValueError
from rankdcg_sql.spark._import_errors import import_errors
from rankdcg_sql.spark._versions import check_functions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pyspark.sql import SparkSession

#: A column: its name, or an expression.
ColumnOrName: TypeAlias = Column | str
#: The cutoff, in items from 1: a number for all rows, or a column; None is the whole list.
K: TypeAlias = int | Column | None
#: Several cutoffs; None is the whole list.
Ks: TypeAlias = Sequence[int | None] | Column


def register(spark: SparkSession, prefix: str = "") -> None:
    """Register the functions with the SQL of a Spark session.

    The functions of lists take what they take in DuckDB: lists of items of any type, k, and options as one
    text, also in the place of k. Arguments can be named: ``ndcg(rec, truth, k => 10)``. The values, the NULLs
    and the sentences of errors are those of DuckDB. Spark shows a sentence within a ``PythonException`` when
    a query runs.

    The aggregates of DuckDB (names that end in ``_agg`` or ``_rows``, and the statistics) take the rows of a
    group as one list of structs, whose fields are the arguments of the aggregate in order:
    ``ndcg_agg(array_agg(struct(score, rel, 10)))``. Such a list must fit into memory.

    The metrics of each user of two tables need no lists: see `rankdcg_sql.spark.evaluate`, whose lazy frame
    can be a view for SQL.

    Parameters
    ----------
    spark : pyspark.sql.SparkSession
        A session, classic or of Spark Connect. The functions are temporary functions of this session. Another
        call replaces them.
    prefix : str
        A text in front of every name, for sessions with functions of the same names. It has letters, digits
        and underscores only.

    Raises
    ------
    TypeError
        If `spark` is not a session, or `prefix` is not text.
    ValueError
        If `prefix` has other characters, or if PySpark or the session's Spark is older than 4.1.

    Notes
    -----
    The Python of each executor must have this package.

    Examples
    --------
    >>> rankdcg_sql.spark.register(spark)  # doctest: +SKIP
    >>> spark.sql("SELECT recall(array('a', 'b', 'c'), array('b', 'z'), k => 2)").first()[0]  # doctest: +SKIP
    0.5
    """
    if not hasattr(spark, "udf"):
        raise CallTypeError.about("register", "spark", f"must be a Spark session, got {type(spark).__name__}")
    if not isinstance(prefix, str):
        raise CallTypeError.about("register", "prefix", f"must be text, got {prefix!r}")
    if not re.fullmatch(r"\w*", prefix, re.ASCII):
        wanted = "must have letters, digits and underscores only"
        raise CallValueError.about("register", "prefix", f"{wanted}, got {prefix!r}")
    check_functions("register", spark)
    for name, function in catalogue.by_name().items():
        if not function.is_native_only:
            spark.udf.register(f"{prefix}{name}", _udf(name))


def column(
    name: str,
    columns: Iterable[ColumnOrName],
    k: K | Ks | str = None,
    options: Mapping[str, Any] | None = None,
) -> Column:
    """Return a column with the values of the function `name`.

    In place of k, a function of measures has their names.
    """
    check_functions(name)
    text = catalogue.options_text(options or {})
    cuts: list[int | None] = []
    arguments: list[ColumnOrName] = list(columns)
    if isinstance(k, Column):
        arguments.append(k)
    elif "measures" in catalogue.by_name()[name].arguments:
        arguments.append(F.lit(checked_text(name, "measures", k)))
    elif "ks" in catalogue.by_name()[name].arguments:
        cuts = integers(name, k, "a column")
        arguments.append(F.lit(cuts).cast("array<bigint>"))
    elif k is not None:
        cuts = [integer(name, k, "a column")]
        arguments.append(F.lit(cuts[0]))
    _native.check(name, [cut for cut in cuts if cut is not None], text)
    # Options may stand in the place of k.
    return _udf(name)(*arguments, *([F.lit(text)] if text else []))


def _udf(name: str) -> Any:
    """Make the user-defined function of Spark for the function `name` of the catalogue."""
    import_error = import_errors(name)

    # Spark pickles a nested function by value, so that an executor without the package can read it. Spark
    # takes named arguments from `**named`, and the kind of the function from the annotations.
    def call(*positional: pa.Array, **named: pa.Array) -> pa.Array:
        try:
            from rankdcg_sql._spark_calls import evaluate
        except (ImportError, MemoryError, OSError) as error:
            raise import_error(error) from error
        return evaluate(name, positional, named)

    call.__name__ = call.__qualname__ = name
    return F.arrow_udf(call, _ddl(catalogue.by_name()[name].result))


def _ddl(result: str) -> str:
    """Write the SQL type of a result as Spark does."""
    if result.endswith("[]"):
        return f"ARRAY<{_ddl(result[:-2])}>"
    return result.replace("(", "<").replace(")", ">")
