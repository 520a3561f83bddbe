"""Results of SQL, written as tables for the terminal, CSV, JSON, Markdown, HTML and LaTeX."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, Literal

import duckdb

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console
    from rich.table import Table

Output = Literal["table", "csv", "json", "markdown", "html", "latex"]

# The width in characters of a console that is never too narrow.
_ENDLESS = 1_000_000
_NUMERIC = re.compile(r"u?(tiny|small|big|huge)?int(eger)?|float|double|decimal|bignum")
# The columns of the relation that DuckDB 2.0 returns for a statement without rows.
_REPORTS = (["Count"], ["Success"])
# LaTeX for the characters that LaTeX does not print as they are. At the start of a row, [ or * would be an
# argument of the line break before it. Two hyphens would be a dash.
_LATEX = {
    **{sign: rf"\{sign}" for sign in "#$%&_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",
    "*": "{*}",
    "-": "{-}",
}


@dataclass(frozen=True)
class Result:
    """Rows of cells under named columns; a cell of None is NULL.

    A cell is the value as text for people. If `is_json`, a cell is the value as DuckDB's JSON, in which NaN
    and the infinities are words that are not valid JSON.
    """

    #: The names of the columns.
    columns: list[str]
    #: For each column, whether it has numbers, which are aligned to the right.
    numeric: list[bool]
    #: The rows, each with one cell per column.
    rows: Sequence[tuple[str | None, ...]]
    #: Whether cells are values in JSON.
    is_json: bool = False
    #: The columns that a terminal of too few characters does without, the least important one first.
    details: tuple[str, ...] = ()

    def without(self, left_out: Sequence[str]) -> Result:
        """Return the result without these columns."""
        kept = [place for place, name in enumerate(self.columns) if name not in left_out]

        def of(cells: Sequence[Any]) -> Any:
            return [cells[place] for place in kept]

        rows = [tuple(of(row)) for row in self.rows]
        return replace(self, columns=of(self.columns), numeric=of(self.numeric), rows=rows)


def results(
    con: duckdb.DuckDBPyConnection, statements: list[duckdb.Statement]
) -> Iterator[duckdb.DuckDBPyRelation]:
    """Run the statements in order, and yield the relation of each statement that returns rows."""
    for statement in statements:
        relation: duckdb.DuckDBPyRelation | None = con.sql(_source(statement))
        if relation is None:
            continue
        asks = statement.type in (duckdb.StatementType.SELECT, duckdb.StatementType.EXECUTE)
        if asks or relation.columns not in _REPORTS:
            yield relation


def _source(statement: duckdb.Statement) -> duckdb.Statement | str:
    """Cut the text of a statement at its semicolon.

    DuckDB 2.0 pastes the text into other statements, together with the semicolon and comments after it.
    """
    if duckdb.__version__.startswith("1."):
        return statement
    text = statement.query.encode()
    ends = [start for start, _ in duckdb.tokenize(statement.query) if text[start : start + 1] == b";"]
    return text[: ends[0]].decode() if ends else statement


def fetch(relation: duckdb.DuckDBPyRelation, output: Output = "table") -> Result:
    """Run a query and return its rows. DuckDB formats the values: as JSON for JSON, otherwise as text."""
    is_json = output == "json"
    cell = "system.main.to_json(#{})" if is_json else "CAST(#{} AS VARCHAR)"
    cells = ", ".join(cell.format(number) for number, _ in enumerate(relation.columns, start=1))
    numeric = [_NUMERIC.fullmatch(kind.id) is not None for kind in relation.types]
    return Result(relation.columns, numeric, relation.project(cells).fetchall(), is_json)


def write(result: Result, output: Output, fitted: bool = False) -> None:
    """Print a result to standard output. A `fitted` table is as wide as the terminal, also in a pipe.

    On a narrow terminal, the table leaves out details, and a line below it names them.
    """
    if output == "table":
        console = stdout(fitted)
        wide = console.options.update(max_width=_ENDLESS)
        left_out: tuple[str, ...] = ()
        table = _table(result)
        for number in range(1, len(result.details) + 1):
            if console.measure(table, options=wide).maximum <= console.width:
                break
            left_out = result.details[:number]
            table = _table(result.without(left_out))
        console.print(table)
        if left_out:
            console.print(
                f"Not shown for lack of width: {', '.join(left_out)}. --output csv prints all columns."
            )
    else:
        import click

        click.echo(render(result, output))


def render(result: Result, output: Output) -> str:
    """Return a result as text; a table is as wide as its cells need."""
    if output == "table":
        from rich.console import Console

        # In a notebook, Rich would show the table instead of returning its text.
        console = Console(width=_ENDLESS, color_system=None, force_jupyter=False)
        with console.capture() as capture:
            console.print(_table(result))
        return capture.get().rstrip("\n")
    return {"csv": _csv, "json": _json, "markdown": _markdown, "html": html, "latex": _latex}[output](result)


def stdout(fitted: bool = False) -> Console:
    """Return a console on standard output; unless this is a terminal or `fitted`, lines are never wrapped.

    In a pipe, a fitted console has the width of the terminal of standard error, or else 80 characters.
    """
    from rich.console import Console

    console = Console()
    if not fitted and not console.file.isatty():
        console.width = _ENDLESS
    return console


def _table(result: Result) -> Table:
    # Rich takes as long to import as a small evaluation takes.
    from rich import box
    from rich.table import Table
    from rich.text import Text

    several_lines = any("\n" in cell for row in result.rows for cell in row if cell)
    table = Table(box=box.ROUNDED, show_lines=several_lines)
    for name, numeric in zip(result.columns, result.numeric, strict=True):
        table.add_column(Text(name), justify="right" if numeric else "left", overflow="fold")
    for row in result.rows:
        table.add_row(*(Text("NULL", "dim") if cell is None else Text(cell) for cell in row))
    return table


def _csv(result: Result) -> str:
    """Write CSV. NULL is an empty field, and an empty text is a pair of quotes.

    Python's own writer does not tell the two apart. Values that a spreadsheet would take for formulas are not
    escaped, because programs read the file.
    """

    def field(cell: str | None) -> str:
        if cell is None:
            return ""
        return '"' + cell.replace('"', '""') + '"' if re.search('[",\r\n]|^$', cell) else cell

    return "\n".join(",".join(map(field, row)) for row in [tuple(result.columns), *result.rows])


def _json(result: Result) -> str:
    """Write a JSON list with an object for each row.

    NaN and the infinities are texts. A name that repeats another column's gets a number.
    """
    names: list[str] = []
    for name in result.columns:
        fresh, count = name, 0
        while fresh in names:
            count += 1
            fresh = f"{name}_{count}"
        names.append(fresh)
    keys = [json.dumps(name, ensure_ascii=False) for name in names]

    def value(cell: str | None) -> str:
        if cell is None:
            return "null"
        return _strict(cell) if result.is_json else json.dumps(cell, ensure_ascii=False)

    rows = (
        "{" + ", ".join(f"{k}: {value(cell)}" for k, cell in zip(keys, row, strict=True)) + "}"
        for row in result.rows
    )
    return "[" + ",\n ".join(rows) + "]"


class _Digits(str):
    """A number in JSON as text, which keeps all digits."""


def _strict(text: str) -> str:
    """Return valid JSON: NaN and the infinities become texts."""
    if "NaN" not in text and "Infinity" not in text:
        return text
    return _dumped(json.loads(text, parse_constant=str, parse_float=_Digits, parse_int=_Digits))


def _dumped(value: object) -> str:
    """Return the JSON of a value that `_strict` has parsed; its numbers are `_Digits` and keep all digits.

    `json.dumps` would put these numbers in quotes.
    """
    if isinstance(value, _Digits):
        return str(value)
    if isinstance(value, dict):
        pairs = (f"{json.dumps(key, ensure_ascii=False)}:{_dumped(each)}" for key, each in value.items())
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_dumped, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _markdown(result: Result) -> str:
    """Write a Markdown table. HTML in cells is escaped; Markdown's emphasis and links are not."""

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    def field(cell: str | None) -> str:
        text = "NULL" if cell is None else escape(cell, quote=False).replace("|", r"\|")
        return re.sub(r"\r\n?|\n", "<br>", text)

    rules = ["---:" if numeric else "---" for numeric in result.numeric]
    return "\n".join(
        [line([*map(field, result.columns)]), line(rules), *(line([*map(field, row)]) for row in result.rows)]
    )


