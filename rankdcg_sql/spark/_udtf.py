"""Metrics of every user in Spark SQL, as a table function."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F  # noqa: N812 - the usual name
from pyspark.sql import types as st

from rankdcg_sql.evaluation._metrics import bundle

if TYPE_CHECKING:
    import pyarrow as pa

#: The name of the function, without a prefix.
_NAME = "rank_metrics_by_user"


def register_tables(spark: Any, prefix: str = "") -> None:
    """Register the table function ``rank_metrics_by_user`` with the SQL of a Spark session.

    Its argument is a table in which a row is a recommendation, with a score, or a judgement, with a
    relevance: the columns ``userid``, ``itemid``, ``score`` and ``rel``, in any order. All rows of a user
    must be in one partition, and a partition should have many users::

        SELECT * FROM rank_metrics_by_user(
            TABLE(SELECT userid, itemid, score, NULL AS rel FROM rec
                  UNION ALL SELECT userid, itemid, NULL, rel FROM truth)
            PARTITION BY pmod(hash(userid), 64), k => 10, options => 'gain=linear')

    ``k`` is a number, NULL for the whole list (the default), or an array of these. The result has a row for
    each user of either table and each k: ``userid`` as text, because Spark asks for its type before it knows
    the table; ``k``; and the metrics of ``rank_metrics``. Rows without a user are left out, and so are scores
    and relevances that are NULL or NaN.

    Parameters
    ----------
    spark : pyspark.sql.SparkSession
        A session, classic or of Spark Connect.
    prefix : str
        A text in front of the name.
    """
    fields = [st.StructField("userid", st.StringType()), st.StructField("k", st.LongType())]
    fields += [st.StructField(name, st.DoubleType()) for name in _metrics()]
    spark.udtf.register(f"{prefix}{_NAME}", F.arrow_udtf(_handler(), returnType=st.StructType(fields)))


def _metrics() -> list[str]:
    return [name for name in bundle().fields if name != "k"]


def _handler() -> type:
    """Make the class that executors run; a class within a function is pickled with its code."""

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
                raise ImportError(
                    f"rank_metrics_by_user: rankdcg_sql cannot be imported on this executor ({error}): "
                    "install its wheel and the packages that it needs on every executor, or ship it as an "
                    "archive (see docs/spark.md)"
                ) from error
            if self._batches:
                k, options = (None if each is None else each[0].as_py() for each in self._settings)
                yield evaluate_rows(self._batches, k, options)

    return RankMetricsByUser
