"""Reports of evaluations and comparisons, each a self-contained HTML page.

The plots in a report need ``pip install 'rankdcg_sql[plots]'``.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from datetime import datetime, timezone
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb

from rankdcg_sql import _native, catalogue, plots
from rankdcg_sql._errors import CallError
from rankdcg_sql._output import Markup, Result, html
from rankdcg_sql.evaluation._requirements.requirements import RequirementError, Requirements, users_in_words
from rankdcg_sql.evaluation._terms.counts import pluralize
from rankdcg_sql.evaluation._terms.metrics import MEANS, Measure
from rankdcg_sql.evaluation._terms.statistics import (
    INTERVALS,
    RELATIONS,
    TESTS,
    WITH_MARGIN,
    significance_level,
    verdicts,
)
from rankdcg_sql.plots import groups_of, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from rankdcg_sql.catalogue import Convention, Function
    from rankdcg_sql.evaluation._requirements.requirements import Decision
    from rankdcg_sql.evaluation._results.comparison import Comparison
    from rankdcg_sql.evaluation._results.results import Evaluation
    from rankdcg_sql.evaluation._terms.counts import Unit
    from rankdcg_sql.plots import Plot

_USERS = {
    "truth": "Means are over the users with judgements; a user without recommendations counts as 0.",
    "both": "Means are over the users with both judgements and recommendations.",
}
_VERDICTS = {
    "better": Markup('<span class="better">▲ better</span>'),
    "worse": Markup('<span class="worse">▼ worse</span>'),
    "same": Markup('<span class="same">undecided</span>'),
    "untested": Markup('<span class="same">no test</span>'),
} | {name: Markup(f'<span class="shown">{name}</span>') for name in WITH_MARGIN.values()}
_OUTCOMES = {
    "passed": Markup('<span class="better">✓ passed</span>'),
    "failed": Markup('<span class="worse">✗ failed</span>'),
    "inconclusive": Markup('<span class="same">inconclusive</span>'),
}
#: The values that a one-sided test looks for.
_ONE_SIDED = {"greater": "larger", "less": "smaller"}
_NONE = "\N{EN DASH}"
#: The most measures or segments that a sentence names.
_MAX_NAMES = 3
#: The widths of figures in inches, on screens and on phones. The page shows one of the two.
_WIDE, _NARROW = 7.5, 3.5
#: The most rows of the deciding picture. If there are more, it is about the leading metric.
_MAX_ROWS = 12


class _Mean(NamedTuple):
    #: The system, or the values of the columns of segments; empty if there is neither.
    group: tuple[Any, ...]
    #: The metric.
    metric: str
    #: The cutoff; None for the whole list.
    k: int | None
    #: The number of users with a value.
    n: int
    #: The mean over these users.
    mean: float | None
    #: The lower end of the interval.
    low: float | None
    #: The upper end of the interval.
    high: float | None
    #: The number of users without a value.
    without_value: int
    #: The source of the interval, as `interval_by` has it; None if there is none.
    interval_by: str | None

    @property
    def measure(self) -> str:
        return Measure(self.metric, self.k).column


class _Difference(NamedTuple):
    #: The system that is compared.
    system: str
    #: The system that it is compared with.
    against: str
    #: The segment of the users, as far as there are segments: a text for each column of them.
    segment: list[str | None]
    #: The metric and its k, such as ``ndcg@10``.
    measure: str
    #: The number of users for whom the system and the baseline both have a value.
    n: int
    #: The mean of the system over these users.
    mean: float | None
    #: The mean of the baseline over these users.
    baseline: float | None
    #: The mean of the system less that of the baseline.
    difference: float | None
    #: The difference as a share of the baseline's mean; None unless that is above 0.
    relative: float | None
    #: The lower end of the interval of the difference.
    low: float | None
    #: The upper end of the interval of the difference.
    high: float | None
    #: The p-value, after correction if there is one.
    p: float | None
    #: One of `RELATIONS` that was shown, ``same`` if nothing was, or ``untested``.
    verdict: str
    #: Whether the interval leaves out 0, although the verdict is ``same``.
    is_undecided_without_0: bool
    #: Whether the segment is that of all users.
    is_of_all_users: bool


class Page(str):
    """The text of an HTML page. A prompt or a notebook shows its size instead, because the page is long."""

    def __repr__(self) -> str:
        return f"<HTML page of {len(self):,} characters>"


def report(
    result: Evaluation | Comparison,
    path: str | PathLike[str] | None = None,
    title: str | None = None,
    inputs: Mapping[str, object] | None = None,
    require: str | Sequence[str] | Requirements = (),
) -> Page:
    """Write a report of an evaluation or a comparison.

    Parameters
    ----------
    result : Evaluation or Comparison
        The result to report.
    path : path-like, optional
        The file to which the page is written; not written to a file if not given.
    title : str, optional
        The headline; if not given, ``Evaluation``, or ``Comparison with`` the name of the baseline.
    inputs : mapping of str to object, optional
        The tables that were evaluated, such as ``{"truth": "truth.csv"}``, which the page names as they are
        given. A result does not know where its tables come from.
    require : str, sequence of str or Requirements
        Requirements on the result, as `Evaluation.require` takes them, or their outcomes. The page begins
        with the outcomes; none of them is an error.

    Returns
    -------
    Page
        The text of a self-contained HTML page. It begins with the outcomes of requirements, the decision in
        words, problems of the data, and the decision as a picture. Notes, the inputs, tables, more plots,
        counts, the options in effect and the methods follow. The page loads nothing and runs no script.

    Raises
    ------
    ValueError, TypeError
        If the title is no valid text, or a requirement cannot be read or is about a measure, system or
        segment that is not there.

    Examples
    --------
    >>> import rankdcg_sql
    >>> from rankdcg_sql.report import report
    >>> truth = {"userid": [1, 1, 2], "itemid": ["a", "b", "c"]}
    >>> rec = {"userid": [1, 1, 2], "itemid": ["a", "c", "c"], "score": [0.9, 0.8, 0.7]}
    >>> page = report(rankdcg_sql.evaluate(truth, rec, k=2, metrics="ndcg"), title="Spring campaign")
    >>> "<h1>Spring campaign</h1>" in page, ">0.8066</td>" in page
    (True, True)
    """
    _native.check_text("report", "title", title or "")
    outcomes, tests = _outcomes(result, require), 0
    means = every_mean = _means(result)
    if result.kind == "comparison":
        evaluations = result.evaluations
        if result.by:
            every = result.words.all_of_them
            means = [mean._replace(group=mean.group[:1]) for mean in means if mean.group[1] == every]
        heading = f"Comparison with {result.baseline}" if result.baseline else "Comparison of all pairs"
        differences = _differences(result)
        tests = _tests(differences)
        decision = _decided(result, means, differences)
        picture = _decided_picture(result, means, differences)
        tables = _compared(result, means, differences)
    else:
        evaluations, heading = {"": result}, "Evaluation"
        decision, picture = _measured(result, means), _measured_picture(result, means)
        tables = _evaluated(result, means)
    parts = (
        *_required(outcomes),
        *decision,
        *_problems(evaluations),
        *picture,
        *_notes(result, evaluations),
        *_inputs(result, inputs or {}, next(iter(evaluations.values()))),
        *tables,
        *_distributions(result, means),
        *_data(evaluations),
        *_method(result, every_mean, evaluations, tests),
    )
    now = datetime.now(timezone.utc)
    text = _PAGE.format(
        title=escape(title or heading),
        style=Path(__file__).with_name("report.css").read_text(encoding="utf-8") + plots.STYLE,
        parts="\n".join(parts),
        versions=f"rankdcg_sql {catalogue.version()}, DuckDB {duckdb.__version__}",
        date=f'<time datetime="{now:%Y-%m-%dT%H:%M:%SZ}">{now:%Y-%m-%d %H:%M} UTC</time>',
    )
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return Page(text)


# The security policy forbids the page to load anything or to run scripts.
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{parts}
</main>
<footer>Written by {versions}, on {date}.</footer>
</body>
</html>
"""


