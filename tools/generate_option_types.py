"""Write `rankdcg_sql/_option_types.py` from the catalogue: ``python tools/generate_option_types.py``."""

from __future__ import annotations

from textwrap import indent

import writing_modules as modules

import rankdcg_sql
from rankdcg_sql.catalogue import forms

MODULE = modules.PACKAGE / "_option_types.py"

HEAD = '''\
# Written by `make docs` from the catalogue: do not edit. The writer is tools/generate_option_types.py.
# ruff: noqa: UP013
"""The options of each function as keyword arguments, for type checkers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict
'''

#: Options that most functions of some forms have together.
SHARED = {
    "_OfItems": ["_NoRelevant", "_EmptyRec", "_Duplicates", "_Convention"],
    "_OfScores": ["_NoRelevant", "_EmptyRec", "_Ties", "_ScoreType", "_Convention"],
    "_OfRows": ["_NoRelevant", "_EmptyRec", "_TiesAgg", "_ScoreType", "_Convention"],
    "_OfUsers": ["_NoRelevant", "_EmptyRec", "_TiesRows", "_ScoreType", "_Convention"],
}


def of_ties(form: str) -> str:
    """Return the name of the TypedDict of `ties`. Its values differ for aspects, and rows without items."""
    if not forms()[form].is_aggregate:
        return "_TiesAspects" if form == "aspects" else "_Ties"
    return "_TiesRows" if "item" in forms()[form].inputs else "_TiesAgg"


def option_classes() -> str:
    """Write a TypedDict for each option, in a line, and one for the options of each function."""
    options = {option.name: option for option in rankdcg_sql.options()}

    def of_one(of: str, key: str, name: str, form: str = "lists") -> str:
        option = options[name]
        values = ", ".join(f'"{value}"' for value in modules.named(option, form))
        kinds = [f"Literal[{values}]"] if values else []
        if option.other_type is not None:
            kinds.append(modules.OTHER_TYPES[option.other_type][0])
        kind = " | ".join([*kinds, *(["None"] if option.default == "unset" else [])])
        line = f'{of} = TypedDict("{of}", {{"{key}": {kind}}}, total=False)'
        # The formatter would put each value in a line of its own.
        return modules.wrap(line, 97, "    ") + ("" if len(line) <= 110 else "  # fmt: skip")

    taken = {name for expression in modules.every() for name in expression.of.options}
    lines = [of_one(f"_{modules.class_name(name)}", name, name) for name in options if name in taken]
    lines += [of_one(of_ties(form), "ties", "ties", form) for form in ("agg", "rows", "aspects")]
    for name in sorted({function.denominator for function in rankdcg_sql.functions()} - {None}):
        lines.append(of_one(f"_Short{modules.class_name(name)}", "denominator", name))
    classes: dict[tuple[str, ...], modules.Expression] = {}
    others = []
    for expression in modules.every():
        first = classes.setdefault(tuple(bases_of(expression)), expression)
        if first is not expression:
            others.append(f"{expression.options} = {first.options}")
    texts = [
        class_text(name, f"most functions of {name[3:].lower()}", shared) for name, shared in SHARED.items()
    ]
    texts += [class_text(each.options, f"`{each.of.name}`", bases_of(each)) for each in classes.values()]
    return "\n\n\n".join(["\n".join(lines), *texts, "\n".join(others)])


def bases_of(expression: modules.Expression) -> list[str]:
    """List the names of the TypedDicts of the options that a function takes."""
    bases = [
        of_ties(expression.form) if name == "ties" else f"_{modules.class_name(name)}"
        for name in expression.of.options
    ]
    if expression.of.denominator:
        bases.append(f"_Short{modules.class_name(expression.of.denominator)}")
    for name, shared in SHARED.items():
        if {*shared} <= {*bases}:
            bases = [*(base for base in bases if base not in shared), name]
    return bases


def class_text(name: str, of: str, bases: list[str]) -> str:
    """Write the TypedDict of the options of a function, and of others with the same ones."""
    listed = modules.wrap(", ".join([*(bases or ["TypedDict"]), "total=False"]), 106)
    skip = ""
    if "\n" in listed:
        listed, skip = f"\n{indent(listed, '    ')},\n", "  # fmt: skip"
    return f'class {name}({listed}):{skip}\n    """The options of {of}."""'


def text() -> str:
    """Return the source of the module."""
    names = modules.listing(each.options for each in modules.every())
    return modules.formatted(MODULE, "\n\n".join([HEAD, names, option_classes()]))


if __name__ == "__main__":
    modules.write_or_check({MODULE: text()})
