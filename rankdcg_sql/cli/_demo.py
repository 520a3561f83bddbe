"""The demonstration behind ``rankdcg-sql demo``: which of two recommenders is better?"""

from __future__ import annotations

import os
from contextlib import contextmanager
from math import isclose
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import click
from rich.syntax import Syntax
from rich.text import Text

import rankdcg_sql
from rankdcg_sql import _static
from rankdcg_sql._output import Result, fetch, four_digits, p_value_text, results, stdout, write
from rankdcg_sql._packaged import packaged
from rankdcg_sql._sql import quote_text
from rankdcg_sql.duckdb import connect
from rankdcg_sql.hivemall import register_hivemall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duckdb import DuckDBPyConnection

    from rankdcg_sql.evaluation import Comparison

#: The two systems that the demonstration compares, the baseline first.
SYSTEMS = ("popularity", "personalised")
#: The name of the report that the demonstration writes.
REPORT = "report.html"
#: The names of all files that the demonstration writes.
FILES = ("truth.parquet", *(f"{system}.parquet" for system in SYSTEMS), REPORT)

_NO_REPORT = "No report was written, because its plots need Matplotlib: pip install 'rankdcg_sql[plots]'."
_K = 10
_METRICS = ("ndcg", "recall", "mrr")

# The values that Hivemall's page "Ranking Problems" gives.
_BINARY = {
    "recall": 0.6666666666666666,
    "recall_at_2": 0.3333333333333333,
    "precision": 0.5,
    "precision_at_2": 0.5,
    "average_precision": 0.5555555555555555,
    "average_precision_at_2": 0.3333333333333333,
    "auc": 0.75,
    "auc_at_2": 1.0,
    "mrr": 1.0,
    "mrr_at_2": 1.0,
    "ndcg": 0.7039180890341349,
    "ndcg_at_2": 0.6131471927654585,
}
_GRADED = {"ndcg_at_2": 0.8128912838590544, "ndcg_at_3": 0.9187707805346093}
# The last column of Table 1 in the rankDCG paper.
_PAPER = {
    "[9, 4, 4, 2, 2, 2, 1, 1, 1, 1]": 1.0,
    "[9, 4, 4, 2, 2, 1, 2, 1, 1, 1]": 0.975,
    "[4, 4, 2, 9, 2, 2, 1, 1, 1, 1]": 0.65,
    "[1, 4, 4, 2, 2, 2, 9, 1, 1, 1]": 0.325,
    "[1, 4, 4, 2, 2, 2, 1, 1, 1, 9]": 0.325,
    "[1, 1, 1, 1, 2, 2, 2, 4, 4, 9]": 0.0,
}


def queries() -> Path:
    """Return the folder of the queries: inside an installed package, and beside the package in a checkout.

    Examples
    --------
    >>> from rankdcg_sql.cli._demo import queries
    >>> (queries() / "demo" / "evaluate.sql").is_file()
    True
    """
    return packaged("queries", "queries")


def run_demo(users: int, seed: int, directory: Path | None, verbose: bool) -> bool:
    """Print the demonstration, and write its tables and its report to `directory`, or a new folder.

    Returns whether every computed value equals the published one; `verbose` prints each beside the other.
    """
    folder = Path(mkdtemp(prefix="rankdcg_demo_")) if directory is None else directory
    with _inside(folder):
        _heading(f"Two systems recommend songs to {users:,} listeners. Which one is better?")
        _invent(users, seed)
        compared = _compare_systems()
        written = _write_report(compared)
    _show_sql(folder)
    click.echo(f"\nThe tables are in {folder}.")
    click.echo(f"Open this report in a browser: {folder / REPORT}" if written else _NO_REPORT)
    return _reproduce(verbose)


def _invent(users: int, seed: int) -> None:
    """Write the demonstration's tables to the current folder, and print how many rows and users each has."""
    with connect() as con:
        con.execute(f"SET VARIABLE users = {users}; SET VARIABLE seed = {seed}")
        (files,) = _run(con, "demo/generate.sql")
    write(files, "table")


