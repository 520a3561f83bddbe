"""Results of SQL, written as tables for the terminal, CSV, JSON, Markdown, HTML and LaTeX."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any, Literal

import duckdb

from rankdcg_sql._printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console
    from rich.table import Table


Output = Literal["table", "csv", "json", "markdown", "html", "latex"]

# The width in characters of a console that is never too narrow.
_ENDLESS = 1_000_000
#: The lengths to which names may be cut. The later ones are tried if a table does not fit with the former.
_LENGTHS = ((_ENDLESS, 32, 24), (16,), (12,), (8,))
_NUMERIC = re.compile(r"u?(tiny|small|big|huge)?int(eger)?|float|double|decimal|bignum")
# A text in JSON, or a word for a number that JSON lacks.
_TEXT_OR_WORD = re.compile(r'("(?:[^"\\]|\\.)*")|-?(?:NaN|Infinity)')
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
#: The cutoff in SQL as printed tables show it: ``all`` for the whole list.
K_TEXT = "coalesce(k::VARCHAR, 'all')"


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
    #: The number of first columns that say what a row is about. Each part of a divided table repeats them.
    heads: int = 0
    #: The number of first columns after whose change a table for a terminal has a rule.
    ruled: int = 0

    def select(self, places: Sequence[int]) -> Result:
        """Return the columns at these places, counted from 0."""

        def chosen(cells: Sequence[Any]) -> Any:
            return [cells[place] for place in places]

        rows = [tuple(chosen(row)) for row in self.rows]
        return replace(self, columns=chosen(self.columns), numeric=chosen(self.numeric), rows=rows)


def results(
    con: duckdb.DuckDBPyConnection, statements: list[duckdb.Statement]
) -> Iterator[duckdb.DuckDBPyRelation]:
    """Run the statements in order, and yield the relation of each statement that returns rows."""
    for statement in statements:
        relation: duckdb.DuckDBPyRelation | None = con.sql(_source(statement))
        if relation is None:
            continue
        is_query = statement.type in (duckdb.StatementType.SELECT, duckdb.StatementType.EXECUTE)
        if is_query or relation.columns not in _REPORTS:
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


def four_digits(column: str) -> str:
    """Write SQL that formats a number with four digits; NULL stays NULL."""
    return f"format('{{:.4f}}', {column})"


def p_value_text(column: str) -> str:
    """Write SQL that formats a p-value with four digits, or as ``<0.0001`` if it is smaller."""
    return f"if({column} < 0.0001, '<0.0001', {four_digits(column)})"


def write(result: Result, output: Output, fitted: bool = False) -> None:
    """Print a result to standard output. A `fitted` table is as wide as the terminal, also in a pipe."""
    if output == "table":
        stdout(fitted).print(_table(_printable(result)))
    else:
        import click

        click.echo(render(result, output))


def render(result: Result, output: Output, width: int | None = None) -> str:
    """Return a result as text.

    A table is as wide as its cells need. With a `width` in characters, it is divided into several tables that
    are as narrow as that, or as narrow as possible without a break in a cell.
    """
    if output == "table":
        from rich.console import Console

        # In a notebook, Rich would show the table instead of writing its text.
        text = StringIO()
        console = Console(file=text, width=_ENDLESS, color_system=None, force_jupyter=False)
        shown = _printable(result)
        for part in [shown] if width is None else divide(shown, width):
            console.print(_table(part))
        return text.getvalue().rstrip("\n")
    return {"csv": _csv, "json": _json, "markdown": _markdown, "html": html, "latex": latex}[output](result)


def _printable(result: Result) -> Result:
    """Return the table with control characters written out."""
    rows = [tuple(cell and printable(cell) for cell in row) for row in result.rows]
    return replace(result, columns=[*map(printable, result.columns)], rows=rows)


def width_of(text: str) -> int:
    """Return the number of a terminal's cells that a text takes; of several lines, the widest counts."""
    from rich.cells import cell_len

    return max(map(cell_len, text.split("\n")))


def divide(result: Result, width: int) -> list[Result]:
    """Divide a table into tables of `width` characters, each with the first columns, the heads.

    Texts of the heads and names of columns are cut if that makes fewer tables, or if a column would be too
    wide. No other cell is cut, so that on a very narrow terminal a table is wider.
    """
    for limits in _LENGTHS:
        divided = [_divide(_cut(result, limit), width) for limit in limits]
        # The best division is not too wide, then has the fewest tables, and then the longest texts.
        too_wide, _, place = min(
            (any(sum(_widths(part)) >= width for part in parts), len(parts), place)
            for place, parts in enumerate(divided)
        )
        if not too_wide:
            break
    return divided[place]


def _divide(result: Result, width: int) -> list[Result]:
    """Divide a table before each column with which a part, with the heads, would be too wide."""
    widths = _widths(result)
    heads = list(range(result.heads))
    parts: list[list[int]] = [[]]
    for place in range(result.heads, len(widths)):
        if parts[-1] and sum(widths[column] for column in [*heads, *parts[-1], place]) >= width:
            parts.append([])
        parts[-1].append(place)
    return [result.select([*heads, *part]) for part in parts]


def _widths(result: Result) -> list[int]:
    """Return the width of each column, with the border to its left; the last border is not counted."""
    columns = zip(result.columns, *result.rows, strict=True)
    return [3 + max(width_of("NULL" if cell is None else cell) for cell in column) for column in columns]


