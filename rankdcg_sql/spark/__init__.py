"""Ranking evaluation on Spark: tables that lie there, and the functions of lists.

`evaluate` returns the metrics of each user as a lazy data frame of Spark. `rankdcg_sql.evaluate` and
`rankdcg_sql.compare` take data frames of Spark, too, and return means, intervals and tests.

`register` adds the functions to the SQL of a session. The module `rankdcg_sql.spark.functions` has the
functions of lists for the columns of data frames. All of them work in classic sessions and with Spark
Connect.
"""

from __future__ import annotations

try:
    from pyspark.sql.functions import arrow_udf as _  # noqa: F401
except ImportError as error:
    raise ImportError(
        "rankdcg_sql.spark needs PySpark 4.1 or later: pip install 'rankdcg_sql[spark]'"
    ) from error

from rankdcg_sql.spark._tables import evaluate
from rankdcg_sql.spark._udf import register

__all__ = ["evaluate", "register"]
