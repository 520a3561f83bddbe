"""Write `rankdcg_sql/polars/_generated.py` from the catalogue: ``python tools/generate_polars.py``.

The module has real functions and methods, so that editors and type checkers see them. Their names, types and
docstrings come from the catalogue.
"""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill, indent
from types import ModuleType

import polars as pl

import rankdcg_sql

# An empty module replaces the generated one, which may be absent or out of date.
sys.modules["rankdcg_sql.polars._generated"] = ModuleType("rankdcg_sql.polars._generated")
sys.modules["rankdcg_sql.polars._generated"].__all__ = []

import rankdcg_sql.polars as rk  # noqa: E402
from rankdcg_sql.catalogue import expressions as expressions_by_name  # noqa: E402
from rankdcg_sql.polars import _plugin  # noqa: E402

RUFF = Path(sys.executable).with_name("ruff")
MODULE = Path(__file__).resolve().parents[1] / "rankdcg_sql" / "polars" / "_generated.py"

HEAD = '''\
# Written by `make docs` from the catalogue of functions: do not edit. The writer is tools/generate_polars.py.
"""The functions of `rankdcg_sql.polars`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypedDict

import polars as pl

from rankdcg_sql.polars import _plugin
from rankdcg_sql.polars._plugin import Column, K, Ks

if TYPE_CHECKING:
    from typing_extensions import Unpack
'''

RAISES = """\
ValueError
    For {}an option that there is not, or a value that it does not take.
polars.exceptions.ComputeError
    While the query runs, with a sentence that names the argument: for types that do not fit, and for
    values that are {}."""

#: The sentences about repeated rows of a group, for the notes of functions named ``_agg``.
REPEATS = (
    "One row per user and item: each row is an item of its own. A join multiplies rows that repeat a user "
    "and an item: make tables unique first. "
)
#: The sentences about the rows of a group, for the notes of functions named ``_by_user``.
BOTH = (
    "Each row is a recommendation, with a score, or a judgement, with a relevance: put the rows of both "
    "frames one after the other with ``pl.concat``. `evaluate_frames` takes the two frames as they are, and "
    "needs less memory. If rows repeat an item of a user, it counts once: with its largest score, and with "
    "its one relevance. "
)
#: The condition under which a metric is NULL, for metrics whose condition is not "nothing is relevant".
UNDECIDED = {
    "rankdcg": "all relevances are equal",
    "roc_auc": "all items are relevant, or none",
    "kendall_tau": "all scores are equal, or all relevances",
}
#: The Python types that options accept besides named values.
OTHER_TYPES = {
    "gain": ["Sequence[float]"],
    "min_rel": ["float", "None"],
    "p": ["float"],
    "max_rel": ["float", "None"],
    "confidence": ["float"],
    "resamples": ["int"],
    "seed": ["int"],
    "tolerance": ["float"],
}
#: The name of the TypedDict of `ties` for forms whose values differ from those of lists.
TIES = {"agg": "_TiesAgg", "by_user": "_TiesByUser"}
#: The beginnings of values that the aggregates do not take: rows have no order, and scores alone no item.
WITHOUT = {"agg": ("item_", "input_order"), "by_user": ("input_order",)}
#: The function of `_plugin` that makes an expression, for forms that are not evaluated row by row.
CALLS = {"agg": "aggregate", "sample": "aggregate", "by_user": "by_user"}
#: The values that a function refuses, for functions without relevances.
REFUSED = {"sample": "not finite", "p_values": "not from 0 to 1"}


@dataclass(frozen=True)
class Expression:
    """A function of the generated module, with its function of the catalogue."""

    #: The name in `rankdcg_sql.polars`.
    name: str
    #: The function of the catalogue.
    of: rankdcg_sql.Function

    @property
    def form(self) -> str:
        return self.of.form

    @property
    def arguments(self) -> list[str]:
        return [name for name in self.of.arguments if name != "options"]

    @property
    def columns(self) -> list[str]:
        return [name for name in self.arguments if name not in ("k", "ks")]

    @property
    def of_pairs(self) -> bool:
        """Whether items without a score or without a relevance are left out."""
        return expressions_by_name()[self.of.base].form == "scored"

    @property
    def cut(self) -> str | None:
        return next((name for name in self.arguments if name in ("k", "ks")), None)

    @property
    def options(self) -> str:
        """The name of the TypedDict of the options."""
        return f"{class_name(self.name)}Options"


def expressions() -> list[Expression]:
    """Return the functions of the module: those of the catalogue that have a Polars expression."""

    return [Expression(name, function) for name, function in expressions_by_name().items()]


