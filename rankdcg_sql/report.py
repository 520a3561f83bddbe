"""Reports of evaluations and comparisons, each a self-contained HTML page.

The plots in a report need ``pip install 'rankdcg_sql[plots]'``.
"""

from __future__ import annotations

import dataclasses
import re
from datetime import datetime, timezone
from hashlib import sha256
from html import escape
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb

from rankdcg_sql import _native, catalogue, plots
from rankdcg_sql._output import Markup, Result, html
from rankdcg_sql.evaluation._metrics import ALL_USERS, MEANS, Measure, metric_functions
from rankdcg_sql.evaluation._statistics import INTERVALS, TESTS
from rankdcg_sql.plots import groups_of, percent

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from matplotlib.figure import Figure

    from rankdcg_sql.catalogue import Convention, Function
    from rankdcg_sql.evaluation._comparison import Comparison
    from rankdcg_sql.evaluation._results import Evaluation

_USERS = {
    "truth": "Means are over the users with judgements; a user without recommendations counts as 0.",
    "both": "Means are over the users with both judgements and recommendations.",
}
#: What a small p-value says with a margin, by the alternative.
_WITH_MARGIN = {"less": "not superior", "greater": "not inferior", "equivalence": "equivalent"}
_VERDICTS = {
    "better": Markup('<span class="better">▲ better</span>'),
    "worse": Markup('<span class="worse">▼ worse</span>'),
    "same": Markup('<span class="same">undecided</span>'),
} | {name: Markup(f'<span class="same">{name}</span>') for name in _WITH_MARGIN.values()}
_WORDS = {name: "undecided" if name == "same" else name for name in _VERDICTS}
_NONE = "\N{EN DASH}"
# Parts of an SVG that are useless within an HTML page.
_SVG_EXTRAS = re.compile(r"<!--.*?-->|<metadata>.*?</metadata>|<\?xml.*?\?>|<!DOCTYPE.*?>", re.DOTALL)
# The text before an id in an SVG. Ids must be unique in the page, so each figure's get a prefix.
_SVG_NAMES = re.compile(r'(\bid="|href="#|url\(#)')


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

    @property
    def measure(self) -> str:
        return Measure(self.metric, self.k).column


class _Difference(NamedTuple):
    #: The system that is compared with another one.
    system: str
    #: The other one: the baseline, unless all pairs are compared.
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
    #: The lower end of the interval of the difference.
    low: float | None
    #: The upper end of the interval of the difference.
    high: float | None
    #: The p-value, after correction if there is one.
    p: float | None
    #: ``better``, ``worse``, ``same``, or with a margin a word for what was shown.
    verdict: str
    #: The number of users for whom the system has the larger value.
    wins: int
    #: The number of users for whom the values are equal.
    ties: int
    #: The number of users for whom the baseline has the larger value.
    losses: int


class Page(str):
    """The text of an HTML page. A prompt or a notebook shows its size instead, because the page is long."""

    def __repr__(self) -> str:
        return f"<HTML page of {len(self):,} characters>"


