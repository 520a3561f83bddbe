"""The common parts of the programs that write modules of functions from the catalogue.

Each function of such a module is a real one, so that editors and type checkers see it. Its name, types and
docstring come from the catalogue.
"""

from __future__ import annotations

import re
import subprocess
import sys
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill, indent
from typing import TYPE_CHECKING

import rankdcg_sql
from rankdcg_sql.catalogue import expressions as expressions_by_name
from rankdcg_sql.catalogue import forms, null_reason, python_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from rankdcg_sql.catalogue import Form

PACKAGE = Path(__file__).resolve().parents[1] / "rankdcg_sql"
RUFF = Path(sys.executable).with_name("ruff")

#: The notes on functions that read the rows of all users, with the function of two frames that does the same.
BY_USER = (
    "`pl.concat` puts the rows of two frames one after the other. `{}` takes the two frames as "
    "they are, and needs less memory. Rows that repeat an item of a user count once: with the largest score, "
    "and with their one relevance. A row without a user is left out."
)
#: The types in Python and in words of the values of an option that have no names.
OTHER_TYPES = {
    "number": ("float", "float"),
    "integer": ("int", "int"),
    "numbers": ("Sequence[float]", "list of float"),
}


@dataclass(frozen=True)
class Expression:
    """A function of the generated module, with its function of the catalogue."""

    #: The name in Python.
    name: str
    #: The function of the catalogue.
    of: rankdcg_sql.Function

    @property
    def form(self) -> str:
        return self.of.form

    @property
    def spec(self) -> Form:
        return forms()[self.form]

    @property
    def arguments(self) -> list[str]:
        return [name for name in self.of.arguments if name != "options"]

    @property
    def columns(self) -> list[str]:
        return [name for name in self.arguments if name != self.cut]

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
        return self.of.cut

    @property
    def options(self) -> str:
        """The name of the TypedDict of the options."""
        return f"{class_name(self.name)}Options"


def every() -> list[Expression]:
    """Return all functions of the catalogue."""
    return [Expression(name, function) for name, function in python_names().items()]


def expressions() -> list[Expression]:
    """Return those that have a Polars expression."""
    return [each for each in every() if each.of.expression]


@dataclass(frozen=True)
class Engine:
    """The words and examples in which the docstrings of engines differ."""

    #: The type of a column, of k and of ks.
    column: str
    k: str
    ks: str
    #: The type of a result in Python.
    result: str
    #: The types of a number, a struct and a list in the engine.
    number: str
    struct: str
    list: str
    #: The name of the column that a function returns; an empty text if the docstrings say nothing.
    named: Callable[[Expression], str]
    #: A sentence about errors.
    errors: str
    #: The example of a function with its result.
    example: Callable[[Expression], str]
    #: The beginning of the names of the functions of lists that describe the same arguments, if others do.
    described_by: str = ""

    def refers(self, expression: Expression) -> bool:
        """Whether the docstring of a function leaves its arguments to that of the same function elsewhere."""
        return bool(self.described_by) and not expression.of.is_aggregate


def named(option: rankdcg_sql.Option, form: str) -> list[str]:
    """Return the named values of an option, without those for which the form lacks items or an order."""
    spec = forms()[form]
    of_aspects = form == "aspects"
    without = () if of_aspects or "item" in spec.inputs else ("item_",)
    without += ("pessimistic", "optimistic") if of_aspects else ()  # an order is neither for all aspects
    without += ("input_order",) if spec.is_aggregate else ()
    return [value for value in option.values if not value.startswith(without)]


def class_name(name: str) -> str:
    return "".join(map(str.capitalize, name.split("_")))


def docstring(expression: Expression, engine: Engine) -> str:
    """Write the documentation of a function; that of a variant refers to its base for what they share."""
    function, base = expression.of, expression.of.base
    if expression.is_variant:
        columns = expression.spec.reads.partition(",")[0]
        summary = f"Evaluate `{base}` on {columns}, with its formula and rules."
    else:
        summary = f"{function.summary[0].upper()}{function.summary[1:].removesuffix('.').split('. ')[0]}."
    parts = [wrap(summary, 103)]
    if not expression.is_variant and not engine.refers(expression):
        about = (
            f"Options, formula, source and more: docs/functions/{base}.md, `rankdcg_sql.options()`, "
            f"`rankdcg_sql.functions()`. {engine.errors}"
        )
        parts.append(wrap(about, 106))
    sections = {"Parameters": parameters(expression, engine)}
    if not expression.is_variant or expression.spec.is_of_users:
        sections["Returns"] = f"{engine.result}\n" + indent(returns(expression, engine), "    ")
    if expression.spec.is_of_users:
        of_frames = "explain_frames" if function.output == "explanation" else "evaluate_frames"
        sections["Notes"] = wrap(BY_USER.format(of_frames), 106)
    sections["Examples"] = engine.example(expression)
    parts += [f"{title}\n{'-' * len(title)}\n{text}" for title, text in sections.items()]
    return indent("\n\n".join(parts), "    ").strip() + "\n    "