def _outcomes(
    result: Evaluation | Comparison, require: str | Sequence[str] | Requirements
) -> Sequence[Decision]:
    """Decide requirements, unless their outcomes are given."""
    if isinstance(require, Requirements) or not require:
        return require if isinstance(require, Requirements) else ()
    try:
        return result.require(*([require] if isinstance(require, str) else require), inconclusive="pass")
    except RequirementError as error:
        return error.requirements
    except CallError as error:
        raise CallError.of(error, "report") from None


def _required(outcomes: Sequence[Decision]) -> Iterator[str]:
    """Yield the HTML of the outcomes of requirements."""
    if outcomes:
        cells = [(_OUTCOMES[of.outcome], of.asked, of.measured, of.needed) for of in outcomes]
        is_needed = any(of.needed for of in outcomes)
        columns = ["outcome", "requirement", "measured", f"{outcomes[0].unit} needed"][: 3 + is_needed]
        rows = [row[: len(columns)] for row in cells]
        yield _table("Requirements", columns, rows, kind="definitions")


def _measured(result: Evaluation, means: list[_Mean]) -> Iterator[str]:
    """Yield the HTML of the main means of an evaluation."""
    yield _lead(means, f"over {result.users_phrase()}")
    sure = f"{percent(result.confidence)} interval"
    yield _tiles(
        (of.measure, _number(of.mean), f"{sure} {_interval(of.low, of.high)}")
        for of in _last_means(result, means).values()
    )


