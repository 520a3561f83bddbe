"""Errors, output, the option ``--output`` and the examples of help, which all commands share."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
import duckdb

from rankdcg_sql._sql import is_interrupt
from rankdcg_sql._text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rankdcg_sql._output import Output

    Decorator = Callable[[Callable[..., None]], Callable[..., None]]


@contextmanager
def plain_errors() -> Iterator[None]:
    """Report errors of DuckDB and of text encoding without a traceback."""
    try:
        yield
    except (duckdb.Error, UnicodeError) as error:
        raise click.ClickException(printable(str(error))) from error
    except RuntimeError as error:
        if not is_interrupt(error):
            raise
        raise click.Abort from error


def discard_output() -> None:
    """Let standard output go nowhere. Python would try again to write what is left, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_results(text: str, code: int) -> None:
    """Print results. If the reader of a pipe is gone, a command keeps an exit code that is not 0."""
    try:
        click.echo(text)
    except BrokenPipeError:
        if not code:
            raise
        discard_output()


def output_option(*choices: Output) -> Decorator:
    """Make the option ``--output`` with these output formats."""
    kinds = click.Choice(choices)
    return click.option(
        "--output",
        type=kinds,
        default="table",
        show_default=True,
        help="Format in which results are printed.",
    )


def examples(*lines: str) -> str:
    """Write the examples for the end of a command's help, one per line."""
    return "\b\nExamples:\n" + "\n".join(f"  rankdcg-sql {line}" for line in lines)