def wrap(text: str, width: int = 102, later: str = "") -> str:
    return fill(text, width, subsequent_indent=later, break_on_hyphens=False, break_long_words=False)


def entry(head: str, text: str) -> str:
    """Write a parameter in the form of numpydoc: its name and type, and below them its description."""
    return f"{head}\n" + indent(wrap(text), "    ")


def parameters(expression: Expression, engine: Engine) -> str:
    names, cut = ", ".join(expression.columns), expression.cut
    kinds = {"k": f"{engine.k}, optional", "ks": engine.ks, "measures": "str"}
    rest = f"{cut}, **options" if cut else "**options"
    if engine.refers(expression):
        kind = f"{engine.column}; {cut}: {kinds[cut]}" if cut else engine.column
        text = f"As in `{engine.described_by}{expression.name}`. {engine.errors}"
        return entry(f"{names}, {rest} : {kind}", text)
    options = [option_line(expression, name) for name in own_options(expression)]
    if expression.is_variant:
        absent = [f"`{name}`" for name in expression.base.of.options if name not in expression.of.options]
        without = f", without {' and '.join(absent)}" if absent else ""
        each = (
            f", with one {cut} for each group"
            if cut and expression.of.is_aggregate and not expression.spec.is_of_users
            else ""
        )
        shared = entry(rest, f"As in `{engine.described_by}{expression.of.base}`{without}{each}.")
        return "\n".join([entry(f"{names} : {engine.column}", expression.spec.notes), *options, shared])
    described = {each.name: each.description for each in expression.of.parameters}
    taken = [
        entry(f"{name} : {kinds.get(name, engine.column)}", described[name]) for name in expression.arguments
    ]
    return "\n".join(taken + options)


def own_options(expression: Expression) -> list[str]:
    """Return the options that a function does not share with another one, its base."""
    base = expression.base
    options = {option.name: option for option in rankdcg_sql.options()}
    return [
        name
        for name in expression.of.options
        if not expression.is_variant
        or name not in base.of.options
        or named(options[name], expression.form) != named(options[name], base.form)
    ]


def option_line(expression: Expression, name: str) -> str:
    """Write the name, the values and the default of an option of a function."""
    option = next(option for option in rankdcg_sql.options() if option.name == name)
    default = expression.of.defaults.get(name, option.default)
    choices = [f'"{value}"' for value in named(option, expression.form) if value != "unset"]
    kinds = [f"{{{', '.join(choices)}}}"] if choices else []
    if option.other_type is not None:
        kinds.append(OTHER_TYPES[option.other_type][1])
    # An option that is unset by default is None.
    shown = f'"{default}"' if choices else default
    end = "optional" if default == "unset" else f"default {shown}"
    names = f"{name}, denominator" if name == expression.of.denominator else name
    line = f"{names} : {' or '.join(kinds)}, {end}"
    return line if len(line) <= 102 else f"{names} : str, {end}"


def returns(expression: Expression, engine: Engine) -> str:
    base = expression.of.base
    named = f", named ``{name}``" if (name := engine.named(expression)) else ""
    if expression.form == "p_values":
        return wrap(
            f"{engine.list} of {engine.number}, {expression.of.range}{named}. NULL where `p_values` is."
        )
    if expression.form == "users":
        return wrap(f"{engine.list} of {engine.number}{named}. NULL where `user_values` is.")
    if expression.form == "blocks":
        return wrap(
            f"{engine.list} of {engine.number}, {expression.of.range}{named}: a p-value for each pair of "
            "systems. NULL where no user has a value of every system."
        )
    if expression.form == "sample":
        fields = expression.of.fields
        too_few = "; of too few, the others are NULL" if "DOUBLE" in expression.of.result else ""
        return wrap(
            f"{engine.struct} of {', '.join(fields)}{named}. `{fields[0]}` is the number of rows that "
            f"count{too_few}."
        )
    if expression.of.output == "explanation":
        return explained(expression, engine, named)
    if expression.form == "items":
        return wrap(
            f"{engine.list} of numbers{named}: the values of all measures for the first ranking, then those "
            "for the next one. NULL for a ranking that is NULL, and where a measure is not defined. NULL "
            "where `rec`, `items` or `measures` is."
        )
    if expression.of.output == "measures":
        return wrap(
            f"{engine.struct} of the user, {', '.join(expression.of.fields)}, with a row for each user, which"
            " has the name and the type of `userid`. The order of users depends on nothing but the users. "
            "`results` has the value of each measure, in their order. Each by itself: NULL for a user without"
            " judgements, and where nothing is relevant, unless `no_relevant` says otherwise; 0 where nothing"
            " was retrieved."
        )
    if expression.spec.is_of_users:
        each = "user and k" if expression.cut == "ks" else "user"
        return wrap(
            f"{engine.struct} of the user, {', '.join(expression.of.fields)}, with a row for each {each}. "
            "The user has the name and the type of `userid`. The order of users depends on nothing but the "
            "users. Each metric by itself: NULL for a user without judgements, and where nothing is "
            "relevant, unless `no_relevant` says otherwise; 0 where nothing was retrieved."
        )
    if expression.form in ("rankings", "values"):
        reason = null_reason(expression.of, {})
        where = f"NULL where {' or '.join(f'`{name}`' for name in expression.columns)} is"
        of_one = f"{engine.number}, {expression.of.range}{named}. {where}, and {reason}."
        of_all = f"{engine.struct} of {', '.join(expression.of.fields)}{named}. {where}."
        return wrap(of_one if reason else of_all)
    kind = {
        "value": f"{engine.number}, {expression.of.range}",
        "metrics": f"{engine.struct} of {', '.join(expression.of.fields)}",
        "metrics_at": f"{engine.list}, one struct for each k, of {', '.join(expression.of.fields)}",
    }[expression.of.output]
    null = "there is no relevance" if expression.of_pairs else "`truth` is"
    alone = expression.of.output == "value"
    reason = null_reason(expression.of, {}) if alone else f"without {expression.of.truth_needs}"
    each = "" if alone else "Each metric by itself: "
    unless = ", unless `no_relevant` says otherwise" if "no_relevant" in expression.of.options else ""
    empty = "" if base == "idcg" or expression.of_pairs else "; 0 where nothing was retrieved"
    return wrap(f"{kind}{named}. NULL where {null}. {each}NULL {reason}{unless}{empty}.")