def _last_means(result: Evaluation, means: list[_Mean]) -> dict[str, _Mean]:
    """Return the mean of each metric at its last k over all users, keyed by the metric."""
    return {mean.metric: mean for mean in means if not result.by or mean.group[0] == result.words.all_of_them}


def _measured_picture(result: Evaluation, means: list[_Mean]) -> Iterator[str]:
    """Yield the HTML of the picture of the main means."""
    if result.by:
        last, sure = _last_means(result, means), f"{percent(result.confidence)} interval"
        leading = next(iter(last.values()))
        yield _figure(
            partial(plots.segments, result, leading.metric, leading.k),
            f"Means of {leading.measure} by {', '.join(result.by)}, with {sure}s",
            is_wide=True,
        )
    else:
        yield _means_figure(result, means)


def _evaluated(result: Evaluation, means: list[_Mean]) -> Iterator[str]:
    """Yield the HTML of the means of an evaluation."""
    segments = groups_of(result)
    sure = f"{percent(result.confidence)} interval"
    yield f"<h2>Means over {result.unit}</h2>"
    users = _usual_users(means)
    columns = [*segments, "metric", "mean", sure]
    cells = [
        (*map(_text, of.group), of.measure, _number(of.mean), _interval(of.low, of.high)) for of in means
    ]
    if users is None:
        columns += [result.unit, f"{result.unit} without value"]
        cells = [(*row, f"{of.n:,}", f"{of.without_value:,}") for row, of in zip(cells, means, strict=True)]
    heads = len(segments) + 1
    over = result.unit if users is None else result.words.count(users)
    caption = f"Means over {over} with their intervals"
    yield _table(caption, columns, cells, numeric=range(heads, len(columns)), heads=heads)
    if result.by:
        every = result.words.all_of_them
        yield _means_figure(result, [mean for mean in means if mean.group[0] != every])


def _usual_users(rows: Iterable[_Mean]) -> int | None:
    """Return the number of users of all rows; None if the rows differ in it."""
    numbers = {(row.n, row.without_value) for row in rows}
    return next(iter(numbers))[0] if len(numbers) == 1 else None


def _decided(result: Comparison, means: list[_Mean], differences: list[_Difference]) -> Iterator[str]:
    """Yield the HTML of the decision on each system in words.

    The words are about the first metric at its last k, because metrics mostly rise and fall together.
    Verdicts that contradict it are named.
    """
    systems = list(dict.fromkeys(str(mean.group[0]) for mean in means))
    users = next(iter(result.evaluations.values())).counts.users_evaluated
    yield _lead(means, f"of {len(systems)} systems over {result.words.count(users)}")
    leading = _leading(means)
    decisions = [row for row in differences if row.measure == leading.measure and row.is_of_all_users]
    needed: Mapping[tuple[str, str], int | None] = {}
    if any(row.verdict == "same" for row in decisions):
        needed = result.users_needed(Measure(leading.metric, leading.k), _tests(differences))
    yield '<div class="decision">'
    for row in decisions:
        yield f"<p>{_decision(result, row, differences, needed.get((row.system, row.against)))}</p>"
    yield "</div>"


def _leading(means: list[_Mean]) -> _Mean:
    """Return a mean of the first metric at its last k."""
    return [mean for mean in means if mean.metric == means[0].metric][-1]


def _tests(differences: Iterable[_Difference]) -> int:
    """Return the number of tests, which a correction counts."""
    return sum(row.p is not None for row in differences)


