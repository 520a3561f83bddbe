"""The commands ``evaluate``, ``compare``, ``report`` and ``history``."""

from __future__ import annotations

import os
import re
import sys
import warnings
from contextlib import ExitStack, contextmanager
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click
import duckdb
from click.core import ParameterSource

import rankdcg_sql
from rankdcg_sql._output import Output, terminal_width
from rankdcg_sql._printable import printable
from rankdcg_sql._sql import error_text
from rankdcg_sql._temporary_folder import temporary_folder
from rankdcg_sql.cli import _options as shared
from rankdcg_sql.cli._gates import FAILED, Gate
from rankdcg_sql.evaluation import DataWarning
from rankdcg_sql.evaluation._history.file import append_means

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from rankdcg_sql.evaluation import Change, Comparison, Evaluation, Explanation, History

    Outcome = TypeVar("Outcome", bound=Evaluation | Comparison | Change | Explanation)


@click.command(
    epilog=shared.examples(
        "evaluate --truth truth.parquet --rec rec.parquet",
        "evaluate --truth truth.csv --rec rec.csv -k 5,10,all -m ndcg,recall",
        "evaluate --truth qrels.txt --rec run.txt --convention trec_eval",
        "evaluate --truth truth.csv --rec rec.csv --rel rating --options min_rel=4 --output csv",
        "evaluate --truth truth.csv --rec rec.csv --by country --segments users.csv",
        "evaluate --truth truth --rec mine --database shop.db --per-user values.parquet",
        "evaluate --truth truth.csv --rec rec.csv --append history.parquet --label v42",
        "evaluate --truth \"FROM 'truth.csv' WHERE rating >= 4\" --rec rec.csv --output json",
        "evaluate --truth truth.csv --rec rec.csv --require 'measured ndcg@10 >= 0.30' --quiet",
    )
)
@shared.truth
@shared.rec
@shared.metric_options
@shared.by
@shared.weight
@shared.output_options
@shared.requirement_options
@shared.history_options
@shared.database_options
def evaluate(rec: str, **parameters: Any) -> None:
    """Evaluate recommendations against judgements.

    Prints the mean of each metric over the users, and its confidence interval. Notes about the data go to
    standard error.
    """
    _run_and_print(rankdcg_sql.evaluate, parameters, rec=rec)


@click.command(
    epilog=shared.examples(
        "compare --truth truth.csv --rec popular.csv --rec mine.csv",
        "compare --truth truth.csv --rec old=popular.csv --rec new=mine.csv --baseline new -k 10 -m ndcg",
        "compare --truth qrels.txt --rec a=run.txt --rec b=other.txt --test randomization --seed 1",
        "compare --truth truth --rec popular --rec mine --database shop.db --output markdown",
        "compare --truth truth.csv --rec popular.csv --rec mine.csv --require 'ndcg@10 not worse by 1%' "
        "--inconclusive pass",
    )
)
@shared.truth
@shared.recs
@shared.test_options
@shared.metric_options
@shared.by
@shared.weight
@shared.output_options
@shared.details
@shared.requirement_options
@shared.history_options
@shared.database_options
def compare(recs: dict[str, str], **parameters: Any) -> None:
    """Compare several systems with a baseline or with each other, user by user.

    Prints the mean of each system, its difference from the baseline, and a mark if that is significant; with
    --baseline all, letters name the systems that a system is better than. --details prints intervals,
    p-values and numbers of users, too, as CSV and JSON do. A word and = at the start of --rec are read as a
    name: for the path day=1/rec.parquet, write ./day=1/rec.parquet.
    """
    if len(recs) < 2:
        raise click.UsageError("Give --rec for two systems or more; `rankdcg-sql evaluate` takes one.")
    _check_pairs(recs, parameters)
    _run_and_print(rankdcg_sql.compare, parameters, recs=recs)


