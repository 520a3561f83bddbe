"""Metrics of every user in Spark SQL, as a table function."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F  # noqa: N812 - the usual name
from pyspark.sql import types as st

from rankdcg_sql.evaluation._metrics import bundle
from rankdcg_sql.spark._executors import missing_package

if TYPE_CHECKING:
    import pyarrow as pa

#: The name of the function, without a prefix.
_NAME = "rank_metrics_by_user"


def register_table_function(spark: Any, prefix: str) -> None:
    """Register ``rank_metrics_by_user``, which `register` describes, with `prefix` in front of its name."""
    fields = [st.StructField("userid", st.StringType()), st.StructField("k", st.LongType())]
    fields += [st.StructField(name, st.DoubleType()) for name in _metrics()]
    spark.udtf.register(f"{prefix}{_NAME}", F.arrow_udtf(_handler(), returnType=st.StructType(fields)))


def _metrics() -> list[str]:
    return [name for name in bundle().fields if name != "k"]


def _handler() -> type:
    """Make the class that executors run; a class within a function is pickled with its code."""
    missing = missing_package(_NAME)

    class RankMetricsByUser:
        def __init__(self) -> None:
            self._batches: list[pa.RecordBatch] = []
            self._settings: tuple[Any, Any] = None, None

        def eval(self, rows: Any, k: Any = None, options: Any = None) -> Iterator[Any]:
            self._batches.append(rows)
            self._settings = k, options
            return iter(())

        def terminate(self) -> Iterator[Any]:
            try:
                from rankdcg_sql.evaluation._partition import evaluate_rows
            except ImportError as error:
                raise ImportError(missing.format(error)) from error
            if self._batches:
                k, options = (None if each is None else each[0].as_py() for each in self._settings)
                yield evaluate_rows(self._batches, k, options)

    return RankMetricsByUser
