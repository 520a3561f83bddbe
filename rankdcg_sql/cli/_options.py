"""The errors, the output and the options that commands share, with the checks of their values."""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager
from functools import partial
from inspect import signature
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, get_args

import click
import duckdb
from click.shell_completion import CompletionItem

import rankdcg_sql
from rankdcg_sql._errors import CallError
from rankdcg_sql._output import Output
from rankdcg_sql._printable import printable
from rankdcg_sql._sql import is_interrupt
from rankdcg_sql.catalogue import metric_functions
from rankdcg_sql.evaluation._history.file import READERS, check_history_path, check_label
from rankdcg_sql.evaluation._requirements.grammar import parse
from rankdcg_sql.evaluation._requirements.requirements import Inconclusive
from rankdcg_sql.evaluation._results.result_base import WRITERS
from rankdcg_sql.evaluation._tables.reader import default_name
from rankdcg_sql.evaluation._terms.counts import check_unit
from rankdcg_sql.evaluation._terms.plan import DEFAULT_KS, K
from rankdcg_sql.evaluation._terms.statistics import Alternative, Correction, Interval, Test, Users

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rankdcg_sql._errors import Argument

    Decorator = Callable[[Callable[..., None]], Callable[..., None]]


@contextmanager
def plain_errors() -> Iterator[None]:
    """Report errors of DuckDB and of text encoding without a traceback."""
    try:
        yield
    except (duckdb.Error, UnicodeError) as error:
        raise click.ClickException(printable(str(error))) from error
    except RuntimeError as error:  # DuckDB's, if the user interrupts a query
        if not is_interrupt(error):
            raise
        raise click.Abort from error


@contextmanager
def user_errors() -> Iterator[None]:
    """Report errors in tables and options without a traceback, with the names of command line options."""
    try:
        with plain_errors():
            yield
    except CallError as error:
        raise click.ClickException(error.write(flag)) from error
    except (ValueError, TypeError, OSError, ImportError) as error:
        raise click.ClickException(str(error)) from error


def flag(argument: Argument) -> str:
    """Write an argument of Python as the option of the command, such as ``--rel rating``."""
    for parameter in click.get_current_context().command.params:
        if parameter.name == argument.name:
            value = [] if argument.value is None else [quote(argument.value)]
            return " ".join([max(parameter.opts, key=len), *value])
    return str(argument)


def discard_output() -> None:
    """Let standard output go nowhere. Python would try again to write what is left, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_results(text: str, later_exit_code: int) -> None:
    """Print results, before a command that will end with `later_exit_code`.

    If the reader of a pipe is gone, a command whose code is not 0 goes on, and Click ends any other at once.
    """
    try:
        click.echo(text)
    except BrokenPipeError:
        if not later_exit_code:
            raise
        discard_output()


def output_option(*choices: Output) -> Decorator:
    """Make the option ``--output`` with these output formats."""
    text = "Format in which results are printed."
    return option("--output", None, text, type=click.Choice(choices), default="table")


def examples(*lines: str) -> str:
    """Write the examples for the end of a command's help, one per line."""
    return "\b\nExamples:\n" + "\n".join(f"  rankdcg-sql {line}" for line in lines)


#: The names of the parameters of `test_options`.
TEST_OPTIONS = ("baseline", "test", "correction", "alternative", "margin")
#: A system's name before its table. A query may have an equals sign, too, but not right after its first word.
_NAME_AND_TABLE = re.compile(r"([^\W\d][\w.-]*)=(.+)", re.DOTALL)


def utf8_text(text: str) -> str:
    """Refuse bytes that are not UTF-8, which DuckDB cannot take."""
    try:
        text.encode()
    except UnicodeError:
        raise click.BadParameter(f"{text!r} is not text in UTF-8") from None
    return text


def _single_table(texts: tuple[str, ...]) -> str:
    """Return the only table, and refuse several."""
    if len(texts) > 1:
        raise click.BadParameter("give it once, or use `rankdcg-sql compare`")
    return utf8_text(texts[0])


def _named_systems(texts: tuple[str, ...]) -> dict[str, str]:
    """Return the tables of recommendations, keyed by the given name or the table's own."""
    recs: dict[str, str] = {}
    for text in map(utf8_text, texts):
        match = _NAME_AND_TABLE.fullmatch(text)
        name, table = match.groups() if match else (default_name(text), text)
        if not name:
            raise click.BadParameter(f"{text!r} needs a name, as in --rec NAME=TABLE")
        if name in recs:
            raise click.BadParameter(
                f"{recs[name]!r} and {table!r} are both called {name!r}: give each a name of its own, as in "
                "--rec NAME=TABLE"
            )
        recs[name] = table
    return recs


