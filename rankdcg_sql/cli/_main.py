"""The command ``rankdcg-sql``, and its commands ``sql``, ``functions``, ``macros`` and ``demo``."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import threading
from dataclasses import asdict
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
import duckdb

import rankdcg_sql
from rankdcg_sql import _native
from rankdcg_sql._measures_elsewhere import advice_on, in_plain_letters
from rankdcg_sql._output import Output, Result, fetch, results, write
from rankdcg_sql._sql import quote_name, quote_text
from rankdcg_sql.catalogue import by_name, measures_of_tables, metric_names, table_macros
from rankdcg_sql.cli._demo import FILES, queries, run_demo
from rankdcg_sql.cli._evaluation import compare, evaluate, history, report
from rankdcg_sql.cli._explain import explain
from rankdcg_sql.cli._options import discard_output, examples, option, output_option, plain_errors
from rankdcg_sql.cli._verify import verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rankdcg_sql.catalogue import Function


def _variables(values: tuple[str, ...]) -> list[tuple[str, str]]:
    """Read the ``NAME=VALUE`` texts of ``--set``."""
    pairs = []
    for text in values:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise click.BadParameter(f"expected NAME=VALUE, got {text!r}")
        pairs.append((name, value))
    return pairs


class _Script(click.File):
    """A file to read, or one of the package's queries."""

    def convert(
        self, value: Any, parameter: click.Parameter | None, context: click.Context | None
    ) -> IO[bytes]:
        """Open the file of this name; if there is none, the package's query of this name."""
        packaged = queries() / value
        name = str(packaged) if not Path(value).exists() and packaged.is_file() else value
        opened: IO[bytes] = super().convert(name, parameter, context)
        return opened


#: A call of `precision` without quotes, which is a syntax error.
_CALL_OF_A_KEYWORD = re.compile(r"\bprecision\s*\(", re.IGNORECASE)
_COMPLETION = """

\b
Completion of commands and options in bash (zsh_source and fish_source in others):
  eval "$(_RANKDCG_SQL_COMPLETE=bash_source rankdcg-sql)"
"""


class _Main(click.Group):
    """The commands. An output that cannot be written ends them without a traceback."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Run a command. Click itself ends it if the reader of a pipe is gone."""
        # Python has no stream for a standard error that is closed, and results do not need it.
        sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115 - it stays open
        if (
            signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
            and threading.current_thread() is threading.main_thread()
        ):
            # Otherwise the process would end at once, and leave temporary files with rows of the tables.
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        try:
            try:
                return super().main(*args, **options)
            finally:
                if sys.stdout:
                    sys.stdout.flush()
        except OSError as error:
            if error.filename:  # a file that a command opens, and not an output that is open
                raise
            discard_output()
            click.echo(f"Error: the output cannot be written: {error.strerror}", err=True)
            sys.exit(1)


@click.group(
    cls=_Main,
    name="rankdcg-sql",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "evaluate --truth truth.parquet --rec rec.parquet -k 5,10",
        "compare --truth truth.parquet --rec popular.parquet --rec mine.parquet",
        "sql -c \"SELECT ndcg(['a', 'b', 'c'], ['b', 'd'], 2)\"",
        "sql --output csv evaluate.sql > metrics.csv",
        "functions ndcg rankdcg",
        "demo",
    )
    + _COMPLETION,
)
@click.version_option(rankdcg_sql.__version__)
def main() -> None:
    """Evaluate rankings: recommendations against judgements, in files, databases and SQL."""


for command in (evaluate, compare, explain, report, history, verify):
    main.add_command(command)