@click.command(
    epilog=shared.examples(
        "report --truth truth.csv --rec mine.csv --out report.html",
        'report --truth truth.csv --rec popular.csv --rec mine.csv --out report.html --title "Spring"',
        "report --truth truth.csv --rec popular.csv --rec mine.csv --out report.html "
        "--require 'ndcg@10 not worse by 1%' --inconclusive pass",
    )
)
@shared.truth
@shared.recs
@shared.report_options
@shared.test_options
@shared.metric_options
@shared.by
@shared.weight
@shared.requirement_options
@shared.database_options
def report(recs: dict[str, str], out: Path, title: str | None, **parameters: Any) -> None:
    """Write a page of HTML about one system, or a comparison of several.

    The page begins with the outcomes of requirements, and the decision in words and as a picture. Notes about
    the data, the inputs, tables, more plots and the methods follow. It loads nothing from elsewhere.
    """
    _refuse_overwrite(out, recs.values(), parameters)
    with shared.user_errors():
        from rankdcg_sql.report import report as write_report  # its error says how Matplotlib is installed
    read = {"truth": parameters["truth"], **{f"rec {name}": path for name, path in recs.items()}}
    inputs = read | {
        name: parameters[name]
        for name in ("rel", "aspect", "segments", "items", "database")
        if parameters[name]
    }
    result: Evaluation | Comparison
    with ExitStack() as opened:  # a page names items, which are in the tables
        if len(recs) > 1:
            _check_pairs(recs, parameters)
            result, gate = run(rankdcg_sql.compare, parameters, opened, recs=recs)
        else:
            for name in shared.TEST_OPTIONS:
                _forbid(name, "a comparison: give several --rec")
                del parameters[name]
            (rec,) = recs.values()
            result, gate = run(rankdcg_sql.evaluate, parameters, opened, rec=rec)
        with shared.user_errors():
            gate.decide(result)
            write_report(result, out, title, inputs, gate.decided)
    if not gate.quiet:
        click.echo(f"Wrote {out}", err=True)
    gate.end()


def _check_pairs(recs: dict[str, str], parameters: dict[str, Any]) -> None:
    """Raise a usage error for a test of all pairs of systems if these are not compared."""
    if parameters["test"] == "tukey_hsd" and (parameters["baseline"] != "all" or "all" in recs):
        raise click.UsageError("--test tukey_hsd needs --baseline all, and no system called all.")


def _forbid(name: str, where: str) -> None:
    """Raise a usage error if an option was given that would be ignored."""
    if click.get_current_context().get_parameter_source(name) not in (None, ParameterSource.DEFAULT):
        raise click.UsageError(f"--{name.replace('_', '-')} is for {where}.")


def run(
    function: Callable[..., Outcome],
    parameters: dict[str, Any],
    opened: ExitStack | None = None,
    **tables: Any,
) -> tuple[Outcome, Gate]:
    """Run `evaluate` or `compare`, and print the headline and the notes about the data on standard error.

    The tables stay open until `opened` closes, or else for the call alone. Returns the result, and the gate
    for its requirements, which has the warnings.
    """
    convention = parameters.pop("convention")
    if convention and "convention" in parameters["options"]:
        raise click.UsageError("Give the convention once, with --convention or in --options.")
    parameters["options"] |= {"convention": convention} if convention else {}
    gate = Gate.take(function, parameters, **tables)
    arguments_of = _arguments_on_spark if parameters.pop("engine") == "spark" else _arguments
    with ExitStack() as closing, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DataWarning)
        arguments = (opened or closing).enter_context(arguments_of(**parameters, **tables))
        result = function(**arguments)
    notes = result.notes()
    if parameters.get("baseline") == "all" and "all" in tables.get("recs", ()):
        notes.append(
            "--baseline all is the system of this name: to compare all pairs, give the system another name, "
            "as in --rec NAME=TABLE"
        )
    for warning in caught:
        message = warning.message
        if not isinstance(message, DataWarning):
            warnings.showwarning(message, warning.category, warning.filename, warning.lineno)
            continue
        gate.warnings.append(message)
        if message.kind != "rows":  # the result's own notes count rows, too
            notes.append(message.write(shared.flag))
    if not gate.quiet:
        click.echo(printable(result.headline()), err=True)
        for note in dict.fromkeys(notes):
            click.echo(printable(f"- {note}"), err=True)
    return result, gate