def _decided_picture(result: Comparison, means: list[_Mean], differences: list[_Difference]) -> Iterator[str]:
    """Yield the HTML of the differences as a picture."""
    leading = _leading(means)
    many = len(differences) > _MAX_ROWS
    only = (leading.metric, leading.k) if many else (None, None)
    about = f" of {leading.measure}" if many else ""
    caption = f"Differences of means{about}, with {percent(result.confidence)} intervals"
    drawn = [row for row in differences if not many or row.measure == leading.measure]
    yield _figure(
        partial(plots.differences, result, *only),
        _sentences(caption, result.about_intervals, _about_undecided(result, drawn, _tests(differences))),
        is_wide=True,
    )


def _decision(
    result: Comparison, row: _Difference, differences: Sequence[_Difference], needed: int | None
) -> str:
    """Return the HTML of a sentence about the difference of a system, and of verdicts against it.

    `needed` is the number of users that would show the difference.
    """
    system, other = (f"<b>{escape(name)}</b>" for name in (row.system, row.against))
    tested = list(verdicts(result.alternative, result.margin))
    shown = row.verdict if row.verdict in RELATIONS else tested[0]
    relation = f"{system} is {RELATIONS[shown].format(against=other, margin=result.margin)}"
    if row.verdict == "untested":
        sentence = f"There is no test of {system} against {other}, with {result.words.count(row.n)} of both"
    elif row.verdict in RELATIONS:
        sentence = relation
    elif len(tested) == 1:
        sentence = f"It is not shown that {relation}"
    else:
        sentence = f"No difference between {system} and {other} is shown"
    change = f"{row.measure} {_number(row.mean)} against {_number(row.baseline)}, {_change(row)}"
    if row.verdict != "untested":
        p_value, p = ("corrected p" if result.correction else "p"), _p_value(row.p)
        change += (
            f" ({percent(result.confidence)} interval {_interval(row.low, row.high, '+')}), "
            f"{p_value} {p if p.startswith('<') else f'= {p}'}"
        )
    parts = [change, _about_undecided(result, [row], _tests(differences))]
    if needed is not None:
        users = users_in_words(needed).capitalize()
        parts.append(f"{users} {result.words.plural} would show such a difference with probability 0.8")
    parts += _others(row, differences, result.by, result.words)
    return f'{sentence}: <span class="numbers">{escape(_sentences(*parts).rstrip("."))}.</span>'


def _change(row: _Difference) -> str:
    """Write a difference, and its share of the baseline's mean if there is one."""
    share = "" if row.relative is None else f" or {row.relative:+.1%}".replace("-", "\N{MINUS SIGN}")
    return f"{_number(row.difference, '+')}{share}"


def _others(
    row: _Difference, differences: Iterable[_Difference], by: Sequence[str], words: Unit
) -> Iterator[str]:
    """Yield sentences about verdicts of the same systems that differ from that of the decision.

    Segments share a part of a sentence if they have the same verdict at the same measures.
    """
    segments: dict[tuple[str | None, ...], list[_Difference]] = {}
    for other in differences:
        if (other.system, other.against) == (row.system, row.against):
            segments.setdefault(tuple(other.segment), []).append(other)
    but = "But it" if row.verdict in ("better", "worse") else "It"
    for verdict in ("better", "worse"):
        if verdict == row.verdict:
            continue
        found: dict[str, list[str]] = {}
        for of in segments.values():
            those = [other for other in of if other.verdict == verdict]
            if those:
                shown = next((other for other in those if other.measure == row.measure), those[0])
                at = _measures_in_words(those, len(of))
                found.setdefault(at, []).append(_segment_in_words(shown, by, words))
        parts = [f"{at}{_several(names)}" for at, names in found.items()]
        if parts:
            yield f"{but} is {verdict} {', and '.join(parts)}"


def _measures_in_words(rows: Sequence[_Difference], number: int) -> str:
    """Name the measures of some rows; `number` is that of all measures."""
    if len(rows) == number > 1:
        return f"at all {number} measures"
    if len(rows) <= _MAX_NAMES:
        return f"at {', '.join(row.measure for row in rows)}"
    return f"at {len(rows)} of {number} measures, {rows[0].measure} the first of them"


def _segment_in_words(row: _Difference, by: Sequence[str], words: Unit) -> str:
    """Name the segment of a row with its users and its means; empty for all users."""
    if row.is_of_all_users:
        return ""
    means = f"{row.measure} {_number(row.mean)} against {_number(row.baseline)}"
    segment = ", ".join(f"{column}={_text(value)}" for column, value in zip(by, row.segment, strict=True))
    return f"{segment} ({words.count(row.n)}, {means})"