def _cut(result: Result, limit: int) -> Result:
    """Shorten the texts of heads and the names of columns to `limit` cells of a terminal."""
    texts = [place < result.heads and not numeric for place, numeric in enumerate(result.numeric)]
    rows = [
        tuple(
            _shorten(cell, limit) if is_text and cell is not None else cell
            for cell, is_text in zip(row, texts, strict=True)
        )
        for row in result.rows
    ]
    return replace(result, columns=[_shorten(name, limit) for name in result.columns], rows=rows)


def _shorten(text: str, width: int) -> str:
    """Make a text fit `width`: join its lines, then cut the middle out, as both ends tell names apart."""
    if width_of(text) <= width:
        return text
    from rich.cells import set_cell_size

    line = " ".join(text.split())
    if width_of(line) <= width:
        return line
    before = set_cell_size(line, width // 2).rstrip()
    after = set_cell_size(line[::-1], width - 1 - width // 2).rstrip()[::-1]
    return f"{before}…{after}"


def stdout(fitted: bool = False) -> Console:
    """Return a console on standard output; unless this is a terminal or `fitted`, lines are never wrapped.

    In a pipe, a fitted console has the width of the terminal of standard error, or else 80 characters.
    """
    from rich.console import Console

    console = Console()
    if not fitted and not console.file.isatty():
        console.width = _ENDLESS
    return console


def terminal_width(output: Output) -> int | None:
    """Return the width of the terminal in characters; None if there is none, or no table is printed."""
    console = stdout()
    return console.width if output == "table" and console.file.isatty() else None


def _table(result: Result) -> Table:
    # Rich takes as long to import as a small evaluation takes.
    from rich import box
    from rich.table import Table
    from rich.text import Text

    several_lines = any("\n" in cell for row in result.rows for cell in row if cell)
    group_before = None
    table = Table(box=box.ROUNDED, show_lines=several_lines)
    for name, numeric in zip(result.columns, result.numeric, strict=True):
        table.add_column(Text(name), justify="right" if numeric else "left", overflow="fold")
    for row in result.rows:
        if group_before is not None and row[: result.ruled] != group_before:
            table.add_section()
        group_before = row[: result.ruled]
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


def _strict(text: str) -> str:
    """Return valid JSON: NaN and the infinities become texts."""
    return _TEXT_OR_WORD.sub(lambda match: match[1] or f'"{match[0]}"', text)


def _markdown(result: Result) -> str:
    """Write a Markdown table. HTML in cells is escaped; Markdown's emphasis and links are not."""

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    def field(cell: str | None) -> str:
        if isinstance(cell, Markup):
            return cell
        return "NULL" if cell is None else markdown_text(cell)

    rules = ["---:" if numeric else "---" for numeric in result.numeric]
    return "\n".join(
        [line([*map(field, result.columns)]), line(rules), *(line([*map(field, row)]) for row in result.rows)]
    )


def markdown_text(text: str) -> str:
    """Write a text for a cell in Markdown: HTML and ``|`` are escaped, and line breaks become ``<br>``."""
    text = escape(text, quote=False).replace("|", r"\|")
    return printable(re.sub(r"\r\n?|\n", "<br>", text))


class Markup(str):
    """A cell that is Markdown, HTML or LaTeX already and stays as it is."""


def html(result: Result, caption: str = "", heads: int = 0) -> str:
    """Return an HTML table. Cells of numeric columns have the class ``number``.

    The first `heads` columns are header cells of their rows.
    """

    def cell(text: str | None, numeric: bool, scope: str = "") -> str:
        name = "th" if scope else "td"
        class_attribute = ' class="number"' if numeric else ""
        scope_attribute = f' scope="{scope}"' if scope else ""
        return f"<{name}{scope_attribute}{class_attribute}>{_escaped(text)}</{name}>"

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
    return "NULL" if cell is None else printable(re.sub(r"\r\n?|\n", "<br>", escape(cell)))


def latex(result: Result, kinds: str = "") -> str:
    """Write a LaTeX table, for the package booktabs. `kinds`, such as ``lrr``, can align columns anew."""

    def line(cells: Sequence[str | None]) -> str:
        return " & ".join(map(field, cells, result.numeric)) + r" \\"

    def field(cell: str | None, numeric: bool) -> str:
        if isinstance(cell, Markup):
            return cell
        text = "NULL" if cell is None else cell
        return f"$-${latex_text(text[1:])}" if numeric and text.startswith("-") else latex_text(text)

    kinds = kinds or "".join("r" if numeric else "l" for numeric in result.numeric)
    lines = [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", line(result.columns), r"\midrule"]
    for before, row in zip([None, *result.rows], result.rows, strict=False):
        if before is not None and row[: result.ruled] != before[: result.ruled]:
            lines.append(r"\midrule")
        lines.append(line(row))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def latex_text(text: str) -> str:
    """Write a text for LaTeX, in one line and without control characters."""
    printed = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text).split())
    return "".join(_LATEX.get(sign, sign) for sign in printed)


def latex_float(tabular: str, caption: str | None, label: str | None, note: str = "") -> str:
    """Put a tabular, with a note below it, into a float; all arguments are LaTeX."""
    above = [
        *([] if caption is None else [rf"\caption{{{caption}}}"]),
        *([] if label is None else [rf"\label{{{label}}}"]),
    ]
    below = [r"\par\smallskip", r"\begin{minipage}{\linewidth}\footnotesize", note, r"\end{minipage}"]
    lines = [r"\begin{table}", r"\centering", *above, tabular, *(below if note else []), r"\end{table}"]
    return "\n".join(lines)
