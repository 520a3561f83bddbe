"""Helpers that the commands of the command line share."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click
import duckdb

from rankdcg_sql._sql import is_interrupt

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
        raise click.ClickException(str(error)) from error
    except RuntimeError as error:
        if not is_interrupt(error):
            raise
        raise click.Abort from error


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
