"""Ranking evaluation in Spark: the functions of lists in Spark SQL and for DataFrames.

`register` adds the functions to the SQL of a session. The module `rankdcg_sql.spark.functions` has the same
functions for the columns of DataFrames. Both work in classic sessions and with Spark Connect.
"""

from __future__ import annotations

try:
    from pyspark.sql.functions import arrow_udf as _  # noqa: F401
except ImportError as error:
    raise ImportError(
        "rankdcg_sql.spark needs PySpark 4.1 or later: pip install 'pyspark[sql]>=4.1'"
    ) from error

from rankdcg_sql.spark._udf import register

__all__ = ["register"]
