"""Write the modules of functions from the catalogue: ``python tools/generate_functions.py``.

They are `rankdcg_sql/lists.py`, `rankdcg_sql/polars/_generated.py`, `rankdcg_sql/spark/functions.py`, and for
type checkers `rankdcg_sql/ibis/__init__.pyi`: the functions of Ibis are made when they are imported.
Spark is not needed: the results of its examples are those of Polars, and a test compares them with Spark's.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import replace
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import polars as pl
import writing_modules as modules
from writing_modules import Expression

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# An empty module replaces the generated one, which may be absent or out of date.
sys.modules["rankdcg_sql.polars._generated"] = ModuleType("rankdcg_sql.polars._generated")
sys.modules["rankdcg_sql.polars._generated"].__all__ = []

import rankdcg_sql.polars as rk  # noqa: E402
from rankdcg_sql import _lists  # noqa: E402
from rankdcg_sql.polars import _plugin  # noqa: E402

WRITTEN = """\
# Written by `make docs` from the catalogue: do not edit. The writer is tools/generate_functions.py.
# ruff: noqa: F403, F405
"""

OF_LISTS = '''\
"""The functions of lists for the lists of one ranking, which are objects of Python.

`rankdcg_sql` has each of them, too. A list is any iterable, such as a tuple or an array of NumPy. Truth may
also be a set of items, or a dict of their relevances. NULL is None. `rankdcg_sql.evaluate` is faster for
many rankings.

>>> import rankdcg_sql
>>> rankdcg_sql.ndcg(["a", "c", "b"], {"a": 3, "b": 1, "d": 2}, k=2)
0.7871546029909718
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankdcg_sql import _lists

if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Unpack

    from rankdcg_sql._lists import K, Ks, Values
    from rankdcg_sql._option_types import *
'''

OF_POLARS = '''\
"""The functions of `rankdcg_sql.polars`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from rankdcg_sql import _option_types
from rankdcg_sql._option_types import *
from rankdcg_sql.polars import _plugin
from rankdcg_sql.polars._plugin import Column, K, Ks

if TYPE_CHECKING:
    from typing_extensions import Unpack
'''

OF_SPARK = '''\
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

OF_IBIS = """\
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import ibis
import ibis.expr.types as ir
from typing_extensions import Unpack

from rankdcg_sql._option_types import *

#: A column: its name, an expression of Ibis, or a value for all rows.
Column: TypeAlias = str | ir.Value | ibis.Deferred | Iterable[Any] | Mapping[Any, Any] | float | None
#: The cutoff, in items from 1; None is the whole list.
K: TypeAlias = int | ir.Value | ibis.Deferred | None
#: Several cutoffs; None is the whole list.
Ks: TypeAlias = Sequence[int | None] | ir.Value | ibis.Deferred
#: A condition for the rows that count; None is all rows.
Where: TypeAlias = str | bool | ir.Value | ibis.Deferred | None
"""


def run_example(expression: Expression) -> tuple[str, str, dict[str, Any]]:
    """Make the frame of an example; return the statement for it, the call after it, and their names."""
    statement, call = (expression.of.examples.polars or "").split("\n")
    names: dict[str, Any] = {"pl": pl, "rk": rk}
    exec(statement, names)
    return statement, call, names


def result_type(result: str) -> str:
    """Return the type of a result in Python; `result` is its type in SQL."""
    one = "dict[str, Any]" if result.startswith("STRUCT") else "float"
    if not result.endswith("[]"):
        return f"{one} | None"
    return f"list[{one}{' | None' if one == 'float' else ''}] | None"


def list_function(expression: Expression) -> str:
    """Write the source of a function."""
    result = result_type(expression.of.result)
    engine = replace(PYTHON, result=result.replace(" | ", " or ").replace("dict[str, Any]", "dict"))
    return modules.function_text(expression, engine, "Values", result, "_lists.call")


def list_example(expression: Expression) -> str:
    """Write the example of a function with its result."""
    _, shown, names = run_example(expression)
    row = names["frame"].row(0, named=True)
    (asked,) = ast.parse(shown, mode="eval").body.args  # type: ignore[attr-defined]
    options = {each.arg: ast.literal_eval(each.value) for each in asked.keywords}
    k = options.pop(expression.cut, None)
    lists = [row[name] for name in expression.columns]
    if expression.form == "lists" and isinstance(lists[-1][0], dict):
        lists[-1] = {each["item"]: each["rel"] for each in lists[-1]}
    keywords = {**({expression.cut: k} if expression.cut else {}), **options}
    written = ", ".join([*map(repr, lists), *(f"{name}={value!r}" for name, value in keywords.items())])
    result = _lists.call(expression.name, lists, k, options)
    statement, result = modules.one_number(f"rankdcg_sql.{expression.name}({written})", result)
    return "\n".join([">>> import rankdcg_sql", modules.prompted(statement), repr(result)])


PYTHON = modules.Engine(
    column="iterable or None",
    k="int",
    ks="list of int",
    result="",
    number="A float",
    struct="A dict",
    list="A list",
    named=lambda expression: "",
    errors="A wrong argument is a ValueError or TypeError that names it.",
    example=list_example,
)


def call_of(expression: Expression) -> str:
    """Return the name of the function of `_plugin` that makes an expression."""
    if expression.spec.is_of_users:
        return "by_user"
    return "aggregate" if expression.of.is_aggregate else "evaluate"


def column_of_result(expression: Expression) -> str:
    """Return the name of the column of a result."""
    if expression.spec.is_of_users:
        return ""
    return f"{expression.of.base}@k" if expression.cut == "k" else expression.of.base


def polars_example(expression: Expression) -> str:
    """Write the example of a function with its result: a table for the rows of users, a value for others."""
    statement, call, names = run_example(expression)
    of_groups = expression.of.is_aggregate and expression.form != "sample"
    if expression.of.output == "value":
        call += ".rows()" if of_groups else ".item()"
    elif not expression.spec.is_of_users:
        call += ".row(0)[-1]" if of_groups else ".row(0)[0]"
    shown, result = modules.one_number(call, eval(call, names))
    lines = ["import polars as pl, rankdcg_sql.polars as rk", statement, shown]
    return "\n".join([*map(modules.prompted, lines), str(result)])


POLARS = modules.Engine(
    column="str, Expr, Series or list",
    k="int or Expr",
    ks="list of int, or Expr",
    result="Expr",
    number="Float64",
    struct="Struct",
    list="List",
    named=column_of_result,
    errors="A wrong argument is a ValueError, in a column a ComputeError.",
    example=polars_example,
    described_by="rankdcg_sql.",
)


def polars_module(path: Path) -> str:
    """Return the source of the module of Polars, with the functions as methods, too."""
    listed = modules.expressions()
    parts = [
        WRITTEN + OF_POLARS,
        modules.listing(["RankEval", *(each.name for each in listed)]) + "__all__ += _option_types.__all__\n",
        *(
            modules.function_text(each, POLARS, "Column", "pl.Expr", f"_plugin.{call_of(each)}")
            for each in listed
        ),
        '@pl.api.register_expr_namespace("rank_eval")\n'
        "class RankEval:\n"
        '    """The functions as methods: ``pl.col("rec").rank_eval.ndcg("truth", k=10)``.\n\n'
        '    A type checker that does not know the namespace knows ``RankEval(pl.col("rec"))``.\n'
        '    """\n\n'
        "    def __init__(self, expr: pl.Expr) -> None:\n        self._expr = expr\n\n"
        + "".join(f"    {each.name} = _plugin.method({each.name})\n" for each in listed),
    ]
    return modules.formatted(path, "\n\n".join(parts))


