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
from rankdcg_sql.catalogue import null_reason  # noqa: E402
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
    For {}an unknown option, or a value that an option does not take.
polars.exceptions.ComputeError
    While the query runs: for types that are not allowed, and for values that are
    {}. The message names the argument."""

#: The sentences about the rows that a form reads.
ROWS = {
    "agg": "One row per user and item: each row is an item of its own. A join multiplies rows that repeat a "
    "user and an item: remove repeated rows from both tables first.",
    "by_user": "Each row is a recommendation, with a score, or a judgement, with a relevance. `pl.concat` "
    "puts the rows of both frames one after the other. `evaluate_frames` takes the two frames as they are, "
    "and needs less memory. Rows that repeat an item of a user count once: with the largest score, and with "
    "their one relevance.",
}
#: The input of each form of a variant, in words.
INPUTS = {
    "agg": "the rows of a group",
    "scored": "items in the order of their scores",
    "rels": "relevances in ranked order",
    "by_user": "the rows of all users",
}
#: The types in Python and in words of the values of an option that have no names.
OTHER_TYPES = {
    "number": ("float", "float"),
    "integer": ("int", "int"),
    "numbers": ("Sequence[float]", "list of float"),
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
    def base(self) -> Expression:
        """The expression of the same metrics that has the full documentation, which may be this one."""
        function = expressions_by_name().get(self.of.base, self.of)
        return Expression(str(function.expression), function)

    @property
    def is_variant(self) -> bool:
        """Whether it evaluates the metrics of another expression on other columns."""
        return self.name != self.base.name

    @property
    def of_pairs(self) -> bool:
        """Whether items without a score or without a relevance are left out."""
        return self.base.form == "scored"

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
        option = options[name]
        values = ", ".join(f'"{value}"' for value in named(option, form))
        kinds = [f"Literal[{values}]"] if values else []
        if option.other_type is not None:
            kinds.append(OTHER_TYPES[option.other_type][0])
        return " | ".join([*kinds, *(["None"] if option.default == "unset" else [])])

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
    """Write the documentation of a function; that of a variant refers to its base for what they share."""
    function, base = expression.of, expression.of.base
    if expression.is_variant:
        summary = (
            f"Evaluate `{base}` on {INPUTS[expression.form]}.\n\n"
            f"Formula, NULL rules and errors are those of `{base}`."
        )
    else:
        summary = wrap(f"{function.summary[0].upper()}{function.summary[1:]}.")
    sections = {
        "Parameters": parameters(expression),
        "Returns": "Expr\n" + indent(returns(expression), "    "),
    }
    notes = [ROWS.get(expression.form, "")]
    if not expression.is_variant:
        sections["Raises"] = RAISES.format(
            "a k below 1, " if expression.cut else "",
            REFUSED.get(expression.form, "not valid relevances or scores"),
        )
        notes.append(f"Formula: {function.formula}. Source: {function.source}.")
    if any(notes):
        sections["Notes"] = wrap(" ".join(filter(None, notes)))
    sections["Examples"] = example(expression)
    body = "\n\n".join(f"{title}\n{'-' * len(title)}\n{text}" for title, text in sections.items())
    return indent(f"{summary}\n\n{body}\n", "    ").strip() + "\n    "


def wrap(text: str, width: int = 100) -> str:
    return fill(text, width, break_on_hyphens=False, break_long_words=False)


def entry(head: str, text: str) -> str:
    """Write a parameter in the form of numpydoc: its name and type, and below them its description."""
    return f"{head}\n" + indent(wrap(text), "    ")


def parameters(expression: Expression) -> str:
    lines = []
    kinds = {"k": "int or Expr, optional", "ks": "list of int, or Expr"}
    for parameter in expression.of.parameters:
        if parameter.name != "options":
            kind = kinds.get(parameter.name, "str, Expr, Series or list")
            each = " One number for each group." if parameter.name == "k" and expression.form == "agg" else ""
            lines.append(entry(f"{parameter.name} : {kind}", parameter.description + each))
    shared = shared_options(expression)
    lines += [option_entry(expression, name) for name in expression.of.options if name not in shared]
    if expression.of.denominator and not expression.is_variant:
        lines.append(entry("denominator : str, optional", f"Short for `{expression.of.denominator}`."))
    if shared:
        short = ["denominator"] if expression.of.denominator else []
        lines.append(entry("**options", f"{', '.join([*shared, *short])}: as in `{expression.of.base}`."))
    return "\n".join(lines)


def shared_options(expression: Expression) -> list[str]:
    """Return the options of a variant that its base takes with the same values."""
    base = expression.base
    if not expression.is_variant:
        return []
    options = {option.name: option for option in rankdcg_sql.options()}
    return [
        name
        for name in expression.of.options
        if name in base.of.options
        and named(options[name], expression.form) == named(options[name], base.form)
    ]


def option_entry(expression: Expression, name: str) -> str:
    """Document an option of a function."""
    option = next(option for option in rankdcg_sql.options() if option.name == name)
    default = expression.of.defaults.get(name, option.default)
    choices = [f'"{value}"' for value in named(option, expression.form) if value != "unset"]
    kinds = [f"{{{', '.join(choices)}}}"] if choices else []
    text = f"{option.doc[0].upper()}{option.doc[1:]}."
    if option.other_type is not None:
        kinds.append(OTHER_TYPES[option.other_type][1])
        if option.other_type != "numbers":  # a list is one in Python, and not the text that SQL takes
            text = f"{text} Allowed: {option.other}."
    # An option that is unset by default is None. A type that is too long for a line stands in the text.
    shown = f'"{default}"' if choices else default
    end = "optional" if default == "unset" else f"default {shown}"
    head = f"{name} : {' or '.join(kinds)}, {end}"
    if len(head) > 100:
        head, text = f"{name} : str, {end}", f"{text} Allowed: {', '.join(choices)}."
    return entry(head, text)


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
        each = "user and k" if expression.cut == "ks" else "user"
        return wrap(
            f"Struct of the user, {', '.join(expression.of.fields)}, with a row for each {each}. The user "
            "has the name and the type of `userid`. The order of users depends on nothing but the users. "
            "Each metric by itself: NULL for a user without judgements, and where nothing is relevant, "
            "unless `no_relevant` says otherwise; 0 where nothing was retrieved."
        )
    absent = {"agg": "no row has a relevance", "scored": "there is no relevance", "rels": "`rels` is"}
    null = f"NULL where {absent.get(expression.form, '`truth` is')}."
    if expression.is_variant:
        return f"As from `{base}`. {null}"
    named = f"``{base}@k``" if expression.cut == "k" else f"``{base}``"
    kind = {
        "value": f"Float64, {expression.of.range}",
        "metrics": f"Struct of {', '.join(expression.of.fields)}",
        "metrics_at": f"List, one struct for each k, of {', '.join(expression.of.fields)}",
    }[expression.of.output]
    alone = expression.of.output == "value"
    reason = null_reason(expression.of, {}) if alone else f"without {expression.of.truth_needs}"
    each = "" if alone else "Each metric by itself: "
    unless = ", unless `no_relevant` says otherwise" if "no_relevant" in expression.of.options else ""
    empty = "" if base == "idcg" or expression.of_pairs else "; 0 where nothing was retrieved"
    return wrap(f"{kind}, named {named}. {null} {each}NULL {reason}{unless}{empty}.")


def example(expression: Expression) -> str:
    """Write the example of a function with its result; the one number of a variant without its table."""
    statement, call = (expression.of.examples.polars or "").split("\n")
    names = {"pl": pl, "rk": rk}
    exec(statement, names)
    if expression.is_variant and expression.of.output == "value":
        call += ".rows()"
    imports = ">>> import polars as pl, rankdcg_sql.polars as rk"
    return "\n".join([imports, prompted(statement), prompted(call), str(eval(call, names))])


def prompted(statement: str) -> str:
    """Write a statement with the prompts of a Python session, over several lines if it is long."""
    formatted = subprocess.run(
        [RUFF, "format", "--line-length", "102", "-"],
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