def option_classes() -> str:
    """Write a TypedDict for each option, and one for the options of each function."""
    options = {option.name: option for option in rankdcg_sql.options()}

    def kind(name: str, form: str = "lists") -> str:
        values = ", ".join(f'"{value}"' for value in named(options[name], form))
        return " | ".join([*([f"Literal[{values}]"] if values else []), *OTHER_TYPES.get(name, [])])

    text = []
    for name in options:
        text.append(f"class _{class_name(name)}(TypedDict, total=False):\n    {name}: {kind(name)}\n")
    for form in TIES:
        text.append(f"class {TIES[form]}(TypedDict, total=False):\n    ties: {kind('ties', form)}\n")
    for name in sorted({function.denominator for function in rankdcg_sql.functions()} - {None}):
        text.append(
            f"class _Short{class_name(name)}(TypedDict, total=False):\n    denominator: {kind(name)}\n"
        )
    for expression in expressions():
        ties = TIES.get(expression.form, "_Ties")
        bases = [ties if name == "ties" else f"_{class_name(name)}" for name in expression.of.options]
        if expression.of.denominator:
            bases.append(f"_Short{class_name(expression.of.denominator)}")
        text.append(
            f"class {expression.options}({', '.join(bases)}, total=False):\n"
            f'    """The options of `{expression.of.name}`."""\n'
        )
    return "\n\n".join(text)


def named(option: rankdcg_sql.Option, form: str) -> list[str]:
    """Return the named values of an option, without those that need items or an order that the form lacks."""
    without = WITHOUT.get(form, ("item_",))
    return [value for value in option.values if not value.startswith(without)]


def class_name(name: str) -> str:
    return "".join(map(str.capitalize, name.split("_")))


def signature(expression: Expression, first: str | None = None) -> str:
    columns = expression.columns[1:] if first else expression.columns
    listed = [*([first] if first else []), *(f"{name}: Column" for name in columns)]
    listed += {"k": ["k: K = None"], "ks": ["ks: Ks"], None: []}[expression.cut]
    return ", ".join([*listed, f"**options: Unpack[{expression.options}]"])


def function_text(expression: Expression) -> str:
    """Write the source of a function."""
    arguments = f"[{', '.join(expression.columns)}]"
    call = CALLS.get(expression.form, "evaluate")
    cut = expression.cut or "None"
    return (
        f"def {expression.name}({signature(expression)}) -> pl.Expr:\n"
        f'    """{docstring(expression)}"""\n'
        f'    return _plugin.{call}("{expression.name}", {arguments}, {cut}, options)\n'
    )


def method_text(expression: Expression) -> str:
    """Write the source of the method of the namespace that calls a function."""
    first, *others = expression.columns
    arguments = ["self._expr", *others, *([expression.cut] if expression.cut else []), "**options"]
    return (
        f"def {expression.name}({signature(expression, 'self')}) -> pl.Expr:\n"
        f'    """Evaluate `{expression.name}` with this expression as `{first}`."""\n'
        f"    return {expression.name}({', '.join(arguments)})\n"
    )


def docstring(expression: Expression) -> str:
    function, form = expression.of, expression.form
    summary = function.summary[0].upper() + function.summary[1:]
    summary += {
        "agg": ", over the rows of a group",
        "scored": ", in the order of scores",
        "by_user": ". The rows are those of all users",
    }.get(form, "")
    repeats = {"agg": REPEATS, "by_user": BOTH}.get(form, "")
    sections = {
        "Parameters": parameters(expression),
        "Returns": "Expr\n" + indent(returns(expression), "    "),
        "Raises": RAISES.format(
            "a k below 1, " if expression.cut else "",
            REFUSED.get(form, "no relevance or score"),
        ),
        "Notes": wrap(f"{repeats}Formula: {function.formula}. Source: {function.source}."),
        "Examples": example(expression),
    }
    body = "\n\n".join(f"{title}\n{'-' * len(title)}\n{text}" for title, text in sections.items())
    return indent(f"{wrap(summary + '.')}\n\n{body}\n", "    ").strip() + "\n    "


def wrap(text: str, width: int = 100) -> str:
    return fill(text, width, break_on_hyphens=False, break_long_words=False)


def parameters(expression: Expression) -> str:
    lines = []
    kinds = {"k": "int or Expr, optional", "ks": "list of int, or Expr"}
    for parameter in expression.of.parameters:
        if parameter.name == "options":
            continue
        kind = kinds.get(parameter.name, "str, Expr, Series or list")
        each = " One number for each group." if parameter.name == "k" and expression.form == "agg" else ""
        lines.append(f"{parameter.name} : {kind}\n" + indent(wrap(parameter.description + each, 100), "    "))
    options = {option.name: option for option in rankdcg_sql.options()}
    own = expression.of.options
    base = expression.of.base
    if expression.form != "sample" and expression.name != base:
        shared = [name for name in own if name != "ties"]
        own = tuple(name for name in own if name == "ties")
        if shared:
            lines.append(wrap(", ".join(shared), 100) + f"\n    As in `{base}`.")
    for name in own:
        option = options[name]
        choices = [f'"{value}"' for value in named(option, expression.form) if value != "unset"]
        other = ["a list of gains by grade"] if name == "gain" else [option.other] if option.other else []
        default = expression.of.defaults.get(name, option.default)
        lines.append(
            wrap(f"{name} : {', '.join([*choices, *other])}", 100)
            + "\n"
            + indent(wrap(option.doc[0].upper() + option.doc[1:] + f". Default: {default}.", 100), "    ")
        )
    if expression.of.denominator and expression.name == base:
        lines.append(f"denominator\n    Short for `{expression.of.denominator}`.")
    return "\n".join(lines)


