"""Ranking evaluation on Spark: tables that lie there, and the functions of lists.

`evaluate` returns the metrics of each user as a lazy data frame of Spark, and `explain` the items of which
the values of a metric are made. `rankdcg_sql.evaluate` and `rankdcg_sql.compare` take data frames of Spark,
too, and return means, intervals and tests.

`register` adds the functions to the SQL of a session. The module `rankdcg_sql.spark.functions` has the
functions of lists for the columns of data frames. All of them work in classic sessions and with Spark
Connect: tables from PySpark 3.5 on, and functions from 4.1 on.
"""

from __future__ import annotations

from rankdcg_sql.spark._versions import check_pyspark

check_pyspark()  # before the modules that import PySpark

from rankdcg_sql.spark._tables import evaluate, explain  # noqa: E402
from rankdcg_sql.spark._udf import register  # noqa: E402

__all__ = ["evaluate", "explain", "register"]
