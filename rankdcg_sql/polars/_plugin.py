"""Polars expressions that call functions of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec

import polars as pl
from polars.plugins import register_plugin_function

from rankdcg_sql import _native, catalogue
from rankdcg_sql._arguments import integer, integers, text
from rankdcg_sql._errors import CallTypeError

#: A column: its name, an expression, a series, or a list. A function of lists takes the list in every row.
Column = str | pl.Expr | pl.Series | Sequence[Any]
#: The cutoff, in items from 1: a number for all rows, or an expression; None is the whole list.
K = int | pl.Expr | None
#: Several cutoffs; None is the whole list.
Ks = Sequence[int | None] | pl.Expr

#: The arguments of a function but the first.
Others = ParamSpec("Others")

#: In errors, what a cutoff may be that is no number.
EXPRESSION = "an expression"


def evaluate(
    function: str, columns: Iterable[Column], k: K | Ks | str = None, options: Mapping[str, Any] | None = None
) -> pl.Expr:
    """Return an expression that evaluates `function` on columns of lists, row by row.

    In place of k, a function of measures has their names.

    Raises
    ------
    CallTypeError
        If all columns are lists and k is no expression, as if the function were that of lists.
    """
    given = list(columns)
    is_column = [isinstance(value, str | pl.Expr | pl.Series | None) for value in given]
    if not (any(is_column) or isinstance(k, pl.Expr)):
        raise CallTypeError(
            function,
            None,
            "returns an expression, and needs a column: for the value of lists, call "
            f"rankdcg_sql.{function}, or make an expression of a list by pl.lit([...])",
        )
    return _expression(function, [column(value) for value in given], k, options)


def aggregate(
    function: str, columns: Iterable[Column], k: K | Ks = None, options: Mapping[str, Any] | None = None
) -> pl.Expr:
    """Return an expression that evaluates `function` on the rows of each group.

    The rows of a group become lists, so that one call evaluates all groups.
    """
    lists = [_rows(rows).implode() for rows in columns]
    if isinstance(k, pl.Expr):
        # Without the extension by nothing, Polars 1.28 does not implode a scalar of a group into a list.
        ks = k.extend_constant(None, 0).implode()
        return _expression(function, lists, ks, options, grouped_k=True)
    return _expression(function, lists, k, options)


def by_user(
    function: str, columns: Iterable[Column], k: K | Ks | str = None, options: Mapping[str, Any] | None = None
) -> pl.Expr:
    """Return an expression that evaluates `function` on all rows, with a struct for each user and k.

    In place of k, a function of measures has their names.
    """
    return _expression(function, [_rows(rows) for rows in columns], k, options, symbol="by_user")


def method(
    function: Callable[Concatenate[Column, Others], pl.Expr],
) -> Callable[Concatenate[Any, Others], pl.Expr]:
    """Return a function as a method of a namespace, whose expression is the first column of the function."""
    of_function = signature(function)
    first, *others = of_function.parameters.values()

    @wraps(function)
    def call(self: Any, /, *args: Others.args, **named: Others.kwargs) -> pl.Expr:
        return function(self._expr, *args, **named)

    call.__doc__ = f"Evaluate `{function.__name__}` with this expression as `{first.name}`."
    myself = first.replace(name="self", annotation=first.empty)
    call.__signature__ = of_function.replace(parameters=[myself, *others])  # type: ignore[attr-defined]
    return call


def _expression(
    name: str,
    columns: list[pl.Expr],
    k: K | Ks | str,
    options: Mapping[str, Any] | None,
    *,
    grouped_k: bool = False,
    symbol: str = "evaluate",
) -> pl.Expr:
    """Return the expression of the function `name`, which `register` makes with `symbol`.

    The expression's name is that of the metric, with a fixed k, as in ``ndcg@5``. `grouped_k` is whether k is
    a column with a list for each group, of the k of its rows.
    """
    written = catalogue.options_text(options or {})
    function = catalogue.expressions()[name]
    output = function.base
    keywords: dict[str, Any] = {"k": None, "ks": None, "grouped_k": grouped_k}
    if isinstance(k, pl.Expr):
        columns = [*columns, k]
    elif "measures" in function.arguments:
        keywords["measures"] = text(name, "measures", k)
    elif "ks" in function.arguments:
        keywords["ks"] = integers(name, k, EXPRESSION)
    elif k is not None:
        keywords["k"] = integer(name, k, EXPRESSION)
        output = f"{output}@{k}"
    cuts = keywords["ks"] or [keywords["k"]]
    _native.check(name, [cut for cut in cuts if cut is not None], written)
    keywords |= {"name": name, "options": written or None}
    if symbol == "evaluate":
        return register(symbol, columns, keywords, is_elementwise=True).alias(output)
    keywords["threads"] = pl.thread_pool_size()
    for what, ids in zip(("user", "item"), columns, strict=False):
        keywords[what] = ids.meta.output_name(raise_if_undetermined=False)
    return register(symbol, columns, keywords, changes_length=True).alias(output)


def register(symbol: str, columns: list[pl.Expr], keywords: dict[str, Any], **flags: bool) -> pl.Expr:
    """Return an expression that calls the plugin function whose name in the library is a prefix and `symbol`.

    Polars adds the prefix. `flags` are those of `register_plugin_function`.
    """
    return register_plugin_function(
        plugin_path=_native.extension_path(),
        function_name=symbol,
        args=columns,
        kwargs=keywords,
        use_abs_path=True,
        **flags,
    )


def column(name: Column) -> pl.Expr:
    """Return a column as an expression. A list is one value, which every row has."""
    if isinstance(name, pl.Expr):
        return name
    return pl.col(name) if isinstance(name, str) else pl.lit(name)


def _rows(rows: Column) -> pl.Expr:
    """Return a column with one value per row; a list is the whole column here, not one value."""
    return column(rows if isinstance(rows, pl.Expr | pl.Series | str) else pl.Series(rows))
