"""Write the tables of the documentation from the catalogue: ``python tools/generate_docs.py``."""

from __future__ import annotations

import csv
import re
from io import StringIO
from pathlib import Path

from click.testing import CliRunner
from function_pages import pages as function_pages
from function_pages import table
from writing_modules import write_or_check

import rankdcg_sql
from rankdcg_sql import Function
from rankdcg_sql.catalogue import (
    MacroParameter,
    TableMacro,
    item_measures,
    metric_functions,
    span_measures,
    table_macros,
)
from rankdcg_sql.catalogue import forms as forms_by_name
from rankdcg_sql.catalogue import spellings as spellings_elsewhere
from rankdcg_sql.cli import main

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"


def families() -> list[tuple[Function, list[str]]]:
    """Return each function with the endings of its other forms, which differ in their arguments only."""
    found: dict[str, tuple[Function, list[str]]] = {}
    for function in rankdcg_sql.functions():
        suffix = forms_by_name()[function.form].suffix
        stem = function.name.removesuffix(suffix)
        if function.name == stem or stem not in found:
            found[function.name] = (function, [])
        else:
            found[stem][1].append(suffix)
    return list(found.values())


def metrics() -> str:
    """Write the table of functions whose result is one number."""
    rows = [
        [
            f"[{each.name}](functions/{each.base}.md)({each.signature})",
            ", ".join(each.aliases),
            ", ".join(forms),
            each.formula,
            each.range,
            ", ".join(each.options),
            each.source,
        ]
        for each, forms in families()
        if each.output == "value"
    ]
    return table(["function", "aliases", "other forms", "formula", "range", "options", "source"], rows)


def formulas_of(measures: dict[str, Function]) -> str:
    """Write the table of measures of items or of spans, of which most have no function of their own."""
    rows = [[f"`{each.name}`", each.formula, each.range, each.source] for each in measures.values()]
    return table(["measure", "formula", "range", "source"], rows)


def structs() -> str:
    """Write the table of functions whose result is several numbers: a struct, or a list."""
    rows = [
        [
            f"[{each.name}](functions/{each.base}.md)({each.signature})",
            ", ".join(forms),
            ", ".join(each.fields) or each.result,
            re.split("[.;] " if forms_by_name()[each.form].is_statistic else "[.:;] ", each.summary)[0],
            ", ".join(each.options),
            each.source,
        ]
        for each, forms in families()
        if each.output in ("metrics", "metrics_at", "values", "explanation", "measures")
    ]
    return table(["function", "other forms", "fields", "description", "options", "source"], rows)


def arguments() -> str:
    """Write the table of arguments, with a line for each meaning that one has in some functions."""
    taken: dict[tuple[str, str, str], dict[str, None]] = {}
    for function in rankdcg_sql.functions():
        for each in function.parameters:
            taken.setdefault((each.name, each.type, each.description), {})[function.base] = None
    sizes = {name: [len(bases) for (of, *_), bases in taken.items() if of == name] for name, *_ in taken}
    # The meaning that most functions share stands without their names.
    usual = {name: max(of) if of.count(max(of)) == 1 else None for name, of in sizes.items()}
    rows = [
        [f"`{name}`" + ("" if len(bases) == usual[name] else f" ({', '.join(bases)})"), f"`{kind}`", meaning]
        for (name, kind, meaning), bases in taken.items()
    ]
    return table(["argument", "type", "meaning"], rows)


def options() -> str:
    """Return the table of options, which the command line prints."""
    printed = CliRunner().invoke(main, ["functions", "--output", "markdown"], catch_exceptions=False).output
    return printed.strip().split("\n\n")[1]


def conventions() -> str:
    """Write the table of conventions."""
    rows = []
    for convention in rankdcg_sql.conventions():
        options = [
            f"{each.option}={each.value}" + (f" ({', '.join(each.metrics)})" if each.metrics else "")
            for each in convention.options
        ]
        differs = "; ".join(convention.differs)
        named = ", ".join(options) or "the defaults"
        rows.append([convention.name, convention.of, named, convention.users, differs])
    return table(["convention", "reproduces", "options", "users", "differs where"], rows)


def macros() -> str:
    """Write the table of table macros."""
    rows = [[call_of(macro), macro.summary, ", ".join(macro.columns)] for macro in table_macros()]
    return table(["macro", "rows", "columns"], rows)


