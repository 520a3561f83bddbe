"""Write `rankdcg_sql/spark/functions.py` from the catalogue: ``python tools/generate_spark.py``.

It needs no Spark: the results of the examples are those of Polars, and a test compares them with Spark's.
"""

from __future__ import annotations

from typing import Any

import polars as pl
import writing_modules as modules
from writing_modules import Expression

import rankdcg_sql.polars as rk

MODULE = modules.PACKAGE / "spark" / "functions.py"

HEAD = '''\
# Written by `make docs` from the catalogue of functions: do not edit. The writer is tools/generate_spark.py.
# ruff: noqa: F403, F405
"""The functions of lists for the columns of Spark's DataFrames.

>>> from rankdcg_sql.spark import functions as F
>>> frame = spark.sql("SELECT array('a', 'c', 'b') AS rec, array('a', 'b', 'd') AS truth")
>>> frame.select(F.ndcg("rec", "truth", k=2)).first()[0]
0.6131471927654584
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankdcg_sql.spark._udf import column

if TYPE_CHECKING:
    from pyspark.sql import Column
    from typing_extensions import Unpack

    from rankdcg_sql._option_types import *
    from rankdcg_sql.spark._udf import ColumnOrName, K, Ks
'''


def function_text(expression: Expression) -> str:
    """Write the source of a function."""
    return modules.function_text(expression, SPARK, "ColumnOrName", "Column", "column")


def example(expression: Expression) -> str:
    """Write the example of a function with its result."""
    statement, call = (expression.of.examples.polars or "").split("\n")
    names: dict[str, Any] = {"pl": pl, "rk": rk}
    exec(statement, names)
    frame = names["frame"]
    schema = ", ".join(f"{name} {spark_type(of)}" for name, of in frame.schema.items())
    lines = [
        "from rankdcg_sql.spark import functions as F",
        f"frame = spark.createDataFrame({frame.rows()!r}, {schema!r})",
    ]
    result = eval(call, names).item()
    if isinstance(result, pl.Series):
        result = result.to_list()
    shown, result = modules.one_number(f"{call.replace('rk.', 'F.')}.first()[0]", result)
    return "\n".join([*map(modules.prompted, [*lines, shown]), repr(result)])


def spark_type(of: pl.DataType) -> str:
    """Write a type of Polars as Spark does."""
    if isinstance(of, pl.List):
        return f"array<{spark_type(of.inner)}>"
    if isinstance(of, pl.Struct):
        return f"struct<{', '.join(f'{each.name}: {spark_type(each.dtype)}' for each in of.fields)}>"
    return {pl.Int64: "bigint", pl.Float64: "double", pl.String: "string"}[type(of)]


SPARK = modules.Engine(
    column="str or Column",
    k="int or Column",
    ks="list of int, or Column",
    result="Column",
    number="Double",
    struct="Struct",
    list="Array",
    named=lambda expression: "",
    errors="A wrong one is a ValueError, in a column a PythonException.",
    described_by="rankdcg_sql.",
    example=example,
)


if __name__ == "__main__":
    modules.write_module_of_lists(MODULE, HEAD, function_text)
