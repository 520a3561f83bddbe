r"""Table macros of DuckDB over the aggregates. Their SQL is in the files of this folder.

``${name}`` in a file stands for a value of that name, which this module computes, or else for the text of the
file ``name.sql``. In ``${name table}``, the file finds the word `table` as its value ``${table}``.

A file begins with ``rank_`` if it creates the macro of its name. The SQL of macros follows four rules:

- A name in it that is a parameter stands for the argument. So no column has the name of a parameter, or it is
  always written behind that of its table, as in ``tests.k``.
- The tables of the caller are named in common table expressions whose names they cannot have, or in the first
  one. Otherwise it would hide a table of the same name.
- Directions and places of NULL are given wherever rows are sorted, and ids are compared as bytes, because
  settings of the caller change the defaults.
- Functions have their full names in the system, and operators that are functions, such as ``||``, do not
  occur. So no macro of the caller is called.

The helpers are macros, too, because DuckDB chooses a macro by the types of its arguments. They call no
function of the extension, because DuckDB looks for functions when it creates a macro.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rankdcg_sql import _measures_elsewhere, catalogue
from rankdcg_sql._arguments import USUAL_NAMES_OF_REL
from rankdcg_sql._native import extension_path
from rankdcg_sql._sql import quote_name, quote_text
from rankdcg_sql._table_macros._signatures import (
    COLUMNS_OF_FUNCTIONS,
    MacroParameter,
    TableMacro,
    metrics,
    option,
    table_macros,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MacroParameter", "TableMacro", "script", "statements", "table_macros"]

_PLACEHOLDER = re.compile(r"\$\{(\w+)(?: (\w+))?\}")
#: The error of macros that need aggregates, in a database without them.
_NEEDS = (
    "needs DuckDB 2.0 or later, and its functions as an extension: evaluate() and compare() in Python need "
    "neither"
)


def statements(has_aggregates: bool) -> tuple[str, dict[str, str]]:
    """Write the statements that create helpers and table macros as TEMP macros, the latter keyed by name.

    A TEMP macro of the same name stays. `has_aggregates` is whether the database has the aggregates that only
    DuckDB 2.0 has. Without them, a call of a macro that needs them is an error that says so.
    """
    create = "CREATE TEMP MACRO IF NOT EXISTS"
    names = ("helpers_of_check", "helpers") if has_aggregates else ("helpers_of_check",)
    return _joined(_filled(name, create=create) for name in names), {
        macro.name: _created(create, macro, is_refused=macro.needs_aggregates and not has_aggregates)
        for macro in table_macros()
    }


def script(temporary: bool) -> str:
    """Write the statements that create or replace the macros, with comments, for any client of DuckDB."""
    create = f"CREATE OR REPLACE {'TEMP ' if temporary else ''}MACRO"
    names = ("introduction", *(() if temporary else ("storage_version",)), "helpers_of_check", "helpers")
    values = {"create": create, "version": catalogue.version(), "extension": quote_text(extension_path())}
    files = [_filled(name, **values) for name in names]
    return _joined([*files, *(_created(create, macro) for macro in table_macros())]) + "\n"


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(parts)


def _created(create: str, macro: TableMacro, is_refused: bool = False) -> str:
    """Write the statement that creates a macro, or one of its name that says what the database lacks."""
    return _filled(
        "unavailable" if is_refused else macro.name,
        create=create,
        macro=macro.name,
        summary=macro.summary,
        descriptions="\n--   ".join(f"{each.name}: {each.description}" for each in macro.parameters),
        parameters=",\n    ".join(each.sql for each in macro.parameters),
        no_columns=", ".join(f"NULL AS {quote_name(column)}" for column in macro.columns),
    )


def _filled(name: str, **values: str) -> str:
    """Read a file and put values and files into it. A file has the indentation of the line that names it."""
    known = _values() | values

    def put(placeholder: re.Match[str]) -> str:
        wanted, table = placeholder.groups()
        if wanted in known:
            return known[wanted]
        line = placeholder.string[: placeholder.start()].rpartition("\n")[2]
        indentation = line[: len(line) - len(line.lstrip())]
        text = _filled(wanted, **(values | {"table": table} if table else values))
        return text.replace("\n", f"\n{indentation}")

    return _PLACEHOLDER.sub(put, _text(name))


@cache
def _text(name: str) -> str:
    """Read a file."""
    return Path(__file__).with_name(f"{name}.sql").read_text(encoding="utf-8").rstrip("\n")


# --- Values ---


@cache
def _values() -> dict[str, str]:
    """Compute the values that are the same in every macro."""
    functions, structure = _functions()
    advice, plain_name = _advice()
    return {
        "needs": _NEEDS,
        "metrics": ", ".join(metrics()),
        "metrics_as_texts": _texts(metrics()),
        "pairs_of_metrics": ",\n        ".join(
            f"system.main.struct_pack(a := a.{metric}, b := b.{metric}) AS {metric}" for metric in metrics()
        ),
        "usual_names_of_rel": _texts(USUAL_NAMES_OF_REL),
        "corrections": _texts(option("correction").values),
        "conventions_of_both": "|".join(
            each.name for each in catalogue.conventions() if each.users == "both"
        ),
        "advice": advice,
        "plain_name": plain_name,
        "functions": functions,
        "structure": structure,
    }


def _texts(texts: tuple[str, ...]) -> str:
    return ", ".join(map(quote_text, texts))


def _advice() -> tuple[str, str]:
    """Write the text with the advice on names of other measures, and SQL for a name in plain letters."""
    lines = dict(_measures_elsewhere.advice())
    for name, metric in catalogue.metric_names().items():
        rows = catalogue.metric_functions()[metric].name
        lines[name] = (
            f"did you mean {metric}?"
            if metric in metrics()
            else f"{rows} computes it from rows, and evaluate() in Python from tables"
        )
    by_advice: dict[str, list[str]] = {}
    for name, text in lines.items():
        by_advice.setdefault(text, []).append(name)
    table = "\n".join(f"|{'|'.join(names)}|: {text}" for text, names in by_advice.items())
    plain = "system.main.lower(name)"
    for part, instead in _measures_elsewhere.TO_PLAIN_LETTERS:
        plain = f"system.main.regexp_replace({plain}, {quote_text(part)}, {quote_text(instead)}, 'g')"
    return quote_text(table), plain


def _functions() -> tuple[str, str]:
    """Write the catalogue and its types as JSON. One text takes a tenth of the time of rows of SQL."""
    rows = [
        (
            *(each.name, each.aliases, each.form, each.signature, each.result, each.summary),
            *(each.formula, each.range, each.options, each.examples.sql, each.source),
        )
        for each in catalogue.functions()
    ]
    listed = [dict(zip(COLUMNS_OF_FUNCTIONS, row, strict=True)) for row in rows]
    kinds = {
        name: ["VARCHAR"] if isinstance(value, tuple) else "VARCHAR" for name, value in listed[0].items()
    }
    functions, structure = (quote_text(json.dumps(value, ensure_ascii=False)) for value in (listed, [kinds]))
    return functions, structure
