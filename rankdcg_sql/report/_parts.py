"""The parts that sections of a report share: the means and differences that they show, and HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from rankdcg_sql._output import Result, html
from rankdcg_sql.evaluation._terms.metrics import MEANS, Measure, function_of

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    from rankdcg_sql.evaluation._results.interface import ComparisonLike, EvaluationLike
    from rankdcg_sql.plots import Plot


class Mean(NamedTuple):
    """A mean of one measure with its interval."""

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
        """The metric and its k, such as ``ndcg@10``."""
        return Measure(self.metric, self.k).column


class Difference(NamedTuple):
    """A difference of the means of two systems, with its test."""

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


def means_of(result: EvaluationLike | ComparisonLike) -> list[Mean]:
    """Fetch the means of all systems and segments."""
    groups = ["system", *result.segment_cells] if result.kind == "comparison" else result.segment_cells
    rows = result.summary.project(", ".join([*groups, MEANS])).fetchall()
    return [Mean(row[: len(groups)], *row[len(groups) :]) for row in rows]


def last_means(result: EvaluationLike, means: list[Mean]) -> dict[str, Mean]:
    """Return the mean of each metric at its last k over all users, keyed by the metric."""
    # The last of several means of a metric stays in the dict.
    return {mean.metric: mean for mean in means if not result.by or mean.group[0] == result.words.all_of_them}


def leading_mean(means: list[Mean]) -> Mean:
    """Return a mean of the first metric at its last k."""
    return [mean for mean in means if mean.metric == means[0].metric][-1]


def of_single_users(means: list[Mean]) -> list[Mean]:
    """Leave out the means of measures of all users together, of which no single user has a value."""
    return [mean for mean in means if not function_of(mean.metric).is_of_all_users]


def common_users(rows: Iterable[Mean]) -> int | None:
    """Return the number of users with a value; None if rows differ in it, or in the number without one."""
    numbers = {(row.n, row.without_value) for row in rows}
    return next(iter(numbers))[0] if len(numbers) == 1 else None


def differences_of(result: ComparisonLike) -> list[Difference]:
    """Fetch the differences of all pairs and segments."""
    segment = f"[{', '.join(result.segment_cells)}]::VARCHAR[]"
    rows = result.differences.project(
        f"system, against, {segment}, metric, k, n, mean, baseline, difference, "
        "if(baseline > 0, difference / baseline, NULL), low, high, "
        f"p_corrected, {result.verdict_in_sql} AS verdict, "
        "coalesce(verdict = 'same' AND (low > 0 OR high < 0), false), "
        f"{'all_users' if result.by else 'true'}"
    ).fetchall()
    return [
        Difference(system, other, segment, Measure(metric, k).column, *numbers)
        for system, other, segment, metric, k, *numbers in rows
    ]


def count_tests(differences: Iterable[Difference]) -> int:
    """Return the number of tests, which a correction counts."""
    return sum(row.p is not None for row in differences)


#: The text where there is no value.
NONE = "\N{EN DASH}"


def tiles(tiles: Iterable[tuple[str, str, str]]) -> str:
    """Return the HTML of a few large numbers, each given as its name, the number and a note."""
    texts = (tuple(map(escape, tile)) for tile in tiles)
    parts = "\n".join(
        f"<div><dt>{name}</dt><dd>{number}</dd><dd>{note}</dd></div>" for name, number, note in texts
    )
    return f'<dl class="tiles">\n{parts}\n</dl>'


def table(
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


def folded(name: str, content: str) -> str:
    """Return the HTML of content below a name, hidden until the reader opens it."""
    return f"<details><summary>{escape(name)}</summary>\n{content}\n</details>"


#: The widths of figures in inches, on screens and on phones. The page shows one of the two.
_WIDE, _NARROW = 7.5, 3.5


def figure(draw: Callable[..., Plot], caption: str, is_wide: bool = False) -> str:
    """Return the HTML of a plot as inline SVG, narrow enough for phones.

    If `is_wide`, it is drawn a second time, for screens, and the page shows one of the two.
    """
    drawn = []
    for name, width in [("narrow", _NARROW), *([("wide", _WIDE)] if is_wide else [])]:
        plot = draw(width=width)
        plot.suptitle("")  # the caption says it
        drawn.append(f'<div class="{name}">\n{plot.to_svg(caption)}\n</div>\n')
    return f"<figure>\n{''.join(drawn)}<figcaption>{escape(caption)}</figcaption>\n</figure>"


def bullets(sentences: Iterable[str]) -> str:
    """Return the HTML of a list of sentences."""
    return "<ul>\n" + "\n".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "\n</ul>"


def join_sentences(*sentences: str) -> str:
    """Join sentences with full stops, leaving out empty ones. One alone has no full stop, as a title."""
    given = [sentence.rstrip(".") for sentence in sentences if sentence]
    return ". ".join(given) + "." * (len(given) > 1)


def cell_text(value: object) -> str:
    """Write a value of a segment; a dash is NULL."""
    return NONE if value is None else str(value)


def number_text(value: float | None, sign: str = "") -> str:
    """Write a number with four digits; with ``+`` for `sign`, always with a sign."""
    return NONE if value is None else f"{value:{sign}.4f}".replace("-", "\N{MINUS SIGN}")


def interval_text(low: float | None, high: float | None, sign: str = "") -> str:
    """Write the ends of an interval as `number_text` does."""
    return NONE if low is None else f"{number_text(low, sign)} to {number_text(high, sign)}"


def p_value_text(p: float | None) -> str:
    """Write a p-value with three digits, or as ``< 0.001`` if it is smaller."""
    if p is None:
        return NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
