"""The command ``history``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

import rankdcg_sql
from rankdcg_sql._output import Output, terminal_width
from rankdcg_sql._text import printable
from rankdcg_sql.cli import _options as shared
from rankdcg_sql.cli._common import examples, output_option, print_results
from rankdcg_sql.cli._evaluation import user_errors
from rankdcg_sql.cli._gates import FAILED

if TYPE_CHECKING:
    from rankdcg_sql.evaluation import History

#: The endings of the pictures that ``--plot`` writes.
_PICTURES = (".svg", ".png", ".pdf")


def _picture(path: Path) -> Path:
    if path.suffix.lower() not in _PICTURES:
        raise click.BadParameter(f"{str(path)!r} must end with {', '.join(_PICTURES)}")
    return shared.writable_path(path)


@click.command(
    epilog=examples(
        "history history.parquet",
        "history history.parquet -m ndcg@10 --against first",
        "history history.parquet --against v42 --plot history.svg --output markdown",
        "history history.parquet -m ndcg@10 --fail-on-drop",
    )
)
@click.argument("path", metavar="FILE")
@shared.measures
@shared.option(
    "--against",
    "RUN",
    "Run with which each run is compared: previous, first, or the label of a run.",
    shared.utf8_text,
    default="previous",
)
@output_option(*get_args(Output))
@shared.option(
    "--plot",
    "FILE",
    f"Picture to write, of the means over time: {', '.join(_PICTURES)}; an existing file is replaced.",
    _picture,
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
)
@click.option(
    "--fail-on-drop",
    is_flag=True,
    help=f"The exit code is {FAILED} if a mean of the last run is significantly below that of the run with "
    "which it is compared, or if no user of the last run has a value.",
)
def history(
    path: str, metrics: list[str] | None, against: str, output: Output, plot: Path | None, fail_on_drop: bool
) -> None:
    """Show the means of runs over time, and which changes are significant.

    FILE is a history to which `rankdcg-sql evaluate --append` or `compare --append` has written. A star marks
    a significant change: the interval of the difference of two runs excludes 0. A change without a star may
    be real, too.
    """
    with user_errors():
        runs: History = rankdcg_sql.history(path, against, metrics)
        click.echo(printable(runs.headline()), err=True)
        for note in runs.notes():
            click.echo(printable(f"- {note}"), err=True)
        text = runs.render(output, width=terminal_width(output))
        drops = [*runs.drops_in_words(), *runs.unknown_in_words()] if fail_on_drop else []
    print_results(text, FAILED if drops else 0)
    if plot:
        with user_errors():
            runs.plot().save(plot)
        click.echo(f"Wrote {plot}", err=True)
    for drop in drops:
        click.echo(printable(f"failed: {drop}"), err=True)
    if drops:
        click.get_current_context().exit(FAILED)