@contextmanager
def _arguments(
    database: str | None,
    memory_limit: str | None,
    threads: int | None,
    options: dict[str, str],
    progress: bool | None,
    **others: Any,
) -> Iterator[dict[str, Any]]:
    """Open the connection that does the work; yield the arguments of `evaluate` and `compare`."""
    with temporary_folder() as folder, shared.user_errors():
        config = {
            "memory_limit": memory_limit,
            "threads": threads,
            "temp_directory": folder,
            "python_enable_replacements": False,  # the name of a table is no variable of Python
        }
        try:
            con = rankdcg_sql.connect(
                database or ":memory:",
                read_only=database is not None,
                config={name: value for name, value in config.items() if value is not None},
            )
        except duckdb.Error as error:
            if database is None:
                raise
            raise click.ClickException(
                f"{database} cannot be opened as a database: {error_text(error)}"
            ) from error
        with con:
            yield {
                **others,
                **options,
                "con": con,
                "progress": sys.stderr.isatty() if progress is None else progress,
            }


@contextmanager
def _arguments_on_spark(
    options: dict[str, str], progress: bool | None, **others: Any
) -> Iterator[dict[str, Any]]:
    """Open a session of Spark, which shows its own progress, and the tables; yield a call's arguments."""
    for name in ("database", "memory_limit", "threads"):
        _forbid(name, "--engine duckdb")
        del others[name]
    with shared.user_errors():
        import rankdcg_sql.spark  # noqa: F401 - its error says how PySpark is installed
        from rankdcg_sql.cli._spark import open_tables

        with open_tables(others) as opened:
            yield {**opened, **options}


def _run_and_print(
    function: Callable[..., Evaluation | Comparison], parameters: dict[str, Any], **tables: Any
) -> None:
    """Run `evaluate` or `compare`, print the summary, write the other files, and judge the result."""
    recs: Mapping[Any, str] = tables.get("recs") or {None: tables["rec"]}
    names = ("output", "caption", "per_user", "wide", "append", "label")
    output, caption, per_user, wide, history, label = (parameters.pop(name) for name in names)
    details = parameters.pop("details", False)
    if caption is not None and output != "latex":
        raise click.UsageError("--caption needs --output latex: other formats have no captions.")
    if per_user:
        _refuse_overwrite(per_user, recs.values(), parameters)
    elif wide is not None:
        raise click.UsageError("--wide and --long need --per-user: they are about its file.")
    if label is not None and not history:
        raise click.UsageError("--label needs --append: it names the run in its file.")
    if history and per_user and per_user.resolve() == history.resolve():
        raise click.UsageError("--append and --per-user need different files: the latter replaces its file.")
    truth = parameters["truth"]
    parameters["fingerprints"] = output == "json" or history is not None
    result, gate = run(function, parameters, **tables)
    with shared.user_errors():
        gate.decide(result)
        text = (
            gate.as_json(result, result.render("json"))
            if output == "json"
            else _text(result, output, caption, details)
        )
    if output != "table" or not gate.quiet:
        shared.print_results(text, later_exit_code=gate.code)
    if per_user:
        with shared.user_errors():
            result.write(per_user, bool(wide))
    if history:
        with shared.user_errors():
            append_means(result.systems, history, label, truth=truth, recs=recs)
        if not gate.quiet:
            click.echo(f"Appended to {history}", err=True)
    gate.end()


def _text(result: Evaluation | Comparison, output: Output, caption: str | None, details: bool) -> str:
    """Write the summary; a table on a terminal is as narrow as that."""
    width = terminal_width(output)
    if result.kind == "evaluation":
        return result.render(output, width=width) if caption is None else result.to_latex(caption)
    if caption is not None:
        return result.to_latex(caption, details=details)
    return result.render(output, details, width)


