"""The forms of functions, stated a second time, so that the catalogue can be tested against it."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING

import rankdcg_sql

if TYPE_CHECKING:
    from types import ModuleType

    from rankdcg_sql import Function

#: Metrics of which a state keeps what it keeps for others, such as the gains of ERR for SDCG. Tests of states
#: leave them out, because each function costs them a tenth of a second or more.
KEPT_AS_OTHERS = {
    "nerr", "nearly_err", "sdcg", "bpm", "insq", "inst", "q_measure", "iprec", "eleven_point_average",
    "relative_precision", "utility", "inf_ap", "rbp_residual",
}  # fmt: skip


@dataclass(frozen=True)
class Form:
    """A layout of arguments."""

    #: The names of the inputs, which come before k and the options. Statistics name their own.
    inputs: tuple[str, ...] = ()
    #: Correct inputs in SQL.
    call: str = ""
    is_aggregate: bool = False
    #: Whether the type of the result is that of an argument.
    is_native_only: bool = False
    #: Whether Polars has expressions.
    has_expression: bool = True


FORMS = {
    "lists": Form(("rec", "truth"), "[1, 2], MAP {1: 2, 2: 1}"),
    "rels": Form(("rels",), "[2, 1]"),
    "scored": Form(("scores", "rels"), "[2, 1], [1, 2]"),
    "agg": Form(("score", "rel"), "2, 1", is_aggregate=True),
    "rows": Form(("item", "score", "rel"), "1, 2, 1", is_aggregate=True, has_expression=False),
    "by_user": Form(("userid", "item", "score", "rel"), "1, 1, 2, 1", is_aggregate=True, is_native_only=True),
    "rec": Form(("item", "score"), "1, 2", is_aggregate=True, is_native_only=True, has_expression=False),
    "sample": Form(is_aggregate=True),
    "p_values": Form(("p_values",), "[0.5, 0.25]"),
    "users": Form(("user_values",), "[0.5, 0.25]"),
    "blocks": Form(("blocks",), "[[0.5, 0.25, 1]]"),
    "values": Form(("values",), "[1, 1, NULL]"),
    "rankings": Form(("a", "b"), "[1, 2, 3], [3, 1, 4, 2]"),
    "aspects": Form(("rec", "truth"), "[1, 2], [{'item': 2, 'aspect': 1}]"),
    "items": Form(("rec", "truth", "items"), "[[1, 2]], [[2]], [{'item': 2}]"),
    "spans": Form(("rec", "truth"), has_expression=False),
}


def inputs(function: Function) -> tuple[str, ...]:
    """The names of the arguments before k and the options."""
    return FORMS[function.form].inputs or function.arguments[:-1]


def call(function: Function, *more: str, name: str = "") -> str:
    """A call with correct inputs, a list of k if there must be one, and further arguments.

    It has one of the names of the function, the first unless another one is given.
    """
    values = FORMS[function.form].call or ", ".join(map(str, range(len(inputs(function)))))
    several = ["[1]"] if "ks" in function.arguments else []
    return f'"{name or function.name}"({", ".join([values, *several, *more])})'


def assert_same_arguments(module: ModuleType, name: str) -> None:
    """Check that a function has the arguments of the one of `rankdcg_sql`, to which its docstring refers."""
    function, of_lists = getattr(module, name), getattr(rankdcg_sql, name)
    arguments, others = (inspect.signature(each).parameters for each in (function, of_lists))
    assert [(each.name, each.kind, each.default) for each in arguments.values()] == [
        (each.name, each.kind, each.default) for each in others.values()
    ]
    assert arguments["options"].annotation == others["options"].annotation
    assert f"As in `rankdcg_sql.{name}`." in str(function.__doc__)