class Markup(str):
    """A cell that is HTML already and stays as it is."""


def html(result: Result, caption: str = "", heads: int = 0) -> str:
    """Return an HTML table. Cells of numeric columns have the class ``number``.

    The first `heads` columns are header cells of their rows.
    """

    def cell(text: str | None, numeric: bool, scope: str = "") -> str:
        name = "th" if scope else "td"
        kind = ' class="number"' if numeric else ""
        of = f' scope="{scope}"' if scope else ""
        return f"<{name}{of}{kind}>{_escaped(text)}</{name}>"

    def line(cells: Sequence[str | None], scopes: Sequence[str]) -> str:
        columns = zip(cells, result.numeric, scopes, strict=True)
        return "<tr>" + "".join(cell(*column) for column in columns) + "</tr>"

    width = len(result.columns)
    scopes = ["row"] * heads + [""] * (width - heads)
    title = f"<caption>{_escaped(caption)}</caption>\n" if caption else ""
    body = "".join(line(row, scopes) + "\n" for row in result.rows)
    head = line(result.columns, ["col"] * width)
    return f"<table>\n{title}<thead>\n{head}\n</thead>\n<tbody>\n{body}</tbody>\n</table>"


def _escaped(cell: str | None) -> str:
    if isinstance(cell, Markup):
        return cell
    return "NULL" if cell is None else re.sub(r"\r\n?|\n", "<br>", escape(cell))


def _latex(result: Result) -> str:
    """Write a LaTeX table, which needs the package booktabs."""

    def line(cells: Sequence[str | None]) -> str:
        return " & ".join(map(field, cells, result.numeric)) + r" \\"

    def field(cell: str | None, numeric: bool) -> str:
        text = "NULL" if cell is None else " ".join(cell.split())
        minus = "$-$" if numeric and text.startswith("-") else ""
        return minus + "".join(_LATEX.get(sign, sign) for sign in text[bool(minus) :])

    kinds = "".join("r" if numeric else "l" for numeric in result.numeric)
    head = [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", line(result.columns), r"\midrule"]
    return "\n".join([*head, *map(line, result.rows), r"\bottomrule", r"\end{tabular}"])