def _words(texts: Iterable[str]) -> list[str]:
    """Split each text at its commas, but for those in brackets."""
    return [word.strip() for text in texts for word in re.split(r",(?![^()]*\))", text)]


def _cutoffs(texts: tuple[str, ...]) -> K:
    """Read the cutoffs of ``-k``; None is the whole list."""
    words = _words(texts)
    for word in words:
        if word.lower() != "all" and not (word.isdecimal() and 0 < int(word) < 2**63):
            raise click.BadParameter(
                f"{word!r} is no cutoff: give whole numbers from 1 on, or all, as in 5,10,all"
            )
    return [None if word.lower() == "all" else int(word) for word in words] or DEFAULT_KS


def _overlap(text: str) -> str | float:
    """Read a rule of overlap: a share as a number, or a word."""
    try:
        return float(text)
    except ValueError:
        return utf8_text(text)


def _metrics(texts: tuple[str, ...]) -> list[str] | None:
    return _words(texts) or None  # all metrics


def _metric_options(texts: tuple[str, ...]) -> dict[str, str]:
    """Read ``NAME=VALUE`` pairs of options of metrics, in lower case."""
    functions = rankdcg_sql.evaluate, rankdcg_sql.compare
    arguments = {name for function in functions for name in signature(function).parameters}
    pairs: dict[str, str] = {}
    for word in _words(texts):
        name, _, value = (part.strip().lower() for part in word.partition("="))
        if not (name and value):
            raise click.BadParameter(f"expected NAME=VALUE, got {word!r}")
        if name in pairs:
            raise click.BadParameter(f"{name} is given twice")
        if name in arguments:
            raise click.BadParameter(
                f"{name} is not an option of metrics: --help lists the options of the command"
            )
        pairs[name] = value
    return pairs


