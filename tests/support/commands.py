"""The command ``rankdcg-sql`` in this process, with tables of three users to read, and what it prints."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click.testing

from rankdcg_sql.cli import main
from support.outputs import not_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TABLES = ["--truth", "truth.csv", "--rec", "rec.csv"]
BOTH = [*TABLES, "--rec", "mine.csv"]
#: The files that the fixture `tables` writes.
FILES = {
    "truth.csv": "userid,itemid,rating,country\n1,1,5,FR\n1,2,4,FR\n1,4,1,FR\n2,3,5,IT\n3,5,4,FR\n",
    "rec.csv": "userid,itemid,score\n1,1,0.9\n1,3,0.8\n1,2,0.3\n2,1,0.7\n2,3,0.6\n",
    "mine.csv": "userid,itemid,score\n1,1,0.9\n1,2,0.8\n2,3,0.3\n3,1,0.7\n",
    "qrels.txt": "q1 0 d1 1\nq2 0 d2 1\n",
    "run.txt": "q1 Q0 d1 1 0.5 bm25\nq1 Q0 d2 2 0.4 bm25\nq2 Q0 d1 1 0.4 bm25\n",
    "other.txt": "q1 Q0 d2 1 0.5 dense\nq2 Q0 d2 1 0.4 dense\n",
    "users.csv": "userid,country\n1,FR\n2,IT\n3,FR\n",
    "repeats.csv": "userid,itemid,score\n1,1,0.9\n1,1,0.8\n1,,0.5\n,2,0.5\n2,3,\n2,3,0.3\n",
}


def run(
    *args: str | Path, code: int = 0, text: str | bytes | None = None, **environment: str
) -> click.testing.Result:
    """Run a command, which must end with this exit code; `text` is its standard input."""
    plain = dict.fromkeys(("FORCE_COLOR", "TTY_COMPATIBLE", "COLUMNS", "PYTHONIOENCODING"))
    runner = click.testing.CliRunner(env=plain | environment)
    done = runner.invoke(main, [str(arg) for arg in args], input=text, prog_name="rankdcg-sql")
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    assert done.exit_code == code, done.output
    return done


def printed(*args: str | Path, code: int = 0) -> Any:
    """The JSON that `evaluate`, `compare` or `history` prints."""
    return json.loads(run(*args, "--output", "json", code=code).stdout, parse_constant=not_json)


def rows(*args: str | Path) -> list[dict[str, Any]]:
    """The rows that `evaluate` or `compare` prints as JSON."""
    found: list[dict[str, Any]] = printed(*args)["rows"]
    return found


def sql(kind: str, *args: str | Path, text: str | bytes | None = None, code: int = 0) -> str:
    """The output of the command `sql` in a format."""
    return run("sql", "--output", kind, *args, text=text, code=code).output


def results(*args: str | Path) -> list[list[dict[str, Any]]]:
    """The rows of each result that `sql` prints as JSON."""
    parts = sql("json", *args).split("\n\n")
    return [json.loads(part, parse_constant=not_json) for part in parts if part.strip()]


def only_result(*args: str | Path) -> list[dict[str, Any]]:
    """The rows of the only result that `sql` prints as JSON."""
    (result,) = results(*args)
    return result


def tables(text: str) -> Iterator[list[list[str]]]:
    """The cells of every table in a text for a terminal, the header first."""
    cells: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("│"):
            cells.append([cell.strip() for cell in line.strip("│").split("│")])
        elif line.startswith("╰"):
            yield cells
            cells = []
