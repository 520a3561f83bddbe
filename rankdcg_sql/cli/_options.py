"""The options of ``evaluate``, ``compare`` and ``report``, and the checks of their values."""

from __future__ import annotations

import os
import re
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click
import duckdb
from click.shell_completion import CompletionItem

import rankdcg_sql
from rankdcg_sql._errors import CallError
from rankdcg_sql._output import Output
from rankdcg_sql.catalogue import metric_functions
from rankdcg_sql.cli._common import output_option
from rankdcg_sql.evaluation._history.file import READERS, check_history_path, check_label
from rankdcg_sql.evaluation._requirements.grammar import parse
from rankdcg_sql.evaluation._requirements.requirements import Inconclusive
from rankdcg_sql.evaluation._results.result_base import WRITERS
from rankdcg_sql.evaluation._tables.reader import default_name
from rankdcg_sql.evaluation._terms.counts import check_unit
from rankdcg_sql.evaluation._terms.plan import DEFAULT_KS, K
from rankdcg_sql.evaluation._terms.statistics import Alternative, Correction, Interval, Test, Users

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rankdcg_sql.cli._common import Decorator

#: The names of the parameters of `test_options`.
TEST_OPTIONS = ("baseline", "test", "correction", "alternative", "margin")
#: A system's name before its table. A query may have an equals sign, too, but not right after its first word.
_NAME_AND_TABLE = re.compile(r"([^\W\d][\w.-]*)=(.+)", re.DOTALL)