@main.command(
    epilog=examples(
        "sql -c \"SELECT recall_at(['a', 'b', 'c'], ['b', 'z'], 2)\"",
        "sql -c \"FROM 'rec.parquet' LIMIT 5\" --output markdown",
        "sql --set run=results.txt --set qrels=qrels.txt trec_eval.sql",
        "sql --hivemall hivemall/tables.sql hivemall/binary_response.sql",
    )
)
@click.argument("files", nargs=-1, type=_Script("rb"), metavar="[FILE]...")
@click.option("-c", "command", metavar="SQL", help="SQL statements, in place of FILEs.")
@click.option(
    "--database", default=":memory:", metavar="PATH", help="Database to open; in memory if not given."
)
@click.option("--hivemall", is_flag=True, help="Understand Apache Hivemall's ranking queries.")
@option(
    "--set variables",
    "NAME=VALUE",
    "Set a variable to a text, which getvariable('NAME') returns in SQL. Repeatable.",
    _variables,
    multiple=True,
)
@output_option("table", "csv", "json", "markdown", "html", "latex")
def sql(
    files: tuple[IO[bytes], ...],
    command: str | None,
    database: str,
    hivemall: bool,
    variables: list[tuple[str, str]],
    output: Output,
) -> None:
    """Run SQL and print its results.

    The statements come from FILEs ("-" is standard input) or from -c. A FILE that does not exist may name
    one of the package's queries, such as worst_users.sql. Parquet, CSV and JSON files are tables:
    FROM 'rec.parquet'.
    """
    if bool(files) == (command is not None):
        raise click.UsageError('Give the SQL in FILEs ("-" is standard input) or with -c, one of the two.')
    scripts = [command] if command is not None else [_read(file) for file in files]
    with plain_errors():
        for text in chain([database], scripts, *variables):
            text.encode()  # fails for arguments whose bytes are not UTF-8
    with plain_errors(), rankdcg_sql.connect(database, config={"python_enable_replacements": False}) as con:
        if hivemall:
            rankdcg_sql.register_hivemall(con)
        for name, value in variables:
            con.execute(f"SET VARIABLE {quote_name(name)} = {quote_text(value)}")
        statements = [statement for script in scripts for statement in _statements(con, script)]
        if not statements:
            raise click.ClickException("There is no SQL statement to run.")
        separator = ""
        for relation in results(con, statements):
            result = fetch(relation, output)
            click.echo(separator, nl=False)
            write(result, output)
            separator = "\n"


def _statements(con: duckdb.DuckDBPyConnection, script: str) -> list[duckdb.Statement]:
    """Divide a script into its statements."""
    try:
        return con.extract_statements(script)
    except duckdb.ParserException as error:
        if not _CALL_OF_A_KEYWORD.search(script):
            raise
        hint = 'PRECISION is a keyword of SQL: write precision_at(...), or "precision"(...)'
        raise click.ClickException(f"{error}\n\n{hint}") from error


def _read(file: IO[bytes]) -> str:
    """Return the text of a script in UTF-8, without a byte order mark; any other encoding is an error."""
    try:
        return file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{file.name} is not text in UTF-8: {error}") from error


@main.command(epilog=examples("functions", "functions ndcg mrr", "functions --output json"))
@click.argument("names", nargs=-1, metavar="[NAME]...")
@output_option("table", "json", "markdown")
def functions(names: tuple[str, ...], output: Output) -> None:
    """List all functions, or those of NAMEs, with their options.

    A NAME may be one of a geometric mean, or of a measure of items or of spans.
    """
    known, of_tables = by_name(), measures_of_tables()
    chosen = []
    for name in names or known:
        meant = metric_names().get(in_plain_letters(name), "")
        found = known.get(name.lower()) or of_tables.get(meant)
        if found is None:
            if name.lower() in {macro.name for macro in table_macros()}:
                raise click.BadParameter(f"{name} is a table macro: rankdcg-sql macros prints its SQL")
            near = meant or " or ".join(get_close_matches(name.lower(), known))
            hint = advice_on(name) or (f"did you mean {near}?" if near else "")
            raise click.BadParameter(f"there is no function {name!r}{hint and ': '}{hint}")
        chosen.append(found)
    chosen = list(dict.fromkeys(chosen))
    if output == "json":
        click.echo(json.dumps([asdict(function) for function in chosen], ensure_ascii=False, indent=2))
        return
    write(_described(chosen) if output == "table" else _listed(chosen), output, fitted=True)
    taken = {option for function in chosen for option in function.options}
    if not taken:
        return
    click.echo()
    options = [
        (option.name, option.default, ", ".join(filter(None, [*option.values, option.other])), option.doc)
        for option in rankdcg_sql.options()
        if option.name in taken
    ]
    write(_texts("option", "default", "values", "effect", rows=options), output, fitted=True)