def explained(expression: Expression, engine: Engine, named: str) -> str:
    """Say which items the result of a function has that explains a value, and what it says of each."""
    fields = ", ".join(expression.of.fields)
    if expression.spec.is_of_users:
        kind = f"{engine.struct} of the user, {fields}, with a row for each user and item"
        ids = (
            "The user and the item have the names and the types of their columns. The order of users depends "
            "on nothing but the users, and one without judgements has no rows."
        )
    else:
        kind = f"{engine.list}, one struct for each item, of {fields}{named}. NULL where `truth` is"
        ids = "`rec_place` and `truth_place` are the places of the item in the lists, from 1."
    return wrap(
        f"{kind}. The best rank comes first, and missed items that were not retrieved last. {ids} `rank` to "
        "`last_rank` are the ranks that it can have among tied items. An item whose `rel` is NULL is not "
        "judged. `contribution` is NULL if a rule for empty rankings gives `value`."
    )


def function_text(expression: Expression, engine: Engine, column: str, result: str, call: str) -> str:
    """Write the source of a function, whose columns have the type `column` and which calls `call`."""
    columns = [f"{name}: {column}" for name in expression.columns]
    arguments = f'"{expression.name}", [{", ".join(expression.columns)}], {expression.cut or "None"}, options'
    return (
        f"def {expression.name}({signature(expression, columns)}) -> {result}:\n"
        f'    """{docstring(expression, engine)}"""\n'
        f"    return {call}({arguments})\n"
    )


def one_number(shown: str, result: Any) -> tuple[str, Any]:
    """Shorten an example and its result: if a struct is longer than a line, one number shows as much."""
    if isinstance(result, list) and isinstance(result[0], dict):
        place = 0 if "contribution" in result[0] else 1
        shown, result = f"{shown}[{place}]", result[place]
    if not isinstance(result, dict) or len(repr(result)) <= 106:
        return shown, result
    number = next(name for name in ("ndcg", "contribution", "p_value", "rbo", "mean") if name in result)
    return f'{shown}["{number}"]', result[number]


def signature(expression: Expression, columns: list[str]) -> str:
    """Write the arguments of a function: the columns with their types, the cutoff and the options."""
    cut = {"k": ["k: K = None"], "ks": ["ks: Ks"], "measures": ["measures: str"], None: []}[expression.cut]
    return ", ".join([*columns, *cut, f"**options: Unpack[{expression.options}]"])


def prompted(statement: str) -> str:
    """Write a statement with the prompts of a Python session, over several lines if it is long."""
    # A line ends before a column, an element, the types of a frame or the measures.
    kept = re.sub(r'(?<![,"]) | (?![{[]|"\w+": \[|"\w+ |measures=)', "\0", statement.replace("'", '"'))
    return f">>> {wrap(kept, 102, '    ')}".replace("\n", "\n... ").replace("\0", " ")


def listing(names: Iterable[str]) -> str:
    """Write `__all__`, with several names in a line."""
    quoted = ", ".join(f'"{name}"' for name in sorted(names))
    return f"__all__ = [\n{indent(wrap(quoted, 104), '    ')},\n]  # fmt: skip\n"


def formatted(path: Path, source: str) -> str:
    """Return the source of a module in the format of the repository."""
    for command in (["check", "--quiet", "--select", "I", "--fix"], ["format"]):
        source = subprocess.run(
            [RUFF, *command, "--stdin-filename", str(path), "-"],
            input=source,
            capture_output=True,
            check=True,
            text=True,
        ).stdout
    return source


def write_or_check(texts: dict[Path, str]) -> None:
    """Write files, or with --check compare them with what would be written."""
    parser = ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file differs")
    check = parser.parse_args().check
    for path, text in texts.items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue  # the library is compiled from one of these files, and not again unless it changes
        if check:
            sys.exit(f"{path} is not what the catalogue says: run make docs")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
