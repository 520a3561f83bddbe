"""LaTeX tables, checked by a strict reader, and compiled if there is a TeX."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

#: The commands that tables may have.
COMMANDS = {
    "begin", "bottomrule", "caption", "centering", "dagger", "end", "footnotesize", "label", "linewidth",
    "midrule", "multicolumn", "par", "smallskip", "textasciicircum", "textasciitilde", "textbackslash",
    "textbar", "textbf", "textgreater", "textless", "toprule",
}  # fmt: skip
_RULES = re.compile(r"\\(toprule|midrule|bottomrule)\s*")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)


def tables(text: str) -> list[list[list[str]]]:
    """Read the tabulars of a text: for each, the rows as lists of cells in LaTeX.

    Raises
    ------
    AssertionError
        If braces, dollars or environments are not balanced, a character or a command is not allowed, or a row
        has another number of cells than the tabular has columns.
    """
    _check_tokens(text)
    _check_environments(text)
    found = re.findall(r"\\begin\{tabular\}\{((?:[^{}]|\{\})*)\}\n(.*?)\\end\{tabular\}", text, re.DOTALL)
    assert len(found) == text.count(r"\begin{tabular}")
    return [_rows(columns, body) for columns, body in found]


def _check_tokens(text: str) -> None:
    depth, in_math = 0, False
    for token in _TOKEN.findall(text):
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            assert depth >= 0, "a brace is closed that is not open"
        elif token == "$":
            in_math = not in_math
        elif token == "^":
            assert in_math, "^ outside of mathematics"
        elif len(token) == 1:
            assert token not in "_#%~\t", f"{token!r} is not escaped"
            assert token == "\n" or token.isprintable() or token == "\u00a0", f"{token!r} is no text"
        else:
            assert token[1:] in COMMANDS or token[1] in "\\#$%&_{}", f"{token} is no command of a table"
    assert depth == 0, "a brace stays open"
    assert not in_math, "mathematics stay open"


def _check_environments(text: str) -> None:
    open_ones: list[str] = []
    for word, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if word == "begin":
            open_ones.append(name)
        else:
            assert open_ones.pop() == name
    assert not open_ones


def _rows(columns: str, body: str) -> list[list[str]]:
    assert "\n\n" not in body, "an empty line in a tabular"
    width = len(re.sub(r"@\{\}", "", columns))
    assert re.fullmatch("[lr]+", re.sub(r"@\{\}", "", columns))
    *rows, last = _RULES.sub("", body).split("\\\\\n")
    assert not last.strip()
    found = []
    for row in rows:
        # A line break would take these for its argument.
        assert not re.match(r"\s*[*\[]", row)
        cells = [cell.strip() for cell in re.split(r"(?<!\\)&", row)]
        spans = [re.match(r"\\multicolumn\{(\d)\}", cell) for cell in cells]
        assert sum(int(span[1]) if span else 1 for span in spans) == width, row
        found.append(cells)
    return found


def compile_document(folder: Path, *parts: str) -> bool:
    """Compile a document with the tables by pdfLaTeX or LuaLaTeX; return False if there is no TeX.

    Raises
    ------
    AssertionError
        If it does not compile.
    """
    program = next(filter(None, map(shutil.which, ("pdflatex", "lualatex"))), None)
    if program is None:
        return False
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs}\begin{document}"
    (folder / "tables.tex").write_text("\n\n".join([head, *parts, r"\end{document}"]), encoding="utf-8")
    done = subprocess.run(
        [program, "-interaction=nonstopmode", "-halt-on-error", "tables.tex"],
        cwd=folder, capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-3000:]
    return (folder / "tables.pdf").is_file()