@main.command(
    epilog=examples(
        "macros > macros.sql", "macros --persistent | duckdb -unsigned -storage-version v1.4.0 new.db"
    )
)
@click.option(
    "--persistent", is_flag=True, help="Create them in the database, and not for one connection alone."
)
def macros(persistent: bool) -> None:
    """Print the table macros as SQL, for clients of DuckDB other than Python.

    The macros are rank_evaluate, rank_measures, rank_summary, rank_compare, rank_explain, rank_change and
    its kin, rank_similarity, rank_check and rank_functions. Those that compute metrics need DuckDB 2.0 or
    later. rankdcg_sql.connect() creates them by itself.

    With --persistent, the database needs storage version v1.4.0 or later. The printed SQL says
    how to copy a database of an earlier one.
    """
    click.echo(_native.macro_script(not persistent))


def _call(function: Function) -> str:
    """Write a call of a function; a measure of tables is called by its name."""
    if function.name in by_name():
        return f"{function.name}({function.signature})"
    reads = f" with the column {function.item_property}" if function.item_property else ""
    more, in_sql = {
        "items": (f", items=...){reads}", "rank_items"),
        "spans": (", spans=...)", "rank_evaluate_spans"),
        "rows": (")", f"geometric_mean_values of {function.mean_of}"),
    }[function.form]
    return f"evaluate(metrics='{function.name}'{more}; {in_sql} in SQL"


def _described(functions: list[Function]) -> Result:
    """Describe functions in two columns, because a terminal has no room for more."""
    rows = [
        (
            "\n".join(f.names),
            f"{_call(f)}{', an aggregate' if f.is_aggregate else ''}\n{f.summary}\n"
            + f"result: {f.result}\nexample: {f.examples.sql}\n" * (f.name in by_name())
            + f"formula: {f.formula}\nrange: {f.range}\n"
            + f"options: {', '.join(f.options)}\n" * (f.name in by_name())
            + f"source: {f.source}",
        )
        for f in functions
    ]
    return _texts("function", "description", rows=rows)


def _listed(functions: list[Function]) -> Result:
    """Describe functions in a row each, for Markdown, which has room for many columns."""
    rows = [
        (
            _call(f),
            ", ".join(f.aliases),
            "aggregate" if f.is_aggregate else "scalar",
            f.result,
            f.formula,
            f.range,
            ", ".join(f.options),
            f.source,
        )
        for f in functions
    ]
    columns = ("function", "aliases", "kind", "result", "formula", "range", "options", "source")
    return _texts(*columns, rows=rows)


def _texts(*columns: str, rows: Sequence[tuple[str | None, ...]]) -> Result:
    return Result(list(columns), [False] * len(columns), rows)


@main.command(epilog=examples("demo", "demo --users 50000 --directory data"))
@click.option(
    "--users", type=click.IntRange(min=1), default=5000, show_default=True, help="Number of invented users."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the invented data.")
@click.option(
    "--directory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of the tables and the report.  [default: a new folder of temporary files]",
)
@click.option("--verbose", is_flag=True, help="Show each published value beside the computed one.")
def demo(users: int, seed: int, directory: Path | None, verbose: bool) -> None:
    """Compare two recommenders for invented users, and write a report.

    Also computes the values of Hivemall's page and of the rankDCG paper. The exit code is 1 if one differs.
    """
    if directory is not None:
        _prepare(directory)
    with plain_errors():
        agreed = run_demo(users, seed, directory, verbose)
    if not agreed:
        raise click.ClickException("A computed value differs from the published one.")


def _prepare(directory: Path) -> None:
    """Make the folder for the demonstration's files; refuse to overwrite files in it."""
    for path in (directory / file for file in FILES):
        if path.exists():
            raise click.ClickException(f"{path} is there already.")
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"{directory} cannot be made: {error.strerror}.") from error