def _refuse_overwrite(path: Path, recs: Iterable[str], parameters: dict[str, Any]) -> None:
    """Raise a usage error if the file to write is one that is read."""
    if not path.exists():
        return
    others = (parameters[name] for name in ("truth", "segments", "items", "database"))
    for text in filter(None, [*others, *recs]):
        # A query has the names of files in single quotes.
        for name in (text, *re.findall(r"'([^']+)'", text)):
            for file in (name, *glob(name, recursive=True)):
                if os.path.exists(file) and _is_or_holds(file, path):
                    raise click.UsageError(
                        f"{str(path)!r} is one of the files that are read: write to another file."
                    )


def _is_or_holds(read: str, written: Path) -> bool:
    """Whether a file or folder that is read is the file that is written, or holds it."""
    if os.path.isdir(read):
        return Path(read).resolve() in written.resolve().parents
    return written.samefile(read)


#: The endings of the pictures that ``--plot`` writes.
_PICTURES = (".svg", ".png", ".pdf")


def _picture_path(path: Path) -> Path:
    """Refuse a file that cannot be written, or is no picture."""
    if path.suffix.lower() not in _PICTURES:
        raise click.BadParameter(f"{str(path)!r} must end with {', '.join(_PICTURES)}")
    return shared.writable_path(path)


@click.command(
    epilog=shared.examples(
        "history history.parquet",
        "history history.parquet -m ndcg@10 --against first",
        "history history.parquet --against v42 --plot history.svg --output markdown",
        "history history.parquet -m ndcg@10 --anytime --fail-on-drop",
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
@shared.output_option(*get_args(Output))
@shared.option(
    "--plot",
    "FILE",
    f"Picture to write, of the means over time: {', '.join(_PICTURES)}; an existing file is replaced.",
    _picture_path,
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
)
@click.option(
    "--anytime",
    is_flag=True,
    help="A change is significant only by an interval that holds at all runs together, for whoever looks at "
    "each of them.",
)
@click.option(
    "--fail-on-drop",
    is_flag=True,
    help=f"The exit code is {FAILED} if a mean of the last run is significantly below that of the run with "
    "which it is compared, if no user of the last run has a value, or if the truth of the two runs differs.",
)
@click.option(
    "--other-truth",
    is_flag=True,
    help="With --fail-on-drop, the truth of the two runs may differ.",
)
def history(
    path: str,
    metrics: list[str] | None,
    against: str,
    output: Output,
    plot: Path | None,
    anytime: bool,
    fail_on_drop: bool,
    other_truth: bool,
) -> None:
    """Show the means of runs over time, and which changes are significant.

    FILE is a history to which `rankdcg-sql evaluate --append` or `compare --append` has written. A star marks
    a significant change: the interval of the difference of two runs excludes 0. A change without a star may
    be real, too.
    """
    if other_truth and not fail_on_drop:
        raise click.UsageError("--other-truth needs --fail-on-drop: it allows what that refuses.")
    with shared.user_errors():
        runs: History = rankdcg_sql.history(path, against, metrics, anytime)
        click.echo(printable(runs.headline()), err=True)
        for note in runs.notes():
            click.echo(printable(f"- {note}"), err=True)
        text = runs.render(output, width=terminal_width(output))
        failures = [*runs.drops_in_words(), *runs.unknown_in_words()] if fail_on_drop else []
        if fail_on_drop and not other_truth:
            failures += [f"{text}; --other-truth allows it" for text in runs.other_truths_in_words()]
    shared.print_results(text, later_exit_code=FAILED if failures else 0)
    if plot:
        with shared.user_errors():
            runs.plot().save(plot)
        click.echo(f"Wrote {plot}", err=True)
    for failure in failures:
        click.echo(printable(f"failed: {failure}"), err=True)
    if failures:
        click.get_current_context().exit(FAILED)