def utf8_text(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    if text is not None:
        _check_text(text)
    return text


def _single_table(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> str:
    if len(texts) > 1:
        raise click.BadParameter("give it once, or use `rankdcg-sql compare`")
    _check_text(texts[0])
    return texts[0]


def _check_text(text: str) -> None:
    """Raise a usage error for bytes that are not UTF-8, which DuckDB cannot take."""
    try:
        text.encode()
    except UnicodeError:
        raise click.BadParameter(f"{text!r} is not text in UTF-8") from None


def _named_systems(
    context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]
) -> dict[str, str]:
    """Return the tables of recommendations, keyed by the given name or the table's own."""
    recs: dict[str, str] = {}
    for text in texts:
        _check_text(text)
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
    """Split each text at its commas."""
    return [word.strip() for text in texts for word in text.split(",")]


def _cuts(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> K:
    if not texts:
        return DEFAULT_KS
    words = _words(texts)
    for word in words:
        if word.lower() != "all" and not (word.isdecimal() and 0 < int(word) < 2**63):
            raise click.BadParameter(
                f"{word!r} is no cutoff: give whole numbers from 1 on, or all, as in 5,10,all"
            )
    return [None if word.lower() == "all" else int(word) for word in words]


def _metrics(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> list[str] | None:
    return _words(texts) or None


def _metric_options(
    context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]
) -> dict[str, str]:
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


def _requirements(
    context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]
) -> tuple[str, ...]:
    """Refuse a text that is no requirement, before the evaluation."""
    for text in texts:
        _check_text(text)
        try:
            parse(text)
        except CallError as error:
            raise click.BadParameter(error.text) from None
    return texts


def _memory(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    if text is not None:
        try:
            duckdb.connect(config={"memory_limit": text}).close()
        except duckdb.Error:
            raise click.BadParameter(f"{text!r} is not a size that DuckDB accepts, such as 4GB") from None
    return text


def writable_path(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """Refuse a file that cannot be written, before the evaluation.

    Its folder is missing or not writable, or a ``--per-user`` file has another format.
    """
    if path is None:
        return None
    if not path.parent.is_dir():
        raise click.BadParameter(f"there is no folder {str(path.parent)!r}")
    if not os.access(path.parent, os.W_OK):
        raise click.BadParameter(f"the folder {str(path.parent)!r} is not writable")
    if parameter.name == "per_user" and path.suffix.lower() not in WRITERS:
        raise click.BadParameter(f"{str(path)!r} must end with {', '.join(WRITERS)}")
    return path


def _unit(context: click.Context, parameter: click.Parameter, text: str) -> str:
    try:
        check_unit("evaluate", text)
    except CallError as error:
        raise click.BadParameter(error.text) from None
    return text


def _label(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    try:
        check_label("append", text)
    except CallError as error:
        raise click.BadParameter(error.text) from None
    return text


def _history_path(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """Refuse a history that cannot be appended to, before the evaluation."""
    if path is not None:
        try:
            check_history_path("append", path)
        except CallError as error:
            raise click.BadParameter(error.text) from None
    return path


def _complete_file(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


def _complete_metric(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    before, comma, last = incomplete.rpartition(",")
    return [CompletionItem(before + comma + name) for name in metric_functions() if name.startswith(last)]


def _combine(*options: Decorator) -> Decorator:
    """Make one decorator of several options, which the help lists in this order."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_TABLE = "a file in Parquet, CSV, JSON or TREC's format, a query in SQL, or with --database a table"
#: The default of each option of a function.
_DEFAULTS = {option.name: option.default for option in rankdcg_sql.options()}
_CONVENTIONS = [convention.name for convention in rankdcg_sql.conventions()]
_FILE = click.Path(dir_okay=False, writable=True, path_type=Path)

truth = click.option(
    "--truth",
    required=True,
    metavar="TABLE",
    callback=utf8_text,
    shell_complete=_complete_file,
    help=f"Judgements: {_TABLE}.",
)
rec = click.option(
    "--rec",
    required=True,
    multiple=True,
    metavar="TABLE",
    callback=_single_table,
    shell_complete=_complete_file,
    help="Recommendations, with their scores.",
)
recs = click.option(
    "--rec",
    "recs",
    required=True,
    multiple=True,
    metavar="[NAME=]TABLE",
    callback=_named_systems,
    shell_complete=_complete_file,
    help="Recommendations of a system. Without NAME, it is called like the file or table. Repeatable.",
)
measures = click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME[@K][,...]",
    callback=_metrics,
    shell_complete=_complete_metric,
    help="Measures, such as ndcg@10, or ndcg for all its cutoffs; all if not given.",
)
metric_options = _combine(
    click.option(
        "-k",
        "--k",
        multiple=True,
        show_default=",".join(map(str, DEFAULT_KS)),
        metavar="K[,K]...",
        callback=_cuts,
        help="Cutoffs; all is the whole list.",
    ),
    click.option(
        "-m",
        "--metric",
        "metrics",
        multiple=True,
        metavar="NAME[,NAME]...",
        callback=_metrics,
        shell_complete=_complete_metric,
        help="Metrics; if not given, those of rank_metrics except auc.",
    ),
    click.option(
        "--convention",
        type=click.Choice(_CONVENTIONS),
        metavar="NAME",
        help=f"Package or page whose numbers the metrics reproduce: {', '.join(_CONVENTIONS)}.",
    ),
    click.option(
        "--options",
        multiple=True,
        metavar="NAME=VALUE[,...]",
        callback=_metric_options,
        help="Options of the metrics, such as gain=linear,min_rel=4; `rankdcg-sql functions` lists them.",
    ),
    click.option(
        "--user",
        default="userid",
        show_default=True,
        metavar="COLUMN",
        help="Column of users in both tables.",
    ),
    click.option(
        "--item",
        default="itemid",
        show_default=True,
        metavar="COLUMN",
        help="Column of items in both tables.",
    ),
    *(
        click.option(
            f"--{role}-{what}", metavar="COLUMN", help=f"Column of {what}s in {role}, if it is another one."
        )
        for role in ("truth", "rec")
        for what in ("user", "item")
    ),
    click.option(
        "--score", default="score", show_default=True, metavar="COLUMN", help="Column of scores in rec."
    ),
    click.option(
        "--rel",
        metavar="COLUMN",
        help="Column of relevances in truth. If not given, each item of truth is relevant, except in TREC "
        "qrels.",
    ),
    click.option(
        "--users",
        type=click.Choice(get_args(Users)),
        help="Users over whom means are taken: those of truth (a user without rec counts as zero), or "
        "those of both tables. If not given, those of --convention, and those of truth without one.",
    ),
    click.option(
        "--interval",
        type=click.Choice(get_args(Interval)),
        default="t",
        show_default=True,
        help="Confidence intervals of means: by Student's t, or by the bootstrap (BCa).",
    ),
    click.option(
        "--confidence",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        metavar="NUMBER",
        help="Confidence level of the intervals, between 0 and 1.",
    ),
    click.option(
        "--resamples",
        type=click.IntRange(1, 1_000_000),
        metavar="N",
        help="Number of resamples that the bootstrap, the randomization test or tukey_hsd draws; "
        f"{_DEFAULTS['resamples']} if not given.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0, 2**64 - 1),
        metavar="N",
        help=f"Seed of the random numbers of these resamples; {_DEFAULTS['seed']} if not given.",
    ),
    click.option(
        "--unit",
        default="users",
        show_default=True,
        metavar="WORD",
        callback=_unit,
        help="Word for users in results, in the plural, such as queries.",
    ),
)
by = _combine(
    click.option(
        "--by",
        multiple=True,
        metavar="COLUMN",
        help="Column that divides the users into segments. Repeatable.",
    ),
    click.option(
        "--segments",
        metavar="TABLE",
        callback=utf8_text,
        shell_complete=_complete_file,
        help="Users with the columns of --by. If not given, these are columns of truth, or else of rec.",
    ),
)
test_options = _combine(
    click.option(
        "--baseline",
        metavar="NAME",
        help="System with which the others are compared; the first one if not given. With all, all pairs of "
        "systems are compared.",
    ),
    click.option(
        "--test",
        type=click.Choice(get_args(Test)),
        default="t",
        show_default=True,
        help="Test: Student's paired t test, Wilcoxon's signed-rank test, Fisher's randomization test, or "
        "with --baseline all, the randomised Tukey HSD.",
    ),
    click.option(
        "--correction",
        type=click.Choice([*get_args(Correction), "none"]),
        default="holm",
        show_default=True,
        help="Correction of p-values for the number of tests.",
    ),
    click.option(
        "--alternative",
        type=click.Choice(get_args(Alternative)),
        default="two_sided",
        show_default=True,
        help="Alternative hypothesis: values of a system differ from those of the baseline, are less, are "
        "greater, or with a margin, are equivalent.",
    ),
    click.option(
        "--margin",
        type=click.FloatRange(0),
        default=0,
        show_default=True,
        metavar="NUMBER",
        help="Difference that does not matter: greater tests that a system is at worst that much worse.",
    ),
)
output_options = _combine(
    output_option(*get_args(Output)),
    click.option(
        "--caption",
        metavar="TEXT",
        help="Caption of the table of --output latex, in LaTeX; makes it a float.",
    ),
    click.option(
        "--per-user",
        type=_FILE,
        metavar="FILE",
        callback=writable_path,
        help=f"Write the values of each user to a file: {', '.join(WRITERS)}.",
    ),
    click.option(
        "--wide/--long",
        default=None,
        help="Rows of that file: one for each user, or one for each value, which is the default.",
    ),
)
requirement_options = _combine(
    click.option(
        "--require",
        "requirements",
        multiple=True,
        metavar="TEXT",
        callback=_requirements,
        help="Requirement on the results, such as 'ndcg@10 >= 0.30' or, for compare, 'new: ndcg@10 not worse "
        "by 0.005'. The exit code is 0 if all passed, 3 if one failed, and 4 if the users cannot decide one. "
        "Repeatable.",
    ),
    click.option(
        "--inconclusive",
        type=click.Choice(get_args(Inconclusive)),
        default="fail",
        show_default=True,
        help="With pass, a requirement that the users cannot decide is no failure, and the exit code is 0, "
        "unless no user has a value.",
    ),
    click.option(
        "--strict", is_flag=True, help="Warnings about the data are failures, with the exit code 5."
    ),
    click.option(
        "--quiet",
        is_flag=True,
        help="Print no table, no notes and no requirement that passed, but any other --output.",
    ),
)
details = click.option(
    "--details",
    is_flag=True,
    help="Print a row for each system, metric and k, with intervals, p-values and numbers of users. CSV and "
    "JSON always have these rows.",
)
history_options = _combine(
    click.option(
        "--append",
        type=_FILE,
        metavar="FILE",
        callback=_history_path,
        help=f"Append the means to a history of runs: {', '.join(READERS)}. Other files are never changed.",
    ),
    click.option(
        "--label", metavar="TEXT", callback=_label, help="Name of the run in that history, such as a version."
    ),
)
report_options = _combine(
    click.option(
        "--out",
        type=_FILE,
        required=True,
        metavar="FILE",
        callback=writable_path,
        help="Page to write, such as report.html; an existing file is replaced.",
    ),
    click.option("--title", metavar="TEXT", help="Headline of the page."),
)
database_options = _combine(
    click.option(
        "--engine",
        type=click.Choice(["duckdb", "spark"]),
        default="duckdb",
        show_default=True,
        help="Engine that evaluates the tables. Those of Spark are paths or names in its catalogue.",
    ),
    click.option(
        "--database",
        type=click.Path(exists=True, dir_okay=False),
        metavar="FILE",
        callback=utf8_text,
        help="DuckDB database whose tables can be named; it is opened for reading only.",
    ),
    click.option(
        "--memory-limit",
        metavar="SIZE",
        callback=_memory,
        help="Largest amount of memory for DuckDB, such as 4GB.",
    ),
    click.option(
        "--threads", type=click.IntRange(1, 1024), metavar="N", help="Largest number of threads for DuckDB."
    ),
    click.option(
        "--progress/--no-progress",
        default=None,
        help="Show a progress bar on standard error. If not given, a terminal shows one.",
    ),
)