def _compare_systems() -> Comparison:
    """Compare the two systems, and print how they differ over all users and by segment."""
    systems = {system: f"{system}.parquet" for system in SYSTEMS}
    compared = rankdcg_sql.compare("truth.parquet", systems, k=_K, metrics=_METRICS, rel="rel", by="listener")
    _heading(f"By how much, and is it chance? Means of metrics at {_K} over users, and a paired t test:")
    numbers = ", ".join(map(four_digits, ("baseline", "mean", "difference", "low", "high")))
    of_all = compared.differences.filter("all_users")
    rows = of_all.project(f"metric, {numbers}, {p_value_text('p_corrected')}").fetchall()
    columns = ["metric", *SYSTEMS, "better by", "low", "high", "p"]
    write(Result(columns, [name != "metric" for name in columns], rows), "table")
    click.echo("low and high are the ends of the 95% interval of the difference.")

    _heading(f"For whom? NDCG at {_K} by kind of listener:")
    rows = (
        compared.differences.filter("metric = 'ndcg' AND NOT all_users")
        .project(f"listener, n::VARCHAR, {four_digits('baseline')}, {four_digits('mean')}")
        .fetchall()
    )
    columns = ["listener", "users", *SYSTEMS]
    write(Result(columns, [name != "listener" for name in columns], rows), "table")
    click.echo("New listeners have played nothing yet, so personalised has nothing for them.")
    return compared


def _write_report(compared: Comparison) -> bool:
    """Write the report to the current folder; return False if Matplotlib is not installed."""
    recs = {f"rec {name}": f"{name}.parquet" for name in SYSTEMS}
    inputs = {"truth": "truth.parquet", **recs, "rel": "rel"}
    try:
        compared.report(REPORT, "Which recommender is better?", inputs)
    except ImportError:
        return False
    return True


def _show_sql(folder: Path) -> None:
    """Print the SQL that gives the same numbers, with paths that work in the current folder."""
    # Its table macros need DuckDB 2.0, the first version in which functions are installed.
    since = "" if _static.installed() else " (from DuckDB 2.0 on)"
    _heading(f"The same in SQL{since}:")
    sql = (queries() / "demo" / "evaluate.sql").read_text(encoding="utf-8").strip()
    for file in FILES:
        sql = sql.replace(quote_text(file), quote_text((folder / file).as_posix()))
    console = stdout()
    if console.is_terminal:
        console.print(Syntax(sql, "sql", theme="ansi_dark", background_color="default", word_wrap=True))
    else:
        click.echo(sql)


def _reproduce(verbose: bool) -> bool:
    """Compute the published values, print how many agree (all if `verbose`), and return whether all do."""
    with connect() as con:
        register_hivemall(con)
        _run(con, "hivemall/tables.sql")
        (binary,) = _run(con, "hivemall/binary_response.sql")
        (graded,) = _run(con, "hivemall/graded_response.sql")
    with connect() as con:
        (orders,) = _run(con, "demo/rankdcg_paper.sql")
    rows = [
        *_beside("Hivemall's page, binary relevance", _row(binary), _BINARY),
        *_beside("Hivemall's page, graded relevance", _row(graded), _GRADED),
        *_beside("rankDCG paper, Table 1", {str(order): value for _, order, value in orders.rows}, _PAPER),
    ]
    if verbose:
        _heading("Published values, and the values computed here:")
        write(Result(["source", "value of", "computed", "published", ""], [False] * 5, rows), "table")
    agreed = sum(row[-1] == "✓" for row in rows)
    sources = "from Hivemall's page and the rankDCG paper" + ("" if verbose else "; --verbose lists them")
    click.echo(f"{agreed} of {len(rows)} published values reproduced ({sources}).")
    return agreed == len(rows)


@contextmanager
def _inside(directory: Path) -> Iterator[None]:
    """Change to a folder within the block."""
    before = Path.cwd()
    os.chdir(directory)
    try:
        yield
    finally:
        os.chdir(before)


def _run(con: DuckDBPyConnection, name: str) -> list[Result]:
    """Run one of the package's files of queries and return its results."""
    sql = (queries() / name).read_text(encoding="utf-8")
    return [fetch(result) for result in results(con, con.extract_statements(sql))]


def _heading(text: str) -> None:
    stdout().print(Text(f"\n{text}\n", "bold"))


def _row(result: Result) -> dict[str, str | None]:
    """Return the only row as a dict keyed by the names of the columns."""
    (row,) = result.rows
    return dict(zip(result.columns, row, strict=True))


def _beside(
    source: str, values: dict[str, str | None], published: dict[str, float]
) -> list[tuple[str | None, ...]]:
    """Put each published value beside the computed one, and a mark that says whether they agree to 1e-9."""
    rows: list[tuple[str | None, ...]] = []
    for name, number in published.items():
        value = values.get(name)
        agrees = value is not None and isclose(float(value), number, rel_tol=0, abs_tol=1e-9)
        rows.append((source, name, value, repr(number), "✓" if agrees else "✗"))
    return rows