def _several(names: Sequence[str]) -> str:
    """Write the names of segments after ``for``, as many as are read; an empty name is all users."""
    named = [name for name in names if name]
    if not named:
        return ""
    more = len(named) - _MAX_NAMES
    return f" for {', '.join(named[:_MAX_NAMES])}{f' and {more} more' if more > 0 else ''}"


def _about_undecided(result: Comparison, rows: Iterable[_Difference], tests: int) -> str:
    """Say why the interval of a difference may leave out 0 although it is undecided; empty if none does."""
    if not any(row.is_undecided_without_0 for row in rows):
        return ""
    of_interval = "an interval that leaves out 0 may be undecided"
    if result.margin:
        return f"The test is against the margin {result.margin:g}, so {of_interval}"
    if result.alternative != "two_sided":
        return f"The test looks for {_ONE_SIDED[result.alternative]} values alone, so {of_interval}"
    if result.correction or result.test == "tukey_hsd":
        return f"p is corrected for {pluralize(tests, 'test')} and intervals are not, so {of_interval}"
    return f"Test and interval are different statistics, so {of_interval}"


def _problems(evaluations: Mapping[str, Evaluation]) -> Iterator[str]:
    """Yield the HTML of the rows that are wrong or missing."""
    problems = {name: of.counts.about_rows() for name, of in evaluations.items()}
    if any(problems.values()):
        yield "<h2>Problems of the data</h2>"
        yield f'<div class="notes problems">{_by_system(problems)}</div>'


def _notes(result: Evaluation | Comparison, evaluations: Mapping[str, Evaluation]) -> Iterator[str]:
    """Yield the HTML of the notes about users and tests."""
    notes = {name: of._notes(about_rows=False) for name, of in evaluations.items()}
    of_tests = result.notes_of_tests() if result.kind == "comparison" else []
    if any(notes.values()) or of_tests:
        yield "<h2>Notes</h2>"
        yield f'<div class="notes">{_by_system(notes)}{_list(of_tests) if of_tests else ""}</div>'
    if not any([*notes.values(), *(of.counts.about_rows() for of in evaluations.values())]):
        none = result.words.say("No user, item or value of the data is missing, and no row is repeated.")
        yield f"<p>{none}</p>"


def _by_system(sentences: Mapping[str, Sequence[str]]) -> str:
    """Return the HTML of sentences about systems, those that are the same for several only once."""
    systems: dict[tuple[str, ...], list[str]] = {}
    for name, each in sentences.items():
        systems.setdefault(tuple(each), []).append(name)
    named = len(systems) > 1
    return "".join(
        (f"<h3>{escape(', '.join(names))}</h3>\n" if named else "") + _list(each)
        for each, names in systems.items()
        if each
    )


def _inputs(
    result: Evaluation | Comparison, inputs: Mapping[str, object], evaluation: Evaluation
) -> Iterator[str]:
    """Yield the HTML of the tables that were read, and of the arguments on which the numbers depend."""
    given = {name: str(value) for name, value in inputs.items()}
    given["metrics and k"] = ", ".join(each.column for each in evaluation.measures)
    if result.by:
        given["by"] = ", ".join(result.by)
    if result.kind == "comparison":
        margin = f", margin {result.margin:g}" if result.margin else ""
        given["test"] = f"{TESTS[result.test][1]}, {result.alternative.replace('_', '-')}{margin}"
        given["correction"] = result.correction_in_words
    yield "<h2>Inputs</h2>"
    cells = list((given | evaluation.options).items())
    yield _table("Tables, metrics, tests and options", ["name", "value"], cells)