def _requirements(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse a text that is no requirement, before the evaluation."""
    for text in texts:
        parse(utf8_text(text))
    return texts


def memory(text: str) -> str:
    """Refuse a size that DuckDB does not take, before the evaluation."""
    try:
        duckdb.connect(config={"memory_limit": text}).close()
    except duckdb.Error:
        raise click.BadParameter(f"{text!r} is not a size that DuckDB accepts, such as 4GB") from None
    return text


def writable_path(path: Path) -> Path:
    """Refuse a file whose folder is missing or not writable, before the evaluation."""
    if not path.parent.is_dir():
        raise click.BadParameter(f"there is no folder {str(path.parent)!r}")
    if not os.access(path.parent, os.W_OK):
        raise click.BadParameter(f"the folder {str(path.parent)!r} is not writable")
    return path


def _values_path(path: Path) -> Path:
    """Refuse a file that cannot be written, or has a format that values of users have not."""
    if writable_path(path).suffix.lower() not in WRITERS:
        raise click.BadParameter(f"{str(path)!r} must end with {', '.join(WRITERS)}")
    return path


def complete_file(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]  # the shell completes it


def _complete_metric(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    before, comma, last = incomplete.rpartition(",")
    return [CompletionItem(before + comma + name) for name in metric_functions() if name.startswith(last)]


def option(
    flags: str,
    metavar: str | None,
    text: str,
    read: Callable[[Any], Any] | None = None,
    check: Callable[[Any], Any] | None = None,
    **settings: Any,
) -> Decorator:
    """Make an option of its flags, the word for its value, and its help, which shows a default.

    The word is None if the help lists the values, or if the option takes none. `check` looks at what the
    command line has, and `read` makes the value of it. Their errors are usage errors.
    """

    def read_value(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        try:
            if check and value is not None:
                check(value)
            return value if value is None or read is None else read(value)
        except CallError as error:
            raise click.BadParameter(error.text) from None

    settings.setdefault("show_default", settings.get("default") is not None)
    return click.option(*flags.split(), metavar=metavar, help=text, callback=read_value, **settings)


def _combine(*options: Decorator) -> Decorator:
    """Make one decorator of several options, which the help lists in this order."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        for decorator in reversed(options):
            command = decorator(command)
        return command

    return decorate


_TABLE = "a file in Parquet, CSV, JSON or TREC's format, a query in SQL, or with --database a table"
#: The default of each option of a function.
_DEFAULTS = {option.name: option.default for option in rankdcg_sql.options()}
_CONVENTIONS = [convention.name for convention in rankdcg_sql.conventions()]
#: The settings of options for a file to write, for the name of a file, and for names of metrics.
_FILE: dict[str, Any] = {"type": click.Path(dir_okay=False, writable=True, path_type=Path)}
_READ: dict[str, Any] = {"shell_complete": complete_file}
_MEASURES: dict[str, Any] = {"read": _metrics, "multiple": True, "shell_complete": _complete_metric}

truth = option("--truth", "TABLE", f"Judgements: {_TABLE}.", utf8_text, required=True, **_READ)
rec = option(
    "--rec",
    "TABLE",
    "Recommendations, with their scores.",
    _single_table,
    required=True,
    multiple=True,
    **_READ,
)
recs = option(
    "--rec recs",
    "[NAME=]TABLE",
    "Recommendations of a system. Without NAME, it is called like the file or table. Repeatable.",
    _named_systems,
    required=True,
    multiple=True,
    **_READ,
)
measures = option(
    "-m --metric metrics",
    "NAME[@K][,...]",
    "Measures, such as ndcg@10, or ndcg for all its cutoffs; all if not given.",
    **_MEASURES,
)
metric_options = _combine(
    option(
        "-k --k",
        "K[,K]...",
        "Cutoffs; all is the whole list.",
        _cutoffs,
        multiple=True,
        show_default=",".join(map(str, DEFAULT_KS)),
    ),
    option(
        "-m --metric metrics",
        "NAME[,NAME]...",
        "Metrics; if not given, those of rank_metrics except auc, and for explain ndcg.",
        **_MEASURES,
    ),
    option(
        "--convention",
        "NAME",
        f"Package or page whose numbers the metrics reproduce: {', '.join(_CONVENTIONS)}.",
        type=click.Choice(_CONVENTIONS),
    ),
    option(
        "--options",
        "NAME=VALUE[,...]",
        "Options of the metrics, such as gain=linear,min_rel=4; `rankdcg-sql functions` lists them.",
        _metric_options,
        multiple=True,
    ),
    option("--user", "COLUMN", "Column of users in both tables.", default="userid"),
    option("--item", "COLUMN", "Column of items in both tables.", default="itemid"),
    *(
        option(f"--{role}-{what}", "COLUMN", f"Column of {what}s in {role}, if it is another one.")
        for role in ("truth", "rec")
        for what in ("user", "item")
    ),
    option("--score", "COLUMN", "Column of scores in rec.", default="score"),
    option(
        "--rel",
        "COLUMN",
        "Column of relevances in truth. If not given, each item of truth is relevant, except in TREC qrels.",
    ),
    option(
        "--items",
        "TABLE",
        "All items, with properties for measures such as novelty. Items that it lacks are counted.",
        utf8_text,
        **_READ,
    ),
    option("--aspect", "COLUMN", "Column of aspects in truth, for measures such as alpha_ndcg."),
    option(
        "--spans",
        "START,END",
        "Columns of offsets in both tables: rows of truth are spans of documents, and those of rec chunks.",
        lambda text: _words([utf8_text(text)]),
    ),
    option(
        "--overlap",
        "RULE",
        "When a chunk finds a span: any, best, or the least share of the span, such as 0.5.",
        _overlap,
        default="any",
    ),
    option(
        "--users",
        None,
        "Users over whom means are taken: those of truth (a user without rec counts as zero), or "
        "those of both tables. If not given, those of --convention, and those of truth without one.",
        type=click.Choice(get_args(Users)),
    ),
    option(
        "--interval",
        None,
        "Confidence intervals of means: by Student's t, by the bootstrap (BCa), or for a growing sample of "
        "users, valid at any time.",
        type=click.Choice(get_args(Interval)),
        default="t",
    ),
    option(
        "--confidence",
        "NUMBER",
        "Confidence level of the intervals, between 0 and 1.",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
    ),
    option(
        "--resamples",
        "N",
        "Number of resamples that the bootstrap, the randomization test or tukey_hsd draws; "
        f"{_DEFAULTS['resamples']} if not given.",
        type=click.IntRange(1, 1_000_000),
    ),
    option(
        "--seed",
        "N",
        f"Seed of the random numbers of these resamples; {_DEFAULTS['seed']} if not given.",
        type=click.IntRange(0, 2**64 - 1),
    ),
    option(
        "--unit",
        "WORD",
        "Word for users in results, in the plural, such as queries.",
        check=partial(check_unit, "evaluate"),
        default="users",
    ),
)
by = _combine(
    option("--by", "COLUMN", "Column that divides the users into segments. Repeatable.", multiple=True),
    option(
        "--segments",
        "TABLE",
        "Users with the columns of --by and --weight. If not given, these are in truth, or else in rec.",
        utf8_text,
        **_READ,
    ),
)
weight = option(
    "--weight", "COLUMN", "Column with a weight of each user, such as impressions: means are weighted."
)
test_options = _combine(
    option(
        "--baseline",
        "NAME",
        "System with which the others are compared; the first one if not given. With all, all pairs of "
        "systems are compared.",
    ),
    option(
        "--test",
        None,
        "Test: Student's paired t test, Wilcoxon's signed-rank test, Fisher's randomization test, or "
        "with --baseline all, the randomised Tukey HSD.",
        type=click.Choice(get_args(Test)),
        default="t",
    ),
    option(
        "--correction",
        None,
        "Correction of p-values for the number of tests.",
        type=click.Choice([*get_args(Correction), "none"]),
        default="holm",
    ),
    option(
        "--alternative",
        None,
        "Alternative hypothesis: values of a system differ from those of the baseline, are less, are "
        "greater, or with a margin, are equivalent.",
        type=click.Choice(get_args(Alternative)),
        default="two_sided",
    ),
    option(
        "--margin",
        "NUMBER",
        "Difference that does not matter: greater tests that a system is at worst that much worse.",
        type=click.FloatRange(0),
        default=0,
    ),
)
output_options = _combine(
    output_option(*get_args(Output)),
    option("--caption", "TEXT", "Caption of the table of --output latex, in LaTeX; makes it a float."),
    option(
        "--per-user",
        "FILE",
        f"Write the values of each user to a file: {', '.join(WRITERS)}.",
        _values_path,
        **_FILE,
    ),
    option(
        "--wide/--long",
        None,
        "Rows of that file: one for each user, or one for each value, which is the default.",
        default=None,
    ),
)
requirement_options = _combine(
    option(
        "--require requirements",
        "TEXT",
        "Requirement on the results, such as 'ndcg@10 >= 0.30' or, for compare, 'new: ndcg@10 not worse "
        "by 0.005'. The exit code is 0 if all passed, 3 if one failed, and 4 if the users cannot decide one. "
        "Repeatable.",
        _requirements,
        multiple=True,
    ),
    option(
        "--inconclusive",
        None,
        "With pass, a requirement that the users cannot decide is no failure, and the exit code is 0, "
        "unless no user has a value.",
        type=click.Choice(get_args(Inconclusive)),
        default="fail",
    ),
    option("--strict", None, "Warnings about the data are failures, with the exit code 5.", is_flag=True),
    option(
        "--quiet",
        None,
        "Print no table, no notes and no requirement that passed, but any other --output.",
        is_flag=True,
    ),
)
details = option(
    "--details",
    None,
    "Print a row for each system, metric and k, with intervals, p-values and numbers of users. CSV and "
    "JSON always have these rows.",
    is_flag=True,
)
history_options = _combine(
    option(
        "--append",
        "FILE",
        f"Append the means to a history of runs: {', '.join(READERS)}. Other files are never changed.",
        check=partial(check_history_path, "append"),
        **_FILE,
    ),
    option(
        "--label",
        "TEXT",
        "Name of the run in that history, such as a version.",
        check=partial(check_label, "append"),
    ),
)
report_options = _combine(
    option(
        "--out",
        "FILE",
        "Page to write, such as report.html; an existing file is replaced.",
        writable_path,
        required=True,
        **_FILE,
    ),
    option("--title", "TEXT", "Headline of the page."),
)
database_options = _combine(
    option(
        "--engine",
        None,
        "Engine that evaluates the tables. Those of Spark are paths or names in its catalogue.",
        type=click.Choice(["duckdb", "spark"]),
        default="duckdb",
    ),
    option(
        "--database",
        "FILE",
        "DuckDB database whose tables can be named; it is opened for reading only.",
        utf8_text,
        type=click.Path(exists=True, dir_okay=False),
    ),
    option("--memory-limit", "SIZE", "Largest amount of memory for DuckDB, such as 4GB.", memory),
    option("--threads", "N", "Largest number of threads for DuckDB.", type=click.IntRange(1, 1024)),
    option(
        "--progress/--no-progress",
        None,
        "Show a progress bar on standard error. If not given, a terminal shows one.",
        default=None,
    ),
)
