"""Write `rankdcg_sql/polars/_generated.py` from the catalogue: ``python tools/generate_polars.py``."""

from __future__ import annotations

import sys
from types import ModuleType

import polars as pl
import writing_modules as modules
from writing_modules import Expression

# An empty module replaces the generated one, which may be absent or out of date.
sys.modules["rankdcg_sql.polars._generated"] = ModuleType("rankdcg_sql.polars._generated")
sys.modules["rankdcg_sql.polars._generated"].__all__ = []

import rankdcg_sql.polars as rk  # noqa: E402
from rankdcg_sql.polars import _plugin  # noqa: E402

MODULE = modules.PACKAGE / "polars" / "_generated.py"

HEAD = '''\
# Written by `make docs` from the catalogue of functions: do not edit. The writer is tools/generate_polars.py.
# ruff: noqa: F403, F405
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


def call_of(expression: Expression) -> str:
    """Return the name of the function of `_plugin` that makes an expression."""
    if expression.spec.is_of_users:
        return "by_user"
    return "aggregate" if expression.of.is_aggregate else "evaluate"


def function_text(expression: Expression) -> str:
    """Write the source of a function."""
    return modules.function_text(expression, POLARS, "Column", "pl.Expr", f"_plugin.{call_of(expression)}")


def named(expression: Expression) -> str:
    """Return the name of the column of a result."""
    if expression.spec.is_of_users:
        return ""
    return f"{expression.of.base}@k" if expression.cut == "k" else expression.of.base


def example(expression: Expression) -> str:
    """Write the example of a function with its result: a table for the rows of users, a value for others."""
    statement, call = (expression.of.examples.polars or "").split("\n")
    names = {"pl": pl, "rk": rk}
    exec(statement, names)
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
    named=named,
    errors="A wrong argument is a ValueError, in a column a ComputeError.",
    example=example,
    described_by="rankdcg_sql.",
)


def text() -> str:
    """Return the source of the module."""
    listed = modules.expressions()
    parts = [
        HEAD,
        modules.listing(["RankEval", *(each.name for each in listed)]) + "__all__ += _option_types.__all__\n",
        *map(function_text, listed),
        '@pl.api.register_expr_namespace("rank_eval")\n'
        "class RankEval:\n"
        '    """The functions as methods: ``pl.col("rec").rank_eval.ndcg("truth", k=10)``.\n\n'
        '    A type checker that does not know the namespace knows ``RankEval(pl.col("rec"))``.\n'
        '    """\n\n'
        "    def __init__(self, expr: pl.Expr) -> None:\n        self._expr = expr\n\n"
        + "".join(f"    {each.name} = _plugin.method({each.name})\n" for each in listed),
    ]
    return modules.formatted(MODULE, "\n\n".join(parts))


def add_functions() -> None:
    """Add functions without types to `rankdcg_sql.polars`, for the examples in the docstrings to run."""
    for expression in modules.expressions():
        call = getattr(_plugin, call_of(expression))

        def bare(*columns: str, _call=call, _name=expression.name, k=None, ks=None, **options) -> pl.Expr:
            return _call(_name, columns, k or ks, options)

        setattr(rk, expression.name, bare)


if __name__ == "__main__":
    add_functions()
    modules.write_or_check({MODULE: text()})