def _compared(result: Comparison, means: list[_Mean], differences: list[_Difference]) -> Iterator[str]:
    """Yield the HTML of the means of systems, and of their differences."""
    systems = list(dict.fromkeys(str(mean.group[0]) for mean in means))
    yield f"<h2>Means over {result.words.plural}</h2>"
    highest = {
        name: max((of.mean for of in means if of.measure == name and of.mean is not None), default=None)
        for name in dict.fromkeys(mean.measure for mean in means)
    }
    ((users, _),) = Counter(of.n for of in means).most_common(1)
    cells: dict[str, dict[str, str]] = {}
    for of in means:
        number = _number(of.mean)
        if of.mean is not None and of.mean == highest[of.measure]:
            number = f'<span class="best">{number}</span>'
        notes = f"<small>{_interval(of.low, of.high)}</small>"
        if of.n != users:
            notes += f"<small>{result.words.count(of.n)}</small>"
        cells.setdefault(of.measure, {})[str(of.group[0])] = Markup(number + notes)
    yield _table(
        f"Means over {result.words.count(users)}, unless a cell has another number, with "
        f"{percent(result.confidence)} intervals; the highest of each row is marked",
        ["metric", *(f"{name} (baseline)" if name == result.baseline else name for name in systems)],
        [(name, *(row.get(system, _NONE) for system in systems)) for name, row in cells.items()],
        numeric=range(1, len(systems) + 1),
    )
    yield _means_figure(result, means)
    others = [name for name in systems if name != result.baseline]
    alone = f" of {others[0]}" if len(others) == 1 else ""
    heading = f"Differences{alone} from {result.baseline}" if result.baseline else "Differences"
    yield f"<h2>{escape(heading)}</h2>"
    yield _differences_table(result, differences)
    if len(differences) > _MAX_ROWS:
        yield _folded(
            "All differences as a picture",
            _figure(partial(plots.differences, result), "Differences of means"),
        )
    caption = result.words.say("For how many users each system wins, ties and loses")
    yield _figure(partial(plots.wins, result), caption, is_wide=True)
    leading = _leading(means)
    yield _figure(
        partial(plots.user_differences, result, leading.metric, leading.k),
        f"How much {leading.measure} differs for single {result.words.plural}, from the largest difference "
        "to the smallest",
        is_wide=True,
    )


def _differences_table(result: Comparison, differences: list[_Difference]) -> str:
    p_value = "p, corrected" if result.correction else "p"
    # The heading names a system that is compared alone.
    is_alone = len({row.system for row in differences}) == 1
    pair = ["system", "against"] if not result.baseline else [] if is_alone else ["system"]
    heads = [*pair, *result.by, "metric"]
    same_users = len({row.n for row in differences}) == 1
    of_users = [] if same_users else [result.words.plural]
    columns = [*heads, "difference", "verdict", p_value, "mean", "baseline", *of_users]
    cells = [
        (
            *(row.system, row.against)[: len(pair)],
            *map(_text, row.segment),
            row.measure,
            Markup(f"{_number(row.difference, '+')}<small>{_interval(row.low, row.high, '+')}</small>"),
            _VERDICTS[row.verdict],
            _p_value(row.p),
            _number(row.mean),
            _number(row.baseline),
            *([] if same_users else [f"{row.n:,}"]),
        )
        for row in differences
    ]
    users = result.words.count(differences[0].n) if same_users else f"the {result.words.plural}"
    caption = _sentences(
        f"Differences of means over {users} with values of both systems, with {percent(result.confidence)} "
        f"intervals; a difference is undecided if p is at least {significance_level(result.confidence)}",
        result.about_intervals,
        _about_undecided(result, differences, _tests(differences)),
    )
    first = len(heads)
    numeric = [first, *range(first + 2, len(columns))]
    return _table(caption, columns, cells, numeric=numeric, heads=first)


def _distributions(result: Evaluation | Comparison, means: list[_Mean]) -> Iterator[str]:
    """Yield the HTML of the distribution of each metric at its last k; all but the first are folded."""
    last = {mean.metric: mean.k for mean in means}
    yield f"<h2>Distributions over {result.words.plural}</h2>"
    for number, (metric, k) in enumerate(last.items()):
        name = Measure(metric, k).column
        whose = f"{result.words.plural}' values of {name}"
        caption = f"How the {whose} are distributed; those that are exactly 0 stand apart"
        figure = _figure(partial(plots.distribution, result, metric, k), caption, is_wide=True)
        yield figure if number == 0 else _folded(name, figure)


def _data(evaluations: Mapping[str, Evaluation]) -> Iterator[str]:
    """Yield the HTML of the counts of rows and users."""
    yield "<h2>Counts</h2>"
    counts = {name: dataclasses.asdict(of.counts) for name, of in evaluations.items()}
    words = next(iter(evaluations.values())).words
    names = [name for name, value in next(iter(counts.values())).items() if isinstance(value, int)]
    cells = [
        (words.say(name.replace("_", " ")), *(f"{of[name]:,}" for of in counts.values())) for name in names
    ]
    columns = ["count", *(name or "number" for name in counts)]
    table = _table(words.say("Counts of rows and users"), columns, cells, numeric=range(1, len(columns)))
    yield f"<details><summary>All counts</summary>\n{table}\n</details>"