def report(
    result: Evaluation | Comparison,
    path: str | PathLike[str] | None = None,
    title: str | None = None,
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

    Returns
    -------
    Page
        The text of a self-contained HTML page: tables, plots, counts and warnings about the data, the options
        in effect, and the methods. The page loads nothing and runs no script.

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
    means = every_mean = _means(result)
    if result.kind == "comparison":
        evaluations = result.evaluations
        if result.by:
            means = [mean._replace(group=mean.group[:1]) for mean in means if mean.group[1] == ALL_USERS]
        others = "of all pairs" if result.baseline is None else f"with {result.baseline}"
        heading, parts = f"Comparison {others}", _compared(result, means)
    else:
        evaluations = {"": result}
        heading, parts = "Evaluation", _evaluated(result, means)
    parts = chain(
        parts, _distributions(result, means), _data(evaluations), _method(result, every_mean, evaluations)
    )
    now = datetime.now(timezone.utc)
    text = _PAGE.format(
        title=escape(title or heading),
        style=Path(__file__).with_name("report.css").read_text(encoding="utf-8"),
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


def _evaluated(result: Evaluation, means: list[_Mean]) -> Iterator[str]:
    """Yield the HTML of the means of an evaluation."""
    segments = groups_of(result)
    sure = f"{percent(result.confidence)} interval"
    yield _lead(means, f"over {result.users_phrase()}")
    if not segments:
        last = {mean.metric: mean for mean in means}
        yield _tiles(
            (of.measure, _number(of.mean), f"{sure} {_interval(of.low, of.high)}") for of in last.values()
        )
    yield "<h2>Means over users</h2>"
    columns = [*segments, "metric", "users", "mean", sure, "users without value"]
    cells = [
        (
            *map(_text, of.group),
            of.measure,
            f"{of.n:,}",
            _number(of.mean),
            _interval(of.low, of.high),
            f"{of.without_value:,}",
        )
        for of in means
    ]
    heads = len(segments) + 1
    yield _table(
        "Means over users with their intervals", columns, cells, numeric=range(heads, heads + 4), heads=heads
    )
    yield _means_figure(result, [mean for mean in means if mean.group[:1] != (ALL_USERS,)])


def _compared(result: Comparison, means: list[_Mean]) -> Iterator[str]:
    """Yield the HTML of the differences of systems from the baseline.

    The tiles at the top show the first metric only, because metrics mostly rise and fall together.
    """
    differences = _differences(result)
    first_metric = means[0].metric
    leading = [mean.measure for mean in means if mean.metric == first_metric][-1]
    systems = list(dict.fromkeys(str(mean.group[0]) for mean in means))
    baseline = result.baseline or "each other"
    users = result.evaluations[result.baseline or systems[0]].counts.users_evaluated
    p_value = "corrected p" if result.correction else "p"
    yield _lead(means, f"of {len(systems)} systems over {users:,} users")
    yield _tiles(
        (
            f"{row.system} against {row.against}, {row.measure}",
            f"{_number(row.difference, '+')} {_WORDS[row.verdict]}",
            f"{percent(result.confidence)} interval {_interval(row.low, row.high, '+')}, "
            f"{p_value} {_p_value(row.p)}",
        )
        for row in differences
        if row.measure == leading and row.segment[:1] in ([], [ALL_USERS])
    )
    yield "<h2>Means over users</h2>"
    highest = {
        name: max((of.mean for of in means if of.measure == name and of.mean is not None), default=None)
        for name in dict.fromkeys(mean.measure for mean in means)
    }
    cells: dict[str, dict[str, str]] = {}
    for of in means:
        number = _number(of.mean)
        if of.mean is not None and of.mean == highest[of.measure]:
            number = f'<span class="best">{number}</span>'
        notes = f"<small>{_interval(of.low, of.high)}</small><small>{of.n:,} users</small>"
        cells.setdefault(of.measure, {})[str(of.group[0])] = Markup(number + notes)
    yield _table(
        f"Means over users with {percent(result.confidence)} intervals; the highest of each row is marked",
        ["metric", *(f"{name} (baseline)" if name == result.baseline else name for name in systems)],
        [(name, *(row.get(system, _NONE) for system in systems)) for name, row in cells.items()],
        numeric=range(1, len(systems) + 1),
    )
    yield _means_figure(result, means)
    yield f"<h2>Differences from {escape(baseline)}</h2>"
    yield _differences_table(result, differences)
    caption = f"For how many users each system wins, ties and loses against {baseline}"
    yield _figure(plots.wins(result), caption)


def _differences_table(result: Comparison, differences: list[_Difference]) -> str:
    p_value = "p, corrected" if result.correction else "p"
    every_pair = result.baseline is None
    heads = ["system", *(["against"] if every_pair else []), *result.by, "metric"]
    columns = [*heads, "users", "mean", "baseline", "difference", "interval", p_value, "verdict"]
    cells = [
        (
            row.system,
            *([row.against] if every_pair else []),
            *map(_text, row.segment),
            row.measure,
            f"{row.n:,}",
            _number(row.mean),
            _number(row.baseline),
            _number(row.difference, "+"),
            _interval(row.low, row.high, "+"),
            _p_value(row.p),
            _VERDICTS[row.verdict],
        )
        for row in differences
    ]
    against = result.baseline or "each other"
    caption = (
        f"Means over the users with values of both systems, and their differences from {against}; a "
        f"difference is undecided if p is at least {_level(result)}"
    )
    return _table(caption, columns, cells, numeric=range(len(heads), len(heads) + 6), heads=len(heads))


def _distributions(result: Evaluation | Comparison, means: list[_Mean]) -> Iterator[str]:
    """Yield the HTML of the distribution of each metric at its last k; all but the first are folded."""
    last = {mean.metric: mean.k for mean in means}
    yield "<h2>Distributions over users</h2>"
    for number, (metric, k) in enumerate(last.items()):
        name = Measure(metric, k).column
        caption = f"How the users' values of {name} are distributed; those that are exactly 0 stand apart"
        figure = _figure(plots.distribution(result, metric, k), caption)
        yield figure if number == 0 else f"<details><summary>{escape(name)}</summary>\n{figure}\n</details>"


def _data(evaluations: Mapping[str, Evaluation]) -> Iterator[str]:
    """Yield the HTML of the sentences and the counts about the data."""
    yield "<h2>Data</h2>"
    notes = {name: tuple(of._notes()) for name, of in evaluations.items()}
    for sentences in dict.fromkeys(notes.values()):
        systems = ", ".join(name for name in notes if notes[name] == sentences)
        if systems:
            yield f"<h3>{escape(systems)}</h3>"
        yield _list(sentences or ["Nothing is missing or repeated."])
    counts = {name: dataclasses.asdict(of.counts) for name, of in evaluations.items()}
    names = [name for name, value in next(iter(counts.values())).items() if isinstance(value, int)]
    cells = [(name.replace("_", " "), *(f"{of[name]:,}" for of in counts.values())) for name in names]
    columns = ["count", *(name or "number" for name in counts)]
    table = _table("Counts of rows and users", columns, cells, numeric=range(1, len(columns)))
    yield f"<details><summary>All counts</summary>\n{table}\n</details>"


def _method(
    result: Evaluation | Comparison, means: list[_Mean], evaluations: Mapping[str, Evaluation]
) -> Iterator[str]:
    """Yield the HTML of the methods: metrics, options, intervals and tests."""
    evaluation = next(iter(evaluations.values()))
    functions = {
        metric: metric_functions()[metric] for metric in dict.fromkeys(mean.metric for mean in means)
    }
    yield "<h2>How the numbers were computed</h2>"
    yield f"<p>{escape(_USERS.get(evaluation.users, ''))}</p>"
    yield "<h3>Metrics</h3>"
    cells = [(name, of.summary, of.formula, of.range, of.source) for name, of in functions.items()]
    columns = ["metric", "description", "formula", "range", "source"]
    yield _table("Definitions of the metrics", columns, cells)
    yield "<h3>Conventions and options</h3>"
    convention = _convention(functions, evaluation.options)
    yield f"<p>The convention is <code>{escape(convention.name)}</code>: {escape(convention.of)}.</p>"
    columns = ["option", "value", "set by", "metrics", "effect"]
    yield _table("Values of the options", columns, list(_options(functions, evaluation.options)))
    yield "<h3>Intervals and tests</h3>"
    yield _list(_statistics(result, means, evaluation))


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


def _statistics(result: Evaluation | Comparison, means: list[_Mean], evaluation: Evaluation) -> Iterator[str]:
    functions = {function.name: function for function in catalogue.functions()}
    interval = functions[INTERVALS[evaluation.interval]]
    yield f"Intervals of means, at {percent(result.confidence)}, by {_described(interval)}"
    if result.kind == "comparison":
        margin = f" with margin {result.margin}" if result.margin else ""
        looks = result.alternative.replace("_", "-") + margin
        test = functions[TESTS[result.test][0]]
        yield f"Tests, {looks}, of values of the same users, by {_described(test)}"
        number = result.differences.aggregate("count(*)").fetchall()[0][0]
        yield f"p-values of {number} tests: {result.correction_in_words}."


def _described(function: Function) -> str:
    return f"{function.name}: {function.summary}. Source: {function.source}."


def _means(result: Evaluation | Comparison) -> list[_Mean]:
    groups = ["system", *result.segment_cells] if result.kind == "comparison" else result.segment_cells
    rows = result.summary.project(", ".join([*groups, MEANS])).fetchall()
    return [_Mean(row[: len(groups)], *row[len(groups) :]) for row in rows]


def _level(result: Evaluation | Comparison) -> str:
    # The significance level of the tests is 1 less the confidence level of the intervals.
    return f"{1 - result.confidence:.6g}"


def _differences(result: Comparison) -> list[_Difference]:
    significant = f"coalesce(p_corrected, p_value) < {_level(result)}"
    if result.margin:
        verdict = f"if({significant}, '{_WITH_MARGIN[result.alternative]}', 'same')"
    else:
        verdict = f"""CASE WHEN {significant} AND difference <> 0
            THEN if(difference > 0, 'better', 'worse') ELSE 'same' END"""
    segment = f"[{', '.join(result.segment_cells)}]::VARCHAR[]"
    rows = result.differences.project(
        f"system, against, {segment}, metric, k, n, mean, baseline, difference, low, high, "
        f"coalesce(p_corrected, p_value), {verdict}, wins, ties, losses"
    ).fetchall()
    return [
        _Difference(system, against, segment, Measure(metric, k).column, *numbers)
        for system, against, segment, metric, k, *numbers in rows
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
) -> str:
    """Return the HTML of a table on a card that scrolls, also by keyboard, if the table is too wide.

    `numeric` has the indices (from 0) of the columns of numbers. The first `heads` columns are header cells.
    """
    result = Result(list(columns), [number in numeric for number in range(len(columns))], rows)
    attributes = f'class="card" role="region" tabindex="0" aria-label="{escape(caption)}"'
    return f"<div {attributes}>\n{html(result, caption, heads)}\n</div>"


def _means_figure(result: Evaluation | Comparison, means: Sequence[_Mean]) -> str:
    groups = ", ".join(dict.fromkeys(", ".join(map(_text, mean.group)) for mean in means))
    of = f" of {groups}" if groups else ""
    return _figure(plots.metric_at_k(result), f"Means{of} with {percent(result.confidence)} intervals")


def _figure(figure: Figure, caption: str) -> str:
    """Return the HTML of a figure as inline SVG; equal figures give equal texts."""
    from matplotlib import rc_context

    text = StringIO()
    with rc_context({"svg.hashsalt": "rankdcg_sql", "svg.fonttype": "path"}):
        figure.savefig(text, format="svg", metadata={"Date": None})
    name = sha256(text.getvalue().encode()).hexdigest()[:8]
    svg = _SVG_NAMES.sub(rf"\g<1>{name}-", _SVG_EXTRAS.sub("", text.getvalue())).strip()
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{escape(caption)}" ', 1)
    return f'<figure tabindex="0">\n{svg}\n<figcaption>{escape(caption)}</figcaption>\n</figure>'


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