def add_functions() -> None:
    """Add functions without types to `rankdcg_sql.polars`, for the examples in the docstrings to run."""
    for expression in modules.expressions():
        call = getattr(_plugin, call_of(expression))

        def bare(*columns: str, _call=call, _of=expression, **given) -> pl.Expr:
            cut = given.pop(_of.cut, None)
            return _call(_of.name, columns, cut, given)

        setattr(rk, expression.name, bare)


def spark_example(expression: Expression) -> str:
    """Write the example of a function with its result."""
    _, call, names = run_example(expression)
    frame = names["frame"]
    *columns, last = [f"{name} {spark_type(of)}" for name, of in frame.schema.items()]
    schema = repr(", ".join([*columns, last]))
    if len(schema) > 100:  # a text for the last column alone, so that a line can end before it
        schema = f"{', '.join([*columns, ''])!r} {last!r}"
    lines = [
        "from rankdcg_sql.spark import functions as F",
        f"frame = spark.createDataFrame({frame.rows()!r}, {schema})",
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
    example=spark_example,
)


def module_of_lists(path: Path, head: str, write: Callable[[Expression], str]) -> str:
    """Return the source of a module with the functions of lists, each of which `write` writes."""
    listed = [each for each in modules.expressions() if not each.of.is_aggregate]
    names = modules.listing(each.name for each in listed)
    return modules.formatted(path, "\n\n".join([WRITTEN + head, names, *map(write, listed)]))


def ibis_stub(path: Path) -> str:
    """Return the source of the stub of the module of Ibis."""
    parts = [WRITTEN + OF_IBIS, modules.listing(each.name for each in modules.every())]
    for each in modules.every():
        columns = [f"{name}: Column" for name in each.columns]
        arguments = modules.signature(each, columns)
        if each.of.is_aggregate:
            arguments = arguments.replace(", **", ", *, where: Where = None, **")
        shape = "Scalar" if each.of.is_aggregate else "Value"
        kind = "Array" if each.of.result.endswith("]") else "Struct" if each.of.fields else "Floating"
        parts.append(f"def {each.name}({arguments}) -> ir.{kind}{shape}: ...")
    return modules.formatted(path, "\n".join(parts))


if __name__ == "__main__":
    add_functions()
    spark_function = partial(
        modules.function_text, engine=SPARK, column="ColumnOrName", result="Column", call="column"
    )
    lists, polars, spark, ibis = (
        modules.PACKAGE / name
        for name in ("lists.py", "polars/_generated.py", "spark/functions.py", "ibis/__init__.pyi")
    )
    modules.write_or_check(
        {
            lists: module_of_lists(lists, OF_LISTS, list_function),
            polars: polars_module(polars),
            spark: module_of_lists(spark, OF_SPARK, spark_function),
            ibis: ibis_stub(ibis),
        }
    )
