"""The demonstration behind ``rankdcg-sql demo``."""

from __future__ import annotations

import os
from contextlib import contextmanager, nullcontext
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
from rich.syntax import Syntax
from rich.text import Text

import rankdcg_sql
from rankdcg_sql._output import Result, fetch, results, stdout, write
from rankdcg_sql.duckdb import connect
from rankdcg_sql.hivemall import register_hivemall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duckdb import DuckDBPyConnection

#: The names of the files that the demonstration writes.
FILES = ("truth.parquet", "rec.parquet")

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
    """Return the folder of the queries that come with the package.

    Returns
    -------
    pathlib.Path
        The folder ``queries``: inside an installed package, and beside the package in a checkout.

    Examples
    --------
    >>> from rankdcg_sql.cli._demo import queries
    >>> (queries() / "demo" / "evaluate.sql").is_file()
    True
    """
    package = Path(rankdcg_sql.__file__).resolve().parent
    inside = package / "queries"
    return inside if inside.is_dir() else package.parent / "queries"


def run_demo(users: int, seed: int, directory: Path | None, show_sql: bool) -> bool:
    """Print the demonstration.

    Parameters
    ----------
    users : int
        The number of users to invent.
    seed : int
        The seed of the invented data.
    directory : pathlib.Path or None
        The folder in which the files of data stay; None for a temporary folder.
    show_sql : bool
        Whether to print the SQL.

    Returns
    -------
    bool
        Whether every computed value equals the published one.
    """
    with connect() as con:
        register_hivemall(con)
        _run(con, "hivemall/tables.sql", show_sql=False)
        _heading("Apache Hivemall's page, binary relevance: means over users")
        (means,) = _run(con, "hivemall/binary_response.sql", show_sql)
        agreed = _compare("metric", _row(means), _BINARY)
        _heading("Apache Hivemall's page, graded relevance")
        (means,) = _run(con, "hivemall/graded_response.sql", show_sql)
        agreed &= _compare("metric", _row(means), _GRADED)
    with connect() as con:
        _heading(
            "The rankDCG paper, Table 1: orders of one list, from the perfect one to its reverse.\n"
            "rankDCG says how well the whole order is kept, 1 to 0; NDCG of the last one is still 0.31.\n"
            "It takes no k: every item has its place in the order."
        )
        (orders,) = _run(con, "demo/rankdcg_paper.sql", show_sql)
        agreed &= _compare("order", {str(order): value for _, order, value in orders.rows}, _PAPER)
        _evaluate(con, users, seed, directory, show_sql)
    click.echo(f"\nThe queries are files in {queries()}.")
    return agreed


def _evaluate(con: DuckDBPyConnection, users: int, seed: int, directory: Path | None, show_sql: bool) -> None:
    """Invent data and evaluate two recommenders on them."""
    con.execute(f"SET VARIABLE users = {users}; SET VARIABLE seed = {seed}")
    with _inside(directory):
        _heading(f"Two recommenders for {users:,} users: the data")
        for files in _run(con, "demo/generate.sql", show_sql):
            write(files, "table")
        _heading("Two recommenders: the metrics of some users, and the means over all")
        for metrics in _run(con, "demo/evaluate.sql", show_sql):
            write(_short(metrics), "table")
    if directory is not None:
        click.echo(f"\nThe data are in {directory}: {', '.join(FILES)}.")


@contextmanager
def _inside(directory: Path | None) -> Iterator[None]:
    """Change to a folder, or for None to a temporary one, within the block."""
    before = Path.cwd()
    with TemporaryDirectory() if directory is None else nullcontext(directory) as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _run(con: DuckDBPyConnection, name: str, show_sql: bool) -> list[Result]:
    """Run one of the package's files of queries and return its results."""
    sql = (queries() / name).read_text(encoding="utf-8")
    if show_sql:
        console = stdout()
        if console.is_terminal:
            console.print(Syntax(sql, "sql", theme="ansi_dark", background_color="default", word_wrap=True))
        else:
            click.echo(sql)
    return [fetch(result) for result in results(con, con.extract_statements(sql))]


def _heading(text: str) -> None:
    stdout().print(Text(f"\n{text}\n", "bold"))


def _row(result: Result) -> dict[str, str | None]:
    """Return the only row as a dict keyed by the names of the columns."""
    (row,) = result.rows
    return dict(zip(result.columns, row, strict=True))


def _compare(title: str, values: dict[str, str | None], expected: dict[str, float]) -> bool:
    """Print values beside the expected ones; return whether all agree to 1e-9."""
    rows = []
    for name, number in expected.items():
        value = values.get(name)
        agrees = value is not None and isclose(float(value), number, rel_tol=0, abs_tol=1e-9)
        rows.append((name, value, repr(number), "✓" if agrees else "✗"))
    write(Result([title, "value", "expected", ""], [False, True, True, False], rows), "table")
    return all(row[-1] == "✓" for row in rows)


def _short(result: Result) -> Result:
    """Format every number that is not whole with four decimals."""

    def short(cell: str | None, numeric: bool) -> str | None:
        return f"{float(cell):.4f}" if cell is not None and numeric and not cell.isdigit() else cell

    rows = [tuple(map(short, row, result.numeric)) for row in result.rows]
    return Result(result.columns, result.numeric, rows)