def _method(
    result: Evaluation | Comparison, means: list[_Mean], evaluations: Mapping[str, Evaluation], tests: int
) -> Iterator[str]:
    """Yield the HTML of the methods: metrics, options, intervals and tests."""
    evaluation = next(iter(evaluations.values()))
    functions = {
        metric: catalogue.metric_functions()[metric]
        for metric in dict.fromkeys(mean.metric for mean in means)
    }
    yield "<h2>How the numbers were computed</h2>"
    yield f"<p>{escape(result.words.say(_USERS.get(evaluation.users, '')))}</p>"
    yield "<h3>Metrics</h3>"
    cells = [(name, of.summary, of.formula, of.range, of.source) for name, of in functions.items()]
    columns = ["metric", "description", "formula", "range", "source"]
    yield _table("Definitions of the metrics", columns, cells, kind="definitions")
    yield "<h3>Conventions and options</h3>"
    convention = _convention(functions, evaluation.options)
    yield f"<p>The convention is <code>{escape(convention.name)}</code>: {escape(convention.of)}.</p>"
    columns = ["option", "value", "set by", "metrics", "effect"]
    rows = list(_options(functions, evaluation.options))
    yield _table("Values of the options", columns, rows, kind="definitions")
    yield "<h3>Intervals and tests</h3>"
    columns = ["of", "method", "function of SQL", "source"]
    yield _table(
        "Intervals and tests", columns, list(_statistics(result, evaluation, tests)), kind="definitions"
    )


def _convention(functions: Mapping[str, Function], given: Mapping[str, str]) -> Convention:
    name = catalogue.resolve_options(next(iter(functions.values())), given)["convention"].value
    return next(convention for convention in catalogue.conventions() if convention.name == name)


