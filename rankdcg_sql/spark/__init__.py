"""Ranking metrics on Spark: tables that one machine cannot hold are evaluated by the executors.

`evaluate` returns the metrics of each user as a lazy data frame of Spark. `rankdcg_sql.evaluate` and
`rankdcg_sql.compare` take data frames of Spark, too, and return means, intervals and tests.
"""

from __future__ import annotations

try:
    from pyspark.sql.functions import arrow_udtf as _  # noqa: F401
except ImportError as error:
    raise ImportError(
        "rankdcg_sql.spark needs PySpark 4.1 or later: pip install 'pyspark[sql]>=4.1'"
    ) from error

from rankdcg_sql.spark._tables import evaluate
from rankdcg_sql.spark._udtf import register_tables

__all__ = ["evaluate", "register_tables"]
