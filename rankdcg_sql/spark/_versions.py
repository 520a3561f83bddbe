"""The versions of PySpark and of Spark, and what each has of what this package calls."""

from __future__ import annotations

import re
from typing import Any

from rankdcg_sql._errors import CallValueError

#: From this version on, Spark has functions over Arrow data.
_FUNCTIONS_SINCE = 4, 1


def check_pyspark() -> None:
    """Raise an error if PySpark is missing, or too old for tables."""
    try:
        import pyspark
    except ImportError as error:
        raise ImportError(
            "rankdcg_sql.spark needs PySpark 3.5 or later, and there is none: "
            "pip install 'rankdcg_sql[spark]'"
        ) from error
    try:
        # Version 3.5 has it first. The version of databricks-connect is another number.
        from pyspark.sql.functions import udtf as _  # noqa: F401
    except ImportError as error:
        raise ImportError(
            f"rankdcg_sql.spark needs PySpark 3.5 or later, and this is PySpark {pyspark.__version__}: "
            "take a newer runtime of the cluster, or elsewhere pip install 'rankdcg_sql[spark]'"
        ) from error


def check_functions(caller: str, spark: Any = None) -> None:
    """Raise an error if PySpark, or the Spark of a session, is too old for the functions of lists."""
    import pyspark
    from pyspark.sql import functions

    since = ".".join(map(str, _FUNCTIONS_SINCE))
    advice = "; rankdcg_sql.evaluate and compare take tables from 3.5 on, and need no functions"
    if not hasattr(functions, "arrow_udf"):
        needs = (
            f"the functions of lists need PySpark {since} or later, and this is PySpark {pyspark.__version__}"
        )
        raise CallValueError(caller, None, needs + advice)
    # With Spark Connect, the server has a version of its own.
    version = re.match(r"(\d+)\.(\d+)", spark.version) if spark is not None else None
    if version and tuple(map(int, version.groups())) < _FUNCTIONS_SINCE:
        wanted = f"must be a session of Spark {since} or later, got one of {spark.version}"
        raise CallValueError.about(caller, "spark", wanted + advice)