def _options(functions: Mapping[str, Function], given: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each option and value: the option, the value, its origin, its metrics, its meaning."""
    resolved = {metric: catalogue.resolve_options(each, given) for metric, each in functions.items()}
    convention = _convention(functions, given)
    origins = {"metric": "default", "convention": f"convention {convention.name}"}
    for option in catalogue.options():
        found: dict[tuple[str, str], list[str]] = {}
        for metric, values in resolved.items():
            if option.name in values and option.name != "convention":
                option_value = values[option.name]
                origin = origins.get(option_value.origin, option_value.origin)
                found.setdefault((option_value.value, origin), []).append(metric)
        for (value, origin), metrics in found.items():
            mark = Markup(f"<strong>{escape(value)}</strong>") if origin == "given" else value
            yield option.name, mark, origin, ", ".join(metrics), option.doc


def _statistics(
    result: Evaluation | Comparison, evaluation: Evaluation, tests: int
) -> Iterator[tuple[str, ...]]:
    """Yield a row for each method: its use, its name, its function, and its source."""
    functions = {function.name: function for function in catalogue.functions()}
    interval = functions[INTERVALS[evaluation.interval]]
    yield f"means, {percent(result.confidence)}", *_described(interval)
    if result.kind == "comparison":
        margin = f" with margin {result.margin:g}" if result.margin else ""
        looks = result.alternative.replace("_", "-") + margin
        yield f"differences, {looks}", *_described(functions[TESTS[result.test][0]])
        corrected = functions["corrected_p_values"]
        words = f"p-values of {pluralize(tests, 'test')}: {result.correction_in_words}"
        yield "several tests", words, *_described(corrected)[1:]
        power = functions["paired_t_test_power"]
        divided = f" / {result.tests_of_level(tests)}" if result.tests_of_level(tests) > 1 else ""
        words = f"paired t test at alpha {significance_level(result.confidence)}{divided}, power 0.8"
        yield f"{result.words.plural} needed", words, *_described(power)[1:]


def _described(function: Function) -> tuple[str, str, str]:
    """Return the first words about a function, its name, and its first source."""
    return re.split("[.;] ", function.summary)[0], function.name, function.source.partition("; ")[0]


def _means(result: Evaluation | Comparison) -> list[_Mean]:
    groups = ["system", *result.segment_cells] if result.kind == "comparison" else result.segment_cells
    rows = result.summary.project(", ".join([*groups, MEANS])).fetchall()
    return [_Mean(row[: len(groups)], *row[len(groups) :]) for row in rows]


def _differences(result: Comparison) -> list[_Difference]:
    segment = f"[{', '.join(result.segment_cells)}]::VARCHAR[]"
    rows = result.differences.project(
        f"system, against, {segment}, metric, k, n, mean, baseline, difference, "
        "if(baseline > 0, difference / baseline, NULL), low, high, "
        f"p_corrected, {result.verdict_in_sql} AS verdict, "
        "coalesce(verdict = 'same' AND (low > 0 OR high < 0), false), "
        f"{'all_users' if result.by else 'true'}"
    ).fetchall()
    return [
        _Difference(system, other, segment, Measure(metric, k).column, *numbers)
        for system, other, segment, metric, k, *numbers in rows
    ]


def _lead(means: Sequence[_Mean], over: str) -> str:
    metrics = ", ".join(dict.fromkeys(mean.metric for mean in means))
    ks = ", ".join(str(k) for k in dict.fromkeys(mean.k for mean in means) if k is not None)
    return f"<p>{escape(f'{metrics} at k = {ks}' if ks else metrics)}, {escape(over)}.</p>"


def _tiles(tiles: Iterable[tuple[str, str, str]]) -> str:
    """Return the HTML of a few large numbers, each given as its name, the number and a note."""
    texts = (tuple(map(escape, tile)) for tile in tiles)
    parts = "\n".join(
        f"<div><dt>{name}</dt><dd>{number}</dd><dd>{note}</dd></div>" for name, number, note in texts
    )
    return f'<dl class="tiles">\n{parts}\n</dl>'


def _table(
    caption: str,
    columns: Sequence[str],
    rows: Sequence[tuple[str | None, ...]],
    numeric: Container[int] = (),
    heads: int = 1,
    kind: str = "",
) -> str:
    """Return the HTML of a table on a card that scrolls, also by keyboard, if the table is too wide.

    `numeric` has the indices (from 0) of the columns of numbers. The first `heads` columns are header cells.
    `kind` is one more class of the card: ``definitions`` puts the cells of a row below each other on phones.
    """
    result = Result(list(columns), [number in numeric for number in range(len(columns))], rows)
    attributes = f'class="{f"card {kind}".strip()}" role="region" tabindex="0" aria-label="{escape(caption)}"'
    return f"<div {attributes}>\n{html(result, caption, heads)}\n</div>"


def _means_figure(result: Evaluation | Comparison, means: Sequence[_Mean]) -> str:
    groups = ", ".join(dict.fromkeys(", ".join(map(_text, mean.group)) for mean in means))
    of = f" by {', '.join(result.by)}" if result.kind == "evaluation" and result.by else f" of {groups}"
    of = of if groups else ""
    caption = f"Means{of} with {percent(result.confidence)} intervals"
    return _figure(partial(plots.metric_at_k, result), caption, is_wide=True)


def _figure(draw: Callable[..., Plot], caption: str, is_wide: bool = False) -> str:
    """Return the HTML of a plot as inline SVG, narrow enough for phones.

    If `is_wide`, it is drawn a second time, for screens, and the page shows one of the two.
    """
    drawn = []
    for name, width in [("narrow", _NARROW), *([("wide", _WIDE)] if is_wide else [])]:
        plot = draw(width=width)
        plot.suptitle("")  # the caption says it
        drawn.append(f'<div class="{name}">\n{plot.to_svg(caption)}\n</div>\n')
    return f"<figure>\n{''.join(drawn)}<figcaption>{escape(caption)}</figcaption>\n</figure>"


def _folded(name: str, content: str) -> str:
    return f"<details><summary>{escape(name)}</summary>\n{content}\n</details>"


def _sentences(*sentences: str) -> str:
    """Join sentences with full stops, leaving out empty ones. One alone has no full stop, as a title."""
    given = [sentence.rstrip(".") for sentence in sentences if sentence]
    return ". ".join(given) + "." * (len(given) > 1)


def _list(sentences: Iterable[str]) -> str:
    return "<ul>\n" + "\n".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "\n</ul>"


def _text(value: object) -> str:
    return _NONE if value is None else str(value)


def _number(value: float | None, sign: str = "") -> str:
    return _NONE if value is None else f"{value:{sign}.4f}".replace("-", "\N{MINUS SIGN}")


def _interval(low: float | None, high: float | None, sign: str = "") -> str:
    return _NONE if low is None else f"{_number(low, sign)} to {_number(high, sign)}"


def _p_value(p: float | None) -> str:
    if p is None:
        return _NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