def call_of(macro: TableMacro, others: str = ", ...") -> str:
    """Write a call of a table macro: its tables, and `others` for its other parameters."""
    tables = ", ".join(each.name for each in macro.parameters if each.default is None)
    return f"{macro.name}({tables}{others if tables else ''})"


def parameters() -> str:
    """Write the table of the parameters of table macros, which are the same where they have the same name."""
    taken: dict[MacroParameter, list[str]] = {}
    for macro in table_macros():
        for parameter in macro.parameters:
            taken.setdefault(parameter, []).append(macro.name)
    every = [macro.name for macro in table_macros() if macro.parameters]
    rows = [
        [each.name, each.default or "", each.description, "all" if names == every else ", ".join(names)]
        for each, names in taken.items()
    ]
    return table(["parameter", "default", "meaning", "macros"], rows)


def spellings() -> str:
    """Write the table of other names of metrics that are here."""
    names = {f"`{metric}`": each.synonyms for metric, each in metric_functions().items() if each.synonyms}
    for name, here in spellings_elsewhere().items():
        names[here] = (*names.get(here, ()), name)
    rows = [[", ".join(f"`{name}`" for name in others), here] for here, others in names.items()]
    return table(["name", "here"], rows)


def function_descriptions() -> str:
    """Write the table of functions as the pages of DuckDB's community extensions read it."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["function", "description", "comment", "example"])
    macros = {macro.name: macro for macro in table_macros()}
    for function in rankdcg_sql.functions():
        for name in function.names:
            other = f"another name of {function.name}; " if name != function.name else ""
            comment = f"{other}{function.name}({function.signature}), {function.formula}"
            if macro := macros.pop(name, None):  # a name has one row
                comment += f"; as a table macro, rankdcg.{call_of(macro)}, from DuckDB 2.0 on"
            # The pages are tables of Markdown, in which a bar would end a cell.
            cells = [name, function.summary, comment, function.examples.sql]
            writer.writerow([cell.replace("|", "&#124;") for cell in cells])
    for macro in macros.values():
        comment = f"rankdcg.{call_of(macro)}, from DuckDB 2.0 on"
        writer.writerow([macro.name, macro.summary, comment, f"FROM rankdcg.{call_of(macro, '')}"])
    for call, description in OTHER_FUNCTIONS.items():
        writer.writerow([call.partition("(")[0], description, "", f"SELECT {call}"])
    return text.getvalue()


#: Calls of the functions of the extension that are none of the catalogue.
OTHER_FUNCTIONS = {
    "rank_macros()": "the SQL of the table macros, for the client to run: they exist on its connection then",
    "rankdcg_sql_version()": "the version of the functions, and the way in which the database got them",
    "rank_macro_measures('rank_summary', ['ndcg', 'P(rel=2)@5'], [5, 10], 'ks', '')": (
        "the measures of a call of a table macro, as a text that the macro reads"
    ),
    "rank_macro_explained('rank_explain', ['ndcg', 'MAP'], NULL, NULL, '')": (
        "the metrics that a call of a table macro explains, as a text that the macro reads"
    ),
}
#: The page and the writer of each table, keyed by the name of the markers around the table.
TABLES = {
    "functions": ("functions.md", metrics),
    "structs": ("functions.md", structs),
    "arguments": ("functions.md", arguments),
    "options": ("options.md", options),
    "conventions": ("options.md", conventions),
    "macros": ("sql.md", macros),
    "parameters": ("sql.md", parameters),
    "formulas": ("items.md", lambda: formulas_of(item_measures())),
    "formulas_of_spans": ("spans.md", lambda: formulas_of(span_measures())),
    "spellings": ("measures_elsewhere.md", spellings),
}


def pages() -> dict[Path, str]:
    """Return the text of each page with the tables between their markers."""
    texts: dict[Path, str] = {}
    for name, (file, write) in TABLES.items():
        page = DOCS / file
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = texts.get(page, page.read_text(encoding="utf-8")).partition(begin)
        _, _, after = rest.partition(end)
        texts[page] = f"{before}{begin}\n{write()}\n\n{end}{after}"
    for name, text in function_pages().items():
        texts[DOCS / "functions" / f"{name}.md"] = text
    texts[ROOT / "community_extension" / "docs" / "function_descriptions.csv"] = function_descriptions()
    return texts


if __name__ == "__main__":
    write_or_check(pages())
