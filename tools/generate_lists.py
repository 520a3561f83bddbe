"""Write `rankdcg_sql/lists.py` from the catalogue: ``python tools/generate_lists.py``."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

import polars as pl
import writing_modules as modules
from writing_modules import Expression

from rankdcg_sql import _lists

MODULE = modules.PACKAGE / "lists.py"

HEAD = '''\
# Written by `make docs` from the catalogue of functions: do not edit. The writer is tools/generate_lists.py.
# ruff: noqa: F403, F405
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


def result_type(result: str) -> str:
    """Return the type of a result in Python; `result` is its type in SQL."""
    one = "dict[str, Any]" if result.startswith("STRUCT") else "float"
    if not result.endswith("[]"):
        return f"{one} | None"
    return f"list[{one}{' | None' if one == 'float' else ''}] | None"


def function_text(expression: Expression) -> str:
    """Write the source of a function."""
    result = result_type(expression.of.result)
    engine = replace(PYTHON, result=result.replace(" | ", " or ").replace("dict[str, Any]", "dict"))
    return modules.function_text(expression, engine, "Values", result, "_lists.call")


def example(expression: Expression) -> str:
    """Write the example of a function with its result."""
    statement, shown = (expression.of.examples.polars or "").split("\n")
    names: dict[str, Any] = {"pl": pl}
    exec(statement, names)
    row = names["frame"].row(0, named=True)
    (asked,) = ast.parse(shown, mode="eval").body.args  # type: ignore[attr-defined]
    options = {each.arg: ast.literal_eval(each.value) for each in asked.keywords}
    k = options.pop(expression.cut, None)
    lists = [row[name] for name in expression.columns]
    if isinstance(lists[-1][0], dict):
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
    example=example,
)


if __name__ == "__main__":
    modules.write_module_of_lists(MODULE, HEAD, function_text)
