"""Write `rankdcg_sql/_option_types.py` from the catalogue: ``python tools/generate_option_types.py``."""

from __future__ import annotations

import function_modules as modules

import rankdcg_sql

MODULE = modules.PACKAGE / "_option_types.py"

HEAD = '''\
# Written by `make docs` from the catalogue: do not edit. The writer is tools/generate_option_types.py.
"""The options of each function as keyword arguments, for type checkers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict
'''

#: The name of the TypedDict of `ties` for forms whose values differ from those of lists.
TIES = {"agg": "_TiesAgg", "by_user": "_TiesByUser"}


def option_classes() -> str:
    """Write a TypedDict for each option, and one for the options of each function."""
    options = {option.name: option for option in rankdcg_sql.options()}

    def kind(name: str, form: str = "lists") -> str:
        option = options[name]
        values = ", ".join(f'"{value}"' for value in modules.named(option, form))
        kinds = [f"Literal[{values}]"] if values else []
        if option.other_type is not None:
            kinds.append(modules.OTHER_TYPES[option.other_type][0])
        return " | ".join([*kinds, *(["None"] if option.default == "unset" else [])])

    text = []
    for name in options:
        text.append(f"class _{modules.class_name(name)}(TypedDict, total=False):\n    {name}: {kind(name)}\n")
    for form in TIES:
        text.append(f"class {TIES[form]}(TypedDict, total=False):\n    ties: {kind('ties', form)}\n")
    for name in sorted({function.denominator for function in rankdcg_sql.functions()} - {None}):
        text.append(
            f"class _Short{modules.class_name(name)}(TypedDict, total=False):\n"
            f"    denominator: {kind(name)}\n"
        )
    for expression in modules.expressions():
        ties = TIES.get(expression.form, "_Ties")
        bases = [ties if name == "ties" else f"_{modules.class_name(name)}" for name in expression.of.options]
        if expression.of.denominator:
            bases.append(f"_Short{modules.class_name(expression.of.denominator)}")
        text.append(
            f"class {expression.options}({', '.join(bases)}, total=False):\n"
            f'    """The options of `{expression.of.name}`."""\n'
        )
    return "\n\n".join(text)


def text() -> str:
    """Return the source of the module."""
    names = sorted(each.options for each in modules.expressions())
    return modules.formatted(MODULE, "\n\n".join([HEAD, f"__all__ = {names}\n", option_classes()]))


if __name__ == "__main__":
    modules.main(MODULE, text)