def returns(expression: Expression) -> str:
    base = expression.of.base
    if expression.form == "p_values":
        return wrap(f"List of Float64, {expression.of.range}, named ``{base}``. NULL where `p_values` is.")
    if expression.form == "sample":
        fields = expression.of.fields
        too_few = "; of too few, the others are NULL" if "DOUBLE" in expression.of.result else ""
        return wrap(
            f"Struct of {', '.join(fields)}, named ``{base}``. `{fields[0]}` is the number of users that "
            f"count{too_few}."
        )
    if expression.form == "by_user":
        return wrap(
            f"Struct of the user, {', '.join(expression.of.fields)}, with a row for each user"
            f"{' and k' if expression.cut == 'ks' else ''}. The user has the name and the type of `userid`. "
            "The order of users depends on nothing but the users. Each metric by itself: NULL for a user "
            "without judgements, and where nothing is relevant, unless `no_relevant` says otherwise; 0 where "
            "nothing was retrieved.",
            100,
        )
    named = f"``{base}@k``" if expression.cut == "k" else f"``{base}``"
    kind = {
        "value": f"Float64, {expression.of.range}",
        "metrics": f"Struct of {', '.join(expression.of.fields)}",
        "metrics_at": f"List, one struct for each k, of {', '.join(expression.of.fields)}",
    }[expression.of.output]
    nothing = {"agg": "no row has a relevance", "scored": "there is no relevance", "rels": "`rels` is"}
    absent = nothing.get(expression.form, "`truth` is")
    each = "" if expression.of.output == "value" else " Each metric by itself:"
    undecided = UNDECIDED.get(base, "nothing is relevant")
    text = (
        f"{kind}, named {named}. NULL where {absent}.{each} NULL where {undecided}"
        f"{', unless `no_relevant` says otherwise' if 'no_relevant' in expression.of.options else ''}; "
        "0 where nothing was retrieved."
    )
    if base == "idcg" or expression.of_pairs:
        text = text.replace("; 0 where nothing was retrieved", "")
    return wrap(text, 100)


def example(expression: Expression) -> str:
    call = expression.of.examples.polars
    printed = eval(call, {"pl": pl, "rk": rk})
    return "\n".join([">>> import polars as pl, rankdcg_sql.polars as rk", prompted(call), str(printed)])


def prompted(statement: str) -> str:
    """Write a statement with the prompts of a Python session, over several lines if it is long."""
    formatted = subprocess.run(
        [RUFF, "format", "--line-length", "98", "-"],
        input=statement,
        capture_output=True,
        check=True,
        text=True,
    ).stdout.rstrip()
    first, *others = formatted.split("\n")
    return "\n".join([f">>> {first}", *(f"... {line}" for line in others)])


def text() -> str:
    """Return the source of the module."""
    listed = expressions()
    names = {"RankEval", *(each.name for each in listed), *(each.options for each in listed)}
    parts = [
        HEAD,
        f"__all__ = {sorted(names)}\n",
        option_classes(),
        *map(function_text, listed),
        '@pl.api.register_expr_namespace("rank_eval")\n'
        "class RankEval:\n"
        '    """The functions as methods: ``pl.col("rec").rank_eval.ndcg("truth", k=10)``.\n\n'
        '    A type checker that does not know the namespace knows ``RankEval(pl.col("rec"))``.\n'
        '    """\n\n'
        "    def __init__(self, expr: pl.Expr) -> None:\n        self._expr = expr\n\n"
        + "\n".join(indent(method_text(expression), "    ") for expression in listed),
    ]
    return subprocess.run(
        [RUFF, "format", "--stdin-filename", str(MODULE), "-"],
        input="\n\n".join(parts),
        capture_output=True,
        check=True,
        text=True,
    ).stdout


def add_functions() -> None:
    """Add functions without types to `rankdcg_sql.polars`, for the examples in the docstrings to run."""
    for expression in expressions():
        call = getattr(_plugin, CALLS.get(expression.form, "evaluate"))

        def bare(*columns: str, _call=call, _name=expression.name, k=None, ks=None, **options) -> pl.Expr:
            return _call(_name, columns, k or ks, options)

        setattr(rk, expression.name, bare)


if __name__ == "__main__":
    parser = ArgumentParser(
        description="Write rankdcg_sql/polars/_generated.py from the catalogue of functions."
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the module differs")
    check = parser.parse_args().check
    add_functions()
    if not check:
        MODULE.write_text(text())
    elif MODULE.read_text() != text():
        sys.exit(f"{MODULE} is not what the catalogue says: run make docs")
